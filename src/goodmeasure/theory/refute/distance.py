"""Counterexamples to distance: an asymmetry, a wrong extreme, or three labelings that break the triangle inequality.

d = c_max − M is a metric on labelings if M is symmetric (d(A, B) = d(B, A)), has maximal agreement (d = 0 exactly
between equal labelings, and d > 0 elsewhere) and obeys d(A, C) ≤ d(A, B) + d(B, C). Three labelings of n items are
determined, up to the order of the items, by how many items have each triple of labels (m³ joint counts). The three
confusion matrices are sums of these over one of the three labelings, so all joint counts of n items are listed.
Triples with A = B or B = C are left out, where the inequality is an equality.
"""

from __future__ import annotations

import numpy as np

from goodmeasure.counts.enumeration import joint_counts, keys
from goodmeasure.theory.refute.refuter import Refuter, by_size, tolerance
from goodmeasure.theory.refute.values import ExtremeRefuter, InvarianceRefuter, agrees
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.statements.witness import WholeRows, Witness
from goodmeasure.theory.subject.measured_values import MeasuredValue, Subject
from goodmeasure.typing import Array


class DistanceRefuter(Refuter):
    """Check symmetry and maximal agreement first, then the triangle inequality for all triples of labelings."""

    def __init__(self, subject: Subject, of: Statement) -> None:
        super().__init__(subject, of)
        self.symmetry = InvarianceRefuter(subject, statement("symmetry"))
        self.maximum = ExtremeRefuter(subject, statement("maximal_agreement"))

    @property
    def constants(self) -> dict[str, MeasuredValue]:
        return self.maximum.constants

    def at(self, n: int) -> Witness | None:
        for part, why in ((self.symmetry, "no symmetry"), (self.maximum, "no maximal agreement")):
            found = part.at(n)
            self.seen += part.seen
            if found is not None:
                return Witness(found.exhibits, f"{why}: {found.says}", found.replay)
        return self._triangle(n) if self.maximum.reference is not None else None

    def on(self, rows: WholeRows) -> Witness | None:
        for part in (self.symmetry, self.maximum):
            if found := part.on(rows):
                self.n = part.n
                return found
        return None

    def _triangle(self, n: int) -> Witness | None:
        """Return three labelings of n items that violate the triangle inequality, or None."""
        assert self.maximum.reference is not None
        s, m = self.subject, self.subject.m
        best = float(self.maximum.reference[1])
        listed = s.listed(n)
        joint = joint_counts(n, m)
        sides = [joint.sum(axis=k, dtype=np.int64).reshape(len(joint), m * m) for k in (3, 1, 2)]  # AB, BC, AC
        places = [listed.find(keys(side, s.places)) for side in sides]
        apart = (places[0] >= 0) & (places[1] >= 0) & (places[2] >= 0)
        for side in sides[:2]:
            apart &= ~agrees(side, m)[0]  # A = B or B = C: both sides are equal
        values = [np.where(place >= 0, listed.values[place], np.nan) for place in places]
        slack = best - values[0] - values[1] + values[2]
        apart &= np.isfinite(slack)
        self.seen += int(apart.sum())
        near = np.flatnonzero(apart & (slack <= tolerance(slack)))
        for k in near[by_size(slack[near])]:
            if found := self._violation(joint[k], [side[k] for side in sides]):
                return found
        return None

    def _violation(self, joint: Array, sides: list[Array]) -> Witness | None:
        """Return a witness if three labelings violate the triangle inequality in exact arithmetic."""
        assert self.maximum.reference is not None
        s = self.subject
        diagonal, best = self.maximum.reference
        ab, bc, ac = (s.rows(side) for side in sides)
        one, two, three = s.value(ab), s.value(bc), s.value(ac)
        if one is None or two is None or three is None or s.sign([best, three], [one, two]) not in (-1,):
            return None
        labels = [triple for triple, count in np.ndenumerate(joint) for _ in range(int(count))]
        labelings = tuple(tuple(int(triple[k]) for triple in labels) for k in range(3))
        a, b, c = ("".join(map(str, x)) for x in labelings)
        shown = (
            s.exhibit("A against B", ab),
            s.exhibit("B against C", bc),
            s.exhibit("A against C", ac),
            s.exhibit("equal labelings", diagonal),
        )
        far, near = float(best - three), float((best - one) + (best - two))
        best_text, first, second, third = (s.call(x) for x in (diagonal, ab, bc, ac))
        claim = f"abs({best_text} - {third}) <= abs({best_text} - {first}) + abs({best_text} - {second})"
        return Witness(
            shown,
            f"A = {a}, B = {b}, C = {c}: d(A, C) = {far:.6g} > d(A, B) + d(B, C) = {near:.6g}",
            s.replay(claim),
            labelings,
        )
