"""The printed gradient: a tree printed with names that know their derivatives.

With two classes, the derivatives are those by TN, FP, FN and TP. With any number of classes there is one formula, the
derivative by the cell c_kl. A name with a bound index changes only where the index meets k or l: ∂a_i/∂c_kl is 1 if
i = k, ∂b_i/∂c_kl is 1 if i = l, and ∂c_ij/∂c_kl is 1 if both. So an expression inside a sum carries one coefficient for
each set of such conditions, and where the sum over i closes, a coefficient under i = k is the term at k alone, while
one without a condition on i stays in the sum. The term at k is found by evaluating it once more, with k as its index.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from goodmeasure.language.print.formulas import printed_tree
from goodmeasure.language.print.gradient_algebra import (
    BIG,
    MUL,
    Bound,
    GradientPrinter,
    NamedCells,
    Page,
    PrintedChoice,
    PrintedCondition,
    PrintedMatrix,
    PrintedPair,
    PrintedPairChoice,
    PrintedTerm,
    Sym,
    SymbolIndex,
    _named_cells,
    symbol,
)
from goodmeasure.language.view import Number, shortest

if TYPE_CHECKING:
    from goodmeasure.language.recorded import Recorded

SlopeKey = frozenset[tuple[object, str]]  # conditions (index, "k" or "l"), or (name, "") of a cell of two classes
ALWAYS: SlopeKey = frozenset()
CELLS = ("TN", "FP", "FN", "TP")


class NoGradientFormula(TypeError):  # noqa: N818 - it says what there is not
    """The definition uses something that this page cannot differentiate by name, such as a minimum."""


class PrintedSlope(Sym):
    """A printed expression with the printed coefficients of its derivative."""

    __slots__ = ("by",)
    __hash__ = Sym.__hash__

    def __init__(self, shown: Sym, by: dict[SlopeKey, Sym]) -> None:
        super().__init__(shown.text, shown.level, shown.number)
        self.by = by

    def __add__(self, other: Sym | Number) -> Sym:
        return _with(Sym.__add__(self, other), _added(self.by, _by(other)))

    def __radd__(self, other: Sym | Number) -> Sym:
        return _with(Sym.__add__(symbol(other), self), self.by)

    def __sub__(self, other: Sym | Number) -> Sym:
        return _with(Sym.__sub__(self, other), _added(self.by, _scaled(_by(other), -1)))

    def __rsub__(self, other: Sym | Number) -> Sym:
        return _with(Sym.__sub__(symbol(other), self), _scaled(self.by, -1))

    def __neg__(self) -> Sym:
        return _with(Sym.__neg__(self), _scaled(self.by, -1))

    def __mul__(self, other: Sym | Number) -> Sym:
        y = symbol(other)
        if y.number == 0:
            return y
        return _with(Sym.__mul__(self, y), _added(_scaled(self.by, _plain(y)), _scaled(_by(y), _plain(self))))

    def __rmul__(self, other: Sym | Number) -> Sym:
        x = symbol(other)
        return x if x.number == 0 else _with(Sym.__mul__(x, self), _scaled(self.by, _plain(x)))

    def __truediv__(self, other: Sym | Number) -> Sym:
        return _quotient(self, symbol(other))

    def __rtruediv__(self, other: Sym | Number) -> Sym:
        return _quotient(symbol(other), self)

    def __pow__(self, exponent: Sym | Number) -> Sym:
        r = symbol(exponent)
        if r.number is None:
            raise NoGradientFormula("a power with a name as its exponent")
        if r.number == 1:
            return self
        outer = r * (_plain(self) if r.number == 2 else _plain(self) ** (r.number - 1))
        return _with(Sym.__pow__(self, r), _scaled(self.by, outer))

    def __abs__(self) -> Sym:
        raise NoGradientFormula("an absolute value")


def _with(shown: Sym, by: dict[SlopeKey, Sym]) -> Sym:
    return PrintedSlope(_plain(shown), by) if by else shown


def _plain(x: Sym) -> Sym:
    """Return an expression without its derivative."""
    return Sym(x.text, x.level, x.number)


def _by(x: object) -> dict[SlopeKey, Sym]:
    return x.by if isinstance(x, PrintedSlope) else {}


def _added(*parts: dict[SlopeKey, Sym]) -> dict[SlopeKey, Sym]:
    found: dict[SlopeKey, Sym] = {}
    for part in parts:
        for key, x in part.items():
            found[key] = found[key] + x if key in found else x
    return {key: x for key, x in found.items() if x.number != 0}


def _scaled(by: dict[SlopeKey, Sym], factor: Sym | Number) -> dict[SlopeKey, Sym]:
    return {key: _times(symbol(factor), x) for key, x in by.items()}


def _quotient(x: Sym, y: Sym) -> Sym:
    """Return x/y with its derivative (x′·y − x·y′)/y²."""
    top, below, shown = _plain(x), _plain(y), _plain(x) / _plain(y)
    by = {}
    for key in {**_by(x), **_by(y)}:
        above, under = _by(x).get(key), _by(y).get(key)
        if above is not None and under is not None:
            by[key] = (_times(above, below) - _times(under, top)) / below**2
        elif above is not None:
            by[key] = above / below
        elif under is not None:
            by[key] = -(_times(under, top) / below**2)
    return _with(shown, by)


def _times(x: Sym, y: Sym) -> Sym:
    """Return a product, with a dot between two numbers."""
    if x.number == 1 or y.number == 1:
        return y if x.number == 1 else x
    if x.number is not None and y.text[:1].isdigit() and y.level == MUL:
        return Sym(rf"{x.text} \cdot {y.text}", MUL)
    return x * y


class GradientPage(Page):
    """A page whose sums leave the letters k and l to the cell by which the derivative is taken."""

    def open(self) -> Bound:
        self.depth += 1
        return Bound("ijpqrstuv"[self.depth - 1])


class _Functions(PrintedMatrix):
    """Functions of one expression, with the chain rule."""

    def _chain(self, shown: Sym, x: Sym, slope: Callable[[Sym], Sym]) -> Sym:
        return _with(_plain(shown), _scaled(_by(x), slope(_plain(x))) if _by(x) else {})

    def sqrt(self, x: Sym) -> Sym:
        return self._chain(super().sqrt(x), x, lambda y: symbol(1) / (2 * super(_Functions, self).sqrt(y)))

    def log(self, x: Sym) -> Sym:
        return self._chain(super().log(x), x, lambda y: symbol(1) / y)

    def arccos(self, x: Sym) -> Sym:
        def slope(y: Sym) -> Sym:
            return symbol(-1) / super(_Functions, self).sqrt(1 - y**2)

        return self._chain(super().arccos(x), x, slope)

    def power_mean(self, values: Sequence[Sym], p: Sym | Number) -> Sym:
        if p == 0 and len(values) == 2:
            return self.sqrt(values[0] * values[1])
        if p in (float("inf"), -float("inf")):
            raise NoGradientFormula("a greatest or least value")
        total = sum((x**p for x in values), symbol(0))
        mean = symbol(Fraction(1, len(values))) * total
        return mean if p == 1 else mean ** (1 / shortest(p).limit_denominator(10**6))

    def min(self, *values: Sym) -> Sym:
        raise NoGradientFormula("a least value")

    def max(self, *values: Sym) -> Sym:
        raise NoGradientFormula("a greatest value")

    def least(self, term: PrintedTerm, over: PrintedChoice | None = None) -> Sym:
        raise NoGradientFormula("a least value")

    def greatest(self, term: PrintedTerm, over: PrintedChoice | None = None) -> Sym:
        raise NoGradientFormula("a greatest value")

    def map(self, cell: Callable[[SymbolIndex, SymbolIndex], Sym]) -> PairSlopes:
        raise NoGradientFormula("a matrix that is computed cell by cell")

    def exp(self, x: Sym) -> Sym:
        return self._chain(super().exp(x), x, lambda y: super(_Functions, self).exp(y))

    def arcsin(self, x: Sym) -> Sym:
        raise NoGradientFormula("an arc sine")

    def two(self, tp: Sym, fn: Sym, fp: Sym, tn: Sym) -> PairSlopes:
        return PairSlopes(self.page, tn, fp, fn, tp)

    def where(self, condition: PrintedCondition, x: Sym, y: Sym) -> Sym:
        by = {
            key: super(_Functions, self).where(condition, _by(x).get(key, symbol(0)), _by(y).get(key, symbol(0)))
            for key in {**_by(x), **_by(y)}
        }
        return _with(super().where(condition, _plain(x), _plain(y)), by)


class SlopeSymbols(_Functions):
    """Names for any number of classes that know their derivative by the cell c_kl."""

    def __init__(self, page: Page, mark: str = "", of_class: str = "", *, flipped: bool = False) -> None:
        super().__init__(page, mark, of_class, flipped=flipped)
        self.one: Bound | None = None  # the class of a view against the rest

    def __getitem__(self, ij: tuple[SymbolIndex, SymbolIndex]) -> Sym:
        if self.one is not None:
            return self._against_rest(*ij)
        i, j = reversed(ij) if self.flipped else ij
        return PrintedSlope(super().__getitem__(ij), {frozenset({(i, "k"), (j, "l")}): symbol(1)})

    def _against_rest(self, i: SymbolIndex, j: SymbolIndex) -> Sym:
        """Return TP, FN, FP or TN of one class against the rest, which are sums of a_i, b_i, c_ii and n."""
        if not isinstance(i, int) or not isinstance(j, int):
            raise NoGradientFormula("a sum over the two classes of a class against the rest")
        shown = super().__getitem__((i, j))
        true, predicted = (j, i) if self.flipped else (i, j)
        row: SlopeKey = frozenset({(self.one, "k")})
        column: SlopeKey = frozenset({(self.one, "l")})
        both = row | column
        parts: dict[SlopeKey, int] = {
            (1, 1): {both: 1},
            (1, 0): {row: 1, both: -1},
            (0, 1): {column: 1, both: -1},
            (0, 0): {ALWAYS: 1, row: -1, column: -1, both: 1},
        }[true, predicted]
        return PrintedSlope(shown, {key: symbol(x) for key, x in parts.items()})

    def _size(self, letter: str, i: SymbolIndex) -> Sym:
        if self.one is not None:
            if not isinstance(i, int):
                raise NoGradientFormula("a sum over the two classes of a class against the rest")
            pair = (self[i, 0], self[i, 1]) if (letter == "a") != self.flipped else (self[0, i], self[1, i])
            return pair[i] + pair[1 - i]
        return PrintedSlope(super()._size(letter, i), {frozenset({(i, "k" if letter == "a" else "l")}): symbol(1)})

    @property
    def n(self) -> Sym:
        return PrintedSlope(super().n, {ALWAYS: symbol(1)})

    def transposed(self) -> SlopeSymbols:
        turned = type(self)(self.page, self.mark, self.of_class, flipped=not self.flipped)
        turned.one = self.one
        return turned

    def vs_rest(self, i: SymbolIndex) -> SlopeSymbols:
        if self.one is not None:
            raise NoGradientFormula("a class against the rest of two classes")
        if not isinstance(i, Bound):
            raise NoGradientFormula("a class that is named by its number")
        view = type(self)(self.page, self.mark, i.name, flipped=self.flipped)
        view.one = i
        return view

    # Over classes

    def _closed(
        self,
        term: PrintedTerm,
        around: Callable[[PrintedTerm], Sym],
        coefficient: Callable[[Sym], Sym],
    ) -> dict[SlopeKey, Sym]:
        """Return the derivative of a sum over classes of `coefficient` of the derivative of a term.

        `around` prints the sum of what stays in it.
        """
        if self.one is not None:
            raise NoGradientFormula("a sum over the two classes of a class against the rest")
        i = self.page.open()
        try:
            keys = list(_by(term(i)))
        finally:
            self.page.close()
        found: dict[SlopeKey, Sym] = {}
        for key in keys:
            meets = {letter for index, letter in key if index is i}
            left = frozenset(x for x in key if x[0] is not i)
            if not meets:
                found = _added(found, {left: around(lambda j, key=key: self._part(term, j, i, key, coefficient))})  # type: ignore[misc]
            else:
                at = Bound("k" if "k" in meets else "l")
                part = self._part(term, at, i, key, coefficient)
                found = _added(found, {left: part if len(meets) == 1 else _delta() * part})
        return found

    def _part(self, term: PrintedTerm, at: Bound, i: Bound, key: SlopeKey, coefficient: Callable[[Sym], Sym]) -> Sym:
        """Return the coefficient of a term at one index, under the conditions that `key` has for the index i."""
        body = term(at)
        wanted = frozenset((at, x[1]) if x[0] is i else x for x in key)
        part = _by(body).get(wanted, symbol(0))
        weight = coefficient(_plain(body))
        return _times(weight, part)

    def sum(self, term: PrintedTerm, over: PrintedChoice | None = None) -> Sym:
        shown = super().sum(lambda i: _plain(term(i)), over)

        def around(inner: PrintedTerm) -> Sym:
            return super(SlopeSymbols, self).sum(inner, over)

        return _with(shown, self._closed(term, around, lambda _: symbol(1)))

    def product(self, term: PrintedTerm, over: PrintedChoice | None = None) -> Sym:
        shown = super().product(lambda i: _plain(term(i)), over)

        def around(inner: PrintedTerm) -> Sym:
            return super(SlopeSymbols, self).sum(inner, over)

        return _with(shown, _scaled(self._closed(term, around, lambda body: symbol(1) / body), shown))

    def mean(
        self,
        term: PrintedTerm,
        p: Sym | Number = 1,
        over: PrintedChoice | None = None,
        weights: PrintedTerm | None = None,
    ) -> Sym:
        if weights is not None:
            return self.sum(lambda i: weights(i) * term(i)) / self.n
        if p in (float("inf"), -float("inf")):
            raise NoGradientFormula("a greatest or least value")
        count = self.m if over is None else self._count(over)
        if p == 0:
            product = self.product(term, over)
            shown = _plain(super().mean(lambda i: _plain(term(i)), p, over))
            return _with(shown, {key: shown / count * (x / _plain(product)) for key, x in _by(product).items()})
        if p == 1:
            return self.sum(term, over) / count
        inner = self.sum(lambda i: term(i) ** p, over) / count
        return inner ** (1 / shortest(p).limit_denominator(10**6))

    def sum_off(self, term: PrintedPair, over: PrintedPairChoice | None = None) -> Sym:
        shown = super().sum_off(lambda i, j: _plain(term(i, j)), over)
        i, j = self.page.open(), self.page.open()
        try:
            keys = list(_by(term(i, j)))
        finally:
            self.page.close()
            self.page.close()
        found: dict[SlopeKey, Sym] = {}
        for key in keys:
            found = _added(found, {ALWAYS: self._closed_pair(term, i, j, key)})
        return _with(shown, found)

    def _closed_pair(self, term: PrintedPair, i: Bound, j: Bound, key: SlopeKey) -> Sym:
        """Return what one coefficient of the derivative adds to a sum over pairs of different classes."""
        letters = {x: {letter for index, letter in key if index is x} for x in (i, j)}
        if any(index is not i and index is not j for index, _ in key) or any(len(x) > 1 for x in letters.values()):
            raise NoGradientFormula("a nested sum over pairs of classes")

        def part(first: SymbolIndex, second: SymbolIndex) -> Sym:
            wanted = frozenset((first if index is i else second, letter) for index, letter in key)
            return _by(term(first, second)).get(wanted, symbol(0))

        fixed = {x: Bound(next(iter(found))) if found else None for x, found in letters.items()}
        first, second = fixed[i], fixed[j]
        if first is not None and second is not None:
            differ = symbol(0) if first.name == second.name else 1 - _delta()
            return differ * part(first, second) if differ.number != 0 else differ
        free = self.page.open()
        try:
            body = part(first or free, second or free)
            fixed_name = (first or second).name if first or second else None  # type: ignore[union-attr]
        finally:
            self.page.close()
        if fixed_name is None:
            return super().sum_off(part)
        return Sym(rf"\sum_{{{free.name} \ne {fixed_name}}} {body.inside(BIG)}", BIG)


def _delta() -> Sym:
    return Sym(r"\delta_{kl}")


class PairSlopes(NamedCells, _Functions):
    """Two classes with four cells that know their derivatives."""

    @property
    def n(self) -> Sym:
        (tn, fp), (fn, tp) = self.cells
        total = tp + fn + fp + tn
        named = {x.text for x in (tn, fp, fn, tp)} == {x.text for row in _named_cells() for x in row}
        return _with(Sym("n"), _by(total)) if named else total

    def map(self, cell: Callable[[SymbolIndex, SymbolIndex], Sym]) -> PairSlopes:
        return PairSlopes(self.page, *(cell(k // 2, k % 2) for k in range(4)))

    def least(self, term: PrintedTerm, over: PrintedChoice | None = None) -> Sym:
        raise NoGradientFormula("a least value")

    def greatest(self, term: PrintedTerm, over: PrintedChoice | None = None) -> Sym:
        raise NoGradientFormula("a greatest value")

    def mean(
        self,
        term: PrintedTerm,
        p: Sym | Number = 1,
        over: PrintedChoice | None = None,
        weights: PrintedTerm | None = None,
    ) -> Sym:
        if weights is not None:
            return self.sum(lambda i: weights(i) * term(i)) / self.n
        return self.power_mean([term(0), term(1)], p)


def gradient_formula(definition: Recorded, classes: int | None) -> str:
    """Return the derivatives of a definition in LaTeX: by the four cells of two classes, or by the cell c_kl."""
    tree, two = printed_tree(definition, classes)
    page = GradientPage()
    if two:
        leaves = [PrintedSlope(Sym(rf"\mathrm{{{name}}}"), {frozenset({(name, "")}): symbol(1)}) for name in CELLS]
        by = _by(GradientPrinter(page, PairSlopes(page, *leaves))(tree, {}))
        rows = [
            rf"\frac{{\partial}}{{\partial \mathrm{{{name}}}}} = {by.get(frozenset({(name, '')}), symbol(0)).text}"
            for name in reversed(CELLS)
        ]
    else:
        by = _by(GradientPrinter(page, SlopeSymbols(page))(tree, {}))
        rows = [rf"\frac{{\partial}}{{\partial c_{{kl}}}} = {by.get(ALWAYS, symbol(0)).text}"]
    return r",\quad ".join([*rows, *dict.fromkeys(page.legend)])
