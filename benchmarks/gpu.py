"""Counting and scores on a GPU beside torchmetrics, torch.bincount and plain copies: docs/benchmarks-gpu.md.

Run it on a machine with an NVIDIA GPU: ``python -m benchmarks.gpu [--quick] [--out FILE]``. Every time is the median
over many launches between device events, after warm-up, on random data larger than the cache unless n is small.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from typing import Any

import torch
import triton

from goodmeasure.counts.device import scores, tally
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.interval import intervals as host_intervals
from goodmeasure.torch import Measures, intervals

SIZES = (10**4, 10**6, 10**8)
HOST_REPEATS = 2000


def milliseconds(work: Callable[[], Any]) -> float:
    """Return the median time of some work on the device."""
    return float(triton.testing.do_bench(work, warmup=20, rep=80, return_mode="median"))


def attempted(work: Callable[[], Any]) -> float | None:
    """Return the time of work that may not fit into memory."""
    try:
        return milliseconds(work)
    except (torch.cuda.OutOfMemoryError, RuntimeError):
        torch.cuda.empty_cache()
        return None


def copy_bandwidth() -> float:
    """Return the bytes per second that a copy on the device reads and writes."""
    x = torch.empty(2**30, dtype=torch.uint8, device="cuda")
    y = torch.empty_like(x)
    return 2 * x.numel() / (milliseconds(lambda: y.copy_(x)) / 1e3)


def labels(n: int, m: int, dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    """Return true and predicted labels, of which about 70% agree."""
    true = torch.randint(0, m, (n,), device="cuda", dtype=torch.int32).to(dtype)
    other = torch.randint(0, m, (n,), device="cuda", dtype=torch.int32).to(dtype)
    return true, torch.where(torch.rand(n, device="cuda") < 0.7, true, other)


def counting_row(n: int, m: int, dtype: torch.dtype, bandwidth: float) -> dict[str, Any]:
    """Return the times of counting labels."""
    from torchmetrics.functional.classification import multiclass_confusion_matrix as peer

    true, pred = labels(n, m, dtype)
    counts = torch.zeros((m, m), dtype=torch.int64, device="cuda")
    faults = torch.zeros(tally.FAULTS, dtype=torch.int64, device="cuda")
    tally.add_labels(counts, faults, true, pred)
    expected = torch.bincount(true.long() * m + pred.long(), minlength=m * m).reshape(m, m)
    assert torch.equal(counts, expected), (n, m, dtype)
    ours = milliseconds(lambda: tally.add_labels(counts, faults, true, pred))
    t, p = true.long(), pred.long()
    return {
        "n": n, "m": m, "dtype": str(dtype).removeprefix("torch."), "goodmeasure": ours,
        "share of copy bandwidth": 2 * n * true.element_size() / (ours / 1e3) / bandwidth,
        "torch.bincount": attempted(lambda: torch.bincount(true.long() * m + pred.long(), minlength=m * m)),
        "torchmetrics": attempted(lambda: peer(p, t, num_classes=m)),
        "torchmetrics, no validation": attempted(lambda: peer(p, t, num_classes=m, validate_args=False)),
    }  # fmt: skip


def logits_row(n: int, m: int, dtype: torch.dtype) -> dict[str, Any]:
    """Return the times of counting logits."""
    from torchmetrics.functional.classification import multiclass_confusion_matrix as peer

    logits = torch.randn((n, m), device="cuda", dtype=torch.float32).to(dtype)
    true = torch.randint(0, m, (n,), device="cuda")
    counts = torch.zeros((m, m), dtype=torch.int64, device="cuda")
    faults = torch.zeros(tally.FAULTS, dtype=torch.int64, device="cuda")
    tally.add_logits(counts, faults, true, logits)
    expected = torch.bincount(true * m + logits.argmax(1), minlength=m * m).reshape(m, m)
    assert torch.equal(counts, expected), (n, m, dtype, int((counts - expected).abs().sum()))
    return {
        "n": n, "m": m, "dtype": str(dtype).removeprefix("torch."),
        "goodmeasure": milliseconds(lambda: tally.add_logits(counts, faults, true, logits)),
        "reading": milliseconds(lambda: logits.view(torch.uint8).view(-1).view(torch.int32).sum(dtype=torch.int32)),
        "argmax, bincount": attempted(lambda: torch.bincount(true * m + logits.argmax(1), minlength=m * m)),
        "torchmetrics": attempted(lambda: peer(logits, true, num_classes=m, validate_args=False)),
    }  # fmt: skip


def scores_row(n: int) -> dict[str, Any]:
    """Return the times of score measures; scores are rounded to a few digits, so that many are equal."""
    from torchmetrics.functional.classification import binary_auroc, binary_average_precision, binary_calibration_error

    score = (torch.rand(n, device="cuda") * 1e6).round() / 1e6
    true = (torch.rand(n, device="cuda") < score).long()
    found = scores.areas(true, score)
    if n <= 10**7:
        expected = (
            binary_auroc(score, true, validate_args=False),
            binary_average_precision(score, true, validate_args=False),
        )
        for ours, theirs in zip(found, expected, strict=True):
            assert abs(float(ours) - float(theirs)) < 1e-4, (n, float(ours), float(theirs))
    hit = (score > 0.5) == (true == 1)
    confidence = torch.maximum(score, 1 - score)
    return {
        "n": n,
        "torch.sort": milliseconds(lambda: torch.sort(score)),
        "both areas": milliseconds(lambda: scores.areas(true, score)),
        "torchmetrics AUROC": attempted(lambda: binary_auroc(score, true, validate_args=False)),
        "torchmetrics AP": attempted(lambda: binary_average_precision(score, true, validate_args=False)),
        "log loss and Brier": milliseconds(lambda: scores.losses(true, score)),
        "torch BCE": milliseconds(lambda: torch.nn.functional.binary_cross_entropy(score, true.float())),
        "calibration": milliseconds(lambda: scores.bins(confidence, hit, 15).expected_error()),
        "torchmetrics calibration": attempted(lambda: binary_calibration_error(score, true, validate_args=False)),
    }


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


def training_rows() -> list[dict[str, Any]]:
    """Return the host time of one update in a training loop."""
    from torchmetrics import MetricCollection
    from torchmetrics.classification import (
        MulticlassAccuracy,
        MulticlassConfusionMatrix,
        MulticlassF1Score,
        MulticlassMatthewsCorrCoef,
    )

    logits, target = torch.randn((512, 10), device="cuda"), torch.randint(0, 10, (512,), device="cuda")
    rows = []
    for names in (
        ["mcc"],
        ["accuracy", "macro(f1)", "mcc"],
        ["accuracy", "macro(f1)", "mcc", "kappa", "sba", "k", "weighted(f1)"],
    ):
        state = Measures(names, classes=10).to("cuda")
        rows.append(
            {
                "what": f"goodmeasure, {len(names)} measures",
                "microseconds": host_microseconds(lambda s=state: s.update(logits, target)),
            }
        )
    peers = {
        "torchmetrics confusion matrix": MulticlassConfusionMatrix(10, validate_args=False),
        "torchmetrics collection of three": MetricCollection([
            MulticlassAccuracy(10, validate_args=False), MulticlassF1Score(10, validate_args=False),
            MulticlassMatthewsCorrCoef(10, validate_args=False)]),
    }  # fmt: skip
    for name, peer in peers.items():
        peer = peer.to("cuda")
        rows.append({"what": name, "microseconds": host_microseconds(lambda p=peer: p.update(logits, target))})
    flat = torch.zeros(100, dtype=torch.int64, device="cuda")
    ones = torch.ones(512, dtype=torch.int64, device="cuda")
    rows.append({"what": "argmax and scatter_add", "microseconds": host_microseconds(
        lambda: flat.scatter_add_(0, target * 10 + logits.argmax(1), ones))})  # fmt: skip
    return rows


def intervals_row(matrices: int, m: int, replicates: int = 2000) -> dict[str, Any]:
    """Return the times of bootstrap intervals of three measures, on the device and, for a few matrices, on the host."""
    names = ["mcc", "macro(f1)", "kappa"]
    counts = torch.randint(0, 50, (matrices, m, m), device="cuda") + 500 * torch.eye(m, device="cuda").long()
    few = counts[: max(1, 4000 // (m * m))].cpu()
    intervals(counts, names, replicates=replicates)  # compiles and warms up
    torch.cuda.synchronize()
    seconds = []
    for _ in range(3):
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


def main() -> None:
    """Measure everything, and write the numbers as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    torch.manual_seed(0)
    bandwidth = copy_bandwidth()
    versions = {"python": platform.python_version(), "torch": torch.__version__, "triton": triton.__version__}
    found: dict[str, Any] = {
        "device": torch.cuda.get_device_name(),
        "versions": versions,
        "copy TB/s": bandwidth / 1e12,
    }
    print(found)
    sizes = SIZES if given.quick else (*SIZES, 10**9)
    found["counting"] = []
    for n in sizes:
        for m in (2, 10, 30, 100, 1000, *(() if given.quick else (10_000,))):
            for dtype in (torch.uint8, torch.int32, torch.int64):
                if (dtype == torch.uint8 and m > 200) or (n == 10**9 and dtype == torch.int64 and m not in (10, 1000)):
                    continue
                found["counting"].append(counting_row(n, m, dtype, bandwidth))
                print(
                    {k: round(v, 4) if isinstance(v, float) else v for k, v in found["counting"][-1].items()},
                    flush=True,
                )
                torch.cuda.empty_cache()
    found["logits"] = []
    for n, m in ((10**4, 10), (10**7, 2), (10**7, 10), (10**7, 100), (10**6, 1000)):
        for kind in (torch.float32, torch.bfloat16):
            found["logits"].append(logits_row(n, m, kind))
            print({k: round(v, 4) if isinstance(v, float) else v for k, v in found["logits"][-1].items()}, flush=True)
    found["scores"] = [scores_row(n) for n in (10**6, 10**7, 10**8)]
    for row in found["scores"]:
        print({k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()})
    found["training"] = training_rows()
    for row in found["training"]:
        print(row)
    found["intervals"] = [intervals_row(k, m) for k, m in ((1, 10), (100, 2), (1000, 10), (1000, 30), (100, 100))]
    for row in found["intervals"]:
        print(row)
    if given.out:
        with open(given.out, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)


if __name__ == "__main__":
    main()
