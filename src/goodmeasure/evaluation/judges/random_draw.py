"""Whether items with a human label differ from the others more than a random draw allows.

A judge can be corrected only if the items that humans labelled tell about those that they did not. What can be seen of
both is what the system predicted and what the judge said: how often each pair of the two occurs is compared between the
items with a human label and all items. The statistic is the difference of the shares, squared and divided by its
covariance under random drawing (for a simple random sample: Pearson's chi-squared test of homogeneity). Rare pairs are
counted together, so that the distribution of the statistic is known far out in its tail.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from goodmeasure.counts.judged import Judged
from goodmeasure.evaluation.intervals.distributions import beta_distribution
from goodmeasure.typing import Array

_LEAST_EXPECTED = 8.0  # human labels of a kind of item that is counted by itself
_MOST_KINDS = 20
_UNITS_OF_KIND = 5  # groups with human labels for each kind of item
_HEAVY = 2.0  # by how much fewer units there seem to be, since some have more effect than others


def drawn_at_random(systems: Sequence[Judged]) -> float:
    """Return the p-value of the test that human labels were drawn at random; of several systems, corrected for all."""
    return min(1.0, len(systems) * min(map(_p_of, systems)))


def _p_of(data: Judged) -> float:
    known, number = data.labelled, data.weight**2 / data.squares
    if known.all() or known.sum() < 2:
        return 1.0
    if data.group is not None or (data.stratum is None and (data.chance[known] != 1).any()):
        return _p_between_units(data, number)
    # Weights do not matter to who is drawn; in each stratum the draw is a simple one.
    statistic, freedom = 0.0, 0
    strata = np.zeros(len(known), np.int64) if data.stratum is None else data.stratum
    for stratum in np.unique(strata):
        where = strata == stratum
        found, more = _homogeneity(data.taken(where), number[where])
        statistic, freedom = statistic + found, freedom + more
    return _tail_of_chi_squared(statistic, freedom) if freedom else 1.0


def _homogeneity(data: Judged, number: Array) -> tuple[float, int]:
    """Return Pearson's statistic of the items with a human label against all, and its degrees of freedom."""
    known = data.labelled
    drawn, every = float(number[known].sum()), float(number.sum())
    if drawn == every or not drawn:
        return 0.0, 0
    kinds = _kinds(data, number, min(drawn, every - drawn), _MOST_KINDS)
    size = int(kinds.max()) + 1
    shares = np.bincount(kinds, number, size) / every
    apart = np.bincount(kinds[known], number[known], size) / drawn - shares
    return float((apart**2 / shares).sum() / (1 / drawn - 1 / every)), size - 1


def _p_between_units(data: Judged, number: Array) -> float:
    """Return the p-value where groups were drawn, or items with different probabilities: by Hotelling's statistic."""
    known = data.labelled
    drawn = np.where(known, number / data.chance, 0.0)
    unit = np.arange(len(known)) if data.group is None else np.unique(data.group, return_inverse=True)[1].reshape(-1)
    by_unit = np.bincount(unit, drawn)
    units = int(by_unit.sum() ** 2 / (by_unit**2).sum() / _HEAVY)
    kinds = _kinds(data, number, units, max(1, units // _UNITS_OF_KIND))
    size = int(kinds.max()) + 1
    if size < 2:
        return 1.0
    shares = np.bincount(kinds, number) / number.sum()
    each = drawn / drawn.sum() - number / number.sum()
    moved = np.stack([np.bincount(unit, each * ((kinds == k) - shares[k])) for k in range(size - 1)])
    apart = moved.sum(axis=1)
    statistic = float(apart @ np.linalg.pinv(moved @ moved.T, hermitian=True) @ apart)
    return _tail_of_hotelling(statistic, size - 1, units)


def _kinds(data: Judged, number: Array, size: float, most: int) -> Array:
    """Return the kind of each row, by what the system and the judge said; rare kinds are one kind, which is the last.

    A kind is rare where fewer than eight human labels of it are expected.
    """
    pairs = np.stack([data.pred, data.judge])
    _, codes = np.unique(pairs, axis=1, return_inverse=True)
    codes = codes.reshape(-1)
    expected = np.bincount(codes, number) / number.sum() * size
    order = np.argsort(-expected, kind="stable")
    kept = order[: max(0, most - 1)]
    kept = kept[expected[kept] >= _LEAST_EXPECTED]
    if len(kept) and 0 < expected.sum() - expected[kept].sum() < _LEAST_EXPECTED:
        kept = kept[:-1]
    place = np.full(len(expected), len(kept))
    place[kept] = np.arange(len(kept))
    found: Array = place[codes]
    return found


def _tail_of_chi_squared(x: float, freedom: int) -> float:
    """Return the probability that a variable with a chi-squared distribution exceeds x.

    >>> round(_tail_of_chi_squared(3.841459, 1), 6), round(_tail_of_chi_squared(5.991465, 2), 6)
    (0.05, 0.05)
    """
    half, even = max(0.0, x) / 2, freedom % 2 == 0
    found = 0.0 if even else math.erfc(math.sqrt(half))
    term, step = (math.exp(-half), 1.0) if even else (math.exp(-half) * math.sqrt(half) / math.gamma(1.5), 1.5)
    for _ in range(freedom // 2):
        found += term
        term, step = term * half / step, step + 1
    return min(1.0, found)


def _tail_of_hotelling(x: float, size: int, units: int) -> float:
    """Return the probability that Hotelling's statistic exceeds x, where the covariance comes from this many units."""
    left = units - size
    if left < 1:
        return 1.0
    ratio = x * left / (size * max(1, units - 1))
    return beta_distribution(left / (left + size * ratio), left / 2, size / 2)
