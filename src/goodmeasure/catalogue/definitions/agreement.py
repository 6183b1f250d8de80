"""Measures of agreement between the two labelings as a whole: all classes count, and so do true negatives."""

from __future__ import annotations

import math
from functools import partial

from goodmeasure.catalogue.family import number
from goodmeasure.catalogue.measure import LOWER, NEITHER, Description
from goodmeasure.catalogue.register import define as define_measure
from goodmeasure.catalogue.register import define_family as define_family_of
from goodmeasure.exceptions import InputError
from goodmeasure.language.value import Value
from goodmeasure.language.view import ClassIndex, ClassTable, Definition, Number, RowsOfTable, View

define = partial(define_measure, family="agreement")
define_family = partial(define_family_of, family="agreement")


def hits(c: View) -> Value:
    """Return the number of correctly predicted items."""
    return c.sum(lambda i: c[i, i])


def both_or_one_constant(c: View) -> Value:
    """Return the value at 0/0 of a correlation (goesgens2021, appendix B).

    If both labelings are constant, it is 1 if they name the same class and −1 if not; if only one is constant, it is 0.
    """
    a, b = spread_true(c), spread_predicted(c)
    return c.where((a == 0) & (b == 0), lambda: c.where(hits(c) == 0, -1, 1), 0)


def spread_true(c: View) -> Value:
    """Return n² − Σ a_i², written as a sum of non-negative terms, so that nothing cancels."""
    return c.sum(lambda i: c.a[i] * (c.n - c.a[i]))


def spread_predicted(c: View) -> Value:
    """Return n² − Σ b_i², written as a sum of non-negative terms, so that nothing cancels."""
    return c.sum(lambda i: c.b[i] * (c.n - c.b[i]))


@define(
    "accuracy",
    title="Accuracy",
    range=(0, 1),
    cite="sokal1958",
    aliases=("acc", "smc", "simple_matching_coefficient", "rand", "accuracy_score"),
    symmetric=True,
    about="the share of items predicted correctly",
)
def accuracy(c: View) -> Value:
    return c.ratio(hits(c), c.n)


@define(
    "balanced_accuracy",
    title="Balanced accuracy",
    range=(0, 1),
    cite="brodersen2010",
    aliases=("ba", "bal_accuracy", "balanced_accuracy_score"),
    about="the mean over classes of the share of their items predicted correctly",
)
def balanced_accuracy(c: View) -> Value:
    return c.mean(lambda i: c.ratio(c[i, i], c.a[i], otherwise=lambda: empty_class(c, i)))


def empty_class(c: View, i: ClassIndex) -> Value:
    """Return the term c_ii/a_i of a class without true items.

    Perfect and worst agreement decide first; otherwise it is b_i/n, which keeps the expected value of random
    predictions constant.
    """
    r = hits(c)
    return c.where(c.n == r, 1, lambda: c.where(r == 0, 0, lambda: c.ratio(c.b[i], c.n)))


@define(
    "sba",
    title="Symmetric balanced accuracy",
    range=(0, 1),
    cite="goesgens2021",
    aliases=("symmetric_balanced_accuracy", "ss4", "sokal_sneath_4"),
    symmetric=True,
    about="the mean of balanced accuracy and of balanced accuracy with the labelings exchanged",
)
def sba(c: View) -> Value:
    return (balanced_accuracy(c) + balanced_accuracy(c.T)) / 2


@define(
    "kappa",
    title="Cohen's kappa",
    range=(-1, 1),
    cite="cohen1960",
    aliases=("cohen_kappa", "cohens_kappa", "cohen_kappa_score", "kap", "hss", "heidke_skill_score"),
    symmetric=True,
    about="agreement beyond what the class sizes give by chance, relative to what is possible",
)
def kappa(c: View) -> Value:
    return c.ratio(c.sum(c.excess), c.sum(lambda i: c.a[i] * (c.n - c.b[i])), otherwise=1)


@define_family(
    "weighted_kappa",
    usual=({"weights": "linear"}, {"weights": "quadratic"}),
    title="Weighted kappa",
    range=(-1, 1),
    cite="cohen1968",
    symmetric=lambda weights: isinstance(weights, str) or weights == tuple(zip(*weights, strict=True)),
    class_symmetric=False,
    about="kappa in which errors between distant classes weigh more",
)
def weighted_kappa(weights: object) -> Definition:
    rows = disagreement(weights)

    def definition(c: View) -> Value:
        w = c.table(rows, {"linear": r"w_{ij} = |i - j|", "quadratic": r"w_{ij} = (i - j)^{2}"}.get(str(weights)))
        chance = c.sum(lambda i: c.sum(lambda j: w[i, j] * c.a[i] * c.b[j]))
        beyond = c.sum(lambda i: c.sum(lambda j: w[i, j] * c.excess(i, j)))
        return c.ratio(-beyond, chance, otherwise=1)

    return definition


