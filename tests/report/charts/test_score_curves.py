"""Charts of scores, in reports, notebooks and Matplotlib."""

from __future__ import annotations

import json

import numpy as np
import pytest
import vl_convert

import goodmeasure as gm
from goodmeasure.evaluation.scores.reliability import reliability
from goodmeasure.report.charts.score_curves import NAMES

RNG = np.random.default_rng(0)
TRUE = np.where(RNG.random(120) < 0.4, "spam", "ham")
P = np.clip(0.25 + 0.35 * (TRUE == "spam") + RNG.normal(size=120) / 5, 0, 1)
Q = RNG.random(120)
THREE = RNG.dirichlet(np.ones(3), 60)
ANIMALS = np.array([RNG.choice(["bird", "cat", "dog"], p=x) for x in THREE])
ONE = gm.evaluate(TRUE, y_score=P, measures=["roc_auc", "mcc"])
TWO = gm.evaluate(TRUE, y_score={"P": P, "<i>Q</i>": Q}, measures=["roc_auc", "mcc"])
MORE = gm.evaluate(ANIMALS, y_score=THREE, measures=["log_loss"])
LOGITS = gm.evaluate(TRUE, y_score=np.log(P + 1e-3), threshold=-1, measures=["roc_auc"])


def rows(spec, kind):
    return [row for row in spec["data"]["values"] if row["kind"] == kind]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("result", [ONE, TWO, MORE], ids=["one", "two", "three classes"])
def test_every_chart_is_valid_and_draws(name, result):
    if result is MORE and name == "decision_curve":
        pytest.skip("decisions have two outcomes")
    spec = result.chart(name)
    json.dumps(spec, allow_nan=False)
    assert vl_convert.vegalite_to_svg(dict(spec)).count("<path") > 3
    assert spec["description"]


def test_a_chart_shows_every_system_with_its_band_and_its_operating_points():
    spec = TWO.chart("roc")
    for kind in ("curve", "band"):
        assert [row["system"] for row in rows(spec, kind)] == ["P", "<i>Q</i>"]
    points = {(row["system"], row["point"]): row for row in rows(spec, "point")}
    assert set(points) == {(s, p) for s in ("P", "<i>Q</i>") for p in ("threshold 0.5", "best Youden index", "best F1")}
    at = points["P", "threshold 0.5"]
    recall, fallout = gm.recall(TWO.matrix("P")), gm.measure("fallout")(TWO.matrix("P"))
    assert (at["y"], at["x"]) == (pytest.approx([recall], abs=1e-4), pytest.approx([fallout], abs=1e-4))
    assert "95% confidence band" in spec["title"]
    without = gm.evaluate(TRUE, y_score=P, confidence=None, measures=["roc_auc"]).chart("roc")
    assert not rows(without, "band")
    assert "band" not in without["title"]


def test_more_than_three_systems_have_no_bands():
    several = gm.evaluate(TRUE, y_score={str(k): np.roll(P, k) for k in range(4)}, measures=["roc_auc"]).chart("roc")
    assert len(rows(several, "curve")) == 4
    assert not rows(several, "band")


def test_a_reliability_diagram_has_intervals_and_a_histogram():
    found = reliability(TRUE, P, positive="spam")
    spec = ONE.chart("reliability")
    assert [row["items"] for row in rows(spec, "bin")] == found.items.tolist()
    assert [row["y"][0] for row in rows(spec, "bin")] == pytest.approx(found.observed.tolist(), abs=1e-4)
    assert [row["high"][0] for row in rows(spec, "bin")] == pytest.approx(found.high.tolist(), abs=1e-4)
    heights = [row["y"][0] for row in rows(spec, "bar")]
    assert np.argmax(heights) == np.argmax(found.items)


def test_a_decision_curve_shows_acting_on_all_and_on_none():
    spec = TWO.chart("decision_curve")
    expected = gm.sweep(TRUE, P).net_benefit()
    assert rows(spec, "curve")[0]["y"] == pytest.approx(expected.benefit.tolist(), abs=1e-4)
    assert rows(spec, "reference")[0]["y"] == pytest.approx(expected.all.tolist(), abs=1e-4)
    assert rows(spec, "zero")


