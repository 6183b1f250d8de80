"""Opitz 2024: the matrices of Tables 2–4, 7 and 8, what Table 6 must satisfy in itself, and the errata."""

from __future__ import annotations

from fractions import Fraction

import pytest

import goodmeasure as gm
from tests.papers.printed import TABLES, rounds_to, transposed

TABLE_2 = transposed(TABLES["opitz2024:table2"]["predicted_by_true"])
TABLE_4 = transposed(TABLES["opitz2024:table4"]["predicted_by_true"])
TABLE_6 = TABLES["opitz2024:table6"]
TABLE_7 = transposed(TABLES["opitz2024:table7"]["predicted_by_true"])
TABLE_8 = transposed(TABLES["opitz2024:table8"]["predicted_by_true"])
SURVEY = TABLES["opitz2024:survey"]

SYSTEMS = {name: dict(zip(TABLE_6["columns"], row, strict=True)) for name, row in TABLE_6["rows"].items()}
HALF = Fraction(1, 20)  # what rounding to one decimal can hide


def macro_precision(matrix):
    return gm.measure("macro(precision)").exact(matrix)


def test_the_scaling_of_table_3_turns_table_2_into_table_4():
    """Eq. 5: class y occurs 15 times, then 30 times."""
    factors = TABLES["opitz2024:table3"]["lambda"]
    assert [[factor * x for x in row] for factor, row in zip(factors, TABLE_2, strict=True)] == TABLE_4
    assert (sum(TABLE_2[1]), sum(TABLE_4[1])) == (15, 30)


def test_macro_precision_of_tables_2_and_4_is_what_appendix_c_4_prints():
    assert macro_precision(TABLE_2) == Fraction(TABLES["opitz2024:table4"]["macP_table2"]) == Fraction(5, 8)
    assert macro_precision(TABLE_4) == Fraction(TABLES["opitz2024:table4"]["macP_table4"]) == Fraction(19, 30)


@pytest.mark.parametrize(
    "name", ["macro(recall)", "calibrated(macro(precision))", "calibrated(kappa)", "calibrated(mcc)"]
)
def test_prevalence_invariant_measures_do_not_tell_table_2_from_table_4(name):
    """PIV: macro recall has it, calibration gives it to all."""
    assert gm.measure(name).exact(TABLE_2) == gm.measure(name).exact(TABLE_4)


def test_table_7_has_no_agreement_beyond_chance():
    """Printed 0.0: n·Σc_ii = 56·12 = 672 and Σ a_i b_i = 11·53 + 44·2 + 1·1 = 672, so both are 0 exactly."""
    table = TABLES["opitz2024:table7"]
    assert gm.mcc.exact(TABLE_7) == 0 == table["MCC"]
    assert gm.kappa.exact(TABLE_7) == 0 == table["Kappa"]


def test_table_8_comes_out():
    """Printed 0.07 and 0.02."""
    table = TABLES["opitz2024:table8"]
    assert (table["MCC"], table["Kappa"]) == (Fraction("0.07"), Fraction("0.02"))
    assert rounds_to(gm.mcc.exact(TABLE_8), table["MCC"], 2)
    assert rounds_to(gm.kappa.exact(TABLE_8), table["Kappa"], 2)


def test_ten_errors_more_raise_mcc_and_kappa_from_table_7_to_table_8():
    """Appendix G.1: true y, predicted z, ten times; neither measure has PI."""
    assert [
        (i, j, TABLE_8[i][j] - TABLE_7[i][j]) for i in range(3) for j in range(3) if TABLE_8[i][j] != TABLE_7[i][j]
    ] == [(1, 2, 10)]
    assert gm.mcc.exact(TABLE_8) > gm.mcc.exact(TABLE_7)
    assert gm.kappa.exact(TABLE_8) > gm.kappa.exact(TABLE_7)


def test_ten_errors_more_lower_kappa_after_calibration():
    """Erratum 24: calibrated kappa gains PI, so Table 5 should say so."""
    calibrated = gm.calibrated(gm.kappa)
    assert calibrated.exact(TABLE_8) < calibrated.exact(TABLE_7)


