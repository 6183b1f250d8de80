"""Counting labels and logits that are PyTorch tensors, on the device where they are.

`add_labels` and `add_logits` add to counts that stay on the device, and make the host wait for nothing, so they can be
used in a training loop, in `torch.compile` and in CUDA graphs. What is wrong with the labels is counted too (`faults`),
for whoever reads the counts.

On CUDA devices the kernels of `triton_kernels.py` do the work; where Triton is absent, and on other devices, PyTorch's
own operations do. CPU tensors are counted by the compiled kernel of `counts/kernel`, without a copy.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

from goodmeasure.counts.device.launching import device_of, launch_for, start
from goodmeasure.counts.kernel import tally as on_the_cpu
from goodmeasure.typing import AnyArray, Namespace

if TYPE_CHECKING:
    import torch

FAULTS = 3  # kinds of fault: a label outside 0 … m − 1, a row of logits with a NaN, an invalid weight
_SIZES = 256, 1024, 4096, 10_240  # places for counts in shared memory, of which 48 KB need no permission
_COMMON = 4096  # cells that are counted in shared memory where it cannot hold all
_WORTH_A_SAMPLE = 1 << 13  # items: with fewer, looking for common cells takes longer than adding to them
_WIDEST = 46_340  # classes: cells of more have no number of 32 bits
_BLOCK = 2048  # labels that a program reads at once
_FEW_WEIGHED = 16  # with weights, up to this many cells are compared with each item
_FEW_COLUMNS = 24  # up to this many logits are read by one thread
_BY_THREAD = 512, 8, 4  # rows, warps and programs where a thread reads all logits of an item
_UNROLLED = 64  # up to this many logits have code of their own
_FOR_COPIES = 32 << 20  # bytes: copies of the counts that should stay in the level-2 cache
_MANY_ITEMS = 1 << 20  # with fewer items, copies of the counts cost more than they save


_loaded: list[Namespace] = []  # the Triton kernels once they are loaded, or None where Triton is absent
_INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"  # then Triton runs its kernels on the CPU, for tests


def kernels() -> Namespace:
    """Return the Triton kernels, or None where Triton is absent."""
    if not _loaded:
        try:
            from goodmeasure.counts.device import triton_kernels
        except ImportError:
            _loaded.append(None)
        else:
            _loaded.append(triton_kernels)
    return _loaded[0]


def has_kernels(tensor: torch.Tensor) -> bool:
    """Return whether the Triton kernels can read a tensor: it is on a CUDA device, or Triton interprets its kernels."""
    return (tensor.is_cuda or _INTERPRETED) and kernels() is not None


def add_labels(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, pred: torch.Tensor, *,
    weights: torch.Tensor | None = None, ignore_index: int | None = None,
) -> None:  # fmt: skip
    """Add pairs of labels 0 … m − 1 to `counts` (m × m; int64, or float64 with weights).

    With weights there may be three tables: the sums of the weights, the sums of their squares, and items.
    """
    if true.numel() and has_kernels(counts):
        with device_of(counts):
            _add_by_triton(counts, faults, flat(true), flat(pred), weights, ignore_index)
    elif _can_be_read(counts, true, pred, weights):
        _add_by_compiled_kernel(counts, faults, true, pred, ignore_index)
    else:
        _add_by_torch(counts, faults, true.reshape(-1), pred.reshape(-1), weights, ignore_index)


def add_logits(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, logits: torch.Tensor, *,
    weights: torch.Tensor | None = None, ignore_index: int | None = None,
) -> None:  # fmt: skip
    """Add true labels and the class with the greatest logit to `counts`; dimension 1 of `logits` has the classes."""
    if logits.ndim > 2:
        rows = logits.movedim(1, -1)
        if rows.is_contiguous() or not has_kernels(counts):
            logits = rows.reshape(-1, logits.shape[1])
    if true.numel() and has_kernels(counts):
        with device_of(counts):
            _add_logits_by_triton(counts, faults, flat(true), logits, weights, ignore_index)
        return
    true = true.reshape(-1)
    unclear = logits.isnan().any(dim=-1)
    kept = ~unclear if ignore_index is None else ~unclear & (true != ignore_index)
    faults[1] += (unclear if ignore_index is None else unclear & (true != ignore_index)).sum()
    _add_by_torch(counts, faults, true.reshape(-1), logits.argmax(dim=-1), weights, ignore_index, kept)


def flat(labels: torch.Tensor) -> torch.Tensor:
    """Return labels as one contiguous row; the kernels read booleans as bytes."""
    import torch

    flat = labels if labels.ndim == 1 and labels.is_contiguous() else labels.reshape(-1).contiguous()
    return flat.view(torch.uint8) if flat.dtype == torch.bool else flat


def _add_by_triton(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, pred: torch.Tensor, weights: torch.Tensor | None,
    ignore_index: int | None,
) -> None:  # fmt: skip
    found, n, m = kernels(), true.numel(), counts.shape[-1]
    ignored, has_ignored = ignore_index or 0, ignore_index is not None
    shares = weights is None and has_ptx(counts)
    size = _size(m) if shares else 0
    if size or (shares and n >= _WORTH_A_SAMPLE and m <= _WIDEST):
        launch = launch_for(true, n, 2 * _BLOCK, 8, 4)
        kernel, table = (found.count_all, (size, _chunk(size))) if size else (found.count_common, (_COMMON,))
        block = _BLOCK if size else _BLOCK // 2  # Triton takes shared memory too, of which a program has 48 KB
        start(
            kernel, launch.programs, launch.warps, (true, pred, counts, faults),
            (n, m, _each(n, launch.programs, block), ignored),
            (has_ignored, _places(size or 2 * _COMMON + 1), *table, block),
        )  # fmt: skip
    elif weights is not None and m * m <= _FEW_WEIGHED and counts.ndim == 2:
        launch = launch_for(true, n, 1024, 8, 8)
        start(
            found.count_weighted_few, launch.programs, launch.warps, (true, pred, flat(weights), counts, faults),
            (n, m, ignored), (has_ignored, max(4, 1 << (m * m - 1).bit_length()), launch.block),
        )  # fmt: skip
    else:
        launch = launch_for(true, n, 1024, 4, 16)
        into, copies = _copies(counts, n)
        start(
            found.count_many, launch.programs, launch.warps,
            (true, pred, counts if weights is None else flat(weights), into, faults), (n, m, copies, ignored),
            (has_ignored, weights is not None, tables_of(counts), launch.block),
        )  # fmt: skip
        if copies > 1:
            counts += into.sum(dim=0)


def has_ptx(counts: torch.Tensor) -> bool:
    """Return whether kernels may use instructions of NVIDIA's devices, as for counting in shared memory."""
    import torch

    return counts.is_cuda and torch.version.hip is None and not _INTERPRETED


