"""Rows of labels: the true one and that of each system, for one item or for several that an engine has counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from goodmeasure.counts.arguments import unpacked
from goodmeasure.counts.classes import Order
from goodmeasure.counts.counting import NothingLeft, count_columns
from goodmeasure.counts.kernel.tally import all_cells, cross
from goodmeasure.counts.labels import Column
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import GroupCounts, Sample, Slice
from goodmeasure.counts.text_labels import TEXT, LabelReading, TextRule, reading_of, refuse_ambiguous
from goodmeasure.exceptions import Argument, InputError
from goodmeasure.typing import Array, ArrayLike, Label, LabelsLike

_SHORT = 1 << 16  # codes that integers of 16 bits hold
FEW_SLICES = 200  # up to this many slices, those of one item are accepted


@dataclass(frozen=True, slots=True, eq=False)
class LabelRows:
    """The labels of one or several systems on the same items, with what resampling needs beyond them."""

    true: Column
    systems: Mapping[str, Column]
    number: Array | None = None  # how many items a row stands for; None: one
    weight: Array | None = None  # what the items of a row weigh
    squares: Array | None = None  # the sum of their squared weights
    group: Column | None = None
    by: Mapping[str, Column] = field(default_factory=dict)  # what the items are sliced by
    beside: Mapping[str, Column] = field(default_factory=dict)  # what else is known about each item

    @property
    def labels(self) -> list[Column]:
        """The columns of labels."""
        return [self.true, *self.systems.values()]

    def changed(self, column: Callable[[Column], Column], array: Callable[[Array], Array]) -> LabelRows:
        """Return the rows with a function applied to every column, and another to every array of numbers."""
        number, weight, squares = (None if x is None else array(x) for x in (self.number, self.weight, self.squares))
        systems, by, beside = (
            {name: column(x) for name, x in known.items()} for known in (self.systems, self.by, self.beside)
        )
        group = None if self.group is None else column(self.group)
        return LabelRows(column(self.true), systems, number, weight, squares, group, by, beside)

    def taken(self, where: Array) -> LabelRows:
        """Return some of the rows."""
        return self.changed(lambda x: x.taken(where), lambda x: x[where])

    def sliced_by(self, by: Iterable[str], beside: Iterable[str]) -> LabelRows:
        """Return the rows with only some of the columns as those of slices, and others beside them."""
        return replace(self, by={x: self.by[x] for x in by}, beside={x: self.by[x] for x in beside})

    def whole(self) -> LabelRows:
        """Return the rows without the columns that slice them."""
        return replace(self, by={})

    @property
    def is_split(self) -> bool:
        """Whether rows that stand for several items are apart because of the slices alone."""
        return bool(self.by) and self.number is not None

    def copied(self) -> LabelRows:
        """Return the same rows without slices, in memory of their own."""
        return self.whole().changed(Column.copied, np.array)

    def read(self) -> LabelRows:
        """Return these rows."""
        return self

    def standing_for(self, items: Array) -> LabelRows:
        """Return the rows that stand for at least one item, each for as many as `items` says."""
        where = np.flatnonzero(items)
        rows, items = (self, items) if len(where) == len(items) else (self.taken(where), items[where])
        weight, squares = (None if x is None else x * items for x in (rows.weight, rows.squares))
        return replace(rows, number=items, weight=weight, squares=squares)

    @property
    def size(self) -> int:
        """The number of items."""
        return len(self.true) if self.number is None else int(self.number.sum())

    def sized(self, which: Array) -> int:
        """Return how many items are in the rows for which `which` holds."""
        return int(which.sum() if self.number is None else self.number[which].sum())

    def lacking(self, column: Column) -> int:
        """Return how many items have no label in a column."""
        return 0 if column.is_never_missing else self.sized(~column.present())

    def sample(self, system: str, labels: LabelsLike | None, missing: str) -> Sample:
        """Return the counts of one system."""
        true, pred = self.true, self.systems[system]
        if self.number is None and self.weight is None and self.group is None:
            return Sample(count_columns(true, pred, labels=labels, missing=missing))
        rows, dropped = replace(self, systems={system: pred}, by={}), 0
        if missing == "drop":
            keep = true.present() & pred.present()
            dropped = self.sized(~keep)
            if not keep.any():
                raise NothingLeft
            rows = rows.taken(np.flatnonzero(keep)) if dropped else rows
        return rows._whole_sample(labels, missing, dropped)

    def _whole_sample(self, labels: LabelsLike | None, missing: str, dropped: int) -> Sample:
        """Return the counts of the rows of one system that are all kept, with the sums that weights need."""
        (pred,) = self.systems.values()

        def counted(weights: Array | None, whole: bool) -> ConfusionMatrix:
            whole = whole and weights is not None
            return count_columns(self.true, pred, labels=labels, missing=missing, weights=weights, whole=whole)

        weighted = self.weight is not None
        matrix = counted(self.weight if weighted else self.number, whole=not weighted)
        if dropped:
            matrix = ConfusionMatrix._of(matrix._parts._replace(dropped=dropped))
        groups = None if self.group is None else self._by_group(self.group, pred, matrix)
        if weighted:
            matrix = matrix.weighed(counted(self.number, whole=True), counted(self.squares, whole=False))
        return Sample(matrix, groups)

    def _by_group(self, by: Column, pred: Column, matrix: ConfusionMatrix) -> GroupCounts:
        """Return how the items of each group fall into the cells."""
        cells = self.true.places(matrix.labels) * matrix.m + pred.places(matrix.labels)
        group, size = numbered(by)
        weights = self.number if self.weight is None else self.weight
        crossed = cross(group, cells, None if weights is None else weights.astype(np.float64, copy=False))
        i, j, values = all_cells(crossed)
        found = np.asarray(crossed.columns.values)[j]
        if self.weight is None:
            values = values.astype(np.int64, copy=False)
        return GroupCounts(size, np.asarray(crossed.rows.values)[i], found // matrix.m, found % matrix.m, values)

    def sliced(self) -> list[tuple[Slice, Array]]:
        """Return the slices in order, each with the positions of its rows.

        With several columns, the slices of each column alone come first, then those of all columns together.
        """
        if not self.by:
            return []
        key, listed = np.zeros(len(self.true), np.int64), []
        found: list[tuple[Slice, Array]] = []
        for name, column in self.by.items():
            codes, values = ordered_codes(column)
            self._refuse_identifiers(codes, Argument("by", name))
            key = key * len(values) + codes
            listed.append(values)
            if len(self.by) > 1:
                found += [(Slice([(name, values[code])]), where) for code, where in _places_by_code(codes)]
        self._refuse_identifiers(key, Argument("by"))
        for code, where in _places_by_code(key):
            chosen = []
            for known in reversed(listed):
                code, k = divmod(code, len(known))
                chosen.append(known[k])
            found.append((Slice(zip(self.by, reversed(chosen), strict=True)), where))
        return found

    def _refuse_identifiers(self, codes: Array, argument: Argument) -> None:
        """Refuse slices by an identifier: slices of single items are useless, and there would be as many as items."""
        codes, _ = _near(codes)
        rows = np.bincount(codes)
        numbers = rows[rows > 0]
        if len(numbers) <= FEW_SLICES:
            return
        if self.number is not None:
            numbers = np.bincount(codes, self.number)[rows > 0]
        alone, size = int((numbers == 1).sum()), self.size
        if 2 * alone > size:
            raise InputError(
                "{which} gives {different:,} slices, and {alone:,} of the {size:,} items are alone in theirs",
                which=argument,
                different=len(numbers),
                alone=alone,
                size=size,
                advice="if it is an identifier, give it as {groups:=} or leave it out; else put its values into ranges",
            )

    def spelled(self, column: Column, reading: LabelReading) -> dict[str, int]:
        """Return how often each spelling of a missing label occurs in a column, as it came from a text file."""
        times = _Distinct(column).times(self.number)
        return {x: times[x] for x in reading.absent if times[x]}


def _places_by_code(codes: Array) -> list[tuple[int, Array]]:
    """Return each code that occurs, in order, with the positions where it does."""
    codes, names = _near(codes)
    sizes = np.bincount(codes)
    if len(sizes) <= _SHORT:
        codes = codes.astype(np.uint16)  # which NumPy sorts digit by digit
    different = np.flatnonzero(sizes)
    ends = np.cumsum(sizes[different])
    found = np.split(np.argsort(codes, kind="stable"), ends[:-1])
    return list(zip((different if names is None else names[different]).tolist(), found, strict=True))


def _near(codes: Array) -> tuple[Array, Array | None]:
    """Return codes from 0 on that are about as many as rows, and what they stand for if they are others."""
    if not len(codes) or int(codes.max()) < max(_SHORT, 4 * len(codes)):
        return codes, None
    names, near = np.unique(codes, return_inverse=True)
    return near.reshape(-1), names


def ordered_codes(column: Column) -> tuple[Array, tuple[object, ...]]:
    """Return for each row the position of its value among the different values in order, a missing one last."""
    values = Order(column.categories).arranged(column.coded()[0])
    return column.places(values), values


def numbered(column: Column) -> tuple[Array, int]:
    """Return the number of each row's group, and how many groups there are; refuse missing groups."""
    codes, values = ordered_codes(column)
    if values and values[-1] is None:
        raise InputError(
            "{name} is missing for {number} rows",
            name=column.name,
            number=int((codes == len(values) - 1).sum()),
            advice="every item needs a group, so leave those rows out, or give each a group of its own",
        )
    return codes, len(values)


