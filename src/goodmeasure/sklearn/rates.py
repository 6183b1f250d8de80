"""Precision, recall, F and Jaccard scores of each class, or averaged."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import numpy as np

from goodmeasure.catalogue.definitions.overlap import fbeta, jaccard
from goodmeasure.catalogue.definitions.rates import precision, recall
from goodmeasure.catalogue.measure import Measure
from goodmeasure.exceptions import warn
from goodmeasure.sklearn.division import mean, replaced, values, warn_replaced
from goodmeasure.sklearn.parameters import (
    AVERAGE,
    OPTIONAL_ARRAY,
    POSITIVE,
    TARGET,
    ZERO_DIVISION,
    instance_of,
    number_among,
    number_from,
    one_of,
    validated,
)
from goodmeasure.sklearn.problems import Indicators, OneVsRest, SingleLabels, read_problem
from goodmeasure.typing import Array

_ALL_WARN = ("precision", "recall", "f-score")
_MISSING = {
    "precision": "predicted", "recall": "true", "f-score": "true nor predicted", "jaccard": "true or predicted",
}  # fmt: skip
_COMMON = {
    "y_true": TARGET,
    "y_pred": TARGET,
    "labels": OPTIONAL_ARRAY,
    "pos_label": POSITIVE,
    "average": AVERAGE,
    "sample_weight": OPTIONAL_ARRAY,
    "zero_division": ZERO_DIVISION,
}
_BETA = (number_from(0.0),)


@validated(
    **_COMMON, beta=_BETA, warn_for=(instance_of(list, "list"), instance_of(tuple, "tuple"), instance_of(set, "set"))
)
def precision_recall_fscore_support(
    y_true: object,
    y_pred: object,
    *,
    beta: float = 1.0,
    labels: object = None,
    pos_label: object = 1,
    average: str | None = None,
    warn_for: Collection[str] = _ALL_WARN,
    sample_weight: object = None,
    zero_division: object = "warn",
) -> tuple[object, object, object, object]:
    """Return precision, recall, F-beta and support of each class, or their averages and None for the support.

    >>> precision_recall_fscore_support([0, 1, 1], [0, 1, 0], average="macro")
    (0.75, 0.75, 0.6666666666666666, None)
    """
    problem = read_problem(y_true, y_pred, sample_weight)
    labels = chosen_labels(problem, labels, average, pos_label)
    found, support = Rates(problem, labels, zero_division, beta).of(average, warn_for=warn_for)
    return found[0], found[1], found[2], support if average is None else None


@validated(**_COMMON)
def precision_score(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: object = None,
    zero_division: object = "warn",
) -> float | Array:
    """Return the share of positive predictions that are right.

    >>> precision_score([0, 1, 1], [0, 1, 0])
    1.0
    """
    problem = read_problem(y_true, y_pred, sample_weight)
    labels = chosen_labels(problem, labels, average, pos_label)
    return Rates(problem, labels, zero_division).of(average, only=("precision",))[0][0]


@validated(**_COMMON)
def recall_score(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: object = None,
    zero_division: object = "warn",
) -> float | Array:
    """Return the share of positive items that are found.

    >>> recall_score([0, 1, 1], [0, 1, 0])
    0.5
    """
    problem = read_problem(y_true, y_pred, sample_weight)
    labels = chosen_labels(problem, labels, average, pos_label)
    return Rates(problem, labels, zero_division).of(average, only=("recall",))[0][0]


@validated(**_COMMON)
def f1_score(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: object = None,
    zero_division: object = "warn",
) -> float | Array:
    """Return the harmonic mean of precision and recall.

    >>> f1_score(["ham", "spam", "spam"], ["ham", "spam", "ham"], average="macro")
    0.6666666666666666
    """
    problem = read_problem(y_true, y_pred, sample_weight)
    labels = chosen_labels(problem, labels, average, pos_label)
    return Rates(problem, labels, zero_division).of(average, only=("f-score",))[0][0]


@validated(**_COMMON, beta=_BETA)
def fbeta_score(
    y_true: object,
    y_pred: object,
    *,
    beta: float,
    labels: object = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: object = None,
    zero_division: object = "warn",
) -> float | Array:
    """Return the weighted harmonic mean of precision and recall, in which recall counts beta times as much.

    >>> round(fbeta_score([0, 1, 1], [0, 1, 0], beta=2), 4)
    0.5556
    """
    problem = read_problem(y_true, y_pred, sample_weight)
    labels = chosen_labels(problem, labels, average, pos_label)
    return Rates(problem, labels, zero_division, beta).of(average, only=("f-score",))[0][0]


@validated(**{**_COMMON, "zero_division": (number_among(0, 1), one_of("warn"))})
def jaccard_score(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    pos_label: object = 1,
    average: str | None = "binary",
    sample_weight: object = None,
    zero_division: object = "warn",
) -> Array | float:
    """Return the share of items in both the true and the predicted class among those in either.

    >>> jaccard_score([0, 1, 1], [0, 1, 0])
    0.5
    """
    problem = read_problem(y_true, y_pred, sample_weight)
    labels = chosen_labels(problem, labels, average, pos_label)
    sizes = problem.one_vs_rest(labels, samplewise=average == "samples")
    (found,) = values([jaccard], sizes.total if average == "micro" else sizes)
    found = _ratio(found, "jaccard", average, ("jaccard",), zero_division)
    if average is None:
        return found
    weights = _weights(problem, sizes, average)
    if average == "weighted" and not np.any(weights):
        weights = None
    return float(np.average(found, weights=weights))


def chosen_labels(problem: SingleLabels | Indicators, labels: object, average: str | None, pos_label: object) -> object:
    """Return the labels that an average is over: the positive one for a binary problem, else those asked for."""
    if average != "binary":
        if pos_label not in (None, 1):
            warn(
                f"Note that pos_label (set to {pos_label!r}) is ignored when average != 'binary' (got {average!r}). "
                "You may use labels=[pos_label] to specify a single positive class."
            )
        return labels
    if problem.kind != "binary":
        others = [None, "micro", "macro", "weighted", *(["samples"] if problem.kind != "multiclass" else [])]
        raise ValueError(
            f"Target is {problem.kind} but average='binary'. Please choose another average setting, one of {others!r}."
        )
    if pos_label not in problem.labels.tolist() and (pos_label is None or len(problem.labels) >= 2):
        refusal = f"pos_label={pos_label} is not a valid label. It should be one of {problem.labels}"
        raise ValueError(refusal) if len(problem.labels) >= 2 else TypeError(refusal)
    return [pos_label]


class Rates:
    """Precision, recall and F-beta of the classes of a problem, and their averages; each is computed once."""

    def __init__(
        self, problem: SingleLabels | Indicators, labels: object, zero_division: object, beta: float = 1.0
    ) -> None:
        self._problem, self._labels, self._zero_division, self._beta = problem, labels, zero_division, beta
        self._sizes: dict[bool, OneVsRest] = {}
        self._found: dict[tuple[str, bool, bool], Array] = {}

    def of(
        self, average: str | None, *, only: Collection[str] = _ALL_WARN, warn_for: Collection[str] | None = None
    ) -> tuple[list[float | Array], Array]:
        """Return some of the rates of each class or averaged, in the order of their names, and the class sizes."""
        by_item, in_one = average == "samples", average == "micro"
        if by_item not in self._sizes:
            self._sizes[by_item] = self._problem.one_vs_rest(self._labels, samplewise=by_item)
        sizes = self._sizes[by_item]
        missing = [name for name in only if (name, by_item, in_one) not in self._found]
        if missing:
            new = values([_measure(name, self._beta) for name in missing], sizes.total if in_one else sizes)
            self._found |= {(name, by_item, in_one): each for name, each in zip(missing, new, strict=True)}
        warned = [x for x in (only if warn_for is None else warn_for) if _computed(x, self._beta) == x]
        found = [_ratio(self._found[x, by_item, in_one], x, average, warned, self._zero_division) for x in only]
        if average is None:
            return list(found), sizes.true
        weights = _weights(self._problem, sizes, average)
        return [mean(x, weights) for x in found], sizes.true


def _computed(name: str, beta: float) -> str:
    """Return which rate is computed: F-beta is one of the others if beta is 0 or infinite."""
    return name if name != "f-score" or 0 < beta < np.inf else "recall" if beta else "precision"


def _measure(name: str, beta: float) -> Measure:
    known = {"precision": precision, "recall": recall}.get(_computed(name, beta))
    return _f(float(beta)) if known is None else known


_f = lru_cache(maxsize=32)(fbeta)  # recording a definition takes longer than computing it


def _ratio(found: Array, name: str, average: str | None, warn_for: Collection[str], zero_division: object) -> Array:
    """Return the values of a measure, with undefined ones replaced as `zero_division` says."""
    undefined = np.isnan(found)
    if not undefined.any():
        return found
    if name in warn_for and isinstance(zero_division, str):
        warn_replaced(name.capitalize(), _MISSING[name], average, len(found))
    return replaced(found, undefined, zero_division)


def _weights(problem: SingleLabels | Indicators, sizes: OneVsRest, average: str) -> Array | None:
    """Return the weights of an average over classes or items; None for equal weights."""
    if average == "weighted":
        return sizes.true
    return problem.weights if average == "samples" else None
