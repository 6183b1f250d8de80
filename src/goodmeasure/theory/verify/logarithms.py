"""What the verifier knows of sums of logarithms of quotients of polynomials.

**Factors.** If x is a quotient of products of prime numbers and of polynomials f which are positive wherever all
variables are, then x > 0 and log x = Σ e·log f. `taken_apart` writes logarithms in this way, so that a sum of them
that is 0 can be seen to be 0.

**Tangents.** For every P > 0, log P ≤ P − 1, because the logarithm is concave and has this tangent at 1; with 1/P in
the place of P, log P ≥ 1 − 1/P. For P = Q^d with Q > 0 and a whole number d > 0, log P = d·log Q ≥ d·(1 − 1/Q), and
log P ≤ d·(Q − 1). Let p be a polynomial Σ v_k·log x_k + r, where the v_k and r are polynomials in the variables.

* *by monomials*: p = Σ_μ μ·log P_μ + r, where μ runs through the monomials of the v_k. With log x_k = Σ_f e_kf·log f,
  P_μ is the product of the f^(Σ_k c_kμ·e_kf), where c_kμ is the coefficient of μ in v_k. All variables are positive
  (one that may be 0 has been replaced by 0 in a case of its own), so μ > 0, and p ≥ Σ_μ μ·d·(1 − 1/Q_μ) + r with
  Q_μ^d = P_μ.
* *by logarithms*: if v_k ≥ 0, then v_k·log x_k ≥ v_k·d·(1 − 1/Q), and if v_k ≤ 0, then v_k·log x_k ≥ v_k·d·(Q − 1),
  with Q^d = x_k.

So what `floors` returns is nowhere greater than p.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from goodmeasure.packages import flint
from goodmeasure.theory.verify.arithmetic import NOT_DOWN, NOT_UP, UP, Atoms, FunctionValue, Ground, Poly
from goodmeasure.theory.verify.atoms import log, put

Exponents = dict[str, int]  # of a product of powers, by the text of each base

MOST_EXPONENTS = 24  # their sum, in a product of powers that is multiplied out
MOST_PARTS = 300


class Bases:
    """Positive polynomials, and the prime numbers among them, by their text."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.known: dict[str, Poly] = {}

    def exponents(self, x: FunctionValue) -> Exponents | None:
        """Return the exponents of a quotient as a product of powers of positive bases; None where it is not seen."""
        if x.atoms or x.is_zero:
            return None
        found: Exponents = {}
        for p, turn in ((x.num, 1), (x.den, -1)):
            content, factors = p.factor()
            if content < 0:
                return None
            primes = [(self.ground.constant(int(q)), e) for q, e in flint.fmpz(int(content)).factor()]
            for base, e in (*primes, *factors):
                if self.ground._of_terms(base, ()) != UP:
                    return None
                self.known[str(base)] = base
                found[str(base)] = found.get(str(base), 0) + turn * int(e)
        return {base: e for base, e in found.items() if e}

    def bound(self, exponents: Exponents, *, below: bool) -> FunctionValue | None:
        """Return d·(1 − 1/Q), or d·(Q − 1) if not ``below``, for the product Q^d of powers of bases."""
        d = gcd(*exponents.values())
        if sum(abs(e) for e in exponents.values()) > MOST_EXPONENTS * d:
            return None
        q = self.ground.one
        for base, e in exponents.items():
            q = q * self.ground.value(self.known[base]) ** (e // d)
        return (1 - 1 / q) * d if below else (q - 1) * d


def taken_apart(x: FunctionValue) -> FunctionValue:
    """Return the numerator of a value with each logarithm in it as a sum of those of its factors, if that is seen."""
    ground, bases = x.ground, Bases(x.ground)
    images: dict[int, FunctionValue] = {}
    for k in x.atoms:
        inner = ground.atoms[k].exponential
        exponents = None if inner is None else bases.exponents(inner)
        if exponents is not None:
            total = ground.rational(0)
            for base, e in exponents.items():
                total = total + log(ground.value(bases.known[base])) * e
            images[k] = total
    return put(x, x.num, images) if images else x


def floors(ground: Ground, p: Poly, atoms: Atoms) -> Iterator[FunctionValue]:
    """Yield values without logarithms that are nowhere greater than a polynomial that is linear in logarithms."""
    bases = Bases(ground)
    inner = {k: ground.atoms[k].exponential for k in atoms}
    exponents = {k: None if x is None else bases.exponents(x) for k, x in inner.items()}
    known = {k: x for k, x in exponents.items() if x is not None}
    if len(known) < len(atoms) or any(p.degrees()[j] > 1 for j in range(len(atoms))):
        return
    parts: dict[int | None, dict[tuple[int, ...], int]] = {}
    for monomial, c in zip(p.monoms(), p.coeffs(), strict=True):
        mine = [k for k, e in zip(atoms, monomial, strict=False) if e]
        if len(mine) > 1:
            return
        place = tuple(map(int, monomial[len(atoms) :]))
        parts.setdefault(mine[0] if mine else None, {})[place] = int(c)
    rest = ground.value(ground.context.from_dict(parts.pop(None, {})))
    logs = {k: terms for k, terms in parts.items() if k is not None}
    for bounds in (_by_monomials(bases, logs, known), _by_logarithms(bases, logs, known)):
        total = rest
        for bound in bounds:
            if bound is None:
                break
            total = total + bound
        else:
            yield total


_Terms = dict[int, dict[tuple[int, ...], int]]  # for each logarithm the terms of its coefficient


def _by_monomials(bases: Bases, logs: _Terms, known: dict[int, Exponents]) -> Iterator[FunctionValue | None]:
    """Yield μ·d·(1 − 1/Q) for each monomial μ of the coefficients."""
    ground, found = bases.ground, dict[tuple[int, ...], Exponents]()
    for k, terms in logs.items():
        for place, c in terms.items():
            together = found.setdefault(place, {})
            for base, e in known[k].items():
                together[base] = together.get(base, 0) + c * e
    if len(found) > MOST_PARTS:
        yield None
        return
    for place, exponents in found.items():
        left = {base: e for base, e in exponents.items() if e}
        if left:
            bound = bases.bound(left, below=True)
            yield None if bound is None else bound * ground.value(ground.context.from_dict({place: 1}))


def _by_logarithms(bases: Bases, logs: _Terms, known: dict[int, Exponents]) -> Iterator[FunctionValue | None]:
    """Yield v·d·(1 − 1/Q) for each logarithm with a coefficient v ≥ 0, and v·d·(Q − 1) if v ≤ 0."""
    ground = bases.ground
    for k, terms in logs.items():
        v = ground.value(ground.context.from_dict(terms))
        signs = v.signs()
        bound = bases.bound(known[k], below=signs <= NOT_DOWN) if signs <= NOT_DOWN or signs <= NOT_UP else None
        yield None if bound is None else bound * v
