"""Counting all items in one pass: how often each pair of labels occurs, and the class sizes that follow."""

from __future__ import annotations

import numpy as np

from goodmeasure.counts.kernel.tally import MOST_DENSE, Crossed, all_cells, cross
from goodmeasure.counts.labels import Column, as_column
from goodmeasure.typing import Array, ArrayLike

_PART = 22  # weights whose sum a float cannot hold exactly are added in parts of this many bits


class LabelCounts:
    """The labels that occur, in order, with their true and predicted sizes and hits, and the total."""

    __slots__ = ("_values", "_where", "hits", "in_true", "labels", "n", "predicted", "true")

    def __init__(
        self, labels: Array, in_true: Array, values: Array, where: tuple[Array, Array] | None, n: float
    ) -> None:
        self.labels, self.n = labels, n
        self.in_true = in_true  # a weight may be 0, so sizes do not tell which labels occur
        self._values, self._where = values, where
        if where is None:
            self.true, self.predicted, self.hits = values.sum(axis=1), values.sum(axis=0), values.diagonal()
        else:
            hit = where[0] == where[1]
            self.true, self.predicted = self._added(where[0], values), self._added(where[1], values)
            self.hits = self._added(where[0][hit], values[hit])

    def _added(self, places: Array, values: Array) -> Array:
        sums = np.zeros(len(self.labels), values.dtype)
        np.add.at(sums, places, values)
        return sums

    @property
    def cells(self) -> Array:
        """The counts of pairs: rows are true classes, columns are predicted classes."""
        return self._values if self._where is None else _square(len(self.labels), self._where, self._values)


def _square(m: int, where: tuple[Array, Array] | tuple[Array, ...], values: Array) -> Array:
    cells = np.zeros((m, m), values.dtype)
    cells[where] = values
    return cells


def counted_pairs(y_true: object, y_pred: object, sample_weight: Array | None) -> LabelCounts:
    """Return the counts of two columns of labels; this is the only place where items are visited."""
    true, pred = as_column(y_true, "y_true"), as_column(y_pred, "y_pred")
    crossed = cross(true.data, pred.data, None if sample_weight is None else sample_weight.astype(np.float64))
    n = len(true) if sample_weight is None else sample_weight.sum()
    if crossed.rows is crossed.columns and crossed.table is not None:  # both columns have the same integers, in order
        labels = np.asarray(crossed.rows.values)
        in_true = np.ones(len(labels), bool)
        values = _exact(true, pred, crossed, sample_weight)
        return LabelCounts(_typed(labels, y_true, y_pred, in_true), in_true, values, None, n)
    labels, rows, columns = _places(true, pred, crossed)
    in_true = np.zeros(len(labels), bool)
    in_true[rows] = True
    labels = _typed(labels, y_true, y_pred, in_true)
    if crossed.sized is not None:  # many classes with one list of labels for both columns, and no weights
        i, j, values = all_cells(crossed)
        in_true[:] = False
        in_true[rows[i]] = True
        return LabelCounts(_typed(labels, y_true, y_pred, in_true), in_true, values, (rows[i], columns[j]), n)
    values = _exact(true, pred, crossed, sample_weight)
    if crossed.cells is None and len(labels) ** 2 * 8 <= MOST_DENSE:
        return LabelCounts(labels, in_true, _square(len(labels), np.ix_(rows, columns), values), None, n)
    i, j = np.nonzero(values) if crossed.cells is None else crossed.cells[:2]
    return LabelCounts(labels, in_true, values[i, j] if values.ndim == 2 else values, (rows[i], columns[j]), n)


def _exact(true: Column, pred: Column, crossed: Crossed, weights: Array | None) -> Array:
    """Return the counts; integer weights give integer counts, even if a float cannot hold the sum.

    Then each weight is split into parts of `_PART` bits, whose float sums are exact, and the sums are put together
    again as integers.
    """
    values = _values(crossed)
    if weights is None or weights.dtype.kind == "f":
        return values
    if float(np.abs(weights, dtype=np.float64).sum()) < 2.0**53:
        return values.astype(np.int64)
    mask, whole, total = (1 << _PART) - 1, weights.astype(np.int64), np.zeros(values.shape, np.int64)
    for shift in range(0, 64, _PART):
        part = (whole >> shift) & mask if shift + _PART < 64 else whole >> shift
        total += _values(cross(true.data, pred.data, part.astype(np.float64))).astype(np.int64) << shift
    return total


def _values(crossed: Crossed) -> Array:
    if crossed.table is not None:
        return crossed.table
    assert crossed.cells is not None  # one of both
    return crossed.cells[2]


def _places(true: Column, pred: Column, crossed: Crossed) -> tuple[Array, Array, Array]:
    """Return the labels of both columns in order, and the position of each row and column of the table among them."""
    rows, columns = crossed.rows.values, crossed.columns.values
    if (
        isinstance(rows, np.ndarray)
        and isinstance(columns, np.ndarray)
        and rows.dtype.kind + columns.dtype.kind in _PLAIN
    ):
        labels = np.union1d(rows, columns)
        return labels, np.searchsorted(labels, rows), np.searchsorted(labels, columns)
    found_true: list[ArrayLike] = [*true.to_labels(rows)]
    found_pred: list[ArrayLike] = [*pred.to_labels(columns)]
    _check_one_kind(sorted(found_true), sorted(found_pred))
    order = sorted({*found_true, *found_pred})
    position = {label: k for k, label in enumerate(order)}
    at_true, at_pred = (np.array([position[x] for x in found], np.int64) for found in (found_true, found_pred))
    return np.asarray(order), at_true, at_pred


_PLAIN = {x + y for x in "ib" for y in "ib"} | {"uu", "ff", "UU"}


def _check_one_kind(found_true: list[object], found_pred: list[object]) -> None:
    """Refuse a mix of strings and numbers, with scikit-learn's words."""
    if len({isinstance(label, str) for label in (*found_true, *found_pred)}) > 1:
        raise ValueError(
            f"Mix of label input types (string and number); Got {np.asarray(found_true)} and {np.asarray(found_pred)}."
        )


def _typed(labels: Array, y_true: ArrayLike, y_pred: ArrayLike, in_true: Array) -> Array:
    """Return labels in the type they have in y_true; 1, 1.0 and True are equal in both columns."""
    if labels.dtype.kind not in "biuf":
        return labels
    if in_true.all():
        return labels.astype(y_true.dtype)
    return labels.astype(np.result_type(y_true, y_pred) if in_true.any() else y_pred.dtype)
