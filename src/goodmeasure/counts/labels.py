"""Labels of any kind as columns that can be counted: numbers, text, bytes, objects, or codes that stand for labels."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from goodmeasure.counts.arguments import is_missing, unpacked
from goodmeasure.counts.kernel.tally import DistinctValues, encoded
from goodmeasure.counts.readers.foreign import Coded, from_foreign
from goodmeasure.counts.scores_as_labels import advice_for_rows
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


_TYPES: dict[str, type] = {"b": bool, "i": int, "u": int, "U": str}


class Column:
    """One label for each item, in a form that can be counted."""

    __slots__ = ("categories", "data", "name", "ranked", "to_labels")

    def __init__(
        self,
        name: str,
        data: Array | list[object],
        to_labels: Callable[[ArrayLike], list[Label]] = as_labels_of,
        categories: tuple[object, ...] | None = None,  # categories keep their order; None: labels are sorted
        ranked: bool = True,  # whether the order of categories means something
    ) -> None:
        self.name = name
        self.data = data
        self.to_labels = to_labels
        self.categories = categories
        self.ranked = ranked

    def __len__(self) -> int:
        return len(self.data)

    @property
    def recoded(self) -> bool:
        """Whether the data are codes that stand for labels of any kind."""
        return self.to_labels is not as_labels_of

    @property
    def is_of_integers(self) -> bool:
        """Whether the data are integers, and no codes that stand for other labels."""
        return type(self.data) is np.ndarray and self.data.dtype.kind in "biu" and self.to_labels is as_labels_of

    def types(self, found: DistinctValues) -> Iterable[type | None]:
        """Return the types of the labels that were found; None stands for those that only looking at them tells."""
        if self.to_labels is not as_labels_of:
            return (None,)
        if isinstance(found.values, np.ndarray):
            return (_TYPES.get(found.values.dtype.kind),)
        return map(type, found.examples)

    def present(self) -> Array:
        """Return which items have a label."""
        if self.is_never_missing:
            return np.ones(len(self.data), bool)
        if isinstance(self.data, np.ndarray) and self.data.dtype.kind == "f" and not self.recoded:
            return ~np.isnan(self.data)
        labels, codes = self.coded()
        return np.array([x is not None for x in labels], bool)[codes]

    def coded(self) -> tuple[list[Label], Array]:
        """Return the different labels, and for each item which of them it has."""
        found, codes = encoded(self.data)
        return self.to_labels(found.values), codes

    def places(self, among: Sequence[Label]) -> Array:
        """Return the place of each item's label among some; −1 where it is none of them."""
        place = {label: k for k, label in enumerate(among)}
        labels, codes = self.coded()
        return np.array([place.get(x, -1) for x in labels], np.int64)[codes]

    @property
    def is_never_missing(self) -> bool:
        """Whether every item has a label: integers, truth values and text always do."""
        return isinstance(self.data, np.ndarray) and self.data.dtype.kind in "biuUS" and not self.recoded

    def taken(self, where: Array) -> Column:
        """Return the column of the items at some positions, in that order."""
        is_list = isinstance(self.data, list)
        return self.of([self.data[k] for k in where.tolist()] if is_list else np.asarray(self.data)[where])

    def copied(self) -> Column:
        """Return the same column in memory of its own."""
        return self.of(self.data[:] if isinstance(self.data, list) else np.array(self.data))

    def of(self, data: Array | list[object]) -> Column:
        """Return other data of the same kind as a column."""
        return Column(self.name, data, self.to_labels, self.categories, self.ranked)


def as_column(values: object, name: str) -> Column:
    """Return one label for each item, from whatever container holds them."""
    if type(values) is np.ndarray and values.ndim == 1 and values.dtype.kind in "biu" and values.dtype.isnative:
        return Column(name, values)
    if isinstance(values, Coded):
        return _from_codes(values, name)
    if isinstance(values, (str, bytes)) or values is None or not hasattr(values, "__iter__"):
        raise InputTypeError("{name} is {got!r}", name=name, got=values, expected="a list of labels")
    if isinstance(values, (list, tuple)):
        values = list(values) if isinstance(values, tuple) else values
        return Column(name, _items(values) if values and hasattr(values[0], "detach") else values)
    is_masked = "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray)
    coded = _masked(values, name) if is_masked else from_foreign(values, name)
    if isinstance(coded, Coded):
        return _from_codes(coded, name)
    if isinstance(coded, list):
        return Column(name, coded)
    return _from_array(_one_dimension(np.asarray(coded), name), name)


def _items(values: Sequence[ArrayLike]) -> list[object]:
    """Return tensors of one element as their values, since tensors hash by identity."""
    return [x.item() if hasattr(x, "detach") else x for x in values]


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
    return Column(name, coded.codes, to_labels, order, coded.ranked)


def as_columns(*named: tuple[object, str]) -> list[Column]:
    """Return columns with their names; dates in different units get one unit, so that equal dates are one class."""
    first = getattr(named[0][0], "dtype", None)
    for values, _ in named:
        if getattr(values, "dtype", None) is not first:
            named = _in_one_unit(named)
            break
    return [as_column(values, name) for values, name in named]


def _in_one_unit(named: Sequence[tuple[ArrayLike, str]]) -> tuple[tuple[object, str], ...]:
    units = {
        name: x.dtype for x, name in named if isinstance(getattr(x, "dtype", None), np.dtype) and x.dtype.kind in "Mm"
    }
    if len(set(units.values())) < 2:
        return tuple(named)
    (one, unit), *others = units.items()
    for other, another in others:
        if another.kind != unit.kind:
            raise InputTypeError(
                "{true} holds {unit} values, {pred} {other}",
                true=one,
                pred=other,
                unit=unit,
                other=another,
                advice="convert them to one kind",
            )
    common = np.result_type(*units.values())
    return tuple((np.asarray(x).astype(common) if name in units else x, name) for x, name in named)
