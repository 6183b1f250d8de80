"""One score from several measures, for those who are unsure which to use (opitz2024, §6.2)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure, as_measure
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array

if TYPE_CHECKING:
    from goodmeasure.catalogue.scores.measure import ScoreMeasure


class Ensemble:
    """The mean of several measures, each on a scale from 0 (its worst value) to 1 (its best)."""

    def __init__(self, chosen: Sequence[Measure | ScoreMeasure], shown: Sequence[Measure | ScoreMeasure]) -> None:
        self.measures, self._shown = tuple(chosen), tuple(shown)
        self.places = [list(shown).index(f) for f in chosen]
        ends = [_ends(f) for f in chosen]
        self._worst = np.array([worst for worst, _ in ends])
        self._span = np.array([best - worst for worst, best in ends])

    def _stored(self) -> tuple[tuple[Measure | ScoreMeasure, ...], tuple[Measure | ScoreMeasure, ...]]:
        """Return what a document holds."""
        return self.measures, self._shown

    @classmethod
    def _restored(cls, kept: tuple[Sequence[Measure | ScoreMeasure], Sequence[Measure | ScoreMeasure]]) -> Ensemble:
        """Return the ensemble that a document holds."""
        return cls(*kept)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the measures."""
        return tuple(f.name for f in self.measures)

    def score(self, values: Array) -> Array:
        """Return the scores (systems, …) from the values (systems, measures, …)."""
        mine = np.moveaxis(values[:, self.places], 1, -1)
        scores: Array = ((mine - self._worst) / self._span).mean(axis=-1)
        return scores

    def shift(self) -> float:
        """Return the score where every measure is 0, which its weighted sum is added to."""
        return float((-self._worst / self._span).mean())

    def weights(self) -> Array:
        """Return the derivative of the score with respect to each measure."""
        rise: Array = 1 / (self._span * len(self.measures))
        return rise


def ensemble_of(asked: object, shown: Sequence[Measure | ScoreMeasure]) -> Ensemble | None:
    """Return the ensemble of the measures asked for, or of all shown that have a worst and a best value."""
    if asked is False:
        return None
    if asked is None:
        fitting = [f for f in shown if _ends(f) != (0.0, 0.0)]
        return Ensemble(fitting, shown) if len(fitting) > 1 else None
    listed = [asked] if isinstance(asked, (str, Measure)) else list(asked) if isinstance(asked, Iterable) else [asked]
    chosen = list(dict.fromkeys(as_measure(x) for x in listed))
    for f in chosen:
        if f not in shown:
            raise InputError(
                "{ensemble} has {name}, which is not among {measures}", name=f.name, advice="name it there too"
            )
        if _ends(f) == (0.0, 0.0):
            raise InputError(
                "{ensemble} has {name}, which has no worst and best value",
                name=f.name,
                advice="only such can be averaged",
            )
    if not chosen:
        raise InputError("{ensemble} is empty", advice="name measures, or leave it out for all of them")
    return Ensemble(chosen, shown)


def _ends(f: Measure | ScoreMeasure) -> tuple[float, float]:
    """Return the worst and the best value of a measure; (0, 0) where it has none."""
    if f.range is None or f.orientation == NEITHER or not all(math.isfinite(float(x)) for x in f.range):
        return 0.0, 0.0
    low, high = (float(x) for x in f.range)
    return (high, low) if f.orientation == LOWER else (low, high)
