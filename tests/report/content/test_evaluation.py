"""What a report says of several systems, of items that were left out, of weights, and of how to get it again."""

from __future__ import annotations

import json

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.report.charts.systems import ranks
from goodmeasure.report.content.evaluation import contents, glance, warning_lines
from goodmeasure.report.content.per_class import class_comparison
from goodmeasure.report.content.scorecard import comparison
from goodmeasure.report.content.summary import order_lines
from goodmeasure.report.document import Code, Grid, Sentences

TRUE = ["a"] * 20 + ["b"] * 10
PREDICTED = ["a"] * 18 + ["b"] * 10 + ["a"] * 2
NEVER = ["a"] * 30


def call_of(result) -> str:
    return next(x.text for x in contents(result).section("reproduce").blocks if isinstance(x, Code) and "gm." in x.text)


@pytest.fixture(scope="module")
def two():
    return gm.evaluate(TRUE, {"good": PREDICTED, "lazy": NEVER}, measures=["accuracy", "precision"], confidence=None)


def test_reasons_say_whose_they_are(two):
    notes = comparison(two).notes()
    assert any(x.startswith("Precision, lazy: ") for x in notes)
    assert "Precision, lazy: " in two.to_markdown()
    assert "Precision, lazy: " in two.to_latex()
    assert "Precision, lazy: " in two.to_html()


def test_chance_and_classes_stand_beside_each_other(two):
    grid = comparison(two)
    assert "chance" in grid.columns
    classes = class_comparison(two)
    assert classes.columns == ("class", "good", "lazy")
    assert classes.rows[1][2].text == "0.000 / undefined"


def test_systems_on_different_items_are_warned_of():
    result = gm.evaluate(
        TRUE, {"A": [None, *PREDICTED[1:]], "B": PREDICTED}, missing="drop", confidence=None, measures=["accuracy"]
    )
    assert any("measured on different items (A on 29, B on 30)" in x for x in warning_lines(result, slices=False))
    assert [x.system for x in result.warnings if "measured on different items" in x.text] == [None]
    assert "measured on different items" in json.loads(result.to_json())["parts"][1]["warnings"][0]
    assert "29 to 30 items" in contents(result).about
    assert dict(glance(result).items)["items"] == "29 to 30"
    assert "(of the items of A)" in dict(glance(result).items)["classes"]


def test_what_was_left_out_is_no_item():
    result = gm.evaluate(TRUE, [None, *PREDICTED[1:]], missing="drop", confidence=None, measures=["accuracy"])
    assert "29 items" in contents(result).about
    assert "29 items of 2 classes" in result.statement()
    assert "1 prediction without a label was left out" in result.statement()


def test_warnings_of_slices_are_counted_and_stand_with_the_slices():
    by = {"site": ["x"] * 5 + ["y"] * 25}
    result = gm.evaluate(TRUE, PREDICTED, by=by, confidence=None, measures=["accuracy"])
    document = contents(result)
    said = [line for x in document.section("summary").blocks if isinstance(x, Sentences) for line, _ in x.shown()]
    about = warning_lines(result, slices=True)
    assert about
    assert not set(about) & set(said)
    assert any("about slices" in line for line in said)
    assert set(about) <= set(document.section("slices").blocks[-1].lines)


def test_sums_of_weights_are_not_called_items():
    result = gm.evaluate(TRUE, PREDICTED, sample_weight=[0.5] * 30, confidence=None, measures=["accuracy"])
    (grid,) = (x for x in contents(result).section("classes").blocks if isinstance(x, Grid))
    assert grid.columns[1] == "weight"


def test_the_call_names_everything_that_came():
    def my_own(c):
        return c.n

    result = gm.evaluate(
        TRUE, PREDICTED, sample_weight=[1.0] * 30, by={"site": ["x"] * 30}, groups=list(range(30)),
        measures=["accuracy", my_own], classwise=["recall"], confidence=None,
    )  # fmt: skip
    call = call_of(result)
    for words in ("sample_weight=sample_weight", "by=by", "groups=groups", "['accuracy', my_own]", "['recall']"):
        assert words in call


def test_numbers_of_numpy_are_written_as_python_writes_them():
    result = gm.evaluate(np.array([0, 1, 1]), np.array([0, 1, 0]), positive=np.int64(1), measures=["accuracy"])
    assert "positive=1," in call_of(result)


def test_one_measure_is_singular(two):
    assert "1 measure" in gm.evaluate([[3, 1], [1, 3]], measures="accuracy").to_markdown()
    assert "1 measures" not in gm.evaluate([[3, 1], [1, 3]], measures="accuracy").to_markdown()


def test_latex_keeps_brackets_and_stars_as_text():
    result = gm.evaluate(gm.ConfusionMatrix([[3, 1], [1, 3]], ["[x]", "*y"]), measures=["mcc"])
    text = result.to_latex()
    assert not [line for line in text.splitlines() if line.strip().startswith(("[x]", "*y", r"\item [", r"\item *"))]
    assert "{}[x]" in text
    assert "@article{gorodkin2004" in text


def test_groups_of_arrays_are_told_in_the_statement():
    text = gm.evaluate(TRUE, PREDICTED, groups=[k // 2 for k in range(30)], measures=["accuracy"]).statement()
    assert "over the sampling of groups of items" in text


def test_missing_intervals_are_no_undefined_terms():
    text = gm.evaluate(["a"], ["a"], measures=["accuracy"]).statement()
    assert "1 item of 1 class" in text
    assert "There is no interval for accuracy: there is only one class" in text
    assert "none could be found" not in text


@pytest.mark.parametrize(
    ("true", "pred", "options", "why"),
    [
        (["a"] * 3, ["a"] * 3, {}, "no intervals, as there is only one class"),
        ([0, 1, 1], [0, 1, 0], {"groups": [1, 1, 1]}, "no intervals, as there is one group only"),
        ([0, 0], [0, 0], {"labels": [0, 1], "measures": ["recall"], "undefined": "nan"}, "every value is undefined"),
    ],
)
def test_a_report_without_intervals_says_why(true, pred, options, why):
    result = gm.evaluate(true, pred, **{"measures": ["accuracy"], **options})
    assert (
        f"intervals: 95% confidence: {'' if why.startswith('no') else 'no intervals, as '}{why}" in result.to_markdown()
    )


def test_systems_whose_values_differ_by_rounding_only_share_the_best():
    """The same matrix with its classes in another order: macro(f1) is 26/105 both times, and floats differ."""
    one = [[9, 3, 3], [11, 3, 1], [7, 7, 1]]
    other = [[1, 7, 7], [3, 9, 3], [1, 11, 3]]
    result = gm.evaluate(
        {"A": one, "B": other, "C": [[0, 15, 0], [0, 0, 15], [15, 0, 0]]}, measures=["macro(f1)"], classwise=False
    )
    assert result.value("macro(f1)", system="A") != result.value("macro(f1)", system="B")
    assert "A and B share the best value of macro F1." in order_lines(result)
    (row,) = comparison(result).rows
    assert [cell.sign for cell in row[1:4]] == ["*", "*", ""]
    assert ranks(result)["macro(f1)"] == {"A": 1.5, "B": 1.5, "C": 3.0}
