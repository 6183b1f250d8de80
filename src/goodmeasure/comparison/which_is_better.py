"""Which of two values of a measure is better: by floats, and exactly where floats are too close to tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.catalogue import shipped
from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure, as_measure
from goodmeasure.catalogue.running import on_exact
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.language.policy import RESOLVE, Undecided
from goodmeasure.typing import Array

if TYPE_CHECKING:
    from goodmeasure.language.exact.reals import Exact

NEAR = 1e-11  # values closer than this, relative to their size, are compared exactly
_MOST_EXACT = 64  # classes: with more, exact values take too long, and equal floats are ties


def direction(measure: Measure) -> int:
    """Return 1 where higher is better, −1 where lower is better."""
    return -1 if measure.orientation == LOWER else 1


def close(x: Array, y: Array) -> Array:
    """Return where two values are too close for floats to tell them apart."""
    with np.errstate(invalid="ignore"):
        found: Array = np.abs(x - y) <= NEAR * np.maximum(1.0, np.maximum(np.abs(x), np.abs(y)))
    return found & np.isfinite(x) & np.isfinite(y)


class ExactValues:
    """The exact values of measures on matrices, each computed once."""

    def __init__(self) -> None:
        self._known: dict[tuple[Measure, bytes], Exact | float] = {}

    def sign(self, measure: Measure, first: Array, second: Array) -> int:
        """Return 1 if the second matrix is better under the measure, −1 if the first is, and 0 for a tie."""
        if _cannot_tell_classes(measure) and first.shape[-1] == 2:
            first, second = _ordered(first), _ordered(second)
        if np.array_equal(first, second):
            return 0
        if first.shape[-1] > _MOST_EXACT:
            low, high = (float(measure(ConfusionMatrix(x))) for x in (first, second))
            return direction(measure) * ((high > low) - (high < low))
        before, after = self._value(measure, first), self._value(measure, second)
        try:
            return direction(measure) * (int(after > before) - int(after < before))
        except Undecided:  # equal to more digits than are computed
            return 0

    def _value(self, measure: Measure, matrix: Array) -> Exact | float:
        key = (measure, matrix.tobytes() if matrix.dtype.kind != "O" else repr(matrix.tolist()).encode())
        if key not in self._known:
            try:
                self._known[key] = on_exact(measure.recorded, matrix.tolist(), RESOLVE)
            except (TypeError, ValueError, ArithmeticError):
                if not measure.is_users_own():
                    raise
                self._known[key] = float(measure(matrix))  # a function that only takes floats
        return self._known[key]


def _cannot_tell_classes(measure: Measure) -> bool:
    """Return whether exchanging the two classes changes nothing; only measures of the catalogue are trusted in that."""
    return measure.class_symmetric and not measure.is_users_own() and measure.stem in shipped


def _ordered(matrix: Array) -> Array:
    """Return a matrix of two classes, or the one with the classes exchanged, whichever sorts first."""
    other = matrix[::-1, ::-1]
    return other if other.ravel().tolist() < matrix.ravel().tolist() else matrix


def values_of(measures: Sequence[Measure], counts: Array) -> Array:
    """Return the values (measures, matrices) on a batch of matrices of one size; NaN where undefined."""
    return np.array([np.asarray(f(counts), dtype=float) for f in measures]).reshape(len(measures), len(counts))


def listed(measures: object, classes: int = 2) -> list[Measure]:
    """Return the measures asked for, each once; from a set such as "all", only those with an orientation."""
    from goodmeasure.evaluation.chosen_measures import SETS, as_asked, chosen

    if measures is None:
        raise InputTypeError("{measures} is None", advice="name the measures to compare, such as ['f1', 'mcc']")
    found = chosen(measures, classes)
    asked = {as_measure(x) for x in as_asked(measures) if not (isinstance(x, str) and x in SETS)}
    for f in found:
        if f.orientation == NEITHER and f in asked:
            raise InputError(
                "{measures} has {name}, which is neither better when higher nor when lower",
                name=f.name,
                advice="it prefers no system",
            )
    return [f for f in found if f.orientation != NEITHER]


def name_of(measure: object) -> str:
    """Return the canonical name of a measure given by measure, name or alias."""
    return as_measure(measure).name
