"""Which measures follow from one proportion of items, told by their definitions."""

from __future__ import annotations

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.evaluation.intervals.proportions import Shares, shares_of, values_at
from goodmeasure.language.policy import RESOLVE

SIX = {"accuracy", "recall", "precision", "specificity", "jaccard", "prevalence"}


def test_proportions_are_found_and_others_are_not():
    found = {f.name for f in gm.measures() if shares_of(f, 2) is not None}
    assert found >= SIX | {"f1", "zero_one_loss", "miss_rate", "hamann", "micro(f1)"}
    assert not found & {"mcc", "kappa", "balanced_accuracy", "sba", "macro(f1)", "weighted(f1)", "fbeta(beta=2)"}


@pytest.mark.parametrize("m", [2, 3, 8, 9, 500])
def test_accuracy_counts_the_diagonal_among_all(m):
    found = shares_of(gm.accuracy, m)
    assert isinstance(found, Shares)
    assert found.hits.tolist() == np.eye(min(m, 9), dtype=bool).tolist()
    assert found.among.all()
    assert found.ends == (0, 1)
    assert shares_of(gm.zero_one_loss, m).hits.tolist() == (~np.eye(min(m, 9), dtype=bool)).tolist()


def test_a_users_proportion_is_found_too():
    def first_row(c):
        return c.ratio(c[0, 0], c.a[0])

    found = shares_of(gm.Measure(first_row, "first_row", key=first_row), 3)
    assert found.hits.tolist() == [[True, False, False], [False] * 3, [False] * 3]
    assert found.among.tolist() == [[True] * 3, [False] * 3, [False] * 3]
    assert shares_of(gm.Measure(first_row, "first_row", key=first_row), 20) is None  # only the whole matrix, by then


def test_a_function_that_cannot_be_traced_is_none():
    def decided(c):
        return 1.0 if c.tp > c.fn else c.tp / c.n

    assert shares_of(gm.Measure(decided, "decided", key=decided), 2) is None


@pytest.mark.parametrize("name", ["f1", "jaccard", "sokal_sneath_2", "accuracy", "hamann", "rogers_tanimoto"])
def test_the_value_at_a_share_is_that_of_a_matrix_with_it(name):
    f = gm.measure(name)
    shares = shares_of(f, 2)
    counts = np.array([[50, 3], [4, 20]])
    share = counts[shares.hits].sum() / counts[shares.among].sum()
    assert values_at(f, shares, np.array([share]), RESOLVE)[0] == pytest.approx(f(counts))


@pytest.mark.parametrize("name", ["no_information_rate", "entropy_true", "entropy_predicted"])
def test_a_measure_with_a_peak_is_not_read_off_a_proportion(name):
    assert shares_of(gm.measure(name), 2) is None
    assert shares_of(gm.f1, 2) is not None
