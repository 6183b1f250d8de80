"""Sebastiani 2015: Example 6.1, the figures in the proofs about F1, MCC's denominator, and chance under costs."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest

import goodmeasure as gm
from tests.papers.printed import TABLES, cut, rounds_to

PRINTED = TABLES["sebastiani2015:values"]
K_ORDINAL = gm.measure("k_ordinal('absolute')")


def five_classes(cells):
    """Counts of five ordinal classes c1 … c5 from pairs (true, predicted)."""
    matrix = [[0] * 5 for _ in range(5)]
    for true, predicted in cells:
        matrix[true - 1][predicted - 1] += 1
    return matrix


def graded_recall(matrix):
    """The mean graded recall of eq. 11, from K = (5·mean − 1)/4 (eq. 10)."""
    return (4 * K_ORDINAL.exact(matrix) + 1) / 5


@pytest.mark.parametrize(
    ("item", "true", "predicted"), [("d1", 3, 3), ("d2", 3, 2), ("d3", 3, 1), ("d4", 4, 3)], ids=lambda x: str(x)
)
def test_each_item_of_example_6_1_contributes_what_is_printed(item, true, predicted):
    """An item alone is its class's graded recall."""
    contribution = Fraction(PRINTED["example6.1_contributions"][item])
    assert graded_recall(five_classes([(true, predicted)])) == contribution


def test_ordinal_k_of_example_6_1_is_23_48():
    """ρ3 = (1 + 1/2 + 0)/3 = 1/2 and ρ4 = 2/3, mean 7/12; K = 5/4·7/12 − 1/4."""
    assert K_ORDINAL.exact(five_classes([(3, 3), (3, 2), (3, 1), (4, 3)])) == Fraction(23, 48)


def f1_without_negatives(hits, size):
    """F1 when AN = 0 and so many of the positives are accepted."""
    return gm.f1.exact([[0, 0], [size - hits, hits]])


def mean_f1_over_hits(size):
    """E[F1] with AN = 0 when TP is uniform on 0 … |D|."""
    return sum(f1_without_negatives(hits, size) for hits in range(size + 1)) / (size + 1)


def mean_f1_over_labelings(size):
    """E[F1] with AN = 0 when every labeling is equally likely."""
    weighted = (math.comb(size, hits) * f1_without_negatives(hits, size) for hits in range(size + 1))
    return sum(weighted) / 2**size


def test_f1_expects_one_half_of_a_single_positive_item():
    """Property 4.3, |D| = 1: both readings of 'random' agree with the print."""
    assert mean_f1_over_hits(1) == PRINTED["E_F1_AN0_D1"]
    assert mean_f1_over_labelings(1) == Fraction(1, 2)


def test_f1_expects_0_61257_of_a_hundred_positive_items_when_the_number_of_hits_is_uniform():
    """Property 4.3, |D| = 100; erratum 18: TP uniform on 0 … 100 explains the misprint, 0.612."""
    value = mean_f1_over_hits(100).as_fraction()
    assert rounds_to(value, Fraction("0.61257"), 5)
    assert cut(value, 3) == PRINTED["E_F1_AN0_D100"]
    assert not rounds_to(value, PRINTED["E_F1_AN0_D100"], 3)


def test_f1_expects_0_66518_of_a_hundred_positive_items_when_labelings_are_uniform():
    """Erratum 18: averaging over classifiers, as the paper defines the random one, does not give the print."""
    value = mean_f1_over_labelings(100).as_fraction()
    assert rounds_to(value, Fraction("0.66518"), 5)
    assert cut(value, 3) != PRINTED["E_F1_AN0_D100"]


def f1_of_the_acceptor(prevalence):
    """The trivial acceptor: TP = AP, FP = AN."""
    return gm.f1.exact([[0, 1 - prevalence], [0, prevalence]]).as_fraction()


def test_f1_of_the_acceptor_is_three_quarters_at_prevalence_0_60():
    """Property 4.4: 2·0.6/(2·0.6 + 0.4)."""
    assert f1_of_the_acceptor(Fraction(60, 100)) == Fraction(3, 4) == PRINTED["F1_acceptor_prev_0.60"]


