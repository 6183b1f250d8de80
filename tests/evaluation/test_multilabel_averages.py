"""Averages of multilabel data: intervals that resample items, against brute force."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.evaluation import multilabel_averages
from goodmeasure.evaluation.multilabel import AVERAGES
from goodmeasure.evaluation.multilabel_averages import LeftOutUnits, MultilabelUnits, averages_of
from goodmeasure.language.policy import RESOLVE, policy_of

NAMES = ("f1", "recall", "mcc")
MEASURES = [gm.measure(x) for x in NAMES]


def decisions(n=150, labels=4, seed=0, hard=0.3):
    """Return true and predicted labels; the decisions about one item have something in common."""
    rng = np.random.default_rng(seed)
    true = rng.random((n, labels)) < np.linspace(0.2, 0.5, labels)
    wrong = rng.random((n, labels)) < np.clip(0.2 + hard * rng.standard_normal((n, 1)), 0, 1)
    return true, true ^ wrong


def errors_of(found, seed=0):
    return {(x.average, x.measure): x.standard_error for x in averages_of(found, MEASURES, 0.95, RESOLVE, seed)}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
def test_standard_errors_are_those_of_a_bootstrap_of_items(weighted, grouped):
    true, pred = decisions(n=300)
    rng = np.random.default_rng(1)
    weight = rng.random(300) + 0.5 if weighted else None
    group = np.arange(300) // 5 if grouped else None
    found = errors_of(gm.multilabel(true, pred, sample_weight=weight, groups=group))
    drawn = {key: [] for key in found}
    for _ in range(200):
        some = rng.integers(0, 300, 300) if group is None else np.concatenate(
            [np.arange(300)[group == g] for g in rng.integers(0, 60, 60)]
        )  # fmt: skip
        again = gm.multilabel(true[some], pred[some], sample_weight=None if weight is None else weight[some])
        for average, name in drawn:
            value = again.exact_match if average is None else again.average(name, average)
            drawn[average, name].append(value)
    for key, values in drawn.items():
        assert found[key] == pytest.approx(np.std(values), rel=0.2), key


def test_decisions_about_one_item_are_not_taken_as_independent():
    true, pred = decisions(n=200, hard=0.4)
    found = gm.multilabel(true, pred)
    low, high = found.interval("accuracy", "micro")
    row = gm.evaluate(found.micro, measures=["accuracy"]).table[0]
    assert high - low > 1.2 * (row["high"] - row["low"])


def test_one_label_has_the_interval_of_a_proportion():
    """Accuracy of one label is a share of items: Wilson's interval, but for the imagined item."""
    true, pred = decisions(n=400, labels=1)
    low, high = gm.multilabel(true, pred).interval("accuracy", "micro")
    row = gm.evaluate(true[:, 0], pred[:, 0], measures=["accuracy"]).table[0]
    assert (low, high) == pytest.approx((row["low"], row["high"]), abs=0.003)


def test_copies_in_groups_tell_no_more():
    true, pred = decisions(n=60)
    one = errors_of(gm.multilabel(true, pred))
    many = errors_of(gm.multilabel(np.repeat(true, 5, 0), np.repeat(pred, 5, 0), groups=np.repeat(np.arange(60), 5)))
    assert many == pytest.approx(one)


def test_a_perfect_system_is_not_certain():
    true, _ = decisions(n=50)
    for average in AVERAGES:
        low, high = gm.multilabel(true, true).interval("f1", average)
        assert 0.9 < low < 0.95
        assert high == 1


def test_very_many_items_of_different_weights_are_put_into_groups(monkeypatch):
    true, pred = decisions(n=4000)
    weight = np.random.default_rng(0).random(4000) + 0.5
    exact = errors_of(gm.multilabel(true, pred, sample_weight=weight))
    monkeypatch.setattr(multilabel_averages, "_MOST_LEFT_OUT", 100)
    monkeypatch.setattr(multilabel_averages, "_BLOCKS", 500)
    found = gm.multilabel(true, pred, sample_weight=weight)
    assert MultilabelUnits(found).blocked
    assert errors_of(found) == pytest.approx(exact, rel=0.2)
    assert errors_of(found, seed=1) != errors_of(found)
    assert not MultilabelUnits(gm.multilabel(true, pred)).blocked


