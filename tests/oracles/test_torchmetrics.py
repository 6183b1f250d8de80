"""Counts and measures against torchmetrics, over its arguments; where it disagrees, the test says why."""

from __future__ import annotations

import inspect

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


# Two classes

OF_TWO = {
    "accuracy": "binary_accuracy", "precision": "binary_precision", "recall": "binary_recall",
    "specificity": "binary_specificity", "negative_predictive_value": "binary_negative_predictive_value",
    "f1": "binary_f1_score", "jaccard": "binary_jaccard_index", "kappa": "binary_cohen_kappa",
    "mcc": "binary_matthews_corrcoef", "hamming_loss": "binary_hamming_distance",
}  # fmt: skip


def two_classes(data, form):
    """Predictions about class 0 in some form, and the truth."""
    logits, target = data
    score = logits[:, 0]
    preds = {"logits": score, "probabilities": score.sigmoid(), "labels": (score > 0).long()}[form]
    return preds, (target == 0).long()


@pytest.mark.parametrize("form", ["logits", "probabilities", "labels"])
@pytest.mark.parametrize("given", [{}, {"threshold": 0.3}, {"ignore_index": -1}], ids=str)
def test_measures_of_two_classes(data, form, given):
    preds, target = two_classes(data, form)
    if "ignore_index" in given:
        target[::7] = -1
    state = Measures(list(OF_TWO), classes=2, **given)
    state.update(preds, target)
    for name, value in state.compute().items():
        expected = getattr(peers, OF_TWO[name])(preds, target, **_known(OF_TWO[name], given))
        assert value.item() == pytest.approx(float(expected), abs=1e-6), name


def _known(name, given):
    """Arguments that a function of torchmetrics takes."""
    return {k: v for k, v in given.items() if k in inspect.signature(getattr(peers, name)).parameters}


