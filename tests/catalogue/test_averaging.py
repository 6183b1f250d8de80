"""Averages over classes: absent classes have no say, and never predicting a class does not pay."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction as Q

import array_api_strict
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.catalogue import derivative, running
from goodmeasure.language.policy import RESOLVE, policy_of
from goodmeasure.theory.kernel.calculus import at
from goodmeasure.theory.kernel.claim import Claim
from goodmeasure.theory.refute.germs import along
from goodmeasure.theory.statements.lookup import statement
from tests.language.compile.test_very_many_classes import value_of as sparse_value
from tests.strategies import matrices

USELESS = [[989, 0], [11, 0]]  # 1.1% positives, and the answer is always 0
NEVER = [[10, 5, 0], [3, 12, 0], [4, 6, 0]]  # the third class is never predicted
ABSENT = [[10, 5, 0], [3, 12, 0], [0, 0, 0]]  # the third class occurs in neither labeling


def own(c):
    """A user's function: precision, of which no range is known."""
    return c.ratio(c.tp, c.tp + c.fp)


AVERAGES = [
    *("macro(precision)", "macro(false_discovery_rate)", "macro(recall)", "macro(f1)", "macro(specificity)"),
    *("macro(mcc)", "macro(yule_q)", "macro(negative_predictive_value)", "macro(diagnostic_odds_ratio)"),
    *("macro(negative_likelihood_ratio)", "macro(precision, p=0)", "macro(precision, p=-1)", "macro(precision, p=2)"),
    *("macro(precision, p=inf)", "macro(calibrated(precision))", "macro(macro(precision))", "macro_f1_of_means"),
    *("weighted(precision)", "weighted(f1)", "weighted(negative_predictive_value)", "weighted(specificity)"),
    *("calibrated(macro(precision))", gm.macro(own), gm.weighted(own), gm.macro(own, classes="all")),
    *("macro(f1, classes='all')", "macro(precision, classes='all')", "macro(recall, p=-1, classes='all')"),
    "macro(macro(f1), classes='all')",
]
every_average = pytest.mark.parametrize("measure", [gm.measure(x) for x in AVERAGES], ids=lambda x: x.name)


def same(x: float, y: float) -> bool:
    return (math.isnan(x) and math.isnan(y)) or x == pytest.approx(y, rel=1e-9, abs=1e-12)


def test_a_useless_classifier_has_a_macro_precision_below_one_half():
    assert gm.macro(gm.precision)(USELESS) == pytest.approx(0.989 / 2)  # (989/1000 + 0)/2 = 0.4945


def test_absent_classes_do_not_lift_macro_f1():
    """Three classes of which two occur: the mean is over those two."""
    assert gm.macro(gm.f1)(ABSENT) == pytest.approx((20 / 28 + 24 / 32) / 2)
    assert gm.macro(gm.f1)(ABSENT) == pytest.approx(gm.macro(gm.f1)([[10, 5], [3, 12]]))


@pytest.mark.parametrize(
    ("name", "matrix", "value"),
    [
        ("macro(precision)", NEVER, (Q(10, 17) + Q(12, 23) + 0) / 3),
        ("macro(false_discovery_rate)", NEVER, (Q(7, 17) + Q(11, 23) + 1) / 3),  # lower is better: the worst is 1
        ("weighted(precision)", NEVER, (15 * Q(10, 17) + 15 * Q(12, 23)) / 40),
        ("macro_f1_of_means", NEVER, Q(2387, 5667)),  # R = (10/15 + 12/15 + 0)/3, P = (10/17 + 12/23 + 0)/3
        ("macro(precision, p=0)", NEVER, Q(0)),  # a zero among the terms of a geometric mean
        ("macro(precision, p=inf)", NEVER, Q(10, 17)),
        # (TP·TN − FP·FN)/(TP·TN + FP·FN): (5·7 − 5·1)/40, (4·8 − 4·2)/40, and −1 for the class that is never predicted
        ("macro(yule_q)", [[5, 1, 0], [2, 4, 0], [3, 3, 0]], (Q(30, 40) + Q(24, 40) - 1) / 3),
        ("macro(specificity)", ABSENT, (Q(12, 15) + Q(10, 15)) / 2),  # the absent class would have 30/30
        ("macro(accuracy)", ABSENT, Q(22, 30)),
        ("macro(recall)", [[10, 5, 1], [3, 12, 2], [0, 0, 0]], (Q(10, 16) + Q(12, 17)) / 2),  # no true item: left out
        ("macro(negative_predictive_value)", [[90, 0], [10, 0]], Q(90, 100)),  # class 0 is always predicted: left out
        ("weighted(negative_predictive_value)", [[90, 0], [10, 0]], Q(90, 100)),  # and takes its weight with it
        ("calibrated(macro(precision))", [[4, 0], [4, 0]], Q(1, 4)),
        ("macro(calibrated(precision))", [[6, 0], [2, 0]], Q(1, 4)),
    ],
)  # fmt: skip
def test_values_by_hand(name, matrix, value):
    measure = gm.measure(name)
    assert measure.exact(matrix) == value
    assert measure(matrix) == pytest.approx(float(value))


