"""Counting the columns of any data frame or lazy engine: the one way from tables to counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from goodmeasure.counts.arguments import squared
from goodmeasure.counts.counting import check_choices
from goodmeasure.counts.joint import CountedOnce, JointCounted, count_jointly, count_once
from goodmeasure.counts.labels import as_column, common_units
from goodmeasure.counts.tables.columns import NoRows, Wanted, check_columns
from goodmeasure.counts.tables.counted import Counted
from goodmeasure.counts.tables.rows import Rows, count_rows, how_many_missing, read_rows
from goodmeasure.exceptions import InputError


def count_frame(
    frame: Any, *, y_true: str, y_pred: Sequence[str], sample_weight: str | None = None, by: Sequence[str] = (),
    groups: str | None = None, labels: Any = None, missing: str = "error", untyped: bool = False,
) -> Counted:  # fmt: skip
    """Count columns of a data frame: true labels, predicted labels of each system, weights, slices and groups.

    Any frame that narwhals knows: pandas, Polars (eager and lazy), PyArrow, DuckDB, and lazy engines, which count where
    the data is, so that only the counts are brought here. `untyped` columns come from a text file: what their labels
    are is decided from how they look.

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
    """Count what the systems of a data frame say together: as `count_frame`, but by pattern of all their labels.

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


def count_frame_once(
    frame: Any, *, y_true: str, y_pred: Sequence[str], sample_weight: str | None = None, by: Sequence[str] = (),
    groups: str | None = None, labels: Any = None, missing: str = "error", untyped: bool = False,
    most_systems: int | None = None,
) -> CountedOnce:  # fmt: skip
    """Count the systems of a data frame one by one and together, in one pass where they have few patterns of labels.

    The patterns of all labels are the one source of both counts. Where there are too many patterns to bring here, or
    more than `most_systems` systems, the systems are counted one by one only.

    >>> import duckdb
    >>> frame = duckdb.sql("SELECT * FROM (VALUES (0, 0, 1), (1, 1, 1), (0, 0, 1)) AS t(label, a, b)")
    >>> found = count_frame_once(frame, y_true="label", y_pred=["a", "b"])
    >>> found.counted.samples["b", None].matrix.counts.tolist(), found.together().joint.items
    ([[0, 2], [0, 1]], 3)
    """
    wanted = Wanted(y_true, _names(y_pred, "y_pred"), sample_weight, _names(by, "by"), groups)
    _check_asked(wanted, labels, missing)
    several = 1 < len(wanted.systems) <= (most_systems or len(wanted.systems))
    patterns = _patterns_of(frame, wanted) if several else None
    rows = _rows_of(frame, wanted, jointly=False) if patterns is None else patterns
    lacking, reading = _check_rows(rows, wanted, missing), None
    if untyped:
        rows, labels, reading = read_rows(rows, labels)
    if patterns is not None:
        return count_once(rows, labels=labels, missing=missing, lacking=lacking, reading=reading)
    counted = count_rows(rows, labels=labels, missing=missing, lacking=lacking)
    return CountedOnce(replace(counted, reading=reading), None)


def _checked(
    frame: Any, wanted: Wanted, labels: Any, missing: str, *, jointly: bool
) -> tuple[dict[str, Rows], dict[str, int]]:
    """The rows of each system, and how many labels are missing by column."""
    _check_asked(wanted, labels, missing)
    rows = _rows_of(frame, wanted, jointly)
    return rows, _check_rows(rows, wanted, missing)


def _check_asked(wanted: Wanted, labels: Any, missing: str) -> None:
    check_choices(labels, missing)
    if not wanted.systems:
        raise InputError("{y_pred} names no column", expected="at least one system")


def _check_rows(rows: dict[str, Rows], wanted: Wanted, missing: str) -> dict[str, int]:
    """Refuse rows that cannot be counted; return how many labels are missing by column."""
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
    return lacking


def _names(names: Any, argument: str) -> tuple[str, ...]:
    listed = (names,) if isinstance(names, str) else tuple(names)
    for k, name in enumerate(listed):
        if name in listed[:k]:
            raise InputError(
                "{argument} names the column {name!r} twice", argument=argument, name=name, advice="name it once"
            )
    return listed


def _rows_of(frame: Any, wanted: Wanted, jointly: bool) -> dict[str, Rows]:
    """The rows of each system: as they are where data is in memory, and counted where it is elsewhere.

    Counted `jointly`, a row stands for the same items in every system.
    """
    from goodmeasure.counts.files.delimited_text import PlainText
    from goodmeasure.counts.tables import duckdb_engine, engines

    if isinstance(frame, PlainText):
        scanned = frame.counted_jointly(wanted) if jointly else frame.counted(wanted)
        if scanned is not None:
            return scanned
        frame = frame.otherwise()
    if duckdb_engine.is_relation(frame):
        check_columns(wanted.columns, frame.columns)
        if not jointly:
            return duckdb_engine.counted(frame, wanted)
        patterns = duckdb_engine.patterns(frame, wanted)
        return duckdb_engine.items(frame, wanted) if patterns is None else patterns
    table = engines.opened(frame)
    check_columns(wanted.columns, engines.columns_of(table))
    if jointly and engines.is_lazy(table):
        found = engines.patterns(table, wanted)
        return _in_memory(engines.collected(table, wanted), wanted) if found is None else found
    return engines.counted(table, wanted) if engines.is_lazy(table) else _in_memory(table, wanted)


def _patterns_of(frame: Any, wanted: Wanted) -> dict[str, Rows] | None:
    """The rows of all systems together, as few as their patterns where data is elsewhere; None where those are many."""
    from goodmeasure.counts.files.delimited_text import ManyPatternsError, PlainText
    from goodmeasure.counts.tables import duckdb_engine, engines

    if isinstance(frame, PlainText):
        try:
            scanned = frame.counted_jointly(wanted, only_if_cheap=True)
        except ManyPatternsError:
            return None
        if scanned is not None:
            return scanned
        frame = frame.otherwise()
    if duckdb_engine.is_relation(frame):
        check_columns(wanted.columns, frame.columns)
        return duckdb_engine.patterns(frame, wanted)
    table = engines.opened(frame)
    check_columns(wanted.columns, engines.columns_of(table))
    return engines.patterns(table, wanted) if engines.is_lazy(table) else _in_memory(table, wanted)


def _in_memory(table: Any, wanted: Wanted) -> dict[str, Rows]:
    """A row for each item: the compiled loops count them faster than any engine."""
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
