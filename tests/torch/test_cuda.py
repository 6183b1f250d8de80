"""Counting, measuring and scoring on a CUDA device: equal to what the CPU gives.

These tests run where there is an NVIDIA GPU; docs/benchmarks-gpu.md says where they were last run.
"""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)

import goodmeasure as gm  # noqa: E402
from goodmeasure.counts.device import scores, tally  # noqa: E402
from goodmeasure.torch import Measures, SoftMeasureLoss, confusion, soft_confusion  # noqa: E402

KINDS = [torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


def drawn(n, m, kind=torch.int64):
    true, other = (torch.randint(0, m, (n,), device="cuda").to(kind) for _ in range(2))
    return true, torch.where(torch.rand(n, device="cuda") < 0.5, true, other)


def by_numpy(true, pred, m, weights=None):
    keys = true.cpu().long().numpy() * m + pred.cpu().long().numpy()
    w = None if weights is None else weights.cpu().double().numpy()
    return np.bincount(keys, weights=w, minlength=m * m).reshape(m, m)


@pytest.mark.parametrize("m", [2, 3, 5, 10, 16, 17, 30, 100, 127])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [1, 31, 4097, 2_000_003])
def test_counts_of_every_kind_of_integer(n, m, kind):
    m = 2 if kind == torch.bool else m
    true, pred = drawn(n, m, kind)
    assert np.array_equal(confusion(pred, true, classes=m).cpu().numpy(), by_numpy(true, pred, m))


@pytest.mark.parametrize("m", [2, 4, 7, 50, 1000, 5000])
def test_counts_with_weights(m):
    true, pred = drawn(300_001, m)
    weights = torch.rand(300_001, device="cuda", dtype=torch.float64)
    found = confusion(pred, true, classes=m, sample_weight=weights).cpu().numpy()
    assert np.allclose(found, by_numpy(true, pred, m, weights), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("m", [2, 10, 100])
@pytest.mark.parametrize("ignored", [-100, 0, 255])
def test_ignored_labels_are_left_out(m, ignored):
    true, pred = drawn(10_000, m)
    true[::7] = ignored
    kept = true != ignored
    found = confusion(pred, true, classes=m, ignore_index=ignored).cpu().numpy()
    assert np.array_equal(found, by_numpy(true[kept], pred[kept], m))


@pytest.mark.parametrize("m", [2, 10, 16, 17, 100])
@pytest.mark.parametrize("wrong", [-1, 10**6, 2**40, -(2**63)])
def test_labels_outside_are_refused_in_the_same_pass(m, wrong):
    true, pred = drawn(10_000, m)
    pred[17] = wrong
    with pytest.raises(gm.InputError, match="1 labels"):
        confusion(pred, true, classes=m)


@pytest.mark.parametrize("m", [2, 3, 10, 16, 17, 33, 64, 100, 101, 1000, 1500])
@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16, torch.float16, torch.float64])
def test_logits_are_counted_by_their_greatest(m, kind):
    logits = torch.randn((20_001, m), device="cuda").to(kind)
    logits[::5] = logits[::5].round()  # many ties: the first of the greatest wins
    logits[3] = float("-inf")
    logits[4, m - 1] = float("inf")
    true = torch.randint(0, m, (20_001,), device="cuda")
    first = torch.from_numpy(logits.cpu().double().numpy().argmax(axis=1))
    assert np.array_equal(confusion(logits, true, classes=m).cpu().numpy(), by_numpy(true, first, m))
    logits[5, m // 2] = float("nan")
    with pytest.raises(gm.InputError, match="NaN"):
        confusion(logits, true, classes=m)


def test_logits_of_pixels_and_weights():
    logits, true = torch.randn((4, 5, 6, 7), device="cuda"), torch.randint(0, 5, (4, 6, 7), device="cuda")
    weights = torch.rand((4, 6, 7), device="cuda")
    found = confusion(logits, true, classes=5, sample_weight=weights).cpu().numpy()
    assert np.allclose(
        found, by_numpy(true.reshape(-1), logits.argmax(1).reshape(-1), 5, weights.reshape(-1)), rtol=1e-6
    )


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0, 9), (0, 15), (0, 16), (-3, 3), (5, 40), (1000, 1100), (0, 2500)])
def test_gm_confusion_equals_the_cpu(low, high):
    true, pred = (torch.randint(low, high + 1, (50_000,), device="cuda") for _ in range(2))
    ours, cpu = gm.confusion(true, pred), gm.confusion(true.cpu(), pred.cpu())
    assert ours.labels == cpu.labels
    assert np.array_equal(ours.counts, cpu.counts)
    assert gm.mcc(true, pred) == gm.mcc(true.cpu(), pred.cpu())


