"""Matrices with very many classes, from the diagonal, the class sizes and the non-zero cells.

A sum over classes is an axis of length m, as in `arrays.py`; a sum over pairs of classes is one over the listed cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from goodmeasure.exceptions import InputTypeError
from goodmeasure.language import tree as t
from goodmeasure.language.compile.arrays import NUMPY, ArraySource, ArrayValue, array_function
from goodmeasure.language.compile.compiled import undefined_value
from goodmeasure.language.compile.source import stripped
from goodmeasure.language.policy import Policy
from goodmeasure.language.rewrite import core
from goodmeasure.language.rewrite.lower import lowered
from goodmeasure.language.tree import FALSE, TRUE, ZERO, ClassVariable, Tree
from goodmeasure.typing import AnyArray

_LONG = 4  # columns for each run, from which on single sums are faster than `reduceat`
_EVERY_CELL = "needs every cell of the matrix, and of so many classes only the non-zero ones are kept"
_FEWER = "count fewer classes, or write the measure with c.sum_off"


class NeedsEveryCell(InputTypeError):  # noqa: N818 - it says what a definition asks for
    """A definition asks for more than is known of a matrix with very many classes: for its empty cells."""


class ListedClass(Tree):
    """The classes of all listed cells: of their rows (side "a") or columns (side "b"), on the axis of a variable."""

    SORT = "ClassTree"
    side: str
    number: int


class EachListed(Tree):
    """The sum over the listed cells, on the axis of a variable."""

    number: int
    term: t.ValueTree


class OfListed(Tree):
    """The sums over the listed cells by row (side "a") or column (side "b")."""

    side: str
    i: t.ClassTree
    number: int
    term: t.ValueTree


class ListedGrid(core.MappedGrid):
    """A matrix that is computed for the classes of the diagonal and for the listed cells; all others stay empty."""

    SORT = "MatrixTree"
    i: int
    j: int
    cell: t.ValueTree
    on: t.ValueTree


def _needs(what: str, advice: str = "count fewer classes") -> NeedsEveryCell:
    return NeedsEveryCell("this measure " + what, advice=advice)


def listed(root: Tree) -> Tree:
    """Return a core tree whose sums over pairs of classes are sums over listed cells."""
    made: dict[Tree, Tree] = {}
    for x in t.below(root):
        y = x.with_parts(made.__getitem__)
        match x:
            case core.Each(op="sum", i=i, term=core.Each(op="sum", i=j, term=term)):
                if same_class(made[term], i, j, TRUE) is ZERO:
                    y = EachListed(max(i, j), _at_listed(i, j, made[term])[1])
            case core.Each(op="sum", i=j, term=term) if len(y.free) == 1 and j in term.free:
                (i,) = y.free
                y = _over_line(made[term], i, j)
            case core.MappedGrid(i=i, j=j):
                cell = made[x.cell]
                if y.free or not _vanishes(cell, i, j):
                    raise _needs("maps a matrix to one that has no empty cells, which would not fit into memory")
                y = ListedGrid(i, j, at_listed(cell, i, j), same_class(cell, i, j, TRUE))
            case t.Tabled():
                raise _needs("has a table of constants for every pair of classes, which is too large")
        made[x] = y
    if any(len(y.free) > 1 for y in t.below(made[root])):
        raise _needs(_EVERY_CELL, _FEWER)
    return made[root]


def same_class(x: Tree, i: int, j: int, holds: Tree) -> Tree:
    """Return a value of two classes where they are one, or (FALSE) where they are not."""
    known: dict[Tree, Tree] = {}

    def decided(y: Tree) -> Tree:
        if not {i, j} <= y.free:
            return y
        if y not in known:
            known[y] = rebuilt(y.with_parts(decided))
        return known[y]

    def rebuilt(y: Tree) -> Tree:
        match y:
            case t.Test(name="same"):
                return holds
            case t.Test(name="and", args=args):
                return core.both(*args)
            case t.Test(name="or", args=args):
                return core.either(*args)
            case t.Test(name="not", args=(test,)):
                return core.inverse(test)
            case t.Where(test=test, x=one, y=other):
                return core.where(test, one, other)
            case t.Operation(name="add", args=args):
                return core.add(*args)
        return y

    found = decided(x)
    return found.with_classes({j: ClassVariable(i)}) if holds is TRUE else found


def _at_listed(i: int, j: int, term: Tree) -> tuple[str, Tree]:
    """Return a value for listed cells, and where class i is their row or column ("a" or "b").

    What is summed must be 0 in empty cells.
    """
    cells = {(y.i, y.j) for y in t.below(term) if isinstance(y, core.Pair) and y.i is not y.j}
    side = "b" if (ClassVariable(j), ClassVariable(i)) in cells else "a"  # in "b", of the transposed matrix
    row, column = (i, j) if side == "a" else (j, i)
    if not _vanishes(term, row, column):
        raise _needs(_EVERY_CELL)
    return side, at_listed(term, row, column)


def _over_line(x: Tree, i: int, j: int) -> Tree:
    """Return a sum over all cells of the row or the column of class i as that of its listed cells and its diagonal."""
    side, term = _at_listed(i, j, x)
    return core.add(same_class(x, i, j, TRUE), OfListed(side, ClassVariable(i), max(i, j), term))


def at_listed(x: Tree, i: int, j: int) -> Tree:
    """Return a value of a row and a column in the listed cells, on the axis of the last variable."""
    axis = max(i, j)
    return same_class(x, i, j, FALSE).with_classes({i: ListedClass("a", axis), j: ListedClass("b", axis)})


def _fails(test: Tree, i: int, j: int) -> bool:
    """Return whether a condition is seen not to hold where cell (i, j) is 0. (False says nothing.)"""
    match test:
        case t.Test(name="and", args=args):
            return any(_fails(x, i, j) for x in args)
        case t.Test(name="not", args=(t.Test(name="eq", args=(x, zero)),)):  # c_ij ≠ 0
            return zero is ZERO and _vanishes(x, i, j)
        case t.Test(name="lt", args=(zero, x)):
            return zero is ZERO and _vanishes(x, i, j)
    return False


def _vanishes(x: Tree, i: int, j: int) -> bool:
    """Return whether a value is seen to be 0 or undefined where cell (i, j) is 0. (False says nothing.)"""
    match x:
        case core.Lin(basis=core.Pair(i=ClassVariable(number=row), j=ClassVariable(number=column)), weights=weights):
            return (row, column) == (i, j) and not any(weights[1:])
        case t.Operation(name="mul", args=args):
            return any(_vanishes(y, i, j) for y in args)
        case t.Operation(name="div", args=(y, _)) | t.Where(test=t.Test(name="broken"), y=y):
            return _vanishes(y, i, j)  # where a matrix is broken, its cells do not matter
        case t.Operation(name="power", args=(y, t.Numeral(value=r))):
            return r > 0 and _vanishes(y, i, j)
        case t.Operation(name="add" | "sub" | "neg" | "abs" | "sqrt", args=args):
            return all(_vanishes(y, i, j) for y in args)
        case t.Where(test=test, x=one, y=other):
            branches = (test, one), (core.inverse(test), other)
            return all(_vanishes(y, i, j) or _fails(reached, i, j) for reached, y in branches)
    return x is ZERO or isinstance(x, (t.Missing, core.Lost))


class SparseSource(ArraySource):
    """The source of a function ``f(c0, u)`` of `ListedCells`."""

    def expression(self, x: Tree) -> str:
        match x:
            case EachListed(number=k, term=term):
                return f"over_sum({stripped(self.text(term))}, len(c0['rows']), {k})"
            case OfListed(side=side, i=i, number=k, term=term):
                lines = f"c0.by_line('{'rows' if side == 'a' else 'cols'}', {stripped(self.text(term))}, {k})"
                return super().read(lines, (i,))
            case ListedGrid(i=i, j=j, cell=cell, on=on):
                return f"c0.mapped({self.text(on)}, {stripped(self.text(cell))}, {i}, {j})"
        return super().expression(x)

    def read(self, table: str, classes: Sequence[Tree], *, varies: bool = False) -> str:
        sides = [x.side for x in classes if isinstance(x, ListedClass)]
        if not sides:
            return super().read(table, classes, varies=varies)
        if len(sides) < len(classes):
            raise _needs(_EVERY_CELL, _FEWER)
        if sides == ["b", "a"]:
            raise _needs(
                "reads c[j, i] in a sum over cells (i, j), and of so many classes only the non-zero ones are kept",
                "write it with c[i, j] alone",
            )
        if len(sides) == 1:
            table += f"[c0['{'rows' if sides == ['a'] else 'cols'}']]"
        return super().read(table, [ClassVariable(classes[0].__dict__["number"])], varies=varies)


class ListedCells(dict[str, AnyArray]):
    """What is known of sparse matrices: class sizes, the diagonal, and the non-zero cells off the diagonal.

    Arrays have the shapes (m, batch) and (cells, batch); all matrices of a batch share their non-zero cells. These are
    fetched when a measure needs them, and many do not. Sums are added up once for all measures, by the letters of
    `Sums`: `exact` says that they are integers below 2^53, which may be subtracted; `off` are the sums off the
    diagonal, if they are known.
    """

    def __init__(
        self,
        a: AnyArray,
        b: AnyArray,
        diagonal: AnyArray,
        others: Callable[[], tuple[AnyArray, AnyArray, AnyArray]],
        *,
        exact: bool,
        off: tuple[AnyArray, AnyArray] | None = None,
    ) -> None:
        self.m, self.exact, self._others = len(a), exact, others
        self |= {"a": _as_column(a), "b": _as_column(b), "d": _as_column(diagonal)}
        if off is not None:
            self["r"], self["k"] = off

    def __missing__(self, name: str) -> AnyArray:
        if name in ("rows", "cols", "g"):
            self["rows"], self["cols"], values = self._others()
            self["g"] = _as_column(values)
        else:
            self[name] = _SUMS_OF_LISTED[name](self)
        return self[name]

    def broken(self) -> AnyArray:
        """Return for which matrices a cell is undefined."""
        return np.isnan(self["d"]).any(axis=0) | np.isnan(self["g"]).any(axis=0)

    def listed(self, x: AnyArray, number: int) -> AnyArray:
        """Return a value on the axis of the listed cells as an array of the shape (cells, batch)."""
        x = NUMPY.spread(x, len(self["rows"]), number)
        return np.reshape(x, (len(self["rows"]), x.shape[-1]))

    def by_line(self, name: str, x: AnyArray, number: int) -> AnyArray:
        """Return the sums of a value by the rows or the columns of the listed cells."""
        return added_by(self[name], self.listed(x, number), self.m)

    def mapped(self, on: AnyArray, cells: AnyArray, i: int, j: int) -> ListedCells:
        """Return the matrix with other numbers on the diagonal and in the listed cells."""
        rows, cols, cells, on = self["rows"], self["cols"], self.listed(cells, j), NUMPY.spread(on, self.m, i)
        on = np.reshape(on, (self.m, on.shape[-1]))
        off = added_by(rows, cells, self.m), added_by(cols, cells, self.m)
        a, b = (np.broadcast_to(x + on, (self.m, x.shape[-1])) for x in off)
        return ListedCells(a, b, on, lambda: (rows, cols, cells), exact=False, off=off)

    def elsewhere(self) -> AnyArray:
        """Return Σ_{j≠i, k≠i} c_jk for every class i.

        Real counts are subtracted first: n − a_i − b_i + c_ii is accurate to about nine digits wherever it is at least
        1e-6·n. Where it is less, row i and column i hold nearly all items. Since Σ_i (a_i + b_i − c_ii) ≤ 2n, at most
        two classes can do that, and for these the cells are added up.
        """
        n, d = self["n"], self["d"]
        rest = n - self["a"] - self["b"] + d
        if self.exact:
            return rest
        for i in np.flatnonzero((rest < 1e-6 * n).any(axis=1)):
            apart = self["g"][(self["rows"] != i) & (self["cols"] != i)].sum(axis=0)
            rest[i] = d[:i].sum(axis=0) + d[i + 1 :].sum(axis=0) + apart
        return rest


def _as_column(x: AnyArray) -> AnyArray:
    """Return a vector as a batch of one matrix; a batch, with matrices along the last axis, as it is."""
    return x if x.ndim == 2 else x[:, None]


_SUMS_OF_LISTED: dict[str, Callable[[ListedCells], AnyArray]] = {
    "r": lambda c: c["a"] - c["d"] if c.exact else added_by(c["rows"], c["g"], c.m),
    "k": lambda c: c["b"] - c["d"] if c.exact else added_by(c["cols"], c["g"], c.m),
    "e": lambda c: c.elsewhere(),
    "h": lambda c: c["d"].sum(axis=0),
    "o": lambda c: c["r"].sum(axis=0),
    "n": lambda c: c["a"].sum(axis=0) if c.exact else c["h"] + c["o"],
    # of each listed cell: the rest of its row, of its column, and everything else
    "R": lambda c: c["d"][c["rows"]] + (c["r"][c["rows"]] - c["g"]),
    "K": lambda c: c["d"][c["cols"]] + (c["k"][c["cols"]] - c["g"]),
    "E": lambda c: c["e"][c["rows"]] + c["k"][c["rows"]] - c["K"],
}


def added_by(positions: AnyArray, values: AnyArray, m: int) -> AnyArray:
    """Return the sums of listed values (cells, batch) by class."""
    if values.shape[1] == 1:
        return np.bincount(positions, weights=values[:, 0], minlength=m)[:, None]
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


def value_on_listed(tree: Tree, cells: ListedCells, policy: Policy) -> AnyArray:
    """Return the values of a formula on sparse matrices; raise `NeedsEveryCell` if it reads empty cells too."""

    def roots() -> Tree:
        return lowered(tree, None, resolves=policy.resolves)

    return on_listed(tree, ("sparse", policy.resolves, cells.exact), roots, cells, policy)


def on_listed(
    tree: Tree, key: object, roots: Callable[[], Tree | Sequence[Tree]], cells: ListedCells, policy: Policy
) -> AnyArray:
    """Return the values of core trees on sparse matrices, which are compiled when they are first needed."""
    found = tree.memo.get(key)
    if found is None:
        try:
            known = roots()
            known = listed(known) if isinstance(known, Tree) else [*map(listed, known)]
            found = array_function(SparseSource(known, None, whole=cells.exact), tree, NUMPY)
        except NeedsEveryCell as error:
            found = error
        tree.memo[key] = found
    if isinstance(found, NeedsEveryCell):
        raise found.with_traceback(None)
    return cast(ArrayValue, found)(cells, undefined_value(policy))
