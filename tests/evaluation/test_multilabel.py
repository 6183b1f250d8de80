"""multilabel: scikit-learn's averages, from indicator matrices, frames and lists of labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import goodmeasure as gm

metrics = pytest.importorskip("sklearn.metrics")
SCORES = {"f1": metrics.f1_score, "precision": metrics.precision_score, "recall": metrics.recall_score,
          "jaccard": metrics.jaccard_score}  # fmt: skip


def indicators(n, labels, seed):
    rng = np.random.default_rng(seed)
    return rng.random((n, labels)) < 0.4, rng.random((n, labels)) < 0.4, rng.integers(0, 4, n) + 0.5


@given(st.integers(1, 30), st.integers(2, 6), st.integers(0, 1000))
@settings(deadline=None, max_examples=25)
def test_averages_are_scikit_learns(n, labels, seed):
    """The labels that occur: there, one that does not counts as 0 in a macro average, and here it is left out."""
    true, pred, weights = indicators(n, labels, seed)
    found = gm.multilabel(true, pred, sample_weight=weights)
    occur = np.flatnonzero(true.any(axis=0) | pred.any(axis=0))
    for name, score in SCORES.items():
        for average in ("macro", "micro", "weighted", "samples"):
            if (average == "weighted" and not true.any()) or (average == "macro" and not len(occur)):
                continue  # no label has a weight: undefined here, 0 there
            expected = score(
                true.astype(int), pred.astype(int), average=average, sample_weight=weights, zero_division=0,
                labels=occur if average == "macro" else None,
            )  # fmt: skip
            assert found.average(name, average, undefined=0.0) == pytest.approx(expected, abs=1e-12)
    assert found.exact_match == pytest.approx(metrics.accuracy_score(true, pred, sample_weight=weights))


def test_matrices_are_scikit_learns():
    true, pred, weights = indicators(50, 4, 0)
    expected = metrics.multilabel_confusion_matrix(true.astype(int), pred.astype(int))
    assert gm.multilabel(true, pred).counts.tolist() == expected.tolist()
    weighted = metrics.multilabel_confusion_matrix(true.astype(int), pred.astype(int), sample_weight=weights)
    assert gm.multilabel(true, pred, sample_weight=weights).counts == pytest.approx(weighted)


def test_every_way_to_write_labels_is_the_same():
    true, pred, _ = indicators(20, 3, 1)
    names = ["a", "b", "c"]
    expected = gm.multilabel(true, pred, labels=names)
    sets = [[{names[k] for k in np.flatnonzero(row)} for row in y] for y in (true, pred)]
    scipy_sparse = pytest.importorskip("scipy.sparse")
    ways = {
        "lists of sets": gm.multilabel(*sets),
        "lists of lists": gm.multilabel(*([sorted(x) for x in y] for y in sets)),
        "nested numbers": gm.multilabel(true.astype(int).tolist(), pred.astype(int).tolist(), labels=names),
        "frames": gm.multilabel(pd.DataFrame(true, columns=names), pd.DataFrame(pred, columns=names)),
        "sparse": gm.multilabel(scipy_sparse.csr_matrix(true), scipy_sparse.csr_matrix(pred), labels=names),
    }
    for way, found in ways.items():
        assert found.counts.tolist() == expected.counts.tolist(), way
        assert list(found.labels) == names, way


def test_every_binary_measure_takes_the_matrices():
    true, pred, _ = indicators(80, 3, 2)
    found = gm.multilabel(true, pred)
    for label, matrix in found.matrices.items():
        assert found.values("mcc")[label] == pytest.approx(gm.mcc(true[:, label], pred[:, label]))
        assert gm.kappa(matrix) == pytest.approx(gm.kappa(true[:, label], pred[:, label]))
    result = gm.evaluate(found.matrices, measures=["mcc"])
    assert {row["system"] for row in result.table} == {"0", "1", "2"}


def test_labels_that_are_undefined_are_left_out_as_macro_does():
    found = gm.multilabel([[1, 0], [1, 0]], [[1, 0], [0, 1]])  # the second label has no recall, and occurs
    assert found.average("recall") == pytest.approx(0.5)
    assert found.average("recall", undefined=0.0) == pytest.approx(0.25)
    assert np.isnan(found.average("recall", undefined="nan"))
    with pytest.raises(gm.UndefinedMeasure, match="recall is undefined"):
        found.average("recall", undefined="raise")


@pytest.mark.parametrize("undefined", ["resolve", "nan", "raise", 0.0])
def test_labels_that_do_not_occur_are_left_out_under_every_policy(undefined):
    found = gm.multilabel([[1, 0], [1, 0]], [[1, 0], [0, 0]])
    assert found.average("recall", undefined=undefined) == 1 / 2
    assert found.average("f1", undefined=undefined) == 2 / 3
    assert found.average("accuracy", undefined=undefined) == 1 / 2, "not (1/2 + 1)/2"


def test_where_no_label_occurs_a_macro_average_is_undefined():
    none = gm.multilabel([[0, 0]], [[0, 0]])
    assert np.isnan(none.average("f1"))
    assert none.average("f1", undefined=0.5) == 0.5
    with pytest.raises(gm.UndefinedMeasure, match="macro f1 is undefined: no item has a label, and none is predicted"):
        none.average("f1", undefined="raise")


@pytest.mark.parametrize(
    ("true", "pred", "said"),
    [
        ([[0, 1]], [[0, 1, 1]], "shape"),
        ([[0, 1], [1, 1]], [[0, 2], [1, 1]], "expected a matrix|holds 2"),
        (np.array([[0, 2]]), np.array([[0, 1]]), "holds 2"),
        (np.array([0, 1]), np.array([0, 1]), "expected a matrix"),
        (np.zeros((0, 2), int), np.zeros((0, 2), int), "nothing to count"),
        ([{"a"}], [{"a"}, {"b"}], "shape"),
    ],
)
def test_what_cannot_be_meant_is_refused(true, pred, said):
    with pytest.raises((ValueError, TypeError), match=said):
        gm.multilabel(true, pred)


def test_weights_that_are_all_zero_and_unknown_averages_are_refused():
    with pytest.raises(ValueError, match="every weight is 0"):
        gm.multilabel([[1, 0]], [[1, 0]], sample_weight=[0.0])
    with pytest.raises(ValueError, match="average is 'best'"):
        gm.multilabel([[1, 0]], [[1, 0]]).average("f1", "best")
    with pytest.raises(ValueError, match="labels has 1 names"):
        gm.multilabel([[1, 0]], [[1, 0]], labels=["a"])


def test_columns_of_data_frames_hold_the_labels_of_each_item():
    true, pred = [["a"], [], ["b", "a"]], [["b"], ["a"], ["a"]]
    wanted = gm.multilabel(true, pred)
    for column in (pd.Series, pl.Series, lambda x: np.array([*x, None], object)[:-1]):
        found = gm.multilabel(column(true), column(pred))
        assert found.labels == wanted.labels
        assert found.counts.tolist() == wanted.counts.tolist()


def test_labels_on_one_side_and_a_matrix_on_the_other_are_refused():
    for true, pred in (([{"a"}, {"b"}], [[1, 0], [0, 1]]), ([[1, 0], [0, 1]], [["a"], []])):
        with pytest.raises(TypeError, match=r"has the labels of each item, .* give both in the same form"):
            gm.multilabel(true, pred)


@pytest.mark.parametrize("true", [[[1, 0]], [["a"]]])
def test_a_name_for_two_labels_is_refused(true):
    with pytest.raises(ValueError, match="labels must be different, and 'a' occurs twice"):
        gm.multilabel(true, true, labels=["a", "a"])


def test_labels_that_nobody_has_weigh_nothing_under_every_policy():
    """Recall of the second label is 0/0, and no item has it."""
    found = gm.multilabel([[1, 0], [1, 0]], [[1, 0], [0, 1]])
    for undefined in ("resolve", "nan", "raise", 0.0, 1.0):
        assert found.average("recall", "weighted", undefined=undefined) == 0.5
    none = gm.multilabel([[0, 0]], [[1, 0]])
    assert none.average("f1", "weighted", undefined=0.0) == 0.0
    assert np.isnan(none.average("f1", "weighted"))
    with pytest.raises(gm.UndefinedMeasure, match="weighted f1 is undefined: no item has a label"):
        none.average("f1", "weighted", undefined="raise")


def test_averages_over_labels_follow_the_rules_of_averages_over_classes():
    """The third label is never predicted, the fourth occurs nowhere; both would lift the mean if they were left out."""
    found = gm.multilabel([[1, 1, 1, 0], [1, 0, 1, 0]], [[1, 1, 0, 0], [1, 1, 0, 0]])
    assert found.average("precision") == pytest.approx((1 + 0.5 + 0) / 3)
    assert found.average("f1") == pytest.approx((1 + 2 / 3 + 0) / 3)
    assert found.average("precision", "weighted") == pytest.approx((2 * 1 + 1 * 0.5 + 2 * 0) / 5)
    nothing = gm.multilabel([[1, 0], [0, 1], [0, 0]], [[1, 0], [0, 0], [0, 0]])
    assert nothing.average("precision", "samples") == pytest.approx((1 + 0) / 2), (
        "an item that is given none of its labels"
    )
    assert nothing.average("f1", "samples") == pytest.approx((1 + 0 + 1) / 3), "an item without labels is right"


def test_labels_are_called_labels_and_none_of_them_is_the_best():
    true, pred, _ = indicators(80, 3, 2)
    found = gm.multilabel(true, pred, labels=["sun", "rain", "wind"])
    for data in (found, found.matrices):
        result = gm.evaluate(data, measures=["mcc", "f1"])
        for text in (result.to_text(full=True), result.to_markdown(), result._repr_html_().partition("</style>")[2]):
            assert "3: sun, rain, wind" in text
            assert "systems" not in text
            assert "*" not in text.replace("**", "").replace(r"\*\*", "")
            assert "has the best value" not in text
        assert result.to_markdown().startswith("# Evaluation of 3 labels\n")
    assert gm.evaluate({"A": [[4, 1], [1, 4]], "B": [[5, 0], [1, 4]]}, measures=["mcc"]).source.unit == "system"


SPARSE = {
    "csr": scipy.sparse.csr_matrix, "csc": scipy.sparse.csc_array, "coo": scipy.sparse.coo_array,
    "lil": scipy.sparse.lil_matrix, "booleans": lambda x: scipy.sparse.csr_array(np.array(x, bool)),
}  # fmt: skip


@pytest.mark.parametrize("kind", SPARSE)
@pytest.mark.parametrize("weighted", [False, True])
def test_sparse_matrices_count_as_dense_ones_do(kind, weighted):
    rng = np.random.default_rng(3)
    true, pred = (rng.random((60, 8)) < 0.2 for _ in range(2))
    weight, groups = (rng.random(60), rng.integers(0, 9, 60)) if weighted else (None, None)
    given = {"sample_weight": weight, "groups": groups}
    dense = gm.multilabel(true, pred, **given)
    lists = gm.multilabel(*([np.flatnonzero(x).tolist() for x in y] for y in (true, pred)), labels=range(8), **given)
    for one in (true.astype(int), SPARSE[kind](true.astype(int))):
        found = gm.multilabel(one, SPARSE[kind](pred.astype(int)), **given)
        for other in (found, lists):
            assert np.array_equal(other.counts, dense.counts)
            assert other.average("f1", "samples") == dense.average("f1", "samples")
            assert other.interval("f1") == dense.interval("f1")
    expected = np.stack([_matrix(true[:, k], pred[:, k], weight) for k in range(8)])
    assert np.allclose(dense.counts, expected, rtol=1e-12, atol=0)


def _matrix(true, pred, weight):
    cells = np.bincount(2 * true + pred, weight, 4)
    return cells.reshape(2, 2)


def test_a_sparse_matrix_may_list_zeros_and_places_twice():
    twice = scipy.sparse.coo_array(([1, 0, 1], ([0, 0, 1], [1, 2, 0])), shape=(2, 3))
    zeros = scipy.sparse.csr_array(([1, 0, 1], [1, 2, 0], [0, 2, 3]), shape=(2, 3))
    for one in (twice, zeros):
        assert gm.multilabel(one, one).counts[:, 1, 1].tolist() == [1, 1, 0]
    double = scipy.sparse.coo_array(([1, 1], ([0, 0], [1, 1])), shape=(2, 3))
    with pytest.raises(gm.InputError, match="holds 2"):
        gm.multilabel(double, double)
    with pytest.raises(gm.InputTypeError, match="a matrix"):
        gm.multilabel(double.astype(complex), double)


def test_very_many_labels_of_which_items_have_few():
    """Written out, each matrix would take two gigabytes."""
    rng = np.random.default_rng(0)
    shape, size = (20_000, 100_000), 100_000
    places = [[rng.integers(0, width, size) for width in shape] for _ in range(2)]
    true, pred = (scipy.sparse.csr_array((np.ones(size, bool), x), shape=shape) for x in map(tuple, places))
    found = gm.multilabel(true, pred)
    assert found.micro.counts.tolist() == [
        [2 * 10**9 - (true + pred).nnz, pred.nnz - true.multiply(pred).nnz],
        [true.nnz - true.multiply(pred).nnz, true.multiply(pred).nnz],
    ]
    low, high = found.interval("f1", "micro")
    assert low <= found.average("f1", "micro") <= high
