"""Columns of lists are items with several labels, in every engine and file."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pytest

import goodmeasure as gm
from tests.cli.command import call

ROWS = [
    {"id": 1, "y": ["a", "b"], "p": ["a"], "q": ["a", "b"], "w": 1.0, "g": "x"},
    {"id": 2, "y": ["b"], "p": ["b", "c"], "q": [], "w": 2.0, "g": "x"},
    {"id": 3, "y": [], "p": ["c"], "q": [], "w": 1.0, "g": "y"},
]
FRAME = pl.DataFrame(ROWS)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def written(rows=ROWS, path="p.jsonl"):
    Path(path).write_text("".join(json.dumps(x) + "\n" for x in rows))
    return path


def parquet():
    FRAME.write_parquet("p.parquet")
    return "p.parquet"


FORMS = {
    "json lines": written,
    "parquet": parquet,
    "pandas": lambda: pd.DataFrame(ROWS),
    "polars": lambda: FRAME,
    "lazy": FRAME.lazy,
    "arrow": FRAME.to_arrow,
    "duckdb": lambda: duckdb.from_arrow(FRAME.to_arrow()),
}


def lists(name):
    return [row[name] for row in ROWS]


@pytest.mark.parametrize("form", FORMS)
def test_lists_are_measured_as_several_labels(form):
    given = {"sample_weight": [1.0, 2.0, 1.0], "groups": ["x", "x", "y"]}
    expected = gm.evaluate(gm.multilabel(lists("y"), lists("p"), **given), measures=["f1", "recall"])
    found = gm.evaluate(FORMS[form](), y_true="y", y_pred="p", sample_weight="w", groups="g", measures=["f1", "recall"])
    assert [x.value for x in found.averages] == [x.value for x in expected.averages]
    assert [x.low for x in found.averages] == [x.low for x in expected.averages]
    assert found.systems == ("a", "b", "c")


@pytest.mark.parametrize("form", FORMS)
def test_lists_of_several_systems_are_compared(form):
    both = {name: gm.multilabel(lists("y"), lists(name), labels="abc") for name in "pq"}
    expected = gm.compare(both, measures="f1", replicates=50)
    found = gm.compare(FORMS[form](), y_true="y", y_pred=["p", "q"], measures="f1", replicates=50)
    assert found.scores == expected.scores
    assert found.differences == expected.differences


def test_runs_of_lists_are_joined():
    one = [{"id": x["id"], "y": x["y"], "said": x["p"]} for x in ROWS]
    two = [{"id": x["id"], "y": x["y"], "said": x["q"]} for x in reversed(ROWS)]
    files = {"A": written(one, "a.jsonl"), "B": written(two, "b.jsonl")}
    both = {
        name: gm.multilabel(lists("y"), lists(column), labels="abc") for name, column in {"A": "p", "B": "q"}.items()
    }
    expected = gm.compare(both, measures="f1", replicates=50)
    for runs in (files, {name: pl.read_ndjson(path) for name, path in files.items()}):
        found = gm.compare(runs, id="id", y_true="y", y_pred="said", measures="f1", replicates=50)
        assert [x["value"] for x in found.scores] == [x["value"] for x in expected.scores]


def test_the_command_shows_averages_of_lists():
    path = written()
    said = call(
        "evaluate", path, "--true", "y", "--pred", "p", "--measures", "f1", "--no-report", "--full", check=0
    ).stdout
    assert "Averages over labels and items" in said
    compared = call("compare", path, "--true", "y", "--pred", "p", "--pred", "q", "--measures", "f1", check=0).stdout
    assert "exact match" in compared.lower()
    data = call("compare", path, "--true", "y", "--pred", "p", "--pred", "q", "--measures", "f1", "--json", check=0)
    assert json.loads(data.stdout)["systems"] == ["p", "q"]


def test_what_does_not_go_with_lists_is_refused():
    with pytest.raises(gm.InputTypeError, match="by cannot be combined with several labels"):
        gm.evaluate(FRAME, y_true="y", y_pred="p", by="g")
    with pytest.raises(gm.InputTypeError, match="y_pred names 2 systems with several labels"):
        gm.evaluate(FRAME, y_true="y", y_pred=["p", "q"])
    lacking = written([*ROWS, {"id": 4, "y": None, "p": ["a"]}])
    with pytest.raises(gm.InputError, match="column 'y' has no list in 1 of 4 rows"):
        gm.evaluate(lacking, y_true="y", y_pred="p")
    assert gm.evaluate(lacking, y_true="y", y_pred="p", missing="drop", measures="f1").counted.rows == 3
    with pytest.raises(TypeError, match="multilabel"):
        gm.evaluate([["a"], ["b"]], [["a"], ["a"]])
