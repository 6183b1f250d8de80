"""Judges, such as language models, whose labels stand in for those of humans: how right they are, and what they add."""
