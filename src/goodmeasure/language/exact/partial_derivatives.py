"""Partial derivatives at one matrix: exact values that carry their derivatives with respect to every cell.

Each number carries its derivatives with respect to all cells (forward-mode differentiation). A definition chooses
between branches by comparing numbers: a denominator with 0, a class size with 0, two values of a minimum. Where the two
sides are equal and a cell moves them apart, the definition may take another branch at once if that cell moves. The
measure jumps or bends there, and its derivative by that cell does not exist. Such cells are collected while the
definition runs. As values are exact, so is the test for equality.

A partial derivative moves one cell alone. So what matters is whether a number changes if only that cell moves:
`moved_by` is a superset of these cells, which is exact for sums of cells, and takes account of factors that are 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from goodmeasure.language.exact import reals
from goodmeasure.language.exact.exact_matrix import ExactView
from goodmeasure.language.exact.reals import UNDEFINED, Exact, Real
from goodmeasure.language.policy import Policy
from goodmeasure.language.value import Condition
from goodmeasure.language.view import Branch, Number, Readable, shortest
from goodmeasure.typing import AnyArray, Array


class Trace:
    """What all numbers of one evaluation share: how slopes are computed, and by which cells there is no derivative.

    Sets of cells are the bits of an integer.
    """

    def __init__(self, cells: int, *, exact: bool) -> None:
        self.cells = cells
        self.exact = exact
        self.kinks = 0

    def factor(self, value: Exact) -> AnyArray:
        """Return an exact value as a factor of slopes, to which NumPy gives no type where they are exact."""
        return value if self.exact else float(value)

    def unit(self, cell: int) -> Array:
        """Return the slopes of one cell itself."""
        slopes = np.full(self.cells, Exact.of(0), object) if self.exact else np.zeros(self.cells)
        slopes[cell] = Exact.of(1) if self.exact else 1.0
        return slopes


class Sloped:
    """An exact number with its derivative by every cell; `linear` says that it is a weighted sum of cells."""

    __array_ufunc__ = None
    __slots__ = ("linear", "moved_by", "slopes", "trace", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, trace: Trace, value: Exact, slopes: Array, moved_by: int, *, linear: bool = False) -> None:
        self.trace, self.value, self.slopes, self.moved_by, self.linear = trace, value, slopes, moved_by, linear

    def _made(self, value: Exact, slopes: Array, moved_by: int) -> Real:
        return UNDEFINED if value is UNDEFINED else Sloped(self.trace, value, slopes, moved_by)

    # Sums

    def _plus(self, other: object, sign: int) -> Real:
        if not isinstance(other, Sloped):
            value = self.value + Exact.of(other) * sign
            if value is UNDEFINED:
                return UNDEFINED
            return Sloped(self.trace, value, self.slopes, self.moved_by, linear=self.linear)
        linear = self.linear and other.linear
        slopes = self.slopes + other.slopes if sign > 0 else self.slopes - other.slopes
        moved_by = _bits(slopes) if linear else self.moved_by | other.moved_by
        return Sloped(self.trace, self.value + other.value * sign, slopes, moved_by, linear=linear)

    def __add__(self, other: object) -> Real:
        return self._plus(other, 1)

    def __sub__(self, other: object) -> Real:
        return self._plus(other, -1)

    def __rsub__(self, other: object) -> Real:
        return (-self) + other

    def __neg__(self) -> Sloped:
        return Sloped(self.trace, -self.value, -self.slopes, self.moved_by, linear=self.linear)

    # Products

    def __mul__(self, other: object) -> Real:
        if not isinstance(other, Sloped):
            factor = Exact.of(other)
            if factor is UNDEFINED:
                return UNDEFINED
            moved_by = self.moved_by if factor != 0 else 0
            scaled = self.slopes * self.trace.factor(factor)
            return Sloped(self.trace, self.value * factor, scaled, moved_by, linear=self.linear)
        x, y = self.trace.factor(self.value), self.trace.factor(other.value)
        return Sloped(
            self.trace, self.value * other.value, self.slopes * y + other.slopes * x, _moves_product(self, other)
        )

    def __truediv__(self, other: object) -> Real:
        if not isinstance(other, Sloped):
            divisor = Exact.of(other)
            return UNDEFINED if divisor is UNDEFINED else self * (Exact.of(1) / divisor)
        value = self.value / other.value
        below, quotient = self.trace.factor(other.value), self.trace.factor(value)
        moved_by = self.moved_by if self.value == 0 else self.moved_by | other.moved_by
        return self._made(value, (self.slopes - other.slopes * quotient) / below, moved_by)

    def __rtruediv__(self, other: object) -> Real:
        top = Exact.of(other)
        if top is UNDEFINED:
            return UNDEFINED
        value = top / self.value
        change = self.slopes * self.trace.factor(-value / self.value)
        return self._made(value, change, self.moved_by if top != 0 else 0)

    __radd__, __rmul__ = __add__, __mul__

    def __pow__(self, exponent: object) -> Real:
        r = shortest(exponent)
        if r == 1:
            return self
        if self.value == 0:
            return self._at_zero(Exact.of(0 if r > 0 else 1), smooth=r > 1 or r == 0)
        value = reals.power(self.value, r)
        return self.mapped(value, r * reals.power(self.value, r - 1))

    def mapped(self, value: Exact, slope: Exact) -> Real:
        """Return a function of this number, from its value and its derivative."""
        return self._made(value, self.slopes * self.trace.factor(slope), self.moved_by)

    def _at_zero(self, value: Exact, *, smooth: bool) -> Sloped:
        """Return a power at 0, which is flat there, or infinitely steep."""
        if not smooth:
            self.bends()
        return Sloped(self.trace, value, self.slopes * self.trace.factor(Exact.of(0)), self.moved_by)

    def __abs__(self) -> Sloped:
        return -self if self.sign() < 0 else self

    # Comparisons

    def bends(self) -> None:
        """Note that there is no derivative with respect to the cells that change this number."""
        self.trace.kinks |= self.moved_by

    def sign(self) -> int:
        """Return −1, 0 or 1; a definition asks for the sign to choose a branch, and two branches meet at 0."""
        found = self.value.sign()
        if found == 0:
            self.bends()
        return found

    def _beyond(self, other: object) -> int | None:
        """Return the sign of the difference; None if the other side is undefined."""
        if other is self:
            return 0  # no cell moves a number away from itself
        gap = self - other
        return None if gap is UNDEFINED else gap.sign()

    def __eq__(self, other: object) -> bool:
        return self._beyond(other) == 0

    def __ne__(self, other: object) -> bool:
        return self._beyond(other) != 0

    def __lt__(self, other: object) -> bool:
        return self._beyond(other) == -1

    def __le__(self, other: object) -> bool:
        return self._beyond(other) in (-1, 0)

    def __gt__(self, other: object) -> bool:
        return self._beyond(other) == 1

    def __ge__(self, other: object) -> bool:
        return self._beyond(other) in (0, 1)

    def __bool__(self) -> bool:
        return self.sign() != 0


def _bits(slopes: Array) -> int:
    """Return the cells by which the slope is not 0."""
    return sum(1 << int(k) for k in np.flatnonzero(slopes != 0))


def _moves_product(x: Sloped, y: Sloped) -> int:
    """Return the cells that change a product: while a factor stays 0, so does the product."""
    if x.value == 0:
        return x.moved_by & y.moved_by if y.value == 0 else x.moved_by
    return y.moved_by if y.value == 0 else x.moved_by | y.moved_by


class SlopedView(ExactView):
    """A single matrix of exact numbers with slopes."""

    def where(self, condition: Condition | bool, x: Branch[Real], y: Branch[Real]) -> Real:
        chosen = super(ExactView, self).where(condition, x, y)
        return chosen if isinstance(chosen, Sloped) else Exact.of(chosen)

    def ratio(self, x: Real | float, y: Real | float, otherwise: Branch[Real] | None = None) -> Real:
        return super(ExactView, self).ratio(_number(x), _number(y), otherwise)

    def _extreme(
        self, values: tuple[Real | float, ...], better: Callable[[Real | float, Real | float], object]
    ) -> Real:
        """Return the smallest or largest value; it has a kink only where two values tie for the extreme."""
        plain = tuple(_without_slopes(x) for x in values)
        extreme = super()._extreme(plain, better)
        if not values or extreme is UNDEFINED:
            return extreme
        first, *others = [x for x, value in zip(values, plain, strict=True) if value == extreme]
        for x in others:
            if x is not first:
                gap = x - first
                if isinstance(gap, Sloped):
                    gap.bends()
        return _number(first)

    def power(self, x: Real | float, r: Real | Number) -> Real:
        if not isinstance(x, Sloped):
            return super().power(x, r)
        if x.value.sign() < 0 and shortest(r).denominator != 1:
            return self.undefined()
        if x.value.sign() == 0 and r < 0:
            x.bends()
            return self.undefined()
        return x**r

    def sqrt(self, x: Real | float) -> Real:
        if not isinstance(x, Sloped):
            return super().sqrt(x)
        return self.power(x, shortest(1) / 2)

    def log(self, x: Real | float) -> Real:
        if not isinstance(x, Sloped):
            return super().log(x)
        if x.sign() <= 0:
            return self.undefined()
        return x.mapped(reals.log(x.value), 1 / x.value)

    def exp(self, x: Real | float) -> Real:
        if not isinstance(x, Sloped):
            return super().exp(x)
        value = reals.exp(x.value)
        return x.mapped(value, value)

    def arccos(self, x: Real | float) -> Real:
        if not isinstance(x, Sloped):
            return super().arccos(x)
        room = 1 - x.value * x.value
        if room.sign() < 0:
            return self.undefined()
        if room.sign() == 0:
            x.bends()
            return x.mapped(reals.arccos(x.value), Exact.of(0))
        return x.mapped(reals.arccos(x.value), -1 / reals.sqrt(room))

    def over_mean(self, x: Real | float, u: Real | float, v: Real | float, mean: str, p: int | None = None) -> Real:
        if _without_slopes(u) == _without_slopes(
            v
        ):  # where its arguments are equal, every such mean has the slopes of the arithmetic one
            return self.ratio(x, (_number(u) + v) / 2)
        return super().over_mean(x, u, v, mean, p)


def _number(x: object) -> Real:
    return x if isinstance(x, Sloped) else Exact.of(x)


def _without_slopes(x: object) -> Exact:
    return x.value if isinstance(x, Sloped) else Exact.of(x)


def partial_derivatives(
    definition: Readable, rows: list[list[int | Fraction]], policy: Policy, *, exact: bool
) -> Array:
    """Return the derivatives of a definition with respect to every cell of one matrix, flattened.

    Where there is none it is NaN, or the undefined value if exact numbers are asked for.
    """
    m = len(rows)
    trace = Trace(m * m, exact=exact)
    cells: list[list[Real]] = [
        [Sloped(trace, Exact.of(x), trace.unit(i * m + j), 1 << (i * m + j), linear=True) for j, x in enumerate(row)]
        for i, row in enumerate(rows)
    ]
    value = definition(SlopedView(cells, policy))
    nothing = UNDEFINED if exact else math.nan
    if value is UNDEFINED or (isinstance(value, float) and math.isnan(value)):
        return np.full(m * m, nothing)
    flat = np.full(m * m, Exact.of(0), object) if exact else np.zeros(m * m)
    slopes = value.slopes.copy() if isinstance(value, Sloped) else flat
    for k in range(m * m):
        if trace.kinks >> k & 1:
            slopes[k] = nothing
    return slopes
