"""The result of counting: a sample for each system and slice, with what resampling its items needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.counts.arguments import check_positive
from goodmeasure.counts.judged import Judged
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.text_labels import LabelReading
from goodmeasure.documents import NOT_STORED
from goodmeasure.typing import Array, Label

if TYPE_CHECKING:
    from goodmeasure.counts.counted_rows import JointCounting
    from goodmeasure.counts.joint import Joint


@dataclass(frozen=True, slots=True, eq=False)
class GroupCounts:
    """Counts by group, for items that come in groups (patients, documents) and are resampled as a whole.

    The k-th entry says that `values[k]` (items, or their weight) of group `group[k]` fall into the cell (`rows[k]`,
    `cols[k]`); groups are numbered from 0 to `size` − 1.
    """

    size: int
    group: Array
    rows: Array
    cols: Array
    values: Array


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The counts of one system on the items of one slice.

    Without weights an item adds 1 to its cell of `matrix`. With weights `matrix` holds their sums, and knows the items
    behind it (`matrix.weighing`), which is enough for the variance of every cell under resampling.
    """

    matrix: ConfusionMatrix
    groups: GroupCounts | None = None
    judged: Judged | None = None  # a judge's labels, of these items and of those without a human label

    @classmethod
    def weighted(
        cls, matrix: ConfusionMatrix, items: Array, squares: Array, groups: GroupCounts | None = None
    ) -> Sample:
        """Return the sample of a matrix of weights: arrays of the number of items and of their squared weights."""
        return cls(matrix.weighed(*(ConfusionMatrix(x, matrix.labels) for x in (items, squares))), groups)

    @property
    def items(self) -> Array | None:
        """The number of items in each cell; None without weights, and for a sparse matrix."""
        known = self.matrix.weighing
        return None if known is None or known.items.is_sparse else known.items.counts

    @property
    def squares(self) -> Array | None:
        """The sums of squared weights in each cell; None without weights, and for a sparse matrix."""
        known = self.matrix.weighing
        return None if known is None or known.squares.is_sparse else known.squares.counts

    @property
    def item_count(self) -> int | None:
        """The number of items; None if only a matrix with fractional counts is known."""
        return self.matrix.item_count

    def with_classes(self, labels: tuple[Label, ...]) -> Sample:
        """Return the sample with rows and columns for these classes, which may be more than occur in it."""
        if labels == self.matrix.labels:
            return self
        place = {label: k for k, label in enumerate(labels)}
        return self._moved(self.matrix.aligned(labels), [place[x] for x in self.matrix.labels])

    def occurring(self) -> tuple[Label, ...]:
        """Return the classes that are the true or the predicted class of some item, in order."""
        if self.matrix.is_sparse:
            return self.matrix.labels
        cells = self.matrix.counts if self.items is None else self.items
        seen = (cells.sum(axis=0) > 0) | (cells.sum(axis=1) > 0)
        if self.judged is not None:
            seen[self.judged.occurring()] = True
        return tuple(label for label, occurs in zip(self.matrix.labels, seen.tolist(), strict=True) if occurs)

    def with_occurring(self) -> Sample:
        """Return the sample without classes that do not occur in it."""
        labels, matrix = self.occurring(), self.matrix
        if labels == matrix.labels:
            return self
        place = {label: k for k, label in enumerate(labels)}
        return self._moved(matrix._restricted(labels), [place.get(x, 0) for x in matrix.labels])

    def with_positive(self, label: object) -> Sample:
        """Return the sample of two classes: everything else, and `label` as the positive class, so the last."""
        known = self.matrix.labels
        check_positive(label, known)
        return self._moved(self.matrix.with_positive(label), [int(x == label) for x in known])

    def _moved(self, matrix: ConfusionMatrix, to: list[int]) -> Sample:
        """Return the sample with its classes at other positions; classes at the same position become one."""
        groups, places = self.groups, np.array(to, dtype=np.int64)
        if groups is not None:
            groups = GroupCounts(groups.size, groups.group, places[groups.rows], places[groups.cols], groups.values)
        return Sample(matrix, groups, None if self.judged is None else self.judged.moved(places))


class Slice(tuple[tuple[str, Label], ...]):
    """The items with certain values in certain columns, as (column, value) pairs; None is a missing value.

    >>> str(Slice([("country", "DE"), ("age", None)]))
    'country=DE, age missing'
    """

    __slots__ = ()

    def _stored(self) -> tuple[tuple[str, Label], ...]:
        """Return what a document holds."""
        return tuple(self)

    @classmethod
    def _restored(cls, pairs: tuple[tuple[str, Label], ...]) -> Slice:
        """Return the slice that a document holds."""
        return cls(pairs)

    def __str__(self) -> str:
        return ", ".join(f"{column} missing" if value is None else f"{column}={value}" for column, value in self)


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """The counts of one or several systems, on all items (slice None) and by slice.

    Every matrix is the one that `confusion` returns for the same items alone.
    """

    samples: dict[tuple[str, Slice | None], Sample]
    systems: tuple[str, ...]
    slices: tuple[Slice, ...]  # in order, without None
    labels: tuple[Label, ...]  # the classes of all systems
    rows: int
    missing: dict[str, int]  # missing labels by column, if there are any
    dropped: dict[str, int]  # by system: items left out because a label was missing
    empty: dict[tuple[str, Slice], str] = field(default_factory=dict)  # slices with nothing to count, and why
    reading: LabelReading | None = None  # how labels in text files were read
    # How to count which item got which labels; None if that is not known.
    jointly: JointCounting | Joint | None = field(default=None, metadata=NOT_STORED)

    def joint(self) -> Joint:
        """Return the joint counts of all systems."""
        assert self.jointly is not None
        return self.jointly.joint()
