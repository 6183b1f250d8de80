"""The sign rules on the prover's sums, for proofs about every number of classes only."""

from __future__ import annotations

from typing import Any

from goodmeasure.exceptions import CertificateError as CertificateError
from goodmeasure.theory.algebra.orthant import RATIONAL, Orthant, Poly, Sum
from goodmeasure.theory.algebra.quantities import Quantity, text
from goodmeasure.theory.statements.certificate import Node, record


def demand(condition: bool, why: str) -> None:
    """Raise `CertificateError` unless a condition holds."""
    if not condition:
        raise CertificateError(why)


def check_zero(node: Node, x: Quantity) -> None:
    """Check that a difference is 0 as a formula: its numerator has no terms left."""
    demand(node.get("by") == "zero" and not x.num, f"a difference that should be 0 is {str(x)[:100]}")


def check_positive(node: Node, x: Quantity, *, strict: bool, whole: bool) -> None:
    """Check that a node shows a value to be positive, or not negative if ``strict`` is False.

    ``whole``: the variables are whole numbers, not any positive reals.
    """
    ring = x.orthant
    if node.get("by") == "zero":
        demand(not strict and not x.num, "a value that should be positive is said to be 0")
        return
    if node.get("by") == "quotient":
        check_sum(node["above"], ring, x.num, strict=strict, whole=whole)
        check_sum(node["below"], ring, x.den, strict=True, whole=whole)
        return
    demand(set(x.den) == {RATIONAL} and _all_positive(x.den[RATIONAL]), "a denominator is not shown to be positive")
    check_sum(node, ring, x.num, strict=strict, whole=whole)


def check_sum(node: Node, ring: Orthant, x: Sum, *, strict: bool, whole: bool) -> None:
    """Check that a node shows a sum of polynomials times roots and atoms to be positive (or not negative)."""
    demand(not ring.free, "nothing is known of some variables")
    by = node.get("by")
    if by == "zero":
        demand(not strict and not x, "a sum that should be positive is said to be 0")
        return
    demand(bool(x), "a sum that should be positive is 0")
    demand(node.get("of") == record(text(x)), f"the certificate names another polynomial than {text(x)[:150]}")
    for key in x:
        demand(all(ring.atoms[name].positive for name in key[1:]), f"the sign of {key[1:]} is not known")
    if by == "coefficients":
        demand(all(_all_positive(p) for p in x.values()), "a coefficient is not positive")
    elif by == "factors":
        _check_factors(x, strict=strict)
    elif by == "shift":
        demand(whole, "a shift by 1 is for whole numbers only")
        _check_shift(ring, x, strict=strict)
    elif by == "multiply":
        _check_multiplied(ring, x, node["power"])
    elif by == "square":
        _check_square(node, ring, x, strict=strict, whole=whole)
    elif by == "between":
        _check_between(node, ring, x, strict=strict, whole=whole)
    else:
        raise CertificateError(f"{by!r} is no way to show that a sum is positive")


def _all_positive(p: Poly) -> bool:
    return bool(p != 0 and all(c > 0 for c in p.coeffs()))


def _all_negative(p: Poly) -> bool:
    return bool(p != 0 and all(c < 0 for c in p.coeffs()))


def _check_factors(x: Sum, *, strict: bool) -> None:
    """Demand that the signs of the factors show one polynomial to be positive (or not negative)."""
    demand(len(x) == 1, "factors are of one polynomial")
    (p,) = x.values()
    content, factors = p.factor()
    product, sign = p.context().constant(int(content)), 1 if content > 0 else -1
    for factor, multiplicity in factors:
        product = product * factor**multiplicity
        if not strict and multiplicity % 2 == 0:
            continue
        demand(_all_positive(factor) or _all_negative(factor), f"the factor {factor} changes its sign")
        sign *= -1 if _all_negative(factor) and multiplicity % 2 else 1
    demand(product == p and sign > 0, "the factors do not show that the product is positive")


