"""How the values of all systems vary together, from what each item adds to each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from goodmeasure.algebra.policy import Policy
from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.joint import Joint
from goodmeasure.evaluation.resampling import Samples

Array = np.ndarray[Any, Any]

_BLOCK = 1 << 14  # rows at a time: the influences of all systems on them stay in the cache
_TABLE = 1 << 20  # cells of a matrix whose slopes are looked up in a table


class Influences:
    """The slope of every measure in every cell of every system's matrix, looked up row by row."""

    def __init__(self, joint: Joint, measures: Sequence[Measure], policy: Policy) -> None:
        self.joint, self.m = joint, joint.m
        self.count = len(measures)
        self._cells: list[Array] = []  # of each system, where there are too many for a table
        self._slopes: list[list[Array]] = [[] for _ in measures]  # by measure and system
        self.finite = np.ones((len(measures), len(joint.systems)), bool)
        for k in range(len(joint.systems)):
            self._add(joint, k, measures, policy)

    def _add(self, joint: Joint, k: int, measures: Sequence[Measure], policy: Policy) -> None:
        sample = joint.sample(k).matrix
        rows, cols, mass = _held(sample)
        whole = joint.weight is None
        samples = Samples(joint.m, rows, cols, policy, whole=whole)
        keys = rows * joint.m + cols
        if joint.m**2 > _TABLE:
            self._cells.append(keys)
        for i, f in enumerate(measures):
            slopes = samples.slopes(f, mass)
            self.finite[i, k] = bool(np.isfinite(slopes).all())
            slopes = np.where(np.isfinite(slopes), slopes, 0.0)
            if joint.m**2 <= _TABLE:
                table = np.zeros(joint.m**2)
                table[keys] = slopes
                slopes = table
            self._slopes[i].append(slopes)

    def combine(self, places: Sequence[int], weights: Array) -> None:
        """Add a weighted sum of measures as one more, behind the others."""
        systems = range(len(self.joint.systems))
        self._slopes.append(
            [sum(w * self._slopes[i][k] for i, w in zip(places, weights, strict=True)) for k in systems]  # type: ignore[misc]
        )
        self.finite = np.concatenate([self.finite, self.finite[list(places)].all(axis=0)[None]])
        self.count += 1

    def covariances(self) -> Array:
        """The covariances (measures, systems, systems)."""
        joint, size = self.joint, len(self.joint.systems)
        found = np.zeros((self.count, size, size))
        squares = joint.mass if joint.weight is None else np.asarray(joint.squares, np.float64)
        grouped = None if joint.group is None else np.zeros((self.count, size, joint.groups))
        means, mass = np.zeros((self.count, size)), joint.mass
        keys = np.empty((size, _BLOCK), np.int64)
        for start in range(0, joint.rows, _BLOCK):
            rows = slice(start, min(start + _BLOCK, joint.rows))
            true, at = joint.true[rows].astype(np.int64), keys[:, : rows.stop - rows.start]
            np.add(true * self.m, joint.pred[:, rows], out=at)
            for i in range(self.count):
                values = self._looked_up(i, at)
                means[i] += values @ mass[rows]
                if grouped is not None and joint.group is not None:
                    for k in range(size):
                        grouped[i, k] += np.bincount(joint.group[rows], values[k] * mass[rows], minlength=joint.groups)
                else:
                    found[i] += (values * squares[rows]) @ values.T
        if grouped is not None:
            moved = grouped - grouped.mean(axis=2, keepdims=True)
            return moved @ moved.transpose(0, 2, 1)  # type: ignore[no-any-return]
        varied: Array = found - means[:, :, None] * means[:, None, :] / joint.items
        return varied

    def _looked_up(self, i: int, keys: Array) -> Array:
        if self._cells:
            place = [np.searchsorted(cells, row) for cells, row in zip(self._cells, keys, strict=True)]
            return np.stack([slopes[at] for slopes, at in zip(self._slopes[i], place, strict=True)])
        return np.stack([np.take(slopes, row) for slopes, row in zip(self._slopes[i], keys, strict=True)])


def _held(matrix: Any) -> tuple[Array, Array, Array]:
    """The cells that are not empty, in order."""
    if matrix.is_sparse:
        rows, cols, values = matrix.sparse.cells()
        order = np.argsort(rows * matrix.m + cols, kind="stable")
        return rows[order], cols[order], values[order].astype(np.float64)
    rows, cols = np.nonzero(matrix.counts)
    return rows, cols, matrix.counts[rows, cols].astype(np.float64)


def normal_values(values: Array, covariance: Array, replicates: int, seed: int) -> Array:
    """Values (systems, replicates) that vary around these as normal variables with these covariances."""
    levels, directions = np.linalg.eigh((covariance + covariance.T) / 2)
    spread = directions * np.sqrt(np.maximum(levels, 0.0))
    drawing = np.random.default_rng(np.random.SeedSequence([seed, 2]))
    drawn: Array = values[:, None] + spread @ drawing.standard_normal((len(values), replicates))
    return drawn
