"""The papers' figures as pages and drawings, and what can be checked of them."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import pytest

import goodmeasure as gm
from goodmeasure.papers import goesgens2021_appendix_c, opitz2024
from goodmeasure.papers.drawing import page, specification, svg
from goodmeasure.papers.figures import Curves, HeatMap, PanelLine
from goodmeasure.papers.paper_tables import tables
from tests.cli.command import call
from tests.papers.shared import DATA, needs

FIGURES = sorted(key for key in tables() if ":figure" in key)
FREE = [key for key in FIGURES if tables()[key].needs is None]


def test_every_figure_of_the_papers_that_shows_numbers_is_there():
    assert {x.partition(":")[0] for x in FIGURES} == {"goesgens2021-appendix", "opitz2024", "rh-dif2norm"}
    assert len(FIGURES) == 7


@pytest.mark.parametrize("key", FREE)
def test_a_figure_is_drawn(key, tmp_path):
    """A drawing that names each line, or each row of cells."""
    pytest.importorskip("matplotlib")
    path = tmp_path / "figure.svg"
    assert call("reproduce", key, "--out", path).exit_code == 0
    assert ET.parse(path).getroot().tag.endswith("svg")
    figure = tables()[key].reproduced(None).figure
    names = figure.names if isinstance(figure, HeatMap) else [x.name for x in figure.curves]
    text = path.read_text(encoding="utf-8")
    assert all(f">{name}<" in text for name in names)


def test_a_figure_is_drawn_alike_each_time():
    pytest.importorskip("matplotlib")
    curves = Curves(
        "x", (PanelLine("p", "a", [0, 1, 2], [0.0, 1.0, 0.5]), PanelLine("q", "a", [0, 1, 2], [1.0, 0.2, 0.1]))
    )
    assert svg(curves) == svg(curves)


@needs("meteo")
def test_the_rain_figure_has_a_panel_for_each_measure_and_a_curve_for_each_horizon(tmp_path):
    path = tmp_path / "rain.html"
    done = call("reproduce", "goesgens2021-appendix:figure1", "--data", DATA, "--out", path)
    assert done.exit_code == 0
    figure = tables()["goesgens2021-appendix:figure1"].reproduced(DATA).figure
    assert figure.panels == ["Acc", "BA", "F1", "kappa", "CE", "GM1", "CC", "SBA"]
    assert {x.name for x in figure.curves} == {"10min", "2h"}
    assert {len(x.y) for x in figure.curves} == {6}


def test_a_page_holds_the_figure_its_numbers_and_its_notes(tmp_path):
    path = tmp_path / "page.html"
    assert call("reproduce", "rh-dif2norm:figure2.4", "--out", path).exit_code == 0
    text = path.read_text(encoding="utf-8")
    assert "vega-lite" in text
    assert "coefficients of 1 do not make the correlation 1" in text
    assert "0.707" in text


def test_a_table_can_be_written_as_a_page_too(tmp_path):
    path = tmp_path / "page.html"
    assert call("reproduce", "opitz2024:survey", "--out", path).exit_code == 0
    assert "10.9 | no number of papers ←" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "key", "says"),
    [
        ("x.svg", "rh-dif2norm:table2.9", "0 figures to draw"),
        ("x.svg", "rh-dif2norm", "5 figures to draw"),
        ("x.png", "rh-dif2norm:figure2.1", "ends in .html or .svg"),
    ],
)
def test_what_cannot_be_drawn_is_said_and_no_file_is_left(tmp_path, name, key, says):
    done = call("reproduce", key, "--out", tmp_path / name)
    assert done.exit_code == 2
    assert says in done.err
    assert not list(tmp_path.iterdir())


def test_specifications_are_plain_data():
    curves = Curves("x", (PanelLine("p", "a", [0, 1], [0.0, 1.0]), PanelLine("p", "b", [0, 1], [1.0, float("nan")])))
    for figure in (curves, HeatMap(("a", "b"), ((1.0, -0.5), (-0.5, 1.0)))):
        json.dumps(specification(figure), allow_nan=False)
    pytest.importorskip("matplotlib")
    assert re.match(r"<\?xml", svg(curves))
    assert page([(tables()["opitz2024:table2"], tables()["opitz2024:table2"].reproduced(None))]).sections


def test_the_complete_agreements_of_opitz_are_linear_functions():
    """§7.1: macro recall, calibrated accuracy and calibrated kappa; macro F1 and weighted F1 after calibration."""
    found = [x for x in opitz2024.figure_1().cells if x.row == "any systems"]
    assert [(x.printed, x.ours) for x in found] == [("100", "100")] * 4
    rows = [[5, 2, 1], [0, 3, 3], [1, 1, 7]]
    assert gm.calibrated(gm.kappa).exact(rows) == (3 * gm.macro(gm.recall).exact(rows) - 1) / 2
    assert opitz2024._always_alike("accuracy", "kappa") == ("they differ", False)
    assert opitz2024._always_alike("accuracy", "zero_one_loss") == ("they differ", False)


def test_the_correlations_of_the_eight_systems_are_ranks_of_table_6():
    """By accuracy A … H are 5, 3, 2, 4, 1, 6, 8, 7, by macro recall 1½, 1½, 3, …, 8.

    The squared differences add up to 33.5 and the squared deviations to 42 and 41.5: 50/(2·√(42·41.5)) = 0.599.
    """
    cells = {(x.row, x.column): x.ours for x in opitz2024.figure_1().cells}
    assert cells["Acc", "macR"] == "60"
    assert len(cells) == 4 + 17 * 16 // 2


def test_the_examples_of_appendix_c_come_out_but_for_the_micro_average():
    found = goesgens2021_appendix_c.examples()
    assert len(found.cells) == 15
    (wrong,) = found.differing
    assert "micro" in wrong.row
    assert "n(m − 4) + 4r" in wrong.why
    assert "1/2 → 1/3" in found.notes[-1]


def test_a_changed_example_of_appendix_c_would_be_noticed(monkeypatch):
    printed = goesgens2021_appendix_c.printed_tables()
    changed = {**printed["goesgens2021-appendix:C_examples"], "CC_C2": [[[0, 1, 0], [1, 0, 1], [0, 1, 0]], -0.5]}
    tables = {**printed, "goesgens2021-appendix:C_examples": changed}
    monkeypatch.setattr(goesgens2021_appendix_c, "printed_tables", lambda: tables)
    assert any(not x.why for x in goesgens2021_appendix_c.examples().differing)
