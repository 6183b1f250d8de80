"""Measures that are plain proportions, found from their definitions, and Wilson's interval for them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from goodmeasure.algebra.policy import NAN
from goodmeasure.catalogue import running, slopes
from goodmeasure.catalogue.measure import Measure
from goodmeasure.evaluation.units import Units

Array = np.ndarray[Any, Any]

_SMALL = 8  # classes: a proportion of more classes is one of the whole matrix
_KNOWN: dict[Any, Shares | None] = {}


@dataclass(frozen=True, eq=False)
class Shares:
    """Which cells a proportion counts (`hits`) and among which (`among`), and the ends of the measure's range."""

    hits: Array
    among: Array
    low: float
    high: float


def shares_of(measure: Measure, m: int) -> Shares | None:
    """The cells of a measure that is a proportion of items, stretched to its range; None for other measures.

    A definition is x/y with x among y exactly if its slopes take three values, which tell the cells of x and of the
    rest of y, and if x/y of those cells then is the measure on matrices that no accident could have made.
    """
    key = (measure, min(m, _SMALL + 1))
    if key not in _KNOWN:
        try:
            _KNOWN[key] = _probed(measure, min(m, _SMALL + 1))
        except (TypeError, ValueError, ArithmeticError):  # a function that cannot be traced is no plain proportion
            _KNOWN[key] = None
    found = _KNOWN[key]
    return found if found is None or m <= _SMALL else _enlarged(found, m)


def _probed(measure: Measure, m: int) -> Shares | None:
    if measure.range is None or measure.range[0] in (-math.inf, math.inf) or measure.range[1] == math.inf:
        return None
    low, high = map(float, measure.range)
    probes = np.random.default_rng(m).integers(1, 10_000, (m, m, 6)).astype(np.float64)
    values = (running.on_batch(measure.of, running.Prepared.laid_out(probes, whole=True), NAN) - low) / (high - low)
    slope = slopes.on_batch(measure.of, probes[:, :, :1], NAN, whole=True)[:, :, 0]
    still = np.abs(slope) * probes.sum(axis=(0, 1))[0] < 1e-9
    hits, among = (slope > 0) & ~still, ~still
    if not hits.any() or hits.all():
        return None
    ratio = probes[hits].sum(axis=0) / probes[among].sum(axis=0)
    return Shares(hits, among, low, high) if np.allclose(values, ratio, rtol=1e-12, atol=1e-12) else None


def _enlarged(shares: Shares, m: int) -> Shares | None:
    """With more classes: the diagonal, or the rest, among all cells; other cells have no name for any m."""
    on = np.eye(len(shares.hits), dtype=bool)
    if not shares.among.all() or not any(np.array_equal(shares.hits, x) for x in (on, ~on)):
        return None
    return Shares(shares.hits[:2, :2], shares.among[:2, :2], shares.low, shares.high)


def counted(shares: Shares, units: Units) -> tuple[Array, Array]:
    """Which listed cells of the units are hits, and which are among those counted."""
    if units.m > _SMALL:  # only hits on or off the diagonal are left
        off = (units.rows != units.cols).astype(np.int64)
        return shares.hits[0, off], shares.among[0, off]
    return shares.hits[units.rows, units.cols], shares.among[units.rows, units.cols]


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
    slope = (hits - share * among) / total
    variance = units.variance(slope)
    if 0 < share < 1 and variance > 0:
        return Proportion(share, share * (1 - share) / variance)
    return Proportion(share, 1 / (units.variance(among / total) + 1 / units.count()))


def wilson(p: Proportion, z: float) -> tuple[float, float]:
    """Wilson's interval for a proportion.

    >>> low, high = wilson(Proportion(0.9, 10), 1.959964)
    >>> round(low, 4), round(high, 4)
    (0.5958, 0.9821)
    """
    n, share = p.items, p.share
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return (0.0 if share == 0 else min(low, share)), (1.0 if share == 1 else max(high, share))
