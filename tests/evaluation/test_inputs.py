"""What users hand in, with the troubles that real data has: weights of 0, names that collide, labels of every kind."""

from __future__ import annotations

import datetime
import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import goodmeasure as gm


def test_labels_bring_the_classes_of_a_matrix_into_order():
    cm = gm.ConfusionMatrix([[50, 3], [4, 20]], labels=["ham", "spam"])
    ordered = gm.evaluate(cm, labels=["spam", "ham"], measures="recall").matrix()
    assert ordered.labels == ("spam", "ham")
    assert ordered.counts.tolist() == [[20, 4], [3, 50]]
    with pytest.raises(ValueError, match="labels has 'eggs', which is not a class of the matrix"):
        gm.evaluate(cm, labels=["ham", "eggs"])
    with pytest.raises(ValueError, match="labels leaves out the class 'spam'"):
        gm.evaluate(cm, labels=["ham"])


def test_labels_name_the_classes_of_a_matrix_that_has_no_names():
    for counts in ([[50, 3], [4, 20]], gm.ConfusionMatrix([[50, 3], [4, 20]])):
        named = gm.evaluate(counts, labels=["spam", "ham"], measures="recall").matrix()
        assert named.labels == ("spam", "ham")
        assert named.counts.tolist() == [[50, 3], [4, 20]]


def test_two_systems_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two systems are called '1'"):
        gm.evaluate({1: [[1, 0], [0, 1]], "1": [[1, 1], [1, 1]]})


def test_a_slice_whose_weights_are_all_0_is_an_empty_one():
    result = gm.evaluate(
        ["a", "b", "a", "b"], ["a", "b", "b", "b"], sample_weight=[1, 1, 0, 0], by={"site": ["x", "x", "y", "y"]}
    )
    assert result.slices == ("x",)
    assert list(result.counted.empty.values()) == ["every weight is 0"]


def test_weights_that_are_all_0_name_the_argument():
    with pytest.raises(ValueError, match="sample_weight is 0 for every item: give some items a weight"):
        gm.evaluate(["a", "b"], ["a", "b"], sample_weight=[0, 0])


def test_a_class_called_missing_is_not_the_class_of_missing_labels():
    result = gm.evaluate(["(missing)", "a", None, "a"], ["a", "a", "a", None], missing="class")
    classes = list(dict.fromkeys(row["class"] for row in result.table if row["class"] is not None))
    assert classes == ["(missing)", "a", "(missing value)"]
    for format in ("html", "markdown", "latex", "json", "csv"):
        assert getattr(result, f"to_{format}")()


def test_a_slice_called_missing_is_not_the_slice_of_missing_values():
    result = gm.evaluate(
        ["a", "b", "a", "b"], ["a", "b", "b", "b"], by={"site": ["(missing)", "(missing)", None, None]}
    )
    assert result.slices == ("(missing)", "(missing value)")
    assert result.value("accuracy", slice="(missing)") == 1
    assert result.value("accuracy", slice="(missing value)") == 0.5


def test_a_positive_class_beside_missing_labels():
    for true in (["a", "a", None], ["a", "b", None]):
        result = gm.evaluate(true, ["a", "a", "a"], missing="class", positive="a")
        assert result.matrix().labels == ("not a", "a")
        assert result.value("precision") == true.count("a") / 3


def test_missing_labels_are_never_called_none():
    result = gm.evaluate(["a", "b", "a"], ["a", None, "b"], missing="class", measures=["macro(recall)"])
    assert [row["reason"] for row in result.table if row["reason"]]
    assert not any("None" in (row["reason"] or "") for row in result.table)


def test_a_positive_class_is_the_one_of_the_data():
    labels = gm.evaluate([True, False, True], [True, True, False], positive=1).matrix().labels
    assert [type(x) for x in labels] == [bool, bool]


def test_names_of_files_in_a_list_are_files(tmp_path):
    (tmp_path / "a.csv").write_text("label,pred\na,a\nb,a\na,a\n")
    (tmp_path / "b.csv").write_text("label,pred\na,a\n")
    assert gm.evaluate([str(tmp_path / x) for x in ("a.csv", "b.csv")]).counted.rows == 4
    with pytest.raises(TypeError, match="only one list of 2 labels"):
        gm.evaluate(["ham", "spam"])


BIG = 2**53 + 1


@pytest.mark.parametrize(
    ("values", "typed", "meant"),
    [
        ([0, 1, 1], "1", 1),
        ([1.5, 2.0, 2.0], "1.5", 1.5),
        ([True, False, True], "true", True),
        ([BIG, BIG - 1, BIG], str(BIG), BIG),
        (["x", "1", "x"], "1", "1"),
    ],
)
@pytest.mark.parametrize("ending", ["jsonl", "parquet", "arrow"])
def test_typed_labels_are_found_in_files_of_every_kind(tmp_path, values, typed, meant, ending):
    path = tmp_path / f"p.{ending}"
    _write(path, values)
    found = gm.evaluate(path, positive=typed).matrix().labels[1]
    assert found == meant
    assert type(found) is type(meant)
    ordered = list(dict.fromkeys([meant, *values]))
    texts = [str(x).lower() if isinstance(x, bool) else str(x) for x in ordered]
    assert gm.evaluate(path, labels=texts).matrix().labels == tuple(ordered)


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_typed_dates_are_found(tmp_path, ending):
    path = tmp_path / f"p.{ending}"
    days = [datetime.date(2024, 1, 2), datetime.date(2024, 1, 1), datetime.date(2024, 1, 2)]
    _write(path, days)
    assert gm.evaluate(path, positive="2024-01-01").matrix().labels[1] == days[1]


