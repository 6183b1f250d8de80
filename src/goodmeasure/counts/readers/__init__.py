"""Readers of tables: data frames, engines, relations, files and logs, each with the same methods."""
