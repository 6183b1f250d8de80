"""Measures of scores: intervals of areas, losses and calibration errors, and paired tests of two systems.

Scores are normal, with a distance of the classes that gives the area under the ROC curve, and turned into calibrated
probabilities.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from benchmarks.coverage.counting import CONFIDENCE, Tally
from benchmarks.coverage.populations import skewed_weights
from goodmeasure.catalogue.names import measure
from goodmeasure.comparison.compare import compare
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.scores.curves import GAIN, PRECISION_RECALL, ROC, curve_of
from goodmeasure.evaluation.scores.uncertainty import Uncertainty
from goodmeasure.typing import Array

USUAL = ("roc_auc", "average_precision", "log_loss", "brier")
RESAMPLED = ("ks", "h_measure", "partial_auc", "equal_error_rate", "precision_at_recall", "gain_at",
             "calibration_error")  # fmt: skip
COMPARED = ("roc_auc", "average_precision", "log_loss", "brier")
REPLICATES = 300
PLACES = (0.1, 0.2, 0.5, 0.8, 0.9)  # along the horizontal axis of a curve
SHIFT = 0.7  # standard deviation of what the scores of a group share
ITEMS_OF_GROUP = 8
LEVEL = 0.05
_POPULATION = 400_000


def _scores(rng: np.random.Generator, hit: Array, apart: float, share: float, shift: Array | float = 0.0) -> Array:
    """Return calibrated probabilities of normal scores that differ by `apart` between the classes.

    What a group shares is part of the score, so that its variance is 1 + SHIFT².
    """
    spread = 1.0 if np.ndim(shift) == 0 else math.hypot(1, SHIFT)
    score = (rng.normal(size=len(hit)) + shift) / spread + apart * hit
    odds = apart * score - apart**2 / 2 + math.log(share / (1 - share))
    found: Array = 1 / (1 + np.exp(-odds))
    return found


def intervals(
    items: int, prevalence: float, area: float, datasets: int, seed: int, groups: int = 0, weights: str = "",
    resampled: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Return how often intervals of measures of scores hold the value of a very large population."""
    apart = math.sqrt(2) * NormalDist().inv_cdf(area)
    measures: list[Any] = [measure(x) for x in (RESAMPLED if resampled else USUAL)]
    many = np.random.default_rng(0)
    hits = many.random(_POPULATION) < prevalence
    population = Scored(hits, _scores(many, hits, apart, prevalence), (0, 1))
    right = [area if f.name == "roc_auc" else f.of(population)[0] for f in measures]
    tally, rng = Tally([f.name for f in measures], right), np.random.default_rng([seed, 1])
    for number in range(datasets):
        member = np.repeat(np.arange(groups), ITEMS_OF_GROUP) if groups else None
        n = items if member is None else len(member)
        hit = rng.random(n) < prevalence
        if hit.sum() < 2 or (~hit).sum() < 2:
            for k in range(len(measures)):
                tally.add(k, math.nan, math.nan)
            continue
        shift = 0.0 if member is None else SHIFT * rng.normal(size=groups)[member]
        mass = skewed_weights(rng, weights, n) if weights else None
        data = Scored(hit, _scores(rng, hit, apart, prevalence, shift), (0, 1), weights=mass, units=member)
        work = Uncertainty(data, CONFIDENCE, number, REPLICATES)
        for k, f in enumerate(measures):
            found = work.interval(f, f.of(data)[0])
            tally.add(k, found.low, found.high)
    return tally.results()


def tests(items: int, prevalence: float, area: float, datasets: int, seed: int) -> dict[str, Any]:
    """Return how often tests of two systems that are equally good reject, and intervals hold the difference 0."""
    apart, rng = math.sqrt(2) * NormalDist().inv_cdf(area), np.random.default_rng([seed, 2])
    tally, rejected = Tally(COMPARED, [0.0] * len(COMPARED)), dict.fromkeys(COMPARED, 0)
    for number in range(datasets):
        hit = rng.random(items) < prevalence
        if hit.sum() < 2:
            continue
        shared = rng.normal(size=items)  # half of the variance of the scores is common to both systems
        both = {}
        for name in ("A", "B"):
            score = (shared + rng.normal(size=items)) / math.sqrt(2) + apart * hit
            odds = apart * score - apart**2 / 2 + math.log(prevalence / (1 - prevalence))
            both[name] = 1 / (1 + np.exp(-odds))
        found = compare(hit.astype(int), y_score=both, measures=list(COMPARED), seed=number, replicates=REPLICATES)
        for row in found.differences:
            tally.add(COMPARED.index(row["measure"]), row["low"], row["high"])
            rejected[row["measure"]] += row["p"] < LEVEL
    return {**tally.results(), "rejected": {x: round(n / tally.datasets[x], 5) for x, n in rejected.items()}}


def bands(positive: int, negative: int, area: float, datasets: int, seed: int) -> dict[str, Any]:
    """Return how often the pointwise bands of curves hold the true height, at places along the horizontal axis."""
    rng, normal = np.random.default_rng([seed, 3]), NormalDist()
    apart, share = math.sqrt(2) * normal.inv_cdf(area), positive / (positive + negative)
    at = np.linspace(8, -6, 20_001)
    fallout, recall = (1 - np.vectorize(normal.cdf)(x) for x in (at, at - apart))
    chosen = share * recall + (1 - share) * fallout
    axes = {ROC: (fallout, recall), PRECISION_RECALL: (recall, share * recall / chosen), GAIN: (chosen, recall)}
    places = [(kind, x) for kind in axes for x in PLACES]
    tally = Tally([f"{kind} at {x}" for kind, x in places], [float(np.interp(x, *axes[kind])) for kind, x in places])
    hit = np.arange(positive + negative) < positive
    for number in range(datasets):
        data = Scored(hit, rng.normal(size=len(hit)) + apart * hit, (0, 1))
        for kind in axes:
            found = curve_of(data, kind, CONFIDENCE, number)
            assert found is not None  # both classes have items
            assert found.band is not None
            for x in PLACES:
                tally.add(places.index((kind, x)), *found.band.at(x))
    return tally.results()
