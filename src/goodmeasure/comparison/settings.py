"""The settings of a comparison, and the checks of what users pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goodmeasure.catalogue.measure import NEITHER, Measure
from goodmeasure.comparison.ensemble import Ensemble
from goodmeasure.comparison.system_ranks import places
from goodmeasure.exceptions import UnknownName
from goodmeasure.keywords import complete
from goodmeasure.language.policy import RESOLVE, Policy, Undefined, policy_of
from goodmeasure.options import PairedOptions

if TYPE_CHECKING:
    from goodmeasure.catalogue.scores.measure import ScoreMeasure

AUTO, ALL, BEST = "auto", "all", "best"
SYSTEMS, EVERYTHING = "systems", "all"
FEW = 10  # systems: up to here, all pairs are shown


@dataclass(frozen=True)
class ComparisonSettings:
    """Measures, how p-values and intervals are found, and which pairs of systems are shown."""

    measures: tuple[Measure | ScoreMeasure, ...]
    ensemble: Ensemble | None = None
    pairs: str = AUTO
    confidence: float = 0.95
    seed: int = 0
    method: str = AUTO
    replicates: int = 2000
    policy: Policy = RESOLVE
    correct: str = SYSTEMS
    margin: float | None = None
    tables: int = 1  # all items, and each slice

    @classmethod
    def of(
        cls, measures: tuple[Measure | ScoreMeasure, ...], ensemble: Ensemble | None, pairs: str, confidence: float,
        seed: int, method: str, replicates: int, undefined: Undefined, correct: str, margin: float | None,
    ) -> ComparisonSettings:  # fmt: skip
        """Return the settings that users' arguments stand for, after `check` has accepted them."""
        least = None if margin is None else float(margin)
        numbers = float(confidence), int(seed), method, int(replicates)
        return cls(measures, ensemble, pairs, *numbers, policy_of(undefined), correct, least)

    def family(self, systems: int, *, winners: bool = False) -> int:
        """Return the number of tests that p-values are corrected for.

        The comparisons with a system that was named beforehand are a family of their own. In all other cases the data
        decide which system is the best one to compare with, so every pair of systems counts; likewise for the winners.
        With ``correct="all"`` the pairs count once for each measure, on all items and on each slice.
        """
        named = self.pairs not in (AUTO, ALL, BEST) and not winners
        pairs = systems - 1 if named else systems * (systems - 1) // 2
        return pairs * (len(self.measures) * self.tables if self.correct == EVERYTHING else 1)

    def shown_pairs(self, systems: Sequence[str], best: int | None) -> list[tuple[int, int]]:
        """Return the pairs of systems to show for one measure with this best system.

        A difference is the first system minus the second.
        """
        size = len(systems)
        if self.pairs == ALL or (self.pairs == AUTO and size <= FEW):
            return [(k, j) for k in range(size) for j in range(k + 1, size)]
        if self.pairs in (AUTO, BEST):
            return [] if best is None else [(best, k) for k in range(size) if k != best]
        base = list(systems).index(self.pairs)
        return [(k, base) for k in range(size) if k != base]


def check(
    pairs: object, systems: Sequence[str], confidence: object, seed: object, method: object, replicates: object,
    correct: object = SYSTEMS, margin: object = None,
) -> None:  # fmt: skip
    """Refuse pairs, a method, a correction, a margin or settings of the intervals that are not valid."""
    complete(PairedOptions, {"margin": margin, "confidence": confidence, "seed": seed, "replicates": replicates,
                             "correct": correct, "method": method})  # fmt: skip
    if pairs not in (AUTO, ALL, BEST) and pairs not in systems:
        known = ", ".join(map(repr, list(systems)[:20]))
        raise UnknownName(
            "{pairs} is {got!r}",
            name=pairs,
            suggestions=systems,
            known=known,
            advice="use 'auto', 'all', 'best' or the name of a system; they are {known}",
        )


def best_of(values: Sequence[float], f: Measure | ScoreMeasure) -> list[int]:
    """Return the systems that share the best value; none where all are undefined or the measure has no orientation."""
    if f.orientation == NEITHER:
        return []
    return [k for k, rank in enumerate(places(values, higher=is_higher(f))) if rank == 1]


def is_higher(f: Measure | ScoreMeasure) -> bool:
    """Return whether a higher value is better."""
    return f.orientation != "lower"
