"""Proofs to read: what a certificate shows, in words."""
