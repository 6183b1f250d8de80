"""Association of two binary labelings, odds and likelihood ratios; they have no rules for 0/0 of their own."""

from __future__ import annotations

import math
from functools import partial

from goodmeasure.catalogue.measure import LOWER, Description
from goodmeasure.catalogue.register import define as define_measure
from goodmeasure.language.value import Value
from goodmeasure.language.view import View

define = partial(define_measure, classes=2, family="association")


def det(c: View) -> Value:
    """Return the determinant TP·TN − FP·FN."""
    return c.tp * c.tn - c.fp * c.fn


@define(
    "yule_q",
    title="Yule's Q",
    range=(-1, 1),
    cite="yule1900",
    aliases=("yules_q", "gamma"),
    symmetric=True,
    class_symmetric=True,
    about="the odds ratio mapped to −1 … 1",
)
def yule_q(c: View) -> Value:
    return c.ratio(det(c), c.tp * c.tn + c.fp * c.fn)


@define(
    "yule_y",
    title="Yule's Y",
    range=(-1, 1),
    cite="yule1912",
    aliases=("coefficient_of_colligation", "yules_y"),
    symmetric=True,
    class_symmetric=True,
    about="the root of the odds ratio mapped to −1 … 1",
)
def yule_y(c: View) -> Value:
    right, wrong = c.sqrt(c.tp * c.tn), c.sqrt(c.fp * c.fn)
    return c.ratio(right - wrong, right + wrong)


@define(
    "somers_d",
    title="Somers' d, symmetric",
    range=(-1, 1),
    cite="somers1962",
    symmetric=True,
    class_symmetric=True,
    about="association relative to the mean variance of both labelings",
)
def somers_d(c: View) -> Value:
    return c.ratio(2 * det(c), (c.tp + c.fn) * (c.tn + c.fp) + (c.tp + c.fp) * (c.tn + c.fn))


@define(
    "somers_d_predicted",
    title="Somers' d of the prediction",
    range=(-1, 1),
    cite="somers1962",
    aliases=("delta_p_prime",),
    class_symmetric=True,
    about="how much the true class changes the prediction: recall − fallout",
)
def somers_d_predicted(c: View) -> Value:
    return c.ratio(det(c), (c.tp + c.fn) * (c.tn + c.fp))


@define(
    "somers_d_true",
    title="Somers' d of the truth",
    range=(-1, 1),
    cite="somers1962",
    aliases=("delta_p",),
    class_symmetric=True,
    about="how much the prediction tells of the true class",
)
def somers_d_true(c: View) -> Value:
    return c.ratio(det(c), (c.tp + c.fp) * (c.tn + c.fn))


@define(
    "markedness",
    title="Markedness",
    range=(-1, 1),
    cite="powers2011",
    class_symmetric=True,
    about="precision + negative predictive value − 1: how far predictions can be trusted",
)
def markedness(c: View) -> Value:
    return c.ratio(c.tp, c.tp + c.fp) + c.ratio(c.tn, c.tn + c.fn) - 1


@define(
    "diagnostic_odds_ratio",
    title="Diagnostic odds ratio",
    range=(0, math.inf),
    cite="glas2003",
    aliases=("dor", "odds_ratio"),
    symmetric=True,
    class_symmetric=True,
    about="the odds of a positive call among positive items against those among negative ones",
)
def diagnostic_odds_ratio(c: View) -> Value:
    return c.ratio(c.tp * c.tn, c.fp * c.fn)


@define(
    "positive_likelihood_ratio",
    title="Positive likelihood ratio",
    range=(0, math.inf),
    cite="glas2003",
    aliases=("lr_plus", "plr"),
    about="how much a positive call raises the odds of being positive",
)
def positive_likelihood_ratio(c: View) -> Value:
    return c.ratio(c.ratio(c.tp, c.tp + c.fn), c.ratio(c.fp, c.fp + c.tn))


@define(
    "negative_likelihood_ratio",
    title="Negative likelihood ratio",
    range=(0, math.inf),
    cite="glas2003",
    aliases=("lr_minus", "nlr"),
    orientation=LOWER,
    about="how much a negative call leaves of the odds of being positive",
)
def negative_likelihood_ratio(c: View) -> Value:
    return c.ratio(c.ratio(c.fn, c.tp + c.fn), c.ratio(c.tn, c.fp + c.tn))


@define(
    "lam",
    title="Logistic average misclassification",
    range=(0, 1),
    cite="sebastiani2015",
    aliases=("logistic_average_misclassification",),
    orientation=LOWER,
    symmetric=True,
    class_symmetric=True,
    about=Description("the misclassification rate averaged on the scale of log odds", "LAM% is 100 times it"),
)
def lam(c: View) -> Value:
    right, wrong = c.sqrt(c.tp * c.tn), c.sqrt(c.fp * c.fn)
    return c.ratio(wrong, wrong + right)


@define(
    "lift",
    title="Lift",
    range=(0, math.inf),
    cite="brin1997",
    symmetric=True,
    about="how many times more frequent positive items are among the positive predictions than among all items",
)
def lift(c: View) -> Value:
    return c.ratio(c.tp * c.n, (c.tp + c.fn) * (c.tp + c.fp))


@define(
    "p4",
    title="P4",
    range=(0, 1),
    cite="sitarz2022",
    symmetric=True,
    class_symmetric=True,
    about="the harmonic mean of precision, recall, specificity and negative predictive value",
)
def p4(c: View) -> Value:
    right = 4 * c.tp * c.tn
    nothing_right = lambda: c.where(c.tp + c.tn == 0, 0, c.undefined)  # noqa: E731 - all four rates are 0 or undefined
    return c.ratio(right, right + (c.tp + c.tn) * (c.fp + c.fn), otherwise=nothing_right)


@define(
    "mcconnaughey",
    title="McConnaughey's coefficient",
    range=(-1, 1),
    cite="mcconnaughey1964",
    symmetric=True,
    about="precision + recall − 1",
)
def mcconnaughey(c: View) -> Value:
    return c.ratio(c.tp**2 - c.fp * c.fn, (c.tp + c.fn) * (c.tp + c.fp))


@define(
    "gilbert_skill_score",
    class_symmetric=True,
    title="Gilbert skill score",
    cite="schaefer1990",
    aliases=("ets", "equitable_threat_score"),
    symmetric=True,
    range=(-1 / 3, 1),
    about="jaccard without the hits that are expected by chance",
)
def gilbert_skill_score(c: View) -> Value:
    return c.ratio(det(c), det(c) + c.n * (c.fn + c.fp))


@define(
    "information_score",
    title="Information score",
    range=(-math.inf, math.inf),
    cite="kononenko1991",
    symmetric=True,
    about="the bits of information that a positive call gives about the positive class: the binary logarithm of lift",
)
def information_score(c: View) -> Value:
    return c.ratio(c.log(lift(c)), c.log(2))


@define(
    "discriminant_power",
    title="Discriminant power",
    range=(-math.inf, math.inf),
    cite="sokolova2006",
    symmetric=True,
    class_symmetric=True,
    about="the natural logarithm of the odds ratio in units of the logistic distribution's standard deviation",
)
def discriminant_power(c: View) -> Value:
    return c.ratio(c.sqrt(3) * c.log(diagnostic_odds_ratio(c)), c.pi)
