"""Outcomes of systems on the same items, and how what a comparison asks follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from goodmeasure.catalogue.outcomes import OutcomeMean
from goodmeasure.comparison.difference_intervals import SMOOTHED, with_imagined
from goodmeasure.comparison.paired_data import (
    BOOTSTRAP,
    NORMAL,
    STUDENT,
    DifferenceSpread,
    Discordant,
    PairedData,
    PairedTest,
    PermutationTests,
    SystemPair,
)
from goodmeasure.comparison.paired_scores import PairedScores
from goodmeasure.comparison.permutation import IDENTICAL, PERMUTATION
from goodmeasure.comparison.settings import AUTO, EXACT, ComparisonSettings
from goodmeasure.counts.outcomes import Outcomes
from goodmeasure.evaluation.p_values import beyond_seen, p_of_draws
from goodmeasure.typing import Array

_MOST_SWAPPED = 400_000_000  # items × swaps of one pair: about a second
_AT_ONCE = 1 << 22


class PairedOutcomes(PairedScores):
    """The outcomes of all systems on one set of items.

    Where every item is either right or wrong, the items on which two systems differ are counted (McNemar, Tango).
    Otherwise the two outcomes of an item, or of a group of items, are swapped at random.
    """

    def __init__(self, data: Mapping[str, Outcomes], settings: ComparisonSettings) -> None:
        super().__init__(data, settings)
        self._terms = [[self._of_items(f.definition, x) for x in self.data] for f in self.measures]
        self._swapped: dict[SystemPair, dict[int, PairedTest]] = {}

    @staticmethod
    def _of_items(definition: object, data: object) -> Array:
        assert isinstance(definition, OutcomeMean)
        assert isinstance(data, Outcomes)
        return definition.of_items(data)

    @property
    def chooses(self) -> bool:
        """Return whether the test is chosen by the data."""
        return self.settings.method in (AUTO, EXACT)

    # Influence

    def spread(self, i: int, pair: SystemPair) -> DifferenceSpread | None:
        found = super().spread(i, pair)
        grouped = self.data[0].units is not None
        return None if found is None else found._replace(method=STUDENT if grouped else NORMAL)

    def smoothed(self, i: int, pair: SystemPair) -> DifferenceSpread | None:
        """Return how the difference varies with imagined items, half of which only one of the systems gets right."""
        found = self.spread(i, pair)
        if found is None:
            return None
        items = min(self.single[0].effective_sizes()) if self.data[0].units is None else self.single[0].units
        here, error = with_imagined(found.middle, found.error, items, self.settings.confidence, 1.0)
        return DifferenceSpread(here, error, found.freedom, SMOOTHED)

    # Pairs

    def discordant(self, i: int, pair: SystemPair) -> Discordant | None:
        first = self.data[0]
        if not self.chooses or first.units is not None or first.item_weights is not None:
            return None
        one, two = (self._terms[i][k] for k in pair)
        if not (np.isin(one, (0, 1)).all() and np.isin(two, (0, 1)).all()):
            return None
        return Discordant(int((one > two).sum()), int((two > one).sum()), len(one), 1.0)

    def permutation_tests(self, *_: object) -> PermutationTests | None:
        work = len(self.data[0]) * self.settings.replicates
        wanted = self.settings.method == PERMUTATION or (self.chooses and work <= _MOST_SWAPPED)
        return self._permuted if wanted else None

    def _permuted(self, pair: SystemPair, places: list[int]) -> list[PairedTest]:
        """Return tests that swap the two outcomes of random items or groups, which turns the sign of a difference."""
        moved = [self._moved(i, pair) for i in places]
        apart = np.stack(moved)
        apart = apart[:, np.any(apart != 0, axis=0)]
        if not apart.size:
            return [PairedTest(1.0, IDENTICAL) for _ in places]
        s, (tests, units) = self.settings, apart.shape
        drawing = np.random.default_rng(np.random.SeedSequence([s.seed, 9]))
        seen, beyond, step = np.abs(apart.sum(axis=1)), np.zeros(tests), max(1, _AT_ONCE // units)
        for start in range(0, s.replicates, step):
            signs = drawing.integers(0, 2, (units, min(step, s.replicates - start))) * 2.0 - 1
            beyond += beyond_seen(np.abs(apart @ signs), seen[:, None])
        return [PairedTest(p_of_draws(float(x), s.replicates), PERMUTATION) for x in beyond]

    def _moved(self, i: int, pair: SystemPair) -> Array:
        """Return how much each item, or group of them, adds to the difference."""
        first = self.data[0]
        apart = self._terms[i][pair[0]] - self._terms[i][pair[1]]
        apart = apart if first.weights is None else apart * first.weights
        return apart if first.units is None else np.bincount(first.units, apart)

    # Units

    def untested(self, i: int, pair: SystemPair) -> str | None:
        return PairedData.untested(self, i, pair)

    def unvaried(self, i: int, pair: SystemPair) -> str | None:
        return PairedData.untested(self, i, pair) or self._few

    @cached_property
    def _few(self) -> str | None:
        first = self.data[0]
        number = len(first) if first.units is None else int(first.units.max()) + 1
        return "one item, or one group of them, cannot tell how they vary" if number < 2 else None


SCORE_METHODS = (AUTO, NORMAL, BOOTSTRAP)
OUTCOME_METHODS = (*SCORE_METHODS, EXACT, PERMUTATION)
