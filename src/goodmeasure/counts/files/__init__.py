"""Counting labels in files, and reading confusion matrices from files."""
