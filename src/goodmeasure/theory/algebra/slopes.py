"""Derivatives of quantities along a direction, and their values where variables take other values.

The derivative is formed by the usual rules: the quotient rule, (√q)′ = q′/(2√q), and the chain rule for atoms. A power
mean M_r(u, v) has two partial derivatives, which are new atoms `slope1` and `slope2`. Both are positive, because a
power mean of positive numbers is strictly increasing in each of them, and u·slope1 + v·slope2 = M_r(u, v) by Euler's
theorem, because it is homogeneous of degree 1. `with_slopes` uses the second fact to write a numerator in the slopes
alone, so that terms in the mean and terms in its slopes can cancel. These are the only facts about slopes that proofs
use, so they hold for an open exponent too.

`at` substitutes polynomials for variables, 0 among them, and forms roots and atoms again at the new place. Where the
new denominator does not vanish, the quantity is continuous there, and `at` is its limit as well as its value: a
quotient of sums of products is continuous where its parts are, and every atom that `_atom_at` admits is continuous in
its arguments where these may lie. Roots and powers with positive exponents are continuous on [0, ∞), logarithms on
(0, ∞), the arc cosine on [−1, 1] (which is closed, so the limit of arguments in it lies in it), means of two values on
(0, ∞)², and greatest and least values everywhere; anywhere else, and for all other atoms, it raises `Outside`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from goodmeasure.theory.algebra import quantities
from goodmeasure.theory.algebra.orthant import RATIONAL, Orthant, Outside, Poly, ProductKey, SumOfProducts
from goodmeasure.theory.algebra.quantities import Quantity, constant, of_atom, of_polynomial

Direction = Mapping[int, int]  # how fast each variable grows, by its number


def derivative(x: Quantity, direction: Direction) -> Quantity:
    """Return the derivative of a quantity along a direction."""
    ring, top, below = x.orthant, _whole(x.orthant, x.num), _whole(x.orthant, x.den)
    change = _of_sum(ring, x.num, direction) * below - top * _of_sum(ring, x.den, direction)
    return with_slopes(change) / (below * below)


def along(p: Poly, direction: Direction) -> Poly:
    """Return the derivative of a polynomial along a direction."""
    return sum((p.derivative(k) * step for k, step in direction.items()), 0 * p)


def _whole(ring: Orthant, x: SumOfProducts) -> Quantity:
    """Return a sum as a quantity with denominator 1."""
    return Quantity(ring, x, {RATIONAL: ring.constant(1)})


def _of_sum(ring: Orthant, x: SumOfProducts, direction: Direction) -> Quantity:
    """Return the derivative of a sum, term by term with the product rule."""
    total = constant(ring, 0)
    for key, p in x.items():
        total = total + _whole(ring, {} if along(p, direction).is_zero() else {key: along(p, direction)})
        under = ring.roots[key[0]]
        if not along(under, direction).is_zero():
            total = total + Quantity(ring, {key: p * along(under, direction)}, {RATIONAL: 2 * under})
        for name in key[1:]:
            total = total + _whole(ring, {_without(key, name): p}) * _of_atom(ring, name, direction)
    return total


def _without(key: ProductKey, name: str) -> ProductKey:
    """Return a key with one occurrence of an atom removed."""
    k = key.index(name, 1)
    return key[:k] + key[k + 1 :]


def _of_atom(ring: Orthant, name: str, direction: Direction) -> Quantity:
    """Return the derivative of an atom; `Outside` where it may not exist, as for the greatest of some values."""
    atom = ring.atoms[name]
    kind, about = atom.kind, atom.about
    if kind in ("pi", "share"):
        return constant(ring, 0)
    if kind == "mean":
        u, v = (atom.argument(k, Poly) for k in (1, 2))
        first, second = _slopes(ring, about[0], u, v)
        return first * of_polynomial(ring, along(u, direction)) + second * of_polynomial(ring, along(v, direction))
    if kind in ("greatest", "least"):
        if any(derivative(quantities.of(ring, x), direction).num for x in about[1:]):
            raise Outside("the slope of the greatest of some values")
        return constant(ring, 0)
    inner = atom.argument(-1, Quantity)
    step = derivative(inner, direction)
    if not step.num:
        return step
    if kind == "arccos":
        return -step / quantities.sqrt(1 - inner * inner)
    if kind == "sqrt":
        return step / (2 * of_atom(ring, ("1", name)))
    if kind == "log":
        return step / inner
    if kind == "power":
        return step * atom.argument(0, Fraction) * of_atom(ring, ("1", name)) / inner
    raise Outside(f"the derivative of {kind}")


_SLOPES = ("slope1", "slope2")  # the kinds of the atoms that stand for the partial derivatives of a power mean


def _slopes(ring: Orthant, r: object, u: Poly, v: Poly) -> list[Quantity]:
    """Return the two partial derivatives of a power mean as atoms; both are positive."""
    return [of_atom(ring, ring.atom(kind, r, u, v, positive=True)) for kind in _SLOPES]


def with_slopes(x: Quantity) -> Quantity:
    """Return the same value with each power mean in the numerator written as u·slope1 + v·slope2 (Euler)."""
    ring = x.orthant
    names = {name for key in x.num for name in key[1:]}
    if not any(ring.atoms[name].kind in _SLOPES for name in names):
        return x
    for name in sorted(x for x in names if ring.atoms[x].kind == "mean"):
        atom = ring.atoms[name]
        u, v = (atom.argument(k, Poly) for k in (1, 2))
        first, second = _slopes(ring, atom.about[0], u, v)
        euler = first * of_polynomial(ring, u) + second * of_polynomial(ring, v)
        total = constant(ring, 0)
        for key, p in x.num.items():
            product = _whole(ring, {tuple(y for y in key if y != name): p})
            for _ in range(key.count(name)):
                product = product * euler
            total = total + product
        x = Quantity(ring, total.num, ring.times(x.den, total.den))
    return x


def at(x: Quantity, images: Mapping[int, Poly]) -> Quantity | None:
    """Return the value where some variables take other values; None where the denominator vanishes there."""
    ring = x.orthant
    place = [images.get(k, g) for k, g in enumerate(ring.context.gens())]
    below = _sum_at(ring, x.den, place)
    return None if below.sign() == 0 else _sum_at(ring, x.num, place) / below


def _sum_at(ring: Orthant, x: SumOfProducts, place: list[Poly]) -> Quantity:
    """Return a sum with these polynomials in place of the variables."""
    total = constant(ring, 0)
    for key, p in x.items():
        term = of_polynomial(ring, _put(ring, p, place))
        if key[0] != "1":
            term = term * quantities.sqrt(of_polynomial(ring, _put(ring, ring.roots[key[0]], place)))
        for name in key[1:]:
            term = term * _atom_at(ring, name, place)
        total = total + term
    return total


def _put(ring: Orthant, p: Poly, place: list[Poly]) -> Poly:
    """Return a polynomial with others substituted for the variables; zeros first, since most terms vanish with them."""
    p = p.subs({name: 0 for name, q in zip(ring.variables, place, strict=True) if q.is_zero()})
    rest = [g if q.is_zero() else q for g, q in zip(ring.context.gens(), place, strict=True)]
    return p if all(q == g for g, q in zip(ring.context.gens(), rest, strict=True)) else p.compose(*rest)


def _atom_at(ring: Orthant, name: str, place: list[Poly]) -> Quantity:
    """Return an atom with these polynomials in place of the variables."""
    atom = ring.atoms[name]
    kind, about = atom.kind, atom.about
    if kind in ("pi", "share"):
        return of_atom(ring, ("1", name))
    if kind == "mean":
        u, v = (of_polynomial(ring, atom.argument(k, Poly).compose(*place)) for k in (1, 2))
        if u.sign() <= 0 or v.sign() <= 0:
            raise Outside("a power mean at the boundary of its domain")
        return quantities.mean(u, v, about[0])
    if kind in ("greatest", "least"):
        there = [at(quantities.of(ring, x), dict(enumerate(place))) for x in about[1:]]
        if any(x is None for x in there):
            raise Outside("the greatest of some values where one of them has no value")
        return quantities.extreme([x for x in there if x is not None], kind)
    inner = at(atom.argument(-1, Quantity), dict(enumerate(place)))
    if inner is None:
        raise Outside(f"{kind} of something that has no value there")
    if kind == "arccos":
        return of_atom(ring, ring.atom("arccos", inner, positive=False))
    if kind in ("sqrt", "log", "power") and inner.sign() < (1 if kind == "log" else 0):
        raise Outside(f"{kind} at the boundary of its domain")
    if kind == "sqrt":
        return quantities.sqrt(inner)
    if kind == "log":
        return quantities.log(inner)
    if kind == "power":
        return quantities.power(inner, atom.argument(0, Fraction))
    raise Outside(f"{kind} after a substitution of variables")
