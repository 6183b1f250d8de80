"""`drift(history, today, sequential=True)`: tests and intervals that stay valid however often one looks.

A job that tests every night at the 5% level rings falsely every twentieth night. Here, the 5% are spent on all nights
together: at the t-th result, 1/(t(t − 1)) of them, which add up to 1 over t = 2, 3, … Each time, the latest 1, 2, 4,
8 … results are tested against all earlier ones, so that a lasting small change is found as well as a large one of
tonight; the i-th of these tests gets 1/(i(i + 1)) of the share. The probability of any false alarm, in whatever number
of nights, is then at most the level by Bonferroni's inequality, whatever the dependence between nights. The test of a
share is Fisher's exact one, since p-values this small are beyond permutations and the normal approximation.

The interval of a measure is a confidence sequence over all results so far: with the given probability it holds the true
value at every time. Where a measure follows from one proportion, it holds the proportions that a bet against them has
not refuted: the likelihood of the data, averaged over Beta(½, ½), is less than 1/α times that under the proportion
(Robbins 1970; the wealth of the bet exceeds 1/α with probability α at most, by Ville's inequality). For other measures
it is asymptotic: the boundary of the normal mixture replaces the quantile of the normal distribution (Waudby-Smith and
others 2024).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.comparison.drift_result import PREDICTED, PREVALENCE, RECALL, Change, ClassTest, SequentialInterval
from goodmeasure.comparison.period_tests import masks
from goodmeasure.counts.sample import GroupCounts, Sample
from goodmeasure.evaluation.intervals.distributions import students_tails
from goodmeasure.evaluation.intervals.interval import SampleWork
from goodmeasure.evaluation.intervals.proportions import Proportion, proportion
from goodmeasure.evaluation.intervals.resampling import value_of
from goodmeasure.evaluation.intervals.sampling_units import Units, reach_of, units_of
from goodmeasure.evaluation.p_values import holm, two_sided
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array, Label

_NORMAL = NormalDist()
_REACH = 40  # standard deviations: what lies further out has a probability below 1e-300
_STEPS = 100  # of bisection
_PRIOR = 0.5


def spent(results: int) -> float:
    """Return the share of the error that is spent on the last of so many results; over all numbers, they add up to 1.

    >>> round(sum(spent(k) for k in range(2, 1000)), 3)
    0.999
    """
    return 1 / (results * (results - 1))


def pooled(samples: Sequence[Sample]) -> Sample:
    """Return the sample of all items; groups of different results are different groups."""
    matrix = samples[0].matrix
    for x in samples[1:]:
        matrix = matrix + x.matrix
    known = [x.groups for x in samples if x.groups is not None]
    if not known:
        return Sample(matrix)
    starts = np.cumsum([0, *(x.size for x in known)])
    group = np.concatenate([x.group + start for x, start in zip(known, starts[:-1], strict=True)])
    rows, cols, values = (np.concatenate([getattr(x, name) for x in known]) for name in ("rows", "cols", "values"))
    return Sample(matrix, GroupCounts(int(starts[-1]), group, rows, cols, values))


# Tests


class _Share(NamedTuple):
    """One share of a class: its hits and items up to each result, as effective numbers."""

    hits: Array
    items: Array
    freedom: float


EndsOfChange = Callable[[Proportion, Proportion, float], tuple[float, float]]


def class_tests(
    samples: Sequence[Sample], labels: Sequence[Label], interval: EndsOfChange, confidence: float
) -> tuple[list[ClassTest], int]:
    """Return the tests of class shares, predicted shares and recalls, and how many of the latest results differ most.

    `interval` gives the ends of the change of a share from hits and items, earlier and later, and a confidence level.
    """
    results, whole = len(samples), pooled(samples)
    units, cells = units_of(whole), np.cumsum([np.asarray(x.matrix.counts, np.float64) for x in samples], axis=0)
    latest = [2**i for i in range((results - 1).bit_length()) if 2**i < results]
    weights = [spent(results) * spent(i + 2) for i in range(len(latest))]
    tests, strongest = [], []
    for what in (PREVALENCE, PREDICTED, RECALL):
        shares = _shares(what, cells, units)
        found = [[_share_test(x, back) for x in shares] for back in latest]
        ps = [[x.p / w for x in mine] for mine, w in zip(found, weights, strict=True)]
        least = [min((p for p in mine if not math.isnan(p)), default=math.inf) for mine in ps]
        k = least.index(min(least))
        tried = len(labels) if len(labels) > 2 or what == RECALL else 1  # two shares are one
        p = min(1.0, least[k] * tried) if math.isfinite(least[k]) else math.nan
        strongest.append((least[k] * tried, latest[k]))
        level = 1 - (1 - confidence) * weights[k]
        single = [
            _change(what, label, x, min(1.0, *(one[j] for one in ps)), interval, level)
            for j, (label, x) in enumerate(zip(labels, found[k], strict=True))
        ]
        together = zip(single, holm([x.p for x in single]), strict=True)
        tests.append(ClassTest(what, p, math.nan, tuple(replace(x, p_corrected=q) for x, q in together)))
    return tests, min(strongest)[1]


def _shares(what: str, cells: Array, units: Units) -> list[_Share]:
    """Return the share of each class; each has a design effect of its own, which is estimated from all results."""
    true, predicted, right = cells.sum(axis=2), cells.sum(axis=1), np.diagonal(cells, axis1=1, axis2=2)
    hits = {PREVALENCE: true, PREDICTED: predicted, RECALL: right}[what]
    found = []
    for k in range(cells.shape[1]):
        whole = proportion(*masks(what, k, units), units)
        items = true[:, k] if what == RECALL else true.sum(axis=1)
        times = 1.0 if whole is None else whole.items / items[-1]
        found.append(_Share(hits[:, k] * times, items * times, math.inf if whole is None else whole.freedom))
    return found


class _ShareTest(NamedTuple):
    """The hits and items of the earlier and of the latest results, and the p-value."""

    before: tuple[float, float]
    after: tuple[float, float]
    p: float
    freedom: float


def _share_test(x: _Share, back: int) -> _ShareTest:
    """Return the test of one share between the latest results and all earlier ones."""
    before = float(x.hits[-1 - back]), float(x.items[-1 - back])
    after = float(x.hits[-1]) - before[0], float(x.items[-1]) - before[1]
    if not before[1] or not after[1]:
        return _ShareTest(before, after, math.nan, x.freedom)
    p = _fisher(round(after[0]), round(after[1]), round(float(x.hits[-1])), round(float(x.items[-1])))
    if math.isfinite(x.freedom) and p < 1:
        p = students_tails(-_NORMAL.inv_cdf(max(p, 1e-300) / 2), x.freedom)
    return _ShareTest(before, after, p, x.freedom)


def _fisher(hits: int, items: int, all_hits: int, total: int) -> float:
    """Return twice the smaller tail of Fisher's exact test.

    >>> round(_fisher(1, 5, 8, 10), 6)  # 1 of 5, and 7 of the other 5: impossible
    0.0
    >>> round(_fisher(3, 5, 8, 10), 6)  # 2 · C(8, 3) / C(10, 5)
    0.444444
    """
    least, most = max(0, items - (total - all_hits)), min(items, all_hits)
    if least >= most:
        return 1.0
    share = all_hits / total
    middle, spread = items * share, math.sqrt(items * share * (1 - share) * (total - items) / max(1, total - 1))
    low = max(least, math.floor(middle - _REACH * spread - 1))
    high = min(most, math.ceil(middle + _REACH * spread + 1))
    if not low <= hits <= high:
        return 0.0
    x = np.arange(low, high, dtype=np.float64)
    steps = np.log(all_hits - x) + np.log(items - x) - np.log(x + 1) - np.log(total - all_hits - items + x + 1)
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    chances = np.exp(logs - logs.max())
    place = hits - low
    return min(1.0, 2 * float(min(chances[: place + 1].sum(), chances[place:].sum()) / chances.sum()))


def _change(what: str, label: Label, x: _ShareTest, p: float, interval: EndsOfChange, level: float) -> Change:
    """Return the change of one share, with an interval that holds at all times."""
    if not x.before[1] or not x.after[1]:
        none = math.nan
        why = "the class has no items in one of the periods"
        return Change(what, label, none, none, none, none, none, none, none, none, why)
    one, two = (Proportion(hits / items, items, x.freedom) for hits, items in (x.before, x.after))
    before, after, ends = one.share, two.share, interval(one, two, level)
    return Change(what, label, before, after, after - before, *ends, p, math.nan)


def p_at(change: float, end: float, level: float) -> float:
    """Return the p-value of a change whose interval at a confidence level ends here on the side of 0.

    It is that of the normal distribution whose interval would end there; so it is below 1 − level if and only if the
    interval excludes 0.
    """
    reach = abs(change - end)
    if math.isnan(reach) or not change:
        return math.nan if math.isnan(reach) else 1.0
    return 0.0 if not reach else two_sided(change / reach * -_NORMAL.inv_cdf((1 - level) / 2))


# Confidence sequences


def confidence_sequence(
    samples: Sequence[Sample], measures: Sequence[Measure], confidence: float, policy: Policy, seed: int,
    replicates: int,
) -> tuple[SequentialInterval, ...]:  # fmt: skip
    """Return the confidence sequence of each measure at the last of these results."""
    sample, error = pooled(samples), 1 - confidence
    sizes = [units_of(x).count() for x in (samples[0], sample)]
    level = 1 - two_sided(_boundary(sizes[1] / sizes[0], error))
    values = [value_of(f, sample.matrix, policy) for f in measures]
    work = SampleWork(sample, list(measures), level, seed, replicates, policy, values=values)

    def ends(p: Proportion) -> tuple[float, float]:
        wider = reach_of(level, p.freedom) / -_NORMAL.inv_cdf((1 - level) / 2)
        return _unrefuted(Proportion(p.share, p.items / wider**2), error)

    found = []
    for k, f in enumerate(measures):
        x = work.of_proportion(k, "betting", ends)
        x = x if not math.isnan(x.low) or math.isnan(values[k]) else work.interval(k, "auto")
        method = x.method if x.method == "betting" else f"{x.method}, normal mixture"
        found.append(SequentialInterval(f.name, values[k], x.low, x.high, method, x.reason or None))
    return tuple(found)


def _boundary(times: float, error: float) -> float:
    """Return how many standard errors the mixture boundary is away, with so many times the items of the first result.

    The variance of the mixture makes it narrowest at the first result (Waudby-Smith and others 2024, equation 24).
    """
    steep = (-2 * math.log(error) + math.log(-2 * math.log(error)) + 1) * times
    return math.sqrt(2 * (steep + 1) / steep * (math.log(steep + 1) / 2 - math.log(error)))


def _unrefuted(p: Proportion, error: float) -> tuple[float, float]:
    """Return the proportions whose likelihood is more than `error` times the averaged one."""
    hits, misses = p.share * p.items, (1 - p.share) * p.items
    least = (
        math.lgamma(hits + _PRIOR) + math.lgamma(misses + _PRIOR) - math.lgamma(hits + misses + 2 * _PRIOR)
        - 2 * math.lgamma(_PRIOR) + math.lgamma(2 * _PRIOR) + math.log(error)
    )  # fmt: skip

    def refuted(x: float) -> bool:
        inside = 0 < x < 1
        likely = (hits * math.log(x) if hits else 0.0) + (misses * math.log1p(-x) if misses else 0.0) if inside else 0.0
        return not inside or likely < least

    return _edge(p.share, 0.0, refuted), _edge(p.share, 1.0, refuted)


def _edge(inside: float, outside: float, refuted: Callable[[float], bool]) -> float:
    """Return the last value that is not refuted on the way from one to the other."""
    if inside == outside:
        return outside
    for _ in range(_STEPS):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if refuted(middle) else (middle, outside)
    return outside
