"""What if: sliders, trivial classifiers, and what a target would take."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import expect

import goodmeasure as gm
from tests.web.page.explorer import Explorer, served

HAM = "counts=50,3;4,20&class=ham&class=spam"
COUNTS = [[50, 3], [4, 20]]


def reading(explorer, measure):
    return explorer.find(f".reaction[data-measure='{measure}'] .now")


def slide(explorer, position):
    explorer.find("#lever").evaluate(
        "(slider, at) => { slider.value = at; slider.dispatchEvent(new Event('input', { bubbles: true })); }", position
    )


def test_every_measure_follows_the_prevalence(explorer):
    explorer.open(f"what-if?{HAM}")
    assert explorer.find(".reaction").count() > 5
    expect(reading(explorer, "mcc")).to_have_text(f"{gm.mcc(COUNTS):.3f}")
    slide(explorer, 10)  # 10%: 10 positions of 1% each, before the share of the data, which is in between
    expect(explorer.find(".slider output")).to_have_text("10.0%")
    projected = gm.project(COUNTS, prevalence=[0.9, 0.1], measures=["mcc", "f1"])
    expect(reading(explorer, "mcc")).to_have_text(f"{projected.value('mcc'):.3f}")
    expect(reading(explorer, "f1")).to_have_text(f"{projected.value('f1'):.3f}")
    assert "at=10" in explorer.address_is()


def test_items_move_from_cell_to_cell(explorer):
    explorer.open(f"what-if?{HAM}&change=move&from=1,0&to=1,1")
    slide(explorer, 3)
    expect(explorer.find(".slider output")).to_have_text("3 of 4")
    moved = [[50, 3], [1, 23]]
    expect(reading(explorer, "mcc")).to_have_text(f"{gm.mcc(moved):.3f}")
    expect(explorer.find(".reaction[data-measure='mcc'] .change")).to_have_class("change better")
    explorer.page.get_by_role("link", name="Use this matrix").click()
    explorer.shown("numbers")
    assert "counts=50,3;1,23" in explorer.address_is()


def test_slider_works_by_keyboard_and_says_its_value(explorer):
    explorer.open(f"what-if?{HAM}&change=move&from=1,0&to=1,1")
    explorer.find("#lever").focus()
    explorer.page.keyboard.press("ArrowRight")
    expect(explorer.find("#lever")).to_have_attribute("aria-valuetext", "1 of 4")
    expect(reading(explorer, "mcc")).to_have_text(f"{gm.mcc([[50, 3], [3, 21]]):.3f}")


def test_empty_cell_says_that_there_is_nothing_to_move(explorer):
    explorer.open("what-if?counts=5,0;2,7&class=a&class=b&change=move&from=0,1&to=0,0")
    expect(explorer.find("main")).to_contain_text("That cell is empty, so there is nothing to move.")


def test_threshold_moves_where_there_are_scores(explorer):
    explorer.open("numbers")
    examples = explorer.page.evaluate("fetch('api/examples.json').then(x => x.json())")
    scored = next((x for x in examples if x["sweep"]), None)
    if scored is None:
        pytest.fail("no example has scores")
    explorer.open(f"what-if?source={scored['id']}&change=threshold")
    slide(explorer, 0)
    tn, fp, fn, tp = scored["sweep"]["counts"][0]
    expect(reading(explorer, "mcc")).to_have_text(f"{gm.mcc([[tn, fp], [fn, tp]]):.3f}")


def test_without_scores_the_threshold_says_where_to_get_them(explorer):
    explorer.open(f"what-if?{HAM}&change=threshold")
    expect(explorer.find("main")).to_contain_text("This matrix comes without scores.")


def test_trivial_classifiers_are_beside_the_matrix(explorer):
    explorer.open(f"what-if?{HAM}")
    heads = explorer.find("#baselines thead th")
    expect(heads.first).to_be_visible()
    named = " ".join(heads.all_text_contents())
    assert all(word in named for word in ("perfect", "worst", "random", "always"))
    row = explorer.find("#baselines tbody tr").filter(
        has=explorer.page.get_by_role("link", name="Accuracy", exact=True)
    )
    values = row.locator("td").all_text_contents()
    assert values[0] == f"{70 / 77:.3f}"
    assert {"1.000", "0.000"} <= set(values[1:])


def test_what_must_change_is_found_and_can_be_tried(explorer):
    explorer.open(f"what-if?{HAM}")
    way = explorer.find("#reaching li").first
    expect(way).to_contain_text("MCC is then")
    value = way.inner_text().split("MCC is then ")[1][:5]
    way.locator("a").click()
    explorer.shown("what-if")
    expect(explorer.find("#change")).to_have_value("move")
    expect(reading(explorer, "mcc")).to_have_text(value)


def test_target_that_is_no_number_is_said_beside_it(explorer):
    explorer.open(f"what-if?{HAM}")
    explorer.find("#target").fill("high")
    expect(explorer.find("#target-problem")).to_have_text("The target must be a number.")
    explorer.find("#target").fill("0.5")
    expect(explorer.find("#target-problem")).to_be_hidden()
    expect(explorer.find("#reaching")).to_contain_text("has reached 0.500 already")


def test_more_classes_choose_whose_share_changes(explorer):
    explorer.open("what-if?counts=5,1,0;1,6,1;0,2,9&class=a&class=b&class=c")
    explorer.find("#of").select_option("a")
    expect(explorer.find(".slider label")).to_contain_text("Share of “a”")
    slide(explorer, 100)
    expect(reading(explorer, "accuracy")).not_to_have_text("undefined")


def test_no_curve_jumps_at_its_ends(explorer):
    """With no item of a class, balanced accuracy would leave the class out."""
    explorer.open("what-if?counts=90,5;4,1&class=a&class=b")
    ends = explorer.find(".ends").inner_text().split()
    assert ends == ["0.1%", "99.9%"]
    path = explorer.find("[data-measure=balanced_accuracy] path.line").get_attribute("d")
    heights = {float(point.split()[1]) for point in re.split("[ML]", path)[1:]}
    assert max(heights) - min(heights) < 0.2


def test_a_large_matrix_is_answered_with_what_was_tried(browser):
    """Sixty classes: the search says what it left out, and the table stays small."""
    counts = np.random.default_rng(0).integers(0, 300, (60, 60)) + 3000 * np.eye(60, dtype=int)
    with served() as address:
        explorer = Explorer(browser, address)
        rows = ";".join(",".join(map(str, row)) for row in counts.tolist())
        explorer.start(f"what-if?counts={rows}")
        expect(explorer.find("#reaching")).to_contain_text("most frequent kinds of errors were tried", timeout=60_000)
        expect(explorer.find("#baselines thead th")).to_have_count(9)
        explorer.is_quiet()
        explorer.close()
