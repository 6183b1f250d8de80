"""Counting pairs of labels, by the compiled kernel or, where it is absent, by NumPy."""
