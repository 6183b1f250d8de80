"""Which gaps between slices a page may call significant, among all that it looks at.

A page looks at every measure, by every column and combination of columns, of every system. If nothing differs, the
statistics of a column are quadratic forms of normal variables, whose correlations between measures are those of the
influences of the items. So the smallest p-value of the page can be drawn, and a p-value is corrected by the probability
that the smallest one is as small (min-P: Westfall and Young 1993). Columns and systems count as independent, which can
only make p-values larger (Šidák 1967).

A single slice is said to differ only where its column is. Its p-value is corrected over the slices by Holm's method,
and then over the measures.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.evaluation.intervals.sampling_units import units_of
from goodmeasure.evaluation.joint_tests import normal_values, quantile_of
from goodmeasure.evaluation.p_values import two_sided
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

_DRAWS = 4000


def correlations(sample: Sample, measures: Sequence[Measure], policy: Policy) -> Array:
    """Return the correlations of measures on one sample; 0 where the derivative of one is not known."""
    units = units_of(sample)
    samples, moved = Samples(units.m, units.rows, units.cols, policy, whole=units.whole), []
    for f in measures:
        slopes = samples.slopes(f, units.weight)
        influences, times = units.influences(np.where(np.isfinite(slopes), slopes, np.nan))
        size = float(np.sqrt((times * influences**2).sum()))
        moved.append(np.sqrt(times) * influences / size if np.isfinite(size) and size > 0 else np.zeros(len(times)))
    stacked = np.array(moved)
    found: Array = stacked @ stacked.T
    np.fill_diagonal(found, 1.0)
    return found


def beyond_draws(p: float, draws: int, tail: float) -> float:
    """Return a p-value from random shuffles, or that of the normal approximation where no deal is as extreme.

    The p-value of r shuffles is at least 1/(r + 1), which no correction for many claims would leave significant.
    """
    smallest = 1 / (draws + 1)
    return min(p, tail) if p <= smallest * 1.01 and not np.isnan(tail) else p


def tail_of_gap(values: Array, errors: Array) -> float:
    """Return the normal approximation of the p-value of equal values (Wilson and Hilferty 1931, of χ²)."""
    known = np.isfinite(values) & np.isfinite(errors) & (errors > 0)
    freedom = int(known.sum()) - 1
    if freedom < 1:
        return float("nan")
    weights = 1 / errors[known] ** 2
    mean = float((weights * values[known]).sum() / weights.sum())
    q, unit = float((weights * (values[known] - mean) ** 2).sum()), 2 / (9 * freedom)
    return min(1.0, two_sided(max(0.0, ((q / freedom) ** (1 / 3) - 1 + unit) / np.sqrt(unit))))


def tails_of_slices(values: Array, rests: Array, errors: Array, sizes: Array) -> Array:
    """Return the normal approximation of the p-value of each slice against the rest."""
    each = np.where(np.isfinite(errors), errors * sizes, 0.0) ** 2
    with np.errstate(all="ignore"):
        others = (each.sum() - each) / (sizes.sum() - sizes) ** 2
        z = (values - rests) / np.sqrt(errors**2 + others)
    return np.array([two_sided(float(x)) for x in z])


class SliceClaims:
    """How p-values are corrected for all gaps between slices of one page.

    `columns` has the number of slices of each column; `share` is the part of the error rate that slices have.
    """

    def __init__(self, related: Array, columns: Sequence[int], systems: int, share: float, seed: int) -> None:
        self.systems, self.share, self.tests = systems, share, len(related) * max(1, len(columns)) * systems
        measures = len(related)
        self._largest = np.abs(normal_values(np.zeros(measures), related, _DRAWS, seed + 9)).max(axis=0)
        least = np.ones(_DRAWS)
        for place, slices in enumerate(columns):
            q = np.zeros((measures, _DRAWS))
            for s in range(slices - 1):
                q += normal_values(np.zeros(measures), related, _DRAWS, seed + 1000 * (place + 1) + s) ** 2
            ordered = np.sort(q, axis=None)
            beyond = (q.size - np.searchsorted(ordered, q)) / q.size
            least = np.minimum(least, beyond.min(axis=0))
        self._least = np.sort(least)

    def of_gap(self, p: float) -> float:
        """Return the p-value of a gap among all gaps of the page."""
        if np.isnan(p):
            return p
        smaller = float(np.searchsorted(self._least, p, side="right") / _DRAWS)
        return self._shared(1 - (1 - smaller) ** self.systems, p * self.tests)

    def of_slice(self, p_corrected: float, gap: float) -> float:
        """Return the p-value of a slice, which is corrected over slices already; `gap` is that of its column."""
        if np.isnan(p_corrected) or np.isnan(gap):
            return p_corrected
        larger = float((self._largest >= quantile_of(p_corrected)).mean())
        over = 1 - (1 - larger) ** self.systems
        return max(gap, self._shared(over, p_corrected * len(self._largest) * self.systems))

    def _shared(self, p: float, bound: float) -> float:
        """Return the p-value with the share of the error that slices have; draws have no values near 0."""
        return min(1.0, max(min(p, bound), bound / self.tests if self.tests else bound) / self.share)
