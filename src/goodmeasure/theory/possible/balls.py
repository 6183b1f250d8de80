"""Ball arithmetic with two partial derivatives, for functions with roots and logarithms.

A ball is a midpoint with a radius; operations round outwards, so the ball of a result contains the exact value. If the
ball of an expression lies entirely below 0, the expression is negative: that is a proof, in spite of rounding. If a
ball contains 0, nothing is decided.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from goodmeasure.exceptions import InputTypeError
from goodmeasure.language.view import exponent_of, shortest

if TYPE_CHECKING:
    import flint

BITS = 200


class Ball:
    """A value and its partial derivatives with respect to p_A and p_B, each a ball (python-flint ``arb``)."""

    __slots__ = ("slopes", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: flint.arb, slopes: tuple[flint.arb, flint.arb]) -> None:
        self.value, self.slopes = value, slopes

    @classmethod
    def of(cls, x: object) -> Ball:
        """Return a number as a constant, with derivatives 0."""
        from goodmeasure.packages import flint

        arb = flint.arb

        return x if isinstance(x, Ball) else cls(number(x), (arb(0), arb(0)))

    def apply(self, value: flint.arb, slope: flint.arb | int) -> Ball:
        """Return f(self) from its value and the derivative of f, by the chain rule."""
        return Ball(value, (slope * self.slopes[0], slope * self.slopes[1]))

    def __add__(self, other: object) -> Ball:
        y = Ball.of(other)
        return Ball(self.value + y.value, (self.slopes[0] + y.slopes[0], self.slopes[1] + y.slopes[1]))

    def __neg__(self) -> Ball:
        return self.apply(-self.value, -1)

    def __sub__(self, other: object) -> Ball:
        return self + -Ball.of(other)

    def __rsub__(self, other: object) -> Ball:
        return Ball.of(other) - self

    def __mul__(self, other: object) -> Ball:
        y = Ball.of(other)
        pairs = zip(self.slopes, y.slopes, strict=True)
        first, second = (p * y.value + self.value * q for p, q in pairs)
        return Ball(self.value * y.value, (first, second))

    def __truediv__(self, other: object) -> Ball:
        y = Ball.of(other)
        return self * y.apply(1 / y.value, -1 / (y.value * y.value))

    def __rtruediv__(self, other: object) -> Ball:
        return Ball.of(other) / self

    def __pow__(self, exponent: object) -> Ball:
        r = number(exponent)
        return self.apply(self.value**r, r * self.value ** (r - 1))

    __radd__, __rmul__ = __add__, __mul__

    def __abs__(self) -> Ball:
        return self if self.value > 0 else -self

    def __lt__(self, other: object) -> bool:
        return bool(self.value < Ball.of(other).value)

    def __gt__(self, other: object) -> bool:
        return bool(self.value > Ball.of(other).value)


def number(x: object) -> flint.arb:
    """Return a number as a ball; a float stands for the shortest decimal fraction that reads as it."""
    from goodmeasure.packages import flint

    arb, fmpq = flint.arb, flint.fmpq

    if not isinstance(x, (int, float, Fraction)):
        raise InputTypeError("{got!r} is not a number", got=x)
    value = shortest(x)
    return arb(fmpq(value.numerator, value.denominator))


class BallFunctions:
    """The functions that a normaliser may use, for balls with derivatives."""

    def sqrt(self, x: object) -> Ball:
        y = Ball.of(x)
        root = y.value.sqrt()
        return y.apply(root, 1 / (2 * root))

    def log(self, x: object) -> Ball:
        y = Ball.of(x)
        return y.apply(y.value.log(), 1 / y.value)

    def exp(self, x: object) -> Ball:
        y = Ball.of(x)
        return y.apply(y.value.exp(), y.value.exp())

    def arcsin(self, x: object) -> Ball:
        y = Ball.of(x)
        return y.apply(y.value.asin(), 1 / (1 - y.value * y.value).sqrt())

    def arcsinh(self, x: object) -> Ball:
        y = Ball.of(x)
        return y.apply(y.value.asinh(), 1 / (1 + y.value * y.value).sqrt())

    def power(self, x: object, r: object) -> Ball:
        return Ball.of(x) ** exponent_of(r)


_Result = TypeVar("_Result")


def precisely(compute: Callable[[], _Result]) -> _Result:
    """Return the result of a computation with 200 bits of precision."""
    from goodmeasure.packages import flint

    before, flint.ctx.prec = flint.ctx.prec, BITS
    try:
        return compute()
    finally:
        flint.ctx.prec = before
