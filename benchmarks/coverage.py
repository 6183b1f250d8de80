"""`make coverage`: how often intervals hold the value they are for, by simulation; written to docs/intervals.md.

Data sets are drawn from confusion matrices whose true values are known. `python -m benchmarks.coverage` simulates and
writes benchmarks/coverage.json; with ``--page`` it only writes the page anew from it; ``--datasets`` makes it quicker.
"""

from __future__ import annotations

import argparse
import json
import os
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import goodmeasure as gm
from goodmeasure.counts.sample import GroupCounts, Sample
from goodmeasure.evaluation.intervals.interval import Work
from goodmeasure.language.policy import RESOLVE

RESULTS = Path(__file__).parent / "coverage.json"

MEASURES = ("accuracy", "macro(f1)", "mcc", "kappa", "sba")
OTHERS = (
    *MEASURES,
    *("balanced_accuracy", "weighted(f1)", "macro(precision)", "macro(jaccard)", "macro(mcc)", "k"),
    *("calibrated(mcc)", "gwet_ac1", "correlation_distance", "normalized_mutual_information()"),
)
METHODS = ("auto", "smoothed", "delta", "percentile", "bca")
RESAMPLING = METHODS[3:]  # slower, so on fewer data sets
SIZES = (50, 200, 1000, 10_000)
CLASSES = (2, 5, 20)
PREVALENCES = (0.01, 0.1, 0.5)
CLASSIFIERS = {"good": (0.9, 0.75), "fair": (0.7, 0.5)}  # recall of the other classes, and of the class in question
CONFIDENCE = 0.95
REPLICATES = 1000
SITUATIONS = 100  # with everything chosen at random
PEER = "confidenceinterval"


def truth(m: int, prevalence: float, classifier: str) -> Any:
    """The probability of every cell: one class of the given prevalence, the others equally frequent.

    Half of the wrong predictions go to the other classes evenly, half by their prevalence.
    """
    sizes = np.full(m, (1 - prevalence) / (m - 1))
    sizes[-1] = prevalence
    recalls = np.full(m, CLASSIFIERS[classifier][0])
    recalls[-1] = CLASSIFIERS[classifier][1]
    cells = np.zeros((m, m))
    for i in range(m):
        others = np.arange(m) != i
        cells[i, others] = (1 - recalls[i]) * (0.5 / (m - 1) + 0.5 * sizes[others] / sizes[others].sum())
        cells[i, i] = recalls[i]
    return sizes[:, None] * cells


def simulated(m: int, prevalence: float, n: int, classifier: str, datasets: int) -> list[dict[str, Any]]:
    """Coverage and mean width of every method for every measure, in one situation."""
    cells = truth(m, prevalence, classifier)
    measures = [gm.measure(name) for name in MEASURES]
    right = [float(f(cells)) for f in measures]
    draws = drawn(cells, n, datasets)
    held, width = (np.zeros((len(METHODS), len(MEASURES))) for _ in range(2))
    resampled = datasets // (4 if m < 20 else 10)
    tried = np.array([resampled if method in RESAMPLING else datasets for method in METHODS])
    for k, counts in enumerate(draws):
        work = Work(Sample(gm.ConfusionMatrix(counts)), measures, CONFIDENCE, k, REPLICATES, RESOLVE)
        for i in np.flatnonzero(tried > k):
            for j, value in enumerate(right):
                found = work.interval(j, METHODS[i])
                held[i, j] += found.low <= value + 1e-12 and value - 1e-12 <= found.high
                width[i, j] += found.high - found.low
    held, width = held / tried[:, None], width / tried[:, None]
    return [
        {
            "classes": m,
            "prevalence": prevalence,
            "items": n,
            "classifier": classifier,
            "measure": name,
            "value": right[j],
            "datasets": datasets,
            "resampled": resampled,
            "coverage": {method: round(held[i, j], 4) for i, method in enumerate(METHODS)},
            "width": {method: round(width[i, j], 4) for i, method in enumerate(METHODS)},
        }
        for j, name in enumerate(MEASURES)
    ]


def drawn(cells: Any, n: int, datasets: int) -> Any:
    """The same data sets for everybody who asks."""
    m = len(cells)
    return np.random.default_rng([m, n, datasets]).multinomial(n, cells.ravel(), size=datasets).reshape(-1, m, m)