def test_a_worst_value_that_is_unknown_or_infinite_is_not_counted():
    assert gm.macro(own)(NEVER) == pytest.approx((10 / 17 + 12 / 23) / 2), "no range is known of a user's function"
    assert gm.negative_likelihood_ratio.worst_value is None
    assert gm.measure(own).worst_value is None
    assert gm.prevalence.worst_value is None, "neither end is the worse one"
    assert (gm.mcc.worst_value, gm.false_discovery_rate.worst_value) == (-1, 1)


@pytest.mark.parametrize("name", ["macro(precision)", "weighted(precision)", "macro_f1_of_means"])
def test_the_other_policies_stay_as_they_were(name):
    measure = gm.measure(name)
    assert math.isnan(measure(NEVER, undefined="nan"))
    with pytest.raises(gm.UndefinedMeasure, match="is never predicted, so its precision is 0/0"):
        measure(NEVER, undefined="raise")
    assert measure(NEVER, undefined=0.0) == pytest.approx(measure(NEVER))
    assert measure(NEVER, undefined=1.0) > measure(NEVER)


POLICIES = ("resolve", "nan", "raise", 0.0, 1.0)


@pytest.mark.parametrize("undefined", POLICIES)
def test_the_classes_of_an_average_are_the_same_under_every_policy(undefined):
    """The third class occurs in neither labeling: its F1, precision and recall are 0/0, its specificity is 1."""
    for name, value in (
        ("macro(f1)", (20 / 28 + 24 / 32) / 2),
        ("weighted(f1)", (20 / 28 + 24 / 32) / 2),
        ("macro(recall)", (10 / 15 + 12 / 15) / 2),
        ("macro(specificity)", (12 / 15 + 10 / 15) / 2),
        ("macro_f1_of_means", 2 * (22 / 30) * (163 / 221) / (22 / 30 + 163 / 221)),  # P = (10/13 + 12/17)/2
    ):
        assert gm.measure(name)(ABSENT, undefined=undefined) == pytest.approx(value), name
    assert gm.macro(gm.specificity, classes="all")(ABSENT, undefined=undefined) == pytest.approx((22 / 15 + 1) / 3)


def test_the_mean_over_all_classes_has_the_rules_of_the_measure_and_no_others():
    over_all = gm.macro(gm.f1, classes="all")
    assert over_all.exact(ABSENT) == (Q(20, 28) + Q(24, 32) + 1) / 3, "two empty sets agree: F1 is 1"
    assert math.isnan(over_all(ABSENT, undefined="nan"))
    assert over_all.exact(ABSENT, undefined=0) == (Q(20, 28) + Q(24, 32)) / 3
    with pytest.raises(gm.UndefinedMeasure, match="class 2 occurs in neither labeling, so its F1 score is 0/0"):
        over_all(ABSENT, undefined="raise")
    precision = gm.macro(gm.precision, classes="all")
    for undefined in ("resolve", "nan"):
        assert math.isnan(precision(NEVER, undefined=undefined)), "a class that is never predicted has no precision"
    assert precision.explain(NEVER).notes == ("class 2 is never predicted, so its precision is 0/0",)
    assert precision(NEVER, undefined=1.0) == pytest.approx((10 / 17 + 12 / 23 + 1) / 3)
    assert math.isnan(gm.macro(gm.recall, classes="all")(ABSENT))


