"""Smoothed intervals: the sample gets a few imagined items, half of them right, before its standard error is taken.

The argument. An interval "value ± z standard errors" fails where the standard error is estimated as 0 or too small: a
matrix without errors, or a class with three items. For a proportion, Agresti and Coull (1998) repair this by adding z²
imagined items, half of them hits: the interval is then centred where Wilson's is and covers well. Here the same is done
to the whole confusion matrix, so that it applies to every measure. The z² imagined items are spread evenly, half of
them over the diagonal and half over the other cells. Their number does not grow with the sample, so that they hardly
matter in large samples.

The standard error of the smoothed value has two parts. The real items contribute the jackknife variance (the values
with one unit left out) or, where units are too many, that of the delta method. The imagined items count as independent
items too: each adds the square of its effect. Without this second part a sample in which all items agree would still
look certain.

Where a measure makes a choice by which of two counts is larger, its value may jump, and no standard error describes it:
leaving out one item may cross the jump, or none does though many resamples would. Such a measure has the quantiles of
its values on resamples instead, which are drawn with imagined items that vary as real ones do.

The value on few items can be biased: with many cells of few items, measures of information come out too high. The
jackknife estimates this bias (Efron and Tibshirani 1993, chapter 10); where it exceeds half a standard error, the
interval is extended so that it also covers the corrected value. Bias is a sign of curvature, and where a measure is
near its greatest or least value, as an entropy of even classes, curvature is all that there is: the value is then a
constant less q·Z² with a normal Z, of which the mean is q and the variance 2q². So twice the squared bias is added to
the variance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.evaluation.intervals.resampling import MOST_DENSE, Samples
from goodmeasure.evaluation.intervals.sampling_units import Units
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

MOST_LEFT_OUT = 20_000_000  # numbers: up to this many, every sample without one unit is written out
MATTERS = 0.5  # standard errors: a smaller bias hardly affects the coverage
# Gamma variables of a small shape are often below 1e-100. As parts of a whole they are 0, but so far from 1 that the
# values would come from exact arithmetic, a thousand times as slowly.
LEAST_DRAWN = 1e-50


class Smoothing(NamedTuple):
    """How much a sample is smoothed: the weight of an imagined item, and z, whose square is the number of these."""

    unit: float
    z: float


class Smoothed:
    """The cells of some sampling units, with imagined items in them.

    With many classes the imagined errors of a class all lie in one cell, that of the next class: a full matrix would be
    too large, and every class keeps the margins that an even spread would give it.
    """

    def __init__(self, units: Units, policy: Policy, how: Smoothing) -> None:
        self.units, self.how, m = units, how, units.m
        if m <= MOST_DENSE:
            rows, cols = np.divmod(np.arange(m * m), m)
        else:
            classes = np.arange(m)
            keys = [units.rows * m + units.cols, classes * m + classes, classes * m + (classes + 1) % m]
            rows, cols = np.divmod(np.unique(np.concatenate(keys)), m)
        self._where = np.searchsorted(rows * m + cols, units.rows * m + units.cols)
        self.imagined = spread_of_imagined(rows, cols, m) * (how.z * how.z * how.unit)
        self.samples = Samples(m, rows, cols, policy, whole=False)
        self.weight = self.filled(units.weight[:, None])[:, 0]
        self._slopes: dict[Measure, Array] = {}

    def filled(self, block: Array) -> Array:
        """Return samples (cells of the units, b) with the imagined items added."""
        filled = np.repeat(self.imagined[:, None], block.shape[1], axis=1)
        filled[self._where] += block
        return filled

    def left_out(self) -> Iterator[Array]:
        """Yield the smoothed samples without one unit."""
        for block, _ in self.units.left_out():
            yield self.filled(block)

    def drawn(self, replicates: int, seed: int) -> Iterator[Array]:
        """Yield resamples of the units with imagined items, whose weight in a cell varies as that of drawn items does.

        It has the mean and the variance that the standard error of `error_of` gives it, as a gamma variable.
        """
        drawing = np.random.default_rng(np.random.SeedSequence([seed, 5]))
        shape = (self.imagined / self.how.unit)[:, None]
        for block in self.units.draws(replicates, seed):
            filled = np.maximum(
                drawing.standard_gamma(shape, (len(shape), block.shape[1])) * self.how.unit, LEAST_DRAWN
            )
            filled[self._where] += block
            yield filled

    def can_leave_out(self, measure: Measure) -> bool:
        """Return whether the samples without one unit are few enough to be written out."""
        most = MOST_LEFT_OUT // max(1, self.units.many_left_out())
        return len(self.weight) <= most and (self.units.m**2 <= most or not self.samples.needs_every_cell(measure))

    def values(self, measures: list[Measure]) -> tuple[Array, list[Array | None]]:
        """Return the values on the smoothed sample, and on those without one unit (None if these are too many)."""
        here = self.samples.values(measures, [self.weight[:, None]])[:, 0]
        without: list[Array | None] = [None] * len(measures)
        few = [k for k, f in enumerate(measures) if self.can_leave_out(f)]
        if few:
            found = self.samples.values([measures[k] for k in few], self.left_out())
            for k, values in zip(few, found, strict=True):
                without[k] = values
        return here, without

    def error(self, measure: Measure, value: float, left_out: Array | None) -> tuple[float, float]:
        """Return the standard error of a value on the smoothed sample, and its bias where that matters (otherwise 0).

        To first order, leaving out an item of weight w moves the value by −w·slope. Over all items of a sample these
        terms add up to 0, if the measure depends on shares only: then Σ cell·slope = 0 (Euler's theorem). On the
        smoothed sample the sum includes the imagined items, which are never left out, so the terms of the real items
        add up to something else. That is no bias, so it is taken off the sum that the jackknife reads as the bias.
        """
        return self.error_of(self.slopes(measure), value, left_out)

    def slopes(self, measure: Measure) -> Array:
        """Return the slopes of a measure on the smoothed sample."""
        if measure not in self._slopes:
            self._slopes[measure] = self.samples.slopes(measure, self.weight)
        return self._slopes[measure]

    def slopes_of_units(self, measure: Measure) -> Array:
        """Return these slopes in the cells of the sampling units."""
        found: Array = self.slopes(measure)[self._where]
        return found

    def error_of(self, slopes: Array, value: float, left_out: Array | None) -> tuple[float, float]:
        """Return what `error` does for a value with these slopes, such as a sum of measures."""
        imagined = float((self.imagined * self.how.unit * slopes**2).sum())
        here = slopes[self._where]
        if left_out is None:
            return math.sqrt(imagined + self.units.variance(here)), 0.0
        moved = left_out - value
        spread = math.sqrt(imagined + self.units.variance_of(moved))
        bias = self.units.bias_of(moved) + float((self.units.weight * here).sum())
        spread = math.sqrt(spread**2 + 2 * bias**2)
        return spread, bias if abs(bias) > MATTERS * spread else 0.0


def spread_of_imagined(rows: Array, cols: Array, m: int) -> Array:
    """Return the shares of the imagined items by cell: half on the diagonal, half on the cells for errors."""
    hit = rows == cols
    if m == 1:
        return np.ones(1)
    wrong = ~hit if m <= MOST_DENSE else cols == (rows + 1) % m
    shares: Array = (hit / hit.sum() + wrong / wrong.sum()) / 2
    return shares
