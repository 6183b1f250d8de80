"""Samples without one unit, and how they are found."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import goodmeasure as gm
from goodmeasure.evaluation.intervals.sampling_units import Groups, reach_of

weights = st.sampled_from([0.1, 0.2, 0.3, 0.7, 1.0, 1e-8, 3e-3, 1e9, 2.0**60])
entries = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), weights), min_size=2, max_size=40)


@given(entries)
def test_a_sample_without_a_group_is_what_the_other_groups_add_up_to(listed):
    """To the last digits, and exactly 0 where no other group has items, since rules ask whether a cell is 0."""
    cell, group, values = (np.array(x) for x in zip(*listed, strict=True))
    _, cell = np.unique(cell, return_inverse=True)
    _, group = np.unique(group, return_inverse=True)
    size = int(group.max()) + 1
    blocks = list(Groups.listed(cell, group, values, size).left_out())
    found = np.concatenate([block for block, _ in blocks], axis=1)
    assert found.shape == (int(cell.max()) + 1, size)
    for c in range(len(found)):
        for g in range(size):
            wanted = sum(v for k, j, v in zip(cell, group, values, strict=True) if k == c and j != g)
            assert found[c, g] == wanted == 0 or abs(found[c, g] - wanted) <= 1e-14 * wanted


def grouped(groups):
    """One item in each group, every second of them right."""
    number = np.arange(groups)
    return Groups.listed(number % 2, number, np.ones(groups), groups)


@pytest.mark.parametrize("groups", [2, 3, 6, 10, 30])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
def test_the_quantile_of_groups_is_students_with_one_degree_of_freedom_less_than_groups(groups, confidence):
    """A series for it gave 9.71 instead of 12.71 for two groups."""
    units = grouped(groups)
    freedom = units.freedom(np.zeros(units.size), np.ones(units.size, bool))
    assert reach_of(confidence, freedom) == pytest.approx(stats.t.ppf((1 + confidence) / 2, groups - 1))


def test_uneven_groups_count_as_fewer():
    """Nine groups of one item and one of 91 tell hardly more than one group."""
    values = np.array([1.0] * 9 + [91.0])
    units = Groups.listed(np.arange(10) % 2, np.arange(10), values, 10)
    assert units.dependence.all == pytest.approx(100**2 / (9 + 91**2))
    assert reach_of(0.95, units.freedom(np.array([1.0, -1.0]))) == pytest.approx(stats.t.ppf(0.975, 1))


def test_the_spread_of_groups_is_taken_about_their_mean():
    """By hand: of four groups, two move a value by 1 and two by 0, so each lies 1/2 from their mean."""
    units = grouped(4)
    slopes = np.array([1.0, 0.0])
    moved, times = units.influences(slopes)
    assert moved.tolist() == [0.5, -0.5, 0.5, -0.5]
    assert times.tolist() == [1, 1, 1, 1]
    assert units.variance(slopes) == pytest.approx(4 / 3)  # and the mean is estimated from four groups
    assert units.variance_of(np.array([3.0, 2.0, 3.0, 2.0])) == 1
    assert units.bias_of(np.array([3.0, 2.0, 3.0, 2.0])) == 10


def test_leaving_out_each_group_reads_no_other_group(monkeypatch):
    """It was quadratic, by adding up all groups for each: a minute for 100,000 groups, and hours for a million."""
    units = grouped(100_000)
    monkeypatch.setattr(type(units), "_added", lambda *given: pytest.fail("all groups were added up"))
    blocks = [block.size for block, _ in units.left_out()]
    assert sum(blocks) == units.size * 100_000


def test_a_cell_whose_items_all_weigh_nothing_changes_no_interval_of_groups():
    labels = [["a", "a", "b", "b", "a", "b"], ["a", "b", "a", "b", "a", "b"]]
    asked = {"sample_weight": [1, 0, 1, 2, 1, 1], "groups": [1, 2, 2, 3, 4, 5], "measures": ["accuracy", "mcc"]}
    found = gm.evaluate(*labels, **asked)
    assert [row["low"] <= row["value"] <= row["high"] for row in found.table if row["class"] is None] == [True, True]
