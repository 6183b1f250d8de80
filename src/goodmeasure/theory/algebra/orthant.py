"""Polynomials in positive variables, and sums of them with square roots and other atoms.

**Definitions.** The open orthant of x₁, …, x_k is the set of points at which every x_i is a positive real number. A
`SumOfProducts` is Σ p·√q·A₁⋯A_r: the p are polynomials with integer coefficients, each radicand q is a square-free
polynomial that is positive on the orthant, and the A are *atoms*. An atom is a quantity that no polynomial expresses (a
logarithm, an angle, a power mean, a sum over all classes); it is known by its name alone, and by whether it is
positive. Two atoms with the same name are equal; nothing else is assumed about how atoms are related.

**Signs.** A proof needs to know that a polynomial has one sign on the whole orthant. Every monomial is positive there,
so a polynomial whose coefficients are all positive is positive. Where the coefficients differ in sign, `Orthant.sign`
factors the polynomial and multiplies the signs of the factors. The criterion is sufficient and not necessary:
x² − xy + y² is positive and is reported as `Unsettled`. This costs completeness and never soundness. The finer criteria
that need a certificate are in `prove/signs.py`.

A sum of terms of one sign has that sign, because roots and positive atoms are positive. If x > 0 > y, the sign of x + y
is the sign of x² − y². If the sign of x is known and that of y is not, x² > y² gives |x| > |y|, so x + y has the sign
of x. Squaring is tried for at most three terms without atoms; each step leaves one term fewer, so it ends.

**Leading coefficients.** A polynomial that does not vanish on the orthant has the sign of its leading coefficient
there. The orthant is connected, so the sign is constant, and it can be read along one curve. Take x_i = t^{w_i} with
w_i = 1 − ε_i and 0 < ε_1 ≪ ε_2 ≪ … ≪ 1, for t → ∞. Of the finitely many monomials, those of the highest total degree
grow fastest, and among these the one with the smallest exponent of the last variable, then of the last but one, and so
on. That is the order degrevlex, so the leading term dominates. (Along the curve x_1 ≫ x_2 ≫ …;
`every_m_readings.py` uses this.) `times_keys` uses the fact for the common factor of two radicands, which FLINT returns
with a positive leading coefficient, and `quantities` uses it to normalise denominators.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from goodmeasure.language.exact.factors import square_free
from goodmeasure.packages import flint
from goodmeasure.typing import ReadJson

Poly: TypeAlias = flint.fmpz_mpoly
ProductKey = tuple[str, ...]  # the square-free polynomial under the root, then the names of the other atoms, sorted
SumOfProducts = dict[ProductKey, Poly]  # Σ polynomial · √root · atoms

if TYPE_CHECKING:
    from goodmeasure.theory.algebra.quantities import Quantity

PositivityNode = dict[str, ReadJson]  # how a sum was shown to be positive, as a node of a certificate

_Of = TypeVar("_Of")
RATIONAL: ProductKey = ("1",)
_RATIONAL_ONLY = {RATIONAL}


MOST_REMEMBERED = 2_000_000  # the most terms of polynomials for which results are kept
MOST_PRODUCTS = 20_000_000  # the most pairs of terms in one product: beyond it a proof would take minutes


class Outside(ArithmeticError):  # noqa: N818 - a signal to the prover: no verdict, and no fault of the user's
    """The definition asks a question that has no single answer on the whole orthant, or none that is known here."""


class Unsettled(Outside):
    """The sign of ``polynomial`` changes on the orthant, or nothing here shows that it does not."""

    def __init__(self, polynomial: Poly) -> None:
        super().__init__("the sign of a polynomial is not settled")
        self.polynomial = polynomial


@dataclass(frozen=True)
class Atom:
    """A quantity that is no polynomial (a logarithm, an angle, a power mean); ``about`` holds its arguments."""

    kind: str
    about: tuple[object, ...]  # polynomials, quantities, numbers and names, by kind
    positive: bool

    def argument(self, k: int, of: type[_Of]) -> _Of:
        """Return an argument, which is of this type for atoms of this kind."""
        found = self.about[k]
        assert isinstance(found, of)
        return found


class Orthant:
    """The ring of polynomials in variables that are positive; nothing is known about the sign of the free ones."""

    def __init__(self, names: tuple[str, ...], free: tuple[str, ...] = ()) -> None:
        self.names = names
        self.context = flint.fmpz_mpoly_ctx.get([*names, *free], flint.Ordering.degrevlex)
        self.variables = dict(zip((*names, *free), self.context.gens(), strict=True))
        self.free = tuple(range(len(names), len(names) + len(free)))
        self.one = self.constant(1)
        self.roots: dict[str, Poly] = {"1": self.one}
        self.atoms: dict[str, Atom] = {}
        self.open_order = False  # whether the greatest of some values may become an atom if their order is unknown
        self.supposed = False  # whether something was supposed to be defined in the reading in progress
        self.extremes = False  # whether a definition used an extreme of some values, or an absolute value
        # how sums were shown to be positive, or None, by what was asked
        self._shown: dict[object, PositivityNode | None] = {}
        self._factors: dict[int, tuple[flint.fmpz, list[tuple[Poly, int]]]] = {}
        self._roots: dict[int, tuple[Poly, str]] = {}
        self._numbers: dict[object, list[tuple[Poly, int]]] = {}
        self._texts: dict[int, str] = {}
        self._count = 0
        sizes = random.Random(0)  # the same points each time, as proofs should be
        self._samples = [[sizes.choice((1, 1, 2, 3, 7, 40)) for _ in self.variables] for _ in range(8)]
        self._point = [flint.fmpz(sizes.randint(1 << 10, 1 << 20)) for _ in self.variables]
        self._remembered = 0  # the number of terms of all polynomials that are kept as keys
        self.letters_of_atoms: dict[str, frozenset[str]] = {}  # found once, since atoms hold other atoms

    def letters(self, p: Poly) -> frozenset[str]:
        """Return the names of the variables that a polynomial mentions."""
        return frozenset(name for name, degree in zip(self.variables, p.degrees(), strict=True) if degree > 0)

    def constant(self, number: int) -> Poly:
        """Return a constant polynomial."""
        return self.context.constant(number)

    # Signs

    def sign(self, p: Poly) -> int:
        """Return the sign (−1, 0 or 1) that a polynomial has on the whole orthant.

        Raises `Unsettled` where neither its coefficients nor those of its factors share one sign. A factor of unknown
        sign settles nothing even if its multiplicity is even, since it may be 0 somewhere.
        """
        known = self.sign_by_coefficients(p)
        if known is not None:
            return known
        content, factors = self.factors(p)
        sign = 1 if content > 0 else -1
        for factor, multiplicity in factors:
            known = self.sign_by_coefficients(factor)
            if known is None:
                raise Unsettled(factor)
            sign *= known**multiplicity
        return sign

    def is_negative_somewhere(self, p: Poly) -> bool:
        """Return whether a polynomial is negative at one of some points whose coordinates are positive whole numbers.

        Then it is not positive everywhere, and no proof of that needs to be sought.
        """
        return any(p(*numbers) < 0 for numbers in self._samples)

    def factors(self, p: Poly) -> tuple[flint.fmpz, list[tuple[Poly, int]]]:
        """Return the factors of a polynomial, which is asked several times when a root is read."""
        number = self.number(p)
        if number not in self._factors:
            self._factors[number] = p.factor()
        return self._factors[number]

    def number(self, p: Poly) -> int:
        """Return a number that identifies this polynomial.

        Polynomials of python-flint cannot be keys of dictionaries, and the memory of each text of one is never given
        back (as of 0.9). So a polynomial is looked up by its value at a point, and compared.
        """
        key = len(p), p(*self._point)
        for other, number in self._numbers.get(key, ()):
            if p == other:
                return number
        self._remember(len(p))
        self._count += 1
        self._numbers.setdefault(key, []).append((p, self._count))
        return self._count

    def text(self, p: Poly) -> str:
        """Return a polynomial as text, which is written once."""
        number = self.number(p)
        if number not in self._texts:
            self._texts[number] = str(p)
        return self._texts[number]

    def shown(self, asked: object, show: Callable[[], PositivityNode | None]) -> PositivityNode | None:
        """Return what showed that a sum is positive, or None; it is looked for once."""
        if asked not in self._shown:
            found = show()
            self._shown[asked] = found
        return self._shown[asked]

    def _remember(self, terms: int) -> None:
        """Make room for one more polynomial: forget all of them if they would take more than about 100 MB."""
        self._remembered += terms
        if self._remembered > MOST_REMEMBERED:
            for kept in (self._numbers, self._texts, self._factors, self._roots, self._shown):
                kept.clear()
            self._remembered = terms

    def sign_by_coefficients(self, p: Poly) -> int | None:
        """Return the sign that all coefficients share; None where they differ or a free variable occurs."""
        if p.is_zero():
            return 0
        if self.free and any(p.degrees()[k] for k in self.free):
            return None
        coefficients = p.coeffs()
        if coefficients[0] > 0:
            return 1 if coefficients[-1] > 0 and min(coefficients) > 0 else None
        return -1 if coefficients[-1] < 0 and max(coefficients) < 0 else None

    # Sums of polynomials times atoms

    def root(self, p: Poly) -> tuple[Poly, str]:
        """Return (q, name) with √p = q·√r for a positive polynomial p, where q is positive and r is square-free.

        The square of a factor f leaves the root as |f|, so the sign of f must be known.
        """
        asked = self.number(p)
        if asked not in self._roots:
            found = self._root(p)
            self._roots[asked] = found
        return self._roots[asked]

    def _root(self, p: Poly) -> tuple[Poly, str]:
        content, factors = p.factor_squarefree()
        outside, inside = square_free(abs(int(content)))
        out, under = self.constant(outside), self.constant(inside if content > 0 else -inside)
        for factor, multiplicity in factors:
            half = factor ** (multiplicity // 2)
            out, under = out * (half if self.sign(half) > 0 else -half), under * factor ** (multiplicity % 2)
        name = self.text(under)
        self.roots.setdefault(name, under)
        return out, name

    def open_answer(self) -> object:
        """Return what stands for the answer to a comparison that is not settled; None where nothing may."""
        return None

    def open_zero(self, difference: Quantity) -> object:
        """Return a placeholder for the unknown answer to whether a difference is 0; None where none is allowed."""
        return None

    def atom(self, kind: str, *about: object, positive: bool) -> ProductKey:
        """Return the key of an atom; atoms of the same kind with the same arguments are one atom."""
        name = f"{kind}({'; '.join(self.text(x) if isinstance(x, Poly) else str(x) for x in about)})"
        self.atoms.setdefault(name, Atom(kind, about, positive))
        return ("1", name)

    def times_keys(self, x: ProductKey, y: ProductKey) -> tuple[Poly, ProductKey]:
        """Return (p, key) such that the product of two products of a root and atoms is p times that of ``key``.

        √(g·u)·√(g·v) = g·√(u·v) for the greatest common divisor g. It divides a polynomial that is positive on the
        orthant, so it vanishes nowhere, and its leading coefficient is positive: g > 0 (see the top of this file).
        """
        atoms = tuple(sorted(x[1:] + y[1:]))
        if x[0] == "1" or y[0] == "1":
            return self.one, (y[0] if x[0] == "1" else x[0], *atoms)
        if x[0] == y[0]:
            return self.roots[x[0]], ("1", *atoms)
        left, right = self.roots[x[0]], self.roots[y[0]]
        common = left.gcd(right)
        product = (left // common) * (right // common)
        name = self.text(product)
        self.roots.setdefault(name, product)
        return common, (name, *atoms)

    def times(self, x: SumOfProducts, y: SumOfProducts) -> SumOfProducts:
        """Return the product of two sums."""
        if sum(map(len, x.values())) * sum(map(len, y.values())) > MOST_PRODUCTS:
            raise Outside("the polynomials grow too large")
        if x.keys() == y.keys() == _RATIONAL_ONLY:
            return {RATIONAL: x[RATIONAL] * y[RATIONAL]}
        total: SumOfProducts = {}
        for key, p in x.items():
            for other, q in y.items():
                factor, product = self.times_keys(key, other)
                value = p * q * factor if product != RATIONAL or not factor.is_one() else p * q
                total[product] = total[product] + value if product in total else value
        return {key: p for key, p in total.items() if not p.is_zero()}

    def plus(self, x: SumOfProducts, y: SumOfProducts) -> SumOfProducts:
        """Return the sum of two sums, without the terms that cancel."""
        total = dict(x)
        for key, q in y.items():
            total[key] = total[key] + q if key in total else q
        return {key: p for key, p in total.items() if not p.is_zero()}

    def scaled(self, x: SumOfProducts, p: Poly) -> SumOfProducts:
        """Return a sum times a polynomial."""
        return {key: q * p for key, q in x.items()} if not p.is_one() else x

    def sign_of_sum(self, x: SumOfProducts) -> int:
        """Return the sign of a sum on the whole orthant: the sign of all terms, or else decided by squaring."""
        if not x:
            return 0
        parts: dict[int | None, SumOfProducts] = {}
        doubt: Unsettled | None = None
        for key, p in x.items():
            if not all(self.atoms[name].positive for name in key[1:]):
                raise Outside(f"the sign of {key[1:]} is not known")
            side: int | None
            try:
                side = self.sign(p)
            except Unsettled as error:  # the other terms may decide
                side, doubt = None, error
            parts.setdefault(side, {})[key] = p
        if len(parts) == 1 and doubt is None:
            return int(next(iter(parts)) or 0)
        if len(parts) == 1 and doubt is not None:
            raise Unsettled(doubt.polynomial)
        if any(key[1:] for key in x) or len(x) > 3:
            raise Outside("a sum of several roots or atoms with different signs")
        if doubt is None:
            return self._greater(parts[1], parts[-1])
        known = {side: part for side, part in parts.items() if side is not None}
        if len(known) == 1:  # |known| > |unknown| decides, whatever the sign of the unknown part
            ((side, part),) = known.items()
            if self._greater(part, parts[None]) > 0:
                return side
        raise Unsettled(doubt.polynomial)

    def _greater(self, x: SumOfProducts, y: SumOfProducts) -> int:
        """Return the sign of x² − y², which is 1 where |x| > |y|."""
        return self.sign_of_sum(self.plus(self.times(x, x), self.scaled(self.times(y, y), self.constant(-1))))
