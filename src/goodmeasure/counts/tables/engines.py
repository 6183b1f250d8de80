"""Counting inside data frame engines, through narwhals; only the counts are transferred."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from goodmeasure.counts.arguments import weights_too_large
from goodmeasure.counts.labels import as_column
from goodmeasure.counts.tables.columns import (
    WantedColumns,
    check_count_type,
    check_counts,
    check_weight_type,
    checked_counts,
    checked_weights,
    refuse_weights,
)
from goodmeasure.counts.tables.label_rows import LabelRows
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.typing import Array, Frame

MOST_PATTERNS = 200_000  # with more patterns of labels than this, the rows themselves are transferred
_MOST_AT_ONCE = 4
_TRUE, _PRED, _GROUP, _SYSTEM = "t", "p", "g", "s"
_NUMBER, _WEIGHT, _SQUARES, _KNOWN, _LEAST, _COUNT = "n", "w", "w2", "known", "least", "c"


def opened(frame: Frame) -> Frame:
    """Return a data frame as narwhals sees it."""
    from goodmeasure.packages import nw

    try:
        return nw.from_native(frame)
    except TypeError:
        raise InputTypeError(
            "the data are a {module}.{kind}",
            module=type(frame).__module__,
            kind=type(frame).__name__,
            expected="a data frame (pandas, Polars, PyArrow, a DuckDB relation or another lazy frame), or two "
            "lists of labels",
        ) from None
    except nw.exceptions.DuplicateError:
        names = Counter(map(str, getattr(frame, "column_names", frame.columns)))  # PyArrow's .columns holds the data
        twice = next(name for name, times in names.items() if times > 1)
        raise InputError(
            "the data has several columns named {twice!r}", twice=twice, advice="rename all but one"
        ) from None


def is_lazy(table: object) -> bool:
    """Return whether the rows are elsewhere, and not in this process's memory as columns."""
    from goodmeasure.packages import nw

    return isinstance(table, nw.LazyFrame)


def label_kinds(table: Frame) -> dict[str, tuple[str | None, str]]:
    """Return the kind of the labels of each column as its type says it, and the type."""
    from goodmeasure.packages import nw

    def kind(dtype: Frame) -> str | None:
        if dtype == nw.Boolean:
            return "boolean"
        if dtype.is_numeric():
            return "number"
        return "text" if dtype == nw.String else None

    return {name: (kind(dtype), str(dtype)) for name, dtype in table.collect_schema().items()}


def columns_of(table: Frame) -> list[str]:
    """Return the names of the columns."""
    return list(table.collect_schema().names())


def weights_of(series: Frame) -> Array:
    """Return a column of weights in memory as floats; refuse weights that are missing, negative or not finite."""
    from goodmeasure.packages import nw

    check_weight_type(series.name, series.dtype.is_numeric() or series.dtype == nw.Boolean, str(series.dtype))
    return checked_weights(series.name, np.require(_floats(series), np.float64, "A"))


def counts_of(series: Frame) -> Array:
    """Return a column in memory that says how many items each row stands for; refuse anything but whole numbers."""
    from goodmeasure.packages import nw

    check_count_type(series.name, series.dtype.is_numeric() or series.dtype == nw.Boolean, str(series.dtype))
    return checked_counts(series.name, _floats(series))


def _floats(series: Frame) -> Array:
    """Return a column of numbers as floats; NumPy rounds whole numbers from 2^53 on, which Arrow refuses to do."""
    from goodmeasure.packages import nw

    is_whole = series.dtype.is_integer() and not series.null_count()
    return np.asarray((series if is_whole else series.cast(nw.Float64)).to_numpy(), np.float64)


def with_items(table: Frame, wanted: WantedColumns) -> Frame:
    """Return the rows of a lazy frame that stand for items; refuse counts that are not whole numbers."""
    from goodmeasure.packages import nw

    if wanted.count is None:
        return table
    kind = table.collect_schema()[wanted.count]
    check_count_type(wanted.count, kind.is_numeric() or kind == nw.Boolean, str(kind))
    count = nw.col(_COUNT)
    counts = table.select(nw.col(wanted.count).cast(nw.Float64).alias(_COUNT))
    bad = counts.filter(count.is_null() | ~count.is_finite() | (count < 0) | (count % 1 != 0)).collect()[_COUNT]
    total = counts.select(nw.len().alias(_NUMBER), count.sum()).collect()
    example = bad.to_list()[0] if len(bad) else None
    check_counts(wanted.count, len(bad), int(total[_NUMBER][0]), example, float(total[_COUNT][0] or 0))
    return table.filter(nw.col(wanted.count).cast(nw.Float64) > 0)


