"""Likelihood ratios of a binary classifier, and what replaces them if they are undefined."""

from __future__ import annotations

import math
from numbers import Real

import numpy as np

from goodmeasure.catalogue.definitions.association import negative_likelihood_ratio, positive_likelihood_ratio
from goodmeasure.sklearn.division import value
from goodmeasure.sklearn.exceptions import warn_undefined
from goodmeasure.sklearn.matrices import matrix_of
from goodmeasure.sklearn.parameters import NAN, OPTIONAL_ARRAY, TARGET, instance_of, number_among, validated
from goodmeasure.sklearn.problems import SingleLabels, read_problem

_CONTROL = (
    "Use the `replace_undefined_by` param to control this behavior. To suppress this warning or turn it into an "
    "error, see Python's `warnings` module and `warnings.catch_warnings()`."
)


@validated(
    y_true=TARGET,
    y_pred=TARGET,
    labels=OPTIONAL_ARRAY,
    sample_weight=OPTIONAL_ARRAY,
    replace_undefined_by=(number_among(1.0), NAN, instance_of(dict, "dict")),
)
def class_likelihood_ratios(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    sample_weight: object = None,
    replace_undefined_by: float | dict[str, float] = np.nan,
) -> tuple[float, float]:
    """Return how much a positive and a negative prediction change the odds of being positive.

    >>> class_likelihood_ratios([0, 1, 0, 1, 0], [1, 1, 0, 0, 0])
    (1.5, 0.75)
    """
    problem = read_problem(y_true, y_pred, sample_weight)
    if not isinstance(problem, SingleLabels) or problem.kind != "binary":
        raise ValueError(
            f"class_likelihood_ratios only supports binary classification problems, got targets of type: {problem.kind}"
        )
    instead_positive, instead_negative = _replacements(replace_undefined_by)
    cells = matrix_of(problem, labels)
    tn, fp, fn, tp = cells.ravel()
    if tp + fn == 0:
        warn_undefined(
            "No samples of the positive class are present in `y_true`. `positive_likelihood_ratio` and "
            f"`negative_likelihood_ratio` are both set to `np.nan`. {_CONTROL}"
        )
    positive, negative = value(positive_likelihood_ratio, cells), value(negative_likelihood_ratio, cells)
    if fp == 0:
        if tp == 0:
            told = "No samples were predicted for the positive class and `positive_likelihood_ratio` is "
        else:
            told = "`positive_likelihood_ratio` is ill-defined and "
        warn_undefined(f"{told}set to `np.nan`. Use the `replace_undefined_by` param to ")
        positive = instead_positive
    if tn == 0:
        warn_undefined(f"`negative_likelihood_ratio` is ill-defined and set to `np.nan`. {_CONTROL}")
        negative = instead_negative
    return positive, negative


def _replacements(replace_undefined_by: float | dict[str, float]) -> tuple[float, float]:
    """Return what replaces each of the two ratios if it is undefined."""
    if not isinstance(replace_undefined_by, dict):
        return float(replace_undefined_by), float(replace_undefined_by)
    positive, negative = (replace_undefined_by.get(name, "missing") for name in ("LR+", "LR-"))
    if not (_within(positive, 1.0, math.inf) and _within(negative, 0.0, 1.0)):
        raise ValueError(
            "The dictionary passed as `replace_undefined_by` needs to be in the form `{'LR+': `value_1`, 'LR-': "
            "`value_2`}` where the value for `LR+` ranges from `1.0` to `np.inf` or is `np.nan` and the value for "
            f"`LR-` ranges from `0.0` to `1.0` or is `np.nan`; got `{replace_undefined_by}`."
        )
    return float(positive), float(negative)


def _within(x: object, low: float, high: float) -> bool:
    return isinstance(x, Real) and (math.isnan(x) or low <= float(x) <= high)
