"""Charts of several systems, of thresholds and of class shares in a real browser, whatever the names are."""

from __future__ import annotations

import re

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.catalogue.display_names import display_of
from tests.report.browser import tip_of, tips_of, violations

NAMES = ("careful", "eager", "lazy")
HOSTILE = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "x" * 2_000,
    "שלום مرحبا", "😀 👩", "two\nlines",
)  # fmt: skip
MEASURES = ["accuracy", "mcc", "f1", "recall"]
NAMED = {display_of(name): name for name in MEASURES}
PAGES = ("compared", "evaluated", "swept", "hostile", "hostile-swept")


def items():
    """True labels and scores of 160 items; the first system is the best by most measures."""
    rng = np.random.default_rng(3)
    hit = rng.random(160) < 0.3
    return hit, [np.round(rng.normal(size=160) + gain * hit, 2) for gain in (2.4, 1.6, 0.9, 0.6, 0.3, 0.1)]


def compared_and_swept(names, labels):
    """A comparison, an evaluation with all that stands beside it, and a sweep."""
    hit, scores = items()
    true = [labels[int(x)] for x in hit]
    cuts = (1.2, 0.4, 1.8, 1.0, 1.0, 1.0)
    systems = {
        name: [labels[int(x >= cut)] for x in score] for name, score, cut in zip(names, scores, cuts, strict=False)
    }
    chosen = {"measures": MEASURES, "positive": labels[1]}
    compared = gm.compare(true, systems, replicates=200, **chosen)
    swept = gm.sweep(true, dict(zip(names, scores, strict=False)), **chosen)
    return compared, gm.evaluate(true, systems, replicates=200, **chosen).with_sweep(swept), swept


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("systems")
    compared, evaluated, swept = compared_and_swept(NAMES, ["ham", "spam"])
    compared.save(folder / "compared.html")
    evaluated.save(folder / "evaluated.html")
    swept.save(folder / "swept.html")
    _, hostile, hostile_sweep = compared_and_swept(HOSTILE, ['</script><img src=x onerror="alert(1)">', "y\n😀"])
    hostile.save(folder / "hostile.html")
    hostile_sweep.save(folder / "hostile-swept.html")
    return folder, compared, evaluated, swept


def opened(pages, made, name, *, unfolded=True, **options):
    return pages.open(made[0] / f"{name}.html", unfolded=unfolded, **options)


@pytest.mark.parametrize("name", PAGES)
def test_every_chart_is_drawn_and_nothing_is_said_or_asked_for(pages, made, name):
    page = opened(pages, made, name, shared=True)
    assert page.said == []
    assert page.asked == [(made[0] / f"{name}.html").as_uri()]
    figures = page.page.locator("figure.chart").count()
    assert figures == {"compared": 3, "swept": 4, "hostile-swept": 4}.get(name, figures)
    assert page.page.locator("figure.drawn svg.marks").count() == figures > 0
    ids = page.page.evaluate("[...document.querySelectorAll('[id]')].map(x => x.id)")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", ["compared", "evaluated", "swept"])
def test_the_policy_works(pages, made, name):
    found = opened(pages, made, name)
    page = found.page
    assert page.evaluate("fetch('https://example.org').then(() => 'went out', () => 'blocked')") == "blocked"
    page.evaluate("setTimeout(() => { try { window.made = eval('1') } catch (error) { window.made = 'blocked' } })")
    found.wait("window.made !== undefined")
    assert page.evaluate("window.made") == "blocked"


@pytest.mark.parametrize("name", ["compared", "evaluated"])
def test_ranks_have_a_line_for_each_system_and_a_point_for_each_value(pages, made, name):
    compared = made[1]
    page = opened(pages, made, name, shared=True).page
    assert page.locator("#ranks-of-systems .mark-line.role-mark path").count() == len(NAMES)
    points = page.locator("#ranks-of-systems .mark-symbol.role-mark path")
    assert points.count() == len(NAMES) * len(MEASURES)
    filled = page.locator("#ranks-of-systems .mark-symbol.role-mark path:not([fill='transparent'])").count()
    assert filled == sum(len(x) for x in compared.winners.values())
    seen = set()
    for tip in tips_of(page, points):
        measure = NAMED[tip["measure"]]
        assert tip["rank"].split(",")[0] == str(compared.ranks[measure][tip["system"]])
        assert tip["value"] == f"{compared.score(tip['system'], measure)['value']:.3f}"
        seen.add((tip["system"], tip["measure"]))
    assert len(seen) == points.count()


