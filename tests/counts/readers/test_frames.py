"""The same table through every engine gives the counts that `confusion` gives for the same rows."""

from __future__ import annotations

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.counts.readers import engines
from goodmeasure.counts.readers.arrays import rows_of_arrays
from goodmeasure.counts.readers.columns import WantedColumns
from goodmeasure.counts.readers.frames import count_frame
from goodmeasure.counts.sample import Slice
from tests.counts.tables_of_labels import ENGINES, LEVELS, POOLS, Table, group_cells, reference_column, subset, tables

MISSING = st.sampled_from(["error", "class", "drop"])


def outcome(work):
    """A result, or the kind of error."""
    try:
        return work()
    except (ValueError, TypeError) as error:
        return "TypeError" if isinstance(error, TypeError) else "ValueError"


def matrix_of_lists(true, pred, weights, **options):
    """The matrix of two lists without weights; an error where all items that count have weight 0, as for tables."""
    if weights is not None and not gm.confusion(true, pred, sample_weight=weights, **options).n > 0:
        raise ValueError("every weight is 0")
    return gm.confusion(true, pred, **options)


def assert_same_matrix(found, expected):
    """Classes, their order, counts and their type, what was left out."""
    assert found.labels == expected.labels
    assert [type(x) for x in found.labels] == [type(x) for x in expected.labels]
    assert found.counts.dtype == expected.counts.dtype
    np.testing.assert_allclose(found.counts, expected.counts, rtol=1e-12)
    assert found.dropped == expected.dropped


def assert_like_confusion(table, counted, system, missing, labels=None, weighted=False, grouped=False):
    """Every sample of a system is what its rows alone give."""
    y, pred = reference_column(table, "y"), reference_column(table, system)
    rows = len(table.columns["y"])
    for (name, piece), sample in counted.samples.items():
        if name != system:
            continue
        where = list(range(rows))
        if piece is not None:
            where = [k for k in where if table.columns["site"][k] == dict(piece)["site"]]
        alone = rows_of_arrays(
            subset(y, where), {"A": subset(pred, where)},
            sample_weight=[table.columns["w"][k] for k in where] if weighted else None,
            groups=[table.columns["g"][k] for k in where] if grouped else None,
        ).sample("A", labels, missing)  # fmt: skip
        weights = [table.columns["w"][k] for k in where] if weighted else None
        try:
            plain = gm.confusion(
                subset(y, where), subset(pred, where), labels=labels, missing=missing, sample_weight=weights
            )
        except gm.InputError as refusal:  # a slice may look like scores where the whole does not
            if piece is None or "looks like scores" not in str(refusal):
                raise
            plain = alone.matrix
        assert_same_matrix(sample.matrix, plain)
        assert_same_matrix(alone.matrix, plain)
        assert (sample.items is None) == (not weighted)
        if weighted:
            assert sample.items.tolist() == alone.items.tolist()
            np.testing.assert_allclose(sample.squares, alone.squares, rtol=1e-12)
        assert (sample.groups is None) == (not grouped)
        if grouped:
            assert sample.groups.size == alone.groups.size
            assert group_cells(sample.groups, plain.labels) == group_cells(alone.groups, plain.labels)


CHOICES = (tables(), MISSING, st.booleans(), st.booleans(), st.booleans(), st.booleans())


@pytest.mark.parametrize("engine", ENGINES)
@given(*CHOICES)
def test_every_engine_counts_like_confusion(engine, table, missing, weighted, sliced, grouped, named):
    """Random tables with missing labels, weights, slices and groups; an error here is an error there."""
    assert_counted_like_confusion(ENGINES[engine](table), table, missing, weighted, sliced, grouped, named)


def assert_counted_like_confusion(frame, table, missing, weighted, sliced, grouped, named):
    """What an engine counts is what `confusion` counts on the same rows, the type of an error included."""
    labels = None
    if named:
        labels = LEVELS[::-1] if table.kind == "categories" else list(dict.fromkeys(POOLS[table.kind]))[::-1]
    expected = [
        outcome(
            lambda s=s: matrix_of_lists(
                reference_column(table, "y"),
                reference_column(table, s),
                table.columns["w"] if weighted else None,
                labels=labels,
                missing=missing,
            )
        )
        for s in ("A", "B")
    ]
    counted = outcome(
        lambda: count_frame(
            frame, y_true="y", y_pred=["A", "B"], missing=missing, labels=labels,
            sample_weight="w" if weighted else None, by=["site"] if sliced else (), groups="g" if grouped else None,
        )
    )  # fmt: skip
    failed = [x for x in expected if isinstance(x, str)]
    if failed or isinstance(counted, str):
        assert counted == failed[0]
        return
    assert counted.systems == ("A", "B")
    assert counted.rows == len(table.columns["y"])
    absent = {name: sum(x is None for x in table.columns[name]) for name in ("y", "A", "B", *(["site"] * sliced))}
    assert counted.missing == {name: count for name, count in absent.items() if count}
    assert counted.dropped == {"A": expected[0].dropped, "B": expected[1].dropped}
    assert set(counted.labels) == set(expected[0].labels) | set(expected[1].labels)
    for system in ("A", "B"):
        assert_like_confusion(table, counted, system, missing, labels, weighted, grouped)
    if sliced:
        sites = [x for x in ("x", "y", None) if x in table.columns["site"]]
        assert counted.slices == tuple(Slice([("site", x)]) for x in sites)


