"""Recommend: a task becomes a measure, with reasons."""

from __future__ import annotations

from playwright.sync_api import expect

import goodmeasure as gm


def best(explorer):
    return explorer.find("#recommendation h2.best-name")


def test_answers_lead_to_a_measure_with_reasons_and_lines_to_copy(explorer):
    explorer.open("recommend")
    explorer.page.get_by_label("Must scores be comparable to chance?").check()
    expect(best(explorer)).to_have_text(gm.measure(gm.recommend(classes=2, chance=True).best.name).title)
    card = explorer.find("#recommendation")
    expect(card).to_contain_text("Why")
    expect(card).to_contain_text("What you give up")
    expect(card).to_contain_text("--chance")
    assert explorer.address_is() == "recommend?chance=yes"
    card.get_by_role("button", name="Copy Metric statement").click()
    expect(card.get_by_role("button", name="Copy Metric statement")).to_have_text("Copied")


def test_what_is_given_up_shows_its_counterexample(explorer):
    explorer.open("recommend?chance=yes")
    given_up = explorer.find("#recommendation .verdict").first
    given_up.locator("summary").click()
    expect(given_up.locator(".inside")).to_be_visible()


def test_impossible_wish_is_explained(explorer):
    explorer.open("recommend?chance=yes&distance=yes")
    card = explorer.find("#recommendation")
    expect(card).to_contain_text("Impossible: no measure can have all of this.")
    expect(card).to_contain_text("No measure has distance, monotonicity and constant baseline")
    expect(card).to_contain_text("M[a b|c d] is the value on the matrix whose rows are (a, b) and (c, d).")
    expect(card.locator("pre").first).to_contain_text("0 > 0")
    explorer.page.get_by_role("button", name="Start again").click()
    expect(best(explorer)).to_be_visible()
    assert explorer.address_is() == "recommend"


def test_number_that_makes_no_sense_is_said_beside_it(explorer):
    explorer.open("recommend")
    explorer.find("#q-classes").fill("1")
    expect(explorer.find("#q-classes-problem")).to_have_text("A whole number of at least 2.")
    explorer.find("#q-classes").fill("4")
    expect(explorer.find("#q-classes-problem")).to_be_hidden()
    expect(explorer.find("#recommendation")).to_contain_text("--classes 4")


def test_an_answer_that_comes_late_takes_no_complaint_away(explorer):
    held = []
    explorer.page.route("**/api/recommend", lambda route: held.append(route))
    with explorer.page.expect_request("**/api/recommend"):
        explorer.open("recommend")
    explorer.find("#q-classes").fill("1")
    expect(explorer.find("#q-classes-problem")).to_have_text("A whole number of at least 2.")
    for route in held:
        route.continue_()
    expect(best(explorer)).to_be_visible()
    expect(explorer.find("#q-classes-problem")).to_have_text("A whole number of at least 2.")
    explorer.page.unroute("**/api/recommend")


def test_costs_are_a_table_of_the_right_size(explorer):
    explorer.open("recommend?classes=3&costs=0,1,1;1,0,1;1,1,0")
    expect(explorer.find("table.costs input")).to_have_count(9)
    explorer.open("recommend")
    explorer.find("#q-costs").check()
    expect(explorer.find("table.costs input")).to_have_count(4)
    explorer.page.get_by_label("Cost of predicting class 1 where class 2 is true").fill("5")
    expect(best(explorer)).to_contain_text("Average cost")
    assert "costs=0,1;5,0" in explorer.address_is()


def test_property_can_be_demanded_and_dropped(explorer):
    explorer.open("recommend")
    explorer.page.get_by_text("Ask for certain properties").click()
    explorer.find("#add-need").select_option("distance")
    expect(explorer.find("#recommendation")).to_contain_text("--need distance")
    explorer.page.get_by_role("button", name="Remove distance").click()
    expect(explorer.find("#recommendation")).not_to_contain_text("--need distance")


def test_an_address_is_not_overtaken_by_what_was_typed_before(explorer):
    explorer.open("recommend")
    explorer.find("#q-classes").fill("4")  # it is written into the address a moment later
    # The browser changes the address at once and tells the page in a task of its own; here the moment is over before.
    explorer.page.evaluate("(location.hash = '#/measures/f1', dispatchEvent(new Event('pagehide')))")
    explorer.shown("measures/f1")
    assert explorer.address_is() == "measures/f1"
    explorer.page.go_back()
    explorer.shown("recommend")
