"""Counts of very many classes: the diagonal, the class sizes and the other non-zero cells."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array, Label

Cells = tuple[Array, Array, Array]  # rows, columns, values
MOST_DENSE = 1 << 30  # bytes: a larger matrix is not written out, even if asked for


class SparseCounts:
    """A confusion matrix without its empty cells.

    `rows`, `cols` and `values` are the non-zero cells off the diagonal, sorted by row and column. They may come from a
    function that is called when they are first needed, since many measures need only class sizes and hits.
    """

    def __init__(
        self, labels: tuple[Label, ...], a: Array, b: Array, diagonal: Array, others: Callable[[], Cells]
    ) -> None:
        self.labels = labels
        self.a, self.b, self.diagonal = (_fixed(x) for x in (a, b, diagonal))
        self._others = others

    def others(self) -> Cells:
        """Return the non-zero cells off the diagonal: rows, columns and values."""
        found = self._others()
        for array in found:
            array.flags.writeable = False
        self._others = lambda: found
        return found

    @property
    def rows(self) -> Array:
        """The true classes of the cells off the diagonal."""
        return self.others()[0]

    @property
    def cols(self) -> Array:
        """The predicted classes of the cells off the diagonal."""
        return self.others()[1]

    @property
    def values(self) -> Array:
        """The counts of the cells off the diagonal."""
        return self.others()[2]

    def __reduce__(self) -> tuple[object, ...]:
        return SparseCounts.from_parts, (self.labels, self.diagonal, *self.others())

    @classmethod
    def from_cells(cls, labels: tuple[Label, ...], rows: object, cols: object, values: object) -> SparseCounts:
        """Return the counts of cells in any order; cells that are listed several times are added up.

        >>> SparseCounts.from_cells(("x", "y"), [0, 1, 0], [0, 0, 0], [5, 2, 1]).diagonal.tolist()
        [6, 0]
        """
        rows, cols, values = np.asarray(rows, np.int64), np.asarray(cols, np.int64), np.asarray(values)
        m = len(labels)
        hit = rows == cols
        diagonal = sums(rows[hit], values[hit], m)
        keep = ~hit & (values != 0)
        return cls.from_parts(labels, diagonal, *_unique_cells(rows[keep], cols[keep], values[keep], m))

    @classmethod
    def from_matrix(cls, labels: tuple[Label, ...], counts: Array) -> SparseCounts:
        """Return the counts of a matrix that is written out and does not change.

        The cells of integers are listed when they are first needed: their sums are exact in any order, so the class
        sizes are the same without the list, and found in a fraction of the time.

        >>> SparseCounts.from_matrix(("x", "y"), np.array([[6, 0], [2, 0]])).values.tolist()
        [2]
        """

        def listed() -> Cells:
            rows, cols = np.nonzero(counts)
            return rows, cols, counts[rows, cols]

        if counts.dtype.kind not in "iu":
            return cls.from_cells(labels, *listed())

        def others() -> Cells:
            rows, cols, values = listed()
            off = rows != cols
            return rows[off], cols[off], values[off]

        a, b = counts.sum(axis=1), counts.sum(axis=0)
        return cls(labels, a, b, counts.diagonal().astype(a.dtype), others)

    @classmethod
    def from_parts(
        cls, labels: tuple[Label, ...], diagonal: Array, rows: Array, cols: Array, values: Array
    ) -> SparseCounts:
        """Return the counts of a diagonal and of the other non-zero cells, each listed once and in order."""
        a, b = (sums(where, values, len(labels)) + diagonal for where in (rows, cols))
        return cls(labels, a, b, diagonal, lambda: (rows, cols, values))

    @property
    def m(self) -> int:
        """The number of classes."""
        return len(self.labels)

    @property
    def n(self) -> float:
        """The number of items, or the sum of their weights."""
        total: float = self.a.sum().item()
        return total

    def cells(self) -> tuple[Array, Array, Array]:
        """Return all non-zero cells: rows, columns and values."""
        on = np.flatnonzero(self.diagonal)
        return (
            np.concatenate([on, self.rows]),
            np.concatenate([on, self.cols]),
            np.concatenate([self.diagonal[on], self.values]),
        )

    def transposed(self) -> SparseCounts:
        """Return the counts with true and predicted classes exchanged."""
        rows, cols, values = self.cells()
        return SparseCounts.from_cells(self.labels, cols, rows, values)

    def vs_rest(self, i: int) -> list[list[float]]:
        """Return the 2×2 cells of one class, as the positive one, against all others."""
        hit, fn = self.diagonal[i].item(), self.values[self.rows == i].sum().item()
        fp = self.values[self.cols == i].sum().item()
        off = self.values[(self.rows != i) & (self.cols != i)].sum().item()
        return [[np.delete(self.diagonal, i).sum().item() + off, fp], [fn, hit]]

    def dense(self) -> Array:
        """Return the whole matrix; refuse one that is too large to write out."""
        if self.m * self.m * 8 > MOST_DENSE:
            raise InputError(
                "the matrix of {m} classes would take {gigabytes:.0f} GB",
                m=self.m,
                gigabytes=self.m * self.m * 8 / 1e9,
                advice="use cm.sparse, which has its diagonal, class sizes and the other cells that are not 0",
            )
        matrix = np.zeros((self.m, self.m), self.values.dtype)
        matrix[self.rows, self.cols] = self.values
        np.fill_diagonal(matrix, self.diagonal)
        return matrix


def _fixed(array: Array) -> Array:
    array.flags.writeable = False
    return array


def sums(where: Array, values: Array, m: int) -> Array:
    """Return the sum of the values at each position; sums of integers are exact."""
    if values.dtype.kind == "f":
        return np.bincount(where, weights=values, minlength=m)
    if len(values) and float(values.max()) * len(values) < 2**53:  # float sums are exact, and faster
        return np.bincount(where, weights=values, minlength=m).astype(np.int64)
    total = np.zeros(m, np.int64)
    np.add.at(total, where, values)
    return total


def _unique_cells(rows: Array, cols: Array, values: Array, m: int) -> tuple[Array, Array, Array]:
    """Return cells sorted by row and column, with those that are listed several times added up."""
    keys = rows * m + cols
    if np.all(keys[1:] > keys[:-1]):
        return rows, cols, values
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    different = keys[starts]
    return different // m, different % m, np.add.reduceat(values[order], starts)
