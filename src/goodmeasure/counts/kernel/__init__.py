"""Counting pairs of labels: the compiled kernel, and NumPy where it is absent."""
