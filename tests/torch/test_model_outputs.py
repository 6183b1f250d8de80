"""Counting tensors on the CPU: equal to NumPy and to torchmetrics, and clear about what cannot be counted."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import goodmeasure as gm  # noqa: E402
from goodmeasure.torch import confusion, soft_confusion  # noqa: E402

KINDS = ["bool", "uint8", "int8", "int16", "int32", "int64"]


def drawn(n, m, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return (torch.randint(0, m, (n,), generator=generator) for _ in range(2))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("m", [2, 3, 40])
def test_labels_of_every_kind(kind, m):
    m = 2 if kind == "bool" else m
    true, pred = (x.to(getattr(torch, kind)) for x in drawn(500, m))
    expected = gm.confusion(true.numpy(), pred.numpy(), labels=[False, True] if kind == "bool" else range(m)).counts
    assert np.array_equal(confusion(pred, true, classes=m).numpy(), expected)
    assert confusion(pred, true, classes=m).dtype == torch.int64


def test_labels_are_counted_where_they_are_without_a_copy(monkeypatch):
    """A CPU tensor is read through NumPy's view of its memory."""
    from goodmeasure.counts.kernel import tally as compiled

    true, pred = drawn(1000, 5)
    seen = []
    plain = compiled.cross
    monkeypatch.setattr(compiled, "cross", lambda t, p, *rest: seen.append((t, p)) or plain(t, p, *rest))
    confusion(pred, true, classes=5)
    ((t, p),) = seen
    assert np.shares_memory(t, true.numpy())
    assert np.shares_memory(p, pred.numpy())


