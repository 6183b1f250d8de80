"""Expand sums over all classes into simple sums, with Σ 1 = m and Σ a = Σ b = n.

**Rule.** A closed sum Σ_i f is linear in f. If f = Σ_l g_l·f_l, where each f_l is a product of letters of class i and
roots or atoms in them over a denominator in them, and g_l depends on no class, then Σ_i f = Σ_l g_l·Σ_i f_l. Four
simple sums are known for every matrix of every size: Σ_i 1 = m, Σ_i a_i = n, Σ_i b_i = n, and Σ_{i≠j} 1 = m(m − 1). All
others stay atoms of their own.

**Use.** Two values are equal for every m if their difference, expanded in this way, has no terms left. This is a
sufficient condition; relations between the remaining atoms, such as Σ_{i≠j} c_ij = n − Σ_i c_ii, are not used. A value
whose parts belong to single classes can be bounded class by class (`prove/every_m.py`).

**What `expanded` returns.** It brings everything over one denominator, demands that this depends on no class and is
positive, and drops it. So its result is the given sum times a positive factor in n and m. It has the same zeros and
signs as the given sum, and not the same value. `function_of_m` keeps the denominators.
"""

from __future__ import annotations

from goodmeasure.theory.algebra.every_m_readings import EveryOrthant, letters_from
from goodmeasure.theory.algebra.orthant import RATIONAL, Orthant, Outside, Poly, SumOfProducts
from goodmeasure.theory.algebra.quantities import Quantity, constant, letters_of_atom, of_atom, of_polynomial


def expanded(ring: EveryOrthant, x: SumOfProducts) -> SumOfProducts:
    """Return a positive multiple of a sum, with each closed sum over classes in it expanded."""
    above, below = _taken_apart(ring, x)
    if ring.sign(below) != 1:
        raise Outside("a denominator that may be negative")
    return above


def function_of_m(ring: EveryOrthant, x: Quantity) -> tuple[Poly, Poly] | None:
    """Return polynomials p and q in k = m − 1 with x = p/q for every matrix and every m; None where none are found.

    Write x = (A/α)/(B/β) with sums A and B taken apart over denominators α and β that depend on no class. Then x = p/q
    if β·A·q and α·B·p are the same sum. The quotient of their terms with one key is the only candidate for p/q.
    """
    if not x.num:
        return ring.constant(0), ring.one
    (above, alpha), (below, beta) = _taken_apart(ring, x.num), _taken_apart(ring, x.den)
    left, right = ring.scaled(above, beta), ring.scaled(below, alpha)
    if not left or not right:
        return (ring.constant(0), ring.one) if right else None
    key, q = next(iter(right.items()))
    both = Quantity(ring, {RATIONAL: left.get(key, 0 * q)}, {RATIONAL: q}).as_polynomials() if key in left else None
    if both is None or (ring.letters(both[0]) | ring.letters(both[1])) - {"k"}:
        return None
    return None if ring.plus(ring.scaled(left, both[1]), ring.scaled(right, -both[0])) else both


def _taken_apart(ring: EveryOrthant, x: SumOfProducts) -> tuple[SumOfProducts, Poly]:
    """Return a sum with all its closed sums over classes expanded, and a denominator that depends on no class."""
    total = constant(ring, 0)
    for key, p in x.items():
        term = Quantity(ring, {(key[0],): p}, {RATIONAL: ring.constant(1)})
        for name in key[1:]:
            atom = ring.atoms[name]
            if atom.kind in ("sum", "pairs"):
                term = term * apart(ring, atom.kind, atom.argument(0, int), atom.argument(1, Quantity))
            else:
                term = term * of_atom(ring, ("1", name))
        total = total + term
    if set(total.den) != {RATIONAL} or letters_from(0) & ring.letters(total.den[RATIONAL]):
        raise Outside("closed sums with different denominators")
    return total.num, total.den[RATIONAL]


def apart(ring: EveryOrthant, kind: str, depth: int, body: Quantity) -> Quantity:
    """Return a closed sum as a combination of simple closed sums; what does not depend on the class moves outside."""
    if set(body.den) != {RATIONAL}:
        return of_atom(ring, ring.atom(kind, depth, body, positive=False))
    own = letters_from(depth)
    inside, outside = ring.constant(1), ring.constant(1)
    content, factors = body.den[RATIONAL].factor()
    outside = outside * int(content)
    for factor, multiplicity in factors:
        if own & ring.letters(factor):
            inside = inside * factor**multiplicity
        else:
            outside = outside * factor**multiplicity
    total = constant(ring, 0)
    for key, p in body.num.items():
        kept = [name for name in key[1:] if own & letters_of_atom(ring, name)]
        taken = [name for name in key[1:] if not own & letters_of_atom(ring, name)]
        root_inside = key[0] if own & ring.letters(ring.roots[key[0]]) else "1"
        for local, factor in _by_letters(ring, p, own).items():
            simple = _simple(ring, kind, depth, (root_inside, *kept), local, inside)
            root_outside = "1" if root_inside != "1" else key[0]
            total = total + simple * Quantity(ring, {(root_outside, *taken): factor}, {RATIONAL: outside})
    return total


def _by_letters(ring: Orthant, p: Poly, own: frozenset[str]) -> dict[tuple[int, ...], Poly]:
    """Return a polynomial as {exponents of the class's own letters: factor without these letters}."""
    mine = [name in own for name in ring.variables]
    parts: dict[tuple[int, ...], Poly] = {}
    for monomial, c in zip(p.monoms(), p.coeffs(), strict=True):
        local = tuple(int(e) if x else 0 for e, x in zip(monomial, mine, strict=True))
        rest = tuple(0 if x else int(e) for e, x in zip(monomial, mine, strict=True))
        parts[local] = (parts[local] if local in parts else ring.constant(0)) + ring.context.from_dict({rest: int(c)})
    return parts


def _simple(
    ring: EveryOrthant, kind: str, depth: int, key: tuple[str, ...], local: tuple[int, ...], below: Poly
) -> Quantity:
    """Return the closed sum of one product of a class's letters: m, n, or an atom."""
    above = ring.context.from_dict({local: 1})
    if key == ("1",):
        body = Quantity(ring, {RATIONAL: above}, {RATIONAL: below})
        both = body.as_polynomials()
        g = ring.variables
        if both is not None and both[1].is_one():
            if both[0].is_one():
                return of_polynomial(ring, g["k"] + 1 if kind == "sum" else g["k"] * (g["k"] + 1))
            if kind == "sum" and both[0] in (g[f"a{depth}"], g[f"b{depth}"]):
                return of_polynomial(ring, g["n"])
    else:
        body = Quantity(ring, {key: above}, {RATIONAL: below})
    return of_atom(ring, ring.atom(kind, depth, body, positive=False))