def test_the_set_of_classes_is_in_the_name_the_title_the_formula_and_the_tree():
    present, over_all = gm.macro(gm.recall, p=0), gm.macro(gm.recall, p=0, classes="all")
    assert present == gm.macro(gm.recall, p=0, classes="present") != over_all
    assert (present.name, over_all.name) == ("macro(recall, p=0)", "macro(recall, p=0, classes='all')")
    assert over_all.title == "Geometric macro recall over all classes"
    assert gm.measure(over_all.name) == over_all
    assert gm.measure('macro(recall, 0, "all")') == over_all
    assert r"\{i : a_{i} + b_{i} > 0\}" in present.formula
    assert over_all.formula.endswith("^{1/m}")
    assert present.tree is not over_all.tree
    for measure in (present, over_all):
        assert gm.Measure.from_tree(measure.tree.to_json())(ABSENT, undefined=0.5) == measure(ABSENT, undefined=0.5)
    assert pickle.loads(pickle.dumps(over_all)) == over_all
    assert gm.macro(gm.f1).formula.startswith(r"\frac{1}{\left|\{i : a_{i} + b_{i} > 0\}\right|} \sum_{i:")
    assert gm.macro(gm.f1, classes="all").about == f"{gm.f1.about}, averaged over all classes (each against the rest)"


def test_the_worked_steps_show_as_many_terms_as_the_formula_has():
    assert gm.macro(gm.accuracy).explain(ABSENT).worked == "((12 + 10)/30 + (10 + 12)/30)/2 = 0.733333"
    shown = gm.macro(gm.accuracy, classes="all").explain(ABSENT)
    assert shown.worked == "((12 + 10)/30 + (10 + 12)/30 + 30/30)/3 = 0.822222"
    assert shown.notes == ()


def test_other_sets_of_classes_are_refused():
    with pytest.raises(gm.InputError, match="classes is 'some': expected 'present' or 'all'"):
        gm.macro(gm.f1, classes="some")
    with pytest.raises(gm.InputError, match="averaged over the classes for which it has a value"):
        gm.macro(gm.roc_auc, classes="all")
    with pytest.raises(TypeError):
        gm.weighted(gm.f1, classes="all")


@every_average
@given(rows=matrices(st.integers(2, 4)), at=st.integers(0, 4))
def test_an_absent_class_changes_no_average(measure, rows, at):
    at = min(at, len(rows))
    more = np.insert(np.insert(np.array(rows), at, 0, axis=0), at, 0, axis=1)
    if measure.name.startswith("calibrated") or "classes='all'" in measure.name:
        return  # a class without true items cannot be calibrated
    for undefined in ("resolve", "nan", 0.25):
        assert same(measure(more, undefined=undefined), measure(rows, undefined=undefined))


@every_average
@given(rows=matrices(st.integers(2, 5)))
def test_every_algebra_follows_the_one_definition(measure, rows):
    counts = np.array(rows, dtype=float)
    for undefined in ("resolve", "nan", 0.25):
        expected = float(measure.exact(rows, undefined=undefined))
        assert same(measure(rows, undefined=undefined), expected), "one matrix"
        assert same(measure((counts * 0.5).tolist(), undefined=undefined), expected), "one matrix of real counts"
        batch = np.stack([counts, counts + 1])
        assert same(measure(batch, undefined=undefined)[0], expected), "a batch, with a matrix where no rule acts"
        assert same(measure(batch * 0.5, undefined=undefined)[0], expected), "a batch of real counts"
        steps, _ = running.worked(measure.recorded, rows, policy_of(undefined))
        assert same(float(steps.value), expected), "step by step"
        if len(rows) > 2:
            assert same(sparse_value(measure, counts, undefined), expected), "sparse counts"


@pytest.mark.parametrize("name", ["macro(precision)", "macro(f1)", "weighted(precision)", "macro_f1_of_means"])
@pytest.mark.parametrize("matrix", [NEVER, ABSENT, [[3, 0, 2], [1, 0, 1], [0, 0, 0]]])
def test_proofs_and_limits_read_the_same_definition(name, matrix):
    measure = gm.measure(name)
    cells = [x for row in matrix for x in row]
    claim = Claim(
        measure.recorded.tree(len(matrix)), statement("symmetry"), m=len(matrix), domain="all", policy="resolve"
    )
    value = claim.on([int(x > 0) for x in cells])
    place = {k: claim.ring.number(x) for k, x in enumerate(cells) if x}
    assert str(at(value, place)) == str(measure.exact(matrix))
    still = [[0] * len(matrix)] * len(matrix)
    assert along(measure.recorded.tree(len(matrix)), matrix, still, RESOLVE).coefficient(0) == measure.exact(matrix)


