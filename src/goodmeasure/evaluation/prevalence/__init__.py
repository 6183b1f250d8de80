"""Other class distributions: what measures to expect if class prevalence changes."""
