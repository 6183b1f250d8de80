"""Counting with NumPy alone, in blocks, so that no temporary array but the codes is as long as the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from goodmeasure.typing import Array

BLOCK = 65536  # items counted at a time: their codes stay in the processor's cache
_WIDEST = 1 << 20  # integers that span at most this range are found by flags instead of sorting


class DistinctValues(NamedTuple):
    """The different values of a column; for objects also one of each type, and where each value first appeared."""

    values: Array | list[object]
    examples: Sequence[object] = ()
    positions: Sequence[int] = ()


def encoded(data: Array | list[object]) -> tuple[DistinctValues, Array]:
    """Return the different values of a column, and for each item which of them it has."""
    codes = np.empty(len(data), np.int32)
    if isinstance(data, list) or data.dtype.kind == "O":
        return _of_objects(data, codes), codes
    near = _Near.of(data)
    if near is not None:
        seen = np.zeros(near.size, bool)
        for start in range(0, len(data), BLOCK):
            seen[near.distances(start)] = True
        place = np.cumsum(seen) - 1
        for start in range(0, len(data), BLOCK):
            codes[start : start + BLOCK] = place[near.distances(start)]
        return DistinctValues(near.name(np.flatnonzero(seen))), codes
    blocks = [data[start : start + BLOCK] for start in range(0, len(data), BLOCK)]
    values = np.unique(np.concatenate([np.unique(_sortable(x)) for x in blocks])) if blocks else data
    for start, block in zip(range(0, len(data), BLOCK), blocks, strict=True):
        codes[start : start + BLOCK] = np.searchsorted(values, _sortable(block))
    return DistinctValues(values), codes


def _sortable(block: Array) -> Array:
    return block + 0.0 if block.dtype.kind == "f" else block  # adding 0.0 turns −0.0 into 0.0


def _of_objects(data: Array | list[object], codes: Array) -> DistinctValues:
    """Write the codes of any hashable labels, and return what they stand for; a NaN is None, as it is not itself."""
    known: dict[object, int] = {}
    types: dict[type, object] = {}
    positions: list[int] = []
    for start in range(0, len(data), BLOCK):
        given = list(data[start : start + BLOCK])
        if not types.keys() >= set(map(type, given)):
            types = {type(x): x for x in reversed(given)} | types
        block = [None if isinstance(x, float) and x != x else x for x in given]
        if not known.keys() >= set(block):
            for k, label in enumerate(block, start):
                if known.setdefault(label, len(known)) == len(positions):
                    positions.append(k)
        codes[start : start + BLOCK] = np.fromiter(map(known.__getitem__, block), np.int32, len(block))
    return DistinctValues(list(known), list(types.values()), positions)


class _Near(NamedTuple):
    """Integers that lie close together: the code of a label is looked up by its distance from the lowest one."""

    data: Array
    low: Array
    size: int

    @classmethod
    def of(cls, data: Array | list[object]) -> _Near | None:
        """Return integers that span a small range; None for all else."""
        if isinstance(data, list) or data.dtype.kind not in "biu" or len(data) == 0:
            return None
        low, high = int(data.min()), int(data.max())
        kind = data.dtype if data.dtype == np.uint64 else np.int64
        return cls(data, np.asarray(low, kind), high - low + 1) if high - low < _WIDEST else None

    def distances(self, start: int) -> Array:
        """Return how far the labels of a block are from the lowest one."""
        block = self.data[start : start + BLOCK]
        if self.low == 0:
            return block.astype(np.intp, copy=False)
        distances: Array = block.astype(self.low.dtype, copy=False) - self.low
        return distances.astype(np.intp, copy=False)

    def name(self, present: Array) -> Array:
        """Return the labels at these distances from the lowest one."""
        values: Array = present.astype(self.low.dtype) + self.low
        return values.astype(bool) if self.data.dtype == bool else values


def cross_near(true: Array | list[object], pred: Array | list[object]) -> tuple[Array, Array, Array] | None:
    """Return the labels and the table of two columns of integers within small ranges, or None; one pass is enough."""
    x = _Near.of(true)
    y = _Near.of(pred) if x is not None else None
    if x is None or y is None or x.size * y.size > BLOCK:
        return None
    total = np.zeros(x.size * y.size, np.int64)
    for start in range(0, len(true), BLOCK):
        total += np.bincount(x.distances(start) * y.size + y.distances(start), minlength=len(total))
    table = total.reshape(x.size, y.size)
    rows, columns = np.flatnonzero(table.any(axis=1)), np.flatnonzero(table.any(axis=0))
    return x.name(rows), y.name(columns), table[np.ix_(rows, columns)]


def _blocks(rows: Array, columns: Array, size: int, weights: Array | None) -> Iterator[tuple[Array, Array | None]]:
    """Yield block after block, with one integer for each pair of codes, and the weights."""
    for start in range(0, len(rows), BLOCK):
        part = slice(start, start + BLOCK)
        yield rows[part].astype(np.int64) * size + columns[part], None if weights is None else weights[part]


def dense(rows: Array, columns: Array, shape: tuple[int, int], weights: Array | None) -> Array:
    """Return the table of all pairs of codes."""
    total = np.zeros(shape[0] * shape[1], np.int64 if weights is None else np.float64)
    small = len(total) <= BLOCK
    for keys, weight in _blocks(rows, columns, shape[1], weights):
        if small:
            total += np.bincount(keys, weights=weight, minlength=len(total))
        else:
            cells, counts = _counted(keys, weight)
            total[cells] += counts
    return total.reshape(shape)


def _counted(keys: Array, weights: Array | None) -> tuple[Array, Array]:
    """Return the different keys, and how often each occurs or what it weighs."""
    if weights is None:
        return np.unique_counts(keys)
    different, inverse = np.unique(keys, return_inverse=True)
    return different, np.bincount(inverse, weights=weights)


def sparse(rows: Array, columns: Array, size: int, weights: Array | None) -> tuple[Array, Array, Array]:
    """Return the pairs of codes that occur: row, column and count; `size` is the number of codes of columns."""
    keys, counts = np.zeros(0, np.int64), np.zeros(0, np.int64 if weights is None else np.float64)
    waiting: list[tuple[Array, Array]] = []
    pending = 0
    for block, weight in _blocks(rows, columns, size, weights):
        waiting.append(_counted(block, weight))
        pending += len(waiting[-1][0])
        if pending > max(len(keys), 64 * BLOCK):  # wait for as many as there are, so that joining costs O(n log n)
            keys, counts = _joined([(keys, counts), *waiting])
            waiting, pending = [], 0
    keys, counts = _joined([(keys, counts), *waiting])
    return keys // size, keys % size, counts


def _joined(parts: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Return the sum of several lists of keys with their counts, sorted by key."""
    keys = np.concatenate([x for x, _ in parts])
    counts = np.concatenate([x for _, x in parts])
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.diff(keys, prepend=keys[:1] - 1)) if len(keys) else np.zeros(0, np.intp)
    return keys[starts], np.add.reduceat(counts[order], starts) if len(starts) else counts
