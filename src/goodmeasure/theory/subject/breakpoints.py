"""Matrices where a formula changes its form: far-out counterexamples lie next to them.

A formula with ``c.min``, ``c.max``, ``c.where`` or abs may be one formula for up to a thousand items and another one
from there on, and no list of all small matrices comes that far. The places where it changes are known, though: they are
where the two sides of a comparison in the recorded tree are equal. Along some rays of matrices (a few cells fixed, one
or all cells of the diagonal growing) they are found by doubling and bisection. Only what lies next to such a place is
examined, so a counterexample that is found there need not be the smallest one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import TypeAlias

from goodmeasure.language.compile.compiled import value_on
from goodmeasure.language.policy import NAN
from goodmeasure.language.tree import COMPARISONS, ZERO, Nth, Operation, PowerMean, Test, Tree, below
from goodmeasure.theory.statements.witness import WholeRows

SignAt: TypeAlias = Callable[[int], int | None]

_FARTHEST = 1 << 20  # items
_MOST_SIDES = 40  # comparisons that are examined
_MOST_PLACES = 9  # ways in which the class variables of a comparison stand for classes
_NEAR = 2  # steps of a ray on each side of a change


def near_breakpoints(tree: Tree, m: int) -> list[WholeRows]:
    """Return matrices of m classes next to which a formula changes its form, those with the fewest items first."""
    found: dict[WholeRows, None] = {}
    for difference in _differences(tree, m):
        for start, step in _rays(m):
            for t in _changes(difference, start, step):
                for k in range(max(t - _NEAR, 0), t + _NEAR + 1):
                    found[_along(start, step, k)] = None
    return sorted((x for x in found if any(map(any, x))), key=lambda rows: (sum(map(sum, rows)), rows))


def _differences(tree: Tree, m: int) -> list[Tree]:
    """Return the differences of what a formula compares, for all classes that its variables stand for."""
    found: dict[Tree, None] = {}
    for x in below(tree):
        for one, other in _compared(x):
            difference = Operation("sub", (one, other))
            free = sorted(difference.free)
            if m ** len(free) <= _MOST_PLACES:
                for classes in product(range(m), repeat=len(free)):
                    found[difference.with_classes(dict(zip(free, map(Nth, classes), strict=True)))] = None
    return list(found)[:_MOST_SIDES]


def _compared(x: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Yield the pairs of values that a node compares."""
    match x:
        case Test(name=name, args=(one, other)) if name in COMPARISONS:
            yield one, other
        case Operation(name="min" | "max", args=args):
            yield from combinations(args, 2)
        case Operation(name="abs", args=(one,)):
            yield one, ZERO
        case PowerMean(values=values, p=p) if abs(p) == float("inf"):
            yield from combinations(values, 2)


def _rays(m: int) -> Iterator[tuple[WholeRows, WholeRows]]:
    """Yield starts and steps: from no item, one item in a cell, or one in each cell, along a cell or the diagonal."""
    cells = [(i, j) for i in range(m) for j in range(m)]
    units = [_matrix(m, {cell: 1}) for cell in cells]
    starts = [_matrix(m, {}), *units, _matrix(m, dict.fromkeys(cells, 1))]
    steps = [*units, _matrix(m, {(k, k): 1 for k in range(m)})]
    yield from product(starts, steps)


def _matrix(m: int, cells: dict[tuple[int, int], int]) -> WholeRows:
    return tuple(tuple(cells.get((i, j), 0) for j in range(m)) for i in range(m))


def _along(start: WholeRows, step: WholeRows, t: int) -> WholeRows:
    return tuple(tuple(x + t * d for x, d in zip(*rows, strict=True)) for rows in zip(start, step, strict=True))


def _changes(difference: Tree, start: WholeRows, step: WholeRows) -> Iterator[int]:
    """Yield where along a ray the sign of a difference changes; of several places within a doubling, one is found."""

    def sign(t: int) -> int | None:
        rows = [[float(x) for x in row] for row in _along(start, step, t)]
        x = value_on(difference, rows, NAN, whole=False)
        return None if x != x else (x > 0) - (x < 0)

    low, t = sign(1), 1
    while t < _FARTHEST:
        high = sign(2 * t)
        if low is not None and high is not None and low != high:
            yield _bisected(sign, t, 2 * t, low)
        low, t = high, 2 * t


def _bisected(sign: SignAt, low: int, high: int, below: int) -> int:
    """Return the first place at which a sign is no longer what it was below."""
    while high - low > 1:
        middle = (low + high) // 2
        if sign(middle) == below:
            low = middle
        else:
            high = middle
    return high
