"""Counterexamples of class decomposability (opitz2024, Property III): squares of matrices that leave no exponent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations

from goodmeasure.language.exact.reals import Exact
from goodmeasure.packages import flint
from goodmeasure.theory.refute.refuter import Refuter
from goodmeasure.theory.refute.values import rows_text
from goodmeasure.theory.statements.statement import Cell, Statement
from goodmeasure.theory.statements.witness import MatrixRows, Witness
from goodmeasure.theory.subject.judged_function import EXACT
from goodmeasure.theory.subject.measured_values import MeasuredValue, Subject

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
            if other.side * side < 0 or _leave_no_common_exponent(other, kept):
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


def _leave_no_common_exponent(one: Square, two: Square) -> bool:
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
