"""Evaluating scores: from arrays, frames, engines and files, for several systems, slices and classes."""

from __future__ import annotations

import math

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import goodmeasure as gm
from goodmeasure.evaluation.scores.uncertainty import FEWEST

RNG = np.random.default_rng(2)
N = 120
P = RNG.random(N)
TRUE = np.where(1.2 * RNG.random(N) < P, "spam", "ham")
Q = np.clip(P + RNG.normal(size=N) / 4, 0.01, 0.99)
SITE = RNG.choice(["x", "y"], N)
WEIGHT = RNG.random(N)
FRAME = pd.DataFrame({"label": TRUE, "p": P, "q": Q, "site": SITE, "w": WEIGHT, "doc": np.arange(N) // 3})
THREE = RNG.dirichlet(np.ones(3), N)
ANIMALS = np.array([RNG.choice(["bird", "cat", "dog"], p=x) for x in THREE])


def rows(result, measure):
    return {(x["system"], x["slice"]): x for x in result.table if x["measure"] == measure and x["class"] is None}


def test_measures_of_scores_stand_beside_those_of_labels():
    result = gm.evaluate(TRUE, y_score=P)
    assert result.value("roc_auc") == gm.roc_auc(TRUE, P, positive="spam")
    assert result.value("log_loss") == gm.log_loss(TRUE, P, positive="spam")
    assert result.value("mcc") == gm.mcc(TRUE, np.where(P >= 0.5, "spam", "ham"))
    row = rows(result, "roc_auc")["system", None]
    assert row["low"] < row["value"] < row["high"]
    assert row["chance"] == 0.5
    assert result.value("mcc") != gm.evaluate(TRUE, y_score=P, threshold=0.8).value("mcc")
    assert "ROC AUC" in str(result)
    assert "ROC AUC" in result.to_markdown()


def test_only_the_measures_that_are_asked_for_are_shown():
    result = gm.evaluate(TRUE, y_score={"P": P, "Q": Q}, measures=["auc", gm.at("precision", "recall >= 0.9")])
    assert {x["measure"] for x in result.table if x["class"] is None} == {"roc_auc", "at(precision, 'recall >= 0.9')"}
    for text in (str(result), result.to_markdown(), result.to_latex(), result.to_json()):
        assert "ROC AUC" in text or '"roc_auc"' in text
        assert "every value is undefined" not in text
    with pytest.raises(ValueError, match="roc_auc is defined for two classes"):
        gm.evaluate(ANIMALS, y_score=THREE, measures="roc_auc")


@pytest.mark.parametrize(
    "engine",
    [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.Table.from_pandas, duckdb.from_df],
    ids=["pandas", "polars", "lazy", "arrow", "duckdb"],
)
def test_every_engine_gives_the_same(engine):
    frame = engine(FRAME)
    chosen = {"measures": ["roc_auc", "brier", "mcc"], "by": "site", "sample_weight": "w"}
    result = gm.evaluate(frame, y_true="label", y_score=["p", "q"], **chosen)
    found = rows(result, "roc_auc")
    for where in (None, "x", "y"):
        keep = where == SITE if where else np.ones(N, bool)
        for name, scores in (("p", P), ("q", Q)):
            expected = gm.roc_auc(TRUE[keep], scores[keep], positive="spam", sample_weight=WEIGHT[keep])
            assert found[name, where]["value"] == pytest.approx(expected)
    arrays = gm.evaluate(
        TRUE, y_score={"p": P, "q": Q}, measures=chosen["measures"], by={"site": SITE}, sample_weight=WEIGHT
    )
    assert [x["value"] for x in result.table] == pytest.approx([x["value"] for x in arrays.table])
    assert [x["low"] for x in result.table] == pytest.approx([x["low"] for x in arrays.table])


def test_files_with_a_column_for_each_class(tmp_path):
    frame = pd.DataFrame({"label": ANIMALS, "p_dog": THREE[:, 2], "p_cat": THREE[:, 1], "p_bird": THREE[:, 0]})
    path = tmp_path / "animals.csv"
    frame.to_csv(path, index=False)
    spec = {"A": ["p_dog", "p_cat", "p_bird"]}
    result = gm.evaluate(path, y_true="label", y_score=spec, measures=["log_loss", "hand_till", "accuracy"])
    assert result.value("log_loss") == pytest.approx(gm.log_loss(ANIMALS, THREE))
    assert result.value("hand_till") == pytest.approx(gm.hand_till(ANIMALS, THREE))
    assert result.value("accuracy") == pytest.approx(
        np.mean(np.array(["bird", "cat", "dog"])[THREE.argmax(1)] == ANIMALS)
    )
    with pytest.raises(ValueError, match=r"do not end with the names of the classes.*labels="):
        gm.evaluate(path, y_true="label", y_score={"A": ["p_dog", "p_cat"]})


def test_intervals_of_groups_are_wider_where_groups_agree():
    y, p = np.repeat(TRUE, 5), np.repeat(P, 5)
    groups = np.repeat(np.arange(N), 5)
    for name in ("roc_auc", "average_precision", "log_loss", "ks", "calibration_error"):
        alone = rows(gm.evaluate(y, y_score=p, measures=[name]), name)["system", None]
        grouped = rows(gm.evaluate(y, y_score=p, measures=[name], groups=groups), name)["system", None]
        once = rows(gm.evaluate(TRUE, y_score=P, measures=[name]), name)["system", None]
        assert grouped["value"] == pytest.approx(alone["value"])
        assert grouped["high"] - grouped["low"] > 1.5 * (alone["high"] - alone["low"])
        assert grouped["high"] - grouped["low"] == pytest.approx(once["high"] - once["low"], rel=0.35)


def test_degenerate_scores_have_a_reason_and_no_interval():
    one = gm.evaluate([1] * 12, y_score=np.linspace(0.1, 0.9, 12), measures=["roc_auc", "brier"])
    row = rows(one, "roc_auc")["system", None]
    assert math.isnan(row["value"])
    assert math.isnan(row["low"])
    assert "no item belongs to class 0" in row["reason"]
    assert not math.isnan(rows(one, "brier")["system", None]["low"])
    tied = rows(gm.evaluate([0, 1] * 10, y_score=[0.4] * 20, measures="roc_auc"), "roc_auc")["system", None]
    assert tied["value"] == 0.5
    assert "all scores are equal" in tied["reason"]
    few = rows(gm.evaluate([0, 1, 1, 0], y_score=[0.1, 0.6, 0.4, 0.5], measures="roc_auc"), "roc_auc")["system", None]
    assert few["value"] == 0.75
    assert f"at least {FEWEST} are needed" in few["reason"]


def test_a_perfect_ranking_has_an_interval_of_some_width():
    row = rows(gm.evaluate([0] * 10 + [1] * 10, y_score=np.linspace(0, 1, 20), measures="roc_auc"), "roc_auc")
    found = row["system", None]
    assert found["value"] == found["high"] == 1
    assert 0.7 < found["low"] < 0.95


def test_items_without_scores_are_refused_or_left_out():
    p = P.copy()
    p[3] = np.nan
    with pytest.raises(ValueError, match=r"y_score\[3\] is NaN.*missing='drop'"):
        gm.evaluate(TRUE, y_score=p)
    result = gm.evaluate(TRUE, y_score=p, missing="drop", by={"site": SITE})
    kept = np.arange(N) != 3
    assert result.value("roc_auc") == gm.roc_auc(TRUE[kept], P[kept], positive="spam")
    here = kept & (SITE[3] == SITE)
    assert result.value("roc_auc", slice=SITE[3]) == gm.roc_auc(TRUE[here], P[here], positive="spam")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"threshold": 0.3, "y_pred": TRUE}, "threshold= makes labels of scores: use it with y_score="),
        ({"y_score": P, "threshold": "high"}, "threshold is 'high'"),
        ({"y_score": {}}, "y_score is an empty dict"),
        ({"y_score": P, "missing": "class"}, "with scores use 'error' or 'drop'"),
    ],
)
def test_bad_arguments_say_what_to_do(given, said):
    with pytest.raises(ValueError, match=said):
        gm.evaluate(TRUE, **given)