@pytest.mark.parametrize("matrix", [TABLE_2, TABLE_4, TABLE_7, TABLE_8], ids=["2", "4", "7", "8"])
def test_calibrated_kappa_is_an_affine_map_of_macro_recall(matrix):
    """§4.7 (its n is the number of classes); erratum 24: hence PI and PIII after calibration."""
    chance = Fraction(1, len(matrix))
    recall = gm.measure("macro(recall)").exact(matrix)
    assert gm.calibrated(gm.kappa).exact(matrix) == (recall - chance) / (1 - chance)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("calibrated(macro(precision))", Fraction(2, 9), Fraction(1, 4)),
        ("calibrated(macro(f1))", Fraction(4, 15), Fraction(2, 7)),
        ("calibrated(macro_f1_of_means)", Fraction(4, 15), Fraction(2, 7)),
    ],
)
def test_calibration_lets_one_error_more_raise_a_measure_of_three_classes(name, before, after):
    """Remark 24: PI of macP, macF1 and macF1′ is lost; the error is true class 2, predicted 0."""
    assert gm.measure(name).exact([[0, 0, 1], [0, 1, 0], [1, 1, 0]]) == before
    assert gm.measure(name).exact([[0, 0, 1], [0, 1, 0], [2, 1, 0]]) == after


def test_the_stated_reason_for_mcc_over_kappa_is_false_and_the_inequality_holds():
    """Erratum 22, §4.7: p = (.6, .4), b = (.9, .1) has pᵀb = .58 > pᵀp = .52; still |MCC| ≥ |κ|."""
    cm = gm.ConfusionMatrix([[6, 0], [3, 1]])
    p, b = ([Fraction(int(x), 10) for x in sizes] for sizes in (cm.a, cm.b))
    assert sum(x * y for x, y in zip(p, b, strict=True)) == Fraction(58, 100) > sum(x * x for x in p)
    assert gm.mcc.exact(cm) >= gm.kappa.exact(cm) > 0


def matrices_of(n):
    """All 2×2 matrices of n items."""
    for tn in range(n + 1):
        for fp in range(n + 1 - tn):
            for fn in range(n + 1 - tn - fp):
                yield [[tn, fp], [fn, n - tn - fp - fn]]


@pytest.mark.parametrize("n", range(1, 8))
def test_mcc_is_at_least_as_far_from_zero_as_kappa_on_every_matrix_of_n_items(n):
    """§4.7, shown here for two classes; squares, so that no sign is involved."""
    assert all(gm.mcc.exact(matrix) ** 2 >= gm.kappa.exact(matrix) ** 2 for matrix in matrices_of(n))


def with_recalls(recalls):
    """Three classes of 100 items with these recalls in percent; each error goes to the next class."""
    matrix = [[Fraction(0)] * 3 for _ in recalls]
    for i, recall in enumerate(recalls):
        matrix[i][i], matrix[i][(i + 1) % 3] = Fraction(recall), 100 - Fraction(recall)
    return matrix


def can_be(printed, low, high):
    """Whether a value between low and high can be printed so, with one decimal."""
    return low <= printed + HALF and high >= printed - HALF


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("column", "name"),
    [
        ("macR", "macro(recall)"),
        ("GmacR", "macro(recall, p=0)"),
        ("HmacR", "macro(recall, p=-1)"),
        ("cal_Kappa", "calibrated(kappa)"),
    ],
)
def test_means_of_recalls_in_table_6_follow_from_the_printed_recalls(system, column, name):
    """All four increase with each recall, so recalls 0.05 lower and higher bound them."""
    recalls = [SYSTEMS[system][r] for r in ("r1", "r2", "r3")]
    low, high = (100 * gm.measure(name).exact(with_recalls([r + d for r in recalls])) for d in (-HALF, HALF))
    assert can_be(SYSTEMS[system][column], low, high)


