"""p-values: McNemar's test (exact, mid-p), the normal distribution, draws, Holm's correction for many tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from goodmeasure.typing import Array

_NEGLIGIBLE = 1e-18
_AT_ONCE = 1 << 16
_SLACK = 1e-9  # statistics that differ by rounding only are equal


def mcnemar(first: int, second: int, *, mid: bool = False) -> float:
    """The exact two-sided p-value of two systems, of which each alone is right on so many items.

    It is never too small, and with few such items often larger than need be. `mid` counts what was seen half: then a
    true difference of 0 is called real in 4 to 5 % of the cases at a level of 5 %, from about ten such items on
    (Fagerland, Lydersen and Laake 2013).

    >>> round(mcnemar(10, 2), 6), mcnemar(3, 3), mcnemar(0, 0)
    (0.038574, 1.0, 1.0)
    >>> round(mcnemar(10, 2, mid=True), 6)
    0.022461
    """
    fewer, total = min(first, second), first + second
    if total == 0 or (mid and first == second):
        return 1.0
    seen = _at_most(fewer, total)
    return min(1.0, 2 * seen) if not mid else min(1.0, seen + (_at_most(fewer - 1, total) if fewer else 0.0))


def _at_most(k: int, total: int) -> float:
    """The probability of at most k heads, fewer than half, when a fair coin falls so many times."""
    if total <= 1000:
        return float(sum(math.comb(total, i) for i in range(k + 1)) / 2**total)
    log = math.lgamma(total + 1) - math.lgamma(k + 1) - math.lgamma(total - k + 1) - total * math.log(2)
    added, term, i = 0.0, 1.0, k
    while i >= 0 and term > _NEGLIGIBLE:  # each term from the one before, away from the middle
        below = np.arange(i, max(i - _AT_ONCE, -1), -1, dtype=np.float64)
        terms = term * np.concatenate([[1.0], np.cumprod(below / (total - below + 1))])
        added += float(terms[:-1].sum())
        term, i = float(terms[-1]), i - len(below)
    return min(1.0, added * math.exp(log))


def two_sided(z: float) -> float:
    """How often a standard normal variable is as far from 0.

    >>> round(two_sided(1.959964), 6)
    0.05
    """
    return math.nan if math.isnan(z) else math.erfc(abs(z) / math.sqrt(2))


def beyond_seen(drawn: Array, seen: Array | float) -> Array:
    """How many drawn statistics, along the last axis, are larger than the one that was seen; an equal one counts half.

    Where few values are possible, as for accuracy, ties are frequent: counted whole, they make a test call too few
    differences real (McNemar's mid-p does the same). Elsewhere there are hardly any. NaN counts as larger, and so does
    everything where no difference was seen.

    >>> float(beyond_seen(np.array([0.1, 0.2, 0.2, 0.5]), 0.2)), float(beyond_seen(np.array([0.0, 0.2]), 0.0))
    (2.0, 2.0)
    """
    seen = np.asarray(seen)
    larger = (drawn > seen * (1 + _SLACK)) | np.isnan(drawn) | (seen == 0)
    at_least = larger | (drawn >= seen * (1 - _SLACK))
    beyond: Array = (larger.sum(axis=-1) + at_least.sum(axis=-1)) / 2
    return beyond


def p_of_draws(beyond: float, drawn: int) -> float:
    """The p-value where so many of the draws are beyond what was seen, which is counted among them."""
    return float((1 + beyond) / (1 + drawn))


def holm(p: Sequence[float]) -> list[float]:
    """p-values corrected for their number, step by step down (Holm); one that is NaN is no test, and stays so.

    >>> holm([0.01, 0.04, 0.03, 0.005])
    [0.03, 0.06, 0.06, 0.02]
    """
    known = sorted((x, k) for k, x in enumerate(p) if not math.isnan(x))
    corrected, highest = [math.nan] * len(p), 0.0
    for step, (x, k) in enumerate(known):
        highest = max(highest, min(1.0, x * (len(known) - step)))
        corrected[k] = highest
    return corrected
