"""The papers' tables, recomputed: one module for each paper, which registers its tables."""
