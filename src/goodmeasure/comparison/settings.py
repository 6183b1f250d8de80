"""The settings of a comparison, and the checks of what users pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from goodmeasure.catalogue.measure import NEITHER, Measure
from goodmeasure.comparison.ensemble import Ensemble
from goodmeasure.comparison.system_ranks import places
from goodmeasure.exceptions import UnknownName
from goodmeasure.language.policy import RESOLVE, Policy, policy_of
from goodmeasure.options import PAGE, PairedOptions

if TYPE_CHECKING:
    from goodmeasure.catalogue.scores.measure import ScoreMeasure

AUTO, ALL, BEST = "auto", "all", "best"
EXACT = "exact"
SYSTEMS, EVERYTHING = "systems", "all"
FEW = 10  # systems: up to here, all pairs are shown


class ComparedQuantity(Protocol):
    """What systems are compared in: a measure, or an average that is made of one."""

    @property
    def name(self) -> str: ...
    @property
    def orientation(self) -> str: ...
    @property
    def range(self) -> tuple[float, float] | None: ...


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
    page: str | None = PAGE  # whether all claims of a page share one error rate
    share: float = 1.0  # of that error rate, for the differences of these tables

    @classmethod
    def of(cls, systems: Sequence[str], options: PairedOptions) -> ComparisonSettings:
        """Return the settings that users' options stand for, without measures; refuse pairs that are not valid."""
        pairs, margin = options["pairs"], options["margin"]
        if pairs not in (AUTO, ALL, BEST) and pairs not in systems:
            known = ", ".join(map(repr, list(systems)[:20]))
            raise UnknownName(
                "{pairs} is {got!r}",
                name=pairs,
                suggestions=systems,
                known=known,
                advice="use 'auto', 'all', 'best' or the name of a system; they are {known}",
            )
        return cls(
            (), None, pairs, float(options["confidence"]), int(options["seed"]), options["method"],
            int(options["replicates"]), policy_of(options["undefined"]), options["correct"],
            None if margin is None else float(margin), page=options["family"],
        )  # fmt: skip

    @property
    def jointly(self) -> bool:
        """Return whether all differences are corrected together; with ``correct="all"``, Holm's method does that."""
        return self.page is not None and self.correct == SYSTEMS

    def family(self, systems: int, *, winners: bool = False, quantities: int | None = None) -> int:
        """Return the number of tests that p-values are corrected for.

        The comparisons with a system that was named beforehand are a family of their own. In all other cases the data
        decide which system is the best one to compare with, so every pair of systems counts; likewise for the winners.
        With ``correct="all"`` the pairs count once for each measure (or each of the quantities that are made of the
        measures), on all items and on each slice.
        """
        named = self.pairs not in (AUTO, ALL, BEST) and not winners
        pairs = systems - 1 if named else systems * (systems - 1) // 2
        return pairs * ((quantities or len(self.measures)) * self.tables if self.correct == EVERYTHING else 1)

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


def best_of(values: Sequence[float], f: ComparedQuantity) -> list[int]:
    """Return the systems that share the best value; none where all are undefined or the measure has no orientation."""
    if f.orientation == NEITHER:
        return []
    return [k for k, rank in enumerate(places(values, higher=is_higher(f))) if rank == 1]


def is_higher(f: ComparedQuantity) -> bool:
    """Return whether a higher value is better."""
    return f.orientation != "lower"
