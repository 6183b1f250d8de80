"""The printed formula: a definition evaluated on names instead of numbers, for any number of classes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import FrameType
from typing import TypeAlias

from goodmeasure.language.policy import RESOLVE
from goodmeasure.language.printing.expressions import ADD, ATOM, BIG, MUL, POWER, Sym, condition_text, symbol
from goodmeasure.language.value import Condition
from goodmeasure.language.view import (
    Branch,
    Chosen,
    ChosenPairs,
    ConstantTable,
    Number,
    PairTerm,
    Readable,
    RowsOfTable,
    Rule,
    Sizes,
    Term,
    View,
)

_INDICES = "ijklpqrst"


class Bound:
    """The bound index of a printed sum; `depth` is 1 for the outermost sum, and 0 where that does not matter."""

    __slots__ = ("depth", "name")

    def __init__(self, name: str, depth: int = 0) -> None:
        self.name, self.depth = name, depth


SymbolIndex: TypeAlias = Bound | int  # the bound index of a sum, or one of two classes


# What a printed count is: the items of a class that are predicted as it, its true items, and its predicted items.
HITS, TRUE, PREDICTED = "hits", "true", "predicted"
_RATES = {TRUE: "recall", PREDICTED: "precision"}


class CountOf(Sym):
    """The printed count of a class, which knows what it counts and of which class."""

    __slots__ = ("index", "what")
    __hash__ = Sym.__hash__

    def __init__(self, text: str, what: str, index: Bound) -> None:
        super().__init__(text)
        self.what, self.index = what, index


@dataclass(frozen=True, slots=True)
class Division:
    """A division of a formula: its denominator in LaTeX, and whether it is the recall or the precision of a class.

    The class is that of the outermost sum.
    """

    denominator: str
    rate: str | None = None


def _division(x: Sym, y: Sym) -> Division:
    if isinstance(x, CountOf) and x.what == HITS and x.index.depth == 1:
        return Division(y.text, _RATES.get(y.what) if isinstance(y, CountOf) and y.index is x.index else None)
    return Division(y.text)


class Page:
    """What the views of one printed formula share: open sums, the legend, the divisions by place, and whether it bends.

    A formula with a minimum, a maximum or a choice may bend: where two of their values tie, it has no derivative.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.legend: list[str] = []
        self.divisions: dict[object, Division] = {}
        self.bends = False

    def open(self) -> Bound:
        """Return the index of a new sum, named by the next free letter."""
        self.depth += 1
        return Bound(_INDICES[self.depth - 1], self.depth)

    def close(self) -> None:
        """Give the letter of the innermost sum free again."""
        self.depth -= 1


class NoFormula(TypeError):  # noqa: N818 - it says what there is not
    """The definition cannot be read with symbols: a user's function may branch with `if`, or ask for numbers."""


class TwoClassesOnly(NoFormula):
    """The definition uses the cells of two classes, so it has no formula for any number of classes."""


def _by_number() -> TypeError:
    """Return the error for a class that a definition names by its number."""
    return TypeError("a definition for any number of classes names a class by number: use the index of a sum instead")


