"""From labels to counts: the only loop over data."""

from __future__ import annotations

from typing import Any

import numpy as np

from goodmeasure.counts.inputs import (
    as_weights,
    check_one_kind,
    check_unique,
    is_missing,
    same_length,
    unpacked,
)
from goodmeasure.counts.matrix import ConfusionMatrix

Array = np.ndarray[Any, Any]


def confusion(y_true: Any, y_pred: Any, *, labels: Any = None, sample_weight: Any = None) -> ConfusionMatrix:
    """Count true and predicted labels into a confusion matrix.

    Labels may be any hashable values of one kind; classes are sorted where they can be, and kept in order of
    appearance where they cannot. `labels` names the classes, also those that do not occur.

    >>> confusion(["ham", "spam", "spam"], ["ham", "spam", "ham"])
    true \\ predicted  ham  spam
    ham                 1     0
    spam                1     1
    """
    true, pred = _column(y_true, "y_true"), _column(y_pred, "y_pred")
    length = same_length(y_true=true, y_pred=pred)
    weights = None if sample_weight is None else as_weights(sample_weight, length)
    if length == 0:
        raise ValueError("y_true is empty: there is nothing to count")
    found, codes_true, codes_pred = _codes(true, pred)
    known = found
    if labels is not None:
        known = tuple(unpacked(x) for x in labels)
        check_unique(known)
        codes_true, codes_pred = _recoded(found, known, codes_true, codes_pred)
    counts = _tally(codes_true, codes_pred, len(known), weights)
    return ConfusionMatrix(counts, labels=known)


def _column(values: Any, name: str) -> Array | list[Any]:
    """One label for each item, as an array where the values have a plain type."""
    if isinstance(values, (str, bytes)) or values is None or not hasattr(values, "__iter__"):
        raise TypeError(f"{name} is {values!r}: expected a list of labels")
    if hasattr(values, "detach"):  # a torch tensor, perhaps on an accelerator
        values = values.detach().cpu()
    if isinstance(values, (list, tuple)):
        return _from_list(list(values), name)
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}: expected one label for each item")
    if array.dtype.kind in "iub":
        return array
    if array.dtype.kind == "f":
        return _from_floats(array, name)
    return _from_list(array.tolist() if array.dtype.kind in "OUS" else list(array), name)


def _from_list(values: list[Any], name: str) -> Array | list[Any]:
    kinds = set(map(type, values))
    if kinds == {int}:
        array = np.array(values)
        return array if array.dtype.kind == "i" else values
    if kinds == {bool}:
        return np.array(values)
    if kinds == {float}:
        return _from_floats(np.array(values), name)
    for position, label in enumerate(values):
        if is_missing(label):
            raise ValueError(
                f"{name}[{position}] is {label!r}: drop the items without a label, or give them a class of their own"
            )
    return [unpacked(x) for x in values]


def _from_floats(array: Array, name: str) -> Array:
    """Floats as labels: whole ones are integers, as 1.0 and 1 are one class."""
    missing = np.isnan(array)
    if missing.any():
        position = int(np.flatnonzero(missing)[0])
        raise ValueError(
            f"{name}[{position}] is nan: drop the items without a label, or give them a class of their own"
        )
    if np.all(np.abs(array) < 2**53) and np.all(array == np.rint(array)):
        return array.astype(np.int64)
    return array + 0.0  # −0.0 is 0.0


def _codes(true: Array | list[Any], pred: Array | list[Any]) -> tuple[tuple[Any, ...], Array, Array]:
    """The labels that occur, and the position of each item's labels among them."""
    if isinstance(true, np.ndarray) and isinstance(pred, np.ndarray) and (true.dtype == bool) == (pred.dtype == bool):
        both = np.concatenate([true, pred])
        found, codes = np.unique(both, return_inverse=True)
        return tuple(found.tolist()), codes[: len(true)], codes[len(true) :]
    values_true = true.tolist() if isinstance(true, np.ndarray) else true
    values_pred = pred.tolist() if isinstance(pred, np.ndarray) else pred
    try:
        order = list(dict.fromkeys([*values_true, *values_pred]))
    except TypeError as error:
        raise TypeError(f"labels must be hashable values such as strings or numbers ({error})") from error
    check_one_kind([*values_true, *values_pred])
    try:
        order.sort()
    except TypeError:
        pass  # labels without an order stay in order of appearance
    position = {label: k for k, label in enumerate(order)}
    codes_true = np.fromiter((position[x] for x in values_true), np.int64, len(values_true))
    codes_pred = np.fromiter((position[x] for x in values_pred), np.int64, len(values_pred))
    return tuple(order), codes_true, codes_pred


def _recoded(found: tuple[Any, ...], known: tuple[Any, ...], true: Array, pred: Array) -> tuple[Array, Array]:
    """Positions among the labels that the user named."""
    check_one_kind([*found, *known])
    position = {label: k for k, label in enumerate(known)}
    unknown = [label for label in found if label not in position]
    if unknown:
        raise ValueError(
            f"the label {unknown[0]!r} occurs in the data but not in labels={list(known)!r}: add it, or drop its items"
        )
    table = np.array([position[label] for label in found], dtype=np.int64)
    return table[true], table[pred]


def _tally(true: Array, pred: Array, m: int, weights: Array | None) -> Array:
    cells = np.bincount(true.astype(np.int64) * m + pred, weights=weights, minlength=m * m)
    return cells.reshape(m, m)


def pair_confusion(labels_a: Any, labels_b: Any) -> ConfusionMatrix:
    """The 2×2 matrix over pairs of items: together or apart in each of two clusterings.

    Any binary measure of it is a similarity of clusterings: accuracy is the Rand index, kappa the adjusted Rand
    index, f1 Dice, jaccard Jaccard, mcc Pearson's correlation, sba Sokal and Sneath's.

    >>> pair_confusion([0, 0, 1, 1], ["x", "x", "x", "y"])
    true \\ predicted  apart  together
    apart                 2         2
    together              1         1
    """
    a, b = _column(labels_a, "labels_a"), _column(labels_b, "labels_b")
    length = same_length(labels_a=a, labels_b=b)
    if length < 2:
        raise ValueError(f"labels_a has {length} items: a pair needs two")
    codes_a, codes_b = _codes(a, a)[1], _codes(b, b)[1]
    _, joint = np.unique(codes_a.astype(np.int64) * length + codes_b, return_counts=True)
    together = _pairs(joint)
    in_a, in_b, pairs = _pairs(np.bincount(codes_a)), _pairs(np.bincount(codes_b)), length * (length - 1) // 2
    cells = [[pairs - in_a - in_b + together, in_b - together], [in_a - together, together]]
    return ConfusionMatrix(cells, labels=("apart", "together"))


def _pairs(sizes: Array) -> int:
    return sum(size * (size - 1) // 2 for size in sizes.tolist())
