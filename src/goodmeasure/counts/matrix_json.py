"""Confusion matrices as JSON: nothing is lost, so that matrices can be stored and merged on another machine.

The schema, version 1: `schema` names it; `labels` lists the classes in the order of rows and columns; `counts` are the
rows of the matrix (of each matrix, if it is a batch of the shape `batch`), or `cells` lists [row, column, count] of the
non-zero cells of very many classes. `numbers` is the NumPy type of the counts; in "object", "1/3" is a fraction. `n` is
the total, which is checked on reading. `dropped` is the number of items without a label, and `order` tells how to
arrange the classes of further data, and `stated` in it whether the last of two classes is the positive one (as it is
where the key is absent). A label that JSON has no type for is an object with its type as the only key.
Where items were weighted, `weighing` holds the number of `items` in each cell and the sums of their squared weights
(`squares`), each laid out like the matrix itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from goodmeasure.counts.classes import Order
from goodmeasure.counts.matrix_parts import MatrixParts, Weighing
from goodmeasure.counts.sparse_counts import SparseCounts
from goodmeasure.documents import PREFIX, UNREADABLE, DamageError, damaged, read_label, write_label
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array, Label, ReadJson

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

KIND, VERSION = "confusion-matrix", 1


class MatrixData(TypedDict, total=False):
    """A matrix as JSON holds it; the module's description says what the entries are."""

    schema: str
    rows: str
    columns: str
    labels: list[ReadJson]
    numbers: str
    n: ReadJson
    batch: list[int]
    counts: list[ReadJson]
    cells: list[list[ReadJson]]
    dropped: ReadJson
    order: dict[str, ReadJson]
    weighing: dict[str, dict[str, ReadJson]]


KINDS = (
    "int64", "uint64", "int32", "uint32", "int16", "uint16", "int8", "uint8", "float64", "float32", "float16",
)  # fmt: skip
_SAME_TOTAL = 1e-9  # a sum of floats may be rounded differently on another machine


def to_data(parts: MatrixParts, *, listed: bool = True) -> dict[str, object]:
    """Return the parts of a confusion matrix as data that JSON can hold; the counts themselves only if `listed`."""
    data: dict[str, object] = {"schema": f"{PREFIX}/{KIND}/{VERSION}", "rows": "true", "columns": "predicted"}
    data["labels"] = [write_label(x) for x in parts.labels]
    data.update(_counts_of(parts, listed))
    data["dropped"] = _number(parts.dropped)
    order = parts.order
    data["order"] = {
        "categories": None if order.categories is None else [write_label(x) for x in order.categories],
        "appeared": None if order.appeared is None else [write_label(x) for x in order.appeared],
        "fixed": order.fixed,
        "stated": order.stated,
    }
    if parts.weighing is not None and listed:
        both = zip(Weighing._fields, parts.weighing, strict=True)
        data["weighing"] = {name: _counts_of(matrix._parts, listed) for name, matrix in both}
    return data


def _counts_of(parts: MatrixParts, listed: bool) -> dict[str, object]:
    """Return the counts of a matrix, or only their type and sum, as data."""
    data: dict[str, object] = {}
    if parts.sparse is not None:
        rows, cols, values = parts.sparse.cells()
        data["numbers"] = str(values.dtype)
        data["n"] = _number(parts.sparse.n)
        if listed:
            data["cells"] = [list(x) for x in zip(rows.tolist(), cols.tolist(), _numbers(values), strict=True)]
        return data
    counts = parts.counts
    assert counts is not None
    data["numbers"] = str(counts.dtype)
    data["n"] = _number(_total(counts))
    data["batch"] = list(counts.shape[:-2])
    if listed:
        data["counts"] = _nested(_numbers(counts.ravel()), counts.shape)
    return data


def from_data(data: ReadJson) -> MatrixParts:
    """Return the parts of a confusion matrix from the data."""
    try:
        labels, order, total, dropped = parts_of(data)
        counts, sparse = _read_counts(data, labels)
        totals_agree(counts, sparse, total, "this JSON")
        weighing = read_weighing(data["weighing"], labels, order) if "weighing" in data else None
    except UNREADABLE as error:
        if isinstance(error, InputError):
            raise
        raise damaged("this JSON", KIND, error) from None
    return checked(MatrixParts(counts, labels, order, sparse, dropped, weighing))


def read_weighing(data: Mapping[str, ReadJson], labels: tuple[Label, ...], order: Order) -> Weighing:
    """Return the items behind a matrix of weights from the data."""
    found = []
    for name in Weighing._fields:
        counts, sparse = _read_counts(data[name], labels)
        totals_agree(counts, sparse, _read_number(data[name]["n"]), "this JSON")
        found.append(MatrixParts(counts, labels, order, sparse))
    return as_weighing(*found)


