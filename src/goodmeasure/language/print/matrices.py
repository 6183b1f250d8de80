"""The matrices of a printed formula: with named cells for any number of classes, or with all cells written out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import nan
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from goodmeasure.language.view import Number

if TYPE_CHECKING:
    from goodmeasure.language.print.formulas import FormulaPrinter

# How tightly the outermost operation of an expression binds
ADD, BIG, MUL, POWER, ATOM = range(5)
Index: TypeAlias = str | int  # what a class variable stands for: the letter of a sum, or a class by its number
CELLS = (("TN", "FP"), ("FN", "TP"))


class Printed(NamedTuple):
    """A printed expression, how tightly its outermost operation binds, and its value (NaN: not known, or undefined)."""

    text: str
    level: int = ATOM
    value: Number = nan

    def __format__(self, level: str) -> str:
        """Return the text, in brackets if its outermost operation binds less tightly than a level."""
        return self.text if self.level >= int(level or ADD) else rf"\left({self.text}\right)"


class Grid:
    """A matrix whose cells are written out."""

    def __init__(self, printer: FormulaPrinter, cells: Iterable[Sequence[Printed]], n: Printed | None = None) -> None:
        self.printer, self.cells = printer, [list(row) for row in cells]
        self.m = printer.number(len(self.cells))
        self.n = n or printer.total([x for row in reversed(self.cells) for x in reversed(row)])
        lines = {"a": self.cells, "b": [list(column) for column in zip(*self.cells, strict=True)]}
        self._sizes = {
            side: [printer.total([row[k], *row[:k], *row[k + 1 :]]) for k, row in enumerate(rows)]
            for side, rows in lines.items()
        }

    def cell(self, i: Index, j: Index) -> Printed:
        return self.cells[int(i)][int(j)]

    def size(self, side: str, i: Index) -> Printed:
        """Return the number of true (side "a") or predicted items of a class."""
        return self._sizes[side][int(i)]

    def transposed(self) -> Grid:
        return Grid(self.printer, zip(*self.cells, strict=True), self.n)

    def rest(self, i: Index) -> Grid:
        """Return two classes: class i, as the positive one, against all others."""
        if len(self.cells) == 2:
            return self if i == 1 else Grid(self.printer, [row[::-1] for row in self.cells[::-1]], self.n)
        hit, a, b, n = (x.value for x in (self.cell(i, i), self.size("a", i), self.size("b", i), self.n))
        cells = (n - a - b + hit, b - hit), (a - hit, hit)
        return Grid(self.printer, [[self.printer.number(x) for x in row] for row in cells], self.n)


class Letters:
    """Named cells c_ij, a_i, b_i and n of a matrix of any number of classes, with a mark on them if it is derived.

    `of_class`: it is that class against the rest.
    """

    def __init__(self, printer: FormulaPrinter, mark: str = "", of_class: str = "", *, flipped: bool = False) -> None:
        self.printer, self.mark, self.of_class, self.flipped = printer, mark, of_class, flipped
        self.m = printer.number(2) if of_class else Printed("m")
        self.n = Printed(f"n{mark}")
        self._upper = f"^{{({of_class}){mark}}}" if of_class else mark

    def cell(self, i: Index, j: Index) -> Printed:
        i, j = (j, i) if self.flipped else (i, j)
        if isinstance(i, int) and self.of_class:
            return Printed(rf"\mathrm{{{CELLS[i][int(j)]}}}{self.mark}_{{{self.of_class}}}")
        return Printed(f"c{self._upper}_{{{i}{j}}}")

    def size(self, side: str, i: Index) -> Printed:
        """Return the number of true (side "a") or predicted items of a class."""
        if isinstance(i, int) and self.of_class:
            return self.printer.total([self.cell(*((i, k) if side == "a" else (k, i))) for k in (i, 1 - i)])
        return Printed(f"{'ab'[(side == 'b') != self.flipped]}{self._upper}_{{{i}}}")

    def transposed(self) -> Letters:
        return Letters(self.printer, self.mark, self.of_class, flipped=not self.flipped)

    def rest(self, i: Index) -> Letters:
        """Return two classes: class i, as the positive one, against all others."""
        if isinstance(i, int):
            return self
        return Letters(self.printer, self.mark, self.of_class + i, flipped=self.flipped)
