"""Scores: measures at every threshold, and the best threshold."""
