"""Evaluation: from labels, data frames, files or matrices to a result with values, intervals and warnings."""
