"""Averages of multilabel data with confidence intervals that resample items, or groups of items.

The decisions about the labels of one item depend on each other, so what varies is the item with all its labels. Every
average is computed without each item in turn (or without each group); from how far it moves follows its standard error
(the jackknife: Efron and Tibshirani 1993, chapter 11). Nothing is drawn at random, unless the items are so many that
they are put into 2,000 groups at random first.

The interval is Wilson's, with an effective sample size: a value x between 0 and 1 (to which the range of the measure is
mapped) with the variance v tells as much as the share of x(1 − x)/v independent items. Unlike x ± z standard errors,
the interval stays within the range, and an average without any error still has a lower end: then the items, or the
groups, are counted. Where few items have errors, the variance comes out too small, so an imagined item is added to it,
half of it right and half of it wrong.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.evaluation.intervals.distributions import students_quantile
from goodmeasure.evaluation.intervals.interval import Interval, no_interval
from goodmeasure.evaluation.intervals.proportions import Proportion, wilson
from goodmeasure.evaluation.multilabel import (
    AVERAGES,
    MACRO,
    MICRO,
    SAMPLES,
    WEIGHTED,
    Multilabel,
    item_values,
    label_averages,
    label_terms,
    mean_of_labels,
)
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

EXACT_MATCH = "exact_match"
JACKKNIFE = "wilson, jackknife of items"
_MOST_LEFT_OUT = 4_000_000  # matrices of labels: with more, items are put into groups at random
_BLOCKS = 2000
_IMAGINED = 1.0  # items: docs/tasks.md has the coverage
_AT_ONCE = 1 << 18
_NOTHING = 1e-9  # a sum of whole numbers below this is 0


@dataclass(frozen=True)
class Average:
    """An average over labels or items, with its confidence interval.

    `average` is "macro", "micro", "weighted" or "samples"; None for the share of items all of whose labels are right,
    which is called "exact_match".
    """

    average: str | None
    measure: str
    value: float
    low: float
    high: float
    standard_error: float
    method: str
    reason: str | None = None


def averages_of(
    found: Multilabel, measures: Sequence[Measure], confidence: float | None, policy: Policy, seed: int = 0
) -> tuple[Average, ...]:
    """Return every average of each measure, and the exact match, with confidence intervals."""
    units = MultilabelUnits(found, seed)
    return averages_by(units, units.all_moved(measures, policy.quiet), measures, confidence, policy)


def averages_by(
    units: MultilabelUnits, moved: Sequence[Array], measures: Sequence[Measure], confidence: float | None,
    policy: Policy,
) -> tuple[Average, ...]:  # fmt: skip
    """Return what `averages_of` does; `moved` says how far each average moves without each unit."""
    kinds = [(f, average) for f in measures for average in AVERAGES]
    rows = [
        _row(average, f.name, units.found.average(f, average, undefined=policy), x, units, f.range, confidence)
        for (f, average), x in zip(kinds, moved, strict=False)
    ]
    return (*rows, _row(None, EXACT_MATCH, units.found.exact_match, moved[-1], units, (0.0, 1.0), confidence))


def average_name(average: str | None, measure: str) -> str:
    """Return the name of an average, such as macro(f1); the exact match has no kind of average."""
    return measure if average is None else f"{average}({measure})"


def _row(
    average: str | None, name: str, value: float, moved: Array, units: MultilabelUnits,
    ends: tuple[float, float] | None, confidence: float | None,
) -> Average:  # fmt: skip
    interval = no_interval("none was asked for")
    if confidence is not None:
        interval = units.interval(value, moved, ends, confidence)
    reason = "no label, or no item, has a value" if math.isnan(value) else interval.reason or None
    error = math.nan if math.isnan(value) else units.standard_error(moved)
    asked = None if confidence is None and not math.isnan(value) else reason
    return Average(average, name, value, interval.low, interval.high, error, interval.method, asked)


class LeftOutUnits:
    """Items or groups of items, and how far averages over labels move without each of them."""

    counts: Array
    """The decisions (labels, 2, 2) about all items."""
    number: int
    """How many units there are."""
    items: float
    """How many items of one weight tell as much as all of them."""

    def blocks(self) -> Iterator[Array]:
        """Yield the counts (units, labels, 2, 2) of single units."""
        raise NotImplementedError

    def effective(self) -> float:
        """Return the effective number of units: how many units of equal size carry as much information."""
        return self.items

    def freedom(self) -> float | None:
        """Return the degrees of freedom of the standard error; None for items, which are many."""
        return None

    def moved(self, measures: Sequence[Measure], policy: Policy) -> list[dict[str, Array]]:
        """Return, for each measure and average, how far the average moves without each unit."""
        pieces: list[list[dict[str, Array]]] = [[] for _ in measures]
        counts = self.counts.astype(np.float64)
        for block in self.blocks():
            left = np.maximum(0.0, counts - block)
            left[left < 1e-9 * counts] = 0.0  # what is left of weights that cancel but for rounding
            empty = left.sum(axis=(1, 2, 3)) == 0  # there is one unit only, or one that has all the weight
            left[empty] = counts
            for k, f in enumerate(measures):
                found = label_averages(f, left, policy)
                pieces[k].append({name: np.where(empty, np.nan, x) for name, x in found.items()})
        moved = []
        for k, f in enumerate(measures):
            here = label_averages(f, counts, policy)
            moved.append({x: np.concatenate([[], *(piece[x] for piece in pieces[k])]) - here[x] for x in here})
        return moved

    def standard_error(self, moved: Array) -> float:
        """Return the jackknife standard error; units without which an average is undefined are left out."""
        known = moved[np.isfinite(moved)]
        if len(known) < 2:
            return math.nan
        return math.sqrt((len(known) - 1) / len(known) * float(((known - known.mean()) ** 2).sum()))

    def quantile(self, confidence: float) -> float:
        """Return how many standard errors an interval reaches: with groups, by Student's t."""
        share, freedom = 0.5 + confidence / 2, self.freedom()
        return NormalDist().inv_cdf(share) if freedom is None else students_quantile(share, freedom)

    def interval(self, value: float, moved: Array, ends: tuple[float, float] | None, confidence: float) -> Interval:
        """Return Wilson's interval with an effective sample size; without a finite range, z standard errors."""
        if math.isnan(value):
            return no_interval("the value is undefined")
        if self.number < 2:
            return no_interval("one item, or one group of them, cannot tell how they vary")
        error, reach = self.standard_error(moved), self.quantile(confidence)
        if math.isnan(error):
            return no_interval("the value is undefined without single items")
        if ends is None or not all(map(math.isfinite, ends)):
            return Interval(value - reach * error, value + reach * error, "jackknife of items", error)
        width = ends[1] - ends[0]
        share, items = min(max((value - ends[0]) / width, 0.0), 1.0), self.items
        imagined = _IMAGINED * (share**2 + (1 - share) ** 2) / 2 / items**2
        size = share * (1 - share) / ((error / width) ** 2 + imagined) if 0 < share < 1 else self.effective()
        low, high = (ends[0] + width * x for x in wilson(Proportion(share, size), reach))
        return Interval(min(low, value), max(high, value), JACKKNIFE, error)


