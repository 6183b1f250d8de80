"""An interval of the true gap between slices: the highest true value less the lowest.

The observed gap is too high on average, since chance pushes the highest value up and the lowest down. The two ends of
the interval follow from different arguments.

The upper end. The true gap is that of two certain slices, whichever they are. With a probability of 97.5%, the
difference of their observed values is at most z standard errors below it. So the largest of the upper ends of all pairs
of slices is too low in at most 2.5% of data sets, without any correction for the number of pairs.

The lower end. Every difference of two slices is a lower bound of the true gap, and the largest lower end of all pairs
is too high only if one of them is. Here the number of pairs counts, by the range of normal variables (Tukey 1953;
Kramer 1956 for slices of different sizes, which Hayter 1984 proved to be conservative).
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from goodmeasure.evaluation.intervals.distributions import students_quantile
from goodmeasure.typing import Array

_NORMAL = NormalDist()
_HALVINGS = 60


def gap_interval(values: Array, errors: Array, confidence: float, freedom: Array | None = None) -> tuple[float, float]:
    """Return the interval of the gap between slices, from their values and standard errors.

    `freedom` has the degrees of freedom of each standard error, where these are few. NaN where fewer than two slices
    have a standard error.

    >>> low, high = gap_interval(np.array([0.7, 0.8, 0.9]), np.array([0.03, 0.03, 0.03]), 0.95)
    >>> round(low, 3), round(high, 3)
    (0.09, 0.283)
    """
    known = np.isfinite(values) & np.isfinite(errors)
    if known.sum() < 2:
        return math.nan, math.nan
    value, variance = values[known], errors[known] ** 2
    apart, error = value[:, None] - value, np.sqrt(variance[:, None] + variance)
    share = 0.5 + confidence / 2
    plain = _NORMAL.inv_cdf(share)
    wider = np.ones_like(error)
    if freedom is not None:
        ratios = np.array([students_quantile(share, x) / plain if math.isfinite(x) else 1.0 for x in freedom[known]])
        wider = np.maximum(ratios[:, None], ratios)
    low = float((apart - quantile_of_range(share, len(value)) / math.sqrt(2) * wider * error).max())
    return max(0.0, low), float((apart + plain * wider * error).max())


@lru_cache(maxsize=256)
def quantile_of_range(share: float, number: int) -> float:
    """Return the quantile of the range (highest minus lowest) of independent standard normal variables.

    The range is at most q with the probability ∫ k φ(z) (Φ(z) − Φ(z − q))^(k − 1) dz, where z is the highest of k.

    >>> round(quantile_of_range(0.95, 3), 3), round(quantile_of_range(0.95, 10), 3)
    (3.314, 4.474)
    """
    highest = np.linspace(-8, 8, 1601)
    density = np.exp(-(highest**2) / 2) / math.sqrt(2 * math.pi) * (highest[1] - highest[0])
    below = _cumulated(highest)
    low, high = 0.0, 20.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        reached = number * (density * (below - _cumulated(highest - middle)) ** (number - 1)).sum()
        low, high = (middle, high) if reached < share else (low, middle)
    return (low + high) / 2


def _cumulated(x: Array) -> Array:
    return np.array([0.5 * math.erfc(-each / math.sqrt(2)) for each in x.tolist()])
