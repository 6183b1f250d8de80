"""W6: every threshold of a million scores."""

from __future__ import annotations

import numpy as np

import goodmeasure as gm
from benchmarks.timing import Row, race

MEASURES = ("f1", "mcc", "accuracy")
LOOPED = 5  # thresholds of the loop that are timed, of a hundred


def rows() -> list[Row]:
    from sklearn import metrics

    rng = np.random.default_rng(0)
    true = rng.random(1_000_000) < 0.3
    score = 1 / (1 + np.exp(-rng.normal(size=len(true)) - true))

    def ours() -> object:
        return gm.sweep(true, score, measures=MEASURES).all_values()

    def loop() -> None:
        for threshold in np.quantile(score, np.linspace(0.05, 0.95, LOOPED)):
            predicted = score >= threshold
            metrics.f1_score(true, predicted)
            metrics.matthews_corrcoef(true, predicted)
            metrics.accuracy_score(true, predicted)

    counts = {
        "goodmeasure, the matrices": lambda: gm.sweep(true, score).counts,
        "scikit-learn confusion_matrix_at_thresholds": lambda: metrics.confusion_matrix_at_thresholds(true, score),
        "np.sort alone": lambda: np.sort(score),
    }
    values = {
        "goodmeasure, three measures at every threshold": ours,
        "scikit-learn, three measures at 100 thresholds": loop,
    }
    return [
        Row("W6 matrices", "the matrix at every threshold, n=1e6", race(counts), {list(counts)[1]: 10}),
        Row(
            "W6 measures",
            "f1, mcc and accuracy at every threshold, n=1e6",
            race(values, repeats=3, share={list(values)[1]: LOOPED / 100}),
            {list(values)[1]: 1000},
            note=f"The loop was timed at {LOOPED} of its 100 thresholds.",
        ),
    ]