@pytest.mark.parametrize("name", ["compared", "evaluated"])
def test_the_forest_plot_shows_differences_on_hover(pages, made, name):
    compared = made[1]
    page = opened(pages, made, name, shared=True).page
    points = page.locator("#paired-differences .mark-symbol.role-mark path")
    assert points.count() == len(NAMES) * len(MEASURES)
    assert page.locator("#paired-differences .mark-group.role-scope.cell > g").count() == len(MEASURES)
    told = 0
    for tip in tips_of(page, points):
        measure = NAMED[tip["measure"]]
        if tip["verdict"] == "compared with":
            assert compared.ranks[measure][tip["system"]] == 1
            continue
        row = compared.difference(tip["system"], tip["compared with"], measure)
        assert tip["difference"].replace("−", "-") == f"{row['difference']:.3f}"
        assert (tip["verdict"] == "significant") == (tip["system"] not in compared.winners[measure])
        told += 1
    assert told == (len(NAMES) - 1) * len(MEASURES)


@pytest.mark.parametrize("name", ["compared", "evaluated"])
def test_agreement_has_a_cell_for_each_pair_of_measures(pages, made, name):
    compared = made[1]
    page = opened(pages, made, name, shared=True).page
    known = {(x["measure"], x["other"]): x["kendall"] for x in compared.agreement}
    cells = page.locator("#agreement-of-measures .mark-rect.role-mark path")
    assert cells.count() == len(MEASURES) ** 2
    for tip in tips_of(page, cells):
        pair = NAMED[tip["measure"]], NAMED[tip["and"]]
        expected = 1 if pair[0] == pair[1] else known.get(pair, known.get(pair[::-1]))
        assert float(tip["Kendall's τ"].replace("−", "-")) == pytest.approx(expected, abs=0.006)


@pytest.mark.parametrize("name", ["evaluated", "swept"])
def test_curves_along_the_threshold_have_their_best_points(pages, made, name):
    swept = made[3]
    page = opened(pages, made, name, shared=True).page
    lines = page.locator("#along-the-threshold .mark-line.role-mark path")
    assert lines.count() == len(NAMES) * len(MEASURES)
    points = page.locator("#along-the-threshold .mark-symbol.role-mark path[stroke='currentColor']")
    assert points.count() == len(NAMES) * len(MEASURES)
    for tip in tips_of(page, points):
        best = swept.best(NAMED[tip["measure"]], tip["system"], confidence=0.95)
        assert float(tip["threshold"].replace("−", "-")) == pytest.approx(best.threshold, abs=0.006)
        assert tip["value"] == f"{best.value:.3f}"
        assert f"interval {best.low:.3f}".replace("-", "−") in tip["remark"]


def test_curves_along_the_share_go_through_what_was_measured(pages, made):
    evaluated = made[2]
    page = opened(pages, made, "evaluated", shared=True).page
    moving = [x for x in MEASURES if x != "recall"]
    assert page.locator("#along-the-share .mark-line.role-mark path").count() == len(NAMES) * len(moving)
    points = page.locator("#along-the-share .mark-symbol.role-mark path[stroke='currentColor']")
    assert points.count() == len(NAMES) * len(moving)
    for tip in tips_of(page, points):
        assert tip["value"].replace("−", "-") == f"{evaluated.value(NAMED[tip['measure']], tip['system']):.3f}"
    tips = page.locator("#along-the-share .mark-symbol.role-mark path[opacity='0']")
    tip = tip_of(page, tips.nth(7))
    share = float(re.sub(r"[^\d.]", "", tip["prevalence of the positive class"])) / 100
    curve = gm.project(evaluated.matrix(tip["system"]), prevalence=0.5).curve(NAMED[tip["measure"]], points=41)
    near = curve.values[np.abs(curve.prevalence - share) < 0.013]
    assert any(float(tip["value"]) == pytest.approx(x, abs=0.001) for x in near)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (360, True)])
def test_nothing_is_in_the_way_of_anybody(pages, made, name, width, dark):
    """axe-core finds no violation, and the page does not scroll sideways."""
    page = opened(pages, made, name, width=width, dark=dark, shared=True).page
    assert violations(page, contrast="hostile" not in name) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("name", ["compared", "evaluated", "swept"])
