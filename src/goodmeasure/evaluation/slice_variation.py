"""Whether disjoint slices differ by more than chance, and by how much.

Small slices differ by chance alone, so a gap between the best and the worst of them says little by itself. Here the
slices of one column are compared by a permutation test: if all slices are alike, it is chance which items fall into
which slice, so the items are shuffled among slices of the same sizes. Only counts are needed: cell by cell, the number
of items in a slice is hypergeometric. Which items are shuffled depends on what the measure is about:

- A measure that follows from one proportion (accuracy, recall, precision, F1) is about hits among the items that the
  proportion counts. Each slice keeps how many it has of these, and the hits are shuffled. The test is exact for slices
  of any size that share the proportion, whatever else differs between them.
- A measure that does not depend on prevalence (balanced accuracy) is about what is predicted for each true class. Each
  slice keeps its class sizes, and the predictions are shuffled class by class. The test is exact if the slices share
  the recalls and errors of each class.
- For any other measure, all items are shuffled. The test is exact if the slices are alike in every respect. As its
  statistics are divided by their standard errors, it is also valid for large slices that share a value and nothing else
  (Chung and Romano 2013).

A slice without items of a class has no value of most measures. Where some slices have so few that they might be
without, the test of such measures is conditional on how many items of each class a slice has: predictions are shuffled
class by class, for all of them. Slices that have a value would otherwise be compared with shuffled ones that have none.
Groups are then shuffled among those that hold the same classes.

The heterogeneity of all slices is judged by Cochran's Q = Σ w (value − mean)², where w = 1/variance and the mean is
weighted by w (Cochran 1954); a slice is compared with the rest by its squared difference over its variance. For the
first two kinds of measure, the variances are those of slices that are alike (so that Q is Pearson's χ² for shares); for
the third, they come from each slice itself.

Standard errors come from the influence of each item. A slice without errors would get the standard error 0, so a few
imagined items are added to each true class of a slice, distributed like all items of that class; the variance is then
scaled so that the variance of a share is estimated without bias if all slices are alike.

With weights, the weight of the items that come to a cell is drawn as a gamma variable with the mean and variance of the
weights in that cell, relative to the mean weight of each slice. With groups, whole groups are shuffled. Where shuffling
would take too long, the slices are compared by the test of Brown and Forsythe, and a slice with the rest by Welch's
t-test (Welch 1947).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.distributions import beta_distribution, students_tails
from goodmeasure.evaluation.intervals.proportions import Shares, shares_of, values_at
from goodmeasure.evaluation.intervals.resampling import MOST_DENSE, Samples
from goodmeasure.evaluation.intervals.sampling_units import Groups, Units, units_of
from goodmeasure.evaluation.p_values import beyond_seen, p_of_draws, two_sided
from goodmeasure.evaluation.slice_shuffles import ShuffledGroups, ShuffledItems, shuffles
from goodmeasure.language.compile.gradients import ListedSlopes
from goodmeasure.language.compile.sparse import added_in_runs
from goodmeasure.language.policy import RESOLVE, Policy
from goodmeasure.typing import Array

PERMUTATION, WELCH, NONE = "permutation", "Brown–Forsythe, Welch", "none"
TOO_MANY_CLASSES = f"slices with more than {MOST_DENSE} classes are not tested"
NO_DERIVATIVE = "the measure has no derivative, so its standard error is not known"
_IMAGINED = 2.0  # items added to each class of a slice before its standard error is taken
_STEADY = 10.0  # the same for the weights of Q, which must not become large where a slice happens to have no errors
_SOME = 5  # items of a class: a slice with fewer may well be without, if items are shuffled
_MOST_SHUFFLED = 400_000_000  # cells × slices × shuffles × measures: about ten seconds
_MOST_ITEMS = 1_000_000_000  # the most that NumPy's hypergeometric distribution takes
_NUMBERS_AT_ONCE = 1 << 17  # of shuffled cells, which are then still in the processor's cache
_FAR, _WHOLE = 1e60, 2.0**53  # beyond these, products of counts leave the range of floats, and sums are not exact
_MOST_SHARE = 1 / 40  # of the shuffles: with more slices than that, they are tested by the normal distribution
_STEP = 1e-6


@dataclass(frozen=True, eq=False)
class Variation:
    """How one measure varies over slices: values and standard errors by slice (NaN where undefined), and tests.

    `rests` are the values on all other items, `gap_by_chance` the gap to be expected if all slices were alike, `p` the
    p-value of the hypothesis that they are, and `against_rest` that of each slice against the other items.
    """

    values: Array
    errors: Array
    rests: Array
    gap_by_chance: float
    p: float
    against_rest: Array
    method: str
    reason: str = ""

    def among(self, places: Sequence[int], slices: int) -> Variation:
        """Return the same for more slices, of which those at other places were not tested."""

        def spread(each: Array) -> Array:
            found = np.full(slices, np.nan)
            found[places] = each
            return found

        return replace(
            self, values=spread(self.values), errors=spread(self.errors), rests=spread(self.rests),
            against_rest=spread(self.against_rest),
        )  # fmt: skip


@dataclass(frozen=True)
class BeyondNoise:
    """The standard deviation between slices and their gap, both without what chance adds to them."""

    deviation: float
    gap: float


def beyond_noise(values: Array, errors: Array, sizes: Array) -> BeyondNoise:
    """Return the spread between slices that is left when the noise of their values is taken off.

    With fixed weights w, the sum Σ w (value − mean)² has the expectation Σ w σ² (1 − w/Σw) from the sampling variances
    σ² alone, and a variance τ² between slices adds τ² (Σw − Σw²/Σw). Solved for τ² this is the general method of
    moments (DerSimonian and Kacker 2007). The weights are the numbers of items: those of DerSimonian and Laird (1986),
    1/σ², depend on the values, and would favour slices that happen to be without errors.

    Each value is then moved towards the mean until it varies as much as true values do, by the factor √(τ²/(τ² + σ²))
    (compare Louis 1984); the gap is that of the moved values.

    >>> found = beyond_noise(np.array([0.7, 0.8, 0.9]), np.array([0.03, 0.03, 0.03]), np.array([180.0, 180.0, 180.0]))
    >>> round(found.deviation, 4), round(found.gap, 4)
    (0.0954, 0.1908)
    >>> beyond_noise(np.array([0.7, 0.8, 0.9]), np.array([0.2, 0.2, 0.2]), np.array([4.0, 4.0, 4.0]))
    BeyondNoise(deviation=0.0, gap=0.0)
    """
    finite = np.isfinite(values)
    if finite.sum() > 1 and np.ptp(values[finite]) == 0:
        return BeyondNoise(0.0, 0.0)
    known = finite & np.isfinite(errors)
    if known.sum() < 2:
        return BeyondNoise(math.nan, math.nan)
    value, variance, weight = values[known], errors[known] ** 2, sizes[known]
    total = weight.sum()
    seen = (weight * (value - (weight * value).sum() / total) ** 2).sum()
    expected = (weight * variance * (1 - weight / total)).sum()
    between = max(0.0, float((seen - expected) / (total - (weight**2).sum() / total)))
    if between == 0:
        return BeyondNoise(0.0, 0.0)
    exact = 1 / (between + variance)
    mean = (exact * value).sum() / exact.sum()
    moved = mean + np.sqrt(between * exact) * (value - mean)
    return BeyondNoise(math.sqrt(between), float(np.ptp(moved)))


def variations(
    samples: Sequence[Sample],
    measures: Sequence[Measure],
    policy: Policy,
    seed: int,
    replicates: int,
    asked: Collection[Measure] | None = None,
) -> list[Variation]:
    """Return how each measure varies over disjoint slices, which have the same classes in the same order.

    Slices whose items all have one true class count only for measures that such items determine (`needs_classes`).
    With `asked`, only these are returned. How many shuffles can be made depends on all measures: a p-value is the same
    whatever else is asked for.
    """
    wanted = [f for f in measures if asked is None or f in asked]
    if samples[0].matrix.m > MOST_DENSE or samples[0].matrix.is_sparse:
        return [_untested(len(samples), TOO_MANY_CLASSES) for _ in wanted]
    every = DisjointSlices(samples, policy)
    mixed, found = every.mixed(), dict[Measure, Variation]()
    may_lack = every.may_lack_a_class()
    for needs in [False, True] if may_lack else [False]:  # all measures are tested together where they can be
        alike = [f for f in measures if not may_lack or needs_classes(f, every.m) == needs]
        mine = [f for f in alike if f in wanted]
        if not mine:
            continue
        some = np.flatnonzero(mixed | (not needs)).tolist()
        if len(some) < 2:
            tested = [_untested(len(some), "") for _ in mine]
        else:
            slices = DisjointSlices([samples[s] for s in some], policy, within=True) if needs else every
            tested = _tested(slices, mine, len(alike), seed, replicates)
        found |= {f: x.among(some, len(samples)) for f, x in zip(mine, tested, strict=True)}
    rests = every.values(wanted, every.without(every.weight)) if wanted else ()
    return [replace(found[f], rests=x) for f, x in zip(wanted, rests, strict=True)]


def _tested(
    slices: DisjointSlices, measures: Sequence[Measure], alike: int, seed: int, replicates: int
) -> list[Variation]:
    """Return the tests of measures, as many shuffles as there is time for if all that are `alike` are tested."""
    number = len(slices.total)
    for shuffled in (max(replicates, math.ceil(number / _MOST_SHARE)), replicates):
        if slices.can_be_shuffled(alike, shuffled):
            return slices.by_shuffling(measures, seed, shuffled)
    return slices.by_welch(measures, seed, replicates)


def needs_classes(f: Measure, m: int) -> bool:
    """Return whether items of one true class say nothing about a measure.

    They do say something about a share of items that are chosen by their true class, such as accuracy or specificity.
    Other measures of such items are undefined, set by a rule for 0/0, or fixed: a group without positives would look
    perfectly fair, or as bad as can be, whatever the classifier does.
    """
    shares = shares_of(f, m)
    return shares is None or not shares.by_true_class


def _untested(slices: int, reason: str) -> Variation:
    none = np.full(slices, np.nan)
    return Variation(none, none, none, math.nan, math.nan, none, NONE, reason)


class DisjointSlices:
    """The cells of several slices that share no items, and what is needed of them for values and standard errors."""

    def __init__(self, samples: Sequence[Sample], policy: Policy, *, within: bool = False) -> None:
        self.within = within  # whether items are shuffled within true classes, so that no slice loses a class
        self.units = [units_of(x) for x in samples]
        self.plain = all(x.items is None and x.groups is None for x in samples)
        self.grouped, self.policy = any(x.groups is not None for x in samples), policy
        counts = np.stack([np.asarray(x.matrix.counts, np.float64) for x in samples])
        self.m = counts.shape[-1]
        self.rows, self.cols = np.nonzero(counts.sum(axis=0))  # in order of rows
        self.weight = self._listed(counts)
        self.items, self.squares = (
            self._listed(np.stack([np.asarray(getattr(x, name)) for x in samples]))
            if not self.grouped and samples[0].items is not None
            else self.weight
            for name in ("items", "squares")
        )
        self.whole = self.weight.sum(axis=1)
        self.total = self.weight.sum(axis=0)
        self.unit = np.array([x.worth() for x in self.units])
        self.sizes = self.total / self.unit  # effective numbers of items
        self.starts = np.flatnonzero(np.diff(self.rows, prepend=-1))
        held = self.weight[self.weight > 0]
        listed = self.m > 2 and bool(held.size) and bool(held.min() > 1 / _FAR and self.weight.max() < _FAR)
        whole = bool((self.weight == np.rint(self.weight)).all()) and float(self.weight.sum()) < _WHOLE
        self.samples = Samples(self.m, self.rows, self.cols, policy, whole=whole and self.unweighted, listed=listed)
        self.smooth = Samples(self.m, self.rows, self.cols, policy, whole=False, listed=listed)
        self.classes = self.rows[self.starts]
        self.hit = self.rows == self.cols

    def _listed(self, matrices: Array) -> Array:
        """Return matrices (slices, m, m) as counts (cells, slices) of the cells that occur."""
        return np.ascontiguousarray(matrices[:, self.rows, self.cols].T.astype(np.float64))

    def can_be_shuffled(self, measures: int, replicates: int) -> bool:
        """Return whether items or groups can be shuffled in reasonable time."""
        work = self.weight.size * measures
        if self.grouped:
            work += int(sum(x.count() for x in self.units)) * len(self.rows)
        whole = self.grouped or bool((self.items == np.rint(self.items)).all())
        return whole and work * replicates <= _MOST_SHUFFLED and float(self.items.sum()) < _MOST_ITEMS

    @property
    def unweighted(self) -> bool:
        """Return whether shuffled items weigh 1 each."""
        return self.grouped or ShuffledItems(self.items, self.weight, self.squares).unweighted

    # Values and standard errors

    def without(self, block: Array) -> Array:
        """Return all items but those of each slice."""
        found: Array = self.whole.reshape(-1, *(1,) * (block.ndim - 1)) - block
        return np.maximum(0.0, found, out=found)

    def values(self, measures: Sequence[Measure], block: Array) -> Array:
        """Return the values (measures, b) on a block (cells, b) of slices; NaN where the items cannot determine one."""
        found = self.samples.values(measures, [block])
        alone = (self._by_class(block) > 0).sum(axis=0) < 2
        picky = np.array([needs_classes(f, self.m) for f in measures], bool)
        found[np.ix_(picky, alone)] = np.nan
        return found

    def mixed(self) -> Array:
        """Return which slices have items of at least two true classes."""
        found: Array = (self._by_class(self.weight) > 0).sum(axis=0) > 1
        return found

    def may_lack_a_class(self) -> bool:
        """Return whether a slice has so few items of a true class that it might as well have none."""
        return bool((np.sort(self._by_class(self.items), axis=0)[-2:] < _SOME).any())

    def _by_class(self, block: Array) -> Array:
        """Return the sums (true classes, b) over the cells of each true class that occurs."""
        found: Array = added_in_runs(block, self.starts)
        return found

    def _of_cells(self, by_class: Array) -> Array:
        """Return, for each cell, the number of its true class."""
        found: Array = np.repeat(by_class, np.diff(self.starts, append=len(self.rows)), axis=0)
        return found

    def smoothed(self, block: Array, unit: Array, imagined: float) -> tuple[Array, Array]:
        """Return slices with imagined items, scaled back to their own class sizes, and the effective class sizes."""
        sizes = self._by_class(block) / unit
        if math.isinf(imagined):  # all items of a class are distributed like those of all slices
            return self._shares() * self._of_cells(sizes * unit), sizes
        found = block + self._shares() * (imagined * unit)
        scale, ends = sizes / (sizes + imagined), [*self.starts[1:].tolist(), len(self.rows)]
        for k, (start, end) in enumerate(zip(self.starts.tolist(), ends, strict=True)):
            found[start:end] *= scale[k]
        return found, sizes

    def _shares(self) -> Array:
        """Return the share (cells, 1) of each cell in its true class, over all slices."""
        found: Array = self.whole[:, None] / self._of_cells(self._by_class(self.whole[:, None]))
        return found

    def variances(self, measures: Sequence[Measure], block: Array, unit: Array, imagined: float) -> list[Array | None]:
        """Return the variance of each measure on each column of counts; None where it has no derivative.

        The variance is that within true classes, and that which varying class sizes add. The former is estimated from
        shares p of smoothed counts, with k imagined items. The expectation of p(1 − p) is lower than the true one by
        the variance of p, which is n/(n + k)² times p(1 − p): the factor `_unbiased` makes up for it. Weighted or
        grouped items are taken as independent ones of the weight `unit`, one for each column or one for all.

        Within a class, items differ by where they are predicted. So a slope that all cells of a row share does not
        matter there, and `ListedSlopes` leave the slope of each column, and that of a hit less that of the row.
        """
        smoothed, sizes = self.smoothed(block, unit, imagined)
        slopes = self.smooth.slopes_by_sums(measures, smoothed)
        off, columns, hits = smoothed[~self.hit], self.cols[~self.hit], np.zeros_like(sizes)
        rows = np.searchsorted(self.classes, self.rows)
        hits[rows[self.hit]] = smoothed[self.hit]
        own, some, factor, total = sizes * unit, sizes > 0, _unbiased(sizes, imagined), sizes.sum(axis=0)
        missed = hits == 0
        always, never = bool(some.all()), bool(missed.any())

        def variance(s: ListedSlopes) -> Array:
            along = s.column[columns] if s.cells is None else s.column[columns] + s.cells
            moved = off * along
            first, second = self._by_rows(moved, rows[~self.hit]), self._by_rows(moved * along, rows[~self.hit])
            row, more = s.row[self.classes], s.on[self.classes]
            more = more - row
            if never:
                more = np.where(missed, 0.0, more)
            moved = hits * more
            first += moved
            second += moved * more
            within = np.maximum(0.0, second * unit - first**2 / sizes) * factor
            sums = first + row * own
            if not always:  # a class without items may have any slope
                sums, within = np.where(some, sums, 0.0), np.where(some, within, 0.0)
            means = sums**2 / np.where(some, sizes, 1.0) if not always else sums**2 / sizes
            between = means.sum(axis=0) - sums.sum(axis=0) ** 2 / total
            found = within.sum(axis=0) + np.maximum(0.0, between)
            return np.where(found > 0, found, np.nan)

        with np.errstate(all="ignore"):
            return [None if x is None else variance(x) for x in slopes]

    def _by_rows(self, block: Array, rows: Array) -> Array:
        """Return the sums (true classes, b) of numbers in cells off the diagonal; a class may have none."""
        starts = np.flatnonzero(np.diff(rows, prepend=-1))
        sums: Array = added_in_runs(block, starts) if len(starts) else np.zeros((0, block.shape[1]))
        if len(starts) == len(self.starts):
            return sums
        found = np.zeros((len(self.starts), block.shape[1]))
        found[rows[starts]] = sums
        return found

    # Permutation tests

    def by_shuffling(self, measures: Sequence[Measure], seed: int, replicates: int) -> list[Variation]:
        """Return the tests of all measures by shuffling items among slices of the same sizes.

        Measures about the same items share their shuffles. With groups, all measures do.
        """
        tests = self._tests(measures, replicates)
        for share in [x for x in tests if isinstance(x, _OfShare)] if not self.grouped else ():
            parts = ShuffledItems(*(share.two_of(x) for x in (self.items, self.weight, self.squares)))
            for two in shuffles(parts, np.array([0]), seed, replicates):
                share.take(two)
        for by_class in (True, False) if not self.grouped else (None,):
            mine = [
                x for x in tests
                if x is not None and (by_class is None or (isinstance(x, _OfCells) and x.by_class == by_class))
            ]  # fmt: skip
            if not mine:
                continue
            starts = self.starts if by_class else np.array([0])
            for block in self._shuffles(starts, seed, replicates):
                step = max(1, _NUMBERS_AT_ONCE // block[:, :, 0].size)
                for start in range(0, block.shape[2], step):
                    self._take(mine, block[:, :, start : start + step])
        return [_untested(len(self.total), NO_DERIVATIVE) if x is None else x.judged() for x in tests]

    def _shuffles(self, starts: Array, seed: int, replicates: int) -> Iterator[Array]:
        """Yield blocks (cells, slices, b) of shuffled groups or items."""
        if self.grouped:
            groups = [x for x in self.units if isinstance(x, Groups)]
            return ShuffledGroups(groups, self.rows * self.m + self.cols).shuffles(seed, replicates, within=self.within)
        return shuffles(ShuffledItems(self.items, self.weight, self.squares), starts, seed, replicates)

    def _tests(self, measures: Sequence[Measure], replicates: int) -> list[_OfShare | _OfCells | None]:
        """Return the test of each measure with its observed statistics; None where it has no derivative."""
        found: list[_OfShare | _OfCells | None] = []
        own = self._own_variances(measures)
        for f, variances in zip(measures, own, strict=True):
            shares = shares_of(f, self.m)
            if variances is None and (shares is None or not self.plain):
                found.append(None)
            elif shares is not None and not self.within:
                found.append(_OfShare(self, f, shares, variances, replicates))
            else:
                assert variances is not None
                by_class = self.within or ignores_prevalence(f, self.m)
                fixed = by_class and not self.grouped
                alike = self.variances([f], self.weight, self.unit, math.inf)[0] if fixed else None
                found.append(_OfCells(f, by_class, alike, variances, replicates))
        self._take([x for x in found if x is not None], self.weight[:, :, None])
        return found

    def _take(self, tests: Sequence[_OfShare | _OfCells], block: Array) -> None:
        """Compute the statistics of all measures on shuffles (cells, slices, b); the first are those observed."""
        cells = [x for x in tests if isinstance(x, _OfCells)]
        for share in tests:
            if isinstance(share, _OfShare):
                share.take(share.two_of(block))
        if not cells:
            return
        shape, measures, sizes = block.shape[1:], [x.measure for x in cells], block.sum(axis=0)
        flat = block.reshape(len(block), -1)
        values = self.values(measures, flat).reshape(len(cells), *shape)
        compared = [x for x in cells if x.compares]
        rests = iter(
            self.values([x.measure for x in compared], self.without(flat)).reshape(-1, *shape) if compared else ()
        )
        own = [x for x in cells if x.alike is None]
        unit = np.repeat(self.unit, shape[1]) if np.ptp(self.unit) else self.unit[:1]
        variances = iter(self.variances([x.measure for x in own], flat, unit, _STEADY) if own else ())
        for k, x in enumerate(cells):
            if x.alike is None:
                found = next(variances)
                assert found is not None  # it is known for the observed slices
                variance = found.reshape(shape)
            else:
                variance = np.broadcast_to(x.alike[:, None], shape)
            x.add(_Statistics(values[k], next(rests) if x.compares else None, variance, sizes))

    def statistics_of_share(self, test: _OfShare, two: Array) -> _Statistics:
        """Return the statistics of a measure that follows from one proportion, of hits and misses (2, slices, b)."""
        f, shares = test.measure, test.shares
        here = self._share_values(f, shares, two)
        rest = self._share_values(f, shares, np.maximum(0.0, test.whole - two)) if test.compares else None
        sizes = two.sum(axis=0)
        with np.errstate(all="ignore"):
            return _Statistics(here, rest, test.variance * self.unit[:, None] / sizes, sizes)

    def of_own_share(self, f: Measure, shares: Shares, two: Array, common: float) -> Array:
        """Return the variance of each slice from its own share."""
        sizes = two.sum(axis=0)
        each = (two[0] + _IMAGINED * common) / (sizes + _IMAGINED)
        with np.errstate(all="ignore"):
            found: Array = self.steepness(f, shares, each) ** 2 * each * (1 - each) / sizes * _unbiased(sizes)
        return found

    def _own_variances(self, measures: Sequence[Measure]) -> list[Array | None]:
        """Return the variance of each slice by its own sampling units; None where a measure has no derivative."""
        if self.plain:
            return self.variances(measures, self.weight, np.ones(1), _IMAGINED)
        smoothed, _ = self.smoothed(self.weight, self.unit, _IMAGINED)
        found: list[Array | None] = []
        for f in measures:
            slopes = self.smooth.slopes_of(f, smoothed)
            if slopes is not None:
                slopes = np.where(smoothed > 0, slopes, 0.0)
                slopes = np.array([self._variance(s, slopes[:, s]) for s in range(len(self.units))])
            found.append(slopes)
        return found

    def _share_values(self, f: Measure, shares: Shares, two: Array) -> Array:
        total = two.sum(axis=0)
        with np.errstate(all="ignore"):
            share = two[0] / total
        found = values_at(f, shares, np.where(total > 0, share, 0.5).ravel(), self.policy).reshape(total.shape)
        return np.where(total > 0, found, np.nan)

    def steepness(self, f: Measure, shares: Shares, share: Array) -> Array:
        """Return the derivative of a measure with respect to its proportion."""
        if shares.ends is not None:
            return np.full(share.shape, shares.ends[1] - shares.ends[0])
        ends = np.clip(share - _STEP, 0, 1), np.clip(share + _STEP, 0, 1)
        low, high = (values_at(f, shares, x.ravel(), self.policy).reshape(share.shape) for x in ends)
        found: Array = (high - low) / (ends[1] - ends[0])
        return found

    # Approximations

    def by_welch(self, measures: Sequence[Measure], seed: int, replicates: int) -> list[Variation]:
        """Return the tests of all measures by the approximations of Brown and Forsythe, and of Welch."""
        values, rests = (self.values(measures, x) for x in (self.weight, self.without(self.weight)))
        freedom = np.array([_freedom(x, n) for x, n in zip(self.units, self.sizes, strict=True)])
        found = []
        for k, variances in enumerate(self._own_variances(measures)):
            if variances is None:
                found.append(_untested(len(self.total), NO_DERIVATIVE))
                continue
            here = _Statistics(values[k][:, None], rests[k][:, None], variances[:, None], self.sizes[:, None])
            found.append(
                Variation(
                    values[k], np.sqrt(variances), rests[k], _gap_of_normal(here, seed, replicates),
                    _brown_forsythe(here, freedom), _welch(here, freedom), WELCH,
                )
            )  # fmt: skip
        return found

    def _variance(self, s: int, slopes: Array) -> float:
        """Return the sampling variance on one slice of weighted or grouped items, with imagined ones."""
        units = self.units[s]
        if units.grouped and units.count() < 2:
            return math.nan
        place = np.searchsorted(self.rows * self.m + self.cols, units.rows * self.m + units.cols)
        imagined = float((self._shares()[:, 0] * _IMAGINED * (self.unit[s] * slopes) ** 2).sum())
        found = units.variance(slopes[place]) + imagined
        return found if found > 0 else math.nan


def ignores_prevalence(f: Measure, m: int) -> bool:
    """Return whether a measure stays the same if a true class gets more items with the same predictions.

    This is so where the slopes within each row, times the counts, add up to 0. It is tried on random matrices, where an
    identity of rational functions that does not hold everywhere holds with negligible probability (Schwartz 1980).
    """
    key = (f, m)
    if key not in _KNOWN:
        cells = np.random.default_rng(m).integers(1, 10_000, (m * m, 2)).astype(np.float64)
        slopes = Samples(m, *np.divmod(np.arange(m * m), m), RESOLVE, whole=True).slopes_of(f, cells)
        if slopes is None:
            return False
        moved = (slopes * cells).reshape(m, m, -1)
        _KNOWN[key] = bool((np.abs(moved.sum(axis=1)) <= 1e-9 * np.abs(moved).sum(axis=1)).all())
    return _KNOWN[key]


_KNOWN: dict[tuple[Measure, int], bool] = {}


class _Test:
    """One measure while its statistics on shuffles come in: how many exceed the observed ones, which come first.

    `variances` are those of each slice. With very many slices, none is compared with the rest by shuffles.
    """

    def __init__(self, measure: Measure, variances: Array, replicates: int) -> None:
        self.measure, self.variances, self.replicates = measure, variances, replicates
        self.seen: _Statistics | None = None
        self.beyond: float = 0.0
        self.apart = np.zeros(len(variances))
        self._gaps, self._defined = 0.0, 0

    @property
    def many(self) -> bool:
        """Return whether there are so many slices that no corrected p-value of the shuffles could be small."""
        return len(self.variances) > _MOST_SHARE * (self.replicates + 1)

    @property
    def compares(self) -> bool:
        """Return whether the values of the other items are needed."""
        return self.seen is None or not self.many

    def add(self, found: _Statistics) -> None:
        """Take in the observed statistics, and then those of shuffles."""
        if self.seen is None:
            self.seen = found
            return
        self.beyond += float(beyond_seen(found.q, float(self.seen.q[0])))
        if found.apart is not None:
            self.apart += beyond_seen(np.nan_to_num(found.apart), self._observed[:, None], ties=1.0)
        defined = np.isfinite(found.gap)
        self._gaps += float(found.gap[defined].sum())
        self._defined += int(defined.sum())

    @property
    def _observed(self) -> Array:
        assert self.seen is not None
        assert self.seen.apart is not None
        found: Array = np.nan_to_num(self.seen.apart[:, 0])
        return found

    def judged(self) -> Variation:
        """Return the p-values of the observed statistics among those of the shuffles."""
        assert self.seen is not None
        assert self.seen.rests is not None
        values, rests = self.seen.values[:, 0], self.seen.rests[:, 0]
        known = np.isfinite(values)
        if self.many:
            against = np.array([two_sided(math.sqrt(x)) for x in self._observed])
        else:
            against = np.array([p_of_draws(float(x), self.replicates) for x in self.apart])
        p, by_chance = math.nan, math.nan
        if known.sum() > 1:
            p = p_of_draws(self.beyond, self.replicates)
            by_chance = self._gaps / self._defined if self._defined else math.nan
        return Variation(
            values, np.sqrt(self.variances), rests, by_chance, p, np.where(known & np.isfinite(rests), against, np.nan),
            f"{PERMUTATION}, normal" if self.many else PERMUTATION,
        )  # fmt: skip


class _OfCells(_Test):
    """The test of a measure by shuffling all items, or those of each true class.

    `alike` has the variances of slices that are alike, where these serve as weights.
    """

    def __init__(
        self, measure: Measure, by_class: bool, alike: Array | None, variances: Array, replicates: int
    ) -> None:
        super().__init__(measure, variances, replicates)
        self.by_class, self.alike = by_class, alike


class _OfShare(_Test):
    """The test of a measure that follows from one proportion, by shuffling the hits."""

    def __init__(
        self, slices: DisjointSlices, measure: Measure, shares: Shares, variances: Array | None, replicates: int
    ) -> None:
        self.slices, self.shares = slices, shares
        hits, among = shares.cells(slices.rows, slices.cols, slices.m)
        self._parts = np.flatnonzero(hits & among), np.flatnonzero(~hits & among)
        seen = self.two_of(slices.weight)
        self.whole = seen.sum(axis=1)[:, None, None]
        common = np.array((self.whole[0, 0, 0] + 1) / (self.whole.sum() + 2))  # of all items, and never 0 or 1
        self.variance = slices.steepness(measure, shares, common) ** 2 * common * (1 - common)
        if slices.plain:
            variances = slices.of_own_share(measure, shares, seen, float(common))
        assert variances is not None
        super().__init__(measure, variances, replicates)

    def two_of(self, block: Array) -> Array:
        """Return how many hits, and how many misses, are in the cells of slices."""
        return np.stack([block[x].sum(axis=0) for x in self._parts])

    def take(self, two: Array) -> None:
        """Compute the statistics on shuffles of hits and misses (2, slices, b)."""
        self.add(self.slices.statistics_of_share(self, two))


def _unbiased(sizes: Array, imagined: float = _IMAGINED) -> Array:
    """Return the factor that makes up for the variance of the shares from which a variance is computed."""
    if math.isinf(imagined):
        return np.ones_like(sizes)
    return (sizes + imagined) ** 2 / ((sizes + imagined) ** 2 - sizes)


class _Statistics:
    """The statistics of one measure on shuffles: arrays (slices, b)."""

    def __init__(self, values: Array, rests: Array | None, variances: Array, sizes: Array) -> None:
        self.values, self.rests, self.variances, self.sizes = values, rests, variances, sizes
        self.known = np.isfinite(values) & np.isfinite(variances)
        filled, weights = values, variances
        if not self.known.all():
            filled, weights = (np.where(self.known, x, y) for x, y in ((values, 0.0), (variances, np.inf)))
        with np.errstate(all="ignore"):
            weights = 1 / weights
            mean = (weights * filled).sum(axis=0) / weights.sum(axis=0)
            self.q = np.nan_to_num((weights * (filled - mean) ** 2).sum(axis=0))
            self.apart = None if rests is None else (values - rests) ** 2 / (variances + self.rest_variances())
        finite = np.isfinite(values)
        if finite.all():
            self.gap = values.max(axis=0) - values.min(axis=0)
            return
        high, low = np.where(finite, values, -np.inf).max(axis=0), np.where(finite, values, np.inf).min(axis=0)
        with np.errstate(all="ignore"):
            self.gap = np.where(finite.sum(axis=0) > 1, high - low, np.nan)

    def rest_variances(self) -> Array:
        """Return the variances of the values on all other items, as means over slices, weighted by their sizes."""
        each = np.where(self.known, self.variances * self.sizes**2, 0.0)
        with np.errstate(all="ignore"):
            found: Array = (each.sum(axis=0) - each) / (self.sizes.sum(axis=0) - self.sizes) ** 2
        return found


def _freedom(units: Units, size: float) -> float:
    """Return the degrees of freedom of the variance of one slice."""
    return max(1.0, (units.dependence.all if isinstance(units, Groups) else size) - 1)


def _brown_forsythe(found: _Statistics, freedom: Array) -> float:
    """Return the p-value of the test of Brown and Forsythe (1974), with degrees of freedom by Mehrotra (1997).

    The statistic compares Σ size·(value − mean)² with its expectation if all slices are alike, which is also where
    `beyond_noise` starts to be positive. Its weights do not depend on estimated variances, as those of Q do: a slice of
    few groups that happen to be right would weigh far too much.
    """
    known = found.known[:, 0]
    if known.sum() < 2:
        return math.nan
    values, sizes, loose = found.values[known, 0], found.sizes[known, 0], freedom[known]
    shares = sizes / sizes.sum()
    spread = sizes * found.variances[known, 0]
    seen = float((sizes * (values - (shares * values).sum()) ** 2).sum())
    terms = (1 - shares) * spread
    expected = float(terms.sum())
    first = expected**2 / float((spread**2 * (1 - 2 * shares)).sum() + (shares * spread).sum() ** 2)
    second = expected**2 / float((terms**2 / loose).sum())
    return beta_distribution(second / (second + first * seen / expected), second / 2, first / 2)


def _welch(found: _Statistics, freedom: Array) -> Array:
    """Return the p-value of each slice against the rest by Welch's t-test."""
    known, mine, others = found.known[:, 0], found.variances[:, 0], found.rest_variances()[:, 0]
    each = np.where(known, mine * found.sizes[:, 0] ** 2, 0.0) ** 2 / freedom
    with np.errstate(all="ignore"):
        rest = (each.sum() - each) / (found.sizes[:, 0].sum() - found.sizes[:, 0]) ** 4
        loose = (mine + others) ** 2 / (mine**2 / freedom + rest)
    assert found.apart is not None
    p = [
        students_tails(math.sqrt(t), nu) if math.isfinite(t) and math.isfinite(nu) else math.nan
        for t, nu in zip(found.apart[:, 0].tolist(), loose.tolist(), strict=True)
    ]
    return np.where(known, p, np.nan)


def _gap_of_normal(found: _Statistics, seed: int, replicates: int) -> float:
    """Return the mean gap between normal variables that have the standard errors of the slices and one mean."""
    errors = np.sqrt(found.variances[found.known[:, 0], 0])
    if len(errors) < 2:
        return math.nan
    drawing = np.random.default_rng(np.random.SeedSequence([seed, 6]))
    return float(np.ptp(drawing.standard_normal((replicates, len(errors))) * errors, axis=1).mean())