def disagreement(weights: object) -> RowsOfTable:
    """Return the table of disagreement weights; refuse a table that is invalid."""
    if weights == "linear":
        return ClassTable(lambda i, j: abs(i - j))
    if weights == "quadratic":
        return ClassTable(lambda i, j: (i - j) ** 2)
    if isinstance(weights, tuple):
        for i, row in enumerate(weights):
            if not isinstance(row, tuple) or len(row) != len(weights):
                raise InputError("{weights} is not square", expected="one row and one column per class")
            for j, w in enumerate(row):
                number(w, f"weights[{i}][{j}]", at_least=0)
                if i == j and w != 0:
                    raise InputError(
                        "{weights}[{i}][{i}] is {w}",
                        i=i,
                        w=w,
                        advice="a right prediction is no disagreement, so the diagonal must be 0",
                    )
        return weights
    raise InputError(
        "{weights} is {got!r}",
        got=weights,
        advice="use 'linear', 'quadratic' or a square table of disagreement weights",
    )


@define(
    "mcc",
    title="Matthews correlation coefficient",
    range=(-1, 1),
    cite="gorodkin2004",
    aliases=("matthews", "cc", "phi", "r_k", "matthews_corrcoef", "correlation_coefficient"),
    symmetric=True,
    about="the correlation of the two labelings",
)
def mcc(c: View) -> Value:
    return c.ratio(
        c.sum(c.excess), c.sqrt(spread_true(c) * spread_predicted(c)), otherwise=lambda: both_or_one_constant(c)
    )


@define(
    "correlation_distance",
    title="Correlation distance",
    range=(0, 1),
    cite="goesgens2021",
    aliases=("cd",),
    orientation=LOWER,
    symmetric=True,
    about="the angle between the two labelings, as a share of a half turn",
)
def correlation_distance(c: View) -> Value:
    return c.arccos(mcc(c)) / c.pi


@define(
    "correlation_chord",
    title="Chord of the correlation angle",
    range=(0, 2),
    cite="goesgens2021",
    aliases=("cd_prime",),
    orientation=LOWER,
    symmetric=True,
    about="the straight-line distance between the two standardised labelings",
)
def correlation_chord(c: View) -> Value:
    return c.sqrt(2 * (1 - mcc(c)))


def share_log(c: View, part: Value, whole: Value, rest: Value) -> Value:
    """Return part·log(part/whole), where the whole is the part and the rest."""
    return c.xlogy(part, lambda: c.ratio(part, whole), above=lambda: c.ratio(-rest, whole))


@define(
    "confusion_entropy",
    title="Confusion entropy",
    range=(0, 2 / (math.e * math.log(2))),
    cite="wei2010",
    aliases=("ce", "cen"),
    orientation=LOWER,
    symmetric=True,
    about=Description("how evenly the errors spread over the classes", "above 1 is possible for two classes"),
)
def confusion_entropy(c: View) -> Value:
    def spread(i: ClassIndex, j: ClassIndex) -> Value:
        cell = c[i, j]
        # What is left of a_i + b_i and of a_j + b_j without the cell, as sums of other cells
        there = share_log(c, cell, c.a[i] + c.b[i], (c.a[i] - cell) + c.b[i])
        return there + share_log(c, cell, c.a[j] + c.b[j], (c.b[j] - cell) + c.a[j])

    return c.ratio(-c.sum_off(spread), 2 * c.n * c.log(2 * (c.m - 1)))


@define_family(
    "generalized_mean",
    usual=({"r": 1}, {"r": -1}, {"r": 0}, {"r": 2}, {"r": -math.inf}, {"r": math.inf}),
    title="Generalized means measure",
    range=(-1, 1),
    cite="goesgens2021",
    aliases=("gm",),
    classes=2,
    symmetric=True,
    class_symmetric=True,
    about="agreement beyond chance over a power mean of the two labelings' variances",
)
def generalized_mean(r: Number) -> Definition:
    number(r, "r", infinite=True)

    def definition(c: View) -> Value:
        true, predicted = (c.tp + c.fn) * (c.tn + c.fp), (c.tp + c.fp) * (c.tn + c.fn)
        return c.ratio(
            c.tp * c.tn - c.fp * c.fn, c.power_mean([true, predicted], r), otherwise=lambda: both_or_one_constant(c)
        )

    return definition