def test_gm_confusion_of_wide_labels_booleans_weights_and_named_classes():
    wide = torch.randint(0, 2**40, (1000,), device="cuda")
    assert gm.confusion(wide, wide).n == 1000
    true, pred = drawn(1000, 2, torch.bool)
    assert gm.confusion(true, pred).labels == (False, True)
    weights = torch.rand(1000, device="cuda", dtype=torch.float64)
    weights[true] = 0
    ours = gm.confusion(true, pred, sample_weight=weights)
    cpu = gm.confusion(true.cpu(), pred.cpu(), sample_weight=weights.cpu())
    assert ours.labels == cpu.labels
    assert np.allclose(ours.counts, cpu.counts, rtol=1e-12)
    t, p = drawn(1000, 3)
    assert gm.confusion(t, p, labels=[2, 1, 0, 7]).labels == (2, 1, 0, 7)
    with pytest.raises(gm.InputError, match="labels="):
        gm.confusion(t, p, labels=[0, 1])
    with pytest.raises(gm.InputError, match="not negative"):
        gm.confusion(t, p, sample_weight=torch.full((1000,), -1.0, device="cuda"))


def test_a_state_counts_without_waiting_and_in_a_graph():
    state, x, t = (
        Measures(["mcc", "macro(f1)"], classes=10).cuda(),
        torch.randn((512, 10)).cuda(),
        torch.zeros(512).long().cuda(),
    )
    state.update(x, t)  # compiles the kernel
    state.reset()
    torch.cuda.set_sync_debug_mode("error")
    try:
        state.update(x, t)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        state.update(x, t)
    state.reset()
    for _ in range(3):
        x.copy_(torch.randn((512, 10)))
        t.copy_(torch.randint(0, 10, (512,)))
        expected = confusion(x, t, classes=10)
        before = state.confusion()
        graph.replay()
        assert torch.equal(state.confusion() - before, expected)
    assert state.matrix().n == 3 * 512


def test_a_compiled_update_counts_the_same():
    state, plain = (Measures(["mcc"], classes=10).cuda() for _ in range(2))
    update = torch.compile(state.update)
    for _ in range(3):
        x, t = torch.randn((512, 10)).cuda(), torch.randint(0, 10, (512,)).cuda()
        update(x, t)
        plain.update(x, t)
    assert torch.equal(state.confusion(), plain.confusion())


def pairs_won(label, score):
    order = np.argsort(score, kind="stable")
    s, y = score[order], label[order]
    starts = np.searchsorted(s, s, "left")
    ends = np.searchsorted(s, s, "right")
    below = np.concatenate([[0], np.cumsum(~y)])
    wins = (below[starts] + below[ends]) / 2
    return wins[y].sum() / (y.sum() * (~y).sum())


@pytest.mark.parametrize("n", [2, 100, 5_000, 300_000])
@pytest.mark.parametrize("how", ["probabilities", "logits", "doubles", "wide doubles", "ties", "all tied", "halves"])
def test_areas_equal_the_count_of_pairs(n, how):
    y = torch.rand(n, device="cuda") < 0.3
    y[0], y[1] = True, False
    s = {
        "probabilities": lambda: torch.rand(n, device="cuda"),
        "logits": lambda: torch.randn(n, device="cuda") * 10,
        "doubles": lambda: torch.rand(n, device="cuda", dtype=torch.float64),
        "wide doubles": lambda: torch.randn(n, device="cuda", dtype=torch.float64) * 1e300,
        "ties": lambda: (
            torch.randint(-3, 4, (n,), device="cuda").float() * torch.tensor(-0.0 if n % 2 else 1.0).cuda().abs()
        ),
        "all tied": lambda: torch.zeros(n, device="cuda") * -1,
        "halves": lambda: torch.rand(n, device="cuda").half(),
    }[how]()
    if how == "logits":
        s[:2] = torch.tensor([float("inf"), float("-inf")])
    found = scores.areas(y, s)
    label, score = y.cpu().numpy(), s.cpu().double().numpy()
    assert float(found.roc_auc) == pytest.approx(pairs_won(label, score), abs=1e-13)
    order = np.argsort(-score, kind="stable")
    tp, last = np.cumsum(label[order]), np.append(np.diff(score[order]) != 0, True)
    at = np.flatnonzero(last)
    steps = np.diff(np.concatenate([[0], tp[at]]))
    assert float(found.average_precision) == pytest.approx((steps * tp[at] / (at + 1)).sum() / tp[-1], abs=1e-12)


def test_scores_that_are_nan_are_refused():
    s, y = torch.rand(100, device="cuda"), torch.rand(100, device="cuda") < 0.5
    for bad in (float("nan"), -float("nan")):
        s[3] = bad
        with pytest.raises(gm.InputError, match="NaN"):
            scores.areas(y, s)
        with pytest.raises(gm.InputError, match="probabilities"):
            scores.losses(y, s)


