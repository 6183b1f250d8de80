"""Measures under another class distribution: against arithmetic by hand, calibration and simulation."""

from __future__ import annotations

import numpy as np
import pytest

import goodmeasure as gm

CM = gm.ConfusionMatrix([[90, 10], [5, 15]], labels=["ham", "spam"])
THREE = gm.ConfusionMatrix([[30, 5, 5], [4, 20, 6], [1, 2, 27]], labels=["a", "b", "c"])


def test_the_expected_matrix_is_that_of_the_hand():
    """Prevalence 0.4 of 120 items: 72 ham, of which 0.1 are taken for spam; 48 spam, of which 0.75 are found."""
    there = gm.project(CM, prevalence=0.4)
    np.testing.assert_allclose(there.matrix.counts, [[64.8, 7.2], [12, 36]])
    assert there.value("precision") == pytest.approx(36 / 43.2)
    assert there.value("accuracy") == pytest.approx(0.6 * 0.9 + 0.4 * 0.75)


@pytest.mark.parametrize("cm", [CM, THREE], ids=["two", "three"])
def test_the_uniform_case_is_calibration(cm):
    there = gm.project(cm, prevalence="uniform")
    np.testing.assert_allclose(there.matrix.counts, cm.calibrated().counts, rtol=1e-14)
    for name in ("accuracy", "kappa", "mcc", "macro(f1)"):
        assert there.value(name) == pytest.approx(gm.calibrated(gm.measure(name))(cm))


@pytest.mark.parametrize("prevalence", [[0.2, 0.3, 0.5], {"c": 0.5, "a": 0.2, "b": 0.3}])
def test_shares_come_by_order_or_by_class(prevalence):
    there = gm.project(THREE, prevalence=prevalence)
    np.testing.assert_allclose(there.matrix.a / there.matrix.n, [0.2, 0.3, 0.5])
    assert there.value("accuracy") == pytest.approx(0.2 * 30 / 40 + 0.3 * 20 / 30 + 0.5 * 27 / 30)


def test_the_measured_prevalence_changes_nothing():
    there = gm.project(CM, prevalence=20 / 120)
    np.testing.assert_allclose(there.matrix.counts, CM.counts, rtol=1e-14)


def test_recalls_do_not_change():
    assert gm.project(THREE, prevalence=[0.9, 0.05, 0.05]).value("macro(recall)") == pytest.approx(
        gm.measure("macro(recall)")(THREE)
    )


def test_with_predicted_shares_precisions_are_those_of_section_6_3():
    """Recall·prevalence/share: 0.75·0.2/0.25, 2/3·0.3/0.27, 0.9·0.5/0.48."""
    there = gm.project(THREE, prevalence=[0.2, 0.3, 0.5], predicted=[0.25, 0.27, 0.48])
    wanted = [0.75 * 0.2 / 0.25, 2 / 3 * 0.3 / 0.27, 0.9 * 0.5 / 0.48]
    for label, precision in zip("abc", wanted, strict=True):
        assert gm.precision(there.matrix.vs_rest(label)) == pytest.approx(precision)
    assert there.value("macro(precision)") == pytest.approx(np.mean(wanted))
    np.testing.assert_allclose(there.matrix.a / there.matrix.n, [0.2, 0.3, 0.5], rtol=1e-9)
    np.testing.assert_allclose(there.matrix.b / there.matrix.n, [0.25, 0.27, 0.48], rtol=1e-9)
    assert "0.535" in there.note


PAPER = {"macro(recall)": 19 / 30, "macro(precision)": (0.24 / 0.45 + 0.4 / 0.55) / 2, "accuracy": 0.64,
         "balanced_accuracy": 19 / 30, "youden_j": 8 / 30}  # fmt: skip


