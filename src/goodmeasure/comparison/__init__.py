"""Compare systems with each other on the same items, and measures with each other."""
