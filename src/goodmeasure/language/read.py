"""Reading a tree: each node says its word of the language to a view, which computes with numbers of its own kind.

What a node stands for is computed where it is first needed, and kept as long as it means the same. A value that does
not depend on the class of a sum, and contains a sum itself, is computed before that sum begins, as if the definition
had given it a name: a view that stands for all classes at once must not meet it inside of another sum. A branch, a rule
and the y of x·log y are computed only if the view asks for them, and what is computed for them is forgotten after them,
since the view may suppose something meanwhile (that a size is not 0, say).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import SupportsIndex, TypeAlias, cast

from goodmeasure.exceptions import InputError
from goodmeasure.language.class_by_class import LoopView
from goodmeasure.language.policy import SKIP, LeaveOut
from goodmeasure.language.tree import (
    CellOf,
    ClassVariable,
    CountOfClasses,
    Counts,
    Excess,
    Listed,
    Mapped,
    Missing,
    Nth,
    Numeral,
    OpenPower,
    Operation,
    Over,
    OverMean,
    OverPairs,
    Position,
    PowerMean,
    Ratio,
    Rest,
    SizeOf,
    Skipped,
    Tabled,
    Test,
    ToPower,
    TotalOf,
    Transposed,
    Tree,
    Two,
    Where,
    Whole,
    XLogY,
    number,
)
from goodmeasure.language.value import Value
from goodmeasure.language.view import ClassTable, ConstantTable, K, RowsOfTable, Sizes, TableEntry, V, View

ReaderView: TypeAlias = LoopView[Value]
Entries: TypeAlias = ConstantTable[Value, SupportsIndex]

_DYADIC: dict[str, Callable[..., object]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul,
    "eq": operator.eq, "lt": operator.lt, "le": operator.le, "and": operator.and_, "or": operator.or_,
}  # fmt: skip

_POSITIVE = frozenset({Operation("pi", ()), *map(number, range(1, 10))})  # divisors of which no view need be asked


def read(tree: Tree, view: LoopView[V], exponent: object = None) -> V:
    """Return the value of a tree on a view; `exponent` stands for one that the tree leaves open."""
    c = cast(ReaderView, view)
    return cast(V, Interpreter(c, exponent).value(tree, Scope(None, c)))


class GivenTree:
    """A definition that is given by its tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def __call__(self, c: View[V, K]) -> V | float:
        if self.tree.classes not in (None, c.m):
            raise InputError(
                "the formula is for {m} classes, the matrix has {got}",
                m=self.tree.classes, got=c.m, expected="{m} classes",
            )  # fmt: skip
        return read(self.tree, cast("LoopView[V]", c))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GivenTree) and self.tree is other.tree

    def __hash__(self) -> int:
        return hash(self.tree)


class Scope:
    """What has been computed in one part of a reading, and the classes that are bound there.

    `branch`: it is a part of the scope above it that may not be reached; `wall`: nothing from above means the same.
    """

    __slots__ = ("above", "branch", "c", "classes", "known", "wall")

    def __init__(
        self,
        above: Scope | None,
        c: ReaderView,
        classes: Mapping[int, object] | None = None,
        *,
        branch: bool = False,
        wall: bool = False,
    ) -> None:
        self.above, self.c, self.branch, self.wall = above, c, branch, wall
        self.classes = classes or {}
        self.known: dict[Tree, object] = {}

    def find(self, x: Tree) -> object:
        """Return what has been computed for a node and still means the same; None if nothing has."""
        scope: Scope | None = self
        far = has_sum(x)
        while scope is not None:
            if x in scope.known:
                return scope.known[x]
            near = scope.branch or (far and not scope.wall and x.free.isdisjoint(scope.classes))
            scope = scope.above if near else None
        return None

    def class_of(self, number: int) -> object:
        """Return the class that a variable stands for."""
        scope: Scope | None = self
        while scope is not None:
            if number in scope.classes:
                return scope.classes[number]
            scope = scope.above
        raise KeyError(number)


