"""The installed command on real files: every format, every trouble; one line, exit status 2, nothing half-written."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest

import goodmeasure as gm
from goodmeasure.options import split_names
from tests.cli.command import call, call_apart

TABLE = pd.DataFrame(
    {
        "label": ["ham", "ham", "spam", "ham", "spam", "ham"] * 5,
        "pred": ["ham", "spam", "spam", "ham", "ham", "ham"] * 5,
        "other": ["ham"] * 30,
        "site": ["x", "y"] * 15,
        "w": [1, 2] * 15,
        "doc": [k // 3 for k in range(30)],
    }
)
VALUE = gm.mcc(TABLE.label.tolist(), TABLE.pred.tolist())


run = partial(call, "evaluate")
run_apart = partial(call_apart, "evaluate")


def write(folder, name):
    path = folder / name
    if name.endswith(".csv"):
        TABLE.to_csv(path, index=False)
    elif name.endswith(".csv.gz"):
        path.write_bytes(gzip.compress(TABLE.to_csv(index=False).encode()))
    elif name.endswith(".tsv"):
        TABLE.to_csv(path, index=False, sep="\t")
    elif name.endswith(".jsonl"):
        TABLE.to_json(path, orient="records", lines=True)
    elif name.endswith(".parquet"):
        TABLE.to_parquet(path)
    else:
        pl.from_pandas(TABLE).write_ipc(path)
    return path


@pytest.mark.parametrize("name", ["p.csv", "p.csv.gz", "p.tsv", "p.jsonl", "p.parquet", "p.arrow", "with space's.csv"])
def test_every_format_is_read_on_the_first_try(tmp_path, name):
    path = write(tmp_path, name)
    data = json.loads(run(path.name, "--json", cwd=tmp_path, check=0).out)
    values = {row["measure"]: row["value"] for row in data["table"] if row["class"] is None}
    assert values["mcc"] == pytest.approx(VALUE)
    assert data["source"]["systems"] == ["pred"]
    assert sorted(x.name for x in tmp_path.iterdir()) == [path.name]


def test_the_terminal_shows_data_scores_classes_and_the_file(tmp_path):
    write(tmp_path, "p.csv")
    out = run_apart("p.csv", cwd=tmp_path, check=0).out
    for words in ("columns guessed: true 'label', predicted 'pred'", "30 items", "MCC", "chance",
                  "always 'ham'", "ham 66.7%", "report: p.report.html"):  # fmt: skip
        assert words in " ".join(out.split()) or words in out
    assert "\x1b" not in out
    assert (tmp_path / "p.report.html").read_text().startswith("<!DOCTYPE html>")


def test_colours_are_for_terminals_only(tmp_path):
    write(tmp_path, "p.csv")
    assert "\x1b" not in run("p.csv", "--pred", "other", "--true", "label", cwd=tmp_path, check=0).out


def test_every_option_does_what_it_says(tmp_path):
    write(tmp_path, "p.csv")
    done = run(
        "p.csv", "--true", "label", "--pred", "pred", "--pred", "other", "--weight", "w", "--by", "site", "--group",
        "doc", "--labels", "spam,ham", "--positive", "spam", "--measures", "mcc,macro(recall, p=0)", "--measures", "f1",
        "--confidence", "0.9", "--seed", "3", "--method", "bca", "--undefined", "nan", "--json", cwd=tmp_path, check=0,
    )  # fmt: skip
    data = json.loads(done.out)
    assert data["settings"]["measures"] == ["mcc", "macro(recall, p=0)", "f1"]
    assert data["settings"] | {"confidence": 0.9, "seed": 3, "method": "bca", "undefined": "nan"} == data["settings"]
    assert {(part["system"], part["slice"]) for part in data["parts"]} == {
        (system, where) for system in ("pred", "other") for where in (None, "x", "y")
    }
    assert data["parts"][0]["labels"] == ["ham", "spam"]
    assert data["parts"][0]["n"] == 45


@pytest.mark.parametrize("ending", ["html", "md", "tex", "json", "csv"])
def test_reports_are_written_where_they_are_asked_for(tmp_path, ending):
    write(tmp_path, "p.csv")
    out = run("p.csv", "--out", f"a b.{ending}", "--out", "second.md", cwd=tmp_path, check=0).out
    assert f"report: a b.{ending}" in out
    assert sorted(x.name for x in tmp_path.iterdir()) == sorted({f"a b.{ending}", "p.csv", "second.md"})


def test_standard_input_globs_and_several_files(tmp_path):
    write(tmp_path, "p1.csv")
    write(tmp_path, "p2.csv")
    text = (tmp_path / "p1.csv").read_bytes()
    piped = json.loads(run_apart("-", "--json", cwd=tmp_path, stdin=text, check=0).out)
    assert piped["data"]["rows"] == 30
    for names in (["p*.csv"], ["p1.csv", "p2.csv", "--pool"]):
        assert json.loads(run(*names, "--json", cwd=tmp_path, check=0).out)["data"]["rows"] == 60


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("m.csv", ",ham,spam\nham,50,3\nspam,4,20\n"),
        ("m.json", '{"labels": ["ham", "spam"], "counts": [[50, 3], [4, 20]]}'),
        ("m.txt", "50 3\n4 20\n"),
    ],
)
def test_a_matrix_is_read_instead_of_labels(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    out = run("--matrix", name, "--measures", "mcc", cwd=tmp_path, check=0).out
    assert "0.786" in out
    assert (tmp_path / "m.report.html").is_file()
    again = (tmp_path / "m.report.html").read_text()
    assert f"goodmeasure evaluate --matrix {name}" in again


def test_the_command_in_the_report_makes_the_same_numbers(tmp_path):
    import shlex

    write(tmp_path, "p.csv")
    run(
        "p.csv",
        "--by",
        "site",
        "--out",
        "r.json",
        "--out",
        "r.md",
        "--seed",
        "7",
        "--method",
        "bca",
        cwd=tmp_path,
        check=0,
    )
    line = next(x for x in (tmp_path / "r.md").read_text().splitlines() if x.startswith("goodmeasure evaluate"))
    done = run(*shlex.split(line)[2:], "--json", cwd=tmp_path, check=0)
    first, second = json.loads((tmp_path / "r.json").read_text()), json.loads(done.out)
    assert first["table"] == second["table"]


def test_labels_as_text_are_matched_to_what_typed_files_hold(tmp_path):
    pd.DataFrame({"label": [0, 1, 1], "pred": [0, 1, 0]}).to_parquet(tmp_path / "p.parquet")
    data = json.loads(run("p.parquet", "--positive", "0", "--json", cwd=tmp_path, check=0).out)
    assert data["parts"][0]["labels"] == [1, 0]
    ordered = json.loads(run("p.parquet", "--labels", "2,1,0", "--json", cwd=tmp_path, check=0).out)
    assert ordered["parts"][0]["labels"] == [2, 1, 0]


def test_text_labels_stay_what_they_are(tmp_path):
    (tmp_path / "p.csv").write_text("label,pred\n007,07\nNA,NA\n07,07\n")
    data = json.loads(run("p.csv", "--na", "none", "--json", cwd=tmp_path, check=0).out)
    assert data["data"]["labels"] == ["007", "07", "NA"]


TROUBLES = {
    "missing column": (b"a,b\n1,2\n", ["--true", "label", "--pred", "b"], "has no column 'label'"),
    "nothing obvious": (b"a,b\n1,2\n", [], "it is not obvious which column holds the true labels"),
    "no text": (b"\x9d\xc3\x28,b\n1,2\n", [], "the names of the columns are not UTF-8 text"),
    "empty file": (b"", [], "empty"),
    "header only": (b"label,pred\n", [], "no rows"),
    "ragged rows": (b"label,pred\na,a\nb\n", [], "line 3"),
    "a lone label is missing": (b"label,pred\na,\nb,b\n", [], "--missing drop"),
    "bad weight": (b"label,pred,w\na,a,x\n", ["--weight", "w"], "'w'"),
    "negative weight": (b"label,pred,w\na,a,-1\n", ["--weight", "w"], "'w'"),
    "unknown measure": (b"label,pred\na,a\n", ["--measures", "mc"], "'mc' is not the name of a measure"),
    "unknown positive": (b"label,pred\na,a\nb,b\n", ["--positive", "c"], "positive is 'c'"),
    "labels leave one out": (b"label,pred\na,a\nb,b\n", ["--labels", "a"], "'b'"),
    "bad ending": (b"label,pred\na,a\n", ["--out", "r.pdf"], "use .html, .md, .tex, .json, .csv or .xml"),
    "bad confidence": (b"label,pred\na,a\n", ["--confidence", "1.5"], "1.5"),
    "no folder": (b"label,pred\na,a\n", ["--out", "nowhere/r.html"], "cannot write"),
    "not text": (bytes(range(256)) * 10, [], "p.csv"),
    "not UTF-8": (b"label,pred\nh\xe4m,ham\n", [], "UTF-8"),
    "bad undefined": (b"label,pred\na,a\n", ["--undefined", "maybe"], "undefined"),
    "memory": (b"label,pred\na,a\n", ["--memory-limit", "much"], "--memory-limit is 'much'"),
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_trouble_is_one_line_that_says_what_to_do(tmp_path, trouble):
    content, options, words = TROUBLES[trouble]
    (tmp_path / "p.csv").write_bytes(content)
    done = run("p.csv", *options, cwd=tmp_path, check=2)
    assert words in done.err
    lines = [line for line in done.err.splitlines() if line and not line.startswith(("Usage", "Try"))]
    assert len(lines) == 1, done.err
    assert "Traceback" not in done.err
    assert [x.name for x in tmp_path.iterdir()] == ["p.csv"]


@pytest.mark.parametrize("name", ["nowhere.csv", "no*.csv", "."])
def test_files_that_are_none(tmp_path, name):
    done = run(name, cwd=tmp_path, check=2)
    assert len(done.err.splitlines()) == 1
    assert done.out == ""


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="the superuser may read everything")
def test_a_file_without_permission(tmp_path):
    path = write(tmp_path, "p.csv")
    path.chmod(0)
    assert "permission" in run("p.csv", cwd=tmp_path, check=2).err


def test_neither_files_nor_a_matrix(tmp_path):
    assert "name files of predictions" in run(cwd=tmp_path, check=2).err


@pytest.mark.parametrize(
    "content",
    [
        "\ufefflabel,pred\na,a\nb,a\n",
        "label,pred\r\na,a\r\nb,a\r\n",
        'label,pred\n"a","a"\n"b","a"\n',
        "label;pred\na;a\nb;a\n",
    ],
)
def test_marks_line_ends_quotes_and_delimiters_do_not_matter(tmp_path, content):
    (tmp_path / "p.csv").write_bytes(content.encode())
    data = json.loads(run("p.csv", "--json", cwd=tmp_path, check=0).out)
    assert data["parts"][0]["counts"] == [[1, 0], [1, 0]]


def test_hostile_labels_stay_text_everywhere(tmp_path):
    (tmp_path / "p.csv").write_text('label,pred\n"<script>alert(1)</script>",=1+1\n=1+1,=1+1\n"two\nlines",=1+1\n')
    run("p.csv", *(x for end in ("html", "md", "csv") for x in ("--out", f"r.{end}")), cwd=tmp_path, check=0)
    assert "<script>alert" not in (tmp_path / "r.html").read_text()
    assert "<script>" not in (tmp_path / "r.md").read_text()
    assert ",'=1+1," in (tmp_path / "r.csv").read_text()


def test_a_narrow_terminal_is_respected(tmp_path):
    write(tmp_path, "p.csv")
    out = run("p.csv", cwd=tmp_path, check=0, COLUMNS="60").out
    tables = [line for line in out.splitlines() if "─" in line]
    assert all(len(line) <= 60 for line in tables)


def test_names_are_split_outside_of_parentheses():
    assert split_names("measures", ("mcc, f1", "k_cost([[0, 1], [2, 0]])")) == ["mcc", "f1", "k_cost([[0, 1], [2, 0]])"]
    assert split_names("measures", ()) is None


def test_a_report_that_cannot_be_left_is_no_failure(tmp_path):
    """In a folder that cannot be written to, the scorecard is still shown."""
    write(tmp_path, "p.csv")
    (tmp_path / "p.report.html").mkdir()
    done = run("p.csv", cwd=tmp_path, check=0)
    assert "no report was written" in done.err
    assert "MCC" in done.out


def test_numbers_of_the_array_interface_and_the_command_agree(tmp_path):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"label": rng.integers(0, 4, 200).astype(str), "pred": rng.integers(0, 4, 200).astype(str)})
    frame.to_csv(tmp_path / "p.csv", index=False)
    data = json.loads(run("p.csv", "--json", "--measures", "all", cwd=tmp_path, check=0).out)
    result = gm.evaluate(frame.label, frame.pred, measures="all")
    ours = [row["value"] for row in result.table]
    theirs = [float("nan") if row["value"] is None else float(row["value"]) for row in data["table"]]
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


@pytest.mark.parametrize("out", ["p.csv", "./p.csv", "link.csv"])
def test_the_predictions_are_never_overwritten(tmp_path, out):
    before = write(tmp_path, "p.csv").read_bytes()
    (tmp_path / "link.csv").symlink_to("p.csv")
    for name in ("p.csv", "p*.csv"):
        done = run(name, "--out", "r.html", "--out", out, cwd=tmp_path, check=2)
        assert "is the file that is read" in done.err
    assert (tmp_path / "p.csv").read_bytes() == before
    assert not (tmp_path / "r.html").exists()


def test_a_matrix_is_never_overwritten(tmp_path):
    (tmp_path / "m.csv").write_text("1,2\n3,4\n")
    assert "is the file that is read" in run("--matrix", "m.csv", "--out", "m.csv", cwd=tmp_path, check=2).err
    assert (tmp_path / "m.csv").read_text() == "1,2\n3,4\n"


@pytest.mark.parametrize("second", ["nowhere/b.md", "folder.md"])
def test_reports_are_all_written_or_none(tmp_path, second):
    write(tmp_path, "p.csv")
    (tmp_path / "folder.md").mkdir()
    run("p.csv", "--out", "a.html", "--out", second, cwd=tmp_path, check=2)
    assert sorted(x.name for x in tmp_path.iterdir()) == ["folder.md", "p.csv"]


def test_brackets_and_colons_in_names_are_no_markup(tmp_path):
    (tmp_path / "p.csv").write_text("label,[/b],:warning:\n[/b],[bold]x,[/b]\n[bold]x,[/b],[/b]\n")
    out = run("p.csv", "--true", "label", "--pred", "[/b]", "--pred", ":warning:", "--no-report",
              cwd=tmp_path, check=0).out  # fmt: skip
    assert "[/b]" in out
    assert ":warning:" in out
    single = run("p.csv", "--true", "label", "--pred", "[/b]", "--no-report", cwd=tmp_path, check=0).out
    assert "[bold]x" in single


@pytest.mark.parametrize(
    "option", [["--true", "a"], ["--pred", "a"], ["--weight", "w"], ["--by", "a"], ["--group", "g"],
               ["--missing", "drop"]]
)  # fmt: skip
def test_options_that_need_items_are_refused_with_a_matrix(tmp_path, option):
    (tmp_path / "m.csv").write_text("1,2\n3,4\n")
    done = run("--matrix", "m.csv", *option, cwd=tmp_path, check=2)
    assert f"{option[0]} needs files of labels" in done.err


def test_a_matrix_is_read_from_standard_input(tmp_path):
    done = run("--matrix", "-", "--json", cwd=tmp_path, stdin=b"50,3\n4,20\n", check=0)
    assert json.loads(done.out)["parts"][0]["counts"] == [[50, 3], [4, 20]]


def test_labels_order_the_classes_of_a_matrix_that_has_its_own(tmp_path):
    (tmp_path / "m.csv").write_text(",ham,spam\nham,50,3\nspam,4,20\n")
    (tmp_path / "n.json").write_text('{"labels": [7, 8], "counts": [[50, 3], [4, 20]]}')
    (tmp_path / "bare.csv").write_text("50,3\n4,20\n")

    def part(name, *options):
        return json.loads(run("--matrix", name, *options, "--json", cwd=tmp_path, check=0).out)["parts"][0]

    assert part("m.csv", "--labels", "spam,ham")["counts"] == [[20, 4], [3, 50]]
    assert part("n.json", "--labels", "8,7")["counts"] == [[20, 4], [3, 50]]
    assert part("n.json", "--positive", "7")["labels"] == [8, 7]
    assert part("bare.csv", "--labels", "x,y", "--positive", "x")["labels"] == ["y", "x"]
    assert "'eggs'" in run("--matrix", "m.csv", "--labels", "ham,eggs", cwd=tmp_path, check=2).err


def test_no_measure_at_all_is_an_error(tmp_path):
    write(tmp_path, "p.csv")
    assert "--measures names no measure" in run("p.csv", "--measures", "", cwd=tmp_path, check=2).err


def test_errors_speak_of_options(tmp_path):
    write(tmp_path, "p.csv")
    (tmp_path / "q.csv").write_text("a,b\n1,2\n")
    assert "--pred names the column 'pred' twice" in run(
        "p.csv", "--true", "label", "--pred", "pred", "--pred", "pred", cwd=tmp_path, check=2
    ).err  # fmt: skip
    assert "name it with --true;" in run("q.csv", cwd=tmp_path, check=2).err


def test_long_names_of_reports(tmp_path):
    write(tmp_path, "p.csv")
    name = "x" * 245 + ".md"
    run("p.csv", "--out", name, cwd=tmp_path, check=0)
    assert (tmp_path / name).is_file()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--positive", "eggs"], "error: --positive is 'eggs'"),
        (["--labels", "ham,ham"], "error: --labels must be different"),
        (["--labels", "ham"], "occurs in the data but not in --labels: add it"),
        (["--labels", "ham,spam,"], "error: --labels 'ham,spam,' has an empty name"),
        (["--memory-limit", "3 bananas"], "error: --memory-limit is '3 bananas': use a size such as '200MB'"),
        (["--undefined", "maybe"], "error: --undefined is 'maybe'"),
        (
            ["--pred", "three", "--measures", "f1"],
            "use macro(f1), micro(f1) or weighted(f1), or one class with --positive",
        ),
    ],
)
def test_errors_name_the_option_that_was_given(tmp_path, monkeypatch, options, said):
    TABLE.assign(three=["ham", "spam", "eggs"] * 10).to_csv(tmp_path / "p.csv", index=False)
    monkeypatch.chdir(tmp_path)
    done = run("p.csv", "--true", "label", "--pred", "pred", *options)
    assert done.exit_code == 2
    assert said in done.output
    assert done.output.count("\n") == 1


def test_labels_that_are_objects_are_no_matter_of_an_option(tmp_path):
    (tmp_path / "p.jsonl").write_text('{"label": {"a": 1}, "pred": {"a": 1}}\n')
    done = run("p.jsonl", cwd=tmp_path, check=2)
    assert done.err.startswith("error: a label is {'a': 1}, a dict: expected one value")


def test_an_output_that_is_full_is_one_line(tmp_path):
    write(tmp_path, "p.csv")
    command = [sys.executable, "-m", "goodmeasure.cli", "evaluate", "p.csv", "--pred", "pred", "--json"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, timeout=120)
    assert done.returncode == 2
    assert done.stderr.decode() == "error: the output cannot be written: no space left on device\n"


def test_the_file_of_a_matrix_is_named(tmp_path):
    (tmp_path / "counts.csv").write_text("ham,spam\n3,1\n0,2\n")
    done = run("--matrix", "counts.csv", "--no-report", "--full", cwd=tmp_path, check=0)
    assert ["files", "counts.csv"] in [line.split() for line in done.out.splitlines()]


def test_labels_do_not_steer_the_terminal(tmp_path):
    (tmp_path / "p.jsonl").write_text(
        '{"label": "\\u001b[31mred", "pred": "nul\\u0000"}\n{"label": "a\\nb", "pred": "a\\nb"}\n'
    )
    done = run("p.jsonl", "--no-report", cwd=tmp_path, check=0)
    assert not set("\x1b\x00") & set(done.out)
    assert r" \x1b[31mred " in done.out
    assert r" a\nb " in done.out
