"""Inconsistency rates with both rules for ties, correlations of rankings, and what drives a flip."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import goodmeasure as gm
from goodmeasure.comparison.disagreement import disagreement
from goodmeasure.comparison.drivers import drivers

CAREFUL, BOLD = [[90, 0], [8, 2]], [[80, 10], [2, 8]]


def systems(count, seed=0, m=2):
    """Systems on the same items: class sizes are the same for all."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(5, 60, m)
    return [np.array([rng.multinomial(a, rng.dirichlet(np.ones(m))) for a in sizes]) for _ in range(count)]


def brute_force(f, g, matrices, ties, tolerance):
    """Pairs one by one, from values."""

    def sign(h, x, y):
        gap = h(y) - h(x)
        gap = -gap if h.orientation == "lower" else gap
        return 0 if abs(gap) <= max(tolerance, 1e-13) else math.copysign(1, gap)

    against, pairs = 0, 0
    for i, x in enumerate(matrices):
        for y in matrices[i + 1 :]:
            a, b = sign(f, x, y), sign(g, x, y)
            against += (a * b == -1) if ties == "consistent" else (a != b)
            pairs += 1
    return against / pairs


@pytest.mark.parametrize("ties", ["strict", "consistent"])
@pytest.mark.parametrize("tolerance", [0, 0.02])
@pytest.mark.parametrize("m", [2, 4])
def test_rates_are_those_of_a_loop_over_pairs(ties, tolerance, m):
    names = ["accuracy", "mcc", "confusion_entropy", "macro(f1)", "sba"]
    matrices = systems(14, seed=m, m=m)
    found = disagreement(names, matrices, ties=ties, tolerance=tolerance)
    for first in names:
        for second in names:
            wanted = brute_force(gm.measure(first), gm.measure(second), matrices, ties, tolerance)
            assert found.rates[first][second] == pytest.approx(wanted)


def test_orientation_is_respected():
    """A loss and its gain never disagree."""
    found = disagreement(["accuracy", "zero_one_loss"], systems(10))
    assert found.rates["accuracy"]["zero_one_loss"] == 0
    assert found.kendall["accuracy"]["zero_one_loss"] == pytest.approx(1)
    assert found.spearman["accuracy"]["zero_one_loss"] == pytest.approx(1)


def test_a_tie_disagrees_with_a_preference_only_by_the_strict_rule():
    """Both have accuracy 0.8; recall differs."""
    pair = [[[5, 0], [2, 3]], [[4, 1], [1, 4]]]
    assert disagreement(["accuracy", "recall"], pair).rates["accuracy"]["recall"] == 1
    assert disagreement(["accuracy", "recall"], pair, ties="consistent").rates["accuracy"]["recall"] == 0


