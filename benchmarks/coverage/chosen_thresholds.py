"""The honest value at a chosen threshold, the naive interval at it, and the interval of the threshold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.coverage.counting import CONFIDENCE, Tally, values_of
from benchmarks.coverage.populations import skewed_weights
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import measure
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.interval import intervals
from goodmeasure.evaluation.thresholds.sweep import sweep
from goodmeasure.typing import Array

MEASURES = ("mcc", "f1", "accuracy")
REPLICATES = 200
ITEMS_OF_GROUP = 8
SHIFT = 0.7  # standard deviation of what the scores of a group share


def population(threshold: float, prevalence: float, distance: float, spread: float) -> Array:
    """Return the matrix of a population with normal scores around 0 and around `distance`, cut at a threshold."""
    above = [0.5 * math.erfc((threshold - mean) / spread / math.sqrt(2)) for mean in (0.0, distance)]
    return np.array([[(1 - prevalence) * (1 - above[0]), (1 - prevalence) * above[0]],
                     [prevalence * (1 - above[1]), prevalence * above[1]]])  # fmt: skip


def honest(
    items: int, prevalence: float, distance: float, datasets: int, seed: int, groups: int = 0, weights: str = ""
) -> dict[str, Any]:
    """Return how often intervals hold the true value at the threshold that was chosen, and the best threshold.

    "naive" is the interval of `evaluate` at the chosen threshold, as if it had been fixed beforehand.
    """
    rng, measures = np.random.default_rng(seed), [measure(x) for x in MEASURES]
    spread = math.hypot(1, SHIFT) if groups else 1.0
    best = [_best_threshold(f, prevalence, distance, spread) for f in measures]
    kinds = {x: Tally(MEASURES, [math.nan] * len(MEASURES)) for x in ("honest", "naive")}
    kinds["threshold"] = Tally(MEASURES, best)
    optimism, bias = (dict.fromkeys(MEASURES, 0.0) for _ in range(2))
    for k in range(datasets):
        member = np.repeat(np.arange(groups), ITEMS_OF_GROUP) if groups else None
        n = items if member is None else len(member)
        hit = rng.random(n) < prevalence
        if hit.all() or not hit.any():
            continue
        scores = rng.normal(size=n) + distance * hit
        if member is not None:
            scores += SHIFT * rng.normal(size=groups)[member]
        mass = skewed_weights(rng, weights, n) if weights else None
        found = sweep(hit.astype(int), scores, measures=measures, groups=member, sample_weight=mass)
        for i, f in enumerate(measures):
            at = found.best(f, confidence=CONFIDENCE, seed=k, replicates=REPLICATES)
            true = values_of([f], population(at.threshold, prevalence, distance, spread))[0]
            low, high = (math.nan if x is None else x for x in (at.value_low, at.value_high))
            kinds["honest"].add(i, low, high, true)
            plain = intervals(Sample(at.matrix), [f])[0]
            kinds["naive"].add(i, plain.low, plain.high, true)
            kinds["threshold"].add(i, at.low or -math.inf, at.high or math.inf)
            optimism[f.name] += at.value - true
            bias[f.name] += (at.honest or 0.0) - true
    drawn = {x: max(1, kinds["honest"].datasets[x]) for x in MEASURES}
    return {
        **{kind: tally.results() for kind, tally in kinds.items()},
        "optimism": {x: round(optimism[x] / drawn[x], 4) for x in MEASURES},
        "bias": {x: round(bias[x] / drawn[x], 4) for x in MEASURES},
    }


def _best_threshold(f: Measure, prevalence: float, distance: float, spread: float) -> float:
    grid = np.linspace(-4, distance + 4, 1601)
    values = [values_of([f], population(float(x), prevalence, distance, spread))[0] for x in grid]
    return float(grid[int(np.nanargmax(values))])
