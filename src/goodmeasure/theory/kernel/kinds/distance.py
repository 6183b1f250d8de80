"""Distances: d = c_max − M is a metric on the labelings of the same items (goesgens2021, Definition 5).

Symmetry and maximal agreement, with the same c_max, are parts. They show that d(A, B) = d(B, A) ≥ 0, and that
d(A, B) = 0 for equal labelings only. The triangle inequality d(A, C) ≤ d(A, B) + d(B, C) is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from goodmeasure.theory.kernel import signs
from goodmeasure.theory.kernel.claim import Branch, Case, Claim, Kind, Support, bits, difference
from goodmeasure.theory.kernel.facts import Node
from goodmeasure.theory.kernel.functions import arccos
from goodmeasure.theory.kernel.kinds.blocks import formula_on, inside
from goodmeasure.theory.kernel.kinds.labelings import occurring
from goodmeasure.theory.kernel.kinds.moves import is_diagonal
from goodmeasure.theory.kernel.kinds.values import best, equal, undefined
from goodmeasure.theory.kernel.meaning import Outcome
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.texts import parsed
from goodmeasure.theory.kernel.values import Ring, Value, total

SIDES = ((0, 1), (1, 2), (0, 2))  # the labelings that AB, BC and AC compare
MOST_LISTED = 2  # classes, where every support of the joint cells is a case: for three there are 134 million


class Metric(Kind):
    """What all ways to show the triangle inequality have in common."""

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.best = best(claim, at_diagonal=True)

    def parts(self) -> dict[str, Node]:
        """Return symmetry and maximal agreement."""
        known = {"symmetry": {}, "maximal_agreement": self.claim.constants}
        return {name: {"statement": name, "constants": constants} for name, constants in known.items()}

    def constants(self) -> dict[str, Outcome]:
        """Return the best value."""
        return {"c_max": self.claim.own(self.best)}


class Triangles(Metric):
    """The triangle inequality over the joint cells of three labelings.

    The variables t_ijk count the items with label i in A, j in B and k in C; the three matrices are sums of them. With
    all t positive, the inequality is shown for all positive real t. Take t some of which are 0, replace these by ε, and
    let ε → 0. The three matrices tend to those of t. If M is on each of the three the limit of the formula of the full
    matrix, the inequality carries over. Supports of the domain on which the definition gives another value than this
    limit are *odd*: a support of the joint cells that has an odd matrix is a case of its own.
    """

    ways = ("undefined", "difference")

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.places = list(product(range(claim.m), repeat=3))
        self.ring = Ring("t" + "".join(map(str, x)) for x in self.places)
        self.top = parsed(self.ring, claim.constants.get("c_max")).times(claim.turn)

    def cases(self) -> Iterator[Case]:
        """Yield the full support, and every support of the joint cells with an odd matrix, if all are in the domain."""
        odd, full = self._odd(), (1,) * len(self.places)
        demand(not odd or self.claim.m <= MOST_LISTED, "several formulas hold, and too many supports of joint cells")
        for joint in product((0, 1), repeat=len(full)) if odd else [full]:
            found = [tuple(int(bool(x.coefficient)) for x in self._matrix(Branch(self.ring), joint, y)) for y in SIDES]
            if all(map(self.claim.admits, found)) and (joint == full or odd.intersection(found)):
                yield Case({"joint": bits(joint)}, lambda branch, node, x=joint: self._check(branch, node, x))  # type: ignore[misc]

    def _odd(self) -> set[Support]:
        """Return the supports of the domain on which the formula of the full support is not seen to hold.

        For more classes than are listed, those that are the same up to the names of classes are odd together.
        """
        claim, whole = self.claim, (1,) * self.claim.m**2
        supports, odd = list(claim.every_support()), set[Support]()
        for support in inside(claim, whole, supports) if claim.m > MOST_LISTED else supports:
            try:
                value = claim.on(whole)
                if value is None:
                    raise Refused("the measure is undefined where all cells are positive")
                formula_on(claim, value, whole, support)
            except Refused:
                odd.add(support)
        return odd

    def _matrix(self, branch: Branch, joint: Sequence[int], side: tuple[int, int]) -> list[Value]:
        """Return the matrix of two of the labelings, cell after cell."""
        parts: list[list[Value]] = [[] for _ in range(self.claim.m**2)]
        for k, labels in enumerate(self.places):
            if joint[k]:
                parts[labels[side[0]] * self.claim.m + labels[side[1]]].append(branch.variable(k))
        return [total(self.ring, x) for x in parts]

    def _check(self, branch: Branch, node: Node, joint: Sequence[int]) -> None:
        values = [self.claim.value(self._matrix(branch, joint, side), ring=self.ring) for side in SIDES]
        if undefined(node, self.ways, *values):
            return
        ab, bc, ac = (x for x in values if x is not None)
        difference((ac - ab) + self.top, bc, strict=False)


class Correlations(Metric):
    """The triangle inequality of a distance that is an angle or a chord, by the correlation of the labelings.

    For labelings X and Y of n items with sizes a and b, let N = n·Σ c_kk − Σ a_k·b_k, V = n² − Σ a_k² and
    W = n² − Σ b_k². For each class k let u_k be the vector with an entry for each item: 1 − a_k/n if X calls it k, and
    −a_k/n if not. All u_k one after another are a vector u with u·u = Σ_k a_k·(1 − a_k/n) = V/n. With v of Y in the
    same way, u·v = Σ_k (c_kk − a_k·b_k/n) = N/n. So x = N/√(V·W) is the cosine of the angle between u and v, where
    both labelings have at least two classes. It is shown that d = s·arccos x, an angle between u and v times a number
    s > 0, or that d = s·√(1 − x), a multiple of the chord |u/|u| − v/|v|| = √(2 − 2x). Both obey the triangle
    inequality. Let D, s·π or s·√2, be the greatest of these distances.

    A labeling with a single class has u = 0. It is shown that its distance to all labelings with several classes is one
    number h, and to each other labeling with a single class a number g, with D ≤ 2h, D ≤ 2g and g ≤ D. A triangle with
    a labeling of this sort has the sides h, h and one that is at most D, or h, h and g, or three g, or 0 and two equal
    ones. In all of these, no side exceeds the sum of the others.
    """

    ways = ("undefined", "cosine", "one class")

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        self.map = claim.about.get("map")
        demand(self.map in ("angle", "chord"), "the distance is an angle or a chord", "about")
        self.scale = parsed(self.ring, claim.about.get("scale"))
        demand(self.scale.is_number() and self.scale.signs() == signs.POSITIVE, "it is no positive number", "scale")
        self.farthest = self._distance(self.ring.number(-1))
        single = (claim.number(x) for x in claim.every_support() if 1 in _classes(x) and max(_classes(x)) > 1)
        self.single = next((self.best - x for x in single if x is not None and self.best is not None), None)

    def _distance(self, x: Value) -> Value:
        """Return the distance for a cosine."""
        chord = self.map == "chord"
        return self.scale * ((self.ring.number(1) - x).power(Fraction(1, 2)) if chord else arccos(x))

    def cases(self) -> Iterator[Case]:
        """Yield the supports of the domain, but for a single class that both labelings give to all items."""
        for support in self.claim.supports():
            if _classes(support) != (1, 1) or not is_diagonal(support, self.claim.m):
                yield Case({"support": bits(support)}, lambda branch, node, x=support: self._check(branch, node, x))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, support: Support) -> None:
        cells, m = branch.cells(support), self.claim.m
        a = [total(self.ring, cells[i * m : (i + 1) * m]) for i in range(m)]
        b = [total(self.ring, cells[j::m]) for j in range(m)]
        for sizes in (a, b):
            present = [x for x in sizes if x.coefficient]
            if len(present) == 2:  # then n² − Σ a² is 2·a_i·a_j
                self.ring.remember(present[0] * present[1])
        value = self.claim.value(cells)
        if undefined(node, self.ways, value):
            return
        if value is None or self.best is None:
            raise Refused("there is no best value")
        distance, (true, predicted) = self.best - value, _classes(support)
        if min(true, predicted) > 1:
            demand(node.get("by") == "cosine", "no way to show an angle")
            n = total(self.ring, a)
            above, *below = (
                n * x - total(self.ring, [p * q for p, q in zip(y, z, strict=True)])
                for x, y, z in ((total(self.ring, cells[:: m + 1]), a, b), (n, a, a), (n, b, b))
            )
            equal(distance, self._distance(above / (below[0] * below[1]).power(Fraction(1, 2))))
            return
        demand(node.get("by") == "one class", "no way to show a distance")
        if max(true, predicted) > 1:
            if self.single is None or not self.single.is_number():
                raise Refused("labelings with one class are at no single distance from others")
            equal(distance, self.single)
        else:
            difference(self.farthest, distance, strict=False)
        difference(distance.times(2), self.farthest, strict=False)


def _classes(support: Support) -> tuple[int, int]:
    """Return how many classes occur in the true and in the predicted labels."""
    m = round(len(support) ** 0.5)
    return sum(occurring(support, m)), sum(any(support[j::m]) for j in range(m))
