"""Counting inside data frame engines, through narwhals; only the counts are transferred."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from goodmeasure.counts.arguments import squared, weights_too_large
from goodmeasure.counts.label_rows import LabelRows
from goodmeasure.counts.labels import as_column, as_columns
from goodmeasure.counts.readers.columns import (
    WantedColumns,
    check_count_type,
    check_counts,
    check_label_kinds,
    check_weight_type,
    checked_counts,
    checked_weights,
    refuse_weights,
)
from goodmeasure.counts.readers.row_batches import batches_of_engine
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.typing import Array, ArrayLike, Frame

MOST_PATTERNS = 200_000  # with more patterns of labels than this, the rows themselves are transferred
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


class FrameReader:
    """A data frame in memory, as narwhals sees it: the compiled kernel counts its items faster than any engine."""

    is_lazy = False

    def __init__(self, table: Frame) -> None:
        self.table = table

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.table.collect_schema().names())

    def joint_rows(self, wanted: WantedColumns, most_labels: float = math.inf) -> LabelRows | None:
        """Return a row for each item."""
        return self._rows(wanted)

    def rows_by_system(self, wanted: WantedColumns) -> list[LabelRows]:
        """Return a row for each item, which all systems share."""
        return [self._rows(wanted)]

    def _rows(self, wanted: WantedColumns) -> LabelRows:
        def column(name: str) -> tuple[object, str]:
            return self.table[name].to_native(), name

        weight = None if wanted.weight is None else weights_of(self.table[wanted.weight])
        squares = None if weight is None else squared(weight, f"weight column {wanted.weight!r}")
        by = {name: as_column(*column(name)) for name in wanted.by}
        group = None if wanted.group is None else as_column(*column(wanted.group))
        true, *said = as_columns(column(wanted.true), *map(column, wanted.systems))
        rows = LabelRows(true, dict(zip(wanted.systems, said, strict=True)), None, weight, squares, group, by)
        return rows if wanted.count is None else rows.standing_for(counts_of(self.table[wanted.count]))

    def values(self, names: Sequence[str], numbers: Sequence[str], *, hashable: bool = True) -> dict[str, ArrayLike]:
        """Return the values of columns, of which some are numbers."""
        found = self.table.lazy().select(*names).collect()
        return {name: found[name].to_numpy() if name in numbers else found[name].to_list() for name in names}

    def are_numbers(self, names: Sequence[str]) -> bool:
        """Return whether there are such columns, and all of them are numbers."""
        schema = self.table.collect_schema()
        return all(name in schema and schema[name].is_numeric() for name in names)

    def meant(self, name: str, values: Sequence[object]) -> list[object]:
        """Return what values of a column stand for: themselves."""
        return list(values)

    def can_batch(self) -> bool:
        """Return whether the rows can be had in batches."""
        return True

    def batches(self, names: Sequence[str]) -> Iterator[Frame]:
        """Yield columns as data frames in memory, a batch of rows at a time."""
        return batches_of_engine(self.table.lazy().select(*names))

    def row_counts(self, keys: Sequence[str], count: str | None = None) -> dict[tuple[object, ...], int]:
        """Return how many rows, or items, have each combination of values in some columns."""
        from goodmeasure.packages import nw

        number = nw.len() if count is None else nw.col(count).sum()
        found = self.table.lazy().group_by(*keys).agg(number.alias("number of rows")).collect()
        numbers = [int(x) for x in found["number of rows"].to_list()]
        return dict(zip(zip(*(found[name].to_list() for name in keys), strict=True), numbers, strict=True))

    def total(self, name: str | None) -> int:
        """Return the sum of a column of whole numbers; None: the number of rows."""
        from goodmeasure.packages import nw

        number = nw.len() if name is None else nw.col(name).sum()
        found = self.table.lazy().select(number.alias("total")).collect()["total"].to_list()[0]
        return 0 if found is None or found != found else int(found)


class EngineReader(FrameReader):
    """A lazy frame, as narwhals sees it: its engine counts, and only the counts are transferred."""

    is_lazy = True

    def joint_rows(self, wanted: WantedColumns, most_labels: float = math.inf) -> LabelRows | None:
        """Return rows of all systems: patterns of labels, or items if patterns are too many; None: far too many."""
        check_label_kinds(wanted, self._label_kinds())
        table, own = self._with_items(wanted), {f"{_PRED}{k}": name for k, name in enumerate(wanted.systems)}
        part = _tallied(table, wanted, own).head(MOST_PATTERNS + 1).collect()
        if len(part) <= MOST_PATTERNS:
            return _rows_of(part, wanted, own, table)
        if most_labels < math.inf and self.total(None) * len(wanted.systems) > most_labels:
            return None
        return FrameReader(self.table.select(*wanted.columns).collect()).joint_rows(wanted)

    def rows_by_system(self, wanted: WantedColumns) -> list[LabelRows]:
        """Return the distinct rows of each system, with how often each occurs, counted by the engine."""
        from goodmeasure.packages import nw

        check_label_kinds(wanted, self._label_kinds())
        table = self._with_items(wanted)
        schema = table.collect_schema()
        if wanted.weight is not None:
            kind = schema[wanted.weight]
            check_weight_type(wanted.weight, kind.is_numeric() or kind == nw.Boolean, str(kind))
        by_type: dict[object, list[str]] = {}
        for name in wanted.systems:
            by_type.setdefault(schema[name], []).append(name)
        rows: dict[str, LabelRows] = {}
        for names in by_type.values():  # columns of one type can be stacked, so that one query counts them all
            found = nw.concat([grouped(table, wanted, name) for name in names]).collect()
            system = np.asarray(found[_SYSTEM].to_numpy())
            for name in names:
                where = system == wanted.systems.index(name)
                part = found.filter(where.tolist()) if len(names) > 1 else found
                rows[name] = _rows_of(part, wanted, {_PRED: name}, table)
        return [rows[name] for name in wanted.systems]

    def _label_kinds(self) -> dict[str, tuple[str | None, str]]:
        """Return the kind of the labels of each column as its type says it, and the type."""
        from goodmeasure.packages import nw

        def kind(dtype: Frame) -> str | None:
            if dtype == nw.Boolean:
                return "boolean"
            if dtype.is_numeric():
                return "number"
            return "text" if dtype == nw.String else None

        return {name: (kind(dtype), str(dtype)) for name, dtype in self.table.collect_schema().items()}

    def _with_items(self, wanted: WantedColumns) -> Frame:
        """Return the rows that stand for items; refuse counts that are not whole numbers."""
        from goodmeasure.packages import nw

        if wanted.count is None:
            return self.table
        kind = self.table.collect_schema()[wanted.count]
        check_count_type(wanted.count, kind.is_numeric() or kind == nw.Boolean, str(kind))
        count = nw.col(_COUNT)
        counts = self.table.select(nw.col(wanted.count).cast(nw.Float64).alias(_COUNT))
        bad = counts.filter(count.is_null() | ~count.is_finite() | (count < 0) | (count % 1 != 0)).collect()[_COUNT]
        total = counts.select(nw.len().alias(_NUMBER), count.sum()).collect()
        example = bad.to_list()[0] if len(bad) else None
        check_counts(wanted.count, len(bad), int(total[_NUMBER][0]), example, float(total[_COUNT][0] or 0))
        return self.table.filter(nw.col(wanted.count).cast(nw.Float64) > 0)


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


def _rows_of(part: Frame, wanted: WantedColumns, own: Mapping[str, str], table: Frame) -> LabelRows:
    """Return the rows of some systems from the engine's result; `own` has the system of each column."""
    columns = {key: part[key].to_native() for key in part.columns}
    number, weighed = np.asarray(part[_NUMBER].to_numpy(), np.int64), None
    if wanted.weight is not None:
        weight = wanted.weight
        sums = [np.asarray(part[key].to_numpy(), float) for key in (_WEIGHT, _SQUARES, _KNOWN, _LEAST)]
        weighed = Weighed(weight, lambda: _trouble(table, weight), *sums)
    return rows_of_counts(columns, number, weighed, own, wanted)


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
    columns: Mapping[str, Frame], number: Array, weighed: Weighed | None, own: Mapping[str, str], wanted: WantedColumns
) -> LabelRows:
    """Return counts by raw values as rows; labels are made canonical only now, when the rows are few."""
    weight = squares = None
    if weighed is not None:
        weighed.check(number)
        weight, squares = weighed.weight, weighed.squares
    by = {name: as_column(columns[f"b{k}"], name) for k, name in enumerate(wanted.by)}
    group = None if wanted.group is None else as_column(columns[_GROUP], wanted.group)
    true, *said = as_columns((columns[_TRUE], wanted.true), *((columns[key], name) for key, name in own.items()))
    return LabelRows(true, dict(zip(own.values(), said, strict=True)), number, weight, squares, group, by)


def _trouble(table: Frame, name: str) -> tuple[int, float | None]:
    """Return how many weights are invalid, and one of them."""
    from goodmeasure.packages import nw

    weight = nw.col(_WEIGHT)
    bad = table.select(nw.col(name).cast(nw.Float64).alias(_WEIGHT)).filter(
        weight.is_null() | ~weight.is_finite() | (weight < 0)
    )
    found = bad.collect()[_WEIGHT].to_list()
    return len(found), found[0] if found else None
