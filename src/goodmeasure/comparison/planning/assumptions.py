"""What a plan assumes: how often each pattern (true class, label of A, label of B) occurs in the population.

The assumption comes from a pilot, from confusion matrices, or from rates. Two matrices do not tell how often the
systems disagree, so the patterns are a mixture of two extremes with the same matrices: given the true class, the
systems are independent, or they agree as often as they can (the maximal coupling of two distributions).

`with_difference` turns these patterns into the closest ones with a given difference of the measure. Closest means that
the relative entropy is smallest, to first order: the shares are tilted by exp(s·h), where h is the influence of an item
on the difference (the least favourable family: Efron 1981). This is done apart in each true class, for the items on
which the systems agree and for those on which they do not, so that class shares and disagreement stay what they are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.joint import Joint
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.evaluation.prevalence.reweighting import as_shares, check_known, reweighted
from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array, Label

INDEPENDENT = "the errors of the two systems are taken as independent, given the true class; real systems share errors"
_CLOSE = 1e-9
_LARGEST_TILT = 200.0
_HALVINGS = 200


@dataclass(frozen=True, eq=False)
class Population:
    """The share of each pattern: the true class, and the class that each of one or two systems predicts."""

    systems: tuple[str, ...]
    labels: tuple[Label, ...]
    true: Array  # (patterns,)
    pred: Array  # (systems, patterns)
    shares: Array  # (patterns,), which add up to 1
    notes: tuple[str, ...] = ()  # what a reader must know about the assumptions

    @property
    def m(self) -> int:
        """Return the number of classes."""
        return len(self.labels)

    def matrix(self, k: int = 0) -> Array:
        """Return the shares of the cells of one system's matrix."""
        cells = np.bincount(self.true * self.m + self.pred[k], self.shares, minlength=self.m**2)
        return cells.reshape(self.m, self.m)

    def class_shares(self) -> Array:
        """Return the share of each true class."""
        found: Array = np.bincount(self.true, self.shares, minlength=self.m)
        return found

    def rarest(self) -> tuple[object, float]:
        """Return the true class with the smallest share, and this share."""
        shares = self.class_shares()
        k = min(np.flatnonzero(shares > 0).tolist(), key=lambda i: shares[i])
        return self.labels[k], float(shares[k])

    def drawn(self, items: int, samples: int, seed: int) -> Array:
        """Return how many items of random samples have each pattern, as an array (samples, patterns)."""
        drawing = np.random.default_rng(np.random.SeedSequence([seed, items]))
        found: Array = drawing.multinomial(items, self.shares, size=samples)
        return found

    def joint(self, number: Array) -> Joint:
        """Return one sample with these numbers of items as data of a comparison."""
        held = np.flatnonzero(number)
        return Joint(self.systems, self.labels, self.true[held], self.pred[:, held], number=number[held])


def of_matrices(matrices: Mapping[str, ConfusionMatrix], prevalence: object, disagreement: float | None) -> Population:
    """Return the patterns of one matrix, or of two with this share of items on which the systems disagree."""
    names = list(matrices)
    shares = [_shares(x, prevalence) for x in matrices.values()]
    labels = matrices[names[0]].labels
    if len(names) == 1:
        true, pred = np.nonzero(shares[0])
        return Population((names[0],), labels, true, pred[None], shares[0][true, pred])
    if tuple(matrices[names[1]].labels) != tuple(labels):
        raise InputError(
            "the two matrices have different classes",
            argument="counts",
            advice="give both the same classes, in one order",
        )
    if not np.allclose(shares[0].sum(axis=1), shares[1].sum(axis=1), rtol=1e-6, atol=_CLOSE):
        raise InputError(
            "the two matrices have different class shares",
            argument="prevalence",
            advice="say which shares to plan for with {prevalence:=}",
        )
    patterns = _coupled(shares[0], shares[1], disagreement)
    true, first, second = np.nonzero(patterns)
    notes = (INDEPENDENT,) if disagreement is None else ()
    return Population(tuple(names), labels, true, np.stack([first, second]), patterns[true, first, second], notes)


def _shares(matrix: ConfusionMatrix, prevalence: object) -> Array:
    """Return the shares of the cells, with the class shares that were asked for."""
    if not matrix.n > 0:
        raise InputError("{data} holds no items", advice="give counts or shares that are not all 0")
    counts = np.asarray(matrix.counts, np.float64)
    if prevalence is None:
        counted: Array = counts / counts.sum()
        return counted
    wanted = as_shares(prevalence, matrix.labels, "prevalence")
    check_known(matrix, wanted)
    return np.nan_to_num(reweighted(counts, wanted))


