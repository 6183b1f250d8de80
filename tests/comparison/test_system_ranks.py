"""Orders of systems: SciPy's correlations, shared places, and shares of being the best."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodmeasure.comparison.system_ranks import best_shares, kendall, mean_places, place_intervals, places, spearman

stats = pytest.importorskip("scipy.stats")
ORDERS = st.integers(2, 12).flatmap(
    lambda n: st.tuples(*(st.lists(st.integers(0, 5), min_size=n, max_size=n) for _ in range(2)))
)


@given(ORDERS)
def test_correlations_are_scipys(both):
    x, y = both
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert math.isnan(kendall(x, y))
        assert math.isnan(spearman(x, y))
    else:
        assert kendall(x, y) == pytest.approx(stats.kendalltau(x, y).statistic)
        assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=15))
def test_places_are_scipys(x):
    assert places(x, higher=False) == stats.rankdata(x, "min").tolist()
    assert places(x) == stats.rankdata([-v for v in x], "min").tolist()
    assert mean_places(x, higher=False).tolist() == stats.rankdata(x).tolist()


def test_rounding_makes_no_order():
    assert places([0.1 + 0.2, 0.3]) == [1, 1]


def test_shares_of_being_best_add_up_and_ties_are_shared():
    values = np.random.default_rng(0).integers(0, 3, (4, 500)).astype(float)
    shares = best_shares(values)
    assert shares.sum() == pytest.approx(1)
    assert best_shares(np.ones((4, 10))).tolist() == [0.25] * 4
    lower = best_shares(values, higher=False)
    assert lower == pytest.approx(best_shares(-values))


def test_places_on_drawn_samples_share_ties():
    values = np.array([[3.0, 3.0], [3.0, 3.0], [1.0, 5.0]])
    assert place_intervals(values, 0.9).tolist() == [[1, 3], [1, 3], [1, 3]]
    assert place_intervals(values[:2], 0.9).tolist() == [[1, 2], [1, 2]]  # either may be the better one


@given(st.integers(1, 6), st.integers(1, 60), st.sampled_from([0.5, 0.8, 0.9, 0.95]))
def test_intervals_of_ranks_end_at_numpys_quantiles(systems, samples, confidence):
    values = np.random.default_rng(samples).integers(0, 4, (systems, samples)).astype(float)
    best = stats.rankdata(-values, "min", axis=0)
    worst = stats.rankdata(-values, "max", axis=0)
    tail = (1 - confidence) / 2
    expected = [np.quantile(best, tail, axis=1, method="inverted_cdf")]
    expected.append(np.quantile(worst, 1 - tail, axis=1, method="inverted_cdf"))
    assert place_intervals(values, confidence).tolist() == np.stack(expected, axis=1).tolist()
