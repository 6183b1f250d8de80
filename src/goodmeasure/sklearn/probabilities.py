"""Losses of probabilities and of decision values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goodmeasure.exceptions import warn
from goodmeasure.sklearn.exceptions import warn_undefined
from goodmeasure.sklearn.parameters import (
    ARRAY,
    BOOLEAN,
    NONE,
    OPTIONAL_ARRAY,
    POSITIVE,
    ParameterRule,
    instance_of,
    one_of,
    validated,
)
from goodmeasure.sklearn.score_arrays import (
    as_column,
    as_floats,
    as_numbers,
    check_all_finite,
    check_lengths,
    check_weights,
    distinct,
    kind_of,
    positive_label,
)
from goodmeasure.sklearn.targets import MULTILABEL, as_array, number_of_items
from goodmeasure.typing import Array, ArrayLike

_COMMON: dict[str, tuple[ParameterRule, ...]] = {
    "y_true": (ARRAY,),
    "y_proba": (ARRAY,),
    "sample_weight": OPTIONAL_ARRAY,
    "labels": OPTIONAL_ARRAY,
}
_RENAMED: dict[str, tuple[ParameterRule, ...]] = {
    **_COMMON,
    "y_proba": (ARRAY, NONE),
    "y_pred": (ARRAY, instance_of(str, "str")),
}


class Predicted(NamedTuple):
    """Probabilities with what is true.

    Probabilities of the positive of two classes have one axis; otherwise there is a column for each class. `true` tells
    the place of each item's class among the columns, or for several labels which of them the item has.
    """

    true: Array
    probabilities: Array
    classes: int

    @property
    def of_true(self) -> Array:
        """The probability of each item's true class."""
        p = self.probabilities
        if p.ndim == 1:
            return np.where(self.true == 1, p, 1 - p)
        return np.asarray(p[np.arange(len(p)), self.true])

    def totals(self, weights: ArrayLike) -> tuple[Array, float]:
        """Return the weight of each class and of all items."""
        if self.true.ndim == 2:
            every = np.ones(len(self.true)) if weights is None else np.asarray(weights)
            return every @ self.true, float(every.sum())
        by_class = np.bincount(self.true, weights, self.classes)
        return by_class, float(by_class.sum())  # so that the share of the only class is exactly 1


@validated(**_RENAMED, normalize=(BOOLEAN,))
def log_loss(
    y_true: object,
    y_proba: object = None,
    *,
    normalize: bool = True,
    sample_weight: object = None,
    labels: object = None,
    y_pred: object = "deprecated",
) -> float:
    """Return the mean negative logarithm of the probability of the true class.

    >>> round(log_loss(["spam", "ham", "ham"], [0.9, 0.2, 0.4]), 4)
    0.2798
    """
    data = _of_classes(y_true, as_floats(_renamed(y_proba, y_pred)), sample_weight, labels)
    return _mean(_logarithms(data), sample_weight, normalize=normalize)


@validated(**_RENAMED)
def d2_log_loss_score(
    y_true: object,
    y_proba: object = None,
    *,
    sample_weight: object = None,
    labels: object = None,
    y_pred: object = "deprecated",
) -> float:
    """Return how much the log loss improves on that of predicting the class shares: 1 is best, 0 no better.

    >>> round(d2_log_loss_score(["spam", "ham", "ham"], [0.9, 0.2, 0.4]), 4)
    0.5605
    """
    y_proba = _renamed(y_proba, y_pred)
    if _too_few(y_proba, y_true, sample_weight):
        return float("nan")
    data = _of_classes(y_true, as_floats(y_proba), sample_weight, labels)
    totals, every = data.totals(sample_weight)
    reference = -float((totals * np.log(_inside(totals / every))).sum())
    return 1 - _mean(_logarithms(data), sample_weight, normalize=False) / reference