def _size(m: int) -> int:
    """Return how many places in shared memory hold m² cells, and one for what is not counted; 0 if it is too small."""
    return next((size for size in _SIZES if m * m < size), 0)


@lru_cache(None)
def _places(size: int) -> str:
    """Return the PTX that declares shared memory for some counts, and returns its address."""
    return f"{{ .shared .align 16 .b8 goodmeasure_places[{4 * size}]; mov.u32 $0, goodmeasure_places; }}"


def _chunk(size: int) -> int:
    """Return how many places are emptied at once: no fewer than a program has threads."""
    return min(size, 1024)


def _each(items: int, programs: int, block: int) -> int:
    """Return how many items a program takes: whole blocks."""
    return -(-items // (programs * block)) * block


def tables_of(counts: torch.Tensor, table: int = 2) -> int:
    """Return how many tables of so many dimensions are counted: 1, or 3 with weights and their squares."""
    return 1 if counts.ndim == table else len(counts)


def _copies(counts: torch.Tensor, items: int) -> tuple[torch.Tensor, int]:
    """Return copies of the counts to add to, and how many: the counts themselves where there are few items."""
    copies = min(1024, _FOR_COPIES // (8 * counts.numel())) if items >= _MANY_ITEMS else 1
    if copies <= 1:
        return counts, 1
    return counts.new_zeros((copies, *counts.shape)), copies


def _add_logits_by_triton(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, logits: torch.Tensor,
    weights: torch.Tensor | None, ignore_index: int | None,
) -> None:  # fmt: skip
    import torch

    found, n, m = kernels(), true.numel(), counts.shape[-1]
    inner = 1 if logits.ndim == 2 else logits[0, 0].numel()  # how many logits of a class lie together
    columns, rows, warps, each = _tile(m) if inner == 1 else (0, *_BY_THREAD)
    size = _size(m) if columns == 0 and weights is None and has_ptx(counts) else 0
    launch = launch_for(true, n, rows, warps, each)
    into, copies = (counts, 1) if size else _copies(counts, n)
    start(
        found.count_logits, launch.programs, warps,
        (logits.contiguous(), true, counts if weights is None else flat(weights), into, faults),
        (n, copies, inner, _each(n, launch.programs, rows), ignore_index or 0),
        (m, ignore_index is not None, weights is not None, tables_of(counts), logits.dtype == torch.float64,
         _places(size), size, _chunk(size), m <= _UNROLLED, rows, columns),
    )  # fmt: skip
    if copies > 1:
        counts += into.sum(dim=0)


def _tile(m: int) -> tuple[int, int, int, int]:
    """Return how rows of logits are read: columns at once (0: a thread reads whole rows), rows, warps, and programs."""
    if m <= _FEW_COLUMNS:
        return 0, *_BY_THREAD
    columns = min(1024, 1 << (m - 1).bit_length())
    return columns, max(1, (1024 if columns == 32 else 512) // columns), 1 if columns <= 512 else 2, 32


def _can_be_read(counts: torch.Tensor, true: torch.Tensor, pred: torch.Tensor, weights: torch.Tensor | None) -> bool:
    """Return whether the compiled kernel of the CPU can read the labels where they are."""
    import torch

    return (
        weights is None
        and counts.device.type == true.device.type == pred.device.type == "cpu"
        and true.numel() > 0
        and not isinstance(true, torch._subclasses.FakeTensor)
    )


def _add_by_compiled_kernel(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, pred: torch.Tensor, ignore_index: int | None
) -> None:
    """Add labels in CPU tensors, read through NumPy without a copy."""
    import numpy as np
    import torch

    m = counts.shape[-1]
    crossed = on_the_cpu.cross(true.detach().reshape(-1).numpy(), pred.detach().reshape(-1).numpy())
    i, j, number = on_the_cpu.all_cells(crossed)
    t, p = np.asarray(crossed.rows.values, np.int64)[i], np.asarray(crossed.columns.values, np.int64)[j]
    if ignore_index is not None:
        kept = t != ignore_index
        t, p, number = t[kept], p[kept], number[kept]
    valid = (t >= 0) & (t < m) & (p >= 0) & (p < m)
    faults[0] += int(number[~valid].sum())
    places = torch.from_numpy((t[valid] * m + p[valid]).astype(np.int64))
    counts.view(-1).index_add_(0, places, torch.from_numpy(number[valid].astype(np.int64)).to(counts.dtype))


def _add_by_torch(
    counts: torch.Tensor, faults: torch.Tensor, true: torch.Tensor, pred: torch.Tensor, weights: torch.Tensor | None,
    ignore_index: int | None, kept: torch.Tensor | None = None,
) -> None:  # fmt: skip
    """Add labels by PyTorch's operations, in shapes that depend on no value, so that they can be compiled."""
    import torch

    m = counts.shape[-1]
    t, p = true.to(torch.int64), pred.to(torch.int64)
    inside = torch.ones_like(t, dtype=torch.bool) if kept is None else kept
    if ignore_index is not None:
        inside = inside & (t != ignore_index)
    valid = (t >= 0) & (t < m) & (p >= 0) & (p < m)
    faults[0] += (inside & ~valid).sum()
    counted = inside & valid
    place = torch.where(counted, t * m + p, 0)
    if weights is None:
        counts.view(-1).index_add_(0, place, counted.to(counts.dtype))
        return
    faults[2] += are_no_weights(weights).sum()
    w = weights.reshape(-1).to(counts.dtype)
    tables = counts.view(-1, m * m)
    for table, amount in zip(tables, powers_of(w)[: len(tables)], strict=True):
        table.index_add_(0, place, torch.where(counted, amount, 0))


def are_no_weights(weights: torch.Tensor) -> torch.Tensor:
    """Return which numbers are not valid weights: those that are negative or not finite."""
    return ~((weights >= 0) & weights.isfinite())


def powers_of(w: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return what weights add to the three tables: themselves, their squares, and one item each."""
    return w, w * w, w.new_ones(w.shape)


def is_on_accelerator(values: AnyArray) -> bool:
    """Return whether these are a PyTorch tensor elsewhere than in the memory of the host."""
    return type(values).__module__.partition(".")[0] == "torch" and values.device.type not in ("cpu", "meta")
