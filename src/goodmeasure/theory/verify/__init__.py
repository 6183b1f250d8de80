"""Checking certificates, one file for each kind of statement."""
