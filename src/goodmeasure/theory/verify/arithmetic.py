"""The verifier's own arithmetic: quotients of polynomials in positive variables and in atoms, on python-flint.

**Values.** A `Ground` is a list of variables, each of which stands for any positive real number. A `FunctionValue` is a
function of these variables, kept as num/den. Both are polynomials with integer coefficients in the variables and in
some *atoms*. An atom is a function that no polynomial expresses (√f, log x, a power mean, …); what is known of it is in
`atoms.py`. Two invariants hold for every value:

1. den is positive wherever all variables are positive. Numbers and variables have den = 1; sums and products multiply
   such denominators; a quotient x/y is formed only if y is positive everywhere or negative everywhere, and the sign is
   moved to the numerator. So a value is defined everywhere, and its sign is the sign of num.
2. No power of an atom stands where a lower one would do: an atom s with s^d = q (a root, or |f| with |f|² = f²) occurs
   with exponents below d (`Ground.reduced`). This replaces equals by equals.

**Cancelling.** A common factor g of num and den vanishes nowhere, since den does not. If g contains no atom it has one
sign, because it is continuous and the set of points is connected, and this sign is that at one point
(`sign_at_sample`). If g contains atoms, it is cancelled only if all its terms are positive. Cancelling therefore keeps
den positive.

**Equality** is decided in one direction: if the numerator of x − y is the polynomial 0, then x and y are the same
function. The converse may fail where atoms are related in ways that are not known here; then nothing is claimed.

**Signs.** `Ground.signs(p)` returns a set that contains every sign which p takes at some point. The set may be larger
than necessary, never smaller. The rules, each of which can only shrink the set {−1, 0, 1}:

* *terms*: a monomial in positive variables and positive atoms has the sign of its coefficient, and a sum of positive
  terms is positive. Atoms that may be 0 (|f|, an angle) make their terms ≥ 0.
* *shift*: if the variables are whole numbers (``whole``), each is 1 + x′ with x′ ≥ 0. If no coefficient in the x′ is
  negative, p ≥ 0; if moreover a term without x′ is positive, p > 0.
* *factors*: the signs of a product are the products of the signs; an even power is never negative.
* *square*: p = u + v·s with a square root s = √q. If u² − v²q > 0 then |u| > |v·s|, and p has the sign of u; if
  u² − v²q < 0, it has the sign of v. With ≥ and ≤ it may also be 0.
* *between*: p = u + v·t, where t is the greatest of some functions e (|f| is the greater of f and −f). At each point p
  is one of the u + v·e: the greatest of them if v ≥ 0, and the least if v ≤ 0. For a power mean t of x and y, p lies
  between u + v·x and u + v·y, and strictly between unless they are equal, so one positive end and one end ≥ 0 are
  enough for p > 0.
* *powers*: p = u + v·s^e with a root s = q^(1/d), where u and v each have a sign that is known up to 0. The part with
  the greater absolute value decides, and the absolute values compare as |u|^d and |v|^d·q^e do.
* *quadratic*: p = A·t² + B·t + C in a variable t, where A, B and C do not contain t, and A > 0. Then
  4A·p = (2A·t + B)² + (4AC − B²), so p ≥ 0 if 4AC − B² ≥ 0, and p > 0 if 4AC − B² > 0. Likewise with A < 0.
* *logarithms*: p = Σ k·log x with whole numbers k. It is the logarithm of the product of the x^k, so it has the sign of
  that product minus 1.
* *bounds of logarithms*: each term of p is free of atoms, or v·log x, where all v that belong to one logarithm together
  have one sign. With v > 0, log x is replaced by a rational number below it, and with v < 0 by one above it: for a
  number x from a ball, and else by one below log k, where x ≥ k ≥ 1. What is left is not greater than p; if it is
  positive, or not negative, so is p. The same for −p.
* *tangents of logarithms*: each term of p is free of atoms, or v·log x. Each logarithm is replaced by a tangent, which
  it does not exceed; if what is left is positive, or not negative, so is p (`logarithms.py` has the argument). The same
  for −p.
* *multiply*: (Σ variables)^k·p has p's sign; for k ≤ 3 its terms are examined (Pólya).
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from typing import NoReturn, TypeAlias, cast

from goodmeasure.exceptions import CertificateError
from goodmeasure.language.exact import reals
from goodmeasure.language.exact.reals import Exact
from goodmeasure.language.view import shortest
from goodmeasure.packages import flint
from goodmeasure.typing import ReadJson

Poly: TypeAlias = flint.fmpz_mpoly
Atoms = tuple[int, ...]  # numbers of atoms, the latest first
Signs = frozenset[int]
# A number for each variable, and under "rows" the matrix, where an atom needs it.
PointData = Mapping[str, ReadJson]

ZERO, UP, DOWN = frozenset({0}), frozenset({1}), frozenset({-1})
NOT_DOWN, NOT_UP, ANY = frozenset({0, 1}), frozenset({-1, 0}), frozenset({-1, 0, 1})

MOST_POWER = 24  # the greatest whole exponent that is multiplied out
MOST_TERMS = 60_000  # the most terms of a polynomial to which more than the rule of coefficients is applied
MOST_PRODUCTS = 20_000_000  # the most pairs of terms in one product of polynomials
MOST_REMEMBERED = 2_000_000  # terms of polynomials of which something is remembered
MOST_IN_QUADRATIC = 600  # terms of a polynomial whose discriminant is looked at
POLYA = 3  # the greatest power of the sum of the variables that is tried
DEEPEST = 6  # how many roots and other atoms are eliminated one after another


class Refused(Exception):  # noqa: N818 - a signal: nothing is wrong, and nothing is known
    """A question about a value has no single answer on the ground, or none that is known."""


class ExactClassCount(int):
    """The number of classes as an integer whose quotients are exact numbers rather than floats."""

    def __add__(self, other: object) -> ExactClassCount:
        return _whole(int.__add__(self, other)) if isinstance(other, int) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: object) -> ExactClassCount:
        return _whole(int.__sub__(self, other)) if isinstance(other, int) else NotImplemented

    def __rsub__(self, other: object) -> ExactClassCount:
        return _whole(int.__rsub__(self, other)) if isinstance(other, int) else NotImplemented

    def __mul__(self, other: object) -> ExactClassCount:
        return _whole(int.__mul__(self, other)) if isinstance(other, int) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Exact:  # type: ignore[override]
        return Exact.of(int(self)) / other

    def __rtruediv__(self, other: object) -> Exact:  # type: ignore[override]
        return Exact.of(other) / int(self)


def _whole(value: int) -> ExactClassCount:
    """Return an integer as an `ExactClassCount`, so that m − 1 divides exactly too."""
    return ExactClassCount(value)


class Atom:
    """A function that is no quotient of polynomials. Subclasses are in `atoms.py`.

    ``signs``: the signs that it takes. ``degree`` and ``power``: atom^degree = power, a polynomial in the variables and
    in earlier atoms (degree 0: no such relation). ``ends``: functions of which it is the greatest; or, if ``strict``,
    two functions strictly between which it lies unless they are equal.
    """

    degree = 0
    strict = False
    needs_matrix = False  # whether its value at a point needs a whole matrix, and not only the variables
    exponential: FunctionValue | None = None  # the positive value of which the atom is the logarithm

    def __init__(self, signs: Signs) -> None:
        self.number, self.signs = -1, signs
        self.power: FunctionValue | None = None

    def ends(self) -> list[FunctionValue]:
        """Return the values between which the atom lies, or of which it is the greatest; none if nothing is known."""
        return []

    def ball(self, at: Callable[[FunctionValue], flint.arb], point: PointData) -> flint.arb:
        """Return a ball that contains the atom's value at a point; ``at`` gives the balls of other values."""
        raise NotImplementedError

    def whole(self, point: PointData) -> int | None:
        """Return the atom's value at a point if it is seen to be a whole number; None otherwise."""
        return None

    def letters(self) -> frozenset[str]:
        """Return the variables that the atom depends on."""
        raise NotImplementedError

    def inside(self) -> list[FunctionValue]:
        """Return the values that the atom is a function of."""
        raise NotImplementedError

    def derivative(self, direction: Mapping[str, int]) -> FunctionValue:
        """Return the derivative along a direction."""
        raise Refused(f"the derivative of {type(self).__name__}")

    def at(self, place: Mapping[str, Poly]) -> FunctionValue:
        """Return the value where the variables take other values."""
        raise Refused(f"{type(self).__name__} at another place")


