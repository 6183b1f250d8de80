"""The section on properties: verdicts of the atlas, what they mean for the data at hand, and what would suit it."""

from __future__ import annotations

import pytest

import goodmeasure as gm
from goodmeasure.catalogue.display_names import display_name
from goodmeasure.report.content.evaluation import contents
from goodmeasure.report.content.proved_properties import SHOWN
from goodmeasure.report.document import Facts, Grid, Sentences

TWO = [[90, 4], [3, 3]]


def section(rows, **options):
    document = contents(gm.evaluate(gm.ConfusionMatrix(rows), **options))
    return document.section("properties")


def lines(found):
    return [x for block in found.blocks if isinstance(block, Sentences) for x in block.lines]


def test_signs_are_those_of_the_atlas():
    grid = next(x for x in section(TWO).blocks if isinstance(x, Grid))
    names = {display_name(f): f.name for f in gm.measures()}
    for row in grid.rows:
        for name, cell in zip(SHOWN, row[1:], strict=True):
            assert cell.text == gm.atlas().verdict(names[row[0].text], name, domain="regular").sign
    assert "Cohen's kappa" in [row[0].text for row in grid.rows]


def test_every_property_is_explained():
    facts = next(x for x in section(TWO).blocks if isinstance(x, Facts))
    assert len(facts.items) == len(SHOWN)


def test_what_verdicts_mean_for_this_data():
    said = lines(section(TWO, measures=["accuracy", "kappa", "f1"]))
    assert said[0].startswith("Cohen's kappa can improve when one more error is made")
    assert "[0 1 | 1 0] → [0 2 | 1 0]: -1 → -4/5" in said[0]
    chance = next(x for x in said if x.startswith("The score of random guessing"))
    assert "accuracy 0.878" in chance  # (94 · 93 + 6 · 7)/100²
    even = next(x for x in said if x.startswith("If all classes were equally frequent"))
    assert "accuracy 0.729 instead of 0.930" in even  # the mean of 90/94 and 3/6
    assert any(x == "F1 depends on which class is positive (here '1')." for x in said)
    assert any("the largest class (94% of the items)" in x for x in said)


def test_what_suits_such_a_task():
    said = lines(section(TWO, measures=["mcc", "kappa"]))
    assert any("the best measures are MCC, symmetric balanced accuracy" in x for x in said)
    assert any(x == "Of the measures used here, MCC has all properties that such a task requires." for x in said)
    assert any(x == "These lack a required property (named as in the table): Cohen's kappa (PI)." for x in said)
    rare = lines(section([[90, 4, 0], [3, 3, 0], [0, 0, 2]]))
    assert any("3 classes, 1 of them with less than 5% of the items" in x for x in rare)
    assert any("the best measures are symmetric balanced accuracy" in x for x in rare)


@pytest.mark.parametrize("rows", [[[5]], [[0, 0], [0, 4]], [[3, 0], [0, 4]]])
def test_odd_data_has_a_section_or_none(rows):
    document = contents(gm.evaluate(gm.ConfusionMatrix(rows)))
    assert all(x.blocks for x in document.sections)


def test_measures_of_ones_own_have_no_verdicts():
    def mine(c):
        return c.ratio(c.tp, c.n)

    document = contents(gm.evaluate(gm.ConfusionMatrix(TWO), measures=[mine]))
    assert "properties" not in [x.key for x in document.sections]


def test_every_format_shows_it():
    result = gm.evaluate(gm.ConfusionMatrix(TWO))
    assert "Properties of these measures" in result.to_markdown()
    assert "Properties of these measures" in result.to_html()
    latex = result.to_latex()
    assert r"$\surd$" in latex
    assert "✓" not in latex
