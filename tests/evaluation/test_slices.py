"""The spread between slices."""

from __future__ import annotations

import json
import statistics

import pytest

import goodmeasure as gm

TRUE, PRED, SITE = [0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 1], ["x", "x", "y", "y", "z", "z"]


def test_the_spread_is_that_of_the_values_by_slice():
    result = gm.evaluate(TRUE, {"A": PRED, "B": TRUE}, by={"site": SITE}, measures=["accuracy", "mcc"])
    for found in result.slice_spread:
        values = {s: result.value(found.measure, found.system, s) for s in result.slices}
        assert found.highest == max(values.values()) == values[found.highest_slice]
        assert found.lowest == min(values.values()) == values[found.lowest_slice]
        assert found.gap == pytest.approx(found.highest - found.lowest)
        assert found.deviation == pytest.approx(statistics.pstdev(values.values()))
    assert [(x.system, x.measure) for x in result.slice_spread] == [
        ("A", "accuracy"), ("A", "mcc"), ("B", "accuracy"), ("B", "mcc"),
    ]  # fmt: skip
    assert all(x.gap == 0 for x in result.slice_spread if x.system == "B")


def test_the_report_shows_the_spread():
    result = gm.evaluate(TRUE, PRED, by={"site": SITE}, measures=["accuracy"])
    assert "The spread between slices" in result.to_markdown()
    assert json.loads(result.to_json())["slice_spread"][0]["gap"] == 0.5


def test_without_slices_there_is_no_spread():
    result = gm.evaluate(TRUE, PRED)
    assert result.slice_spread == []
    assert "spread between" not in result.to_markdown()
