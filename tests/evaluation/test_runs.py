"""Runs in files and frames of their own, joined by id, give what one table of all systems gives."""

from __future__ import annotations

import json
import random
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import goodmeasure as gm
from tests.cli.command import call

ITEMS = 60
COLUMNS = {"id": "item", "y_true": "label", "y_pred": "answer"}
BRIEF = {"measures": ["accuracy", "mcc"], "ensemble": False, "replicates": 100}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def table(systems=("A", "B"), seed=0):
    """The labels of some items by all systems, as one table."""
    draw = random.Random(seed)
    rows = {"item": [f"q{k}" for k in range(ITEMS)], "label": [draw.choice("xyz") for _ in range(ITEMS)]}
    for name in systems:
        rows[name] = [t if draw.random() < 0.7 else draw.choice("xyz") for t in rows["label"]]
    rows["site"] = [draw.choice(["de", "fr"]) for _ in range(ITEMS)]
    rows["w"] = [draw.choice([1.0, 2.5]) for _ in range(ITEMS)]
    rows["score"] = [draw.random() for _ in range(ITEMS)]
    return pl.DataFrame(rows)


def run_of(frame, name, seed=1, **renamed):
    """The run of one system, its rows in an order of its own."""
    columns = [pl.col("item"), pl.col("label"), pl.col(name).alias("answer"), "site", "w"]
    return frame.select(columns).rename(renamed).sample(fraction=1, shuffle=True, seed=seed)


def written(frame, path):
    kind = Path(path).suffix
    if kind == ".jsonl":
        frame.write_ndjson(path)
    elif kind == ".parquet":
        frame.write_parquet(path)
    elif kind == ".arrow":
        frame.write_ipc(path)
    else:
        frame.write_csv(path)
    return path


FORMS = {
    **{kind: lambda frame, name, kind=kind: written(frame, f"{name}.{kind}") for kind in ("csv", "jsonl", "parquet")},
    "arrow file": lambda frame, name: written(frame, f"{name}.arrow"),
    "pandas": lambda frame, _: frame.to_pandas(),
    "polars": lambda frame, _: frame,
    "lazy": lambda frame, _: frame.lazy(),
    "arrow": lambda frame, _: frame.to_arrow(),
    "duckdb": lambda frame, _: duckdb.from_arrow(frame.to_arrow()),
}
MIXED = [("csv", "parquet"), ("jsonl", "csv"), ("pandas", "polars"), ("parquet", "pandas"), ("arrow file", "jsonl")]


@pytest.mark.parametrize("forms", [(x, x) for x in FORMS] + MIXED, ids=" and ".join)
def test_runs_of_every_form_are_joined_to_the_table_of_all_systems(forms):
    whole = table()
    runs = {
        name: FORMS[form](run_of(whole, name, seed), name) for seed, name, form in zip((0, 1), "AB", forms, strict=True)
    }
    found = gm.compare(runs, **COLUMNS, by="site", **BRIEF)
    expected = gm.compare(whole, y_true="label", y_pred=["A", "B"], by="site", **BRIEF)
    np.testing.assert_equal(found.scores, expected.scores)
    np.testing.assert_equal(found.differences, expected.differences)
    np.testing.assert_equal(found.slices["de"].scores, expected.slices["de"].scores)
    weighted = gm.compare(runs, **COLUMNS, sample_weight="w", **BRIEF)
    expected = gm.compare(whole, y_true="label", y_pred=["A", "B"], sample_weight="w", **BRIEF)
    assert [x["value"] for x in weighted.scores] == pytest.approx([x["value"] for x in expected.scores])
    alone = gm.evaluate(runs, **COLUMNS, measures="mcc")
    both = gm.evaluate(whole, y_true="label", y_pred=["A", "B"], measures="mcc")
    assert [tuple(x.values()) for x in alone.table] == [tuple(x.values()) for x in both.table]


@settings(max_examples=15, deadline=None)
@example([(0, "x", "x", "x"), (1, "x", "x", "x")], set(), {0})  # the first run lacks an item
@given(
    st.lists(st.tuples(st.integers(0, 8), *(st.sampled_from("xy"),) * 3), min_size=1, max_size=9),
    st.sets(st.integers(0, 8)),
    st.sets(st.integers(0, 8)),
)
def test_files_and_frames_agree_on_any_runs(rows, only_a, only_b):
    """The same answer, or an error of the same words, whether DuckDB or Polars joins."""
    known = {"item": pl.Int64, "label": pl.String, "answer": pl.String}
    runs = {
        "A": pl.DataFrame([(k, t, a) for k, t, a, _ in rows if k not in only_b], schema=known, orient="row"),
        "B": pl.DataFrame([(k, t, b) for k, t, _, b in rows if k not in only_a], schema=known, orient="row"),
    }
    files = {name: written(frame, f"{name}.parquet") for name, frame in runs.items()}

    def outcome(data, missing):
        try:
            counted = gm.evaluate(data, **COLUMNS, measures="accuracy", confidence=None, missing=missing).counted
        except gm.InputError as error:
            return str(error).replace("A.parquet and B.parquet", "the run 'A'")
        return {key: sample.matrix.counts.tolist() for key, sample in counted.samples.items()}

    for missing in ("error", "drop", "class"):
        one, other = outcome(runs, missing), outcome(files, missing)
        if not (isinstance(one, str) and isinstance(other, str) and "no rows" in one + other):
            assert one == other


