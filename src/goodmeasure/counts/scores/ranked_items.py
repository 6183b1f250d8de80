"""Items ranked by score: class sizes and weights at every distinct score, from one sort."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from goodmeasure.counts.scores.by_threshold import (
    ThresholdCounts,
    cells_below,
    count,
    first_of_equal,
    in_order,
    of_sorted,
)
from goodmeasure.counts.scores.score_sketch import ScoreSketch
from goodmeasure.typing import Array

_TOO_MANY = 1 << 63
_MANY_TIED = 8  # where more than an eighth of the items are tied, it is faster to look at all runs of equal scores


class Ranking:
    """Positive and negative items at every distinct score, from the lowest score up.

    `positive` and `negative` are numbers of items, or sums of their weights, at each score of `scores`; `squares` are
    the sums of squared weights. Without weights they are whole numbers.
    """

    def __init__(self, scores: Array, hit: Array, weights: Array | None = None) -> None:
        self._items = scores, hit, weights

    @property
    def is_weighted(self) -> bool:
        """Return whether items have weights."""
        return self._items[2] is not None

    @cached_property
    def _sorted(self) -> tuple[Array, Array]:
        scores, hit, _ = self._items
        return in_order(scores, hit)

    @cached_property
    def _first(self) -> Array | None:
        """Return where each run of equal scores begins in the rising order; None if all scores differ."""
        return first_of_equal(self._sorted[0])

    def _positive_places(self) -> tuple[Array, Array, Array]:
        """Return where positive items stand in the rising order: their places, those of the first item with the same
        score, and how many positive items come before that one.

        Most scores are usually not tied, so ties are looked at on their own.
        """
        known, hit = self._sorted
        places = np.flatnonzero(hit)
        tied = np.flatnonzero(known[1:] == known[:-1]) + 1  # items with the score of the one before them
        if not len(tied):
            return places, places, np.arange(len(places))
        if _MANY_TIED * len(tied) > len(known):
            runs = np.flatnonzero(np.append(True, known[1:] != known[:-1]))
            inside = np.add.reduceat(hit, runs, dtype=np.int64)
            return places, np.repeat(runs, inside), np.repeat(np.cumsum(inside) - inside, inside)
        begins = np.flatnonzero(np.concatenate([[True], np.diff(tied) > 1]))  # of runs of such items
        first = np.repeat(tied[begins] - 1, np.diff(np.append(begins, len(tied))))
        ranks = np.searchsorted(places, tied)
        among = ranks < len(places)
        among[among] = places[ranks[among]] == tied[among]  # tied items that are positive
        start, before = places.copy(), np.arange(len(places))
        start[ranks[among]] = first[among]
        before[ranks[among]] = np.searchsorted(places, first[among])
        return places, start, before

    @property
    def all_tied(self) -> bool:
        """Return whether all items have the same score."""
        scores = self._items[0]
        return bool(scores[0] == scores[-1] and scores.min() == scores.max())

    @cached_property
    def items(self) -> int:
        """Return the number of items."""
        return len(self._items[0])

    @cached_property
    def positives(self) -> int:
        """Return the number of positive items."""
        return int(np.count_nonzero(self._items[1]))

    @cached_property
    def _by_score(self) -> tuple[Array, Array, Array]:
        """Return the distinct scores, from the lowest up, and the weight (2, scores) and its squares by class."""
        scores, hit, weights = self._items
        if weights is None:
            known, found = self._sorted
            first = np.arange(len(known)) if self._first is None else self._first
            every = np.diff(np.append(first, len(known)))
            positive = found.astype(np.int64) if self._first is None else np.add.reduceat(found, first, dtype=np.int64)
            sizes = np.stack([every - positive, positive])
            return known[first], sizes, sizes
        known, place = np.unique(scores, return_inverse=True)
        keys = place + len(known) * hit
        size = 2 * len(known)
        by_class = [np.bincount(keys, x, size).reshape(2, -1) for x in (weights, weights.astype(float) ** 2)]
        return known, by_class[0], by_class[1]

    @property
    def scores(self) -> Array:
        """Return the distinct scores, from the lowest up."""
        return self._by_score[0]

    @property
    def weight(self) -> Array:
        """Return the weight (2, scores) of negative and positive items at each score."""
        return self._by_score[1]

    @property
    def squares(self) -> Array:
        """Return the sums (2, scores) of squared weights of negative and positive items at each score."""
        return self._by_score[2]

    @cached_property
    def below(self) -> Array:
        """Return the weight (2, scores) of items of each class with lower scores."""
        found = np.zeros_like(self.weight)
        np.cumsum(self.weight[:, :-1], axis=1, out=found[:, 1:])
        return found

    @cached_property
    def from_here(self) -> Array:
        """Return the weight (2, scores) of items of each class with this score or a higher one."""
        return np.cumsum(self.weight[:, ::-1], axis=1)[:, ::-1]

    @cached_property
    def totals(self) -> tuple[float, float]:
        """Return the weight of all negative and of all positive items."""
        if not self.is_weighted:
            return float(self.items - self.positives), float(self.positives)
        negative, positive = self.from_here[:, 0].tolist()
        return negative, positive

    @cached_property
    def counts(self) -> ThresholdCounts:
        """Return the confusion matrix at every threshold, from the highest down."""
        return count(*self._items) if self.is_weighted else of_sorted(*self._sorted)

    def places(self, scores: Array) -> Array:
        """Return the place of each item's score among the distinct scores."""
        return np.searchsorted(self.scores, scores)

    # The two areas that everybody asks for, in whole numbers where there are no weights

    def pairs_in_order(self) -> float:
        """Return the share of pairs of a positive and a negative item whose scores are in order; ties count one half.

        This is the area under the ROC curve. Without weights it is a quotient of whole numbers, so it cannot leave the
        range from 0 to 1 by rounding.
        """
        if not self.is_weighted:
            # The k-th positive item from below has `place` − k negative items before it, with the tied ones, and
            # `start` − `before` without them: twice the number of pairs in order is the sum of both.
            places, start, before = self._positive_places()
            size = self.positives
            pairs = int(places.sum()) - size * (size - 1) // 2 + int(start.sum()) - int(before.sum())
            return pairs / (2 * size * (self.items - size))
        negative, positive = self.weight
        won = float((positive * (2 * self.below[0] + negative)).sum())
        lost = float((positive * (2 * (self.from_here[0] - negative) + negative)).sum())
        return won / (won + lost)  # exactly 1 where nothing is lost, however sums are rounded

    def variance_of_pairs(self) -> float | None:
        """Return DeLong's variance of the share of pairs in order; None where scores are tied or have weights.

        The placement of a positive item is the share of negative items below it, and that of a negative item the share
        of positive items above it.
        """
        negative, positive = self.items - self.positives, self.positives
        if self.is_weighted or self._first is not None or min(negative, positive) < 2:
            return None
        hit, area, total = self._sorted[1], self.pairs_in_order(), 0.0
        for of, size, others in ((hit, positive, negative), (hit == 0, negative, positive)):
            placed = (np.flatnonzero(of) - np.arange(size)) / others  # the share of the others below
            placed -= area if of is hit else 1 - area
            total += float(placed @ placed) / (size * (size - 1))
        return total

    def precision_at_positives(self) -> float:
        """Return the mean over positive items of the precision at their score: the step-wise average precision."""
        if not self.is_weighted:
            _, start, before = self._positive_places()
            precision = np.subtract(self.positives, before, dtype=np.float64)
            precision /= np.subtract(self.items, start, dtype=np.float64)
            return min(1.0, float(precision.mean()))
        positive, (negative_here, positive_here) = self.weight[1], self.from_here
        at = positive > 0
        precision = positive_here[at] / (positive_here[at] + negative_here[at])
        return min(1.0, float((positive[at] * precision).sum() / self.totals[1]))


