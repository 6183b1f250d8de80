"""Derivatives by the cells of the matrix: core trees of core trees.

What a value passes on to each of its operands is written down once, in `shares`: an operand y of x gets g·∂x/∂y if x
gets g. It is read in two orders of the chain rule, since each is short where the other is long:

* `Gradient` starts at the value, whose share is 1, and ends at the cells, so that one pass finds the derivatives by all
  cells. They are compiled with the value into one function, as values are: for arrays of any library, exactly.
* `printed_slope` starts at the sums of cells and ends at the value, which is how people write a derivative down:
  (x′y − xy′)/y².

With any number of classes there is one formula for the derivative by the cell of row s and column t. A sum of cells
a_i changes with this cell if i = s, and n always. So the share g(i) of a_i adds g(s) to the derivative, and the share g
of n adds g: each derivative is a sum of four parts, which depend on the row, on the column, on the row if s = t, and on
both (`CellSlopes`). The first three have one number for each class, so m² derivatives cost little more than the value.

A share that is 0 because of a condition is a value of `Where` with this condition outermost: an operand may be
undefined where its value is not taken, and 0 times undefined is undefined. Quotients, roots and logarithms pass on 0
where they have no derivative; `Kinks` says by which cells the value has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from typing import NamedTuple, TypeAlias, cast

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

CellSlopes: TypeAlias = dict[tuple[int, int], Tree]
Operands: TypeAlias = Callable[[Tree, Tree], Iterable[tuple[Tree, Tree]]]  # of a node, each with its part of a value

CLASSES = CountOfClasses(Counts(None))
_PLAIN, _TWO = Fraction(1), number(2)


class SmoothLowering(Lowering):
    """The rewriting that says how a mean of two numbers changes where both are equal.

    There, every such mean has the slopes of the arithmetic one. The condition has a name of its own, since the choice
    between the two formulas is no kink.
    """

    def _overmean(self, x: OverMean, at: Bindings) -> Tree:
        u, v = self(x.u, at), self(x.v, at)
        equal = core.ratio(self(x.x, at), core.ratio(add(u, v), _TWO), self._missing(x, at))
        return where(Test("meet", (u, v)), equal, super()._overmean(x, at))


def smooth(tree: Tree, m: int | None, *, resolves: bool, bare: bool = False) -> Tree:
    """Return the core of a tree in the form that is differentiated.

    Averages are quotients of sums, and x·log y is a product, for which the logarithm is computed once. A formula that is
    printed (`bare`) does not say that some classes do not count in its sums, nor that x·log y is 0 where x is.
    """
    made: dict[Tree, Tree] = {}
    root = lowered(tree, m, resolves=resolves, by=SmoothLowering)
    for x in below(root):
        y = x.with_parts(made.__getitem__)
        match y:
            case XLogY(x=a, y=b, above=above) if a is not ONE:
                y = when(TRUE if bare else inverse(compare("eq", a, ZERO)), mul(a, XLogY(ONE, b, above)))
            case Each(op="mean", p=p) | Items(op="mean", p=p) if p == 1:
                weights = [y.weight or ONE] if isinstance(y, Each) else y.weights or (ONE,) * len(y.terms)
                terms = [mul(w, term) for w, (term, _) in zip(weights, members(y), strict=True)]
                every = Each("sum", p, y.i, ZERO, TRUE, None) if bare and isinstance(y, Each) else y
                y = core.ratio(_added(every, terms), _added(y if weights[0] is ONE else every, weights))
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


def when(test: Tree, x: Tree) -> Tree:
    """Return a value where a condition holds, and 0 elsewhere."""
    if x is ZERO:
        return x
    every = dict.fromkeys((*all_of(test), *all_of(condition(x))))
    return where(reduce(both, every, TRUE), x.x if condition(x) is not TRUE else x, ZERO)


def condition(x: Tree) -> Tree:
    """Return the condition without which a value is 0."""
    return x.test if isinstance(x, Where) and x.y is ZERO else TRUE


def all_of(test: Tree) -> list[Tree]:
    """Return the conditions that must hold for another one to hold."""
    return [y for x in test.args for y in all_of(x)] if isinstance(test, Test) and test.name == "and" else [test]


def times(x: Tree, y: Tree) -> Tree:
    """Return a product, which is 0 where a condition of a factor does not hold, even if the other is undefined there."""
    if x is ZERO or y is ZERO:
        return ZERO
    for a, b in ((x, y), (y, x)):
        if isinstance(a, Where) and a.y is ZERO:
            return when(a.test, times(a.x, b))
        if isinstance(a, Ratio) and a.x is ONE:
            return core.ratio(b, a.y, a.rule)
        if isinstance(a, Numeral) and isinstance(b, Operation) and b.name == "mul" and isinstance(b.args[0], Numeral):
            return times(mul(a, b.args[0]), b.args[1])
    return mul(x, y)


def over(x: Tree, y: Tree) -> Tree:
    """Return a quotient, which is 0 where its denominator is."""
    return times(x, core.ratio(ONE, y, ZERO))


def minus(x: Tree) -> Tree:
    return times(number(-1), x)


def total(k: int, x: Tree) -> Tree:
    """Return the sum of a value over all classes, whose variable has the number k."""
    if k not in x.free:
        return times(CLASSES, x)
    match x:
        case Operation(name="mul", args=(a, b)) if k not in a.free or k not in b.free:
            return times(a, total(k, b)) if k not in a.free else times(b, total(k, a))
        case Ratio(x=above, y=under, rule=rule) if k not in under.free and (rule is None or rule is ZERO):
            return times(total(k, above), Ratio(ONE, under, rule))
        case Where(test=test, x=one, y=other) if other is ZERO:
            return core.each("sum", _PLAIN, k, one, test, None) if k in test.free else when(test, total(k, one))
    return core.each("sum", _PLAIN, k, x, TRUE, None)


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
        case XLogY(y=a):
            yield a, over(g, a)
        case EachPair(term=term, test=test):
            yield term, when(both(_differ(x), test), g)
        case Each(op="product", i=i, term=term, test=test):
            other = ClassVariable(i + 1)
            differ = both(inverse(same(ClassVariable(i), other)), test.with_classes({i: other}))
            yield term, when(test, times(g, Each("product", _PLAIN, i + 1, term.with_classes({i: other}), differ, None)))
        case Items(op="product", terms=terms, tests=tests):
            for k, test in enumerate(tests):
                others = (*tests[:k], FALSE, *tests[k + 1 :])
                yield terms[k], when(test, times(g, Items("product", _PLAIN, terms, others, ())))
        case Each(op="mean", p=p) | Items(op="mean", p=p):  # M, of t: M′ = (t/M)^(p − 1)·t′/m
            each = over(g, _added(x, [ONE] * len(members(x))))
            for y, test in members(x):
                slope = _power(over(x, y), 1 - p) if p < 1 else _power(over(y, x), p - 1)
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
    if len(tests) == 1:
        parts = [y if condition(y) is TRUE else y.x for y in parts]  # type: ignore[attr-defined]
    found = reduce(add, parts, ZERO)
    return found if len(tests) > 1 and always_defined(x) else when(reduce(either, tests, FALSE), found)


class Gradient:
    """The derivatives of a value by all cells.

    With classes written out, `by_entry` has the derivative by each cell. Otherwise the derivative by a cell is the sum
    of `parts`: one that depends on its row has the number of the variable that stands for the row first, one that
    depends on its column that of the column second (0: it does not), and one with the same number twice is for cells of
    the diagonal alone.
    """

    def __init__(self, root: Tree) -> None:
        self._last = root.height
        self.cell = self._fresh()
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
                of: Tree = x.__dict__["basis"].of
                self._keep(x, g, self.parts if isinstance(of, Counts) else grids.setdefault(of, {}), of.free)
        for grid, parts in grids.items():
            s, t = self._fresh()
            self._pass_on(grid.cell.with_classes({grid.i: s, grid.j: t}), joined(parts, s, t))

    def _keep(self, x: Tree, g: Tree, parts: CellSlopes, around: frozenset[int]) -> None:
        """Add what all cells get from the share of a sum of cells."""
        for *ends, w in groups(x, self.cell[0]):
            part, key = times(number(w), g), list[int]()
            for k, i in enumerate(ends):
                if isinstance(i, Nth):
                    here = self.cell[0 if i is ends[0] else k]
                    part, i = when(same(here, i), part), here
                key.append(0 if i is None else i.number)
            for k in x.free.difference(around, key):
                part = total(k, part)
            place = cast("tuple[int, int]", tuple(key))
            parts[place] = add(parts.get(place, ZERO), part)


def joined(parts: CellSlopes, s: Tree, t: Tree) -> Tree:
    """Return the derivative by the cell of row s and column t."""
    found: Tree = ZERO
    for (i, j), x in sorted(parts.items(), key=lambda part: part[0][0] != part[0][1]):  # those of the diagonal first
        found = add(found, when(same(s, t) if i and i == j else TRUE, x.with_classes({j: t, i: s})))
    return found


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
    """Return the derivative of a value by one cell, from those of the sums over cells and classes that it is made of."""
    known: dict[Tree, Tree] = {}
    for y in below(x):
        if y.free or y.SORT != "ValueTree":
            continue
        if isinstance(y, Entry | Each | EachPair) or is_sum(y):
            known[y] = of_sum(y)
        elif isinstance(y, Ratio):
            above, under, rule = (ZERO if z is None else known[z] for z in (y.x, y.y, y.rule))
            less, square = times(y.x, under), mul(y.y, y.y)
            if rule is not ZERO or (above is not ZERO and under is not ZERO):
                known[y] = core.ratio(sub(times(above, y.y), less), square, rule)
            else:
                known[y] = minus(over(less, square)) if above is ZERO else core.ratio(above, y.y, ZERO)
        elif isinstance(y, Where):
            known[y] = where(y.test, known[y.x], known[y.y])
        else:
            known[y] = reduce(add, (times(known[z], part) for z, part in shares(y, ONE)), ZERO)
    return known[x]


def slope(x: Tree, s: Tree, t: Tree) -> Tree:
    """Return the derivative of a value by the cell of row s and column t."""
    return slope_by_cell(x, lambda y: joined(Gradient(y).parts, s, t))


# Where there is none


class Tie(NamedTuple):
    """Two numbers of a formula at which its value has a kink if they are equal, and differ as soon as a cell grows.

    A formula chooses between branches by comparing numbers: a denominator with 0, a class size with 0, two values of a
    minimum. Where both are equal and a cell moves them apart, it takes another branch at once, and the value may jump
    or bend. A root is infinitely steep at 0. Only what the value is computed from counts: a comparison in a branch that
    is not taken is no kink. So `reached` is 0 unless they are computed, and equal.
    """

    x: Tree
    y: Tree
    reached: Tree

    def count(self, test: Tree = TRUE) -> Tree:
        """Return a value that is 0 if the numbers are nowhere equal, for classes for which a condition holds."""
        return reduce(lambda x, k: total(k, x), self.reached.free, when(test, self.reached))

    def kink(self, s: Tree, t: Tree) -> Tree:
        """Return a value that is 0 if the cell of row s and column t moves the numbers nowhere apart.

        That is found by a very small step. If the difference of the numbers is a polynomial in the cell with whole
        coefficients, it is missed only if the step leads to a zero of it. The denominator of such a zero divides the
        leading coefficient, which so large a prime never does.
        """
        return self.count(inverse(compare("eq", _beside(self.x, s, t), _beside(self.y, s, t))))


_STEP = number(Fraction(1, 2**61 - 1))


def _beside(x: Tree, s: Tree, t: Tree) -> Tree:
    """Return a value where the cell of row s and column t is larger by a small step."""
    moved: dict[Tree, Tree] = {}
    for y in below(x):
        of_counts = is_sum(y) and isinstance(y.__dict__["basis"].of, Counts)
        moved[y] = y if of_counts else y.with_parts(moved.__getitem__)
        for *ends, w in groups(y, s) if of_counts else ():
            here = (same(k, end) for k, end in zip(ends, (s, t), strict=True) if k is not None)
            moved[y] = add(moved[y], when(reduce(both, here, TRUE), times(number(w), _STEP)))
    return moved[x]


def ties(root: Tree) -> Iterator[Tie]:
    """Yield the ties of a formula."""
    for x, g in from_value(root, ONE, _computed):
        for y, z in _edges(x):
            yield Tie(y, z, when(compare("eq", y, z), g))


def _computed(x: Tree, g: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Yield what a node is computed from, each with g where that is needed."""
    match x:
        case Test(name="and" | "or" as name, args=(a, b)):
            yield from ((a, g), (b, when(a if name == "and" else inverse(a), g)))
        case Where(test=test, x=a, y=b):
            yield from ((test, g), (a, when(test, g)), (b, when(inverse(test), g)))
        case Ratio(x=a, y=b, rule=rule) if rule is not None:
            none = compare("eq", b, ZERO)
            yield from ((b, g), (a, when(inverse(none), g)), (rule, when(none, g)))
        case Each() | EachPair() | Items():
            g = when(_differ(x), g) if isinstance(x, EachPair) else g
            for term, test in members(x):
                yield from ((test, g), (term, when(test, g)))
        case _:
            yield from ((y, g) for y in x.parts if y.SORT != "ClassTree")


def _edges(x: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Yield the pairs of numbers at which a value has a kink if they are equal."""
    match x:
        case Test(name="eq" | "lt" | "le", args=(a, b)):
            yield a, b
        case Ratio(y=b) if not isinstance(b, Numeral):
            yield b, ZERO
        case Operation(name="sqrt" | "log" | "abs", args=(a,)):
            yield a, ZERO
        case Operation(name="log1p", args=(a,)):
            yield a, number(-1)
        case Operation(name="arccos" | "arcsin", args=(a,)):
            yield mul(a, a), ONE
        case ToPower(x=a, r=r) if r < 1:
            yield a, ZERO
        case XLogY(y=a):
            yield a, ZERO
        case Operation(name="min" | "max") | Each(op="least" | "greatest") | Items(op="least" | "greatest"):
            yield from ((where(test, y, x), x) for y, test in members(x))
        case Each(op="mean") | Items(op="mean"):
            yield from ((where(test, y, ONE), ZERO) for y, test in members(x))


def _differ(x: EachPair) -> Tree:
    return inverse(same(ClassVariable(x.i), ClassVariable(x.j)))
