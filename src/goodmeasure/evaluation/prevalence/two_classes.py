"""Values of measures where two classes have given true and predicted shares, and both recalls are kept.

No confusion matrix has all four: with two classes, the true and the predicted shares leave one number to choose, and
there are two recalls. opitz2024, §6.3, keeps the recalls and computes precision_i = recall_i · p_i/q_i; estimates of
macro measures follow. So a measure that reads right predictions and class sizes only is computed from recall_i · p_i,
p_i and q_i. One that is about one class (F1, precision; specificity is about the other) reads the matrix of that class
against the rest: recall_i · p_i are right, and p_i and q_i say how many are missed and how many are false alarms. Any
other measure has the value on the nearest matrix with these shares. Nothing depends on which class is called positive.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.running import on_margins
from goodmeasure.evaluation.prevalence.reweighting import nearest
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array


def values_of_two(f: Measure, cells: Array, predicted: Array, policy: Policy) -> Array:
    """Return the values of a measure for matrices (…, 2, 2) of shares whose recalls and true shares are kept."""
    true, hits = cells.sum(axis=-1), np.einsum("...ii->...i", cells)
    found = None if f.opaque else on_margins(f.recorded, true, np.broadcast_to(predicted, true.shape), hits, policy)
    if found is not None:
        return found
    about = _class_that_matters(f)
    matrix = nearest(cells, predicted) if about is None else _of_class(true, predicted, hits, about)
    return np.asarray(f(matrix, undefined=policy), dtype=float)


def _of_class(true: Array, predicted: Array, hits: Array, i: int) -> Array:
    """Return the matrices whose class i has its recall and both shares; the other class follows."""
    right, missed, false = hits[..., i], true[..., i] - hits[..., i], predicted[i] - hits[..., i]
    rest = 1 - right - missed - false
    cells = [[rest, false], [missed, right]] if i == 1 else [[right, missed], [false, rest]]
    return np.stack([np.stack(row, axis=-1) for row in cells], axis=-2)


@cache
def _class_that_matters(f: Measure) -> int | None:
    """Return the class of which alone a measure speaks: it does not read the right predictions of the other one."""
    examples = np.array([[[5.0, 2], [3, 7]], [[2.0, 1], [4, 9]], [[8.0, 3], [1, 2]]])
    for i in (1, 0):
        changed = examples.copy()
        changed[:, 1 - i, 1 - i] += [4, 7, 1]
        if np.array_equal(f(examples, undefined="nan"), f(changed, undefined="nan"), equal_nan=True):
            return i
    return None
