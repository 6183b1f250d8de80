"""Peers that are timed where they are installed."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

TORCHMETRICS = find_spec("torchmetrics") is not None


def torch_matrix(true: np.ndarray, predicted: np.ndarray, m: int) -> dict[str, Callable[[], object]]:
    """The confusion matrix by torchmetrics, which must be told how many classes there are."""
    if not TORCHMETRICS:
        return {}
    import torch
    from torchmetrics.functional.classification import binary_confusion_matrix, multiclass_confusion_matrix

    tensors = [torch.from_numpy(x) for x in (predicted, true)]
    if m == 2:
        return {"torchmetrics, m known": lambda: binary_confusion_matrix(*tensors)}
    return {"torchmetrics, m known": lambda: multiclass_confusion_matrix(*tensors, num_classes=m)}


def torch_scorecard(true: np.ndarray, predicted: np.ndarray, m: int) -> dict[str, Callable[[], list[float]]]:
    """What torchmetrics has of the fourteen measures, each from its function; its hamming distance is another one."""
    if not TORCHMETRICS:
        return {}
    import torch
    from torchmetrics.functional import classification as c

    tensors = [torch.from_numpy(x) for x in (predicted, true)]

    def score(function: Any, average: str | None = None) -> float:
        chosen = {} if average is None else {"average": average}
        return float(function(*tensors, num_classes=m, **chosen))

    def twelve() -> list[float]:
        return [
            score(c.multiclass_accuracy, "micro"),
            score(c.multiclass_accuracy, "macro"),
            score(c.multiclass_cohen_kappa),
            score(c.multiclass_matthews_corrcoef),
            score(c.multiclass_f1_score, "macro"),
            score(c.multiclass_precision, "macro"),
            score(c.multiclass_recall, "macro"),
            score(c.multiclass_f1_score, "weighted"),
            score(c.multiclass_precision, "weighted"),
            score(c.multiclass_f1_score, "micro"),
            score(c.multiclass_jaccard_index, "macro"),
            score(c.multiclass_jaccard_index, "weighted"),
        ]

    return {"torchmetrics, 12 calls, m known": twelve}
