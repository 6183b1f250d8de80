"""Means M(u, v) of two positive values as atoms, also where a root would express them.

These are the means with names of `language/means_of_two.py`, and the power mean M_r, for a rational number r
or for every real r of one sign. All that is assumed about them holds for each, for all u, v > 0:

1. M is positive, symmetric, and homogeneous: M(gu, gv) = g·M(u, v) for g > 0. So u and v are taken without what they
   have in common, in a fixed order, and equal means become equal atoms.
2. M is continuously differentiable with positive slopes M_u and M_v. By Euler's theorem u·M_u + v·M_v = M.
3. M(u, u) = u. So M lies strictly between u and v unless they are equal, as it strictly increases in both.

That module proves this for the means with names. For r ≠ 0, M_r = ((u^r + v^r)/2)^(1/r) has the slope
(u/M_r)^(r−1)/2 by u, and M_0 = √(uv) has v/(2·M_0). If v is 0, then M_r is 0 for r ≤ 0 by continuity, and for r > 0 it
is u times the share 2^(−1/r), which depends on r alone.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd

from goodmeasure.theory.kernel.functions import Constant
from goodmeasure.theory.kernel.polynomials import Polynomial
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.signs import POSITIVE
from goodmeasure.theory.kernel.values import Atom, Ring, Value

NAMES = ("logarithmic", "identric", "seiffert", "neuman_sandor", "heronian")
STOLARSKY = "stolarsky"  # with a whole number of at least 2
OPEN = ("r > 0", "r <= 0")  # power means for every real exponent of one sign


class Mean(Atom):
    """M(u, v) for two different positive values."""

    slow = True  # it lies between u and v

    def __init__(self, ring: Ring, name: str, u: Value, v: Value) -> None:
        super().__init__(ring, (u, v))
        self.name = name

    @property
    def sign(self) -> int:
        return POSITIVE

    def text(self) -> str:
        return f"mean({self.name}, {self.parts[0].text()}, {self.parts[1].text()})"

    def slopes(self) -> list[Value]:
        """Return the derivatives by u and by v."""
        demand(not any(x.atoms() for x in self.parts), "the slope of a mean of values with roots")
        return [self.ring.made(("slope", self.place, k), lambda k=k: Slope(self, k)).value for k in (0, 1)]  # type: ignore[misc]

    def derivative(self, slope: Callable[[Value], Value]) -> Value:
        one, two = self.slopes()
        return one * slope(self.parts[0]) + two * slope(self.parts[1])

    def at(self, moved: Callable[[Value], Value]) -> Value:
        return mean_of_two(moved(self.parts[0]), moved(self.parts[1]), self.name)


class Slope(Atom):
    """The derivative of M(u, v) by one of the two."""

    def __init__(self, of: Mean, which: int) -> None:
        super().__init__(of.ring, of.parts)
        self.of, self.which = of, which

    @property
    def sign(self) -> int:
        return POSITIVE

    def text(self) -> str:
        u, v = self.parts if self.which == 0 else self.parts[::-1]
        return f"slope({self.of.name}, {u.text()}, {v.text()})"

    def reduced(self, p: Polynomial) -> Polynomial:
        """Return a polynomial with u·M_u + v·M_v in the place of M."""
        parts = p.by_degree(self.of.place)
        if max(parts, default=0) == 0:
            return p
        ring = self.ring
        image = Polynomial({}, 0)
        for x, slope in zip(self.parts, self.of.slopes(), strict=True):
            term = x * slope
            image = image + ring.expanded(term.powers).times(int(term.coefficient))
        p = Polynomial({}, 0)
        for e, part in parts.items():
            p = p + part * image**e
        return p


def mean_of_two(u: Value, v: Value, name: str) -> Value:
    """Return M(u, v) for two values that are shown to be positive."""
    ring = u.ring
    for x in (u, v):
        x.must_be(POSITIVE)
    least = {f: min(u.powers.get(f, 0), v.powers.get(f, 0)) for f in {**u.powers, **v.powers}}
    one, two = u.coefficient, v.coefficient
    shared = gcd(one.numerator * two.denominator, two.numerator * one.denominator)
    common = Value(ring, Fraction(shared, one.denominator * two.denominator), {f: e for f, e in least.items() if e})
    common.must_be(POSITIVE)
    u, v = sorted((u / common, v / common), key=Value.text)
    if u.key == v.key:
        return common * u
    return common * ring.made(("mean", name, u.key, v.key), lambda: Mean(ring, name, u, v)).value


def slope_of_two(u: Value, v: Value, name: str) -> Value:
    """Return the derivative of M(u, v) by u, where u and v have nothing in common."""
    atom = u.ring.atom_of(mean_of_two(u, v, name))
    if not isinstance(atom, Mean):
        raise Refused("the slope of a mean that is no atom")
    return atom.slopes()[0 if u.key == atom.parts[0].key else 1]


def share(ring: Ring, name: str = "share") -> Value:
    """Return 2^(−1/r), the power mean of 1 and 0 for r > 0: a positive number, whose name says r unless r is open."""
    return ring.made(name, lambda: Constant(ring, name)).value


def known_mean(name: str) -> str:
    """Return the name of a mean, or the exponent of a power mean, that a text without blanks says."""
    for known in (*NAMES, *OPEN):
        if name == known.replace(" ", ""):
            return known
    p = name.removeprefix(STOLARSKY)
    if p != name and len(p) < 9 and p.isdecimal() and p.isascii() and int(p) > 1:
        return STOLARSKY + str(int(p))
    try:
        demand(len(name) < 60 and not name.strip("0123456789-/"), f"{name[:40]!r} is no mean")
        return str(Fraction(name))
    except (ValueError, ZeroDivisionError):
        raise Refused(f"{name!r} is no mean") from None
