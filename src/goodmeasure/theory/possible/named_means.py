"""Means of two positive numbers that serve as normalisers: each with its formula and why it is increasing."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, Self, TypeVar

from goodmeasure.language.view import Number

_INTEGRAL = "an integral over t in (0, 1) of what increases with tu + (1 − t)v"
_QUOTIENT = "(u − v) / 2f(z) with z = (u − v)/(u + v) increases with u where z(1 − z)·f′(z) < f(z): "


class Arithmetic(Protocol):
    """A number of some kind: a float, a fraction, a ball, a quotient of polynomials, a value of a view."""

    def __add__(self, other: Self | int, /) -> Self: ...

    def __radd__(self, other: int, /) -> Self: ...

    def __sub__(self, other: Self | int, /) -> Self: ...

    def __rsub__(self, other: int, /) -> Self: ...

    def __mul__(self, other: Self | int, /) -> Self: ...

    def __rmul__(self, other: int, /) -> Self: ...

    def __truediv__(self, other: Self | int, /) -> Self: ...

    def __rtruediv__(self, other: int, /) -> Self: ...

    def __pow__(self, exponent: int, /) -> Self: ...


X = TypeVar("X", bound=Arithmetic)


class Functions(Protocol[X]):
    """The functions that a formula may use, for one kind of number."""

    def sqrt(self, x: X, /) -> X: ...

    def log(self, x: X, /) -> X: ...

    def exp(self, x: X, /) -> X: ...

    def arcsin(self, x: X, /) -> X: ...

    def arcsinh(self, x: X, /) -> X: ...

    def power(self, x: X, r: Number, /) -> X: ...


class Formula(Protocol):
    """A function of two numbers of any kind, and of the functions for this kind; it returns such a number."""

    def __call__(self, x: X, y: X, f: Functions[X], /) -> X: ...


@dataclass(frozen=True)
class NamedMean:
    """A mean m(u, v) of two positive numbers, with m(u, u) = u.

    ``function`` takes u, v and an object with the functions sqrt, log, exp, …; its formula may be 0/0 where u = v.
    ``increasing``: the argument why m increases strictly with u and v; "" if this is to be decided from the formula
    (a quotient of polynomials or a root of one); None if m is not increasing.
    """

    name: str
    function: Formula
    increasing: str | None = ""


def _power_mean(r: Fraction | int) -> Formula:
    return lambda u, v, f: f.power((f.power(u, r) + f.power(v, r)) / 2, Fraction(1) / r)


def _stolarsky(p: int) -> Formula:
    return lambda u, v, f: f.power(
        sum((u**k * v ** (p - 1 - k) for k in range(1, p)), v ** (p - 1)) / p, Fraction(1, p - 1)
    )


def _lehmer(p: int) -> Formula:
    return lambda u, v, f: (u**p + v**p) / (u ** (p - 1) + v ** (p - 1))


MEANS = {
    x.name: x
    for x in (
        NamedMean("arithmetic", lambda u, v, f: (u + v) / 2),
        NamedMean("geometric", lambda u, v, f: f.sqrt(u * v)),
        NamedMean("harmonic", lambda u, v, f: 2 * u * v / (u + v)),
        NamedMean("quadratic", _power_mean(2)),
        NamedMean("cubic", _power_mean(3)),
        NamedMean("heronian", lambda u, v, f: (u + f.sqrt(u * v) + v) / 3),
        NamedMean("stolarsky_3", _stolarsky(3)),
        NamedMean("stolarsky_4", _stolarsky(4)),
        NamedMean(
            "logarithmic",
            lambda u, v, f: (u - v) / f.log(u / v),
            f"−1/m is −1/(tu + (1 − t)v) on average: {_INTEGRAL}",
        ),
        NamedMean(
            "identric",
            lambda u, v, f: f.exp((u * f.log(u) - v * f.log(v)) / (u - v) - 1),
            f"log m is log(tu + (1 − t)v) on average: {_INTEGRAL}",
        ),
        NamedMean(
            "seiffert",
            lambda u, v, f: (u - v) / (2 * f.arcsin((u - v) / (u + v))),
            _QUOTIENT + "z√((1 − z)/(1 + z)) < z ≤ arcsin z for z > 0, and "
            "arcsin y ≤ y/√(1 − y²) < y(1 + y)/√(1 − y²) for y = −z > 0",
        ),
        NamedMean(
            "neuman_sandor",
            lambda u, v, f: (u - v) / (2 * f.arcsinh((u - v) / (u + v))),
            _QUOTIENT + "z(1 − z)/√(1 + z²) < z/√(1 + z²) ≤ arcsinh z for z > 0, and "
            "arcsinh y ≤ y < y(1 + y)/√(1 + y²) for y = −z > 0",
        ),
        NamedMean("contraharmonic", _lehmer(2), None),
        NamedMean("lehmer_3", _lehmer(3), None),
    )
}


def beyond_means(a: X, b: X) -> X:
    """Return a normaliser s with all six conditions that is no function of u = p_A(1 − p_A) and v = p_B(1 − p_B).

    1/s = (u + v)/2 · (1 + (1 − 2p_A)(1 − 2p_B)·uv·(u − v)²): replacing p_A by 1 − p_A changes s, but not u and v.
    """
    u, v = a * (1 - a), b * (1 - b)
    return 2 / ((u + v) * (1 + (1 - 2 * a) * (1 - 2 * b) * u * v * (u - v) * (u - v)))
