"""Prove that a measure is a power mean over classes of scores of one row and column (opitz2024, Property III).

**Claim.** There are a p and functions g_i of row i and column i with M = (1/m · Σ_i g_i^p)^(1/p); for p = 0 this is the
geometric mean. Scores are real numbers if p is an odd whole number, and not negative otherwise; for p ≤ 0 a score of 0
makes the mean 0, which is its limit. The measure is taken in its own sign.

**Anchors.** Let S_i be the cells in row i or column i, and for a set T of classes let P_T(C) be the matrix C in which
all cells outside ∩_{i∈T} S_i are replaced by 1. Put F = M^p (F = log M for p = 0). If

    F(C) = Σ_{T ≠ ∅} (−1)^{|T|+1} F(P_T(C))        for all C in the domain,

then M is decomposable: the term of T depends only on cells in S_i for the least i of T, so the right side is a sum of
functions f_i of row i and column i. (For a function on all matrices of whole numbers the condition is also necessary:
the right side is F − (1 − P_0)(1 − P_1)⋯F, and each factor 1 − P_i removes every summand that does not depend on the
cells outside S_i.) With p = 1 take g_i = m·f_i, with p = 0 take g_i = exp(m·f_i), which is positive. With p = −1 take
g_i = 1/(m·f_i) after adding constants with sum 0 to the f_i such that none of them is 0 anywhere; there are only
countably many values to avoid.

*p = 2*, for two classes and M ≥ 0: F = f_0 + f_1, where f_0 depends on c_00 and on the errors E = (c_01, c_10), and f_1
on c_11 and E. Given E, let the pairs (c_00, c_11) on which M has a value be all pairs of numbers from two sets. Since
F ≥ 0 on all of them, the greatest lower bounds of f_0 and f_1 on these sets are finite, and add up to F's, so to a
number ≥ 0. Subtract from f_0 its greatest lower bound, a function of E, and add it to f_1. Then both are ≥ 0, and
g_i = √(2·f_i). Whether M has a value depends on the support alone, so the condition on pairs is one on supports.

**Zeros.** For p = 0 and p = −1 the values on a support are all positive or all 0. Where M(C) is positive, so must be
all M(P_T(C)). Where M(C) = 0, there must be a class i with M(P_i(C)) = 0, and its score is defined as 0 on all matrices
with the same row and column; where M(C) > 0 this never happens, since M(P_i(C)) > 0 there. The formulas above define
g_j for each row and column of class j that occurs in a matrix with M > 0, since then all M(P_T(C)) are positive. Any
other row and column occurs only where M = 0, where the mean is 0 whatever g_j is: there g_j may be any number, such as
1.

For p = 0 both sides are products of positive values. They are equal if their m-th powers are, in which the m-th roots
of a geometric mean over classes are gone.

Where the measure has no value, nothing is demanded. The matrices P_T(C) may lie outside the domain; that is no harm,
since the g_i may be any functions.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, product

from goodmeasure.theory.algebra.orthant import RATIONAL, Outside, Poly
from goodmeasure.theory.algebra.quantities import Outcome, Quantity, constant, of_polynomial
from goodmeasure.theory.prove.signs import NoProof, positive, zero
from goodmeasure.theory.prove.support_cases import Reader, Split, Support, renamed, representatives, settle
from goodmeasure.theory.prove.values import in_domain, text
from goodmeasure.theory.statements.certificate import CertificateNode
from goodmeasure.theory.statements.domain import Domain

EXPONENTS = (1, -1, 0, 2)


def class_sets(m: int) -> list[tuple[int, ...]]:
    """Return the sets of classes, small ones first."""
    return [x for size in range(1, m + 1) for x in combinations(range(m), size)]


def anchored(cells: list[Poly], kept: tuple[int, ...], m: int, one: Poly) -> list[Poly]:
    """Return the cells with 1 in place of every cell that is outside the row and column of some of these classes."""
    return [p if all(i in divmod(k, m) for i in kept) else one for k, p in enumerate(cells)]


def prove_decomposable(reader: Reader, domain: Domain, *, symmetric: bool) -> tuple[list[CertificateNode], int]:
    """Return a node for each support, and the exponent p."""
    why = NoProof("no exponent")
    for p in EXPONENTS:
        if p == 2 and reader.m > 2:
            continue
        try:
            return _with_exponent(reader, domain, p, symmetric=symmetric), p
        except NoProof as error:
            why = error
    raise why


def _with_exponent(reader: Reader, domain: Domain, p: int, *, symmetric: bool) -> list[CertificateNode]:
    """Return a node for each support that shows that the power p of the measure is a sum over classes."""
    m, nodes = reader.m, list[CertificateNode]()
    supports = iter(sorted(in_domain(reader, domain), reverse=True))  # the full support first, where most p fail
    if symmetric:
        supports = representatives(supports, m, lambda x, q: renamed(x, q, m))
    for support in supports:

        def prove(splits: tuple[Split, ...], support: Support = support) -> CertificateNode:
            return _apart(reader, reader.cells(support, splits), p)

        nodes += [{"support": text(support), "proof": node} for node in settle(reader, prove, 2)]
    if p == 2 and (any(node["proof"]["splits"] for node in nodes) or not _has_pairs(nodes)):
        raise NoProof("not all pairs of right predictions have a value")
    return nodes


def _has_pairs(nodes: list[CertificateNode]) -> bool:
    """Return whether, for given errors, the right predictions with a value are all pairs of those of both classes."""
    seen: dict[str, set[tuple[str, str]]] = {}
    for node in nodes:
        if node["proof"]["by"] != "undefined":
            one, errors, two = node["support"][0], node["support"][1:3], node["support"][3]
            seen.setdefault(errors, set()).add((one, two))
    return all(x == set(product({one for one, _ in x}, {two for _, two in x})) for x in seen.values())


def _apart(reader: Reader, cells: list[Poly], p: int) -> CertificateNode:
    """Return a node that shows that the power p of the value on these cells is the sum of its anchored values."""
    value = _own(reader, cells)
    if not isinstance(value, Quantity):
        return {"by": "undefined"}
    one, sets = reader.orthant.one, class_sets(reader.m)
    values = [_own(reader, anchored(cells, kept, reader.m, one)) for kept in sets]
    if p in (0, -1) and not value.num:
        return {"by": "zero score", "class": _killer(values[: reader.m])}
    known = [x for x in values if isinstance(x, Quantity)]
    if len(known) < len(values):
        raise NoProof("an anchored matrix has no value")
    signs = [(-1) ** (len(kept) + 1) for kept in sets]
    if p == 1:
        return zero(value - sum((x * sign for x, sign in zip(known, signs, strict=True)), constant(reader.orthant, 0)))
    if p == 2:
        total = sum((x * x * sign for x, sign in zip(known, signs, strict=True)), constant(reader.orthant, 0))
        zero(value * value - total)
        return {"by": "powers", "values": [positive(value, strict=False)]}
    above = [positive(x) for x in (value, *known)]
    _same(value, known, signs, p)
    return {"by": "powers", "values": above}


def _own(reader: Reader, cells: list[Poly]) -> Outcome:
    """Return the value on these cells in the measure's own sign."""
    value = reader.value(cells)
    return value if not isinstance(value, Quantity) else value * reader.sign


