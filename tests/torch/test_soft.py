"""Losses from measures: gradients that are right, finite everywhere, and useful."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("array_api_compat")

import goodmeasure as gm  # noqa: E402
from goodmeasure.torch import Measures, SoftMeasureLoss  # noqa: E402

TWO, THREE = (
    [f.name for f in gm.measures(classes=m) if f.orientation in ("higher", "lower") and f.range is not None]
    for m in (2, 3)
)


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


@pytest.mark.parametrize("name", TWO)
@pytest.mark.parametrize("case", ["one class", "certain and right", "certain and wrong", "one item"])
def test_gradients_are_finite_where_terms_are_undefined(name, case):
    target = {"one class": [0, 0, 0], "one item": [1]}.get(case, [0, 1, 1])
    sure = {"certain and right": 60.0, "certain and wrong": -60.0}.get(case, 0.5)
    target = torch.tensor(target)
    logits = (torch.nn.functional.one_hot(target, 2).double() * 2 - 1) * sure
    logits.requires_grad_()
    value = SoftMeasureLoss(name, undefined=0.0)(logits, target)
    assert not value.isnan()
    if value.requires_grad:
        (slope,) = torch.autograd.grad(value, logits)
        assert slope.isfinite().all()


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
