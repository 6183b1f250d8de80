"""Matrices side by side: the same classes in the same order, or an error that says which class is missing."""

from __future__ import annotations

import pytest

from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.same_classes import in_one_order

A = ConfusionMatrix([[1, 2], [3, 4]], ["no", "yes"])


def test_classes_come_in_the_order_of_the_first():
    turned = ConfusionMatrix([[4, 3], [2, 1]], ["yes", "no"])
    assert in_one_order([A, turned], "AB") == [A, A]
    assert in_one_order([turned, A], "AB") == [turned, turned]


def test_classes_that_are_only_numbered_go_with_any_names():
    bare = ConfusionMatrix([[5, 6], [7, 8]])
    assert in_one_order([bare, A], "AB") == [bare, A]


def test_numbers_that_are_names_are_brought_into_order():
    turned = ConfusionMatrix([[4, 3], [2, 1]], [1, 0])
    assert in_one_order([ConfusionMatrix([[5, 6], [7, 8]]), turned], "AB")[0].counts.tolist() == [[8, 7], [6, 5]]


def test_different_classes_are_refused():
    other = ConfusionMatrix([[1, 2], [3, 4]], ["no", "perhaps"])
    with pytest.raises(ValueError, match=r"of 'A' and 'B' have different classes \('perhaps' is in one only\)"):
        in_one_order([A, other], "AB")
