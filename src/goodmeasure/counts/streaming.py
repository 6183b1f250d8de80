"""Counting data that comes in pieces, with the same result as counting all data at once: sums and differences."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.counts.arguments import check_one_kind, same_length
from goodmeasure.counts.classes import Order, in_order
from goodmeasure.counts.device.crossing import can_count
from goodmeasure.counts.kernel.tally import MOST_DENSE
from goodmeasure.counts.matrix_parts import MatrixParts, Weighing, both_weighed, weighing_of
from goodmeasure.counts.sparse_counts import Cells, SparseCounts
from goodmeasure.exceptions import Argument, InputError
from goodmeasure.typing import Array, Label

if TYPE_CHECKING:
    from goodmeasure.counts.matrix import ConfusionMatrix
_MOST_COUNTED = 2**62  # up to here a count has room for more in 64 bits
_ROUNDING = 1e-9  # relative: what is left of two equal sums of floats


def piece_for(
    matrix: ConfusionMatrix, y_true: object, y_pred: object, sample_weight: object, missing: str
) -> ConfusionMatrix | None:
    """Return the counts of another piece of data for a matrix, or None if the piece is empty."""
    from goodmeasure.counts.counting import NothingLeft, confusion
    from goodmeasure.counts.labels import as_column

    if matrix.batch:
        raise InputError(
            "this is a batch of {batch} matrices", batch=matrix.batch, advice="update one matrix at a time"
        )
    length = 0
    if not can_count(y_true, y_pred, sample_weight):  # such labels stay on their device
        length = same_length(as_column(y_true, Argument("y_true")), as_column(y_pred, Argument("y_pred")))
        if length == 0:
            return None
    parts = matrix._parts
    given = parts.labels if parts.order.fixed else None
    try:
        return confusion(y_true, y_pred, labels=given, sample_weight=sample_weight, missing=missing)
    except NothingLeft:  # a piece without a single label drops all of its items
        return type(matrix)._counted(np.zeros((0, 0), np.int64), (), Order(), dropped=length)


def with_one_item(parts: MatrixParts, true: object, pred: object) -> MatrixParts | None:
    """Return what a matrix knows once an item of its classes is added; None where more than a count may change."""
    labels, held, kind = parts.labels, parts.held, type(true)
    if parts.sparse is not None or parts.weighing is not None or not isinstance(held, np.ndarray):
        return None
    if held.ndim != 2 or held.dtype != np.int64 or not _keeps_order(parts, kind, type(pred)):
        return None
    try:
        i, j = labels.index(true), labels.index(pred)
    except ValueError:
        return None
    if type(labels[i]) is not kind or type(labels[j]) is not kind or held[i, j] >= _MOST_COUNTED:
        return None
    counts = held.copy()
    counts[i, j] += 1
    counts.flags.writeable = False
    return MatrixParts(counts, labels, parts.order, None, parts.dropped, None)


def _keeps_order(parts: MatrixParts, kind: type, other: type) -> bool:
    """Return whether one more item of known classes leaves the order of the classes as it is (see `order_of_both`)."""
    labels, order = parts.labels, parts.order
    if kind is not other or order.categories is not None or order.appeared is not None or None in labels:
        return False
    of_text = kind is str and (order.fixed or len(labels) == 2 or not order.stated)
    stays = of_text or (kind in (int, bool) and order.stated)
    return stays and list(labels) == sorted(labels)  # type: ignore[type-var]  # labels are all text or all numbers


def joined(first: ConfusionMatrix, second: ConfusionMatrix) -> ConfusionMatrix:
    """Return the counts of two pieces of data."""
    check_one_kind(label for cm in (first, second) for label in _one_named(cm))
    return added(first, second, *order_of_both(first, second, _order(first).joined(second._order)))


def order_of_both(first: ConfusionMatrix, second: ConfusionMatrix, order: Order) -> tuple[tuple[Label, ...], Order]:
    """Return the classes of the sum of two matrices, and what is known of their order.

    A matrix that has all of the classes, and says which of two is positive, keeps its word; where two matrices say
    different things, none is.
    """
    both = dict.fromkeys((*first.labels, *second.labels))
    if order.fixed:
        return (*(x for x in both if x is not None), *([None] if None in both else [])), order
    known = {x.labels for x in (first, second) if len(both) == 2 == x.m and x._order.stated}
    if len(known) == 1:
        return known.pop(), order._replace(stated=True)
    return order.arranged(both), order._replace(stated=order.stated and not known)


def _one_named(matrix: ConfusionMatrix) -> list[object]:
    """Return one label, which shows the kind of all labels."""
    return [x for x in matrix.labels[:2] if x is not None][:1]


def _order(matrix: ConfusionMatrix) -> Order:
    """Return the order of a matrix; labels that were given in another than sorted order keep theirs."""
    known = matrix._order
    if known.categories is None and known.appeared is None and matrix.labels != in_order(matrix.labels):
        return known._replace(categories=tuple(x for x in matrix.labels if x is not None))
    return known


def added(first: ConfusionMatrix, second: ConfusionMatrix, labels: tuple[Label, ...], order: Order) -> ConfusionMatrix:
    """Return the sum of two matrices, dense or sparse as their number of classes requires."""
    dropped = first.dropped + second.dropped
    weighing = both_weighed(first, second, partial(added, labels=labels, order=order))
    make = type(first)._counted
    if len(labels) ** 2 * 8 <= MOST_DENSE and not (first.is_sparse or second.is_sparse):
        return make(_dense_sum(first, second, labels), labels, order, dropped=dropped, weighing=weighing)
    position = {label: k for k, label in enumerate(labels)}
    cells = []
    for cm in (first, second):
        where = np.array([position[x] for x in cm.labels], np.int64)
        rows, cols, values = _cells(cm)
        cells.append((where[rows], where[cols], values))
    sparse = SparseCounts.from_cells(labels, *(np.concatenate(parts) for parts in zip(*cells, strict=True)))
    return make(None, labels, order, sparse=sparse, dropped=dropped, weighing=weighing)


def _cells(matrix: ConfusionMatrix) -> Cells:
    """Return the rows, columns and counts of the non-zero cells."""
    if matrix.is_sparse:
        return matrix.sparse.cells()
    rows, cols = np.nonzero(matrix.counts)
    return rows, cols, matrix.counts[rows, cols]


def _dense_sum(first: ConfusionMatrix, second: ConfusionMatrix, labels: tuple[Label, ...]) -> Array:
    """Return the sum of two matrices that are not sparse; one without classes leaves the type of the other's counts."""
    if first.m and second.m:
        return exact_sum(*(x.counts if x.labels == labels else x.aligned(labels).counts for x in (first, second)))
    return (first if first.m else second).aligned(labels).counts


