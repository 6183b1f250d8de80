"""Columns of text files in memory, read by Python alone where DuckDB is not installed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from goodmeasure.counts.arguments import squared
from goodmeasure.counts.label_rows import LabelRows
from goodmeasure.counts.labels import Column, as_column
from goodmeasure.counts.readers.columns import WantedColumns, checked_counts, checked_weights
from goodmeasure.counts.readers.files.compression import BrokenFileError, broken
from goodmeasure.counts.readers.files.file_formats import LabelFile, is_number
from goodmeasure.counts.readers.files.text_records import not_a_number, records
from goodmeasure.counts.readers.nested import inside, path_of
from goodmeasure.counts.text_labels import looks_missing
from goodmeasure.typing import Array, ArrayLike


class TextReader:
    """Columns by name: labels as text, with None where there is none, and numbers as floats."""

    is_lazy = False

    def __init__(self, sources: Sequence[LabelFile], wanted: Sequence[str], numbers: Sequence[str], role: str) -> None:
        """Read columns of files, one after another; refuse what is not a number in a column of `numbers`."""
        found: dict[str, list[object]] = {name: [] for name in wanted}
        for source in sources:
            try:
                _read(source, found, numbers, role)
            except BrokenFileError as error:
                raise broken(source.shown, error) from None
        self._values: dict[str, list[object] | Array] = {
            name: np.array(x, np.float64) if name in numbers else x for name, x in found.items()
        }

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._values)

    def joint_rows(self, wanted: WantedColumns, most_labels: float = math.inf) -> LabelRows | None:
        """Return a row for each item."""
        return self._rows(wanted)

    def rows_by_system(self, wanted: WantedColumns) -> list[LabelRows]:
        """Return a row for each item, which all systems share."""
        return [self._rows(wanted)]

    def _rows(self, wanted: WantedColumns) -> LabelRows:
        def column(name: str) -> Column:
            return as_column(self._values[name], name)

        weight = (
            None if wanted.weight is None else checked_weights(wanted.weight, np.asarray(self._values[wanted.weight]))
        )
        squares = None if weight is None else squared(weight, f"weight column {wanted.weight!r}")
        group = None if wanted.group is None else column(wanted.group)
        systems, by = ({name: column(name) for name in names} for names in (wanted.systems, wanted.by))
        rows = LabelRows(column(wanted.true), systems, None, weight, squares, group, by)
        if wanted.count is None:
            return rows
        return rows.standing_for(checked_counts(wanted.count, np.asarray(self._values[wanted.count])))

    def values(self, names: Sequence[str], numbers: Sequence[str], *, hashable: bool = True) -> dict[str, ArrayLike]:
        """Return the values of columns."""
        return {name: self._values[name] for name in names}


def _read(source: LabelFile, columns: dict[str, list[object]], numbers: Sequence[str], role: str) -> None:
    """Add the rows of one file to the columns."""
    paths = {name: path_of(name, source.names) for name in columns}
    places = {name: source.names.index(name if path is None else path.root) for name, path in paths.items()}
    for line, fields in records(source):
        for name, values in columns.items():
            path, field = paths[name], fields[places[name]]
            if name in numbers and name in source.commas:
                field = field.replace(",", ".")
            if name in numbers and looks_missing(field):
                field = ""
            value = (field or None) if path is None else inside(field, path.steps)
            if name not in numbers:
                values.append(value)
            elif value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)):
                values.append(float("nan") if value is None else value)
            elif isinstance(value, str) and is_number(value):
                values.append(float(value))
            else:
                raise not_a_number(role, repr(name), field, source.place(line))
