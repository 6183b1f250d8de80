"""The same data sets for other packages; everybody gets the labels of the items, and nobody the list of classes."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from benchmarks.coverage.counting import CONFIDENCE, Tally, values_of
from benchmarks.coverage.paired import BOTH, LEVEL, REPLICATES, differences
from benchmarks.coverage.populations import drawn, joint_items, together, truth
from goodmeasure.catalogue.names import measure
from goodmeasure.comparison.inference import Inference
from goodmeasure.comparison.paired_labels import PairedLabels
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.interval import intervals
from goodmeasure.typing import Array

MEASURES = ("accuracy", "macro(f1)", "mcc")
RESAMPLES = 999
OURS = "goodmeasure"
DELTA = "confidenceinterval"


def single(classes: int, prevalence: float, items: int, classifier: str, datasets: int, seed: int) -> dict[str, Any]:
    """Return the coverage of single values: ours, of `confidenceinterval`, statsmodels and SciPy's bootstraps.

    statsmodels has intervals of proportions only, of which its default is the textbook one ("normal").
    """
    from statsmodels.stats.proportion import proportion_confint

    cells, measures = truth(classes, prevalence, classifier), [measure(x) for x in MEASURES]
    right = values_of(measures, cells)
    tallies = {x: Tally(MEASURES, right) for x in (OURS, DELTA, "statsmodels", "scipy percentile", "scipy bca")}
    for k, counts in enumerate(drawn(np.random.default_rng(seed), cells, items, datasets)):
        seen = np.flatnonzero(counts.sum(axis=0) + counts.sum(axis=1))
        counts = counts[np.ix_(seen, seen)]
        for i, found in enumerate(intervals(Sample(ConfusionMatrix(counts)), measures)):
            tallies[OURS].add(i, found.low, found.high)
        true, said = (np.repeat(x.ravel(), counts.ravel()) for x in np.indices(counts.shape))
        for i, ends in enumerate(_of_confidenceinterval(true, said)):
            tallies[DELTA].add(i, *ends)
        tallies["statsmodels"].add(0, *proportion_confint(int((true == said).sum()), len(true), 1 - CONFIDENCE))
        for method in ("percentile", "bca"):
            for i, f in enumerate(measures):
                ends = bootstrapped(lambda block, f=f: np.asarray(f(block)), [true * len(counts) + said], method, k)
                tallies[f"scipy {method}"].add(i, *ends)
    return {name: tally.results() for name, tally in tallies.items()}


def _of_confidenceinterval(true: Array, said: Array) -> list[tuple[float, float]]:
    """Return the intervals by the defaults of the package; for MCC it has only a bootstrap, as SciPy has.

    It is no dependency of the tests, since it asks for an old version of setuptools; without it there is no interval.
    """
    none = (math.nan, math.nan)
    try:
        from confidenceinterval import accuracy_score, f1_score
    except ImportError:
        return [none] * len(MEASURES)
    found = []
    for score, options in ((accuracy_score, {}), (f1_score, {"average": "macro"})):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found.append(score(true, said, **options)[1])
        except (ValueError, ZeroDivisionError, IndexError, np.linalg.LinAlgError):
            found.append(none)
    return [*found, none]


def bootstrapped(of: Any, keys: list[Array], method: str, seed: int) -> tuple[float, float]:
    """Return SciPy's bootstrap interval of a statistic of the matrices of one or two systems.

    `keys` has the cell of each item in the matrix of each system; `of` takes a batch of matrices of each of them.
    """
    from scipy.stats import bootstrap

    m = math.isqrt(max(int(x.max()) for x in keys)) + 1

    def statistic(*drawn: Array, axis: int = -1) -> Array:
        return np.asarray(of(*(_matrices(x, m) for x in drawn)))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = bootstrap(
            keys, statistic, n_resamples=RESAMPLES, method=method, paired=len(keys) > 1, vectorized=True,
            confidence_level=CONFIDENCE, rng=np.random.default_rng(seed),
        ).confidence_interval  # fmt: skip
    return float(found.low), float(found.high)


def _matrices(keys: Array, m: int) -> Array:
    """Return a batch of matrices from batches of cells (…, items)."""
    shape = keys.shape[:-1]
    flat = keys.reshape(-1, keys.shape[-1])
    place = (flat + np.arange(len(flat))[:, None] * m * m).ravel()
    found: Array = np.bincount(place, minlength=len(flat) * m * m).reshape(*shape, m, m)
    return found


def paired(classes: int, prevalence: float, items: int, pair: str, datasets: int, seed: int) -> dict[str, Any]:
    """Return coverage and error rates for the difference of two systems: ours, SciPy's bootstraps, and statsmodels."""
    from statsmodels.stats.contingency_tables import mcnemar

    cells, measures = together(classes, prevalence, pair), [measure(x) for x in ("accuracy", "mcc")]
    names, right = [f.name for f in measures], differences(cells, measures)
    tallies = {x: Tally(names, right) for x in (OURS, "scipy percentile", "scipy bca")}
    rejected = dict.fromkeys((OURS, "statsmodels exact", "statsmodels chi-squared"), 0)
    rng = np.random.default_rng(seed)
    for k in range(datasets):
        joint = joint_items(rng, cells, items)
        joint = joint.keeping(joint.occurring())
        work = Inference(PairedLabels(joint, ComparisonSettings(tuple(measures), replicates=REPLICATES, seed=k)))
        tests = work.tests({BOTH: [0, 1]})
        for i in range(len(measures)):
            found = work.difference_interval(i, BOTH, tests[BOTH, i].p)
            tallies[OURS].add(i, found.low, found.high)
        keys = [joint.cells(0), joint.cells(1)]
        for method in ("percentile", "bca"):
            for i, f in enumerate(measures):
                ends = bootstrapped(lambda x, y, f=f: np.asarray(f(x)) - np.asarray(f(y)), keys, method, k)
                tallies[f"scipy {method}"].add(i, *ends)
        one, two = (x == joint.true for x in joint.pred)
        table = [[int((one & two).sum()), int((one & ~two).sum())], [int((~one & two).sum()), int((~one & ~two).sum())]]
        rejected[OURS] += tests[BOTH, 0].p < LEVEL
        rejected["statsmodels exact"] += mcnemar(table, exact=True).pvalue < LEVEL
        apart = table[0][1] + table[1][0]
        rejected["statsmodels chi-squared"] += apart > 0 and mcnemar(table, exact=False).pvalue < LEVEL
    return {
        **{name: tally.results() for name, tally in tallies.items()},
        "difference": dict(zip(names, right, strict=True)),
        "rejected": {name: round(hits / datasets, 5) for name, hits in rejected.items()},
    }
