"""Slices: how often intervals hold the true gap, how often tests are wrong, and how far estimates are right."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.coverage.counting import CONFIDENCE, Tally
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import measure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import GroupCounts, Sample, Slice
from goodmeasure.evaluation.intervals.interval import no_interval
from goodmeasure.evaluation.p_values import holm
from goodmeasure.evaluation.scoring import Score, Settings, SystemScores
from goodmeasure.evaluation.slice_tests import SliceResults
from goodmeasure.evaluation.slices import slice_value
from goodmeasure.typing import Array

MEASURES = tuple(measure(x) for x in ("accuracy", "recall", "precision", "balanced_accuracy", "mcc"))
DEALS = 299
LEVEL = 0.05


@dataclass(frozen=True)
class Case:
    """What slices are drawn from: their number and sizes, prevalence and recalls, weights and groups."""

    slices: int
    sizes: tuple[int, ...]  # of the slices, in turn
    positives: tuple[float, ...] = (0.4,)  # the share of the positive class, in turn
    recall: float = 0.8
    specificity: float = 0.85
    between: float = 0.0  # the standard deviation of recall and specificity between slices
    weights: float = 0.0  # the standard deviation of the logarithm of the weights
    groups: int = 0  # how many in each slice
    within: float = 0.0  # the standard deviation of recall and specificity between groups


CASES = {
    "2 slices of 10": Case(2, (10,)),
    "2 slices of 50": Case(2, (50,)),
    "5 slices of 10": Case(5, (10,)),
    "5 slices of 50": Case(5, (50,)),
    "5 slices of 500": Case(5, (500,)),
    "20 slices of 20": Case(20, (20,)),
    "20 slices of 100": Case(20, (100,)),
    "10 slices of 5 to 500": Case(10, (5, 20, 50, 100, 500)),
    "5 slices of 50, recalls .97": Case(5, (50,), recall=0.97, specificity=0.97),
    "5 slices of 100, 5% positive": Case(5, (100,), (0.05,)),
    "5 slices of 100, 10 to 50% positive": Case(5, (100,), (0.1, 0.2, 0.3, 0.4, 0.5), recall=0.8, specificity=0.8),
    "2 slices of 50 and 500, 50 and 10% positive": Case(2, (50, 500), (0.5, 0.1), recall=0.8, specificity=0.8),
    "5 slices of 100, weighted": Case(5, (100,), weights=0.8),
    "20 slices of 50, weighted": Case(20, (50,), weights=0.8),
    "5 slices of 100 in 5 groups": Case(5, (100,), groups=5, within=0.15),
    "5 slices of 100 in 20 groups": Case(5, (100,), groups=20, within=0.15),
    "2 slices of 50, different": Case(2, (50,), between=0.08),
    "5 slices of 50, different": Case(5, (50,), between=0.08),
    "5 slices of 500, different": Case(5, (500,), between=0.04),
    "20 slices of 50, different": Case(20, (50,), between=0.08),
    "10 slices of 5 to 500, different": Case(10, (5, 20, 50, 100, 500), between=0.08),
    "5 slices of 100, weighted, different": Case(5, (100,), between=0.08, weights=0.8),
    "5 slices of 100 in 20 groups, different": Case(5, (100,), between=0.1, groups=20, within=0.15),
}


def slices(case: str, datasets: int, seed: int) -> dict[str, Any]:
    """Return what is found on slices of one kind.

    "coverage" is that of the interval of the gap. "rejected" is how often the test of all slices rejects, and "single"
    how often any slice is called different from the rest. "recall" has means for recall: the true gap, the observed
    one, what chance makes of it, and the gap and the standard deviation beyond noise.
    """
    now = CASES[case]
    known = [f for f in MEASURES if not (len(now.positives) > 1 and f.name in ("precision", "mcc"))]
    names = [f.name for f in known]
    tally = Tally(names, [math.nan] * len(known))
    rejected, single = (dict.fromkeys(names, 0) for _ in range(2))
    means = np.zeros(5)
    for number in range(datasets):
        samples, rates = drawn(now, np.random.default_rng([seed, number]))
        true = [_gap_of(f.name, rates, now) for f in known]
        found = _results(samples, known, number)
        tests = _least_by_measure(found, names, two=now.slices == 2)
        for i, spread in enumerate(found.spreads):
            tally.add(i, spread.gap_low, spread.gap_high, true[i])
            rejected[names[i]] += spread.p < LEVEL
            single[names[i]] += tests[i] < LEVEL
            if names[i] == "recall":
                means += (true[i], spread.gap, spread.gap_by_chance, spread.gap_beyond_noise, spread.beyond_noise**2)
    means /= datasets
    means[4] = math.sqrt(means[4])
    words = ("true", "gap", "by chance", "beyond noise", "deviation")
    return {
        **tally.results(),
        "rejected": {x: round(n / datasets, 5) for x, n in rejected.items()},
        "single": {x: round(n / datasets, 5) for x, n in single.items()},
        "recall": {word: round(float(x), 4) for word, x in zip(words, means, strict=True)},
    }


def drawn(case: Case, rng: np.random.Generator) -> tuple[list[Sample], Array]:
    """Return the slices of one data set, and the true specificity and recall of each (slices, 2)."""
    samples, every = [], []
    for s in range(case.slices):
        n, share = case.sizes[s % len(case.sizes)], case.positives[s % len(case.positives)]
        rates = np.clip(np.array([case.specificity, case.recall]) + case.between * rng.standard_normal(2), 0.05, 0.95)
        rates = rates if case.between else np.array([case.specificity, case.recall])
        true = (rng.random(n) < share).astype(int)
        group = rng.integers(0, max(1, case.groups), n)
        moved = case.within * (2 * rng.integers(0, 2, (2, max(1, case.groups))) - 1)  # symmetric, so the mean stays
        limit = np.minimum(rates, 1 - rates)[true]  # and no rate leaves 0 to 1
        right = rng.random(n) < rates[true] + np.clip(moved[true, group], -limit, limit)
        pred = np.where(right, true, 1 - true)
        weight = np.exp(case.weights * rng.standard_normal(n)) if case.weights else np.ones(n)
        counts, items, squares = (np.zeros((2, 2)) for _ in range(3))
        for table, value in ((counts, weight), (items, 1.0), (squares, weight**2)):
            np.add.at(table, (true, pred), value)
        parts = None
        if case.groups:
            known = np.unique(group, return_inverse=True)[1]
            parts = GroupCounts(int(known.max()) + 1, known, true, pred, weight)
        if case.weights:
            samples.append(Sample.weighted(ConfusionMatrix(counts), items, squares, parts))
        else:
            samples.append(Sample(ConfusionMatrix(counts.astype(np.int64)), groups=parts))
        every.append(rates)
    return samples, np.array(every)


def _gap_of(name: str, rates: Array, case: Case) -> float:
    """Return the true gap of a measure between slices with these rates."""
    share = np.resize(np.array(case.positives), len(rates))
    cells = np.stack([np.stack([(1 - share) * rates[:, 0], (1 - share) * (1 - rates[:, 0])], axis=1),
                      np.stack([share * (1 - rates[:, 1]), share * rates[:, 1]], axis=1)], axis=1)  # fmt: skip
    return float(np.ptp(measure(name)(cells)))


def _results(samples: list[Sample], measures: list[Measure], seed: int) -> SliceResults:
    """Return what `evaluate` finds for these slices."""
    settings = Settings(tuple(measures), (), confidence=CONFIDENCE, seed=seed, replicates=DEALS)
    every = [Slice([("slice", k)]) for k in range(len(samples))]
    whole = Sample(ConfusionMatrix(sum(np.asarray(x.matrix.counts) for x in samples)))
    parts = [SystemScores("system", None, whole, (), 0, {}, settings, ())]
    for k, sample in enumerate(samples):
        scores = tuple(Score(float(f(sample.matrix)), None, no_interval("")) for f in measures)
        parts.append(SystemScores("system", slice_value(every[k], every), sample, (), 0, {}, settings, scores))
    return SliceResults(parts, settings, every)


def _least_by_measure(found: SliceResults, names: list[str], *, two: bool) -> list[float]:
    """Return the smallest corrected p-value of a slice against the rest, for each measure."""
    least = []
    for name in names:
        p = [x.p for x in found.tests if x.measure == name]
        corrected = [x for x in holm(p, 1 if two else None) if not math.isnan(x)]
        least.append(min(corrected, default=math.nan))
    return least
