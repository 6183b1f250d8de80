"""Measures of scores by the operations of a device, tried on the CPU: equal to what NumPy gives, or left to it."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import goodmeasure as gm  # noqa: E402
from goodmeasure.catalogue.scores import on_device  # noqa: E402

N = 400
TWO = [
    "roc_auc", "gini", "average_precision", "log_loss", "brier", "calibration_error()",
    "calibration_error(bins=300)", "calibration_error(kind='maximum')", "calibration_error(kind='rms', debiased=True)",
    "calibration_error(classwise=True)", "macro(roc_auc)", "weighted(average_precision)",
]  # fmt: skip
MORE = [
    "macro(roc_auc)", "weighted(roc_auc)", "macro(average_precision)", "weighted(average_precision)", "log_loss",
    "brier", "calibration_error()", "calibration_error(kind='rms')", "calibration_error(classwise=True, debiased=True)",
]  # fmt: skip


@pytest.fixture(autouse=True)
def every_tensor_counts_as_one_on_a_device(monkeypatch):
    monkeypatch.setattr(on_device, "is_on_accelerator", lambda x: isinstance(x, torch.Tensor))


def drawn(m, seed=0):
    generator = torch.Generator().manual_seed(seed)
    p = torch.rand((N, m), generator=generator, dtype=torch.float64).round(decimals=2) + 0.01  # with ties
    p = p / p.sum(dim=1, keepdim=True)
    true = torch.multinomial(p, 1, generator=generator)[:, 0]
    weights = torch.rand(N, generator=generator).round(decimals=1)  # some of them 0
    return true, (p if m > 2 else p[:, 1].round(decimals=2)), weights


def on_the_device(name, true, score, labels=None, positive=None, sample_weight=None):
    definition = gm.measure(name).definition
    return on_device.value_on_device(
        definition, true, score, labels=labels, positive=positive, sample_weight=sample_weight
    )


def on_the_host(name, true, score, **given):
    plain = {key: x.numpy() if isinstance(x, torch.Tensor) else x for key, x in given.items()}
    return gm.measure(name)(true.numpy(), score.numpy(), **plain)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", TWO)
def test_two_classes(name, weighted):
    true, p, weights = drawn(2)
    given = {"sample_weight": weights} if weighted else {}
    cases = [
        (true, {}), (true.bool(), {}), (true.to(torch.uint8) * 3 + 4, {}), (true, {"positive": 0}),
        (true, {"labels": [1, 0]}),
    ]  # fmt: skip
    for labels, more in cases:
        expected = on_the_host(name, labels, p, **given, **more)
        assert on_the_device(name, labels, p, **given, **more) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", MORE)
def test_more_classes(name, weighted):
    true, p, weights = drawn(4)
    given = {"sample_weight": weights} if weighted else {}
    for labels, more in [(true, {}), (true.int() * 2 - 3, {}), (true, {"labels": [3, 1, 0, 2]})]:
        expected = on_the_host(name, labels, p, **given, **more)
        assert on_the_device(name, labels, p, **given, **more) == pytest.approx(expected, abs=1e-12)


def test_one_of_more_classes_against_the_rest():
    true, p, weights = drawn(4)
    for name in ("roc_auc", "average_precision", "brier"):
        expected = on_the_host(name, true, p, positive=2, sample_weight=weights)
        assert on_the_device(name, true, p, positive=2, sample_weight=weights) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", [torch.float32, torch.float16, torch.bfloat16])
def test_narrow_scores_and_scores_of_both_signs(kind):
    true, _, _ = drawn(2)
    score = (torch.randn(N, generator=torch.Generator().manual_seed(1)) + true).to(kind)
    score[:3] = torch.tensor([float("inf"), float("-inf"), -0.0])
    expected = on_the_host("roc_auc", true, score.double())
    assert on_the_device("roc_auc", true, score) == pytest.approx(expected, abs=1e-12)


def test_two_columns_are_those_of_two_classes():
    true, p, _ = drawn(2)
    both = torch.stack([1 - p, p], dim=1)
    for name in ("roc_auc", "log_loss", "calibration_error()"):
        assert on_the_device(name, true, both) == pytest.approx(on_the_host(name, true, both), abs=1e-12)
    assert on_the_device("roc_auc", true, 2 * both) is None  # which of two columns of scores counts is not clear


def test_what_is_not_clean_is_left_to_the_host():
    true, p, weights = drawn(2)
    odd = p.clone()
    odd[3] = float("nan")
    for name in TWO:
        assert on_the_device(name, true, odd) is None
        assert on_the_device(name, torch.zeros_like(true) + 5, p) is None
        assert on_the_device(name, true, p, sample_weight=-weights) is None
        assert on_the_device(name, true, p, positive=9) is None
    for name in ("log_loss", "brier", "calibration_error()"):
        assert on_the_device(name, true, 2 * p) is None
    assert on_the_device("roc_auc", true, p, sample_weight=weights[:-1]) is None
    codes, rows, _ = drawn(4)
    assert on_the_device("roc_auc", codes, rows) is None  # defined for two classes
    assert on_the_device("log_loss", codes, 2 * rows) is None
    assert on_the_device("log_loss", codes.clamp(max=2), rows) is None  # which column belongs to which class?
    assert on_the_device("spherical_score", codes, rows) is None
    assert on_the_device("calibration_error(binning='mass')", true, p) is None
    assert on_the_device("roc_auc", true.double(), p) is None


def test_an_impossible_event_that_happened_has_an_infinite_loss():
    true, p = torch.tensor([1, 0, 1]), torch.tensor([0.0, 0.5, 1.0])
    assert on_the_device("log_loss", true, p) == np.inf
    weights = torch.tensor([0.0, 1.0, 1.0])
    assert on_the_device("log_loss", true, p, sample_weight=weights) == pytest.approx(np.log(2) / 2)


def test_long_columns_are_read_in_pieces(monkeypatch):
    monkeypatch.setattr("goodmeasure.counts.device.score_operations._AT_ONCE", 64)
    for m, names in ((2, TWO), (4, MORE)):
        true, p, weights = drawn(m)
        for name in names:
            expected = on_the_host(name, true, p, sample_weight=weights)
            assert on_the_device(name, true, p, sample_weight=weights) == pytest.approx(expected, abs=1e-12)


def test_a_tensor_elsewhere_never_reaches_the_host(monkeypatch):
    from goodmeasure.catalogue.scores import measure as home

    true, p, weights = drawn(2)
    expected = gm.roc_auc(true, p, sample_weight=weights)
    monkeypatch.setattr(home, "read_scored", None)
    assert gm.roc_auc(true, p, sample_weight=weights) == pytest.approx(expected, abs=1e-12)


def test_weights_of_any_kind_of_tensor_are_read_on_the_host_too(monkeypatch):
    true, p, weights = drawn(2)
    monkeypatch.setattr(on_device, "is_on_accelerator", lambda _: False)
    for kind in (torch.float32, torch.bfloat16, torch.float64):
        given = weights.to(kind).requires_grad_()
        plain = given.detach().double().numpy()
        assert gm.brier(true, p, sample_weight=given) == gm.brier(true.numpy(), p.numpy(), sample_weight=plain)
        assert gm.kappa(true == 1, p > 0.5, sample_weight=given) == gm.kappa(true == 1, p > 0.5, sample_weight=plain)
