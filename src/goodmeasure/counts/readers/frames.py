"""Counting the columns of any data frame or lazy engine: the single way from tables to counts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from goodmeasure.counts.counted_rows import count_rows
from goodmeasure.counts.counting import check_choices
from goodmeasure.counts.label_rows import LabelRows, read_text
from goodmeasure.counts.labels import Column
from goodmeasure.counts.readers.columns import NoRows, WantedColumns
from goodmeasure.counts.readers.reader import reader_of
from goodmeasure.counts.sample import Counted
from goodmeasure.counts.text_labels import LabelReading, TextRule, refuse_spellings
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array, LabelsLike

MOST_SYSTEMS = 40  # more are counted one by one
MOST_LABELS = 20_000_000  # items × systems: where patterns are too many, all labels have to be in memory


def count_frame(
    frame: object, *, y_true: str, y_pred: Sequence[str], sample_weight: str | None = None, by: Sequence[str] = (),
    groups: str | None = None, labels: LabelsLike | None = None, missing: str = "error",
    untyped: TextRule | None = None, count: str | None = None, always_jointly: bool = False,
    beside: Sequence[str] = (),
) -> Counted:  # fmt: skip
    """Return the counts of columns of a data frame: labels of each system, weights, slices and groups.

    The frame may be any that narwhals supports: pandas, Polars (eager and lazy), PyArrow, DuckDB and other lazy
    engines, which count where the data is, so that only the counts are transferred. `untyped` is the rule
    by which the labels of a text file are read, which has no types. `count` names the column that says how many items a
    row stands for, and `beside` columns that the joint rows keep and that nothing is counted by.

    All systems are counted jointly in one pass over the data. Unless they are `always_jointly`, more than
    `MOST_SYSTEMS` systems, and patterns of labels that are too many, are counted system by system.

    >>> import duckdb
    >>> frame = duckdb.sql("SELECT * FROM (VALUES ('ham', 'ham', 'ham'), ('spam', 'ham', 'spam')) AS t(label, a, b)")
    >>> found = count_frame(frame, y_true="label", y_pred=["a", "b"])
    >>> found.samples["a", None].matrix.counts.tolist(), found.joint().items
    ([[1, 0], [1, 0]], 2)
    """
    by = _names(by, "by")
    keys = tuple(dict.fromkeys((*by, *beside)))
    wanted = WantedColumns(y_true, _names(y_pred, "y_pred"), sample_weight, keys, groups, count)
    check_choices(labels, missing)  # before the data is read
    if not wanted.systems:
        raise InputError("{y_pred} names no column", expected="at least one system")
    reader, joint = reader_of(frame, wanted.columns), None
    if always_jointly or 1 < len(wanted.systems) <= MOST_SYSTEMS:
        joint = reader.joint_rows(wanted, math.inf if always_jointly else MOST_LABELS)
    tables, reading = reader.rows_by_system(wanted) if joint is None else [joint], None
    if not len(tables[0].true):
        raise NoRows("the data")
    raw = tables
    if untyped is not None:
        tables, labels, reading = read_text(tables, labels, untyped)
    tables = [rows.sliced_by(by, beside) for rows in tables] if beside else tables
    first = tables[0]
    lacking = {column.name: first.lacking(column) for column in (first.true, *first.by.values())}
    lacking |= {name: rows.lacking(x) for rows in tables for name, x in rows.systems.items()}
    lacking = {name: lacking[name] for name in dict.fromkeys((y_true, *wanted.systems, *first.by)) if lacking[name]}
    if missing == "error":
        if reading is not None and reading.absent:
            _refuse_spelled(raw, reading)
        _refuse_missing((y_true, *wanted.systems), lacking, first)
    if first.group is not None:
        _refuse_missing_groups(first, first.group)
    return count_rows(tables, labels=labels, missing=missing, lacking=lacking, reading=reading)


def _names(names: Sequence[str] | Array, argument: str) -> tuple[str, ...]:
    """Return names of columns as a tuple; refuse a name that occurs twice."""
    listed = (names,) if isinstance(names, str) else tuple(names)
    for k, name in enumerate(listed):
        if name in listed[:k]:
            raise InputError(
                "{argument} names the column {name!r} twice", argument=argument, name=name, advice="name it once"
            )
    return listed


def _refuse_spelled(tables: Sequence[LabelRows], reading: LabelReading) -> None:
    """Refuse missing labels that are spelled out, in columns as they came from a text file."""
    for rows in tables:
        for column in rows.labels:
            if times := rows.spelled(column, reading):
                refuse_spellings(column.name, times, tables[0].size)


def _refuse_missing(names: Sequence[str], lacking: Mapping[str, int], rows: LabelRows) -> None:
    for name in names:
        if name in lacking:
            raise InputError(
                "column {name!r} has no label in {lacking:,} of {size:,} rows",
                name=name,
                lacking=lacking[name],
                size=rows.size,
                advice="leave them out with {missing:=drop}, or give them a class of their own with {missing:=class}",
            )


def _refuse_missing_groups(rows: LabelRows, group: Column) -> None:
    if lacking := rows.lacking(group):
        raise InputError(
            "column {name!r} has no group in {lacking:,} of {size:,} rows",
            name=group.name,
            lacking=lacking,
            size=rows.size,
            advice="every item needs a group, so leave those rows out, or give each a group of its own",
        )
