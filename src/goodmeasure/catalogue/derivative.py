"""The derivative of a measure with respect to the counts, from its single definition."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goodmeasure.catalogue.running import SparseBatch, exact_rows
from goodmeasure.counts.sparse_counts import SparseCounts
from goodmeasure.language.compile import differentiation
from goodmeasure.language.compile.array_functions import ArrayFunctions, CountSums
from goodmeasure.language.compile.arrays import on_arrays
from goodmeasure.language.compile.compiled import undefined_value
from goodmeasure.language.compile.sparse import ListedCells, value_on_listed
from goodmeasure.language.policy import Policy
from goodmeasure.language.recorded import Recorded
from goodmeasure.language.tree import RESOLVES, Listed, Operation, Over, OverMean, PowerMean, Ratio, Tree, Where
from goodmeasure.typing import AnyArray, Array

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure

_CANCELLED = 1e-12  # the share of all items below which a difference of sums is 0 but for rounding
_CELLS_AT_ONCE = 1 << 16  # all operations on a block are recorded, so it is smaller than one that is only evaluated


def gradient(measure: Measure, counts: Array, policy: Policy, *, exact: bool) -> Array:
    """Return the partial derivatives of a measure with respect to every cell, in the shape of the counts (…, m, m).

    A matrix without an empty cell is differentiated in floats, together with all others of the batch. Rules for 0/0 act
    only where a cell is 0, and a minimum bends where two values are equal: such matrices are differentiated one by one
    with exact values, since floats do not tell where there is no derivative.
    """
    m = counts.shape[-1]
    flat = counts.reshape(-1, m, m)
    alone = np.ones(len(flat), bool)
    if not exact and not _may_bend(measure, m):
        alone = (flat == 0).any(axis=(1, 2))
    found = np.empty(flat.shape, object if exact else float)
    if not alone.all():
        cells = np.ascontiguousarray(np.moveaxis(flat[~alone], 0, -1), np.float64)
        found[~alone] = np.moveaxis(on_batch(measure.recorded, cells, policy, whole=False), -1, 0)
    for k in np.flatnonzero(alone):
        found[k] = on_one(measure.recorded, flat[k], policy, exact=exact)
    return found.reshape(counts.shape)


def on_one(definition: Recorded, counts: Array, policy: Policy, *, exact: bool) -> Array:
    """Return the partial derivatives at one matrix; undefined for cells with respect to which none exists."""
    from goodmeasure.language.exact.partial_derivatives import partial_derivatives

    rows = exact_rows(counts.tolist())
    return partial_derivatives(definition, rows, policy, exact=exact).reshape(counts.shape)


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


_TRACED = ArrayFunctions(differentiation)


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
            found[:, :, block] = _of_block(tree, cells[:, :, block], policy, whole=whole)
    return found


def _of_block(tree: Tree, cells: Array, policy: Policy, *, whole: bool) -> Array:
    """Return the derivatives at the matrices of a block.

    Cells that the formula names are inputs of their own: parts of one array would each need an array of its size for
    their derivatives.
    """
    f, written = on_arrays(tree, len(cells), policy, _TRACED, whole=whole)
    if not written:
        leaf = differentiation.TracedArray(cells)
        value = f(CountSums(leaf, _TRACED, exact=whole), undefined_value(policy))
        return differentiation.slopes(value, [leaf])[0]
    rows = [[differentiation.TracedArray(x) for x in row] for row in cells]
    slopes = differentiation.slopes(f(rows, undefined_value(policy)), [x for row in rows for x in row])
    return np.stack(slopes).reshape(cells.shape)


def on_sparse(definition: Recorded, counts: SparseCounts, policy: Policy) -> tuple[Array, Array]:
    """Return the derivatives at a sparse matrix: along its diagonal, and in its other non-zero cells.

    Class sizes and cells are separate inputs of a formula, and moving a cell moves both sizes; so the slopes of its
    row and its column sum are added to that of the cell.
    """
    numbers = (counts.a, counts.b, counts.diagonal, counts.values)
    leaves = [differentiation.TracedArray(x.astype(np.float64)[:, None]) for x in numbers]
    a, b, diagonal, values = leaves
    cells = ListedCells(a, b, diagonal, lambda: (counts.rows, counts.cols, values), _TRACED, exact=True)
    with np.errstate(all="ignore"):
        value = value_on_listed(definition.tree(cells.m), cells, policy)
        by_row, by_column, on, off = (x[:, 0] for x in differentiation.slopes(value, leaves))
    return on + by_row + by_column, off + by_row[counts.rows] + by_column[counts.cols]


class ListedSlopes(NamedTuple):
    """The derivatives at a batch of matrices whose cells are listed: along the diagonal, and in the other cells.

    That in the cell (i, j) is `row[i]` + `column[j]`, since most measures depend on a cell through sums alone, plus
    `cells` where the measure reads single cells. Arrays are of shape (m, batch), and (cells, batch).
    """

    on: Array
    row: Array
    column: Array
    cells: Array | None = None


class ListedInputs:
    """A batch of three or more classes, listed cell by cell, as inputs that any measure is differentiated by.

    The inputs are the hits, and the rests of the rows and columns. What lies in all other rows and columns follows by
    subtraction, which is accurate enough for standard errors; it is 0 where no more than rounding is left.
    """

    def __init__(self, batch: SparseBatch) -> None:
        traced, known = differentiation.TracedArray, batch.cells
        hits, row, column = (traced(known[name]) for name in "drk")
        total = hits.value.sum(axis=0) + row.value.sum(axis=0)
        left = total - hits.value - row.value - column.value
        none = left < _CANCELLED * total
        cancelled = bool(none.any())

        def of_column(slope: Array) -> Array:
            return -np.where(none, 0.0, slope) if cancelled else -slope

        def of_row(slope: Array) -> Array:  # what lies in a row is in the rest of every other class
            lost = of_column(slope)
            found: Array = lost - lost.sum(axis=0)
            return found

        rest = traced(
            np.where(none, 0.0, left) if cancelled else left, [(hits, of_row), (row, of_row), (column, of_column)]
        )
        self._leaves = [hits, row, column]
        self._known, self._sums, self._rest = known, (hits + row, hits + column), rest

    def slopes(self, definition: Recorded, policy: Policy) -> ListedSlopes:
        """Return the derivatives of a definition; a `NeedsEveryCell` says that it reads empty cells too."""
        (hits, row, column), asked = self._leaves, []

        def others() -> tuple[AnyArray, AnyArray, AnyArray]:
            asked.append(differentiation.TracedArray(self._known["g"]))
            return self._known["rows"], self._known["cols"], asked[0]

        sums, off = self._sums, (row, column)
        cells = ListedCells(*sums, hits, others, _TRACED, exact=False, off=off, rest=self._rest)
        with np.errstate(all="ignore"):
            value = value_on_listed(definition.tree(cells.m), cells, policy)
            found = differentiation.slopes(value, [*self._leaves, *asked])
        return ListedSlopes(*found)
