"""Data in pieces gives the matrix of all data at once, with the same labels in the same order."""

from __future__ import annotations

import enum
import math
import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.counts.streaming import joined
from tests.counts.reference import PATHS, counting_by

Colour = enum.Enum("Colour", "red green blue white")
POOLS = {
    "numbers": [3, 1, 2.0, 10, 0.5],
    "text": ["z", "a", "m", ""],
    "tuples": [(2, "x"), (1, "y"), ("q", 1), (0, 0)],
    "without order": list(Colour),
    "sets": [frozenset({1}), frozenset({1, 2}), frozenset({3}), frozenset()],
    "missing": ["b", None, "a", math.nan],
}


def in_pieces(true, pred, cuts, weights=None, **options):
    matrix = gm.ConfusionMatrix.empty(options.pop("labels", None))
    edges = [0, *sorted(cuts), len(true)]
    for start, stop in pairwise(edges):
        part = None if weights is None else weights[start:stop]
        matrix.update(true[start:stop], pred[start:stop], sample_weight=part, **options)
    return matrix


def assert_same(pieces, whole) -> None:
    assert pieces.labels == whole.labels
    np.testing.assert_allclose(pieces.counts, whole.counts, rtol=1e-12)
    assert pieces.dropped == whole.dropped


@st.composite
def streams(draw):
    pool = POOLS[draw(st.sampled_from(sorted(POOLS)))]
    pairs = draw(st.lists(st.tuples(st.sampled_from(pool), st.sampled_from(pool)), min_size=1, max_size=30))
    true, pred = ([pair[k] for pair in pairs] for k in (0, 1))
    cuts = draw(st.lists(st.integers(0, len(pairs)), max_size=4))
    return true, pred, cuts


@pytest.mark.parametrize("path", PATHS)
@given(streams(), st.booleans())
def test_pieces_equal_all_at_once(path, stream, weighted):
    """Any cuts, also empty pieces; any labels, also those without an order; missing ones as a class."""
    true, pred, cuts = stream
    weights = [k % 5 / 4 for k in range(len(true))] if weighted else None
    with counting_by(path):
        whole = gm.confusion(true, pred, sample_weight=weights, missing="class")
        assert_same(in_pieces(true, pred, cuts, weights, missing="class"), whole)


@given(streams())
def test_dropped_items_are_counted_over_all_pieces(stream):
    """What is dropped in one piece does not bring a class."""
    true, pred, cuts = stream
    true, pred = [*true, true[0]], [*pred, true[0]]
    if any(a is not None and a == a and b is not None and b == b for a, b in zip(true, pred, strict=True)):
        whole = gm.confusion(true, pred, missing="drop")
        assert_same(in_pieces(true, pred, cuts, missing="drop"), whole)


def test_labels_that_are_given_stay_as_they_are():
    """In their order, and no others."""
    matrix = gm.ConfusionMatrix.empty(["z", "a", "m"])
    assert (matrix.m, matrix.n) == (3, 0)
    matrix.update(["a"], ["z"])
    assert matrix == gm.confusion(["a"], ["z"], labels=["z", "a", "m"])
    with pytest.raises(ValueError, match="the label 'new' occurs in the data but not in labels"):
        matrix.update(["new"], ["a"])
    assert matrix.n == 1  # a piece that is refused leaves no trace


def test_new_labels_find_their_place():
    """Sorted among those that are there, behind those in an order of their own."""
    matrix = gm.ConfusionMatrix([[1, 0], [0, 1]], labels=["b", "d"])
    matrix.update(["c"], ["a"])
    assert matrix.labels == ("a", "b", "c", "d")
    matrix = gm.ConfusionMatrix([[1, 0], [0, 1]], labels=["spam", "ham"])
    matrix.update(["egg"], ["ham"])
    assert matrix.labels == ("spam", "ham", "egg")
    assert matrix.counts.tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]


def test_a_value_measured_before_is_measured_anew():
    """What was prepared for the old counts is forgotten."""
    matrix = gm.ConfusionMatrix([[3, 1], [1, 3]])
    assert gm.accuracy(matrix) == 6 / 8
    matrix.update([0, 1], [1, 0])
    assert gm.accuracy(matrix) == 6 / 10
    large = gm.confusion(np.arange(40) % 20, np.arange(40) % 20)
    assert gm.accuracy(large) == 1
    large.update([0] * 40, [1] * 40)
    assert gm.accuracy(large) == 0.5


def test_labels_of_another_kind_are_refused():
    """Also if they come in a later piece."""
    matrix = gm.confusion([0, 1], [1, 1])
    with pytest.raises(TypeError, match="labels are of different kinds"):
        matrix.update(["0"], ["1"])
    with pytest.raises(TypeError, match="labels are of different kinds"):
        matrix.update([True], [True])
    with pytest.raises(ValueError, match="y_pred has 2 labels, y_true has 1"):
        matrix.update([0], [1, 1])
    with pytest.raises(ValueError, match="update one matrix at a time"):
        gm.ConfusionMatrix(np.ones((4, 2, 2))).update([0], [0])


