"""Measures as people write them: sizes, hinges, extremes, thresholds, logarithms, powers, weights and costs.

Each is a plain function of ``c``. `tests/theory/test_user_measures.py` asks for their properties and compares every
verdict with brute force.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MEASURES: dict[str, Callable[[Any], Any]] = {}


def measure(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    MEASURES[function.__name__] = function
    return function


def precision(c: Any, otherwise: Any = 0) -> Any:
    return c.ratio(c.tp, c.tp + c.fp, otherwise=otherwise)


def recall(c: Any, otherwise: Any = 0) -> Any:
    return c.ratio(c.tp, c.tp + c.fn, otherwise=otherwise)


def specificity(c: Any, otherwise: Any = 0) -> Any:
    return c.ratio(c.tn, c.tn + c.fp, otherwise=otherwise)


def accuracy(c: Any) -> Any:
    return (c.tp + c.tn) / c.n


def mcc(c: Any) -> Any:
    spread = (c.tp + c.fp) * (c.tp + c.fn) * (c.tn + c.fp) * (c.tn + c.fn)
    return c.ratio(c.tp * c.tn - c.fp * c.fn, c.sqrt(spread), otherwise=0)


def kappa(c: Any) -> Any:
    below = (c.tp + c.fp) * (c.tn + c.fp) + (c.tp + c.fn) * (c.tn + c.fn)
    return c.ratio(2 * (c.tp * c.tn - c.fp * c.fn), below, otherwise=0)


# Sizes


@measure
def size_of_mcc(c):
    return abs(mcc(c))


@measure
def size_of_kappa(c):
    return abs(kappa(c))


@measure
def bias(c):
    return 1 - abs(c.ratio(c.fp - c.fn, c.n))


@measure
def relative_bias(c):
    return 1 - abs(c.ratio(c.fp - c.fn, c.fp + c.fn, otherwise=0))


@measure
def count_error(c):
    return -abs((c.tp + c.fp) - (c.tp + c.fn))


@measure
def gap_of_rates(c):
    return 1 - abs(recall(c) - specificity(c))


@measure
def distance_from_chance(c):
    return abs(2 * accuracy(c) - 1)


@measure
def penalised_accuracy(c):
    return accuracy(c) - abs(c.ratio(c.fp - c.fn, 2 * c.n))


@measure
def sum_of_sizes(c):
    return abs(c.tp - c.fp) + abs(c.tn - c.fn)


@measure
def size_of_informedness(c):
    return abs(recall(c) + specificity(c) - 1)


# Hinges


@measure
def hinge_of_mcc(c):
    return c.max(0, mcc(c))


@measure
def hinge_of_kappa(c):
    return c.max(0, kappa(c))


@measure
def hinge_of_accuracy(c):
    return c.max(0, 2 * accuracy(c) - 1)


@measure
def clipped_accuracy(c):
    return c.min(accuracy(c), c.ratio(9, 10))


@measure
def soft_hinge(c):
    return c.max(c.ratio(1, 10), c.ratio(c.tp - c.fp, c.n))


@measure
def two_sided_clip(c):
    return c.max(-1, c.min(1, c.ratio(c.tp - c.fn, c.tp + c.fp, otherwise=0)))


@measure
def net_benefit(c):
    return c.max(0, c.ratio(c.tp - c.ratio(1, 4) * c.fp, c.n))


@measure
def hinge_of_informedness(c):
    return c.max(0, recall(c) + specificity(c) - 1)


# Least and greatest values


@measure
def worse_of_precision_and_recall(c):
    return c.min(precision(c), recall(c))


@measure
def better_of_precision_and_recall(c):
    return c.max(precision(c), recall(c))


@measure
def worst_rate(c):
    return c.min(recall(c), specificity(c))


@measure
def worst_of_three(c):
    return c.min(precision(c), recall(c), specificity(c))


@measure
def worst_of_four(c):
    return c.min(precision(c), recall(c), specificity(c), c.ratio(c.tn, c.tn + c.fn, otherwise=0))


@measure
def best_of_four(c):
    return c.max(precision(c), recall(c), specificity(c), c.ratio(c.tn, c.tn + c.fn, otherwise=0))


@measure
def accuracy_or_mcc(c):
    return c.min(accuracy(c), mcc(c))


@measure
def accuracy_and_mcc(c):
    return c.max(accuracy(c), mcc(c))


@measure
def simpson(c):
    return c.ratio(c.tp, c.min(c.tp + c.fp, c.tp + c.fn), otherwise=0)


@measure
def braun_blanquet(c):
    return c.ratio(c.tp, c.max(c.tp + c.fp, c.tp + c.fn), otherwise=0)


@measure
def worst_error(c):
    return 1 - c.ratio(c.max(c.fp, c.fn), c.n)


@measure
def least_error(c):
    return 1 - c.ratio(c.min(c.fp, c.fn), c.n)


@measure
def majority_gain(c):
    return accuracy(c) - c.ratio(c.max(c.tp + c.fn, c.tn + c.fp), c.n)


@measure
def least_of_cells(c):
    return c.ratio(c.min(c.tp, c.tn), c.n)


@measure
def spread_of_rates(c):
    return 1 - (c.max(recall(c), specificity(c)) - c.min(recall(c), specificity(c)))


# Thresholds


@measure
def accuracy_above_half(c):
    return c.where(accuracy(c) > c.ratio(1, 2), accuracy(c), 0)


@measure
def passes_half(c):
    return c.where(accuracy(c) > c.ratio(1, 2), 1, 0)


@measure
def recall_at_precision(c):
    return c.where(precision(c) >= c.ratio(1, 2), recall(c), 0)


@measure
def stepwise(c):
    return c.where(c.tp > c.fp, accuracy(c), c.ratio(c.tn, c.n))


@measure
def more_right_than_wrong(c):
    return c.where(c.tp + c.tn > c.fp + c.fn, 1, c.where(c.tp + c.tn == c.fp + c.fn, c.ratio(1, 2), 0))


@measure
def error_kind(c):
    return c.where(c.fp > c.fn, precision(c), recall(c))


# Logarithms


@measure
def log_odds(c):
    return c.log((c.tp + 1) * (c.tn + 1) / ((c.fp + 1) * (c.fn + 1)))


@measure
def log_accuracy(c):
    return c.log(accuracy(c) + 1)


@measure
def log_ratio(c):
    return c.log(c.ratio(c.tp + 1, c.fp + 1))


@measure
def bits_right(c):
    return c.log(1 + c.tp + c.tn) - c.log(1 + c.fp + c.fn)


@measure
def entropy_of_errors(c):
    share = c.ratio(c.fp + c.fn, c.n)
    return c.xlogy(share, share)


# Powers and roots


@measure
def root_of_accuracy(c):
    return c.sqrt(accuracy(c))


@measure
def g_mean(c):
    return c.sqrt(recall(c) * specificity(c))


@measure
def fowlkes_mallows(c):
    return c.sqrt(precision(c) * recall(c))


@measure
def cube(c):
    return accuracy(c) ** 3


@measure
def fifth_root(c):
    return c.power(accuracy(c), c_fifth)


@measure
def brier_like(c):
    return 1 - (c.ratio(c.fp, c.n) ** 2 + c.ratio(c.fn, c.n) ** 2)


@measure
def euclidean(c):
    return 1 - c.sqrt(c.ratio(c.fp, c.n) ** 2 + c.ratio(c.fn, c.n) ** 2)


@measure
def distance_to_corner(c):
    return 1 - c.sqrt(((1 - recall(c)) ** 2 + (1 - specificity(c)) ** 2) / 2)


@measure
def quadratic_mean_of_rates(c):
    return c.power_mean([recall(c), specificity(c)], 2)


# Weighted sums and harmonic combinations


@measure
def blend(c):
    return (accuracy(c) + mcc(c)) / 2


@measure
def three_quarters(c):
    return (3 * recall(c) + specificity(c)) / 4


@measure
def f1(c):
    return c.ratio(2 * c.tp, 2 * c.tp + c.fp + c.fn, otherwise=0)


@measure
def f2(c):
    return c.ratio(5 * c.tp, 5 * c.tp + c.fp + 4 * c.fn, otherwise=0)


@measure
def f1_of_both(c):
    return (f1(c) + c.ratio(2 * c.tn, 2 * c.tn + c.fp + c.fn, otherwise=0)) / 2


@measure
def harmonic_of_four(c):
    return c.ratio(4 * c.tp * c.tn, 4 * c.tp * c.tn + (c.tp + c.tn) * (c.fp + c.fn), otherwise=0)


@measure
def smoothed_accuracy(c):
    return (c.tp + c.tn + 1) / (c.n + 2)


@measure
def product_of_rates(c):
    return recall(c) * specificity(c)


@measure
def fisher_like(c):
    return c.ratio(c.tp * c.tn - c.fp * c.fn, c.n * c.n)


# Costs


@measure
def cost(c):
    return -(5 * c.fn + c.fp)


@measure
def cost_per_item(c):
    return 1 - c.ratio(4 * c.fn + c.fp, 4 * c.n)


@measure
def profit(c):
    return 10 * c.tp - 3 * c.fp - c.fn


@measure
def expected_cost(c):
    return -c.ratio(c.fn, c.tp + c.fn, otherwise=0) - 2 * c.ratio(c.fp, c.tn + c.fp, otherwise=0)


@measure
def cost_of_the_worse_error(c):
    return -c.max(3 * c.fn, c.fp)


@measure
def capped_cost(c):
    return -c.min(c.fp + 2 * c.fn, 10)


@measure
def saving(c):
    return c.ratio(c.min(c.tp + c.fn, c.tn + c.fp) - c.fp - c.fn, c.n)


c_fifth = 0.2
