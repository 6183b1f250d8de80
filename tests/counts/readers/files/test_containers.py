"""Sheets, databases, folders of Parquet and streams of Arrow give the counts of the same rows in a CSV file."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import duckdb
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import goodmeasure as gm
from goodmeasure.cli.main import main
from goodmeasure.counts.readers.files.containers import CONTAINERS
from goodmeasure.counts.readers.files.formats import file_endings
from goodmeasure.counts.readers.files.label_files import count_files
from goodmeasure.counts.readers.files.locations import Location, located

ROWS = pd.DataFrame({
    "label": ["ham", "spam", "ham", "spam", "ham", "spam"] * 4,
    "pred": ["ham", "spam", "spam", "spam", "ham", "ham"] * 4,
    "score": [0.1, 0.9, 0.6, 0.7, 0.2, 0.3] * 4, "year": [2024, 2025] * 12,
})  # fmt: skip
EMPTY = pd.DataFrame({"x": [1]})
COUNTS = [[8, 4], [4, 8]]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def sheets(path, **tables):
    with pd.ExcelWriter(path) as book:
        for name, table in tables.items():
            table.to_excel(book, sheet_name=name, index=False)


def sqlite(path, **tables):
    with sqlite3.connect(path) as database:
        for name, table in tables.items():
            table.to_sql(name, database, index=False)
    database.close()


def duck(path, **tables):
    with duckdb.connect(path) as database:
        for name, table in tables.items():
            database.register("given", table)
            database.execute(f'CREATE TABLE "{name}" AS FROM given')


def folder_of(path, rows):
    """A folder as Spark writes it."""
    pq.write_to_dataset(pa.Table.from_pandas(rows, preserve_index=False), path, partition_cols=["year"])
    Path(path, "_SUCCESS").touch()
    Path(path, "year=2024", ".part-0.parquet.crc").write_bytes(b"crc")
    Path(path, "_temporary").mkdir()
    Path(path, "_temporary", "half.parquet").write_bytes(b"PAR1")


FILES = {"runs.xlsx": sheets, "runs.db": sqlite, "runs.duckdb": duck}


@pytest.mark.parametrize("name", FILES)
def test_one_of_several_tables_is_named(name):
    """By the path or by an option, in every function and command; without a name it is asked for."""
    FILES[name](name, March=ROWS, Other=EMPTY)
    ROWS.to_csv("rows.csv", index=False)
    columns = {"y_true": "label", "y_pred": "pred"}
    expected = gm.evaluate("rows.csv", **columns, by="year")
    found = gm.evaluate(f"{name}::March", **columns, by="year")
    assert found.parts[0].matrix.counts.tolist() == COUNTS
    assert [x.matrix.counts.tolist() for x in found.parts] == [x.matrix.counts.tolist() for x in expected.parts]
    assert gm.evaluate(name, table="March", **columns).parts[0].matrix.counts.tolist() == COUNTS
    swept = gm.sweep(name, table="March", y_true="label", y_score="score", positive="spam")
    assert swept.thresholds.tolist() == [0.9, 0.7, 0.6, 0.3, 0.2, 0.1]
    with pytest.raises(gm.InputError, match=rf"{name} is an? .* with 2 .*'March'.*: name one as {name}::"):
        gm.evaluate(name, **columns)
    with pytest.raises(gm.InputError, match=r"has no (sheet|table) 'march'"):
        gm.evaluate(f"{name}::march", **columns)
    asked = [name, "--table", "March", "--true", "label", "--pred", "pred", "--no-report", "--json"]
    said = CliRunner().invoke(main, ["evaluate", *asked])
    assert said.exit_code == 0, said.output
    assert f"{name}::March" in said.output
    FILES[name]("only-" + name, March=ROWS)
    assert count_files("only-" + name, y_true="label", y_pred=["pred"]).rows == 24


def test_a_sheet_is_read_as_if_it_were_saved_as_csv():
    """Whole numbers have no fraction, blank rows are no items, NA is missing, and truth values are read."""
    book = openpyxl.Workbook()
    for row in (["label", "pred"], [1, 1.0], [None, None], [0, "1"], ["NA", 0], [1, "1 "]):
        book.active.append(row)
    book.save("p.xlsx")
    with pytest.raises(gm.InputError, match="column 'label' has 'NA' in 1 of 4 rows"):
        gm.evaluate("p.xlsx", y_true="label", y_pred="pred")
    matrix = gm.evaluate("p.xlsx", y_true="label", y_pred="pred", missing="drop").parts[0].matrix
    assert (matrix.labels, matrix.counts.tolist()) == ((0, 1), [[0, 1], [0, 2]])
    Path("broken.xlsx").write_bytes(Path("p.xlsx").read_bytes()[:2000])
    with pytest.raises(gm.InputError, match=r"broken.xlsx is a zip archive"):
        gm.evaluate("broken.xlsx")
    openpyxl.Workbook().save("empty.xlsx")
    with pytest.raises(gm.InputError, match=r"empty.xlsx is empty"):
        gm.evaluate("empty.xlsx")


def test_a_database_is_never_written_and_keeps_types():
    sqlite("p.db", t=pd.DataFrame({"label": [1, 0, 1], "pred": [1, 1, None], "blob": [b"\x00", b"\xff", None]}))
    before = Path("p.db").read_bytes()
    matrix = gm.evaluate("p.db", y_true="label", y_pred="pred", missing="drop").parts[0].matrix
    assert (matrix.labels, matrix.counts.tolist()) == ((0, 1), [[0, 1], [0, 1]])
    assert Path("p.db").read_bytes() == before
    assert [x.name for x in Path().iterdir()] == ["p.db"]
    sqlite("none.db", t=pd.DataFrame({"label": []}))
    with pytest.raises(gm.InputError, match=r"none.db has no rows"):
        gm.evaluate("none.db", y_true="label", y_pred="pred")
    Path("cut.db").write_bytes(before[:3000])
    with pytest.raises(gm.InputError, match="SQLite database cannot be read"):
        gm.evaluate("cut.db", y_true="label", y_pred="pred")


def test_a_folder_of_parquet_files_is_one_table_with_its_partitions():
    folder_of("out", ROWS)
    result = gm.evaluate("out", y_true="label", y_pred="pred", by="year")
    assert [x.matrix.n for x in result.parts] == [24, 12, 12]
    assert result.parts[0].matrix.counts.tolist() == COUNTS
    assert [x.slice for x in result.parts[1:]] == [2024, 2025]
    assert gm.sweep("out", y_true="label", y_score="score", positive="spam").thresholds[0] == 0.9
    with pytest.raises(gm.InputError, match="out is named twice"):
        gm.evaluate(["out", "out"], y_true="label", y_pred="pred")
    with pytest.raises(gm.InputError, match="out is one table, and 'x' names one in it"):
        gm.evaluate("out::x", y_true="label", y_pred="pred")


class Capsule:
    """An object of some library that knows Arrow and nothing else."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def streams():
    table = pa.Table.from_pandas(ROWS, preserve_index=False)
    pq.write_table(table, "p.parquet")
    return {
        "data set": ds.dataset("p.parquet"), "scanner": ds.dataset("p.parquet").scanner(),
        "reader": table.to_reader(), "capsule": Capsule(table), "batch": table.to_batches()[0],
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["data set", "scanner", "reader", "capsule", "batch"])
def test_streams_of_arrow_are_frames(kind):
    """In every function; a stream that was read already is refused rather than counted as nothing."""
    for count in (
        lambda data: gm.evaluate(data, y_true="label", y_pred="pred").parts[0].matrix.counts.tolist(),
        lambda data: gm.compare(data, ["pred"], y_true="label").matrices["pred"].counts.tolist(),
        lambda data: gm.evaluate({"A": data}, "pred", y_true="label").parts[0].matrix.counts.tolist(),
    ):
        assert count(streams()[kind]) == COUNTS
    assert gm.sweep(streams()[kind], y_true="label", y_score="score", positive="spam").thresholds[0] == 0.9
    if kind == "reader":
        reader = streams()[kind]
        gm.evaluate(reader, y_true="label", y_pred="pred")
        with pytest.raises(gm.InputError, match="a stream that was read before is empty"):
            gm.evaluate(reader, y_true="label", y_pred="pred")


