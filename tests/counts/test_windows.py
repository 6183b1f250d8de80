"""Sliding windows and decay: the same counts as if only the items in the window had come."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure import ConfusionMatrix

PIECES = st.lists(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.integers(1, 9)), max_size=6), max_size=9
)


def columns(items):
    return [x for x, _, _ in items], [y for _, y, _ in items]


@given(PIECES, st.integers(1, 4))
def test_a_window_holds_the_last_pieces(pieces, size):
    window = gm.SlidingWindow(size, labels=["a", "b", "c"])
    for piece in pieces:
        window.update(*columns(piece))
    last = [x for piece in pieces[-size:] for x in piece]
    assert len(window) == min(size, len(pieces))
    if last:
        assert window.matrix == gm.confusion(*columns(last), labels=["a", "b", "c"])
    else:
        assert window.matrix.n == 0


@given(PIECES, st.integers(1, 3))
def test_a_window_of_weights_is_not_worn_out_by_rounding(pieces, size):
    window = gm.SlidingWindow(size, labels=["a", "b", "c"])
    for piece in pieces:
        window.update(*columns(piece), sample_weight=[w / 10 for _, _, w in piece] if piece else None)
    last = [x for piece in pieces[-size:] for x in piece]
    found = np.zeros((3, 3))
    for true, predicted, weight in last:
        found["abc".index(true), "abc".index(predicted)] += weight / 10
    assert np.allclose(window.matrix.counts, found, rtol=1e-12, atol=0)


@given(PIECES)
def test_what_was_added_can_be_taken_away(pieces):
    whole = [gm.confusion(*columns(x), labels=["a", "b", "c"]) for x in pieces if x]
    if whole:
        total = sum(whole)
        for piece in whole:
            total = total - piece
        assert total.counts.tolist() == np.zeros((3, 3)).tolist()
        assert total.counts.dtype.kind == "i"


def test_classes_that_appear_later_keep_their_place():
    window = gm.SlidingWindow(1)
    window.update(["b"], ["b"])
    window.update(["a"], ["c"])
    assert window.matrix.labels == ("a", "b", "c")
    assert window.matrix.n == 1
    assert [x.n for x in window.pieces] == [1]


def test_a_window_keeps_its_positive_class_although_another_becomes_rarer():
    window = gm.SlidingWindow(2)
    window.update(["ok"] * 8 + ["bad"] * 2, ["ok"] * 9 + ["bad"])
    assert window.matrix.positive == "bad"
    for _ in range(2):
        window.update(["bad"] * 5 + ["ok"], ["bad"] * 4 + ["ok"] * 2)
    assert window.matrix.positive == "bad"
    assert window.matrix.counts.tolist() == [[2, 0], [2, 8]]
    assert gm.evaluate(window.matrix).value("recall") == 0.8
    assert gm.SlidingWindow(2).matrix.m == 0


def test_an_error_leaves_a_window_as_it_was():
    window = gm.SlidingWindow(1, labels=["a", "b"])
    window.update(["a"], ["b"])
    with pytest.raises(gm.InputError):
        window.update(["z"], ["b"])
    assert window.matrix.counts.tolist() == [[0, 1], [0, 0]]
    assert len(window) == 1


@pytest.mark.parametrize("pieces", [0, -1, 1.5, True, None])
def test_a_window_needs_a_whole_number_of_pieces(pieces):
    with pytest.raises(gm.InputError, match="pieces is"):
        gm.SlidingWindow(pieces)


@pytest.mark.parametrize(
    ("first", "second"),
    [([[1, 0], [0, 1]], [[2, 0], [0, 0]]), ([[0.5, 0], [0, 1]], [[0.6, 0], [0, 0]]),
     (np.array([[1, 0], [0, 1]], np.uint8), np.array([[2, 0], [0, 0]], np.uint8)),
     ([[Fraction(1, 3), 0], [0, 1]], [[Fraction(1, 2), 0], [0, 0]])],
)  # fmt: skip
def test_a_difference_is_never_negative(first, second):
    with pytest.raises(gm.InputError, match=r"cannot be taken from .* \(true 0, predicted 0\)"):
        ConfusionMatrix(first) - ConfusionMatrix(second)


def test_a_difference_keeps_the_kind_of_counts():
    assert (ConfusionMatrix([[2**70]], ["a"]) - ConfusionMatrix([[1]], ["a"])).counts.tolist() == [[2**70 - 1]]
    third = ConfusionMatrix([[Fraction(1, 3), 0], [0, 1]]) - ConfusionMatrix([[Fraction(1, 3), 0], [0, 0]])
    assert third.counts.tolist() == [[0, 0], [0, 1]]
    tenths = ConfusionMatrix([[0.1 + 0.2, 0], [0, 1]]) - ConfusionMatrix([[0.3, 0], [0, 0]])
    assert tenths.counts.tolist() == [[0.0, 0.0], [0.0, 1.0]]
    small = ConfusionMatrix(np.array([[3, 1], [0, 1]], np.uint8)) - ConfusionMatrix(
        np.array([[1, 0], [0, 1]], np.uint8)
    )
    assert small.counts.tolist() == [[2, 1], [0, 0]]


def test_classes_are_matched_by_name():
    whole = ConfusionMatrix([[1, 2, 3], [4, 5, 6], [7, 8, 9]], labels=["a", "b", "c"])
    part = ConfusionMatrix([[5, 4], [2, 1]], labels=["b", "a"])
    assert (whole - part).counts.tolist() == [[0, 0, 3], [0, 0, 6], [7, 8, 9]]
    assert (part - ConfusionMatrix([[0, 0], [0, 1]], labels=["z", "a"])).counts.tolist() == [[5, 4], [2, 0]]
    with pytest.raises(gm.InputError, match="class 'c' is not in the matrix"):
        part - whole


def test_very_many_classes_are_subtracted():
    labels = [f"class {k}" for k in range(9000)]
    one, other = gm.confusion(labels, labels), gm.confusion(labels[:3], labels[:3])
    left = one - other
    assert left.is_sparse
    assert left.n == 8997
    assert (left + other) == one
    with pytest.raises(gm.InputError, match="cannot be taken from 0"):
        one - gm.confusion(labels[:2], labels[1:3])


def test_only_matrices_are_subtracted():
    with pytest.raises(TypeError):
        ConfusionMatrix([[1]], ["a"]) - 1
    with pytest.raises(gm.InputError, match="one matrix from one"):
        ConfusionMatrix(np.ones((2, 2, 2))) - ConfusionMatrix(np.ones((2, 2, 2)))


def test_decay_halves_what_is_old():
    found = ConfusionMatrix([[8, 4], [0, 2]], labels=["a", "b"])
    for _ in range(10):
        found = found.decayed(0.5 ** (1 / 10))
    assert np.allclose(found.counts, [[4, 2], [0, 1]])
    assert found.labels == ("a", "b")
    labels = [f"class {k}" for k in range(9000)]
    assert gm.confusion(labels, labels).decayed(0.5).n == 4500
    assert gm.mcc(ConfusionMatrix([[8, 4], [1, 2]]).decayed(0.25)) == pytest.approx(gm.mcc([[8, 4], [1, 2]]))


@pytest.mark.parametrize("factor", [0, -1, 1.01, float("nan"), "half", True])
def test_a_factor_of_decay_is_a_share(factor):
    with pytest.raises(gm.InputError, match="factor is"):
        ConfusionMatrix([[1]], ["a"]).decayed(factor)
