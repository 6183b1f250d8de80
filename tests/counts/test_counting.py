"""Labels of every kind are counted as a dictionary counts them, and as scikit-learn does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix
from sklearn.metrics.cluster import pair_confusion_matrix

import goodmeasure as gm
from tests.counts.reference import PATHS, assert_counts, counting_by, reference

POOLS = {
    "integers": [0, 1, 2, 7, -3, 10**12],
    "truths": [False, True],
    "text": ["ham", "spam", "", "éclair", "a longer label than the others"],
    "bytes": [b"x", b"yz", b"w"],
    "floats": [0.5, 1.0, -2.25, 3.0],
}
HOLDERS = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "objects": lambda values: np.array(values, dtype=object),
    "column": lambda values: np.array(values, dtype=object)[:, None],
}


@st.composite
def columns(draw):
    """Two columns of one kind, each in a holder of its own, and plain lists of the same labels."""
    pool = POOLS[draw(st.sampled_from(sorted(POOLS)))]
    size = draw(st.integers(1, 40))
    pairs = draw(st.lists(st.tuples(st.sampled_from(pool), st.sampled_from(pool)), min_size=size, max_size=size))
    plain = [list(x) for x in zip(*pairs, strict=True)]
    held = [HOLDERS[draw(st.sampled_from(sorted(HOLDERS)))](values) for values in plain]
    return (*held, *plain, pool)


@pytest.mark.parametrize("path", PATHS)
@given(columns(), st.booleans(), st.data())
def test_any_labels_are_counted_like_the_reference_and_scikit_learn(path, drawn, with_labels, data):
    """Random labels, weights and label sets, in holders that may differ between the two columns."""
    y_true, y_pred, true, pred, pool = drawn
    labels = data.draw(st.permutations(pool)) if with_labels else None
    weights = None
    if data.draw(st.booleans()):
        weights = data.draw(st.lists(st.floats(0, 100), min_size=len(true), max_size=len(true)))
    with counting_by(path):
        matrix = gm.confusion(y_true, y_pred, labels=labels, sample_weight=weights)
    assert_counts(matrix, *reference(true, pred, labels, weights))
    assert matrix.counts.dtype == (np.int64 if weights is None else np.float64)
    refused = isinstance(pool[0], (float, bytes)) or (weights is not None and not any(weights))
    if not refused and matrix.m > 1:  # what scikit-learn takes without an error or a warning
        expected = confusion_matrix(true, pred, labels=list(matrix.labels), sample_weight=weights)
        np.testing.assert_allclose(matrix.counts, expected, rtol=1e-12)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("m", [2, 10, 300])
def test_long_columns_are_counted_like_scikit_learn(path, m):
    """Large enough for every loop of the kernel."""
    true, pred = np.random.default_rng(m).integers(0, m, (2, 50_000))
    with counting_by(path):
        assert np.array_equal(gm.confusion(true, pred).counts, confusion_matrix(true, pred))
        assert np.array_equal(gm.confusion(true, pred.astype(float)).counts, confusion_matrix(true, pred))


@pytest.mark.parametrize("path", PATHS)
def test_labels_are_plain_python_values(path):
    """Also those that came in arrays."""
    for values, kind in (([1, 2], int), (["a", "b"], str), ([True, False], bool), ([0.5, 1.5], float)):
        with counting_by(path):
            assert {type(x) for x in gm.confusion(np.array(values), np.array(values)).labels} == {kind}


@pytest.mark.parametrize("path", PATHS)
def test_a_class_whose_items_all_weigh_nothing_is_a_class(path):
    """A label occurs, whatever it weighs."""
    with counting_by(path):
        matrix = gm.confusion(["a", "b"], ["a", "a"], sample_weight=[1.5, 0])
    assert matrix.labels == ("a", "b")
    assert matrix.counts.tolist() == [[1.5, 0], [0, 0]]


@pytest.mark.parametrize("path", PATHS)
def test_no_items_are_an_error(path):
    """Zero-length lists and arrays."""
    with counting_by(path), pytest.raises(ValueError, match="y_true is empty: there is nothing to count"):
        gm.confusion([], [])
    with counting_by(path), pytest.raises(ValueError, match="nothing to count"):
        gm.confusion(np.zeros(0, int), np.zeros(0, int))


def test_columns_of_different_length_are_an_error():
    """The message names both."""
    with pytest.raises(ValueError, match="y_pred has 3 labels, y_true has 2: they must be the same length"):
        gm.confusion([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="sample_weight has 1 weights, y_true has 2"):
        gm.confusion([0, 1], [0, 1], sample_weight=[1])


def test_a_label_that_was_not_named_is_an_error():
    """With what to do about it."""
    with pytest.raises(ValueError, match=r"the label 2 occurs in the data but not in labels=\[0, 1\]: add it, or drop"):
        gm.confusion([0, 2], [0, 1], labels=[0, 1])
    with pytest.raises(TypeError, match="labels is 'ab': expected a list of labels"):
        gm.confusion(["a"], ["b"], labels="ab")
    with pytest.raises(ValueError, match="missing is 'ignore': expected 'error', 'class' or 'drop'"):
        gm.confusion(["a"], ["b"], missing="ignore")


@pytest.mark.parametrize("path", PATHS)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=30))
def test_pairs_of_items_are_counted_like_scikit_learn_counts_them(path, pairs):
    """Which counts ordered pairs, so each twice."""
    a, b = (list(x) for x in zip(*pairs, strict=True))
    with counting_by(path):
        matrix = gm.pair_confusion(a, [str(x) for x in b])
    assert (2 * matrix.counts).tolist() == pair_confusion_matrix(a, b).tolist()


@pytest.mark.parametrize("path", PATHS)
def test_pairs_of_items_in_clusters_of_any_number(path):
    """As many clusters as items: every pair is apart."""
    items = np.arange(10_000)
    with counting_by(path):
        matrix = gm.pair_confusion(items, items[::-1])
    assert matrix.counts.tolist() == [[10_000 * 9_999 // 2, 0], [0, 0]]
