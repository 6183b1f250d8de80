"""The report in a real browser: drawn, silent, closed to the network, reachable by keyboard, and accessible."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import expect

import goodmeasure as gm
from goodmeasure.report.content.main_finding import best_part, verdict
from goodmeasure.report.content.scorecard import scorecard
from tests.report.browser import violations
from tests.report.formats.test_formats import HOSTILE, result_of


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    small = result_of(["ham", "spam", "eggs"])
    small.save(folder / "small.html")
    result_of(HOSTILE).save(folder / "hostile.html")
    return folder, small


def test_every_chart_is_drawn_and_nothing_is_said_or_asked_for(pages, made):
    folder, _ = made
    opened = pages.open(folder / "small.html", shared=True)
    assert opened.said == []
    assert opened.asked == [(folder / "small.html").as_uri()]
    drawn = opened.page.locator("figure:has(svg)").evaluate_all("all => all.map(x => x.id)")
    assert drawn == ["ranks-of-systems", "paired-differences"]  # tables show the rest


def test_the_policy_works(pages, made):
    folder, _ = made
    opened = pages.open(folder / "small.html")
    page = opened.page
    assert page.evaluate("fetch('https://example.org').then(() => 'went out', () => 'blocked')") == "blocked"
    inline = "(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1'; "
    assert page.evaluate(inline + "document.body.append(s); return window.ran === undefined; })()")
    # what the developer tools run is free of the policy, so the page itself must do it, a moment later
    later = (
        "setTimeout(() => { try { window.made = Function('return 1')() } catch (error) { window.made = 'blocked' } })"
    )
    page.evaluate(later)
    opened.wait("window.made !== undefined")
    assert page.evaluate("window.made") == "blocked"


def test_the_first_screen_has_the_verdict_the_numbers_and_the_matrix(pages, made):
    folder, small = made
    page = pages.open(folder / "small.html", width=1400, shared=True).page
    first = page.locator("#summary")
    assert first.locator(".verdict").inner_text() == verdict(small)
    assert first.locator(".headline").count() == 4
    counts = best_part(small).matrix.counts
    cells = first.locator(".view-counts td:not(.total)").all_inner_texts()
    assert [int(x.split()[0]) for x in cells] == counts.ravel().tolist()
    for part in (".verdict", ".headlines", ".matrix"):
        box = first.locator(part).first.bounding_box()
        assert box["y"] + box["height"] <= 900


def test_intervals_are_drawn_where_they_are(pages, made):
    """The point of a small picture stands at its value on an axis that ends at 1."""
    folder, small = made
    page = pages.open(folder / "small.html", shared=True).page
    row = next(x for x in small.part("A").rows if x.label is None)
    picture = page.locator("#scorecard tbody tr").first.locator("svg.span").first
    box = picture.bounding_box()
    dot = picture.locator("circle").bounding_box()
    at = (dot["x"] + dot["width"] / 2 - box["x"]) / box["width"]
    start = scorecard(small).rows[0][1].span.least
    assert start + at * (1 - start) == pytest.approx(row.value, abs=0.01)


def test_the_scorecard_can_be_sorted_by_any_column(pages, made):
    page = pages.open(made[0] / "small.html").page
    names = "#scorecard tbody th"
    given = page.locator(names).all_inner_texts()
    button = page.locator("#scorecard thead [role=button]").nth(1)
    button.click()
    values = page.locator("#scorecard tbody tr > :nth-child(2)").all_inner_texts()
    numbers = [float(x.split()[0].replace("−", "-")) for x in values]
    assert numbers == sorted(numbers, reverse=True)
    assert page.locator("#scorecard thead th").nth(1).get_attribute("aria-sort") == "descending"
    button.press("Enter")
    assert page.locator("#scorecard thead th").nth(1).get_attribute("aria-sort") == "ascending"
    assert page.locator(names).all_inner_texts() != given
    page.locator("#scorecard thead [role=button]").first.click()
    assert page.locator(names).all_inner_texts() == sorted(given, key=str.lower)


def test_the_matrix_can_be_shown_by_row_and_ordered_by_confusion(pages, tmp_path):
    rows = [[9, 0, 0, 4], [0, 9, 3, 0], [0, 2, 9, 0], [5, 0, 0, 9]]
    gm.evaluate(gm.ConfusionMatrix(rows, ["a", "b", "c", "d"])).save(tmp_path / "r.html")
    page = pages.open(tmp_path / "r.html").page
    matrix = page.locator("#summary .matrix")
    assert matrix.locator(".view-counts").is_visible()
    matrix.get_by_role("radio", name="By true class").check()
    assert not matrix.locator(".view-counts").is_visible()
    assert all(x.endswith("%") for x in matrix.locator(".view-row td").all_inner_texts())
    heads = matrix.locator(".view-row thead th.n")
    assert heads.all_inner_texts() == ["a", "b", "c", "d"]
    matrix.get_by_label("Group confused classes").check()
    ordered = heads.all_inner_texts()
    assert abs(ordered.index("a") - ordered.index("d")) == 1 == abs(ordered.index("b") - ordered.index("c"))
    assert matrix.locator(".view-row tbody th").all_inner_texts() == ordered
    shares = matrix.locator(".view-row tbody td.hit").all_inner_texts()
    assert len(shares) == 4  # the diagonal stays the diagonal
    for k in range(4):
        assert "hit" in matrix.locator(".view-row tbody tr").nth(k).locator("td").nth(k).get_attribute("class")
    matrix.get_by_label("Group confused classes").uncheck()
    assert heads.all_inner_texts() == ["a", "b", "c", "d"]


def test_links_open_what_is_folded(pages, made):
    page = pages.open(made[0] / "small.html", width=1400).page
    table = page.locator("#classes table").first
    assert not table.is_visible()
    page.locator("nav.toc a[href='#classes']").click()
    expect(table).to_be_visible()  # the page hears of the new address a moment after the click
    page.goto(f"{(made[0] / 'small.html').as_uri()}#measures")
    page.reload()
    expect(page.locator("#measures article").first).to_be_visible()
    page.locator("nav.toc button").click()
    expect(page.locator("details.fold:not([open])")).to_have_count(0)
    page.locator("nav.toc button").click()
    expect(page.locator("details.fold[open]")).to_have_count(0)


def test_the_contents_stay_in_sight_on_wide_screens(pages, made):
    page = pages.open(made[0] / "small.html", width=1400).page
    page.locator("nav.toc button").click()
    page.evaluate("window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })")
    box = page.locator("nav.toc").bounding_box()
    assert box["y"] < 10
    expect(page.locator("nav.toc [aria-current]")).to_have_count(1)


def test_the_keyboard_reaches_links_choices_and_tables(pages, made):
    folder, _ = made
    page = pages.open(folder / "small.html").page
    reached = set()
    page.evaluate("document.querySelectorAll('details').forEach(x => x.open = true)")
    for _ in range(120):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName + '.' + document.activeElement.className"))
    assert any(x.startswith("A.") for x in reached)
    assert any(x.startswith("BUTTON") for x in reached)
    assert any(x.startswith("SUMMARY") for x in reached)
    assert any(x.startswith("INPUT") for x in reached)
    assert any("canvas" in x for x in reached)
    assert any("scroll" in x for x in reached)


@pytest.mark.parametrize(("width", "dark"), [(1400, False), (800, True), (360, True)])
@pytest.mark.parametrize("name", ["small.html", "hostile.html"])
def test_nothing_is_in_the_way_of_anybody(pages, made, name, width, dark):
    """axe-core finds no violation, folded or not, and the page does not scroll sideways."""
    page = pages.open(made[0] / name, width=width, dark=dark, unfolded=True, shared=True).page
    assert violations(page, contrast=name == "small.html") == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_hostile_labels_stay_text(pages, made):
    opened = pages.open(made[0] / "hostile.html", shared=True)
    page = opened.page
    assert opened.said == []
    assert page.evaluate("document.querySelectorAll('img, svg script, i').length") == 0
    assert opened.asked == [(made[0] / "hostile.html").as_uri()]


def hundred(systems):
    """A result on a hundred classes, each of which is sometimes taken for the next ones."""
    rng = np.random.default_rng(5)
    true = np.repeat(np.arange(100), 12)
    names = np.array([f"class {k}" for k in range(100)])
    found = {}
    for k in range(systems):
        wrong = (true + rng.integers(1, 4, len(true))) % 100
        found[f"system {k}"] = names[np.where(rng.random(len(true)) < 0.7 + 0.1 * k, true, wrong)]
    return gm.evaluate(names[true], found if systems > 1 else found["system 0"], replicates=50)


def test_a_hundred_classes_are_drawn_searched_and_sorted(pages, tmp_path):
    result = hundred(1)
    result.save(tmp_path / "r.html")
    opened = pages.open(tmp_path / "r.html", unfolded=True)
    page = opened.page
    assert page.locator("#confusion .mark-rect.role-mark path").count() == 10_000
    first = page.locator("#summary .said table tbody tr")
    assert first.count() == 10  # the largest confusions stand before the heat map
    some = page.locator("#confusion .role-axis-label text[opacity='1']").count()
    assert 20 < some < 150  # as many names as fit
    page.get_by_label("Large, with the names of all classes").check()
    opened.wait("document.querySelectorAll('#confusion .role-axis-label text').length === 200")
    wide = page.locator("#confusion .canvas")
    assert wide.evaluate("x => x.scrollWidth > x.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert (tmp_path / "r.html").stat().st_size < 2_000_000
    rows = page.locator("#classes tbody tr:visible")
    recalls = [float(x.split()[0]) for x in page.locator("#classes tbody tr > :nth-child(4)").all_inner_texts()]
    assert recalls == sorted(recalls)
    page.locator("#classes input[type=search]").fill("class 7")
    assert rows.count() == 11
    assert page.locator("#classes .found").inner_text() == "11 of 100"
    page.locator("#classes input[type=search]").fill("")
    page.locator("#classes thead [role=button]").first.click()
    assert rows.locator("th").all_inner_texts() == [f"class {k}" for k in range(100)]  # 2 before 10


def appendix_at(page):
    return page.evaluate("document.querySelector('#appendix').getBoundingClientRect().top + scrollY")


def test_a_page_is_short(pages, tmp_path):
    """Of two classes and one system three screens of 1400 × 900, of 100 classes and two systems six, then the rest."""
    rng = np.random.default_rng(1)
    true = rng.random(2000) < 0.1
    gm.evaluate(true, np.where(rng.random(2000) < 0.9, true, ~true)).save(tmp_path / "two.html")
    assert appendix_at(pages.open(tmp_path / "two.html", width=1400).page) <= 3 * 900
    hundred(2).save(tmp_path / "hundred.html")
    assert appendix_at(pages.open(tmp_path / "hundred.html", width=1400).page) <= 6 * 900


def test_words_of_the_first_column_stay_whole_and_tables_are_not_cut(pages, made):
    page = pages.open(made[0] / "small.html", width=1400, shared=True).page
    heights = page.evaluate(
        "[...document.querySelectorAll('#scorecard tbody th')].map(x => x.getBoundingClientRect().height)"
    )
    assert max(heights) < 1.5 * min(heights)
    cut = "[...document.querySelectorAll('.scroll')].filter(x => x.scrollWidth > x.clientWidth + 1).length"
    assert page.evaluate(cut) == 0


@pytest.mark.parametrize("width", [360, 800])
def test_narrow_pages_begin_with_the_title_and_the_verdict(pages, made, width):
    """The contents come after the first screen, for the eye and for the keyboard."""
    page = pages.open(made[0] / "small.html", width=width, shared=True).page
    tops = [
        page.locator(x).bounding_box()["y"] for x in ("h1", ".verdict", "#summary .matrix", "nav.toc", "#scorecard")
    ]
    assert tops == sorted(tops)
    assert tops[0] < 60


def test_a_matrix_of_ten_classes_fits_a_phone(pages, tmp_path):
    counts = np.full((10, 10), 20) + 160 * np.eye(10, dtype=int)
    gm.evaluate(gm.ConfusionMatrix(counts, list(range(10)))).save(tmp_path / "r.html")
    page = pages.open(tmp_path / "r.html", width=360).page
    box = page.locator("#summary .view-counts")
    assert box.evaluate("x => x.scrollWidth <= x.clientWidth + 1")


def test_a_heat_map_of_a_hundred_classes_fits_a_phone(pages, tmp_path):
    hundred(1).save(tmp_path / "r.html")
    page = pages.open(tmp_path / "r.html", width=360).page
    box = page.locator("#confusion .canvas")
    assert box.evaluate("x => x.scrollWidth <= x.clientWidth + 1")
    assert page.locator("#confusion .role-axis-label text").count() == 0  # there is no room for names


def test_what_is_cut_at_the_right_fades_out_until_its_end_is_reached(pages, tmp_path):
    result_of([f"class {k}" for k in range(20)]).save(tmp_path / "r.html")
    page = pages.open(tmp_path / "r.html", width=360).page
    box = page.locator("#summary .view-counts")
    cut = re.compile(r"\bcut\b")
    expect(box).to_have_class(cut)
    box.evaluate("x => x.scrollTo(x.scrollWidth, 0)")
    expect(box).not_to_have_class(cut)


def test_phones_show_cards_instead_of_cut_tables(pages, made):
    page = pages.open(made[0] / "small.html", width=360, unfolded=True, shared=True).page
    cut = "[...document.querySelectorAll('.labelled')].filter(x => x.scrollWidth > innerWidth).length"
    assert page.evaluate(cut) == 0
    cell = page.locator("#scorecard tbody td").first
    assert cell.get_attribute("data-name") == "A"
    assert page.evaluate("getComputedStyle(document.querySelector('#scorecard tr')).display") == "block"
    assert page.locator("#scorecard table").get_attribute("role") == "table"  # which its display would take away


@pytest.mark.parametrize("classes", [3, 20, 35])
def test_nothing_falls_off_the_paper(pages, tmp_path, classes):
    result_of([f"class {k}" for k in range(classes)]).save(tmp_path / "r.html")
    page = pages.open(tmp_path / "r.html", width=700).page
    page.emulate_media(media="print")
    right = "Math.max(...[...document.querySelectorAll('table, svg')].map(x => x.getBoundingClientRect().right))"
    assert page.evaluate(right) <= 700


def test_paper_shows_what_is_folded(pages, made):
    page = pages.open(made[0] / "small.html", width=1400).page
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() > 0
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_without_scripts_there_are_no_empty_figures(pages, made):
    page = pages.browser.new_context(java_script_enabled=False).new_page()
    page.goto((made[0] / "small.html").as_uri())
    assert page.locator("figure.chart").count() > 0
    assert not page.locator("figure.chart").first.is_visible()
    assert page.locator("noscript p").first.is_visible()
    page.locator("#classes summary").first.click()  # folds work by themselves
    assert page.locator("#classes table").first.is_visible()
    page.locator("#summary .pick-row").check()
    assert page.locator("#summary .view-row").is_visible()
