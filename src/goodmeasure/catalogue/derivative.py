"""The derivative of a measure with respect to the counts, from its single definition."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.catalogue.running import SparseMatrix, exact_rows
from goodmeasure.counts.sparse_counts import SparseCounts
from goodmeasure.language.compile.gradients import exact_slopes, kinks, on_cells, on_listed_cells
from goodmeasure.language.policy import Policy
from goodmeasure.language.recorded import Recorded
from goodmeasure.language.tree import (
    ONE,
    RESOLVES,
    ZERO,
    Listed,
    Operation,
    Over,
    OverMean,
    PowerMean,
    Ratio,
    Test,
    Tree,
    Where,
    below,
)
from goodmeasure.typing import Array

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure

_CELLS_AT_ONCE = 1 << 16  # all operations on a block are recorded, so it is smaller than one that is only evaluated


def gradient(measure: Measure, counts: Array, policy: Policy, *, exact: bool) -> Array:
    """Return the partial derivatives of a measure with respect to every cell, in the shape of the counts (…, m, m).

    A matrix without an empty cell is differentiated in floats, together with all others of the batch. Rules for 0/0 act
    only where a cell is 0, and a minimum bends where two values are equal: such matrices are differentiated one by one
    with exact values, since floats do not tell where there is no derivative.
    """
    m = counts.shape[-1]
    flat = counts.reshape(-1, m, m)
    found = np.empty(flat.shape, object if exact else float)
    is_opaque = measure.recorded.is_opaque(m)
    if not exact and not is_opaque:
        cells = np.ascontiguousarray(np.moveaxis(flat, 0, -1), np.float64)
        found[...] = np.moveaxis(on_batch(measure.recorded, cells, policy, whole=False), -1, 0)
    alone = (flat == 0).any(axis=(1, 2)) | (exact or is_opaque or _may_bend(measure, m))
    for k in np.flatnonzero(alone):
        found[k] = on_one(measure.recorded, flat[k], policy, None if exact or is_opaque else found[k], exact=exact)
    return found.reshape(counts.shape)


def on_one(definition: Recorded, counts: Array, policy: Policy, known: Array | None, *, exact: bool) -> Array:
    """Return the partial derivatives at one matrix; undefined for cells with respect to which none exists."""
    from goodmeasure.language.exact.reals import UNDEFINED, Exact

    rows = exact_rows(counts.tolist())
    bent = np.zeros(counts.size, bool)

    def answer(x: Tree) -> bool:
        """Answer what an opaque definition branches on, which is a kink where it would have another answer at once."""
        test = x if x.SORT == "ConditionTree" else Test("not", (Test("eq", (x, ZERO)),))
        value, bends = kinks(Where(test, ONE, ZERO), rows, policy)
        np.logical_or(bent, bends, out=bent)
        return bool(value)

    tree = definition.tree_here(len(rows), answer, exactly=True)
    value, bends = kinks(tree, rows, policy)
    gone = (bent | bends | (value is UNDEFINED)).reshape(counts.shape)
    if known is None or not np.isfinite(known[~gone]).all() or _needs_exact(tree):
        known = np.array([Exact.of(x) for x in exact_slopes(tree, rows, policy)], object).reshape(counts.shape)
    found = known if exact else known.astype(float) + 0.0  # which turns −0.0 into 0.0
    found[gone] = UNDEFINED if exact else math.nan
    return found


def _needs_exact(tree: Tree) -> bool:
    return any(isinstance(x, OverMean) for x in below(tree))


def _may_bend(measure: Measure, m: int) -> bool:
    """Return whether the derivative may not exist even if no cell is empty: at a tie of a minimum or maximum."""
    return measure.family == "own" or _bends(measure.recorded.tree(m))  # a user's function may do anything


def _bends(x: Tree) -> bool:
    """Return whether a formula has a minimum, a maximum or a choice; the rules for 0/0 are no part of it."""
    known = x.memo.get("bends")
    if known is None:
        chosen = isinstance(x, Where) and x.test is not RESOLVES
        chosen = chosen or (isinstance(x, Operation) and x.name in ("min", "max"))
        chosen = chosen or (isinstance(x, (Over, Listed)) and x.op in ("least", "greatest"))
        chosen = chosen or (isinstance(x, (Over, Listed, PowerMean)) and x.p in (math.inf, -math.inf))
        chosen = chosen or (isinstance(x, OverMean) and x.mean not in ("heronian", "stolarsky"))
        rules = (x.rule,) if isinstance(x, (Ratio, Over)) else x.rules if isinstance(x, Listed) else ()
        known = x.memo["bends"] = chosen or any(_bends(y) for y in x.parts if y not in rules)
    return known is True


def on_batch(definition: Recorded, cells: Array, policy: Policy, *, whole: bool) -> Array:
    """Return the derivatives of a definition at a batch of counts of shape (m, m, batch), in the same shape.

    >>> import goodmeasure as gm
    >>> from goodmeasure.language.policy import RESOLVE
    >>> on_batch(gm.recall.recorded, np.array([[9.0, 1], [2, 6]])[:, :, None], RESOLVE, whole=True)[1]
    array([[-0.09375],
           [ 0.03125]])
    """
    m, _, total = cells.shape
    tree = definition.tree(m)
    found = np.empty_like(cells)
    step = max(1, _CELLS_AT_ONCE // (m * m))
    with np.errstate(all="ignore"):
        for start in range(0, total, step):
            block = slice(start, start + step)
            found[:, :, block] = on_cells(tree, cells[:, :, block], policy, whole=whole, valued=False)[1]
    return found


def on_sparse(definition: Recorded, counts: SparseCounts, policy: Policy) -> tuple[Array, Array]:
    """Return the derivatives at a sparse matrix: along its diagonal, and in its other non-zero cells."""
    listed = SparseMatrix(counts).cells
    found = on_listed_cells(definition.tree(listed.m), listed, policy)
    off = found.row[counts.rows] + found.column[counts.cols] + (0.0 if found.cells is None else found.cells)
    return found.on[:, 0], off[:, 0]
