"""Searching for the smallest counterexample of a statement, one file for each kind of statement."""
