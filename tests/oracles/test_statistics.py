"""Intervals and tests against statsmodels, SciPy and the enumeration of all outcomes.

statsmodels has no interval for the difference of paired proportions: Tango's is checked from its definition in
tests/comparison/test_difference_intervals.py.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.power import normal_power_het
from statsmodels.stats.proportion import proportion_confint

import goodmeasure as gm
from goodmeasure.comparison.planning.powers import mcnemar_power
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.interval import intervals

MATRICES = ([[50, 3], [4, 20]], [[20, 0], [0, 20]], [[7, 2], [5, 1]], [[900, 30], [2, 68]])
PROPORTIONS = {
    "accuracy": lambda tn, fp, fn, tp: (tn + tp, tn + fp + fn + tp),
    "recall": lambda tn, fp, fn, tp: (tp, tp + fn),
    "specificity": lambda tn, fp, fn, tp: (tn, tn + fp),
    "precision": lambda tn, fp, fn, tp: (tp, tp + fp),
}


@pytest.mark.parametrize(("ours", "theirs"), [("wilson", "wilson"), ("exact", "beta")])
@pytest.mark.parametrize("matrix", MATRICES)
@pytest.mark.parametrize("name", PROPORTIONS)
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_intervals_of_proportions_are_those_of_statsmodels(ours, theirs, matrix, name, confidence):
    hits, items = PROPORTIONS[name](*np.ravel(matrix))
    (found,) = intervals(Sample(gm.ConfusionMatrix(matrix)), [name], method=ours, confidence=confidence)
    expected = proportion_confint(hits, items, alpha=1 - confidence, method=theirs)
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)


def labels_of(both, first, second, none):
    """Two systems that are right together, alone, and not at all on so many items."""
    right = [(1, 1)] * both + [(1, 0)] * first + [(0, 1)] * second + [(0, 0)] * none
    true = [k % 2 for k in range(len(right))]
    return true, {name: [t if r[k] else 1 - t for t, r in zip(true, right, strict=True)] for k, name in enumerate("AB")}


@pytest.mark.parametrize(("first", "second"), [(0, 0), (3, 1), (10, 2), (1, 12), (25, 30)])
def test_mcnemars_test_is_that_of_statsmodels(first, second):
    true, systems = labels_of(40, first, second, 5)
    row = gm.compare(true, systems, measures=["accuracy"], method="exact").differences[0]
    assert row["p"] == pytest.approx(mcnemar([[40, first], [second, 5]], exact=True).pvalue)


@pytest.mark.parametrize(("first", "second"), [(4, 1), (6, 0), (5, 3)])
def test_swapping_labels_is_scipys_permutation_test(first, second):
    """All 2^k swaps of the items on which the systems differ; a tie counts half for us, and in full for SciPy."""
    true, systems = labels_of(3, first, second, 1)
    right = [np.equal(systems[name], true).astype(float) for name in "AB"]
    apart = right[0] != right[1]
    found = stats.permutation_test(
        [x[apart] for x in right], lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples",
        vectorized=True, n_resamples=np.inf,
    )  # fmt: skip
    drawn, seen = np.abs(found.null_distribution), abs(found.statistic)
    middle = ((drawn > seen + 1e-9).mean() + (drawn >= seen - 1e-9).mean()) / 2
    assert gm.compare(true, systems, measures=["accuracy"]).differences[0]["p"] == pytest.approx(middle)
    swapped = gm.compare(true, systems, measures=["accuracy"], method="permutation", replicates=20_000)
    assert swapped.differences[0]["p"] == pytest.approx(middle, abs=0.015)


def test_the_paired_bootstrap_is_that_of_scipy():
    rng = np.random.default_rng(4)
    true = rng.integers(0, 2, 80)
    systems = {name: np.where(rng.random(80) < right, true, 1 - true) for name, right in (("A", 0.9), ("B", 0.75))}

    def difference(keys_a, keys_b, axis):
        counts = [np.stack([(keys == k).sum(axis=axis) for k in range(4)], -1) for keys in (keys_a, keys_b)]
        one, two = (gm.mcc(x.reshape(*x.shape[:-1], 2, 2)) for x in counts)
        return one - two

    keys = [true * 2 + systems[name] for name in "AB"]
    expected = stats.bootstrap(
        keys,
        difference,
        paired=True,
        vectorized=True,
        n_resamples=6000,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    row = gm.compare(true, systems, measures=["mcc"], method="bootstrap", replicates=6000).differences[0]
    assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high), abs=0.025)


@pytest.mark.parametrize(("first", "second", "items"), [(0.12, 0.05, 700), (0.1, 0.07, 2000), (0.3, 0.2, 400)])
def test_the_power_of_mcnemars_test_is_close_to_that_of_statsmodels(first, second, items):
    """The normal approximation with different variances under both hypotheses (Connor 1987)."""
    differ, gap = first + second, first - second
    expected = normal_power_het(
        gap, items, 0.05, std_null=math.sqrt(differ), std_alternative=math.sqrt(differ - gap**2), alternative="larger"
    )
    two_sided = normal_power_het(
        gap, items, 0.025, std_null=math.sqrt(differ), std_alternative=math.sqrt(differ - gap**2), alternative="larger"
    )
    assert two_sided < expected
    assert mcnemar_power(first, second, items, 0.05) == pytest.approx(two_sided, abs=0.012)


def test_the_power_of_mcnemars_test_is_the_sum_over_all_tables():
    items, shares = 12, (0.5, 0.3, 0.05, 0.15)
    power = 0.0
    for counts in itertools.product(range(items + 1), repeat=3):
        if sum(counts) <= items:
            table = (*counts, items - sum(counts))
            chance = stats.multinomial.pmf(table, items, shares)
            p = mcnemar([[table[0], table[1]], [table[2], table[3]]], exact=True).pvalue
            power += chance * (p < 0.05)
    assert mcnemar_power(shares[1], shares[2], items, 0.05, mid=False) == pytest.approx(power)
