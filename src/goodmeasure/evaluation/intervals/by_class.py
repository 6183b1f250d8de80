"""Intervals and spread of a binary measure over classes, each against the rest."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np

from goodmeasure.catalogue import running
from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import GroupCounts, Sample
from goodmeasure.evaluation.intervals.interval import Interval, intervals
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.evaluation.intervals.sampling_units import SingleItems
from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import RESOLVE, Policy, policy_of
from goodmeasure.options import IntervalOptions
from goodmeasure.typing import Array


def class_intervals(
    sample: Sample, measures: Sequence[Measure], values: Sequence[Array] | None = None, **asked: Unpack[IntervalOptions]
) -> list[list[Interval]]:
    """Return the intervals of binary measures for every class one-vs-rest: for each measure, a list over classes.

    `values` are those of each measure by class, if they are known. The keyword arguments are those of `intervals`:
    confidence, seed, method, replicates, policy.

    >>> sample = Sample(ConfusionMatrix([[5, 1, 0], [0, 4, 2], [1, 0, 3]]))
    >>> recalls, = class_intervals(sample, ["recall"])
    >>> [f"{x.low:.2f}-{x.high:.2f}" for x in recalls]
    ['0.44-0.97', '0.30-0.90', '0.30-0.95']
    """
    chosen = [as_measure(f) for f in measures]
    by_class = [
        intervals(one, chosen, values=None if values is None else [float(x[i]) for x in values], **asked)
        for i, one in enumerate(against_the_rest(sample))
    ]
    return [list(found) for found in zip(*by_class, strict=True)]


def class_variances(sample: Sample, measure: Measure, policy: Policy = RESOLVE) -> Array:
    """Return the sampling variance of the one-vs-rest value of every class, by the delta method.

    The variance is NaN where the measure has no derivative, and meaningless where its value is undefined. For items
    that are neither weighted nor grouped, all classes are computed at once.
    """
    if sample.items is None and sample.groups is None:
        units, four = SingleItems(sample), class_pairs(sample.matrix)
        weights = four.reshape(-1, 4).T.astype(np.float64)
        rows, cols = np.divmod(np.arange(4), 2)
        slopes = Samples(2, rows, cols, policy, whole=units.whole).slopes_of(measure, weights)
        if slopes is not None:
            return units.variance_of_columns(weights, slopes)
    errors = [x.deviation for x in class_intervals(sample, [measure], method="delta", undefined=policy)[0]]
    return np.array(errors) ** 2


def class_values(matrix: ConfusionMatrix, measure: Measure, policy: Policy = RESOLVE) -> Array:
    """Return the one-vs-rest values of a binary measure for every class."""
    return values_of_pairs(class_pairs(matrix), measure, policy)


def values_of_pairs(four: Array, measure: Measure, policy: Policy) -> Array:
    """Return the values of a binary measure on matrices of shape (…, 2, 2).

    An undefined value is NaN, also under the policy that would raise.
    """
    cells = np.moveaxis(four, 0, -1).astype(np.float64)
    batch = running.MatrixBatch.laid_out(cells, whole=four.dtype.kind in "iu")
    values: Array = measure.within_range(running.on_batch(measure.recorded, batch, policy.quiet))
    return values


def against_the_rest(sample: Sample) -> Iterator[Sample]:
    """Yield the sample of each class as the positive class against all others."""
    matrix = sample.matrix
    weights = class_pairs(matrix)
    items = None if sample.items is None else four_of(np.asarray(sample.items))
    squares = None if sample.squares is None else four_of(np.asarray(sample.squares))
    for i in range(matrix.m):
        groups = None if sample.groups is None else _of_class(sample.groups, i)
        judged = None if sample.judged is None else sample.judged.moved(np.arange(matrix.m) == i)
        if items is None or squares is None:
            yield Sample(ConfusionMatrix(weights[i]), groups, judged)
        else:
            yield replace(Sample.weighted(ConfusionMatrix(weights[i]), items[i], squares[i], groups), judged=judged)


def class_pairs(matrix: ConfusionMatrix) -> Array:
    """Return [[TN, FP], [FN, TP]] of every class, of shape (m, 2, 2)."""
    if not matrix.is_sparse:
        return four_of(np.asarray(matrix.counts))
    sparse = matrix.sparse
    return _four_from(sparse.diagonal, sparse.a, sparse.b, np.asarray(sparse.n))


def four_of(counts: Array) -> Array:
    """Return [[TN, FP], [FN, TP]] of every class of one or more matrices (…, m, m), of shape (…, m, 2, 2)."""
    hits = np.diagonal(counts, axis1=-2, axis2=-1)
    return _four_from(hits, counts.sum(axis=-1), counts.sum(axis=-2), counts.sum(axis=(-2, -1)))


def _four_from(hits: Array, a: Array, b: Array, n: Array) -> Array:
    """Return the four cells of every class from margins, by subtraction.

    Integers make that exact. For real weights, a difference that is 0 but for rounding is set to 0.
    """
    n = n[..., None]
    four = np.stack([np.stack([n - a - b + hits, b - hits], -1), np.stack([a - hits, hits], -1)], -2)
    if four.dtype.kind == "f":
        four = np.where(four < 1e-12 * n[..., None, None], 0.0, four)
    return four


def _of_class(groups: GroupCounts, i: int) -> GroupCounts:
    true, predicted = (np.asarray(x) == i for x in (groups.rows, groups.cols))
    return GroupCounts(groups.size, groups.group, true.astype(np.int64), predicted.astype(np.int64), groups.values)


@dataclass(frozen=True, slots=True)
class Spread:
    """How much the one-vs-rest value of a binary measure differs between classes.

    `mean` and `variance` are over the `classes` on which the measure is defined. These classes are the population and
    not a sample, so the divisor is their number. `noise` is the part of the variance that sampling the items would
    produce by itself if all classes were alike: classes really differ as far as the variance exceeds it.
    """

    mean: float
    variance: float
    deviation: float
    noise: float
    classes: int

    @property
    def beyond_noise(self) -> float:
        """Return the standard deviation over classes beyond what sampling explains; 0 if it explains all."""
        return math.sqrt(max(0.0, self.variance - self.noise)) if self.noise == self.noise else math.nan


def spread(data: object, measure: object, *, policy: Policy = RESOLVE) -> Spread:
    """Return the mean and standard deviation over classes of a binary measure, as Opitz (2024, §8) recommends.

    The expected variance of k independent values with sampling variances v_1 … v_k around their own mean is (1 − 1/k)
    times the mean of the v_i, if all have the same expectation. This is `noise`; what exceeds it is the moment estimate
    of the variance between classes in a random-effects model (Hedges 1983). The classes are treated as independent.

    >>> found = spread([[50, 3, 2], [4, 20, 1], [0, 9, 11]], "recall")
    >>> print(f"{found.mean:.3f} ± {found.deviation:.3f}, beyond noise {found.beyond_noise:.3f}")
    0.753 ± 0.150, beyond noise 0.134
    """
    sample = data if isinstance(data, Sample) else Sample(running.as_matrix(data))
    if sample.matrix.batch:
        raise InputError(
            "spread takes one matrix, but got a batch of shape {batch}",
            batch=sample.matrix.batch,
            advice="pick one of them",
        )
    f, rule = as_measure(measure), policy_of(policy)
    values = class_values(sample.matrix, f, rule)
    known = values[~np.isnan(values)]
    if not len(known):
        return Spread(math.nan, math.nan, math.nan, math.nan, 0)
    variance = float(np.var(known))
    noise = float(np.mean(class_variances(sample, f, rule)[~np.isnan(values)]))
    noise *= 1 - 1 / len(known)  # the values vary around their own mean, which takes one degree of freedom
    return Spread(float(np.mean(known)), variance, math.sqrt(variance), noise, len(known))