def test_columns_of_arrow_are_labels_and_ordered_categories_keep_their_order():
    true, pred = pa.chunked_array([ROWS.label.tolist()]), pl.Series(ROWS.pred.tolist())
    assert gm.evaluate(true, pred).parts[0].matrix.counts.tolist() == COUNTS
    levels = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int8()), ["mild", "bad"], ordered=True)
    pq.write_table(pa.table({"label": levels, "pred": levels}), "levels.parquet")
    found = gm.evaluate(ds.dataset("levels.parquet"), y_true="label", y_pred="pred")
    assert found.parts[0].matrix.labels == ("mild", "bad")


def test_places_are_understood_and_the_network_is_not():
    ROWS.to_csv("rows.csv", index=False)
    here = Path("rows.csv").absolute()
    for name in (
        "~/rows.csv",
        f"file://{here}",
        f"file://localhost{here}",
        f"file:{here}",
        here.as_uri(),
        Path("~/rows.csv"),
    ):
        assert count_files(name, y_true="label", y_pred=["pred"]).rows == 24, name
    Path("a::b.csv").write_text(here.read_text())
    assert located("a::b.csv") == Location("a::b.csv")  # a file that has exactly this name
    for address in ("https://example.com/p.csv", "s3://bucket/p.parquet", "hf://datasets/x"):
        for given in (address, Path(address), [address]):
            with pytest.raises(FileNotFoundError, match=rf"^{address} is not on this machine.*: download it"):
                gm.evaluate(given, y_true="label", y_pred="pred")
        said = CliRunner().invoke(main, ["evaluate", address])
        assert said.exit_code
        assert address in said.output


