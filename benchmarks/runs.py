"""Runs in files of their own: joining them by the ids of their items, with every check, against DuckDB's bare join."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.files import CLASSES, LIMIT, _measured
from benchmarks.timing import Row

ROWS = 10_000_000
OURS = """
asked = Asked({{"A": {a!r}, "B": {b!r}}}, "label", "answer", id="id", memory_limit={limit!r})
result = read_jointly(asked)[0].joint.items
"""
DUCKDB = """
connection = duckdb.connect(":memory:", config={settings!r})
connection.execute("SET enable_progress_bar = false")
found = connection.execute(
    "SELECT a.label, a.answer, b.answer, count(*) FROM read_parquet('{a}') AS a JOIN read_parquet('{b}') AS b "
    "USING (id) GROUP BY ALL"
).fetchall()
result = sum(n for *_, n in found)
"""


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        a, b = (_run(Path(folder) / f"{name}.parquet", k) for k, name in enumerate("ab"))
        spill = str(Path(folder) / "spill")
        for limit in (None, LIMIT):
            settings = {} if limit is None else {"memory_limit": limit, "temp_directory": spill}
            contenders = {
                "goodmeasure": (
                    "from goodmeasure.evaluation.reading import Asked, read_jointly\nimport duckdb\n"
                    "import goodmeasure.counts.files.joined_files",
                    OURS.format(a=a, b=b, limit=limit),
                ),
                "DuckDB's own join": ("import duckdb", DUCKDB.format(a=a, b=b, settings=settings)),
            }
            seconds, memory = _measured(contenders, repeats=5)
            limited = "" if limit is None else f", memory limit {limit}"
            work = (
                f"two runs of {ROWS:,} rows of Parquet in different orders, joined by id and counted{limited} (wall "
                f"time); peak memory of the process: {memory['goodmeasure']:,.0f} MB"
            )
            aim = {"DuckDB's own join": 1.5} if limit is None else {}
            yield Row("R1 join" if limit is None else "R2 join", work, seconds, at_most=aim)


def _run(path: Path, seed: int) -> str:
    """A run: ids in an order of its own, true labels that all runs share, and answers of its own."""
    import duckdb

    label = f"{list(CLASSES)!r}[1 + (hash(i * 7 + {{}}) % {len(CLASSES)})::INT]"
    true, other = label.format(0), label.format(seed + 1)
    duckdb.sql(
        f"SELECT i AS id, {true} AS label, CASE WHEN hash(i + {seed}) % 10 < 8 THEN {true} ELSE {other} END AS answer "
        f"FROM range({ROWS}) AS t(i) ORDER BY hash(i + {seed + 5})"
    ).query("made", f"COPY made TO '{path}'")
    return str(path)
