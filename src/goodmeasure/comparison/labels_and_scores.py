"""Compare measures of scores, and of the labels that a threshold makes of them, in one comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.comparison.computation import PairedTest, SystemPair, Work
from goodmeasure.comparison.score_comparison import ScoreWork
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.evaluation.intervals.interval import Interval
from goodmeasure.typing import Array

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure
    from goodmeasure.catalogue.scores.measure import ScoreMeasure


class LabelsAndScores:
    """The computations of both kinds, asked for by the place of a measure: those of labels come first."""

    def __init__(self, labels: Work, scores: ScoreWork, settings: ComparisonSettings) -> None:
        self.labels, self.scores, self.settings = labels, scores, settings
        self.measures: list[Measure | ScoreMeasure] = [*labels.measures, *scores.measures]
        self.systems, self.joint, self.samples = labels.systems, scores.joint, labels.samples
        self.values = np.concatenate([labels.values, scores.values], axis=1)
        self.reasons = [[*one, *other] for one, other in zip(labels.reasons, scores.reasons, strict=True)]
        self.draws_items = labels.draws_items

    def _at(self, i: int) -> tuple[Work | ScoreWork, int]:
        """Return the computations that a measure belongs to, and its position there."""
        first = len(self.labels.measures)
        return (self.labels, i) if i < first else (self.scores, i - first)

    def tests(
        self, wanted: dict[SystemPair, list[int]], together: int | None = None
    ) -> dict[tuple[SystemPair, int], PairedTest]:
        """Return the test of each pair under each of its measures."""
        first, found = len(self.labels.measures), dict[tuple[SystemPair, int], PairedTest]()
        for work, shift in ((self.labels, 0), (self.scores, first)):
            own = {pair: [i - shift for i in places if self._at(i)[0] is work] for pair, places in wanted.items()}
            tested = work.tests({pair: places for pair, places in own.items() if places}, together)
            found |= {(pair, i + shift): test for (pair, i), test in tested.items()}
        return found

    def varying(self, i: int) -> Array:
        """Return how the values of a measure vary (systems, replicates)."""
        work, place = self._at(i)
        return work.varying(place)

    def score_intervals(self, k: int) -> list[Interval]:
        """Return the confidence interval of each measure of one system."""
        return [*self.labels.score_intervals(k), *self.scores.score_intervals(k)]

    def ensemble_interval(self, k: int) -> tuple[float, float]:
        """Refuse: measures of labels and of scores are not averaged, so that they have no ensemble score."""
        raise NotImplementedError

    def difference_interval(self, i: int, pair: SystemPair, p: float) -> Interval:
        """Return the confidence interval of the difference of two systems."""
        work, place = self._at(i)
        return work.difference_interval(place, pair, p)

    def margin_tests(self, i: int, pair: SystemPair, margin: float) -> tuple[float, float]:
        """Return one-sided p-values: that the true difference is above −margin, and that it is below +margin."""
        work, place = self._at(i)
        return work.margin_tests(place, pair, margin)
