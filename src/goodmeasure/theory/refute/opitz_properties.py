"""Examples and counterexamples for the properties of Opitz: class sensitivity, decomposability, chance correction."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import gcd
from typing import TYPE_CHECKING

import flint
import numpy as np

from goodmeasure.counts.enumeration import compositions
from goodmeasure.language.exact.reals import UNDEFINED, Exact
from goodmeasure.language.policy import Undecided
from goodmeasure.theory.algebra.orthant import Outside
from goodmeasure.theory.prove.cases import reader_of
from goodmeasure.theory.prove.chance_correction import (
    PATHS,
    Guess,
    prove_apart,
    prove_approached,
    prove_reached,
    prove_unbounded,
)
from goodmeasure.theory.prove.signs import NoProof
from goodmeasure.theory.refute.baselines import ClassSizes
from goodmeasure.theory.refute.refuter import Refuter
from goodmeasure.theory.refute.values import rows_text
from goodmeasure.theory.statements.statement import Cell, Statement
from goodmeasure.theory.statements.witness import MatrixRows, Witness, rows_of
from goodmeasure.theory.subject.calling import EXACT
from goodmeasure.theory.subject.measured_values import MeasuredValue, Subject
from goodmeasure.typing import Array

if TYPE_CHECKING:
    from goodmeasure.theory.statements.certificate import CertificateNode
    from goodmeasure.theory.statements.statement import Move
    from goodmeasure.theory.statements.witness import Exhibit

_FARTHEST = 64.0  # exponents beyond this one are not distinguished
_BITS = 256  # of the balls in which powers are compared


@dataclass(frozen=True)
class Square:
    """Four matrices with their values; which exponents they leave is said in `DecomposableRefuter`.

    ``side``: the sign of the one p that is left, or 0. ``turn``: 1 if the first and the last value lie outside of the
    others, −1 if they lie inside. ``near``: approximately the exponent that is left.
    """

    matrices: tuple[MatrixRows, ...]
    values: tuple[MeasuredValue, ...] = ()
    side: int = 0
    turn: int = 0
    near: float = 0.0


# The processor time for one attempt to show that no guess reaches a value. The longest attempts that succeed take about
# 4 s, and more if other processes compete for the caches; a limit close to that made verdicts depend on the load.
_PROOF_SECONDS = 15.0


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
                places.append(after.find(before.keys + (delta << (s.bits * (m * m - 1 - (i * m + j))))))
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


class DecomposableRefuter(Refuter):
    """Show that no power of the measure is a sum over classes.

    Claim to refute: there is a p such that M^p (log M for p = 0) is a sum of terms, each a function of the row and the
    column of one class. Let (i, j) and (k, l) be two cells that no class has both in its row or column: i and j differ
    from k and l. A square consists of the four matrices C, C + e_ij, C + e_kl and C + e_ij + e_kl with values
    x, y, z, w > 0. Adding e_ij changes the terms of classes i and j only, which do not see cell (k, l), so it changes
    the sum by the same amount before and after adding e_kl. Hence p must satisfy f(p) = w^p − y^p − z^p + x^p = 0 if
    p ≠ 0, and xw = yz if p = 0.

    What one square excludes:

    * If y = x but w ≠ z (or a variant of this), f has no zero p ≠ 0 and xw ≠ yz: no p is left.
    * Suppose y and z lie strictly between x and w, or x and w strictly between y and z. In the order of the bases,
      the coefficients of f change sign twice, so f has at most two real zeros, counted with multiplicity (Descartes'
      rule for exponential sums). One of them is p = 0. Since f′(0) = log(xw/yz), it is a double zero iff xw = yz, and
      then only p = 0 is left.
    * Otherwise p = 0 is excluded and at most one p ≠ 0 is left. With x and w outside, f is positive far out and
      negative between its zeros, so the other zero is negative iff f′(0) > 0; with y and z outside, the signs turn
      round. This gives the sign of the p that is left.

    Two squares therefore exclude every p if one leaves only p = 0 and the other only some p ≠ 0; if they leave
    exponents of different signs; or if, for a rational number q of their common sign, q lies between 0 and the exponent
    of one square but not of the other. A candidate for q comes from floats, and the sign of f(q) from balls.

    If a square leaves only p = 1, the sum over classes is M itself, so that M may also be 0 or negative. Then a second
    square with any values excludes p = 1 by w − y − z + x ≠ 0.
    """

    def __init__(self, subject: Subject, statement: Statement) -> None:
        super().__init__(subject, statement)
        self.squares: list[Square] = []
        self.only_zero: Square | None = None  # a square that leaves only p = 0
        self.only_one: Square | None = None  # a square that leaves only p = 1
        self.uneven: Square | None = None  # a square with values that are not all positive, which excludes p = 1

    def at(self, n: int) -> Witness | None:
        s = self.subject
        if s.caller.how != EXACT or s.m < 2:
            return None
        for cells in s.listed(n).cells:
            if self.late():
                return None
            start = s.rows(cells)
            for one, other in _apart(s.m):
                square = tuple(_plus(start, chosen) for chosen in ((), (one,), (other,), (one, other)))
                if found := self._look(square):
                    return found
        return None

    def _look(self, square: tuple[MatrixRows, ...]) -> Witness | None:
        """Return a witness if one square, with those seen before, excludes every exponent; else remember it."""
        s = self.subject
        values = [v for v in map(s.value, square) if v is not None]
        if len(values) < len(square):
            return None
        x, y, z, w = own = tuple(s.own(v) for v in values)
        if any(s.sign([v], []) != 1 for v in own):
            if self.uneven is None and s.sign([w, x], [y, z]) in (1, -1):
                self.uneven = Square(square)
            return self._no_sum()
        self.seen += 1
        if self._no_effect(x, y, z, w):
            return self._witness(Square(square), None)
        if s.sign([x * w], [y * z]) == 0 and self._outer(x, y, z, w):
            self.only_zero = self.only_zero or Square(square)
            return self._witness(self.only_zero, self.squares[0]) if self.squares else None
        side = self._side(x, y, z, w)
        if side is None:
            return None
        kept = _located(Square(square, own, side, self._outer(x, y, z, w)))
        if self.only_zero is not None:
            return self._witness(self.only_zero, kept)
        for other in self.squares:
            if other.side * side < 0 or _told_apart(other, kept):
                return self._witness(other, kept)
        if len(self.squares) < 12:
            self.squares.append(kept)
        if self.only_one is None and abs(kept.near - 1) < 1e-6 and s.sign([w, x], [y, z]) == 0:
            self.only_one = kept
        return self._no_sum()

    def _no_sum(self) -> Witness | None:
        """Return a witness if one square leaves only p = 1, and another one, with any values, excludes that."""
        return self._witness(self.only_one, self.uneven) if self.only_one and self.uneven else None

    def _no_effect(self, x: MeasuredValue, y: MeasuredValue, z: MeasuredValue, w: MeasuredValue) -> bool:
        """Return whether one right prediction matters before the other one but not after it, or the reverse."""
        s = self.subject
        for one, other, both in ((y, z, w), (z, y, w)):
            if s.order(one, x) == 0 and s.order(both, other) not in (0, None):
                return True
            if s.order(both, other) == 0 and s.order(one, x) not in (0, None):
                return True
        return False

    def _outer(self, x: MeasuredValue, y: MeasuredValue, z: MeasuredValue, w: MeasuredValue) -> int:
        """Return 1 if y and z lie strictly between x and w, −1 if x and w lie strictly between y and z, and else 0."""
        s = self.subject
        inner_low, inner_high = (y, z) if (s.order(y, z) or 0) <= 0 else (z, y)
        low, high = (x, w) if (s.order(x, w) or 0) <= 0 else (w, x)
        if s.order(low, inner_low) == -1 and s.order(inner_high, high) == -1:
            return 1
        if s.order(inner_low, low) == -1 and s.order(high, inner_high) == -1:
            return -1
        return 0

    def _side(self, x: MeasuredValue, y: MeasuredValue, z: MeasuredValue, w: MeasuredValue) -> int | None:
        """Return the sign of the one p ≠ 0 that a square with xw ≠ yz leaves; None if the square does not show it."""
        outer, product = self._outer(x, y, z, w), self.subject.sign([x * w], [y * z])
        return -product * outer if outer and product else None

    def _witness(self, one: Square, two: Square | None) -> Witness:
        s = self.subject
        squares = (one,) if two is None else (one, two)
        shown = [s.exhibit(role, rows) for x in squares for role, rows in zip(_ROLES, x.matrices, strict=True)]
        starts = " and from ".join(rows_text(x.matrices[0]) for x in squares)
        left = "leaves no p" if two is None else "leave no p in common"
        return Witness(
            tuple(shown),
            f"no p makes M^p a sum over classes: one more item in one of two cells without a common class, the other "
            f"or both, from {starts}, {left}",
            s.replay(_no_power(s, *(x.matrices for x in squares), only_one=two is not None and two is self.uneven)),
        )


def _located(square: Square) -> Square:
    """Return a square with the approximate exponent that it leaves: where its sum of powers changes sign."""
    x, y, z, w = map(float, square.values)

    def inside(p: float) -> bool:
        """Return whether p lies between 0 and the exponent, where w^p − y^p − z^p + x^p, turned, is negative."""
        try:
            return bool(square.turn * (w**p - y**p - z**p + x**p) < 0)
        except OverflowError:
            return False

    low, high = 0.0, square.side * _FARTHEST
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) else (low, middle)
    return replace(square, near=low)


def _told_apart(one: Square, two: Square) -> bool:
    """Return whether a rational number lies between the exponents that two squares of the same sign leave."""
    if abs(one.near - two.near) < 1e-6:
        return False
    q = Fraction((one.near + two.near) / 2).limit_denominator(10**7)
    return {_side_of(one, q), _side_of(two, q)} == {1, -1}


def _side_of(square: Square, q: Fraction) -> int:
    """Return −1 if q lies between 0 and the exponent that a square leaves, 1 if beyond it, and 0 if balls overlap."""
    before, flint.ctx.prec = flint.ctx.prec, _BITS
    try:
        x, y, z, w = (Exact.of(v).ball(_BITS) ** (flint.arb(q.numerator) / q.denominator) for v in square.values)
        total = w - y - z + x
        return square.turn * (1 if total > 0 else -1 if total < 0 else 0)
    finally:
        flint.ctx.prec = before


_ROLES = ("start", "one more item", "another one", "both")


@cache
def _apart(m: int) -> tuple[tuple[Cell, Cell], ...]:
    """Return the pairs of cells that no class has both in its row or column; pairs on the diagonal come first."""
    cells = sorted(((i, j) for i in range(m) for j in range(m)), key=lambda x: (x[0] != x[1], x))
    return tuple((x, y) for x, y in combinations(cells, 2) if not set(x) & set(y))


def _plus(rows: MatrixRows, cells: tuple[Cell, ...]) -> MatrixRows:
    return tuple(tuple(x + ((i, j) in cells) for j, x in enumerate(row)) for i, row in enumerate(rows))


def _no_power(s: Subject, *squares: tuple[MatrixRows, ...], only_one: bool = False) -> str:
    """Return a line of Python that looks for a common p on a fine grid; ``only_one``: the second square excludes p = 1.

    It illustrates the claim; the argument in `DecomposableRefuter` proves it.
    """

    def typed(square: tuple[MatrixRows, ...]) -> str:
        return "(" + ", ".join(f"float({s.call(rows)})" for rows in square) + ")"

    fits = "abs(w**p - y**p - z**p + x**p) < 1e-12 * (w**p + x**p)"
    grid = "for p in (k / 100 for k in range(-600, 601) if k)"
    found = ", ".join(map(typed, squares))
    if only_one:
        sum_of_second = "t[0] + t[3] == t[1] + t[2]"
        return f"any({fits} and (p != 1 or {sum_of_second}) for (x, y, z, w), t in [({found})] {grid})"
    return f"any(all({fits} for x, y, z, w in found) for found in [[{found}]] {grid})"


class ChanceBoundRefuter(Refuter):
    """Chance correction: the best guess scores the same for all true class sizes, and less than the best matrix.

    A guess is a matrix a_i b_j / n in which at least one class is predicted. A counterexample needs a proof about all
    guesses, with real predicted sizes (`prove/chance_correction.py`): for some true sizes no guess comes near a value
    that a guess reaches for others, or guesses come near a value that no matrix exceeds. ``proof`` holds it. Only the
    true class sizes with the lowest and the highest values of each n are compared, so another pair may be missed.
    """

    def __init__(self, subject: Subject, statement: Statement) -> None:
        super().__init__(subject, statement)
        self.best: dict[ClassSizes, Guess] = {}
        self.near: dict[ClassSizes, Guess] = {}  # guesses that are nearly always one class
        self._tried: set[object] = set()

    def _top(self, best: dict[ClassSizes, Guess]) -> Guess | None:
        """Return the guess with the greatest value."""
        return max(best.values(), key=lambda x: float(x.value), default=None)

    def at(self, n: int) -> Witness | None:
        s = self.subject
        listed = [tuple(map(int, x)) for x in compositions(n, s.m)]
        for a in listed:
            for b in (*listed, a, (1,) * s.m):
                if s.domain.admits(np.array(a), np.array(b)):
                    self._note(self.best, a, b)
        if len(self.best) < 2 or s.caller.how != EXACT:
            return None
        found = self._apart(self.best) or (self._perfect(n) if n > 1 else None) or self._nearly(listed)
        return found or (self._unbounded() if n > 2 else None)

    def _unbounded(self) -> Witness | None:
        """Return a witness if guesses that nearly always name the same class have unbounded values."""
        s = self.subject
        for j in range(s.m):
            rows, farther = (
                independent_of((1,) * s.m, tuple(10**e if k == j else 1 for k in range(s.m))) for e in (6, 12)
            )
            near, far = s.value(rows), s.value(farther)
            if near is None or far is None or float(far) < float(near) + 1:
                continue
            if self._show(("unbounded", j), prove_unbounded, j):
                shown = s.exhibit("a guess", rows), s.exhibit("a guess that is more often the same class", farther)
                return Witness(
                    shown,
                    f"true sizes {_proportion((1,) * s.m)}: guesses that are nearly always one class score more than "
                    "any number",
                    s.replay(f"{s.call(farther)} {s.less(False)} {s.call(rows)}"),
                )
        return None

    def _nearly(self, listed: list[ClassSizes]) -> Witness | None:
        """Return a witness among guesses that nearly always name one class, if the domain excludes constant ones."""
        s = self.subject
        for a, j in product(listed, range(s.m)):
            always, nearly = ([many if k == j else few for k in range(s.m)] for many, few in ((1, 0), (10**6, 1)))
            admitted = [s.domain.admits(np.array(a), np.array(b)) for b in (always, nearly)]
            if admitted == [False, True]:
                self._note(self.near, a, tuple(nearly))
        return self._apart(self.near) if len(self.near) > 1 else None

    def _note(self, best: dict[ClassSizes, Guess], a: ClassSizes, b: ClassSizes) -> None:
        value = self.subject.value(independent_of(a, b))
        if value is None:
            return
        self.seen += 1
        if self.subject.measure.scale_invariant:
            a = tuple(x // gcd(*a) for x in a)
        if a not in best or self.subject.order(value, best[a].value) == 1:
            best[a] = Guess(a, b, value)

    def _apart(self, best: dict[ClassSizes, Guess]) -> Witness | None:
        """Return a witness if for some true class sizes all guesses provably stay below a value that others reach."""
        top = self._top(best)
        assert top is not None
        for low in sorted(best.values(), key=lambda x: float(x.value))[:3]:
            if self.subject.order(low.value, top.value) != -1:
                break
            for part in (Fraction(1, 2), Fraction(9, 10)):
                middle = float(low.value) + float(part) * (float(top.value) - float(low.value))
                bound = Fraction(middle).limit_denominator(1000)
                if self._show(("apart", top.true, low.true, bound), prove_apart, top, low.true, bound):
                    return self._two(top, low)
        return None

    def _show(self, key: object, way: Callable[..., list[CertificateNode]], *about: object) -> bool:
        """Return whether a proof was found, and keep it; each is tried once."""
        if key in self._tried:
            return False
        self._tried.add(key)
        s = self.subject
        try:
            until = min(self.until, time.process_time() + _PROOF_SECONDS)
            reader = reader_of(s.measure, s.m, s.policy, until, open_order=True)
            self.proof = way(reader, s.domain, self._exact, *about)
        except (NoProof, Outside, Undecided):
            return False
        except Exception:  # a user's function may raise anything when it is called with symbols
            if not s.caller.foreign:
                raise
            return False
        return True

    def _exact(self, rows: object) -> MeasuredValue:
        """Return the exact value on a matrix, in the measure's own sign."""
        value = self.subject.value(rows_of(rows))
        return UNDEFINED if value is None else self.subject.own(value)

    def _two(self, top: Guess, low: Guess) -> Witness:
        s = self.subject
        rows, other = independent_of(top.true, top.predicted), independent_of(low.true, low.predicted)
        shown = s.exhibit("a guess", rows), s.exhibit("the best guess seen for other true sizes", other)
        return Witness(
            shown,
            f"true sizes {_proportion(top.true)}: a guess scores {shown[0].value}; true sizes {_proportion(low.true)}: "
            "no guess does",
            s.replay(self._typed(low.true, rows)),
        )

    def _perfect(self, n: int) -> Witness | None:
        """Return a witness if guesses come arbitrarily close to a value that no matrix exceeds."""
        top = self._top(self.best)
        assert top is not None
        highest = max((np.nanmax(x) for k in range(1, n + 1) if len(x := self._known(k))), default=float("inf"))
        if highest <= float(top.value) + 1e-9 and self._show(("reached", str(top.value)), prove_reached, top):
            rows = independent_of(top.true, top.predicted)
            shown = self.subject.exhibit("a guess", rows)
            return self._best(shown, f"a guess for true sizes {_proportion(top.true)} scores {shown.value}", rows)
        for j, path in product(range(self.subject.m if n > 2 else 0), PATHS):
            if self._show(("approached", j, path), prove_approached, j, path):
                sizes = tuple(10**12 if k == j else 1 for k in range(self.subject.m))
                rows = independent_of((1,) * self.subject.m, sizes)
                near = (self.proof or [{}])[0]["bound"]
                shown = self.subject.exhibit("a guess", rows)
                return self._best(shown, f"guesses come arbitrarily close to {near}", rows)
        return None

    def _known(self, n: int) -> Array:
        values = self.subject.listed(n).values
        return values[np.isfinite(values)]

    def _best(self, shown: Exhibit, says: str, rows: MatrixRows) -> Witness:
        s, m = self.subject, self.subject.m
        right = tuple(tuple(int(i == j) for j in range(m)) for i in range(m))
        perfect = s.value(right)
        same = perfect is not None and abs(float(s.own(perfect)) - shown.number) < 1e-6
        best = s.call(right) if same else repr(round(shown.number, 10))  # the perfect matrix need not be the best
        return Witness(
            (shown,),
            f"{says}, and no matrix scores better",
            s.replay(f"abs({s.call(rows)} - {best}) > 1e-8"),
        )

    def _typed(self, true: ClassSizes, rows: MatrixRows) -> str:
        """Return a line of Python that looks for an equally good guess on a grid of predicted class sizes."""
        s = self.subject
        guess = s.caller.typed(f"[[x * y for y in b] for x in {true}]")
        grid = f"__import__('itertools').product(range(1, 9), repeat={s.m})"
        return f"any({s.call(rows)} {s.less(False)} {guess} for b in {grid})"


def independent_of(a: ClassSizes, b: ClassSizes) -> MatrixRows:
    """Return the matrix with true sizes a and predicted sizes proportional to b, without any dependence."""
    cells = [[Fraction(x * y, sum(b)) for y in b] for x in a]
    return tuple(tuple(x.numerator if x.denominator == 1 else x for x in row) for row in cells)


def _proportion(a: ClassSizes) -> str:
    return f"({', '.join(map(str, a))})"
