"""W3 and W7: fourteen measures from labels, and measures of very many classes."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np

import goodmeasure as gm
from benchmarks.counting import labels
from benchmarks.peers import torch_scorecard
from benchmarks.timing import Row, race

FOURTEEN = (
    *("accuracy", "balanced_accuracy", "kappa", "mcc", "macro(f1)", "macro(precision)", "macro(recall)"),
    *("weighted(f1)", "weighted(precision)", "micro(f1)", "macro(jaccard)", "weighted(jaccard)", "hamming_loss"),
    "zero_one_loss",
)


def with_sklearn(true: Any, predicted: Any) -> list[float]:
    """The same fourteen numbers, each from its function."""
    from sklearn import metrics as m

    return [
        m.accuracy_score(true, predicted),
        m.balanced_accuracy_score(true, predicted),
        m.cohen_kappa_score(true, predicted),
        m.matthews_corrcoef(true, predicted),
        m.f1_score(true, predicted, average="macro"),
        m.precision_score(true, predicted, average="macro"),
        m.recall_score(true, predicted, average="macro"),
        m.f1_score(true, predicted, average="weighted"),
        m.precision_score(true, predicted, average="weighted"),
        m.f1_score(true, predicted, average="micro"),
        m.jaccard_score(true, predicted, average="macro"),
        m.jaccard_score(true, predicted, average="weighted"),
        m.hamming_loss(true, predicted),
        m.zero_one_loss(true, predicted),
    ]


def ours(true: Any, predicted: Any) -> list[float]:
    cm = gm.confusion(true, predicted)
    return [f(cm) for f in CHOSEN]


CHOSEN = [gm.measure(name) for name in FOURTEEN]


def rows() -> list[Row]:
    return [
        _scorecard("W3 m=10", 10, 1000, 150),
        _scorecard("W3 m=1000", 1000, 400, 80),
        _many_classes(),
    ]


def _scorecard(key: str, m: int, calls: float, report: float) -> Row:
    from sklearn.metrics import classification_report

    true, predicted = labels(1_000_000, m, np.int64)
    np.testing.assert_allclose(ours(true, predicted), with_sklearn(true, predicted), rtol=1e-9)
    contenders = {
        "goodmeasure": lambda: ours(true, predicted),
        "scikit-learn, 14 calls": lambda: with_sklearn(true, predicted),
        "scikit-learn, classification_report": lambda: classification_report(true, predicted),
        **torch_scorecard(true, predicted, m),
    }
    at_least = {"scikit-learn, 14 calls": calls, "scikit-learn, classification_report": report}
    work = f"fourteen measures of 1,000,000 labels, {m} classes"
    return Row(key, work, race(contenders, repeats=2), at_least=at_least)


def _many_classes() -> Row:
    """Macro F1, mcc and kappa of 100,000 classes, in memory that does not grow with the square of their number."""
    from sklearn.metrics import f1_score

    true, predicted = labels(10_000_000, 100_000, np.int64)
    chosen = [gm.macro(gm.f1), gm.mcc, gm.kappa]

    def measured() -> list[float]:
        cm = gm.confusion(true, predicted)
        return [f(cm) for f in chosen]

    tracemalloc.start()
    values = measured()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_allclose(values[0], f1_score(true, predicted, average="macro"), rtol=1e-9)
    contenders = {
        "goodmeasure, macro F1, mcc and kappa": measured,
        "scikit-learn, macro F1 alone": lambda: f1_score(true, predicted, average="macro"),
    }
    work = f"10,000,000 labels of 100,000 classes; our peak beyond the input: {peak / 1e6:,.0f} MB"
    at_least = {"scikit-learn, macro F1 alone": 60}
    note = (
        "One pass counts class sizes and hits; the cells beside the diagonal are sorted when a measure needs them. "
        "Scikit-learn's matrix, mcc and kappa fail here."
    )
    return Row("W7", work, race(contenders, repeats=2), at_least=at_least, note=note)
