"""Facts about signs: each names a polynomial, its sign, and the rule that shows it.

A fact is ``{"of": polynomial, "sign": ">", "by": rule, …}``. Coefficients alone need no fact. Every rule works out what
it is given and demands that it comes out as stated; facts that stand before it may be used. All variables are positive,
those of `Ring.whole` are whole numbers, and an atom is any number with the sign that it has.

- *shift*: a whole variable x is 1 + x′ with x′ ≥ 0. If the polynomial in the x′ has no negative term, neither is the
  value negative; it is positive if a term without any x′ is positive. ``variables``: those that are shifted (all).
- *products*: Q·f = Σ k·∏ g^e, where Q is positive, each k ≥ 0 and each factor g^e has a known sign: an even power is
  not negative, whatever g is. So f is not negative; it is positive if some summand is. This covers factors (one
  summand), multiplication by a positive polynomial, sums of squares, and quadratic polynomials: 4a·(at² + bt + c) =
  (2at + b)² + (4ac − b²). A summand with a polynomial of which a split says that it is 0 is 0, whatever k is.
- *powers*: f = U + V with U ≥ 0. If U^d − (−V)^d is positive (not negative), so is f: were U ≤ −V (U < −V), then
  0 ≤ U ≤ −V, and U^d ≤ (−V)^d, as powers increase on [0, ∞). Roots in U and V lose their roots by it.
- *monotone*: f = w·(g(x) − g(y)) + r, where g is the logarithm, the exponential or the arc cosine. The first two
  increase and the last one decreases, so w·(g(x) − g(y)) has the sign of w·(x − y), or of its negative.
- *logarithm*: f = w·Σ k·log x with a known sign of w and whole k. The sum is the logarithm of ∏ x^k, so its sign is
  that of ∏ x^k − 1.
- *between*: f = w·M + r, where M is a mean of u and v, and neither w nor r has M as a factor (other atoms in them may
  depend on M: the argument is made at each point). M lies between u and v, so f lies between w·u + r and w·v + r; and
  strictly, unless u = v, where all three are equal. So f has the signs of the sum of these two.
  For an M that is the greatest or the least of some values, f must have the sign with each in its place: at each point
  M is one of them. Or it must have it with one, the ``part``: M = max ≥ x gives f ≥ w·x + r if w ≥ 0, and M = min ≤ x
  gives it if w ≤ 0.
- *tangents*: f ≥ r + Σ w·(1 − 1/P), since log P = −log(1/P) ≥ 1 − 1/P for P > 0 (the logarithm lies below each of its
  tangents): ``terms`` has the w ≥ 0 and the P, and r = f − Σ w·log P.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from goodmeasure.theory.kernel import signs
from goodmeasure.theory.kernel.functions import Extreme, arccos, exp, log
from goodmeasure.theory.kernel.means import Mean
from goodmeasure.theory.kernel.polynomials import Polynomial, constant, exponents
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.signs import NEGATIVE, NOT_NEGATIVE, POSITIVE, WORDS, ZERO
from goodmeasure.theory.kernel.texts import expression, parsed, polynomial
from goodmeasure.theory.kernel.values import Ring, Value, total

Node = Mapping[str, object]
MOST = 2000  # facts of one case, and summands of one fact


def learn(ring: Ring, facts: object) -> None:
    """Add some facts to what a ring knows, each after checking it."""
    for node in listed(facts, "facts"):
        fact = entries(node)
        try:
            if "product" in fact:
                _factored(ring, fact)
            else:
                _signed(ring, fact)
        except Refused as refusal:
            refusal.where.insert(0, f"the fact about {str(fact.get('of'))[:80]}")
            raise


def listed(x: object, what: str, most: int = MOST) -> Sequence[object]:
    """Return a list that is not too long."""
    if not isinstance(x, (list, tuple)) or len(x) > most:
        raise Refused(f"{what}: no list, or too long")
    return x


def entries(x: object) -> dict[str, object]:
    """Return an object of JSON."""
    if not isinstance(x, dict):
        raise Refused(f"{str(x)[:60]} is no object")
    return x


def _factored(ring: Ring, fact: Node) -> None:
    """Learn that a polynomial is a product."""
    f, factors, found = polynomial(ring, fact["of"]), [], ring.number(1)
    for text in listed(fact["product"], "product"):
        g, e = _power(ring, text)
        factors.append((g, e))
        found = found * ring.of(g) ** e
    wanted = ring.expanded(found.powers).times(int(found.coefficient))
    demand(found.coefficient == 1 and ring.reduced(wanted) == f, "the product is another polynomial")
    demand(all(g != f for g, _ in factors), "a polynomial is a product of itself")
    ring.factored[f] = factors


def _power(ring: Ring, x: object) -> tuple[Polynomial, int]:
    """Read a polynomial, or a list of one and its exponent."""
    text, e = x if isinstance(x, list) and len(x) == 2 else (x, 1)
    demand(type(e) is int and 0 < e <= 100, "an exponent is no small whole number")
    return expression(ring, text), e


def _signed(ring: Ring, fact: Node) -> None:
    """Learn the sign of a polynomial."""
    f, wanted = polynomial(ring, fact["of"]), WORDS.get(str(fact.get("sign")), 0)
    rule = RULES.get(str(fact.get("by")))
    if rule is None:
        raise Refused(f"{fact.get('by')!r} is no rule")
    demand(wanted in (POSITIVE, NOT_NEGATIVE, NEGATIVE, signs.NOT_POSITIVE), "a rule shows <, <=, > or >=")
    if wanted & NEGATIVE:
        rule(ring, -f, fact, signs.TURNED[wanted])
    else:
        rule(ring, f, fact, wanted)
    know(ring, f, wanted)


def know(ring: Ring, f: Polynomial, known: int) -> None:
    """Let a ring know the signs that a polynomial may have."""
    ring.facts[f] = ring.facts.get(f, signs.UNKNOWN) & known


def sum_must_be(values: Sequence[Value], wanted: int) -> None:
    """Demand that a sum of values is not negative, or positive, since none is negative (and one is positive)."""
    for x in values:
        x.must_be(NOT_NEGATIVE)
    if wanted == POSITIVE and not any(x.signs() == POSITIVE for x in values):
        for x in values:
            x.must_be(POSITIVE)


def _shift(ring: Ring, f: Polynomial, fact: Node, wanted: int) -> None:
    names = fact.get("variables")
    chosen = ring.whole
    if names is not None:
        chosen = {ring.names.index(str(x)) for x in listed(names, "variables") if x in ring.names} & ring.whole
    found, shifted = ZERO, f.shifted(chosen)
    for e, c in shifted.terms.items():
        term = signs.of_number(c)
        for k, x in exponents(e):
            one = NOT_NEGATIVE if k in chosen else ring.sign_of_variable(k)
            term = signs.TIMES[term, signs.power(one, x)]
        found = signs.PLUS[found, term]
    demand(not found & ~wanted, "the shifted polynomial has terms of another sign")


def _products(ring: Ring, f: Polynomial, fact: Node, wanted: int) -> None:
    multiplied = f
    for text in listed(fact.get("times", []), "times"):
        q, e = _power(ring, text)
        ring.of(q).must_be(POSITIVE)
        multiplied = multiplied * q**e
    found, values = Polynomial({}, 0), []
    for row in listed(fact["terms"], "terms"):
        k, *factors = listed(row, "a term")
        if type(k) is not int:
            raise Refused("a coefficient is no whole number")
        product, value = constant(k), ring.number(k)
        for x in factors:
            g, e = _power(ring, x)
            product, value = product * g**e, value * ring.of(g) ** e
        found = found + product
        values.append(value)
    demand(ring.reduced(found) == ring.reduced(multiplied), "the products add up to another polynomial")
    sum_must_be(values, wanted)


def _powers(ring: Ring, f: Polynomial, fact: Node, wanted: int) -> None:
    up, d = expression(ring, fact["up"]), fact["degree"]
    if type(d) is not int or not 2 <= d <= 60:
        raise Refused("the degree is no small whole number")
    down = up - f  # f = up − down
    one, other = ring.of(up), ring.of(down)
    one.must_be(NOT_NEGATIVE)
    (one**d - other**d).must_be(wanted)


def _monotone(ring: Ring, f: Polynomial, fact: Node, wanted: int) -> None:
    weight, x, y = (parsed(ring, fact[name]) for name in ("times", "above", "below"))
    rises, function = _MAPS.get(str(fact["map"]), (0, log))
    demand(rises, "the function is none that rises or falls")
    rest = ring.of(f) - weight * (function(x) - function(y))
    sum_must_be([weight * (x - y).times(rises), rest], wanted)


_MAPS = {"log": (1, log), "exp": (1, exp), "acos": (-1, arccos)}


def _logarithm(ring: Ring, f: Polynomial, fact: Node, wanted: int) -> None:
    weight, inner = parsed(ring, fact["times"]), parsed(ring, fact["inner"])
    demand((ring.of(f) - weight * log(inner)).is_zero(), "the logarithm is another one")
    (weight * (inner - ring.number(1))).must_be(wanted)


def _between(ring: Ring, f: Polynomial, fact: Node, wanted: int) -> None:
    mean = ring.atom_of(parsed(ring, fact["mean"]))
    if not isinstance(mean, (Mean, Extreme)):
        raise Refused("this is no mean of two values, and no extreme")
    parts = f.by_degree(mean.place)
    demand(max(parts) == 1, "a sum is not linear in the mean")
    weight, rest = (ring.of(parts.get(e, Polynomial({}, 0))) for e in (1, 0))
    ends = [weight * x + rest for x in mean.parts]
    if isinstance(mean, Mean):
        sum_must_be(ends, wanted)
        return
    if "part" in fact:
        part = fact["part"]
        if type(part) is not int or not 0 <= part < len(ends):
            raise Refused("the extreme has no such part")
        weight.times(1 if mean.name == "max" else -1).must_be(NOT_NEGATIVE)
        ends = [ends[part]]
    for x in ends:
        x.must_be(wanted)


def _tangents(ring: Ring, f: Polynomial, fact: Node, wanted: int) -> None:
    left, floors = ring.of(f), []
    for row in listed(fact["terms"], "terms"):
        term = entries(row)
        weight, inner = parsed(ring, term["times"]), parsed(ring, term["inner"])
        weight.must_be(NOT_NEGATIVE)
        left = left - weight * log(inner)
        floors.append(weight * (ring.number(1) - inner.inverse()))
    (left + total(ring, floors)).must_be(wanted)


Rule = Callable[[Ring, Polynomial, Node, int], None]  # demands that the polynomial has one of some signs
RULES: dict[str, Rule] = {
    "shift": _shift,
    "products": _products,
    "powers": _powers,
    "monotone": _monotone,
    "logarithm": _logarithm,
    "between": _between,
    "tangents": _tangents,
}