@pytest.mark.parametrize("measures", [None, ["roc_auc"], ["mcc"], ["roc_auc", "mcc"]])
def test_scores_that_are_no_probabilities_need_no_threshold(measures):
    """Only measures of scores are shown, and a note says what would show those of labels."""
    result = gm.evaluate(TRUE, y_score={"A": 5 * P - 3, "B": P - 4}, measures=measures)
    assert result.value("roc_auc", "A") == gm.roc_auc(TRUE, P, positive="spam")
    assert "mcc" not in result.measured
    assert any("threshold=" in x.text for x in result.warnings) == (measures != ["roc_auc"])
    with pytest.raises(ValueError, match="scores without a threshold have no confusion matrix"):
        result.matrix()
    for text in (str(result), result.to_text(full=True), result.to_markdown()):
        assert "onfusion matrix" not in text
    compared = gm.compare(TRUE, y_score={"A": 5 * P - 3, "B": P - 4}, measures=measures)
    assert "mcc" not in compared.measures
    assert any("threshold=" in x for x in compared.notes) == (measures is not None and "mcc" in measures)
    assert result.comparison.difference("A", "B", "roc_auc") == compared.difference("A", "B", "roc_auc")


def test_predicted_labels_and_scores_may_come_together():
    result = gm.evaluate(TRUE, TRUE, y_score=P, measures=["mcc"])
    assert result.value("mcc") == 1
    assert result.swept.best("mcc").threshold == gm.sweep(TRUE, P, measures=["mcc"]).best("mcc").threshold


