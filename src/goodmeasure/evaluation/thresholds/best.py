"""The best threshold of a measure, and how far it varies between resamples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.intervals.interval import check
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.evaluation.thresholds.counts_by_threshold import Counts
from goodmeasure.typing import Array

_BINS = 512  # thresholds at which resamples are measured, if there are more
_DRAWN_ITEMS = 100_000_000  # items drawn in all resamples, if items have weights
_BLOCK = 1 << 20


@dataclass(frozen=True, eq=False)
class Best:
    """The best threshold of a measure, with its value and matrix, and intervals of both (None if none was asked for).

    `low` and `high` are for the threshold; `value_low` and `value_high` for the value at this threshold.
    """

    measure: str
    group: Any
    threshold: float
    value: float
    matrix: ConfusionMatrix
    low: float | None = None
    high: float | None = None
    value_low: float | None = None
    value_high: float | None = None

    def __str__(self) -> str:
        where = "" if self.group is None else f"{self.group}: "
        interval = "" if self.low is None else f" ({self.low:.4g} to {self.high:.4g})"
        return f"{where}{self.measure} is best at {self.threshold:.6g}{interval}: {self.value:.4f}"


def best_at(f: Measure, counts: Counts, values: Array) -> int | None:
    """Return the place of the best value, or None if all are undefined.

    Of equal values it is the first, which has the highest threshold.
    """
    if f.orientation == NEITHER:
        raise ValueError(f"{f.name} is neither better when higher nor when lower: it has no best threshold")
    if np.isnan(values).all():
        return None
    turned = -values if f.orientation == LOWER else values
    top = np.nanmax(turned)
    near = np.flatnonzero(turned >= top - 1e-12 * max(1.0, abs(float(top))))
    return int(near[0])


@dataclass(frozen=True, eq=False)
class Binned:
    """Items by bin of score (from the highest down) and class, and the threshold that closes each bin."""

    thresholds: Array
    items: Array  # (2, bins): numbers or weights of items
    place: Array | None  # with weights: the bin of each item, plus `bins` where it is positive
    weights: Array | None

    @classmethod
    def of(cls, counts: Counts, scores: Array, hit: Array, weights: Array | None) -> Binned:
        """Return the items in equally full bins, or in one bin for each distinct score where these are few."""
        at = np.arange(len(counts))
        if len(counts) > _BINS:
            seen = counts.cells[:, 1].sum(axis=0)
            at = np.unique(np.searchsorted(seen, np.linspace(0, seen[-1], _BINS + 1)[1:]).clip(max=len(counts) - 1))
        thresholds = counts.thresholds[at]
        items = np.diff(counts.cells[:, 1][:, at], prepend=0.0)
        if weights is None:
            return cls(thresholds, items, None, None)
        place = len(thresholds) - 1 - np.searchsorted(thresholds[::-1], scores, side="right")
        place = np.minimum(place + 1, len(thresholds) - 1) + len(thresholds) * hit
        return cls(thresholds, items, place, weights)

    def drawn(self, replicates: int, seed: int) -> Array:
        """Return the counts (2, 2, thresholds, replicates) of resamples.

        Without weights, the number of items in each bin and class is multinomial; with weights, items are drawn one by
        one.
        """
        rng = np.random.default_rng(seed)
        bins = len(self.thresholds)
        if self.place is None or self.weights is None:
            shares = self.items.ravel() / self.items.sum()
            drawn = rng.multinomial(round(self.items.sum()), shares, size=replicates).astype(np.float64)
        else:
            replicates = max(50, min(replicates, _DRAWN_ITEMS // len(self.weights)))
            drawn = np.empty((replicates, 2 * bins))
            for k in range(replicates):
                picked = rng.integers(0, len(self.weights), len(self.weights))
                drawn[k] = np.bincount(self.place[picked], self.weights[picked], 2 * bins)
        accepted = np.cumsum(np.moveaxis(drawn.reshape(-1, 2, bins), 0, -1), axis=1)
        rejected = np.maximum(accepted[:, -1:] - accepted, 0.0)
        rejected[:, -1] = 0.0
        return np.stack([rejected, accepted], axis=1)


def threshold_interval(
    best: Best, f: Measure, binned: Binned, samples: Samples, confidence: float, seed: int, replicates: int
) -> Best:
    """Return the best threshold with percentile bootstrap intervals of the threshold and of the value at it."""
    check(confidence, seed, "auto", replicates)
    drawn = binned.drawn(replicates, seed)
    bins, many = drawn.shape[2:]
    values = samples.values([f], [drawn.reshape(4, bins * many)])[0].reshape(bins, many)
    turned = np.where(np.isnan(values), -np.inf, -values if f.orientation == LOWER else values)
    found = binned.thresholds[np.argmax(turned, axis=0)].astype(float)
    tail = (1 - confidence) / 2
    low, high = np.quantile(found, [tail, 1 - tail], method="inverted_cdf")
    at = values[_nearest(binned.thresholds.astype(float), best.threshold)]
    at = at[~np.isnan(at)]
    ends = (None, None) if len(at) < 2 else tuple(float(x) for x in np.quantile(at, [tail, 1 - tail]))
    return replace(
        best, low=min(float(low), best.threshold), high=max(float(high), best.threshold),
        value_low=ends[0] if ends[0] is None else min(ends[0], best.value),
        value_high=ends[1] if ends[1] is None else max(ends[1], best.value),
    )  # fmt: skip


def _nearest(thresholds: Array, wanted: float) -> int:
    """Return the place of a threshold, which may be infinite, or of the one nearest to it."""
    same = np.flatnonzero(thresholds == wanted)
    return int(same[0]) if len(same) else int(np.argmin(np.abs(thresholds - wanted)))
