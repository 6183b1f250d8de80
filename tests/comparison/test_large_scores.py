"""Comparing scores that are too large for memory: values of all items, and how they vary from a random sample."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import goodmeasure as gm
from goodmeasure.counts.readers import row_batches
from goodmeasure.counts.scores import score_sketch
from goodmeasure.evaluation.scores import scores_beyond_memory

N = 3000
CHOSEN = ["roc_auc", "average_precision", "log_loss", "brier", "calibration_error"]


def made(seed=0, n=N, gap=0.0):
    rng = np.random.default_rng(seed)
    true, shared = rng.random(n) < 0.4, rng.normal(size=n)
    scores = [1 / (1 + np.exp(-(lift * true - 0.5 + shared + rng.normal(size=n)))) for lift in (1.3 + gap, 1.3)]
    columns = {"a": scores[0], "b": scores[1], "w": rng.random(n) + 0.1}
    return pd.DataFrame({"label": np.where(true, "yes", "no"), **columns, "site": rng.choice(["x", "y"], n)})


FRAME = made(gap=0.3)


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr(scores_beyond_memory, "LARGE", 50)
    monkeypatch.setattr(row_batches, "ROWS", 177)


def compared(data, **options):
    given = {"y_true": "label", "y_score": {"A": "a", "B": "b"}, "replicates": 300}
    return gm.compare(data, **{**given, **options})


def ends(found, column=("difference", "low", "high", "p")):
    return [[row[x] for x in column] for row in found.differences]


@pytest.mark.parametrize("options", [{}, {"sample_weight": "w"}, {"margin": 0.05}, {"method": "bootstrap"}], ids=str)
def test_where_the_sample_holds_all_items_everything_is_as_in_memory(tiny, options):
    found, expected = (compared(x, measures=CHOSEN[:4], **options) for x in (duckdb.from_df(FRAME), FRAME))
    assert found.items == expected.items == N
    assert not any("items drawn at random" in x for x in found.notes)
    if options.get("method") != "bootstrap":  # resamples draw the sampled items in another order
        assert ends(found) == [pytest.approx(x, rel=1e-6, abs=1e-9) for x in ends(expected)]
    for one, other in zip(ends(found), ends(expected), strict=True):
        assert one[0] == pytest.approx(other[0])
        assert one[1:3] == pytest.approx(other[1:3], abs=0.3 * (other[2] - other[1]))
    assert [x["value"] for x in found.scores] == pytest.approx([x["value"] for x in expected.scores])


@pytest.mark.parametrize("weight", [None, "w"])
def test_a_sample_gives_the_values_of_all_items_and_nearly_their_errors(tiny, monkeypatch, weight):
    monkeypatch.setattr(scores_beyond_memory, "SAMPLED", 1500)
    frame = pl.from_pandas(FRAME).lazy()
    found, expected = (compared(x, measures=CHOSEN, sample_weight=weight) for x in (frame, FRAME))
    assert any("come from 1,500 items drawn at random" in x for x in found.notes)
    for one, other in zip(ends(found), ends(expected), strict=True):
        assert one[0] == pytest.approx(other[0])
        assert one[2] - one[1] == pytest.approx(other[2] - other[1], rel=0.2)
    rows = ([row[x] for x in ("value", "low", "high")] for found in (found, expected) for row in found.scores[:2])
    first, second, *others = rows
    assert [first, second] == [pytest.approx(x, rel=1e-3) for x in others]


def test_what_a_sketch_leaves_open_widens_intervals_and_weakens_tests(tiny, monkeypatch):
    exact = compared(duckdb.from_df(FRAME), measures=["roc_auc", "brier"])
    monkeypatch.setattr(score_sketch, "MOST", 100)
    monkeypatch.setattr(scores_beyond_memory, "share_of_most", lambda parts: 100)
    found = compared(duckdb.from_df(FRAME), measures=["roc_auc", "brier"])
    (one, _), (other, same) = found.differences, exact.differences
    assert one["low"] < other["low"] < other["high"] < one["high"]
    assert one["low"] <= other["difference"] <= one["high"]
    assert one["p"] > other["p"]
    assert ends(found)[1] == pytest.approx([same[x] for x in ("difference", "low", "high", "p")])
    assert "off by at most" in next(x["reason"] for x in found.scores if x["measure"] == "roc_auc")


def test_samples_are_drawn_evenly_and_only_from_items_that_all_systems_have():
    sample = scores_beyond_memory.PairedSample(200, seed=3)
    for start in range(0, 1000, 90):
        part = np.arange(start, min(start + 90, 1000), dtype=float)
        sample.add(part % 2 == 0, [part, -part], None)
    kept = sample.scored(["A", "B"], ("no", "yes"), weighted=False)
    assert sample.seen == 1000
    assert len(set(kept["A"].scores.tolist())) == 200
    assert (kept["A"].scores == -kept["B"].scores).all()
    assert (kept["A"].true == (kept["A"].scores % 2 == 0)).all()
    assert 420 < kept["A"].scores.mean() < 580


def test_items_that_a_system_has_no_score_for_are_left_out_of_all(tiny):
    frame = FRAME.assign(a=FRAME["a"].where(np.arange(N) % 10 > 0))
    with pytest.raises(gm.InputError, match="missing for"):
        compared(duckdb.from_df(frame))
    found, expected = (compared(x, missing="drop") for x in (pl.from_pandas(frame).lazy(), frame))
    assert found.items == expected.items == 2700
    assert ends(found)[0] == pytest.approx(ends(expected)[0], rel=1e-6)


def test_a_rare_class_is_compared_on_all_items(tiny, monkeypatch):
    monkeypatch.setattr(scores_beyond_memory, "SAMPLED", 1000)
    frame = FRAME[(FRAME["label"] == "no") | (FRAME.index % 100 == 0)]
    found, expected = (compared(x, measures=["roc_auc", "brier"]) for x in (pl.from_pandas(frame).lazy(), frame))
    assert ends(found) == ends(expected)
    assert not any("items drawn at random" in x for x in found.notes)


def test_a_measure_without_a_bound_in_a_sketch_is_computed_from_all_items(tiny, monkeypatch):
    monkeypatch.setattr(scores_beyond_memory, "share_of_most", lambda parts: 100)
    found, expected = (compared(x, measures=["h_measure"]) for x in (pl.from_pandas(FRAME).lazy(), FRAME))
    assert ends(found) == ends(expected)


def test_resamples_allow_for_a_sketch_too(tiny, monkeypatch):
    monkeypatch.setattr(scores_beyond_memory, "share_of_most", lambda parts: 60)
    for measure, method in (("ks", "auto"), ("roc_auc", "bootstrap")):
        for seed in range(4):
            data = pl.from_pandas(made(seed, 600, gap=0.3)).lazy()
            row = compared(data, measures=measure, method=method).differences[0]
            assert (row["low"] <= 0 <= row["high"]) or row["p"] <= 0.05


def test_labels_that_are_nan_are_missing(tiny):
    frame = pl.from_pandas(FRAME.assign(label=np.where(np.arange(N) % 100 == 0, np.nan, FRAME["label"] == "yes")))
    with pytest.raises(gm.InputError, match="missing for"):
        compared(frame.lazy(), measures="roc_auc")
    found, expected = (compared(x, measures="roc_auc", missing="drop") for x in (frame.lazy(), frame))
    assert found.items == expected.items == 2970
    assert found.scores[0]["value"] == pytest.approx(expected.scores[0]["value"])
    alone = gm.evaluate(frame.lazy(), y_true="label", y_score="a", missing="drop", measures="roc_auc")
    assert alone.table[0]["value"] == pytest.approx(expected.scores[0]["value"])


@pytest.mark.parametrize("data", [FRAME, pl.from_pandas(FRAME).lazy()], ids=["in memory", "in batches"])
def test_measures_may_come_one_by_one_and_must_be_some_and_the_seed_a_number(tiny, data):
    assert len(compared(data, measures=iter(["roc_auc", "brier"])).differences) == 2
    with pytest.raises(gm.InputError):
        compared(data, measures=[])
    with pytest.raises(gm.InputError, match="seed is -1"):
        compared(data, seed=-1)


def test_labels_at_a_threshold_and_slices_are_read_at_once(tiny):
    frame = duckdb.from_df(FRAME)
    assert compared(frame, measures=["mcc", "roc_auc"]).differences[0]["measure"] == "mcc"
    assert set(compared(frame, by="site").slices) == {"x", "y"}
    assert compared(frame, threshold=0.4, measures="f1").differences[0]["measure"] == "f1"


def test_the_error_of_the_first_kind_with_a_sample(tiny, monkeypatch):
    monkeypatch.setattr(scores_beyond_memory, "SAMPLED", 300)
    monkeypatch.setattr("goodmeasure.comparison.compare._LEAST_OF_CLASS", 50)
    p = [
        compared(pl.from_pandas(made(seed, 900)).lazy(), measures="roc_auc").differences[0]["p"] for seed in range(120)
    ]
    assert 0.005 < np.mean(np.array(p) < 0.05) < 0.11
    assert 0.35 < np.mean(p) < 0.65