def test_with_predicted_shares_of_two_classes_both_recalls_are_kept_as_in_the_paper():
    """Recalls 0.6 and 2/3; precision_i = recall_i · p_i/q_i; accuracy = Σ recall_i · p_i."""
    cm, shares = [[15, 10], [5, 10]], {"prevalence": [0.4, 0.6], "predicted": [0.45, 0.55]}
    there = gm.project(
        cm, **shares, measures=[*PAPER, "precision", "recall", "specificity", "negative_predictive_value"]
    )
    for name, value in PAPER.items():
        assert there.value(name) == pytest.approx(value)
        low, high = there.interval(name)
        assert low < value < high
    assert there.value("recall") == pytest.approx(2 / 3)
    assert there.value("specificity") == pytest.approx(0.6)
    assert there.value("precision") == pytest.approx(0.4 / 0.55)
    assert there.value("negative_predictive_value") == pytest.approx(0.24 / 0.45)


def test_the_projection_of_two_classes_does_not_depend_on_which_one_is_positive():
    cm, turned = np.array([[15, 10], [5, 10]]), np.array([[10, 5], [10, 15]])
    alike = [
        "accuracy",
        "mcc",
        "kappa",
        "sba",
        "macro(f1)",
        "balanced_accuracy",
        "generalized_mean(r=1)",
        "weighted(f1)",
    ]
    one = gm.project(cm, prevalence=[0.4, 0.6], predicted=[0.45, 0.55], measures=[*alike, "recall", "specificity"])
    two = gm.project(turned, prevalence=[0.6, 0.4], predicted=[0.55, 0.45], measures=[*alike, "recall", "specificity"])
    for name in alike:
        assert one.value(name) == pytest.approx(two.value(name)), name
    assert one.value("recall") == pytest.approx(two.value("specificity"))
    np.testing.assert_allclose(one.matrix.counts, two.matrix.counts[::-1, ::-1])


def test_predicted_shares_that_two_recalls_imply_change_nothing():
    names = ["accuracy", "mcc", "f1", "precision", "specificity", "generalized_mean(r=1)", "confusion_entropy"]
    plain = gm.project(CM, prevalence=0.3, measures=names)
    there = gm.project(CM, prevalence=0.3, predicted=plain.matrix.b / plain.matrix.n, measures=names)
    np.testing.assert_allclose(there.matrix.counts, plain.matrix.counts, rtol=1e-9)
    for name in names:
        assert there.value(name) == pytest.approx(plain.value(name)), name


def test_with_predicted_shares_of_two_classes_precision_follows_from_recall():
    there = gm.project(CM, prevalence=0.5, predicted=0.5)
    assert there.value("precision") == pytest.approx(0.75 * 0.5 / 0.5)
    assert there.value("recall") == pytest.approx(0.75)
    assert there.matrix.b[1] / there.matrix.n == pytest.approx(0.5)


def test_predicted_shares_that_the_recalls_imply_change_nothing():
    plain = gm.project(THREE, prevalence=[0.2, 0.3, 0.5])
    implied = plain.matrix.b / plain.matrix.n
    there = gm.project(THREE, prevalence=[0.2, 0.3, 0.5], predicted=implied)
    np.testing.assert_allclose(there.matrix.counts, plain.matrix.counts, rtol=1e-4)


def test_intervals_hold_the_truth_as_often_as_they_say():
    """Classes of 40 and 60 items are drawn with recalls 0.8 and 0.9; at prevalence 0.3 accuracy is 0.83 and so on."""
    rng = np.random.default_rng(0)
    truth = gm.ConfusionMatrix([[0.7 * 0.8, 0.7 * 0.2], [0.3 * 0.1, 0.3 * 0.9]])
    held = {"accuracy": 0, "precision": 0, "mcc": 0}
    for k in range(200):
        tn, tp = rng.binomial(40, 0.8), rng.binomial(60, 0.9)
        there = gm.project([[tn, 40 - tn], [60 - tp, tp]], prevalence=0.3, seed=k, replicates=400)
        for name in held:
            low, high = there.interval(name)
            held[name] += low <= gm.measure(name)(truth) <= high
    assert all(0.9 <= x / 200 <= 0.99 for x in held.values()), held


def test_a_perfect_recall_still_has_an_interval():
    low, high = gm.project([[20, 0], [0, 10]], prevalence=0.5).interval("accuracy")
    assert low < 0.99
    assert high == 1


