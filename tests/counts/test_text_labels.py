"""Labels of text files are what they look like, whatever the format and whoever reads the file."""

from __future__ import annotations

import gzip
from decimal import Decimal, InvalidOperation
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import feather

import goodmeasure as gm
from goodmeasure.counts.text_labels import number_of, reading_of
from tests.counts.readers.files.test_label_files import as_csv, as_feather, as_json_lines, as_parquet
from tests.counts.tables_of_labels import Table, arrow_table, pandas_frame, polars_frame

RATINGS = [3, 10, 9, 1, 2, 10, 10, 5, 7, 4, 6, 8, 8, 10, 2, 1]
RATED = [3, 9, 10, 1, 1, 10, 8, 5, 7, 4, 7, 8, 9, 10, 2, 2]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test in a directory of its own."""
    monkeypatch.chdir(tmp_path)


def evaluated(data, **options):
    """A result with measures that depend on which classes there are and on their order."""
    measures = ["accuracy", "mcc", "weighted_kappa('quadratic')"]
    return gm.evaluate(data, measures=measures, classwise=[], confidence=None, **options)


def table_of(result):
    """The classes in order with what kind each is, the counts and the values."""
    labels = result.counted.labels
    kinds = ["truth" if isinstance(x, bool) else "text" if isinstance(x, str) else "number" for x in labels]
    return labels, kinds, result.matrix().counts.tolist(), [(x["measure"], x["value"]) for x in result.table]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0), ("12", 12), ("-3", -3), ("+1", 1), ("1.0", 1), ("1.", 1), ("0.5", 0.5), (".5", 0.5), ("-.5", -0.5),
        ("1e3", 1000), ("1.5E-1", 0.15), (" 1", 1), ("1\t", 1), ("-0", 0), ("-0.0", 0),
        ("9223372036854775809", 2**63 + 1), ("9007199254740993.0", 2**53 + 1), ("1e16", 1e16),
        ("007", None), ("00", None), ("-01", None), ("01.5", None), ("0x10", None), ("inf", None), ("-Infinity", None),
        ("nan", None), ("NA", None), ("1,000", None), ("1 000", None), ("1_0", None), ("١", None), ("１", None),
        ("1e400", None), ("", None), (" ", None), (".", None), ("+", None), ("e5", None), ("-.", None), ("1e", None),
        ("5%", None), ("$5", None), ("1/2", None), ("--1", None), ("9" * 301, None), ("\n1", None), ("1.0.0", None),
    ],
)  # fmt: skip
def test_what_looks_like_a_number(text, number):
    """Signs, points and exponents do; leading zeros, separators, other digits, infinity and NA do not."""
    found = number_of(text)
    assert found == number
    assert type(found) is type(number)


@pytest.mark.parametrize(
    ("labels", "reading"),
    [
        (["1", "2", None], "whole numbers"),
        (["1.0", "2"], "whole numbers"),
        (["1", "0.5"], "numbers"),
        (["true", "FALSE", "True"], "truth values"),
        (["1", "2", "10", "NA"], "text ('NA' is not a number)"),
        (["1", "2", "007"], "text ('007' has a leading zero)"),
        (["ham", "spam", "1"], "text"),
        (["true", "false", "half-true"], "text"),
        (["true", "1"], "whole numbers"),
        (["true", "2", "1"], "text ('true' is not a number)"),
        ([1, "1.0"], "whole numbers"),
        ([True, "false"], "truth values"),
        ([None], "text"),
        ([], "text"),
    ],
)
def test_one_label_that_is_no_number_makes_text_of_all(labels, reading):
    """And the output says which one it was, where most look like numbers."""
    assert str(reading_of(labels)) == reading


def rows(pairs, delimiter=","):
    return "".join(f"{t}{delimiter}{p}\n" for t, p in pairs)


def test_ratings_from_csv_and_parquet_have_the_same_weighted_kappa():
    """10 follows 9, also where the file is compressed, quoted, separated by tabs or JSON."""
    table = Table("integers", {"y": RATINGS, "A": RATED})
    Path("p.parquet").write_bytes(as_parquet(table))
    expected = table_of(evaluated("p.parquet", y_true="y", y_pred="A"))
    assert expected[0] == tuple(range(1, 11))
    for name, content in {
        "p.csv": as_csv(table),
        "q.csv": as_csv(table, quoting=1),
        "p.tsv": as_csv(table, delimiter="\t"),
        "p.csv.gz": gzip.compress(as_csv(table)),
        "p.jsonl": as_json_lines(table),
        "text.jsonl": as_json_lines(Table("text", {k: [str(x) for x in v] for k, v in table.columns.items()})),
    }.items():
        Path(name).write_bytes(content)
        result = evaluated(name, y_true="y", y_pred="A")
        assert table_of(result) == expected, name
        assert result.source.reading == "whole numbers"


def test_a_hundred_classes_are_in_the_order_of_their_numbers():
    Path("p.csv").write_text("y,A\n" + rows((k, k) for k in reversed(range(100))))
    assert evaluated("p.csv", y_true="y", y_pred="A").counted.labels == tuple(range(100))


def test_whole_numbers_with_a_point_are_the_same_labels():
    """pandas writes integers as 1.0 when a column has missing values, whichever column that is."""
    Path("p.csv").write_text("y,A,B\n1,1.0,1\n2,2.0,1\n10,,10\n")
    counted = evaluated("p.csv", y_true="y", y_pred=["A", "B"], missing="drop").counted
    assert counted.labels == (1, 2, 10)
    assert counted.samples["A", None].matrix.counts.tolist() == [[1, 0], [0, 1]]


def test_leading_zeros_keep_every_label_text():
    """In any column of labels, of any file: 7 and 007 are different identifiers."""
    Path("p.csv").write_text("y,A,B\n7,7,07\n10,1.0,9\n")
    assert evaluated("p.csv", y_true="y", y_pred="A").counted.labels == (1, 7, 10)
    result = evaluated("p.csv", y_true="y", y_pred=["A", "B"])
    assert result.counted.labels == ("07", "1.0", "10", "7", "9")
    assert result.source.reading == "text ('07' has a leading zero)"
    Path("q.csv").write_text("y,A\n007,8\n")
    assert evaluated(["p.csv", "q.csv"], y_true="y", y_pred="A").counted.labels == ("007", "1.0", "10", "7", "8")


def test_json_numbers_and_text_that_looks_like_them_are_one_class():
    """They were two classes, or an error that did not help; numbers beside words are still refused."""
    Path("p.jsonl").write_text('{"y": 1, "A": "1"}\n{"y": 2, "A": "2.0"}\n{"y": "2", "A": 1}\n')
    result = evaluated("p.jsonl", y_true="y", y_pred="A")
    assert result.counted.labels == (1, 2)
    assert result.value("accuracy") == pytest.approx(2 / 3)
    Path("p.jsonl").write_text('{"y": 1, "A": "ham"}\n')
    with pytest.raises(TypeError, match=r"labels are of different kinds, number \(1\) and text \('ham'\)"):
        evaluated("p.jsonl", y_true="y", y_pred="A")
    Path("p.jsonl").write_text('{"y": 2, "A": true}\n')
    with pytest.raises(TypeError, match="labels are of different kinds"):
        evaluated("p.jsonl", y_true="y", y_pred="A")


def test_truth_values_beside_0_and_1_are_the_same_classes_as_in_arrays():
    Path("p.jsonl").write_text('{"y": 1, "A": true}\n{"y": 0, "A": true}\n{"y": 0, "A": false}\n')
    Path("p.csv").write_text("y,A\n1,True\n0,True\n0,False\n")
    for name in ("p.jsonl", "p.csv"):
        result = evaluated(name, y_true="y", y_pred="A")
        assert (result.matrix().labels, result.matrix().counts.tolist()) == ((0, 1), [[1, 1], [0, 1]])
    assert evaluated("p.csv", y_true="y", y_pred="A", positive="True").matrix().labels[-1] == 1


def test_labels_that_the_user_names_are_read_like_those_of_the_file():
    """As text from the command line, or as numbers."""
    Path("p.csv").write_text("y,A\n1,1.0\n2,1\n10,10\n")
    for labels in (["10", "2", "1"], [10, 2, 1], ["10.0", "2", "+1"], np.array([10, 2, 1]), np.array(["10", "2", "1"])):
        result = evaluated("p.csv", y_true="y", y_pred="A", labels=labels)
        assert result.counted.labels == (10, 2, 1)
        assert result.source.labels == (10, 2, 1)
    assert evaluated("p.csv", y_true="y", y_pred="A", positive="10").matrix().labels == ("not 10", 10)
    named = ["10", "2", "1", "1.0", "other"]  # which makes text of all
    assert evaluated("p.csv", y_true="y", y_pred="A", labels=named).counted.labels == tuple(named)
    with pytest.raises(ValueError, match="positive is '010', which is not a class: the classes are 1, 2, 10"):
        evaluated("p.csv", y_true="y", y_pred="A", positive="010")


def test_labels_named_for_parquet_are_numbers_without_underscores():
    pl.DataFrame({"y": [10, 2], "A": [10, 10]}).write_parquet("p.parquet")
    assert evaluated("p.parquet", y_true="y", y_pred="A", positive="10").matrix().labels == (2, 10)
    with pytest.raises(ValueError, match="positive is '1_0'"):
        evaluated("p.parquet", y_true="y", y_pred="A", positive="1_0")


def test_slices_and_groups_of_numbers_are_numbers():
    """In order, each column on its own; a missing one is still a slice."""
    Path("p.csv").write_text("y,A,age\na,a,10\nb,b,9\nb,a,9.0\nb,b,\n")
    result = evaluated("p.csv", y_true="y", y_pred="A", by="age")
    assert [str(x) for x in result.counted.slices] == ["age=9", "age=10", "age missing"]
    Path("p.csv").write_text("y,A,g\na,a,1\nb,b,1.0\nb,a,2\n")
    counted = evaluated("p.csv", y_true="y", y_pred="A", groups="g").counted
    assert counted.samples["A", None].groups.size == 2


def test_comparisons_read_labels_in_the_same_way():
    Path("p.csv").write_text("y,A,B\n" + "".join(f"{t},{p}.0,{t}\n" for t, p in zip(RATINGS, RATED, strict=True)))
    found = gm.compare("p.csv", y_true="y", y_pred=["A", "B"], measures=["weighted_kappa('quadratic')"])
    assert found.labels == tuple(range(1, 11))
    assert found.source.reading == "whole numbers"


def looks_like_a_number(text):
    """Said in other words than those of the library."""
    bare = text.strip(" \t")
    try:
        number = Decimal(bare)
    except InvalidOperation:
        return False
    digits = bare.lstrip("+-")
    leading = len(digits) > 1 and digits[0] == "0" and digits[1].isdigit()
    plain = bare.isascii() and "_" not in bare and bare[-1:] not in "\n\r\f\v" and bare == bare.strip()
    return plain and number.is_finite() and not leading and abs(number) < Decimal("1e308")


def typed(table):
    """The table as a file with types would hold it: numbers and truth values are not text."""
    texts = [x for name in table.labels for x in table.columns[name] if x is not None]
    columns = {name: list(values) for name, values in table.columns.items()}
    if table.kind != "text" or not texts:
        return Table(table.kind, columns)
    if all(map(looks_like_a_number, texts)):
        kind, to = "floats", float
    elif all(x.strip(" \t").lower() in ("true", "false") for x in texts):
        kind, to = "booleans", lambda x: x.strip(" \t").lower() == "true"
    else:
        return Table(table.kind, columns)
    for name in table.labels:
        columns[name] = [None if x is None else to(x) for x in columns[name]]
    return Table(kind, columns)


LOOKS_LIKE = ["1", "1.0", "2", "10", "-3", "+1", ".5", "1e1", " 7", "7", "007", "00", "NA", "nan", "inf", "0x1", "1_0"]
POOLS = {
    "integers": st.integers(-(2**53), 2**53) | st.integers(-12, 12),
    "floats": st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([-0.0, 1.0, 2.0, 10.0, 2.5, 1e16]),
    "booleans": st.booleans(),
    "text": st.sampled_from(["ham", "spam", "é→漢", "a,b", 'a "b"', " ", " ham", "two\nlines", "\u2028", "1 ", "١"])
    | st.sampled_from(LOOKS_LIKE)
    | st.text(st.characters(exclude_characters="\0\r", exclude_categories=["Cs"]), min_size=1, max_size=4),
    "numbers as text": st.sampled_from(LOOKS_LIKE[:10]),
    "identifiers": st.sampled_from(["007", "7", "07", "10", "9"]),
    "truth as text": st.sampled_from(["true", "false", "True", "FALSE"]),
    "categories": st.sampled_from(["high", "low", "mid"]),
}


@st.composite
def tables(draw):
    """True labels and those of a system, of one kind, perhaps with missing ones."""
    kind = draw(st.sampled_from(list(POOLS)))
    value = POOLS[kind] if draw(st.booleans()) else st.one_of(POOLS[kind], st.none())
    known = draw(st.lists(value, min_size=1, max_size=4))
    size = draw(st.integers(1, 12))
    columns = {name: draw(st.lists(st.sampled_from(known), min_size=size, max_size=size)) for name in ("y", "A")}
    return Table(kind if kind in ("integers", "floats", "booleans") else "text", columns)


def outcome(data, **options):
    try:
        return table_of(evaluated(data, missing="drop", **options))
    except ValueError as error:
        return str(error)


def typed_sources(table):
    """The table in every form that says of which type a column is."""
    columns = {"y_true": "y", "y_pred": "A"}
    Path("p.parquet").write_bytes(as_parquet(table))
    Path("p.feather").write_bytes(as_feather(table))
    yield "lists", outcome(table.columns["y"], y_pred={"A": table.columns["A"]})
    yield "pandas", outcome(pandas_frame(table), **columns)
    yield "polars", outcome(polars_frame(table), **columns)
    yield "polars-lazy", outcome(polars_frame(table).lazy(), **columns)
    yield "arrow", outcome(arrow_table(table), **columns)
    yield "parquet", outcome("p.parquet", **columns)
    yield "feather", outcome("p.feather", **columns)
    if table.kind == "text":  # categories in alphabetical order: another order is written to no text file
        coded = pa.table({name: arrow_table(table)[name].dictionary_encode() for name in table.columns})
        feather.write_feather(coded, "c.feather")
        yield "pandas categories", outcome(pandas_frame(table).astype("category"), **columns)
        yield "polars categories", outcome(polars_frame(table).cast(pl.Categorical), **columns)
        yield "feather categories", outcome("c.feather", **columns)


def text_sources(table):
    """The table in every form that does not; quotes keep a file from the compiled scanner."""
    forms = {
        "csv": as_csv(table),
        "csv-crlf": as_csv(table, line="\r\n"),
        "csv-quoted": as_csv(table, quoting=1),
        "csv.gz": gzip.compress(as_csv(table)),
        "tsv": as_csv(table, delimiter="\t"),
        "jsonl": as_json_lines(table),
        "json array": b"[" + b",".join(as_json_lines(table).splitlines()) + b"]",
    }
    for name, content in forms.items():
        Path("p").write_bytes(content)
        yield name, outcome("p", y_true="y", y_pred="A")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(tables())
def test_a_table_is_the_same_in_every_format(table):
    """The same classes in the same order, the same counts and the same values.

    Forms with types (lists, pandas, Polars, Arrow, Feather, Parquet) give what the table holds. Text files give what
    Parquet gives for the table with proper types: text all of which looks like numbers or truth values is that.
    """
    given_types = dict(typed_sources(table))
    assert all(found == given_types["lists"] for found in given_types.values())
    proper = dict(typed_sources(typed(table)))
    found = dict(text_sources(table))
    assert found == dict.fromkeys(found, proper["parquet"])


def test_the_output_says_how_labels_were_read():
    """On the terminal, in the report and in JSON."""
    Path("p.csv").write_text("y,A\n1,1\n2,NA\n3,3\n")
    result = evaluated("p.csv", y_true="y", y_pred="A", na_values=[])
    assert result.to_dict()["source"]["reading"] == "text ('NA' is not a number)"
    assert "read as text ('NA' is not a number)" in result.to_markdown()
    pl.DataFrame({"y": [1], "A": [1]}).write_parquet("p.parquet")
    assert "read as" not in evaluated("p.parquet", y_true="y", y_pred="A").to_markdown()
