"""All systems on the same drawn items: the bootstrap of joint cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.comparison.marginals import Marginal, units_of_rows
from goodmeasure.counts.joint import Joint
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

_HELD = 1 << 25  # numbers: what is kept of the drawn cells before measures are asked


def drawn_values(joint: Joint, measures: Sequence[Measure], replicates: int, seed: int, policy: Policy) -> Array:
    """The values (systems, measures, replicates) on samples that are drawn once for all systems.

    Drawing how many items have each pattern is the same as drawing the items one by one.
    """
    units = units_of_rows(joint)
    marginals = [Marginal(joint, k) for k in range(len(joint.systems))]
    readers = [x.samples(joint.m, policy, whole=units.whole) for x in marginals]
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
