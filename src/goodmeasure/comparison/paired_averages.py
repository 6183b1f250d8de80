"""Systems that give several labels to an item: how every average varies, and tests that swap what the systems said.

Items are what varies, with all their labels (or groups of items, see `evaluation/multilabel_averages.py`). The p-value
is that of a permutation test: if two systems are alike, it is chance which of them said what, so their labels are
swapped on a random half of the items (or groups). Where the items are too many for that, it is the difference over its
standard error. The standard error comes from the jackknife: how far the difference moves without each item.

The interval reaches z standard errors to each side. Where two systems hardly disagree, the standard error comes out too
small, so 0.6 z² imagined items are added, of which a quarter is right in the first system only and a quarter in the
second only (compare Agresti and Min 2005). Then the test decides whether 0 belongs to it, as in other comparisons.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from goodmeasure.catalogue.measure import HIGHER, Measure
from goodmeasure.comparison.difference_intervals import with_imagined
from goodmeasure.comparison.paired_data import (
    NORMAL,
    STUDENT,
    DifferenceSpread,
    PairedData,
    PairedTest,
    PermutationTests,
    SystemPair,
)
from goodmeasure.comparison.permutation import PERMUTATION
from goodmeasure.comparison.rows import AVERAGE_COLUMNS
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.evaluation.intervals.interval import Interval
from goodmeasure.evaluation.multilabel import AVERAGES, SAMPLES, Multilabel, item_values, label_averages
from goodmeasure.evaluation.multilabel_averages import EXACT_MATCH, MultilabelUnits, average_name, averages_by
from goodmeasure.evaluation.p_values import beyond_seen, p_of_draws
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array

_MOST_SWAPPED = 4_000_000_000  # units × labels × swaps of one pair: some seconds
_SWAPS_AT_ONCE = 256


@dataclass(frozen=True)
class LabelAverage:
    """An average of a measure over labels or items; without a kind of average, the share of exact matches."""

    average: str | None
    measure: str
    orientation: str
    range: tuple[float, float] | None

    @property
    def name(self) -> str:
        """Return the name, such as macro(f1)."""
        return average_name(self.average, self.measure)


class PairedAverages(PairedData):
    """The averages of all systems over the labels of the same items."""

    columns = AVERAGE_COLUMNS

    quantities: Sequence[LabelAverage]

    def __init__(self, data: Mapping[str, Multilabel], settings: ComparisonSettings) -> None:
        self.settings, self.quiet = settings, settings.policy.quiet
        self.systems, found = tuple(data), list(data.values())
        self.labels, self.items = found[0].labels, found[0].decisions.items
        self.group = found[0].decisions.group
        self.measures = [f for f in settings.measures if isinstance(f, Measure)]
        averages = [LabelAverage(x, f.name, f.orientation, f.range) for f in self.measures for x in AVERAGES]
        self.quantities = [*averages, LabelAverage(None, EXACT_MATCH, HIGHER, (0.0, 1.0))]
        self.units = [MultilabelUnits(x, settings.seed) for x in found]
        self._moved = [x.all_moved(self.measures, self.quiet) for x in self.units]
        self._averages = [
            averages_by(units, moved, self.measures, settings.confidence, settings.policy)
            for units, moved in zip(self.units, self._moved, strict=True)
        ]
        self._freedom = self.units[0].freedom()
        self._errors: dict[tuple[int, SystemPair], float] = {}
        self.values = np.array([[x.value for x in rows] for rows in self._averages])
        self.reasons = [[x.reason for x in rows] for rows in self._averages]

    def named(self, i: int) -> dict[str, str | None]:
        return {"average": self.quantities[i].average, "measure": self.quantities[i].measure}

    def score_intervals(self, k: int) -> list[Interval]:
        return [Interval(x.low, x.high, x.method, x.standard_error) for x in self._averages[k]]

    # Influence

    def spread(self, i: int, pair: SystemPair) -> DifferenceSpread:
        if (i, pair) not in self._errors:
            self._errors[i, pair] = self.units[0].standard_error(self._moved[pair[0]][i] - self._moved[pair[1]][i])
        method = NORMAL if self._freedom is None else STUDENT
        return DifferenceSpread(self.difference(i, pair), self._errors[i, pair], self._freedom, method)

    def smoothed(self, i: int, pair: SystemPair) -> DifferenceSpread:
        """Return how the difference varies with imagined items on which the systems disagree.

        An imagined item is wrong in one decision. That moves the mean over items by as much as a whole item, and an
        average over labels by 1/√labels of it: labels count about equally, and the errors in them are different ones.
        """
        here, error, freedom, _ = self.spread(i, pair)
        f, units = self.quantities[i], self.units[0]
        items = float(units.weight.sum() ** 2 / (units.weight**2).sum())
        width = math.inf if f.range is None else f.range[1] - f.range[0]
        labels = 1 if f.average in (None, SAMPLES) else units.decisions.labels
        squared = width**2 / labels if math.isfinite(width) else 0.0
        here, error = with_imagined(here, error, items, self.settings.confidence, squared)
        return DifferenceSpread(here, error, freedom, "jackknife of items")

    def by_unit(self, i: int) -> Array:
        moved = np.stack([x[i] for x in self._moved])
        known = np.isfinite(moved).all(axis=0)
        found: Array = np.where(known, moved - moved[:, known].sum(axis=1, keepdims=True) / max(1, known.sum()), 0.0)
        return found

    def covariance(self, i: int) -> Array:
        moved = np.stack([x[i] for x in self._moved])
        known = moved[:, np.isfinite(moved).all(axis=0)]
        number = known.shape[1]
        if number < 2:
            return np.full((len(moved), len(moved)), np.nan)
        apart = known - known.mean(axis=1, keepdims=True)
        found: Array = apart @ apart.T * ((number - 1) / number)
        return found

    # Units

    def untested(self, i: int, pair: SystemPair) -> str | None:
        few = "there is one item or group" if self.units[0].number < 2 else None
        return PairedData.untested(self, i, pair) or few

    def unvaried(self, i: int, pair: SystemPair) -> str | None:
        unknown = self.units[0].number < 2 or math.isnan(self.spread(i, pair).error)
        few = "one item, or one group of them, cannot tell how they vary" if unknown else None
        return PairedData.untested(self, i, pair) or few

    # Pairs

    def permutation_tests(self, *_: object) -> PermutationTests | None:
        units = self.units[0]
        work = units.number * len(self.labels) * self.settings.replicates
        return None if self.settings.method == NORMAL or units.blocked or work > _MOST_SWAPPED else self._permuted

    def _permuted(self, pair: SystemPair, places: list[int]) -> list[PairedTest]:
        """Return the tests of a pair, by differences with the systems swapped on random halves of the units."""
        drawing, s = np.random.default_rng(np.random.SeedSequence([self.settings.seed, 8])), self.settings
        pieces: list[list[Array]] = []
        for start in range(0, s.replicates, _SWAPS_AT_ONCE):
            size = min(_SWAPS_AT_ONCE, s.replicates - start)
            swaps = drawing.integers(0, 2, (size, self.units[0].number)).astype(np.float64)
            pieces.append(self._swapped(pair, swaps))
        swapped = [np.concatenate(each) for each in zip(*pieces, strict=True)]
        beyond = [float(beyond_seen(np.abs(swapped[i]), abs(self.difference(i, pair)))) for i in places]
        return [PairedTest(p_of_draws(x, s.replicates), PERMUTATION) for x in beyond]

    def _swapped(self, pair: SystemPair, swaps: Array) -> list[Array]:
        """Return the differences (swaps) of every average."""
        units = [self.units[k] for k in pair]
        one, two = (x.found.counts.astype(np.float64) for x in units)
        turned, start = np.zeros((len(swaps), *one.shape)), 0
        for here, there in zip(*(x.blocks() for x in units), strict=True):
            apart = (there - here).reshape(len(here), -1)
            turned += (swaps[:, start : start + len(here)] @ apart).reshape(turned.shape)
            start += len(here)
        both = [_without_rounding(one + turned, one + two), _without_rounding(two - turned, one + two)]
        found = []
        for f in self.measures:
            first, second = (label_averages(f, x, self.quiet) for x in both)
            by_pattern = [item_values(f, x.found.by_item, self.quiet) for x in units]
            means = _mean_difference(units, swaps, by_pattern)
            each = {name: first[name] - second[name] for name in first} | {SAMPLES: means}
            found += [each[name] for name in AVERAGES]
        matches = [x.found.exact_matches().astype(np.float64) for x in units]
        return [*found, _mean_difference(units, swaps, matches)]

    # Resamples

    def drawn(self, i: int) -> Array:
        """Return normal variables: items with several labels are not drawn again."""
        return self.varying(i)


def _mean_difference(units: Sequence[MultilabelUnits], swaps: Array, by_pattern: Sequence[Array]) -> Array:
    """Return the differences of means over items."""
    (above, below), (others, under) = (x.sums(y) for x, y in zip(units, by_pattern, strict=True))
    up, down = swaps @ (others - above), swaps @ (under - below)
    with np.errstate(all="ignore"):
        found: Array = (above.sum() + up) / (below.sum() + down) - (others.sum() - up) / (under.sum() - down)
    return found


def _without_rounding(counts: Array, scale: Array) -> Array:
    """Return the counts, with the rounding errors of weights that should cancel set to 0."""
    found: Array = np.where(counts < 1e-9 * scale, 0.0, counts)
    return found


def check_same_items(systems: Sequence[str], found: Sequence[Multilabel]) -> None:
    """Refuse systems whose true labels, weights or groups differ."""
    first = found[0]
    for name, other in zip(systems[1:], found[1:], strict=True):
        same = first.labels == other.labels and all(
            np.array_equal(getattr(first.decisions, key), getattr(other.decisions, key))
            if getattr(first.decisions, key) is not None and getattr(other.decisions, key) is not None
            else getattr(first.decisions, key) is getattr(other.decisions, key)
            for key in ("true_places", "weight", "group")
        )
        if not same:
            raise InputError(
                "{first!r} and {other!r} have different labels, true labels, weights or groups",
                first=systems[0],
                other=name,
                advice="count all systems with the same y_true, labels, sample_weight and groups",
            )
