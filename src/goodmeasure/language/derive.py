"""Derivatives by the cells of the matrix: core trees of core trees.

What a value passes on to each of its operands is written down once, in `shares`: an operand y of x gets g·∂x/∂y if x
gets g. It is read in two orders of the chain rule, since each is short where the other is long:

* `Gradient` starts at the value, whose share is 1, and ends at the cells, so that one pass finds the derivatives by all
  cells. They are compiled with the value into one function, for arrays of any library (`compile/gradients.py`).
* `slope_by_cell` starts at the sums over cells and classes and ends at the value, which is how people write a
  derivative down: (x′y − xy′)/y². Formulas are printed from it, and exact derivatives computed: it divides once.

With any number of classes there is one formula for the derivative by the cell of row s and column t. A sum of cells
such as a_i changes with this cell if i = s, and n always. So the share g(i) of a_i adds g(s) to the derivative, and the
share g of n adds g: each derivative is a sum of parts that depend on the row, on the column, on the row if s = t, or on
both (`Gradient.parts`). The first three have one number for each class, so m² derivatives cost little more than the
value.

A share that is 0 because of a condition is a value of `Where` with this condition outermost: an operand may be
undefined where its value is not taken, and 0 times undefined is undefined. A share is also 0 where a denominator in it
is: there, as where the two sides of a comparison are equal, the value may have no derivative by some cells (`ties`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from typing import TypeAlias, cast

from goodmeasure.language.rewrite import core
from goodmeasure.language.rewrite.core import (
    CellGroups,
    Each,
    EachPair,
    Entry,
    Items,
    Lin,
    MappedGrid,
    Pair,
    add,
    always_defined,
    both,
    compare,
    either,
    inverse,
    mul,
    ratio,
    sub,
    where,
)
from goodmeasure.language.rewrite.lower import Bindings, Lowering, lowered
from goodmeasure.language.tree import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    ClassVariable,
    CountOfClasses,
    Counts,
    Nth,
    Numeral,
    Operation,
    OverMean,
    Position,
    Ratio,
    Test,
    ToPower,
    Tree,
    Where,
    XLogY,
    below,
    number,
)

Operands: TypeAlias = Callable[[Tree, Tree], Iterable[tuple[Tree, Tree]]]  # of a node, each with its part of a value
CellSlopes: TypeAlias = dict[tuple[int, int], Tree]

_CLASSES, _TWO, _PLAIN = CountOfClasses(Counts(None)), number(2), Fraction(1)
_STEP = number(Fraction(1, 2**61 - 1))


class SmoothLowering(Lowering):
    """The rewriting that says how a mean of two numbers changes where both are equal.

    There, every such mean has the slopes of the arithmetic one. The condition has a name of its own, since the choice
    between the two formulas is no kink.
    """

    def _overmean(self, x: OverMean, at: Bindings) -> Tree:
        u, v = self(x.u, at), self(x.v, at)
        equal = ratio(self(x.x, at), ratio(add(u, v), _TWO), self._missing(x, at))
        return where(Test("meet", (u, v)), equal, super()._overmean(x, at))


def smooth(tree: Tree, m: int | None, *, resolves: bool, bare: bool = False) -> Tree:
    """Return the core of a tree in the form that is differentiated.

    Averages are quotients of sums, and x·log y is a product, for which the logarithm is computed once. A formula that
    is printed (`bare`) does not say that some classes do not count in its sums, nor that x·log y is 0 where x is.
    """
    made: dict[Tree, Tree] = {}
    root = lowered(tree, m, resolves=resolves, by=SmoothLowering)
    for x in below(root):
        y = x.with_parts(made.__getitem__)
        match y:
            case XLogY(x=a, y=b, above=above) if a is not ONE:
                y = when(TRUE if bare else inverse(compare("eq", a, ZERO)), mul(a, XLogY(ONE, b, above)))
            case Each(op="mean", p=p) | Items(op="mean", p=p) if p == 1 or (bare and p):
                r, weights = Fraction(p), y.weights if isinstance(y, Items) else [y.weight] if y.weight else ()
                terms = [_power(term, r) for term, _ in members(y)]
                every = Each("sum", p, y.i, ZERO, TRUE, None) if bare and isinstance(y, Each) else y
                total = _added(every, list(map(mul, weights, terms)) if weights else terms)
                y = _power(ratio(total, _added(every if weights else y, weights or [ONE] * len(terms))), 1 / r)
        made[x] = y
    return made[root]


def members(x: Tree) -> list[tuple[Tree, Tree]]:
    """Return the terms of an operation over classes or some values, each with the condition under which it counts.

    The one term of a loop stands for those of all classes.
    """
    if isinstance(x, Operation):
        return [(y, TRUE) for y in x.args]
    found = x.__dict__
    return list(zip(x.terms, x.tests, strict=True)) if isinstance(x, Items) else [(found["term"], found["test"])]


def _added(x: Tree, values: Sequence[Tree]) -> Tree:
    """Return the sum of some values, one for each term of an operation over classes, where these count."""
    tests = [test for _, test in members(x)]
    return total(x.i, when(tests[0], values[0])) if isinstance(x, Each) else core.folded("sum", _PLAIN, values, tests)


# Values under conditions


def same(i: Tree, j: Tree) -> Tree:
    """Return the condition that two classes are one."""
    if i is j:
        return TRUE
    return compare("eq", *(number(k.number) if isinstance(k, Nth) else Position(k) for k in (i, j)))


def all_of(test: Tree) -> list[Tree]:
    """Return the conditions that must hold for another one to hold."""
    return [y for x in test.args for y in all_of(x)] if isinstance(test, Test) and test.name == "and" else [test]


def condition(x: Tree) -> Tree:
    """Return the condition without which a value is 0."""
    return x.test if isinstance(x, Where) and x.y is ZERO else TRUE


def _there(x: Tree) -> Tree:
    """Return a value where its condition holds."""
    return x.x if isinstance(x, Where) and x.y is ZERO else x


def when(test: Tree, x: Tree) -> Tree:
    """Return a value where a condition holds, and 0 elsewhere."""
    tests = dict.fromkeys((*all_of(test), *all_of(condition(x))))
    return x if x is ZERO else where(_reduced(both, TRUE, tests), _there(x), ZERO)


def _reduced(join: Callable[[Tree, Tree], Tree], start: Tree, parts: Iterable[Tree]) -> Tree:
    return reduce(join, parts, start)


def times(x: Tree, y: Tree) -> Tree:
    """Return a product, which is 0 unless the conditions of both factors hold, even if one is undefined elsewhere."""
    if ZERO in (x, y):
        return ZERO
    for a, b in ((x, y), (y, x)):
        if condition(a) is not TRUE:
            return when(condition(a), times(_there(a), b))
        if isinstance(a, Ratio) and a.x is ONE:
            return ratio(b, a.y, a.rule)
        match a, b:
            case Numeral(), Operation(name="mul", args=(Numeral() as w, z)):
                return times(mul(a, w), z)
    return mul(x, y)


def over(x: Tree, y: Tree) -> Tree:
    """Return a quotient, which is 0 where its denominator is."""
    return times(x, ratio(ONE, y, ZERO))


def minus(x: Tree) -> Tree:
    return times(number(-1), x)


def total(k: int, x: Tree) -> Tree:
    """Return the sum of a value over all classes, whose variable has the number k."""
    if k not in x.free:
        return times(_CLASSES, x)
    match x:
        case Operation(name="mul", args=(a, b)) if k not in a.free or k not in b.free:
            return times(a, total(k, b)) if k not in a.free else times(b, total(k, a))
        case Ratio(x=above, y=under, rule=rule) if k not in under.free and rule in (None, ZERO):
            return times(total(k, above), Ratio(ONE, under, rule))
    if k not in condition(x).free and condition(x) is not TRUE:
        return when(condition(x), total(k, _there(x)))
    return core.each("sum", _PLAIN, k, _there(x), condition(x), None)


# The chain rule


def shares(x: Tree, g: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Yield the operands of a value, each with g times the derivative of the value by it."""
    match x:
        case Lin(basis=CellGroups(cells=cells), weights=weights):
            yield from ((y, times(number(w), g)) for y, w in zip(cells, weights, strict=True) if w)
        case Operation(name="add" | "sub" as name, args=(a, b)):
            yield from ((a, g), (b, g if name == "add" else minus(g)))
        case Operation(name="mul", args=(a, b)):
            yield from ((a, times(g, b)), (b, times(g, a)))
        case Operation(name="min" | "max") | Each(op="least" | "greatest") | Items(op="least" | "greatest"):
            reached = [compare("eq", y, x) for y, _ in members(x)]
            each = over(g, _added(x, [when(test, ONE) for test in reached]))  # terms that tie share it
            for (y, test), here in zip(members(x), reached, strict=True):
                yield y, when(both(test, here), each)
        case Operation(name=name, args=(a,)):
            yield a, times(g, _SLOPES[name](a, x))
        case ToPower(x=a, r=r):
            slope = _power(over(ONE, a), 1 - r) if r < 1 else _power(a, r - 1)
            yield a, times(g, times(number(r), slope))
        case Ratio(x=a, y=b, rule=rule):
            share = over(g, b)
            yield from ((a, share), (b, minus(times(share, x if always_defined(x) else over(a, b)))))
            if rule is not None:
                yield rule, when(compare("eq", b, ZERO), g)
        case Where(test=test, x=a, y=b):
            yield from ((a, when(test, g)), (b, when(inverse(test), g)))
        case XLogY(y=a):  # of log y: see `smooth`
            yield a, over(g, a)
        case EachPair(term=term, test=test):
            yield term, when(both(_differ(x), test), g)
        case Each(op="product", i=i, term=term, test=test):
            j = ClassVariable(i + 1)
            others = both(inverse(same(ClassVariable(i), j)), test.with_classes({i: j}))
            yield term, when(test, times(g, Each("product", _PLAIN, i + 1, term.with_classes({i: j}), others, None)))
        case Items(op="product", terms=terms, tests=tests):
            for k, test in enumerate(tests):
                others = Items("product", _PLAIN, terms, (*tests[:k], FALSE, *tests[k + 1 :]), ())
                yield terms[k], when(test, times(g, others))
        case Each(op="mean", p=p) | Items(op="mean", p=p):  # M, of t: M′ = (t/M)^(p − 1)·t′/m
            each = over(g, _added(x, [ONE] * len(members(x))))
            for y, test in members(x):
                slope = _power(over(x, y), 1 - Fraction(p)) if p < 1 else _power(over(y, x), Fraction(p) - 1)
                yield y, when(test, times(each, slope))
        case Each() | Items():
            yield from ((y, when(test, g)) for y, test in members(x))


