"""Read a measure as a formula in polynomial cells, and compare the formula with the measure's exact value on numbers.

The formula comes from the same symbolic algebra that the prover uses. The comparison is what stands between a fault in
that algebra and a false proof: each formula is evaluated in floats at one point with whole coordinates, small or large
(drawn from a fixed seed), and must agree with the exact value of the measure on that matrix to about seven digits. It
is a spot check, not a proof: it does not notice a difference that is tiny, or that shows for few counts only.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.language.policy import policy_of
from goodmeasure.theory.algebra.orthant import Orthant, Outside, Poly, Sum
from goodmeasure.theory.algebra.quantities import Quantity, of_polynomial
from goodmeasure.theory.algebra.support_patterns import value_on
from goodmeasure.theory.verify.signs import CertificateError, demand

_SPLIT = re.compile(r"([a-z]\w*)([<=>])([a-z]\w*|1)")
_NEAR = 1e-7
_LARGEST = (12, 12, 10**3, 10**6)  # the greatest cell of a matrix on which a formula is compared with numbers
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "arccos": lambda y: math.acos(max(-1.0, min(1.0, y))),
    "sqrt": lambda y: math.sqrt(max(0.0, y)),
    "log": math.log,
}


class Reading:
    """A measure of m classes on cells that are polynomials in positive variables, turned so that higher is better."""

    def __init__(
        self, measure: Any, m: int, undefined: Any, extra: tuple[str, ...] = (), *, open_order: bool = True
    ) -> None:
        self.measure, self.m, self.policy, self.open_order = measure, m, policy_of(undefined), open_order
        self.cell_names = [f"c{i}_{j}" for i in range(m) for j in range(m)]
        self.ring = Orthant((*self.cell_names, *extra))
        self.gens = self.ring.context.gens()
        self.turn = -1 if measure.orientation == "lower" else 1
        self._random = random.Random(7)

    def value(self, cells: list[Poly], ring: Orthant | None = None) -> Any:
        """Return the value on these cells as a formula, after comparing it with the exact value at one point."""
        ring, m = ring or self.ring, self.m
        rows = [[of_polynomial(ring, cells[i * m + j]) for j in range(m)] for i in range(m)]
        try:
            value = value_on(self.measure.of, rows, self.policy, ring, open_order=self.open_order)
        except Outside as error:
            raise CertificateError(f"the definition cannot be read on {cells}: {error}") from None
        self._compare(value, cells, ring)
        return value if value is UNDEFINED else value * self.turn

    def _compare(self, value: Any, cells: list[Poly], ring: Orthant) -> None:
        """Demand that a formula has the measure's exact value at one point, or is undefined where the measure is."""
        largest = self._random.choice(_LARGEST)
        point = [Fraction(self._random.randint(1, largest)) for _ in ring.context.gens()]
        numbers = [at_point(p, point) for p in cells]
        matrix = [numbers[i * self.m : (i + 1) * self.m] for i in range(self.m)]
        exact = self.measure.exact(matrix, undefined=self.undefined)
        if value is UNDEFINED or exact is UNDEFINED:
            demand(value is exact, f"the measure is not what was read on {matrix}")
            return
        try:
            seen, known = number(value, point), float(exact)
        except OverflowError:  # floats do not reach so far
            return
        demand(abs(seen - known) <= _NEAR * max(1.0, abs(known)), f"on {matrix} the measure is {known}, read as {seen}")

    def of(self, p: Poly) -> Any:
        """Return a polynomial in the variables as a value."""
        return of_polynomial(self.ring, p)

    @property
    def undefined(self) -> Any:
        """Return the policy for undefined values as `Measure.exact` takes it."""
        return self.policy.number if self.policy.name == "number" else self.policy.name

    def cells(self, support: str, splits: list[str]) -> list[Poly]:
        """Return the cells of a support, in the variables that remain after some splits.

        Cells are whole numbers from 1 on. "x>y" writes x as x + y, where the new x is what the old one has more, again
        a whole number from 1 on; "x<y" does the same for y; "x=y" writes x as y; "x>1" writes x as x + 1, and "x=1" as
        1. So after every split all variables are positive whole numbers again, and splits can follow one another.
        """
        demand(len(support) == self.m**2 and set(support) <= {"0", "1"}, f"{support!r} is no support")
        none, index = self.ring.constant(0), {name: k for k, name in enumerate(self.ring.names)}
        cells = [g if s == "1" else none for g, s in zip(self.gens, support, strict=False)]
        for split in splits:
            first, order, second = parsed(split)
            place = list(self.gens)
            x = index[first]
            if second == "1":
                place[x] = self.gens[x] + 1 if order == ">" else self.ring.constant(1)
            elif order == ">":
                place[x] = self.gens[x] + self.gens[index[second]]
            elif order == "<":
                place[index[second]] = self.gens[x] + self.gens[index[second]]
            else:
                place[x] = self.gens[index[second]]
            cells = [p.compose(*place) for p in cells]
        return cells

    def slope_agrees(self, value: Quantity, slope: Quantity, direction: dict[int, int]) -> None:
        """Demand that a derivative agrees with a difference quotient, at two points."""
        for _ in range(2):
            point = [Fraction(self._random.randint(2, 9)) for _ in self.gens]
            step = Fraction(1, 10**4)
            ends = [[x + side * step * direction.get(k, 0) for k, x in enumerate(point)] for side in (-1, 1)]
            seen = (number(value, ends[1]) - number(value, ends[0])) / float(2 * step)
            known = number(slope, point)
            demand(abs(seen - known) <= 1e-4 * max(1.0, abs(known)), "a derivative in the certificate is not one")