def test_the_table_has_every_measure_before_and_there():
    rows = gm.project(CM, prevalence=0.5, measures=["mcc", "precision"]).table
    assert [x["measure"] for x in rows] == ["mcc", "precision"]
    assert rows[1]["before"] == pytest.approx(15 / 25)
    assert rows[1]["low"] < rows[1]["value"] < rows[1]["high"]


def test_the_curve_is_the_value_at_every_share():
    there = gm.project(CM, prevalence=0.5)
    curve = there.curve("accuracy", points=11)
    np.testing.assert_allclose(curve.values, 0.9 + (0.75 - 0.9) * curve.prevalence, atol=1e-8)
    for share, value in zip(curve.prevalence[1:-1], there.curve("mcc", points=11).values[1:-1], strict=True):
        assert value == pytest.approx(gm.project(CM, prevalence=float(share)).value("mcc"))


def test_the_range_is_where_the_curve_is_least_and_greatest():
    found = gm.project(CM, prevalence=0.5).range("accuracy")
    assert (found.low, found.high) == pytest.approx((0.75, 0.9))
    assert (found.low_at, found.high_at) == (1.0, 0.0)


def test_two_systems_change_places_where_their_accuracies_meet():
    """0.95(1−p) + 0.6p = 0.8(1−p) + 0.9p, so p = 1/3."""
    both = gm.project({"A": [[95, 5], [8, 12]], "B": [[80, 20], [2, 18]]}, prevalence=0.1)
    (found,) = both.crossings("accuracy")
    assert found["share"] == pytest.approx(1 / 3, abs=1e-9)
    assert (found["below"], found["above"]) == ("A", "B")
    assert both["A"].crossing([[80, 20], [2, 18]], "accuracy") == pytest.approx([1 / 3], abs=1e-9)
    assert both.crossings("zero_one_loss")[0]["below"] == "A"
    assert {x["system"] for x in both.table} == {"A", "B"}


def test_a_system_that_is_better_everywhere_has_no_crossing():
    both = gm.project({"A": [[95, 5], [1, 19]], "B": [[80, 20], [2, 18]]})
    assert both.crossings("accuracy") == []
    assert gm.project({"A": [[9, 1], [1, 9]], "B": [[9, 1], [1, 9]]}).crossings("mcc") == []


@pytest.mark.parametrize(
    ("cm", "options", "message"),
    [
        (CM, {"prevalence": [0.5, 0.6]}, "adds up to 1.1"),
        (CM, {"prevalence": 1.2}, "prevalence is 1.2"),
        (CM, {"prevalence": [1.2, -0.2]}, "has the share -0.2"),
        (CM, {"prevalence": [0.2, 0.3, 0.5]}, "3 shares, the matrix has 2"),
        (CM, {"prevalence": {"ham": 1.0}}, "class 'spam' is missing"),
        (CM, {"prevalence": {"ham": 0.5, "eggs": 0.5}}, "'eggs' is no class"),
        (CM, {"prevalence": "even"}, "'uniform'"),
        (THREE, {"prevalence": 0.3}, "one number for 3 classes"),
        ([[5, 1], [0, 0]], {"prevalence": 0.5}, "no true items"),
        ([[0, 0], [0, 0]], {}, "holds no items"),
        ({}, {}, "empty dict"),
        (CM, {"prevalence": 0.5, "predicted": 0.2}, "do not carry over"),
        (THREE, {"prevalence": [0.2, 0.3, 0.5], "predicted": [0.8, 0.1, 0.1]}, "do not carry over|does not fit"),
    ],
)
def test_what_cannot_be_meant_is_refused(cm, options, message):
    with pytest.raises(ValueError, match=message):
        gm.project(cm, **options).matrix  # noqa: B018


def test_a_class_that_will_not_occur_may_be_absent():
    assert gm.project([[5, 1], [0, 0]], prevalence=0.0).value("accuracy") == pytest.approx(5 / 6)


def test_predicted_shares_that_leave_no_room_are_refused_at_once():
    """A share that is smaller than the right predictions of the class."""
    with pytest.raises(ValueError, match=r"predicted gives class 'ham' .*of 0\.1, .* its recall .* right predictions"):
        gm.project(CM, prevalence=0.5, predicted=0.9)
    with pytest.raises(ValueError, match=r"predicted gives class 'spam' .* its recall .* make 0\.375 right pred"):
        gm.project(CM, prevalence=0.5, predicted=0.3)
    with pytest.raises(ValueError, match="predicted does not fit prevalence and the recalls"):
        gm.project(THREE, prevalence=[0.1, 0.8, 0.1], predicted=[0.09, 0.82, 0.09])


