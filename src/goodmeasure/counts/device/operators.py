"""The counting of tensors as operators of PyTorch, which `torch.compile` calls as they are.

The compiler can trace launches of Triton kernels, but what it makes of them is not always right: with PyTorch 2.11,
counts were lost where three launches of one update add to parts of one tensor. An operator that says what it changes is
left alone, so compiled code counts as other code does.
"""

from __future__ import annotations

import torch

from goodmeasure.counts.device import multilabel_decisions, tally

_CHANGED = ("counts", "faults")
_SCHEMA = "(Tensor(a!) counts, Tensor(b!) faults, Tensor true, Tensor {said}, Tensor? weights, int? ignore_index) -> ()"


def _count_labels(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, pred: torch.Tensor, weights: torch.Tensor | None,
    ignore_index: int | None,
) -> None:  # fmt: skip
    tally.add_labels(counts, faults, true, pred, weights=weights, ignore_index=ignore_index)


def _count_logits(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, logits: torch.Tensor, weights: torch.Tensor | None,
    ignore_index: int | None,
) -> None:  # fmt: skip
    tally.add_logits(counts, faults, true, logits, weights=weights, ignore_index=ignore_index)


def _count_decisions(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, preds: torch.Tensor, weights: torch.Tensor | None,
    ignore_index: int | None, threshold: float,
) -> None:  # fmt: skip
    multilabel_decisions.add_decisions(
        counts, faults, true, preds, threshold=threshold, weights=weights, ignore_index=ignore_index
    )


_labels = torch.library.custom_op(
    "goodmeasure::add_labels", _count_labels, mutates_args=_CHANGED, schema=_SCHEMA.format(said="pred")
)
_logits = torch.library.custom_op(
    "goodmeasure::add_logits", _count_logits, mutates_args=_CHANGED, schema=_SCHEMA.format(said="logits")
)
_decisions = torch.library.custom_op(
    "goodmeasure::add_decisions", _count_decisions, mutates_args=_CHANGED,
    schema=_SCHEMA.format(said="preds").replace(") -> ()", ", float threshold) -> ()"),
)  # fmt: skip
for _operator in (_labels, _logits, _decisions):
    _operator.register_fake(lambda *_: None)


def add_labels(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, pred: torch.Tensor, *,
    weights: torch.Tensor | None = None, ignore_index: int | None = None,
) -> None:  # fmt: skip
    """Add pairs of labels to `counts`, also in compiled code."""
    if torch.compiler.is_compiling():
        _labels(counts, faults, true, pred, weights, ignore_index)
    else:
        tally.add_labels(counts, faults, true, pred, weights=weights, ignore_index=ignore_index)


def add_logits(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, logits: torch.Tensor, *,
    weights: torch.Tensor | None = None, ignore_index: int | None = None,
) -> None:  # fmt: skip
    """Add true labels and the classes with the greatest logits to `counts`, also in compiled code."""
    if torch.compiler.is_compiling():
        _logits(counts, faults, true, logits, weights, ignore_index)
    else:
        tally.add_logits(counts, faults, true, logits, weights=weights, ignore_index=ignore_index)


def add_decisions(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, preds: torch.Tensor, *,
    threshold: float, weights: torch.Tensor | None = None, ignore_index: int | None = None,
) -> None:  # fmt: skip
    """Add a decision about every label of every item to `counts`, also in compiled code."""
    if torch.compiler.is_compiling():
        _decisions(counts, faults, true, preds, weights, ignore_index, threshold)
    else:
        multilabel_decisions.add_decisions(
            counts, faults, true, preds, threshold=threshold, weights=weights, ignore_index=ignore_index
        )
