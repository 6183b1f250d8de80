"""Rows of labels, each for one item or for several that an engine has counted, and how they become samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from goodmeasure.counts.arguments import unpacked
from goodmeasure.counts.classes import Order
from goodmeasure.counts.counting import NOTHING_LEFT, NothingLeft, check_labels, count_columns
from goodmeasure.counts.kernel.tally import all_cells, cross, encoded
from goodmeasure.counts.labels import Column, as_labels_of
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Counted, GroupCounts, Sample, Slice
from goodmeasure.counts.text_labels import TEXT, LabelReading, TextRule, reading_of, refuse_ambiguous
from goodmeasure.exceptions import Argument, InputError
from goodmeasure.typing import Array, ArrayLike, Label, LabelsLike

NO_WEIGHT = "every weight is 0"
FEW_SLICES = 200  # up to this many slices, those of one item are accepted


@dataclass(frozen=True, slots=True, eq=False)
class LabelRows:
    """The labels of one system, with what resampling needs beyond them."""

    true: Column
    pred: Column
    number: Array | None = None  # how many items a row stands for; None: one
    weight: Array | None = None  # what the items of a row weigh
    squares: Array | None = None  # the sum of their squared weights
    group: Column | None = None
    by: Mapping[str, Column] | None = None

    def taken(self, where: Array) -> LabelRows:
        """Return some of the rows."""
        arrays = {
            name: None if values is None else values[where]
            for name, values in (("number", self.number), ("weight", self.weight), ("squares", self.squares))
        }
        group = None if self.group is None else self.group.taken(where)
        return replace(self, true=self.true.taken(where), pred=self.pred.taken(where), group=group, by=None, **arrays)

    def copied(self, known: dict[int, ArrayLike]) -> LabelRows:
        """Return the same rows without slices, in memory of their own; `known` holds the copies made before, by id."""

        def copy(values: ArrayLike) -> ArrayLike:
            if id(values) not in known:
                known[id(values)] = (
                    values[:] if isinstance(values, list) else None if values is None else np.array(values)
                )
            return known[id(values)]

        def column(given: Column) -> Column:
            return Column(given.name, copy(given.data), given.to_labels, given.categories)

        group = None if self.group is None else column(self.group)
        arrays = {name: copy(getattr(self, name)) for name in ("number", "weight", "squares")}
        return replace(self, true=column(self.true), pred=column(self.pred), group=group, by=None, **arrays)

    def standing_for(self, items: Array) -> LabelRows:
        """Return the rows that stand for at least one item, each for as many as `items` says."""
        where = np.flatnonzero(items)
        rows = self
        if len(where) < len(items):
            by = None if self.by is None else {name: column.taken(where) for name, column in self.by.items()}
            rows, items = replace(self.taken(where), by=by), items[where]
        weight, squares = (None if x is None else x * items for x in (rows.weight, rows.squares))
        return replace(rows, number=items, weight=weight, squares=squares)

    @property
    def size(self) -> int:
        """The number of items."""
        return len(self.true) if self.number is None else int(self.number.sum())

    def sized(self, which: Array) -> int:
        """Return how many items are in the rows for which `which` holds."""
        return int(which.sum() if self.number is None else self.number[which].sum())

    def sample(self, labels: LabelsLike | None, missing: str) -> Sample:
        """Return the counts of these rows."""
        if self.number is None and self.weight is None and self.group is None:
            return Sample(count_columns(self.true, self.pred, labels=labels, missing=missing))
        rows, dropped = self, 0
        if missing == "drop":
            keep = self.true.present() & self.pred.present()
            dropped = self.sized(~keep)
            if not keep.any():
                raise NothingLeft
            rows = self.taken(np.flatnonzero(keep)) if dropped else self
        return rows._whole_sample(labels, missing, dropped)

    def _whole_sample(self, labels: LabelsLike | None, missing: str, dropped: int) -> Sample:
        """Return the counts of rows that are all kept, with the sums that weights need."""

        def counted(weights: Array | None, whole: bool) -> ConfusionMatrix:
            whole = whole and weights is not None
            return count_columns(self.true, self.pred, labels=labels, missing=missing, weights=weights, whole=whole)

        weighted = self.weight is not None
        matrix = counted(self.weight if weighted else self.number, whole=not weighted)
        if dropped:
            matrix = ConfusionMatrix._of(matrix._parts._replace(dropped=dropped))
        groups = None if self.group is None else self._by_group(matrix)
        if weighted:
            matrix = matrix.weighed(counted(self.number, whole=True), counted(self.squares, whole=False))
        return Sample(matrix, groups)

    def _by_group(self, matrix: ConfusionMatrix) -> GroupCounts:
        """Return how the items of each group fall into the cells."""
        assert self.group is not None
        place = {label: k for k, label in enumerate(matrix.labels)}
        cells = self._places(self.true, place) * len(place) + self._places(self.pred, place)
        group, size = numbered(self.group)
        weights = self.number if self.weight is None else self.weight
        crossed = cross(group, cells, None if weights is None else weights.astype(np.float64, copy=False))
        i, j, values = all_cells(crossed)
        found = np.asarray(crossed.columns.values)[j]
        if self.weight is None:
            values = values.astype(np.int64, copy=False)
        return GroupCounts(size, np.asarray(crossed.rows.values)[i], found // matrix.m, found % matrix.m, values)

    @staticmethod
    def _places(column: Column, place: Mapping[object, int]) -> Array:
        found, codes = encoded(column.data)
        return np.array([place[x] for x in column.to_labels(found.values)], np.int64)[codes]

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
        _, first, numbers = np.unique(codes, return_inverse=True, return_counts=True)
        if len(numbers) <= FEW_SLICES:
            return
        if self.number is not None:
            numbers = np.bincount(first.reshape(-1), self.number)
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


def _places_by_code(codes: Array) -> list[tuple[int, Array]]:
    """Return each code that occurs, in order, with the positions where it does."""
    order = np.argsort(codes, kind="stable")
    different, starts = np.unique(codes[order], return_index=True)
    return list(zip(different.tolist(), np.split(order, starts[1:]), strict=True))


def ordered_codes(column: Column) -> tuple[Array, tuple[object, ...]]:
    """Return for each row the position of its value among the different values in order, a missing one last."""
    found, codes = encoded(column.data)
    labels = column.to_labels(found.values)
    values = Order(column.categories).arranged(labels)
    place = {label: k for k, label in enumerate(values)}
    return np.array([place[x] for x in labels], np.int64)[codes], values


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


def how_many_missing(column: Column, number: Array | None = None) -> int:
    """Return how many items have no label in a column."""
    if isinstance(column.data, np.ndarray) and column.data.dtype.kind in "biuUS" and column.to_labels is as_labels_of:
        return 0
    found, codes = encoded(column.data)
    absent = np.array([x is None for x in column.to_labels(found.values)], bool)
    if not absent.any():
        return 0
    return int(absent[codes].sum() if number is None else number[absent[codes]].sum())


def count_rows(
    systems: Mapping[str, LabelRows], *, labels: LabelsLike | None, missing: str, lacking: Mapping[str, int]
) -> Counted:
    """Return the samples of several systems on the same items; `lacking` counts missing labels by column."""
    samples: dict[tuple[str, Slice | None], Sample] = {}
    empty: dict[tuple[str, Slice], str] = {}
    parts: dict[tuple[str, Slice | None], Sample] = {}
    rows, sliced = 0, list[tuple[Slice, Array]]()
    for name, each in systems.items():
        samples[name, None] = each.sample(labels, missing)
        if not samples[name, None].matrix.n > 0:
            raise InputError("{sample_weight} is 0 for every item", advice="give some items a weight, or leave it out")
        rows = each.size
        if labels is None:
            check_labels(samples[name, None].matrix, each.true, each.pred, rows)
        sliced = each.sliced()
        for piece, where in sliced:
            try:
                sample = each.taken(where).sample(labels, missing)
            except NothingLeft:
                empty[name, piece] = NOTHING_LEFT
                continue
            if sample.matrix.n > 0:
                parts[name, piece] = sample
            else:
                empty[name, piece] = NO_WEIGHT
    samples.update(parts)
    whole = [samples[name, None].matrix for name in systems]
    dropped = {name: int(cm.dropped) for name, cm in zip(systems, whole, strict=True)}
    slices, classes = tuple(piece for piece, _ in sliced), union_of([(cm.labels, cm._order) for cm in whole], labels)
    return Counted(samples, tuple(systems), slices, classes, rows, dict(lacking), dropped, empty)


def union_of(found: Sequence[tuple[tuple[object, ...], Order]], labels: LabelsLike | None) -> tuple[object, ...]:
    """Return the classes of several matrices in the order that their data gives."""
    if labels is not None:
        return max((known for known, _ in found), key=len)
    order = found[0][1]
    for _, other in found[1:]:
        order = order.joined(other)
    return order.arranged(label for known, _ in found for label in known)


def read_rows(
    systems: Mapping[str, LabelRows], labels: ArrayLike, rule: TextRule
) -> tuple[dict[str, LabelRows], LabelsLike | None, LabelReading]:
    """Return the rows of a text file and the classes that the user named, with all labels as they are read.

    How to read them is decided for the true labels, those of every system and the user's together, and for slices and
    groups column by column.
    """
    named = [] if labels is None else [unpacked(x) for x in labels]
    found: dict[int, _Distinct] = {}
    for each in systems.values():
        for column in (each.true, each.pred):
            found.setdefault(id(column.data), _Distinct(column))
    seen = dict.fromkeys((type(x), x) for one in found.values() for x in one.labels)
    reading = reading_of([x for _, x in seen], rule, named)
    times = Counter[Label]()
    for k, each in enumerate(systems.values()):
        for column in (each.pred,) if k else (each.true, each.pred):
            found[id(column.data)].add_to(times, each.number)
    if not named:
        refuse_ambiguous(reading, times)
    reading = replace(reading, absent={x: times[x] for x in reading.absent})
    rows = {
        name: replace(
            each,
            true=found[id(each.true.data)].read(reading, each.true),
            pred=found[id(each.pred.data)].read(reading, each.pred),
            group=None if each.group is None else _read_alone(each.group),
            by=None if each.by is None else {key: _read_alone(column) for key, column in each.by.items()},
        )
        for name, each in systems.items()
    }
    return rows, None if labels is None else [reading.label(x) for x in named], reading


def spelled_in(column: Column, number: Array | None, reading: LabelReading) -> dict[str, int]:
    """Return how often each spelling of a missing label occurs in a column, as it came from a text file."""
    times = Counter[Label]()
    _Distinct(column).add_to(times, number)
    return {x: times[x] for x in reading.absent if times[x]}


def _read_alone(column: Column) -> Column:
    distinct = _Distinct(column)
    return distinct.read(reading_of(distinct.labels), column)


class _Distinct:
    """The different labels of a column, and for each row which of them it has."""

    def __init__(self, column: Column) -> None:
        values, self.codes = encoded(column.data)
        self.labels = column.to_labels(values.values)

    def read(self, reading: LabelReading, column: Column) -> Column:
        """Return the column with its labels as they are read."""
        if reading.kind == TEXT and not reading.absent:
            return column
        known = [reading.item(x) for x in self.labels]
        return Column(column.name, self.codes, lambda codes: [known[k] for k in codes.tolist()])

    def add_to(self, times: Counter[Label], number: Array | None) -> None:
        """Add how often each label occurs, where a row stands for `number` items."""
        for label, size in zip(self.labels, np.bincount(self.codes, number, len(self.labels)), strict=True):
            times[label] += int(size)
