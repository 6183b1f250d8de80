"""A sign in a table has one meaning, and a legend in every format where it stands."""

from __future__ import annotations

import re

import pytest

import goodmeasure as gm
from goodmeasure.report.content.comparison_tables import scores_grid
from goodmeasure.report.content.scorecard import comparison

TRUE = ["a"] * 60 + ["b"] * 40
SYSTEMS = {
    "good": ["a"] * 58 + ["b"] * 2 + ["b"] * 38 + ["a"] * 2,
    "near": ["a"] * 57 + ["b"] * 3 + ["b"] * 38 + ["a"] * 2,
    "bad": ["b"] * 30 + ["a"] * 30 + ["b"] * 20 + ["a"] * 20,
}
MEASURES = ["accuracy", "mcc"]


@pytest.fixture(scope="module")
def compared():
    return gm.compare(TRUE, SYSTEMS, measures=MEASURES)


@pytest.fixture(scope="module")
def evaluated():
    return gm.evaluate(TRUE, SYSTEMS, measures=MEASURES)


def tables(result):
    """The tables of a report in Markdown, each with its caption."""
    return re.findall(r"^(.*:)\n\n((?:\|.*\n)+)", result.to_markdown(), re.MULTILINE)


@pytest.mark.parametrize("which", ["evaluated", "compared"])
def test_every_sign_stands_beside_its_legend_and_has_one_meaning(which, request):
    meanings = {r"\*": set(), r"\~": set()}
    for caption, table in tables(request.getfixturevalue(which)):
        for sign, found in meanings.items():
            stands = f" {sign} |" in table
            said = re.search(rf"; {re.escape(sign)} ([^;:]*)", caption)
            assert stands == (said is not None), caption
            found |= {said[1]} if said else set()
    assert meanings == {r"\*": {"best value"}, r"\~": {"no significant difference from the best"}}


def test_the_best_value_and_those_near_it_are_marked_alike_everywhere(evaluated, compared):
    assert compared.winners["mcc"] == ("good", "near")
    signs = {"good": "*", "near": "~", "bad": ""}
    (mcc,) = [row for row in comparison(evaluated).rows if row[0].text == "MCC"]
    side_by_side = dict(zip(comparison(evaluated).columns, mcc, strict=True))
    one_under_another = {row[0].text: row[-1] for row in scores_grid(compared).rows}
    for name, sign in signs.items():
        for cell in (side_by_side[name], one_under_another[name]):
            assert cell.sign == sign
    for shown in (str(evaluated), str(compared)):
        assert "; * best value; ~ no significant difference from the best" in " ".join(shown.split())


@pytest.mark.parametrize("format", ["html", "markdown", "latex"])
def test_reports_have_the_legend(evaluated, compared, format):
    for result in (evaluated, compared):
        text = getattr(result, f"to_{format}")()
        assert "best value" in text
        assert "no significant difference from the best" in text
        assert "not told apart" not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


def test_without_a_comparison_only_the_best_value_is_marked():
    shown = str(gm.evaluate(TRUE, SYSTEMS, measures=MEASURES, tests=False))
    assert "; * best value:" in shown
    assert "~" not in shown


def test_systems_that_tie_are_not_marked():
    shown = gm.evaluate(TRUE, {"A": TRUE, "B": TRUE}, measures=MEASURES, tests=False).to_text(full=True)
    assert "*" not in shown
    assert "All systems have the same value of every measure." in shown
