"""The stored verdicts on every measure and every statement, and the papers' tables beside them."""
