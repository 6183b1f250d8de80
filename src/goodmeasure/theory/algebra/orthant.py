"""Polynomials on an open orthant, where every variable is positive, and sums of them with roots and other atoms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import flint

from goodmeasure.language.exact.factors import square_free

Poly = Any  # flint.fmpz_mpoly, which comes without types
Key = tuple[str, ...]  # the square-free polynomial under the root, then the names of the other atoms, sorted
Sum = dict[Key, Poly]  # Σ polynomial · √root · atoms

RATIONAL: Key = ("1",)
_RATIONAL_ONLY = {RATIONAL}


MOST_PRODUCTS = 20_000_000  # of terms, in one product of polynomials: beyond it a proof would take minutes


class Outside(ArithmeticError):  # noqa: N818 - a signal to the prover: no verdict, and no fault of the user's
    """The definition says something that is not decided on a whole support pattern at once."""


class Unsettled(Outside):
    """The sign of this polynomial is not the same everywhere, or nothing shows that it is."""

    def __init__(self, polynomial: Poly) -> None:
        super().__init__(f"the sign of {str(polynomial)[:200]} is not settled")
        self.polynomial = polynomial


@dataclass(frozen=True)
class Atom:
    """Something that no polynomial says: a logarithm, an angle, a mean; ``about`` is what it is taken of."""

    kind: str
    about: tuple[Any, ...]
    positive: bool


class Orthant:
    """A ring of polynomials whose variables are positive, except those called free, of which nothing is known."""

    def __init__(self, names: tuple[str, ...], free: tuple[str, ...] = ()) -> None:
        self.names = names
        self.context = flint.fmpz_mpoly_ctx.get([*names, *free], flint.Ordering.degrevlex)
        self.variables = dict(zip((*names, *free), self.context.gens(), strict=True))
        self.free = tuple(range(len(names), len(names) + len(free)))
        self.one = self.constant(1)
        self.roots: dict[str, Poly] = {"1": self.one}
        self.atoms: dict[str, Atom] = {}
        self.letters_of_atoms: dict[str, frozenset[str]] = {}  # found once, since atoms hold other atoms

    def letters(self, p: Poly) -> frozenset[str]:
        """Return the names of the variables that a polynomial mentions."""
        return frozenset(name for name, degree in zip(self.variables, p.degrees(), strict=True) if degree > 0)

    def constant(self, number: int) -> Poly:
        return self.context.constant(number)

    # Signs

    def sign(self, p: Poly) -> int:
        """−1, 0 or 1, the same on the whole orthant; `Unsettled` where coefficients, or those of factors, differ."""
        known = self.sign_by_coefficients(p)
        if known is not None:
            return known
        content, factors = p.factor()
        sign = 1 if content > 0 else -1
        for factor, multiplicity in factors:
            known = self.sign_by_coefficients(factor)
            if known is None:
                raise Unsettled(factor)
            sign *= known**multiplicity
        return sign

    def sign_by_coefficients(self, p: Poly) -> int | None:
        """The sign that all coefficients share."""
        if p == 0:
            return 0
        if self.free and any(p.degrees()[k] for k in self.free):
            return None
        coefficients = p.coeffs()
        first = coefficients[0] > 0
        if any((x > 0) != first for x in coefficients):
            return None
        return 1 if first else -1

    # Sums of polynomials times atoms

    def root(self, p: Poly) -> tuple[Poly, str]:
        """√p of a positive p as a positive polynomial times the name of a square-free root."""
        content, factors = p.factor_squarefree()
        outside, inside = square_free(abs(int(content)))
        out, under = self.constant(outside), self.constant(inside if content > 0 else -inside)
        for factor, multiplicity in factors:
            half = factor ** (multiplicity // 2)
            out, under = out * (half if self.sign(half) > 0 else -half), under * factor ** (multiplicity % 2)
        name = str(under)
        self.roots.setdefault(name, under)
        return out, name

    def atom(self, kind: str, *about: Any, positive: bool) -> Key:
        """The key of an atom, by what it is and what it is of."""
        name = f"{kind}({'; '.join(map(str, about))})"
        self.atoms.setdefault(name, Atom(kind, about, positive))
        return ("1", name)

    def times_keys(self, x: Key, y: Key) -> tuple[Poly, Key]:
        """The product of two products of atoms."""
        atoms = tuple(sorted(x[1:] + y[1:]))
        if x[0] == "1" or y[0] == "1":
            return self.one, (y[0] if x[0] == "1" else x[0], *atoms)
        if x[0] == y[0]:
            return self.roots[x[0]], ("1", *atoms)
        left, right = self.roots[x[0]], self.roots[y[0]]
        common = left.gcd(right)
        product = (left // common) * (right // common)
        name = str(product)
        self.roots.setdefault(name, product)
        return common, (name, *atoms)

    def times(self, x: Sum, y: Sum) -> Sum:
        if sum(map(len, x.values())) * sum(map(len, y.values())) > MOST_PRODUCTS:
            raise Outside("the polynomials grow too large")
        if x.keys() == y.keys() == _RATIONAL_ONLY:
            return {RATIONAL: x[RATIONAL] * y[RATIONAL]}
        total: Sum = {}
        for key, p in x.items():
            for other, q in y.items():
                factor, product = self.times_keys(key, other)
                value = p * q * factor if product != RATIONAL or factor != 1 else p * q
                total[product] = total[product] + value if product in total else value
        return {key: p for key, p in total.items() if p != 0}

    def plus(self, x: Sum, y: Sum) -> Sum:
        total = dict(x)
        for key, q in y.items():
            total[key] = total[key] + q if key in total else q
        return {key: p for key, p in total.items() if p != 0}

    def scaled(self, x: Sum, p: Poly) -> Sum:
        return {key: q * p for key, q in x.items()} if p != 1 else x

    def sign_of_sum(self, x: Sum) -> int:
        """The sign of a sum: that of all its terms, or decided by squaring where two parts pull apart."""
        if not x:
            return 0
        parts: dict[int | None, Sum] = {}
        doubt: Unsettled | None = None
        for key, p in x.items():
            if not all(self.atoms[name].positive for name in key[1:]):
                raise Outside(f"the sign of {key[1:]} is not known")
            side: int | None
            try:
                side = self.sign(p)
            except Unsettled as error:
                side, doubt = None, error
            parts.setdefault(side, {})[key] = p
        if len(parts) == 1 and doubt is None:
            return int(next(iter(parts)) or 0)
        if len(parts) == 1 and doubt is not None:
            raise doubt
        if any(key[1:] for key in x) or len(x) > 3:
            raise Outside("a sum of several roots or atoms with different signs")
        if doubt is None:
            return self._greater(parts[1], parts[-1])
        known = {side: part for side, part in parts.items() if side is not None}
        if len(known) == 1:  # |known| > |unknown| decides, whatever the sign of the unknown part
            ((side, part),) = known.items()
            if self._greater(part, parts[None]) > 0:
                return side
        raise doubt

    def _greater(self, x: Sum, y: Sum) -> int:
        """The sign of x² − y²."""
        return self.sign_of_sum(self.plus(self.times(x, x), self.scaled(self.times(y, y), self.constant(-1))))
