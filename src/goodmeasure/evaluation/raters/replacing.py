"""May a judge replace a rater? The alternative annotator test (Calderon, Reichart and Dror, ACL 2025).

For each rater, the judge and that rater are compared on the items that the rater rated: which of the two agrees better
with the other raters? The judge wins against a rater if it is not worse by `epsilon` (a one-sided t-test of the
differences; the p-values are corrected by Benjamini and Yekutieli's method, since the tests depend on each other). It
may replace a rater if it wins against at least half of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.evaluation.intervals.distributions import students_tails
from goodmeasure.exceptions import InputError
from goodmeasure.typing import ArrayLike

if TYPE_CHECKING:
    from goodmeasure.evaluation.raters.raters import Raters

_LEVEL = 0.05
_FEWEST = 3  # raters


@dataclass(frozen=True)
class AgainstRater:
    """The judge against one rater: how often each agrees at least as well with the others, and the test."""

    rater: str
    items: int
    judge: float
    human: float
    p: float
    p_corrected: float
    won: bool


@dataclass(frozen=True)
class Replacement:
    """Whether a judge may replace a rater: the share of raters that it wins against must be at least one half.

    `advantage` is the mean probability that the judge agrees at least as well with the others as a rater does.
    """

    allowed: bool
    winning_rate: float
    advantage: float
    epsilon: float
    against: tuple[AgainstRater, ...]

    def __str__(self) -> str:
        may = "may" if self.allowed else "may not"
        share = f"it wins against {self.winning_rate:.0%} of {len(self.against)} raters"
        return f"The judge {may} replace a rater: {share}, with an advantage of {self.advantage:.2f}."


def alternative_annotator_test(raters: Raters, judge: ArrayLike, epsilon: float) -> Replacement:
    """Return whether a judge may replace one of the raters."""
    said = list(judge)
    if len(raters.names) < _FEWEST:
        raise InputError("there are {number} raters", argument="ratings", number=len(raters.names),
                         advice="the test needs at least three, of whom each is compared with the others")  # fmt: skip
    if len(said) != len(raters.ratings):
        raise InputError("{judge} has {size:,} labels, and there are {items:,} items", argument="judge", size=len(said),
                         items=len(raters.ratings), advice="give one for each item")  # fmt: skip
    place = {x: k for k, x in enumerate(raters.values)}
    codes = np.array([place.get(x, len(place)) for x in said])
    agreeing = np.zeros((len(place) + 1, len(place)))
    agreeing[:-1] = raters._agreeing()
    rows = []
    for j, name in enumerate(raters.names):
        mine, others = raters.ratings[:, j], np.delete(raters.ratings, j, axis=1)
        used = (mine >= 0) & (others >= 0).any(axis=1)
        known, rest = (others[used] >= 0), np.maximum(others[used], 0)
        number = known.sum(axis=1)
        of_judge, of_rater = (
            (agreeing[x[used][:, None], rest] * known).sum(axis=1) / np.maximum(1, number) for x in (codes, mine)
        )
        judge_wins, rater_wins = of_judge >= of_rater, of_rater >= of_judge
        apart = rater_wins.astype(float) - judge_wins
        rows.append((name, int(used.sum()), float(judge_wins.mean()), float(rater_wins.mean()), _p(apart, epsilon)))
    corrected = _benjamini_yekutieli([x[-1] for x in rows])
    against = tuple(AgainstRater(*x, p, p < _LEVEL) for x, p in zip(rows, corrected, strict=True))
    rate = sum(x.won for x in against) / len(against)
    return Replacement(rate >= 0.5, rate, float(np.mean([x.judge for x in against])), epsilon, against)


def _p(apart: np.ndarray, epsilon: float) -> float:
    """Return the p-value of the hypothesis that the mean is at least epsilon, against that it is smaller."""
    size = len(apart)
    if size < 2:
        return 1.0
    error = float(apart.std(ddof=1)) / math.sqrt(size)
    below = epsilon - float(apart.mean())
    if error == 0:
        return 0.0 if below > 0 else 1.0
    tails = students_tails(below / error, size - 1.0) / 2
    return tails if below > 0 else 1 - tails


def _benjamini_yekutieli(p: list[float]) -> list[float]:
    size = len(p)
    factor = size * sum(1 / k for k in range(1, size + 1))
    order = sorted(range(size), key=lambda k: -p[k])
    found, least = [1.0] * size, 1.0
    for rank, k in zip(range(size, 0, -1), order, strict=True):
        least = min(least, p[k] * factor / rank)
        found[k] = least
    return found
