"""Compare measures: the atlas, two measures side by side, and what is possible."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.page.explorer import Explorer


def names(explorer):
    return explorer.find("table.atlas tbody th").all_text_contents()


def test_atlas_is_filtered_by_properties(explorer):
    explorer.open("compare-measures")
    everything = len(names(explorer))
    assert everything > 100
    explorer.find("#property-distance").click()
    having = names(explorer)
    assert 0 < len(having) < everything
    assert explorer.find("table.atlas td[data-property=distance]:not(.proved)").count() == 0
    explorer.find("#property-constant_baseline").click()
    explorer.find("#property-constant_baseline").click()
    expect(explorer.find("#property-constant_baseline")).to_be_focused()
    assert explorer.find("table.atlas td[data-property=constant_baseline]:not(.refuted)").count() == 0
    place = explorer.address_is()
    assert "has=distance" in place
    assert "lacks=constant_baseline" in place
    kept = names(explorer)
    explorer.open(place)
    assert names(explorer) == kept
    explorer.page.get_by_role("button", name="Clear filters").click()
    assert len(names(explorer)) == everything


def test_atlas_is_searched_and_a_cell_leads_to_its_evidence(explorer):
    explorer.open("compare-measures")
    explorer.find("#atlas-search").fill("matthews")
    assert len(names(explorer)) < 5
    explorer.find("table.atlas td[data-measure=mcc][data-property=distance]").click()
    explorer.shown("measures")
    expect(explorer.find(".verdict[data-property=distance] details")).to_have_attribute("open", "")
    expect(explorer.find(".verdict[data-property=distance]")).to_be_in_viewport()


def test_two_measures_show_where_they_disagree(explorer):
    explorer.open("compare-measures/two?first=mcc&second=f1")
    pair = explorer.find("#disagreement .pair").first
    expect(pair.locator(".small-matrix")).to_have_count(2)
    expect(pair.locator(".star")).to_have_count(2)
    explorer.find("#second").focus()
    explorer.find("#second").select_option("kappa")
    expect(explorer.page).to_have_url(re.compile("second=kappa"))
    expect(explorer.find("#second")).to_be_focused()
    expect(explorer.find("main h3").nth(1)).to_have_text("Cohen's kappa")
    explorer.page.go_back()
    expect(explorer.find("main h3").nth(1)).to_have_text("F1 score")


def test_impossible_set_has_its_proof_and_a_way_out(explorer):
    explorer.open("compare-measures/possible")
    answer = explorer.find("#possible-answer")
    expect(answer).to_contain_text("Impossible: no measure has them together.")
    expect(answer.locator("pre").first).to_contain_text("add up to 0 > 0")
    answer.get_by_role("button", name="without distance").click()
    expect(answer).to_contain_text("Possible.")
    expect(answer).to_contain_text("has all of them")
    assert "want=monotone&want=constant_baseline" in explorer.address_is()


def test_row_of_the_map_asks_for_its_set(explorer):
    explorer.open("compare-measures/possible")
    explorer.find("table.map button").last.click()
    expect(explorer.find("#possible-answer")).to_contain_text("Possible.")
    expect(explorer.find("table.map tr.chosen")).to_have_count(1)


def test_names_of_measures_are_whole_on_a_phone(browser, explore_address):
    phone = Explorer(browser, explore_address, width=360).start("compare-measures")
    cut = "names => names.filter(name => name.scrollWidth > name.clientWidth).map(name => name.textContent)"
    assert phone.find("table.atlas tbody th").evaluate_all(cut) == []
    assert phone.find("table.atlas tbody th").count() > 50
    phone.close()
