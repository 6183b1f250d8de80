"""Counting labels and logits that are PyTorch tensors, on the device where they are.

`add_labels` and `add_logits` add to counts that stay on the device, and make the host wait for nothing, so they can be
used in a training loop, in `torch.compile` and in CUDA graphs. What is wrong with the labels is counted too (`faults`),
for whoever reads the counts.

On CUDA devices the kernels of `triton_kernels.py` do the work; where Triton is absent, and on other devices, PyTorch's
own operations do. CPU tensors are counted by the compiled kernel of `counts/kernel`, without a copy.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from goodmeasure.counts.device.launching import device_of, launch_for, start
from goodmeasure.counts.kernel import tally as on_the_cpu
from goodmeasure.typing import AnyArray, Namespace

if TYPE_CHECKING:
    import torch

FAULTS = 3  # kinds of fault: a label outside 0 … m − 1, a row of logits with a NaN, an invalid weight
_FEW_CELLS = 256  # up to this many cells a histogram in registers is fastest
_FEW_WEIGHED = 16  # with weights, up to this many cells are compared with each item
_FEW_COLUMNS = 16  # up to this many logits are read by one thread
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
    """Add true labels and the class with the greatest logit to `counts`; a row of `logits` has one for each class."""
    if true.numel() and has_kernels(counts):
        with device_of(counts):
            _add_logits_by_triton(counts, faults, flat(true), logits, weights, ignore_index)
        return
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
    launch = launch_for(true, n, 2048, 8, 8)
    if weights is None and m == 2:
        start(
            found.count_two, launch.programs, launch.warps, (true, pred, counts, faults), (n, ignored),
            (has_ignored, launch.block),
        )  # fmt: skip
    elif weights is None and m * m <= _FEW_CELLS:
        launch = launch_for(true, n, 1024, 8, 16)
        start(
            found.count_few, launch.programs, launch.warps, (true, pred, counts, faults), (n, m, ignored),
            (has_ignored, _bins(m), launch.block),
        )  # fmt: skip
    elif weights is not None and m * m <= _FEW_WEIGHED and counts.ndim == 2:
        launch = launch_for(true, n, 1024, 8, 8)
        start(
            found.count_weighted_few, launch.programs, launch.warps, (true, pred, flat(weights), counts, faults),
            (n, m, ignored), (has_ignored, _bins(m), launch.block),
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


def tables_of(counts: torch.Tensor, table: int = 2) -> int:
    """Return how many tables of so many dimensions are counted: 1, or 3 with weights and their squares."""
    return 1 if counts.ndim == table else len(counts)


def _bins(m: int) -> int:
    """Return how many bins a histogram of m² cells has: a power of 2."""
    return max(4, 1 << (m * m - 1).bit_length())


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
    columns, rows, warps, each = _tile(m)
    by_histogram = weights is None and m * m <= _FEW_CELLS
    launch = launch_for(true, n, rows, warps, each)
    into, copies = (counts, 1) if by_histogram else _copies(counts, n)
    start(
        found.count_logits, launch.programs, warps,
        (logits.contiguous(), true, counts if weights is None else flat(weights), into, faults),
        (n, copies, ignore_index or 0),
        (m, ignore_index is not None, weights is not None, tables_of(counts), logits.dtype == torch.float64,
         by_histogram, _bins(m) if by_histogram else 4, rows, columns),
    )  # fmt: skip
    if copies > 1:
        counts += into.sum(dim=0)


def _tile(m: int) -> tuple[int, int, int, int]:
    """Return how logits are read: columns at once (0: a thread reads whole rows), rows, warps, and programs."""
    if m <= _FEW_COLUMNS:
        return 0, 256, 4, 8
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
