"""Rankings of systems: ranks with ties, the probability of being best, and rank correlations."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from goodmeasure.typing import Array

_DECIMALS = 12  # values that differ only by rounding are equal


def places(values: Sequence[float], *, higher: bool = True) -> list[int | None]:
    """Return the rank of each value, 1 for the best; equal values share a rank, and an undefined one has none.

    >>> places([0.5, 0.9, 0.9, float("nan"), 0.1])
    [3, 1, 1, None, 4]
    """
    signed = oriented(values, higher)
    return [None if math.isnan(x) else 1 + int((signed > x).sum()) for x in signed.tolist()]


def mean_places(values: Sequence[float], *, higher: bool = True) -> Array:
    """Return the rank of each value, where equal values share the mean of their ranks.

    >>> mean_places([0.5, 0.9, 0.9, 0.1]).tolist()
    [3.0, 1.5, 1.5, 4.0]
    """
    signed = oriented(values, higher)
    found = np.array([1 + (signed > x).sum() + ((signed == x).sum() - 1) / 2 for x in signed])
    return np.where(np.isnan(signed), np.nan, found)


def oriented(values: object, higher: bool) -> Array:
    """Return the values, turned so that the highest is the best, and rounded so that rounding errors do not matter."""
    signed: Array = np.round(np.asarray(values, np.float64), _DECIMALS) * (1.0 if higher else -1.0)
    return signed


def best_shares(values: Array, *, higher: bool = True) -> Array:
    """Return how often each system is the best (systems, samples → systems); systems that tie share a sample.

    >>> best_shares(np.array([[1.0, 2.0, 3.0, 3.0], [1.0, 0.0, 1.0, 5.0]])).tolist()
    [0.625, 0.375]
    """
    signed = np.where(np.isnan(values), -np.inf, oriented(values, higher))
    top = signed.max(axis=0)
    best = (signed == top) & np.isfinite(top)
    number = best.sum(axis=0)
    known = number > 0
    if not known.any():
        return np.full(len(values), np.nan)
    shares: Array = (best[:, known] / number[known]).mean(axis=1)
    return shares


def place_intervals(values: Array, confidence: float, *, higher: bool = True) -> Array:
    """Return between which ranks (systems, 2) each system lies on the resamples (systems, samples).

    Systems with equal values may have any of their ranks: on a resample without an error of two systems, either could
    be the better one. So the lower end comes from the best and the upper end from the worst of the ranks they share.
    """
    signed = np.where(np.isnan(values), -np.inf, oriented(values, higher))
    order = np.argsort(-signed, axis=0, kind="stable")
    ordered = np.take_along_axis(signed, order, axis=0)
    tied = ordered[1:] == ordered[:-1]
    first = np.tile(np.arange(1, len(values) + 1)[:, None], signed.shape[1])
    last = first.copy()
    if tied.any():
        for k in range(1, len(values)):
            first[k] = np.where(tied[k - 1], first[k - 1], first[k])
            last[-1 - k] = np.where(tied[-k], last[-k], last[-1 - k])
    tail = (1 - confidence) / 2
    return np.stack([_quantiles(first, order, tail), _quantiles(last, order, 1 - tail)], axis=1)


def _quantiles(ordered: Array, order: Array, share: float) -> Array:
    """Return a quantile of the ranks of each system, which are given from the best system of a resample down.

    It is the smallest rank that at least this share of the resamples do not exceed. Ranks are so few that they are
    counted: to select among thousands of equal numbers is slow.
    """
    systems, samples = ordered.shape
    counts = np.bincount((order * systems + ordered - 1).ravel(), minlength=systems * systems)
    position = max(0, math.ceil(samples * share - 1))  # of the quantile, if the ranks of a system were sorted
    ends: Array = 1 + (counts.reshape(systems, systems).cumsum(axis=1) <= position).sum(axis=1)
    return ends


def kendall(x: Sequence[float], y: Sequence[float]) -> float:
    """Return Kendall's τ_b of two rankings: pairs in the same order minus pairs in opposite order, adjusted for ties.

    >>> kendall([1, 2, 3], [1, 3, 2])
    0.3333333333333333
    """
    # compared and not subtracted, as two infinite values have no difference
    signs = [((v[:, None] > v[None, :]) * 1.0 - (v[:, None] < v[None, :])).ravel() for v in _both(x, y)]
    return float(cosines(np.stack(signs))[0, 1])


def spearman(x: Sequence[float], y: Sequence[float]) -> float:
    """Return Spearman's ρ of two rankings: the correlation of their ranks, where equal values share a mean rank.

    >>> spearman([1, 2, 3], [1, 3, 2])
    0.5
    """
    ranks = np.stack([mean_places(v.tolist()) for v in _both(x, y)])
    return float(cosines(ranks - (ranks.shape[1] + 1) / 2)[0, 1])


def cosines(rows: Array) -> Array:
    """Return the cosine of the angle between each two rows; NaN for a row of zeros.

    Applied to the signs of all pairs it is Kendall's τ_b, applied to centred ranks Spearman's ρ.

    >>> cosines(np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 0.0]])).round(3).tolist()
    [[1.0, 1.0, 0.707], [1.0, 1.0, 0.707], [0.707, 0.707, 1.0]]
    """
    squares = (rows**2).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Array = np.clip(rows @ rows.T / np.sqrt(np.outer(squares, squares)), -1, 1)
    return found


def _both(x: Sequence[float], y: Sequence[float]) -> tuple[Array, Array]:
    """Return the values of the systems that have both."""
    first, second = oriented(x, True), oriented(y, True)
    known = ~(np.isnan(first) | np.isnan(second))
    return first[known], second[known]
