"""How long things take, as ratios against peers measured in one run."""
