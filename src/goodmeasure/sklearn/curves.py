"""Curves over the thresholds of a score: confusion matrices, ROC, precision and recall, detection errors."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from goodmeasure.counts.scores.by_threshold import count
from goodmeasure.exceptions import warn
from goodmeasure.sklearn.exceptions import warn_undefined
from goodmeasure.sklearn.parameters import ARRAY, BOOLEAN, OPTIONAL_ARRAY, POSITIVE, validated
from goodmeasure.sklearn.score_arrays import BinaryScores, as_column, check_lengths, distinct, kind_of, read_scored
from goodmeasure.sklearn.targets import as_array
from goodmeasure.typing import Array

_COMMON = {"y_true": (ARRAY,), "y_score": (ARRAY,), "pos_label": POSITIVE, "sample_weight": OPTIONAL_ARRAY}
_CURVE = {**_COMMON, "drop_intermediate": (BOOLEAN,)}
CurveArrays = tuple[Array, Array, Array]


def _by_keyword(function: Callable[..., object]) -> Callable[..., object]:
    """Return a function that still takes keyword arguments by position, with scikit-learn's warning about it."""
    names = ("pos_label", "sample_weight")

    @functools.wraps(function)
    def called(*args: object, **kwargs: object) -> object:
        late = dict(zip(names, args[2:], strict=False))
        if len(args) > 4 or not late:
            return function(*args, **kwargs)
        listed = ", ".join(f"{name}={value}" for name, value in late.items())
        warn(
            f"Pass {listed} as keyword args. From version 1.11 passing these as positional arguments will result in "
            "an error",
            FutureWarning,
        )
        return function(*args[:2], **late, **kwargs)

    return called


@_by_keyword
@validated(**_COMMON)
def confusion_matrix_at_thresholds(
    y_true: object, y_score: object, *, pos_label: object = None, sample_weight: object = None
) -> tuple[Array, Array, Array, Array, Array]:
    """Return true negatives, false positives, false negatives, true positives and thresholds, from the highest down.

    >>> tn, fp, fn, tp, thresholds = confusion_matrix_at_thresholds([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> tp.tolist(), thresholds.tolist()
    ([1.0, 1.0, 2.0, 2.0], [0.8, 0.4, 0.35, 0.1])
    """
    fp, tp, thresholds = _counted(y_true, y_score, pos_label, sample_weight)
    return fp[-1] - fp, fp, tp[-1] - tp, tp, thresholds


