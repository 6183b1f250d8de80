"""Compare the scores of systems on the same items: the computations that a comparison of labels has `Work` for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.catalogue.scores.sketch_error import sketch_error
from goodmeasure.comparison.computation import PairedTest, SystemPair
from goodmeasure.comparison.difference_intervals import in_agreement
from goodmeasure.comparison.influence import normal_values
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample, Slice
from goodmeasure.counts.scores.score_input import column_of
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.intervals.distributions import students_quantile, students_tails
from goodmeasure.evaluation.intervals.interval import Interval, no_interval, quantile
from goodmeasure.evaluation.p_values import p_of_draws
from goodmeasure.evaluation.scores.reading_scores import ScoreData
from goodmeasure.evaluation.scores.uncertainty import BOOTSTRAP, DELONG, INFLUENCES, Uncertainty, freedom_of, is_roc
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array, ArrayLike, Label


@dataclass(frozen=True)
class ScoredItems:
    """The systems on some items, as the parts of a comparison ask for them."""

    systems: tuple[str, ...]
    labels: tuple[Label, ...]
    items: int
    group: Array | None


class ScoreWork:
    """What all parts of the comparison of scores on one set of items share.

    Where the influence of each item on a measure is known for all systems, the variance of a difference is that of the
    differences of influences: for the area under the ROC curve this is the test of DeLong, DeLong and Clarke-Pearson
    (1988). Elsewhere the same items are drawn for all systems.
    """

    def __init__(self, data: Mapping[str, Scored], settings: ComparisonSettings) -> None:
        self.data, self.settings = list(data.values()), settings
        self.measures = [x for x in settings.measures if isinstance(x, ScoreMeasure)]
        self.systems = tuple(data)
        first = self.data[0]
        self.joint = ScoredItems(self.systems, first.labels, len(first), first.units)
        self._measure(self.data)
        options = settings.confidence, settings.seed, settings.replicates
        self.single = [Uncertainty(x, *options) for x in self.data]
        self.paired = [Uncertainty(x, *options, paired=True) for x in self.data]
        self.draws_items = settings.method == BOOTSTRAP
        self._influences: dict[int, Array | None] = {}
        self._drawn: dict[int, Array] = {}

    def _measure(self, data: Sequence[Scored]) -> None:
        """Set the value of each system under each measure, and the reasons where one is undefined."""
        found = [[f.of(x, self.settings.policy) for f in self.measures] for x in data]
        self.measured = data
        self.values = np.array([[value for value, _ in each] for each in found])
        self.reasons = [[reason for _, reason in each] for each in found]

    @cached_property
    def samples(self) -> list[Sample]:
        """Return the true classes as a sample, for what a report says about the data."""
        first = self.measured[0]
        return [Sample(ConfusionMatrix(np.diag(first.sizes), first.labels)) for _ in self.systems]

    def influences(self, i: int) -> Array | None:
        """Return the influences (systems, items) on a measure; None where they are not known for all systems."""
        if i not in self._influences:
            found = [None if self.draws_items else self.measures[i].definition.influences(x) for x in self.data]
            known = [x for x in found if x is not None]
            self._influences[i] = np.stack(known) if len(known) == len(found) else None
        return self._influences[i]

    def drawn(self, i: int) -> Array:
        """Return the values (systems, resamples) of a measure on the same drawn items."""
        if i not in self._drawn:
            self._drawn[i] = np.stack([work.drawn(self.measures[i]) for work in self.paired])
        return self._drawn[i]

    def varying(self, i: int) -> Array:
        """Return how the values of a measure vary (systems, replicates)."""
        found = self.influences(i)
        if found is None:
            can_vary = self._unable() is None and np.isfinite(self.values[:, i]).all()
            return self.drawn(i) if can_vary else np.full((len(self.systems), 2), np.nan)
        units = self.data[0].units
        summed = found if units is None else np.stack([np.bincount(units, x) for x in found])
        values = np.where(np.isfinite(self.values[:, i]), self.values[:, i], 0.0)
        drawn = normal_values(values, summed @ summed.T, self.settings.replicates, self.settings.seed)
        return np.where(np.isfinite(self.values[:, i])[:, None], drawn, np.nan)

    def score_intervals(self, k: int) -> list[Interval]:
        """Return the confidence interval of each measure of one system."""
        return [self.single[k].interval(f, float(self.values[k, i])) for i, f in enumerate(self.measures)]

    def ensemble_interval(self, k: int) -> tuple[float, float]:
        """Refuse: scores of different kinds are not averaged, so that they have no ensemble score."""
        raise NotImplementedError

    def _unable(self) -> str | None:
        return self.single[0].unable()

    def _difference(self, i: int, pair: SystemPair) -> float:
        return float(self.values[pair[0], i]) - float(self.values[pair[1], i])

    def _error(self, i: int, pair: SystemPair) -> float | None:
        """Return the standard error of a difference; None where only resamples tell."""
        found = self.influences(i)
        if found is None:
            return None
        difference = found[pair[0]] - found[pair[1]]
        if is_roc(self.measures[i].definition) and self.data[0].units is None and self.data[0].item_weights is None:
            difference = difference * self._of_both_classes
        return self.single[0].deviation_of(difference)

    @cached_property
    def _of_both_classes(self) -> Array:
        """Return what influences on an area are multiplied by, so that each class has its own unbiased variance.

        This is the variance of DeLong, DeLong and Clarke-Pearson. The correction for all items is taken back.
        """
        first = self.data[0]
        sizes = np.maximum(np.asarray(first.sizes, float), 2.0)
        factor = sizes / (sizes - 1) * (first.items - 1) / first.items
        found: Array = np.sqrt(factor)[first.true.astype(np.int64)]
        return found

    def tests(
        self, wanted: dict[SystemPair, list[int]], together: int | None = None
    ) -> dict[tuple[SystemPair, int], PairedTest]:
        """Return the test of each pair under each of its measures."""
        return {(pair, i): self._test(i, pair) for pair, places in wanted.items() for i in places}

    def _test(self, i: int, pair: SystemPair) -> PairedTest:
        here, error = self._difference(i, pair), self._error(i, pair)
        if not math.isfinite(here):
            infinite = np.isinf(self.values[list(pair), i]).any()
            return PairedTest(math.nan, "none: a value is infinite" if infinite else "none: a value is undefined")
        reason = self._unable()
        if reason is not None:
            return PairedTest(math.nan, f"none: {reason}")
        if error is None:
            return PairedTest(self._p_of_draws(i, pair), BOOTSTRAP)
        method = DELONG if is_roc(self.measures[i].definition) else INFLUENCES
        if error == 0:
            return PairedTest(
                1.0 if here == 0 else math.nan, method if here == 0 else "none: it has no standard error here"
            )
        return PairedTest(2 * self._upper(abs(here) / error, self._freedom(i, pair)), method)

    def _p_of_draws(self, i: int, pair: SystemPair) -> float:
        """Return the p-value of the paired bootstrap: how far 0 lies in the tails of the drawn differences."""
        return _p_of_differences(self._moved(i, pair))

    def _moved(self, i: int, pair: SystemPair) -> Array:
        drawn = self.drawn(i)
        moved = drawn[pair[0]] - drawn[pair[1]]
        return np.sort(moved[~np.isnan(moved)])

    def _freedom(self, i: int, pair: SystemPair) -> float:
        """Return the degrees of freedom of the standard error of a difference, from groups or from influences.

        Where a few items decide, as those of a rare class do, the normal test rejects too often: 8% for areas under
        the ROC curve with 10 of 1,000 items positive. Three times (Σu²)²/Σu⁴ is the number of normal influences u.
        """
        most, found = max(1.0, self.single[0].units - 1), self.influences(i)
        if self.data[0].units is not None or found is None:
            return most
        return max(1.0, min(most, 3 * freedom_of(found[pair[0]] - found[pair[1]], self.data[0])))

    def _upper(self, z: float, freedom: float) -> float:
        """Return the probability of a value above z by Student's t."""
        tails = students_tails(z, freedom)
        return tails / 2 if z > 0 else 1 - tails / 2

    def difference_interval(self, i: int, pair: SystemPair, p: float) -> Interval:
        """Return the confidence interval of the difference of two systems, in agreement with its p-value."""
        here, error, reason = self._difference(i, pair), self._error(i, pair), self._unable()
        if not math.isfinite(here):
            infinite = np.isinf(self.values[list(pair), i]).any()
            return no_interval("a value is infinite" if infinite else "a value is undefined")
        if reason is not None:
            return no_interval(reason)
        if error is None:
            moved = self._moved(i, pair)
            if len(moved) < 2:
                return no_interval("a value is undefined on nearly all resamples")
            tail = (1 - self.settings.confidence) / 2
            ends = quantile(moved, tail), quantile(moved, 1 - tail)
            found = Interval(min(ends[0], here), max(ends[1], here), BOOTSTRAP, float(np.std(moved)))
        else:
            reach = students_quantile(0.5 + self.settings.confidence / 2, self._freedom(i, pair)) * error
            least, most = self.measures[i].range or (-math.inf, math.inf)
            found = Interval(max(here - reach, least - most), min(here + reach, most - least), INFLUENCES, error)
        return in_agreement(found, here, p, 1 - self.settings.confidence)

    def margin_tests(self, i: int, pair: SystemPair, margin: float) -> tuple[float, float]:
        """Return one-sided p-values: that the true difference is above −margin, and that it is below +margin."""
        here, error = self._difference(i, pair), self._error(i, pair)
        if not math.isfinite(here) or self._unable() is not None:
            return math.nan, math.nan
        if error is None:
            moved = self._moved(i, pair)
            beyond = float((moved <= -margin).sum()), float((moved >= margin).sum())
            return p_of_draws(beyond[0], len(moved)), p_of_draws(beyond[1], len(moved))
        ends = here + margin, margin - here
        freedom = self._freedom(i, pair)
        above, below = (self._upper(x / error, freedom) if error > 0 else float(x <= 0) for x in ends)
        return above, below


