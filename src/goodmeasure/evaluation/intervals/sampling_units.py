"""Sampling units: the items of a sample, or its groups, and how values vary when they are drawn again.

A value has a slope in every cell; an item of weight w in that cell has the influence w·slope on it (the infinitesimal
jackknife, or influence function: Hampel 1974). For items drawn independently, the variance of the value is the sum of
squared influences, less (their sum)²/n. For groups drawn as a whole, the influences of the items of a group are added
first. This is the delta method, and the linearisation of survey sampling (Binder 1983).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from statistics import NormalDist

import numpy as np

from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import GroupCounts, Sample
from goodmeasure.evaluation.intervals.dependence import Dependence
from goodmeasure.evaluation.intervals.distributions import students_quantile
from goodmeasure.typing import Array

_NUMBERS_AT_ONCE = 1 << 20  # counts of resamples held in memory at a time
_MOST_ITEMS = float(2**53)
_NORMAL = NormalDist()


class Units(ABC):
    """The cells of a sample that hold items, and how they vary when the sample is drawn again.

    Cell k is in row `rows[k]` and column `cols[k]` of the matrix and has `weight[k]`, which is a count where nothing is
    weighted.
    """

    m: int
    rows: Array
    cols: Array
    weight: Array
    whole: bool  # whether the weights are integers, so that their sums are exact
    note: str = ""
    grouped = False

    @property
    def size(self) -> int:
        """Return the number of cells."""
        return len(self.weight)

    @abstractmethod
    def count(self) -> float:
        """Return the number of units in a sample."""

    @abstractmethod
    def draws(self, replicates: int, seed: int) -> Iterator[Array]:
        """Yield blocks (cells, b) of resamples, `replicates` in all, which do not depend on the size of the blocks."""

    @abstractmethod
    def left_out(self) -> Iterator[tuple[Array, Array]]:
        """Yield blocks (cells, b) of the sample without one unit, and how many units give the same sample."""

    @abstractmethod
    def influences(self, slopes: Array) -> tuple[Array, Array]:
        """Return the influence of each kind of unit on a value with these slopes, and the number of such units."""

    @abstractmethod
    def variance(self, slopes: Array) -> float:
        """Return the sampling variance of a value with these slopes."""

    @abstractmethod
    def variance_of(self, moved: Array) -> float:
        """Return the jackknife variance of a value; `moved` is how far each unit moves it, as in `left_out`."""

    @abstractmethod
    def bias_of(self, moved: Array) -> float:
        """Return the jackknife bias of a value; `moved` is how far each unit moves it, as in `left_out`."""

    @abstractmethod
    def worth(self, slopes: Array | None = None) -> float:
        """Return the weight that one independent item has in this sample for a value with these slopes.

        Without slopes, it is that for being right, given the true class: what imagined items of a class vary in.
        """

    def many_left_out(self) -> int:
        """Return how many different samples there are with one unit left out."""
        return self.size

    @abstractmethod
    def effective(self, counted: Array) -> float:
        """Return the effective sample size of the items in these cells, as an upper limit.

        This is (Σw)²/Σw² over the items (Kish 1965).
        """

    def certain(self, counted: Array) -> float:
        """Return the effective sample size for cells in which all items agree, so that no variance can be estimated."""
        return self.effective(counted)

    def freedom(self, slopes: Array, counted: Array | None = None) -> float:
        """Return the degrees of freedom of the variance of a value with these slopes; infinite for items.

        `counted` are the cells that it is about, which matter where the variance is 0.
        """
        return math.inf


class SingleItems(Units):
    """Items drawn one by one, so that the number of items in the cells is multinomial."""

    def __init__(self, sample: Sample) -> None:
        matrix = sample.matrix
        self.m = matrix.m
        if matrix.is_sparse:
            items, squares = self._sparse(matrix)
        else:
            counts = matrix.counts.astype(np.float64)
            held = counts > 0 if sample.items is None else np.asarray(sample.items) > 0
            self.rows, self.cols = np.nonzero(held)
            self.weight = counts[held]
            items = None if sample.items is None else np.asarray(sample.items, np.float64)[held]
            squares = None if sample.squares is None else np.asarray(sample.squares, np.float64)[held]
        self._set(items, squares)

    def _sparse(self, matrix: ConfusionMatrix) -> tuple[Array | None, Array | None]:
        """Take the cells of a sparse matrix, and return the items behind them and their squared weights, if known."""
        known = matrix.weighing
        self.rows, self.cols, values = (matrix if known is None else known.items).sparse.cells()
        if known is None:
            self.weight = values.astype(np.float64)
            return None, None
        keys = self.rows * self.m + self.cols
        order = np.argsort(keys)

        def found_in(other: ConfusionMatrix) -> Array:
            """Return the numbers of the same cells; a cell whose items all weigh 0 is not among the others."""
            rows, cols, numbers = other.sparse.cells()
            found = np.zeros(len(keys))
            found[order[np.searchsorted(keys, rows * self.m + cols, sorter=order)]] = numbers
            return found

        self.weight = found_in(matrix)
        return values.astype(np.float64), found_in(known.squares)

    @classmethod
    def listed(cls, weight: Array, items: Array | None = None, squares: Array | None = None) -> SingleItems:
        """Return items in a list of cells of any kind, such as the patterns of labels of several systems."""
        found = cls.__new__(cls)
        found.m, found.rows = 0, np.arange(len(weight))
        found.cols, found.weight = found.rows, weight.astype(np.float64)
        found._set(
            None if items is None else items.astype(np.float64), None if squares is None else squares.astype(np.float64)
        )
        return found

    def _set(self, items: Array | None, squares: Array | None) -> None:
        total = float(self.weight.sum())
        self.whole = bool(np.all(self.weight == np.rint(self.weight))) and total < _MOST_ITEMS
        if items is None or squares is None:
            number = min(max(round(total), 1), int(_MOST_ITEMS))
            self.number, self.unit = number, total / number
            self.items, self.squares = self.weight / self.unit, self.weight * self.unit
            if not self.whole:
                self.note = (
                    f"the counts are sums of weights, and their total, {total:g}, is taken as the number of items: "
                    "a right interval needs the items behind them, so count labels with sample_weight"
                )
        else:
            self.number, self.unit = int(items.sum()), 1.0
            self.items, self.squares = items, squares
        held = np.where(self.items > 0, self.items, 1.0)  # avoids 0/0 in cells without items
        self.mean = self.weight / held
        spread = self.squares / held - self.mean**2
        # A variance that is 0 but for rounding is set to 0: all items of the cell weigh the same.
        self.spread = np.where(spread > 1e-12 * self.mean**2, spread, 0.0)
        self.whole = self.whole and bool(np.all(self.mean == 1))

    def count(self) -> float:
        return float(self.number)

    def draws(self, replicates: int, seed: int) -> Iterator[Array]:
        counting, weighing = (np.random.default_rng(x) for x in np.random.SeedSequence(seed).spawn(2))
        shares = self.items / self.items.sum()
        step = max(1, _NUMBERS_AT_ONCE // self.size)
        for start in range(0, replicates, step):
            drawn = counting.multinomial(self.number, shares, size=min(step, replicates - start))
            yield self._weighed(drawn, weighing).T

    def _weighed(self, drawn: Array, weighing: np.random.Generator) -> Array:
        """Return the total weight of the drawn items of each cell, simulated from the mean and variance of its weights.

        The total weight of k items drawn from a cell has mean k·mean and variance k·spread. It is drawn as a gamma
        variable with these moments, so that single items need not be kept.
        """
        if self.whole:
            return drawn.astype(np.float64)
        weight: Array = drawn * self.mean
        varied = np.flatnonzero(self.spread)
        if len(varied):
            mean, spread = self.mean[varied], self.spread[varied]
            weight[:, varied] = weighing.standard_gamma(drawn[:, varied] * (mean**2 / spread)) * (spread / mean)
        return weight

    def left_out(self) -> Iterator[tuple[Array, Array]]:
        step = max(1, _NUMBERS_AT_ONCE // self.size)
        for start in range(0, self.size, step):
            chosen = np.arange(start, min(start + step, self.size))
            block = np.repeat(self.weight[:, None], len(chosen), axis=1)
            left = self.weight[chosen] - self.mean[chosen]
            block[chosen, np.arange(len(chosen))] = np.where(self.items[chosen] <= 1, 0.0, np.maximum(left, 0.0))
            yield block, self.items[chosen]

    def influences(self, slopes: Array) -> tuple[Array, Array]:
        moved = self.mean * slopes
        return moved - float((self.weight * slopes).sum()) / self.number, self.items

    def variance(self, slopes: Array) -> float:
        squared = float((self.squares * slopes**2).sum())
        return max(0.0, squared - float((self.weight * slopes).sum()) ** 2 / self.number)

    def variance_of_columns(self, weights: Array, slopes: Array) -> Array:
        """Return the variances of b values with slopes (cells, b), for unweighted items with counts (cells, b).

        A cell without items does not vary; a slope that is not finite in another cell gives NaN.
        """
        slopes = np.where(weights > 0, slopes, 0.0)
        with np.errstate(invalid="ignore"):
            squared = (weights * self.unit * slopes**2).sum(axis=0)
            found: Array = np.maximum(0.0, squared - (weights * slopes).sum(axis=0) ** 2 / self.number)
        return np.where(np.isfinite(slopes).all(axis=0), found, np.nan)

    def variance_of(self, moved: Array) -> float:
        # `moved` is for an item of mean weight. An item of weight w moves the value w/mean times as far, and the mean
        # of (w/mean)² over the items of a cell is 1 + variance/mean².
        times = self.items * (1 + np.divide(self.spread, self.mean**2, out=np.zeros(self.size), where=self.mean > 0))
        return max(0.0, float((times * moved**2).sum()) - float((self.items * moved).sum()) ** 2 / self.number)

    def bias_of(self, moved: Array) -> float:
        return float((self.items * moved).sum())

    def effective(self, counted: Array) -> float:
        return float(self.weight[counted].sum() ** 2 / self.squares[counted].sum())

    def worth(self, slopes: Array | None = None) -> float:
        """Return Σw²/Σw: n items of this weight have the effective sample size (Σw)²/Σw² of Kish (1965)."""
        return float(self.squares.sum() / self.weight.sum())


class Groups(Units):
    """Groups drawn as a whole, each with the same probability."""

    grouped = True

    def __init__(self, sample: Sample, groups: GroupCounts) -> None:
        self.m = sample.matrix.m
        self._items = SingleItems(sample)
        keys = np.asarray(groups.rows, np.int64) * self.m + np.asarray(groups.cols, np.int64)
        # No group has any weight in a cell whose items all weigh 0; both lists of cells must name it all the same.
        weightless = np.setdiff1d(self._items.rows * self.m + self._items.cols, keys)
        cells, where = np.unique(np.concatenate([keys, weightless]), return_inverse=True)
        self.rows, self.cols = cells // self.m, cells % self.m
        group = np.concatenate([np.asarray(groups.group, np.int64), np.zeros(len(weightless), np.int64)])
        values = np.concatenate([np.asarray(groups.values, np.float64), np.zeros(len(weightless))])
        self._set(where, group, values, groups.size)

    @classmethod
    def listed(cls, cell: Array, group: Array, values: Array, size: int) -> Groups:
        """Return groups in a list of cells of any kind, such as the patterns of labels of several systems.

        `values[k]` is the weight of group `group[k]` in cell `cell[k]`.
        """
        found = cls.__new__(cls)
        found.m, found.rows = 0, np.zeros(int(cell.max()) + 1, np.int64)
        found.cols = found.rows
        found._set(cell, group, values.astype(np.float64), size)
        found._items = SingleItems.listed(found.weight)
        return found

    def _set(self, cell: Array, group: Array, values: Array, size: int) -> None:
        order = np.argsort(cell, kind="stable")
        self._cell, self._group, self._value = cell[order], group[order], values[order]
        self._starts = np.searchsorted(self._cell, np.arange(int(cell.max()) + 1))
        self.weight = np.add.reduceat(self._value, self._starts)
        self.groups = int(size)
        self.whole = bool(np.all(values == np.rint(values))) and float(self.weight.sum()) < _MOST_ITEMS
        self.dependence = Dependence(self._group, self.rows[self._cell], self._value, self.groups)

    def count(self) -> float:
        return float(self.groups)

    def draws(self, replicates: int, seed: int) -> Iterator[Array]:
        drawing = np.random.default_rng(np.random.SeedSequence(seed).spawn(1)[0])
        step = max(1, _NUMBERS_AT_ONCE // max(len(self._value), self.groups))
        for start in range(0, replicates, step):
            b = min(step, replicates - start)
            times = np.empty((self.groups, b))
            for k in range(b):
                times[:, k] = np.bincount(drawing.integers(self.groups, size=self.groups), minlength=self.groups)
            yield self._added(times)

    def _added(self, times: Array) -> Array:
        """Return the cells of samples in which each group occurs this many times."""
        added: Array = np.add.reduceat(times[self._group] * self._value[:, None], self._starts, axis=0)
        return added

    def listed_by(self, keys: Array) -> tuple[Array, Array, Array]:
        """Return the cell, group and weight of each entry; cells are those with these keys, row · m + column."""
        place = np.searchsorted(keys, self.rows * self.m + self.cols)
        return place[self._cell], self._group, self._value

    def by_group(self, kinds: Array, size: int) -> Array:
        """Return the weight (groups, kinds) that each group has in cells of each kind."""
        keys = self._group * size + kinds[self._cell]
        return np.asarray(np.bincount(keys, self._value, self.groups * size).reshape(self.groups, size))

    def classes_held(self) -> Array:
        """Return which true classes (groups, classes) each group holds."""
        found: Array = self.by_group(self.rows, self.m) > 0
        return found

    def left_out(self) -> Iterator[tuple[Array, Array]]:
        group, cell, left = self._without_own()
        step = max(1, _NUMBERS_AT_ONCE // self.size)
        for start in range(0, self.groups, step):
            stop = min(start + step, self.groups)
            block = np.repeat(self.weight[:, None], stop - start, axis=1)
            mine = slice(*np.searchsorted(group, [start, stop]))
            block[cell[mine], group[mine] - start] = left[mine]
            yield block, np.ones(stop - start)

    def _without_own(self) -> tuple[Array, Array, Array]:
        """Return, for each group and each cell that it has items in, what the other groups have in that cell.

        The weight of a group is subtracted from the cell where it is at most half of it, which loses no digits. At most
        one group has more than half of a cell; for that one the others are added up, so that a cell which no other
        group shares is exactly 0.
        """
        key, where = np.unique(self._group * self.size + self._cell, return_inverse=True)
        group, cell = np.divmod(key, self.size)
        own = np.bincount(where, self._value)
        most = own > self.weight[cell] / 2
        others = np.bincount(cell, np.where(most, 0.0, own), minlength=self.size)
        return group, cell, np.where(most, others[cell], self.weight[cell] - own)

    def many_left_out(self) -> int:
        return self.groups

    def effective(self, counted: Array) -> float:
        return self._items.effective(counted)

    def certain(self, counted: Array) -> float:
        """Return the effective number of groups: items that all agree may do so because their groups do."""
        return self.dependence.effective(counted[self._cell])

    def freedom(self, slopes: Array, counted: Array | None = None) -> float:
        influences = self._value * slopes[self._cell]
        if counted is not None and not influences.any():
            return max(1.0, self.certain(counted) - 1)
        return self.dependence.freedom(influences)

    def influences(self, slopes: Array) -> tuple[Array, Array]:
        moved = np.bincount(self._group, self._value * slopes[self._cell], minlength=self.groups)
        return moved - moved.mean(), np.ones(self.groups)

    def variance(self, slopes: Array) -> float:
        return self.dependence.variance(self._value * slopes[self._cell])

    def variance_of(self, moved: Array) -> float:
        return float(((moved - moved.mean()) ** 2).sum())

    def bias_of(self, moved: Array) -> float:
        return float(moved.sum())

    def of_being_right(self) -> Array:
        """Return the slopes of the share of hits, given the true class."""
        hit = self.rows == self.cols
        sizes = np.bincount(self.rows, self.weight)
        hits = np.bincount(self.rows, np.where(hit, self.weight, 0.0))
        share = np.divide(hits, sizes, out=np.zeros(len(sizes)), where=sizes > 0)
        found: Array = (hit - share[self.rows]) / float(self.weight.sum())
        return found

    def worth(self, slopes: Array | None = None) -> float:
        """Return the weight of an independent item, from how much more the value varies than with single items.

        The ratio of the two variances is the design effect (Kish 1965): an independent item is worth as many grouped
        ones. It lies between 1 (grouping changes nothing) and that of groups whose items are all alike.
        """
        slopes = self.of_being_right() if slopes is None else slopes
        items, alone = self._items, self._items.worth()
        totals = np.bincount(self._group, self._value, minlength=self.groups)
        together = float((totals**2).sum() / totals.sum())
        by_group, by_item = (x.variance(slopes) for x in (self, items))
        return min(max(alone, alone * by_group / by_item), together) if by_item > 0 else together


def units_of(sample: Sample) -> Units:
    """Return the sampling units of a sample: its groups if it has any, otherwise its items."""
    return SingleItems(sample) if sample.groups is None else Groups(sample, sample.groups)


def reach_of(confidence: float, freedom: float) -> float:
    """Return how many standard errors an interval extends to each side: the normal quantile, or Student's."""
    share = 0.5 + confidence / 2
    return _NORMAL.inv_cdf(share) if math.isinf(freedom) else students_quantile(share, freedom)
