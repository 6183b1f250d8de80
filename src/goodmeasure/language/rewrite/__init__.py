"""Rewriting trees into a small core language, in which nothing but counts, arithmetic and loops is left."""
