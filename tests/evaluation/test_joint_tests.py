"""Claims of a page share one error rate: many correlated tests, corrected together."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.evaluation.joint_tests import normal_values, step_down
from goodmeasure.evaluation.p_values import holm, two_sided
from goodmeasure.evaluation.significance import shares


def data(seed=0, n=300, better=0.85, systems="AB"):
    rng = np.random.default_rng(seed)
    true = (rng.random(n) < 0.4).astype(int)
    right = {name: better if name == "A" else 0.8 for name in systems}
    return true, {name: np.where(rng.random(n) < x, true, 1 - true) for name, x in right.items()}, rng


def test_independent_tests_are_corrected_as_by_holm_and_sidak():
    drawn = np.abs(np.random.default_rng(1).standard_normal((5, 200_000)))
    p = [0.004, 0.02, 0.03, 0.4, 0.9]
    found = step_down(p, drawn)
    sidak = np.maximum.accumulate([1 - (1 - x) ** (5 - k) for k, x in enumerate(p)])
    assert found == pytest.approx(sidak, abs=0.004)
    assert all(x <= y + 1e-12 for x, y in zip(found, holm(p), strict=True))


def test_names_of_one_test_cost_nothing_and_tests_that_were_not_made_count():
    one = np.abs(np.random.default_rng(2).standard_normal(100_000))
    assert step_down([0.01, 0.01, 0.01], np.stack([one] * 3)) == pytest.approx([0.01] * 3, abs=0.001)
    drawn = np.abs(np.random.default_rng(3).standard_normal((4, 100_000)))
    found = step_down([0.01, math.nan, math.nan, math.nan], drawn)
    assert found[0] == pytest.approx(1 - 0.99**4, abs=0.002)
    assert all(map(math.isnan, found[1:]))


def test_where_nothing_differs_any_claim_comes_with_a_probability_of_5_percent():
    related = np.full((13, 13), 0.8) + 0.2 * np.eye(13)
    drawn = np.abs(normal_values(np.zeros(13), related, 4000, 1))
    seen = normal_values(np.zeros(13), related, 1000, 2)
    false = [min(step_down([two_sided(x) for x in z], drawn)) < 0.05 for z in seen.T]
    separate = [min(two_sided(x) for x in z) < 0.05 for z in seen.T]
    assert 0.03 <= np.mean(false) <= 0.07
    assert np.mean(separate) > 0.12


def test_thirteen_measures_cost_little_more_than_a_few_independent_ones():
    true, systems, _ = data(seed=4, better=0.9)
    found = gm.compare(true, systems, replicates=499)
    assert all(x["p_family"] >= x["p"] - 1e-9 for x in found.differences)
    lead, alone = found.difference("A", "B", "mcc"), gm.compare(true, systems, measures="mcc", replicates=499)
    assert lead["p"] < lead["p_family"] < 6 * lead["p"]  # by Holm's method, it would be 13 times as large
    row = alone.difference("A", "B", "mcc")
    assert row["p_family"] == pytest.approx(row["p"], abs=1e-12)
    assert (row["family"], row["level"]) == ("differences", 0.05)


def test_without_a_budget_every_measure_has_its_own_error_rate_and_the_page_says_so():
    true, systems, rng = data(seed=5)
    found = gm.compare(true, systems, family=None, replicates=199)
    assert all(x["p_family"] == x["p_corrected"] and x["family"] is None for x in found.differences)
    assert "family=None" in str(found)
    assert "family=None" not in str(gm.compare(true, systems, replicates=199))
    by = {"c": rng.integers(0, 4, len(true))}
    result = gm.evaluate(true, systems["A"], by=by, family=None, measures=["accuracy", "mcc"], replicates=199)
    assert all(x.p_family == x.p for x in result.slice_spread)
    assert any("family=None" in x.text for x in result.warnings)
    with pytest.raises(gm.InputError, match="family is 'all'"):
        gm.compare(true, systems, family="all")


def test_a_slice_is_only_called_different_where_its_column_is():
    true, systems, rng = data(seed=6, n=600)
    by = {"c": rng.integers(0, 5, 600), "d": rng.integers(0, 3, 600)}
    predicted = np.where((by["c"] == 2) & (rng.random(600) < 0.5), 1 - true, systems["A"])
    result = gm.evaluate(true, predicted, by=by, measures=["accuracy", "mcc", "f1"], replicates=499)
    gaps = {(x.measure, x.by): x.p_family for x in result.slice_spread}
    assert all(x.p_family >= gaps[x.measure, x.by] for x in result.slice_tests)
    assert all(x.p_family >= x.p - 1 / 500 for x in result.slice_spread)
    assert {x.slice for x in result.slice_tests if x.p_family < 0.05 and x.by == "c"} == {"c=2"}
    assert not any(x.p_family < 0.05 for x in result.slice_spread if x.by == "d")


def test_json_says_which_family_a_claim_belongs_to_and_at_which_level():
    true, systems, rng = data(seed=7)
    result = gm.evaluate(true, systems, by={"c": rng.integers(0, 3, 300)}, measures="mcc", replicates=99)
    found = json.loads(result.to_json())
    assert found["claims"] == {"family": "page", "level": 0.05, "shares": {"differences": 0.5, "slices": 0.5}}
    assert {(x["family"], x["level"]) for x in found["slice_spread"]} == {("slices", 0.05)}
    compared = json.loads(gm.compare(true, systems, measures="mcc", replicates=99).to_json())
    assert compared["claims"] == {"family": "page", "level": 0.05, "shares": {"differences": 1.0}}
    assert compared["differences"][0]["family"] == "differences"


def test_the_shares_of_a_page_add_up_to_its_error_rate():
    for families in (
        ["chance"],
        ["chance", "slices"],
        ["differences", "slices", "thresholds"],
        ["chance", "slices", "thresholds"],
    ):
        assert sum(shares(families).values()) == pytest.approx(1)