class MultilabelUnits(LeftOutUnits):
    """The items of multilabel data, or their groups, and how far averages move without each."""

    def __init__(self, found: Multilabel, seed: int = 0) -> None:
        self.found, self.decisions = found, found.decisions
        items, labels = self.decisions.items, self.decisions.labels
        self.group, self.blocked = self.decisions.group, False
        self.alike = self.group is None and self.decisions.weight is None
        if self.group is None and not self.alike and items * labels > _MOST_LEFT_OUT:
            drawing = np.random.default_rng(np.random.SeedSequence([seed, 7]))
            self.group, self.blocked = drawing.permutation(items) % _BLOCKS, True
        self.weight = np.ones(items) if self.decisions.weight is None else self.decisions.weight
        self.number = items if self.group is None else int(self.group.max()) + 1
        self.counts, self.items = found.counts, _effective(self.weight)
        self.by_group = None if self.group is None else self._added(self.group)

    @property
    def grouped(self) -> bool:
        """Return whether users grouped the items."""
        return self.decisions.group is not None

    def _added(self, group: Array) -> Array:
        """Return the counts (groups, labels, 2, 2) of each group."""
        given, labels = self.decisions, self.decisions.labels
        found = np.bincount(
            (group[given.item] * labels + given.label) * 4 + given.cell, self.weight[given.item],
            self.number * labels * 4,
        ).reshape(self.number, labels, 4)  # fmt: skip
        alone = np.bincount(group[given.item] * labels + given.label, minlength=self.number * labels)
        sizes = np.bincount(group, minlength=self.number)[:, None]
        left = np.bincount(group, self.weight, self.number)[:, None] - found.sum(axis=2)
        found[:, :, 0] = np.where(alone.reshape(self.number, labels) < sizes, np.maximum(left, 0.0), 0.0)
        return found.reshape(self.number, labels, 2, 2)

    def blocks(self) -> Iterator[Array]:
        """Yield the counts (units, labels, 2, 2) of single units."""
        labels = self.decisions.labels
        step = max(1, _AT_ONCE // labels)
        for start in range(0, self.number, step):
            mine = slice(start, start + step)
            if self.by_group is not None:
                yield self.by_group[mine]
            else:
                cells = self.decisions.cells(mine)
                each = (cells[:, :, None] == np.arange(4)) * self.weight[mine, None, None]
                yield each.reshape(*each.shape[:2], 2, 2)

    def _moved_alike(self, f: Measure, policy: Policy) -> dict[str, Array]:
        """Return how far averages over labels move without each item, where all items weigh the same.

        Without an item, a label has one of four matrices, each with one decision less. So every label is measured four
        times, and an item adds up what it finds there, instead of a matrix of each label without each item.
        """
        given, found = self.decisions, self.found
        if self.number < 2:
            return dict.fromkeys((MACRO, MICRO, WEIGHTED), np.full(1, np.nan))
        counts = found.counts.reshape(-1, 4).astype(np.float64)
        left = counts - np.eye(4)[:, None, :] * (counts > 0)
        terms = label_terms(f, left.reshape(4, -1, 2, 2), policy, (MACRO, WEIGHTED))
        here = label_averages(f, found.counts.astype(np.float64), policy)
        moved = {}
        for average, parts in terms.items():
            above, below = (
                x[0].sum() + np.bincount(given.item, (x[given.cell, given.label] - x[0, given.label]), self.number)
                for x in parts
            )
            moved[average] = mean_of_labels(above, np.where(np.abs(below) < _NOTHING, 0.0, below), average, f, policy)
        totals = np.maximum(found.counts.sum(axis=0) - found.by_item, 0).astype(np.float64)
        moved[MICRO] = np.asarray(f(totals, undefined=policy), np.float64)[given.pattern]
        return {x: moved[x] - here[x] for x in here}

    def moved(self, measures: Sequence[Measure], policy: Policy) -> list[dict[str, Array]]:
        """Return, for each measure and average, how far the average moves without each unit."""
        of_labels = [self._moved_alike(f, policy) for f in measures] if self.alike else super().moved(measures, policy)
        return [
            {**x, SAMPLES: self._moved_mean(item_values(f, self.found.by_item, policy))}
            for f, x in zip(measures, of_labels, strict=True)
        ]

    def all_moved(self, measures: Sequence[Measure], policy: Policy) -> list[Array]:
        """Return how far each average of each measure, and the exact match, moves without each unit."""
        matches = self._moved_mean(self.found.exact_matches().astype(np.float64))
        return [*(x[average] for x in self.moved(measures, policy) for average in AVERAGES), matches]

    def sums(self, by_pattern: Array) -> tuple[Array, Array]:
        """Return, by unit, the sum of the values that items have and the weight of the items that have one."""
        values = by_pattern[self.decisions.pattern]
        known = ~np.isnan(values)
        both = np.where(known, values, 0.0) * self.weight, known * self.weight
        if self.group is None:
            return both
        above, below = (np.bincount(self.group, x, minlength=self.number) for x in both)
        return above, below

    def _moved_mean(self, by_pattern: Array) -> Array:
        above, below = self.sums(by_pattern)
        with np.errstate(all="ignore"):
            left = (above.sum() - above) / (below.sum() - below)
            found: Array = left - above.sum() / below.sum()
        return found

    def effective(self) -> float:
        """Return the effective number of units: (Σ size)²/Σ size²."""
        return _effective(self.weight if self.group is None or self.blocked else np.bincount(self.group, self.weight))

    def freedom(self) -> float | None:
        """Return the degrees of freedom of the standard error; None for items, which are many."""
        return max(1.0, self.effective() - 1) if self.grouped else None


class BlockedUnits(LeftOutUnits):
    """Blocks of items, of which only the counts are known: `tables` has them for each (tables, blocks, labels, 2, 2).

    With weights there are three tables: their sums, the sums of their squares, and items. Items whose decision about
    some labels was left out count as often as the label that has most.
    """

    def __init__(self, tables: Array) -> None:
        sizes = tables.sum(axis=(-1, -2))
        kept = sizes[-1].any(axis=-1)
        self._blocks = tables[0][kept].astype(np.float64)
        self.counts, self.number = self._blocks.sum(axis=0), int(kept.sum())
        if (np.count_nonzero(sizes[0], axis=0) < 2).any():  # without its only block, a label would have no decisions
            self.number = 1
        total = sizes.sum(axis=1)
        self.items = float(np.max(total[0] ** 2 / np.maximum(total[1], 1e-300)) if len(tables) > 1 else total[0].max())
        self._are_items = float(sizes[-1].max()) <= 1

    def freedom(self) -> float | None:
        """Return the degrees of freedom of the standard error; None where every block is one item."""
        return None if self._are_items else max(1.0, self.number - 1)

    def blocks(self) -> Iterator[Array]:
        """Yield the counts (units, labels, 2, 2) of single units."""
        if self.number < 2:
            return
        step = max(1, _AT_ONCE // self.counts.shape[0])
        for start in range(0, self.number, step):
            yield self._blocks[start : start + step]


def _effective(sizes: Array) -> float:
    return float(sizes.sum() ** 2 / (sizes**2).sum())
