"""The report in a real browser: drawn, silent, closed to the network, reachable by keyboard, and accessible."""

from __future__ import annotations

import pytest

import goodmeasure as gm
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
    assert opened.page.locator("figure.drawn svg").count() == 7  # three for each of two systems, and their ranks


def test_the_policy_works(pages, made):
    folder, _ = made
    page = pages.open(folder / "small.html").page
    assert page.evaluate("fetch('https://example.org').then(() => 'went out', () => 'blocked')") == "blocked"
    inline = "(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1'; "
    assert page.evaluate(inline + "document.body.append(s); return window.ran === undefined; })()")
    # what the developer tools run is free of the policy, so the page itself must do it, a moment later
    later = (
        "setTimeout(() => { try { window.made = Function('return 1')() } catch (error) { window.made = 'blocked' } })"
    )
    page.evaluate(later)
    page.wait_for_timeout(200)
    assert page.evaluate("window.made") == "blocked"


def test_marks_and_values_are_those_of_the_result(pages, made):
    folder, small = made
    page = pages.open(folder / "small.html", shared=True).page
    overall = [row for row in small.part("A").rows if row.label is None]
    points = page.locator("#measures-0 .mark-symbol path")
    assert points.count() == len(overall)
    counts = small.matrix("A").counts
    assert page.locator("#confusion-0 .mark-rect.role-mark path").count() == counts.size
    shown = page.locator("#confusion-0 .mark-text.role-mark text").all_text_contents()
    assert sorted(x for x in shown if x.isdigit()) == sorted(str(x) for x in counts.ravel())


def test_hovering_shows_the_values(pages, made):
    folder, small = made
    page = pages.open(folder / "small.html", shared=True).page
    page.locator("#measures-0 .mark-symbol path").first.hover(force=True)
    row = small.part("A").rows[0]
    text = page.locator(".tip").inner_text()
    assert f"measure: {row.measure}" in text
    assert f"value: {row.value:.3f}" in text


def test_the_matrix_can_be_shown_by_row_and_ordered_by_confusion(pages, made):
    page = pages.open(made[0] / "small.html").page
    before = page.locator("#confusion-0 .mark-text.role-mark text").all_text_contents()
    page.locator("#confusion-0 select").first.select_option("row")
    after = page.locator("#confusion-0 .mark-text.role-mark text").all_text_contents()
    assert before != after
    assert any(x.endswith("%") for x in after)
    page.locator("#confusion-0 select").nth(1).select_option("by")


def test_the_keyboard_reaches_links_choices_and_tables(pages, made):
    folder, _ = made
    page = pages.open(folder / "small.html").page
    reached = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.tagName + '.' + document.activeElement.className"))
    assert any(x.startswith("A.") for x in reached)
    assert any(x.startswith("SELECT") for x in reached)
    assert any(x.startswith("INPUT") for x in reached)
    assert any("canvas" in x for x in reached)
    assert any("scroll" in x for x in reached)


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)])
@pytest.mark.parametrize("name", ["small.html", "hostile.html"])
def test_nothing_is_in_the_way_of_anybody(pages, made, name, width, dark):
    """axe-core finds no violation, and the page does not scroll sideways."""
    page = pages.open(made[0] / name, width=width, dark=dark).page
    assert violations(page, contrast=name == "small.html") == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_hostile_labels_stay_text_in_charts_and_tips(pages, made):
    opened = pages.open(made[0] / "hostile.html", shared=True)
    page = opened.page
    assert opened.said == []
    assert page.evaluate("document.querySelectorAll('img, svg script, i').length") == 0
    cells = page.locator("#confusion-0 .mark-rect.role-mark path")
    for k in range(0, cells.count(), 13):
        cells.nth(k).hover(force=True)
        assert page.evaluate("document.querySelector('.tip').children.length") == 5
    assert opened.asked == [(made[0] / "hostile.html").as_uri()]


def test_a_hundred_classes_are_drawn(pages, tmp_path):
    labels = [f"class {k}" for k in range(100)]
    true = [x for x in labels for _ in range(5)]
    gm.evaluate(true, [*true[3:], *true[:3]]).save(tmp_path / "r.html")
    opened = pages.open(tmp_path / "r.html")
    assert opened.page.locator("#confusion-0 .mark-rect.role-mark path").count() == 10_000
    assert (tmp_path / "r.html").stat().st_size < 4_000_000


def test_words_of_the_first_column_stay_whole_and_tables_are_not_cut(pages, made):
    page = pages.open(made[0] / "small.html").page
    heights = page.evaluate(
        "[...document.querySelectorAll('#scorecard tbody th')].map(x => x.getBoundingClientRect().height)"
    )
    assert max(heights) < 1.5 * min(heights)
    cut = "[...document.querySelectorAll('.scroll')].filter(x => x.scrollHeight > x.clientHeight + 20).length"
    assert page.evaluate(cut) == 0


@pytest.mark.parametrize("classes", [3, 25, 35])
def test_nothing_falls_off_the_paper(pages, tmp_path, classes):
    """A table that no paper holds is said to be left out."""
    result_of([f"class {k}" for k in range(classes)]).save(tmp_path / "r.html")
    page = pages.open(tmp_path / "r.html", width=700).page
    page.emulate_media(media="print")
    assert page.locator(".on-paper:visible").count() == (2 if classes > 30 else 0)
    right = "Math.max(...[...document.querySelectorAll('table, svg')].map(x => x.getBoundingClientRect().right))"
    assert page.evaluate(right) <= 700


def test_without_scripts_there_are_no_empty_figures(pages, made):
    page = pages.browser.new_context(java_script_enabled=False).new_page()
    page.goto((made[0] / "small.html").as_uri())
    assert page.locator("figure.chart").count() > 0
    assert not page.locator("figure.chart").first.is_visible()
    assert page.locator("noscript p").first.is_visible()


def test_bars_of_classes_use_the_room_that_short_names_leave(pages, made):
    page = pages.open(made[0] / "small.html", width=360).page
    axis = "Math.max(...[...document.querySelectorAll('#classes-0 .role-axis-grid path, #classes-0 .background')]"
    assert page.evaluate(f"{axis}.map(x => x.getBoundingClientRect().width))") > 230
