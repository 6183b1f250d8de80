"""Quotients of polynomials in two unknowns, their roots, and proofs that they are positive on a triangle.

A user's function is recorded as a tree, which is then read with these unknowns in place of numbers. All letters stand
for positive numbers, and a and b, which are shares, for numbers below 1. The square root of f² is |f|, so f² can leave
a root only if the sign of f is known under these conditions (`_side`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Never, TypeAlias

from goodmeasure.language.record import Recording, RecordingView
from goodmeasure.language.tree import CellOf, Counts, Nth, Numeral, Operation, Ratio, ToPower, Tree
from goodmeasure.language.view import Number, exponent_of, shortest

if TYPE_CHECKING:
    import flint


Point = tuple[Fraction, Fraction]
RationalPoly: TypeAlias = "flint.fmpq_mpoly"
Triangle = tuple[Point, Point, Point]
SHARES = ("a", "b")  # letters that stand for numbers between 0 and 1
_DEPTH = 7
_MOST_POWER = 100


class NotRational(TypeError):  # noqa: N818 - a fact about a function, not an error of the caller
    """Raised if a result is not a quotient of polynomials."""


def context(*letters: str) -> flint.fmpq_mpoly_ctx:
    """Return the ring of polynomials in some letters, with rational coefficients."""
    from goodmeasure.packages import flint

    return flint.fmpq_mpoly_ctx.get(letters, flint.Ordering.lex)


def quotient_of(function: Callable[..., object], a: Rational, b: Rational) -> Rational | None:
    """Return the value of a function of two numbers, and of roots and powers, as a quotient; None if it is none."""
    run = Recording()
    c = RecordingView(Counts(2), run, 2)
    try:
        tree = run.node(function(c[0, 0], c[1, 1], _RootsAndPowers(c)))
        return None if run.refusal is not None else _read_at(tree, (a, b))
    except (TypeError, ValueError, ArithmeticError, AttributeError):
        return None


class _RootsAndPowers:
    """The functions that may be used in a quotient of polynomials."""

    def __init__(self, c: RecordingView) -> None:
        self.sqrt = c.sqrt
        self._power = c.power

    def power(self, x: object, r: object) -> object:
        return self._power(x, exponent_of(r))

    def __getattr__(self, name: str) -> Never:
        raise NotRational(f"{name} of a quotient of polynomials is not one again")


def _read_at(x: Tree, unknown: tuple[Rational, Rational]) -> Rational:
    """Return the value of a tree whose cells stand for two unknowns."""
    match x:
        case CellOf(i=Nth(number=k)):
            return unknown[k]
        case Numeral(value=value):
            return unknown[0] * 0 + value
        case Operation(name="add" | "sub" | "mul" as name, args=(first, second)):
            y, z = _read_at(first, unknown), _read_at(second, unknown)
            return y + z if name == "add" else y - z if name == "sub" else y * z
        case Operation(name="neg", args=(first,)):
            return -_read_at(first, unknown)
        case Operation(name="sqrt", args=(first,)):
            return _read_at(first, unknown).root(2)
        case Ratio(x=first, y=second, rule=None):
            return _read_at(first, unknown) / _read_at(second, unknown)
        case ToPower(x=first, r=r):
            return _read_at(first, unknown) ** r
    raise NotRational(f"a {type(x).__name__} is no quotient of polynomials")


def unknowns(*letters: str) -> tuple[Rational, ...]:
    """Return the letters as quotients of polynomials."""
    ring = context(*letters)
    return tuple(Rational(x, ring.constant(1)) for x in ring.gens())


class Rational:
    """A quotient of polynomials in lowest terms, num/den, or its positive root of some degree."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, num: RationalPoly, den: RationalPoly, degree: int = 1) -> None:
        common = den if num.is_zero() else num.gcd(den)
        self.num, self.den, self.degree = num / common, den / common, degree

    def _read(self, other: object) -> Rational:
        if isinstance(other, Rational):
            return other
        if not isinstance(other, (int, float, Fraction)):
            raise NotRational(f"{other!r} is not a number")
        value = shortest(other)
        ring = self.num.context()
        return Rational(ring.constant(value.numerator), ring.constant(value.denominator))

    def _plain(self) -> Rational:
        if self.degree != 1:
            raise NotRational("a sum with a root")
        return self

    def _level(self, degree: int) -> Rational:
        """Return the same value as a root of a greater degree."""
        times = degree // self.degree
        return Rational(self.num**times, self.den**times, degree)

    def __add__(self, other: object) -> Rational:
        x, y = self._plain(), self._read(other)._plain()
        return Rational(x.num * y.den + y.num * x.den, x.den * y.den)

    def __neg__(self) -> Rational:
        x = self._plain()
        return Rational(-x.num, x.den)

    def __sub__(self, other: object) -> Rational:
        return self + -self._read(other)

    def __rsub__(self, other: object) -> Rational:
        return self._read(other) - self

    def __mul__(self, other: object) -> Rational:
        y = self._read(other)
        degree = lcm(self.degree, y.degree)
        p, q = self._level(degree), y._level(degree)
        return Rational(p.num * q.num, p.den * q.den, degree)

    def __truediv__(self, other: object) -> Rational:
        y = self._read(other)
        if y.num.is_zero():
            raise NotRational("a division by 0")
        return self * Rational(y.den, y.num, y.degree)

    def __rtruediv__(self, other: object) -> Rational:
        return self._read(other) / self

    def __pow__(self, exponent: Number) -> Rational:
        if isinstance(exponent, float):
            exponent = shortest(exponent)
        if isinstance(exponent, Fraction) and max(abs(exponent.numerator), exponent.denominator) > _MOST_POWER:
            raise NotRational(f"the power {exponent}")  # its polynomials would not fit into memory
        if isinstance(exponent, Fraction) and exponent.denominator != 1:
            return (self**exponent.numerator).root(exponent.denominator)
        whole = int(exponent)
        if whole < 0:
            return 1 / self**-whole
        return Rational(self.num**whole, self.den**whole, self.degree)

    __radd__, __rmul__ = __add__, __mul__

    def root(self, degree: int) -> Rational:
        """Return the positive root: a quotient of polynomials if it is one, else a quotient under a root."""
        above, below = _root(self.num, degree), _root(self.den, degree)
        if self.degree == 1 and above is not None and below is not None:
            return Rational(above, below)
        return Rational(self.num, self.den, self.degree * degree)

    def __eq__(self, other: object) -> bool:
        y = self._read(other)
        degree = lcm(self.degree, y.degree)
        p, q = self._level(degree), y._level(degree)
        return bool(p.num * q.den == q.num * p.den)

    def slope(self, which: int) -> Rational:
        """Return the partial derivative with respect to one of the letters."""
        x = self._plain()
        return Rational(x.num.derivative(which) * x.den - x.num * x.den.derivative(which), x.den * x.den)

    def growth(self, which: int) -> Rational:
        """Return the partial derivative of the logarithm with respect to one of the letters."""
        bare = Rational(self.num, self.den)
        return bare.slope(which) / bare / self.degree

    def put(self, *values: Rational) -> Rational:
        """Return the value with other quotients substituted for the letters."""
        return _put(self.num, values) / _put(self.den, values)

    def at(self, *point: Fraction) -> Fraction:
        """Return the value at a rational point."""
        x = self._plain()
        values = [flint_rational(p) for p in point]
        top, bottom = x.num(*values), x.den(*values)
        return Fraction(int(top.p), int(top.q)) / Fraction(int(bottom.p), int(bottom.q))