def test_the_greatest_logit_counts_and_the_first_of_equal_ones():
    logits = torch.tensor([[0.0, 2.0, 2.0], [5.0, 1.0, 5.0], [-9.0, -8.0, -7.0], [float("-inf")] * 3])
    assert confusion(logits, torch.tensor([1, 0, 2, 0]), classes=3).tolist() == [[2, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert confusion(logits.bfloat16(), torch.tensor([1, 0, 2, 0]), classes=3).trace() == 4


def test_logits_of_pixels_have_their_classes_in_dimension_1():
    logits, true = torch.randn((2, 4, 5, 6)), torch.randint(0, 4, (2, 5, 6))
    expected = confusion(logits.argmax(1), true, classes=4)
    assert torch.equal(confusion(logits, true, classes=4), expected)


def test_one_probability_for_each_item_is_compared_with_the_threshold():
    p, true = torch.tensor([0.1, 0.5, 0.6, 0.9]), torch.tensor([0, 1, 1, 0])
    assert confusion(p, true, classes=2).tolist() == [[1, 1], [1, 1]]
    assert confusion(p, true, classes=2, threshold=0.05).tolist() == [[0, 2], [0, 2]]


def test_weights_and_ignored_labels():
    true, pred = torch.tensor([0, 1, 255, 1]), torch.tensor([0, 0, 7, 1])
    weights = torch.tensor([1.0, 2.0, 4.0, 8.0])
    found = confusion(pred, true, classes=2, sample_weight=weights, ignore_index=255)
    assert found.tolist() == [[1.0, 0.0], [2.0, 8.0]]
    assert found.dtype == torch.float64
    logits = torch.tensor([[1.0, 0.0], [1.0, 0.0], [float("nan"), 0.0], [0.0, 1.0]])
    assert confusion(logits, true, classes=2, ignore_index=255).tolist() == [[1, 0], [1, 1]]


@pytest.mark.parametrize("m", [2, 30, 300])
@pytest.mark.parametrize("how", ["uniform", "skewed", "sorted", "constant", "alternating"])
def test_counts_on_the_cpu_are_right_however_labels_are_distributed(how, m):
    torch.manual_seed(0)
    drawn = {
        "uniform": lambda: torch.randint(0, m, (5000,)), "skewed": lambda: (torch.rand(5000) ** 8 * m).long(),
        "sorted": lambda: torch.randint(0, m, (5000,)).sort().values, "constant": lambda: torch.full((5000,), m - 1),
        "alternating": lambda: torch.arange(5000) % m,
    }  # fmt: skip
    true = drawn[how]()
    pred = torch.where(torch.rand(5000) < 0.7, true, drawn[how]())
    expected = torch.bincount(true * m + pred, minlength=m * m).reshape(m, m)
    assert torch.equal(confusion(pred, true, classes=m), expected)
    logits = torch.nn.functional.one_hot(pred, m).float().reshape(2, 50, 50, m).movedim(-1, 1)
    assert torch.equal(confusion(logits, true.reshape(2, 50, 50), classes=m), expected)
    weights = torch.ones(5000)
    assert torch.equal(confusion(pred, true, classes=m, sample_weight=weights), expected.double())


def test_no_items_are_no_counts():
    nothing = torch.zeros(0, dtype=torch.int64)
    assert confusion(nothing, nothing, classes=3).sum() == 0
    assert confusion(torch.zeros((0, 3)), nothing, classes=3).sum() == 0


@pytest.mark.parametrize("wrong", [-1, 3, 2**40])
def test_labels_outside_the_classes_are_refused(wrong):
    with pytest.raises(gm.InputError, match="1 labels in preds or target"):
        confusion(torch.tensor([0, wrong]), torch.tensor([0, 1]), classes=3)


@pytest.mark.parametrize(
    ("preds", "target", "said"),
    [
        (torch.tensor([[float("nan"), 1.0]]), torch.tensor([0]), "NaN"),
        (torch.tensor([float("nan")]), torch.tensor([0]), "NaN"),
        (torch.tensor([0, 1]), torch.tensor([0.0, 1.0]), "target.long"),
        (torch.tensor([0, 1, 1]), torch.tensor([0, 1]), "shape"),
        (torch.rand((2, 3)), torch.tensor([0, 1]), "3 columns"),
        (torch.tensor([0j, 1j]), torch.tensor([0, 1]), "complex"),
        ([0, 1], torch.tensor([0, 1]), "a list"),
    ],
)
def test_what_cannot_be_counted_is_said(preds, target, said):
    with pytest.raises((gm.InputError, TypeError), match=said):
        confusion(preds, target, classes=2)


def test_single_values_of_more_classes_are_no_labels():
    with pytest.raises(gm.InputTypeError, match="one torch"):
        confusion(torch.rand(4), torch.tensor([0, 1, 2, 0]), classes=3)


def test_every_measure_takes_the_tensor():
    pytest.importorskip("array_api_compat")
    true, pred = drawn(300, 3)
    counts = confusion(pred, true, classes=3)
    assert gm.mcc(counts).item() == pytest.approx(gm.mcc(true.numpy(), pred.numpy()), abs=1e-12)


def test_soft_counts_of_certain_predictions_are_counts():
    true, pred = drawn(200, 4)
    certain = torch.nn.functional.one_hot(pred, 4).double()
    assert torch.equal(soft_confusion(certain, true), confusion(pred, true, classes=4).double())
    weights = torch.rand(200, dtype=torch.float64)
    weighted = confusion(pred, true, classes=4, sample_weight=weights)
    assert torch.allclose(soft_confusion(certain, true, sample_weight=weights), weighted)
    with pytest.raises(gm.InputError, match="a row for each item"):
        soft_confusion(true, true)
    with pytest.raises(gm.InputError, match="one true label for each row"):
        soft_confusion(certain, true[:-1])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("form", ["labels", "logits"])
def test_the_matrix_of_compiled_code_is_the_same(form, weighted):
    m, n = 3, 50
    said = torch.randint(0, m, (n,)) if form == "labels" else torch.randn((n, m))
    true, weights = torch.randint(0, m, (n,)), torch.rand(n) if weighted else None
    compiled = torch.compile(lambda p, t, w: confusion(p, t, classes=m, sample_weight=w), backend="aot_eager")
    assert torch.equal(compiled(said, true, weights), confusion(said, true, classes=m, sample_weight=weights))
