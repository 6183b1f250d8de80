"""Measuring scores that are PyTorch tensors on a GPU: areas from one sort, losses and bins from one pass.

**Areas.** Floats are turned into integers of the same order, and the label becomes the last bit: sorting these keys
brings the items into order, positives first among equal scores, and nothing has to be gathered afterwards. Two passes
over the sorted keys then give the area under the ROC curve and average precision (`score_kernels.areas`). The sums of
the former are integers, so it is exact but for one division.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goodmeasure.exceptions import InputError

if TYPE_CHECKING:
    import torch

_BLOCK = 2048


class Areas(NamedTuple):
    """What one sort of scores gives, as tensors on their device; NaN where a class is absent."""

    roc_auc: torch.Tensor
    average_precision: torch.Tensor


class Losses(NamedTuple):
    """The mean log loss and the mean squared error of probabilities, as tensors on their device."""

    log_loss: torch.Tensor
    brier: torch.Tensor


class Bins(NamedTuple):
    """Items by the bin of their confidence: how many, the sum of their confidences, and how many were right."""

    items: torch.Tensor
    confidence: torch.Tensor
    hits: torch.Tensor

    def expected_error(self) -> torch.Tensor:
        """Return the mean distance of confidence and accuracy, weighted by the items of each bin."""
        return (self.confidence - self.hits).abs().sum() / self.items.sum()

    def maximum_error(self) -> torch.Tensor:
        """Return the greatest distance of confidence and accuracy of any bin with items."""
        gaps = (self.confidence - self.hits).abs() / self.items.clamp(min=1)
        return gaps.max()


def areas(positive: torch.Tensor, scores: torch.Tensor) -> Areas:
    """Return the area under the ROC curve and average precision of scores; `positive` says which items are."""
    import torch

    from goodmeasure.counts.device import score_kernels as kernels

    keys = sorted_keys(positive, scores)
    n = keys.numel()
    blocks = -(-n // _BLOCK)
    totals, twice = torch.empty((2, blocks), dtype=torch.int64, device=keys.device)
    parts = torch.empty(blocks + 2, dtype=torch.float64, device=keys.device)
    kernels.positives_by_block[(blocks,)](keys, totals, n, _BLOCK, num_warps=4)
    through = totals.cumsum(0)
    kernels.areas[(blocks,)](keys, totals, through, twice, parts, n, _BLOCK, num_warps=4)
    found = parts[blocks:]
    kernels.finish_areas[(1,)](through, twice, parts, found, blocks, n, _BLOCK, num_warps=8)
    return Areas(*found.unbind(0))


def sorted_keys(positive: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    """Return integers that sort items by score and then by label, from high to low; the label is the last bit."""
    import torch

    from goodmeasure.counts.device import score_kernels as kernels
    from goodmeasure.counts.device.tally import _flat, _launch, empty_range

    bits, top, infinite = _bits(scores)
    n, labels = bits.numel(), _flat(positive)
    bounds = empty_range(bits.device)
    launch = _launch(bits, n, 4096, 8, 8)
    kernels.range_of_scores[(launch.programs,)](bits, bounds, n, top, launch.block, num_warps=launch.warps)
    low, high = bounds.tolist()
    if high > infinite or low < -infinite - 1:
        raise InputError("{y_score} holds NaN", advice="every item needs a score")
    if high - low < 2**61:
        keys = torch.empty(n, dtype=torch.int32 if high - low < 2**30 else torch.int64, device=bits.device)
        kernels.pack[(-(-n // _BLOCK),)](bits, labels, keys, n, low, top, _BLOCK, num_warps=8)
    else:  # doubles of both signs: their ranks are packed
        place = torch.where(bits < 0, bits ^ top, bits)
        keys = torch.unique(torch.where(place == -1, 0, place), return_inverse=True)[1] * 2 + (labels != 0)
    return torch.sort(keys, descending=True).values


def _bits(scores: torch.Tensor) -> tuple[torch.Tensor, int, int]:
    """Return the bits of scores as integers, the greatest such integer, and that of infinity."""
    import torch

    x = scores.detach().reshape(-1).contiguous()
    if x.dtype not in (torch.float32, torch.float64):
        x = x.to(torch.float32 if x.dtype in (torch.float16, torch.bfloat16) else torch.float64)
    if x.dtype == torch.float32:
        return x.view(torch.int32), 0x7FFFFFFF, 0x7F800000
    return x.view(torch.int64), 0x7FFFFFFFFFFFFFFF, 0x7FF0000000000000


def losses(positive: torch.Tensor, probabilities: torch.Tensor) -> Losses:
    """Return the log loss and the Brier score of probabilities of the positive class."""
    import torch

    from goodmeasure.counts.device import score_kernels as kernels
    from goodmeasure.counts.device.tally import _flat, _launch

    p, y = probabilities.detach().reshape(-1).contiguous(), _flat(positive)
    launch = _launch(p, p.numel(), 2048, 8, 4)
    sums = torch.empty((2, launch.programs), dtype=torch.float64, device=p.device)
    faults = torch.zeros(1, dtype=torch.int64, device=p.device)
    kernels.losses[(launch.programs,)](
        p, y, sums[0], sums[1], faults, p.numel(), BLOCK=launch.block, num_warps=launch.warps
    )
    _check_probabilities(faults)
    log_sum, squares = sums.sum(dim=1).unbind(0)
    return Losses(log_sum / p.numel(), squares / p.numel())


def bins(confidence: torch.Tensor, hit: torch.Tensor, number: int) -> Bins:
    """Return items by `number` equally wide bins of their confidence; `hit` says which of them were right."""
    import torch

    from goodmeasure.counts.device import score_kernels as kernels
    from goodmeasure.counts.device.tally import _flat, _launch

    p, y = confidence.detach().reshape(-1).contiguous(), _flat(hit)
    width = max(16, 1 << (number - 1).bit_length())
    launch = _launch(p, p.numel(), 1024, 8, 4)
    items, hits = (torch.empty((launch.programs, width), dtype=torch.int64, device=p.device) for _ in range(2))
    sums = torch.empty((launch.programs, width), dtype=torch.float64, device=p.device)
    faults = torch.zeros(1, dtype=torch.int64, device=p.device)
    kernels.reliability[(launch.programs,)](
        p, y, items, sums, hits, faults, p.numel(), number, BINS=width, BLOCK=launch.block, num_warps=launch.warps
    )
    _check_probabilities(faults)
    return Bins(*(x.sum(dim=0)[:number] for x in (items, sums, hits)))


def _check_probabilities(faults: torch.Tensor) -> None:
    outside = int(faults[0])
    if outside:
        raise InputError(
            "{outside} values of {y_score} are no probabilities", outside=outside, expected="numbers from 0 to 1"
        )
