"""The help begins with evaluating one's predictions, and its examples run as printed."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

from goodmeasure.cli.main import COMMANDS, TASKS
from goodmeasure.report import formats
from tests.cli.command import call

EXAMPLES = [(name, words) for task in TASKS.values() for name, words in task.items() if name not in ("demo", "explore")]


def test_the_help_begins_with_evaluating_and_groups_commands_by_task():
    text = call("--help", check=0).out
    assert text.index("goodmeasure evaluate predictions.csv") < text.index("Options:") < text.index("Judge measures:")
    assert all(len(line) <= 80 for line in text.splitlines())
    assert all(f"\n  {name} " in text for name in COMMANDS)


@pytest.mark.parametrize(("name", "words"), EXAMPLES)
def test_every_example_runs_as_printed(tmp_path, name, words):
    (tmp_path / "predictions.csv").write_text(
        "label,pred_a,pred_b\n" + "ham,ham,spam\nspam,spam,spam\nham,spam,ham\n" * 9
    )
    (tmp_path / "scores.csv").write_text("label,probability\n" + "0,0.2\n1,0.7\n0,0.6\n1,0.4\n" * 9)
    (tmp_path / "labels.csv").write_text("human,judge\n" + "good,good\nbad,good\n,bad\n" * 9)
    (tmp_path / "ratings.csv").write_text("anna,ben,cleo\n" + "good,good,bad\nbad,bad,\ngood,good,good\n" * 9)
    (tmp_path / "preferences.csv").write_text("left,right,winner\n" + "A,B,A\nB,A,tie\nA,B,B\n" * 9)
    for period in ("may.csv", "june.csv"):
        (tmp_path / period).write_text("label,pred\n" + "ham,spam\nspam,spam\nham,ham\n" * 9)
    done = call(name, *shlex.split(words), cwd=tmp_path, check=int(name == "possible"))
    assert done.out
    assert "error" not in done.err


@pytest.mark.parametrize(("name", "words"), [x for x in EXAMPLES if x[1]])
def test_the_help_of_a_command_ends_with_its_example(name, words):
    assert call(name, "--help", check=0).out.endswith(f"Example:\n    goodmeasure {name} {words}\n")


def test_a_misspelled_command_is_recognised():
    assert "Did you mean 'evaluate'?" in call("evaluat", "p.csv", check=2).err


def test_an_unknown_property_lists_each_name_once():
    said = call("check", "mcc", "--property", "nice", check=2).err
    assert said.count("strongly_monotone") == 1


@pytest.mark.parametrize("name", ["evaluate", "compare", "sweep"])
def test_the_help_lists_the_formats_that_there_are(name, monkeypatch):
    said = "Report to write: .html, .md, .tex, .json, .csv or .xml; repeatable."
    assert said in " ".join(call(name, "--help", check=0).out.split())
    known = dict(list(formats.formats().items())[:2])
    monkeypatch.setattr(formats, "formats", lambda: known)
    assert "Report to write: .html or .md; repeatable." in " ".join(call(name, "--help", check=0).out.split())


def test_commands_start_without_the_formats():
    modules = "goodmeasure.cli.main, goodmeasure.cli.evaluate, goodmeasure.cli.compare, goodmeasure.cli.sweep"
    code = f"import sys, {modules}; sys.exit('goodmeasure.report.formats.html' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
