"""The results by kind and situation: a run that was stopped is taken up from the file of what it had found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent.parent / "coverage.json"
PARTIAL = RESULTS.with_suffix(".json.partial")
Row = dict[str, Any]


def key(kind: str, situation: Row) -> str:
    """Return what tells situations apart."""
    return json.dumps([kind, situation], sort_keys=True)


def load(path: Path = RESULTS) -> list[Row]:
    """Return the rows of a file of results, which has one on each line."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line.rstrip(",")) for line in lines if line.startswith("{")]


def keep(row: Row) -> None:
    """Write down one result of a run that is not finished."""
    with PARTIAL.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")


def finish(rows: list[Row]) -> None:
    """Write the results of a whole run, and forget what was kept on the way."""
    RESULTS.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", encoding="utf-8")
    PARTIAL.unlink(missing_ok=True)


def found(kind: str, rows: list[Row] | None = None) -> list[Row]:
    """Return the situations of a kind with what was found in them."""
    rows = load() if rows is None else rows
    return [{**row["situation"], **row["found"]} for row in rows if row["kind"] == kind]
