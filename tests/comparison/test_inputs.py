"""What `compare` takes: labels, frames and files, missing and odd labels, and what it refuses."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import goodmeasure as gm
from tests.comparison.test_compare import MEASURES, data


def frames(tmp_path):
    import duckdb

    true, systems = data(n=120)
    names = np.array(["cat", "dog", "eel"])
    columns = {"label": names[true].tolist(), **{k: names[v].tolist() for k, v in systems.items()}}
    columns |= {"w": [1.0 + (k % 3) for k in range(120)], "site": ["x" if k % 2 else "y" for k in range(120)]}
    pandas = pd.DataFrame(columns)
    pandas.to_csv(tmp_path / "t.csv", index=False)
    pandas.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    pl.DataFrame(columns).write_parquet(tmp_path / "t.parquet")
    return columns, {
        "pandas": pandas, "polars": pl.DataFrame(columns), "lazy": pl.LazyFrame(columns), "arrow": pa.table(columns),
        "duckdb": duckdb.from_df(pandas), "csv": tmp_path / "t.csv", "parquet": str(tmp_path / "t.parquet"),
        "jsonl": tmp_path / "t.jsonl",
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["pandas", "polars", "lazy", "arrow", "duckdb", "csv", "parquet", "jsonl"])
@pytest.mark.parametrize("many", [False, True])
def test_frames_and_files_say_what_labels_say(tmp_path, monkeypatch, kind, many):
    """Also where patterns are too many to be counted where the data is."""
    from goodmeasure.counts.readers import duckdb_engine, engines

    if many:
        monkeypatch.setattr(engines, "MOST_PATTERNS", 3)
        monkeypatch.setattr(duckdb_engine, "MOST_PATTERNS", 3)
    columns, tables = frames(tmp_path)
    options = {"measures": ["mcc"], "method": "normal", "replicates": 100}
    found = gm.compare(
        tables[kind], y_true="label", y_pred=["A", "B", "C"], sample_weight="w", by="site", **options
    )  # fmt: skip
    expected = gm.compare(
        columns["label"], {x: columns[x] for x in "ABC"}, sample_weight=columns["w"], by={"site": columns["site"]},
        **options,
    )  # fmt: skip
    for name in ("differences", "scores"):
        for one, two in zip(found.all_rows(name), expected.all_rows(name), strict=True):
            for key in one:
                if isinstance(one[key], float):
                    assert one[key] == pytest.approx(two[key], abs=1e-9, nan_ok=True)
                else:
                    assert one[key] == two[key]
    assert set(found.slices) == {"x", "y"}


def test_one_system_only_has_scores_and_a_note():
    true, systems = data()
    found = gm.compare(true, {"A": systems["A"]}, measures=MEASURES)
    assert found.differences == ()
    assert found.winners["mcc"] == ("A",)
    assert any("only one system" in x for x in found.notes)
    assert "one system" in str(found)


def test_a_system_with_missing_predictions_is_refused_or_its_items_are_left_out_for_all():
    true, systems = data(n=30)
    holes = [None if k % 10 == 0 else int(x) for k, x in enumerate(systems["B"])]
    with pytest.raises(ValueError, match=r"y_pred\['B'\]\[0\] is None.*missing='drop'"):
        gm.compare(true, {**systems, "B": holes})
    found = gm.compare(true, {**systems, "B": holes}, missing="drop", measures=MEASURES, replicates=100)
    kept = np.arange(30) % 10 != 0
    assert found.items == 27
    assert found.score("A", "mcc")["value"] == pytest.approx(gm.mcc(true[kept], systems["A"][kept]))
    assert any("3 items are left out" in x for x in found.notes)
    as_class = gm.compare(true.tolist(), {**systems, "B": holes}, missing="class", measures=MEASURES, replicates=100)
    assert as_class.labels[-1] is None


def test_a_class_that_one_system_never_says_is_fine():
    true, systems = data()
    found = gm.compare(true, {"A": systems["A"], "never": np.where(systems["B"] == 2, 0, systems["B"])})
    assert all(not math.isnan(row["p"]) for row in found.differences)
    assert not any("never a true class" in x for x in found.notes)


def test_a_class_that_only_one_system_says_is_told():
    found = gm.compare([0, 1, 0, 1], {"A": [0, 1, 1, 1], "B": [0, 2, 0, 1]}, measures=["mcc", "macro(f1)"])
    assert any("class 2 has no true items, and only B predicts it" in x for x in found.notes)
    assert found.score("A", "mcc")["value"] == pytest.approx(gm.mcc([0, 1, 0, 1], [0, 1, 1, 1]))


@pytest.mark.parametrize("kind", ["pandas", "polars", "lazy", "arrow"])
def test_categories_that_do_not_occur_are_no_classes(kind):
    """As in evaluate: only where costs go by the classes' places they keep theirs."""
    names = ["a", "b", "c", "unused"]
    columns = {"label": list("ababac"), "A": list("abbbac"), "B": list("aaabaa")}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.Enum(names)))
    tables = {"polars": frame, "lazy": frame.lazy(), "arrow": frame.to_arrow()}
    tables["pandas"] = pd.DataFrame({x: pd.Categorical(y, categories=names) for x, y in columns.items()})
    options = {"y_true": "label", "y_pred": ["A", "B"]}
    found = gm.compare(tables[kind], measures=["macro(f1)"], replicates=50, **options)
    assert found.labels == ("a", "b", "c")
    assert found.score("A", "macro(f1)")["value"] == gm.evaluate(columns["label"], columns["A"]).value("macro(f1)")
    ordered = gm.compare(tables[kind], measures=["k_ordinal('squared')"], replicates=50, **options)
    expected = gm.evaluate(tables[kind], measures=["k_ordinal('squared')"], **options)
    for system in "AB":
        value = ordered.score(system, "k_ordinal('squared')")["value"]
        assert value == pytest.approx(expected.value("k_ordinal('squared')", system))


