"""Quantiles of beta and Student's t, compared with SciPy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from goodmeasure.evaluation.intervals.distributions import (
    beta_distribution,
    beta_quantile,
    students_quantile,
    students_tails,
)

sizes = st.floats(0.3, 1e5)
shares = st.floats(1e-4, 1 - 1e-4)


@given(shares, sizes, sizes)
def test_the_beta_distribution_is_that_of_scipy(x, a, b):
    assert beta_distribution(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), rel=1e-8, abs=1e-12)


@given(shares, sizes, sizes)
def test_beta_quantiles_are_those_of_scipy(p, a, b):
    assert beta_quantile(p, a, b) == pytest.approx(stats.beta.ppf(p, a, b), rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("a", [0.5, 1, 50, 1e6, 1e7])
@pytest.mark.parametrize("b", [0.5, 2, 1e6])
def test_beta_quantiles_hold_for_large_counts(a, b):
    for p in (0.0005, 0.025, 0.5, 0.975):
        assert beta_quantile(p, a, b) == pytest.approx(stats.beta.ppf(p, a, b), rel=1e-7)


@given(st.floats(0.55, 0.9999), st.floats(1, 1e6))
def test_students_quantiles_are_those_of_scipy(p, freedom):
    found = students_quantile(p, freedom)
    assert found == pytest.approx(stats.t.ppf(p, freedom), rel=1e-6)
    assert students_quantile(1 - p, freedom) == pytest.approx(-found, rel=1e-6)
    assert students_tails(found, freedom) == pytest.approx(2 * (1 - p), rel=1e-6)


def test_ends_are_ends():
    assert beta_quantile(0.0, 3, 4) == 0
    assert beta_quantile(1.0, 3, 4) == 1
    assert students_quantile(0.5, 3) == 0
