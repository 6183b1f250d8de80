"""The help begins with evaluating one's predictions, and its examples run as printed."""

from __future__ import annotations

import shlex

import pytest

from goodmeasure.cli.main import COMMANDS, TASKS
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
