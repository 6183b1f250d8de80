"""How much the difference of two systems varies where it is exactly as large as a margin.

A test of non-inferiority asks whether the true difference could be as large as the margin, so its standard error is
that of systems which differ by the margin, not that of the systems as they were observed. The two are far apart where
systems hardly disagree: if no disagreement was observed, the observed standard error is nearly 0, although two
disagreements may have been expected at the margin, and are missed in one data set out of seven. For shares of right
answers, the score test of Tango (1998) is of this kind. Here the same is done for every measure.

Which systems differ by exactly the margin? Among all distributions over the patterns (true class, prediction of A,
prediction of B) the one that is closest to the observed distribution in the sense of Kullback and Leibler has shares
proportional to observed share × exp(λ · influence), where the influence of a pattern is its slope in the difference
(exponential tilting: Efron 1981). So λ is sought at which the difference equals the margin. Patterns that were not
observed take part through the imagined items of `influence.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.comparison.bootstrap import Marginal
from goodmeasure.counts.joint import Joint
from goodmeasure.evaluation.intervals.resampling import MOST_DENSE
from goodmeasure.evaluation.intervals.smoothing import spread_of_imagined
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

_ALL_PATTERNS = 1 << 12  # patterns: with more, imagined errors of a class are all predictions of the next class
_ROUNDS = 60  # the most rounds of the search for λ, which usually ends after ten
_CLOSE = 1e-9
_FARTHEST = 200.0  # standard deviations of the influences: a larger λ leaves only one pattern


@dataclass(frozen=True, eq=False)
class Patterns:
    """Weights (patterns, b) of the patterns in b data sets, with imagined items, and the cells of both systems."""

    m: int
    true: Array
    first: Array
    second: Array
    mass: Array  # with imagined items
    squares: Array  # sums of squared weights, in the unit of the weights
    items: Array  # the weight (b) of the observed items alone

    @classmethod
    def of(cls, joint: Joint, imagined: float, worth: float) -> Patterns:
        """Return the patterns of the two systems of one data set."""
        m = joint.m
        true, first, second, share = _imagined_patterns(m)
        keys = np.concatenate([(joint.true.astype(np.int64) * m + joint.pred[0]) * m + joint.pred[1],
                               (true * m + first) * m + second])  # fmt: skip
        squares = joint.mass if joint.weight is None or joint.squares is None else joint.squares
        every, place = np.unique(keys, return_inverse=True)
        sums = (np.concatenate([joint.mass, share * imagined]), np.concatenate([squares, share * imagined * worth]))
        mass, spread = (np.bincount(place, x, len(every))[:, None] for x in sums)
        return cls(m, every // m**2, every // m % m, every % m, mass, spread, np.array([float(joint.mass.sum())]))

    @classmethod
    def of_counts(cls, m: int, counts: Array, imagined: float) -> Patterns:
        """Return the patterns of many data sets, from the numbers (m³, b) of items with each pattern."""
        shares = np.zeros(m**3)
        true, first, second, share = _imagined_patterns(m)
        shares[(true * m + first) * m + second] = share
        mass = counts + (shares * imagined)[:, None]
        every, first, second = (x.ravel() for x in np.indices((m, m, m)))
        return cls(m, every, first, second, mass, mass, counts.sum(axis=0))

    def at(self, where: Array) -> Patterns:
        """Return some of the data sets, each as often as it is named."""
        return replace(self, mass=self.mass[:, where], squares=self.squares[:, where], items=self.items[where])

    def effective_disagreements(self) -> float:
        """Return how many items of equal weight vary as much as those of one data set on which the systems disagree."""
        apart = self.first != self.second
        return float(self.mass[apart].sum() ** 2 / self.squares[apart].sum())


def _imagined_patterns(m: int) -> tuple[Array, Array, Array, Array]:
    """Return the patterns of imagined items and their shares: given the true class, both systems are independent."""
    rows, cols = np.divmod(np.arange(m * m), m)
    evenly = spread_of_imagined(rows, cols, m) if m <= MOST_DENSE else None
    if evenly is not None and m**3 <= _ALL_PATTERNS:
        table = evenly.reshape(m, m)
        shares = (table[:, :, None] * table[:, None, :] / table.sum(axis=1)[:, None, None]).ravel()
        true, first, second = (x.ravel() for x in np.indices((m, m, m)))
        return true, first, second, shares
    classes = np.arange(m)
    following = (classes + 1) % m
    said = [(x, y) for x in (classes, following) for y in (classes, following)]
    first, second = (np.concatenate(x) for x in zip(*said, strict=True))
    return np.tile(classes, 4), first, second, np.full(4 * m, 1 / (4 * m))


def growth_of_variance(f: Measure, patterns: Patterns, wanted: Array, policy: Policy) -> Array:
    """Return the factor by which the variance of the difference grows if the difference is `wanted` (b).

    1 where no tilted distribution has this difference, or where the measure has no derivative.
    """
    work = _Tilting(f, patterns, policy) if len(wanted) else None
    if work is None or work.influence is None:
        return np.ones(len(wanted))
    with np.errstate(all="ignore"):
        tilt, reached = work.search(wanted)
        before, after = work.variance(np.zeros(len(wanted))), work.variance(tilt)
        found = after / before * (patterns.mass.sum(axis=0) / patterns.items)
    return np.where(reached & np.isfinite(found), found, 1.0)


class _Tilting:
    """Difference and variance of a measure along the tilted distributions of some data sets."""

    def __init__(self, f: Measure, patterns: Patterns, policy: Policy) -> None:
        self.f, self.patterns, m = f, patterns, patterns.m
        self.marginals = [Marginal(patterns.true * m + x, m) for x in (patterns.first, patterns.second)]
        self.samples = [x.samples(policy, whole=False) for x in self.marginals]
        self.total = patterns.mass.sum(axis=0)
        slopes = self._slopes(patterns.mass)
        self.influence = None
        if slopes is not None:
            self.scale = np.sqrt((patterns.mass * slopes**2).sum(axis=0) / self.total)
            self.influence = slopes / np.where(self.scale > 0, self.scale, 1.0)

    def _slopes(self, mass: Array) -> Array | None:
        """Return the slope of the difference for each pattern."""
        seen = [x.slopes_of(self.f, y.added(mass)) for x, y in zip(self.samples, self.marginals, strict=True)]
        found = [x for x in seen if x is not None]
        if len(found) < len(seen):
            return None
        one, two = (x[y.where] for x, y in zip(found, self.marginals, strict=True))
        slopes: Array = one - two
        return slopes

    def _mass(self, tilt: Array) -> Array:
        assert self.influence is not None
        exponent = tilt * self.influence
        raised = self.patterns.mass * np.exp(exponent - exponent.max(axis=0))
        found: Array = raised * (self.total / raised.sum(axis=0))
        return found

    def difference(self, tilt: Array) -> Array:
        """Return the value of the first system minus that of the second."""
        mass, pairs = self._mass(tilt), zip(self.samples, self.marginals, strict=True)
        one, two = (x.values([self.f], [y.added(mass)])[0] for x, y in pairs)
        found: Array = one - two
        return found

    def variance(self, tilt: Array) -> Array:
        """Return the variance of the difference, up to a factor that does not depend on the tilt."""
        mass = self._mass(tilt)
        slopes = self._slopes(mass)
        assert slopes is not None
        squares = self.patterns.squares * (mass / self.patterns.mass)
        mean = (mass * slopes).sum(axis=0) / self.total
        found: Array = (squares * (slopes - mean) ** 2).sum(axis=0)
        return found

    def search(self, wanted: Array) -> tuple[Array, Array]:
        """Return the tilts at which the difference is `wanted`, and where there is one.

        A first guess is doubled until it is far enough; then the two ends are moved together by the Illinois method,
        which is that of the false position with the weight of an end that stays halved.
        """
        near = np.zeros(len(wanted))
        below = self.difference(near) - wanted
        slope = self.scale * self.total
        far = np.where(slope > 0, -below / np.where(slope > 0, slope, 1.0), 0.0)
        beyond = self.difference(far) - wanted
        for _ in range(_ROUNDS):
            short = (below * beyond > _CLOSE**2) & (np.abs(far) < _FARTHEST)
            if not short.any():
                break
            near, below = np.where(short, far, near), np.where(short, beyond, below)
            far = np.where(short, 2 * far, far)
            beyond = np.where(short, self.difference(far) - wanted, beyond)
        reached = (below * beyond <= _CLOSE**2) & (np.abs(far) < 2 * _FARTHEST)
        for _ in range(_ROUNDS):
            if not (reached & (np.abs(beyond) > _CLOSE)).any():
                break
            step = np.where(beyond != below, beyond - below, 1.0)
            middle = far - beyond * (far - near) / step
            here = self.difference(middle) - wanted
            crosses = here * beyond < 0
            near, below = np.where(crosses, far, near), np.where(crosses, beyond, below / 2)
            far, beyond = middle, here
        return far, reached & (np.abs(beyond) <= 1e-6)
