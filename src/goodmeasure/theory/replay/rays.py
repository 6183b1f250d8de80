"""Show that a measure is not continuously differentiable at a matrix, from limits and slopes along rays.

A ray C + s·D leaves a matrix C with the same true class sizes: each row of D adds up to 0, and no cell that is 0
shrinks. For all small s > 0 its matrices have one support, which contains that of C and so lies in the domain, and the
measure on them is one formula f(s) (`near_zero.py`). If M, or a function that fills a gap of M at C, were continuously
differentiable, then f would have a finite limit at s = 0, the same for all rays and equal to M(C); f′ would have a
finite limit; and these slopes would be linear in D. Each of the following contradicts one of these:

* f or f′ is unbounded near s = 0;
* limits that differ from each other or from M(C), or slopes along D, D′ and D + D′ that do not add up.

Numbers are compared as balls that do not meet. What is not seen in one of these ways is not accepted.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from goodmeasure.theory.kernel.calculus import derivative
from goodmeasure.theory.kernel.meaning import LeftOut, Meaning
from goodmeasure.theory.kernel.refusal import Refused
from goodmeasure.theory.kernel.values import Value
from goodmeasure.theory.replay.near_zero import BITS, POLE, NearZero
from goodmeasure.theory.statements.witness import MatrixRows

if TYPE_CHECKING:
    from flint import arb

    from goodmeasure.language.exact.reals import Exact
    from goodmeasure.language.tree import Tree


def along(tree: Tree, rows: MatrixRows, ray: MatrixRows, policy: str, power: int = 1) -> Value | None:
    """Return the value on C + s^power·D for small s > 0; None where it is undefined or not seen."""
    ring = NearZero()
    step = ring.variable(0) ** power
    cells = [
        [ring.number(Fraction(x)) + step.times(d) for x, d in zip(row, ds, strict=True)]
        for row, ds in zip(rows, ray, strict=True)
    ]
    try:
        return Meaning(ring, cells, policy).value(tree)
    except (LeftOut, Refused):
        return None


def limit(x: Value) -> arb | str | None:
    """Return a ball that holds the limit of a value at s = 0, "pole", or None where neither is seen."""
    assert isinstance(x.ring, NearZero)
    return x.ring.limit(x)


def slope(x: Value) -> arb | str | None:
    """Return a ball that holds the limit of the derivative at s = 0, "pole", or None where neither is seen."""
    try:
        return limit(derivative(x, {0: 1}))
    except Refused:
        return None


def is_seen_not_to_be_smooth(tree: Tree, rows: MatrixRows, policy: str, value: Exact | None) -> bool:
    """Return whether limits or slopes along rays from a matrix exclude that the measure is smooth there."""
    limits = [] if value is None else [value.ball(BITS)]
    slopes: dict[MatrixRows, arb] = {}
    for ray in directions(len(rows)):
        if any(x == 0 and d < 0 for row, ds in zip(rows, ray, strict=True) for x, d in zip(row, ds, strict=True)):
            continue
        found = along(tree, rows, ray, policy)
        if found is None:
            continue
        end = limit(found)
        if end == POLE or (end is not None and any(not end.overlaps(x) for x in limits)):  # type: ignore[union-attr]
            return True
        limits += [] if end is None else [end]  # type: ignore[list-item] # no pole
        step = slope(found)
        if step == POLE:
            return True
        if step is not None and end is not None:
            slopes[ray] = step  # type: ignore[assignment] # no pole
    return not _linear(slopes)


def _linear(slopes: dict[MatrixRows, arb]) -> bool:
    """Return whether the slopes along rays may be those of one linear function."""
    for (x, one), (y, two) in combinations(slopes.items(), 2):
        z = _plus(x, y)
        if z in slopes and not (one + two).overlaps(slopes[z]):
            return False
        if not any(map(any, z)) and not (one + two).contains(0):
            return False
    return True


def directions(m: int) -> Iterator[MatrixRows]:
    """Yield directions: items of one row move from a column to another one, alone or together with another row."""
    alone = {
        i: [
            tuple(tuple((q == k) - (q == j) if p == i else 0 for q in range(m)) for p in range(m))
            for j, k in permutations(range(m), 2)
        ]
        for i in range(m)
    }
    for i in range(m):
        yield from alone[i]
    for i, j in combinations(range(m), 2):
        yield from (_plus(x, y) for x in alone[i] for y in alone[j])


def _plus(x: MatrixRows, y: MatrixRows) -> MatrixRows:
    return tuple(tuple(p + q for p, q in zip(*two, strict=True)) for two in zip(x, y, strict=True))
