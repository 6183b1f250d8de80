"""Exact rational numbers with two partial derivatives, for functions made of arithmetic and comparisons.

Such a function, also one with max, min or an `if`, has an exact value and exact derivatives at a rational point, so it
is decided whether a bound is kept, reached or broken there. The numbers are FLINT's, since Python's fractions take ten
times as long.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from goodmeasure.exceptions import InputTypeError
from goodmeasure.language.view import shortest
from goodmeasure.theory.possible.rational import flint_rational

if TYPE_CHECKING:
    import flint


class Dual:
    """A rational value and its partial derivatives with respect to p_A and p_B."""

    __slots__ = ("slopes", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: flint.fmpq, slopes: tuple[flint.fmpq, flint.fmpq]) -> None:
        self.value, self.slopes = value, slopes

    @classmethod
    def point(cls, a: Fraction, b: Fraction) -> tuple[Dual, Dual]:
        """Return the coordinates of a point, with respect to which derivatives are taken."""
        zero, one = flint_rational(Fraction(0)), flint_rational(Fraction(1))
        return cls(flint_rational(a), (one, zero)), cls(flint_rational(b), (zero, one))

    @classmethod
    def of(cls, x: object) -> Dual:
        """Return a number as a constant; a float stands for the shortest decimal fraction that reads as it."""
        if isinstance(x, Dual):
            return x
        if isinstance(x, bool) or not isinstance(x, (int, float, Fraction)):
            raise InputTypeError("{got!r} is not a number", got=x)
        value = flint_rational(Fraction(shortest(x)))
        return cls(value, (value * 0, value * 0))

    def apply(self, value: flint.fmpq, slope: flint.fmpq) -> Dual:
        """Return f(self) from its value and the derivative of f, by the chain rule."""
        return Dual(value, (slope * self.slopes[0], slope * self.slopes[1]))

    def __add__(self, other: object) -> Dual:
        y = Dual.of(other)
        return Dual(self.value + y.value, (self.slopes[0] + y.slopes[0], self.slopes[1] + y.slopes[1]))

    def __neg__(self) -> Dual:
        return Dual(-self.value, (-self.slopes[0], -self.slopes[1]))

    def __sub__(self, other: object) -> Dual:
        return self + -Dual.of(other)

    def __rsub__(self, other: object) -> Dual:
        return Dual.of(other) - self

    def __mul__(self, other: object) -> Dual:
        y = Dual.of(other)
        (p, q), (r, s) = self.slopes, y.slopes
        return Dual(self.value * y.value, (p * y.value + self.value * r, q * y.value + self.value * s))

    def __truediv__(self, other: object) -> Dual:
        y = Dual.of(other)
        return self * y.apply(1 / y.value, -1 / y.value**2)

    def __rtruediv__(self, other: object) -> Dual:
        return Dual.of(other) / self

    def __pow__(self, exponent: object) -> Dual:
        if isinstance(exponent, bool) or not isinstance(exponent, int):
            raise InputTypeError("the power {got!r} of a rational number need not be rational", got=exponent)
        slope = self.value * 0 if exponent == 0 else exponent * self.value ** (exponent - 1)
        return self.apply(self.value**exponent, slope)

    __radd__, __rmul__ = __add__, __mul__

    def __abs__(self) -> Dual:
        return self if self.value >= 0 else -self

    def __eq__(self, other: object) -> bool:
        return bool(self.value == Dual.of(other).value)

    def __lt__(self, other: object) -> bool:
        return bool(self.value < Dual.of(other).value)

    def __le__(self, other: object) -> bool:
        return bool(self.value <= Dual.of(other).value)

    def __gt__(self, other: object) -> bool:
        return bool(self.value > Dual.of(other).value)

    def __ge__(self, other: object) -> bool:
        return bool(self.value >= Dual.of(other).value)
