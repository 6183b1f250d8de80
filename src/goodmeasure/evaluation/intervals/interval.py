"""Confidence intervals: how far a measured value may be from that of the population which the items were drawn from.

The default ("auto") is Wilson's interval where a measure is a function of one proportion of items (accuracy, recall, F1
…), and the smoothed interval of `smoothing.py` elsewhere. "exact" is the interval of Clopper and Pearson for the
former. "delta" is the linearisation without smoothing, "percentile" and "bca" are bootstrap intervals (Efron and
Tibshirani 1993, chapters 13 and 14), and "bayesian" is a credible interval. docs/intervals.md has the simulated
coverage of each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Unpack

import numpy as np

from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.proportions import (
    Proportion,
    clopper_pearson,
    counted,
    proportion,
    shares_of,
    values_at,
    wilson,
)
from goodmeasure.evaluation.intervals.ratios import are_infinite, is_ratio
from goodmeasure.evaluation.intervals.resampling import MOST_DENSE, Samples, value_of
from goodmeasure.evaluation.intervals.sampling_units import Units, reach_of, units_of
from goodmeasure.evaluation.intervals.smoothing import LEAST_DRAWN, MOST_LEFT_OUT, Smoothed, Smoothing
from goodmeasure.exceptions import InputError
from goodmeasure.keywords import takes_options
from goodmeasure.language.policy import Policy, policy_of
from goodmeasure.options import PERKS, PRIORS, IntervalOptions
from goodmeasure.typing import Array

NONE = "none"
UNDEFINED, NO_DERIVATIVE = "the value is undefined", "the measure has no derivative here"
MOST_DRAWN = 500_000_000  # counts, which take about a minute: larger bootstraps are refused
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, the method that gave it, and the standard error of the value.

    Where there is no interval, both ends are NaN, `method` is "none" and `reason` says why. `undefined_share` is the
    share of resamples on which the measure is undefined; they are left out, and `reason` says so where they are many.
    """

    low: float
    high: float
    method: str
    deviation: float
    undefined_share: float = 0.0
    reason: str = ""


@takes_options
def intervals(
    sample: Sample, measures: Sequence[Measure], *, values: Sequence[float] | None = None,
    **options: Unpack[IntervalOptions],
) -> list[Interval]:  # fmt: skip
    """Return a confidence interval for each measure on a sample; `values` are those of the measures, if known.

    >>> from goodmeasure.counts.matrix import ConfusionMatrix
    >>> sample = Sample(ConfusionMatrix([[50, 3], [4, 20]]))
    >>> found, = intervals(sample, ["accuracy"])
    >>> print(f"{found.low:.3f} to {found.high:.3f} ({found.method})")
    0.824 to 0.955 (wilson)
    """
    if sample.matrix.batch:
        raise InputError(
            "intervals takes one matrix, but got a batch of shape {batch}",
            batch=sample.matrix.batch,
            advice="pick one of them",
        )
    chosen = [as_measure(f) for f in measures]
    work = SampleWork(
        sample, chosen, options["confidence"], options["seed"], options["replicates"], policy_of(options["undefined"]),
        options["prior"], values,
    )  # fmt: skip
    return [work.interval(k, options["method"]) for k in range(len(chosen))]


