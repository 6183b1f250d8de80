"""W10: measures of scores, their curves and their intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import goodmeasure as gm
from benchmarks.peers import TORCHMETRICS
from benchmarks.timing import Row, race

DRAWS = 2000  # of the bootstrap loop
LOOPED = 1  # of them that are timed
NAMES = ("roc_auc", "average_precision", "log_loss", "brier")
SORTED = ("roc_auc", "average_precision")
SIZES = (1_000_000, 10_000_000)
SORT = "np.sort of the scores"


class Scores(NamedTuple):
    """Scores with true labels, and how the page describes them."""

    true: np.ndarray
    score: np.ndarray
    words: str
    repeats: int

    @classmethod
    def drawn(cls, n: int, kind: Any) -> Scores:
        rng = np.random.default_rng(0)
        score = np.clip(rng.random(n).astype(kind), 1e-6, 1 - 1e-6)  # no infinite loss
        true = (rng.random(n) < score).astype(np.int64)
        return cls(true, score, f"n={n:.0e}, {np.dtype(kind).name}", 2 if n < 5_000_000 else 1)


def rows() -> Iterator[Row]:
    for n in SIZES:
        for kind in (np.float64, np.float32):
            data = Scores.drawn(n, kind)
            yield from (_value(name, data) for name in NAMES)
            yield from (_curve(name, data) for name in ("roc_curve", "precision_recall_curve"))
            yield from (_interval(name, data) for name in NAMES)


def _sklearn(name: str) -> Callable[..., Any]:
    from sklearn import metrics

    peers: dict[str, Callable[..., Any]] = {
        "roc_auc": metrics.roc_auc_score,
        "average_precision": metrics.average_precision_score,
        "log_loss": metrics.log_loss,
        "brier": metrics.brier_score_loss,
    }
    return peers[name]


def _torch(name: str, data: Scores) -> dict[str, Callable[[], Any]]:
    """Return what torchmetrics has; it has no log loss and no Brier score."""
    functions = {"roc_auc": "binary_auroc", "average_precision": "binary_average_precision", "roc_curve": "binary_roc",
                 "precision_recall_curve": "binary_precision_recall_curve"}  # fmt: skip
    if not TORCHMETRICS or name not in functions:
        return {}
    import torch
    from torchmetrics.functional import classification

    function, tensors = getattr(classification, functions[name]), [torch.from_numpy(x) for x in (data.score, data.true)]
    return {f"torchmetrics {functions[name]}": lambda: function(*tensors)}


def _value(name: str, data: Scores) -> Row:
    ours, theirs = gm.measure(name), _sklearn(name)
    peer = f"scikit-learn {theirs.__name__}"
    contenders = {
        f"goodmeasure {name}": lambda: ours(data.true, data.score),
        peer: lambda: theirs(data.true, data.score),
        **_torch(name, data),
        **({SORT: lambda: np.sort(data.score)} if name in SORTED else {}),
    }
    at_most = {SORT: 2.0} if name in SORTED else {}
    seconds = race(contenders, repeats=data.repeats)
    return Row(f"W10 {name}", f"{name} of scores, {data.words}", seconds, {peer: 5.0}, at_most)


def _curve(name: str, data: Scores) -> Row:
    from sklearn import metrics

    from goodmeasure import sklearn as ours

    peer = f"scikit-learn {name}"
    contenders = {
        f"goodmeasure.sklearn {name}": lambda: getattr(ours, name)(data.true, data.score),
        peer: lambda: getattr(metrics, name)(data.true, data.score),
        **_torch(name, data),
        SORT: lambda: np.sort(data.score),
    }
    return Row(f"W10 {name}", f"{name}, {data.words}", race(contenders, repeats=data.repeats), {peer: 1.0})


def _interval(name: str, data: Scores) -> Row:
    theirs = _sklearn(name)

    def loop() -> None:
        rng = np.random.default_rng(0)
        for _ in range(LOOPED):
            drawn = rng.integers(0, len(data.true), len(data.true))
            theirs(data.true[drawn], data.score[drawn])

    contenders = {
        f"goodmeasure, {name} with its interval": lambda: gm.evaluate(
            data.true, y_score=data.score, measures=[name], classwise=False
        ),
        f"scikit-learn, {name} without": lambda: theirs(data.true, data.score),
        f"scikit-learn in a bootstrap loop of {DRAWS:,}": loop,
    }
    names = list(contenders)
    seconds = race(contenders, repeats=data.repeats, share={names[2]: LOOPED / DRAWS})
    aims = {names[2]: 1000.0} | ({names[1]: 1.0} if name == "roc_auc" else {})
    note = f"The loop was timed for {LOOPED} of its {DRAWS:,} resamples."
    return Row("W10 intervals", f"the interval of {name}, {data.words}", seconds, aims, note=note)
