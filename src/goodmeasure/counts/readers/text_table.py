"""Columns of text files in memory, read by Python alone where DuckDB is not installed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from goodmeasure.counts.arguments import squared
from goodmeasure.counts.files.compression import BrokenFileError, broken
from goodmeasure.counts.files.file_formats import LabelFile, is_number
from goodmeasure.counts.labels import as_column
from goodmeasure.counts.readers.text_records import not_a_number, records
from goodmeasure.counts.tables.columns import WantedColumns, checked_counts, checked_weights
from goodmeasure.counts.tables.label_rows import LabelRows
from goodmeasure.counts.tables.nested import inside, path_of
from goodmeasure.counts.text_labels import looks_missing
from goodmeasure.typing import Array, Label


@dataclass(frozen=True)
class TextTable:
    """Columns by name: labels as text, with None where there is none, and numbers as floats."""

    columns: dict[str, list[Label] | Array]

    @classmethod
    def of_files(
        cls, sources: Sequence[LabelFile], wanted: Sequence[str], numbers: Sequence[str], role: str
    ) -> TextTable:
        """Return columns of files, one after another; refuse what is not a number in a column of `numbers`."""
        columns: dict[str, list[object]] = {name: [] for name in wanted}
        for source in sources:
            try:
                _read(source, columns, numbers, role)
            except BrokenFileError as error:
                raise broken(source.shown, error) from None
        return cls({name: np.array(x, np.float64) if name in numbers else x for name, x in columns.items()})

    def rows(self, wanted: WantedColumns) -> dict[str, LabelRows]:
        """Return a row for each item, for each system."""
        weight = None if wanted.weight is None else checked_weights(wanted.weight, self._numbers(wanted.weight))
        squares = None if weight is None else squared(weight, f"weight column {wanted.weight!r}")
        items = None if wanted.count is None else checked_counts(wanted.count, self._numbers(wanted.count))
        group = None if wanted.group is None else as_column(self.columns[wanted.group], wanted.group)
        by = {name: as_column(self.columns[name], name) for name in wanted.by}
        true = as_column(self.columns[wanted.true], wanted.true)
        found = {}
        for name in wanted.systems:
            each = LabelRows(true, as_column(self.columns[name], name), None, weight, squares, group, by)
            found[name] = each if items is None else each.standing_for(items)
        return found

    def _numbers(self, name: str) -> Array:
        return np.asarray(self.columns[name], np.float64)


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
