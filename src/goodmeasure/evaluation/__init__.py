"""Evaluating systems: what their matrices score, and what trivial systems would."""