def _write(path, values):
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps({"label": x, "pred": x}) + "\n" for x in [None, *values][1:]))
    else:
        frame = pl.DataFrame({"label": values, "pred": values})
        frame.write_parquet(path) if path.suffix == ".parquet" else frame.write_ipc(path)


def test_counts_near_the_end_of_floats():
    with pytest.raises(ValueError, match="adds up to 2e\\+300: use counts that add up to less"):
        gm.evaluate([[1e300, 3], [4, 1e300]])
    assert gm.evaluate([[1e140, 3], [4, 1e140]]).value("accuracy") == 1


def test_halves_of_surrogate_pairs_are_written(tmp_path):
    result = gm.evaluate(["a\udc80", "b", "b"], ["b", "b", "a\udc80"], positive="b")
    for ending in ("html", "md", "tex", "json", "csv"):
        result.save(tmp_path / f"r.{ending}")
    assert json.loads((tmp_path / "r.json").read_text())["parts"][0]["labels"] == ["a\udc80", "b"]


def test_negative_numbers_stay_numbers_in_csv():
    text = gm.evaluate(["-1", "+1", "-1+2"], ["-1", "+1", "-1+2"]).to_csv()
    assert ",-1," in text
    assert ",'-1+2," in text


@pytest.mark.parametrize("engine", ["arrays", "pandas", "polars", "polars enum", "parquet"])
def test_levels_that_do_not_occur_are_no_classes_in_any_engine(tmp_path, engine):
    levels, true, pred = ["z", "b", "a", "never"], ["a", "b", "z", "a"], ["a", "b", "z", "b"]
    site = ["x", "x", "y", "y"]
    frame = pd.DataFrame({"label": pd.Categorical(true, levels), "pred": pd.Categorical(pred, levels), "site": site})
    if engine == "arrays":
        result = gm.evaluate(frame.label, frame.pred, by={"site": site})
    else:
        data = frame
        if engine == "polars":
            data = pl.DataFrame({"label": true, "pred": pred, "site": site})
        elif engine == "polars enum":
            kind = pl.Enum(levels)
            data = pl.DataFrame(
                {"label": pl.Series(true, dtype=kind), "pred": pl.Series(pred, dtype=kind), "site": site}
            )
        elif engine == "parquet":
            data = tmp_path / "p.parquet"
            frame.to_parquet(data)
        result = gm.evaluate(data, y_true="label", y_pred="pred", by="site")
    assert set(result.matrix().labels) == {"a", "b", "z"}
    assert [set(result.matrix(slice=x).labels) for x in ("x", "y")] == [{"a", "b"}, {"a", "b", "z"}]
    assert np.isclose(result.value("balanced_accuracy"), 5 / 6)
    assert gm.confusion(frame.label, frame.pred).m == 4


def test_typed_labels_are_found_in_arrow_files_without_pyarrow(tmp_path, monkeypatch):
    monkeypatch.setattr("goodmeasure.counts.readers.files.arrow_files._reader", lambda source: "polars")
    _write(tmp_path / "p.arrow", [0, 1, 1])
    assert gm.evaluate(tmp_path / "p.arrow", positive="0").matrix().labels == (1, 0)


@pytest.mark.parametrize("column", [list, tuple, np.array, pd.Series, pl.Series, pa.array], ids=lambda x: x.__name__)
@pytest.mark.parametrize("together", [list, tuple])
@pytest.mark.parametrize("call", [gm.compare, gm.evaluate])
def test_systems_without_names_are_asked_for_as_a_dict(call, together, column):
    """`gm.compare(y, [a, b])` once said that y_pred has 2 labels."""
    true, a = [0, 1, 1, 0], [0, 1, 0, 0]
    with pytest.raises(TypeError, match=r"y_pred is a \w+ of 2 columns: give several systems as a dict, such as {'A'"):
        call(column(true), together([column(a), column(true)]))


def test_tuples_are_labels_where_there_is_one_for_each_item():
    labels = [(0, 1), (1, 0)]
    assert gm.evaluate(labels, labels, measures=["accuracy"]).value("accuracy") == 1


@pytest.mark.parametrize("call", [gm.evaluate, gm.compare, gm.confusion, gm.mcc])
@pytest.mark.parametrize("kind", [np.array, list, pd.DataFrame, pl.DataFrame], ids=lambda x: x.__name__)
def test_several_labels_of_an_item_point_to_multilabel(call, kind):
    y = kind([[1, 0], [0, 1], [1, 1]])
    with pytest.raises(
        (TypeError, ValueError), match=r"items that may have several labels are counted by gm.multilabel"
    ):
        call(y, y)
