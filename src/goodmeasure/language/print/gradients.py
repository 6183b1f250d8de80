"""The printed gradient: derivatives, which are core trees, in the letters of formulas."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import reduce
from math import gcd
from typing import TYPE_CHECKING

from goodmeasure.language.compile.arrays import multiplied_out
from goodmeasure.language.derive import all_of, slope, slope_by_cell, smooth, when
from goodmeasure.language.print.formulas import FormulaPrinter, printed_tree
from goodmeasure.language.print.matrices import BIG, CELLS, Letters, Printed
from goodmeasure.language.rewrite.core import (
    All,
    CellGroups,
    Diagonal,
    Each,
    EachPair,
    Entry,
    Items,
    Lin,
    MappedGrid,
    Pair,
    both,
    each,
    inverse,
)
from goodmeasure.language.tree import (
    ONE,
    TRUE,
    ZERO,
    CellOf,
    ClassVariable,
    Counts,
    Listed,
    Numeral,
    Operation,
    Over,
    OverPairs,
    Position,
    Ratio,
    Test,
    ToPower,
    Tree,
    Where,
    XLogY,
    below,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from goodmeasure.language.recorded import Recorded

_COUNTS, _HIDDEN = Counts(None), ClassVariable(0)
_HITS = Over("sum", _COUNTS, 0, CellOf(_COUNTS, _HIDDEN, _HIDDEN), None, 1.0, None, None)
_LETTERS = "ijpqrstuv"  # k and l are those of the cell by which the derivative is taken
_DELTA = Printed(r"\delta_{kl}")


class NoGradientFormula(TypeError):  # noqa: N818 - it says what there is not
    """The definition uses something whose derivative is not printed, such as a minimum."""


class CorePrinter(FormulaPrinter):
    """One walk through a core tree."""

    def __call__(self, x: Tree) -> Printed:
        at = dict(self.at)
        match x:
            case Entry(i=i, j=j):
                return self.counts.cell(i, j)
            case Lin(basis=basis, weights=w):
                return self._weighted(*self._groups(basis, w))
            case Each(op="sum", i=i, term=term, test=test) if term is ONE:
                how_many = Printed(rf"\left|\{{{self._open(i)} : {self.condition(test)}\}}\right|")
                self.at, self.depth = at, self.depth - 1
                return how_many
            case Each(op="sum", p=p, i=i, term=term, test=Test(name="and", args=(a, b))) if _is_same(inverse(b)):
                return self(each("sum", p, i, when(a, term), b, None))
            case Each():
                x = Over(x.op, _COUNTS, x.i, x.term, x.test, x.p, None, x.weight)
            case EachPair(i=i, j=j, term=term, test=test):
                x = OverPairs(_COUNTS, i, j, term, None if test is TRUE else test)
            case Items():
                x = Listed(x.op, x.terms, x.tests, x.p, (), x.weights)
            case XLogY(x=one, y=y) if one is ONE:
                x = Operation("log", (y,))
            case Operation(name="mul", args=(Numeral() as w, y)):
                return self.apply("mul", self(w), self(y))
            case Where(test=test, x=Operation(name="mul", args=(Numeral() as w, one)), y=other) if other is ZERO:
                return self.apply("mul", self(w), self(Where(test, one, ZERO)))
            case Where(test=test, x=one, y=other) if other is ZERO:
                return self._guarded(all_of(test), one)
            case Ratio(x=Ratio(x=above, y=inner), y=under):
                return self.apply("div", self(above), self.apply("mul", self(inner), self(under)))
            case ToPower(x=Ratio(x=one, y=base), r=r) if one is ONE:
                x = ToPower(base, -r)
            case Operation(name="mul", args=(a, Operation(name="sqrt", args=(inner,)) as b)) if a is b:
                x = inner
        found = super().__call__(x)
        self.at = at  # a sum inside of another one may have the same variable
        return found

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
            case Test(args=(Position(i=i), Position(i=j))) if _is_same(x):
                inner, outer = sorted((str(self.place(i)), str(self.place(j))), key=_LETTERS.find, reverse=True)
                return f"{inner} = {outer}"
            case Test(name="not", args=(same,)) if _is_same(same):
                return str(self.condition(same)).replace("=", r"\ne")
        return not (isinstance(x, Test) and x.name in ("undefined", "broken", "meet")) and super().condition(x)

    def _guarded(self, tests: list[Tree], x: Tree) -> Printed:
        """Return a value that is 0 unless some conditions hold: 1 if two classes are one is δ."""
        for test in tests:
            holds = self.condition(test)
            if holds in ("k = l", "l = k", r"k \ne l", r"l \ne k"):
                others = [y for y in tests if y is not test]
                factor = self.apply("sub", self.number(1), _DELTA) if r"\ne" in holds else _DELTA
                return self.apply("mul", factor, self._guarded(others, x))
        if not tests:
            return self(x)
        test = reduce(both, tests)
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


def _place(x: Printed) -> tuple[bool, bool, bool, int]:
    """Return where a factor stands in a product: numbers, what begins with one, short factors, sums."""
    return x.value != x.value, not x.text[:1].isdigit(), x.level == BIG, len(x.text)


def _is_same(test: Tree) -> bool:
    """Return whether a condition says that two classes are one."""
    return isinstance(test, Test) and test.name == "eq" and all(isinstance(y, Position) for y in test.args)


def gradient_formula(definition: Recorded, classes: int | None) -> str:
    """Return the derivatives of a definition in LaTeX: by the four cells of two classes, or by the cell c_kl."""
    tree, two = printed_tree(definition, classes)
    root = multiplied_out(smooth(tree, 2 if two else None, resolves=False, bare=True))
    for x in below(root):
        if isinstance(x, MappedGrid):
            raise NoGradientFormula("a matrix that is computed cell by cell")
        if x.__dict__.get("op", x.__dict__.get("name")) in ("min", "max", "least", "greatest"):
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
