"""Measures of rankings: how well scores put positive items above negative ones. Only the order of the scores matters.

Most are one line: a measure of confusion matrices, taken over all thresholds.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from goodmeasure.catalogue.family import number
from goodmeasure.catalogue.measure import LOWER, Description
from goodmeasure.catalogue.scores.definition import (
    DegenerateScores,
    Scaled,
    ScoreDefinition,
    check_both_classes,
    value_or_rule,
    weights_of,
)
from goodmeasure.catalogue.scores.measure import ScoreMeasure, define_score, define_score_family
from goodmeasure.catalogue.scores.over_thresholds import OverThresholds, ThresholdMatrices, area, at, best, upper_hull
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array

define = partial(define_score, range=(0, 1), family="ranking")
define_family = partial(define_score_family, range=(0, 1), family="ranking")

roc_auc = define(
    "roc_auc",
    area("recall", over="fallout"),
    title="ROC AUC",
    cite="hanley1982",
    aliases=("auc", "auroc", "roc_auc_score", "area_under_roc", "c_statistic", "concordance", "c_index"),
    about=Description(
        "the share of pairs of a positive and a negative item in which the positive one has the higher score",
        "a tie counts one half",
    ),
)

average_precision = define(
    "average_precision",
    area("precision", over="recall", between="step"),
    title="Average precision",
    cite="davis2006",
    aliases=("ap", "average_precision_score", "auprc"),
    about=Description(
        "the mean precision at the thresholds where a positive item is found", "the curve is not interpolated"
    ),
)

interpolated_average_precision = define(
    "interpolated_average_precision",
    area("precision", over="recall", between="envelope"),
    title="Interpolated average precision",
    cite="everingham2010",
    aliases=("voc_average_precision",),
    about=Description(
        "average precision with each precision raised to the best one at the same or a higher recall",
        "it is never below average precision",
    ),
)

gini = define(
    "gini",
    Scaled(roc_auc.definition, 2.0, -1.0, r"2 \, \mathrm{AUC} - 1"),
    title="Gini coefficient",
    range=(-1, 1),
    cite="somers1962",
    aliases=("gini_coefficient", "accuracy_ratio", "gain_capture", "somers_d_of_scores"),
    about="the share of pairs in order minus that of pairs out of order: Somers' D, and twice the ROC AUC minus 1",
)

ks = define(
    "ks",
    best("k"),
    title="Kolmogorov–Smirnov statistic",
    cite="youden1950",
    aliases=("ks_statistic", "kolmogorov_smirnov", "max_youden"),
    about=Description(
        "the greatest difference of recall and fallout at any threshold, which is the best Youden's J",
        "optimistic, since the threshold is chosen on the same items",
    ),
)

equal_error_rate = define(
    "equal_error_rate",
    at("fallout", "fallout == miss_rate"),
    title="Equal error rate",
    orientation=LOWER,
    cite="powers2011",
    aliases=("eer",),
    about="the rate of errors at the threshold where positive and negative items are mistaken equally often",
)


def _share(value: float, name: str) -> float:
    """Return a parameter that is a share above 0."""
    if number(value, name, at_least=0, at_most=1) == 0:
        raise InputError("{argument} is 0", argument=name, got=value, expected="a share above 0")
    return value


@define_family(
    "partial_auc",
    usual=({"max_fpr": 0.1},),
    title=lambda max_fpr: f"Partial ROC AUC (fallout ≤ {max_fpr:g})",
    range=lambda max_fpr: (0, max_fpr),
    cite="mcclish1989",
    about=Description("the area under the ROC curve up to a fallout of max_fpr", "at most max_fpr"),
)
def partial_auc(max_fpr: float = 0.1) -> ScoreMeasure:
    return area("recall", over="fallout", high=_share(max_fpr, "max_fpr"))


@define_family(
    "standardised_auc",
    usual=({"max_fpr": 0.1},),
    title=lambda max_fpr: f"Standardised ROC AUC (fallout ≤ {max_fpr:g})",
    cite="mcclish1989",
    aliases=("standardized_auc", "mcclish_auc"),
    about=Description(
        "the area under the ROC curve up to a fallout of max_fpr, scaled so that random scores get 0.5 and perfect "
        "ones 1",
        "scikit-learn's roc_auc_score(max_fpr=…)",
    ),
)
def standardised_auc(max_fpr: float = 0.1) -> Scaled:
    most = _share(max_fpr, "max_fpr")
    inner = area("recall", over="fallout", high=most)
    span = most - most**2 / 2
    formula = rf"\frac{{1}}{{2}} \left(1 + \frac{{{inner.formula} - {most**2 / 2:g}}}{{{span:g}}}\right)"
    return Scaled(inner.definition, 0.5 / span, 0.5 - 0.5 * (most**2 / 2) / span, formula)


@define_family(
    "precision_at_recall",
    usual=({"recall": 0.9},),
    title=lambda recall: f"Precision at recall ≥ {recall:g}",
    cite="powers2011",
    aliases=("precision_at_fixed_recall",),
    about="the best precision among the thresholds whose recall is at least that high",
)
def precision_at_recall(recall: object = 0.9) -> ScoreMeasure:
    return at("precision", f"recall >= {number(recall, 'recall', at_least=0, at_most=1)}")


@define_family(
    "recall_at_precision",
    usual=({"precision": 0.9},),
    title=lambda precision: f"Recall at precision ≥ {precision:g}",
    cite="powers2011",
    aliases=("recall_at_fixed_precision",),
    about="the best recall among the thresholds whose precision is at least that high",
)
def recall_at_precision(precision: object = 0.9) -> ScoreMeasure:
    return at("recall", f"precision >= {number(precision, 'precision', at_least=0, at_most=1)}")


@define_family(
    "recall_at_fallout",
    usual=({"fallout": 0.05},),
    title=lambda fallout: f"Recall at fallout ≤ {fallout:g}",
    cite="powers2011",
    aliases=("tpr_at_fpr",),
    about="the best recall among the thresholds whose fallout (1 − specificity) is at most that high",
)
def recall_at_fallout(fallout: object = 0.05) -> ScoreMeasure:
    return at("recall", f"fallout <= {number(fallout, 'fallout', at_least=0, at_most=1)}")


@define_family(
    "recall_at_specificity",
    usual=({"specificity": 0.95},),
    title=lambda specificity: f"Recall at specificity ≥ {specificity:g}",
    cite="powers2011",
    aliases=("sensitivity_at_specificity",),
    about="the best recall (sensitivity) among the thresholds whose specificity is at least that high",
)
def recall_at_specificity(specificity: object = 0.95) -> ScoreMeasure:
    return at("recall", f"specificity >= {number(specificity, 'specificity', at_least=0, at_most=1)}")


@define_family(
    "specificity_at_recall",
    usual=({"recall": 0.9},),
    title=lambda recall: f"Specificity at recall ≥ {recall:g}",
    cite="powers2011",
    aliases=("specificity_at_sensitivity",),
    about="the best specificity among the thresholds whose recall (sensitivity) is at least that high",
)
def specificity_at_recall(recall: object = 0.9) -> ScoreMeasure:
    return at("specificity", f"recall >= {number(recall, 'recall', at_least=0, at_most=1)}")


@define_family(
    "gain_at",
    usual=({"share": 0.1},),
    title=lambda share: f"Gain in the top {share:.4g}",
    cite="powers2011",
    aliases=("gain", "cumulative_gain"),
    about=Description(
        "the share of the positive items that are found among the items with the highest scores, of which `share` of "
        "all are taken",
        "equal scores are taken in random order",
    ),
)
def gain_at(share: float = 0.1) -> ScoreMeasure:
    return at("recall", f"predicted_prevalence == {_share(share, 'share')}")


@define_family(
    "lift_at",
    usual=({"share": 0.1},),
    title=lambda share: f"Lift in the top {share:.4g}",
    range=(0, math.inf),
    cite="brin1997",
    about=Description(
        "the precision among the items with the highest scores, of which `share` of all are taken, divided by the "
        "prevalence",
        "equal scores are taken in random order",
    ),
)
def lift_at(share: float = 0.1) -> ScoreMeasure:
    return at("lift", f"predicted_prevalence == {_share(share, 'share')}")


class DPrime(ScoreDefinition):
    """The distance of the mean scores of both classes, in pooled standard deviations."""

    formula = (
        r"\frac{\bar{s}_{1} - \bar{s}_{0}}{\sqrt{\left(v_{0} + v_{1}\right) / 2}} \quad "
        r"\text{with means and variances of the scores of both classes}"
    )

    def value(self, data: Scored) -> float:
        check_both_classes(data)
        (low, high), spread = self._moments(data)[:2]
        if not (np.isfinite([low, high]).all() and np.isfinite(spread).all()):
            raise DegenerateScores("a score is infinite, so the mean of its class is not finite")
        if sum(spread) == 0:
            if low == high:
                raise DegenerateScores("all scores are equal, so they rank no item above another")
            raise DegenerateScores("the scores of each class do not vary")
        return (high - low) / math.sqrt(sum(spread) / 2)

    @staticmethod
    def _moments(data: Scored) -> tuple[list[float], list[float]]:
        """Return the means and the variances of the scores of negative and positive items."""
        means, spreads = [], []
        with np.errstate(invalid="ignore", over="ignore"):
            for of in (~data.true, data.true):
                x = data.scores[of].astype(float)
                w = None if data.weights is None else data.weights[of]
                mean = float(np.average(x, weights=w))
                means.append(mean)
                spreads.append(float(np.average((x - mean) ** 2, weights=w)))
        return means, spreads

    def influences(self, data: Scored) -> Array | None:
        means, spreads = self._moments(data)
        pooled = math.sqrt(sum(spreads) / 2)
        if not pooled > 0 or not math.isfinite(pooled):
            return None
        x, found, gap = data.scores.astype(float), np.empty(len(data)), means[1] - means[0]
        for k, of in enumerate((~data.true, data.true)):
            away = x[of] - means[k]
            spread = (away**2 - spreads[k]) / 2
            found[of] = ((2 * k - 1) * away / pooled - gap * spread / (2 * pooled**3)) / data.sizes[k]
        return np.asarray(weights_of(data) * found)


d_prime = define(
    "d_prime",
    DPrime(),
    title="d′ (sensitivity index)",
    range=(-math.inf, math.inf),
    cite="simpson1973",
    aliases=("dprime", "d_a", "sensitivity_index"),
    about=Description(
        "the difference of the mean scores of both classes in units of their pooled standard deviation",
        "unlike the others here, it depends on the scale of the scores",
    ),
)


class HMeasure(OverThresholds):
    """The expected loss over a distribution of costs, relative to that of the best constant prediction.

    A false positive costs c and a false negative 1 − c, with c from a beta distribution. For each c the best threshold
    lies on the upper convex hull of the ROC curve, and each corner of the hull is best between two values of c. With
    whole parameters the density is a polynomial, so all integrals are exact up to rounding.
    """

    def __init__(self, alpha: int, beta: int) -> None:
        self.alpha, self.beta = alpha, beta
        rising = np.polynomial.Polynomial([0, 1]) ** (alpha - 1)
        density = rising * np.polynomial.Polynomial([1, -1]) ** (beta - 1)
        self._of_cost = (density * np.polynomial.Polynomial([0, 1])).integ()
        self._of_rest = (density * np.polynomial.Polynomial([1, -1])).integ()
        self.formula = (
            rf"1 - \frac{{\int \min_{{t}} \left(c \, \mathrm{{FP}} + (1 - c) \, \mathrm{{FN}}\right) w(c) \, "
            rf"\mathrm{{d}}c}}{{\int \min \left(c \left(\mathrm{{FP}} + \mathrm{{TN}}\right), (1 - c) \left(\mathrm"
            rf"{{TP}} + \mathrm{{FN}}\right)\right) w(c) \, \mathrm{{d}}c}} \quad "
            rf"\text{{with }} w = \mathrm{{Beta}}({alpha}, {beta})"
        )

    def reduced(self, points: ThresholdMatrices) -> Array:
        false, true = points.cells[0, 1], points.cells[1, 1]
        return np.array([self._one(false[:, b], true[:, b]) for b in range(false.shape[1])])

    def _one(self, false: Array, true: Array) -> float:
        negative, positive = float(false[-1]), float(true[-1])
        if not (negative > 0 and positive > 0):
            return math.nan
        corners = upper_hull(false, true)
        found = self._loss(false[corners], true[corners], positive)
        ends = self._loss(np.array([0.0, negative]), np.array([0.0, positive]), positive)
        return 1 - found / ends

    def _loss(self, false: Array, true: Array, positive: float) -> float:
        """Return the integral of the least loss over c; corner k is the best between cost k and cost k − 1.

        Going from one corner to the next adds Δfp false positives and saves Δfn false negatives, which pays while
        c Δfp < (1 − c) Δfn, so for c below Δfn / (Δfp + Δfn).
        """
        more, saved = np.diff(false), np.diff(true)
        switch = np.concatenate([[1.0], saved / (more + saved), [0.0]])
        by_cost, by_rest = -np.diff(self._of_cost(switch)), -np.diff(self._of_rest(switch))
        return float((false * by_cost + (positive - true) * by_rest).sum())


@define_family(
    "h_measure",
    usual=({"alpha": 2, "beta": 2},),
    title="H measure",
    cite="hand2009",
    about="1 minus the expected cost of errors, relative to that of the best constant prediction, where the cost of a "
    "false positive against that of a false negative is drawn from a beta distribution",
)
def h_measure(alpha: int = 2, beta: int = 2) -> HMeasure:
    for name, value in (("alpha", alpha), ("beta", beta)):
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 50:
            raise InputError("{argument} is {got!r}", argument=name, got=value, expected="a whole number from 1 to 50")
    return HMeasure(alpha, beta)


class HandTill(ScoreDefinition):
    """The mean over pairs of classes of the area under the ROC curve between the two."""

    classes = None
    formula = (
        r"\frac{2}{m (m - 1)} \sum_{i < j} \frac{1}{2} \left(A(i|j) + A(j|i)\right) \quad "
        r"\text{with } A(i|j) \text{ the ROC AUC of the scores of } i \text{ among the items of } i \text{ and } j"
    )

    def value(self, data: Scored) -> float:
        if data.m == 2 and data.scores.ndim == 1:
            return roc_auc.definition.value(data)
        absent = [label for label, size in zip(data.labels, data.sizes, strict=True) if size == 0]
        found = [value_or_rule(roc_auc.definition, pair) for pair, _ in self._pairs(data)]
        if not found:
            raise DegenerateScores("fewer than two classes have items")
        mean = float(np.mean(found))
        if absent:
            raise DegenerateScores(f"no item belongs to class {absent[0]!r}, which is left out", mean)
        if (data.scores == data.scores[0]).all():
            raise DegenerateScores("all items have the same scores, so no item ranks above another", mean)
        return mean

    @staticmethod
    def _pairs(data: Scored) -> list[tuple[Scored, Array]]:
        """Return the items of each ordered pair of classes, scored by the first one, and which items they are."""
        places = [np.flatnonzero(data.true == k) for k in range(data.m)]
        found = []
        for i, here in enumerate(places):
            for j, there in enumerate(places):
                if i != j and len(here) and len(there):
                    items = np.concatenate([here, there])
                    found.append((data.of_class(i).at(items), items))
        return found

    def influences(self, data: Scored) -> Array | None:
        if data.scores.ndim == 1:
            return roc_auc.definition.influences(data)
        found, pairs = np.zeros(len(data)), self._pairs(data)
        for pair, items in pairs:
            part = roc_auc.definition.influences(pair)
            if part is None:
                return None
            found[items] += part / len(pairs)
        return found


hand_till = define(
    "hand_till",
    HandTill(),
    title="Hand and Till's M",
    cite="hand2001",
    aliases=("mauc", "roc_auc_ovo", "roc_auc_hand_till"),
    about=Description(
        "the ROC AUC of more than two classes: the mean over all pairs of classes, with the scores of either one",
        "it does not depend on class sizes",
    ),
)
