"""Losses from measures: gradients that are right, finite everywhere, and useful."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("array_api_compat")

import goodmeasure as gm  # noqa: E402
from goodmeasure.torch import Measures, SoftMeasureLoss  # noqa: E402

THREE = [f.name for f in gm.measures(classes=3) if f.orientation in ("higher", "lower") and f.range is not None]


@pytest.mark.parametrize("name", THREE)
def test_a_gradient_is_the_slope(name):
    torch.manual_seed(0)
    logits, target = torch.randn((12, 3), dtype=torch.float64), torch.arange(12) % 3
    loss = SoftMeasureLoss(name)
    logits.requires_grad_()
    value = loss(logits, target)
    if not value.requires_grad:  # a measure of class sizes alone
        return
    (slope,) = torch.autograd.grad(value, logits)
    move, step = torch.randn((12, 3), dtype=torch.float64), 1e-6
    with torch.no_grad():
        there, back = (loss(logits + s * step * move, target) for s in (1, -1))
    assert (slope * move).sum().item() == pytest.approx(((there - back) / (2 * step)).item(), abs=1e-5, rel=1e-4)


CASES = {  # true labels, and how sure the predictions are of them
    "one class": ([0, 0, 0], 0.5),
    "certain and right": ([0, 1, 1], 1e4),
    "certain and wrong": ([0, 1, 1], -1e4),
    "all items are ignored": ([-1, -1], 0.5),
}


def losses_and_slopes(name, m, **given):
    """The loss of each case, and its gradient where it has one."""
    loss = SoftMeasureLoss(name, ignore_index=-1, **given)
    for case, (classes, sure) in CASES.items():
        target = torch.tensor(classes)
        logits = (torch.nn.functional.one_hot(target.clamp(min=0), m).double() * 2 - 1) * sure
        logits.requires_grad_()
        value = loss(logits, target)
        slope = torch.autograd.grad(value, logits)[0] if value.requires_grad else torch.zeros(1)
        yield case, value, slope


EVERY = [
    (f.name, m) for m in (2, 3) for f in gm.measures(classes=m)
    if f.orientation in ("higher", "lower") and m == (f.classes or 3)
]  # fmt: skip


@pytest.mark.parametrize(("name", "m"), EVERY)
def test_no_loss_is_nan_and_every_gradient_is_finite(name, m):
    for case, value, slope in losses_and_slopes(name, m):
        assert not value.isnan(), case
        assert slope.isfinite().all(), case


@pytest.mark.parametrize("undefined", ["nan", 0.0])
def test_gradients_are_finite_under_every_policy(undefined):
    for name in ("mcc", "recall", "precision", "f1", "kappa", "k", "g_mean", "yule_q", "diagnostic_odds_ratio"):
        for case, value, slope in losses_and_slopes(name, 2, undefined=undefined):
            assert slope.isfinite().all(), (name, case)
            assert undefined == "nan" or not value.isnan(), (name, case)


def test_a_batch_without_a_value_teaches_nothing():
    logits, target = torch.randn((4, 2), requires_grad=True), torch.zeros(4, dtype=torch.int64)
    assert torch.isnan(SoftMeasureLoss("recall", undefined="nan")(logits, target))
    value = SoftMeasureLoss("recall")(logits, target)
    value.backward()
    assert value.item() == 0
    assert (logits.grad == 0).all()


def test_a_prediction_that_is_nan_is_harmless_where_it_is_ignored():
    logits = torch.randn((3, 2), generator=torch.Generator().manual_seed(0))
    logits[1] = float("nan")
    logits.requires_grad_()
    SoftMeasureLoss("mcc", ignore_index=-1)(logits, torch.tensor([0, -1, 1])).backward()
    assert logits.grad.isfinite().all()
    assert (logits.grad[1] == 0).all()


def test_a_loss_is_0_at_its_best_and_follows_the_orientation():
    certain, target = torch.eye(3, dtype=torch.float64), torch.arange(3)
    for name in ("mcc", "k", "macro(f1)", "hamming_loss" if "hamming_loss" in THREE else "accuracy"):
        assert SoftMeasureLoss(name, logits=False)(certain, target).item() == pytest.approx(0, abs=1e-9)
    assert SoftMeasureLoss("mcc")(torch.zeros((3, 3)), target).dtype == torch.float32
    with pytest.raises(gm.InputError, match="nothing to optimise"):
        SoftMeasureLoss("prevalence")
    assert "mcc" in repr(SoftMeasureLoss("mcc"))


def test_a_loss_trains():
    """A rare class is found by optimising macro F1, with a few steps of gradient descent."""
    torch.manual_seed(1)
    target = (torch.rand(600) < 0.1).long()
    x = torch.randn((600, 2)) + 2.5 * target[:, None]
    model, loss = torch.nn.Linear(2, 2), SoftMeasureLoss("macro(f1)")
    optimiser = torch.optim.Adam(model.parameters(), lr=0.1)
    for _ in range(60):
        optimiser.zero_grad()
        loss(model(x), target).backward()
        optimiser.step()
    state = Measures(["macro(f1)"], classes=2)
    state.update(model(x), target)
    assert state.compute()["macro(f1)"] > 0.85


def test_ignored_items_add_nothing_to_a_loss():
    logits = torch.randn((6, 3), generator=torch.Generator().manual_seed(4)).requires_grad_(True)
    target = torch.tensor([0, 1, -100, 2, 1, -100])
    kept = target != -100
    whole = SoftMeasureLoss("macro(f1)", ignore_index=-100)(logits, target)
    assert whole.item() == pytest.approx(SoftMeasureLoss("macro(f1)")(logits[kept], target[kept]).item(), abs=1e-12)
    whole.backward()
    assert (logits.grad[~kept] == 0).all()
    assert (logits.grad[kept] != 0).any()
