"""Intervals of differences: Tango's from its definition, agreement with the tests, and exact coverage."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

import goodmeasure as gm
from goodmeasure.comparison.difference_intervals import in_agreement, tango
from goodmeasure.evaluation.intervals.interval import Interval
from goodmeasure.evaluation.p_values import mcnemar

Z = 1.959963984540054


@pytest.mark.parametrize(("first", "second", "items"), [(4, 0, 20), (0, 0, 30), (12, 5, 50), (1, 9, 40), (7, 7, 15)])
def test_the_ends_of_tangos_interval_are_where_the_score_test_begins_to_reject(first, second, items):
    low, high = tango(first, second, items, Z)
    for end in (low, high):
        if abs(end) < 1:
            assert abs(statistic(first, second, items, end)) == pytest.approx(Z, abs=2e-5)


def statistic(first, second, items, difference):
    """Tango's score statistic from its definition: the likelihood is maximised under the hypothesis by brute force."""
    shares = np.linspace(max(0.0, -difference), (1 - difference) / 2 if difference > -1 else 1.0, 400_001)
    with np.errstate(divide="ignore", invalid="ignore"):
        rest = 1 - 2 * shares - difference
        terms = [
            np.where(k > 0, k * np.log(np.maximum(x, 0)), 0.0)
            for k, x in ((first, shares + difference), (second, shares), (items - first - second, rest))
        ]
    q = shares[np.nanargmax(sum(terms))]
    return (first - second - items * difference) / math.sqrt(items * (2 * q + difference * (1 - difference)))


def test_tangos_interval_has_the_published_ends():
    """Tango (1998), example of 44 patients in a crossover trial with 0 and 1 discordant pairs."""
    assert tango(1, 0, 44, Z) == pytest.approx((-0.0593, 0.1183), abs=5e-4)


def test_mcnemars_test_never_rejects_where_tangos_interval_holds_0():
    for total, z in itertools.product(range(1, 120), (Z, 1.6448536269514722, 2.5758293035489004)):
        alpha = math.erfc(z / math.sqrt(2))
        for second in range(total // 2 + 1):
            if mcnemar(total - second, second, mid=True) < alpha:
                assert tango(total - second, second, 200, z)[0] > 0


@pytest.mark.parametrize(
    ("items", "one", "two"), [(20, 0.05, 0.02), (50, 0.02, 0.0001), (100, 0.01, 0.005), (20, 0.2, 0.1), (50, 0.1, 0.1)]
)
def test_the_interval_of_accuracy_covers_by_enumeration(items, one, two):
    """Percentiles of the bootstrap covered 62 to 64% in the first three situations."""
    held = 0.0
    for first in range(items + 1):
        p = binom.pmf(first, items, one)
        for second in range(items - first + 1):
            share = p * binom.pmf(second, items - first, two / (1 - one))
            if share > 1e-9:
                found = Interval(*tango(first, second, items, Z), "tango", 0.0)
                difference = (first - second) / items
                found = in_agreement(found, difference, mcnemar(first, second, mid=True), 0.05)
                held += share * (found.low <= one - two <= found.high)
    assert held >= 0.935


MEASURES = ["accuracy", "mcc", "f1", "macro(f1)", "kappa", "balanced_accuracy", "precision", "recall"]


@given(
    st.integers(12, 60),
    st.integers(0, 2**31),
    st.sampled_from([0.7, 0.9, 0.98]),
    st.sampled_from(["plain", "weights", "groups"]),
)
def test_an_interval_holds_0_exactly_where_the_test_does_not_reject(size, seed, right, kind):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 2, size)
    said = {name: np.where(rng.random(size) < right, true, 1 - true) for name in "AB"}
    asked = {"weights": {"sample_weight": rng.uniform(0.5, 3, size)}, "groups": {"groups": np.arange(size) // 3}}
    found = gm.compare(true, said, measures=MEASURES, replicates=200, **asked.get(kind, {}))
    for row in found.differences:
        if math.isnan(row["p"]) or math.isnan(row["low"]):
            continue
        assert row["low"] <= row["difference"] <= row["high"]
        holds = row["low"] <= 0 <= row["high"]
        assert holds == (row["p"] >= 0.05) or (row["reason"] or "").startswith("ends at 0")


def test_a_perfect_system_against_four_errors_of_twenty():
    """It said "0.050 to 0.400" beside p = 0.062."""
    true = [0, 1] * 10
    other = [1, 0, 1, 0, *true[4:]]
    row = gm.compare(true, {"A": true, "B": other}, measures=["accuracy"]).differences[0]
    assert (row["low"], row["interval"]) == (0, "tango")
    assert row["p"] == pytest.approx(0.0625)


def test_results_do_not_depend_on_the_order_of_systems():
    rng = np.random.default_rng(5)
    true = rng.integers(0, 3, 200)
    said = {name: np.where(rng.random(200) < 0.8, true, rng.integers(0, 3, 200)) for name in "CAB"}
    one = gm.compare(true, said, measures=["mcc", "macro(f1)"])
    two = gm.compare(true, dict(sorted(said.items())), measures=["mcc", "macro(f1)"])
    for a, b in itertools.combinations("ABC", 2):
        assert one.difference(a, b, "mcc") == two.difference(a, b, "mcc")
    assert one.best_probability == two.best_probability
    for system in "ABC":
        assert one.score(system, "mcc") == two.score(system, "mcc")


def test_systems_that_say_the_same_have_an_interval():
    """No disagreement among 30 items does not mean that there is none at all."""
    true = [0, 1] * 15
    rows = gm.compare(true, {"A": true, "B": true}, measures=["accuracy", "mcc"]).differences
    for row in rows:
        assert row["low"] == pytest.approx(-row["high"])
        assert 0.03 < row["high"] < 0.4


@pytest.mark.parametrize("measure", ["mcc", "f1"])
def test_smoothed_intervals_of_differences_cover(measure):
    """Percentiles of the bootstrap covered 73% where one system is right in 99% and the other in 97%."""
    rng = np.random.default_rng(0)
    shares = np.array([0.5 * x for x in (0.9604, 0.0296, 0.0096, 0.0004)] * 2)
    patterns = list(itertools.product((0, 1), (1, 0), (1, 0)))
    true, a, b = np.array([(t, t if x else 1 - t, t if y else 1 - t) for t, x, y in patterns]).T
    f, held = gm.measure(measure), 0
    matrix = [np.bincount(true * 2 + said, shares, minlength=4).reshape(2, 2) for said in (a, b)]
    right = f(matrix[0]) - f(matrix[1])
    for counts in rng.multinomial(50, shares, size=150):
        y, one, two = (np.repeat(x, counts) for x in (true, a, b))
        row = gm.compare(y, {"A": one, "B": two}, measures=[f], labels=[0, 1], replicates=20, method="normal")
        found = row.differences[0]
        held += found["low"] <= right <= found["high"] or math.isnan(found["low"])
    assert held >= 135


def test_the_difference_of_a_measure_that_jumps_lies_between_differences_of_its_values():
    """Accuracy of both systems is near 0.8, so either may pass or fail; standard errors would be 0 or huge."""

    def passes(c):
        return c.where(c.tp + c.tn > 0.8 * c.n, 1, 0)

    true = np.repeat([0, 1], 30)
    a, b = true.copy(), true.copy()
    a[:11], b[-13:] = 1, 0
    (found,) = gm.compare(true, {"A": a, "B": b}, measures=[passes]).differences
    assert found["interval"] == "bootstrap"
    assert (found["low"], found["high"]) == (-1, 1)
