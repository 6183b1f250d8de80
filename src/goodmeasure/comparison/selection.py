"""What the best of several systems is worth on new items.

The system with the best value has it partly by luck: of twenty systems that are alike, the best one looks 0.04 better
than it is with 200 items, and its own interval holds the true value in three quarters of data sets. So the values are
drawn towards their mean by as much as they differ by chance (empirical Bayes: Efron and Morris 1973). The end of the
interval on the side of luck is as many standard errors away as the largest of all errors is, with their covariances;
the other end is that of the system alone, since who is chosen is rarely underrated.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from goodmeasure.typing import Array

_NORMAL = NormalDist()


def worth_of_best(
    values: Array, varying: Array, best: int, ends: tuple[float, float], confidence: float, *, higher: bool
) -> tuple[float, float, float]:
    """Return the value to expect of the best system on new items, and the ends of its interval.

    `varying` says how the values vary (systems, replicates), and `ends` is the interval of the best one alone.
    """
    known = np.isfinite(values) & np.isfinite(varying).all(axis=1)
    value = float(values[best])
    if not known[best] or known.sum() < 2 or math.isnan(ends[0]):
        return value, *ends
    covariance = np.atleast_2d(np.cov(varying[known]))
    errors = np.sqrt(np.maximum(covariance.diagonal(), 1e-300))
    size = int(known.sum())
    noise = float((covariance.trace() - covariance.sum() / size) / (size - 1))  # of a value around the mean of all
    spread = float(values[known].var(ddof=1))
    kept = max(0.0, 1 - noise / spread) if spread > 0 else 0.0
    expected = float(values[known].mean()) + kept * (value - float(values[known].mean()))
    luck = (varying[known] - varying[known].mean(axis=1, keepdims=True)) / errors[:, None]
    tail = (1 - confidence) / 2
    reach = float(np.quantile((luck if higher else -luck).max(axis=0), 1 - tail))
    times = max(1.0, reach / -_NORMAL.inv_cdf(tail))
    low, high = ends
    low, high = (value - times * (value - low), high) if higher else (low, value + times * (high - value))
    return expected, low, high
