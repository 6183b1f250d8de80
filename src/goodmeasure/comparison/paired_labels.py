"""Labels of systems on the same items: how often each pattern of labels occurs answers what a comparison asks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.comparison.at_the_margin import Patterns, growth_of_variance
from goodmeasure.comparison.bootstrap import drawn_values
from goodmeasure.comparison.difference_intervals import IMAGINED, SMOOTHED
from goodmeasure.comparison.ensemble import Ensemble
from goodmeasure.comparison.group_swaps import work_of_groups
from goodmeasure.comparison.influence import Influences
from goodmeasure.comparison.mcnemar import Hits, hits_of
from goodmeasure.comparison.paired_data import (
    BOOTSTRAP,
    NORMAL,
    STUDENT,
    AtMargin,
    DifferenceSpread,
    Discordant,
    PairedData,
    PairedTest,
    PermutationTests,
    SystemPair,
    WantedTests,
)
from goodmeasure.comparison.permutation import PERMUTATION, Swaps
from goodmeasure.comparison.settings import AUTO, EXACT, ComparisonSettings
from goodmeasure.counts.joint import Joint
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.interval import Interval, SampleWork, no_interval
from goodmeasure.evaluation.intervals.proportions import shares_of
from goodmeasure.evaluation.intervals.sampling_units import units_of
from goodmeasure.evaluation.scoring import Score, values_and_reasons
from goodmeasure.options import PERKS
from goodmeasure.typing import Array

MOST_DRAWN = 400_000_000  # patterns × replicates × systems: with more, no bootstrap
MOST_SWAPPED = 2_500_000_000  # the same for swaps, over pairs and measures: about fifteen seconds
MOST_WEIGHTED = 1000  # rows of weighted items that are swapped one by one
_MOST_PATTERNS = 1 << 20
_MOST_NUMBERS = 10_000_000  # influences that correlations of measures come from


class KnownScores(NamedTuple):
    """What `evaluate` found for one system: its counts, and the score of each measure, with the method of intervals."""

    sample: Sample
    scores: Sequence[Score]
    method: str = AUTO
    prior: float | str = PERKS


def _known_scores(known: Mapping[str, KnownScores] | None, system: str, sample: Sample) -> Sequence[Score] | None:
    """Return the known scores of a system; None if there are none, or if they belong to other counts."""
    scored = None if known is None else known.get(system)
    return scored.scores if scored is not None and _same_counts(scored.sample, sample) else None


def _same_counts(one: Sample, two: Sample) -> bool:
    """Return whether two samples of one system count the same items, given that the second has no others."""
    if one.matrix != two.matrix or (one.groups is None) != (two.groups is None):
        return False
    pairs = ((one.items, two.items), (one.squares, two.squares))
    return all(x is y or (x is not None and y is not None and np.array_equal(x, y)) for x, y in pairs)


class PairedLabels(PairedData):
    """The labels of all systems on one set of items."""

    def __init__(
        self, joint: Joint, settings: ComparisonSettings, known: Mapping[str, KnownScores] | None = None
    ) -> None:
        self.settings = settings
        self.measures = [x for x in settings.measures if isinstance(x, Measure)]
        self.quantities = self.measures
        self.joint = _in_order_of_names(joint)
        self._weighted_items = joint if _has_few_weights(joint) else None
        self.systems, self.m, self.group = joint.systems, joint.m, joint.group
        self.labels, self.items = joint.labels, joint.items
        self.samples = [self.joint.sample(k) for k in range(len(joint.systems))]
        self.quiet = settings.policy.quiet
        self._known = [_known_scores(known, name, x) for name, x in zip(self.systems, self.samples, strict=True)]
        # A system that is counted anew gets its intervals by the same method as those that are known
        first = next(iter((known or {}).values()), None)
        self._method, self._prior = (AUTO, PERKS) if first is None else (first.method, first.prior)
        found = [self._values(k) for k in range(len(self.systems))]
        self.values = np.array([[value for value, _ in each] for each in found])
        self.reasons = [[reason for _, reason in each] for each in found]
        self.units = self.joint.items if joint.group is None else joint.groups
        # Whether the test is chosen by measure and by the amount of work, instead of one test for all
        self.chooses = settings.method in (AUTO, EXACT)
        self.draws_items = settings.method != NORMAL if not self.chooses else self._can_draw()
        self._is_plain = joint.weight is None and joint.group is None
        self._pairs: dict[SystemPair, Joint] = {}
        self._tilted: dict[SystemPair, Patterns] = {}
        self._singles: dict[int, tuple[SampleWork, dict[int, int]]] = {}

    # Values

    def _values(self, k: int) -> list[tuple[float, str | None]]:
        """Return the value of each measure of one system and, where it is undefined or a rule acted, the reason."""
        scores, matrix = self._known[k], self.samples[k].matrix
        if scores is not None:
            return [(x.value, x.reason) for x in scores]
        return values_and_reasons(self.measures, matrix, self.settings.policy)

    def score_intervals(self, k: int) -> list[Interval]:
        scores = self._known[k]
        if scores is not None:
            return [x.interval for x in scores]
        work, known = self._single(k)
        by_place = {i: work.interval(place, self._method) for i, place in known.items()}
        return [by_place.get(i, no_interval("the value is undefined")) for i in range(len(self.measures))]

    def _single(self, k: int) -> tuple[SampleWork, dict[int, int]]:
        """Return what finds intervals of one system, and the places there of the measures that are defined."""
        if k not in self._singles:
            s, known = self.settings, np.flatnonzero(~np.isnan(self.values[k])).tolist()
            measures = [self.measures[i] for i in known]
            values = self.values[k, known].tolist()
            work = SampleWork(
                self.samples[k], measures, s.confidence, s.seed, s.replicates, self.quiet, self._prior, values
            )
            self._singles[k] = work, {i: place for place, i in enumerate(known)}
        return self._singles[k]

    def ensemble(self) -> tuple[Array, Array, list[tuple[float, float]]] | None:
        together = self.settings.ensemble
        if together is None:
            return None
        scores = together.score(self.values)
        covariance = self._known_covariance(2 * len(self.measures)) if not self.draws_items else None
        varying = together.score(self._drawn) if covariance is None else self._normal(scores, covariance)
        return scores, varying, [self._ensemble_interval(k, together, score) for k, score in enumerate(scores.tolist())]

    def _ensemble_interval(self, k: int, together: Ensemble, score: float) -> tuple[float, float]:
        """Return the smoothed interval of the ensemble score of one system."""
        if self.units < 2 or self.m < 2 or math.isnan(score):
            return math.nan, math.nan
        work, known = self._single(k)
        weights = zip(together.places, together.weights().tolist(), strict=True)
        low, high = work.smoothed_sum({known[i]: w for i, w in weights}, together.shift())
        return max(low, 0.0), min(high, 1.0)

    # Influence

    @cached_property
    def influences(self) -> Influences:
        """Return the influences on all measures, on the smoothed measures, and on the ensemble score behind them."""
        worth = float(np.median([units_of(x).worth() for x in self.samples]))
        imagined = IMAGINED * NormalDist().inv_cdf(0.5 + self.settings.confidence / 2) ** 2 * worth
        counts = [x.matrix for x in self.samples]
        found = Influences(self.joint, counts, self.measures, self.quiet, imagined, worth)
        if self.settings.ensemble is not None:
            found.combine(self.settings.ensemble.places, self.settings.ensemble.weights())
        return found

    @cached_property
    def _covariances(self) -> Array:
        return self.influences.covariances()

    def covariance(self, i: int) -> Array | None:
        return None if self.draws_items else self._known_covariance(i)

    def _known_covariance(self, i: int) -> Array:
        """Return the covariances of a measure, NaN where it has no derivative; the ensemble follows behind."""
        finite = self.influences.finite[i]
        return np.where(finite[:, None] & finite, self._covariances[i], np.nan)

    def by_unit(self, i: int) -> Array | None:
        if self.units < 2:
            return None
        step = 1 + self.joint.rows * len(self.systems) * len(self.measures) // _MOST_NUMBERS
        return self.influences.by_unit(i, slice(None, None, step)) if self.influences.finite[i].all() else None

    def spread(self, i: int, pair: SystemPair) -> DifferenceSpread | None:
        if self.settings.method == BOOTSTRAP:
            return None
        error = self.standard_error(i, pair) if self.units > 1 else 0.0
        freedom = self.influences.freedom(i, pair)
        return DifferenceSpread(self.difference(i, pair), error, freedom, NORMAL if freedom is None else STUDENT)

    def smoothed(self, i: int, pair: SystemPair) -> DifferenceSpread | None:
        """Return the difference of the smoothed values; None if resamples are chosen, or since the measure may jump."""
        if self.settings.method == BOOTSTRAP or (self.draws_items and self.measures[i].recorded.may_jump(self.m)):
            return None
        middle = float(self.influences.smoothed[i, pair[0]] - self.influences.smoothed[i, pair[1]])
        place = i + len(self.measures)
        return DifferenceSpread(
            middle, self.standard_error(place, pair), self.influences.freedom(place, pair), SMOOTHED
        )

    def standard_error(self, i: int, pair: SystemPair) -> float:
        """Return the standard error of a difference by the delta method; NaN where a measure has no derivative.

        The variance is Var(x) + Var(y) − 2 Cov(x, y). For two systems that say the same it is 0 but for rounding, which
        is recognised relative to Var(x) + Var(y). Measures on smoothed matrices follow behind the plain ones.
        """
        k, j = pair
        if not self.influences.finite[i, [k, j]].all():
            return math.nan
        covariance = self._covariances[i]
        scale = covariance[k, k] + covariance[j, j]
        variance = scale - 2 * covariance[k, j]
        return math.sqrt(variance) if variance > 1e-13 * scale else 0.0

    def at_margin(self, i: int, pair: SystemPair) -> AtMargin:
        """Return how the difference varies at a margin.

        With skewed weights, the few heavy items on which the systems disagree determine the variance, so that the
        effective number of these items counts.
        """

        def growth(wanted: Array) -> Array:
            patterns = self._patterns(pair).at(np.zeros(len(wanted), int))
            return growth_of_variance(self.measures[i], patterns, wanted, self.quiet)

        if self.joint.group is not None or self.joint.weight is None:
            return AtMargin(self.influences.freedom(i, pair), growth)
        return AtMargin(max(1.0, self._patterns(pair).effective_disagreements() - 1), growth)

    def _patterns(self, pair: SystemPair) -> Patterns:
        """Return how often the two systems have each pattern of labels, with imagined items; first the first system."""
        if pair not in self._tilted:
            joint = self.pair(pair)
            if joint.systems[0] != self.systems[pair[0]]:
                joint = replace(joint, systems=joint.systems[::-1], pred=joint.pred[::-1])
            self._tilted = {pair: Patterns.of(joint, self.influences.imagined, self.influences.worth)}
        return self._tilted[pair]

    # Pairs

    @cached_property
    def _hits(self) -> list[Hits | None]:
        return [hits_of(f, self.m) if self.chooses and self._is_plain else None for f in self.measures]

    def discordant(self, i: int, pair: SystemPair) -> Discordant | None:
        hit = self._hits[i]
        if hit is None:
            return None
        joint, shares = self.pair(pair), shares_of(self.measures[i], self.m)
        one, two = (hit.right(joint.true, x) for x in joint.pred)
        among = hit.counted(joint.true)
        one, two = one & among, two & among
        found = [x if joint.number is None else joint.number[x] for x in (one & ~two, two & ~one, among)]
        first, second, items = (int(x.sum()) for x in found)
        if joint.systems[0] != self.systems[pair[0]]:
            first, second = second, first
        ends = None if shares is None else shares.ends
        return Discordant(first, second, items, None if ends is None else ends[1] - ends[0])

    def pair(self, pair: SystemPair) -> Joint:
        """Return the joint counts of two systems, by pattern; first the one whose name comes first.

        So what is drawn does not depend on the order in which systems are given.
        """
        first, second = sorted(pair, key=lambda k: self.systems[k])
        if (first, second) not in self._pairs:
            self._pairs[first, second] = self.joint.of(first, second)
        return self._pairs[first, second]

    def permutation_tests(self, wanted: WantedTests, together: int | None) -> PermutationTests | None:
        """Return what makes permutation tests, if they are affordable, and have enough resamples for many tests.

        The smallest p-value of r random swaps is 1/(r + 1). Corrected over k tests it is at least k/(r + 1), so that
        with many tests nothing could ever be significant: then the normal test is used instead.
        """
        if not self.chooses:
            return self._permuted if self.settings.method == PERMUTATION else None
        number = max(Counter(i for places in wanted.values() for i in places).values(), default=0)
        if (together or number) > (1 - self.settings.confidence) * (self.settings.replicates + 1):
            return None
        tests = sum(len(x) for x in wanted.values())
        cells = min(self.m**3, self.joint.rows) + 4 * self.m**2
        work = tests * (6 * cells + 1000.0)
        if self.joint.group is not None:
            work += len(wanted) * work_of_groups(
                self.joint.rows, self.joint.groups, self.m, tests // max(1, len(wanted))
            )
        return self._permuted if work * self.settings.replicates <= MOST_SWAPPED else None

    def _permuted(self, pair: SystemPair, places: list[int]) -> list[PairedTest]:
        """Return the permutation test of a pair under each measure."""
        measures = [self.measures[i] for i in places]
        return [
            PairedTest(*x) for x in self._swaps(pair).p_values(measures, self.settings.replicates, self.settings.seed)
        ]

    def _swaps(self, pair: SystemPair) -> Swaps:
        """Return the swaps of two systems: by pattern or, for few weighted items, item by item.

        The weight of a random half of the items of a pattern is approximated by that of items of one weight. Where a
        pattern has few items, one of which is heavy, that is too rough, and the test would reject too often.
        """
        if self._weighted_items is None:
            return Swaps(self.pair(pair), self.quiet)
        items, (first, second) = self._weighted_items, sorted(pair, key=lambda k: self.systems[k])
        order = np.lexsort((items.mass, items.pred[second], items.pred[first], items.true))
        rows = replace(items.taken(order), systems=(self.systems[first], self.systems[second]))
        return Swaps(replace(rows, pred=rows.pred[[first, second]]), self.quiet, singly=True)

    # Units

    def untested(self, i: int, pair: SystemPair) -> str | None:
        return "a value is undefined" if np.isnan(self.values[list(pair), i]).any() else None

    def unvaried(self, i: int, pair: SystemPair) -> str | None:
        few = "one item, or one group of them, cannot tell how they vary" if self.units < 2 else None
        return PairedData.untested(self, i, pair) or few

    # Resamples

    def _can_draw(self) -> bool:
        """Return whether the bootstrap is affordable."""
        size, cells = len(self.systems), min(self.m**2, self.joint.rows)
        work = self.joint.rows * size + cells * size * len(self.measures) / 4
        return work * self.settings.replicates <= MOST_DRAWN

    @cached_property
    def _drawn(self) -> Array:
        """Return the values (systems, measures, replicates) on the resamples."""
        s = self.settings
        return drawn_values(self.joint, self.measures, s.replicates, s.seed, self.quiet)

    def drawn(self, i: int) -> Array:
        found: Array = self._drawn[:, i]
        return found


def _has_few_weights(joint: Joint) -> bool:
    """Return whether items are weighted, and few enough to be swapped one by one."""
    return joint.weight is not None and joint.group is None and joint.rows <= MOST_WEIGHTED


def _in_order_of_names(joint: Joint) -> Joint:
    """Return the data by pattern, unless there are very many, in an order that does not depend on that of the systems.

    Patterns are sorted by the labels of the systems one after the other, so these are sorted by name first.
    """
    order = np.array(sorted(range(len(joint.systems)), key=lambda k: joint.systems[k]))
    most = min(_MOST_PATTERNS, max(1000, joint.rows // 2))
    found = replace(joint, pred=joint.pred[order]).by_pattern(most)
    return replace(found, pred=found.pred[np.argsort(order)])
