"""Settings of a project hold for commands and for tests in Python, and what is typed goes first."""

from __future__ import annotations

import pytest

import goodmeasure as gm
from goodmeasure.options import CompareOptions
from goodmeasure.settings import read_settings
from tests.cli.command import call

SETTINGS = """
y_true = "truth"
y_pred = ["a"]
positive = "ham"
measures = ["mcc", "f1"]
labels = ["spam", "ham"]
require = ["mcc >= 0.8"]
"""
ROWS = [("spam", "spam", "ham"), ("ham", "ham", "ham"), ("ham", "spam", "ham")] * 20


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "p.csv").write_text("\n".join(["truth,a,b", *(",".join(x) for x in ROWS), ""]))
    (tmp_path / "goodmeasure.toml").write_text(SETTINGS)
    return tmp_path


def test_a_command_takes_what_is_not_typed_from_the_settings(folder):
    done = call("evaluate", "p.csv", "--json", cwd=folder, check=1)
    assert "note: the settings in goodmeasure.toml hold where an option is not given" in done.err
    assert "not met: mcc >= 0.8: it is 0.500" in done.err
    assert call("evaluate", "p.csv", "--no-report", "--require", "mcc >= 0.4", cwd=folder, check=0)
    assert "positive class 'spam'" in call("compare", "p.csv", "--pred", "a", "--pred", "b", "--positive", "spam",
                                           "--require", "a: f1 >= 0.1", cwd=folder, check=0).out  # fmt: skip


def test_a_matrix_needs_no_columns_whatever_the_settings_say(folder):
    (folder / "m.csv").write_text(",spam,ham\nspam,20,1\nham,1,40\n")
    assert "MCC" in call("evaluate", "--matrix", "m.csv", "--no-report", cwd=folder, check=0).out


def test_settings_may_stand_in_pyproject(folder):
    (folder / "goodmeasure.toml").unlink()
    (folder / "pyproject.toml").write_text('[tool.goodmeasure]\ny_true = "truth"\ny_pred = "a"\npositive = "spam"\n')
    assert "positive class 'spam'" in call("evaluate", "p.csv", "--no-report", cwd=folder, check=0).out
    (folder / "pyproject.toml").write_text("[tool.other]\n")
    assert read_settings(folder).file == ""


def test_python_reads_the_same_settings(folder):
    settings = read_settings(folder)
    result = gm.evaluate(folder / "p.csv", **settings.options)
    with pytest.raises(gm.RequirementNotMet, match=r"mcc >= 0\.8"):
        result.require(*settings.require)
    assert {"y_true", "positive", "measures", "labels"} == settings.of(CompareOptions).keys()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('postive = "ham"', "'postive' in goodmeasure.toml is not a setting: settings are options such as 'positive'"),
        ("confidence = 2", "confidence is 2"),
        ("require = 5", "require is 5"),
        ("y_true = ", "goodmeasure.toml cannot be read"),
    ],
)
def test_what_is_wrong_in_the_settings_is_said(folder, text, said):
    (folder / "goodmeasure.toml").write_text(text)
    assert said in call("evaluate", "p.csv", cwd=folder, check=2).err
