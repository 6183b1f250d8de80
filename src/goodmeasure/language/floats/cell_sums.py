"""Sums of cells that stay symbolic until they are needed, so that n − a_i is added up and never subtracted.

Rules for 0/0 depend on tests such as "n − a_i = 0", and these must be exact. With whole counts they are. Real counts
(weights, calibrated matrices) are rounded: in floating point (a_0 + a_1) − a_0 need not be a_1, so an empty class would
seem to have 1e-16 items, and a rule would be missed.

The cells are non-negative, so a sum of cells is 0 in floating point exactly if every cell is 0: adding non-negative
floats never rounds a positive sum to 0. Only subtraction is dangerous. Seen from a class i, the cells fall into four
disjoint groups: the hit c_ii, the rest of row i, the rest of column i, and everything else. Every sum of cells that a
formula uses is an integer combination of these: a_i = (1, 1, 0, 0), b_i = (1, 0, 1, 0), n = (1, 1, 1, 1). A `CellSum`
keeps the coefficients and works with them, so n − a_i becomes (0, 0, 1, 1): a sum of cells again, with neither rounding
nor cancellation. Only when a value is needed (a product, a quotient, a comparison) are the groups added up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from goodmeasure.exceptions import InputTypeError
from goodmeasure.typing import AnyArray


class Basis:
    """Disjoint groups of cells that together make up all cells; each sum is computed when it is first needed."""

    __slots__ = ("_compute", "_known")

    def __init__(self, compute: Sequence[Callable[[], object]]) -> None:
        self._compute = compute
        self._known: list[AnyArray] = [None] * len(compute)

    def __len__(self) -> int:
        return len(self._compute)

    def __getitem__(self, group: int) -> AnyArray:
        known = self._known[group]
        if known is None:
            known = self._known[group] = self._compute[group]()
        return known


class OffDiagonalCell(float):
    """A cell off the diagonal of three or more classes.

    Subtracted from the size of its row or its column it leaves the sum of the other cells, in which nothing cancels:
    the errors of Goodman and Kruskal's lambda are such differences, and may be tiny beside the cell.
    """

    __slots__ = ("_rests",)
    _rests: tuple[tuple[Basis, tuple[int, ...], Callable[[], float]], ...]

    @classmethod
    def of(cls, value: float, *rests: tuple[Basis, tuple[int, ...], Callable[[], float]]) -> OffDiagonalCell:
        """Return a cell with sums that contain it: the basis and weights of each, and how to add up the rest of it."""
        cell = cls(value)
        cell._rests = rests
        return cell

    def rest_of(self, whole: CellSum) -> float | None:
        """Return what is left of a sum without this cell; None if the sum is not known to contain it."""
        for basis, weights, rest in self._rests:
            if whole.basis is basis and whole.weights == weights:
                return rest()
        return None


class CellSum:
    """An integer combination of the groups of a basis or, if `basis` is None, a multiple of n."""

    __slots__ = ("_total", "_value", "basis", "weights")
    __array_ufunc__ = None  # makes NumPy arrays defer to the reflected operators below
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, basis: Basis | None, weights: tuple[int, ...], total: Callable[[], AnyArray]) -> None:
        self.basis = basis
        self.weights = weights
        self._total = total
        self._value: AnyArray = None

    @property
    def value(self) -> AnyArray:
        """The sum as a plain number or array."""
        if self._value is None:
            self._value = self._add_up()
        return self._value

    def _add_up(self) -> AnyArray:
        """Return the value, as the sum of the positive terms minus the sum of the negative ones, if there are any."""
        if self.basis is None or len(set(self.weights)) == 1:  # the same weight for every cell: a multiple of n
            return self._total() if self.weights[0] == 1 else self.weights[0] * self._total()
        gained = 0
        lost = 0
        for group, weight in enumerate(self.weights):
            if weight > 0:
                gained = gained + (self.basis[group] if weight == 1 else weight * self.basis[group])
            elif weight < 0:
                lost = lost - weight * self.basis[group]
        return gained - lost if any(weight < 0 for weight in self.weights) else gained

    def _joined(self, other: CellSum, sign: int) -> CellSum | None:
        """Return the sum (sign 1) or difference (sign −1) of two parts, or None if their bases differ."""
        basis = self.basis or other.basis
        if other.basis is not None and other.basis is not basis:
            return None
        size = 1 if basis is None else len(basis)
        mine = self.weights if self.basis is basis else self.weights * size
        theirs = other.weights if other.basis is basis else other.weights * size
        return CellSum(basis, tuple(x + sign * y for x, y in zip(mine, theirs, strict=True)), self._total)

    def __add__(self, other: object) -> AnyArray:
        if isinstance(other, CellSum):
            joined = self._joined(other, 1)
            return joined if joined is not None else self.value + other.value
        if isinstance(other, int) and other == 0:
            return self
        return self.value + other

    __radd__ = __add__

    def __sub__(self, other: object) -> AnyArray:
        if isinstance(other, CellSum):
            joined = self._joined(other, -1)
            return joined if joined is not None else self.value - other.value
        if isinstance(other, OffDiagonalCell):
            rest = other.rest_of(self)
            return self.value - other if rest is None else rest
        return self.value - other

    def __rsub__(self, other: object) -> AnyArray:
        return other - self.value

    def __neg__(self) -> CellSum:
        return CellSum(self.basis, tuple(-w for w in self.weights), self._total)

    def __mul__(self, other: object) -> AnyArray:
        if isinstance(other, int) and not isinstance(other, bool):
            return CellSum(self.basis, tuple(other * w for w in self.weights), self._total)
        return self.value * plain(other)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> AnyArray:
        return self.value / plain(other)

    def __rtruediv__(self, other: object) -> AnyArray:
        return other / self.value

    def __pow__(self, exponent: object) -> AnyArray:
        return self.value**exponent

    def __rpow__(self, base: object) -> AnyArray:
        return base**self.value

    # Operations outside of the language of c that a user's definition may apply to a count; they act on its float value

    def __floordiv__(self, other: object) -> AnyArray:
        return self.value // plain(other)

    def __rfloordiv__(self, other: object) -> AnyArray:
        return other // self.value

    def __mod__(self, other: object) -> AnyArray:
        return self.value % plain(other)

    def __rmod__(self, other: object) -> AnyArray:
        return other % self.value

    def __divmod__(self, other: object) -> AnyArray:
        return divmod(self.value, plain(other))

    def __rdivmod__(self, other: object) -> AnyArray:
        return divmod(other, self.value)

    def _one(self) -> AnyArray:
        """Return the value as one number; a batch has several, also if it holds a single matrix."""
        if getattr(self.value, "ndim", 0):
            raise InputTypeError(
                "{got} is a count for each matrix of a batch, and not one number",
                got=self.value,
                advice="write the measure in the language of c",
            )
        return self.value

    def __int__(self) -> int:
        return int(self._one())

    def __round__(self, digits: int | None = None) -> AnyArray:
        return round(self._one(), digits)

    def __floor__(self) -> AnyArray:
        return math.floor(self._one())

    def __ceil__(self) -> AnyArray:
        return math.ceil(self._one())

    def __trunc__(self) -> AnyArray:
        return math.trunc(self.value)

    def __abs__(self) -> AnyArray:
        return abs(self.value)

    def __float__(self) -> float:
        return float(self._one())

    def __bool__(self) -> bool:
        return bool(self.value)

    def _against(self, other: object) -> tuple[AnyArray, AnyArray]:
        """Return two values that compare as the two sides do.

        Parts of one matrix are compared through their difference, which is again an exact combination of groups.
        """
        if isinstance(other, CellSum):
            joined = self._joined(other, -1)
            return (self.value, other.value) if joined is None else (joined.value, 0)
        return self.value, other

    def __eq__(self, other: object) -> AnyArray:
        x, y = self._against(other)
        return x == y

    def __ne__(self, other: object) -> AnyArray:
        x, y = self._against(other)
        return x != y

    def __lt__(self, other: object) -> AnyArray:
        x, y = self._against(other)
        return x < y

    def __le__(self, other: object) -> AnyArray:
        x, y = self._against(other)
        return x <= y

    def __gt__(self, other: object) -> AnyArray:
        x, y = self._against(other)
        return x > y

    def __ge__(self, other: object) -> AnyArray:
        x, y = self._against(other)
        return x >= y


def plain(value: object) -> AnyArray:
    """Return the number or array behind a value that may be a `CellSum`."""
    return value.value if isinstance(value, CellSum) else value