class SymbolView(View[Sym, SymbolIndex]):
    """Named cells c_ij, a_i, b_i and n of a matrix with m classes, with a mark on the names if the view is derived."""

    policy = RESOLVE

    def __init__(self, page: Page, mark: str = "", of_class: str = "", *, flipped: bool = False) -> None:
        self.page = page
        self.mark = mark
        self.of_class = of_class
        self.flipped = flipped
        self.m = Sym("2", number=2) if of_class else Sym("m")

    def _upper(self) -> str:
        """Return the superscript that says where cells come from: a prime if mapped, the class if against the rest."""
        if self.of_class:
            return rf"^{{({self.of_class}){self.mark}}}"
        return self.mark

    def _named(self, letter: str, below: str) -> str:
        return f"{letter}{self._upper()}_{{{below}}}"

    def _known_count(self, text: str, what: str, i: Bound) -> Sym:
        """Return a count of a class; those of a derived matrix are no counts of items."""
        return Sym(text) if self._upper() else CountOf(text, what, i)

    def __getitem__(self, ij: tuple[SymbolIndex, SymbolIndex]) -> Sym:
        i, j = reversed(ij) if self.flipped else ij
        if isinstance(i, Bound) and isinstance(j, Bound):
            text = self._named("c", i.name + j.name)
            return self._known_count(text, HITS, i) if i is j else Sym(text)
        if isinstance(i, int) and isinstance(j, int) and self.of_class:
            name = (("TN", "FP"), ("FN", "TP"))[i][j]
            return Sym(rf"\mathrm{{{name}}}{self.mark}_{{{self.of_class}}}")
        raise _by_number()

    def _of_two(self, i: int, j: int) -> Sym:
        if not self.of_class:
            raise TwoClassesOnly("c.tp, c.fn, c.fp and c.tn are cells of two classes")
        return self[i, j]

    def _size(self, letter: str, i: SymbolIndex) -> Sym:
        if isinstance(i, Bound):
            return self._known_count(self._named(letter, i.name), TRUE if letter == "a" else PREDICTED, i)
        if self.of_class:
            pair = (self[i, 0], self[i, 1]) if (letter == "a") != self.flipped else (self[0, i], self[1, i])
            return Sym(f"{pair[i].text} + {pair[1 - i].text}", ADD)
        raise _by_number()

    @property
    def a(self) -> Sizes[Sym, SymbolIndex]:
        return Sizes(lambda i: self._size("b" if self.flipped else "a", i))

    @property
    def b(self) -> Sizes[Sym, SymbolIndex]:
        return Sizes(lambda i: self._size("a" if self.flipped else "b", i))

    @property
    def n(self) -> Sym:
        return Sym(f"n{self.mark}")

    @property
    def T(self) -> SymbolView:  # noqa: N802
        return type(self)(self.page, self.mark, self.of_class, flipped=not self.flipped)

    def excess(self, i: SymbolIndex) -> Sym:
        return symbol(self.n * self[i, i] - self.a[i] * self.b[i])

    def vs_rest(self, i: SymbolIndex) -> View[Sym, SymbolIndex]:
        if not isinstance(i, Bound):
            return self
        name = f"{self.of_class}{i.name}"
        return type(self)(self.page, self.mark, name, flipped=self.flipped)

    def two(self, tp: Sym, fn: Sym, fp: Sym, tn: Sym) -> PairSymbols:
        return PairSymbols(self.page, symbol(tn), symbol(fp), symbol(fn), symbol(tp))

    def map(self, cell: Callable[[SymbolIndex, SymbolIndex], Sym]) -> SymbolView:
        mapped = type(self)(self.page, self.mark + "'", self.of_class)
        i, j = self.page.open(), self.page.open()
        try:
            self.page.legend.append(f"{mapped[i, j].text} = {symbol(cell(i, j)).text}")
        finally:
            self.page.close()
            self.page.close()
        return mapped

    # Over classes

    def _big(self, operator: str, term: Term[SymbolIndex, Sym], over: Chosen[SymbolIndex] | None) -> tuple[str, Sym]:
        """Return the operator with its subscript, and the term."""
        i = self.page.open()
        try:
            body = symbol(term(i))
            below = i.name if over is None or over(i) is True else rf"{i.name}:\,{condition_text(over(i))}"
        finally:
            self.page.close()
        return f"{operator}_{{{below}}}", body

    def sum(self, term: Term[SymbolIndex, Sym], over: Chosen[SymbolIndex] | None = None) -> Sym:
        operator, body = self._big(r"\sum", term, over)
        return Sym(f"{operator} {body.inside(BIG)}", BIG)

    def product(self, term: Term[SymbolIndex, Sym], over: Chosen[SymbolIndex] | None = None) -> Sym:
        operator, body = self._big(r"\prod", term, over)
        return Sym(f"{operator} {body.inside(MUL)}", BIG)

    def least(self, term: Term[SymbolIndex, Sym], over: Chosen[SymbolIndex] | None = None) -> Sym:
        self.page.bends = True
        operator, body = self._big(r"\min", term, over)
        return Sym(f"{operator} {body.inside(MUL)}", BIG)

    def greatest(self, term: Term[SymbolIndex, Sym], over: Chosen[SymbolIndex] | None = None) -> Sym:
        self.page.bends = True
        operator, body = self._big(r"\max", term, over)
        return Sym(f"{operator} {body.inside(MUL)}", BIG)

    def occurs(self, i: SymbolIndex) -> bool:
        return True  # classes that do not occur are a matter of undefined cases, which a formula does not show

    def mean(
        self,
        term: Term[SymbolIndex, Sym],
        p: Sym | Number = 1,
        over: Chosen[SymbolIndex] | None = None,
        undefined: Rule[Sym, SymbolIndex] | None = None,
        weights: Sizes[Sym, SymbolIndex] | None = None,
    ) -> Sym:
        if weights is not None:
            return Sym(rf"\frac{{1}}{{{self.n.text}}} {self.sum(lambda i: weights[i] * symbol(term(i))).text}", MUL)
        if p == float("inf"):
            return self.greatest(term, over)
        if p == -float("inf"):
            return self.least(term, over)
        count = symbol(self.m) if over is None else self._count(over)
        if p == 0:
            return Sym(f"{self.product(term, over).inside(ATOM)}^{{1/{count.inside(ATOM)}}}", POWER)
        if p == 1:
            return Sym(rf"\frac{{1}}{{{count.text}}} {self.sum(term, over).text}", MUL)
        inner = rf"\frac{{1}}{{{count.text}}} {self.sum(lambda i: symbol(term(i)) ** p, over).text}"
        if p == -1:
            return Sym(rf"\left({inner}\right)^{{-1}}", POWER)
        return Sym(rf"\left({inner}\right)^{{1/{symbol(p).inside(ATOM)}}}", POWER)

    def _count(self, over: Chosen[SymbolIndex]) -> Sym:
        """Return how many classes a mean is over."""
        i = self.page.open()
        try:
            return (
                symbol(self.m) if over(i) is True else Sym(rf"\left|\{{{i.name} : {condition_text(over(i))}\}}\right|")
            )
        finally:
            self.page.close()

    def sum_off(self, term: PairTerm[SymbolIndex, Sym], over: ChosenPairs[SymbolIndex] | None = None) -> Sym:
        i, j = self.page.open(), self.page.open()
        try:
            body = symbol(term(i, j))
            condition = "" if over is None else rf",\,{condition_text(over(i, j))}"
        finally:
            self.page.close()
            self.page.close()
        return Sym(rf"\sum_{{{i.name} \ne {j.name}{condition}}} {body.inside(BIG)}", BIG)

    # Arithmetic

    @property
    def pi(self) -> Sym:
        return Sym(r"\pi")

    def constant(self, number: Sym | Number) -> Sym:
        return symbol(number)

    def power(self, x: Sym | float, r: Sym | Number) -> Sym:
        return symbol(symbol(x) ** r)

    def power_mean(self, values: Sequence[Sym | float], p: Sym | Number) -> Sym:
        texts = [symbol(x) for x in values]
        if p == float("inf"):
            return self.max(*texts)
        if p == -float("inf"):
            return self.min(*texts)
        if p == 0 and len(texts) == 2:
            return self.sqrt(texts[0] * texts[1])
        inner = sum((x**p for x in texts), symbol(0))
        share = rf"\tfrac{{1}}{{{len(texts)}}}"
        if p == 1:
            return Sym(rf"{share} {inner.inside(MUL)}", MUL)
        root = "-1" if p == -1 else f"1/{symbol(p).inside(ATOM)}"
        return Sym(rf"\left({share} {inner.inside(MUL)}\right)^{{{root}}}", POWER)

    def sqrt(self, x: Sym | float) -> Sym:
        return Sym(rf"\sqrt{{{symbol(x).text}}}")

    def log(self, x: Sym | float) -> Sym:
        return Sym(rf"\log {symbol(x).inside(ATOM)}", MUL)

    def xlogy(
        self, x: Sym | float, y: Sym | float | Callable[[], Sym | float], above: Callable[[], Sym | float] | None = None
    ) -> Sym:
        return symbol(x) * self.log(y() if callable(y) else y)

    def arccos(self, x: Sym | float) -> Sym:
        return Sym(rf"\arccos {symbol(x).inside(ATOM)}", MUL)

    def exp(self, x: Sym | float) -> Sym:
        return Sym(rf"\exp\left({symbol(x).text}\right)", MUL)

    def arcsin(self, x: Sym | float) -> Sym:
        return Sym(rf"\arcsin {symbol(x).inside(ATOM)}", MUL)

    def min(self, *values: Sym | float) -> Sym:
        self.page.bends = True
        return Sym(rf"\min\left({', '.join(symbol(x).text for x in values)}\right)")

    def max(self, *values: Sym | float) -> Sym:
        self.page.bends = True
        return Sym(rf"\max\left({', '.join(symbol(x).text for x in values)}\right)")

    def table(self, rows: RowsOfTable, legend: str | None = None) -> ConstantTable[Sym, SymbolIndex]:
        if legend:
            self.page.legend.append(legend)
        return ConstantTable(lambda i, j: Sym(f"w_{{{_letter(i)}{_letter(j)}}}"))

    # Choices

    def where(self, condition: Condition | bool, x: Branch[Sym], y: Branch[Sym]) -> Sym:
        if isinstance(condition, bool):
            return self._branch(x if condition else y)
        self.page.bends = True
        first, second, holds = self._branch(x), self._branch(y), condition_text(condition)
        return Sym(rf"\begin{{cases}} {first.text} & {holds} \\ {second.text} & \text{{otherwise}} \end{{cases}}")

    def _branch(self, x: Branch[Sym]) -> Sym:
        value = x() if callable(x) else x
        return Sym(r"\text{left out}") if value is self.skip else symbol(value)

    def ratio(self, x: Sym | float, y: Sym | float, otherwise: Branch[Sym] | None = None) -> Sym:
        above, below = symbol(x), symbol(y)
        self.page.divisions[place_of(sys._getframe(1)), self.flipped] = _division(above, below)
        return above / below

    def undefined(self) -> Sym:
        return Sym(r"\text{undefined}")


