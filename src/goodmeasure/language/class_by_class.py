"""The language of ``c`` evaluated one class after another, as floats, exact numbers and worked steps all need it."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import SupportsIndex, TypeVar

from goodmeasure.language.policy import LeaveOut, Policy, UndefinedMeasure
from goodmeasure.language.value import Condition, Exponent, product, total
from goodmeasure.language.view import (
    Branch,
    Chosen,
    ChosenPairs,
    ConstantTable,
    Number,
    PairTerm,
    RowsOfTable,
    Rule,
    Sizes,
    Term,
    V,
    View,
    check_weighted,
    entries,
    shortest,
)

_Term = TypeVar("_Term")


class LoopView(View[V, SupportsIndex]):
    """A single matrix whose cells are numbers of some kind; a class index is a plain integer.

    The integers and floats that a definition writes pass as numbers of this kind, since every kind computes with them:
    hence what is returned as ``V`` may be one (``type: ignore[return-value]``).
    """

    m: int

    def __init__(self, cells: list[list[V]], policy: Policy) -> None:
        self.cells = cells
        self.m = len(cells)
        self.policy = policy
        self._sizes: tuple[list[V], list[V], V] | None = None
        self._transposed: LoopView[V] | None = None
        self.broken = False  # whether this is a mapped matrix with an undefined cell
        self.lost = False  # whether a matrix mapped from this one is broken

    def like(self, cells: list[list[V]]) -> LoopView[V]:
        """Return a view of other cells with the same kind of numbers and the same policy."""
        return type(self)(cells, self.policy)

    # Cells and sizes

    def __getitem__(self, ij: tuple[SupportsIndex, SupportsIndex]) -> V:
        return self.cells[ij[0]][ij[1]]

    def _margins(self) -> tuple[list[V], list[V], V]:
        """Return the row sums, the column sums and the total, computed once."""
        if self._sizes is None:
            rows = [total(row) for row in self.cells]
            self._sizes = rows, [total(column) for column in zip(*self.cells, strict=True)], total(rows)
        return self._sizes

    @property
    def a(self) -> Sizes[V, SupportsIndex]:
        return self._margins()[0]  # type: ignore[return-value]

    @property
    def b(self) -> Sizes[V, SupportsIndex]:
        return self._margins()[1]  # type: ignore[return-value]

    @property
    def n(self) -> V:
        return self._margins()[2]

    @property
    def T(self) -> LoopView[V]:  # noqa: N802
        if self._transposed is None:
            self._transposed = self.like([list(column) for column in zip(*self.cells, strict=True)])
            self._transposed._transposed = self
            self._transposed.broken = self.broken
        return self._transposed

    def excess(self, i: SupportsIndex, j: SupportsIndex | None = None) -> V:
        if j is not None:
            return self.n * self[i, j] - self.a[i] * self.b[j]
        rest = self.vs_rest(i)
        return rest.tp * rest.tn - rest.fp * rest.fn

    # Other views

    def vs_rest(self, i: SupportsIndex) -> LoopView[V]:
        if self.m == 2 and i == 1:
            return self
        hit, a, b = self.cells[i][i], self.a[i], self.b[i]
        return self.two(hit, a - hit, b - hit, self.n - a - b + hit)

    def two(self, tp: V, fn: V, fp: V, tn: V) -> LoopView[V]:
        return self.like([[tn, fp], [fn, tp]])

    def map(self, cell: Callable[[SupportsIndex, SupportsIndex], V]) -> LoopView[V]:
        # A policy that is a number replaces the value of the whole measure, not single cells of the mapped matrix: the
        # cells are therefore computed under "nan", and `finish` puts the number in if one of them is undefined.
        policy, self.policy = self.policy, self.policy if self.policy.name in ("resolve", "raise") else _QUIET
        try:
            cells = [[cell(i, j) for j in range(self.m)] for i in range(self.m)]
        finally:
            self.policy = policy
        mapped = self.like(cells)
        mapped.broken = any(self.is_undefined(x) for row in cells for x in row)
        self.lost = self.lost or mapped.broken
        return mapped

    def finish(self, value: V | float) -> V | float:
        return self.undefined() if self.broken or (self.lost and self.is_undefined(value)) else value

    # Over classes

    def _terms(self, term: Callable[[SupportsIndex], _Term], over: Chosen[SupportsIndex] | None) -> Iterator[_Term]:
        """Yield the terms of the classes that `over` selects, without those that a rule leaves out."""
        for i in range(self.m):
            if over is None or over(i):
                try:
                    value = term(i)
                except LeaveOut:
                    continue
                yield value

    def sum(self, term: Term[SupportsIndex, V], over: Chosen[SupportsIndex] | None = None) -> V:
        return total(self._terms(term, over))

    def product(self, term: Term[SupportsIndex, V], over: Chosen[SupportsIndex] | None = None) -> V:
        return product(self._terms(term, over))

    def least(self, term: Term[SupportsIndex, V], over: Chosen[SupportsIndex] | None = None) -> V:
        return self.min(*self._terms(term, over))

    def greatest(self, term: Term[SupportsIndex, V], over: Chosen[SupportsIndex] | None = None) -> V:
        return self.max(*self._terms(term, over))

    def mean(
        self,
        term: Term[SupportsIndex, V],
        p: V | Number = 1,
        over: Chosen[SupportsIndex] | None = None,
        undefined: Rule[V, SupportsIndex] | None = None,
        weights: Sizes[V, SupportsIndex] | None = None,
    ) -> V:
        if undefined is not None and self.policy.resolves:
            term = self._with_rule(term, undefined)
        if weights is None:
            return self.power_mean(list(self._terms(term, over)), p)
        check_weighted(p, over)
        pairs = list(self._terms(lambda i: (weights[i], term(i)), lambda i: weights[i] > 0))
        return self.ratio(total(w * x for w, x in pairs), total(w for w, _ in pairs))

    def _with_rule(self, term: Term[SupportsIndex, V], rule: Rule[V, SupportsIndex]) -> Term[SupportsIndex, V]:
        """Return the term of a mean, extended by a rule for the classes on which it is undefined."""

        def ruled(i: SupportsIndex) -> V | float:
            value = term(i)
            return self._ruled(rule, i) if self.is_undefined(value) else value

        return ruled

    def _ruled(self, rule: Rule[V, SupportsIndex], i: SupportsIndex) -> V:
        """Return what the rule of a mean gives class i; raise `LeaveOut` if the rule is ``c.skip``."""
        chosen = rule(i) if callable(rule) else rule
        if chosen is self.skip:
            raise LeaveOut
        return self.constant(chosen) if isinstance(chosen, (int, float, Fraction)) else chosen

    def power_mean(self, values: Sequence[V | float], p: Exponent) -> V:
        if not values:
            return self.ratio(0, 0)
        if p == 1:
            return self.ratio(total(values), len(values))
        for x in values:
            if self.is_undefined(x):
                return x  # type: ignore[return-value]
        if p == math.inf:
            return self.max(*values)
        if p == -math.inf:
            return self.min(*values)
        if any(x < 0 for x in values):
            return self.undefined()
        zeros = sum(1 for x in values if x == 0)
        if zeros == len(values) or (p <= 0 and zeros):
            return self.constant(0)
        if p == 0:
            return self.power(product(values), 1 / shortest(len(values)))
        return self._middle(values, p)

    def _middle(self, values: Sequence[V | float], p: Exponent) -> V:
        """Return the power mean of non-negative values, not all zero, for a finite p other than 0 and 1."""
        power = shortest(p)
        return self.power(self.ratio(total(self.power(x, power) for x in values), len(values)), 1 / power)

    def sum_off(self, term: PairTerm[SupportsIndex, V], over: ChosenPairs[SupportsIndex] | None = None) -> V:
        added: V | float = 0
        for i in range(self.m):
            for j in range(self.m):
                if i != j and (over is None or over(i, j)):
                    try:
                        added = added + term(i, j)
                    except LeaveOut:
                        continue
        return added  # type: ignore[return-value]

    # Arithmetic that all numbers share

    def xlogy(
        self, x: V | float, y: V | float | Callable[[], V | float], above: Callable[[], V | float] | None = None
    ) -> V:
        if x == 0:
            return x  # type: ignore[return-value]
        return x * self.log(y() if callable(y) else y)

    def min(self, *values: V | float) -> V:
        return self._extreme(values, lambda x, y: x < y)

    def max(self, *values: V | float) -> V:
        return self._extreme(values, lambda x, y: x > y)

    def _extreme(self, values: tuple[V | float, ...], better: Callable[[V | float, V | float], object]) -> V:
        """Return the smallest or largest value, or the first one that is undefined."""
        if not values:
            return self.ratio(0, 0)
        best = values[0]
        for x in values:
            if self.is_undefined(x):
                return x  # type: ignore[return-value]
            if better(x, best):
                best = x
        return best  # type: ignore[return-value]

    def table(self, rows: RowsOfTable, legend: str | None = None) -> ConstantTable[V, SupportsIndex]:
        known = [[self.constant(x) for x in row] for row in entries(rows, self.m)]
        return ConstantTable(lambda i, j: known[i][j])

    # Choices

    def where(self, condition: Condition | bool, x: Branch[V], y: Branch[V]) -> V:
        chosen = x if condition else y
        value = chosen() if callable(chosen) else chosen
        if value is self.skip:
            raise LeaveOut
        return value  # type: ignore[return-value]

    def ratio(self, x: V | float, y: V | float, otherwise: Branch[V] | None = None) -> V:
        if y != 0:
            return x / y  # type: ignore[return-value]
        return self._without_value(otherwise)

    def _without_value(self, otherwise: Branch[V] | None) -> V:
        """Return the value of a division by zero under the policy in force."""
        if not self.policy.resolves:
            return self.undefined()
        if otherwise is None:
            return self.undefined()
        value = otherwise() if callable(otherwise) else otherwise
        if value is self.skip:
            raise LeaveOut
        return value if callable(otherwise) else self.constant(value)  # type: ignore[return-value]

    def undefined(self) -> V:
        if self.policy.name == "raise":
            raise UndefinedMeasure("a term of the formula is undefined")
        if self.policy.name == "number":
            return self.constant(self.policy.number)
        return self.no_value()

    # What each kind of number adds

    @abstractmethod
    def no_value(self) -> V:
        """Return the number that stands for an undefined value and spreads through arithmetic."""

    @abstractmethod
    def is_undefined(self, x: V | float) -> bool:
        """Return whether a number stands for an undefined value."""


_QUIET = Policy("nan")
