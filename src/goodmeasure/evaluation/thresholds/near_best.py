"""Which thresholds may be the best one: all that are not significantly worse than the best of the sample.

The best threshold of a sample jumps from score to score: it converges slowly (with the cube root of the number of
items: Kim and Pollard 1990), and the bootstrap does not imitate its distribution (Abrevaya and Huang 2005). So the
interval of the threshold is not a matter of resampling. It is the range of thresholds whose value is not significantly
worse than that of the best one, by a paired test of two classifiers on the same items. The test is the smoothed one
that `comparison/` uses for differences: a few imagined items are added, which the two classifiers get right or wrong
independently, and the standard error comes from the influence of each item. Items beyond both thresholds are predicted
alike, so only their slopes count; what decides are the items between the two thresholds. As the best threshold of the
sample is never worse than another one, the test is one-sided.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from goodmeasure.catalogue.measure import LOWER, Measure
from goodmeasure.evaluation.intervals.dependence import Dependence
from goodmeasure.evaluation.intervals.distributions import students_quantile
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

_IMAGINED = 0.6  # × z² imagined items, as for differences of two systems
_CLASSES = np.array([0, 0, 1, 1])
_SAID = np.array([0, 1, 0, 1])


class NearBest:
    """Paired tests of every threshold against the best one, on items (2, bins) by class and bin of score.

    `squares` are the sums of squared weights. With groups, `units` is the group of each item, `place` its bin, plus the
    number of bins where it is positive, and `weights` its weight.
    """

    def __init__(
        self, items: Array, squares: Array, policy: Policy, confidence: float,
        grouped: tuple[Array, Array, Array] | None = None,
    ) -> None:  # fmt: skip
        self.items, self.squares, self.grouped = items, squares, grouped
        self.samples = Samples(2, _CLASSES, _SAID, policy, whole=False)
        bins = items.shape[1]
        self.accepted = np.append(np.arange(1, bins + 1), 0)  # bins that are predicted positive, at each place
        self.confidence, self.worth = confidence, float(squares.sum() / items.sum())
        self.imagined = _IMAGINED * NormalDist().inv_cdf(0.5 + confidence / 2) ** 2 * self.worth

    def kept(self, f: Measure, cells: Array, best: int) -> Array | None:
        """Return which places of cells (2, 2, places) may be the best; None if the measure has no derivative."""
        flat = cells.reshape(4, -1)
        smooth = flat + self.imagined / 4
        slopes = self.samples.slopes_of(f, smooth)
        if slopes is None:
            return None
        sign = -1.0 if f.orientation == LOWER else 1.0
        with np.errstate(all="ignore"):
            here, middle = (sign * (x[best] - x) for x in (self.samples.values([f], [y])[0] for y in (flat, smooth)))
            variance, below = self._variance(slopes, best)
            error = np.sqrt(np.maximum(variance + self._of_imagined(slopes, best), 0.0))
            worse = (here > 0) & (middle > below * error)
        worse |= np.isnan(here)
        worse[best] = False
        found: Array = ~worse
        return found

    def _variance(self, slopes: Array, best: int) -> tuple[Array, Array | float]:
        """Return the variance of the difference from the best place that the items make, and its quantile."""
        if self.grouped is not None:
            return self._between_groups(slopes, best)
        low, high = (f(self.accepted, self.accepted[best]) for f in (np.minimum, np.maximum))
        squares, mean = np.zeros(len(low)), np.zeros(len(low))
        for positive in range(2):
            parts = self._influences(slopes, best, positive)
            ends = np.zeros_like(low), low, high, np.full_like(low, self.items.shape[1])
            mass, square = (np.append(0.0, np.cumsum(x[positive])) for x in (self.items, self.squares))
            for influence, start, stop in zip(parts, ends, ends[1:], strict=False):
                squares += (square[stop] - square[start]) * influence**2
                mean += (mass[stop] - mass[start]) * influence
        found: Array = squares - mean**2 * self.squares.sum() / self.items.sum() ** 2
        return found, NormalDist().inv_cdf(self.confidence)

    def _influences(self, slopes: Array, best: int, positive: int) -> tuple[Array, Array, Array]:
        """Return the influence of items that both thresholds accept, only one of them does, and none does."""
        refused, taken = slopes[2 * positive], slopes[2 * positive + 1]
        between = np.where(
            self.accepted < self.accepted[best], taken[best] - refused, refused[best] - taken
        )  # the best threshold accepts more, or fewer
        return taken[best] - taken, between, refused[best] - refused

    def _between_groups(self, slopes: Array, best: int) -> tuple[Array, Array]:
        """Return the variance from the influence of each group, place by place, and Student's quantile for it."""
        assert self.grouped is not None
        units, place, weights = self.grouped
        positive, at = np.divmod(place, self.items.shape[1])
        groups = Dependence(units, positive, weights, int(units.max()) + 1)
        found, below = (np.empty(slopes.shape[1]) for _ in range(2))
        theirs = slopes[2 * positive + (at < self.accepted[best]), best]
        for k in range(slopes.shape[1]):
            moved = weights * (theirs - slopes[2 * positive + (at < self.accepted[k]), k])
            found[k] = groups.variance(moved)
            below[k] = students_quantile(self.confidence, round(groups.freedom(moved), 1))
        return found, below

    def _of_imagined(self, slopes: Array, best: int) -> Array:
        """Return the variance that imagined items add; the two thresholds judge them independently, given the class."""
        by_cell, by_class = self.imagined / 4, self.imagined / 2
        alone = by_cell * ((slopes**2).sum(axis=0) + (slopes[:, best] ** 2).sum())
        means = slopes.reshape(2, 2, -1).mean(axis=1)
        found: Array = (alone - 2 * by_class * (means * means[:, best : best + 1]).sum(axis=0)) * self.worth
        return found
