"""The growing search: look for the smallest counterexample of a statement, one number of items after the other.

`Search.upto(n)` asks the refuter of the statement's kind for n = 1, 2, 3, …, and for each n for every number of classes
in turn. It can be called again with a greater n and goes on where it stopped: `gm.check` first searches up to a small
n, then tries to prove the statement, and searches further only if no proof is found.

`looked` is the n that a verdict "held" may name. It grows only while every case of every n so far was decided: as soon
as one comparison stays undecided or the time is up within one n, it stays where it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from goodmeasure.theory.refute.baselines import ExpectationRefuter, FlatnessRefuter, IndependentRefuter
from goodmeasure.theory.refute.chance_correction import ChanceBoundRefuter
from goodmeasure.theory.refute.decomposition import DecomposableRefuter
from goodmeasure.theory.refute.distance import DistanceRefuter
from goodmeasure.theory.refute.moves import MovesRefuter
from goodmeasure.theory.refute.refuter import Refuter
from goodmeasure.theory.refute.true_labelings import RangeRefuter, SmoothRefuter, TrivialRefuter
from goodmeasure.theory.refute.values import (
    DefinedRefuter,
    DefinedTogetherRefuter,
    ExtremeRefuter,
    InvarianceRefuter,
    SensitivityRefuter,
)
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.certificate import CertificateNode
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.statements.witness import Witness
from goodmeasure.theory.subject.measured_values import MeasuredValue, Subject

REFUTERS: dict[str, Callable[[Subject, Statement], Refuter]] = {
    kinds.EXTREME: ExtremeRefuter,
    kinds.INVARIANCE: InvarianceRefuter,
    kinds.MOVES: MovesRefuter,
    kinds.DISTANCE: DistanceRefuter,
    kinds.EXPECTATION: ExpectationRefuter,
    kinds.INDEPENDENT: IndependentRefuter,
    kinds.FLATNESS: FlatnessRefuter,
    kinds.DEFINED: DefinedRefuter,
    kinds.DEFINED_TOGETHER: DefinedTogetherRefuter,
    kinds.RANGE: RangeRefuter,
    kinds.TRIVIAL: TrivialRefuter,
    kinds.SMOOTH: SmoothRefuter,
    kinds.SENSITIVE: SensitivityRefuter,
    kinds.DECOMPOSABLE: DecomposableRefuter,
    kinds.CHANCE_BOUND: ChanceBoundRefuter,
}

# Statements about real numbers or about an unknown function: the search covers only some of the cases for each n.
SAMPLED = (kinds.SMOOTH, kinds.DECOMPOSABLE, kinds.CHANCE_BOUND)

# The greatest n searched before a proof is tried, and where no proof is found: for 2 classes, for 3, and for 4 or more.
_REACH: dict[str, tuple[tuple[int, int], tuple[int, int], tuple[int, int]]] = {
    kinds.MOVES: (
        (6, 64),
        (4, 18),
        (4, 5),
    ),  # the least n of the Lehmer means and weighted f1 is 31 … 62, of Gwet's AC1 18
    kinds.DISTANCE: ((4, 10), (4, 4), (2, 2)),
    kinds.EXPECTATION: ((5, 12), (4, 6), (3, 4)),
    kinds.INDEPENDENT: ((5, 12), (4, 8), (4, 5)),
    kinds.FLATNESS: ((4, 8), (4, 8), (4, 5)),
    kinds.SMOOTH: ((4, 6), (2, 3), (2, 2)),
    kinds.DECOMPOSABLE: ((5, 12), (4, 6), (4, 4)),
    kinds.CHANCE_BOUND: ((6, 12), (4, 7), (4, 4)),
}
_USUAL = ((6, 16), (4, 6), (3, 4))


def reach(statement: Statement, m: int) -> tuple[int, int]:
    """Return the greatest n to search before a proof is tried, and the greatest n to search if none is found."""
    return _REACH.get(statement.kind, _USUAL)[min(m, 4) - 2]


class Search:
    """The search for a counterexample of one statement, for one or more numbers of classes.

    A statement across numbers of classes claims one constant for all of them, so its refuters share one reference.
    """

    def __init__(self, statement: Statement, subjects: Sequence[Subject]) -> None:
        self.statement = statement
        self.subjects = subjects
        self.refuters = [REFUTERS[statement.kind](subject, statement) for subject in subjects]
        if statement.across_m:
            first = self.refuters[0]
            assert isinstance(first, IndependentRefuter)
            for other in self.refuters[1:]:
                assert isinstance(other, IndependentRefuter)
                other.reference = first.reference
        self.looked = 0  # every case up to this n was decided, for each number of classes
        self.open = False  # whether a comparison stayed undecided; `looked` then no longer grows
        self.found: Witness | None = None
        self.n: int | None = None
        self.classes: int | None = None
        self.proof: list[CertificateNode] | None = None  # what the counterexample rests on, where it needs a proof

    def upto(self, n: int, until: float | None = None) -> Witness | None:
        """Return a counterexample with up to n items, or None; give up at the processor time `until`."""
        for size in range(self._went + 1, n + 1):
            for subject, refuter in zip(self.subjects, self.refuters, strict=True):
                if until is not None and time.process_time() > until and size > 1:
                    return None
                if size > self._limit(subject, n):
                    continue
                before, refuter.until = subject.undecided, float("inf") if until is None else until
                self.found = refuter.at(size)
                if self.found is not None:
                    self.n, self.classes, self.proof = refuter.n or size, subject.m, refuter.proof
                    return self.found
                self.open = self.open or subject.undecided > before
                if until is not None and time.process_time() > until:
                    return None  # not every case may have been examined, so the next call begins with this size again
            self._went = size
            if size > max(self._limit(x, n) for x in self.subjects):
                break
            if not self.open and size <= min(self._limit(x, n) for x in self.subjects):
                self.looked = size
        return None

    def _limit(self, subject: Subject, n: int) -> int:
        """Return the greatest n for one number of classes; with several of them, each stops at its own usual limit."""
        most = n if len(self.subjects) == 1 else min(n, reach(self.statement, subject.m)[1])
        return min(most, subject.most_listed - 1)  # a move may add an item

    @property
    def constants(self) -> dict[str, MeasuredValue]:
        """Return the constants of the statement, as far as they are known."""
        return self.refuters[0].constants

    @property
    def seen(self) -> int:
        """Return the number of cases that were examined."""
        return sum(x.seen for x in self.refuters)

    _went = 0
