"""Areas under the curves of scores, for one class against the rest, averaged over classes, or for pairs of classes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from goodmeasure.counts.scores.ranked_items import Ranking
from goodmeasure.exceptions import warn
from goodmeasure.sklearn.curves import auc, counted, precision_and_recall, roc_of
from goodmeasure.sklearn.exceptions import warn_undefined
from goodmeasure.sklearn.parameters import (
    ARRAY,
    NONE,
    OPTIONAL_ARRAY,
    POSITIVE_LABEL,
    ParameterRule,
    number_above,
    one_of,
    validated,
)
from goodmeasure.sklearn.score_arrays import (
    as_column,
    as_numbers,
    check_lengths,
    checked,
    distinct,
    kind_of,
    read_scored,
)
from goodmeasure.sklearn.targets import as_array
from goodmeasure.typing import Array, ArrayLike

_AVERAGE: tuple[ParameterRule, ...] = (one_of("micro", "macro", "samples", "weighted"), NONE)
_COMMON: dict[str, tuple[ParameterRule, ...]] = {
    "y_true": (ARRAY,),
    "y_score": (ARRAY,),
    "average": _AVERAGE,
    "sample_weight": OPTIONAL_ARRAY,
}
_MANY_COLUMNS = (
    "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. Got "
    "`y_score.shape={shape}`."
)
BinaryMeasure = Callable[[Array, Array, Array | None], float]


@validated(
    **_COMMON,
    max_fpr=(number_above(0.0, 1), NONE),
    multi_class=(one_of("raise", "ovr", "ovo"),),
    labels=OPTIONAL_ARRAY,
)
def roc_auc_score(
    y_true: object,
    y_score: object,
    *,
    average: str | None = "macro",
    sample_weight: object = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: object = None,
) -> float | Array:
    """Return the area under the ROC curve, or under its part up to `max_fpr`, standardised.

    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    kind = kind_of(y_true, "y_true")
    true, scores = checked(as_array(y_true)), as_numbers(y_score)
    weights = None if sample_weight is None else as_column(sample_weight)
    if kind == "multiclass" or (kind == "binary" and scores.ndim == 2 and scores.shape[1] > 2):
        if max_fpr is not None and max_fpr != 1.0:
            raise ValueError(
                "Partial AUC computation not available in multiclass setting, 'max_fpr' must be set to `None`, received"
                f" `max_fpr={max_fpr}` instead"
            )
        if multi_class == "raise":
            raise ValueError("multi_class must be in ('ovo', 'ovr')")
        return _of_classes(true, scores, labels, multi_class, average, weights)

    def area(of: Array, by: Array, weighing: object) -> float:
        return _roc_area(of, by, weighing, max_fpr)

    if kind == "binary":
        classes = distinct(true)
        return area(_indicator(true, classes), scores, weights)
    return _averaged(area, kind, true, scores, average, weights)


@validated(**_COMMON, pos_label=POSITIVE_LABEL)
def average_precision_score(
    y_true: object,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    pos_label: object = 1,
    sample_weight: object = None,
) -> float | Array:
    """Return the mean of the precision at each threshold, weighted by the recall gained there.

    >>> round(average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.8333
    """
    weights = None if sample_weight is None else as_column(sample_weight)
    kind = kind_of(y_true, "y_true")
    true = np.asarray(as_array(y_true))
    if kind == "binary":
        classes = distinct(true)
        if len(classes) == 2 and pos_label not in classes.tolist():
            raise ValueError(f"pos_label={pos_label} is not a valid label. It should be one of {classes}")
        return _average_precision(true, y_score, weights, pos_label)
    if kind in ("multilabel-indicator", "multiclass") and pos_label != 1:
        raise ValueError(
            f"Parameter pos_label is fixed to 1 for {kind} y_true. Do not set pos_label or set pos_label to 1."
        )
    if kind == "multiclass":
        classes = distinct(true)
        kind, true = "multilabel-indicator", as_column(true)[:, None] == classes
        shape = np.shape(y_score)
        if shape != true.shape:
            raise ValueError(_MANY_COLUMNS.format(shape=shape))
    return _averaged(_average_precision, kind, true, y_score, average, weights)


def _indicator(true: Array, classes: Array) -> Array:
    """Return 1 for items of the last of two classes; all 0 for one class."""
    column = as_column(true)
    return np.zeros(len(column), np.int8) if len(classes) < 2 else np.asarray(column == classes[-1], dtype=np.int8)


def _roc_area(true: Array, scores: Array, weights: object, max_fpr: float | None = None) -> float:
    if len(distinct(true)) != 2:
        warn_undefined("Only one class is present in y_true. ROC AUC score is not defined in that case.")
        return float("nan")
    data = read_scored(true, scores, None, weights)
    if data.weights is None and max_fpr in (None, 1):
        return Ranking(data.scores, data.hit).pairs_in_order()
    fpr, tpr, _ = roc_of(*counted(data))
    if max_fpr is None or max_fpr == 1:
        return auc(fpr, tpr)
    return _partial_area(fpr, tpr, max_fpr)