def counted(table: Frame, wanted: WantedColumns) -> dict[str, LabelRows]:
    """Return the distinct rows of each system, with how often each occurs, counted by the engine."""
    from goodmeasure.packages import nw

    table = with_items(table, wanted)
    schema = table.collect_schema()
    if wanted.weight is not None:
        kind = schema[wanted.weight]
        check_weight_type(wanted.weight, kind.is_numeric() or kind == nw.Boolean, str(kind))
    by_type: dict[object, list[str]] = {}
    for name in wanted.systems:
        by_type.setdefault(schema[name], []).append(name)
    rows: dict[str, LabelRows] = {}
    for names in by_type.values():  # columns of one type can be stacked, so that one query counts them all
        stacked = nw.concat([grouped(table, wanted, name) for name in names])
        rows |= _home(stacked.collect(), names, wanted, table)
    return {name: rows[name] for name in wanted.systems}


def grouped(table: object, wanted: WantedColumns, system: str) -> Frame:
    """Return the lazy counts of one system by the raw values of its columns."""
    from goodmeasure.packages import nw

    part = _tallied(table, wanted, {_PRED: system})
    return part.with_columns(nw.lit(wanted.systems.index(system)).cast(nw.Int64).alias(_SYSTEM))


def _tallied(table: Frame, wanted: WantedColumns, systems: dict[str, str]) -> Frame:
    """Return lazy counts by the raw values of the shared columns and those of some systems."""
    from goodmeasure.packages import nw

    keys = {_TRUE: nw.col(wanted.true), **{alias: nw.col(name) for alias, name in systems.items()}}
    keys |= {f"b{k}": nw.col(name) for k, name in enumerate(wanted.by)}
    if wanted.group is not None:
        keys[_GROUP] = nw.col(wanted.group)
    sums: list[object] = []
    part = table.select(
        *(column.alias(name) for name, column in keys.items()),
        *([nw.col(wanted.weight).cast(nw.Float64).alias(_WEIGHT)] if wanted.weight is not None else []),
        *([nw.col(wanted.count).cast(nw.Int64).alias(_COUNT)] if wanted.count is not None else []),
    )
    number = nw.len() if wanted.count is None else nw.col(_COUNT).sum()
    if wanted.weight is not None:
        weight = nw.col(_WEIGHT)  # cast to floats first: sums in the column's own type may overflow or lose digits
        squares, known = weight * weight, nw.col(_KNOWN).count()
        copies = [weight.alias(_KNOWN), weight.alias(_LEAST)]
        if wanted.count is not None:
            count = nw.col(_COUNT)
            copies[0] = nw.when(~weight.is_null()).then(count).otherwise(nw.lit(0)).alias(_KNOWN)
            weight, squares, known = weight * count, squares * count, nw.col(_KNOWN).sum()
        part = part.with_columns(weight.alias(_WEIGHT), squares.alias(_SQUARES), *copies)
        sums = [nw.col(_WEIGHT).sum(), nw.col(_SQUARES).sum(), known, nw.col(_LEAST).min()]
    part = part.group_by(*keys).agg(number.alias(_NUMBER), *sums)
    # Cast to Int64 after counting: Polars counts in 32 bits, and other engines refuse a cast inside an aggregation.
    return part.with_columns(nw.col(name).cast(nw.Int64) for name in ((_NUMBER, _KNOWN) if sums else (_NUMBER,)))