@validated(**_COMMON, pos_label=POSITIVE, scale_by_half=(BOOLEAN, one_of("auto")))
def brier_score_loss(
    y_true: object,
    y_proba: object,
    *,
    sample_weight: object = None,
    pos_label: object = None,
    labels: object = None,
    scale_by_half: object = "auto",
) -> float:
    """Return the mean squared difference of probabilities and outcomes; with three or more classes summed over them.

    >>> round(brier_score_loss([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]), 4)
    0.0375
    """
    data = _predicted(y_true, as_floats(y_proba), sample_weight, pos_label, labels)
    if isinstance(scale_by_half, str):
        scale_by_half = data.classes < 3
    return _mean(_squares(data), sample_weight) * (0.5 if scale_by_half else 1.0)


@validated(**_COMMON, pos_label=POSITIVE)
def d2_brier_score(
    y_true: object, y_proba: object, *, sample_weight: object = None, pos_label: object = None, labels: object = None
) -> float:
    """Return how much the Brier score improves on that of predicting the class shares: 1 is best, 0 no better.

    >>> round(d2_brier_score([0, 1, 1, 0], [0.1, 0.9, 0.8, 0.3]), 4)
    0.85
    """
    if _too_few(y_proba, y_true, sample_weight):
        return float("nan")
    data = _predicted(y_true, as_floats(y_proba), sample_weight, pos_label, labels)
    totals, every = data.totals(sample_weight)
    constant = np.broadcast_to(totals / every, (len(data.true), len(totals)))
    reference = _squares(data._replace(probabilities=constant[:, 1] if data.probabilities.ndim == 1 else constant))
    return float(1 - np.float64(_mean(_squares(data), sample_weight)) / _mean(reference, sample_weight))


@validated(y_true=(ARRAY,), pred_decision=(ARRAY,), labels=OPTIONAL_ARRAY, sample_weight=OPTIONAL_ARRAY)
def hinge_loss(
    y_true: object, pred_decision: object, *, labels: ArrayLike = None, sample_weight: ArrayLike = None
) -> float:
    """Return the mean amount by which the margin of the true class falls short of 1.

    >>> hinge_loss([-1, 1, 1], [-2.0, 0.5, -0.25])
    0.5833333333333334
    """
    check_lengths(y_true, pred_decision, sample_weight)
    decision, true = as_numbers(pred_decision), as_column(y_true)
    classes = np.unique(labels if labels is not None else true)
    margin = (
        _margin_of_two(true, as_column(decision))
        if classes.size <= 2
        else _margin_of_many(true, decision, classes, labels)
    )
    return float(np.average(np.maximum(1 - margin, 0), weights=sample_weight))


def _margin_of_two(true: Array, decision: Array) -> Array:
    classes = fitted_classes(true)
    hit = np.zeros(len(true), bool) if len(classes) == 1 else true == classes[-1 if len(classes) == 2 else 0]
    return np.where(hit, decision, -decision)


def _margin_of_many(true: Array, decision: Array, classes: Array, labels: object) -> Array:
    """Return by how much the decision value of the true class exceeds the largest of the others."""
    expected = f"({len(true)}, {classes.size})"
    if decision.ndim <= 1:
        raise ValueError(
            "The shape of pred_decision cannot be 1d arraywith a multiclass target. pred_decision shape must be "
            f"(n_samples, n_classes), that is {expected}. Got: {decision.shape}"
        )
    if classes.size != decision.shape[1]:
        if labels is None:
            raise ValueError("Please include all labels in y_true or pass labels as third argument")
        raise ValueError(
            "The shape of pred_decision is not consistent with the number of classes. With a multiclass target, "
            f"pred_decision shape must be (n_samples, n_classes), that is {expected}. Got: {decision.shape}"
        )
    places, rows = encoded(true, classes), np.arange(len(true))
    others = decision.astype(np.float64)  # a copy
    own = others[rows, places]
    others[rows, places] = -np.inf
    return np.asarray(own - others.max(axis=1))


