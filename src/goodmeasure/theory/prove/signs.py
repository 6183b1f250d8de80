"""Show that a quantity is positive on the whole orthant, and record why.

The quantity is a quotient of sums Σ p·√q·(atoms) in positive variables (see `algebra/orthant.py`). `positive` shows
that numerator and denominator are positive, each in the first of these ways that works, and returns a node that names
the way and the polynomial, so that a verifier can repeat the step. "Strict" is > 0; otherwise ≥ 0 is shown.

- *coefficients*: all coefficients are positive, and so are all monomials, roots and atoms.
- *between*: the sum is linear in one atom A, which is a mean of u and v, or the greatest or least of some values. (The
  argument is made at each point, so other atoms of the sum may depend on A as well.) For a mean, its value is a convex
  combination of its values with A replaced by u and by v, so it is not negative if both of these are not. For
  strictness, one positive end is enough: where u ≠ v the mean lies strictly between u and v and both ends have positive
  weight; where u = v all three values are equal. The greatest (least) of some values is one of them, so the sum must be
  positive with each of them in the place of A. If A is the greatest of them and its coefficient is positive, one of
  them is enough, since A is not less than it; likewise if A is the least and its coefficient is negative.
- *factors*: a single polynomial is a product of factors of known signs. Where ≥ 0 is enough, even powers count as not
  negative whatever their base is.
- *shift*: the variables are whole numbers, so x = 1 + x′ with x′ ≥ 0. If no coefficient in the x′ is negative,
  neither is the value; it is positive if moreover some constant term is. Not available where variables are real
  (``whole`` is False) or free.
- *square*: the sum is up + down, where all terms of ``up`` are positive. If up² > down² then |down| < up, so the sum
  is positive, whatever the sign of ``down``. The difference of squares has fewer roots, and is shown to be positive in
  turn.
- *multiply*: the polynomial times a power of the sum of its variables has positive coefficients only. The multiplier
  is positive, so the polynomial is. By Pólya's theorem some power works for every form that is positive on the closed
  orthant without 0; only powers up to 3 are tried.
- *quadratic*: a polynomial A·t² + B·t + C in one variable t, with A > 0. Then 4A times it is (2A·t + B)² + (4AC − B²),
  so it is not negative if 4AC − B² is not, and positive if that is positive.
- *logarithms*: the sum is Σ k·log x with whole numbers k. It is the logarithm of the product of the x^k, so it is
  positive if that product exceeds 1.
- *bounds of logarithms*: every term is free of atoms, or a polynomial of known sign times one logarithm. A logarithm
  that is added is replaced by a rational number below it, and one that is subtracted by a rational number above it: for
  log x with a number x by ball arithmetic, and otherwise by 0 or by a number below log k, where x ≥ k ≥ 1. The sum is
  at least what is left, which must be positive.
- *tangents of logarithms*: every term is free of atoms, or a polynomial times one logarithm. Each logarithm is replaced
  by a tangent, which it does not exceed (`algebra/logarithms.py` has the argument), and what is left must be positive.
- *powers*: the sum is u + v·y^r with y > 0, and with u and v of opposite, known signs. Its sign is that of the part
  with the greater absolute value; for r = k/d with k, d > 0, the absolute values compare as |u|^d and |v|^d·y^k do.

**Monotone maps.** Two values that are the same monotone map of inner quantities are compared by these (`peeled`). For a
constant times an arc cosine, the two constants must be equal. For nested roots, values of one sign are
compared by their squares; the signs of both must be known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from goodmeasure.packages import flint
from goodmeasure.theory.algebra.logarithms import floors, taken_apart
from goodmeasure.theory.algebra.orthant import RATIONAL, Orthant, Outside, Poly, ProductKey, SumOfProducts, Unsettled
from goodmeasure.theory.algebra.quantities import Quantity, constant, of
from goodmeasure.theory.statements.certificate import CertificateNode

_MOST_TERMS = 20_000  # beyond this, only coefficients are looked at
_MOST_FACTORS = 12  # the greatest coefficient of a logarithm that becomes an exponent
_MOST_IN_QUADRATIC = 600  # the terms of a polynomial whose discriminant is looked at
_FLOORS = (12, 10, 8, 6, 5, 4, 3, 2, 1)  # whole numbers above which the argument of a logarithm may stay
_POLYA = 3  # the greatest power of the sum of the variables that is tried as a multiplier
BETWEEN = ("mean", "greatest", "least")  # atoms that lie between their arguments


class NoProof(Exception):  # noqa: N818 - a signal inside the prover: nothing follows about the statement
    """No proof was found; ``polynomial`` is the one whose sign stood in the way, if there is one."""

    def __init__(self, why: str, polynomial: Poly | None = None) -> None:
        super().__init__(why)
        self.polynomial = polynomial


def zero(x: Quantity) -> CertificateNode:
    """Return a node that says that this value is identically 0; `NoProof` where it is not, or not visibly."""
    if x.num and taken_apart(x).num:
        raise NoProof("a difference is not identically 0", _first(x.num))
    return {"by": "zero"}


def positive(x: Quantity, *, strict: bool = True, whole: bool = True) -> CertificateNode:
    """Return a node that shows that a value is positive, or not negative where ``strict`` is False.

    ``whole`` says that all variables are positive whole numbers, so that *shift* may be used.
    """
    if not x.num and not strict:
        return {"by": "zero"}
    ring = x.orthant
    above = positive_sum(ring, x.num, strict=strict, whole=whole)
    if set(x.den) == {RATIONAL} and ring.sign_by_coefficients(x.den[RATIONAL]) == 1:
        return above
    return {"by": "quotient", "above": above, "below": positive_sum(ring, x.den, strict=True, whole=whole)}


def positive_sum(ring: Orthant, x: SumOfProducts, *, strict: bool, whole: bool) -> CertificateNode:
    """Return a node that shows that a sum is positive (or not negative), by the first way that works."""
    if not x:
        if strict:
            raise NoProof("it is 0 everywhere")
        return {"by": "zero"}
    for key in x:
        for name in key[1:]:
            if not ring.atoms[name].positive and ring.atoms[name].kind not in (*BETWEEN, "log"):
                raise NoProof(f"the sign of {name[:60]} is not known")
    known = all(ring.atoms[name].positive for key in x for name in key[1:])
    if known and all(ring.sign_by_coefficients(p) == 1 for p in x.values()):
        return {"by": "coefficients"}
    if sum(len(p) for p in x.values()) > _MOST_TERMS:
        raise NoProof("a long polynomial with coefficients of both signs")
    if x.keys() == {RATIONAL} and ring.is_negative_somewhere(x[RATIONAL]):
        raise NoProof("a polynomial is negative somewhere", _first(x))
    # The ends of several atoms lead to the same sum in many ways.
    asked = strict, whole, tuple(sorted((key, ring.number(p)) for key, p in x.items()))
    ways = (way(ring, x, strict=strict, whole=whole) for way in (_WAYS if known else _FIRST_WAYS))
    node: CertificateNode | None = ring.shown(asked, lambda: next((x for x in ways if x is not None), None))
    if node is None:
        raise NoProof("coefficients of both signs", _first(x))
    return node


def _first(x: SumOfProducts) -> Poly | None:
    """Return the shortest polynomial with coefficients of both signs; a split of cases may settle its sign."""
    mixed = [p for p in x.values() if {int(c) > 0 for c in p.coeffs()} == {True, False}]
    return min(mixed, key=len) if mixed else next(iter(x.values()), None)


def _factors(ring: Orthant, x: SumOfProducts, *, strict: bool, whole: bool) -> CertificateNode | None:
    """Try *factors*: a single polynomial whose factors have known signs."""
    if len(x) != 1:
        return None
    (p,) = x.values()
    content, factors = ring.factors(p)
    sign = 1 if content > 0 else -1
    for factor, multiplicity in factors:
        if not strict and multiplicity % 2 == 0:
            continue
        known = ring.sign_by_coefficients(factor)
        if known is None:
            return None
        sign *= known**multiplicity
    return {"by": "factors"} if sign > 0 else None


def _shift(ring: Orthant, x: SumOfProducts, *, strict: bool, whole: bool) -> CertificateNode | None:
    """Try *shift*: each whole variable is 1 more than a number that is not negative."""
    if not whole or ring.free:
        return None
    place = [g + 1 for g in ring.context.gens()]
    shifted = {key: p.compose(*place) for key, p in x.items()}
    if any(min(p.coeffs()) < 0 for p in shifted.values()):
        return None
    origin = (0,) * len(place)
    if strict and not any(p[origin] > 0 for p in shifted.values()):
        return None
    return {"by": "shift"}


def _square(ring: Orthant, x: SumOfProducts, *, strict: bool, whole: bool) -> CertificateNode | None:
    """Try *square*: x = up + down with up > 0 and up² > down²."""
    if len(x) < 2 or len(x) > 5 or any(key[1:] for key in x):
        return None
    up = {key: p for key, p in x.items() if _sign(ring, p) == 1}
    down = {key: p for key, p in x.items() if key not in up}
    if not up or not down:
        return None
    rest = ring.plus(ring.times(up, up), ring.scaled(ring.times(down, down), ring.constant(-1)))
    if len(rest) >= len(x) and len(x) > 2:
        return None
    try:
        node = positive_sum(ring, rest, strict=strict, whole=whole)
        return {
            "by": "square",
            "up": sorted("*".join(key) for key in up),
            "positive": positive_sum(ring, up, strict=True, whole=whole),
            "squares": node,
        }
    except NoProof:
        return None


def _sign(ring: Orthant, p: Poly) -> int | None:
    """Return the sign of a polynomial; None where it is not settled."""
    try:
        return ring.sign(p)
    except Unsettled:
        return None


def _between(ring: Orthant, x: SumOfProducts, *, strict: bool, whole: bool) -> CertificateNode | None:
    """Try *between*: a sum that is linear in a mean or in the greatest of some values, by its values at these."""
    names = {name for key in x for name in key[1:] if ring.atoms[name].kind in BETWEEN}
    for name in sorted(names, key=len, reverse=True):  # the outermost first, since atoms hold other atoms
        if all(key.count(name) < 2 for key in x):
            node = _between_ends(ring, x, name, strict=strict, whole=whole)
            if node is not None:
                return node
    return None


def _between_ends(ring: Orthant, x: SumOfProducts, name: str, *, strict: bool, whole: bool) -> CertificateNode | None:
    """Try *between* with one atom."""
    atom = ring.atoms[name]
    one = {RATIONAL: ring.one}
    rest = Quantity(ring, {key: p for key, p in x.items() if name not in key}, one)
    slope = Quantity(ring, {_dropped(key, name): p for key, p in x.items() if name in key}, one)
    ends = [rest + slope * of(ring, end) for end in atom.about[1:]]
    shown = {"by": "between", "mean": name}
    if atom.kind != "mean" and _side(slope) == (1 if atom.kind == "greatest" else -1):
        for k, end in enumerate(ends):
            try:
                return {**shown, "end": k, "ends": [positive(end, strict=strict, whole=whole)]}
            except (NoProof, Outside):
                continue
        return None
    nodes, strong = [], 0
    for end in ends:
        try:
            nodes.append(positive(end, strict=True, whole=whole))
            strong += 1
        except (NoProof, Outside):
            try:
                nodes.append(positive(end, strict=False, whole=whole))
            except (NoProof, Outside):
                return None
    if strict and strong < (1 if atom.kind == "mean" else len(ends)):  # a mean lies strictly between
        return None
    return {**shown, "ends": nodes}


def _logarithms(ring: Orthant, x: SumOfProducts, *, strict: bool, whole: bool) -> CertificateNode | None:
    """Try *logarithms*: a sum of logarithms with whole coefficients is the logarithm of a product."""
    product = constant(ring, 1)
    for key, p in x.items():
        if len(key) != 2 or key[0] != "1" or ring.atoms[key[1]].kind != "log" or not p.is_constant():
            return None
        k = int(p.leading_coefficient())
        if abs(k) > _MOST_FACTORS:
            return None
        product = product * ring.atoms[key[1]].argument(0, Quantity) ** k
    try:
        node = positive(product - 1, strict=strict, whole=whole)
    except (NoProof, Outside):
        return None
    return {"by": "logarithms", "proof": node}


def _bounded_logarithms(ring: Orthant, x: SumOfProducts, *, strict: bool, whole: bool) -> CertificateNode | None:
    """Try *bounds of logarithms*: numbers in the place of logarithms leave something positive."""
    if all(len(key) == 1 for key in x):
        return None
    total = constant(ring, 0)
    for key, p in x.items():
        side = _sign(ring, p) if len(key) > 1 else None
        bound: Fraction | None = Fraction(1)
        if len(key) > 1:
            alone = len(key) == 2 and key[0] == "1" and ring.atoms[key[1]].kind == "log" and side in (1, -1)
            bound = log_bound(ring.atoms[key[1]].argument(0, Quantity), below=side == 1) if alone else None
        if bound is None:
            return None
        total = total + Quantity(ring, {key[:1]: p}, {RATIONAL: ring.one}) * bound
    try:
        return {"by": "bounds of logarithms", "proof": positive(total, strict=strict, whole=whole)}
    except (NoProof, Outside):
        return None


def _tangents(ring: Orthant, x: SumOfProducts, *, strict: bool, whole: bool) -> CertificateNode | None:
    """Try *tangents of logarithms*: a lower bound of the sum without logarithms is positive."""
    for floor in floors(ring, x):
        try:
            return {"by": "tangents of logarithms", "proof": positive(floor, strict=strict, whole=whole)}
        except (NoProof, Outside):
            continue
    return None


def log_bound(x: Quantity, *, below: bool) -> Fraction | None:
    """Return a rational number below log x (or above it, if x is a number); None where none is found."""
    number = x.as_fraction()
    if number is None:
        if not below:
            return None
        least = next((k for k in _FLOORS if _side(x - k) in (0, 1)), None)
        return None if least is None else log_bound(constant(x.orthant, least), below=True)
    if number == 1:
        return Fraction(0)
    ball = flint.arb(flint.fmpq(number.numerator, number.denominator)).log()
    near, far = Fraction(float(ball.mid())), Fraction(1, 10**9)
    bound = near - far if below else near + far
    exact = flint.arb(flint.fmpq(bound.numerator, bound.denominator))
    return bound if (exact < ball if below else exact > ball) else None


def _powers(ring: Orthant, x: SumOfProducts, *, strict: bool, whole: bool) -> CertificateNode | None:
    """Try *powers*: u + v·y^r with u and v of opposite signs is decided by |u|^d and |v|^d·y^k, for r = k/d."""
    names = {name for key in x for name in key[1:]}
    if len(x) != 2 or len(names) != 1 or any(len(key) > 2 for key in x):
        return None
    (name,) = names
    if ring.atoms[name].kind != "power":
        return None
    r, y = ring.atoms[name].argument(0, Fraction), ring.atoms[name].argument(1, Quantity)
    one = {RATIONAL: ring.one}
    u, v = (Quantity(ring, {_dropped(key, name): p}, one) for key, p in sorted(x.items(), key=lambda z: len(z[0])))
    sign = _side(u)
    if r <= 0 or sign is None or _side(v) != -sign:
        return None
    try:
        larger = ((u * sign) ** r.denominator - (v * -sign) ** r.denominator * y**r.numerator) * sign
        return {"by": "powers", "proof": positive(larger, strict=strict, whole=whole)}
    except NoProof as error:  # no other rule is for such sums, and a split may settle the sign that is missing here
        raise NoProof(str(error), error.polynomial) from None
    except Outside:
        return None


def _dropped(key: ProductKey, name: str) -> ProductKey:
    """Return a key without an atom."""
    return tuple(x for x in key if x != name)


def _multiplied(ring: Orthant, x: SumOfProducts, *, strict: bool, whole: bool) -> CertificateNode | None:
    """Try *multiply* (Pólya): a power of the sum of the variables makes all coefficients positive."""
    if len(x) != 1:
        return None
    (p,) = x.values()
    used = [g for g, degree in zip(ring.context.gens(), p.degrees(), strict=True) if degree]
    total = sum(used[1:], used[0]) if used else None
    for k in range(1, _POLYA + 1):
        if total is None or len(p) > 2000:
            return None
        p = p * total
        if ring.sign_by_coefficients(p) == 1:
            return {"by": "multiply", "power": k}
    return None


def _quadratic(ring: Orthant, x: SumOfProducts, *, strict: bool, whole: bool) -> CertificateNode | None:
    """Try *quadratic*: a polynomial of degree 2 in a variable, whose discriminant has the right sign."""
    if len(x) != 1 or RATIONAL not in x or len(x[RATIONAL]) > _MOST_IN_QUADRATIC:
        return None
    p = x[RATIONAL]
    for k, (name, degree) in enumerate(zip(ring.variables, p.degrees(), strict=True)):
        if degree != 2:
            continue
        a, b, c = _by_degree(ring, p, k)
        if ring.sign_by_coefficients(a) != 1:
            continue
        gap = 4 * a * c - b * b
        if gap.is_zero() and strict:
            continue
        node = {"by": "zero"} if gap.is_zero() else _coefficients_or_factors(ring, gap, strict=strict)
        if node is not None:
            return {"by": "quadratic", "in": name, "proof": node}
    return None


def _by_degree(ring: Orthant, p: Poly, k: int) -> list[Poly]:
    """Return the coefficients of the second, first and zeroth power of the k-th variable."""
    parts: list[dict[tuple[int, ...], int]] = [{}, {}, {}]
    for monomial, c in zip(p.monoms(), p.coeffs(), strict=True):
        e = [int(y) for y in monomial]
        degree, e[k] = e[k], 0
        parts[2 - degree][tuple(e)] = int(c)
    return [ring.context.from_dict(part) for part in parts]


def _coefficients_or_factors(ring: Orthant, p: Poly, *, strict: bool) -> CertificateNode | None:
    if ring.sign_by_coefficients(p) == 1:
        return {"by": "coefficients"}
    return _factors(ring, {RATIONAL: p}, strict=strict, whole=False)


_Way = Callable[..., CertificateNode | None]
_FIRST_WAYS: tuple[_Way, ...] = (_between, _logarithms, _bounded_logarithms, _tangents)  # for atoms of any sign
_WAYS: tuple[_Way, ...] = (
    *_FIRST_WAYS,
    _factors,
    _shift,
    _square,
    _powers,
    _quadratic,
    _multiplied,
)


def peeled(x: Quantity, y: Quantity) -> tuple[int, Quantity, Quantity, str] | None:
    """Return (direction, inner of x, inner of y, map) if x and y are the same monotone map of inner values.

    Direction 1 means that the map rises, −1 that it falls. None if no such map is seen. Values of which at least one
    has a nested root are compared by their squares, if both lie on one side of 0 or on 0.
    """
    angles = angle(x), angle(y)
    if angles[0] is not None and angles[1] is not None and angles[0][:2] == angles[1][:2]:
        return -angles[0][0], angles[0][2], angles[1][2], "arccos"
    if any(is_nested(z) for z in (x, y)):
        sides = {_side(x), _side(y)} - {0}
        if sides in ({1}, {-1}):
            return int(sides.pop() or 0), x * x, y * y, "square"
    return None


def angle(x: Quantity) -> tuple[int, str, Quantity] | None:
    """Return (sign, scale, inner) of a value that is a constant times an arc cosine; None for any other."""
    ring = x.orthant
    if len(x.num) != 1 or len(x.den) != 1:
        return None
    (key, p), (below, q) = next(iter(x.num.items())), next(iter(x.den.items()))
    if len(key) != 2 or key[0] != "1" or ring.atoms[key[1]].kind != "arccos" or not p.is_constant():
        return None
    if below not in (RATIONAL, ("1", "pi()")) or not q.is_constant():
        return None
    sign = 1 if (p.leading_coefficient() > 0) == (q.leading_coefficient() > 0) else -1
    return sign, f"{ring.text(p)}/{ring.text(q)}*{below}", ring.atoms[key[1]].argument(0, Quantity)


def is_nested(x: Quantity) -> bool:
    """Return whether the numerator contains a root of something with roots."""
    return any(x.orthant.atoms[name].kind == "sqrt" for key in x.num for name in key[1:])


def _side(x: Quantity) -> int | None:
    """Return the sign of a value; None where it is not settled."""
    try:
        return int(x.sign())
    except Outside:
        return None


def pairs(p: Poly | None, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield pairs of variables whose order may settle the sign of a polynomial, the most promising first.

    A pair with "1" asks whether a whole variable is 1 or greater. The choice is a guess and carries no proof: a pair is
    promising if few coefficients keep the rarer sign once the larger variable is written as the smaller plus the rest.
    """
    if p is None or len(p) > 3000:
        return
    degrees = p.degrees()
    used = [k for k in range(len(names)) if degrees[k]]
    if p.total_degree() == 1:
        up = [k for k in used if p[_unit(k, len(degrees))] > 0]
        down = [k for k in used if p[_unit(k, len(degrees))] < 0]
        if up and down:
            yield names[up[0]], names[down[0]]
        elif (up or down) and (0,) * len(degrees) in p.monoms():
            yield names[(up or down)[0]], "1"
        return
    gens = p.context().gens()
    scores = []
    for i, x in enumerate(used):
        for y in used[i + 1 :]:
            mixed = 0
            for one, other in ((x, y), (y, x)):
                place = list(gens)
                place[one] = gens[one] + gens[other]
                coefficients = p.compose(*place).coeffs()
                low = sum(1 for c in coefficients if c < 0)
                mixed += min(low, len(coefficients) - low)
            scores.append((mixed, names[x], names[y]))
    for _, first, second in sorted(scores)[:2]:
        yield first, second


def _unit(k: int, size: int) -> tuple[int, ...]:
    """Return the exponents of the monomial x_k."""
    return tuple(int(j == k) for j in range(size))
