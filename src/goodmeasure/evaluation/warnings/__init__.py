"""Warnings about results: what a reader must know before using a number."""
