"""Measuring scores that are PyTorch tensors on a GPU: areas from one sort, losses and bins from one pass.

Each function returns plain numbers, or None where the data are not clean: a score is NaN, a probability lies outside
0 … 1, a label is neither 0 nor 1, a class has no items. Whoever called it then looks for the reason on the CPU.

The kernels of `score_kernels.py` do the work; with weights, and where Triton is absent, PyTorch's own operations do
(`score_operations.py`).

**Areas.** Scores are sorted together with the places of their items, and two passes over them then give the area under
the ROC curve and average precision (`score_kernels.ranked_areas`); the host waits for nothing before the end.

Very many probabilities are faster by another way: their bits are integers of the same order that fit into 31 bits, and
the label becomes one more, the last. `torch.unique` sorts these keys and counts equal ones. It moves nothing but the
keys, where `torch.sort` also moves an index of 8 bytes for each of them, and no label has to be looked up afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goodmeasure.counts.device import score_operations
from goodmeasure.counts.device.launching import current_stream, device_of, launch_for, start
from goodmeasure.counts.device.tally import flat, has_kernels
from goodmeasure.typing import Array

if TYPE_CHECKING:
    import torch

_BLOCK = 1024
_RANKED = 2048  # sorted items that one program takes
_FEW_BLOCKS = 1024  # blocks of which every program can look at all
_MOST_BINS = 128  # for more bins the kernel would compare too few items at once
_SUMS = 4096  # lanes × bins in one program: as many as fit into registers
_ADDED = 4096  # parts of sums that the last program reads at once
_MANY = 1 << 22  # items: from here on, keys are sorted, and labels are made small before they are looked up
_MOST_KEYS = 2**31 - 1  # keys that `torch.unique` can sort on a GPU


_counters: dict[tuple[torch.device, int], torch.Tensor] = {}


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
    if weights is not None or not has_kernels(scores):
        found = score_operations.areas(positive, scores, weights)
        return None if found is None else Areas(*found)
    labels, x = flat(positive), scores.detach().reshape(-1).contiguous()
    if _MANY <= x.numel() <= _MOST_KEYS and (bits := _bits(x)) is not None:
        keys, elsewhere, unknown = _keys(bits, labels)
        if not elsewhere and not unknown:
            return _areas_of_keys(keys)
    return _areas_of_ranked(labels, x)


def _areas_of_ranked(labels: torch.Tensor, scores: torch.Tensor) -> Areas | None:
    """Return the areas from a sort of the scores."""
    import torch

    from goodmeasure.counts.device import score_kernels as kernels

    n, device = scores.numel(), scores.device
    blocks = -(-n // _RANKED)
    ranked = torch.empty(n, dtype=torch.int8, device=device)
    totals = torch.empty((4, blocks), dtype=torch.int64, device=device)
    parts, sums = _places_for_sums(scores, blocks, 4)
    with device_of(scores):
        if n >= _MANY and labels.element_size() > 1:  # they are looked up in any order, so they should fit the cache
            wide, labels = labels, torch.empty(n, dtype=torch.int8, device=device)
            start(kernels.narrow, -(-n // _BLOCK), 8, (wide, labels), (n,), (_BLOCK,))
        ordered, order = torch.sort(scores)
        start(kernels.ranked_totals, blocks, 8, (ordered, order, labels, ranked, totals), (n, blocks), (_RANKED,))
        few = blocks <= _FEW_BLOCKS  # saves starting two operations, which would take longer than the work itself
        through, latest = (totals, totals) if few else (totals[0].cumsum(0), totals[1].cummax(0).values)
        start(
            kernels.ranked_areas, blocks, 8, (ordered, ranked, totals, through, latest, parts, sums, _finished(scores)),
            (n, blocks), (_FEW_BLOCKS if few else 0, _ADDED // 4, _RANKED),
        )  # fmt: skip
        twice, precision, p, faults = _arrived(sums, scores).tolist()
    return Areas(twice / (2 * p * (n - p)), precision / p) if not faults and 0 < p < n else None


def _areas_of_keys(keys: torch.Tensor) -> Areas | None:
    """Return the areas from keys that sort items by score and then by label, which is the last bit."""
    import torch

    from goodmeasure.counts.device import score_kernels as kernels

    distinct, numbers = torch.unique(keys, return_counts=True)
    n = distinct.numel()
    blocks = -(-n // _BLOCK)
    totals = torch.empty((2, blocks), dtype=torch.int64, device=keys.device)
    parts, sums = _places_for_sums(keys, blocks, 4)
    with device_of(keys):
        start(kernels.totals_by_block, blocks, 8, (distinct, numbers, totals), (n, blocks), (_BLOCK,))
        through = totals.cumsum(1)
        start(
            kernels.areas, blocks, 8, (distinct, numbers, totals, through, parts, sums, _finished(keys)), (n, blocks),
            (_ADDED // 4, _BLOCK),
        )  # fmt: skip
        twice, precision, p, _ = _arrived(sums, keys).tolist()
    negatives = keys.numel() - p
    return Areas(twice / (2 * p * negatives), precision / p) if p and negatives else None


def _keys(bits: _Bits, labels: torch.Tensor) -> tuple[torch.Tensor, int, int]:
    """Return the keys of probabilities, how many scores are invalid, and how many labels are neither 0 nor 1."""
    import torch

    from goodmeasure.counts.device import score_kernels as kernels

    n, device = bits.bits.numel(), labels.device
    keys = torch.empty(n, dtype=torch.int32, device=device)
    faults = torch.zeros(2, dtype=torch.int64, device=device)
    with device_of(labels):
        start(kernels.pack, -(-n // _BLOCK), 8, (bits.bits, labels, keys, faults), (n, bits.one), (bits.top, _BLOCK))
    elsewhere, unknown = faults.tolist()
    return keys, elsewhere, unknown


class _Bits(NamedTuple):
    """The bits of scores as integers; those of 1.0, and the greatest such integer."""

    bits: torch.Tensor
    one: int
    top: int


def _bits(x: torch.Tensor) -> _Bits | None:
    """Return the bits of scores; None where those of a probability do not fit into 30 of them."""
    import torch

    if x.dtype == torch.bfloat16:
        return _Bits(x.view(torch.int16).to(torch.int32), 0x3F80, 0x7FFF)
    if x.dtype == torch.float16:
        return _Bits(x.view(torch.int16).to(torch.int32), 0x3C00, 0x7FFF)
    if x.dtype == torch.float32:
        return _Bits(x.view(torch.int32), 0x3F800000, 0x7FFFFFFF)
    return None


def losses(positive: torch.Tensor, probabilities: torch.Tensor, weights: torch.Tensor | None = None) -> Losses | None:
    """Return the log loss and the Brier score of probabilities of the positive class."""

    if weights is not None or not has_kernels(probabilities):
        found = score_operations.losses(positive, probabilities, weights)
        return None if found is None else Losses(*found)

    from goodmeasure.counts.device import score_kernels as kernels

    p, y = probabilities.detach().reshape(-1).contiguous(), flat(positive)
    n, launch = p.numel(), launch_for(p, p.numel(), 2048, 8, 4)
    parts, sums = _places_for_sums(p, launch.programs, 4)
    with device_of(p):
        start(
            kernels.losses, launch.programs, launch.warps, (p, y, parts, sums, _finished(p)), (n,),
            (_ADDED // 4, launch.block),
        )  # fmt: skip
        logs, squares, positives, faults = _arrived(sums, p).tolist()
    return Losses(logs / n, squares / n) if not faults and 0 < positives < n else None


def _places_for_sums(tensor: torch.Tensor, programs: int, cells: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return memory for the parts of some sums, on the device, and for the sums, on the host.

    The last program writes the sums into memory of the host that the device can reach: nobody need ask for a copy.
    """
    import torch

    parts = torch.empty((programs, cells), dtype=torch.float64, device=tensor.device)
    return parts, torch.empty(cells, dtype=torch.float64, pin_memory=tensor.is_cuda)