def _power(x: Tree, r: Fraction) -> Tree:
    return ONE if r == 0 else x if r == 1 else ToPower(x, r)


def _arc(a: Tree) -> Tree:
    return over(ONE, Operation("sqrt", (sub(ONE, mul(a, a)),)))


_SLOPES: dict[str, Callable[[Tree, Tree], Tree]] = {  # of functions of one value a, whose value is x
    "neg": lambda a, x: number(-1),
    "abs": lambda a, x: over(a, x),
    "sqrt": lambda a, x: over(ONE, times(_TWO, x)),
    "exp": lambda a, x: x,
    "log": lambda a, x: over(ONE, a),
    "log1p": lambda a, x: over(ONE, add(ONE, a)),
    "arcsin": lambda a, x: _arc(a),
    "arccos": lambda a, x: minus(_arc(a)),
}


def _differ(x: EachPair) -> Tree:
    return inverse(same(ClassVariable(x.i), ClassVariable(x.j)))


# From the value to the cells


def from_value(root: Tree, share: Tree, operands: Operands) -> Iterator[tuple[Tree, Tree]]:
    """Yield every node that a value is computed from, users first, with what it gets from all its users."""
    got = {root: [share]}
    for x in reversed(below(root)):
        g = _gathered(x, got.pop(x, ()))
        if g is ZERO:
            continue
        yield x, g
        for y, part in operands(x, g):
            for k in (*(x.__dict__[name] for name in x.BINDS), *x.free):
                part = part if k in y.free else total(k, part)
            got.setdefault(y, []).append(part)


