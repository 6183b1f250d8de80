"""Deal items, or whole groups, out again at random to slices of the same sizes.

Only counts are kept: a shuffle says how many items of each cell a slice gets. Few numbers are drawn cell by cell, where
each is hypergeometric. Where that would be many, fewer items are left to be shuffled one by one: each but those of the
largest cell is put in one of the places that the slices have, as in a shuffle (Fisher and Yates 1938).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from goodmeasure.counts.kernel.shuffled import shuffled_counts
from goodmeasure.evaluation.intervals.sampling_units import Groups
from goodmeasure.typing import Array

_NUMBERS_AT_ONCE = 1 << 20
_FEW_ALIKE = 10  # groups that hold the same classes: fewer are shuffled together with others
_FEW_DRAWS = 1_000_000  # hypergeometric numbers: about a tenth of a second
_DRAW = 20  # how many times as long a hypergeometric number takes as an item that is put in its place


class ShuffledItems:
    """The items (cells, slices) that are shuffled, and what the items of each cell weigh.

    Weights count relative to the mean weight of their slice, since the value of a slice does not depend on that.
    """

    def __init__(self, items: Array, weight: Array, squares: Array) -> None:
        self.items = items.astype(np.int64)
        total = np.maximum(1.0, items.sum(axis=0))
        self.scale = weight.sum(axis=0) / total  # the mean weight of each slice
        known = np.where(self.scale > 0, self.scale, 1.0)
        number = np.maximum(1.0, items.sum(axis=1))
        self.mean = (weight / known).sum(axis=1) / number
        spread = (squares / known**2).sum(axis=1) / number - self.mean**2
        self.spread = np.where(spread > 1e-12 * self.mean**2, spread, 0.0)

    @property
    def unweighted(self) -> bool:
        """Return whether every item weighs 1, so that all sums are whole."""
        return not self.spread.any() and bool((self.mean == 1).all() and (self.scale == 1).all())

    def weighed(self, block: Array, drawing: np.random.Generator) -> Array:
        """Return the weights of the items that were shuffled (cells, slices, b)."""
        if self.unweighted:
            return block
        found: Array = block * self.mean[:, None, None]
        for k in np.flatnonzero(self.spread):
            mean, spread = self.mean[k], self.spread[k]
            found[k] = drawing.standard_gamma(block[k] * (mean**2 / spread)) * (spread / mean)
        found *= self.scale[:, None]
        return found


def shuffles(shuffled: ShuffledItems, starts: Array, seed: int, replicates: int) -> Iterator[Array]:
    """Yield blocks (cells, slices, b) in which items are shuffled among slices, within runs of cells.

    Each slice keeps how many items of each run it has; a run begins at each of `starts`.
    """
    drawing = np.random.default_rng(np.random.SeedSequence([seed, 5]))
    counts = shuffled.items
    runs = [counts[a:b] for a, b in zip(starts.tolist(), [*starts[1:].tolist(), len(counts)], strict=True)]
    draws = counts.shape[1] * sum(len(run) - 1 for run in runs)
    placed = sum(int(run.sum()) - int(run.sum(axis=1).max()) for run in runs)
    place = _cell_by_cell if draws * replicates <= _FEW_DRAWS or draws * _DRAW <= placed else _item_by_item
    step = max(1, _NUMBERS_AT_ONCE // counts.size)
    for start in range(0, replicates, step):
        block = np.empty((*counts.shape, min(step, replicates - start)))
        at = 0
        for run in runs:
            place(run, drawing, block[at : at + len(run)])
            at += len(run)
        yield shuffled.weighed(block, drawing)


def _cell_by_cell(counts: Array, drawing: np.random.Generator, into: Array) -> None:
    """Deal the items of a run of cells by hypergeometric numbers, slice by slice from those that are left."""
    left = np.repeat(counts.sum(axis=1)[:, None], into.shape[2], axis=1)
    for s, size in enumerate(counts.sum(axis=0).tolist()):
        wanted, others, mine = np.full(left.shape[1], size), left.sum(axis=0), into[:, s]
        for k in range(len(left) - 1):
            others = others - left[k]
            mine[k] = drawing.hypergeometric(left[k], others, wanted)
            wanted = wanted - mine[k].astype(np.int64)
        mine[-1] = wanted
        left -= mine.astype(np.int64)


def _item_by_item(counts: Array, drawing: np.random.Generator, into: Array) -> None:
    """Deal the items of a run of cells one by one; those of the largest cell get the places that are left."""
    number, sizes = counts.sum(axis=1), counts.sum(axis=0)
    largest = int(number.argmax())
    places = np.repeat(np.arange(len(sizes), dtype=np.uint32), sizes)  # which slice each place belongs to
    number[largest] = 0
    cells = np.repeat(np.arange(len(number), dtype=np.uint32), number)
    step = max(1, _NUMBERS_AT_ONCE // max(1, len(cells)))
    drawn = np.empty((min(step, into.shape[2]), len(cells)))  # filled again and again: fresh memory is slow
    for start in range(0, into.shape[2], step):
        part = into[:, :, start : start + step]
        found = shuffled_counts(places, cells, drawing.random(out=drawn[: part.shape[2]]), counts.shape)
        part[:] = np.moveaxis(found, 0, -1)
    into[largest] = 0
    into[largest] = sizes[:, None] - into.sum(axis=0)


def alike_groups(held: Sequence[Array]) -> Array:
    """Return a number for each group, the same for groups that hold the same classes, from masks (groups, classes).

    Groups whose classes few others hold are put together, so that they can be shuffled at all.
    """
    _, kind, number = np.unique(np.concatenate(held), axis=0, return_inverse=True, return_counts=True)
    return np.where(number[kind.ravel()] < _FEW_ALIKE, -1, kind.ravel())


class ShuffledGroups:
    """The weight of each group of all slices in each cell that it has items in, as a list."""

    def __init__(self, slices: Sequence[Groups], keys: Array) -> None:
        listed = [x.listed_by(keys) for x in slices]
        sizes = [x.groups for x in slices]
        before = np.cumsum([0, *sizes[:-1]])
        self.cell = np.concatenate([cell for cell, _, _ in listed])
        self.group = np.concatenate([group + k for k, (_, group, _) in zip(before, listed, strict=True)])
        self.weight = np.concatenate([weight for _, _, weight in listed])
        self.places = np.repeat(np.arange(len(sizes)), sizes)  # which slice each place belongs to
        self.shape = len(keys), len(sizes)
        self.kinds = alike_groups([x.classes_held() for x in slices])

    def shuffles(self, seed: int, replicates: int, *, within: bool = False) -> Iterator[Array]:
        """Yield blocks (cells, slices, b) in which whole groups are shuffled among slices of as many groups.

        With `within`, they are shuffled among groups that hold the same true classes.
        """
        drawing = np.random.default_rng(np.random.SeedSequence([seed, 5]))
        cells, slices = self.shape
        step = max(1, _NUMBERS_AT_ONCE // max(len(self.weight), cells * slices))
        for start in range(0, replicates, step):
            b = min(step, replicates - start)
            to = np.empty((len(self.places), b), np.int64)  # the slice that each group comes to
            for kind in np.unique(self.kinds) if within else [None]:
                mine = np.arange(len(to)) if kind is None else np.flatnonzero(self.kinds == kind)
                for k in range(b):
                    to[drawing.permutation(mine), k] = self.places[mine]
            keys = (self.cell[:, None] * slices + to[self.group]) * b + np.arange(b)
            weight = np.repeat(self.weight, b)
            yield np.bincount(keys.ravel(), weight, minlength=cells * slices * b).reshape(cells, slices, b)
