"""The command line: what `goodmeasure` prints on a terminal, and as JSON."""
