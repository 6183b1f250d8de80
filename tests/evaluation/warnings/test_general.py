"""Sentences about what a reader must know come where they are due, and only there."""

from __future__ import annotations

from dataclasses import asdict

import pandas as pd
import pytest

import goodmeasure as gm


def said(*data, **options) -> list[str]:
    return [x.text for x in gm.evaluate(*data, **options).warnings if x.slice is None]


@pytest.mark.parametrize(
    ("matrix", "labels", "line"),
    [
        ([[40, 2], [1, 2]], ["x", "y"], "Class 'y' has 3 items, so its recall can only be 0, 1/3, 2/3 or 1."),
        ([[40, 2], [0, 1]], ["x", "y"], "Class 'y' has 1 item, so its recall can only be 0 or 1."),
        ([[40, 2], [1, 3]], ["x", "y"], "Class 'y' has 4 items, so its recall can only be 0, 1/4, 1/2, 3/4 or 1."),
        ([[40, 2], [1, 6]], ["x", "y"], "Class 'y' has 7 items, so its recall moves in steps of 1/7."),
        (
            [[80, 20], [15, 5]],
            ["ham", "spam"],
            "Always predicting 'ham' scores better on accuracy (0.833 against 0.708)",
        ),
        (
            [[9, 9], [9, 9]],
            ["a", "b"],
            "Cohen's kappa, MCC and 4 more include the score of random guessing.",
        ),
        (
            [[90, 0], [10, 0]],
            ["a", "b"],
            "Class 'b' is never predicted, so its recall is 0 and its precision is",
        ),
        ([[90, 10], [0, 0]], ["a", "b"], "Class 'b' is predicted but never the true class, so its precision is 0"),
        ([[90, 10], [0, 0]], ["a", "b"], "Every item has the true class 'a'"),
        (
            [[50, 3, 0], [4, 20, 0], [0, 0, 0]],
            ["x", "z", "y"],
            "neither the true nor the predicted labels and lifts Sebastiani's K (",
        ),
        ([[50, 3], [4, 20]], ["Ham", "ham "], "The labels 'Ham' and 'ham ' differ only in case or spaces"),
    ],
)
def test_a_caution_is_said_where_it_is_due(matrix, labels, line):
    assert any(line in x for x in said(gm.ConfusionMatrix(matrix, labels)))


def test_good_and_large_data_need_no_caution():
    assert said(gm.ConfusionMatrix([[500, 30], [40, 200]], ["ham", "spam"])) == []


def test_macro_precision_leaves_absent_classes_out_so_nothing_lifts_it():
    lines = said(gm.ConfusionMatrix([[50, 3, 0], [4, 20, 0], [0, 0, 0]]), measures=["macro(precision)"])
    assert any(line == "Class 2 occurs in neither the true nor the predicted labels." for line in lines)


def test_weighted_items_are_counted_as_items():
    lines = said(["a"] * 30 + ["b"] * 2, ["a"] * 31 + ["b"], sample_weight=[1.0] * 30 + [50.0] * 2)
    assert any(line == "Class 'b' has 2 items, so its recall rests on few items." for line in lines)


def test_many_small_classes_are_summed_up():
    true = list(range(30)) * 2
    (line,) = (x for x in said(true, true) if "uncertain" in x)
    assert line == (
        "30 classes have fewer than 10 items, so their recall is uncertain: 0 (2 items), 1 (2), 2 (2), 3 (2), 4 (2) "
        "and 25 more."
    )
    assert sum("so its recall can only be" in x for x in said([0, 1] * 2, [0, 1] * 2)) == 2


def test_a_baseline_that_is_better_by_little_is_told_apart():
    lines = said(gm.ConfusionMatrix([[15797, 27], [150, 26]], ["ham", "spam"]), measures=["accuracy"])
    assert "Always predicting 'ham' scores better on accuracy (0.9890 against 0.9889)." in lines


WITH_ABSENT = gm.ConfusionMatrix([[50, 3, 0], [4, 20, 0], [0, 0, 0]], ["x", "y", "z"])
PRESENT = gm.ConfusionMatrix([[50, 3], [4, 20]], ["x", "y"])


@pytest.mark.parametrize("undefined", ["resolve", 0, 1, "nan"])
@pytest.mark.parametrize("name", ["balanced_accuracy", "sba", "macro(f1)", "macro(recall)", "accuracy", "kappa", "mcc"])
def test_absent_classes_are_said_to_move_what_they_move(name, undefined):
    (line,) = (x for x in said(WITH_ABSENT, measures=[name], undefined=undefined) if "in neither the true nor" in x)
    f = gm.measure(name)
    before, after = f(PRESENT, undefined=undefined), f(WITH_ABSENT, undefined=undefined)
    assert ("lifts" in line) == (after > before)
    assert ("lowers" in line) == (after < before)


