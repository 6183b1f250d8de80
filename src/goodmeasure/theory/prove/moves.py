"""Prove that a measure rises with every move, by the difference that it makes or by the slope along the segment.

**Cases.** A move takes items out of some cells and puts items into others. A pair of matrices (C, C′) that a move
connects is written C = B + (items removed), C′ = B + (items added), where B holds what both have in common. B is any
matrix of whole numbers that are not negative, and determines the pair, so the supports of B (the empty one included)
are the cases. The pair belongs to the statement if both supports lie in the domain and the side conditions hold; all of
these depend on the supports before and after only. Pairs on which the measure has no value at one end are left out:
such a matrix is outside the statement.

**Differences.** On one case, M(C′) − M(C) is a quantity in positive whole variables, and `signs.positive` shows its
sign.

**Slopes.** Where that fails (mostly for measures with roots), consider the segment C(t) = (1 − t)·C + t·C′. All
matrices strictly between its ends have the same support S, the union of the two supports. Let f be the formula of S. If
the derivative of f along the move is positive for all positive real cells, f rises strictly on the open segment, whose
matrices need not be whole. At an end with support S, f is the measure and is continuous. At an end with a smaller
support another formula may hold; there f with the vanishing cells set to 0 must be equal to the formula of that
support, so that f is continuous up to the end with the value of the measure there. In both cases M(C) < M(C′) follows.
Slopes are tried on whole supports, without splits.

If the measure is a monotone map of an inner quantity (a constant times an arc cosine, or a root with a sign), slope and
continuity are shown for the inner quantity, and at each end the map (the constant, or the sign) must be the same as on
the segment.
"""

from __future__ import annotations

from collections.abc import Iterator

from goodmeasure.theory.algebra.orthant import Outside, Poly
from goodmeasure.theory.algebra.quantities import Quantity
from goodmeasure.theory.algebra.slopes import at, derivative
from goodmeasure.theory.prove.signs import NoProof, angle, peeled, positive, zero
from goodmeasure.theory.prove.support_cases import (
    Reader,
    Split,
    Support,
    is_diagonal,
    is_unary,
    is_zero_diagonal,
    renamed,
    representatives,
    rows,
)
from goodmeasure.theory.statements.certificate import CertificateNode
from goodmeasure.theory.statements.domain import Domain
from goodmeasure.theory.statements.statement import (
    NON_UNARY_BEFORE,
    NOT_BOTH_DIAGONAL,
    NOT_BOTH_ZERO_DIAGONAL,
    Move,
    Statement,
)

Case = tuple[Support, tuple[tuple[int, int, int], ...], bool]


def prove_moves(reader: Reader, statement: Statement, domain: Domain, *, symmetric: bool) -> list[CertificateNode]:
    """Return a node for each move from each support of what the two matrices have in common."""
    m = reader.m
    found = _cases(reader, statement, domain)
    if symmetric:
        found = representatives(found, m, lambda case, p: _renamed(case, p, m))
    nodes: list[CertificateNode] = []
    for support, changes, rises in found:
        step = MoveCase(reader, support, Move(changes, rises), strict=statement.strict)
        what = {"support": "".join(map(str, support)), "move": [list(x) for x in changes]}
        nodes += [{**what, "proof": node} for node in reader.settled(step.case, step.prove)]
    return nodes


def _cases(reader: Reader, statement: Statement, domain: Domain) -> Iterator[Case]:
    """Yield the supports and moves that the statement speaks of."""
    m = reader.m
    for support in reader.supports(empty=True):
        for move in statement.moves(m):
            before, after = ends(support, move, m)
            if demanded(before, after, statement, domain, m):
                yield support, move.changes, move.rises


def ends(support: Support, move: Move, m: int) -> tuple[Support, Support]:
    """Return the supports before and after a move, given the support of what both matrices have in common."""
    before, after = list(support), list(support)
    for i, j, delta in move.changes:
        (before if delta < 0 else after)[i * m + j] = 1
    return tuple(before), tuple(after)


def demanded(before: Support, after: Support, statement: Statement, domain: Domain, m: int) -> bool:
    """Return whether the statement speaks of a move between matrices of these supports."""
    if not any(before) or not any(after):
        return False
    if not domain.holds_pattern(rows(before, m)) or not domain.holds_pattern(rows(after, m)):
        return False
    if NON_UNARY_BEFORE in statement.before and is_unary(before, m):
        return False
    if NOT_BOTH_DIAGONAL in statement.pair and is_diagonal(before, m) and is_diagonal(after, m):
        return False
    return not (NOT_BOTH_ZERO_DIAGONAL in statement.pair and is_zero_diagonal(before, m) and is_zero_diagonal(after, m))


