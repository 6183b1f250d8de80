"""The papers' tables of properties against the atlas: what differs is what is known to be wrong."""

from __future__ import annotations

import pytest

import goodmeasure as gm
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
            two = (two - gm.Exact.of(1) / 3) / (gm.Exact.of(2) / 3)
        assert one == two


def test_the_axioms_of_sebastiani2015():
    assert differing("sebastiani2015:properties") == set()
    k = [x for x in compare("sebastiani2015:properties") if x.row.startswith("k ")]
    assert len(k) == 8


def test_an_unknown_table_is_named():
    with pytest.raises(ValueError, match="use one of goesgens2021:table2"):
        compare("goesgens2021:table77")
    assert set(COMPARISONS) == {"goesgens2021:table2", "opitz2024:table5", "sebastiani2015:properties"}
