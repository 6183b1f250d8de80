"""Non-inferiority and equivalence: claims that a difference is smaller than a margin, and how often they are false."""

from __future__ import annotations

import json
import math
from statistics import NormalDist

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.comparison.difference_intervals import score, tango
from goodmeasure.comparison.inference import Inference
from goodmeasure.comparison.paired_labels import PairedLabels
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.counts.joint import Joint
from goodmeasure.exceptions import InputError

Z = NormalDist().inv_cdf(0.95)
CLAIMS = ["p_a_noninferior", "p_b_noninferior", "p_equivalent"]


def data(n=300, m=3, rates=(0.8, 0.78), seed=0):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, m, n)
    said = {name: np.where(rng.random(n) < x, true, rng.integers(0, m, n)) for name, x in zip("AB", rates, strict=True)}
    return true, said


@pytest.mark.parametrize("n", [50, 200])
@pytest.mark.parametrize("margin", [0.02, 0.05, 0.1])
@pytest.mark.parametrize("disagree", [0.12, 0.3])
def test_accuracy_is_seldom_called_non_inferior_at_the_margin(n, margin, disagree):
    """All outcomes added up, where A is worse by exactly the margin."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    p, q = (disagree - margin) / 2, (disagree + margin) / 2
    found = 0.0
    for first in range(n + 1):
        for second in range(n + 1 - first):
            if score(first, second, n, -margin) > Z:
                rest = n - first - second
                log = logs[n] - logs[first] - logs[second] - logs[rest]
                found += math.exp(log + first * math.log(p) + second * math.log(q) + rest * math.log(1 - disagree))
    assert 0.03 < found < 0.058


def test_mcc_is_seldom_called_non_inferior_at_the_margin():
    """A has recalls of 0.85 and 0.8, B of 0.9 and 0.85, and a difference of exactly the margin."""
    shares = np.zeros((2, 2, 2))
    for t, (a, b) in enumerate([(0.85, 0.9), (0.8, 0.85)]):
        both = 0.5 * a + 0.5 * a * b
        shares[t, t, t], shares[t, t, 1 - t], shares[t, 1 - t, t] = both / 2, (a - both) / 2, (b - both) / 2
        shares[t, 1 - t, 1 - t] = 0.5 - shares[t].sum()
    margin = gm.mcc(shares.sum(axis=1)) - gm.mcc(shares.sum(axis=2))
    true, *said = np.indices(shares.shape).reshape(3, -1).astype(np.uint8)
    rng, claimed = np.random.default_rng(1), 0
    for number in rng.multinomial(200, shares.ravel(), size=250):
        joint = Joint(("A", "B"), (0, 1), true, np.stack(said), number=number)
        claimed += (
            Inference(PairedLabels(joint, ComparisonSettings((gm.mcc,)))).margin_tests(0, (0, 1), margin)[0] < 0.05
        )
    assert 0.02 < claimed / 250 < 0.09


@pytest.mark.parametrize("measure", ["accuracy", "zero_one_loss", "mcc", "correlation_distance"])
@pytest.mark.parametrize("m", [2, 3, 12])
def test_the_p_value_and_the_interval_agree(measure, m):
    """At the end of the 90% interval, a margin has a p-value of 5%, or more where the test at the margin says so."""
    true, said = data(m=m)
    wide = gm.compare(true, said, measures=[measure], confidence=0.9, method="normal" if m == 12 else "auto")
    row = wide.differences[0]
    margin = max(-row["low"], row["high"])
    again = gm.compare(
        true, said, measures=[measure], confidence=0.9, margin=margin, method="normal" if m == 12 else "auto"
    )
    assert again.differences[0]["p_equivalent"] >= 0.048
    if gm.measure(measure).name in ("accuracy", "zero_one_loss"):
        assert again.differences[0]["p_equivalent"] == pytest.approx(0.05, abs=2e-3)


def test_accuracy_inverts_the_score_interval():
    low, high = tango(7, 12, 200, Z)
    assert score(7, 12, 200, low) == pytest.approx(Z, abs=1e-9)
    assert score(7, 12, 200, high) == pytest.approx(-Z, abs=1e-9)


def test_a_measure_and_its_loss_say_the_same():
    true, said = data(m=12)
    found = gm.compare(true, said, measures=["accuracy", "zero_one_loss"], margin=0.03)
    one, two = found.differences
    assert [one[x] for x in CLAIMS] == pytest.approx([two[x] for x in CLAIMS])
    assert (one["low"], one["high"]) == pytest.approx((-two["high"], -two["low"]))


def test_the_other_order_of_systems_exchanges_the_claims():
    true, said = data()
    found = gm.compare(true, said, measures=["accuracy", "mcc"], margin=0.05)
    turned = gm.compare(true, {"B": said["B"], "A": said["A"]}, measures=["accuracy", "mcc"], margin=0.05)
    for measure in ("accuracy", "mcc"):
        one, two = found.difference("B", "A", measure), turned.difference("B", "A", measure)
        assert [one[x] for x in CLAIMS] == pytest.approx([two[x] for x in CLAIMS])
        assert one["p_equivalent"] == max(one["p_a_noninferior"], one["p_b_noninferior"])


@pytest.mark.parametrize("method", ["auto", "exact", "permutation", "bootstrap", "normal"])
def test_every_method_claims_what_is_plain_to_see(method):
    true, said = data(2000, rates=(0.9, 0.6))
    row = gm.compare(true, said, measures=["accuracy"], margin=0.02, method=method, replicates=500).differences[0]
    assert row["p_a_noninferior"] < 0.01
    assert row["p_b_noninferior"] > 0.99
    assert row["p_equivalent"] > 0.99


def test_without_a_margin_nothing_is_claimed():
    true, said = data()
    row = gm.compare(true, said, measures=["mcc"]).differences[0]
    assert [row[x] for x in CLAIMS] == [None, None, None]


def test_groups_and_weights_have_margins_too():
    true, said = data(m=2)
    groups, weights = np.arange(300) // 10, np.where(np.arange(300) < 50, 5.0, 1.0)
    plain = gm.compare(true, said, measures=["accuracy"], margin=0.1).differences[0]
    for extra in ({"groups": groups}, {"sample_weight": weights}):
        row = gm.compare(true, said, measures=["accuracy"], margin=0.1, **extra).differences[0]
        assert all(0 <= row[x] <= 1 for x in CLAIMS)
        assert row["p_equivalent"] != plain["p_equivalent"]


def test_a_margin_beyond_every_difference_is_no_question():
    true, said = data(m=2)
    row = gm.compare(true, said, measures=["accuracy", "mcc"], margin=2.5).differences
    assert [x["p_equivalent"] for x in row] == [0.0, 0.0]


@pytest.mark.parametrize("margin", [0, -0.1, math.nan, math.inf, "0.1", True])
def test_a_margin_is_a_positive_number(margin):
    true, said = data()
    with pytest.raises(InputError, match=r"margin is .* a positive number"):
        gm.compare(true, said, measures=["accuracy"], margin=margin)


def test_the_report_shows_what_is_claimed():
    true, said = data(1000)
    found = gm.compare(true, said, measures=["accuracy"], margin=0.1)
    assert "equivalent" in str(found)
    assert "Non-inferiority" in found.to_markdown()
    assert "margin=0.1" in found.to_markdown()
    assert json.loads(found.to_json())["settings"]["margin"] == 0.1
    assert "Non-inferiority" not in gm.compare(true, said, measures=["accuracy"]).to_markdown()


def test_p_values_of_claims_are_corrected_as_those_of_differences():
    true, said = data()
    options = {"measures": ["accuracy", "mcc"], "margin": 0.1}
    both = gm.compare(true, said, **options)
    three = gm.compare(true, {**said, "C": said["B"]}, **options)
    every = gm.compare(true, {**said, "C": said["B"]}, correct="all", **options)
    for name in ("accuracy", "mcc"):
        one, many, all_of = (x.difference("A", "B", name) for x in (both, three, every))
        for claim in ("p_a_noninferior", "p_b_noninferior"):
            assert many[claim] == pytest.approx(min(1, 3 * one[claim]))
            assert all_of[claim] == pytest.approx(min(1, 6 * one[claim]))
        assert one["p_equivalent"] == max(one["p_a_noninferior"], one["p_b_noninferior"])
        assert one["p_equivalent"] <= many["p_equivalent"] <= min(1, 3 * one["p_equivalent"]) + 1e-12
        assert many["p_equivalent"] <= all_of["p_equivalent"]