def test_three_runs_with_columns_of_their_own():
    whole = table("ABC")
    runs = {name: written(run_of(whole, name, k, answer=f"said{k}"), f"{name}.csv") for k, name in enumerate("ABC")}
    columns = {"A": "said0", "B": "said1", "C": "said2"}
    found = gm.compare(runs, id="item", y_true="label", y_pred=columns, **BRIEF)
    expected = gm.compare(whole, y_true="label", y_pred=["A", "B", "C"], **BRIEF)
    np.testing.assert_equal(found.scores, expected.scores)
    frames = {name: pl.read_csv(path) for name, path in runs.items()}
    joined = gm.compare(frames, id="item", y_true="label", y_pred=columns, **BRIEF)
    np.testing.assert_equal(joined.scores, expected.scores)


def test_true_labels_of_one_run_are_enough():
    whole = table()
    runs = {"A": run_of(whole, "A"), "B": run_of(whole, "B").select("item", "answer")}
    expected = gm.compare(whole, y_true="label", y_pred=["A", "B"], **BRIEF)
    np.testing.assert_equal(gm.compare(runs, **COLUMNS, **BRIEF).scores, expected.scores)
    files = {name: written(frame, f"{name}.csv") for name, frame in runs.items()}
    np.testing.assert_equal(gm.compare(files, **COLUMNS, **BRIEF).scores, expected.scores)


def test_scores_of_runs_are_joined():
    whole = table().with_columns(pl.col("label").eq("x").alias("label"))
    run = whole.select("item", "label", "score").reverse()
    other = whole.select("item", "label", (1 - pl.col("score") ** 2).alias("score"))
    both = whole.select("label", A="score", B=1 - pl.col("score") ** 2)
    expected = gm.compare(both, y_true="label", y_score=["A", "B"], measures="roc_auc")
    for runs in ({"A": run, "B": other}, {"A": written(run, "A.parquet"), "B": written(other, "B.parquet")}):
        found = gm.compare(runs, id="item", y_true="label", y_score="score", measures="roc_auc")
        assert [x["value"] for x in found.scores] == pytest.approx([x["value"] for x in expected.scores])


WAYS = ("csv", "jsonl", "parquet", "polars", "pandas")


def broken(form, change_a=None, change_b=None, **options):
    """The error of two runs of which one or both were changed."""
    whole = table()
    a, b = run_of(whole, "A"), run_of(whole, "B", 2)
    runs = {"A": change_a(a) if change_a else a, "B": change_b(b) if change_b else b}
    forms = {name: FORMS[form](frame, name) for name, frame in runs.items()}
    with pytest.raises((gm.InputError, gm.InputTypeError)) as raised:
        gm.compare(forms, **{**COLUMNS, **options}, **BRIEF)
    return str(raised.value)


@pytest.mark.parametrize("form", WAYS)
def test_what_cannot_be_joined_is_refused_with_examples(form):
    few = pl.col("item").is_in(["q1", "q7"])
    assert broken(form, change_b=lambda x: x.filter(~few)) == (
        "the runs do not have the same items: 'B' lacks 2 of 60 items ('q1', 'q7'): leave such items out with "
        "missing='drop', or count a missing answer as a class with missing='class'"
    )
    both = broken(form, lambda x: x.filter(pl.col("item") != "q5"), lambda x: x.filter(~few))
    assert "'A' lacks 1 of 60 items ('q5') and 'B' lacks 2 of 60 items ('q1', 'q7')" in both
    assert "in the run 'A', 2 values of 'item' occur more than once in 62 rows ('q1' 2 times, 'q7' 2 times)" in broken(
        form, lambda x: pl.concat([x, x.filter(few)])
    )
    assert "in the run 'A', 2 values of 'site' occur more than once" in broken(form, id="site")
    assert "the run 'B' has no 'item' in 2 of 60 rows" in broken(
        form, change_b=lambda x: x.with_columns(pl.when(~few).then("item").alias("item"))
    )
    changed = broken(
        form, change_b=lambda x: x.with_columns(pl.when(few).then(pl.lit("?")).otherwise("label").alias("label"))
    )
    true = dict(table().select("item", "label").iter_rows())["q1"]
    assert f"'label' differs between the runs 'A' and 'B' for 2 items ('q1': {true!r} and '?', " in changed
    assert "no item is in all runs" in broken(
        form, change_b=lambda x: x.with_columns(item="z" + pl.col("item")), missing="drop"
    )
    assert "has no column 'label'" in broken(form, *[lambda x: x.drop("label")] * 2)
    assert "has no column 'guess'" in broken(form, y_pred="guess")


