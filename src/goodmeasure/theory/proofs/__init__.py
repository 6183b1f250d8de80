"""Proofs to read and to check elsewhere."""