def as_weighing(items: MatrixParts, squares: MatrixParts) -> Weighing:
    """Return the items behind a matrix of weights from the parts of both matrices."""
    from goodmeasure.counts.matrix import ConfusionMatrix

    return Weighing(ConfusionMatrix._of(items), ConfusionMatrix._of(squares))


def checked(parts: MatrixParts) -> MatrixParts:
    """Return the parts of a matrix; refuse items that are not laid out like the matrix, or that cannot be behind it."""
    for each in parts.weighing or ():
        mine = None if parts.counts is None else parts.counts.shape
        theirs = None if each.is_sparse else each.counts.shape
        if mine != theirs or each.labels != parts.labels:
            raise damaged("this weighing", KIND, DamageError("the items are laid out in another way than the weights"))
    return parts


def parts_of(data: Mapping[str, ReadJson]) -> tuple[tuple[Label, ...], Order, float | Fraction, float]:
    """Return the labels, the order of classes, the total, and the number of items without a label."""
    labels = tuple(read_label(x) for x in data["labels"])
    total: float | Fraction = _read_number(data["n"])
    dropped: float = _read_number(data["dropped"])
    return labels, _read_order(data["order"]), total, dropped


def totals_agree(counts: Array | None, sparse: SparseCounts | None, total: float | Fraction, what: str) -> None:
    """Refuse counts that do not add up to the total that was written beside them."""
    if sparse is None:
        assert counts is not None
        found = _total(counts)
    else:
        found = sparse.n
    if not math.isclose(found, total, rel_tol=_SAME_TOTAL):
        raise InputError(
            "{what} of a confusion matrix is damaged",
            what=what,
            n=total,
            got=found,
            advice="n is {n} and the counts add up to {got}",
        )


def _total(counts: Array) -> float | Fraction:
    """Return the sum of all counts, with integers that cannot overflow."""
    total: float | Fraction
    total = counts.astype(object).sum() if counts.dtype.kind in "iu" and counts.size else counts.sum()
    return total


# Numbers


def _numbers(values: Array) -> list[object]:
    return [_number(x) for x in values.tolist()]


def _number(x: object) -> object:
    if isinstance(x, np.generic):
        x = x.item()
    return str(x) if isinstance(x, Fraction) else x


def _read_number(x: ReadJson) -> ReadJson:
    return Fraction(x) if isinstance(x, str) else x


def _nested(flat: list[object], shape: tuple[int, ...]) -> list[object]:
    """Return a flat list as nested lists of this shape."""
    if len(shape) <= 1:
        return flat
    size = len(flat) // shape[0] if shape[0] else 0
    return [_nested(flat[k * size : (k + 1) * size], shape[1:]) for k in range(shape[0])]


def _read_counts(data: Mapping[str, ReadJson], labels: tuple[Label, ...]) -> tuple[Array | None, SparseCounts | None]:
    """Return the counts, in the type that they had."""
    from goodmeasure.counts.arguments import as_counts

    kind = np.dtype("object" if data["numbers"] == "object" else known_kind(data["numbers"]))
    if "cells" in data:
        rows, cols, values = zip(*data["cells"], strict=True) if data["cells"] else ((), (), ())
        outside = [k for k in (*rows, *cols) if not 0 <= k < len(labels)]
        if outside:
            raise DamageError(f"there is no class number {outside[0]}")
        checked = _typed([_read_number(x) for x in values], kind)
        if any(x < 0 or not math.isfinite(x) for x in checked.tolist()):
            raise DamageError("a count is negative or not finite")
        return None, SparseCounts.from_cells(labels, rows, cols, checked)
    shape = (*data["batch"], len(labels), len(labels))
    flat = [_read_number(x) for x in _flattened(data["counts"], len(shape))]
    counts = _typed(flat, kind).reshape(shape)
    return (as_counts(counts) if labels else counts), None


def known_kind(name: object) -> str:
    """Return the name of a NumPy type of numbers; other types could be of any size."""
    if name not in KINDS:
        raise DamageError(f"counts of the type {name!r} are not known")
    return str(name)


def _typed(values: list[object], kind: DTypeLike) -> Array:
    """Return numbers as an array of a type, and refuse those that the type would change."""
    array = np.empty(len(values), dtype=kind)
    array[:] = values
    if any(x != y for x, y in zip(array.tolist(), values, strict=True)):
        raise DamageError(f"a count is not a number of the type {kind}")
    return array


def _flattened(nested: ReadJson, depth: int) -> list[ReadJson]:
    return list(nested) if depth == 1 else [x for part in nested for x in _flattened(part, depth - 1)]


def _read_order(data: ReadJson) -> Order:
    categories, appeared = (
        None if data[key] is None else tuple(read_label(x) for x in data[key]) for key in ("categories", "appeared")
    )
    return Order(categories, appeared, bool(data["fixed"]), bool(data.get("stated", True)))
