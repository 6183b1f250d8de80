"""Files as tables: what kind each is, how it is read and counted, and confusion matrices in files."""
