"""Confidence intervals of measured values."""
