"""From what a model puts out (labels, probabilities or logits) to counts on the device."""

from __future__ import annotations

import math

import torch

from goodmeasure.counts.device.multilabel_decisions import add_scores, as_probabilities
from goodmeasure.counts.device.operators import add_labels, add_logits
from goodmeasure.counts.device.tally import FAULTS
from goodmeasure.exceptions import Argument, InputError, InputTypeError
from goodmeasure.typing import AnyArray

_WHOLE = frozenset({torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64})


def confusion(
    preds: torch.Tensor, target: torch.Tensor, *, classes: int, sample_weight: torch.Tensor | None = None,
    ignore_index: int | None = None, threshold: float = 0.5,
) -> torch.Tensor:  # fmt: skip
    """Return the confusion matrix as a tensor on the device of its arguments; rows are true classes.

    `preds` are labels 0 … classes − 1, or logits or probabilities with one value for each class (the greatest wins).
    With two classes they may also be one probability for each item, which is positive where that exceeds `threshold`.
    If one of these lies outside 0 … 1, they are taken for logits, as in torchmetrics.
    Counts are int64, or float64 with weights.

    Every measure takes the result: ``gm.mcc(confusion(preds, target, classes=10))`` is a tensor on the same device.

    >>> confusion(torch.tensor([[2.0, 1.0], [0.1, 0.7]]), torch.tensor([0, 0]), classes=2).tolist()
    [[1, 1], [0, 0]]
    """
    cells = classes * classes if sample_weight is None else 0
    state = torch.zeros(cells + FAULTS, dtype=torch.int64, device=target.device)  # two tensors by one operation
    counts, faults = state[:cells], state[cells:]
    if sample_weight is not None:
        counts = torch.zeros(classes * classes, dtype=torch.float64, device=target.device)
    counts = counts.view(classes, classes)
    add(counts, faults, preds, target, weights=sample_weight, ignore_index=ignore_index, threshold=threshold)
    check_faults(faults, classes)
    return counts


def add(
    counts: torch.Tensor, faults: torch.Tensor, preds: torch.Tensor, target: torch.Tensor, *,
    weights: torch.Tensor | None = None, ignore_index: int | None = None, threshold: float = 0.5,
) -> None:  # fmt: skip
    """Add what a model says about some items to `counts`, whatever form it says it in."""
    m = counts.shape[-1]
    _check_types(preds, target, weights)
    if preds.requires_grad:
        preds = preds.detach()
    if preds.ndim == target.ndim + 1 and preds.is_floating_point():
        if preds.shape[1] != m:
            raise InputError(
                "{preds} has {columns} columns, and there are {m} classes", columns=preds.shape[1], m=m,
                expected="one logit or probability for each class, in dimension 1",
            )  # fmt: skip
        _check_shapes((preds.numel() // m,), (target.numel(),), weights)
        add_logits(counts, faults, target, preds, weights=weights, ignore_index=ignore_index)
        return
    _check_shapes(preds.shape, target.shape, weights)
    if preds.is_floating_point():
        plain = m == 2 and weights is None and not torch.compiler.is_compiling()
        if plain and add_scores(counts, faults, target, preds, threshold=threshold, ignore_index=ignore_index):
            return
        kept = None if ignore_index is None else target != ignore_index
        preds = _decided(preds, m, threshold, faults, kept)
    add_labels(counts, faults, target, preds, weights=weights, ignore_index=ignore_index)


def _decided(
    preds: torch.Tensor, m: int, threshold: float, faults: torch.Tensor, kept: torch.Tensor | None
) -> torch.Tensor:
    """Return the labels that one probability for each item stands for; a NaN is a fault, unless its item is ignored."""
    if m != 2:
        raise InputTypeError(
            "{preds} holds one {dtype} value for each item, and there are {m} classes", dtype=preds.dtype, m=m,
            expected="labels (integers), or a row with one logit or probability for each class",
        )  # fmt: skip
    unclear = preds.isnan() if kept is None else preds.isnan() & kept
    faults[1] += unclear.sum()
    return as_probabilities(preds) > threshold


def _check_types(preds: torch.Tensor, target: torch.Tensor, weights: torch.Tensor | None) -> None:
    """Refuse arguments that are not tensors of the right kind, at almost no cost, since training loops call this."""
    if not isinstance(preds, torch.Tensor) or not isinstance(target, torch.Tensor) or weights is not None:
        _check_tensors(preds, target, weights)
    if preds.device != target.device:
        raise _elsewhere("preds", preds, target)
    if target.dtype not in _WHOLE:
        raise InputTypeError(
            "{target} holds {dtype} values", dtype=target.dtype, expected="labels, so integers",
            advice="if they are whole numbers, write target.long()",
        )  # fmt: skip
    if not preds.is_floating_point() and preds.dtype not in _WHOLE:
        raise InputTypeError(
            "{preds} holds {dtype} values", dtype=preds.dtype, expected="labels, logits or probabilities"
        )


def _check_tensors(preds: AnyArray, target: AnyArray, weights: AnyArray) -> None:
    for name, values in (("preds", preds), ("target", target), ("sample_weight", weights)):
        if values is not None and not isinstance(values, torch.Tensor):
            raise InputTypeError(
                "{name} is a {kind}", name=Argument(name), kind=type(values).__name__, expected="a tensor"
            )
    if weights is not None and weights.device != target.device:
        raise _elsewhere("sample_weight", weights, target)


def check_item_weights(weights: AnyArray, target: torch.Tensor) -> None:
    """Refuse weights that are not one number for each item."""
    _check_tensors(target, target, weights)
    if weights is not None and tuple(weights.shape) != (len(target),):
        raise InputError(
            "{sample_weight} has shape {shape}, and {target} has {length} items", shape=tuple(weights.shape),
            length=len(target), expected="one weight for each item",
        )  # fmt: skip


def _elsewhere(name: str, values: torch.Tensor, target: torch.Tensor) -> InputError:
    return InputError(
        "{name} is on {device}, and the target is on {other}", name=Argument(name), device=values.device,
        other=target.device, advice="move both to one device",
    )  # fmt: skip


def _check_shapes(preds: tuple[int, ...], target: tuple[int, ...], weights: torch.Tensor | None) -> None:
    if preds != target:
        raise InputError(
            "{preds} has shape {shape}, {target} {other}", shape=tuple(preds), other=tuple(target),
            expected="one prediction for each item, or logits with the classes in dimension 1",
        )  # fmt: skip
    if weights is not None and weights.numel() != math.prod(target):
        raise InputError(
            "{sample_weight} has {size} weights, {target} has {length}", size=weights.numel(),
            length=math.prod(target), advice="they must be the same length",
        )  # fmt: skip


def check_faults(faults: torch.Tensor, classes: int) -> None:
    """Raise an error if some labels could not be counted. This waits for the device."""
    outside, unclear, unweighed = faults.tolist()[:FAULTS]
    if outside:
        raise InputError(
            "{outside} labels in {preds} or {target} lie outside 0 … {last}", outside=outside, last=classes - 1,
            advice="give the number of all classes, or name a label to leave out with {ignore_index:=}",
        )  # fmt: skip
    if unclear:
        raise InputError(
            "{unclear} predictions in {preds} are NaN",
            unclear=unclear,
            advice="the model's output has no greatest value there",
        )
    if unweighed:
        raise InputError(
            "{unweighed} weights in {sample_weight} are negative or not finite",
            unweighed=unweighed,
            expected="numbers from 0 on",
        )


def as_numpy(counts: torch.Tensor) -> AnyArray:
    """Return counts as a NumPy array. This waits for the device."""
    return counts.detach().cpu().numpy()
