"""Charts as specifications and as figures hold the values of the result."""

from __future__ import annotations

import json

import numpy as np
import pytest
import vl_convert

import goodmeasure as gm
from goodmeasure.report.charts.scorecard import FEW
from goodmeasure.report.content.confusion_tables import best_matrix, confusion_sections
from goodmeasure.report.document import Chart
from tests.report.formats.test_formats import HOSTILE, result_of


@pytest.fixture(scope="module")
def result():
    return result_of(["ham", "spam", "eggs"])


@pytest.mark.parametrize("name", ["measures", "classes", "confusion", "ranks"])
@pytest.mark.parametrize("labels", [["ham", "spam", "eggs"], HOSTILE])
def test_every_specification_is_valid_and_draws(name, labels):
    spec = result_of(labels).chart(name)
    json.dumps(spec, allow_nan=False)
    assert vl_convert.vegalite_to_svg(dict(spec)).startswith("<svg")
    assert spec["description"]


def test_a_specification_holds_the_values(result):
    rows = result.chart("measures", "A")["data"]["values"]
    assert {row["name"]: row["value"] for row in rows} == {
        row.measure: row.value for row in result.part("A").rows if row.label is None
    }
    rows = result.chart("confusion", "A")["data"]["values"]
    assert [row["count"] for row in rows] == result.matrix("A").counts.tolist()
    ranks = {(x["measure"], x["system"]): x["rank"] for x in result.chart("ranks")["data"]["values"]}
    assert ranks["MCC", "<i>B</i>"] == 1
    assert ranks["MCC", "A"] == 2


def test_notebooks_draw_a_chart_and_show_tables(result):
    bundle = result.chart("ranks")._repr_mimebundle_()
    assert "application/vnd.vegalite.v5+json" in bundle
    shown = result._repr_html_()
    assert "<script" not in shown
    assert "&lt;i&gt;B" in shown
    assert f"{result.value('mcc'):.3f}" in shown


def test_charts_that_cannot_be_drawn_say_why():
    one = gm.evaluate([0, 1, 1], [0, 1, 0])
    with pytest.raises(ValueError, match="'pie' is not a chart: use 'measures'"):
        one.chart("pie")
    with pytest.raises(ValueError, match="it needs several systems"):
        one.chart("ranks")


def test_figures_hold_the_values(result):
    pytest.importorskip("matplotlib")
    axes = result.plot.confusion("A")
    assert sorted(int(text.get_text()) for text in axes.texts) == sorted(result.matrix("A").counts.ravel().tolist())
    assert [x.get_text() for x in axes.get_yticklabels()] == ["eggs", "ham", "spam"]
    by_row = result.plot.confusion("A", by="row")
    assert all(text.get_text().endswith("%") for text in by_row.texts)
    assert result.plot.measures("A", ax=axes) is axes
    recalls = result.plot.classes("recall", "A")
    assert recalls.get_xlabel() == "recall"
    assert len(result.plot.ranks().lines) == 2
    with pytest.raises(ValueError, match="by is 'cell'"):
        result.plot.confusion(by="cell")
    with pytest.raises(ValueError, match="no values of 'mcc' by class"):
        result.plot.classes("mcc")


def test_figures_show_names_as_they_are():
    """Neither left out for a line in front, nor set as a formula for dollars, nor as long as they like."""
    pytest.importorskip("matplotlib")
    true = [0, 1] * 20
    names = ("_private", "$x_1$", r"$\bad{", "x" * 10_000)
    systems = {name: [1, *true[1:]] if k % 2 else true for k, name in enumerate(names)}
    result, compared = gm.evaluate(true, systems, measures=["mcc", "f1"]), gm.compare(true, systems, replicates=20)
    shown = ["_private", "$x_1$", r"$\bad{", "x" * 40 + "…"]
    for axes in (result.plot.ranks(), result.plot.prevalence(), compared.plot.ranks()):
        axes.figure.canvas.draw()
        assert [x.get_text() for x in axes.get_legend().get_texts()] == shown
    axes = compared.plot.differences("mcc")
    axes.figure.canvas.draw()
    assert {x.get_text() for x in axes.get_yticklabels()} < set(shown)


def test_systems_that_share_a_rank_are_both_seen_in_a_figure():
    pytest.importorskip("matplotlib")
    lines = gm.evaluate([0, 1], {"A": [0, 1], "B": [0, 1]}, measures=["mcc", "f1"]).plot.ranks().lines
    assert list(lines[0].get_ydata()) != list(lines[1].get_ydata())


def test_chance_below_zero_lies_within_the_axis():
    rng = np.random.default_rng(0)
    true = rng.integers(0, 10, 300)
    result = gm.evaluate(true, np.where(rng.random(300) < 0.9, true, 0), measures=["hamann", "accuracy"])
    spec = result.chart("measures")
    level = min(row["chance"] for row in spec["data"]["values"])
    assert level < 0
    assert all(layer["encoding"]["x"]["scale"]["domain"] == [level, 1] for layer in spec["layer"])


@pytest.mark.parametrize("systems", [2, 3, 4, 5])
def test_the_section_on_confusions_shows_the_matrix_of_every_other_system(systems):
    """With many classes, the first screen has the heat map of the best system, and the section those of the others."""
    rng = np.random.default_rng(1)
    true = np.arange(900) % 30
    guessed = {
        f"s{k}": np.where(rng.random(900) < 0.9 - k / 10, true, rng.integers(0, 30, 900)) for k in range(systems)
    }
    result = gm.evaluate(true, guessed, measures=["accuracy"])
    first = [x for x in best_matrix(result) if isinstance(x, Chart)]
    assert [(x.system, x.title) for x in first] == [("s0", "s0: Confusion matrix as a heat map")]
    (section,) = confusion_sections(result)
    shown = [x for x in section.blocks if isinstance(x, Chart)]
    if systems <= FEW:
        assert [x.system for x in shown] == [f"s{k}" for k in range(1, systems)]
        assert [x.key for x in shown] == [f"confusion-{k}" for k in range(1, systems)]
    else:
        (menu,) = shown
        assert menu.system is None
        assert menu.title == "Confusion matrix as a heat map, for the selected system"
        who = next(x for x in menu.spec["params"] if x["name"] == "who")
        assert who["bind"]["labels"] == list(guessed)
