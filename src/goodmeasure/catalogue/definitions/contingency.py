"""Association of two labelings with any number of classes; how the classes are named does not matter."""

from __future__ import annotations

import math
from functools import partial

from goodmeasure.catalogue.measure import Description
from goodmeasure.catalogue.register import define as define_measure
from goodmeasure.language.value import Value
from goodmeasure.language.view import ClassIndex, View

define = partial(define_measure, family="contingency")


def mean_square(c: View) -> Value:
    """Return Σ c_ij²/(a_i·b_j) − 1, the chi-squared statistic divided by n.

    It is written as Σ (c_ij/n)·(n·c_ij − a_i·b_j)/(a_i·b_j), which is the same since the cells add up to n, so that
    independent labelings give exactly 0.
    """

    def of(i: ClassIndex, j: ClassIndex) -> Value:
        cell = c[i, j]

        def beyond_chance() -> Value:
            # With the rest of the row r, of the column s and all else t, n·c − a·b = c·t − r·s, without cancellation.
            row, column = c.a[i] - cell, c.b[j] - cell
            rest = (c.n - c.a[i]) - column
            return c.ratio(cell * (cell * rest - row * column), c.n * c.a[i] * c.b[j])

        return c.where(cell == 0, 0, beyond_chance)

    return c.sum(lambda i: of(i, i)) + c.sum_off(of)


def true_classes(c: View) -> Value:
    """Return how many classes have true items."""
    return c.sum(lambda i: 1, over=lambda i: c.a[i] > 0)


def predicted_classes(c: View) -> Value:
    """Return how many classes are predicted."""
    return c.sum(lambda i: 1, over=lambda i: c.b[i] > 0)


@define(
    "phi_squared",
    title="Phi squared",
    range=(0, math.inf),
    range_by_classes=lambda classes: (0, classes - 1),
    cite="cramer1946",
    aliases=("mean_square_contingency",),
    symmetric=True,
    about=Description("the chi-squared statistic divided by the number of items", "mcc squared for two classes"),
)
def phi_squared(c: View) -> Value:
    return mean_square(c)


@define(
    "chi_squared",
    title="Chi-squared statistic",
    range=(0, math.inf),
    cite="pearson1900",
    aliases=("chi2",),
    symmetric=True,
    scale_invariant=False,
    about=Description(
        "how far the counts are from those of independent labelings", "classes that do not occur add nothing"
    ),
)
def chi_squared(c: View) -> Value:
    return c.n * mean_square(c)


@define(
    "cramers_v",
    title="Cramér's V",
    range=(0, 1),
    cite="cramer1946",
    aliases=("cramer_v",),
    symmetric=True,
    about=Description(
        "the root of phi squared relative to its maximum for as many classes as occur",
        "|mcc| for two classes",
    ),
)
def cramers_v(c: View) -> Value:
    return c.sqrt(c.ratio(mean_square(c), c.min(true_classes(c), predicted_classes(c)) - 1))


@define(
    "tschuprows_t",
    title="Tschuprow's T",
    range=(0, 1),
    cite="tschuprow1939",
    aliases=("tschuprow_t",),
    symmetric=True,
    about="like Cramér's V, relative to the geometric mean of both numbers of classes minus 1",
)
def tschuprows_t(c: View) -> Value:
    return c.sqrt(c.ratio(mean_square(c), c.sqrt((true_classes(c) - 1) * (predicted_classes(c) - 1))))


@define(
    "pearson_contingency",
    title="Pearson's contingency coefficient",
    range=(0, 1),
    range_by_classes=lambda classes: (0, math.sqrt((classes - 1) / classes)),
    cite="pearson1904",
    aliases=("pearson_c", "pearsons_contingency_coefficient"),
    symmetric=True,
    about=Description("the root of phi squared/(1 + phi squared)", "with m classes at most the root of (m − 1)/m"),
)
def pearson_contingency(c: View) -> Value:
    square = mean_square(c)
    return c.sqrt(c.ratio(square, 1 + square))


def fewer_errors(c: View, before: Value, after: Value) -> Value:
    """Return the proportional reduction in error. Errors are sums of cells, so nothing cancels."""
    return c.ratio(before - after, before)


@define(
    "lambda_true",
    title="Goodman and Kruskal's lambda of the truth",
    range=(0, 1),
    cite="goodman1954",
    aliases=("lambda_a", "goodman_kruskal_lambda"),
    about="by which share knowing the prediction lowers the errors in guessing the true class",
)
def lambda_true(c: View) -> Value:
    before = c.least(lambda i: c.n - c.a[i])
    return fewer_errors(c, before, c.sum(lambda j: c.least(lambda i: c.b[j] - c[i, j])))


@define(
    "lambda_predicted",
    title="Goodman and Kruskal's lambda of the prediction",
    range=(0, 1),
    cite="goodman1954",
    aliases=("lambda_b",),
    about="by which share knowing the true class lowers the errors in guessing the prediction",
)
def lambda_predicted(c: View) -> Value:
    before = c.least(lambda j: c.n - c.b[j])
    return fewer_errors(c, before, c.sum(lambda i: c.least(lambda j: c.a[i] - c[i, j])))