@define(
    "hamann",
    title="Hamann's coefficient",
    range=(-1, 1),
    cite="hamann1961",
    symmetric=True,
    about="the share of right predictions minus the share of wrong ones",
)
def hamann(c: View) -> Value:
    return c.ratio(2 * hits(c) - c.n, c.n)


@define(
    "sokal_sneath_1",
    title="Sokal and Sneath's first coefficient",
    range=(0, 1),
    cite="sokal1963",
    aliases=("ss1",),
    classes=2,
    symmetric=True,
    class_symmetric=True,
    about="accuracy with right predictions counted twice",
)
def sokal_sneath_1(c: View) -> Value:
    r = c.tp + c.tn
    return c.ratio(2 * r, 2 * r + c.fn + c.fp)


@define(
    "rogers_tanimoto",
    title="Rogers and Tanimoto's coefficient",
    range=(0, 1),
    cite="rogers1960",
    aliases=("rt",),
    classes=2,
    symmetric=True,
    class_symmetric=True,
    about="accuracy with errors counted twice",
)
def rogers_tanimoto(c: View) -> Value:
    r = c.tp + c.tn
    return c.ratio(r, r + 2 * (c.fn + c.fp))


@define(
    "sokal_sneath_5",
    title="Sokal and Sneath's fifth coefficient",
    range=(0, 1),
    cite="sokal1963",
    aliases=("ss5",),
    classes=2,
    symmetric=True,
    class_symmetric=True,
    about="the geometric mean of recall, specificity and both predictive values, squared",
)
def sokal_sneath_5(c: View) -> Value:
    return c.ratio(c.tp * c.tn, c.sqrt((c.tp + c.fn) * (c.tn + c.fp) * (c.tp + c.fp) * (c.tn + c.fn)))


@define_family(
    "matching_tversky",
    symmetric=lambda alpha, beta: alpha == beta,
    class_symmetric=lambda alpha, beta: alpha == beta,
    usual=({"alpha": 0.3, "beta": 0.7},),
    title="Matching coefficient with weighted errors",
    range=(0, 1),
    cite="rh-dif2norm",
    classes=2,
    about="accuracy in which a miss costs alpha and a false alarm beta (eq. 2.22; not Tversky's index)",
)
def matching_tversky(alpha: Number, beta: Number) -> Definition:
    number(alpha, "alpha", at_least=0)
    number(beta, "beta", at_least=0)

    def definition(c: View) -> Value:
        r = c.tp + c.tn
        return c.ratio(r, r + c.constant(alpha) * c.fn + c.constant(beta) * c.fp)

    return definition


@define(
    "scott_pi",
    title="Scott's pi",
    range=(-1, 1),
    cite="scott1955",
    symmetric=True,
    about="agreement beyond what the pooled class sizes give by chance",
)
def scott_pi(c: View) -> Value:
    return c.ratio(beyond_joint_sizes(c), possible_disagreement(c), otherwise=1)


def beyond_joint_sizes(c: View) -> Value:
    """Return 4n·Σc_ii − Σ(a_i + b_i)², written so that nothing cancels."""
    return 4 * c.sum(c.excess) - c.sum(lambda i: (c.a[i] - c.b[i]) ** 2)


def possible_disagreement(c: View) -> Value:
    """Return 4n² − Σ(a_i + b_i)², written as a sum of non-negative terms, so that nothing cancels."""
    return c.sum(lambda i: (c.a[i] + c.b[i]) * (2 * c.n - c.a[i] - c.b[i]))


@define(
    "gwet_ac1",
    title="Gwet's AC1",
    range=(-1, 1),
    cite="gwet2008",
    symmetric=True,
    about="agreement beyond chance, where chance is how likely random labels are to agree",
)
def gwet_ac1(c: View) -> Value:
    chance = c.ratio(possible_disagreement(c), c.m - 1)
    return c.ratio(4 * c.n * hits(c) - chance, 4 * c.n**2 - chance)


@define(
    "zero_one_loss",
    title="Zero-one loss",
    range=(0, 1),
    cite="sokal1958",
    aliases=("error_rate",),
    orientation=LOWER,
    symmetric=True,
    about="the share of items predicted wrongly",
)
def zero_one_loss(c: View) -> Value:
    return c.ratio(c.n - hits(c), c.n)


@define(
    "hamming_loss",
    title="Hamming loss",
    range=(0, 1),
    cite="hamming1950",
    orientation=LOWER,
    symmetric=True,
    about=Description(
        "the share of labels predicted wrongly", "with one label for each item the same as the zero-one loss"
    ),
)
def hamming_loss(c: View) -> Value:
    return zero_one_loss(c)


