"""Planned numbers of items: do the widths and powers that they promise come out on new samples?"""

from __future__ import annotations

from typing import Any

import numpy as np

from goodmeasure.catalogue.names import measure as named
from goodmeasure.comparison.planning.assumptions import of_matrices, with_difference
from goodmeasure.comparison.planning.plan import plan
from goodmeasure.comparison.planning.powers import simulated_power
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.intervals.many_at_once import ManyItems
from goodmeasure.language.policy import RESOLVE

CASES = {
    "2 classes, 20% positive": [[0.72, 0.08], [0.04, 0.16]],
    "2 classes, 2% positive": [[0.931, 0.049], [0.004, 0.016]],
    "3 classes": [[0.45, 0.03, 0.02], [0.04, 0.24, 0.02], [0.04, 0.04, 0.12]],
}
MEASURES = ("accuracy", "mcc", "macro(f1)")
DISAGREEMENT = {"2 classes, 2% positive": 0.04}
REPLICATES = 499


def width(case: str, measure: str, width: float, datasets: int, seed: int) -> dict[str, Any]:
    """Return a planned number of items, and the mean width of the intervals of new samples."""
    from benchmarks.coverage.counting import default_intervals

    found = plan(CASES[case], measure=measure, width=width)
    shares = np.array(CASES[case])
    drawn = np.random.default_rng([seed, 99]).multinomial(found.items, shares.ravel(), size=datasets)
    matrices = drawn.reshape(-1, *shares.shape)
    rows = default_intervals([named(measure)], ManyItems(matrices), matrices)[0]
    seen = float(np.mean([x.high - x.low for x in rows]))
    return {"planned": found.items, "rare": found.rare, "seen": round(seen, 5)}


def power(case: str, measure: str, claim: str, size: float, datasets: int, seed: int) -> dict[str, Any]:
    """Return a planned number of items, and how often the test or the claim about a margin succeeds on new samples."""
    matrix, f, share = ConfusionMatrix(CASES[case]), named(measure), DISAGREEMENT.get(case, 0.1)
    found = plan(matrix, measure=measure, disagreement=share, **{claim: size})
    both = of_matrices({"A": matrix, "B": matrix}, None, share)
    population = with_difference(f, both, size if claim == "difference" else 0.0, RESOLVE)
    margin = size if claim == "margin" else None
    settings = ComparisonSettings((f,), seed=1234 + seed, replicates=REPLICATES, margin=margin)
    return {"planned": found.items, "seen": round(simulated_power(population, found.items, settings, datasets)[0], 4)}
