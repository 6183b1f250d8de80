"""Single matrices and equal values: extremes, invariances, definedness, class sensitivity."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from goodmeasure.theory.kernel import signs
from goodmeasure.theory.kernel.claim import Branch, Case, Claim, Kind, Support, bits, difference, renamed
from goodmeasure.theory.kernel.facts import Node
from goodmeasure.theory.kernel.kinds.moves import is_diagonal, is_hollow
from goodmeasure.theory.kernel.meaning import Outcome
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.values import Value
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.statement import CellMap

_Pair = tuple[tuple[int, int], tuple[int, int]]
Image = Callable[[Branch, Sequence[Value]], list[Value]]


def undefined(node: Node, *values: Outcome) -> bool:
    """Return whether a case is one in which nothing is claimed, since a value is undefined; the node must say so."""
    gone = any(x is None for x in values)
    demand((node.get("by") == "undefined") == gone, "a value is " + ("un" if gone else "") + "defined")
    return gone


class Extremes(Kind):
    """Extreme supports have one value, and all other supports only values strictly on one side of it."""

    ways = ("undefined", "difference")

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        s = claim.statement
        self.at_diagonal = s.at == kinds.DIAGONAL
        self.name = s.constants[0]
        self.best = best(claim, self.at_diagonal)

    def cases(self) -> Iterator[Case]:
        """Yield every support of the domain."""
        for support in self.claim.supports():
            yield Case({"support": bits(support)}, lambda branch, node, x=support: self._check(branch, node, x))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, support: Support) -> None:
        value, m = self.claim.value(branch.cells(support)), self.claim.m
        if undefined(node, value):
            return
        assert value is not None
        if is_diagonal(support, m) if self.at_diagonal else is_hollow(support, m):
            equal(value, self.best)
            return
        high, low = (self.best, value) if self.at_diagonal else (value, self.best)
        difference(high, low, strict=True)

    def finish(self) -> None:
        """Demand that the constant is stated as it is."""
        self.claim.constant_is(self.name, self.best)


def best(claim: Claim, at_diagonal: bool) -> Value:
    """Return the value on the first diagonal (or zero-diagonal) matrix of ones of the domain that has one."""
    for support in claim.every_support():
        if is_diagonal(support, claim.m) if at_diagonal else is_hollow(support, claim.m):
            value = claim.number(support)
            if value is not None:
                return value
    raise Refused("there is no matrix to take the constant from")


def equal(x: Value, y: Value) -> None:
    """Demand that two values are the same function."""
    demand((x - y).is_zero(), f"a difference that should be 0 is {(x - y).text()[:200]}")
    x.ring.shown.append(("=", x))


class Invariances(Kind):
    """A matrix and its image have the same value, on every support.

    Of the maps that rename classes only exchanges of neighbours are checked. Every permutation is a product of these,
    and equalities chain as long as every matrix in between has a value; so an undefined case is accepted only where the
    statement has a single map, which needs no chain. Class symmetry of any tree that treats all classes alike is shown
    by the tree alone (`symmetry.py`), without cases.
    """

    ways = ("undefined", "equal")

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        s, m = claim.statement, claim.m
        maps = s.maps(m)
        self.chains = len(maps) > 1
        if self.chains:
            near = [[{k: k + 1, k + 1: k}.get(i, i) for i in range(m)] for k in range(m - 1)]
            maps = tuple(tuple(tuple((p[i], p[j]) for j in range(m)) for i in range(m)) for p in near)
        self.images: list[Image] = [lambda branch, cells, x=x: _placed(x, cells) for x in maps]  # type: ignore[misc]
        if s.scales:
            by_row = s.scales == "rows"
            self.images = [lambda branch, cells: _scaled(branch, cells, m, by_row=by_row)]

    def cases(self) -> Iterator[Case]:
        """Yield every support of the domain with every map."""
        for number, image in enumerate(self.images):
            for support in self.claim.supports() if not self.chains else self.claim.every_support():
                about = {"support": bits(support), "map": number}
                yield Case(about, lambda branch, node, x=support, y=image: self._check(branch, node, x, y))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, support: Support, image: Image) -> None:
        cells = branch.cells(support)
        value, other = self.claim.value(cells), self.claim.value(image(branch, cells))
        if undefined(node, value, other):
            demand(not self.chains, "equalities do not chain over a matrix without a value")
            return
        assert value is not None
        assert other is not None
        equal(value, other)


def _placed(table: CellMap, cells: Sequence[Value]) -> list[Value]:
    """Return the cells of the image of a matrix, each of which a table takes from a place."""
    m = len(table)
    return [cells[i * m + j] for row in table for i, j in row]


def _scaled(branch: Branch, cells: Sequence[Value], m: int, *, by_row: bool) -> list[Value]:
    """Return the cells times a positive factor, or times one for each row."""
    return [x * branch.ring.variable(m * m + (k // m if by_row else 0)) for k, x in enumerate(cells)]


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
        if not undefined(node, one, other):
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
    free = True  # the case is chosen by the certificate

    def case(self, about: Node) -> Case:
        """Return the case of an example: the matrix before, and the two matrices after."""
        claim, m = self.claim, self.claim.m
        found = []
        for name in ("before", "one", "two"):
            rows = about.get(name)
            flat = (
                [x for row in rows for x in row]
                if isinstance(rows, list) and all(isinstance(y, list) for y in rows)
                else []
            )
            whole = len(flat) == m * m and all(type(x) is int and 0 <= x < 10**9 for x in flat)
            demand(whole and len(rows) == m, "the example is about other matrices", name)  # type: ignore[arg-type] # a list
            demand(claim.admits(flat), "a matrix of the example is outside the domain", name)
            found.append(flat)
        before, *after = found
        added = [[k for k in range(m * m) if x[k] != before[k]] for x in after]
        demand(
            all(len(k) == 1 and x[k[0]] == before[k[0]] + 1 for k, x in zip(added, after, strict=True)),
            "the example adds one item",
        )
        demand(len({k[0] % (m + 1) == 0 for k in added}) == 1, "one item is right and the other wrong")
        return Case(dict(about), lambda branch, node: self._check(node, found))

    def _check(self, node: Node, matrices: list[list[int]]) -> None:
        demand(node.get("by") == "example", "no way to show an example")
        before, one, two = map(self.claim.number, matrices)
        if before is None or one is None or two is None:
            raise Refused("a value of the example is undefined")
        (one - two).must_be(signs.NOT_ZERO)