def _gathered(x: Tree, parts: Sequence[Tree]) -> Tree:
    """Return what a node gets in all, which is 0 where no user takes it, if it may be undefined there."""
    tests = dict.fromkeys(map(condition, parts))
    found = _reduced(add, ZERO, map(_there, parts) if len(tests) == 1 else parts)
    return found if len(tests) > 1 and always_defined(x) else when(_reduced(either, FALSE, tests), found)


class Gradient:
    """The derivatives of a value by all cells.

    With classes written out, `by_entry` has the derivative by each cell. Otherwise the derivative by a cell is the sum
    of `parts`: one that depends on its row has the number of the variable that stands for the row first, one that
    depends on its column that of the column second (0: it does not), and one with the same number twice is for cells of
    the diagonal alone.
    """

    def __init__(self, root: Tree) -> None:
        self._last = root.height + 1  # a product binds one more variable for the others
        self._here = self._fresh()
        self.by_entry: dict[Tree, Tree] = {}
        self.parts: CellSlopes = {}
        self._pass_on(root, ONE)

    def _fresh(self) -> tuple[Tree, Tree]:
        """Return the row and the column of a cell, as variables that nothing binds."""
        self._last += 2
        return ClassVariable(self._last), ClassVariable(self._last - 1)

    def _pass_on(self, root: Tree, share: Tree) -> None:
        grids: dict[MappedGrid, CellSlopes] = {}
        for x, g in from_value(root, share, shares):
            if isinstance(x, Entry):
                self.by_entry[x] = g
            elif is_sum(x):
                of = x.__dict__["basis"].of
                self._keep(x, g, self.parts if isinstance(of, Counts) else grids.setdefault(of, {}), of.free)
        for grid, parts in grids.items():
            s, t = self._fresh()
            self._pass_on(grid.cell.with_classes({grid.i: s, grid.j: t}), joined(parts, s, t))

    def _keep(self, x: Tree, g: Tree, parts: CellSlopes, around: frozenset[int]) -> None:
        """Add what all cells get from the share of a sum of cells."""
        for *ends, w in groups(x, self._here[0]):
            part, key = times(number(w), g), list[int]()
            for k, i in enumerate(ends):
                if isinstance(i, Nth):
                    here = self._here[0 if i is ends[0] else k]
                    part, i = when(same(here, i), part), here
                key.append(0 if i is None else i.__dict__["number"])
            for k in x.free.difference(around, key):
                part = total(k, part)
            place = cast("tuple[int, int]", tuple(key))
            parts[place] = add(parts.get(place, ZERO), part)


