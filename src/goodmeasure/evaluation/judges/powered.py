"""Prediction-powered inference for every measure: human labels of a few items, and a judge's labels of all.

The idea (Angelopoulos et al. 2023; with λ: Angelopoulos, Duchi and Zrnic 2023). The human labels alone give shares of
the cells of the confusion matrix that are right on average but vary much. The judge's labels of all items vary little,
but are wrong on average. What the judge adds is the difference between its shares on all items and on those that humans
labelled too: it is 0 on average, whatever errors the judge makes, and it moves against the error of the human labels as
far as the judge agrees with them. So

    shares(λ) = shares of the human labels + λ·(judge's shares on all items − judge's shares on human-labelled items)

are right on average for every λ. A measure is evaluated on them; its variance follows from the influence of each item,
the slope of the measure in the cell of the human label less λ times that in the cell of the judge's label. The λ that
makes it smallest is the regression coefficient of the former on the latter. It is at least 0, so that a judge that
contradicts humans is not used at all, and for means it is that of ppi_py, as are the value and its standard error.

**Intervals.** Standard errors from few human labels are too small where most of them agree, as for any proportion. The
intervals of the human labels alone repair that, by whatever method was asked for. So the interval here is made of that
interval: its half-width is multiplied by r, and its middle is as far from the value as there, times r². Here r² is the
ratio of the two variances, so that both would be those of n/r² human labels; 0 < r ≤ 1. With λ = 0, r is 1 and
the interval is that of the human labels alone; it is never wider than that. The ratio is estimated from n human labels
too, and λ is chosen to make it small. Against that, it is taken as if two more labels were known that the judge does
not explain: (n·r² + 2)/(n + 2). docs/judges.md has the coverage.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.judged import Judged
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.interval import NONE, Interval
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

UNEXPLAINED = 2.0  # human labels that the judge is taken not to explain, beyond those that are there
_SMALL = 1e-14


@dataclass(frozen=True, slots=True)
class Powered:
    """What a judge adds to a value: λ, the ratio of the variances with and without the judge, and the human value."""

    share: float  # λ: how much of the judge's correction is used
    ratio: float
    labels: float  # the number of human labels
    human: Interval  # the interval of the human labels alone
    human_value: float

    @property
    def worth(self) -> float:
        """Return how many more human labels would give the same standard error."""
        return self.labels * (1 / self.ratio - 1) if self.ratio > 0 else math.inf

    def calibrated(self, units: float) -> float:
        """Return the ratio of the variances as the interval uses it."""
        return (units * self.ratio + UNEXPLAINED) / (units + UNEXPLAINED) if self.share > 0 else 1.0


class Influence:
    """The influence of every judged item on values of one system: by its human label, and by that of the judge.

    The rows of `human` and `judge` are measures, their columns the items of `data`; both are slopes of the measure on
    shares of the cells.
    """

    def __init__(self, data: Judged, human: Array, judge: Array) -> None:
        self.data = data
        known = data.labelled
        drawn = np.where(known, data.weight / data.chance, 0.0)
        # What an item of a row adds to the mean of the human labels, and to that of all items, for a slope of 1.
        self.each_human = np.where(known, 1 / data.chance, 0.0) / drawn.sum()
        self.each = 1 / data.weight.sum()
        own, other, every = (x @ w / w.sum() for x, w in ((human, drawn), (judge, drawn), (judge, data.weight)))
        self.correction = every - other
        self.from_human = (human - own[:, None]) * self.each_human
        self.from_judge = (judge - every[:, None]) * self.each - (judge - other[:, None]) * self.each_human
        self.labels = float((drawn.sum() ** 2) / (data.squares * self.each_human**2 * drawn.sum() ** 2).sum())
        self._drawn, self._judge, self._human = drawn, judge, human

    @cached_property
    def units(self) -> float:
        """Return the number of independent items, or of groups, with a human label."""
        if self.data.group is None:
            return self.labels
        return float(min(self.labels, len(np.unique(self.data.group[self.data.labelled]))))

    def shares(self) -> Array:
        """Return the λ of each measure that makes the variance of its value smallest, as far as it is known."""
        data, from_human, from_judge = self.data, self.from_human, self.from_judge
        if data.group is None and data.stratum is None and (data.chance == 1).all():
            # For independent items: the regression coefficient, with the variance of the judge over all items.
            mean = self._judge @ data.weight / data.weight.sum()
            items = data.weight.sum() ** 2 / data.squares.sum()
            varied = ((self._judge - mean[:, None]) ** 2 @ data.weight) / data.weight.sum() * (items / (items - 1))
            together = -(self._human * self._drawn / self._drawn.sum() * self._centred()).sum(axis=1)
            most = _most(data)
        else:
            apart = self._units(from_judge)
            together, varied = (self._units(from_human) * apart).sum(axis=1), (apart**2).sum(axis=1)
            most = math.inf
        with np.errstate(all="ignore"):
            found = np.where(varied > _SMALL * (self._judge**2).max(axis=1, initial=0), -together / varied, 0.0)
        shares: Array = np.clip(np.nan_to_num(found), 0.0, most)
        return shares

    def _centred(self) -> Array:
        other = self._judge @ self._drawn / self._drawn.sum()
        centred: Array = self._judge - other[:, None]
        return centred

    def moved(self, shares: Array) -> Array:
        """Return the influence (measures, units) of items or groups on the values with these λ."""
        return self._units(self.from_human + shares[:, None] * self.from_judge)

    def _units(self, moved: Array) -> Array:
        """Return the influence of units: of rows, times the root of their squared weights, or of groups.

        What the rows of a set have in common does not vary: items with a human label and others, in each stratum.
        """
        data = self.data
        kinds = data.labelled.astype(np.int64) if data.stratum is None else 2 * data.stratum + data.labelled
        if data.group is None:
            number = int(kinds.max()) + 1
            weight = np.bincount(kinds, data.weight, number)
            means = np.stack([np.bincount(kinds, x * data.weight, number) for x in moved]) / np.maximum(weight, 1e-300)
            apart: Array = (moved - means[:, kinds]) * np.sqrt(data.squares)
            return apart
        number = int(data.group.max()) + 1
        sums = np.stack([np.bincount(data.group, x * data.weight, number) for x in moved])
        present = np.bincount(data.group, minlength=number) > 0
        sums = sums[:, present]
        stratum = np.zeros(number, np.int64)
        if data.stratum is not None:
            stratum[data.group] = data.stratum
        stratum = np.unique(stratum[present], return_inverse=True)[1].reshape(-1)
        size = np.bincount(stratum)
        means = np.stack([np.bincount(stratum, x) for x in sums]) / size
        between: Array = (sums - means[:, stratum]) * np.sqrt(size / np.maximum(size - 1, 1))[stratum]
        return between


def _most(data: Judged) -> float:
    """Return the largest λ: that which gives the judge's labels of the other items the weight 1, as ppi_py has it."""
    others = float(data.weight[~data.labelled].sum())
    return float(data.weight.sum()) / others if others else 0.0


