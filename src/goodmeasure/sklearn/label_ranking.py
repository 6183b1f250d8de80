"""Measures of how well scores rank labels: several true labels for each item, or the true class among the first k."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goodmeasure.sklearn.exceptions import warn_undefined
from goodmeasure.sklearn.parameters import ARRAY, BOOLEAN, OPTIONAL_ARRAY, TARGET, is_sparse, validated, whole_from
from goodmeasure.sklearn.probabilities import encoded
from goodmeasure.sklearn.score_arrays import as_column, as_numbers, check_lengths, checked, distinct, kind_of
from goodmeasure.sklearn.targets import MULTILABEL, as_array
from goodmeasure.typing import Array, ArrayLike


class _Ranked(NamedTuple):
    """Labels of each item from the highest score down: which are true, and how many labels, and true ones, have at
    least that score.
    """

    true: Array
    labels: Array
    true_labels: Array


@validated(y_true=TARGET, y_score=(ARRAY,), sample_weight=OPTIONAL_ARRAY)
def label_ranking_average_precision_score(y_true: object, y_score: object, *, sample_weight: ArrayLike = None) -> float:
    """Return the share of true labels among those with at least the score of a true label, averaged over all of these.

    >>> round(label_ranking_average_precision_score([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]), 4)
    0.4167
    """
    check_lengths(y_true, y_score, sample_weight)
    true, scores = _numbers_of_labels(y_true), as_numbers(y_score)
    _check_shapes(true, scores)
    kind = kind_of(true, "y_true")
    if kind != MULTILABEL and not (kind == "binary" and true.ndim == 2):
        raise ValueError(f"{kind} format is not supported")
    ranked = _ranked(true, scores)
    shares = np.where(ranked.true, ranked.true_labels / ranked.labels, 0).sum(axis=1)
    sizes = ranked.true.sum(axis=1)
    found = np.divide(shares, sizes, out=np.ones(len(sizes)), where=sizes > 0)
    return float(found.mean() if sample_weight is None else np.dot(found, sample_weight) / np.sum(sample_weight))


@validated(y_true=(ARRAY,), y_score=(ARRAY,), sample_weight=OPTIONAL_ARRAY)
def coverage_error(y_true: object, y_score: object, *, sample_weight: ArrayLike = None) -> float:
    """Return how many labels with the highest scores include all true labels, on average.

    >>> coverage_error([[1, 0, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]])
    1.5
    """
    true, scores = as_numbers(y_true, table=True), as_numbers(y_score, table=True)
    check_lengths(true, scores, sample_weight)
    _check_indicator(true)
    _check_shapes(true, scores)
    scores = scores.astype(np.int8) if scores.dtype == bool else scores
    highest = np.inf if scores.dtype.kind == "f" else np.iinfo(scores.dtype).max
    lowest = scores.min(axis=1, initial=highest, where=true != 0, keepdims=True)  # of the true labels
    covered = np.where(true.any(axis=1), (scores >= lowest).sum(axis=1), 0)
    return float(np.average(covered, weights=sample_weight))


@validated(y_true=TARGET, y_score=(ARRAY,), sample_weight=OPTIONAL_ARRAY)
def label_ranking_loss(y_true: object, y_score: object, *, sample_weight: ArrayLike = None) -> float:
    """Return the share of pairs of a true and a false label in which the true one has no higher score, on average.

    >>> label_ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    true, scores = _numbers_of_labels(y_true), as_numbers(y_score)
    check_lengths(true, scores, sample_weight)
    _check_indicator(true)
    _check_shapes(true, scores)
    ranked = _ranked(true, scores)
    wrong = np.where(ranked.true, ranked.labels - ranked.true_labels, 0).sum(axis=1)
    sizes = ranked.true.sum(axis=1)
    pairs = sizes * (true.shape[1] - sizes)
    losses = np.divide(wrong, pairs, out=np.zeros(len(pairs)), where=pairs > 0)
    return float(np.average(losses, weights=sample_weight))


