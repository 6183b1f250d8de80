"""print() and the command line say the same in the same order; notebooks show the first screen and fold the rest."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pandas as pd
import pytest

import goodmeasure as gm
from goodmeasure.report.content.evaluation import body, warning_lines
from goodmeasure.report.content.main_finding import comparison_verdict, verdict
from goodmeasure.report.document import Grid
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
    """Words without what only one side knows: the files, and how their labels are read."""
    lines = [x for x in text.splitlines() if not x.startswith(("files ", "labels "))]
    said = " ".join(" ".join(lines).split())
    said = said.replace("positive= or --positive", "positive=")
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
    asked = ("--pred", "A", "--by", "site", "--replicates", "200", "--no-report")
    assert words(str(result)) == printed("evaluate", *asked)
    assert words(result.to_text(full=True)) == printed("evaluate", *asked, "--full")


def test_print_says_what_the_command_line_says_of_several_systems(files):
    result = gm.evaluate(FRAME, y_pred=["A", "B"], **OPTIONS)
    asked = ("--pred", "A", "--pred", "B", "--replicates", "200", "--no-report")
    assert words(str(result)) == printed("evaluate", *asked)
    assert words(result.to_text(full=True)) == printed("evaluate", *asked, "--full")
    assert "significant" in str(result)
    untested = gm.evaluate(FRAME, y_pred=["A", "B"], tests=False, **OPTIONS)
    assert untested.comparison is None
    assert words(str(untested)) == printed("evaluate", *asked, "--no-tests")


def test_print_says_what_the_command_line_says_of_a_comparison(files):
    found = gm.compare(FRAME, y_pred=["A", "B"], by="site", **OPTIONS)
    asked = ("--pred", "A", "--pred", "B", "--by", "site", "--replicates", "200")
    assert words(str(found)) == printed("compare", *asked)
    assert words(found.to_text(full=True)) == printed("compare", *asked, "--full")


def test_print_says_what_the_command_line_says_of_a_sweep(files):
    scores = np.linspace(0, 1, 45).round(3)
    FRAME.assign(score=scores).to_csv("p.csv", index=False)
    found = gm.sweep(TRUE, scores, measures=["accuracy", "mcc"], positive="spam")
    assert words(str(found)) == printed("sweep", "--score", "score", "--positive", "spam")


@pytest.mark.parametrize("columns", ["80", "120"])
def test_print_shows_everything_in_order_on_a_narrow_screen_too(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    shown = gm.evaluate(FRAME, y_pred="A", by="site", **OPTIONS).to_text(full=True)
    order = [
        "45 items · 2 classes",
        "random guessing",
        WARNING,
        "2 measures",
        "Confusion matrix:",
        "Each class against the rest:",
        "Every measure by slice",
        "site = x",
        "The gap between slices",
        "By site:",
        "missing",
    ]
    places = [shown.index(x) for x in order]
    assert places == sorted(places)
    assert max(map(len, shown.splitlines())) <= int(columns)


@pytest.mark.parametrize("y_pred", ["A", ["A", "B"]])
def test_a_notebook_shows_the_first_screen_and_folds_the_rest(y_pred):
    """The verdict, the warnings and the matrix are in sight; every table of the report is there once."""
    result = gm.evaluate(FRAME, y_pred=y_pred, by="site", **OPTIONS)
    html = result._repr_html_()
    page, first = seen(html), seen(html.partition('<details class="fold"')[0])
    assert verdict(result) in first
    assert "confusion matrix" in first.lower()
    for line in warning_lines(result, slices=False):
        assert line in page
    for section in body(result).sections:
        for block in section.blocks:
            if isinstance(block, Grid):
                assert block.caption in page
    assert page.count("Every system") <= 2  # as the caption of the scorecard and the name of its region
    assert "<script" not in html
    assert "How to reproduce" not in page  # the appendix is for the report


def test_comparisons_and_sweeps_in_a_notebook_have_a_verdict_and_their_tables():
    compared = gm.compare(FRAME, y_pred=["A", "B"], **OPTIONS)
    page = seen(compared._repr_html_())
    assert comparison_verdict(compared) in page
    assert "Paired differences" in page
    swept = gm.sweep(TRUE, np.linspace(0, 1, 45), measures="mcc")
    assert "MCC is best at a threshold of" in seen(swept._repr_html_())
    assert "The best threshold of every measure" in seen(swept._repr_html_())


def test_untested_differences_are_not_called_wins():
    """Two more hits of 45 are no significant difference, and print() does not say that A is better."""
    nearly = [*A[:-1], "spam"]
    systems = {"A": nearly, "B": A}
    result = gm.evaluate(TRUE, systems, measures=["accuracy", "mcc"], tests=False)
    for shown in (result.to_text(full=True), seen(result._repr_html_()), result.to_markdown()):
        assert "whether the difference is significant was not tested" in " ".join(shown.split())
        text = " ".join(shown.split())
        said = "A has the best value of every measure. Whether these differences are significant was not tested."
        assert said in text.replace(" - ", " ")
    tested = gm.evaluate(TRUE, systems, measures=["accuracy", "mcc"])
    assert set(tested.comparison.winners["accuracy"]) == {"A", "B"}
    beside = str(tested)
    assert "not tested" not in beside
    assert "There is no significant difference between A and B" in " ".join(beside.split())


def test_many_classes_show_those_with_the_lowest_recall():
    true = [k for k in range(30) for _ in range(20)]
    wrong = [0 if k == 17 else k for k in true]
    shown = gm.evaluate(true, wrong, measures=["accuracy"]).to_text(full=True)
    assert "Each class against the rest: the classes with the lowest recall:" in shown
    assert "… and 18 more, in a report (.to_html(path) or --out FILE)" in shown
    rows = shown.split("lowest recall:")[1].splitlines()
    assert rows[3].split()[0] == "17"
