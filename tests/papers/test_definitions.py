"""Tables of formulas and notation come out in every cell, and a formula that is wrong is noticed."""

from __future__ import annotations

import pytest

from goodmeasure.papers import definitions
from goodmeasure.papers.paper_tables import tables

KEYS = ["goesgens2021:table1", "goesgens2021-appendix:table7", "goesgens2021-appendix:table8",
        "sebastiani2015:reuters", "opitz2024:f1_bound"]  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_every_cell_agrees(key):
    found = tables()[key].reproduced(None)
    assert found.cells
    assert found.differing == []


def test_a_wrong_formula_is_a_cell_that_differs(monkeypatch):
    row, m, _, formula = definitions._TABLE_1[0]
    monkeypatch.setattr(definitions, "_TABLE_1", ((row, m, "jaccard", formula),))
    (cell,) = definitions.table_1().cells
    assert (cell.printed, cell.agrees) == ("217 of 217", False)
