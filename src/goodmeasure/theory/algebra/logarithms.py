"""Logarithms of quotients of polynomials: written as sums over their factors, and bounded by tangents.

**Taken apart.** A positive quotient x of polynomials is a product of powers of prime numbers and of polynomials f that
are positive on the orthant, so log x = Σ e·log f. Written in this way, sums of logarithms that are equal as functions
become equal as data.

**Tangents.** The logarithm lies below each of its tangents, so log P ≤ P − 1 for all P > 0 and, with 1/P in place of P,
also log P ≥ 1 − 1/P. If P is the d-th power of Q, then log P = d·log Q gives the sharper log P ≥ d·(1 − 1/Q). If each
term of a sum of logarithms is replaced by such a lower bound, the result is a lower bound of the sum (`floors`). There
are two ways to choose the terms:

* *by monomials*: take all logarithms apart and collect, for each monomial μ in the variables, the factors whose
  logarithms it multiplies: the sum is Σ μ·log P_μ, with μ > 0. This is Gibbs' inequality, among others: with shares p
  and q, Σ p·log(p/q) ≥ Σ p·(1 − q/p) = Σp − Σq.
* *by logarithms*: v·log x as it stands, if the sign of v is known; from below if v > 0, and from above if v < 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from math import gcd

from goodmeasure.packages import flint
from goodmeasure.theory.algebra.orthant import RATIONAL, Orthant, Outside, Poly, SumOfProducts
from goodmeasure.theory.algebra.quantities import Quantity, constant, of_atom, of_polynomial

Exponents = dict[str, int]  # the exponents of a product of powers, by the text of the base

_MOST_POWER = 24  # the greatest exponent in a product of powers that is multiplied out
_MOST_MONOMIALS = 300


class Factors:
    """The factors into which the quotients on one orthant were taken apart, by their text."""

    def __init__(self, ring: Orthant) -> None:
        self.ring = ring
        self.known: dict[str, Poly] = {}

    def of(self, x: Quantity) -> Exponents | None:
        """Return a quotient as a product of powers of positive factors; None where it is not seen as one."""
        both = x.as_polynomials()
        if both is None or both[0].is_zero():
            return None
        found: Exponents = {}
        for p, side in zip(both, (1, -1), strict=True):
            content, factors = p.factor()
            numbers = [(self.ring.constant(int(q)), int(e)) for q, e in flint.fmpz(abs(int(content))).factor()]
            for factor, e in (*numbers, *((f, int(e)) for f, e in factors)):
                sign = self.ring.sign_by_coefficients(factor)
                if sign is None:
                    return None
                base = factor if sign > 0 else -factor
                self.known[str(base)] = base
                found[str(base)] = found.get(str(base), 0) + side * e
        return {name: e for name, e in found.items() if e}

    def product(self, powers: Exponents) -> Quantity | None:
        """Return a product of powers; None where it would be too long."""
        if sum(map(abs, powers.values())) > _MOST_POWER:
            return None
        found = constant(self.ring, 1)
        for name, e in powers.items():
            found = found * of_polynomial(self.ring, self.known[name]) ** e
        return found


def taken_apart(x: Quantity) -> Quantity:
    """Return the same value with each logarithm of a quotient of polynomials as a sum of those of its factors."""
    ring, parts = x.orthant, []
    if not any(ring.atoms[name].kind == "log" for key in x.num for name in key[1:]):
        return x
    factors = Factors(ring)
    for part in (x.num, x.den):
        total = constant(ring, 0)
        for key, p in part.items():
            term = Quantity(ring, {key[:1]: p}, {RATIONAL: ring.one})
            for name in key[1:]:
                term = term * _apart(ring, factors, name)
            total = total + term
        parts.append(total)
    top, below = parts
    same = set(below.num) == set(x.den) and below.den == {RATIONAL: ring.one}
    if not same:  # a logarithm in the denominator: its sign is known as it stands, but not after expanding it
        return x
    return top / Quantity(ring, x.den, {RATIONAL: ring.one})


def _apart(ring: Orthant, factors: Factors, name: str) -> Quantity:
    """Return an atom, or the sum of logarithms that it is."""
    atom = ring.atoms[name]
    powers = factors.of(atom.argument(0, Quantity)) if atom.kind == "log" else None
    if powers is None:
        return of_atom(ring, ("1", name))
    total = constant(ring, 0)
    for base, e in sorted(powers.items()):
        inner = of_polynomial(ring, factors.known[base])
        total = total + of_atom(ring, ring.atom("log", inner, positive=False)) * e
    return total


def floors(ring: Orthant, x: SumOfProducts) -> Iterator[Quantity]:
    """Yield values without logarithms that are nowhere greater than a sum with logarithms (see the top)."""
    terms = {name: p for key, p in x.items() for name in key[1:]}
    if not terms or any(key[0] != "1" or len(key) > 2 for key in x):
        return
    if any(ring.atoms[name].kind != "log" for name in terms):
        return
    factors = Factors(ring)
    powers = {name: factors.of(ring.atoms[name].argument(0, Quantity)) for name in terms}
    known = {name: found for name, found in powers.items() if found is not None}
    if len(known) < len(terms):
        return
    rest = Quantity(ring, {RATIONAL: x[RATIONAL]} if RATIONAL in x else {}, {RATIONAL: ring.one})
    for bounds in (_by_monomials(factors, terms, known), _by_logarithms(factors, terms, known)):
        found = list(bounds)
        whole = [y for y in found if y is not None]
        if len(whole) == len(found):
            yield reduce(lambda y, z: y + z, whole, rest)


def _by_monomials(factors: Factors, terms: dict[str, Poly], known: dict[str, Exponents]) -> Iterator[Quantity | None]:
    """Yield a bound from below for each monomial that multiplies logarithms."""
    ring, found = factors.ring, dict[tuple[int, ...], Exponents]()
    for name, p in terms.items():
        for monomial, c in zip(p.monoms(), p.coeffs(), strict=True):
            powers = found.setdefault(tuple(map(int, monomial)), {})
            for base, e in known[name].items():
                powers[base] = powers.get(base, 0) + int(c) * e
    if len(found) > _MOST_MONOMIALS or ring.free:
        yield None
        return
    for monomial, powers in found.items():
        whole = {base: e for base, e in powers.items() if e}
        if whole:
            bound = _tangent(factors, whole, below=True)
            yield None if bound is None else bound * of_polynomial(ring, ring.context.from_dict({monomial: 1}))


def _by_logarithms(factors: Factors, terms: dict[str, Poly], known: dict[str, Exponents]) -> Iterator[Quantity | None]:
    """Yield a bound from below for each logarithm with its coefficient."""
    for name, p in terms.items():
        side = _side(factors.ring, p)
        bound = _tangent(factors, known[name], below=side == 1) if side in (1, -1) else None
        yield None if bound is None else bound * of_polynomial(factors.ring, p)


def _tangent(factors: Factors, powers: Exponents, *, below: bool) -> Quantity | None:
    """Return a bound of the logarithm of a product of powers, from below or from above."""
    d = gcd(*powers.values())
    side = -1 if below else 1
    root = factors.product({base: side * e // d for base, e in powers.items()})
    return None if root is None else (root - 1) * side * d


def _side(ring: Orthant, p: Poly) -> int | None:
    """Return the sign of a polynomial; None where it is not settled."""
    try:
        return ring.sign(p)
    except Outside:
        return None
