"""Counts are checked and laid out once, for every measure and policy."""

from __future__ import annotations

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.catalogue import running
from goodmeasure.counts import sparse_counts


def test_measures_of_one_matrix_share_its_layout(monkeypatch):
    made, of_matrix = [], running._of_matrix
    monkeypatch.setattr(running, "_of_matrix", lambda cm: made.append(cm) or of_matrix(cm))
    for counts in ([[3, 1], [2, 4]], np.ones((4, 3, 3), int), np.eye(20, dtype=int), 9 * np.eye(300, dtype=int)):
        cm = gm.ConfusionMatrix(counts)
        values = [gm.mcc(cm), gm.kappa(cm), gm.mcc(cm, undefined="nan"), gm.accuracy(cm, undefined=0.5)]
        assert np.array_equal(values[0], gm.mcc(gm.ConfusionMatrix(counts)))
        assert len(made) == 2
        made.clear()


def test_a_counted_matrix_is_measured_anew_when_it_changes():
    stream = gm.ConfusionMatrix([[3, 1], [2, 4]])
    assert gm.accuracy(stream) == 0.7
    stream += gm.ConfusionMatrix([[10, 0], [0, 0]])
    assert gm.accuracy(stream) == 0.85


def test_a_function_of_ones_own_gets_the_same_values_on_every_route():
    def hits(c):
        return c[0, 0] / c.n if c[0, 0] > 2 else 0.0  # cannot see a whole batch at once

    f = gm.measure(hits)
    batch = np.array([[[3, 1], [2, 4]], [[1, 1], [2, 4]]])
    assert f(batch).tolist() == [f(x) for x in batch] == [0.3, 0.0]
    assert f([0, 0, 0, 1, 1, 1, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1, 1, 0, 0, 1]) == f([[3, 1], [2, 4]])
    assert f(gm.ConfusionMatrix(batch)).tolist() == [0.3, 0.0]


def test_a_function_that_writes_into_its_cells_leaves_the_users_array_alone():
    def greedy(c):
        cell = c[0, 0]
        cell += 1
        return cell / c.n

    counts = np.array([[[3.0, 1.0], [2.0, 4.0]]])
    gm.measure(greedy)(counts)
    assert counts.tolist() == [[[3.0, 1.0], [2.0, 4.0]]]


@pytest.mark.parametrize("size", [2, 20, 300])
def test_an_array_that_was_measured_can_still_be_changed(size):
    for counts in (np.eye(size), np.eye(size, dtype=int)):
        assert gm.accuracy(counts) == 1
        counts[0, 1] = size
        assert gm.accuracy(counts) == 0.5


@pytest.mark.parametrize("counts", [np.zeros((0, 0)), [], np.zeros((0, 0, 0))])
def test_counts_without_classes_are_refused(counts):
    with pytest.raises(ValueError, match=r"class|shape|matri"):
        gm.mcc(counts)


def test_the_cells_of_a_mostly_empty_matrix_are_listed_only_for_measures_that_read_them(monkeypatch):
    counts = 9 * np.eye(300, dtype=int)
    counts[0, 1:5] = 3
    looked = []
    monkeypatch.setattr(sparse_counts.np, "nonzero", lambda x, find=np.nonzero: looked.append(1) or find(x))
    gm.mcc(counts), gm.macro(gm.f1)(counts), gm.kappa(counts)
    assert not looked
    cm = gm.ConfusionMatrix(counts)
    gm.mutual_information(cm), gm.mutual_information(cm)
    assert looked == [1]


@pytest.mark.parametrize("count", [2**40, 2**53, 2**56, 2**62])
def test_huge_counts_of_a_mostly_empty_matrix_do_not_overflow(count):
    """Class sizes of 2⁶³ are beyond 64 bits, and so is n, which may even come out as 0."""
    counts = np.zeros((300, 300), np.int64)
    counts[np.arange(300), np.arange(300)] = counts[0, 1] = 1
    for f in (gm.mcc, gm.accuracy, gm.kappa, gm.macro(gm.f1)):
        assert f(count * counts) == pytest.approx(f(counts), rel=1e-12)
    few = np.zeros((300, 300), np.int64)
    few[[0, 1, 2, 3], [0, 1, 2, 0]] = count
    assert gm.accuracy(few) == 0.75
