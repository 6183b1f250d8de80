"""Floating point for a matrix with very many classes, from the diagonal, the class sizes and the non-zero cells."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from goodmeasure.language.floats.batches import BatchRun
from goodmeasure.language.floats.cell_sums import Basis, plain
from goodmeasure.language.floats.more_classes import AllClasses, AxisView, BeyondView
from goodmeasure.language.floats.two_classes import quietly
from goodmeasure.language.policy import Policy
from goodmeasure.language.view import ConstantTable, RowsOfTable
from goodmeasure.typing import AnyArray, Namespace

_LONG = 4  # columns for each run, from which on single sums are faster than `reduceat`


class StoredCells:
    """What is stored of a sparse matrix: class sizes, the diagonal, and the non-zero cells off the diagonal.

    The cells off the diagonal (rows, columns and values) are fetched when a measure needs them, and many do not. Their
    sums by class are added up once for all measures; `rest` are those over all other rows and columns, if known.
    """

    __slots__ = ("_others", "_sums", "a", "b", "diagonal", "kept", "rest")

    def __init__(
        self, a: AnyArray, b: AnyArray, diagonal: AnyArray, others: Callable[[], tuple[AnyArray, AnyArray, AnyArray]],
        off_sums: tuple[AnyArray, AnyArray] | None = None, rest: AnyArray = None,
    ) -> None:  # fmt: skip
        self.a, self.b, self.diagonal, self.rest = a, b, diagonal, rest
        self._others, self._sums = others, off_sums
        self.kept: dict[tuple[str, Policy], AnyArray] = {}

    def others(self) -> tuple[AnyArray, AnyArray, AnyArray]:
        """Return the rows, columns and values of the cells off the diagonal."""
        found = self._others()
        self._others = lambda: found
        return found

    @property
    def rows(self) -> AnyArray:
        return self.others()[0]

    @property
    def columns(self) -> AnyArray:
        return self.others()[1]

    @property
    def values(self) -> AnyArray:
        return self.others()[2]

    def off_sums(self, xp: Namespace) -> tuple[AnyArray, AnyArray]:
        """Return the sums of the cells off the diagonal, by row and by column."""
        if self._sums is None:
            rows, columns, values = self.others()
            by_row, by_column = (as_batch(added_by(x, values, len(self.a), xp)) for x in (rows, columns))
            self._sums = by_row, by_column
        return self._sums


def as_batch(x: AnyArray) -> AnyArray:
    """Return a vector as a batch of one matrix; a batch, with matrices along the last axis, is returned unchanged."""
    return x if x.ndim == 2 else x[:, None]


def added_by(positions: AnyArray, values: AnyArray, m: int, xp: Namespace = np) -> AnyArray:
    """Return the sums of listed values by class, for one matrix or for a batch."""
    if values.ndim == 1:
        return xp.bincount(positions, weights=values, minlength=m)
    sums = np.zeros((m, values.shape[1]))
    if len(positions):
        if (positions[1:] < positions[:-1]).any():
            order = np.argsort(positions, kind="stable")
            positions, values = positions[order], values[order]
        found, starts = np.unique(positions, return_index=True)
        sums[found] = added_in_runs(values, starts)
    return sums


def added_in_runs(values: AnyArray, starts: AnyArray) -> AnyArray:
    """Return the sums of runs of rows, each of which begins at one of `starts`, for a batch of columns.

    NumPy adds up long rows one run at a time about ten times as fast as `reduceat` does.
    """
    if values.shape[1] < _LONG * len(starts):
        return np.add.reduceat(values, starts, axis=0)
    sums, ends = np.empty((len(starts), values.shape[1])), [*starts[1:].tolist(), len(values)]
    for k, (start, end) in enumerate(zip(starts.tolist(), ends, strict=True)):
        np.add.reduce(values[start:end], axis=0, out=sums[k])
    return sums


class ListedIndex(AllClasses):
    """The row index or the column index of all non-zero cells at once."""

    __slots__ = ("columns", "positions")

    def __init__(self, depth: int, positions: AnyArray, *, columns: bool) -> None:
        super().__init__(depth)
        self.positions = positions
        self.columns = columns


class SparseView(AxisView):
    """A matrix whose m² cells would not fit into memory, with sums over classes and over non-zero cells only."""

    def __init__(self, cells: StoredCells, run: BatchRun, *, whole: bool) -> None:
        self.run = run
        self.whole = whole
        self.m = len(cells.a)
        self.sparse = cells
        # One matrix is a batch of one: vectors have a trailing axis of length 1.
        self.cells = as_batch(cells.diagonal)[:1, None]
        self._known = {"a": as_batch(cells.a), "b": as_batch(cells.b), "diagonal": as_batch(cells.diagonal)}

    @property
    def T(self) -> SparseView:  # noqa: N802
        s = self.sparse
        sums = None if s._sums is None else (s._sums[1], s._sums[0])
        turned = StoredCells(s.b, s.a, s.diagonal, lambda: (s.columns, s.rows, s.values), sums, s.rest)
        return SparseView(turned, self.run, whole=self.whole)

    def kept(self, name: str, compute: Callable[[], AnyArray]) -> AnyArray:
        run, known = self.run, self.sparse.kept
        if run.depth or run.mask is not None:  # inside a sum or a condition it depends on more than the counts
            return compute()
        if (name, run.policy) not in known:
            known[name, run.policy] = compute()
        return known[name, run.policy]

    # Sums without the cells

    def _groups(self) -> tuple[AnyArray, AnyArray, AnyArray, Callable[[], AnyArray]]:
        def compute() -> tuple[AnyArray, AnyArray, AnyArray, Callable[[], AnyArray]]:
            hits = self._diagonal()
            if self.whole:  # subtraction of integers is exact
                return hits, self._rows() - hits, self._columns() - hits, self._everything_else
            return hits, *self.sparse.off_sums(self.run.xp), self._everything_else

        return self._once("groups", compute)

    def _everything_else(self) -> AnyArray:
        """Return Σ_{j≠i, k≠i} c_jk for every class i.

        Real counts are subtracted first: n − a_i − b_i + c_ii is accurate to about nine digits wherever it is at least
        1e-6·n. Where it is less, row i and column i hold nearly all items. Since Σ_i (a_i + b_i − c_ii) ≤ 2n, at most
        two classes can do that, and for these the cells are added up.
        """
        if self.sparse.rest is not None:
            return self.sparse.rest
        rest = self._total() - self._rows() - self._columns() + self._diagonal()
        if self.whole:
            return rest

        def compute() -> AnyArray:
            """Return the differences, with those that may have cancelled added up from their cells."""
            s, xp = self.sparse, self.run.xp
            for i in xp.flatnonzero(xp.any(rest < 1e-6 * self._total(), axis=1)):
                apart = s.values[(s.rows != i) & (s.columns != i)]
                rest[i, :] = s.diagonal[:i].sum(axis=0) + s.diagonal[i + 1 :].sum(axis=0) + apart.sum(axis=0)
            return rest

        return self._once("else", compute)

    # Indices of non-zero cells

    def _placed(self, vector: AnyArray, i: AnyArray) -> AnyArray:
        if isinstance(i, ListedIndex):
            vector = vector[i.positions]
        return super()._placed(vector, i)

    def _basis(self, i: AnyArray) -> Basis:
        if not isinstance(i, ListedIndex):
            return super()._basis(i)
        groups = self._groups()
        hit, row, column = (partial(self._placed, groups[k], i) for k in range(3))
        rest = lambda: self._placed(groups[3](), i)  # noqa: E731
        key = ("basis", "columns" if i.columns else "rows", i.depth)
        known: Basis = self._once(key, lambda: Basis((hit, row, column, rest)))
        return known

    def _spread(self, cells: AnyArray, i: AnyArray, j: AnyArray) -> AnyArray:
        if isinstance(i, ListedIndex) and isinstance(j, ListedIndex) and i.columns != j.columns:
            if i.columns:
                raise BeyondView(
                    "c[j, i] in a sum over cells (i, j) needs every cell, and of {m:,} classes only the non-zero ones "
                    "are kept",
                    m=self.m,
                    advice="count fewer classes, or write the measure with c[i, j] alone",
                )
            return self._placed_values(i)
        raise BeyondView(
            "this measure needs every cell of the matrix, and of {m:,} classes only the non-zero ones are kept",
            m=self.m,
            advice="count fewer classes, or write the measure with c.sum_off",
        )

    def _placed_values(self, i: ListedIndex) -> AnyArray:
        """Return the values of the listed cells on the axis of their index."""
        values = as_batch(self.sparse.values)
        gap = i.depth + 2 - values.ndim
        return self.run.xp.reshape(values, (len(values), *(1,) * gap, values.shape[1])) if gap else values

    def sum_off(
        self,
        term: Callable[[AnyArray, AnyArray], AnyArray],
        over: Callable[[AnyArray, AnyArray], AnyArray] | None = None,
    ) -> AnyArray:
        run, s = self.run, self.sparse
        i, j = ListedIndex(run.depth, s.rows, columns=False), ListedIndex(run.depth, s.columns, columns=True)
        run.depth += 1
        run.left_out.append(None)
        try:
            counts = None if over is None else over(i, j)
            if counts is None:
                value = term(i, j)
            else:
                with run.when(counts):
                    value = term(i, j)
        finally:
            out = run.left_out.pop()
            run.depth -= 1
        if out is not None:
            counts = ~out if counts is None else counts & ~out
        terms = run.xp.broadcast_to(plain(value), as_batch(s.values).shape)
        return run.xp.sum(terms if counts is None else run.xp.where(counts, terms, 0.0), axis=0)

    def _unbroken(self) -> SparseView:
        return self  # nothing is differentiated here

    def map(self, cell: Callable[[AnyArray, AnyArray], AnyArray]) -> SparseView:
        """Return a mapped matrix, which is sparse too if the function keeps empty cells empty, as calibration does."""
        empty = self._listed(0 * self.sparse.values)
        zeros = StoredCells(self.sparse.a, self.sparse.b, 0 * self.sparse.diagonal, lambda: empty)
        if any(self.run.any((x != 0) & (x == x)) for x in self._mapped(cell, zeros)):
            raise BeyondView(
                "the mapped matrix of {m:,} classes has no empty cells and would not fit into memory",
                m=self.m,
                advice="count fewer classes",
            )
        diagonal, values = self._mapped(cell, self.sparse)
        rows, columns, _ = self._listed(values)
        a, b = (added_by(x, values, self.m, self.run.xp) + diagonal for x in (rows, columns))
        new = SparseView(StoredCells(a, b, diagonal, lambda: (rows, columns, values)), self.run, whole=False)
        xp = self.run.xp
        gone = xp.any(xp.isnan(diagonal), axis=0) | xp.any(xp.isnan(values), axis=0)
        new.broken = xp.reshape(gone, (-1,)) if self.run.any(gone) else None
        return new

    def _listed(self, values: AnyArray) -> tuple[AnyArray, AnyArray, AnyArray]:
        """Return the places of the non-zero cells with other values."""
        return self.sparse.rows, self.sparse.columns, values

    def _mapped(self, cell: Callable[[AnyArray, AnyArray], AnyArray], cells: StoredCells) -> tuple[AnyArray, AnyArray]:
        """Return the function on the diagonal and on the listed cells, as if the matrix had these cells."""
        run, before = self.run, (self.sparse, self._known)
        sizes: dict[object, AnyArray] = {key: self._known[key] for key in ("a", "b")}
        self.sparse, self._known = cells, {**sizes, "n": self._total(), "diagonal": as_batch(cells.diagonal)}
        one = AllClasses(run.depth)
        pair = ListedIndex(run.depth, cells.rows, columns=False), ListedIndex(run.depth, cells.columns, columns=True)
        run.depth += 1
        try:
            both = quietly(run, lambda: (plain(cell(one, one)), plain(cell(*pair))))
        finally:
            run.depth -= 1
            self.sparse, self._known = before
        xp = run.xp
        shapes = as_batch(cells.diagonal).shape, as_batch(cells.values).shape
        diagonal, values = (xp.broadcast_to(x, shape) for x, shape in zip(both, shapes, strict=True))
        if cells.values.ndim == 1:
            diagonal, values = diagonal[:, 0].copy(), values[:, 0].copy()
        return diagonal, values

    def table(self, rows: RowsOfTable, legend: str | None = None) -> ConstantTable[AnyArray, AnyArray]:
        raise BeyondView("a table of {m:,} × {m:,} constants is too large", m=self.m, advice="count fewer classes")
