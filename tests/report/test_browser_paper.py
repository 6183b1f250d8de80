"""The report on paper: nothing is cut, words and short parts stay whole, and the colours are those of paper."""

from __future__ import annotations

import numpy as np
import pytest

import goodmeasure as gm
from tests.report.formats.test_formats import HOSTILE, result_of

PAPER = 703  # pixels between the margins of an A4 page

# Words of a table that stand on more than one line, without the place where a line may be broken
BROKEN = """selector => [...document.querySelectorAll(selector)].flatMap(cell => {
  const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    for (const word of node.data.matchAll(/[\\w.',−-]+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map(x => Math.round(x.top)));
      if (lines.size > 1 && word[0].length <= 16 && !word[0].includes("-")) found.push(word[0]);
    }
  }
  return found;
})"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paper")
    rng = np.random.default_rng(1)
    n = 600
    true = rng.choice(["stays", "hesitates", "leaves"], n, p=[0.6, 0.3, 0.1])
    found = {
        f"pred_system_{k}": np.where(rng.random(n) < 0.6 + 0.08 * k, true, rng.permutation(true)) for k in range(3)
    }
    by = {"region": rng.choice(["Africa", "North America", "Europe", "Asia"], n)}
    by["device"] = rng.choice(["phone", "tablet", "desktop"], n)
    gm.evaluate(true, found, by=by).save(folder / "slices.html")
    hit = rng.random(120) < 0.4
    scores = {name: np.clip(0.3 + 0.3 * hit + rng.normal(size=120) / 4, 0, 1) for name in ("logistic", "bayes")}
    swept = gm.sweep(hit, scores)
    gm.evaluate(hit, y_score=scores).with_sweep(swept).save(folder / "scores.html")
    many = {f"system_{k}": np.where(rng.random(120) < 0.5 + k / 50, hit, ~hit) for k in range(20)}
    gm.evaluate(hit, many).save(folder / "many.html")
    result_of(HOSTILE).save(folder / "hostile.html")
    return folder


def named(page):
    """The labels of the heat map's axes that are shown; the others are transparent."""
    names = page.locator("#confusion .role-axis-label text")
    return names.evaluate_all("all => all.filter(x => x.getAttribute('opacity') !== '0').map(x => x.textContent)")


def on_paper(pages, path):
    """The page as it is printed; tests only look at it."""
    opened = pages.open(path, width=PAPER, shared=True)
    opened.page.emulate_media(media="print")
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    return opened.page


@pytest.mark.parametrize("name", ["slices", "scores", "many", "hostile"])
def test_nothing_falls_off_the_paper(pages, made, name):
    page = on_paper(pages, made / f"{name}.html")
    right = "Math.max(...[...document.querySelectorAll('table, svg, pre')].map(x => x.getBoundingClientRect().right))"
    assert page.evaluate(right) <= PAPER


@pytest.mark.parametrize("name", ["slices", "scores", "many"])
def test_words_and_numbers_of_tables_are_not_broken(pages, made, name):
    page = on_paper(pages, made / f"{name}.html")
    assert page.evaluate(f"({BROKEN})('.grid th, .grid td')") == []


def test_short_parts_are_not_spread_over_pages(pages, made):
    page = on_paper(pages, made / "slices.html")
    for part in ("pre", ".facts", "#scorecard .scroll", "figure", ".beware li", ".headline"):
        assert page.locator(part).first.evaluate("x => getComputedStyle(x).breakInside") == "avoid", part
    for part in (".beware", ".scroll.long"):  # which may be longer than a page
        assert page.locator(part).first.evaluate("x => getComputedStyle(x).breakInside") == "auto", part
    assert page.locator(".legend").first.evaluate("x => getComputedStyle(x).breakBefore") == "avoid"


def test_rows_of_long_tables_have_one_line_for_each_value(pages, made):
    """The pictures of intervals, which repeat their numbers, would make a hundred classes fill ten pages."""
    page = on_paper(pages, made / "slices.html")
    assert page.locator(".scroll.long .span").count() > 0
    assert page.locator(".scroll.long .span:visible").count() == 0
    assert page.locator("#scorecard .span:visible").count() > 0


def test_charts_drawn_in_the_dark_have_the_colours_of_paper(pages, made):
    stroke = "x => getComputedStyle(x).stroke"
    opened = pages.open(made / "scores.html", dark=True, unfolded=True)
    line = opened.page.locator("#roc .mark-line.role-mark path").nth(1)  # the first is the diagonal
    assert line.evaluate(stroke) == "rgb(74, 163, 224)"
    opened.page.emulate_media(media="print", color_scheme="dark")
    assert line.evaluate(stroke) == "rgb(0, 114, 178)"


def test_a_heat_map_of_many_classes_names_some_of_them(pages, tmp_path):
    labels = [f"class {k}" for k in range(70)]
    result_of(labels).save(tmp_path / "r.html")
    page = on_paper(pages, tmp_path / "r.html")
    shown = named(page)
    assert 20 < len(shown) < 140
    assert set(shown) <= set(labels)
