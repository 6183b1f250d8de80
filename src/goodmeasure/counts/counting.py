"""Counting labels: columns are read, their pairs are tallied, and the tally is laid out by class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import numpy as np

from goodmeasure.counts.alignment import check_alignment
from goodmeasure.counts.arguments import as_weights, check_weights_on_device, same_length, unhashable
from goodmeasure.counts.classes import Classes, settle
from goodmeasure.counts.device.crossing import can_count, cross_on_device
from goodmeasure.counts.kernel.tally import MOST_DENSE, Crossed, DistinctValues, all_cells, cross
from goodmeasure.counts.labels import Column, as_column, as_columns
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.matrix_parts import Fetch, MatrixParts
from goodmeasure.counts.scores_as_labels import check_scores, is_fraction
from goodmeasure.counts.sparse_counts import SparseCounts
from goodmeasure.exceptions import Argument, GoodmeasureError, InputError, InputTypeError, renamed_to
from goodmeasure.typing import Array, ArrayLike, LabelsLike

NOTHING_LEFT = "no item has both a true and a predicted label: there is nothing to count"
TRUE, PREDICTED = Argument("y_true"), Argument("y_pred")
_NEVER_SCORES = {int, bool, type(None)}
_PLAIN = {list, tuple, np.ndarray}  # containers without an index, in the memory of the host
_FEW_LABELS = 20  # up to this many labels, it is cheaper to look at each than at where it occurs


class NothingLeft(InputError):  # noqa: N818 - it says what happened
    """No item has both a true and a predicted label."""

    def __init__(self) -> None:
        super().__init__(NOTHING_LEFT)


def confusion(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: LabelsLike | None = None,
    sample_weight: ArrayLike = None,
    missing: str = "error",
) -> ConfusionMatrix:
    """Count true and predicted labels into a confusion matrix.

    Labels may be any hashable values of one kind, in a list, a tuple, or a column of NumPy, pandas, Polars, Arrow,
    PyTorch or JAX. Whole floats count as integers; booleans, numbers and text are never mixed.

    Classes are sorted if their labels can be, and otherwise kept in order of appearance. Ordered categories (pandas
    Categorical, Polars Enum, ordered Arrow dictionaries) keep their order; a category that does not occur is a class
    only if both columns have the same categories. `labels` names the classes instead, and may name classes that do not
    occur.

    `missing` says what to do about None, NaN and other missing labels: "error"; "class", which gives them a class None,
    the last one; or "drop", which leaves such items out and counts them in ``.dropped``.

    A matrix of very many classes is stored as a sparse one (``.is_sparse``).

    >>> confusion(["ham", "spam", "spam"], ["ham", "spam", "ham"])
    true \\ predicted  ham  spam
    ham                 1     0
    spam                1     1
    >>> confusion([0, 1, None], [0, 1, 1], missing="drop").dropped
    1
    """
    return count_labels(y_true, y_pred, labels=labels, sample_weight=sample_weight, missing=missing, remember=True)


def count_labels(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: LabelsLike | None = None,
    sample_weight: ArrayLike = None,
    missing: str = "error",
    remember: bool = False,
) -> ConfusionMatrix:
    """Count labels as `confusion` does; a matrix of weights knows the items behind it only if it shall `remember` them.

    A measure needs the sums of the weights alone, and counting thrice takes longer.
    """
    if labels is not None or missing != "error":
        check_choices(labels, missing)
    if not (type(y_true) in _PLAIN and type(y_pred) in _PLAIN):
        check_alignment({"y_true": y_true, "y_pred": y_pred, "sample_weight": sample_weight})
        if can_count(y_true, y_pred, sample_weight) and len(y_true) == len(y_pred):
            counted = _counted_on_device(y_true, y_pred, sample_weight, labels, missing, remember)
            if counted is not None:
                return counted
    true, pred = as_columns((y_true, TRUE), (y_pred, PREDICTED))
    length = len(true.data)
    if length != len(pred.data):
        same_length(true, pred)  # which refuses them
    weights = None if sample_weight is None else as_weights(sample_weight, length)
    matrix = count_columns(true, pred, labels=labels, weights=weights, missing=missing)
    if weights is not None and remember:
        counted_by = partial(count_columns, true, pred, labels=labels, missing=missing)
        matrix = _with_items(matrix, weights.astype(np.float64, copy=False), counted_by)
    if labels is None:
        check_labels(matrix, true, pred, length)
    return matrix


def _with_items(matrix: ConfusionMatrix, weights: Array, counted_by: Callable[..., ConfusionMatrix]) -> ConfusionMatrix:
    """Return a matrix of weights with the items behind it, where their squared weights are finite."""
    with np.errstate(over="ignore"):
        squares = weights * weights
        known = bool(np.isfinite(squares.sum()))
    return matrix.weighed(counted_by(), counted_by(weights=squares)) if known else matrix


def _counted_on_device(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    sample_weight: ArrayLike,
    labels: LabelsLike | None,
    missing: str,
    remember: bool,
) -> ConfusionMatrix | None:
    """Return the matrix of labels that are tensors on an accelerator; they stay there, and so do the counts of many
    classes until they are asked for.

    None means that the labels range too widely for a table.
    """
    if sample_weight is not None:
        check_weights_on_device(sample_weight, len(y_true))
    true, pred = (Column(name, np.empty(0, np.int64)) for name in (TRUE, PREDICTED))

    def counted_by(weights: ArrayLike) -> ConfusionMatrix | None:
        crossed = cross_on_device(y_true, y_pred, weights, labels)
        if crossed is None:
            return None
        return _laid_out(crossed, settle(true, pred, crossed.rows, crossed.columns, labels, missing), 0)

    matrix = counted_by(sample_weight)
    if matrix is None or sample_weight is None or not remember:
        return matrix
    items, squares = counted_by(None), counted_by(sample_weight.detach().double() ** 2)
    assert items is not None
    assert squares is not None  # the same labels have the same range
    return matrix.weighed(items, squares)


def check_labels(matrix: ConfusionMatrix, true: Column, pred: Column, items: int) -> None:
    """Refuse columns of scores, once the different labels are known."""
    labels = matrix._parts.labels
    if _NEVER_SCORES.issuperset(map(type, labels)):
        return
    if len(labels) <= _FEW_LABELS and not any(map(is_fraction, labels)):
        return  # without looking at which of them occur where
    known = zip(labels, matrix.a, matrix.b, strict=True)
    both = [(label, a > 0, b > 0) for label, a, b in known if label is not None]
    check_scores(
        (true.name, [label for label, occurs, _ in both if occurs]),
        (pred.name, [label for label, _, occurs in both if occurs]),
        items,
    )


def check_choices(labels: LabelsLike | None, missing: str) -> None:
    """Refuse invalid values of `labels` and `missing`."""
    if missing not in ("error", "class", "drop"):
        raise InputError("{missing} is {got!r}", got=missing, expected="'error', 'class' or 'drop'")
    if labels is not None and (isinstance(labels, (str, bytes)) or not isinstance(labels, Iterable)):
        raise InputTypeError("{labels} is {got!r}", got=labels, expected="a list of labels")


def count_columns(
    true: Column,
    pred: Column,
    *,
    labels: LabelsLike | None = None,
    weights: Array | None = None,
    missing: str = "error",
    whole: bool = False,
) -> ConfusionMatrix:
    """Return the confusion matrix of two columns of one length.

    `whole` says that the weights are numbers of items, so their sums are counts.
    """
    if not len(true.data):
        raise InputError("{name} is empty", name=true.name, advice="there is nothing to count")
    crossed, dropped = crossed_columns(true, pred, weights), 0
    if missing == "drop" and (_lacks(true, crossed.rows) or _lacks(pred, crossed.columns)):
        keep = true.present() & pred.present()
        dropped = len(true) - int(keep.sum())
        if dropped == len(true):
            raise NothingLeft
        true, pred = (x.taken(np.flatnonzero(keep)) for x in (true, pred))
        crossed = crossed_columns(true, pred, None if weights is None else weights[keep])
    classes = settle(true, pred, crossed.rows, crossed.columns, labels, missing)
    return _laid_out(_in_integers(crossed) if whole else crossed, classes, dropped)


def _in_integers(crossed: Crossed) -> Crossed:
    """Return a tally of whole weights in integers; their float sums are exact up to 2^53."""
    table = None if crossed.table is None else crossed.table.astype(np.int64)
    cells = None if crossed.cells is None else (*crossed.cells[:2], crossed.cells[2].astype(np.int64))
    return crossed._replace(table=table, cells=cells)


def _lacks(column: Column, found: DistinctValues) -> bool:
    return None in column.to_labels(found.values)


def crossed_columns(true: Column, pred: Column, weights: Array | None = None) -> Crossed:
    """Return the tally of two columns; refuse labels that cannot be hashed."""
    try:
        return cross(true.data, pred.data, None if weights is None else weights.astype(np.float64, copy=False))
    except TypeError as error:
        raise unhashable(error, true.data, pred.data) from None


def _laid_out(crossed: Crossed, classes: Classes, dropped: int) -> ConfusionMatrix:
    """Return the matrix with a row and a column for each class, dense if it fits and else sparse."""
    m = len(classes.labels)
    fits = m * m * 8 <= MOST_DENSE
    held: Array | Fetch | None
    sparse = None
    if crossed.fetch is not None:
        if fits:
            held = Fetch(partial(_fetched, crossed.fetch, classes))
            return ConfusionMatrix._of(MatrixParts(held, classes.labels, classes.order, None, dropped))
        crossed = crossed.here()
    if crossed.table is not None and fits:
        held = classes.dense(crossed.table)
    else:
        sparse = _sparse(crossed, classes)
        held, sparse = (sparse.dense(), None) if fits else (None, sparse)
    return ConfusionMatrix._of(MatrixParts(held, classes.labels, classes.order, sparse, dropped))


def _sparse(crossed: Crossed, classes: Classes) -> SparseCounts:
    if crossed.sized is not None and classes.in_place:
        return SparseCounts(classes.labels, *crossed.sized)
    i, j, values = all_cells(crossed)
    return SparseCounts.from_cells(classes.labels, classes.rows[i], classes.columns[j], values)


def _fetched(fetch: Callable[[], Array], classes: Classes) -> Array:
    """Return counts that were kept on another device, with a row and a column for each class."""
    return classes.dense(fetch())


def pair_confusion(labels_a: ArrayLike, labels_b: ArrayLike) -> ConfusionMatrix:
    """Return the 2×2 matrix over pairs of items, which are together or apart in each of two clusterings.

    Every binary measure of it is a similarity of clusterings: accuracy is the Rand index, kappa the adjusted Rand
    index, f1 Dice, jaccard Jaccard, mcc Pearson's correlation, sba Sokal and Sneath's.

    >>> pair_confusion([0, 0, 1, 1], ["x", "x", "x", "y"])
    true \\ predicted  apart  together
    apart                 2         2
    together              1         1
    """
    check_alignment({"labels_a": labels_a, "labels_b": labels_b})
    a, b = as_column(labels_a, Argument("labels_a")), as_column(labels_b, Argument("labels_b"))
    length = same_length(a, b)
    if length < 2:
        raise InputError("{labels_a} has {length} items", length=length, advice="a pair needs two")
    crossed = crossed_columns(a, b)
    try:
        own_a = settle(a, a, crossed.rows, crossed.rows, None, "error").rows
        own_b = settle(b, b, crossed.columns, crossed.columns, None, "error").rows
    except GoodmeasureError as error:
        raise error.with_advice("leave out the items without a label first", instead_of="missing") from None
    i, j, values = all_cells(crossed)
    cells = SparseCounts.from_cells(tuple(range(max(own_a.max(), own_b.max()) + 1)), own_a[i], own_b[j], values)
    together = _pairs(cells.diagonal) + _pairs(cells.values)
    in_a, in_b, pairs = _pairs(cells.a), _pairs(cells.b), length * (length - 1) // 2
    matrix = [[pairs - in_a - in_b + together, in_b - together], [in_a - together, together]]
    return ConfusionMatrix(matrix, labels=("apart", "together"))


def _pairs(sizes: Array) -> int:
    """Return how many pairs of items there are within groups of these sizes, as an integer of any size."""
    counts = np.unique(sizes, return_counts=True)
    return sum(size * (size - 1) // 2 * times for size, times in zip(*(x.tolist() for x in counts), strict=True))


def labels_or_counts(first: object, second: object, function: str, older: str) -> tuple[object, object]:
    """Return what to measure, and what `second` says where it is not the predicted labels.

    The second argument of some functions was another one before they took true and predicted labels.
    """
    if second is None:
        return first, None
    is_column = hasattr(first, "__len__") and not isinstance(first, Mapping) and getattr(first, "ndim", 1) == 1
    entry = next(iter(first), None) if is_column and isinstance(first, Iterable) else []
    if isinstance(entry, str) or not hasattr(entry, "__len__"):
        return (first, second), None
    renamed_to(f"the second argument of {function} beside a matrix", f"{older}=")
    return first, second
