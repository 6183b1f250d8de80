"""Counts and measures against torchmetrics, over its arguments; where it disagrees, the test says why."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
peers = pytest.importorskip("torchmetrics.functional.classification")

import goodmeasure as gm  # noqa: E402
from goodmeasure.torch import Measures, confusion  # noqa: E402


@pytest.fixture(scope="module")
def data():
    generator = torch.Generator().manual_seed(5)
    logits = torch.randn((400, 4), generator=generator)
    target = torch.randint(0, 4, (400,), generator=generator)
    logits[torch.arange(400), target] += 1
    return logits, target


@pytest.mark.parametrize("ignored", [None, 2, -100])
@pytest.mark.parametrize("form", ["logits", "probabilities", "labels"])
def test_confusion_matrices(data, ignored, form):
    logits, target = data
    preds = {"logits": logits, "probabilities": logits.softmax(1), "labels": logits.argmax(1)}[form]
    target = target.clone()
    if ignored == -100:
        target[::9] = -100
    expected = peers.multiclass_confusion_matrix(preds, target, num_classes=4, ignore_index=ignored)
    if form == "labels" and ignored == 2:  # torchmetrics also leaves out items whose predicted label is the ignored one
        kept = target != 2
        expected = peers.multiclass_confusion_matrix(preds[kept], target[kept], num_classes=4)
    assert torch.equal(confusion(preds, target, classes=4, ignore_index=ignored), expected)


@pytest.mark.parametrize("threshold", [0.3, 0.5])
def test_binary_confusion_matrices(data, threshold):
    logits, target = data
    p, t = logits[:, 0].sigmoid(), (target == 0).long()
    expected = peers.binary_confusion_matrix(p, t, threshold=threshold)
    assert torch.equal(confusion(p, t, classes=2, threshold=threshold), expected)


PAIRS = {
    "accuracy": lambda p, t: peers.multiclass_accuracy(p, t, 4, average="micro"),
    "macro(recall)": lambda p, t: peers.multiclass_recall(p, t, 4, average="macro"),
    "macro(precision)": lambda p, t: peers.multiclass_precision(p, t, 4, average="macro"),
    "macro(f1)": lambda p, t: peers.multiclass_f1_score(p, t, 4, average="macro"),
    "weighted(f1)": lambda p, t: peers.multiclass_f1_score(p, t, 4, average="weighted"),
    "macro(jaccard)": lambda p, t: peers.multiclass_jaccard_index(p, t, 4, average="macro"),
    "kappa": lambda p, t: peers.multiclass_cohen_kappa(p, t, 4),
    "mcc": lambda p, t: peers.multiclass_matthews_corrcoef(p, t, 4),
}


@pytest.mark.parametrize("name", PAIRS)
def test_measures(data, name):
    logits, target = data
    state = Measures([name], classes=4)
    state.update(logits, target)
    assert state.compute()[name].item() == pytest.approx(PAIRS[name](logits, target).item(), abs=1e-6)


def test_mcc_of_a_rare_class_needs_more_than_float32():
    counts = torch.tensor([[99_999_000, 40], [50, 910]])
    ours = gm.mcc(counts).item()
    assert ours == pytest.approx(gm.mcc(counts.tolist()), abs=1e-12)


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", "none"])
def test_multilabel_f1(data, average):
    p, t = torch.rand((200, 5)), torch.randint(0, 2, (200, 5))
    state = Measures(["f1"], classes=5, multilabel=True, average=average)
    state.update(p, t)
    expected = peers.multilabel_f1_score(p, t, 5, average=average)
    assert torch.allclose(state.compute()["f1"].float(), expected, atol=1e-6)
