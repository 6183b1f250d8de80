"""Notebooks show matrices, multilabel data, verdicts, the atlas and recommendations as tables, and names as text."""

from __future__ import annotations

import re
from html import unescape

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
