"""Your numbers: a matrix that people type, paste or open, and its scorecard."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import goodmeasure as gm

HAM = "numbers?counts=50,3;4,20&class=ham&class=spam"


def value_of(explorer, title):
    """The value of a measure on the scorecard."""
    row = explorer.find("#scorecard tbody tr").filter(has=explorer.page.get_by_role("link", name=title, exact=True))
    return row.locator("td").first


def cell(explorer, true, predicted):
    return explorer.page.get_by_label(f"True {true}, predicted {predicted}", exact=True)


def matrix_on_page(explorer):
    rows = explorer.find(".counts tbody tr")
    return [[int(x.input_value()) for x in row.locator("input.cell").all()] for row in rows.all()]


def labels_on_page(explorer):
    return [field.input_value() for field in explorer.find(".counts tbody input.name").all()]


def test_the_first_visit_shows_an_example_with_its_scores(explorer):
    explorer.open("numbers")
    expect(explorer.find("#scorecard tbody tr").nth(5)).to_be_visible()
    assert explorer.find("#scorecard .interval-plot").count() > 5
    assert explorer.page.title() == "Your numbers · goodmeasure explore"


def test_scores_follow_the_typing(explorer):
    explorer.open(HAM)
    expect(value_of(explorer, "MCC")).to_have_text(f"{gm.mcc([[50, 3], [4, 20]]):.3f}")
    cell(explorer, "spam", "ham").fill("0")
    expect(value_of(explorer, "MCC")).to_have_text(f"{gm.mcc([[50, 3], [0, 20]]):.3f}")
    assert explorer.address_is() == "numbers?counts=50,3;0,20&class=ham&class=spam"


def test_values_are_shown_before_the_server_has_computed_their_intervals(explorer):
    explorer.open(HAM)
    expect(value_of(explorer, "MCC")).to_have_text(f"{gm.mcc([[50, 3], [4, 20]]):.3f}")
    explorer.page.wait_for_load_state("networkidle")  # the script that computes values has come
    explorer.page.route("**/api/evaluate", lambda route: None)  # a server that never answers
    cell(explorer, "spam", "ham").fill("0")
    expect(value_of(explorer, "MCC")).to_have_text(f"{gm.mcc([[50, 3], [0, 20]]):.3f}")
    expect(explorer.find("table.scorecard.stale")).to_have_count(1)
    explorer.page.unroute("**/api/evaluate")
    cell(explorer, "spam", "ham").fill("1")
    expect(explorer.find("table.scorecard:not(.stale)")).to_have_count(1)


def test_new_score_is_announced(explorer):
    explorer.open(HAM)
    cell(explorer, "spam", "ham").fill("1")
    expect(explorer.find("#spoken")).to_have_text(f"MCC is {gm.mcc([[50, 3], [1, 20]]):.3f}.")


def test_typing_fast_ends_with_the_newest_scores(explorer):
    explorer.open(HAM)
    cell(explorer, "spam", "spam").click()
    explorer.page.keyboard.type("12345", delay=5)
    expect(value_of(explorer, "Accuracy")).to_have_text(f"{gm.accuracy([[50, 3], [4, 12345]]):.3f}")


def test_arrow_keys_move_between_cells(explorer):
    explorer.open(HAM)
    cell(explorer, "ham", "ham").focus()
    explorer.page.keyboard.press("ArrowRight")
    expect(cell(explorer, "ham", "spam")).to_be_focused()
    explorer.page.keyboard.press("ArrowDown")
    expect(cell(explorer, "spam", "spam")).to_be_focused()
    explorer.page.keyboard.press("ArrowLeft")
    explorer.page.keyboard.press("ArrowLeft")
    expect(explorer.page.get_by_label("Name of class 2", exact=True)).to_be_focused()


def test_classes_are_added_renamed_and_removed(explorer):
    explorer.open(HAM)
    explorer.page.get_by_role("button", name="Add a class").click()
    explorer.page.keyboard.type("eggs")
    explorer.page.keyboard.press("Tab")
    assert labels_on_page(explorer) == ["ham", "spam", "eggs"]
    cell(explorer, "eggs", "eggs").fill("7")
    expect(value_of(explorer, "Accuracy")).to_have_text(f"{77 / 84:.3f}")
    explorer.page.get_by_role("button", name="Remove class ham").click()
    assert labels_on_page(explorer) == ["spam", "eggs"]
    assert matrix_on_page(explorer) == [[20, 0], [0, 7]]
    expect(value_of(explorer, "Accuracy")).to_have_text("1.000")


def test_two_classes_of_the_same_name_are_refused_beside_the_matrix(explorer):
    explorer.open(HAM)
    explorer.page.get_by_label("Name of class 2", exact=True).fill("ham")
    explorer.page.keyboard.press("Tab")
    expect(explorer.find(".matrix-editor .problem")).to_have_text("There is already a class “ham”.")


@pytest.mark.parametrize("typed", ["-1", "many", "1,2,3"])
def test_what_is_no_count_is_said_and_the_scores_stay(explorer, typed):
    explorer.open(HAM)
    expect(value_of(explorer, "Accuracy")).to_have_text(f"{70 / 77:.3f}")
    cell(explorer, "ham", "ham").fill(typed)
    expect(explorer.find(".matrix-editor .problem")).to_have_text(f"“{typed}” is not a count of 0 or more.")
    expect(cell(explorer, "ham", "ham")).to_have_attribute("aria-invalid", "true")
    cell(explorer, "ham", "ham").fill("1,050")
    expect(explorer.find(".matrix-editor .problem")).to_be_hidden()
    expect(value_of(explorer, "Accuracy")).to_have_text(f"{1070 / 1077:.3f}")


def test_empty_matrix_asks_for_counts(explorer):
    explorer.open("numbers?counts=0,0;0,0&class=a&class=b")
    expect(explorer.find("main")).to_contain_text("Enter some counts to see the scores.")


PASTED = {
    "a block of cells": ("1\t2\n3\t4", ["class 1", "class 2"], [[1, 2], [3, 4]]),
    "names in the first row and column": ("\tcat\tdog\ncat\t5\t1\ndog\t2\t7", ["cat", "dog"], [[5, 1], [2, 7]]),
    "names in the first row": ("cat,dog\n5,1\n2,7", ["cat", "dog"], [[5, 1], [2, 7]]),
    "names in the first column": ("cat;5;1\ndog;2;7", ["cat", "dog"], [[5, 1], [2, 7]]),
    "totals of a cross table": (
        "\tcat\tdog\tAll\ncat\t5\t1\t6\ndog\t2\t7\t9\nAll\t7\t8\t15",
        ["cat", "dog"],
        [[5, 1], [2, 7]],
    ),
    "as NumPy prints it": (
        "array([[50,  3],\n       [ 4, 20]])".removeprefix("array"),
        ["class 1", "class 2"],
        [[50, 3], [4, 20]],
    ),
    "as Python prints it": ("[[50, 3], [4, 20]]", ["class 1", "class 2"], [[50, 3], [4, 20]]),
    "cells between spaces": ("1 2\n3 4", ["class 1", "class 2"], [[1, 2], [3, 4]]),
    "names that are numbers": ("\t0\t1\n0\t5\t1\n1\t2\t7", ["0", "1"], [[5, 1], [2, 7]]),
}


@pytest.mark.parametrize("kind", PASTED)
def test_pasted_matrix_replaces_the_table(explorer, kind):
    text, labels, counts = PASTED[kind]
    explorer.open(HAM)
    cell(explorer, "ham", "ham").evaluate(
        "(field, text) => { const data = new DataTransfer(); data.setData('text/plain', text);"
        " const options = { clipboardData: data, bubbles: true, cancelable: true };"
        " field.dispatchEvent(new ClipboardEvent('paste', options)); }",
        text,
    )
    assert labels_on_page(explorer) == labels
    assert matrix_on_page(explorer) == counts


def test_pasting_through_the_field_works_and_says_what_is_wrong(explorer):
    explorer.open(HAM)
    explorer.page.get_by_role("button", name="Paste…").click()
    field = explorer.page.get_by_label("Counts, one row of the matrix in each line")
    expect(field).to_be_focused()
    field.fill("1,2,3\n4,5,6")
    explorer.page.get_by_role("button", name="Use these counts").click()
    expect(explorer.find("#pasted-problem")).to_have_text(
        "A confusion matrix is square; this one has 2 rows and 3 columns."
    )
    field.fill("1,2,3\n4,5,6\n7,8,9")
    explorer.page.get_by_role("button", name="Use these counts").click()
    assert matrix_on_page(explorer) == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    expect(value_of(explorer, "Accuracy")).to_have_text(f"{15 / 45:.3f}")


def test_every_example_can_be_started_from(explorer):
    explorer.open("numbers")
    picker = explorer.page.get_by_label("Start from")
    offered = [x.get_attribute("value") for x in picker.locator("option").all()]
    assert len(offered) > 5
    for example in offered[1:]:
        picker.select_option(example)
        expect(explorer.find("#scorecard tbody tr").first).to_be_visible()
    assert f"source={offered[-1]}" in explorer.address_is()


def test_hostile_names_stay_text(explorer):
    hostile = "<img src=x onerror=alert(1)>"
    explorer.open("numbers?counts=5,1;2,7&class=a&class=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E")
    assert labels_on_page(explorer) == ["a", hostile]
    expect(explorer.find("#scorecard tbody tr").first).to_be_visible()
    assert explorer.find("main img").count() == 0
    explorer.page.get_by_role("link", name="What if").click()
    explorer.shown("what-if")
    assert explorer.find("main img").count() == 0


def test_view_is_bookmarked_and_back_returns_to_it(explorer):
    explorer.open(HAM)
    cell(explorer, "ham", "spam").fill("9")
    explorer.page.get_by_role("link", name="What if").click()
    explorer.shown("what-if")
    expect(explorer.find("main h1")).to_be_focused()
    explorer.page.go_back()
    explorer.shown("numbers")
    assert matrix_on_page(explorer) == [[50, 9], [4, 20]]
    explorer.start(explorer.address_is())
    assert matrix_on_page(explorer) == [[50, 9], [4, 20]]
