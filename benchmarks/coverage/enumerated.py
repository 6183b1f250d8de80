"""Coverage without simulation: the probabilities of all outcomes are added up."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from goodmeasure.comparison.difference_intervals import in_agreement, score, tango
from goodmeasure.evaluation.intervals.interval import Interval
from goodmeasure.evaluation.intervals.proportions import Proportion, clopper_pearson, wilson_ends
from goodmeasure.evaluation.p_values import mcnemar, two_sided
from goodmeasure.typing import Array

Z = 1.959963984540054
LEVEL = 0.05
RARE = 1e-10  # outcomes that are less probable are left out
SHARES = (0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999)


def binomial(n: int, share: float) -> Array:
    """Return the probabilities of 0, 1, …, n hits."""
    if share in (0.0, 1.0):
        return (np.arange(n + 1) == n * share).astype(float)
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    hits = np.arange(n + 1)
    found: Array = np.exp(logs[n] - logs - logs[::-1] + hits * math.log(share) + (n - hits) * math.log1p(-share))
    return found


def wilson(n: int) -> tuple[Array, Array]:
    """Return the ends of Wilson's interval for 0, 1, …, n hits."""
    return wilson_ends(np.arange(n + 1) / n, np.full(n + 1, float(n)), Z)


@lru_cache(maxsize=4096)
def exact(n: int) -> tuple[Array, Array]:
    """Return the ends of the interval of Clopper and Pearson for 0, 1, …, n hits."""
    ends = [clopper_pearson(Proportion(k / n, n), 0.95) for k in range(n + 1)]
    return np.array([x for x, _ in ends]), np.array([x for _, x in ends])


def smoothed(n: int) -> tuple[Array, Array]:
    """Return the ends of the smoothed interval of accuracy, which is that of Agresti and Coull, and holds the value."""
    hits = np.arange(n + 1)
    middle = (hits + Z * Z / 2) / (n + Z * Z)
    reach = Z * np.sqrt(middle * (1 - middle) / (n + Z * Z))
    return np.minimum(np.maximum(middle - reach, 0), hits / n), np.maximum(np.minimum(middle + reach, 1), hits / n)


METHODS: dict[str, Callable[[int], tuple[Array, Array]]] = {"wilson": wilson, "exact": exact, "smoothed": smoothed}


def covered(ends: Callable[[int], tuple[Array, Array]], n: int, share: float) -> float:
    """Return the probability that the interval of a share of n items holds it."""
    low, high = ends(n)
    return float(binomial(n, share)[(low - 1e-12 <= share) & (share <= high + 1e-12)].sum())


def proportion(items: int) -> dict[str, Any]:
    """Return the coverage of accuracy for n items: at some values, and the lowest and the mean over 0.5 to 0.9995."""
    results: dict[str, Any] = {}
    along = np.arange(0.5, 1, 0.0005)
    for name, ends in METHODS.items():
        every = [covered(ends, items, float(x)) for x in along]
        lowest = int(np.argmin(every))
        results[name] = {
            "at": {str(x): round(covered(ends, items, x), 5) for x in SHARES},
            "lowest": round(every[lowest], 5),
            "lowest_at": round(float(along[lowest]), 4),
            "mean": round(float(np.mean(every)), 5),
        }
    return results


def recall(items: int, prevalence: float, share: float) -> dict[str, Any]:
    """Return the coverage of recall, whose number of items is random too; data sets without any have no interval."""
    sizes = binomial(items, prevalence)
    some = [k for k in range(1, items + 1) if sizes[k] > RARE]
    total = float(sizes[some].sum())
    return {
        name: round(sum(float(sizes[k]) * covered(ends, k, share) for k in some) / total, 5)
        for name, ends in METHODS.items()
    }


@lru_cache(maxsize=1 << 17)
def difference_ends(first: int, second: int, items: int) -> tuple[float, float]:
    """Return the interval of the difference of two accuracies, in agreement with McNemar's mid-p test."""
    found = Interval(*tango(first, second, items, Z), "tango", 0.0)
    found = in_agreement(found, (first - second) / items, mcnemar(first, second, mid=True), 0.05)
    return found.low, found.high


def difference(items: int, first: float, second: float) -> dict[str, Any]:
    """Return the coverage of the difference of two accuracies, and how often the test rejects.

    `first` and `second` are the shares of items that only the first, or only the second, system gets right. "wald" is
    the textbook interval, the difference ± z standard errors.
    """
    true, held, wald, rejected = first - second, 0.0, 0.0, 0.0
    ones = binomial(items, first)
    for i in np.flatnonzero(ones > RARE).tolist():
        twos = binomial(items - i, second / (1 - first)) * ones[i]
        for j in np.flatnonzero(twos > RARE).tolist():
            low, high = difference_ends(i, j, items)
            held += twos[j] * (low - 1e-12 <= true <= high + 1e-12)
            here = (i - j) / items
            reach = Z * math.sqrt(max(0.0, ((i + j) / items - here**2) / items))
            wald += twos[j] * (abs(true - here) <= reach + 1e-12)
            rejected += twos[j] * (mcnemar(i, j, mid=True) < 0.05)
    return {"tango": round(held, 5), "wald": round(wald, 5), "rejected": round(rejected, 5)}


@lru_cache(maxsize=1 << 17)
def margin_claims(first: int, second: int, items: int, margin: float) -> tuple[float, float]:
    """Return the p-values of the claims that the difference of two accuracies is above −margin, and below it."""
    above, below = score(first, second, items, -margin), -score(first, second, items, margin)
    return _upper(above), _upper(below)


def _upper(z: float) -> float:
    return two_sided(z) / 2 if z > 0 else 1 - two_sided(z) / 2


def margin(items: int, margin: float, disagreement: float) -> dict[str, Any]:
    """Return how often non-inferiority and equivalence of accuracy are claimed at the 5% level.

    "wrong" is where the first system is worse by exactly the margin, so that both claims are false, and "right" where
    both systems are equally good. `disagreement` is the share of items that only one of them gets right.
    """
    return {
        name: [round(x, 5) for x in _claimed(items, margin, (disagreement - gap) / 2, (disagreement + gap) / 2)]
        for name, gap in (("wrong", margin), ("right", 0.0))
    }


def _claimed(items: int, margin: float, first: float, second: float) -> tuple[float, float]:
    noninferior = equivalent = 0.0
    ones = binomial(items, first)
    for i in np.flatnonzero(ones > RARE).tolist():
        twos = binomial(items - i, second / (1 - first)) * ones[i]
        for j in np.flatnonzero(twos > RARE).tolist():
            above, below = margin_claims(i, j, items, margin)
            noninferior += twos[j] * (above < LEVEL)
            equivalent += twos[j] * (max(above, below) < LEVEL)
    return float(noninferior), float(equivalent)
