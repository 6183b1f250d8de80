"""The charts of scores in a real browser: drawn, silent, told by hovering, and accessible."""

from __future__ import annotations

import numpy as np
import pytest

import goodmeasure as gm
from tests.report.browser import tips_of, violations


@pytest.fixture(scope="module")
def page_of_scores(tmp_path_factory):
    rng = np.random.default_rng(0)
    true = rng.random(100) < 0.4
    scores = {name: np.clip(0.3 + 0.3 * true + rng.normal(size=100) / 4, 0, 1) for name in ("A", "<b>B</b>")}
    result = gm.evaluate(true, y_score=scores, measures=["roc_auc", "mcc"])
    path = tmp_path_factory.mktemp("pages") / "scores.html"
    result.save(path)
    return path, result


@pytest.mark.parametrize("dark", [False, True])
def test_every_chart_of_scores_is_drawn_and_accessible(pages, page_of_scores, dark):
    path, _ = page_of_scores
    opened = pages.open(path, dark=dark)
    assert opened.said == []
    for name in ("roc", "precision-recall", "reliability", "gain", "decision-curve"):
        assert opened.page.locator(f"#{name} svg").count() == 1
    assert violations(opened.page, contrast=False) == []


def test_operating_points_say_what_they_are(pages, page_of_scores):
    path, result = page_of_scores
    page = pages.open(path, shared=True).page
    tips = tips_of(page, page.locator("#roc .mark-symbol.role-mark path[aria-label]"), apart=False)
    assert {(x["system"], x["point"]) for x in tips} == {
        (system, point) for system in result.systems for point in ("threshold 0.5", "best Youden index", "best F1")
    }
    at = next(x for x in tips if x["system"] == "A" and x["point"] == "threshold 0.5")
    assert at["true positive rate (recall)"] == f"{gm.recall(result.matrix('A')):.3f}"
    assert at["threshold"] == "0.5"


def test_the_caption_of_a_curve_has_the_area_under_it(pages, page_of_scores):
    path, result = page_of_scores
    page = pages.open(path, shared=True).page
    area = {row["system"]: f"{row['value']:.3f}" for row in result.table if row["measure"] == "roc_auc"}
    said = page.locator("#roc figcaption").text_content()
    assert f"ROC AUC: A {area['A']}, <b>B</b> {area['<b>B</b>']}" in said
    assert "Average precision: A 0." in page.locator("#precision-recall figcaption").text_content()


def test_a_chart_can_be_saved_as_a_picture_that_stands_alone(pages, page_of_scores, tmp_path):
    path, _ = page_of_scores
    opened = pages.open(path, dark=True, unfolded=True)
    with opened.page.expect_download() as waiting:
        opened.page.locator("#roc .save").click()
    assert waiting.value.suggested_filename == "roc.svg"
    waiting.value.save_as(tmp_path / "roc.svg")
    text = (tmp_path / "roc.svg").read_text(encoding="utf-8")
    assert text.startswith("<svg")
    for colour, there in (("#4aa3e0", True), ("background:", True), ("var(", False), ("currentColor", False)):
        assert (colour in text) == there, colour
    assert opened.said == []
