"""Every measure at every threshold: against scikit-learn's curves and a loop over thresholds, and odd inputs."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn import metrics

import goodmeasure as gm
from goodmeasure.counts.scores import by_threshold as sorting

MEASURES = ["accuracy", "mcc", "f1", "recall", "precision", "specificity", "kappa", "sba", "macro(f1)"]


def items(n=300, seed=0, decimals=None, scale=1.0, shift=0.0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    s = (rng.normal(size=n) + y) * scale + shift
    return y, s if decimals is None else np.round(s, decimals)


@pytest.mark.parametrize("decimals", [None, 1, 0], ids=["all differ", "some ties", "many ties"])
@pytest.mark.parametrize("weighted", [False, True])
def test_values_are_those_of_a_loop_over_thresholds(decimals, weighted):
    y, s = items(decimals=decimals)
    w = np.random.default_rng(1).integers(1, 6, len(y)) / 4 if weighted else None
    found = gm.sweep(y, s, measures=MEASURES, sample_weight=w)
    assert found.thresholds.tolist() == sorted(set(s.tolist()), reverse=True)
    for name in MEASURES:
        f = gm.measure(name)
        wanted = [f(gm.confusion(y, s >= t, labels=[False, True], sample_weight=w)) for t in found.thresholds]
        np.testing.assert_allclose(found.values(name), wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("decimals", [None, 1])
def test_precision_and_recall_are_those_of_scikit_learn(decimals):
    y, s = items(2000, seed=3, decimals=decimals)
    precision, recall, at = metrics.precision_recall_curve(y, s)
    found = gm.sweep(y, s)
    np.testing.assert_array_equal(found.thresholds[::-1], at)
    np.testing.assert_allclose(found.values("precision")[::-1], precision[:-1], rtol=1e-14)
    np.testing.assert_allclose(found.values("recall")[::-1], recall[:-1], rtol=1e-14)


def test_the_roc_curve_is_that_of_scikit_learn():
    y, s = items(2000, seed=4, decimals=1)
    fpr, tpr, at = metrics.roc_curve(y, s, drop_intermediate=False)
    curve = gm.sweep(y, s).curve("recall", over="fallout")
    np.testing.assert_array_equal(curve.thresholds, at[1:])
    np.testing.assert_allclose(curve.values, tpr[1:], rtol=1e-14)
    np.testing.assert_allclose(curve.over, fpr[1:], rtol=1e-14)


@pytest.mark.parametrize(
    ("scale", "shift"),
    [(1, 0), (0.1, 5), (1e6, -3e6), (1e-200, 0), (1e300, 0), (1, -100), (0.01, 0.5)],
    ids=["normal", "positive", "large", "tiny", "huge", "negative", "probabilities"],
)
@pytest.mark.parametrize("decimals", [None, 2])
def test_the_quick_sort_finds_the_counts_of_scikit_learn(scale, shift, decimals):
    """Scores and classes are sorted in one whole number; whatever their size, nothing may be lost."""
    y, s = items(6000, seed=5)
    s = (s if decimals is None else np.round(s, decimals)) * scale + shift
    assert len(s) >= sorting._FEW
    tn, fp, fn, tp, at = metrics.confusion_matrix_at_thresholds(y, s)
    found = sorting.count(s, y)
    np.testing.assert_array_equal(found.thresholds, at)
    for cells, wanted in zip(found.cells.reshape(4, -1), (tn, fp, fn, tp), strict=True):
        np.testing.assert_array_equal(cells, wanted)


def test_scores_one_step_apart_are_different_thresholds_and_zeros_of_both_signs_are_one():
    y = np.arange(6000) % 2 == 0
    s = np.where(y, 1.5, np.nextafter(1.5, 2))
    s[:10] = np.array([0.0, -0.0] * 5)
    found = sorting.count(s, y)
    assert found.thresholds.tolist() == [np.nextafter(1.5, 2), 1.5, 0.0]
    assert found.cells[1, 1].tolist() == [0, 2995, 3000]


@pytest.mark.parametrize("odd", [[1e300, 1e-300, -1e-300], [100.0, 5e-324, 0.0], [100.0, -5e-324, 3e-310]])
def test_mixed_sizes_that_do_not_fit_one_number_are_sorted_all_the_same(odd):
    y, s = items(5000, seed=6)
    s[:3] = odd
    found = sorting.count(s, y)
    assert sorting._packed(s, y) is None
    assert found.thresholds.tolist() == sorted(set(s.tolist()), reverse=True)


@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.uint8, bool])
def test_scores_of_any_number_type_are_taken(dtype):
    y, s = items(5000, seed=7)
    s = (s * 2 + 10).clip(0, 200).astype(dtype)
    _, _, _, tp, at = metrics.confusion_matrix_at_thresholds(y, s)
    found = gm.sweep(y, s)
    np.testing.assert_array_equal(found.thresholds, at)
    np.testing.assert_array_equal(found.counts[:, 1, 1], tp)


@pytest.mark.parametrize("name", ["mcc", "accuracy", "zero_one_loss"])
def test_the_best_threshold_is_the_best_of_all(name):
    y, s = items(seed=8, decimals=1)
    found, f = gm.sweep(y, s), gm.measure(name)
    values = {t: f(gm.confusion(y, s >= t, labels=[False, True])) for t in sorted(set(s.tolist()), reverse=True)}
    top = (min if f.orientation == "lower" else max)(values.values())
    best = found.best(name)
    assert best.value == pytest.approx(top)
    assert best.threshold == next(t for t, x in values.items() if x == pytest.approx(top))
    assert best.matrix == gm.ConfusionMatrix(gm.confusion(y, s >= best.threshold).counts)
    assert best.low <= best.threshold <= best.high
    assert best.value_low <= best.value <= best.value_high


def test_the_interval_of_the_best_threshold_is_that_of_a_loop_over_drawn_samples():
    """The same distribution: quantiles agree as far as 500 draws can tell."""
    y, s = items(400, seed=9, decimals=1)
    best = gm.sweep(y, s).best("mcc", replicates=2000)
    rng, found = np.random.default_rng(2), []
    for _ in range(300):
        k = rng.integers(0, len(y), len(y))
        found.append(gm.sweep(y[k], s[k]).best("mcc", confidence=None).threshold)
    low, high = np.quantile(found, [0.025, 0.975])
    assert abs(best.low - low) <= 0.25
    assert abs(best.high - high) <= 0.25


def test_equal_weights_have_the_interval_of_none():
    y, s = items(300, seed=10, decimals=1)
    plain, weighted = (gm.sweep(y, s, sample_weight=w).best("f1", replicates=1000) for w in (None, np.full(300, 2.5)))
    assert weighted.threshold == plain.threshold
    assert weighted.low == pytest.approx(plain.low, abs=0.2)
    assert weighted.high == pytest.approx(plain.high, abs=0.2)


def test_more_items_make_the_interval_narrower():
    few, many = (gm.sweep(*items(n, seed=11)).best("mcc") for n in (200, 20_000))
    assert many.high - many.low < few.high - few.low


def test_the_table_is_tidy_and_its_columns_say_the_same():
    found = gm.sweep([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.4], measures=["f1", "recall"])
    rows, columns = list(found.table), found.table.columns()
    assert rows[0] == {"group": None, "threshold": 0.9, "measure": "f1", "value": pytest.approx(2 / 3)}
    assert len(rows) == 3 * 2
    assert [x["value"] for x in rows] == columns["value"].tolist()
    assert [x["measure"] for x in rows] == columns["measure"]
    assert [x["threshold"] for x in rows] == columns["threshold"].tolist()


def test_a_thinned_curve_keeps_the_ends_and_the_best():
    found = gm.sweep(*items(20_000, seed=12))
    whole, thin = found.curve("mcc"), found.curve("mcc", points=200)
    assert len(thin.values) < len(whole.values) / 10
    assert thin.values.max() == whole.values.max()
    assert (thin.thresholds[0], thin.thresholds[-1]) == (whole.thresholds[0], whole.thresholds[-1])


def test_groups_are_swept_each_on_its_own():
    y, s = items(seed=13)
    by = np.where(np.arange(len(y)) % 3 == 0, "north", "south")
    found = gm.sweep(y, s, by=by)
    assert set(found.groups) == {"north", "south"}
    alone = gm.sweep(y[by == "south"], s[by == "south"])
    np.testing.assert_array_equal(found.values("mcc", "south"), alone.values("mcc"))
    with pytest.raises(ValueError, match="name one of"):
        found.best("mcc")


def test_several_systems_are_swept_at_once():
    y, s = items(seed=14)
    found = gm.sweep(y, {"A": s, "B": -s})
    assert found.best("mcc", "A").value > found.best("mcc", "B").value


def test_matrices_by_threshold_and_horizon_give_the_same_curves():
    y, s = items(seed=15, decimals=1)
    whole = gm.sweep(y, s)
    matrices = {t: gm.confusion(y, s >= t, labels=[False, True]) for t in whole.thresholds.tolist()}
    found = gm.sweep(matrices={"now": matrices, "later": {0.5: [[5, 1], [2, 4]]}})
    np.testing.assert_allclose(found.values("mcc", "now"), whole.values("mcc"), rtol=1e-14)
    assert found.best("f1", "later").threshold == 0.5
    assert found.best("mcc", "now").low is None


def test_the_matrix_at_any_threshold_is_that_of_the_items():
    y, s = items(seed=16, decimals=1)
    found = gm.sweep(y, s)
    for t in (-10.0, 0.25, 0.3, float(s.max()), 99.0):
        np.testing.assert_array_equal(found.matrix(t).counts, gm.confusion(y, s >= t, labels=[False, True]).counts)


def test_labels_of_any_kind_have_the_last_as_the_positive_class():
    found = gm.sweep(["ham", "spam", "spam", "ham"], [0.1, 0.9, 0.4, 0.4])
    assert found.positive == "spam"
    assert gm.sweep(["ham", "spam"], [0.9, 0.1], positive="ham").best("accuracy").value == 1
    assert gm.sweep(["a", "b", "c"], [0.1, 0.9, 0.2], positive="b").best("accuracy").value == 1


def test_constant_scores_have_one_threshold_that_accepts_all():
    found = gm.sweep([0, 1, 1], [0.5, 0.5, 0.5])
    assert found.thresholds.tolist() == [0.5]
    assert found.counts.tolist() == [[[0, 1], [0, 2]]]


def test_one_class_only_is_measured_as_far_as_measures_go():
    found = gm.sweep([1, 1, 1], [0.2, 0.5, 0.9])
    assert found.values("recall").tolist() == pytest.approx([1 / 3, 2 / 3, 1])
    assert all(math.isnan(x) for x in found.values("specificity"))
    with pytest.raises(ValueError, match="undefined at every threshold"):
        found.best("specificity")
    assert "best" in str(found)


def test_infinite_scores_have_their_place():
    found = gm.sweep([0, 1, 1, 0], [-np.inf, np.inf, 1.0, 2.0])
    assert found.thresholds.tolist() == [np.inf, 2.0, 1.0, -np.inf]


def test_missing_scores_are_refused_or_dropped():
    with pytest.raises(ValueError, match=r"y_score\[1\] is NaN \(1 scores"):
        gm.sweep([0, 1, 1], [0.1, np.nan, 0.3])
    dropped = gm.sweep([0, 1, 1], [0.1, None, 0.3], missing="drop")
    assert dropped.counts.sum(axis=(1, 2)).tolist() == [2, 2]


def test_a_users_function_that_decides_with_if_is_measured():
    def lucky(c):
        return c.tp / (c.tp + c.fp) if c.tp + c.fp > 1 else 0

    assert gm.sweep([0, 1, 1], [0.1, 0.9, 0.4]).values(lucky).tolist() == pytest.approx([0, 1, 2 / 3])


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (([], []), {}, ValueError, "no|empty"),
        (([0, 1], [0.1]), {}, ValueError, "y_score has 1 scores, y_true has 2"),
        (([0, 1], [[0.1, 0.9], [0.2, 0.8]]), {}, ValueError, "the column of the positive class"),
        (([0, 1], ["a", "b"]), {}, TypeError, "number"),
        (([0, 1, 2], [0.1, 0.2, 0.3]), {}, ValueError, "3 classes .* positive="),
        ((["a", "a"], [0.1, 0.2]), {}, ValueError, "one class only"),
        (([0, 1], [0.1, 0.2]), {"positive": 7}, ValueError, "positive is 7"),
        (([0, 1], [0.1, 0.2]), {"sample_weight": [0, 0]}, ValueError, "sample_weight is 0"),
        (([0, 1], [0.1, 0.2]), {"sample_weight": [1, -1]}, ValueError, "not negative"),
        (([0, 1], [0.1, 0.2]), {"by": ["x"]}, ValueError, "by has 1"),
        (([0, 1], [0.1, 0.2]), {"missing": "guess"}, ValueError, "missing is 'guess'"),
        (([0, 1], [0.1, 0.2]), {"matrices": {0.5: [[1, 0], [0, 1]]}}, TypeError, "not both"),
        ((), {"matrices": {}}, TypeError, "matrices is empty"),
        ((), {"matrices": {0.5: [[1, 0, 0]] * 3}}, ValueError, "3 classes"),
        ((), {"matrices": {0.5: [[0, 0], [0, 0]]}}, ValueError, "no items"),
        ((), {"matrices": {"half": [[1, 0], [0, 1]]}}, TypeError, "expected numbers"),
        ((), {}, TypeError, "y_true and y_score"),
    ],
)
def test_what_cannot_be_meant_is_refused(arguments, options, error, message):
    with pytest.raises(error, match=message):
        gm.sweep(*arguments, **options)


def test_a_measure_without_a_direction_has_no_best_threshold():
    with pytest.raises(ValueError, match="neither better"):
        gm.sweep([0, 1], [0.1, 0.2]).best("predicted_prevalence")


@pytest.mark.parametrize("scores", [np.array([0, 200, 3], np.uint8), np.array([-(2**63), 2**62, 0])])
def test_the_matrix_at_a_threshold_is_right_whatever_numbers_scores_are(scores):
    found = gm.sweep([0, 1, 1], scores)
    for threshold in (*scores.tolist(), 100, 201):
        cells = [[0, 0], [0, 0]]
        for label, score in zip([0, 1, 1], scores.tolist(), strict=True):
            cells[label][score >= threshold] += 1
        assert found.matrix(threshold).counts.tolist() == cells


def test_scores_that_are_truth_values_have_matrices():
    found = gm.sweep([0, 1, 1], np.array([True, False, True]))
    assert found.matrix(True).counts.tolist() == [[0, 1], [1, 1]]
    assert found.matrix(0.5).counts.tolist() == [[0, 1], [1, 1]]


def test_an_infinite_threshold_that_is_best_has_an_interval():
    best = gm.sweep([0, 0, 1, 1], [0.5, 0.1, np.inf, np.inf]).best("f1")
    assert (best.threshold, best.value, best.value_high) == (np.inf, 1.0, 1.0)


@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_items_without_a_true_label_are_refused_or_left_out(nothing):
    y, s = [0, nothing, 1, 1], [0.1, 0.2, 0.3, 0.05]
    with pytest.raises(ValueError, match=r"y_true\[1\] is missing .*missing='drop' leaves such items out"):
        gm.sweep(y, s)
    found, without = gm.sweep(y, s, missing="drop"), gm.sweep([0, 1, 1], [0.1, 0.3, 0.05])
    assert found.thresholds.tolist() == without.thresholds.tolist()
    assert found.counts.tolist() == without.counts.tolist()
    found = gm.sweep(np.array(y, float), [0.1, 0.2, np.nan, 0.05], missing="drop")
    assert found.counts[-1].sum() == 2


def test_items_without_a_group_are_one_group():
    y, s = [0, 1, 1, 0], [0.1, 0.2, 0.3, 0.4]
    assert gm.sweep(y, s, by=np.array([np.nan, np.nan, 1, 1])).groups == ("(missing)", 1.0)
    assert gm.sweep(y, s, by=[None, "a", float("nan"), "a"]).groups == ("(missing)", "a")


def test_the_classes_of_matrices_have_names_and_a_positive_one():
    one = gm.ConfusionMatrix([[50, 3], [9, 20]], labels=["ham", "spam"])
    two = gm.ConfusionMatrix([[40, 13], [2, 27]], labels=["ham", "spam"])
    for matrices in ({0.5: one, 0.6: two}, {0.5: one, 0.6: two.aligned(["spam", "ham"])}):
        assert gm.sweep(matrices=matrices).values("recall").tolist() == [27 / 29, 20 / 29]
        found = gm.sweep(matrices={"a": matrices}, positive="ham")
        assert found.values("recall", "a").tolist() == [40 / 53, 50 / 53]
    with pytest.raises(ValueError, match="positive is 'eggs'"):
        gm.sweep(matrices={0.5: one}, positive="eggs")
    with pytest.raises(ValueError, match="different classes"):
        gm.sweep(matrices={0.5: one, 0.6: gm.ConfusionMatrix(two.counts, labels=["ham", "eggs"])})


@pytest.mark.parametrize("option", [{"sample_weight": [1]}, {"by": ["a"]}])
def test_matrices_have_no_items_to_weigh_or_group(option):
    with pytest.raises(TypeError, match=f"{next(iter(option))} needs labels and scores"):
        gm.sweep(matrices={0.5: [[1, 2], [3, 4]]}, **option)


def test_what_is_asked_of_a_sweep_is_refused_where_it_makes_no_sense():
    found = gm.sweep([0, 1], [0.1, 0.2])
    with pytest.raises(ValueError, match="threshold is NaN"):
        found.matrix(math.nan)
    with pytest.raises(ValueError, match="there is one sweep only"):
        found.best("f1", group="a")
    with pytest.raises(TypeError, match="mixes matrices and dicts"):
        gm.sweep(matrices={"a": {0.5: [[1, 2], [3, 4]]}, 0.5: [[1, 2], [3, 4]]})


def test_labels_and_scores_come_in_many_forms():
    y, s = [0, 1, 1, 0], [0.1, 0.8, 0.3, 0.4]
    wanted = gm.sweep(y, s).counts.tolist()
    for true in (np.array(y)[:, None], pd.DataFrame({"y": y}), pa.chunked_array([y[:1], y[1:]]), iter(y), pl.Series(y)):
        assert gm.sweep(true, s).counts.tolist() == wanted
    for scores in (np.array(s)[:, None], pl.Series(s), pa.array(s), iter(s), tuple(s)):
        assert gm.sweep(y, scores).counts.tolist() == wanted


def test_scores_of_tensors_are_read_with_their_gradients_and_in_half_precision():
    torch = pytest.importorskip("torch")
    y, s = [0, 1, 1, 0], torch.tensor([0.25, 0.75, 0.5, 0.375], requires_grad=True)
    wanted = gm.sweep(y, [0.25, 0.75, 0.5, 0.375]).counts.tolist()
    assert gm.sweep(torch.tensor(y), s).counts.tolist() == wanted
    assert gm.sweep(y, s.bfloat16()).counts.tolist() == wanted


@pytest.mark.parametrize("column", [pa.array, pl.Series, lambda x: pd.Series(x, dtype="Float64")])
def test_scores_that_columns_call_missing_are_left_out(column):
    found = gm.sweep([0, 1, 1, 0], column([0.1, None, 0.3, 0.4]), missing="drop")
    assert found.thresholds.tolist() == [0.4, 0.3, 0.1]
    with pytest.raises(ValueError, match=r"y_score\[1\] is NaN"):
        gm.sweep([0, 1, 1, 0], column([0.1, None, 0.3, 0.4]))
