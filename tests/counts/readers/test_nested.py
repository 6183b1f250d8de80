"""Names that lead into columns: structs, lists and JSON, the same in every engine and file."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pytest

import goodmeasure as gm
from goodmeasure.counts.readers.nested import path_of
from tests.cli.command import call

ROWS = [
    {"doc": {"answer": "a", "topic": {"name": "x"}}, "resps": ["a", "b"], "n": {"w": 1.0}},
    {"doc": {"answer": "b", "topic": {"name": "y"}}, "resps": ["a"], "n": {"w": 2.0}},
    {"doc": {"answer": "b", "topic": {"name": "x"}}, "resps": ["b", "a"], "n": {"w": 1.0}},
]
COLUMNS = {"y_true": "doc.answer", "y_pred": "resps[0]"}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def json_lines(rows=ROWS, path="p.jsonl"):
    Path(path).write_text("".join(json.dumps(x) + "\n" for x in rows))
    return path


def json_in_csv():
    flat = [{name: json.dumps(value) for name, value in row.items()} for row in ROWS]
    pd.DataFrame(flat).to_csv("p.csv", index=False)
    return "p.csv"


def file_of(kind):
    frame = pl.DataFrame(ROWS)
    frame.write_parquet("p.parquet") if kind == "parquet" else frame.write_ipc("p.arrow")
    return f"p.{kind}"


FORMS = {
    "json lines": json_lines,
    "csv": json_in_csv,
    "parquet": lambda: file_of("parquet"),
    "arrow file": lambda: file_of("arrow"),
    "pandas": lambda: pd.DataFrame(ROWS),
    "polars": lambda: pl.DataFrame(ROWS),
    "lazy": lambda: pl.DataFrame(ROWS).lazy(),
    "arrow": lambda: pl.DataFrame(ROWS).to_arrow(),
    "duckdb": lambda: duckdb.from_arrow(pl.DataFrame(ROWS).to_arrow()),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_path_leads_to_the_same_labels_everywhere(form):
    data = FORMS[form]()
    found = gm.evaluate(data, **COLUMNS, by="doc.topic.name", sample_weight="n.w", measures="accuracy")
    assert found.counted.samples["resps[0]", None].matrix.counts.tolist() == [[1.0, 0.0], [2.0, 1.0]]
    assert [str(x) for x in found.counted.slices] == ["doc.topic.name=x", "doc.topic.name=y"]


@pytest.mark.parametrize("form", FORMS)
def test_paths_of_runs_are_joined(form):
    def data(items):
        rows = [{**row, "key": {"id": f"q{k}"}} for k, row in zip(items, ROWS, strict=True)]
        if form in ("json lines", "csv"):
            return json_lines(rows, f"{items[0]}.jsonl")
        frame = pl.DataFrame(rows)
        if form in ("parquet", "arrow file"):
            path = f"{items[0]}.{form[:5]}"
            frame.write_parquet(path) if form == "parquet" else frame.write_ipc(path)
            return path
        others = {"pandas": pd.DataFrame(rows), "arrow": frame.to_arrow(), "lazy": frame.lazy(), "polars": frame}
        return others.get(form, duckdb.from_arrow(frame.to_arrow()))

    runs = {"A": data([0, 1, 2]), "B": data([0, 2, 1])}
    assert gm.compare(runs, id="key.id", **COLUMNS, measures="accuracy", ensemble=False).items == 3


@pytest.mark.parametrize(
    ("form", "column", "said"),
    [
        ("json lines", "doc.answr", "p.jsonl has nothing at 'doc.answr' in any row"),
        ("json lines", "dox.answer", "p.jsonl has no column 'dox.answer'"),
        (
            "parquet",
            "doc.answr",
            "'doc' of p.parquet has no column 'answr': its columns are 'answer', 'topic'",
        ),
        ("polars", "doc.answr", "'doc' of the data has no column 'answr'"),
        ("duckdb", "doc.answr", "'doc' of the data has no column 'answr'"),
        ("parquet", "doc[0]", "'doc' of p.parquet cannot be followed to [0], since it holds STRUCT"),
        ("polars", "resps.first", "'resps' of the data cannot be followed to 'first', since it holds List"),
        ("pandas", "doc.answr", "column 'doc.answr' has no label in 3 of 3 rows"),
    ],
)
def test_a_path_that_leads_nowhere_says_what_is_there(form, column, said):
    with pytest.raises((gm.InputError, gm.InputTypeError)) as raised:
        gm.evaluate(FORMS[form](), y_true=column, y_pred="resps[0]")
    assert said in str(raised.value)


def test_a_row_without_the_field_is_a_missing_label():
    rows = [*ROWS, {"doc": {}, "resps": [], "n": {}}, {"doc": {"answer": None}, "resps": [None]}]
    for data in (json_lines(rows), pd.DataFrame(rows), pl.DataFrame(rows)):
        with pytest.raises(gm.InputError, match=r"column 'doc.answer' has no label in 2 of 5 rows"):
            gm.evaluate(data, **COLUMNS)
        assert gm.evaluate(data, **COLUMNS, missing="drop", measures="accuracy").matrix().n == 3


def test_a_column_of_that_name_is_meant_before_any_path():
    frame = pd.DataFrame({"doc": [{"answer": "x"}] * 2, "doc.answer": ["a", "b"], "p": ["a", "a"]})
    assert gm.evaluate(frame, y_true="doc.answer", y_pred="p", measures="accuracy").matrix().labels == ("a", "b")
    assert path_of("a.b.c", ["a", "a.b"]) == ("a.b", ("c",))
    assert path_of('doc."odd.key"[-1]["x y"]', ["doc"]) == ("doc", ("odd.key", -1, "x y"))
    for name in ("doc.", "doc[x]", "doc[]", "doc..a", "docs"):
        assert path_of(name, ["doc"]) is None


def test_numbers_and_text_in_json_are_told_apart():
    same = json_lines([{"y": {"v": 1}, "p": ["1"]}, {"y": {"v": 0}, "p": ["0"]}])
    assert gm.evaluate(same, y_true="y.v", y_pred="p[0]", measures="accuracy").matrix().labels == (0, 1)
    mixed = json_lines([{"y": {"v": 1}, "p": ["yes"]}, {"y": {"v": 0}, "p": ["no"]}])
    with pytest.raises((TypeError, ValueError), match=r"'no'|'yes'|mixed|text"):
        gm.evaluate(mixed, y_true="y.v", y_pred="p[0]")


def test_the_command_takes_paths():
    done = call("evaluate", json_lines(), "--true", "doc.answer", "--pred", "resps[0]", "--json", check=0)
    assert json.loads(done.stdout)["data"]["labels"] == ["a", "b"]
