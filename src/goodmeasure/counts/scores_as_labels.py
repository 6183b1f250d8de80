"""Recognising scores and probabilities that were passed in as labels, and the error that says so."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable

import numpy as np

from goodmeasure.exceptions import Either, InputError, Phrase
from goodmeasure.typing import ArrayLike

_MANY = 20  # a column with more different fractions than this does not hold class labels
_FIRST = 3  # only these labels are looked at first, so that a column of text costs nothing


def check_scores(true: tuple[str, Collection[object]], pred: tuple[str, Collection[object]], items: int) -> None:
    """Refuse scores in place of labels, given the name and the different labels of each column.

    Scores are fractions that do not occur in the other column, and nearly every item has its own. If the other column
    holds fractions too, they may be classes (ratings in steps of a half), so only many different ones are taken for
    scores.
    """
    for (name, labels), (_, others) in ((pred, true), (true, pred)):
        found = foreign_fractions(labels, others)
        if len(found) < 2:
            continue
        distinct, many = 2 * len(found) > items, len(found) > _MANY
        if (distinct and many) if any(map(is_fraction, others)) else (distinct or many):
            raise _refusal(name, found)


def check_mixed(true: tuple[str, Collection[object]], pred: tuple[str, Collection[object]]) -> None:
    """Refuse scores next to labels of another kind, such as probabilities next to text or booleans."""
    for (name, labels), (_, others) in ((pred, true), (true, pred)):
        numbers = [x for x in labels if not isinstance(x, str) and is_fraction(x)]
        if len(numbers) > 1 and not any(isinstance(x, (int, float)) and not isinstance(x, bool) for x in others):
            raise _refusal(name, numbers)


def foreign_fractions(labels: Iterable[object], others: Collection[object]) -> list[object]:
    """Return the fractions among labels that the other column does not hold; none if the first few are no fractions."""
    known = set(others)
    found = [x for x in labels if x not in known]
    return [x for x in found if is_fraction(x)] if any(map(is_fraction, found[:_FIRST])) else []


def is_fraction(label: ArrayLike) -> bool:
    """Return whether a label is a number that is not whole, or a text that reads as one."""
    if isinstance(label, int):
        return False
    try:
        number = float(label)
    except (TypeError, ValueError, OverflowError):
        return False
    return math.isfinite(number) and not number.is_integer()


SEVERAL_LABELS = "items that may have several labels are counted by gm.multilabel"
TAG_SEQUENCES = (
    "these look like tag sequences (B-, I-, O), whose spans are not evaluated yet; for measures of single tokens, give "
    "one long list of the tags of all texts"
)
_TAG = re.compile(r"[BIESLUM]-.+|O")


def are_tags(labels: Collection[object]) -> bool:
    """Return whether labels are those of tokens in named-entity recognition.

    >>> are_tags(["B-PER", "I-PER", "O"]), are_tags(["O"]), are_tags(["B", "O"])
    (True, False, False)
    """
    return all(isinstance(x, str) and _TAG.fullmatch(x) for x in labels) and not {*labels} <= {"O"}


def advice_for_rows(values: ArrayLike) -> str:
    """Return what to do about a list for each item, such as a row of numbers, where a label was expected.

    >>> advice_for_rows([[0.9, 0.1], [0.3, 0.7]]).split(":")[0], advice_for_rows([[1, 0], [0, 1]]).split(":")[0]
    ('these look like probabilities, a column for each class', 'these look like one-hot rows')
    """
    listed = isinstance(values, (list, tuple)) and all(isinstance(x, (list, tuple)) for x in values)
    if listed and are_tags([label for x in values for label in x]):
        return TAG_SEQUENCES
    try:
        array = np.asarray(values)
        array = array if array.dtype.kind in "biuf" else np.array(values, np.float64)
    except (TypeError, ValueError):
        return SEVERAL_LABELS
    if array.ndim != 2 or not array.size:
        return SEVERAL_LABELS
    if np.isin(array, (0, 1)).all():
        one = (array.sum(axis=1) == 1).all()
        hot = "these look like one-hot rows: .argmax(axis=1) makes labels of them, for true and for predicted ones"
        return f"{hot}; {SEVERAL_LABELS}" if one else SEVERAL_LABELS
    if array.dtype.kind != "f" or (array == np.rint(array)).all():
        return SEVERAL_LABELS
    known = "probabilities" if array.min() >= 0 and array.max() <= 1 else "logits or other scores"
    return (
        f"these look like {known}, a column for each class: gm.evaluate(y_true, y_score=…) measures them "
        "(with two classes, give the column of the positive one), and classes[scores.argmax(axis=1)] are labels"
    )


def _refusal(name: str, found: list[ArrayLike]) -> InputError:
    """Return the error about scores in place of labels."""
    shown = ", ".join(f"{float(x):.3g}" for x in found[:3])
    return InputError(
        "{name} looks like scores or probabilities ({shown}), not like labels",
        name=name,
        shown=f"{shown}{', …' if len(found) > 3 else ''}",
        advice=Phrase(
            "{evaluate} measures them, and {sweep} does so at every threshold; for a measure of labels, apply a "
            "threshold first{example}",
            {
                "evaluate": Either("gm.evaluate(y_true, y_score=…)", "goodmeasure evaluate --score COLUMN"),
                "sweep": Either("gm.sweep", "goodmeasure sweep"),
                "example": Either(", for example scores >= 0.5", ""),
            },
        ),
    )