def counted_jointly(table: object, wanted: WantedColumns) -> dict[str, LabelRows] | None:
    """Return the distinct rows of all systems jointly; None if there are too many for counting to be worthwhile."""
    table = with_items(table, wanted)
    aliases = {f"{_PRED}{k}": name for k, name in enumerate(wanted.systems)}
    tallied = _tallied(table, wanted, aliases)
    part = tallied.head(MOST_PATTERNS + 1).collect()
    if len(part) > MOST_PATTERNS:
        return None
    number, weighed = _sums(part, wanted, table)
    rows = {}
    for alias, name in aliases.items():
        columns = {_PRED if key == alias else key: part[key].to_native() for key in part.columns}
        rows[name] = rows_of_counts(columns, number, weighed, name, wanted)
    return rows


def one_scan_pays(table: Frame, wanted: WantedColumns) -> bool:
    """Return whether few systems are better counted jointly: an engine would otherwise read its data once for each.

    Polars reads a file once for all parts of a plan. Many systems have too many joint patterns.
    """
    return 1 < len(wanted.systems) <= _MOST_AT_ONCE and not table.implementation.is_polars()


def size_of(table: Frame) -> int:
    """Return how many rows a lazy frame has."""
    from goodmeasure.packages import nw

    return int(table.select(nw.len()).collect().item())


def collected(table: Frame, wanted: WantedColumns) -> Frame:
    """Return the wanted columns in memory."""
    return table.select(*wanted.columns).collect()


def _home(collected: Frame, names: list[str], wanted: WantedColumns, table: object) -> dict[str, LabelRows]:
    """Return the rows of each system from the engine's result."""
    system = np.asarray(collected[_SYSTEM].to_numpy())
    rows = {}
    for name in names:
        where = system == wanted.systems.index(name)
        part = collected.filter(where.tolist()) if len(names) > 1 else collected
        columns = {key: part[key].to_native() for key in part.columns}
        rows[name] = rows_of_counts(columns, *_sums(part, wanted, table), name, wanted)
    return rows


def _sums(part: Frame, wanted: WantedColumns, table: object) -> tuple[Array, Weighed | None]:
    """Return how many items each row stands for, and what they weigh."""
    number = np.asarray(part[_NUMBER].to_numpy(), np.int64)
    if wanted.weight is None:
        return number, None
    weight = wanted.weight
    sums = [np.asarray(part[key].to_numpy(), float) for key in (_WEIGHT, _SQUARES, _KNOWN, _LEAST)]
    return number, Weighed(weight, lambda: _trouble(table, weight), *sums)


class Weighed(NamedTuple):
    """For each row: the sum of its weights, of their squares, how many are known, and the smallest."""

    name: str
    trouble: Callable[[], tuple[int, float | None]]  # returns how many weights are invalid, and one of them
    weight: Array
    squares: Array
    known: Array
    least: Array

    def check(self, number: Array) -> None:
        """Refuse weights that are missing, negative or not finite, which shows in their sums."""
        if np.array_equal(self.known, number) and np.all(self.least >= 0) and np.all(np.isfinite(self.squares)):
            return
        bad, example = self.trouble()
        if bad == 0:
            raise weights_too_large(f"weight column {self.name!r}")
        refuse_weights(self.name, bad, int(number.sum()), example)


def rows_of_counts(
    columns: Mapping[str, Frame], number: Array, weighed: Weighed | None, system: str, wanted: WantedColumns
) -> LabelRows:
    """Return counts by raw values as rows; labels are made canonical only now, when the rows are few."""
    weight = squares = None
    if weighed is not None:
        weighed.check(number)
        weight, squares = weighed.weight, weighed.squares
    by = {name: as_column(columns[f"b{k}"], name) for k, name in enumerate(wanted.by)}
    group = None if wanted.group is None else as_column(columns[_GROUP], wanted.group)
    true, pred = as_column(columns[_TRUE], wanted.true), as_column(columns[_PRED], system)
    return LabelRows(true, pred, number, weight, squares, group, by)


def _trouble(table: Frame, name: str) -> tuple[int, float | None]:
    """Return how many weights are invalid, and one of them."""
    from goodmeasure.packages import nw

    weight = nw.col(_WEIGHT)
    bad = table.select(nw.col(name).cast(nw.Float64).alias(_WEIGHT)).filter(
        weight.is_null() | ~weight.is_finite() | (weight < 0)
    )
    found = bad.collect()[_WEIGHT].to_list()
    return len(found), found[0] if found else None
