"""The page docs/benchmarks-gpu.md, from what benchmarks/gpu.py measured: ``python -m benchmarks.gpu_page``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("gpu.json")
PAGE = Path(__file__).parents[1] / "docs" / "benchmarks-gpu.md"

HEAD = """# Speed on a GPU

Measured on one {device} with Python {python}, PyTorch {torch}, Triton {triton} and torchmetrics 1.9. Times are medians
in milliseconds between device events, after warm-up, on random labels of which about 70% agree. A copy on the device
moves {copy:.2f} TB/s (read and written) in the same run. Repeat it on a machine with an NVIDIA GPU:

```sh
python -m benchmarks.gpu --out benchmarks/gpu.json && python -m benchmarks.gpu_page
python -m pytest tests/torch/test_cuda.py
```

Every row first checks that the counts are those of `torch.bincount`. *goodmeasure* adds labels to counts on the device
and checks every label in the same pass; *torchmetrics* is `multiclass_confusion_matrix` with its validation, which that
check corresponds to; *without* is the same with `validate_args=False`.
"""


COUNTING = {
    "n": "items",
    "m": "classes",
    "dtype": "labels",
    "goodmeasure": "goodmeasure",
    "bandwidth": "of copy bandwidth",
    "torch.bincount": "torch.bincount",
    "torchmetrics": "torchmetrics",
    "torchmetrics, no validation": "without",
    "× torchmetrics": "× torchmetrics",
    "× torch.bincount": "× bincount",
}
LOGITS = {
    "n": "items",
    "m": "classes",
    "dtype": "logits",
    "goodmeasure": "goodmeasure",
    "reading": "reading",
    "argmax, bincount": "argmax, bincount",
    "torchmetrics": "torchmetrics",
    "× torchmetrics": "× torchmetrics",
}
SCORES = {
    "n": "items",
    "torch.sort": "torch.sort",
    "both areas": "both areas",
    "torchmetrics AUROC": "torchmetrics AUROC",
    "torchmetrics AP": "torchmetrics AP",
    "× areas": "× both",
    "× AUROC": "× AUROC alone",
    "× AP": "× AP alone",
    "log loss and Brier": "log loss and Brier",
    "calibration": "calibration",
    "torchmetrics calibration": "torchmetrics calibration",
    "× calibration": "× calibration",
}
INTERVALS = {
    "matrices": "matrices",
    "m": "classes",
    "replicates": "resamples of each",
    "goodmeasure": "on the GPU",
    "on the host": "on the host",
    "× host": "× host",
}


def table(rows: list[dict[str, Any]], columns: dict[str, str]) -> str:
    """Return rows as a Markdown table."""
    lines = ["| " + " | ".join(columns.values()) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(_cell(row.get(key)) for key in columns) + " |" for row in rows]
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"1e{len(str(value)) - 1}" if value >= 10_000 and set(str(value)[1:]) == {"0"} else str(value)
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _with_ratios(row: dict[str, Any]) -> dict[str, Any]:
    found = dict(row)
    for peer in ("torchmetrics", "torchmetrics, no validation", "torch.bincount"):
        found[f"× {peer}"] = row[peer] / row["goodmeasure"] if row.get(peer) else None
    if "share of copy bandwidth" in row:
        found["bandwidth"] = f"{row['share of copy bandwidth']:.0%}"
    return found


def page(found: dict[str, Any]) -> str:
    """Return the page."""
    head = HEAD.format(device=found["device"], copy=found["copy TB/s"], **found["versions"])
    counting = [_with_ratios(row) for row in found["counting"]]
    logits = [_with_ratios(row) for row in found["logits"]]
    scores = [
        {
            **row,
            "× AUROC": row["torchmetrics AUROC"] / row["both areas"],
            "× AP": row["torchmetrics AP"] / row["both areas"],
            "× areas": (row["torchmetrics AUROC"] + row["torchmetrics AP"]) / row["both areas"],
            "× calibration": row["torchmetrics calibration"] / row["calibration"],
        }
        for row in found["scores"]
    ]
    training = [{"what": row["what"], "time": f"{row['microseconds']:.0f}"} for row in found["training"]]
    return "\n".join(
        [
            head,
            "## Labels to counts\n",
            table(counting, COUNTING),
            "\n## Logits to counts\n",
            "The greatest logit of each row is found and counted in one pass; *reading* sums the same bytes.\n",
            table(logits, LOGITS),
            "\n## Scores\n",
            "Both areas (ROC AUC and average precision) come from one sort; torchmetrics sorts for each. The ratio "
            "compares the sum of its two times with our one, and *alone* each of its times with ours, since one area "
            "takes us as long as both. The calibration error gains less where n is small, since its launches "
            "cost more than the data.\n",
            table(scores, SCORES),
            "\n## A step of a training loop\n",
            "Host time in microseconds of one `update` with 512 × 10 logits, without waiting for the device.\n",
            table(training, {"what": "update of", "time": "µs"}),
            "\n## Bootstrap intervals of many matrices\n",
            "`goodmeasure.torch.intervals` of three measures; *on the host* is the percentile bootstrap of "
            "`gm.evaluate`, timed on a few of the matrices.\n",
            table(found["intervals"], INTERVALS),
            "",
        ]
    )


if __name__ == "__main__":
    PAGE.write_text(page(json.loads(RESULTS.read_text(encoding="utf-8"))), encoding="utf-8")
