"""Values of catalogue measures on counts, and scikit-learn's rules for undefined values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsFloat

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.running import SMALL, MatrixBatch, on_batch, on_rows
from goodmeasure.language.policy import NAN, Policy
from goodmeasure.sklearn.exceptions import warn_undefined
from goodmeasure.sklearn.problems import OneVsRest
from goodmeasure.typing import Array


def value(measure: Measure, cells: Array, policy: Policy = NAN) -> float:
    """Return a measure of one confusion matrix; NaN if it is undefined."""
    if cells.sum() == 0:
        return float("nan")
    if len(cells) <= SMALL:
        return on_rows(measure.recorded, cells.tolist(), policy)
    return float(on_batch(measure.recorded, MatrixBatch(cells), policy)[0])


def values(measures: Sequence[Measure], sizes: OneVsRest) -> list[Array]:
    """Return measures of each class against the rest, NaN if undefined, for measures without true negatives."""
    if not len(sizes.both):
        return [np.zeros(0)] * len(measures)
    cells = np.ones((2, 2, len(sizes.both)))  # one true negative, so that no matrix is empty
    cells[0, 1] = sizes.predicted - sizes.both
    cells[1, 0] = sizes.true - sizes.both
    cells[1, 1] = sizes.both
    largest = float(cells.sum(axis=(0, 1)).max())
    whole = largest < 2.0**53 and (sizes.both.dtype.kind in "iu" or bool((cells == np.rint(cells)).all()))
    batch = MatrixBatch.laid_out(cells, whole=whole, largest=largest)
    return [on_batch(measure.recorded, batch, NAN) for measure in measures]


def replaced(found: Array, undefined: Array, zero_division: object) -> Array:
    """Return the values, with what `zero_division` says in place of undefined ones."""
    return np.where(undefined, float(zero_division) if isinstance(zero_division, SupportsFloat) else 0.0, found)


def warn_replaced(name: str, missing: str, average: str | None, size: int) -> None:
    """Warn about values that were replaced because there was nothing to divide by."""
    items, classes = ("label", "sample") if average == "samples" else ("sample", "label")
    where = "due to" if size == 1 else f"in {classes}s with"
    warn_undefined(
        f"{name} is ill-defined and being set to 0.0 {where} no {missing} {items}s. "
        "Use `zero_division` parameter to control this behavior."
    )


def mean(found: Array, weights: object = None) -> float:
    """Return the mean of the values that are not NaN; NaN if all are, unweighted if the weights sum to zero."""
    if weights is None and not np.isnan(plain := float(np.mean(found))):
        return plain
    defined = ~np.isnan(found)
    if not defined.any():
        return float("nan")
    if weights is None:
        return float(np.mean(found[defined]))
    try:
        return float(np.average(found[defined], weights=np.asarray(weights)[defined]))
    except ZeroDivisionError:
        return float(np.mean(found[defined]))