class SampleWork:
    """What the intervals of one sample share: its sampling units, the resamples and the values on them."""

    def __init__(
        self, sample: Sample, measures: list[Measure], confidence: float, seed: int, replicates: int, policy: Policy,
        prior: float | str = PERKS, values: Sequence[float] | None = None,
    ) -> None:  # fmt: skip
        self.units: Units = units_of(sample)
        self.measures = measures
        self.confidence = confidence
        self.z = reach_of(confidence, math.inf)
        self.tail = (1 - confidence) / 2
        self.seed, self.replicates = seed, replicates
        self.policy, self.prior = policy, prior
        u = self.units
        self.samples = Samples(u.m, u.rows, u.cols, policy, whole=u.whole)
        values = [value_of(f, sample.matrix, policy) for f in measures] if values is None else values
        self.values = list(values)
        self._drawn: Array | None = None
        self._believed: Array | None = None
        self._left_out: tuple[Array, Array] | None = None
        self._smoothed: dict[tuple[int, ...], tuple[Smoothed, Array, list[Array | None]]] = {}

    def interval(self, k: int, method: str) -> Interval:
        """Return the confidence interval of the k-th measure by a method."""
        if math.isnan(self.values[k]):
            return self._of_infinite_ratio(k) if method == "auto" else no_interval(UNDEFINED)
        if self.units.m < 2:
            return no_interval("there is only one class, so nothing can be seen to vary")
        if self.units.count() < 2 and self.units.grouped:
            return no_interval("there is one group only, which cannot tell how groups differ")
        how: dict[str, Callable[[int], Interval]] = {
            "auto": self.auto,
            "percentile": self.percentile,
            "bca": self.bca,
            "delta": self.delta,
            "wilson": self.wilson,
            "smoothed": self.smoothed,
            "exact": self.exact,
            "bayesian": self.bayesian,
        }
        cells = max(self.units.size, self.units.many_left_out())
        if method == "bayesian":
            cells = self.units.m**2
        draws = method in ("percentile", "bca", "bayesian") or (method in ("auto", "smoothed") and self.may_jump(k))
        if draws and cells * self.replicates > MOST_DRAWN:
            return no_interval(
                f"{cells:,} cells or groups, resampled {self.replicates:,} times, would take too long: "
                "use the method 'auto'"
            )
        found = how[method](k)
        return replace(found, reason=found.reason or self.units.note)

    def auto(self, k: int) -> Interval:
        """Return Wilson's interval where there is one, and the smoothed interval otherwise."""
        found = self.wilson(k)
        return found if found.method != NONE else self.smoothed(k)

    # Bootstrap

    def drawn(self) -> Array:
        """Return the values (measures, replicates) on the resamples, which are drawn once for all measures."""
        if self._drawn is None:
            self._drawn = self.samples.values(self.measures, self.units.draws(self.replicates, self.seed))
        return self._drawn

    def percentile(self, k: int) -> Interval:
        """Return the percentile bootstrap interval."""
        return self._from_draws(k, "percentile", (self.tail, 1 - self.tail))

    def bca(self, k: int) -> Interval:
        """Return the bias-corrected and accelerated bootstrap interval (Efron 1987)."""
        found = self.drawn()[k]
        found = found[~np.isnan(found)]
        return self._from_draws(k, "bca", self._corrected(found, self.values[k], self.acceleration(k)))

    def _corrected(self, found: Array, value: float, acceleration: float) -> tuple[float, float]:
        """Return the shares of the resampled values between which the BCa interval lies.

        The bias z0 is the normal quantile of the share of resampled values below the observed one, where ties count
        half. An end at ±z becomes Φ(z0 + (z0 ± z)/(1 − a(z0 ± z))) with the acceleration a; where the denominator is
        not positive, the end lies beyond all resampled values.
        """
        below = (np.count_nonzero(found < value) + np.count_nonzero(found <= value)) / (2 * max(1, len(found)))
        if not 0 < below < 1:  # all resampled values lie on one side: the correction would be infinite
            return self.tail, 1 - self.tail
        bias = _NORMAL.inv_cdf(below)
        ends = []
        for z in (bias - self.z, bias + self.z):
            stretch = 1 - acceleration * z
            ends.append(_NORMAL.cdf(bias + z / stretch) if stretch > 0 else float(z > 0))
        return ends[0], ends[1]

    def _from_draws(self, k: int, method: str, shares: tuple[float, float]) -> Interval:
        """Return the interval between two quantiles of the values on the resamples."""
        return _between(self.drawn()[k], method, shares)

    def acceleration(self, k: int) -> float:
        """Return the acceleration of BCa: how the standard error changes with the value.

        It is Σ d³ / (6 (Σ d²)^(3/2)) over the sampling units, where d is the jackknife influence of a unit: the mean of
        the values without one unit, less the value without this one (Efron and Tibshirani 1993, equation 14.15). Where
        the units are too many to be left out one by one, d is the influence value from the derivative.
        """
        if self.units.many_left_out() * self.units.size <= MOST_LEFT_OUT:
            values, times = self.left_out()
            values = values[k]
            known = ~np.isnan(values)
            values, times = values[known], times[known]
            moved = (times * values).sum() / times.sum() - values if times.sum() else values
        else:
            moved, times = self.units.influences(self.samples.slopes(self.measures[k], self.units.weight))
        squared, cubed = float((times * moved**2).sum()), float((times * moved**3).sum())
        if not math.isfinite(squared) or squared <= 0:
            return 0.0
        return cubed / (6 * math.sqrt(squared) ** 3)

    def left_out(self) -> tuple[Array, Array]:
        """Return the values (measures, …) on the sample without one unit, and how many units give the same values."""
        if self._left_out is None:
            blocks = list(self.units.left_out())
            values = self.samples.values(self.measures, (block for block, _ in blocks))
            self._left_out = values, np.concatenate([times for _, times in blocks])
        return self._left_out

    # Closed form

    def delta(self, k: int) -> Interval:
        """Return the interval of the delta method: the value ± z standard errors from the derivative."""
        slopes = self.samples.slopes(self.measures[k], self.units.weight)
        if not np.isfinite(slopes).all():
            return no_interval(NO_DERIVATIVE)
        z = reach_of(self.confidence, self.units.freedom(slopes))
        return self._around(k, self.values[k], math.sqrt(self.units.variance(slopes)), z, "delta")

    def smoothing(self, weights: Mapping[int, float]) -> Smoothing:
        """Return how much a weighted sum of some measures is smoothed: the worth of an item, and the quantile.

        For independent items that is the same for all measures. With groups, it depends on how much more the measure
        varies between groups than between items, at the sample with imagined items of weight 1.
        """
        if not self.units.grouped:
            return Smoothing(self.units.worth(), self.z)
        plain = Smoothed(
            self.units,
            self.policy,
            Smoothing(float(self.units.weight.sum()) / self.units.effective(np.ones(self.units.size, bool)), self.z),
        )
        slopes = np.asarray(sum(w * plain.slopes_of_units(self.measures[k]) for k, w in weights.items()))
        if not np.isfinite(slopes).all():
            slopes = np.zeros(self.units.size)
        return Smoothing(self.units.worth(slopes), reach_of(self.confidence, self.units.freedom(slopes)))

    def _on_smoothed(self, weights: Mapping[int, float]) -> tuple[Smoothed, Array, list[Array | None]]:
        """Return the sample smoothed for a sum of measures, the values on it, and those on it without one unit.

        With independent items all measures are evaluated at once, as they have the same smoothed sample.
        """
        here = tuple(weights) if self.units.grouped else tuple(range(len(self.measures)))
        if here not in self._smoothed:
            smoothed = Smoothed(self.units, self.policy, self.smoothing(weights))
            values, without = smoothed.values([self.measures[k] for k in here])
            spread, left = np.full(len(self.measures), np.nan), list[Array | None]([None] * len(self.measures))
            for place, k in enumerate(here):
                spread[k], left[k] = values[place], without[place]
            self._smoothed[here] = smoothed, spread, left
        return self._smoothed[here]

    def smoothed_sum(self, weights: Mapping[int, float], shift: float) -> tuple[float, float]:
        """Return the ends of the smoothed interval of a weighted sum of some measures, plus a number.

        It includes the observed sum; both ends are NaN where that is undefined or a measure has no derivative.
        """
        smoothed, values, left_out = self._on_smoothed(weights)
        slopes = sum(w * smoothed.slopes(self.measures[k]) for k, w in weights.items())
        without: Array | None = None
        if all(left_out[k] is not None for k in weights):
            without = np.asarray(sum(w * np.asarray(left_out[k]) for k, w in weights.items()))
        middle, here = (float(sum(w * x[k] for k, w in weights.items())) for x in (values, self.values))
        spread, bias = smoothed.error_of(np.asarray(slopes), middle, without)
        if not math.isfinite(spread) or math.isnan(here):
            return math.nan, math.nan
        reach = smoothed.how.z * spread
        low, high = min(middle, middle - bias) - reach, max(middle, middle - bias) + reach
        return min(low, here) + shift, max(high, here) + shift

    def smoothed(self, k: int) -> Interval:
        """Return the interval around the value of the smoothed sample; see `smoothing.py`."""
        smoothed, values, left_out = self._on_smoothed({k: 1.0})
        if self.may_jump(k):
            drawn = smoothed.samples.values([self.measures[k]], smoothed.drawn(self.replicates, self.seed))[0]
            tail = _NORMAL.cdf(-smoothed.how.z)  # with groups, z is a quantile of Student's distribution
            found, value = _between(drawn, "smoothed bootstrap", (tail, 1 - tail)), self.values[k]
            return replace(found, low=min(found.low, value), high=max(found.high, value))
        without = left_out[k]
        method = "smoothed" if without is not None else "smoothed delta"
        if is_ratio(self.measures[k], self.units.m):
            return self._on_logarithms(k, smoothed, float(values[k]), without, method)
        spread, bias = smoothed.error(self.measures[k], values[k], without)
        if not math.isfinite(spread):
            return no_interval(NO_DERIVATIVE)
        return self._around(k, float(values[k]), spread, smoothed.how.z, method, bias)

    def _on_logarithms(self, k: int, smoothed: Smoothed, value: float, without: Array | None, method: str) -> Interval:
        """Return the smoothed interval of a ratio, whose logarithm is nearly normal."""
        slopes, left_out = smoothed.slopes(self.measures[k]) / value, None if without is None else np.log(without)
        spread, bias = smoothed.error_of(slopes, math.log(value), left_out)
        if not math.isfinite(spread):
            return no_interval(NO_DERIVATIVE)
        here, times = self.values[k], math.exp(min(smoothed.how.z * spread, 700))
        middles = [x for x in (value, value * math.exp(-bias), here) if not math.isnan(x)]
        return Interval(min(middles) / times, max(middles) * times, method, spread * here)

    def _of_infinite_ratio(self, k: int) -> Interval:
        """Return the interval of a ratio that is infinite on the sample: what it is at least."""
        f, m = self.measures[k], self.units.m
        counts = np.zeros((m, m, 1))
        if self.units.m > MOST_DENSE or not is_ratio(f, m):
            return no_interval(UNDEFINED)
        counts[self.units.rows, self.units.cols, 0] = self.units.weight
        if not are_infinite(f, counts)[0] or (self.units.grouped and self.units.count() < 2):
            return no_interval(UNDEFINED)
        smoothed, values, left_out = self._on_smoothed({k: 1.0})
        found = self._on_logarithms(k, smoothed, float(values[k]), left_out[k], "smoothed")
        return replace(found, high=math.inf)

    def may_jump(self, k: int) -> bool:
        """Return whether the k-th measure may jump where counts change a little."""
        return self.measures[k].recorded.may_jump(self.units.m)

    def _around(
        self, k: int, middle: float, spread: float, z: float, method: str, bias: float = 0.0
    ) -> Interval:  # fmt: skip
        """Return the interval of z standard errors on both sides of `middle`, and of `middle` without its bias.

        It stays within the range of the measure and includes the measured value.
        """
        value, (least, most) = self.values[k], self.measures[k].range or (-math.inf, math.inf)
        reach = z * spread
        low, high = max(min(middle, middle - bias) - reach, least), min(max(middle, middle - bias) + reach, most)
        return Interval(min(low, value), max(high, value), method, spread)

    def wilson(self, k: int) -> Interval:
        """Return Wilson's interval of the proportion behind a measure, turned into values of the measure.

        A measure that is an increasing function of a proportion takes the ends of the interval of the proportion to the
        ends of its own. For weighted or grouped items the proportion counts with its effective sample size
        (`proportion`).
        """
        return self.of_proportion(k, "wilson", lambda p: wilson(p, reach_of(self.confidence, p.freedom)))

    def exact(self, k: int) -> Interval:
        """Return the interval of Clopper and Pearson for the proportion behind a measure, in values of the measure.

        With groups, the effective sample size is reduced as Student's quantile widens an interval (Korn and Graubard
        1998).
        """

        def ends(p: Proportion) -> tuple[float, float]:
            wider = reach_of(self.confidence, p.freedom) / self.z
            return clopper_pearson(Proportion(p.share, p.items / wider**2), self.confidence)

        return self.of_proportion(k, "exact", ends)

    def of_proportion(self, k: int, method: str, ends: Callable[[Proportion], tuple[float, float]]) -> Interval:
        """Return the interval of a measure that follows from one proportion, from the ends of the proportion's."""
        f = self.measures[k]
        shares = shares_of(f, self.units.m)
        if shares is None:
            return no_interval(f"{f.name} does not follow from one proportion of items, as method={method!r} needs")
        found = proportion(*counted(shares, self.units), self.units)
        if found is None:
            return no_interval("no item is among those counted")
        both = ends(found)
        low, high = values_at(f, shares, np.array(both), self.policy).tolist()
        if math.isnan(low) or math.isnan(high):
            return no_interval(f"{f.name} is undefined at an end of its interval")
        if shares.ends is not None:
            spread = (shares.ends[1] - shares.ends[0]) * math.sqrt(found.share * (1 - found.share) / found.items)
        else:
            spread = math.sqrt(self.units.variance(self.samples.slopes(f, self.units.weight)))
        value = self.values[k]
        return Interval(min(low, high, value), max(low, high, value), method, abs(spread))

    def bayesian(self, k: int) -> Interval:
        """Return the credible interval between two quantiles of the value under the posterior distribution.

        It includes the measured value, which lies beyond all quantiles where no item is wrong.
        """
        if self.units.grouped:
            return no_interval("the posterior distribution takes items as independent, and these are grouped")
        found = self.believed()[k]
        found = np.sort(found[~np.isnan(found)])
        # A drawn matrix may hold less than one item, where what depends on their number leaves its range.
        found = np.clip(found, *(self.measures[k].range or (-math.inf, math.inf)))
        if len(found) < 2:
            return no_interval("the measure is undefined on nearly all resamples")
        low, high, value = quantile(found, self.tail), quantile(found, 1 - self.tail), self.values[k]
        return Interval(
            min(low, value), max(high, value), "bayesian", deviation(found), 1 - len(found) / self.replicates
        )

    def believed(self) -> Array:
        """Return the values (measures, replicates) on matrices drawn from the posterior distribution.

        The shares of the cells have a Dirichlet distribution, whose parameters are the number of items in each cell and
        the prior (Caelen 2017). Weighted items count as their effective number, in proportion to their weight.
        """
        if self._believed is None:
            u, m = self.units, self.units.m
            prior = 1 / m**2 if self.prior == PERKS else PRIORS.get(str(self.prior)) or float(self.prior)
            cells = np.full(m * m, prior)
            cells[u.rows * m + u.cols] += u.weight / u.worth()
            drawing = np.random.default_rng(np.random.SeedSequence([self.seed, 3]))
            drawn = np.maximum(drawing.standard_gamma(cells[:, None], (m * m, self.replicates)), LEAST_DRAWN)
            rows, cols = np.divmod(np.arange(m * m), m)
            self._believed = Samples(m, rows, cols, self.policy, whole=False).values(self.measures, [drawn])
        return self._believed


