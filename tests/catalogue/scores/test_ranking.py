"""Measures of rankings: brute force over pairs, scikit-learn, identities and degenerate data."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

import goodmeasure as gm
from goodmeasure.counts.scores import by_threshold
from tests.catalogue.scores.strategies import scored


def close(x, y):
    return x == pytest.approx(y, rel=1e-9, abs=1e-12)


def by_pairs(y, s, w):
    """The share of pairs in order, by looking at each pair."""
    w = np.ones(len(y)) if w is None else w
    won = total = 0.0
    for i, j in itertools.product(np.flatnonzero(y == 1), np.flatnonzero(y == 0)):
        won += w[i] * w[j] * (1.0 if s[i] > s[j] else 0.5 if s[i] == s[j] else 0.0)
        total += w[i] * w[j]
    return won / total


@given(scored())
def test_roc_auc_is_the_share_of_pairs_in_order(data):
    y, s, w = data
    assert close(gm.roc_auc(y, s, sample_weight=w), by_pairs(y, s, w))


@given(scored())
def test_average_precision_is_the_mean_precision_at_positive_items(data):
    y, s, w = data
    weight = np.ones(len(y)) if w is None else w
    hits = np.flatnonzero(y == 1)
    precision = [weight[(s >= s[i]) & (y == 1)].sum() / weight[s >= s[i]].sum() for i in hits]
    assert close(gm.average_precision(y, s, sample_weight=w), np.average(precision, weights=weight[hits]))


@given(scored())
def test_the_shortcuts_agree_with_the_definitions_over_all_thresholds(data):
    """The two areas that have a faster way are also computed as all others are."""
    y, s, w = data
    for name, own in (
        ("roc_auc", ("recall", "fallout", "line")),
        ("average_precision", ("precision", "recall", "step")),
    ):
        plain = gm.area(own[0], over=own[1], between=own[2])
        plain.definition.shortcut = None
        assert close(plain(y, s, sample_weight=w), gm.measure(name)(y, s, sample_weight=w))


@given(scored(st.floats(-5, 5)))
def test_scikit_learn_agrees(data):
    y, s, w = data
    assert close(gm.roc_auc(y, s, sample_weight=w), metrics.roc_auc_score(y, s, sample_weight=w))
    assert close(gm.average_precision(y, s, sample_weight=w), metrics.average_precision_score(y, s, sample_weight=w))
    partial = metrics.roc_auc_score(y, s, sample_weight=w, max_fpr=0.3)
    assert close(gm.standardised_auc(max_fpr=0.3)(y, s, sample_weight=w), partial)
    fpr, tpr, _ = metrics.roc_curve(y, s, sample_weight=w)
    assert close(gm.ks(y, s, sample_weight=w), (tpr - fpr).max())


@given(scored(), st.sampled_from([np.float64, np.float32]))
@settings(max_examples=25)
def test_large_data_are_sorted_as_small_data_are(data, kind):
    """From some thousand items on, scores and classes are sorted as integers."""
    y, s, _ = data
    with np.errstate(over="ignore"):
        s = s.astype(kind)
    wide, y_wide = np.tile(s, by_threshold._FEW // len(s) + 1), np.tile(y, by_threshold._FEW // len(s) + 1)
    assert len(wide) >= by_threshold._FEW
    assert close(gm.roc_auc(y_wide, wide), gm.roc_auc(y, s))
    assert close(gm.average_precision(y_wide, wide), gm.average_precision(y, s))


@given(scored(st.floats(-1e3, 1e3)))
def test_identities(data):
    y, s, w = data
    auc = gm.roc_auc(y, s, sample_weight=w)
    assert close(gm.gini(y, s, sample_weight=w), 2 * auc - 1)
    assert close(gm.roc_auc(1 - y, s, sample_weight=w), 1 - auc)
    assert close(gm.roc_auc(y, -s, sample_weight=w), 1 - auc)
    assert close(gm.roc_auc(y, s, positive=0, sample_weight=w), 1 - auc)
    assert close(gm.partial_auc(max_fpr=1)(y, s, sample_weight=w), auc)
    assert close(gm.area("recall", over="specificity")(y, s, sample_weight=w), auc)
    assert close(gm.area("specificity", over="recall")(y, s, sample_weight=w), auc)
    assert (
        gm.interpolated_average_precision(y, s, sample_weight=w) >= gm.average_precision(y, s, sample_weight=w) - 1e-12
    )
    assert close(gm.lift_at(share=0.5)(y, s, sample_weight=w), 2 * gm.gain_at(share=0.5)(y, s, sample_weight=w))
    assert close(gm.ks(y, s, sample_weight=w), gm.measure("k").at_best_threshold()(y, s, sample_weight=w))


@given(scored(weighted=False))
def test_no_area_leaves_its_range_by_rounding(data):
    y, s, _ = data
    for name in ("roc_auc", "average_precision", "interpolated_average_precision", "ks", "equal_error_rate"):
        assert 0 <= gm.measure(name)(y, s) <= 1


def test_a_perfect_ranking_with_weights_has_an_area_of_exactly_one():
    rng = np.random.default_rng(0)
    for _ in range(50):
        w = rng.random(200)
        y, s = np.arange(200) >= 120, np.arange(200.0)
        assert gm.roc_auc(y, s, sample_weight=w) == 1
        assert 1 - 1e-12 < gm.average_precision(y, s, sample_weight=w) <= 1


@pytest.mark.parametrize("name", [x.name for x in gm.measures(takes="scores", family="ranking") if x.classes == 2])
def test_one_class_only_is_undefined_with_a_reason(name):
    """A peer returns 0 here, and another 0.5."""
    f = gm.measure(name)
    for y in (np.ones(5, int), np.zeros(5, int)):
        assert math.isnan(f(y, np.arange(5.0)))
        with pytest.raises(gm.UndefinedMeasure, match=rf"no item belongs to class {1 - y[0]}"):
            f(y, np.arange(5.0), undefined="raise")
        assert f(y, np.arange(5.0), undefined=0.25) == 0.25


def test_equal_scores_get_the_value_of_the_rule_and_say_so():
    y, s = [0, 1, 1, 0], [0.3] * 4
    assert gm.roc_auc(y, s) == 0.5
    assert "all scores are equal" in gm.roc_auc.explain(y, s).reason
    assert math.isnan(gm.roc_auc(y, s, undefined="nan"))
    with pytest.raises(gm.UndefinedMeasure, match="all scores are equal"):
        gm.average_precision(y, s, undefined="raise")
    assert math.isnan(gm.d_prime(y, s))


def test_equal_error_rate_lies_between_two_thresholds():
    y, s = [0, 0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.35]
    rate = gm.equal_error_rate(y, s)
    mixed = gm.at("miss_rate", "miss_rate == fallout")(y, s)
    assert close(rate, mixed)
    assert 0 < rate < 0.5


def test_values_under_a_condition():
    y, s = [0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.7, 0.9]
    swept = gm.sweep(y, s)
    recall, precision = (swept.values(x) for x in ("recall", "precision"))
    assert gm.at("precision", "recall >= 0.9")(y, s) == precision[recall >= 0.9].max()
    assert gm.precision_at_recall(recall=0.9)(y, s) == gm.at("precision", "recall >= 0.9")(y, s)
    assert math.isnan(gm.at("precision", "recall > 1")(y, s))
    with pytest.raises(gm.UndefinedMeasure, match="no threshold has recall > 1"):
        gm.at("precision", "recall > 1")(y, s, undefined="raise")
    assert gm.measure("mcc").at_best_threshold()(y, s) == swept.best("mcc", confidence=None).value
    assert gm.measure("miss_rate").at_best_threshold()(y, s) == 0


def test_a_measure_of_ones_own_has_its_area():
    def cheap(c):
        return c.ratio(c.tp - c.fp, c.tp + c.fp, otherwise=0)

    y, s = [0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.7, 0.9]
    found = gm.area(cheap, over="recall", between="step")
    assert close(found(y, s), 2 * gm.average_precision(y, s) - 1)
    assert "cheap" in found.name
    assert found.formula

    def branching(c):
        return 1.0 if float(c.tp) > 1 else 0.0

    assert gm.measure(branching).at_best_threshold()(y, s) == 1


def test_an_axis_that_goes_back_and_forth_is_refused():
    y, s = [0, 1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    with pytest.raises(ValueError, match="does not move in one direction"):
        gm.area("recall", over="precision")(y, s)


def test_gain_of_tied_scores_is_that_of_a_random_order():
    y, s = [1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5]
    assert gm.gain_at(share=0.25)(y, s) == 0.25
    assert gm.lift_at(share=0.25)(y, s) == 1


def h_by_brute_force(y, s, steps=20_000):
    """Hand's H on a fine grid of costs, with the loss of every threshold."""
    c = (np.arange(steps) + 0.5) / steps
    density = c * (1 - c)
    edges = [np.inf, *np.unique(s)[::-1]]
    fp = np.array([((s >= t) & (y == 0)).sum() for t in edges])[:, None]
    fn = np.array([((s < t) & (y == 1)).sum() for t in edges])[:, None]
    loss = (c * fp + (1 - c) * fn).min(axis=0)
    worst = np.minimum(c * (y == 0).sum(), (1 - c) * (y == 1).sum())
    return 1 - (loss * density).sum() / (worst * density).sum()


