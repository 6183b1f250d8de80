"""The growing search: look for the smallest counterexample of a statement, one number of items after the other.

`Search.upto(n)` asks the refuter of the statement's kind for n = 1, 2, 3, …, and for each n for every number of classes
in turn. It can be called again with a greater n and goes on where it stopped: `gm.check` first searches up to a small
n, then tries to prove the statement, and searches further only if no proof is found.

`looked` is the n that a verdict "held" may name. For each number of classes it grows only while every case of every n
so far was decided: as soon as one comparison stays undecided or the time is up within one n, it stays where it was.
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

# The greatest n searched before a proof is tried, and where no proof is found: for 2, 3, 4, and 5 classes.
_REACH: dict[str, tuple[tuple[int, int], ...]] = {
    # the least n of the Lehmer means and weighted f1 is 31 … 62, of Gwet's AC1 18
    kinds.MOVES: ((6, 64), (4, 18), (3, 5), (3, 4)),
    kinds.DISTANCE: ((4, 10), (4, 4), (2, 2), (2, 2)),
    kinds.EXPECTATION: ((5, 12), (4, 6), (3, 4), (3, 4)),
    kinds.INDEPENDENT: ((5, 12), (4, 8), (4, 5), (4, 5)),
    kinds.FLATNESS: ((4, 8), (4, 8), (4, 5), (4, 5)),
    kinds.SMOOTH: ((4, 6), (2, 3), (2, 2), (2, 2)),
    kinds.DECOMPOSABLE: ((5, 12), (4, 6), (4, 4), (4, 4)),
    kinds.CHANCE_BOUND: ((6, 12), (4, 7), (4, 4), (4, 4)),
}
_USUAL = ((6, 16), (4, 6), (3, 6), (3, 4))


def reach(statement: Statement, m: int) -> tuple[int, int]:
    """Return the greatest n to search before a proof is tried, and the greatest n to search if none is found."""
    return _REACH.get(statement.kind, _USUAL)[min(m, 5) - 2]


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
        self._looked = dict.fromkeys((x.m for x in subjects), 0)  # every case up to this n was decided
        self._went = dict.fromkeys(self._looked, 0)
        self._open = set[int]()  # numbers of classes for which a comparison stayed undecided
        self.found: Witness | None = None
        self.claim = ", ".join(x for x in ("smallest counterexample", self.refuters[0].scope) if x)  # if one is found
        self.n: int | None = None
        self.classes: int | None = None
        self.proof: dict[str, object] | None = None  # what the counterexample rests on, where it needs a proof

    def upto(self, n: int, until: float | None = None, *, few: bool = False) -> Witness | None:
        """Return a counterexample with up to n items, or None; give up at the processor time `until`.

        With several numbers of classes, each stops at its own usual limit: that of a first look, with ``few``.
        """
        for size in range(1, n + 1):
            for subject, refuter in zip(self.subjects, self.refuters, strict=True):
                if until is not None and time.process_time() > until and size > 1:
                    return None
                if not self._went[subject.m] < size <= self._limit(subject, n, few=few):
                    continue
                before, refuter.until = subject.undecided, float("inf") if until is None else until
                self.found = refuter.at(size)
                if self.found is not None:
                    self.n, self.classes, self.proof = refuter.n or size, subject.m, refuter.proof
                    return self.found
                if subject.undecided > before:
                    self._open.add(subject.m)
                if until is not None and time.process_time() > until:
                    return None  # not every case may have been examined, so the next call begins with this size again
                self._went[subject.m] = size
                if subject.m not in self._open:
                    self._looked[subject.m] = size
        return None

    @property
    def looked(self) -> int:
        """Return the n up to which every case was decided, for each number of classes."""
        return min(self._looked.values())

    @property
    def open(self) -> bool:
        """Return whether a comparison stayed undecided."""
        return bool(self._open)

    @property
    def scope(self) -> str:
        """Return what was examined, in words, such as "every case up to n = 6"."""
        cases = "some cases" if self.statement.kind in SAMPLED else "every case"
        reached = sorted(self._looked.items())
        up_to = f"up to n = {self.looked}"
        if len(set(self._looked.values())) > 1:
            up_to = "up to n = " + ", ".join(f"{n} with {m} classes" for m, n in reached)
        elif len(reached) > 1:
            up_to += f" with {reached[0][0]} to {reached[-1][0]} classes"
        return ", ".join(x for x in (f"{cases} {up_to}", self.refuters[0].scope) if x)

    def beyond(self, until: float) -> Witness | None:
        """Return the smallest counterexample among those next to which a formula changes its form, or None."""
        found: dict[tuple[int, int], Witness] = {}  # by the number of items and of classes
        for subject, refuter in zip(self.subjects, self.refuters, strict=True):
            for rows in subject.near_breakpoints():
                if time.process_time() > until:
                    break
                if witness := refuter.on(rows):
                    found.setdefault((refuter.n or 0, subject.m), witness)
        if found:
            (self.n, self.classes), self.found = min(found.items(), key=lambda item: item[0])
            self.claim = "a counterexample where the formula changes its form"
        return self.found

    def _limit(self, subject: Subject, n: int, *, few: bool) -> int:
        """Return the greatest n for one number of classes."""
        most = n if len(self.subjects) == 1 else min(n, reach(self.statement, subject.m)[0 if few else 1])
        return min(most, subject.most_listed - 1)  # a move may add an item

    @property
    def constants(self) -> dict[str, MeasuredValue]:
        """Return the constants of the statement, as far as they are known."""
        return self.refuters[0].constants

    @property
    def seen(self) -> int:
        """Return the number of cases that were examined."""
        return sum(x.seen for x in self.refuters)
