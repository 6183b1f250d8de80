"""What does not fit the terminal is named."""

from __future__ import annotations

import re

import pytest

import goodmeasure as gm
from goodmeasure.cli.printing import show
from tests.cli.command import call

TRUE = ["a"] * 20 + ["b"] * 10


@pytest.fixture
def many_systems():
    systems = {f"system{k}": [*TRUE[k:], *TRUE[:k]] for k in range(14)}
    return gm.evaluate(TRUE, systems, measures=["accuracy", "mcc"])


@pytest.mark.parametrize("columns", [60, 80])
def test_many_systems_stand_in_rows_where_they_do_not_fit_in_columns(many_systems, monkeypatch, capsys, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    show(many_systems, full=True)
    printed = capsys.readouterr().out
    card = printed[printed.index("Every system") : printed.index("confusion matrix")]
    for name in many_systems.systems:
        assert re.search(rf"^ {name} +\d\.\d+( [*~])? +[−\d.]+( [*~])?$", card, re.MULTILINE), card
    assert re.search(r"^ random guessing +\d", card, re.MULTILINE)
    assert "… the intervals: in a report (.to_html(path) or --out FILE), or on a wider terminal" in " ".join(
        card.split()
    )
    assert max(map(len, printed.splitlines())) <= columns


def test_many_measures_of_many_systems_are_cut_into_several_tables(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    systems = {f"system {k}": [*TRUE[k:], *TRUE[:k]] for k in range(9)}
    result = gm.evaluate(TRUE, systems)
    show(result, full=True)
    printed = capsys.readouterr().out
    card = printed[printed.index("Every system") : printed.index("confusion matrix")]
    assert card.count(" system 3 ") == 3
    words = " ".join(card.split())
    assert all(f"{result.value(f.name, 'system 3'):.3f}".replace("-", "−") in words for f in result.settings.measures)
    assert max(map(len, printed.splitlines())) <= 80


def test_nothing_is_said_to_be_missing_where_all_fits(many_systems, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "700")
    show(many_systems, full=True)
    assert "wider terminal" not in capsys.readouterr().out


def test_several_systems_show_chance_and_their_classes(many_systems, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "700")
    show(many_systems, full=True)
    printed = capsys.readouterr().out
    assert "chance" in printed
    assert "Recall / precision of each class" in printed
    assert "1.000 / 1.000" in printed


def test_warnings_about_slices_are_counted(capsys):
    show(gm.evaluate(TRUE, TRUE, by={"site": ["x"] * 5 + ["y"] * 25}, measures=["accuracy"]))
    assert "about slices" in capsys.readouterr().out


def test_a_narrow_terminal_shows_the_systems_before_what_they_are_compared_with(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "40")
    wrong = [*TRUE[3:], *TRUE[:3]]
    show(gm.evaluate(TRUE, {"system one": TRUE, "system two": wrong}, measures=["accuracy", "mcc"]), full=True)
    said = capsys.readouterr().out
    assert re.search(r"system one +1\.000 \* +1\.000 \*\n", said)
    assert re.search(r"system two +0\.\d+ +0\.\d+\n", said)
    assert re.search(r"always 'a' +0\.667 +0\.000\n", said)


def test_a_narrow_terminal_shows_one_system_without_breaking_its_numbers(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "40")
    show(gm.evaluate(TRUE, TRUE, measures=["accuracy"]))
    assert re.search(r"Accuracy +1\.000", capsys.readouterr().out)


def test_the_terminal_shows_the_largest_slices_and_says_how_many_are_not_shown(tmp_path, monkeypatch):
    """10,000 slices printed 10,033 lines."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{'ab'[k % 2]},{'ab'[k % 3 == 0]},s{k % 99}\n" for k in range(400)] + ["a,b,large\n"] * 50
    (tmp_path / "p.csv").write_text("label,pred,site\n" + "".join(rows))
    result = call("evaluate", "p.csv", "--by", "site", "--no-report", "--full")
    assert result.exit_code == 0, result.output
    assert len(result.output.splitlines()) < 125
    assert sum(line.startswith(" site = ") for line in result.output.splitlines()) == 20
    assert "site = large" in result.output
    assert "80 smaller slices, in a report (.to_html(path) or --out FILE)" in result.output
