"""Measures of two classes that were proposed for imbalanced data; they weigh recall against specificity."""

from __future__ import annotations

import math
from functools import partial

from goodmeasure.catalogue.family import number
from goodmeasure.catalogue.measure import LOWER, Description
from goodmeasure.catalogue.register import define as define_measure
from goodmeasure.catalogue.register import define_family as define_family_of
from goodmeasure.language.value import Value
from goodmeasure.language.view import Definition, Number, View

define = partial(define_measure, classes=2, family="imbalance")
define_family = partial(define_family_of, classes=2, family="imbalance")


def recall(c: View) -> Value:
    """Return the recall of the positive class."""
    return c.ratio(c.tp, c.tp + c.fn)


def specificity(c: View) -> Value:
    """Return the recall of the negative class."""
    return c.ratio(c.tn, c.tn + c.fp)


@define(
    "adjusted_f_score",
    title="Adjusted F-score",
    range=(0, 1),
    cite="maratea2014",
    aliases=("agf",),
    about="the geometric mean of F2 of the positive class and F0.5 of the negative one",
)
def adjusted_f_score(c: View) -> Value:
    errors = 4 * c.fn + c.fp
    return c.ratio(5 * c.sqrt(c.tp * c.tn), c.sqrt((5 * c.tp + errors) * (5 * c.tn + errors)))


@define(
    "adjusted_geometric_mean",
    title="Adjusted geometric mean",
    range=(0, 1),
    cite="batuwita2009",
    aliases=("agm",),
    about="the geometric mean of recall and specificity, moved towards specificity if negative items are frequent",
)
def adjusted_geometric_mean(c: View) -> Value:
    r, s = recall(c), specificity(c)
    negative = c.ratio(c.tn + c.fp, c.n)
    return c.where(c.tp == 0, r, lambda: c.ratio(c.sqrt(r * s) + s * negative, 1 + negative))


@define_family(
    "index_of_balanced_accuracy",
    usual=({"alpha": 1}, {"alpha": 0.1}),
    title="Index of balanced accuracy",
    range=(0, 1),
    cite="garcia2009",
    aliases=("iba",),
    class_symmetric=lambda alpha: alpha == 0,
    about="recall times specificity, raised by up to alpha if recall is larger, and lowered if specificity is",
)
def index_of_balanced_accuracy(alpha: Number = 1) -> Definition:
    number(alpha, "alpha", at_least=0, at_most=1)

    def definition(c: View) -> Value:
        r, s = recall(c), specificity(c)
        return (1 + c.constant(alpha) * (r - s)) * r * s

    return definition


@define(
    "optimized_precision",
    title="Optimized precision",
    range=(-1, 1),
    cite="ranawana2006",
    class_symmetric=True,
    about="accuracy minus the relative difference of recall and specificity",
)
def optimized_precision(c: View) -> Value:
    r, s = recall(c), specificity(c)
    return c.ratio(c.tp + c.tn, c.n) - c.ratio(c.max(r, s) - c.min(r, s), r + s)


@define(
    "distance_index",
    title="Distance from the perfect ROC point",
    range=(0, math.sqrt(2)),
    cite="perkins2006",
    aliases=("dind",),
    orientation=LOWER,
    class_symmetric=True,
    about="the Euclidean distance of miss rate and fallout from 0",
)
def distance_index(c: View) -> Value:
    return c.sqrt(c.ratio(c.fn, c.tp + c.fn) ** 2 + c.ratio(c.fp, c.tn + c.fp) ** 2)


@define(
    "similarity_index",
    title="Similarity to the perfect ROC point",
    range=(0, 1),
    cite="perkins2006",
    aliases=("sind",),
    class_symmetric=True,
    about="the distance from the perfect ROC point, rescaled: 1 is perfect",
)
def similarity_index(c: View) -> Value:
    return 1 - c.sqrt((c.ratio(c.fn, c.tp + c.fn) ** 2 + c.ratio(c.fp, c.tn + c.fp) ** 2) / 2)


@define_family(
    "net_benefit",
    usual=({"weight": 1},),
    title="Net benefit",
    range=lambda weight: (-weight, 1),
    cite="vickers2006",
    about=Description(
        "true positives minus weighted false positives, as a share of all items",
        "the weight is the threshold's odds",
    ),
)
def net_benefit(weight: Number = 1) -> Definition:
    number(weight, "weight", at_least=0)

    def definition(c: View) -> Value:
        return c.ratio(c.tp - c.constant(weight) * c.fp, c.n)

    return definition
