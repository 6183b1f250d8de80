"""Compiling core trees into source text: Python for one matrix, arrays for batches, JavaScript for pages."""
