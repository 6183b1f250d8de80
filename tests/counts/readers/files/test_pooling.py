"""Files are pooled into one data set only where that is what the user means."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import polars as pl
import pytest

import goodmeasure as gm
from goodmeasure.counts.readers.files.label_files import count_files
from tests.cli.command import call

ROWS = [("a", "a"), ("b", "b"), ("a", "b")]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test in a directory of its own."""
    monkeypatch.chdir(tmp_path)


def csv(name, rows, end="\n"):
    Path(name).write_text("y,A\n" + end.join(f"{t},{p}" for t, p in rows) + end)


def items(paths, **options):
    return count_files(paths, y_true="y", y_pred=["A"], **options).rows


def write_two(kind):
    """Two runs over the same items, in a format."""
    for name, second in (("1", "a"), ("2", "b")):
        rows = [*ROWS[:2], ("a", second)]
        frame = pl.DataFrame({"y": [x for x, _ in rows], "A": [x for _, x in rows]})
        if kind == "csv":
            csv(name, rows)
        elif kind == "csv.gz":
            Path(name).write_bytes(gzip.compress(b"y,A\n" + b"".join(f"{t},{p}\n".encode() for t, p in rows)))
        elif kind == "jsonl":
            frame.write_ndjson(name)
        elif kind == "json array":
            frame.write_json(name)
        elif kind == "parquet":
            frame.write_parquet(name)
        else:
            frame.write_ipc(name)


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "jsonl", "json array", "parquet", "arrow"])
def test_two_runs_over_the_same_items_are_not_pooled(kind):
    """Of any format; `pool` says that they are parts of one data set, and so does one pattern."""
    write_two(kind)
    refusal = "1 and 2 have the same columns and 3 rows each.*say so with pool=True or name them by one pattern"
    with pytest.raises(gm.InputError, match=refusal):
        items(["1", "2"])
    assert items(["1", "2"], pool=True) == items("[12]") == 6


def test_files_that_differ_in_length_or_columns_are_parts():
    """The last line may lack its end; an empty line at the end is no row."""
    csv("1.csv", ROWS)
    csv("2.csv", ROWS[:2])
    assert items(["1.csv", "2.csv"]) == 5
    Path("3.csv").write_text("y,A,more\na,a,1\na,a,1\na,a,1\n")
    assert items(["1.csv", "3.csv"]) == 6
    Path("4.csv").write_text("A,y\na,a\na,a\nb,b")
    with pytest.raises(ValueError, match=r"1\.csv and 4\.csv have the same columns and 3 rows each"):
        items(["2.csv", "1.csv", "4.csv"])
    for name, rows in (("x-1", ROWS[:1]), ("x-2", ROWS[:2]), ("y-1", ROWS[:2]), ("y-2", ROWS[:1])):
        csv(f"{name}.csv", rows)
    with pytest.raises(ValueError, match=r"x-1\.csv and y-1\.csv have the same columns and 3 rows each"):
        items(["x-*.csv", "y-*.csv"])


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_the_rows_of_parts_are_counted_as_they_are_read(end):
    """Whatever ends a line, and if a value holds a line break."""
    for name, rows in (("1.csv", ["a,a", '"a\nb",a', "a,a"]), ("2.csv", ["a,a", "a,a", "b,b", "b,b"])):
        Path(name).write_bytes((end.join(["y,A", *rows]) + end).encode())
    assert items(["1.csv", "2.csv"]) == 7
    Path("3.csv").write_bytes(end.join(["y,A", "a,a", "a,a", "b,b"]).encode())
    with pytest.raises(ValueError, match=r"1\.csv and 3\.csv have the same columns and 3 rows each"):
        items(["1.csv", "3.csv"])


def test_a_file_is_counted_once_under_whatever_name():
    """Also by a link, by another path, or by a pattern that matches it again."""
    csv("1.csv", ROWS)
    os.symlink("1.csv", "link.csv")
    os.link("1.csv", "hard.csv")
    for paths, said in (
        (["1.csv", "1.csv"], r"1\.csv is named twice: name it once"),
        (["1.csv", "./1.csv"], r"1\.csv is named twice|1\.csv and \./1\.csv are the same file"),
        (["1.csv", "link.csv"], r"1\.csv and link\.csv are the same file"),
        (["1.csv", "hard.csv"], r"1\.csv and hard\.csv are the same file"),
        (["1.csv", "1*.csv"], r"1\.csv is named twice"),
        ("*.csv", r"1\.csv and hard\.csv are the same file|hard\.csv and link\.csv are the same file"),
        (["-", "-"], "standard input is named twice"),
    ):
        with pytest.raises(ValueError, match=said):
            items(paths, pool=True)


@pytest.mark.parametrize("function", [gm.evaluate, gm.compare])
def test_python_refuses_and_pools_in_the_same_way(function):
    csv("1.csv", ROWS)
    csv("2.csv", ROWS)
    columns = {"y_true": "y", "y_pred": "A", "measures": ["accuracy"]}
    with pytest.raises(ValueError, match=r"1\.csv and 2\.csv have the same columns"):
        function(["1.csv", "2.csv"], **columns)
    result = function(["1.csv", "2.csv"], **columns, pool=True)
    assert result.source.parts == 2
    assert "pooled into one data set" in result.to_markdown()
    assert "pool=True" in result.to_markdown()
    assert "--pool" in result.to_markdown()


@pytest.mark.parametrize("command", ["evaluate", "compare", "sweep"])
def test_the_command_line_refuses_and_pools_in_the_same_way(command):
    for name in ("1.csv", "2.csv"):
        Path(name).write_text("y,A,score\na,a,0.1\nb,b,0.9\na,b,0.8\n")
    typed = [command, "1.csv", "2.csv", "--true", "y", "--measures", "accuracy"]
    typed += ["--score", "score"] if command == "sweep" else ["--pred", "A"]
    typed += ["--no-report"] if command == "evaluate" else []
    refused = call(*typed)
    assert refused.exit_code != 0
    assert "1.csv and 2.csv have the same columns and 3 rows each" in refused.output
    assert "say so with --pool or name them by one pattern" in refused.output
    assert call(*typed, "--pool").exit_code == 0
