"""The paired permutation test: if two systems are alike, it is chance which of them said what."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.comparison.group_swaps import Variance, group_swaps
from goodmeasure.counts.joint import Joint
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.evaluation.p_values import beyond_seen, p_of_draws
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

_NUMBERS_AT_ONCE = 1 << 20
_CACHED = 1 << 15  # numbers that stay in the processor's cache while they are worked on


class Swaps:
    """Two systems by pattern, whose labels are swapped on a random half of the items, or of the groups.

    The statistic is the difference of the values over its standard error (studentised). Swapping is exact where the two
    systems are exchangeable. With the plain difference it can go wrong where the systems differ in everything except
    the value: the permuted differences then have another variance than the observed one. The studentised statistic has
    the same limit distribution under both, so the test is valid for large samples in that case too (Chung and Romano
    2013).

    Only the number of swapped items of each pattern matters, and it is binomial.
    """

    def __init__(self, pair: Joint, policy: Policy) -> None:
        self.pair = pair
        self.groups = None if pair.group is None else group_swaps(pair)
        first, second = (pair.cells(0), pair.cells(1)) if self.groups is None else self.groups.cells
        self.mass = pair.mass if self.groups is None else self.groups.mass
        cells = np.union1d(first, second)
        self.first, self.second = np.searchsorted(cells, first), np.searchsorted(cells, second)
        self.size = len(cells)
        self.differ = np.flatnonzero(first != second)
        whole = bool(np.all(self.mass == np.rint(self.mass)))
        self.samples = Samples(pair.m, cells // pair.m, cells % pair.m, policy, whole=whole)
        self.base = [np.bincount(x, self.mass, minlength=self.size) for x in (self.first, self.second)]
        if self.groups is None:
            self._set_squares(self.mass if pair.weight is None else np.asarray(pair.squares, np.float64))
        target = np.concatenate([self.second[self.differ], self.first[self.differ]])
        self._order = np.argsort(target, kind="stable")  # sorts what a swap adds to the cells of the first matrix
        self._touched, self._starts = np.unique(target[self._order], return_index=True)

    def _set_squares(self, squares: Array) -> None:
        agree = self.first == self.second
        self.squares = squares[self.differ]
        self.agreed = np.bincount(self.first[agree], squares[agree], minlength=self.size)
        self._set_ways(self.first[self.differ], self.second[self.differ])

    def _set_ways(self, first: Array, second: Array) -> None:
        """Find the different ways to put an item into a cell of each matrix.

        An item of a pattern goes into one cell of the first and one of the second matrix, and the other way round if
        its labels are swapped. That is how an item of another pattern goes that has the labels of both systems
        exchanged, so there are about as many ways as patterns, and not twice as many.
        """
        ways = np.concatenate([first * self.size + second, second * self.size + first])
        self._ways_order = np.argsort(ways, kind="stable")
        found, self._ways_starts = np.unique(ways[self._ways_order], return_index=True)
        self.ways = np.divmod(found, self.size)

    def p_values(self, measures: list[Measure], replicates: int, seed: int) -> list[tuple[float, str]]:
        """Return the p-value of each measure, and how it was found."""
        if not len(self.differ):
            return [(1.0, "identical predictions") for _ in measures]
        still, state = self._still()
        observed = self._statistics(measures, still, state, [True] * len(measures))[:, 0]
        scaled = [not math.isnan(x) for x in observed]
        plain = self._statistics(measures, still, state, [False] * len(measures))[:, 0]
        observed = np.where(scaled, observed, plain)
        beyond, drawn = np.zeros(len(measures)), 0
        for swapped, state in self._draws(replicates, seed):
            found = np.abs(self._statistics(measures, swapped, state, scaled))
            beyond += beyond_seen(found, np.abs(observed)[:, None])
            drawn += swapped.shape[1]
        how = ["permutation (studentised)" if x else "permutation" for x in scaled]
        known = [math.nan if math.isnan(x) else p_of_draws(b, drawn) for x, b in zip(plain, beyond, strict=True)]
        return list(zip(known, how, strict=True))

    def _still(self) -> tuple[Array, Array | None]:
        """Return one sample in which nothing is swapped."""
        if self.groups is None:
            return np.zeros((len(self.differ), 1)), None
        swapped, state = self.groups.still()
        return swapped[self.differ], state

    def _draws(self, replicates: int, seed: int) -> Iterator[tuple[Array, Array | None]]:
        """Yield blocks of what is swapped: (patterns that differ, b), and which groups are, if there are groups."""
        drawing = np.random.default_rng(np.random.SeedSequence([seed, 1]))
        if self.groups is not None:
            for swapped, state in self.groups.draws(replicates, drawing):
                yield swapped[self.differ], state
            return
        mass = self.mass[self.differ]
        step = max(1, _NUMBERS_AT_ONCE // len(self.mass))
        for start in range(0, replicates, step):
            b = min(step, replicates - start)
            if self.pair.weight is None:
                number = mass.astype(np.int64)
                yield drawing.binomial(number, 0.5, (b, len(number))).T.astype(np.float64), None
            else:
                yield self._swapped_weight(drawing, mass, b), None

    def _swapped_weight(self, drawing: np.random.Generator, mass: Array, b: int) -> Array:
        """Return the weight of a random half of the items of each pattern.

        A sum over items of weight w, each taken with probability one half, has mean Σw/2 and variance Σw²/4. It is
        drawn as a binomial variable of (Σw)²/Σw² items, the effective sample size, scaled to this mean and variance;
        for equal weights that is exact.
        """
        alike = np.divide(mass**2, self.squares, out=np.ones(len(mass)), where=self.squares > 0)
        number = np.maximum(np.rint(alike), 1).astype(np.int64)
        heads = drawing.binomial(number, 0.5, (b, len(number))).T - number[:, None] / 2
        swapped = mass[:, None] / 2 + heads * np.sqrt(self.squares / number)[:, None]
        clipped: Array = np.clip(swapped, 0.0, mass[:, None])
        return clipped

    def _matrices(self, swapped: Array) -> list[Array]:
        """Return the cells (cells, b) of both systems after the swaps."""
        moved = np.zeros((self.size, swapped.shape[1]))
        both = np.concatenate([swapped, -swapped])[self._order]
        moved[self._touched] = np.add.reduceat(both, self._starts, axis=0)
        first, second = (x[:, None] for x in self.base)
        return [np.maximum(first + moved, 0.0), np.maximum(second - moved, 0.0)]

    def _statistics(self, measures: list[Measure], swapped: Array, state: Array | None, scaled: list[bool]) -> Array:
        """Return the difference (measures, b) after the swaps, over its standard error where `scaled` says so."""
        matrices = self._matrices(swapped)
        first, second = (self.samples.values(measures, [x]) for x in matrices)
        variance = self._variance(matrices, swapped, state)
        found = first - second
        found[np.abs(found) <= 1e-12] = 0.0
        for k, f in enumerate(measures):
            if scaled[k]:
                error = self._standard_error(f, matrices, variance)
                with np.errstate(all="ignore"):
                    found[k] = np.where(found[k] == 0, np.where(np.isnan(error), np.nan, 0.0), found[k] / error)
        return found

    def _variance(self, matrices: list[Array], swapped: Array, state: Array | None) -> Variance:
        """Return a function from the slopes at both matrices to the variance of the difference."""
        if self.groups is not None and state is not None:
            return self.groups.variance(state, self.first, self.second)
        squares = self._squares_by_way(swapped)
        return lambda one, two: self._between_items(one, two, matrices, squares)

    def _standard_error(self, f: Measure, matrices: list[Array], variance: Variance) -> Array:
        """Return the standard error of the difference by the delta method, from the slopes at both matrices."""
        one, two = (self.samples.slopes_of(f, x) for x in matrices)
        if one is None or two is None:
            return np.full(matrices[0].shape[1], np.nan)
        found = variance(one, two)
        scale = (one**2 * matrices[0] + two**2 * matrices[1]).sum(axis=0)
        return np.sqrt(np.where(found <= 1e-20 * scale, 0.0, found))

    def _squares_by_way(self, swapped: Array) -> Array:
        """Return the sum of squared weights (ways, b) of the items that go each way after the swaps."""
        squares = swapped * (self.squares / np.maximum(self.mass[self.differ], 1e-300))[:, None]
        both = np.concatenate([self.squares[:, None] - squares, squares])[self._ways_order]
        found: Array = np.add.reduceat(both, self._ways_starts, axis=0)
        return found

    def _between_items(self, one: Array, two: Array, matrices: list[Array], squares: Array) -> Array:
        """Return the variance of the difference between items: Σd² − (Σd)²/n, where d is the influence of an item.

        The influence of an item is its slope at the first matrix minus that at the second, so it is the same for all
        items that go one way.
        """
        squared = self.agreed @ (one - two) ** 2
        step = max(1, _CACHED // len(squares))
        for start in range(0, len(squared), step):
            block = slice(start, start + step)
            apart = one[:, block][self.ways[0]]
            apart -= two[:, block][self.ways[1]]
            apart *= apart
            squared[block] += np.einsum("ij,ij->j", apart, squares[:, block])
        mean = (one * matrices[0] - two * matrices[1]).sum(axis=0)
        variance: Array = squared - mean**2 / self.pair.items
        return variance
