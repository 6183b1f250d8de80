"""Files of predictions: from CSV and Parquet to counts, in bounded memory."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.timing import Row

CSV_ROWS, PARQUET_ROWS = 10_000_000, 50_000_000
LIMIT = "200MB"
CLASSES = ("negative", "neutral", "positive", "mixed", "unclear", "spam", "ham", "other", "news", "sport")

MEASURED = """
import json, sys, time
{setup}
start = time.perf_counter(), time.process_time()
{work}
took, used = time.perf_counter() - start[0], time.process_time() - start[1]
with open("/proc/self/status") as status:  # what getrusage says includes the process that started this one
    peak = next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))
print(json.dumps([took, used, peak, result]))
"""
OURS = """
counted = count_files({path!r}, y_true="label", y_pred={systems!r}, memory_limit={limit!r})
result = [int(counted.samples[name, None].matrix.n) for name in {systems!r}]
"""
PANDAS = "result = len(pandas.read_csv({path!r}))"
DUCKDB = """
connection = duckdb.connect(":memory:", config=dict(memory_limit={limit!r}, temp_directory={spill!r}))
connection.execute("SET enable_progress_bar = false")  # which slow work would print before the result
result = []
for name in {systems!r}:
    found = connection.execute(f"SELECT label, {{name}}, count(*) FROM read_parquet({path!r}) GROUP BY ALL").fetchall()
    result.append(sum(n for _, _, n in found))
"""


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        yield _csv(Path(folder))
        yield from _parquet(Path(folder))


def _made(path: Path, size: int) -> str:
    """A file of true labels and those of two systems."""
    import duckdb

    label = f"{list(CLASSES)!r}[1 + (hash(i * 7 + {{}}) % {len(CLASSES)})::INT]"
    true, other, third = (label.format(k) for k in range(3))
    duckdb.sql(
        f"SELECT i AS id, {true} AS label, CASE WHEN hash(i) % 10 < 8 THEN {true} ELSE {other} END AS a, "
        f"CASE WHEN hash(i + 1) % 10 < 7 THEN {true} ELSE {third} END AS b FROM range({size}) AS t(i)"
    ).query("made", f"COPY made TO '{path}'")
    return str(path)


class Measured(NamedTuple):
    """The least wall time and processor time (seconds) of each contender, and the largest memory (MB)."""

    wall: dict[str, float]
    processor: dict[str, float]
    memory: dict[str, float]


def measured(contenders: dict[str, tuple[str, str]], repeats: int) -> Measured:
    """What each contender takes, each time in a fresh process, in turn."""
    found = Measured(*(dict.fromkeys(contenders, start) for start in (float("inf"), float("inf"), 0.0)))
    results = {}
    for _ in range(repeats):
        for name, (setup, work) in contenders.items():
            code = MEASURED.format(setup=setup, work=work.strip())
            run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
            wall, used, peak, results[name] = json.loads(
                run.stdout.splitlines()[-1]
            )  # after a progress bar, where there is one
            found.wall[name] = min(found.wall[name], wall)
            found.processor[name] = min(found.processor[name], used)
            found.memory[name] = max(found.memory[name], peak)
    flat = {n for result in results.values() for n in (result if isinstance(result, list) else [result])}
    assert len(flat) == 1, f"contenders saw different numbers of rows: {results}"
    return found


def _csv(folder: Path) -> Row:
    path = _made(folder / "predictions.csv", CSV_ROWS)
    contenders = {
        "goodmeasure, counts of two systems": (
            "from goodmeasure.counts.readers.files.label_files import count_files\nimport duckdb",
            OURS.format(path=path, systems=["a", "b"], limit=None),
        ),
        "pandas.read_csv alone": ("import pandas", PANDAS.format(path=path)),
    }
    seconds, _, memory = measured(contenders, repeats=5)
    ours, theirs = memory.values()
    work = (
        f"{CSV_ROWS:,} rows of CSV ({Path(path).stat().st_size / 1e6:,.0f} MB), two systems (wall time); peak memory: "
        f"ours {ours:,.0f} MB (aim: under 1,000: {'met' if ours < 1000 else 'missed'}), pandas {theirs:,.0f} MB"
    )
    return Row("F1 CSV", work, seconds, at_least={"pandas.read_csv alone": 1})


def _parquet(folder: Path) -> Iterator[Row]:
    path = _made(folder / "predictions.parquet", PARQUET_ROWS)
    for systems in (["a"], ["a", "b"]):
        theirs = f"DuckDB's own group-by{', once for each' if len(systems) > 1 else ''}"
        contenders = {
            "goodmeasure": (
                "from goodmeasure.counts.readers.files.label_files import count_files\nimport duckdb",
                OURS.format(path=path, systems=systems, limit=LIMIT),
            ),
            theirs: (
                "import duckdb",
                DUCKDB.format(path=path, systems=systems, limit=LIMIT, spill=str(folder / "spill")),
            ),
        }
        seconds, _, memory = measured(contenders, repeats=7)
        work = (
            f"{PARQUET_ROWS:,} rows of Parquet, {len(systems)} system{'s' if len(systems) > 1 else ''}, memory limit "
            f"{LIMIT} (wall time); peak memory of the process: {memory['goodmeasure']:,.0f} MB"
        )
        yield Row(f"F2 Parquet, {len(systems)}", work, seconds, at_most={theirs: 1.3})
