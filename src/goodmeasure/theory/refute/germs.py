"""Values along a ray: series in an infinitesimal t > 0 with exact coefficients, for limits and derivatives.

**Definitions.** The germ of a function at 0⁺ is its behaviour for all sufficiently small t > 0. A `Germ` represents it
by a sum of exact coefficients times rational powers of t (a Puiseux series), either exactly, or up to an order
``known``: then the function minus the sum is O(t^known) for t → 0⁺. Its sign is that of the coefficient of the least
power, which is below ``known``, so that the remainder is smaller for all small t.

**Claim.** `along(tree, C, D)` is the germ of t ↦ M(C + t·D), and `far_along` that of t ↦ M(C + D/t), which shows
the measure far out along the ray.

**Why.** The source that computes exact values runs on a matrix of germs. Each arithmetic operation on germs is the
operation on functions near 0⁺, where roots, logarithms, exponentials and arc cosines are composed from their power
series. Each comparison is answered by the sign for all small t > 0, so its answer holds on an interval (0, ε). A run
makes finitely many comparisons, so on the least of these intervals the run on numbers takes the same branches and
computes the same function.

**What is not covered.** If all known terms of a difference cancel, its sign is not known, and `Undecided` is raised; it
is never taken for 0. Functions that have no such series raise it
as well: log log t, and exp(1/t). Series are cut off `TERMS` orders beyond the leading one.

**Logarithms.** log t is no power of t. Terms may therefore carry powers of λ = log(1/t), which is positive and grows
without bound, but more slowly than any power of 1/t. Their key is then a `GrowthOrder` (e, k), for t^e·λ^k. The term
with the least e, and among these with the greatest k, is the greatest for all small t. So the keys are ordered by e and
then by −k, products add them, and all else stays as it is. A series whose terms differ by powers of λ only (1/λ, say)
is refused, since it would not end at any order of t.

Refutations use germs: a limit that differs from the value at the end of a ray refutes continuity, for instance.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, factorial
from typing import TypeAlias, cast

from goodmeasure.language.compile.exact_numbers import ExactArithmetic
from goodmeasure.language.exact import reals
from goodmeasure.language.exact.reals import Exact
from goodmeasure.language.policy import Policy, Undecided
from goodmeasure.language.tree import Tree
from goodmeasure.language.view import Number, exponent_of
from goodmeasure.theory.statements.witness import MatrixRows

Power: TypeAlias = "Fraction | int | GrowthOrder"  # of t: a `GrowthOrder` where λ = log(1/t) occurs
CoefficientsByPower = dict[Power, Exact]  # by powers of t; whole ones are integers, which are found fastest

TERMS = 6  # a series that does not end is known up to this order beyond its leading one
MOST_PRODUCTS = 2_000  # the most products of terms in one multiplication; beyond it a series would take minutes


def _undecided(why: str) -> Undecided:
    """Return the error that a question about a series has no answer here."""
    return Undecided("{what}", what=why)


class GrowthOrder:
    """The order of t^e·λ^k, where λ = log(1/t) and k ≠ 0: just below that of t^e if k > 0, just above it if k < 0."""

    __slots__ = ("e", "k")

    def __init__(self, e: Fraction, k: Fraction) -> None:
        self.e, self.k = e, k

    @staticmethod
    def of(e: Fraction | int, k: Fraction | int) -> Power:
        """Return the order of t^e·λ^k, which is a plain number where k is 0."""
        return GrowthOrder(Fraction(e), Fraction(k)) if k else Fraction(e)

    def __add__(self, other: Power) -> Power:
        e, k = _parts(other)
        return GrowthOrder.of(self.e + e, self.k + k)

    __radd__ = __add__

    def __neg__(self) -> GrowthOrder:
        return GrowthOrder(-self.e, -self.k)

    def __sub__(self, other: Power) -> Power:
        e, k = _parts(other)
        return GrowthOrder.of(self.e - e, self.k - k)

    def __rsub__(self, other: Power) -> Power:
        return -(self - other)

    def __mul__(self, factor: Fraction | int) -> Power:
        return GrowthOrder.of(self.e * factor, self.k * factor)

    __rmul__ = __mul__

    def _place(self) -> tuple[Fraction, Fraction]:
        return self.e, -self.k

    def __lt__(self, other: Power) -> bool:
        e, k = _parts(other)
        return bool(self._place() < (e, -k))

    def __le__(self, other: Power) -> bool:
        return bool(self == other or self < other)

    def __gt__(self, other: Power) -> bool:
        return not self <= other

    def __ge__(self, other: Power) -> bool:
        return not self < other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GrowthOrder) and self._place() == other._place()

    def __hash__(self) -> int:
        return hash(self._place())


def _parts(order: Power) -> tuple[Fraction, Fraction]:
    """Return the powers of t and of λ in an order."""
    return (order.e, order.k) if isinstance(order, GrowthOrder) else (Fraction(order), Fraction(0))


class Germ:
    """A sum of coefficients times powers of t; terms of order ``known`` and beyond are unknown (None: it is exact)."""

    __slots__ = ("known", "terms")

    def __init__(self, terms: CoefficientsByPower, known: Power | None = None) -> None:
        self.terms = {e: c for e, c in terms.items() if (known is None or e < known) and c.sign() != 0}
        self.known = known

    @staticmethod
    def of(x: object) -> Germ:
        """Return a number as a germ, constant in t; a germ is returned as it is."""
        return x if isinstance(x, Germ) else Germ({0: Exact.of(x)})

    @property
    def order(self) -> Power | None:
        """Return the least power of t that occurs; None for zero."""
        if self.terms:
            return min(self.terms)
        if self.known is None:
            return None
        raise _undecided("a series vanishes as far as it is known")

    def coefficient(self, exponent: Fraction | int) -> Exact:
        """Return the coefficient of a power of t."""
        if self.known is not None and exponent >= self.known:
            raise _undecided("a series is not known that far")
        return self.terms.get(exponent, Exact.of(0))

    def sign(self) -> int:
        """Return the sign for all small t > 0."""
        order = self.order
        return 0 if order is None else self.terms[order].sign()

    # Arithmetic

    def __add__(self, other: object) -> Germ:
        if type(other) is int and other == 0:  # where every sum starts
            return self
        other = Germ.of(other)
        total = dict(self.terms)
        for e, c in other.terms.items():
            total[e] = total[e] + c if e in total else c
        return Germ(total, _least(self.known, other.known))

    __radd__ = __add__

    def __neg__(self) -> Germ:
        return Germ({e: -c for e, c in self.terms.items()}, self.known)

    def __abs__(self) -> Germ:
        return -self if self.sign() < 0 else self

    def __sub__(self, other: object) -> Germ:
        return self + (-Germ.of(other))

    def __rsub__(self, other: object) -> Germ:
        return Germ.of(other) + (-self)

    def __mul__(self, other: object) -> Germ:
        other = Germ.of(other)
        if (not self.terms and self.known is None) or (not other.terms and other.known is None):
            return Germ({})
        known = _least(
            None if self.known is None else self.known + (other.order or 0),
            None if other.known is None else other.known + (self.order or 0),
        )
        if sum(c.terms for c in self.terms.values()) * sum(c.terms for c in other.terms.values()) > MOST_PRODUCTS:
            raise _undecided("a series with coefficients of very many terms")
        total: CoefficientsByPower = {}
        for e, c in self.terms.items():
            for f, d in other.terms.items():
                if known is None or e + f < known:
                    total[e + f] = total[e + f] + c * d if e + f in total else c * d
        return Germ(total, known)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Germ:
        other = Germ.of(other)
        lead = other.order
        if lead is None:
            raise ZeroDivisionError("a germ divided by zero")
        if len(other.terms) == 1 and other.known is None:
            return self * Germ({-lead: 1 / other.terms[lead]})
        # 1/(c t^e (1 + s)) = (1 − s + s² − …)/(c t^e)
        return self * _series(other, lambda k: (-1) ** k, -1)

    def __rtruediv__(self, other: object) -> Germ:
        return Germ.of(other) / self

    def __pow__(self, exponent: object) -> Germ:
        r = exponent_of(exponent)
        if r.denominator == 1 and r >= 0:
            result = Germ.of(1)
            for _ in range(int(r)):
                result = result * self
            return result
        return _series(self, lambda k: _binomial(r, k), r)

    # Comparisons hold for all small t > 0; nothing is less than itself, even where its series is cut off

    def __eq__(self, other: object) -> bool:
        return (self - other).sign() == 0

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: object) -> bool:
        return other is not self and bool((self - other).sign() < 0)

    def __le__(self, other: object) -> bool:
        return bool((self - other).sign() <= 0)

    def __gt__(self, other: object) -> bool:
        return other is not self and bool((self - other).sign() > 0)

    def __ge__(self, other: object) -> bool:
        return bool((self - other).sign() >= 0)

    def __bool__(self) -> bool:
        return self.sign() != 0


class NoGerm(Germ):
    """The germ of what is undefined: it spreads through arithmetic and compares as False.

    Python asks the subclass first, so ``germ + NO_GERM`` is NO_GERM as well.
    """

    def __init__(self) -> None:
        super().__init__({})

    def _itself(self, other: object = None) -> NoGerm:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = _itself
    __neg__ = __abs__ = _itself

    def _never(self, other: object = None) -> bool:
        return False

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = _never

    def __ne__(self, other: object) -> bool:
        return True

    def __bool__(self) -> bool:
        return True


NO_GERM = NoGerm()


def _least(x: Power | None, y: Power | None) -> Power | None:
    """Return the lesser of two orders, where None is infinite."""
    return y if x is None else x if y is None else min(x, y)


def _binomial(r: Fraction, k: int) -> Fraction:
    """Return the binomial coefficient r(r − 1)⋯(r − k + 1)/k! of a rational r."""
    result = Fraction(1)
    for i in range(k):
        result = result * (r - i) / (i + 1)
    return result


def _small(x: Germ) -> tuple[Power, Exact, Germ]:
    """Return (e, c, s) with x = c·t^e·(1 + s), where s is infinitesimal and known up to order `TERMS`."""
    e = x.order
    assert e is not None
    c = x.terms[e]
    rest = {f - e: d / c for f, d in x.terms.items() if f != e}
    if not rest and x.known is None:
        return e, c, Germ({})  # x is c·t^e itself, so that nothing of a logarithm or a power of it is left unknown
    return e, c, Germ(rest, _least(TERMS, None if x.known is None else x.known - e))


def _summed(s: Germ, coefficient: Callable[[int], Number]) -> Germ:
    """Return Σ_k coefficient(k)·s^k for an infinitesimal s, up to the order to which s is known."""
    total, power = Germ({0: Exact.of(coefficient(0))}, s.known), Germ.of(1)
    if not s.terms:
        return total
    step = min(s.terms)
    if _parts(step)[0] <= 0:
        raise _undecided("a series in powers of a logarithm does not end")
    k = 1
    while s.known is not None and k * step < s.known:
        power = power * s
        total = total + coefficient(k) * power
        k += 1
    return Germ(total.terms, s.known)


def _series(x: Germ, coefficient: Callable[[int], Number], r: Fraction | int) -> Germ:
    """Return x^r = c^r·t^(er)·Σ_k coefficient(k)·s^k; the leading coefficient is positive or r is whole."""
    e, c, s = _small(x)
    return Germ({e * r: reals.power(c, r)}) * _summed(s, coefficient)


class GermArithmetic(ExactArithmetic):
    """What the source of a function of exact cells calls, where the cells are germs."""

    nothing = NO_GERM

    def div(self, x: object, y: object) -> Germ:
        return Germ.of(x) / y

    def power(self, x: object, r: int | Fraction, u: object) -> Germ:
        x = Germ.of(x)
        if x is NO_GERM:
            return x
        sign = x.sign()
        if (sign == 0 and r < 0) or (sign < 0 and r.denominator != 1):
            return cast(Germ, u)
        return Germ.of(0) if sign == 0 and r != 0 else x**r

    def log(self, x: object, u: object) -> Germ:
        x = Germ.of(x)
        if x is NO_GERM:
            return x
        if x.sign() <= 0:
            return cast(Germ, u)
        e, c, s = _small(x)
        if isinstance(e, GrowthOrder):
            raise _undecided("the logarithm of a logarithm is no series in t and log t")
        power = Germ({GrowthOrder.of(0, 1): Exact.of(-e)})  # log t^e = −e·λ
        rest = _summed(s, lambda k: Fraction((-1) ** (k + 1), k) if k else Fraction(0))
        return Germ.of(reals.log(c)) + power + rest

    def exp(self, x: object) -> Germ:
        x = Germ.of(x)
        if x is NO_GERM:
            return x
        if x.terms and min(x.terms) < 0:
            raise _undecided("the exponential of something infinite is no series in t")
        at = x.coefficient(0)
        s = x - Germ.of(at)
        s = Germ(s.terms, _least(s.known, TERMS))
        return Germ.of(reals.exp(at)) * _summed(s, lambda k: Fraction(1, factorial(k)))

    def _angle(self, x: object) -> Germ | None:
        x = Germ.of(x)
        if x is NO_GERM:
            return x
        if (1 - x).sign() < 0 or (1 + x).sign() < 0:
            return None
        if (1 - x).sign() == 0:
            return Germ.of(0)
        at = x.coefficient(0)
        if at == -1:
            return Germ.of(reals.pi()) - self._angle(-x)
        if at == 1:  # arccos(1 − y) = √(2y) Σ C(2k, k) (y/8)^k/(2k + 1)
            y = 1 - x
            y = Germ(y.terms, _least(y.known, TERMS))
            return self.power(2 * y, _HALF, NO_GERM) * _summed(
                y, lambda k: Fraction(comb(2 * k, k), 8**k * (2 * k + 1))
            )
        return self._arccos_inside(x, at)

    def _arccos_inside(self, x: Germ, at: Exact) -> Germ:
        """Return the arc cosine of a germ whose limit lies inside (−1, 1), integrating −x'/√(1 − x²) term by term."""
        slope = _derivative(x) / self.power(1 - x * x, _HALF, NO_GERM)
        slope = Germ(slope.terms, _least(slope.known, TERMS))
        integral = {e + 1: -c / Exact.of(e + 1) for e, c in slope.terms.items()}
        known = None if slope.known is None else slope.known + 1
        return Germ.of(reals.arccos(at)) + Germ(integral, known)


