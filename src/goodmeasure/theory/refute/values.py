"""Counterexamples of a few matrices: extremes, invariances and definedness; and examples of class sensitivity."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.counts.enumeration import keys
from goodmeasure.language.policy import Undecided
from goodmeasure.theory.refute.germs import GrowthOrder
from goodmeasure.theory.refute.refuter import Refuter, tolerance
from goodmeasure.theory.statements.statement import DIAGONAL, Statement
from goodmeasure.theory.statements.witness import MatrixRows, WholeRows, Witness, rows_of
from goodmeasure.theory.subject.judged_function import EXACT
from goodmeasure.theory.subject.measured_values import MeasuredMatrices, MeasuredValue, Subject
from goodmeasure.typing import Array

if TYPE_CHECKING:
    from goodmeasure.theory.statements.statement import Move

_PATIENCE = 4  # the number of items from which on a domain without extreme matrices is searched for an unbounded ray
_RAYS = 3
_FACTORS_OF_ONE = 200  # the factors by which matrices of one item are scaled
_GREATEST_IMAGE = 24  # how many items matrices have after they are scaled, if they have several


def agrees(cells: Array, m: int) -> tuple[Array, Array]:
    """Return which matrices (one row of cells each) are diagonal, and which have a zero diagonal."""
    right, wrong = (
        np.logical_or.reduce([cells[:, k] > 0 for k in range(m * m) if (k % (m + 1) == 0) == diagonal])
        for diagonal in (True, False)
    )
    return ~wrong, ~right


class ExtremeRefuter(Refuter):
    """Maximal and minimal agreement: extreme matrices share one value, and all others are strictly on one side of it.

    Extreme means diagonal for the maximum and zero-diagonal for the minimum. A counterexample is a pair of extreme
    matrices with different values, or another matrix that reaches the extreme value. The constant is the value on the
    first extreme matrix that has one. The best other matrix of smaller n is remembered (`rival`), since it may have
    beaten a constant that was not known yet.
    """

    def __init__(self, subject: Subject, statement: Statement) -> None:
        super().__init__(subject, statement)
        self.best = statement.at == DIAGONAL
        self.sense = 1 if self.best else -1  # with this sign the extreme value is the greatest
        self.reference: tuple[MatrixRows, MeasuredValue] | None = None
        self.rival: tuple[MatrixRows, float] | None = None  # the best matrix so far that is not extreme

    @property
    def constants(self) -> dict[str, MeasuredValue]:
        if self.reference is None:
            return {}
        return {self.statement.constants[0]: self.subject.own(self.reference[1])}

    def at(self, n: int) -> Witness | None:
        listed = self.subject.listed(n)
        known = np.isfinite(listed.values)
        inside = agrees(listed.cells, self.subject.m)[0 if self.best else 1]
        self.seen += int((known & inside).sum())
        for k in np.flatnonzero(known & inside):
            rows = self.subject.rows(listed.cells[k])
            value = self.subject.value(rows)
            if value is None:
                continue
            if self.reference is None:
                self.reference = rows, value
                if self.rival is not None and (found := self._beaten(self.rival[0])):
                    return found
            elif self.subject.order(value, self.reference[1]) not in (0, None):
                return self._two_values(rows)
        if self.reference is None and n >= _PATIENCE:
            return self._unbounded(listed.cells[known & ~inside])
        return self._others(listed.cells[known & ~inside], self.sense * listed.values[known & ~inside])

    def on(self, rows: WholeRows) -> Witness | None:
        s, value = self.subject, self.subject.value(rows)
        if self.reference is None or value is None:
            return None
        if agrees(np.array([rows]).reshape(1, -1), s.m)[0 if self.best else 1][0]:
            found = self._two_values(rows) if s.order(value, self.reference[1]) not in (0, None) else None
        else:
            found = self._beaten(rows)
        self.n = None if found is None else max(map(items, found.matrices))
        return found

    def _unbounded(self, cells: Array) -> Witness | None:
        """Return a ray of matrices along which the measure is unbounded, where no extreme matrix has a value.

        The statement then only claims that a bound exists. Along C + k·D for k → ∞ the measure behaves like its leading
        power of k, or like a power of log k; a positive power with the wrong sign shows that there is no bound. Only a
        few starts C, and directions D of zeros and ones, are tried, so None does not show that a bound exists.
        """
        s, m = self.subject, self.subject.m
        if s.caller.how != EXACT:
            return None
        for flat in cells[:_RAYS]:
            for bits in range(1, 1 << (m * m)):
                more = np.array([bits >> k & 1 for k in range(m * m)])
                try:
                    germ = s.along(s.rows(flat), s.rows(more), far=True)
                    order = None if germ is None else germ.order
                    if germ is None or order is None or order >= 0:
                        continue
                    if germ.sign() * s.turn * self.sense < 0:
                        continue
                except Undecided:
                    continue
                start, far = s.rows(flat), s.rows(flat + 10**9 * more.astype(object))
                # A number does not show that a logarithm has no bound; the line says how far it has grown.
                slowly = isinstance(order, GrowthOrder) and order.e == 0
                most = int(abs(float(s.value(far) or 0)) / 2) if slowly else 1000
                return Witness(
                    (s.exhibit("start", start), s.exhibit("far out", far)),
                    f"no {self.statement.at.replace('_', '-')} matrix has a value, and from {rows_text(start)} on, "
                    f"adding k·{rows_text(s.rows(more))}, there is no bound",
                    s.replay(f"abs({s.call(far)}) < {most}"),
                )
        return None

    def _others(self, cells: Array, values: Array) -> Witness | None:
        """Return a witness if a matrix that is not extreme reaches the extreme value; remember the best one."""
        if not len(values):
            return None
        top = int(np.argmax(values))
        if self.rival is None or values[top] > self.rival[1]:
            self.rival = self.subject.rows(cells[top]), float(values[top])
        if self.reference is None:
            return None
        bound = self.sense * float(self.reference[1])
        near = np.flatnonzero(values > bound - tolerance(np.array(bound)))
        for k in near[np.argsort(-np.round(values[near], 6), kind="stable")]:
            if found := self._beaten(self.subject.rows(cells[k])):
                return found
        return None

    def _beaten(self, rows: MatrixRows) -> Witness | None:
        """Return a witness if this matrix, which is not extreme, reaches or passes the extreme value."""
        assert self.reference is not None
        s, at, bound = self.subject, self.statement.at.replace("_", "-"), self.reference
        value = s.value(rows)
        order = None if value is None else s.order(value, bound[1])
        if order is None or order * self.sense < 0:
            return None
        less = s.less() if self.best else {"<": ">", ">": "<"}[s.less()]
        reaches = "reaches" if order == 0 else "is beyond"
        return Witness(
            (s.exhibit(f"not {at}", rows), s.exhibit(at, bound[0])),
            f"{rows_text(rows)} is not {at} and {reaches} the value of {rows_text(bound[0])}: "
            f"{s.exhibit('', rows).value} against {s.exhibit('', bound[0]).value}",
            s.replay(f"{s.call(rows)} {less} {s.call(bound[0])}"),
        )

    def _two_values(self, rows: MatrixRows) -> Witness:
        assert self.reference is not None
        s, at, other = self.subject, self.statement.at.replace("_", "-"), self.reference[0]
        return Witness(
            (s.exhibit(at, other), s.exhibit(at, rows)),
            f"two {at} matrices differ: {rows_text(other)} has {s.exhibit('', other).value}, "
            f"{rows_text(rows)} has {s.exhibit('', rows).value}",
            s.replay(f"{s.call(other)} == {s.call(rows)}"),
        )


class InvarianceRefuter(Refuter):
    """Symmetry, class symmetry, scale and prevalence invariance: a matrix and its image have the same value.

    The whole matrix, or one row at a time, is multiplied by every k up to 200 for n = 1, by every k with k·n ≤ 24
    otherwise, and by 2 and 3 in any case. Greater factors, and factors of several rows, are not searched; "held" says
    nothing about them.
    """

    @property
    def scope(self) -> str:
        if not self.statement.scales:
            return ""
        scaled = {"matrix": "all counts", "rows": "one row"}[self.statement.scales]
        return (
            f"{scaled} times every k up to {_FACTORS_OF_ONE} for n = 1, and with k·n up to {_GREATEST_IMAGE} for others"
        )

    def at(self, n: int) -> Witness | None:
        listed = self.subject.listed(n)
        known = np.isfinite(listed.values)
        for image in self._images(listed.cells, n):
            if self.late():
                return None
            values = self._values(image, n, listed)
            both = np.flatnonzero(known & np.isfinite(values))
            self.seen += len(both)
            gaps = np.abs(values[both] - listed.values[both])
            for k in both[np.argsort(-np.round(gaps, 6), kind="stable")]:
                found = self._pair(self.subject.rows(listed.cells[k]), self.subject.rows(image[k]))
                if found:
                    return found
        return None

    def on(self, rows: WholeRows) -> Witness | None:
        cells = np.array(rows)
        for smaller in self._reduced(cells):
            self.n = int(smaller.sum())
            if found := self._pair(self.subject.rows(smaller.ravel()), rows):
                return found
        self.n = int(cells.sum())
        for image in self._images(cells.reshape(1, -1), self.n):
            pair = rows, self.subject.rows(image[0])
            if found := self._pair(*(pair if self.statement.scales else sorted(pair))):
                return found
        return None

    def _images(self, cells: Array, n: int) -> Iterator[Array]:
        """Yield the images of all matrices under each map or scaling of the statement."""
        m = self.subject.m
        if not self.statement.scales:
            for image in self.statement.maps(m):
                yield cells[:, [p * m + q for row in image for p, q in row]]
            return
        size = m * m if self.statement.scales == "matrix" else m
        parts = [slice(k, k + size) for k in range(0, m * m, size)]
        for factor in range(2, (_FACTORS_OF_ONE if n == 1 else max(3, _GREATEST_IMAGE // n)) + 1):
            for part in parts:
                scaled = cells.copy()
                scaled[:, part] *= factor
                yield scaled

    def _reduced(self, cells: Array) -> Iterator[Array]:
        """Yield the smallest matrices of which this one is an image under a scaling."""
        m = self.subject.m
        parts = {"matrix": [slice(0, m)], "rows": [slice(i, i + 1) for i in range(m)]}
        for part in parts.get(self.statement.scales, []):
            factor = int(np.gcd.reduce(cells[part], axis=None))
            if factor > 1:
                smaller = cells.copy()
                smaller[part] //= factor
                yield smaller

    def _values(self, image: Array, n: int, listed: MeasuredMatrices) -> Array:
        if not self.statement.scales:
            place = listed.find(keys(image, self.subject.places))
            return np.where(place >= 0, listed.values[place], np.nan)
        return self.subject.floats(image.reshape(-1, self.subject.m, self.subject.m))

    def _pair(self, x: MatrixRows, y: MatrixRows) -> Witness | None:
        """Return a witness if a matrix and its image have different values."""
        if x >= y and not self.statement.scales:  # each pair is examined once
            return None
        if x == y or self.equal(x, y) is not False:
            return None
        s = self.subject
        shown = s.exhibit("matrix", x), s.exhibit("its image", y)
        return Witness(
            shown,
            f"{rows_text(x)} has {shown[0].value}, its image {rows_text(y)} has {shown[1].value}",
            s.replay(f"{s.call(x)} == {s.call(y)}"),
        )


class DefinedRefuter(Refuter):
    """Strong definiteness: the formula, without any rule for 0/0, has a value everywhere."""

    def on(self, rows: WholeRows) -> Witness | None:
        self.n = sum(map(sum, rows))
        return self._undefined(rows) if self.subject.value(rows) is None else None

    def at(self, n: int) -> Witness | None:
        listed = self.subject.listed(n)
        self.seen += len(listed.cells)
        for k in np.flatnonzero(~np.isfinite(listed.values)):
            rows = self.subject.rows(listed.cells[k])
            if self.subject.value(rows) is None:
                return self._undefined(rows)
        return None

    def _undefined(self, rows: MatrixRows) -> Witness:
        s = self.subject
        return Witness((s.exhibit("matrix", rows),), f"undefined on {rows_text(rows)}", s.replay(defined(s, rows)))


def items(rows: MatrixRows) -> int:
    """Return the number of items of a matrix."""
    return int(sum(map(sum, rows)))


def defined(subject: Subject, rows: MatrixRows) -> str:
    """Return a Python expression that is true if the measure has a value on a matrix (NaN differs from itself)."""
    return f"float({subject.call(rows)}) == float({subject.call(rows)})"


class DefinedTogetherRefuter(Refuter):
    """Weak definiteness: for each true labeling, the formula has a value for all predictions or for none."""

    def at(self, n: int) -> Witness | None:
        listed = self.subject.listed(n)
        m = self.subject.m
        self.seen += len(listed.cells)
        true_sizes = listed.cells.reshape(-1, m, m).sum(axis=2)
        for sizes in np.unique(true_sizes, axis=0):
            group = np.flatnonzero((true_sizes == sizes).all(axis=1))
            rows = [self.subject.rows(listed.cells[k]) for k in group]
            has = [x for x in rows if self.subject.value(x) is not None]
            lacks = [x for x in rows if self.subject.value(x) is None]
            if has and lacks:
                x, y, s = has[0], lacks[0], self.subject
                return Witness(
                    (s.exhibit("defined", x), s.exhibit("undefined", y)),
                    f"the same true labels: defined on {rows_text(x)}, undefined on {rows_text(y)}",
                    s.replay(f"({defined(s, x)}) == ({defined(s, y)})"),
                )
        return None


class SensitivityRefuter(Refuter):
    """Look for two right (or two wrong) predictions that count differently.

    The statement says that such a pair exists, so what is found is an example that proves it, not a counterexample.
    For each pair of cells only the 50 largest differences of each n are compared exactly; a pair with tiny differences
    can be missed, which leaves the statement undecided.
    """

    def at(self, n: int) -> Witness | None:
        s, m = self.subject, self.subject.m
        before, after = s.listed(n), s.listed(n + 1)
        for group in self._groups():
            places = []
            for move in group:
                ((i, j, delta),) = move.changes
                places.append(after.find(before.keys + delta * s.places[i * m + j]))
            for x, y in combinations(range(len(group)), 2):
                both = np.flatnonzero((places[x] >= 0) & (places[y] >= 0) & np.isfinite(before.values))
                values = [after.values[places[k][both]] for k in (x, y)]
                self.seen += len(both)
                gaps = np.abs(values[0] - values[1])
                for k in np.argsort(-np.round(np.nan_to_num(gaps), 6), kind="stable")[:50]:
                    one, two = (s.rows(after.cells[places[z][both[k]]]) for z in (x, y))
                    if self.equal(one, two) is False:
                        return self._example(s.rows(before.cells[both[k]]), one, two)
        return None

    def _groups(self) -> list[list[Move]]:
        moves = self.statement.moves(self.subject.m)
        return [[x for x in moves if x.rises], [x for x in moves if not x.rises]]

    def _example(self, before: MatrixRows, one: MatrixRows, two: MatrixRows) -> Witness:
        s = self.subject
        shown = s.exhibit("before", before), s.exhibit("one item more", one), s.exhibit("another item instead", two)
        return Witness(
            shown,
            f"from {rows_text(before)}: {rows_text(one)} has {shown[1].value}, {rows_text(two)} has {shown[2].value}",
            s.replay(f"{s.call(one)} == {s.call(two)}"),
        )


def rows_text(rows: MatrixRows) -> str:
    """Return a matrix as short text, such as [3 1 | 0 2]."""
    return "[" + " | ".join(" ".join(map(str, row)) for row in rows_of(rows)) + "]"
