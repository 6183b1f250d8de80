"""Proving statements for all n, one file for each kind of statement."""