def _arrived(sums: torch.Tensor, tensor: torch.Tensor) -> torch.Tensor:
    """Return sums that a kernel writes, once it has ended on the device of a tensor."""
    import torch

    if tensor.is_cuda:
        torch.cuda.current_stream().synchronize()
    return sums


def _finished(tensor: torch.Tensor) -> torch.Tensor:
    """Return a counter of finished programs, which is 0 between launches.

    Launches on one stream follow each other, so each stream has a counter of its own.
    """
    import torch

    key = tensor.device, current_stream() if tensor.is_cuda else 0
    if key not in _counters:
        _counters[key] = torch.zeros(1, dtype=torch.int32, device=tensor.device)
    return _counters[key]


def bins(
    confidence: torch.Tensor, hit: torch.Tensor, number: int, weights: torch.Tensor | None = None
) -> Sums | None:  # fmt: skip
    """Return items by `number` equally wide bins of their confidence; `hit` says which of them were right."""

    if weights is not None or number > _MOST_BINS or not has_kernels(confidence):
        found = score_operations.bins(confidence, hit, number, weights)
        return None if found is None else Sums(*found.numpy())

    from goodmeasure.counts.device import score_kernels as kernels

    p, y = confidence.detach().reshape(-1).contiguous(), flat(hit)
    width = max(16, 1 << (number - 1).bit_length())
    # Few programs of many warps: the last one reads a row of sums of each
    launch = launch_for(p, p.numel(), _SUMS // width, 8, 2)
    parts, sums = _places_for_sums(p, launch.programs, 4 * width)
    with device_of(p):
        start(
            kernels.reliability, launch.programs, launch.warps, (p, y, parts, sums, _finished(p)), (p.numel(), number),
            (width, 2 * _ADDED // (4 * width), launch.block),
        )  # fmt: skip
        items, said, hits, faults = _arrived(sums, p).numpy().reshape(4, width)
    return None if faults.any() else Sums(items[:number], said[:number], hits[:number], items[:number])
