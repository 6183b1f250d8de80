"""The Triton kernels, tried on a GPU or in Triton's interpreter on the CPU: equal to NumPy.

Where there is no GPU, they run with ``TRITON_INTERPRET=1`` (`test_interpreted.py` starts them so).
"""

from __future__ import annotations

import os

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton")
if not torch.cuda.is_available() and os.environ.get("TRITON_INTERPRET") != "1":
    pytest.skip("neither a CUDA device nor TRITON_INTERPRET=1", allow_module_level=True)

import goodmeasure as gm  # noqa: E402
from goodmeasure.counts.device import crossing, multilabel_decisions, score_operations, score_tensors, tally  # noqa: E402
from goodmeasure.torch import SoftMeasureLoss, confusion  # noqa: E402
from goodmeasure.torch.soft import _Replayed  # noqa: E402

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2100  # more than two blocks of the kernels that rank scores


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


def labels(m, kind=torch.int64):
    return (torch.randint(0, m, (N,)).to(kind).to(DEVICE) for _ in range(2))


def by_numpy(true, pred, m, weights=None):
    keys = true.cpu().long().numpy() * m + pred.cpu().long().numpy()
    return np.bincount(keys, weights=None if weights is None else weights.cpu().double().numpy(), minlength=m * m)


@pytest.mark.parametrize("kind", [torch.bool, torch.uint8, torch.int64])
@pytest.mark.parametrize("m", [2, 5, 40])
def test_labels(m, kind):
    m = 2 if kind == torch.bool else m
    true, pred = labels(m, kind)
    assert np.array_equal(confusion(pred, true, classes=m).cpu().numpy().ravel(), by_numpy(true, pred, m))


