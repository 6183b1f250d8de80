"""Evaluating outcomes: how they are read, items with several answers, and results without labels."""
