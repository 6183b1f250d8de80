"""Scores, probabilities and true labels that users pass in as arrays, and the errors about them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goodmeasure.sklearn.parameters import is_sparse
from goodmeasure.sklearn.targets import (
    CLASSES,
    NO_MATRIX,
    as_array,
    as_weights,
    broad_kind,
    check_finite,
    converted,
    number_of_items,
)
from goodmeasure.typing import Array

_RESHAPE = (
    "Reshape your data either using array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) "
    "if it contains a single sample."
)


def check_lengths(*arrays: object) -> None:
    """Refuse arrays of different lengths; None stands for an array that was not given."""
    lengths = [number_of_items(x) for x in arrays if x is not None]
    if len(set(lengths)) > 1:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {lengths!r}")


def kind_of(y: object, name: str = "") -> str:
    """Return the kind of targets in scikit-learn's words, which tell binary from multiclass."""
    array = as_array(y)
    kind = broad_kind(array, y, name)
    if kind != CLASSES:
        return kind
    return "multiclass" if len(distinct(array.data if is_sparse(array) else np.asarray(array))) > 2 else "binary"


def distinct(array: Array) -> Array:
    """Return the values that occur, in rising order; two values are found without a sort."""
    if array.dtype.kind not in "biuf" or array.size < 2:
        return np.unique(array)
    low, high = array.min(), array.max()
    if ((array == low) | (array == high)).all():
        return np.array([low] if low == high else [low, high])
    return np.unique(array)


def dense(x: object) -> Array:
    """Return an array of any type with at most two axes."""
    if is_sparse(x):
        raise TypeError(
            "Sparse data was passed, but dense data is required. Use '.toarray()' to convert to a dense numpy array."
        )
    if isinstance(x, np.matrix):
        raise TypeError(NO_MATRIX)
    array = converted(x)
    if array.ndim > 2:
        raise ValueError(f"Found array with dim {array.ndim}, while dim <= 2 is required.")
    return array


def checked(x: object, *, table: bool = False) -> Array:
    """Return an array of any type that is finite and not empty."""
    array = dense(x)
    if table:
        _check_table(array)
    check_all_finite(array)
    if not array.ndim:
        number_of_items(array)
    if not array.shape[0]:
        raise ValueError(f"Found array with 0 sample(s) (shape={array.shape}) while a minimum of 1 is required.")
    if array.ndim == 2 and not array.shape[1]:
        raise ValueError(f"Found array with 0 feature(s) (shape={array.shape}) while a minimum of 1 is required.")
    return array


def as_numbers(x: object, *, table: bool = False) -> Array:
    """Return finite numbers; `table` asks for two axes."""
    array = dense(x)
    if array.dtype.kind == "O":
        array = array.astype(np.float64)
    if table:
        _check_table(array)
    if array.dtype.kind in "USV":
        raise ValueError(
            "dtype='numeric' is not compatible with arrays of bytes/strings.Convert your data to numeric values "
            "explicitly instead."
        )
    return checked(array)


def as_floats(x: object) -> Array:
    """Return finite floats; narrower types than 64 bits are kept."""
    array = dense(x)
    if array.dtype.kind == "U":
        array = np.array(array.tolist(), np.float64)  # raises, naming the first word
    return checked(array if array.dtype in (np.float32, np.float16) else array.astype(np.float64, copy=False))


def _check_table(array: Array) -> None:
    if array.ndim == 0:
        raise ValueError(f"Expected 2D array, got scalar array instead:\narray={array}.\n{_RESHAPE}")
    if array.ndim == 1:
        raise ValueError(f"Expected 2D array, got 1D array instead:\narray={array}.\n{_RESHAPE}")


def as_column(x: object) -> Array:
    """Return one value for each item."""
    array = dense(x)
    if array.ndim == 1 or (array.ndim == 2 and array.shape[1] == 1):
        return array.reshape(-1)
    raise ValueError(f"y should be a 1d array, got an array of shape {array.shape} instead.")


def check_all_finite(array: Array) -> None:
    """Refuse NaN and infinity, with no name for the array."""
    if array.dtype.kind == "O":
        if any(isinstance(x, float) and x != x for x in array.flat):
            raise ValueError("Input contains NaN")
    elif array.dtype.kind == "f" and not np.isfinite(array.sum(dtype=np.float64)):
        check_finite(array, "")


def check_weights(sample_weight: object, length: int) -> Array | None:
    """Return the weights as they are, after checking them; None if there are none."""
    return None if sample_weight is None else as_weights(dense(sample_weight), length)


def positive_label(pos_label: object, classes: Array) -> object:
    """Return the positive label: the one that was named, or else 1 if the classes are 0, −1 and 1."""
    if pos_label is not None:
        return pos_label
    found = classes.tolist()
    if classes.dtype.kind in "OUS" or found not in ([0, 1], [-1, 1], [0], [-1], [1]):
        listed = ", ".join(map(repr, found))
        raise ValueError(
            f"y_true takes value in {{{listed}}} and pos_label is not specified: either make y_true take value in "
            "{0, 1} or {-1, 1} or pass pos_label explicitly."
        )
    return 1


class BinaryScores(NamedTuple):
    """Which items are positive, their scores, and their weights, of which none is 0."""

    hit: Array
    scores: Array
    weights: Array | None


def read_scored(
    y_true: object, y_score: object, pos_label: object = None, sample_weight: object = None
) -> BinaryScores:
    """Return which items are positive, and their scores, of targets that are known to be classes."""
    true = np.asarray(as_array(y_true))
    positive = positive_label(pos_label, distinct(true) if pos_label is None else true)
    hit = np.broadcast_to(true == positive, true.shape)  # a label of another type equals none
    check_lengths(true, y_score, sample_weight)
    hit, scores = as_column(hit), as_column(y_score)
    check_all_finite(scores)
    if scores.dtype.kind in "USV":
        raise TypeError("scores must be numbers, not strings or bytes")
    if not len(scores):
        raise ValueError("Found array with 0 sample(s) (shape=(0,)) while a minimum of 1 is required.")
    if sample_weight is None:
        return BinaryScores(hit, scores, None)
    weights = as_weights(as_column(sample_weight), len(hit)).astype(np.float64)
    some = weights != 0
    return BinaryScores(hit[some], scores[some], weights[some])
