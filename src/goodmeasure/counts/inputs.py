"""Every error about what users hand in, and the conversions that find it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np


def as_counts(counts: Any, *, copy: bool = True) -> np.ndarray[Any, Any]:
    """Counts as an array of shape (…, m, m): integers, floats, or exact numbers as objects."""
    if isinstance(counts, (str, bytes)) or counts is None:
        raise TypeError(f"counts is {counts!r}: expected a square matrix such as [[50, 3], [4, 20]]")
    try:
        array = np.array(counts, copy=True if copy else None)
    except ValueError as error:
        raise ValueError("the rows of counts differ in length: a confusion matrix is square") from error
    if array.dtype == bool:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iufO":
        raise TypeError(f"counts holds {array.dtype} values: expected numbers")
    if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
        raise ValueError(
            f"counts has shape {array.shape}: a confusion matrix is square, with one row and one column per class"
        )
    if array.shape[-1] == 0:
        raise ValueError("counts has no classes: a confusion matrix needs at least one row and one column")
    if array.dtype.kind == "O":
        array = _exact_counts(array)
    _check_counts(array)
    return array


def _exact_counts(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Objects that are integers beyond 64 bits or fractions, kept as they are."""
    flat = array.ravel()
    for position, value in enumerate(flat):
        if isinstance(value, (float, np.floating)):
            if math.isfinite(value):
                flat[position] = float(value)
        elif isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            flat[position] = int(value)
        elif isinstance(value, Fraction):
            flat[position] = value.numerator if value.denominator == 1 else value
        else:
            where = [int(k) for k in np.unravel_index(position, array.shape)]
            raise TypeError(f"counts{where} is {value!r}: expected a number")
    return flat.reshape(array.shape)


def _check_counts(array: np.ndarray[Any, Any]) -> None:
    if array.dtype.kind in "iuf" and array.size and array.min() >= 0 and array.max() < math.inf:
        return  # the usual case in two passes; a NaN fails the first comparison
    bad = array < 0
    if array.dtype.kind == "f":
        bad = bad | ~np.isfinite(array)
    elif array.dtype.kind == "O":
        bad = bad | np.array([isinstance(x, float) and not math.isfinite(x) for x in array.ravel()]).reshape(
            array.shape
        )
    if bad.any():
        where = np.argwhere(bad)[0]
        value = array[tuple(where)]
        raise ValueError(f"counts{[int(k) for k in where]} is {value}: counts must be finite and not negative")


def small_rows(counts: Any, largest: int) -> list[list[Any]] | None:
    """The rows of one small matrix of plain numbers, checked without NumPy; None where that is not what came."""
    if type(counts) is np.ndarray:
        if counts.ndim != 2 or counts.dtype.kind not in "iuf" or counts.shape[0] > largest:
            return None
        counts = counts.tolist()
    elif type(counts) not in (list, tuple):
        return None
    m = len(counts)
    if not 0 < m <= largest:
        return None
    rows = []
    for row in counts:
        if type(row) not in (list, tuple) or len(row) != m:
            return None
        for x in row:
            if not ((type(x) is int or type(x) is float) and 0 <= x < math.inf):
                return None
        rows.append(list(row))
    return rows


def as_labels(labels: Any, m: int) -> tuple[Any, ...]:
    """Class labels for a matrix with m classes: unique, one for each."""
    if labels is None:
        return tuple(range(m))
    if isinstance(labels, (str, bytes)):
        raise TypeError(f"labels is the string {labels!r}: expected a list of {m} labels")
    known = tuple(unpacked(x) for x in labels)
    if len(known) != m:
        raise ValueError(f"labels has {len(known)} entries, counts has {m} classes: they must match")
    check_unique(known[:-1] if known and known[-1] is None else known)  # a last class None: missing labels
    return known


def check_unique(labels: Sequence[Any]) -> None:
    """Labels must be hashable and different; 1, True and 1.0 are equal in Python and would be merged."""
    seen: dict[Any, Any] = {}
    for label in labels:
        try:
            before = seen.get(label, seen)
        except TypeError as error:
            raise TypeError(f"the label {label!r} is not hashable: use values such as strings or numbers") from error
        if before is not seen:
            same = type(before) is type(label)
            twin = f"{label!r} stands twice" if same else f"{before!r} and {label!r} are equal in Python"
            raise ValueError(f"labels must be different, and {twin}")
        seen[label] = label
        if is_missing(label):
            raise ValueError(f"labels contains {label!r}: a class needs a name")


