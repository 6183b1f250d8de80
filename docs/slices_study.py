"""Simulate the tests of slices, and print the tables of docs/slices.md.

Run as ``python docs/slices_study.py [SAMPLES]``; 2,000 samples take some ten minutes on two cores.
"""

from __future__ import annotations

import math
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

import goodmeasure as gm
from goodmeasure.counts.sample import GroupCounts, Sample
from goodmeasure.evaluation.p_values import holm
from goodmeasure.evaluation.slice_variation import DisjointSlices, beyond_noise, variations
from goodmeasure.language.policy import RESOLVE

MEASURES = tuple(gm.measure(x) for x in ("accuracy", "recall", "precision", "balanced_accuracy", "mcc"))
DEALS = 499


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


def drawn(case: Case, rng: np.random.Generator) -> tuple[list[Sample], list[float]]:
    """Return the slices of one data set, and the true recall of each."""
    samples, recalls = [], []
    for s in range(case.slices):
        n, share = case.sizes[s % len(case.sizes)], case.positives[s % len(case.positives)]
        rates = np.clip(np.array([case.specificity, case.recall]) + case.between * rng.standard_normal(2), 0.01, 0.99)
        true = (rng.random(n) < share).astype(int)
        group = rng.integers(0, max(1, case.groups), n)
        moved = case.within * rng.standard_normal((2, max(1, case.groups)))
        right = rng.random(n) < np.clip(rates[true] + moved[true, group], 0, 1)
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
            samples.append(Sample(gm.ConfusionMatrix(counts), items, squares, parts))
        else:
            samples.append(Sample(gm.ConfusionMatrix(counts.astype(np.int64)), groups=parts))
        recalls.append(float(rates[1]))
    return samples, recalls


def block(case: Case, seeds: range) -> np.ndarray:
    """Return, for each data set and measure: p, the least p of slices by Holm, spread beyond noise, and gaps."""
    found = []
    for seed in seeds:
        samples, recalls = drawn(case, np.random.default_rng([seed, 77]))
        sizes = DisjointSlices(samples, RESOLVE).sizes
        rows = []
        for f, x in zip(MEASURES, variations(samples, MEASURES, RESOLVE, seed, DEALS), strict=True):
            left = beyond_noise(x.values, x.errors, sizes)
            corrected = holm(x.against_rest.tolist(), 1 if case.slices == 2 else None)
            known = x.values[np.isfinite(x.values)]
            least = min((p for p in corrected if not math.isnan(p)), default=math.nan)
            gap = float(np.ptp(known)) if len(known) > 1 else math.nan
            true = float(np.ptp(recalls)) if f.name == "recall" else math.nan
            rows.append((x.p, least, left.deviation, gap, x.gap_by_chance, left.gap, true))
        found.append(rows)
    return np.array(found)


def simulated(case: Case, samples: int, pool: ProcessPoolExecutor) -> np.ndarray:
    """Return what `block` finds on many data sets."""
    step = max(1, samples // 64)
    pieces = [range(k, min(k + step, samples)) for k in range(0, samples, step)]
    return np.concatenate(list(pool.map(partial(block, case), pieces)))


ALIKE = {
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
    "20 slices of 100 in 10 groups": Case(20, (100,), groups=10, within=0.15),
}
DIFFERENT = {
    "5 slices of 50": Case(5, (50,), between=0.08),
    "5 slices of 500": Case(5, (500,), between=0.04),
    "20 slices of 50": Case(20, (50,), between=0.08),
    "20 slices of 500": Case(20, (500,), between=0.04),
    "10 slices of 5 to 500": Case(10, (5, 20, 50, 100, 500), between=0.08),
    "5 slices of 100 in 20 groups": Case(5, (100,), between=0.1, groups=20, within=0.15),
}


def errors(samples: int, pool: ProcessPoolExecutor) -> None:
    """Print how often the tests reject at the 5% level although the slices are alike."""
    names = " | ".join(f.name for f in MEASURES)
    print(f"| slices, all alike | {names} |")
    print(f"| --- |{' ---: |' * len(MEASURES)}")
    for name, case in ALIKE.items():
        found = simulated(case, samples, pool)
        both = [f"{_share(found[:, i, 0])} / {_share(found[:, i, 1])}" for i in range(len(MEASURES))]
        if len(case.positives) > 1:  # precision and MCC depend on prevalence, so these slices are not alike in them
            both = [x if f.name not in ("precision", "mcc") else "" for f, x in zip(MEASURES, both, strict=True)]
        print(f"| {name} | {' | '.join(both)} |", flush=True)


def powers(samples: int, pool: ProcessPoolExecutor) -> None:
    """Print power, and how far the spread and the gap are estimated right, for recall."""
    print("| slices, recalls differ | their σ | estimated σ | rejected | true gap | gap | by chance | beyond noise |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    at = [f.name for f in MEASURES].index("recall")
    for name, case in {**{f"{x}, alike": ALIKE[x] for x in ("5 slices of 50", "20 slices of 20")}, **DIFFERENT}.items():
        found = simulated(case, samples, pool)[:, at]
        spread = math.sqrt(np.nanmean(found[:, 2] ** 2))
        gaps = [np.nanmean(found[:, k]) for k in (6, 3, 4, 5)]
        gaps = " | ".join(f"{x:.3f}" for x in gaps)
        print(f"| {name} | {case.between:.2f} | {spread:.3f} | {_share(found[:, 0])}% | {gaps} |", flush=True)


def _share(p: np.ndarray) -> str:
    known = p[~np.isnan(p)]
    return f"{100 * (known < 0.05).mean():.1f}"


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        errors(number, workers)
        print()
        powers(number, workers)
