"""The six conditions of Theorem 3 on a normaliser: proved, refuted with a point, or held on the points looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from goodmeasure.theory.possible.balls import Ball, BallFunctions, exponent, number, precisely
from goodmeasure.theory.possible.rational import NotRational, Point, Rational, Triangle, positive_on, unknowns
from goodmeasure.theory.statements.verdict import HELD, PROVED, REFUTED, SIGNS

SENTENCES = {
    1: "s(p_A, p_B) = s(p_B, p_A) = s(1 − p_A, 1 − p_B)",
    2: "s(p, p) = s(p, 1 − p) = 1 / p(1 − p)",
    3: "s < max{1 / p_A p_B, 1 / (1 − p_A)(1 − p_B)} where p_B ≠ 1 − p_A",
    4: "s < max{1 / p_A(1 − p_B), 1 / (1 − p_A)p_B} where p_B ≠ p_A",
    5: "(p_A ∂/∂p_A + p_B ∂/∂p_B) log s is within its bounds: more true negatives raise the measure",
    6: "((1 − p_A) ∂/∂p_A − p_B ∂/∂p_B) log s is within its bounds: more false negatives lower the measure",
}
Inverse = Callable[[Any, Any, Any], Any]  # 1/s from p_A, p_B and the functions sqrt, log, …
_O, _L = Fraction(0), Fraction(1)
LOW: Triangle = ((_O, _O), (_L, _O), (_O, _L))  # p_A + p_B < 1
HIGH: Triangle = ((_L, _L), (_L, _O), (_O, _L))
LEFT: Triangle = ((_O, _O), (_O, _L), (_L, _L))  # p_A < p_B
RIGHT: Triangle = ((_O, _O), (_L, _O), (_L, _L))
_GRID = 30


@dataclass(frozen=True)
class Condition:
    """One of the six conditions, and what is known about it; ``point``: (p_A, p_B) where it fails."""

    number: int
    status: str
    method: str
    point: Point | None = None

    @property
    def sentence(self) -> str:
        """What the condition says."""
        return SENTENCES[self.number]

    def __str__(self) -> str:
        where = "" if self.point is None else f" at p_A = {self.point[0]}, p_B = {self.point[1]}"
        return f"{SIGNS[self.status]} {self.number}  {self.status}{where} ({self.method}): {self.sentence}"


def pieces(x: Any, slopes: tuple[Any, Any], a: Any, b: Any) -> Iterator[tuple[int, Triangle, Any]]:
    """What must be positive (conditions 3, 4) or not negative (5, 6) on each triangle; x is 1/s."""
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
    """The triangles that a point lies in; a point on an edge is in neither."""
    low = () if a + b == 1 else (LOW,) if a + b < 1 else (HIGH,)
    return (*low, *(() if a == b else (LEFT,) if a < b else (RIGHT,)))


def decide(inverse: Inverse) -> list[Condition]:
    """Decide the six conditions for a normaliser s, given as 1/s."""
    refuted = dict(_failing(inverse))
    exact = _as_quotient(inverse)
    proved = _proved(exact, refuted) if exact is not None else set()
    found = []
    for k in SENTENCES:
        if k in refuted:
            found.append(Condition(k, REFUTED, "exact" if exact is not None else refuted[k][0], refuted[k][1]))
        elif k in proved:
            found.append(Condition(k, PROVED, "identity" if k < 3 else "positive coefficients"))
        else:
            found.append(Condition(k, HELD, f"{(_GRID - 1) ** 2} points"))
    return found


def _as_quotient(inverse: Inverse) -> Rational | None:
    """1/s as a quotient of polynomials in p_A and p_B, where it is one."""
    try:
        a, b = unknowns("a", "b")
        found = inverse(a, b, _NoFunctions())
        return found if isinstance(found, Rational) and found.degree == 1 else None
    except (TypeError, ValueError, ArithmeticError, AttributeError):
        return None


class _NoFunctions:
    """Only whole powers keep a quotient of polynomials one."""

    def power(self, x: Any, r: Any) -> Any:
        return x ** exponent(r)

    def sqrt(self, x: Any) -> Any:
        return x.root(2)

    def __getattr__(self, name: str) -> Any:
        raise NotRational(f"{name} of a quotient of polynomials is none")


def _proved(x: Rational, refuted: dict[int, Any]) -> set[int]:
    a, b = unknowns("a", "b")
    found = set()
    if x == x.put(b, a) and x == x.put(1 - a, 1 - b):
        found.add(1)
    if x.put(a, a) == a * (1 - a) and x.put(a, 1 - a) == a * (1 - a):
        found.add(2)
    if not all(positive_on(x, triangle, strict=True) for triangle in (LOW, HIGH)) or not positive_on(
        x.put(a, 1 - a), (LOW[0], LOW[1], LOW[2]), strict=True
    ):
        return found  # 1/s must be positive for the conditions to mean what they say
    found |= {3, 4, 5, 6} - set(refuted)
    for k, triangle, value in pieces(x, (x.slope(0), x.slope(1)), a, b):
        if k in found and not positive_on(value, triangle, strict=k < 5):
            found.discard(k)
    return found


# Points


def points() -> Iterator[Point]:
    """The points that are looked at: a grid that keeps off the diagonals in one direction."""
    for i in range(1, _GRID):
        for j in range(1, _GRID):
            yield Fraction(i, _GRID), Fraction(j, _GRID)


def _failing(inverse: Inverse) -> Iterator[tuple[int, tuple[str, Point]]]:
    """Conditions that fail, each with how that is known and a point."""
    seen: set[int] = set()
    for point in points():
        try:
            failed, how = precisely(lambda p=point: set(_failed_at(inverse, *p))), "balls"  # type: ignore[misc]
        except (TypeError, ValueError):
            failed, how = set(_failed_in_floats(inverse, *point)), "floats"
        for k in failed - seen:
            seen.add(k)
            yield k, (how, point)


def _ball(inverse: Inverse, a: Fraction, b: Fraction) -> Ball:
    from flint import arb

    x = Ball(number(a), (arb(1), arb(0)))
    y = Ball(number(b), (arb(0), arb(1)))
    return Ball.of(inverse(x, y, BallFunctions()))


def _failed_at(inverse: Inverse, a: Fraction, b: Fraction) -> Iterator[int]:
    """The conditions that surely fail at a point; a ball that is not finite decides nothing."""
    x = _ball(inverse, a, b)
    if a == b or a + b == 1:
        if _apart(x.value, number(a * (1 - a))):
            yield 2
        return
    if any(_apart(x.value, _ball(inverse, *other).value) for other in ((b, a), (1 - a, 1 - b))):
        yield 1
    triangles = inside(a, b)
    p, q = number(a), number(b)
    for k, triangle, value in pieces(x.value, x.slopes, p, q):
        if triangle in triangles and value.is_finite() and (value < 0 or (k < 5 and value <= 0)):
            yield k


def _apart(x: Any, y: Any) -> bool:
    return bool(x.is_finite() and y.is_finite() and not x.overlaps(y))


def _failed_in_floats(inverse: Inverse, a: Fraction, b: Fraction) -> Iterator[int]:
    """As above for a function of floats only, with room for rounding."""
    p, q, step = float(a), float(b), 1e-6
    functions = FloatFunctions()

    def value(x: float, y: float) -> float:
        return float(inverse(x, y, functions))

    try:
        x = value(p, q)
        if a == b or a + b == 1:
            near = [x, value(p, q + 100 * step), value(p, q - 100 * step)]  # beside the edge a formula is not 0/0
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
    """The functions that a normaliser may use, on floats."""

    def __getattr__(self, name: str) -> Any:
        import math

        return getattr(math, {"arcsin": "asin", "arcsinh": "asinh", "power": "pow"}.get(name, name))
