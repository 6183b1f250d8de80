"""Measures of scores that are tensors on a GPU: computed there, so that only the value travels.

Two classes, without weights: the areas under the ROC and the precision-recall curve, log loss, the Brier score, and
calibration errors in bins of equal width. Everything else is copied to the CPU first.
"""

from __future__ import annotations

from typing import Any

from goodmeasure.catalogue.scores.calibration import EXPECTED, MAXIMUM, WIDTH, CalibrationError
from goodmeasure.catalogue.scores.definition import ScoreDefinition
from goodmeasure.catalogue.scores.probability import Brier, LogLoss
from goodmeasure.catalogue.scores.ranking import average_precision, roc_auc
from goodmeasure.counts.device.tally import has_kernels, is_on_accelerator


def value_on_device(definition: ScoreDefinition, y_true: Any, y_score: Any, positive: Any) -> float | None:
    """Return the value of a measure on tensors of one GPU; None where it must be computed on the CPU."""
    if not _can_be_read(y_true, y_score) or not _is_known(definition):
        return None
    label = _positive_items(y_true, positive)
    if label is None:
        return None
    from goodmeasure.counts.device import scores

    if definition is roc_auc.definition:
        return float(scores.areas(label, y_score).roc_auc)
    if definition is average_precision.definition:
        return float(scores.areas(label, y_score).average_precision)
    if isinstance(definition, LogLoss):
        return float(scores.losses(label, y_score).log_loss)
    if isinstance(definition, Brier):
        return float(scores.losses(label, y_score).brier)
    assert isinstance(definition, CalibrationError)
    found = scores.bins(y_score, label, definition.bins)
    return float(found.expected_error() if definition.kind == EXPECTED else found.maximum_error())


def _is_known(definition: ScoreDefinition) -> bool:
    if isinstance(definition, CalibrationError):
        plain = not definition.classwise and not definition.debiased and definition.binning == WIDTH
        return plain and definition.kind in (EXPECTED, MAXIMUM) and definition.bins <= 256
    known = roc_auc.definition, average_precision.definition
    return definition in known or isinstance(definition, (LogLoss, Brier))


def _can_be_read(y_true: Any, y_score: Any) -> bool:
    if not (is_on_accelerator(y_true) and is_on_accelerator(y_score) and y_true.device == y_score.device):
        return False
    is_plain = y_true.ndim == y_score.ndim == 1 and len(y_true) == len(y_score) > 0
    kinds = {"bool", "int8", "int16", "int32", "int64", "uint8"}
    is_typed = str(y_true.dtype).removeprefix("torch.") in kinds and y_score.is_floating_point()
    return is_plain and is_typed and y_true.is_cuda and has_kernels()


def _positive_items(y_true: Any, positive: Any) -> Any:
    """Return which items are positive; None unless there are exactly two classes, and `positive` is one of them."""
    low, high = (x.item() for x in y_true.aminmax()) if str(y_true.dtype) != "torch.bool" else (False, True)
    if low == high or positive not in (None, low, high):
        return None
    is_high = y_true == high
    found = int(is_high.sum())
    if found in (0, len(y_true)) or found + int((y_true == low).sum()) != len(y_true):
        return None
    return is_high if positive is None or positive == high else ~is_high
