"""The definitions of the measures: the only place where each formula is written."""
