"""Measures that follow from one proportion of items, found from their definitions, and Wilson's interval for them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from goodmeasure.catalogue import derivative, running
from goodmeasure.catalogue.measure import Measure
from goodmeasure.evaluation.intervals.sampling_units import Units
from goodmeasure.language.policy import NAN, Policy
from goodmeasure.typing import Array

_SMALL = 8  # classes: a proportion of more classes is one of the whole matrix
_PROBES = 4


@dataclass(frozen=True, eq=False)
class Shares:
    """Which cells a proportion counts (`hits`) and among which (`among`).

    `ends` are the values of the measure at the shares 0 and 1, if it runs along a line between them; else None.
    """

    hits: Array
    among: Array
    ends: tuple[float, float] | None

    def cells(self, rows: Array, cols: Array, m: int) -> tuple[Array, Array]:
        """Which of these cells of m classes are hits, and which are among those counted."""
        if m > _SMALL:  # the diagonal, or the rest
            rows, cols = np.zeros_like(rows), (rows != cols).astype(np.int64)
        return self.hits[rows, cols], self.among[rows, cols]


_KNOWN: dict[tuple[Measure, int], Shares | None] = {}


def shares_of(measure: Measure, m: int) -> Shares | None:
    """The cells of a measure that rises with one proportion of items, such as recall or F1; None for other measures.

    A measure is a function of x/y, with x among y, exactly if its slopes are those of x/y but for one factor: so they
    take one value on x, one on the rest of y, whose ratio follows from x/y, and 0 elsewhere. This is asked of the
    definition on matrices that no accident could have made.
    """
    key = (measure, min(m, _SMALL + 1))
    if key not in _KNOWN:
        try:
            _KNOWN[key] = _probed(measure, key[1])
        except (TypeError, ValueError, ArithmeticError):  # a function that cannot be traced, or not of so many classes
            _KNOWN[key] = None
    found = _KNOWN[key]
    return found if found is None or m <= _SMALL or _is_of_all(found) else None


def _probed(measure: Measure, m: int) -> Shares | None:
    probes = np.random.default_rng(m).integers(1, 10_000, (m, m, _PROBES)).astype(np.float64)
    values = running.on_batch(measure.of, running.Prepared.laid_out(probes, whole=True), NAN)
    slope = derivative.on_batch(measure.of, probes, NAN, whole=True)
    still = np.abs(slope) * probes.sum(axis=(0, 1)) <= 1e-10 * np.abs(slope * probes).max(axis=(0, 1))
    hits, among = (slope[:, :, 0] > 0) & ~still[:, :, 0], ~still[:, :, 0]
    if not np.isfinite(slope).all() or not hits.any() or not (among & ~hits).any():
        return None
    total = probes[among].sum(axis=0)
    share = probes[hits].sum(axis=0) / total
    factor = slope[hits][0] * total / (1 - share)
    if not np.allclose(slope, factor * (hits[:, :, None] - share * among[:, :, None]) / total, rtol=1e-8, atol=0):
        return None
    steep = (values[1] - values[0]) / (share[1] - share[0])
    straight = np.allclose(values - values[0], steep * (share - share[0]), rtol=1e-10, atol=1e-12)
    low = float(round(values[0] - steep * share[0], 12)) + 0.0
    return Shares(hits, among, (low, float(round(low + steep, 12))) if straight else None)


def _is_of_all(shares: Shares) -> bool:
    """With many classes: the diagonal, or the rest, among all cells, along a line; others have no name for any m."""
    on = np.eye(len(shares.hits), dtype=bool)
    return shares.ends is not None and bool(shares.among.all()) and _alike(shares.hits, on, ~on)


def _alike(mask: Array, *others: Array) -> bool:
    return any(np.array_equal(mask, x) for x in others)


def counted(shares: Shares, units: Units) -> tuple[Array, Array]:
    """Which listed cells of the units are hits, and which are among those counted."""
    return shares.cells(units.rows, units.cols, units.m)


@dataclass(frozen=True)
class Proportion:
    """A share and the number of independent items that it is worth."""

    share: float
    items: float


def proportion(shares: Shares, units: Units) -> Proportion | None:
    """The proportion of a sample, given how many items are among those counted; None if there are none.

    Weighted or grouped items are worth fewer independent ones: as many as would vary as much, or, where all items
    agree, as many as the weights alone say.
    """
    hits, among = counted(shares, units)
    total = float(units.weight[among].sum())
    if total == 0:
        return None
    share = float(units.weight[hits].sum()) / total
    variance = units.variance((hits - share * among) / total)
    if 0 < share < 1 and variance > 0:
        return Proportion(share, share * (1 - share) / variance)
    return Proportion(share, 1 / (units.variance(among / total) + 1 / units.count()))


def wilson(p: Proportion, z: float) -> tuple[float, float]:
    """Wilson's interval for a proportion.

    >>> low, high = wilson(Proportion(0.9, 10), 1.959964)
    >>> round(low, 4), round(high, 4)
    (0.5958, 0.9821)
    """
    low, high = wilson_ends(np.array([p.share]), np.array([p.items]), z)
    return float(low[0]), float(high[0])


def wilson_ends(share: Array, n: Array, z: float) -> tuple[Array, Array]:
    """The ends of Wilson's intervals for shares of so many items each."""
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = np.maximum(0.0, middle - half), np.minimum(1.0, middle + half)
    low = np.where(share == 0, 0.0, np.minimum(low, share))
    return low, np.where(share == 1, 1.0, np.maximum(high, share))


def value_at(measure: Measure, shares: Shares, share: float, policy: Policy) -> float:
    """The value of the measure where its proportion is `share`."""
    return float(values_at(measure, shares, np.array([share]), policy)[0])


def values_at(measure: Measure, shares: Shares, share: Array, policy: Policy) -> Array:
    """The values of the measure where its proportion is each of these shares."""
    if shares.ends is not None:
        low, high = shares.ends
        return low + (high - low) * share
    misses = shares.among & ~shares.hits
    cells = np.ones((len(share), *shares.hits.shape))
    cells[:, shares.hits] = (share / shares.hits.sum())[:, None]
    cells[:, misses] = ((1 - share) / misses.sum())[:, None]
    values: Array = measure(np.where(np.isnan(cells), 1.0, cells), undefined=policy)
    return values