def test_ties_are_decided_exactly():
    """mcc of a matrix and of ten times it is the same number, though floats may differ in the last digit."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        one = rng.integers(1, 99, (2, 2))
        found = disagreement(["mcc", "recall"], [one, one * 7])
        assert found.judged[0].signs[0].tolist() == [0]


def test_pairs_are_compared_within_each_list():
    day = systems(3)
    found = disagreement(["f1", "mcc"], [day, systems(4, seed=1)])
    assert found.pairs == 3 + 6
    assert disagreement(["f1", "mcc"], [*day, *systems(4)]).pairs == 21


def test_correlations_are_those_of_scipy():
    from scipy import stats

    matrices, names = systems(25, seed=5), ["accuracy", "f1", "mcc", "recall"]
    found = disagreement(names, matrices)
    values = {name: [round(gm.measure(name)(x), 12) for x in matrices] for name in names}
    for first in names:
        for second in names:
            rho = stats.spearmanr(values[first], values[second]).statistic
            tau = stats.kendalltau(values[first], values[second]).statistic
            assert found.spearman[first][second] == pytest.approx(rho)
            assert found.kendall[first][second] == pytest.approx(tau)


def test_identical_systems_are_tied_and_have_no_correlation():
    found = disagreement(["f1", "mcc"], [CAREFUL, CAREFUL, CAREFUL])
    assert found.rates["f1"]["mcc"] == 0
    assert math.isnan(found.kendall["f1"]["mcc"])
    assert len(found.flips) == 0


def test_one_system_has_no_pairs_and_no_rate():
    found = disagreement(["f1", "mcc"], [CAREFUL])
    assert found.pairs == 0
    assert math.isnan(found.rates["f1"]["mcc"])


def test_a_flip_names_the_systems_and_what_each_change_adds():
    """10 of 100 items become wrong: accuracy −0.1, balanced accuracy −10/90/2; 6 become right: +0.06 and +6/10/2."""
    found = disagreement(["accuracy", "balanced_accuracy"], {"careful": CAREFUL, "bold": BOLD})
    (flip,) = found.flips
    assert flip.systems == ("careful", "bold")
    assert flip.preferred == ("careful", "bold")
    parts = {x.what: x.parts for x in flip.drivers}
    assert parts["10 items of class 0 become wrong"] == pytest.approx((-0.1, -1 / 18))
    assert parts["6 items of class 1 become right"] == pytest.approx((0.06, 0.3))
    assert "from careful to bold" in flip.why


@pytest.mark.parametrize("name", ["mcc", "f1", "kappa", "confusion_entropy", "sba"])
@pytest.mark.parametrize("second", [[[43, 9], [12, 30]], [[400, 100], [20, 55]]], ids=["same sizes", "other sizes"])
def test_what_the_changes_add_makes_the_whole_difference(name, second):
    first, f = np.array([[50, 2], [25, 17]]), gm.measure(name)
    found = drivers([f], first, np.array(second), (0, 1))
    assert sum(x.parts[0] for x in found) == pytest.approx(f(second) - f(first), abs=1e-9)


def test_a_function_that_decides_with_if_has_drivers_too():
    def recall_if_any(c):
        return c.tp / (c.tp + c.fn) if c.tp + c.fn > 0 else 0

    f = gm.Measure(recall_if_any, "recall_if_any", key=recall_if_any)
    found = drivers([f], np.array([[50, 2], [25, 17]]), np.array([[50, 2], [5, 37]]), (0, 1))
    assert sum(x.parts[0] for x in found) == pytest.approx(20 / 42, abs=1e-4)


def test_labels_are_named_and_lined_up():
    first = gm.ConfusionMatrix(CAREFUL, labels=["ham", "spam"])
    second = gm.ConfusionMatrix(BOLD, labels=["ham", "spam"]).aligned(["spam", "ham"])
    (flip,) = disagreement(["accuracy", "balanced_accuracy"], [first, second]).flips
    assert "6 items of class spam become right" in flip.why


def test_matrices_of_other_sizes_are_told_by_their_shares():
    (flip,) = disagreement(["accuracy", "balanced_accuracy"], [CAREFUL, [[800, 100], [10, 50]]]).flips
    assert "%" in flip.why


def test_undefined_values_leave_a_pair_out_and_it_is_counted():
    """precision has no value where nothing is predicted positive."""
    nothing = [[90, 0], [10, 0]]
    found = disagreement(["precision", "accuracy"], [CAREFUL, BOLD, nothing])
    assert found.compared["precision"]["accuracy"] == 1
    assert found.compared["accuracy"]["accuracy"] == 3


def test_infinite_values_tie_with_each_other_and_beat_all_others():
    def odds(c):
        return c.ratio(c.tp * c.tn, c.fp * c.fn, otherwise=float("inf"))

    found = disagreement([odds], [[[90, 0], [8, 2]], [[80, 0], [3, 17]], BOLD])
    assert found.judged[0].values[0].tolist()[:2] == [math.inf, math.inf]
    assert found.judged[0].signs.tolist() == [[0, -1, -1]]


def test_a_function_that_knows_floats_only_is_compared_by_them():
    def root(c):
        return math.sqrt(float(c.tp) / float(c.tp + c.fn))

    found = disagreement([root, "recall"], [[[9, 1], [2, 8]], [[7, 3], [2, 8]], [[9, 1], [4, 6]]])
    assert found.rates["root"]["recall"] == 0


def test_measures_are_found_by_alias_and_as_measures():
    found = disagreement([gm.mcc, "f1"], systems(4))
    assert found.rates[gm.mcc]["dice"] == found.rates["mcc"]["f1"] == found.rates["matthews"][gm.f1]


def test_a_users_function_is_a_measure_too():
    """Recall rises with the hits, as the class sizes are the same; here the hits count once there are enough."""

    def hits(c):
        return c.tp if c.tp > 3 else 0

    found = disagreement([hits, "recall"], [[[9, 1], [2, 8]], [[9, 1], [4, 6]], [[9, 1], [9, 1]]])
    assert found.rates["hits"]["recall"] == 0


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([], [CAREFUL]), ValueError, "measures is empty"),
        ((["f1"], []), ValueError, "matrices is empty"),
        ((["f1"], [CAREFUL], "loose"), ValueError, "ties is 'loose'"),
        ((["f1"], [CAREFUL], "strict", -1), ValueError, "tolerance is -1"),
        ((["f1"], [CAREFUL, [CAREFUL]]), ValueError, "mixes matrices"),
        ((["f1"], gm.ConfusionMatrix(CAREFUL)), ValueError, "one confusion matrix"),
        ((["accuracy"], [CAREFUL, np.eye(3)]), ValueError, "different numbers of classes"),
        ((["f1"], [CAREFUL, [[0, 0], [0, 0]]]), ValueError, "holds no items"),
        ((["f1"], 3), TypeError, "expected confusion matrices"),
    ],
)
def test_what_cannot_be_meant_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        disagreement(*arguments)


def test_classes_of_all_systems_are_brought_into_one_order():
    a = gm.ConfusionMatrix([[50, 3], [9, 20]], labels=["ham", "spam"])
    b = gm.ConfusionMatrix([[40, 13], [2, 27]], labels=["ham", "spam"])
    straight, turned = (disagreement(["f1", "recall"], [a, x]) for x in (b, b.aligned(["spam", "ham"])))
    assert straight.judged[0].values.tolist() == turned.judged[0].values.tolist()
    with pytest.raises(ValueError, match="different classes"):
        disagreement(["f1", "recall"], [a, gm.ConfusionMatrix(b.counts, labels=["ham", "eggs"])])


def test_one_matrix_alone_is_refused_however_it_comes():
    for one in ([[1, 2], [3, 4]], np.array([[1, 2], [3, 4]]), gm.ConfusionMatrix([[1, 2], [3, 4]])):
        with pytest.raises(ValueError, match="matrices is one confusion matrix"):
            disagreement(["f1", "mcc"], one)


def test_measures_that_prefer_no_system_are_refused_and_left_out_of_sets():
    with pytest.raises(ValueError, match="prevalence, which is neither better when higher nor when lower"):
        disagreement(["mcc", "prevalence"], systems(2))
    assert "prevalence" not in disagreement("all", systems(2)).rates
    assert "yule_q" in disagreement(["all", "mcc"], systems(2)).rates


def test_a_rate_of_a_measure_that_was_not_asked_for_says_which_there_are():
    found = disagreement(["f1", "mcc"], systems(3))
    with pytest.raises(KeyError, match="kappa is not one of the measures: they are f1, mcc"):
        found.rates["kappa"]
    with pytest.raises(KeyError, match="kappa is not one of the measures"):
        found.rates["f1"]["kappa"]


@pytest.mark.parametrize(("name", "digits"), [("mcc", 1e-9), ("confusion_entropy", 1e-4)])
def test_parts_add_up_where_a_class_is_no_longer_predicted(name, digits):
    """Roots and logarithms are steep at the end of the way, where the first class is empty."""
    f, first, second = gm.measure(name), np.array([[0, 1], [5, 5]]), np.array([[0, 0], [5, 2]])
    parts = [x.parts[0] for x in drivers([f], first, second, (0, 1))]
    assert sum(parts) == pytest.approx(f(second) - f(first), abs=digits)


def test_a_value_that_follows_a_rule_is_told():
    """The first system only ever predicts class 0, so its MCC is 0/0, reported as 0."""
    (flip,) = disagreement(["accuracy", "mcc"], [[[90, 0], [10, 0]], [[80, 10], [8, 2]]]).flips
    assert flip.preferred == ("system 0", "system 1")
    assert flip.why.endswith("; MCC of one system is 0/0, and a rule gives its value.")
    plain = disagreement(["accuracy", "balanced_accuracy"], [[[90, 0], [8, 2]], [[80, 10], [2, 8]]])
    assert "rule" not in plain.flips[0].why


MATRIX = arrays(np.int64, st.integers(2, 4).map(lambda m: (m, m)), elements=st.integers(0, 40))


@given(st.data(), st.sampled_from(["mcc", "f1", "macro(f1)", "accuracy", "balanced_accuracy", "kappa", "jaccard"]))
@settings(deadline=None, max_examples=25)
def test_no_change_adds_more_than_the_measure_ranges_over_and_together_they_make_the_difference(data, name):
    first = data.draw(MATRIX)
    second = data.draw(arrays(np.int64, first.shape, elements=st.integers(0, 40)))
    f = gm.measure(name)
    assume(first.sum() and second.sum() and f.classes in (None, len(first)))
    found = drivers([f], first, second, range(len(first)))
    assert sum(x.parts[0] for x in found) == pytest.approx(f(second) - f(first), abs=1e-9)
    low, high = f.range
    assert all(abs(x.parts[0]) <= high - low + 1e-9 for x in found)


def test_the_parts_are_means_over_both_orders():
    """F1 is 2TP/(2TP + FN + FP): 8/12 at first, 8/14 with two more false positives, 10/13 with one more hit, 10/15."""
    found = drivers([gm.measure("f1")], np.array([[10, 2], [2, 4]]), np.array([[8, 4], [1, 5]]), (0, 1))
    parts = {x.what: x.parts[0] for x in found}
    wrong = (8 / 14 - 8 / 12 + 10 / 15 - 10 / 13) / 2
    right = (10 / 13 - 8 / 12 + 10 / 15 - 8 / 14) / 2
    assert parts == pytest.approx({"2 items of class 0 become wrong": wrong, "1 item of class 1 becomes right": right})


def test_many_changes_are_told_with_the_smallest_as_one():
    rng = np.random.default_rng(0)
    first, second = (rng.integers(1, 50, (12, 12)) for _ in range(2))
    found = drivers([gm.measure("mcc")], first, second, range(12))
    assert any(x.what.endswith("smaller changes") for x in found)
    assert sum(x.parts[0] for x in found) == pytest.approx(gm.mcc(second) - gm.mcc(first), abs=1e-9)


def test_the_number_of_items_is_a_change_for_measures_that_depend_on_it():
    f = gm.measure("dif2")
    found = drivers([f], np.array([[8, 2], [1, 4]]), np.array([[80, 20], [10, 40]]), (0, 1))
    assert [(x.what, x.parts[0]) for x in found] == [("15 items become 150", pytest.approx(500 - 5))]


def test_one_item_is_told_as_one():
    (flip,) = disagreement(["f1", "accuracy"], [[[5, 1], [1, 5]], [[6, 0], [2, 4]]]).flips
    assert "1 item of class 1 becomes wrong" in flip.why
    (flip,) = disagreement(["recall", "accuracy"], [[[5, 1], [1, 5]], [[5, 2], [0, 5]]]).flips
    assert "1 fewer false negative (" in flip.why
    assert "1 more false positive (" in flip.why


def test_lists_of_confusion_matrices_are_data_sets():
    """Objects used to be taken for the rows of one matrix."""
    rows = [[3, 1], [2, 4]], [[2, 2], [1, 5]]
    first, second = map(gm.ConfusionMatrix, rows)
    for sets in ([[first, second], [second, first]], [(first, second), (second, first)]):
        found = gm.disagreement(["f1", "mcc"], sets)
        assert found.pairs == 2
        assert (
            found.rates["f1"]["mcc"]
            == gm.disagreement(["f1", "mcc"], [list(rows), list(rows)[::-1]]).rates["f1"]["mcc"]
        )
    assert gm.disagreement(["f1", "mcc"], [[first, second]]).pairs == 1
    assert gm.disagreement(["f1", "mcc"], [first, second]).pairs == 1
    with pytest.raises(ValueError, match="one confusion matrix"):
        gm.disagreement(["f1", "mcc"], first)


def test_the_degree_of_discriminancy_counts_pairs_that_only_one_measure_tells_apart():
    """By hand, over all pairs, with exact values; and by the number of values of a measure, where the other ties."""
    systems = [[[a, 5 - a], [5 - b, b]] for a in range(6) for b in range(6)]
    names = ["mcc", "accuracy", "f1"]
    found = gm.disagreement(names, systems).discriminancy
    values = {x: [str(gm.measure(x).exact(y)) for y in systems] for x in names}
    pairs = list(itertools.combinations(range(len(systems)), 2))

    def only(x, y):
        return sum(values[x][i] != values[x][j] and values[y][i] == values[y][j] for i, j in pairs)

    for x in names:
        for y in names:
            expected = only(x, y) / only(y, x) if only(y, x) else float("inf") if only(x, y) else float("nan")
            assert found[x][y] == pytest.approx(expected, nan_ok=True)
    assert found["mcc"]["accuracy"] > 1
    assert math.isnan(found["mcc"]["mcc"])