class PairSymbols(SymbolView):
    """Two classes with four named cells; sums over classes are written out."""

    def __init__(self, page: Page, tn: Sym, fp: Sym, fn: Sym, tp: Sym) -> None:
        super().__init__(page)
        self.m = 2
        self.cells = ((tn, fp), (fn, tp))

    def _of_two(self, i: int, j: int) -> Sym:
        return self.cells[i][j]

    def __getitem__(self, ij: tuple[SymbolIndex, SymbolIndex]) -> Sym:
        return self._of_two(_class_number(ij[0]), _class_number(ij[1]))

    @property
    def a(self) -> Sizes[Sym, SymbolIndex]:
        return Sizes(lambda i: self._true(_class_number(i)))

    def _true(self, i: int) -> Sym:
        return self.cells[i][i] + self.cells[i][1 - i]

    @property
    def b(self) -> Sizes[Sym, SymbolIndex]:
        return Sizes(lambda i: self._predicted(_class_number(i)))

    def _predicted(self, i: int) -> Sym:
        return self.cells[i][i] + self.cells[1 - i][i]

    @property
    def n(self) -> Sym:
        (tn, fp), (fn, tp) = self.cells
        named = {x.text for x in (tn, fp, fn, tp)} == {x.text for row in _named_cells() for x in row}
        return Sym("n") if named else tp + fn + fp + tn

    @property
    def T(self) -> PairSymbols:  # noqa: N802
        (tn, fp), (fn, tp) = self.cells
        turned = PairSymbols(self.page, tn, fn, fp, tp)
        turned.flipped = not self.flipped
        return turned

    def excess(self, i: SymbolIndex) -> Sym:
        return symbol(self.tp * self.tn - self.fp * self.fn)

    def vs_rest(self, i: SymbolIndex) -> PairSymbols:
        (tn, fp), (fn, tp) = self.cells
        return self if i == 1 else PairSymbols(self.page, tp, fn, fp, tn)

    def map(self, cell: Callable[[SymbolIndex, SymbolIndex], Sym]) -> PairSymbols:
        named = [Sym(rf"{x.text}'") for row in _named_cells() for x in row]
        for k, name in enumerate(named):
            self.page.legend.append(f"{name.text} = {symbol(cell(k // 2, k % 2)).text}")
        return PairSymbols(self.page, *named)

    def sum(self, term: Term[SymbolIndex, Sym], over: Chosen[SymbolIndex] | None = None) -> Sym:
        return symbol(term(0)) + symbol(term(1))

    def product(self, term: Term[SymbolIndex, Sym], over: Chosen[SymbolIndex] | None = None) -> Sym:
        return symbol(term(0)) * symbol(term(1))

    def least(self, term: Term[SymbolIndex, Sym], over: Chosen[SymbolIndex] | None = None) -> Sym:
        return self.min(term(0), term(1))

    def greatest(self, term: Term[SymbolIndex, Sym], over: Chosen[SymbolIndex] | None = None) -> Sym:
        return self.max(term(0), term(1))

    def _count(self, over: Chosen[SymbolIndex]) -> Sym:
        return symbol(2)

    def mean(
        self,
        term: Term[SymbolIndex, Sym],
        p: Sym | Number = 1,
        over: Chosen[SymbolIndex] | None = None,
        undefined: Rule[Sym, SymbolIndex] | None = None,
        weights: Sizes[Sym, SymbolIndex] | None = None,
    ) -> Sym:
        if p == 1 and weights is None:
            return symbol(Fraction(1, 2)) * self.sum(term)
        return super().mean(term, p, None, undefined, weights)

    def sum_off(self, term: PairTerm[SymbolIndex, Sym], over: ChosenPairs[SymbolIndex] | None = None) -> Sym:
        return symbol(term(0, 1)) + symbol(term(1, 0))

    def table(self, rows: RowsOfTable, legend: str | None = None) -> ConstantTable[Sym, SymbolIndex]:
        if legend:
            self.page.legend.append(legend)
        return ConstantTable(lambda i, j: Sym(f"w_{{{i}{j}}}"))


