"""Warn about scores that point the other way: positive items tend to have the lower scores."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import NormalDist

import numpy as np

from goodmeasure.counts.scores.by_threshold import ThresholdCounts
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.intervals.dependence import Dependence
from goodmeasure.evaluation.significance import Claim
from goodmeasure.evaluation.warnings.record import Caution
from goodmeasure.typing import Array, Label

_FEW = 10  # items: fewer may all have a probability of 0 or 1
_Z = NormalDist().inv_cdf(0.975)


def reversed_scores(
    group: Label, counts: ThresholdCounts, sizes: tuple[float, float] | None, positive: Label
) -> Iterator[Caution]:
    """Warn where the area under the ROC curve is significantly below 0.5.

    `sizes` are the effective numbers of positive and negative items; matrices without items cannot tell.
    """
    if sizes is None or min(sizes) <= 0:
        return
    if set(np.asarray(counts.thresholds).tolist()) <= {0, 1} and sum(sizes) >= _FEW:
        text = (
            "The scores are only 0 and 1, so they seem to be predicted labels: measures of ranking and probabilities "
            "say little about them. Give the scores that the labels were made of, or the labels as y_pred."
        )
        yield Caution(None if group is None else str(group), None, None, None, text)
    found = area(counts)
    if significance.is_significant(Claim(apart=found + _Z * _standard_error(found, *sizes) < 0.5)):
        text = (
            f"The scores seem to point the other way: the area under the ROC curve is {found:.3f}, so items of class "
            f"{positive!r} tend to have lower scores than others. Negate the scores, or name the other class as the "
            "positive one (positive=, --positive)."
        )
        yield Caution(None if group is None else str(group), None, positive, None, text)


def worth(hit: Array, weights: Array | None, units: Array | None = None) -> tuple[float, float]:
    """Return the numbers of positive and negative items, or their effective sample sizes (Σw)²/Σw² (Kish 1965).

    With groups, it is the effective number of groups that hold each class, as if the items of a group were alike.
    """
    if units is not None:
        held = Dependence(units, hit, weights, int(units.max()) + 1).held
        return (float(held[1]), float(held[0])) if len(held) > 1 else (0.0, 0.0)
    if weights is None:
        positive = float(np.count_nonzero(hit))
        return positive, len(hit) - positive
    parts = [weights[hit].astype(float), weights[~hit].astype(float)]
    positive, negative = (float(x.sum() ** 2 / (x**2).sum()) if x.any() else 0.0 for x in parts)
    return positive, negative


def area(counts: ThresholdCounts) -> float:
    """Return the area under the ROC curve: the share of pairs in which the positive item has the higher score.

    A tie counts one half, which is what the trapezoids under the curve add up to.
    """
    accepted = counts.cells[:, 1]  # false and true positives, which rise as the threshold falls
    with np.errstate(invalid="ignore"):  # of one class only, it is undefined
        false, true = (np.concatenate([[0.0], x / x[-1]]) for x in accepted)
    return float((np.diff(false) * (true[1:] + true[:-1])).sum() / 2)


def _standard_error(of: float, positive: float, negative: float) -> float:
    """Return the standard error of the area under a ROC curve (Hanley and McNeil 1982)."""
    a, both = of, of * of
    spread = a * (1 - a) + (positive - 1) * (a / (2 - a) - both) + (negative - 1) * (2 * both / (1 + a) - both)
    return math.sqrt(max(spread, 0.0) / (positive * negative))
