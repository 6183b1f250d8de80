"""Several systems: intervals of the ensemble score and of ranks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.coverage.counting import Tally, values_of
from goodmeasure.catalogue.names import measure
from goodmeasure.comparison.compare import compare
from goodmeasure.comparison.ensemble import ensemble_of

MEASURES = ("mcc", "macro(f1)", "balanced_accuracy")


def ensemble(systems: int, items: int, best: float, worst: float, datasets: int, seed: int) -> dict[str, Any]:
    """Return the coverage of the intervals of the ensemble score and of the ranks, for systems that all differ."""
    rng = np.random.default_rng(seed)
    recalls, measures = np.linspace(best, worst, systems), [measure(x) for x in MEASURES]
    tally = Tally(["ensemble", *(f"rank by {x}" for x in MEASURES)], [math.nan] * (1 + len(MEASURES)))
    names = [f"S{k}" for k in range(systems)]
    together = ensemble_of(None, measures)
    assert together is not None
    scores = together.score(np.array([values_of(measures, np.array([[x, 1 - x], [1 - x, x]])) for x in recalls]))
    for k in range(datasets):
        true = rng.integers(0, 2, items)
        right = rng.random((systems, items)) < recalls[:, None]
        said = {name: np.where(x, true, 1 - true) for name, x in zip(names, right, strict=True)}
        found = compare(true, said, measures=measures, labels=[0, 1], replicates=500, seed=k, pairs="best")
        for row in found.ensemble:
            tally.add(0, row["low"], row["high"], float(scores[names.index(row["system"])]))
        for row in found.scores:
            place = 1 + MEASURES.index(row["measure"])
            tally.add(place, row["rank_low"], row["rank_high"], names.index(row["system"]) + 1)
    return tally.results()
