"""Rates of a binary classifier: the shares of its four outcomes; they have no rules for 0/0 of their own."""

from __future__ import annotations

from functools import partial
from typing import Any

from goodmeasure.catalogue.measure import LOWER, NEITHER
from goodmeasure.catalogue.register import define as define_measure
from goodmeasure.language.view import View

define = partial(define_measure, classes=2, range=(0, 1), family="rates", cite="powers2011")


@define(
    "recall",
    title="Recall",
    aliases=("tpr", "sensitivity", "sens", "true_positive_rate", "hit_rate", "recall_score"),
    about="the share of positive items that are found",
)
def recall(c: View) -> Any:
    return c.ratio(c.tp, c.tp + c.fn)


@define(
    "specificity",
    title="Specificity",
    aliases=("tnr", "true_negative_rate", "selectivity", "spec"),
    about="the share of negative items that are recognised as such",
)
def specificity(c: View) -> Any:
    return c.ratio(c.tn, c.tn + c.fp)


@define(
    "precision",
    title="Precision",
    aliases=("ppv", "positive_predictive_value", "precision_score"),
    about="the share of positive predictions that are right",
)
def precision(c: View) -> Any:
    return c.ratio(c.tp, c.tp + c.fp)


@define(
    "negative_predictive_value",
    title="Negative predictive value",
    aliases=("npv",),
    about="the share of negative predictions that are right",
)
def negative_predictive_value(c: View) -> Any:
    return c.ratio(c.tn, c.tn + c.fn)


@define(
    "fallout",
    title="Fallout",
    aliases=("fpr", "false_positive_rate"),
    orientation=LOWER,
    about="the share of negative items that are called positive",
)
def fallout(c: View) -> Any:
    return c.ratio(c.fp, c.fp + c.tn)


@define(
    "miss_rate",
    title="Miss rate",
    aliases=("fnr", "false_negative_rate"),
    orientation=LOWER,
    about="the share of positive items that are missed",
)
def miss_rate(c: View) -> Any:
    return c.ratio(c.fn, c.fn + c.tp)


@define(
    "false_discovery_rate",
    title="False discovery rate",
    aliases=("fdr",),
    orientation=LOWER,
    about="the share of positive predictions that are wrong",
)
def false_discovery_rate(c: View) -> Any:
    return c.ratio(c.fp, c.fp + c.tp)


@define(
    "false_omission_rate",
    title="False omission rate",
    aliases=("for", "elusion"),
    orientation=LOWER,
    about="the share of negative predictions that are wrong",
)
def false_omission_rate(c: View) -> Any:
    return c.ratio(c.fn, c.fn + c.tn)


@define("prevalence", title="Prevalence", orientation=NEITHER, about="the share of items that are positive")
def prevalence(c: View) -> Any:
    return c.ratio(c.tp + c.fn, c.n)


@define(
    "predicted_prevalence",
    title="Predicted prevalence",
    aliases=("bias",),
    orientation=NEITHER,
    about="the share of items that are called positive",
)
def predicted_prevalence(c: View) -> Any:
    return c.ratio(c.tp + c.fp, c.n)
