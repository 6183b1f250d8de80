"""The printing algebra that `gradient_formulas.py` extends: matrices whose sums take functions of a printed class.

Formulas themselves are printed by `formulas.py`; this file goes when derivatives are trees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from operator import add, eq, le, lt, mul
from typing import TypeAlias, cast

from goodmeasure.language.interruptions import Symbolic
from goodmeasure.language.print.formulas import INDICES, by_classes
from goodmeasure.language.record import CannotRecord, written_mean
from goodmeasure.language.tree import (
    FALSE,
    TRUE,
    CellOf,
    ClassVariable,
    CountOfClasses,
    Excess,
    Listed,
    Mapped,
    Missing,
    Nth,
    Numeral,
    OpenParameter,
    Operation,
    Over,
    OverMean,
    OverPairs,
    Position,
    PowerMean,
    Ratio,
    Rest,
    SizeOf,
    Skipped,
    Tabled,
    Test,
    ToPower,
    TotalOf,
    Transposed,
    Tree,
    Two,
    Where,
    Whole,
    XLogY,
    below,
)
from goodmeasure.language.view import Number

# How tightly the outermost operation of an expression binds; a looser one is put into brackets inside a tighter one.
ADD, BIG, MUL, POWER, ATOM = range(5)


class Sym(Symbolic):
    """A printed expression; operations on plain numbers are carried out rather than printed."""

    __slots__ = ("level", "number", "text")
    __hash__ = Symbolic.__hash__

    def __init__(self, text: str, level: int = ATOM, number: Number | None = None) -> None:
        self.text = text
        self.level = level
        self.number = number

    def inside(self, level: int) -> str:
        """Return the text, in brackets if its outermost operation binds less tightly than `level`."""
        return self.text if self.level >= level else rf"\left({self.text}\right)"

    def __add__(self, other: Sym | Number) -> Sym:
        y = symbol(other)
        if self.number is not None and y.number is not None:
            return symbol(self.number + y.number)
        if y.number == 0:
            return self
        if self.number == 0:
            return y
        if y.text.startswith("-"):
            return Sym(f"{self.text} - {y.text[1:].lstrip()}", ADD)
        return Sym(f"{self.text} + {y.text}", ADD)

    def __radd__(self, other: Sym | Number) -> Sym:
        return symbol(other) + self

    def __sub__(self, other: Sym | Number) -> Sym:
        y = symbol(other)
        if self.number is not None and y.number is not None:
            return symbol(self.number - y.number)
        if y.number == 0:
            return self
        if self.number == 0:
            return -y
        return Sym(f"{self.text} - {y.inside(BIG)}", ADD)

    def __rsub__(self, other: Sym | Number) -> Sym:
        return symbol(other) - self

    def __neg__(self) -> Sym:
        return symbol(-self.number) if self.number is not None else Sym(f"-{self.inside(MUL)}", ADD)

    def __mul__(self, other: Sym | Number) -> Sym:
        y = symbol(other)
        if self.number is not None and y.number is not None:
            return symbol(self.number * y.number)
        if self.number == 1:
            return y
        if y.number == 1:
            return self
        if self.number == -1:
            return -y
        if y.number is not None:  # numbers go first
            return y * self
        return Sym(f"{self.inside(MUL)} {y.inside(BIG)}", MUL)

    def __rmul__(self, other: Sym | Number) -> Sym:
        return symbol(other) * self

    def __truediv__(self, other: Sym | Number) -> Sym:
        y = symbol(other)
        if self.number is not None and y.number is not None and y.number != 0:
            return symbol(Fraction(self.number) / Fraction(y.number))
        if y.number == 1:
            return self
        return Sym(rf"\frac{{{self.text}}}{{{y.text}}}", MUL)

    def __rtruediv__(self, other: Sym | Number) -> Sym:
        return symbol(other) / self

    def __pow__(self, exponent: Sym | Number) -> Sym:
        r = symbol(exponent)
        if r.number == 1:
            return self
        return Sym(f"{self.inside(ATOM)}^{{{r.text}}}", POWER)

    def __rpow__(self, base: Number) -> Sym:
        return symbol(base) ** self

    def __abs__(self) -> Sym:
        return Sym(rf"\left|{self.text}\right|", ATOM)

    def __eq__(self, other: Sym | Number) -> PrintedCondition:  # type: ignore[override]
        return PrintedCondition(f"{self.text} = {symbol(other).text}")

    def __ne__(self, other: Sym | Number) -> PrintedCondition:  # type: ignore[override]
        return PrintedCondition(rf"{self.text} \ne {symbol(other).text}")

    def __lt__(self, other: Sym | Number) -> PrintedCondition:
        return PrintedCondition(f"{self.text} < {symbol(other).text}")

    def __le__(self, other: Sym | Number) -> PrintedCondition:
        return PrintedCondition(rf"{self.text} \le {symbol(other).text}")

    def __gt__(self, other: Sym | Number) -> PrintedCondition:
        return PrintedCondition(f"{self.text} > {symbol(other).text}")

    def __ge__(self, other: Sym | Number) -> PrintedCondition:
        return PrintedCondition(rf"{self.text} \ge {symbol(other).text}")

    def __bool__(self) -> bool:
        raise TypeError("a formula has no truth value: say c.where(condition, x, y) instead of if")


class Parameter(Sym):
    """The name of a measure's parameter, such as β.

    Every comparison of it is False, so that a definition with special cases takes its general branch.
    """

    __slots__ = ()
    __hash__ = Sym.__hash__

    def _no(self, other: object) -> bool:
        return False

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _no  # type: ignore[assignment]


class PrintedCondition(Symbolic):
    """A printed condition."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __and__(self, other: PrintedCondition) -> PrintedCondition:
        return PrintedCondition(rf"{self.text} \wedge {other.text}")

    def __or__(self, other: PrintedCondition) -> PrintedCondition:
        return PrintedCondition(rf"{self.text} \vee {other.text}")

    def __invert__(self) -> PrintedCondition:
        return PrintedCondition(rf"\neg({self.text})")

    def __bool__(self) -> bool:
        raise TypeError(
            "a condition on counts has no truth value in a formula: say c.where(condition, x, y) instead of if"
        )


