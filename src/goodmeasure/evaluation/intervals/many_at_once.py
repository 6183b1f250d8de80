"""Intervals of many small matrices of the same classes at once, as slices need them.

The formulas are those of `interval.py`, with one sample in each column of an array; a test compares the two.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.evaluation.intervals.interval import NO_DERIVATIVE, UNDEFINED, Interval, no_interval
from goodmeasure.evaluation.intervals.proportions import Shares, shares_of, values_at, wilson_ends
from goodmeasure.evaluation.intervals.ratios import are_infinite, is_ratio
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.evaluation.intervals.smoothing import MATTERS, spread_of_imagined
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

_NUMBERS_AT_ONCE = 1 << 20


class ManyItems:
    """Samples of items: cells (m², samples) with their weight, number of items and sum of squared weights.

    This is `SingleItems` with one sample in each column. Empty cells are listed too, and contribute nothing.
    """

    def __init__(self, weight: Array, items: Array | None = None, squares: Array | None = None) -> None:
        """Take matrices of shape (samples, m, m); `items` and `squares` go with weights, which may not be whole."""
        self.m, self.samples = weight.shape[-1], len(weight)
        self.weight = _listed(weight)
        self.items = self.weight if items is None else _listed(items)
        self.squares = self.weight if squares is None else _listed(squares)
        self.number = self.items.sum(axis=0)
        held = np.where(self.items > 0, self.items, 1.0)
        self.mean = self.weight / held
        spread = self.squares / held - self.mean**2
        self.spread = np.where(spread > 1e-12 * self.mean**2, spread, 0.0)

    def variance(self, slopes: Array) -> Array:
        """Return the sampling variance (samples) of values with these slopes (cells, samples)."""
        squared = (self.squares * slopes**2).sum(axis=0)
        found: Array = np.maximum(0.0, squared - (self.weight * slopes).sum(axis=0) ** 2 / self.number)
        return found


def _listed(matrices: Array) -> Array:
    return np.ascontiguousarray(matrices.reshape(len(matrices), -1).T.astype(np.float64))


def many_intervals(
    units: ManyItems, measures: Sequence[Measure], values: Sequence[Array], confidence: float, policy: Policy
) -> list[list[Interval]]:
    """Return the intervals that `intervals` finds by method "auto": for each measure, a list over samples.

    `values` are the values of the measures on the samples, NaN where undefined.
    """
    found = many_ends(units, measures, values, confidence, policy)
    return [_intervals_of(x, ends) for x, ends in zip(values, found, strict=True)]


class Ends(NamedTuple):
    """The lower and upper ends of intervals, NaN where there is none, and which of them are Wilson's; over samples."""

    low: Array
    high: Array
    is_wilson: Array


def many_ends(
    units: ManyItems, measures: Sequence[Measure], values: Sequence[Array], confidence: float, policy: Policy
) -> list[Ends]:
    """Return the ends of the intervals of `many_intervals`, for each measure."""
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    ends = [_wilson(f, units, z, policy) for f in measures]
    open_ = [
        k for k, (low, high) in enumerate(ends)
        if is_ratio(measures[k], units.m) or np.isnan(low + high)[~np.isnan(values[k])].any()
    ]  # fmt: skip
    smoothed = _Smoothed(units, policy, z).ends([measures[k] for k in open_]) if open_ else []
    around = dict(zip(open_, smoothed, strict=True))
    found = [_ends_of(f, values[k], ends[k], around.get(k, ends[k])) for k, f in enumerate(measures)]
    return [
        _of_ratios(f, units, values[k], x) if is_ratio(f, units.m) else x
        for k, (f, x) in enumerate(zip(measures, found, strict=True))
    ]


def _of_ratios(f: Measure, units: ManyItems, values: Array, ends: Ends) -> Ends:
    """Return the ends of a ratio, of which those of infinite ratios say what it is at least."""
    known = ~np.isnan(values)
    endless = ~known & are_infinite(f, units.weight.reshape(units.m, units.m, -1))
    low = np.where(known | endless, ends.low, np.nan)
    return Ends(low, np.where(endless, np.inf, np.where(known, ends.high, np.nan)), ends.is_wilson)


def _ends_of(f: Measure, values: Array, wilson: tuple[Array, Array], smoothed: tuple[Array, Array]) -> Ends:
    """Return Wilson's interval where there is one, and the smoothed interval otherwise; both include the value."""
    least, most = f.range or (-math.inf, math.inf)
    is_wilson = ~np.isnan(wilson[0] + wilson[1])
    low = np.where(is_wilson, wilson[0], np.maximum(smoothed[0], least))
    high = np.where(is_wilson, wilson[1], np.minimum(smoothed[1], most))
    return Ends(np.fmin(low, values), np.fmax(high, values), is_wilson)


