"""Read scores and true labels of two classes in whatever form users hand them in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, cast

import numpy as np

from goodmeasure.counts.arguments import (
    as_weights,
    check_positive,
    is_missing,
    kind_of_values,
    listed,
    unknown_positive,
)
from goodmeasure.counts.counting import confusion
from goodmeasure.counts.labels import as_column
from goodmeasure.exceptions import Argument, InputError, InputTypeError, Phrase
from goodmeasure.typing import Array, ArrayLike, Label


def check_missing(missing: str) -> None:
    """Refuse an unknown way to treat items without a score or a true label."""
    if missing not in ("error", "drop"):
        raise InputError("{missing} is {got!r}", got=missing, advice="use 'error' or 'drop'")


class Truth(NamedTuple):
    """Which items are positive, the positive label, which items have a label (None: all), and the other labels."""

    hit: Array
    positive: Label
    there: Array | None
    others: tuple[Label, ...]

    @property
    def negative(self) -> Label:
        """Return the label of the negative class: the only other label, or a text such as "not spam"."""
        if len(self.others) == 1:
            return self.others[0]
        return 0 if not self.others and self.positive == 1 else f"not {self.positive}"


def truth_of(y_true: object, positive: object, missing: str) -> Truth:
    """Return which items are positive, and the names of the classes.

    Of two classes the last is positive, if their order says so; otherwise `positive` must be given. Where only one
    class occurs, its label must be 0 or 1, or `positive` must be given.
    """
    array = y_true if isinstance(y_true, np.ndarray) and y_true.ndim == 1 else None
    if array is not None and len(array) and array.dtype == bool and positive is None:
        return Truth(array, True, None, (False,))
    y_true = list(y_true) if isinstance(y_true, Iterator) else y_true
    found = confusion(y_true, y_true, missing="drop")
    there = None if not found.dropped else labelled(y_true, missing)
    labels = found.labels
    if positive is None:
        if len(labels) > 2:
            shown = ", ".join(map(repr, labels[:6])) + (", …" if len(labels) > 6 else "")
            raise InputError(
                "{y_true} has {size} classes ({shown})",
                size=len(labels),
                shown=shown,
                advice="say which is the positive one with {positive:=}",
            )
        if len(labels) == 2 and not found._order.stated:
            raise unknown_positive(Phrase("what {y_score} means"), labels)
        if len(labels) == 1 and labels[0] not in (0, 1):
            raise InputError(
                "{y_true} has one class only, {label!r}",
                label=labels[0],
                advice="say with {positive:=} which class is positive",
            )
        one = cast(Callable[[int], Label], type(labels[0]))
        positive = labels[-1] if len(labels) == 2 else one(1)
    elif len(labels) > 1:
        check_positive(positive, labels)
    others = tuple(x for x in labels if x != positive)
    if array is not None and array.dtype.kind in "biufUS":
        return Truth(array == positive, positive, there, others)
    hit = as_column(y_true, Argument("y_true")).places([positive]) == 0
    return Truth(hit, positive, there, others)


def labelled(y_true: object, missing: str) -> Array:
    """Return which items have a true label; raise where some have none, unless they are to be dropped."""
    there = as_column(y_true, Argument("y_true")).present()
    if missing == "drop":
        return there
    where = int(np.flatnonzero(~there)[0])
    raise InputError(
        "{y_true}[{where}] is missing ({number} labels in all)",
        where=where,
        number=int(np.count_nonzero(~there)),
        advice="an item without a true label is neither right nor wrong; {missing:=drop} leaves such items out",
    )


def both(one: Array | None, two: Array | None) -> Array | None:
    """Return the items that both masks select, where None stands for all."""
    return two if one is None else one if two is None else one & two


def units_of_items(groups: object, length: int) -> Array:
    """Return the number of each item's group, from 0; an item without a group is a group of its own."""
    column = column_of(groups, length, "groups")
    known: dict[Label, int] = {}
    named = ((k, None) if x is None else (None, x) for k, x in enumerate(column))
    return np.fromiter((known.setdefault(x, len(known)) for x in named), np.int64, length)


def column_of(values: object, length: int, argument: str) -> list[Label]:
    """Return one value for each item, with None where it is missing."""
    found = listed(_plain(values), argument, "one value for each item")
    column = [None if is_missing(x) else x for x in found]
    if len(column) != length:
        raise InputError(
            "{argument} has {size} values, {y_true} has {length} labels",
            argument=Argument(argument),
            size=len(column),
            length=length,
            advice="they must be the same length",
        )
    return column


def _plain(column: ArrayLike) -> ArrayLike:
    return (
        column.tolist() if hasattr(column, "tolist") else column.to_pylist() if hasattr(column, "to_pylist") else column
    )


def as_scores(y_score: object, length: int, name: str, missing: str) -> tuple[Array, Array | None]:
    """Return the scores as numbers, one for each item, and which of them are present (None: all)."""
    array = array_of(y_score)
    if array.dtype == object:
        try:
            array = np.array([np.nan if x is None else x for x in array], dtype=float)
        except (TypeError, ValueError):
            raise InputTypeError(
                "{name} holds values that are not numbers", name=name, expected="a score for each item"
            ) from None
    if array.dtype.kind not in "biuf":
        raise InputTypeError(
            "{name} holds {what} values", name=name, what=kind_of_values(array.dtype), expected="a number for each item"
        )
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        hint = ": take the column of the positive class" if array.ndim == 2 and array.shape[1] == 2 else ""
        raise InputError(
            "{name} has shape {shape}",
            name=name,
            shape=array.shape,
            hint=hint,
            expected="one score for each item{hint}",
        )
    if len(array) != length:
        raise InputError(
            "{name} has {size} scores, {y_true} has {length} labels",
            name=name,
            size=len(array),
            length=length,
            advice="they must be the same length",
        )
    if array.dtype.kind == "f" and len(array) and np.isnan(array.min()):
        return without_missing(array, np.isnan(array), name, missing)
    return array, None


def array_of(y_score: ArrayLike) -> Array:
    """Return scores of any kind as an array; as an array of objects where some are missing."""
    if isinstance(y_score, Iterator):
        y_score = list(y_score)
    if hasattr(y_score, "detach"):  # a tensor: it may have gradients, be on a GPU, or have a type that NumPy lacks
        y_score = y_score.detach().cpu()
        y_score = y_score.double() if "bfloat16" in str(y_score.dtype) else y_score
    if getattr(y_score, "null_count", 0) and hasattr(y_score, "to_pylist"):
        return np.array(y_score.to_pylist(), dtype=object)
    return np.asarray(y_score.to_numpy() if hasattr(y_score, "to_numpy") else y_score)


def without_missing(array: Array, absent: Array, name: str, missing: str) -> tuple[Array, Array]:
    """Return the scores with the mask of those that are present, or raise, as `missing` says."""
    if missing == "drop":
        return array, ~absent
    where = int(np.flatnonzero(absent)[0])
    raise InputError(
        "{name}[{where}] is NaN ({number} scores in all)",
        name=name,
        where=where,
        number=int(np.count_nonzero(absent)),
        advice="an item without a score has no place in the order; {missing:=drop} leaves such items out",
    )


def as_item_weights(sample_weight: object, length: int) -> Array | None:
    """Return the weights, which must not all be 0; None if there are none."""
    if sample_weight is None:
        return None
    weights = as_weights(sample_weight, length)
    if not weights.any():
        raise InputError("{sample_weight} is 0 for every item", advice="some item must weigh something")
    return weights.astype(np.float64) if weights.dtype.kind == "f" else weights  # sums of float32 would round
