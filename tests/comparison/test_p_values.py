"""McNemar's test and Holm's correction, against direct sums and the closed form."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.evaluation.p_values import holm, mcnemar, two_sided


def binomial(k, total):
    return sum(Fraction(math.comb(total, i), 2**total) for i in range(k + 1))


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_two_sided_binomial_test(b, c):
    p = mcnemar(b, c)
    assert p == pytest.approx(min(1, 2 * float(binomial(min(b, c), b + c))), rel=1e-12)
    assert p == mcnemar(c, b)
    assert mcnemar(b, c, mid=True) <= p


@pytest.mark.parametrize(("b", "c"), [(480, 560), (2000, 2101), (900, 1400), (0, 1500), (30_000, 30_400)])
def test_large_counts_give_the_same_sum(b, c):
    """The terms that follow from each other add up to SciPy's binomial distribution."""
    stats = pytest.importorskip("scipy.stats")
    assert mcnemar(b, c) == pytest.approx(2 * stats.binom.cdf(min(b, c), b + c, 0.5), rel=1e-7, abs=1e-300)


def test_very_many_items_follow_the_normal_distribution():
    assert mcnemar(500_000_000, 500_040_000) == pytest.approx(two_sided(39_999 / math.sqrt(1_000_040_000)), rel=1e-3)


def wrongly_rejected(items, deciding, *, mid):
    """How often p ≤ 5% where nothing is to be found: each item decides with a chance, and then for either system."""
    share, found = deciding / items, 0.0
    for d in range(items + 1):
        weight = math.comb(items, d) * share**d * (1 - share) ** (items - d)
        beyond = next(k for k in range(d + 1) if k > d - k or mcnemar(k, d - k, mid=mid) > 0.05)
        found += weight * 2 * sum(math.comb(d, k) for k in range(beyond)) / 2**d
    return found


@pytest.mark.parametrize(("items", "deciding"), [(30, 9), (50, 12), (100, 20), (150, 45), (200, 100)])
def test_mid_p_is_wrong_in_four_to_six_per_cent_and_the_exact_test_in_less(items, deciding):
    """Summed over all outcomes, so without simulation."""
    assert 0.04 <= wrongly_rejected(items, deciding, mid=True) <= 0.06
    assert wrongly_rejected(items, deciding, mid=False) < 0.042


@pytest.mark.parametrize(("b", "c"), [(14, 4), (9, 5), (1, 0)])
def test_swaps_under_accuracy_find_the_mid_p_of_mcnemar(b, c):
    """What is as far from 0 as what was seen counts half in both."""
    true = [0, 1] * 20
    right = [(True, False)] * b + [(False, True)] * c
    right += [(True, True)] * (len(true) - len(right))
    systems = {name: [t if r[k] else 1 - t for t, r in zip(true, right, strict=True)] for k, name in enumerate("AB")}
    found = gm.compare(true, systems, measures=["accuracy"], method="permutation", replicates=20_000).differences[0]
    assert found["p"] == pytest.approx(mcnemar(b, c, mid=True), abs=0.012)


def test_equal_values_have_the_p_value_one():
    true = [0, 0, 1, 1, 0, 1]
    systems = {"A": [0, 1, 1, 1, 0, 1], "B": [0, 0, 1, 0, 0, 1]}
    for method in ("auto", "exact", "permutation", "bootstrap", "normal"):
        assert gm.compare(true, systems, measures=["accuracy"], method=method).differences[0]["p"] == 1.0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_the_closed_form(p):
    """The corrected p of the k-th smallest is the largest of (number − j)·p_j over j ≤ k, at most 1."""
    order = sorted(range(len(p)), key=lambda k: p[k])
    found = holm(p)
    for place, k in enumerate(order):
        expected = max(min(1.0, (len(p) - j) * p[order[j]]) for j in range(place + 1))
        assert found[k] == pytest.approx(expected)


def test_holm_leaves_out_what_is_no_test():
    corrected = holm([0.02, math.nan, 0.03])
    assert corrected[0] == pytest.approx(0.04)
    assert math.isnan(corrected[1])
    assert corrected[2] == pytest.approx(0.04)
