"""Scores: how they are read, sorted once, and counted at every threshold."""