def test_items_of_one_run_are_never_counted_twice_when_they_are_dropped():
    """An id that occurs twice in one run, and not at all in the other, is refused as well."""
    twice = {"change_a": lambda x: pl.concat([x, x.filter(pl.col("item") == "q1")]),
             "change_b": lambda x: x.filter(pl.col("item") != "q1")}  # fmt: skip
    for form in WAYS:
        assert "1 value of 'item' occurs more than once" in broken(form, **twice, missing="drop")


def test_ids_that_are_numbers_and_text_are_the_same_only_where_nothing_has_a_type():
    whole = table().with_columns(item=pl.int_range(pl.len()))
    text = whole.with_columns(pl.col("item").cast(pl.String))
    for form in ("parquet", "polars", "pandas"):
        forms = {"A": FORMS[form](run_of(whole, "A"), "A"), "B": FORMS[form](run_of(text, "B"), "B")}
        with pytest.raises(gm.InputTypeError, match=r"'item' is .* in the run 'A' and .* in 'B'"):
            gm.compare(forms, **COLUMNS, **BRIEF)
    forms = {"A": written(run_of(whole, "A"), "A.jsonl"), "B": written(run_of(text, "B"), "B.jsonl")}
    assert gm.compare(forms, **COLUMNS, **BRIEF).items == ITEMS
    forms["B"] = written(run_of(whole, "B"), "B.parquet")
    assert gm.compare(forms, **COLUMNS, **BRIEF).items == ITEMS


def test_true_labels_written_differently_in_text_are_the_same():
    Path("a.csv").write_text("item,label,answer\n1,0,0\n2,1,1\n")
    Path("b.csv").write_text("item,label,answer\n2,1.0,1\n1,0.0,1\n")
    assert gm.compare({"A": "a.csv", "B": "b.csv"}, **COLUMNS, **BRIEF).items == 2


@pytest.mark.parametrize("form", WAYS)
def test_missing_items_are_dropped_or_a_class_and_counted(form):
    whole = table()
    few = pl.col("item").is_in(["q1", "q7"])
    runs = {"A": run_of(whole, "A"), "B": run_of(whole, "B").filter(~few)}
    forms = {name: FORMS[form](frame, name) for name, frame in runs.items()}
    dropped = gm.compare(forms, **COLUMNS, missing="drop", **BRIEF)
    expected = gm.compare(whole.filter(~few), y_true="label", y_pred=["A", "B"], **BRIEF)
    np.testing.assert_equal(dropped.scores, expected.scores)
    assert dropped.notes[0] == "The run 'B' lacks 2 of 60 items ('q1', 'q7')."
    kept = gm.evaluate(forms, **COLUMNS, missing="class", measures="accuracy")
    assert kept.counted.samples["B", None].matrix.n == ITEMS
    assert kept.warnings[0].text.endswith("('q1', 'q7'), which count as a class of their own.")


def test_an_id_that_joins_everything_to_everything_ends_at_once():
    """A constant id would make 1e10 rows; the join ends as soon as it has more rows than both runs."""
    one = pl.DataFrame({"item": ["same"] * 100_000, "label": ["x"] * 100_000, "answer": ["x"] * 100_000})
    files = {name: written(one, f"{name}.parquet") for name in "AB"}
    with pytest.raises(gm.InputError, match="1 value of 'item' occurs more than once in 100,000 rows"):
        gm.compare(files, **COLUMNS)


def test_runs_say_how_to_reproduce_them():
    whole = table()
    files = {name: written(run_of(whole, name), f"{name}.csv") for name in "AB"}
    page = gm.evaluate(files, **COLUMNS, measures="mcc").to_markdown()
    command = "goodmeasure evaluate A=A.csv B=B.csv --id item --true label --pred answer"
    assert command in page
    assert "gm.evaluate({'A': 'A.csv', 'B': 'B.csv'}, id='item', y_true='label', y_pred='answer'" in page
    source = gm.compare(files, **COLUMNS, **BRIEF).source
    again = source.command(("mcc",), {}, "compare").split()[1:]
    assert call(*again, "--json").exit_code == 0


