"""Evaluating scores: intervals, which measures are shown, and how scores are read."""
