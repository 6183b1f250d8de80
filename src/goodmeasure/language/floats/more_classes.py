"""Batches of matrices with three or more classes: all classes at once, one array axis for each open sum."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from goodmeasure.exceptions import InputTypeError
from goodmeasure.language.floats.batches import ArrayView, BatchRun
from goodmeasure.language.floats.cell_sums import Basis, CellSum, plain
from goodmeasure.language.floats.two_classes import ONE_CELL, Breakable, PairView, quietly
from goodmeasure.language.view import Chosen, ConstantTable, RowsOfTable, Sizes, Term, float_entries
from goodmeasure.typing import AnyArray, Namespace

_MANY = 16  # with this many classes, the row and the column of one class seldom hold nearly all items
_NEARLY_NOTHING = 0.01  # the share of all items above which a difference keeps its digits

T = TypeVar("T")


def batch_view(cells: AnyArray, run: BatchRun, *, whole: bool, known: dict[str, AnyArray] | None = None) -> ArrayView:
    """Return the view of counts of shape (m, m, batch).

    `whole` says that the counts are integers below 2^53, whose sums are exact; `known` holds their `margins` if these
    have been computed before.
    """
    if cells.shape[0] == 2:
        four = (cells[0, 0, ...], cells[0, 1, ...], cells[1, 0, ...], cells[1, 1, ...])
        view = PairView(*four, run, whole=whole, sums=None if known is None else known["sums"])
        view._occur = None if known is None else known.get("occur")
        return view
    return AxisView(cells, run, whole=whole, known=known)


def margins(cells: AnyArray, xp: Namespace) -> dict[str, AnyArray]:
    """Return the sums of whole counts that most formulas need, for a batch that many measures read."""
    if cells.shape[0] == 2:
        (tn, fp), (fn, tp) = cells
        sums = (tn + fp, fn + tp, tn + fn, fp + tp, tn + fp + fn + tp)
        return {"sums": sums, "occur": bool(xp.min(sums[0] + sums[2]) > 0 and xp.min(sums[1] + sums[3]) > 0)}
    a, b = xp.sum(cells, axis=1), xp.sum(cells, axis=0)
    found = {"a": a, "b": b, "n": xp.sum(a, axis=0), "diagonal": _diagonal_of(cells, xp)}
    return {**found, "occur": bool(xp.min(a + b) > 0)}


def _diagonal_of(cells: AnyArray, xp: Namespace) -> AnyArray:
    """Return the diagonal cells, with a leading class axis."""
    m = cells.shape[0]
    return xp.reshape(cells, (m * m, *cells.shape[2:]))[:: m + 1, ...]


class BeyondView(InputTypeError):  # noqa: N818 - it says what a definition asks for
    """A definition asks for more than a view of many classes has: the number of a class, or every cell."""


class AllClasses:
    """All classes at once: the bound index of an open sum, identified by how many sums are open around it."""

    __slots__ = ("depth",)

    def __init__(self, depth: int) -> None:
        self.depth = depth

    def __index__(self) -> int:
        raise BeyondView(
            "the class index of a sum stands for all classes at once",
            advice="use it only inside c[i, j], c.a[i], c.b[i]",
        )


class AxisView(Breakable, ArrayView):
    """Three or more classes: arrays with a class axis, one axis for each open sum."""

    def __init__(
        self, cells: AnyArray, run: BatchRun, *, whole: bool, known: Mapping[str, AnyArray] | None = None
    ) -> None:
        self.run = run
        self.whole = whole
        self.m = cells.shape[0]
        self.cells = cells  # (m, m, inner axes…): true class, predicted class
        self._known: dict[object, AnyArray] = {} if known is None else dict(known.items())

    def _once(self, key: object, compute: Callable[[], T]) -> T:
        """Return what is stored under a key, computed on the first request."""
        if key not in self._known:
            self._known[key] = compute()
        found: T = self._known[key]
        return found

    def release(self) -> None:
        known, self._known = self._known, {}  # it refers back to the view, and the garbage collector is slow to notice
        if "T" in known:
            known["T"].release()

    def _unbroken(self) -> AxisView:
        xp = self.run.xp
        return AxisView(xp.where(self.broken, xp.ones_like(self.cells), self.cells), self.run, whole=False)

    # Vectors with a leading class axis

    def _diagonal(self) -> AnyArray:
        return self._once("diagonal", lambda: _diagonal_of(self.cells, self.run.xp))

    def _rows(self) -> AnyArray:
        return self._once("a", lambda: self.run.xp.sum(self.cells, axis=1))

    def _columns(self) -> AnyArray:
        return self._once("b", lambda: self.run.xp.sum(self.cells, axis=0))

    def _total(self) -> AnyArray:
        # For real counts, diagonal first: then n equals a_i to the last bit if only row i has items (see
        # `compile/source.py`).
        if self.whole:
            return self._once("n", lambda: self.run.xp.sum(self._rows(), axis=0))
        xp = self.run.xp
        return self._once("n", lambda: xp.sum(self._diagonal(), axis=0) + xp.sum(self._groups()[1], axis=0))

    def _without_diagonal(self) -> AnyArray:
        def compute() -> AnyArray:
            xp, m, device, inner = self.run.xp, self.m, _device(self.cells), (1,) * (self.cells.ndim - 2)
            eye = xp.reshape(xp.eye(m, dtype=xp.bool, device=device), (m, m, *inner))
            return xp.where(eye, xp.zeros((1, 1, *inner), dtype=self.cells.dtype, device=device), self.cells)

        return self._once("off", compute)

    def _groups(self) -> tuple[AnyArray, AnyArray, AnyArray, Callable[[], AnyArray]]:
        """Return the hits, the rests of rows, the rests of columns and a function for all else, without subtracting."""

        def compute() -> tuple[AnyArray, AnyArray, AnyArray, Callable[[], AnyArray]]:
            xp, off = self.run.xp, self._without_diagonal()
            return self._diagonal(), xp.sum(off, axis=1), xp.sum(off, axis=0), self._everything_else

        return self._once("groups", compute)

    def _everything_else(self) -> AnyArray:
        """Return Σ_{j≠i, k≠i} c_jk for every class i.

        With real counts n − a_i − b_i + c_ii cancels if row i and column i hold nearly all items. With many classes
        that is rare, so the difference is computed first and used if it is large for every class of every matrix.
        Otherwise: row i and column i leave four rectangles at the corners of the matrix, and each of them is an entry
        of a two-dimensional running sum that starts at that corner, so nothing is subtracted. (For gradients the second
        way is always taken, since a choice by value would depend on the data.)
        """
        if self.whole:
            return self._total() - self._rows() - self._columns() + self._diagonal()
        if self.m == 1:
            return self.run.xp.zeros_like(self._diagonal())

        def compute() -> AnyArray:
            if self.m >= _MANY and not self.run.differentiable:
                rest = self._total() - self._rows() - self._columns() + self._diagonal()
                if self.run.all_positive(rest - _NEARLY_NOTHING * self._total()):
                    return rest
            total = 0
            for down in (False, True):
                for right in (False, True):
                    total = total + self._corner(down, right)
            return total

        return self._once("else", compute)

    def _corner(self, down: bool, right: bool) -> AnyArray:
        """Return, for every class i, the sum of the cells above or below row i and left or right of column i."""
        xp, m = self.run.xp, self.m
        cells = xp.flip(self.cells, axis=0) if down else self.cells
        cells = xp.flip(cells, axis=1) if right else cells
        sums = xp.cumulative_sum(xp.cumulative_sum(cells, axis=0), axis=1)
        sums = xp.flip(sums, axis=0) if down else sums
        sums = xp.flip(sums, axis=1) if right else sums
        flat = xp.reshape(sums, (m * m, *sums.shape[2:]))
        # The rectangle above and left of (i, i) ends at (i − 1, i − 1), and so on; at the border it is empty.
        row, column = (1 if down else -1), (1 if right else -1)
        inner = [i for i in range(m) if 0 <= i + row < m and 0 <= i + column < m]
        first = (inner[0] + row) * m + inner[0] + column
        corner = flat[first : first + (len(inner) - 1) * (m + 1) + 1 : m + 1, ...]
        rim = xp.zeros_like(corner[:1, ...])
        before, after = inner[0], m - 1 - inner[-1]
        return xp.concat([rim] * before + [corner] + [rim] * after, axis=0)

    def _placed(self, vector: AnyArray, i: AnyArray) -> AnyArray:
        """Return a vector over classes on the axis of index i, or its entry for a class number."""
        if not isinstance(i, AllClasses):
            return vector[i, ...]
        gap = i.depth + 2 - vector.ndim
        return self.run.xp.reshape(vector, (vector.shape[0], *(1,) * gap, *vector.shape[1:])) if gap else vector

    # Cells and sizes

    def _basis(self, i: object) -> Basis:
        """Return the four groups of cells as seen from class i."""
        key = i.depth if isinstance(i, AllClasses) else ("class", i)

        def compute() -> Basis:
            groups = self._groups()
            hit, row, column = ((lambda k=k: self._placed(groups[k], i)) for k in range(3))
            return Basis((hit, row, column, lambda: self._placed(groups[3](), i)))

        return self._once(("basis", key), compute)

    def _size(self, vector: Callable[[], object], i: object, weights: tuple[int, int, int, int]) -> AnyArray:
        """Return a sum of cells of class i: an array of whole counts, or a part of real ones."""
        if self.whole:
            return self._placed(vector(), i)
        return CellSum(self._basis(i), weights, self._total)

    def __getitem__(self, ij: tuple[object, object]) -> AnyArray:
        i, j = ij
        if i is j or (not isinstance(i, AllClasses) and not isinstance(j, AllClasses) and i == j):
            return self._size(self._diagonal, i, (1, 0, 0, 0))
        return self._spread(self.cells, i, j)

    def _spread(self, cells: AnyArray, i: AnyArray, j: AnyArray) -> AnyArray:
        """Return the cells (i, j) with the axes of both indices in place."""
        if not isinstance(i, AllClasses):
            return self._placed(cells[i, ...], j)
        if not isinstance(j, AllClasses):
            return self._placed(cells[:, j, ...], i)
        xp = self.run.xp
        if i.depth < j.depth:
            cells = xp.permute_dims(cells, (1, 0, *range(2, cells.ndim)))
        low, high = sorted((i.depth, j.depth))
        inner = low + 3 - cells.ndim
        return xp.reshape(cells, (self.m, *(1,) * (high - low - 1), self.m, *(1,) * inner, *cells.shape[2:]))

    @property
    def a(self) -> Sizes[AnyArray, AnyArray]:
        return Sizes(lambda i: self._size(self._rows, i, (1, 1, 0, 0)))

    @property
    def b(self) -> Sizes[AnyArray, AnyArray]:
        return Sizes(lambda i: self._size(self._columns, i, (1, 0, 1, 0)))

    @property
    def n(self) -> AnyArray:
        return self._total() if self.whole else CellSum(None, (1,), self._total)

    @property
    def T(self) -> AxisView:  # noqa: N802
        def compute() -> AxisView:
            cells = self.run.xp.permute_dims(self.cells, (1, 0, *range(2, self.cells.ndim)))
            turned = {"a": "b", "b": "a", "n": "n", "diagonal": "diagonal"}
            known = {turned[key]: self._known[key] for key in turned if key in self._known} if self.whole else None
            view = AxisView(cells, self.run, whole=self.whole, known=known)
            view.broken = self.broken
            return view

        return self._once("T", compute)

    def excess(self, i: object) -> AnyArray:
        if self.run.products_are_exact and self.whole:
            hit, a, b = (self._placed(v, i) for v in (self._diagonal(), self._rows(), self._columns()))
            return self._total() * hit - a * b
        hit, row, column, rest = self._apart(i)
        return hit * rest - row * column

    def _apart(self, i: object) -> tuple[AnyArray, AnyArray, AnyArray, AnyArray]:
        """Return TP, FN, FP and TN of class i against the rest."""
        if self.whole:
            hit, a, b = (self._placed(v, i) for v in (self._diagonal(), self._rows(), self._columns()))
            return hit, a - hit, b - hit, self._placed(self._everything_else(), i)
        basis = self._basis(i)
        return basis[0], basis[1], basis[2], basis[3]

    def _all_occur(self) -> bool:
        def compute() -> bool:  # the diagonal costs nothing, while the class sizes may not have been added up yet
            return self.run.all_positive(self._diagonal()) or self.run.all_positive(self._rows())

        return self._once("occur", compute)

    # Other views

    def vs_rest(self, i: object) -> RestView:
        return RestView(self, i)

    def two(self, tp: AnyArray, fn: AnyArray, fp: AnyArray, tn: AnyArray) -> PairView:
        return PairView(tn, fp, fn, tp, self.run, whole=False)

    def map(self, cell: Callable[[object, object], AnyArray]) -> AxisView:
        def evaluate() -> AnyArray:
            i, j = AllClasses(self.run.depth), AllClasses(self.run.depth + 1)
            self.run.depth += 2
            try:
                return plain(cell(i, j))
            finally:
                self.run.depth -= 2

        xp, depth = self.run.xp, self.run.depth
        cells = quietly(self.run, evaluate)
        cells = xp.reshape(cells, (*(1,) * (depth + 3 - cells.ndim), *cells.shape))
        inner = xp.broadcast_arrays(cells[0, 0, ...], self._total())[0].shape
        cells = xp.permute_dims(xp.broadcast_to(cells, (self.m, self.m, *inner)), (1, 0, *range(2, depth + 3)))
        new = AxisView(cells, self.run, whole=False)
        broken = xp.any(xp.isnan(cells), axis=(0, 1))
        new.broken = broken if self.run.any(broken) else None
        self.losing(new.broken)
        return new

    # Over classes

    def _evaluate(
        self, term: Term[AnyArray, AnyArray], over: Chosen[AnyArray] | None
    ) -> tuple[AllClasses, AnyArray, AnyArray]:
        """Return the index, the terms of all classes, and a mask of those that count."""
        run = self.run
        i = AllClasses(run.depth)
        run.depth += 1
        run.left_out.append(None)
        try:
            counts = None if over is None else over(i)
            if counts is True:
                counts = None
            if counts is None:
                value = term(i)
            else:
                with run.when(counts):
                    value = term(i)
        finally:
            out = run.left_out.pop()
            run.depth -= 1
        if out is not None:
            counts = ~out if counts is None else counts & ~out
        return i, value, counts

    def _terms(self, term: Term[AnyArray, AnyArray], over: Chosen[AnyArray] | None) -> tuple[AnyArray, AnyArray]:
        i, value, counts = self._evaluate(term, over)
        return self._with_axis(plain(value), i), None if counts is None else self._with_axis(counts, i)

    def _with_axis(self, value: AnyArray, i: AllClasses) -> AnyArray:
        """Return a value with a class axis, repeated if it is the same for each class."""
        xp = self.run.xp
        if isinstance(value, (bool, int, float)):
            dtype = xp.bool if isinstance(value, bool) else self.cells.dtype
            value = xp.full((1,), value, dtype=dtype, device=_device(self.cells))
        if value.ndim == i.depth + 2:
            return value
        value = xp.reshape(value, (*(1,) * (i.depth + 2 - value.ndim), *value.shape))
        return xp.broadcast_to(value, (self.m, *value.shape[1:]))

    def sum(self, term: Term[AnyArray, AnyArray], over: Chosen[AnyArray] | None = None) -> AnyArray:
        i, value, counts = self._evaluate(term, over)
        mine = self._known.get(("basis", i.depth))
        if counts is None and isinstance(value, CellSum) and value.basis is not None and value.basis is mine:
            return self._sum_of_parts(value.weights)
        terms = self._with_axis(plain(value), i)
        xp = self.run.xp
        if counts is not None:
            terms = xp.where(self._with_axis(counts, i), terms, xp.zeros_like(terms))
        return xp.sum(terms, axis=0)

    def _sum_of_parts(self, weights: tuple[int, ...]) -> CellSum:
        """Return the sum of one combination of groups over all classes, as a part of cells on and off the diagonal.

        A cell of the diagonal is the hit of one class and belongs to "everything else" of the m − 1 others. A cell off
        the diagonal belongs to the row of one class, to the column of another, and to "everything else" of the m − 2
        others.
        """
        xp, (hit, row, column, rest) = self.run.xp, weights
        on, off = (lambda: xp.sum(self._diagonal(), axis=0)), (lambda: xp.sum(self._groups()[1], axis=0))
        split = self._once("split", lambda: Basis((on, off)))
        return CellSum(split, (hit + rest * (self.m - 1), row + column + rest * (self.m - 2)), self._total)

    def sum_off(
        self, term: Callable[[object, object], AnyArray], over: Callable[[object, object], object] | None = None
    ) -> AnyArray:
        def row(i: AllClasses) -> AnyArray:
            def within(j: AllClasses) -> AnyArray:
                different = self._different(i, j)
                return different if over is None else different & over(i, j)

            return self.sum(lambda j: term(i, j), within)

        return self.sum(row)

    def _different(self, i: AllClasses, j: AllClasses) -> AnyArray:
        """Return a mask of the pairs of different classes."""
        xp = self.run.xp
        same = xp.eye(self.m, dtype=xp.bool, device=_device(self.cells))
        return self._spread(xp.reshape(~same, (self.m, self.m, 1)), i, j)

    def table(self, rows: RowsOfTable, legend: str | None = None) -> ConstantTable[AnyArray, AnyArray]:
        array = self.run.xp.asarray(float_entries(rows, self.m), dtype=self.cells.dtype, device=_device(self.cells))
        array = self.run.xp.reshape(array, (self.m, self.m, 1))
        return ConstantTable(lambda i, j: self._spread(array, i, j) if i is not j else self._one_class(array, i))

    def _one_class(self, array: object, i: object) -> AnyArray:
        """Return the entries (i, i) of a table."""
        m = self.m
        return self._placed(self.run.xp.reshape(array, (m * m, 1))[:: m + 1, ...], i)


class RestView(PairView):
    """Each class against the rest, for all classes at once; true negatives are computed only if a formula uses them."""

    def __init__(self, parent: AxisView, i: AnyArray) -> None:
        self.run = parent.run
        self.whole = parent.whole
        self.broken = parent.broken
        self._parent = parent
        self._i = i
        self._sums = None
        self._apart: tuple[AnyArray, AnyArray, AnyArray, AnyArray] | None = None
        if not parent.whole:
            of_parent = parent._basis(i)
            self._basis = Basis(tuple(partial(of_parent.__getitem__, k) for k in (3, 2, 1, 0)))

    @property
    def _cells(self) -> tuple[AnyArray, AnyArray, AnyArray, AnyArray]:  # type: ignore[override]
        if self._apart is None:
            tp, fn, fp, tn = self._parent._apart(self._i)
            self._apart = tn, fp, fn, tp
        return self._apart

    def _total(self) -> AnyArray:
        return self._parent._total()

    def __getitem__(self, ij: tuple[int, int]) -> AnyArray:
        k = 2 * ij[0] + ij[1]
        if not self.whole:
            return CellSum(self._basis, ONE_CELL[k], self._total)
        if self._apart is None and k:
            parent, i = self._parent, self._i
            hit = parent._placed(parent._diagonal(), i)
            if k == 3:
                return hit
            return parent._placed(parent._rows() if k == 2 else parent._columns(), i) - hit
        return self._cells[k]

    def _margins(self) -> tuple[AnyArray, ...]:
        if self._sums is None:
            parent, i = self._parent, self._i
            a, b, n = parent._placed(parent._rows(), i), parent._placed(parent._columns(), i), parent._total()
            self._sums = n - a, a, n - b, b, n
        return self._sums  # type: ignore[no-any-return]


def _device(array: AnyArray) -> AnyArray:
    return getattr(array, "device", None)
