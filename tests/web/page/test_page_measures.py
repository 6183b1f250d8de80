"""Measures: a page for each, and a formula of one's own."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import goodmeasure as gm

F1 = "2*tp / (2*tp + fn + fp)"
HAM = "counts=50,3;4,20&class=ham&class=spam"


def verdict(explorer, name):
    return explorer.find(f".verdict[data-property='{name}']")


def test_measure_has_formula_meaning_range_and_value(explorer):
    explorer.open(f"measures/mcc?{HAM}")
    card = explorer.find("main .card").nth(1)
    expect(card.locator("h2.best-name")).to_have_text("Matthews correlation coefficient")
    assert card.locator("math").count() > 0
    expect(card).to_contain_text("−1 … 1")
    expect(card).to_contain_text(f"{gm.mcc([[50, 3], [4, 20]]):.3f}")
    expect(card).to_contain_text("Gorodkin")
    assert "Matthews" in explorer.page.title()


def test_refuted_property_shows_its_smallest_counterexample_as_matrices(explorer):
    explorer.open("measures/kappa?property=strongly_monotone")
    shown = verdict(explorer, "strongly_monotone")
    expect(shown).to_have_attribute("data-status", "refuted")
    expect(shown.locator(".small-matrix")).to_have_count(2)
    assert shown.locator(".small-matrix").first.locator("td").all_text_contents() == ["0", "2", "1", "1"]
    expect(shown.locator(".score").first).to_contain_text("−0.500")


def test_proved_property_shows_its_proof(explorer):
    explorer.open("measures/kappa")
    shown = verdict(explorer, "monotone")
    expect(shown).to_have_attribute("data-status", "proved")
    shown.locator("summary").click()
    expect(shown.locator(".inside")).to_contain_text("Method:")


def test_verdicts_are_chosen_by_classes_and_domain(explorer):
    explorer.open("measures/mcc")
    expect(verdict(explorer, "monotone")).to_have_attribute("data-status", "proved")
    explorer.find("#classes").select_option("3")
    expect(verdict(explorer, "monotone")).to_have_attribute("data-status", "refuted")
    assert "classes=3" in explorer.address_is()


def test_list_is_searched_and_leads_to_pages(explorer):
    explorer.open("measures")
    explorer.find("#search").fill("jacc")
    links = explorer.find("#measure-list a")
    expect(links.first).to_contain_text("Jaccard")
    links.first.click()
    expect(explorer.find("h2.best-name")).to_contain_text("Jaccard")
    explorer.page.go_back()
    expect(explorer.find("h2.best-name")).to_contain_text("Matthews")
    explorer.find("#search").fill("no such name")
    expect(explorer.find("#measure-list")).to_have_text("No measure has such a name.")


def test_unknown_measure_in_the_address_is_said(explorer):
    explorer.open("measures/frob")
    expect(explorer.find("main")).to_contain_text("No measure is called “frob”.")


def test_curve_follows_the_margins_and_a_second_measure(explorer):
    explorer.open("measures/mcc?positives=90&negatives=90&predicted=60")
    expect(explorer.find("#curves")).to_contain_text("MCC runs from −0.707 to 0.707")
    explorer.find("#beside").select_option("kappa")
    expect(explorer.find("#curves path.line")).to_have_count(2)
    explorer.find("#margin-predicted").fill("500")
    expect(explorer.find("#margin-predicted-problem")).to_have_text("More than there are items.")


def test_own_formula_gets_value_form_and_verdicts_while_it_is_typed(explorer):
    explorer.open(f"measures/own%20formula?{HAM}")
    expect(explorer.find("#own-value")).to_contain_text(f"{gm.f1([[50, 3], [4, 20]]):.3f}")
    explorer.find("#formula").fill("c.ratio(c.tp, c.tp + c.fn + c.fp, otherwise=1)")
    expect(explorer.find("#own-value")).to_contain_text(f"{gm.jaccard([[50, 3], [4, 20]]):.3f}")
    assert explorer.find("main math").count() > 0
    expect(verdict(explorer, "maximal_agreement")).to_have_attribute("data-status", "proved", timeout=30000)
    expect(verdict(explorer, "constant_baseline")).to_have_attribute("data-status", "refuted", timeout=30000)
    assert verdict(explorer, "constant_baseline").locator(".small-matrix").count() > 0
    assert "formula=c.ratio" in explorer.address_is()


def test_mistake_in_a_formula_is_pointed_at(explorer):
    explorer.open(f"measures/own%20formula?{HAM}")
    explorer.find("#formula").fill("c.tp + * c.fn")
    expect(explorer.find("#formula-problem")).to_be_visible()
    expect(explorer.find(".where-position")).to_contain_text("▲")
    explorer.find("#formula").fill("__import__('os').system('true')")
    expect(explorer.find("#formula-problem")).to_be_visible()
    explorer.find("#formula").fill(F1)
    expect(explorer.find("#formula-problem")).to_be_hidden()


def test_the_list_begins_with_what_people_know(explorer):
    explorer.open("measures")
    first = explorer.find("#measure-list a").all_inner_texts()[:6]
    assert first == ["Accuracy", "Precision", "Recall", "F1 score", "Specificity", "Balanced accuracy"]
    assert explorer.find("#measure-list h3").first.text_content() == "Well known"
    assert explorer.find("#measure-list [aria-current=page]").count() == 1


@pytest.mark.parametrize(
    ("measure", "opening"),
    [
        ("mcc", "A sound measure: it rises"),
        ("f1", "Be careful with this measure: it "),
        ("accuracy", "A usable measure"),
    ],
)
def test_a_sentence_says_what_the_verdicts_mean(explorer, measure, opening):
    explorer.open(f"measures/{measure}")
    expect(explorer.find(".meaning").first).to_contain_text(opening)


def test_a_page_that_loads_says_so(explorer):
    explorer.start("measures")
    assert 'class="wheel"' in explorer.page.request.get(explorer.address).text()
