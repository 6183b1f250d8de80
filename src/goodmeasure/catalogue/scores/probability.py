"""Measures of predicted probabilities: proper scores and what they are made of."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from goodmeasure.catalogue.measure import LOWER, Description
from goodmeasure.catalogue.scores.definition import (
    DegenerateScores,
    ItemMean,
    ScoreDefinition,
    of_true_class,
    weights_of,
)
from goodmeasure.catalogue.scores.measure import define_score, define_score_family
from goodmeasure.catalogue.scores.over_thresholds import upper_hull
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array

define = partial(define_score, family="probabilities")
define_family = partial(define_score_family, family="probabilities")


class LogLoss(ItemMean):
    """The mean negative logarithm of the probability of the true class."""

    formula = r"-\frac{1}{n} \sum_{x} \log p_{x}(y_{x})"

    def terms(self, true: Array, scores: Array) -> Array:
        probabilities = of_true_class(true, scores)
        np.log(probabilities, out=probabilities)
        return np.negative(probabilities, out=probabilities)

    def remark(self, data: Scored, value: float) -> str | None:
        if not math.isinf(value):
            return None
        if data.merged is not None:
            return "the true class of an item has the probability 0, so the logarithm is infinite"
        at = int(np.flatnonzero(of_true_class(data.true, data.scores) == 0)[0])
        return f"the true class of item {at} has the probability 0, so the logarithm is infinite"


class Brier(ItemMean):
    """The mean squared difference of probabilities and outcomes."""

    formula = r"\frac{1}{n} \sum_{x} \sum_{i} \left(p_{x}(i) - [y_{x} = i]\right)^{2}"

    def terms(self, true: Array, scores: Array) -> Array:
        wide = scores.astype(np.float64, copy=False)
        if scores.ndim == 1:
            away = wide - true
            return np.multiply(away, away, out=away)
        found: Array = np.einsum("ij,ij->i", wide, wide) - 2 * wide[np.arange(len(true)), true] + 1
        return found


class Spherical(ItemMean):
    """The mean probability of the true class, divided by the length of the vector of probabilities."""

    formula = r"\frac{1}{n} \sum_{x} \frac{p_{x}(y_{x})}{\sqrt{\sum_{i} p_{x}(i)^{2}}}"

    def terms(self, true: Array, scores: Array) -> Array:
        wide = scores.astype(np.float64, copy=False)
        squares = wide**2 + (1 - wide) ** 2 if scores.ndim == 1 else np.einsum("ij,ij->i", wide, wide)
        return of_true_class(true, scores) / np.sqrt(squares)


log_loss = define(
    "log_loss",
    LogLoss(),
    title="Log loss",
    range=(0, math.inf),
    orientation=LOWER,
    cite="good1952",
    aliases=("cross_entropy", "logloss", "mn_log_loss", "logarithmic_score", "negative_log_likelihood", "nll"),
    about=Description(
        "the mean negative logarithm of the probability of the true class",
        "infinite where a true class has the probability 0, since nothing is clipped",
    ),
)

brier = define(
    "brier",
    Brier(),
    title="Brier score",
    range=(0, 2),
    orientation=LOWER,
    cite="brier1950",
    aliases=("brier_score", "brier_score_loss", "brier_class"),
    about="the mean squared difference of probabilities and outcomes: with two classes of the positive class only (at "
    "most 1), with more summed over all classes (at most 2)",
)

spherical_score = define(
    "spherical_score",
    Spherical(),
    title="Spherical score",
    range=(0, 1),
    cite="gneiting2007",
    aliases=("spherical",),
    about=Description(
        "the mean probability of the true class, divided by the length of the vector of probabilities",
        "proper",
    ),
)


class Skill(ScoreDefinition):
    """How much a mean loss improves on that of predicting the class shares for every item."""

    needs_probabilities = True
    classes = None

    def __init__(self, inner: ItemMean, formula: str) -> None:
        self.inner, self.formula = inner, formula

    def _constant(self, data: Scored) -> Array:
        """Return the loss of each item where the class shares are predicted for all."""
        shares = data.sizes / data.total
        true = data.true.astype(np.int64)
        if data.scores.ndim == 1:
            by_class = self.inner.terms(np.array([False, True]), np.full(2, shares[1]))
        else:
            with np.errstate(divide="ignore"):
                by_class = self.inner.terms(np.arange(data.m), np.tile(shares, (data.m, 1)))
        found: Array = by_class[true]
        return found

    def value(self, data: Scored) -> float:
        worst = float((weights_of(data) * self._constant(data)).sum()) / data.total
        if worst == 0:
            raise DegenerateScores("all items belong to one class, so predicting the class shares has no loss")
        return 1 - self.inner.value(data) / worst

    def influences(self, data: Scored) -> Array | None:
        """Return the influences; the class shares move with the items, but the loss is the least there.

        So the derivative of the constant's loss with respect to the shares is 0, and only its terms count.
        """
        terms, worst = self.inner.terms(data.true, data.probabilities), self._constant(data)
        weights = weights_of(data)
        mean, base = (float((weights * x).sum()) / data.total for x in (terms, worst))
        if base == 0 or not np.isfinite(terms).all():
            return None
        found: Array = weights * (mean / base * (worst - base) - (terms - mean)) / base / data.total
        return found


brier_skill = define(
    "brier_skill",
    Skill(Brier(), r"1 - \frac{\mathrm{BS}}{\mathrm{BS}(\text{class shares})}"),
    title="Brier skill score",
    range=(-math.inf, 1),
    cite="brier1950",
    aliases=("brier_skill_score", "d2_brier_score"),
    about="how much the Brier score improves on that of predicting the class shares for every item: 0 for no "
    "improvement, 1 for perfect probabilities",
)

log_loss_skill = define(
    "log_loss_skill",
    Skill(LogLoss(), r"1 - \frac{\mathrm{LL}}{\mathrm{LL}(\text{class shares})}"),
    title="Log loss skill score",
    range=(-math.inf, 1),
    cite="good1952",
    aliases=("d2_log_loss_score", "mcfadden_r2"),
    about="how much the log loss improves on that of predicting the class shares for every item",
)


# The decomposition of the Brier score


def recalibrated(data: Scored) -> Array:
    """Return the share (scores) of positive items that isotonic regression gives each distinct probability.

    It is the slope of the upper convex hull of the ROC curve, in counts.
    """
    ranking = data.ranking
    false, true = (np.append(0, np.cumsum(x[::-1])) for x in ranking.weight)
    corners = upper_hull(false, true)
    share = np.diff(true[corners]) / (np.diff(false[corners]) + np.diff(true[corners]))
    return np.repeat(share, np.diff(corners))[::-1]


class BrierPart(ScoreDefinition):
    """A term of the decomposition of the Brier score into reliability, resolution and uncertainty."""

    needs_probabilities = True

    def __init__(self, part: str, bins: int | None) -> None:
        self.part, self.bins = part, bins
        self.formula = {
            "reliability": r"\frac{1}{n} \sum_{x} \left(p_{x} - q_{x}\right)^{2} + \frac{2}{n} \sum_{x} \left(p_{x} "
            r"- q_{x}\right) \left(q_{x} - [y_{x} = 1]\right)",
            "resolution": r"\frac{1}{n} \sum_{x} \left(q_{x} - \bar{y}\right)^{2}",
            "uncertainty": r"\bar{y} \left(1 - \bar{y}\right)",
        }[part]
        if part != "uncertainty":
            how = "isotonic regression" if bins is None else f"{bins} bins"
            self.formula += rf" \quad \text{{with }} q_{{x}} \text{{ the share of positive items by {how}}}"

    def value(self, data: Scored) -> float:
        share = data.sizes[1] / data.total
        if self.part == "uncertainty":
            return float(share * (1 - share))
        if self.bins is not None:
            return self._binned(data, float(share))
        weight = data.ranking.weight
        total, outcome = weight.sum(axis=0), recalibrated(data)
        if self.part == "resolution":
            return float((total * (outcome - share) ** 2).sum() / data.total)
        known = data.ranking.scores.astype(float)
        of_known = weight[0] * known**2 + weight[1] * (1 - known) ** 2
        of_outcome = weight[0] * outcome**2 + weight[1] * (1 - outcome) ** 2
        return max(0.0, float((of_known - of_outcome).sum() / data.total))

    def _binned(self, data: Scored, share: float) -> float:
        from goodmeasure.catalogue.scores.calibration import bins_of

        found = bins_of(data.probabilities, data.true, data.weights, self.bins or 1, "width", data.merged)
        away = found.outcome - (share if self.part == "resolution" else found.predicted)
        return float((found.weight * away**2).sum() / data.total)


def _bins(bins: object) -> int | None:
    if bins is None:
        return None
    if isinstance(bins, bool) or not isinstance(bins, int) or bins < 1:
        raise InputError("{bins} is {got!r}", got=bins, expected="a number of bins, or None for isotonic regression")
    return bins


@define_family(
    "brier_reliability",
    usual=({},),
    title="Reliability (part of the Brier score)",
    range=(0, 1),
    orientation=LOWER,
    cite="dimitriadis2021",
    aliases=("miscalibration",),
    about=Description(
        "how much of the Brier score is due to miscalibration: what recalibrating the probabilities would save, by "
        "isotonic regression or in bins",
        "Brier score = reliability − resolution + uncertainty",
    ),
)
def brier_reliability(bins: object = None) -> BrierPart:
    return BrierPart("reliability", _bins(bins))


@define_family(
    "brier_resolution",
    usual=({},),
    title="Resolution (part of the Brier score)",
    range=(0, 0.25),
    cite="murphy1973",
    aliases=("discrimination",),
    about="how much the recalibrated probabilities tell items apart: the variance of the shares of positive items that "
    "they stand for",
)
def brier_resolution(bins: object = None) -> BrierPart:
    return BrierPart("resolution", _bins(bins))


brier_uncertainty = define(
    "brier_uncertainty",
    BrierPart("uncertainty", None),
    title="Uncertainty (part of the Brier score)",
    range=(0, 0.25),
    orientation="neither",
    cite="murphy1973",
    about=Description(
        "the Brier score of predicting the prevalence for every item",
        "it does not depend on the probabilities",
    ),
)


# Ranks of the true class


class TopK(ItemMean):
    """The share of items whose true class is among the k classes with the highest scores."""

    needs_probabilities = False

    def __init__(self, k: int) -> None:
        self.k = k
        self.formula = (
            rf"\frac{{1}}{{n}} \sum_{{x}} [\text{{fewer than {k} classes have a higher score than }} y_{{x}}]"
        )

    def value(self, data: Scored) -> float:
        if data.scores.ndim == 1:
            data.check_probabilities(f"top_k_accuracy(k={self.k}) of one column")
        return super().value(data)

    def terms(self, true: Array, scores: Array) -> Array:
        if scores.ndim == 1:
            scores = np.stack([1 - scores, scores], axis=1)
        own = scores[np.arange(len(true)), true.astype(np.int64)][:, None]
        above, level = (scores > own).sum(axis=1), (scores == own).sum(axis=1)
        found: Array = np.clip((self.k - above) / level, 0.0, 1.0)
        return found


@define_family(
    "top_k_accuracy",
    usual=({"k": 2}, {"k": 5}),
    title=lambda k: f"Top-{k} accuracy",
    range=(0, 1),
    cite="russakovsky2015",
    aliases=("top_k", "top_k_accuracy_score"),
    about=Description(
        "the share of items whose true class is among the k classes with the highest scores",
        "equal scores are ranked at random, so it never falls as k grows",
    ),
)
def top_k_accuracy(k: object = 2) -> TopK:
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InputError("{k} is {got!r}", got=k, expected="a number of classes, at least 1")
    return TopK(k)
