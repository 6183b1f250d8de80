"""Values projected to another class distribution, for many data sets at once; a test compares them with `project`."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np

from benchmarks.coverage.counting import CONFIDENCE, Tally, fewer_measures_of, values_of
from benchmarks.coverage.populations import CLASSIFIERS, drawn, rates, sizes_of, truth
from goodmeasure.catalogue.measure import Measure
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.evaluation.intervals.smoothing import spread_of_imagined
from goodmeasure.evaluation.prevalence.projection import STEPS
from goodmeasure.language.policy import RESOLVE
from goodmeasure.typing import Array

Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)


def projection(
    classes: int, prevalence: float, to: float | str, items: int, classifier: str, datasets: int, seed: int
) -> dict[str, Any]:
    """Return the coverage of projected values; a data set without items of a class has no projection."""
    measures = fewer_measures_of(classes)
    shares = np.full(classes, 1 / classes) if isinstance(to, str) else sizes_of(classes, to)
    cells = shares[:, None] * rates(classes, prevalence, CLASSIFIERS[classifier])
    tally = Tally([f.name for f in measures], values_of(measures, cells))
    matrices = drawn(np.random.default_rng(seed), truth(classes, prevalence, classifier), items, datasets)
    whole = (matrices.sum(axis=2) > 0).all(axis=1)
    for k, f in enumerate(measures):
        low, high = intervals(f, matrices[whole], shares)
        for ends in zip(low.tolist(), high.tolist(), strict=True):
            tally.add(k, *ends)
        for _ in range(int((~whole).sum())):
            tally.add(k, np.nan, np.nan)
    return tally.results()


def intervals(f: Measure, matrices: Array, shares: Array) -> tuple[Array, Array]:
    """Return the ends of the intervals of a measure on matrices (data sets, m, m) under other class shares."""
    m = len(shares)
    rows, cols = np.divmod(np.arange(m * m), m)
    samples = Samples(m, rows, cols, RESOLVE, whole=False)
    evenly = spread_of_imagined(rows, cols, m).reshape(m, m)
    counts = matrices.astype(np.float64)
    first = Z * Z * evenly * (1 + m * shares[:, None]) / 2
    parts = _moved(f, samples, counts + first, shares)[2]
    parts = parts / parts.sum(axis=1, keepdims=True)
    again = Z * Z * evenly / evenly.sum(axis=1, keepdims=True) * parts[:, :, None]
    rate, moved, parts = _moved(f, samples, counts + (first + again) / 2, shares)
    error = np.sqrt(parts.sum(axis=1))[:, None, None]
    values = []
    for step in np.linspace(-Z, Z, STEPS):
        along = np.maximum(rate * (1 + step * moved / error), 0.0)
        along *= (shares / along.sum(axis=2))[:, :, None]
        values.append(samples.values([f], [along.reshape(len(along), -1).T])[0])
    here = counts / counts.sum(axis=2, keepdims=True) * shares[:, None]
    seen = samples.values([f], [here.reshape(len(here), -1).T])[0]
    middle, straight = values[STEPS // 2], Z * error[:, 0, 0]
    least, most = f.range or (-np.inf, np.inf)
    low = np.minimum(np.nanmin(values, axis=0), middle - straight)
    high = np.maximum(np.nanmax(values, axis=0), middle + straight)
    return np.minimum(np.maximum(low, least), seen), np.maximum(np.minimum(high, most), seen)


def _moved(f: Measure, samples: Samples, smoothed: Array, shares: Array) -> tuple[Array, Array, Array]:
    sizes = smoothed.sum(axis=2, keepdims=True)
    rate = smoothed / sizes
    slopes = samples.slopes_of(f, (rate * shares[:, None]).reshape(len(rate), -1).T)
    assert slopes is not None
    slopes = slopes.T.reshape(rate.shape)
    moved = shares[:, None] / sizes * (slopes - (rate * slopes).sum(axis=2, keepdims=True))
    return rate, moved, (smoothed * moved**2).sum(axis=2)
