"""The spread between slices."""

from __future__ import annotations

import json
import statistics

import numpy as np
import pandas as pd
import polars as pl
import pytest

import goodmeasure as gm
from goodmeasure.counts.label_rows import _places_by_code
from tests.cli.command import call

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
    assert "The gap between slices" in result.to_markdown()
    assert json.loads(result.to_json())["slice_spread"][0]["gap"] == 0.5


def test_without_slices_there_is_no_spread():
    result = gm.evaluate(TRUE, PRED)
    assert result.slice_spread == []
    assert "gap between slices" not in result.to_markdown()


RNG = np.random.default_rng(0)
FRAME = pd.DataFrame({
    "label": RNG.integers(0, 2, 80), "pred": RNG.integers(0, 2, 80), "region": RNG.choice(["N", "S"], 80),
    "sex": RNG.choice(["f", "m", "N"], 80), "w": RNG.random(80), "g": RNG.integers(0, 20, 80),
})  # fmt: skip
SLICES = ["region=N", "region=S", "sex=N", "sex=f", "sex=m"]


@pytest.mark.parametrize("kind", ["pandas", "lazy", "arrays", "csv"])
@pytest.mark.parametrize("options", [{}, {"sample_weight": "w"}, {"groups": "g"}])
def test_two_columns_give_the_slices_of_each_and_then_their_combinations(kind, options, tmp_path):
    """A value that occurs in both columns, 'N', stays two slices."""
    by = ["region", "sex"]
    if kind == "arrays":
        more = {name: FRAME[column] for name, column in options.items()}
        result = gm.evaluate(FRAME.label, FRAME.pred, by={x: FRAME[x] for x in by}, measures=["accuracy"], **more)
    else:
        FRAME.to_csv(tmp_path / "x.csv", index=False)
        data = {"pandas": FRAME, "lazy": pl.LazyFrame(FRAME), "csv": tmp_path / "x.csv"}[kind]
        result = gm.evaluate(data, y_true="label", y_pred="pred", by=by, measures=["accuracy"], **options)
    assert list(result.slices[:5]) == SLICES
    assert set(result.slices[5:]) == {(r, s) for r in "NS" for s in "fmN"}
    for margin in SLICES:
        column, value = margin.split("=")
        mine = FRAME[FRAME[column] == value]
        weights = mine.w if "sample_weight" in options else None
        alone = gm.accuracy(mine.label, mine.pred, sample_weight=weights)
        assert result.value("accuracy", slice=margin) == pytest.approx(alone)
        if "groups" in options:
            same = gm.evaluate(mine, y_true="label", y_pred="pred", groups="g", measures=["accuracy"]).table[0]
            row = result.table.where(slice=margin, class_=None)[0]
            assert (row["low"], row["high"]) == pytest.approx((same["low"], same["high"]))


def test_comparisons_have_the_slices_of_each_column_too():
    by = {x: FRAME[x] for x in ("region", "sex")}
    found = gm.compare(FRAME.label, {"A": FRAME.pred, "B": 1 - FRAME.pred}, by=by, measures=["accuracy"])
    assert list(found.slices)[:5] == SLICES
    assert "Slice region = N" in found.to_markdown()


def test_the_spread_is_that_of_one_column_at_a_time():
    result = gm.evaluate(FRAME, y_true="label", y_pred="pred", by=["region", "sex"], measures=["accuracy"])
    assert [x.by for x in result.slice_spread] == ["region", "sex", "region, sex"]
    spread = result.slice_spread[0]
    assert {spread.lowest_slice, spread.highest_slice} == {"region=N", "region=S"}


def test_terminal_report_and_json_show_the_slices_of_each_column_first(tmp_path):
    FRAME.to_csv(tmp_path / "x.csv", index=False)
    command = [
        "evaluate",
        str(tmp_path / "x.csv"),
        "--true",
        "label",
        "--pred",
        "pred",
        "--by",
        "region",
        "--by",
        "sex",
    ]
    output = call(*command, "--no-report", "--full", "--measures", "accuracy").output
    assert 0 < output.index("region = N") < output.index("sex = f") < output.index("region = N, sex = f")
    data = json.loads(call(*command, "--json").output)
    assert [x["slice"] for x in data["parts"]][:7] == [None, *SLICES, ["N", "N"]]
    result = gm.evaluate(FRAME, y_true="label", y_pred="pred", by=["region", "sex"], measures=["accuracy"])
    assert "region = S" in result.to_markdown()
    assert result.to_frame()["slice"].iloc[-1] == "S, m"


@pytest.mark.parametrize("columns", [("a", "a=b"), ("a=b", "a")])
def test_a_column_may_have_a_name_that_looks_like_a_slice(columns):
    by = {name: ["x", "x", "x", "y", "y", "y"] if name == "a=b" else ["p", "q"] * 3 for name in columns}
    result = gm.evaluate(TRUE, {"A": PRED, "B": TRUE}, by=by, measures=["accuracy"])
    found = gm.compare(TRUE, {"A": PRED, "B": TRUE}, by=by, measures=["accuracy"], replicates=50)
    for text in (result.to_markdown(), found.to_markdown()):
        assert "a=b = x" in text
        assert "a = p" in text
        assert "a = b=x" not in text


def test_slices_of_measures_of_scores_are_named_like_all_others():
    by = {"site": ["x", "y"] * 3, "year": [1, 1, 1, 2, 2, 2]}
    result = gm.evaluate(TRUE, y_score=[0.2, 0.7, 0.4, 0.3, 0.9, 0.6], by=by, measures=["accuracy", "brier"])
    table = result.to_markdown().partition("of scores by slice")[2]
    assert "| site = x |" in table
    assert "| site = x, year = 1 |" in table


@pytest.mark.parametrize("codes", [[2, 0, 2, 5, 0], [10**12, 3, 10**12, 0], [70_000, 1, 70_000], [0]])
def test_rows_are_put_into_slices_by_code_however_large_codes_are(codes):
    """Several columns with many values give combinations of a wide range."""
    found = dict(_places_by_code(np.array(codes)))
    assert {code: where.tolist() for code, where in found.items()} == {
        code: [k for k, x in enumerate(codes) if x == code] for code in sorted(set(codes))
    }
    assert list(found) == sorted(found)