def read_text(
    tables: Sequence[LabelRows], labels: ArrayLike, rule: TextRule
) -> tuple[list[LabelRows], LabelsLike | None, LabelReading]:
    """Return the rows of a text file and the classes that the user named, with all labels as they are read.

    How to read them is decided for the true labels, those of every system and the user's together, and for slices and
    groups column by column.
    """
    named = [] if labels is None else [unpacked(x) for x in labels]
    found = {id(column): _Distinct(column) for rows in tables for column in rows.labels}
    seen = dict.fromkeys((type(x), x) for one in found.values() for x in one.labels)
    reading = reading_of([x for _, x in seen], rule, named)
    times = Counter[Label]()
    for k, rows in enumerate(tables):
        for column in rows.labels[1:] if k else rows.labels:  # true labels are counted once
            times += found[id(column)].times(rows.number)
    if not named:
        refuse_ambiguous(reading, times)
    reading = replace(reading, absent={x: times[x] for x in reading.absent})

    def read(column: Column) -> Column:
        known = found.get(id(column))
        if known is None:  # a slice or a group, which is read alone
            known = _Distinct(column)
            return known.read(reading_of(known.labels), column)
        return known.read(reading, column)

    read_tables = [rows.changed(read, lambda x: x) for rows in tables]
    return read_tables, None if labels is None else [reading.label(x) for x in named], reading


class _Distinct:
    """The different labels of a column, and for each row which of them it has."""

    def __init__(self, column: Column) -> None:
        self.labels, self.codes = column.coded()

    def read(self, reading: LabelReading, column: Column) -> Column:
        """Return the column with its labels as they are read."""
        if reading.kind == TEXT and not reading.absent:
            return column
        known = [reading.item(x) for x in self.labels]
        return Column(column.name, self.codes, lambda codes: [known[k] for k in codes.tolist()])

    def times(self, number: Array | None) -> Counter[Label]:
        """Return how often each label occurs, where a row stands for `number` items."""
        times = Counter[Label]()
        for label, size in zip(self.labels, np.bincount(self.codes, number, len(self.labels)), strict=True):
            times[label] += int(size)
        return times
