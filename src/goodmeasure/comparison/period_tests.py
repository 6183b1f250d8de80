"""Tests of shares in two periods: class shares, predicted shares, and recalls, in all classes together and in each.

If nothing changed, it is chance which items came before and which after, so they are shuffled; for the recalls, class
by class. The statistic is Pearson's χ², Σ d²/v: d is the change of a share, and v its variance.

Groups are shuffled as a whole, and v comes from how groups differ in that share: the label may belong to the group
while errors do not, or the other way round, so that each share has a design effect of its own. For recalls, groups are
shuffled among those that hold the same classes, so that a change of the class shares does not look like one of recalls.
Shuffles in which a class is missing from a period are left out, as the observed periods both have it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from goodmeasure.comparison.drift_result import PREDICTED, RECALL
from goodmeasure.evaluation.intervals.sampling_units import Groups, SingleItems, Units
from goodmeasure.evaluation.p_values import beyond_seen, p_of_draws
from goodmeasure.evaluation.slice_shuffles import ShuffledItems, alike_groups, shuffles
from goodmeasure.typing import Array

_MOST_ITEMS = 10**9  # NumPy's hypergeometric generators take no more
_NUMBERS_AT_ONCE = 1 << 22


class PeriodTest(NamedTuple):
    """The p-values of all classes together and of each class."""

    p: float
    single: Array


def masks(what: str, k: int, units: Units) -> tuple[Array, Array]:
    """Return which cells are hits of the share of class k, and which are counted at all."""
    if what == RECALL:
        return (units.rows == k) & (units.cols == k), units.rows == k
    here = (units.cols if what == PREDICTED else units.rows) == k
    return here, np.ones(units.size, bool)


def period_test(what: str, units: Sequence[Units], m: int, seed: int, replicates: int) -> PeriodTest:
    """Return the test of whether shares are the same in two periods."""
    none = PeriodTest(math.nan, np.full(m, math.nan))
    grouped = [x for x in units if isinstance(x, Groups)]
    if grouped and min(x.groups for x in grouped) < 2:
        return none
    if grouped:
        seen, variance, blocks = _of_groups(what, grouped, m, seed, replicates)
    else:
        items = [x for x in units if isinstance(x, SingleItems)]
        if sum(x.count() for x in items) >= _MOST_ITEMS:
            return none
        seen, variance, blocks = _of_items(what, items, m, seed, replicates)
    both: Array = np.asarray((seen.counted > 0).all(axis=1))[:, 0]
    can_vary = both & (variance > 0)
    if not both.any() or not (can_vary.any() or what == RECALL):
        return none
    here = _statistics(seen, variance, can_vary)
    beyond, kept, single = 0.0, 0, np.zeros(m)
    for block in blocks:
        usable = (block.counted[both] > 0).all(axis=(0, 1))
        found = _statistics(_Counts(block.hits[:, :, usable], block.counted[:, :, usable]), variance, can_vary)
        beyond += float(beyond_seen(found.sum(axis=0), float(here.sum())))
        single += beyond_seen(found, here)
        kept += int(usable.sum())
    return PeriodTest(
        p_of_draws(beyond, kept), np.array([p_of_draws(float(x), kept) if there else math.nan
                                            for x, there in zip(single, both, strict=True)])
    )  # fmt: skip


class _Counts(NamedTuple):
    """Hits of each share, and what is counted for it: arrays (classes, periods, b)."""

    hits: Array
    counted: Array


def _statistics(counts: _Counts, variance: Array, can_vary: Array) -> Array:
    """Return the squared change of each share over its variance, by class and shuffle; 0 where it cannot vary."""
    with np.errstate(divide="ignore", invalid="ignore"):
        shares, loose = counts.hits / counts.counted, (1 / counts.counted).sum(axis=1)
        found = (shares[:, 0] - shares[:, 1]) ** 2 / (variance[:, None] * loose)
    return np.where(can_vary[:, None], found, 0.0)


def _kinds(what: str, units: Units) -> Array:
    """Return the number of the kind of each cell: a class, or for recalls a class and whether it is a hit."""
    if what == RECALL:
        return np.asarray(2 * units.rows + (units.rows == units.cols))
    return np.asarray(units.cols if what == PREDICTED else units.rows)


def _counts(what: str, kinds: Array) -> _Counts:
    """Return hits and what is counted, from the numbers of each kind (kinds, periods, b)."""
    if what == RECALL:
        return _Counts(kinds[1::2], kinds[::2] + kinds[1::2])
    return _Counts(kinds, np.broadcast_to(kinds.sum(axis=0), kinds.shape))


def _of_items(
    what: str, units: Sequence[SingleItems], m: int, seed: int, replicates: int
) -> tuple[_Counts, Array, Iterator[_Counts]]:
    """Return the observed counts, the variance of one item of each share, and shuffles of the items."""
    size = 2 * m if what == RECALL else m

    def added(name: str) -> Array:
        sums = [np.bincount(_kinds(what, x), getattr(x, name), size) for x in units]
        return np.stack(sums, axis=1)

    items, weight, squares = (added(x) for x in ("items", "weight", "squares"))
    if not (items == np.rint(items)).all():  # only whole items can be shuffled
        items = np.rint(items)
        weight = squares = items
    seen = _counts(what, weight[:, :, None])
    hits, counted = (x.sum(axis=(1, 2)) for x in seen)
    share = np.divide(hits, counted, out=np.zeros(m), where=counted > 0)
    starts = np.arange(0, size, 2) if what == RECALL else np.array([0])
    shuffled = shuffles(ShuffledItems(items, weight, squares), starts, 1000 * seed + len(what), replicates)
    return seen, share * (1 - share), (_counts(what, x) for x in shuffled)


def _of_groups(
    what: str, units: Sequence[Groups], m: int, seed: int, replicates: int
) -> tuple[_Counts, Array, Iterator[_Counts]]:
    """Return the observed counts, the variance of one item of each share, and shuffles of whole groups."""
    size = 2 * m if what == RECALL else m
    groups = np.concatenate([x.by_group(_kinds(what, x), size) for x in units])  # (groups, kinds)
    later = np.repeat([False, True], [x.groups for x in units])
    seen = _counts(what, np.stack([groups[~later].sum(axis=0), groups[later].sum(axis=0)], axis=1)[:, :, None])
    hits, counted = _counts(what, groups.T[:, None])  # one shuffle for each group
    total = counted.sum(axis=(1, 2))
    share = np.divide(hits.sum(axis=(1, 2)), total, out=np.zeros(m), where=total > 0)
    variance = np.divide(
        ((hits - share[:, None, None] * counted) ** 2).sum(axis=(1, 2)), total, out=np.zeros(m), where=total > 0
    )
    stratum = np.zeros(len(groups), np.int64)
    if what == RECALL:
        stratum = alike_groups([x.classes_held() for x in units])
    return seen, variance, _shuffles_of_groups(what, groups, later, stratum, seed, replicates)


def _shuffles_of_groups(
    what: str, groups: Array, later: Array, stratum: Array, seed: int, replicates: int
) -> Iterator[_Counts]:
    """Yield shuffles in which each period keeps its number of groups of each stratum."""
    drawing = np.random.default_rng(np.random.SeedSequence([seed, 11, len(what)]))
    whole = groups.sum(axis=0)[:, None]
    parts = [np.flatnonzero(stratum == x) for x in np.unique(stratum)]
    step = max(1, _NUMBERS_AT_ONCE // len(groups))
    for start in range(0, replicates, step):
        b = min(step, replicates - start)
        after = np.zeros((b, len(groups)))
        for part in parts:
            after[:, part] = drawing.permuted(np.broadcast_to(later[part], (b, len(part))), axis=1)
        second = (after @ groups).T
        yield _counts(what, np.stack([np.maximum(whole - second, 0.0), second], axis=1))
