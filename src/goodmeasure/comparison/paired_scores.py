"""Scores of systems on the same items, all of them or a sample, and how what a comparison asks follows from them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.catalogue.scores.sketch_error import sketch_error
from goodmeasure.comparison.paired_data import BOOTSTRAP, DifferenceSpread, PairedData, SystemPair
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample, Slice
from goodmeasure.counts.scores.score_input import column_of
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.intervals.interval import Interval
from goodmeasure.evaluation.p_values import p_of_draws
from goodmeasure.evaluation.scores.reading_scores import ScoreData
from goodmeasure.evaluation.scores.uncertainty import DELONG, INFLUENCES, Uncertainty, freedom_of, is_roc
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array, ArrayLike


class PairedScores(PairedData):
    """The scores of all systems on one set of items.

    Where the influence of each item on a measure is known for all systems, the variance of a difference is that of the
    differences of influences: for the area under the ROC curve this is the test of DeLong, DeLong and Clarke-Pearson
    (1988). Elsewhere the same items are drawn for all systems.
    """

    no_error = "it has no standard error here"

    def __init__(self, data: Mapping[str, Scored], settings: ComparisonSettings) -> None:
        self.data, self.settings = list(data.values()), settings
        self.measures = [x for x in settings.measures if isinstance(x, ScoreMeasure)]
        self.quantities = self.measures
        self.systems = tuple(data)
        first = self.data[0]
        self.labels, self.items, self.group = first.labels, len(first), first.units
        options = settings.confidence, settings.seed, settings.replicates
        self.single = [Uncertainty(x, *options) for x in self.data]
        self.paired = [Uncertainty(x, *options, paired=True) for x in self.data]
        self.draws_items = settings.method == BOOTSTRAP
        self._influences: dict[int, Array | None] = {}
        self._drawn: dict[int, Array] = {}
        self._measure(self.data)

    def _measure(self, data: Sequence[Scored]) -> None:
        """Set the value of each system under each measure, and the reasons where one is undefined."""
        found = [[f.of(x, self.settings.policy) for f in self.measures] for x in data]
        self.values = np.array([[value for value, _ in each] for each in found])
        self.reasons = [[reason for _, reason in each] for each in found]
        self.samples = [Sample(ConfusionMatrix(np.diag(data[0].sizes), data[0].labels)) for _ in self.systems]

    def score_intervals(self, k: int) -> list[Interval]:
        return [self.single[k].interval(f, float(self.values[k, i])) for i, f in enumerate(self.measures)]

    # Influence

    def influences(self, i: int) -> Array | None:
        """Return the influences (systems, items) on a measure; None where they are not known for all systems."""
        if i not in self._influences:
            found = [None if self.draws_items else self.measures[i].definition.influences(x) for x in self.data]
            known = [x for x in found if x is not None]
            self._influences[i] = np.stack(known) if len(known) == len(found) else None
        return self._influences[i]

    def covariance(self, i: int) -> Array | None:
        moved = self.by_unit(i)
        return None if moved is None else moved @ moved.T

    def by_unit(self, i: int) -> Array | None:
        found, groups = self.influences(i), self.single[0].dependence
        return found if found is None or groups is None else np.stack([groups.summed(x) for x in found])

    def spread(self, i: int, pair: SystemPair) -> DifferenceSpread | None:
        found, first = self.influences(i), self.data[0]
        if found is None:
            return None
        apart, groups = found[pair[0]] - found[pair[1]], self.single[0].dependence
        # Where a few items decide, as those of a rare class do, the normal test rejects too often: 8% for areas under
        # the ROC curve with 10 of 1,000 items positive. Three times (Σu²)²/Σu⁴ is the number of normal influences u.
        if groups is not None:
            freedom = self.single[0].freedom_of_groups(self.measures[i].definition, apart)
        else:
            freedom = max(1.0, min(self.single[0].units - 1, 3 * freedom_of(apart, first)))
        roc = is_roc(self.measures[i].definition)
        if roc and first.units is None and first.item_weights is None:
            apart = apart * self._of_both_classes
        error = self.single[0].deviation_of(apart)
        return DifferenceSpread(self.difference(i, pair), error, freedom, DELONG if roc else INFLUENCES)

    def smoothed(self, i: int, pair: SystemPair) -> DifferenceSpread | None:
        found = self.spread(i, pair)
        return None if found is None else found._replace(method=INFLUENCES)

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

    # Units

    def untested(self, i: int, pair: SystemPair) -> str | None:
        if not math.isfinite(self.difference(i, pair)):
            return "a value is infinite" if np.isinf(self.values[list(pair), i]).any() else "a value is undefined"
        return self.single[0].unable()

    # Resamples

    def drawn(self, i: int) -> Array:
        if i not in self._drawn:
            self._drawn[i] = np.stack([work.drawn(self.measures[i]) for work in self.paired])
        return self._drawn[i]

    def varying(self, i: int) -> Array:
        """Return how the values of a measure vary; NaN where resamples cannot tell."""
        can_vary = self.single[0].unable() is None and np.isfinite(self.values[:, i]).all()
        if self.influences(i) is None and not can_vary:
            return np.full((len(self.systems), 2), np.nan)
        return super().varying(i)

    def p_of_resamples(self, i: int, pair: SystemPair) -> float:
        """Return the p-value of the paired bootstrap: how far 0 lies in the tails of the drawn differences.

        It is that of the smallest difference that a sketch of the scores allows.
        """
        here, off = self.difference(i, pair), self.uncertain_by(i, pair)
        if off and abs(here) <= off:
            return 1.0
        drawn = self.moved(i, pair) - math.copysign(off, here)
        if len(drawn) < 2:
            return math.nan
        low, high = float((drawn <= 0).sum()), float((drawn >= 0).sum())
        return min(1.0, 2 * p_of_draws(min(low, high), len(drawn)))


class SampledScores(PairedScores):
    """Scores that are too large for memory: values of all items, and a random sample of these.

    Influences and resamples come from the sample. It holds a share of the items, so what varies on it has 1/share times
    the variance that it has on all. Values that come from a sketch are off by at most what the sketch allows, by which
    intervals are widened and differences shortened before they are tested.
    """

    def __init__(
        self, whole: Mapping[str, Scored], sample: Mapping[str, Scored], share: float, settings: ComparisonSettings
    ) -> None:
        super().__init__(sample, settings)
        self.share, self.sampled, self.whole = share, self.values, list(whole.values())
        self._measure(self.whole)
        self.errors = np.array([
            [(sketch_error(f.definition, x, float(value)) or 0.0) if x.is_sketch else 0.0
             for f, value in zip(self.measures, values, strict=True)]
            for x, values in zip(self.whole, self.values, strict=True)
        ])  # fmt: skip
        self.items, self.group = self.whole[0].items, None

    def influences(self, i: int) -> Array | None:
        """Return the influences (systems, sampled items), scaled to what they are among all items."""
        found = super().influences(i)
        return None if found is None else found * math.sqrt(self.share)

    def drawn(self, i: int) -> Array:
        """Return the values on resamples, with the spread that they have with all items."""
        away = super().drawn(i) - self.sampled[:, i, None]
        found: Array = self.values[:, i, None] + away * math.sqrt(self.share)
        return found

    def score_intervals(self, k: int) -> list[Interval]:
        s = self.settings
        alone = Uncertainty(self.whole[k], s.confidence, s.seed, s.replicates)
        return [alone.interval(f, float(self.values[k, i])) for i, f in enumerate(self.measures)]


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