def test_reports_can_be_made_again():
    chosen = {"y_true": "label", "threshold": 0.4, "measures": ["roc_auc", "f1"]}
    result = gm.evaluate(FRAME, y_score={"A": "p", "B": "q"}, **chosen)
    text = result.to_markdown()
    assert "gm.evaluate(frame, y_true='label', y_score={'A': ['p'], 'B': ['q']}, threshold=0.4" in text
    again = gm.evaluate(
        FRAME, y_true="label", y_score={"A": ["p"], "B": ["q"]}, threshold=0.4, measures=["roc_auc", "f1"]
    )
    assert [x["value"] for x in again.table] == [x["value"] for x in result.table]


def test_only_scores_are_shown_where_only_scores_are_asked_for():
    result = gm.evaluate(TRUE, y_score=P, measures=["roc_auc"])
    assert [x["measure"] for x in result.table] == ["roc_auc"]
    assert "Each class" not in str(result)
    assert len(gm.evaluate(TRUE, y_score=P, measures=["roc_auc"], classwise=["recall"]).table) == 3


def test_the_statement_for_a_paper_names_measures_of_scores():
    text = gm.evaluate(TRUE, y_score=P, measures=["roc_auc", "mcc"]).statement()
    assert "ROC AUC [@hanley1982]" in text
    assert "DeLong's variance" in text
    assert "@article{hanley1982," in text
    assert "There are no intervals" not in gm.evaluate(TRUE, y_score=P, measures=["roc_auc"]).statement()


def test_an_infinite_loss_is_compared_without_a_test_or_a_warning():
    q = P.copy()
    q[int(np.flatnonzero(TRUE == "spam")[0])] = 0.0
    row = gm.compare(TRUE, y_score={"P": np.clip(P, 0.01, 0.99), "Q": q}, measures=["log_loss"]).differences[0]
    assert row["difference"] == -math.inf
    assert math.isnan(row["p"])
    assert "infinite" in row["method"]
