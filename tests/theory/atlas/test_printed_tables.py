"""The papers' tables of properties against the atlas: what differs is what is known to be wrong."""

from __future__ import annotations

import pytest

import goodmeasure as gm
from goodmeasure.language.exact.reals import Exact
from goodmeasure.theory.atlas.printed_tables import CALIBRATED_ALIKE, COMPARISONS, compare
from tests.replay import replayed


def differing(table):
    return {(x.row, x.column) for x in compare(table) if not x.agrees}


def test_table_2_of_goesgens2021():
    """117 cells; the errors are those that were found by hand, with their scope."""
    cells = {(x.row, x.column): x for x in compare("goesgens2021:table2")}
    assert len(cells) == 13 * 9
    assert differing("goesgens2021:table2") == {
        ("F1(binary)", "Mon"),
        ("J(binary)", "Mon"),
        ("BA", "Mon"),
        ("BA", "SMon"),
        ("SBA", "SMon"),
        ("CE", "Max"),
        ("Weighted", "Mon"),
    }
    assert cells["CE", "Max"].remark == "only where a class may be absent"
    assert cells["SBA", "SMon"].remark == "only for three or more classes"
    assert cells["BA", "Mon"].remark == "only for three or more classes"
    for cell in cells.values():
        for _, known in cell.evidence if not cell.agrees else ():
            if getattr(known, "witness", None) is not None:
                assert replayed(known.witness.replay) is False


def test_no_measure_of_table_2_is_left_open_for_three_classes():
    """Of the 63 cells of multiclass measures 26 are refuted and 37 proved, three of them against the print."""
    rows = {"CC", "Acc", "BA", "kappa", "CE", "SBA", "CD"}
    three = [
        known.status
        for cell in compare("goesgens2021:table2")
        if cell.row in rows
        for about, known in cell.known
        if about == "m = 3, regular"
    ]
    assert (three.count("refuted"), three.count("proved"), three.count("held")) == (26, 37, 0)


def test_table_5_of_opitz2024():
    assert differing("opitz2024:table5") == {("Kappa", "PI"), ("Kappa", "PIII")}
    remarks = {(x.row, x.column) for x in compare("opitz2024:table5") if "calibration costs it" in x.remark}
    assert remarks == {("macP", "PI"), ("macF1", "PI"), ("macF1p", "PI")}


@pytest.mark.parametrize(("name", "alike"), CALIBRATED_ALIKE.items())
def test_measures_that_calibration_makes_alike(name, alike):
    """Exactly equal on calibrated counts, up to a shift and a scale for kappa."""
    for rows in ([[3, 1, 0], [2, 5, 1], [0, 4, 7]], [[1, 1, 1], [0, 2, 1], [1, 0, 9]]):
        one, two = (gm.calibrated(x).exact(rows) for x in (name, alike))
        if name == "kappa":
            two = (two - Exact.of(1) / 3) / (Exact.of(2) / 3)
        assert one == two


def test_cells_that_depend_on_the_domain_are_marked():
    """Printed ✓ holds where every class occurs; on all matrices an exact counterexample refutes it."""
    marked = {(x.row, x.column): x for x in compare("goesgens2021:table2") if x.depends and x.agrees}
    assert set(marked) == {
        *((row, column) for row in ("BA", "SBA", "Macro", "Weighted") for column in ("CB", "ACB")),
        ("Macro", "Mon"),
    }  # fmt: skip
    for x in marked.values():
        assert x.ours.endswith("*")
        assert "may be absent" in x.remark
    assert marked["BA", "CB"].remark == "lost where some of three classes may be absent"


@pytest.mark.parametrize("name", ["balanced_accuracy", "sba"])
def test_check_refutes_the_baselines_of_marked_measures_where_classes_may_be_absent(name):
    found = gm.check(name, classes=3, domain="all", properties=["CB", "ACB"])
    assert [(found[x].status, found[x].n) for x in ("CB", "ACB")] == [("refuted", 2)] * 2


def test_kappa_gets_two_properties_by_calibration_as_section_4_7_says():
    """Table 5 prints ✗ for both; the evidence is the proof after calibration, and that it is macro recall then."""
    for cell in compare("opitz2024:table5"):
        if (cell.row, cell.column) in {("Kappa", "PI"), ("Kappa", "PIII")}:
            assert [known.status for _, known in cell.evidence] == ["proved"]
            assert "macro(recall), shifted and scaled" in cell.remark


def test_the_axioms_of_sebastiani2015():
    """K has all eight for two and three classes; with costs it lacks CHA, and SYM unless the costs are renamed too."""
    cells = compare("sebastiani2015:properties")
    assert len(cells) == 2 * 8 + 3 * 8 + 17
    assert [x.agrees for x in cells if x.row.startswith("k,")] == [True] * 16
    costly = [x for x in cells if x.row.startswith("k_")]
    assert {x.column for x in costly if not x.agrees} == {"CHA", "SYM"}
    assert {x.row for x in cells if not x.agrees} == {x.row for x in costly}
    assert all("renamed together" in x.remark for x in costly if x.column == "SYM")


def test_costs_that_are_renamed_with_the_classes_change_nothing():
    costs, rows = [[0, 1, 4], [2, 0, 1], [5, 1, 0]], [[3, 1, 0], [2, 5, 1], [0, 4, 7]]
    for order in ((1, 0, 2), (2, 0, 1), (2, 1, 0)):
        renamed, moved = ([[x[i][j] for j in order] for i in order] for x in (costs, rows))
        assert gm.k_cost(renamed).exact(moved) == gm.k_cost(costs).exact(rows)


def test_an_unknown_table_is_named():
    with pytest.raises(ValueError, match="use one of goesgens2021:table2"):
        compare("goesgens2021:table77")
    assert set(COMPARISONS) == {"goesgens2021:table2", "opitz2024:table5", "sebastiani2015:properties"}
