"""Two systems on the same items: intervals of differences, error rates of the tests, non-inferiority, and power."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.coverage.counting import CONFIDENCE, Tally, fewer_measures_of, values_of
from benchmarks.coverage.populations import joint_groups, joint_items, together, with_easy_items
from goodmeasure.catalogue.measure import Measure
from goodmeasure.comparison.inference import Inference
from goodmeasure.comparison.paired_labels import PairedLabels
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.typing import Array

LEVEL = 0.05
REPLICATES = 199  # (199 + 1) · 5% is whole, so that a permutation test can have exactly this size
BOTH = (0, 1)


def plain(classes: int, prevalence: float, items: int, pair: str, datasets: int, seed: int) -> dict[str, Any]:
    """Return what is found on items that are neither weighted nor grouped."""
    cells, rng = together(classes, prevalence, pair), np.random.default_rng(seed)
    return _tried(cells, fewer_measures_of(classes), (joint_items(rng, cells, items) for _ in range(datasets)))


def weighted(
    classes: int, prevalence: float, items: int, pair: str, weights: str, datasets: int, seed: int
) -> dict[str, Any]:
    """Return what is found on weighted items."""
    cells, rng = together(classes, prevalence, pair), np.random.default_rng(seed)
    return _tried(cells, fewer_measures_of(classes), (joint_items(rng, cells, items, weights) for _ in range(datasets)))


def grouped(
    classes: int, prevalence: float, groups: int, uneven: bool, pair: str, datasets: int, seed: int
) -> dict[str, Any]:
    """Return what is found on grouped items."""
    cells, rng = together(classes, prevalence, pair), np.random.default_rng(seed)
    sets = (joint_groups(rng, cells, groups, uneven) for _ in range(datasets))
    return _tried(with_easy_items(cells), fewer_measures_of(classes), sets)


def differences(cells: Array, measures: list[Measure]) -> list[float]:
    """Return the true differences of two systems, from the probabilities of patterns (true, A, B)."""
    first, second = values_of(measures, cells.sum(axis=2)), values_of(measures, cells.sum(axis=1))
    return [round(x - y, 12) for x, y in zip(first, second, strict=True)]


def _tried(cells: Array, measures: list[Measure], sets: Any) -> dict[str, Any]:
    """Return the coverage of the intervals, how often tests reject, and how often non-inferiority is claimed.

    With the true difference as margin, the claim that the worse system is worse by less than that is always false.
    """
    names, right = [f.name for f in measures], differences(cells, measures)
    tally = Tally(names, right)
    rejected, claimed = (dict.fromkeys(names, 0) for _ in range(2))
    places = list(range(len(measures)))
    for k, joint in enumerate(sets):
        work = Inference(
            PairedLabels(
                joint, ComparisonSettings(tuple(measures), confidence=CONFIDENCE, replicates=REPLICATES, seed=k)
            )
        )
        tests = work.tests({BOTH: places})
        for i, name in enumerate(names):
            p = tests[BOTH, i].p
            found = work.difference_interval(i, BOTH, p)
            tally.add(i, found.low, found.high)
            rejected[name] += p < LEVEL
            if abs(right[i]) > 1e-9:
                above, below = work.margin_tests(i, BOTH, abs(right[i]))
                claimed[name] += (below if right[i] > 0 else above) < LEVEL
    found = tally.results()
    sizes = tally.datasets
    return {
        **found,
        "difference": dict(zip(names, right, strict=True)),
        "rejected": {x: round(rejected[x] / sizes[x], 5) for x in names},
        "claimed": {x: round(claimed[x] / sizes[x], 5) for x, d in zip(names, right, strict=True) if abs(d) > 1e-9},
    }
