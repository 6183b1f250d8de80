"""The paired bootstrap: all systems are measured on the same resamples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.joint import Joint
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.evaluation.intervals.sampling_units import Groups, SingleItems, Units
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

_HELD = 1 << 25  # numbers: resampled cells are collected up to here before measures are evaluated on them


def drawn_values(joint: Joint, measures: Sequence[Measure], replicates: int, seed: int, policy: Policy) -> Array:
    """Return the values (systems, measures, replicates) on resamples that are drawn once for all systems.

    Systems that err on the same items vary together, so a difference varies less than two separate resamples would say.
    What is drawn is how many items have each pattern of labels (true, A's, B's …), which is multinomial: that is the
    same as drawing the items one by one, and the cells of every system are sums of patterns.
    """
    units = units_of_rows(joint)
    marginals = [Marginal(joint.cells(k), joint.m) for k in range(len(joint.systems))]
    readers = [x.samples(policy, whole=units.whole) for x in marginals]
    values = np.empty((len(marginals), len(measures), replicates))
    size = sum(len(x.rows) for x in marginals)
    held: list[list[Array]] = [[] for _ in marginals]
    start = pending = 0
    for block in units.draws(replicates, seed):
        for cells, marginal in zip(held, marginals, strict=True):
            cells.append(marginal.added(block))
        pending += block.shape[1]
        if (pending + block.shape[1]) * size > _HELD or start + pending == replicates:
            for k, reader in enumerate(readers):
                values[k, :, start : start + pending] = reader.values(measures, [np.concatenate(held[k], axis=1)])
                held[k].clear()
            start, pending = start + pending, 0
    return values


def units_of_rows(joint: Joint) -> Units:
    """Return the sampling units of the joint counts: items row by row, or groups as a whole."""
    if joint.group is None:
        return SingleItems.listed(joint.mass, joint.number if joint.weight is not None else None, joint.squares)
    return Groups.listed(np.arange(joint.rows), joint.group, joint.mass, joint.groups)


class Marginal:
    """The confusion matrix of one system as sums over patterns, each of which is in one of its m² `cells`."""

    def __init__(self, cells: Array, m: int) -> None:
        self.m = m
        cells, self.where = np.unique(cells, return_inverse=True)
        self.rows, self.cols = np.divmod(cells, m)
        self._order = np.argsort(self.where, kind="stable")
        self._starts = np.searchsorted(self.where[self._order], np.arange(len(cells)))

    def added(self, block: Array) -> Array:
        """Return blocks (patterns, b) of joint counts as blocks (cells, b) of the system's matrix."""
        sums: Array = np.add.reduceat(block[self._order], self._starts, axis=0)
        return sums

    def samples(self, policy: Policy, *, whole: bool) -> Samples:
        """Return what evaluates measures on the cells of this system."""
        return Samples(self.m, self.rows, self.cols, policy, whole=whole)
