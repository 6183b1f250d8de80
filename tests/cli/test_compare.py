"""`goodmeasure compare`: readable tables, JSON, reports, and one line with exit status 2 for bad input."""

from __future__ import annotations

import json
import pathlib
import re
import shlex

import pandas as pd
import pytest

import goodmeasure as gm
from tests.cli.command import call

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
    return call("compare", *arguments, "--replicates", "200")


def test_it_prints_scores_differences_and_winners(table, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")  # a narrow terminal breaks cells
    done = run(table, "--measures", "mcc,accuracy")
    assert done.exit_code == 0
    for text in (
        "pred_a − pred_b",
        "mid-p McNemar",
        "permutation",
        "no significant difference from",
        "Note: paired bootstrap",
    ):
        assert text in " ".join(done.output.split())


def test_a_narrow_terminal_keeps_the_corrected_p_value(table, monkeypatch):
    """Nothing is folded in the middle of a word, what is left out is named, and no report is promised."""
    monkeypatch.setenv("COLUMNS", "80")
    result = run(table, "--true", "label", "--pred", "pred_a", "--pred", "pred_b", "--full")
    head = next(x for x in result.stdout.splitlines() if "difference" in x and "systems" in x)
    assert "Holm" in head
    assert "test" not in head
    assert max(map(len, result.stdout.splitlines())) <= 80
    hints = " ".join(result.stdout.split()).split(" … ")[1:]
    assert hints
    assert all("in a report (.to_html(path) or --out FILE)" in x for x in hints)


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
        (["--pairs", "Z"], "--pairs is 'Z'"),
        (["--measures", "nonsense"], "nonsense"),
        (["--ensemble", ","], "--ensemble names no measure"),
        (["--ensemble", "f1", "--measures", "mcc"], "--ensemble has f1"),
        (["--positive", "eggs"], "--positive is 'eggs'"),
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


def test_the_predictions_are_never_overwritten(table):
    before = pathlib.Path(table).read_bytes()
    done = run(table, "--measures", "mcc", "--out", table)
    assert done.exit_code == 2
    assert "is the file that is read" in done.output
    assert pathlib.Path(table).read_bytes() == before


def test_reports_are_all_written_or_none(table, tmp_path):
    done = run(table, "--measures", "mcc", "--out", str(tmp_path / "a.md"), "--out", str(tmp_path / "nowhere" / "b.md"))
    assert done.exit_code == 2
    assert done.output.startswith("error: cannot write")
    assert [x.name for x in tmp_path.iterdir()] == ["t.csv"]


def test_a_slice_of_missing_values_is_named_as_in_evaluate(tmp_path):
    TABLE.assign(site=[None, "(missing)"] * 15).to_csv(tmp_path / "t.csv", index=False)
    said = json.loads(run(str(tmp_path / "t.csv"), "--by", "site", "--measures", "mcc", "--json").output)
    assert {x["slice"] for x in said["slices"]} == {"(missing)", "(missing value)"}


def test_the_command_in_the_report_makes_the_same_numbers(table, tmp_path):
    report, options = str(tmp_path / "c.md"), ["--by", "site", "--positive", "ham", "--undefined", "nan", "--seed", "3"]
    asked = ["--measures", "mcc,accuracy,f1", "--ensemble", "mcc,f1", "--pairs", "pred_b", "--method", "normal"]
    done = run(table, *options, *asked, "--out", report, "--json")
    (command,) = re.findall(r"```sh\n(.*)\n```", pathlib.Path(report).read_text())
    again = call(*shlex.split(command)[1:], "--json")
    assert again.exit_code == 0
    first, second = (json.loads(x.output, object_hook=without_source) for x in (done, again))
    assert first == second


def without_source(data):
    return {name: x for name, x in data.items() if name != "source"}


def test_the_call_in_the_report_names_everything_that_came():
    def my_own(c):
        return c.tp

    true, systems = TABLE.label.tolist(), {x: TABLE[x].tolist() for x in ("pred_a", "pred_b")}
    found = gm.compare(
        true, systems, measures=["mcc", my_own], sample_weight=[1.0] * 30, by={"site": TABLE.site.tolist()},
        groups=list(range(30)), replicates=50,
    )  # fmt: skip
    text = found.to_markdown()
    for words in ("sample_weight=sample_weight", "by=by", "groups=groups", "['mcc', my_own]"):
        assert words in text
    assert "```sh" not in text


def test_the_table_of_differences_says_what_p_values_are_corrected_for(table):
    said = {
        x: " ".join(run(table, "--measures", "mcc", "--correct-over", x, "--full").output.split())
        for x in ("systems", "all")
    }
    assert "corrected for the number of pairs)" in said["systems"]
    assert "corrected for the numbers of pairs, measures and slices)" in said["all"]