def test_one_class_only_has_no_intervals_as_in_evaluate():
    found = gm.compare(["a"] * 3, {"A": ["a"] * 3, "B": ["a"] * 3}, measures=["accuracy"])
    assert math.isnan(found.score("A", "accuracy")["low"])
    assert found.difference("A", "B", "accuracy")["p"] == 1


@pytest.mark.parametrize("function", [gm.compare, gm.evaluate])
def test_no_system_is_lost_to_another_of_the_same_name(function):
    with pytest.raises(ValueError, match="two systems are called '1': give each a name of its own"):
        function([1, 0], {1: [1, 0], "1": [0, 0]})


def test_one_item_tells_nothing_apart():
    found = gm.compare([1], {"A": [1], "B": [0]}, measures=["accuracy", "mcc"])
    row = found.difference("A", "B", "accuracy")
    assert row["difference"] == 1
    assert row["p"] == 0.5
    assert math.isnan(row["low"])
    assert found.winners["accuracy"] == ("A", "B")
    assert any("only one item" in x for x in found.notes)


def test_weights_that_are_all_zero_are_refused():
    with pytest.raises(ValueError, match="sample_weight is 0 for every item"):
        gm.compare([0, 1], {"A": [0, 1], "B": [1, 1]}, sample_weight=[0, 0])


def test_undefined_values_have_no_test_and_no_rank():
    found = gm.compare(
        [1, 1, 1, 0], {"A": [1, 1, 0, 0], "B": [0, 0, 0, 0]}, measures=["precision"], undefined="nan", replicates=50
    )
    row = found.differences[0]
    assert math.isnan(row["p"])
    assert "undefined" in row["method"]
    assert found.ranks["precision"] == {"A": 1, "B": None}
    assert found.winners["precision"] == ("A",)
    json.loads(found.to_json())


def test_matrices_are_refused_with_the_reason():
    with pytest.raises(TypeError, match="which items two systems get wrong together"):
        gm.compare({"A": [[1, 0], [0, 1]], "B": [[1, 0], [1, 0]]})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"pairs": "Z"}, "pairs is 'Z'"),
        ({"method": "magic"}, "method is 'magic'"),
        ({"confidence": 2}, "confidence is 2"),
        ({"ensemble": ["f1"]}, "not among measures"),
        ({"positive": 7}, "positive is 7"),
        ({"replicates": 1}, "replicates is 1"),
    ],
)
def test_what_cannot_be_meant_is_refused(options, said):
    true, systems = data(n=20)
    with pytest.raises((ValueError, TypeError), match=said):
        gm.compare(true, systems, measures=["mcc"], **options)


def test_lengths_that_differ_are_refused():
    with pytest.raises(ValueError, match="length"):
        gm.compare([0, 1, 1], {"A": [0, 1, 1], "B": [0, 1]})


def test_systems_may_have_any_names():
    found = gm.compare([1, 0, 1], {1: [1, 1, 1], "<b>|x": [0, 0, 1]}, measures=["mcc"], replicates=50)
    assert found.systems == ("1", "<b>|x")
    assert "&lt;b&gt;\\|x" in found.to_markdown()


@pytest.mark.parametrize("function", [gm.compare, gm.evaluate])
@pytest.mark.parametrize("column", [list, np.array])
def test_several_systems_in_a_list_are_told_to_come_by_name(function, column):
    with pytest.raises(TypeError, match=r"y_pred is a list of 2 columns: give several systems as a dict"):
        function([0, 1, 1], [column([0, 1, 0]), column([1, 1, 1])])


@pytest.mark.parametrize("method", ["auto", "normal", "bootstrap", "permutation"])
def test_items_of_weight_zero_in_groups_are_as_if_they_were_not_there(method):
    true, systems = data(n=60)
    weights, groups = np.arange(60) % 3 / 2, np.arange(60) // 6
    held = weights > 0
    given = {"measures": MEASURES, "replicates": 100, "method": method}
    found = gm.compare(true, systems, sample_weight=weights, groups=groups, **given)
    less = {name: x[held] for name, x in systems.items()}
    without = gm.compare(true[held], less, sample_weight=weights[held], groups=groups[held], **given)
    for one, other in zip(found.differences, without.differences, strict=True):
        assert one["difference"] == pytest.approx(other["difference"])
        if method == "normal":
            assert (one["low"], one["high"], one["p"]) == pytest.approx((other["low"], other["high"], other["p"]))


def test_labels_that_can_be_read_once_only_are_kept():
    found = gm.compare(iter([0, 1, 1]), {"A": iter([0, 1, 0]), "B": [0, 0, 0]}, measures=["accuracy"], replicates=50)
    assert [row["value"] for row in found.scores] == pytest.approx([2 / 3, 1 / 3])
