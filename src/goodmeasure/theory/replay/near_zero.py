"""Values near the beginning of a ray: functions of one positive variable s that is as small as one likes.

**Leading terms.** A value is seen to behave like its leading term: x = s^a·(log s)^b·(C + o(1)) for s → 0, where the
number C is not 0. The leading term of a product, a quotient or a root is that of the parts; that of a sum is the
greatest of them near 0, which has the least a, and among these the greatest b; if several parts share it, their numbers
C are added, and a sum that may be 0 tells nothing. The logarithm of x with a ≠ 0 is a·log s·(1 + o(1)), and that of
1 + y with y → 0 is y·(1 + o(1)); an arc cosine of 1 − y is √(2y)·(1 + o(1)). A value whose leading term is known has a
known sign for all small s, so a definition is read on cells in s as on any other values (`kernel/meaning.py`): each
comparison has one answer on some interval (0, ε), and there the value is one formula.

With a < 0, or a = 0 and b > 0, x is unbounded; with a = b = 0 its limit is C, and otherwise 0. Numbers are balls.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Literal, TypeAlias

from goodmeasure.packages import flint
from goodmeasure.theory.kernel.functions import Angle, Constant, Exponential, Logarithm
from goodmeasure.theory.kernel.polynomials import Polynomial, constant, exponents
from goodmeasure.theory.kernel.refusal import Refused
from goodmeasure.theory.kernel.signs import NEGATIVE, POSITIVE, UNKNOWN, ZERO, single
from goodmeasure.theory.kernel.values import Atom, Ring, Root, Value

if TYPE_CHECKING:
    from flint import arb

Leading: TypeAlias = "tuple[Fraction, Fraction, arb]"  # a, b and the ball C of a leading term s^a·(log s)^b·C
Pole: TypeAlias = Literal["pole"]
POLE: Pole = "pole"  # in the place of a limit: the value is unbounded
BITS = 256


class NearZero(Ring):
    """The ring of one variable s that is positive and as small as one likes; signs are those for all small s."""

    def __init__(self) -> None:
        super().__init__(["s"])

    def by_coefficients(self, p: Polynomial) -> int:
        if not p:
            return ZERO
        found = self.of_polynomial(p)
        if found is None:
            return UNKNOWN
        _, b, c = found
        positive = (c > 0) == (b % 2 == 0) if b.denominator == 1 else None  # log s is negative
        return UNKNOWN if positive is None else POSITIVE if positive else NEGATIVE

    def single_sign(self, x: Value) -> int | None:
        """Return the sign of a value for all small s; None where it is not seen."""
        return single(x.signs())

    def leading(self, x: Value) -> Leading | None:
        """Return the leading term of a value; None where it is not seen."""
        a, b, c = Fraction(0), Fraction(0), ball_of(x.coefficient)
        if not x.coefficient:
            return None
        for f, e in x.powers.items():
            part = self.of_polynomial(f)
            if part is None:
                return None
            one = power(part, Fraction(e))
            if one is None:
                return None
            a, b, c = a + one[0], b + one[1], c * one[2]
        return a, b, c

    def of_polynomial(self, p: Polynomial) -> Leading | None:
        """Return the leading term of a polynomial in s and in atoms."""
        total: dict[tuple[Fraction, Fraction], arb] = {}
        for e, k in p.terms.items():
            a, b, c = Fraction(0), Fraction(0), flint.arb(k)
            for place, x in exponents(e):
                atom = self.atom(place)
                part = (Fraction(1), Fraction(0), flint.arb(1)) if atom is None else self.of_atom(atom)
                if part is None:
                    return None
                a, b, c = a + part[0] * x, b + part[1] * x, c * prod([part[2]] * x, start=flint.arb(1))
            total[a, b] = total.get((a, b), flint.arb(0)) + c
        a, b = min(total, key=lambda z: (z[0], -z[1]))
        return None if total[a, b].contains(0) else (a, b, total[a, b])

    def of_atom(self, atom: Atom) -> Leading | None:
        """Return the leading term of an atom."""
        if isinstance(atom, Root):
            inner = self.of_polynomial(atom.of)
            return None if inner is None else power(inner, Fraction(1, atom.degree))
        if isinstance(atom, Constant) and atom.name == "pi":
            return Fraction(0), Fraction(0), flint.arb.pi()
        if isinstance(atom, Logarithm):
            return self._of_logarithm(atom)
        limit = self.limit(atom.parts[0])
        if limit is None or limit == POLE:
            return None
        if isinstance(atom, Exponential):
            return Fraction(0), Fraction(0), limit.exp()
        if not isinstance(atom, Angle):
            return None
        if limit < 1 and limit > -1:
            return Fraction(0), Fraction(0), limit.acos()
        gap = self.leading((self.number(1) - atom.parts[0]).times(2))
        return None if gap is None or not gap[0] > 0 else power(gap, Fraction(1, 2))

    def _of_logarithm(self, atom: Logarithm) -> Leading | None:
        inner = self.of_polynomial(atom.of)
        if inner is None:
            return None
        a, b, c = inner
        if a:
            return Fraction(0), Fraction(1), ball_of(a)
        if b:
            return None
        found = c.log()
        if not found.contains(0):
            return Fraction(0), Fraction(0), found
        rest = atom.of - constant(1)
        return None if 0 in rest.terms or not rest else self.of_polynomial(rest)

    def limit(self, x: Value) -> arb | Pole | None:
        """Return a ball that holds the limit of a value, `POLE`, or None where neither is seen."""
        if not x.coefficient:
            return flint.arb(0)
        found = self.leading(x)
        if found is None:
            return None
        a, b, c = found
        if a == b == 0:
            return c
        return POLE if a < 0 or (a == 0 and b > 0) else flint.arb(0)


def power(x: Leading, e: Fraction) -> Leading | None:
    """Return a power of a leading term."""
    a, b, c = x
    if e.denominator == 1:
        whole = prod([c] * abs(int(e)), start=flint.arb(1))
        return a * e, b * e, whole if e >= 0 else 1 / whole
    if b or not c > 0:
        return None
    return a * e, b, c ** ball_of(e)


def ball_of(x: int | Fraction) -> arb:
    """Return a ball that holds a rational number."""
    q = Fraction(x)
    return flint.arb(flint.fmpq(q.numerator, q.denominator))


def number(x: Value) -> arb:
    """Return a ball that holds a value without variables."""
    ring = x.ring

    def of_polynomial(p: Polynomial) -> arb:
        total = flint.arb(0)
        for e, k in p.terms.items():
            term = flint.arb(k)
            for place, n in exponents(e):
                term = term * prod([of_atom(ring.atom(place))] * n, start=flint.arb(1))
            total = total + term
        return total

    def of_atom(atom: Atom | None) -> arb:
        if isinstance(atom, Root):
            return of_polynomial(atom.of).root(atom.degree)
        if isinstance(atom, Constant) and atom.name == "pi":
            return flint.arb.pi()
        if isinstance(atom, (Logarithm, Angle, Exponential)):
            inner = number(atom.parts[0])
            return (
                inner.log() if isinstance(atom, Logarithm) else inner.acos() if isinstance(atom, Angle) else inner.exp()
            )
        raise Refused("a value is no number")

    found = ball_of(x.coefficient)
    for f, e in x.powers.items():
        base = of_polynomial(f)
        whole = prod([base] * abs(int(e)), start=flint.arb(1))
        found = found * (base ** ball_of(e) if e.denominator != 1 else whole if e > 0 else 1 / whole)
    return found
