"""What checks the cases of each kind of statement."""