def check_positive(positive: Any, labels: Sequence[Any]) -> None:
    """The positive class must be one of those there are."""
    if positive not in labels:
        known = ", ".join(map(repr, labels[:20])) + (", …" if len(labels) > 20 else "")
        raise ValueError(f"positive is {positive!r}, which is none of the classes: they are {known}")


def unpacked(x: Any) -> Any:
    """A NumPy scalar as the Python value it holds."""
    return x.item() if isinstance(x, np.generic) and not isinstance(x, (np.datetime64, np.timedelta64)) else x


def is_missing(label: Any) -> bool:
    """Whether a label is None, NaN, NaT or pandas' NA."""
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    return bool(isinstance(label, (float, np.floating, np.datetime64, np.timedelta64)) and label != label)


def same_length(**columns: Any) -> int:
    """The common length of columns given by name."""
    sizes = {name: len(column) for name, column in columns.items() if column is not None}
    (first, length), *others = sizes.items()
    for name, size in others:
        if size != length:
            what = "weights" if name == "sample_weight" else "labels"
            raise ValueError(f"{name} has {size} {what}, {first} has {length}: they must be the same length")
    return length


def as_weights(sample_weight: Any, length: int) -> np.ndarray[Any, Any]:
    """Weights as non-negative finite numbers, one for each item."""
    weights = np.asarray(sample_weight)
    if weights.dtype.kind not in "biuf" or weights.ndim != 1:
        raise TypeError(
            f"sample_weight holds {weights.dtype} values of shape {weights.shape}: expected one number for each item"
        )
    if len(weights) != length:
        raise ValueError(f"sample_weight has {len(weights)} weights, y_true has {length}: they must be the same length")
    bad = ~np.isfinite(weights) | (weights < 0) if weights.dtype.kind == "f" else weights < 0
    if bad.any():
        where = int(np.flatnonzero(bad)[0])
        raise ValueError(f"sample_weight[{where}] is {weights[where]}: weights must be finite and not negative")
    return weights


@contextmanager
def hashable_labels() -> Iterator[None]:
    """While labels are looked up: what cannot be hashed cannot be a label."""
    try:
        yield
    except TypeError as error:
        if "unhashable" not in str(error):
            raise
        hint = "" if "'dict'" in str(error) else f"; {SEVERAL_LABELS}"
        raise TypeError(f"a label must be one value such as a string or a number ({error}){hint}") from error


SEVERAL_LABELS = "items that may have several labels are counted by gm.multilabel"


TOO_LARGE = "{} is too large: the squares of the weights add up to more than a float can hold, so use smaller ones"


def squared(weights: np.ndarray[Any, Any], name: str = "sample_weight") -> np.ndarray[Any, Any]:
    """The squares of weights, whose sum must be a number too."""
    with np.errstate(over="ignore"):
        squares = weights * weights
        if not np.isfinite(squares.sum()):
            raise ValueError(TOO_LARGE.format(name))
    return np.asarray(squares)


def kind_of(label: Any) -> str:
    """Labels of one kind can be classes of one problem: text, number, truth value, date, or something else."""
    if isinstance(label, (bool, np.bool_)):
        return "boolean"
    if isinstance(label, (int, float, np.integer, np.floating, Fraction)):
        return "number"
    if isinstance(label, (str, np.str_)):
        return "text"
    return type(label).__name__


def check_one_kind(labels: Iterable[Any], where: str = "y_true and y_pred") -> str | None:
    """The kind of the labels; 1, True and "1" are never merged or split silently: different kinds are refused."""
    examples: dict[str, Any] = {}
    for label in labels:
        if not is_missing(label):
            examples.setdefault(kind_of(label), label)
    if len(examples) > 1:
        shown = " and ".join(f"{kind} ({example!r})" for kind, example in sorted(examples.items()))
        raise TypeError(f"labels are of different kinds, {shown}: convert {where} to one kind")
    return next(iter(examples), None)


def check_square_binary(name: str, m: int) -> None:
    """A binary measure on another number of classes."""
    raise ValueError(
        f"{name} is defined for two classes, and the matrix has {m}: "
        f"use gm.macro(gm.{name}), gm.micro(gm.{name}) or gm.weighted(gm.{name}), or one class with cm.vs_rest(label)"
    )
