"""Covariances of the values of all systems, from the influence of each item on each of them.

The influence of an item on a value is its weight times the slope of the measure in the item's cell (the influence
function: Hampel 1974). Two systems put the same item into different cells, so an item has an influence on each of them;
the sum over items of the products, less the product of the sums over n, is the covariance of the two values. It needs
one pass over the items, whatever the number of resamples would be.

**Smoothing.** Where two systems hardly ever disagree, the variance of their difference is estimated as 0 or far too
small. As for single systems (`evaluation/intervals/smoothing.py`), a few imagined items repair this: values and slopes
are taken on matrices to which they were added. Which item is imagined to be right is independent for the two systems,
so a quarter of them is right in both, a quarter in each one alone, and a quarter in none. For a difference of paired
proportions this is the interval of Agresti and Min (2005), who add half an item to each of the four. Given the true
class, an imagined item says nothing about one system that it does not say about the other, so that its part of the
covariance is Σ_t w_t·e_t·e'_t: w_t is the weight of the imagined items of true class t, and e_t and e'_t are the mean
slopes of the two systems over the predictions of these items.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.joint import Joint
from goodmeasure.evaluation.intervals.dependence import Dependence
from goodmeasure.evaluation.intervals.resampling import MOST_DENSE, Samples
from goodmeasure.evaluation.intervals.smoothing import spread_of_imagined
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

if TYPE_CHECKING:
    from goodmeasure.counts.matrix import ConfusionMatrix

_FEW_CLASSES = 32  # classes: up to here, pairs of systems are tallied against each other
_BLOCK = 1 << 14  # rows at a time
_TABLE = 1 << 20  # cells: up to here, slopes are looked up in a table of the whole matrix


class Influences:
    """The slope of every measure in every cell of every system's matrix.

    `counts` are the confusion matrices. `imagined` is the total weight of the imagined items, and
    `worth` the weight of one of them. Behind the measures follow the same measures on smoothed matrices, whose values
    are `smoothed[measure, system]`.
    """

    def __init__(
        self, joint: Joint, counts: Sequence[ConfusionMatrix], measures: Sequence[Measure], policy: Policy,
        imagined: float, worth: float,
    ) -> None:  # fmt: skip
        self.joint, self.m = joint, joint.m
        self.measures, self.count = len(measures), 2 * len(measures)
        self.imagined, self.worth = imagined, worth
        self.smoothed = np.full((len(measures), len(joint.systems)), np.nan)
        self._cells: list[Array] = []  # the non-empty cells of each system, if there are too many for a table
        self._slopes: list[list[Array]] = [[] for _ in range(self.count)]  # by measure and system
        self._masses: list[list[Array]] = [
            [] for _ in joint.systems
        ]  # weight × slope of each cell, by system and measure
        self.finite = np.ones((self.count, len(joint.systems)), bool)
        if self.m <= MOST_DENSE and self._add_together(counts, measures, policy):
            return
        for k, matrix in enumerate(counts):
            self._add(matrix, k, measures, policy)

    def _add_together(self, counts: Sequence[ConfusionMatrix], measures: Sequence[Measure], policy: Policy) -> bool:
        """Add all systems at once, which is much faster; return whether every measure could be differentiated so."""
        m = self.m
        rows, cols = np.divmod(np.arange(m * m), m)
        mass = np.stack([np.asarray(x.counts, np.float64).ravel() for x in counts], axis=1)
        smooth = mass + (spread_of_imagined(rows, cols, m) * self.imagined)[:, None]
        plain = Samples(m, rows, cols, policy, whole=self.joint.weight is None)
        smoothed = Samples(m, rows, cols, policy, whole=False)
        slopes = [plain.slopes_of(f, mass) for f in measures] + [smoothed.slopes_of(f, smooth) for f in measures]
        if any(x is None for x in slopes):
            return False
        self.smoothed[:] = smoothed.values(measures, [smooth])
        for i, found in enumerate(slopes):
            assert found is not None
            for k in range(len(counts)):
                # an empty cell does not vary, so the slope there does not matter, and may be undefined
                here = np.where(mass[:, k] > 0, found[:, k], 0.0) if i < len(measures) else found[:, k]
                self._keep(i, k, rows * m + cols, here, mass[:, k])
        return True

    def _add(self, matrix: ConfusionMatrix, k: int, measures: Sequence[Measure], policy: Policy) -> None:
        m = self.m
        rows, cols, mass = _held(matrix)
        keys = rows * m + cols
        every = np.union1d(keys, _imagined_cells(m))
        weight = np.zeros(len(every))
        weight[np.searchsorted(every, keys)] = mass
        smooth = weight + spread_of_imagined(every // m, every % m, m) * self.imagined
        if m**2 > _TABLE:
            self._cells.append(every)
        plain = Samples(m, rows, cols, policy, whole=self.joint.weight is None)
        smoothed = Samples(m, every // m, every % m, policy, whole=False)
        self.smoothed[:, k] = smoothed.values(measures, [smooth[:, None]])[:, 0]
        for i, f in enumerate(measures):
            here = np.zeros(len(every))
            here[np.searchsorted(every, keys)] = plain.slopes(f, mass)
            self._keep(i, k, every, here, weight)
        for i, f in enumerate(measures, len(measures)):
            self._keep(i, k, every, smoothed.slopes(f, smooth), weight)

    def _keep(self, i: int, k: int, cells: Array, slopes: Array, mass: Array) -> None:
        """Keep the slopes of a measure in some cells of a system's matrix, which hold real items of this weight."""
        self.finite[i, k] = bool(np.isfinite(slopes).all())
        slopes = np.where(np.isfinite(slopes), slopes, 0.0)
        self._masses[k].append(slopes * mass)
        if self.m**2 <= _TABLE:
            table = np.zeros(self.m**2)
            table[cells] = slopes
            slopes = table
        self._slopes[i].append(slopes)

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
        """Return the covariances (measures, systems, systems), with what imagined items add where these are."""
        joint = self.joint
        if joint.group is not None:
            found = np.stack([self._between_groups(i) for i in range(self.count)])
        else:
            found = self._from_tables() if self.m <= _FEW_CLASSES else self._from_rows()
            means = np.stack([self._means(k) for k in range(len(joint.systems))], axis=1)
            found -= means[:, :, None] * means[:, None, :] / joint.items
        for i in range(self.measures, 2 * self.measures):
            found[i] += self._of_imagined(i)
        return found

    def _of_imagined(self, i: int) -> Array:
        """Return the part of the covariances (systems, systems) of a smoothed measure that imagined items make."""
        cells = _imagined_cells(self.m)
        weight = spread_of_imagined(cells // self.m, cells % self.m, self.m) * self.imagined
        slopes = np.stack([self._looked_up(i, k, cells) for k in range(len(self.joint.systems))])
        by_class = self.imagined / self.m
        means = np.add.reduceat(slopes * weight, np.searchsorted(cells // self.m, np.arange(self.m)), axis=1) / by_class
        found: Array = means @ means.T * by_class
        np.fill_diagonal(found, (slopes**2 * weight).sum(axis=1))
        return found * self.worth

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
        moved = self.by_unit(i)
        found: Array = moved @ moved.T
        return found

    def by_unit(self, i: int, rows: slice = slice(None)) -> Array:
        """Return how far the items of each of these rows, or each group, move a measure of each system.

        Rows stand for items whose influences are independent: their products add up to the covariances.
        """
        joint, size = self.joint, len(self.joint.systems)
        if joint.group is not None:
            return np.stack([self.dependence.summed(self._of_rows(i, k)) for k in range(size)])
        root = np.sqrt(joint.mass if joint.weight is None else np.asarray(joint.squares, np.float64))[rows]
        return np.stack([self._looked_up(i, k, joint.cells(k)[rows]) * root for k in range(size)])

    def freedom(self, i: int, pair: tuple[int, int]) -> float | None:
        """Return the degrees of freedom of the variance of a difference; None where there are no groups."""
        if self.joint.group is None:
            return None
        return self.dependence.freedom(self._of_rows(i, pair[0]) - self._of_rows(i, pair[1]))

    @cached_property
    def dependence(self) -> Dependence:
        """Return which groups hold which classes."""
        joint = self.joint
        assert joint.group is not None
        return Dependence(joint.group, joint.true, joint.mass, joint.groups)

    def _of_rows(self, i: int, k: int) -> Array:
        """Return the influence of each row on a measure of one system."""
        found: Array = self._looked_up(i, k, self.joint.cells(k)) * self.joint.mass
        return found

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


def _imagined_cells(m: int) -> Array:
    """Return the numbers of the cells that hold imagined items, in order: all of them, or two for each of many classes.

    The imagined errors of a class then lie in the cell of the next one, as for single systems.
    """
    if m <= MOST_DENSE:
        return np.arange(m * m)
    classes = np.arange(m)
    return np.sort(np.concatenate([classes * (m + 1), classes * m + (classes + 1) % m]))


def _held(matrix: ConfusionMatrix) -> tuple[Array, Array, Array]:
    """Return the cells that are not empty, in order, and their counts."""
    if matrix.is_sparse:
        rows, cols, values = matrix.sparse.cells()
        order = np.argsort(rows * matrix.m + cols, kind="stable")
        return rows[order], cols[order], values[order].astype(np.float64)
    rows, cols = np.nonzero(matrix.counts)
    return rows, cols, matrix.counts[rows, cols].astype(np.float64)
