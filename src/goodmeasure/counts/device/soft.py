"""Soft counts of a batch on a GPU, to which an item adds its probabilities, and slopes of a loss by its predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goodmeasure.counts.device.launching import device_of, start
from goodmeasure.counts.device.tally import flat, has_kernels, has_ptx

if TYPE_CHECKING:
    import torch

_WIDEST = 1024  # classes: a program holds whole rows
_CELLS = 2048  # numbers that a program holds
_BY_CLASS = 32  # up to this many classes a program adds up what its items bring to each


class SoftBatch(NamedTuple):
    """A batch: a row of logits (or probabilities) for each item, its true class, and its weight."""

    predictions: torch.Tensor
    target: torch.Tensor
    weights: torch.Tensor | None
    logits: bool
    ignore_index: int | None

    def can_be_counted(self) -> bool:
        """Return whether the kernels can count it."""
        x, y, w = self.predictions, self.target, self.weights
        return (
            x.ndim == 2 and x.is_floating_point() and 1 < x.shape[1] <= _WIDEST and y.shape == x.shape[:1]
            and not y.is_floating_point() and y.device == x.device and y.numel() > 0 and has_kernels(x)
            and (w is None or (w.shape == y.shape and w.device == x.device))
        )  # fmt: skip

    def add_to(self, counts: torch.Tensor) -> None:
        """Add the probabilities of each item to the row of its true class in `counts` (m × m, float64)."""
        from goodmeasure.counts.device import soft_kernels as kernels

        m = self.predictions.shape[1]
        self._start(kernels.soft_counts, (counts,), (m <= _BY_CLASS, has_ptx(counts)))

    def slopes(self, slopes: torch.Tensor, above: torch.Tensor) -> torch.Tensor:
        """Return the slopes by the predictions, from those by the counts, times the slope `above`."""
        import torch

        from goodmeasure.counts.device import soft_kernels as kernels

        found = torch.empty_like(self.predictions, memory_format=torch.contiguous_format)
        self._start(kernels.soft_slopes, (slopes, above, found), ())
        return found

    def _start(self, kernel: object, more: tuple[torch.Tensor, ...], constants: tuple[bool, ...]) -> None:
        x, y, w = self.predictions.contiguous(), flat(self.target), self.weights
        n, m = x.shape
        columns = 1 << (m - 1).bit_length()
        rows = _CELLS // columns
        with device_of(x):
            start(
                kernel, -(-n // rows), 4, (x, y, y if w is None else flat(w), *more), (n, self.ignore_index or 0),
                (m, self.logits, self.ignore_index is not None, w is not None, *constants, columns, rows),
            )  # fmt: skip
