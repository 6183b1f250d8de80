"""Averages over classes of a measure of two-class scores, each class against the rest."""

from __future__ import annotations

import numpy as np

from goodmeasure.catalogue.display_names import title_inside
from goodmeasure.catalogue.measure import about_of
from goodmeasure.catalogue.scores.definition import DegenerateScores, ScoreDefinition, value_or_rule
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array


class ClassAverage(ScoreDefinition):
    """The mean over classes, each against the rest; classes without a value are left out, and the reason says so."""

    classes = None

    def __init__(self, inner: ScoreMeasure, weighted: bool) -> None:
        self.inner, self.weighted = inner.definition, weighted
        self.needs_probabilities = self.inner.needs_probabilities
        share = r"\sum_{i} \frac{a_{i}}{n}" if weighted else r"\frac{1}{m} \sum_{i}"
        self.formula = rf"{share} \left({inner.formula}\right)_{{i}} \quad \text{{of class i against the rest}}"

    def value(self, data: Scored) -> float:
        found = np.array([value_or_rule(self.inner, data.of_class(k)) for k in range(data.m)])
        absent = [label for label, x in zip(data.labels, found, strict=True) if np.isnan(x)]
        if len(absent) == data.m:
            raise DegenerateScores("it is undefined for every class against the rest")
        shares = self._shares(data, ~np.isnan(found))
        mean = float((np.where(np.isnan(found), 0.0, found) * shares).sum())
        if absent:
            raise DegenerateScores(f"it is undefined for class {absent[0]!r} against the rest, which is left out", mean)
        return mean

    def _shares(self, data: Scored, known: Array) -> Array:
        """Return the weight of each class in the mean."""
        sizes = np.where(known, data.sizes if self.weighted else 1.0, 0.0)
        found: Array = sizes / sizes.sum()
        return found

    def influences(self, data: Scored) -> Array | None:
        """Return the influences: of each class's value and, where classes are weighted, of the class sizes."""
        values = np.array([value_or_rule(self.inner, data.of_class(k)) for k in range(data.m)])
        known = ~np.isnan(values)
        if not known.any():
            return None
        shares, found = self._shares(data, known), np.zeros(len(data))
        for k in np.flatnonzero(known).tolist():
            part = self.inner.influences(data.of_class(k))
            if part is None:
                return None
            found += shares[k] * part
        if self.weighted:
            mean = float((values[known] * shares[known]).sum())
            own = np.where(known, values - mean, 0.0) / data.sizes[known].sum()
            weights = 1.0 if data.weights is None else data.weights
            found += weights * own[data.true.astype(np.int64)]
        return found


def average(combinator: str, inner: ScoreMeasure) -> ScoreMeasure:
    """Return the average of a measure of scores over classes, each against the rest: "macro" or "weighted"."""
    if inner.classes != 2:
        raise InputError(
            "{name} looks at all classes at once", name=inner.name, advice="it needs no average over classes"
        )
    weighted = combinator == "weighted"
    by = " with weights by true class size" if weighted else ""
    return ScoreMeasure(
        ClassAverage(inner, weighted),
        f"{combinator}({inner.name})",
        title=f"{'Weighted' if weighted else 'Macro-averaged'} {title_inside(inner)}",
        range=inner.range,
        orientation=inner.orientation,
        cite=inner.cite,
        family="own" if inner.is_users_own() else "averages",
        about=f"{about_of(inner).clause}, averaged over classes (each against the rest){by}",
        parameters={"measure": inner},
        made_by=combinator,
        key=(combinator, inner._key),
    )
