"""Exact values and derivatives of functions that users write, compiled from their trees."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.language.policy import Undecided


def has_three_tenths(c):
    return 1 if c.tp / c.n + c.fp / c.n == 0.3 else 0


def of_math(c):
    return math.sqrt(c.tp) / c.n


def rarely_of_math(c):
    return math.sqrt(c.fn) / c.n if c.tp == 0 else c.ratio(c.tp, c.n)


def test_a_function_that_branches_decides_exactly():
    rows = [[7, 1], [0, 2]]
    measure = gm.measure(has_three_tenths)
    assert (measure.exact(rows), measure(rows)) == (1, 0)  # 0.2 + 0.1 is not 0.3 in floats


def test_a_function_that_branches_on_the_class_decides_exactly():
    measure = gm.measure(lambda c: c.sum(lambda i: c[i, i] if i == 0 else c.ratio(c[i, i], 3)) + (1 if c.fp > 5 else 0))
    assert measure.exact([[7, 1], [0, 2]]) == Fraction(23, 3)


def test_a_function_that_needs_floats_has_no_exact_value():
    measure = gm.measure(of_math)
    assert measure([[1, 2], [3, 4]]) == 0.2
    with pytest.raises(TypeError, match=r"asks for the float of a value: use c\.sqrt"):
        measure.exact([[1, 2], [3, 4]])
    with pytest.raises(TypeError, match=r"use c\.sqrt"):
        measure.gradient([[1, 2], [3, 0]])


def test_a_function_that_needs_floats_has_values_of_very_large_counts():
    """Where floats would overflow, counts are computed with exactly, and the function gets the nearest floats."""
    assert gm.measure(of_math)([[0, 0], [0, 1e100]]) == pytest.approx(1e-50)


def test_what_a_refusal_hides_is_refused_too():
    def hidden(c):
        try:
            return float(c.tp)
        except TypeError:
            return c.tp

    with pytest.raises(TypeError, match="asks for the float"):
        gm.measure(hidden).exact([[1, 2], [3, 4]])


def test_check_goes_on_in_floats_where_a_branch_needs_them():
    report = gm.check(rarely_of_math, properties=["Mon", "Max"], n=6)
    assert report["Mon"].status == "refuted"


def test_what_cannot_be_decided_says_so():
    nested = gm.measure(lambda c: c.where(c.sqrt(5 + 2 * c.sqrt(6)) == c.sqrt(2) + c.sqrt(3), 1, c.n))
    branching = gm.measure(lambda c: 1 if c.sqrt(5 + 2 * c.sqrt(6)) == c.sqrt(2) + c.sqrt(3) else c.n)
    for measure in (nested, branching):
        with pytest.raises(Undecided):
            measure.exact([[1, 2], [3, 4]])


def test_an_infinite_number_for_undefined_terms_is_refused_where_there_is_one():
    assert gm.recall.exact([[1, 2], [3, 4]], undefined=math.inf) == Fraction(4, 7)
    with pytest.raises(gm.InputError, match="finite"):
        gm.recall.exact([[1, 2], [0, 0]], undefined=math.inf)


def test_a_function_outside_its_domain_is_worth_the_number():
    for definition in (
        lambda c: c.arcsin(c.n),
        lambda c: c.arccos(c.n),
        lambda c: c.sqrt(-c.n),
        lambda c: c.log1p(-c.n),
        lambda c: c.power(-c.n, Fraction(1, 3)),
    ):
        measure = gm.measure(definition)
        assert measure.exact([[1, 2], [3, 4]], undefined=0.25) == Fraction(1, 4)
        assert math.isnan(float(measure.exact([[1, 2], [3, 4]])))
        with pytest.raises(gm.UndefinedMeasure):
            measure.exact([[1, 2], [3, 4]], undefined="raise")


def test_a_function_that_branches_has_a_kink_where_it_does():
    measure = gm.measure(lambda c: c.tp if c.tp > c.fn else c.fn)
    assert measure.gradient([[1, 2], [0, 4]]).tolist() == [[0, 0], [0, 1]]
    assert np.isnan(measure.gradient([[0, 2], [4, 4]])).tolist() == [[False, False], [True, True]]


def test_a_comparison_in_a_branch_that_is_not_taken_is_no_kink():
    """The tie of FN and FP matters only where TP is at most 2, although two branches share their maximum."""

    def staged(c):
        most = c.max(c.fn, c.fp)
        return c.where(c.tp > 2, c.tp, c.where(c.tp < 1, most, 2 * most))

    measure = gm.measure(staged)
    assert measure.gradient([[0, 2], [2, 3]]).tolist() == [[0, 0], [0, 1]]
    assert np.isnan(measure.gradient([[0, 2], [2, 0]])).tolist() == [[False, True], [True, False]]


def test_a_class_without_weight_makes_no_kink():
    """Precision of a class without true items is 0/0 until it is predicted, and has weight 0 then too."""
    assert gm.weighted(gm.precision).gradient([[4, 0], [0, 0]])[0].tolist() == [0, 0]


def test_a_calibrated_measure_that_keeps_its_value_has_slope_zero():
    found = gm.calibrated(gm.mcc).gradient([[1, 0], [3, 0]])
    assert found[:, 0].tolist() == [0, 0]
    assert np.isnan(found[:, 1]).all()


@pytest.mark.parametrize("mean", ["logarithmic", "identric", "seiffert", "neuman_sandor"])
def test_a_mean_of_equal_numbers_is_smooth(mean):
    measure = gm.measure(lambda c: c.over_mean(c.n, c.tp + c.fn, c.tp + c.fp, mean))
    found = measure.gradient([[1, 2], [2, 3]], exact=True)
    assert [str(x) for x in found.ravel()] == ["1/5", "1/25", "1/25", "-3/25"]
