"""Measures at every threshold of a score."""
