"""Search for proofs: the kernel's own cases, settled one by one.

The kernel lists the cases and says, for each, which sign it cannot see. The prover looks for facts that settle that
sign (`facts.py`), and splits the case where none are found. What it writes down the kernel checks.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from goodmeasure.theory.kernel.claim import Branch, Case, Kind, branches, supposing
from goodmeasure.theory.kernel.polynomials import Polynomial, variable
from goodmeasure.theory.kernel.refusal import Refused, Unsettled
from goodmeasure.theory.kernel.signs import NEGATIVE, POSITIVE
from goodmeasure.theory.kernel.values import Ring
from goodmeasure.theory.search.choices import Node, tries
from goodmeasure.theory.search.facts import Fact, FactSearch
from goodmeasure.theory.search.samples import is_wrong, signs_seen

_LONG = 60  # terms of a polynomial on whose sign no case is split
_SECONDS = 8.0  # of processor time for one case; the longest that succeed take half of it
_DEPTH = 4  # how many splits follow one another


class NoProof(Exception):  # noqa: N818 - not an error: none was found
    """No proof of a case was found."""


class Wrong(NoProof):
    """A place was seen where what should be shown is false, so that no split helps."""


class Prover:
    """The search for the proof of one claim, until a deadline in processor time."""

    def __init__(self, kind: Kind, deadline: float = float("inf")) -> None:
        self.kind, self.ring, self.deadline = kind, kind.ring, deadline
        self.search = FactSearch(kind.ring)

    def node(self, case: Case) -> Node:
        """Return the node that proves a case."""
        self.search.deadline = min(self.deadline, time.process_time() + _SECONDS)
        with self.kind.one_case():
            return self._node(case, Branch(self.ring), _DEPTH)

    def _node(self, case: Case, branch: Branch, depth: int) -> Node:
        questions, wrong = list[Polynomial](), False
        self.search.open.clear()
        if time.process_time() > self.search.deadline:
            raise NoProof("the time for proofs is over")
        for said in tries(self.kind, case, branch):
            try:
                return self._tried(case, branch, said)
            except Unsettled as refusal:
                if "extremes" not in said:
                    questions.append(refusal.question)
            except Wrong:
                wrong = True
            except Refused:
                continue
        if wrong and not questions:
            raise Wrong(str(case.about))
        if not depth:
            raise NoProof("no more splits")
        plain = list(self.search.open)
        for question in dict.fromkeys(questions):
            for split in self._splits(question, plain):
                try:
                    return self._split(case, branch, split, depth)
                except Wrong:
                    raise
                except (NoProof, Refused):
                    continue
        raise NoProof(str(case.about))

    def _tried(self, case: Case, branch: Branch, said: Node) -> Node:
        """Return the node that proves a branch in one way; the kernel's refusal where none is found."""
        ring, facts = self.ring, list[Fact]()
        with supposing(ring, said):
            while True:
                node = {**said, "facts": facts} if facts else said
                ring.shown.clear()
                try:
                    with supposing(ring):  # the kernel learns the facts before it knows what the check remembers
                        case.check(branch, node)
                except Unsettled as refusal:
                    if time.process_time() > self.search.deadline or len(facts) > 60:
                        raise
                    if ring.shown and ring.shown[-1][0] != "=" and is_wrong(ring, ring.shown[-1][1], ring.shown[-1][0]):
                        raise Wrong(str(case.about)) from None
                    found = self.search.settle(refusal.question)
                    if found is None:
                        raise
                    facts += found
                else:
                    return node

    def _split(self, case: Case, branch: Branch, split: Node, depth: int) -> Node:
        node: Node = {"split": split}
        for order, part in branches(branch, split):
            with supposing(self.ring):
                part.suppose()
                if not part.empty:
                    node[order] = self._node(case, part, depth - 1)
        return node

    def _splits(self, f: Polynomial, plain: list[Polynomial]) -> Iterator[Node]:
        """Yield what to split on so that a sign may be settled, the most promising first.

        Which order of two variables helps shows in a polynomial without roots, if the sign came down to that of one.
        """
        ring, seen = self.ring, signs_seen(self.ring, f)
        known = f in ring.facts or (seen is not None and not (seen & POSITIVE and seen & NEGATIVE))
        tried = min(plain, key=len, default=f)
        by_order: list[tuple[int, Node]] = [(mixed, {"variables": list(names)}) for mixed, *names in pairs(ring, tried)]
        yield from (split for mixed, split in by_order if not mixed or len(f) >= _LONG)
        if len(f) < _LONG:
            if not known:
                yield {"polynomial": ring.text(f), "weakly": True}
            yield {"polynomial": ring.text(f)}
            yield from (split for mixed, split in by_order if mixed)


def pairs(ring: Ring, f: Polynomial) -> list[tuple[int, str, str]]:
    """Return pairs of variables whose order may settle the sign of a polynomial.

    A pair is promising if few coefficients keep the rarer sign once the larger variable is written as the smaller plus
    the rest; this number comes first.
    """
    used = sorted(k for k in f.variables() if k < ring.size)
    if len(f) > 2000:
        return []
    scores = []
    for place, x in enumerate(used):
        for y in used[place + 1 :]:
            mixed = 0
            for one, other in ((x, y), (y, x)):
                signs = [c > 0 for c in _raised(f, one, other).terms.values()]
                mixed += min(sum(signs), len(signs) - sum(signs))
            scores.append((mixed, ring.names[x], ring.names[y]))
    found = sorted(scores)[:2]
    if f.terms.get(0) and len(used) == 1 and used[0] in ring.whole:
        found.append((0, ring.names[used[0]], "1"))
    return found


def _raised(f: Polynomial, x: int, y: int) -> Polynomial:
    """Return f with x + y in the place of x."""
    total = Polynomial({}, 0)
    for e, p in f.by_degree(x).items():
        total = total + p * (variable(x) + variable(y)) ** e
    return total
