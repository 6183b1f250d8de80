"""Scores that are counted as they come: exact while distinct scores are few, within the stated bound otherwise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.counts.scores.scored import read_scored
from goodmeasure.evaluation.scores.streamed_scores import ScoreStream
from goodmeasure.evaluation.scores.uncertainty import Uncertainty
from tests.catalogue.scores.strategies import SHARES, scored

RANKED = ("roc_auc", "average_precision", "gini", "ks", "partial_auc", "gain_at", "equal_error_rate", "h_measure")
PROBABLE = (
    "log_loss", "brier", "spherical_score", "brier_skill", "log_loss_skill", "calibration_error",
    "calibration_error(kind='maximum')", "calibration_error(bins=7, binning='mass')", "brier_reliability",
    "brier_resolution", "brier_uncertainty", "top_k_accuracy(k=1)",
)  # fmt: skip
BOUNDED = ("roc_auc", "average_precision", "gini", "ks", "log_loss", "brier", "brier_skill", "brier_uncertainty",
           "calibration_error", "calibration_error(kind='maximum')", "calibration_error(kind='rms', debiased=True)",
           "spherical_score")  # fmt: skip


def streamed(y, s, w, most=1 << 20, batches=3, measures=(), threshold=None):
    """The same items in batches."""
    stream = ScoreStream([gm.measure(x) for x in measures], threshold, most, weighted=w is not None)
    for part in np.array_split(np.arange(len(y)), batches):
        stream.add(s[part], (y == 1)[part], None if w is None else w[part])
    return stream.scored((0, 1), "y_score")


def same(one, other):
    return one == pytest.approx(other, rel=1e-9, abs=1e-12, nan_ok=True)


@settings(max_examples=25, deadline=None)
@given(scored(), st.integers(1, 5))
def test_grouped_scores_have_the_values_of_the_items(given_scores, batches):
    y, s, w = given_scores
    whole, merged = read_scored(y, s, sample_weight=w), streamed(y, s, w, batches=batches)
    assert not merged.is_sketch
    assert merged.items == len(y)
    for name in RANKED:
        f = gm.measure(name)
        assert same(f.of(merged)[0], f.of(whole)[0]), name
    if w is None:  # whole numbers: the very same
        assert gm.roc_auc.of(merged) == gm.roc_auc.of(whole)
        assert (merged.ranking.counts.cells == whole.ranking.counts.cells).all()
    assert merged.ranking.counts.cells == pytest.approx(whole.ranking.counts.cells)
    assert (merged.ranking.counts.thresholds == whole.ranking.counts.thresholds).all()


@settings(max_examples=25, deadline=None)
@given(scored(scores=SHARES))
def test_grouped_probabilities_have_the_values_of_the_items(given_scores):
    y, s, w = given_scores
    whole, merged = read_scored(y, s, sample_weight=w), streamed(y, s, w)
    for name in PROBABLE:
        f = gm.measure(name)
        assert same(f.of(merged)[0], f.of(whole)[0]), name


@settings(max_examples=25, deadline=None)
@given(scored(scores=SHARES, least=12, most=40))
def test_grouped_scores_have_the_intervals_of_the_items(given_scores):
    y, s, w = given_scores
    whole, merged = (Uncertainty(x, 0.95, 0, 200) for x in (read_scored(y, s, sample_weight=w), streamed(y, s, w)))
    for name in ("roc_auc", "average_precision", "log_loss", "brier", "brier_skill", "calibration_error", "d_prime"):
        f = gm.measure(name)
        value = f.of(whole.data)[0]
        one, other = whole.interval(f, value), merged.interval(f, value)
        assert same(other.deviation, one.deviation), name
        if w is None:  # the fourth powers of weights are not kept, from which degrees of freedom come
            assert same(other.low, one.low), name
            assert same(other.high, one.high), name


@settings(max_examples=40, deadline=None)
@given(scored(scores=st.one_of(SHARES, st.floats(0, 1)), least=20, most=120), st.integers(4, 40), st.integers(1, 6))
def test_the_error_of_a_sketch_is_never_above_its_bound(given_scores, most, batches):
    from goodmeasure.catalogue.scores.sketch_error import sketch_error

    y, s, w = given_scores
    whole, merged = read_scored(y, s, sample_weight=w), streamed(y, s, w, most, batches, threshold=0.3)
    assert merged.items == len(y)
    assert merged.total == pytest.approx(whole.total)
    for name in BOUNDED:
        f = gm.measure(name)
        (value, reason), exact = f.of(merged), f.of(whole)[0]
        off = sketch_error(f.definition, merged, f.definition.value(merged)) if merged.is_sketch else 0.0
        if off is None:
            assert math.isnan(value)
            assert "not bounded" in reason
        elif math.isfinite(exact):
            assert abs(value - exact) <= off + 1e-9 * max(1, abs(exact)), (name, value, exact, off)
            assert ("sketch" in (reason or "")) == (off > 0)
        else:
            assert same(value, exact)


@settings(max_examples=25, deadline=None)
@given(scored(scores=st.floats(-5, 5), least=20, most=100, weighted=False), st.integers(4, 30))
def test_matrices_of_a_sketch_are_those_of_the_items(given_scores, most):
    y, s, _ = given_scores
    merged, whole = streamed(y, s, None, most, 4), read_scored(y, s)
    counts, exact = merged.ranking.counts, whole.ranking.counts
    places = np.searchsorted(-exact.thresholds, -counts.thresholds)
    assert (exact.thresholds[places] == counts.thresholds).all()
    assert (counts.cells == exact.cells[:, :, places]).all()


def test_a_sketch_of_many_scores_is_small_and_close():
    rng = np.random.default_rng(0)
    y = (rng.random(200_000) < 0.3).astype(int)
    s = rng.normal(size=len(y)) + y
    merged = streamed(y, s, None, most=4000, batches=10)
    assert len(merged.ranking.scores) <= 4000
    value, reason = gm.roc_auc.of(merged)
    assert value == pytest.approx(gm.roc_auc(y, s), abs=1e-5)
    assert float(reason.rsplit(" ", 1)[1]) < 5e-3
    in_order = streamed(np.sort(y)[np.argsort(np.argsort(s))], np.sort(s), None, most=4000, batches=10)
    assert len(in_order.ranking.scores) <= 4000


def test_a_score_that_many_items_share_is_never_merged():
    rng = np.random.default_rng(0)
    s = np.where(rng.random(5000) < 0.5, 0.25, rng.random(5000))
    merged = streamed((rng.random(5000) < s).astype(int), s, None, most=64, batches=9)
    at = merged.scores == 0.25
    assert at.any()
    assert (merged.merged.high[at] == 0.25).all()
