"""p-values of many tests at once, where the tests are correlated: as those of the measures of one comparison are.

Thirteen measures of the same predictions say nearly the same, so that correcting for thirteen independent tests gives
away most of what there is to find. Here, the statistics are normal variables with the correlations of the influences of
the items on them. A test is corrected by the probability that any statistic of its family is as extreme as it is, if
nothing differs (max-T: Westfall and Young 1993, algorithm 2.8, step-down). The probability of any false rejection is
then at most the level, whatever is true.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from goodmeasure.evaluation.p_values import holm
from goodmeasure.typing import Array

MOST_JOINT = 5_000  # tests: more are corrected by Holm's method
_NUMBERS_AT_ONCE = 4_000_000
_FEWEST_DRAWS, _MOST_DRAWS = 2_000, 20_000
_SMALLEST = 1e-300
_NORMAL = NormalDist()


def draws_for(tests: int) -> int:
    """Return how many draws of so many statistics are made."""
    return int(min(_MOST_DRAWS, max(_FEWEST_DRAWS, _NUMBERS_AT_ONCE // max(1, tests))))


def quantile_of(p: float) -> float:
    """Return how many standard errors from 0 a two-sided p-value is."""
    return -_NORMAL.inv_cdf(max(min(p, 1.0), _SMALLEST) / 2)


def normal_values(values: Array, covariance: Array, replicates: int, seed: int) -> Array:
    """Return normal variables (variables, replicates) with these means and covariances.

    The square root of the covariance matrix comes from its eigenvectors, since systems that say the same make it
    singular; negative eigenvalues are rounding errors.
    """
    levels, directions = np.linalg.eigh((covariance + covariance.T) / 2)
    spread = directions * np.sqrt(np.maximum(levels, 0.0))
    drawing = np.random.default_rng(np.random.SeedSequence([seed, 2]))
    drawn: Array = values[:, None] + spread @ drawing.standard_normal((len(values), replicates))
    return drawn


def step_down(p: Sequence[float], drawn: Array) -> list[float]:
    """Return p-values corrected jointly; `drawn` are the statistics (tests, draws) where nothing differs, as |z|.

    Each is also at most what Holm's method gives, which needs no draws and so has no smallest value. Tests without a
    p-value are of the family, too: they could have been made.

    >>> drawn = np.abs(np.random.default_rng(0).standard_normal(5000)) * np.ones((3, 1))
    >>> [round(x, 2) for x in step_down([0.04, 0.05, 0.3], drawn)]  # three names of one test
    [0.04, 0.05, 0.3]
    """
    known = np.array([2.0 if np.isnan(x) else x for x in p])
    order = np.argsort(known, kind="stable")
    largest, found = np.zeros(drawn.shape[1]), np.empty(len(p))
    for k in order[::-1]:
        largest = np.maximum(largest, drawn[k])
        found[k] = float((1 + np.count_nonzero(largest >= quantile_of(known[k]))) / (1 + len(largest)))
    found[order] = np.maximum.accumulate(found[order])
    bound = holm([float(min(x, 1.0)) for x in known])
    return [
        float("nan") if np.isnan(x) else max(x, min(a, b)) for x, a, b in zip(p, found.tolist(), bound, strict=True)
    ]
