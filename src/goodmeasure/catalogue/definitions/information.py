"""Information that two labelings share, in nats; how the classes are named does not matter."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from goodmeasure.catalogue.measure import LOWER, NEITHER, Description
from goodmeasure.catalogue.register import define as define_measure
from goodmeasure.catalogue.register import define_family as define_family_of
from goodmeasure.exceptions import InputError
from goodmeasure.language.value import Value
from goodmeasure.language.view import ClassIndex, Definition, Sizes, View

define = partial(define_measure, family="information", symmetric=True)
define_family = partial(define_family_of, family="information", symmetric=True)

_AVERAGES = ("arithmetic", "geometric", "min", "max", "joint")


def entropy(c: View, size: Sizes) -> Value:
    """Return the entropy −Σ (s_i/n)·log(s_i/n) of class sizes s."""

    def of(i: ClassIndex) -> Value:
        share = c.ratio(size[i], c.n)
        return c.xlogy(share, share, above=lambda: c.ratio(size[i] - c.n, c.n))

    return -c.sum(of)


def shared(c: View) -> Value:
    """Return the mutual information Σ (c_ij/n)·log(n·c_ij/(a_i·b_j))."""

    def of(i: ClassIndex, j: ClassIndex) -> Value:
        cell = c[i, j]

        def above() -> Value:
            """Return (n·c_ij − a_i·b_j)/(a_i·b_j), the argument of the logarithm minus 1, without cancellation.

            With the rest of the row r, of the column s and all else t, n·c − a·b = c·t − r·s: the common products c² +
            c·r + c·s, which are nearly everything if one cell holds nearly all items, have been removed by hand.
            """
            row, column = c.a[i] - cell, c.b[j] - cell
            rest = (c.n - c.a[i]) - column
            return c.ratio(cell * rest - row * column, c.a[i] * c.b[j])

        return c.xlogy(c.ratio(cell, c.n), lambda: c.ratio(c.n * cell, c.a[i] * c.b[j]), above)

    return c.sum(lambda i: of(i, i)) + c.sum_off(of)


def joint_entropy(c: View) -> Value:
    """Return the entropy −Σ (c_ij/n)·log(c_ij/n) of the cells; it is H(A) + H(B) minus the mutual information."""

    def of(i: ClassIndex, j: ClassIndex) -> Value:
        share = c.ratio(c[i, j], c.n)
        return c.xlogy(share, share, above=lambda: c.ratio(c[i, j] - c.n, c.n))

    return -(c.sum(lambda i: of(i, i)) + c.sum_off(of))


def open_given(c: View, size: Sizes, which: Callable[[ClassIndex, ClassIndex], ClassIndex]) -> Value:
    """Return the conditional entropy −Σ (c_ij/n)·log(c_ij/s_ij) of one labeling given the other, with class sizes s."""

    def of(i: ClassIndex, j: ClassIndex) -> Value:
        cell, whole = c[i, j], size[which(i, j)]
        return c.xlogy(c.ratio(cell, c.n), lambda: c.ratio(cell, whole), lambda: c.ratio(cell - whole, whole))

    return -(c.sum(lambda i: of(i, i)) + c.sum_off(of))


@define(
    "mutual_information",
    title="Mutual information",
    range=(0, math.inf),
    cite="shannon1948",
    aliases=("mutual_info_score", "mi"),
    about="how much one labeling tells about the other",
)
def mutual_information(c: View) -> Value:
    return shared(c)


@define(
    "variation_of_information",
    title="Variation of information",
    range=(0, math.inf),
    cite="meila2007",
    aliases=("vi",),
    orientation=LOWER,
    about="what each labeling leaves open about the other",
)
def variation_of_information(c: View) -> Value:
    return open_given(c, c.a, lambda i, j: i) + open_given(c, c.b, lambda i, j: j)


@define_family(
    "normalized_mutual_information",
    usual=tuple({"average": x} for x in _AVERAGES),
    title="Normalized mutual information",
    range=(0, 1),
    cite="strehl2002",
    aliases=("nmi", "normalized_mutual_info_score"),
    about=Description(
        "mutual information relative to an average of both entropies",
        "both labelings constant: 1, one constant: 0",
    ),
)
def normalized_mutual_information(average: object = "arithmetic") -> Definition:
    if average not in _AVERAGES:
        raise InputError("{average} is {got!r}", got=average, known=", ".join(_AVERAGES), advice="use one of {known}")

    def definition(c: View) -> Value:
        true, predicted, mutual = entropy(c, c.a), entropy(c, c.b), shared(c)
        scale = {
            "arithmetic": lambda: (true + predicted) / 2,
            "geometric": lambda: c.sqrt(true * predicted),
            "min": lambda: c.min(true, predicted),
            "max": lambda: c.max(true, predicted),
            "joint": lambda: joint_entropy(c),
        }[average]()
        return c.ratio(mutual, scale, otherwise=lambda: c.where((true == 0) & (predicted == 0), 1, 0))

    return definition


@define(
    "homogeneity",
    title="Homogeneity",
    range=(0, 1),
    cite="rosenberg2007",
    symmetric=False,
    aliases=("homogeneity_score", "rci", "relative_classifier_information"),
    about=Description(
        "the share of the information about the true class that the predictions give",
        "only one true class: 1",
    ),
)
def homogeneity(c: View) -> Value:
    return c.ratio(shared(c), entropy(c, c.a), otherwise=1)


@define(
    "completeness",
    title="Completeness",
    range=(0, 1),
    cite="rosenberg2007",
    symmetric=False,
    aliases=("completeness_score",),
    about=Description(
        "the share of the information about the predicted class that the true one gives",
        "one predicted class: 1",
    ),
)
def completeness(c: View) -> Value:
    return c.ratio(shared(c), entropy(c, c.b), otherwise=1)


@define(
    "entropy_true",
    title="Entropy of the true classes",
    range=(0, math.inf),
    range_by_classes=lambda classes: (0, math.log(classes)),
    cite="shannon1948",
    symmetric=False,
    aliases=("reference_entropy",),
    orientation=NEITHER,
    about="how evenly the items spread over the true classes",
)
def entropy_true(c: View) -> Value:
    return entropy(c, c.a)


@define(
    "entropy_predicted",
    title="Entropy of the predicted classes",
    range=(0, math.inf),
    range_by_classes=lambda classes: (0, math.log(classes)),
    cite="shannon1948",
    symmetric=False,
    aliases=("response_entropy",),
    orientation=NEITHER,
    about="how evenly the items spread over the predicted classes",
)
def entropy_predicted(c: View) -> Value:
    return entropy(c, c.b)


@define(
    "entropy_joint",
    title="Joint entropy",
    range=(0, math.inf),
    range_by_classes=lambda classes: (0, 2 * math.log(classes)),
    cite="shannon1948",
    aliases=("joint_entropy",),
    orientation=NEITHER,
    about="how evenly the items spread over the cells of the matrix",
)
def entropy_joint(c: View) -> Value:
    return joint_entropy(c)


@define(
    "entropy_conditional",
    title="Conditional entropy",
    range=(0, math.inf),
    range_by_classes=lambda classes: (0, math.log(classes)),
    cite="shannon1948",
    symmetric=False,
    aliases=("conditional_entropy", "conditional_entropy_predicted"),
    orientation=LOWER,
    about="what the true class leaves open about the predicted one",
)
def entropy_conditional(c: View) -> Value:
    return open_given(c, c.a, lambda i, j: i)


@define(
    "class_size_cross_entropy",
    title="Cross entropy of class sizes",
    range=(0, math.inf),
    cite="kullback1951",
    symmetric=False,
    orientation=NEITHER,
    about=Description(
        "the cross entropy of the predicted relative to the true class shares",
        "not the log loss of probabilities",
    ),
)
def class_size_cross_entropy(c: View) -> Value:
    def of(i: ClassIndex) -> Value:
        share = lambda: c.ratio(c.b[i], c.n)  # noqa: E731
        return c.xlogy(c.ratio(c.a[i], c.n), share, above=lambda: c.ratio(c.b[i] - c.n, c.n))

    return -c.sum(of)


@define(
    "class_size_divergence",
    title="Divergence of class sizes",
    range=(0, math.inf),
    cite="kullback1951",
    symmetric=False,
    aliases=("kl_divergence", "kld"),
    orientation=LOWER,
    about="the Kullback-Leibler divergence of the predicted from the true class shares",
)
def class_size_divergence(c: View) -> Value:
    def of(i: ClassIndex) -> Value:
        quotient = lambda: c.ratio(c.a[i], c.b[i])  # noqa: E731
        return c.xlogy(c.ratio(c.a[i], c.n), quotient, above=lambda: c.ratio(c.a[i] - c.b[i], c.b[i]))

    return c.sum(of)
