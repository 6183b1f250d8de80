"""Thresholds under conditions and costs, decision curves, cost curves, operating points and reliability."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.evaluation.scores.reliability import reliability
from tests.catalogue.scores.strategies import scored

RNG = np.random.default_rng(8)
P = np.round(RNG.random(300), 2)
TRUE = (RNG.random(300) < P).astype(int)
SWEPT = gm.sweep(TRUE, P)


def test_the_best_threshold_under_a_condition():
    best = SWEPT.best("precision", where="recall >= 0.9")
    values, recall = SWEPT.values("precision"), SWEPT.values("recall")
    assert best.value == values[recall >= 0.9].max()
    assert gm.recall(best.matrix) >= 0.9
    assert best.value == gm.at("precision", "recall >= 0.9")(TRUE, P)
    assert best.low <= best.threshold <= best.high
    assert best.value_low < best.honest < best.value_high
    assert "where recall >= 0.9" in str(best)
    free = SWEPT.best("mcc", where="recall >= 0")
    assert (free.threshold, free.value, free.honest) == (lambda x: (x.threshold, x.value, x.honest))(SWEPT.best("mcc"))
    with pytest.raises(ValueError, match="no threshold has recall > 1"):
        SWEPT.best("f1", where="recall > 1")
    with pytest.raises(ValueError, match="expected a text such as 'recall >= 0"):
        SWEPT.best("f1", where="recall")
    with pytest.raises(ValueError, match="use >= or <="):
        SWEPT.best("f1", where="recall == 0.5")


@given(scored(st.floats(0, 1)), st.integers(1, 9), st.integers(1, 9))
@settings(max_examples=30)
def test_the_cheapest_threshold_is_found_by_trying_all(data, fp, fn):
    y, s, w = data
    weight = np.ones(len(y)) if w is None else w
    costs = [
        (weight * ((s >= t) & (y == 0))).sum() * fp + (weight * ((s < t) & (y == 1))).sum() * fn
        for t in [*np.unique(s), np.inf]
    ]
    best = gm.sweep(y, s, sample_weight=w).best(cost={"fp": fp, "fn": fn}, confidence=None)
    assert best.value == pytest.approx(min(costs) / weight.sum())


def test_costs_say_what_is_wrong():
    assert SWEPT.expected_cost({"fp": 1, "fn": 1}).values == pytest.approx(1 - SWEPT.values("accuracy"))
    for cost, said in (({"fx": 1}, "names 'fx'"), ({"fp": "much"}, "of fp is 'much'"), ({}, "expected a dict")):
        with pytest.raises((ValueError, TypeError), match=said):
            SWEPT.best(cost=cost)
    with pytest.raises(TypeError, match="measure or cost="):
        SWEPT.best()


def test_net_benefit_is_true_positives_less_false_ones_at_the_odds():
    found = SWEPT.net_benefit([0.1, 0.5, 0.8])
    for t, benefit, everybody in zip(found.thresholds, found.benefit, found.all, strict=True):
        tp, fp = ((t <= P) & (TRUE == 1)).mean(), ((t <= P) & (TRUE == 0)).mean()
        assert benefit == pytest.approx(tp - fp * t / (1 - t))
        assert everybody == pytest.approx(TRUE.mean() - (1 - TRUE.mean()) * t / (1 - t))
    assert (found.low < found.benefit).all()
    assert (found.benefit < found.high).all()
    assert len(SWEPT.net_benefit().thresholds) == 99
    with pytest.raises(ValueError, match="needs probabilities"):
        gm.sweep(TRUE, 5 * P).net_benefit()
    with pytest.raises(ValueError, match=r"thresholds holds 1\.0"):
        SWEPT.net_benefit([1.0])


def test_the_cost_curve_is_the_lower_envelope_of_all_thresholds():
    found = SWEPT.cost_curve(points=11)
    fallout, missed = (np.append(SWEPT.values(x), end) for x, end in (("fallout", 0.0), ("miss_rate", 1.0)))
    for x, cost, t in zip(found.probability_cost, found.cost, found.thresholds, strict=True):
        assert cost == pytest.approx((missed * x + fallout * (1 - x)).min())
        matrix = SWEPT.matrix(t)
        assert cost == pytest.approx(gm.miss_rate(matrix) * x + gm.fallout(matrix) * (1 - x))
    assert (found.cost <= found.trivial + 1e-12).all()
    with pytest.raises(ValueError, match="one class only"):
        gm.sweep([1, 1], [0.2, 0.3]).cost_curve()


def test_operating_points():
    rows = SWEPT.operating_points(0.5, "recall >= 0.9", "specificity >= 0.9", "fallout <= 0.2", "mcc")
    assert [x["point"] for x in rows] == [
        "threshold 0.5", "recall >= 0.9", "specificity >= 0.9", "fallout <= 0.2", "best mcc"
    ]  # fmt: skip
    assert rows[0]["recall"] == gm.recall(TRUE, (P >= 0.5).astype(int))
    at_recall = SWEPT.thresholds[SWEPT.values("recall") >= 0.9].max()
    at_specificity = SWEPT.thresholds[SWEPT.values("specificity") >= 0.9].min()
    assert rows[1]["threshold"] == at_recall
    assert rows[2]["threshold"] == at_specificity
    assert rows[3]["specificity"] >= 0.8
    assert rows[4]["threshold"] == SWEPT.best("mcc", confidence=None).threshold
    assert len(SWEPT.operating_points()) == len(SWEPT.measures)
    with pytest.raises(ValueError, match="no threshold has recall > 1"):
        SWEPT.operating_points("recall > 1")


def test_reliability_bins_cover_all_items():
    found = reliability(TRUE, P, bins=5)
    assert found.items.sum() == 300
    inside = (P >= 0.4) & (P < 0.6)
    assert found.observed[2] == pytest.approx(TRUE[inside].mean())
    assert found.predicted[2] == pytest.approx(P[inside].mean())
    assert (found.low <= found.observed).all()
    assert (found.observed <= found.high).all()
    error = (found.weight * np.abs(found.observed - found.predicted)).sum() / 300
    assert gm.calibration_error(bins=5)(TRUE, P) == pytest.approx(error)
    equal = reliability(TRUE, P, bins=6, binning="mass")
    assert equal.items.max() < 70
    with pytest.raises(ValueError, match="takes probabilities"):
        reliability(TRUE, 3 * P)
    with pytest.raises(ValueError, match="use 'width', 'mass' or 'sweep'"):
        reliability(TRUE, P, binning="odd")