def _intervals_of(values: Array, ends: Ends) -> list[Interval]:
    found = []
    for value, low, high, by_wilson in zip(values.tolist(), *(x.tolist() for x in ends), strict=True):
        if math.isnan(value) and high != math.inf:
            found.append(no_interval(UNDEFINED))
        elif math.isnan(low) or math.isnan(high):
            found.append(no_interval(NO_DERIVATIVE))
        else:
            found.append(Interval(low, high, "wilson" if by_wilson else "smoothed", math.nan))
    return found


def _wilson(f: Measure, units: ManyItems, z: float, policy: Policy) -> tuple[Array, Array]:
    """Return the ends of Wilson's intervals; NaN where no proportion gives the measure, or no item is counted."""
    shares = shares_of(f, units.m)
    if shares is None:
        none = np.full(units.samples, np.nan)
        return none, none
    with np.errstate(all="ignore"):
        share, items = _proportions(shares, units)
        low, high = (values_at(f, shares, end, policy) for end in wilson_ends(share, items, z))
    known = ~np.isnan(share)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def _proportions(shares: Shares, units: ManyItems) -> tuple[Array, Array]:
    """Return the shares and their effective sample sizes, as `proportion` does for one sample."""
    m = units.m
    rows, cols = np.divmod(np.arange(m * m), m)
    hits, among = (x.astype(float)[:, None] for x in shares.cells(rows, cols, m))
    total = (units.weight * among).sum(axis=0)
    share = (units.weight * hits).sum(axis=0) / total
    variance = units.variance((hits - share * among) / total)
    most = total**2 / (units.squares * among).sum(axis=0)
    seen = np.where((share > 0) & (share < 1) & (variance > 0), share * (1 - share) / variance, most)
    return share, np.minimum(seen, most)


class _Smoothed:
    """Samples with z² imagined items each, as in `Smoothed`, and the standard errors of values on them."""

    def __init__(self, units: ManyItems, policy: Policy, z: float) -> None:
        self.units, self.z = units, z
        rows, cols = np.divmod(np.arange(units.m**2), units.m)
        self.unit = units.squares.sum(axis=0) / units.weight.sum(axis=0)
        self.imagined = spread_of_imagined(rows, cols, units.m)[:, None] * (z * z * self.unit)
        self.samples = Samples(units.m, rows, cols, policy, whole=False)
        self.weight = self.imagined + units.weight
        self.cell, self.sample = np.nonzero(units.items > 0)

    def ends(self, measures: Sequence[Measure]) -> list[tuple[Array, Array]]:
        """Return the ends of the interval of each measure, before they are limited to its range."""
        here = self.samples.values(measures, [self.weight])
        without = self.samples.values(measures, self._left_out())
        return [self._around(f, x, y) for f, x, y in zip(measures, here, without, strict=True)]

    def _left_out(self) -> Iterator[Array]:
        """Yield the samples without one item, for each cell that holds items."""
        units, step = self.units, max(1, _NUMBERS_AT_ONCE // self.units.m**2)
        for start in range(0, len(self.cell), step):
            at = self.cell[start : start + step], self.sample[start : start + step]
            left = np.where(units.items[at] <= 1, 0.0, np.maximum(units.weight[at] - units.mean[at], 0.0))
            block = self.weight[:, at[1]]
            block[at[0], np.arange(len(left))] = self.imagined[at] + left
            yield block

    def _around(self, f: Measure, values: Array, left_out: Array) -> tuple[Array, Array]:
        """Return the ends of the smoothed interval: z standard errors around the value, with and without its bias."""
        units, at = self.units, (self.cell, self.sample)
        slopes = self.samples.slopes_of(f, self.weight)
        assert slopes is not None  # only measures of the catalogue with few classes come here
        logarithm = is_ratio(f, units.m)
        if logarithm:
            slopes, values, left_out = slopes / values, np.log(values), np.log(left_out)
        moved = left_out - values[self.sample]
        items, mean = units.items[at], units.mean[at]
        times = items * (1 + np.divide(units.spread[at], mean**2, out=np.zeros(len(mean)), where=mean > 0))
        with np.errstate(all="ignore"):
            biased = self._added(items * moved)
            varied = np.maximum(0.0, self._added(times * moved**2) - biased**2 / units.number)
            spread = np.sqrt((self.imagined * self.unit * slopes**2).sum(axis=0) + varied)
            bias = biased + (units.weight * slopes).sum(axis=0)
            spread = np.sqrt(spread**2 + 2 * bias**2)
            bias = np.where(np.abs(bias) > MATTERS * spread, bias, 0.0)
            reach = np.where(np.isfinite(spread), self.z * spread, np.nan)
            low, high = np.minimum(values, values - bias) - reach, np.maximum(values, values - bias) + reach
            if not logarithm:
                return low, high
            observed = np.log(self.samples.values([f], [units.weight])[0])
            return np.exp(np.fmin(low, observed - reach)), np.exp(np.fmax(high, observed + reach))

    def _added(self, each: Array) -> Array:
        """Return the sum over the cells of each sample."""
        return np.bincount(self.sample, each, minlength=self.units.samples)
