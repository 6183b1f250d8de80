"""Measures of scores: rankings, probabilities, and measures of confusion matrices taken over all thresholds."""
