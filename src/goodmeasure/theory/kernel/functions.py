"""Logarithms, angles, exponentials, π and open extremes as atoms, with all that is assumed about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial, reduce
from operator import or_

from goodmeasure.theory.kernel import signs
from goodmeasure.theory.kernel.polynomials import Polynomial, constant
from goodmeasure.theory.kernel.refusal import Unsettled, demand
from goodmeasure.theory.kernel.signs import NEGATIVE, NOT_NEGATIVE, POSITIVE, UNKNOWN
from goodmeasure.theory.kernel.values import Atom, Ring, Value, primes, total


class Logarithm(Atom):
    """The logarithm of a positive polynomial, with the sign of f − 1."""

    slow = True  # on a straight line, where x is t, the polynomial is about t^k: t·log t tends to 0

    def __init__(self, ring: Ring, of: Polynomial) -> None:
        super().__init__(ring, (ring.of(of),))
        self.of = of

    @property
    def sign(self) -> int:
        number = self.of.number
        if number is not None:
            return signs.of_number(number - 1)
        found = self.ring.signs_of(self.of - constant(1))
        return found if signs.single(found) is not None else UNKNOWN

    def text(self) -> str:
        return f"log({self.ring.text(self.of)})"

    def derivative(self, slope: Callable[[Value], Value]) -> Value:
        return slope(self.parts[0]) / self.parts[0]

    def at(self, moved: Callable[[Value], Value]) -> Value:
        return log(moved(self.parts[0]))


class Angle(Atom):
    """The arc cosine of a value between −1 and 1, from 0 to π."""

    @property
    def sign(self) -> int:
        return NOT_NEGATIVE

    def text(self) -> str:
        return f"acos({self.parts[0].text()})"

    def derivative(self, slope: Callable[[Value], Value]) -> Value:
        (x,) = self.parts
        step = slope(x)
        if step.is_zero():
            return step
        return -step / (self.ring.number(1) - x * x).power(Fraction(1, 2))

    def at(self, moved: Callable[[Value], Value]) -> Value:
        return arccos(moved(self.parts[0]))


class Exponential(Atom):
    @property
    def sign(self) -> int:
        return POSITIVE

    def text(self) -> str:
        return f"exp({self.parts[0].text()})"

    def derivative(self, slope: Callable[[Value], Value]) -> Value:
        return slope(self.parts[0]) * self.value

    def at(self, moved: Callable[[Value], Value]) -> Value:
        return exp(moved(self.parts[0]))


class Extreme(Atom):
    """The greatest or the least of some values, where it is open which one: at each point it is one of them."""

    def __init__(self, ring: Ring, parts: tuple[Value, ...], name: str) -> None:
        super().__init__(ring, parts)
        self.name = name

    @property
    def sign(self) -> int:
        return reduce(or_, [x.signs() for x in self.parts])

    def text(self) -> str:
        return f"{self.name}({', '.join(x.text() for x in self.parts)})"


class Constant(Atom):
    """A positive number with a name."""

    def __init__(self, ring: Ring, name: str) -> None:
        super().__init__(ring, ())
        self.name = name

    @property
    def sign(self) -> int:
        return POSITIVE

    def text(self) -> str:
        return self.name

    def derivative(self, slope: Callable[[Value], Value]) -> Value:
        return self.ring.number(0)

    def at(self, moved: Callable[[Value], Value]) -> Value:
        to, name = moved(self.ring.number(1)).ring, self.name
        return to.made(name, lambda: Constant(to, name)).value


def pi(ring: Ring) -> Value:
    """Return the number π."""
    return ring.made("pi", lambda: Constant(ring, "pi")).value


def log(x: Value) -> Value:
    """Return the logarithm of a positive value: Σ e·log f + log k for k·∏ f^e, with all f and k positive."""
    ring, sign, terms = x.ring, 1 if x.coefficient > 0 else -1, []
    for f, e in x.powers.items():
        known = ring.signs(f)
        if known == NEGATIVE and e.denominator == 1:
            f, sign = -f, -sign if e % 2 else sign
        elif known != POSITIVE:
            raise Unsettled(f)
        terms.append(ring.made(("log", f), partial(Logarithm, ring, f)).value.times(e))
    demand(sign > 0, "the logarithm of a value that is not positive")
    for number, side in ((abs(x.coefficient.numerator), 1), (x.coefficient.denominator, -1)):
        for p, e in primes(number):
            prime = constant(p)
            terms.append(ring.made(("log", prime), partial(Logarithm, ring, prime)).value.times(side * e))
    return total(ring, terms)


def arccos(x: Value) -> Value:
    """Return the arc cosine of a value that is shown to lie between −1 and 1; arccos(−x) is π − arccos x."""
    ring = x.ring
    one = ring.number(1)
    known = {0: Fraction(1, 2), 1: Fraction(0), Fraction(1, 2): Fraction(1, 3)}
    if x.coefficient < 0:
        return pi(ring) - arccos(-x)
    number = x.number()
    if number in known:
        return pi(ring).times(known[number])
    (one - x).must_be(NOT_NEGATIVE)
    (one + x).must_be(NOT_NEGATIVE)
    return ring.made(("arccos", x.key), lambda: Angle(ring, (x,))).value


def extreme(values: Sequence[Value], name: str) -> Value:
    """Return the max or min of some values: one of them where it is known which, and otherwise an atom.

    Left out is what another value that stays is known to reach or exceed (for min, to reach or fall below).
    """
    left, turn = list[Value](), 1 if name == "max" else -1
    for x in values:
        gaps = [(x - y).times(turn).signs() for y in left]
        if all(gap & POSITIVE for gap in gaps):
            left = [*(y for y, gap in zip(left, gaps, strict=True) if gap & NEGATIVE), x]
    if len(left) == 1:
        return left[0]
    parts, ring = tuple(sorted(left, key=Value.text)), left[0].ring
    return ring.made((name, *(x.key for x in parts)), lambda: Extreme(ring, parts, name)).value


def exp(x: Value) -> Value:
    """Return the exponential of a value."""
    ring = x.ring
    if not x.coefficient:
        return ring.number(1)
    return ring.made(("exp", x.key), lambda: Exponential(ring, (x,))).value