def by_peer(m: int, prevalence: float, n: int, classifier: str, datasets: int, of: int) -> dict[str, float]:
    """Coverage of the package `confidenceinterval` on the first of the same data sets, where it has the measure."""
    from confidenceinterval import accuracy_score, f1_score

    cells = truth(m, prevalence, classifier)
    right = {name: float(gm.measure(name)(cells)) for name in ("accuracy", "macro(f1)")}
    held = dict.fromkeys(right, 0)
    for counts in drawn(cells, n, of)[:datasets]:
        true, predicted = (np.repeat(x.ravel(), counts.ravel()) for x in np.indices(counts.shape))
        found = {
            "accuracy": accuracy_score(true, predicted)[1],
            "macro(f1)": f1_score(true, predicted, average="macro")[1],
        }
        for name, (low, high) in found.items():
            held[name] += bool(low <= right[name] <= high)
    return {name: count / datasets for name, count in held.items()}


def beyond_counts(kind: str, n: int, datasets: int) -> dict[str, Any]:
    """Coverage of the default for weighted and for grouped items, three classes."""
    cells, m = truth(3, 0.1, "fair"), 3
    measures = [gm.measure(name) for name in MEASURES]
    rng = np.random.default_rng([n, len(kind)])
    draw = _weighted if kind == "weights" else _grouped
    right = [float(f(draw(rng, cells, 2_000_000, whole=True))) for f in measures]
    held, plain = np.zeros(len(MEASURES)), np.zeros(len(MEASURES))
    for _ in range(datasets):
        sample = draw(rng, cells, n)
        work = Work(sample, measures, CONFIDENCE, 0, 2, RESOLVE)
        blind = Work(Sample(sample.matrix), measures, CONFIDENCE, 0, 2, RESOLVE)
        for j, value in enumerate(right):
            for count, one in ((held, work), (plain, blind)):
                found = one.interval(j, "auto")
                count[j] += found.low <= value <= found.high
    return {
        "kind": kind,
        "items": n,
        "datasets": datasets,
        "coverage": dict(zip(MEASURES, (held / datasets).tolist(), strict=True)),
        "ignored": dict(zip(MEASURES, (plain / datasets).tolist(), strict=True)),
        "m": m,
    }


def at_random(seed: int, datasets: int) -> dict[str, Any]:
    """Coverage of the default for a classifier, class sizes and a number of items that were chosen at random."""
    rng = np.random.default_rng([seed, 7])
    m, n = int(rng.choice([2, 2, 3, 4, 8, 15])), int(rng.choice([60, 150, 500, 2000]))
    sizes, recalls = rng.dirichlet(np.full(m, 2.0)), rng.beta(4, 1.5, m)
    cells = np.zeros((m, m))
    for i in range(m):
        others = np.arange(m) != i
        cells[i, others], cells[i, i] = (1 - recalls[i]) * rng.dirichlet(np.ones(m - 1)), recalls[i]
    cells *= sizes[:, None]
    measures = [gm.measure(name) for name in OTHERS]
    right = [float(f(cells)) for f in measures]
    held, tried = np.zeros(len(measures)), np.zeros(len(measures))
    for counts in rng.multinomial(n, cells.ravel(), size=datasets).reshape(-1, m, m):
        work = Work(Sample(gm.ConfusionMatrix(counts)), measures, CONFIDENCE, 0, 2, RESOLVE)
        for j, value in enumerate(right):
            found = work.interval(j, "auto")
            if found.low == found.low:  # an undefined value has no interval
                tried[j] += 1
                held[j] += found.low <= value <= found.high
    shares = [round(x / y, 4) if y else None for x, y in zip(held.tolist(), tried.tolist(), strict=True)]
    coverage = dict(zip(OTHERS, shares, strict=True))
    return {"classes": m, "items": n, "smallest": n * sizes.min(), "datasets": datasets, "coverage": coverage}


def _sums(m: int, keys: Any, weights: Any) -> Any:
    return np.bincount(keys, weights, minlength=m * m).reshape(m, m)


def _weighted(rng: Any, cells: Any, n: int, *, whole: bool = False) -> Any:
    """Items whose weights are log-normal and lighter where the prediction is wrong."""
    m = len(cells)
    keys = rng.choice(m * m, size=n, p=cells.ravel())
    weights = rng.lognormal(0, 0.8, n) * np.where(keys % (m + 1) == 0, 1.0, 0.7)
    matrix = gm.ConfusionMatrix(_sums(m, keys, weights))
    return matrix if whole else Sample(matrix, _sums(m, keys, None), _sums(m, keys, weights**2))


