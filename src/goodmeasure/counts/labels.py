"""Labels of any kind as columns that can be counted: numbers, text, bytes, objects, or codes that stand for labels."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import compress

import numpy as np

from goodmeasure.counts.arguments import is_missing, unpacked
from goodmeasure.counts.scorelike import advice_for_rows
from goodmeasure.counts.tables.foreign import Coded, from_foreign
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.typing import AnyArray, Array, ArrayLike, Label


def as_labels_of(values: ArrayLike) -> list[Label]:
    """Return raw values as labels: whole floats as integers, since 1.0 and 1 are one class, and None if missing."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "biuUS":
        return list(values.tolist())
    return [_label(x) for x in (values.tolist() if isinstance(values, np.ndarray) else values)]


def _label(value: object) -> object:
    value = unpacked(value)
    if is_missing(value):
        return None
    return int(value) if type(value) is float and value.is_integer() and abs(value) < 2**53 else value


class Column:
    """One label for each item, in a form that can be counted."""

    __slots__ = ("categories", "data", "name", "to_labels")

    def __init__(
        self,
        name: str,
        data: Array | list[object],
        to_labels: Callable[[ArrayLike], list[Label]] = as_labels_of,
        categories: tuple[object, ...] | None = None,  # categories keep their order; None: labels are sorted
    ) -> None:
        self.name = name
        self.data = data
        self.to_labels = to_labels
        self.categories = categories

    def __len__(self) -> int:
        return len(self.data)

    @property
    def recoded(self) -> bool:
        """Whether the data are codes that stand for labels of any kind."""
        return self.to_labels is not as_labels_of

    def present(self) -> Array:
        """Return which items have a label."""
        if self.to_labels is not as_labels_of and isinstance(self.data, np.ndarray):
            values, inverse = np.unique(self.data, return_inverse=True)
            return np.array([label is not None for label in self.to_labels(values)], bool)[inverse]
        if isinstance(self.data, np.ndarray) and self.data.dtype.kind != "O":
            return ~np.isnan(self.data) if self.data.dtype.kind == "f" else np.ones(len(self), bool)
        return np.fromiter((not is_missing(label) for label in self.data), bool, len(self))

    def kept(self, keep: Array) -> Column:
        """Return the column with only the items for which `keep` holds."""
        is_list = isinstance(self.data, list)
        data = list(compress(self.data, keep.tolist())) if is_list else np.asarray(self.data)[keep]
        return Column(self.name, data, self.to_labels, self.categories)

    def taken(self, where: Array) -> Column:
        """Return the column of the items at some positions, in that order."""
        is_list = isinstance(self.data, list)
        data = [self.data[k] for k in where.tolist()] if is_list else np.asarray(self.data)[where]
        return Column(self.name, data, self.to_labels, self.categories)


def as_column(values: object, name: str) -> Column:
    """Return one label for each item, from whatever container holds them."""
    if isinstance(values, Coded):
        return _from_codes(values, name)
    if isinstance(values, (str, bytes)) or values is None or not hasattr(values, "__iter__"):
        raise InputTypeError("{name} is {got!r}", name=name, got=values, expected="a list of labels")
    if isinstance(values, (list, tuple)):
        return Column(name, _plain_items(values))
    is_masked = "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray)
    coded = _masked(values, name) if is_masked else from_foreign(values, name)
    if isinstance(coded, Coded):
        return _from_codes(coded, name)
    if isinstance(coded, list):
        return Column(name, coded)
    return _from_array(_one_dimension(np.asarray(coded), name), name)


def _plain_items(values: Sequence[ArrayLike]) -> list[object]:
    """Return a list of labels; a tensor of one element becomes its value, since tensors hash by identity."""
    if values and hasattr(values[0], "detach"):
        return [x.item() if hasattr(x, "detach") else x for x in values]
    return values if isinstance(values, list) else list(values)


def _one_dimension(array: Array, name: str) -> Array:
    """Return an array with one axis; a single column is flattened, anything else is refused."""
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise InputError(
            "{name} has shape {shape}",
            name=name,
            shape=array.shape,
            expected="one label for each item",
            advice=advice_for_rows(array),
        )
    return array


def _from_array(array: Array, name: str) -> Column:
    kind = array.dtype.kind
    if kind not in "OVT" and not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if kind in "Mm":
        return _from_dates(array, name)
    if kind == "f" and array.dtype.itemsize not in (4, 8):
        return Column(name, array.astype(np.float64))
    if kind in "US":
        return Column(name, array if array.dtype.itemsize else array.astype(f"{kind}1"))
    if kind in "biufO":
        return Column(name, array)
    return Column(name, array.tolist() if kind in "cV" else list(array.astype(object)))


def _from_dates(array: Array, name: str) -> Column:
    """Return dates or durations as a column of the integers that they are stored as."""

    def to_labels(values: object) -> list[object]:
        return [None if np.isnat(x) else x for x in np.ascontiguousarray(values, np.int64).view(array.dtype)]

    return Column(name, array.view(np.int64), to_labels)


def _masked(values: AnyArray, name: str) -> Coded | Array:
    """Return the values of a masked NumPy array, in which hidden items are missing labels."""
    mask = np.ma.getmaskarray(values)
    return Coded.of_masked(_one_dimension(values.data, name), _one_dimension(mask, name))


def _from_codes(coded: Coded, name: str) -> Column:
    """Return a column of codes with their labels."""
    names = coded.labels if coded.codes_of is None else dict(zip(coded.codes_of, coded.labels, strict=True))
    known = {code: _label(names[code]) for code in (names if isinstance(names, dict) else range(len(names)))}

    def to_labels(codes: Array) -> list[object]:
        return [known.get(code) for code in codes.tolist()]

    order = tuple(known.values()) if coded.ordered else None
    return Column(name, coded.codes, to_labels, order)


def common_units(true: Column, pred: Column, y_true: object, y_pred: object) -> tuple[Column, Column]:
    """Return both columns, with dates in different units converted to one, so that equal dates are one class."""
    units = [getattr(values, "dtype", None) for values in (y_true, y_pred)]
    if units[0] == units[1] or not all(isinstance(x, np.dtype) and x.kind in "Mm" for x in units):
        return true, pred
    if units[0].kind != units[1].kind:  # type: ignore[union-attr]
        raise InputTypeError(
            "{true} holds {unit} values, {pred} {other}",
            true=true.name,
            pred=pred.name,
            unit=units[0],
            other=units[1],
            advice="convert them to one kind",
        )
    common = np.result_type(*units)
    return (
        as_column(np.asarray(y_true).astype(common), true.name),
        as_column(np.asarray(y_pred).astype(common), pred.name),
    )
