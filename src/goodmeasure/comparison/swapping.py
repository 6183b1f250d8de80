"""The paired permutation test: if two systems are alike, it is chance which of them said what."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from goodmeasure.algebra.policy import Policy
from goodmeasure.catalogue.measure import Measure
from goodmeasure.comparison.significance import beyond_seen, p_of_draws
from goodmeasure.counts.joint import Joint
from goodmeasure.evaluation.resampling import Samples

Array = np.ndarray[Any, Any]

_NUMBERS_AT_ONCE = 1 << 20


class Swaps:
    """Two systems by pattern, whose labels are swapped on a random half of the items, or of the groups.

    The statistic is the difference of the values over its standard error, which is right not only where both systems
    are alike in everything, but also, with many items, where only their values are (Chung and Romano 2013).
    """

    def __init__(self, pair: Joint, policy: Policy) -> None:
        first, second = pair.cells(0), pair.cells(1)
        cells = np.union1d(first, second)
        self.pair, self.mass = pair, pair.mass
        self.first, self.second = np.searchsorted(cells, first), np.searchsorted(cells, second)
        self.size = len(cells)
        self.differ = np.flatnonzero(first != second)
        whole = bool(np.all(self.mass == np.rint(self.mass)))
        self.samples = Samples(pair.m, cells // pair.m, cells % pair.m, policy, whole=whole)
        self.base = [np.bincount(x, self.mass, minlength=self.size) for x in (self.first, self.second)]
        squares = self.mass if pair.weight is None else np.asarray(pair.squares, np.float64)
        agree = first == second
        self.squares = squares[self.differ]
        self.agreed = np.bincount(self.first[agree], squares[agree], minlength=self.size)
        self._arrange()

    def _arrange(self) -> None:
        """What a swap does to the first matrix: from one cell to another."""
        target = np.concatenate([self.second[self.differ], self.first[self.differ]])
        self._order = np.argsort(target, kind="stable")
        self._touched, self._starts = np.unique(target[self._order], return_index=True)
        if self.pair.group is not None:
            self._by_group = np.argsort(self.pair.group, kind="stable")
            self._group_starts = np.searchsorted(self.pair.group[self._by_group], np.arange(self.pair.groups))

    def p_values(self, measures: list[Measure], replicates: int, seed: int) -> list[tuple[float, str]]:
        """The p-value of each measure, and how it was found."""
        if not len(self.differ):
            return [(1.0, "identical predictions") for _ in measures]
        still = np.zeros((len(self.differ), 1))
        groups = None if self.pair.group is None else np.zeros((self.pair.groups, 1), bool)
        observed = self._statistics(measures, still, groups, [True] * len(measures))[:, 0]
        scaled = [not math.isnan(x) for x in observed]
        plain = self._statistics(measures, still, groups, [False] * len(measures))[:, 0]
        observed = np.where(scaled, observed, plain)
        beyond, drawn = np.zeros(len(measures)), 0
        for swapped, grouped in self._draws(replicates, seed):
            found = np.abs(self._statistics(measures, swapped, grouped, scaled))
            beyond += beyond_seen(found, np.abs(observed)[:, None])
            drawn += swapped.shape[1]
        how = ["permutation (studentised)" if x else "permutation" for x in scaled]
        known = [math.nan if math.isnan(x) else p_of_draws(b, drawn) for x, b in zip(plain, beyond, strict=True)]
        return list(zip(known, how, strict=True))

    def _draws(self, replicates: int, seed: int) -> Iterator[tuple[Array, Array | None]]:
        """Blocks of what is swapped: (patterns that differ, b), and (groups, b) where groups are swapped whole."""
        drawing = np.random.default_rng(np.random.SeedSequence([seed, 1]))
        pair, mass = self.pair, self.mass[self.differ]
        step = max(1, _NUMBERS_AT_ONCE // max(len(self.mass), pair.groups))
        for start in range(0, replicates, step):
            b = min(step, replicates - start)
            if pair.group is not None:
                groups = drawing.random((pair.groups, b)) < 0.5
                yield mass[:, None] * groups[pair.group[self.differ]], groups
            elif pair.weight is None:
                number = mass.astype(np.int64)
                yield drawing.binomial(number, 0.5, (b, len(number))).T.astype(np.float64), None
            else:
                yield self._swapped_weight(drawing, mass, b), None

    def _swapped_weight(self, drawing: np.random.Generator, mass: Array, b: int) -> Array:
        """The weight of a random half of a pattern's items: exact for equal weights, else by mean and variance."""
        alike = np.divide(mass**2, self.squares, out=np.ones(len(mass)), where=self.squares > 0)
        number = np.maximum(np.rint(alike), 1).astype(np.int64)
        heads = drawing.binomial(number, 0.5, (b, len(number))).T - number[:, None] / 2
        swapped = mass[:, None] / 2 + heads * np.sqrt(self.squares / number)[:, None]
        clipped: Array = np.clip(swapped, 0.0, mass[:, None])
        return clipped

    def _matrices(self, swapped: Array) -> list[Array]:
        """The cells (cells, b) of both systems after the swaps."""
        moved = np.zeros((self.size, swapped.shape[1]))
        both = np.concatenate([swapped, -swapped])[self._order]
        moved[self._touched] = np.add.reduceat(both, self._starts, axis=0)
        first, second = (x[:, None] for x in self.base)
        return [np.maximum(first + moved, 0.0), np.maximum(second - moved, 0.0)]

    def _statistics(self, measures: list[Measure], swapped: Array, groups: Array | None, scaled: list[bool]) -> Array:
        """The difference (measures, b) after the swaps, over its standard error where it is to be scaled."""
        matrices = self._matrices(swapped)
        first, second = (self.samples.values(measures, [x]) for x in matrices)
        found = first - second
        found[np.abs(found) <= 1e-12] = 0.0
        for k, f in enumerate(measures):
            if scaled[k]:
                error = self._standard_error(f, matrices, swapped, groups)
                with np.errstate(all="ignore"):
                    found[k] = np.where(found[k] == 0, np.where(np.isnan(error), np.nan, 0.0), found[k] / error)
        return found

    def _standard_error(self, f: Measure, matrices: list[Array], swapped: Array, groups: Array | None) -> Array:
        """By the delta method, from the slopes of the measure at both matrices."""
        one, two = (self.samples.slopes_of(f, x) for x in matrices)
        if one is None or two is None:
            return np.full(swapped.shape[1], np.nan)
        if groups is not None:
            variance = self._between_groups(one, two, groups)
        else:
            variance = self._between_items(one, two, matrices, swapped)
        scale = (one**2 * matrices[0] + two**2 * matrices[1]).sum(axis=0)
        return np.sqrt(np.where(variance <= 1e-20 * scale, 0.0, variance))

    def _between_items(self, one: Array, two: Array, matrices: list[Array], swapped: Array) -> Array:
        a, b = self.first[self.differ], self.second[self.differ]
        share = swapped / np.maximum(self.mass[self.differ], 1e-300)[:, None]
        apart = (1 - share) * (one[a] - two[b]) ** 2 + share * (one[b] - two[a]) ** 2
        squared = self.squares @ apart + self.agreed @ (one - two) ** 2
        mean = (one * matrices[0] - two * matrices[1]).sum(axis=0)
        variance: Array = squared - mean**2 / self.pair.items
        return variance

    def _between_groups(self, one: Array, two: Array, groups: Array) -> Array:
        assert self.pair.group is not None
        chosen = groups[self.pair.group]
        kept, turned = one[self.first] - two[self.second], one[self.second] - two[self.first]
        moved = np.where(chosen, turned, kept) * self.mass[:, None]
        by_group = np.add.reduceat(moved[self._by_group], self._group_starts, axis=0)
        variance: Array = ((by_group - by_group.mean(axis=0)) ** 2).sum(axis=0)
        return variance