def exact_sum(x: Array, y: Array) -> Array:
    """Return a sum in which integers stay exact."""
    whole = all(z.dtype.kind in "iu" for z in (x, y))
    if whole and x.size and float(x.max()) + float(y.max()) >= 2**63:
        x = x.astype(object)
    return x + y


def scaled(matrix: ConfusionMatrix, factor: float | Array) -> ConfusionMatrix:
    """Return a matrix with all counts times a factor, or with one factor for each true class, as floats.

    The items behind it stay the same ones, and weigh more or less.
    """
    make, known = type(matrix)._counted, weighing_of(matrix)
    weighing = None if known is None else Weighing(known.items, _times(known.squares, np.square(factor)))
    dropped = matrix.dropped * factor if isinstance(factor, float) else 0
    found = _times(matrix, factor)
    counts = None if found.is_sparse else found.counts
    sparse = found.sparse if found.is_sparse else None
    return make(counts, matrix.labels, matrix._order, sparse, dropped, weighing)


def _times(matrix: ConfusionMatrix, factor: float | Array) -> ConfusionMatrix:
    """Return counts times a factor, without what else the matrix knows."""
    make, factors = type(matrix)._counted, np.asarray(factor, np.float64)
    if matrix.is_sparse:
        rows, cols, values = matrix.sparse.cells()
        values = values.astype(np.float64) * (factors[rows] if factors.ndim else factors)
        return make(None, matrix.labels, matrix._order, SparseCounts.from_cells(matrix.labels, rows, cols, values))
    counts = matrix.counts.astype(np.float64) * (factors[..., None] if factors.ndim else factors)
    return make(counts, matrix.labels, matrix._order)


def subtracted(first: ConfusionMatrix, second: ConfusionMatrix) -> ConfusionMatrix:
    """Return the difference of two matrices, with the classes of the first; an error if it were negative anywhere."""
    if first.batch or second.batch:
        raise InputError(
            "a batch of matrices cannot be subtracted", argument="other", advice="subtract one matrix from one"
        )
    place = {label: k for k, label in enumerate(first.labels)}
    rows, cols, values = _cells(second)
    for k in np.unique(np.concatenate([rows, cols])).tolist():
        if second.labels[k] not in place:
            raise InputError(
                "class {label!r} is not in the matrix to subtract from", label=second.labels[k],
                advice="what is subtracted must be part of it",
            )  # fmt: skip
    where = np.array([place.get(x, 0) for x in second.labels], np.int64)
    cells = _cells_left(first, where[rows], where[cols], values)
    make, dropped = type(first)._counted, max(0, first.dropped - second.dropped)
    weighing = both_weighed(first, second, subtracted)
    if first.is_sparse:
        sparse = SparseCounts.from_cells(first.labels, *cells)
        return make(None, first.labels, first._order, sparse=sparse, dropped=dropped, weighing=weighing)
    counts = np.zeros(first.counts.shape, cells[2].dtype)
    counts[cells[0], cells[1]] = cells[2]
    return make(counts, first.labels, first._order, dropped=dropped, weighing=weighing)


def _cells_left(first: ConfusionMatrix, rows: Array, cols: Array, less: Array) -> Cells:
    """Return the cells that are left without others, as rows, columns and counts."""
    mine, size = _cells(first), max(1, first.m)
    keys, gone = mine[0] * size + mine[1], rows * size + cols
    every, kind = np.union1d(keys, gone), np.result_type(mine[2], less)
    before, after = (np.zeros(len(every), kind) for _ in range(2))
    before[np.searchsorted(every, keys)] = mine[2]
    after[np.searchsorted(every, gone)] = less
    wide = object if kind.kind == "u" else kind  # a difference of unsigned integers would wrap around
    left = before.astype(wide) - after.astype(wide)
    if kind.kind == "f":
        left = np.where(np.abs(left) <= _ROUNDING * np.maximum(before, after), 0.0, left)
    for k in np.flatnonzero(np.asarray(left < 0, bool))[:1].tolist():
        i, j = divmod(int(every[k]), size)
        raise InputError(
            "{less} items cannot be taken from {count} (true {row!r}, predicted {column!r})", less=after[k],
            count=before[k], row=first.labels[i], column=first.labels[j],
            advice="what is subtracted must be part of the matrix",
        )  # fmt: skip
    return every // size, every % size, left.astype(kind)
