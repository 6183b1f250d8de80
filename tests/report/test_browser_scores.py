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