@pytest.mark.parametrize("name", ["macro(precision)", "macro(f1)", "weighted(precision)", "macro(specificity)"])
def test_arrays_of_other_libraries_and_slopes_follow(name):
    measure = gm.measure(name)
    batch = np.array([NEVER, ABSENT, [[5, 1, 2], [3, 4, 1], [2, 2, 6]]], dtype=float)
    np.testing.assert_allclose(np.asarray(measure(array_api_strict.asarray(batch))), measure(batch), rtol=1e-12)
    assert np.isfinite(derivative.on_batch(measure.recorded, np.moveaxis(batch, 0, -1), RESOLVE, whole=True)).all()


def test_averages_of_measures_without_a_rule_of_their_own_are_not_called_symmetric():
    assert gm.macro(gm.f1).symmetric
    assert gm.macro(gm.mcc).symmetric
    assert gm.macro(own).symmetric == gm.measure(own).symmetric
    assert not gm.macro(gm.yule_q).symmetric, "a class that is never predicted counts −1, one without items is left out"
    assert gm.macro(gm.yule_q)([[5, 0], [5, 0]]) != gm.macro(gm.yule_q)([[5, 5], [0, 0]])


def test_weights_are_for_plain_means():
    with pytest.raises(ValueError, match="weights= needs p=1"):
        gm.measure(lambda c: c.mean(lambda i: c[i, i], p=2, weights=c.a))([[1, 2], [3, 4]])


def test_a_class_is_left_out_by_choice():
    """The language has c.skip as a branch of c.where, in every algebra."""
    hits = gm.measure(lambda c: c.sum(lambda i: c.where(c.a[i] > 2, c[i, i], c.skip)))
    matrix = [[3, 1], [1, 1]]
    assert hits(matrix) == 3
    assert hits(np.array([matrix, matrix])).tolist() == [3, 3]
    assert hits.exact(matrix) == 3
    assert "left out" in hits.formula


def test_a_useless_classifier_does_not_win_a_comparison():
    """Of 1,000 items 11 are positive; the model finds 8 of them among 48 alarms, the other system never says 1."""
    true = np.repeat([0, 0, 1, 1], [949, 40, 8, 3])
    model, lazy = np.repeat([0, 1, 1, 0], [949, 40, 8, 3]), np.zeros(1000, int)
    found = gm.evaluate(true, {"model": model, "lazy": lazy}, measures=["macro(precision)"], confidence=None)
    values = {row["system"]: row["value"] for row in found.table if row["class"] is None}
    assert values["model"] == pytest.approx((949 / 952 + 8 / 48) / 2)
    assert values["lazy"] == pytest.approx(0.4945)
    reasons = {row["system"]: row["reason"] for row in found.table if row["class"] is None}
    assert reasons["model"] is None
    assert reasons["lazy"] == "class 1 is never predicted, so its precision is 0/0 and counts as 0, the worst value"


def test_the_result_says_which_classes_were_left_out_even_where_no_term_is_undefined():
    cm = gm.ConfusionMatrix(ABSENT, labels=["a", "b", "c"])
    found = gm.evaluate(cm, measures=["macro(specificity)"], confidence=None)
    (row,) = [row for row in found.table if row["class"] is None]
    assert row["reason"] == "class 'c' occurs in neither labeling and is left out of the average"


def test_how_an_average_is_made_follows_the_whole_first_clause():
    inner = gm.matching_tversky(0.3, 0.7)  # its clause has a semicolon in brackets
    assert gm.macro(inner).about == f"{inner.about}, averaged over classes (each against the rest)"
    assert gm.macro(gm.fbeta(2)).about == (
        "the weighted harmonic mean of precision and recall, averaged over classes (each against the rest); recall "
        "counts beta times as much"
    )
    own = gm.macro(gm.Measure(lambda c: c.ratio(c.tp, c.n), "own", classes=2, about="hits; of all items"))
    assert own.about.startswith("hits; of all items, averaged over classes")
    copied = pickle.loads(pickle.dumps(gm.macro(gm.fbeta(2)).about))
    assert (copied.clause, copied.more) == (gm.macro(gm.fbeta(2)).about.clause, "recall counts beta times as much")
