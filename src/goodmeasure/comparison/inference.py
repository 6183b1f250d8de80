"""Tests and intervals of differences, for any kind of data and for several kinds at once.

The test of a difference counts the items that only one of two systems gets right (McNemar), or swaps what the two say
(permutation), wherever the data allow it. Otherwise it compares the difference with its standard error or, where that
is not known, with resamples. Intervals agree with the tests (`difference_intervals.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import NormalDist

import numpy as np

from goodmeasure.comparison.difference_intervals import SMOOTHED, TANGO, in_agreement, score, tango
from goodmeasure.comparison.paired_data import (
    BOOTSTRAP,
    Discordant,
    PairedData,
    PairedTest,
    SystemPair,
    WantedTests,
)
from goodmeasure.comparison.settings import EXACT, ComparedQuantity
from goodmeasure.evaluation.intervals.distributions import students_quantile, students_tails
from goodmeasure.evaluation.intervals.interval import Interval, no_interval, quantile
from goodmeasure.evaluation.joint_tests import MOST_JOINT, draws_for, normal_values, step_down
from goodmeasure.evaluation.p_values import holm, mcnemar, p_of_draws, two_sided
from goodmeasure.typing import Array

Tests = dict[tuple[SystemPair, int], PairedTest]
_SAME = 1e-13  # relative: a smaller variance of a difference is a rounding error


class Inference:
    """Systems compared in the quantities of one or several kinds of data about them, one kind after the other."""

    def __init__(self, *parts: PairedData) -> None:
        self.parts, first = parts, parts[0]
        self.systems, self.samples, self.columns = first.systems, first.samples, first.columns
        self.draws_items = first.draws_items
        self.labels, self.items, self.group = parts[-1].labels, parts[-1].items, parts[-1].group
        self.settings = replace(first.settings, measures=tuple(f for x in parts for f in x.settings.measures))
        self.quantities = [f for x in parts for f in x.quantities]
        self.values = np.concatenate([x.values for x in parts], axis=1)
        self.reasons = [[why for x in parts for why in x.reasons[k]] for k in range(len(self.systems))]
        self._places = [(x, i) for x in parts for i in range(len(x.quantities))]
        self._claims: dict[tuple[int, SystemPair, float], tuple[float, float]] = {}
        self._tail = (1 - self.settings.confidence) / 2

    def family(self, *, winners: bool = False) -> int:
        """Return the number of tests that p-values are corrected for."""
        return self.settings.family(len(self.systems), winners=winners, quantities=len(self.quantities))

    def varying(self, i: int) -> Array:
        """Return how the values of a quantity vary (systems, replicates)."""
        data, place = self._places[i]
        return data.varying(place)

    def named(self, i: int) -> dict[str, str | None]:
        """Return the columns of a row that name a quantity."""
        data, place = self._places[i]
        return data.named(place)

    def score_intervals(self, k: int) -> list[Interval]:
        """Return the confidence interval of each value of one system."""
        return [x for data in self.parts for x in data.score_intervals(k)]

    # Tests

    def jointly(self, tests: Tests, pairs: Sequence[SystemPair]) -> dict[tuple[SystemPair, int], float]:
        """Return the p-values corrected over these pairs and all quantities together, as `joint_tests.py` says.

        The correlations are those of what each unit moves. Kinds of data, and quantities whose influences are not
        known, count as independent of each other, which can only make p-values larger (Šidák 1967).
        """
        keys = [(pair, i) for i in range(len(self.quantities)) for pair in pairs]
        p = [tests[key].p if key in tests else math.nan for key in keys]
        if len(keys) > MOST_JOINT:
            return dict(zip(keys, holm(p, len(keys)), strict=True))
        draws = draws_for(len(keys))
        blocks, by_name = (
            [np.empty((0, draws))],
            np.argsort(self.systems),
        )  # what is drawn does not depend on their order
        place = np.argsort(by_name)
        for n, data in enumerate(self.parts):
            moved = [data.by_unit(i) for i in range(len(data.quantities))]
            seed, size = self.settings.seed + 1000 * (n + 1), len(self.systems)
            known = [x[by_name] for x in moved if x is not None]
            stacked = np.concatenate(known) if known else np.empty((0, 1))
            covariance = np.eye(size * len(moved))
            where = np.flatnonzero(np.repeat([x is not None for x in moved], size))
            covariance[np.ix_(where, where)] = stacked @ stacked.T
            drawn = normal_values(np.zeros(len(covariance)), covariance, draws, seed).reshape(len(moved), size, draws)
            for i, values in enumerate(drawn):
                here = covariance[i * size : (i + 1) * size, i * size : (i + 1) * size]
                one, two = (place[[x[side] for x in pairs]] for side in (0, 1))
                scale = here[one, one] + here[two, two]
                variance = scale - 2 * here[one, two]
                error = np.sqrt(np.where(variance > _SAME * scale, variance, np.inf))
                blocks.append(np.abs(values[one] - values[two]) / error[:, None])
        return dict(zip(keys, step_down(p, np.concatenate(blocks)), strict=True))

    def tests(self, wanted: WantedTests, together: int | None = None) -> Tests:
        """Return the test of each pair in each of its quantities; at most `together` of them are corrected jointly."""
        found: Tests = {}
        first = 0
        for data in self.parts:
            here = range(first, first + len(data.quantities))
            mine = {pair: [i - first for i in places if i in here] for pair, places in wanted.items()}
            tested = _tests_of(data, {pair: places for pair, places in mine.items() if places}, together)
            found |= {(pair, i + first): test for (pair, i), test in tested.items()}
            first = here.stop
        return found

    # Intervals

    def difference_interval(self, i: int, pair: SystemPair, p: float) -> Interval:
        """Return the confidence interval of the difference of two systems, in agreement with its p-value."""
        data, place = self._places[i]
        why = data.unvaried(place, pair)
        if why is not None:
            return no_interval(why)
        here, off = data.difference(place, pair), data.uncertain_by(place, pair)
        found = in_agreement(self._interval(data, place, pair), here, p, 1 - self.settings.confidence)
        if self.settings.margin is not None and found.method == SMOOTHED:
            found = self._up_to_margin(found, i, pair, self.settings.margin)
        return found if not off else replace(found, low=found.low - off, high=found.high + off)

    def _interval(self, data: PairedData, i: int, pair: SystemPair) -> Interval:
        here, counted = data.difference(i, pair), data.discordant(i, pair)
        if counted is not None and counted.scale is not None:
            return self._score_interval(counted, counted.scale)
        varied = data.smoothed(i, pair)
        if varied is None:
            return self._drawn_interval(data, i, pair)
        if math.isnan(varied.error) or math.isnan(varied.middle):
            return no_interval("the measure has no derivative here")
        reach, width = self._reach(varied.freedom) * varied.error, _width(data.quantities[i])
        low, high = max(varied.middle - reach, -width), min(varied.middle + reach, width)
        return Interval(min(low, here), max(high, here), varied.method, varied.error)

    def _reach(self, freedom: float | None) -> float:
        """Return how many standard errors an interval reaches to each side."""
        share = 0.5 + self.settings.confidence / 2
        return NormalDist().inv_cdf(share) if freedom is None else students_quantile(share, freedom)

    def _score_interval(self, counted: Discordant, scale: float) -> Interval:
        """Return Tango's interval of a quantity that is a share of right answers.

        Such a quantity is low + (high − low)·share, so its difference is that of the shares, scaled.
        """
        first, second, items, _ = counted
        low, high = tango(first, second, items, self._reach(None))
        low, high = sorted((low * scale, high * scale))
        share = (first + second) / items - ((first - second) / items) ** 2
        return Interval(low, high, TANGO, abs(scale) * math.sqrt(max(0.0, share) / items))

    def _drawn_interval(self, data: PairedData, i: int, pair: SystemPair) -> Interval:
        """Return the percentile interval of the paired bootstrap."""
        here, moved = data.difference(i, pair), data.moved(i, pair)
        if len(moved) < 2:
            return no_interval("a value is undefined on nearly all resamples")
        low, high = quantile(moved, self._tail), quantile(moved, 1 - self._tail)
        return Interval(min(low, here), max(high, here), BOOTSTRAP, float(np.std(moved)))

    def _up_to_margin(self, found: Interval, i: int, pair: SystemPair, margin: float) -> Interval:
        """Return an interval that lies within the margin only where the tests at the margin allow it."""
        above, below = self.margin_tests(i, pair, margin)
        low = min(found.low, -margin) if above >= self._tail else found.low
        high = max(found.high, margin) if below >= self._tail else found.high
        return replace(found, low=low, high=high)

    # Margins

    def margin_tests(self, i: int, pair: SystemPair, margin: float) -> tuple[float, float]:
        """Return one-sided p-values: that the true difference is above −margin, and that it is below +margin.

        At the level α, both claims are shown only where the interval of the difference with the confidence level 1 − 2α
        lies between −margin and +margin.
        """
        if (i, pair, margin) not in self._claims:
            data, place = self._places[i]
            near = margin - data.uncertain_by(place, pair)
            unknown = data.unvaried(place, pair) is not None
            self._claims[i, pair, margin] = (math.nan, math.nan) if unknown else _margin_tests(data, place, pair, near)
        return self._claims[i, pair, margin]


def _tests_of(data: PairedData, wanted: WantedTests, together: int | None) -> Tests:
    found: Tests = {}
    left: WantedTests = {}
    for pair, places in wanted.items():
        for i in places:
            why = data.untested(i, pair)
            counted = data.discordant(i, pair) if why is None else None
            if why is not None:
                found[pair, i] = PairedTest(math.nan, f"none: {why}")
            elif counted is not None:
                exact = data.settings.method == EXACT
                p = mcnemar(counted.first, counted.second, mid=not exact)
                found[pair, i] = PairedTest(p, "exact McNemar" if exact else "mid-p McNemar")
            else:
                left.setdefault(pair, []).append(i)
    permuted = data.permutation_tests(wanted, together)
    for pair, places in left.items():
        made = permuted(pair, places) if permuted else [_varied_test(data, i, pair) for i in places]
        found |= {(pair, i): test for i, test in zip(places, made, strict=True)}
    return found


def _varied_test(data: PairedData, i: int, pair: SystemPair) -> PairedTest:
    """Return the test of the difference over its standard error or, where that is not known, by resamples."""
    here, varied = data.difference(i, pair), data.spread(i, pair)
    if varied is None:
        return PairedTest(data.p_of_resamples(i, pair), BOOTSTRAP)
    if here == 0 and varied.error == 0:
        return PairedTest(1.0, varied.method)
    if math.isnan(varied.error) or varied.error == 0:
        return PairedTest(math.nan, f"none: {data.no_error}")
    far = max(0.0, abs(here) - data.uncertain_by(i, pair)) / varied.error
    return PairedTest(_two_sided(far, varied.freedom), varied.method)


def _margin_tests(data: PairedData, i: int, pair: SystemPair, margin: float) -> tuple[float, float]:
    """Return the p-values of both claims about a margin.

    A claim by the standard error needs two things: the smoothed interval must keep within the margin, and the observed
    difference must be too far from the margin for systems that differ by it. The second is made only where the first
    shows the claim.
    """
    here, width, counted = data.difference(i, pair), _width(data.quantities[i]), data.discordant(i, pair)
    if counted is not None and counted.scale is not None and width >= margin:
        first, second, items, _ = counted
        wide = margin / abs(counted.scale)
        return _upper(score(first, second, items, -wide), None), _upper(-score(first, second, items, wide), None)
    varied = data.smoothed(i, pair)
    if varied is None:
        moved = data.moved(i, pair)
        if len(moved) < 2:
            return math.nan, math.nan
        beyond = float((moved <= -margin).sum()), float((moved >= margin).sum())
        return p_of_draws(beyond[0], len(moved)), p_of_draws(beyond[1], len(moved))
    if width < margin:
        return 0.0, 0.0
    middle, error, freedom, _ = varied
    if math.isnan(error) or math.isnan(middle):
        return math.nan, math.nan
    there = data.at_margin(i, pair)
    freedom = freedom if there is None else there.freedom
    inside, apart = (min(middle, here) + margin, margin - max(middle, here)), (here + margin, margin - here)
    p = [_upper(x / error, freedom) if error > 0 else float(x <= 0) for x in inside]
    shown = [k for k in range(2) if p[k] < 0.5 and error > 0]
    if there is not None:
        for k, times in zip(shown, there.growth(np.array([-margin, margin])[shown]).tolist(), strict=True):
            p[k] = max(p[k], _upper(apart[k] / (error * math.sqrt(times)), freedom))
    return p[0], p[1]


def _width(f: ComparedQuantity) -> float:
    """Return the greatest difference that two values of a quantity can have."""
    return math.inf if f.range is None else f.range[1] - f.range[0]


def _two_sided(z: float, freedom: float | None) -> float:
    """Return the probability of a value as far from 0 as z, by Student's t or, without degrees of freedom, normally."""
    return two_sided(z) if freedom is None else students_tails(z, freedom) if math.isfinite(z) else 0.0


def _upper(z: float, freedom: float | None) -> float:
    """Return the probability of a value above z."""
    tails = _two_sided(z, freedom)
    return tails / 2 if z > 0 else 1 - tails / 2