def _renamed(case: Case, p: tuple[int, ...], m: int) -> Case:
    """Return the case after class k is renamed p[k]."""
    support, changes, rises = case
    return renamed(support, p, m), tuple(sorted((p[i], p[j], d) for i, j, d in changes)), rises


def _inner(seen: Quantity, way: Quantity, kind: str | None) -> Quantity:
    """Return the inner quantity at an end of the segment, if the value there is the same map of it as inside."""
    if kind == "arccos":
        here, there = angle(seen), angle(way)
        if here is not None and there is not None and here[:2] == there[:2]:
            return here[2]
    elif seen.sign() in (way.sign(), 0):
        return seen * seen
    raise NoProof("not the same map at the end of the way")


class MoveCase:
    """One case: a move, and the support of what the matrices before and after have in common."""

    def __init__(self, reader: Reader, support: Support, move: Move, *, strict: bool) -> None:
        self.reader, self.support, self.move, self.strict = reader, support, move, strict

    @property
    def case(self) -> object:
        """What is to be shown: a move after which the measure falls is one the other way after which it rises."""
        upwards = 1 if self.move.rises else -1
        return self.support, tuple(sorted((i, j, d * upwards) for i, j, d in self.move.changes)), self.strict

    def prove(self, splits: tuple[Split, ...]) -> CertificateNode:
        """Return a node that shows that the measure rises (or falls, as the move demands)."""
        before, after = self.matrices(splits)
        low, high = self.reader.value(before), self.reader.value(after)
        if not isinstance(low, Quantity) or not isinstance(high, Quantity):
            return {"by": "undefined"}
        if not self.move.rises:
            low, high = high, low
        return self.compared(low, high, splits)

    def matrices(self, splits: tuple[Split, ...]) -> tuple[list[Poly], list[Poly]]:
        """Return the cells before and after the move."""
        base = self.reader.cells(self.support, splits)
        before, after = list(base), list(base)
        for i, j, delta in self.move.changes:
            side = before if delta < 0 else after
            side[i * self.reader.m + j] = side[i * self.reader.m + j] + abs(delta)
        return before, after

    def compared(self, low: Quantity, high: Quantity, splits: tuple[Split, ...]) -> CertificateNode:
        """Return a node that shows low < high: by their difference, else by the slope."""
        inner = peeled(low, high)
        direction, kind = 1, None
        if inner is not None:
            direction, low, high, kind = inner
        try:
            node = positive((high - low) * direction, strict=self.strict)
        except (NoProof, Outside) as error:
            try:
                node = self.slope(splits)
            except (NoProof, Outside):
                raise error from None
            return node
        return node if kind is None else {"by": "inner", "map": kind, "proof": node}

    def slope(self, splits: tuple[Split, ...]) -> CertificateNode:
        """Return a node that shows that the measure rises along the segment and is continuous at its ends."""
        if splits:
            raise NoProof("slopes are looked at on whole support patterns")
        reader, m = self.reader, self.reader.m
        before, after = ends(self.support, self.move, m)
        between = tuple(int(x or y) for x, y in zip(before, after, strict=True))
        cells = reader.cells(between)
        value = reader.value(cells)
        if not isinstance(value, Quantity):
            raise NoProof("undefined on the way")
        direction = {i * m + j: d for i, j, d in self.move.changes}
        if not self.move.rises:
            direction = {k: -d for k, d in direction.items()}
        turn, way, kind = 1, value, None
        inner = peeled(value, value)
        if inner is not None:
            turn, way, _, kind = inner
        rises = positive(derivative(way, direction) * turn, strict=True, whole=False)
        for end in {before, after} - {between}:
            gone = {k: reader.orthant.constant(0) for k in range(m * m) if between[k] and not end[k]}
            there, seen = at(way, gone), reader.value(reader.cells(end))
            if there is None or not isinstance(seen, Quantity):
                raise NoProof("not continuous at the end of the way")
            if inner is not None:
                seen = _inner(seen, value, kind)
            zero(there - seen)
        return {"by": "slope", **({"map": kind} if kind else {}), "proof": rises}