@validated(
    y_true=(ARRAY,),
    y_score=(ARRAY,),
    k=(whole_from(1),),
    normalize=(BOOLEAN,),
    sample_weight=OPTIONAL_ARRAY,
    labels=OPTIONAL_ARRAY,
)
def top_k_accuracy_score(
    y_true: object,
    y_score: object,
    *,
    k: int = 2,
    normalize: bool = True,
    sample_weight: ArrayLike = None,
    labels: ArrayLike = None,
) -> float:
    """Return the share (or number) of items whose true class is among the k classes with the highest scores.

    >>> top_k_accuracy_score([0, 1, 2], [[0.5, 0.2, 0.3], [0.3, 0.4, 0.3], [0.7, 0.2, 0.1]], k=2)
    0.6666666666666666
    """
    true = as_column(checked(as_array(y_true)))
    kind = kind_of(true, "y_true")
    if kind == "binary" and labels is not None and len(labels) > 2:
        kind = "multiclass"
    if kind not in ("binary", "multiclass"):
        raise ValueError(f"y type must be 'binary' or 'multiclass', got '{kind}' instead.")
    scores = _class_scores(as_numbers(y_score), kind)
    check_lengths(true, scores, sample_weight)
    columns = 2 if scores.ndim == 1 else scores.shape[1]
    classes = _classes_found(true, columns) if labels is None else _classes_named(as_column(labels), true, columns)
    if k >= len(classes):
        warn_undefined(
            f"'k' ({k}) greater than or equal to 'n_classes' ({len(classes)}) will result in a perfect score and is "
            "therefore meaningless."
        )
    places = encoded(true, classes)
    hits = _top_of_two(places, scores, k) if scores.ndim == 1 else _among_first(places, scores) < k
    if normalize:
        return float(np.average(hits, weights=sample_weight))
    return float(hits.sum() if sample_weight is None else np.dot(hits, sample_weight))


def _numbers_of_labels(y_true: ArrayLike) -> Array:
    return as_numbers(y_true.toarray() if is_sparse(y_true) else y_true)


def _check_shapes(true: Array, scores: Array) -> None:
    if true.shape != scores.shape:
        raise ValueError("y_true and y_score have different shape")


def _check_indicator(true: Array) -> None:
    kind = kind_of(true, "y_true")
    if kind != MULTILABEL:
        raise ValueError(f"{kind} format is not supported")


def _ranked(true: Array, scores: Array) -> _Ranked:
    order = np.argsort(scores, axis=1, kind="stable")[:, ::-1]
    falling, hit = (np.take_along_axis(x, order, axis=1) for x in (scores, true != 0))
    size = scores.shape[1]
    ends = np.full(falling.shape, size)  # how many labels there are up to the last one with the same score
    ends[:, :-1] = np.where(falling[:, :-1] != falling[:, 1:], np.arange(1, size), size)
    ends = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    return _Ranked(hit, ends, np.take_along_axis(np.cumsum(hit, axis=1), ends - 1, axis=1))


def _class_scores(scores: Array, kind: str) -> Array:
    """Return one score for each item of two classes, or one for each class."""
    if kind == "binary":
        if scores.ndim == 2 and scores.shape[1] != 1:
            raise ValueError(
                f"`y_true` is binary while y_score is 2d with {scores.shape[1]} classes. If `y_true` does not contain "
                "all the labels, `labels` must be provided."
            )
        return as_column(scores)
    if scores.ndim != 2:
        raise ValueError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. Got "
            f"`y_score.shape={scores.shape}`."
        )
    return scores


def _classes_found(true: Array, columns: int) -> Array:
    classes = distinct(true)
    if len(classes) != columns:
        raise ValueError(
            f"Number of classes in 'y_true' ({len(classes)}) not equal to the number of classes in 'y_score' "
            f"({columns}).You can provide a list of all known classes by assigning it to the `labels` parameter."
        )
    return classes


def _classes_named(labels: Array, true: Array, columns: int) -> Array:
    classes = np.unique(labels)
    if len(classes) != len(labels):
        raise ValueError("Parameter 'labels' must be unique.")
    if not np.array_equal(classes, labels):
        raise ValueError("Parameter 'labels' must be ordered.")
    if len(classes) != columns:
        raise ValueError(
            f"Number of given labels ({len(classes)}) not equal to the number of classes in 'y_score' ({columns})."
        )
    if len(np.setdiff1d(true, classes)):
        raise ValueError("'y_true' contains labels not in parameter 'labels'.")
    return classes


def _top_of_two(places: Array, scores: Array, k: int) -> Array:
    if k > 1:
        return np.ones(len(scores), bool)
    threshold = 0.5 if scores.min() >= 0 and scores.max() <= 1 else 0
    return np.asarray((scores > threshold) == places)


def _among_first(places: Array, scores: Array) -> Array:
    """Return how many classes come before the true one; of classes with equal scores the last comes first."""
    own = np.take_along_axis(scores, places[:, None], axis=1)
    later = np.arange(scores.shape[1]) > places[:, None]
    return np.asarray(((scores > own) | ((scores == own) & later)).sum(axis=1))
