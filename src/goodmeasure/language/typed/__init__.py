"""Formulas typed as text: they are recorded like definitions in Python, and never run as Python."""
