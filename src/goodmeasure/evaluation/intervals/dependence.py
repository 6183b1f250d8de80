"""Items in groups: which groups hold which classes, and what this means for each quantity.

A quantity is known by its influences, one for each entry: an item, or the items of one group in one cell. Groups are
drawn as a whole, so the influences of a group are added before they are squared. How much larger the variance is than
that of independent items (the design effect), and how well it is known (the degrees of freedom), depends on the
quantity. If the label belongs to the group (all records of a patient have one diagnosis), the share of a class is known
from as many observations as there are groups, a recall from the groups of its class only, and the accuracy may hardly
depend on groups at all.

The influences of a quantity are taken apart: the mean influence of each true class, times the weight that a group has
in it (the class shares vary), and the rest (the classes given, what is said about their items varies). A class that is
held by G groups says about its own part what G observations say, so that this part is multiplied by G/(G − 1) and has
G − 1 degrees of freedom; those of the sum follow Satterthwaite (1946) and Welch (1947). Groups that differ in size
count as (Σ size)²/Σ size² equal ones (compare Carter, Schnepel and Steigerwald 2017).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from goodmeasure.typing import Array


class Dependence:
    """The groups of entries with a true class and a weight, and the variances of quantities that follow from them."""

    def __init__(self, group: Array, kind: Array, weight: Array | None, groups: int) -> None:
        self.group, self.kind = np.asarray(group, np.int64), np.asarray(kind, np.int64)
        self.weight = np.ones(len(self.group)) if weight is None else np.asarray(weight, np.float64)
        self.groups, self.kinds = groups, int(self.kind.max(initial=0)) + 1

    @cached_property
    def _pairs(self) -> tuple[Array, Array]:
        """Return the true class of each pair of a group and a class that it holds, and the pair of each entry."""
        held, pair = np.unique(self.group * self.kinds + self.kind, return_inverse=True)
        return held % self.kinds, pair

    @cached_property
    def sizes(self) -> Array:
        """Return the weight of each true class."""
        return np.asarray(np.bincount(self.kind, self.weight, self.kinds))

    @cached_property
    def held(self) -> Array:
        """Return the effective number of groups that hold each true class; 0 where none does."""
        kinds, pair = self._pairs
        squares = np.bincount(kinds, np.bincount(pair, self.weight) ** 2, self.kinds)
        found: Array = np.divide(self.sizes**2, squares, out=np.zeros(self.kinds), where=squares > 0)
        return found

    def effective(self, counted: Array | None = None) -> float:
        """Return the effective number of groups that hold the entries of a mask (all of them by default)."""
        here = slice(None) if counted is None else counted
        totals = np.bincount(self.group[here], self.weight[here])
        squares = float((totals**2).sum())
        return float(totals.sum() ** 2 / squares) if squares > 0 else 0.0

    @cached_property
    def all(self) -> float:
        """Return the effective number of groups."""
        return self.effective()

    def summed(self, influences: Array) -> Array:
        """Return the influence of each group; the sum of their squares is the variance of the quantity."""
        between, rest = self._parts(influences)
        rest *= np.sqrt(_growth(self.held))[self.kind]
        between *= float(np.sqrt(_growth(np.array(self.all))))
        added = np.bincount(self.group, between + rest, self.groups)
        return np.asarray(added - added.mean())

    def variance(self, influences: Array) -> float:
        """Return the sampling variance of a quantity."""
        return float((self.summed(influences) ** 2).sum())

    def freedom(self, influences: Array) -> float:
        """Return the degrees of freedom of the variance of a quantity, 1 or more."""
        (kinds, pair), (between, rest) = self._pairs, self._parts(influences)
        own = np.bincount(kinds, np.bincount(pair, rest) ** 2, self.kinds) * _growth(self.held)
        shared = float((np.bincount(self.group, between) ** 2).sum())
        most = max(1.0, self.all - 1)
        below = float((own**2 / np.maximum(1.0, self.held - 1)).sum()) + shared**2 / most
        if not below > 0:
            return most
        squares = self.summed(influences) ** 2
        few = 3 * float(squares.sum()) ** 2 / max(float((squares**2).sum()), 1e-300)
        return max(1.0, min(most, few, (float(own.sum()) + shared) ** 2 / below))

    def likeness(self, influences: Array) -> float:
        """Return how alike the entries of a group are: 0 if they are independent, 1 if they are copies of each other.

        The variance is compared with that of independent entries, and with as many times that as a group has entries.
        """
        alone = float((influences**2).sum())
        most = float(self.weight.sum() ** 2 / (self.weight**2).sum()) / self.all
        if not alone > 0 or not most > 1:
            return 1.0
        return min(1.0, max(0.0, (self.variance(influences) / alone - 1) / (most - 1)))

    def _parts(self, influences: Array) -> tuple[Array, Array]:
        """Return the part of each influence that all items of its true class share, and the rest."""
        sums = np.bincount(self.kind, influences, self.kinds)
        mean = np.divide(sums, self.sizes, out=np.zeros(self.kinds), where=self.sizes > 0)
        between = mean[self.kind] * self.weight
        return between, influences - between


def _growth(groups: Array) -> Array:
    """Return the factor G/(G − 1) of a variance around a mean of G groups; a single group has no such variance."""
    found: Array = np.divide(groups, groups - 1, out=np.ones_like(groups), where=groups > 1 + 1e-9)
    return found
