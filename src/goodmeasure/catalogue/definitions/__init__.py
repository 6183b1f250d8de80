"""The definitions of the measures: the one place where each formula is written."""
