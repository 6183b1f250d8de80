"""Floating point for one small matrix, on plain Python numbers: whole counts stay integers, so nothing overflows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import SupportsIndex

from goodmeasure.language.class_by_class import LoopView
from goodmeasure.language.floats.cell_sums import Basis, CellSum, OffDiagonalCell, plain
from goodmeasure.language.policy import Policy
from goodmeasure.language.value import Exponent, total
from goodmeasure.language.view import Chosen, Number, Sizes, Term

# Rounding may leave 1 − mcc at −1e-16 or a cosine at 1 + 1e-16. An argument this close to the domain of a root or an
# arc cosine is taken to be its end; one further out is undefined.
ROUNDING = 1e-12


class PlainView(LoopView[float]):
    """A single matrix of whole counts as Python integers, whose sums, differences and products are exact.

    Their type is float, which stands for integers too.
    """

    def no_value(self) -> float:
        return math.nan

    def is_undefined(self, x: float) -> bool:
        return bool(x != x)

    def occurs(self, i: SupportsIndex) -> bool:
        return not self.policy.resolves or any(self.cells[i]) or any(row[i] for row in self.cells)

    @property
    def pi(self) -> float:
        return math.pi

    def constant(self, number: Number) -> float:
        return float(number) if isinstance(number, Fraction) else number

    def map(self, cell: Callable[[SupportsIndex, SupportsIndex], float]) -> LoopView[float]:
        mapped = super().map(cell)
        soft = self.related(SoftView(mapped.cells, self.policy))
        soft.broken = mapped.broken
        return soft

    def two(self, tp: float, fn: float, fp: float, tn: float) -> LoopView[float]:
        whole = isinstance(tp, int) and isinstance(fn, int) and isinstance(fp, int) and isinstance(tn, int)
        return self.related((PlainView if whole else SoftView)([[tn, fp], [fn, tp]], self.policy))

    def power(self, x: float, r: Number) -> float:
        x = plain(x)
        if x < 0 and r != int(r):
            return self.undefined()
        if x == 0 and r < 0:
            return self.undefined()
        value: float = float(x) ** float(r)
        return value

    def _middle(self, values: Sequence[float], p: Exponent) -> float:
        """Return the power mean of non-negative values; no overflow for large p, no loss of digits for small p.

        With s the largest value (the smallest if p < 0), the mean is s·(1 + avg((x/s)^p − 1))^(1/p). All (x/s)^p lie
        between 0 and 1, so nothing overflows. For p near 0 they are close to 1, and (x/s)^p − 1 is computed as
        expm1(p·log(x/s)) and the outer power by log1p, which keep the digits that a subtraction from 1 would lose.
        """
        numbers: list[float] = [plain(x) for x in values]
        exponent = float(p)  # type: ignore[arg-type] # here it is a number
        scale = max(numbers) if exponent > 0 else min(numbers)
        shares = [x / scale for x in numbers]
        mean = total(math.expm1(exponent * math.log(x)) if x else -1.0 for x in shares) / len(shares)
        return scale * math.exp(math.log1p(mean) / exponent)

    def sqrt(self, x: float) -> float:
        x = plain(x)
        if x < 0:
            return 0.0 if x > -ROUNDING else self.undefined()
        return math.sqrt(x)

    def log(self, x: float) -> float:
        x = plain(x)
        if x <= 0:
            return self.undefined()
        return math.log(x)

    def arccos(self, x: float) -> float:
        x = plain(x)
        if abs(x) > 1 + ROUNDING:
            return self.undefined()
        return math.acos(min(1.0, max(-1.0, x))) if x == x else math.nan

    def exp(self, x: float) -> float:
        return math.exp(plain(x))

    def log1p(self, x: float) -> float:
        x = plain(x)
        return self.undefined() if x <= -1 else math.log1p(x)

    def arcsin(self, x: float) -> float:
        x = plain(x)
        if abs(x) > 1 + ROUNDING:
            return self.undefined()
        return math.asin(min(1.0, max(-1.0, x))) if x == x else math.nan

    def xlogy(self, x: float, y: float | Callable[[], float], above: Callable[[], float] | None = None) -> float:
        x = plain(x)
        if x == 0:
            return x
        number: float = plain(y() if callable(y) else y)
        return x * (self.log1p(above()) if above is not None and 0.5 < number < 2 else self.log(number))


class SoftView(PlainView):
    """A single matrix of real counts; sums of cells are kept as parts (see `cell_sums`), so zero tests are exact.

    A `CellSum` computes like a float and passes as one (``type: ignore[return-value]``).
    """

    def __init__(self, cells: list[list[float]], policy: Policy) -> None:
        super().__init__([[plain(x) for x in row] for row in cells], policy)
        self._bases: dict[SupportsIndex, Basis] = {}
        self._split: Basis | None = None
        self._all: float | None = None

    def _total(self) -> float:
        # Diagonal first, then the rest row by row: if only row i has items, both a_i and n are c_ii plus the same sum
        # of the other cells, so that they agree to the last bit; likewise b_j and n if only column j has items.
        if self._all is None:
            split = self._diagonal_and_rest()
            self._all = split[0] + split[1]
        return self._all

    def _diagonal_and_rest(self) -> Basis:
        """Return the two groups of cells on and off the diagonal."""
        if self._split is None:
            cells = self.cells
            self._split = Basis(
                (
                    lambda: total(cells[i][i] for i in range(self.m)),
                    lambda: total(total(x for j, x in enumerate(row) if i != j) for i, row in enumerate(cells)),
                )
            )
        return self._split

    def _basis(self, i: SupportsIndex) -> Basis:
        """Return the hit, the rest of the row, the rest of the column and everything else, as seen from class i."""
        key = 1 if self.m == 2 else i  # two classes share one basis, the four cells, so that their parts combine
        if key not in self._bases:
            cells, others = self.cells, [j for j in range(self.m) if j != key]
            self._bases[key] = Basis(
                (
                    lambda: cells[key][key],
                    lambda: total(cells[key][j] for j in others),
                    lambda: total(cells[j][key] for j in others),
                    lambda: total(cells[j][k] for j in others for k in others),
                )
            )
        return self._bases[key]

    def _part(self, i: SupportsIndex, weights: tuple[int, int, int, int]) -> float:
        """Return a combination of the groups of class i."""
        if self.m == 2 and i == 0:  # seen from the other class, hits and true negatives change places
            weights = weights[3], weights[2], weights[1], weights[0]
        return CellSum(self._basis(i), weights, self._total)  # type: ignore[return-value]

    def __getitem__(self, ij: tuple[SupportsIndex, SupportsIndex]) -> float:
        i, j = ij
        if i == j:
            return self._part(i, (1, 0, 0, 0))
        if self.m == 2:
            return self._part(i, (0, 1, 0, 0))
        cells = self.cells
        return OffDiagonalCell.of(
            cells[i][j],
            (self._basis(i), (1, 1, 0, 0), lambda: total(x for k, x in enumerate(cells[i]) if k != j)),
            (self._basis(j), (1, 0, 1, 0), lambda: total(row[j] for k, row in enumerate(cells) if k != i)),
        )

    @property
    def a(self) -> Sizes[float, SupportsIndex]:
        return Sizes(lambda i: self._part(i, (1, 1, 0, 0)))

    @property
    def b(self) -> Sizes[float, SupportsIndex]:
        return Sizes(lambda i: self._part(i, (1, 0, 1, 0)))

    @property
    def n(self) -> float:
        return CellSum(None, (1,), self._total)  # type: ignore[return-value]

    def vs_rest(self, i: SupportsIndex) -> LoopView[float]:
        if self.m == 2 and i == 1:
            return self
        hit, row, column, rest = (self._basis(i)[k] for k in range(4))
        if self.m == 2:
            hit, row, column, rest = rest, column, row, hit
        return self.related(SoftView([[rest, column], [row, hit]], self.policy))

    def sum(self, term: Term[SupportsIndex, float], over: Chosen[SupportsIndex] | None = None) -> float:
        terms: list[float] = list(self._terms(term, over))
        if (
            over is None
            and self.m > 2
            and len(terms) == self.m
            and all(self._is_part_of(i, x) for i, x in enumerate(terms))
        ):
            parts: list[CellSum] = terms  # type: ignore[assignment] # as was just seen
            first = parts[0].weights
            if all(x.weights == first for x in parts):
                return self._sum_of_parts(first)
        return total(terms)

    def _is_part_of(self, i: int, x: object) -> bool:
        """Return whether a term is a combination of the groups of class i."""
        return isinstance(x, CellSum) and x.basis is not None and x.basis is self._bases.get(i)

    def _sum_of_parts(self, weights: tuple[int, ...]) -> float:
        """Return the sum of one combination of groups over all classes, as a part of cells on and off the diagonal."""
        hit, row, column, rest = weights
        on = hit + rest * (self.m - 1)  # a cell of the diagonal belongs to "everything else" of all other classes
        off = row + column + rest * (self.m - 2)
        return CellSum(self._diagonal_and_rest(), (on, off), self._total)  # type: ignore[return-value]

    def _extreme(self, values: tuple[float, ...], better: Callable[[float, float], object]) -> float:
        return super()._extreme(tuple(plain(x) for x in values), better)
