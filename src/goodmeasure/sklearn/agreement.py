"""Agreement of true and predicted labels as one number, like accuracy and kappa."""

from __future__ import annotations

import math

import numpy as np

from goodmeasure.catalogue.definitions.agreement import accuracy, kappa, mcc, weighted_kappa
from goodmeasure.catalogue.measure import Measure
from goodmeasure.exceptions import warn
from goodmeasure.language.policy import RESOLVE
from goodmeasure.sklearn.division import value
from goodmeasure.sklearn.exceptions import warn_undefined
from goodmeasure.sklearn.matrices import class_matrix
from goodmeasure.sklearn.parameters import (
    ARRAY,
    BOOLEAN,
    NAN,
    NONE,
    OPTIONAL_ARRAY,
    TARGET,
    number_from,
    one_of,
    validated,
)
from goodmeasure.sklearn.problems import Indicators, SingleLabels, read_problem
from goodmeasure.typing import Array

_LABELS = (ARRAY,)
# Scikit-learn leaves out the classes whose weights add up to 0, also where some are negative
_MEAN_RECALL = Measure(lambda c: c.mean(lambda i: c.ratio(c[i, i], c.a[i], otherwise=c.skip)), "mean_recall")


@validated(y_true=TARGET, y_pred=TARGET, normalize=(BOOLEAN,), sample_weight=OPTIONAL_ARRAY)
def accuracy_score(y_true: object, y_pred: object, *, normalize: bool = True, sample_weight: object = None) -> float:
    """Return the share (or number) of correct items; a multilabel item is correct if all its labels are.

    >>> accuracy_score(["ham", "spam", "spam"], ["ham", "spam", "ham"])
    0.6666666666666666
    """
    return _right(read_problem(y_true, y_pred, sample_weight), normalize)


@validated(y_true=TARGET, y_pred=TARGET, normalize=(BOOLEAN,), sample_weight=OPTIONAL_ARRAY)
def zero_one_loss(y_true: object, y_pred: object, *, normalize: bool = True, sample_weight: object = None) -> float:
    """Return the share (or number) of items that are predicted wrongly.

    >>> zero_one_loss([0, 1, 1], [0, 1, 0], normalize=False)
    1.0
    """
    problem = read_problem(y_true, y_pred, sample_weight)
    right = _right(problem, normalize)
    return 1 - right if normalize else _size(problem) - right


@validated(y_true=TARGET, y_pred=TARGET, sample_weight=OPTIONAL_ARRAY)
def hamming_loss(y_true: object, y_pred: object, *, sample_weight: object = None) -> float:
    """Return the share of labels that are predicted wrongly.

    >>> hamming_loss(np.array([[0, 1], [1, 1]]), np.zeros((2, 2)))
    0.75
    """
    problem = read_problem(y_true, y_pred, sample_weight)
    if isinstance(problem, SingleLabels):
        return (_size(problem) - _right(problem, normalize=False)) / _divisor(problem)
    return float(np.average(problem.differences(), weights=problem.weights)) / len(problem.labels)


def _right(problem: SingleLabels | Indicators, normalize: bool) -> float:
    """Return the weight of the items with all labels right, as a share or as a sum."""
    if isinstance(problem, SingleLabels):
        hits = problem.counts.hits.sum()
    else:
        right = problem.differences() == 0
        hits = right.sum() if problem.weights is None else right @ problem.weights
    return float(hits) / _divisor(problem) if normalize else float(hits)


def _divisor(problem: SingleLabels | Indicators) -> float:
    """Return the sum of weights, which must not be 0."""
    size = _size(problem)
    if size == 0:
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return size


def _size(problem: SingleLabels | Indicators) -> float:
    """Return the number of items, or the sum of their weights."""
    if isinstance(problem, SingleLabels):
        return float(problem.counts.n)
    return float(problem.y_true.shape[0] if problem.weights is None else problem.weights.sum())


@validated(y_true=_LABELS, y_pred=_LABELS, sample_weight=OPTIONAL_ARRAY, adjusted=(BOOLEAN,))
def balanced_accuracy_score(
    y_true: object, y_pred: object, *, sample_weight: object = None, adjusted: bool = False
) -> float:
    """Return the mean recall of the true classes; `adjusted` rescales it so that chance is 0 and perfect is 1.

    >>> balanced_accuracy_score([0, 0, 0, 1], [0, 0, 1, 1])
    0.8333333333333333
    """
    cells = class_matrix(y_true, y_pred, sample_weight=sample_weight)
    known = cells.sum(axis=1) != 0
    if not known.all():
        warn("y_pred contains classes not in y_true")
    # A single class cannot be compared with the rest; its recall is the accuracy.
    score = np.float64(value(accuracy if len(cells) == 1 else _MEAN_RECALL, cells, RESOLVE))
    if adjusted:
        chance = 1 / int(known.sum())
        score = (score - chance) / (1 - chance)
    return float(score)


@validated(y_true=_LABELS, y_pred=_LABELS, sample_weight=OPTIONAL_ARRAY)
def matthews_corrcoef(y_true: object, y_pred: object, *, sample_weight: object = None) -> float:
    """Return the Matthews correlation coefficient, 0 if the true or the predicted labels are constant.

    >>> matthews_corrcoef([1, 1, 1, 0], [1, 0, 1, 1])
    -0.3333333333333333
    """
    cells = class_matrix(y_true, y_pred, sample_weight=sample_weight)
    score = value(mcc, cells)
    constant = bool((cells >= 0).all())  # with negative weights it can be undefined for another reason
    return 0.0 if math.isnan(score) and constant else score


@validated(
    y1=_LABELS,
    y2=_LABELS,
    labels=OPTIONAL_ARRAY,
    weights=(one_of("linear", "quadratic"), NONE),
    sample_weight=OPTIONAL_ARRAY,
    replace_undefined_by=(number_from(-1.0, 1.0), NAN),
)
def cohen_kappa_score(
    y1: object,
    y2: object,
    *,
    labels: object = None,
    weights: str | None = None,
    sample_weight: object = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Return Cohen's kappa: agreement of two annotators beyond what the sizes of their classes give by chance.

    >>> cohen_kappa_score(["ham", "spam", "ham", "eggs"], ["ham", "spam", "spam", "eggs"])
    0.6363636363636364
    """
    cells = _annotated(y1, y2, labels, sample_weight)
    score = value(kappa if weights is None else weighted_kappa(weights), cells)
    if not math.isnan(score):
        return score
    if cells.sum() == 0:
        reason = "`y2` contains no labels that are present in both `y1` and `labels`.`cohen_kappa_score` is"
    else:
        reason = "`y1`, `y2` and `labels` have only one label in common. `cohen_kappa_score` is"
    the = "" if cells.sum() == 0 else "the "
    warn_undefined(
        f"{reason} undefined and set to the value defined by {the}the `replace_undefined_by` param, "
        f"which is set to {replace_undefined_by}."
    )
    return replace_undefined_by


_ABSENT = (
    "At least one label in `labels` must be present in `y1` (even though `cohen_kappa_score` is otherwise agnostic to "
    "the order of `y1` and `y2`)."
)


def _annotated(y1: object, y2: object, labels: object, sample_weight: object) -> Array:
    return class_matrix(y1, y2, labels, sample_weight, absent=_ABSENT)
