"""Polynomials with integer coefficients, in plain Python.

A monomial is one integer: the exponent of variable k stands in the bits from k·BITS on, so that monomials are
multiplied by adding two integers. The total degree stays below 2^BITS, which `Polynomial` sees to before it multiplies,
so no exponent overflows into the next one. The order of these integers is an order of monomials that products respect.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from goodmeasure.theory.kernel.refusal import demand

BITS = 10
_FIELD = (1 << BITS) - 1
LARGEST_DEGREE = _FIELD
MOST_PRODUCTS = 20_000_000  # of terms in one multiplication
MOST_TERMS = 100_000  # of a product
MOST_DIGITS = 20_000  # bits of a coefficient


class Polynomial:
    """A polynomial: its terms by monomial, none of them 0."""

    __slots__ = ("_hash", "degree", "terms")

    def __init__(self, terms: dict[int, int], degree: int) -> None:
        self.terms, self.degree = terms, degree  # the degree is an upper bound of the total degree
        self._hash: int | None = None

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and self.terms == other.terms

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __len__(self) -> int:
        return len(self.terms)

    def __neg__(self) -> Polynomial:
        return self.times(-1)

    def __add__(self, other: Polynomial) -> Polynomial:
        return self.plus(other, 1)

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self.plus(other, -1)

    def plus(self, other: Polynomial, factor: int) -> Polynomial:
        """Return p + k·q."""
        found = dict(self.terms)
        for e, c in other.terms.items():
            new = found.get(e, 0) + factor * c
            if new:
                found[e] = new
            else:
                del found[e]
        return Polynomial(found, max(self.degree, other.degree))

    def times(self, k: int) -> Polynomial:
        """Return k·p for a whole number k."""
        return Polynomial({e: k * c for e, c in self.terms.items()} if k else {}, self.degree)

    def __mul__(self, other: Polynomial) -> Polynomial:
        p, q = (self, other) if len(self) <= len(other) else (other, self)
        degree = p.degree + q.degree
        demand(degree < LARGEST_DEGREE and len(p) * len(q) <= MOST_PRODUCTS, "a polynomial is too large")
        if p.terms == {0: 1}:
            return q
        found: dict[int, int] = {}
        known, terms = found.get, list(q.terms.items())  # this loop takes most of the time of a check
        for e, c in p.terms.items():
            for f, d in terms:
                g = e + f
                found[g] = known(g, 0) + c * d
        if len(p) > 1:
            found = {e: c for e, c in found.items() if c}
        demand(len(found) <= MOST_TERMS, "a polynomial is too large")
        demand(all(c.bit_length() < MOST_DIGITS for c in found.values()), "a coefficient is too large")
        return Polynomial(found, degree)

    def __pow__(self, exponent: int) -> Polynomial:
        demand(0 <= exponent <= LARGEST_DEGREE, "an exponent is too large")
        demand(self.degree * exponent < LARGEST_DEGREE, "a polynomial is too large")
        if len(self) == 1 and self.terms.get(0) != 1:
            ((e, c),) = self.terms.items()
            demand(c.bit_length() * exponent < MOST_DIGITS, "a coefficient is too large")
            return Polynomial({e * exponent: c**exponent}, self.degree * exponent)
        found = ONE
        for _ in range(exponent):
            found = found * self
        return found

    @property
    def number(self) -> int | None:
        """The value of a constant polynomial; None for any other."""
        return 0 if not self.terms else self.terms.get(0) if len(self.terms) == 1 else None

    def content(self) -> int:
        """Return the greatest common divisor of the coefficients."""
        return gcd(*self.terms.values())

    def over(self, k: int) -> Polynomial:
        """Return p/k, where k divides all coefficients."""
        return self if k == 1 else Polynomial({e: c // k for e, c in self.terms.items()}, self.degree)

    def common_monomial(self) -> int:
        """Return the greatest monomial that divides all terms."""
        first, *others = self.terms
        if not first or not others:
            return first
        found = dict(exponents(first))
        for e in others:
            found = {k: min(x, e >> k * BITS & _FIELD) for k, x in found.items()}
            found = {k: x for k, x in found.items() if x}
            if not found:
                return 0
        return sum(x << k * BITS for k, x in found.items())

    def over_monomial(self, e: int) -> Polynomial:
        """Return p divided by a monomial that divides all terms."""
        return self if not e else Polynomial({f - e: c for f, c in self.terms.items()}, self.degree)

    def variables(self) -> set[int]:
        """Return the variables that occur."""
        found = 0
        for e in self.terms:
            found |= e
        return {k for k, _ in exponents(found)}

    def by_degree(self, k: int) -> dict[int, Polynomial]:
        """Return the coefficients of the powers of a variable, as polynomials in the others."""
        found: dict[int, dict[int, int]] = {}
        for e, c in self.terms.items():
            x = e >> k * BITS & _FIELD
            found.setdefault(x, {})[e - (x << k * BITS)] = c
        return {x: Polynomial(terms, self.degree) for x, terms in found.items()}

    def derivative(self, k: int) -> Polynomial:
        """Return the derivative by a variable."""
        one = 1 << k * BITS
        found = {}
        for e, c in self.terms.items():
            x = e >> k * BITS & _FIELD
            if x:
                found[e - one] = c * x
        return Polynomial(found, self.degree)

    def shifted(self, ks: set[int]) -> Polynomial:
        """Return p with 1 + x in the place of some variables x."""
        found = self
        for k in sorted(ks & self.variables()):
            step, total = variable(k) + ONE, Polynomial({}, 0)
            for x, p in found.by_degree(k).items():
                total = total + p * step**x
            found = total
        return found


def exponents(e: int) -> Iterator[tuple[int, int]]:
    """Yield the variables of a monomial with their exponents."""
    k = 0
    while e:
        if e & _FIELD:
            yield k, e & _FIELD
        e >>= BITS
        k += 1


def constant(k: int) -> Polynomial:
    """Return a whole number as a polynomial."""
    demand(k.bit_length() < MOST_DIGITS, "a number is too large")
    return Polynomial({0: k} if k else {}, 0)


def variable(k: int) -> Polynomial:
    """Return a variable as a polynomial."""
    return Polynomial({1 << k * BITS: 1}, 1)


ONE = constant(1)
