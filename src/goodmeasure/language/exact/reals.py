"""Exact real numbers: quotients of sums of rationals, roots, logarithms, arc cosines and exponentials.

A number is kept as a quotient of two sums of monomials (see `monomials`), or as an integer or a `Fraction` if it is
known to be rational. Arithmetic is exact; comparisons subtract and ask for the sign. Most values are sums and products
of counts, so integers stay integers until something is divided: they take a fraction of the time that fractions take.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.language.exact.factors import FACTOR_BITS, factors, small_factors, square_free, without_powers
from goodmeasure.language.exact.monomials import (
    MOST_BITS,
    ONE,
    PI,
    AtomicFactor,
    MonomialSum,
    add,
    as_sum,
    ball_of,
    certainly_not_zero,
    quotient,
    same,
    sign_of,
    text_of,
    times,
)
from goodmeasure.language.policy import Undecided
from goodmeasure.language.view import exponent_of, shortest
from goodmeasure.packages import flint


class Real(Protocol):
    """The common base of exact numbers and exact numbers with slopes; arithmetic that mixes both may return either."""

    def __add__(self, other: object, /) -> Real: ...

    def __radd__(self, other: object, /) -> Real: ...

    def __sub__(self, other: object, /) -> Real: ...

    def __rsub__(self, other: object, /) -> Real: ...

    def __mul__(self, other: object, /) -> Real: ...

    def __rmul__(self, other: object, /) -> Real: ...

    def __truediv__(self, other: object, /) -> Real: ...

    def __rtruediv__(self, other: object, /) -> Real: ...

    def __pow__(self, exponent: object, /) -> Real: ...

    def __neg__(self) -> Real: ...

    def __abs__(self) -> Real: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __ne__(self, other: object, /) -> bool: ...

    def __lt__(self, other: object, /) -> bool: ...

    def __le__(self, other: object, /) -> bool: ...

    def __gt__(self, other: object, /) -> bool: ...

    def __ge__(self, other: object, /) -> bool: ...

    def sign(self) -> int: ...


class Exact:
    """A real number that is known exactly: it prints as a formula, compares exactly and converts with ``float()``."""

    __slots__ = ("_den", "_rational", "_sum")

    def __init__(
        self, num: MonomialSum | None = None, den: MonomialSum | None = None, rational: int | Fraction | None = None
    ) -> None:
        if rational is None and den is None and num is not None:
            if not isinstance(num, dict):
                raise InputTypeError(
                    "{num} is {got!r}", got=num, expected="a sum of monomials",
                    advice="Exact.of(x) makes an exact number of a number",
                )  # fmt: skip
            if not num or (len(num) == 1 and ONE in num):
                rational = num.get(ONE, Fraction(0))
        self._rational = rational
        self._sum: MonomialSum | None = num
        self._den = den

    @property
    def _num(self) -> MonomialSum:
        """The numerator as a sum of monomials; that of a rational number is formed when it is asked for."""
        if self._sum is None:
            self._sum = {ONE: Fraction(self._rational)} if self._rational else {}
        return self._sum

    def _stored(self) -> str:
        """Return what a document holds: the text that the number prints as."""
        return str(self)

    @classmethod
    def _restored(cls, text: str) -> Exact:
        """Return the number that a document holds."""
        from goodmeasure.language.exact.number_parsing import read_exact

        return read_exact(text)

    @staticmethod
    def of(x: object) -> Exact:
        """Return an exact number from an integer, a fraction, an exact number, or a float as its shortest decimal."""
        if isinstance(x, Exact):
            return x
        if isinstance(x, int):
            return _rational(int(x))
        if isinstance(x, float) and not math.isfinite(x):
            raise InputError("{got} is not a real number", argument="x", got=x, expected="a finite number")
        try:
            return _rational(shortest(x))
        except (TypeError, ValueError):
            kind = InputError if isinstance(x, str) else InputTypeError
            raise kind(
                "{got!r} is not a number", argument="x", got=x, expected="an integer, a fraction or a float"
            ) from None

    # What it is

    @property
    def is_rational(self) -> bool:
        """Whether this number is known to be a fraction of integers."""
        return self._rational is not None

    @property
    def terms(self) -> int:
        """The number of terms in the numerator and the denominator."""
        return len(self._num) + len(self._den or ())

    def as_fraction(self) -> Fraction:
        """Return this number as a ``Fraction``; raise ValueError if it is irrational."""
        if self._rational is None:
            raise ValueError(f"{self} is not rational")
        return Fraction(self._rational)

    # Arithmetic

    def __add__(self, other: object) -> Exact:
        y = other if type(other) is Exact else _operand(other)
        if y is None or y is UNDEFINED:
            return NotImplemented if y is None else UNDEFINED
        if self._rational is not None and y._rational is not None:
            return _rational(self._rational + y._rational)
        if same(self._den, y._den):
            return _exact(add(self._num, y._num), self._den)
        mine, theirs = self._den or {ONE: Fraction(1)}, y._den or {ONE: Fraction(1)}
        return _exact(add(times(self._num, theirs), times(y._num, mine)), times(mine, theirs))

    __radd__ = __add__

    def __neg__(self) -> Exact:
        if self._rational is not None:
            return _rational(-self._rational)
        return Exact({k: -v for k, v in self._num.items()}, self._den)

    def __sub__(self, other: object) -> Exact:
        y = _operand(other)
        return NotImplemented if y is None else self + (-y)

    def __rsub__(self, other: object) -> Exact:
        return -self + other

    def __mul__(self, other: object) -> Exact:
        y = other if type(other) is Exact else _operand(other)
        if y is None or y is UNDEFINED:
            return NotImplemented if y is None else UNDEFINED
        if self._rational is not None and y._rational is not None:
            return _rational(self._rational * y._rational)
        den = times(self._den, y._den) if self._den and y._den else self._den or y._den
        return _exact(times(self._num, y._num), den)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Exact:
        y = other if type(other) is Exact else _operand(other)
        if y is None or y is UNDEFINED:
            return NotImplemented if y is None else UNDEFINED
        if y.sign() == 0:
            raise ZeroDivisionError(f"{self} / 0")
        if self._rational is not None and y._rational is not None:
            return _rational(Fraction(self._rational, y._rational))
        num = times(self._num, y._den) if y._den else self._num
        den = times(y._num, self._den) if self._den else y._num
        return _exact(num, den)

    def __rtruediv__(self, other: object) -> Exact:
        x = _operand(other)
        return NotImplemented if x is None else x / self

    def __pow__(self, exponent: object) -> Exact:
        if isinstance(exponent, float) and exponent.is_integer():
            exponent = int(exponent)
        if not isinstance(exponent, int):
            return power(self, exponent_of(exponent))
        if self._rational is not None:
            q = self._rational
            if abs(exponent) * (max(q.numerator.bit_length(), q.denominator.bit_length()) - 1) > _MOST_DIGITS:
                raise Undecided("{x}^{r} is too large to be written down exactly", x=q, r=exponent)
            return _rational((q if exponent >= 0 else Fraction(q)) ** exponent)
        if exponent < 0:
            return Exact.of(1) / self**-exponent
        if exponent > _MOST_TERMS and self.terms > 1:
            raise Undecided("a sum to the power {r} is too long to be written down exactly", r=exponent)
        return _whole_power(self, exponent)

    def __abs__(self) -> Exact:
        return -self if self.sign() < 0 else self

    # Order

    def sign(self) -> int:
        """Return −1, 0 or 1; raise `Undecided` if the number may be zero and no theorem tells."""
        if self._rational is not None:
            number = self._rational.numerator
            return (number > 0) - (number < 0)
        if not self._num:
            return 0
        certain = certainly_not_zero(self._num)
        top = sign_of(self._num, certain)
        # A denominator is never zero, since division asks for the sign of the divisor first. So this search ends.
        return top if self._den is None else top * sign_of(self._den, True)

    def _compared(self, other: object) -> int | None:
        """Return the sign of the difference to another number; None for NaN, which compares as False."""
        difference = self - other
        return None if difference is UNDEFINED else difference.sign()

    def __eq__(self, other: object) -> bool:
        value = _operand(other)
        return NotImplemented if value is None else self._compared(value) == 0

    def __lt__(self, other: object) -> bool:
        return self._compared(other) == -1

    def __le__(self, other: object) -> bool:
        return self._compared(other) in (-1, 0)

    def __gt__(self, other: object) -> bool:
        return self._compared(other) == 1

    def __ge__(self, other: object) -> bool:
        return self._compared(other) in (0, 1)

    def __hash__(self) -> int:
        if self._rational is not None:
            return hash(self._rational)
        if (
            self._den is None
            and certainly_not_zero(self._num)
            and all(k[0].bit_length() <= FACTOR_BITS for k in self._num)
        ):
            return hash(frozenset(self._num.items()))
        return hash("goodmeasure.Exact")  # equal values may be written differently, so they must share one hash

    def __bool__(self) -> bool:
        return self.sign() != 0

    # Numbers and text

    def ball(self, bits: int = 128) -> flint.arb:
        """Return a ball (python-flint ``arb``) that contains this number, computed with that many bits."""
        before, flint.ctx.prec = flint.ctx.prec, bits
        try:
            top = ball_of(self._num, bits)
            return top if self._den is None else top / ball_of(self._den, bits)
        finally:
            flint.ctx.prec = before

    def __float__(self) -> float:
        if self._rational is not None:
            return self._rational.numerator / self._rational.denominator
        bits = 128
        while bits <= MOST_BITS:
            ball = self.ball(bits)
            if ball.rel_accuracy_bits() >= 64:
                return float(ball.mid())
            bits *= 2
        return float(self.ball(MOST_BITS).mid())

    def __format__(self, spec: str) -> str:
        """Return the formula, or the rounded value if the format asks for digits."""
        return format(float(self), spec) if spec else str(self)

    def __str__(self) -> str:
        top = text_of(self._num)
        if self._den is None:
            return top
        if len(self._num) > 1 or "/" in top:
            top = f"({top})"
        return f"{top}/({text_of(self._den)})"

    __repr__ = __str__


class NoValue(Exact):
    """The exact value of something undefined: it spreads through arithmetic and compares as False, like NaN."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(rational=Fraction(0))

    def __reduce__(self) -> str:
        return "UNDEFINED"  # a copy would not be the one that everybody compares with

    def _itself(self, other: object = None) -> NoValue:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = _itself
    __neg__ = __abs__ = _itself

    def _never(self, other: object = None) -> bool:
        return False

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = _never

    def __ne__(self, other: object) -> bool:
        return True

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        return True

    def sign(self) -> int:
        raise ValueError("an undefined value has no sign")

    @property
    def is_rational(self) -> bool:
        return False

    def __float__(self) -> float:
        return math.nan

    def __str__(self) -> str:
        return "undefined"

    __repr__ = __str__


