"""Decisions by scores: costs of errors, decision curves (net benefit), and cost curves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.family import literal
from goodmeasure.catalogue.measure import LOWER, Measure
from goodmeasure.counts.scores.by_threshold import ThresholdCounts
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.intervals.proportions import share_of_items, wilson, wilson_ends
from goodmeasure.evaluation.intervals.sampling_units import reach_of
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.keywords import check_options
from goodmeasure.language.value import Value, total
from goodmeasure.language.view import View
from goodmeasure.options import SpreadOptions
from goodmeasure.typing import Array

OPERATING = ("recall", "specificity", "precision", "negative_predictive_value", "f1", "predicted_prevalence")
_OUTCOMES = ("tp", "fn", "fp", "tn")


def expected_cost(cost: Mapping[str, float]) -> Measure:
    """Return the measure that is the mean cost per item, from the cost of each outcome; those not named cost nothing.

    >>> expected_cost({"fp": 1, "fn": 5})([[50, 3], [4, 20]])
    0.2987012987012987
    """
    if not isinstance(cost, Mapping) or not cost:
        raise InputTypeError("{cost} is {got!r}", got=cost, expected="a dict such as {{'fp': 1, 'fn': 5}}")
    for name, value in cost.items():
        if name not in _OUTCOMES:
            raise InputError("{cost} names {name!r}", name=name, got=name, advice="the outcomes are tp, fn, fp and tn")
        number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
        if not number or not math.isfinite(value):
            raise InputError("the {cost} of {name} is {got!r}", name=name, got=value, expected="a number")
    prices = {name: float(cost.get(name, 0.0)) for name in _OUTCOMES}

    def mean_cost(c: View) -> Value:
        cells = {"tp": c.tp, "fn": c.fn, "fp": c.fp, "tn": c.tn}
        return c.ratio(total(prices[name] * cells[name] for name in _OUTCOMES), c.n)

    shown = ", ".join(f"{name}={literal(value)}" for name, value in cost.items())
    return Measure(
        mean_cost,
        f"expected_cost({shown})",
        title="Expected cost",
        range=(min(prices.values()), max(prices.values())) if len(set(prices.values())) > 1 else None,
        orientation=LOWER,
        classes=2,
        family="costs",
        about="the mean cost per item",
        parameters=dict(cost),
        key=("expected_cost", tuple(prices.items())),
    )


class DecisionCurve(NamedTuple):
    """Net benefit by threshold probability, with that of acting on all items; acting on none has 0."""

    thresholds: Array
    benefit: Array
    all: Array
    low: Array | None = None
    high: Array | None = None


def decision_curve(data: Scored, thresholds: object, confidence: float | None) -> DecisionCurve:
    """Return the net benefit TP/n − FP/n · t/(1 − t) at each threshold t, with its interval.

    TP/n and FP/n have Wilson's intervals, from which that of their difference follows (Zou and Donner 2008): its lower
    end is as far away as the lower end of the one and the upper end of the other are together, √(x² + y² − 2rxy) with
    the correlation r of the two. Where few items are acted on, a standard error would be far too small, or 0.
    """
    scores, hit = data.scores, data.true
    if not 0 <= float(scores.min()) <= float(scores.max()) <= 1:
        raise InputError(
            "{y_score} runs from {low:.4g} to {high:.4g}", low=float(scores.min()), high=float(scores.max()),
            advice="a decision curve needs probabilities",
        )  # fmt: skip
    try:
        at = np.arange(1, 100) / 100 if thresholds is None else np.atleast_1d(np.asarray(thresholds, dtype=float))
    except (TypeError, ValueError):
        raise InputTypeError(
            "{thresholds} is {got!r}", got=thresholds, expected="probabilities from 0 to below 1"
        ) from None
    check_options(SpreadOptions, confidence=confidence)
    if not ((at >= 0) & (at < 1)).all():
        raise InputError("{thresholds} holds {got}", got=float(at[~((at >= 0) & (at < 1))][0]),
                         expected="probabilities from 0 to below 1")  # fmt: skip
    weight = np.ones(len(hit)) if data.weights is None else data.weights.astype(float)
    total, odds = float(weight.sum()), at / (1 - at)
    share = float(weight[hit].sum()) / total
    everybody = share - (1 - share) * odds
    ((fp, tp), _), ((fp2, tp2), squares) = _acted_on(data, weight, at)
    shares = tp / total, fp / total
    benefit = shares[0] - odds * shares[1]
    if confidence is None:
        return DecisionCurve(at, benefit, everybody)
    if data.units is not None:
        away, r = _of_groups(data, weight, at, confidence)
    else:
        z = reach_of(confidence, math.inf)
        away = [
            _away(x, y, squares / total**2, z) for x, y in zip(shares, (tp2 / total**2, fp2 / total**2), strict=True)
        ]
        both = -shares[1] * tp2 - shares[0] * fp2 + shares[0] * shares[1] * squares
        spreads = [y * (1 - 2 * x) + x**2 * squares for x, y in zip(shares, (tp2, fp2), strict=True)]
        scale = np.sqrt(np.maximum(spreads[0] * spreads[1], 0.0))
        r = np.divide(both, scale, out=np.zeros(len(at)), where=scale > 0)
    (less, more), (fewer, others) = away
    low, high = (
        np.sqrt(np.maximum(0.0, x**2 + (odds * y) ** 2 - 2 * r * x * odds * y))
        for x, y in ((less, others), (more, fewer))
    )
    return DecisionCurve(at, benefit, everybody, benefit - low, benefit + high)


def _away(share: Array, squared: Array, least: float, z: float) -> tuple[Array, Array]:
    """Return how far Wilson's intervals of shares reach down and up.

    `squared` are the sums of squared weights of the hits, and `least` that of all items, over the squared total weight.
    """
    variance = squared * (1 - 2 * share) + share**2 * least
    known = (share > 0) & (share < 1) & (variance > 0)
    items = np.divide(share * (1 - share), variance, out=np.full(len(share), 1 / least), where=known)
    low, high = wilson_ends(share, np.minimum(items, 1 / least), z)
    return share - low, high - share


def _of_groups(data: Scored, weight: Array, at: Array, confidence: float) -> tuple[list[tuple[Array, Array]], Array]:
    """Return how far the intervals of both shares reach down and up, and their correlation, between groups."""
    assert data.units is not None
    ends, r = np.empty((2, 2, len(at))), np.zeros(len(at))
    for k, t in enumerate(at):
        acted, summed = data.scores >= t, []
        for i, x in enumerate(((acted & data.true).astype(np.float64), (acted & ~data.true).astype(np.float64))):
            found = share_of_items(x, weight, data.squares, data.units)
            low, high = wilson(found, reach_of(confidence, found.freedom))
            ends[i, :, k] = found.share - low, high - found.share
            summed.append(np.bincount(data.units, weight * (x - found.share)))
        scale = math.sqrt(float(summed[0] @ summed[0]) * float(summed[1] @ summed[1]))
        r[k] = float(summed[0] @ summed[1]) / scale if scale > 0 else 0.0
    return [(ends[0, 0], ends[0, 1]), (ends[1, 0], ends[1, 1])], r


def _acted_on(data: Scored, weight: Array, at: Array) -> list[tuple[Array, float]]:
    """Return weights and squared weights: of (negative, positive) items acted on at each threshold, and of all."""
    order, hit = np.argsort(at), data.true
    place = np.searchsorted(at[order], data.scores, side="right")  # how many thresholds an item reaches
    found = []
    for amount in (weight, data.squares):
        by_class = np.stack([np.bincount(place[kind], amount[kind], len(at) + 1) for kind in (~hit, hit)])
        acted = np.empty((2, len(at)))
        acted[:, order] = np.cumsum(by_class[:, ::-1], axis=1)[:, ::-1][:, 1:]
        found.append((acted, float(by_class.sum())))
    return found


class CostCurve(NamedTuple):
    """Normalised expected cost by the probability cost of the positive class, with the best threshold of each."""

    probability_cost: Array
    cost: Array
    thresholds: Array
    trivial: Array  # of the better one of "all positive" and "all negative"


def cost_curve(counts: ThresholdCounts, points: int) -> CostCurve:
    """Return the lower envelope of the lines miss rate · x + fallout · (1 − x), over all thresholds."""
    cells = counts.cells
    negative, positive = cells[0].sum(axis=0), cells[1].sum(axis=0)
    if not (negative > 0).all() or not (positive > 0).all():
        raise InputError("{y_true} has one class only", advice="a cost curve needs items of both")
    fallout = np.append(cells[0, 1] / negative, 0.0)
    missed = np.append(cells[1, 0] / positive, 1.0)
    known = np.append(counts.thresholds.astype(float), np.inf)
    x = np.linspace(0, 1, points)
    cost, best = np.empty(points), np.empty(points, dtype=np.int64)
    for k, share in enumerate(x):
        line = missed * share + fallout * (1 - share)
        best[k] = int(line.argmin())
        cost[k] = float(line[best[k]])
    return CostCurve(x, cost, known[best], np.minimum(x, 1 - x))
