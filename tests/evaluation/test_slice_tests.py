"""Gaps between slices: plain ones as fairlearn has them, without noise, and whether they are more than chance."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.slice_shuffles import ShuffledItems, shuffles
from goodmeasure.evaluation.slice_variation import DisjointSlices, beyond_noise, variations
from goodmeasure.language.policy import RESOLVE

MEASURES = [gm.measure(x) for x in ("accuracy", "recall", "precision", "f1", "mcc", "balanced_accuracy", "macro(f1)")]


def data(slices=5, n=60, seed=0, worst=None):
    """Return true and predicted labels and the slice of each item; in the slice `worst`, half of them are wrong."""
    rng = np.random.default_rng(seed)
    where = np.repeat(np.arange(slices), n)
    true = rng.integers(0, 2, len(where))
    wrong = rng.random(len(where)) < np.where(where == worst, 0.5, 0.15)
    return true, np.where(wrong, 1 - true, true), np.array([f"s{k}" for k in where])


def samples_of(true, pred, where):
    known = sorted(set(where.tolist()))
    return [Sample(gm.confusion(true[where == s], pred[where == s], labels=[0, 1])) for s in known]


def test_plain_gaps_are_those_of_fairlearn():
    fairlearn = pytest.importorskip("fairlearn.metrics")
    metrics = pytest.importorskip("sklearn.metrics")
    true, pred, where = data(worst=3)
    result = gm.evaluate(true, pred, by={"s": where}, measures=["accuracy", "recall", "precision", "mcc"])
    score = {"accuracy": metrics.accuracy_score, "recall": metrics.recall_score,
             "precision": metrics.precision_score, "mcc": metrics.matthews_corrcoef}  # fmt: skip
    frame = fairlearn.MetricFrame(metrics=score, y_true=true, y_pred=pred, sensitive_features=where)
    for found in result.slice_spread:
        assert found.gap == pytest.approx(frame.difference()[found.measure])
        assert found.lowest == pytest.approx(frame.group_min()[found.measure])
        assert found.highest == pytest.approx(frame.group_max()[found.measure])


def test_twenty_slices_that_are_alike_show_a_gap_but_no_finding():
    true, pred, where = data(slices=20, n=50, seed=5)
    result = gm.evaluate(true, pred, by={"s": where}, measures=["accuracy", "mcc"])
    for found in result.slice_spread:
        assert found.gap > 0.1
        assert found.gap == pytest.approx(found.gap_by_chance, rel=0.3)
        assert found.gap_beyond_noise < found.gap / 2
        assert found.p > 0.05
    assert all(x.p_corrected > 0.05 for x in result.slice_tests)
    assert "By s: there is no significant difference between the slices." in result.to_markdown()


def test_a_slice_that_is_worse_is_found():
    true, pred, where = data(slices=5, n=80, worst=3)
    result = gm.evaluate(true, pred, by={"s": where}, measures=["accuracy", "mcc", "balanced_accuracy"])
    for found in result.slice_spread:
        assert found.p < 0.01
        assert found.lowest_slice == "s3"
        assert 0.1 < found.gap_beyond_noise < found.gap
    assert {x.slice for x in result.slice_tests if x.p_corrected < 0.05} == {"s3"}
    rest = result.slice_tests[3]
    others = where != "s3"
    assert rest.rest == pytest.approx(gm.accuracy(true[others], pred[others]))
    assert rest.difference == pytest.approx(rest.value - rest.rest)
    assert "s = s3 (in accuracy, MCC and balanced accuracy)" in result.to_markdown().replace("\\", "")


def test_two_slices_have_the_exact_test_of_their_shares():
    """All shuffles of the hits are enumerated; what is as far apart as the observed slices counts half."""
    true, pred = np.zeros(30, int), np.array([0] * 9 + [1] * 1 + [0] * 12 + [1] * 8)
    true[::2] = pred[::2] = 1  # a class that is always right
    where = np.array(["a"] * 10 + ["b"] * 20)
    found = variations(samples_of(true, pred, where), [gm.accuracy], RESOLVE, 0, 20_000)[0]
    hits = [int((true == pred)[where == s].sum()) for s in "ab"]
    total = sum(hits)
    weights = {k: math.comb(10, k) * math.comb(20, total - k) for k in range(11) if 0 <= total - k <= 20}
    far = {k: abs(k / 10 - (total - k) / 20) for k in weights}
    seen = far[hits[0]]
    p = sum(w * (far[k] > seen + 1e-9) + w / 2 * (abs(far[k] - seen) < 1e-9) for k, w in weights.items())
    assert found.p == pytest.approx(p / sum(weights.values()), abs=0.012)
    at_least = sum(w for k, w in weights.items() if far[k] > seen - 1e-9)
    assert found.against_rest == pytest.approx([at_least / sum(weights.values())] * 2, abs=0.012)


def test_many_slices_agree_with_pearsons_test():
    stats = pytest.importorskip("scipy.stats")
    true, pred, where = data(slices=6, n=200, seed=8)
    hits = [[int(((true == pred) == right)[where == f"s{k}"].sum()) for k in range(6)] for right in (True, False)]
    found = variations(samples_of(true, pred, where), [gm.accuracy], RESOLVE, 0, 10_000)[0]
    assert found.p == pytest.approx(stats.chi2_contingency(hits, correction=False).pvalue, abs=0.02)


def test_shuffles_keep_sizes_and_totals():
    true, pred, where = data(slices=4, n=25)
    slices = DisjointSlices(samples_of(true, pred, where), RESOLVE)
    shuffled = ShuffledItems(slices.items, slices.weight, slices.squares)
    for starts in (np.array([0]), slices.starts):
        block = next(shuffles(shuffled, starts, 0, 50))
        assert (block >= 0).all()
        assert (block.sum(axis=1) == slices.whole[:, None]).all()
        assert (block.sum(axis=0) == slices.total[:, None]).all()
    classes = np.add.reduceat(block, slices.starts, axis=0)
    assert (classes == np.add.reduceat(slices.weight, slices.starts, axis=0)[:, :, None]).all()
    assert block.std(axis=-1).max() > 1


def test_standard_errors_are_those_of_the_delta_method_for_large_slices():
    from goodmeasure.evaluation.intervals.interval import intervals

    true, pred, where = data(slices=2, n=5000)
    samples = samples_of(true, pred, where)
    found = variations(samples, MEASURES, RESOLVE, 0, 20)
    for s, sample in enumerate(samples):
        expected = [x.deviation for x in intervals(sample, MEASURES, method="delta")]
        assert [x.errors[s] for x in found] == pytest.approx(expected, rel=0.01)


def test_a_group_without_positives_is_left_out_with_the_reason():
    true, pred, where = data(slices=3, n=40)
    true[where == "s1"] = 0
    pred[where == "s1"] = 0
    result = gm.evaluate(true, pred, by={"s": where}, measures=["recall", "f1", "mcc", "accuracy"])
    for found in result.slice_spread[:3]:
        assert found.slices == 2
        assert "s1" not in (found.lowest_slice, found.highest_slice)
        assert found.reason == "1 of 3 slices left out (s=s1: no item of class 1)"
    assert result.slice_spread[3].slices == 3  # accuracy can be told
    tests = {(x.measure, x.slice): x for x in result.slice_tests}
    assert math.isnan(tests["f1", "s1"].value)
    assert tests["f1", "s1"].reason == "no item of class 1"
    assert math.isnan(tests["f1", "s1"].p_corrected)
    assert "no item of class 1" in result.to_markdown()


def test_where_one_slice_has_a_value_there_is_no_gap():
    true, pred, where = data(slices=2, n=20)
    true[where == "s1"] = 0
    spread = gm.evaluate(true, pred, by={"s": where}, measures=["recall"]).slice_spread[0]
    assert math.isnan(spread.gap)
    assert math.isnan(spread.p)
    assert spread.reason.startswith("fewer than two slices have a value")


def test_perfect_slices_are_alike():
    true, _, where = data(slices=3, n=20)
    result = gm.evaluate(true, true, by={"s": where}, measures=["accuracy", "mcc", "balanced_accuracy"])
    for found in result.slice_spread:
        assert (found.gap, found.gap_beyond_noise, found.p) == (0, 0, 1)


def test_weights_that_are_all_alike_change_nothing_but_the_draws():
    true, pred, where = data(slices=4, n=60, worst=1)
    plain = gm.evaluate(true, pred, by={"s": where}, measures=["accuracy", "mcc"])
    weighted = gm.evaluate(
        true, pred, by={"s": where}, measures=["accuracy", "mcc"], sample_weight=np.where(where == "s0", 3.0, 2.0)
    )
    for one, two in zip(plain.slice_spread, weighted.slice_spread, strict=True):
        assert two.p == pytest.approx(one.p, abs=0.05)
        assert two.gap_beyond_noise == pytest.approx(one.gap_beyond_noise, abs=0.02)


def test_groups_widen_what_chance_explains():
    """Copies of an item are one group: ten times as many items tell no more."""
    true, pred, where = data(slices=4, n=30, seed=2)
    copied = [np.repeat(x, 10) for x in (true, pred, where)]
    group = np.repeat(np.arange(120), 10)
    one = gm.evaluate(true, pred, by={"s": where}, measures=["accuracy", "mcc"]).slice_spread
    alone = gm.evaluate(*copied[:2], by={"s": copied[2]}, measures=["accuracy", "mcc"]).slice_spread
    grouped = gm.evaluate(*copied[:2], by={"s": copied[2]}, groups=group, measures=["accuracy", "mcc"]).slice_spread
    for plain, many, whole in zip(one, alone, grouped, strict=True):
        assert whole.p == pytest.approx(plain.p, abs=0.05)
        assert whole.gap_by_chance == pytest.approx(plain.gap_by_chance, rel=0.1)
        assert many.p < whole.p


@pytest.mark.parametrize(("n", "small"), [(19, True), (20, False), (40, False)])
def test_a_slice_is_small_where_one_item_moves_its_value_by_more_than_a_twentieth(n, small):
    true, pred, where = data(slices=2, n=n)
    tests = gm.evaluate(true, pred, by={"s": where}, measures=["accuracy"]).slice_tests
    assert [x.small for x in tests] == [small, small]


def test_small_slices_and_significant_ones_are_marked():
    true, pred, where = data(slices=3, n=80, worst=2)
    where[:10] = "tiny"
    report = gm.evaluate(true, pred, by={"s": where}, measures=["accuracy"]).to_markdown()
    assert "° few items: one of them can move the value by more than 0.05" in report
    assert "≠ significantly different from the rest" in report


def test_p_values_of_slices_are_corrected_over_all_columns():
    true, pred, where = data(slices=4, n=40, worst=3)
    by = {"s": where, "half": np.where(np.arange(len(true)) % 2, "x", "y")}
    tests = gm.evaluate(true, pred, by=by, measures=["accuracy"]).slice_tests
    assert [x.by for x in tests] == ["s"] * 4 + ["half"] * 2 + ["s, half"] * 8
    assert tests[4].p_corrected == tests[5].p_corrected  # one and the same test
    least = min(tests, key=lambda x: x.p)
    assert least.p_corrected == pytest.approx(min(1, 13 * least.p))


def test_what_is_left_beyond_noise_is_right_on_average():
    rng = np.random.default_rng(0)
    sizes, errors = np.array([20.0, 50, 100, 200, 400]), np.sqrt(0.16 / np.array([20, 50, 100, 200, 400]))
    for between in (0.0, 0.1):
        squares, gaps, true_gaps = [], [], []
        for _ in range(1500):
            true = 0.8 + between * rng.standard_normal(5)
            values = true + errors * rng.standard_normal(5)
            total = sizes.sum()
            seen = (sizes * (values - (sizes * values).sum() / total) ** 2).sum()
            expected = (sizes * errors**2 * (1 - sizes / total)).sum()
            squares.append((seen - expected) / (total - (sizes**2).sum() / total))
            gaps.append(beyond_noise(values, errors, sizes).gap)
            true_gaps.append(np.ptp(true))
        assert np.mean(squares) == pytest.approx(between**2, abs=0.0006)  # before negative ones become 0
        assert np.mean(gaps) == pytest.approx(np.mean(true_gaps), abs=0.06)


def test_results_do_not_depend_on_other_systems_and_repeat():
    true, pred, where = data(slices=3, n=30)
    one = gm.evaluate(true, {"A": pred}, by={"s": where}, measures=["mcc"])
    both = gm.evaluate(true, {"B": true, "A": pred}, by={"s": where}, measures=["accuracy", "mcc"])
    assert [x.p for x in one.slice_tests] == [x.p for x in both.slice_tests if x.system == "A" and x.measure == "mcc"]


def test_json_has_the_tests_of_slices():
    true, pred, where = data(slices=3, n=30)
    found = json.loads(gm.evaluate(true, pred, by={"s": where}, measures=["accuracy"]).to_json())
    assert len(found["slice_tests"]) == 3
    assert {"p", "p_corrected", "small", "rest", "value"} <= set(found["slice_tests"][0])
    assert {"gap_by_chance", "gap_beyond_noise", "beyond_noise", "p"} <= set(found["slice_spread"][0])


def test_functions_of_a_user_and_very_many_classes_have_gaps_but_no_tests():
    def own(c):
        return 1.0 if c.tp > c.fp else 0.0

    true, pred, where = data(slices=3, n=30)
    found = gm.evaluate(true, pred, by={"s": where}, measures=[own]).slice_spread[0]
    assert math.isnan(found.p)
    assert "no derivative" in found.reason
    many = np.arange(300) % 100
    spread = gm.evaluate(many, many, by={"s": np.repeat([0, 1], 150)}, measures=["accuracy"]).slice_spread[0]
    assert spread.gap == 0
    assert "more than 64 classes" in spread.reason


def test_very_many_slices_are_tested_by_the_normal_distribution(monkeypatch):
    true, pred, where = data(slices=60, n=40, worst=7)
    found = variations(samples_of(true, pred, where), [gm.accuracy], RESOLVE, 0, 999)[0]
    assert found.method == "permutation"  # with more shuffles, so that corrected p-values can be small
    assert np.nanmin(found.against_rest) < 0.05 / 60
    monkeypatch.setattr("goodmeasure.evaluation.slice_variation._MOST_SHUFFLED", 4 * 60 * 1000)
    found = variations(samples_of(true, pred, where), [gm.accuracy], RESOLVE, 0, 999)[0]
    assert found.method == "permutation, normal"
    assert np.nanmin(found.against_rest) < 0.05 / 60


def test_without_time_for_shuffles_approximations_are_used(monkeypatch):
    monkeypatch.setattr("goodmeasure.evaluation.slice_variation._MOST_SHUFFLED", 0)
    true, pred, where = data(slices=4, n=300, worst=2)
    samples = samples_of(true, pred, where)
    quick = variations(samples, MEASURES, RESOLVE, 0, 2000)
    monkeypatch.undo()
    exact = variations(samples, MEASURES, RESOLVE, 0, 2000)
    for one, two in zip(quick, exact, strict=True):
        assert one.method == "Brown–Forsythe, Welch"
        assert one.gap_by_chance == pytest.approx(two.gap_by_chance, rel=0.2)
        assert one.p < 0.001 < 0.01 > two.p
        assert one.against_rest[0] == pytest.approx(two.against_rest[0], abs=0.1)
