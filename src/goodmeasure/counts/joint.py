"""What several systems say about the same items: patterns of labels, and how many items have each pattern."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from goodmeasure.counts.class_names import rest_name
from goodmeasure.counts.classes import Order
from goodmeasure.counts.judged import Judged
from goodmeasure.counts.kernel.tally import MOST_DENSE, all_cells, cross
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import GroupCounts, Sample, Slice
from goodmeasure.counts.sparse_counts import SparseCounts
from goodmeasure.typing import Array, Label

_DENSE_TALLY = 1 << 22  # keys below this are tallied in a table, others are sorted
_WIDEST = 2**62  # keys of patterns are kept below this, so that they fit into 64 bits
_FEW_CLASSES = 256  # up to this many classes, a table of the patterns of two systems is small enough


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """The labels of all systems, row by row, where a row is an item or a pattern that several items share.

    `true` holds the position of a row's true class in `labels`, and `pred[k]` that of the class the k-th system
    predicts.
    """

    systems: tuple[str, ...]
    labels: tuple[Label, ...]
    true: Array  # (rows,)
    pred: Array  # (systems, rows)
    number: Array | None = None  # how many items a row stands for; None: one
    weight: Array | None = None  # what the items of a row weigh
    squares: Array | None = None  # the sum of their squared weights
    group: Array | None = None  # the group of a row, by number
    groups: int = 0
    stated: bool = True  # whether the order of two classes says that the last one is positive
    slices: dict[Slice, Joint] = field(default_factory=dict)  # in order
    empty: Mapping[Slice, str] = field(default_factory=dict)  # slices with nothing to compare, and why
    dropped: int = 0  # items left out because a label was missing in some column
    judged: tuple[Judged, ...] = ()  # of each system: what a judge says about these items and those no human labelled

    @property
    def m(self) -> int:
        return len(self.labels)

    @property
    def rows(self) -> int:
        return len(self.true)

    @property
    def items(self) -> int:
        """The number of items."""
        return self.rows if self.number is None else int(self.number.sum())

    @property
    def mass(self) -> Array:
        """What each row adds to its cell: a weight or a number of items, as floats."""
        mass: Array | None = self._mass
        return np.ones(self.rows) if mass is None else np.asarray(mass, np.float64)

    @property
    def _mass(self) -> Array | None:
        return self.number if self.weight is None else self.weight

    def joint(self) -> Joint:
        """Return these counts, as what is yet to be counted does."""
        return self

    def later(self) -> Joint:
        """Return the counts without slices; they do not change when the arrays of a user do."""
        return replace(self, slices={}, empty={})

    def cells(self, k: int) -> Array:
        """Return for each row the number of its cell in the matrix of the k-th system, counted row after row."""
        cells: Array = self.true.astype(np.int64) * self.m + self.pred[k]
        return cells

    def taken(self, where: Array) -> Joint:
        """Return some of the rows."""
        number = None if self.number is None else self.number[where]
        weight = None if self.weight is None else self.weight[where]
        squares = None if self.squares is None else self.squares[where]
        found = replace(
            self, true=self.true[where], pred=self.pred[:, where], number=number, weight=weight, squares=squares
        )  # fmt: skip
        if self.group is None:
            return found
        different, group = np.unique(self.group[where], return_inverse=True)
        return replace(found, group=group, groups=len(different))

    def occurring(self) -> Array:
        """Return which classes are the true or a predicted class of some row; categories may list others."""
        return self.true_classes() | self.predicted_classes().any(axis=0)

    def keeping(self, classes: Array) -> Joint:
        """Return the same data with only these classes, which must include all that occur."""
        if classes.all():
            return self
        place = (np.cumsum(classes) - 1).astype(self.true.dtype)
        labels = tuple(label for label, kept in zip(self.labels, classes.tolist(), strict=True) if kept)
        slices = {where: part.keeping(classes) for where, part in self.slices.items()}
        judged = tuple(x.moved(place) for x in self.judged)
        return replace(
            self, labels=labels, true=place[self.true], pred=place[self.pred], slices=slices, judged=judged
        )  # fmt: skip

    def true_classes(self) -> Array:
        """Return which classes are the true class of some row."""
        seen = np.zeros(self.m, bool)
        seen[self.true] = True
        for one in self.judged:
            seen[one.occurring()] = True
        return seen

    def predicted_classes(self) -> Array:
        """Return which classes each system predicts, as an array of shape (systems, classes)."""
        seen = np.zeros((len(self.systems), self.m), bool)
        for each, said in zip(seen, self.pred, strict=True):
            each[said] = True
        return seen

    def with_positive(self, label: object) -> Joint:
        """Return the data with two classes: everything else, and `label` as the positive class."""
        others = [x for x in self.labels if x != label and x is not None]  # the class of missing labels has no name
        rest: Label = rest_name(label, self.labels)
        if self.m <= 2:
            rest = next(iter(others), "rest" if self.m == 1 else rest)
        place = np.array([x == label for x in self.labels], np.uint8)
        slices = {where: part.with_positive(label) for where, part in self.slices.items()}
        return replace(
            self,
            labels=(rest, label),
            true=place[self.true],
            pred=place[self.pred],
            stated=True,
            slices=slices,
            judged=tuple(x.moved(place) for x in self.judged),
        )

    def sample(self, k: int) -> Sample:
        """Return the counts of the k-th system."""
        keys, m, judged = self.cells(k), self.m, self.judged[k] if self.judged else None
        groups = None if self.group is None else self._by_group(keys)
        if m * m * 8 > MOST_DENSE:
            cells, where = np.unique(keys, return_inverse=True)
            values = np.bincount(where, self._mass, minlength=len(cells))
            values = values if self.weight is not None else values.astype(np.int64)
            sparse = SparseCounts.from_cells(self.labels, cells // m, cells % m, values)
            return Sample(ConfusionMatrix._counted(None, self.labels, Order(fixed=True), sparse), groups, judged)

        def table(values: Array | None, whole: bool) -> Array:
            counts = np.bincount(keys, values, minlength=m * m).reshape(m, m)
            return counts.astype(np.int64) if whole else counts

        matrix = ConfusionMatrix._counted(table(self._mass, self.weight is None), self.labels, Order(fixed=True))
        if self.weight is None:
            return Sample(matrix, groups, judged)
        items = np.ones(self.rows) if self.number is None else self.number
        weighted = Sample.weighted(matrix, table(items, True), table(self.squares, False), groups)
        return replace(weighted, judged=judged)

    def _by_group(self, keys: Array) -> GroupCounts:
        """Return how the items of each group fall into the cells of a matrix."""
        assert self.group is not None
        cells, where = np.unique(self.group * (self.m * self.m) + keys, return_inverse=True)
        values = np.bincount(where, self._mass, minlength=len(cells))
        group, cell = np.divmod(cells, self.m * self.m)
        whole = self.weight is None
        return GroupCounts(
            self.groups, group, cell // self.m, cell % self.m, values.astype(np.int64) if whole else values
        )

    def of(self, *systems: int) -> Joint:
        """Return what some of the systems say, by pattern."""
        chosen = list(systems)
        if len(chosen) == 2 and self.weight is None and self.group is None and self.m <= _FEW_CLASSES:
            return self._pair(*chosen)
        part = replace(self, systems=tuple(self.systems[k] for k in chosen), pred=self.pred[chosen])
        return part.by_pattern()

    def _pair(self, k: int, j: int) -> Joint:
        """Return the patterns of two systems, counted by the compiled kernel."""
        mine, other, number = self.paired(k, j)
        true, first = np.divmod(mine, self.m)
        pred = np.stack([first, other]).astype(self.pred.dtype)
        return Joint(
            (self.systems[k], self.systems[j]), self.labels, true.astype(self.true.dtype), pred,
            number=np.rint(number).astype(np.int64),
        )  # fmt: skip

    def paired(self, k: int, j: int, weights: Array | None = None) -> tuple[Array, Array, Array]:
        """Return how often each cell of one system's matrix meets each class of another's: cells, classes, weights.

        The weight of a row is how many items it stands for, unless other weights are given.
        """
        given = self.number if weights is None else weights
        # Narrow integers, since this loop is bound by memory bandwidth and runs over all pairs of systems.
        kind = np.dtype(np.uint8 if self.m**2 <= 1 << 8 else np.uint16 if self.m**2 <= 1 << 16 else np.int64).type
        cells = self.true.astype(kind, copy=False) * kind(self.m) + self.pred[k]
        crossed = cross(cells, self.pred[j], None if given is None else np.asarray(given, np.float64))
        i, b, together = all_cells(crossed)
        return np.asarray(crossed.rows.values, np.int64)[i], np.asarray(crossed.columns.values, np.int64)[b], together

    def by_pattern(self, most: int | None = None) -> Joint:
        """Return the same data with one row per pattern; unchanged if there are more patterns than `most`."""
        codes = [(self.true, self.m), *((each, self.m) for each in self.pred)]
        if self.group is not None:
            codes.insert(0, (self.group, self.groups))
        found = _patterns(codes, self.rows if most is None else most)
        if found is None:
            return self
        first, where = found

        def added(values: Array | None) -> Array | None:
            return None if values is None else np.bincount(where, values, minlength=len(first))

        number = np.bincount(where, self.number, minlength=len(first)).astype(np.int64)
        group = None if self.group is None else self.group[first]
        return replace(
            self, true=self.true[first], pred=self.pred[:, first], number=number, weight=added(self.weight),
            squares=added(self.squares), group=group,
        )  # fmt: skip


def _patterns(columns: Sequence[tuple[Array, int]], most: int) -> tuple[Array, Array] | None:
    """Return one row of each pattern and the pattern of each row; None if there are more than `most` patterns.

    A pattern is one integer, in which each column is a digit of its own base.
    """
    key, span = np.zeros(len(columns[0][0]), np.int64), 1
    for codes, size in columns:
        if span * size > _WIDEST:  # the integers would overflow: number those that occur from 0
            first, key = np.unique(key, return_inverse=True)
            span = len(first)
            if span > most:
                return None
        key *= size
        key += codes
        span *= size
    if span <= _DENSE_TALLY:
        seen = np.bincount(key, minlength=1) > 0
        place = np.cumsum(seen) - 1
        first = np.empty(int(seen.sum()), np.int64)
        first[place[key]] = np.arange(len(key))
        return None if len(first) > most else (first, place[key])
    _, first, where = np.unique(key, return_index=True, return_inverse=True)
    return None if len(first) > most else (first, where)


def absent_classes(joint: Joint) -> dict[Label, tuple[str, ...]]:
    """Return the classes that no item truly has and only some systems predict, each with these systems."""
    true, said = joint.true_classes(), joint.predicted_classes()
    return {
        joint.labels[c]: tuple(name for name, says in zip(joint.systems, said[:, c], strict=True) if says)
        for c in np.flatnonzero(~true & said.any(axis=0) & ~said.all(axis=0))
    }
