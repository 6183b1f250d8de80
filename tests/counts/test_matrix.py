"""Confusion matrices: counts, labels, sums, views, and bad input."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.counts.matrix import in_one_order
from tests.strategies import matrices

SPAM = gm.ConfusionMatrix([[50, 3], [4, 20]], labels=["ham", "spam"])


def test_a_matrix_knows_its_sizes():
    assert SPAM.n == 77
    assert SPAM.m == 2
    assert SPAM.a.tolist() == [53, 24]
    assert SPAM.b.tolist() == [54, 23]
    assert SPAM.labels == ("ham", "spam")
    assert SPAM.T.counts.tolist() == [[50, 4], [3, 20]]
    assert gm.ConfusionMatrix(SPAM) == SPAM


def test_counts_cannot_be_changed_from_outside():
    array = np.array([[1, 2], [3, 4]])
    cm = gm.ConfusionMatrix(array)
    array[0, 0] = 99
    assert cm.counts[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        cm.counts[0, 0] = 5


def test_repr_is_a_table_with_aligned_columns():
    lines = repr(gm.confusion(["ä", "日本", "日本"], ["ä", "日本", "ä"])).splitlines()
    assert lines[0].startswith("true \\ predicted")
    assert repr(SPAM).splitlines()[2].split() == ["spam", "4", "20"]
    assert "30 classes" in repr(gm.ConfusionMatrix(np.eye(30)))
    assert "batch of 4 x 5 matrices" in repr(gm.ConfusionMatrix(np.ones((4, 5, 2, 2))))
    hostile = repr(gm.ConfusionMatrix([[1, 2], [3, 4]], labels=["a\nb" * 50, "c\td"]))
    assert len(hostile.splitlines()) == 3, "a label with line breaks stays on its line"


@given(rows=matrices(st.integers(2, 5)), data=st.data())
def test_one_class_against_the_rest_adds_up(rows, data):
    cm = gm.ConfusionMatrix(rows)
    label = data.draw(st.sampled_from(cm.labels))
    pair = cm.vs_rest(label)
    (tn, fp), (fn, tp) = pair.counts.tolist()
    assert tp == rows[label][label]
    assert tp + fn == cm.a[label]
    assert tp + fp == cm.b[label]
    assert tn + fp + fn + tp == cm.n
    assert pair.labels[1] == label


def test_adding_matrices_joins_their_labels():
    one, two = gm.confusion(["a", "b"], ["a", "a"]), gm.confusion(["c", "b"], ["c", "a"])
    both = gm.confusion(["a", "b", "c", "b"], ["a", "a", "c", "a"])
    assert one + two == both
    assert sum([one, two]) == both
    with pytest.raises(TypeError):
        one + 3


def test_huge_counts_stay_exact():
    cm = gm.ConfusionMatrix([[10**25, 1], [2, 3]])
    assert cm.n == 10**25 + 6
    assert (cm + cm).n == 2 * (10**25 + 6)
    big = gm.ConfusionMatrix(np.full((2, 2), 2**62))
    assert big.n == 2**64
    assert (big + big).n == 2**65
    assert big.a.tolist() == [2**63, 2**63]


@pytest.mark.parametrize("scale", [10**15, 10**20, 10**60, 10**90, 10**200])
def test_mcc_of_huge_counts_is_right(scale):
    rows = [[7 * scale, scale + 3], [2 * scale, 5 * scale + 1]]
    exact = float(gm.mcc.exact(rows))
    assert gm.mcc(rows) == pytest.approx(exact, abs=1e-12)
    assert gm.mcc(np.array([rows], dtype=object))[0] == pytest.approx(exact, abs=1e-12)
    assert gm.mcc([[float(x) for x in row] for row in rows]) == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("rows", [[[10**9, 1], [0, 1]], [[10**15, 3], [7, 1]], [[1e-300, 1e-301], [1e-302, 1e-300]]])
def test_rare_classes_and_tiny_weights_do_not_corrupt_a_value(rows):
    for name in ("mcc", "kappa", "sba", "macro(mcc)"):
        measure = gm.measure(name)
        exact = float(measure.exact(rows))
        assert measure(rows) == pytest.approx(exact, rel=1e-12)
        assert measure(np.array([rows]))[0] == pytest.approx(exact, rel=1e-12)


def test_fractions_are_exact_counts():
    third = gm.ConfusionMatrix([[Fraction(1, 3), Fraction(1, 6)], [Fraction(1, 12), Fraction(5, 12)]])
    assert gm.accuracy.exact(third) == Fraction(3, 4)
    assert gm.accuracy(third) == pytest.approx(0.75)
    assert gm.accuracy.exact(third.calibrated()) == gm.calibrated(gm.accuracy).exact(third)


def test_calibration_makes_classes_equally_frequent():
    assert SPAM.calibrated().a.tolist() == pytest.approx([38.5, 38.5])
    with pytest.raises(gm.UndefinedMeasure, match="class 1 has no true items"):
        gm.ConfusionMatrix([[1, 2], [0, 0]]).calibrated()


def test_the_positive_class_can_be_chosen():
    assert gm.f1(SPAM, positive="ham") == pytest.approx(100 / 107)
    assert gm.f1(["a", "b", "c"], ["a", "b", "b"], positive="b") == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match="'x' is not a class of this matrix"):
        gm.f1(SPAM, positive="x")


def test_a_matrix_can_be_pickled_and_compared():
    assert pickle.loads(pickle.dumps(SPAM)) == SPAM
    assert gm.ConfusionMatrix([[1, 2], [3, 4]]) != SPAM
    assert SPAM != "text"
    assert np.asarray(SPAM).tolist() == [[50, 3], [4, 20]]


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[1, -2], [3, 4]], r"counts\[0, 1\] is -2: counts must be finite and not negative"),
        ([[1, math.nan], [3, 4]], r"counts\[0, 1\] is nan"),
        (np.array([[1, math.inf], [3, 4]]), r"counts\[0, 1\] is inf"),
        (np.array([[1, 2], [math.nan, 4]]), r"counts\[1, 0\] is nan"),
        ([[1, 2, 3], [4, 5, 6]], r"shape \(2, 3\): a confusion matrix is square"),
        ([[1, 2], [4]], "differ in length"),
        ([1, 2, 3], r"shape \(3,\)"),
        ("abc", "counts is 'abc'"),
        (None, "counts is None"),
        ([["1", "2"], ["3", "4"]], "expected numbers"),
        ([[1j, 2], [3, 4]], "expected numbers"),
        ([[None, 2], [3, 4]], r"counts\[0, 0\] is None: expected a number"),
        ([], r"shape \(0,\)"),
        (np.empty((0, 0)), "no classes"),
        ([[0, 0], [0, 0]], "holds no items"),
        (np.zeros((3, 2, 2)), "matrix 0 of the batch holds no items"),
    ],
)
def test_bad_counts_are_refused_with_what_and_where(counts, message):
    with pytest.raises((ValueError, TypeError), match=message):
        gm.mcc(counts)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a"], "labels has 1 entries, counts has 2 classes"),
        (["a", "a"], "'a' occurs twice"),
        ([1, True], "1 and True are equal in Python"),
        ([1, 1.0], r"1 and 1\.0 are equal in Python"),
        ([[1], [2]], "not hashable"),
        ("ab", "the string 'ab'"),
        ([None, 1], "a class needs a name"),
        ([math.nan, 1], "a class needs a name"),
    ],
)
def test_bad_labels_are_refused(labels, message):
    with pytest.raises((ValueError, TypeError), match=message):
        gm.ConfusionMatrix([[1, 2], [3, 4]], labels=labels)


def test_a_binary_measure_on_three_classes_offers_what_to_do():
    with pytest.raises(
        ValueError, match=r"gm\.macro\(gm\.f1\), gm\.micro\(gm\.f1\) or gm\.weighted\(gm\.f1\), or one class"
    ):
        gm.f1([[1, 2, 3], [4, 5, 6], [7, 8, 9]])


@pytest.mark.parametrize("policy", ["zero", None, True, [0]])
def test_an_unknown_policy_is_refused(policy):
    with pytest.raises(ValueError, match='use "resolve", "nan", "raise" or a number'):
        gm.f1([[1, 2], [3, 4]], undefined=policy)


def test_the_wrong_number_of_arguments_is_told():
    with pytest.raises(TypeError, match="got 3 arguments"):
        gm.mcc([1], [0], [1])
    with pytest.raises(TypeError, match="sample_weight can only be given with labels"):
        gm.mcc([[1, 2], [3, 4]], sample_weight=[1, 2])


def test_one_class_only_has_a_documented_answer():
    assert gm.mcc(["a", "a"], ["a", "a"]) == 1.0
    assert gm.accuracy([[5]]) == 1.0
    assert gm.correlation_distance([[5]]) == 0.0
    assert gm.confusion_entropy([[5]]) == 0.0
    assert math.isnan(gm.f1([[5]]))
    assert gm.f1([[5]], undefined=0.0) == 0.0
    assert math.isnan(gm.mcc([[5]], undefined="nan"))
    assert (gm.mcc(np.full((3, 1, 1), 2)) == 1).all()


ANSWERS = gm.ConfusionMatrix([[1, 2], [3, 4]], ["no", "yes"])


def test_classes_come_in_the_order_of_the_first():
    turned = gm.ConfusionMatrix([[4, 3], [2, 1]], ["yes", "no"])
    assert in_one_order([ANSWERS, turned], "AB") == [ANSWERS, ANSWERS]
    assert in_one_order([turned, ANSWERS], "AB") == [turned, turned]


def test_classes_that_are_only_numbered_go_with_any_names():
    bare = gm.ConfusionMatrix([[5, 6], [7, 8]])
    assert in_one_order([bare, ANSWERS], "AB") == [bare, ANSWERS]


def test_numbers_that_are_names_are_brought_into_order():
    turned = gm.ConfusionMatrix([[4, 3], [2, 1]], [1, 0])
    assert in_one_order([gm.ConfusionMatrix([[5, 6], [7, 8]]), turned], "AB")[0].counts.tolist() == [[8, 7], [6, 5]]


def test_different_classes_are_refused():
    other = gm.ConfusionMatrix([[1, 2], [3, 4]], ["no", "perhaps"])
    with pytest.raises(ValueError, match=r"of 'A' and 'B' have different classes \('perhaps' is in one only\)"):
        in_one_order([ANSWERS, other], "AB")


def test_shares_add_up_to_one_in_rows_columns_or_all():
    cm = gm.ConfusionMatrix([[6, 2, 0], [1, 1, 0], [0, 0, 0]])
    assert cm.shares("true")[:2].sum(axis=1).tolist() == [1, 1]
    assert cm.shares("predicted")[:, :2].sum(axis=0) == pytest.approx([1, 1])
    assert cm.shares().sum() == pytest.approx(1)
    assert np.isnan(cm.shares("true")[2]).all()
    assert np.isnan(cm.shares("predicted")[:, 2]).all()
    with pytest.raises(ValueError, match="'true', 'predicted' or 'all'"):
        cm.shares("rows")


def test_shares_of_batches_weights_and_huge_counts():
    batch = np.array([[[1, 3], [2, 2]], [[0, 0], [0.5, 1.5]]])
    for of in ("true", "predicted", "all"):
        for part, one in zip(gm.ConfusionMatrix(batch).shares(of), batch, strict=True):
            np.testing.assert_array_equal(part, gm.ConfusionMatrix(one).shares(of))
    assert gm.ConfusionMatrix([[3 * 10**400, 10**400], [0, 1]]).shares("true").tolist() == [[0.75, 0.25], [0, 1]]
