"""One pass over the items: how often each pair of labels occurs, and the class sizes that follow from it."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_BLOCK = 1 << 16  # items counted at once, so that no temporary array is as long as the data
_FEW_CELLS = 1 << 20  # a matrix of counts up to this size is made at once, a larger one only when asked for


class Counts:
    """The labels that occur, in order, with their true and predicted sizes and hits; the cells are made when needed."""

    __slots__ = ("_cells", "_pairs", "any_hit", "hits", "in_true", "labels", "n", "predicted", "true")

    def __init__(
        self,
        labels: Array,
        sizes: tuple[Array, Array, Array],
        *,
        in_true: Array,
        any_hit: bool,
        n: Any,
        cells: Any,
        pairs: Any = None,
    ) -> None:
        self.labels = labels
        self.true, self.predicted, self.hits = sizes
        self.in_true, self.any_hit = in_true, any_hit  # weights may be zero, so sizes do not tell what occurs
        self.n = n
        self._cells = cells
        self._pairs = pairs

    @property
    def cells(self) -> Array:
        """The counts of pairs: rows are true classes, columns are predicted classes."""
        if self._cells is None:
            self._cells = _tally(*self._pairs)
        cells: Array = self._cells
        return cells


def _count(y_true: Any, y_pred: Any, sample_weight: Array | None) -> Counts:
    """Count two columns of labels: the only place where items are visited."""
    if isinstance(y_true, list) or isinstance(y_pred, list):
        return _count_values(_as_list(y_true), _as_list(y_pred), sample_weight)
    true, pred = _as_integers(y_true), _as_integers(y_pred)
    if true is None or pred is None:
        return _count_sorted(y_true, y_pred, sample_weight)
    counts = _count_integers(true, pred, sample_weight)
    counts.labels = counts.labels.astype(_label_type(y_true, y_pred, counts.in_true))
    return counts


def _count_integers(true: Array, pred: Array, weights: Array | None) -> Counts:
    """Integers close together are places in a table; those further apart get their places from one."""
    low, high = int(min(true.min(), pred.min())), int(max(true.max(), pred.max()))
    width = high - low + 1
    if width * width <= max(1 << 16, min(8 * len(true), _FEW_CELLS)):
        items = _tally(true, pred, width, None, low)
        cells = items if weights is None else _tally(true, pred, width, weights, low)
        seen = np.flatnonzero(_occurring(items, 1) | _occurring(items, 0))
        return _from_cells(seen + low, items[np.ix_(seen, seen)], cells[np.ix_(seen, seen)], weights)
    if width > max(1 << 20, 4 * len(true)):
        return _count_sorted(true, pred, weights)
    places_true, places_pred = (x.astype(np.int64) - low for x in (true, pred))
    seen = np.flatnonzero(np.bincount(places_true, minlength=width) + np.bincount(places_pred, minlength=width))
    code = np.zeros(width, np.int64)
    code[seen] = np.arange(len(seen))
    return _count_codes(seen + low, code[places_true], code[places_pred], weights)


def _count_sorted(true: Array, pred: Array, weights: Array | None) -> Counts:
    labels, codes = np.unique(np.concatenate([true, pred]), return_inverse=True)
    return _count_codes(labels, codes[: len(true)], codes[len(true) :], weights)


def _as_list(column: Any) -> list[Any]:
    values: list[Any] = column if isinstance(column, list) else column.tolist()
    return values


def _as_integers(column: Array) -> Array | None:
    """Numbers as integers that count fast; None where that is not possible without loss."""
    if column.dtype.kind == "b":
        return column.view(np.uint8)
    if column.dtype.kind == "f":
        return column.astype(np.int64) if np.abs(column).max() < 2.0**53 else None
    if column.dtype == np.uint64:
        return column.astype(np.int64) if column.max() < 2**63 else None
    return column if column.dtype.kind in "iu" else None


def _label_type(y_true: Array, y_pred: Array, in_true: Array) -> np.dtype[Any]:
    """A label that is equal in both columns (1, 1.0, True) keeps the type that it has in y_true."""
    if in_true.all():
        return np.dtype(y_true.dtype)
    return np.dtype(np.result_type(y_true, y_pred) if in_true.any() else y_pred.dtype)


def _count_values(y_true: list[Any], y_pred: list[Any], weights: Array | None) -> Counts:
    found_true, found_pred = sorted(set(y_true)), sorted(set(y_pred))
    found = {*found_true, *found_pred}
    if len({isinstance(label, str) for label in found}) > 1:
        raise ValueError(
            f"Mix of label input types (string and number); Got {np.asarray(found_true)} and {np.asarray(found_pred)}."
        )
    order = sorted(found)
    position = {label: k for k, label in enumerate(order)}
    codes_true, codes_pred = (
        np.fromiter(map(position.__getitem__, values), np.int64, len(values)) for values in (y_true, y_pred)
    )
    return _count_codes(np.asarray(order), codes_true, codes_pred, weights)


def _count_codes(labels: Array, true: Array, pred: Array, weights: Array | None) -> Counts:
    m = len(labels)
    if m * m <= _FEW_CELLS:
        items = _tally(true, pred, m, None)
        cells = items if weights is None else _tally(true, pred, m, weights)
        return _from_cells(labels, items, cells, weights)
    hit = true == pred
    sizes = (
        np.bincount(true, weights, m),
        np.bincount(pred, weights, m),
        np.bincount(true[hit], None if weights is None else weights[hit], m),
    )
    n = len(true) if weights is None else weights.sum()
    in_true, pairs = np.bincount(true, minlength=m) > 0, (true, pred, m, weights)
    return Counts(labels, sizes, in_true=in_true, any_hit=bool(hit.any()), n=n, cells=None, pairs=pairs)


def _from_cells(labels: Array, items: Array, cells: Array, weights: Array | None) -> Counts:
    sizes = cells.sum(axis=1), cells.sum(axis=0), cells.diagonal()
    n = int(cells.sum()) if weights is None else weights.sum()
    any_hit = bool(items.diagonal().any())
    return Counts(labels, sizes, in_true=_occurring(items, 1), any_hit=any_hit, n=n, cells=cells)


def _occurring(items: Array, axis: int) -> Array:
    return np.asarray(items.any(axis=axis))


def _tally(true: Array, pred: Array, width: int, weights: Array | None, low: int = 0) -> Array:
    """Counts (or sums of weights) of pairs of integers, each from `low` on and below `low + width`."""
    size = width * width
    whole = weights is None or weights.dtype.kind in "iub"
    beyond = weights is not None and whole and float(np.abs(weights, dtype=np.float64).sum()) >= 2.0**53
    cells = np.zeros(size, np.int64 if whole else np.float64)
    step = max(_BLOCK, 4 * size)
    for start in range(0, len(true), step):
        part = slice(start, start + step)
        index = true[part].astype(np.int64)
        index -= low
        index *= width
        index += pred[part].astype(np.int64, copy=False)
        index -= low
        if weights is None:
            cells += np.bincount(index, minlength=size)
        elif beyond:  # sums that a float cannot hold
            np.add.at(cells, index, weights[part].astype(np.int64))
        else:
            cells += np.bincount(index, weights[part], size).astype(cells.dtype)
    return cells.reshape(width, width)
