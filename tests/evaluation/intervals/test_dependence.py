"""Items in groups: the variance and degrees of freedom of each quantity, and what follows where labels are shared."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.stats import norm

import goodmeasure as gm
from goodmeasure.comparison.period_tests import period_test
from goodmeasure.counts.sample import GroupCounts, Sample
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.intervals.dependence import Dependence
from goodmeasure.evaluation.intervals.sampling_units import units_of
from goodmeasure.evaluation.one_sample import sample_of
from goodmeasure.evaluation.scores.uncertainty import Uncertainty


def mean_of(values, group, kind):
    """Return the groups and the influences of a mean of values."""
    groups = Dependence(group, kind, None, int(group.max()) + 1)
    return groups, (values - values.mean()) / len(values)


def test_the_variance_of_a_mean_is_the_cluster_robust_one_of_statsmodels():
    rng = np.random.default_rng(0)
    group = np.repeat(np.arange(15), 6)
    values = rng.normal(size=15)[group] + rng.normal(size=90)
    groups, influences = mean_of(values, group, np.zeros(90, int))
    fit = sm.OLS(values, np.ones(90)).fit(cov_type="cluster", cov_kwds={"groups": group})
    assert groups.variance(influences) == pytest.approx(fit.cov_params()[0, 0])
    assert groups.freedom(influences) == pytest.approx(14)


def test_two_classes_in_groups_of_their_own_are_two_samples():
    """The difference of their means has the variance and the degrees of freedom of Welch's test of group means."""
    rng = np.random.default_rng(1)
    means = [rng.normal(size=5), 3 * rng.normal(size=30)]
    group = np.repeat(np.arange(35), 4)
    kind = (group < 5).astype(int)
    values = np.concatenate(means)[group]
    influences = np.where(kind == 1, values - means[0].mean(), -(values - means[1].mean()))
    influences = influences / np.where(kind == 1, 20, 120)
    parts = [np.var(x, ddof=1) / len(x) for x in means]
    welch = sum(parts) ** 2 / (parts[0] ** 2 / 4 + parts[1] ** 2 / 29)
    groups = Dependence(group, kind, None, 35)
    assert groups.held.tolist() == [30, 5]
    assert groups.variance(influences) == pytest.approx(sum(parts))
    assert groups.freedom(influences) == pytest.approx(min(welch, 34))


def test_each_quantity_has_its_own_design_effect():
    """The label belongs to the group and errors do not: shares of classes vary ten times as much, recalls do not."""
    rng = np.random.default_rng(2)
    group = np.repeat(np.arange(400), 10)
    true = rng.integers(0, 2, 400)[group]
    wrong = rng.random(4000) < 0.2
    sample = sample_of(gm.evaluate(true, np.where(wrong, 1 - true, true), groups=group, measures=["mcc"]), "x")
    units = units_of(sample)
    of_class = (units.rows == 1) - float(true.mean())
    of_hits = (units.rows == units.cols) - float((~wrong).mean())
    assert units.worth(of_class / 4000) == pytest.approx(10, rel=0.05)
    assert units.worth(of_hits / 4000) == pytest.approx(1, abs=0.2)


@pytest.mark.parametrize(("number", "positive", "least"), [(10, 0.5, 0.9), (20, 0.5, 0.9), (100, 0.1, 0.92)])
def test_areas_under_roc_curves_are_covered_where_the_label_belongs_to_the_group(number, positive, least):
    """60, 80 and 90% of the intervals held the true area (600 data sets each)."""
    rng, held, found = np.random.default_rng(3), 0, 0
    apart, inside = (2.5, 0.3) if positive == 0.5 else (1.5, 0.5)
    area = norm.cdf(apart / np.sqrt(2 * (1 + inside**2)))
    while found < 250:
        of_group = rng.random(number) < positive
        if min(of_group.sum(), (~of_group).sum()) < 2:
            continue
        group = np.repeat(np.arange(number), 20)
        hit = of_group[group]
        score = apart * hit + rng.normal(size=number)[group] + inside * rng.normal(size=len(group))
        data = Scored(hit, score, (0, 1), units=group)
        interval = Uncertainty(data, 0.95, 0, 2).interval(gm.roc_auc, gm.roc_auc.of(data)[0])
        held += interval.low <= area <= interval.high
        found += 1
    assert held / found >= least - 2 * np.sqrt(least * (1 - least) / found)


@pytest.mark.parametrize("what", ["prevalence", "predicted", "recall"])
def test_nothing_seems_to_change_where_labels_belong_to_groups(what):
    """Of data sets in which nothing changed, 53, 33 and 8% had a significant change."""
    rng, changed = np.random.default_rng(4), 0
    group = np.repeat(np.arange(40), 10)
    for seed in range(120):
        units = []
        for _ in range(2):
            true = rng.integers(0, 2, 40)[group]
            said = np.where(rng.random(400) < 0.15, 1 - true, true)
            keys = group * 4 + 2 * true + said
            units.append(grouped_units(keys))
        changed += period_test(what, units, 2, seed, 199).p < 0.05
    assert changed <= 14  # 5% of 120 are 6; more than 14 come with a probability of 0.1%


def grouped_units(keys):
    entries, values = np.unique(keys, return_counts=True)
    rows, cols = np.divmod(entries % 4, 2)
    matrix = gm.ConfusionMatrix(np.bincount(keys % 4, minlength=4).reshape(2, 2))
    return units_of(Sample(matrix, GroupCounts(int(entries.max()) // 4 + 1, entries // 4, rows, cols, values)))
