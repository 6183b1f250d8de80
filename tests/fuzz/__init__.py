"""Damaged files of every format, and attacks on proofs of random definitions."""
