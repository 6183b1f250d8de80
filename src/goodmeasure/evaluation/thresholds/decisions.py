"""Decisions by scores: costs of errors, decision curves (net benefit), and cost curves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.family import literal
from goodmeasure.catalogue.measure import LOWER, Measure
from goodmeasure.counts.scores.by_threshold import ThresholdCounts
from goodmeasure.counts.scores.scored import Scored
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

    It is a mean over items: 1 for a true positive, −t/(1 − t) for a false one, and 0 for items that are not acted on.
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
    if data.units is None:
        benefit, spread = _from_sums(data, weight, at, odds)
    else:
        benefit, spread = _from_groups(scores, hit, weight, data.units, at, odds)
    everybody = share - (1 - share) * odds
    if confidence is None:
        return DecisionCurve(at, benefit, everybody)
    reach = NormalDist().inv_cdf(0.5 + confidence / 2) * spread
    return DecisionCurve(at, benefit, everybody, benefit - reach, np.minimum(benefit + reach, share))


def _from_sums(data: Scored, weight: Array, at: Array, odds: Array) -> tuple[Array, Array]:
    """Return the net benefit and its standard error at each threshold, from the sums of weights between thresholds.

    There are three kinds of items at a threshold (true positives, false positives and items that are not acted on), so
    the sums of weights and of their squares say everything.
    """
    order, hit = np.argsort(at), data.true
    place = np.searchsorted(at[order], data.scores, side="right")  # how many thresholds an item reaches
    found = []
    for amount in (weight, data.squares):
        by_class = np.stack([np.bincount(place[kind], amount[kind], len(at) + 1) for kind in (~hit, hit)])
        acted = np.empty((2, len(at)))
        acted[:, order] = np.cumsum(by_class[:, ::-1], axis=1)[:, ::-1][:, 1:]
        found.append((acted, float(by_class.sum())))
    ((fp, tp), total), ((fp2, tp2), squares) = found
    benefit = (tp - odds * fp) / total
    away = tp2 * (1 - benefit) ** 2 + fp2 * (odds + benefit) ** 2 + (squares - tp2 - fp2) * benefit**2
    return benefit, np.sqrt(away * data.items / max(data.items - 1, 1)) / total


def _from_groups(scores: Array, hit: Array, weight: Array, units: Array, at: Array, odds: Array) -> tuple[Array, Array]:
    """Return the net benefit and its standard error at each threshold, where whole groups vary."""
    total = float(weight.sum())
    benefit, spread = np.empty(len(at)), np.empty(len(at))
    for k, t in enumerate(at):
        gain = np.where(scores >= t, np.where(hit, 1.0, -odds[k]), 0.0)
        benefit[k] = float(gain @ weight) / total
        summed = np.bincount(units, weight * (gain - benefit[k]) / total)
        spread[k] = math.sqrt(float((summed**2).sum()) * len(summed) / max(len(summed) - 1, 1))
    return benefit, spread


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