@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
def test_losses_and_bins_equal_numpy(kind):
    p = torch.rand(1_000_003, device="cuda", dtype=kind)
    p[0], p[1], p[2] = 0.0, 1.0, 0.5
    y = torch.rand(1_000_003, device="cuda") < p  # so nothing happens that had the probability 0
    found = scores.losses(y, p)
    a, b = p.cpu().double().numpy(), y.cpu().numpy()
    said = np.where(b, a, 1 - a)
    assert float(found.log_loss) == pytest.approx(-np.log(said).mean(), rel=1e-9)
    assert float(found.brier) == pytest.approx(((a - b) ** 2).mean(), rel=1e-9)
    bins = scores.bins(p, y, 15)
    where = np.minimum((a * 15).astype(int), 14)
    assert np.array_equal(bins.items.cpu().numpy(), np.bincount(where, minlength=15))
    assert np.array_equal(bins.hits.cpu().numpy(), np.bincount(where, weights=b, minlength=15))
    assert np.allclose(bins.confidence.cpu().numpy(), np.bincount(where, weights=a, minlength=15), rtol=1e-12)


def test_values_and_gradients_of_the_catalogue_equal_numpy():
    pytest.importorskip("array_api_compat")
    counts = np.random.default_rng(0).integers(1, 50, (6, 3, 3))
    on_device = torch.from_numpy(counts).cuda().double().requires_grad_()
    seen = 0
    for measure in gm.measures(classes=3):
        expected = measure(counts)
        found = measure(on_device)
        assert found.device.type == "cuda"
        assert np.allclose(found.detach().cpu().numpy(), expected, rtol=1e-11, atol=1e-12, equal_nan=True), measure.name
        if found.requires_grad:
            (slope,) = torch.autograd.grad(found.sum(), on_device)
            assert bool(slope.isfinite().all()), measure.name
            seen += 1
    assert seen > 40


def test_bootstrap_intervals_stay_on_the_device_and_agree_with_the_host():
    from goodmeasure.torch import intervals

    counts = torch.tensor([[[50, 3, 2], [4, 20, 0], [1, 0, 9]], [[5, 1, 1], [2, 30, 3], [0, 0, 200]]])
    for method in ("percentile", "bca"):
        ours = intervals(counts.cuda(), ["mcc", "macro(f1)"], replicates=20_000, method=method)
        host = intervals(counts, ["mcc", "macro(f1)"], replicates=20_000, method=method)
        for name, found in ours.items():
            assert found.low.device.type == "cuda"
            assert torch.allclose(found.value.cpu(), host[name].value, atol=1e-12)
            assert torch.allclose(found.low.cpu(), host[name].low, atol=0.02)
            assert torch.allclose(found.high.cpu(), host[name].high, atol=0.02)


def test_a_loss_on_the_device():
    pytest.importorskip("array_api_compat")
    x, t = torch.randn((64, 4), device="cuda", requires_grad=True), torch.randint(0, 4, (64,), device="cuda")
    SoftMeasureLoss("macro(f1)")(x, t).backward()
    assert bool(x.grad.isfinite().all())
    assert soft_confusion(x.softmax(1), t).device.type == "cuda"


def test_other_array_libraries_on_the_device():
    jax, cupy = pytest.importorskip("jax"), pytest.importorskip("cupy")
    jax.config.update("jax_enable_x64", True)
    counts = np.random.default_rng(1).integers(1, 50, (5, 3, 3)).astype(float)
    for name in ("mcc", "macro(f1)", "k", "kappa", "accuracy"):
        expected = gm.measure(name)(counts)
        assert np.allclose(np.asarray(jax.jit(gm.measure(name))(jax.numpy.asarray(counts))), expected, rtol=1e-12)
        assert np.allclose(cupy.asnumpy(gm.measure(name)(cupy.asarray(counts))), expected, rtol=1e-12)


SCORES = [
    "roc_auc",
    "average_precision",
    "log_loss",
    "brier",
    "calibration_error()",
    "calibration_error(kind='maximum')",
]


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("labels", ["booleans", "integers", "other integers", "first"])
def test_measures_of_scores_equal_the_cpu(name, labels, monkeypatch):
    measure, p = gm.measure(name), torch.rand(50_000, device="cuda", dtype=torch.float64)
    y = torch.rand(50_000, device="cuda") < p
    y = {"booleans": y, "integers": y.long(), "other integers": y.int() * 3 + 4, "first": y.long()}[labels]
    given = {"positive": 0} if labels == "first" else {}
    expected = measure(y.cpu(), p.cpu(), **given)
    from goodmeasure.catalogue.scores import measure as home

    monkeypatch.setattr(home, "read_scored", None)  # nothing is copied to the CPU
    assert measure(y, p, **given) == pytest.approx(expected, abs=1e-12)


def test_degenerate_scores_are_left_to_the_cpu():
    y, p = torch.zeros(10, dtype=torch.long, device="cuda"), torch.rand(10, device="cuda")
    assert np.isnan(gm.roc_auc(y, p))
    y[:3] = torch.tensor([0, 1, 2])
    with pytest.raises(gm.InputError):
        gm.roc_auc(y, p)
    y = torch.tensor([1, 0], device="cuda")
    assert gm.log_loss(y, torch.tensor([0.0, 0.5], device="cuda")) == np.inf


def test_the_kernels_were_used():
    assert tally._kernels() is not None
