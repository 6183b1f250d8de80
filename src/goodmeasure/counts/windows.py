"""Windows over a stream: sliding windows, whose oldest items are removed, and weights that decay with age."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.counts.sparse_counts import Cells, SparseCounts
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array

if TYPE_CHECKING:
    from goodmeasure.counts.matrix import ConfusionMatrix

_ROUNDING = 1e-9  # relative: what is left of two equal sums of floats


class SlidingWindow:
    """The counts of the last pieces of a stream, such as the last seven days.

    >>> window = SlidingWindow(2)
    >>> for true, predicted in ((["a", "b"], ["a", "a"]), (["b"], ["b"]), (["a"], ["b"])):
    ...     window.update(true, predicted)
    >>> window.matrix.counts.tolist(), len(window)
    ([[0, 1], [0, 1]], 2)
    """

    def __init__(self, pieces: int, labels: object = None) -> None:
        if isinstance(pieces, bool) or not isinstance(pieces, (int, np.integer)) or pieces < 1:
            raise InputError("{pieces} is {got!r}", got=pieces, expected="a whole number from 1 on")
        self._labels = labels
        self._pieces: deque[ConfusionMatrix] = deque(maxlen=int(pieces))
        self._sum = self._empty()

    def _empty(self) -> ConfusionMatrix:
        from goodmeasure.counts.matrix import ConfusionMatrix

        return ConfusionMatrix.empty(self._labels)

    @property
    def matrix(self) -> ConfusionMatrix:
        """Return the counts of all pieces in the window."""
        return self._sum

    @property
    def pieces(self) -> tuple[ConfusionMatrix, ...]:
        """Return the counts of each piece in the window, the oldest first."""
        return tuple(self._pieces)

    def update(self, y_true: object, y_pred: object, *, sample_weight: object = None, missing: str = "error") -> None:
        """Count a further piece, also an empty one; if the window is full, the oldest piece leaves it."""
        piece = self._empty()
        piece.update(y_true, y_pred, sample_weight=sample_weight, missing=missing)
        self.add(piece)

    def add(self, piece: ConfusionMatrix) -> None:
        """Add the counts of a further piece; if the window is full, the oldest piece leaves it."""
        leaving = self._pieces[0] if len(self._pieces) == self._pieces.maxlen else None
        total = self._sum + piece if self._sum.m or piece.m else self._sum  # an error must leave the window as it was
        self._pieces.append(piece)
        if leaving is None:
            self._sum = total
        elif total.n == 0 or not _is_whole(total):  # sums of weights are added anew, since differences are rounded
            self._sum = sum(self._pieces, self._empty())
        else:
            self._sum = total - leaving if leaving.m else total

    def __len__(self) -> int:
        return len(self._pieces)

    def __repr__(self) -> str:
        return f"the last {len(self)} of at most {self._pieces.maxlen} pieces:\n{self._sum!r}"


def _is_whole(matrix: ConfusionMatrix) -> bool:
    values = matrix.sparse.cells()[2] if matrix.is_sparse else matrix.counts
    return values.dtype.kind in "iu"


def check_factor(factor: object) -> float:
    """Return a factor of decay as a float; refuse what is not above 0 and at most 1."""
    if isinstance(factor, bool) or not isinstance(factor, (int, float, np.integer, np.floating)) or not 0 < factor <= 1:
        raise InputError("{factor} is {got!r}", got=factor, expected="a number above 0 and at most 1")
    return float(factor)


def scaled(matrix: ConfusionMatrix, factor: float) -> ConfusionMatrix:
    """Return a matrix with all counts times a factor, as floats."""
    make, dropped = type(matrix)._counted, matrix.dropped * factor
    if matrix.is_sparse:
        rows, cols, values = matrix.sparse.cells()
        sparse = SparseCounts.from_cells(matrix.labels, rows, cols, values.astype(np.float64) * factor)
        return make(None, matrix.labels, matrix._order, sparse=sparse, dropped=dropped)
    return make(matrix.counts.astype(np.float64) * factor, matrix.labels, matrix._order, dropped=dropped)


def subtracted(first: ConfusionMatrix, second: ConfusionMatrix) -> ConfusionMatrix:
    """Return the difference of two matrices, with the classes of the first; an error if it were negative anywhere."""
    if first.batch or second.batch:
        raise InputError("a batch of matrices cannot be subtracted", advice="subtract one matrix from one")
    place = {label: k for k, label in enumerate(first.labels)}
    rows, cols, values = _cells(second)
    for k in np.unique(np.concatenate([rows, cols])).tolist():
        if second.labels[k] not in place:
            raise InputError(
                "class {label!r} is not in the matrix to subtract from", label=second.labels[k],
                advice="what is subtracted must be part of it",
            )  # fmt: skip
    where = np.array([place.get(x, 0) for x in second.labels], np.int64)
    cells = _cells_left(first, where[rows], where[cols], values)
    make, dropped = type(first)._counted, max(0, first.dropped - second.dropped)
    if first.is_sparse:
        sparse = SparseCounts.from_cells(first.labels, *cells)
        return make(None, first.labels, first._order, sparse=sparse, dropped=dropped)
    counts = np.zeros(first.counts.shape, cells[2].dtype)
    counts[cells[0], cells[1]] = cells[2]
    return make(counts, first.labels, first._order, dropped=dropped)


def _cells(matrix: ConfusionMatrix) -> Cells:
    """Return the rows, columns and counts of the non-zero cells."""
    if matrix.is_sparse:
        return matrix.sparse.cells()
    rows, cols = np.nonzero(matrix.counts)
    return rows, cols, matrix.counts[rows, cols]


def _cells_left(first: ConfusionMatrix, rows: Array, cols: Array, less: Array) -> Cells:
    """Return the cells that are left without others, as rows, columns and counts."""
    mine, size = _cells(first), max(1, first.m)
    keys, gone = mine[0] * size + mine[1], rows * size + cols
    every, kind = np.union1d(keys, gone), np.result_type(mine[2], less)
    before, after = (np.zeros(len(every), kind) for _ in range(2))
    before[np.searchsorted(every, keys)] = mine[2]
    after[np.searchsorted(every, gone)] = less
    wide = object if kind.kind == "u" else kind  # a difference of unsigned integers would turn around
    left = before.astype(wide) - after.astype(wide)
    if kind.kind == "f":
        left = np.where(np.abs(left) <= _ROUNDING * np.maximum(before, after), 0.0, left)
    for k in np.flatnonzero(np.asarray(left < 0, bool))[:1].tolist():
        i, j = divmod(int(every[k]), size)
        raise InputError(
            "{less} items cannot be taken from {count} (true {row!r}, predicted {column!r})", less=after[k],
            count=before[k], row=first.labels[i], column=first.labels[j],
            advice="what is subtracted must be part of the matrix",
        )  # fmt: skip
    return every // size, every % size, left.astype(kind)
