"""A sweep over named columns: of data frames of any engine, and of files."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import goodmeasure as gm

RNG = np.random.default_rng(3)
DATA = pd.DataFrame({
    "label": RNG.choice(["no", "yes"], 200), "A": RNG.random(200).round(2), "B": RNG.random(200).round(2),
    "w": RNG.random(200) + 0.5, "site": RNG.choice(["x", "y"], 200), "patient": np.arange(200) // 5,
})  # fmt: skip


def frames(folder):
    path = folder / "scores.csv"
    DATA.to_csv(path, index=False)
    plain = pl.from_pandas(DATA)
    return [DATA, plain, plain.lazy(), plain.to_arrow(), duckdb.from_arrow(plain.to_arrow()), path, str(path)]


def test_columns_of_every_engine_are_swept_like_arrays(tmp_path):
    given = {"sample_weight": "w", "groups": "patient", "positive": "yes"}
    arrays = {name: DATA[column] if name != "positive" else column for name, column in given.items()}
    for data in frames(tmp_path):
        found = gm.sweep(data, y_true="label", y_score="A", **given)
        expected = gm.sweep(DATA["label"], DATA["A"], **arrays)
        assert found.thresholds.tolist() == expected.thresholds.tolist()
        np.testing.assert_allclose(found.curve("mcc").values, expected.curve("mcc").values, atol=1e-12)
        several = gm.sweep(data, y_true="label", y_score=["A", "B"], by="site", positive="yes")
        assert list(several.groups) == list(
            gm.sweep(DATA["label"], {"A": DATA["A"], "B": DATA["B"]}, by=DATA["site"], positive="yes").groups
        )


def test_the_true_labels_may_have_their_name():
    assert gm.sweep(y_true=[0, 1], y_score=[0.2, 0.9]).thresholds.tolist() == [0.9, 0.2]


def test_the_line_that_reproduces_a_sweep_names_the_columns(tmp_path):
    *_, path = frames(tmp_path)
    text = gm.sweep(path, y_true="label", y_score=["A", "B"], by="site", positive="yes").to_markdown()
    assert f"gm.sweep({path!r}, y_true='label', y_score=['A', 'B'], by='site'" in text
    assert "--by site --score A --score B" in text
    assert "--pred" not in text
    alone = gm.sweep(DATA, y_true="label", y_score="A", positive="yes")
    assert "gm.sweep(frame, y_true='label', y_score='A'" in alone.to_markdown()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: gm.sweep([0, 1], [0.1, 0.2], y_true=[0, 1]), "y_true was given twice"),
        (lambda: gm.sweep(DATA, y_true="label", y_score="C"), "the data has no column 'C'"),
        (lambda: gm.sweep(pl.from_pandas(DATA).lazy(), y_true="labels", y_score="A"), "did you mean 'label'"),
        (lambda: gm.sweep(duckdb.from_df(DATA), y_true="label", y_score="C"), "the data has no column 'C'"),
        (lambda: gm.sweep(DATA, y_true="label", y_score="A", by=["site", "patient"]), "by names 2 columns"),
        (lambda: gm.evaluate(DATA, y_true="label", y_score="C"), "the data has no column 'C'"),
    ],
)
def test_what_cannot_be_swept_is_said(call, said):
    with pytest.raises(gm.GoodmeasureError, match=said):
        call()
