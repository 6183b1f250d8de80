"""W10: measures of scores, and their intervals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import goodmeasure as gm
from benchmarks.timing import Row, race

DRAWS = 2000  # of the bootstrap loop
LOOPED = 3  # of them that are timed


def rows() -> list[Row]:
    from sklearn import metrics

    found = []
    theirs: dict[str, Callable[..., Any]] = {
        "roc_auc": metrics.roc_auc_score,
        "average_precision": metrics.average_precision_score,
        "log_loss": metrics.log_loss,
        "brier": metrics.brier_score_loss,
    }
    for n, kind in ((1_000_000, np.float64), (1_000_000, np.float32), (10_000_000, np.float64)):
        rng = np.random.default_rng(0)
        score = rng.random(n).astype(kind)
        true = (rng.random(n) < score).astype(np.int64)
        for name, peer in theirs.items():
            found.append(_race(name, peer, true, score, f"n={n:.0e}, {np.dtype(kind).name}"))
    rng = np.random.default_rng(0)
    score = rng.random(1_000_000)
    true = (rng.random(1_000_000) < score).astype(np.int64)
    return [*found, _intervals(true, score)]


def _race(name: str, peer: Callable[..., Any], true: Any, score: Any, data: str) -> Row:
    ours = gm.measure(name)
    contenders = {
        f"goodmeasure {name}": lambda: ours(true, score),
        f"scikit-learn {peer.__name__}": lambda: peer(true, score),
    }
    at_least, at_most = {list(contenders)[1]: 5.0}, dict[str, float]()
    if name in ("roc_auc", "average_precision"):
        contenders["np.sort of the scores"] = lambda: np.sort(score)
        at_most["np.sort of the scores"] = 2.0
    return Row(f"W10 {name}", f"{name} of scores, {data}", race(contenders, repeats=3), at_least, at_most)


def _intervals(true: Any, score: Any) -> Row:
    from sklearn import metrics

    def ours() -> object:
        return gm.evaluate(true, y_score=score, measures=["roc_auc"], classwise=False)

    def loop() -> None:
        rng = np.random.default_rng(0)
        for _ in range(LOOPED):
            drawn = rng.integers(0, len(true), len(true))
            metrics.roc_auc_score(true[drawn], score[drawn])

    contenders = {
        "goodmeasure, ROC AUC with its interval": ours,
        "scikit-learn, ROC AUC without": lambda: metrics.roc_auc_score(true, score),
        f"scikit-learn in a bootstrap loop of {DRAWS:,}": loop,
    }
    names = list(contenders)
    return Row(
        "W10 intervals",
        "the interval of ROC AUC, n=1e6",
        race(contenders, repeats=3, share={names[2]: LOOPED / DRAWS}),
        {names[1]: 1, names[2]: 1000},
        note=f"The loop was timed for {LOOPED} of its {DRAWS:,} resamples.",
    )
