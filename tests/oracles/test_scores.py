"""Measures of scores against torchmetrics, statsmodels and brute force; where a peer disagrees, the test says why."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.counts.scores.scored import read_scored
from goodmeasure.evaluation.scores.reliability import reliability
from goodmeasure.evaluation.scores.uncertainty import Uncertainty
from tests.catalogue.scores.strategies import scored

RNG = np.random.default_rng(11)
N = 300
P = RNG.random(N).round(2)  # with ties
TRUE = (RNG.random(N) < P).astype(np.int64)
THREE = RNG.dirichlet(np.ones(3), N)
CLASS = np.array([RNG.choice(3, p=x) for x in THREE])


# torchmetrics


@pytest.fixture(scope="module")
def peers():
    pytest.importorskip("torch")
    return pytest.importorskip("torchmetrics.functional.classification")


def tensors(*arrays):
    torch = pytest.importorskip("torch")
    return [torch.from_numpy(np.ascontiguousarray(x)) for x in arrays]


def test_areas_are_those_of_torchmetrics(peers):
    p, y = tensors(P, TRUE)
    assert gm.roc_auc(TRUE, P) == pytest.approx(float(peers.binary_auroc(p, y)), abs=1e-6)
    assert gm.average_precision(TRUE, P) == pytest.approx(float(peers.binary_average_precision(p, y)), abs=1e-6)
    # torchmetrics standardises the partial area as McClish does
    limited = float(peers.binary_auroc(p, y, max_fpr=0.3))
    assert gm.standardised_auc(max_fpr=0.3)(TRUE, P) == pytest.approx(limited, abs=1e-6)


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_areas_of_more_classes_are_those_of_torchmetrics(peers, average):
    p, y = tensors(THREE, CLASS)
    for name, peer in (("roc_auc", "multiclass_auroc"), ("average_precision", "multiclass_average_precision")):
        expected = float(getattr(peers, peer)(p, y, num_classes=3, average=average))
        assert gm.measure(f"{average}({name})")(CLASS, THREE) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("kind", "norm"), [("expected", "l1"), ("rms", "l2"), ("maximum", "max")])
def test_calibration_errors_are_those_of_torchmetrics(peers, kind, norm):
    """No probability is 1, which has a bin of its own there, nor on another edge, which belongs to the bin below."""
    q = np.clip(P + 0.0037, 0, 0.9987)
    p, y = tensors(q, TRUE)
    expected = float(peers.binary_calibration_error(p, y, n_bins=10, norm=norm))
    assert gm.calibration_error(bins=10, kind=kind)(TRUE, q) == pytest.approx(expected, abs=1e-6)
    p, y = tensors(THREE, CLASS)
    expected = float(peers.multiclass_calibration_error(p, y, num_classes=3, n_bins=10, norm=norm))
    assert gm.calibration_error(bins=10, kind=kind)(CLASS, THREE) == pytest.approx(expected, abs=1e-6)


def test_top_k_accuracy_is_that_of_torchmetrics(peers):
    p, y = tensors(THREE, CLASS)
    for k in (1, 2):
        expected = float(peers.multiclass_accuracy(p, y, num_classes=3, average="micro", top_k=k))
        assert gm.top_k_accuracy(k=k)(CLASS, THREE) == pytest.approx(expected, abs=1e-6)


def test_curves_are_those_of_torchmetrics(peers):
    p, y = tensors(P, TRUE)
    fallout, recall, thresholds = (x.numpy() for x in peers.binary_roc(p, y))
    found = gm.sweep(TRUE, P).curve("recall", over="fallout")
    assert found.values == pytest.approx(recall[1:], abs=1e-6)
    assert found.over == pytest.approx(fallout[1:], abs=1e-6)
    assert found.thresholds == pytest.approx(thresholds[1:])


# statsmodels


def test_recalibration_is_logistic_regression_by_statsmodels():
    models = pytest.importorskip("statsmodels.api")
    p = np.clip(P, 0.01, 0.99)
    odds, weights = np.log(p / (1 - p)), RNG.integers(1, 4, N).astype(float)
    columns, family = models.add_constant(odds), models.families.Binomial()
    slope = models.GLM(TRUE, columns, family=family, freq_weights=weights).fit().params[1]
    assert gm.calibration_slope(TRUE, p, sample_weight=weights) == pytest.approx(slope, rel=1e-6)
    fitted = models.GLM(TRUE, np.ones((N, 1)), family=family, offset=odds, freq_weights=weights).fit()
    assert gm.calibration_intercept(TRUE, p, sample_weight=weights) == pytest.approx(fitted.params[0], abs=1e-6)


def test_the_standard_error_of_recalibration_is_the_robust_one_of_statsmodels():
    """The influence of each item makes the sandwich estimate (HC0), with n/(n − 1) for the variance."""
    models = pytest.importorskip("statsmodels.api")
    p = np.clip(P, 0.01, 0.99)
    columns = models.add_constant(np.log(p / (1 - p)))
    fitted = models.GLM(TRUE, columns, family=models.families.Binomial()).fit(cov_type="HC0")
    spread = Uncertainty(read_scored(TRUE, p), 0.95, 0, 100).deviation(gm.measure("calibration_slope").definition)
    assert spread == pytest.approx(fitted.bse[1] * np.sqrt(N / (N - 1)), rel=1e-6)


def test_reliability_has_wilsons_intervals_by_statsmodels():
    intervals = pytest.importorskip("statsmodels.stats.proportion").proportion_confint
    found = reliability(TRUE, P, bins=7)
    low, high = intervals(found.observed * found.items, found.items, method="wilson")
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)


# Brute force


@settings(max_examples=25, deadline=None)
@given(scored())
def test_areas_are_those_of_all_pairs(given_scores):
    y, s, w = given_scores
    w = np.ones(len(y)) if w is None else w
    won = total = 0.0
    for i in np.flatnonzero(y == 1):
        for j in np.flatnonzero(y == 0):
            won += w[i] * w[j] * (1.0 if s[i] > s[j] else 0.5 if s[i] == s[j] else 0.0)
            total += w[i] * w[j]
    assert gm.roc_auc(y, s, sample_weight=w) == pytest.approx(won / total, abs=1e-12)
    precise = sum(w[i] * w[(s >= s[i]) & (y == 1)].sum() / w[s >= s[i]].sum() for i in np.flatnonzero(y == 1))
    assert gm.average_precision(y, s, sample_weight=w) == pytest.approx(precise / w[y == 1].sum(), abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(scored(weighted=False), st.floats(0.05, 0.95))
def test_the_net_benefit_is_that_of_each_threshold(given_scores, threshold):
    y, s, _ = given_scores
    p = np.clip(np.nan_to_num(s, posinf=1, neginf=0), 0, 1)
    acted = p >= threshold
    odds = threshold / (1 - threshold)
    expected = (np.sum(acted & (y == 1)) - odds * np.sum(acted & (y == 0))) / len(y)
    assert gm.sweep(y, p).net_benefit([threshold]).benefit[0] == pytest.approx(expected)
