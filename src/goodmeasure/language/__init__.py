"""What a measure is written in (`view`), what happens at 0/0 (`policy`), and the ways of reading a definition."""
