"""How far a measure of scores that are counted in intervals can be from its exact value.

In a sketch (`counts/scores/score_sketch.py`) the counts at the lowest score of each interval are exact, and only the
order of the items within an interval is not known. Each bound below allows for every order, so it holds for all data,
and it is computed from the sketch itself: it is not a probability or a rule of thumb.
"""

from __future__ import annotations

import numpy as np

from goodmeasure.catalogue.measure import as_measure
from goodmeasure.catalogue.scores.calibration import EXPECTED, WIDTH, CalibrationError
from goodmeasure.catalogue.scores.definition import ItemMean, Scaled, ScoreDefinition
from goodmeasure.catalogue.scores.over_thresholds import Area, BestValue
from goodmeasure.catalogue.scores.probability import BrierPart, Skill
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.typing import Array

_ROUNDING = 1e-15  # how much sums of merged rows change by rounding alone, even where merging loses nothing


def sketch_error(definition: ScoreDefinition, data: Scored, value: float) -> float | None:
    """Return the most that a value can be off by; 0 where it is exact, and None where no bound is known."""
    if isinstance(definition, Scaled):
        inner = (value - definition.constant) / definition.factor
        found = sketch_error(definition.inner, data, inner)
        return None if found is None else abs(definition.factor) * found
    if isinstance(definition, Skill):
        definition = definition.inner
    assert data.merged is not None
    if isinstance(definition, ItemMean):
        return 0.0 if type(definition) in data.merged.sums else None
    if isinstance(definition, BrierPart):
        return 0.0 if definition.part == "uncertainty" else None
    if isinstance(definition, Area) and definition.shortcut is not None:
        return _of_pairs(data) if definition.is_roc else _of_precision(data)
    if isinstance(definition, BestValue) and definition.measure == as_measure("k"):
        return _of_youden(data, value)
    return _of_calibration(definition, data) if isinstance(definition, CalibrationError) else None


def _intervals(data: Scored) -> Array:
    """Return which distinct scores of the ranking stand for an interval and not for one score."""
    assert data.merged is not None
    return np.isin(data.ranking.scores, data.scores[data.merged.high > data.scores])


def _of_pairs(data: Scored) -> float:
    """Return the bound of the area under the ROC curve.

    Only pairs within an interval are not known to be in order. They count one half, so each is off by one half at most.
    """
    (negative, positive), wide = data.ranking.weight, _intervals(data)
    within = float((negative[wide].astype(float) * positive[wide]).sum())
    return within / 2 / (data.ranking.totals[0] * data.ranking.totals[1]) + (_ROUNDING if within else 0.0)


def _of_precision(data: Scored) -> float:
    """Return the bound of the average precision.

    At a positive item of an interval, the items of higher intervals are above it. At best all positive items of its
    interval are too and no negative one, at worst all negative ones and no positive one but itself.
    """
    ranking, wide = data.ranking, _intervals(data)
    negative, positive = (x[wide].astype(float) for x in ranking.weight)
    above = [(here - own)[wide].astype(float) for here, own in zip(ranking.from_here, ranking.weight, strict=True)]
    own = 0.0 if ranking.is_weighted else 1.0
    at = positive > 0
    negative, positive, false, true = (x[at] for x in (negative, positive, *above))
    exact = (true + positive) / (true + positive + false + negative)
    best = (true + positive) / (true + positive + false)
    worst = (true + own) / np.maximum(true + own + false + negative, 1e-300)
    up, down = (float((positive * x).sum()) / ranking.totals[1] for x in (best - exact, exact - worst))
    return max(up, down) + _ROUNDING if len(exact) else 0.0


def _of_youden(data: Scored, value: float) -> float:
    """Return the bound of the greatest difference of recall and fallout.

    The value is reached at the end of an interval. Within one, at most all its positive items are found in addition.
    """
    ranking, wide = data.ranking, _intervals(data)
    if not wide.any():
        return 0.0
    below = ranking.from_here[0][wide] - ranking.weight[0][wide]
    highest = ranking.from_here[1][wide] / ranking.totals[1] - below / ranking.totals[0]
    return max(0.0, float(highest.max()) - value) + _ROUNDING


def _of_calibration(definition: CalibrationError, data: Scored) -> float | None:
    """Return the bound of a calibration error.

    The sums of a bin are exact if no interval reaches into two bins. An interval that does may move its weight from one
    bin to another, which changes the distances of both by at most that weight.
    """
    assert data.merged is not None
    assert data.weights is not None
    if definition.binning != WIDTH:
        return None
    split = _reaches(data.scores, data.merged.high, definition.bins)
    if definition.classwise:
        split |= _reaches(1 - data.scores, 1 - data.merged.high, definition.bins)
    moved = float(data.weights[split].sum()) / data.total
    if not moved:
        return 0.0
    return 2 * moved if definition.kind == EXPECTED and not definition.debiased else None


def _reaches(low: Array, high: Array, bins: int) -> Array:
    """Return which intervals reach into two bins."""
    one, other = (np.minimum((x * bins).astype(np.int64), bins - 1) for x in (low, high))
    return np.asarray(one != other)
