"""Counterexamples to Sebastiani's axioms about test sets: fixed range, trivial classifiers and smoothness.

A test set fixes the true class sizes; a classifier then spreads the items of each class over the columns (for two
classes it chooses TP and TN within the box 0 ≤ TP ≤ a_1, 0 ≤ TN ≤ a_0).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from itertools import permutations

import numpy as np

from goodmeasure.counts.enumeration import compositions, matrices
from goodmeasure.language.policy import Undecided
from goodmeasure.theory.refute.germs import Germ, GrowthOrder
from goodmeasure.theory.refute.refuter import Reference, Refuter
from goodmeasure.theory.refute.values import rows_text
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.statements.witness import Exhibit, MatrixRows, Witness
from goodmeasure.theory.subject.judged_function import EXACT
from goodmeasure.theory.subject.measured_values import MeasuredValue, Subject

MatrixDirection = (
    MatrixRows  # how fast each cell grows; each row adds up to 0, so that the true class sizes stay the same
)


class RangeRefuter(Refuter):
    """Fixed range: the least and the greatest value over all predictions are the same for every true labeling."""

    def __init__(self, subject: Subject, statement: Statement) -> None:
        super().__init__(subject, statement)
        self.ends = Reference[MatrixRows](), Reference[MatrixRows]()

    @property
    def constants(self) -> dict[str, MeasuredValue]:
        values = [self.subject.own(x.value) for x in self.ends if x.value is not None][:: self.subject.turn]
        if len(values) < len(self.ends):
            return {}
        return dict(zip(self.statement.constants, values, strict=True))

    def at(self, n: int) -> Witness | None:
        s = self.subject
        listed = s.listed(n)
        true_sizes = listed.cells.reshape(-1, s.m, s.m).sum(axis=2)
        for sizes in np.unique(true_sizes, axis=0):
            group = [s.rows(listed.cells[k]) for k in np.flatnonzero((true_sizes == sizes).all(axis=1))]
            known = [x for x in group if s.value(x) is not None]
            if not known:
                continue
            self.seen += 1
            for end, sense in zip(self.ends, (-1, 1), strict=True):
                rows = self._extreme(known, sense)
                if rows is not None and end.differs(s, s.defined(rows), rows):
                    return self._witness(end.on, rows, "least" if sense * s.turn < 0 else "greatest")
        return None

    def _extreme(self, group: list[MatrixRows], sense: int) -> MatrixRows | None:
        """Return the matrix of a group with the least or the greatest value; None where it could not be decided."""
        best = group[0]
        for rows in group[1:]:
            order = self.subject.order(self.subject.defined(rows), self.subject.defined(best))
            if order is None:
                return None
            if order * sense > 0:
                best = rows
        return best

    def _witness(self, x: MatrixRows, y: MatrixRows, which: str) -> Witness:
        s = self.subject
        shown = s.exhibit(f"{which} value", x), s.exhibit(f"{which} value", y)
        a, b = ([sum(row) for row in rows] for rows in (x, y))
        return Witness(
            shown,
            f"true sizes {a}: the {which} value is {shown[0].value}; true sizes {b}: {shown[1].value}",
            s.replay(f"{s.call(x)} == {s.call(y)}"),
        )


class TrivialRefuter(Refuter):
    """Robustness to imbalance: each constant prediction has one constant score on all test sets with every class."""

    def __init__(self, subject: Subject, statement: Statement) -> None:
        super().__init__(subject, statement)
        self.references = tuple(Reference[MatrixRows]() for _ in range(subject.m))

    @property
    def constants(self) -> dict[str, MeasuredValue]:
        named = [(name, self.references[j].value) for name, j in self.statement.constant_predictions(self.subject.m)]
        return {name: self.subject.own(value) for name, value in named if value is not None}

    def at(self, n: int) -> Witness | None:
        s = self.subject
        for sizes in compositions(n, s.m):
            if not sizes.all():
                continue
            for j, reference in enumerate(self.references):
                rows = tuple(tuple(int(x) if k == j else 0 for k in range(s.m)) for x in sizes)
                if not s.domain.holds(np.array(rows)) or s.value(rows) is None:
                    continue
                self.seen += 1
                if reference.differs(s, s.defined(rows), rows):
                    shown = s.exhibit(f"all called {j}", reference.on), s.exhibit(f"all called {j}", rows)
                    return Witness(
                        shown,
                        f"all items called {j}: {rows_text(reference.on)} has {shown[0].value}, "
                        f"{rows_text(rows)} has {shown[1].value}",
                        s.replay(f"{s.call(reference.on)} == {s.call(rows)}"),
                    )
        return None


class SmoothRefuter(Refuter):
    """Continuous differentiability in the cells, examined along rays from every matrix of n items.

    Along a ray C + t·D, t → 0+, the measure has an exact expansion c₀·t^k + … (a `Germ`). If M is continuously
    differentiable, then k ≥ 0 (no pole), the limit is M(C), the next term has order at least 1 (no infinite slope),
    and the slope is linear in D: slopes along D and −D cancel, and the slope along D + D′ is the sum of the two.
    A violation of any of these is a counterexample. A matrix of the domain on which the measure has no value is a hole
    that a smooth function could fill, so limits and slopes from different sides must agree there too. Only rays are
    examined: a function can pass and still be discontinuous along curves.
    """

    def at(self, n: int) -> Witness | None:
        s = self.subject
        if s.caller.how != EXACT:
            return None
        for cells in matrices(n, s.m):
            if self.late():
                return None
            rows = s.rows(cells.ravel())
            if s.domain.holds(cells):
                self.seen += 1
                if found := self._around(rows):
                    return found
        return None

    def _around(self, rows: MatrixRows) -> Witness | None:
        """Return a counterexample at one matrix, from the limits and slopes along all rays."""
        s, value = self.subject, self.subject.value(rows)
        slopes: dict[MatrixDirection, MeasuredValue] = {}
        seen: tuple[MatrixDirection | None, MeasuredValue] | None = None if value is None else (None, value * s.turn)
        for direction in directions(s.m):
            try:
                germ = self._germ(rows, direction)
                if germ is None:
                    continue
                order = germ.order
                if order is not None and order < 0:
                    typed = (
                        _unbounded
                        if not isinstance(order, GrowthOrder)
                        else partial(_unbounded_slowly, germ.terms[order])
                    )
                    return self._witness(rows, [direction], "is unbounded", typed)
                limit = germ.coefficient(0)
                if seen is not None and limit != seen[1]:
                    return self._jump(rows, direction, limit, seen)
                seen = seen or (direction, limit)
                rest = (germ - limit).order
                if rest is not None and rest < 1:
                    typed = (
                        _steep if not isinstance(rest, GrowthOrder) else partial(_steeper, (germ - limit).terms[rest])
                    )
                    return self._witness(rows, [direction], "has an infinite slope", typed)
                slopes[direction] = germ.coefficient(1)
            except Undecided:
                s.undecided += 1
        return self._not_linear(rows, slopes)

    def _germ(self, rows: MatrixRows, direction: MatrixDirection) -> Germ | None:
        if any(x == 0 and d < 0 for row, ds in zip(rows, direction, strict=True) for x, d in zip(row, ds, strict=True)):
            return None  # the ray leaves the matrices with cells that are not negative
        return self.subject.along(rows, direction)

    def _not_linear(self, rows: MatrixRows, slopes: dict[MatrixDirection, MeasuredValue]) -> Witness | None:
        """Return a counterexample if the slopes along the rays are not those of one linear function."""
        for x, y, z in relations(self.subject.m):
            if x not in slopes or y not in slopes or (z is not None and z not in slopes):
                continue
            total = slopes[x] + slopes[y] - (0 if z is None else slopes[z])
            if total != 0:
                said = "has slopes from different sides that contradict each other"
                return self._witness(rows, [x, y] if z is None else [x, y, z], said, _kink)
        return None

    def _jump(
        self,
        rows: MatrixRows,
        direction: MatrixDirection,
        limit: MeasuredValue,
        seen: tuple[MatrixDirection | None, MeasuredValue],
    ) -> Witness:
        """Return the witness of two limits, or a limit and a value, that differ."""
        s = self.subject
        other = rows_text(rows) if seen[0] is None else f"along {_ray(seen[0])}"
        near = rows if seen[0] is None else _step(rows, seen[0], Fraction(1, 10**9))
        far = _step(rows, direction, Fraction(1, 10**9))
        gap = abs(float(limit - seen[1])) / 2
        return Witness(
            (
                s.exhibit("at", rows),
                Exhibit(f"limit along {_ray(direction)}", str(limit), float(limit)),
                Exhibit("value" if seen[0] is None else f"limit along {_ray(seen[0])}", str(seen[1]), float(seen[1])),
            ),
            f"not continuous at {rows_text(rows)}: along {_ray(direction)} the limit is {limit}, {other}: {seen[1]}",
            s.replay(f"abs({s.call(near)} - {s.call(far)}) < {gap:g}"),
        )

    def _witness(
        self,
        rows: MatrixRows,
        directions: list[MatrixDirection],
        said: str,
        typed: Callable[[Subject, MatrixRows, list[MatrixDirection]], str],
    ) -> Witness:
        s = self.subject
        rays = " and ".join(_ray(x) for x in directions)
        return Witness(
            (s.exhibit("at", rows),),
            f"at {rows_text(rows)}, along {rays}, the measure {said}",
            s.replay(typed(s, rows, directions)),
        )


@cache
def directions(m: int) -> tuple[MatrixDirection, ...]:
    """Return the directions of the rays: an item moves within one row, or one in each of two rows.

    For two classes these are all changes of TP and TN by −1, 0 or 1.
    """
    if m == 2:
        both = [(tp, tn) for tp in (-1, 0, 1) for tn in (-1, 0, 1) if (tp, tn) != (0, 0)]
        return tuple(((tn, -tn), (-tp, tp)) for tp, tn in both)
    alone = [_within_row(m, i, j, k) for i in range(m) for j, k in permutations(range(m), 2)]
    return (*alone, *(_plus(x, y) for x, y in _pairs_of_rows(alone, m)))


def _within_row(m: int, i: int, j: int, k: int) -> MatrixDirection:
    """Return the direction in which items of row i move from column j to column k."""
    return tuple(tuple((q == k) - (q == j) if p == i else 0 for q in range(m)) for p in range(m))


def _plus(x: MatrixDirection, y: MatrixDirection) -> MatrixDirection:
    return tuple(tuple(p + q for p, q in zip(*both, strict=True)) for both in zip(x, y, strict=True))


def _pairs_of_rows(alone: list[MatrixDirection], m: int) -> list[tuple[MatrixDirection, MatrixDirection]]:
    """Return pairs of directions that touch different rows."""
    row = [next(i for i in range(m) if any(x[i])) for x in alone]
    return [(x, y) for p, x in enumerate(alone) for q, y in enumerate(alone) if row[p] < row[q]]


@cache
def relations(m: int) -> tuple[tuple[MatrixDirection, MatrixDirection, MatrixDirection | None], ...]:
    """Return x, y and their sum z among the directions; z is None where x and y are opposite."""
    known = set(directions(m))
    few = [x for x in directions(m) if m == 2 or sum(map(any, x)) == 1]
    found: list[tuple[MatrixDirection, MatrixDirection, MatrixDirection | None]] = []
    for p, x in enumerate(few):
        for q, y in enumerate(few):
            z = _plus(x, y)
            if not any(map(any, z)):
                found.append((x, y, None))
            elif z in known and p < q:
                found.append((x, y, z))
    return tuple(found)


def _ray(direction: MatrixDirection) -> str:
    """Return a direction in words: how TP and TN change, or for more classes which cells do."""
    if len(direction) == 2:
        changes = [("TP", direction[1][1]), ("TN", direction[0][0])]
    else:
        changes = [(f"c_{i}{j}", d) for i, row in enumerate(direction) for j, d in enumerate(row)]
    return ", ".join(f"{name} {'+' if d > 0 else '−'} t" for name, d in changes if d)


def _step(rows: MatrixRows, direction: MatrixDirection, t: Fraction) -> MatrixRows:
    return tuple(
        tuple(x + t * d for x, d in zip(row, ds, strict=True)) for row, ds in zip(rows, direction, strict=True)
    )


def _unbounded(s: Subject, rows: MatrixRows, directions: list[MatrixDirection]) -> str:
    return f"abs({s.call(_step(rows, directions[0], Fraction(1, 10**15)))}) < 1000"


def _steep(s: Subject, rows: MatrixRows, directions: list[MatrixDirection]) -> str:
    one, two = (s.call(_step(rows, directions[0], Fraction(1, 10**k))) for k in (16, 12))
    return f"abs({one} - {two}) < F(1, 10**9)"


def _unbounded_slowly(rate: MeasuredValue, s: Subject, rows: MatrixRows, directions: list[MatrixDirection]) -> str:
    """Return a line that sees a value grow with log(1/t): between 2^−10 and 2^−30 by 20·log 2 times the rate."""
    one, two = (s.call(_step(rows, directions[0], Fraction(1, 2**k))) for k in (10, 30))
    return f"abs({two} - {one}) < {6 * abs(float(rate)):g}"


def _steeper(rate: MeasuredValue, s: Subject, rows: MatrixRows, directions: list[MatrixDirection]) -> str:
    """Return a line that sees the slope between t and 0 (or t², without a value at 0) grow with log(1/t)."""
    slopes = []
    for k in (10, 20):
        t = Fraction(1, 2**k)
        base = s.call(rows if s.value(rows) is not None else _step(rows, directions[0], t * t))
        slopes.append(f"{2**k} * ({s.call(_step(rows, directions[0], t))} - {base})")
    return f"abs({slopes[1]} - {slopes[0]}) < {3 * abs(float(rate)):g}"


def _kink(s: Subject, rows: MatrixRows, directions: list[MatrixDirection]) -> str:
    t = Fraction(1, 10**9)
    base = s.call(_step(rows, directions[0], t * t))
    gains = [f"({s.call(_step(rows, d, t))} - {base})" for d in directions]
    total = " + ".join(gains[:2]) + (f" - {gains[2]}" if len(gains) > 2 else "")
    return f"abs(10**9 * ({total})) < F(1, 10**6)"
