"""Which measures no data set of n items tells apart: against all triplets one by one, and what the witnesses show."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.comparison.distinguish import distinguish, matrices

EIGHT = ["accuracy", "balanced_accuracy", "f1", "kappa", "confusion_entropy", "generalized_mean(r=1)", "mcc", "sba"]


def order(f, true, first, second):
    """1 where the second prediction is better, by exact values."""
    x, y = (f.exact(gm.confusion(true, guess, labels=[0, 1])) for guess in (first, second))
    sign = int(y > x) - int(y < x)
    return -sign if f.orientation == "lower" else sign


def labelings(n):
    return [x for x in product([0, 1], repeat=n) if 0 < sum(x) < n]


def consistent(f, g, n):
    """The definition of §5.1, triplet by triplet; true labels up to their order."""
    guesses = labelings(n)
    for positives in range(1, n):
        true = (0,) * (n - positives) + (1,) * positives
        for pair in combinations(guesses, 2):
            if order(f, true, *pair) != order(g, true, *pair):
                return False
    return True


@pytest.mark.parametrize("n", [2, 3, 4])
def test_groups_are_those_of_all_triplets(n):
    names = ["accuracy", "f1", "kappa", "confusion_entropy", "mcc", "precision"]
    found = distinguish(names, n)
    for first, second in combinations(names, 2):
        assert found.agree(first, second) is consistent(gm.measure(first), gm.measure(second), n), (first, second)


@pytest.mark.parametrize("n", [4, 7, 10])
def test_a_witness_shows_what_it_claims(n):
    found = distinguish(EIGHT, n)
    for first, second in combinations(EIGHT, 2):
        witness = found.witness(first, second)
        assert (witness is None) is found.agree(first, second)
        if witness is not None:
            assert all(len(x) == n and 0 < sum(x) < n for x in witness)
            assert order(gm.measure(first), *witness) != order(gm.measure(second), *witness)


def test_a_witness_is_an_opposite_order_where_there_is_one():
    """All 28 pairs have one with ten items (Table 9)."""
    found = distinguish(EIGHT, 10)
    for first, second in combinations(EIGHT, 2):
        witness = found.witness(first, second)
        assert order(gm.measure(first), *witness) * order(gm.measure(second), *witness) == -1


def test_measures_that_follow_from_each_other_are_never_told_apart():
    found = distinguish(["f1", "jaccard", "mcc", "correlation_distance", "accuracy", "zero_one_loss"], 30)
    assert found.groups == [("f1", "jaccard"), ("mcc", "correlation_distance"), ("accuracy", "zero_one_loss")]
    assert found.ties > 0
    assert found.witness("f1", "jaccard") is None


def test_a_difference_that_floats_cannot_see_is_found_exactly():
    """A measure that breaks ties of accuracy by far less than a float shows."""

    def nearly_accuracy(c):
        return c.ratio(c.tp + c.tn, c.n) + c.ratio(c.tp, c.n * 10**30)

    assert distinguish([gm.accuracy, nearly_accuracy], 5).indistinguishable == []


def test_matrices_are_all_those_with_both_classes_predicted():
    found = {tuple(map(int, x.ravel())) for x in matrices(5, 2)}
    wanted = {(3 - fp, fp, 2 - tp, tp) for fp in range(4) for tp in range(3) if 0 < fp + tp < 5}
    assert found == wanted


@pytest.mark.parametrize("n", [1, 0, -3, 2.5, True, "8", 10**6])
def test_a_number_of_items_that_makes_no_sense_is_refused(n):
    with pytest.raises(ValueError, match="n is"):
        distinguish(["f1", "mcc"], n)


def test_a_measure_that_was_not_asked_about_has_no_witness():
    with pytest.raises(ValueError, match="kappa was not among"):
        distinguish(["f1", "mcc"], 4).witness("f1", "kappa")


def test_one_measure_alone_is_its_own_group():
    assert distinguish("mcc", 6).groups == [("mcc",)]


def test_matrices_on_which_a_measure_is_undefined_are_left_out():
    """The odds ratio, Yule's Q and lam follow from each other where all have values."""
    found = distinguish(["diagnostic_odds_ratio", "yule_q", "lam", "recall"], 7)
    assert found.groups == [("diagnostic_odds_ratio", "yule_q", "lam"), ("recall",)]
    assert found.undefined > 0
    assert found.witness("yule_q", "diagnostic_odds_ratio") is None


def test_infinite_values_are_beyond_all_others():
    """Where there are no false positives or no false negatives, these odds are infinite."""

    def odds(c):
        return c.ratio(c.tp * c.tn, c.fp * c.fn, otherwise=float("inf"))

    f, cells = gm.Measure(odds, "odds", key=odds), matrices(6, 3)
    (found,) = distinguish([f], 6)._oriented([f], cells)
    endless = np.isinf(f(cells))
    assert endless.any()
    assert found[endless].min() > found[~endless].max()


def test_whether_two_measures_agree_does_not_depend_on_the_others():
    """Three items leave the odds ratio undefined nearly everywhere; accuracy and F1 differ all the same."""
    found = distinguish(["accuracy", "f1", "negative_likelihood_ratio", "diagnostic_odds_ratio"], 3)
    alone = distinguish(["accuracy", "f1"], 3)
    assert alone.groups == [("accuracy",), ("f1",)]
    assert not any({"accuracy", "f1"} <= set(group) for group in found.groups)
    assert found.witness("accuracy", "f1") == alone.witness("accuracy", "f1") is not None


@pytest.mark.parametrize("n", [3, 4, 5])
def test_with_measures_that_are_undefined_every_pair_is_answered_on_its_own(n):
    names = ["diagnostic_odds_ratio", "accuracy", "f1", "p4", "negative_likelihood_ratio", "yule_q", "mcc", "recall"]
    found = distinguish(names, n)
    for first, second in combinations(names, 2):
        apart = bool(distinguish([first, second], n).groups[1:])
        assert found.agree(first, second) is not apart
        assert (found.witness(first, second) is not None) is apart
        assert not (apart and any({first, second} <= set(group) for group in found.groups))
