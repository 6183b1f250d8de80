"""Reports: what a result says, free of any format, and the formats it can be written in."""
