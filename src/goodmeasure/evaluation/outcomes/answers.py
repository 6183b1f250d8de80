"""Items with several answers, one by one: which are flaky, which got worse, and where the outcomes vary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np

from goodmeasure.counts.outcomes import Outcomes
from goodmeasure.evaluation.p_values import holm
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array, Label


@dataclass(frozen=True)
class ItemCase:
    """One item of one system: how many answers it has, and their mean outcome; flaky where they differ."""

    system: str
    item: Label
    answers: int
    outcome: float
    flaky: bool


@dataclass(frozen=True)
class ItemRegression:
    """One item that two systems answered several times: how often each is right, and whether the second is worse.

    `p` is that of Fisher's exact test that the second is not worse; `p_corrected` holds for all items (Holm).
    """

    item: Label
    before: float
    after: float
    p: float
    p_corrected: float


@dataclass(frozen=True)
class OutcomeVariation:
    """The variance of true rates between items, and that of answers to one item, without bias."""

    between: float
    within: float

    def error(self, items: int, answers: int) -> float:
        """Return the standard error of the mean outcome of that many items with that many answers each.

        More answers lessen the part within items only, so that 100 items cannot have less than √(between/100).
        """
        return float(np.sqrt((self.between + self.within / answers) / items))


def cases(system: str, data: Outcomes) -> Iterator[ItemCase]:
    """Yield every item of a system."""
    spread = _within(data)
    for k in range(len(data)):
        item = k if data.ids is None else data.ids[k]
        yield ItemCase(system, item, int(data.number[k]), float(data.scores[k]), bool(spread[k] > 1e-12))


def regressions(before: Outcomes, after: Outcomes) -> list[ItemRegression]:
    """Return every item that both systems answered, those that got worse most clearly first."""
    for data in (before, after):
        if not data.are_verdicts:
            raise InputError(
                "the outcomes of {name} are graded", name=data.argument, argument="y_correct",
                advice="items are tested one by one where every answer is right or wrong",
            )  # fmt: skip
    first, second = ({(k if x.ids is None else x.ids[k]): k for k in range(len(x))} for x in (before, after))
    shared = [(item, k, second[item]) for item, k in first.items() if item in second]
    p = [_worse(_counts(before, k), _counts(after, j)) for _, k, j in shared]
    found = [
        ItemRegression(item, float(before.scores[k]), float(after.scores[j]), one, corrected)
        for (item, k, j), one, corrected in zip(shared, p, holm(p), strict=True)
    ]
    return sorted(found, key=lambda x: x.p)


def _counts(data: Outcomes, k: int) -> tuple[int, int]:
    """Return how many answers of an item are right, and how many there are."""
    number = round(float(data.number[k]))
    return round(float(data.scores[k]) * number), number


def _worse(before: tuple[int, int], after: tuple[int, int]) -> float:
    """Return the p-value of Fisher's exact test: of so few right answers in the second, given the sum of both."""
    (one, first), (two, second) = before, after
    right = one + two
    ways = [comb(second, k) * comb(first, right - k) for k in range(max(0, right - first), two + 1)]
    return sum(ways) / comb(first + second, right)


def _within(data: Outcomes) -> Array:
    """Return the variance of the answers to each item, NaN where there is one."""
    if data.answers is None:
        return np.full(len(data), np.nan)
    number, squares = data.answers[:, 0], data.answers[:, 1]
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Array = np.maximum(squares - number * data.scores**2, 0.0) / (number - 1)
    return found


def variation(data: Outcomes) -> OutcomeVariation:
    """Return the variance between items and within them, by the method of moments."""
    spread = _within(data)
    known = np.isfinite(spread)
    if known.sum() < 2:
        raise InputError(
            "fewer than two items have several answers", argument="id",
            advice="name the items by {id:=}: rows with the same id are answers to one item",
        )  # fmt: skip
    within = float(spread[known].mean())
    noise = float((spread[known] / data.number[known]).mean())
    return OutcomeVariation(max(0.0, float(data.scores[known].var(ddof=1)) - noise), within)
