"""From what systems say together to the matrix of each: which rows fall into which of its cells."""

from __future__ import annotations

import numpy as np

from goodmeasure.counts.joint import Joint
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.evaluation.intervals.sampling_units import Groups, Items, Units
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array


def units_of_rows(joint: Joint) -> Units:
    """What is drawn when the items are drawn anew: items row by row, or groups of them as a whole."""
    if joint.group is None:
        return Items.listed(joint.mass, joint.number if joint.weight is not None else None, joint.squares)
    return Groups.listed(np.arange(joint.rows), joint.group, joint.mass, joint.groups)


class Marginal:
    """The cells of one system's matrix that hold rows, and the sums over them."""

    def __init__(self, joint: Joint, k: int) -> None:
        cells, self.where = np.unique(joint.cells(k), return_inverse=True)
        self.rows, self.cols = np.divmod(cells, joint.m)
        self._order = np.argsort(self.where, kind="stable")
        self._starts = np.searchsorted(self.where[self._order], np.arange(len(cells)))

    def added(self, block: Array) -> Array:
        """Blocks (rows, b) as blocks (cells, b)."""
        sums: Array = np.add.reduceat(block[self._order], self._starts, axis=0)
        return sums

    def samples(self, m: int, policy: Policy, *, whole: bool) -> Samples:
        """How measures read the cells."""
        return Samples(m, self.rows, self.cols, policy, whole=whole)
