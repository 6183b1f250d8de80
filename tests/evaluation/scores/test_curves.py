"""Curves of scores hold the points that thresholds make, and their bands hold the curve."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.counts.scores.scored import Scored, read_scored
from goodmeasure.evaluation.scores.curves import GAIN, KINDS, PRECISION_RECALL, ROC, curve_of, operating_points
from goodmeasure.evaluation.scores.uncertainty import Uncertainty, freedom_of
from goodmeasure.evaluation.thresholds.decisions import decision_curve
from tests.catalogue.scores.strategies import SHARES, scored


@settings(max_examples=25, deadline=None)
@given(scored(), st.sampled_from(KINDS))
def test_the_area_under_a_curve_is_the_measure(given_scores, kind):
    y, s, w = given_scores
    curve = curve_of(read_scored(y, s, sample_weight=w), kind)
    assert (np.diff(curve.x) >= -1e-12).all()
    if kind == ROC:
        area = float((np.diff(curve.x) * (curve.y[1:] + curve.y[:-1]) / 2).sum())
        assert area == pytest.approx(gm.roc_auc(y, s, sample_weight=w), abs=1e-9)
    if kind == PRECISION_RECALL:
        area = float((np.diff(curve.x) * curve.y[1:]).sum())
        assert area == pytest.approx(gm.average_precision(y, s, sample_weight=w), abs=1e-9)
    if kind == GAIN:
        share = 0.3
        assert curve.heights(np.array([share]))[0] == pytest.approx(
            gm.gain_at(share=share)(y, s, sample_weight=w), abs=1e-9
        )


@settings(max_examples=30, deadline=None)
@given(scored(least=10), st.sampled_from(KINDS))
def test_a_band_lies_around_its_curve(given_scores, kind):
    y, s, w = given_scores
    curve = curve_of(read_scored(y, s, sample_weight=w), kind, 0.95)
    band = curve.band
    here = curve.heights(band.x)
    inside = slice(1, -1)  # the ends of the axis are known without data
    assert (band.low[inside] <= here[inside] + 1e-9).all()
    assert (here[inside] <= band.high[inside] + 1e-9).all()
    assert band.low.min() >= 0
    assert band.high.max() <= 1


def test_a_perfect_ranking_is_not_certain():
    curve = curve_of(Scored(np.arange(40) >= 20, np.arange(40.0), (0, 1)), ROC, 0.95)
    low, high = curve.band.at(0.1)
    assert high == 1
    assert 0.75 < low < 0.9  # Wilson's interval of 20 out of 20 starts at 0.84


def test_one_class_has_no_curve():
    assert curve_of(Scored(np.ones(3, bool), np.arange(3.0), (0, 1)), ROC) is None


def test_bands_hold_the_true_curve_about_as_often_as_they_say():
    """Normal scores at a distance of 1.5: the true recall at a fallout of 0.1, 0.3 and 0.6 is known."""
    from statistics import NormalDist

    rng, normal, held = np.random.default_rng(1), NormalDist(), np.zeros(3)
    places = (0.1, 0.3, 0.6)
    truth = [1 - normal.cdf(normal.inv_cdf(1 - x) - 1.5) for x in places]
    hit, times = np.arange(120) < 50, 60
    for _ in range(times):
        data = Scored(hit, rng.normal(size=120) + 1.5 * hit, (0, 1))
        band = curve_of(data, ROC, 0.95).band
        held += [band.at(x)[0] <= t <= band.at(x)[1] for x, t in zip(places, truth, strict=True)]
    assert (held >= 0.87 * times).all()


def test_operating_points_are_those_of_a_sweep():
    rng = np.random.default_rng(0)
    y = rng.random(80) < 0.4
    s = rng.random(80) + 0.4 * y
    swept = gm.sweep(y, s)
    at, youden, f1 = operating_points(read_scored(y, s), 0.7)
    assert at.why == "threshold 0.7"
    assert at.values["recall"] == gm.recall(swept.matrix(0.7))
    assert f1.threshold == swept.best("f1", confidence=None).threshold
    gap = youden.values["recall"] - youden.values["fallout"]
    assert gap == pytest.approx(gm.measure("k").at_best_threshold()(y, s))


@settings(max_examples=25, deadline=None)
@given(scored(scores=SHARES))
def test_a_decision_curve_is_the_same_and_less_certain_where_each_item_is_a_group(given_scores):
    y, s, w = given_scores
    hit, at = y == 1, [0.0, 0.5, 0.25, 0.3, 0.9]
    together = decision_curve(Scored(hit, s, (0, 1), w), at, 0.95)
    one_by_one = decision_curve(Scored(hit, s, (0, 1), w, np.arange(len(y))), at, 0.95)
    assert together.benefit == pytest.approx(one_by_one.benefit, abs=1e-9)
    assert together.all == pytest.approx(one_by_one.all, abs=1e-9)
    assert (one_by_one.low <= together.low + 1e-9).all()
    assert (one_by_one.high >= together.high - 1e-9).all()


@settings(max_examples=30, deadline=None)
@given(scored(least=12, weighted=False))
def test_degrees_of_freedom_by_score_are_those_of_the_items(given_scores):
    y, s, _ = given_scores
    data, definition = read_scored(y, s), gm.average_precision.definition
    influences = definition.influences(data)
    found = Uncertainty(data, 0.95, 0, 100)._freedom(definition)
    if float((influences**4).sum()) > 0:
        assert found == pytest.approx(freedom_of(influences, data), rel=1e-6)
