"""The best threshold of a measure, how far it varies, and what value to expect there on other items."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure
from goodmeasure.catalogue.scores.over_thresholds import ThresholdCondition, ThresholdMatrices
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import GroupCounts, Sample
from goodmeasure.counts.scores.by_threshold import ThresholdCounts
from goodmeasure.evaluation.intervals.interval import intervals
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.evaluation.intervals.sampling_units import reach_of, units_of
from goodmeasure.evaluation.thresholds.near_best import NearBest
from goodmeasure.exceptions import InputError
from goodmeasure.keywords import check_options
from goodmeasure.language.policy import Policy
from goodmeasure.options import SpreadOptions
from goodmeasure.typing import Array, Label

_BINS = 512  # thresholds at which resamples are measured, if there are more
_DRAWN_ITEMS = 100_000_000  # items drawn in all resamples, if items have weights
_FOLDS, _SPLITS = 10, 5  # of cross-fitting


class NoBestThreshold(InputError):  # noqa: N818 - it says what there is not
    """A measure is undefined at every threshold."""


@dataclass(frozen=True, eq=False)
class Best:
    """The best threshold of a measure, with its value and matrix, and intervals (None if none was asked for).

    `value` is measured on the items that the threshold was chosen on, so it is optimistic. `honest` is what to expect
    of this threshold on other items, by cross-fitting, with the interval `value_low` to `value_high`. `low` and `high`
    are for the threshold. Above all scores, a threshold is infinite: it predicts nothing as positive.
    """

    measure: str
    group: Label
    threshold: float
    value: float
    matrix: ConfusionMatrix
    low: float | None = None
    high: float | None = None
    honest: float | None = None
    value_low: float | None = None
    value_high: float | None = None
    condition: str | None = None  # the condition that the threshold has to meet

    @property
    def name(self) -> str:
        """Return the candidate in words: its threshold, after the group if there are several."""
        return f"{'' if self.group is None else f'{self.group}, '}threshold {self.threshold:g}"

    def __str__(self) -> str:
        where = "" if self.group is None else f"{self.group}: "
        interval = "" if self.low is None else f" ({self.low:.4g} to {self.high:.4g})"
        among = "" if self.condition is None else f" where {self.condition}"
        found = f"{where}{self.measure}{among} is best at {self.threshold:.6g}{interval}: {self.value:.4f}"
        if self.honest is None:
            return f"{found} on the items that the threshold was chosen on; expect less on new items"
        ends = "" if self.value_low is None else f" ({self.value_low:.4f} to {self.value_high:.4f})"
        return f"{found} on these items; expected on new items: {self.honest:.4f}{ends}"


def best_at(f: Measure, values: Array) -> int | None:
    """Return the place of the best value, or None if all are undefined.

    Of equal values it is the first, which has the highest threshold.
    """
    if f.orientation == NEITHER:
        raise InputError(
            "{name} is neither better when higher nor when lower", name=f.name, advice="it has no best threshold"
        )
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
    place: Array | None  # with weights or units: the bin of each item, plus `bins` where it is positive
    weights: Array | None
    units: Array | None = None  # the group of each item, where items of a group belong together
    squares: Array | None = None  # (2, bins): sums of squared weights, where each row of `place` is many items

    @classmethod
    def of(
        cls, counts: ThresholdCounts, scores: Array, hit: Array, weights: Array | None, units: Array | None = None
    ) -> Binned:
        """Return the items in equally full bins, or in one bin for each distinct score where these are few."""
        at = np.arange(len(counts))
        if len(counts) > _BINS:
            seen = counts.cells[:, 1].sum(axis=0)
            at = np.unique(np.searchsorted(seen, np.linspace(0, seen[-1], _BINS + 1)[1:]).clip(max=len(counts) - 1))
        thresholds = counts.thresholds[at]
        items = np.diff(counts.cells[:, 1][:, at], prepend=0.0)
        if weights is None and units is None:
            return cls(thresholds, items, None, None)
        place = len(thresholds) - 1 - np.searchsorted(thresholds[::-1], scores, side="right")
        place = np.minimum(place + 1, len(thresholds) - 1) + len(thresholds) * hit
        return cls(thresholds, items, place, np.ones(len(place)) if weights is None else weights, units)

    def of_merged(self, squares: Array) -> Binned:
        """Return the same bins of rows that each stand for many items, given the sum of squared weights of each row."""
        assert self.place is not None
        size = 2 * len(self.thresholds)
        return replace(self, squares=np.bincount(self.place, squares, size).reshape(2, -1))

    def drawn(self, replicates: int, seed: int) -> Array:
        """Return the counts (2, 2, thresholds + 1, replicates) of resamples.

        Without weights, the number of items in each bin and class is multinomial; with weights, items are drawn one by
        one, and with groups, these are. Where many items make a row, their weights add up to normal numbers.
        """
        rng = np.random.default_rng(seed)
        bins = len(self.thresholds)
        if self.place is None or self.weights is None:
            shares = self.items.ravel() / self.items.sum()
            drawn = rng.multinomial(round(self.items.sum()), shares, size=replicates).astype(np.float64)
        elif self.squares is not None:
            noise = rng.standard_normal((replicates, 2 * bins)) * np.sqrt(self.squares.ravel())
            drawn = np.maximum(0.0, self.items.ravel() + noise)
        else:
            replicates = max(50, min(replicates, _DRAWN_ITEMS // len(self.weights)))
            units = np.arange(len(self.weights)) if self.units is None else self.units
            size = int(units.max()) + 1
            drawn = np.empty((replicates, 2 * bins))
            for k in range(replicates):
                times = np.bincount(rng.integers(0, size, size), minlength=size)[units]
                drawn[k] = np.bincount(self.place, self.weights * times, 2 * bins)
        return by_threshold(np.moveaxis(drawn.reshape(-1, 2, bins), 0, -1))

    def split(self, folds: int, rng: np.random.Generator) -> tuple[Array, Array | None]:
        """Return the items (2, bins, folds) of random folds, and the fold of each item where items are known."""
        bins = len(self.thresholds)
        if self.place is None or self.weights is None:
            found = rng.multinomial(np.rint(self.items.ravel()).astype(np.int64), np.full(folds, 1 / folds))
            return found.reshape(2, bins, folds).astype(np.float64), None
        units = np.arange(len(self.weights)) if self.units is None else self.units
        fold = (rng.permutation(int(units.max()) + 1) % folds)[units]
        found = np.bincount(self.place * folds + fold, self.weights, 2 * bins * folds)
        return found.reshape(2, bins, folds), fold


def by_threshold(items: Array) -> Array:
    """Return the counts (2, 2, bins + 1, …) at each threshold, from items (2, bins, …) by class and bin.

    Behind the thresholds comes the one above all scores, which predicts nothing as positive.
    """
    accepted = np.concatenate([np.cumsum(items, axis=1), np.zeros_like(items[:, :1])], axis=1)
    rejected = np.maximum(accepted[:, -2:-1] - accepted, 0.0)
    rejected[:, -2] = 0.0
    return np.stack([rejected, accepted], axis=1)


def threshold_interval(
    best: Best, f: Measure, binned: Binned, samples: Samples, confidence: float, seed: int, replicates: int,
    where: ThresholdCondition | None = None,
) -> Best:  # fmt: skip
    """Return the best threshold with its interval, and the value to be expected there on other items.

    The interval holds the thresholds that are not significantly worse or, under a condition, the percentiles of the
    bootstrap. The threshold is chosen again on each resample. How far the value of these thresholds on all items lies
    from the best value is the part of the uncertainty that comes from the choice; it is added to that of the
    cross-fitted value.
    """
    check_options(SpreadOptions, confidence=confidence, seed=seed, replicates=replicates)
    places = chosen_places(f, samples, binned.drawn(replicates, seed), where)
    known = np.append(binned.thresholds.astype(float), np.inf)
    cells = by_threshold(binned.items)
    near = None if where is not None else near_best(f, binned, cells, samples.policy, confidence)
    tail = (1 - confidence) / 2
    ends = np.quantile(known[places], [tail, 1 - tail], method="inverted_cdf") if near is None else known[near]
    here = samples.values([f], [cells.reshape(4, -1)])[0]
    choice = math.sqrt(float(np.nanmean((here[places] - best.value) ** 2)))
    found = cross_fitted(f, binned, samples, confidence, seed, choice, where)
    return replace(
        best, low=min(float(ends.min()), best.threshold), high=max(float(ends.max()), best.threshold), honest=found[0],
        value_low=found[1], value_high=found[2],
    )  # fmt: skip


def near_best(f: Measure, binned: Binned, cells: Array, policy: Policy, confidence: float) -> Array | None:
    """Return which places along the thresholds may be the best; None if the measure has no derivative."""
    squares, grouped = binned.items, None
    if binned.place is not None and binned.weights is not None:
        squares = np.bincount(binned.place, binned.weights**2, binned.items.size).reshape(binned.items.shape)
        if binned.units is not None:
            grouped = (binned.units, binned.place, binned.weights)
    best = int(chosen_places(f, Samples(2, *np.divmod(np.arange(4), 2), policy, whole=False), cells[..., None])[0])
    return NearBest(binned.items, squares, policy, confidence, grouped).kept(f, cells, best)


def chosen_places(f: Measure, samples: Samples, cells: Array, where: ThresholdCondition | None = None) -> Array:
    """Return the place of the best value along the thresholds of cells (2, 2, thresholds, b), for each of the b.

    Only thresholds that meet the condition count; where none does, it is the one that comes closest to it.
    """
    values = samples.values([f], [cells.reshape(4, -1)])[0].reshape(cells.shape[2:])
    turned = np.where(np.isnan(values), -np.inf, -values if f.orientation == LOWER else values)
    if where is not None:
        points = ThresholdMatrices(cells, whole=False)
        holds, gap = where.holds(points), where.difference(points)
        short = np.where(np.isnan(gap), -np.inf, gap if where.sign.startswith(">") else -gap)
        turned = np.where(holds.any(axis=0), np.where(holds, turned, -np.inf), short)
    found: Array = np.argmax(turned, axis=0)
    return found


def cross_fitted(
    f: Measure, binned: Binned, samples: Samples, confidence: float, seed: int, choice: float,
    where: ThresholdCondition | None = None,
) -> tuple[float, float | None, float | None]:  # fmt: skip
    """Return the value to be expected on other items at a threshold that is chosen as here, and its interval.

    The items are split into folds. For each fold the threshold is chosen on the other folds, and the fold is counted
    with it; the counts of all folds make a matrix of items that had no part in the choice of their threshold. This is
    repeated with several splits, and the matrices are averaged. `choice` is the standard deviation that the choice of
    the threshold adds. (The bootstrap's estimate of the optimism is too small here, by a third to a half in
    simulations, since it chooses and measures on many of the same items.)
    """
    rng = np.random.default_rng(np.random.SeedSequence([seed, 4]))
    matrices, sample = [], None
    for _ in range(_SPLITS):
        parts, fold = binned.split(_FOLDS, rng)
        places = chosen_places(f, samples, by_threshold(parts.sum(axis=-1, keepdims=True) - parts), where)
        held = by_threshold(parts)[:, :, places, np.arange(parts.shape[-1])]
        matrices.append(held.sum(axis=-1))
        if fold is not None:
            sample = _sample_of(binned, places[fold])
    mean = np.mean(matrices, axis=0)
    if sample is None or binned.units is None:
        known = None if sample is None else sample.matrix.weighing
        sample = Sample(ConfusionMatrix(mean) if known is None else ConfusionMatrix(mean).weighed(*known))
    value = float(samples.values([f], [mean.reshape(4, 1)])[0, 0])
    found = intervals(sample, [f], confidence=confidence, method="smoothed", undefined=samples.policy)[0]
    if np.isnan(value) or np.isnan(found.low):
        return value, None, None
    # Groups are known for the last split only, whose value the interval is around.
    seen = float(samples.values([f], [sample.matrix.counts.reshape(4, 1).astype(np.float64)])[0, 0])
    units = units_of(sample)
    slopes = samples.slopes(f, np.asarray(sample.matrix.counts, np.float64).ravel())[units.rows * 2 + units.cols]
    reach = reach_of(confidence, units.freedom(np.nan_to_num(slopes))) * choice
    least, most = f.range or (-np.inf, np.inf)
    low, high = value - np.hypot(seen - found.low, reach), value + np.hypot(found.high - seen, reach)
    return value, float(max(low, least)), float(min(high, most))


def _sample_of(binned: Binned, place: Array) -> Sample:
    """Return the items as a sample, each predicted by the threshold at its own place in the list of thresholds."""
    assert binned.place is not None
    assert binned.weights is not None
    bins = len(binned.thresholds)
    positive, at = np.divmod(binned.place, bins)
    said = (at <= place) & (place < bins)
    keys = positive * 2 + said
    weight, items, squares = (
        np.bincount(keys, x, minlength=4).reshape(2, 2) for x in (binned.weights, None, binned.weights**2)
    )
    groups = None
    if binned.units is not None:
        entries, where = np.unique(binned.units * 4 + keys, return_inverse=True)
        group, cell = np.divmod(entries, 4)
        values = np.bincount(where, binned.weights)
        groups = GroupCounts(int(binned.units.max()) + 1, group, cell // 2, cell % 2, values)
    return Sample.weighted(ConfusionMatrix(weight), items, squares, groups)