class Ground:
    """Variables that stand for positive real numbers, and the atoms that were formed of them."""

    def __init__(self, names: Iterable[str], deadline: float = float("inf")) -> None:
        self.names = tuple(names)
        self.deadline = deadline
        self.supposed = False  # whether something was supposed to be defined, so that no comparison may follow
        self.readings: dict[object, Outcome] = {}  # the values of a measure that were read on this ground, by its cells
        self.atoms: list[Atom] = []
        self._numbers: dict[object, int] = {}
        self._factors: dict[int, tuple[flint.fmpz, list[tuple[Poly, int]]]] = {}
        self._known: dict[object, list[tuple[Poly, int]]] = {}
        self._texts: dict[int, str] = {}
        self._count = 0
        self._point: list[flint.fmpz] = []
        self._random = random.Random()
        self._samples = [[self._random.choice((1, 1, 2, 3, 7, 40)) for _ in self.names] for _ in range(8)]
        self._signs: dict[object, Signs] = {}  # a sign may depend on what is assumed, so that is part of its key
        self.assumed: frozenset[str] = frozenset()  # sizes that are assumed to be positive at the moment
        self._letters: dict[int, frozenset[str]] = {}
        self._remembered = 0  # the number of terms of the polynomials of which something is remembered
        self._contexts: dict[Atoms, tuple[flint.fmpz_mpoly_ctx, Poly]] = {}  # rings, each with its 1
        self.context = self.context_of(())
        self.gens = self.context.gens()
        self.variables = dict(zip(self.names, self.gens, strict=True))
        self._unit = self.constant(1)
        self.one = FunctionValue(self, self._unit, self._unit, ())

    # Polynomials

    def context_of(self, atoms: Atoms) -> flint.fmpz_mpoly_ctx:
        """Return the ring of polynomials in some atoms and all variables; the latest atom is the leading variable."""
        return flint.fmpz_mpoly_ctx.get([*(f"_{k}" for k in atoms), *self.names], flint.Ordering.lex)

    def constant(self, number: int) -> Poly:
        """Return a whole number as a polynomial in the variables."""
        return self.context.constant(number)

    def lifted(self, p: Poly, atoms: Atoms) -> Poly:
        """Return a polynomial in a ring with other atoms, which must include those that it mentions."""
        found = self._contexts.get(atoms)
        if found is None:
            context = self.context_of(atoms)
            found = self._contexts[atoms] = context, context.constant(1)
        context, one = found
        if p.context() is context:
            return p
        return one if p.is_one() else p.project_to_context(context)

    def together(self, *lists: Atoms) -> Atoms:
        """Return the atoms of several values, with those that their powers lead to."""
        if all(x == lists[0] for x in lists) and not any(self.atoms[k].degree for k in lists[0]):
            return lists[0]
        found = {k for x in lists for k in x}
        todo = list(found)
        while todo:
            power = self.atoms[todo.pop()].power
            new = set(power.atoms) - found if power is not None else set()
            found |= new
            todo += new
        return tuple(sorted(found, reverse=True))

    def reduced(self, p: Poly, atoms: Atoms) -> Poly:
        """Return p with s^d replaced by what it is, for every atom s that has such a relation."""
        for j, k in enumerate(atoms):
            atom = self.atoms[k]
            if atom.degree and p.degrees()[j] >= atom.degree:
                assert atom.power is not None
                s = p.context().gens()[j]
                p = divmod(p, s**atom.degree - self.lifted(atom.power.num, atoms))[1]
        return p

    def factors(self, p: Poly) -> tuple[flint.fmpz, list[tuple[Poly, int]]]:
        """Return the factors of a polynomial; the same ones are asked for again and again."""
        key = self.number(p)
        if key not in self._factors:
            self._factors[key] = p.factor()
        return self._factors[key]

    def number(self, p: Poly) -> int:
        """Return a number that identifies this polynomial within its ring.

        Polynomials of python-flint cannot be keys of dictionaries, and the memory of each text of one is never given
        back (as of 0.9). So a polynomial is looked up by its value at a point, and compared.
        """
        context = p.context()
        size = context.nvars()
        while len(self._point) < size:
            self._point.append(flint.fmpz(self._random.randint(1 << 10, 1 << 20)))
        key = size, len(p), p(*self._point[:size])
        for other, number in self._known.get(key, ()):
            if other.context() is context and p == other:
                return number
        self._remembered += len(p)
        if self._remembered > MOST_REMEMBERED:
            for kept in (self._known, self._texts, self._factors, self._signs):
                kept.clear()
            self._remembered = len(p)
        self._count += 1
        self._known.setdefault(key, []).append((p, self._count))
        return self._count

    def text(self, p: Poly) -> str:
        """Return a polynomial as text, which is written once."""
        number = self.number(p)
        if number not in self._texts:
            self._texts[number] = str(p)
        return self._texts[number]

    def sign_at_sample(self, p: Poly) -> int:
        """Return the sign of a polynomial in the variables at the point (1, …, 1)."""
        total = int(p(*([1] * p.context().nvars())))
        return (total > 0) - (total < 0)

    # Values

    def value(self, p: Poly) -> FunctionValue:
        """Return a polynomial in the variables as a value."""
        return FunctionValue(self, p, self._unit, ())

    def rational(self, number: object) -> FunctionValue:
        """Return a rational number as a value."""
        if type(number) is int:
            return FunctionValue(self, self.constant(number), self._unit, ())
        q = shortest(number)
        return FunctionValue(self, self.constant(q.numerator), self.constant(q.denominator), ())

    def read(self, x: object) -> Outcome:
        """Return a number as a value; values and what is undefined are returned as they are."""
        if type(x) is FunctionValue or x is UNDEFINED:
            return x
        if type(x) is Exact:
            return self.rational(x.as_fraction()) if x.is_rational else self.refuse(f"the constant {x}")
        x = self.plain(x)
        if isinstance(x, float) and not math.isfinite(x):
            return UNDEFINED if math.isnan(x) else self.refuse("an infinite number")
        return self.rational(x)

    def plain(self, x: object) -> int | float | Fraction:
        """Return a number of Python; anything else is refused."""
        if type(x) in (int, bool, float, Fraction, ExactClassCount):
            return x  # type: ignore[return-value]
        return self.refuse(f"a value of the type {type(x).__name__}")

    def new_atom(self, key: object, make: Callable[[], Atom]) -> FunctionValue:
        """Return the atom with a key as a value; the first call makes it."""
        if key not in self._numbers:
            atom = make()
            atom.number = len(self.atoms)
            self.atoms.append(atom)
            self._numbers[key] = atom.number
        k = self._numbers[key]
        atoms = (k,)
        return FunctionValue(self, self.context_of(atoms).gens()[0], self.context_of(atoms).constant(1), atoms)

    def letters_of(self, number: int) -> frozenset[str]:
        """Return the variables that an atom depends on, which are found once."""
        if number not in self._letters:
            self._letters[number] = self.atoms[number].letters()
        return self._letters[number]

    def left_open(self, difference: FunctionValue, yes: Signs) -> object:
        """Return what stands for an answer to a comparison that is not settled; None where nothing may."""
        return None

    def refuse(self, why: str) -> NoReturn:
        """End the reading."""
        raise Refused(why)

    def hurry(self) -> None:
        """Raise `CertificateError` if the time for the check is over."""
        if time.process_time() > self.deadline:
            raise CertificateError("the check was given up: its time is over")

    # Signs

    def signs(self, p: Poly, atoms: Atoms, *, whole: bool = False, depth: int = DEEPEST) -> Signs:
        """Return a set that contains all signs which a polynomial takes (see the top of this file)."""
        found = self._of_terms(p, atoms)
        if found != ANY:
            return found
        self.hurry()
        if len(p) > MOST_TERMS or self._takes_both(p, atoms):
            return ANY
        key = atoms, self.number(p), whole, depth, self.assumed
        if key not in self._signs:
            found = self._of_factors(p, atoms, whole, depth)
            self._signs[key] = found
        return self._signs[key]

    def _takes_both(self, p: Poly, atoms: Atoms) -> bool:
        """Return whether a polynomial without atoms is seen to be negative at one point and positive at another.

        The points are positive whole numbers, so every set of signs that the rules could return has both. Most
        polynomials whose sign stays unknown are of this kind, and the rules would take long to fail.
        """
        if any(p.degrees()[: len(atoms)]):
            return False
        seen = {0}
        for numbers in self._samples:
            value = p(*([1] * len(atoms)), *numbers)
            seen.add(1 if value > 0 else -1 if value < 0 else 0)
        return len(seen) > 2

    def _of_factors(self, p: Poly, atoms: Atoms, whole: bool, depth: int) -> Signs:
        """Return the signs of a polynomial from those of its factors, or as it stands."""
        try:
            content, factors = self.factors(p)
        except OverflowError:  # python-flint cannot factor polynomials with very large exponents
            return ANY
        if len(factors) == 1 and factors[0][1] == 1:
            return _times(UP if content > 0 else DOWN, self._of_factor(factors[0][0], atoms, whole, depth))
        found = UP if content > 0 else DOWN
        for factor, power in factors:
            one = self._of_factor(factor, atoms, whole, depth)
            found = _times(found, one if power % 2 else frozenset(x * x for x in one))
            if found == ANY:
                return self._of_product(p, atoms, whole, depth)
        return found

    def _of_product(self, p: Poly, atoms: Atoms, whole: bool, depth: int) -> Signs:
        """Return the signs of a polynomial as it stands, where those of its factors are not shown.

        A product may have coefficients of one sign after a multiplication or a shift where one of its factors does not:
        x³ − 2x²y + xy² + 6y³ needs a higher power of x + y than its product with x + 2y does. And (x − y)·log(x/y) is
        not negative, although the signs of both factors are open.
        """
        found = self._shifted(p, atoms) if whole else ANY
        if found == ANY and depth:
            found = self._by_tangents(p, atoms, whole, depth - 1)
        return found if found != ANY else self._multiplied(p, atoms)

    def _of_terms(self, p: Poly, atoms: Atoms) -> Signs:
        """Return the signs that the terms of a polynomial show."""
        if p.is_zero():
            return ZERO
        coefficients = p.coeffs()
        if all(self.atoms[k].signs == UP for k in atoms):
            return _common_sign(coefficients)
        if all(self.atoms[k].signs <= NOT_DOWN for k in atoms) and _common_sign(coefficients) == ANY:
            return ANY  # terms ≥ 0 and terms ≤ 0
        total = ZERO
        for monomial, c in zip(p.monoms(), coefficients, strict=True):
            one = UP if c > 0 else DOWN
            for e, k in zip(monomial, atoms, strict=False):
                if e:
                    signs = self.atoms[k].signs
                    one = _times(one, signs if e % 2 else frozenset(x * x for x in signs))
            total = _plus(total, one)
            if total == ANY:
                return ANY
        return total

    def _of_factor(self, p: Poly, atoms: Atoms, whole: bool, depth: int) -> Signs:
        """Return the signs of an irreducible polynomial."""
        found = self._of_terms(p, atoms)
        if found != ANY:
            return found
        if whole:
            found = self._shifted(p, atoms)
            if found != ANY:
                return found
        if depth:
            found = self._of_logarithms(p, atoms, whole, depth - 1)
            if found != ANY:
                return found
            for side, weak in ((1, NOT_DOWN), (-1, NOT_UP)):
                rest = self._below(p * side, atoms)
                found = ANY if rest is None else _times(self.signs(rest, (), depth=depth - 1), frozenset({side}))
                if found <= weak:
                    return found if 0 not in found else weak
            found = self._by_tangents(p, atoms, whole, depth - 1)
            if found != ANY:
                return found
            for j, k in enumerate(atoms):
                powers = {int(monomial[j]) for monomial in p.monoms()} - {0}
                if len(powers) == 1:
                    found = self._eliminated(p, atoms, j, self.atoms[k], powers.pop(), whole, depth - 1)
                    if found != ANY:
                        return found
        found = self._multiplied(p, atoms)
        return found if found != ANY or not depth else self._of_quadratic(p, atoms, depth - 1)

    def _of_quadratic(self, p: Poly, atoms: Atoms, depth: int) -> Signs:
        """Return the signs of a polynomial of degree 2 in some variable, from those of its discriminant."""
        if atoms and not any(p.degrees()[: len(atoms)]):  # roots that were eliminated are not mentioned any more
            p, atoms = self.lifted(p, ()), ()
        if len(p) > MOST_IN_QUADRATIC or atoms:
            return ANY
        for k, degree in enumerate(p.degrees()):
            if degree != 2:
                continue
            a, b, c = self._powers_of(p, k)
            lead = self._of_terms(a, ())
            if lead not in (UP, DOWN):
                continue
            if any(4 * a(*x) * c(*x) < b(*x) ** 2 for x in self._samples):
                continue
            gap = self.signs(4 * a * c - b * b, (), depth=min(depth, 1))
            if gap <= NOT_DOWN:
                return lead if gap == UP else lead | ZERO
        return ANY

    def _powers_of(self, p: Poly, k: int) -> list[Poly]:
        """Return the coefficients of the second, first and zeroth power of the k-th variable."""
        name, t = self.names[k], self.gens[k]
        zeroth = p.subs({name: 0})
        rest = (p - zeroth) // t
        first = rest.subs({name: 0})
        return [(rest - first) // t, first, zeroth]

    def _shifted(self, p: Poly, atoms: Atoms) -> Signs:
        """Return the signs that the terms show after each variable x is written as 1 + x′ with x′ ≥ 0."""
        gens = list(p.context().gens())
        moved = p.compose(*gens[: len(atoms)], *(g + 1 for g in gens[len(atoms) :]))
        if not atoms:
            found = _common_sign(moved.coeffs())
            return found if found == ANY or moved[(0,) * len(gens)] != 0 else found | ZERO
        total = ZERO
        for monomial, c in zip(moved.monoms(), moved.coeffs(), strict=True):
            one = NOT_DOWN if any(monomial[len(atoms) :]) else UP
            for e, k in zip(monomial, atoms, strict=False):
                if e:
                    one = _times(one, self.atoms[k].signs if e % 2 else frozenset(x * x for x in self.atoms[k].signs))
            total = _plus(total, _times(one, UP if c > 0 else DOWN))
            if total == ANY:
                return ANY
        return total

    def _eliminated(self, p: Poly, atoms: Atoms, j: int, atom: Atom, e: int, whole: bool, depth: int) -> Signs:
        """Return the signs of p = u + v·t^e by what is known of the atom t: its d-th power, or its ends if e = 1."""
        t = p.context().gens()[j] ** e
        u = p.subs({f"_{atom.number}": 0})
        v = (p - u) // t
        ends = atom.ends() if e == 1 else []
        if ends:
            every = self.together(atoms, *(x.atoms for x in ends))
            first, second = self.lifted(u, every), self.lifted(v, every)
            found = [
                self.signs(
                    self.reduced(first * self.lifted(x.den, every) + second * self.lifted(x.num, every), every),
                    every, whole=whole, depth=depth,
                )
                for x in ends
            ]  # fmt: skip
            known = _between(found) if atom.strict else _greatest(found, self.signs(v, atoms, whole=whole, depth=depth))
            if known != ANY:
                return known
        if atom.degree < 2 or atom.signs not in (UP, NOT_DOWN) or atom.power is None:
            return ANY
        every = self.together(atoms, atom.power.atoms)
        mine = self.signs(u, atoms, whole=whole, depth=depth)
        theirs = _times(self.signs(v, atoms, whole=whole, depth=depth), atom.signs)  # t ≥ 0, so t^e has its signs
        if _plus(mine, theirs) != ANY or (ANY in (mine, theirs) and mine == theirs):
            return _plus(mine, theirs)
        d = atom.degree
        if d > 2 and not all(x <= NOT_DOWN or x <= NOT_UP for x in (mine, theirs)):
            return ANY
        if d % 2:  # |u|^d is u^d or −u^d; for an even d it is u^d
            u, v = (u if mine <= NOT_DOWN else -u), (v if theirs <= NOT_DOWN else -v)
        first, second = self.lifted(u, every), self.lifted(v, every)
        if d > 2 and max(len(first), len(second)) ** d > MOST_PRODUCTS:
            return ANY
        rest = self.reduced(first**d - second**d * self.lifted(atom.power.num, every) ** e, every)
        larger = self.signs(rest, every, whole=whole, depth=depth)
        return _of_larger(mine, theirs, larger)

    def _of_logarithms(self, p: Poly, atoms: Atoms, whole: bool, depth: int) -> Signs:
        """Return the signs of Σ k·log x: those of the product of the x^k, minus 1."""
        if all(self.atoms[k].exponential is None for k in atoms):
            return ANY
        product = self.one
        for monomial, c in zip(p.monoms(), p.coeffs(), strict=True):
            mine = [k for k, e in zip(atoms, monomial, strict=False) if e]
            inner = self.atoms[mine[0]].exponential if len(mine) == 1 and sum(monomial) == 1 else None
            if inner is None or abs(int(c)) > MOST_POWER // 2:
                return ANY
            product = product * inner ** int(c)
        return self.signs((product - 1).num, (product - 1).atoms, whole=whole, depth=depth)

    def _below(self, p: Poly, atoms: Atoms) -> Poly | None:
        """Return the numerator of a lower bound of p in which bounds replace the logarithms; None if none is found."""
        if not atoms or any(self.atoms[k].exponential is None for k in atoms):
            return None
        parts: dict[int | None, dict[tuple[int, ...], int]] = {}
        for monomial, c in zip(p.monoms(), p.coeffs(), strict=True):
            mine = [k for k, e in zip(atoms, monomial, strict=False) for _ in range(int(e))]
            if len(mine) > 1:
                return None
            place = tuple(map(int, monomial[len(atoms) :]))
            parts.setdefault(mine[0] if mine else None, {})[place] = int(c)
        total = self.value(self.context.from_dict(parts.pop(None, {})))
        for k, terms in parts.items():
            v = self.context.from_dict(terms)
            side = self._of_terms(v, ())
            bound = None if side not in (UP, DOWN) or k is None else self._log_bound(self.atoms[k], below=side == UP)
            if bound is None:
                return None
            total = total + self.value(v) * bound
        return total.num

    def _by_tangents(self, p: Poly, atoms: Atoms, whole: bool, depth: int) -> Signs:
        """Return the signs of a sum of logarithms, from the signs of lower and upper bounds without logarithms."""
        from goodmeasure.theory.verify.logarithms import floors

        if not atoms or any(self.atoms[k].exponential is None for k in atoms):
            return ANY
        for side, weak in ((1, NOT_DOWN), (-1, NOT_UP)):
            for floor in floors(self, p * side, atoms):
                found = self.signs(floor.num, floor.atoms, whole=whole, depth=depth)
                if found <= NOT_DOWN:
                    return frozenset({side}) if found == UP else weak
        return ANY

    def _log_bound(self, atom: Atom, *, below: bool) -> Fraction | None:
        """Return a rational number below a logarithm, or above it; None where none is seen."""
        x = atom.exponential
        assert x is not None
        least = x.number
        if least is None:
            if not below:
                return None
            least = next((Fraction(k) for k in (12, 10, 8, 6, 5, 4, 3, 2, 1) if (x - k).signs() <= NOT_DOWN), None)
            if least is None:
                return None
        ball = flint.arb(flint.fmpq(least.numerator, least.denominator)).log()
        step = Fraction(1, 10**10)
        bound = Fraction(float(ball.mid())) + (-step if below else step)
        exact = flint.arb(flint.fmpq(bound.numerator, bound.denominator))
        return bound if (exact < ball if below else exact > ball) else None

    def _multiplied(self, p: Poly, atoms: Atoms) -> Signs:
        """Return the signs that the terms of p times a power of the sum of its variables show."""
        gens = p.context().gens()
        used = [g for k, (g, e) in enumerate(zip(gens, p.degrees(), strict=True)) if e and k >= len(atoms)]
        if len(used) < 2 or len(p) > 2000:
            return ANY
        total = sum(used[1:], used[0])
        for _ in range(POLYA):
            p = p * total
            found = self._of_terms(p, atoms)
            if found != ANY:
                return found
        return ANY


def _common_sign(coefficients: list[flint.fmpz]) -> Signs:
    """Return the sign that all coefficients share, none of which is 0; all signs where they differ."""
    if coefficients[0] > 0:
        return UP if coefficients[-1] > 0 and min(coefficients) > 0 else ANY
    return DOWN if coefficients[-1] < 0 and max(coefficients) < 0 else ANY


@cache
def _times(x: Signs, y: Signs) -> Signs:
    """Return the signs that a product takes."""
    return frozenset(a * b for a, b in product(x, y))


@cache
def _plus(x: Signs, y: Signs) -> Signs:
    """Return the signs that a sum takes."""
    if x == ZERO or y == ZERO:
        return x | y if x == y else (y if x == ZERO else x)
    both = x | y
    if both <= NOT_DOWN or both <= NOT_UP:
        side = 1 if 1 in both else -1
        return frozenset({side}) if 0 not in x or 0 not in y else frozenset({0, side})
    return ANY


def _between(ends: list[Signs]) -> Signs:
    """Return the signs of what lies strictly between two ends, or is equal to both."""
    both = frozenset().union(*ends)
    for side, weak in ((UP, NOT_DOWN), (DOWN, NOT_UP)):
        if both <= weak:
            return side if side in ends else both
    return ANY


def _greatest(ends: list[Signs], factor: Signs) -> Signs:
    """Return the signs of u + v·t from those of u + v·e for all e, where t is the greatest e, and from those of v."""
    if factor <= NOT_DOWN:  # the greatest of the ends
        return frozenset(max(x) for x in product(*ends))
    if factor <= NOT_UP:
        return frozenset(min(x) for x in product(*ends))
    return frozenset().union(*ends)


def _of_larger(mine: Signs, theirs: Signs, larger: Signs) -> Signs:
    """Return the signs of u + w from those of u, of w and of u² − w²."""
    if larger == UP:
        return mine
    if larger == DOWN:
        return theirs
    leading = mine if larger <= NOT_DOWN else theirs if larger <= NOT_UP else ANY
    return leading | ZERO if leading != ANY else ANY


class FunctionValue:
    """A function of the variables of a ground: num/den, with den > 0 everywhere."""

    __slots__ = ("atoms", "den", "ground", "num")

    def __init__(self, ground: Ground, num: Poly, den: Poly, atoms: Atoms) -> None:
        self.ground, self.num, self.den, self.atoms = ground, num, den, atoms

    # Arithmetic

    def __add__(self, other: object) -> Outcome:
        y = self.ground.read(other)
        if type(y) is not FunctionValue:
            return y
        ground = self.ground
        atoms, (a, b, p, q) = _aligned(self, y)
        if b == q:
            if not atoms and b.is_one():
                return FunctionValue(ground, a + p, b, ())
            return _made(ground, a + p, b, atoms)
        common = b.gcd(q)
        left, right = (b // common, q // common) if not common.is_one() else (b, q)
        return _made(ground, _product(ground, a, right) + _product(ground, p, left), _product(ground, b, right), atoms)

    __radd__ = __add__

    def __neg__(self) -> FunctionValue:
        return FunctionValue(self.ground, -self.num, self.den, self.atoms)

    def __pos__(self) -> FunctionValue:
        return self

    def __sub__(self, other: object) -> Outcome:
        y = self.ground.read(other)
        return self + -y if type(y) is FunctionValue else y

    def __rsub__(self, other: object) -> Outcome:
        return -self + other

    def __mul__(self, other: object) -> Outcome:
        y = self.ground.read(other)
        if type(y) is not FunctionValue:
            return y
        atoms, (a, b, p, q) = _aligned(self, y)
        if not atoms and b.is_one() and q.is_one():
            return FunctionValue(self.ground, _product(self.ground, a, p), b, ())
        return _made(self.ground, _product(self.ground, a, p), _product(self.ground, b, q), atoms)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Outcome:
        y = self.ground.read(other)
        if type(y) is not FunctionValue:
            return y
        sign = y.sign()
        if sign == 0:
            raise ZeroDivisionError("a division by a value that is 0 everywhere")
        atoms, (a, b, p, q) = _aligned(self, y)
        return _made(self.ground, _product(self.ground, a, q) * sign, _product(self.ground, b, p) * sign, atoms)

    def __rtruediv__(self, other: object) -> Outcome:
        x = self.ground.read(other)
        return x / self if type(x) is FunctionValue else x

    def __pow__(self, exponent: object) -> FunctionValue:
        from goodmeasure.theory.verify.atoms import power

        if type(exponent) is FunctionValue:
            return self.ground.refuse("a power whose exponent is no number")
        r = shortest(self.ground.plain(exponent))
        if r.denominator != 1:
            return power(self, r)
        if r < 0:
            return self.ground.one / self ** (-r)
        if r > MOST_POWER:
            return self.ground.refuse(f"the power {r}")
        return reduce(lambda x, y: x * y, [self] * int(r), self.ground.one)

    def __abs__(self) -> FunctionValue:
        from goodmeasure.theory.verify.atoms import size

        return size(self)

    # Order: an answer holds at every point, or is refused

    def signs(self, *, whole: bool = False) -> Signs:
        """Return a set that contains all signs which the value takes."""
        return self.ground.signs(self.num, self.atoms, whole=whole)

    def sign(self) -> int:
        """Return the one sign of the value; `Refused` where it is not known, or not the same everywhere."""
        found = self.signs()
        if len(found) != 1:
            self.ground.refuse(f"the sign of {self.shown} is not settled")
        return next(iter(found))

    def _than(self, other: object, yes: Signs) -> bool:
        """Return whether the sign of self − other is always one of ``yes``; False if it is never one of them."""
        if self.ground.supposed:
            self.ground.refuse("a comparison after something was supposed to be defined")
        if other is UNDEFINED:
            return False
        found = (self - other).signs()
        if found <= yes:
            return True
        if found & yes:
            answer = self.ground.left_open(self - other, yes)  # only `c.where` can use an answer that is left open
            return answer if answer is not None else self.ground.refuse(f"a comparison of {self.shown} is not settled")  # type: ignore[return-value]
        return False

    def __eq__(self, other: object) -> bool:
        return self._than(other, ZERO)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: object) -> bool:
        return self._than(other, DOWN)

    def __le__(self, other: object) -> bool:
        return self._than(other, NOT_UP)

    def __gt__(self, other: object) -> bool:
        return self._than(other, UP)

    def __ge__(self, other: object) -> bool:
        return self._than(other, NOT_DOWN)

    def __bool__(self) -> bool:
        return not self._than(0, ZERO)

    # What it is

    @property
    def is_zero(self) -> bool:
        """Whether the value is the function 0; False also where this is not visible."""
        return self.num.is_zero()

    @property
    def letters(self) -> frozenset[str]:
        """The names of the variables that the value mentions, also inside atoms."""
        found = self.plain_letters
        return found.union(*(self.ground.letters_of(k) for k in self.atoms))

    @property
    def plain_letters(self) -> frozenset[str]:
        """The names of the variables that the value mentions outside of atoms."""
        names, skip = self.ground.names, len(self.atoms)
        both = zip(self.num.degrees()[skip:], self.den.degrees()[skip:], strict=True)
        return frozenset(name for name, (e, f) in zip(names, both, strict=True) if e > 0 or f > 0)  # −1 in 0

    @property
    def number(self) -> Fraction | None:
        """The value as a rational number; None where it is not one."""
        if self.atoms or not self.num.is_constant() or not self.den.is_constant():
            return None
        return Fraction(
            0 if self.num.is_zero() else int(self.num.leading_coefficient()), int(self.den.leading_coefficient())
        )

    @property
    def key(self) -> tuple[object, ...]:
        """A key that two values on the same ground share only if they have the same normal form."""
        return self.ground.text(self.num), self.ground.text(self.den), self.atoms

    @property
    def shown(self) -> str:
        """The value as text for messages."""
        return f"({_text(self.num)})/({_text(self.den)})"


# The value of something undefined. Like NaN among floats, it spreads through arithmetic and compares as False, and it
# has the type of the values around it: here that of functions, and in `reals`, which has the same object, that of exact
# numbers. The type `Outcome` says that a value may be undefined; mypy does not distinguish it from `Value`.
UNDEFINED = cast(FunctionValue, reals.UNDEFINED)
Outcome: TypeAlias = FunctionValue


def _text(p: Poly) -> str:
    """Return a polynomial as text; for a long one only its number of terms."""
    return str(p)[:80] if len(p) < 20 else f"{len(p)} terms"


def _aligned(x: FunctionValue, y: FunctionValue) -> tuple[Atoms, tuple[Poly, Poly, Poly, Poly]]:
    """Return both numerators and denominators in one ring."""
    if not x.atoms and not y.atoms:
        return (), (x.num, x.den, y.num, y.den)
    ground = x.ground
    atoms = ground.together(x.atoms, y.atoms)
    a, b, p, q = (ground.lifted(z, atoms) for z in (x.num, x.den, y.num, y.den))
    return atoms, (a, b, p, q)


def _product(ground: Ground, p: Poly, q: Poly) -> Poly:
    """Return a product of polynomials, unless it would take minutes."""
    if len(p) * len(q) > MOST_PRODUCTS:
        ground.refuse("the polynomials grow too large")
    return p * q


def _made(ground: Ground, num: Poly, den: Poly, atoms: Atoms) -> FunctionValue:
    """Return num/den in normal form; den is positive."""
    if num.is_zero():
        return FunctionValue(ground, ground.constant(0), ground.constant(1), ())
    if not atoms and den.is_one():
        return FunctionValue(ground, num, den, ())
    if atoms:
        num, den = ground.reduced(num, atoms), ground.reduced(den, atoms)
        if num.is_zero():
            return FunctionValue(ground, ground.constant(0), ground.constant(1), ())
        num, den = _without_roots_below(ground, num, den, atoms)
    common = num.gcd(den)
    if not common.is_one():
        side = _side(ground, common, atoms)
        if side:
            num, den = num // common, den // common
            if side < 0:
                num, den = -num, -den
    return _trimmed(ground, num, den, atoms)


def _side(ground: Ground, common: Poly, atoms: Atoms) -> int:
    """Return the sign of a common factor, which vanishes nowhere; 0 where it is not known."""
    if not any(common.degrees()[: len(atoms)]):
        return ground.sign_at_sample(common)
    found = ground._of_terms(common, atoms)
    return 1 if found == UP else -1 if found == DOWN else 0


def _without_roots_below(ground: Ground, num: Poly, den: Poly, atoms: Atoms) -> tuple[Poly, Poly]:
    """Return the same quotient without a root as a factor of the denominator: s^e·s^(d − e) is a polynomial."""
    content = den.term_content().monoms()[0]
    for j, k in enumerate(atoms):
        atom = ground.atoms[k]
        if content[j] and atom.degree and atom.signs == UP:
            factor = den.context().gens()[j] ** (atom.degree - int(content[j]))
            num, den = ground.reduced(num * factor, atoms), ground.reduced(den * factor, atoms)
    return num, den


def _trimmed(ground: Ground, num: Poly, den: Poly, atoms: Atoms) -> FunctionValue:
    """Return a value without atoms that it does not mention."""
    if atoms:
        used = tuple(k for k, e, f in zip(atoms, num.degrees(), den.degrees(), strict=False) if e or f)
        if used != atoms:
            num, den = ground.lifted(num, used), ground.lifted(den, used)
            atoms = used
    return FunctionValue(ground, num, den, atoms)
