"""What a confusion matrix knows, as one value that never changes: `update` replaces all of it at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goodmeasure.counts.classes import Order
from goodmeasure.counts.sparse_counts import SparseCounts
from goodmeasure.typing import Array, Label

if TYPE_CHECKING:
    from goodmeasure.counts.matrix import ConfusionMatrix


class Fetch:
    """Counts that stay on the device where they were counted until somebody asks; they are copied once."""

    __slots__ = ("_copy", "_counts")

    def __init__(self, copy: Callable[[], Array]) -> None:
        self._copy: Callable[[], Array] | None = copy
        self._counts: Array | None = None

    def __call__(self) -> Array:
        copy = self._copy  # read first: it is forgotten only after the counts are known
        if self._counts is None:
            assert copy is not None
            counts = copy()
            counts.flags.writeable = False
            self._counts = counts
            self._copy = None  # frees the memory of the device
        return self._counts


class Weighing(NamedTuple):
    """The items behind a matrix of weights: how many are in each cell, and the sums of their squared weights.

    With the sums of the weights themselves, which the matrix holds, this is enough for the variance of every cell under
    resampling (`counts/sample.py`). Both are matrices of the same classes, without items behind them.
    """

    items: ConfusionMatrix
    squares: ConfusionMatrix

    def each(self, change: Callable[[ConfusionMatrix], ConfusionMatrix]) -> Weighing:
        """Return both matrices changed in the same way, such as with their classes in another order."""
        return Weighing(change(self.items), change(self.squares))


class MatrixParts(NamedTuple):
    """All that a matrix knows."""

    held: Array | Fetch | None  # None if the matrix is sparse
    labels: tuple[Label, ...]
    order: Order
    sparse: SparseCounts | None = None
    dropped: float = 0  # items left out because a label was missing
    weighing: Weighing | None = None  # None: every item counts 1, or nothing is known about the items

    @property
    def counts(self) -> Array | None:
        """The counts of a matrix that is not sparse, fetched if they are on another device."""
        return self.held() if isinstance(self.held, Fetch) else self.held


def weighing_of(matrix: ConfusionMatrix) -> Weighing | None:
    """Return the items behind a matrix: where counts are whole numbers, each item weighs 1; None if nothing is known.

    Counts with fractions that came without their items do not tell how many items there are.
    """
    known = matrix._parts.weighing
    if known is not None or matrix.batch:
        return known
    values = matrix.sparse.cells()[2] if matrix.is_sparse else matrix.counts
    whole = values.dtype.kind in "iu" or (values.dtype.kind == "f" and bool((values == np.rint(values)).all()))
    return Weighing(matrix, matrix) if whole else None


def both_weighed(
    first: ConfusionMatrix,
    second: ConfusionMatrix,
    combine: Callable[[ConfusionMatrix, ConfusionMatrix], ConfusionMatrix],
) -> Weighing | None:
    """Return the items behind two matrices that are combined; None if no item is weighted, or if nothing is known."""
    if first._parts.weighing is None and second._parts.weighing is None:
        return None
    one, two = weighing_of(first), weighing_of(second)
    if one is None or two is None:
        return None
    return Weighing(combine(one.items, two.items), combine(one.squares, two.squares))
