"""The table of pairs of two columns, counted by the compiled kernel or, where it is absent, by NumPy."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import DTypeLike

from goodmeasure.counts.arguments import unhashable
from goodmeasure.counts.kernel import numpy_tally
from goodmeasure.counts.kernel.compiled import Described, Kernel, Scanner
from goodmeasure.counts.kernel.numpy_tally import DistinctValues as DistinctValues
from goodmeasure.counts.sparse_counts import Cells, sums
from goodmeasure.typing import Array, DType

MOST_DENSE = 64 << 20  # bytes: a larger matrix is kept sparse
_KEPT = 1 << 25  # up to this many items are kept as keys, to be sorted only when a measure needs their cells
_WIDEST = 1 << 26  # the widest range of integer labels that is tallied by the distance from the lowest one


def _load(name: str) -> object:
    """Return a compiled module, or None if it is absent or switched off."""
    if os.environ.get("GOODMEASURE_NO_EXTENSION", "") not in ("", "0"):
        return None
    try:
        return import_module(f"goodmeasure.counts.kernel.{name}")
    except ImportError:  # the package was installed without a compiler
        return None


kernel = cast(Kernel | None, _load("_kernel"))  # None: everything is counted by NumPy; tests set it
scanner = cast(Scanner | None, _load("_scanner"))  # None: all files are read by DuckDB


def cores() -> int:
    """Return how many processors this process may use."""
    available = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ()
    return max(1, len(available) or os.cpu_count() or 1)


class Sized(NamedTuple):
    """Class sizes, the diagonal, and a function that returns the other cells in order when they are needed."""

    a: Array
    b: Array
    diagonal: Array
    others: Callable[[], Cells]


class Crossed(NamedTuple):
    """How often each value of one column meets each value of the other: as a table, or as non-empty cells.

    A table that was counted on another device stays there: `fetch` copies it.
    """

    rows: DistinctValues
    columns: DistinctValues
    table: Array | None = None
    cells: Cells | None = None
    sized: Sized | None = None  # many classes, and both columns have the same values
    fetch: Callable[[], Array] | None = None

    def here(self) -> Crossed:
        """Return the same with its table in the memory of the host."""
        return self if self.fetch is None else self._replace(table=self.fetch(), fetch=None)


def cross(true: Array | list[object], pred: Array | list[object], weights: Array | None = None) -> Crossed:
    """Return how often each pair of values of two columns of one length occurs."""
    if kernel is None:
        return _cross_plainly(true, pred, weights)
    result = kernel.cross(true, pred, weights, _empty)
    if result is None:
        return _cross_sparsely(true, pred, weights)
    rows, columns, counts = result
    first = _found(true, rows)
    second = first if _are_alike(true, pred, rows, columns) else _found(pred, columns)
    return Crossed(first, second, table=counts.reshape(len(first.values), len(second.values)))


def _are_alike(true: Array | list[object], pred: Array | list[object], rows: Described, columns: Described) -> bool:
    """Return whether both columns hold the same integers, of one type."""
    is_range = len(rows) == 2 and isinstance(true, np.ndarray) and isinstance(pred, np.ndarray)
    return is_range and rows == columns and true.dtype == pred.dtype  # type: ignore[union-attr]


def _empty(size: int, weighted: int) -> Array:
    return np.empty(size, np.float64 if weighted else np.int64)


def _found(data: Array | list[object], described: Described) -> DistinctValues:
    """Return the values that the kernel's codes stand for."""
    if isinstance(described, bytes):
        values = np.frombuffer(described, _key_type(np.asarray(data)))
        return DistinctValues(values.astype(bool) if isinstance(data, np.ndarray) and data.dtype == bool else values)
    if len(described) == 3:
        labels, examples, positions = described
        return DistinctValues(labels, list(examples.values()), np.frombuffer(positions, np.intp).tolist())
    low, seen = described
    return DistinctValues(_from_low(np.asarray(data), low, np.frombuffer(seen, np.uint8).nonzero()[0]))


def _key_type(data: Array) -> DTypeLike:
    if data.dtype.kind in "US":
        kind: DType = data.dtype
        return kind
    return np.float64 if data.dtype.kind == "f" else np.uint64 if data.dtype == np.uint64 else np.int64


def _from_low(data: Array, low: int, codes: Array) -> Array:
    """Return labels from their distance to the lowest one."""
    if data.dtype == bool:
        return codes.astype(bool)
    if data.dtype == np.uint64:
        return codes.astype(np.uint64) + np.uint64(low)
    return codes.astype(np.int64) + low


