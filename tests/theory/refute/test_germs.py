"""Germs give limits and derivatives along rays, exactly."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import goodmeasure as gm
from goodmeasure.language.exact.number_parsing import read_exact
from goodmeasure.language.exact.reals import Exact
from goodmeasure.language.policy import RESOLVE, Undecided
from goodmeasure.language.record import record
from goodmeasure.theory.refute.germs import Germ, GrowthOrder, along, far_along


@pytest.mark.parametrize("name", ["mcc", "kappa", "f1", "correlation_distance", "yule_y", "ochiai", "sba"])
def test_coefficients_are_those_of_the_function(name):
    """The series, summed at a small t, is the exact value there up to its next order."""
    measure = gm.measure(name)
    start, moves, t = ((4, 2), (3, 5)), ((1, -1), (-1, 1)), Fraction(1, 1000)
    germ = along(measure.recorded.tree(2), start, moves, RESOLVE)
    there = [[x + t * d for x, d in zip(row, ds, strict=True)] for row, ds in zip(start, moves, strict=True)]
    summed = sum(float(germ.coefficient(k)) * float(t) ** k for k in range(5))
    assert summed == pytest.approx(float(measure.exact(there)), abs=1e-13)


def test_infinite_slopes_and_poles_show_in_the_order():
    apart = along(gm.correlation_distance.tree, ((1, 0), (0, 1)), ((-1, 1), (0, 0)), RESOLVE)
    assert apart.order == Fraction(1, 2)
    odds = along(gm.diagnostic_odds_ratio.tree, ((2, 0), (1, 2)), ((-1, 1), (0, 0)), RESOLVE)
    assert odds.order == -1
    far = far_along(gm.diagnostic_odds_ratio.tree, ((1, 1), (1, 1)), ((1, 0), (0, 1)), RESOLVE)
    assert far.order == -2
    assert along(gm.recall.tree, ((1, 0), (0, 0)), ((-1, 1), (0, 0)), RESOLVE) is None


def test_what_a_cut_series_does_not_know_is_undecided():
    short = Germ({Fraction(0): Exact.of(1)}, Fraction(2))
    with pytest.raises(Undecided):
        (short - short).sign()
    with pytest.raises(Undecided):
        short.coefficient(2)
    assert (Germ.of(1) - Germ.of(1)).sign() == 0


@pytest.mark.parametrize("name", ["mcc", "confusion_entropy", "correlation_distance", "macro(recall, p=0)", "sba"])
def test_exact_values_are_read_back_from_their_text(name):
    value = gm.measure(name).exact([[3, 1], [2, 4]])
    assert read_exact(str(value)) == value


@pytest.mark.parametrize("text", ["", "import os", "f(3)", "1 +", "'a'"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(ValueError, match="is not an exact number"):
        read_exact(text)


def _at(germ, t):
    """Return the known terms of a series at a small t, in floats."""
    total = 0.0
    for order, c in germ.terms.items():
        e, k = (order.e, order.k) if isinstance(order, GrowthOrder) else (order, 0)
        total += float(c) * t ** float(e) * math.log(1 / t) ** float(k)
    return total


@pytest.mark.parametrize(
    "name",
    ["mutual_information", "variation_of_information", "confusion_entropy", "normalized_mutual_information()"],
)
def test_logarithms_of_vanishing_cells_are_terms_of_the_series(name):
    measure, t = gm.measure(name), Fraction(1, 512)
    start, moves = ((3, 0), (1, 2)), ((-1, 1), (0, 0))
    germ = along(measure.recorded.tree(2), start, moves, RESOLVE)
    assert GrowthOrder.of(1, 1) in germ.terms
    there = [[x + t * d for x, d in zip(row, ds, strict=True)] for row, ds in zip(start, moves, strict=True)]
    assert _at(germ, float(t)) == pytest.approx(float(measure.exact(there)), abs=1e-12)


def test_orders_with_logarithms_lie_beside_those_of_powers():
    by_size = [
        GrowthOrder.of(0, 1),
        0,
        GrowthOrder.of(0, -1),
        GrowthOrder.of(1, 2),
        GrowthOrder.of(1, 1),
        1,
        GrowthOrder.of(1, -1),
        2,
    ]
    t = 1e-40
    sizes = [t ** float(getattr(x, "e", x)) * math.log(1 / t) ** float(getattr(x, "k", 0)) for x in by_size]
    assert sorted(by_size) == by_size
    assert sorted(sizes, reverse=True) == sizes
    for x in by_size[:3]:
        assert x <= x and not x < x and x + 1 > x and (x + x) - x == x and 2 * x == x + x  # noqa: PT018


def test_a_logarithm_of_a_logarithm_and_a_series_in_them_are_undecided():
    with pytest.raises(Undecided):
        along(record(lambda c: c.log(-c.log(c.ratio(c[0, 1], c.n))), 2), ((3, 0), (1, 2)), ((-1, 1), (0, 0)), RESOLVE)
    with pytest.raises(Undecided):
        along(record(lambda c: 1 / (1 + c.log(c.ratio(c[0, 1], c.n))), 2), ((3, 0), (1, 2)), ((-1, 1), (0, 0)), RESOLVE)
