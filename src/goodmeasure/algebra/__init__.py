"""The worlds a definition can be read in: floats, batches of arrays, exact numbers, worked steps, formulas."""