def _killer(values: list[Outcome]) -> int:
    """Return a class whose own row and column make the measure 0."""
    for i, x in enumerate(values):
        if isinstance(x, Quantity) and not x.num:
            return i
    raise NoProof("no class alone makes the value 0")


def _same(value: Quantity, values: list[Quantity], signs: list[int], p: int) -> None:
    """Demand that the power p of a value is the sum of those of the anchored ones, or for p = 0 the product."""
    try:
        if p:
            total = sum((sign / x for x, sign in zip(values, signs, strict=True)), constant(value.orthant, 0))
            zero(1 / value - total)
            return
        left, right = value, constant(value.orthant, 1)
        for x, sign in zip(values, signs, strict=True):
            left, right = (left, right * x) if sign > 0 else (left * x, right)
        try:
            zero(left - right)
        except NoProof:
            m = round(math.log2(len(values) + 1))  # there is a value for each set of classes but the empty one
            zero(_raised(left, m) - _raised(right, m))
    except Outside as error:
        raise NoProof(str(error)) from None


def _raised(x: Quantity, k: int) -> Quantity:
    """Return the k-th power of a product of polynomials, roots and powers, with k·r in place of each exponent r."""
    ring, parts = x.orthant, []
    for part in (x.num, x.den):
        if len(part) != 1:
            raise NoProof("not a product of powers")
        ((key, p),) = part.items()
        found = of_polynomial(ring, p**k) * Quantity(ring, {(key[0],): ring.one}, {RATIONAL: ring.one}) ** k
        for name in key[1:]:
            if ring.atoms[name].kind != "power":
                raise NoProof("not a product of powers")
            r, inner = ring.atoms[name].argument(0, Fraction), ring.atoms[name].argument(1, Quantity)
            found = found * inner ** (r * k)
        parts.append(found)
    return parts[0] / parts[1]
