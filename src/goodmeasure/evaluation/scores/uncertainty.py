"""Confidence intervals of measures of scores.

Where the influence of each item on a measure is known, its variance follows in one pass. For the area under the ROC
curve that is DeLong's variance (DeLong, DeLong and Clarke-Pearson 1988); the interval then holds the values that are
not significantly different from the area, with the variance that belongs to each of them (Hanley and McNeil 1982,
scaled to DeLong's at the area; Newcombe 2006). So it stays within 0 and 1, and does not vanish for a perfect ranking.
Other measures between 0 and 1 that are not plain means get an interval on the scale of log odds, and means get the
usual one. The best value over all thresholds is corrected by cross-fitting. For all other measures, the items are
resampled (the bootstrap).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from statistics import NormalDist

import numpy as np

from goodmeasure.catalogue.outcomes import OutcomeMean
from goodmeasure.catalogue.scores.calibration import CalibrationError
from goodmeasure.catalogue.scores.definition import ItemMean, Scaled, ScoreDefinition, value_or_rule
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.catalogue.scores.over_thresholds import Area, BestValue, OverThresholds, ThresholdMatrices
from goodmeasure.catalogue.scores.probability import BrierPart, TopK
from goodmeasure.catalogue.scores.ranking import HMeasure
from goodmeasure.catalogue.scores.sketch_error import sketch_error
from goodmeasure.counts.outcomes import Outcomes
from goodmeasure.counts.scores.score_sketch import ScoreSketch
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.intervals.dependence import Dependence
from goodmeasure.evaluation.intervals.distributions import students_quantile
from goodmeasure.evaluation.intervals.interval import Interval, no_interval, quantile
from goodmeasure.evaluation.intervals.proportions import Proportion, bounded_mean, wilson
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.evaluation.thresholds.best import Binned, by_threshold, chosen_places, cross_fitted
from goodmeasure.language.policy import RESOLVE
from goodmeasure.typing import Array

FEWEST = 10  # items: fewer cannot show how a measure of scores varies
DELONG, LOG_ODDS, LOGARITHM, INFLUENCES, BOOTSTRAP = "DeLong", "log odds", "logarithm", "influences", "bootstrap"
CROSS_FITTED, WILSON, BOUNDED = "cross-fitting", "Wilson", "bounded mean"
_DRAWN_ITEMS = 100_000_000  # items drawn in all resamples
_FEWEST_DRAWS = 50
_STEPS = 200  # of bisection
_OPTIMISTIC = (CalibrationError, BrierPart, BestValue, HMeasure)
_MANY = 1000  # items of a class: their variance is as good as known
_IMAGINED = 5.0  # items of the rarer class whose variance is that of Hanley and McNeil, beside the observed ones
_PULL, _LEAST_PULL = 1.5, 0.4
_OPTIMISM = 0.75  # of the distance between the best value and the cross-fitted one


def freedom_of(influences: Array, data: Scored) -> float:
    """Return the degrees of freedom of a standard error that comes from these influences u of items: (Σu²)²/Σu⁴.

    That is how many equally large influences would make a sum of squares that varies as little. A few items with a
    large loss or a large weight determine the standard error, and where such items are rare, a sample that happens to
    lack them has too small a value and too small a standard error. (Normal influences give a third of their number.)
    """
    fourth = data.sum_of_fourth_powers(influences)
    return data.sum_of_squares(influences) ** 2 / fourth if fourth > 0 else data.items - 1.0


class Uncertainty:
    """The uncertainty of measures of scores on one set of items."""

    def __init__(self, data: Scored, confidence: float, seed: int, replicates: int, *, paired: bool = False) -> None:
        self.data, self.confidence, self.seed, self.replicates, self.paired = data, confidence, seed, replicates, paired

    @cached_property
    def dependence(self) -> Dependence | None:
        """Return which groups hold which classes; None where items are independent."""
        data = self.data
        if data.units is None:
            return None
        return Dependence(data.units, data.true, data.weights, int(data.units.max()) + 1)

    @cached_property
    def units(self) -> float:
        """Return the effective number of independent units: items, or groups of them."""
        return float(self.data.items) if self.dependence is None else self.dependence.all

    @cached_property
    def z(self) -> float:
        """Return how many standard errors an interval reaches where none is known: with groups, by Student's t.

        A measure that has no influences is taken to be known as well as the class that the fewest groups hold.
        """
        p = 0.5 + self.confidence / 2
        return NormalDist().inv_cdf(p) if self.data.units is None else students_quantile(p, max(1.0, self.rarest() - 1))

    def unable(self) -> str | None:
        """Return why there can be no interval at all."""
        if self.data.items < FEWEST:
            return f"{self.data.items} items are too few to show how it varies (at least {FEWEST} are needed)"
        if self.data.units is not None and int(self.data.units.max()) < 1:
            return "one group of items cannot show how it varies"
        return None

    def interval(self, f: ScoreMeasure, value: float) -> Interval:
        """Return the interval of a measure with this value."""
        if math.isnan(value):
            return no_interval("the value is undefined")
        if math.isinf(value):
            return no_interval("the value is infinite")
        if isinstance(f.definition, OutcomeMean):
            return self._of_outcomes(f.definition, value)
        reason = self.unable()
        if reason is not None:
            return no_interval(reason)
        spread = self.deviation(f.definition)
        if spread is not None:
            return self._clipped(f, value, self._around(f, value, spread))
        found = self._chosen_interval(f.definition, value) if isinstance(f.definition, BestValue) else None
        return self._clipped(f, value, self._drawn_interval(f, value) if found is None else found)

    def _clipped(self, f: ScoreMeasure, value: float, found: Interval) -> Interval:
        """Return the interval within the range of the measure, around the value, and wider by the error of a sketch."""
        if math.isnan(found.low):
            return found
        least, most = f.range or (-math.inf, math.inf)
        off = (sketch_error(f.definition, self.data, value) or 0.0) if self.data.is_sketch else 0.0
        low, high = max(min(found.low, value) - off, least), min(max(found.high, value) + off, most)
        return Interval(low, high, found.method, found.deviation, found.undefined_share, found.reason)

    # Influences

    def deviation(self, definition: ScoreDefinition) -> float | None:
        """Return the standard error from the influences of items or groups; None where they are not known."""
        if self.data.units is None:
            squared = definition.variance(self.data)
            if squared is not None:
                return math.sqrt(squared)
        found = definition.influences(self.data)
        return None if found is None else self.deviation_of(found)

    def deviation_of(self, influences: Array) -> float:
        """Return the standard error of a value or a difference with these influences."""
        if self.dependence is not None:
            return math.sqrt(self.dependence.variance(influences))
        size, squared = self.data.items, self.data.sum_of_squares(influences)
        return math.sqrt(squared * size / max(size - 1, 1))

    def _around(self, f: ScoreMeasure, value: float, spread: float) -> Interval:
        definition, factor, constant = f.definition, 1.0, 0.0
        if isinstance(definition, Scaled) and isinstance(definition.inner, Area):
            factor, constant, definition = definition.factor, definition.constant, definition.inner
        if is_roc(definition):
            assert isinstance(definition, Area)
            area, error = (value - constant) / factor, spread / abs(factor)
            low, high = (constant + factor * x for x in self._of_roc(definition, area, error))
            return Interval(low, high, DELONG, spread)
        if isinstance(definition, TopK):
            items = value * (1 - value) / spread**2 if spread > 0 else self.units
            return Interval(*wilson(Proportion(value, items), self.z), WILSON, spread)
        is_mean = isinstance(definition, ItemMean) or f.range is None or tuple(f.range) != (0, 1)
        z = self._t(definition)
        if is_mean:
            reach = z * spread
            if f.range is not None and f.range[0] == 0 and value > 0:
                times = math.exp(min(reach / value, 700))
                return Interval(value / times, value * times, LOGARITHM, spread)
            return Interval(value - reach, value + reach, INFLUENCES, spread)
        if spread == 0 or not 0 < value < 1:
            low, high = wilson(Proportion(value, self.rarest()), self.z)
            return Interval(low, high, WILSON, spread)
        if self.dependence is not None:  # as for the area under the ROC curve, towards the variance of a share
            fewer, imagined = self.rarest(), _LEAST_PULL
            spread = math.sqrt((fewer * spread**2 + imagined * value * (1 - value) / fewer) / (fewer + imagined))
        odds, reach = math.log(value / (1 - value)), z * spread / (value * (1 - value))
        return Interval(_share(odds - reach), _share(odds + reach), LOG_ODDS, spread)

    def _of_outcomes(self, definition: OutcomeMean, value: float) -> Interval:
        """Return Wilson's interval where every item is right or wrong, else that of the mean of bounded numbers."""
        data = self.data
        assert isinstance(data, Outcomes)
        if data.units is not None and int(data.units.max()) < 1:
            return no_interval("one group of items cannot show how it varies")
        terms, items = definition.of_items(data), self.units if data.units is not None else self.rarest()
        spread = self.deviation(definition) or 0.0
        if data.units is None:
            spread *= math.sqrt((data.items - 1) / data.items)  # as for a share of right answers
        if np.isin(terms, (0, 1)).all():
            known = value * (1 - value) / spread**2 if spread > 0 else items
            return Interval(*wilson(Proportion(value, min(known, len(data))), self.z), WILSON, spread)
        return Interval(*bounded_mean(value, spread**2 * items, items, self.z), BOUNDED, spread)

    def _t(self, definition: ScoreDefinition) -> float:
        """Return the quantile of Student's t for a standard error that rests on influences of different size."""
        return students_quantile(0.5 + self.confidence / 2, max(1.0, self._freedom(definition)))

    def _freedom(self, definition: ScoreDefinition) -> float:
        """Return the degrees of freedom of a standard error.

        Without weights, items of one class with equal scores have the same influence: the derivatives by score suffice,
        and no item has to be looked up.
        """
        data = self.data
        if self.dependence is not None:
            influences = definition.influences(data)
            return self.rarest() - 1 if influences is None else self.freedom_of_groups(definition, influences)
        if not isinstance(definition, OverThresholds) or data.item_weights is not None:
            influences = definition.influences(data)
            return self.units - 1 if influences is None else freedom_of(influences, data)
        slopes = definition.slopes(data) if data.sizes.all() else None
        if slopes is None or not np.isfinite(slopes).all():
            return self.units - 1
        squares = slopes**2
        second, fourth = (float((data.ranking.weight * x).sum()) for x in (squares, squares**2))
        return second**2 / fourth if fourth > 0 else data.items - 1.0

    def freedom_of_groups(self, definition: ScoreDefinition, influences: Array) -> float:
        """Return the degrees of freedom of a value or a difference with these influences of items in groups.

        A curve of precision is no sum of one part for each class: the groups of the rarer class decide.
        """
        assert self.dependence is not None
        found = self.dependence.freedom(influences)
        curved = isinstance(definition, OverThresholds) and not is_roc(definition)
        return max(1.0, min(found, self.rarest() - 1)) if curved else found

    def rarest(self) -> float:
        """Return the effective number of items of the smallest class, or of groups that hold the rarest one."""
        return min(self.effective_sizes())

    def effective_sizes(self) -> list[float]:
        """Return the effective numbers of items, or of groups, of each class that occurs: (Σw)²/Σw² (Kish 1965)."""
        data = self.data
        if self.dependence is not None:
            return [float(x) for x in self.dependence.held if x > 0]
        codes = data.true.astype(np.int64)
        sums = np.bincount(codes, data.weights, data.m).astype(float)
        squares = sums if data.weights is None else np.bincount(codes, data.squares, data.m)
        return [float(x**2 / y) for x, y in zip(sums, squares, strict=True) if y > 0]

    def _imagined_groups(self, definition: ScoreDefinition) -> float:
        """Return how many groups of the rarer class count as known to be as uncertain as a single item each.

        They are the more, the more alike the items of a group are: with independent items, few groups say enough.
        """
        influences = definition.influences(self.data)
        assert self.dependence is not None
        assert influences is not None  # there is a standard error
        return _LEAST_PULL + _PULL * self.dependence.likeness(influences)

    def _of_roc(self, definition: Area, area: float, error: float) -> tuple[float, float]:
        """Return the areas that are not significantly different from this one."""
        negative, positive = self.effective_sizes()
        here = hanley_mcneil(area, negative, positive)
        scale = error**2 / here if here > 0 and error > 0 else 1.0
        # Few items of a class say little about their variance, and too small a one where they happen to rank well
        # (with 10 of 1,000 items, intervals held 82 to 90%): it is drawn towards that of Hanley and McNeil. With groups
        # their formula counts the groups that hold each class, as if the items of a group were copies of each other.
        fewer = min(negative, positive)
        imagined = _IMAGINED if self.dependence is None else self._imagined_groups(definition)
        scale = (fewer * scale + imagined) / (fewer + imagined)
        reach = self._t_of_two(definition, negative, positive) ** 2 * scale

        def beyond(x: float) -> bool:
            return (x - area) ** 2 > reach * hanley_mcneil(x, negative, positive)

        return _farthest(area, 0.0, beyond), _farthest(area, 1.0, beyond)

    def _t_of_two(self, definition: Area, negative: float, positive: float) -> float:
        """Return the quantile of Student's t for a variance that is the sum of those of two classes (Welch 1947).

        It matters where one class has few items, since their placements then determine the variance.
        """
        if self.dependence is not None:
            return self._t(definition)
        if min(negative, positive) > _MANY:
            return self.z
        slopes = definition.slopes(self.data)
        assert slopes is not None  # those of the area under the ROC curve are known
        parts = [float(x) for x in (self.data.ranking.squares * slopes**2).sum(axis=1)]
        below = sum(part**2 / max(size - 1, 1.0) for part, size in zip(parts, (negative, positive), strict=True))
        freedom = sum(parts) ** 2 / below if below > 0 else min(negative, positive) - 1
        if self.data.item_weights is not None and (influences := definition.influences(self.data)) is not None:
            freedom = min(freedom, freedom_of(influences, self.data))
        return students_quantile(0.5 + self.confidence / 2, max(1.0, freedom) + _IMAGINED)

    # Resamples

    def _chosen_interval(self, definition: BestValue, value: float) -> Interval | None:
        """Return the interval of the best value over all thresholds; None where only resamples can tell.

        The best value on the items is too high, and the value to expect at the chosen threshold (by cross-fitting) is
        lower than the best one of the population. Near the best threshold the observed values are those of the
        population, which fall off by c·t², plus a random walk. The mean of the highest point of such a curve is
        proportional to c^(-1/3), and its derivative by c is minus the mean of t² there, so that choosing loses a third
        of what the best value gains: three quarters of the distance between the two are optimism.
        """
        binned = self._binned
        if binned.squares is not None:
            return None
        f, samples = definition.measure, Samples(2, *np.divmod(np.arange(4), 2), RESOLVE, whole=False)
        places = chosen_places(f, samples, binned.drawn(self.replicates, self.seed))
        here = samples.values([f], [by_threshold(binned.items).reshape(4, -1)])[0]
        choice = math.sqrt(float(np.nanmean((here[places] - value) ** 2)))
        honest, low, high = cross_fitted(f, binned, samples, self.confidence, self.seed, choice)
        if low is None or high is None:
            return None
        moved = (1 - _OPTIMISM) * (value - honest)
        return Interval(low + moved, high + moved, CROSS_FITTED, (high - low) / (2 * self.z))

    def _drawn_interval(self, f: ScoreMeasure, value: float) -> Interval:
        drawn = self.drawn(f)
        known = np.sort(drawn[~np.isnan(drawn)])
        if len(known) < 2:
            return no_interval("the value is undefined on nearly all resamples")
        tail = (1 - self.confidence) / 2
        low, high = quantile(known, tail), quantile(known, 1 - tail)
        if isinstance(f.definition, _OPTIMISTIC):
            # A threshold chosen on the items, or a curve fitted to them, is more optimistic on resamples, which have
            # fewer different items: they differ from the value as the value differs from the truth. So resamples are
            # reflected about the value.
            low, high = 2 * value - high, 2 * value - low
        if isinstance(f.definition, BestValue | HMeasure):
            # Resamples share most items with the sample that they choose on, so they show only half of the optimism
            # (0.03 of 0.08 for KS on 60 items, 0.02 of 0.04 on 1,000): the other half is added where it belongs.
            optimism = float(known.mean()) - value
            low, high = low - max(0.0, optimism), high + max(0.0, -optimism)
        if isinstance(f.definition, CalibrationError) and value <= self._if_calibrated(f.definition):
            low = 0.0
        if isinstance(f.definition, Area | HMeasure):
            least, most = self._of_share(f, value)
            low, high = min(low, least), max(high, most)
        missing = 1 - len(known) / len(drawn)
        return Interval(low, high, BOOTSTRAP, float(np.std(known)), missing)

    def _of_share(self, f: ScoreMeasure, value: float) -> tuple[float, float]:
        """Return Wilson's interval of a share of the items of the rarer class, on the range of the measure.

        Where a part of the ranking is perfect, it is so on all resamples, and their percentiles are far too close to
        each other: with 25 items of each class, 72 and 78% of the intervals of H and of a partial AUC held the true
        value. Such averages along the ranking are not known better than a share of the items of the rarer class.
        """
        if f.range is None or not all(map(math.isfinite, f.range)):
            return value, value
        least, most = f.range
        share = min(1.0, max(0.0, (value - least) / (most - least)))
        low, high = wilson(Proportion(share, self.rarest()), self.z)
        return least + (most - least) * low, least + (most - least) * high

    def _if_calibrated(self, definition: CalibrationError) -> float:
        """Return the error that calibrated probabilities exceed in few samples; below it, they may be calibrated."""
        drawn = definition.drawn(self.data, self.replicates, np.random.default_rng(self.seed), calibrated=True)
        return quantile(np.sort(drawn), 0.5 + self.confidence / 2)

    def drawn(self, f: ScoreMeasure) -> Array:
        """Return the values on resamples; NaN where a resample has none."""
        if isinstance(f.definition, OverThresholds) or _is_scaled(f.definition):
            return self._drawn_over_thresholds(f)
        if isinstance(f.definition, CalibrationError) and self.data.units is None and not self.paired:
            return f.definition.drawn(self.data, self.replicates, np.random.default_rng(self.seed))
        return self._drawn_items(f.definition)

    @cached_property
    def _binned(self) -> Binned:
        """Return the items in bins of their scores."""
        data = self.data
        weights = np.ones(len(data)) if self.paired and data.weights is None else data.item_weights
        binned = Binned.of(data.ranking.counts, data.scores, data.true, weights, data.units)
        return binned.of_merged(data.squares) if weights is not None and data.merged is not None else binned

    @cached_property
    def resampled(self) -> ThresholdMatrices:
        """Return the items and their resamples as confusion matrices at a grid of thresholds.

        Points come from the threshold above all scores down; the first of the batch are the items themselves.
        """
        binned = self._binned
        here, drawn = by_threshold(binned.items)[..., None], binned.drawn(self.replicates, self.seed)
        cells = np.concatenate([here, drawn], axis=3)
        return ThresholdMatrices(np.concatenate([cells[:, :, -1:], cells[:, :, :-1]], axis=2), whole=False)

    def _drawn_over_thresholds(self, f: ScoreMeasure) -> Array:
        definition, factor, constant = f.definition, 1.0, 0.0
        if isinstance(definition, Scaled):
            factor, constant, definition = definition.factor, definition.constant, definition.inner
        assert isinstance(definition, OverThresholds)
        both = (self.resampled.cells[:, :, 1].sum(axis=1) > 0).all(axis=0)  # both classes are in the resample
        found = definition.reduced(self.resampled)
        here = definition.found(self.data)  # at all thresholds, where the grid may have fewer
        return np.where(both, factor * (found - found[0] + here) + constant, np.nan)[1:]

    def _drawn_items(self, definition: ScoreDefinition) -> Array:
        data, rng = self.data, np.random.default_rng(self.seed)
        if data.merged is not None:
            return self._drawn_rows(definition, data.merged, rng)
        units = np.arange(len(data)) if data.units is None else data.units
        size, weights = int(units.max()) + 1, 1 if data.weights is None else data.weights
        replicates = max(_FEWEST_DRAWS, min(self.replicates, _DRAWN_ITEMS // (5 * len(data))))
        found = np.empty(replicates)
        for k in range(replicates):
            times = np.bincount(rng.integers(0, size, size), minlength=size)[units]
            found[k] = value_or_rule(definition, data.weighing(weights * times))
        return found

    def _drawn_rows(self, definition: ScoreDefinition, merged: ScoreSketch, rng: np.random.Generator) -> Array:
        """Return the values on resamples of items that are merged into rows: each row gets a number of them."""
        data, total = self.data, int(merged.items.sum())
        assert data.weights is not None
        replicates = max(_FEWEST_DRAWS, min(self.replicates, _DRAWN_ITEMS // (5 * len(data))))
        found = np.empty(replicates)
        for k in range(replicates):
            times = rng.multinomial(total, merged.items / total) / merged.items
            kept = times > 0
            drawn = replace(data.at(kept), weights=(data.weights * times)[kept])
            found[k] = value_or_rule(definition, drawn)
        return found


def is_roc(definition: ScoreDefinition) -> bool:
    """Return whether a definition is the area under the ROC curve."""
    return isinstance(definition, Area) and definition.is_roc


def _is_scaled(definition: ScoreDefinition) -> bool:
    return isinstance(definition, Scaled) and isinstance(definition.inner, OverThresholds)


def hanley_mcneil(area: float, negative: float, positive: float) -> float:
    """Return the variance of an area under the ROC curve for exponential scores (Hanley and McNeil 1982)."""
    square = area * area
    spread = (
        area * (1 - area)
        + (positive - 1) * (area / (2 - area) - square)
        + (negative - 1) * (2 * square / (1 + area) - square)
    )
    return max(spread, 0.0) / (negative * positive)


def _farthest(start: float, end: float, beyond: Callable[[float], bool]) -> float:
    """Return the point farthest from the start, towards the end, that is not beyond; by bisection."""
    near, far = start, end
    for _ in range(_STEPS):
        middle = (near + far) / 2
        near, far = (near, middle) if beyond(middle) else (middle, far)
        if abs(far - near) < 1e-12:
            break
    return near


def _share(odds: float) -> float:
    return 1 / (1 + math.exp(-odds)) if odds > -700 else 0.0
