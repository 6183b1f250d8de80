"""Values projected to another class distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.coverage.counting import Tally, fewer_measures_of, values_of
from benchmarks.coverage.populations import CLASSIFIERS, drawn, rates, sizes_of, truth
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.prevalence.projection import Projection, project
from goodmeasure.exceptions import InputError


def projection(
    classes: int, prevalence: float, to: float | str, items: int, classifier: str, datasets: int, seed: int
) -> dict[str, Any]:
    """Return the coverage of projected values; a data set without items of a class has no projection."""
    measures = fewer_measures_of(classes)
    shares = np.full(classes, 1 / classes) if isinstance(to, str) else sizes_of(classes, to)
    cells = shares[:, None] * rates(classes, prevalence, CLASSIFIERS[classifier])
    tally = Tally([f.name for f in measures], values_of(measures, cells))
    for counts in drawn(np.random.default_rng(seed), truth(classes, prevalence, classifier), items, datasets):
        try:
            found = project(ConfusionMatrix(counts), prevalence=shares.tolist(), measures=measures)
        except InputError:
            for k in range(len(measures)):
                tally.add(k, np.nan, np.nan)
            continue
        assert isinstance(found, Projection)
        for k, f in enumerate(measures):
            tally.add(k, *found.interval(f))
    return tally.results()
