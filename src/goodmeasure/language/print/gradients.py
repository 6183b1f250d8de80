"""The printed gradient: derivatives, which are core trees, in the letters of formulas."""

from __future__ import annotations

from functools import reduce
from math import gcd
from typing import TYPE_CHECKING

from goodmeasure.language.compile.arrays import multiplied_out
from goodmeasure.language.derive import all_of, slope, slope_by_cell, smooth
from goodmeasure.language.print.expressions import BIG, PrintedCondition, Sym, symbol
from goodmeasure.language.print.formulas import Bound, FormulaPrinter, Page, Places, _counts, printed_tree
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
    both,
    inverse,
)
from goodmeasure.language.tree import (
    ONE,
    TRUE,
    ZERO,
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
    from goodmeasure.language.recorded import Recorded

_NAMES = (("TN", "FP"), ("FN", "TP"))
_MATRIX = Counts(None)
_DELTA = Sym(r"\delta_{kl}")


class NoGradientFormula(TypeError):  # noqa: N818 - it says what there is not
    """The definition uses something whose derivative is not printed, such as a minimum."""


class GradientPage(Page):
    """A page whose sums leave the letters k and l to the cell by which the derivative is taken."""

    def open(self) -> Bound:
        self.depth += 1
        return Bound("ijpqrstuv"[self.depth - 1])


class CorePrinter(FormulaPrinter):
    """A walk through a core tree."""

    def __call__(self, x: Tree, at: Places) -> Sym:
        match x:
            case Entry(i=i, j=j):
                return Sym(rf"\mathrm{{{_NAMES[i][j]}}}")
            case Lin():
                return self._cells(x, at)
            case Each(op="sum", i=i, term=one, test=test) if one is ONE:
                return self.counts._count(lambda k: self._chosen(test, {**at, i: k}))
            case Each(op="sum", i=i, term=term, test=Test(name="not", args=(test,))) if _is_same(test):
                k = self.page.open()
                (other,) = (at[n].name for n in test.free if n != i)  # type: ignore[union-attr]
                body = self(term, {**at, i: k}).inside(BIG)
                self.page.close()
                return Sym(rf"\sum_{{{k.name} \ne {other}}} {body}", BIG)
            case Each():
                x = Over(x.op, _MATRIX, x.i, x.term, x.test, x.p, None, x.weight)
            case EachPair(i=i, j=j, term=term, test=test):
                x = OverPairs(_MATRIX, i, j, term, None if test is TRUE else test)
            case Items():
                x = Listed(x.op, x.terms, x.tests, x.p, (), x.weights)
            case XLogY(x=one, y=y) if one is ONE:
                return self.counts.log(self(y, at))
            case Where(test=test, x=Operation(name="mul", args=(Numeral() as w, one)), y=other) if other is ZERO:
                return self(w, at) * self(Where(test, one, ZERO), at)
            case Where(test=test, x=one, y=other) if other is ZERO:
                return self._guarded(all_of(test), one, at)
            case Ratio(x=above, y=Ratio(x=a, y=b)) if a is above:
                return self(b, at)
            case Ratio(x=Ratio(x=above, y=inner), y=under):
                return self(above, at) / self._operation("mul", [self(inner, at), self(under, at)])
            case ToPower(x=Ratio(x=one, y=base), r=r) if one is ONE:
                return self(base, at) ** -r
            case Operation(name="mul", args=(a, Operation(name="sqrt", args=(inner,)) as b)) if a is b:
                return self(inner, at)
        return super().__call__(x, at)

    def _guarded(self, tests: list[Tree], x: Tree, at: Places) -> Sym:
        """Return a value that is 0 unless some conditions hold: 1 if two classes are one is δ."""
        for test in tests:
            factor = _DELTA if _is_same(test) else 1 - _DELTA if _is_same(inverse(test)) else None
            if factor is not None:
                others = [y for y in tests if y is not test]
                return self._operation("mul", [factor, self._guarded(others, x, at)])
        if not tests:
            return self(x, at)
        test = reduce(both, tests)
        usual = inverse(test) in test.parts  # a formula ends with its usual branch
        return super().__call__(Where(inverse(test), ZERO, x) if usual else Where(test, x, ZERO), at)

    def condition(self, x: Tree, at: Places) -> PrintedCondition | bool:
        """Return a condition; that something is undefined is no matter of a formula."""
        return x.__dict__["name"] not in ("undefined", "broken", "meet") and super().condition(x, at)

    def _operation(self, name: str, args: list[Sym]) -> Sym:
        if name == "mul":
            if args[0].text == args[1].text:
                return args[0] ** 2
            args = sorted(args, key=lambda y: (not y.text[:1].isdigit(), y.level == BIG, len(y.text)))
        return super()._operation(name, args)

    def _cells(self, x: Lin, at: Places) -> Sym:
        """Return a sum of cells in as few terms as it has."""
        w, basis, c = x.weights, x.basis, self.counts
        if isinstance(basis, CellGroups):
            if all(isinstance(y, Entry) for y in basis.cells) and len(set(w)) == 1:
                return w[0] * c.n
            return _added(w[::-1], [self(y, at) for y in basis.cells[::-1]])
        if isinstance(basis, All):
            return w[0] * c.n
        if isinstance(basis, Diagonal):
            return _added((w[1], w[0] - w[1]), [c.n, c.sum(lambda i: c[i, i])])
        i, j = (at[y.number] for y in (basis.i, basis.j))
        hit, row, column, rest = w
        weights = rest, row - rest, column - rest, hit - row - column + rest
        if i is j and w.count(0) > weights.count(0):
            return _added(w, [Sym(rf"\mathrm{{{name}}}_{{{i.name}}}") for name in ("TP", "FN", "FP", "TN")])
        return _added(weights, [c.n, c.size("a", i), c.size("b", j), c[i, j]])


def _is_same(test: Tree) -> bool:
    """Return whether a condition says that two classes are one."""
    return isinstance(test, Test) and test.name == "eq" and all(isinstance(y, Position) for y in test.args)


def _added(weights: tuple[int, ...], names: list[Sym]) -> Sym:
    """Return a weighted sum, with a common factor in front."""
    parts = sorted(((w, x) for w, x in zip(weights, names, strict=True) if w), key=lambda part: part[0] < 0)
    shared = gcd(*weights) if len(parts) > 1 else 1
    total: Sym = symbol(0)
    for w, x in parts:
        each = abs(w) // shared * x
        total = total + each if w > 0 else total - each
    return shared * total


def gradient_formula(definition: Recorded, classes: int | None) -> str:
    """Return the derivatives of a definition in LaTeX: by the four cells of two classes, or by the cell c_kl."""
    tree, two = printed_tree(definition, classes)
    root = multiplied_out(smooth(tree, 2 if two else None, resolves=False, bare=True))
    for x in below(root):
        if isinstance(x, MappedGrid):
            raise NoGradientFormula("a matrix that is computed cell by cell")
        if x.__dict__.get("op", x.__dict__.get("name")) in ("min", "max", "least", "greatest"):
            raise NoGradientFormula("a greatest or least value")
    page = GradientPage()
    printer = CorePrinter(page, _counts(page, two=two))
    if two:
        cells = {rf"\mathrm{{{_NAMES[i][j]}}}": Entry(i, j) for i, j in ((1, 1), (1, 0), (0, 1), (0, 0))}
        slopes = {by: slope_by_cell(root, lambda y, x=x: ONE if y is x else ZERO) for by, x in cells.items()}  # type: ignore[misc]
        at: Places = {}
    else:
        s, t = (ClassVariable(root.height + k) for k in (2, 1))
        slopes, at = {"c_{kl}": slope(root, s, t)}, {s.number: Bound("k"), t.number: Bound("l")}
    rows = [rf"\frac{{\partial}}{{\partial {by}}} = {printer(x, at).text}" for by, x in slopes.items()]
    return r",\quad ".join([*rows, *dict.fromkeys(page.legend)])
