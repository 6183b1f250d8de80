"""The derivative of a measure with respect to the counts, from its single definition."""

from __future__ import annotations

import numpy as np

from goodmeasure.catalogue.running import Definition
from goodmeasure.counts.sparse_counts import SparseCounts
from goodmeasure.language.floats import differentiation
from goodmeasure.language.floats.batches import Run
from goodmeasure.language.floats.cell_sums import plain
from goodmeasure.language.floats.more_classes import batch_view
from goodmeasure.language.floats.very_many_classes import Cells, SparseView
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

_CELLS_AT_ONCE = 1 << 16  # all operations on a block are recorded, so it is smaller than one that is only evaluated


def on_batch(definition: Definition, cells: Array, policy: Policy, *, whole: bool) -> Array:
    """Return the derivatives of a definition at a batch of counts of shape (m, m, batch), in the same shape.

    >>> from goodmeasure.language.policy import RESOLVE
    >>> on_batch(lambda c: c.ratio(c.tp, c.tp + c.fn), np.array([[9.0, 1], [2, 6]])[:, :, None], RESOLVE, whole=True)[1]
    array([[-0.09375],
           [ 0.03125]])
    """
    m, _, total = cells.shape
    found = np.empty_like(cells)
    step = max(1, _CELLS_AT_ONCE // (m * m))
    with np.errstate(all="ignore"):
        for start in range(0, total, step):
            block = slice(start, start + step)
            leaf = differentiation.Traced(cells[:, :, block])
            view = batch_view(leaf, Run(differentiation, policy), whole=whole)
            found[:, :, block] = differentiation.slopes(plain(definition(view)), [leaf])[0]
    return found


def on_sparse(definition: Definition, counts: SparseCounts, policy: Policy) -> tuple[Array, Array]:
    """Return the derivatives at a sparse matrix: along its diagonal, and in its other non-zero cells.

    Class sizes and cells are separate inputs of a sparse view, and moving a cell moves both sizes; so the slopes of its
    row and its column sum are added to that of the cell.
    """
    numbers = (counts.a, counts.b, counts.diagonal, counts.values)
    a, b, diagonal, values = leaves = [differentiation.Traced(x.astype(np.float64)) for x in numbers]
    with np.errstate(all="ignore"):
        view = SparseView(
            Cells(a, b, diagonal, lambda: (counts.rows, counts.cols, values)), Run(differentiation, policy), whole=True
        )
        by_row, by_column, on, off = differentiation.slopes(plain(definition(view)), leaves)
    return on + by_row + by_column, off + by_row[counts.rows] + by_column[counts.cols]
