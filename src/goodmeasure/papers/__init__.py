"""The tables that the papers print, recomputed: one module for each paper or data set."""
