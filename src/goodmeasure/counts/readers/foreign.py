"""Columns of other libraries (pandas, Polars, Arrow, tensors), recognised by type name and never imported here."""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from goodmeasure.counts.scores_as_labels import advice_for_rows
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.typing import Array, Frame, Label


class Coded(NamedTuple):
    """Integer codes and the labels they stand for; a code without a label is a missing label."""

    codes: Array
    labels: list[Label]
    codes_of: list[int] | None = None  # the code of each label; None: 0, 1, 2, …
    ordered: bool = False  # whether the labels are categories whose order is kept
    ranked: bool = True  # whether that order means something, so that the last of two is the positive class

    @classmethod
    def of_masked(cls, data: Array, mask: Array) -> Coded | Array:
        """Return values of which some are masked, as codes in which these are missing."""
        if not mask.any():
            return data
        labels, inverse = np.unique(data[~mask], return_inverse=True)
        codes = np.full(len(data), -1, np.int32)
        codes[~mask] = inverse
        return cls(codes, labels.tolist())


def from_foreign(values: object, name: str) -> Coded | list[object] | Frame:
    """Return codes with their labels, a list of labels, or something that NumPy can read."""
    if hasattr(values, "detach"):  # a torch tensor, perhaps on an accelerator
        tensor = values.detach().cpu()
        return tensor.float() if str(tensor.dtype) == "torch.bfloat16" else tensor
    library = type(values).__module__.partition(".")[0]
    if library == "pandas":
        return _from_pandas(values, name)
    if library == "polars":
        return _from_polars(values, name)
    if library == "pyarrow":
        return _from_arrow(values)
    return values if hasattr(values, "__array__") or hasattr(values, "__buffer__") else _listed(values)


def _listed(values: Frame) -> object:
    """Return any iterable as a list; refuse a dictionary or a set, which has no order that two columns could share."""
    if isinstance(values, (set, frozenset, dict)):
        raise InputTypeError(
            "the labels are a {kind}", kind=type(values).__name__, expected="a list, one label for each item"
        )
    return values if isinstance(values, memoryview) else list(values)


def _single_column(frame: Frame, name: str) -> None:
    if frame.shape[1] != 1:
        raise InputError(
            "{name} has shape {shape}",
            name=name,
            shape=frame.shape,
            expected="one label for each item, so one column",
            advice=advice_for_rows(frame),
        )


def _from_pandas(values: Frame, name: str) -> Coded | Frame:
    if getattr(values, "ndim", 1) == 2:
        _single_column(values, name)
        values = values.iloc[:, 0]
    array: Frame = getattr(values, "array", values)
    dtype = array.dtype
    if hasattr(dtype, "categories"):
        return Coded(np.asarray(array.codes), array.categories.tolist(), ordered=True, ranked=bool(dtype.ordered))
    if hasattr(dtype, "numpy_dtype") and hasattr(dtype, "na_value") and hasattr(array, "isna"):
        if "pyarrow" in sys.modules and hasattr(dtype, "pyarrow_dtype"):
            return _from_arrow(array.__arrow_array__())
        if dtype.numpy_dtype.kind in "biuf" and type(array).__module__.startswith("pandas.core.arrays."):
            return _from_nullable(array, dtype)
    if "pyarrow" in sys.modules and getattr(dtype, "storage", None) == "pyarrow":
        return _from_arrow(array.__arrow_array__())
    return np.asarray(array)


def _from_nullable(array: Frame, dtype: Frame) -> Coded | Frame:
    mask = np.asarray(array.isna())
    if not mask.any():
        return array.to_numpy(dtype=dtype.numpy_dtype)
    return Coded.of_masked(array.to_numpy(dtype=dtype.numpy_dtype, na_value=dtype.numpy_dtype.type(0)), mask)


def _from_polars(values: Frame, name: str) -> Coded | Frame:
    if hasattr(values, "columns"):
        if hasattr(values, "collect"):
            raise InputTypeError("{name} is a lazy frame", name=name, advice="collect it, and give one column of it")
        _single_column(values, name)
        values = values.to_series()
    kind = type(values.dtype).__name__
    kind = values.dtype.__name__ if kind == "DataTypeClass" else kind
    if kind == "Enum":
        return Coded(_signed_codes(values.to_physical()), list(values.dtype.categories), ordered=True)
    if kind in ("Categorical", "String", "Utf8"):
        return _from_polars_text(values, kind)
    if not values.dtype.is_numeric() and kind != "Boolean":
        return list(values.to_list())
    if values.null_count():
        mask = values.is_null().to_numpy()
        return Coded.of_masked(values.fill_null(False if kind == "Boolean" else 0).to_numpy(), mask)
    return values.to_numpy()


def _from_polars_text(values: Frame, kind: str) -> Coded:
    """Return text as the codes of its categories; those of a Categorical have no order of their own."""
    polars = sys.modules["polars"]
    if kind != "Categorical":
        values = values.cast(polars.Categorical)
    different = values.unique().drop_nulls()
    codes = _signed_codes(values.to_physical())
    return Coded(codes, different.cast(polars.String).to_list(), codes_of=different.to_physical().to_list())


def _signed_codes(physical: Frame) -> Array:
    """Return codes as an array, with −1 for null."""
    if not physical.null_count():
        return np.asarray(physical.to_numpy())
    polars = sys.modules["polars"]
    return np.asarray(physical.cast(polars.Int64).fill_null(-1).to_numpy())


def _from_arrow(values: Frame) -> Coded | Frame:
    if hasattr(values, "unify_dictionaries"):  # several chunks, each perhaps with categories of its own
        values = values.unify_dictionaries().combine_chunks()
    ordered = bool(getattr(values.type, "ordered", False))
    if not hasattr(values, "indices"):
        if values.null_count == 0 and str(values.type).startswith(
            ("int", "uint", "float", "double", "bool", "halffloat")
        ):
            return values.to_numpy(zero_copy_only=False)
        if "list" in str(values.type) or "struct" in str(values.type):
            return list(values.to_pylist())
        values = values.dictionary_encode()
    indices = values.indices
    if indices.null_count:
        indices = indices.cast("int64").fill_null(-1)
    return Coded(indices.to_numpy(zero_copy_only=False), values.dictionary.to_pylist(), ordered=ordered)
