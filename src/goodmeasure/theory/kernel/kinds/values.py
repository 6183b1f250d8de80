"""Single matrices and equal values: extremes, invariances, definedness, class sensitivity."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from goodmeasure.theory.kernel import signs
from goodmeasure.theory.kernel.claim import MOST_CLASSES, Branch, Case, Claim, Kind, Support, bits, difference, renamed
from goodmeasure.theory.kernel.facts import Node, listed
from goodmeasure.theory.kernel.kinds.moves import is_diagonal, is_hollow
from goodmeasure.theory.kernel.meaning import Outcome
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.values import Value
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.statement import CellMap

_Pair = tuple[tuple[int, int], tuple[int, int]]
Image = Callable[[Branch, Sequence[Value]], list[Value]]


def undefined(node: Node, ways: Sequence[str], *values: Outcome) -> bool:
    """Return whether a case is one in which nothing is claimed, since a value is undefined; the node must say so.

    Of any other case it must say one of the ways in which it may be shown.
    """
    gone, by = any(x is None for x in values), node.get("by")
    demand((by == "undefined") == gone, "a value is " + ("un" if gone else "") + "defined")
    demand(by in ways, "no way to show this case", "by")
    return gone


class Extremes(Kind):
    """Extreme supports have one value, and all other supports only values strictly on one side of it."""

    ways = ("undefined", "difference")

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.at_diagonal = claim.statement.at == kinds.DIAGONAL
        self.best = best(claim, self.at_diagonal)

    def cases(self) -> Iterator[Case]:
        """Yield every support of the domain."""
        for support in self.claim.supports():
            yield Case({"support": bits(support)}, lambda branch, node, x=support: self._check(branch, node, x))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, support: Support) -> None:
        value, m = self.claim.value(branch.cells(support)), self.claim.m
        if undefined(node, self.ways, value):
            return
        assert value is not None
        if self.best is None:
            raise Refused("there is no matrix to take the constant from")
        if is_diagonal(support, m) if self.at_diagonal else is_hollow(support, m):
            equal(value, self.best)
            return
        high, low = (self.best, value) if self.at_diagonal else (value, self.best)
        difference(high, low, strict=True)

    def constants(self) -> dict[str, Outcome]:
        """Return the extreme value."""
        return {self.claim.statement.constants[0]: self.claim.own(self.best)}


def best(claim: Claim, at_diagonal: bool) -> Outcome:
    """Return the value on the first diagonal (or zero-diagonal) matrix of ones of the domain that has one."""
    for support in claim.every_support():
        if is_diagonal(support, claim.m) if at_diagonal else is_hollow(support, claim.m):
            value = claim.number(support)
            if value is not None:
                return value
    return None


def equal(x: Value, y: Value) -> None:
    """Demand that two values are the same function."""
    demand((x - y).is_zero(), f"a difference that should be 0 is {(x - y).text()[:200]}")
    x.ring.shown.append(("=", x))


class Invariances(Kind):
    """A matrix and its image have the same value, on every support.

    Class symmetry of any tree that treats all classes alike is shown by the tree alone (`symmetry.py`), without cases.
    """

    ways = ("undefined", "equal")

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        s, m = claim.statement, claim.m
        demand(m <= MOST_CLASSES, f"{m} classes have too many patterns of empty cells")
        self.images: list[Image] = [lambda branch, cells, x=x: _placed(x, cells) for x in s.maps(m)]  # type: ignore[misc]
        if s.scales:
            by_row = s.scales == "rows"
            self.images = [lambda branch, cells: _scaled(branch, cells, m, by_row=by_row)]

    def cases(self) -> Iterator[Case]:
        """Yield every support of the domain with every map."""
        for number, image in enumerate(self.images):
            for support in self.claim.supports():
                about = {"support": bits(support), "map": number}
                yield Case(about, lambda branch, node, x=support, y=image: self._check(branch, node, x, y))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, support: Support, image: Image) -> None:
        cells = branch.cells(support)
        value, other = self.claim.value(cells), self.claim.value(image(branch, cells))
        if not undefined(node, self.ways, value, other):
            assert value is not None
            assert other is not None
            equal(value, other)


def _placed(table: CellMap, cells: Sequence[Value]) -> list[Value]:
    """Return the cells of the image of a matrix, each of which a table takes from a place."""
    m = len(table)
    return [cells[i * m + j] for row in table for i, j in row]


def _scaled(branch: Branch, cells: Sequence[Value], m: int, *, by_row: bool) -> list[Value]:
    """Return the cells times a positive factor, or times one for each row."""
    return [x * branch.variable(m * m + (k // m if by_row else 0)) for k, x in enumerate(cells)]


class Definedness(Kind):
    """The measure has a value on every support, or for each test set on all of its supports or on none.

    Where supports are listed up to the names of the classes, test sets with as many classes are the same up to names.
    """

    ways = ("defined", "undefined")

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.together = claim.statement.kind == kinds.DEFINED_TOGETHER
        self.known: dict[object, bool] = {}

    def cases(self) -> Iterator[Case]:
        """Yield every support of the domain."""
        for support in self.claim.supports():
            yield Case({"support": bits(support)}, lambda branch, node, x=support: self._check(branch, node, x))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, support: Support) -> None:
        has = self.claim.value(branch.cells(support)) is not None
        demand(node.get("by") == ("defined" if has else "undefined"), "a value is " + ("" if has else "un") + "defined")
        if not self.together:
            demand(has, "the measure is undefined")
            return
        m = self.claim.m
        rows = tuple(any(support[i * m : (i + 1) * m]) for i in range(m))
        test = sum(rows) if self.claim.symmetric else rows
        demand(self.known.setdefault(test, has) == has, "only some predictions for a test set have a value")


class Indifference(Kind):
    """One more item counts the same in all cells on the diagonal, and the same in all cells off it."""

    ways = ("undefined", "equal")

    def cases(self) -> Iterator[Case]:
        """Yield every support with two cells on the diagonal, or two off it."""
        claim, m = self.claim, self.claim.m
        places = [(i, j) for i in range(m) for j in range(m)]
        two = [(x, y) for x, y in combinations(places, 2) if (x[0] == x[1]) == (y[0] == y[1])]
        every = ((support, pair) for pair in two for support in claim.every_support(empty=True))
        chosen = (x for x in every if all(claim.admits(_filled(x[0], cell, m)) for cell in x[1]))
        for support, pair in claim.distinct(chosen, _renamed_pair):
            about = {"support": bits(support), "cells": [list(x) for x in pair]}
            yield Case(about, lambda branch, node, x=support, y=pair: self._check(branch, node, x, y))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, support: Support, pair: _Pair) -> None:
        values, m = [], self.claim.m
        for i, j in pair:
            cells = branch.cells(support)
            cells[i * m + j] = cells[i * m + j] + branch.ring.number(1)
            values.append(self.claim.value(cells))
        one, other = values
        if not undefined(node, self.ways, one, other):
            assert one is not None
            assert other is not None
            equal(one, other)


def _filled(support: Support, cell: tuple[int, int], m: int) -> Support:
    k = cell[0] * m + cell[1]
    return (*support[:k], 1, *support[k + 1 :])


def _renamed_pair(x: tuple[Support, _Pair], p: tuple[int, ...], m: int) -> object:
    support, pair = x
    return renamed(support, p, m), tuple(sorted((p[i], p[j]) for i, j in pair))


class Example(Kind):
    """Two additional items, both right or both wrong, that count differently: three matrices prove that there are."""

    ways = ("example",)

    def cases(self) -> Iterator[Case]:
        """Yield the one case: a matrix, and two matrices that each have one item more."""
        found = [matrix(self.claim, self.claim.about.get(x)) for x in ("before", "one", "two")]
        yield Case({}, lambda branch, node: self._check(node, *found))

    def _check(self, node: Node, before: Sequence[int], one: Sequence[int], two: Sequence[int]) -> None:
        demand(node.get("by") == "example", "no way to show an example")
        added = [[k for k, (x, y) in enumerate(zip(before, after, strict=True)) if x != y] for after in (one, two)]
        demand(all(len(x) == 1 for x in added), "the example adds one item")
        (k,), (other,) = added
        demand(one[k] == before[k] + 1 and two[other] == before[other] + 1, "the example adds one item")
        demand((k % (self.claim.m + 1) == 0) == (other % (self.claim.m + 1) == 0), "one item is right, the other wrong")
        _, high, low = values = [self.claim.number(x) for x in (before, one, two)]
        demand(all(x is not None for x in values), "a value of the example is undefined")
        assert high is not None
        assert low is not None
        (high - low).must_be(signs.NOT_ZERO)


def matrix(claim: Claim, rows: object) -> list[int]:
    """Return a matrix of the domain that a certificate names, row after row."""
    lines = [listed(row, "a row") for row in listed(rows, "a matrix")]
    found = [x for row in lines for x in row if type(x) is int and 0 <= x < 10**9]
    m = claim.m
    demand([len(row) for row in lines] == [m] * m and len(found) == m * m, "a matrix has no m times m counts")
    demand(claim.admits(found), "a matrix is outside the domain")
    return found