class MergedRanking(Ranking):
    """A ranking of rows that each stand for many items, by the lowest score of each row."""

    def __init__(self, scores: Array, hit: Array, weights: Array, merged: ScoreSketch) -> None:
        super().__init__(scores, hit, weights)
        self.merged = merged

    @property
    def is_weighted(self) -> bool:
        return self.merged.weighted

    @cached_property
    def items(self) -> int:
        return int(self.merged.items.sum())

    @cached_property
    def positives(self) -> int:
        return int(self.merged.items[self._items[1]].sum())

    @property
    def all_tied(self) -> bool:
        return super().all_tied and float(self.merged.high.max()) == float(self._items[0].min())

    @cached_property
    def _by_score(self) -> tuple[Array, Array, Array]:
        scores, hit, weights = self._items
        known, place = np.unique(scores, return_inverse=True)
        found = []
        for amount in (weights, self.merged.squares):
            assert amount is not None
            by_class = np.zeros((2, len(known)), amount.dtype)
            by_class[hit.astype(np.int64), place] = amount  # one row for each score and class
            found.append(by_class)
        return known, found[0], found[1]

    @cached_property
    def counts(self) -> ThresholdCounts:
        below, here = self.below[:, ::-1], self.from_here[:, ::-1]
        if not self.is_weighted:
            positives, items = self.positives, self.items
            missed, rejected = below[1], below.sum(axis=0)
            return ThresholdCounts(
                self.scores[::-1], lambda part: cells_below(missed[part], rejected[part], positives, items), whole=True
            )
        (fp, tp), (tn, fn) = here, below  # summed from both ends, so that an empty cell is exactly 0
        cells = np.array([[tn, fp], [fn, tp]], dtype=np.float64)
        return ThresholdCounts(self.scores[::-1], lambda part: cells[:, :, part], whole=False)

    def pairs_in_order(self) -> float:
        if self.is_weighted:
            return super().pairs_in_order()
        (negative, positive), size = self.weight, self.positives
        every, twice = 2 * size * (self.items - size), 2 * self.below[0] + negative
        if every >= _TOO_MANY:  # for 64 bits
            positive, twice = positive.astype(object), twice.astype(object)
        return int((positive * twice).sum()) / every

    def variance_of_pairs(self) -> float | None:
        return None

    def precision_at_positives(self) -> float:
        positive, here = self.weight[1], self.from_here
        at = positive > 0
        precision = here[1][at] / here.sum(axis=0)[at]
        return min(1.0, float((positive[at] * precision).sum() / self.totals[1]))
