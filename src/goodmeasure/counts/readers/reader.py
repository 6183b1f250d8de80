"""What reads a table: one class for each kind of table, with the same methods, found by `reader_of`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Protocol, cast

from goodmeasure.counts.label_rows import LabelRows
from goodmeasure.counts.readers.columns import WantedColumns, check_columns
from goodmeasure.typing import ArrayLike, Frame


class Countable(Protocol):
    """A table whose labels can be counted."""

    def joint_rows(self, wanted: WantedColumns, most_labels: float = math.inf) -> LabelRows | None:
        """Return rows of all systems: patterns of labels, or items if patterns are too many.

        None if patterns are too many, and the systems have more than `most_labels` labels.
        """
        ...

    def rows_by_system(self, wanted: WantedColumns) -> list[LabelRows]:
        """Return the rows of each system: one for each item if the data is in memory, else counted by the engine."""
        ...


class TableReader(Countable, Protocol):
    """A table, in memory or where an engine has it."""

    is_lazy: bool  # whether the rows are elsewhere, and not in this process's memory as columns

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        ...

    def values(self, names: Sequence[str], numbers: Sequence[str], *, hashable: bool = True) -> dict[str, ArrayLike]:
        """Return the values of columns, of which some are numbers; labels may have to be hashable."""
        ...


class LazyTableReader(TableReader, Protocol):
    """A table whose rows may not fit into memory."""

    def are_numbers(self, names: Sequence[str]) -> bool:
        """Return whether there are such columns, and all of them are numbers."""
        ...

    def meant(self, name: str, values: Sequence[object]) -> list[object]:
        """Return what values of a column, as the engine has them, stand for."""
        ...

    def can_batch(self) -> bool:
        """Return whether the rows can be had in batches."""
        ...

    def batches(self, names: Sequence[str]) -> Iterator[Frame]:
        """Yield columns as data frames in memory (of narwhals), a batch of rows at a time.

        An engine that hands out rows only all at once hands out one batch.
        """
        ...

    def row_counts(self, keys: Sequence[str], count: str | None = None) -> dict[tuple[object, ...], int]:
        """Return how many rows have each combination of values in some columns, counted by the engine.

        With `count`, a column of whole numbers, each row stands for as many.
        """
        ...

    def total(self, name: str | None) -> int:
        """Return the sum of a column of whole numbers; None: the number of rows."""
        ...


def reader_of(frame: Frame, names: Sequence[str] = (), where: str = "the data") -> TableReader:
    """Return the reader of a table, with a column for each path among some names; refuse names that lead nowhere."""
    from goodmeasure.counts.readers.duckdb_engine import DuckdbReader, is_relation
    from goodmeasure.counts.readers.engines import EngineReader, FrameReader, opened
    from goodmeasure.counts.readers.nested import with_paths

    if hasattr(frame, "rows_by_system"):  # files that are no frame read themselves
        return cast(TableReader, frame)
    table = with_paths(frame if is_relation(frame) else opened(frame), names, where)
    found: TableReader
    if is_relation(table):
        found = DuckdbReader(table)
    else:
        found = EngineReader(table) if hasattr(table, "collect") else FrameReader(table)
    check_columns(names, found.columns, where)
    return found


def lazy_reader_of(frame: Frame) -> LazyTableReader:
    """Return the reader of a data frame or a relation."""
    return cast(LazyTableReader, reader_of(frame))


def column_values(
    frame: Frame, names: Sequence[str], numbers: Sequence[str], *, hashable: bool = True
) -> dict[str, ArrayLike]:
    """Return the values of columns of a table, of which some are numbers; labels may have to be hashable."""
    wanted = list(dict.fromkeys(names))
    return reader_of(frame, wanted).values(wanted, numbers, hashable=hashable)
