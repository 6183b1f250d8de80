"""p-values of the normal test and of random draws, and Holm's correction for many tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from goodmeasure.typing import Array

_SLACK = 1e-9  # relative: statistics that differ only by rounding are equal


def two_sided(z: float) -> float:
    """Return the probability that a standard normal variable is at least as far from 0 as z.

    >>> round(two_sided(1.959964), 6)
    0.05
    """
    return math.nan if math.isnan(z) else math.erfc(abs(z) / math.sqrt(2))


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
