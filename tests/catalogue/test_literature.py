"""What the papers say: the tables are mapped without gaps, and the errata's witnesses hold exactly."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import permutations

import pytest

import goodmeasure as gm
from goodmeasure.catalogue import literature
from goodmeasure.catalogue.definitions.averaging import COMBINATORS
from goodmeasure.catalogue.literature import Remark, remarks
from goodmeasure.catalogue.references import bibliography
from goodmeasure.catalogue.register import entry_of


def exact(name, counts):
    return gm.measure(name).exact(counts)


def table_remark(measure, source, where):
    found = [x for x in remarks(measure) if (x.source, x.where) == (source, where)]
    assert len(found) == 1
    return found[0]


def all_errata():
    return [*literature.ERRATA.values(), *(erratum for *_, erratum in literature.SAYINGS if erratum)]


# The mapping


def test_every_row_of_table_2_is_mapped_to_something_that_exists():
    """No row without a measure, no measure without a row, and every name is the canonical one."""
    assert set(literature.TABLE_2) == set(literature.tables()["goesgens2021:table2"]["rows"])
    for name in literature.TABLE_2.values():
        assert name in COMBINATORS or entry_of(name).name == name


def test_every_row_of_table_5_is_mapped_to_measures_that_exist():
    """No row without a measure, no measure without a row, and every name is the canonical one."""
    assert set(literature.TABLE_5) == set(literature.tables()["opitz2024:table5"]["rows"])
    for names in literature.TABLE_5.values():
        assert [gm.measure(name).name for name in names] == list(names)


def test_every_column_of_both_tables_has_words():
    """Otherwise a property would be a bare abbreviation, or an error."""
    assert list(literature.PROPERTIES) == literature.tables()["goesgens2021:table2"]["columns"]
    assert list(literature.EXPECTATIONS) == literature.tables()["opitz2024:table5"]["columns"]


def test_every_name_in_the_hand_written_data_is_in_the_catalogue():
    """A renamed measure must not lose its remarks in silence."""
    spoken = {name for _, _, names, _, _ in literature.SAYINGS for name in names}
    spoken |= set(literature.FAILED) | {name for _, name in literature.ERRATA}
    for name in spoken:
        assert name in COMBINATORS or (entry_of(name) or gm.measure(name)).name == name


def test_every_erratum_of_a_table_belongs_to_a_row_of_it():
    """An erratum that no row picks up would never be shown."""
    rows = {
        literature.GOESGENS: set(literature.TABLE_2.values()),
        literature.OPITZ: {name for names in literature.TABLE_5.values() for name in names},
        literature.SEBASTIANI: set(literature.FAILED),
    }
    assert all(name in rows[source] for source, name in literature.ERRATA)


def test_every_source_is_in_the_bibliography():
    """A reader must be able to look it up."""
    assert set(literature.PAPERS) <= set(bibliography())
    assert {source for source, *_ in literature.SAYINGS} <= set(literature.PAPERS)


@pytest.mark.parametrize("measure", gm.measures(), ids=repr)
def test_no_remark_comes_twice_and_none_is_empty(measure):
    """For every measure of the catalogue."""
    found = remarks(measure)
    assert len(found) == len(set(found))
    assert all(x.text and x.where and x.erratum != "" for x in found)


# The words


def test_f1_is_monotone_as_printed_and_the_erratum_says_it_is_not():
    """Both what Table 2 prints and what is right."""
    remark = table_remark(gm.f1, "goesgens2021", "Table 2")
    assert remark.text == (
        "has: maximal agreement, symmetry, monotonicity; lacks: minimal agreement, class symmetry, distance, "
        "strong monotonicity, constant baseline, approximate constant baseline"
    )
    assert remark.erratum.startswith("not monotone")
    assert "[[1,2],[1,0]] → [[2,1],[1,0]]" in remark.erratum


def test_kappa_is_monotone_for_two_classes_only():
    """The cell of Table 2 with both signs."""
    assert "has only for two classes: monotonicity" in table_remark(gm.kappa, "goesgens2021", "Table 2").text


def test_a_generalized_mean_has_the_row_of_its_family_if_its_exponent_is_finite():
    """Definition 10 speaks of real r."""
    assert "lacks: distance" in table_remark(gm.generalized_mean(r=3), "goesgens2021", "Table 2").text
    assert remarks(gm.measure("generalized_mean(r=inf)")) == []


def test_an_average_says_what_it_keeps():
    """The lower part of Table 2, for any measure that is averaged, arithmetically."""
    text = table_remark(gm.micro(gm.jaccard), "goesgens2021", "Table 2").text
    assert text.startswith("averaging preserves, if the binary measure has it: maximal agreement, class symmetry")
    assert text.endswith("constant baseline, approximate constant baseline")
    assert not [x for x in remarks(gm.macro(gm.recall, p=0)) if x.source == "goesgens2021"]


def test_table_5_names_the_five_expectations_in_words():
    """macro(recall) has all five."""
    text = table_remark(gm.macro(gm.recall), "opitz2024", "Table 5").text
    assert text.startswith("has: PI monotonicity (")
    assert "lacks" not in text
    assert "every chance classifier gets 1/m" in text


def test_calibration_brings_what_table_5_prints_in_brackets():
    """Accuracy gains four; kappa's two missing ones are an erratum, before and after calibration."""
    text = table_remark(gm.calibrated(gm.accuracy), "opitz2024", "Table 5").text
    brought = text.partition(";")[0]
    assert brought.startswith("has by calibration: ")
    assert all(x in brought for x in ("PII ", "PIII ", "PIV ", "PV "))
    for measure in (gm.kappa, gm.calibrated(gm.kappa)):
        assert "PI and PIII" in table_remark(measure, "opitz2024", "Table 5").erratum