_HALF = Fraction(1, 2)
_GERMS = GermArithmetic()


def _derivative(x: Germ) -> Germ:
    """Return the derivative by t."""
    if any(isinstance(e, GrowthOrder) for e in (*x.terms, x.known)):
        raise _undecided("the derivative of a series with logarithms")
    terms = {e - 1: Exact.of(e) * c for e, c in x.terms.items() if e != 0}
    return Germ(terms, None if x.known is None else x.known - 1)


def along(tree: Tree, start: MatrixRows, direction: MatrixRows, policy: Policy) -> Germ | None:
    """Return the values of a definition on start + t·direction for small t > 0; None where they are undefined."""
    return _on_ray(tree, start, direction, policy, 1)


def far_along(tree: Tree, start: MatrixRows, direction: MatrixRows, policy: Policy) -> Germ | None:
    """Return the values on start + direction/t for small t > 0, far out along the ray; None where undefined."""
    return _on_ray(tree, start, direction, policy, -1)


def _on_ray(tree: Tree, start: MatrixRows, direction: MatrixRows, policy: Policy, power: int) -> Germ | None:
    """Return the values of a definition on start + t^power·direction for small t > 0; None where undefined."""
    cells = [
        [Germ({0: Exact.of(x), power: Exact.of(d)}) for x, d in zip(row, moves, strict=True)]
        for row, moves in zip(start, direction, strict=True)
    ]
    worth = Germ.of(policy.number) if policy.name == "number" else NO_GERM
    value = _GERMS.function(tree, len(cells), policy)(cells, worth)
    return None if value is NO_GERM else Germ.of(value)
