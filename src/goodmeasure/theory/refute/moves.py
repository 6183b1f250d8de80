"""Counterexamples to monotonicity: a move after which the measure does not rise (or fall) as it must.

A move changes one or two cells by one item. Matrices are found by their keys (all cells packed into one integer), so
the matrix after a move has the key of the one before plus a number that depends on the move only.
"""

from __future__ import annotations

import numpy as np

from goodmeasure.theory.refute.refuter import Refuter, by_size, tolerance
from goodmeasure.theory.refute.values import agrees, rows_text
from goodmeasure.theory.statements.domain import NON_UNARY
from goodmeasure.theory.statements.statement import (
    NON_UNARY_BEFORE,
    NOT_BOTH_DIAGONAL,
    NOT_BOTH_ZERO_DIAGONAL,
    Move,
    Statement,
)
from goodmeasure.theory.statements.witness import MatrixRows, WholeRows, Witness
from goodmeasure.theory.subject.measured_values import MeasuredMatrices
from goodmeasure.typing import Array


class MovesRefuter(Refuter):
    """Examine every matrix of n items and every move from it; n counts the items before the move."""

    def at(self, n: int) -> Witness | None:
        s, moves = self.subject, self.statement.moves(self.subject.m)
        before = s.listed(n)
        starts = self._admitted(before.cells)
        after = [s.listed(n + sum(delta for _, _, delta in move.changes)) for move in moves]
        suspects = [self._suspects(before, starts, x, move) for x, move in zip(after, moves, strict=True)]
        which = np.repeat(np.arange(len(moves)), [len(x[0]) for x in suspects])
        start, end, gains = map(np.concatenate, zip(*suspects, strict=True))
        for k in by_size(gains):  # a flat measure has millions of them, so they are visited one at a time
            if self.late():
                return None
            x, y = s.rows(before.cells[start[k]]), s.rows(after[which[k]].cells[end[k]])
            if found := self._violation(x, y, moves[which[k]]):
                return found
        return None

    def on(self, rows: WholeRows) -> Witness | None:
        self.n = sum(map(sum, rows))
        for move in self.statement.moves(self.subject.m):
            after = move.apply(rows)
            if after is None or not self.subject.domain.holds(np.array([after]))[0]:
                continue
            if admitted(self.statement, rows, after) and (found := self._violation(rows, after, move)):
                return found
        return None

    def _suspects(
        self, before: MeasuredMatrices, starts: Array, after: MeasuredMatrices, move: Move
    ) -> tuple[Array, Array, Array]:
        """Return the matrices before and after which the floats do not clearly change as they must, and the gains."""
        m = self.subject.m
        possible = starts.copy()
        shift = 0
        for i, j, delta in move.changes:
            possible &= before.cells[:, i * m + j] + delta >= 0
            shift += delta * int(self.subject.places[i * m + j])
        start = np.flatnonzero(possible)
        end = after.find(before.keys[start] + shift)
        start, end = start[end >= 0], end[end >= 0]
        if self.statement.pair:
            meeting = self._meet_side_conditions(before.cells[start], after.cells[end])
            start, end = start[meeting], end[meeting]
        known = np.isfinite(before.values[start]) & np.isfinite(after.values[end])
        start, end = start[known], end[known]
        self.seen += len(start)
        gains = (after.values[end] - before.values[start]) * (1 if move.rises else -1)
        near = gains <= tolerance(before.values[start])
        return start[near], end[near], gains[near]

    def _admitted(self, cells: Array) -> Array:
        """Return which matrices satisfy the side conditions on the matrix before a move."""
        admitted = np.ones(len(cells), dtype=bool)
        if NON_UNARY_BEFORE in self.statement.before:
            admitted &= NON_UNARY.holds(cells.reshape(-1, self.subject.m, self.subject.m))
        return admitted

    def _meet_side_conditions(self, before: Array, after: Array) -> Array:
        """Return for which pairs the side conditions on both matrices of a move hold."""
        (d0, z0), (d1, z1) = agrees(before, self.subject.m), agrees(after, self.subject.m)
        apart = np.ones(len(before), dtype=bool)
        if NOT_BOTH_DIAGONAL in self.statement.pair:
            apart &= ~(d0 & d1)
        if NOT_BOTH_ZERO_DIAGONAL in self.statement.pair:
            apart &= ~(z0 & z1)
        return apart

    def _violation(self, x: MatrixRows, y: MatrixRows, move: Move) -> Witness | None:
        """Return a witness if a move violates the statement in exact arithmetic."""
        s, strict = self.subject, self.statement.strict
        one, two = s.value(x), s.value(y)
        if one is None or two is None:
            return None
        order = s.order(two, one)
        if order is None:
            return None
        gain = order if move.rises else -order
        if gain > 0 or (gain == 0 and not strict):
            return None
        shown = s.exhibit("before", x), s.exhibit("after", y)
        low, high = (x, y) if move.rises else (y, x)
        return Witness(
            shown,
            f"{rows_text(x)} → {rows_text(y)}: {shown[0].value} → {shown[1].value}, must {self._must(move)}",
            s.replay(f"{s.call(low)} {s.less(strict)} {s.call(high)}"),
        )

    def _must(self, move: Move) -> str:
        """Return what must happen in terms of the measure's own sign: a loss must fall where a score must rise."""
        rises = move.rises == (self.subject.turn > 0)
        if self.statement.strict:
            return "rise" if rises else "fall"
        return "not fall" if rises else "not rise"


def admitted(of: Statement, x: MatrixRows, y: MatrixRows) -> bool:
    """Return whether the side conditions of a statement hold for one move from x to y."""
    m = len(x)
    before, after = (np.array([[int(c) for row in rows for c in row]]) for rows in (x, y))
    (d0, z0), (d1, z1) = agrees(before, m), agrees(after, m)
    grid = before.reshape(m, m)
    if NON_UNARY_BEFORE in of.before and any((sizes > 0).sum() <= 1 for sizes in (grid.sum(axis=0), grid.sum(axis=1))):
        return False
    if NOT_BOTH_DIAGONAL in of.pair and d0[0] and d1[0]:
        return False
    return not (NOT_BOTH_ZERO_DIAGONAL in of.pair and z0[0] and z1[0])
