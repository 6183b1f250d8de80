"""Counting the columns of any data frame or lazy engine: the single way from tables to counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from goodmeasure.counts.arguments import squared
from goodmeasure.counts.counting import check_choices
from goodmeasure.counts.joint import JointCounted, count_jointly
from goodmeasure.counts.labels import as_column, common_units
from goodmeasure.counts.sample import Counted
from goodmeasure.counts.tables.columns import NoRows, Wanted, check_columns
from goodmeasure.counts.tables.rows import Rows, count_rows, how_many_missing, read_rows
from goodmeasure.exceptions import InputError


def count_frame(
    frame: Any, *, y_true: str, y_pred: Sequence[str], sample_weight: str | None = None, by: Sequence[str] = (),
    groups: str | None = None, labels: Any = None, missing: str = "error", untyped: bool = False,
) -> Counted:  # fmt: skip
    """Return the counts of columns of a data frame: labels of each system, weights, slices and groups.

    The frame may be any that narwhals supports: pandas, Polars (eager and lazy), PyArrow, DuckDB and other lazy
    engines, which count where the data is, so that only the counts are transferred. `untyped` columns come from a text
    file: how to read their labels is decided by what they look like.

    >>> import duckdb
    >>> frame = duckdb.sql("SELECT * FROM (VALUES ('ham', 'ham'), ('spam', 'ham')) AS t(label, system)")
    >>> count_frame(frame, y_true="label", y_pred=["system"]).samples["system", None].matrix.counts.tolist()
    [[1, 0], [1, 0]]
    """
    wanted = Wanted(y_true, _names(y_pred, "y_pred"), sample_weight, _names(by, "by"), groups)
    rows, lacking = _checked(frame, wanted, labels, missing, jointly=False)
    if not untyped:
        return count_rows(rows, labels=labels, missing=missing, lacking=lacking)
    rows, labels, reading = read_rows(rows, labels)
    return replace(count_rows(rows, labels=labels, missing=missing, lacking=lacking), reading=reading)


def count_frame_jointly(
    frame: Any, *, y_true: str, y_pred: Sequence[str], sample_weight: str | None = None, by: Sequence[str] = (),
    groups: str | None = None, labels: Any = None, missing: str = "error", untyped: bool = False,
) -> JointCounted:  # fmt: skip
    """Return what the systems of a data frame say jointly: like `count_frame`, but by pattern of all their labels.

    >>> import duckdb
    >>> frame = duckdb.sql("SELECT * FROM (VALUES (0, 0, 1), (1, 1, 1), (0, 0, 1)) AS t(label, a, b)")
    >>> joint = count_frame_jointly(frame, y_true="label", y_pred=["a", "b"]).joint
    >>> sorted(zip(joint.true.tolist(), *joint.pred.tolist(), joint.number.tolist()))
    [(0, 0, 1, 2), (1, 1, 1, 1)]
    """
    wanted = Wanted(y_true, _names(y_pred, "y_pred"), sample_weight, _names(by, "by"), groups)
    rows, lacking = _checked(frame, wanted, labels, missing, jointly=True)
    if not untyped:
        return count_jointly(rows, labels=labels, missing=missing, lacking=lacking)
    rows, labels, reading = read_rows(rows, labels)
    return replace(count_jointly(rows, labels=labels, missing=missing, lacking=lacking), reading=reading)


def _checked(
    frame: Any, wanted: Wanted, labels: Any, missing: str, *, jointly: bool
) -> tuple[dict[str, Rows], dict[str, int]]:
    """Return the rows of each system, and how many labels are missing by column."""
    check_choices(labels, missing)
    if not wanted.systems:
        raise InputError("{y_pred} names no column", expected="at least one system")
    rows = _rows_of(frame, wanted, jointly)
    first = next(iter(rows.values()))
    if len(first.true) == 0:
        raise NoRows("the data")
    columns = {wanted.true: first.true, **{name: each.pred for name, each in rows.items()}, **(first.by or {})}
    lacking = {name: how_many_missing(column, first.number) for name, column in columns.items() if name not in rows}
    lacking |= {name: how_many_missing(each.pred, each.number) for name, each in rows.items()}
    lacking = {name: lacking[name] for name in columns if lacking[name]}
    if missing == "error":
        _refuse_missing([wanted.true, *rows], lacking, first)
    if first.group is not None:
        _refuse_missing_groups(first)
    return rows, lacking


def _names(names: Any, argument: str) -> tuple[str, ...]:
    """Return names of columns as a tuple; refuse a name that occurs twice."""
    listed = (names,) if isinstance(names, str) else tuple(names)
    for k, name in enumerate(listed):
        if name in listed[:k]:
            raise InputError(
                "{argument} names the column {name!r} twice", argument=argument, name=name, advice="name it once"
            )
    return listed


def _rows_of(frame: Any, wanted: Wanted, jointly: bool) -> dict[str, Rows]:
    """Return the rows of each system: one per item if the data is in memory, counted by the engine otherwise.

    If they are counted `jointly`, a row stands for the same items in every system.
    """
    from goodmeasure.counts.files.delimited_text import PlainText
    from goodmeasure.counts.tables import duckdb_engine, engines

    if isinstance(frame, PlainText):
        scanned = frame.counted(wanted, jointly)
        if scanned is not None:
            return scanned
        frame = frame.otherwise()
    if duckdb_engine.is_relation(frame):
        check_columns(wanted.columns, frame.columns)
        return duckdb_engine.counted_jointly(frame, wanted) if jointly else duckdb_engine.counted(frame, wanted)
    table = engines.opened(frame)
    check_columns(wanted.columns, engines.columns_of(table))
    if jointly and engines.is_lazy(table):
        found = engines.counted_jointly(table, wanted)
        return _in_memory(engines.collected(table, wanted), wanted) if found is None else found
    return engines.counted(table, wanted) if engines.is_lazy(table) else _in_memory(table, wanted)


def _in_memory(table: Any, wanted: Wanted) -> dict[str, Rows]:
    """Return a row for each item, since the compiled kernel counts them faster than any engine."""
    from goodmeasure.counts.tables import engines

    def column(name: str) -> Any:
        return table[name].to_native()

    weight = None if wanted.weight is None else engines.weights_of(table[wanted.weight])
    squares = None if weight is None else squared(weight, f"weight column {wanted.weight!r}")
    by = {name: as_column(column(name), name) for name in wanted.by}
    group = None if wanted.group is None else as_column(column(wanted.group), wanted.group)
    true = as_column(column(wanted.true), wanted.true)
    rows = {}
    for name in wanted.systems:
        both = common_units(true, as_column(column(name), name), column(wanted.true), column(name))
        rows[name] = Rows(*both, None, weight, squares, group, by)
    return rows


def _refuse_missing(names: Sequence[str], lacking: dict[str, int], rows: Rows) -> None:
    for name in names:
        if name in lacking:
            raise InputError(
                "column {name!r} has no label in {lacking:,} of {size:,} rows",
                name=name,
                lacking=lacking[name],
                size=rows.size,
                advice="leave them out with {missing:=drop}, or give them a class of their own with {missing:=class}",
            )


def _refuse_missing_groups(rows: Rows) -> None:
    assert rows.group is not None
    lacking = how_many_missing(rows.group, rows.number)
    if lacking:
        raise InputError(
            "column {name!r} has no group in {lacking:,} of {size:,} rows",
            name=rows.group.name,
            lacking=lacking,
            size=rows.size,
            advice="every item needs a group, so leave those rows out, or give each a group of its own",
        )
