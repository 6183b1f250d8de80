"""A metric with a constant baseline, for every n: where monotonicity and minimal agreement are given up."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

from goodmeasure.catalogue.measure import Measure
from goodmeasure.language.view import View


def metric_with_a_baseline(c: View) -> Any:
    """1 minus a distance: 0 between equal labelings, 1 between those with different class sizes.

    With equal class sizes k of n it is 1 where they are independent (k² = n·TP), and else 1 / (1 − p / (1 − q)), where
    p = 1 / C(n, k) and q are the chances that a random prediction of that size is equal, or independent. Its mean over
    random predictions is then 1. Since 2p + q ≤ 1, all distances but 0 lie between 1 and 2, so the triangle inequality
    holds; so do symmetry, class symmetry and both baselines. Counts that are not whole have the value of chance, 0.
    """
    cells = [[_whole(c[i, j]) for j in range(2)] for i in range(2)]
    if any(x is None for row in cells for x in row):
        return c.constant(0)
    (tn, fp), (fn, tp) = cells
    n, k = tn + fp + fn + tp, fn + tp
    if fp == fn == 0:
        return c.constant(1)
    if fp != fn or n * tp == k * k:
        return c.constant(0)
    p = Fraction(1, comb(n, k))
    same = Fraction(k * k, n)
    q = Fraction(0)
    if same.denominator == 1:
        q = comb(k, int(same)) * comb(n - k, k - int(same)) * p
    return c.constant(1 - 1 / (1 - p / (1 - q)))


def _whole(x: Any) -> Any:
    number = round(float(x))
    return number if number == x else None


METRIC = Measure(
    metric_with_a_baseline,
    "metric_with_a_baseline",
    title="A metric with a constant baseline",
    range=(-1, 1),
    classes=2,
    symmetric=True,
    scale_invariant=False,
    key=metric_with_a_baseline,
)
# What the docstring above argues; the tables of it up to n = 8 are checked in the tests.
HAS = (
    "maximal_agreement",
    "class_symmetry",
    "symmetry",
    "distance",
    "constant_baseline",
    "approximate_constant_baseline",
)