def _grouped(rng: Any, cells: Any, n: int, *, whole: bool = False) -> Any:
    """Groups of about 8 items; in some groups the classifier is right far more often than in others."""
    m, size = len(cells), 8
    groups = n // size
    member = np.repeat(np.arange(groups), rng.poisson(size - 1, groups) + 1)
    keys = rng.choice(m * m, size=len(member), p=cells.ravel())
    saved = (rng.random(groups) < 0.4)[member] & (rng.random(len(member)) < 0.9)
    keys = np.where(saved, keys // m * (m + 1), keys)
    matrix = gm.ConfusionMatrix(_sums(m, keys, None).astype(np.int64))
    if whole:
        return matrix
    entries, values = np.unique(member * m * m + keys, return_counts=True)
    where = entries % (m * m)
    return Sample(matrix, groups=GroupCounts(groups, entries // (m * m), where // m, where % m, values))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", type=int, default=4000)
    parser.add_argument("--peer", type=int, default=400, help="data sets for the package confidenceinterval")
    parser.add_argument("--only-peer", action="store_true", help="simulate that package only, on the known data sets")
    parser.add_argument("--page", action="store_true", help="only write the page from the last results")
    parser.add_argument("--classes", type=int, nargs="*", default=CLASSES, help="only these; other results are kept")
    chosen = parser.parse_args()
    if not chosen.page:
        RESULTS.write_text(_written(_all(chosen)), encoding="utf-8")
    from benchmarks.coverage_page import write_page

    write_page()


def _written(results: dict[str, Any]) -> str:
    """JSON with one row a line."""
    parts = [
        f"{json.dumps(key)}: " + (f"[\n{_lines(value)}\n]" if isinstance(value, list) else json.dumps(value))
        for key, value in results.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(rows: list[Any]) -> str:
    return ",\n".join(json.dumps(row) for row in rows)


def _all(chosen: argparse.Namespace) -> dict[str, Any]:
    before = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {"rows": [], "peer": []}
    kept = {key: [x for x in before[key] if x["classes"] not in chosen.classes] for key in ("rows", "peer")}
    situations = list(product(chosen.classes, PREVALENCES, SIZES, CLASSIFIERS))
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        if chosen.only_peer:
            known = max(row["datasets"] for row in before["rows"])
            return {**before, "peer": [*kept["peer"], *_peer(pool, situations, chosen.peer, known)]}
        # The longest first, so that no core waits for one of them at the end.
        jobs = [pool.submit(simulated, *x, chosen.datasets) for x in reversed(situations)]
        kinds = list(product(("weights", "groups"), SIZES[:3])) if 2 in chosen.classes else []
        extra = [pool.submit(beyond_counts, *x, chosen.datasets) for x in kinds]
        chance = [pool.submit(at_random, k, chosen.datasets // 10) for k in range(SITUATIONS if kinds else 0)]
        rows = [row for job in reversed(jobs) for row in job.result()]
        random = [job.result() for job in chance] or before.get("random", [])
        beyond = [job.result() for job in extra] or before.get("beyond", [])
        peer = _peer(pool, situations, chosen.peer, chosen.datasets) if chosen.peer else before["peer"]
    return {
        "replicates": REPLICATES,
        "rows": sorted([*kept["rows"], *rows], key=lambda x: x["classes"]),
        "beyond": beyond,
        "random": random,
        "peer": sorted([*(kept["peer"] if chosen.peer else []), *peer], key=lambda x: x["classes"]),
    }


def _peer(pool: ProcessPoolExecutor, situations: list[Any], datasets: int, of: int) -> list[dict[str, Any]]:
    try:
        import confidenceinterval  # noqa: F401
    except ImportError:
        return []
    jobs = [pool.submit(by_peer, *x, datasets, of) for x in situations]
    names = ("classes", "prevalence", "items", "classifier")
    return [
        {**dict(zip(names, x, strict=True)), "datasets": datasets, "coverage": job.result()}
        for x, job in zip(situations, jobs, strict=True)
    ]


if __name__ == "__main__":
    main()
