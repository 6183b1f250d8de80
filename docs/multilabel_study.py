"""Simulate the intervals and tests of multilabel averages, and print the tables of docs/tasks.md.

Run as ``python docs/multilabel_study.py [SAMPLES]``; 1,000 samples take some ten minutes on one core.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np

import goodmeasure as gm

MEASURES = ("f1", "recall", "mcc")
AVERAGES = ("macro", "micro", "weighted", "samples")


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


def drawn(case: Case, items: int, rng: np.random.Generator, systems: int = 1) -> tuple[np.ndarray, ...]:
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


CASES = {
    "20 items, 5 labels": Case(20, 5),
    "50 items, 5 labels": Case(50, 5),
    "200 items, 5 labels": Case(200, 5),
    "200 items, 20 labels, 2 to 20%": Case(200, 20, (0.02, 0.2)),
    "50 items, 5 labels, recalls .97": Case(50, 5, recall=0.97, false=0.02, common=0.03),
    "200 items, 5 labels, weighted": Case(200, 5, weights=0.8),
    "200 items in 10 groups, 5 labels": Case(200, 5, groups=10),
}


def truth(case: Case) -> dict[tuple[str, str], float]:
    """Return the averages on very many items."""
    many = Case(**{**case.__dict__, "groups": 20_000 if case.groups else 0})
    true, pred, weight, _ = drawn(many, 400_000, np.random.default_rng(1))
    found = gm.multilabel(true, pred, sample_weight=weight)
    return {(x, f): found.average(f, x) for x in AVERAGES for f in MEASURES}


def coverage(samples: int) -> None:
    """Print how often nominal 95% intervals hold the average of very many items."""
    print(f"| case | measure | {' | '.join(AVERAGES)} |")
    print(f"| --- | --- |{' ---: |' * len(AVERAGES)}")
    for name, case in CASES.items():
        expected, held = truth(case), dict.fromkeys(((x, f) for x in AVERAGES for f in MEASURES), 0)
        for seed in range(samples):
            true, pred, weight, group = drawn(case, case.items, np.random.default_rng([seed, 5]))
            found = gm.multilabel(true, pred, sample_weight=weight, groups=group)
            for f in MEASURES:
                for x in AVERAGES:
                    low, high = found.interval(f, x)
                    held[x, f] += low <= expected[x, f] <= high
        for f in MEASURES:
            print(f"| {name} | {f} | {' | '.join(f'{100 * held[x, f] / samples:.1f}' for x in AVERAGES)} |", flush=True)


def errors(samples: int) -> None:
    """Print how often paired tests reject at the 5% level although both systems are alike."""
    print(f"| case | measure | {' | '.join(AVERAGES)} |")
    print(f"| --- | --- |{' ---: |' * len(AVERAGES)}")
    for name in ("50 items, 5 labels", "200 items, 20 labels, 2 to 20%", "200 items in 10 groups, 5 labels"):
        case, rejected = CASES[name], dict.fromkeys(((x, f) for x in AVERAGES for f in MEASURES), 0)
        held = dict(rejected)
        for seed in range(samples):
            true, one, two, weight, group = drawn(case, case.items, np.random.default_rng([seed, 6]), 2)
            both = {k: gm.multilabel(true, x, sample_weight=weight, groups=group) for k, x in (("A", one), ("B", two))}
            for row in gm.compare(both, measures=MEASURES, replicates=499).differences:
                if row["average"] is not None:
                    rejected[row["average"], row["measure"]] += row["p"] < 0.05
                    held[row["average"], row["measure"]] += row["low"] <= 0 <= row["high"]
        for f in MEASURES:
            shares = " | ".join(f"{100 * rejected[x, f] / samples:.1f}" for x in AVERAGES)
            print(f"| {name} | {f} | {shares} |", flush=True)


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    coverage(number)
    print()
    errors(number)