def _letter(i: SymbolIndex) -> str:
    """Return the letter of a bound index."""
    if not isinstance(i, Bound):
        raise _by_number()
    return i.name


def _class_number(i: SymbolIndex) -> int:
    """Return the number of one of two named classes, whose sums are written out and bind no index."""
    if not isinstance(i, int):
        raise _by_number()
    return i


def _named_cells() -> tuple[tuple[Sym, Sym], tuple[Sym, Sym]]:
    """Return the symbols TN, FP, FN and TP as a matrix."""
    tn, fp, fn, tp = (Sym(rf"\mathrm{{{name}}}") for name in ("TN", "FP", "FN", "TP"))
    return (tn, fp), (fn, tp)


def symbol_view(classes: int | None) -> SymbolView:
    """Return the view that prints a formula for two named classes, or for any number of them."""
    if classes == 2:
        (tn, fp), (fn, tp) = _named_cells()
        return PairSymbols(Page(), tn, fp, fn, tp)
    return SymbolView(Page())


def place_of(frame: FrameType) -> object:
    """Return which division of which formula is being evaluated in a frame.

    The code object and the position in its bytecode identify a call of ``c.ratio`` in the source of a definition. So a
    note about one evaluation finds the denominator that the printed formula has in the same place.
    """
    return frame.f_code, frame.f_lasti


def _read(function: Readable, view: SymbolView) -> Sym:
    """Return a definition in symbols; `NoFormula` where it asks them what only numbers can answer."""
    try:
        return symbol(function(view))
    except NoFormula:
        raise
    except TypeError as error:
        raise NoFormula(*error.args) from error


def formula(function: Readable, classes: int | None) -> str:
    """Return the LaTeX formula of a definition."""
    view = symbol_view(classes)
    text = _read(function, view).text
    return r",\quad ".join([text, *dict.fromkeys(view.page.legend)])


def divisions(function: Readable, classes: int | None) -> dict[object, Division]:
    """Return what is divided by what at each division of a definition."""
    view = symbol_view(classes)
    _read(function, view)
    return view.page.divisions


def may_bend(function: Readable, classes: int | None) -> bool:
    """Return whether a definition has a minimum, a maximum or a choice, so that it may have no derivative at a tie."""
    view = symbol_view(classes)
    _read(function, view)
    return view.page.bends
