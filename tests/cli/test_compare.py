"""`goodmeasure compare`: readable tables, JSON, reports, and one line with exit status 2 for bad input."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from click.testing import CliRunner

import goodmeasure as gm
from goodmeasure.cli.main import main

TABLE = pd.DataFrame(
    {
        "label": ["ham", "ham", "spam", "ham", "spam", "ham"] * 5,
        "pred_a": ["ham", "spam", "spam", "ham", "ham", "ham"] * 5,
        "pred_b": ["ham"] * 30,
        "site": ["x", "y"] * 15,
    }
)


@pytest.fixture
def table(tmp_path):
    TABLE.to_csv(tmp_path / "t.csv", index=False)
    return str(tmp_path / "t.csv")


def run(*arguments):
    return CliRunner().invoke(main, ["compare", *arguments, "--replicates", "200"])


def test_it_prints_scores_differences_and_winners(table, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")  # a narrow terminal breaks cells
    done = run(table, "--measures", "mcc,accuracy")
    assert done.exit_code == 0
    for text in ("pred_a − pred_b", "exact McNemar", "permutation", "cannot be told from", "note: bootstrap"):
        assert text in done.output


def test_json_is_what_the_function_says(table):
    done = run(table, "--true", "label", "--pred", "pred_a", "--pred", "pred_b", "--measures", "mcc", "--json")
    found = gm.compare(
        TABLE.label.tolist(), {x: TABLE[x].tolist() for x in ("pred_a", "pred_b")}, measures=["mcc"], replicates=200
    )
    said = json.loads(done.output)
    assert said["differences"][0]["p"] == found.differences[0]["p"]
    assert said["winners"] == {"mcc": list(found.winners["mcc"])}


def test_it_writes_what_is_asked_for(table, tmp_path):
    done = run(table, "--by", "site", "--measures", "mcc", "--out", str(tmp_path / "c.md"), "--positive", "ham")
    assert done.exit_code == 0
    text = (tmp_path / "c.md").read_text()
    assert "Slice site = x" in text
    assert f"goodmeasure compare {table} --true label --pred pred\\_a" in text.replace("pred_a", "pred\\_a")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--pred", "nope"], "no column 'nope'"),
        (["--out", "c.pdf"], "ends in '.pdf'"),
        (["--pairs", "Z"], "pairs is 'Z'"),
        (["--measures", "nonsense"], "nonsense"),
        (["--positive", "eggs"], "positive is 'eggs'"),
    ],
)
def test_bad_input_is_one_line_and_status_2(table, arguments, said):
    done = run(table, *arguments)
    assert done.exit_code == 2
    assert said in done.output
    assert done.output.count("\n") == 1


def test_missing_labels_are_named_as_options(tmp_path):
    TABLE.assign(pred_b=["ham", None] * 15).to_csv(tmp_path / "t.csv", index=False)
    done = run(str(tmp_path / "t.csv"))
    assert done.exit_code == 2
    assert "--missing drop" in done.output
    done = run(str(tmp_path / "t.csv"), "--missing", "drop", "--measures", "accuracy")
    assert done.exit_code == 0
    assert "15 items are left out" in done.output