UNDEFINED = NoValue()


def _exact(num: MonomialSum, den: MonomialSum | None) -> Exact:
    """Return a quotient of sums as a number, simplified."""
    return Exact(*quotient(num, den))


def _rational(number: int | Fraction) -> Exact:
    """Return a rational number; this is what most arithmetic ends in, so it does without the constructor."""
    found = Exact.__new__(Exact)
    found._rational, found._sum, found._den = number, None, None
    return found


def _operand(x: object) -> Exact | None:
    """Return the other operand of an operator as an exact number, or None where it is no number."""
    if isinstance(x, Exact):
        return x
    if isinstance(x, int):
        return _rational(int(x))
    if isinstance(x, float):
        return UNDEFINED if math.isnan(x) else _rational(shortest(x))
    try:
        return _rational(shortest(x))
    except (TypeError, ValueError):
        return None


# Functions


def sqrt(x: object) -> Exact:
    """Return the square root of a non-negative number."""
    return power(x, Fraction(1, 2))


_MOST_DIGITS = 5_000_000  # binary ones, of a power
_LONG = 10_000  # binary digits of a power of a prime that is written down among others
_MOST_TERMS = 1000  # of a power of a sum
_FINE = 60  # denominators of exponents beyond it are those of floats: then each prime has its own root