def encoded(true: Array, classes: Array) -> Array:
    """Return the place of each label among the classes."""
    unseen = np.setdiff1d(true, classes)
    if len(unseen):
        words = classes.dtype.kind in "OUS"
        shown = repr(next(x for x in true if x in unseen)) if words else list(unseen)
        raise ValueError(f"y contains previously unseen labels: {shown}")
    return np.searchsorted(classes, true)


def fitted_classes(y: ArrayLike) -> Array:
    """Return the classes of labels, or the places of several labels."""
    kind = kind_of(y, "y")
    if "multioutput" in kind:
        raise ValueError("Multioutput target data is not supported with label binarization")
    if not number_of_items(y):
        raise ValueError(f"y has 0 samples: {y!r}")
    if kind == MULTILABEL:
        return np.arange(np.shape(y)[1])
    if kind not in ("binary", "multiclass"):
        raise ValueError(f"Unknown label type: {(y,)!r}")
    return distinct(np.asarray(as_array(y)))


def _renamed(y_proba: object, y_pred: object) -> object:
    """Return the probabilities, which older calls name y_pred."""
    if isinstance(y_pred, str) and y_pred == "deprecated":
        return y_proba
    if y_proba is not None:
        raise ValueError("Cannot use both `y_pred` and `y_proba`. `y_pred` is deprecated, use `y_proba` instead.")
    warn(
        "`y_pred` was renamed to `y_proba` in version 1.9 and will be removed in 1.11. Use `y_proba` instead.",
        FutureWarning,
    )
    return y_pred


def _too_few(y_proba: object, y_true: object, sample_weight: object) -> bool:
    """Return whether there are so few items that nothing can be explained, after a warning."""
    check_lengths(y_proba, y_true, sample_weight)
    if number_of_items(y_proba) >= 2:
        return False
    warn_undefined("D^2 score is not well-defined with less than two samples.")
    return True


def _predicted(
    y_true: object, probabilities: Array, sample_weight: object, pos_label: object, labels: object
) -> Predicted:
    if probabilities.ndim == 1 or probabilities.shape[1] == 1:
        return _of_positive(y_true, probabilities, sample_weight, pos_label)
    return _of_classes(y_true, probabilities, sample_weight, labels)


def _of_positive(y_true: object, probabilities: Array, sample_weight: object, pos_label: object) -> Predicted:
    """Return probabilities of the positive class with what is true."""
    true, p = as_column(y_true), as_column(probabilities)
    check_all_finite(true)
    check_lengths(p, true, sample_weight)
    check_weights(sample_weight, len(p))
    kind = kind_of(true, "y_true")
    if kind != "binary":
        raise ValueError(
            f"The type of the target inferred from y_true is {kind} but should be binary according to the shape of "
            "y_prob."
        )
    _check_range(p, "less")
    classes = distinct(true)
    try:
        positive = positive_label(pos_label, classes)
    except ValueError:
        if classes.dtype.kind in "OUS":
            raise
        positive = classes[-1]
    return Predicted(np.broadcast_to(true == positive, true.shape).astype(np.int8), p, 2)


def _of_classes(y_true: object, probabilities: Array, sample_weight: object, labels: object) -> Predicted:
    """Return probabilities of all classes, or of the last of two, with what is true."""
    _check_range(probabilities, "lower")
    check_lengths(probabilities, y_true, sample_weight)
    check_weights(sample_weight, len(probabilities))
    true, classes = _places(y_true, labels)
    p = probabilities[:, 0] if probabilities.ndim == 2 and probabilities.shape[1] == 1 else probabilities
    if p.ndim == 2:
        tolerance = float(np.sqrt(np.finfo(p.dtype).eps))
        if not np.isclose(p.sum(axis=1), 1, rtol=tolerance).all():
            warn("The y_prob values do not sum to one. Make sure to pass probabilities.")
    columns = 2 if p.ndim == 1 else p.shape[1]
    if len(classes) != columns and labels is None:
        raise ValueError(
            f"y_true and y_prob contain different number of classes: {len(classes)} vs {columns}. Please provide the "
            f"true labels explicitly through the labels argument. Classes found in y_true: {classes}"
        )
    if len(classes) != columns:
        raise ValueError(
            f"The number of classes in labels is different from that in y_prob. Classes found in labels: {classes}"
        )
    if true.ndim == 2 and p.ndim == 1:
        p = np.stack([1 - p, p], axis=1)
    return Predicted(true, p, columns)


