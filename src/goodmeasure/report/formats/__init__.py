"""The formats a report can be written in."""