def test_the_command_joins_named_files():
    whole = table()
    for name in "AB":
        written(run_of(whole, name), f"{name}.jsonl")
    done = call(
        "compare", "one=A.jsonl", "two=B.jsonl", "--id", "item", "--true", "label", "--pred", "answer", "--json"
    )
    assert done.exit_code == 0
    assert {x["system"] for x in json.loads(done.stdout)["scores"]} == {"one", "two"}
    done = call("evaluate", "one=A.jsonl", "two=B.jsonl", "--id", "item", "--no-report", "--pred", "two=answer",
                "--pred", "one=answer")  # fmt: skip
    assert "runs joined by 'item'" in done.stdout
    assert "one" in done.stdout
    by_stem = call("compare", "A.jsonl", "B.jsonl", "--id", "item", "--pred", "answer", "--json")
    assert {x["system"] for x in json.loads(by_stem.stdout)["scores"]} == {"A", "B"}


def test_two_files_without_names_show_both_ways_to_say_it():
    whole = table()
    for name in "AB":
        written(run_of(whole, name), f"{name}.csv")
    said = call("compare", "A.csv", "B.csv", "--pred", "answer").stderr
    assert "A=A.csv B=B.csv --id COLUMN" in said
    assert "--pool" in said
    with pytest.raises(gm.InputError, match=r"\{'A': 'A.csv', 'B': 'B.csv'\} with id='…'.*pool=True"):
        gm.compare(["A.csv", "B.csv"], y_true="label", y_pred="answer")


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_two_files_about_the_same_items_are_never_pooled_silently(kind):
    """Also where one of them lacks an item, so that they have different numbers of rows."""
    whole = table()
    paths = [written(run_of(whole, "A"), f"A.{kind}"), written(run_of(whole, "B")[1:], f"B.{kind}")]
    with pytest.raises(gm.InputError, match=r"the same columns and values of 'item' in common.*id='…'.*pool=True"):
        gm.evaluate(paths, y_true="label", y_pred="answer")
    assert gm.evaluate(paths, y_true="label", y_pred="answer", pool=True, measures="mcc").counted.rows == 2 * ITEMS - 1
    parts = [written(whole[:20], f"part1.{kind}"), written(whole[20:], f"part2.{kind}")]
    assert gm.evaluate(parts, y_true="label", y_pred="A", measures="mcc").counted.rows == ITEMS


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["A=A.csv", "B=B.csv"], "--id is not given, and there are 2 runs: name the column"),
        (["A=A.csv", "B.csv", "--id", "item"], "B.csv has no name, and other files have one"),
        (["A=A.csv", "B=nowhere.csv", "--id", "item"], "there is no file nowhere.csv"),
        (["A=A.csv", "B=B.csv", "--id", "item", "--count", "w"], "--count cannot be combined with runs"),
        (["label=A.csv", "B=B.csv", "--id", "item", "--pred", "answer"], "a system is called 'label'"),
        (["A=A.csv", "B=B.csv", "--id", "item", "--pred", "site", "--pred", "answer"], "--pred names 2 columns"),
        (["A=A.csv", "B=A.csv", "--id", "nothing", "--pred", "answer"], "has no column 'nothing'"),
    ],
)
def test_commands_that_cannot_be_understood_say_what_to_type(arguments, said):
    whole = table()
    for name in "AB":
        written(run_of(whole, name), f"{name}.csv")
    done = call("compare", *arguments)
    assert done.exit_code == 2
    assert said in done.stderr


def test_data_frames_by_system_ask_for_an_id():
    frames = {name: run_of(table(), name) for name in ("A", "B")}
    with pytest.raises(gm.InputTypeError, match="column of the items' ids with id="):
        gm.compare(frames)


def test_a_single_run_needs_no_id():
    whole = table()
    path = written(run_of(whole, "A"), "A.csv")
    for data in ({"mine": path}, {"mine": pd.read_csv(path)}):
        found = gm.evaluate(data, y_true="label", y_pred="answer", measures="accuracy")
        assert found.counted.rows == ITEMS


def test_an_id_of_one_table_must_stand_for_one_row():
    one = table().to_pandas()
    assert gm.evaluate(one, y_true="label", y_pred="A", id="item").counted.rows == ITEMS
    with pytest.raises(gm.InputError, match="1 values of id occur more than once"):
        gm.evaluate(pd.concat([one, one.iloc[:1]]), y_true="label", y_pred="A", id="item")


def test_a_file_whose_name_has_an_equals_sign_is_a_file():
    written(run_of(table(), "A"), "year=2020.csv")
    assert call("evaluate", "year=2020.csv", "--no-report", "--pred", "answer").exit_code == 0
