"""Arrays and lists with weights, groups and slices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.counts.readers.arrays import count_systems, rows_of_arrays
from goodmeasure.counts.sample import Slice
from tests.counts.reference import PATHS, counting_by


def count_one(y_true, y_pred, missing="error", **options):
    """Return the counts of one system."""
    return rows_of_arrays(y_true, {"A": y_pred}, **options).sample("A", None, missing)


ITEMS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([0, 0.5, 2, 3.25]), st.integers(0, 4)), min_size=1
)


@pytest.mark.parametrize("path", PATHS)
@given(ITEMS, st.booleans())
def test_groups_and_squares_add_up_to_what_a_loop_finds(path, items, weighted):
    """Cell by cell and group by group."""
    y, p, w, g = (list(x) for x in zip(*items, strict=True))
    with counting_by(path):
        sample = count_one(y, p, sample_weight=w if weighted else None, groups=g)
        assert sample.matrix == gm.confusion(y, p, sample_weight=w if weighted else None)
    labels = sample.matrix.labels
    cells = {}
    for true, pred, weight, group in items:
        cell = group, labels.index(true), labels.index(pred)
        cells[cell] = cells.get(cell, 0) + (weight if weighted else 1)
    assert sample.groups.size == len(set(g))
    known = sorted(set(g))
    entries = zip(*(x.tolist() for x in (sample.groups.group, sample.groups.rows, sample.groups.cols)), strict=True)
    found = {(known[k], i, j): v for (k, i, j), v in zip(entries, sample.groups.values.tolist(), strict=True)}
    assert {cell: v for cell, v in found.items() if v} == {cell: v for cell, v in cells.items() if v}
    if weighted:
        squares = np.zeros((len(labels), len(labels)))
        for true, pred, weight, _ in items:
            squares[labels.index(true), labels.index(pred)] += weight**2
        assert sample.squares.tolist() == squares.tolist()
        assert sample.items.sum() == len(items)
        assert sample.items.dtype == np.int64


def test_groups_that_lose_their_items_are_not_counted():
    """A group that has no item left cannot be drawn."""
    sample = count_one([0, 1, None], [0, 1, 1], groups=["x", "y", "z"], missing="drop")
    assert sample.groups.size == 2
    assert sample.matrix.dropped == 1
    with pytest.raises(ValueError, match="no item has both a true and a predicted label"):
        count_one([None], [1], groups=["x"], missing="drop")


def test_what_does_not_fit_is_refused():
    """Lengths, groups and weights."""
    with pytest.raises(ValueError, match="groups has 1 labels, y_true has 2: they must be the same length"):
        count_one([0, 1], [0, 1], groups=[1])
    with pytest.raises(ValueError, match="groups is missing for 1 rows: every item needs a group"):
        count_one([0, 1], [0, 1], groups=[1, None])
    with pytest.raises(ValueError, match=r"sample_weight\[1\] is -1"):
        count_one([0, 1], [0, 1], sample_weight=[1, -1])
    with pytest.raises(ValueError, match=r"y_true\[1\] is None: leave out"):
        count_one([0, None], [0, 1])
    with pytest.raises(ValueError, match=r"by\['site'\] has 1 labels, y_true has 2"):
        count_systems([0, 1], {"A": [0, 1]}, by={"site": ["x"]})
    with pytest.raises(ValueError, match="no system is given"):
        count_systems([0, 1], {})
    with pytest.raises(ValueError, match="y_true is empty"):
        count_systems([], {"A": []})


@pytest.mark.parametrize("path", PATHS)
def test_slices_are_the_values_of_several_columns_together(path):
    """Those that occur, in order, a missing value last: of each column first, then of all together."""
    by = {"site": ["y", "x", "x", None], "age": np.array([1.0, 2.0, np.nan, 1.0]), "sex": np.array([True] * 4)}
    with counting_by(path):
        counted = count_systems([0, 1, 1, 0], {"A": [0, 1, 0, 0]}, by=by)
    assert [str(x) for x in counted.slices] == [
        *("site=x", "site=y", "site missing", "age=1", "age=2", "age missing", "sex=True"),
        "site=x, age=2, sex=True",
        "site=x, age missing, sex=True",
        "site=y, age=1, sex=True",
        "site missing, age=1, sex=True",
    ]
    assert counted.samples["A", Slice([("site", "x"), ("age", None), ("sex", True)])].matrix.counts.tolist() == [
        [0, 0],
        [1, 0],
    ]
    assert counted.missing == {"site": 1, "age": 1}
