"""Words for a missing label in text files, numbers that are written in several ways, and decimal commas."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import goodmeasure as gm
from goodmeasure.cli.main import main
from goodmeasure.counts.text_labels import PANDAS_NA


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def matrix(text, path="p.csv", **options):
    """The matrix of a file, read by the compiled scanner and by DuckDB (which gets it quoted or packed)."""
    Path(path).write_text(text)
    Path("packed").write_bytes(gzip.compress(text.encode()))
    found = []
    for name in (path, "packed"):
        result = gm.evaluate(name, y_true="y", y_pred=["A"], **options)
        found.append((result.parts[0].matrix.labels, result.parts[0].matrix.counts.tolist(), result.source.notes))
    assert found[0] == found[1]
    return found[0]


def test_words_for_missing_labels_among_numbers_are_missing():
    """Also those that are classes elsewhere, so that 1.0 and 1 stay one class."""
    text = "y,A\n1,1.0\n0,0\n?,1\n-,0\nNA,1\n 1 ,1\nNone,0\n"
    labels, counts, notes = matrix(text, missing="drop")
    assert (labels, counts) == ((0, 1), [[1, 0], [0, 2]])
    assert notes == (
        "Read as missing labels: '-' (once), '?' (once), 'NA' (once) and 'None' (once); na_values=[] (--na none) makes "
        "every such text a class.",
    )
    with pytest.raises(gm.InputError) as raised:
        matrix("y,A\n1,1\nNA,0\n0,0\nNA,1\n")
    assert str(raised.value) == (
        "column 'y' has 'NA' in 2 of 4 rows, read as a missing label: leave them out with missing='drop'; give them a "
        "class of their own with missing='class'; or keep 'NA' as a class with na_values=[]"
    )
    labels, _, _ = matrix("y,A\n1,1\nNA,0\n0,0\n", missing="class")
    assert len(labels) == 3


def test_among_words_only_what_pandas_reads_as_missing_is():
    for word in sorted(PANDAS_NA):
        assert matrix(f"y,A\ncat,cat\ndog,cat\n{word},cat\n", missing="drop")[0] == ("cat", "dog"), word
    for word in ("?", "-", "none", "missing"):
        result = matrix(f"y,A\ncat,cat\ndog,cat\n{word},cat\n")
        assert word in result[0]
    warned = gm.evaluate("p.csv", y_true="y", y_pred=["A"]).warnings
    assert any("'missing' is counted as a class" in str(x) for x in warned)


def test_the_user_says_what_is_missing():
    text = "y,A\ncat,cat\nNA,cat\nx,NA\n"
    assert matrix(text, na_values=[])[0] == ("NA", "cat", "x")
    assert matrix(text, na_values=["x"], missing="drop")[0] == ("NA", "cat")
    assert matrix(text, labels=["cat", "NA", "x"])[0] == ("cat", "NA", "x")  # a class that is named is one
    with pytest.raises(TypeError, match="na_values is 3"):
        matrix(text, na_values=3)
    for data in ([0, 1], pd.DataFrame({"y": [0, 1], "A": [0, 1]})):
        with pytest.raises(
            gm.InputError, match="na_values names text, and the labels of lists and data frames have types"
        ):
            gm.evaluate(data, [0, 1] if isinstance(data, list) else ["A"], na_values=["x"])
    said = CliRunner().invoke(main, ["evaluate", "p.csv", "--true", "y", "--pred", "A", "--na", "none", "--json"])
    assert json.loads(said.output)["source"]["na_values"] == []
    again = gm.evaluate("p.csv", ["A"], y_true="y", na_values=[]).source
    assert not any(
        "is counted as a class" in str(x) for x in gm.evaluate("p.csv", ["A"], y_true="y", na_values=[]).warnings
    )
    assert "--na none" in again.command((), {})
    assert "na_values=[]" in again.python((), {})
    said = CliRunner().invoke(main, ["evaluate", "p.csv", "--true", "y", "--pred", "A"])
    assert "keep 'NA' as a class with --na none" in said.output


@pytest.mark.parametrize("kind", ["jsonl", "parquet", "frame", "lists"])
def test_text_that_has_a_type_stays_a_class_with_a_warning(kind):
    rows = pd.DataFrame({"y": ["cat", "NA", "dog"], "A": ["cat", "NA", "1"]})
    rows.to_json("p.jsonl", orient="records", lines=True)
    rows.to_parquet("p.parquet")
    given = {
        "jsonl": ("p.jsonl", ["A"]), "parquet": ("p.parquet", ["A"]), "frame": (rows, ["A"]),
        "lists": (rows.y.tolist(), rows.A.tolist()),
    }[kind]  # fmt: skip
    result = gm.evaluate(*given, **({} if kind == "lists" else {"y_true": "y"}))
    assert "NA" in result.parts[0].matrix.labels
    assert any("'NA' is counted as a class: if missing labels are meant" in str(x) for x in result.warnings)


def test_a_mixture_of_numbers_and_text_that_is_ambiguous_is_refused():
    text = "y,A\n1,1.0\n1,1\ncat,1\n0,0\n"
    with pytest.raises(gm.InputError) as raised:
        matrix(text)
    assert str(raised.value) == (
        "the labels '1' (4 times) and '1.0' (once) are the same number, and 'cat' (once) is no number, so they may be "
        "one class or several: write a class in one way; if 'cat' stands for a missing label, say so with "
        "na_values=['cat']; if all are classes, list them with labels="
    )
    assert matrix(text, na_values=["cat"], missing="drop")[0] == (0, 1)
    assert matrix(text, labels=["0", "1", "1.0", "cat"])[0] == ("0", "1", "1.0", "cat")
    said = CliRunner().invoke(main, ["evaluate", "p.csv", "--true", "y", "--pred", "A"])
    assert "say so with --na cat" in said.output
    frame = pd.DataFrame({"y": ["1", "0"], "A": ["1.0", "0"]})
    warned = gm.evaluate(frame, ["A"], y_true="y").warnings
    assert any("'1' and '1.0' are the same number as text" in str(x) for x in warned)


def test_several_systems_and_runs_are_read_alike():
    Path("p.csv").write_text("id,y,A,B\n1,1,1.0,NA\n2,0,0,0\n3,1,?,1\n4,0,0,1\n")
    compared = gm.compare("p.csv", ["A", "B"], y_true="y", missing="drop")
    assert compared.items == 2
    assert compared.labels == (0, 1)
    one = gm.evaluate("p.csv", ["A", "B"], y_true="y", missing="drop", by="id")
    assert one.counted.missing == {"A": 1, "B": 1}
    Path("q.csv").write_text("id,y,A\n1,1,1\n2,0,NA\n3,1,1\n4,0,0\n")
    joined = gm.compare({"P": "p.csv", "Q": "q.csv"}, "A", y_true="y", id="id", missing="drop")
    assert joined.items == 2


SCORED = {
    "semicolons": "y;s\n1;0,9\n0;0,2\n1;1\n0;0,4\n",
    "commas": 'y,s\n1,"0,9"\n0,"0,2"\n1,1\n0,"0,4"\n',
    "tabs": "y\ts\n1\t0,9\n0\t0,2\n1\t1\n0\t0,4\n",
}


@pytest.mark.parametrize("kind", SCORED)
def test_scores_may_have_a_decimal_comma(kind):
    Path("s.csv").write_text("\ufeff" + SCORED[kind], encoding="utf-8")
    assert gm.sweep("s.csv", y_true="y", y_score="s").thresholds.tolist() == [1.0, 0.9, 0.4, 0.2]
    weighted = gm.evaluate("s.csv", ["y"], y_true="y", sample_weight="s")
    assert weighted.parts[0].matrix.n == pytest.approx(2.5)


def test_scores_with_commas_and_points_are_refused_and_labels_with_commas_are_numbers():
    Path("s.csv").write_text("y;s\n1;0,9\n0;0.2\n")
    with pytest.raises(gm.InputError, match=r"'0,9' in line 2 of s.csv: expected a number \(with a decimal comma"):
        gm.sweep("s.csv", y_true="y", y_score="s")
    assert matrix("y;A\n1,0;1\n0,0;0\n2,5;1,0\n")[0] == (0, 1, 2.5)
    assert matrix('y,A\n"1,000",1\n"2,000",1\n')[0] == ("1", "1,000", "2,000")


def test_a_sweep_refuses_or_leaves_out_words_for_missing_labels():
    Path("s.csv").write_text("y,s\n1,0.9\nNA,0.5\n0,0.2\n")
    with pytest.raises(gm.InputError, match=r"column 'y' has 'NA' in 1 of 3 rows.*missing='drop'; or keep 'NA'"):
        gm.sweep("s.csv", y_true="y", y_score="s")
    assert gm.sweep("s.csv", y_true="y", y_score="s", missing="drop").thresholds.tolist() == [0.9, 0.2]
    result = gm.evaluate("s.csv", y_true="y", y_score="s", missing="drop")
    assert "'NA' (once)" in result.source.notes[0]
