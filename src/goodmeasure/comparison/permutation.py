"""The paired permutation test: if two systems are alike, it is chance which prediction came from which system."""

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

PERMUTATION = "permutation"
IDENTICAL = "identical predictions"  # what stands for a test of two systems that always agree
_NUMBERS_AT_ONCE = 1 << 20
_CACHED = 1 << 15  # numbers that stay in the processor's cache while they are worked on


class Swaps:
    """Two systems by pattern, whose labels are swapped on a random half of the items, or of the groups.

    The statistic is the difference of the values over its standard error (studentised). Swapping is exact where the two
    systems are exchangeable. With the plain difference it can go wrong where the systems differ in everything except
    the value: the permuted differences then have another variance than the observed one. The studentised statistic has
    the same limit distribution under both, so the test is valid for large samples in that case too (Chung and Romano
    2013).

    An item on which the systems differ is in cell x of one matrix and in cell y of the other. A swap exchanges the two,
    so only the number of items of each unordered pair {x, y} matters that are in x for the first system. After random
    swaps this number is binomial. With `singly`, every row is swapped on its own, as few weighted items need it.
    """

    def __init__(self, pair: Joint, policy: Policy, *, singly: bool = False) -> None:
        self.pair, self.singly = pair, singly
        self.groups = None if pair.group is None else group_swaps(pair)
        first, second = (pair.cells(0), pair.cells(1)) if self.groups is None else self.groups.cells
        mass = pair.mass if self.groups is None else self.groups.mass
        cells = np.union1d(first, second)
        self.first, self.second = np.searchsorted(cells, first), np.searchsorted(cells, second)
        self.size = len(cells)
        self.differ = np.flatnonzero(first != second)
        whole = bool(np.all(mass == np.rint(mass)))
        self.samples = Samples(pair.m, cells // pair.m, cells % pair.m, policy, whole=whole)
        self.base = np.stack([np.bincount(x, mass, minlength=self.size) for x in (self.first, self.second)], axis=1)
        if self.groups is None:
            self._set_pairs(mass, mass if pair.weight is None else np.asarray(pair.squares, np.float64))
            source, target = self.high, self.low
        else:
            source, target = self.first[self.differ], self.second[self.differ]
        both = np.concatenate([target, source])
        self._order = np.argsort(both, kind="stable")  # sorts what is added to the cells of the first matrix
        self._touched, self._starts = np.unique(both[self._order], return_index=True)

    def _set_pairs(self, mass: Array, squares: Array) -> None:
        """Add up the patterns that differ by their unordered pair of cells."""
        agree = self.first == self.second
        self.agreed = np.bincount(self.first[agree], squares[agree], minlength=self.size)
        one, two = self.first[self.differ], self.second[self.differ]
        self.low, self.high = np.minimum(one, two), np.maximum(one, two)
        found = where = np.arange(len(one))
        if not self.singly:
            found, where = np.unique(self.low * self.size + self.high, return_inverse=True)
            self.low, self.high = np.divmod(found, self.size)
        mass, squares, is_low = mass[self.differ], squares[self.differ], one < two
        self.mass, self.squares = (np.bincount(where, x, minlength=len(found)) for x in (mass, squares))
        # what the first system has in the lower cell of each pair
        self.observed, self.observed_squares = (
            np.bincount(where[is_low], x[is_low], minlength=len(found)) for x in (mass, squares)
        )

    def p_values(self, measures: list[Measure], replicates: int, seed: int) -> list[tuple[float, str]]:
        """Return the p-value of each measure, and how it was found."""
        if not len(self.differ):
            return [(1.0, IDENTICAL) for _ in measures]
        still, state = self._still()
        matrices = self._matrices(still)
        plain = self._differences(measures, matrices)
        observed = self._studentised(measures, plain, matrices, state)[:, 0]
        scaled = [not math.isnan(x) for x in observed]
        observed = np.where(scaled, observed, plain[:, 0])
        beyond, drawn = np.zeros(len(measures)), 0
        for moved, state in self._draws(replicates, seed):
            found = np.abs(self._statistics(measures, moved, state, np.array(scaled)))
            beyond += beyond_seen(found, np.abs(observed)[:, None])
            drawn += moved.shape[1]
        how = [f"{PERMUTATION} (studentised)" if x else PERMUTATION for x in scaled]
        known = [math.nan if math.isnan(x) else p_of_draws(b, drawn) for x, b in zip(plain[:, 0], beyond, strict=True)]
        return list(zip(known, how, strict=True))

    def _still(self) -> tuple[Array, Array]:
        """Return one sample, in the form that `_draws` yields, in which nothing is swapped."""
        if self.groups is None:
            return np.zeros((len(self.low), 1)), self.observed_squares[:, None]
        swapped, state = self.groups.still()
        return swapped[self.differ], state

    def _draws(self, replicates: int, seed: int) -> Iterator[tuple[Array, Array]]:
        """Yield blocks of random swaps: what they move between cells, and the state (…, b) that `_variance` needs."""
        drawing = np.random.default_rng(np.random.SeedSequence([seed, 1]))
        if self.groups is not None:
            for swapped, state in self.groups.draws(replicates, drawing):
                yield swapped[self.differ], state
            return
        step = max(1, _NUMBERS_AT_ONCE // len(self.mass))
        for start in range(0, replicates, step):
            drawn = self._drawn(drawing, min(step, replicates - start))
            share = drawn / np.maximum(self.mass, 1e-300)[:, None]
            yield drawn - self.observed[:, None], self.squares[:, None] * share

    def _drawn(self, drawing: np.random.Generator, b: int) -> Array:
        """Return the weight (pairs, b) of a random half of the items of each pair of cells.

        A sum over items of weight w, each taken with probability one half, has mean Σw/2 and variance Σw²/4. It is
        drawn as a binomial variable of (Σw)²/Σw² items, the effective sample size, scaled to this mean and variance;
        for equal weights that is exact.
        """
        if self.pair.weight is None:
            number = self.mass.astype(np.int64)
            return drawing.binomial(number, 0.5, (b, len(number))).T.astype(np.float64)
        alike = np.divide(self.mass**2, self.squares, out=np.ones(len(self.mass)), where=self.squares > 0)
        number = np.maximum(np.rint(alike), 1).astype(np.int64)
        heads = drawing.binomial(number, 0.5, (b, len(number))).T - number[:, None] / 2
        drawn = self.mass[:, None] / 2 + heads * np.sqrt(self.squares / number)[:, None]
        clipped: Array = np.clip(drawn, 0.0, self.mass[:, None])
        return clipped

    def _matrices(self, moved: Array) -> Array:
        """Return the cells (cells, 2, b) of both systems after the swaps."""
        added = np.zeros((self.size, moved.shape[1]))
        both = np.concatenate([moved, -moved])[self._order]
        added[self._touched] = np.add.reduceat(both, self._starts, axis=0)
        found: Array = np.maximum(self.base[:, :, None] + np.stack([added, -added], axis=1), 0.0)
        return found

    def _statistics(self, measures: list[Measure], moved: Array, state: Array, scaled: Array) -> Array:
        """Return the difference (measures, b) after the swaps, over its standard error where `scaled` says so."""
        matrices = self._matrices(moved)
        found = self._differences(measures, matrices)
        chosen = [f for f, is_scaled in zip(measures, scaled, strict=True) if is_scaled]
        found[scaled] = self._studentised(chosen, found[scaled], matrices, state)
        return found

    def _differences(self, measures: list[Measure], matrices: Array) -> Array:
        """Return the difference (measures, b) of the values of the two systems.

        Both are evaluated as one batch, since with few samples most of the time goes into the calls.
        """
        values = self.samples.values(measures, [matrices.reshape(self.size, -1)]).reshape(len(measures), 2, -1)
        found: Array = values[:, 0] - values[:, 1]
        found[np.abs(found) <= 1e-12] = 0.0
        return found

    def _studentised(self, measures: list[Measure], differences: Array, matrices: Array, state: Array) -> Array:
        """Return differences (measures, b) over standard errors; a difference of 0 gives 0 unless the error is NaN."""
        variance = self._variance(matrices, state)
        errors = np.array([self._standard_error(f, matrices, variance) for f in measures]).reshape(differences.shape)
        with np.errstate(all="ignore"):
            found: Array = np.where(differences == 0, np.where(np.isnan(errors), np.nan, 0.0), differences / errors)
        return found

    def _variance(self, matrices: Array, state: Array) -> Variance:
        """Return a function from the slopes at both matrices to the variance of the difference.

        The state tells which groups are swapped; without groups, it is the sum of squared weights of the items that are
        in the lower cell of each pair for the first system.
        """
        if self.groups is not None:
            return self.groups.variance(state, self.first, self.second)
        return lambda one, two: self._between_items(one, two, matrices, state)

    def _standard_error(self, f: Measure, matrices: Array, variance: Variance) -> Array:
        """Return the standard error of the difference by the delta method, from the slopes at both matrices."""
        slopes = self.samples.slopes_of(f, matrices.reshape(self.size, -1))
        if slopes is None:
            return np.full(matrices.shape[2], np.nan)
        slopes = slopes.reshape(matrices.shape)
        found = variance(slopes[:, 0], slopes[:, 1])
        scale = (slopes**2 * matrices).sum(axis=(0, 1))
        return np.sqrt(np.where(found <= 1e-20 * scale, 0.0, found))

    def _between_items(self, one: Array, two: Array, matrices: Array, squares: Array) -> Array:
        """Return the variance of the difference between items: Σd² − (Σd)²/n, where d is the influence of an item.

        The influence of an item is its slope at the first matrix minus that at the second. It depends only on the cells
        in which the item is: for each pair, either (low, high) or (high, low).
        """
        squared = self.agreed @ (one - two) ** 2
        step = max(1, _CACHED // len(squares))
        for start in range(0, len(squared), step):
            block = slice(start, start + step)
            for x, y, weight in (
                (self.low, self.high, squares[:, block]),
                (self.high, self.low, self.squares[:, None] - squares[:, block]),
            ):
                apart = one[:, block][x]
                apart -= two[:, block][y]
                apart *= apart
                squared[block] += np.einsum("ij,ij->j", apart, weight)
        mean = (one * matrices[:, 0] - two * matrices[:, 1]).sum(axis=0)
        variance: Array = squared - mean**2 / self.pair.items
        return variance
