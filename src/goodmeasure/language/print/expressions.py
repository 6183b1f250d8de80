"""Printed expressions: symbols whose arithmetic writes down LaTeX."""

from __future__ import annotations

from fractions import Fraction

from goodmeasure.language.interruptions import Symbolic
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
