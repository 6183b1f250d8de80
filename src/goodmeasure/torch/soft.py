"""Soft confusion matrices and losses: a measure of probabilities instead of decisions has a gradient."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure, as_measure
from goodmeasure.exceptions import InputError
from goodmeasure.typing import AnyArray, Namespace

if TYPE_CHECKING:
    from goodmeasure.language.policy import Undefined

_RESOLVE = "resolve"


def soft_confusion(
    probabilities: torch.Tensor, target: torch.Tensor, *, sample_weight: torch.Tensor | None = None,
    ignore_index: int | None = None,
) -> torch.Tensor:  # fmt: skip
    """Return the matrix in which an item adds to each predicted class its probability, in the row of its true class.

    `probabilities` has one row for each item and one column for each class; gradients flow through the result. With
    probabilities of 0 and 1 it is the ordinary confusion matrix. Items with the label `ignore_index` are left out.

    >>> soft_confusion(torch.tensor([[0.75, 0.25], [0.5, 0.5]]), torch.tensor([0, 1])).tolist()
    [[0.75, 0.25], [0.5, 0.5]]
    """
    if probabilities.ndim != 2 or not probabilities.is_floating_point():
        raise InputError(
            "{probabilities} has shape {shape} and holds {dtype} values", shape=tuple(probabilities.shape),
            dtype=probabilities.dtype, expected="a row for each item with one probability for each class",
        )  # fmt: skip
    if target.shape != probabilities.shape[:1]:
        raise InputError(
            "{target} has shape {shape}, {probabilities} {other}", shape=tuple(target.shape),
            other=tuple(probabilities.shape), expected="one true label for each row",
        )  # fmt: skip
    m = probabilities.shape[1]
    parts = probabilities if sample_weight is None else probabilities * sample_weight.to(probabilities.dtype)[:, None]
    classes = target.to(torch.int64)
    if ignore_index is None:
        return torch.nn.functional.one_hot(classes, m).to(parts.dtype).T @ parts
    kept = classes != ignore_index
    true = torch.nn.functional.one_hot(torch.where(kept, classes, 0), m).to(parts.dtype) * kept[:, None]
    return true.T @ torch.where(kept[:, None], parts, 0.0)  # an ignored item may be NaN


class _FiniteGradient(torch.autograd.Function):
    """Counts as they are, through which only finite gradients flow: others count as 0."""

    generate_vmap_rule = True

    @staticmethod
    def forward(counts: torch.Tensor) -> torch.Tensor:
        return counts.view_as(counts)

    @staticmethod
    def setup_context(ctx: Namespace, inputs: AnyArray, output: AnyArray) -> None:
        """Keep nothing: the gradient does not depend on the counts."""

    @staticmethod
    def backward(ctx: Namespace, slope: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        return slope.nan_to_num(nan=0.0, posinf=0.0, neginf=0.0)


class SoftMeasureLoss(torch.nn.Module):
    """The loss that a measure of soft counts gives: its best value minus its value.

    It takes logits (or probabilities, with ``logits=False``) of shape (items, classes) and true labels. Any measure of
    the catalogue that can be differentiated will do, and any function of `c`. The best value is the end of the
    measure's range, so a perfect prediction has a loss of 0; a measure without a known range gives minus its value.

    A batch on which the measure is undefined (0/0 without a rule: one class only, say) teaches nothing: its loss is 0,
    and so is its gradient. A slope that is infinite or undefined counts as 0 as well, so gradients are always finite.
    With ``undefined="nan"`` such a loss is NaN, with a number it is that of this value; its gradient is finite even so.

    A batch has other class sizes than the whole data, and a measure such as macro F1 is no mean over items; use large
    batches.

    >>> loss = SoftMeasureLoss("macro(f1)")
    >>> round(loss(torch.tensor([[9.0, 0.0], [0.0, 9.0]]), torch.tensor([0, 1])).item(), 3)
    0.0
    """

    def __init__(
        self, measure: object, *, logits: bool = True, undefined: Undefined = _RESOLVE, ignore_index: int | None = None
    ) -> None:
        super().__init__()
        self.measure = as_measure(measure)
        if self.measure.orientation == NEITHER:
            raise InputError(
                "{measure} is {name}, of which neither high nor low values are better", name=self.measure.name,
                advice="there is nothing to optimise",
            )  # fmt: skip
        self.logits, self.undefined, self.ignore_index = logits, undefined, ignore_index

    def forward(
        self, predictions: torch.Tensor, target: torch.Tensor, sample_weight: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return the loss of a batch, computed in float64 and returned in the type of the predictions."""
        precise = predictions.to(torch.float64) if predictions.device.type != "mps" else predictions.float()
        if self.ignore_index is not None and precise.ndim == 2 and target.shape == precise.shape[:1]:
            precise = torch.where((target != self.ignore_index)[:, None], precise, 0.0)  # an ignored item may be NaN
        shares = precise.softmax(dim=-1) if self.logits else precise
        counts = soft_confusion(shares, target, sample_weight=sample_weight, ignore_index=self.ignore_index)
        seen = _FiniteGradient.apply(counts)  # type: ignore[no-untyped-call]
        value = self.measure(seen, undefined=self.undefined)
        best = self._best(shares.shape[-1])
        loss: torch.Tensor = value - best if self.measure.orientation == LOWER else best - value
        if self.undefined == _RESOLVE:
            loss = torch.where(loss.isnan(), 0.0, loss)
        if seen.requires_grad and not loss.requires_grad:  # no term of the measure has a value: its gradient is 0
            loss = loss + 0.0 * seen.sum()
        return loss.to(predictions.dtype)

    def _best(self, classes: int) -> float:
        known = self.measure.range_for(classes) if isinstance(self.measure, Measure) else None
        if known is None:
            return 0.0
        best = known[0 if self.measure.orientation == LOWER else 1]
        return float(best) if abs(best) != float("inf") else 0.0

    def extra_repr(self) -> str:
        """Return the name of the measure, for the printed module."""
        return self.measure.name
