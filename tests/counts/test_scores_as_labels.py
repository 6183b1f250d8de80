"""Scores and probabilities in place of labels are refused, whatever they come in, and odd labels are not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import goodmeasure as gm

RNG = np.random.default_rng(0)
TRUE = RNG.integers(0, 2, 200)
SCORES = RNG.random(200)
MESSAGE = r"looks like scores or probabilities .*, not like labels: gm\.evaluate\(y_true, y_score=…\) measures them"


@pytest.mark.parametrize(
    "call",
    [
        lambda: gm.confusion(TRUE, SCORES),
        lambda: gm.mcc(TRUE, SCORES),
        lambda: gm.macro(gm.f1)(TRUE, SCORES),
        lambda: gm.evaluate(TRUE, SCORES),
        lambda: gm.evaluate(TRUE, {"A": TRUE, "B": SCORES}),
        lambda: gm.compare(TRUE, {"A": TRUE, "B": SCORES}),
        lambda: gm.mcc(SCORES, TRUE),
        lambda: gm.mcc(SCORES, RNG.random(200)),
        lambda: gm.mcc(TRUE.tolist(), SCORES.tolist()),
        lambda: gm.mcc(TRUE.astype(bool), SCORES),
        lambda: gm.mcc(np.where(TRUE, "spam", "ham"), SCORES),
        lambda: gm.mcc(pd.Series(TRUE), pd.Series(SCORES)),
        lambda: gm.mcc(pl.Series(TRUE), pl.Series(SCORES)),
        lambda: gm.mcc(TRUE, SCORES.astype(np.float32)),
        lambda: gm.mcc(TRUE, SCORES.round(2)),
        lambda: gm.mcc(TRUE, np.log(SCORES)),
        lambda: gm.mcc([0, 1, 1, 0], [0.2, 0.7, 0.91, 0.4]),
    ],
)
def test_scores_in_place_of_labels_are_refused(call):
    with pytest.raises(ValueError, match=MESSAGE):
        call()


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
@pytest.mark.parametrize("function", [gm.evaluate, gm.compare])
def test_files_with_a_column_of_scores_are_refused_too(tmp_path, ending, function):
    frame = pl.DataFrame({"label": TRUE, "a": TRUE, "p": SCORES})
    path = tmp_path / f"x.{ending}"
    {"csv": frame.write_csv, "parquet": frame.write_parquet, "jsonl": frame.write_ndjson}[ending](path)
    with pytest.raises(ValueError, match=MESSAGE):
        function(path, y_true="label", y_pred=["a", "p"])
    with pytest.raises(ValueError, match=MESSAGE):
        function(frame.lazy(), y_true="label", y_pred=["a", "p"])


@pytest.mark.parametrize(
    ("true", "pred"),
    [
        ([0.5, 1.0, 1.5, 2.0], [0.5, 1.5, 1.5, 2.0]),
        ([0.5, 1.0, 1.5, 2.0], [2.5, 3.5, 1.5, 2.0]),
        ([1, 2, 3] * 9, [1.5, 2, 2.5] * 9),
        ([0, 1, 1, 0], [0.5, 1, 1, 0]),
        ([0.0, 1.0], [1.0, 1.0]),
        (["0.1", "0.2"], ["0.2", "0.1"]),
        (list(range(50)), list(range(50, 100))),
    ],
    ids=["ratings", "ratings that differ", "half steps", "a vote that is tied", "whole", "versions", "many classes"],
)
def test_labels_that_are_numbers_are_counted(true, pred):
    assert gm.confusion(true, pred).n == len(true)


def test_classes_that_are_named_are_labels():
    assert gm.confusion([0, 1], [0.25, 0.75], labels=[0, 0.25, 0.75, 1]).n == 2


def test_a_small_slice_of_labels_in_half_steps_is_counted():
    by = ["x"] * 25 + ["y", "z"]
    assert len(gm.evaluate([1, 2, 3] * 9, [1.5, 2, 2.5] * 9, by=by).slices) == 3
