"""Counting and scores on a GPU beside torchmetrics, torch.bincount and plain copies: docs/benchmarks-gpu.md.

Run it on a machine with an NVIDIA GPU: ``python -m benchmarks.gpu --out FILE [--seconds 300] [--quick]``. The file is
written after every row, so that nothing is lost if the run is stopped; rows that would start after the given seconds
are left out and named. *Device* times are medians over many launches between device events, after warm-up, with an
empty cache; *calls* are timed by the clock of the host, from the call until its result is there.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
import triton

import goodmeasure as gm
from goodmeasure.counts.device import score_tensors, tally
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.interval import intervals as host_intervals
from goodmeasure.torch import Measures, SoftMeasureLoss, confusion, intervals

HOST_REPEATS = 1000
Row = dict[str, Any]


class Record:
    """What was measured so far, in a file that is complete after every row."""

    def __init__(self, path: str | None, seconds: float) -> None:
        self.path, self.deadline = path, time.monotonic() + seconds
        self.found: dict[str, Any] = {"left out": [], "errors": []}

    def note(self, **facts: Any) -> None:
        """Keep facts about the run."""
        self.found.update(facts)
        print(facts, flush=True)
        self._write()

    def row(self, section: str, measured: Callable[..., Row], *given: Any) -> None:
        """Measure one row and keep it, or keep why there is none."""
        name = f"{section}: {', '.join(str(x).removeprefix('torch.') for x in given if not callable(x))}"
        if time.monotonic() > self.deadline:
            self.found["left out"].append(name)
            self._write()
            return
        try:
            row = measured(*given)
        except Exception as error:  # noqa: BLE001 - a row that fails must not cost the others
            torch.cuda.empty_cache()
            self.found["errors"].append(f"{name}: {type(error).__name__}: {error}"[:400])
            print(self.found["errors"][-1], flush=True)
        else:
            self.found.setdefault(section, []).append(row)
            shown = {k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()}
            print(section, shown, flush=True)
        torch.cuda.empty_cache()
        self._write()

    def rows(self, section: str, measured: Callable[[], list[Row]]) -> None:
        """Measure several rows together, and keep them."""
        found: list[Row] = []
        self.row(section, lambda: found.extend(measured()) or {})
        self.found[section] = found
        print(section, found, flush=True)
        self._write()

    def _write(self) -> None:
        if self.path:
            beside = Path(f"{self.path}.partial")
            beside.write_text(json.dumps(self.found, indent=1), encoding="utf-8")
            os.replace(beside, self.path)


# Clocks


def milliseconds(work: Callable[[], Any]) -> float:
    """Return the median time of some work on the device."""
    return float(triton.testing.do_bench(work, warmup=15, rep=60, return_mode="median"))


def called(work: Callable[[], Any]) -> float:
    """Return the milliseconds from a call until its result is there: the median over several calls."""
    for _ in range(3):
        work()
    torch.cuda.synchronize()
    taken: list[float] = []
    end = time.perf_counter() + 0.1
    while len(taken) < 5 or (time.perf_counter() < end and len(taken) < 500):
        begin = time.perf_counter()
        work()
        torch.cuda.synchronize()
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken) * 1e3


def host_microseconds(work: Callable[[], Any]) -> float:
    """Return the time that the host spends on starting some work, without waiting for the device."""
    for _ in range(50):
        work()
    torch.cuda.synchronize()
    best = float("inf")
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(HOST_REPEATS // 5):
            work()
        best = min(best, (time.perf_counter() - begin) / (HOST_REPEATS // 5))
        torch.cuda.synchronize()
    return best * 1e6


def attempted(clock: Callable[..., float], work: Callable[[], Any]) -> float | None:
    """Return the time of a peer's work, which may not fit into memory."""
    try:
        return clock(work)
    except (torch.cuda.OutOfMemoryError, RuntimeError):
        torch.cuda.empty_cache()
        return None


