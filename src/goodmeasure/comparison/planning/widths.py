"""The width that the interval of `evaluate` will have with n items."""

from __future__ import annotations

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.comparison.bootstrap import Marginal
from goodmeasure.comparison.planning.assumptions import Population
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.interval import intervals
from goodmeasure.evaluation.intervals.many_at_once import ManyItems, many_ends
from goodmeasure.evaluation.intervals.resampling import MOST_DENSE, Samples
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

_NUMBERS = 2_000_000  # samples × classes⁴, which bounds the work
_FEWEST, _ONE_BY_ONE = 20, 50


def widths(
    f: Measure, population: Population, items: int, confidence: float, policy: Policy, samples: int, seed: int
) -> Array:
    """Return the widths of the intervals on random samples; samples on which there is no interval are left out."""
    m = population.m
    samples = max(min(samples, _FEWEST), min(samples, _NUMBERS // m**4))
    if m > MOST_DENSE or f.is_users_own():
        samples = min(samples, _ONE_BY_ONE)
    matrices = _matrices(population, items, samples, seed)
    if m > MOST_DENSE or f.is_users_own():
        found = [
            intervals(Sample(ConfusionMatrix(x)), [f], confidence=confidence, undefined=policy, seed=seed)[0]
            for x in matrices
        ]
        wide = np.array([x.high - x.low for x in found])
    else:
        cells = np.divmod(np.arange(m * m), m)
        values = Samples(m, *cells, policy, whole=True).values([f], [matrices.reshape(samples, -1).T.astype(float)])
        ends = many_ends(ManyItems(matrices), [f], [values[0]], confidence, policy)[0]
        wide = ends.high - ends.low
    known: Array = wide[~np.isnan(wide)]
    return known


def _matrices(population: Population, items: int, samples: int, seed: int) -> Array:
    """Return random confusion matrices (samples, m, m) of the first system."""
    m = population.m
    marginal, found = Marginal(population.true * m + population.pred[0], m), np.zeros((samples, m, m), np.int64)
    found[:, marginal.rows, marginal.cols] = marginal.added(population.drawn(items, samples, seed).T).T
    return found
