"""The printed gradient: derivatives, which are core trees, in the letters of formulas."""

from __future__ import annotations

import re
from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING

from goodmeasure.language.derive import (
    SmoothLowering,
    all_of,
    condition,
    same,
    slope,
    slope_by_cell,
    there,
    values_of,
    when,
)
from goodmeasure.language.print.formulas import FormulaPrinter, printed_tree
from goodmeasure.language.print.matrices import BIG, CELLS, Letters, Printed
from goodmeasure.language.rewrite.core import (
    All,
    CellGroups,
    Diagonal,
    Each,
    Entry,
    Lin,
    MappedGrid,
    Pair,
    inverse,
    never_negative,
    parts_of,
)
from goodmeasure.language.rewrite.lower import lowered
from goodmeasure.language.tree import (
    ONE,
    TRUE,
    ZERO,
    CellOf,
    ClassVariable,
    Counts,
    Missing,
    Numeral,
    Operation,
    Over,
    OverPairs,
    Position,
    PowerMean,
    Ratio,
    Test,
    ToPower,
    Tree,
    Where,
    XLogY,
    below,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from goodmeasure.language.recorded import Recorded

_COUNTS, _HIDDEN = Counts(None), ClassVariable(0)
_SUM = Fraction(1)
_HITS = Over("sum", _COUNTS, 0, CellOf(_COUNTS, _HIDDEN, _HIDDEN), None, _SUM, None, None)
_LETTERS = "ijpqrstuv"  # k and l are those of the cell by which the derivative is taken
_DELTA = Printed(r"\delta_{kl}")


class NoGradientFormula(TypeError):  # noqa: N818 - it says what there is not
    """The definition uses something whose derivative is not printed, such as a minimum."""


class CorePrinter(FormulaPrinter):
    """One walk through a core tree."""

    def __call__(self, x: Tree) -> Printed:
        at = dict(self.at)
        tests: list[Tree]
        match x:
            case Entry(i=i, j=j):
                return self.counts.cell(i, j)
            case Lin(basis=basis, weights=w):
                return self._weighted(*self._groups(basis, w))
            case Each(op="sum", i=i, term=Each(op="sum", i=j, term=term)) if _apart(i, j) in _tests(term)[0]:
                tests, y = _tests(term)
                rest = all_of(test for test in tests if test is not _apart(i, j))
                x = OverPairs(_COUNTS, i, j, y, None if rest is TRUE else rest)
            case Each(op="sum", i=i, term=term):
                tests, y = _tests(term)
                if y is ONE and tests:
                    how_many = Printed(rf"\left|\{{{self._open(i)} : {self.condition(all_of(tests))}\}}\right|")
                    self.at, self.depth = at, self.depth - 1
                    return how_many
                apart = [test for test in tests if _is_same(inverse(test))] or tests
                y = when(all_of(test for test in tests if test not in apart), y)
                x = Over("sum", _COUNTS, i, y, all_of(apart), _SUM, None, None)
            case Each(op="product", i=i, term=Where(test=test, x=one, y=term)) if one is ONE:
                x = Over("product", _COUNTS, i, term, inverse(test), _SUM, None, None)
            case Each(op="product", i=i, term=Where(test=test, x=term, y=one)) if one is ONE:
                x = Over("product", _COUNTS, i, term, test, _SUM, None, None)
            case Each(op="product", i=i, term=term):
                x = Over("product", _COUNTS, i, term, None, _SUM, None, None)
            case Operation(name="mean", args=(Numeral(value=p), Each(i=i))):
                [(term, test)] = values_of(x)
                x = Over("mean", _COUNTS, i, term, test, p, None, None)
            case Operation(name="mean", args=(Numeral(value=p), *values)):
                x = PowerMean(tuple(values), p)
            case Operation(name="power", args=(base, Numeral(value=r))):
                x = ToPower(base, r)
            case Operation(name="div", args=(Operation(name="div", args=(above, inner)), under)):
                return self.apply("div", self(above), self.apply("mul", self(inner), self(under)))
            case Operation(name="mul", args=(a, Operation(name="sqrt", args=(inner,)) as b)) if a is b:
                x = inner
            case Where(y=other) if isinstance(x.x, Missing):
                return self(other)
            case Where() if ZERO in (x.x, x.y):
                return self._guarded(*_tests(x))
        found = super().__call__(x)
        self.at = at  # a sum inside of another one may have the same variable
        return found

    def _operations(self, x: Operation) -> Printed:
        return self.operation(x, [*map(self, x.args)])

    def _open(self, number: int) -> str:
        super()._open(number)
        letter = self.at[number] = _LETTERS[self.depth - 1]
        return letter

    def apply(self, name: str, *args: Printed) -> Printed:
        """Return an operation; the shorter factor of a product comes first."""
        if name == "mul":
            if args[0].text == args[1].text:
                return self.apply("power", args[0], self.number(2))
            if args[0].value < 0:
                return self.apply("neg", self.apply("mul", self.numeral(Fraction(-args[0].value)), args[1]))
            args = tuple(sorted(args, key=_place))
        return super().apply(name, *args)

    def condition(self, x: Tree) -> str | bool:
        """Return a condition; that something is undefined is no matter of a formula."""
        match x:
            case Test(args=args) if _is_same(x):
                i, j = (y.i if isinstance(y, Position) else y for y in args)
                inner, outer = sorted((str(self.place(i)), str(self.place(j))), key=_LETTERS.find, reverse=True)
                return f"{inner} = {outer}"
            case Test(name="not", args=(same,)) if _is_same(same):
                return str(self.condition(same)).replace("=", r"\ne")
            case Test(name="not", args=(Test(name="eq", args=(y, zero)),)) if zero is ZERO and never_negative(y):
                return super().condition(Test("lt", (ZERO, y)))
        return not (isinstance(x, Test) and x.name in ("undefined", "broken", "meet")) and super().condition(x)

    def _guarded(self, tests: list[Tree], x: Tree) -> Printed:
        """Return a value that is 0 unless some conditions hold: 1 if two classes are one is δ."""
        if isinstance(x, Operation) and x.name == "mul" and isinstance(x.args[0], Numeral):
            return self.apply("mul", self(x.args[0]), self._guarded(tests, x.args[1]))
        for test in tests:
            holds = self.condition(test)
            if holds in ("k = l", "l = k", r"k \ne l", r"l \ne k"):
                others = [y for y in tests if y is not test]
                factor = self.apply("sub", self.number(1), _DELTA) if r"\ne" in holds else _DELTA
                return self.apply("mul", factor, self._guarded(others, x))
        if not tests:
            return self(x)
        test = all_of(tests)
        is_rare = isinstance(test, Test) and test.name == "eq"  # a formula ends with its usual branch
        return super().__call__(Where(test, x, ZERO) if is_rare else Where(inverse(test), ZERO, x))

    def _groups(self, basis: Tree, w: tuple[int, ...]) -> tuple[tuple[int, ...], Iterable[Printed]]:
        """Return the weights and the names of a sum of cells, as few as it has."""
        c = self.counts
        match basis:
            case CellGroups(cells=cells):
                if len(set(w)) == 1 and all(isinstance(y, Entry) for y in cells):
                    return w[:1], [c.n]
                return w[::-1], map(self, cells[::-1])
            case All():
                return w, [c.n]
            case Diagonal():
                return (w[1], w[0] - w[1]), [c.n, self(_HITS)]
        assert isinstance(basis, Pair)
        i, j = map(self.place, (basis.i, basis.j))
        hit, row, column, rest = w
        weights = rest, row - rest, column - rest, hit - row - column + rest
        if i == j and w.count(0) > weights.count(0):
            against = Letters(self, of_class=str(i))
            return w, [against.cell(*place) for place in ((1, 1), (1, 0), (0, 1), (0, 0))]
        return weights, [c.n, c.size("a", i), c.size("b", j), c.cell(i, j)]

    def _weighted(self, weights: tuple[int, ...], names: Iterable[Printed]) -> Printed:
        """Return a weighted sum, with a common factor in front."""
        parts = sorted(((w, x) for w, x in zip(weights, names, strict=True) if w), key=lambda part: part[0] < 0)
        shared = gcd(*weights) if len(parts) > 1 else 1
        total = self.number(0)
        for w, x in parts:
            total = self.apply("add" if w > 0 else "sub", total, self.apply("mul", self.number(abs(w) // shared), x))
        return self.apply("mul", self.number(shared), total)


def _place(x: Printed) -> tuple[bool, bool, bool, bool, int]:
    """Return where a factor stands in a product: numbers, what begins with one, δ, short factors, sums."""
    return x.value != x.value, not x.text[:1].isdigit(), x is not _DELTA, x.level == BIG, len(x.text)


def _apart(i: int, j: int) -> Tree:
    return inverse(same(ClassVariable(i), ClassVariable(j)))


def _tests(x: Tree) -> tuple[list[Tree], Tree]:
    """Return the conditions without which a value is 0, and what it is otherwise: a quotient shows its denominator."""
    test, x = condition(x), there(x)
    clear = {inverse(Test("eq", (y, ZERO))) for y in below(*_denominators(x))}
    return [y for y in parts_of(test, "and") if y is not TRUE and y not in clear], x


def _denominators(x: Tree) -> Iterator[Tree]:
    """Yield what a value divides by, and what it is a negative power of."""
    for y in below(x):
        match y:
            case Operation(name="div", args=(_, under)):
                yield under
            case Operation(name="power", args=(base, Numeral(value=r))) if r < 0:
                yield base


def _is_same(test: Tree) -> bool:
    """Return whether a condition says that two classes are one."""
    positions = isinstance(test, Test) and test.name == "eq" and all(isinstance(y, Position) for y in test.args)
    return positions or (isinstance(test, Test) and test.name == "same")


def shown(tree: Tree) -> Tree:
    """Return a tree as it is printed.

    The formula does not say where a quotient is undefined, that x·log y is 0 where x is, or that only some classes
    count in the sum of a mean.
    """
    made: dict[Tree, Tree] = {}
    for x in below(tree):
        y = x.with_parts(made.__getitem__)
        match y:
            case Ratio(x=above, y=under):
                y = Operation("div", (above, under))
            case XLogY(x=factor, y=inner):
                y = Operation("mul", (factor, Operation("log", (inner,))))
            case Over(op="mean", of=of, i=i, term=term, test=test, p=Fraction() as p, weight=w) if p:
                power = term if p == 1 else ToPower(term, p)
                above = Over("sum", of, i, power if w is None else Operation("mul", (w, power)), None, _SUM, None, None)
                y = Operation("div", (above, Over("sum", of, i, w or ONE, test, _SUM, None, None)))
                y = y if p == 1 else ToPower(y, 1 / p)
            case PowerMean(values=values, p=Fraction() as p) if p:
                above, *others = [ToPower(v, p) for v in values]
                for other in others:
                    above = Operation("add", (above, other))
                y = ToPower(Operation("div", (above, Numeral(Fraction(len(values))))), 1 / p)
        made[x] = y
    return made[tree]


def gradient_formula(definition: Recorded, classes: int | None) -> str:
    """Return the derivatives of a definition in LaTeX: by the four cells of two classes, or by the cell c_kl."""
    tree, two = printed_tree(definition, classes)
    root = lowered(shown(tree), 2 if two else None, resolves=False, exact_products=True, by=SmoothLowering)
    for x in below(root):
        if isinstance(x, MappedGrid):
            raise NoGradientFormula("a matrix that is computed cell by cell")
        if isinstance(x, Operation) and x.name in ("least", "greatest"):
            raise NoGradientFormula("a greatest or least value")
    s, t = (ClassVariable(root.height + k) for k in (3, 2))
    if two:
        cells = {rf"\mathrm{{{CELLS[i][j]}}}": Entry(i, j) for i, j in ((1, 1), (1, 0), (0, 1), (0, 0))}
        slopes = {by: slope_by_cell(root, lambda y, x=x: ONE if y is x else ZERO) for by, x in cells.items()}  # type: ignore[misc]
    else:
        slopes = {"c_{kl}": slope(root, s, t)}
    printer = CorePrinter(two=two, at={s.number: "k", t.number: "l"})
    printer.depth = 0
    rows = [rf"\frac{{\partial}}{{\partial {by}}} = {printer(x).text}" for by, x in slopes.items()]
    text = r",\quad ".join([*rows, *dict.fromkeys(printer.legend)])
    return re.sub(r"([a-z]):\\,\1 (\\ne)", r"\1 \2", text)
