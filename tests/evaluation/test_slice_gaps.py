"""The interval of the gap between slices."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.evaluation.slice_gaps import gap_interval, quantile_of_range


@pytest.mark.parametrize("number", [2, 3, 10, 50])
@pytest.mark.parametrize("share", [0.9, 0.975])
def test_the_quantile_of_the_range_is_that_of_scipy(number, share):
    stats = pytest.importorskip("scipy.stats")
    expected = stats.studentized_range.ppf(share, number, np.inf)
    assert quantile_of_range(share, number) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("spread", [0.0, 0.02, 0.1])
def test_the_interval_holds_the_true_gap_of_normal_values(spread):
    rng = np.random.default_rng(4)
    errors, held = np.linspace(0.02, 0.06, 8), 0
    for _ in range(1000):
        true = 0.7 + spread * rng.standard_normal(8)
        low, high = gap_interval(true + errors * rng.standard_normal(8), errors, 0.95)
        held += low <= np.ptp(true) <= high
    assert held / 1000 >= 0.94


def test_two_slices_have_the_interval_of_their_difference():
    values, errors = np.array([0.5, 0.9]), np.array([0.03, 0.04])
    low, high = gap_interval(values, errors, 0.95)
    assert (low, high) == pytest.approx((0.4 - 2.2414 * 0.05, 0.4 + 1.96 * 0.05), abs=1e-3)


def test_few_groups_make_the_interval_wider():
    values, errors = np.array([0.5, 0.9, 0.8]), np.full(3, 0.03)
    plain = gap_interval(values, errors, 0.95)
    few = gap_interval(values, errors, 0.95, np.array([2.0, math.inf, 9.0]))
    assert few[0] < plain[0] < plain[1] < few[1]


def test_slices_without_a_standard_error_do_not_count():
    values = np.array([0.1, 0.5, 0.9, np.nan])
    errors = np.array([np.nan, 0.03, 0.03, 0.03])
    assert gap_interval(values, errors, 0.95) == gap_interval(values[1:3], errors[1:3], 0.95)
    assert all(math.isnan(x) for x in gap_interval(values[2:], errors[2:], 0.95))


def test_the_gap_starts_at_zero_where_the_test_finds_nothing_and_is_shown():
    rng = np.random.default_rng(0)
    true, where = rng.integers(0, 2, 300), np.repeat(list("abc"), 100)
    alike = np.where(rng.random(300) < 0.8, true, 1 - true)
    apart = np.where(rng.random(300) < np.repeat([0.95, 0.8, 0.5], 100), true, 1 - true)
    found = gm.evaluate(true, {"alike": alike, "apart": apart}, by={"site": where}, measures=["accuracy", "mcc"])
    for spread in found.slice_spread:
        assert spread.gap_low <= spread.gap <= spread.gap_high <= 2
        assert (spread.gap_low == 0) == (spread.system == "alike")
    one = next(x for x in found.slice_spread if x.system == "apart" and x.measure == "accuracy")
    assert f"{one.gap:.3f} ({one.gap_low:.3f} to {one.gap_high:.3f})" in found.to_markdown()
    assert {"gap_low", "gap_high"} <= set(json.loads(found.to_json())["slice_spread"][0])


def test_without_intervals_a_gap_has_none():
    true, where = [0, 1] * 20, ["a"] * 20 + ["b"] * 20
    found = gm.evaluate(true, [0, 1] * 19 + [1, 1], by={"site": where}, measures="accuracy", confidence=None)
    assert math.isnan(found.slice_spread[0].gap_low)
