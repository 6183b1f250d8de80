"""Measures of scores in GPU tensors: they are computed on the GPU, and only sums are copied to the host.

This covers the areas under the ROC and precision-recall curves, their class averages, log loss, the Brier score, and
calibration errors in bins of equal width; with weights too. Everything else is copied to the CPU first, and so are
invalid data: the CPU code finds the error message or the reason.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.scores.calibration import WIDTH, Bins, CalibrationError
from goodmeasure.catalogue.scores.class_averages import ClassAverage
from goodmeasure.catalogue.scores.definition import Scaled, ScoreDefinition
from goodmeasure.catalogue.scores.probability import Brier, LogLoss
from goodmeasure.catalogue.scores.ranking import average_precision, roc_auc
from goodmeasure.counts.device import score_operations, score_tensors
from goodmeasure.counts.device.tally import is_on_accelerator
from goodmeasure.counts.scores.scored import row_tolerance
from goodmeasure.typing import AnyArray

_KINDS = frozenset({"bool", "int8", "int16", "int32", "int64", "uint8"})
_NOTHING = np.zeros(0)  # the ends and the spread of a bin say nothing about the error
_MOST_CLASSES = 1000  # of which each is measured against the rest


class _Items(NamedTuple):
    """Items on a device: one score for each and whether it is positive, or the number of its class and a row of scores.

    In the first case `positive` is not checked yet: it may hold values other than 0 and 1.
    """

    true: AnyArray
    scores: AnyArray
    weights: AnyArray
    m: int

    def of_class(self, k: int) -> _Items:
        """Return the items with class k against the rest."""
        if self.scores.ndim == 1:
            return self if k == 1 else self._replace(true=self.true == 0, scores=-self.scores)
        return _Items(self.true == k, self.scores[:, k].contiguous(), self.weights, 2)


def value_on_device(
    definition: ScoreDefinition,
    y_true: object,
    y_score: AnyArray,
    *,
    labels: AnyArray,
    positive: object,
    sample_weight: AnyArray,
) -> float | None:
    """Return the value of a measure on tensors of one accelerator; None where it must be computed on the CPU."""
    if not _is_known(definition) or not _can_be_read(y_true, y_score, sample_weight):
        return None
    if labels is None and sample_weight is None and y_score.ndim == 1 and (positive is None or positive == 1):
        found = _value(
            definition, _Items(y_true, y_score, None, 2)
        )  # labels are usually 0 and 1, so that they need not be determined
        if found is not None:
            return found
    items = _read(y_true, y_score, labels, positive, sample_weight)
    return None if items is None else _value(definition, items)


def _is_known(definition: ScoreDefinition) -> bool:
    if isinstance(definition, CalibrationError):
        return definition.binning == WIDTH
    if isinstance(definition, (ClassAverage, Scaled)):
        return _is_known(definition.inner)
    known = roc_auc.definition, average_precision.definition
    return definition in known or isinstance(definition, (LogLoss, Brier))


def _can_be_read(y_true: AnyArray, y_score: AnyArray, weights: AnyArray) -> bool:
    if not all(is_on_accelerator(x) for x in (y_true, y_score) if x is not None):
        return False
    if weights is not None and not (is_on_accelerator(weights) and weights.device == y_true.device):
        return False
    if y_true.device != y_score.device or y_true.device.type == "mps":  # which has no float64
        return False
    is_typed = str(y_true.dtype).removeprefix("torch.") in _KINDS and y_score.is_floating_point()
    return is_typed and y_true.ndim == 1 and y_score.ndim in (1, 2) and len(y_true) == len(y_score) > 0


def _read(y_true: AnyArray, y_score: AnyArray, labels: AnyArray, positive: object, weights: AnyArray) -> _Items | None:
    """Return items whose classes are known; None where something about them is not clean."""
    if weights is not None and (len(weights) != len(y_true) or not _are_weights(weights)):
        return None
    values = y_true.unique()
    found = values.tolist()
    classes = found if labels is None else list(labels)
    if len(found) < 2 or not all(x in classes for x in found) or positive not in (None, *classes):
        return None
    if weights is not None and not bool((weights > 0).all()):  # what weighs nothing is left out, though not its class
        kept = weights > 0
        y_true, y_score, weights = y_true[kept], y_score[kept], weights[kept]
    if y_score.ndim == 1:
        chosen = classes[-1] if positive is None else positive
        return _Items(y_true == chosen, y_score, weights, 2) if len(classes) == 2 else None
    if len(classes) != y_score.shape[1] or len(classes) > _MOST_CLASSES or bool(y_score.detach().isnan().any()):
        return None
    codes = _numbers(y_true, values, [classes.index(x) for x in found])
    return _of_columns(
        _Items(codes, y_score, weights, len(classes)), None if positive is None else classes.index(positive)
    )


def _numbers(y_true: AnyArray, values: AnyArray, places: list[int]) -> AnyArray:
    """Return the number of the class of each item; `values` are the labels in order, `places` their numbers."""
    import torch

    return torch.tensor(places, device=y_true.device)[torch.searchsorted(values.long(), y_true.long())]


def _of_columns(items: _Items, positive: int | None) -> _Items | None:
    """Return items with a column for each class as those of one class against the rest, if that is asked for."""
    if positive is not None:
        return items.of_class(positive)
    if items.m > 2:
        return items
    return items.of_class(1) if _are_probabilities(items.scores) else None


def _are_weights(weights: AnyArray) -> bool:
    return bool(((weights >= 0) & weights.isfinite()).all()) and bool((weights > 0).any())


def _are_probabilities(rows: AnyArray) -> bool:
    """Return whether rows of scores are probabilities, by the rule of `Scored`."""
    import torch

    kind = torch.float64 if rows.dtype == torch.bfloat16 else rows.dtype
    tolerance = row_tolerance(rows.shape[1], torch.finfo(kind).eps)
    return score_operations.are_within(rows) and score_operations.add_up(rows, tolerance)


def _value(definition: ScoreDefinition, items: _Items) -> float | None:
    if isinstance(definition, Scaled):
        inner = _value(definition.inner, items)
        return None if inner is None else definition.factor * inner + definition.constant
    if isinstance(definition, ClassAverage):
        return _averaged(definition, items)
    if isinstance(definition, CalibrationError):
        return _calibration(definition, items)
    if items.m > 2:
        return _of_more_classes(definition, items)
    true, score, weights, _ = items
    if isinstance(definition, (LogLoss, Brier)):
        lost = score_tensors.losses(true, score, weights)
        return lost if lost is None else lost.log_loss if isinstance(definition, LogLoss) else lost.brier
    found = score_tensors.areas(true, score, weights)
    return found if found is None else found.roc_auc if definition is roc_auc.definition else found.average_precision


def _of_more_classes(definition: ScoreDefinition, items: _Items) -> float | None:
    if definition.classes == 2 or not _are_probabilities(items.scores):
        return None
    log_loss, brier = score_operations.losses_of_columns(items.true, items.scores, items.weights)
    return log_loss if isinstance(definition, LogLoss) else brier


def _averaged(definition: ClassAverage, items: _Items) -> float | None:
    """Return the mean of a measure over classes; None where a class has none, which the reason must name."""
    values: list[float] = []
    for k in range(items.m):
        found = _value(definition.inner, items.of_class(k))
        if found is None:
            return None
        values.append(found)
    sizes = [1.0] * items.m
    if definition.weighted:
        sizes = [_size(items.true == k, items.weights) for k in range(items.m)]
    return float(np.average(values, weights=sizes))


def _size(chosen: AnyArray, weights: AnyArray) -> float:
    return float(chosen.sum() if weights is None else weights.double()[chosen].sum())


def _calibration(definition: CalibrationError, items: _Items) -> float | None:
    """Return the calibration error from the sums of its bins; how they make an error is said once, on the CPU."""
    if items.m > 2 and not _are_probabilities(items.scores):
        return None
    errors: list[float] = []
    for confidence, hit in _parts(definition, items):
        found = score_tensors.bins(confidence, hit, definition.bins, items.weights)
        if found is None:
            return None
        errors.append(_distance(definition, found))
    return errors[0] if len(errors) == 1 else float(np.mean(errors))


def _parts(definition: CalibrationError, items: _Items) -> list[tuple[AnyArray, AnyArray]]:
    """Return confidences with whether the event happened: of each class, or of the predicted one."""
    true, score, _, m = items
    if m == 2:
        return [(score, true), (1 - score, true == 0)] if definition.classwise else [(score, true)]
    if definition.classwise:
        return [(score[:, k].contiguous(), true == k) for k in range(m)]
    highest, top = score.detach().max(dim=1)
    return [(highest, top == true)]


def _distance(definition: CalibrationError, found: score_tensors.Sums) -> float:
    if not found.weight.all():  # a bin without items has no error
        kept = found.weight > 0
        found = score_tensors.Sums(*(x[kept] for x in found))
    weight = found.weight
    predicted, outcome = found.confidence / weight, found.hits / weight
    bins = Bins(weight, predicted, outcome, found.items, _NOTHING, _NOTHING, _NOTHING)
    return float(definition._distance(bins, (outcome - predicted)[:, None])[0])
