"""Formulas as people read them, printed from trees."""