class LargeScoreWork(ScoreWork):
    """The comparison of scores that are too large for memory: values of all items, and a random sample of these.

    Influences and resamples come from the sample. It holds a share of the items, so what varies on it has 1/share times
    the variance that it has on all. Values that come from a sketch are off by at most what the sketch allows, by which
    intervals are widened and differences shortened before they are tested.
    """

    def __init__(
        self, whole: Mapping[str, Scored], sample: Mapping[str, Scored], share: float, settings: ComparisonSettings
    ) -> None:
        super().__init__(sample, settings)
        self.share, self.sampled = share, self.values
        self._measure(list(whole.values()))
        options = settings.confidence, settings.seed, settings.replicates
        self._alone = [Uncertainty(x, *options) for x in self.measured]
        self.joint = ScoredItems(self.systems, self.measured[0].labels, self.measured[0].items, None)

    def influences(self, i: int) -> Array | None:
        """Return the influences (systems, sampled items), scaled to what they are among all items."""
        found = super().influences(i)
        return None if found is None else found * math.sqrt(self.share)

    def drawn(self, i: int) -> Array:
        """Return the values (systems, resamples) of a measure, with the spread that they have with all items."""
        away = super().drawn(i) - self.sampled[:, i, None]
        found: Array = self.values[:, i, None] + away * math.sqrt(self.share)
        return found

    def score_intervals(self, k: int) -> list[Interval]:
        """Return the confidence interval of each measure of one system, from all items."""
        return [self._alone[k].interval(f, float(self.values[k, i])) for i, f in enumerate(self.measures)]

    @cached_property
    def _errors(self) -> Array:
        """Return how far the value of each system under each measure can be from its exact value."""
        return np.array([
            [(sketch_error(f.definition, x, float(value)) or 0.0) if x.is_sketch else 0.0
             for f, value in zip(self.measures, values, strict=True)]
            for x, values in zip(self.measured, self.values, strict=True)
        ])  # fmt: skip

    def _off(self, i: int, pair: SystemPair) -> float:
        """Return how far a difference can be from its exact value."""
        return float(self._errors[list(pair), i].sum())

    def _p_of_draws(self, i: int, pair: SystemPair) -> float:
        """Return the p-value of the paired bootstrap for the smallest difference that a sketch allows."""
        here, off = self._difference(i, pair), self._off(i, pair)
        if off and abs(here) <= off:
            return 1.0
        return _p_of_differences(self._moved(i, pair) - math.copysign(off, here))

    def _test(self, i: int, pair: SystemPair) -> PairedTest:
        here, off = self._difference(i, pair), self._off(i, pair)
        found = super()._test(i, pair)
        error = self._error(i, pair)
        if not off or error is None or not error or math.isnan(found.p):
            return found
        z = max(0.0, abs(here) - off) / error
        return found._replace(p=min(1.0, 2 * self._upper(z, self._freedom(i, pair))))

    def difference_interval(self, i: int, pair: SystemPair, p: float) -> Interval:
        """Return the confidence interval of a difference, widened by what a sketch leaves open."""
        found, off = super().difference_interval(i, pair, p), self._off(i, pair)
        return found if not off else replace(found, low=found.low - off, high=found.high + off)

    def margin_tests(self, i: int, pair: SystemPair, margin: float) -> tuple[float, float]:
        """Return one-sided p-values, for a margin that is smaller by what a sketch leaves open."""
        return super().margin_tests(i, pair, margin - self._off(i, pair))