@given(scored(st.floats(-5, 5), weighted=False))
@settings(max_examples=25)
def test_h_measure_is_the_expected_loss_over_all_costs(data):
    y, s, _ = data
    assert gm.h_measure()(y, s) == pytest.approx(h_by_brute_force(y, s), abs=1e-6)


def test_hand_till_is_the_mean_over_pairs_and_scikit_learn_agrees():
    rng = np.random.default_rng(3)
    p = rng.dirichlet(np.ones(4), 300)
    y = np.array([rng.choice(list("abcd"), p=q) for q in p])
    w = rng.random(300)
    assert close(gm.hand_till(y, p), metrics.roc_auc_score(y, p, multi_class="ovo"))
    assert close(gm.macro(gm.roc_auc)(y, p, sample_weight=w),
                 metrics.roc_auc_score(y, p, multi_class="ovr", sample_weight=w))  # fmt: skip
    assert close(gm.weighted("roc_auc")(y, p), metrics.roc_auc_score(y, p, multi_class="ovr", average="weighted"))
    assert close(gm.roc_auc(y, p, positive="b"), gm.roc_auc(y == "b", p[:, 1]))
    assert close(gm.hand_till(y == "b", p[:, 1]), gm.roc_auc(y == "b", p[:, 1]))


def test_a_class_without_items_is_left_out_and_named():
    p = np.array([[0.7, 0.2, 0.1], [0.2, 0.7, 0.1], [0.4, 0.5, 0.1], [0.6, 0.3, 0.1]])
    found = gm.macro(gm.roc_auc).explain(["a", "b", "b", "a"], p, labels=["a", "b", "c"])
    assert found.value == 1
    assert "class 'c'" in found.reason
    assert math.isnan(gm.hand_till(["a", "b", "b", "a"], p, labels=["a", "b", "c"], undefined="nan"))


