"""Counting labels whose classes are not given: the device finds which of them occur, and keeps the counts.

A small table is copied to the host together with the answer whether all labels fit into it, since two kilobytes take no
longer than the answer alone. Of a larger one, only which classes occur is copied; the counts stay on the device until
somebody asks for them (`Crossed.fetch`).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goodmeasure.counts.device.launching import device_of, launch_for, start
from goodmeasure.counts.device.tally import FAULTS, add_labels, flat, has_kernels, is_on_accelerator, kernels
from goodmeasure.counts.kernel.tally import MOST_DENSE, Crossed, DistinctValues
from goodmeasure.typing import AnyArray, Array

if TYPE_CHECKING:
    import torch

_GUESSED_CLASSES = 16  # if the classes are not given, labels are first assumed to be 0 … 15
_AT_ONCE = 1 << 12  # cells of a table that is copied as soon as it is counted

_empty_ranges: dict[torch.device, torch.Tensor] = {}


class _Table(NamedTuple):
    """Counts of labels from 0 on; `faults` follow them in the same memory, so that one copy brings both."""

    cells: torch.Tensor
    faults: torch.Tensor
    memory: torch.Tensor


def can_count(true: AnyArray, pred: AnyArray, weights: AnyArray) -> bool:
    """Return whether labels and weights are tensors on one accelerator that can be counted there."""
    if not (is_on_accelerator(true) and is_on_accelerator(pred) and true.device == pred.device):
        return False
    if weights is not None and not (is_on_accelerator(weights) and weights.device == true.device):
        return False
    kinds = {str(x.dtype).removeprefix("torch.") for x in (true, pred)}
    are_labels = kinds == {"bool"} or kinds <= {"int8", "int16", "int32", "int64", "uint8"}
    return are_labels and true.ndim == pred.ndim == 1 and true.numel() > 0


def cross_on_device(
    true: torch.Tensor, pred: torch.Tensor, weights: torch.Tensor | None, named: object = None
) -> Crossed | None:
    """Return how often each pair of integer labels occurs, counted on the device; None where they range too widely.

    `named` are the labels that the user gives, if any. Without them, labels are first assumed to be 0 … 15; only if
    that is wrong are their bounds determined.
    """
    import torch

    is_bool, low = true.dtype == torch.bool, 0
    table = _counted(true, pred, _expected(named))
    occurring = _occurring(table)
    if occurring is None:
        low, high = _bounds(true, pred)
        if (high - low + 1) ** 2 * 8 > MOST_DENSE:
            return None
        if low:
            true, pred = true.to(torch.int64) - low, pred.to(torch.int64) - low
        table = _counted(true, pred, high - low + 1)
        occurring = _occurring(table)
        assert occurring is not None
    rows, columns, cells = occurring
    first, second = (DistinctValues((x + low).astype(bool) if is_bool else x + low) for x in (rows, columns))
    if weights is not None:  # a label whose items all have weight 0 still occurs
        weighed = torch.zeros(table.cells.shape, dtype=torch.float64, device=true.device)
        add_labels(weighed, table.faults, true, pred, weights=weights)
        return Crossed(first, second, fetch=partial(_fetched, weighed, rows, columns))
    if cells is None:
        return Crossed(first, second, fetch=partial(_fetched, table.cells, rows, columns))
    return Crossed(first, second, table=_of(cells, rows, columns))


def _expected(named: object) -> int:
    """Return how many classes to try first: as many as the labels of the user need, if they are small integers."""
    if isinstance(named, (list, tuple, range)) and all(type(x) is int for x in named):
        most = max(named, default=0) + 1
        if min(named, default=0) >= 0 and most * most * 8 <= MOST_DENSE:
            return max(most, _GUESSED_CLASSES)
    return _GUESSED_CLASSES


def _counted(true: torch.Tensor, pred: torch.Tensor, m: int) -> _Table:
    import torch

    memory = torch.zeros(m * m + FAULTS, dtype=torch.int64, device=true.device)
    table = _Table(memory[: m * m].view(m, m), memory[m * m :], memory)
    add_labels(table.cells, table.faults, true, pred)
    return table


def _occurring(table: _Table) -> tuple[Array, Array, Array | None] | None:
    """Return which rows and columns of a table are not empty, and the table itself if it is small.

    None means that some labels lie outside the table. This waits for the device.
    """
    import torch

    m = len(table.cells)
    if table.cells.numel() <= _AT_ONCE:
        copied = table.memory.cpu().numpy()
        cells = copied[: m * m].reshape(m, m)
        rows, columns = (np.flatnonzero(cells.any(axis=axis)) for axis in (1, 0))
        return None if copied[m * m] else (rows, columns, cells)
    known = torch.cat([table.cells.any(dim=1), table.cells.any(dim=0), table.faults != 0]).cpu().numpy()
    return None if known[2 * m] else (np.flatnonzero(known[:m]), np.flatnonzero(known[m : 2 * m]), None)


def _fetched(table: torch.Tensor, rows: Array, columns: Array) -> Array:
    """Return the rows and columns of a table that occur, on the host."""
    return _of(table.cpu().numpy(), rows, columns)


def _of(cells: Array, rows: Array, columns: Array) -> Array:
    if len(rows) == len(columns) == len(cells):
        return cells
    return np.ascontiguousarray(cells[np.ix_(rows, columns)])


def _bounds(true: torch.Tensor, pred: torch.Tensor) -> tuple[int, int]:
    """Return the least and the greatest label."""
    import torch

    if has_kernels(true):
        bounds = _empty_range(true.device)
        t, p = flat(true), flat(pred)
        launch = launch_for(t, t.numel(), 4096, 8, 4)
        with device_of(t):
            start(kernels().label_range, launch.programs, launch.warps, (t, p, bounds), (t.numel(),), (launch.block,))
        low, high = bounds.tolist()
        return low, high
    ends = [x for labels in (true, pred) for x in torch.aminmax(labels)]
    return min(int(x) for x in ends), max(int(x) for x in ends)


def _empty_range(device: torch.device) -> torch.Tensor:
    """Return the least and the greatest of no numbers: bounds that the kernels move."""
    import torch

    if device not in _empty_ranges:
        _empty_ranges[device] = torch.tensor([2**63 - 1, 1 - 2**63], dtype=torch.int64, device=device)
    return _empty_ranges[device].clone()
