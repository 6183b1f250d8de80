"""Sums of monomials with rational coefficients: the canonical form behind exact numbers.

A monomial is the square root of a square-free integer (the radicand) times powers of atoms. The atoms are ``log p`` for
a prime p, ``pi``, ``acos x``, ``exp x`` and ``root(x, k)``, where x is itself an exact number. A sum maps each monomial
to its coefficient, which is never 0.

Is a sum zero? The empty one is. For many others two theorems decide. Square roots of different square-free integers are
linearly independent over the rationals (Besicovitch 1940). And 1, π and the logarithms of the primes are linearly
independent over the algebraic numbers: the logarithms of the primes together with log(−1) = iπ are independent over the
rationals, because factorization is unique, and Baker's theorem (1966) lifts that to the algebraic numbers and adds 1.
So a sum that is linear in π and the logarithms, with sums of square roots as coefficients, is zero only if it is empty.

The sign of a sum that is not zero comes from ball arithmetic: an interval that certainly contains the value is computed
with more and more bits until it lies on one side of 0. Where no theorem applies (nested roots, products of logarithms),
the search for a sign may never end, so it stops at `MOST_BITS` and says `Undecided`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

from goodmeasure.language.exact.factors import FACTOR_BITS, factors, square_free
from goodmeasure.language.policy import Undecided
from goodmeasure.packages import flint

if TYPE_CHECKING:
    from goodmeasure.language.exact.reals import Exact

_OfOne: TypeAlias = "tuple[Literal['exp', 'acos', 'value'], Exact]"
_Log: TypeAlias = "tuple[Literal['log'], int | Exact]"
_Root: TypeAlias = "tuple[Literal['root'], int, Exact]"  # the degree and what is under the root
AtomicFactor: TypeAlias = "tuple[Literal['pi']] | _Log | _OfOne | _Root"
AtomPowers = tuple[tuple[AtomicFactor, int], ...]
Monomial = tuple[int, AtomPowers]
MonomialSum = dict[Monomial, Fraction]

ONE: Monomial = (1, ())
PI: AtomicFactor = ("pi",)
_HIGH = 60  # degrees beyond it are those of floats as exponents
MOST_BITS = 8192  # beyond this, two values that may be equal stay undecided


def as_sum(atom: AtomicFactor) -> MonomialSum:
    """Return an atom as a sum with one term."""
    return {(1, ((atom, 1),)): Fraction(1)}


def same(x: MonomialSum | None, y: MonomialSum | None) -> bool:
    """Return whether two denominators are written alike; None stands for 1."""
    return x is y or x == y


def add(x: MonomialSum, y: MonomialSum) -> MonomialSum:
    """Return the sum of two sums, without terms that cancel."""
    total = dict(x)
    for monomial, coefficient in y.items():
        key, factor = _like(monomial, total)
        value = total.get(key, Fraction(0)) + coefficient * factor
        if value:
            total[key] = value
        else:
            total.pop(key, None)
    return total


def _like(monomial: Monomial, total: MonomialSum) -> tuple[Monomial, Fraction]:
    """Return the monomial of a sum that this one is a rational multiple of, and the factor.

    Small radicands are square-free, so different ones are independent. A radicand too large to factor may still contain
    a square. But √d and √e are rational multiples of each other exactly if d·e is a perfect square, and then √d =
    (√(d·e)/e)·√e, so the test needs no factors.
    """
    if monomial in total:
        return monomial, Fraction(1)
    radicand, atoms = monomial
    for other, rest in total:
        if rest == atoms and max(radicand, other).bit_length() > FACTOR_BITS:
            root = math.isqrt(radicand * other)
            if root * root == radicand * other:
                return (other, rest), Fraction(root, other)
    return monomial, Fraction(1)


def times(x: MonomialSum, y: MonomialSum) -> MonomialSum:
    """Return the product of two sums; the squares in a product of radicands are taken out."""
    total: MonomialSum = {}
    for (d, atoms), p in x.items():
        for (e, more), q in y.items():
            outside, inside = square_free(d * e)
            total = add(total, _monomial(inside, _join(atoms, more), p * q * outside))
    return total


def _monomial(radicand: int, atoms: dict[AtomicFactor, int], coefficient: Fraction) -> MonomialSum:
    """Return one term as a sum, with powers of roots reduced: root(x, k)^k is x again."""
    extra: Exact | None = None
    kept: list[tuple[AtomicFactor, int]] = []
    fine: dict[Exact, Fraction] = {}  # exponents with large denominators, in lowest terms for each number
    for atom, exponent in atoms.items():
        if atom[0] == "root" and atom[1] > _HIGH:
            fine[atom[2]] = fine.get(atom[2], Fraction(0)) + Fraction(exponent, atom[1])
            continue
        if atom[0] == "root" and not 0 <= exponent < atom[1]:
            whole, exponent = divmod(exponent, atom[1])
            extra = atom[2] ** whole if extra is None else extra * atom[2] ** whole
        if exponent:
            kept.append((atom, exponent))
    for x, r in fine.items():
        rest = r % 1
        if rest.denominator > _HIGH:
            kept.append((("root", rest.denominator, x), rest.numerator))
            r -= rest
        if r:
            extra = x**r if extra is None else extra * x**r
    term: MonomialSum = {(radicand, tuple(sorted(kept, key=_order))): coefficient}
    if extra is None:
        return term
    if extra._den is not None:  # a quotient is no sum of monomials: keep it as one opaque atom
        return {(radicand, tuple(sorted([*kept, (("value", extra), 1)], key=_order))): coefficient}
    return times(term, extra._num)


def _order(item: tuple[AtomicFactor, int]) -> tuple[tuple[str, ...], int]:
    """Return a key that puts the atoms of a monomial in a canonical order."""
    return tuple(str(part) for part in item[0]), item[1]


def _join(x: AtomPowers, y: AtomPowers) -> dict[AtomicFactor, int]:
    """Return the powers of the atoms in a product of two monomials."""
    powers = dict(x)
    for atom, exponent in y:
        powers[atom] = powers.get(atom, 0) + exponent
    return powers


def quotient(num: MonomialSum, den: MonomialSum | None) -> tuple[MonomialSum, MonomialSum | None]:
    """Return num/den in the simplest form within reach, as a numerator and a denominator or None.

    A denominator of one term is inverted. One that holds only square roots is made rational by multiplying with
    conjugates: (x + y√p)(x − y√p) = x² − p·y² no longer has √p, so each step removes one prime, and eight steps are
    enough for what measures divide by. Any other denominator stays, with the coefficient of its first term scaled to 1.
    """
    if not num:
        return {}, None
    if den is None:
        return num, None
    for _ in range(8):
        if len(den) == 1:
            return _divide(num, den), None
        prime = _conjugating_prime(den)
        if prime is None:
            break
        conjugate = {k: (-v if k[0] % prime == 0 else v) for k, v in den.items()}
        num, den = times(num, conjugate), times(den, conjugate)
    ratio = _proportion(num, den)
    if ratio is not None:
        return {ONE: ratio}, None
    lead = den[min(den, key=str)]
    return {k: v / lead for k, v in num.items()}, {k: v / lead for k, v in den.items()}


def _divide(num: MonomialSum, den: MonomialSum) -> MonomialSum:
    """Return a sum divided by a single term; 1/√d is √d/d."""
    (((radicand, atoms), coefficient),) = den.items()
    inverse: MonomialSum = _monomial(radicand, {atom: -e for atom, e in atoms}, 1 / (coefficient * radicand))
    return times(num, inverse)


def _conjugating_prime(den: MonomialSum) -> int | None:
    """Return a prime that divides some radicands of a denominator but not all; None if it has atoms too."""
    if any(atoms for _, atoms in den):
        return None
    for radicand, _ in den:
        if radicand > 1 and radicand.bit_length() <= FACTOR_BITS:
            for prime, _exponent in factors(radicand):
                if any(other % prime for other, _ in den):
                    return prime
    return None


def _proportion(num: MonomialSum, den: MonomialSum) -> Fraction | None:
    """Return num/den if one is a rational multiple of the other, else None."""
    if num.keys() != den.keys():
        return None
    ratios = {num[k] / den[k] for k in den}
    return ratios.pop() if len(ratios) == 1 else None


# Signs


def certainly_not_zero(total: MonomialSum) -> bool:
    """Return whether a non-empty sum is known not to be zero, by the theorems of Besicovitch and Baker.

    The sum is multiplied by the atoms that stand below a line, with their highest powers there; this does not change
    whether it is zero. If every term is then of degree at most 1 in π and the logarithms of primes and has no other
    atom, the sum is β₀ + β₁L₁ + … + β_kL_k with different L among π and log p, and each β a non-empty sum of rational
    multiples of different square roots. By Besicovitch no β is 0, and each is algebraic; so by Baker the whole is not
    0.
    """
    least: dict[AtomicFactor, int] = {}
    for _, atoms in total:
        for atom, exponent in atoms:
            least[atom] = min(least.get(atom, 0), exponent)
    for _, atoms in total:
        powers = dict(atoms)
        degree = 0
        for atom in least:
            exponent = powers.get(atom, 0) - least[atom]
            if exponent and not (atom == PI or (atom[0] == "log" and isinstance(atom[1], int))):
                return False
            degree += exponent
        if degree > 1:
            return False
    return True


def sign_of(total: MonomialSum, certain: bool) -> int:
    """Return −1 or 1, the sign of a sum that is not zero.

    If the sum is `certain` not to be zero, doubling the precision ends: at some precision the ball is smaller than the
    distance to 0. Otherwise the search stops at `MOST_BITS` with `Undecided`, because it would never end for a zero.
    """
    bits = 64
    while certain or bits <= MOST_BITS:
        before, flint.ctx.prec = flint.ctx.prec, bits
        try:
            ball = ball_of(total, bits)
        finally:
            flint.ctx.prec = before
        if ball > 0:
            return 1
        if ball < 0:
            return -1
        bits *= 2
    raise Undecided(
        "undecided: {what} is zero to {bits} bits, and no theorem tells whether it is zero",
        what=text_of(total),
        bits=MOST_BITS,
    )


def ball_of(total: MonomialSum, bits: int) -> flint.arb:
    """Return a ball (python-flint ``arb``) that contains the value of a sum, at the precision in force."""
    value = flint.arb(0)
    for (radicand, atoms), coefficient in total.items():
        term = flint.arb(flint.fmpq(coefficient.numerator, coefficient.denominator))
        if radicand != 1:
            term = term * flint.arb(radicand).sqrt()
        for atom, exponent in atoms:
            term = term * _ball_of_power(atom, exponent, bits)
        value = value + term
    return value


def _ball_of_power(atom: AtomicFactor, exponent: int, bits: int) -> flint.arb:
    """Return a ball that contains a power of an atom; a root of a high degree is near 1, and its power is not."""
    if atom[0] == "root" and atom[1] > _HIGH:
        return atom[2].ball(bits) ** flint.arb(flint.fmpq(exponent, atom[1]))
    return _ball(atom, bits) ** exponent


def _ball(atom: AtomicFactor, bits: int) -> flint.arb:
    """Return a ball that contains the value of an atom."""
    if atom[0] == "pi":
        return flint.arb.pi()
    if atom[0] == "log":
        return (flint.arb(atom[1]) if isinstance(atom[1], int) else atom[1].ball(bits)).log()
    if atom[0] == "root":
        power: flint.arb = atom[2].ball(bits)
        return power.root(atom[1])
    inner: flint.arb = atom[1].ball(bits)
    return inner.exp() if atom[0] == "exp" else inner.acos() if atom[0] == "acos" else inner


# Text


def text_of(total: MonomialSum) -> str:
    """Return a sum as text, such as ``1/2 + 3*sqrt(5)``."""
    if not total:
        return "0"
    text = ""
    for monomial, coefficient in sorted(total.items(), key=lambda item: (len(item[0][1]), str(item[0]))):
        term = _term_text(monomial, abs(coefficient))
        if not text:
            text = f"-{term}" if coefficient < 0 else term
        else:
            text += f" - {term}" if coefficient < 0 else f" + {term}"
    return text


def _term_text(monomial: Monomial, coefficient: Fraction) -> str:
    """Return one term without its sign, as a product or a quotient."""
    radicand, atoms = monomial
    above = [] if radicand == 1 else [f"sqrt({radicand})"]
    below: list[str] = []
    for atom, exponent in atoms:
        name = _atom_text(atom)
        side = above if exponent > 0 else below
        side.append(name if abs(exponent) == 1 else f"{name}^{abs(exponent)}")
    if coefficient.numerator != 1 or not above:
        above.insert(0, str(coefficient.numerator))
    if coefficient.denominator != 1:
        below.insert(0, str(coefficient.denominator))
    top = "*".join(above)
    if not below:
        return top
    return f"{top}/{below[0]}" if len(below) == 1 else f"{top}/({'*'.join(below)})"


def _atom_text(atom: AtomicFactor) -> str:
    if atom[0] == "pi":
        return "pi"
    if atom[0] == "root":
        return f"sqrt({atom[2]})" if atom[1] == 2 else f"root({atom[2]}, {atom[1]})"
    if atom[0] == "value":
        return f"({atom[1]})"
    return f"{atom[0]}({atom[1]})"
