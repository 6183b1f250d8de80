"""Confusion matrices of all classes, and of each class against the rest."""

from __future__ import annotations

import numpy as np

from goodmeasure.exceptions import warn
from goodmeasure.sklearn.parameters import ARRAY, BOOLEAN, NONE, OPTIONAL_ARRAY, TARGET, one_of, validated
from goodmeasure.sklearn.problems import SingleLabels, one_axis, read_problem
from goodmeasure.typing import Array


@validated(
    y_true=(ARRAY,),
    y_pred=(ARRAY,),
    labels=OPTIONAL_ARRAY,
    sample_weight=OPTIONAL_ARRAY,
    normalize=(one_of("true", "pred", "all"), NONE),
)
def confusion_matrix(
    y_true: object, y_pred: object, *, labels: object = None, sample_weight: object = None, normalize: str | None = None
) -> Array:
    """Return how often each pair of labels occurs: rows are true classes, columns are predicted classes.

    >>> confusion_matrix(["ham", "spam", "spam"], ["ham", "spam", "ham"])
    array([[1, 0],
           [1, 1]])
    """
    return _normalized(class_matrix(y_true, y_pred, labels, sample_weight), normalize)


@validated(y_true=TARGET, y_pred=TARGET, sample_weight=OPTIONAL_ARRAY, labels=OPTIONAL_ARRAY, samplewise=(BOOLEAN,))
def multilabel_confusion_matrix(
    y_true: object, y_pred: object, *, sample_weight: object = None, labels: object = None, samplewise: bool = False
) -> Array:
    """Return the matrix [[TN, FP], [FN, TP]] of each class, or of each item, against the rest.

    >>> multilabel_confusion_matrix([0, 1, 2], [0, 2, 2], labels=[2]).tolist()
    [[[1, 1], [0, 1]]]
    """
    sizes = read_problem(y_true, y_pred, sample_weight).one_vs_rest(labels, samplewise=samplewise)
    hit, fp, fn = sizes.both, sizes.predicted - sizes.both, sizes.true - sizes.both
    return np.stack([sizes.n - hit - fp - fn, fp, fn, hit]).T.reshape(-1, 2, 2)


_ABSENT = "At least one label specified must be in y_true"


def class_matrix(
    y_true: object, y_pred: object, labels: object = None, sample_weight: object = None, *, absent: str = _ABSENT
) -> Array:
    """Return the counts of the classes that occur, or of those named in `labels`; warn if there is only one.

    `absent` is the error if none of the named labels is a true one, which scikit-learn's functions word differently.
    """
    problem = read_problem(y_true, y_pred, sample_weight)
    if not isinstance(problem, SingleLabels):
        raise ValueError(f"{problem.kind} is not supported")
    return matrix_of(problem, labels, absent=absent)


def matrix_of(problem: SingleLabels, labels: object = None, *, absent: str = _ABSENT) -> Array:
    """Return the counts of the classes of a problem; integer weights give integer counts."""
    cells = problem.counts.cells
    if labels is not None:
        cells = _arranged(problem, cells, one_axis(labels), absent)
    if len(cells) == 1:
        warn(
            "A single label was found in 'y_true' and 'y_pred'. For the confusion matrix to have the correct shape, "
            "use the 'labels' parameter to pass all known labels."
        )
    return cells


def _arranged(problem: SingleLabels, cells: Array, labels: Array, absent: str) -> Array:
    """Return the counts of the named classes in their order."""
    if labels.size == 0:
        raise ValueError("'labels' should contain at least one label.")
    last = {label: k for k, label in enumerate(labels.tolist())}  # a label that is named twice counts at its last place
    found = {label: k for k, label in enumerate(problem.labels.tolist())}
    to = [k for label, k in last.items() if label in found]
    at = [found[label] for label in last if label in found]
    if not problem.counts.in_true[at].any():
        raise ValueError(absent)
    arranged = np.zeros((labels.size, labels.size), cells.dtype)
    arranged[np.ix_(to, to)] = cells[np.ix_(at, at)]
    return arranged


def _normalized(cells: Array, normalize: str | None) -> Array:
    """Return the counts as shares of rows, of columns or of all items."""
    if normalize is None:
        return cells
    sizes = cells.sum(axis={"true": 1, "pred": 0, "all": None}[normalize], keepdims=True)
    with np.errstate(all="ignore"):
        shares: Array = np.nan_to_num(cells / sizes)
    return shares
