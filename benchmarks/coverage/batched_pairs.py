"""Intervals of differences for thousands of data sets at once; the formulas are those of `comparison/`.

A test compares them with what `compare` finds on each data set. As in `method="normal"`, the normal test decides about
0; for accuracy and recall it is McNemar's mid-p test, as by default.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from benchmarks.coverage.counting import CONFIDENCE, Tally, fewer_measures_of
from benchmarks.coverage.enumerated import Z, difference_ends, margin_claims
from benchmarks.coverage.paired import LEVEL, differences
from benchmarks.coverage.populations import together
from goodmeasure.catalogue.measure import Measure
from goodmeasure.comparison.at_the_margin import Patterns as Margin
from goodmeasure.comparison.at_the_margin import growth_of_variance
from goodmeasure.comparison.difference_intervals import IMAGINED
from goodmeasure.comparison.mcnemar import hits_of
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.evaluation.intervals.smoothing import spread_of_imagined
from goodmeasure.evaluation.p_values import mcnemar
from goodmeasure.language.policy import RESOLVE
from goodmeasure.typing import Array

_erfc = np.vectorize(math.erfc, otypes=[float])


class Found(NamedTuple):
    """The ends of the intervals, and the p-values of the test and of both claims about the margin (data sets)."""

    low: Array
    high: Array
    p: Array
    above: Array
    below: Array


class Patterns:
    """How many items of each data set have each pattern (true class, prediction of A, prediction of B)."""

    def __init__(self, m: int, counts: Array) -> None:
        self.m, self.counts = m, counts.astype(np.float64)  # (patterns, data sets)
        self.true, self.a, self.b = (x.ravel() for x in np.indices((m, m, m)))
        self.n = self.counts.sum(axis=0)
        rows, cols = np.divmod(np.arange(m * m), m)
        self.cells = [self.true * m + x for x in (self.a, self.b)]
        self.matrices = [self._added(x) for x in self.cells]
        self.imagined = spread_of_imagined(rows, cols, m)[:, None] * (IMAGINED * Z * Z)
        self.plain = Samples(m, rows, cols, RESOLVE, whole=True)
        self.smoothed = Samples(m, rows, cols, RESOLVE, whole=False)

    def _added(self, cells: Array) -> Array:
        order = np.argsort(cells, kind="stable")
        found: Array = np.add.reduceat(self.counts[order], np.searchsorted(cells[order], np.arange(self.m**2)), axis=0)
        return found

    def difference(self, f: Measure, *, smooth: bool) -> tuple[Array, Array]:
        """Return the differences of the values, and their standard errors."""
        samples = self.smoothed if smooth else self.plain
        matrices = [x + self.imagined if smooth else x for x in self.matrices]
        one, two = (samples.values([f], [x])[0] for x in matrices)
        slopes = [samples.slopes_of(f, x) for x in matrices]
        if not smooth:
            slopes = [np.where(x > 0, s, 0.0) for s, x in zip(slopes, matrices, strict=True)]
        apart = slopes[0][self.cells[0]] - slopes[1][self.cells[1]]
        variance = (self.counts * apart**2).sum(axis=0) - (self.counts * apart).sum(axis=0) ** 2 / self.n
        if smooth:
            variance += self._of_imagined(*slopes)
        return one - two, np.sqrt(np.maximum(variance, 0.0))

    def _of_imagined(self, one: Array, two: Array) -> Array:
        m, weight = self.m, self.imagined
        by_class = float(weight.sum()) / m
        means = [(weight * x).reshape(m, m, -1).sum(axis=1) / by_class for x in (one, two)]
        found: Array = (weight * (one**2 + two**2)).sum(axis=0) - 2 * by_class * (means[0] * means[1]).sum(axis=0)
        return found

    def intervals(self, f: Measure, margin: float, asked: float = 0.5) -> Found:
        """Return what is found for one measure: by Tango's interval where it has one, or by the smoothed interval.

        Claims are tested at the margin where the interval alone gives a p-value below `asked`.
        """
        hit = hits_of(f, self.m)
        return self._smoothed(f, margin, asked) if hit is None else self._tango(hit, margin)

    def _smoothed(self, f: Measure, margin: float, asked: float) -> Found:
        with np.errstate(all="ignore"):
            here, error = self.difference(f, smooth=False)
            middle, spread = self.difference(f, smooth=True)
            p = np.where(error > 0, _erfc(np.abs(here) / np.where(error > 0, error, 1) / math.sqrt(2)), np.nan)
            p = np.where((here == 0) & (error == 0), 1.0, p)
        least, most = f.range or (-math.inf, math.inf)
        low = np.minimum(np.maximum(middle - Z * spread, least - most), here)
        high = np.maximum(np.minimum(middle + Z * spread, most - least), here)
        kept, left = p >= 1 - CONFIDENCE, (p < 1 - CONFIDENCE) & (low <= 0) & (high >= 0)
        low = np.where(kept, np.minimum(low, 0.0), np.where(left & (here > 0), 0.0, low))
        high = np.where(kept, np.maximum(high, 0.0), np.where(left & (here < 0), 0.0, high))
        return Found(low, high, p, *self._claims(f, margin, asked, (here, middle, spread)))

    def _claims(self, f: Measure, margin: float, below: float, found: tuple[Array, Array, Array]) -> list[Array]:
        """Return the p-values of both claims about the margin, from differences, smoothed ones and standard errors."""
        here, middle, spread = found
        patterns = Margin.of_counts(self.m, self.counts, IMAGINED * Z * Z)
        claims = []
        for apart, inside, end in (
            (here + margin, np.minimum(middle, here) + margin, -margin),
            (margin - here, margin - np.maximum(middle, here), margin),
        ):
            p = _erfc(inside / spread / math.sqrt(2)) / 2
            asked = np.flatnonzero(p < below)
            growth = growth_of_variance(f, patterns.at(asked), np.full(len(asked), end), RESOLVE)
            p[asked] = np.maximum(p[asked], _erfc(apart[asked] / (spread[asked] * np.sqrt(2 * growth))) / 2)
            claims.append(p)
        return claims

    def _tango(self, hit: Any, margin: float) -> Found:
        among = hit.counted(self.true)
        one, two = (hit.right(self.true, x) & among for x in (self.a, self.b))
        counts = [self.counts[x].sum(axis=0).astype(int) for x in (one & ~two, two & ~one, among)]
        rows = [_of_counts(*each, round(margin, 12)) for each in zip(*(x.tolist() for x in counts), strict=True)]
        return Found(*np.array(rows).T)


@lru_cache(maxsize=1 << 17)
def _of_counts(first: int, second: int, items: int, margin: float) -> tuple[float, ...]:
    if items == 0:
        return (math.nan,) * 5
    ends = difference_ends(first, second, items)
    return (*ends, mcnemar(first, second, mid=True), *margin_claims(first, second, items, margin))


def plain(classes: int, prevalence: float, items: int, pair: str, datasets: int, seed: int) -> dict[str, Any]:
    """Return the coverage of the intervals, how often tests reject, and how often non-inferiority is claimed.

    With the true difference as margin, the claim that the worse system is worse by less than that is always false.
    """
    cells, measures = together(classes, prevalence, pair), fewer_measures_of(classes)
    names, right = [f.name for f in measures], differences(cells, measures)
    drawn = np.random.default_rng(seed).multinomial(items, cells.ravel() / cells.sum(), size=datasets).T
    patterns, tally = Patterns(classes, drawn), Tally(names, right)
    rejected, claimed = dict[str, float](), dict[str, float]()
    for i, f in enumerate(measures):
        found = patterns.intervals(f, abs(right[i]) or 1.0, LEVEL if abs(right[i]) > 1e-9 else 0.0)
        for low, high in zip(found.low.tolist(), found.high.tolist(), strict=True):
            tally.add(i, low, high)
        rejected[f.name] = round(float((found.p < LEVEL).mean()), 5)
        if abs(right[i]) > 1e-9:
            claims = found.below if right[i] > 0 else found.above
            claimed[f.name] = round(float((claims < LEVEL).mean()), 5)
    shown = {"difference": dict(zip(names, right, strict=True)), "rejected": rejected, "claimed": claimed}
    return {**tally.results(), **shown}


def margins(
    classes: int, prevalence: float, items: int, pair: str, margin: float, datasets: int, seed: int
) -> dict[str, Any]:
    """Return how often non-inferiority and equivalence are claimed at the 5% level: for alike systems, the power."""
    cells, measures = together(classes, prevalence, pair), fewer_measures_of(classes)
    drawn = np.random.default_rng(seed).multinomial(items, cells.ravel() / cells.sum(), size=datasets).T
    patterns, shares = Patterns(classes, drawn), {}
    for f in measures:
        found = patterns.intervals(f, margin, LEVEL)
        both = np.maximum(found.above, found.below)
        shares[f.name] = [round(float((x < LEVEL).mean()), 5) for x in (found.above, both)]
    return {"claimed": shares}
