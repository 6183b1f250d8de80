"""p-values of McNemar's test, of the normal test and of random draws, and Holm's correction for many tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from goodmeasure.typing import Array

_NEGLIGIBLE = 1e-18
_AT_ONCE = 1 << 16
_SLACK = 1e-9  # relative: statistics that differ only by rounding are equal


def two_sided(z: float) -> float:
    """Return the probability that a standard normal variable is at least as far from 0 as z.

    >>> round(two_sided(1.959964), 6)
    0.05
    """
    return math.nan if math.isnan(z) else math.erfc(abs(z) / math.sqrt(2))


def mcnemar(first: int, second: int, *, mid: bool = False) -> float:
    """Return McNemar's two-sided p-value, where `first` and `second` items are right in one system only.

    Items that both systems get right, or both wrong, say nothing about the difference. If the systems are equally good,
    each of the others is the first system's with probability one half, so that `first` is binomial (McNemar 1947). With
    k the smaller of the two numbers, the exact p-value is 2 P(X ≤ k), at most 1. As X is discrete, the exact test
    rejects less often than its level says, in particular with few such items. The mid-p counts the observed outcome
    only half: 2 P(X < k) + P(X = k). Its error rate is 4 to 5% at the level of 5% from about ten such items on
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
    """Return the probability of at most k heads, with k below half, in this many tosses of a fair coin.

    Sums of exact integers serve up to 1,000 tosses. Beyond, the largest term comes from logarithms, and each further
    term is the one before times a ratio.
    """
    if total <= 1000:
        return float(sum(math.comb(total, i) for i in range(k + 1)) / 2**total)
    log = math.lgamma(total + 1) - math.lgamma(k + 1) - math.lgamma(total - k + 1) - total * math.log(2)
    added, term, i = 0.0, 1.0, k
    while i >= 0 and term > _NEGLIGIBLE:  # terms fall away from the middle
        below = np.arange(i, max(i - _AT_ONCE, -1), -1, dtype=np.float64)
        terms = term * np.concatenate([[1.0], np.cumprod(below / (total - below + 1))])
        added += float(terms[:-1].sum())
        term, i = float(terms[-1]), i - len(below)
    return min(1.0, added * math.exp(log))


def beyond_seen(drawn: Array, seen: Array | float, *, ties: float = 0.5) -> Array:
    """Return how many drawn statistics, along the last axis, exceed the observed one, where equal ones count half.

    Where few values are possible, as for accuracy, ties are frequent, and counting them in full would make the test
    conservative; counting half is what the mid-p does. For other measures there are hardly any ties. NaN counts as
    larger, and so does everything where no difference was observed. With ``ties=1``, equal ones count in full, which is
    conservative but keeps the level even far out in the tail.

    >>> float(beyond_seen(np.array([0.1, 0.2, 0.2, 0.5]), 0.2)), float(beyond_seen(np.array([0.0, 0.2]), 0.0))
    (2.0, 2.0)
    """
    seen = np.asarray(seen)
    larger = (drawn > seen * (1 + _SLACK)) | np.isnan(drawn) | (seen == 0)
    at_least = larger | (drawn >= seen * (1 - _SLACK))
    beyond: Array = (1 - ties) * larger.sum(axis=-1) + ties * at_least.sum(axis=-1)
    return beyond


def p_of_draws(beyond: float, drawn: int) -> float:
    """Return the p-value of a permutation test in which `beyond` of `drawn` statistics exceed the observed one.

    The observed sample is itself one of the equally likely arrangements, hence the 1 in numerator and denominator;
    without it, the p-value could be 0 and the test would reject too often (Phipson and Smyth 2010).
    """
    return float((1 + beyond) / (1 + drawn))


def holm(p: Sequence[float], of: int | None = None) -> list[float]:
    """Return p-values corrected for the number of tests by Holm's step-down method; NaN is no test and stays NaN.

    The smallest of k p-values is multiplied by k, the next by k − 1 and so on, and none may become smaller than the one
    before. The probability of any false rejection is then at most the level, whatever the dependence between the tests
    (Holm 1979). `of` is the number of all tests where only some of them were made: a p-value that is not known can only
    come before one that is, and then leaves it a smaller factor than here, so the result is an upper bound.

    >>> holm([0.01, 0.04, 0.03, 0.005])
    [0.03, 0.06, 0.06, 0.02]
    >>> holm([0.01, 0.5], of=6)
    [0.06, 1.0]
    """
    known = sorted((x, k) for k, x in enumerate(p) if not math.isnan(x))
    size = max(of or 0, len(known))
    corrected, highest = [math.nan] * len(p), 0.0
    for step, (x, k) in enumerate(known):
        highest = max(highest, min(1.0, x * (size - step)))
        corrected[k] = highest
    return corrected
