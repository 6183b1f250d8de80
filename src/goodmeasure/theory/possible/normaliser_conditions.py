"""Decide the six conditions of Theorem 3 on a normaliser s: proved, refuted at a point, or held on a grid.

Setting (appendix D.3 of Gösgens et al. 2021). Two classes; p_A and p_B are the shares of the positive class among true
and predicted labels, both strictly between 0 and 1, and p_AB is the share of items that are positive in both. For fixed
p_A and p_B, p_AB lies between max(0, p_A + p_B − 1) and min(p_A, p_B). The measure is M = s(p_A, p_B)·(p_AB − p_A p_B).
It is 0 where labelings are independent and linear in p_AB, so it has baselines of every order. The conditions give the
rest:

* 1: symmetry and class symmetry.
* 2 and 4: maximal agreement. If labelings are equal, p_AB − p_A p_B = p(1 − p), so M = 1 means s(p, p) = 1/p(1 − p).
  Else the greatest value of p_AB − p_A p_B is min(p_A(1 − p_B), (1 − p_A)p_B), and M < 1 is condition 4. The two terms
  are equal at p_A = p_B, so on either side of this diagonal one of them is the minimum.
* 2 and 3: minimal agreement in the same way, from the least value −min(p_A p_B, (1 − p_A)(1 − p_B)), with the other
  diagonal p_A + p_B = 1.
* 5: more true negatives raise M. Adding a share ε of true negatives multiplies p_A, p_B and p_AB by 1 − ε, to first
  order. With δ = p_AB − p_A p_B and D = (p_A ∂/∂p_A + p_B ∂/∂p_B) log s, M grows by ε·s·(p_A p_B − δ(1 + D)). This is
  linear in δ, so it is positive for all δ between its two ends if it is at the ends, which are those of conditions 3
  and 4. Solved for D: D < max{(2p_A − 1)/(1 − p_A), (2p_B − 1)/(1 − p_B)} where p_A ≠ p_B, and D > min{−2, −1 − p_A
  p_B/((1 − p_A)(1 − p_B))} where p_A + p_B ≠ 1.
* 6: more false negatives lower M, likewise with D = ((1 − p_A) ∂/∂p_A − p_B ∂/∂p_B) log s, which must lie between min{2
  − 1/p_A, 2 − 1/(1 − p_B)} and max{1 + p_B(1 − p_A)/(p_A(1 − p_B)), 2}. True positives and false positives follow by 1.

The theorem prints closed intervals in 5 and 6. They must be open off the diagonals: where D is at an end of its
interval, the derivative vanishes for an extreme p_AB, and if that happens on a whole region, M is not *strictly*
monotone there. On a diagonal the extreme matrix is diagonal or has a zero diagonal, of which strong monotonicity does
not speak, so the end may be reached there. So each of 3 to 6 has a strict form, which is the condition, and a weak
one, with the ends (`Condition.weak`): for 5 and 6 this is what the theorem prints. 1/max(u, v) and 1/min(u, v) meet all
weak conditions and not 5 and 6 themselves, and their measures are not strongly monotone.

Each maximum or minimum is one of its two terms on each side of a diagonal of the unit square. So each condition becomes
inequalities between smooth functions on four triangles (`pieces`), without max and min.

What this does not cover. The theorem says nothing about constant labelings, where p_A or p_B is 0 or 1; there the
measure has a rule of its own.

How conditions are decided. A normaliser is given as 1/s. If that is a quotient of polynomials in p_A and p_B,
conditions 1 and 2 are identities, and 3 to 6 are shown by positive coefficients on triangles (`rational.py`). In any
case all conditions are tried at the points of a grid: in exact rational numbers, which distinguish a bound that is
reached from one that is kept, if the function uses only arithmetic and comparisons (max and min among them); otherwise
in ball arithmetic, where a violation is certain; or in floats with a margin, for a function that takes only floats
("floats" in `method`). In floats, derivatives are finite differences, so a violation of 5 or 6 is not certain: it
leaves the condition "held", with the point at which it seems to fail. Passing the grid proves nothing, and is called
"held" too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Never, TypeVar

from goodmeasure.language.view import exponent_of
from goodmeasure.theory.possible.balls import Ball, BallFunctions, number, precisely
from goodmeasure.theory.possible.exact_slopes import Dual
from goodmeasure.theory.possible.named_means import Formula, X
from goodmeasure.theory.possible.rational import (
    SHARES,
    NotRational,
    Point,
    Rational,
    Triangle,
    flint_rational,
    positive_on,
    quotient_of,
    unknowns,
)
from goodmeasure.theory.statements.verdict import HELD, PROVED, REFUTED, SIGNS

if TYPE_CHECKING:
    import flint

SENTENCES = {
    1: "s(p_A, p_B) = s(p_B, p_A) = s(1 − p_A, 1 − p_B)",
    2: "s(p, p) = s(p, 1 − p) = 1 / p(1 − p)",
    3: "s < max{1 / p_A p_B, 1 / (1 − p_A)(1 − p_B)} where p_B ≠ 1 − p_A",
    4: "s < max{1 / p_A(1 − p_B), 1 / (1 − p_A)p_B} where p_B ≠ p_A",
    5: "(p_A ∂/∂p_A + p_B ∂/∂p_B) log s is strictly within its bounds: more true negatives raise the measure",
    6: "((1 − p_A) ∂/∂p_A − p_B ∂/∂p_B) log s is strictly within its bounds: more false negatives lower the measure",
}
Inverse = Formula  # 1/s from p_A, p_B and the functions sqrt, log, …
_Exact = TypeVar("_Exact", Rational, Dual)
_O, _L = Fraction(0), Fraction(1)
LOW: Triangle = ((_O, _O), (_L, _O), (_O, _L))  # p_A + p_B < 1
HIGH: Triangle = ((_L, _L), (_L, _O), (_O, _L))
LEFT: Triangle = ((_O, _O), (_O, _L), (_L, _L))  # p_A < p_B
RIGHT: Triangle = ((_O, _O), (_L, _O), (_L, _L))
_GRID = 30
_SPOTS = tuple((Fraction(p, 997), Fraction(q, 991)) for p, q in ((1, 400), (83, 7), (333, 500), (700, 123), (990, 981)))
_WITH_SLOPES = 5  # the first condition about derivatives
_SEEMS = "seems to fail in floats"


@dataclass(frozen=True)
class NormaliserCondition:
    """One of the six conditions with its status and how it was decided; ``point``: (p_A, p_B) where it fails.

    A condition that only seems to fail there, in floats, is held. ``weak`` is the status of the same condition with
    the ends of its bounds: it is not refuted where a bound is only reached.
    """

    number: int
    status: str
    method: str
    point: Point | None = None
    weak: str = ""

    def __post_init__(self) -> None:
        if not self.weak:
            object.__setattr__(self, "weak", self.status)  # nothing else is known about the weak form

    @property
    def sentence(self) -> str:
        """Return what the condition says."""
        return SENTENCES[self.number]

    def __str__(self) -> str:
        where = "" if self.point is None else f" at p_A = {self.point[0]}, p_B = {self.point[1]}"
        reached = f"; with the ends of the bounds, which are reached there: {self.weak}" if self._only_reached else ""
        return f"{SIGNS[self.status]} {self.number}  {self.status}{where} ({self.method}): {self.sentence}{reached}"

    @property
    def _only_reached(self) -> bool:
        return self.status == REFUTED and self.weak != REFUTED


def pieces(x: X, slopes: tuple[X, X], a: X, b: X) -> Iterator[tuple[int, Triangle, X]]:
    """Yield conditions 3 to 6 as values that must be positive inside a triangle; x is 1/s."""
    da, db = slopes
    five, six = 0 - (a * da + b * db) / x, 0 - ((1 - a) * da - b * db) / x
    yield 3, LOW, x - a * b
    yield 3, HIGH, x - (1 - a) * (1 - b)
    yield 4, LEFT, x - a * (1 - b)
    yield 4, RIGHT, x - (1 - a) * b
    yield 5, LEFT, (2 * b - 1) / (1 - b) - five
    yield 5, RIGHT, (2 * a - 1) / (1 - a) - five
    yield 5, LOW, five + 2
    yield 5, HIGH, five + 1 + a * b / ((1 - a) * (1 - b))
    yield 6, LOW, six - 2 + 1 / a
    yield 6, HIGH, six - 2 + 1 / (1 - b)
    yield 6, LEFT, 1 + b * (1 - a) / (a * (1 - b)) - six
    yield 6, RIGHT, 2 - six


def inside(a: Fraction, b: Fraction) -> tuple[Triangle, ...]:
    """Return the triangles in whose interior a point lies; a point on a diagonal is in none on that side."""
    low = () if a + b == 1 else (LOW,) if a + b < 1 else (HIGH,)
    return (*low, *(() if a == b else (LEFT,) if a < b else (RIGHT,)))


def decide(inverse: Inverse) -> list[NormaliserCondition]:
    """Return the six conditions of a normaliser s, given as 1/s, with their statuses."""
    refuted, broken = _failing(inverse)
    exact = _as_quotient(inverse)
    proved = _proved(exact, set(refuted), strict=True) if exact is not None else set()
    weakly = _proved(exact, broken, strict=False) if exact is not None else set()
    found = []
    for k in SENTENCES:
        if k in refuted:
            how = "exact" if exact is not None else refuted[k][0]
            certain = how != "floats" or k < _WITH_SLOPES
            weak = REFUTED if k in broken and certain else PROVED if k in weakly else HELD
            found.append(
                NormaliserCondition(k, REFUTED if certain else HELD, how if certain else _SEEMS, refuted[k][1], weak)
            )
        elif k in proved:
            found.append(NormaliserCondition(k, PROVED, "identity" if k < 3 else "positive coefficients"))
        else:
            found.append(NormaliserCondition(k, HELD, f"{(_GRID - 1) ** 2} points"))
    return found


def _as_quotient(inverse: Inverse) -> Rational | None:
    """Return 1/s as a quotient of polynomials in p_A and p_B; None if it is not one."""
    found = quotient_of(inverse, *unknowns(*SHARES))
    return found if found is not None and found.degree == 1 and _agrees(found, inverse) else None


def _agrees(x: Rational, inverse: Inverse) -> bool:
    """Return whether a formula has the values that the function has with floats, at some points."""
    for a, b in _SPOTS:
        known = float(x.at(a, b))
        try:
            if abs(float(inverse(float(a), float(b), FloatFunctions())) - known) > 1e-6 * max(1.0, abs(known)):
                return False
        except ZeroDivisionError:
            continue
    return True


class _NoFunctions:
    """The functions for a quotient of polynomials: only powers and roots, and only if the result is one again."""

    def power(self, x: _Exact, r: object) -> _Exact:
        return x ** exponent_of(r)

    def sqrt(self, x: _Exact) -> _Exact:
        return x.root(2)  # type: ignore[attr-defined, no-any-return] # `Dual` has none: balls are next

    def __getattr__(self, name: str) -> Never:
        raise NotRational(f"{name} of a quotient of polynomials is not one again")


def _proved(x: Rational, refuted: set[int], *, strict: bool) -> set[int]:
    """Return the conditions that are proved for 1/s = x: in their strict form, or with the ends of the bounds."""
    a, b = unknowns("a", "b")
    found = set()
    if x == x.put(b, a) and x == x.put(1 - a, 1 - b):
        found.add(1)
    if x.put(a, a) == a * (1 - a) and x.put(a, 1 - a) == a * (1 - a):
        found.add(2)
    if not all(positive_on(x, triangle, strict=True) for triangle in (LOW, HIGH)) or not positive_on(
        x.put(a, 1 - a), (LOW[0], LOW[1], LOW[2]), strict=True
    ):
        return found  # the conditions are about log s, so 1/s must be positive on the whole square
    found |= {3, 4, 5, 6} - refuted
    for k, triangle, value in pieces(x, (x.slope(0), x.slope(1)), a, b):
        if k in found and not positive_on(value, triangle, strict=strict):
            found.discard(k)
    return found


# Points


def points() -> Iterator[Point]:
    """Yield the points of a grid inside the unit square, the two diagonals included."""
    for i in range(1, _GRID):
        for j in range(1, _GRID):
            yield Fraction(i, _GRID), Fraction(j, _GRID)


def _failing(inverse: Inverse) -> tuple[dict[int, tuple[str, Point]], set[int]]:
    """Return the conditions that fail somewhere on the grid, each with the arithmetic used and the first such point.

    The second part are those that fail even with the ends of their bounds.
    """
    found: dict[int, tuple[str, Point]] = {}
    broken: set[int] = set()
    for point in points():
        for k, how, beyond in _failed(inverse, point):
            found.setdefault(k, (how, point))
            if beyond:
                broken.add(k)
    return found, broken


def _failed(inverse: Inverse, point: Point) -> list[tuple[int, str, bool]]:
    """Return the conditions that fail at a point, the arithmetic used, and whether a bound is broken, not only reached.

    Exact numbers are tried first, then balls, then floats.
    """
    try:
        return [(k, "exact", beyond) for k, beyond in _failed_exactly(inverse, *point)]
    except (TypeError, ValueError, AttributeError, ArithmeticError):
        pass
    try:
        failed = precisely(lambda: list(_failed_at(inverse, *point)))
        return [(k, "balls", beyond) for k, beyond in failed]
    except (TypeError, ValueError):
        return [(k, "floats", True) for k in _failed_in_floats(inverse, *point)]


def _failed_exactly(inverse: Inverse, a: Fraction, b: Fraction) -> Iterator[tuple[int, bool]]:
    """Yield the conditions that fail at a point, and whether a bound is broken there, in exact rational numbers."""

    def at(p: Fraction, q: Fraction) -> Dual:
        return Dual.of(inverse(*Dual.point(p, q), _NoFunctions()))

    x, (share_a, share_b) = at(a, b), (flint_rational(a), flint_rational(b))
    if a == b or a + b == 1:
        if x.value != share_a * (1 - share_a):
            yield 2, True
        return
    if any(x.value != at(*other).value for other in ((b, a), (1 - a, 1 - b))):
        yield 1, True
    triangles = inside(a, b)
    for k, triangle, value in pieces(x.value, x.slopes, share_a, share_b):
        if triangle in triangles and value <= 0:
            yield k, bool(value < 0)


def _ball(inverse: Inverse, a: Fraction, b: Fraction) -> Ball:
    from goodmeasure.packages import flint

    arb = flint.arb

    x = Ball(number(a), (arb(1), arb(0)))
    y = Ball(number(b), (arb(0), arb(1)))
    return Ball.of(inverse(x, y, BallFunctions()))


def _failed_at(inverse: Inverse, a: Fraction, b: Fraction) -> Iterator[tuple[int, bool]]:
    """Yield the conditions that certainly fail at a point, and whether a bound is certainly broken there.

    A ball that is not finite decides nothing.
    """
    x = _ball(inverse, a, b)
    if a == b or a + b == 1:
        if _apart(x.value, number(a * (1 - a))):
            yield 2, True
        return
    if any(_apart(x.value, _ball(inverse, *other).value) for other in ((b, a), (1 - a, 1 - b))):
        yield 1, True
    triangles = inside(a, b)
    p, q = number(a), number(b)
    for k, triangle, value in pieces(x.value, x.slopes, p, q):
        if triangle in triangles and value.is_finite() and value <= 0:
            yield k, bool(value < 0)


def _apart(x: flint.arb, y: flint.arb) -> bool:
    return bool(x.is_finite() and y.is_finite() and not x.overlaps(y))


def _failed_in_floats(inverse: Inverse, a: Fraction, b: Fraction) -> Iterator[int]:
    """Yield the conditions that fail at a point for a function of floats, with a margin for rounding: not rigorous."""
    p, q, step = float(a), float(b), 1e-6
    functions = FloatFunctions()

    def value(x: float, y: float) -> float:
        return float(inverse(x, y, functions))

    try:
        x = value(p, q)
        if a == b or a + b == 1:
            near = [x, value(p, q + 100 * step), value(p, q - 100 * step)]  # near the diagonal the formula is not 0/0
            if min(abs(z / (p * (1 - p)) - 1) for z in near) > 0.01:
                yield 2
            return
        if max(abs(x - value(q, p)), abs(x - value(1 - p, 1 - q))) > 1e-6:
            yield 1
        across = value(p + step, q) - value(p - step, q), value(p, q + step) - value(p, q - step)
        slopes = across[0] / 2 / step, across[1] / 2 / step
    except ZeroDivisionError:
        return
    triangles = inside(a, b)
    for k, triangle, found in pieces(x, slopes, p, q):
        if triangle in triangles and found < -1e-4:
            yield k


class FloatFunctions:
    """The functions that a normaliser may use, for floats."""

    def __getattr__(self, name: str) -> Callable[..., float]:
        import math

        found: Callable[..., float] = getattr(
            math, {"arcsin": "asin", "arcsinh": "asinh", "power": "pow"}.get(name, name)
        )
        return found
