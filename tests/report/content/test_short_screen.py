"""The short form has the verdict, the numbers that people know, warnings, and a matrix or classes, on one screen."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

import goodmeasure as gm
from goodmeasure.catalogue.affine import distinct, is_affine
from goodmeasure.report.content.short_screen import shown_measures

RNG = np.random.default_rng(0)


def one_of(classes, items=900, right=0.8, names="class {}"):
    labels = np.array([names.format(k) for k in range(classes)])
    true = RNG.integers(0, classes, items)
    return labels[true], labels[np.where(RNG.random(items) < right, true, RNG.integers(0, classes, items))]


def scored(items=2000, share=0.012):
    hit = RNG.random(items) < share
    return hit, 1 / (1 + np.exp(5 - 3 * hit - RNG.normal(size=items)))


def results():
    two, hundred = one_of(2), one_of(100, 3000)
    site = np.array(["x", "y", "z"])[RNG.integers(0, 3, 900)]
    hit, p = scored()
    yield from (gm.evaluate(*two), gm.evaluate(*one_of(6)), gm.evaluate(*one_of(10)), gm.evaluate(*hundred))
    yield gm.evaluate(two[0], two[1], by={"site": site})
    yield gm.evaluate(two[0], np.full(900, "class 0"))
    yield gm.evaluate(*one_of(12, names="a class with the rather long name number {}"))
    yield from (gm.evaluate(hit, y_score=p), gm.evaluate(hit, y_score=np.log(p)))
    yield gm.evaluate(*two, measures="all")
    for classes in (2, 3, 6):
        yield gm.evaluate(*one_of(classes, names="a class with a very long name, which goes on and on to number {}"))
    six, p = one_of(6)[0], RNG.dirichlet(np.ones(6), 900)
    yield gm.evaluate(six, y_score=p, by={"site": site}, sample_weight=RNG.random(900))


def test_long_names_of_classes_are_cut_in_tables_and_still_differ():
    true, said = one_of(3, names="department of something important and verbose number {}")
    text = gm.evaluate(true, said).to_text(width=100)
    for k in range(3):
        assert sum(line.startswith("department") and f"number {k}  " in line for line in text.splitlines()) == 1
    whole = "department of something important and verbose number"
    assert f"always predicting '{whole}" in " ".join(text.split())
    alike = [f"{'x' * 30}{'ab'[k % 2]}{'x' * 30}" for k in range(10)]
    assert "…1" in gm.evaluate(alike, alike[::-1]).to_text(width=100)


def test_a_table_of_the_lowest_classes_does_not_say_that_it_has_more_than_it_shows():
    labels = list("abcdefghij")
    text = gm.evaluate(labels * 2, [*"abcdfejihg", *"aacdefghij"]).to_text(width=100)
    assert "lowest recall of 10 classes" in text
    assert "10 of 10" not in text


def test_slices_of_one_class_each_can_be_printed():
    result = gm.evaluate([0, 0, 1], [0, 1, 1], by={"site": list("xyz")})
    assert len(result.to_text(width=100).splitlines()) <= 24
    assert "site" in result.to_text(full=True)


def test_one_system_takes_at_most_24_lines_of_100_characters():
    for result in results():
        lines = result.to_text(width=100).splitlines()
        assert len(lines) <= 24, result
        assert max(map(len, lines)) <= 100
        assert lines[-1].startswith("to_text(full=True) or --full shows ")


@pytest.mark.parametrize("width", [80, 100, 160])
def test_it_fits_the_width_and_print_shows_it(width, monkeypatch):
    true, first = one_of(2)
    result = gm.evaluate(true, {"A": first, "B": one_of(2)[1], "C": true})
    for shown in (result, result.comparison):
        monkeypatch.setenv("COLUMNS", str(width))
        assert str(shown) == shown.to_text() == shown.to_text(width=width)
        assert max(map(len, str(shown).splitlines())) <= width
        assert len(shown.to_text(full=True)) > len(shown.to_text())


def test_ten_lowest_classes_stand_for_many():
    true, predicted = one_of(100, 5000)
    text = gm.evaluate(true, predicted).to_text(width=100)
    rows = text[text.index("lowest recall of 100 classes") :].splitlines()[1:11]
    recalls = [float(row.split()[4]) for row in rows]
    assert recalls == sorted(recalls)
    assert min(recalls) == pytest.approx(min(gm.confusion(true, predicted).counts.diagonal() / 50), abs=0.2)


def test_no_row_is_a_linear_function_of_another_and_familiar_measures_come_first():
    for classes in (2, 3, 10):
        true, predicted = one_of(classes)
        result = gm.evaluate(
            true, predicted, measures=["k", "macro(recall)", "balanced_accuracy", "micro(f1)", "accuracy"]
        )
        assert [f.name for f in shown_measures(result)] == ["accuracy", "balanced_accuracy"]
        usual = [f.name for f in shown_measures(gm.evaluate(true, predicted))]
        assert usual[0] == "accuracy"
        assert "mcc" in usual
        assert not {"sba", "k"} & set(usual)


@pytest.mark.parametrize(
    ("one", "other", "two", "three"),
    [
        ("balanced_accuracy", "k", True, True), ("balanced_accuracy", "macro(recall)", True, True),
        ("accuracy", "micro(f1)", True, True), ("accuracy", "zero_one_loss", True, True),
        ("kappa", "weighted_kappa(weights='quadratic')", True, False), ("mcc", "kappa", False, False),
        ("accuracy", "balanced_accuracy", False, False), ("macro(f1)", "accuracy", False, False),
    ],
)  # fmt: skip
def test_which_measures_say_the_same_is_decided_by_formula_and_classes(one, other, two, three):
    f, g = gm.measure(one), gm.measure(other)
    assert (is_affine(f, g, 2), is_affine(f, g, 3)) == (two, three)
    assert is_affine(g, f, 3) == three


def test_measures_of_scores_and_own_functions_are_told_apart_too():
    def doubled(c):
        return 2 * c.ratio(c.tp, c.tp + c.fn) + 1

    named = [gm.measure(x) for x in ("roc_auc", "gini", "average_precision", "brier", "log_loss")]
    assert [f.name for f in distinct(named, 2)] == ["roc_auc", "average_precision", "brier", "log_loss"]
    own = gm.evaluate(*one_of(2), measures=["recall", doubled])
    assert [f.name for f in shown_measures(own)] == ["recall"]


def test_a_width_that_is_no_width_is_refused():
    with pytest.raises(ValueError, match="width is 3: expected a whole number from 20 on"):
        gm.evaluate(*one_of(2)).to_text(width=3)


def test_the_first_line_says_what_was_left_out_and_weighted_and_the_last_one_names_slices():
    rows = {"label": ["a", "b", "a", None, "b"] * 20, "pred": ["a", "b", "b", "a", "b"] * 20, "w": [1.5, 2] * 50}
    rows["site"] = ["x", "y"] * 50
    asked = {"y_true": "label", "y_pred": "pred", "missing": "drop", "sample_weight": "w", "by": "site"}
    text = gm.evaluate(pandas.DataFrame(rows), **asked).to_text(width=200)
    assert "80 items · 2 classes" in text
    assert "· 20 left out, without a label · weighted by 'w'" in text
    assert "every slice and the data" in text
    plain = gm.evaluate(*one_of(2)).to_text(width=200)
    assert not any(x in plain for x in ("left out", "weighted", "slice"))
