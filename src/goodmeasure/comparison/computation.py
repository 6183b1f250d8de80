"""The computations of one comparison: values of all systems on the same items, how they vary together, and tests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.comparison.at_the_margin import Patterns, growth_of_variance
from goodmeasure.comparison.bootstrap import drawn_values
from goodmeasure.comparison.difference_intervals import IMAGINED, SMOOTHED, TANGO, in_agreement, score, tango
from goodmeasure.comparison.group_swaps import work_of_groups
from goodmeasure.comparison.influence import Influences, normal_values
from goodmeasure.comparison.mcnemar import Hits, hits_of, mcnemar
from goodmeasure.comparison.permutation import Swaps
from goodmeasure.comparison.settings import AUTO, ComparisonSettings
from goodmeasure.counts.joint import Joint
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.distributions import students_quantile, students_tails
from goodmeasure.evaluation.intervals.interval import PERKS, Interval, no_interval, quantile
from goodmeasure.evaluation.intervals.interval import SampleWork as SingleWork
from goodmeasure.evaluation.intervals.proportions import shares_of
from goodmeasure.evaluation.intervals.sampling_units import units_of
from goodmeasure.evaluation.p_values import beyond_seen, p_of_draws, two_sided
from goodmeasure.evaluation.scoring import Score, values_and_reasons
from goodmeasure.typing import Array

SystemPair = tuple[int, int]

MOST_DRAWN = 400_000_000  # patterns × replicates × systems: with more, no bootstrap
MOST_SWAPPED = 2_500_000_000  # the same for swaps, over pairs and measures: about fifteen seconds
MOST_WEIGHTED = 1000  # rows of weighted items that are swapped one by one
_MOST_PATTERNS = 1 << 20
BOOTSTRAP, NORMAL, EXACT = "bootstrap", "normal", "exact"


class PairedTest(NamedTuple):
    """A p-value and the test that gave it."""

    p: float
    method: str


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


class Work:
    """What all parts of the comparison of one set of items share."""

    def __init__(
        self, joint: Joint, settings: ComparisonSettings, known: Mapping[str, KnownScores] | None = None
    ) -> None:
        self.settings = settings
        self.measures = [x for x in settings.measures if isinstance(x, Measure)]
        self.joint = _in_order_of_names(joint)
        self._weighted_items = joint if _has_few_weights(joint) else None
        self.systems, self.m = joint.systems, joint.m
        self.samples = [self.joint.sample(k) for k in range(len(joint.systems))]
        self.quiet = settings.policy.quiet
        self._known = [_known_scores(known, name, x) for name, x in zip(self.systems, self.samples, strict=True)]
        # A system that is counted anew gets its intervals by the same method as those that are known
        first = next(iter((known or {}).values()), None)
        self._method, self._prior = (AUTO, PERKS) if first is None else (first.method, first.prior)
        found = [self._values(k) for k in range(len(self.systems))]
        self.values = np.array([[value for value, _ in each] for each in found])  # (systems, measures)
        self.reasons = [[reason for _, reason in each] for each in found]
        self.units = self.joint.items if joint.group is None else joint.groups
        self._pairs: dict[SystemPair, Joint] = {}
        self._tilted: dict[SystemPair, Patterns] = {}
        self._claims: dict[tuple[int, SystemPair, float], tuple[float, float]] = {}
        self._singles: dict[int, tuple[SingleWork, dict[int, int]]] = {}

    def _values(self, k: int) -> list[tuple[float, str | None]]:
        """Return the value of each measure of one system and, where it is undefined or a rule acted, the reason."""
        scores, matrix = self._known[k], self.samples[k].matrix
        if scores is not None:
            return [(x.value, x.reason) for x in scores]
        return values_and_reasons(self.measures, matrix, self.settings.policy)

    @property
    def is_plain(self) -> bool:
        """Return whether items are neither weighted nor grouped."""
        return self.joint.weight is None and self.joint.group is None

    @property
    def chooses(self) -> bool:
        """Return whether the test is chosen by measure and by the amount of work, instead of one test for all."""
        return self.settings.method in (AUTO, EXACT)

    # Sampling variation

    @cached_property
    def draws_items(self) -> bool:
        """Return whether values vary by the bootstrap; otherwise, normal variables with their covariances are drawn."""
        if not self.chooses:
            return self.settings.method != NORMAL
        size, cells = len(self.systems), min(self.m**2, self.joint.rows)
        work = self.joint.rows * size + cells * size * len(self.measures) / 4
        return work * self.settings.replicates <= MOST_DRAWN

    @cached_property
    def drawn(self) -> Array:
        """Return the values (systems, measures, replicates) on the resamples."""
        s = self.settings
        return drawn_values(self.joint, self.measures, s.replicates, s.seed, self.quiet)

    @cached_property
    def influences(self) -> Influences:
        """Return the influences on all measures, on the smoothed measures, and on the ensemble score behind them."""
        worth = float(np.median([units_of(x).worth() for x in self.samples]))
        imagined = IMAGINED * NormalDist().inv_cdf(0.5 + self.settings.confidence / 2) ** 2 * worth
        counts = [x.matrix for x in self.samples]
        found = Influences(self.joint, self.measures, self.quiet, imagined, worth, counts)
        if self.settings.ensemble is not None:
            found.combine(self.settings.ensemble.places, self.settings.ensemble.weights())
        return found

    @cached_property
    def _covariances(self) -> Array:
        return self.influences.covariances()

    def varying(self, i: int) -> Array:
        """Return replicates (systems, replicates) of a measure; the index after the last one means the ensemble."""
        s = self.settings
        if self.draws_items:
            if i < len(self.measures):
                return self.drawn[:, i]
            assert s.ensemble is not None
            return s.ensemble.score(self.drawn)
        here, place = self.values[:, min(i, len(self.measures) - 1)], i
        if i == len(self.measures):
            assert s.ensemble is not None
            here, place = s.ensemble.score(self.values), 2 * i
        known = self.influences.finite[place] & np.isfinite(here)
        by_name = np.argsort(self.systems)  # so that the draws do not depend on the order of the systems
        covariance = self._covariances[place][np.ix_(by_name, by_name)]
        drawn = np.empty((len(self.systems), s.replicates))
        drawn[by_name] = normal_values(np.where(known, here, 0.0)[by_name], covariance, s.replicates, s.seed)
        return np.where(known[:, None], drawn, np.nan)

    # Intervals

    def score_intervals(self, k: int) -> list[Interval]:
        """Return the confidence interval of each measure of one system."""
        scores = self._known[k]
        if scores is not None:
            return [x.interval for x in scores]
        work, known = self._single(k)
        by_place = {i: work.interval(place, self._method) for i, place in known.items()}
        return [by_place.get(i, no_interval("the value is undefined")) for i in range(len(self.measures))]

    def _single(self, k: int) -> tuple[SingleWork, dict[int, int]]:
        """Return what finds intervals of one system, and the places there of the measures that are defined."""
        if k not in self._singles:
            s, known = self.settings, np.flatnonzero(~np.isnan(self.values[k])).tolist()
            measures = [self.measures[i] for i in known]
            values = self.values[k, known].tolist()
            work = SingleWork(
                self.samples[k], measures, s.confidence, s.seed, s.replicates, self.quiet, self._prior, values
            )
            self._singles[k] = work, {i: place for place, i in enumerate(known)}
        return self._singles[k]

    def ensemble_interval(self, k: int) -> tuple[float, float]:
        """Return the smoothed interval of the ensemble score of one system, whose measures must all be defined."""
        together = self.settings.ensemble
        assert together is not None
        if self.units < 2 or self.m < 2:
            return math.nan, math.nan
        work, known = self._single(k)
        weights = zip(together.places, together.weights().tolist(), strict=True)
        low, high = work.smoothed_sum({known[i]: w for i, w in weights}, together.shift())
        return max(low, 0.0), min(high, 1.0)

    def difference_interval(self, i: int, pair: SystemPair, p: float) -> Interval:
        """Return the confidence interval of the difference of two systems, in agreement with its p-value."""
        here = float(self.values[pair[0], i] - self.values[pair[1], i])
        if math.isnan(here):
            return no_interval("a value is undefined")
        if self.units < 2:
            return no_interval("one item, or one group of them, cannot tell how they vary")
        if self._by_resamples(i):
            found = self._drawn_interval(i, pair, here)
        else:
            found = self._score_interval(i, pair) or self._smoothed_interval(i, pair, here)
        found = in_agreement(found, here, p, 1 - self.settings.confidence)
        return self._up_to_margin(found, i, pair) if found.method == SMOOTHED else found

    def _up_to_margin(self, found: Interval, i: int, pair: SystemPair) -> Interval:
        """Return an interval that lies within the margin only where the tests at the margin allow it."""
        margin, tail = self.settings.margin, (1 - self.settings.confidence) / 2
        if margin is None:
            return found
        above, below = self.margin_tests(i, pair, margin)
        low = min(found.low, -margin) if above >= tail else found.low
        high = max(found.high, margin) if below >= tail else found.high
        return replace(found, low=low, high=high)

    def _by_resamples(self, i: int) -> bool:
        """Return whether a difference has the interval of the bootstrap: by choice, or since the measure may jump."""
        return self.settings.method == BOOTSTRAP or (self.draws_items and self.measures[i].recorded.may_jump(self.m))

    def _drawn_interval(self, i: int, pair: SystemPair, here: float) -> Interval:
        """Return the percentile interval of the paired bootstrap."""
        moved = self.drawn[pair[0], i] - self.drawn[pair[1], i]
        moved = np.sort(moved[~np.isnan(moved)])
        if len(moved) < 2:
            return no_interval("a value is undefined on nearly all resamples")
        tail = (1 - self.settings.confidence) / 2
        low, high = quantile(moved, tail), quantile(moved, 1 - tail)
        return Interval(min(low, here), max(high, here), BOOTSTRAP, float(np.std(moved)))

    def _score_interval(self, i: int, pair: SystemPair) -> Interval | None:
        """Return Tango's interval of a measure that is a share of right answers; None for all other measures.

        Such a measure is low + (high − low)·share, so its difference is that of the shares, scaled.
        """
        found = self._scored_hits(i)
        if found is None:
            return None
        hit, scale = found
        first, second, items = self._alone(pair, hit)
        low, high = tango(first, second, items, self._z)
        low, high = sorted((low * scale, high * scale))
        share = (first + second) / items - ((first - second) / items) ** 2
        return Interval(low, high, TANGO, abs(scale) * math.sqrt(max(0.0, share) / items))

    def _scored_hits(self, i: int) -> tuple[Hits, float] | None:
        """Return which items are hits of a measure that has Tango's interval, and the scale of the measure."""
        shares, hit = shares_of(self.measures[i], self.m), self._hits[i]
        if hit is None or shares is None or shares.ends is None or not (self.chooses and self.is_plain):
            return None
        return hit, shares.ends[1] - shares.ends[0]

    def _smoothed_difference(self, i: int, pair: SystemPair) -> tuple[float, float]:
        """Return the difference of the smoothed values and its standard error."""
        middle = float(self.influences.smoothed[i, pair[0]] - self.influences.smoothed[i, pair[1]])
        return middle, self.standard_error(i + len(self.measures), pair)

    def _smoothed_interval(self, i: int, pair: SystemPair, here: float) -> Interval:
        """Return the interval around the difference of smoothed values; it holds the observed difference."""
        middle, error = self._smoothed_difference(i, pair)
        if math.isnan(error) or math.isnan(middle):
            return no_interval("the measure has no derivative here")
        reach = self._z * error
        least, most = self._widest(self.measures[i])
        low, high = max(middle - reach, least), min(middle + reach, most)
        return Interval(min(low, here), max(high, here), SMOOTHED, error)

    def margin_tests(self, i: int, pair: SystemPair, margin: float) -> tuple[float, float]:
        """Return one-sided p-values: that the true difference is above −margin, and that it is below +margin.

        At the level α, both claims are shown only where the interval of the difference with the confidence level 1 − 2α
        lies between −margin and +margin.
        """
        here = float(self.values[pair[0], i] - self.values[pair[1], i])
        if math.isnan(here) or self.units < 2:
            return math.nan, math.nan
        if self._by_resamples(i):
            return self._drawn_margin(i, pair, margin)
        if self._widest(self.measures[i])[1] < margin:
            return 0.0, 0.0
        hit = self._scored_hits(i)
        if hit is not None:
            counts, wide = self._alone(pair, hit[0]), margin / abs(hit[1])
            return self._upper(score(*counts, -wide), None), self._upper(-score(*counts, wide), None)
        middle, error = self._smoothed_difference(i, pair)
        if math.isnan(error) or math.isnan(middle):
            return math.nan, math.nan
        if (i, pair, margin) not in self._claims:
            self._claims[i, pair, margin] = self._smoothed_margin(i, pair, margin, (here, middle, error))
        return self._claims[i, pair, margin]

    def _smoothed_margin(
        self, i: int, pair: SystemPair, margin: float, found: tuple[float, float, float]
    ) -> tuple[float, float]:
        """Return the p-values of both claims where they are tested by the smoothed interval and at the margin.

        A claim needs both: the interval must keep within the margin, and the observed difference must be too far from
        the margin for systems that differ by it. The second is not asked where the first says no.
        """
        here, middle, error = found
        freedom = self._freedom_at_margin(pair)
        inside, apart = (min(middle, here) + margin, margin - max(middle, here)), (here + margin, margin - here)
        p = [self._upper(_over(x, error), freedom) for x in inside]
        asked = [k for k in range(2) if p[k] < 0.5 and error > 0]
        patterns = self._patterns(pair).at(np.zeros(len(asked), int))
        growth = growth_of_variance(self.measures[i], patterns, np.array([-margin, margin])[asked], self.quiet)
        for k, times in zip(asked, growth.tolist(), strict=True):
            p[k] = max(p[k], self._upper(apart[k] / (error * math.sqrt(times)), freedom))
        return p[0], p[1]

    def _freedom_at_margin(self, pair: SystemPair) -> float | None:
        """Return the degrees of freedom of the tests at the margin; None for the normal distribution.

        With skewed weights, the few heavy items on which the systems disagree determine the variance, so that the
        effective number of these items counts.
        """
        if self.joint.group is not None or self.joint.weight is None:
            return self._freedom
        return max(1.0, self._patterns(pair).effective_disagreements() - 1)

    def _patterns(self, pair: SystemPair) -> Patterns:
        """Return how often the two systems have each pattern of labels, with imagined items; first the first system."""
        if pair not in self._tilted:
            joint = self.pair(pair)
            if joint.systems[0] != self.systems[pair[0]]:
                joint = replace(joint, systems=joint.systems[::-1], pred=joint.pred[::-1])
            self._tilted = {pair: Patterns.of(joint, self.influences.imagined, self.influences.worth)}
        return self._tilted[pair]

    def _drawn_margin(self, i: int, pair: SystemPair, margin: float) -> tuple[float, float]:
        """Return the shares of resamples on which the difference is at or beyond either end of the margin."""
        moved = self.drawn[pair[0], i] - self.drawn[pair[1], i]
        moved = moved[~np.isnan(moved)]
        if len(moved) < 2:
            return math.nan, math.nan
        low, high = float((moved <= -margin).sum()), float((moved >= margin).sum())
        return p_of_draws(low, len(moved)), p_of_draws(high, len(moved))

    def _upper(self, z: float, freedom: float | None) -> float:
        """Return the probability of a value above z, by Student's t or, without degrees of freedom, the normal one."""
        tails = two_sided(z) if freedom is None else students_tails(z, freedom) if math.isfinite(z) else 0.0
        return tails / 2 if z > 0 else 1 - tails / 2

    def _widest(self, f: Measure) -> tuple[float, float]:
        """Return the least and the greatest difference that two values of a measure can have."""
        width = math.inf if f.range is None else f.range[1] - f.range[0]
        return -width, width

    @cached_property
    def _z(self) -> float:
        """Return how many standard errors an interval reaches to each side: with groups, by Student's t."""
        if self._freedom is None:
            return NormalDist().inv_cdf(0.5 + self.settings.confidence / 2)
        return students_quantile(0.5 + self.settings.confidence / 2, self._freedom)

    @cached_property
    def _freedom(self) -> float | None:
        """Return the degrees of freedom of variances between groups; None where there are no groups.

        Large groups determine the variance, so the effective number of groups counts, as for single systems.
        """
        if self.joint.group is None:
            return None
        totals = np.bincount(self.joint.group, self.joint.mass, minlength=self.joint.groups)
        return max(1.0, float(totals.sum() ** 2 / (totals**2).sum()) - 1)

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

    # Tests

    @cached_property
    def _hits(self) -> list[Hits | None]:
        return [hits_of(f, self.m) for f in self.measures]

    def tests(
        self, wanted: dict[SystemPair, list[int]], together: int | None = None
    ) -> dict[tuple[SystemPair, int], PairedTest]:
        """Return the test of each pair under each of its measures; at most `together` of them are corrected jointly."""
        found: dict[tuple[SystemPair, int], PairedTest] = {}
        swaps = self._can_swap(wanted, together)
        for pair, places in wanted.items():
            rest = []
            for i in places:
                if np.isnan(self.values[list(pair), i]).any():
                    found[pair, i] = PairedTest(math.nan, "none: a value is undefined")
                elif (hit := self._hits[i]) is not None and self.chooses and self.is_plain:
                    found[pair, i] = self._mcnemar(pair, hit)
                else:
                    rest.append(i)
            if rest and swaps:
                work = self._swaps(pair)
                chosen = [self.measures[i] for i in rest]
                p = work.p_values(chosen, self.settings.replicates, self.settings.seed)
                found |= {(pair, i): PairedTest(*one) for i, one in zip(rest, p, strict=True)}
            elif rest:
                by = self._bootstrap if self.settings.method == BOOTSTRAP else self._normal
                found |= {(pair, i): by(i, pair) for i in rest}
        return found

    def pair(self, pair: SystemPair) -> Joint:
        """Return the joint counts of two systems, by pattern; first the one whose name comes first.

        So what is drawn does not depend on the order in which systems are given.
        """
        first, second = sorted(pair, key=lambda k: self.systems[k])
        if (first, second) not in self._pairs:
            self._pairs[first, second] = self.joint.of(first, second)
        return self._pairs[first, second]

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

    def _can_swap(self, wanted: dict[SystemPair, list[int]], together: int | None) -> bool:
        """Return whether permutation tests are affordable, and have enough resamples for many tests.

        The smallest p-value of r random swaps is 1/(r + 1). Corrected over k tests it is at least k/(r + 1), so that
        with many tests nothing could ever be significant: then the normal test is used instead.
        """
        if not self.chooses:
            return self.settings.method == "permutation"
        number = max((len(x) for x in _by_measure(wanted).values()), default=0) if together is None else together
        if number > (1 - self.settings.confidence) * (self.settings.replicates + 1):
            return False
        tests = sum(len(x) for x in wanted.values())
        cells = min(self.m**3, self.joint.rows) + 4 * self.m**2
        work = tests * (6 * cells + 1000.0)
        if self.joint.group is not None:
            work += len(wanted) * work_of_groups(
                self.joint.rows, self.joint.groups, self.m, tests // max(1, len(wanted))
            )
        return work * self.settings.replicates <= MOST_SWAPPED

    def _mcnemar(self, pair: SystemPair, hit: Hits) -> PairedTest:
        """Return McNemar's test of the items that only one of the two systems gets right."""
        first, second, _ = self._alone(pair, hit)
        exact = self.settings.method == EXACT
        return PairedTest(mcnemar(first, second, mid=not exact), "exact McNemar" if exact else "mid-p McNemar")

    def _alone(self, pair: SystemPair, hit: Hits) -> tuple[int, int, int]:
        """Return how many items only the first system gets right, how many only the second, and how many count."""
        joint = self.pair(pair)
        one, two = (hit.right(joint.true, x) for x in joint.pred)
        among = hit.counted(joint.true)
        one, two = one & among, two & among
        found = [x if joint.number is None else joint.number[x] for x in (one & ~two, two & ~one, among)]
        first, second, items = (int(x.sum()) for x in found)
        return (first, second, items) if joint.systems[0] == self.systems[pair[0]] else (second, first, items)

    def _normal(self, i: int, pair: SystemPair) -> PairedTest:
        """Return the normal test of the difference over its standard error."""
        difference, error = float(self.values[pair[0], i] - self.values[pair[1], i]), self.standard_error(i, pair)
        if difference == 0 and error == 0:
            return PairedTest(1.0, NORMAL)
        if math.isnan(error) or error == 0 or self.units < 2:
            return PairedTest(math.nan, "none: the difference has no standard error here")
        if self._freedom is not None:
            return PairedTest(students_tails(difference / error, self._freedom), "t-test of the groups")
        return PairedTest(two_sided(difference / error), NORMAL)

    def _bootstrap(self, i: int, pair: SystemPair) -> PairedTest:
        """Return the bootstrap test, with resampled differences shifted to the null hypothesis of no difference.

        The differences on resamples vary around the observed difference as observed ones would vary around the true
        one. So their distances from the observed difference stand for the distances from 0 that occur where the true
        difference is 0 (the shift method: Noreen 1989). The p-value is the share of resamples on which the distance is
        at least as large as the observed difference.
        """
        here = float(self.values[pair[0], i] - self.values[pair[1], i])
        moved = np.abs(self.drawn[pair[0], i] - self.drawn[pair[1], i] - here)
        return PairedTest(p_of_draws(float(beyond_seen(moved, abs(here))), len(moved)), BOOTSTRAP)


def _over(distance: float, error: float) -> float:
    """Return a distance in standard errors; infinite where the error is 0."""
    return distance / error if error > 0 else math.copysign(math.inf, distance)


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


def _by_measure(wanted: dict[SystemPair, list[int]]) -> dict[int, list[SystemPair]]:
    found: dict[int, list[SystemPair]] = {}
    for pair, places in wanted.items():
        for i in places:
            found.setdefault(i, []).append(pair)
    return found
