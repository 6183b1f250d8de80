"""Slices at a glance: the leading measure of all systems, the gaps that matter, and everything else folded."""

from __future__ import annotations

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.report.content.evaluation import body
from goodmeasure.report.content.screen import evaluation_screen
from goodmeasure.report.content.slices import lead_grid, slice_findings, spread_grids
from goodmeasure.report.document import Grid, Sentences

MEASURES = ["accuracy", "mcc", "macro(f1)", "kappa", "recall", "precision"]


@pytest.fixture(scope="module")
def result():
    """Two systems on two sites; B is much worse on the second one, and A on neither."""
    rng = np.random.default_rng(3)
    true, site = rng.random(800) < 0.5, np.repeat(["x", "y"], 400)
    right = {"A": np.full(800, 0.95), "B": np.where(site == "x", 0.97, 0.55)}
    found = {name: np.where(rng.random(800) < share, true, ~true) for name, share in right.items()}
    return gm.evaluate(true, found, by={"site": site}, measures=MEASURES, replicates=200)


def alone(result, system):
    """The same with one system."""
    matrices = {part.slice: part.matrix for part in result.parts if part.system == system}
    items = [(x, m.labels[i], m.labels[j]) for x, m in matrices.items() if x is not None
             for i in range(2) for j in range(2) for _ in range(int(m.counts[i, j]))]  # fmt: skip
    sites, true, found = zip(*items, strict=True)
    sites = [x[0] if isinstance(x, tuple) else x for x in sites]
    return gm.evaluate(list(true), {system: list(found)}, by={"site": sites}, measures=MEASURES, replicates=200)


def test_the_leading_measure_of_every_system_is_shown_by_slice(result):
    grid = lead_grid(result)
    assert grid.columns == ("slice", "items", "A", "B")
    assert grid.caption.startswith("MCC by slice")
    assert [row[0].text for row in grid.rows] == ["all", "site = x", "site = y"]
    assert [row[1].text for row in grid.rows] == ["800", "400", "400"]
    assert grid.rows[2][3].value == pytest.approx(result.value("mcc", "B", slice="y"))
    assert "≠" in grid.rows[2][3].sign
    assert "≠" not in grid.rows[2][2].sign


def test_one_system_shows_its_headline_numbers_by_slice(result):
    grid = lead_grid(alone(result, "B"))
    assert grid.columns == ("slice", "items", "MCC", "Recall", "Precision", "Accuracy")
    assert grid.caption.startswith("Headline numbers by slice")


def test_a_significant_gap_of_the_best_system_is_told_on_the_first_screen(result):
    assert slice_findings(result) == []  # A is the best, and as good on both sites
    (said,) = slice_findings(alone(result, "B"))
    assert said.startswith("MCC differs significantly by site (p ")
    assert "(site = y) to 0.9" in said
    first = body(alone(result, "B")).section("summary")
    assert said in next(x for x in first.blocks if isinstance(x, Sentences)).lines


def test_gaps_of_other_measures_and_tables_of_every_measure_are_folded(result):
    lead, others = spread_grids(result)
    assert {row[0].text for row in lead.rows} == {"MCC"}
    assert "MCC" not in {row[0].text for row in others.rows}
    assert (lead.folded, others.folded) == (False, True)
    grids = [x for x in body(result).section("slices").blocks if isinstance(x, Grid)]
    assert [x.caption.partition(":")[0].partition(";")[0] for x in grids if not x.folded] == [
        "MCC by slice", "The gap between slices",
    ]  # fmt: skip
    assert {x.caption.partition(":")[0] for x in grids if x.folded} >= {"A", "B"}


def test_a_terminal_shows_the_slices_at_a_glance(result):
    shown = evaluation_screen(result, "elsewhere").section("slices").blocks
    assert [type(x) for x in shown] == [Grid, Grid, Sentences]
    assert shown[-1].lines[-1] == "… every measure by slice: elsewhere"
