"""Whether two measures say the same: the value of one is a + b times that of the other, whatever the counts.

It is decided by their formulas, not by their names: both are computed on random matrices with as many classes as the
data, all of whose cells are positive, so that no rule for 0/0 acts. A difference of two such formulas that is not
identically 0 vanishes on a set of measure zero only, so that agreement on all of them is no chance.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.language.policy import RESOLVE
from goodmeasure.typing import Array

AnyMeasure = Measure | ScoreMeasure
_SAMPLES = 24  # matrices: two parameters are fitted, so that 22 values are tests
_MOST_CLASSES = 12  # formulas do not change any more with further classes
_NEAR = 1e-9  # relative to how much values vary
_ITEMS = 40


def distinct(measures: Iterable[AnyMeasure], classes: int) -> list[AnyMeasure]:
    """Return the measures without those that are an affine function of an earlier one.

    >>> from goodmeasure.catalogue.names import measure
    >>> named = [measure(x) for x in ("accuracy", "micro(f1)", "balanced_accuracy", "macro(recall)", "k", "mcc")]
    >>> distinct(named, 3)
    [accuracy, balanced_accuracy, mcc]
    """
    kept: list[AnyMeasure] = []
    for f in measures:
        if not any(is_affine(f, g, min(classes, _MOST_CLASSES)) for g in kept):
            kept.append(f)
    return kept


@cache
def is_affine(f: AnyMeasure, g: AnyMeasure, classes: int) -> bool:
    """Return whether f is a + b·g on all matrices of so many classes, with b other than 0."""
    if isinstance(f, ScoreMeasure) != isinstance(g, ScoreMeasure):
        return False
    x, y = _values(g, classes), _values(f, classes)
    if x is None or y is None:
        return f == g
    x, y = x - x.mean(), y - y.mean()
    if not x.any() or not y.any():
        return False
    slope = float(x @ y) / float(x @ x)
    return bool(np.abs(y - slope * x).max() <= _NEAR * np.abs(y).max())


@cache
def _values(f: AnyMeasure, classes: int) -> Array | None:
    """Return the values on the random samples; None where one is undefined, or the measure refuses such counts."""
    try:
        if isinstance(f, ScoreMeasure):
            found = np.array([f.of(x, RESOLVE)[0] for x in _scored(classes)], dtype=float)
        else:
            found = np.array([float(f(x)) for x in _matrices(classes)], dtype=float)
    except (TypeError, ValueError, ArithmeticError):
        return None
    return found if np.isfinite(found).all() else None


@cache
def _matrices(classes: int) -> Array:
    """Return random matrices of positive whole counts, good and bad ones."""
    rng = np.random.default_rng(0)
    counts: Array = rng.integers(1, 100, (_SAMPLES, classes, classes))
    right = rng.integers(1, 300, (_SAMPLES, classes)) * (np.arange(_SAMPLES) % 3)[:, None]
    counts += right[:, :, None] * np.eye(classes, dtype=np.int64)
    return counts


@cache
def _scored(classes: int) -> list[Scored]:
    """Return random probabilities of few items, with different shares of the classes."""
    rng, found = np.random.default_rng(0), []
    for k in range(_SAMPLES):
        true = np.concatenate([np.arange(classes).repeat(2), rng.integers(0, classes, _ITEMS + 5 * k)])
        true = np.where(rng.random(len(true)) < k / (2 * _SAMPLES), 0, true)
        true[: 2 * classes] = np.arange(classes).repeat(2)
        scores = rng.dirichlet(np.ones(classes), len(true))
        labels = tuple(range(classes))
        found.append(Scored(true == 1, scores[:, 1], labels) if classes == 2 else Scored(true, scores, labels))
    return found
