"""Labels of systems on the same items, of which humans have labelled some and a judge all.

Values are those of prediction-powered inference (`evaluation/judges/powered.py`), each with the λ of its system. A
difference varies as the influences of the items on both values say: first subtracted, then squared. Its interval and
its test are made of those of the human labels alone, as the intervals of values are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from goodmeasure.comparison.paired_data import NORMAL, STUDENT, DifferenceSpread, PairedData, SystemPair
from goodmeasure.comparison.paired_labels import KnownScores, PairedLabels
from goodmeasure.comparison.settings import AUTO, ComparisonSettings
from goodmeasure.counts.joint import Joint
from goodmeasure.evaluation.intervals.interval import Interval
from goodmeasure.evaluation.judges.powered import UNEXPLAINED, PoweredSample
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array


class PairedJudged(PairedLabels):
    """The labels of all systems, of humans where there are any, and of a judge on one set of items."""

    def __init__(
        self, joint: Joint, settings: ComparisonSettings, known: Mapping[str, KnownScores] | None = None
    ) -> None:
        if settings.method not in (AUTO, NORMAL):
            raise InputError("{method} is {got!r}", got=settings.method, argument="method",
                             advice="with a judge, differences are tested by 'auto' or 'normal'")  # fmt: skip
        super().__init__(replace(joint, judged=()), replace(settings, method=NORMAL))
        self.settings, first = settings, next(iter((known or {}).values()), None)
        if first is not None:
            self._method, self._prior = first.method, first.prior
        self.human_values = self.values
        self.powered = [
            PoweredSample(joint.sample(k), self.measures, self.human_values[k].tolist(), self.quiet)
            for k in range(len(joint.systems))
        ]
        self.values = np.stack([x.values for x in self.powered])
        self.draws_items = False

    def score_intervals(self, k: int) -> list[Interval]:
        return [interval for _, interval, _ in self.powered[k].scores(super().score_intervals(k))]

    def ensemble(self) -> None:
        """Return nothing: a mean of measures has no λ of its own."""

    @cached_property
    def _moved(self) -> tuple[Array, Array]:
        """Return the influences (systems, measures, units) without the judge, and with its labels."""
        none = np.zeros(len(self.measures))
        with_judge = np.stack([x.influence.moved(x.shares) for x in self.powered])
        return np.stack([x.influence.moved(none) for x in self.powered]), with_judge

    def _known_covariance(self, i: int) -> Array:
        moved = self._moved[1][:, i]
        known = np.array([x.usable[i] for x in self.powered])
        return np.where(known[:, None] & known, moved @ moved.T, np.nan)

    def _variances(self, i: int, pair: SystemPair) -> tuple[float, float]:
        """Return the variance of a difference by human labels alone, and with the judge."""
        k, j = pair
        human, judged = (float(((x[k, i] - x[j, i]) ** 2).sum()) for x in self._moved)
        return human, judged

    def spread(self, i: int, pair: SystemPair) -> DifferenceSpread:
        judged = self._variances(i, pair)[1]
        usable = self.powered[pair[0]].usable[i] and self.powered[pair[1]].usable[i]
        error = math.sqrt(judged) if usable else math.nan
        freedom = self.influences.freedom(i, pair)
        return DifferenceSpread(self.difference(i, pair), error, freedom, NORMAL if freedom is None else STUDENT)

    def smoothed(self, i: int, pair: SystemPair) -> DifferenceSpread | None:
        alone = super().smoothed(i, pair)
        if alone is None or math.isnan(alone.error):
            return alone
        human, judged = self._variances(i, pair)
        units = self.powered[0].influence.units
        ratio = 1.0 if human <= 0 else (units * judged / human + UNEXPLAINED) / (units + UNEXPLAINED)
        if judged == human:
            ratio = 1.0
        off = alone.middle - float(self.human_values[pair[0], i] - self.human_values[pair[1], i])
        return alone._replace(middle=self.difference(i, pair) + ratio * off, error=alone.error * math.sqrt(ratio))

    def at_margin(self, i: int, pair: SystemPair) -> None:  # type: ignore[override]  # as its base class may
        """Return nothing: how a difference varies is taken to be the same at a margin."""

    def discordant(self, i: int, pair: SystemPair) -> None:
        """Return nothing: counts of human labels alone do not test these values."""

    def permutation_tests(self, *_: object) -> None:
        """Return nothing: what two systems say is not swapped, since the judge has labels of its own."""

    def drawn(self, i: int) -> Array:
        """Return normal variables: items are not drawn again."""
        return self.varying(i)

    def difference(self, i: int, pair: SystemPair) -> float:
        return PairedData.difference(self, i, pair)
