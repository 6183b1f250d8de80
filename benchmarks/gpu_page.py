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
A copy on the device moves {copy:.2f} TB/s (read and written) in the same run. Labels are drawn in four ways: uniform,
skewed (m · u⁸ for uniform u, so that a third to a half of the items are of one class), sorted, and constant (one class
only); but for the last about 70% of them agree. **Where a table has one row for all of them, it is the worst**: the one
with the least ratio to torch.bincount, which its column *labels* names. Repeat it on a machine with an NVIDIA GPU:

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
    "n": "items", "m": "classes", "dtype": "type", "labels": "labels", "goodmeasure": "goodmeasure",
    "torch.bincount": "torch.bincount", "× torch.bincount": "× bincount", "slowest": "the slowest", "TB/s": "its TB/s",
    "× torchmetrics": "× torchmetrics (uniform)", "× torchmetrics, no validation": "× without validation",
}  # fmt: skip
IMAGES = {
    "what": "images × classes × height × width", "on the device": "on the device", "reading": "reading",
    "Measures.update": "`Measures.update`", "channels last": "channels last",
    "torchmetrics Jaccard": "torchmetrics Jaccard", "× torchmetrics": "× torchmetrics",
}  # fmt: skip
STEPS = {
    "what": "step", "median": "µs", "more": "more than cross-entropy, µs", "least": "the least, µs",
    "least more": "more at least, µs",
}  # fmt: skip
CALLS = {
    "n": "items", "m": "classes", "labels": "labels", "gm.confusion": "`gm.confusion`",
    "its counts": "its counts", "gm.mcc": "`gm.mcc`",
    "goodmeasure.torch.confusion": "`torch.confusion`", "Measures.update": "`Measures.update`",
    "torch.bincount": "torch.bincount", "torchmetrics": "torchmetrics", "torchmetrics, no validation": "without",
    "torchmetrics update": "its `update`", "× torch.bincount": "`update` × bincount",
}  # fmt: skip
LOGITS = {
    "n": "items", "m": "classes", "dtype": "logits", "labels": "labels", "goodmeasure": "goodmeasure",
    "reading": "reading",
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


def worst(rows: list[Row], peer: str, ours: str) -> list[Row]:
    """Return, of the rows that differ in how labels are drawn, the one that compares worst with a peer."""
    kinds: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        kinds.setdefault((row["n"], row["m"], row.get("dtype")), []).append(row)
    found = []
    for group in kinds.values():
        uniform = next(row for row in group if row["labels"] == "uniform")
        chosen = min(group, key=lambda row: _ratio(row, peer, ours) or float("inf"))
        slowest = max(group, key=lambda row: row[ours])
        beside = {key: uniform[key] for key in uniform if key.startswith("torchmetrics")}
        ratios = {f"× {key}": _ratio(uniform, key, ours) for key in beside}
        about = {"slowest": slowest["labels"], "TB/s": slowest.get("TB/s")}
        found.append({**chosen, **about, **ratios, f"× {peer}": _ratio(chosen, peer, ours), "of": group})
    return found


def _with_ratios(row: Row) -> Row:
    found = dict(row)
    for peer in ("torchmetrics", "torchmetrics, no validation", "torch.bincount"):
        found[f"× {peer}"] = _ratio(row, peer, "goodmeasure")
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
    few = [x for m in (2, 10) for x in of(counting, times("torchmetrics"), m=m, labels="uniform", **big)]
    yield "1e8 labels (int64) of 2 and 10 classes: at least 25 × torchmetrics", few, min(few, default=0) >= 25
    for classes, least in (((30, 64), 2.0), ((200,), 1.0), ((1000,), 0.75), ((5000,), 0.6)):
        rate = [min(of(counting, lambda r: r["TB/s"], m=m, **big), default=0.0) for m in classes]
        named = " and ".join(map(str, classes))
        yield (
            f"1e8 labels (int64) of {named} classes, however they are drawn: at least {least:g} TB/s",
            rate,
            min(rate) >= least,
        )
    slowest = sorted(of(counting, times("torch.bincount")))[:1]
    yield (
        "at least 1.2 × torch.bincount on the device: the least ratio of all rows, however labels are drawn",
        slowest,
        min(slowest, default=0) >= 1.2,
    )
    clock = sorted(
        x for row in found.get("calls", []) for x in [_ratio(row, "torch.bincount", "Measures.update")] if x is not None
    )[:1]
    yield "… and by the clock, for `Measures.update`", clock, min(clock, default=0) >= 1.2
    image = [row["Measures.update"] for row in found.get("images", [])[:1]]
    text = "logits of 8 images of 256 × 256, 21 classes: at most 0.06 ms by the clock"
    yield text, image, max(image, default=9) <= 0.06
    steps = {row["what"]: row["more"] for row in found.get("steps", [])}
    more = [steps[x] for x in steps if x == "cross-entropy, and three measures"]
    yield "a training step with three measures: at most 40 µs more", more, max(more, default=99) <= 40
    soft = [steps[x] for x in steps if x.startswith("SoftMeasureLoss") and "operations" not in x]
    text = "… and with `SoftMeasureLoss` instead of cross-entropy: at most 250 µs more"
    yield text, soft, max(soft, default=999) <= 250
    small = sorted(of(counting, times("torchmetrics, no validation"), n=10**4, labels="uniform"))[:1]
    yield "1e4 labels: no slower than torchmetrics without validation", small, min(small, default=0) >= 1
    called = sorted(
        x for row in found.get("calls", []) if row["n"] == 10**4
        for x in [_ratio(row, "torchmetrics, no validation", "goodmeasure.torch.confusion")] if x is not None
    )[:1]  # fmt: skip
    yield "… and so by the clock, for `goodmeasure.torch.confusion`", called, min(called, default=0) >= 1
    host = [r["microseconds"] for r in found.get("training", []) if r["what"].startswith("goodmeasure")]
    yield (
        "an update of 512 × 10 logits, also with weights, or of scores: at most 60 µs of host time",
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
    head += f"\n{outcomes['note']}\n" if "note" in outcomes else ""
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
    yield "Labels to counts, on the device", "", worst(counting, "torch.bincount", "goodmeasure"), COUNTING
    text = (
        "What users call, by the clock, with labels in int64. `gm.confusion` finds the classes by itself and "
        "leaves the counts of more than 64 classes on the device; *its counts* and `gm.mcc` copy them to the host; "
        "`torch.confusion` is that of `goodmeasure.torch`."
    )
    calls = worst(found.get("calls", []), "torch.bincount", "Measures.update")
    yield "Calls with labels, by the clock", text, calls, CALLS
    text = "The greatest logit of each row is found and counted in one pass; *reading* sums the same bytes."
    logits = worst(found.get("logits", []), "torchmetrics, no validation", "goodmeasure")
    yield "Logits to counts, on the device", text, [_with_ratios(row) for row in logits], LOGITS
    text = (
        "One update with images, 80% of which are background, by the clock but for *on the device* and *reading*; "
        "*channels last*: the same in that memory format."
    )
    images = [
        {**row, "× torchmetrics": _ratio(row, "torchmetrics Jaccard", "Measures.update")}
        for row in found.get("images", [])
    ]
    yield "Images of logits", text, images, IMAGES
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
    yield "An update in a training loop", text, training, {"what": "update of", "time": "µs"}
    text = (
        "Wall time of a step of a small network with 2,048 rows of 64 numbers and 10 classes: the median of 40 turns "
        "of 20 steps, all kinds in turn, and the median of what each takes more than cross-entropy in the same turn."
    )
    yield "A step of a training loop", text, found.get("steps", []), STEPS
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
