"""`make bench`: run the benchmarks, print ratios, and write them to docs/benchmarks.md and benchmarks/results.json."""

from __future__ import annotations

import json
import os
import platform
import sys
from dataclasses import replace
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from benchmarks.timing import Row, unit

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results.json"
SUBJECTS = (
    *(
        "counting",
        "small_calls",
        "scorecards",
        "intervals",
        "files",
        "runs",
        "batches",
        "thresholds",
        "scores",
        "comparisons",
        "slices",
        "distinguishing",
        "reports",
        "start",
    ),
)
PEERS = ("numpy", "scikit-learn", "torchmetrics", "torch", "pycm", "pandas", "polars", "duckdb")


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
        "# Benchmarks\n\nWritten by `make bench`. Each section is one piece of work, done by goodmeasure and by other\n"
        "libraries, which take turns in one process. The time is the shortest of several runs, in process time\n"
        "unless the section says otherwise. Read the ratios rather than the times, because machines differ and are\n"
        "noisy. The aim is the ratio that we want to keep.\n\n"
        f"Machine: {facts}."
    )
    return "\n\n".join([head, *(table(row) for row in rows)]) + "\n"


def main(subjects: list[str]) -> None:
    if subjects == ["--page"]:  # write the page from the last results
        write_page()
        return
    keeps, subjects = "--update" in subjects, [x for x in subjects if x != "--update"]
    rows: list[Row] = []
    for name in subjects or SUBJECTS:
        for row in import_module(f"benchmarks.{name}").rows():
            print(f"\n{table(row)}", flush=True)
            rows.append(row)
            if keeps:  # a run that is stopped keeps what it has
                save(rows, keep_others=True)
    if subjects and not keeps:
        print("\nonly a part was run: docs/benchmarks.md is left as it is (--update puts it there)")
    elif not keeps:
        save(rows, keep_others=False)


def save(rows: list[Row], *, keep_others: bool) -> None:
    """Write the results and the page; others than these workloads stay as they were measured, if so wanted."""
    on = machine()
    if keep_others:
        last = json.loads(RESULTS.read_text(encoding="utf-8"))
        rows = updated([Row(**row) for row in last["rows"]], _elsewhere(rows, on, last["machine"]))
        on = last["machine"]
    data = json.dumps({"machine": on, "rows": [vars(row) for row in rows]}, indent=1, ensure_ascii=False)
    RESULTS.write_text(data + "\n", encoding="utf-8")
    write_page()


def _elsewhere(rows: list[Row], here: dict[str, str], there: dict[str, str]) -> list[Row]:
    """Return rows that say on which machine they were measured, if it is not that of the other rows."""
    apart = ", ".join(f"{name} {value}" for name, value in here.items() if there.get(name) != value)
    said = f"Measured on another machine than the one above: {apart}."
    return [replace(row, note=f"{row.note} {said}".strip()) for row in rows] if apart else rows


def updated(before: list[Row], rows: list[Row]) -> list[Row]:
    """Return the last results with those of some workloads replaced, at the same place."""
    new = {row.key.split()[0] for row in rows}
    place = next((k for k, row in enumerate(before) if row.key.split()[0] in new), len(before))
    kept = [row for row in before if row.key.split()[0] not in new]
    return [*kept[:place], *rows, *kept[place:]]


def write_page() -> None:
    data = json.loads(RESULTS.read_text(encoding="utf-8"))
    text = page([Row(**row) for row in data["rows"]], data["machine"])
    (ROOT / "docs" / "benchmarks.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
