"""`make bench`: run the benchmarks, print ratios, and write them to docs/benchmarks.md and benchmarks/results.json."""

from __future__ import annotations

import json
import os
import platform
import sys
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from benchmarks.timing import Row

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results.json"
SUBJECTS = (
    *(
        "counting",
        "scorecards",
        "intervals",
        "files",
        "runs",
        "batches",
        "thresholds",
        "scores",
        "distinguishing",
        "reports",
        "start",
    ),
)
PEERS = ("numpy", "scikit-learn", "torchmetrics", "torch", "pycm", "pandas", "polars", "duckdb")


def unit(seconds: float) -> str:
    for name, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {name}"
    return f"{seconds * 1e9:.3g} ns"


def machine() -> dict[str, str]:
    return {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "python": platform.python_version(),
        **{name: version(name) for name in PEERS if find_spec(name.replace("scikit-learn", "sklearn"))},
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    for line in info.read_text().splitlines() if info.exists() else []:
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def table(row: Row) -> str:
    lines = [f"### {row.key}: {row.work}", "", "| contender | time | ratio to the first | aim |", "|---|---:|---:|---|"]
    for name, seconds in row.seconds.items():
        lines.append(f"| {name} | {unit(seconds)} | {row.ratio(name):.3g} | {row.aim(name)} |")
    return "\n".join([*lines, *(["", row.note] if row.note else [])])


def page(rows: list[Row], on: dict[str, str]) -> str:
    facts = ", ".join(f"{name} {value}" for name, value in on.items())
    head = (
        "# Benchmarks\n\nWritten by `make bench`. Contenders take turns in one process, and the minimum of the repeats "
        "counts; times are process time unless said otherwise. Only the ratios mean something, as machines differ and "
        f"are noisy.\n\nMachine: {facts}."
    )
    return "\n\n".join([head, *(table(row) for row in rows)]) + "\n"


def main(subjects: list[str]) -> None:
    if subjects == ["--page"]:  # write the page from the last results
        write_page()
        return
    rows: list[Row] = []
    for name in subjects or SUBJECTS:
        for row in import_module(f"benchmarks.{name}").rows():
            print(f"\n{table(row)}", flush=True)
            rows.append(row)
    if subjects:
        print("\nonly a part was run: docs/benchmarks.md is left as it is")
        return
    data = json.dumps({"machine": machine(), "rows": [vars(row) for row in rows]}, indent=1, ensure_ascii=False)
    RESULTS.write_text(data + "\n", encoding="utf-8")
    write_page()


def write_page() -> None:
    data = json.loads(RESULTS.read_text(encoding="utf-8"))
    text = page([Row(**row) for row in data["rows"]], data["machine"])
    (ROOT / "docs" / "benchmarks.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
