"""evaluate: labels, frames, files and matrices give the same rows, and each row is what its measure says."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.evaluation import scoring
from goodmeasure.evaluation.table import COLUMNS

TRUE = ["ham", "ham", "spam", "ham", "spam", "ham", "eggs", "ham"]
A = ["ham", "spam", "spam", "ham", "ham", "ham", "eggs", "ham"]
B = ["ham", "ham", "ham", "ham", "ham", "ham", "ham", "ham"]
SITE = ["x", "x", "x", "y", "y", "y", "y", "y"]
WEIGHT = [1.0, 2.0, 0.5, 1.0, 1.0, 0.0, 3.0, 1.0]
COLUMNS_OF_DATA = {"label": TRUE, "A": A, "B": B, "site": SITE, "w": WEIGHT}


def frames(tmp_path):
    """The same table for every engine, and as files."""
    import duckdb

    pandas = pd.DataFrame(COLUMNS_OF_DATA)
    pandas.to_csv(tmp_path / "t.csv", index=False)
    pl.DataFrame(COLUMNS_OF_DATA).write_parquet(tmp_path / "t.parquet")
    pandas.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    return {
        "pandas": pandas,
        "polars": pl.DataFrame(COLUMNS_OF_DATA),
        "lazy": pl.LazyFrame(COLUMNS_OF_DATA),
        "arrow": pa.table(COLUMNS_OF_DATA),
        "duckdb": duckdb.from_df(pandas),
        "csv": tmp_path / "t.csv",
        "parquet": str(tmp_path / "t.parquet"),
        "jsonl": tmp_path / "t.jsonl",
    }


def same(one, two):
    """Tables are equal row by row, NaN being NaN."""
    assert len(one.table) == len(two.table)
    for x, y in zip(one.table, two.table, strict=True):
        for name in COLUMNS:
            both = x[name], y[name]
            if isinstance(both[0], float):
                assert both[0] == pytest.approx(both[1], nan_ok=True, abs=1e-12), (x, y)
            else:
                assert both[0] == both[1]


def test_a_row_is_what_its_measure_says():
    result = gm.evaluate(TRUE, A)
    cm = gm.confusion(TRUE, A)
    overall = [row for row in result.table if row["class"] is None]
    assert [row["measure"] for row in overall] == [f.name for f in result.settings.measures]
    for row in overall:
        assert row["value"] == pytest.approx(gm.measure(row["measure"])(cm), nan_ok=True)
        assert row["low"] <= row["value"] <= row["high"]
    by_class = {(row["class"], row["measure"]): row["value"] for row in result.table if row["class"] is not None}
    assert by_class["ham", "recall"] == 4 / 5
    assert by_class["spam", "precision"] == 1 / 2
    assert by_class["eggs", "f1"] == 1


def test_chance_is_the_expected_value_of_shuffled_predictions():
    """Definition 8, by shuffling."""
    result = gm.evaluate(TRUE, A, measures=["accuracy", "mcc"])
    rng = np.random.default_rng(1)
    draws = [gm.accuracy(gm.confusion(TRUE, rng.permutation(A).tolist())) for _ in range(4000)]
    rows = result.table.where(class_=None)
    assert rows[0]["chance"] == pytest.approx(np.mean(draws), abs=0.02)
    assert rows[1]["chance"] == 0


def test_every_engine_gives_the_same_table(tmp_path):
    found = frames(tmp_path)
    results = {
        name: gm.evaluate(frame, y_true="label", y_pred=["A", "B"], sample_weight="w", by="site")
        for name, frame in found.items()
    }
    arrays = gm.evaluate(TRUE, {"A": A, "B": B}, sample_weight=WEIGHT, by={"site": SITE})
    for result in results.values():
        assert result.systems == ("A", "B")
        assert result.slices == ("x", "y")
        same(result, arrays)


def test_a_slice_or_a_system_is_measured_as_if_it_were_alone():
    both = gm.evaluate(TRUE, {"A": A, "B": B}, by=SITE)
    for system, predicted in (("A", A), ("B", B)):
        for value in ("x", "y"):
            keep = [k for k, site in enumerate(SITE) if site == value]
            cm = gm.confusion([TRUE[k] for k in keep], [predicted[k] for k in keep])
            part = both.part(system, value)
            assert part.matrix == cm
            for row in part.rows:
                if row.label is None:
                    assert row.value == pytest.approx(gm.measure(row.measure)(cm), nan_ok=True)


def test_data_of_two_classes_keep_both_in_every_slice():
    result = gm.evaluate([0, 1, 0, 0], [0, 1, 0, 1], by=["x", "x", "y", "y"])
    assert result.matrix(slice="y").counts.tolist() == [[1, 1], [0, 0]]
    assert result.matrix(slice="y").labels == (0, 1)


def test_several_columns_make_slices_of_their_values():
    frame = pd.DataFrame({"label": [0, 1, 0], "pred": [0, 1, 1], "a": ["x", "x", "y"], "b": [1, None, 2]})
    result = gm.evaluate(frame, by=["a", "b"])
    margins = ("a=x", "a=y", "b=1", "b=2", "b=(missing)")
    assert result.slices == (*margins, ("x", 1), ("x", "(missing)"), ("y", 2))


def test_labels_fix_the_classes_and_positive_chooses_one():
    fixed = gm.evaluate(TRUE, A, labels=["eggs", "ham", "spam", "tofu"])
    assert fixed.matrix().m == 4
    one = gm.evaluate(TRUE, A, positive="spam")
    assert one.matrix().labels == ("not spam", "spam")
    assert one.value("recall") == 1 / 2
    with pytest.raises(
        ValueError, match="positive is 'tofu', which is not a class: the classes are 'eggs', 'ham', 'spam'"
    ):
        gm.evaluate(TRUE, A, positive="tofu")


def test_a_matrix_is_measured_too():
    cm = gm.ConfusionMatrix([[50, 3], [4, 20]], labels=["ham", "spam"])
    assert gm.evaluate(cm).value("mcc") == gm.mcc(cm)
    two = gm.evaluate({"A": cm, "B": [[10, 1], [2, 3]]})
    assert two.systems == ("A", "B")
    assert gm.evaluate([[50, 3], [4, 20]]).value(gm.mcc) == gm.mcc(cm)


def test_columns_are_guessed_where_their_names_are_obvious(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("id,gold,prediction\n1,a,a\n2,b,a\n")
    result = gm.evaluate(path)
    assert (result.source.true, result.source.systems, result.source.guessed) == ("gold", ("prediction",), True)
    assert gm.evaluate(pd.DataFrame({"y_true": [0, 1], "y_pred": [0, 1]})).value("accuracy") == 1


def test_undefined_values_have_their_reason():
    result = gm.evaluate(["a", "a", "b"], ["a", "a", "a"], undefined="nan", measures=["macro(precision)", "accuracy"])
    undefined, fine = result.table.where(class_=None)
    assert math.isnan(undefined["value"])
    assert undefined["reason"] == "'b' is never predicted, so its precision is 0/0"
    assert fine["reason"] is None
    ruled = gm.evaluate(["a", "a"], ["a", "a"], labels=["a", "b"], measures=["macro(f1)"]).table[0]
    assert ruled["value"] == 1
    assert ruled["reason"] == "class 'b' occurs in neither labeling and is left out of the average"
    with pytest.raises(gm.UndefinedMeasure):
        gm.evaluate(["a", "a", "b"], ["a", "a", "a"], undefined="raise", measures=["macro(precision)"])


def test_missing_labels_are_refused_dropped_or_a_class():
    true, pred = ["a", None, "b"], ["a", "a", None]
    with pytest.raises(ValueError, match="missing='drop'"):
        gm.evaluate(true, pred)
    dropped = gm.evaluate(true, pred, missing="drop")
    assert dropped.matrix().n == 1
    assert dropped.counted.dropped == {"system": 2}
    own = gm.evaluate(true, pred, missing="class")
    assert own.matrix().labels == ("a", "b", None)
    assert "(missing)" in {row["class"] for row in own.table}


@pytest.mark.parametrize("confidence", [0, 1, 1.5, -1, float("nan"), "high", True])
def test_a_confidence_that_is_none_is_refused(confidence):
    with pytest.raises(ValueError, match="confidence is"):
        gm.evaluate(TRUE, A, confidence=confidence)


def test_without_confidence_there_are_no_intervals():
    result = gm.evaluate(TRUE, A, confidence=None)
    assert all(math.isnan(row["low"]) and math.isnan(row["high"]) for row in result.table)
    assert "interval" not in result.to_markdown().split("## The measures")[0]


def test_the_same_seed_gives_the_same_intervals_whatever_else_is_measured():
    true, first, second = TRUE * 9, A * 9, [*B[1:], B[0]] * 9
    one = gm.evaluate(true, first, measures=["mcc"], method="bca", seed=3).table[0]
    other = gm.evaluate(true, {"B": second, "A": first}, measures=["kappa", "mcc"], method="bca", seed=3)
    assert one["low"] == other.table.where(system="A", measure="mcc", class_=None)[0]["low"]
    assert one != gm.evaluate(true, first, measures=["mcc"], method="bca", seed=4).table[0]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((TRUE, A[:-1]), {}, "y_pred has 7 labels, y_true has 8"),
        (([], []), {}, "empty"),
        ((TRUE,), {"y_pred": A, "by": "site"}, "by is 'site': with labels it is one value for each item"),
        ((TRUE, A), {"measures": ["mc"]}, "'mc' is not the name of a measure"),
        ((TRUE, A), {"measures": []}, "measures is empty"),
        ((TRUE, A), {"measures": ["f1"]}, "f1 is defined for two classes"),
        ((TRUE, A), {"sample_weight": [-1.0] * 8}, "sample_weight"),
        ((), {}, "evaluate takes true and predicted labels"),
        (([[0, 0], [0, 0]],), {}, "holds no items"),
        ((np.ones((3, 2, 2)),), {}, "is a batch of shape"),
        (([[1, 0], [0, 1]],), {"by": SITE}, "by needs labels"),
        ((TRUE, A), {"missing": "ignore"}, "missing"),
        ((pd.DataFrame({"a": [1], "b": [2], "c": [3]}),), {}, "it is not obvious which column holds the true labels"),
        ((pd.DataFrame({"label": [1], "b": [2], "c": [3]}),), {}, "the predicted labels: name it with y_pred="),
        ((pd.DataFrame(COLUMNS_OF_DATA),), {"y_true": "lable", "y_pred": "A"}, "did you mean 'label'"),
        ((pd.DataFrame(COLUMNS_OF_DATA),), {"y_true": TRUE, "y_pred": "A"}, "it is a column's name"),
        ((pd.DataFrame(COLUMNS_OF_DATA).head(0),), {"y_true": "label", "y_pred": "A"}, "no rows"),
    ],
)
def test_bad_input_is_told_what_came_and_what_to_do(arguments, options, message):
    with pytest.raises((ValueError, TypeError), match=message.replace("(", r"\(").replace("[", r"\[")):
        gm.evaluate(*arguments, **options)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30), st.data())
def test_any_small_data_gives_rows_and_every_format(pairs, data):
    """Nothing breaks: one class, one item, absent classes; no warning, and finite intervals around every value."""
    true, pred = (list(x) for x in zip(*pairs, strict=True))
    weights = data.draw(st.none() | st.just([1 + k % 3 for k in range(len(pairs))]))
    result = gm.evaluate(true, pred, sample_weight=weights, measures="recommended")
    for row in result.table:
        if not math.isnan(row["value"]) and not math.isnan(row["low"]):
            assert row["low"] - 1e-9 <= row["value"] <= row["high"] + 1e-9
    for write in (result.to_html, result.to_markdown, result.to_latex, result.to_json, result.to_csv, result.statement):
        assert write()


def test_a_hundred_thousand_classes_are_measured():
    rng = np.random.default_rng(0)
    true = np.concatenate([np.arange(20_000), rng.integers(0, 20_000, 30_000)])
    pred = np.where(rng.random(50_000) < 0.5, true, rng.integers(0, 20_000, 50_000))
    result = gm.evaluate(true, pred, measures=["accuracy", "macro(f1)", "mcc"], confidence=None)
    cm = gm.confusion(true, pred)
    assert cm.is_sparse
    assert result.value("mcc") == gm.mcc(cm)
    assert "20,000 classes" in result.to_markdown()


def test_weights_of_zero_only_are_an_error():
    with pytest.raises(ValueError, match="sample_weight is 0 for every item"):
        gm.evaluate(TRUE, A, sample_weight=[0.0] * 8)


def test_where_there_is_no_interval_the_row_says_why():
    one_class = gm.evaluate(["a"] * 5, ["a"] * 5, measures=["accuracy"]).table[0]
    assert math.isnan(one_class["low"])
    assert one_class["reason"] == "no interval: there is only one class, so nothing can be seen to vary"
    one_group = gm.evaluate([0, 1, 1, 0], [0, 1, 0, 0], groups=["x"] * 4, measures=["mcc"]).table[0]
    assert one_group["reason"].startswith("no interval: ")


def test_the_numbers_of_the_table_are_plain_floats():
    for row in gm.evaluate([0, 1, 1], [0, 1, 0], measures=["accuracy", "mcc"], sample_weight=[1, 2, 3]).table:
        assert all(type(row[name]) is float for name in ("value", "low", "high", "chance"))


@pytest.mark.parametrize("kind", ["pandas", "arrow"])
def test_columns_of_one_name_are_refused_in_one_line(kind):
    frame = pd.DataFrame([[1, 1, 0], [0, 0, 1]], columns=["y", "p", "p"])
    table = frame if kind == "pandas" else pa.table([[1, 0], [1, 0], [0, 1]], names=["y", "p", "p"])
    with pytest.raises(ValueError, match=r"^the data has several columns named 'p': rename all but one$"):
        gm.evaluate(table, y_true="y", y_pred="p")


def test_a_class_called_not_none_keeps_its_name_beside_missing_labels():
    true, predicted = ["a", "not None", None, "a"], ["a", "a", "a", "a"]
    reasons = [x["reason"] for x in gm.evaluate(true, predicted, missing="class", measures=["mcc", "macro(f1)"]).table]
    said = " ".join(x for x in reasons if x)
    assert "'not None'" in said
    assert "'(missing)'" in said
    assert "'not (missing)'" not in said


def test_the_class_of_missing_labels_has_one_name_and_so_has_its_rest():
    true = ["a", "(missing)", None, "a"]
    result = gm.evaluate(true, ["a", "a", "a", "a"], missing="class", measures=["mcc"], classwise=["precision"])
    (row,) = (x for x in result.table if x["class"] == "(missing value)")
    assert row["reason"].startswith("'(missing value)' is never predicted")
    assert result.matrix().vs_rest(None).labels == ("not (missing value)", None)
    assert gm.confusion(["a", "b", None], ["a", "b", "b"], missing="class").vs_rest(None).labels[0] == "not (missing)"


def test_each_value_and_each_baseline_is_computed_once(monkeypatch):
    monkeypatch.delattr("goodmeasure.evaluation.intervals.interval.value_of")  # nothing needs a value again
    made, always = [], scoring.always
    monkeypatch.setattr(scoring, "always", lambda *given: made.append(given) or always(*given))
    true = [0, 1, 2] * 20
    systems = {"A": true[::-1], "B": [0, 1, 1] * 20, "C": true}
    result = gm.evaluate(true, systems, replicates=50)
    assert len(made) == 1
    assert len({tuple(part.constant_values.items()) for part in result.parts}) == 1
    groups = [k // 3 for k in range(60)]
    assert gm.evaluate(true, systems["B"], groups=groups, replicates=50).value("accuracy") == 2 / 3