@pytest.mark.parametrize("system", SYSTEMS)
def test_calibrated_kappa_in_table_6_follows_from_the_printed_macro_recall(system):
    """§4.7 with three classes: (macR − 1/3)/(1 − 1/3), in percent."""
    row = SYSTEMS[system]
    low, high = ((row["macR"] + d - Fraction(100, 3)) * Fraction(3, 2) for d in (-HALF, HALF))
    assert can_be(row["cal_Kappa"], low, high)


@pytest.mark.parametrize("system", SYSTEMS)
def test_macro_f1_of_means_in_table_6_follows_from_the_printed_means(system):
    """Eq. 11, which increases with both."""
    row = SYSTEMS[system]
    low, high = (harmonic_mean(row["macR"] + d, row["macP"] + d) for d in (-HALF, HALF))
    assert can_be(row["macF1p"], low, high)


def harmonic_mean(recall, precision):
    """By F1 of a matrix with this precision and this recall in percent: TP = PR, FN = P(100 − R), FP = R(100 − P)."""
    missed, false = precision * (100 - recall), recall * (100 - precision)
    return 100 * gm.f1.exact([[0, false], [missed, precision * recall]])


@pytest.mark.parametrize("system", SYSTEMS)
def test_mcc_is_never_below_kappa_in_table_6(system):
    """§4.7, before and after calibration."""
    row = SYSTEMS[system]
    assert row["MCC"] >= row["Kappa"]
    assert row["cal_MCC"] >= row["cal_Kappa"]


def test_an_error_of_0_2_in_any_mean_of_recalls_of_table_6_would_be_noticed():
    """The bounds are sharp enough to mean something: macR and its geometric and harmonic kin, all systems."""
    for row in SYSTEMS.values():
        recalls = [row[r] for r in ("r1", "r2", "r3")]
        for column, p in (("macR", 1), ("GmacR", 0), ("HmacR", -1)):
            mean = gm.macro(gm.recall, p=p)
            low, high = (100 * mean.exact(with_recalls([r + d for r in recalls])) for d in (-HALF, HALF))
            assert not can_be(row[column] + Fraction(1, 5), low, high)
            assert not can_be(row[column] - Fraction(1, 5), low, high)


def test_system_e_is_rank_5_by_the_table_and_by_macro_recall():
    """Erratum 25: §7.1 calls it rank 6; the task ranked by macro recall."""
    ahead = [name for name, row in SYSTEMS.items() if row["macR"] > SYSTEMS["E"]["macR"]]
    assert ahead == ["A", "B", "C", "D"]
    assert SYSTEMS["E"]["off_rank"] == len(ahead) + 1 == 5


def test_the_spread_of_recalls_is_what_section_7_1_prints():
    """Max. Δ is 5.8 for system E and 36.4 for system B."""
    spread = {name: max(recalls) - min(recalls) for name, recalls in recalls_by_system().items()}
    assert (spread["E"], spread["B"]) == (Fraction("5.8"), Fraction("36.4"))


def recalls_by_system():
    return {name: [row[r] for r in ("r1", "r2", "r3")] for name, row in SYSTEMS.items()}


def counts_that_print(percent, n):
    """The numbers of n papers whose share is printed so."""
    return [x for x in range(n + 1) if rounds_to(Fraction(100 * x, n), percent, 1)]


def test_no_number_of_42_papers_is_10_9_percent():
    """Erratum 25, §7.2: 5 of 42 is 11.9%, and with it the three kinds of argument make 42; 5 of 46 is 10.9%."""
    assert counts_that_print(SURVEY["sensible_pct"], SURVEY["n"]) == []
    assert counts_that_print(SURVEY["sensible_pct"], 46) == [5]
    weak, none = (counts_that_print(SURVEY[key], SURVEY["n"]) for key in ("weak_pct", "none_pct"))
    assert (weak, none) == ([6], [31])
    assert counts_that_print(Fraction("11.9"), SURVEY["n"]) == [SURVEY["n"] - 6 - 31]
