"""Notebooks show measures, tables, matrices, verdicts and recommendations as tables, and names as text."""

from __future__ import annotations

import re
import sys
from html import unescape
from xml.etree import ElementTree

import numpy as np
import pytest

import goodmeasure as gm

HOSTILE = ["<b>ham</b>", '"><img src=x onerror=alert(1)>']


def seen(shown):
    """The words of a view, which needs no script and shows no markup of names."""
    html = shown._repr_html_()
    assert "<script" not in html
    assert not {"<b>", "<img"} & set(re.findall(r"<\w+>?", html))
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL))).split())


def test_a_matrix_shows_counts_shares_and_totals():
    words = seen(gm.ConfusionMatrix([[50, 3], [4, 20]], HOSTILE))
    assert "77 items · 2 classes" in words
    for text in (HOSTILE[0], HOSTILE[1], "50 94.3%", "20 83.3%", "total 54 23 77"):
        assert text in words


def test_a_large_matrix_shows_its_largest_confusions_and_a_batch_its_size():
    counts = np.eye(40, dtype=int) * 9
    counts[3, 7] = 5
    words = seen(gm.ConfusionMatrix(counts))
    assert "The largest confusions" in words
    assert "3 7 5 35.7%" in words
    assert "A batch of 6 confusion matrices of 2 classes." in seen(gm.ConfusionMatrix(np.ones((6, 2, 2), int)))


def test_multilabel_data_shows_every_label():
    words = seen(gm.multilabel([[0, 1], [1, 1], [1, 0]], [[0, 1], [1, 0], [1, 0]], labels=HOSTILE))
    assert f"{HOSTILE[1]} 2 1 1 0 1 50% 100%" in words
    assert "2 labels · 3 items" in words


def test_verdicts_show_what_is_known_in_words():
    report = gm.check(gm.f1, properties=["symmetry", "monotone"])
    words = seen(report)
    assert "Properties of F1" in words
    assert "Symmetry ✓" in words
    assert report["monotone"].witness.says in words
    assert "Monotonicity of F1: refuted at n = 2." in seen(report["monotone"])
    assert "Symmetry of F1: proved for every n." in seen(report["symmetry"])


def test_the_atlas_shows_its_rows_and_says_how_many_are_left_out():
    assert "mcc 2 all ✓" in seen(gm.atlas().filter(measure="mcc"))
    whole = gm.atlas()
    words = seen(whole)
    assert f"and {len(whole.table()[1]) - 400:,} more rows: filter() chooses" in words


@pytest.mark.parametrize("options", [{"classes": 3}, {"needs": ["monotone", "distance", "constant_baseline"]}])
def test_a_recommendation_says_what_suits_and_why(options):
    found = gm.recommend(**options)
    words = seen(found)
    if found.best is not None:
        assert f"{found.best.measure.title} suits this task best" in words
    else:
        assert "No measure of the catalogue meets all requirements." in words
    assert found.ranked[0].facts()[0][1] in words


def test_two_views_on_one_page_do_not_share_their_buttons():
    matrix = gm.ConfusionMatrix([[5, 1], [2, 4]])
    names = [set(re.findall(r'name="([^"]+)"', matrix._repr_html_())) for _ in range(2)]
    assert names[0]
    assert not names[0] & names[1]


def test_a_measure_shows_its_formula_range_and_source():
    for measure, words in ((gm.mcc, "Matthews"), (gm.fbeta(2), "fbeta(beta=2)"), (gm.roc_auc, "roc_auc")):
        html = measure._repr_html_()
        assert "<math" in html
        assert words in seen(measure)
    assert "range −1 … 1; higher is better" in seen(gm.mcc)
    assert "no printed formula" in seen(gm.measure(lambda c: 1.0 if float(c.n) > 3 else 0.0))


def test_the_table_of_a_result_is_a_table():
    result = gm.evaluate(["a", "b"] * 20, ["a", "a"] * 20, measures=["accuracy"], classwise=["recall"])
    html = result.table._repr_html_()
    assert html.count("<tr>") == 1 + len(result.table)
    assert '<td class="n">0.5000' in html
    assert seen(gm.evaluate([0, 1], [0, 1]).table.where(measure="none")) == "0 rows"


def test_a_method_of_a_result_is_shown_in_one_line():
    result = gm.evaluate([0, 1] * 20, [0, 0] * 20)
    compared = gm.compare([0, 1] * 20, {"A": [0, 0] * 20, "B": [1, 1] * 20})
    assert repr(result.matrix) == "<bound method Result.matrix of <Result: print() shows it>>"
    assert "\n" not in repr(compared.save)
    assert len(str(result).splitlines()) > 10


def charts():
    """Each result with the names of all its charts."""
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.3
    scores = {name: np.clip(0.3 + by * y + rng.normal(0, 0.15, 300), 0, 1) for name, by in (("A", 0.2), ("B", 0.3))}
    labels = [*HOSTILE, "x" * 80, "a\x07\x1b"]
    true = [labels[k % 4] for k in range(120)]
    systems = {name: [labels[(k + (k % step == 0)) % 4] for k in range(120)]
               for name, step in (("A", 4), (HOSTILE[1], 7), ("constructor", 5))}  # fmt: skip
    of_scores = ["roc", "precision_recall", "reliability", "gain", "decision_curve", "thresholds"]
    of_labels = ["measures", "classes", "confusion", "ranks"]
    return [
        (gm.evaluate(true, systems), [*of_labels, "agreement"]),
        (gm.evaluate(y, y_score=scores), [*of_labels, "prevalence", *of_scores]),
        (gm.compare(true, systems), ["ranks", "differences", "agreement"]),
        (gm.compare(y, y_score=scores), ["ranks", "differences", "agreement"]),
        (gm.sweep(y, scores["A"]), of_scores),
    ]


def test_every_chart_carries_a_picture_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for result, names in charts():
        for name in names:
            bundle = result.chart(name)._repr_mimebundle_()
            root = ElementTree.fromstring(bundle["image/svg+xml"])
            assert len(root.findall(".//{*}text")) > 6, name
            assert not {"b", "img"} & {x.tag.rpartition("}")[2] for x in root.iter()}
            assert "nan" not in bundle["image/svg+xml"]
            assert "vegalite" in "".join(bundle)
            assert "\n" not in bundle["text/plain"]


def test_the_picture_of_a_curve_starts_and_ends_where_the_curve_does():
    y, score = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    root = ElementTree.fromstring(gm.sweep(y, score).chart("roc")._repr_mimebundle_()["image/svg+xml"])
    box = root.find("{*}svg")
    left, top, wide, high = (float(box.get(x)) for x in ("x", "y", "width", "height"))
    lines = [x.get("points").split() for x in box.findall("{*}polyline") if not x.get("stroke-dasharray")]
    places = [[tuple(map(float, place.split(","))) for place in line] for line in lines]
    assert [(line[0], line[-1]) for line in places] == [((left, top + high), (left + wide, top))]
    third = (left, pytest.approx(top + high / 3, abs=0.1))  # two of three positives before the first negative
    assert third in places[0]