def test_charts_that_cannot_be_drawn_say_why():
    with pytest.raises(ValueError, match="needs scores that are probabilities"):
        LOGITS.chart("reliability")
    with pytest.raises(ValueError, match="needs probabilities of two classes"):
        MORE.chart("decision_curve")
    with pytest.raises(ValueError, match="'roc' is not a chart"):
        gm.evaluate([0, 1], [0, 1]).chart("roc")
    with pytest.raises(ValueError, match="needs scores"):
        gm.sweep(matrices={0.5: [[2, 1], [1, 2]]}).chart("roc")


def test_reports_have_the_charts_and_tables_that_say_the_same():
    text = TWO.to_markdown()
    for words in ("Operating points", "best Youden index", "Net benefit", "predicted and observed", "Cumulative gain"):
        assert words in text
    page = gm.sweep(TRUE, P, measures=["mcc"]).to_html()
    assert page.count('class="chart"') == 6
    assert "acting on every item" in page
    assert "Reliability" not in LOGITS.to_html()


def test_a_sweep_and_a_result_have_the_same_charts():
    swept = gm.sweep(TRUE, P, measures=["mcc"])
    assert rows(swept.chart("roc"), "curve")[0]["y"] == rows(ONE.chart("roc"), "curve")[0]["y"]
    assert ONE.chart("thresholds")["data"]["values"][0]["x"] == swept.chart("thresholds")["data"]["values"][0]["x"]


def test_figures_show_the_same():
    pytest.importorskip("matplotlib")
    for name in NAMES:
        axes = getattr(TWO.plot, name)()
        axes.figure.canvas.draw()
        assert axes.get_xlabel()
        shown = [x.get_text() for x in axes.get_legend().get_texts()]
        assert shown[:2] == ["P", "<i>Q</i>"]
        assert (len(shown) == 5) == (name in ("roc", "precision_recall", "gain"))
    line = ONE.plot.roc().lines[0]
    assert line.get_ydata().tolist() == pytest.approx(rows(ONE.chart("roc"), "curve")[0]["y"], abs=1e-4)
    assert len(gm.sweep(TRUE, P).plot.roc().collections) == 1  # the band
    axes = MORE.plot.precision_recall(positive="cat")
    assert MORE.plot.roc(positive="dog", ax=axes) is axes


@pytest.mark.parametrize(("draw", "why"), [
    (lambda: MORE.plot.roc(), "there are 3 classes"),
    (lambda: MORE.plot.roc(positive="cow"), "positive is 'cow'"),
    (lambda: MORE.plot.decision_curve(), "probabilities of two classes"),
    (lambda: LOGITS.plot.reliability(), "probabilities"),
    (lambda: gm.evaluate([0, 1], [0, 1]).plot.roc(), "no scores"),
])  # fmt: skip
def test_figures_that_cannot_be_drawn_say_why(draw, why):
    pytest.importorskip("matplotlib")
    with pytest.raises(ValueError, match=why):
        draw()


def test_curves_along_the_threshold_end_with_rejecting_everything():
    """Of 20 items 18 are negative: rejecting everything has the best accuracy, 0.9."""
    scores = [k / 20 for k in range(18)] + [0.1, 0.2]
    swept = gm.sweep([0] * 18 + [1] * 2, scores, measures=["accuracy"])
    data = swept.chart("thresholds")["data"]["values"]
    curve, best = (next(x for x in data if x["kind"] == kind) for kind in ("curve", "chosen"))
    assert curve["x"][-1] > max(scores)
    assert curve["y"][-1] == best["y"][0] == 0.9
    assert best["x"][0] == pytest.approx(curve["x"][-1], abs=1e-3)
    assert "nothing is predicted positive" in best["remark"]
    pytest.importorskip("matplotlib")
    line, point = swept.plot.thresholds("accuracy").lines
    assert line.get_ydata()[-1] == point.get_ydata()[0] == 0.9
    assert point.get_xdata()[0] == line.get_xdata()[-1]
    infinite = gm.sweep([0, 1, 1], [0.1, 0.5, np.inf], measures=["accuracy"])
    assert max(infinite.chart("thresholds")["data"]["values"][0]["x"]) == 0.5
