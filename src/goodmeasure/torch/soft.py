"""Soft confusion matrices and losses: a measure of probabilities instead of decisions has a gradient."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import torch

from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure, as_measure
from goodmeasure.counts.device.soft import SoftBatch
from goodmeasure.exceptions import InputError
from goodmeasure.language.compile.array_functions import values_unseen
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
    def backward(_ctx: Namespace, slope: torch.Tensor) -> torch.Tensor:  # type: ignore[override]
        return slope.nan_to_num(nan=0.0, posinf=0.0, neginf=0.0)


class _Replayed(torch.autograd.Function):
    """The loss of a batch on a GPU: a kernel counts it, a graph measures the counts, and a kernel has the slopes."""

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Namespace, predictions: torch.Tensor, batch: SoftBatch, module: SoftMeasureLoss, measured: _Measured
    ) -> torch.Tensor:
        loss, slopes = measured(batch)
        ctx.save_for_backward(predictions, batch.target, batch.weights, slopes)
        ctx.module = module
        return loss

    @staticmethod
    def backward(ctx: Namespace, above: torch.Tensor) -> tuple[torch.Tensor | None, ...]:  # type: ignore[override]
        predictions, target, weights, slopes = ctx.saved_tensors
        if torch.is_grad_enabled():  # somebody differentiates the gradient
            loss = ctx.module.loss(predictions, target, weights)
            (again,) = torch.autograd.grad(loss, predictions, above, create_graph=True)
            return again, None, None, None
        return ctx.module.batch(predictions, target, weights).slopes(slopes, above), None, None, None


_Measured: TypeAlias = Callable[[SoftBatch], tuple[torch.Tensor, torch.Tensor]]


class _Graph:
    """What a loss and its slopes by the counts take, as a CUDA graph: one launch, whatever the measure."""

    def __init__(self, module: SoftMeasureLoss, m: int, kind: torch.dtype, device: torch.device) -> None:
        self.counts, self.graph = torch.ones((m, m), dtype=torch.float64, device=device), torch.cuda.CUDAGraph()
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side), values_unseen():
            module.measured(self.counts)  # whatever is made only once must be there before
            self._try(module)
        torch.cuda.current_stream().wait_stream(side)
        with torch.cuda.graph(self.graph, capture_error_mode="thread_local"):
            loss, self.slopes = module.measured(self.counts)
            self.loss = loss.to(kind)
            self.counts.zero_()  # for the next batch
        self.counts.zero_()

    def _try(self, module: SoftMeasureLoss) -> None:
        """Raise an error if the measure waits for the device: no graph can hold it.

        Trying that with a graph would leave PyTorch's random numbers unusable.
        """
        before = torch.cuda.get_sync_debug_mode()
        with warnings.catch_warnings():  # that this way of finding it out is new
            warnings.simplefilter("ignore", UserWarning)
            torch.cuda.set_sync_debug_mode("error")
        try:
            module.measured(self.counts)
        finally:
            torch.cuda.set_sync_debug_mode(before)

    def __call__(self, batch: SoftBatch) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the loss of a batch, and its slopes by the counts."""
        batch.add_to(self.counts)
        self.graph.replay()
        return self.loss.clone(), self.slopes.clone()


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
        self._graphs: dict[tuple[object, ...], _Graph | None] = {}

    def forward(
        self, predictions: torch.Tensor, target: torch.Tensor, sample_weight: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return the loss of a batch, computed in float64 and returned in the type of the predictions.

        On a CUDA device the measure and its slopes are a CUDA graph, which is made when the first batch with so many
        classes comes.
        """
        if predictions.is_cuda and predictions.requires_grad:
            batch = self.batch(predictions, target, sample_weight)
            graph = self._graph(batch)
            if graph is not None:
                found: torch.Tensor = _Replayed.apply(predictions, batch, self, graph)  # type: ignore[no-untyped-call]
                return found
        return self.loss(predictions, target, sample_weight)

    def batch(self, predictions: torch.Tensor, target: torch.Tensor, weights: torch.Tensor | None) -> SoftBatch:
        """Return a batch as the kernels count it."""
        return SoftBatch(predictions.detach(), target, weights, self.logits, self.ignore_index)

    def loss(
        self, predictions: torch.Tensor, target: torch.Tensor, sample_weight: torch.Tensor | None = None
    ) -> torch.Tensor:
        """Return the loss by PyTorch's own operations."""
        precise = predictions.to(torch.float64) if predictions.device.type != "mps" else predictions.float()
        if self.ignore_index is not None and precise.ndim == 2 and target.shape == precise.shape[:1]:
            precise = torch.where((target != self.ignore_index)[:, None], precise, 0.0)  # an ignored item may be NaN
        shares = precise.softmax(dim=-1) if self.logits else precise
        counts = soft_confusion(shares, target, sample_weight=sample_weight, ignore_index=self.ignore_index)
        return self._of_counts(counts).to(predictions.dtype)

    def _of_counts(self, counts: torch.Tensor) -> torch.Tensor:
        """Return the loss of soft counts."""
        seen = _FiniteGradient.apply(counts)  # type: ignore[no-untyped-call]
        value = self.measure(seen, undefined=self.undefined)
        best = self._best(counts.shape[-1])
        loss: torch.Tensor = value - best if self.measure.orientation == LOWER else best - value
        if self.undefined == _RESOLVE:
            loss = torch.where(loss.isnan(), 0.0, loss)
        if seen.requires_grad and not loss.requires_grad:  # no term of the measure has a value: its gradient is 0
            loss = loss + 0.0 * seen.sum()
        return loss

    def measured(self, counts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the loss of soft counts, and its slopes by each of them."""
        with torch.enable_grad():
            at = counts.detach().requires_grad_()
            loss = self._of_counts(at)
            (slopes,) = torch.autograd.grad(loss, at)
        return loss.detach(), slopes

    def _graph(self, batch: SoftBatch) -> _Graph | None:
        """Return the graph for a batch; None where there can be none, or it would not do."""
        x, weights = batch.predictions, batch.weights
        if (weights is not None and weights.requires_grad) or not torch.is_grad_enabled() or not batch.can_be_counted():
            return None
        if torch.compiler.is_compiling() or torch._C._are_functorch_transforms_active():
            return None
        if torch.are_deterministic_algorithms_enabled() or torch.cuda.is_current_stream_capturing():
            return None
        key = x.shape[1], x.dtype, x.get_device(), torch._C._cuda_getCurrentRawStream(x.get_device())
        if key not in self._graphs:
            try:
                with torch.cuda.device(x.device):
                    self._graphs[key] = _Graph(self, x.shape[1], x.dtype, x.device)
            except Exception:  # noqa: BLE001 - a function of the user may look at values, which a graph cannot
                self._graphs[key] = None
        return self._graphs[key]

    def __getstate__(self) -> dict[str, AnyArray]:
        return {**self.__dict__, "_graphs": {}}

    def _best(self, classes: int) -> float:
        known = self.measure.range_for(classes) if isinstance(self.measure, Measure) else None
        if known is None:
            return 0.0
        best = known[0 if self.measure.orientation == LOWER else 1]
        return float(best) if abs(best) != float("inf") else 0.0

    def extra_repr(self) -> str:
        """Return the name of the measure, for the printed module."""
        return self.measure.name
