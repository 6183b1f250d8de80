"""The power that the tests of `compare` will have with n items."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from goodmeasure.comparison.inference import Inference
from goodmeasure.comparison.mcnemar import Hits
from goodmeasure.comparison.paired_labels import PairedLabels
from goodmeasure.comparison.planning.assumptions import Population
from goodmeasure.comparison.settings import ComparisonSettings, is_higher
from goodmeasure.typing import Array

_NORMAL = NormalDist()
_MOST_DECIDING = 4000  # items that only one system gets right: with more, the normal approximation is as good
_TAIL = 8.5  # standard deviations, beyond which nothing counts


def mcnemar_power(first: float, second: float, items: int, level: float, *, mid: bool = True) -> float:
    """Return the power of McNemar's test, where only the first, or only the second, system is right with these shares.

    The number of such items is binomial, and given it the number of the first system's is binomial too. Both are added
    up over all outcomes, or with very many items taken as normal (Connor 1987).

    >>> round(mcnemar_power(0.15, 0.05, 200, 0.05), 3)
    0.903
    """
    differ = first + second
    if differ == 0:
        return 0.0
    if items * differ > _MOST_DECIDING:
        z = _NORMAL.inv_cdf(1 - level / 2)
        spread = math.sqrt(max(differ - (first - second) ** 2, 1e-300))
        return _NORMAL.cdf((abs(first - second) * math.sqrt(items) - z * math.sqrt(differ)) / spread)
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, items + 1)))])
    middle, reach = items * differ, _TAIL * math.sqrt(items * differ * (1 - differ)) + 2
    found = 0.0
    for deciding in range(max(0, int(middle - reach)), min(items, math.ceil(middle + reach)) + 1):
        fewest = _rejected(_binomial(logs, deciding, 0.5), level, mid)
        if fewest:
            given = _binomial(logs, deciding, first / differ)
            chance = float(given[:fewest].sum() + given[deciding - fewest + 1 :].sum())
            found += float(_binomial(logs, items, differ, deciding)[0]) * chance
    return min(1.0, found)


def _rejected(fair: Array, level: float, mid: bool) -> int:
    """Return how many of the outcomes k = 0, 1, … McNemar's test rejects, where k counts the rarer kind of items."""
    below = np.cumsum(fair[: len(fair) // 2])  # k below half: an even split is never rejected
    p = 2 * below - fair[: len(below)] if mid else 2 * below
    return int(np.count_nonzero(p < level))


def _binomial(logs: Array, number: int, share: float, at: int | None = None) -> Array:
    """Return the probabilities of 0, 1, …, `number` hits, or of one number of hits."""
    hits = np.arange(number + 1) if at is None else np.array([at])
    if share in (0.0, 1.0):
        certain: Array = (hits == number * share).astype(np.float64)
        return certain
    choose = logs[number] - logs[hits] - logs[number - hits]
    found: Array = np.exp(choose + hits * math.log(share) + (number - hits) * math.log1p(-share))
    return found


def deciding_shares(population: Population, hit: Hits) -> tuple[float, float]:
    """Return the shares of items that only the first, and only the second, system gets right."""
    one, two = (hit.right(population.true, x) & hit.counted(population.true) for x in population.pred)
    return float(population.shares[one & ~two].sum()), float(population.shares[two & ~one].sum())


def simulated_power(
    population: Population, items: int, settings: ComparisonSettings, samples: int, *, equivalence: bool = False
) -> tuple[float, str]:
    """Return the share of random samples on which the test of `compare` shows what is planned, and its name.

    With a margin, that is non-inferiority of the first system, or `equivalence` of both.
    """
    level, rejected, method = 1 - settings.confidence, 0, "equivalence" if equivalence else "non-inferiority"
    for number in population.drawn(items, samples, settings.seed):
        found = Inference(PairedLabels(population.joint(number), settings))
        if settings.margin is None:
            p, method = found.tests({(0, 1): [0]})[(0, 1), 0]
        else:
            above, below = found.margin_tests(0, (0, 1), settings.margin)
            p = max(above, below) if equivalence else above if is_higher(settings.measures[0]) else below
        rejected += p < level
    return rejected / samples, method
