"""Values and derivatives of measures on many samples at once: resamples, or samples without one unit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from goodmeasure.catalogue import derivative, running
from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sparse_counts import SparseCounts
from goodmeasure.language.compile.gradients import ListedSlopes, on_listed_cells
from goodmeasure.language.compile.sparse import ListedCells, NeedsEveryCell
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

MOST_DENSE = 64  # classes: with more, sums over the non-empty cells cost less than whole matrices
_CELLS_AT_ONCE = 1 << 20


Batch = running.MatrixBatch | running.SparseBatch


class Samples:
    """Evaluate measures on blocks (cells, b) of samples, which give the counts of listed cells.

    With `listed`, measures are read from class sizes and the listed cells, and not from whole matrices.
    """

    def __init__(
        self, m: int, rows: Array, cols: Array, policy: Policy, *, whole: bool, listed: bool | None = None
    ) -> None:
        self.m, self.rows, self.cols, self.whole = m, rows, cols, whole
        self.listed = m > MOST_DENSE if listed is None else listed
        self.policy = policy.quiet

    def values(self, measures: Sequence[Measure], blocks: Iterable[Array]) -> Array:
        """Return the values (measures, samples); NaN where a measure is undefined or a sample has no weight."""
        parts = [self._values(measures, piece) for block in blocks for piece in self._pieces(block)]
        return np.concatenate(parts, axis=1)

    def _pieces(self, block: Array) -> list[Array]:
        m = self.m
        step = max(1, _CELLS_AT_ONCE // (max(m, len(block)) if self.listed else m * m))
        return [block[:, k : k + step] for k in range(0, block.shape[1], step)]

    def _values(self, measures: Sequence[Measure], block: Array) -> Array:
        empty = block.sum(axis=0) == 0
        if empty.any():
            block = np.where(empty, 1.0, block)
        batch = self._batch(block)
        values = np.array([self._of(f, batch, block) for f in measures]).reshape(len(measures), block.shape[1])
        values[:, empty] = np.nan
        return values

    def _batch(self, block: Array) -> Batch:
        if self.listed:
            return self.listed_batch(block)
        return running.MatrixBatch.laid_out(self._cells(block), whole=self.whole)

    def listed_batch(self, block: Array) -> running.SparseBatch:
        """Return a block as matrices that share their non-zero cells."""
        return running.SparseBatch(self.m, self.rows, self.cols, block, whole=self.whole)

    def _cells(self, block: Array) -> Array:
        if len(self.rows) == self.m * self.m:
            return np.ascontiguousarray(block).reshape(self.m, self.m, -1)
        cells = np.zeros((self.m, self.m, block.shape[1]))
        cells[self.rows, self.cols] = block
        return cells

    def _of(self, f: Measure, batch: Batch, block: Array) -> Array:
        if f.recorded.is_opaque(self.m):
            return self._one_by_one(f, block)
        if isinstance(batch, running.MatrixBatch):
            return f.within_range(running.on_batch(f.recorded, batch, self.policy))  # type: ignore[no-any-return]
        try:
            return f.within_range(running.on_sparse_batch(f.recorded, batch, self.policy))  # type: ignore[no-any-return]
        except NeedsEveryCell:  # the measure needs every cell
            step = max(1, _CELLS_AT_ONCE // self.m**2)
            dense = (self._cells(block[:, k : k + step]) for k in range(0, block.shape[1], step))
            batches = (running.MatrixBatch.laid_out(x, whole=self.whole) for x in dense)
            return f.within_range(np.concatenate([running.on_batch(f.recorded, x, self.policy) for x in batches]))  # type: ignore[no-any-return]

    def needs_every_cell(self, f: Measure) -> bool:
        """Whether a measure reads empty cells too, so that each sample is written out as a whole matrix."""
        if self.m <= MOST_DENSE or f.recorded.is_opaque(self.m):
            return self.m <= MOST_DENSE
        block = np.ones((len(self.rows), 1))
        try:
            running.on_sparse_batch(f.recorded, self.listed_batch(block), self.policy)
        except NeedsEveryCell:
            return True
        return False

    def _one_by_one(self, f: Measure, block: Array) -> Array:
        """Return the values of an opaque function sample by sample."""
        values = np.full(block.shape[1], np.nan)
        for k in range(block.shape[1]):
            try:
                values[k] = f(np.moveaxis(self._cells(block[:, k : k + 1]), -1, 0)[0], undefined=self.policy)
            except ArithmeticError:  # 0/0 in a formula that does not use c.ratio
                continue
        return values

    def slopes(self, f: Measure, counts: Array) -> Array:
        """Return the derivative of a measure with respect to the listed cells, at these counts."""
        if f.recorded.is_opaque(self.m):
            return self._by_differences(f, counts)
        if self.m <= MOST_DENSE:
            at = self._cells(counts[:, None])
            return self._listed(derivative.on_batch(f.recorded, at, self.policy, whole=self.whole))
        return self._sparse_slopes(f, counts)

    def slopes_of(self, f: Measure, block: Array) -> Array | None:
        """Return the slopes (cells, b) at each sample of a block; None for too many classes or an opaque function."""
        if self.m > MOST_DENSE or f.recorded.is_opaque(self.m):
            return None
        found = derivative.on_batch(f.recorded, self._cells(block), self.policy, whole=self.whole)
        listed: Array = found[self.rows, self.cols]
        return listed

    def slopes_by_sums(self, measures: Sequence[Measure], block: Array) -> list[ListedSlopes | None]:
        """Return the slopes of each measure at each sample of a block; None for an opaque function.

        Most measures depend on a cell through sums alone, so that few numbers hold the slopes of all cells.
        """
        cells = self.listed_batch(block).cells if self.listed else None
        return [self._slopes_by_sums(f, block, cells) for f in measures]

    def _slopes_by_sums(self, f: Measure, block: Array, listed: ListedCells | None) -> ListedSlopes | None:
        try:
            if listed is not None and not f.recorded.is_opaque(self.m):
                return on_listed_cells(f.recorded.tree(self.m), listed, self.policy)
        except NeedsEveryCell:
            pass
        cells = self.slopes_of(f, block)
        if cells is None:
            return None
        on, none = (np.zeros((self.m, block.shape[1])) for _ in range(2))
        hit = self.rows == self.cols
        on[self.rows[hit]] = cells[hit]
        return ListedSlopes(on, none, none, cells[~hit])

    def _listed(self, whole: Array) -> Array:
        listed: Array = whole[self.rows, self.cols, 0]
        return listed

    def _sparse_slopes(self, f: Measure, counts: Array) -> Array:
        sparse = SparseCounts.from_cells(tuple(range(self.m)), self.rows, self.cols, counts)
        try:
            on, off = derivative.on_sparse(f.recorded, sparse, self.policy)
        except NeedsEveryCell:  # the measure needs every cell
            at = self._cells(counts[:, None])
            return self._listed(derivative.on_batch(f.recorded, at, self.policy, whole=self.whole))
        found = np.empty(len(self.rows))
        hit = self.rows == self.cols
        found[hit] = on[self.rows[hit]]
        keys, wanted = sparse.rows * self.m + sparse.cols, self.rows[~hit] * self.m + self.cols[~hit]
        place = np.minimum(np.searchsorted(keys, wanted), max(0, len(keys) - 1))
        # a cell whose items all have weight 0 is not kept; its slope does not matter
        found[~hit] = np.where(keys[place] == wanted, off[place], 0.0) if len(keys) else 0.0
        return found

    def _by_differences(self, f: Measure, counts: Array) -> Array:
        """Return the slopes of a function that cannot be differentiated, by central differences."""
        step = 1e-4 * counts
        ends = [counts[:, None] + sign * np.diag(step) for sign in (1, -1)]
        above, below = (self._one_by_one(f, x) for x in ends)
        return (above - below) / (2 * step)


def value_of(f: Measure, matrix: ConfusionMatrix, policy: Policy) -> float:
    """Return the value of a measure; NaN where it is undefined, even under the policy that would raise."""
    return float(f(matrix, undefined=policy.quiet))
