"""A package that is not installed is named in one line, and what does without it goes on working."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sources import FILES, ROOT, tree_of

CSV = ("csv", "quoted csv", "csv, weights", "csv, counts", "csv, pooled")
ROOT_OF_TESTS = Path(__file__).parent
PACKAGES = ("duckdb", "flint", "narwhals", "jinja2", "latex2mathml", "rich")


def tried(absent: str, calls, folder) -> dict[str, object]:
    command = [sys.executable, ROOT_OF_TESTS / "contract_calls.py", absent, *calls]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert run.returncode == 0, run.stderr[-2000:]
    return json.loads(run.stdout.splitlines()[-1])


COMMANDS = ("$ evaluate", "$ compare", "$ check")


@pytest.mark.parametrize(
    ("absent", "package", "lost", "kept"),
    [
        (
            "duckdb",
            "duckdb",
            ["runs", "jsonl", "parquet", "database"],
            [*CSV, "csv, compare", "csv, sweep", "$ evaluate"],
        ),
        ("python_calamine", "'goodmeasure[excel]'", ["sheet", "$ sheet"], [*CSV, "jsonl"]),
        ("flint", "python-flint", ["exact", "check", "disagreement", "$ check"], ["evaluate", "text", "possible"]),
        ("jinja2", "jinja2", ["html", "notebook"], ["text", "json"]),
        ("latex2mathml", "latex2mathml", ["html"], ["text"]),
        ("rich", "rich", ["text", "$ evaluate"], ["evaluate", "html", "json"]),
        ("click", "click", ["$ check"], ["text"]),
        ("numpy", "numpy", ["confusion", "evaluate", "roc_auc", "csv", "$ check"], []),
        ("pandas+polars+pyarrow+narwhals", "", ["pandas", "polars", "arrow"], ["evaluate", *CSV]),
    ],
)
def test_an_absent_package_is_named_and_only_what_needs_it_is_lost(absent, package, lost, kept, tmp_path):
    told = tried(absent, [*lost, *kept], tmp_path)
    assert [told[x] for x in kept if "Error" in str(told[x])] == []
    for name in lost:
        assert f"pip install {package}" in told[name], (name, told[name])
        assert "BARE" not in told[name]
        assert "\n" not in told[name].strip()


def test_without_the_compiled_scanner_and_duckdb_a_csv_is_read(tmp_path, monkeypatch):
    monkeypatch.setenv("GOODMEASURE_NO_EXTENSION", "1")
    told = tried("duckdb", [*CSV, "csv, scores", "roc_auc"], tmp_path)
    assert [told[x] for x in CSV] == [30, 30, 30, 30, 60]
    assert told["csv, scores"] == told["roc_auc"]


def test_packages_are_imported_in_one_place():
    """Where they are absent, an import of one's own would end in a bare ModuleNotFoundError."""
    bare = set()
    for path in FILES:
        tree = tree_of(path)
        typed = {
            id(x) for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
            for x in ast.walk(node)
        }  # fmt: skip
        for node in ast.walk(tree):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            names += [x.name for x in node.names] if isinstance(node, ast.Import) else []
            if id(node) not in typed and {x.split(".")[0] for x in names} & {*PACKAGES}:
                bare.add(path.relative_to(ROOT).as_posix())
    assert bare == set()