class Interpreter:
    """One reading of a tree on a view."""

    def __init__(self, root: ReaderView, exponent: object) -> None:
        self.root, self.exponent = root, exponent
        self.tables: dict[object, Entries] = {}

    def value(self, x: Tree, at: Scope) -> object:
        """Return what a node stands for: a value, a condition, a class, or the view of a matrix."""
        found = at.find(x)
        if found is None:
            table = formula_of_classes(x)
            found = self._weight(x, table, at) if table else getattr(self, f"_{type(x).__name__.lower()}")(x, at)
            at.known[x] = found
        return found

    def _number(self, x: Tree, at: Scope) -> Value:
        return cast(Value, self.value(x, at))

    def _view(self, x: Tree, at: Scope) -> ReaderView:
        return cast(ReaderView, self.value(x, at))

    def _home(self, x: Tree, at: Scope) -> ReaderView:
        """Return the view whose words a value uses: that of two classes, if it reads nothing else."""
        home = _matrix_of(x)
        return self._view(home, at) if isinstance(home, Tree) else at.c

    def _later(self, x: Tree, at: Scope) -> Callable[[], Value]:
        """Return a function for the view to call if it needs a branch."""
        return lambda: self._chosen(x, Scope(at, at.c, branch=True))

    def _chosen(self, x: Tree, at: Scope) -> Value:
        found = self.value(x, at)
        return at.c.constant(found) if isinstance(found, (int, Fraction)) else cast(Value, found)

    def _of_class(self, x: Tree | None, i: int, at: Scope) -> Callable[[object], Value] | None:
        """Return a node as a function of a class, for the view to call."""
        if x is None:
            return None
        return lambda k: self._number(x, Scope(at, at.c, {i: k}))

    # Classes and matrices

    def _classvariable(self, x: ClassVariable, at: Scope) -> object:
        return at.class_of(x.number)

    def _nth(self, x: Nth, at: Scope) -> object:
        return x.number

    def _counts(self, x: Counts, at: Scope) -> ReaderView:
        return self.root

    def _transposed(self, x: Transposed, at: Scope) -> ReaderView:
        return self._view(x.of, at).T

    def _rest(self, x: Rest, at: Scope) -> ReaderView:
        return self._view(x.of, at).vs_rest(cast(SupportsIndex, self.value(x.i, at)))

    def _two(self, x: Two, at: Scope) -> ReaderView:
        tp, fn, fp, tn = (self._number(y, at) for y in (x.tp, x.fn, x.fp, x.tn))
        return at.c.two(tp, fn, fp, tn)

    def _mapped(self, x: Mapped, at: Scope) -> ReaderView:
        of = self._view(x.of, at)

        def cell(i: object, j: object) -> Value:
            inside = Scope(at, of, {x.i: i, x.j: j}, wall=True)
            inside.known[x.of] = of  # this view, not another one of the same matrix, says what is undefined here
            return self._number(x.cell, inside)

        return of.map(cell)

    # Numbers

    def _numeral(self, x: Numeral, at: Scope) -> object:
        return int(x.value) if x.value.denominator == 1 else at.c.constant(x.value)

    def _countofclasses(self, x: CountOfClasses, at: Scope) -> object:
        return self._view(x.of, at).m

    def _cellof(self, x: CellOf, at: Scope) -> Value:
        i, j = (cast(SupportsIndex, self.value(y, at)) for y in (x.i, x.j))
        return self._view(x.of, at)[i, j]

    def _sizeof(self, x: SizeOf, at: Scope) -> Value:
        of = self._view(x.of, at)
        return (of.a if x.side == "a" else of.b)[cast(SupportsIndex, self.value(x.i, at))]

    def _totalof(self, x: TotalOf, at: Scope) -> Value:
        return self._view(x.of, at).n

    def _excess(self, x: Excess, at: Scope) -> Value:
        i, j = (cast(SupportsIndex, self.value(y, at)) for y in (x.i, x.j))
        return self._view(x.of, at).excess(i, None if x.i is x.j else j)

    def _missing(self, x: Missing, at: Scope) -> Value:
        return at.c.undefined()

    def _skipped(self, x: Skipped, at: Scope) -> object:
        return SKIP

    def _operation(self, x: Operation, at: Scope) -> object:
        if x.name == "pi":
            return self._home(x, at).pi
        args = [self._number(y, at) for y in x.args]
        if x.name in _DYADIC:
            return _DYADIC[x.name](*args)
        if x.name in ("neg", "abs"):
            return -args[0] if x.name == "neg" else abs(args[0])
        return getattr(self._home(x, at), x.name)(*args)

    def _topower(self, x: ToPower, at: Scope) -> object:
        base = self._number(x.x, at)
        whole = x.r.denominator == 1 and x.r >= 0
        return base ** int(x.r) if whole else self._home(x, at).power(base, x.r)

    def _power(self, p: object) -> Fraction:
        return cast(Fraction, self.exponent if isinstance(p, OpenPower) else p)

    def _powermean(self, x: PowerMean, at: Scope) -> Value:
        return self._home(x, at).power_mean([self._number(y, at) for y in x.values], self._power(x.p))

    def _overmean(self, x: OverMean, at: Scope) -> Value:
        above, u, v = (self._number(y, at) for y in (x.x, x.u, x.v))
        return self._home(x, at).over_mean(above, u, v, x.mean, x.p)

    def _xlogy(self, x: XLogY, at: Scope) -> Value:
        above = None if x.above is None else self._later(x.above, at)
        return self._home(x, at).xlogy(self._number(x.x, at), self._later(x.y, at), above)

    def _ratio(self, x: Ratio, at: Scope) -> Value:
        if isinstance(x.y, Numeral | Operation) and x.y in _POSITIVE:  # no comparison is needed
            return at.c.constant(self._number(x.x, at)) / self._number(x.y, at)
        rule = None if x.rule is None else self._later(x.rule, at)
        return self._home(x, at).ratio(self._number(x.x, at), self._number(x.y, at), rule)

    def _where(self, x: Where, at: Scope) -> Value:
        return self._home(x, at).where(cast(bool, self.value(x.test, at)), self._later(x.x, at), self._later(x.y, at))

    def _whole(self, x: Whole, at: Scope) -> object:
        of = self._view(x.of, at)
        return of.finish(self._number(x.value, Scope(at, of, branch=True)))

    def _tabled(self, x: Tabled, at: Scope) -> Value:
        return self._entry(x.rows, x.rows, x.i, x.j, at)

    def _weight(self, x: Tree, table: tuple[ClassTable, Tree, Tree], at: Scope) -> Value:
        rows, i, j = table
        return self._entry(x, rows, i, j, at)

    def _entry(self, key: object, rows: RowsOfTable, i: Tree, j: Tree, at: Scope) -> Value:
        if key not in self.tables:
            self.tables[key] = self.root.table(rows)
        k, other = (cast(SupportsIndex, self.value(y, at)) for y in (i, j))
        return self.tables[key][k, other]

    # Over classes

    def _over(self, x: Over, at: Scope) -> object:
        self._prepare(x, at)
        term, test, rule, weight = (self._of_class(y, x.i, at) for y in (x.term, x.test, x.rule, x.weight))
        return _said(self._view(x.of, at), x.op, term, test, self._power(x.p), rule, weight)

    def _listed(self, x: Listed, at: Scope) -> object:
        def each(items: Sequence[Tree]) -> Callable[[object], Value] | None:
            return (lambda k: self._chosen(items[cast(int, k)], at)) if items else None

        size = range(len(x.terms))
        c = at.c.like([[at.c.constant(0) for _ in size] for _ in size])
        test = lambda k: self.value(x.tests[cast(int, k)], at)  # noqa: E731
        return _said(c, x.op, each(x.terms), test if x.tests else None, x.p, each(x.rules), each(x.weights))

    def _overpairs(self, x: OverPairs, at: Scope) -> Value:
        self._prepare(x, at)

        def of_pair(y: Tree) -> Callable[[object, object], Value]:
            return lambda i, j: self._number(y, Scope(at, at.c, {x.i: i, x.j: j}))

        test = None if x.test is None else of_pair(x.test)
        return self._view(x.of, at).sum_off(of_pair(x.term), test)  # type: ignore[arg-type] # a condition

    def _prepare(self, x: Tree, at: Scope) -> None:
        """Compute what a sum needs and does not depend on its classes; what leaves a class out waits for the class."""
        for y in _apart_from_classes(x):
            with suppress(LeaveOut):
                self.value(y, at)

    # Conditions

    def _test(self, x: Test, at: Scope) -> object:
        if x.name in ("true", "false"):
            return x.name == "true"
        if x.name == "resolves":
            return at.c.policy.resolves
        args = [self.value(y, at) for y in x.args]
        if x.name == "not":
            return not args[0] if isinstance(args[0], bool) else ~cast(int, args[0])
        return _DYADIC[x.name](*args)


