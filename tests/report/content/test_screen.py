"""print(), notebooks and the command line say the same: data, scorecard, slices, classes, warnings, in this order."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pandas as pd
import pytest

import goodmeasure as gm
from goodmeasure.report.formats.terminal import WARNING
from tests.cli.command import call

TRUE = ["ham"] * 40 + ["spam"] * 5
A = ["ham"] * 38 + ["spam"] * 6 + ["ham"]
B = ["ham"] * 45
SITE = ["x", "y", "z"] * 15
FRAME = pd.DataFrame({"label": TRUE, "A": A, "B": B, "site": SITE})
OPTIONS = {"y_true": "label", "measures": ["accuracy", "mcc"], "replicates": 200}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    FRAME.to_csv("p.csv", index=False)


def words(text):
    """Words without what only one side knows: the files, how their labels are read, and where the rest is."""
    lines = [x for x in text.splitlines() if not x.startswith(("files ", "labels "))]
    said = " ".join(" ".join(lines).replace("in a report (--out FILE)", "REST").split())
    return said.replace("Labels are read as text. ", "").replace(", labels read as text", "")


def printed(command, *arguments):
    done = call(command, "p.csv", "--true", "label", "--measures", "accuracy,mcc", *arguments)
    assert done.exit_code == 0, done.output
    return words(done.output)


def seen(html):
    """The words of a piece of a page."""
    without = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", without)).split())


def test_print_says_what_the_command_line_says_of_one_system(files):
    result = gm.evaluate(FRAME, y_pred="A", by="site", **OPTIONS)
    said = words(repr(result).replace("in the report (.to_html(path))", "REST"))
    assert said == printed("evaluate", "--pred", "A", "--by", "site", "--replicates", "200", "--no-report")


def test_print_says_what_the_command_line_says_of_several_systems(files):
    """The command line compares them too, which Python does where it is asked to."""
    result = gm.evaluate(FRAME, y_pred=["A", "B"], **OPTIONS)
    result = result.beside(compared=gm.compare(FRAME, y_pred=["A", "B"], pairs="best", ensemble=False, **OPTIONS))
    said = words(repr(result).replace("in the report (.to_html(path))", "REST"))
    assert said == printed("evaluate", "--pred", "A", "--pred", "B", "--replicates", "200", "--no-report")


def test_print_says_what_the_command_line_says_of_a_comparison(files):
    found = gm.compare(FRAME, y_pred=["A", "B"], by="site", **OPTIONS)
    said = words(repr(found).replace("in the report (.to_html(path))", "REST"))
    assert said == printed("compare", "--pred", "A", "--pred", "B", "--by", "site", "--replicates", "200")


def test_print_says_what_the_command_line_says_of_a_sweep(files):
    scores = np.linspace(0, 1, 45).round(3)
    FRAME.assign(score=scores).to_csv("p.csv", index=False)
    found = gm.sweep(TRUE, scores, measures=["accuracy", "mcc"], positive="spam")
    assert words(repr(found)) == printed("sweep", "--score", "score", "--positive", "spam")


@pytest.mark.parametrize("columns", ["80", "120"])
def test_print_shows_everything_in_order_on_a_narrow_screen_too(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    shown = repr(gm.evaluate(FRAME, y_pred="A", by="site", **OPTIONS))
    order = [
        "items ",
        "accuracy",
        "Every measure by slice",
        "site = x",
        "The gap between slices",
        "By site:",
        "Each class against the rest:",
        "spam",
        WARNING,
    ]
    places = [shown.index(x, shown.index("site = x") if x == "spam" else 0) for x in order]
    assert places == sorted(places)
    assert max(map(len, shown.splitlines())) <= int(columns)


@pytest.mark.parametrize("y_pred", ["A", ["A", "B"]])
def test_a_notebook_shows_what_print_says(monkeypatch, y_pred):
    """Every table, sentence and warning, in the same order; a page has room for all columns."""
    monkeypatch.setenv("COLUMNS", "400")
    result = gm.evaluate(FRAME, y_pred=y_pred, by="site", **OPTIONS)
    page, plain = seen(result._repr_html_()), repr(result)
    for caption in re.findall(r"^(.*):$", plain, re.MULTILINE):
        assert caption in page
    for line in re.findall(f"^{WARNING}.*$", plain, re.MULTILINE):
        assert line in page
    assert "Every measure by slice" in page or "A: every measure by slice" in page
    assert page.count("Every system") <= 1  # the scorecard is shown once
    captions = re.findall(r"^(.*):$", plain, re.MULTILINE)
    assert [page.index(x) for x in captions] == sorted(page.index(x) for x in captions)


def test_comparisons_and_sweeps_in_a_notebook_show_what_print_says():
    for found in (
        gm.compare(FRAME, y_pred=["A", "B"], **OPTIONS),
        gm.sweep(TRUE, np.linspace(0, 1, 45), measures="mcc"),
    ):
        page = seen(found._repr_html_())
        for line in repr(found).splitlines():
            if line and not line.startswith((" ", "…")):
                assert line.rstrip(":").split("  ")[0][:60] in page


def test_untested_differences_are_not_called_wins():
    """Two more hits of 45 are no significant difference, and print() does not say that A is better."""
    nearly = [*A[:-1], "spam"]
    systems = {"A": nearly, "B": A}
    result = gm.evaluate(TRUE, systems, measures=["accuracy", "mcc"])
    for shown in (repr(result), seen(result._repr_html_()), result.to_markdown()):
        text = " ".join(shown.split())
        assert "A has the best value of every measure. These differences were not tested" in text.replace(" - ", " ")
        assert "is best" not in text
    compared = gm.compare(TRUE, systems, measures=["accuracy", "mcc"])
    assert set(compared.winners["accuracy"]) == {"A", "B"}
    beside = repr(result.beside(compared=compared))
    assert "not tested" not in beside
    assert "has the best value" not in beside


def test_many_classes_show_those_with_the_lowest_recall():
    true = [k for k in range(30) for _ in range(20)]
    wrong = [0 if k == 17 else k for k in true]
    shown = repr(gm.evaluate(true, wrong, measures=["accuracy"]))
    assert "Each class against the rest: the classes with the lowest recall:" in shown
    assert "… and 18 more, in the report (.to_html(path))" in shown
    rows = shown.split("lowest recall:")[1].splitlines()
    assert rows[3].split()[0] == "17"
    page = seen(gm.evaluate(true, wrong, measures=["accuracy"])._repr_html_())
    assert "and 18 more" in page
