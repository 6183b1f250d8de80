"""Counting the decisions of multilabel data, one about every label of every item, on the device where they are.

As in `tally.py`, the counts stay on the device and the host waits for nothing. Scores are probabilities, or logits if
one of them lies outside 0 … 1, as in torchmetrics; so they are looked at twice.

Items are counted in blocks: the differences between the blocks show how averages over labels vary, which the sums over
all items cannot show. Each of the first items has a block of its own. Later ones are spread over the blocks by their
number as if at random, so that it does not matter in which order they come.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from goodmeasure.counts.device.launching import device_of, launch_for, start
from goodmeasure.counts.device.tally import FAULTS, are_no_weights, flat, has_kernels, kernels, powers_of, tables_of

if TYPE_CHECKING:
    import torch

BLOCKS = 256  # up to so many items, every item is a block of its own
_ALONE = 1 << 14  # up to so many decisions are counted by one program, which looks at them twice
_BLOCK = 1024


def add_decisions(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, preds: torch.Tensor, *,
    threshold: float, weights: torch.Tensor | None = None, ignore_index: int | None = None,
) -> None:  # fmt: skip
    """Add decisions (items, labels) to `counts` (blocks, labels, 2, 2; int64, or float64 with weights).

    With weights there may be three such tables: sums of weights, sums of their squares, and items. `faults` ends with
    the number of items that were counted.
    """
    import torch

    if true.numel() and has_kernels(counts) and preds.dtype != torch.float64:
        with device_of(counts):
            _add_by_triton(counts, faults, true, preds, threshold, weights, ignore_index)
    else:
        _add_by_torch(counts, faults, true, preds, threshold, weights, ignore_index)


def add_scores(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, scores: torch.Tensor, *, threshold: float,
    ignore_index: int | None = None,
) -> bool:  # fmt: skip
    """Add one score for each item to the `counts` of two classes; return whether a kernel could do it."""
    if not (true.numel() and has_kernels(counts)) or str(scores.dtype) == "torch.float64":
        return False
    said, n, flag = flat(scores), true.numel(), faults
    with device_of(counts):
        alone, launch = n <= _ALONE, launch_for(true, n, _BLOCK, 4, 8)
        if not alone:
            flag = faults.new_zeros(1)
            start(kernels().look_for_logits, launch.programs, launch.warps, (said, flag), (n,), (launch.block,))
        start(
            kernels().count_scores, 1 if alone else launch.programs, launch.warps,
            (said, flat(true), counts, faults, flag), (n, _rounded(threshold, scores.dtype), ignore_index or 0),
            (alone, ignore_index is not None, launch.block),
        )  # fmt: skip
    return True


def _add_by_triton(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, preds: torch.Tensor, threshold: float,
    weights: torch.Tensor | None, ignore_index: int | None,
) -> None:  # fmt: skip
    said, n = flat(preds), true.numel()
    are_scores, alone, flag = said.is_floating_point(), n <= _ALONE, faults
    launch = launch_for(true, n, _BLOCK, 4, 8)
    if are_scores and not alone:
        flag = faults.new_zeros(1)
        start(kernels().look_for_logits, launch.programs, launch.warps, (said, flag), (n,), (launch.block,))
    start(
        kernels().count_decisions, 1 if alone else launch.programs, launch.warps,
        (said, flat(true), counts if weights is None else flat(weights), counts, faults, flag),
        (n, true.shape[1], counts.shape[-4], _rounded(threshold, preds.dtype), ignore_index or 0),
        (are_scores, alone, ignore_index is not None, weights is not None, tables_of(counts, 4), launch.block),
    )  # fmt: skip
    if not alone:
        faults[FAULTS:] += len(true)


@lru_cache(maxsize=64)
def _rounded(threshold: float, kind: torch.dtype) -> float:
    """Return a threshold in the precision of what is compared with it."""
    import torch

    return float(torch.tensor(threshold, dtype=kind)) if kind.is_floating_point else threshold


def _add_by_torch(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, preds: torch.Tensor, threshold: float,
    weights: torch.Tensor | None, ignore_index: int | None,
) -> None:  # fmt: skip
    """Add decisions by PyTorch's operations, in shapes that depend on no value, so that they can be compiled."""
    import torch

    p = as_probabilities(preds) > threshold if preds.is_floating_point() else preds == 1
    t, kept = true == 1, torch.ones_like(true, dtype=torch.bool)
    if ignore_index is not None:
        kept = true != ignore_index
    faults[0] += (kept & (true != 0) & (true != 1)).sum()
    if preds.is_floating_point():
        faults[1] += (kept & preds.isnan()).sum()
    else:
        faults[0] += (kept & (preds != 0) & (preds != 1)).sum()
    w = torch.ones(len(true), dtype=counts.dtype, device=true.device)
    if weights is not None:
        faults[2] += are_no_weights(weights).sum()
        w = weights.to(counts.dtype)
    block = block_of(faults[FAULTS] + torch.arange(len(true), device=true.device), counts.shape[-4])
    tables = counts.view(-1, *counts.shape[-4:])
    for into, each in zip(tables, powers_of(w)[: len(tables)], strict=True):
        amount = each[:, None] * kept
        for row in (0, 1):
            for column in (0, 1):
                chosen = (t == bool(row)) & (p == bool(column))
                into[:, :, row, column].index_add_(0, block, torch.where(chosen, amount, 0))
    faults[FAULTS:] += len(true)


def block_of(number: torch.Tensor, blocks: int) -> torch.Tensor:
    """Return the block of each item by its number: as `triton_kernels.block_of` does, by a hash of 31 bits."""
    import torch

    mixed = number & 0x7FFFFFFF
    for _ in range(2):
        mixed = ((mixed ^ (mixed >> 16)) * 0x45D9F3B) & 0x7FFFFFFF
    mixed = mixed ^ (mixed >> 16)
    return torch.where(number < blocks, number, mixed % blocks)


def as_probabilities(preds: torch.Tensor) -> torch.Tensor:
    """Return probabilities as they are, and logits through the logistic function, without waiting for the device.

    They are logits if one of them lies outside 0 … 1.
    """
    import torch

    return torch.where(((preds < 0) | (preds > 1)).any(), preds.sigmoid(), preds)
