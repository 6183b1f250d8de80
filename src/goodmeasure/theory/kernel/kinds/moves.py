"""Moves: the measure rises (or falls) whenever a matrix is changed in a given way.

The two matrices of a move have a common part, cell by cell the smaller of the two; each is that part plus one item in
some cells. A case is the support of the common part with a move: the cells of that part are the variables, and both
values are formulas in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from goodmeasure.theory.kernel import signs
from goodmeasure.theory.kernel.calculus import at, derivative
from goodmeasure.theory.kernel.claim import Branch, Case, Claim, Kind, Support, bits, difference, renamed
from goodmeasure.theory.kernel.facts import Node
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.values import Value
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.statement import Move

Demand = tuple[Support, Move]


class Moves(Kind):
    """The check of statements of kind MOVES."""

    ways: ClassVar[tuple[str, ...]] = ("undefined", "difference", "slope")

    def cases(self) -> Iterator[Case]:
        """Yield every support of a common part with every move that the statement makes a demand about."""
        claim = self.claim
        every = claim.every_support(empty=True)
        moves = claim.statement.moves(claim.m)
        demanded = ((x, move) for x in every for move in moves if is_demanded(claim, *ends(x, move, claim.m)))
        for support, move in claim.distinct(demanded, _renamed):
            about = {"support": bits(support), "move": [list(x) for x in move.changes]}
            yield Case(about, lambda branch, node, x=support, move=move: self._check(branch, node, x, move))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, support: Support, move: Move) -> None:
        claim = self.claim
        if node.get("by") == "slope":
            branch.must_be_whole()
            check_slope(claim, support, move)
            return
        low, high = (claim.value(changed(branch, support, move, after=x)) for x in (False, True))
        if node.get("by") == "undefined":
            demand(low is None or high is None, "both values are defined")
            return
        demand(node.get("by") == "difference", "no way to show a move", "by")
        if low is None or high is None:
            raise Refused("a value is undefined")
        if not move.rises:
            low, high = high, low
        difference(high, low, strict=claim.statement.strict)


def _renamed(x: Demand, p: tuple[int, ...], m: int) -> object:
    support, move = x
    return renamed(support, p, m), tuple(sorted((p[i], p[j], d) for i, j, d in move.changes))


def changed(branch: Branch, support: Sequence[int], move: Move, *, after: bool) -> list[Value]:
    """Return the cells of the matrix before or after a move whose common part has a support."""
    cells, m = branch.cells(support), round(len(support) ** 0.5)
    for i, j, delta in move.changes:
        if (delta > 0) == after:
            cells[i * m + j] = cells[i * m + j] + branch.ring.number(abs(delta))
    return cells


def ends(support: Sequence[int], move: Move, m: int) -> tuple[Support, Support]:
    """Return the supports of the matrices before and after a move, from that of their common part."""
    before, after = list(support), list(support)
    for i, j, delta in move.changes:
        (before if delta < 0 else after)[i * m + j] = 1
    return tuple(before), tuple(after)


def is_diagonal(support: Sequence[int], m: int) -> bool:
    """Return whether all predictions are right."""
    return not any(x for k, x in enumerate(support) if k % (m + 1))


def is_hollow(support: Sequence[int], m: int) -> bool:
    """Return whether all predictions are wrong."""
    return not any(support[k * (m + 1)] for k in range(m))


def is_demanded(claim: Claim, before: Support, after: Support) -> bool:
    """Return whether both matrices lie in the domain and satisfy the side conditions of the statement."""
    s, m = claim.statement, claim.m
    if not claim.admits(before) or not claim.admits(after):
        return False
    filled = [any(before[i * m : (i + 1) * m]) for i in range(m)], [any(before[j::m]) for j in range(m)]
    if kinds.NON_UNARY_BEFORE in s.before and any(sum(x) < 2 for x in filled):
        return False
    if kinds.NOT_BOTH_DIAGONAL in s.pair and is_diagonal(before, m) and is_diagonal(after, m):
        return False
    return not (kinds.NOT_BOTH_ZERO_DIAGONAL in s.pair and is_hollow(before, m) and is_hollow(after, m))


def check_slope(claim: Claim, support: Support, move: Move) -> None:
    """Check a move by the derivative: the measure rises between the two matrices and is continuous at both.

    Let B and A be the matrices before and after, and S the union of their supports. All matrices strictly between B and
    A on the segment have support S, where the measure is one formula f. If the derivative of f along the move is
    positive for all positive real cells (`ON_REALS`), f rises strictly on the open segment. If f extends to B and A
    with the values that the measure has there, then M(B) < M(A): where a cell vanishes at an end, f is evaluated with
    that cell set to 0, which must give what the definition gives on the smaller support; an end with support S is
    inside already.
    """
    ring, m = claim.ring, claim.m
    before, after = ends(support, move, m)
    between = tuple(int(x or y) for x, y in zip(before, after, strict=True))
    direction = {i * m + j: d if move.rises else -d for i, j, d in move.changes}
    way = claim.on(between)
    if way is None:
        raise Refused("the measure is undefined on the way")
    derivative(way, direction).must_be(signs.POSITIVE)
    for end in {before, after} - {between}:
        gone = {k: ring.number(0) for k in range(m * m) if between[k] and not end[k]}
        there, seen = at(way, gone), claim.on(end)
        if seen is None:
            raise Refused("the measure is undefined at an end")
        demand((there - seen).is_zero(), "the measure jumps at an end")
