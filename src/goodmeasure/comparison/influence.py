"""Covariances of the values of all systems, from the influence of each item on each of them.

The influence of an item on a value is its weight times the slope of the measure in the item's cell (the influence
function: Hampel 1974). Two systems put the same item into different cells, so an item has an influence on each of them;
the sum over items of the products, less the product of the sums over n, is the covariance of the two values. It needs
one pass over the items, whatever the number of resamples would be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.joint import Joint
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

_FEW_CLASSES = 32  # classes: up to here, pairs of systems are tallied against each other
_BLOCK = 1 << 14  # rows at a time
_TABLE = 1 << 20  # cells: up to here, slopes are looked up in a table of the whole matrix


class Influences:
    """The slope of every measure in every cell of every system's matrix."""

    def __init__(self, joint: Joint, measures: Sequence[Measure], policy: Policy) -> None:
        self.joint, self.m = joint, joint.m
        self.count = len(measures)
        self._cells: list[Array] = []  # the non-empty cells of each system, if there are too many for a table
        self._slopes: list[list[Array]] = [[] for _ in measures]  # by measure and system
        self._masses: list[list[Array]] = [
            [] for _ in joint.systems
        ]  # weight × slope of each cell, by system and measure
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
            held = slopes * mass
            if joint.m**2 <= _TABLE:
                table = np.zeros(joint.m**2)
                table[keys] = slopes
                slopes = table
            self._slopes[i].append(slopes)
            self._masses[k].append(held)

    def combine(self, places: Sequence[int], weights: Array) -> None:
        """Append a weighted sum of measures, as one more measure."""
        systems = range(len(self.joint.systems))
        self._slopes.append(
            [sum(w * self._slopes[i][k] for i, w in zip(places, weights, strict=True)) for k in systems]
        )
        for mine in self._masses:
            mine.append(np.asarray(sum(w * mine[i] for i, w in zip(places, weights, strict=True))))
        self.finite = np.concatenate([self.finite, np.all(self.finite[list(places)], axis=0, keepdims=True)])
        self.count += 1

    def covariances(self) -> Array:
        """Return the covariances (measures, systems, systems)."""
        joint = self.joint
        if joint.group is not None:
            return np.stack([self._between_groups(i) for i in range(self.count)])
        found = self._from_tables() if self.m <= _FEW_CLASSES else self._from_rows()
        means = np.stack([self._means(k) for k in range(len(joint.systems))], axis=1)
        varied: Array = found - means[:, :, None] * means[:, None, :] / joint.items
        return varied

    def _means(self, k: int) -> Array:
        """Return the sum of all influences on one system, by measure: 0 where a measure depends on shares only."""
        return np.array([values.sum() for values in self._masses[k]])

    def _from_tables(self) -> Array:
        """Return the sums of products of influences, two systems at a time, for all measures at once.

        They follow from how often each true class occurs with each pair of predicted labels.
        """
        joint, m, size = self.joint, self.m, len(self.joint.systems)
        weights = None if joint.weight is None else joint.squares
        slopes = [np.stack([x[k].reshape(m, m) for x in self._slopes]) for k in range(size)]  # (measures, m, m)
        found = np.zeros((self.count, size, size))
        for k in range(size):
            for j in range(k, size):
                i, b, together = joint.paired(k, j, weights)
                both = slopes[k].reshape(self.count, -1)[:, i] * slopes[j][:, i // m, b]
                found[:, k, j] = found[:, j, k] = both @ together
        return found

    def _from_rows(self) -> Array:
        """Return the sums of products of influences row by row, for very many classes."""
        joint, size = self.joint, len(self.joint.systems)
        found = np.zeros((self.count, size, size))
        squares = joint.mass if joint.weight is None else np.asarray(joint.squares, np.float64)
        root = np.sqrt(squares)
        for rows, keys in self._blocks():
            for i in range(self.count):
                values = np.stack([self._looked_up(i, k, row) for k, row in enumerate(keys)]) * root[rows]
                found[i] += values @ values.T
        return found

    def _between_groups(self, i: int) -> Array:
        """Return the covariances (systems, systems) of a measure, from the influence of each group on each system."""
        joint, mass = self.joint, self.joint.mass
        assert joint.group is not None
        moved = np.empty((len(joint.systems), joint.groups))
        for k in range(len(joint.systems)):
            values = self._looked_up(i, k, joint.cells(k)) * mass
            moved[k] = np.bincount(joint.group, values, minlength=joint.groups)
        moved -= moved.mean(axis=1, keepdims=True)
        return moved @ moved.T

    def _blocks(self) -> Iterator[tuple[slice, Array]]:
        """Yield the rows block by block, with the cells that they are in for each system."""
        joint = self.joint
        for start in range(0, joint.rows, _BLOCK):
            rows = slice(start, min(start + _BLOCK, joint.rows))
            yield rows, joint.true[rows].astype(np.int64) * self.m + joint.pred[:, rows]

    def _looked_up(self, i: int, k: int, keys: Array) -> Array:
        """Return the slopes of a measure in these cells of a system's matrix."""
        found: Array = self._slopes[i][k][np.searchsorted(self._cells[k], keys) if self._cells else keys]
        return found


def _held(matrix: Any) -> tuple[Array, Array, Array]:
    """Return the cells that are not empty, in order, and their counts."""
    if matrix.is_sparse:
        rows, cols, values = matrix.sparse.cells()
        order = np.argsort(rows * matrix.m + cols, kind="stable")
        return rows[order], cols[order], values[order].astype(np.float64)
    rows, cols = np.nonzero(matrix.counts)
    return rows, cols, matrix.counts[rows, cols].astype(np.float64)


def normal_values(values: Array, covariance: Array, replicates: int, seed: int) -> Array:
    """Return normal variables (systems, replicates) with these means and covariances.

    The square root of the covariance matrix comes from its eigenvectors, since systems that say the same make it
    singular; negative eigenvalues are rounding errors.
    """
    levels, directions = np.linalg.eigh((covariance + covariance.T) / 2)
    spread = directions * np.sqrt(np.maximum(levels, 0.0))
    drawing = np.random.default_rng(np.random.SeedSequence([seed, 2]))
    drawn: Array = values[:, None] + spread @ drawing.standard_normal((len(values), replicates))
    return drawn