def parsed(split: str) -> tuple[str, str, str]:
    """Return the two sides and the sign of a split such as "c0_0>c1_1"."""
    found = _SPLIT.fullmatch(split)
    demand(found is not None, f"{split!r} is no split")
    assert found is not None
    return found[1], found[2], found[3]


def check_splits(splits: list[list[str]], names: set[str]) -> None:
    """Demand that the splits of one case leave nothing out.

    They form a tree: all begin with the same two variables (or a variable and 1), every order of the two occurs, and
    the rest of the splits under each order is complete by the same rule. A variable is <, = or > another one, and a
    positive whole number is = 1 or > 1, so by induction the leaves cover every choice of the variables.
    """
    if splits == [[]]:
        return
    demand(all(splits), "a case is split and also taken whole")
    forks = {(parsed(x[0])[0], parsed(x[0])[2]) for x in splits}
    demand(len(forks) == 1, f"the cases split on different variables: {sorted(forks)}")
    ((first, second),) = forks
    demand(first in names and (second in names or second == "1") and first != second, f"no cells {first}, {second}")
    for order in "=>" if second == "1" else "<=>":
        rest = [x[1:] for x in splits if parsed(x[0])[1] == order]
        demand(bool(rest), f"the case {first}{order}{second} is missing")
        check_splits(rest, names)
    if second == "1":
        demand(all(parsed(x[0])[1] != "<" for x in splits), "no whole number is below 1")


# Values at a point


def at_point(p: Poly, point: list[Fraction]) -> Fraction:
    """Return the exact value of a polynomial at a point."""
    if all(x.denominator == 1 for x in point):
        return Fraction(int(p(*(x.numerator for x in point))))
    total = Fraction(0)
    for monomial, coefficient in zip(p.monoms(), p.coeffs(), strict=True):
        total += int(coefficient) * math.prod(
            (x ** int(e) for x, e in zip(point, monomial, strict=True)), start=Fraction(1)
        )
    return total


def number(x: Quantity, point: list[Fraction]) -> float:
    """Return the value of a formula at a point, as a float."""
    return _sum_number(x.orthant, x.num, point) / _sum_number(x.orthant, x.den, point)


def _sum_number(ring: Orthant, x: Sum, point: list[Fraction]) -> float:
    """Return the value of a sum of polynomials times roots and atoms at a point, as a float."""
    total = 0.0
    for key, p in x.items():
        term = float(at_point(p, point)) * math.sqrt(at_point(ring.roots[key[0]], point))
        for name in key[1:]:
            term *= _atom_number(ring, name, point)
        total += term
    return total


def _atom_number(ring: Orthant, name: str, point: list[Fraction]) -> float:
    """Return the value of an atom at a point, as a float."""
    kind, about = ring.atoms[name].kind, ring.atoms[name].about
    if kind == "pi":
        return math.pi
    if kind == "share":
        return float(0.5 ** (1 / float(about[0])))
    if kind in ("mean", "slope1", "slope2", "greatest", "least"):
        u, v = (float(at_point(p, point)) for p in about[1:])
        if kind in ("greatest", "least"):
            return max(u, v) if kind == "greatest" else min(u, v)
        if isinstance(about[0], str):
            return named_mean(kind, about[0], u, v)
        r = float(about[0])
        mean = math.sqrt(u * v) if r == 0 else ((u**r + v**r) / 2) ** (1 / r)
        if kind == "mean":
            return mean
        return float((u if kind == "slope1" else v) ** (r - 1) * mean ** (1 - r) / 2)
    inner = number(about[-1], point)
    if kind == "power":
        return float(inner ** float(about[0]))
    return FUNCTIONS[kind](inner)


_STEP = 1e-5  # relative, of the difference quotients that stand for the slopes of a named mean


def named_mean(kind: str, name: str, u: float, v: float) -> float:
    """Return a named mean of two positive numbers, or one of its slopes, as a float.

    The formulas are those of `language/two_means.py`, written a second time, in the accurate functions of floats.
    """
    if kind == "slope1":
        return (named_mean("mean", name, u * (1 + _STEP), v) - named_mean("mean", name, u * (1 - _STEP), v)) / (
            2 * _STEP * u
        )
    if kind == "slope2":
        return named_mean("slope1", name, v, u)
    low, high = min(u, v), max(u, v)
    if name == "heronian":
        return (u + math.sqrt(u * v) + v) / 3
    if name.startswith("stolarsky "):
        p = int(name.removeprefix("stolarsky "))
        return float((sum(u**k * v ** (p - 1 - k) for k in range(p)) / p) ** (1 / (p - 1)))
    if low == high:
        return low
    growth, z = math.log1p((high - low) / low), (high - low) / (high + low)
    if name == "logarithmic":
        return (high - low) / growth
    if name == "identric":
        return low * math.exp(high / (high - low) * growth - 1)
    demand(name in ("seiffert", "neuman_sandor"), f"{name!r} is no mean that certificates know")
    return (high - low) / 2 / (math.asin(z) if name == "seiffert" else math.asinh(z))
