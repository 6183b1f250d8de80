"""Readers of data that need no engine."""
