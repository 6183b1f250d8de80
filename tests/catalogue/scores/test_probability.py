"""Measures of probabilities: scikit-learn, decompositions, calibration, and the traps that peers fell into."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import isotonic, metrics

import goodmeasure as gm
from goodmeasure.evaluation.scores.reliability import reliability
from tests.catalogue.scores.strategies import SHARES, scored

RNG = np.random.default_rng(5)
THREE = RNG.dirichlet(np.ones(3), 200)
TRUE = np.array([RNG.choice(3, p=q) for q in THREE])


def close(x, y):
    return x == pytest.approx(y, rel=1e-9, abs=1e-12)


@given(scored(st.floats(0.001, 0.999)))
def test_scikit_learn_agrees_on_two_classes(data):
    y, p, w = data
    assert close(gm.log_loss(y, p, sample_weight=w), metrics.log_loss(y, p, sample_weight=w))
    assert close(gm.brier(y, p, sample_weight=w), metrics.brier_score_loss(y, p, sample_weight=w))
    assert close(gm.brier_skill(y, p, sample_weight=w), metrics.d2_brier_score(y, p, sample_weight=w))
    assert close(gm.log_loss_skill(y, p, sample_weight=w), metrics.d2_log_loss_score(y, p, sample_weight=w))


@pytest.mark.parametrize("w", [None, RNG.random(200)], ids=["items", "weights"])
def test_scikit_learn_agrees_on_three_classes(w):
    given_ = {"sample_weight": w}
    assert close(gm.log_loss(TRUE, THREE, **given_), metrics.log_loss(TRUE, THREE, **given_))
    assert close(gm.brier(TRUE, THREE, **given_), metrics.brier_score_loss(TRUE, THREE, **given_))
    assert close(gm.top_k_accuracy(k=2)(TRUE, THREE, **given_), metrics.top_k_accuracy_score(TRUE, THREE, **given_))
    assert close(gm.log_loss_skill(TRUE, THREE, **given_), metrics.d2_log_loss_score(TRUE, THREE, **given_))


def test_an_impossible_event_costs_an_infinite_log_loss_and_says_so():
    assert gm.log_loss([0, 1], [0.2, 0.0]) == math.inf
    assert "item 1 has the probability 0" in gm.log_loss.explain([0, 1], [0.2, 0.0]).reason
    assert gm.log_loss([0, 1], [0.0, 1.0]) == 0


@given(scored(SHARES))
def test_the_brier_score_is_reliability_less_resolution_plus_uncertainty(data):
    y, p, w = data
    given_ = {"sample_weight": w}
    parts = [gm.measure(f"brier_{x}")(y, p, **given_) for x in ("reliability", "resolution", "uncertainty")]
    assert min(parts) >= 0
    assert close(parts[0] - parts[1] + parts[2], gm.brier(y, p, **given_))
    rank = np.unique(p, return_inverse=True)[1].astype(float)  # scikit-learn takes shares that are very close for equal
    fitted = isotonic.IsotonicRegression().fit(rank, y, sample_weight=w).predict(rank)
    assert parts[0] == pytest.approx(gm.brier(y, p, **given_) - gm.brier(y, np.clip(fitted, 0, 1), **given_), abs=1e-9)


def test_a_probability_of_one_falls_into_the_last_bin():
    """A peer counted it in a bin of its own, beyond the last."""
    y, p = [1, 1, 0, 1], [1.0, 0.95, 0.95, 1.0]
    assert close(gm.calibration_error(bins=10)(y, p), abs(0.75 - 3.9 / 4))
    assert close(gm.calibration_error(bins=1)(y, p), abs(0.75 - 3.9 / 4))
    assert gm.calibration_error(kind="maximum")([1, 0], [1.0, 0.0]) == 0


def ece_by_hand(y, p, bins):
    edges = np.arange(bins + 1) / bins
    total = 0.0
    for k in range(bins):
        inside = (p >= edges[k]) & ((p < edges[k + 1]) | (k == bins - 1))
        if inside.any():
            total += inside.mean() * abs(y[inside].mean() - p[inside].mean())
    return total


def test_the_calibration_error_in_bins():
    p = RNG.random(500)
    y = (RNG.random(500) < p**1.3).astype(int)
    assert close(gm.calibration_error(bins=8)(y, p), ece_by_hand(y, p, 8))
    assert gm.calibration_error(y, p) == gm.calibration_error(bins=15)(y, p)
    assert gm.calibration_error(kind="expected")(y, p) <= gm.calibration_error(kind="rms")(y, p)
    assert gm.calibration_error(kind="rms")(y, p) <= gm.calibration_error(kind="maximum")(y, p)
    assert gm.calibration_error(kind="rms", debiased=True)(y, p) < gm.calibration_error(kind="rms")(y, p)
    equal = gm.calibration_error(bins=5, binning="mass")(y, p)
    order = np.argsort(p)
    by_hand = sum(abs(y[part].mean() - p[part].mean()) * len(part) / 500 for part in np.split(order, 5))
    assert close(equal, by_hand)
    assert close(gm.calibration_error(classwise=True)(TRUE, THREE),
                 np.mean([gm.calibration_error(k == TRUE, THREE[:, k]) for k in range(3)]))  # fmt: skip
    with pytest.raises(ValueError, match="kind='expected' or kind='rms'"):
        gm.calibration_error(kind="maximum", debiased=True)


def test_the_debiased_error_of_calibrated_probabilities_is_near_zero():
    rng = np.random.default_rng(0)
    plain, less = [], []
    for _ in range(30):
        p = rng.random(300)
        y = rng.random(300) < p
        plain.append(gm.calibration_error(kind="rms")(y, p) ** 2)
        less.append(gm.calibration_error(kind="rms", debiased=True)(y, p) ** 2)
    assert np.mean(plain) > 4 * np.mean(less)


def test_the_debiased_expected_error_is_what_normal_noise_would_leave():
    """Kumar, Liang and Ma's estimate draws noise around the shares of each bin; here its mean is computed."""
    rng = np.random.default_rng(1)
    p = rng.random(400)
    y = rng.random(400) < np.sqrt(p)
    bins = reliability(y, p, bins=6)
    share, away = bins.items / 400, bins.observed - bins.predicted
    spread = np.sqrt(bins.observed * (1 - bins.observed) / (bins.items - 1))
    drawn = np.abs(away + spread * rng.standard_normal((200_000, len(share)))) @ share
    plain = gm.calibration_error(bins=6)(y, p)
    assert close(plain, float(np.abs(away) @ share))
    less = gm.calibration_error(bins=6, debiased=True)(y, p)
    assert less == pytest.approx(2 * plain - drawn.mean(), abs=2e-4)
    assert gm.calibration_error(debiased=True)([0, 1] * 40, [0.5] * 80) == 0  # never below 0
    plains, lesses = [], []
    for _ in range(30):
        p = rng.random(300)
        y = rng.random(300) < p
        plains.append(gm.calibration_error(y, p))
        lesses.append(gm.calibration_error(debiased=True)(y, p))
    assert np.mean(lesses) < 0.7 * np.mean(plains)