def test_categories_of_all_pieces_keep_their_order():
    """As in one piece, also those that do not occur."""
    pandas = pytest.importorskip("pandas", reason="pandas is one of the test dependencies")
    levels = ["low", "mid", "high", "unused"]
    true, pred = ["low", "high", "mid", "low"], ["high", "high", "mid", "mid"]
    make = [lambda x: pandas.Categorical(x, levels), list]
    for first in make:
        for second in make:
            whole = gm.confusion(first(true), second(pred))
            matrix = gm.ConfusionMatrix.empty()
            for start in (0, 2):
                matrix.update(first(true[start : start + 2]), second(pred[start : start + 2]))
            assert_same(matrix, whole)


def test_a_stream_of_many_classes_becomes_sparse():
    """When the dense matrix would be too large."""
    rng = np.random.default_rng(0)
    true, pred = rng.integers(0, 4000, (2, 20_000))
    true[:100], pred[:100] = true[:100] % 10, pred[:100] % 10
    matrix = gm.ConfusionMatrix.empty()
    matrix.update(true[:100], pred[:100])
    assert not matrix.is_sparse
    matrix.update(true[100:], pred[100:])
    assert matrix.is_sparse
    assert matrix == gm.confusion(true, pred)
    other = gm.confusion(true[:100], pred[:100]) + gm.confusion(true[100:], pred[100:])
    assert other == matrix


def test_an_empty_matrix_is_a_matrix():
    """It can be shown, copied and added to."""
    matrix = gm.ConfusionMatrix.empty()
    assert (matrix.m, matrix.n, matrix.labels) == (0, 0, ())
    assert repr(matrix) == "ConfusionMatrix: no classes yet"
    matrix.update([], [])
    assert matrix == pickle.loads(pickle.dumps(matrix))
    assert matrix + gm.confusion([0, 1], [0, 0]) == gm.confusion([0, 1], [0, 0])
    assert matrix + matrix == matrix
    assert joined(matrix, matrix) == matrix


MATRICES = {
    "numbers": lambda: gm.confusion([0, 1, 1], [0, 1, 0]),
    "text": lambda: gm.confusion(["a", "b", "c"], ["a", "b", "b"]),
    "two texts": lambda: gm.confusion(["a", "b"], ["a", "a"]),
    "truth values": lambda: gm.confusion([True, False], [True, True]),
    "named by the user": lambda: gm.ConfusionMatrix([[5, 1], [2, 3]], labels=["a", "b"]),
    "named in another order": lambda: gm.ConfusionMatrix([[5, 1], [2, 3]], labels=[1, 0]),
    "three texts named": lambda: gm.ConfusionMatrix(np.ones((3, 3), int), labels=["a", "b", "c"]),
    "fixed": lambda: gm.ConfusionMatrix.empty(labels=["c", "a", "b"]),
    "fixed in order": lambda: gm.ConfusionMatrix.empty(labels=[0, 1, 2]),
    "whole floats": lambda: gm.confusion([0.0, 1.0], [1.0, 1.0]),
    "shares": lambda: gm.ConfusionMatrix([[0.5, 0.1], [0.2, 0.3]]),
    "weighted": lambda: gm.confusion([0, 1], [1, 1], sample_weight=[0.5, 2.0]),
    "a missing class": lambda: gm.confusion([0, None, 1], [0, 1, 1], missing="class"),
    "nearly full": lambda: gm.ConfusionMatrix([[2**62, 1], [1, 2**63 - 1]]),
}


@pytest.mark.parametrize("start", MATRICES)
@pytest.mark.parametrize("item", [(1, 0), (0, 0), (True, False), ("a", "b"), ("b", "b"), (1.0, 0), (2, 2), (None, 1)])
def test_single_items_change_a_matrix_as_pieces_do(start, item):
    """One item in lists has a short way; the same in tuples is counted like any other piece."""
    quick, slow = MATRICES[start](), MATRICES[start]()
    said = []
    for cm, kind in ((quick, list), (slow, tuple)):
        try:
            for _ in range(3):
                cm.update(kind(item[:1]), kind(item[1:]))
            said.append(None)
        except gm.exceptions.GoodmeasureError as error:
            said.append(str(error))
    assert said[0] == said[1]
    assert quick.labels == slow.labels
    assert list(map(type, quick.labels)) == list(map(type, slow.labels))
    assert quick._order == slow._order
    assert quick.positive == slow.positive
    assert quick.counts.tolist() == slow.counts.tolist()
    assert quick.dropped == slow.dropped
    assert quick.item_count == slow.item_count
