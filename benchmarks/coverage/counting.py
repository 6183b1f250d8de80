"""Count on how many data sets an interval holds the true value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import measure
from goodmeasure.evaluation.intervals.interval import Interval
from goodmeasure.evaluation.intervals.many_at_once import ManyItems, many_intervals
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.language.policy import RESOLVE
from goodmeasure.typing import Array

CONFIDENCE = 0.95
SLACK = 1e-9

MULTICLASS = ("accuracy", "macro(f1)", "mcc", "kappa", "balanced_accuracy")
TWO_CLASSES = ("accuracy", "recall", "precision", "f1", "macro(f1)", "mcc", "kappa", "balanced_accuracy")
SLOWER = {2: ("accuracy", "recall", "f1", "macro(f1)", "mcc"), 3: ("accuracy", "macro(f1)", "mcc", "balanced_accuracy")}


def measures_of(m: int) -> list[Measure]:
    """Return the measures that are tried on m classes."""
    return [measure(x) for x in (TWO_CLASSES if m == 2 else MULTICLASS)]


def fewer_measures_of(m: int) -> list[Measure]:
    """Return the measures that are tried where data sets are measured one by one."""
    return [measure(x) for x in SLOWER[min(m, 3)]]


class Tally:
    """How many intervals hold the true value of each measure, how many there are, and how wide they are."""

    def __init__(self, names: Sequence[str], right: Sequence[float]) -> None:
        self.names, self.right = list(names), list(right)
        self.held, self.known, self.width = (dict.fromkeys(self.names, 0.0) for _ in range(3))
        self.datasets = dict.fromkeys(self.names, 0)

    def add(self, k: int, low: float, high: float, right: float | None = None) -> None:
        """Count one interval of the k-th measure; NaN says that there is none."""
        name, value = self.names[k], self.right[k] if right is None else right
        self.datasets[name] += 1
        if not math.isnan(low) and not math.isnan(value):
            self.known[name] += 1
            self.held[name] += low - SLACK <= value <= high + SLACK
            self.width[name] += high - low

    def add_all(self, k: int, found: Sequence[Interval]) -> None:
        """Count many intervals of the k-th measure."""
        for each in found:
            self.add(k, each.low, each.high)

    def results(self) -> dict[str, Any]:
        """Return coverage and mean width by measure, and the share of data sets on which there is no interval."""
        known = [x for x in self.names if self.known[x]]
        return {
            "datasets": max(self.datasets.values()),
            "coverage": {x: round(self.held[x] / self.known[x], 5) for x in known},
            "width": {x: round(self.width[x] / self.known[x], 5) for x in known if math.isfinite(self.width[x])},
            "none": {x: round(1 - self.known[x] / self.datasets[x], 4) for x in self.names if self.datasets[x]},
        }


def default_intervals(measures: list[Measure], units: ManyItems, matrices: Array) -> list[list[Interval]]:
    """Return the default intervals of many matrices at once: for each measure, a list over data sets."""
    m = matrices.shape[-1]
    rows, cols = np.divmod(np.arange(m * m), m)
    whole = matrices.dtype.kind in "iu"
    block = matrices.reshape(len(matrices), -1).T.astype(np.float64)
    values = Samples(m, rows, cols, RESOLVE, whole=whole).values(measures, [block])
    return many_intervals(units, measures, list(values), CONFIDENCE, RESOLVE)


def values_of(measures: Sequence[Measure], cells: Array) -> list[float]:
    """Return the true values of the measures in a population."""
    return [float(f(cells)) for f in measures]