def symbol(x: Sym | Number) -> Sym:
    """Return a number or an expression as a printed expression."""
    if isinstance(x, Sym):
        return x
    if isinstance(x, float) and x == int(x):
        x = int(x)
    if isinstance(x, Fraction):
        if x.denominator == 1:
            return symbol(x.numerator)
        sign, x_abs = ("-" if x < 0 else ""), abs(x)
        return Sym(rf"{sign}\tfrac{{{x_abs.numerator}}}{{{x_abs.denominator}}}", ADD if x < 0 else ATOM, x)
    return Sym(f"{x}", ADD if x < 0 else ATOM, x)


_RELATIONS = {"eq": "=", "lt": "<", "le": r"\le"}
_TURNED = {"lt": ">", "le": r"\ge"}
_COMPARED = {"eq": eq, "lt": lt, "le": le}
_TABLES = "wvu"  # names for constants by class


class Bound:
    """The bound index of a printed sum; `depth` is 1 for the outermost sum, and 0 where that does not matter."""

    __slots__ = ("depth", "name")

    def __init__(self, name: str, depth: int = 0) -> None:
        self.name, self.depth = name, depth


SymbolIndex: TypeAlias = Bound | int  # the bound index of a sum, or one of two classes
Places: TypeAlias = Mapping[int, SymbolIndex]  # what class variables stand for
PrintedTerm: TypeAlias = Callable[[SymbolIndex], Sym]
PrintedPair: TypeAlias = Callable[[SymbolIndex, SymbolIndex], Sym]
PrintedChoice: TypeAlias = Callable[[SymbolIndex], PrintedCondition]
PrintedPairChoice: TypeAlias = Callable[[SymbolIndex, SymbolIndex], PrintedCondition]


class Page:
    """What the matrices of one printed formula share: open sums, the and the legend."""

    def __init__(self) -> None:
        self.depth = 0
        self.legend: list[str] = []
        self.tables: list[Tree] = []  # constants by class that have a name

    def open(self) -> Bound:
        """Return the index of a new sum, named by the next free letter."""
        self.depth += 1
        return Bound(INDICES[self.depth - 1], self.depth)

    def close(self) -> None:
        """Give the letter of the innermost sum free again."""
        self.depth -= 1


def _by_number() -> CannotRecord:
    """Return the error for a class that a definition names by its number."""
    return CannotRecord(
        "the definition {asks}", asks="names a class by its number", got="a class", advice="use c.sum over the classes"
    )