def test_k_has_all_eight_axioms_and_f1_fails_five():
    """Sebastiani's Properties 5.1–5.8 and 4.1–4.5; a fault is named for accuracy in IMB alone."""
    (k,) = [x for x in remarks(gm.k) if x.source == "sebastiani2015"]
    assert k.text.startswith("has all eight axioms")
    failed = re.findall(r"\((\w+)\)", next(x.text for x in remarks(gm.f1) if x.text.startswith("fails")))
    assert failed == ["MON", "CON", "CHA", "IMB", "SYM"]
    assert Remark("sebastiani2015", "Property 4.10", "fails: robustness to imbalance (IMB)") in remarks(gm.accuracy)


def test_the_papers_say_nothing_about_a_users_own_measure():
    """Not even if it has the name of another."""

    def f1(c):
        return c.tp

    assert remarks(gm.Measure(f1, "f1", key=f1)) == []


# The witnesses

MOVE = re.compile(r"(\[\[[\d,\[\]]+\]\]) → (\[\[[\d,\[\]]+\]\]), (both \S+|\S+ → \S+)")


def moves(erratum):
    """The pairs of matrices of an erratum, with the values it claims for them."""
    for before, after, claim in MOVE.findall(erratum):
        values = claim.rstrip(";").replace(",", "").removeprefix("both ").split(" → ")
        yield json.loads(before), json.loads(after), Fraction(values[0]), Fraction(values[-1])


@pytest.mark.parametrize(
    ("key", "measure", "count"),
    [("f1", "f1", 1), ("jaccard", "jaccard", 1), ("balanced_accuracy", "balanced_accuracy", 2), ("sba", "sba", 1),
     ("weighted", "weighted(sba)", 1)],
)  # fmt: skip
def test_the_witnesses_against_table_2_are_exact(key, measure, count):
    """A better matrix with no better value, as the erratum's own text has it."""
    found = list(moves(literature.ERRATA["goesgens2021", key]))
    assert len(found) == count
    for before, after, value_before, value_after in found:
        assert exact(measure, before) == value_before
        assert exact(measure, after) == value_after
        assert value_after <= value_before


def test_every_move_in_the_errata_is_recomputed_here():
    """Six against Table 2 (f1 and jaccard share one) and one for strong monotonicity of a weighted average."""
    assert sum(len(list(moves(erratum))) for erratum in all_errata()) == 7


def test_confusion_entropy_is_best_on_a_matrix_without_hits():
    """[[0,3],[0,0]]: three items, all wrong, one class empty."""
    assert exact("confusion_entropy", [[0, 3], [0, 0]]) == gm.confusion_entropy.best_value == 0


def test_the_weighted_average_breaks_strong_monotonicity_on_the_matrices_named():
    """An error less, and TP + TN − FP − FN, weighted, falls from 1/2 to 1/3."""
    erratum = next(x[4] for x in literature.SAYINGS if x[1:3] == ("Appendix C.6", ("weighted",)))
    balance = gm.weighted(lambda c: c.tp + c.tn - c.fp - c.fn)
    ((before, after, value_before, value_after),) = moves(erratum)
    assert (balance.exact(before), balance.exact(after)) == (value_before, value_after)
    assert value_after < value_before


