"""The stored verdicts on every measure and every statement, and how they compare with the papers' tables."""
