"""Overlap of the true and the predicted positive items; true negatives do not count.

If no item is positive in either labeling, the two sets agree, so the value is 1 (goesgens2021, appendix B).
"""

from __future__ import annotations

from functools import partial

from goodmeasure.catalogue.family import number
from goodmeasure.catalogue.measure import LOWER, Description
from goodmeasure.catalogue.register import define as define_measure
from goodmeasure.catalogue.register import define_family as define_family_of
from goodmeasure.language.value import Value
from goodmeasure.language.view import Definition, Number, View

define = partial(define_measure, classes=2, range=(0, 1), family="overlap")
define_family = partial(define_family_of, classes=2, range=(0, 1), family="overlap")


def nothing_positive(c: View) -> Value:
    """Return the value at 0/0 of a formula that divides by the size of one set: 1 if both are empty, else undefined."""
    return c.where(c.tp + c.fn + c.fp == 0, 1, c.undefined)


@define(
    "f1",
    title="F1 score",
    cite="dice1945",
    aliases=("dice", "f1_score", "f_score", "f_meas", "sorensen", "sorensen_dice", "czekanowski"),
    symmetric=True,
    about="the harmonic mean of precision and recall of the positive class",
)
def f1(c: View) -> Value:
    return c.ratio(2 * c.tp, 2 * c.tp + c.fn + c.fp, otherwise=1)


@define_family(
    "fbeta",
    symmetric=lambda beta: beta == 1,
    usual=({"beta": 2}, {"beta": 0.5}),
    title="F-beta score",
    cite="vanrijsbergen1979",
    aliases=("fbeta_score",),
    about=Description("the weighted harmonic mean of precision and recall", "recall counts beta times as much"),
)
def fbeta(beta: Number) -> Definition:
    return f_alpha.build(number(beta, "beta", at_least=0) ** 2)


@define_family(
    "f_alpha",
    symmetric=lambda alpha: alpha == 1,
    usual=({"alpha": 0.7},),
    title="F-alpha score",
    cite="vanrijsbergen1979",
    about="F-beta with alpha = beta squared (rh-dif2norm eq. 2.3)",
)
def f_alpha(alpha: Number) -> Definition:
    number(alpha, "alpha", at_least=0)

    def definition(c: View) -> Value:
        w = c.constant(alpha)
        return c.ratio((1 + w) * c.tp, (1 + w) * c.tp + w * c.fn + c.fp, otherwise=lambda: nothing_positive(c))

    return definition


@define_family(
    "e_measure",
    symmetric=lambda alpha: alpha == 0.5,
    usual=({"alpha": 0.5},),
    title="Effectiveness measure E",
    cite="vanrijsbergen1979",
    orientation=LOWER,
    about="one minus the weighted harmonic mean of precision (weight alpha) and recall",
)
def e_measure(alpha: Number) -> Definition:
    number(alpha, "alpha", at_least=0, at_most=1)

    def definition(c: View) -> Value:
        w = c.constant(alpha)
        p, r = c.ratio(c.tp, c.tp + c.fp), c.ratio(c.tp, c.tp + c.fn)
        return 1 - c.ratio(p * r, w * r + (1 - w) * p, otherwise=0)

    return definition


@define(
    "jaccard",
    title="Jaccard index",
    cite="jaccard1912",
    aliases=("threat_score", "critical_success_index", "csi", "iou", "jaccard_score"),
    symmetric=True,
    about="the share of items positive in either labeling that are positive in both",
)
def jaccard(c: View) -> Value:
    return c.ratio(c.tp, c.tp + c.fn + c.fp, otherwise=1)


@define_family(
    "tversky",
    symmetric=lambda alpha, beta: alpha == beta,
    usual=({"alpha": 0.3, "beta": 0.7},),
    title="Tversky index",
    cite="tversky1977",
    about="overlap in which a miss costs alpha and a false alarm beta",
)
def tversky(alpha: Number, beta: Number) -> Definition:
    number(alpha, "alpha", at_least=0)
    number(beta, "beta", at_least=0)

    def definition(c: View) -> Value:
        return c.ratio(
            c.tp, c.tp + c.constant(alpha) * c.fn + c.constant(beta) * c.fp, otherwise=lambda: nothing_positive(c)
        )

    return definition


@define(
    "kulczynski_2",
    title="Kulczynski's second coefficient",
    cite="kulczynski1927",
    aliases=("kulczynski",),
    symmetric=True,
    about="the arithmetic mean of precision and recall",
)
def kulczynski_2(c: View) -> Value:
    rule = lambda: nothing_positive(c)  # noqa: E731
    return (c.ratio(c.tp, c.tp + c.fn, otherwise=rule) + c.ratio(c.tp, c.tp + c.fp, otherwise=rule)) / 2


@define(
    "ochiai",
    title="Ochiai coefficient",
    cite="ochiai1957",
    aliases=("fowlkes_mallows", "cosine_similarity"),
    symmetric=True,
    about="the geometric mean of precision and recall",
)
def ochiai(c: View) -> Value:
    return c.ratio(c.tp, c.sqrt((c.tp + c.fn) * (c.tp + c.fp)), otherwise=lambda: nothing_positive(c))


@define(
    "sokal_sneath_2",
    title="Sokal and Sneath's second coefficient",
    cite="sokal1963",
    aliases=("ss2",),
    symmetric=True,
    about="like jaccard, with errors counted twice",
)
def sokal_sneath_2(c: View) -> Value:
    return c.ratio(c.tp, c.tp + 2 * (c.fn + c.fp), otherwise=1)


@define(
    "russell_rao",
    title="Russell and Rao's coefficient",
    cite="russell1940",
    aliases=("support",),
    symmetric=True,
    about="the share of all items that are positive in both labelings",
)
def russell_rao(c: View) -> Value:
    return c.ratio(c.tp, c.n)


@define(
    "average_set_precision",
    title="Average set precision",
    cite="sebastiani2015",
    aliases=("asp",),
    symmetric=True,
    about="the product of precision and recall",
)
def average_set_precision(c: View) -> Value:
    return c.ratio(c.tp**2, (c.tp + c.fn) * (c.tp + c.fp), otherwise=lambda: nothing_positive(c))


@define(
    "braun_blanquet",
    title="Braun-Blanquet similarity",
    cite="braun1932",
    aliases=("bb",),
    symmetric=True,
    about="the smaller of precision and recall",
)
def braun_blanquet(c: View) -> Value:
    return c.ratio(c.tp, c.max(c.tp + c.fn, c.tp + c.fp), otherwise=1)


@define(
    "overlap_coefficient",
    title="Overlap coefficient",
    cite="szymkiewicz1934",
    aliases=("oc", "szymkiewicz_simpson"),
    symmetric=True,
    about="the larger of precision and recall: 1 if one set of positive items contains the other",
)
def overlap_coefficient(c: View) -> Value:
    return c.ratio(c.tp, c.min(c.tp + c.fn, c.tp + c.fp), otherwise=lambda: nothing_positive(c))
