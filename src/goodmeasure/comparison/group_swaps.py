"""Permutation tests with groups: whole groups are swapped, and the variance is taken between groups.

Where items of a group belong together (the sentences of a document), they are not exchangeable one by one. Under the
null hypothesis the two systems are exchangeable on each group as a whole, so the labels of all its items are swapped
together, and the standard error of the statistic comes from the differences between groups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from goodmeasure.counts.joint import Joint
from goodmeasure.evaluation.slice_tests import FEW_GROUPS
from goodmeasure.typing import Array

Variance = Callable[[Array, Array], Array]  # from the slopes at both matrices to the variance of the difference

_NUMBERS_AT_ONCE = 1 << 20
_MOST_PRODUCTS = 1 << 25  # numbers kept for all groups: with more, the groups are added up row by row
_COLUMNS = 512  # samples measured at once
_ROUNDING = 1e-13  # relative: a smaller variance is a rounding error


class GroupSwaps:
    """Groups whose labels are swapped as a whole; row by row, `mass` items lie in cells `cells[0]` and `cells[1]`.

    The variance between groups is added up row by row.
    """

    def __init__(self, pair: Joint) -> None:
        assert pair.group is not None
        self.groups, self._rows = pair.groups, pair.rows
        order = np.argsort(pair.group, kind="stable")
        self.group = pair.group[order]
        self.cells = pair.cells(0)[order], pair.cells(1)[order]
        self.mass = pair.mass[order]
        self._starts = np.searchsorted(self.group, np.arange(pair.groups))

    def still(self) -> tuple[Array, Array]:
        """Return one sample, in the form that `draws` yields, in which nothing is swapped."""
        return np.zeros((len(self.mass), 1)), np.zeros((self.groups, 1), bool)

    def draws(self, replicates: int, drawing: np.random.Generator) -> Iterator[tuple[Array, Array]]:
        """Yield what is swapped: the weight (rows, b) of each row, and the state (…, b) that `variance` needs."""
        for groups in self._chosen(replicates, drawing):
            yield self.mass[:, None] * groups[self.group], groups

    def _chosen(self, replicates: int, drawing: np.random.Generator) -> Iterator[Array]:
        """Yield which groups (groups, b) are swapped, each with probability one half."""
        step = max(1, _NUMBERS_AT_ONCE // max(self._rows, self.groups))
        for start in range(0, replicates, step):
            yield drawing.random((self.groups, min(step, replicates - start))) < 0.5

    def variance(self, state: Array, first: Array, second: Array) -> Variance:
        """Return a function from the slopes at both matrices to the variance of the difference after the swaps."""
        chosen = state[self.group]

        def between(one: Array, two: Array) -> Array:
            kept, turned = one[first] - two[second], one[second] - two[first]
            moved = np.where(chosen, turned, kept) * self.mass[:, None]
            by_group = np.add.reduceat(moved, self._starts, axis=0)
            found: Array = ((by_group - by_group.mean(axis=0)) ** 2).sum(axis=0)
            return found

        return between


class PatternSwaps(GroupSwaps):
    """Groups with few patterns: products of their counts, added over groups, give the variance for any measure.

    A group with x_p items of each pattern p moves the difference by Σ d_p x_p, where d_p is what one item of the
    pattern moves it by. So the sum of squares over groups is Σ d_p d_q (Σ x_p x_q), and the inner sums, over the groups
    that are swapped and over the others, are the same for all measures.
    """

    def __init__(self, pair: Joint, where: Array, cells: tuple[Array, Array]) -> None:
        assert pair.group is not None
        self.groups, self._rows, self.cells = pair.groups, pair.rows, cells
        size = len(cells[0])
        counts = np.bincount(pair.group * size + where, pair.mass, minlength=pair.groups * size)
        counts = counts.reshape(pair.groups, size).T
        self._one, self._two = np.triu_indices(size)
        # Counts of single patterns come first: they give what is swapped and the mean over groups.
        self._products = np.concatenate([counts, counts[self._one] * counts[self._two]])
        self._all = self._products.sum(axis=1, keepdims=True)
        self._twice = np.where(self._one == self._two, 1.0, 2.0)[:, None]
        self.mass = self._all[:size, 0]

    def still(self) -> tuple[Array, Array]:
        return np.zeros((len(self.mass), 1)), np.zeros((len(self._products), 1))

    def draws(self, replicates: int, drawing: np.random.Generator) -> Iterator[tuple[Array, Array]]:
        pieces: list[Array] = []
        pending = done = 0
        for groups in self._chosen(replicates, drawing):
            pieces.append(self._products @ groups.astype(np.float64))
            pending += groups.shape[1]
            if pending >= _COLUMNS or done + pending == replicates:
                state = np.concatenate(pieces, axis=1)
                yield state[: len(self.mass)], state
                pieces, done, pending = [], done + pending, 0

    def variance(self, state: Array, first: Array, second: Array) -> Variance:
        size = len(self.mass)

        def between(one: Array, two: Array) -> Array:
            sums = squares = scale = np.zeros(state.shape[1])
            for a, b, products in ((first, second, self._all - state), (second, first, state)):
                moved = one[a] - two[b]
                both = self._twice * moved[self._one] * moved[self._two] * products[size:]
                sums = sums + (moved * products[:size]).sum(axis=0)
                squares = squares + both.sum(axis=0)
                scale = scale + np.abs(both).sum(axis=0)
            found = squares - sums**2 / self.groups
            return np.where(found <= _ROUNDING * scale, 0.0, found)

        return between


def group_swaps(pair: Joint) -> GroupSwaps:
    """Return the groups of two systems in the form that takes less work."""
    first, second = pair.cells(0), pair.cells(1)
    keys, where = np.unique(first * pair.m**2 + second, return_inverse=True)
    if pair.groups * _products(len(keys)) > _MOST_PRODUCTS or _products(len(keys)) > pair.rows:
        return GroupSwaps(pair)
    return PatternSwaps(pair, where, np.divmod(keys, pair.m**2))


def _products(patterns: int) -> int:
    """Return how many numbers are kept for a group: counts of patterns, and products of two of them."""
    return patterns * (patterns + 3) // 2


def work_of_groups(rows: int, groups: int, m: int, tests: int) -> float:
    """Return roughly how much work one swap of groups is, in the unit of `PairedLabels` (some 6 ns)."""
    products = _products(min(m**3, rows))
    if groups * products > _MOST_PRODUCTS or products > rows:
        return 4.0 * rows * tests
    return 3.0 * groups + products * groups / 8


def about_groups(group: Array | None) -> list[str]:
    """Return a note where items, whose groups are given by number, come from fewer than ten groups."""
    number = None if group is None else int(np.count_nonzero(np.bincount(group)))
    if number is None or number >= FEW_GROUPS:
        return []
    if number <= 1:
        return ["there is only one group, which cannot show how systems differ"]
    return [
        f"there are {number} groups: with fewer than {FEW_GROUPS}, intervals are wide, tests seldom reject, and both "
        "rely on the groups being alike in kind"
    ]