def test_counts_are_cast_to_64_bits_before_they_are_added():
    """Polars counts in 32 bits, and its sums wrap beyond: the plan casts right after the aggregation."""
    frame = pl.LazyFrame({"y": ["a"], "A": ["a"]})
    part = engines.grouped(nw.from_native(frame), WantedColumns("y", ("A",)), "A")
    assert part.collect_schema()["n"] == nw.Int64
    assert frame.select(pl.len()).collect_schema()["len"] == pl.UInt32  # what would wrap


@pytest.mark.parametrize("kind", [pl.Float32, pl.Decimal(10, 2), pl.Int8, pl.UInt8])
@pytest.mark.parametrize("lazy", [False, True])
def test_weights_are_added_as_floats_of_64_bits(kind, lazy):
    """In their own type their sums would be rounded, cut, or wrap."""
    frame = pl.DataFrame({"y": ["a"] * 300, "A": ["a"] * 300, "w": [100] * 300}, schema_overrides={"w": kind})
    counted = count_frame(frame.lazy() if lazy else frame, y_true="y", y_pred=["A"], sample_weight="w")
    sample = counted.samples["A", None]
    assert sample.matrix.counts.tolist() == [[30_000.0]]
    assert sample.squares.tolist() == [[3_000_000.0]]


def test_decimal_weights_and_labels_of_duckdb_are_numbers():
    """A literal such as 1.5 is a decimal in SQL."""
    frame = duckdb.sql("SELECT 1.0 AS y, 2.5 AS A, 0.1 AS w UNION ALL SELECT 2.5, 2.5, 0.2")
    sample = count_frame(frame, y_true="y", y_pred=["A"], sample_weight="w").samples["A", None]
    assert sample.matrix.labels == (1, 2.5)
    assert sample.matrix.counts.tolist() == [[0, 0.1], [0, 0.2]]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("bad", [None, -1.0, np.inf])
def test_a_weight_that_is_no_weight_is_an_error_in_every_engine(engine, bad):
    """A missing weight would be added as 0 without a word."""
    table = Table("text", {"y": ["a", "b"], "A": ["a", "a"], "w": [1.0, bad]})
    with pytest.raises(
        ValueError, match=r"weight column 'w' is missing, negative or not finite in 1 of 2 rows \(one is"
    ):
        count_frame(ENGINES[engine](table), y_true="y", y_pred=["A"], sample_weight="w")


@pytest.mark.parametrize("engine", ENGINES)
def test_weights_must_be_numbers(engine):
    """Text that looks like numbers is not read as such."""
    table = Table("text", {"y": ["1", "2"], "A": ["1", "1"]})
    with pytest.raises(TypeError, match=r"weight column 'A' holds .* values: expected numbers"):
        count_frame(ENGINES[engine](table), y_true="y", y_pred=["A"], sample_weight="A")


@pytest.mark.parametrize("engine", ENGINES)
def test_missing_predictions_are_seen(engine):
    """Unpivoting in DuckDB would lose them."""
    table = Table("text", {"y": ["a", "b", "b"], "A": ["a", None, None], "B": ["a", "b", None]})
    frame = ENGINES[engine](table)
    with pytest.raises(ValueError, match="column 'A' has no label in 2 of 3 rows: leave them out with missing='drop'"):
        count_frame(frame, y_true="y", y_pred=["A", "B"])
    counted = count_frame(frame, y_true="y", y_pred=["A", "B"], missing="class")
    assert [counted.samples[x, None].matrix.labels for x in "AB"] == [("a", "b", None), ("a", "b", None)]
    assert counted.missing == {"A": 2, "B": 1}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_missing_group_is_an_error(engine):
    """An item without a group cannot be drawn with one."""
    table = Table("text", {"y": ["a", "b"], "A": ["a", "b"], "site": ["x", None]})
    with pytest.raises(ValueError, match="column 'site' has no group in 1 of 2 rows: every item needs a group"):
        count_frame(ENGINES[engine](table), y_true="y", y_pred=["A"], groups="site")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_column_that_is_not_there_is_named_with_the_nearest(engine):
    """Also where only upper and lower case differ, which DuckDB would not mind."""
    frame = ENGINES[engine](Table("text", {"y": ["a"], "A": ["a"]}))
    with pytest.raises(ValueError, match="the data has no column 'Y': its columns are 'y', 'A'; did you mean 'y'"):
        count_frame(frame, y_true="Y", y_pred=["A"])
    with pytest.raises(ValueError, match=r"no column 'wholly else': its columns are 'y', 'A'$"):
        count_frame(frame, y_true="y", y_pred=["A"], by=["wholly else"])


