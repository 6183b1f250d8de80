"""Several labels for an item: intervals of every average, and paired tests of two systems."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from benchmarks.coverage.counting import CONFIDENCE, Tally
from goodmeasure.comparison.compare import compare
from goodmeasure.evaluation.multilabel import multilabel
from goodmeasure.typing import Array

MEASURES = ("f1", "recall", "mcc")
AVERAGES = ("macro", "micro", "weighted", "samples")
LEVEL = 0.05
REPLICATES = 199
MANY = 200_000  # items of the population whose averages count as true


@dataclass(frozen=True)
class Case:
    """What items are drawn from: label sizes, rates, and how much the decisions about one item have in common."""

    items: int
    labels: int
    shares: tuple[float, float] = (0.1, 0.5)  # of the rarest and of the most frequent label
    recall: float = 0.8
    false: float = 0.1
    common: float = 0.15  # the standard deviation of what is easy or hard about an item
    groups: int = 0
    weights: float = 0.0


CASES = {
    "20 items, 5 labels": Case(20, 5),
    "50 items, 5 labels": Case(50, 5),
    "200 items, 5 labels": Case(200, 5),
    "200 items, 20 labels, 2 to 20%": Case(200, 20, (0.02, 0.2)),
    "50 items, 5 labels, recalls .97": Case(50, 5, recall=0.97, false=0.02, common=0.03),
    "200 items, 5 labels, weighted": Case(200, 5, weights=0.8),
    "200 items in 10 groups, 5 labels": Case(200, 5, groups=10),
}
TESTED = ("50 items, 5 labels", "200 items, 20 labels, 2 to 20%", "200 items in 10 groups, 5 labels")


def drawn(case: Case, items: int, rng: np.random.Generator, systems: int = 1) -> tuple[Any, ...]:
    """Return true labels, those of each system, weights and groups."""
    shares = np.linspace(*case.shares, case.labels)
    group = rng.integers(0, case.groups, items) if case.groups else None
    hard = case.common * rng.standard_normal((items, 1))
    if group is not None:
        hard = hard / 2 + case.common * rng.standard_normal((case.groups, 1))[group]
    true = rng.random((items, case.labels)) < shares
    rates = np.where(true, case.recall, case.false) + np.where(true, -hard, hard / 2)
    predicted = [rng.random((items, case.labels)) < np.clip(rates, 0, 1) for _ in range(systems)]
    weight = np.exp(case.weights * rng.standard_normal(items)) if case.weights else None
    return true, *predicted, weight, group


@lru_cache(maxsize=8)
def truth(case: Case) -> Array:
    """Return the averages (averages, measures) on very many items."""
    many = replace(case, groups=20_000 if case.groups else 0)
    true, pred, weight, _ = drawn(many, MANY, np.random.default_rng(1))
    found = multilabel(true, pred, sample_weight=weight)
    return np.array([[found.average(f, x) for f in MEASURES] for x in AVERAGES])


def averages(case: str, datasets: int, seed: int) -> dict[str, Any]:
    """Return how often the intervals of each average hold that of very many items."""
    now = CASES[case]
    tally = Tally([f"{f}, {x}" for x in AVERAGES for f in MEASURES], truth(now).ravel().tolist())
    for number in range(datasets):
        true, pred, weight, group = drawn(now, now.items, np.random.default_rng([seed, number, 5]))
        found = multilabel(true, pred, sample_weight=weight, groups=group)
        for k, (x, f) in enumerate((x, f) for x in AVERAGES for f in MEASURES):
            tally.add(k, *found.interval(f, x, confidence=CONFIDENCE))
    return tally.results()


def tests(case: str, datasets: int, seed: int) -> dict[str, Any]:
    """Return how often paired tests reject, and intervals hold the difference 0, where both systems are alike."""
    now = CASES[case]
    names = [f"{f}, {x}" for x in AVERAGES for f in MEASURES]
    tally, rejected = Tally(names, [0.0] * len(names)), dict.fromkeys(names, 0)
    for number in range(datasets):
        true, one, two, weight, group = drawn(now, now.items, np.random.default_rng([seed, number, 6]), 2)
        both = {k: multilabel(true, x, sample_weight=weight, groups=group) for k, x in (("A", one), ("B", two))}
        for row in compare(both, measures=MEASURES, replicates=REPLICATES, seed=number).differences:
            if row["average"] is not None:
                name = f"{row['measure']}, {row['average']}"
                tally.add(names.index(name), row["low"], row["high"])
                rejected[name] += row["p"] < LEVEL
    return {**tally.results(), "rejected": {x: round(n / datasets, 5) for x, n in rejected.items()}}