def test_a_sweep_has_as_many_bins_as_rise():
    y, p = np.array([0, 0, 0, 1, 0, 1, 1, 1]), np.arange(1, 9) / 10
    found = reliability(y, p, binning="sweep")
    assert found.items.tolist() == [2, 1, 2, 1, 2]  # with six bins, the shares of 0.4 and 0.5 alone would be 1 and 0
    assert (np.diff(found.observed) >= 0).all()
    assert close(gm.calibration_error(binning="sweep")(y, p),
                 float((found.items / 8) @ np.abs(found.observed - found.predicted)))  # fmt: skip
    rising = reliability([0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4], binning="sweep")
    assert len(rising.items) == 4
    assert gm.calibration_error(binning="sweep")([1, 0, 1, 0], [0.3] * 4) == pytest.approx(0.2)


def test_slope_and_intercept_are_those_of_a_logistic_regression():
    from sklearn.linear_model import LogisticRegression

    p = np.clip(RNG.random(400), 0.01, 0.99)
    y = RNG.random(400) < 1 / (1 + np.exp(-(0.7 * np.log(p / (1 - p)) + 0.4)))
    odds = np.log(p / (1 - p))[:, None]
    theirs = LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000).fit(odds, y)
    assert gm.calibration_slope(y, p) == pytest.approx(theirs.coef_[0, 0], rel=1e-4)
    moved = 1 / (1 + np.exp(-(odds[:, 0] + gm.calibration_intercept(y, p))))
    assert close(moved.sum(), y.sum())
    assert math.isnan(gm.calibration_slope([0, 1, 1], [0.1, 0.5, 1.0]))
    with pytest.raises(gm.UndefinedMeasure, match="separate the classes"):
        gm.calibration_slope([0, 0, 1, 1], [0.1, 0.2, 0.7, 0.8], undefined="raise")
    with pytest.raises(gm.UndefinedMeasure, match="there is no slope"):
        gm.calibration_slope([0, 0, 1, 1], [0.5] * 4, undefined="raise")