@pytest.mark.parametrize("beta", [0.5, 2.0])
def test_f_beta(data, beta):
    preds, target = two_classes(data, "labels")
    assert gm.fbeta(beta)(target, preds) == pytest.approx(
        float(peers.binary_fbeta_score(preds, target, beta)), abs=1e-6
    )
    logits, classes = data
    expected = float(peers.multiclass_fbeta_score(logits, classes, beta, 4, average="macro"))
    assert gm.macro(gm.fbeta(beta))(classes, logits.argmax(1)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_weighted_kappa(data, weights):
    logits, target = data
    expected = float(peers.multiclass_cohen_kappa(logits, target, 4, weights=weights))
    found = gm.measure(f"weighted_kappa(weights={weights!r})")(target, logits.argmax(1))
    assert found == pytest.approx(expected, abs=1e-5)  # which is in float32


def test_mcc_of_a_rare_class_needs_more_than_float32():
    counts = torch.tensor([[99_999_000, 40], [50, 910]])
    ours = gm.mcc(counts).item()
    assert ours == pytest.approx(gm.mcc(counts.tolist()), abs=1e-12)
    theirs = float(reduced_mcc(counts))
    assert theirs != pytest.approx(ours, abs=1e-4), "torchmetrics has become precise: say so in docs/torch.md"


def reduced_mcc(counts):
    from torchmetrics.functional.classification.matthews_corrcoef import _matthews_corrcoef_reduce

    return _matthews_corrcoef_reduce(counts)


# Each class by itself

BY_CLASS = {
    "recall": "multiclass_recall", "precision": "multiclass_precision", "f1": "multiclass_f1_score",
    "specificity": "multiclass_specificity", "jaccard": "multiclass_jaccard_index",
}  # fmt: skip


@pytest.mark.parametrize("name", BY_CLASS)
def test_each_class_against_the_rest(data, name):
    logits, target = data
    expected = getattr(peers, BY_CLASS[name])(logits, target, num_classes=4, average=None).tolist()
    matrix = gm.confusion(target, logits.argmax(1))
    assert [gm.measure(name)(matrix.vs_rest(k)) for k in range(4)] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
@pytest.mark.parametrize("name", ["recall", "precision", "f1", "jaccard"])
def test_averages_over_classes(data, name, average):
    logits, target = data
    expected = float(getattr(peers, BY_CLASS[name])(logits, target, num_classes=4, average=average))
    assert gm.measure(f"{average}({name})")(target, logits.argmax(1)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("normalize", ["true", "pred", "all"])
def test_normalised_matrices(data, normalize):
    logits, target = data
    counts = confusion(logits, target, classes=4).double()
    over = {"true": counts.sum(1, keepdim=True), "pred": counts.sum(0, keepdim=True), "all": counts.sum()}[normalize]
    expected = peers.multiclass_confusion_matrix(logits, target, 4, normalize=normalize)
    assert torch.allclose(counts / over, expected.double(), atol=1e-6)


def test_measures_of_each_sample(data):
    """Torchmetrics' multidim_average="samplewise" is a measure of a batch of matrices."""
    logits, target = data
    rows, labels = logits.argmax(1).reshape(20, 20), target.reshape(20, 20)
    batch = torch.stack([confusion(p, t, classes=4) for p, t in zip(rows, labels, strict=True)])
    for name, average in (("macro(recall)", "macro"), ("accuracy", "micro")):
        expected = peers.multiclass_accuracy(rows, labels, 4, average=average, multidim_average="samplewise")
        assert torch.allclose(gm.measure(name)(batch).float(), expected, atol=1e-6)


@pytest.mark.parametrize("top_k", [1, 2, 3])
def test_the_true_class_among_the_first_k(data, top_k):
    """Torchmetrics' top_k of other measures has no counterpart: an item then counts for several classes at once."""
    logits, target = data
    expected = float(peers.multiclass_accuracy(logits, target, 4, average="micro", top_k=top_k))
    assert gm.top_k_accuracy(k=top_k)(target, logits) == pytest.approx(expected, abs=1e-6)


def test_log_loss_is_the_cross_entropy_of_pytorch(data):
    logits, target = data
    wide = logits.double()
    expected = torch.nn.functional.cross_entropy(wide, target).item()
    assert gm.log_loss(target, wide.softmax(1)) == pytest.approx(expected, abs=1e-12)
    p, t = wide[:, 0].sigmoid(), (target == 0).double()
    expected = torch.nn.functional.binary_cross_entropy(p, t).item()
    assert gm.log_loss(target == 0, p) == pytest.approx(expected, abs=1e-12)


# Where torchmetrics gives other values, and why

CONSTANT, MIXED = torch.zeros(5, dtype=torch.int64), torch.tensor([0, 0, 1, 1, 0])
DISAGREEMENTS = {
    "a class that is never predicted has no precision; torchmetrics says 0": (
        "precision", "binary_precision", CONSTANT, MIXED, float("nan"), 0.0),
    "without positive items there is no recall; torchmetrics says 0": (
        "recall", "binary_recall", CONSTANT, CONSTANT, float("nan"), 0.0),
    "without positive items and predictions both sets are equal, so F1 is 1 by its rule; torchmetrics says 0": (
        "f1", "binary_f1_score", CONSTANT, CONSTANT, 1.0, 0.0),
    "two empty sets are equal, so their Jaccard index is 1; torchmetrics says 0": (
        "jaccard", "binary_jaccard_index", CONSTANT, CONSTANT, 1.0, 0.0),
    "kappa of two equal constant labelings is 1 by its rule; torchmetrics divides 0 by 0": (
        "kappa", "binary_cohen_kappa", CONSTANT, CONSTANT, 1.0, float("nan")),
    "MCC of a constant prediction is 0 by its rule; torchmetrics puts a small number into the denominator": (
        "mcc", "binary_matthews_corrcoef", CONSTANT, MIXED, 0.0, 0.1826),
}  # fmt: skip


@pytest.mark.parametrize("why", DISAGREEMENTS)
def test_known_disagreements_at_zero_divisions(why):
    name, peer, preds, target, ours, theirs = DISAGREEMENTS[why]
    assert gm.measure(name)(confusion(preds, target, classes=2)).item() == pytest.approx(ours, nan_ok=True)
    assert float(getattr(peers, peer)(preds, target)) == pytest.approx(theirs, abs=1e-3, nan_ok=True)


def test_a_class_that_never_occurs_is_left_out_of_averages_by_both():
    target, preds = torch.tensor([0, 0, 1, 1, 0]), torch.tensor([0, 1, 0, 0, 0])
    expected = float(peers.multiclass_f1_score(preds, target, 3, average="macro"))
    assert gm.macro(gm.f1)(confusion(preds, target, classes=3)).item() == pytest.approx(expected, abs=1e-6)


def test_torchmetrics_puts_a_probability_of_1_into_a_bin_of_its_own():
    """And one on another edge into the bin below; ours belongs to the bin that begins there, and 1 to the last one."""
    p, y = torch.tensor([1.0, 0.95, 0.5, 0.05], dtype=torch.float64), torch.tensor([1, 0, 1, 0])
    theirs = float(peers.binary_calibration_error(p, y, n_bins=10, norm="l1"))
    assert gm.calibration_error(bins=10)(y, p) == pytest.approx((abs(1 - 1.95) + 0.5 + 0.05) / 4)
    assert theirs == pytest.approx((0.0 + 0.95 + 0.5 + 0.05) / 4, abs=1e-6)


# Several labels for each item


@pytest.mark.parametrize("average", ["macro", "micro", "weighted", "none"])
def test_multilabel_f1(data, average):
    p, t = torch.rand((200, 5)), torch.randint(0, 2, (200, 5))
    state = Measures(["f1"], classes=5, multilabel=True, average=average)
    state.update(p, t)
    expected = peers.multilabel_f1_score(p, t, 5, average=average)
    assert torch.allclose(state.compute()["f1"].float(), expected, atol=1e-6)


@pytest.mark.parametrize("ignored", [None, -1])
@pytest.mark.parametrize("threshold", [0.3, 0.5])
def test_multilabel_measures_over_their_arguments(ignored, threshold):
    generator = torch.Generator().manual_seed(8)
    p, t = torch.rand((200, 5), generator=generator), torch.randint(0, 2, (200, 5), generator=generator)
    if ignored is not None:
        t[::9, 1] = ignored
    named = {
        "precision": "multilabel_precision",
        "recall": "multilabel_recall",
        "specificity": "multilabel_specificity",
    }
    state = Measures(list(named), classes=5, multilabel=True, average="none", threshold=threshold, ignore_index=ignored)
    state.update(p, t)
    matrices = peers.multilabel_confusion_matrix(p, t, 5, threshold=threshold, ignore_index=ignored)
    assert torch.equal(state.confusion(), matrices)
    for name, value in state.compute().items():
        expected = getattr(peers, named[name])(p, t, 5, threshold, average="none", ignore_index=ignored)
        assert torch.allclose(value.float(), expected, atol=1e-6)
