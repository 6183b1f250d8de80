"""Targets and weights that users pass in as arrays, and the errors about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from goodmeasure.sklearn.parameters import is_sparse
from goodmeasure.typing import AnyArray, Array

CLASSES = "classes"  # one label for each item; counting tells whether it is binary or multiclass
MULTILABEL = "multilabel-indicator"

_LEGACY = (
    "You appear to be using a legacy multi-label data representation. Sequence of sequences are no longer "
    "supported; use a binary array or sparse matrix instead - the MultiLabelBinarizer transformer can convert to "
    "this format."
)
_BYTES = "Support for labels represented as bytes is not supported. Convert the labels to a string or integer format."
NO_MATRIX = (
    "np.matrix is not supported. Please convert to a numpy array with np.asarray. For more information see: "
    "https://numpy.org/doc/stable/reference/generated/numpy.matrix.html"
)


class Targets(NamedTuple):
    """True and predicted targets of one kind, with their weights."""

    multilabel: bool
    y_true: AnyArray
    y_pred: AnyArray
    weights: Array | None


def read_targets(y_true: object, y_pred: object, sample_weight: object = None) -> Targets:
    """Return targets as label columns or as indicator matrices, after checking them against each other."""
    lengths = [number_of_items(x) for x in (y_true, y_pred, sample_weight) if x is not None]
    if len(set(lengths)) > 1:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {lengths!r}")
    true, pred = as_array(y_true), as_array(y_pred)
    kind, kind_pred = broad_kind(true, y_true, "y_true"), broad_kind(pred, y_pred, "y_pred")
    if lengths[0] < 1:
        raise ValueError(
            "Found empty input array (e.g., `y_true` or `y_pred`) while a minimum of 1 sample is required."
        )
    weights = None if sample_weight is None else as_weights(sample_weight, lengths[0])
    if kind != kind_pred:
        raise ValueError(
            f"Classification metrics can't handle a mix of {_told(kind, true)} and {_told(kind_pred, pred)} targets"
        )
    if kind == MULTILABEL:
        return Targets(True, true, pred, weights)
    if kind != CLASSES:
        raise ValueError(f"{kind} is not supported")
    return Targets(False, _column(true), _column(pred), weights)


def number_of_items(x: object) -> int:
    """Return how many items x has along its first axis."""
    if hasattr(x, "fit") and callable(x.fit):
        raise TypeError(f"Expected sequence or array-like, got {type(x)}")
    shape = getattr(x, "shape", None)
    if shape is not None:
        if len(shape) == 0:
            raise TypeError(
                f"Input should have at least 1 dimension i.e. satisfy `len(x.shape) > 0`, got scalar `{x!r}` instead."
            )
        return int(shape[0])
    if not hasattr(x, "__len__"):
        if not hasattr(x, "__array__"):
            raise TypeError(f"Expected sequence or array-like, got {type(x)}")
        x = np.asarray(x)
    return len(x)


def as_array(y: object) -> AnyArray:
    """Return targets as an array; a sparse matrix and a list of strings are returned unchanged."""
    if is_sparse(y):
        return y
    if isinstance(y, np.matrix):
        raise TypeError(NO_MATRIX)
    if isinstance(y, list) and y and type(y[0]) is str and set(map(type, y)) == {str}:
        return y
    if isinstance(y, str) or not (isinstance(y, Sequence) or hasattr(y, "__array__")):
        raise ValueError(f"Expected array-like (array or non-string sequence), got {y!r}")
    array = converted(y)
    return array.astype(object) if array.dtype.kind == "T" else array


def converted(y: object) -> Array:
    """Return what users pass in as an array: tensors, nullable numbers, rows of different lengths."""
    dtype = getattr(y, "dtype", None)
    if not isinstance(dtype, np.dtype) and getattr(dtype, "kind", "") in tuple("iufb") and hasattr(y, "astype"):
        y = y.astype(np.float64)  # pandas' nullable numbers would become objects
    if hasattr(y, "detach"):
        y = y.detach().cpu()  # a torch tensor, perhaps on an accelerator
    try:
        array = np.asarray(y)
    except ValueError:  # rows of different lengths
        return np.asarray(y, dtype=object)
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{array}\n")
    return array


def broad_kind(array: AnyArray, original: object, name: str) -> str:
    """Return the kind of targets, in scikit-learn's words except that binary and multiclass are `CLASSES`."""
    if isinstance(array, list):
        return CLASSES
    if type(original).__name__ in ("SparseSeries", "SparseArray"):
        raise ValueError("y cannot be class 'SparseSeries' or 'SparseArray'")
    several = array.ndim == 2 and array.shape[1] > 1
    if several and _is_indicator(array):
        return MULTILABEL
    if not is_sparse(array):
        _check_first(array)
    if array.ndim not in (1, 2) or (array.ndim == 2 and not min(array.shape)):
        return "unknown"
    if array.dtype == object and array.size and not isinstance(array.flat[0], str):
        return "unknown"
    suffix = "-multioutput" if several else ""
    if array.dtype.kind == "f" and not _is_whole(array.data if is_sparse(array) else array):
        check_finite(array.data if is_sparse(array) else array, name)
        return "continuous" + suffix
    return "multiclass" + suffix if several else CLASSES