def _whole_power(x: Exact, exponent: int) -> Exact:
    """Return a positive whole power, by squaring."""
    result = Exact.of(1)
    for digit in bin(exponent)[2:]:
        result = result * result * x if digit == "1" else result * result
    return result


def power(x: object, r: Fraction | int) -> Exact:
    """Return x to a rational power; x must be positive, or zero with r > 0, or r must be an integer."""
    x = Exact.of(x)
    if x is UNDEFINED:
        return x
    if r.denominator == 1 and (abs(r.numerator) <= _MOST_TERMS or x.sign() <= 0):
        return x ** int(r)
    if x == 0:
        return Exact.of(0)
    if r < 0:
        return Exact.of(1) / power(x, -r)
    if max(r.denominator, r.numerator) > _FINE:
        return _fine_power(x, Fraction(r))
    whole, rest = divmod(r.numerator, r.denominator)
    return x**whole * _root(x, r.denominator) ** rest


def _fine_power(x: Exact, r: Fraction) -> Exact:
    """Return a power of a positive number where roots of whole numbers, such as p·q^(k−1) below, would be too large.

    If the number is a product of powers of primes, so is its power. Otherwise it is exp(r·log x).
    """
    powers = _powers_of_primes(x)
    if powers is None:
        return exp(r * log(x))
    found = Exact.of(1)
    for prime, e in powers.items():
        whole, rest = divmod(e * r, 1)
        large = abs(whole) * prime.bit_length() > _LONG
        found = found * (exp(whole * log(prime)) if large else Exact.of(prime) ** int(whole))
        if rest.denominator <= _FINE:
            found = found * power(Exact.of(prime), rest)
        else:
            atom: AtomicFactor = ("root", rest.denominator, Exact.of(prime))
            found = found * Exact({(1, ((atom, rest.numerator),)): Fraction(1)})
    return found


