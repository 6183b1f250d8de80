"""The core language that trees are rewritten into: its nodes, and the arithmetic that builds them.

Gone are derived matrices, named means and rules of means. A quotient is a plain division, and its rule for
0/0 a choice around it; x·log y is a choice too; a mean is a sum divided by a sum, and a condition on the classes of a
sum a choice of its term. New is `Lin`, an integer combination of disjoint groups of cells: n − a_i becomes the sum of
the other groups, so that sums of cells are added up and never subtracted, and a sum is 0 exactly if all its cells are.
(In floating point (a_0 + a_1) − a_0 need not be a_1, so that an empty class would seem to have 1e-16 items and a rule
for 0/0 would be missed; adding non-negative numbers never rounds a positive sum to 0.) Every set of disjoint groups
that the language can meet is one of four:

* `Pair(of, i, j)`: cell (i, j), the rest of row i, the rest of column j, everything else (i = j: one class);
* `Diagonal(of)`: the cells on and off the diagonal;
* `All(of)`: one group;
* `CellGroups(cells)`: single cells, of a matrix whose classes are written out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import reduce
from math import gcd
from typing import TypeAlias

from goodmeasure.language.tree import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    ClassTree,
    CountOfClasses,
    MatrixTree,
    MeanPower,
    Missing,
    Numeral,
    Operation,
    Skipped,
    Test,
    Tree,
    ValueTree,
    Where,
    known_of,
    number,
)

CountedTerm: TypeAlias = "tuple[Tree, Tree, Tree | None]"  # the term of a class, whether it counts, and its weight


class Entry(Tree):
    """A count, of a matrix whose classes are written out."""

    i: int
    j: int


class MappedGrid(Tree):
    """A matrix that is computed cell by cell in a loop."""

    SORT = "MatrixTree"
    BINDS = ("i", "j")
    i: int
    j: int
    cell: ValueTree


class Pair(Tree):
    SORT = "Groups"
    of: MatrixTree
    i: ClassTree
    j: ClassTree


class Diagonal(Tree):
    SORT = "Groups"
    of: MatrixTree


class All(Tree):
    SORT = "Groups"
    of: MatrixTree


class CellGroups(Tree):
    SORT = "Groups"
    cells: tuple[ValueTree, ...]


class Lin(Tree):
    """An integer combination of disjoint groups of cells."""

    basis: Tree
    weights: tuple[int, ...]


class CellSums(Tree):
    """CellSums of the cells of a matrix, of which `Lin` is computed.

    n, h, o: the sums of all cells, on and off the diagonal; a, b, d: row sums, column sums and diagonal; r, k, e: of
    each class, the rest of its row, of its column, and everything else; g, R, K, E: each cell, and the same of it.
    """

    SORT = "MatrixTree"
    of: MatrixTree
    name: str


class ReadAt(Tree):
    """A sum of cells, by the classes that it is of."""

    of: MatrixTree
    at: tuple[ClassTree, ...]


class Each(Tree):
    """The sum or product of a term over all classes, or (op "list") the values for another operation."""

    BINDS = ("i",)
    op: str
    i: int
    term: ValueTree


class Lost(Tree):
    """Undefined under every policy, as a cell of a mapped matrix is."""


class LeftOutTerm(Tree):
    """Stands among some values for one that does not count."""


# CellSums of cells


def _rebased(x: Lin, to: Tree) -> tuple[int, ...] | None:
    """Return the weights of a sum of cells in other groups; None if it is not a sum of them."""
    b, w = x.basis, x.weights
    if b is to:
        return w
    if isinstance(b, All):
        if isinstance(to, Pair) and to.of is b.of:
            return w * 4
        return w * 2 if isinstance(to, Diagonal) and to.of is b.of else None
    if isinstance(b, Pair) and isinstance(to, Pair) and b.of is to.of:
        row_only, column_only = w[0] == w[1] and w[2] == w[3], w[0] == w[2] and w[1] == w[3]
        if (b.i is to.i and row_only) or (b.j is to.j and column_only):
            return w
    return None


def joined(x: Tree, y: Tree, sign: int) -> Tree | None:
    """Return x + y or x − y of two sums of cells as one sum of cells; None if they have no common groups."""
    if not isinstance(x, Lin) or not isinstance(y, Lin):
        return None
    tried = [x.basis, y.basis]
    if isinstance(x.basis, Pair) and isinstance(y.basis, Pair):
        tried += [Pair(x.basis.of, x.basis.i, y.basis.j), Pair(x.basis.of, y.basis.i, x.basis.j)]
    for basis in tried:
        mine, theirs = _rebased(x, basis), _rebased(y, basis)
        if mine is not None and theirs is not None:
            return lin(basis, tuple(a + sign * b for a, b in zip(mine, theirs, strict=True)))
    return None


def lin(basis: Tree, weights: tuple[int, ...]) -> Tree:
    """Return an integer combination of groups; a multiple of n has one form only."""
    if not any(weights):
        return ZERO
    if isinstance(basis, (Pair, Diagonal)) and len(set(weights)) == 1:
        return Lin(All(basis.of), weights[:1])
    return Lin(basis, weights)


# The sums that a combination of so many groups is added up from, each with the groups that it holds
_HOLDS: dict[int, dict[str, tuple[int, ...]]] = {
    1: {"n": (0,)},
    2: {"n": (0, 1), "h": (0,), "o": (1,)},
    4: {"n": (0, 1, 2, 3), "a": (0, 1), "b": (0, 2), "d": (0,), "r": (1,), "k": (2,), "e": (3,)},
}


def added_up(x: Lin, *, exact: bool) -> Tree:
    """Return a sum of cells as it is computed: what is added, less what is subtracted, each of disjoint groups.

    Where sums of counts are exact they may be subtracted, so that few different ones are needed.
    """
    common = gcd(*x.weights)
    basis, weights = x.basis, tuple(w // common for w in x.weights)
    if common > 1:
        return Operation("mul", (number(common), Lin(basis, weights)))
    if isinstance(basis, CellGroups):
        return _weighted(zip(weights, basis.cells, strict=True))
    found: list[tuple[int, Tree]] = []
    for sign in (1,) if exact else (1, -1):
        rest = list(weights) if exact else [max(sign * w, 0) for w in weights]
        for name, groups in _HOLDS[len(weights)].items():
            times = rest[groups[-1]] if exact else min(rest[k] for k in groups)
            for k in groups if times else ():
                rest[k] -= times
            found += [(sign * times, _read(basis, name))] if times else []
    return _weighted(found)


def _read(basis: Tree, name: str) -> Tree:
    assert isinstance(basis, (Pair, Diagonal, All))
    classes: tuple[Tree, ...] = ()
    if isinstance(basis, Pair) and name != "n":
        i, j = basis.i, basis.j
        if name in "ab":
            classes = (i if name == "a" else j,)
        elif i is j:
            classes = (i,)
        else:
            name, classes = "g" if name == "d" else name.upper(), (i, j)
    return ReadAt(CellSums(basis.of, name), classes)


def _weighted(parts: Iterable[tuple[int, Tree]]) -> Tree:
    """Return the sum of weighted values, the positive ones first."""
    total: Tree | None = None
    for w, x in sorted((part for part in parts if part[0]), key=lambda part: part[0] < 0):
        x = x if abs(w) == 1 else Operation("mul", (number(abs(w)), x))
        if total is None:
            total = x if w > 0 else Operation("neg", (x,))
        else:
            total = Operation("add" if w > 0 else "sub", (total, x))
    assert total is not None
    return total


# Arithmetic


def add(x: Tree, y: Tree) -> Tree:
    if x is ZERO or y is ZERO:
        return y if x is ZERO else x
    if isinstance(x, Numeral) and isinstance(y, Numeral):
        return Numeral(x.value + y.value)
    if x is y:
        return mul(number(2), x)
    return joined(x, y, 1) or Operation("add", (x, y))


def sub(x: Tree, y: Tree) -> Tree:
    if y is ZERO:
        return x
    if isinstance(x, Numeral) and isinstance(y, Numeral):
        return Numeral(x.value - y.value)
    return joined(x, y, -1) or Operation("sub", (x, y))


def mul(x: Tree, y: Tree) -> Tree:
    if isinstance(x, Numeral) and isinstance(y, Numeral):
        return Numeral(x.value * y.value)
    if isinstance(y, Numeral):
        x, y = y, x
    if isinstance(x, Numeral):
        if x is ONE:
            return y
        if x is ZERO and always_defined(y):
            return ZERO
        if isinstance(y, Lin) and x.value.denominator == 1 and x.value:
            return Lin(y.basis, tuple(int(x.value) * w for w in y.weights))
        return Operation("mul", (x, y))
    return Operation("mul", (x, y) if x.order <= y.order else (y, x))


def neg(x: Tree) -> Tree:
    return Numeral(-x.value) if isinstance(x, Numeral) else Operation("neg", (x,))


def ratio(x: Tree, y: Tree, rule: Tree | None = None) -> Tree:
    """Return x/y with its rule for y = 0; no rule is left where y cannot be 0."""
    zero = FALSE if isinstance(y, CountOfClasses) else compare("eq", y, ZERO)
    if zero is TRUE:
        return rule or Missing()
    if isinstance(x, Numeral) and isinstance(y, Numeral):
        return Numeral(x.value / y.value)
    return where(zero, rule or Missing(), x if y is ONE else Operation("div", (x, y)))


def both(x: Tree, y: Tree) -> Tree:
    if x is FALSE or y is FALSE or x is inverse(y):
        return FALSE
    return y if x is TRUE else x if y is TRUE or x is y else Test("and", (x, y))


def either(x: Tree, y: Tree) -> Tree:
    if x is TRUE or y is TRUE:
        return TRUE
    return y if x is FALSE else x if y is FALSE or x is y else Test("or", (x, y))


def inverse(x: Tree) -> Tree:
    if x is TRUE or x is FALSE:
        return FALSE if x is TRUE else TRUE
    return x.args[0] if isinstance(x, Test) and x.name == "not" else Test("not", (x,))


def compare(name: str, x: Tree, y: Tree) -> Tree:
    """Return the comparison of two values; of two sums of cells, after removing what they share."""
    if isinstance(x, Numeral) and isinstance(y, Numeral):
        holds = {"eq": x.value == y.value, "lt": x.value < y.value, "le": x.value <= y.value}[name]
        return TRUE if holds else FALSE
    rest = joined(x, y, -1)
    if isinstance(rest, Lin):
        x = lin(rest.basis, tuple(max(w, 0) for w in rest.weights))
        y = lin(rest.basis, tuple(max(-w, 0) for w in rest.weights))
    if name == "lt" and x is ZERO and never_negative(y) and always_defined(y):
        return inverse(Test("eq", (y, ZERO)))  # the question that a denominator asks too
    return Test(name, (x, y))


def where(test: Tree, x: Tree, y: Tree) -> Tree:
    """Return the choice between two values, in which nothing is asked again."""
    if isinstance(test, Test) and test.name == "not":
        test, x, y = test.args[0], y, x
    x, y = _given(x, parts_of(test, "and"), True), _given(y, parts_of(test, "or"), False)
    return x if test is TRUE or x is y else y if test is FALSE else Where(test, x, y)


def _given(x: Tree, known: list[Tree], holds: bool) -> Tree:
    """Return a value where some conditions hold, or do not."""
    while isinstance(x, Where):
        if x.test in known:
            x = x.x if holds else x.y
        elif inverse(x.test) in known:
            x = x.y if holds else x.x
        else:
            break
    return x


def parts_of(x: Tree, name: str) -> list[Tree]:
    """Return the conditions of which all ("and") or one ("or") must hold."""
    if isinstance(x, Test) and x.name == name:
        return [y for part in x.args for y in parts_of(part, name)]
    return [x]


# Over classes


def folded(op: str, p: MeanPower, terms: list[CountedTerm], each: Callable[[str, Tree], Tree] | None = None) -> Tree:
    """Return an operation over terms that are written out, or over one that stands for `each` class."""

    def gathered(op: str, xs: Iterable[Tree]) -> Tree:
        if each is None:
            return reduce(mul if op == "product" else add, xs)
        return each(op, *xs)

    if op in ("sum", "product"):
        return gathered(op, [where(test, x, ZERO if op == "sum" else ONE) for x, test, _ in terms])
    if op == "mean" and p == 1:
        total = gathered("sum", [where(test, x if w is None else mul(w, x), ZERO) for x, test, w in terms])
        return ratio(total, gathered("sum", [where(test, w or ONE, ZERO) for _, test, w in terms]))
    values = [where(test, x, LeftOutTerm()) for x, test, _ in terms]
    args = tuple(values) if each is None else (each("list", values[0]),)
    if op == "mean" and isinstance(p, Fraction):
        return Operation("mean", (Numeral(p), *args))
    if op == "mean":
        op = "greatest" if p > 0 else "least"
    return Operation(op, args)


def each_class(op: str, of: Tree, i: int, term: Tree) -> Tree:
    """Return an operation over all classes; the sum of one group of cells over all classes is a group of cells."""
    if op == "sum" and i not in term.free:
        return mul(CountOfClasses(of), term)
    if op == "sum" and isinstance(term, Lin) and isinstance(term.basis, Pair) and not term.weights[3]:
        b = term.basis
        if b.i is b.j and getattr(b.i, "number", None) == i:
            return lin(Diagonal(b.of), (term.weights[0], term.weights[1] + term.weights[2]))
    return Each(op, i, term)


# What is known of values without counts


def never_negative(x: Tree) -> bool:
    """Return whether a value is seen never to be negative. (False says nothing.)"""
    return known_of(x, "never negative", _never_negative)


def _never_negative(x: Tree) -> bool:
    match x:
        case Numeral():
            return x.value >= 0
        case Lin(basis=CellGroups(cells=cells)):
            return min(x.weights) >= 0 and all(map(never_negative, cells))
        case Lin():
            return min(x.weights) >= 0
        case Operation(name="add" | "mul" | "div" | "greatest" | "least", args=args):
            return all(map(never_negative, args)) or (x.name == "mul" and args[0] is args[1])
        case Operation(name="power", args=(base, Numeral(value=r))):
            return (r.denominator == 1 and r.numerator % 2 == 0) or never_negative(base)
        case Where(x=one, y=other):
            return never_negative(one) and never_negative(other)
        case Each(op="sum", term=term):
            return never_negative(term)
    return isinstance(x, Entry) or (isinstance(x, Operation) and x.name in ("sqrt", "abs", "exp"))


def always_defined(x: Tree) -> bool:
    """Return whether a value is seen to be defined on all counts. (False says nothing.)"""
    return known_of(x, "always defined", _always_defined)


def _always_defined(x: Tree) -> bool:
    match x:
        case Lin(basis=CellGroups(cells=cells)):
            return all(map(always_defined, cells))
        case Lin(basis=basis):
            return not isinstance(basis.__dict__["of"], MappedGrid)
        case Operation(name="log" | "log_near" | "log1p" | "arccos" | "arcsin" | "mean"):
            return False
        case Operation(name="sqrt", args=(y,)):
            return never_negative(y) and always_defined(y)
        case Operation(name="power", args=(base, Numeral(value=r))):
            return always_defined(base) and r >= 0 and (r.denominator == 1 or never_negative(base))
        case Operation(args=args):  # a quotient stands where its denominator is not 0
            return all(map(always_defined, args))
        case Where(x=one, y=other):
            return always_defined(one) and always_defined(other)
        case Each(op="sum", term=term):
            return always_defined(term)
    return type(x).__name__ in ("Numeral", "Entry", "CountOfClasses", "Position", "Tabled", "Skipped")


def undefined(x: Tree) -> Tree:
    """Return the condition that a value is undefined."""
    if always_defined(x):
        return FALSE
    if type(x) in (Missing, Lost):
        return TRUE
    if isinstance(x, Lin) and isinstance(x.basis, CellGroups):
        return reduce(either, (undefined(y) for y, w in zip(x.basis.cells, x.weights, strict=True) if w))
    if isinstance(x, Where):
        gone = undefined(x.x), undefined(x.y)
        if all(y in (TRUE, FALSE) for y in gone):
            return either(both(x.test, gone[0]), both(inverse(x.test), gone[1]))
    return Test("undefined", (x,))


def absent(x: Tree) -> Tree:
    """Return the condition under which a value leaves its class out."""
    if not may_be_absent(x):
        return FALSE
    if isinstance(x, Where):
        return either(both(x.test, absent(x.x)), both(inverse(x.test), absent(x.y)))
    return reduce(either, map(absent, x.parts)) if x.parts else TRUE


def may_be_absent(x: Tree) -> bool:
    """Return whether a value may leave its class out."""
    return known_of(x, "may be absent", _may_be_absent)


def _may_be_absent(x: Tree) -> bool:
    return isinstance(x, Skipped) or (not isinstance(x, Each) and any(map(may_be_absent, x.parts)))