class PrintedMatrix:
    """Named cells c_ij, a_i, b_i and n of a matrix with m classes, with a mark on the names if it is derived."""

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

    def __getitem__(self, ij: tuple[SymbolIndex, SymbolIndex]) -> Sym:
        i, j = reversed(ij) if self.flipped else ij
        if isinstance(i, Bound) and isinstance(j, Bound):
            return Sym(self._named("c", i.name + j.name))
        if isinstance(i, int) and isinstance(j, int) and self.of_class:
            name = (("TN", "FP"), ("FN", "TP"))[i][j]
            return Sym(rf"\mathrm{{{name}}}{self.mark}_{{{self.of_class}}}")
        raise _by_number()

    def _size(self, letter: str, i: SymbolIndex) -> Sym:
        if isinstance(i, Bound):
            return Sym(self._named(letter, i.name))
        if self.of_class:
            pair = (self[i, 0], self[i, 1]) if (letter == "a") != self.flipped else (self[0, i], self[1, i])
            return Sym(f"{pair[i].text} + {pair[1 - i].text}", ADD)
        raise _by_number()

    def size(self, side: str, i: SymbolIndex) -> Sym:
        """Return the number of true (side "a") or predicted items of a class."""
        return self._size("ab"[(side == "b") != self.flipped], i)

    @property
    def n(self) -> Sym:
        return Sym(f"n{self.mark}")

    def transposed(self) -> PrintedMatrix:
        return type(self)(self.page, self.mark, self.of_class, flipped=not self.flipped)

    def excess(self, i: SymbolIndex, j: SymbolIndex) -> Sym:
        return symbol(self.n * self[i, j] - self.size("a", i) * self.size("b", j))

    def vs_rest(self, i: SymbolIndex) -> PrintedMatrix:
        if not isinstance(i, Bound):
            return self
        name = f"{self.of_class}{i.name}"
        return type(self)(self.page, self.mark, name, flipped=self.flipped)

    def two(self, tp: Sym, fn: Sym, fp: Sym, tn: Sym) -> NamedCells:
        return NamedCells(self.page, symbol(tn), symbol(fp), symbol(fn), symbol(tp))

    def map(self, cell: Callable[[SymbolIndex, SymbolIndex], Sym]) -> PrintedMatrix:
        mapped = type(self)(self.page, self.mark + "'", self.of_class)
        i, j = self.page.open(), self.page.open()
        try:
            self.page.legend.append(f"{mapped[i, j].text} = {cell(i, j).text}")
        finally:
            self.page.close()
            self.page.close()
        return mapped

    # Over classes

    def _big(self, operator: str, term: PrintedTerm, over: PrintedChoice | None) -> tuple[str, Sym]:
        """Return the operator with its subscript, and the term."""
        i = self.page.open()
        try:
            body = term(i)
            below = i.name if over is None else rf"{i.name}:\,{over(i).text}"
        finally:
            self.page.close()
        return f"{operator}_{{{below}}}", body

    def sum(self, term: PrintedTerm, over: PrintedChoice | None = None) -> Sym:
        operator, body = self._big(r"\sum", term, over)
        return Sym(f"{operator} {body.inside(BIG)}", BIG)

    def product(self, term: PrintedTerm, over: PrintedChoice | None = None) -> Sym:
        operator, body = self._big(r"\prod", term, over)
        return Sym(f"{operator} {body.inside(MUL)}", BIG)

    def least(self, term: PrintedTerm, over: PrintedChoice | None = None) -> Sym:
        operator, body = self._big(r"\min", term, over)
        return Sym(f"{operator} {body.inside(MUL)}", BIG)

    def greatest(self, term: PrintedTerm, over: PrintedChoice | None = None) -> Sym:
        operator, body = self._big(r"\max", term, over)
        return Sym(f"{operator} {body.inside(MUL)}", BIG)

    def mean(
        self,
        term: PrintedTerm,
        p: Sym | Number = 1,
        over: PrintedChoice | None = None,
        weights: PrintedTerm | None = None,
    ) -> Sym:
        if weights is not None:
            return Sym(rf"\frac{{1}}{{{self.n.text}}} {self.sum(lambda i: weights(i) * term(i)).text}", MUL)
        if p == float("inf"):
            return self.greatest(term, over)
        if p == -float("inf"):
            return self.least(term, over)
        count = symbol(self.m) if over is None else self._count(over)
        if p == 0:
            return Sym(f"{self.product(term, over).inside(ATOM)}^{{1/{count.inside(ATOM)}}}", POWER)
        if p == 1:
            return Sym(rf"\frac{{1}}{{{count.text}}} {self.sum(term, over).text}", MUL)
        inner = rf"\frac{{1}}{{{count.text}}} {self.sum(lambda i: term(i) ** p, over).text}"
        if p == -1:
            return Sym(rf"\left({inner}\right)^{{-1}}", POWER)
        return Sym(rf"\left({inner}\right)^{{1/{symbol(p).inside(ATOM)}}}", POWER)

    def _count(self, over: PrintedChoice) -> Sym:
        """Return how many classes a mean is over."""
        i = self.page.open()
        try:
            return Sym(rf"\left|\{{{i.name} : {over(i).text}\}}\right|")
        finally:
            self.page.close()

    def sum_off(self, term: PrintedPair, over: PrintedPairChoice | None = None) -> Sym:
        i, j = self.page.open(), self.page.open()
        try:
            body = term(i, j)
            condition = "" if over is None else rf",\,{over(i, j).text}"
        finally:
            self.page.close()
            self.page.close()
        return Sym(rf"\sum_{{{i.name} \ne {j.name}{condition}}} {body.inside(BIG)}", BIG)

    # Arithmetic

    def power_mean(self, values: Sequence[Sym], p: Sym | Number) -> Sym:
        if p == float("inf"):
            return self.max(*values)
        if p == -float("inf"):
            return self.min(*values)
        if p == 0 and len(values) == 2:
            return self.sqrt(values[0] * values[1])
        inner = sum((x**p for x in values), symbol(0))
        share = rf"\tfrac{{1}}{{{len(values)}}}"
        if p == 1:
            return Sym(rf"{share} {inner.inside(MUL)}", MUL)
        root = "-1" if p == -1 else f"1/{symbol(p).inside(ATOM)}"
        return Sym(rf"\left({share} {inner.inside(MUL)}\right)^{{{root}}}", POWER)

    def sqrt(self, x: Sym) -> Sym:
        return Sym(rf"\sqrt{{{x.text}}}")

    def log(self, x: Sym) -> Sym:
        return Sym(rf"\log {x.inside(ATOM)}", MUL)

    def log1p(self, x: Sym) -> Sym:
        return self.log(1 + x)

    def arccos(self, x: Sym) -> Sym:
        return Sym(rf"\arccos {x.inside(ATOM)}", MUL)

    def exp(self, x: Sym) -> Sym:
        return Sym(rf"\exp\left({x.text}\right)", MUL)

    def arcsin(self, x: Sym) -> Sym:
        return Sym(rf"\arcsin {x.inside(ATOM)}", MUL)

    def min(self, *values: Sym) -> Sym:
        return Sym(rf"\min\left({', '.join(x.text for x in values)}\right)")

    def max(self, *values: Sym) -> Sym:
        return Sym(rf"\max\left({', '.join(x.text for x in values)}\right)")

    def where(self, condition: PrintedCondition, x: Sym, y: Sym) -> Sym:
        return Sym(rf"\begin{{cases}} {x.text} & {condition.text} \\ {y.text} & \text{{otherwise}} \end{{cases}}")