def _coupled(one: Array, two: Array, disagreement: float | None) -> Array:
    """Return the shares (m, m, m) of patterns whose two matrices are these."""
    m = len(one)
    total = np.maximum(one.sum(axis=1), 1e-300)[:, None]
    apart = one[:, :, None] * two[:, None, :] / total[:, :, None]
    if disagreement is None:
        return np.asarray(apart)
    both = np.minimum(one, two)
    left, right = one - both, two - both
    rest = left.sum(axis=1)
    near = left[:, :, None] * right[:, None, :] / np.maximum(rest, 1e-300)[:, None, None]
    near[:, np.arange(m), np.arange(m)] += both
    least, most = float(rest.sum()), float(apart.sum() - np.trace(apart, axis1=1, axis2=2).sum())
    if not least - _CLOSE <= disagreement <= most + _CLOSE:
        raise InputError(
            "{disagreement} is {got}",
            got=disagreement,
            least=least,
            most=most,
            expected="a share from {least:.4g} (as few as these matrices allow) to {most:.4g} (independent errors)",
        )
    part = 1.0 if most - least < _CLOSE else min(1.0, max(0.0, (disagreement - least) / (most - least)))
    mixed: Array = part * apart + (1 - part) * near
    return mixed


def of_pilot(joint: Joint) -> Population:
    """Return the patterns of a pilot, with the shares that they have in it."""
    found = joint.by_pattern()
    true, pred, mass = found.true.astype(np.int64), found.pred.astype(np.int64), found.mass
    note = f"the rates of the pilot are taken as they are, although they come from {joint.items:,} items only"
    return Population(found.systems, found.labels, true, pred, mass / mass.sum(), (note,))


def value(f: Measure, population: Population, k: int, policy: Policy) -> float:
    """Return the value of a measure for one system."""
    return float(f(population.matrix(k), undefined=policy))


def slopes(f: Measure, population: Population, k: int, policy: Policy) -> Array:
    """Return the slope of a measure in the cell of each pattern, for shares that add up to 1; NaN if there is none."""
    matrix = population.matrix(k)
    rows, cols = np.nonzero(matrix)
    table = np.zeros(matrix.shape)
    table[rows, cols] = Samples(population.m, rows, cols, policy, whole=False).slopes(f, matrix[rows, cols])
    found: Array = table[population.true, population.pred[k]]
    return np.where(np.isfinite(found), found, np.nan)


def deviation(f: Measure, population: Population, policy: Policy) -> float:
    """Return the standard deviation of one item's influence on a value, or on the difference of two systems."""
    influence = slopes(f, population, 0, policy)
    if len(population.systems) == 2:
        influence = influence - slopes(f, population, 1, policy)
    mean = float((population.shares * influence).sum())
    return math.sqrt(max(0.0, float((population.shares * influence**2).sum()) - mean**2))


def difference(f: Measure, population: Population, policy: Policy) -> float:
    """Return the value of the first system minus that of the second."""
    return value(f, population, 0, policy) - value(f, population, 1, policy)


def with_difference(f: Measure, population: Population, wanted: float, policy: Policy) -> Population:
    """Return the closest patterns in which the difference is `wanted`; class shares and disagreement stay."""
    here = difference(f, population, policy)
    if abs(here - wanted) < _CLOSE:
        return population
    influence = slopes(f, population, 0, policy) - slopes(f, population, 1, policy)
    spread = float(np.sqrt((population.shares * influence**2).sum()))
    if math.isnan(spread) or spread == 0:
        raise InputError(
            "the two systems cannot differ in {name} under these assumptions",
            name=f.name,
            advice="say how often they disagree with {disagreement:=}, give a larger pilot, or take another measure",
        )
    inside, outside = 0.0, math.copysign(_LARGEST_TILT, wanted - here)
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        found = difference(f, _tilted(population, middle * influence / spread), policy)
        if (found - wanted) * (here - wanted) > 0:
            inside = middle
        else:
            outside = middle
    tilted = _tilted(population, inside * influence / spread)
    if abs(difference(f, tilted, policy) - wanted) > 1e-6:
        raise InputError(
            "{difference} is {got}, which these systems cannot have",
            got=wanted,
            advice="give a smaller difference, a larger {disagreement}, or matrices with this difference",
        )
    return tilted


def _tilted(population: Population, exponent: Array) -> Population:
    """Return the patterns with shares multiplied by exp(exponent), where each part keeps its share.

    A part is a true class, with the items on which the systems agree or those on which they disagree.
    """
    part = 2 * population.true + (population.pred[0] == population.pred[1])
    top = np.full(2 * population.m, -np.inf)
    np.maximum.at(top, part, exponent)
    raised = population.shares * np.exp(exponent - top[part])
    before, after = (np.bincount(part, x, minlength=2 * population.m) for x in (population.shares, raised))
    return replace(population, shares=raised * (before[part] / after[part]))
