"""How often intervals hold the true value, and how often tests are wrong: `python -m benchmarks.coverage`."""
