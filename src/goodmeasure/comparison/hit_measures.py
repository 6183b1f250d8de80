"""Measures that count which items a system gets right, so that McNemar's test decides about them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.evaluation.intervals.proportions import shares_of
from goodmeasure.typing import Array

Hit = Callable[[Array, Array], Array]  # of true and predicted classes: which items are counted


def hit_of(f: Measure, m: int) -> Hit | None:
    """Which items a measure counts, if it is a share of hits among items chosen by their true class; else None.

    So are accuracy, and recall and specificity of two classes.
    """
    shares = shares_of(f, m)
    if shares is None or not np.array_equal(shares.among.any(axis=1), shares.among.all(axis=1)):
        return None
    if len(shares.hits) != m:  # many classes: hits are the diagonal, or the rest, which the same items decide
        return _right
    hits = shares.hits
    return lambda true, pred: hits[true, pred]


def _right(true: Array, pred: Array) -> Array:
    right: Array = pred == true
    return right
