"""The report of a sweep, and what stands beside an evaluation: thresholds, other class shares, ranks and winners."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
import vl_convert

import goodmeasure as gm
from goodmeasure.catalogue.display_names import display_of
from goodmeasure.report.content.evaluation import contents
from goodmeasure.report.content.thresholds import sweep_contents
from goodmeasure.report.document import Chart, Code, Finding, Grid
from tests.replay import replayed

MEASURES = ["accuracy", "mcc", "recall"]


def scored(n=120):
    rng = np.random.default_rng(5)
    hit = rng.random(n) < 0.4
    return ["spam" if x else "ham" for x in hit], np.round(rng.normal(size=n) + 1.5 * hit, 2)


@pytest.fixture(scope="module")
def swept():
    return gm.sweep(*scored(), measures=MEASURES)


def test_curves_and_best_points_are_those_of_the_sweep(swept):
    spec = swept.chart()
    json.dumps(spec, allow_nan=False)
    assert vl_convert.vegalite_to_svg(dict(spec)).startswith("<svg")
    rows = spec["data"]["values"]
    names = {display_of(name): name for name in MEASURES}
    curves = {names[x["measure"]]: x for x in rows if x["kind"] == "curve"}
    chosen = {names[x["measure"]]: x for x in rows if x["kind"] == "chosen"}
    assert list(curves) == list(chosen) == MEASURES
    for name in MEASURES:
        best = swept.best(name)
        assert chosen[name]["x"][0] == pytest.approx(best.threshold)
        assert chosen[name]["y"][0] == pytest.approx(best.value, rel=1e-4)
        assert max(curves[name]["y"]) == pytest.approx(best.value, rel=1e-4)


@pytest.mark.parametrize("ending", ["html", "md", "tex", "json", "csv"])
def test_every_format_holds_the_best_thresholds(swept, tmp_path, ending):
    swept.save(tmp_path / f"s.{ending}")
    text = (tmp_path / f"s.{ending}").read_text(encoding="utf-8")
    for best in swept.bests(0.95):
        assert f"{best.threshold:.6g}" in text.replace("−", "-").replace("$-$", "-")
        assert (f"{best.value:.3f}" if ending in ("html", "md", "tex") else repr(best.value)) in text


def test_a_long_curve_is_thinned_and_the_page_stays_small():
    true, scores = scored(20_000)
    assert len(gm.sweep(true, scores, measures=MEASURES).to_html()) < 1_200_000


def test_undefined_values_break_no_curve():
    spec = gm.sweep([0, 0, 1], [0.1, 0.2, 0.3], measures=["precision", "mcc"], undefined="nan").chart()
    assert all(math.isfinite(y) for row in spec["data"]["values"] for y in row["y"])


def test_matrices_are_swept_without_intervals():
    text = gm.sweep(matrices={0.5: [[5, 1], [2, 4]], 0.7: [[6, 0], [3, 3]]}, measures=["mcc"]).to_markdown()
    assert "best at a threshold of 0.7" in text


def test_other_shares_are_shown_for_two_classes_only():
    two = gm.evaluate([[40, 10], [5, 15]], measures=[*MEASURES, "specificity"])
    section = contents(two).section("prevalence")
    said = " ".join(section.blocks[0].lines)
    assert "28.6% of the items are" in said
    assert "specificity" in said
    rows = two.chart("prevalence")["data"]["values"]
    points = {x["measure"]: x["y"][0] for x in rows if x["kind"] == "chosen"}
    assert points == pytest.approx({display_of(x): two.value(x) for x in ("accuracy", "mcc")}, rel=1e-4)
    grid = next(x for x in section.blocks if isinstance(x, Grid))
    at_half = gm.project(two.matrix(), prevalence=0.5).value("mcc")
    assert grid.rows[1][5].value == pytest.approx(at_half)
    three = gm.evaluate([[4, 1, 0], [1, 5, 0], [0, 1, 6]], measures=["mcc"])
    assert "prevalence" not in [x.key for x in contents(three).sections]
    with pytest.raises(ValueError, match="it needs two classes"):
        three.chart("prevalence")


def test_places_where_systems_change_are_told():
    both = gm.evaluate({"A": [[95, 5], [8, 12]], "B": [[80, 20], [2, 18]]}, measures=["accuracy"])
    said = " ".join(contents(both).section("prevalence").blocks[0].lines)
    assert "By accuracy, A is better than B below a prevalence of 33.3%, and worse above it." in said


def test_a_class_without_items_has_no_other_shares():
    assert "prevalence" not in [x.key for x in contents(gm.evaluate([[5, 0], [0, 0]], measures=["accuracy"])).sections]


def test_figures_hold_the_values(swept):
    pytest.importorskip("matplotlib")
    axes = swept.plot.thresholds("mcc")
    best = swept.best("mcc", confidence=None)
    assert [(x.get_xdata()[0], x.get_ydata()[0]) for x in axes.lines[1:]] == [(best.threshold, best.value)]
    two = gm.evaluate([[40, 10], [5, 15]], measures=["mcc"])
    axes = two.plot.prevalence("mcc", ax=axes)
    assert axes.lines[-1].get_ydata()[0] == pytest.approx(two.value("mcc"))
    with pytest.raises(ValueError, match="has 3 classes"):
        gm.evaluate([[4, 1, 0], [1, 5, 0], [0, 1, 6]], measures=["mcc"]).plot.prevalence()


def test_what_stands_beside_a_result_is_shown_and_can_be_made_again(swept):
    true, scores = scored()
    systems = {
        "low": ["spam" if x >= 0 else "ham" for x in scores],
        "high": ["spam" if x >= 1 else "ham" for x in scores],
    }
    compared = gm.compare(true, systems, measures=MEASURES, replicates=100)
    result = gm.evaluate(true, systems, measures=MEASURES, replicates=100).with_sweep(swept)
    document = contents(result)
    keys = [x.key for x in document.sections]
    assert [x for x in keys if x in ("ranks", "differences", "agreement", "thresholds", "prevalence")] == [
        "ranks", "differences", "agreement", "thresholds", "prevalence",
    ]  # fmt: skip
    charts = [x.key for section in document.sections for x in section.blocks if isinstance(x, Chart)]
    assert len(charts) == len(set(charts))
    assert "ranks-of-systems" in charts
    data = json.loads(result.to_json())
    assert data["comparison"]["winners"] == {name: list(x) for name, x in compared.winners.items()}
    assert [x["measure"] for x in data["sweep"]["best"]] == MEASURES
    call = next(x.text for x in document.section("reproduce").blocks if isinstance(x, Code) and "gm." in x.text)
    assert "result.with_sweep(gm.sweep(" in call


def test_the_summary_of_several_scores_speaks_of_all_of_them():
    true, scores = scored()
    found = gm.sweep(true, {"A": scores, "B": -scores}, measures=MEASURES)
    lines = contents_of_sweep(found)
    for name in MEASURES:
        line = next(x for x in lines if x.startswith(f"Best {display_of(name)} at its threshold: "))
        assert f"A {found.best(name, 'A').value:.3f} at " in line
        assert f"B {found.best(name, 'B').value:.3f} at " in line


def contents_of_sweep(found):
    """The sentences of the summary."""
    document = sweep_contents(found, found.bests(0.95), 0.95)
    blocks = document.section("summary").blocks
    return [line for x in blocks for line in ([x.text] if isinstance(x, Finding) else x.lines)]


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ({}, {}),
        ({"sample_weight": np.arange(1, 121) / 7, "by": ["n", "s"] * 60}, {"positive": "ham"}),
        ({}, {"undefined": 0.5, "missing": "drop"}),
    ],
    ids=["plain", "weights and groups", "a policy"],
)
def test_the_lines_of_a_sweep_make_it_again(given, options):
    true, score = scored()
    found = gm.sweep(true, score, measures=MEASURES, **given, **options)
    document = sweep_contents(found, found.bests(0.9, 3), 0.9, 3)
    (code,) = [x.text for x in document.section("reproduce").blocks if isinstance(x, Code)]
    names = {"y_true": true, "y_score": score, **given}
    again = replayed(code, **names)
    assert [str(x) for x in again] == [str(x) for x in found.bests(0.9, 3)]


def test_a_sweep_of_matrices_is_made_again_from_them():
    found = gm.sweep(matrices={0.2: [[5, 3], [1, 4]], 0.6: [[7, 1], [3, 2]]}, measures=["mcc"])
    assert "swept = gm.sweep(matrices=matrices, measures=['mcc'])" in found.to_markdown()