def joined(parts: CellSlopes, s: Tree, t: Tree) -> Tree:
    """Return the derivative by the cell of row s and column t."""
    order = sorted(parts.items(), key=lambda part: part[0][0] != part[0][1])  # that of the diagonal is printed first
    by_class = (when(same(s, t) if i and i == j else TRUE, x.with_classes({j: t, i: s})) for (i, j), x in order)
    return _reduced(add, ZERO, by_class)


def is_sum(x: Tree) -> bool:
    """Return whether a node is a sum of the cells of a matrix."""
    return isinstance(x, Lin) and not isinstance(x.basis, CellGroups)


def groups(x: Tree, s: Tree) -> Iterator[tuple[Tree | None, Tree | None, int]]:
    """Yield the parts of a sum of cells that overlap: all cells, those of a row, of a column, and a single one.

    Each has its row and column, and its weight; a cell gets the weights of all that it is in. Those of the diagonal are
    the cells of row and column s, whatever class this is.
    """
    w, basis = x.__dict__["weights"], x.__dict__["basis"]
    if isinstance(basis, Pair):
        hit, row, column, rest = w
        i, j = basis.i, basis.j
        yield from ((None, None, rest), (i, None, row - rest), (None, j, column - rest))
        yield i, j, hit - row - column + rest
    else:
        yield None, None, w[-1]
        yield s, s, w[0] - w[-1]


# From the cells to the value


def slope_by_cell(x: Tree, of_sum: Callable[[Tree], Tree]) -> Tree:
    """Return the derivative of a value by one cell, from those of the sums over cells and classes in it."""
    known: dict[Tree, Tree] = {}
    for y in below(x):
        if y.free or y.SORT != "ValueTree":
            continue
        if isinstance(y, Entry | Each | EachPair) or is_sum(y):
            known[y] = of_sum(y)
        elif isinstance(y, Where):
            known[y] = where(y.test, known[y.x], known[y.y])
        elif isinstance(y, Ratio):
            above, under, rule = (ZERO if z is None else known[z] for z in (y.x, y.y, y.rule))
            less, square = times(y.x, under), mul(y.y, y.y)
            if rule is not ZERO or ZERO not in (above, under):
                known[y] = ratio(sub(times(above, y.y), less), square, rule)
            else:
                known[y] = minus(over(less, square)) if above is ZERO else ratio(above, y.y, ZERO)
        else:
            known[y] = _reduced(add, ZERO, (times(known[z], part) for z, part in shares(y, ONE)))
    return known[x]