def _between(drawn: Array, method: str, shares: tuple[float, float]) -> Interval:
    """Return the interval between two quantiles of the values on resamples; those that are undefined are left out."""
    defined = np.sort(drawn[~np.isnan(drawn)])
    missing = 1 - len(defined) / len(drawn)
    if len(defined) < 2:
        return replace(no_interval("the measure is undefined on nearly all resamples"), undefined_share=missing)
    low, high = (quantile(defined, share) for share in shares)
    return Interval(low, high, method, deviation(defined), missing, _said(missing))


def no_interval(reason: str) -> Interval:
    """Return an empty interval with the reason why there is none."""
    return Interval(math.nan, math.nan, NONE, math.nan, reason=reason)


def _said(missing: float) -> str:
    if missing <= 0.02:
        return ""
    return f"the measure is undefined on {missing:.0%} of the resamples, which are left out"


def quantile(ordered: Array, share: float) -> float:
    """Return a quantile of ordered numbers by linear interpolation; between infinite neighbours, the nearer one."""
    place = share * (len(ordered) - 1)
    below = min(math.floor(place), len(ordered) - 1)
    low, high = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    if low == high or not math.isfinite(low) or not math.isfinite(high):
        return low if place - below < 0.5 else high
    return low + (place - below) * (high - low)


def deviation(values: Array) -> float:
    """Return the standard deviation of ordered values; NaN where some are infinite."""
    if len(values) < 2 or not (math.isfinite(values[0]) and math.isfinite(values[-1])):
        return math.nan
    return float(np.std(values, ddof=1))