@define(
    "balanced_error",
    title="Balanced error rate",
    range=(0, 1),
    cite="brodersen2010",
    aliases=("ber", "balanced_error_rate"),
    orientation=LOWER,
    about="the mean over classes of the share of their items predicted wrongly",
)
def balanced_error(c: View) -> Value:
    return c.mean(lambda i: c.ratio(c.a[i] - c[i, i], c.a[i], otherwise=lambda: 1 - empty_class(c, i)))


@define(
    "bennett_s",
    title="Bennett's S",
    range=(-1, 1),
    range_by_classes=lambda classes: (-1 / max(1, classes - 1), 1),
    cite="bennett1954",
    aliases=("bennett", "brennan_prediger"),
    symmetric=True,
    about=Description("accuracy rescaled so that guessing all classes equally often is 0", "hamann for two classes"),
)
def bennett_s(c: View) -> Value:
    return c.ratio(c.m * hits(c) - c.n, c.n * (c.m - 1))


@define(
    "bangdiwala_b",
    title="Bangdiwala's B",
    range=(0, 1),
    cite="bangdiwala1985",
    aliases=("bangdiwala",),
    symmetric=True,
    about=Description(
        "the squared hits relative to the products of true and predicted class sizes",
        "0 if no class occurs in both",
    ),
)
def bangdiwala_b(c: View) -> Value:
    return c.ratio(c.sum(lambda i: c[i, i] ** 2), c.sum(lambda i: c.a[i] * c.b[i]), otherwise=0)


@define(
    "krippendorff_alpha",
    title="Krippendorff's alpha",
    range=(-1, 1),
    cite="krippendorff2004",
    aliases=("krippendorffs_alpha",),
    symmetric=True,
    scale_invariant=False,
    about=Description("Scott's pi with a correction for few items", "of whole items, nominal, with two labelings"),
)
def krippendorff_alpha(c: View) -> Value:
    return c.ratio(beyond_joint_sizes(c) + 2 * (c.n - hits(c)), possible_disagreement(c), otherwise=1)


@define(
    "modified_confusion_entropy",
    title="Modified confusion entropy",
    range=(0, 1),
    cite="delgado2019",
    aliases=("mcen",),
    orientation=LOWER,
    symmetric=True,
    about="confusion entropy in which the hits of a class are counted once instead of twice",
)
def modified_confusion_entropy(c: View) -> Value:
    def size(i: ClassIndex) -> Value:
        return c.a[i] + c.b[i] - c[i, i]

    def spread(i: ClassIndex, j: ClassIndex) -> Value:
        cell = c[i, j]
        there = share_log(c, cell, size(i), (c.a[i] - cell) + (c.b[i] - c[i, i]))
        return there + share_log(c, cell, size(j), (c.b[j] - cell) + (c.a[j] - c[j, j]))

    whole = 2 * c.n - c.where(c.m == 2, 0, lambda: hits(c))
    return c.ratio(-c.sum_off(spread), whole * c.log(2 * (c.m - 1)))


@define(
    "chance_agreement",
    title="Accuracy by chance",
    range=(0, 1),
    cite="cohen1960",
    aliases=("overall_racc", "expected_agreement"),
    orientation=NEITHER,
    symmetric=True,
    about="the accuracy that random predictions with the same class sizes have on average",
)
def chance_agreement(c: View) -> Value:
    return c.ratio(c.sum(lambda i: c.a[i] * c.b[i]), c.n**2)


@define(
    "chance_agreement_unbiased",
    title="Accuracy by chance, pooled",
    range=(0, 1),
    range_by_classes=lambda classes: (1 / classes, 1),
    cite="scott1955",
    aliases=("overall_raccu",),
    orientation=NEITHER,
    symmetric=True,
    about="the accuracy of random labels if both labelings have the pooled class sizes",
)
def chance_agreement_unbiased(c: View) -> Value:
    return c.ratio(c.sum(lambda i: (c.a[i] + c.b[i]) ** 2), 4 * c.n**2)


@define(
    "no_information_rate",
    title="No-information rate",
    range=(0, 1),
    range_by_classes=lambda classes: (1 / classes, 1),
    cite="kuhn2008",
    aliases=("nir",),
    orientation=NEITHER,
    about="the share of the most frequent true class: the accuracy of the majority-class baseline",
)
def no_information_rate(c: View) -> Value:
    return c.ratio(c.greatest(lambda i: c.a[i]), c.n)