@pytest.mark.parametrize("counts", [[[1, 2, 0], [0, 1, 1], [1, 0, 0]], [[1, 0, 0, 1], [0] * 4, [0, 2, 1, 0], [0] * 4]])
def test_the_micro_average_of_the_balance_is_as_corrected(counts):
    """n(m − 4) + 4r, not n·m."""
    n, m, r = sum(map(sum, counts)), len(counts), sum(counts[i][i] for i in range(len(counts)))
    assert gm.micro(lambda c: c.tp + c.tn - c.fp - c.fn).exact(counts) == n * (m - 4) + 4 * r != n * m


def test_sba_averages_17_54_where_the_baseline_should_be_a_third():
    """True sizes 2, 1, 0 and predicted sizes 1, 1, 1: the six labelings are equally likely."""
    total = Fraction(0)
    for predicted in permutations(range(3)):
        counts = [[0] * 3 for _ in range(3)]
        for i, j in zip((0, 0, 1), predicted, strict=True):
            counts[i][j] += 1
        total += exact("sba", counts)
    assert total / 6 == Fraction(17, 54)


def test_the_correlation_distance_of_no_correlation_is_a_half():
    """The first term of the series in Appendix D.2 is 1/2, not π/2."""
    assert exact("correlation_distance", [[1, 1], [1, 1]]) == Fraction(1, 2)


@pytest.mark.parametrize(("present", "value"), [(range(5), "11/30"), ([2], "1/4"), ([0], "3/8")])
def test_chance_gets_three_values_of_ordinal_k(present, value):
    """Linear in the cells, so its expectation is its value where every class is predicted equally often."""
    counts = [[int(i in present)] * 5 for i in range(5)]
    assert exact("k_ordinal('absolute')", counts) == Fraction(value)
    assert value in literature.ERRATA["sebastiani2015", "k_ordinal"]


def test_the_numbers_given_for_f1_are_right():
    """The acceptor at prevalence 0.01: 2·1/(2·1 + 99); chance with 100 positives, by TP = 0 … 100."""
    assert exact("f1", [[0, 99], [0, 1]]) == Fraction(2, 101)
    assert round(2 / 101, 4) == 0.0198
    values = [exact("f1", [[0, 0], [100 - tp, tp]]) for tp in range(101)]
    assert round(float(sum(values, Fraction(0)) / 101), 5) == 0.61257


def test_yules_coefficients_are_1_where_the_correlation_is_not():
    """Margins 90, 90 and 60, 120 with 60 hits: mcc is 5400/√(90·90·60·120) = 1/√2."""
    counts = [[90, 0], [30, 60]]
    assert exact("yule_q", counts) == exact("yule_y", counts) == 1
    assert gm.mcc(counts) == pytest.approx(0.5**0.5, abs=1e-15)


def groups_of_three(*hits):
    """Three groups of three objects: the hits on the diagonal, the misses beside it."""
    return [[h if j == i else (3 - h) * (j == (i + 1) % 3) for j in range(3)] for i, h in enumerate(hits)]


def test_rh_and_dif2norm_order_the_missing_rows_differently():
    """(3,3,0) against (3,1,1), and (3,3,1) against (2,2,2)."""
    for preferred, other in (((3, 3, 0), (3, 1, 1)), ((3, 3, 1), (2, 2, 2))):
        assert exact("rh", groups_of_three(*preferred)) > exact("rh", groups_of_three(*other))
        assert exact("dif2norm", groups_of_three(*preferred)) < exact("dif2norm", groups_of_three(*other))


def test_the_second_row_of_table_3_1_is_as_corrected():
    """Diagonal 1,0,0: 2² + 3² + 3² = 22, and (27 − 22)/27 = 0.185."""
    assert exact("dif2", groups_of_three(1, 0, 0)) == 22
    assert exact("dif2norm", groups_of_three(1, 0, 0)) == Fraction(5, 27)
    assert round(5 / 27, 3) == 0.185


def test_calibrated_kappa_is_macro_recall_shifted_and_scaled():
    """(macro recall − 1/3)/(1 − 1/3) with three classes, so it is as monotone and decomposable."""
    counts = [[2, 1, 0], [0, 3, 1], [1, 0, 1]]
    assert exact("calibrated(kappa)", counts) == (exact("macro(recall)", counts) - Fraction(1, 3)) / Fraction(2, 3)