def copy_bandwidth() -> float:
    """Return the bytes per second that a copy on the device reads and writes."""
    x = torch.empty(2**30, dtype=torch.uint8, device="cuda")
    y = torch.empty_like(x)
    return 2 * x.numel() / (milliseconds(lambda: y.copy_(x)) / 1e3)


# Labels


DRAWN = "uniform", "skewed", "sorted", "constant"


def labels(n: int, m: int, dtype: torch.dtype, how: str = "uniform") -> tuple[torch.Tensor, torch.Tensor]:
    """Return true and predicted labels, of which about 70% agree; constant ones are of one class, without an error.

    Skewed labels are m · u⁸ for uniform u: a third to a half of the items are of one class.
    """
    if how == "constant":
        true = torch.full((n,), m // 2, device="cuda", dtype=dtype)
        return true, true.clone()

    def drawn() -> torch.Tensor:
        if how == "skewed":
            return (torch.rand(n, device="cuda", dtype=torch.float64) ** 8 * m).to(torch.int32)
        return torch.randint(0, m, (n,), device="cuda", dtype=torch.int32)

    true = drawn().sort().values if how == "sorted" else drawn()
    pred = torch.where(torch.rand(n, device="cuda") < 0.7, true, drawn())
    return true.to(dtype), pred.to(dtype)


def name_of(dtype: torch.dtype) -> str:
    """Return the name of a type without that of its library."""
    return str(dtype).removeprefix("torch.")


def counting_row(n: int, m: int, dtype: torch.dtype, how: str, bandwidth: float) -> Row:
    """Return the times of counting labels on the device; torchmetrics, which calls torch.bincount, on uniform ones."""
    from torchmetrics.functional.classification import multiclass_confusion_matrix as peer

    true, pred = labels(n, m, dtype, how)
    counts = torch.zeros((m, m), dtype=torch.int64, device="cuda")
    faults = torch.zeros(tally.FAULTS, dtype=torch.int64, device="cuda")
    tally.add_labels(counts, faults, true, pred)
    expected = torch.bincount(true.long() * m + pred.long(), minlength=m * m).reshape(m, m)
    assert torch.equal(counts, expected), "the counts are wrong"
    assert torch.equal(confusion(pred, true, classes=m), expected), "the counts are wrong"
    ours = milliseconds(lambda: tally.add_labels(counts, faults, true, pred))
    t, p = true.long(), pred.long()
    moved = 2 * n * true.element_size() / (ours / 1e3)
    row = {
        "n": n, "m": m, "dtype": name_of(dtype), "labels": how, "goodmeasure": ours, "TB/s": moved / 1e12,
        "share of copy bandwidth": moved / bandwidth,
        "torch.bincount": attempted(milliseconds, lambda: torch.bincount(t * m + p, minlength=m * m)),
    }  # fmt: skip
    if how != "uniform":
        return row
    return row | {
        "torchmetrics": attempted(milliseconds, lambda: peer(p, t, num_classes=m)),
        "torchmetrics, no validation": attempted(
            milliseconds, lambda: peer(p, t, num_classes=m, validate_args=False)
        ),
    }  # fmt: skip


def calls_row(n: int, m: int, dtype: torch.dtype, how: str) -> Row:
    """Return the times of what users call with labels, by the clock of the host."""
    from torchmetrics.classification import MulticlassConfusionMatrix
    from torchmetrics.functional.classification import multiclass_confusion_matrix as peer

    true, pred = labels(n, m, dtype, how)
    state = Measures(["mcc"], classes=m).cuda()
    theirs = MulticlassConfusionMatrix(m, validate_args=False).cuda()
    flat = torch.zeros(m * m, dtype=torch.int64, device="cuda")
    t, p = true.long(), pred.long()
    return {
        "n": n, "m": m, "dtype": name_of(dtype), "labels": how,
        "gm.confusion": called(lambda: gm.confusion(true, pred)),
        "its counts": called(lambda: gm.confusion(true, pred).counts),
        "gm.mcc": called(lambda: gm.mcc(true, pred)),
        "goodmeasure.torch.confusion": called(lambda: confusion(pred, true, classes=m)),
        "Measures.update": called(lambda: state.update(pred, true)),
        "torch.bincount": called(lambda: flat.add_(torch.bincount(t * m + p, minlength=m * m))),
        "torchmetrics": attempted(called, lambda: peer(p, t, num_classes=m)),
        "torchmetrics, no validation": attempted(called, lambda: peer(p, t, num_classes=m, validate_args=False)),
        "torchmetrics update": attempted(called, lambda: theirs.update(p, t)),
    }  # fmt: skip


# Logits


def logits_row(n: int, m: int, dtype: torch.dtype, how: str) -> Row:
    """Return the times of counting logits, the greatest of which are labels of some distribution."""
    from torchmetrics.functional.classification import multiclass_confusion_matrix as peer

    true, pred = labels(n, m, torch.int64, how)
    logits = torch.randn((n, m), device="cuda", dtype=torch.float32)
    logits = logits.scatter_(1, pred[:, None], 10.0).to(dtype)
    counts = torch.zeros((m, m), dtype=torch.int64, device="cuda")
    faults = torch.zeros(tally.FAULTS, dtype=torch.int64, device="cuda")
    tally.add_logits(counts, faults, true, logits)
    expected = torch.bincount(true * m + logits.argmax(1), minlength=m * m).reshape(m, m)
    assert torch.equal(counts, expected), "the counts are wrong"
    return {
        "n": n, "m": m, "dtype": name_of(dtype), "labels": how,
        "goodmeasure": milliseconds(lambda: tally.add_logits(counts, faults, true, logits)),
        "goodmeasure.torch.confusion": called(lambda: confusion(logits, true, classes=m)),
        "reading": milliseconds(lambda: logits.view(-1).view(torch.int32).sum(dtype=torch.int32)),
        "argmax, bincount": attempted(
            milliseconds, lambda: torch.bincount(true * m + logits.argmax(1), minlength=m * m)
        ),
        "torchmetrics": attempted(milliseconds, lambda: peer(logits, true, num_classes=m)),
        "torchmetrics, no validation": attempted(
            milliseconds, lambda: peer(logits, true, num_classes=m, validate_args=False)
        ),
    }  # fmt: skip


def images_row(images: int, m: int, side: int) -> Row:
    """Return the times of one update with logits of images, of whose pixels 80% are background."""
    from torchmetrics.classification import MulticlassJaccardIndex

    shape = images, side, side
    logits = torch.randn((images, m, side, side), device="cuda")
    true = torch.where(torch.rand(shape, device="cuda") < 0.8, 0, torch.randint(0, m, shape, device="cuda"))
    state, theirs = (
        x.cuda() for x in (Measures(["macro(jaccard)"], classes=m), MulticlassJaccardIndex(m, validate_args=False))
    )
    expected = torch.bincount((true * m + logits.argmax(1)).reshape(-1), minlength=m * m).reshape(m, m)
    assert torch.equal(confusion(logits, true, classes=m), expected), "the counts are wrong"
    counts = torch.zeros((m, m), dtype=torch.int64, device="cuda")
    faults = torch.zeros(tally.FAULTS, dtype=torch.int64, device="cuda")
    last = logits.to(memory_format=torch.channels_last)
    return {
        "what": f"{images} × {m} × {side} × {side}",
        "on the device": milliseconds(lambda: tally.add_logits(counts, faults, true, logits)),
        "reading": milliseconds(lambda: logits.view(-1).view(torch.int32).sum(dtype=torch.int32)),
        "Measures.update": called(lambda: state.update(logits, true)),
        "channels last": called(lambda: state.update(last, true)),
        "torchmetrics Jaccard": called(lambda: theirs.update(logits, true)),
    }


# Scores


def scores_row(n: int, kind: str) -> Row:
    """Return the times of measures of scores; probabilities are rounded, so that many are equal."""
    from torchmetrics.functional.classification import binary_auroc, binary_average_precision, binary_calibration_error

    score = (torch.rand(n, device="cuda") * 1e6).round() / 1e6
    true = (torch.rand(n, device="cuda") < score).long()
    shown = score if kind == "probabilities" else score.clamp(1e-6, 1 - 1e-6).logit()
    theirs = {"validate_args": False}
    found = score_tensors.areas(true, shown)
    assert found is not None, "the scores are clean"
    if n <= 10**7:
        expected = binary_auroc(score, true, **theirs), binary_average_precision(score, true, **theirs)
        for ours, peer in zip(found, expected, strict=True):
            assert abs(ours - float(peer)) < 1e-4, (ours, float(peer))
    row: Row = {
        "n": n, "scores": kind, "torch.sort": milliseconds(lambda: torch.sort(shown)),
        "both areas": called(lambda: score_tensors.areas(true, shown)),
        "gm.roc_auc": called(lambda: gm.roc_auc(true, shown)),
        "gm.average_precision": called(lambda: gm.average_precision(true, shown)),
        "torchmetrics AUROC": attempted(called, lambda: binary_auroc(shown, true, **theirs).item()),
        "torchmetrics AUROC, validating": attempted(called, lambda: binary_auroc(shown, true).item()),
        "torchmetrics AP": attempted(called, lambda: binary_average_precision(shown, true, **theirs).item()),
        "torchmetrics AP, validating": attempted(called, lambda: binary_average_precision(shown, true).item()),
    }  # fmt: skip
    if kind != "probabilities":
        return row
    return row | {
        "gm.log_loss": called(lambda: gm.log_loss(true, score)),
        "gm.brier": called(lambda: gm.brier(true, score)),
        "torch BCE": called(lambda: torch.nn.functional.binary_cross_entropy(score, true.float()).item()),
        "gm.calibration_error": called(lambda: gm.calibration_error(true, score)),
        "torchmetrics calibration": attempted(
            called, lambda: binary_calibration_error(score, true, n_bins=15, **theirs).item()
        ),
        "torchmetrics calibration, validating": attempted(
            called, lambda: binary_calibration_error(score, true, n_bins=15).item()
        ),
    }


def classes_row(n: int, m: int) -> Row:
    """Return the times of measures of scores of several classes."""
    from torchmetrics.functional.classification import multiclass_auroc, multiclass_calibration_error

    p = torch.randn((n, m), device="cuda", dtype=torch.float64).softmax(1).float()
    true = torch.multinomial(p, 1)[:, 0]
    weights = torch.rand(n, device="cuda")
    theirs = {"num_classes": m, "validate_args": False}
    return {
        "n": n, "m": m,
        "macro(roc_auc)": called(lambda: gm.macro(gm.roc_auc)(true, p)),
        "weighted by items": called(lambda: gm.macro(gm.roc_auc)(true, p, sample_weight=weights)),
        "torchmetrics AUROC": attempted(called, lambda: multiclass_auroc(p, true, **theirs).item()),
        "gm.log_loss": called(lambda: gm.log_loss(true, p)),
        "gm.calibration_error": called(lambda: gm.calibration_error(bins=15)(true, p)),
        "torchmetrics calibration": attempted(
            called, lambda: multiclass_calibration_error(p, true, n_bins=15, **theirs).item()
        ),
    }  # fmt: skip


# Training loops


def training_work() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield what a step of a training loop may call, with its name."""
    from torchmetrics import MetricCollection
    from torchmetrics.classification import (
        MulticlassAccuracy,
        MulticlassConfusionMatrix,
        MulticlassF1Score,
        MulticlassMatthewsCorrCoef,
    )

    logits, target = torch.randn((512, 10), device="cuda"), torch.randint(0, 10, (512,), device="cuda")
    guessed, weights = logits.argmax(1), torch.rand(512, device="cuda")
    for names in (
        ["mcc"], ["accuracy", "macro(f1)", "mcc"],
        ["accuracy", "macro(f1)", "mcc", "kappa", "sba", "k", "weighted(f1)"],
    ):  # fmt: skip
        state = Measures(names, classes=10).cuda()
        yield f"goodmeasure, {len(names)} measures, logits", lambda s=state: s.update(logits, target)
    state = Measures(["mcc"], classes=10).cuda()
    yield "goodmeasure, labels", lambda: state.update(guessed, target)
    weighted = Measures(["mcc"], classes=10, weighted=True).cuda()
    yield "goodmeasure, logits with weights", lambda: weighted.update(logits, target, weights)
    several = Measures(["f1"], classes=10, multilabel=True).cuda()
    decided = (logits > 0).long()
    yield "goodmeasure, 10 labels for each item", lambda: several.update(logits, decided)
    six = Measures(["roc_auc", "average_precision", "brier", "log_loss", "calibration_error", "mcc"], classes=2).cuda()
    score, event = torch.rand(512, device="cuda"), torch.randint(0, 2, (512,), device="cuda")
    yield "goodmeasure, five measures of scores and MCC", lambda: six.update(score, event)
    matrix = MulticlassConfusionMatrix(10, validate_args=False).cuda()
    yield "torchmetrics confusion matrix", lambda: matrix.update(logits, target)
    three = MulticlassAccuracy, MulticlassF1Score, MulticlassMatthewsCorrCoef
    collection = MetricCollection([kind(10, validate_args=False) for kind in three]).cuda()
    yield "torchmetrics collection of three", lambda: collection.update(logits, target)
    flat, ones = (
        f(100 if f is torch.zeros else 512, dtype=torch.int64, device="cuda") for f in (torch.zeros, torch.ones)
    )
    yield "argmax and scatter_add", lambda: flat.scatter_add_(0, target * 10 + logits.argmax(1), ones)


def training_row(name: str, work: Callable[[], Any]) -> Row:
    """Return the host time of one update in a training loop."""
    return {"what": name, "microseconds": host_microseconds(work)}


def step_rows() -> list[Row]:
    """Return what steps of a small network take, all kinds in turn: the median, and that of what they take more."""
    from torchmetrics import MetricCollection
    from torchmetrics.classification import MulticlassAccuracy, MulticlassF1Score, MulticlassMatthewsCorrCoef

    network = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.ReLU(), torch.nn.Linear(128, 10)).cuda()
    descent, entropy = torch.optim.SGD(network.parameters(), lr=0.01), torch.nn.functional.cross_entropy
    rows, target = torch.randn((2048, 64), device="cuda"), torch.randint(0, 10, (2048,), device="cuda")
    state = Measures(["accuracy", "macro(f1)", "mcc"], classes=10).cuda()
    three = MulticlassAccuracy, MulticlassF1Score, MulticlassMatthewsCorrCoef
    collection = MetricCollection([kind(10, validate_args=False) for kind in three]).cuda()

    def step(loss_of: Callable[..., Any], seen: Callable[..., Any] | None = None) -> None:
        descent.zero_grad(set_to_none=True)
        said = network(rows)
        loss_of(said, target).backward()
        descent.step()
        if seen is not None:
            seen(said, target)

    f1, mcc = SoftMeasureLoss("macro(f1)"), SoftMeasureLoss("mcc")
    kinds: dict[str, Callable[[], None]] = {
        "cross-entropy": lambda: step(entropy),
        "cross-entropy, and three measures": lambda: step(entropy, state.update),
        "cross-entropy, and three of torchmetrics": lambda: step(entropy, collection.update),
        'SoftMeasureLoss("macro(f1)")': lambda: step(f1),
        'SoftMeasureLoss("mcc")': lambda: step(mcc),
        'SoftMeasureLoss("mcc") by PyTorch\'s operations': lambda: step(mcc.loss),
    }
    taken: dict[str, list[float]] = {name: [] for name in kinds}
    for turn in range(41):
        for name, work in kinds.items():
            torch.cuda.synchronize()
            begin = time.perf_counter()
            for _ in range(20):
                work()
            torch.cuda.synchronize()
            if turn:
                taken[name].append((time.perf_counter() - begin) / 20 * 1e6)
    base = taken["cross-entropy"]
    return [
        {"what": name, "median": statistics.median(x), "least": min(x), "least more": min(x) - min(base),
         "more": statistics.median(a - b for a, b in zip(x, base, strict=True))}
        for name, x in taken.items()
    ]  # fmt: skip


# Intervals


def intervals_row(matrices: int, m: int, replicates: int = 2000) -> Row:
    """Return the times of bootstrap intervals of three measures, on the device and, for a few matrices, on the host."""
    names = ["mcc", "macro(f1)", "kappa"]
    counts = torch.randint(0, 50, (matrices, m, m), device="cuda") + 500 * torch.eye(m, device="cuda").long()
    few = counts[: max(1, 2000 // (m * m))].cpu()
    intervals(counts, names, replicates=replicates)  # compiles and warms up
    torch.cuda.synchronize()
    seconds = []
    for _ in range(2):
        begin = time.perf_counter()
        intervals(counts, names, replicates=replicates)
        torch.cuda.synchronize()
        seconds.append(time.perf_counter() - begin)
    begin = time.perf_counter()
    for each in few:
        host_intervals(Sample(ConfusionMatrix(each.numpy())), names, method="percentile", replicates=replicates)
    on_host = (time.perf_counter() - begin) / len(few) * matrices
    return {
        "matrices": matrices, "m": m, "replicates": replicates, "goodmeasure": min(seconds) * 1e3,
        "on the host": on_host * 1e3, "× host": on_host / min(seconds),
    }  # fmt: skip


# Everything

KINDS = (torch.int64, torch.int32, torch.uint8)


def measure_all(record: Record, quick: bool) -> None:
    """Measure every row: the ones that aims speak of first, the largest last."""
    bandwidth = copy_bandwidth()
    versions = {"python": platform.python_version(), "torch": torch.__version__, "triton": triton.__version__}
    versions |= {"torchmetrics": version("torchmetrics"), "goodmeasure": gm.__version__}
    record.note(device=torch.cuda.get_device_name(), versions=versions, **{"copy TB/s": bandwidth / 1e12})
    for name, work in training_work():
        record.row("training", training_row, name, work)
    record.rows("steps", step_rows)
    for images, m, side in ((8, 21, 256), (8, 2, 256), (4, 150, 256)):
        record.row("images", images_row, images, m, side)
    for n in (10**6, 10**7, 10**8):
        for kind in ("probabilities", "logits"):
            record.row("scores", scores_row, n, kind)
    for n, m in ((10**6, 5), (10**6, 100)):
        record.row("classes", classes_row, n, m)
    for n, m in ((10**4, 10), (10**7, 2), (10**7, 10), (10**7, 100), (10**6, 1000)):
        for dtype in (torch.float32, torch.bfloat16):
            for how in DRAWN:
                record.row("logits", logits_row, n, m, dtype, how)
    for n in (10**4, 10**6, 10**8):
        for m in (2, 10, 30, 100, 1000):
            for how in DRAWN:
                record.row("calls", calls_row, n, m, torch.int64, how)
    for n in (10**4, 10**6, 10**8):
        count_all(record, n, bandwidth)
    for k, m in ((1, 10), (100, 2), (1000, 10), (1000, 30), (100, 100)):
        record.row("intervals", intervals_row, k, m)
    if not quick:
        count_all(record, 10**9, bandwidth)


def count_all(record: Record, n: int, bandwidth: float) -> None:
    """Measure the rows of counts of n items."""
    for m in (2, 10, 30, 64, 100, 200, 1000, 5000):
        for dtype in KINDS if n >= 10**8 else KINDS[:1]:
            if dtype != torch.uint8 or m <= 200:
                for how in DRAWN:
                    record.row("counting", counting_row, n, m, dtype, how, bandwidth)


def main() -> int:
    """Measure everything, and write the numbers as JSON; return 1 if a row could not be measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out")
    parser.add_argument("--quick", action="store_true", help="leave out n = 1e9")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start no row after so many seconds")
    given = parser.parse_args()
    torch.manual_seed(0)
    record = Record(given.out, given.seconds)
    measure_all(record, given.quick)
    return 1 if record.found["errors"] else 0


if __name__ == "__main__":
    sys.exit(main())
