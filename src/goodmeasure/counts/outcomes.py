"""Outcomes of items, such as the verdicts of a test or a grader, in whatever form users hand them in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from goodmeasure.counts.labels import as_column
from goodmeasure.counts.scores.score_input import array_of, without_missing
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.exceptions import Argument, InputError
from goodmeasure.typing import Array, ArrayLike, Label

SAMPLE = "sample"  # what a preset calls the ids of items
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}  # as graders of Inspect write them
_LETTERS_MEAN = {"C": "correct", "P": "partly correct", "I": "incorrect", "N": "no answer"}
_WORDS = {
    **dict.fromkeys(("true", "correct", "pass", "passed", "yes"), 1.0),
    **dict.fromkeys(("false", "incorrect", "fail", "failed", "no"), 0.0),
    "partial": 0.5,
}


@dataclass(frozen=True, eq=False)
class Outcomes(Scored):
    """Items with outcomes: `scores` holds the mean outcome of each, and every item counts as one of the only class.

    Where items have several answers, `answers` holds how many each has, and the sum of their squared outcomes.
    """

    answers: Array | None = field(kw_only=True)  # (items, 2); where it is stored, there are outcomes
    ids: tuple[Label, ...] | None = field(default=None, kw_only=True)  # of the items, if they are known

    def at(self, keep: Array) -> Outcomes:
        found = super().at(keep)
        assert isinstance(found, Outcomes)
        answers = None if self.answers is None else self.answers[keep]
        ids = None if self.ids is None else tuple(self.ids[k] for k in np.arange(len(self))[keep].tolist())
        return replace(found, answers=answers, ids=ids)

    @cached_property
    def number(self) -> Array:
        """Return the number of answers of each item."""
        return np.ones(len(self)) if self.answers is None else self.answers[:, 0]

    @property
    def most(self) -> int:
        """Return the largest number of answers of an item."""
        return int(self.number.max())

    @property
    def fewest(self) -> int:
        """Return the smallest number of answers of an item."""
        return int(self.number.min())

    @cached_property
    def are_verdicts(self) -> bool:
        """Return whether every answer is either right (1) or wrong (0)."""
        squares = self.scores**2 if self.answers is None else self.answers[:, 1]
        return bool(np.allclose(self.scores * self.number, squares, rtol=0, atol=1e-9))


class VerdictLog(Exception):  # noqa: N818 - a signal to who asked for labels, never seen by users
    """Signal that a log has outcomes in a column, and the items they belong to, where no columns were named."""

    def __init__(self, outcome: str, sample: str) -> None:
        super().__init__("the log has outcomes")
        self.outcome, self.sample = outcome, sample


class ReadOutcomes(NamedTuple):
    """Outcomes as numbers, NaN where there is none, and how often each letter stood for one."""

    values: Array
    letters: Mapping[str, int]


def read_outcomes(values: ArrayLike, name: str) -> ReadOutcomes:
    """Return outcomes as numbers between 0 (wrong) and 1 (right); letters and words stand for such numbers.

    >>> read_outcomes(["C", "P", None, "I"], "y_correct").values.tolist()
    [1.0, 0.5, nan, 0.0]
    """
    values = list(values) if isinstance(values, Iterator) else values
    if hasattr(values, "__len__") and not len(values):
        raise InputError("{name} has no items", name=name, advice="a measure needs at least one")
    array = array_of(values) if hasattr(values, "dtype") or hasattr(values, "detach") else None
    if array is not None and array.ndim == 1 and array.dtype.kind in "biuf":
        numbers = array.astype(np.float64)
        _check_range(numbers, name)
        return ReadOutcomes(numbers, {})
    labels, codes = as_column(values, name).coded()
    known = np.array([_checked(x, name, codes, k) for k, x in enumerate(labels)])
    times: list[int] = np.bincount(codes, minlength=len(labels)).tolist()
    letters = {str(x): t for x, t in zip(labels, times, strict=True) if isinstance(x, str) and x in LETTERS}
    return ReadOutcomes(known[codes], letters)


def outcome_of(label: Label) -> float | None:
    """Return the number that an outcome stands for, whatever it is; None where it is none.

    >>> outcome_of("C"), outcome_of("failed"), outcome_of("0.25"), outcome_of(7), outcome_of("cat")
    (1.0, 0.0, 0.25, 7.0, None)
    """
    text = str(label).strip()
    known = LETTERS.get(text, _WORDS.get(text.lower()))
    try:
        return float(text) if known is None else known
    except ValueError:
        return None


def _checked(label: Label, name: str, codes: Array, k: int) -> float:
    """Return the number that an outcome stands for, NaN if it is missing; refuse anything else."""
    number = np.nan if label is None else outcome_of(label)
    if number is None:
        raise InputError(
            "{name}[{at}] is {got!r}", name=name, at=int(np.flatnonzero(codes == k)[0]), got=label,
            expected="an outcome: true or false, a number from 0 to 1, or one of the letters C, P, I and N",
        )  # fmt: skip
    if not (number != number or 0 <= number <= 1):
        raise _outside(name, int(np.flatnonzero(codes == k)[0]), number)
    return number


def _check_range(numbers: Array, name: str) -> None:
    outside = ~((numbers >= 0) & (numbers <= 1) | np.isnan(numbers))
    if outside.any():
        at = int(np.flatnonzero(outside)[0])
        raise _outside(name, at, float(numbers[at]))


def _outside(name: str, at: int, number: float) -> InputError:
    return InputError(
        "{name}[{at}] is {got:g}, and an outcome lies between 0 (wrong) and 1 (right)", name=name, at=at, got=number,
        advice="divide scores by the best one that is possible, as in 4/5",
    )  # fmt: skip


def said_letters(letters: Mapping[str, int]) -> list[tuple[str, str]]:
    """Return which number each letter stands for, as a fact; nothing where there are no letters.

    >>> said_letters({"C": 10, "P": 1})
    [('letters', 'C = 1 (correct), P = 0.5 (partly correct)')]
    """
    said = [f"{x} = {LETTERS[x]:g} ({_LETTERS_MEAN[x]})" for x in LETTERS if letters.get(x)]
    return [("letters", ", ".join(said))] if said else []


class Items(NamedTuple):
    """The items that several answers belong to: their ids, the item of each answer, and the first answer of each."""

    ids: list[Label]
    of: Array
    first: Array

    @property
    def repeated(self) -> bool:
        """Return whether an item has several answers."""
        return len(self.ids) < len(self.of)

    def constant(self, values: object, name: str, length: int) -> Array:
        """Return the value of each item in a column that must not differ between its answers, by its place."""
        labels, codes = as_column(values, name).coded()
        differ = codes != codes[self.first[self.of]]
        if len(codes) == length and differ.any():
            at = int(np.flatnonzero(differ)[0])
            raise InputError(
                "{name} is {one!r} and {other!r} for answers to the same item {id!r}", name=name,
                id=self.ids[self.of[at]], one=labels[codes[self.first[self.of[at]]]], other=labels[codes[at]],
                advice="items are what is sampled, so {name} must be the same for all answers of one",
            )  # fmt: skip
        return self.first


def items_of_ids(ids: object, name: str) -> Items:
    """Return the items by their ids, in the order in which they first occur; refuse answers without an id."""
    column = as_column(ids, name)
    if not len(column):
        raise InputError("{name} is empty", name=name, advice="every row needs the id of its item")
    labels, codes = column.coded()
    lacking = np.array([x is None for x in labels], bool)[codes] if len(codes) else np.zeros(0, bool)
    if lacking.any():
        raise InputError(
            "{name}[{at}] is missing ({number} in all)", name=name, at=int(np.flatnonzero(lacking)[0]),
            number=int(lacking.sum()), advice="every row needs the id of its item",
        )  # fmt: skip
    used, first, of = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return Items([labels[k] for k in used[order].tolist()], place[of], first[order])


def check_repeats(items: Items, repeat: ArrayLike) -> None:
    """Refuse two rows that are the same answer of the same item."""
    names, codes = as_column(repeat, Argument("repeat")).coded()
    pairs = items.of * max(1, len(names)) + codes
    used, first, times = np.unique(pairs, return_index=True, return_counts=True)
    if len(used) < len(pairs):
        at = int(first[int(times.argmax())])
        raise InputError(
            "the answer {repeat!r} of item {id!r} occurs {times} times", argument="repeat", repeat=names[codes[at]],
            id=items.ids[items.of[at]], times=int(times.max()), advice="every answer of an item needs a row of its own",
        )  # fmt: skip


def check_answers(ids: ArrayLike, repeat: ArrayLike) -> None:
    """Refuse rows with labels that have one id, unless `repeat` says that they are answers to one item."""
    items = items_of_ids(ids, Argument("id"))
    if repeat is not None:
        check_repeats(items, repeat)
    elif items.repeated:
        times = np.bincount(items.of)
        raise InputError(
            "{number:,} values of {id} occur more than once ({value!r} {times} times)", argument="id",
            number=int((times > 1).sum()), value=items.ids[int(times.argmax())], times=int(times.max()),
            advice="if they are answers to one item, say which one a row is with {repeat:=}, or give outcomes with "
            "{y_correct:=}",
        )  # fmt: skip


def outcomes_by_item(values: Array, items: Items | None) -> tuple[Array, Array | None]:
    """Return the mean outcome of each item, and how many answers it has with the sum of their squares.

    Answers without an outcome are left out; the mean of an item without any is NaN.
    """
    if items is None or not items.repeated:
        return (values if items is None else values[items.first]), None
    there, size = ~np.isnan(values), len(items.ids)
    known, of = values[there], items.of[there]
    number = np.bincount(of, minlength=size).astype(float)
    total, squares = (np.bincount(of, x, size) for x in (known, known**2))
    with np.errstate(invalid="ignore"):
        return total / number, np.stack([number, squares], axis=1)


def outcomes_of(
    means: Array, answers: Array | None, weights: Array | None, units: Array | None, missing: str, argument: Argument,
    ids: list[Label] | None = None,
) -> Outcomes:  # fmt: skip
    """Return items with outcomes, weights and groups, without those that are left out or weigh nothing."""
    found = Outcomes(
        np.ones(len(means), bool),
        means,
        (False, True),
        weights,
        units,
        argument=argument,
        answers=answers,
        ids=None if ids is None else tuple(ids),
    )
    absent = np.isnan(means)
    there = without_missing(means, absent, argument, missing)[1] if absent.any() else None
    if weights is not None and not weights.all():
        there = weights > 0 if there is None else there & (weights > 0)
    if there is not None:
        found = replace(found.at(there), kept=there)
    if len(found) == 0:
        raise InputError("{name} has no items", name=argument, advice="a measure needs at least one")
    return found
