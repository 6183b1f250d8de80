"""A sample with a few imagined items, half of them right and half wrong, and the standard error of values on it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.evaluation.intervals.resampling import MOST_DENSE, Samples
from goodmeasure.evaluation.intervals.sampling_units import Units
from goodmeasure.typing import Array

MOST_LEFT_OUT = 20_000_000  # up to this many numbers, every sample without one unit is written out
MATTERS = 0.5  # standard errors


class Smoothed:
    """The cells of some units with imagined items in them.

    As in Agresti and Coull's interval of a proportion, there are z² imagined items, so that classes with few items, and
    matrices without an error, do not look certain. Half of them lie on the diagonal, half off it, evenly; with many
    classes the wrong ones of a class all lie in one cell, which leaves every class size as it would be.
    """

    def __init__(self, units: Units, policy: Any, z: float) -> None:
        self.units, m = units, units.m
        if m <= MOST_DENSE:
            rows, cols = np.divmod(np.arange(m * m), m)
        else:
            classes = np.arange(m)
            keys = [units.rows * m + units.cols, classes * m + classes, classes * m + (classes + 1) % m]
            rows, cols = np.divmod(np.unique(np.concatenate(keys)), m)
        self._where = np.searchsorted(rows * m + cols, units.rows * m + units.cols)
        self.unit = units.worth()
        self.imagined = spread_of_imagined(rows, cols, m) * (z * z * self.unit)
        self.samples = Samples(m, rows, cols, policy, whole=False)
        self.weight = self.filled(units.weight[:, None])[:, 0]
        self._left_out: dict[Measure, Array] = {}

    def filled(self, block: Array) -> Array:
        """Samples (cells of the units, b) with the imagined items added."""
        filled = np.repeat(self.imagined[:, None], block.shape[1], axis=1)
        filled[self._where] += block
        return filled

    def left_out(self) -> Iterator[Array]:
        for block, _ in self.units.left_out():
            yield self.filled(block)

    def can_leave_out(self, measure: Measure) -> bool:
        """Whether the samples without one unit, as the measure reads them, are few enough to be written out."""
        most = MOST_LEFT_OUT // max(1, self.units.many_left_out())
        return len(self.weight) <= most and (self.units.m**2 <= most or not self.samples.needs_every_cell(measure))

    def values(self, measures: list[Measure]) -> tuple[Array, list[Array | None]]:
        """The values on the smoothed sample, and for each measure on those without one unit if these are few enough."""
        here = self.samples.values(measures, [self.weight[:, None]])[:, 0]
        without: list[Array | None] = [None] * len(measures)
        few = [k for k, f in enumerate(measures) if self.can_leave_out(f)]
        if few:
            found = self.samples.values([measures[k] for k in few], self.left_out())
            for k, values in zip(few, found, strict=True):
                without[k] = values
        return here, without

    def error(self, measure: Measure, value: float, left_out: Array | None) -> tuple[float, float]:
        """The standard error of a value on the smoothed sample, by leaving units out or from its slopes, and its bias.

        The bias says how far the value lies too high on so few items, where that matters beside the error; else it is
        0. With many cells of few items, measures of information have one; averages of rates hardly ever do.
        """
        slopes = self.samples.slopes(measure, self.weight)
        imagined = float((self.imagined * self.unit * slopes**2).sum())
        here = slopes[self._where]
        if left_out is None:
            return math.sqrt(imagined + self.units.variance(here)), 0.0
        moved = left_out - value
        spread = math.sqrt(imagined + self.units.variance_of(moved))
        # Leaving items out gives the imagined ones more weight too: what follows from the slopes is no bias.
        bias = self.units.bias_of(moved) + float((self.units.weight * here).sum())
        return spread, bias if abs(bias) > MATTERS * spread else 0.0


def spread_of_imagined(rows: Array, cols: Array, m: int) -> Array:
    """Shares that add up to 1: half on the diagonal, half in the cells off it that are for it."""
    hit = rows == cols
    if m == 1:
        return np.ones(1)
    wrong = ~hit if m <= MOST_DENSE else cols == (rows + 1) % m
    shares: Array = (hit / hit.sum() + wrong / wrong.sum()) / 2
    return shares
