"""Simulate what planned numbers of items reach, and print the tables of docs/planning.md.

Run as ``python docs/planning_study.py [SAMPLES]``; 1,000 samples take some three minutes on one core.
"""

from __future__ import annotations

import sys

import numpy as np

import goodmeasure as gm
from goodmeasure.comparison.planning.assumptions import of_matrices, with_difference
from goodmeasure.comparison.planning.powers import simulated_power
from goodmeasure.comparison.settings import Settings
from goodmeasure.language.policy import RESOLVE

CASES = {
    "2 classes, 20% positive": [[0.72, 0.08], [0.04, 0.16]],
    "2 classes, 2% positive": [[0.931, 0.049], [0.004, 0.016]],
    "3 classes": [[0.45, 0.03, 0.02], [0.04, 0.24, 0.02], [0.04, 0.04, 0.12]],
}
MEASURES = ("accuracy", "mcc", "macro(f1)")


def widths(samples: int) -> None:
    """Print planned widths and the mean widths of `evaluate` on new samples."""
    print("| case | measure | width | items | of the rarest class | mean width of new samples |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for case, cells in CASES.items():
        for measure in MEASURES:
            for width in (0.1, 0.05):
                found = gm.plan(cells, measure=measure, width=width)
                shares = np.array(cells)
                drawn = np.random.default_rng(99).multinomial(found.items, shares.ravel(), size=samples // 2)
                seen = []
                for counts in drawn:
                    rows = gm.evaluate(counts.reshape(shares.shape), measures=[measure], classwise=[]).table
                    seen.append(rows[0]["high"] - rows[0]["low"])
                print(f"| {case} | {measure} | {width} | {found.items:,} | {found.rare:,} | {np.mean(seen):.4f} |")


def powers(samples: int) -> None:
    """Print planned powers and how often the tests of `compare` reject on new samples."""
    print("| case | measure | difference | margin | items | power on new samples |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for case, cells in CASES.items():
        matrix = gm.ConfusionMatrix(cells)
        share = 0.04 if "2%" in case.split(",")[-1] and "20" not in case else 0.1
        both = of_matrices({"A": matrix, "B": matrix}, None, share)
        for measure in MEASURES:
            for options in ({"difference": 0.03}, {"margin": 0.03}):
                if measure == "accuracy" and share < 0.1:
                    options = dict.fromkeys(options, 0.01)
                found = gm.plan(matrix, measure=measure, disagreement=share, **options)
                f = gm.measure(measure)
                population = with_difference(f, both, options.get("difference", 0.0), RESOLVE)
                settings = Settings((f,), seed=1234, replicates=999, margin=options.get("margin"))
                seen, _ = simulated_power(population, found.items, settings, samples)
                told = " | ".join(str(options.get(name, "")) for name in ("difference", "margin"))
                print(f"| {case} | {measure} | {told} | {found.items:,} | {100 * seen:.1f}% |", flush=True)


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    widths(number)
    print()
    powers(number)
