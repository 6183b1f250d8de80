"""Show that a measure is not continuously differentiable at a matrix, from limits and slopes along rays.

A ray C + t·D leaves a matrix C with the same true class sizes: each row of D adds up to 0, and no cell that is 0
shrinks. Let w be the least cell that shrinks. With t = w·s/(1 + s) the matrices with 0 < t < w are functions of one
positive variable s, and have one support, which contains that of C and so lies in the domain. On them the measure is
one formula f(s). If M, or a function that fills a gap of M at C, were continuously differentiable, then f would have a
finite limit at s = 0, the same for all rays and equal to M(C); f′ would have a finite limit; and the slopes by t, which
are these limits over w since dt/ds = w at s = 0, would be linear in D. Each of the following contradicts one of these:

* f or f′ is unbounded near s = 0;
* limits that differ from each other or from M(C), or slopes along D, D′ and D + D′ that do not add up.

**Leading terms.** A value x is seen to tend to something if its formula has a value at s = 0, or else by its leading
term (`Along.leading`): x = s^a·(log s)^b·(C + o(1)) with a number C ≠ 0. The leading term of a product or quotient is
that of the parts; that of a sum is the greatest of them near 0, which has the least a, and among these the greatest b;
if several parts share it, their numbers C are added, and a sum that may be 0 tells nothing. A root takes the root of a
leading term with b = 0; the logarithm of x with a ≠ 0 is a·log s·(1 + o(1)), and that of 1 + y with y → 0 is y·(1 +
o(1)). With a < 0, or a = 0 and b > 0, x is unbounded.

Numbers are compared as balls that do not meet. What is not seen in one of these ways is not accepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from goodmeasure.exceptions import CertificateError
from goodmeasure.packages import flint
from goodmeasure.theory.statements.witness import MatrixRows
from goodmeasure.theory.verify.arithmetic import DOWN, UNDEFINED, UP, FunctionValue, Poly, Refused
from goodmeasure.theory.verify.atoms import Logarithm, Root, Size, SomeRoot, derivative, put
from goodmeasure.theory.verify.formula_readings import Reading, agrees, ball_at, read_soundly
from goodmeasure.theory.verify.views import FunctionView

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure
    from goodmeasure.language.policy import Undefined

Leading = tuple[Fraction, int, flint.arb]  # a, b and the ball C of a leading term s^a·(log s)^b·C

Pole: TypeAlias = Literal["pole"]
POLE: Pole = "pole"  # in the place of a limit: the value is unbounded
_BITS = 192
RayStep = TypeVar("RayStep", FunctionValue, Fraction)


def is_seen_not_to_be_smooth(measure: Measure, rows: MatrixRows, policy: Undefined, deadline: float) -> bool:
    """Return whether limits or slopes along rays from a matrix exclude that the measure is smooth there."""
    value = measure.exact(rows, undefined=policy)
    limits = [] if value is UNDEFINED else [value.ball(_BITS)]
    slopes: dict[MatrixRows, flint.arb] = {}
    for ray in directions(len(rows)):
        along = Along(measure, rows, ray, policy, deadline)
        if along.value is None:
            continue
        limit = along.limit(along.value)
        if limit is POLE or (limit is not None and any(not limit.overlaps(x) for x in limits)):  # type: ignore[union-attr]
            return True
        limits += [] if limit is None else [limit]
        try:
            slope = along.limit(derivative(along.value, {along.name: 1}))
        except Refused:
            continue
        if slope is POLE:
            return True
        if slope is not None and limit is not None:
            slopes[ray] = slope / along.width  # type: ignore[operator] # no pole
    return not _linear(slopes)


def _linear(slopes: dict[MatrixRows, flint.arb]) -> bool:
    """Return whether the slopes along rays may be those of one linear function."""
    for (x, one), (y, two) in combinations(slopes.items(), 2):
        z = _plus(x, y)
        if z in slopes and not (one + two).overlaps(slopes[z]):
            return False
        if not any(map(any, z)) and not (one + two).contains(0):
            return False
    return True


def directions(m: int) -> Iterator[MatrixRows]:
    """Yield directions: items of one row move from a column to another one, alone or together with another row."""
    alone = {
        i: [
            tuple(tuple((q == k) - (q == j) if p == i else 0 for q in range(m)) for p in range(m))
            for j, k in permutations(range(m), 2)
        ]
        for i in range(m)
    }
    for i in range(m):
        yield from alone[i]
    for i, j in combinations(range(m), 2):
        yield from (_plus(x, y) for x in alone[i] for y in alone[j])


def _plus(x: MatrixRows, y: MatrixRows) -> MatrixRows:
    return tuple(tuple(p + q for p, q in zip(*two, strict=True)) for two in zip(x, y, strict=True))


class Along:
    """A measure along one ray, as a function of a positive variable; ``value`` is None where it cannot be read."""

    def __init__(self, measure: Measure, rows: MatrixRows, ray: MatrixRows, policy: Undefined, deadline: float) -> None:
        reading = Reading(measure, len(rows), policy, deadline=deadline)
        self.ring, self.name = reading.ring, reading.cell_names[0]
        self.value: FunctionValue | None = None
        pairs = [(Fraction(x), d) for row, ds in zip(rows, ray, strict=True) for x, d in zip(row, ds, strict=True)]
        width = min(x for x, d in pairs if d < 0)
        if width == 0:
            return
        self.width = flint.arb(flint.fmpq(width.numerator, width.denominator))

        def moved(step: RayStep) -> list[list[RayStep]]:
            return [
                [step * d + Fraction(x) for x, d in zip(row, ds, strict=True)]
                for row, ds in zip(rows, ray, strict=True)
            ]

        s = reading.of(reading.gens[0])
        try:
            value = read_soundly(measure, FunctionView(moved(s * width / (s + 1)), reading.policy, self.ring))
        except (Refused, CertificateError):
            return
        if value is not UNDEFINED:
            for k in (1, 7, 1000):
                point = dict.fromkeys(self.ring.names, k)
                agrees(measure, value, moved(width * Fraction(k, k + 1)), reading.policy, point)
            self.value = self._near(value)

    def _near(self, x: FunctionValue) -> FunctionValue:
        """Return the same value for small s, with f or −f in the place of each |f| whose sign near 0 is seen."""
        images = {}
        for k in x.atoms:
            atom = self.ring.atoms[k]
            leading = self.leading(atom.inner) if isinstance(atom, Size) else None
            if isinstance(atom, Size) and leading is not None and leading[1] == 0:
                images[k] = atom.inner if leading[2] > 0 else -atom.inner
        if not images:
            return x
        above, below = (put(x, p, images) for p in (x.num, x.den))
        return x if below.signs() not in (UP, DOWN) else above / below

    def limit(self, x: FunctionValue) -> flint.arb | Pole | None:
        """Return a ball that holds the limit of a value at s = 0, `POLE`, or None where neither is seen."""
        place, ring = {self.name: self.ring.constant(0)}, self.ring
        try:
            images = {k: ring.atoms[k].at(place) for k in x.atoms}
            above, below = (put(x, p, images, place) for p in (x.num, x.den))
        except (Refused, CertificateError):
            return self._limit_of_leading(x)
        point = dict.fromkeys(ring.names, 1)
        top, bottom = ball_at(above, point), ball_at(below, point)
        return self._limit_of_leading(x) if bottom.contains(0) else top / bottom

    def _limit_of_leading(self, x: FunctionValue) -> flint.arb | Pole | None:
        """Return the limit of a value by its leading term: a ball, `POLE`, or None where it is not seen."""
        leading = self.leading(x)
        if leading is None:
            return None
        a, b, c = leading
        if a == b == 0:
            return c
        return POLE if a < 0 or (a == 0 and b > 0) else flint.arb(0)

    def leading(self, x: FunctionValue) -> Leading | None:
        """Return (a, b, C) with x = s^a·(log s)^b·(C + o(1)) near s = 0 and C ≠ 0; None where it is not seen."""
        above, below = (self._of_sum(x, p) for p in (x.num, x.den))
        if above is None or below is None:
            return None
        return above[0] - below[0], above[1] - below[1], above[2] / below[2]

    def _of_sum(self, x: FunctionValue, p: Poly) -> Leading | None:
        """Return the leading term of a polynomial in s and in atoms."""
        place = len(x.atoms) + self.ring.names.index(self.name)
        known = [self._of_atom(k) for k in x.atoms]
        total: dict[tuple[Fraction, int], flint.arb] = {}
        for monomial, c in zip(p.monoms(), p.coeffs(), strict=True):
            a, b, number = Fraction(int(monomial[place])), 0, flint.arb(c)
            for e, atom in zip(monomial, known, strict=False):
                if e and atom is None:
                    return None
                if e and atom is not None:
                    a, b, number = a + atom[0] * int(e), b + atom[1] * int(e), number * atom[2] ** int(e)
            total[a, b] = total.get((a, b), flint.arb(0)) + number
        if not total:
            return None
        a, b = min(total, key=lambda z: (z[0], -z[1]))
        return None if total[a, b].contains(0) else (a, b, total[a, b])

    def _of_atom(self, k: int) -> Leading | None:
        """Return the leading term of an atom."""
        atom = self.ring.atoms[k]
        try:
            there = ball_at(atom.at({self.name: self.ring.constant(0)}), dict.fromkeys(self.ring.names, 1))
            if not there.contains(0):
                return Fraction(0), 0, there
        except (Refused, CertificateError):
            pass
        inner = self.leading(atom.inner) if isinstance(atom, Root | Logarithm | SomeRoot | Size) else None
        if inner is None:
            return None
        a, b, c = inner
        if isinstance(atom, Logarithm):
            if a:
                return Fraction(0), 1, flint.arb(flint.fmpq(a.numerator, a.denominator))
            less = self.leading(atom.inner - 1)  # log(1 + y) = y·(1 + o(1)) as y tends to 0
            return less if less is not None and less[0] > 0 else None
        if isinstance(atom, Size):
            return (a, b, abs(c)) if b == 0 else None
        d = 2 if isinstance(atom, SomeRoot) else atom.degree
        return (a / d, 0, c.root(d)) if b == 0 and c > 0 else None
