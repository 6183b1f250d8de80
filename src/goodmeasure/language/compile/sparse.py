"""Matrices with very many classes, from the diagonal, the class sizes and the non-zero cells.

A sum over classes is an axis of length m, as in `arrays.py`; a sum over pairs of classes is one over the listed cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from goodmeasure.exceptions import InputTypeError
from goodmeasure.language.compile.arrays import NUMPY, ArraySource, ArrayValue, array_function
from goodmeasure.language.compile.compiled import undefined_value
from goodmeasure.language.compile.plan import CodeBlock
from goodmeasure.language.compile.source import stripped
from goodmeasure.language.policy import Policy
from goodmeasure.language.rewrite.core import Each, EachPair, Lin, Lost, MappedGrid, Pair, add, where
from goodmeasure.language.rewrite.lower import lowered
from goodmeasure.language.tree import (
    TRUE,
    ZERO,
    ClassTree,
    ClassVariable,
    ConditionTree,
    Missing,
    Operation,
    Ratio,
    Tabled,
    Test,
    ToPower,
    Tree,
    ValueTree,
    Where,
    XLogY,
    below,
)
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
    """The sum over the listed cells, on the axis of a variable, for which a condition holds."""

    number: int
    term: ValueTree
    test: ConditionTree


class OfListed(Tree):
    """The sums, by row (side "a") or column (side "b"), over the listed cells for which a condition holds."""

    side: str
    i: ClassTree
    number: int
    term: ValueTree
    test: ConditionTree


class ListedGrid(MappedGrid):
    """A matrix that is computed for the classes of the diagonal and for the listed cells; all others stay empty."""

    SORT = "MatrixTree"
    i: int
    j: int
    cell: ValueTree
    on: ValueTree


def _needs(what: str, advice: str = "count fewer classes") -> NeedsEveryCell:
    return NeedsEveryCell("this measure " + what, advice=advice)


def listed(root: Tree) -> Tree:
    """Return a core tree whose sums over pairs of classes are sums over listed cells."""
    made: dict[Tree, Tree] = {}
    for x in below(root):
        y = x.with_parts(made.__getitem__)
        if isinstance(y, EachPair):
            y = EachListed(y.j, *_at_listed(y.i, y.j, y.term, y.test)[1:])
        elif isinstance(y, Each) and y.op == "sum" and len(y.free) == 1 and y.i in y.term.free:
            y = _over_line(y, *y.free)
        elif type(y) is MappedGrid:
            if y.free or not _vanishes(y.cell, y.i, y.j):
                raise _needs("maps a matrix to one that has no empty cells, which would not fit into memory")
            on = y.cell.with_classes({y.j: ClassVariable(y.i)})
            y = ListedGrid(y.i, y.j, at_listed(y.cell, y.i, y.j), on)
        elif isinstance(y, Tabled):
            raise _needs("has a table of constants for every pair of classes, which is too large")
        made[x] = y
    if any(len(y.free) > 1 for y in below(made[root])):
        raise _needs(_EVERY_CELL, _FEWER)
    return made[root]


def _at_listed(i: int, j: int, term: Tree, test: Tree) -> tuple[str, Tree, Tree]:
    """Return a value and a condition for listed cells, and where class i is their row or column ("a" or "b").

    What is summed must be 0 in empty cells.
    """
    cells = {(y.i, y.j) for y in below(term, test) if isinstance(y, Pair) and y.i is not y.j}
    side = "b" if (ClassVariable(j), ClassVariable(i)) in cells else "a"  # in "b", of the transposed matrix
    row, column = (i, j) if side == "a" else (j, i)
    if not _vanishes(term, row, column) and not _fails(test, row, column):
        raise _needs(_EVERY_CELL)
    ends = _ends(row, column, max(i, j))
    return side, term.with_classes(ends), test.with_classes(ends)


def _over_line(x: Each, i: int) -> Tree:
    """Return a sum over all cells of the row or the column of class i as that of its listed cells and its diagonal."""
    side, term, test = _at_listed(i, x.i, x.term, x.test)
    on = where(x.test, x.term, ZERO).with_classes({x.i: ClassVariable(i)})
    return add(on, OfListed(side, ClassVariable(i), max(i, x.i), term, test))


def _fails(test: Tree, i: int, j: int) -> bool:
    """Return whether a condition is seen not to hold where cell (i, j) is 0. (False says nothing.)"""
    if not isinstance(test, Test):
        return False
    if test.name == "and":
        return any(_fails(y, i, j) for y in test.args)
    if test.name == "not":  # c_ij ≠ 0
        inner = test.args[0]
        return (
            isinstance(inner, Test) and inner.name == "eq" and inner.args[1] is ZERO and _vanishes(inner.args[0], i, j)
        )
    return test.name == "lt" and test.args[0] is ZERO and _vanishes(test.args[1], i, j)


def _ends(i: int, j: int, number: int) -> dict[int, Tree]:
    return {i: ListedClass("a", number), j: ListedClass("b", number)}


def at_listed(x: Tree, i: int, j: int) -> Tree:
    """Return a value of a row and a column in the listed cells, on the axis of the column."""
    return x.with_classes(_ends(i, j, j))


def _vanishes(x: Tree, i: int, j: int) -> bool:
    """Return whether a value is seen to be 0 or undefined where cell (i, j) is 0. (False says nothing.)"""
    again: Callable[..., list[bool]] = lambda *parts: [_vanishes(y, i, j) for y in parts]  # noqa: E731
    match x:
        case Lin(basis=Pair(i=ClassVariable(number=row), j=ClassVariable(number=column)), weights=weights):
            return (row, column) == (i, j) and not any(weights[1:])
        case Operation(name="mul", args=args):
            return any(again(*args))
        case Operation(name="add" | "sub" | "neg" | "abs" | "sqrt", args=args):
            return all(again(*args))
        case Ratio(x=above, rule=rule):
            return all(again(above, *([] if rule is None else [rule])))
        case Where(test=Test(name="broken"), y=other):  # where the matrix is undefined, its cells do not matter
            return all(again(other))
        case Where(test=test, x=one, y=other):
            return all(again(other)) and (_fails(test, i, j) or all(again(one)))
        case XLogY(x=factor):
            return all(again(factor))
        case ToPower(x=base, r=r):
            return r > 0 and _vanishes(base, i, j)
    return x is ZERO or isinstance(x, (Missing, Lost))


class SparseSource(ArraySource):
    """The source of a function ``f(c0, u)`` of `ListedCells`."""

    def at(self, vector: str, i: Tree) -> str:
        if not isinstance(i, ListedClass):
            return super().at(vector, i)
        return super().at(f"{vector}[c0['{'rows' if i.side == 'a' else 'cols'}']]", ClassVariable(i.number))

    def at2(self, grid: str, i: Tree, j: Tree) -> str:
        if not isinstance(i, ListedClass) or not isinstance(j, ListedClass):
            raise _needs(_EVERY_CELL, _FEWER)
        if (i.side, j.side) != ("a", "b"):
            raise _needs(
                "reads c[j, i] in a sum over cells (i, j), and of so many classes only the non-zero ones are kept",
                "write it with c[i, j] alone",
            )
        return super().at(grid, ClassVariable(i.number))

    def write_eachlisted(self, x: EachListed, name: str, block: CodeBlock) -> None:
        term = stripped(self.text(x.term))
        if x.test is not TRUE:
            term = f"where({stripped(self.text(x.test))}, {term}, 0.0)"
        self.assign(name, f"total(spread({term}, len(c0['rows']), {x.number}), {-(x.number + 1)})")

    def write_oflisted(self, x: OfListed, name: str, block: CodeBlock) -> None:
        term = f"where({stripped(self.text(x.test))}, {stripped(self.text(x.term))}, 0.0)"
        lines = f"c0.by_line('{'rows' if x.side == 'a' else 'cols'}', {term}, {x.number})"
        self.assign(name, super().at(lines, x.i))

    def grid(self, x: MappedGrid, block: CodeBlock) -> str:
        assert isinstance(x, ListedGrid)
        place = self._grids[x] = len(self._grids) + 1
        on, cell = self.text(x.on), stripped(self.text(x.cell))
        self.assign(f"c{place}", f"c0.mapped({on}, {cell}, {x.i}, {x.j})")
        return f"c{place}"


class ListedCells(dict[str, AnyArray]):
    """What is known of sparse matrices: class sizes, the diagonal, and the non-zero cells off the diagonal.

    Arrays have the shapes (m, batch) and (cells, batch); all matrices of a batch share their non-zero cells. These are
    fetched when a measure needs them, and many do not. Sums are added up once for all measures, by the letters of
    `PythonSource`: `exact` says that they are integers below 2^53, which may be subtracted. If they are known, `off`
    are the sums off the diagonal, and `rest` those over all other rows and columns.
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

    def core() -> list[Tree]:
        return [lowered(tree, None, resolves=policy.resolves)]

    return on_listed(tree, ("sparse", policy.resolves, cells.exact), core, cells, policy)


def on_listed(
    tree: Tree, key: object, roots: Callable[[], Sequence[Tree]], cells: ListedCells, policy: Policy
) -> AnyArray:
    """Return the values of core trees on sparse matrices, which are compiled when they are first needed."""
    found = tree.memo.get(key)
    if found is None:
        try:
            found = array_function(SparseSource([*map(listed, roots())], None, whole=cells.exact), tree, NUMPY)
        except NeedsEveryCell as error:
            found = error
        tree.memo[key] = found
    if isinstance(found, NeedsEveryCell):
        raise found.with_traceback(None)
    return cast(ArrayValue, found)(cells, undefined_value(policy))
