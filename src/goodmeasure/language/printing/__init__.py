"""Reading a definition as a printed formula, or as one evaluation worked out step by step."""
