"""Counting, measuring and scoring on a CUDA device: equal to what the CPU gives.

These tests run where there is an NVIDIA GPU; docs/benchmarks-gpu.md says where they were last run.
"""

from __future__ import annotations

import os
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX would take most of the GPU's memory for itself
torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)

import goodmeasure as gm  # noqa: E402
from goodmeasure.counts.device import score_tensors  # noqa: E402
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


@pytest.mark.parametrize("m", [2, 3, 10, 16, 17, 100, 127])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [1, 4097, 2_000_003])
def test_counts_of_every_kind_of_integer(n, m, kind):
    m = 2 if kind == torch.bool else m
    true, pred = drawn(n, m, kind)
    assert np.array_equal(confusion(pred, true, classes=m).cpu().numpy(), by_numpy(true, pred, m))


def shapes_of_data(n, m, device="cuda"):
    """Labels as they are drawn in benchmarks, and as they are found in data."""
    other = torch.randint(0, m, (n,), device=device)
    uniform = torch.where(torch.rand(n, device=device) < 0.7, torch.randint(0, m, (n,), device=device), other)
    skewed = (torch.rand(n, device=device) ** 8 * m).long()
    drawn = {"uniform": uniform, "skewed": skewed, "constant": torch.full_like(other, m // 2)}
    for name, true in drawn.items():
        yield name, true, true.clone()
        yield f"{name}, with errors", true, torch.where(torch.rand(n, device=device) < 0.7, true, other)
    ordered = uniform.sort().values
    yield "sorted", ordered, ordered
    yield "sorted, with errors", ordered, torch.where(torch.rand(n, device=device) < 0.7, ordered, other)
    in_turn = torch.arange(n, device=device) % m
    yield "alternating", in_turn, in_turn.roll(1)


@pytest.mark.parametrize("m", [2, 15, 16, 31, 32, 63, 64, 101, 102, 300, 3000])
@pytest.mark.parametrize("n", [1, 8191, 300_001, 2**18])
def test_counts_are_right_however_labels_are_distributed(n, m):
    for name, true, pred in shapes_of_data(n, m):
        expected = torch.bincount(true * m + pred, minlength=m * m).reshape(m, m)
        for kind in (torch.int64, torch.int32, torch.int16, *([torch.uint8] if m <= 255 else [])):
            assert torch.equal(confusion(pred.to(kind), true.to(kind), classes=m), expected), (name, kind)
        wrong, wide = pred.clone(), true.clone()
        wrong[n // 2], wide[n // 3] = -5, 2**40
        with pytest.raises(gm.InputError, match="2 labels" if n > 1 else "1 labels"):
            confusion(wrong, wide, classes=m)


@pytest.mark.parametrize("m", [2, 21, 101, 150])
def test_logits_of_images_are_counted_however_labels_are_distributed(m):
    for name, true, _ in shapes_of_data(2 * 32 * 40, m):
        images, target = torch.randn((2, m, 32, 40), device="cuda"), true.reshape(2, 32, 40)
        images[:, 0] += 3
        expected = torch.bincount(true * m + images.argmax(1).reshape(-1), minlength=m * m).reshape(m, m)
        assert torch.equal(confusion(images, target, classes=m), expected), name
        last = images.to(memory_format=torch.channels_last)
        assert torch.equal(confusion(last, target, classes=m), expected), name


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


def test_counts_of_many_classes_stay_on_the_device_until_they_are_asked_for():
    true, pred = drawn(50_000, 300)
    before = torch.cuda.memory_allocated()
    cm = gm.confusion(true, pred)
    assert cm.m == 300
    assert torch.cuda.memory_allocated() - before >= 300 * 300 * 8
    assert np.array_equal(cm.counts, gm.confusion(true.cpu(), pred.cpu()).counts)
    assert torch.cuda.memory_allocated() == before


def test_evaluating_equals_the_cpu():
    true, pred = drawn(5000, 4)
    assert str(gm.evaluate(true, pred)) == str(gm.evaluate(true.cpu(), pred.cpu()))


def test_streams_add_up_apart():
    p = torch.rand(1_000_000, device="cuda")
    y = torch.rand(1_000_000, device="cuda") < p
    expected = gm.brier(y, p)
    torch.cuda.synchronize()
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: on_a_stream_of_its_own(y, p), range(200))) == {expected}


def on_a_stream_of_its_own(y, p):
    with torch.cuda.stream(torch.cuda.Stream()):
        return gm.brier(y, p)


FORMS = {
    "logits": ({"classes": 10}, lambda n: (torch.randn(n, 10), torch.randint(0, 10, (n,)))),
    "bfloat16 logits": ({"classes": 10}, lambda n: (torch.randn(n, 10).bfloat16(), torch.randint(0, 10, (n,)))),
    "logits of many classes": ({"classes": 100}, lambda n: (torch.randn(n, 100), torch.randint(0, 100, (n,)))),
    "labels of two classes": ({"classes": 2}, lambda n: (torch.randint(0, 2, (n,)), torch.randint(0, 2, (n,)))),
    "labels": ({"classes": 10}, lambda n: (torch.randint(0, 10, (n,)), torch.randint(0, 10, (n,)))),
    "labels of many classes": ({"classes": 50}, lambda n: (torch.randint(0, 50, (n,)), torch.randint(0, 50, (n,)))),
    "one probability for each item": ({"classes": 2}, lambda n: (torch.rand(n), torch.randint(0, 2, (n,)))),
    "one logit for each item": ({"classes": 2}, lambda n: (torch.randn(n), torch.randint(0, 2, (n,)))),
    "probabilities": ({"classes": 5}, lambda n: (torch.rand(n, 5).softmax(1), torch.randint(0, 5, (n,)))),
    "ignored items": ({"classes": 5, "ignore_index": 3}, lambda n: (torch.randn(n, 5), torch.randint(0, 5, (n,)))),
    "weighted logits": (
        {"classes": 5, "weighted": True}, lambda n: (torch.randn(n, 5), torch.randint(0, 5, (n,)), torch.rand(n)),
    ),
    "weighted labels": (
        {"classes": 30, "weighted": True, "ignore_index": -1},
        lambda n: (torch.randint(0, 30, (n,)), torch.randint(-1, 30, (n,)), torch.rand(n)),
    ),
    "multilabel": (
        {"classes": 7, "multilabel": True, "average": "none"},
        lambda n: (torch.rand(n, 7), torch.randint(0, 2, (n, 7))),
    ),
    "multilabel with weights": (
        {"classes": 7, "multilabel": True, "weighted": True, "ignore_index": -1, "average": "none"},
        lambda n: (torch.randint(0, 2, (n, 7)), torch.randint(-1, 2, (n, 7)), torch.rand(n)),
    ),
    "pixels": ({"classes": 4}, lambda n: (torch.randn(n, 4, 3, 2), torch.randint(0, 4, (n, 3, 2)))),
}  # fmt: skip
"""What a state is told and given: options, and a batch of n items on the CPU."""


def both_states(form):
    """The same state on the device and on the CPU."""
    options, _ = FORMS[form]
    return Measures(["accuracy"], **options).cuda(), Measures(["accuracy"], **options)


@pytest.mark.parametrize("form", FORMS)
def test_an_update_does_not_wait_and_equals_the_cpu(form):
    (ours, cpu), draw = both_states(form), FORMS[form][1]
    batches = [draw(512) for _ in range(3)]
    on_device = [[x.cuda() for x in batch] for batch in batches]
    ours.update(*on_device[0])  # compiles the kernel
    ours.reset()
    torch.cuda.synchronize()
    torch.cuda.set_sync_debug_mode("error")
    try:
        for batch in on_device:
            ours.update(*batch)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    for batch in batches:
        cpu.update(*batch)
    assert torch.allclose(ours.counts.cpu().double(), cpu.counts.double(), rtol=1e-12, atol=1e-9)
    assert torch.equal(ours.faults.cpu(), cpu.faults)
    for name, value in ours.compute().items():
        assert torch.allclose(value.cpu(), cpu.compute()[name], atol=1e-12), name


def test_an_update_with_scores_does_not_wait_and_equals_the_cpu():
    names = ["roc_auc", "average_precision", "brier", "log_loss", "calibration_error", "mcc"]
    ours, cpu = Measures(names, classes=2).cuda(), Measures(names, classes=2)
    batches = [(torch.rand(512), torch.randint(0, 2, (512,))) for _ in range(5)]
    on_device = [[x.cuda() for x in batch] for batch in batches]
    ours.update(*on_device[0])  # compiles the kernel
    ours.reset()
    torch.cuda.synchronize()
    torch.cuda.set_sync_debug_mode("error")
    try:
        for batch in on_device:
            ours.update(*batch)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    for batch in batches:
        cpu.update(*batch)
    found, expected = ours.compute(), cpu.compute()
    assert all(found[name].item() == pytest.approx(expected[name].item(), rel=1e-9) for name in names)
    with pytest.raises(gm.InputError, match="CUDA graph"), torch.cuda.graph(torch.cuda.CUDAGraph()):
        ours.update(*on_device[0])


@pytest.mark.parametrize("form", FORMS)
def test_an_update_can_be_captured_in_a_graph(form):
    (ours, cpu), draw = both_states(form), FORMS[form][1]
    places = [x.cuda() for x in draw(512)]
    ours.update(*places)  # compiles the kernel
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        ours.update(*places)
    ours.reset()
    for _ in range(3):
        batch = draw(512)
        for place, values in zip(places, batch, strict=True):
            place.copy_(values)
        graph.replay()
        cpu.update(*batch)
    assert torch.allclose(ours.counts.cpu().double(), cpu.counts.double(), rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("whole", [False, True], ids=["in pieces", "whole"])
@pytest.mark.parametrize("form", ["logits", "labels", "one logit for each item", "weighted logits", "multilabel"])
@pytest.mark.filterwarnings("ignore")  # of the compiler
def test_a_compiled_update_counts_the_same(form, whole):
    torch._dynamo.reset()
    (ours, cpu), draw = both_states(form), FORMS[form][1]
    ours.update(*(x.cuda() for x in draw(64)))  # loads the kernels
    ours.reset()
    update = torch.compile(ours.update, fullgraph=whole)
    for _ in range(3):
        batch = draw(512)
        update(*(x.cuda() for x in batch))
        cpu.update(*batch)
    assert torch.allclose(ours.counts.cpu().double(), cpu.counts.double(), rtol=1e-12, atol=1e-9)


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")
def test_tensors_of_another_device_than_the_current_one():
    with torch.cuda.device(0):
        true, pred = (x.to("cuda:1") for x in drawn(10_000, 10))
        assert np.array_equal(confusion(pred, true, classes=10).cpu().numpy(), by_numpy(true, pred, 10))
        score = torch.rand(10_000, device="cuda:1")
        expected = gm.roc_auc((true > 4).cpu(), score.cpu())
        assert gm.roc_auc(true > 4, score) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [2, 5_000, 300_000])
@pytest.mark.parametrize("how", ["probabilities", "logits", "doubles", "wide doubles", "ties", "all tied", "halves"])
def test_areas_equal_those_of_the_cpu(n, how):
    y = torch.rand(n) < 0.3
    y[0], y[1] = True, False
    s = {
        "probabilities": lambda: torch.rand(n),
        "logits": lambda: torch.randn(n) * 10,
        "doubles": lambda: torch.rand(n, dtype=torch.float64),
        "wide doubles": lambda: torch.randn(n, dtype=torch.float64) * 1e300,
        "ties": lambda: torch.randint(-3, 4, (n,)).float(),
        "all tied": lambda: torch.zeros(n) * -1,
        "halves": lambda: torch.rand(n).half(),
    }[how]()
    if how == "logits":
        s[:2] = torch.tensor([float("inf"), float("-inf")])
    found = score_tensors.areas(y.cuda(), s.cuda())
    assert found.roc_auc == pytest.approx(gm.roc_auc(y, s.double()), abs=1e-13)
    assert found.average_precision == pytest.approx(gm.average_precision(y, s.double()), abs=1e-12)


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


@pytest.mark.parametrize("name", ["mcc", "macro(f1)", "k", "kappa", "weighted_kappa(weights='linear')", "gwet"])
def test_a_loss_by_a_graph_is_that_of_pytorchs_operations(name):
    pytest.importorskip("array_api_compat")
    loss = SoftMeasureLoss(name, ignore_index=0)
    for n, kind in ((64, torch.float32), (2048, torch.float64), (100, torch.float32)):
        ours = torch.randn((n, 4), device="cuda", dtype=kind, requires_grad=True)
        plain = ours.detach().clone().requires_grad_()
        t, w = torch.randint(0, 4, (n,), device="cuda"), torch.rand(n, device="cuda")
        first = loss(ours, t, w)
        second = loss(ours * 2, t)  # before the gradient of the first is asked for
        (first + 2 * second).backward()
        expected = loss.loss(plain, t, w), loss.loss(plain * 2, t)
        (expected[0] + 2 * expected[1]).backward()
        assert torch.allclose(torch.stack((first, second)), torch.stack(expected), rtol=1e-6)
        assert torch.allclose(ours.grad, plain.grad, rtol=1e-5, atol=1e-9)
    assert any(graph is not None for graph in loss._graphs.values())
    again = pickle.loads(pickle.dumps(loss))
    assert torch.allclose(again(ours, t, w), first)


def test_a_loss_that_looks_at_values_has_no_graph():
    pytest.importorskip("array_api_compat")

    def looks(c):
        right = c.sum(lambda i: c[i, i])
        return right / c.n if right > 3 else right / (c.n + 1)

    loss = SoftMeasureLoss(looks)
    x, t = torch.randn((64, 4), device="cuda", requires_grad=True), torch.randint(0, 4, (64,), device="cuda")
    loss(x, t).backward()
    assert bool(x.grad.isfinite().all())
    assert all(graph is None for graph in loss._graphs.values())


MATRICES = np.random.default_rng(1).integers(1, 50, (5, 3, 3)).astype(float)
FEW = ("mcc", "macro(f1)", "k", "kappa", "accuracy")


@pytest.mark.parametrize("name", FEW)
def test_jax_on_the_device(name):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    measure, matrices = gm.measure(name), jax.numpy.asarray(MATRICES)
    assert np.allclose(np.asarray(jax.jit(measure)(matrices)), measure(MATRICES), rtol=1e-12)
    assert np.allclose(np.asarray(jax.vmap(measure)(matrices)), measure(MATRICES), rtol=1e-12)
    assert np.isfinite(np.asarray(jax.grad(measure)(matrices[0]))).all()


@pytest.mark.parametrize("name", FEW)
def test_cupy(name):
    cupy = pytest.importorskip("cupy")
    pytest.importorskip("array_api_compat")
    found = gm.measure(name)(cupy.asarray(MATRICES))
    assert isinstance(found, cupy.ndarray)
    assert np.allclose(cupy.asnumpy(found), gm.measure(name)(MATRICES), rtol=1e-12)


SCORES = [
    "roc_auc", "average_precision", "gini", "log_loss", "brier", "calibration_error()",
    "calibration_error(kind='maximum')", "calibration_error(kind='rms', debiased=True)",
    "calibration_error(classwise=True)",
]  # fmt: skip
OF_MORE = [
    "macro(roc_auc)", "weighted(roc_auc)", "macro(average_precision)", "log_loss", "brier", "calibration_error()",
    "calibration_error(classwise=True)",
]  # fmt: skip


def nothing_is_copied(monkeypatch):
    from goodmeasure.catalogue.scores import measure as home

    monkeypatch.setattr(home, "read_scored", None)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("labels", ["booleans", "integers", "other integers", "first"])
def test_measures_of_scores_equal_the_cpu(name, labels, weighted, monkeypatch):
    measure, p = gm.measure(name), torch.rand(50_000, dtype=torch.float64)
    y = torch.rand(50_000) < p
    y = {"booleans": y, "integers": y.long(), "other integers": y.int() * 3 + 4, "first": y.long()}[labels]
    given = {"positive": 0} if labels == "first" else {}
    weights = {"sample_weight": torch.rand(50_000).round(decimals=1)} if weighted else {}
    expected = measure(y, p, **given, **weights)
    nothing_is_copied(monkeypatch)
    weights = {key: x.cuda() for key, x in weights.items()}
    assert measure(y.cuda(), p.cuda(), **given, **weights) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", OF_MORE)
def test_measures_of_scores_of_more_classes_equal_the_cpu(name, weighted, monkeypatch):
    measure, p = gm.measure(name), torch.rand((20_000, 5), dtype=torch.float64).softmax(1)
    y = torch.multinomial(p, 1)[:, 0]
    weights = {"sample_weight": torch.rand(20_000)} if weighted else {}
    expected = measure(y, p, **weights)
    nothing_is_copied(monkeypatch)
    weights = {key: x.cuda() for key, x in weights.items()}
    assert measure(y.cuda(), p.cuda(), **weights) == pytest.approx(expected, abs=1e-11)


def test_scores_that_are_not_clean_are_left_to_the_cpu():
    y, p = torch.zeros(10, dtype=torch.long, device="cuda"), torch.rand(10, device="cuda")
    assert np.isnan(gm.roc_auc(y, p))
    y[:3] = torch.tensor([0, 1, 2])
    with pytest.raises(gm.InputError):
        gm.roc_auc(y, p)
    y = torch.tensor([1, 0], device="cuda")
    assert gm.log_loss(y, torch.tensor([0.0, 0.5], device="cuda")) == np.inf
    with pytest.raises(gm.InputError, match="NaN"):
        gm.roc_auc(y, torch.tensor([0.5, float("nan")], device="cuda"))
    with pytest.raises(gm.InputError, match="probabilities"):
        gm.brier(y, torch.tensor([0.5, 1.5], device="cuda"))
    weights = torch.rand(2, device="cuda")
    assert gm.spherical_score(y, p[:2], sample_weight=weights) == pytest.approx(
        gm.spherical_score(y.cpu(), p[:2].cpu(), sample_weight=weights.cpu())
    )
