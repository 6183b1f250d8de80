"""Symbolic algebra for proofs: definitions read on support patterns, for every number of classes, and along rays."""