def test_every_reader_is_in_the_list_of_formats():
    """So that help texts and the page name what is read."""
    assert len(CONTAINERS) == 4
    help_text = CliRunner().invoke(main, ["evaluate", "--help"]).output
    for word in ("CSV", "JSON lines", "Parquet", "Arrow", "Excel", "SQLite", "DuckDB"):
        assert word in help_text
    assert {".csv", ".xlsx", ".db", ".duckdb", ".parquet", ".gz"} <= set(file_endings())


@pytest.mark.parametrize("word", ["NA", "?", "n/a"])
@pytest.mark.parametrize("kind", ["semicolons", "commas", "sheet"])
def test_a_word_for_a_missing_number_is_a_missing_score(tmp_path, word, kind):
    rows = [("spam", 0.9), ("ham", 0.25), ("ham", word), ("spam", 0.3)] * 5
    if kind == "sheet":
        path = tmp_path / "p.xlsx"
        pd.DataFrame(rows, columns=["label", "score"]).to_excel(path, index=False)
    else:
        path, (sign, point) = tmp_path / "p.csv", (";", ",") if kind == "semicolons" else (",", ".")
        path.write_text(f"label{sign}score\n" + "".join(f"{a}{sign}{str(b).replace('.', point)}\n" for a, b in rows))
    asked = {"y_true": "label", "y_score": "score", "positive": "spam"}
    found = gm.evaluate(path, missing="drop", measures=["roc_auc"], **asked)
    assert (found.value("roc_auc"), found.counted.dropped["score"]) == (1, 5)
    with pytest.raises(gm.InputError, match="missing='drop' leaves such items out"):
        gm.evaluate(path, **asked)
    assert gm.sweep(path, missing="drop", **asked).best("recall").value == 1


def test_a_word_among_numbers_that_comes_late_is_refused_with_advice(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("label,score\n" + "spam,0.9\nham,0.2\n" * 800 + "ham,NA\n")
    with pytest.raises(gm.InputError, match=r"'NA' in line 1602 .*leave the field empty where there is no number"):
        gm.evaluate(path, y_true="label", y_score="score", positive="spam")


def test_a_line_break_in_a_cell_of_a_sheet_is_text():
    """Also the carriage return of text that was pasted on Windows, and in the name of a column."""
    book = openpyxl.Workbook()
    for row in (
        ["label", "pred", "a note_x000D_\n(1)"],
        ["ham_x000D_\nx", "ham_x000D_\nx", "y_x000D_"],
        ["eggs", "eggs", "n"],
    ):
        book.active.append(row)
    book.save("p.xlsx")
    matrix = gm.evaluate("p.xlsx", y_true="label", y_pred="pred").matrix()
    assert (matrix.labels, matrix.n) == (("eggs", "ham\r\nx"), 2)
    sliced = gm.evaluate("p.xlsx", y_true="label", y_pred="pred", by="a note\r\n(1)", confidence=None)
    assert {x["slice"] for x in sliced.table} == {None, "y\r", "n"}


def test_columns_of_folders_and_data_sets_may_differ_in_case_only():
    """As those of single files; parts with such names and other columns are refused, as DuckDB would mix them up."""
    table = pa.table({"y": ["a", "b", "a"], "Y": ["b", "b", "b"], "p": ["a", "a", "a"], "P": ["b", "a", "a"]})
    for name in ("one", "many"):
        Path(name, "Year=2024").mkdir(parents=True)
        pq.write_table(table, Path(name, "Year=2024", "0.parquet"))
    for data in ("one", ds.dataset(table), ds.dataset("one", format="parquet")):
        assert gm.evaluate(data, y_true="y", y_pred="p", missing="class").matrix().counts.tolist() == [[2, 0], [1, 0]]
        matrix = gm.evaluate(data, y_true="Y", y_pred="P").matrix()
        assert sorted(matrix.counts[matrix.labels.index("b")].tolist()) == [1, 2]
    assert gm.evaluate("one", y_true="Y", y_pred="P", by="Year").parts[1].matrix.n == 3
    Path("many", "Year=2025").mkdir()
    pq.write_table(table, Path("many", "Year=2025", "0.parquet"))
    assert gm.evaluate("many", y_true="Y", y_pred="P").matrix().n == 6
    pq.write_table(table.select(["Y", "y", "p", "P"]), Path("many", "Year=2025", "1.parquet"))
    with pytest.raises(
        gm.InputError, match="files of many have different columns, with names that differ in case only"
    ):
        gm.evaluate("many", y_true="Y", y_pred="P")
