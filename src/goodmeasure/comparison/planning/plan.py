"""`plan`: how many items an interval of a given width, or a test of a given power, needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Unpack

import numpy as np

from goodmeasure.catalogue.measure import NEITHER, Measure
from goodmeasure.comparison.mcnemar import hits_of
from goodmeasure.comparison.planning import assumptions
from goodmeasure.comparison.planning.assumptions import Population, of_matrices, of_pilot
from goodmeasure.comparison.planning.planned import DIFFERENCE, EQUIVALENCE, NONINFERIORITY, WIDTH, Plan, PlanRow
from goodmeasure.comparison.planning.powers import deciding_shares, mcnemar_power, simulated_power
from goodmeasure.comparison.planning.widths import widths
from goodmeasure.comparison.planning.with_judges import with_judge
from goodmeasure.comparison.settings import ComparisonSettings, is_higher
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.chosen_measures import chosen
from goodmeasure.evaluation.intervals.proportions import shares_of
from goodmeasure.evaluation.positive_class import of_samples
from goodmeasure.evaluation.reading import Asked, read_jointly
from goodmeasure.exceptions import Argument, Either, GoodmeasureError, InputError
from goodmeasure.keywords import only, takes_options
from goodmeasure.language.policy import Policy, policy_of
from goodmeasure.options import GoalOptions, PlanMethod, PlanOptions
from goodmeasure.progress import shows_progress
from goodmeasure.typing import ArrayLike, DataLike

_NORMAL = NormalDist()
_MOST = 10**9  # items: plans beyond that are refused
_FEWEST = 4
_PRECISE = 0.005  # relative: a width is planned to this precision
_ROUNDS = 4
_NARROW = 25  # times as many samples for widths, which cost little
_SWAPS = 499  # of each permutation test in a simulation
_STEPS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0)


@dataclass(frozen=True)
class PlanRequest:
    """What a plan is for, and how it is found."""

    measure: Measure
    policy: Policy
    systems: int
    confidence: float
    seed: int
    width: float | None
    difference: float | None
    power: float | None
    margin: float | None
    equivalence: bool
    items: int | None
    assurance: float | None
    method: PlanMethod
    simulations: int

    @property
    def goal(self) -> str:
        """Return what is planned: a width, a difference, non-inferiority or equivalence."""
        if self.margin is not None:
            return EQUIVALENCE if self.equivalence else NONINFERIORITY
        if self.width is None and self.systems == 2:
            return DIFFERENCE
        return WIDTH if self.difference is None and self.power is None else DIFFERENCE


@takes_options
@shows_progress("simulating")
def plan(data: DataLike = None, y_pred: ArrayLike = None, **options: Unpack[PlanOptions]) -> Plan:
    """Return how many items an interval of a given width, or a test of a given power, needs.

    The assumptions come from a confusion matrix (counts or shares), a dict of two matrices, or a pilot: labels, a data
    frame or files as in `compare`, with one or two systems. For two classes, rates are enough: `prevalence` with
    `recall` and `specificity`, each one number, or two for two systems. With a matrix, `prevalence` replaces its class
    shares.

    `width` asks for a confidence interval whose expected width, from its lower to its upper end, is at most that; with
    ``assurance=0.9``, 90% of samples keep it. `difference` asks for the number of items at which `compare` finds a
    difference of this size (the first system minus the second) significant with probability `power` (0.8 by default);
    two different matrices imply a difference themselves. `margin` plans for non-inferiority: that the first system is
    shown to be worse by less than the margin, where the true difference is `difference` (0 by default); with
    ``equivalence=True``, for equivalence: that neither is worse by the margin or more. `disagreement`
    is the share of items for which the two systems predict different classes; without it, their errors are taken as
    independent given the true class. ``items=500`` asks what is reached with 500 items instead.

    With `judge`, the judge of a pilot (``result.judge``), the items are those that need a human label, where the judge
    labels as many items as in the pilot.

    The formula of the delta method is only the start: the number is then corrected by the intervals and tests that
    `evaluate` and `compare` use, on `simulations` random samples (exactly, for McNemar's test).

    >>> found = plan(prevalence=0.1, recall=0.8, specificity=0.95, measure="accuracy", width=0.05)
    >>> round(found.items, -1), found.rare, found.rare_class
    (380, 38, 'positive')
    >>> found = plan(prevalence=0.5, recall=(0.9, 0.85), specificity=(0.9, 0.85), measure="accuracy", power=0.8,
    ...              disagreement=0.1)
    >>> found.items, round(found.power, 3)
    (305, 0.801)
    """
    population = _population(Asked.of(data, y_pred, options), options)
    f, policy = chosen([options["measure"]], population.m)[0], policy_of(options["undefined"]).quiet
    wanted = PlanRequest(f, policy, len(population.systems), **only(options, GoalOptions))
    _check(wanted)
    _check_steady(wanted, population)
    judge = options["judge"]
    if judge is not None and (wanted.goal != WIDTH or options["items"] is not None):
        raise InputError("{judge} needs {width:=}", argument="judge", advice="human labels are planned for a width")
    if wanted.goal == WIDTH:
        found = _for_width(wanted, population)
        return found if judge is None else with_judge(found, judge)
    return _for_power(wanted, _pair(wanted, population, options["disagreement"]))


# What is assumed


def _population(asked: Asked, options: PlanOptions) -> Population:
    prevalence, recall, specificity = options["prevalence"], options["recall"], options["specificity"]
    disagreement = options["disagreement"]
    if disagreement is not None:
        _check_share(disagreement, "disagreement", ends=True)
    if asked.data is None and asked.y_true is None and asked.y_pred is None:
        return of_matrices(_of_rates(prevalence, recall, specificity), None, disagreement)
    if recall is not None or specificity is not None:
        raise InputError("{recall} and {specificity} need {prevalence}, and no {data}", advice="leave them out")
    if asked.is_matrix():
        return of_matrices(_matrices(asked), prevalence, disagreement)
    if prevalence is not None:
        raise InputError(
            "{prevalence} needs rates or matrices, but {data} is a pilot",
            advice="leave it out, or give the confusion matrices of the pilot",
        )
    joint, source = read_jointly(asked)
    joint = joint if source.positive is None else joint.with_positive(source.positive)
    if len(joint.systems) > 2:
        raise InputError(
            "the pilot has {many} systems", many=len(joint.systems), advice="name one or two of them with {y_pred:=}"
        )
    return of_pilot(joint)


def _of_rates(prevalence: object, recall: object, specificity: object) -> dict[str, ConfusionMatrix]:
    """Return the matrices of one or two systems from their rates."""
    if prevalence is None or recall is None or specificity is None:
        raise InputError(
            "there is nothing to plan from",
            argument="data",
            what=Either("a confusion matrix, a pilot", "a confusion matrix ({counts}), a pilot ({files})"),
            advice="give {what}, or {prevalence}, {recall} and {specificity}",
        )
    share = _check_share(prevalence, "prevalence")
    recalls, specificities = _one_or_two(recall, "recall"), _one_or_two(specificity, "specificity")
    size = max(len(recalls), len(specificities))
    names = ("system",) if size == 1 else ("A", "B")
    recalls, specificities = (x * size if len(x) == 1 else x for x in (recalls, specificities))
    return {
        name: ConfusionMatrix(
            [[(1 - share) * s, (1 - share) * (1 - s)], [share * (1 - r), share * r]], ["negative", "positive"]
        )
        for name, r, s in zip(names, recalls, specificities, strict=True)
    }


def _one_or_two(rates: object, argument: str) -> list[float]:
    listed = list(rates) if isinstance(rates, (list, tuple, np.ndarray)) else [rates]
    if len(listed) not in (1, 2):
        raise InputError("{argument} has {many} values", argument=argument, many=len(listed), expected="one or two")
    return [_check_share(x, argument, ends=True) for x in listed]


def _matrices(asked: Asked) -> dict[str, ConfusionMatrix]:
    """Return one or two matrices by name."""
    data, labels, positive = asked.data, asked.labels, asked.positive
    named = data if isinstance(data, Mapping) else {"system": data}
    try:
        found = {
            str(name): x if isinstance(x, ConfusionMatrix) else ConfusionMatrix(x, labels) for name, x in named.items()
        }
    except GoodmeasureError as error:
        raise error.renamed(counts="data") from None
    if len(found) not in (1, 2) or any(x.batch for x in found.values()):
        raise InputError("{data} has {many} matrices", many=len(found), expected="one, or a dict of two")
    if positive is None and (chosen := of_samples([Sample(x) for x in found.values()])) is not None:
        positive = chosen.label
    if positive is not None:
        found = {name: x.with_positive(positive) for name, x in found.items()}
    return found


def _pair(wanted: PlanRequest, population: Population, disagreement: float | None) -> Population:
    """Return the patterns of two systems with the difference that is planned for."""
    if len(population.systems) == 1:
        if wanted.difference is None and wanted.margin is None:
            raise InputError(
                "there is one system and no {difference}",
                advice="give {difference:=}, or assumptions about two systems",
            )
        matrix = ConfusionMatrix(population.matrix(), population.labels)
        population = of_matrices({"A": matrix, "B": matrix}, None, disagreement)
    target = wanted.difference
    if target is None and wanted.margin is not None:
        target = 0.0
    if target is not None:
        population = assumptions.with_difference(wanted.measure, population, float(target), wanted.policy)
    here = assumptions.difference(wanted.measure, population, wanted.policy)
    if wanted.margin is None and (math.isnan(here) or abs(here) < 1e-12):
        raise InputError(
            "the two systems have the same {name}",
            name=wanted.measure.name,
            advice="say with {difference:=} what to find",
        )
    signed = here if is_higher(wanted.measure) else -here
    if wanted.goal == EQUIVALENCE and wanted.margin is not None and not abs(here) < wanted.margin:
        raise InputError(
            "{margin} is {got}, and the systems differ by {here:.4g}", got=wanted.margin, here=abs(here),
            advice="only a difference within the margin can be shown to be so",
        )  # fmt: skip
    if wanted.margin is not None and not signed > -wanted.margin:
        raise InputError(
            "{margin} is {got}, and the first system is worse by {worse:.4g}",
            got=wanted.margin,
            worse=-signed,
            advice="only a difference within the margin can be shown to be so",
        )
    return population


# Checks


def _check_share(x: object, argument: str, *, ends: bool = False) -> float:
    numbers = (int, float, np.integer, np.floating)
    if isinstance(x, bool) or not isinstance(x, numbers) or not (0 <= x <= 1 if ends else 0 < x < 1):
        expected = "a number from 0 to 1" if ends else "a number between 0 and 1"
        raise InputError("{argument} is {got!r}", argument=argument, got=x, expected=expected)
    return float(x)


def _check(wanted: PlanRequest) -> None:
    if wanted.equivalence and wanted.margin is None:
        raise InputError(
            "{equivalence} needs a margin", advice="give {margin:=}, the largest difference that does not matter"
        )
    if wanted.goal == NONINFERIORITY and wanted.measure.orientation == NEITHER:
        raise InputError("{name} has no better direction", name=wanted.measure.name, advice="leave out {margin}")
    about_test = [x for x in ("difference", "power", "margin") if getattr(wanted, x) is not None]
    if wanted.width is not None and about_test:
        raise InputError(
            "{width} and {other} ask for different things",
            other=Argument(about_test[0]),
            advice="plan for one of them",
        )
    if wanted.items is not None and (wanted.width is not None or wanted.power is not None):
        raise InputError("{items} asks what is reached", advice="leave out {width} and {power}, or {items}")
    if wanted.goal == WIDTH and wanted.width is None and wanted.items is None:
        raise InputError(
            "nothing is asked for",
            argument="width",
            advice="give {width:=}, or {difference:=} with {power:=}, or {items:=}",
        )
    _check_numbers(wanted)


def _check_steady(wanted: PlanRequest, population: Population) -> None:
    """Refuse a measure whose value depends on the number of items, such as a total cost."""
    cells = population.matrix()
    one, two = (float(wanted.measure(cells * n, undefined=wanted.policy)) for n in (100.0, 200.0))
    if not math.isclose(one, two, rel_tol=1e-6, abs_tol=1e-9) and not math.isnan(one):
        raise InputError(
            "{name} depends on the number of items", name=wanted.measure.name, advice="plan for a measure that does not"
        )


def _check_numbers(wanted: PlanRequest) -> None:
    if wanted.width is not None and not 0 < _number(wanted.width, "width") < math.inf:
        raise InputError("{width} is {got!r}", got=wanted.width, expected="a positive number")
    if wanted.difference is not None and not math.isfinite(_number(wanted.difference, "difference")):
        raise InputError("{difference} is {got!r}", got=wanted.difference, expected="a number")
    if wanted.difference == 0 and wanted.margin is None:
        raise InputError("{difference} is 0", advice="no test can find that; use {margin:=} to plan for equal systems")
    for name in ("power", "assurance"):
        if getattr(wanted, name) is not None:
            _check_share(getattr(wanted, name), name)
    n = wanted.items
    if n is not None and (isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not _FEWEST <= n <= _MOST):
        raise InputError("{items} is {got!r}", got=n, least=_FEWEST, expected="a whole number from {least} on")


def _number(x: object, argument: str) -> float:
    if isinstance(x, bool) or not isinstance(x, (int, float, np.integer, np.floating)):
        raise InputError("{argument} is {got!r}", argument=argument, got=x, expected="a number")
    return float(x)


# Widths


def _for_width(wanted: PlanRequest, population: Population) -> Plan:
    """Return the smallest number of items whose interval is narrow enough."""
    if len(population.systems) > 1:
        raise InputError("{width} is about one system, and there are two", advice="give one, or ask for {difference:=}")
    f, policy = wanted.measure, wanted.policy
    if math.isnan(assumptions.value(f, population, 0, policy)):
        raise InputError("{name} is undefined under these assumptions", name=f.name, advice="assume other rates")

    def reached(n: int) -> float:
        found = widths(f, population, n, wanted.confidence, policy, _NARROW * wanted.simulations, wanted.seed)
        if len(found) == 0:
            return math.inf
        return float(found.mean() if wanted.assurance is None else np.quantile(found, wanted.assurance))

    items = wanted.items
    if items is None:
        assert wanted.width is not None
        z, deviation = _NORMAL.inv_cdf(0.5 + wanted.confidence / 2), assumptions.deviation(f, population, policy)
        start = (2 * z * deviation / wanted.width) ** 2 if math.isfinite(deviation) else 100.0
        items = _smallest(lambda n: reached(n) <= (wanted.width or 0.0), start, "width", _PRECISE)
    proportion = shares_of(f, population.m) is not None
    found = _plan(wanted, population, items, reached, "Wilson's" if proportion else "smoothed")
    return replace(found, width=found.table[_place(found)].reached)


def _smallest(is_enough: Callable[[int], bool], start: float, argument: str, precision: float = 0.0) -> int:
    """Return the smallest number of items that is enough, up to a relative precision, searching from a first guess."""
    low, high = _FEWEST - 1, max(_FEWEST, round(min(start, _MOST)))
    while not is_enough(high):
        low, high = high, max(high + 1, math.ceil(high * 1.3))
        if high > _MOST:
            raise InputError(
                "{argument} needs more than {most:,} items",
                advice="ask for less, or for another measure",
                argument=argument,
                most=_MOST,
            )
    if low < _FEWEST:  # the first guess was enough: look below it
        step = high
        while (step := int(step * 0.77)) >= _FEWEST and is_enough(step):
            high = step
        low = max(low, step)
    while high - low > max(1, precision * high):
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


# Power


def _for_power(wanted: PlanRequest, population: Population) -> Plan:
    """Return the smallest number of items with which the test has the power, or the power of so many items."""
    f, level = wanted.measure, 1 - wanted.confidence
    target = 0.8 if wanted.power is None else float(wanted.power)
    hit = hits_of(f, population.m) if wanted.margin is None else None
    if hit is not None:
        shares, mid = deciding_shares(population, hit), wanted.method != "exact"

        def reached(n: int) -> float:
            return mcnemar_power(*shares, n, level, mid=mid)

        start = _asymptotic(wanted, population, target)
        items = wanted.items or _smallest(lambda n: reached(n) >= target, start, "power")
        return _with_power(_plan(wanted, population, items, reached, "McNemar's test"), 0.0)
    return _by_simulation(wanted, population, target)


def _with_power(found: Plan, error: float) -> Plan:
    return replace(found, power=found.table[_place(found)].reached, error=error)


def _asymptotic(wanted: PlanRequest, population: Population, target: float) -> float:
    """Return the number of items by the delta method."""
    distance = _distance(wanted, population)
    deviation = assumptions.deviation(wanted.measure, population, wanted.policy)
    if not math.isfinite(deviation):
        return 1000.0
    return float((max(_curve(wanted, population).mean(target), 0.1) * deviation / distance) ** 2)


def _distance(wanted: PlanRequest, population: Population) -> float:
    """Return how far the assumed difference is from what the test rejects."""
    here = assumptions.difference(wanted.measure, population, wanted.policy)
    if wanted.margin is None:
        return abs(here)
    if wanted.goal == EQUIVALENCE:
        return wanted.margin - abs(here)
    return wanted.margin + (here if is_higher(wanted.measure) else -here)


def _critical(wanted: PlanRequest) -> float:
    """Return the normal quantile of the test, which is one-sided for a margin."""
    level = 1 - wanted.confidence
    return _NORMAL.inv_cdf(1 - (level if wanted.margin is not None else level / 2))


@dataclass(frozen=True)
class _Curve:
    """The power of a normal test whose statistic has a given mean.

    A test rejects where the statistic is above `z`. For equivalence, a second statistic must be above it too, whose
    mean is `ratio` times as large; the first is the one that is closer to the end of the margin.
    """

    z: float
    ratio: float | None = None

    def power(self, mean: float) -> float:
        """Return the power at this mean."""
        if self.ratio is None:
            return _NORMAL.cdf(mean - self.z)
        return max(0.0, _NORMAL.cdf(mean - self.z) + _NORMAL.cdf(self.ratio * mean - self.z) - 1)

    def mean(self, power: float) -> float:
        """Return the mean that has this power, by bisection for equivalence."""
        if self.ratio is None:
            return self.z + _NORMAL.inv_cdf(power)
        low, high = 0.0, self.z + 40.0
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if self.power(middle) < power else (low, middle)
        return high

    def slope(self, mean: float) -> float:
        """Return how fast the power grows with the mean."""
        found = _NORMAL.pdf(mean - self.z)
        return found if self.ratio is None else found + self.ratio * _NORMAL.pdf(self.ratio * mean - self.z)


def _curve(wanted: PlanRequest, population: Population) -> _Curve:
    """Return how the power of the planned test depends on the mean of its statistic."""
    if wanted.goal != EQUIVALENCE or wanted.margin is None:
        return _Curve(_critical(wanted))
    here = abs(assumptions.difference(wanted.measure, population, wanted.policy))
    return _Curve(_critical(wanted), (wanted.margin + here) / (wanted.margin - here))


def _by_simulation(wanted: PlanRequest, population: Population, target: float) -> Plan:
    """Return the number of items from simulated tests.

    A test that rejects with probability P at n items behaves like a normal test whose statistic has the mean that gives
    this power (z + Φ⁻¹(P) for a one-sided test), which grows with √n. So each simulation says how large this mean is
    with one item, and what all simulations say together gives the next number of items to simulate, until it hardly
    changes.
    """
    settings = ComparisonSettings(
        (wanted.measure,), confidence=wanted.confidence, seed=wanted.seed, method=wanted.method, replicates=_SWAPS,
        policy=wanted.policy, margin=wanted.margin,
    )  # fmt: skip
    curve, seen = _curve(wanted, population), list[tuple[int, float]]()
    aim, equivalence = curve.mean(target), wanted.goal == EQUIVALENCE
    tested = ""
    items = wanted.items or max(_FEWEST, math.ceil(min(_asymptotic(wanted, population, target), _MOST)))
    for step in range(1 if wanted.items is not None else _ROUNDS):
        here = replace(settings, seed=wanted.seed + step)
        share, tested = simulated_power(population, items, here, wanted.simulations, equivalence=equivalence)
        seen.append((items, share))
        if wanted.items is not None:
            break
        following = max(_FEWEST, math.ceil(max(aim / max(_growth(seen, curve, wanted.simulations), 1e-9), 1e-3) ** 2))
        if following > _MOST:
            raise InputError(
                "{power} needs more than {most:,} items",
                advice="ask for less power, or plan for a larger difference",
                most=_MOST,
            )
        items, before = following, items
        if step and abs(items - before) <= 0.02 * items:
            break
    growth = _growth(seen, curve, wanted.simulations)
    found = _plan(wanted, population, items, lambda n: curve.power(growth * math.sqrt(n)), f"{tested}, simulated")
    power = found.table[_place(found)].reached
    return _with_power(found, math.sqrt(power * (1 - power) / (wanted.simulations * len(seen))))


def _growth(seen: list[tuple[int, float]], curve: _Curve, samples: int) -> float:
    """Return the mean of the statistic with one item, from the simulated powers of some numbers of items.

    By the delta method, the mean that gives the power P has the variance P(1 − P)/(s² samples) with the slope s of the
    power, and the means over √n are weighted by the inverse of theirs: a power near 0 or 1 says little.
    """
    rates, weights = [], []
    for n, power in seen:
        share = min(max(power, 0.5 / samples), 1 - 0.5 / samples)
        mean = curve.mean(share)
        rates.append(mean / math.sqrt(n))
        weights.append(n * curve.slope(mean) ** 2 / (share * (1 - share)))
    return float(np.average(rates, weights=weights))


# The result


def _plan(
    wanted: PlanRequest, population: Population, items: int, reached: Callable[[int], float], method: str
) -> Plan:
    label, share = population.rarest()
    numbers = sorted({max(_FEWEST, round(items * x)) for x in _STEPS} | {items})
    table = tuple(PlanRow(n, round(n * share), reached(n)) for n in numbers)
    values = {
        name: assumptions.value(wanted.measure, population, k, wanted.policy)
        for k, name in enumerate(population.systems)
    }
    return Plan(
        wanted.goal, wanted.measure.name, items, round(items * share), label, values, None, None, 0.0,
        float(wanted.confidence), wanted.assurance, wanted.margin, table, method, population.notes,
    )  # fmt: skip


def _place(found: Plan) -> int:
    return [row.items for row in found.table].index(found.items)
