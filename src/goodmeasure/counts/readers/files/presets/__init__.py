"""Logs of other programs, read as tables of predictions: one file for each format, listed in `registry.py`."""
