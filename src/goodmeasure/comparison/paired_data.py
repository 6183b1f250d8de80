"""What a comparison asks of any kind of data: five questions about systems on the same items.

1. *Values*: what each system reaches in each quantity, with the interval of that value alone.
2. *Influence*: how the difference of two systems varies, and all systems together, as far as the influence of each item
   tells.
3. *Pairs*: tests that count or swap what two systems say about the same items.
4. *Units*: what varies, items or groups of items, and where they are too few to tell anything.
5. *Resamples*: the values on items that are drawn again, for all systems at once.

Labels, scores, several labels for each item, and scores that do not fit into memory have one class each that answers
them. Tests, intervals, ranks and tables follow from the answers (`inference.py`, `tables.py`).
"""

# ruff: noqa: B027  # a method without a body returns None: an answer that need not be given

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from goodmeasure.comparison.rows import COLUMNS
from goodmeasure.comparison.settings import ComparedQuantity, ComparisonSettings
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.interval import Interval
from goodmeasure.evaluation.joint_tests import normal_values
from goodmeasure.evaluation.p_values import beyond_seen, p_of_draws
from goodmeasure.typing import Array, Label

SystemPair = tuple[int, int]
WantedTests = dict[SystemPair, list[int]]  # the quantities in which each pair of systems is tested

BOOTSTRAP, NORMAL = "bootstrap", "normal"
STUDENT = "t-test of the groups"


class PairedTest(NamedTuple):
    """A p-value and the test that gave it."""

    p: float
    method: str


class DifferenceSpread(NamedTuple):
    """How a difference varies: around which middle, with which standard error, and what is named in a row for it.

    Without degrees of freedom, it is normal.
    """

    middle: float
    error: float
    freedom: float | None
    method: str


class Discordant(NamedTuple):
    """How many items count, and how many of them only one of two systems gets right.

    A quantity that is a share of right answers has Tango's interval, times its `scale`; None for other quantities.
    """

    first: int
    second: int
    items: int
    scale: float | None


class AtMargin(NamedTuple):
    """How a difference varies where it is as large as a margin.

    `growth` returns the factors by which its variance grows where the difference has these sizes.
    """

    freedom: float | None
    growth: Callable[[Array], Array]


PermutationTests = Callable[[SystemPair, list[int]], list[PairedTest]]


class PairedData(ABC):
    """Systems on the same items. Quantities and systems are named by their places; a difference is first minus second.

    `samples` are the counts of each system, where the items have labels, and `group` is the group of each item, by
    number. With `draws_items`, ranks vary as on the resamples, and otherwise as the influences say.
    """

    settings: ComparisonSettings
    systems: tuple[str, ...]
    quantities: Sequence[ComparedQuantity]
    labels: tuple[Label, ...]
    items: int
    group: Array | None
    samples: Sequence[Sample] = ()
    columns: Mapping[str, tuple[str, ...]] = COLUMNS  # of each kind of rows
    draws_items: bool = False
    no_error = "the difference has no standard error here"  # why there is no test

    # Values

    values: Array  # (systems, quantities)
    reasons: list[list[str | None]]  # by system and quantity: why a value is undefined, or which rule gave it
    errors: Array | None = None  # how far values may be from the exact ones

    @abstractmethod
    def score_intervals(self, k: int) -> list[Interval]:
        """Return the confidence interval of each value of one system."""

    def named(self, i: int) -> dict[str, str | None]:
        """Return the columns of a row that name a quantity."""
        return {"measure": self.quantities[i].name}

    def difference(self, i: int, pair: SystemPair) -> float:
        """Return the value of the first system minus that of the second."""
        return float(self.values[pair[0], i]) - float(self.values[pair[1], i])

    def uncertain_by(self, i: int, pair: SystemPair) -> float:
        """Return how far a difference can be from its exact value."""
        return 0.0 if self.errors is None else float(self.errors[list(pair), i].sum())

    def ensemble(self) -> tuple[Array, Array, list[tuple[float, float]]] | None:
        """Return the mean of several quantities by system, how it varies (systems, replicates), and its intervals."""

    # Influence

    @abstractmethod
    def spread(self, i: int, pair: SystemPair) -> DifferenceSpread | None:
        """Return how a difference varies; None where only resamples tell."""

    @abstractmethod
    def covariance(self, i: int) -> Array | None:
        """Return the covariances (systems, systems) of values, NaN where unknown; None where only resamples tell."""

    def by_unit(self, i: int) -> Array | None:
        """Return how far each unit moves each value (systems, units); None where only resamples tell."""

    def smoothed(self, i: int, pair: SystemPair) -> DifferenceSpread | None:
        """Return how a difference varies if a few imagined items are added, which keep intervals from being short."""
        return self.spread(i, pair)

    def at_margin(self, i: int, pair: SystemPair) -> AtMargin | None:
        """Return how a difference varies where it is as large as a margin; None: as everywhere else."""

    # Pairs

    def discordant(self, i: int, pair: SystemPair) -> Discordant | None:
        """Return how often only one of two systems is right, where the test of a difference is to count that."""

    def permutation_tests(self, wanted: WantedTests, together: int | None) -> PermutationTests | None:
        """Return what makes permutation tests, of which `together` are corrected jointly; None: there are others."""

    # Units

    def untested(self, i: int, pair: SystemPair) -> str | None:
        """Return why a difference cannot be tested, if so."""
        return "a value is undefined" if math.isnan(self.difference(i, pair)) else None

    def unvaried(self, i: int, pair: SystemPair) -> str | None:
        """Return why a difference has no interval, if so."""
        return self.untested(i, pair)

    # Resamples

    @abstractmethod
    def drawn(self, i: int) -> Array:
        """Return the values (systems, replicates) on resamples that are the same for all systems."""

    def moved(self, i: int, pair: SystemPair) -> Array:
        """Return the differences on resamples where both values are defined, sorted."""
        drawn = self.drawn(i)
        moved = drawn[pair[0]] - drawn[pair[1]]
        return np.sort(moved[~np.isnan(moved)])

    def p_of_resamples(self, i: int, pair: SystemPair) -> float:
        """Return the p-value by the bootstrap, with differences shifted to the null hypothesis of no difference.

        The differences on resamples vary around the observed difference as observed ones would vary around the true
        one. So their distances from the observed difference stand for the distances from 0 that occur where the true
        difference is 0 (the shift method: Noreen 1989). The p-value is the share of resamples on which the distance is
        at least as large as the observed difference.
        """
        here, drawn = self.difference(i, pair), self.drawn(i)
        moved = np.abs(drawn[pair[0]] - drawn[pair[1]] - here)
        return p_of_draws(float(beyond_seen(moved, abs(here))), len(moved))

    # What follows

    def varying(self, i: int) -> Array:
        """Return how the values of a quantity vary (systems, replicates): on resamples, or as normal variables."""
        covariance = self.covariance(i)
        return self.drawn(i) if covariance is None else self._normal(self.values[:, i], covariance)

    def _normal(self, values: Array, covariance: Array) -> Array:
        """Return normal variables (systems, replicates), which do not depend on the order of the systems."""
        known = np.isfinite(values) & np.isfinite(covariance.diagonal())
        by_name = np.argsort(self.systems)
        means, covariance = np.where(known, values, 0.0)[by_name], covariance[np.ix_(by_name, by_name)]
        drawn = np.empty((len(self.systems), self.settings.replicates))
        drawn[by_name] = normal_values(
            means, np.where(np.isfinite(covariance), covariance, 0.0), self.settings.replicates, self.settings.seed
        )
        return np.where(known[:, None], drawn, np.nan)