def _powers_of_primes(x: Exact) -> dict[int, Fraction] | None:
    """Return the exponents of the primes (or of what is left of large numbers) in a product of roots; None of a sum."""
    if x._den is not None or len(x._num) != 1:
        return None
    (((radicand, atoms), coefficient),) = x._num.items()
    parts = [(coefficient.numerator, Fraction(1)), (coefficient.denominator, Fraction(-1)), (radicand, Fraction(1, 2))]
    for atom, e in atoms:
        if atom[0] != "root" or not isinstance(atom[2]._rational, int):
            return None
        parts.append((atom[2]._rational, Fraction(e, atom[1])))
    found: dict[int, Fraction] = {}
    for number, power_of_it in parts:
        primes, rest = (factors(number), 1) if number.bit_length() <= FACTOR_BITS else small_factors(number)
        for prime, k in (*primes, *([(rest, 1)] if rest > 1 else [])):
            found[prime] = found.get(prime, Fraction(0)) + k * power_of_it
    return {prime: e for prime, e in found.items() if e}


def _root(x: Exact, degree: int) -> Exact:
    """Return the root of a positive number, with whole powers taken out if it is rational."""
    q = x._rational
    if q is None:
        return Exact(as_sum(("root", degree, x)))
    # Put one integer under the root: (p/q)^(1/k) = (p·q^(k−1))^(1/k) / q.
    radicand = q.numerator * q.denominator ** (degree - 1)
    if degree == 2:
        outside, inside = square_free(radicand)
        return Exact({(inside, ()): Fraction(outside, q.denominator)})
    outside, inside = without_powers(radicand, degree)
    if inside == 1:
        return Exact(rational=Fraction(outside, q.denominator))
    return Exact({(1, ((("root", degree, Exact.of(inside)), 1),)): Fraction(outside, q.denominator)})


def log(x: object) -> Exact:
    """Return the natural logarithm of a positive number; that of a rational is a sum of logarithms of primes."""
    x = Exact.of(x)
    if x is UNDEFINED:
        return x
    if x._rational is None:
        return Exact(as_sum(("log", x)))
    total: MonomialSum = {}
    for number, sign in ((x._rational.numerator, 1), (x._rational.denominator, -1)):
        found, rest = (factors(number), 1) if number.bit_length() <= FACTOR_BITS else small_factors(number)
        for prime, exponent in found:
            total = add(total, {(1, ((("log", prime), 1),)): Fraction(sign * exponent)})
        if rest > 1:  # too large to factor: kept as one atom, whose size is known but not its factors
            total = add(total, {(1, ((("log", Exact.of(rest)), 1),)): Fraction(sign)})
    return Exact(total)


def exp(x: object) -> Exact:
    """Return the exponential of a number."""
    x = Exact.of(x)
    if x is UNDEFINED:
        return x
    return Exact.of(1) if x == 0 else Exact(as_sum(("exp", x)))


def pi() -> Exact:
    """Return the number π."""
    return Exact(as_sum(PI))


def arccos(x: object) -> Exact:
    """Return the arc cosine of a number between −1 and 1, as a multiple of π where the angle is well known."""
    x = Exact.of(x)
    if x is UNDEFINED:
        return x
    if x.sign() < 0:
        return pi() - arccos(-x)
    for cosine, share in _known_angles():
        if _surely_equal(x, cosine):
            return share * pi()
    return Exact(as_sum(("acos", x)))


@lru_cache(None)
def _known_angles() -> tuple[tuple[Exact, Exact], ...]:
    """Return the cosines of 0, 90, 60, 45 and 30 degrees, each with the angle as a multiple of π."""
    half = Fraction(1, 2)
    return (
        (Exact.of(1), Exact.of(0)),
        (Exact.of(0), Exact.of(half)),
        (Exact.of(half), Exact.of(Fraction(1, 3))),
        (sqrt(2) / 2, Exact.of(Fraction(1, 4))),
        (sqrt(3) / 2, Exact.of(Fraction(1, 6))),
    )


def _surely_equal(x: Exact, y: Exact) -> bool:
    """Return whether two numbers are equal, and False if that cannot be decided."""
    try:
        return x == y
    except Undecided:
        return False
