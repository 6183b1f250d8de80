"""A row that stands for many items gives what the listed items give, whichever way the table comes."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodmeasure as gm
from tests.cli.command import call

ENGINES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy": lambda columns: pl.DataFrame(columns).lazy(),
    "arrow": lambda columns: pl.DataFrame(columns).to_arrow(),
    "duckdb": lambda columns: _relation(pl.DataFrame(columns).to_arrow()),
}
ROWS = st.lists(
    st.tuples(*(st.sampled_from("abc"),) * 3, st.sampled_from(["x", "y"]), st.integers(0, 4), st.integers(0, 3)),
    min_size=1,
    max_size=12,
).filter(lambda rows: any(row[4] for row in rows) and any(row[4] * row[5] for row in rows))
NAMES = ("label", "A", "B", "site", "n", "w")


def _relation(arrow):
    return duckdb.from_arrow(arrow)


def columns_of(rows):
    return {name: list(column) for name, column in zip(NAMES, zip(*rows, strict=True), strict=True)}


def listed(rows):
    return columns_of([row for row in rows for _ in range(row[4])])


def values(result):
    return [tuple(row.values()) for row in result.table]


@pytest.mark.parametrize("engine", ENGINES)
@settings(max_examples=5, deadline=None)
@given(rows=ROWS, weight=st.sampled_from([None, "w"]), by=st.sampled_from([None, "site"]))
def test_every_engine_counts_rows_as_if_their_items_were_listed(engine, rows, weight, by):
    asked = {"y_true": "label", "y_pred": ["A", "B"], "sample_weight": weight, "by": by, "measures": ["accuracy"]}
    asked["groups"] = "site" if by is None else None
    short = gm.evaluate(ENGINES[engine](columns_of(rows)), **asked, count="n")
    full = gm.evaluate(pd.DataFrame(listed(rows)), **asked)
    assert short.counted.rows == full.counted.rows
    for key, sample in full.counted.samples.items():
        mine = short.counted.samples[key]
        assert np.array_equal(mine.matrix.counts, sample.matrix.counts)
        for name in ("items", "squares"):
            one, other = getattr(mine, name), getattr(sample, name)
            assert (one is None) == (other is None)
            assert one is None or np.allclose(one, other)
    np.testing.assert_equal(values(short), values(full))


@settings(max_examples=5, deadline=None)
@given(rows=ROWS)
def test_arrays_and_comparisons_count_rows_as_if_their_items_were_listed(rows):
    short, full = columns_of(rows), listed(rows)
    options = {"measures": ["accuracy", "macro(f1)"], "replicates": 50}
    one = gm.compare(short["label"], {"A": short["A"], "B": short["B"]}, count=short["n"], **options)
    other = gm.compare(full["label"], {"A": full["A"], "B": full["B"]}, **options)
    np.testing.assert_equal(one.scores, other.scores)
    frame = gm.compare(pd.DataFrame(short), y_true="label", y_pred=["A", "B"], count="n", **options)
    np.testing.assert_equal(frame.scores, other.scores)
    assert one.items == other.items == sum(short["n"])


def test_counts_and_weights_give_different_intervals():
    """Ten items are more evidence than one item that weighs ten."""
    data = {"label": [0, 0, 1, 1], "A": [0, 1, 0, 1], "n": [50, 5, 8, 40]}
    short = gm.evaluate(pd.DataFrame(data), y_true="label", y_pred="A", measures="accuracy", count="n")
    weighted = gm.evaluate(pd.DataFrame(data), y_true="label", y_pred="A", measures="accuracy", sample_weight="n")
    of_matrix = gm.evaluate(gm.ConfusionMatrix([[50, 5], [8, 40]]), measures="accuracy")
    (a,), (b,), (c,) = ([x for x in r.table if x["class"] is None] for r in (short, weighted, of_matrix))
    assert (a["low"], a["high"]) == (c["low"], c["high"])
    assert a["value"] == b["value"]
    assert b["high"] - b["low"] > 2 * (a["high"] - a["low"])


def test_scores_of_rows_are_repeated_for_their_items():
    true, score, count = ["a", "b", "b", "a"], [0.1, 0.8, 0.4, 0.6], [3, 2, 0, 1]
    full = [(t, s) for t, s, n in zip(true, score, count, strict=True) for _ in range(n)]
    frame = pd.DataFrame({"label": true, "score": score, "n": count})
    expected = gm.evaluate([t for t, _ in full], y_score=[s for _, s in full], measures=["roc_auc", "accuracy"])
    for found in (
        gm.evaluate(true, y_score=score, count=count, measures=["roc_auc", "accuracy"]),
        gm.evaluate(frame, y_true="label", y_score="score", count="n", measures=["roc_auc", "accuracy"]),
    ):
        assert [x["value"] for x in found.table] == [x["value"] for x in expected.table]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("counts", "match"),
    [
        ([1, -2], r"missing, negative or not whole in 1 of 2 rows \(one is -2\)"),
        ([1.0, 2.5], r"missing, negative or not whole in 1 of 2 rows \(one is 2.5\).*weights"),
        ([1, None], r"missing, negative or not whole in 1 of 2 rows \(one is missing\)"),
        ([0, 0], "count column 'n' is 0 in every row"),
        ([2**53, 2**53], "adds up to 1.8e\\+16 items: expected fewer than 2\\^53"),
        ([2**53 + 1, 1], "adds up to 9.01e\\+15 items: expected fewer than 2\\^53"),
        (["1", "2"], "count column 'n' holds .* values: expected numbers"),
    ],
    ids=["negative", "fraction", "missing", "zero", "huge", "beyond floats", "text"],
)
def test_what_is_no_count_is_refused(engine, counts, match):
    frame = ENGINES[engine]({"label": ["a", "b"], "A": ["a", "b"], "n": counts})
    with pytest.raises((ValueError, TypeError), match=match):
        gm.evaluate(frame, y_true="label", y_pred="A", count="n")


@pytest.mark.parametrize("engine", ENGINES)
def test_whole_weights_beyond_floats_are_rounded(engine):
    frame = ENGINES[engine]({"label": ["a", "b"], "A": ["a", "b"], "n": [2**53 + 1, 1]})
    assert gm.evaluate(frame, y_true="label", y_pred="A", sample_weight="n").matrix().n == 2**53 + 1.0


@pytest.mark.parametrize("counts", [[1, -2], [1, 2.5], [1, float("nan")], [0, 0], ["1", "2"], [1], [[1], [2]]])
def test_what_is_no_count_of_arrays_is_refused(counts):
    with pytest.raises((gm.InputError, gm.InputTypeError), match=r"^count "):
        gm.evaluate([0, 1], [0, 1], count=counts)


def test_a_matrix_has_no_counts_beside_it():
    with pytest.raises(gm.InputTypeError, match="count needs labels"):
        gm.evaluate(gm.ConfusionMatrix([[1, 2], [3, 4]]), count=[1, 2])


TABLE = "true,predicted,count\nham,ham,50\nham,spam,3\nspam,ham,4\nspam,spam,20\n"


def test_a_table_of_counts_is_recognised_and_never_assumed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_text(TABLE)
    said = call("evaluate", "table.csv", "--no-report")
    assert said.exit_code == 0
    assert "--count count" in said.output
    assert "4" in said.output
    counted = json.loads(call("evaluate", "table.csv", "--count", "count", "--json").output)
    assert counted["parts"][0]["counts"] == [[50, 3], [4, 20]]
    assert not [x for x in counted["warnings"] if "--count" in x["text"]]
    assert counted["source"]["count"] == "count"


def test_the_report_of_counts_says_how_to_reproduce_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_text(TABLE)
    result = gm.evaluate("table.csv", y_true="true", y_pred="predicted", count="count")
    page = result.to_markdown()
    assert "--count count" in page
    assert "count='count'" in page
    assert "'count' says how many items a row stands for" in page


def test_a_count_that_is_no_number_names_its_line(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TABLE.replace("20", "many"))
    with pytest.raises(ValueError, match="count column 'count' has 'many' in line 5"):
        gm.evaluate(path, y_true="true", y_pred="predicted", count="count")


def offers(columns, **options):
    """Whether the result offers to read a column as counts."""
    result = gm.evaluate(pd.DataFrame(columns), y_true="label", y_pred="A", measures="accuracy", **options)
    return any("count=" in x.text for x in result.warnings)


def test_only_a_table_with_a_row_for_each_cell_is_offered_as_counts():
    labels = {"label": ["a", "a", "b", "b"], "A": ["a", "b", "a", "b"]}
    assert offers({**labels, "Freq": [10, 2, 3, 9]})
    assert offers({**labels, "n": [10, 2, 3, 9]}, sample_weight="n")
    assert not offers({**labels, "Freq": [10, 2, 3, 9]}, count="Freq")
    assert not offers({**labels, "Freq": [0.5, 2, 3, 9]})
    assert not offers({**labels, "Freq": [1, 1, 1, 1]})
    assert not offers({**labels, "length": [10, 2, 3, 9]})
    assert not offers({"label": ["a", "a", "b", "b"], "A": ["a", "a", "a", "b"], "n": [10, 2, 3, 9]})


def test_a_comparison_offers_counts_too(tmp_path):
    path = tmp_path / "table.csv"
    with path.open("w", newline="") as out:
        csv.writer(out).writerows([("label", "pred_a", "pred_b", "n"), (0, 0, 1, 9), (1, 1, 1, 5), (0, 1, 1, 4)])
    assert any("count='n'" in x for x in gm.compare(path, measures="accuracy").notes)
    assert gm.compare(path, measures="accuracy", count="n").items == 18
