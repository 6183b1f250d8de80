"""J1 and J2: runs joined by the ids of their items, with every check, against the bare join of DuckDB."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.files import CLASSES, LIMIT, measured
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
                    "import goodmeasure.counts.readers.files.joined_files",
                    OURS.format(a=a, b=b, limit=limit),
                ),
                "DuckDB's own join": ("import duckdb", DUCKDB.format(a=a, b=b, settings=settings)),
            }
            found = measured(contenders, repeats=5 if limit is None else 2)  # with a limit, both write to the disk
            limited = "" if limit is None else f", memory limit {limit}"
            work = f"two runs of {ROWS:,} rows of Parquet in different orders, joined by id and counted{limited}"
            aim = {"DuckDB's own join": 1.5} if limit is None else {}
            peak = f"peak memory of the process: {found.memory['goodmeasure']:,.0f} MB"
            key = "J1" if limit is None else "J2"
            yield Row(f"{key} join", f"{work} (wall time); {peak}", found.wall, at_most=aim)
            yield Row(f"{key} processor", f"{work} (processor time)", found.processor, at_most=aim)


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
