"""Counting the columns of any data frame or lazy engine: the single way from tables to counts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

from goodmeasure.counts.arguments import squared
from goodmeasure.counts.counting import check_choices
from goodmeasure.counts.joint import CountedOnce, JointCounted, count_jointly, count_once
from goodmeasure.counts.labels import as_column, as_columns
from goodmeasure.counts.sample import Counted
from goodmeasure.counts.tables.columns import NoRows, WantedColumns, check_columns, check_label_kinds
from goodmeasure.counts.tables.label_rows import LabelRows, count_rows, how_many_missing, read_rows, spelled_in
from goodmeasure.counts.tables.nested import with_paths
from goodmeasure.counts.text_labels import LabelReading, TextRule, refuse_spellings
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array, Frame, LabelsLike


def count_frame(
    frame: object, *, y_true: str, y_pred: Sequence[str], sample_weight: str | None = None, by: Sequence[str] = (),
    groups: str | None = None, labels: LabelsLike | None = None, missing: str = "error",
    untyped: TextRule | None = None, count: str | None = None,
) -> Counted:  # fmt: skip
    """Return the counts of columns of a data frame: labels of each system, weights, slices and groups.

    The frame may be any that narwhals supports: pandas, Polars (eager and lazy), PyArrow, DuckDB and other lazy
    engines, which count where the data is, so that only the counts are transferred. `untyped` is the rule
    by which the labels of a text file are read, which has no types. `count` names the column that says how many items a
    row stands for.

    >>> import duckdb
    >>> frame = duckdb.sql("SELECT * FROM (VALUES ('ham', 'ham'), ('spam', 'ham')) AS t(label, system)")
    >>> count_frame(frame, y_true="label", y_pred=["system"]).samples["system", None].matrix.counts.tolist()
    [[1, 0], [1, 0]]
    """
    wanted = _checked(
        WantedColumns(y_true, _names(y_pred, "y_pred"), sample_weight, _names(by, "by"), groups, count), labels, missing
    )
    rows, options, reading = _usable(_separate_rows(frame, wanted), wanted, labels, missing, untyped)
    return replace(count_rows(rows, **options), reading=reading)


def count_frame_jointly(
    frame: object, *, y_true: str, y_pred: Sequence[str], sample_weight: str | None = None, by: Sequence[str] = (),
    groups: str | None = None, labels: LabelsLike | None = None, missing: str = "error",
    untyped: TextRule | None = None, count: str | None = None,
) -> JointCounted:  # fmt: skip
    """Return what the systems of a data frame say jointly: like `count_frame`, but by pattern of all their labels.

    >>> import duckdb
    >>> frame = duckdb.sql("SELECT * FROM (VALUES (0, 0, 1), (1, 1, 1), (0, 0, 1)) AS t(label, a, b)")
    >>> joint = count_frame_jointly(frame, y_true="label", y_pred=["a", "b"]).joint
    >>> sorted(zip(joint.true.tolist(), *joint.pred.tolist(), joint.number.tolist()))
    [(0, 0, 1, 2), (1, 1, 1, 1)]
    """
    wanted = _checked(
        WantedColumns(y_true, _names(y_pred, "y_pred"), sample_weight, _names(by, "by"), groups, count), labels, missing
    )
    joint = _joint_rows(frame, wanted)
    assert joint is not None  # since any number of labels may come
    rows, options, reading = _usable(joint, wanted, labels, missing, untyped)
    return replace(count_jointly(rows, **options), reading=reading)


def count_frame_once(
    frame: object, *, y_true: str, y_pred: Sequence[str], sample_weight: str | None = None, by: Sequence[str] = (),
    groups: str | None = None, labels: LabelsLike | None = None, missing: str = "error",
    untyped: TextRule | None = None,
    most_systems: float = math.inf, most_labels: float = math.inf, count: str | None = None,
) -> CountedOnce:  # fmt: skip
    """Return the counts of the systems of a data frame, one by one and jointly, from one pass over the data.

    Joint rows of all systems are rows of each system too, only more of them, so they answer both questions. With more
    than `most_systems` systems, or with very many patterns and more than `most_labels` labels of all systems, there are
    too many joint rows: the systems are then counted one by one only.

    >>> import duckdb
    >>> frame = duckdb.sql("SELECT * FROM (VALUES (0, 0, 1), (1, 1, 1), (0, 0, 1)) AS t(label, a, b)")
    >>> found = count_frame_once(frame, y_true="label", y_pred=["a", "b"])
    >>> found.counted.samples["b", None].matrix.counts.tolist(), found.jointly().joint.items
    ([[0, 2], [0, 1]], 3)
    """
    wanted = _checked(
        WantedColumns(y_true, _names(y_pred, "y_pred"), sample_weight, _names(by, "by"), groups, count), labels, missing
    )
    joint = _joint_rows(frame, wanted, most_labels) if 1 < len(wanted.systems) <= most_systems else None
    found = _separate_rows(frame, wanted) if joint is None else joint
    rows, options, reading = _usable(found, wanted, labels, missing, untyped)
    if joint is not None:
        return count_once(rows, **options, reading=reading, most_labels=most_labels)
    return CountedOnce(replace(count_rows(rows, **options), reading=reading))


def _checked(wanted: WantedColumns, labels: LabelsLike | None, missing: str) -> WantedColumns:
    """Refuse what cannot be counted, before the data is read."""
    check_choices(labels, missing)
    if not wanted.systems:
        raise InputError("{y_pred} names no column", expected="at least one system")
    return wanted


class CountingOptions(TypedDict):
    """How rows are counted: the keyword arguments of `count_rows` and similar functions."""

    labels: LabelsLike | None
    missing: str
    lacking: Mapping[str, int]


def _usable(
    rows: dict[str, LabelRows], wanted: WantedColumns, labels: LabelsLike | None, missing: str, untyped: TextRule | None
) -> tuple[dict[str, LabelRows], CountingOptions, LabelReading | None]:
    """Return the rows with parsed labels, how to count them, and how text was parsed; refuse missing labels.

    How to count them is given as the keyword arguments of `count_rows` and similar functions.
    """
    first = next(iter(rows.values()))
    if len(first.true) == 0:
        raise NoRows("the data")
    reading, raw = None, rows
    if untyped is not None:
        rows, labels, reading = read_rows(rows, labels, untyped)
        first = next(iter(rows.values()))
    columns = {wanted.true: first.true, **{name: each.pred for name, each in rows.items()}, **(first.by or {})}
    lacking = {name: how_many_missing(column, first.number) for name, column in columns.items() if name not in rows}
    lacking |= {name: how_many_missing(each.pred, each.number) for name, each in rows.items()}
    lacking = {name: lacking[name] for name in columns if lacking[name]}
    if missing == "error":
        if reading is not None and reading.absent:
            _refuse_spelled(wanted.true, raw, reading)
        _refuse_missing([wanted.true, *rows], lacking, first)
    if first.group is not None:
        _refuse_missing_groups(first)
    return rows, {"labels": labels, "missing": missing, "lacking": lacking}, reading


def _names(names: Sequence[str] | Array, argument: str) -> tuple[str, ...]:
    """Return names of columns as a tuple; refuse a name that occurs twice."""
    listed = (names,) if isinstance(names, str) else tuple(names)
    for k, name in enumerate(listed):
        if name in listed[:k]:
            raise InputError(
                "{argument} names the column {name!r} twice", argument=argument, name=name, advice="name it once"
            )
    return listed


def _separate_rows(frame: Frame, wanted: WantedColumns) -> dict[str, LabelRows]:
    """Return the rows of each system: one per item if the data is in memory, counted by the engine otherwise."""
    from goodmeasure.counts.files.delimited_text import PlainText
    from goodmeasure.counts.readers.text_table import TextTable
    from goodmeasure.counts.tables import duckdb_engine, engines

    if isinstance(frame, PlainText):
        scanned = frame.counted(wanted)
        if scanned is not None:
            return scanned
        frame = frame.otherwise()
    if isinstance(frame, TextTable):
        return frame.rows(wanted)
    if duckdb_engine.is_relation(frame):
        frame = with_paths(frame, wanted.columns)
        check_columns(wanted.columns, frame.columns)
        return duckdb_engine.counted(frame, wanted)
    table = with_paths(engines.opened(frame), wanted.columns)
    check_columns(wanted.columns, engines.columns_of(table))
    if not engines.is_lazy(table):
        return _in_memory(table, wanted)
    check_label_kinds(wanted, engines.label_kinds(table))
    joint = engines.counted_jointly(table, wanted) if engines.one_scan_pays(table, wanted) else None
    return engines.counted(table, wanted) if joint is None else joint


def _joint_rows(frame: Frame, wanted: WantedColumns, most_labels: float = math.inf) -> dict[str, LabelRows] | None:
    """Return rows that stand for the same items in every system: patterns of labels, or items if patterns are too many.

    None if patterns are too many, and the systems have more than `most_labels` labels.
    """
    from goodmeasure.counts.files.delimited_text import ManyPatternsError, PlainText
    from goodmeasure.counts.readers.text_table import TextTable
    from goodmeasure.counts.tables import duckdb_engine, engines

    if isinstance(frame, PlainText):
        try:
            scanned = frame.counted_jointly(wanted, most_labels)
        except ManyPatternsError:
            return None
        if scanned is not None:
            return scanned
        frame = frame.otherwise()
    if isinstance(frame, TextTable):
        return frame.rows(wanted)
    if duckdb_engine.is_relation(frame):
        frame = with_paths(frame, wanted.columns)
        check_columns(wanted.columns, frame.columns)
        return duckdb_engine.counted_jointly(frame, wanted, most_labels)
    table = with_paths(engines.opened(frame), wanted.columns)
    check_columns(wanted.columns, engines.columns_of(table))
    if engines.is_lazy(table):
        check_label_kinds(wanted, engines.label_kinds(table))
        found = engines.counted_jointly(table, wanted)
        if found is not None:
            return found
        if most_labels < math.inf and engines.size_of(table) * len(wanted.systems) > most_labels:
            return None
        table = engines.collected(table, wanted)
    return _in_memory(table, wanted)


def _in_memory(table: Frame, wanted: WantedColumns) -> dict[str, LabelRows]:
    """Return a row for each item, since the compiled kernel counts them faster than any engine."""
    from goodmeasure.counts.tables import engines

    def column(name: str) -> Frame:
        return table[name].to_native()

    weight = None if wanted.weight is None else engines.weights_of(table[wanted.weight])
    squares = None if weight is None else squared(weight, f"weight column {wanted.weight!r}")
    by = {name: as_column(column(name), name) for name in wanted.by}
    group = None if wanted.group is None else as_column(column(wanted.group), wanted.group)
    true = as_column(column(wanted.true), wanted.true)
    items = None if wanted.count is None else engines.counts_of(table[wanted.count])
    rows = {}
    for name in wanted.systems:
        both = as_columns((column(wanted.true), wanted.true), (column(name), name))
        each = LabelRows(*both, None, weight, squares, group, by)
        rows[name] = each if items is None else each.standing_for(items)
    return rows


def _refuse_spelled(true: str, rows: Mapping[str, LabelRows], reading: LabelReading) -> None:
    """Refuse missing labels that are spelled out, in columns as they came from a text file."""
    first = next(iter(rows.values()))
    for name, column, number in [(true, first.true, first.number), *((x, y.pred, y.number) for x, y in rows.items())]:
        if times := spelled_in(column, number, reading):
            refuse_spellings(name, times, first.size)


def _refuse_missing(names: Sequence[str], lacking: dict[str, int], rows: LabelRows) -> None:
    for name in names:
        if name in lacking:
            raise InputError(
                "column {name!r} has no label in {lacking:,} of {size:,} rows",
                name=name,
                lacking=lacking[name],
                size=rows.size,
                advice="leave them out with {missing:=drop}, or give them a class of their own with {missing:=class}",
            )


def _refuse_missing_groups(rows: LabelRows) -> None:
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
