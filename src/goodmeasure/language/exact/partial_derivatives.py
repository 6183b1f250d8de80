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
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np

from goodmeasure.language.compile.exact_numbers import ExactArithmetic, ExactOperand, ExactSource, worth
from goodmeasure.language.compile.plan import Use
from goodmeasure.language.exact import reals
from goodmeasure.language.exact.reals import UNDEFINED, Exact, Real
from goodmeasure.language.policy import Policy
from goodmeasure.language.recorded import Recorded
from goodmeasure.language.rewrite import core
from goodmeasure.language.rewrite.lower import Bindings, Lowering, lowered
from goodmeasure.language.tree import CONNECTIVES, Operation, OverMean, Test, Tree, number
from goodmeasure.language.view import shortest
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


class SlopedSource(ExactSource):
    """The source of a function of exact numbers with slopes.

    A comparison, or the least of some values, notes kinks. It stands where its result is used, also if that is in
    several places: computed before a branch in which it is not needed, it would note kinks that the value has not. The
    same holds for a quotient of which a condition asks, only if another one holds, whether it is undefined.
    """

    @cached_property
    def asked_late(self) -> set[Tree]:
        """The values of which a condition asks whether they are undefined, only if another condition holds."""
        uses = (use.node for block in self.plan.top.all() for use in block.uses)
        return {y for x in uses if isinstance(x, Test) and x.name in ("and", "or") for y in _asked(x.args[1])}

    def is_inlined(self, use: Use, text: str) -> bool:
        return is_choice(use.node) or use.node in self.asked_late or super().is_inlined(use, text)


def is_choice(x: Tree) -> bool:
    """Return whether a node compares values."""
    return isinstance(x, Test) or (isinstance(x, Operation) and x.name in ("least", "greatest"))


def _asked(x: Tree) -> Iterator[Tree]:
    """Yield the values of which a condition asks whether they are undefined."""
    if isinstance(x, Test) and x.name == "undefined":
        yield x.args[0]
    elif isinstance(x, Test) and x.name in CONNECTIVES:
        for y in x.args:
            yield from _asked(y)


class SmoothLowering(Lowering):
    """The rewriting that says how a mean of two numbers changes where both are equal.

    There, every such mean has the slopes of the arithmetic one, so that the choice between the two formulas is no kink.
    """

    def value(self, x: Tree, at: Bindings) -> Tree:
        general = super().value(x, at)
        if not isinstance(x, OverMean):
            return general
        u, v = self(x.u, at), self(x.v, at)
        equal = core.ratio(self(x.x, at), core.ratio(core.add(u, v), number(2)), self.missing)
        return core.where(Test("meet", (u, v)), equal, general)


class SlopedArithmetic(ExactArithmetic):
    """What the source calls on exact numbers with slopes."""

    writes = SlopedSource

    def core(self, tree: Tree, m: int | None, *, resolves: bool) -> Tree:
        return lowered(tree, m, resolves=resolves, by=SmoothLowering)

    def functions(self) -> dict[str, object]:
        return super().functions() | {"meet": lambda x, y: _without_slopes(x) == _without_slopes(y)}

    def _extreme(
        self, xs: Sequence[ExactOperand | None], best: Callable[[Sequence[ExactOperand]], ExactOperand]
    ) -> ExactOperand:
        """Return the smallest or largest value; it has a kink only where two values tie for the extreme."""
        *values, u = (x for x in xs if x is not None)
        plain = [_without_slopes(x) for x in values]
        extreme = super()._extreme([*plain, u], best)
        if not values or extreme is UNDEFINED:
            return extreme
        first, *others = [x for x, value in zip(values, plain, strict=True) if value == extreme]
        for x in others:
            if x is not first:
                gap = x - first
                if isinstance(gap, Sloped):
                    gap.bends()
        return first

    def power(self, x: ExactOperand, r: int | Fraction, u: ExactOperand) -> ExactOperand:
        if not isinstance(x, Sloped):
            return super().power(x, r, u)
        sign = x.value.sign()
        if sign < 0 and r.denominator != 1:
            return u
        if sign == 0 and r < 0:
            x.bends()
            return u
        return x**r

    def log(self, x: ExactOperand, u: ExactOperand) -> ExactOperand:
        if not isinstance(x, Sloped):
            return super().log(x, u)
        return u if x.sign() <= 0 else x.mapped(reals.log(x.value), 1 / x.value)

    def exp(self, x: ExactOperand) -> ExactOperand:
        if not isinstance(x, Sloped):
            return super().exp(x)
        value = reals.exp(x.value)
        return x.mapped(value, value)

    def _angle(self, x: ExactOperand) -> Real | None:
        if not isinstance(x, Sloped):
            return super()._angle(x)
        room = 1 - x.value * x.value
        if room.sign() < 0:
            return None
        if room.sign() == 0:
            x.bends()
            return x.mapped(reals.arccos(x.value), Exact.of(0))
        return x.mapped(reals.arccos(x.value), -1 / reals.sqrt(room))


_SLOPED = SlopedArithmetic()


def _without_slopes(x: object) -> Exact:
    return x.value if isinstance(x, Sloped) else Exact.of(x)


def partial_derivatives(
    definition: Recorded, rows: list[list[int | Fraction]], policy: Policy, *, exact: bool
) -> Array:
    """Return the derivatives of a definition with respect to every cell of one matrix, flattened.

    Where there is none it is NaN, or the undefined value if exact numbers are asked for.
    """
    m = len(rows)
    trace = Trace(m * m, exact=exact)
    cells: list[list[ExactOperand]] = [
        [Sloped(trace, Exact.of(x), trace.unit(i * m + j), 1 << (i * m + j), linear=True) for j, x in enumerate(row)]
        for i, row in enumerate(rows)
    ]

    def sloped(x: Tree) -> ExactOperand:
        return _SLOPED.function(x, m, policy)(cells, worth(policy))

    def known(x: Tree) -> float:
        return bool(sloped(x))  # which notes a kink where an opaque definition branches

    value = sloped(definition.tree_here(m, known, exactly=True))
    nothing = UNDEFINED if exact else math.nan
    if value is UNDEFINED:
        return np.full(m * m, nothing)
    flat = np.full(m * m, Exact.of(0), object) if exact else np.zeros(m * m)
    slopes = value.slopes.copy() if isinstance(value, Sloped) else flat
    for k in range(m * m):
        if trace.kinks >> k & 1:
            slopes[k] = nothing
    return slopes