def test_the_keyboard_reaches_every_chart_table_link_and_fold(pages, made, name):
    page = opened(pages, made, name).page
    wanted = "a, summary, select, button, input:checked, [tabindex='0']"
    shown = f'[...document.querySelectorAll("{wanted}")].filter(x => x.checkVisibility())'
    page.evaluate(f"{shown}.forEach((x, k) => x.dataset.stop = k)")
    stops = page.evaluate(f"{shown}.length")
    reached = set()
    for _ in range(stops + 5):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.dataset.stop"))
    assert {str(k) for k in range(stops)} <= reached


@pytest.mark.parametrize("name", ["hostile", "hostile-swept"])
def test_hostile_names_stay_text_in_charts_and_tips(pages, made, name):
    found = opened(pages, made, name, shared=True)
    page = found.page
    assert page.evaluate("document.querySelectorAll('img, svg script, main script:not([type])').length") == 0
    figures = page.locator("figure.chart")
    seen = set()
    for at in range(figures.count()):
        marks = figures.nth(at).locator(".mark-symbol.role-mark path:not([opacity='0']), .mark-rect.role-mark path")
        seen |= {text for tip in tips_of(page, marks) for text in tip.values()}
    for text in HOSTILE:
        start = text.split("\n")[0][:60]
        assert any(x.startswith(start) for x in seen), start
    assert found.said == []
    assert found.asked == [(made[0] / f"{name}.html").as_uri()]
    assert page.evaluate("document.querySelectorAll('img, .tip *:not(div)').length") == 0


def test_one_of_many_systems_is_chosen_from_a_list(pages, tmp_path):
    """Matrices of many classes are heat maps; those of many systems are one, with a list."""
    rng = np.random.default_rng(2)
    true = np.repeat(np.arange(22), 4)
    systems = {f"<b>{k}</b>": np.where(rng.random(88) < 0.5 + 0.05 * k, true, (true + 1) % 22) for k in range(5)}
    result = gm.evaluate(true, systems, measures=["accuracy", "mcc"])
    result.save(tmp_path / "r.html")
    found = pages.open(tmp_path / "r.html", unfolded=True)
    choice = found.page.locator("#confusion-0 select").first
    assert choice.locator("option").all_inner_texts() == list(systems)
    choice.select_option("2")
    shown = found.page.locator("#confusion-0 .mark-text.role-mark text").all_text_contents()
    assert sorted(shown) == sorted(str(x) for x in result.matrix("<b>2</b>").counts.ravel())
    assert found.said == []
    assert found.page.evaluate("document.querySelectorAll('main b').length") == 0


def test_what_is_folded_is_printed_and_nothing_falls_off_the_paper(pages, made):
    page = opened(pages, made, "evaluated", width=700, unfolded=False).page
    folded = page.locator("details.folded table").first
    assert not folded.is_visible()
    page.emulate_media(media="print")
    page.wait_for_function(  # the next frame is laid out for paper
        "document.querySelector('details.folded table').checkVisibility({ contentVisibilityAuto: true })"
    )
    right = "Math.max(...[...document.querySelectorAll('table, svg')].map(x => x.getBoundingClientRect().right))"
    assert page.evaluate(right) <= 700


def test_panels_stand_below_each_other_where_there_is_little_room(pages, made):
    def lefts(width):
        page = opened(pages, made, "compared", width=width, shared=True).page
        heads = "#paired-differences .role-column-header, #paired-differences .mark-group.role-scope.cell > g"
        places = f"[...document.querySelectorAll('{heads}')].map(x => Math.round(x.getBoundingClientRect().left))"
        return len(set(page.evaluate(places)))

    assert lefts(360) == 1 < lefts(1280)


@pytest.mark.parametrize("width", [1280, 1180, 1000, 820, 600, 360])
@pytest.mark.parametrize("name", ["compared", "swept"])
def test_panels_are_as_many_as_there_is_room_for(pages, made, name, width):
    """None is cut off at the right."""
    page = opened(pages, made, name, width=width, shared=True).page
    panels = "#paired-differences .canvas, #along-the-threshold .canvas"
    assert page.evaluate(f"[...document.querySelectorAll('{panels}')].map(x => x.scrollWidth - x.clientWidth)") == [0]