def _p_of_differences(drawn: Array) -> float:
    """Return how far 0 lies in the tails of drawn differences, as a p-value."""
    if len(drawn) < 2:
        return math.nan
    low, high = float((drawn <= 0).sum()), float((drawn >= 0).sum())
    return min(1.0, 2 * p_of_draws(min(low, high), len(drawn)))


def is_unbounded(f: object, data: Scored) -> bool:
    """Return whether scores are counted in intervals, and the error of a measure on them has no bound."""
    return isinstance(f, ScoreMeasure) and data.is_sketch and sketch_error(f.definition, data, 0.5) is None


def on_the_same_items(read: ScoreData) -> tuple[dict[str, Scored], Array | None]:
    """Return the scored items that all systems have a score for, and which of the items that were read they are."""
    found = {name: read.scored(name) for name in read.systems}
    masks = [x.kept for x in found.values() if x.kept is not None]
    if not masks:
        return found, None
    common = np.logical_and.reduce(masks)
    if not common.any():
        raise InputError(
            "no item has a score of every system",
            advice="compare systems that have scores of the same items",
            argument="y_score",
        )
    whole = np.ones(len(common), bool)
    return {name: x.at(common[whole if x.kept is None else x.kept]) for name, x in found.items()}, common


def slices_of(by: Mapping[str, ArrayLike] | None, common: Array | None) -> Iterator[tuple[Slice, Array]]:
    """Yield each slice and its items: by the values of each column and, with several columns, by their combinations."""
    columns = {name: column_of(x, len(x), "by") for name, x in (by or {}).items()}
    if common is not None:
        columns = {name: [v for v, here in zip(x, common, strict=True) if here] for name, x in columns.items()}
    groups: list[Sequence[str]] = [[name] for name in columns]
    groups += [list(columns)] if len(columns) > 1 else []
    for names in groups:
        keys = list(zip(*(columns[name] for name in names), strict=True))
        known = sorted(dict.fromkeys(keys), key=lambda key: [(x is None, str(x)) for x in key])
        for key in known:
            yield Slice(zip(names, key, strict=True)), np.array([x == key for x in keys])