def _said(
    c: ReaderView, op: str, term: object, test: object, p: object, rule: object = None, weight: object = None
) -> object:
    """Say the word for a sum, product, extreme or mean to a view."""
    if op != "mean":
        return getattr(c, op)(term, test)
    weights = None if weight is None else Sizes(cast("Callable[[object], Value]", weight))
    return c.mean(term, p, test, rule, weights)  # type: ignore[arg-type] # functions of whatever the view's classes are


# What is known of a node without a view


def has_sum(x: Tree) -> bool:
    """Return whether a node contains a sum over classes, or a matrix that is computed cell by cell."""
    known = x.memo.get("sum")
    if known is None:
        inside = isinstance(x, (Over, OverPairs, Listed, Mapped)) or any(map(has_sum, x.parts))
        known = x.memo["sum"] = inside
    return known is True


def _matrix_of(x: Tree) -> object:
    """Return the one matrix of two classes that a value reads; None if it reads none, False if it reads others too."""
    if "matrix" not in x.memo:
        x.memo["matrix"] = _found_matrix(x)
    return x.memo["matrix"]


def _found_matrix(x: Tree) -> object:
    if x.SORT == "MatrixTree":
        return x if of_two(x) else False
    found = {y for y in map(_matrix_of, x.parts) if y is not None}
    return found.pop() if len(found) == 1 else False if found else None


