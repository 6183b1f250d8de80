"""Errors name the options of the command that was given, and repeat users' own words as they are."""

from __future__ import annotations

import re

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodmeasure.cli.main import main
from goodmeasure.cli.options import naming_of, said
from goodmeasure.exceptions import InputError
from tests.cli.command import call

PYTHON = re.compile(
    r"\b(y_true|y_pred|y_score|sample_weight|memory_limit|one_class)\b"
    r"|\b(labels|positive|missing|measures|groups|by|pairs|ensemble|classes|counts|costs|method)="
    r"|\b(gm|cm)\.\w"
    r"|^error: (labels|positive|missing|measures|groups|by|pairs|ensemble|classes|counts|costs|domain|sizes|n) is\b"
)
ROWS = "label,pred,other,score,site,w\n" + "a,a,b,0.9,x,1\nb,a,b,0.2,y,2\nc,c,,0.4,x,0\n"
ERRORS = {
    "unknown column": ("evaluate p.csv --true nothing", "p.csv has no column 'nothing'"),
    "guessed true": ("evaluate q.csv", "name it with --true"),
    "guessed pred": ("evaluate r.csv", "name it with --pred"),
    "guessed score": ("sweep r.csv", "name it with --score"),
    "column twice": ("evaluate p.csv --pred pred --pred pred", "--pred names the column 'pred' twice"),
    "missing labels": ("evaluate p.csv --pred other", "leave them out with --missing drop"),
    "label unnamed": ("evaluate p.csv --pred pred --labels a,b", "but not in --labels: add it"),
    "labels twice": ("evaluate p.csv --pred pred --labels a,b,a", "--labels must be different"),
    "positive": ("evaluate p.csv --pred pred --positive z", "--positive is 'z', which is not a class"),
    "binary measure": ("evaluate p.csv --pred pred --measures f1", "macro(f1), micro(f1) or weighted(f1), or one class "
                       "with --positive LABEL"),
    "unknown measure": ("evaluate p.csv --pred pred --measures qqqqzz", "see `goodmeasure measures`"),
    "open bracket": ("evaluate p.csv --pred pred --measures macro(f1", "the name 'macro(f1' is not well formed"),
    "undefined": ("evaluate p.csv --pred pred --undefined zero", "--undefined is 'zero'"),
    "memory limit": ("evaluate p.csv --pred pred --memory-limit much", "--memory-limit is 'much'"),
    "weights as text": ("evaluate p.csv --pred pred --weight site", "weight column 'site' has 'x'"),
    "scores as text": ("sweep p.csv --score site --positive a", "error: column 'site' has 'x'"),
    "pairs": ("compare p.csv --true label --pred pred --pred site --pairs nobody", "--pairs is 'nobody'"),
    "ensemble": ("compare p.csv --true label --pred pred --pred site --measures mcc --ensemble kappa",
                 "which is not among --measures"),
    "three classes": ("sweep p.csv --score score", "with --positive"),
    "matrix": ("evaluate --matrix m.csv", "m.csv holds no confusion matrix"),
    "negative counts": ("explain mcc --matrix", "--matrix[0, 1] is -3"),
    "labels of a matrix": ("explain mcc --matrix 1\\ 2;3\\ 4 --labels a,b,c", "--labels has 3 entries, --matrix has 2"),
    "binary explained": ("explain f1 --matrix 1\\ 2\\ 3;3\\ 4\\ 5;6\\ 7\\ 8", "use macro(f1)"),
    "check classes": ("check f1 --classes 3", "use --classes 2"),
    "check domain": ("check f1 --domain odd", "--domain is 'odd'"),
    "check property": ("check f1 --property monoton3", "'monoton3' is not the name of a property"),
    "possible classes": ("possible monotone --classes 9", "--classes is 9"),
    "recommend rare": ("recommend --classes 2 --rare 3", "--rare is 3 and --classes is 2"),
    "recommend order": ("recommend --classes 2 --ordered", "--ordered and --classes 2 contradict"),
    "recommend one": ("recommend --classes 3 --ordered --one-class", "--ordered and --one-class contradict"),
    "recommend costs": ("recommend --classes 3 --costs 0,1;1,0", "--costs is a table of 2 rows"),
    "measures family": ("measures --family nothing", "--family is 'nothing'"),
    "scores in drift": ("drift s.csv s.csv", "is named like scores: name predicted labels with --pred; the columns"),
    "scores in check": ("check roc_auc", "roc_auc is a measure of scores, and predicted labels have none\n"),
    "scores in plan": ("plan --matrix 5\\ 1;1\\ 5 --measure roc_auc --width 0.1", "and predicted labels have none\n"),
    "scores in evaluate": ("evaluate p.csv --pred pred --measures roc_auc", "give scores: --score COLUMN"),
    "labels as scores": ("evaluate p.csv --true label --score label", "named as labels, and as scores, weights or"),
    "file and matrix": ("evaluate p.csv --matrix m.csv", "FILE and --matrix were both given"),
    "nothing to plan": ("plan --width 0.1", "a confusion matrix (--matrix), a pilot (FILE), or --prevalence"),
    "rates with data": ("plan p.csv --recall 0.5 --width 0.1", "and no FILE or --matrix"),
    "avoided": ("recommend --avoid zzqq", "'zzqq' is neither the name of a property nor of a measure"),
    "missing parameter": ("evaluate p.csv --pred pred --measures area(f1)", "area needs its parameter over: for"),
    "folder of a map": ("possible --map --rebuild nodir/x", "there is no folder nodir for the file nodir/x"),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.csv").write_text(ROWS)
    (tmp_path / "q.csv").write_text("alpha,beta\na,a\n")
    (tmp_path / "r.csv").write_text("label,alpha,beta\na,a,b\n")
    (tmp_path / "s.csv").write_text("label,score\na,0.1\nb,0.9\n")
    (tmp_path / "m.csv").write_text("1,2,3\n4,5,6\n")
    return tmp_path


def arguments(line):
    words = [x.replace("\\ ", " ") for x in re.split(r"(?<!\\) ", line)]
    return [*words, "1 -3; 2 4"] if words[-1] == "--matrix" else words


@pytest.mark.parametrize(("line", "expected"), ERRORS.values(), ids=ERRORS)
def test_an_error_names_options_and_no_argument_of_python(folder, line, expected):
    done = call(*arguments(line))
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1
    assert not PYTHON.search(done.stderr)


def test_the_users_own_words_are_repeated(folder):
    done = call("evaluate", "p.csv", "--true", "the y_pred column")
    assert "p.csv has no column 'the y_pred column':" in done.stderr


WORDS = st.sampled_from(
    [
        *("y_true", "y_pred", "labels=", "missing='drop'", "groups is", "gm.macro(gm.f1)", "cm.vs_rest(label)"),
        *("(?P<x>", "{y_pred}", "{0}", "\\1", "--pred", "positive", " ", "by=", "%s"),
    ]
)


@given(st.lists(WORDS, min_size=1, max_size=4).map("".join))
def test_a_column_of_any_name_is_repeated_as_it_is(tmp_path_factory, name):
    path = tmp_path_factory.getbasetemp() / "y_pred.csv"
    path.write_text("label,pred\na,a\nb,a\n")
    named = "=" in name.strip("=")  # of --score this is the name of a system, and its columns
    for command, option in (("evaluate", "--true"), ("compare", "--pred"), *([] if named else [("sweep", "--score")])):
        done = call(command, path, option, name)
        assert done.exit_code == 2
        assert f"y_pred.csv has no column {name!r}: its columns are 'label', 'pred'" in done.stderr
    done = call("evaluate", path, f"--positive={name}")
    assert f"--positive is {name!r}, which is not a class" in done.stderr


def test_an_option_that_the_command_lacks_is_not_named():
    command = click.Command("x", params=[click.Option(["--true", "y_true"])])
    assert naming_of(command)("y_true") == "--true"
    assert naming_of(command)("positive") is None
    assert said(InputError("{positive} and {y_true}"), command) == "positive and --true"


def test_other_errors_stay_as_they_are():
    assert said(ValueError("y_true is {labels=}"), main) == "y_true is {labels=}"
