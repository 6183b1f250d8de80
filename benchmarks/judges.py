"""Judges against ppi_py and truescore: values, times and coverage on the same data.

`python -m benchmarks.judges` prints the tables of docs/judges.md. It needs ppi-python, and truescore for its columns.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

import goodmeasure as gm
from goodmeasure.typing import Array

SEVERAL = ("f1", "mcc", "kappa", "macro(f1)")
SITUATIONS = (  # human labels, judged items, share of positives, how often the system and the judge are right
    (100, 2000, 0.3, 0.85, 0.9), (200, 2000, 0.3, 0.85, 0.7), (100, 2000, 0.05, 0.9, 0.95), (200, 2000, 0.05, 0.9, 0.8),
    (150, 1500, 0.5, 0.7, 0.9), (40, 1000, 0.5, 0.95, 0.9),
)  # fmt: skip


def drawn(drawing: np.random.Generator, items: int, share: float, system: float, judge: float) -> tuple[Array, ...]:
    """Return true labels, a judge's and a system's."""
    true = (drawing.random(items) < share).astype(int)
    return true, *(np.where(drawing.random(items) < right, true, 1 - true) for right in (judge, system))


def of_counts(name: str, m: int) -> Callable[[Array, Array], float]:
    """Return a measure of predicted and true labels, quick enough for ten thousand resamples."""
    f = gm.measure(name)

    def value(said: Array, true: Array) -> float:
        return float(f(np.bincount(true * m + said, minlength=m * m).reshape(m, m)))

    return value


def against_ppboot(resamples: int) -> None:
    """Print the ends and times of gm.evaluate and ppi_py.ppboot."""
    import ppi_py

    print("| measure | classes | human labels | method='delta' | default | ppboot | seconds | ppboot | times faster |")
    print("|---|---|---|---|---|---|---|---|---|")
    for m, n in ((2, 200), (2, 500), (3, 300), (10, 1000)):
        drawing = np.random.default_rng(n)
        true = drawing.integers(0, m, n + 3000)
        judge, pred = (
            np.where(drawing.random(len(true)) < p, true, drawing.integers(0, m, len(true))) for p in (0.9, 0.75)
        )
        human = np.where(np.arange(len(true)) < n, true.astype(float), np.nan)
        for name in SEVERAL if m == 2 else ("kappa", "macro(f1)"):
            given = (human, pred.astype(float))
            options = {"y_judge": judge.astype(float), "measures": [name], "classwise": False}
            gm.evaluate(*given, **options)
            start = time.process_time()
            found = gm.evaluate(*given, **options)
            mine = time.process_time() - start
            plain = gm.evaluate(*given, **options, method="delta").table[0]
            np.random.seed(0)  # ppi_py takes its numbers from there
            start = time.process_time()
            low, high = ppi_py.ppboot(
                of_counts(name, m), true[:n], judge[:n], judge[n:], pred[:n], pred[n:], alpha=0.05,
                n_resamples=resamples,
            )  # fmt: skip
            theirs = time.process_time() - start
            row = found.table[0]
            ends = (f"{x['low']:.4f} to {x['high']:.4f}" for x in (plain, row))
            print(f"| {name} | {m} | {n} | {' | '.join(ends)} | {low:.4f} to {high:.4f} | {mine:.4f} | {theirs:.1f} | "
                  f"{theirs / mine:,.0f} |", flush=True)  # fmt: skip


def coverage(datasets: int) -> None:
    """Print how often intervals hold the true value, and how wide they are next to those of the human labels alone."""
    names = ("accuracy", "f1", "mcc", "kappa", "balanced_accuracy", "macro(f1)")
    print("| human + judged, positives, system, judge | " + " | ".join(names) + " |")
    print("|---" * (len(names) + 1) + "|")
    for n, others, *how in SITUATIONS:
        drawing = np.random.default_rng(0)
        true, _, pred = drawn(drawing, 1_000_000, *how)
        truth = {f: float(gm.measure(f)(gm.confusion(true, pred))) for f in names}
        held, ratios = dict.fromkeys(names, 0), {f: [] for f in names}
        done = 0
        for _ in range(datasets):
            t, j, p = (x.astype(float) for x in drawn(drawing, n + others, *how))
            t[n:] = np.nan
            try:
                found = gm.evaluate(t, p, y_judge=j, measures=list(names), classwise=False, labels=[0.0, 1.0])
            except gm.InputError:
                continue  # one in some thousand draws looks as if it were not drawn at random
            done += 1
            for f, x, added in zip(names, found.parts[0].scores, found.parts[0].powered, strict=True):
                held[f] += x.interval.low <= truth[f] <= x.interval.high
                ratios[f].append((x.interval.high - x.interval.low) / (added.human.high - added.human.low))
        cells = (f"{100 * held[f] / done:.1f}% ({np.nanmedian(ratios[f]):.2f})" for f in names)
        print(f"| {n} + {others:,}, {', '.join(f'{x:.0%}' for x in how)} | {' | '.join(cells)} |", flush=True)


def pass_rates(n: int, true: Array, said: Array) -> dict[str, Callable[[], tuple[float, float]]]:
    """Return the ways to an interval of a pass rate, of which the first n items have a human label."""
    import ppi_py
    from truescore.correct import ppi_estimate

    human = np.where(np.arange(len(true)) < n, true, np.nan)
    options = {"measures": ["accuracy"], "classwise": False, "labels": [0.0, 1.0]}

    def ours() -> tuple[float, float]:
        row = gm.evaluate(human, np.ones(len(said)), y_judge=said, **options).table[0]
        return row["low"], row["high"]

    def alone() -> tuple[float, float]:
        row = gm.evaluate(human[:n], np.ones(n), **options).table[0]
        return row["low"], row["high"]

    def of_ppi_py() -> tuple[float, float]:
        low, high = ppi_py.ppi_mean_ci(true[:n], said[:n], said[n:], alpha=0.05)
        return low.item(), high.item()

    def of_truescore() -> tuple[float, float]:
        found = ppi_estimate(said.astype(int), true[:n].astype(int), np.arange(n))
        return found.low, found.high

    return {"goodmeasure": ours, "truescore": of_truescore, "ppi_py": of_ppi_py, "human labels alone": alone}


def against_truescore(datasets: int) -> None:
    """Print coverage, width and time of the pass rate by goodmeasure, truescore and ppi_py on the same data."""
    print("| human + judged, right, judge | | covers | width | milliseconds |")
    print("|---|---|---|---|---|")
    for n, others, right, judge in ((40, 1000, 0.95, 0.9), (150, 1500, 0.7, 0.9), (100, 2000, 0.9, 0.8)):
        rows: dict[str, list[tuple[float, float, float]]] = {}
        drawing = np.random.default_rng(0)
        for _ in range(datasets):
            true = (drawing.random(n + others) < right).astype(float)
            said = np.where(drawing.random(n + others) < judge, true, 1 - true)
            for name, way in pass_rates(n, true, said).items():
                start = time.process_time()
                low, high = way()
                rows.setdefault(name, []).append((low <= right <= high, high - low, time.process_time() - start))
        for name, found in rows.items():
            held, width, seconds = np.mean(found, axis=0)
            where = f"{n} + {others:,}, {right:.0%}, {judge:.0%}"
            print(f"| {where} | {name} | {held:.1%} | {width:.3f} | {1000 * seconds:.2f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judges", description=__doc__)
    parser.add_argument("--datasets", type=int, default=300)
    parser.add_argument("--resamples", type=int, default=10_000)
    chosen = parser.parse_args()
    coverage(chosen.datasets)
    print()
    against_truescore(chosen.datasets)
    print()
    against_ppboot(chosen.resamples)


if __name__ == "__main__":
    main()