def test_f1_of_the_acceptor_is_two_thirds_at_prevalence_0_50():
    """Printed as 0.666: the further digits are left out, not rounded."""
    value = f1_of_the_acceptor(Fraction(1, 2))
    assert value == Fraction(2, 3)
    assert cut(value, 3) == PRINTED["F1_acceptor_prev_0.50"]


def test_f1_of_the_acceptor_is_0_0198_at_prevalence_0_01():
    """Erratum 18: printed ≈ 0.01, which is 2/101 with its further digits left out; rounded it is 0.02."""
    value = f1_of_the_acceptor(Fraction(1, 100))
    assert value == Fraction(2, 101)
    assert rounds_to(value, Fraction("0.0198"), 4)
    assert rounds_to(value, Fraction("0.02"), 2)
    assert not rounds_to(value, PRINTED["F1_acceptor_prev_0.01"], 2)
    assert cut(value, 2) == PRINTED["F1_acceptor_prev_0.01"]


def mcc_as_printed(c):
    """Table 2's formula, with TP + TN and FP + FN where PP and PN belong."""
    determinant = c.tp * c.tn - c.fp * c.fn
    return c.ratio(determinant, c.sqrt((c.tp + c.fn) * (c.tn + c.fp) * (c.tp + c.tn) * (c.fp + c.fn)))


def test_mcc_with_the_printed_denominator_exceeds_1_without_bound():
    """Erratum 15: TP = TN = 50, FN = 1 gives 2500/√(51·50·100·1) = 4.95, and more with more items."""
    printed = gm.Measure(mcc_as_printed, "mcc_as_printed", key=mcc_as_printed)
    assert rounds_to(printed.exact([[50, 0], [1, 50]]), Fraction("4.95"), 2)
    assert printed.exact([[5000, 0], [1, 5000]]) > 49
    assert gm.mcc.exact([[50, 0], [1, 50]]) ** 2 == Fraction(50 * 50, 51 * 51)


def test_mcc_with_the_printed_denominator_is_undefined_for_the_perfect_classifier():
    """Erratum 15, proof of 4.7: 'undefined for TP + TN = |D|' speaks of the printed formula, not of MCC."""
    printed = gm.Measure(mcc_as_printed, "mcc_as_printed", key=mcc_as_printed)
    with pytest.raises(gm.UndefinedMeasure):
        printed.exact([[3, 0], [0, 2]], undefined="raise")
    assert gm.mcc.exact([[3, 0], [0, 2]], undefined="raise") == 1


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        pytest.param((1, 1, 1, 1, 1), Fraction(11, 30), id="all classes"),
        pytest.param((7, 2, 5, 1, 3), Fraction(11, 30), id="all classes, unequal"),
        pytest.param((0, 0, 1, 0, 0), Fraction(1, 4), id="only the middle"),
        pytest.param((1, 0, 0, 0, 0), Fraction(3, 8), id="only the first"),
    ],
)
def test_what_ordinal_k_expects_of_chance_depends_on_which_classes_occur(sizes, expected):
    """Erratum 19, against §6.2: K is linear for given class sizes, so E[K] is K of the expected counts a_i/5."""
    assert K_ORDINAL.exact([[Fraction(size, 5)] * 5 for size in sizes]) == expected


@pytest.mark.parametrize(
    ("classes", "expected"), [((3,), Fraction(1, 4)), ((1,), Fraction(3, 8)), ((3, 3), Fraction(1, 4))]
)
def test_averaging_ordinal_k_over_all_predictions_gives_the_same_expectation(classes, expected):
    """Erratum 19 without the argument from linearity; and a second item of the class changes nothing."""
    guesses = [zip(classes, guess, strict=True) for guess in product(range(1, 6), repeat=len(classes))]
    assert sum(K_ORDINAL.exact(five_classes(cells)) for cells in guesses) / len(guesses) == expected


@pytest.mark.parametrize("sizes", [(1, 1, 1, 1, 1), (0, 0, 1, 0, 0), (1, 0, 0, 0, 0), (7, 0, 5, 1, 0)])
def test_plain_k_expects_0_of_chance_whichever_classes_occur(sizes):
    """Property 5.6 and §6.1, which hold: only the graded recall breaks CHA."""
    assert gm.k.exact([[Fraction(size, 5)] * 5 for size in sizes]) == 0
