"""Data frames of results keep the kinds of classes, slices and ranks."""

from __future__ import annotations

import numpy as np
import pytest

import goodmeasure as gm

pd = pytest.importorskip("pandas")


def test_integer_classes_stay_integers_in_a_frame():
    """They became 0.0 and 1.0, as rows of all classes have none."""
    result = gm.evaluate([0, 1, 1, 0], [0, 1, 0, 0], by={"site": [10, 10, 20, 20]}, measures=["accuracy"])
    for frame in (result.to_frame(), result.to_frame("polars").to_pandas(), result.to_frame("arrow").to_pandas()):
        assert set(frame["class"].dropna()) == {0, 1}
    frame = result.to_frame()
    assert [str(x) for x in frame["class"].dropna().unique()] == ["0", "1"]
    assert [str(x) for x in frame["slice"].dropna().unique()] == ["10", "20"]
    assert str(frame["class"].dtype) == str(frame["slice"].dtype) == "Int64"
    assert len(frame[frame["class"] == 1]) == len(frame[frame["class"] == 0]) > 0
    assert frame["class"].isna().sum() == sum(row["class"] is None for row in result.table)


@pytest.mark.parametrize(
    ("labels", "kind"),
    [([False, True], "object"), (["a", "b"], None), ([0.5, 1.5], "float64"), ([0, 2**70], "object"),
     (np.array([3, 4], np.int8), "Int64")],
)  # fmt: skip
def test_other_classes_stay_what_they_are(labels, kind):
    frame = gm.evaluate(labels, labels, measures=["accuracy"], confidence=None).to_frame()
    assert set(frame["class"].dropna()) == set(labels)
    assert kind is None or str(frame["class"].dtype) == kind


def test_ranks_of_a_comparison_stay_whole():
    found = gm.compare([0, 1, 1, 0], {"A": [0, 1, 0, 0], "B": [1, 0, 1, 0]}, measures=["accuracy", "precision"])
    assert str(found.to_frame(rows="scores")["rank"].dtype).lower() == "int64"