@given(st.integers(3, 6), st.integers(2, 12), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_top_k_accuracy_never_falls_as_k_grows(m, n, random):
    """A peer's macro average did; ties are split evenly, so that the order of the columns does not matter."""
    scores = np.array([[random.choice([0.1, 0.2, 0.3]) for _ in range(m)] for _ in range(n)])
    y = [random.randrange(m) for _ in range(n)]
    values = [gm.top_k_accuracy(k=k)(y, scores, labels=range(m)) for k in range(1, m + 1)]
    assert all(few <= more + 1e-12 for few, more in itertools.pairwise(values))
    assert close(values[-1], 1)
    order = np.arange(m)[::-1]
    assert close(gm.top_k_accuracy(k=1)(y, scores[:, order], labels=order.tolist()), values[0])


def test_probabilities_in_single_precision_need_not_add_up_to_exactly_one():
    p = (THREE / THREE.sum(axis=1, keepdims=True)).astype(np.float32)
    p[0] = np.array([0.3333334, 0.3333334, 0.3333334], np.float32)
    assert p[0].astype(float).sum() > 1
    assert gm.log_loss(TRUE, p) == pytest.approx(
        gm.log_loss(TRUE, p.astype(float) / p.sum(axis=1, keepdims=True)), rel=1e-5
    )


@pytest.mark.parametrize(
    ("y", "p", "said"),
    [
        (TRUE, THREE * 0.9, r"row \d+ of y_score adds up to 0\.9: divide each row by its sum"),
        (TRUE, THREE - 2, "takes probabilities, and y_score runs from -[0-9.]+ to -[0-9.]+: turn logits"),
        ([0, 1], [0.2, 1.2], r"runs from 0\.2 to 1\.2.*1/\(1 \+ exp\(-x\)\)"),
        (TRUE, THREE[:, :2], "y_score has 2 columns, and there are 3 classes"),
        (TRUE[:5], THREE, "200 rows of scores, y_true has 5 labels"),
        ([0, 1], [0.2, np.nan], r"y_score\[1\] is NaN"),
        ([0, 1, 1], [0.2, 0.1], "y_score has 2 scores, y_true has 3 labels"),
        ([0, 1, 2], [0.2, 0.1, 0.3], "y_true has 3 classes"),
    ],
)  # fmt: skip
def test_scores_that_cannot_be_used_say_what_to_do(y, p, said):
    with pytest.raises(ValueError, match=said):
        gm.log_loss(y, p)


def test_a_binary_measure_of_three_classes_says_what_to_do():
    with pytest.raises(ValueError, match=r"two classes, and y_score has 3 columns: use macro\(roc_auc\)"):
        gm.roc_auc(TRUE, THREE)
    with pytest.raises(ValueError, match="two columns that are not probabilities"):
        gm.roc_auc([0, 1], [[1.0, 3.0], [2.0, 5.0]])


def test_containers_and_labels_of_any_kind():
    import pandas as pd
    import polars as pl

    y, p = ["ham", "spam", "spam", "ham"], [0.1, 0.8, 0.4, 0.5]
    expected = gm.brier([0, 1, 1, 0], p)
    for labels in (y, np.array(y), pd.Series(y), pl.Series(y), pd.Categorical(y)):
        for scores in (p, np.array(p, np.float32), pd.Series(p), pl.Series(p), np.array(p)[:, None]):
            assert gm.brier(labels, scores, positive="spam") == pytest.approx(expected, rel=1e-6)
    assert close(gm.brier(y, [1 - x for x in p], positive="ham"), expected)
    two = np.stack([1 - np.array(p), p], axis=1)
    assert close(gm.brier(y, two, labels=["ham", "spam"]), expected)
    assert close(gm.brier(y, two, positive="ham"), expected)
    assert close(gm.roc_auc(y, two, positive="spam"), gm.roc_auc(y, p, positive="spam"))
    names = np.array(list("abc"))[TRUE]
    frame = pd.DataFrame(THREE[:, [2, 0, 1]], columns=list("cab"))
    assert close(gm.log_loss(names, frame), gm.log_loss(TRUE, THREE))
    assert close(gm.log_loss(names, THREE[:, [2, 0, 1]], labels=["c", "a", "b"]), gm.log_loss(TRUE, THREE))
    assert gm.brier([0, 1, None], [0.1, 0.8, 0.3], missing="drop") == gm.brier([0, 1], [0.1, 0.8])
    assert gm.roc_auc([True, False], [0.8, 0.1]) == 1


def test_weights_of_zero_leave_items_out():
    y, p, w = [0, 1, 1, 0], [0.1, 0.8, 0.4, 0.5], [1, 1, 0, 1]
    for f in (gm.roc_auc, gm.brier, gm.average_precision, gm.calibration_error()):
        assert close(f(y, p, sample_weight=w), f([0, 1, 0], [0.1, 0.8, 0.5]))
    assert math.isnan(gm.roc_auc([0, 1], [0.1, 0.8], sample_weight=[1, 0]))