@validated(**_CURVE)
def roc_curve(
    y_true: object,
    y_score: object,
    *,
    pos_label: object = None,
    sample_weight: object = None,
    drop_intermediate: bool = True,
) -> CurveArrays:
    """Return false positive rates, true positive rates and thresholds, from the highest threshold down.

    >>> fpr, tpr, thresholds = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr.tolist(), tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    return roc_of(*_counted(y_true, y_score, pos_label, sample_weight), drop_intermediate=drop_intermediate)


@validated(**_CURVE)
def precision_recall_curve(
    y_true: object,
    y_score: object,
    *,
    pos_label: object = None,
    sample_weight: object = None,
    drop_intermediate: bool = False,
) -> CurveArrays:
    """Return precision, recall and thresholds, from the lowest threshold up, and the point (1, 0) without one.

    >>> precision, recall, thresholds = precision_recall_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> recall.tolist(), thresholds.tolist()
    ([1.0, 1.0, 0.5, 0.5, 0.0], [0.1, 0.35, 0.4, 0.8])
    """
    fp, tp, thresholds = _counted(y_true, y_score, pos_label, sample_weight)
    if drop_intermediate and len(fp) > 2:
        fp, tp, thresholds = _kept(_turns(tp), fp, tp, thresholds)
    return precision_and_recall(fp, tp, thresholds)


@validated(**_CURVE)
def det_curve(
    y_true: object,
    y_score: object,
    pos_label: object = None,
    sample_weight: object = None,
    drop_intermediate: bool = False,
) -> CurveArrays:
    """Return false positive rates, false negative rates and thresholds, from the lowest threshold up.

    >>> fpr, fnr, thresholds = det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr.tolist(), fnr.tolist(), thresholds.tolist()
    ([0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.35, 0.4, 0.8])
    """
    fp, tp, thresholds = _from_nothing(*_counted(y_true, y_score, pos_label, sample_weight))
    if drop_intermediate and len(fp) > 2:
        fp, tp, thresholds = _kept(_turns(tp), fp, tp, thresholds)
    if len(distinct(np.asarray(as_array(y_true)))) != 2:
        raise ValueError(
            "Only one class is present in y_true. Detection error tradeoff curve is not defined in that case."
        )
    first = int(np.searchsorted(fp, fp[0], side="right")) - 1  # the last threshold without a false positive
    shown = slice(max(first, 0), int(np.searchsorted(tp, tp[-1])) + 1)
    return fp[shown][::-1] / fp[-1], (tp[-1] - tp)[shown][::-1] / tp[-1], thresholds[shown][::-1]


@validated(x=(ARRAY,), y=(ARRAY,))
def auc(x: object, y: object) -> float:
    """Return the area under a curve of points, by the trapezoidal rule.

    >>> auc([0, 0.5, 1], [0, 1, 1])
    0.75
    """
    check_lengths(x, y)
    x, y = as_column(x), as_column(y)
    if len(x) < 2:
        raise ValueError(f"At least 2 points are needed to compute area under curve, but x.shape = {len(x)}")
    steps = np.diff(x)
    falls = bool((steps < 0).any())
    if falls and not (steps <= 0).all():
        raise ValueError(f"x is neither increasing nor decreasing : {x}.")
    area = float((steps * (y[1:] + y[:-1]) / 2.0).sum())
    return -area if falls else area


def _counted(y_true: object, y_score: object, pos_label: object, sample_weight: object) -> CurveArrays:
    kind = kind_of(y_true, "y_true")
    if kind != "binary" and (kind != "multiclass" or pos_label is None):
        raise ValueError(f"{kind} format is not supported")
    return counted(read_scored(y_true, y_score, pos_label, sample_weight))


def counted(data: BinaryScores) -> CurveArrays:
    """Return false and true positives at every distinct threshold, from the highest down, and the thresholds."""
    hit, scores, weights = data
    if weights is None:
        found = count(scores, hit)
        return found.cells[0, 1], found.cells[1, 1], found.thresholds
    # Items are added in scikit-learn's order, so that rounding drops the same points of a curve.
    order = len(scores) - 1 - np.argsort(scores[::-1], kind="stable")[::-1]
    scores, hit, weights = scores[order], hit[order], weights[order]
    last = np.append(np.flatnonzero(scores[1:] != scores[:-1]), len(scores) - 1)
    fp, tp = (np.cumsum(np.where(wanted, weights, 0.0))[last] for wanted in (~hit, hit))
    return fp, tp, scores[last]


def roc_of(fp: Array, tp: Array, thresholds: Array, *, drop_intermediate: bool = True) -> CurveArrays:
    """Return the ROC curve of counts; without the points on a straight line with their neighbours, where asked."""
    if drop_intermediate and len(fp) > 2:
        bends = np.logical_or(np.diff(fp, 2), np.diff(tp, 2))
        fp, tp, thresholds = _kept(np.concatenate([[True], bends, [True]]), fp, tp, thresholds)
    fp, tp, thresholds = _from_nothing(fp, tp, thresholds)
    return _rate(fp, "negative", "false"), _rate(tp, "positive", "true"), thresholds


def _rate(counts: Array, missing: str, name: str) -> Array:
    if counts[-1] > 0:
        return np.asarray(counts / counts[-1])
    warn_undefined(f"No {missing} samples in y_true, {name} positive value should be meaningless")
    return np.full(counts.shape, np.nan)


def precision_and_recall(fp: Array, tp: Array, thresholds: Array) -> CurveArrays:
    """Return the precision-recall curve of counts."""
    called = tp + fp
    precision = np.divide(tp, called, out=np.zeros_like(called), where=called != 0)
    if tp[-1] == 0:
        warn("No positive class found in y_true, recall is set to one for all thresholds.")
        recall = np.ones(len(tp))
    else:
        recall = tp / tp[-1]
    return np.append(precision[::-1], 1.0), np.append(recall[::-1], 0.0), thresholds[::-1]


def _from_nothing(fp: Array, tp: Array, thresholds: Array) -> CurveArrays:
    """Return the counts with an infinite threshold before them, at which no item is called positive."""
    return np.append(0.0, fp), np.append(0.0, tp), np.append(np.inf, thresholds.astype(np.float64))


def _turns(tp: Array) -> Array:
    """Return where the true positives differ from those at the threshold before or after."""
    return np.concatenate([[True], np.logical_or(np.diff(tp[:-1]), np.diff(tp[1:])), [True]])


def _kept(where: Array, *arrays: Array) -> CurveArrays:
    fp, tp, thresholds = (x[where] for x in arrays)
    return fp, tp, thresholds