def _check_shift(ring: Orthant, x: Sum, *, strict: bool) -> None:
    """Demand that no coefficient in x′ = x − 1 is negative; if strict, also that the sum is positive at x′ = 0."""
    gens = ring.context.gens()
    shifted = [p.compose(*(g + 1 for g in gens)) for p in x.values()]
    demand(all(c > 0 for p in shifted for c in p.coeffs()), "a coefficient is negative after the shift")
    demand(not strict or any(p[(0,) * len(gens)] > 0 for p in shifted), "the sum may be 0 where all variables are 1")


def _check_multiplied(ring: Orthant, x: Sum, power: int) -> None:
    """Demand that a polynomial times a power of the sum of its variables has positive coefficients."""
    demand(len(x) == 1 and isinstance(power, int) and 0 < power < 50, "a multiplier is for one polynomial")
    (p,) = x.values()
    used = [g for g, degree in zip(ring.context.gens(), p.degrees(), strict=True) if degree]
    demand(_all_positive(p * sum(used[1:], used[0]) ** power), "a coefficient is negative after multiplying")


def _check_square(node: Node, ring: Orthant, x: Sum, *, strict: bool, whole: bool) -> None:
    """Demand that the part `up` is positive and has the larger square (or an equal one, if not strict)."""
    up = {key: p for key, p in x.items() if "*".join(key) in node["up"]}
    down = {key: p for key, p in x.items() if key not in up}
    check_sum(node["positive"], ring, up, strict=True, whole=whole)
    above, below = ring.times(up, up), ring.times(down, down)
    difference = ring.plus(above, {key: -p for key, p in below.items()})
    check_sum(node["squares"], ring, difference, strict=strict, whole=whole)


def _check_between(node: Node, ring: Orthant, x: Sum, *, strict: bool, whole: bool) -> None:
    """Check a sum that is linear in something between two polynomials, by its values at these two."""
    name = node["mean"]
    demand(name in ring.atoms and ring.atoms[name].kind in ("mean", "greatest", "least"), f"{name} is no mean")
    demand(all(key.count(name) <= 1 and len(key) <= 2 for key in x), "the sum is not linear in the mean")
    strong = 0
    for end, bound in zip(node["ends"], ring.atoms[name].about[1:], strict=True):
        there: Sum = {}
        for key, p in x.items():
            there = ring.plus(there, {(key[0],): p * bound} if name in key else {key: p})
        try:
            check_sum(end, ring, there, strict=True, whole=whole)
            strong += 1
        except CertificateError:
            check_sum(end, ring, there, strict=False, whole=whole)
    needed = 1 if ring.atoms[name].kind == "mean" else 2
    demand(not strict or strong >= needed, "the sum may be 0 at both ends")


def angle(x: Any) -> tuple[int, str, Any]:
    """Return the sign, the scale and the cosine of a value that is a constant times an arc cosine."""
    demand(len(x.num) == 1 and len(x.den) == 1, "the value is not a multiple of one angle")
    (key, p), (below, q) = next(iter(x.num.items())), next(iter(x.den.items()))
    kind = x.orthant.atoms[key[1]].kind if len(key) == 2 and key[0] == "1" else ""
    demand(kind == "arccos" and p.is_constant() and q.is_constant(), "the value is not a multiple of one angle")
    demand(below in (RATIONAL, ("1", "pi()")), "the value is not a multiple of one angle")
    positive = (p.leading_coefficient() > 0) == (q.leading_coefficient() > 0)
    return 1 if positive else -1, f"{p}/{q}*{below}", x.orthant.atoms[key[1]].about[0]


def unmapped(low: Any, high: Any, kind: str) -> Any:
    """Return a value with the sign of high − low, where both are the same monotone function of inner values.

    ``arccos``: both are the same constant times an arc cosine, which falls with the cosine. ``square``: both have the
    same sign (or are 0), so their squares are in the same order if they are positive and in the opposite one if they
    are negative.
    """
    if kind == "arccos":
        first, second = angle(low), angle(high)
        demand(first[:2] == second[:2], "the two angles are scaled differently")
        return (first[2] - second[2]) * first[0]
    demand(kind == "square", f"{kind!r} is no map that certificates know")
    signs = {x.sign() for x in (low, high)} - {0}
    demand(len(signs) <= 1, "the two values have different signs")
    return (high * high - low * low) * (signs.pop() if signs else 1)