@pytest.mark.parametrize("m", [2, 4, 30])
def test_weights_and_ignored_labels(m):
    true, pred = labels(m)
    weights = torch.rand(N, dtype=torch.float64).to(DEVICE)
    true[::7] = -100
    kept = true != -100
    for given in (None, weights):
        found = confusion(pred, true, classes=m, ignore_index=-100, sample_weight=given).cpu().numpy().ravel()
        expected = by_numpy(true[kept], pred[kept], m, None if given is None else given[kept])
        assert np.allclose(found, expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize("m", [2, 5, 40])
@pytest.mark.parametrize("wrong", [-1, 2**40])
def test_labels_outside(m, wrong):
    true, pred = labels(m)
    pred[17] = wrong
    with pytest.raises(gm.InputError, match="1 labels"):
        confusion(pred, true, classes=m)


@pytest.mark.parametrize("m", [2, 10, 20, 130])
@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
def test_logits(m, kind):
    n = 500 if m < 20 else 40  # a program reads few rows of many logits, and the interpreter is slow
    logits = torch.randn((n, m)).round(decimals=1).to(kind).to(DEVICE)
    true = torch.randint(0, m, (n,)).to(DEVICE)
    first = torch.from_numpy(logits.cpu().numpy().argmax(axis=1))
    assert np.array_equal(confusion(logits, true, classes=m).cpu().numpy().ravel(), by_numpy(true, first, m))
    logits[5, m // 2] = float("nan")
    with pytest.raises(gm.InputError, match="1 predictions"):
        confusion(logits, true, classes=m)


@pytest.mark.parametrize("m", [3, 21, 70])
@pytest.mark.parametrize("ignored", [None, 1])
def test_logits_of_images(m, ignored):
    """The logits of a class lie together, or those of a pixel do."""
    logits = torch.randn((2, m, 3, 5)).round(decimals=1).to(DEVICE)
    true = torch.randint(0, m, (2, 3, 5)).to(DEVICE)
    first = torch.from_numpy(logits.cpu().numpy().argmax(axis=1)).reshape(-1)
    kept = torch.ones(30, dtype=torch.bool) if ignored is None else true.cpu().reshape(-1) != ignored
    expected = by_numpy(true.reshape(-1).cpu()[kept], first[kept], m)
    for images in (logits, logits.to(memory_format=torch.channels_last), logits.double()):
        found = confusion(images, true, classes=m, ignore_index=ignored)
        assert np.array_equal(found.cpu().numpy().ravel(), expected)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ignored", [None, 1])
@pytest.mark.parametrize("logits", [True, False], ids=["logits", "probabilities"])
@pytest.mark.parametrize("m", [2, 5, 40])
def test_soft_counts_and_slopes(m, logits, ignored, weighted):
    """The loss of a batch and its gradient are those of PyTorch's operations."""
    loss = SoftMeasureLoss("macro(f1)", logits=logits, ignore_index=ignored)
    rows = torch.randn((50, m))
    rows = (rows if logits else rows.softmax(1)).to(DEVICE)
    true = torch.randint(0, m, (50,)).to(DEVICE)
    if ignored is not None:
        rows[true == ignored] = float("nan")
    weights = torch.rand(50).to(DEVICE) if weighted else None

    def measured(batch):
        counts = torch.zeros((m, m), dtype=torch.float64, device=DEVICE)
        batch.add_to(counts)
        value, slopes = loss.measured(counts)
        return value.to(rows.dtype), slopes

    ours, plain = (rows.clone().requires_grad_() for _ in range(2))
    assert loss.batch(ours, true, weights).can_be_counted()
    value = _Replayed.apply(ours, loss.batch(ours, true, weights), loss, measured)
    (3 * value).backward()
    expected = loss.loss(plain, true, weights)
    (3 * expected).backward()
    assert value.item() == pytest.approx(expected.item(), rel=1e-6)
    assert torch.allclose(ours.grad, plain.grad, rtol=1e-6, atol=1e-9)


def test_the_gradient_of_a_gradient_is_that_of_pytorchs_operations():
    loss, rows, true = SoftMeasureLoss("mcc"), torch.randn((20, 3)).to(DEVICE), (torch.arange(20) % 3).to(DEVICE)

    def curved(of):
        x = rows.clone().requires_grad_()
        (slope,) = torch.autograd.grad(of(x), x, create_graph=True)
        return torch.autograd.grad((slope**2).sum(), x)[0]

    def measured(batch):
        counts = torch.zeros((3, 3), dtype=torch.float64, device=DEVICE)
        batch.add_to(counts)
        value, slopes = loss.measured(counts)
        return value.float(), slopes

    ours = curved(lambda x: _Replayed.apply(x, loss.batch(x, true, None), loss, measured))
    assert torch.allclose(ours, curved(lambda x: loss.loss(x, true)), rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("m", [2, 30])
@pytest.mark.parametrize("form", ["labels", "logits"])
def test_weights_in_three_tables(form, m):
    n = 300
    true, pred = (x[:n] for x in labels(m))
    weights = torch.rand(n).to(DEVICE)
    weights[3], weights[5], weights[8] = -1.0, float("nan"), 0.0
    true[::7] = -100
    logits = torch.nn.functional.one_hot(pred, m).float()
    add = tally.add_labels if form == "labels" else tally.add_logits
    counts, faults = (
        torch.zeros((3, m, m), dtype=torch.float64).to(DEVICE),
        torch.zeros(3, dtype=torch.int64).to(DEVICE),
    )
    add(counts, faults, true, pred if form == "labels" else logits, weights=weights, ignore_index=-100)
    assert faults.tolist() == [0, 0, 2]
    kept = true != -100
    for table, amount in zip(counts, tally.powers_of(weights.double()), strict=True):
        expected = by_numpy(true[kept], pred[kept], m, amount[kept])
        assert np.allclose(table.cpu().numpy().ravel(), expected, rtol=1e-12, atol=0, equal_nan=True)


@pytest.mark.parametrize("ignored", [None, -1])
@pytest.mark.parametrize("alone", [True, False], ids=["one program", "many programs"])
@pytest.mark.parametrize("how", ["probabilities", "logits", "halves", "bfloat16"])
def test_one_score_for_each_item(how, alone, ignored, monkeypatch):
    """Decided and counted in one pass, as by PyTorch's operations."""
    monkeypatch.setattr(multilabel_decisions, "_ALONE", 10**6 if alone else 0)
    said, true = SAID[how]((N,)), torch.randint(0, 2, (N,))
    if ignored is not None:
        true[::5], said[5] = ignored, float("nan")
    found = confusion(said.to(DEVICE), true.to(DEVICE), classes=2, ignore_index=ignored, threshold=0.4).cpu()
    kept = torch.ones(N, dtype=torch.bool) if ignored is None else true != ignored
    decided = multilabel_decisions.as_probabilities(said) > 0.4
    assert np.array_equal(found.numpy().ravel(), by_numpy(true[kept], decided[kept], 2))
    said[7], true[7] = float("nan"), 1
    with pytest.raises(gm.InputError, match="1 predictions"):
        confusion(said.to(DEVICE), true.to(DEVICE), classes=2, ignore_index=ignored)


SAID = {
    "probabilities": lambda shape: torch.rand(shape).round(decimals=1),
    "logits": lambda shape: torch.randn(shape).round(decimals=1),
    "halves": lambda shape: torch.randn(shape).half() * 0.01,
    "bfloat16": lambda shape: torch.randn(shape).bfloat16() * 0.01,
    "labels": lambda shape: torch.randint(0, 2, shape),
    "booleans": lambda shape: torch.rand(shape) < 0.5,
}


@pytest.mark.parametrize("alone", [True, False], ids=["one program", "many programs"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("how", SAID)
def test_decisions(how, weighted, alone, monkeypatch):
    monkeypatch.setattr(multilabel_decisions, "_ALONE", 10**6 if alone else 0)
    n, m = 300, 7
    said, true = SAID[how]((n, m)), torch.randint(0, 2, (n, m))
    true[::5, 2] = -1
    true[4, 4], weights = 3, torch.rand(n) if weighted else None
    if said.is_floating_point():
        said[11, 3] = float("nan")
    if weights is not None:
        weights[[7, 9]] = -1.0
    shape, kind = ((3, 16, m, 2, 2), torch.float64) if weighted else ((16, m, 2, 2), torch.int64)
    found, expected = [], []
    for into, add, device in ((found, multilabel_decisions.add_decisions, DEVICE), (expected, _by_operations, "cpu")):
        into += torch.zeros(shape, dtype=kind).to(device), torch.tensor([0, 0, 0, 5]).to(device)
        w = None if weights is None else weights.to(device)
        add(*into, true.to(device), said.to(device), threshold=0.3, weights=w, ignore_index=-1)
    assert found[1].tolist() == [1, int(said.is_floating_point()), 2 * weighted, 5 + n]
    assert expected[1].tolist() == found[1].tolist()
    assert torch.allclose(found[0].cpu(), expected[0], rtol=1e-12, atol=0)


def _by_operations(counts, faults, true, preds, *, threshold, weights, ignore_index):
    multilabel_decisions._add_by_torch(counts, faults, true, preds, threshold, weights, ignore_index)


def drawn_scores(how):
    y = torch.rand(N) < 0.3
    wide = torch.float64
    return y.to(DEVICE), {
        "probabilities": lambda: torch.rand(N),
        "ties": lambda: torch.rand(N).round(decimals=2),
        "logits": lambda: torch.cat([torch.tensor([float("inf"), float("-inf"), -0.0, 0.0]), torch.randn(N - 4) * 10]),
        "doubles": lambda: torch.rand(N, dtype=wide),
        "wide doubles": lambda: torch.randn(N, dtype=wide) * 1e300,
        "all tied": lambda: torch.zeros(N) * -1,
        "halves": lambda: torch.rand(N).half(),
        "bfloat16 of both signs": lambda: torch.randn(N).bfloat16(),
    }[how]().to(DEVICE)


KINDS = [
    "probabilities", "ties", "logits", "doubles", "wide doubles", "all tied", "halves", "bfloat16 of both signs",
]  # fmt: skip


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("how", KINDS)
def test_areas(how, many, monkeypatch):
    monkeypatch.setattr(score_tensors, "_MANY", 1 if many else N)
    monkeypatch.setattr(score_tensors, "_RANKED", 128)  # so that scores are shared by blocks
    monkeypatch.setattr(score_tensors, "_FEW_BLOCKS", 1 if many else 8)
    y, s = (x[:600] for x in drawn_scores(how))
    found = score_tensors.areas(y, s)
    assert found == pytest.approx(score_operations.areas(y.cpu(), s.cpu().double()), abs=1e-13)
    assert score_tensors.areas(y.long(), s) == found
    assert score_tensors.areas(y.long() * 2, s) is None  # neither 0 nor 1
    assert score_tensors.areas(torch.ones_like(y), s) is None
    s[3] = float("nan")
    assert score_tensors.areas(y, s) is None


@pytest.mark.filterwarnings("ignore:divide by zero")  # of the interpreter, where a label is wrong
@pytest.mark.parametrize("kind", [torch.float16, torch.float32, torch.float64])
def test_losses_and_bins(kind):
    p = torch.rand(N, dtype=torch.float64).to(kind)
    p[:3] = torch.tensor([0.0, 1.0, 0.5])
    y = torch.rand(N, dtype=torch.float64) < p.double()  # so nothing happens that had the probability 0
    here, true = p.to(DEVICE), y.to(DEVICE)
    assert score_tensors.losses(true, here) == pytest.approx(score_operations.losses(y, p), rel=1e-12)
    for number in (1, 15, 40, 100):
        found, expected = score_tensors.bins(here, true, number), score_operations.bins(p, y, number).numpy()
        assert np.allclose(np.stack(found), expected, rtol=1e-12)
    here[7] = 1.5
    assert score_tensors.losses(true, here) is None
    assert score_tensors.bins(here, true, 15) is None
    assert score_tensors.losses(true.int() + 1, p.to(DEVICE)) is None


def test_the_last_program_adds_up_the_same_every_time():
    p = torch.rand(20 * N).to(DEVICE)
    y = torch.rand(20 * N).to(DEVICE) < p
    first = score_tensors.losses(y, p), np.stack(score_tensors.bins(p, y, 15)).tolist()
    for _ in range(1 if DEVICE == "cpu" else 200):  # the interpreter runs programs one after another
        assert (score_tensors.losses(y, p), np.stack(score_tensors.bins(p, y, 15)).tolist()) == first
    assert all(int(counter) == 0 for counter in score_tensors._counters.values())


def test_the_bounds_of_labels():
    assert crossing._bounds(*(torch.tensor(x).to(DEVICE) for x in ([3, -7, 5], [1, 90, 2]))) == (-7, 90)


def test_the_kernels_were_used():
    assert tally.has_kernels(torch.zeros(1, device=DEVICE))
