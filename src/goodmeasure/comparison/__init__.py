"""Systems against each other, and measures against each other."""