def _partial_area(fpr: Array, tpr: Array, max_fpr: float) -> float:
    """Return the area up to a false positive rate, scaled so that chance is 0.5 and the best is 1 (McClish)."""
    stop = int(np.searchsorted(fpr, max_fpr, "right"))
    end = np.interp(max_fpr, fpr[stop - 1 : stop + 1], tpr[stop - 1 : stop + 1])
    area = auc(np.append(fpr[:stop], max_fpr), np.append(tpr[:stop], end))
    chance = max_fpr**2 / 2
    return 0.5 * (1 + (area - chance) / (max_fpr - chance))


def _average_precision(true: Array, scores: object, weights: object, pos_label: object = 1) -> float:
    data = read_scored(true, scores, pos_label, weights)
    if data.weights is None:
        if data.hit.any():
            return Ranking(data.scores, data.hit).precision_at_positives()
        warn("No positive class found in y_true, recall is set to one for all thresholds.")
        return 0.0
    precision, recall, _ = precision_and_recall(*counted(data))
    return float(max(0.0, -np.sum(np.diff(recall) * precision[:-1])))


def _averaged(
    measure: BinaryMeasure, kind: str, true: Array, y_score: object, average: str | None, weights: Array | None
) -> float | Array:
    """Return a measure of each column (or row) of an indicator, or the average of these."""
    if kind != "multilabel-indicator":
        raise ValueError(f"{kind} format is not supported")
    check_lengths(true, y_score, weights)
    true, scores = checked(true, table=True), as_numbers(y_score, table=True)
    shares: Array | None = None
    if average == "micro":
        weights = None if weights is None else np.repeat(weights, true.shape[1])
        true, scores = true.reshape(-1, 1), scores.reshape(-1, 1)
    elif average == "weighted":
        shares = true.sum(axis=0) if weights is None else (true * weights[:, None]).sum(axis=0)
        if np.isclose(shares.sum(), 0):
            return 0
    elif average == "samples":
        shares, weights, true, scores = weights, None, true.T, scores.T
    found = np.array([measure(true[:, k], scores[:, k], weights) for k in range(scores.shape[1])], dtype=np.float64)
    if average is None:
        return found
    if shares is not None:
        found[shares == 0] = 0  # a class without weight does not count, even if its value is undefined
    return float(np.average(found, weights=shares))


def _of_classes(
    true: Array, scores: Array, labels: object, multi_class: str, average: str | None, weights: Array | None
) -> float | Array:
    """Return the area for more than two classes, each against the rest or all pairs."""
    if scores.ndim != 2:
        raise ValueError(_MANY_COLUMNS.format(shape=scores.shape))
    if not np.allclose(1, scores.sum(axis=1)):
        raise ValueError(
            "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum up to 1.0 over classes"
        )
    options = ("micro", "macro", "weighted", None) if multi_class == "ovr" else ("macro", "weighted", None)
    if average not in options:
        raise ValueError(f"average must be one of {options} for multiclass problems")
    if average is None and multi_class == "ovo":
        raise NotImplementedError("average=None is not implemented for multi_class='ovo'.")
    true = as_column(true)
    classes = distinct(true) if labels is None else _named_classes(labels, true, scores)
    if labels is None and len(classes) != scores.shape[1]:
        raise ValueError("Number of classes in y_true not equal to the number of columns in 'y_score'")
    if multi_class == "ovr":
        return _averaged(
            _roc_area, "multilabel-indicator", (true[:, None] == classes).astype(np.int8), scores, average, weights
        )
    if weights is not None:
        raise ValueError(
            "sample_weight is not supported for multiclass one-vs-one ROC AUC, 'sample_weight' must be None in this "
            "case."
        )
    return _of_pairs(np.searchsorted(classes, true), scores, average)


def _named_classes(labels: object, true: Array, scores: Array) -> Array:
    """Return the classes that a caller named, one for each column of scores."""
    named = as_column(labels)
    classes = np.unique(named)
    if len(classes) != len(named):
        raise ValueError("Parameter 'labels' must be unique")
    if not np.array_equal(classes, named):
        raise ValueError("Parameter 'labels' must be ordered")
    if len(classes) != scores.shape[1]:
        raise ValueError(
            f"Number of given labels, {len(classes)}, not equal to the number of columns in 'y_score', "
            f"{scores.shape[1]}"
        )
    if len(np.setdiff1d(true, classes)):
        raise ValueError("'y_true' contains labels not in parameter 'labels'")
    return classes


def _of_pairs(true: Array, scores: Array, average: str | None) -> float:
    """Return the average over pairs of classes of the areas in which one is positive and the other negative."""
    check_lengths(true, scores)
    found, shares = [], []
    for one, other in combinations(np.unique(true).tolist(), 2):
        among = (true == one) | (true == other)
        areas = [_roc_area(true[among] == k, scores[among, k], None) for k in (one, other)]
        found.append(sum(areas) / 2)
        shares.append(np.mean(among))
    return float(np.average(found, weights=shares if average == "weighted" else None))
