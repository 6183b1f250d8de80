"""Derivatives of values along a direction, and values where some variables become others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache

from goodmeasure.theory.kernel.polynomials import Polynomial, exponents
from goodmeasure.theory.kernel.refusal import Refused
from goodmeasure.theory.kernel.values import Exponent, Ring, Root, Value, total


def derivative(x: Value, direction: Mapping[int, int]) -> Value:
    """Return the derivative of a value along a direction, which says how fast variables grow.

    (k·∏ f^e)′ = Σ e·f′·(k·∏ f^e)/f. For a factor with an exponent below 1 this divides by f, so f must not be 0.
    """
    ring = x.ring

    @cache
    def of_atom(k: int) -> Value:
        atom = ring.atom(k)
        assert atom is not None
        if isinstance(atom, Root):
            step = of_polynomial(atom.of)
            below = ring.of(atom.of).times(atom.degree)
            return step if step.is_zero() else step * atom.value / below
        return atom.derivative(lambda y: derivative(y, direction))

    def of_polynomial(f: Polynomial) -> Value:
        parts = []
        for k in sorted(f.variables()):
            if k < ring.size:
                if direction.get(k):
                    parts.append(ring.of(f.derivative(k)).times(direction[k]))
            else:
                step = of_atom(k)
                if not step.is_zero():
                    parts.append(ring.of(f.derivative(k)) * step)
        return total(ring, parts)

    parts = []
    for f, e in x.powers.items():
        step = of_polynomial(f)
        if not step.is_zero():
            rest = Value(ring, x.coefficient * e, _lowered(x, f))
            parts.append(rest * step)
    return total(ring, parts)


def _lowered(x: Value, f: Polynomial) -> dict[Polynomial, Exponent]:
    """Return the powers of a value divided by one of its factors, which must not be 0 if its exponent falls below 0."""
    e = x.powers[f] - 1
    if e < 0:
        (x.ring.of(f)).inverse()  # demands that it is not 0
    found = {**x.powers, f: e}
    if not e:
        del found[f]
    return found


def at(x: Value, place: Mapping[int, Value], ring: Ring | None = None) -> Value:
    """Return the value where other values stand in the place of some variables.

    A value is continuous wherever no divisor vanishes: polynomials are, roots are on [0, ∞), and each atom says where
    it is. So if the result is defined here, it is the limit as well, on a straight line. A product with a variable that
    becomes 0 becomes 0 if each of its atoms has a limit, or is slow (`Atom`).
    """
    to = ring or x.ring

    @cache
    def image(k: int) -> Value:
        if k in place:
            return place[k]
        atom = x.ring.atom(k)
        if atom is None:
            if to is not x.ring:
                raise Refused("a variable has no place in another ring")
            return x.ring.variable(k)
        if isinstance(atom, Root):
            return moved(atom.parts[0]).power(Fraction(1, atom.degree))
        return atom.at(moved)

    def must_vanish(factors: Sequence[int]) -> None:
        for k in factors:
            atom = x.ring.atom(k)
            if atom is not None and not (atom.slow and not any(y.atoms() for y in atom.parts)):
                image(k)  # demands a limit

    def of_polynomial(f: Polynomial) -> Value:
        if to is x.ring and not (place.keys() & f.variables()) and all(k < x.ring.size for k in f.variables()):
            return to.of(f)
        gone = {k for k, v in place.items() if not v.coefficient}
        terms = []
        for e, c in f.terms.items():
            factors = list(exponents(e))
            if any(k in gone for k, _ in factors):
                must_vanish([k for k, _ in factors if k not in gone])
                continue
            term = to.number(c)
            for k, n in factors:
                term = term * image(k) ** n
            terms.append(term)
        return total(to, terms)

    def moved(y: Value) -> Value:
        found = to.number(y.coefficient)
        for f, e in y.powers.items():
            found = found * of_polynomial(f).power(Fraction(e))
        return found

    return moved(x)
