"""W4: intervals of eight measures by the bootstrap, against loops that resample the items."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

import goodmeasure as gm
from benchmarks.counting import labels
from benchmarks.timing import Row, race
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.interval import Interval, intervals

EIGHT = (
    *("accuracy", "balanced_accuracy", "kappa", "mcc"),
    *("macro(f1)", "macro(precision)", "macro(recall)", "weighted(f1)"),
)
CHOSEN = [gm.measure(name) for name in EIGHT]
ITEMS, REPLICATES = 100_000, 2000
TIMED = 3  # replicates of the loops, whose times are scaled up
SKLEARN, SCIPY, PEER = "scikit-learn, a loop", "scipy.stats.bootstrap", "confidenceinterval, percentile"


def ours(true: Any, predicted: Any, method: str) -> list[Interval]:
    sample = Sample(gm.confusion(true, predicted))
    return intervals(sample, CHOSEN, method=method, replicates=REPLICATES)


def with_sklearn() -> dict[str, Callable[[Any, Any], float]]:
    """The same eight numbers, each from its function."""
    from sklearn import metrics as m

    return {
        "accuracy": m.accuracy_score,
        "balanced_accuracy": m.balanced_accuracy_score,
        "kappa": m.cohen_kappa_score,
        "mcc": m.matthews_corrcoef,
        "macro(f1)": lambda t, p: m.f1_score(t, p, average="macro"),
        "macro(precision)": lambda t, p: m.precision_score(t, p, average="macro"),
        "macro(recall)": lambda t, p: m.recall_score(t, p, average="macro"),
        "weighted(f1)": lambda t, p: m.f1_score(t, p, average="weighted"),
    }


def by_sklearn(true: Any, predicted: Any, replicates: int) -> np.ndarray:
    """Return the values on so many resamples of the items."""
    rng, functions = np.random.default_rng(0), with_sklearn().values()
    drawn = (rng.integers(len(true), size=len(true)) for _ in range(replicates))
    return np.array([[f(true[x], predicted[x]) for f in functions] for x in drawn])


def by_scipy(true: Any, predicted: Any, replicates: int) -> None:
    from scipy.stats import bootstrap

    functions = with_sklearn().values()

    def eight(t: Any, p: Any) -> Any:
        return np.array([f(t, p) for f in functions]).sum()  # one number is asked for

    bootstrap((true, predicted), eight, paired=True, vectorized=False, n_resamples=replicates, method="percentile")


def by_peer(true: Any, predicted: Any, replicates: int) -> None:
    from confidenceinterval.bootstrap import bootstrap_ci

    for f in with_sklearn().values():
        bootstrap_ci(true, predicted, f, n_resamples=replicates, method="bootstrap_percentile")


def rows() -> list[Row]:
    return [_row("W4 m=2", 2, 50_000), _row("W4 m=10", 10, 5_000)]


def _row(key: str, m: int, at_least: float) -> Row:
    true, predicted = labels(ITEMS, m, np.int64)
    _agree(true, predicted)
    contenders: dict[str, Callable[[], object]] = {
        "goodmeasure, percentile": lambda: ours(true, predicted, "percentile"),
        "goodmeasure, BCa": lambda: ours(true, predicted, "bca"),
        "goodmeasure, the default (nothing drawn)": lambda: ours(true, predicted, "auto"),
    }
    loops: dict[str, Callable[[], object]] = {
        SKLEARN: lambda: by_sklearn(true, predicted, TIMED),
        SCIPY: lambda: by_scipy(true, predicted, TIMED),
    }
    if find_spec("confidenceinterval"):
        loops[PEER] = lambda: by_peer(true, predicted, TIMED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what SciPy thinks of so few replicates
        seconds = race({**contenders, **loops}, repeats=2, share=dict.fromkeys(loops, TIMED / REPLICATES))
    work = f"intervals of eight measures from {ITEMS:,} labels of {m} classes, {REPLICATES:,} replicates"
    note = f"The loops are timed on {TIMED} replicates and scaled up; ours runs in full, counting the labels included."
    return Row(key, work, seconds, at_least={SKLEARN: at_least}, note=note)


def _agree(true: Any, predicted: Any) -> None:
    """What is timed gives the same standard errors, as far as a few replicates can tell."""
    drawn = by_sklearn(true, predicted, 30).std(axis=0, ddof=1)
    found = [x.deviation for x in ours(true, predicted, "percentile")]
    np.testing.assert_allclose(found, drawn, rtol=0.5)
