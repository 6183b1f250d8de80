"""Intervals of measures of scores: what is decided by few items, or chosen on the same items."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.catalogue.names import measure
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.scores.uncertainty import Uncertainty


def drawn(items, prevalence, area, datasets):
    """Data sets with normal scores, and the distance of the classes."""
    apart, rng = math.sqrt(2) * NormalDist().inv_cdf(area), np.random.default_rng(0)
    for _ in range(datasets):
        hit = rng.random(items) < prevalence
        if 3 <= hit.sum() <= items - 3:
            yield Scored(hit, rng.normal(size=items) + apart * hit, (0, 1)), apart


def covered(name, items, prevalence, area, datasets, truth):
    """How often the interval holds the truth, a function of the distance of the classes."""
    f, held = measure(name), []
    for k, (data, apart) in enumerate(drawn(items, prevalence, area, datasets)):
        found = Uncertainty(data, 0.95, k, 60).interval(f, f.of(data)[0])
        held.append(found.low <= truth(apart) <= found.high)
    return float(np.mean(held))


@pytest.mark.parametrize(("items", "prevalence", "area"), [(1000, 0.01, 0.97), (1000, 0.01, 0.9), (50, 0.5, 0.97)])
def test_areas_that_rest_on_few_items_are_covered(items, prevalence, area):
    """With DeLong's variance alone, 82 to 93% of the intervals held the true area."""
    assert covered("roc_auc", items, prevalence, area, 150, lambda _: area) >= 0.93


@pytest.mark.parametrize(("items", "area"), [(50, 0.97), (130, 0.85)])
def test_the_best_value_over_thresholds_is_covered(items, area):
    """Resamples that were turned around the value held the true KS in 71 and 89%."""
    assert covered("ks", items, 0.5, area, 60, lambda apart: 2 * NormalDist().cdf(apart / 2) - 1) >= 0.9


def test_the_interval_of_a_best_value_lies_below_it_for_losses_above_it_and_holds_it():
    y = np.arange(60) % 2
    s = np.random.default_rng(1).uniform(size=60) / 2 + y / 4
    for f, better in ((gm.measure("k").at_best_threshold(), 1), (gm.measure("error_rate").at_best_threshold(), -1)):
        row = gm.evaluate(y, y_score=s, measures=[f]).table[0]
        assert row["low"] <= row["value"] <= row["high"]
        worse, best = (row["low"], row["high"]) if better > 0 else (row["high"], row["low"])
        assert abs(row["value"] - worse) > abs(best - row["value"])


@pytest.mark.parametrize("extra", [{"sample_weight": np.linspace(0.2, 3, 60)}, {"groups": np.arange(60) // 4}])
def test_best_values_of_weighted_and_grouped_items_have_intervals(extra):
    y = np.arange(60) % 2
    s = np.random.default_rng(1).uniform(size=60) / 2 + y / 4
    row = gm.evaluate(y, y_score=s, measures=["ks"], **extra).table[0]
    assert row["low"] < row["value"] <= row["high"]


@pytest.mark.parametrize("name", ["roc_auc", "ks", "h_measure", "partial_auc", "average_precision"])
def test_a_perfect_ranking_is_not_certain(name):
    y = np.arange(40) % 2
    row = gm.evaluate(y, y_score=y / 2 + np.linspace(0, 0.4, 40), measures=[name]).table[0]
    assert row["value"] == pytest.approx(row["high"])
    assert row["low"] < 0.97 * row["high"]