def _check_first(array: Array) -> None:
    """Refuse bytes and sequences as labels."""
    if array.ndim == 0 or not len(array):
        return
    first = array[0]
    if isinstance(first, bytes):
        raise TypeError(_BYTES)
    if not hasattr(first, "__array__") and isinstance(first, Sequence) and not isinstance(first, str):
        raise ValueError(_LEGACY)


def _is_indicator(array: AnyArray) -> bool:
    """Return whether a matrix holds at most two values, both whole, and so tells which labels each item has."""
    sparse = is_sparse(array)
    data = array.tocsr().data if sparse else array
    if data.size == 0:
        return sparse
    if data.dtype.kind == "b":
        return True
    if data.dtype.kind not in "iuf":
        return False
    low, high = data.min(), data.max()
    if sparse and low != high and low != 0 and high != 0:
        return False
    two = bool(((data == low) | (data == high)).all())
    return two and (data.dtype.kind != "f" or _is_whole(np.array([low, high])))


def _is_whole(array: Array) -> bool:
    return bool(np.all((array == np.rint(array)) & (np.abs(array) < 2.0**63)))


def check_finite(array: Array, name: str) -> None:
    """Refuse NaN and infinity in an array that has a name, or none."""
    name = f"{name} " if name else ""
    if np.isnan(array).any():
        raise ValueError(f"Input {name}contains NaN.")
    if np.isinf(array).any():
        raise ValueError(f"Input {name}contains infinity or a value too large for {array.dtype!r}.")


def _told(kind: str, array: AnyArray) -> str:
    """Return the name of a kind as error messages give it; they distinguish binary from multiclass."""
    if kind != CLASSES:
        return kind
    values = array.data if is_sparse(array) else array
    return "multiclass" if len(np.unique(values)) > 2 else "binary"


def _column(array: AnyArray) -> AnyArray:
    """Return one label for each item, as an array or a list of strings."""
    if is_sparse(array):
        raise TypeError("Sparse input is only supported when targets are of multilabel type")
    if isinstance(array, list):
        return array
    return array.reshape(-1)


def as_weights(sample_weight: object, length: int) -> Array:
    """Return the weights, which must be finite and not all 0."""
    weights = converted(sample_weight)
    if weights.dtype.kind in "fO":
        weights = weights.astype(np.float64, copy=False)
        check_finite(weights, "sample_weight")
    if weights.ndim != 1:
        raise ValueError(
            f"Sample weights must be 1D array or scalar, got {weights.ndim}D array. Expected either a scalar value "
            f"or a 1D array of length {length}."
        )
    if not np.any(weights != 0):
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return weights