def _put(p: RationalPoly, values: tuple[Rational, ...]) -> Rational:
    total: Rational = values[0] * 0
    for exponents, weight in p.to_dict().items():
        term = values[0] * 0 + Fraction(int(weight.p), int(weight.q))
        for x, e in zip(values, exponents, strict=True):
            term = term * x ** int(e)
        total = total + term
    return total


def _root(p: RationalPoly, degree: int) -> RationalPoly | None:
    """Return the root of a polynomial that is a power; None for any other."""
    if p.is_zero():
        return p
    weight, parts = p.factor()
    value = Fraction(int(weight.p), int(weight.q))
    tops = [round(abs(x) ** (1 / degree)) for x in (value.numerator, value.denominator)]
    if value < 0 or tops[0] ** degree != value.numerator or tops[1] ** degree != value.denominator:
        return None
    found: RationalPoly = p.context().constant(tops[0]) / tops[1]
    for factor, times in parts:
        side = _side(factor)
        if int(times) % degree or side is None:
            return None
        found *= (factor * side) ** (int(times) // degree)
    return found


def _side(factor: RationalPoly) -> int | None:
    """Return the sign of a polynomial wherever all letters are positive and shares are below 1; None if not known."""
    signs = {int(w.p) > 0 for w in factor.coeffs()}
    if len(signs) == 1:
        return 1 if signs.pop() else -1
    names = factor.context().names()
    for name, letter in zip(names, factor.context().gens(), strict=True):
        if name in SHARES and factor in (letter - 1, 1 - letter):
            return -1 if factor == letter - 1 else 1
    return None


def positive_weights(x: Rational) -> bool:
    """Return whether all coefficients above and below the line have one sign, so that the quotient is positive."""
    signs = {int(w.p) > 0 for p in (x.num, x.den) for w in p.coeffs()}
    above, below = ({int(w.p) > 0 for w in p.coeffs()} for p in (x.num, x.den))
    return bool(signs) and len(above) == 1 and above == below


def positive_on(x: Rational, triangle: Triangle, *, strict: bool) -> bool:
    """Return whether a quotient of polynomials is shown to be positive (or not negative) inside a triangle.

    The quotient has the sign of p = num·den. A point inside the triangle is x·P + y·Q + z·R with corners P, Q, R and
    positive weights x + y + z = 1. Multiplying terms of lower degree by powers of x + y + z makes p a homogeneous
    polynomial in the weights. If no coefficient is negative and one is positive, p > 0 inside. Otherwise the triangle
    is cut in two at the middle of its longest side, and both halves are tried, up to seven cuts deep. The interior
    consists of the interiors of the halves and of the cut between them: if p ≥ 0 is wanted, the cut follows by
    continuity; if p > 0 is wanted, it is shown on the cut by the same method, with two corners.

    False means only that this method shows nothing.
    """
    p = x.num * x.den
    return not strict if p.is_zero() else _cut(p, triangle, strict, _DEPTH)


def _cut(p: RationalPoly, corners: tuple[Point, ...], strict: bool, depth: int) -> bool:
    """Return whether p is shown to be positive (not negative) inside a triangle or segment: see `positive_on`."""
    weights = list(_in_corners(p, corners))
    if all(w >= 0 for w in weights) and any(w > 0 for w in weights):
        return True
    if depth == 0 or (all(w <= 0 for w in weights)):
        return False
    i, j = _longest(corners)
    middle = ((corners[i][0] + corners[j][0]) / 2, (corners[i][1] + corners[j][1]) / 2)
    for k in (i, j):
        part = tuple(middle if n == k else x for n, x in enumerate(corners))
        if not _cut(p, part, strict, depth - 1):
            return False
    if not strict:
        return True
    edge = [middle, *(x for k, x in enumerate(corners) if k not in (i, j))]
    if len(edge) == 1:
        return _value(p, edge[0]) > 0
    return _cut(p, tuple(edge), strict, depth - 1)


def _longest(corners: tuple[Point, ...]) -> tuple[int, int]:
    pairs = [(i, j) for j in range(len(corners)) for i in range(j)]
    return max(pairs, key=lambda ij: sum((a - b) ** 2 for a, b in zip(corners[ij[0]], corners[ij[1]], strict=True)))


def _value(p: RationalPoly, point: Point) -> Fraction:
    return next(_in_corners(p, (point,)), Fraction(0))


def _in_corners(p: RationalPoly, corners: tuple[Point, ...]) -> Iterator[Fraction]:
    """Yield the coefficients of a polynomial in (a, b), written as a homogeneous one in the weights of the corners."""
    ring = context(*"xyz"[: len(corners)])
    letters = ring.gens()
    a, b = (
        sum((x * flint_rational(c[k]) for x, c in zip(letters, corners, strict=True)), ring.constant(0)) for k in (0, 1)
    )
    one = sum(letters, ring.constant(0))
    degree = int(p.total_degree())
    powers = [_powers(x, degree) for x in (a, b, one)]
    total = ring.constant(0)
    for (i, j), weight in p.to_dict().items():
        total += powers[0][i] * powers[1][j] * powers[2][degree - int(i) - int(j)] * weight
    for weight in total.coeffs():
        yield Fraction(int(weight.p), int(weight.q))


def _powers(x: RationalPoly, degree: int) -> list[RationalPoly]:
    found = [x**0]
    for _ in range(degree):
        found.append(found[-1] * x)
    return found


def flint_rational(x: Fraction) -> flint.fmpq:
    """Return a fraction as a rational number of FLINT."""
    from goodmeasure.packages import flint

    fmpq = flint.fmpq

    return fmpq(x.numerator, x.denominator)