@pytest.mark.parametrize("engine", ENGINES)
def test_a_frame_without_rows_is_an_error(engine):
    """There is nothing to count."""
    with pytest.raises(ValueError, match="the data has no rows: there is nothing to count"):
        count_frame(ENGINES[engine](Table("text", {"y": [], "A": []})), y_true="y", y_pred=["A"])


@pytest.mark.parametrize("lazy", [False, True])
def test_systems_of_different_types_are_each_compared_with_the_truth(lazy):
    """Whole floats are integers; text is neither, and the error names the columns."""
    frame = pl.DataFrame({"y": [1, 2], "A": [1.0, 1.0], "B": [2, 2], "C": ["1", "2"]})
    frame = frame.lazy() if lazy else frame
    counted = count_frame(frame, y_true="y", y_pred=["A", "B"])
    assert counted.samples["A", None].matrix.labels == counted.labels == (1, 2)
    shown = r"number \('y' is Int64\) and text \('C' is String\)" if lazy else r"number \(1\) and text \('1'\)"
    with pytest.raises(TypeError, match=f"{shown}: convert y and C to one kind"):
        count_frame(frame, y_true="y", y_pred=["A", "C"])


def test_columns_of_any_name_are_counted():
    """Names that are words of SQL, that need quoting, or that this code uses itself."""
    names = ["t", "p0", 'say "n"', "select", "s; DROP TABLE made", "b0", "w2"]
    columns = {name: [f"{k}" for k in range(2)] for name in names}
    for frame in (pd.DataFrame(columns), pl.LazyFrame(columns), duckdb.from_arrow(pl.DataFrame(columns).to_arrow())):
        counted = count_frame(frame, y_true=names[0], y_pred=names[1:], by=["b0", "select"])
        assert counted.systems == tuple(names[1:])
        assert all(sample.matrix.n in (1, 2) for sample in counted.samples.values())
        slices = ["b0=0", "b0=1", "select=0", "select=1", "b0=0, select=0", "b0=1, select=1"]
        assert [str(x) for x in counted.slices] == slices


def test_more_systems_than_one_pass_takes_are_counted():
    """In DuckDB, where one pass has a limit."""
    names = [f"s{k}" for k in range(70)]
    frame = pl.DataFrame({"y": [0, 1, 2], **{name: [k % 3, 1, 0] for k, name in enumerate(names)}})
    found = count_frame(duckdb.from_arrow(frame.to_arrow()), y_true="y", y_pred=names)
    for name in names:
        assert found.samples[name, None].matrix == gm.confusion(frame["y"], frame[name])


@pytest.mark.parametrize("lazy", [False, True])
def test_very_many_classes_are_kept_sparse(lazy):
    """As `confusion` keeps them."""
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"y": rng.integers(0, 5_000, 20_000), "A": rng.integers(0, 5_000, 20_000)})
    frame = frame.with_columns(w=pl.lit(2.0))
    engine = frame.lazy() if lazy else frame
    sample = count_frame(engine, y_true="y", y_pred=["A"]).samples["A", None]
    assert sample.matrix.is_sparse
    assert sample.matrix == gm.confusion(frame["y"], frame["A"])
    assert sample.matrix.n.__class__ is int
    weighted = count_frame(engine, y_true="y", y_pred=["A"], sample_weight="w").samples["A", None]
    assert weighted.items is None
    assert weighted.matrix.n == 40_000


def test_a_slice_without_a_label_is_named_and_not_counted():
    """Where missing labels are left out, nothing may be left of a slice."""
    frame = pd.DataFrame({"y": ["a", "b", None], "A": ["a", "b", "b"], "site": ["x", "x", "y"]})
    counted = count_frame(frame, y_true="y", y_pred=["A"], by=["site"], missing="drop")
    assert counted.slices == (Slice([("site", "x")]), Slice([("site", "y")]))
    assert list(counted.samples) == [("A", None), ("A", Slice([("site", "x")]))]
    assert "nothing to count" in counted.empty["A", Slice([("site", "y")])]


def test_what_is_no_frame_is_refused():
    """With what would be one."""
    with pytest.raises(TypeError, match=r"the data are a builtins.list: expected a data frame \(pandas"):
        count_frame([1, 2], y_true="y", y_pred=["A"])
    frame = pd.DataFrame({"y": [1], "A": [1]})
    with pytest.raises(ValueError, match="y_pred names no column"):
        count_frame(frame, y_true="y", y_pred=[])
    with pytest.raises(ValueError, match="y_pred names the column 'A' twice"):
        count_frame(frame, y_true="y", y_pred=["A", "A"])