@pytest.mark.parametrize("f", gm.measures(takes="scores"), ids=repr)
def test_every_measure_is_declared_in_full(f):
    assert f.title
    assert f.about
    assert f.citation
    assert f.formula
    assert f.range is not None
    assert gm.measure(f.name) == f
    assert f.name in str(gm.measure(f.name))
    help_text = type(f).__doc__.__get__(f, type(f)) if hasattr(type(f).__doc__, "__get__") else f.__doc__
    assert f.title in help_text


@pytest.mark.parametrize("f", gm.measures(takes="scores"), ids=repr)
@given(scored(st.floats(0.05, 0.95), least=4))
@settings(max_examples=10)
def test_every_value_lies_in_its_range_and_does_not_depend_on_the_order_of_items(f, data):
    y, s, w = data
    value = f(y, s, sample_weight=w)
    order = np.arange(len(y))[::-1]
    turned = f(y[order], s[order], sample_weight=None if w is None else w[order])
    assert turned == pytest.approx(value, rel=1e-7, abs=1e-9, nan_ok=True)
    assert math.isnan(value) or f.range[0] <= value <= f.range[1]


def test_a_confusion_matrix_holds_no_scores():
    for use in (gm.roc_auc, gm.roc_auc.explain, gm.log_loss):
        with pytest.raises(TypeError, match="takes y_true and y_score: a confusion matrix or labels alone"):
            use(gm.ConfusionMatrix([[3, 1], [2, 4]]))
    assert gm.roc_auc(y_true=[0, 1], y_score=[0.2, 0.7]) == 1