def _cross_plainly(true: Array | list[object], pred: Array | list[object], weights: Array | None) -> Crossed:
    """Count pairs with NumPy."""
    near = numpy_tally.cross_near(true, pred) if weights is None else None
    if near is not None:
        return Crossed(DistinctValues(near[0]), DistinctValues(near[1]), table=near[2])
    (rows, i), (columns, j) = numpy_tally.encoded(true), numpy_tally.encoded(pred)
    shape = len(rows.values), len(columns.values)
    if shape[0] * shape[1] * 8 <= MOST_DENSE:
        return Crossed(rows, columns, table=numpy_tally.dense(i, j, shape, weights))
    return Crossed(rows, columns, cells=numpy_tally.sparse(i, j, shape[1], weights))


def _cross_sparsely(true: Array | list[object], pred: Array | list[object], weights: Array | None) -> Crossed:
    """Count pairs of many classes: integers by their distance from the lowest one, everything else by dictionary."""
    if weights is None and isinstance(true, np.ndarray) and isinstance(pred, np.ndarray):
        crossed = _cross_integers(true, pred) if true.dtype == pred.dtype and true.dtype.kind in "biuf" else None
        if crossed is not None:
            return crossed
    rows, i = encoded(true)
    columns, j = encoded(pred)
    if weights is not None:
        return Crossed(rows, columns, cells=numpy_tally.sparse(i, j, len(columns.values), weights))
    size = max(16, 1 << (max(len(rows.values), len(columns.values)) - 1).bit_length())
    assert kernel is not None
    counted = kernel.pairs(i, j, 0, size, _empty)
    assert counted is not None  # all codes are below the size
    diagonal, *others = counted
    equal = np.flatnonzero(diagonal)  # equal codes mean nothing here, since each column has codes of its own
    first = equal, equal, diagonal[equal]
    i, j, counts = (np.concatenate(both) for both in zip(first, others, strict=True))
    return Crossed(rows, columns, cells=(i, j, counts))


def encoded(data: Array | list[object]) -> tuple[DistinctValues, Array]:
    """Return the different values of a column, and for each item which of them it has."""
    try:
        if kernel is None:
            return numpy_tally.encoded(data)
        codes = np.empty(len(data), np.int32)
        return _found(data, kernel.encode(data, codes)), codes
    except TypeError as error:
        raise unhashable(error, data) from None


def _cross_integers(true: Array, pred: Array) -> Crossed | None:
    """Count pairs of integers within one range; None if it is too wide, or if a rare label lies outside the guess."""
    assert kernel is not None
    window = kernel.window(true, pred, _WIDEST)
    if window is None:
        return None
    return _sized(true, pred, *window) if len(true) <= _KEPT else _paired(true, pred, *window)


def _sized(true: Array, pred: Array, low: int, size: int) -> Crossed | None:
    """Count class sizes and hits at once, and keep the pairs off the diagonal until a measure needs the cells."""
    sizes, b = np.zeros((size, 2), np.int64), np.zeros(size, np.int64)
    keys = np.empty(len(true), np.uint64)
    compiled = kernel
    assert compiled is not None
    pending = compiled.sizes(true, pred, low, size, sizes, b, keys)
    if pending is None:
        return None
    keys = keys[:pending].copy()  # frees the rest of the buffer
    a, diagonal = sizes[:, 0], sizes[:, 1]
    seen = (a > 0) | (b > 0)
    present = np.flatnonzero(seen)
    place = np.cumsum(seen) - 1

    def others() -> Cells:
        rows, columns, counts = compiled.cells(keys, size, _empty)
        return place[rows], place[columns], counts

    found = DistinctValues(_from_low(true, low, present))
    return Crossed(found, found, sized=Sized(a[present], b[present], diagonal[present], others))


def _paired(true: Array, pred: Array, low: int, size: int) -> Crossed | None:
    """Count all cells at once, since so many items could not be kept."""
    assert kernel is not None
    counted = kernel.pairs(true, pred, low, size, _empty)
    if counted is None:
        return None
    diagonal, rows, columns, counts = counted
    seen = diagonal > 0
    seen[rows] = True
    seen[columns] = True
    present = np.flatnonzero(seen)
    place = np.cumsum(seen) - 1
    rows, columns, diagonal = place[rows], place[columns], diagonal[present]
    a, b = (sums(x, counts, len(present)) + diagonal for x in (rows, columns))
    found = DistinctValues(_from_low(true, low, present))
    return Crossed(found, found, sized=Sized(a, b, diagonal, lambda: (rows, columns, counts)))


def all_cells(crossed: Crossed) -> Cells:
    """Return the row, column and count of all cells that may be non-zero."""
    if crossed.table is not None:
        i, j = np.nonzero(crossed.table)
        return i, j, crossed.table[i, j]
    if crossed.sized is None:
        assert crossed.cells is not None  # one of the three
        return crossed.cells
    diagonal = crossed.sized.diagonal
    on = np.flatnonzero(diagonal)
    i, j, counts = (np.concatenate(x) for x in zip((on, on, diagonal[on]), crossed.sized.others(), strict=True))
    return i, j, counts
