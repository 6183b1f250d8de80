"""Rates of a binary classifier: the shares of its four outcomes; they have no rules for 0/0 of their own."""

from __future__ import annotations

import math
from functools import partial

from goodmeasure.catalogue.measure import LOWER, NEITHER, Description
from goodmeasure.catalogue.register import define as define_measure
from goodmeasure.language.value import Value
from goodmeasure.language.view import View

define = partial(define_measure, classes=2, range=(0, 1), family="rates", cite="powers2011")


@define(
    "recall",
    title="Recall",
    aliases=("tpr", "sensitivity", "sens", "true_positive_rate", "hit_rate", "recall_score"),
    about="the share of positive items that are found",
)
def recall(c: View) -> Value:
    return c.ratio(c.tp, c.tp + c.fn)


@define(
    "specificity",
    title="Specificity",
    aliases=("tnr", "true_negative_rate", "selectivity", "spec"),
    about="the share of negative items that are recognised as such",
)
def specificity(c: View) -> Value:
    return c.ratio(c.tn, c.tn + c.fp)


@define(
    "precision",
    title="Precision",
    aliases=("ppv", "positive_predictive_value", "precision_score"),
    about="the share of positive predictions that are right",
)
def precision(c: View) -> Value:
    return c.ratio(c.tp, c.tp + c.fp)


@define(
    "negative_predictive_value",
    title="Negative predictive value",
    aliases=("npv",),
    about="the share of negative predictions that are right",
)
def negative_predictive_value(c: View) -> Value:
    return c.ratio(c.tn, c.tn + c.fn)


@define(
    "fallout",
    title="Fallout",
    aliases=("fpr", "false_positive_rate"),
    orientation=LOWER,
    about="the share of negative items that are called positive",
)
def fallout(c: View) -> Value:
    return c.ratio(c.fp, c.fp + c.tn)


@define(
    "miss_rate",
    title="Miss rate",
    aliases=("fnr", "false_negative_rate"),
    orientation=LOWER,
    about="the share of positive items that are missed",
)
def miss_rate(c: View) -> Value:
    return c.ratio(c.fn, c.fn + c.tp)


@define(
    "false_discovery_rate",
    title="False discovery rate",
    aliases=("fdr",),
    orientation=LOWER,
    about="the share of positive predictions that are wrong",
)
def false_discovery_rate(c: View) -> Value:
    return c.ratio(c.fp, c.fp + c.tp)


@define(
    "false_omission_rate",
    title="False omission rate",
    aliases=("for", "elusion"),
    orientation=LOWER,
    about="the share of negative predictions that are wrong",
)
def false_omission_rate(c: View) -> Value:
    return c.ratio(c.fn, c.fn + c.tn)


@define("prevalence", title="Prevalence", orientation=NEITHER, about="the share of items that are positive")
def prevalence(c: View) -> Value:
    return c.ratio(c.tp + c.fn, c.n)


@define(
    "predicted_prevalence",
    title="Predicted prevalence",
    aliases=("bias",),
    orientation=NEITHER,
    about="the share of items that are called positive",
)
def predicted_prevalence(c: View) -> Value:
    return c.ratio(c.tp + c.fp, c.n)


@define(
    "automatic_manual",
    title="Excess of positive predictions",
    range=(-math.inf, math.inf),
    cite="haghighi2018",
    aliases=("am",),
    orientation=NEITHER,
    scale_invariant=False,
    about="how many more items are called positive than are positive",
)
def automatic_manual(c: View) -> Value:
    return c.fp - c.fn


@define(
    "bray_curtis",
    title="Bray-Curtis dissimilarity of class sizes",
    range=(0, 0.5),
    cite="bray1957",
    aliases=("bcd", "bray_curtis_dissimilarity"),
    orientation=LOWER,
    symmetric=True,
    class_symmetric=True,
    about="how much the numbers of true and of predicted positive items differ, relative to twice all items",
)
def bray_curtis(c: View) -> Value:
    return c.ratio(c.max(c.fp, c.fn) - c.min(c.fp, c.fn), 2 * c.n)


@define(
    "random_accuracy",
    title="Random accuracy of a class",
    cite="cohen1960",
    aliases=("racc",),
    orientation=NEITHER,
    symmetric=True,
    about=Description(
        "the share of items that would be true positives by chance", "kappa subtracts the sum of these shares"
    ),
)
def random_accuracy(c: View) -> Value:
    return c.ratio((c.tp + c.fn) * (c.tp + c.fp), c.n**2)


@define(
    "random_accuracy_unbiased",
    title="Unbiased random accuracy of a class",
    cite="scott1955",
    aliases=("raccu",),
    orientation=NEITHER,
    symmetric=True,
    about="the share of true positives by chance if both labelings have the pooled class sizes, as in Scott's pi",
)
def random_accuracy_unbiased(c: View) -> Value:
    return c.ratio((2 * c.tp + c.fn + c.fp) ** 2, 4 * c.n**2)
