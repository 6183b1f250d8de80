"""A result is held to requirements: each is met or not, by the numbers that the result shows."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.evaluation.requirements.gate import number_text

CLASSES = np.array(["ham", "spam", "eggs"])


def drawn(seed: int, right: float, items: int = 240) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    true = CLASSES[np.arange(items) % 3]
    return true, np.where(rng.random(items) < right, true, rng.permutation(true))


TRUE, GOOD = drawn(0, 0.9)
POOR = drawn(1, 0.5)[1]
SITE = np.where(np.arange(240) % 2, "x", "y")


@pytest.fixture(scope="module")
def result():
    return gm.evaluate(TRUE, {"good": GOOD, "poor": POOR}, by={"site": SITE})


def row(result, **where):
    (found,) = result.table.where(**where)
    return found


def test_every_system_must_meet_a_requirement_that_names_none(result):
    gate = result.checked("mcc >= 0.7")
    assert [(x.system, x.met) for x in gate] == [("good", True), ("poor", False)]
    assert not gate
    assert not gate.met
    assert [x.value for x in gate] == [result.value("mcc", "good"), result.value("mcc", "poor")]
    assert result.require("good: mcc >= 0.7").met


def test_an_error_names_each_requirement_that_is_not_met(result):
    with pytest.raises(gm.RequirementNotMet) as caught:
        result.require("mcc >= 0.7", "good: accuracy >= 0.99", "good: kappa > 0")
    first, *lines = str(caught.value).splitlines()
    assert first == "2 requirements are not met:"
    assert [x.partition(": it is")[0].strip() for x in lines] == ["poor: mcc >= 0.7", "good: accuracy >= 0.99"]
    assert isinstance(caught.value, AssertionError)
    assert len(caught.value.gate) == 4
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)


def test_the_numbers_are_those_of_the_table(result):
    (one,) = result.checked("good: recall[spam] >= 0.9")
    mine = row(result, system="good", slice=None, class_="spam", measure="recall")
    assert (one.value, one.low, one.high) == (mine["value"], mine["low"], mine["high"])
    (one,) = result.checked("poor: mcc[x] >= 0.9")
    mine = row(result, system="poor", slice="x", class_=None, measure="mcc")
    assert (one.value, one.low, one.slice) == (mine["value"], mine["low"], "x")


def test_stars_stand_for_each_class_and_each_slice(result):
    assert [x.label for x in result.checked("good: recall[*] > 0")] == ["eggs", "ham", "spam"]
    assert [x.slice for x in result.checked("good: mcc[slice=*] > 0")] == ["x", "y"]
    assert [x.slice for x in result.checked("good: mcc[site=*] > 0")] == ["x", "y"]
    both = result.checked("recall[*, *] > 0")
    assert len(both) == len({(x.system, x.slice, x.label) for x in both}) == 12


def test_a_measure_that_was_not_asked_for_is_computed(result):
    """It gets the value and the interval that it would have had in the table."""
    other = gm.evaluate(TRUE, GOOD, measures=["scott_pi"], classwise=["jaccard"])
    gate = result.checked("good: scott_pi >= 0", "good: jaccard[spam] >= 0")
    wanted = [*other.table.where(measure="scott_pi", class_=None), *other.table.where(measure="jaccard", class_="spam")]
    for one, mine in zip(gate, wanted, strict=True):
        assert one.value == pytest.approx(mine["value"])
        assert (one.low, one.high) == pytest.approx((mine["low"], mine["high"]))


def test_with_confidence_the_whole_interval_must_meet_the_bound(result):
    mine = row(result, system="good", slice=None, class_=None, measure="mcc")
    between = (mine["low"] + mine["value"]) / 2
    assert result.checked(f"good: mcc >= {between}").met
    assert not result.checked(f"good: mcc >= {between}", confident=True).met
    assert result.checked(f"good: mcc >= {mine['low'] - 0.01}", confident=True).met
    assert result.checked(f"good: mcc <= {mine['high'] + 0.01}", confident=True).met
    assert not result.checked(f"good: mcc <= {mine['high'] - 0.001}", confident=True).met
    with pytest.raises(gm.InputError, match="no interval lies in a single number"):
        result.checked("mcc == 1", confident=True)
    with pytest.raises(gm.InputError, match=r"confidence='?0\.95"):
        gm.evaluate(TRUE, GOOD, confidence=None).checked("mcc >= 0", confident=True)


def test_an_undefined_value_meets_nothing_and_says_why():
    result = gm.evaluate([0, 0, 1], [0, 0, 0], positive=1)
    for sign in (">=", "<=", "=="):
        (one,) = result.checked(f"precision {sign} 0.5")
        assert not one.met
        assert math.isnan(one.value)
        assert "never predicted" in one.found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("good: recall[spma] >= 0.9", r"there is no class or slice 'spma': did you mean 'spam'\? the classes and"),
        ("better: mcc >= 0.9", "there is no system 'better': the systems are 'good', 'poor'"),
        ("good: mcc[slice=z] >= 0.9", "there is no slice 'z': the slices are 'x', 'y'"),
        ("good: mmc >= 0.9", "did you mean"),
        ("good: recall >= 0.9", r"recall\[eggs\], each class with recall\[\*\], or an average: macro\(recall\)"),
        ("good: roc_auc >= 0.9", "roc_auc is a measure of scores: evaluate scores, with y_score="),
    ],
)
def test_a_wrong_name_says_what_was_meant(result, text, words):
    with pytest.raises(gm.InputError, match=words):
        result.require(text)


def test_a_name_of_both_a_class_and_a_slice_must_say_which():
    result = gm.evaluate(["x", "y", "z"] * 4, ["x", "y", "z"] * 4, by={"site": ["x", "w", "w"] * 4})
    with pytest.raises(gm.InputError, match=r"\[class=x\] or \[slice=x\]"):
        result.require("recall[x] > 0")
    assert result.require("recall[class=x] > 0", "mcc[slice=w] > 0").met


def test_slices_of_several_columns_have_names():
    two = {"site": ["x", "y"] * 6, "year": [1, 1, 2] * 4}
    result = gm.evaluate([0, 1, 1, 0] * 3, [0, 1, 1, 0] * 3, by=two)
    names = [x.slice for x in result.checked("accuracy[slice=*] > 0")]
    assert names[:4] == ["site=x", "site=y", "year=1", "year=2"]
    assert "site=x & year=1" in names
    assert result.checked("accuracy[slice=site=x & year=1] > 0").met
    assert [x.slice for x in result.checked("accuracy[year=*] > 0")] == ["year=1", "year=2"]


def test_each_slice_of_a_column_counts_whatever_its_value_is_called():
    two = {"site": ["R & D"] * 3 + ["x"] * 3, "year": [1, 1, 2] * 2}
    true, wrong = [0, 1, 0, 1, 0, 1], [0, 1, 1, 1, 0, 1]
    gate = gm.evaluate(true, wrong, by=two, measures="accuracy").checked("accuracy[site=*] >= 0.9")
    assert [(x.slice, x.met) for x in gate] == [("site=R & D", False), ("site=x", True)]
    found = gm.compare(true, {"A": wrong, "B": true}, by=two, measures="accuracy", replicates=20)
    gate = found.checked("A: accuracy[site=*] >= 0.9")
    assert [(x.slice, x.met) for x in gate] == [("site=R & D", False), ("site=x", True)]


def test_slices_that_read_alike_are_all_required():
    two = {"site": ["x & year=1"] * 3 + ["x"] * 3, "year": [1] * 6}
    result = gm.evaluate([0, 1, 0, 1, 0, 1], [0, 1, 1, 1, 0, 1], by=two, measures="accuracy")
    names = [x.slice for x in result.checked("accuracy[slice=*] > 0")]
    assert names == ["site=x", "site=x & year=1", "year=1", "site='x' & year=1", "site=x & year=1 & year=1"]
    assert [x.value for x in result.checked("accuracy[slice=site=x & year=1] > 0")] == [2 / 3]
    assert [x.value for x in result.checked("accuracy[slice=site='x' & year=1] > 0")] == [1.0]


def test_columns_with_equal_signs_do_not_share_names_of_slices():
    two = {"a": ["b=x"] * 3 + ["y"] * 3, "a=b": ["z"] * 3 + ["x"] * 3}
    result = gm.evaluate([0, 1, 0, 1, 0, 1], [0, 1, 1, 1, 0, 1], by=two, measures="accuracy")
    assert result.slices[:4] == ("a=b=x", "a=y", "'a=b'=x", "'a=b'=z")
    assert result.value("accuracy", slice="'a=b'=x") == 1.0


def test_numbers_and_missing_labels_are_classes_too():
    result = gm.evaluate([1, 2, None, 2], [1, 2, 2, 1], missing="class")
    assert result.checked("recall[1] >= 1", "recall[(missing)] <= 0").met


def test_nothing_required_is_an_error(result):
    with pytest.raises(gm.InputError, match="nothing is required"):
        result.require()


def test_a_slip_in_the_direction_is_remarked():
    rng = np.random.default_rng(0)
    result = gm.evaluate(rng.integers(0, 2, 60), y_score=rng.random(60))
    (one,) = result.checked("log_loss >= 0.1")
    assert "log_loss is better when lower" in one.found
    assert "better when" not in result.checked("log_loss <= 9")[0].found
    assert result.checked("roc_auc >= 0", "best(mcc) >= -1", "mcc >= -1").met
    with pytest.raises(gm.InputError, match="no value for a single class"):
        result.checked("roc_auc[1] >= 0")


def test_multilabel_results_have_averages_and_labels():
    true, pred = [{"sun"}, {"sun", "wind"}, set()] * 20, [{"sun"}, {"wind"}, {"wind"}] * 20
    counted = gm.multilabel(true, pred)
    result = gm.evaluate(counted)
    gate = result.checked("macro(f1) >= 0", "samples(f1) >= 0", "exact match >= 0", "recall[*] >= 0", "f1[sun] >= 0")
    assert [x.value for x in gate] == pytest.approx(
        [counted.average("f1"), counted.average("f1", "samples"), counted.exact_match, 0.5, 1.0, 2 / 3]
    )
    for text, words in (("f1 >= 0", "name an average"), ("f1[rain] >= 0", "there is no label 'rain'"),
                        ("A: macro(f1) > 0", "leave it out"), ("macro(scott_pi) > 0", "was not averaged"),
                        ("f1[slice=x] > 0", "no slice")):  # fmt: skip
        with pytest.raises(gm.InputError, match=words):
            result.checked(text)
    both = gm.compare({"A": counted, "B": gm.multilabel(true, true)}, replicates=200)
    assert [(x.system, x.met) for x in both.checked("micro(f1) >= 0.99")] == [("A", False), ("B", True)]
    assert both.metrics()["B/macro/f1"] == 1.0
    assert both.require(baseline="A", measures="macro(f1)").met
    gate = both.checked("B: micro(f1) > 0", baseline="B", measures=["macro(f1)", "exact_match"])
    assert [x.met for x in gate] == [True, False, False]
    assert "A: exact_match not significantly worse than B: 0.333 against 1.000" in repr(gate)
    assert {x.measure for x in both.checked(baseline="B")} >= {"macro(f1)", "macro(mcc)"}
    with pytest.raises(gm.InputError, match="no system 'C'"):
        both.require(baseline="C")
    with pytest.raises(gm.InputError, match="averages only"):
        both.checked("f1[sun] > 0")


def test_a_comparison_is_held_to_requirements():
    found = gm.compare(TRUE, {"good": GOOD, "poor": POOR}, measures=["mcc"], by={"site": SITE}, replicates=50)
    gate = found.checked("mcc >= 0.7", "good: recall[spam] >= 0.7", "good: kappa[slice=x] >= 0")
    assert [x.met for x in gate] == [True, False, True, True]
    assert gate[0].low == found.score("good", "mcc")["low"]
    with pytest.raises(gm.InputError, match="two classes"):
        found.checked("recall >= 0")


@pytest.mark.parametrize("options", [{}, {"by": {"site": SITE}}, {"groups": np.arange(len(TRUE)) // 3}])
def test_a_comparison_has_the_intervals_of_single_classes_and_of_other_measures(options):
    given = {"measures": ["mcc"], "replicates": 50, **options}
    compared = gm.compare(TRUE, {"good": GOOD, "poor": POOR}, **given)
    evaluated = gm.evaluate(TRUE, {"good": GOOD, "poor": POOR}, **given)
    asked = [
        "recall[spam] >= 0.1",
        "fbeta(2)[*] >= 0.1",
        "kappa >= 0.1",
        *(["kappa[slice=x] >= 0"] if "by" in options else []),
    ]
    ours, theirs = (x.checked(*asked, confident=True) for x in (compared, evaluated))
    assert [(x.line, x.met, x.value, x.low, x.high) for x in ours] == [
        (x.line, x.met, x.value, x.low, x.high) for x in theirs
    ]
    assert all(x.low < x.value for x in ours)


def test_labels_are_required_of_compared_scores_only_at_a_threshold():
    rng = np.random.default_rng(3)
    true = rng.integers(0, 2, 200)
    scores = {"A": np.clip(true * 0.3 + rng.random(200) * 0.7, 0, 1), "B": rng.random(200)}
    for text in ("mcc >= 0.1", "recall[1] >= 0.1"):
        with pytest.raises(gm.InputError, match="scores were compared: make labels of them with threshold="):
            gm.compare(true, y_score=scores).checked(text)
    found = gm.compare(true, y_score=scores, threshold=0.5, replicates=50).checked("A: recall[1] >= 0.1")
    assert found[0].value == gm.recall(true, (scores["A"] >= 0.5).astype(int))


def test_a_fault_of_an_own_function_is_not_taken_for_an_undefined_measure(monkeypatch):
    rng = np.random.default_rng(3)
    true = rng.integers(0, 2, 200)
    found = gm.sweep(true, true + rng.normal(0, 0.5, 200), measures=["mcc"])
    undefined = gm.sweep([1, 1, 1], [0.1, 0.2, 0.3], measures=["specificity"]).checked("specificity >= 0")
    assert "undefined at every threshold" in undefined[0].line

    def faulty(self, *args, **options):
        raise ValueError("a fault")

    monkeypatch.setattr(type(found), "best", faulty)
    with pytest.raises(ValueError, match="a fault"):
        found.checked("mcc >= 0.5")


def test_a_sweep_is_held_to_what_new_items_would_give():
    rng = np.random.default_rng(3)
    true = rng.integers(0, 2, 200)
    scores = {"A": true + rng.normal(0, 0.5, 200), "B": rng.random(200)}
    found = gm.sweep(true, scores, measures=["mcc"])
    gate = found.checked("mcc >= 0.5")
    best = found.best("mcc", "A")
    assert [(x.system, x.met) for x in gate] == [("A", True), ("B", False)]
    assert (gate[0].value, gate[0].low) == (best.honest, best.value_low)
    assert found.metrics()["A/mcc_threshold"] == best.threshold
    for text, words in (("mcc[1] > 0", "a class or a slice"), ("roc_auc > 0", "a measure of scores"),
                        ("C: mcc > 0", "no group 'C'")):  # fmt: skip
        with pytest.raises(gm.InputError, match=words):
            found.checked(text)


def test_numbers_are_shown_with_enough_digits_to_tell_them_from_the_bound():
    assert number_text(0.8999999, 0.9) == "0.8999999"
    assert number_text(0.9, 0.9) == "0.900"


@pytest.mark.parametrize("confident", [False, True])
def test_the_stated_probability_of_passing_is_right(confident):
    """Systems whose true value is the stated one pass as often as is stated."""
    rng, items, bound = np.random.default_rng(1), 400, 0.8
    (stated,) = gm.evaluate([1] * items, [1] * 320 + [0] * 80).checked(f"accuracy >= {bound}", confident=confident)
    words = stated.strength.split()
    probability, value = float(words[-2].removesuffix("%")) / 100, float(words[4])
    passed = 0
    for hits in rng.binomial(items, value, 400):
        passed += (
            gm.evaluate(gm.ConfusionMatrix([[0, 0], [items - hits, hits]]), measures=["accuracy"], classwise=False)
            .checked(f"accuracy >= {bound}", confident=confident)
            .met
        )
    assert passed / 400 == pytest.approx(probability, abs=0.07)


def test_too_few_items_say_so():
    (one,) = gm.evaluate([1] * 8, [1] * 8, labels=[0, 1]).checked("accuracy >= 0.95", confident=True)
    assert one.strength == "so few items that no system would pass with 80% probability"
