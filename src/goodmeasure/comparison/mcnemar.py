"""McNemar's test (exact, mid-p), and which measures it decides about."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.evaluation.intervals.proportions import shares_of
from goodmeasure.typing import Array

_NEGLIGIBLE = 1e-18
_AT_ONCE = 1 << 16


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


@dataclass(frozen=True, eq=False)
class Hits:
    """The items that a proportion is taken over, chosen by true class, and which of them count as hits.

    With many classes, where `hits` is None, these are the right ones among all items, or the wrong ones.
    """

    hits: Array | None
    among: Array | None
    wrong: bool = False

    def right(self, true: Array, pred: Array) -> Array:
        """Return which items are hits."""
        if self.hits is None:
            found: Array = (pred == true) != self.wrong
            return found
        looked_up: Array = self.hits[true, pred]
        return looked_up

    def counted(self, true: Array) -> Array:
        """Return which items are counted at all."""
        found: Array = np.ones(len(true), bool) if self.among is None else self.among[true]
        return found


def hits_of(f: Measure, m: int) -> Hits | None:
    """Return which items a measure counts as hits, if McNemar's test decides about it; otherwise None.

    That is so where the measure is the share of hits among items chosen by their true class alone, as accuracy is, or
    recall and specificity of two classes: then both systems are measured on the same items. Precision is not: its
    denominator depends on the predictions.
    """
    shares = shares_of(f, m)
    if shares is None or not shares.by_true_class:
        return None
    if len(shares.hits) != m:
        return Hits(None, None, wrong=not shares.hits[0, 0])
    return Hits(shares.hits, np.asarray(shares.among.any(axis=1)))
