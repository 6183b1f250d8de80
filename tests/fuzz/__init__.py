"""Damaged files of every format, made at random."""
