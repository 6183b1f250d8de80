"""Classification problems as counts: each class, or each item of a multilabel problem, against the rest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goodmeasure.sklearn.pair_counts import LabelCounts, counted_pairs
from goodmeasure.sklearn.parameters import is_sparse
from goodmeasure.sklearn.targets import MULTILABEL, Targets, read_targets
from goodmeasure.typing import AnyArray, Array


class OneVsRest(NamedTuple):
    """For each class or item: how many are true, predicted and both, and how many there are in all."""

    true: Array
    predicted: Array
    both: Array
    n: float | Array

    @property
    def total(self) -> OneVsRest:
        """The sums over classes, as one class."""
        true, predicted, both = (np.sum(x, keepdims=True) for x in self[:3])
        return OneVsRest(true, predicted, both, self.n)


class SingleLabels:
    """A problem with one label for each item."""

    def __init__(self, targets: Targets) -> None:
        self.weights = targets.weights
        self.counts: LabelCounts = counted_pairs(targets.y_true, targets.y_pred, targets.weights)
        self.labels = self.counts.labels
        self.kind = "binary" if len(self.labels) <= 2 else "multiclass"

    def one_vs_rest(self, labels: object = None, *, samplewise: bool = False) -> OneVsRest:
        """Return the counts of each label (if none is named, each that occurs) against the rest."""
        if samplewise:
            raise ValueError("Samplewise metrics are not available outside of multilabel classification.")
        counts = self.counts
        sizes = [counts.true, counts.predicted, counts.hits]
        if self.weights is not None or not counts.hits.any():  # then scikit-learn counts in floats, and reports show it
            sizes = [x.astype(np.float64) for x in sizes]
        if labels is not None:
            chosen = self.positions(labels)
            sizes = [np.where(chosen < 0, x.dtype.type(0), x[chosen]) for x in sizes]
        true, predicted, both = sizes
        return OneVsRest(true, predicted, both, counts.n)

    def positions(self, labels: object) -> Array:
        """Return where the named labels stand among those that occur; −1 if they do not."""
        named = one_axis(labels)
        if named.dtype.kind in "US" and self.labels.dtype.kind not in "USO":
            unseen = [x for x in self.labels.tolist() if str(x) not in named.tolist()]
            raise ValueError(f"y contains previously unseen labels: {unseen}")
        position = {label: k for k, label in enumerate(self.labels.tolist())}
        return np.array([position.get(label, -1) for label in named.tolist()], dtype=np.int64)


class Indicators:
    """A problem with a set of labels for each item: one column per label."""

    kind = MULTILABEL

    def __init__(self, targets: Targets) -> None:
        true, pred = targets.y_true, targets.y_pred
        if true.shape[1] != pred.shape[1]:
            raise ValueError("Multi-label binary indicator input with different numbers of labels")
        if is_sparse(true) or is_sparse(pred):
            true, pred = _as_csr(true, pred), _as_csr(pred, true)
        self.weights = targets.weights
        self.y_true, self.y_pred = true, pred
        self.labels = np.arange(true.shape[1])

    def one_vs_rest(self, labels: object = None, *, samplewise: bool = False) -> OneVsRest:
        """Return the counts of each column, or of each item, against the rest."""
        true, pred = self.y_true, self.y_pred
        if labels is not None:
            chosen = self._checked(one_axis(labels))
            true, pred = true[:, chosen], pred[:, chosen]
        true, pred = true != 0, pred != 0
        both = true.multiply(pred) if is_sparse(true) else true & pred
        sizes_true, sizes_pred, sizes_both = (_sizes(x, self.weights, samplewise) for x in (true, pred, both))
        return OneVsRest(sizes_true, sizes_pred, sizes_both, self._size(true.shape, samplewise))

    def _size(self, shape: tuple[int, int], samplewise: bool) -> float | Array:
        if samplewise:
            return shape[1] if self.weights is None else self.weights * shape[1]
        return shape[0] if self.weights is None else self.weights.sum()

    def _checked(self, labels: Array) -> Array:
        """Return the named columns as integers; refuse those that do not exist."""
        known = len(self.labels)
        if labels.size and labels.max() >= known:
            raise ValueError(
                f"All labels must be in [0, n labels) for multilabel targets. Got {int(labels.max())} > {known - 1}"
            )
        if labels.size and labels.min() < 0:
            raise ValueError(f"All labels must be in [0, n labels) for multilabel targets. Got {int(labels.min())} < 0")
        return labels.astype(np.int64)

    def differences(self) -> Array:
        """Return, for each item, in how many columns the true and the predicted value differ."""
        return _sizes(self.y_true != self.y_pred, None, samplewise=True)


def read_problem(y_true: object, y_pred: object, sample_weight: object = None) -> SingleLabels | Indicators:
    """Return the problem that two targets pose."""
    targets = read_targets(y_true, y_pred, sample_weight)
    return Indicators(targets) if targets.multilabel else SingleLabels(targets)


def one_axis(labels: object) -> Array:
    """Return the labels that the user named as a one-dimensional array."""
    named = np.asarray(labels)
    if named.ndim != 1:
        raise ValueError(f"labels should be a 1d array, got an array of shape {named.shape} instead.")
    return named


def _as_csr(matrix: AnyArray, other: AnyArray) -> AnyArray:
    """Return a sparse matrix by rows; a dense one next to a sparse one takes its format."""
    if not is_sparse(matrix):
        return type(other.tocsr())(matrix)
    return matrix.tocsr()


def _sizes(member: AnyArray, weights: Array | None, samplewise: bool) -> Array:
    """Return how many entries of a boolean matrix are set in each column, or in each row."""
    if samplewise:
        rows: Array = np.diff(member.indptr) if is_sparse(member) else np.count_nonzero(member, axis=1)
        return rows if weights is None else rows * weights
    width = member.shape[1]
    if is_sparse(member):
        each = None if weights is None else np.repeat(weights, np.diff(member.indptr))
        return np.bincount(member.indices, each, width)
    if weights is None or not member.any():  # with no entry set, np.bincount returns integers, and so does this
        return np.asarray(np.count_nonzero(member, axis=0))
    return np.asarray(weights.astype(np.float64) @ member)
