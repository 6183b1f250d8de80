"""Measures that treat classes one by one: class-sensitive, cost-sensitive and ordinal ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate

from goodmeasure.catalogue.definitions.agreement import accuracy, disagreement, hits
from goodmeasure.catalogue.definitions.averaging import average
from goodmeasure.catalogue.family import number
from goodmeasure.catalogue.measure import LOWER, Description
from goodmeasure.catalogue.register import define as define_measure
from goodmeasure.catalogue.register import define_family as define_family_of
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.language.value import Condition, Value
from goodmeasure.language.view import ClassIndex, Definition, Number, RowsOfTable, View, entries, shortest

define = partial(define_measure, family="classes")
define_family = partial(define_family_of, family="classes")


def recall_of(c: View, i: ClassIndex) -> Value:
    """Return the recall of class i."""
    return c.ratio(c[i, i], c.a[i])


def precision_of(c: View, i: ClassIndex) -> Value:
    """Return the precision of class i."""
    return c.ratio(c[i, i], c.b[i])


def present(c: View) -> Callable[[ClassIndex], Condition]:
    """Return the condition that a class occurs among the true labels."""
    return lambda i: c.a[i] > 0


def rescaled(c: View, mean_recall: Value) -> Value:
    """Return a mean recall rescaled so that chance is at 0 and perfect at 1 (sebastiani2015, equation 10)."""
    return c.ratio(c.m * mean_recall - 1, c.m - 1)


def _range_of_k(classes: int) -> tuple[float, float]:
    """Return the range of K: 1 if all is right, −1/(m − 1) if all is wrong (sebastiani2015, equation 10)."""
    return -1 / max(1, classes - 1), 1


def _range_of_ordinal_k(**_parameters: object) -> Callable[[int], tuple[float, float]]:
    """Return the range of K as a function of the number of classes; it does not depend on the parameters."""
    return _range_of_k


@define(
    "k",
    title="Sebastiani's K",
    range=(-1, 1),
    range_by_classes=_range_of_k,
    cite="sebastiani2015",
    aliases=(
        "informedness",
        "youden",
        "youden_j",
        "youdens_j",
        "j_index",
        "bookmaker_informedness",
        "tss",
        "true_skill_statistic",
        "peirce_skill_score",
    ),
    about=Description(
        "mean recall of the classes that occur, rescaled: chance is 0",
        "for two classes recall + specificity − 1",
    ),
)
def k(c: View) -> Value:
    return rescaled(c, c.mean(lambda i: recall_of(c, i), over=present(c)))


def k_with(shares: RowsOfTable) -> Definition:
    """Return the definition of K with the graded recall Σ_j s_ij·c_ij/a_i (sebastiani2015, equation 11)."""

    def definition(c: View) -> Value:
        s = c.table(shares, r"w_{ij} = 1 - E_{ij} / \max_{j} E_{ij}")
        graded = lambda i: c.ratio(c.sum(lambda j: s[i, j] * c[i, j]), c.a[i])  # noqa: E731
        return rescaled(c, c.mean(graded, over=present(c)))

    return definition


def _shares(costs: Sequence[Sequence[Number]]) -> list[list[Fraction]]:
    """Return 1 − E_ij/max_j E_ij, what an item counts if its error costs E_ij."""
    rows = []
    for i, row in enumerate(costs):
        worst = shortest(max(row))
        if worst == 0 and len(row) > 1:
            raise InputError("no error of class {i} costs anything", i=i, advice="each class needs a positive cost")
        rows.append([1 - shortest(x) / worst if worst else Fraction(1) for x in row])
    return rows


@define_family(
    "k_cost",
    usual=({"costs": ((0, 1, 4), (2, 0, 1), (5, 1, 0))},),
    title="Cost-sensitive K",
    range=lambda costs: (-1 / max(1, len(costs) - 1), 1),
    cite="sebastiani2015",
    class_symmetric=False,
    about="K in which an error counts by its cost, costs[true][predicted], relative to the highest cost of its class",
)
def k_cost(costs: tuple[tuple[Number, ...], ...]) -> Definition:
    _costs(costs)
    _shares(costs)
    return k_with(lambda m: _shares(entries(costs, m)))


@define_family(
    "k_ordinal",
    usual=({"error": "absolute"}, {"error": "squared"}),
    title="Ordinal K",
    range=(-1, 1),
    range_by_classes=_range_of_ordinal_k,
    cite="sebastiani2015",
    class_symmetric=False,
    about="K for ordered classes: an error counts by the distance of the classes, or its square",
)
def k_ordinal(error: object, steps: object = None) -> Definition:
    if error not in ("absolute", "squared"):
        raise InputError("{error} is {got!r}", got=error, advice="use 'absolute' or 'squared'")
    if steps is not None:
        if not isinstance(steps, tuple):
            raise InputTypeError(
                "{steps} is {got!r}",
                got=steps,
                expected="the distances between neighbouring classes, one fewer than classes",
            )
        for i, step in enumerate(steps):
            number(step, f"steps[{i}]", at_least=0)

    power = 2 if error == "squared" else 1
    if steps is None:
        return k_by_distance(power)

    def shares(m: int) -> list[list[Fraction]]:
        if len(steps) != m - 1:
            raise InputError(
                "{steps} has {size} distances, the matrix has {m} classes",
                size=len(steps),
                m=m,
                right=m - 1,
                expected="{right}",
            )
        places = list(accumulate((shortest(x) for x in steps), initial=Fraction(0)))
        return _shares([[abs(x - y) ** power for y in places] for x in places])

    return k_with(shares)


def k_by_distance(power: int) -> Definition:
    """Return the definition of K where an error costs the distance of the classes, or its square."""

    def definition(c: View) -> Value:
        e = c.table(disagreement("linear" if power == 1 else "quadratic"), legend)

        def graded(i: ClassIndex) -> Value:
            worst = c.greatest(lambda j: e[i, j])
            return c.ratio(c.sum(lambda j: (worst - e[i, j]) * c[i, j]), worst * c.a[i])

        return rescaled(c, c.mean(graded, over=present(c)))

    legend = r"w_{ij} = |i - j|" if power == 1 else r"w_{ij} = (i - j)^{2}"
    return definition


@define(
    "macro_f1_of_means",
    title="F1 of macro precision and macro recall",
    range=(0, 1),
    cite="opitz2019",
    aliases=("macf1_prime", "macro_f1_prime", "f1_of_averages"),
    about=Description("the harmonic mean of macro precision and macro recall", "some papers call this macro F1"),
)
def macro_f1_of_means(c: View) -> Value:
    r = average(c, lambda i: recall_of(c, i), worst=0)
    p = average(c, lambda i: precision_of(c, i), worst=0)
    return c.where(r + p == 0, 0, lambda: c.ratio(2 * r * p, r + p))


@define(
    "g_mean",
    title="Geometric mean of recalls",
    range=(0, 1),
    cite="kubat1997",
    aliases=("gmean", "geometric_mean_score"),
    about=Description(
        "the geometric mean of the recalls of all classes",
        "for two classes the root of recall times specificity",
    ),
)
def g_mean(c: View) -> Value:
    return c.mean(lambda i: recall_of(c, i), p=0, undefined=c.skip)


@define(
    "bookmaker_win",
    title="Bookmaker's win",
    range=(-math.inf, math.inf),
    cite="opitz2024",
    scale_invariant=False,
    about="what betting on the predictions at fair odds wins: n times (the sum of recalls − 1)",
)
def bookmaker_win(c: View) -> Value:
    return c.n * (c.sum(lambda i: recall_of(c, i)) - 1)


@define(
    "mutability",
    title="Mutability of recalls",
    range=(0, 1),
    cite="rh-dif2norm",
    aliases=("nominal_variance",),
    about="how evenly success spreads over the classes: 1 if all recalls are equal, 0 if one class alone has hits",
)
def mutability(c: View) -> Value:
    def recall(i: ClassIndex) -> Value:
        return c.ratio(c[i, i], c.a[i], otherwise=c.skip)

    total = c.sum(recall)
    classes = c.sum(lambda i: 1, over=present(c))

    def share(i: ClassIndex) -> Value:
        q = c.ratio(recall(i), total, otherwise=0)
        return q * (1 - q)

    return c.ratio(classes, classes - 1) * c.sum(share)


@define(
    "rh",
    title="RH",
    range=(0, 1),
    cite="rh-dif2norm",
    about=Description("accuracy times the mutability of recalls", "0 where nothing is right"),
)
def rh(c: View) -> Value:
    return c.where(hits(c) == 0, 0, lambda: accuracy(c) * mutability(c))


@define(
    "dif2",
    title="Dif2",
    range=(0, math.inf),
    cite="rh-dif2norm",
    orientation=LOWER,
    scale_invariant=False,
    about="the sum over classes of the squared number of misses",
)
def dif2(c: View) -> Value:
    return c.sum(lambda i: (c.a[i] - c[i, i]) ** 2)


@define(
    "dif2norm",
    title="Dif2Norm",
    range=(0, 1),
    cite="rh-dif2norm",
    about="dif2 rescaled so that nothing right is 0 and perfect is 1",
)
def dif2norm(c: View) -> Value:
    # Σa_i² − Σ(a_i − c_ii)², written as a sum of non-negative terms, so that nothing cancels
    return c.ratio(c.sum(lambda i: c[i, i] * (2 * c.a[i] - c[i, i])), c.sum(lambda i: c.a[i] ** 2))


def _costs(costs: object) -> None:
    """Refuse a table of costs that is not square, or has an entry that is not a number from 0 on."""
    if not isinstance(costs, tuple) or any(not isinstance(row, tuple) or len(row) != len(costs) for row in costs):
        raise InputError("{costs} is {got!r}", got=costs, expected="a square table, costs[true][predicted]")
    for i, row in enumerate(costs):
        for j, cost in enumerate(row):
            number(cost, f"costs[{i}][{j}]", at_least=0)


@define_family(
    "average_cost",
    usual=({"costs": ((0, 1, 4), (2, 0, 1), (5, 1, 0))},),
    title="Average cost",
    range=lambda costs: (min(map(min, costs)), max(map(max, costs))),
    cite="elkan2001",
    orientation=LOWER,
    class_symmetric=False,
    symmetric=lambda costs: costs == tuple(zip(*costs, strict=True)),
    about="the mean over items of costs[true][predicted]",
)
def average_cost(costs: tuple[tuple[Number, ...], ...]) -> Definition:
    _costs(costs)
    if len({x for row in costs for x in row}) == 1:
        raise InputError("{costs} is {got!r}", got=costs, advice="if every item costs the same, there is no best value")

    def definition(c: View) -> Value:
        w = c.table(costs, r"w_{ij} = \text{cost of predicting } j \text{ for } i")
        total = c.sum(lambda i: w[i, i] * c[i, i]) + c.sum_off(lambda i, j: w[i, j] * c[i, j])
        return c.ratio(total, c.n)

    return definition


@define(
    "macro_absolute_error",
    title="Macro-averaged absolute error",
    range=(0, math.inf),
    range_by_classes=lambda classes: (0, classes - 1),
    cite="baccianella2009",
    aliases=("macro_mae", "macro_averaged_mean_absolute_error"),
    orientation=LOWER,
    class_symmetric=False,
    about="how many steps off predictions of ordered classes are, averaged over the true classes that occur",
)
def macro_absolute_error(c: View) -> Value:
    w = c.table(disagreement("linear"), r"w_{ij} = |i - j|")
    return c.mean(lambda i: c.ratio(c.sum(lambda j: w[i, j] * c[i, j]), c.a[i]), over=present(c))


@define(
    "class_balance_accuracy",
    title="Class balance accuracy",
    range=(0, 1),
    cite="mosley2013",
    aliases=("cba",),
    symmetric=True,
    about="the mean over classes of the smaller of precision and recall",
)
def class_balance_accuracy(c: View) -> Value:
    return c.mean(lambda i: c.ratio(c[i, i], c.max(c.a[i], c.b[i]), otherwise=c.skip))
