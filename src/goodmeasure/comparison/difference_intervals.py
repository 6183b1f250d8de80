"""Intervals of the difference of two systems that agree with the test of the difference.

Two things go wrong with the usual intervals. Where systems hardly disagree, resampled differences hardly vary, and the
interval is far too short. And an interval and a test that come from different approximations can contradict each other.

Accuracy, recall and the like are shares of right answers among the same items. Their difference has the score interval
of Tango (1998): it holds the differences that a score test does not reject, and covers well for few items and few
disagreements. All other measures have the smoothed interval, whose centre and standard error come from matrices with a
few imagined items (see `influence.py`).

`in_agreement` then settles whether 0 belongs to the interval: the test decides. The set of all differences that are not
rejected stays a confidence set if one of them, 0, is judged by another valid test. McNemar's mid-p test never rejects 0
where Tango's interval holds it, so that only the other direction occurs there.
"""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist

from goodmeasure.evaluation.intervals.interval import Interval

TANGO, SMOOTHED = "tango", "smoothed"
IMAGINED = 0.6  # × z² imagined items, 2.3 at 95%: docs/comparison.md has the coverage
_HALVINGS = 80


def with_imagined(here: float, error: float, items: float, confidence: float, squared: float) -> tuple[float, float]:
    """Return a difference of means and its standard error if a few imagined items are added.

    Half of them differ: they move the difference by a square of `squared`, each way equally often (Agresti and Min).
    """
    imagined = IMAGINED * NormalDist().inv_cdf(0.5 + confidence / 2) ** 2
    kept = items / (items + imagined)
    spread = (error * kept) ** 2 + imagined / 2 * squared / (items + imagined) ** 2
    return here * kept, math.sqrt(spread)


def tango(first: int, second: int, items: int, z: float) -> tuple[float, float]:
    """Return Tango's score interval of the difference of two shares of right answers among the same items.

    `first` and `second` are the numbers of items that only the first, or only the second, system gets right.

    >>> low, high = tango(4, 0, 20, 1.959964)
    >>> round(low, 4), round(high, 4)
    (0.0066, 0.416)
    """
    here = (first - second) / items
    return _end(first, second, items, -1.0, here, z), _end(first, second, items, 1.0, here, z)


def _end(first: int, second: int, items: int, edge: float, here: float, z: float) -> float:
    """Return how far from the observed difference, towards −1 or 1, the score test does not reject, by bisection."""
    inside, outside = here, edge
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        if abs(score(first, second, items, middle)) <= z:
            inside = middle
        else:
            outside = middle
    return inside


def score(first: int, second: int, items: int, difference: float) -> float:
    """Return the score statistic of a hypothetical difference.

    The share q of items that only the second system gets right is estimated under the hypothesis: it is the larger root
    of 2n·q² + B·q + C = 0 with the B and C below (Tango 1998, equations 3 and 4).
    """
    b = -first - second + (2 * items - first + second) * difference
    c = -second * difference * (1 - difference)
    q = (math.sqrt(max(0.0, b * b - 8 * items * c)) - b) / (4 * items)
    variance = items * (2 * q + difference * (1 - difference))
    gap = first - second - items * difference
    if variance <= 0:
        return 0.0 if abs(gap) < 1e-12 * items else math.copysign(math.inf, gap)
    return gap / math.sqrt(variance)


def in_agreement(found: Interval, difference: float, p: float, level: float) -> Interval:
    """Return an interval that holds 0 exactly where the test does not reject it.

    An interval whose end only touches 0 where the test rejects it says so in its reason.
    """
    if math.isnan(p) or math.isnan(found.low) or found.low > 0 > found.high:
        return found
    if p >= level:
        return replace(found, low=min(found.low, 0.0), high=max(found.high, 0.0))
    if difference == 0 or not found.low <= 0 <= found.high:
        return found
    low, high = (0.0, found.high) if difference > 0 else (found.low, 0.0)
    return replace(found, low=low, high=high, reason=found.reason or f"ends at 0, which the test rejects (p = {p:.2g})")
