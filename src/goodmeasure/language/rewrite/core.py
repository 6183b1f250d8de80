"""The core language that trees are rewritten into: its nodes, and the arithmetic that builds them.

Gone are derived matrices, named means, rules of means and ``c.skip``. New is `Lin`, an integer combination of disjoint
groups of cells: n − a_i becomes the sum of the other groups, so that sums of cells are added up and never subtracted,
and a sum is 0 exactly if all its cells are. (In floating point (a_0 + a_1) − a_0 need not be a_1, so that an empty
class would seem to have 1e-16 items and a rule for 0/0 would be missed; adding non-negative numbers never rounds a
positive sum to 0.) Every set of disjoint groups that the language can meet is one of four:

* `Pair(of, i, j)`: cell (i, j), the rest of row i, the rest of column j, everything else (i = j: one class);
* `Diagonal(of)`: the cells on and off the diagonal;
* `All(of)`: one group;
* `Cells(cells)`: single cells, of a matrix whose classes are written out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

from goodmeasure.language.tree import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    ClassTree,
    ConditionTree,
    MatrixTree,
    MeanPower,
    Missing,
    Numeral,
    Operation,
    Ratio,
    Test,
    ToPower,
    Tree,
    ValueTree,
    Where,
    known_of,
    number,
)


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


class Each(Tree):
    """An operation over all classes for which a condition holds."""

    BINDS = ("i",)
    op: str
    p: MeanPower
    i: int
    term: ValueTree
    test: ConditionTree
    weight: ValueTree | None


class EachPair(Tree):
    """The sum over pairs of different classes for which a condition holds."""

    BINDS = ("i", "j")
    i: int
    j: int
    term: ValueTree
    test: ConditionTree


class Items(Tree):
    """An operation over terms that are written out, of which those count whose condition holds."""

    op: str
    p: MeanPower
    terms: tuple[ValueTree, ...]
    tests: tuple[ConditionTree, ...]
    weights: tuple[ValueTree, ...]


class Lost(Tree):
    """Undefined under every policy, as a cell of a mapped matrix is."""


# Sums of cells


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
    """Return x/y with its rule for y = 0; no rule is left where y is a constant other than 0."""
    if isinstance(y, Numeral) and y is not ZERO:
        return Numeral(x.value / y.value) if isinstance(x, Numeral) else x if y is ONE else Ratio(x, y, None)
    return Ratio(x, y, rule or Missing())


def both(x: Tree, y: Tree) -> Tree:
    if x is FALSE or y is FALSE:
        return FALSE
    return y if x is TRUE else x if y is TRUE else Test("and", (x, y))


def either(x: Tree, y: Tree) -> Tree:
    if x is TRUE or y is TRUE:
        return TRUE
    return y if x is FALSE else x if y is FALSE else Test("or", (x, y))


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
    return Test(name, (x, y))


def where(test: Tree, x: Tree, y: Tree) -> Tree:
    return x if test is TRUE or x is y else y if test is FALSE else Where(test, x, y)


def folded(
    op: str, p: MeanPower, terms: Sequence[Tree], tests: Sequence[Tree] = (), weights: Sequence[Tree | None] = ()
) -> Tree:
    """Return an operation over terms that are written out."""
    if op == "mean" and p in (inf, -inf):
        op = "greatest" if p > 0 else "least"
    weighed = tuple(x for x in weights if x is not None)
    if all(x is TRUE for x in tests) and not weighed:
        if op in ("sum", "product") or (op == "mean" and p == 1):
            total = chained(op, terms)
            return ratio(total, number(len(terms))) if op == "mean" else total
        if op in ("least", "greatest"):
            return Operation("min" if op == "least" else "max", tuple(terms))
    return Items(op, p, tuple(terms), tuple(tests) or (TRUE,) * len(terms), weighed)


def chained(op: str, terms: Iterable[Tree]) -> Tree:
    """Return the sum or product of some terms."""
    first, *others = terms
    for x in others:
        first = mul(first, x) if op == "product" else add(first, x)
    return first


def each(op: str, p: MeanPower, i: int, term: Tree, test: Tree, weight: Tree | None) -> Tree:
    """Return an operation over all classes; the sum of one group of cells over all classes is a group of cells."""
    if op == "mean" and p in (inf, -inf):
        op = "greatest" if p > 0 else "least"
    if op == "sum" and test is TRUE and isinstance(term, Lin) and isinstance(term.basis, Pair) and not term.weights[3]:
        b = term.basis
        if b.i is b.j and getattr(b.i, "number", None) == i and i in term.free:
            return lin(Diagonal(b.of), (term.weights[0], term.weights[1] + term.weights[2]))
    return Each(op, p, i, term, test, weight)


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
        case Entry():
            return True
        case Operation(name="add" | "mul" | "max" | "min", args=args):
            return all(map(never_negative, args)) or (x.name == "mul" and args[0] is args[1])
        case Ratio(x=above, y=under):
            ruled = x.rule is None or isinstance(x.rule, (Missing, Lost)) or never_negative(x.rule)
            return ruled and never_negative(above) and never_negative(under)
        case ToPower(x=base, r=r):
            return (r.denominator == 1 and r.numerator % 2 == 0) or never_negative(base)
        case Each(op="sum", term=term) | EachPair(term=term):
            return never_negative(term)
        case Operation(name="sqrt" | "abs" | "exp"):
            return True
    return False


def always_defined(x: Tree) -> bool:
    """Return whether a value is seen to be defined on all counts. (False says nothing.)"""
    return known_of(x, "always defined", _always_defined)


def _always_defined(x: Tree) -> bool:
    match x:
        case Lin(basis=CellGroups(cells=cells)):
            return all(map(always_defined, cells))
        case Lin(basis=basis):
            return not isinstance(basis.__dict__["of"], MappedGrid)
        case Operation(name="log" | "log1p" | "arccos" | "arcsin"):
            return False
        case Operation(name="sqrt", args=(y,)):
            return never_negative(y) and always_defined(y)
        case Operation(args=args):
            return all(map(always_defined, args))
        case ToPower(x=base, r=r):
            return always_defined(base) and r >= 0 and (r.denominator == 1 or never_negative(base))
        case Ratio(x=above, y=under, rule=rule):
            safe = isinstance(under, Numeral) and under is not ZERO
            safe = safe or (rule is not None and always_defined(rule))
            return safe and always_defined(above) and always_defined(under)
        case Where(x=one, y=other):
            return always_defined(one) and always_defined(other)
        case Each(op="sum", term=term) | EachPair(term=term):
            return always_defined(term)
    return type(x).__name__ in ("Numeral", "Entry", "CountOfClasses", "Position", "Tabled", "Lin")


def undefined(x: Tree) -> Tree:
    """Return the condition that a value is undefined."""
    return FALSE if always_defined(x) else Test("undefined", (x,))
