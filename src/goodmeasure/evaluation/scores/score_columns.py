"""Read columns of labels and scores from files, and sweep over the scores."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goodmeasure.catalogue.measure import MeasuresLike
from goodmeasure.counts.arguments import as_item_counts
from goodmeasure.counts.readers.reader import column_values
from goodmeasure.counts.text_labels import (
    LabelReading,
    TextRule,
    reading_of,
    refuse_ambiguous,
    refuse_spellings,
    spellings_note,
)
from goodmeasure.exceptions import InputError
from goodmeasure.options import ScoreMissing
from goodmeasure.typing import Array, ArrayLike, Frame, Label

if TYPE_CHECKING:
    from goodmeasure.evaluation.thresholds.sweep import Sweep

MOST_ITEMS = 200_000_000


class Columns(NamedTuple):
    """Columns by name, the role of each, and the files that they come from."""

    values: dict[str, ArrayLike]
    true: str
    scores: tuple[str, ...]
    files: tuple[str, ...]
    pool: bool = False
    parts: int = 0  # how many files were read as one data set, if several
    reading: LabelReading | None = None  # how the labels of a text file were read: as text, numbers …
    notes: tuple[str, ...] = ()  # what a reader must know about how the files were read
    na_values: tuple[str, ...] | None = None

    def label(self, named: Label) -> Label:
        """Return the class that was named as the files have it: there it may be a number, or text."""
        text = None if named is None else str(named)
        if text is None or self.reading is not None:
            return None if self.reading is None else self.reading.label(text)
        return next((x for x in self.values[self.true] if str(x) == text), named)


def read_files(
    files: tuple[str, ...], true: str | None, scores: tuple[str, ...], weight: str | None, keys: tuple[str, ...],
    pool: bool = False,
) -> Columns:  # fmt: skip
    """Open files and read their columns."""
    from goodmeasure.counts.readers.files.label_files import OpenFiles

    named = [x for x in (true, *scores, weight, *keys) if x is not None]
    with OpenFiles([x if x == "-" else Path(x) for x in files], columns=named, pool=pool) as opened:
        return read_columns(opened, true, scores, weight, keys)


def read_columns(
    opened: Frame, true: str | None, scores: tuple[str, ...] | None, weight: str | None, keys: tuple[str, ...],
    count: str | None = None, missing: str = "drop",
) -> Columns:  # fmt: skip
    """Return the columns of true labels, scores, weights and `keys`; columns with obvious names are guessed.

    Without any scores to read, `scores` is None. A row that stands for several items, as the column `count` says, is
    repeated. Where `missing` is "error", a spelling of a missing label is refused.
    """
    from goodmeasure.evaluation.column_names import guess_scores

    if scores is None and true is not None:
        scores = ()
    else:
        true, scores = guess_scores([x for x in opened.header if x not in (weight, count, *keys)], true, scores or ())
    numbers = [*scores, *(x for x in (weight, count) if x is not None)]
    values, reading, rule = repeated(_arrays(opened, [true, *keys], numbers), count), None, opened.untyped
    if rule is not None:
        values |= {name: read_labels(values[name], TextRule())[0] for name in keys if name != true}
        times: Counter[Label] = Counter(values[true])
        values[true], reading = read_labels(values[true], rule)
        refuse_ambiguous(reading, times)
        if reading.absent and missing == "error":
            refuse_spellings(true, reading.absent, times.total(), of_scores=True)
    notes = (spellings_note(reading.absent),) if reading is not None and reading.absent else ()
    return Columns(
        values, true, scores, opened.paths, opened.pool, opened.parts, reading, (*opened.notes, *notes),
        getattr(opened, "na_values", None),
    )  # fmt: skip


def read_labels(labels: list[Label], rule: TextRule) -> tuple[list[Label], LabelReading]:
    """Return the labels of a text column as what they look like (numbers, text), and how they were read."""
    times = Counter(labels)
    reading = reading_of(times, rule)
    known = {label: reading.item(label) for label in times}
    return [known[x] for x in labels], replace(reading, absent={x: times[x] for x in reading.absent})


def _arrays(opened: Frame, keys: list[str], numbers: list[str]) -> dict[str, object]:
    """Return the columns of files: numbers as arrays, others as lists with None where a value is missing."""
    from goodmeasure.counts.readers.duckdb_engine import is_duckdb_error

    try:
        found = column_values(opened.frame(keys, numbers), [*keys, *numbers], numbers)
    except Exception as error:
        if not is_duckdb_error(error):
            raise
        raise opened.in_one_line(error, numbers, "column") from None
    opened.check_rows(len(next(iter(found.values()))), numbers)
    return found


def repeated(values: dict[str, ArrayLike], count: str | None) -> dict[str, ArrayLike]:
    """Return columns in which every item has a row of its own; `count` names how many a row stands for."""
    if count is None:
        return values
    numbers = values[count]
    where = items_of(as_item_counts(numbers, len(numbers)))
    return {name: rows_at(column, where) for name, column in values.items() if name != count}


def items_of(counts: Array) -> Array:
    """Return the row of each item, where a row stands for several; refuse more than can be sorted by their scores."""
    total = int(counts.sum())
    if total > MOST_ITEMS:
        raise InputError(
            "{count} adds up to {total:,} items", total=total, limit=MOST_ITEMS,
            expected="at most {limit:,}, since scores are sorted item by item",
        )  # fmt: skip
    return np.repeat(np.arange(len(counts)), counts)


def rows_at(column: object, where: Array) -> object:
    """Return a column, or a table of scores, at some rows."""
    if isinstance(column, (list, tuple)):
        return [column[k] for k in where.tolist()]
    return np.asarray(column)[where]


def swept_columns(
    columns: Columns, weight: str | None, by: str | None, positive: Label, missing: ScoreMissing,
    measures: MeasuresLike | None, group: str | None = None,
) -> Sweep:  # fmt: skip
    """Return the sweep over the scores."""
    from goodmeasure.evaluation.provenance import FILES, Provenance
    from goodmeasure.evaluation.thresholds.sweep import sweep as swept

    given = {name: columns.values[name] for name in columns.scores}
    found = swept(
        columns.values[columns.true], given[columns.scores[0]] if len(given) == 1 else given, measures=measures,
        positive=columns.label(positive), missing=missing,
        sample_weight=None if weight is None else columns.values[weight],
        by=None if by is None else columns.values[by],
        groups=None if group is None else columns.values[group],
    )  # fmt: skip
    found.source = Provenance(
        FILES, columns.files, columns.true, weight=weight, by=() if by is None else (by,), groups=group,
        missing=missing, positive=found.source.positive, positive_by=found.source.positive_by, scores=columns.scores,
        pool=columns.pool, parts=columns.parts, reading=None if columns.reading is None else str(columns.reading),
        notes=columns.notes, na_values=columns.na_values,
    )  # fmt: skip
    return found
