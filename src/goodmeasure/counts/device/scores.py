"""Measuring scores that are PyTorch tensors on a GPU: areas from one sort, losses and bins from one pass.

Each function returns plain numbers, or None where the data are not clean: a score is NaN, a probability lies outside
0 … 1, a label is neither 0 nor 1, a class has no items. Whoever called it then looks for the reason on the CPU.

The kernels of `score_kernels.py` do the work; with weights, and where Triton is absent, PyTorch's own operations do
(`score_operations.py`).

**Areas.** Floats are turned into integers of the same order, and the label becomes the last bit. `torch.unique` sorts
these keys and counts equal ones. It moves nothing but the keys, where `torch.sort` also moves an index of 8 bytes for
each of them, and nothing has to be gathered afterwards. Two passes over the different keys then give the area under the
ROC curve and average precision (`score_kernels.areas`). Scores that nobody described are first taken for probabilities,
so that their keys have 32 bits; only if that is wrong are their bounds looked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goodmeasure.counts.device import score_operations
from goodmeasure.counts.device.tally import device_of, empty_range, flat, has_kernels, launch_for
from goodmeasure.typing import Array

if TYPE_CHECKING:
    import torch

_BLOCK = 1024
_MOST_BINS = 128  # for more bins the kernel would compare too few items at once
_COMPARISONS = 8192  # of items with bins at once: as many as fit into registers
_MOST_SORTED = 2**31 - 1  # keys that `torch.unique` can sort on a GPU


class Areas(NamedTuple):
    """What one sort of scores gives."""

    roc_auc: float
    average_precision: float


class Losses(NamedTuple):
    """The mean log loss and the mean squared error of probabilities of the positive class."""

    log_loss: float
    brier: float


class Sums(NamedTuple):
    """Items by the bin of their confidence: their weight, its products with confidences and with hits, their number."""

    weight: Array
    confidence: Array
    hits: Array
    items: Array


def areas(positive: torch.Tensor, scores: torch.Tensor, weights: torch.Tensor | None = None) -> Areas | None:
    """Return the area under the ROC curve and average precision of scores; `positive` says which items are."""
    if weights is not None or not has_kernels(scores) or scores.numel() > _MOST_SORTED:
        found = score_operations.areas(positive, scores, weights)
        return None if found is None else Areas(*found)
    keys = item_keys(positive, scores)
    return None if keys is None else _areas_of_keys(keys)


def _areas_of_keys(keys: torch.Tensor) -> Areas | None:
    import torch

    from goodmeasure.counts.device import score_kernels as kernels

    distinct, numbers = torch.unique(keys, return_counts=True)
    n = distinct.numel()
    blocks = -(-n // _BLOCK)
    totals = torch.empty((2, blocks), dtype=torch.int64, device=keys.device)
    parts = torch.empty((3, blocks), dtype=torch.float64, device=keys.device)
    with device_of(keys):
        kernels.totals_by_block[(blocks,)](distinct, numbers, totals, n, blocks, BLOCK=_BLOCK, num_warps=8)
        through = totals.cumsum(1)
        kernels.areas[(blocks,)](distinct, numbers, totals, through, parts, n, blocks, BLOCK=_BLOCK, num_warps=8)
    twice, precision, p = parts.sum(dim=1).tolist()
    negatives = keys.numel() - p
    return Areas(twice / (2 * p * negatives), precision / p) if p and negatives else None


def item_keys(positive: torch.Tensor, scores: torch.Tensor) -> torch.Tensor | None:
    """Return integers that sort items by score and then by label, which is the last bit; None if they are not clean."""
    import torch

    (bits, one, infinite, top), labels = _bits(scores), flat(positive)
    keys, elsewhere, unknown = _packed(bits, labels, 0, one, top)
    if unknown:
        return None
    if not elsewhere:
        return keys
    low, high = _range_of(bits, top)
    if high > infinite or low < -infinite - 1:  # NaN lies beyond infinity
        return None
    if high - low < 2**61:
        return _packed(bits, labels, low, high, top)[0]
    place = torch.where(bits < 0, bits ^ top, bits)  # doubles of both signs: their ranks are packed
    ranks: torch.Tensor = torch.unique(torch.where(place == -1, 0, place), return_inverse=True)[1]
    return ranks * 2 + labels.to(torch.int64)


def _packed(bits: torch.Tensor, labels: torch.Tensor, low: int, high: int, top: int) -> tuple[torch.Tensor, int, int]:
    """Return keys of scores between two places, how many scores lie elsewhere, and how many labels are unknown."""
    import torch

    from goodmeasure.counts.device import score_kernels as kernels

    n = bits.numel()
    keys = torch.empty(n, dtype=torch.int32 if high - low < 2**30 else torch.int64, device=bits.device)
    faults = torch.zeros(2, dtype=torch.int64, device=bits.device)
    with device_of(bits):
        kernels.pack[(-(-n // _BLOCK),)](
            bits, labels, keys, faults, n, low, high, TOP=top, BLOCK=_BLOCK, num_warps=8
        )  # fmt: skip
    elsewhere, unknown = faults.tolist()
    return keys, elsewhere, unknown


def _range_of(bits: torch.Tensor, top: int) -> tuple[int, int]:
    """Return the least and the greatest place of scores."""
    from goodmeasure.counts.device import score_kernels as kernels

    bounds, launch = empty_range(bits.device), launch_for(bits, bits.numel(), 4096, 8, 8)
    with device_of(bits):
        kernels.range_of_scores[(launch.programs,)](
            bits, bounds, bits.numel(), TOP=top, BLOCK=launch.block, num_warps=launch.warps
        )
    low, high = bounds.tolist()
    return low, high


class _Bits(NamedTuple):
    """The bits of scores as integers; those of 1.0 and of infinity, and the greatest such integer."""

    bits: torch.Tensor
    one: int
    infinite: int
    top: int


def _bits(scores: torch.Tensor) -> _Bits:
    import torch

    x = scores.detach().reshape(-1).contiguous()
    if x.dtype == torch.bfloat16:
        return _Bits(x.view(torch.int16).to(torch.int32), 0x3F80, 0x7F80, 0x7FFF)
    if x.dtype == torch.float16:
        return _Bits(x.view(torch.int16).to(torch.int32), 0x3C00, 0x7C00, 0x7FFF)
    if x.dtype == torch.float32:
        return _Bits(x.view(torch.int32), 0x3F800000, 0x7F800000, 0x7FFFFFFF)
    wide = x.to(torch.float64).view(torch.int64)
    return _Bits(wide, 0x3FF0000000000000, 0x7FF0000000000000, 0x7FFFFFFFFFFFFFFF)


def losses(positive: torch.Tensor, probabilities: torch.Tensor, weights: torch.Tensor | None = None) -> Losses | None:
    """Return the log loss and the Brier score of probabilities of the positive class."""
    import torch

    if weights is not None or not has_kernels(probabilities):
        found = score_operations.losses(positive, probabilities, weights)
        return None if found is None else Losses(*found)

    from goodmeasure.counts.device import score_kernels as kernels

    p, y = probabilities.detach().reshape(-1).contiguous(), flat(positive)
    n, launch = p.numel(), launch_for(p, p.numel(), 2048, 8, 4)
    sums = torch.empty((4, launch.programs), dtype=torch.float64, device=p.device)
    with device_of(p):
        kernels.losses[(launch.programs,)](
            p, y, sums, n, launch.programs, BLOCK=launch.block, num_warps=launch.warps
        )  # fmt: skip
    logs, squares, positives, faults = sums.sum(dim=1).tolist()
    return Losses(logs / n, squares / n) if not faults and 0 < positives < n else None


def bins(
    confidence: torch.Tensor, hit: torch.Tensor, number: int, weights: torch.Tensor | None = None
) -> Sums | None:  # fmt: skip
    """Return items by `number` equally wide bins of their confidence; `hit` says which of them were right."""
    import torch

    if weights is not None or number > _MOST_BINS or not has_kernels(confidence):
        found = score_operations.bins(confidence, hit, number, weights)
        return None if found is None else Sums(*found.numpy())

    from goodmeasure.counts.device import score_kernels as kernels

    p, y = confidence.detach().reshape(-1).contiguous(), flat(hit)
    width = max(16, 1 << (number - 1).bit_length())
    launch = launch_for(p, p.numel(), _COMPARISONS // width, 8, 4)
    sums = torch.empty((4, launch.programs, width), dtype=torch.float64, device=p.device)
    with device_of(p):
        kernels.reliability[(launch.programs,)](
            p, y, sums, p.numel(), number, launch.programs, BINS=width, BLOCK=launch.block, num_warps=launch.warps
        )
    items, said, hits, faults = np.asarray(sums.sum(dim=1).tolist())
    return None if faults.any() else Sums(items[:number], said[:number], hits[:number], items[:number])
