"""Scores that come in batches, and are counted without ever being in memory all at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goodmeasure.catalogue.scores.calibration import CalibrationError
from goodmeasure.catalogue.scores.definition import ItemMean, Scaled, ScoreDefinition
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.catalogue.scores.probability import Brier, LogLoss, Skill, Spherical
from goodmeasure.counts.scores.score_sketch import MOST, Barrier, Buckets
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.typing import Array, Label

_LOSSES: tuple[type[ItemMean], ...] = (LogLoss, Brier, Spherical)
_DRAWN_BINS = 10  # of the reliability diagram
_DECISIONS = np.arange(1, 100) / 100  # thresholds of the decision curve


class ScoreStream:
    """The items of one system on one slice, counted as they come.

    `threshold` and the bins of calibration errors among `measures` stay exact, however many scores there are; so do the
    bins and thresholds of the charts, and mean losses.
    """

    def __init__(
        self, measures: Sequence[ScoreMeasure] = (), threshold: float | None = None, most: int = MOST, *,
        weighted: bool = False,
    ) -> None:  # fmt: skip
        self.buckets = Buckets(most, barriers_of(measures, threshold), weighted=weighted)
        self._losses = {kind: np.zeros(3) for kind in _LOSSES}
        self._total = self._squares = 0.0
        self._are_shares = True

    def add(self, scores: Array, hit: Array, weights: Array | None = None, times: Array | None = None) -> None:
        """Count more items, `times` for each row where a row stands for several; none of their scores may be NaN."""
        if not len(scores):
            return
        self.buckets.add(scores, hit, weights, times)
        often = np.ones(len(scores)) if times is None else times.astype(np.float64)
        weight = often if weights is None else weights * often
        squares = often if weights is None else weights.astype(np.float64) ** 2 * often
        self._total += float(weight.sum())
        self._squares += float(squares.sum())
        self._are_shares &= float(scores.min()) >= 0 and float(scores.max()) <= 1
        if not self._are_shares:
            return
        with np.errstate(divide="ignore", invalid="ignore"):
            for kind, sums in self._losses.items():
                terms = kind().terms(hit, scores)
                sums += [float(terms @ weight), float(terms @ squares), float(terms**2 @ squares)]

    def scored(self, labels: tuple[Label, Label], argument: str) -> Scored:
        """Return what has come so far as scored items; `labels` ends with the positive class."""
        hit, scores, weights, merged = self.buckets.rows()
        if self._are_shares:
            merged.sums.update({kind: self._mean(sums) for kind, sums in self._losses.items()})
        return Scored(hit, scores, labels, weights, argument=argument, merged=merged)

    def _mean(self, sums: Array) -> tuple[float, float]:
        """Return the mean of a loss, and its variance as the sum of squared influences."""
        mean, items = float(sums[0]) / self._total, int(self.buckets.items.sum())
        away = float(sums[2]) - 2 * mean * float(sums[1]) + mean**2 * self._squares
        return mean, max(0.0, away) / self._total**2 * items / max(items - 1, 1) if np.isfinite(mean) else np.inf


def barriers_of(measures: Sequence[ScoreMeasure], threshold: float | None) -> list[Barrier]:
    """Return the places at which scores are kept apart, as functions that rise with the score."""
    found: list[Barrier] = [_bin_of(_DRAWN_BINS), lambda s: np.searchsorted(_DECISIONS, s, side="right")]
    limits = {0.5} if threshold is None else {0.5, threshold}
    found += [lambda s, limit=limit: s >= limit for limit in limits]  # type: ignore[misc]
    for bins in {x.bins for x in map(_innermost, measures) if isinstance(x, CalibrationError)}:
        found.append(_bin_of(bins))
    return found


def _innermost(measure: ScoreMeasure) -> ScoreDefinition:
    found = measure.definition
    while isinstance(found, (Scaled, Skill)):
        found = found.inner
    return found


def _bin_of(bins: int) -> Barrier:
    """Return the number of the bin of equal width, for probabilities; other scores have none."""
    return lambda s: np.minimum((np.clip(s, 0, 1) * bins).astype(np.int64), bins - 1)
