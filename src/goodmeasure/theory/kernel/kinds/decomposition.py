"""Class decomposability (opitz2024, Property III).

The claim is that M is the power mean with exponent p of scores g_i, each a function of row i and column i. For a set T
of classes, P_T(C) is the matrix C with 1 in every cell that is not in the row or column of each class of T. With
F = M^p (log M for p = 0) the certificate shows that

    F(C) = Σ_{T ≠ ∅} (−1)^{|T|+1} F(P_T(C))

on every support of the domain. The term of T is a function of row i and column i for each i in T. So F is a sum of such
functions, which is the claim: g_i = m·f_i for p = 1, g_i = exp(m·f_i) for p = 0, g_i = 1/(m·f_i) for p = −1, where
constants with sum 0 may be added so that no f_i is 0.

For p = 0 and p = −1 the values must be positive or 0. Where M(C) > 0, every M(P_T(C)) must be positive too. Where
M(C) = 0, one class i must have M(P_i(C)) = 0: its score is 0 wherever its row and column are these, which makes the
mean 0, and by the first demand M is never positive there.

For p = 2 there must be two classes, and no value may be negative. Then M² = f_0 + f_1, where f_i depends on c_ii and on
the two errors c_01 and c_10. For given errors, let U_i be the set of the c_ii that occur in a matrix of the domain that
has a value. It is demanded that every pair from U_0 and U_1 has a value. No support is split, so it depends on the
support alone whether there is a value, and supports show it. So f_0(u) + f_1(v) ≥ 0 for all u in U_0 and v in U_1, and
with the finite number h = inf f_0 over U_0, both f_0 − h and f_1 + h are nowhere negative. Their roots, times √2, are
the scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from goodmeasure.theory.kernel import signs
from goodmeasure.theory.kernel.claim import Branch, Case, Claim, Kind, Support, bits
from goodmeasure.theory.kernel.facts import Node
from goodmeasure.theory.kernel.kinds.values import equal, undefined
from goodmeasure.theory.kernel.meaning import Outcome
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.values import Value, total


class Decomposition(Kind):
    """A power of the measure is a sum of functions of one row and column each."""

    ways = ("sum", "zero score", "undefined")

    def __init__(self, claim: Claim) -> None:
        super().__init__(claim)
        name = claim.constants.get("p")
        demand(name in ("1", "0", "-1") or (name == "2" and claim.m == 2), "the exponent is not one that is known", "p")
        self.p = int(str(name))
        self.valued: set[Support] = set()

    def cases(self) -> Iterator[Case]:
        """Yield every support of the domain."""
        for support in self.claim.supports():
            yield Case({"support": bits(support)}, lambda branch, node, x=support: self._check(branch, node, x))  # type: ignore[misc]

    def _check(self, branch: Branch, node: Node, support: Support) -> None:
        claim, p = self.claim, self.p
        cells = branch.cells(support)
        value = self._own(cells)
        if undefined(node, self.ways, value):
            return
        assert value is not None
        self.valued |= {support, support[::-1]} if claim.symmetric else {support}  # for two classes with other names
        demand(p != 2 or not branch.divided, "supports are split where their values are compared")
        if node.get("by") == "zero score":
            self._zero_score(branch, node, cells, value)
            return
        sets = [x for size in range(1, claim.m + 1) for x in combinations(range(claim.m), size)]
        terms = [(1 if len(x) % 2 else -1, self._own(self._anchored(branch, cells, x))) for x in sets]
        known = [(sign, x) for sign, x in terms if x is not None]
        demand(len(known) == len(terms), "an anchored matrix has no value")
        if p == 2:
            value.must_be(signs.NOT_NEGATIVE)
        elif p != 1:
            for x in (value, *(x for _, x in known)):
                x.must_be(signs.POSITIVE)
        if p == 0:
            above, below = value, branch.ring.number(1)
            for sign, x in known:
                above, below = (above, below * x) if sign > 0 else (above * x, below)
            equal(above, below)
        else:
            equal(value**p, total(branch.ring, [(x**p).times(sign) for sign, x in known]))

    def _zero_score(self, branch: Branch, node: Node, cells: Sequence[Value], value: Value) -> None:
        demand(self.p in (0, -1), "a score of 0 makes no mean 0 for this exponent")
        i = node.get("class")
        if type(i) is not int or not 0 <= i < self.claim.m:
            raise Refused("the class of the score is missing")
        alone = self._own(self._anchored(branch, cells, (i,)))
        demand(value.is_zero() and alone is not None and alone.is_zero(), "a score is not 0")

    def _own(self, cells: Sequence[Value]) -> Outcome:
        """Return the value in the measure's own sign."""
        value = self.claim.value(cells)
        return None if value is None else value.times(self.claim.turn)

    def _anchored(self, branch: Branch, cells: Sequence[Value], kept: tuple[int, ...]) -> list[Value]:
        """Return the cells with 1 wherever a cell is outside the row and the column of some of these classes."""
        m, one = self.claim.m, branch.ring.number(1)
        return [x if all(i in (k // m, k % m) for i in kept) else one for k, x in enumerate(cells)]

    def constants(self) -> dict[str, Outcome]:
        """Return the exponent."""
        return {"p": self.ring.number(self.p)}

    def finish(self) -> None:
        """Demand for p = 2 that the supports with a value are all pairs of those of the two diagonal cells."""
        if self.p != 2:
            return
        for errors in {x[1:3] for x in self.valued}:
            first, second = ({x[k] for x in self.valued if x[1:3] == errors} for k in (0, 3))
            wanted = {(one, *errors, two) for one in first for two in second}
            demand(wanted <= self.valued, "for some errors not every pair of right predictions has a value")