def slope(x: Tree, s: Tree, t: Tree) -> Tree:
    """Return the derivative of a value by the cell of row s and column t."""
    return slope_by_cell(x, lambda y: joined(Gradient(y).parts, s, t))


# Where there is none


def ties(root: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Yield the numbers of a formula at which its value may have a kink, with a value that is 0 unless such a one is 0.

    A formula chooses between branches by comparing numbers: a denominator with 0, a class size with 0, two values of a
    minimum. Where the two are equal and a cell moves them apart, it takes another branch at once, and the value may
    jump or bend. A root is infinitely steep at 0. So the numbers are the differences of what is compared, and the
    denominators of slopes. Only those count that the value is computed from: a comparison in a branch that is not taken
    is no kink.
    """
    for x, g in from_value(root, ONE, _computed):
        for y, test in dict.fromkeys(_edges(x)):
            yield y, when(compare("eq", y, ZERO), when(test, g))


def met(reached: Tree, test: Tree = TRUE) -> Tree:
    """Return a value that is 0 unless a tie is met, for classes for which a condition holds."""
    return reduce(lambda x, k: total(k, x), reached.free, when(test, reached))


def parted(x: Tree, s: Tree, t: Tree) -> Tree:
    """Return the condition that a number that is 0 ceases to be as soon as the cell of row s and column t grows.

    It is computed where the cell is larger by a very small step. If it is a polynomial in the cell with whole
    coefficients, it is 0 there only if the step leads to another zero of it. The denominator of such a zero divides the
    leading coefficient, which a prime as large as that of the step never does.
    """
    moved: dict[Tree, Tree] = {}
    for y in below(x):
        of_counts = is_sum(y) and isinstance(y.__dict__["basis"].of, Counts)
        moved[y] = y if of_counts else y.with_parts(moved.__getitem__)
        for *ends, w in groups(y, s) if of_counts else ():
            here = (same(k, end) for k, end in zip(ends, (s, t), strict=True) if k is not None)
            moved[y] = add(moved[y], when(_reduced(both, TRUE, here), times(number(w), _STEP)))
    return inverse(compare("eq", moved[x], ZERO))


def _computed(x: Tree, g: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Yield what a node is computed from, each with g where that is needed."""
    found: Iterable[tuple[Tree, Tree]]
    match x:
        case Test(name="and" | "or" as name, args=(a, b)):
            found = (a, TRUE), (b, a if name == "and" else inverse(a))
        case Where(test=test, x=a, y=b):
            found = (test, TRUE), (a, test), (b, inverse(test))
        case Ratio(x=a, y=b, rule=rule) if rule is not None:
            none = compare("eq", b, ZERO)
            found = (b, TRUE), (a, inverse(none)), (rule, none)
        case Each() | EachPair() | Items():
            some = _differ(x) if isinstance(x, EachPair) else TRUE
            found = ((y, both(some, when_)) for term, test in members(x) for y, when_ in ((test, TRUE), (term, test)))
        case _:
            found = ((y, TRUE) for y in x.parts if y.SORT != "ClassTree")
    yield from ((y, when(test, g)) for y, test in found)


def _edges(x: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Yield the numbers at which a node has a kink if they are 0, each with the condition under which it matters."""
    match x:
        case Test(name="eq" | "lt" | "le", args=(a, b)):
            yield sub(a, b), TRUE
        case Operation(name="min" | "max") | Each(op="least" | "greatest") | Items(op="least" | "greatest"):
            yield from ((sub(y, x), test) for y, test in members(x))
        case _ if x.SORT == "ValueTree":
            for _, share in shares(x, ONE):
                todo = [share]
                while todo:
                    y = todo.pop()
                    if y.SORT == "ValueTree" and y is not x and y not in x.parts:
                        todo += y.parts
                        if isinstance(y, Ratio) and y.rule is ZERO:
                            yield y.y, condition(share)
