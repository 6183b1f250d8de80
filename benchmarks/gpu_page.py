"""The page docs/benchmarks-gpu.md, from what was measured and tested on a GPU: ``python -m benchmarks.gpu_page``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).with_name("gpu.json")
OUTCOMES = Path(__file__).with_name("gpu_tests.json")
PAGE = Path(__file__).parents[1] / "docs" / "benchmarks-gpu.md"
Row = dict[str, Any]

HEAD = """# Speed on a GPU

Measured on one {device} with Python {python}, PyTorch {torch}, Triton {triton} and torchmetrics {torchmetrics}.
A copy on the device moves {copy:.2f} TB/s (read and written) in the same run. Labels are random, and about 70% of them
agree. Repeat it on a machine with an NVIDIA GPU:

```sh
python -m benchmarks.gpu_tests --out benchmarks/gpu_tests.json
python -m benchmarks.gpu --out benchmarks/gpu.json
python -m benchmarks.gpu_page
```

Times are in milliseconds. *On the device* means the median between device events, after warm-up and with an empty
cache; *by the clock* means from the call until its result is there, as a user waits for it. Every row of counts first
checks that they are those of `torch.bincount`. torchmetrics is timed with its validation of the arguments, which does
what our check of every label does, and *without* it (`validate_args=False`).
"""

COUNTING = {
    "n": "items", "m": "classes", "dtype": "labels", "goodmeasure": "goodmeasure", "bandwidth": "of copy bandwidth",
    "torch.bincount": "torch.bincount", "torchmetrics": "torchmetrics", "torchmetrics, no validation": "without",
    "× torchmetrics": "× torchmetrics", "× torchmetrics, no validation": "× without", "× torch.bincount": "× bincount",
}  # fmt: skip
CALLS = {
    "n": "items", "m": "classes", "gm.confusion": "`gm.confusion`", "its counts": "its counts", "gm.mcc": "`gm.mcc`",
    "goodmeasure.torch.confusion": "`torch.confusion`", "Measures.update": "`Measures.update`",
    "torch.bincount": "torch.bincount", "torchmetrics": "torchmetrics", "torchmetrics, no validation": "without",
    "torchmetrics update": "its `update`",
}  # fmt: skip
LOGITS = {
    "n": "items", "m": "classes", "dtype": "logits", "goodmeasure": "goodmeasure", "reading": "reading",
    "goodmeasure.torch.confusion": "`torch.confusion` by the clock", "argmax, bincount": "argmax, bincount",
    "torchmetrics": "torchmetrics", "torchmetrics, no validation": "without", "× torchmetrics": "× torchmetrics",
    "× torchmetrics, no validation": "× without",
}  # fmt: skip
SCORES = {
    "n": "items", "scores": "scores", "torch.sort": "torch.sort", "both areas": "both areas",
    "gm.roc_auc": "`gm.roc_auc`", "torchmetrics AUROC": "torchmetrics", "× AUROC": "× AUROC",
    "× AUROC, validating": "× validating",
    "gm.average_precision": "`gm.average_precision`", "torchmetrics AP": "torchmetrics", "× AP": "× AP",
    "× AP, validating": "× validating",
}  # fmt: skip
PROBABILITIES = {
    "n": "items", "gm.log_loss": "`gm.log_loss`", "gm.brier": "`gm.brier`", "torch BCE": "torch's cross-entropy",
    "gm.calibration_error": "`gm.calibration_error`", "torchmetrics calibration": "torchmetrics calibration error",
    "× calibration": "× calibration", "× calibration, validating": "× validating",
}  # fmt: skip
CLASSES = {
    "n": "items", "m": "classes", "macro(roc_auc)": "`macro(roc_auc)`", "weighted by items": "with weights",
    "torchmetrics AUROC": "torchmetrics", "× AUROC": "× AUROC", "gm.log_loss": "`gm.log_loss`",
    "gm.calibration_error": "`gm.calibration_error`", "torchmetrics calibration": "torchmetrics",
    "× calibration": "× calibration",
}  # fmt: skip
INTERVALS = {
    "matrices": "matrices", "m": "classes", "replicates": "resamples of each", "goodmeasure": "on the GPU",
    "on the host": "on the host", "× host": "× host",
}  # fmt: skip


def table(rows: list[Row], columns: dict[str, str]) -> str:
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


def _ratio(row: Row, peer: str, ours: str) -> float | None:
    return row[peer] / row[ours] if row.get(peer) and row.get(ours) else None


def _with_ratios(row: Row) -> Row:
    found = dict(row)
    for peer in ("torchmetrics", "torchmetrics, no validation", "torch.bincount"):
        found[f"× {peer}"] = _ratio(row, peer, "goodmeasure")
    if "share of copy bandwidth" in row:
        found["bandwidth"] = f"{row['share of copy bandwidth']:.0%}"
    return found


def _with_score_ratios(row: Row) -> Row:
    return {
        **row,
        "× AUROC": _ratio(row, "torchmetrics AUROC", "gm.roc_auc" if "gm.roc_auc" in row else "macro(roc_auc)"),
        "× AP": _ratio(row, "torchmetrics AP", "gm.average_precision"),
        "× calibration": _ratio(row, "torchmetrics calibration", "gm.calibration_error"),
        "× AUROC, validating": _ratio(row, "torchmetrics AUROC, validating", "gm.roc_auc"),
        "× AP, validating": _ratio(row, "torchmetrics AP, validating", "gm.average_precision"),
        "× calibration, validating": _ratio(row, "torchmetrics calibration, validating", "gm.calibration_error"),
    }


# What was aimed at


def aims(found: dict[str, Any]) -> list[Row]:
    """Return each aim with what was measured, and whether it was met."""
    return [
        {"aim": text, "found": " · ".join(_cell(x) for x in values), "met": "yes" if met else "**no**"}
        for text, values, met in _aims(found)
        if values
    ]


def _aims(found: dict[str, Any]) -> Iterator[tuple[str, list[float], bool]]:
    counting, logits, scores = (found.get(x, []) for x in ("counting", "logits", "scores"))

    def of(rows: list[Row], value: Any, **wanted: Any) -> list[float]:
        chosen = [row for row in rows if all(row.get(k) == v for k, v in wanted.items())]
        return [x for x in map(value, chosen) if x is not None]

    def times(peer: str) -> Any:
        return lambda row: _ratio(row, peer, "goodmeasure")

    big = {"n": 10**8, "dtype": "int64"}
    few = [x for m in (2, 10) for x in of(counting, times("torchmetrics"), m=m, **big)]
    yield "1e8 labels (int64) of 2 and 10 classes: at least 25 × torchmetrics", few, min(few, default=0) >= 25
    share = [x for m in (2, 10) for x in of(counting, lambda r: r["share of copy bandwidth"], m=m, **big)]
    yield "… and at least 85% of the copy bandwidth", share, min(share, default=0) >= 0.85
    many = of(counting, times("torchmetrics"), m=1000, **big)
    yield "1e8 labels (int64) of 1000 classes: at least 5 × torchmetrics", many, min(many, default=0) >= 5
    slowest = sorted(of(counting, times("torch.bincount")))[:1]
    yield "never slower than torch.bincount: the least ratio of all rows", slowest, min(slowest, default=0) >= 1
    small = sorted(of(counting, times("torchmetrics, no validation"), n=10**4))[:1]
    yield "1e4 labels: no slower than torchmetrics without validation", small, min(small, default=0) >= 1
    called = sorted(
        x for row in found.get("calls", []) if row["n"] == 10**4
        for x in [_ratio(row, "torchmetrics, no validation", "goodmeasure.torch.confusion")] if x is not None
    )[:1]  # fmt: skip
    yield "… and so by the clock, for `goodmeasure.torch.confusion`", called, min(called, default=0) >= 1
    host = [r["microseconds"] for r in found.get("training", []) if r["what"].startswith("goodmeasure")]
    yield (
        "an update of 512 × 10 logits, also with weights: at most 60 µs of host time",
        host,
        max(host, default=99) <= 60,
    )
    for m, least in ((10, 5), (100, 4)):
        x = of(logits, times("torchmetrics, no validation"), n=10**7, m=m)
        yield (
            f"1e7 rows of {m} logits: at least {least} × torchmetrics without validation",
            x,
            min(x, default=0) >= least,
        )
    plain = [_with_score_ratios(row) for row in scores if row.get("scores") == "probabilities"]
    for text, key, least in (
        ("ROC AUC", "× AUROC", 3),
        ("average precision", "× AP", 3),
        ("calibration error", "× calibration", 10),
    ):
        x, y = (of(plain, lambda row, key=key: row[key]) for key in (f"{key}, validating", key))
        yield f"{text}, 1e6 · 1e7 · 1e8 probabilities: at least {least} × torchmetrics", x, min(x, default=0) >= least
        yield "… and as many times torchmetrics without validation", y, min(y, default=0) >= least


# The tests


def tests(outcomes: dict[str, Any] | None) -> str:
    """Return what the tests on the device said."""
    if outcomes is None:
        return "They have not been run yet.\n"
    functions = outcomes["functions"]
    kinds = ("passed", "failed", "skipped", "expected to fail")
    total = {kind: sum(x.get(kind, 0) for x in functions.values()) for kind in kinds}
    said = ", ".join(f"{number} {kind}" for kind, number in total.items() if number)
    versions = ", ".join(f"{name} {x}" for name, x in outcomes["versions"].items())
    end = "" if "status" in outcomes else " The run was stopped before its end."
    rows = [
        {"test": f"`{name.partition('::')[2]}`", "file": name.partition("::")[0], "outcome": _outcome(x, kinds)}
        for name, x in functions.items()
    ]
    head = f"**{said}** in {outcomes['seconds']:.0f} s on one {outcomes['device']} ({versions}).{end}\n"
    failed = "".join(f"\n- failed: `{x['test']}`" for x in outcomes["failures"])
    return f"{head}{failed}\n{table(rows, {'test': 'test', 'file': 'file', 'outcome': 'outcome'})}"


def _outcome(counted: dict[str, Any], kinds: tuple[str, ...]) -> str:
    said = ", ".join(f"{counted[kind]} {kind}" for kind in kinds if counted.get(kind))
    return f"{said} ({counted['reason']})" if counted.get("reason") else said


# The page


def page(found: dict[str, Any], outcomes: dict[str, Any] | None) -> str:
    """Return the page."""
    versions = {"torchmetrics": "1.9", **found["versions"]}
    parts = [HEAD.format(device=found["device"], copy=found["copy TB/s"], **versions)]
    for title, text, rows, columns in _sections(found):
        if rows:
            parts += [f"## {title}\n", f"{text}\n" if text else "", table(rows, columns), ""]
    missing = found.get("left out", []) + found.get("errors", [])
    if missing:
        parts += ["## What is missing\n", *(f"- {x}" for x in missing), ""]
    return (
        "\n".join([*(x for x in parts if x != ""), "\n## Tests on the device\n", tests(outcomes), ""])
        .replace("\n## ", "\n\n## ")
        .replace("\n\n\n", "\n\n")
    )


def _sections(found: dict[str, Any]) -> Iterator[tuple[str, str, list[Row], dict[str, str]]]:
    yield "Aims", "", aims(found), {"aim": "aim", "found": "measured", "met": "met"}
    counting = sorted(found.get("counting", []), key=lambda row: (row["n"], row["m"], str(row["dtype"])))
    yield "Labels to counts, on the device", "", [_with_ratios(row) for row in counting], COUNTING
    text = (
        "What users call, by the clock, with labels in int64. `gm.confusion` finds the classes by itself and "
        "leaves the counts of more than 64 classes on the device; *its counts* and `gm.mcc` copy them to the host; "
        "`torch.confusion` is that of `goodmeasure.torch`."
    )
    yield "Calls with labels, by the clock", text, found.get("calls", []), CALLS
    text = "The greatest logit of each row is found and counted in one pass; *reading* sums the same bytes."
    yield "Logits to counts, on the device", text, [_with_ratios(row) for row in found.get("logits", [])], LOGITS
    scores = [_with_score_ratios(row) for row in found.get("scores", [])]
    text = (
        "By the clock, against torchmetrics without its validation; the last of each three columns is the ratio with "
        "it, which is its default. *Both areas* come from one sort; each function sorts anew. From four million on, "
        "probabilities are sorted as keys of 32 bits that hold the label too."
    )
    yield "Scores: areas", text, scores, SCORES
    plain = [row for row in scores if "gm.log_loss" in row]
    yield "Scores: probabilities", "By the clock.", plain, PROBABILITIES
    text = "By the clock, each class against the rest; torchmetrics without validation, which takes no weights."
    yield "Scores of several classes", text, [_with_score_ratios(row) for row in found.get("classes", [])], CLASSES
    training = [{"what": row["what"], "time": f"{row['microseconds']:.0f}"} for row in found.get("training", [])]
    text = "Host time in microseconds of one `update` with 512 × 10 logits, without waiting for the device."
    yield "A step of a training loop", text, training, {"what": "update of", "time": "µs"}
    text = (
        "`goodmeasure.torch.intervals` of three measures; *on the host* is the percentile bootstrap of `gm.evaluate`, "
        "timed on a few of the matrices."
    )
    yield "Bootstrap intervals of many matrices", text, found.get("intervals", []), INTERVALS


def main() -> None:
    """Write the page."""
    outcomes = json.loads(OUTCOMES.read_text(encoding="utf-8")) if OUTCOMES.exists() else None
    PAGE.write_text(page(json.loads(RESULTS.read_text(encoding="utf-8")), outcomes), encoding="utf-8")


if __name__ == "__main__":
    main()