def test_a_class_that_is_in_neither_column_lowers_balanced_accuracy():
    line = "Class 'z' occurs in neither the true nor the predicted labels and lowers balanced accuracy"
    assert f"{line} (0.888 without it)." in said(WITH_ABSENT, measures=["balanced_accuracy"])


def test_what_is_undefined_follows_the_policy():
    never = gm.ConfusionMatrix([[90, 0], [10, 0]], ["a", "b"])
    line = "Class 'b' is never predicted, so its recall is 0 and its precision is"
    assert f"{line} undefined (0/0)." in said(never)
    assert f"{line} 0/0, which counts as 0." in said(never, undefined=0)


def test_items_without_weight_count_for_nothing():
    true, predicted = ["a"] * 30 + ["b"] * 3, ["a"] * 33
    lines = said(true, predicted, sample_weight=[1.0] * 30 + [0.0] * 3, measures=["accuracy"])
    assert "Class 'b' occurs only in items of weight 0." in lines
    assert not any("Class 'b' has" in x or "in neither" in x for x in lines)
    lines = said(true, predicted, sample_weight=[1.0] * 30 + [0.0, 0.0, 2.0], measures=["accuracy"])
    assert "Class 'b' has 3 items, which, with their weights, are worth 1 of equal weight." in lines


def test_the_lazy_classifier_is_named_once_with_all_that_it_does_better_by():
    lines = said(gm.ConfusionMatrix([[60, 40], [20, 0]], ["a", "b"]), measures=["accuracy", "mcc", "kappa"])
    (line,) = (x for x in lines if "Always predicting" in x)
    assert line == (
        "Always predicting 'a' scores better on accuracy (0.833 against 0.5), MCC (0 against -0.316) and "
        "Cohen's kappa (0 against -0.286)."
    )


def test_a_mean_that_leaves_a_class_out_is_not_compared_with_one_over_all():
    """Always saying 'a' has no negative predictive value for 'a': its mean is that of 'b' alone."""
    cm = gm.ConfusionMatrix([[85, 5], [4, 6]], ["a", "b"])
    name = "macro(negative_predictive_value)"
    assert gm.measure(name)([[90, 0], [10, 0]]) > gm.measure(name)(cm)
    assert not any("Always predicting" in x for x in said(cm, measures=[name]))
    assert any("Always predicting" in x for x in said(cm, measures=[name], undefined=1))


def test_scores_that_repeat_are_told_where_they_may_be_labels():
    lines = said([0, 1, 1, 0] * 5, [0.2, 0.7, 0.7, 0.2] * 5)
    assert any("The predictions look like scores (0.2, 0.7, …), not like labels" in x for x in lines)


@pytest.mark.parametrize("labels", [["nan", "inf"], [2, 3], ["x", "y"], [True, False]])
def test_other_labels_are_no_scores(labels):
    true = ["a", "b"] if isinstance(labels[0], str) else [type(labels[0])(0), type(labels[0])(0)]
    assert not any("look like scores" in x for x in said(true * 3, labels * 3))


def test_warnings_are_records_of_system_slice_class_measure_and_text():
    """A user filters them, prints them, and makes a data frame of them."""
    true = ["ham"] * 30 + ["spam"] * 3
    result = gm.evaluate(true, {"A": true, "B": ["ham"] * 33}, by={"site": ["x", "y", "z"] * 11}, measures=["accuracy"])
    assert isinstance(result.warnings, list)
    few = [x for x in result.warnings if x.system == "A" and x.slice is None and x.class_ == "spam"]
    assert [x.text for x in few] == ["Class 'spam' has 3 items, so its recall can only be 0, 1/3, 2/3 or 1."]
    assert str(few[0]) == "A: Class 'spam' has 3 items, so its recall can only be 0, 1/3, 2/3 or 1."
    assert set(asdict(few[0])) == {"system", "slice", "class_", "measure", "text"}
    assert {x.slice for x in result.warnings} == {None, "x", "y", "z"}
    worse = gm.evaluate([[80, 20], [15, 5]], measures=["accuracy"]).warnings
    assert [x.measure for x in worse if "Always predicting" in x.text] == ["accuracy"]
    assert list(pd.DataFrame([x.to_dict() for x in result.warnings])) == ["system", "slice", "class", "measure", "text"]


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ([k % 5 for k in range(100)], "There are 5 groups: intervals of fewer than 10"),
        ([min(k // 2, 10) for k in range(100)], "differ so much in size that they tell as much as 1.6 equal ones"),
        ([k % 20 for k in range(100)], None),
        (None, None),
    ],
)
def test_few_groups_are_a_warning(groups, said):
    true = [k % 2 for k in range(100)]
    found = [x.text for x in gm.evaluate(true, [1 - true[0], *true[1:]], groups=groups).warnings]
    assert any(said in x for x in found) if said else not any("groups" in x for x in found)
