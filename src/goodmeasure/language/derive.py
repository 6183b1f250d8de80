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

A share that is 0 because of a condition is a choice with this condition outermost: an operand may be undefined where
its value is not taken, and 0 times undefined is undefined. A share is also 0 where a denominator in it is: there, as
where the two sides of a comparison are equal, the value may have no derivative by some cells (`ties`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from typing import TypeAlias, cast

from goodmeasure.language.record import written_mean
from goodmeasure.language.rewrite import core
from goodmeasure.language.rewrite.core import (
    CellGroups,
    Each,
    Entry,
    LeftOutTerm,
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
    parts_of,
    ratio,
    sub,
    where,
)
from goodmeasure.language.rewrite.lower import Bindings, Lowering, lowered
from goodmeasure.language.tree import (
    ONE,
    TRUE,
    ZERO,
    ClassVariable,
    Counts,
    Nth,
    Numeral,
    Operation,
    OverMean,
    Position,
    Test,
    Tree,
    Where,
    XLogY,
    below,
    known_of,
    number,
)

Operands: TypeAlias = Callable[[Tree, Tree], Iterable[tuple[Tree, Tree]]]  # of a node, each with its part of a value
CellSlopes: TypeAlias = dict[tuple[int, int], Tree]

_COUNTS, _TWO = Counts(None), number(2)
_STEP = number(Fraction(1, 2**61 - 1))


class SmoothLowering(Lowering):
    """The rewriting that says how a mean of two numbers changes where both are equal.

    There, every such mean has the slopes of the arithmetic one. The condition has a name of its own, since the choice
    between the two formulas is no kink. A logarithm near 0 has no need of the digits that its value has.
    """

    def value(self, x: Tree, at: Bindings) -> Tree:
        if isinstance(x, XLogY):
            return super().value(XLogY(x.x, x.y, None), at)
        if not isinstance(x, OverMean):
            return super().value(x, at)
        u, v = self(x.u, at), self(x.v, at)
        equal = ratio(self(x.x, at), ratio(add(u, v), _TWO), self.missing)
        return where(Test("meet", (u, v)), equal, self(written_mean(x), at))


def smooth(tree: Tree, m: int | None, *, resolves: bool) -> Tree:
    """Return the core of a tree in the form that is differentiated."""
    return lowered(tree, m, resolves=resolves, by=SmoothLowering)


def values_of(x: Operation) -> list[tuple[Tree, Tree]]:
    """Return the values of which one is the least, the greatest or a mean, each with the condition that it counts.

    The one value of a loop stands for those of all classes.
    """
    found = []
    for y in x.args:
        match y.__dict__["term"] if is_list(y) else y:
            case Numeral() if x.name == "mean" and y is x.args[0]:
                continue
            case Where(test=test, x=value, y=LeftOutTerm()):
                found.append((value, test))
            case Where(test=test, x=LeftOutTerm(), y=value):
                found.append((value, inverse(test)))
            case value:
                found.append((value, TRUE))
    return found


def _loops(x: Tree) -> list[int]:
    """Return the class variables that a node binds for its operands."""
    return [y.__dict__[name] for y in (x, *x.parts) if y is x or is_list(y) for name in y.BINDS]


def is_list(x: Tree) -> bool:
    return isinstance(x, Each) and x.op == "list"


def _added(x: Operation, values: Iterable[Tree]) -> Tree:
    """Return the sum of some numbers, one for each value of an operation, where these count."""
    found = [when(test, y) for (_, test), y in zip(values_of(x), values, strict=True)]
    return reduce(lambda y, k: total(k, y), _loops(x), reduce(add, found))


# Values under conditions


def same(i: Tree, j: Tree) -> Tree:
    """Return the condition that two classes are one."""
    if i is j:
        return TRUE
    if isinstance(i, ClassVariable) and isinstance(j, ClassVariable):
        return Test("same", (i, j) if i.number > j.number else (j, i))
    return compare("eq", *(number(k.number) if isinstance(k, Nth) else Position(k) for k in (i, j)))


def condition(x: Tree) -> Tree:
    """Return the condition without which a value is 0."""
    test: Tree = TRUE
    while isinstance(x, Where) and ZERO in (x.x, x.y):
        test, x = both(test, x.test if x.y is ZERO else inverse(x.test)), x.x if x.y is ZERO else x.y
    return test


def there(x: Tree) -> Tree:
    """Return a value where its condition holds."""
    while isinstance(x, Where) and ZERO in (x.x, x.y):
        x = x.x if x.y is ZERO else x.y
    return x


def when(test: Tree, x: Tree) -> Tree:
    """Return a value where a condition holds, and 0 elsewhere."""
    tests = dict.fromkeys((*parts_of(test, "and"), *parts_of(condition(x), "and")))
    if x is ZERO or any(inverse(y) in tests for y in tests):
        return ZERO
    found, divide = there(x), [y for y in tests if known_of(y, "divides", _divides)]
    for y in sorted(
        divide, key=lambda y: -known_of(y, "depth", _depth)
    ):  # asked only where what it divides by is not 0
        found = where(y, found, ZERO)
    return where(all_of(y for y in tests if y not in divide), found, ZERO)


def _divides(x: Tree) -> bool:
    return (isinstance(x, Operation) and x.name == "div") or any(y.memo["divides"] for y in x.parts)


def _depth(x: Tree) -> int:
    return 1 + max((cast(int, y.memo["depth"]) for y in x.parts), default=0)


def all_of(tests: Iterable[Tree]) -> Tree:
    """Return the condition that several conditions hold."""
    found: Tree = TRUE
    for test in tests:
        found = both(found, test)
    return found


def plus(*parts: Tree) -> Tree:
    """Return a sum, whose parts have the conditions that they do not share."""
    by_test: dict[Tree, Tree] = {}
    for x in parts:
        if x is not ZERO:
            by_test[condition(x)] = add(by_test.get(condition(x), ZERO), there(x))
    if not by_test:
        return ZERO
    shared = reduce(lambda x, y: [test for test in x if test in y], (parts_of(test, "and") for test in by_test))
    rest = (when(all_of(y for y in parts_of(test, "and") if y not in shared), x) for test, x in by_test.items())
    return when(all_of(shared), reduce(add, rest))


def times(x: Tree, y: Tree) -> Tree:
    """Return a product, which is 0 unless the conditions of both factors hold, even if one is undefined elsewhere."""
    if ZERO in (x, y):
        return ZERO
    test = both(condition(x), condition(y))
    if test is not TRUE:
        return when(test, times(there(x), there(y)))
    for a, b in ((x, y), (y, x)):
        match a, b:
            case Operation(name="div", args=(one, under)), _ if one is ONE:
                return _without(b, under) or Operation("div", (b, under))
            case Numeral(), Operation(name="mul", args=(Numeral() as w, z)):
                return times(mul(a, w), z)
    return mul(x, y)


def _without(x: Tree, y: Tree) -> Tree | None:
    """Return a product without one of its factors; None if it is no factor."""
    if x is y or y is ONE:
        return ONE if x is y else x
    for a, b in (x.args, x.args[::-1]) if isinstance(x, Operation) and x.name == "mul" else ():
        rest = _without(a, y)
        if rest is not None:
            return mul(rest, b)
    return None


def over(x: Tree, y: Tree) -> Tree:
    """Return a quotient, which is 0 where its denominator is."""
    return times(x, ratio(ONE, y, ZERO))


def minus(x: Tree) -> Tree:
    return times(number(-1), x)


def total(k: int, x: Tree) -> Tree:
    """Return the sum of a value over all classes, whose variable has the number k."""
    test, inner = condition(x), there(x)
    if test is not TRUE and k not in test.free:
        return when(test, total(k, inner))
    match x:
        case Operation(name="mul", args=(a, b)) if k in x.free and (k not in a.free or k not in b.free):
            return times(a, total(k, b)) if k not in a.free else times(b, total(k, a))
        case Operation(name="div", args=(above, under)) if k not in under.free:
            return Operation("div", (total(k, above), under))
    return core.each_class("sum", _COUNTS, k, x)


def renumbered(root: Tree) -> Tree:
    """Return the same value with class variables numbered by height again: no loop has that of one around it."""
    made: dict[Tree, Tree] = {}
    for x in below(root):
        y = made[x] = x.with_parts(made.__getitem__)
        k = max((part.height for part in y.parts), default=0) + 1
        while not y.free.isdisjoint(range(k, k + len(y.BINDS))):
            k += 1
        new = {name: k + n for n, name in enumerate(y.BINDS)}
        if any(y.__dict__[name] != number for name, number in new.items()):
            variables: dict[int, Tree] = {y.__dict__[name]: ClassVariable(number) for name, number in new.items()}
            renamed = y.with_parts(lambda part: part.with_classes(variables))  # noqa: B023
            made[x] = type(y)(*(new.get(name, renamed.__dict__[name]) for name in type(y).FIELDS))
    return made[root]


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
        case Operation(name="div", args=(a, b)):
            share = over(g, b)
            yield from ((a, share), (b, minus(times(share, x))))
        case Operation(name="least" | "greatest"):
            found = [(y, both(test, compare("eq", y, x))) for y, test in values_of(x)]
            each = over(g, _added(x, [when(reached, ONE) for _, reached in found]))  # those that tie share it
            yield from ((y, when(reached, each)) for y, reached in found)
        case Operation(name="mean", args=(Numeral(value=p), *_)):  # M, of t: M′ = (t/M)^(p − 1)·t′/m
            values = values_of(x)
            each = over(g, _added(x, [ONE] * len(values)))
            for y, test in values:
                slope = _power(over(x, y), 1 - p) if p < 1 else _power(over(y, x), p - 1)
                yield y, when(test, times(each, slope))
        case Operation(name="power", args=(a, Numeral(value=r))):
            slope = times(number(r), _power(a, r - 1))
            yield a, times(g, when(inverse(compare("eq", a, ZERO)), slope) if r < 1 else slope)
        case Operation(name=name, args=(a, *_)):
            yield a, times(g, _SLOPES[name](a, x))
        case Where(test=test, x=a, y=b):
            yield from ((a, when(test, g)), (b, when(inverse(test), g)))
        case Each(op="product", i=i, term=term):
            j = ClassVariable(i + 1)
            others = where(same(j, ClassVariable(i)), ONE, term.with_classes({i: j}))
            yield term, times(g, Each("product", i + 1, others))
        case Each(op="sum", term=term):
            yield term, g


def _power(x: Tree, r: Fraction) -> Tree:
    """Return a power, which is 0 unless the condition of its base holds."""
    if r in (0, 1):
        return x if r else when(condition(x), ONE)
    return when(condition(x), Operation("power", (there(x), number(r))))


def _arc(a: Tree) -> Tree:
    return over(ONE, Operation("sqrt", (sub(ONE, mul(a, a)),)))


_SLOPES: dict[str, Callable[[Tree, Tree], Tree]] = {  # of functions of one value a, whose value is x
    "neg": lambda a, x: number(-1),
    "abs": lambda a, x: over(a, x),
    "sqrt": lambda a, x: when(inverse(compare("eq", x, ZERO)), Operation("div", (ONE, mul(_TWO, x)))),
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
            for k in (*_loops(x), *x.free):
                part = part if k in y.free else total(k, part)
            got.setdefault(y, []).append(part)


def _gathered(x: Tree, parts: Sequence[Tree]) -> Tree:
    """Return what a node gets in all, which is 0 where no user takes it, if it may be undefined there."""
    found = plus(*parts)
    if not parts or ((isinstance(x, Entry) or is_sum(x)) and always_defined(x)):
        return found
    return when(reduce(either, map(condition, parts)), found)


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
            parts[place] = plus(parts.get(place, ZERO), part)


def joined(parts: CellSlopes, s: Tree, t: Tree) -> Tree:
    """Return the derivative by the cell of row s and column t."""
    order = sorted(parts.items(), key=lambda part: part[0][0] != part[0][1])  # that of the diagonal is printed first
    by_class = (when(same(s, t) if i and i == j else TRUE, x.with_classes({j: t, i: s})) for (i, j), x in order)
    return plus(*by_class)


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
        if y.free or y.SORT != "ValueTree" or is_list(y):
            continue
        match y:
            case Entry() | Each():
                known[y] = of_sum(y)
            case Lin() | Operation() if is_sum(y) or any(map(is_list, y.parts)):
                known[y] = of_sum(y)
            case Where(test=test, x=a, y=b):
                known[y] = where(test, known[a], known[b])
            case Operation(name="div", args=(a, b)):
                known[y] = _of_quotient(a, b, known[a], known[b])
            case _:
                known[y] = plus(*(times(known[z], part) for z, part in shares(y, ONE)))
    return known[x]


def _of_quotient(x: Tree, y: Tree, above: Tree, under: Tree) -> Tree:
    """Return the derivative of x/y, where y is not 0, from those of both."""
    less, square = times(x, under), mul(y, y)
    if under is ZERO:
        return above if above is ZERO else Operation("div", (above, y))
    if above is ZERO:
        return minus(Operation("div", (less, square)))
    return Operation("div", (sub(times(above, y), less), square))


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
            moved[y] = add(moved[y], when(all_of(here), times(number(w), _STEP)))
    return inverse(compare("eq", moved[x], ZERO))


def _computed(x: Tree, g: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Yield what a node is computed from, each with g where that is needed."""
    found: Iterable[tuple[Tree, Tree]]
    match x:
        case Test(name="and" | "or" as name, args=(a, b)):
            found = (a, TRUE), (b, a if name == "and" else inverse(a))
        case Where(test=test, x=a, y=b):
            found = (test, TRUE), (a, test), (b, inverse(test))
        case _:
            found = ((y, TRUE) for y in x.parts if y.SORT != "ClassTree")
    yield from ((y, when(test, g)) for y, test in found)


def _edges(x: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Yield the numbers at which a node has a kink if they are 0, each with the condition under which it matters."""
    match x:
        case Test(name="eq" | "lt" | "le", args=(a, b)):
            yield sub(a, b), TRUE
        case Operation(name="least" | "greatest"):
            yield from ((sub(y, x), test) for y, test in values_of(x))
        case Operation(name="mean", args=(Numeral(value=p), *_)):
            yield from values_of(x) if p < 1 else [(x, TRUE)]
        case Operation():
            for _, share in shares(x, ONE):
                tests = parts_of(condition(share), "and")
                for test in tests:
                    match test:
                        case Test(name="not", args=(Test(name="eq", args=(y, zero)),)) if zero is ZERO:
                            yield y, all_of(z for z in tests if z is not test)
