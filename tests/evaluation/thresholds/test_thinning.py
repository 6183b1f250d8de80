"""Thinned curves look like the whole ones, however skewed the scores are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.evaluation.thresholds.thinning import FEW, TOLERANCE, levelled, thinned

MEASURES = ("recall", "precision", "mcc", "f1", "accuracy", "specificity")
ROUNDING = 2e-4  # of the axis: what a chart leaves out of numbers


def skewed(n: int, share: float, power: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores of which nearly all lie near 0, as those of a classifier of a rare class do."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    y[:2] = [True, False]
    return y, rng.random(n) ** np.where(y, power / 3, power)


def drawn(x: np.ndarray, y: np.ndarray, at: np.ndarray) -> np.ndarray:
    """What steps through points show: each value holds from its x down to the next lower one."""
    order = np.argsort(x, kind="stable")
    return y[order][np.searchsorted(x[order], at, side="left").clip(max=len(x) - 1)]


def places(thresholds: np.ndarray) -> np.ndarray:
    """Every threshold, and one between each two."""
    low = thresholds[::-1].astype(float)
    return np.concatenate([low, (low[1:] + low[:-1]) / 2])


@given(
    st.integers(5, 4000), st.floats(0.005, 0.5), st.sampled_from([1.0, 6.0, 40.0]), st.integers(0, 2**32 - 1),
    st.sampled_from(MEASURES), st.integers(4, 300),
)  # fmt: skip
@settings(max_examples=25, deadline=None)
def test_a_thinned_curve_is_within_half_a_pixel_of_the_true_one_at_every_threshold(n, share, power, seed, name, points):
    found = gm.sweep(*skewed(n, share, power, seed), measures=[name])
    whole, thin = found.curve(name), found.curve(name, points=points)
    at = places(whole.thresholds)
    true = np.array([whole.values[whole.thresholds >= t][-1] for t in at])
    span = np.nanmax(whole.values) - np.nanmin(whole.values)
    np.testing.assert_allclose(drawn(thin.thresholds, thin.values, at), true, rtol=0, atol=TOLERANCE * span + 1e-12)


@given(st.integers(1001, 4000), st.floats(0.005, 0.5), st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_both_axes_of_a_thinned_roc_curve_are_within_half_a_pixel(n, share, seed):
    found = gm.sweep(*skewed(n, share, 6, seed))
    whole, thin = found.curve("recall", over="fallout"), found.curve("recall", over="fallout", points=100)
    at = places(whole.thresholds)
    for k in ("values", "over"):
        mine, true = (drawn(x.thresholds, getattr(x, k), at) for x in (thin, whole))
        np.testing.assert_allclose(mine, true, rtol=0, atol=TOLERANCE + 1e-12)


@given(
    st.integers(5, 4000), st.floats(0.005, 0.5), st.sampled_from([1.0, 40.0]), st.integers(0, 2**32 - 1),
    st.sampled_from(MEASURES), st.sampled_from(["resolve", "nan"]),
)  # fmt: skip
@settings(max_examples=25, deadline=None)
def test_the_steps_of_a_chart_are_within_half_a_pixel_at_every_threshold(n, share, power, seed, name, undefined):
    whole = gm.sweep(*skewed(n, share, power, seed), measures=[name], undefined=undefined).curve(name)
    at, levels = levelled(whole.values, points=100)
    shown = drawn(whole.thresholds[at], levels, whole.thresholds)
    span = np.nanmax(whole.values) - np.nanmin(whole.values)
    np.testing.assert_allclose(shown, whole.values, rtol=0, atol=TOLERANCE * span + 1e-12)
    assert len(at) <= len(thinned(whole.values, points=100))


def test_few_points_are_never_thinned():
    y, s = skewed(FEW, 0.01, 40, 0)
    assert len(gm.sweep(y, s).curve("recall", points=FEW).values) == len(np.unique(s))


@pytest.mark.parametrize("n", [317, 20_000])
def test_the_chart_of_a_rare_class_shows_the_recall_at_every_threshold(n):
    found = gm.sweep(*skewed(n, 0.01, 40, 3), measures=["recall", "precision"])
    spec = found.chart()
    line = next(x for x in spec["spec"]["layer"] if x["mark"]["type"] == "line")
    assert line["mark"]["interpolate"] == "step-before"  # along rising x, a value holds from the x before up to its own
    for name in ("Recall", "Precision"):
        (row,) = (x for x in spec["data"]["values"] if x["kind"] == "curve" and x["measure"] == name)
        x, y = (np.array(row[k]) for k in "xy")
        assert np.all(np.diff(x) >= 0)
        whole = found.curve(name.lower())
        # a hair's breadth off the steps, whose places the chart rounds
        at = whole.thresholds[:-1] - np.minimum(ROUNDING, np.abs(np.diff(whole.thresholds)) / 2)
        sure = np.abs(np.diff(whole.thresholds)) > 2 * ROUNDING
        np.testing.assert_allclose(
            drawn(x, y, at[sure]), whole.values[:-1][sure], rtol=0, atol=TOLERANCE + ROUNDING
        )  # fmt: skip


def test_the_figure_draws_the_same_steps():
    pytest.importorskip("matplotlib")
    found = gm.sweep(*skewed(20_000, 0.01, 40, 3), measures=["recall"])
    line = found.plot.thresholds("recall").lines[0]
    assert line.get_drawstyle() == "steps-pre"
    assert np.all(np.diff(line.get_xdata()) > 0)
    whole = found.curve("recall")
    np.testing.assert_allclose(
        drawn(line.get_xdata(), line.get_ydata(), whole.thresholds), whole.values, atol=TOLERANCE
    )


def test_matrices_at_a_few_thresholds_are_joined_by_lines():
    chart = gm.sweep(matrices={0.5: [[5, 1], [2, 4]], 0.7: [[6, 0], [3, 3]]}, measures=["mcc"]).chart()
    line = next(x for x in chart["spec"]["layer"] if x["mark"]["type"] == "line")
    assert "interpolate" not in line["mark"]


def test_undefined_stretches_are_gaps_of_the_chart():
    """Of three thresholds the middle one is undefined: the steps beside it are drawn, and nothing between.

    Above all scores nothing is predicted positive, which is the last step.
    """

    def odd(c):
        return c.ratio(c.tp, c.where(c.fp == 1, 0, 1))

    found = gm.sweep([1, 0, 1, 0], [0.8, 0.6, 0.6, 0.2], measures=[odd])
    pieces = [(x["x"], x["y"]) for x in found.chart()["data"]["values"] if x["kind"] == "curve"]
    assert pieces == [([0.2], [2.0]), ([0.6, 0.8, 0.824], [1.0, 1.0, 0.0])]


def test_undefined_values_keep_their_places():
    values = np.array([np.nan, np.nan, 0.5, 0.5, np.nan, 0.5, np.inf, np.inf])
    assert thinned(values, points=4).tolist() == [0, 2, 4, 5, 6, 7]


def test_the_table_of_a_sweep_shows_high_thresholds_too():
    """Of 20,000 scores hardly any is above 0.5: rows spread by rank alone would show none of them."""
    from goodmeasure.report.content.thresholds import threshold_blocks
    from goodmeasure.report.document import Grid

    found = gm.sweep(*skewed(20_000, 0.01, 40, 3), measures=["recall"])
    grid = [x for x in threshold_blocks(found, [], None) if isinstance(x, Grid)][-1]
    assert sum(float(row[0].text) > 0.5 for row in grid.rows) >= 4