def test_errors_that_were_never_seen_can_fill_predicted_shares():
    """Nothing but class a can be taken for d so often, and it was not: it takes thousands of rounds to fill."""
    cm = [[18, 2, 3, 6], [9, 8, 13, 0], [8, 19, 13, 0], [16, 12, 2, 2]]
    prevalence, predicted = [0.4316, 0.2411, 0.3195, 0.0078], [0.503, 0.1989, 0.1335, 0.1646]
    there = gm.project(cm, prevalence=prevalence, predicted=predicted)
    np.testing.assert_allclose(there.matrix.a / there.matrix.n, prevalence, atol=1e-6)
    np.testing.assert_allclose(there.matrix.b / there.matrix.n, predicted, atol=1e-6)


def test_the_order_of_the_classes_of_a_system_changes_nothing():
    other = gm.ConfusionMatrix([[80, 20], [2, 18]], labels=["ham", "spam"])
    turned = other.aligned(["spam", "ham"])
    straight, found = (gm.project({"A": CM, "B": x}, prevalence=0.4) for x in (other, turned))
    assert straight.table == found.table
    assert straight.crossings("accuracy") == found.crossings("accuracy") != []
    alone = gm.project(CM, prevalence=0.4)
    for rival in (turned, gm.project(turned, prevalence=0.6), other.counts):
        assert alone.crossing(rival, "accuracy") == pytest.approx([0.4])
        assert alone.crossing(rival, "accuracy", "ham") == pytest.approx([0.6])
    with pytest.raises(ValueError, match="'A' and 'B' have different classes"):
        gm.project({"A": CM, "B": gm.ConfusionMatrix([[1, 2], [3, 4]], labels=["ham", "eggs"])})


def test_an_interval_of_many_classes_is_that_of_evaluate():
    """One imagined item for each class, nine tenths of it wrong, gave 0.756 to 0.900 around 0.900."""
    counts = np.diag([9] * 10)
    counts[range(10), [*range(1, 10), 0]] += 1
    low, high = gm.project(counts, prevalence="uniform").interval("accuracy")
    row = gm.evaluate(gm.ConfusionMatrix(counts), measures=["accuracy"]).table[0]
    assert (low, high) == pytest.approx((row["low"], row["high"]), abs=3e-3)


@pytest.mark.parametrize(("m", "items", "recall"), [(5, 60, 0.8), (10, 100, 0.9), (20, 200, 0.7)])
def test_intervals_of_many_classes_cover(m, items, recall):
    """They covered 83, 53 and less percent."""
    rates = np.full((m, m), (1 - recall) / (m - 1))
    np.fill_diagonal(rates, recall)
    rng, held, tried = np.random.default_rng(m), 0, 0
    for cells in rng.multinomial(items, (rates / m).ravel(), size=150).reshape(-1, m, m):
        if (cells.sum(axis=1) > 0).all():
            low, high = gm.project(cells, prevalence="uniform", measures=["balanced_accuracy"]).interval(
                "balanced_accuracy"
            )
            tried += 1
            held += low <= recall <= high
    assert held >= 0.9 * tried


def test_labels_are_projected_and_an_older_second_argument_still_works():
    true, said = [0] * 6 + [1] * 4, [0] * 5 + [1] * 4 + [0]
    counted = gm.project(gm.confusion(true, said), prevalence=0.3)
    assert gm.project(true, said, prevalence=0.3).value("mcc") == counted.value("mcc")
    with pytest.warns(DeprecationWarning, match="the second argument of project beside a matrix is called prevalence="):
        assert gm.project(gm.confusion(true, said), 0.3).value("mcc") == counted.value("mcc")
    both = gm.project({"A": CM, "B": CM}, prevalence=0.3)
    assert both.value("mcc") == both.value("mcc", system="B") == both["A"].value("mcc")