def of_two(matrix: Tree) -> bool:
    """Return whether the classes of a matrix are a class and the rest, or those of four given cells."""
    while isinstance(matrix, (Transposed, Mapped)):
        matrix = matrix.of
    return isinstance(matrix, (Rest, Two))


def _apart_from_classes(x: Tree) -> list[Tree]:
    """Return what a sum surely computes that contains a sum and does not depend on the classes of this one."""
    if "apart" not in x.memo:
        bound = {x.__dict__[name] for name in x.BINDS}
        of = x.__dict__.get("of")
        found: dict[Tree, None] = {}
        for part in x.parts:
            if part is not of and part is not x.__dict__.get("rule"):
                found.update(dict.fromkeys(_surely(part, frozenset(bound))))
        x.memo["apart"] = list(found)
    return cast("list[Tree]", x.memo["apart"])


def _surely(x: Tree, bound: frozenset[int]) -> Iterator[Tree]:
    """Yield the largest parts that are computed whenever x is, contain a sum, and depend on none of these classes."""
    if not has_sum(x) or isinstance(x, Mapped):
        return
    if x.free.isdisjoint(bound) and x.SORT == "ValueTree":
        yield x
        return
    for part in x.parts:
        lazy = {Where: ("x", "y"), Ratio: ("rule",), XLogY: ("y", "above"), Over: ("rule",), Listed: ("rules",)}
        if not any(part is x.__dict__[name] for name in lazy.get(type(x), ())):
            yield from _surely(part, bound)


# Formulas in the positions of classes


_OF_POSITIONS = ("add", "sub", "mul", "neg", "abs")


def formula_of_classes(x: Tree) -> tuple[ClassTable, Tree, Tree] | None:
    """Return a formula in the positions of one or two classes as a table, with the classes that it is looked up for.

    Formulas that differ only in what their classes are called are one table.
    """
    if "table" not in x.memo:
        places = list(dict.fromkeys(_positions(x) or ()))
        x.memo["table"] = (_table_of(x, places), places[0], places[-1]) if 0 < len(places) <= 2 else None
    return cast("tuple[ClassTable, Tree, Tree] | None", x.memo["table"])


def _positions(x: Tree) -> list[Tree] | None:
    """Return the classes whose positions a formula is in; None if it is in anything else, or has factors."""
    if isinstance(x, Position):
        return [x.i]
    parts = x.parts
    if not (isinstance(x, ToPower) and x.r > 0 and x.r.denominator == 1) and not (
        isinstance(x, Operation) and x.name in _OF_POSITIONS and parts
    ):
        return None
    found: list[Tree] = []
    for part in parts:
        inside = _positions(part)
        if inside is None:
            return None
        found += inside
    return found


def _table_of(x: Tree, places: Sequence[Tree]) -> ClassTable:
    letters = [ClassVariable(k) for k in (1, 2)]
    if all(isinstance(i, ClassVariable) for i in places):
        x = x.with_classes({i.__dict__["number"]: y for i, y in zip(places, letters, strict=False)})
        places = letters[: len(places)]
    if "entries" not in x.memo:
        entry = cast(TableEntry, lambda i, j: _at_positions(x, {places[0]: i, places[-1]: j}))
        x.memo["entries"] = ClassTable(entry)
    return cast(ClassTable, x.memo["entries"])


def _at_positions(x: Tree, at: Mapping[Tree, object]) -> object:
    """Return a formula in positions of classes, with numbers in their place."""
    if isinstance(x, Position):
        return at[x.i]
    args = [cast(int, _at_positions(y, at)) for y in x.parts]
    if isinstance(x, ToPower):
        return args[0] ** int(x.r)
    if isinstance(x, Operation) and x.name in ("neg", "abs"):
        return -args[0] if x.name == "neg" else abs(args[0])
    return _DYADIC[cast(Operation, x).name](*args)
