"""The paper on RH and Dif2Norm: Tables 2.9 and 3.1 cell by cell, and what is wrong in the second."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, combinations_with_replacement

import pytest

import goodmeasure as gm
from tests.papers.printed import TABLES, rounds_to

TABLE_2_9 = TABLES["rh-dif2norm:table2.9"]
TABLE_3_1 = TABLES["rh-dif2norm:table3.1"]

MEASURES_2_9 = {
    "SS1": "sokal_sneath_1", "SS4": "sba", "ACC": "accuracy", "RT": "rogers_tanimoto", "SS5": "sokal_sneath_5",
    "F1": "f1", "F-0.7": "f_alpha(0.7)", "K2": "kulczynski_2", "Ochiai": "ochiai", "JACC": "jaccard",
    "SS2": "sokal_sneath_2", "RR": "russell_rao", "Q": "yule_q", "Y": "yule_y", "MCC": "mcc", "Somers_d": "somers_d",
    "HC": "hamann", "kappa": "kappa",
}  # fmt: skip
MEASURES_3_1 = {"SMC": "accuracy", "mutability": "mutability", "RH": "rh", "Dif2": "dif2", "Dif2Norm": "dif2norm"}
DECIMALS_3_1 = {"SMC": 3, "mutability": 3, "RH": 3, "Dif2": 0, "Dif2Norm": 3}


def with_margins_of_90(n11):
    """Group 1 of the paper is the positive class, so n11 is TP; 90 items of each class, 90 predictions of each."""
    return [[n11, 90 - n11], [90 - n11, n11]]


def cells_2_9():
    for name, row in TABLE_2_9["rows"].items():
        for n11, printed in zip(TABLE_2_9["n11"], row, strict=True):
            yield name, n11, printed


def agrees_2_9(name, n11, printed):
    return rounds_to(gm.measure(MEASURES_2_9[name]).exact(with_margins_of_90(n11)), printed, decimals=2)


@pytest.mark.parametrize("name", MEASURES_2_9)
def test_every_cell_of_a_row_of_table_2_9_comes_out(name):
    wrong = [(n11, printed) for row, n11, printed in cells_2_9() if row == name and not agrees_2_9(name, n11, printed)]
    assert wrong == []


def test_all_162_cells_of_table_2_9_are_checked_and_agree():
    """18 measures times 9 columns."""
    assert set(TABLE_2_9["rows"]) == set(MEASURES_2_9)
    assert sum(agrees_2_9(*cell) for cell in cells_2_9()) == 162


def test_one_step_in_the_last_decimal_of_table_2_9_would_be_noticed_but_for_three_halves():
    """The comparison is sharp: only 0.875 and twice 0.125 lie half-way between two printed values."""
    step = Fraction(1, 100)
    blunt = {
        (name, n11)
        for name, n11, printed in cells_2_9()
        if agrees_2_9(name, n11, printed + step) or agrees_2_9(name, n11, printed - step)
    }
    assert blunt == {("SS1", 70), ("RT", 20), ("JACC", 20)}


@pytest.mark.parametrize(
    "names",
    [
        ("accuracy", "sba", "f1", "f_alpha(0.7)", "kulczynski_2", "ochiai"),
        ("mcc", "yule_y", "somers_d", "hamann", "kappa"),
        ("jaccard", "rogers_tanimoto"),
    ],
)
@pytest.mark.parametrize("n11", range(0, 91, 5))
def test_coefficients_that_table_2_9_shows_equal_are_equal_exactly(names, n11):
    """Section 2 and the conclusion: with equal margins some coefficients depend on n11 in the same way."""
    first, *others = (gm.measure(name).exact(with_margins_of_90(n11)) for name in names)
    assert all(other == first for other in others)


def test_yules_coefficients_of_1_do_not_make_the_correlation_1():
    """Erratum 28, after eq. 2.12: margins 90, 90, 60, 120 and n11 = 60."""
    matrix = [[90, 0], [30, 60]]
    assert gm.yule_q.exact(matrix) == 1
    assert gm.yule_y.exact(matrix) == 1
    assert gm.mcc.exact(matrix) ** 2 == Fraction(1, 2)
    assert round(gm.mcc(matrix), 3) == 0.707


def three_groups(diagonal, shift):
    """Three groups of three objects; every error of group i goes to group i + shift."""
    matrix = [[0] * 3 for _ in range(3)]
    for i, right in enumerate(diagonal):
        matrix[i][i] = right
        matrix[i][(i + shift) % 3] = 3 - right
    return matrix


def value_3_1(column, diagonal, shift=1):
    return gm.measure(MEASURES_3_1[column]).exact(three_groups(diagonal, shift))


def cells_3_1():
    for diagonal, *row in TABLE_3_1["rows"]:
        for column, printed in zip(TABLE_3_1["columns"], row, strict=True):
            yield tuple(diagonal), column, printed


def differing_cells_3_1(shift):
    return {
        (diagonal, column)
        for diagonal, column, printed in cells_3_1()
        if not rounds_to(value_3_1(column, diagonal, shift), printed, DECIMALS_3_1[column])
    }


@pytest.mark.parametrize("shift", [1, 2])
def test_table_3_1_comes_out_in_88_of_90_cells_and_differs_only_in_row_1_0_0(shift):
    """Erratum 26: Dif2 is 2² + 3² + 3² = 22, printed 23, and Dif2Norm with it."""
    assert len(list(cells_3_1())) == 90
    assert differing_cells_3_1(shift) == {((1, 0, 0), "Dif2"), ((1, 0, 0), "Dif2Norm")}


def test_row_1_0_0_of_table_3_1_is_22_and_0_185_where_23_and_0_148_are_printed():
    """Erratum 26: (27 − 22)/27 = 5/27; the printed pair is consistent in itself, (27 − 23)/27 = 0.148."""
    printed = {column: value for diagonal, column, value in cells_3_1() if diagonal == (1, 0, 0)}
    assert (printed["Dif2"], printed["Dif2Norm"]) == (23, Fraction("0.148"))
    assert value_3_1("Dif2", (1, 0, 0)) == 22
    assert value_3_1("Dif2Norm", (1, 0, 0)) == Fraction(5, 27)
    assert rounds_to(Fraction(5, 27), Fraction("0.185"), 3)


@pytest.mark.parametrize("column", MEASURES_3_1)
def test_where_the_errors_go_does_not_matter_to_table_3_1(column):
    for diagonal in all_diagonals():
        assert value_3_1(column, diagonal, shift=1) == value_3_1(column, diagonal, shift=2)


def all_diagonals():
    """Every way to get 0 … 3 of three groups of three right, largest first as the paper writes them."""
    return {tuple(sorted(x, reverse=True)) for x in combinations_with_replacement(range(4), 3)}


def printed_diagonals():
    return {diagonal for diagonal, _, _ in cells_3_1()}


def opposed(diagonals):
    """The pairs that RH and Dif2Norm put in opposite order."""
    ranked = [(x, value_3_1("RH", x), value_3_1("Dif2Norm", x)) for x in diagonals]
    return {
        frozenset((x, y))
        for (x, rh_x, dif_x), (y, rh_y, dif_y) in combinations(ranked, 2)
        if (rh_x < rh_y and dif_x > dif_y) or (rh_x > rh_y and dif_x < dif_y)
    }


def test_table_3_1_leaves_out_two_of_the_twenty_diagonals():
    """Erratum 26."""
    assert len(all_diagonals()) == 20
    assert all_diagonals() - printed_diagonals() == {(3, 1, 1), (3, 3, 1)}


def test_rh_and_dif2norm_never_oppose_each_other_in_the_printed_rows():
    """Section 3 after eq. 3.8: 'both measures give the same order'."""
    assert opposed(printed_diagonals()) == set()


def test_rh_and_dif2norm_oppose_each_other_twice_with_the_missing_rows():
    """Erratum 26: the same order is false."""
    pairs = {frozenset({(3, 3, 0), (3, 1, 1)}), frozenset({(3, 3, 1), (2, 2, 2)})}
    assert opposed(all_diagonals()) == pairs


def test_the_opposed_pairs_have_the_values_worked_out_by_hand():
    """RH: 2/3·3/4, 5/9·21/25, 7/9·45/49, 2/3·1; Dif2Norm: 18, 19, 23 and 24 of 27."""
    rh = [value_3_1("RH", x) for x in [(3, 3, 0), (3, 1, 1), (3, 3, 1), (2, 2, 2)]]
    dif2norm = [value_3_1("Dif2Norm", x) for x in [(3, 3, 0), (3, 1, 1), (3, 3, 1), (2, 2, 2)]]
    assert rh == [Fraction(1, 2), Fraction(7, 15), Fraction(5, 7), Fraction(2, 3)]
    assert dif2norm == [Fraction(18, 27), Fraction(19, 27), Fraction(23, 27), Fraction(24, 27)]


def test_rh_falls_when_an_error_of_a_small_group_is_corrected():
    """Remark 29, unequal groups: 1/2·1, then 502/1002 · 2·(1/3·2/3 + 2/3·1/3) = 502/1002 · 8/9."""
    before, after = gm.rh.exact([[500, 500], [1, 1]]), gm.rh.exact([[500, 500], [0, 2]])
    assert before == Fraction(1, 2)
    assert after == Fraction(502, 1002) * Fraction(8, 9)
    assert rounds_to(after, Fraction("0.445"), 3)