def powered(
    sample: Sample, measures: Sequence[Measure], values: Sequence[float], found: Sequence[Interval], policy: Policy
) -> list[tuple[float, Interval, Powered]]:  # fmt: skip
    """Return values and intervals with a judge's labels, from those of the human labels alone."""
    assert sample.judged is not None
    return PoweredSample(sample, measures, values, policy).scores(found)


class PoweredSample:
    """The values of measures with a judge's labels, and the influence of each item on them."""

    def __init__(self, sample: Sample, measures: Sequence[Measure], values: Sequence[float], policy: Policy) -> None:
        data, m = sample.judged, sample.matrix.m
        assert data is not None
        self.data, self.human_values = data, np.asarray(values, np.float64)
        known = data.labelled
        cells, where = np.unique(
            np.concatenate([(data.human * m + data.pred)[known], data.judge * m + data.pred]), return_inverse=True
        )
        human = np.zeros(len(known), np.int64)
        human[known], judge = where[: known.sum()], where[known.sum() :]
        drawn = np.where(known, data.weight / data.chance, 0.0)
        size = len(cells)
        own, other, every = (
            np.bincount(x, w, size) / w.sum() for x, w in ((human, drawn), (judge, drawn), (judge, data.weight))
        )
        total = float(sample.matrix.n)
        one = total / max(1.0, float(sample.item_count or total))
        evaluated = Samples(m, cells // m, cells % m, policy, whole=False)
        # One item is spread as the judge says, so that slopes are finite where only the judge has seen a class.
        at = own * total + every * one
        slopes = np.stack([evaluated.slopes(f, at) for f in measures] or [np.zeros(0)]) * (total + one)
        self.usable = np.isfinite(slopes).all(axis=1) & ~np.isnan(self.human_values)
        slopes = np.where(self.usable[:, None], slopes, 0.0)
        self.influence = Influence(data, np.where(known, slopes[:, human], 0.0), slopes[:, judge])
        self._evaluated, self._at, self._measures = (cells, m, policy), (at, total + one), measures
        self.shares = self.influence.shares()
        before = (self.influence.moved(np.zeros(len(measures))) ** 2).sum(axis=1)
        after = (self.influence.moved(self.shares) ** 2).sum(axis=1)
        better = (after < before) & self.usable & np.isfinite(self.shares)
        shares = own[:, None] + np.where(better, self.shares, 0.0) * (every - other)[:, None]
        nearest = np.maximum(shares, 0.0)
        nearest /= nearest.sum(axis=0)
        reached = np.diagonal(evaluated.values(measures, [nearest * total])) if len(measures) else np.zeros(0)
        reached = reached + (slopes * (shares - nearest).T).sum(axis=1)  # shares below 0 are followed along the slopes
        better &= np.isfinite(reached)
        self.shares = np.where(better, self.shares, 0.0)
        ends = np.array([f.range or (-math.inf, math.inf) for f in measures]).reshape(len(measures), 2)
        self.values = np.where(better, np.clip(reached, ends[:, 0], ends[:, 1]), self.human_values)
        self.variances = np.where(better, after, before)
        self.ratios = np.where(better, after / np.where(before > 0, before, 1.0), 1.0)
        self.ends = ends

    def slopes_of_cells(self) -> Array:
        """Return the slopes (measures, m, m) on the shares of all cells, also of those that hold no item."""
        (cells, m, policy), (at, total) = self._evaluated, self._at
        every = np.zeros(m * m)
        every[cells] = at
        evaluated = Samples(m, *np.divmod(np.arange(m * m), m), policy, whole=False)
        slopes = np.stack([evaluated.slopes(f, every) for f in self._measures]) * total
        found: Array = np.where(np.isfinite(slopes), slopes, 0.0).reshape(-1, m, m)
        return found

    def scores(self, found: Sequence[Interval]) -> list[tuple[float, Interval, Powered]]:
        """Return the value of each measure, its interval and what the judge adds, from intervals by human labels."""
        scores = []
        labels = float(self.data.squares[self.data.labelled].sum()) if (
            self.data.weight == self.data.squares).all() else self.influence.labels  # fmt: skip
        for k, interval in enumerate(found):
            part = Powered(
                float(self.shares[k]), float(self.ratios[k]), labels, interval, float(self.human_values[k])
            )  # fmt: skip
            scores.append((float(self.values[k]), self._interval(k, interval, part), part))
        return scores

    def _interval(self, k: int, human: Interval, part: Powered) -> Interval:
        if human.method == NONE or math.isnan(human.low) or part.share == 0:
            return human
        ratio, value = part.calibrated(self.influence.units), float(self.values[k])
        middle = value + ratio * ((human.low + human.high) / 2 - part.human_value)
        half = math.sqrt(ratio) * (human.high - human.low) / 2
        low, high = max(middle - half, self.ends[k, 0]), min(middle + half, self.ends[k, 1])
        error = math.sqrt(self.variances[k])
        return replace(human, low=min(low, value), high=max(high, value), deviation=error)
