"""Scores of very many items, counted as they come: exactly while distinct scores are few, else in intervals.

Items are counted in buckets, intervals of scores that do not overlap. As long as distinct scores are few, each has a
bucket of its own, and nothing is lost but the order of the items. Beyond that, neighbouring buckets are merged, such
that all hold about equally many items; a score with very many items keeps a bucket of its own. An item that comes
later and falls into an interval is counted there. So at the end of each bucket the counts on both sides are exact, and
only the order of the items within a bucket is not known: from that, the error of a measure can be bounded.

`barriers` are functions that rise with the score, such as the number of a bin of probabilities; scores for which one of
them differs are never merged, so that whatever depends on these bins alone stays exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from goodmeasure.typing import Array

Barrier = Callable[[Array], Array]
MOST = 1 << 21  # buckets of all systems and slices together
_FEWEST = 1 << 10  # buckets of one system on one slice
_LARGEST = 1e100  # only means of probabilities are used: those of other scores must be finite, but need not be exact
_ROOM = 8  # a merged bucket may hold so many times the mean number of items


_ALWAYS: tuple[Barrier, ...] = (
    lambda s: np.where(np.isfinite(s), 0, np.sign(s)),
    lambda s: s >= 0,
    lambda s: s > 0,  # probabilities of 0 and of 1, which may have an infinite loss
    lambda s: s >= 1,
    lambda s: s > 1,
)


@dataclass(frozen=True, eq=False)
class ScoreSketch:
    """What rows stand for, if each is many items: their number, squared weights, mean and highest score.

    The score of a row is the lowest of its items. `sums` has the means of losses that were added up item by item, with
    their variances.
    """

    items: Array
    squares: Array
    means: Array
    high: Array
    weighted: bool
    is_exact: bool  # whether all items of each row have the same score
    sums: dict[object, tuple[float, float]] = field(default_factory=dict)

    def at(self, keep: Array) -> ScoreSketch:
        """Return some of the rows, which no longer have the sums of all."""
        items, squares, means, high = (x[keep] for x in (self.items, self.squares, self.means, self.high))
        return ScoreSketch(items, squares, means, high, self.weighted, self.is_exact)


class Buckets:
    """Items of two classes by intervals of scores, to which more can be added."""

    def __init__(self, most: int = MOST, barriers: Sequence[Barrier] = (), *, weighted: bool = False) -> None:
        self.most, self.weighted = max(most, 4), weighted
        self.barriers = [*_ALWAYS, *barriers]
        self.low = self.high = np.empty(0)
        self.said = np.empty(0)  # sums of weighted scores
        self.items = np.empty((2, 0), np.int64)
        self.weight = self.squares = np.empty((2, 0))

    def add(self, scores: Array, hit: Array, weights: Array | None = None, times: Array | None = None) -> None:
        """Count more items, `times` for each row where a row stands for several; scores must not be NaN."""
        if not len(scores):
            return
        known, place = np.unique(scores.astype(np.float64, copy=False), return_inverse=True)
        size = len(known)
        keys = place + size * hit
        items: Array = np.bincount(keys, times, 2 * size).reshape(2, size)
        weight: Array = items.astype(np.float64)
        squares = weight
        if weights is not None:
            often = 1 if times is None else times
            weight = np.bincount(keys, weights * often, 2 * size).reshape(2, size)
            squares = np.bincount(keys, weights.astype(np.float64) ** 2 * often, 2 * size).reshape(2, size)
        said = np.clip(known, -_LARGEST, _LARGEST) * weight.sum(axis=0)
        self._put(known, items, weight, squares, said)
        if len(self.low) > self.most:
            self._merge()

    def _put(self, known: Array, items: Array, weight: Array, squares: Array, said: Array) -> None:
        """Add counts at distinct scores: to the buckets that hold them, or as new ones."""
        at = np.searchsorted(self.low, known, side="right") - 1
        inside = np.zeros(len(known), bool)
        old = at >= 0
        inside[old] = known[old] <= self.high[at[old]]
        size = len(self.low)

        def added(here: Array, more: Array) -> Array:
            """Return amounts by bucket with more amounts, first those within buckets, then the new ones."""
            within = np.stack([np.bincount(at[inside], x[inside], size) for x in np.atleast_2d(more)])
            found = np.concatenate([np.atleast_2d(here) + within, np.atleast_2d(more)[:, ~inside]], axis=1)
            return np.asarray(found[:, order] if here.ndim == 2 else found[0, order])

        new = known[~inside]
        order = np.argsort(np.concatenate([self.low, new]), kind="stable")
        self.items = added(self.items, items).astype(np.int64)
        self.weight, self.squares = added(self.weight, weight), added(self.squares, squares)
        self.said = added(self.said, said)
        self.low, self.high = (np.concatenate([ends, new])[order] for ends in (self.low, self.high))

    def _merge(self) -> None:
        """Merge neighbouring buckets, so that about half of `most` remain."""
        here = self.items.sum(axis=0)
        room = max(2.0, _ROOM * float(here.sum()) / self.most)
        apart = np.zeros(len(here), bool)  # whether a bucket is kept apart from the one before it
        for barrier in self.barriers:
            cells = barrier(self.low)
            apart[1:] |= cells[1:] != cells[:-1]
        heavy = here > room / 2
        apart |= heavy
        apart[1:] |= heavy[:-1]
        full = np.floor((np.cumsum(here) - here) / room)
        apart[1:] |= full[1:] != full[:-1]
        first = np.flatnonzero(np.append(True, apart[1:]))
        last = np.append(first[1:], len(here)) - 1
        self.low, self.high = self.low[first], self.high[last]
        self.items, self.weight, self.squares = (
            np.add.reduceat(x, first, axis=1) for x in (self.items, self.weight, self.squares)
        )
        self.said = np.add.reduceat(self.said, first)

    def rows(self) -> tuple[Array, Array, Array, ScoreSketch]:
        """Return the rows: classes, lowest scores, weights, and what the rows stand for."""
        total = self.weight.sum(axis=0)
        means = np.clip(self.said / total, self.low, self.high)
        hit, place = np.nonzero(self.items)
        weight = self.weight if self.weighted else self.items
        merged = ScoreSketch(
            self.items[hit, place], self.squares[hit, place], means[place], self.high[place], self.weighted,
            bool((self.low == self.high).all()),
        )  # fmt: skip
        return hit.astype(bool), self.low[place], weight[hit, place], merged


def share_of_most(number: int) -> int:
    """Return how many buckets each of several systems and slices may have."""
    return max(_FEWEST, MOST // max(1, number))
