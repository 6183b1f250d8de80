"""A metric with a constant baseline, for every n, that is neither monotone nor has minimal agreement.

It shows that distance and constant baseline do not exclude each other. It is not a measure to use.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from goodmeasure.catalogue.measure import Measure
from goodmeasure.language.value import Value
from goodmeasure.language.view import View


def metric_with_a_baseline(c: View) -> Value:
    """Return 1 − d, where d is a metric on labelings of n items into two classes.

    Let k be the number of positives. d = 0 between equal labelings and d = 1 between labelings with different k. For
    different labelings with the same k, d = 1 if they are independent (n·TP = k²), and otherwise d = r with
    r = 1/(1 − p/(1 − q)). Here p = 1/C(n, k) is the probability that a random labeling with k positives equals a given
    one, and q the probability that it is independent of it.

    *r occurs* for every 0 < k < n: exchanging one positive with one negative gives TP = k − 1, and n(k − 1) = k² only
    for n = 4, k = 2, since k²/(k − 1) = k + 1 + 1/(k − 1) must be whole; there TP = 0 is not independent. So each
    labeling has one that is neither equal to it nor independent of it. Each has probability p, hence 1 − p − q ≥ p.

    *Constant baseline.* For different class sizes every value is 1 − d = 0. For equal ones the mean of d is
    p·0 + q·1 + (1 − p − q)·r, and r = (1 − q)/(1 − p − q), so the mean is q + (1 − q) = 1. So 1 − d has mean 0 for all
    class sizes with non-constant predictions. On independent matrices with non-constant predictions it is 0 as well, as
    it is where counts are not whole; so the approximate baseline is constant too.

    *Triangle inequality.* All distances but 0 lie in [1, 2]: r ≥ 1, and r ≤ 2 since 2p + q ≤ 1. So d(A, C) ≤ 2, which
    is at most d(A, B) + d(B, C), unless two of the labelings are equal, and then the inequality is trivial.

    Symmetry and class symmetry hold since k(A) = k(B) and TN = n − 2k + TP in these cases, so that n·TN = (n − k)² is
    the same condition as n·TP = k². Maximal agreement holds since d = 0 only between equal labelings.
    """
    cells = [[_whole(c[i, j]) for j in range(2)] for i in range(2)]
    whole = [x for row in cells for x in row if x is not None]
    if len(whole) < 4:
        return c.constant(0)
    tn, fp, fn, tp = whole
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


def _whole(x: Value) -> int | None:
    number = int(x)  # type: ignore[call-overload] # values without a number refuse
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
# The properties that the docstring above proves; the tests check its tables up to n = 8.
HAS = (
    "maximal_agreement",
    "class_symmetry",
    "symmetry",
    "distance",
    "constant_baseline",
    "approximate_constant_baseline",
)