def _places(y_true: object, labels: object) -> tuple[Array, Array]:
    """Return the place of each item's class among the classes, or an indicator of several labels, and the classes."""
    classes = fitted_classes(y_true if labels is None else labels)
    true = np.asarray(as_array(y_true))
    if labels is not None:
        _check_labels(y_true, labels, classes)
    if len(classes) == 1:
        if labels is None:
            raise ValueError(
                f"y_true contains only one label ({classes[0]}). Please provide the list of all expected class labels "
                "explicitly through the labels argument."
            )
        raise ValueError(f"The labels array needs to contain at least two labels, got {classes}.")
    if kind_of(y_true) == MULTILABEL:
        if labels is not None and kind_of(labels) != MULTILABEL:
            raise ValueError("The object was not fitted with multilabel input.")
        return true, classes
    true = as_column(true)
    if len(classes) == 2:  # without a search
        return np.asarray(true == classes[1]).astype(np.int8), classes
    return np.searchsorted(classes, true), classes


def _check_labels(y_true: ArrayLike, labels: ArrayLike, classes: Array) -> None:
    """Warn of labels in another order than the classes, and refuse items of other classes."""
    if not np.all(classes == labels):
        warn(
            f"Labels passed were {labels}. But this function assumes labels are ordered lexicographically. Pass the "
            f"ordered labels={classes.tolist()} and ensure that the columns of y_prob correspond to this ordering."
        )
    if not np.isin(y_true, labels).all():
        raise ValueError(
            f"y_true contains values {set(y_true) - set(labels)} not belonging to the passed labels {labels}."
        )


def _check_range(probabilities: Array, word: str) -> None:
    if probabilities.max() > 1:
        raise ValueError(f"y_prob contains values greater than 1: {probabilities.max()}")
    if probabilities.min() < 0:
        raise ValueError(f"y_prob contains values {word} than 0: {probabilities.min()}")


def _inside(probabilities: Array) -> Array:
    """Return probabilities as float64, kept away from 0 and 1 by the precision of their type."""
    eps = np.finfo(probabilities.dtype).eps
    return np.clip(probabilities, eps, 1 - eps).astype(np.float64, copy=False)


def _logarithms(data: Predicted) -> Array:
    """Return the loss of each item: the negative logarithm of the probability of what is true."""
    if data.true.ndim == 2:
        return np.asarray(-(data.true * np.log(_inside(data.probabilities))).sum(axis=1))
    inside = _inside(data.of_true)
    np.log(inside, out=inside)
    return np.negative(inside, out=inside)


def _squares(data: Predicted) -> Array:
    """Return the loss of each item: the squared differences of its probabilities and the outcome, over all classes."""
    away = data.probabilities.astype(np.float64)  # a copy
    if data.true.ndim == 2:
        away -= data.true
    elif away.ndim == 1:
        away -= data.true
        np.multiply(away, away, out=away)
        return np.multiply(away, 2.0, out=away)  # the other class is as far away
    else:
        away[np.arange(len(away)), data.true] -= 1
    return np.asarray(np.einsum("ij,ij->i", away, away))


def _mean(losses: Array, weights: ArrayLike, *, normalize: bool = True) -> float:
    if normalize:
        return float(np.average(losses, weights=weights))
    return float(losses.sum() if weights is None else np.dot(losses, weights))
