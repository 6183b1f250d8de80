"""The language of ``c`` evaluated one class after another, as floats, exact numbers and worked steps all need it."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator
from fractions import Fraction

from goodmeasure.language.policy import LeaveOut, Policy, UndefinedMeasure
from goodmeasure.language.view import Sizes, Table, Term, Value, View, check_weighted, entries, shortest


class LoopView(View):
    """A single matrix whose cells are numbers of some kind; a class index is a plain integer."""

    def __init__(self, cells: list[list[Value]], policy: Policy) -> None:
        self.cells = cells
        self.m = len(cells)
        self.policy = policy
        self._sizes: tuple[list[Value], list[Value], Value] | None = None
        self._transposed: LoopView | None = None
        self.broken = False  # whether this is a mapped matrix with an undefined cell
        self.lost = False  # whether a matrix mapped from this one is broken
        self.far = False  # whether products of counts would overflow or underflow as floats
        self.turned = False  # whether true and predicted labels have been exchanged

    def like(self, cells: list[list[Value]]) -> LoopView:
        """Return a view of other cells with the same kind of numbers and the same policy."""
        return self.related(type(self)(cells, self.policy))

    def related(self, view: LoopView) -> LoopView:
        """Return a view derived from this one, marked as transposed if this one is."""
        view.turned = self.turned
        return view

    # Cells and sizes

    def __getitem__(self, ij: tuple[int, int]) -> Value:
        return self.cells[ij[0]][ij[1]]

    def _margins(self) -> tuple[list[Value], list[Value], Value]:
        """Return the row sums, the column sums and the total, computed once."""
        if self._sizes is None:
            rows = [sum(row) for row in self.cells]
            self._sizes = rows, [sum(column) for column in zip(*self.cells, strict=True)], sum(rows)
        return self._sizes

    @property
    def a(self) -> Sizes:
        return self._margins()[0]  # type: ignore[return-value]

    @property
    def b(self) -> Sizes:
        return self._margins()[1]  # type: ignore[return-value]

    @property
    def n(self) -> Value:
        return self._margins()[2]

    @property
    def T(self) -> LoopView:  # noqa: N802
        if self._transposed is None:
            self._transposed = self.like([list(column) for column in zip(*self.cells, strict=True)])
            self._transposed._transposed = self
            self._transposed.broken = self.broken
            self._transposed.turned = not self.turned
        return self._transposed

    def excess(self, i: int) -> Value:
        rest = self.vs_rest(i)
        return rest.tp * rest.tn - rest.fp * rest.fn

    # Other views

    def vs_rest(self, i: int) -> LoopView:
        if self.m == 2 and i == 1:
            return self
        hit, a, b = self.cells[i][i], self.a[i], self.b[i]
        return self.two(hit, a - hit, b - hit, self.n - a - b + hit)

    def two(self, tp: Value, fn: Value, fp: Value, tn: Value) -> LoopView:
        return self.like([[tn, fp], [fn, tp]])

    def map(self, cell: Callable[[int, int], Value]) -> LoopView:
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

    def finish(self, value: Value) -> Value:
        return self.undefined() if self.broken or (self.lost and self.is_undefined(value)) else value

    # Over classes

    def _terms(self, term: Term, over: Term | None) -> Iterator[Value]:
        """Yield the terms of the classes that `over` selects, without those that a rule leaves out."""
        for i in range(self.m):
            if over is None or over(i):
                try:
                    value = term(i)
                except LeaveOut:
                    continue
                yield value

    def sum(self, term: Term, over: Term | None = None) -> Value:
        return sum(self._terms(term, over))

    def product(self, term: Term, over: Term | None = None) -> Value:
        return math.prod(self._terms(term, over))

    def least(self, term: Term, over: Term | None = None) -> Value:
        return self.min(*self._terms(term, over))

    def greatest(self, term: Term, over: Term | None = None) -> Value:
        return self.max(*self._terms(term, over))

    def mean(
        self,
        term: Term,
        p: object = 1,
        over: Term | None = None,
        undefined: object = None,
        weights: Sizes | None = None,
    ) -> Value:
        if undefined is not None and self.policy.resolves:
            term = self._with_rule(term, undefined)
        if weights is None:
            return self.power_mean(list(self._terms(term, over)), p)
        check_weighted(p, over)
        pairs = list(self._terms(lambda i: (weights[i], term(i)), lambda i: weights[i] > 0))
        return self.ratio(sum(w * x for w, x in pairs), sum(w for w, _ in pairs))

    def _with_rule(self, term: Term, rule: object) -> Term:
        """Return the term of a mean, extended by a rule for the classes on which it is undefined."""

        def ruled(i: int) -> Value:
            value = term(i)
            return self._ruled(rule, i) if self.is_undefined(value) else value

        return ruled

    def _ruled(self, rule: object, i: int) -> Value:
        """Return what the rule of a mean gives class i; raise `LeaveOut` if the rule is ``c.skip``."""
        chosen = rule(i) if callable(rule) else rule
        if chosen is self.skip:
            raise LeaveOut
        return self.constant(chosen) if isinstance(chosen, (int, float, Fraction)) else chosen

    def power_mean(self, values: list[Value], p: Value) -> Value:
        if not values:
            return self.ratio(0, 0)
        if p == 1:
            return self.ratio(sum(values), len(values))
        for x in values:
            if self.is_undefined(x):
                return x
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
            return self.power(math.prod(values), 1 / shortest(len(values)))
        return self._middle(values, p)

    def _middle(self, values: list[Value], p: object) -> Value:
        """Return the power mean of non-negative values, not all zero, for a finite p other than 0 and 1."""
        power = shortest(p)
        return self.power(self.ratio(sum(self.power(x, power) for x in values), len(values)), 1 / power)

    def sum_off(self, term: Callable[[int, int], Value], over: Callable[[int, int], object] | None = None) -> Value:
        total: Value = 0
        for i in range(self.m):
            for j in range(self.m):
                if i != j and (over is None or over(i, j)):
                    try:
                        total = total + term(i, j)
                    except LeaveOut:
                        continue
        return total

    # Arithmetic that all numbers share

    def xlogy(self, x: Value, y: Value, above: Callable[[], Value] | None = None) -> Value:
        if x == 0:
            return x
        return x * self.log(y() if callable(y) else y)

    def min(self, *values: Value) -> Value:
        return self._extreme(values, lambda x, y: x < y)

    def max(self, *values: Value) -> Value:
        return self._extreme(values, lambda x, y: x > y)

    def _extreme(self, values: tuple[Value, ...], better: Callable[[Value, Value], object]) -> Value:
        """Return the smallest or largest value, or the first one that is undefined."""
        if not values:
            return self.ratio(0, 0)
        best = values[0]
        for x in values:
            if self.is_undefined(x):
                return x
            if better(x, best):
                best = x
        return best

    def table(self, rows: object, legend: str | None = None) -> Table:
        known = [[self.constant(x) for x in row] for row in entries(rows, self.m)]
        return Table(lambda i, j: known[i][j])

    # Choices

    def where(self, condition: object, x: Value, y: Value) -> Value:
        chosen = x if condition else y
        if chosen is self.skip:
            raise LeaveOut
        return chosen() if callable(chosen) else chosen

    def ratio(self, x: Value, y: Value, otherwise: object = None) -> Value:
        if y != 0:
            return x / y
        return self._without_value(otherwise)

    def _without_value(self, otherwise: object) -> Value:
        """Return the value of a division by zero under the policy in force."""
        if not self.policy.resolves:
            return self.undefined()
        if otherwise is None:
            return self.undefined()
        if otherwise is self.skip:
            raise LeaveOut
        return otherwise() if callable(otherwise) else self.constant(otherwise)

    def undefined(self) -> Value:
        if self.policy.name == "raise":
            raise UndefinedMeasure("a term of the formula is undefined")
        if self.policy.name == "number":
            return self.constant(self.policy.number)
        return self.no_value()

    # What each kind of number adds

    @abstractmethod
    def no_value(self) -> Value:
        """Return the number that stands for an undefined value and spreads through arithmetic."""

    @abstractmethod
    def is_undefined(self, x: Value) -> bool:
        """Return whether a number stands for an undefined value."""


_QUIET = Policy("nan")