@pytest.mark.parametrize("policy", [RESOLVE, policy_of("nan"), policy_of(0.0)], ids=str)
@pytest.mark.parametrize("name", ["f1", "recall", "precision", "mcc", "accuracy", "specificity", "kappa", "jaccard"])
def test_items_of_one_weight_move_averages_as_leaving_each_out_does(name, policy):
    """Labels that nobody has, that everybody has, that one item has, and that are never predicted, are among them."""
    true, pred = (x[:40].astype(bool) for x in decisions(n=40, labels=9))
    true[:, 0], true[:, 1], true[:, 2], pred[:, 3], pred[:, 4], pred[:, 5] = False, True, False, False, True, True
    true[7, 2], true[:, 6], pred[:, 6] = True, False, False
    units, f = MultilabelUnits(gm.multilabel(true, pred)), gm.measure(name)
    (quick,) = units.moved([f], policy.quiet)
    (slow,) = LeftOutUnits.moved(units, [f], policy.quiet)
    for average in ("macro", "micro", "weighted"):
        assert quick[average] == pytest.approx(slow[average], abs=1e-12, nan_ok=True), average


def test_undefined_averages_and_single_items_say_why():
    rows = averages_of(gm.multilabel([[0, 0]], [[0, 0]]), [gm.measure("recall")], 0.95, RESOLVE)
    assert all(math.isnan(x.value) and x.reason for x in rows if x.average is not None)
    assert "cannot tell how they vary" in rows[-1].reason
    assert all(math.isnan(x.low) for x in rows)


def test_evaluate_has_averages_and_intervals_that_know_weights_and_groups():
    true, pred = decisions(n=120)
    weight = np.random.default_rng(0).random(120) + 0.1
    found = gm.multilabel(true, pred, labels=list("abcd"), sample_weight=weight, groups=np.arange(120) // 4)
    result = gm.evaluate(found, measures=["f1", "recall"])
    rows = {(x.average, x.measure): x for x in result.averages}
    assert set(rows) == {(x, f) for x in AVERAGES for f in ("f1", "recall")} | {(None, "exact_match")}
    for (average, name), row in rows.items():
        if average is not None:
            assert row.value == found.average(name, average)
            assert (row.low, row.high) == found.interval(name, average)
    alone = gm.evaluate(
        true[:, 1], pred[:, 1], measures=["f1", "recall"], sample_weight=weight, groups=np.arange(120) // 4
    )
    for one, two in zip(result.table.where(system="b", class_=None), alone.table.where(class_=None), strict=True):
        assert (one["value"], one["low"], one["high"]) == pytest.approx((two["value"], two["low"], two["high"]))


def test_reports_show_the_averages(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    true, pred = decisions(n=40)
    result = gm.evaluate(gm.multilabel(true, pred), measures=["f1", "macro(f1)"])
    for text in (result.to_markdown(), result.to_text(full=True), result._repr_html_(), result.to_html()):
        assert "Averages over labels and items" in text
        assert "Exact match" in text
    assert len(json.loads(result.to_json())["averages"]) == 5  # macro(f1) of a label's two classes is no average here


def test_without_confidence_there_are_no_intervals():
    true, pred = decisions(n=40)
    row = gm.evaluate(gm.multilabel(true, pred), measures=["f1"], confidence=None).averages[0]
    assert math.isnan(row.low)
    assert row.reason is None


def test_several_multilabel_systems_are_to_be_compared():
    true, pred = decisions(n=20)
    both = {"A": gm.multilabel(true, pred), "B": gm.multilabel(true, true)}
    with pytest.raises(gm.InputTypeError, match=r"gm\.compare"):
        gm.evaluate(both)
