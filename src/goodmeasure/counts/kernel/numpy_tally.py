"""Counting with NumPy alone, in blocks, so that no temporary array is as long as the data."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from goodmeasure.typing import Array

BLOCK = 65536  # items counted at a time: their codes stay in the processor's cache
_WIDEST = 1 << 20  # integers that span at most this range are found by flags instead of sorting


class CodedColumn:
    """A column whose codes are already known."""

    def __init__(self, codes: Array, values: Array | list[object]) -> None:
        self._codes = codes
        self.values = values
        self.examples: list[object] = []
        self.positions: list[int] = []

    def __len__(self) -> int:
        return len(self._codes)

    def codes(self, start: int, stop: int) -> Array:
        """Return the codes of some items."""
        return self._codes[start:stop]


class _Near(CodedColumn):
    """Integers that lie close together: the code of a label is looked up by its distance from the lowest one."""

    def __init__(self, data: Array, low: int, size: int) -> None:
        super().__init__(data, [])
        self._low = np.asarray(low, data.dtype if data.dtype == np.uint64 else np.int64)
        self.size = size
        self._place: Array | None = None

    def distances(self, start: int, stop: int) -> Array:
        """Return how far the labels of some items are from the lowest one."""
        block = self._codes[start:stop]
        if self._low == 0:
            return block.astype(np.intp, copy=False)
        distances: Array = block.astype(self._low.dtype, copy=False) - self._low
        return distances.astype(np.intp, copy=False)

    def name(self, present: Array) -> Array:
        """Return the labels at these distances from the lowest one."""
        values: Array = present.astype(self._low.dtype) + self._low
        return values.astype(bool) if self._codes.dtype == bool else values

    def look(self) -> CodedColumn:
        """Find the labels that occur, so that `codes` can be called."""
        seen = np.zeros(self.size, bool)
        for start in range(0, len(self), BLOCK):
            seen[self.distances(start, start + BLOCK)] = True
        self._place = np.cumsum(seen) - 1
        self.values = self.name(np.flatnonzero(seen))
        return self

    def codes(self, start: int, stop: int) -> Array:
        assert self._place is not None
        codes: Array = self._place[self.distances(start, stop)]
        return codes


class _Sorted(CodedColumn):
    """Values that can be sorted: the code of a value is its position in the sorted list."""

    def __init__(self, data: Array) -> None:
        super().__init__(data, [])
        different = [np.unique(self._block(start, start + BLOCK)) for start in range(0, len(data), BLOCK)]
        self.values = np.unique(np.concatenate(different))

    def _block(self, start: int, stop: int) -> Array:
        block = self._codes[start:stop]
        return block + 0.0 if block.dtype.kind == "f" else block  # adding 0.0 turns −0.0 into 0.0

    def codes(self, start: int, stop: int) -> Array:
        return np.searchsorted(np.asarray(self.values), self._block(start, stop))


class _Objects(CodedColumn):
    """Any hashable labels, coded by a dictionary."""

    def __init__(self, data: Array | list[object]) -> None:
        values: list[object] = []
        super().__init__(data, values)  # type: ignore[arg-type]
        self._known: dict[object, int] = {}
        types: dict[type, list[int]] = {}
        for start in range(0, len(data), BLOCK):
            block = self._block(start, start + BLOCK)
            if not types.keys() >= set(map(type, self._codes[start : start + BLOCK])):
                for x in self._codes[start : start + BLOCK]:
                    types.setdefault(type(x), x)
            if self._known.keys() >= set(block):
                continue
            for offset, label in enumerate(block):
                if self._known.setdefault(label, len(self._known)) == len(values):
                    values.append(label)
                    self.positions.append(start + offset)
        self.examples = list(types.values())

    def _block(self, start: int, stop: int) -> list[object]:
        """Return labels with None for every NaN, because a NaN differs from itself."""
        return [None if isinstance(x, float) and x != x else x for x in self._codes[start:stop]]

    def codes(self, start: int, stop: int) -> Array:
        block = self._block(start, stop)
        return np.fromiter(map(self._known.__getitem__, block), np.int64, len(block))


def reader(data: Array | list[object]) -> CodedColumn:
    """Return a column of codes with the different values that they stand for."""
    if isinstance(data, list) or data.dtype.kind == "O":
        return _Objects(data)
    if data.dtype.kind in "biu" and len(data):
        near = _near(data)
        if near is not None:
            return near.look()
    if len(data) == 0:
        return CodedColumn(np.zeros(0, np.int64), data)
    return _Sorted(data)


def _near(data: Array | list[object]) -> _Near | None:
    """Return a column of integers that span a small range, or None."""
    if isinstance(data, list) or data.dtype.kind not in "biu" or len(data) == 0:
        return None
    low, high = int(data.min()), int(data.max())
    return _Near(data, low, high - low + 1) if high - low < _WIDEST else None


def cross_near(true: Array | list[object], pred: Array | list[object]) -> tuple[Array, Array, Array] | None:
    """Return the labels and the table of two columns of integers within small ranges, or None; one pass is enough."""
    x = _near(true)
    y = _near(pred) if x is not None else None
    if x is None or y is None or x.size * y.size > BLOCK:
        return None
    total = np.zeros(x.size * y.size, np.int64)
    for start in range(0, len(true), BLOCK):
        cells = x.distances(start, start + BLOCK) * y.size
        cells += y.distances(start, start + BLOCK)
        total += np.bincount(cells, minlength=len(total))
    table = total.reshape(x.size, y.size)
    rows, columns = np.flatnonzero(table.any(axis=1)), np.flatnonzero(table.any(axis=0))
    return x.name(rows), y.name(columns), table[np.ix_(rows, columns)]


def _blocks(
    rows: CodedColumn, columns: CodedColumn, size: int, weights: Array | None
) -> Iterator[tuple[Array, Array | None]]:
    """Yield block after block, with one integer for each pair of codes, and the weights."""
    for start in range(0, len(rows), BLOCK):
        stop = start + BLOCK
        keys = rows.codes(start, stop).astype(np.int64) * size + columns.codes(start, stop)
        yield keys, None if weights is None else weights[start:stop]


def dense(rows: CodedColumn, columns: CodedColumn, weights: Array | None) -> Array:
    """Return the table of all pairs."""
    shape = len(rows.values), len(columns.values)
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


def sparse(rows: CodedColumn, columns: CodedColumn, weights: Array | None) -> tuple[Array, Array, Array]:
    """Return the pairs that occur: row, column and count."""
    size = len(columns.values)
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