class NamedCells(PrintedMatrix):
    """Two classes with four named cells; sums over classes are written out."""

    def __init__(self, page: Page, tn: Sym, fp: Sym, fn: Sym, tp: Sym) -> None:
        super().__init__(page)
        self.m = symbol(2)
        self.cells = ((tn, fp), (fn, tp))

    def __getitem__(self, ij: tuple[SymbolIndex, SymbolIndex]) -> Sym:
        return self.cells[_class_number(ij[0])][_class_number(ij[1])]

    def size(self, side: str, i: SymbolIndex) -> Sym:
        k = _class_number(i)
        return self.cells[k][k] + (self.cells[k][1 - k] if side == "a" else self.cells[1 - k][k])

    @property
    def n(self) -> Sym:
        (tn, fp), (fn, tp) = self.cells
        named = {x.text for x in (tn, fp, fn, tp)} == {x.text for row in _named_cells() for x in row}
        return Sym("n") if named else tp + fn + fp + tn

    def transposed(self) -> NamedCells:
        (tn, fp), (fn, tp) = self.cells
        turned = type(self)(self.page, tn, fn, fp, tp)
        turned.flipped = not self.flipped
        return turned

    def excess(self, i: SymbolIndex, j: SymbolIndex) -> Sym:
        (tn, fp), (fn, tp) = self.cells
        return tp * tn - fp * fn if i == j else fp * fn - tp * tn

    def vs_rest(self, i: SymbolIndex) -> NamedCells:
        (tn, fp), (fn, tp) = self.cells
        return self if i == 1 else type(self)(self.page, tp, fn, fp, tn)

    def map(self, cell: Callable[[SymbolIndex, SymbolIndex], Sym]) -> NamedCells:
        named = [Sym(rf"{x.text}'") for row in _named_cells() for x in row]
        for k, name in enumerate(named):
            self.page.legend.append(f"{name.text} = {cell(k // 2, k % 2).text}")
        return NamedCells(self.page, *named)

    def sum(self, term: PrintedTerm, over: PrintedChoice | None = None) -> Sym:
        return term(0) + term(1)

    def product(self, term: PrintedTerm, over: PrintedChoice | None = None) -> Sym:
        return term(0) * term(1)

    def least(self, term: PrintedTerm, over: PrintedChoice | None = None) -> Sym:
        return self.min(term(0), term(1))

    def greatest(self, term: PrintedTerm, over: PrintedChoice | None = None) -> Sym:
        return self.max(term(0), term(1))

    def _count(self, over: PrintedChoice) -> Sym:
        return symbol(2)

    def mean(
        self,
        term: PrintedTerm,
        p: Sym | Number = 1,
        over: PrintedChoice | None = None,
        weights: PrintedTerm | None = None,
    ) -> Sym:
        if p == 1 and weights is None:
            return symbol(Fraction(1, 2)) * self.sum(term)
        return super().mean(term, p, None, weights)

    def sum_off(self, term: PrintedPair, over: PrintedPairChoice | None = None) -> Sym:
        return term(0, 1) + term(1, 0)


