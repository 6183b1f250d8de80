"""Counterexamples to constant baselines: two sets of class sizes for which random predictions score differently.

With true class sizes a and predicted class sizes b, a random prediction is a uniformly drawn labeling with sizes b. A
matrix C with these margins then has probability proportional to 1 / ∏ c_ij! (the multivariate hypergeometric
distribution), so the average is an exact weighted sum over the matrices with these margins.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import TYPE_CHECKING

from goodmeasure.counts.enumeration import compositions
from goodmeasure.language.policy import Undecided
from goodmeasure.theory.refute.germs import Germ, GrowthOrder
from goodmeasure.theory.refute.refuter import Reference, Refuter
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.statements.witness import ClassSizes, Exhibit, MatrixRows, Witness, text_of
from goodmeasure.theory.subject.judged_function import EXACT
from goodmeasure.theory.subject.measured_values import MeasuredValue, Subject, shown

if TYPE_CHECKING:
    from goodmeasure.theory.statements.witness import CellNumber

WeightedMatrices = tuple[tuple[Fraction, MatrixRows], ...]


_PATIENCE = 4  # from this n on, averages over the defined predictions are used if there are no others


def is_unary(sizes: ClassSizes) -> bool:
    """Return whether all items are in one class."""
    return max(sizes) == sum(sizes)


class ExpectationRefuter(Refuter):
    """Constant baseline (Def. 8) and robustness to chance (Axiom 6): the average over random predictions is constant.

    Class sizes for which some prediction has no value are skipped. If that leaves nothing up to n = 4 (odds ratios),
    the averages over the predictions that have a value are compared instead, and the witness says so.
    """

    def __init__(self, subject: Subject, statement: Statement) -> None:
        super().__init__(subject, statement)
        self.reference = Reference[tuple[str, WeightedMatrices]]()
        self.partial = Reference[tuple[str, WeightedMatrices]]()
        self.in_part: tuple[int, Witness] | None = None

    @property
    def constants(self) -> dict[str, MeasuredValue]:
        value = self.partial.value if self.reference.value is None else self.reference.value
        return {} if value is None else {self.statement.constants[0]: self.subject.own(value)}

    def at(self, n: int) -> Witness | None:
        for about, average in self._averages(n):
            value = self._expected(average)
            if value is None:
                self._note_part(n, about, average)
                continue
            self.seen += 1
            if self.reference.differs(self.subject, value, (about, average)):
                return self._witness(self.reference, about, average, value)
        if not self.seen and n >= _PATIENCE and self.in_part is not None:
            self.n, witness = self.in_part
            return witness
        return None

    def _note_part(self, n: int, about: str, average: WeightedMatrices) -> None:
        """Compare averages over the predictions that have a value, and keep the first counterexample among them."""
        known = tuple((w, rows) for w, rows in average if self.subject.value(rows) is not None)
        total = sum(w for w, _ in known)
        if total == 0 or self.in_part is not None:
            return
        known = tuple((w / total, rows) for w, rows in known)
        about, value = f"{about} (where defined)", self._expected(known)
        if value is not None and self.partial.differs(self.subject, value, (about, known)):
            self.in_part = n, self._witness(self.partial, about, known, value)

    def _averages(self, n: int) -> Iterator[tuple[str, WeightedMatrices]]:
        """Yield the class sizes of n items, each with its matrices and their probabilities."""
        s = self.subject
        groups: dict[tuple[ClassSizes, ClassSizes], list[MatrixRows]] = {}
        for flat in s.listed(n).cells:
            rows = s.rows(flat)
            a, b = tuple(map(sum, rows)), tuple(map(sum, zip(*rows, strict=True)))
            if self.statement.uniform:
                b = ()
            elif is_unary(b) and not self.statement.unary_predictions:
                continue
            groups.setdefault((a, b), []).append(rows)  # type: ignore[arg-type]
        for (a, b), tables in sorted(groups.items()):
            ways = [_ways(rows) for rows in tables]
            weights = [Fraction(x, 1) / sum(ways) for x in ways]
            about = f"a = {a}" if self.statement.uniform else f"a = {a}, b = {b}"
            yield about, tuple(zip(weights, tables, strict=True))

    def _expected(self, average: WeightedMatrices) -> MeasuredValue | None:
        total: MeasuredValue = 0
        for weight, rows in average:
            value = self.subject.value(rows)
            if value is None:
                return None
            total = total + value * (float(weight) if isinstance(value, float) else weight)
        return total

    def _witness(
        self,
        reference: Reference[tuple[str, WeightedMatrices]],
        about: str,
        average: WeightedMatrices,
        value: MeasuredValue,
    ) -> Witness:
        s = self.subject
        assert reference.value is not None
        before, other = reference.on
        first, second = s.own(reference.value), s.own(value)
        return Witness(
            (
                Exhibit(f"average, {before}", shown(first), float(first), average=other),
                Exhibit(f"average, {about}", shown(second), float(second), average=average),
            ),
            f"random predictions score {float(first):.6g} on average for {before}, {float(second):.6g} for {about}",
            s.replay(f"{self._typed(other)} == {self._typed(average)}"),
        )

    def _typed(self, average: WeightedMatrices) -> str:
        terms = ", ".join(f"(F({w.numerator}, {w.denominator}), {text_of(rows)})" for w, rows in average)
        weight = "w" if self.subject.caller.how == EXACT else "float(w)"
        return f"sum({weight} * {self.subject.caller.typed('x')} for w, x in [{terms}])"


def _ways(rows: MatrixRows) -> Fraction:
    """Return the number of predictions that give a matrix, up to a factor that depends on the class sizes only."""
    whole = 1
    for row in rows:
        whole *= prod(factorial(int(x)) for x in row)
    return Fraction(1, whole)


class IndependentRefuter(Refuter):
    """Approximate constant baseline (Def. 9) and strict chance correction: the value on c_ij = a_i b_j / n is constant.

    This is the expected matrix of a random prediction; its cells are fractions in general.
    """

    def __init__(
        self, subject: Subject, statement: Statement, reference: Reference[tuple[Subject, MatrixRows]] | None = None
    ) -> None:
        super().__init__(subject, statement)
        self.reference = reference or Reference[tuple[Subject, MatrixRows]]()

    @property
    def constants(self) -> dict[str, MeasuredValue]:
        value = self.reference.value
        return {} if value is None else {self.statement.constants[0]: self.subject.own(value)}

    def at(self, n: int) -> Witness | None:
        for a, b in self.sizes(n):
            rows = independent(a, b)
            value = self.subject.value(rows)
            if value is None:
                continue
            self.seen += 1
            if self.reference.differs(self.subject, value, (self.subject, rows)):
                return self._witness(rows)
            if found := self.beyond(rows):
                return found
        return None

    def sizes(self, n: int) -> Iterator[tuple[ClassSizes, ClassSizes]]:
        """Yield the true and predicted class sizes of n items that the statement and the domain admit."""
        listed = compositions(n, self.subject.m)
        for a, b in product(listed, repeat=2):
            true, predicted = tuple(map(int, a)), tuple(map(int, b))
            if is_unary(predicted) and not self.statement.unary_predictions:
                continue
            if is_unary(true) and not self.statement.unary_truth:
                continue
            if self.subject.domain.admits(a, b):
                yield true, predicted

    def beyond(self, rows: MatrixRows) -> Witness | None:
        """Return a counterexample to what else the statement demands on this matrix; here it demands nothing else."""
        return None

    def _witness(self, rows: MatrixRows) -> Witness:
        s = self.subject
        first, before = self.reference.on
        one, two = first.exhibit("independent", before), s.exhibit("independent", rows)
        return Witness(
            (one, two),
            f"independent labelings score {one.value} on {_sizes_text(before)}, {two.value} on {_sizes_text(rows)}",
            s.replay(f"{s.call(before)} == {s.call(rows)}"),
        )


def independent(a: ClassSizes, b: ClassSizes) -> MatrixRows:
    """Return the matrix with cells a_i b_j / n."""
    n = sum(a)
    cells = [[Fraction(x * y, n) for y in b] for x in a]
    return tuple(tuple(x.numerator if x.denominator == 1 else x for x in row) for row in cells)


def _sizes_text(rows: MatrixRows) -> str:
    a, b = [sum(row) for row in rows], [sum(column) for column in zip(*rows, strict=True)]
    return f"a = ({', '.join(map(str, a))}), b = ({', '.join(map(str, b))})"


_MOST_ORDERS = 12  # derivatives beyond what a series knows raise `Undecided`


class FlatnessRefuter(IndependentRefuter):
    """Baselines of order k (Def. 13): derivatives 2 … k with respect to p_AB vanish where labelings are independent.

    The derivatives are read off the exact power series of the measure along C + t·[[1, −1], [−1, 1]], a direction that
    keeps all class sizes, and along the opposite one. Where the two do not fit together, the measure has a corner or a
    jump, so that the derivatives that should vanish do not exist. The line in the witness estimates the derivative by a
    finite difference. Of the infinite order, as many derivatives are examined as a series is known for, about five. A
    measure that has floats only has no series, so nothing counts as examined.
    """

    def at(self, n: int) -> Witness | None:
        found = super().at(n)
        if found is None and self.subject.caller.how != EXACT and (self.statement.order or 1) > 1:
            self.seen = 0
        return found

    def beyond(self, rows: MatrixRows) -> Witness | None:
        s, most = self.subject, int(min(self.statement.order or 1, _MOST_ORDERS))
        if s.caller.how != EXACT or most < 2:
            return None
        try:
            above, below = (s.along(rows, ((step, -step), (-step, step))) for step in (1, -1))
            if above is None or below is None:
                return None
            value = Germ.of(s.own(s.defined(rows)))
            return self._uneven(rows, above - value, below - value, most)
        except Undecided:
            s.undecided += 1 if self.statement.order != math.inf else 0  # a series is never known to infinite order
        return None

    def _uneven(self, rows: MatrixRows, above: Germ, below: Germ, most: int) -> Witness | None:
        """Return the witness of a derivative up to an order that does not exist or does not vanish, or None.

        The germs are those of M(C + tD) − M(C) and M(C − tD) − M(C), for t > 0. If the derivatives of orders 2 to
        ``most`` vanish, both germs are linear up to that order, with the same slope.
        """
        if any(isinstance(x, GrowthOrder) for x in (*above.terms, *below.terms)):
            raise Undecided("{what} behaves like a logarithm", what="the measure")
        for side, germ in ((1, above), (-1, below)):
            for order in sorted(x for x in germ.terms if not isinstance(x, GrowthOrder) and x < 1)[:1]:
                return self._steep(rows, side, order, germ.terms[order])
        slopes = above.coefficient(1), -below.coefficient(1)
        if slopes[0] != slopes[1]:
            return self._cornered(rows, *slopes)
        for side, germ in ((1, above), (-1, below)):
            for order in sorted(x for x in germ.terms if not isinstance(x, GrowthOrder) and 1 < x <= most)[:1]:
                if order != int(order) or above.coefficient(order) != below.coefficient(order) * (-1) ** int(order):
                    return self._steep(rows, side, order, germ.terms[order], slopes[0] * side)
                return self._bent(rows, int(order), above.coefficient(order) * factorial(int(order)))
        for germ in (above, below):
            germ.coefficient(most)  # `Undecided` where the series is not known so far
        return None

    def _moved(self, rows: MatrixRows, steps: CellNumber) -> MatrixRows:
        """Return the matrix with this many more agreements and the same class sizes."""
        return tuple(tuple(x + steps * (1 if i == j else -1) for j, x in enumerate(row)) for i, row in enumerate(rows))

    def _cornered(self, rows: MatrixRows, above: MeasuredValue, below: MeasuredValue) -> Witness:
        """Return the witness of two different slopes."""
        s = self.subject
        step = Fraction(1, 1000)
        up, here, down = (s.call(self._moved(rows, k * step)) for k in (1, 0, -1))
        return Witness(
            (s.exhibit("independent", rows),),
            f"at {_sizes_text(rows)} the slope by the number of agreements is {above} above and {below} below, so the "
            "derivatives of higher order do not exist",
            s.replay(f"abs({up} - 2 * {here} + {down}) < abs({float((above - below) / 2):g}) * {float(step):g}"),
        )

    def _steep(
        self, rows: MatrixRows, side: int, order: Fraction | int, factor: MeasuredValue, slope: MeasuredValue = 0
    ) -> Witness:
        """Return the witness of a value that changes, on one side, like a power that no power series contains."""
        s = self.subject
        step = Fraction(1, 1000)
        moved, here = (s.call(self._moved(rows, k * step)) for k in (side, 0))
        change = f"{moved} - {here} - {float(slope * step):g}"
        way = f"changes like the number of agreements to the power {order}"
        if order == int(order):
            way = f"has different derivatives of order {order} above and below" if order else "jumps"
        return Witness(
            (s.exhibit("independent", rows),),
            f"at {_sizes_text(rows)} the measure {way}, so the derivatives of higher order do not exist",
            s.replay(f"abs({change}) < abs({float(factor) / 2:g}) * {float(step) ** float(order):g}"),
        )

    def _bent(self, rows: MatrixRows, order: int, slope: MeasuredValue) -> Witness:
        """Return the witness of a derivative that does not vanish."""
        s = self.subject
        step = Fraction(1, 1000)
        points = [self._moved(rows, k * step) for k in range(-1, order)]
        signs = [(-1) ** (order - k) * _choose(order, k) for k in range(order + 1)]
        difference = " + ".join(f"({w}) * {s.call(x)}" for w, x in zip(signs, points, strict=True))
        return Witness(
            (s.exhibit("independent", rows),),
            f"at {_sizes_text(rows)} the derivative of order {order} by the number of agreements is {slope}, not 0",
            s.replay(f"abs({difference}) < abs({float(slope / 2):g}) * {float(step**order):g}"),
        )


def _choose(n: int, k: int) -> int:
    return factorial(n) // factorial(k) // factorial(n - k)
