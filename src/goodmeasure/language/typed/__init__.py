"""Formulas typed as text: the language of ``c`` in a grammar of its own, which is never run as Python."""