def _class_number(i: SymbolIndex) -> int:
    """Return the number of one of two named classes, whose sums are written out and bind no index."""
    if not isinstance(i, int):
        raise _by_number()
    return i


def _named_cells() -> tuple[tuple[Sym, Sym], tuple[Sym, Sym]]:
    """Return the symbols TN, FP, FN and TP as a matrix."""
    tn, fp, fn, tp = (Sym(rf"\mathrm{{{name}}}") for name in ("TN", "FP", "FN", "TP"))
    return (tn, fp), (fn, tp)


def _decimal(x: Fraction) -> Sym:
    """Return a number of a definition, as a decimal if it has a short one."""
    shown = float(x)
    return symbol(shown if Fraction(repr(shown)) == x else x)


class FormulaPrinter:
    """One walk through a tree, on which each part is printed at the depth of the sums around it."""

    def __init__(self, page: Page, counts: PrintedMatrix) -> None:
        self.page, self.counts = page, counts
        self.naming = True  # whether constants by class get a name
        self._matrices: dict[object, PrintedMatrix] = {}

    def __call__(self, x: Tree, at: Places) -> Sym:
        """Return a value, with the indices that its class variables stand for."""
        if self.naming and by_classes(x):
            return self._named_constant(x, at)
        match x:
            case Numeral(value=v):
                return _decimal(v)
            case OpenParameter(name=name):
                return Parameter(name)
            case CountOfClasses(of=of):
                return self.matrix(of, at).m
            case CellOf(of=of, i=i, j=j):
                return self.matrix(of, at)[_index(i, at), _index(j, at)]
            case SizeOf(of=of, side=side, i=i):
                return self.matrix(of, at).size(side, _index(i, at))
            case TotalOf(of=of):
                return self.matrix(of, at).n
            case Excess(of=of, i=i, j=j):
                return self.matrix(of, at).excess(_index(i, at), _index(j, at))
            case Operation():
                return self._operations(x, at)
            case ToPower(x=base, r=r):
                return self(base, at) ** self._exponent(r, at)
            case PowerMean(values=values, p=p):
                return self.counts.power_mean([self(y, at) for y in values], self._exponent(p, at))
            case OverMean():
                return self(written_mean(x), at)
            case XLogY(x=a, y=b):
                return self(a, at) * self.counts.log(self(b, at))
            case Ratio(x=a, y=b):
                return self(a, at) / self(b, at)
            case Where(test=test, x=one, y=other):
                holds = self.condition(test, at)
                if isinstance(holds, bool):
                    return self(one if holds else other, at)
                return self.counts.where(holds, self(one, at), self(other, at))
            case Over():
                return self._over(x, at)
            case OverPairs():
                return self._over_pairs(x, at)
            case Listed():
                return self._listed(x, at)
            case Whole(of=of, value=value):
                self.matrix(of, at)  # its legend comes first
                return self(value, at)
            case Missing():
                return Sym(r"\text{undefined}")
            case Skipped():
                return Sym(r"\text{left out}")
            case Position(i=i):
                k = _index(i, at)
                return Sym(k.name) if isinstance(k, Bound) else symbol(k)
        raise TypeError(type(x))

    def _exponent(self, r: Tree | Number, at: Places) -> Sym | Number:
        if isinstance(r, Tree):
            return self(r, at)
        return r

    def _operations(self, x: Operation, at: Places) -> Sym:
        nested = nested_operations(x)
        found = [self(y, at) for y in nested[0].args[:1]]
        for y in nested:
            found = [self._operation(y.name, [*found, *(self(z, at) for z in y.args[1:])])]
        return found[0]

    def _operation(self, name: str, args: list[Sym]) -> Sym:
        match name:
            case "add":
                return args[0] + args[1]
            case "sub":
                return args[0] - args[1]
            case "mul":
                return args[0] * args[1]
            case "neg":
                return -args[0]
            case "abs":
                return abs(args[0])
            case "pi":
                return Sym(r"\pi")
            case "inf":
                return Sym(r"\infty")
        found: Sym = getattr(self.counts, name)(*args)
        return found

    # Matrices

    def matrix(self, x: Tree, at: Places) -> PrintedMatrix:
        key = (x, *(at[k] for k in sorted(x.free)))
        if key not in self._matrices:
            self._matrices[key] = self._matrix(x, at)
        return self._matrices[key]

    def _matrix(self, x: Tree, at: Places) -> PrintedMatrix:
        match x:
            case Transposed(of=of):
                return self.matrix(of, at).transposed()
            case Rest(of=of, i=i):
                return self.matrix(of, at).vs_rest(_index(i, at))
            case Two(tp=tp, fn=fn, fp=fp, tn=tn):
                return self.counts.two(*(self(y, at) for y in (tp, fn, fp, tn)))
            case Mapped(of=of, i=i, j=j, cell=cell):
                inside, found = self.page.depth, self.matrix(of, at)
                around = [at[k] for k in x.free]
                self.page.depth = max((k.depth for k in around if isinstance(k, Bound)), default=0)
                try:
                    return found.map(lambda k, n: self(cell, {**at, i: k, j: n}))
                finally:
                    self.page.depth = inside
        return self.counts

    # Over classes

    def _over(self, x: Over, at: Places) -> Sym:
        of = self.matrix(x.of, at)
        term = lambda k: self(x.term, {**at, x.i: k})  # noqa: E731
        condition = x.test
        over: PrintedChoice | None = None
        if condition is not None and condition is not TRUE:
            over = lambda k: self._chosen(condition, {**at, x.i: k})  # noqa: E731
        if x.op == "mean":
            weight = x.weight
            weights = None if weight is None else lambda k: self(weight, {**at, x.i: k})
            return of.mean(term, self._exponent(x.p, at), over, weights)
        found: Sym = getattr(of, x.op)(term, over)
        return found

    def _over_pairs(self, x: OverPairs, at: Places) -> Sym:
        test = x.test
        over = None if test is None else lambda k, n: self._chosen(test, {**at, x.i: k, x.j: n})
        return self.matrix(x.of, at).sum_off(lambda k, n: self(x.term, {**at, x.i: k, x.j: n}), over)

    def _listed(self, x: Listed, at: Places) -> Sym:
        """Return an operation over classes whose terms are written out."""
        terms: list[Sym] = []
        weights: list[Sym] = []
        for k, test in enumerate(x.tests):
            holds = self.condition(test, at)
            if holds is not False:
                term = self(x.terms[k], at)
                terms.append(term if holds is True else self.counts.where(holds, term, Sym(r"\text{left out}")))
                weights += [self(x.weights[k], at)] if x.weights else []
        if weights:
            weighed: Sym = reduce(add, map(mul, weights, terms)) / reduce(add, weights)
            return weighed
        if x.op == "mean":
            return self.counts.power_mean(terms, x.p)
        if x.op in ("least", "greatest"):
            return self.counts.min(*terms) if x.op == "least" else self.counts.max(*terms)
        found: Sym = reduce(add if x.op == "sum" else mul, terms)
        return found

    # Conditions

    def _chosen(self, test: Tree, at: Places) -> PrintedCondition:
        holds = self.condition(test, at)
        return PrintedCondition(rf"\text{{{str(holds).lower()}}}") if isinstance(holds, bool) else holds

    def condition(self, x: Tree, at: Places) -> PrintedCondition | bool:
        """Return a condition, or whether it holds if that is known; the rules for 0/0 are no matter of a formula."""
        assert isinstance(x, Test)
        if x.name in _RELATIONS:
            a, b = (self(y, at) for y in x.args)
            if a.number is not None and b.number is not None:
                return bool(_COMPARED[x.name](a.number, b.number))
            turned = x.name != "eq" and a.number is not None  # 0 < x was written as x > 0
            return PrintedCondition(
                f"{b.text} {_TURNED[x.name]} {a.text}" if turned else f"{a.text} {_RELATIONS[x.name]} {b.text}"
            )
        if not x.args:
            return x is not FALSE
        if x.name == "not" and isinstance(x.args[0], Test) and x.args[0].name == "eq":
            a, b = (self(y, at) for y in x.args[0].args)
            return PrintedCondition(rf"{a.text} \ne {b.text}")
        parts = [self.condition(y, at) for y in x.args]
        if x.name == "not":
            return not parts[0] if isinstance(parts[0], bool) else ~parts[0]
        absorbing = x.name == "or"
        if any(y is absorbing for y in parts):
            return absorbing
        unknown = [y for y in parts if not isinstance(y, bool)]
        if len(unknown) < 2:
            return unknown[0] if unknown else not absorbing
        return unknown[0] | unknown[1] if absorbing else unknown[0] & unknown[1]

    # Constants by class

    def _named_constant(self, x: Tree, at: Places) -> Sym:
        """Return the name of a constant that depends on classes; its first use puts it into the legend."""
        variables = list(dict.fromkeys(y.number for y in below(x) if isinstance(y, ClassVariable)))
        indices: list[Tree]
        kind: Tree
        if isinstance(x, Tabled):
            indices = [x.i, x.j]
            kind = Tabled(x.rows, Nth(0), Nth(0), x.legend)
        else:
            indices = [ClassVariable(k) for k in variables]
            kind = x.with_classes({k: ClassVariable(n + 1) for n, k in enumerate(variables)})
        if kind not in self.page.tables:
            self.page.tables.append(kind)
            name = self._table_name(kind)
            if isinstance(x, Tabled):
                self.page.legend += [name + x.legend.removeprefix("w")] if x.legend else []
            else:
                letters = {n + 1: Bound(INDICES[n]) for n in range(len(variables))}
                under = "".join(k.name for k in letters.values())
                self.page.legend.append(f"{name}_{{{under}}} = {self._written(kind, letters)}")
        below_name = "".join(k.name if isinstance(k, Bound) else str(k) for k in (_index(i, at) for i in indices))
        return Sym(f"{self._table_name(kind)}_{{{below_name}}}")

    def _table_name(self, kind: Tree) -> str:
        k = self.page.tables.index(kind)
        return _TABLES[k] if k < len(_TABLES) else f"w^{{({k})}}"

    def _written(self, x: Tree, letters: Places) -> str:
        """Return a constant as it is written in the legend."""
        self.naming = False
        try:
            return self(x, letters).text.replace(r"\left", "").replace(r"\right", "")
        finally:
            self.naming = True


def nested_operations(x: Operation) -> list[Operation]:
    """Return operations each of which is the first operand of the next one; a long sum is computed in this order."""
    found = [x]
    while x.args and isinstance(x.args[0], Operation) and not by_classes(x.args[0]):
        x = x.args[0]
        found.append(x)
    return found[::-1]


def _index(i: Tree, at: Places) -> SymbolIndex:
    return at[i.number] if isinstance(i, ClassVariable) else cast(Nth, i).number
