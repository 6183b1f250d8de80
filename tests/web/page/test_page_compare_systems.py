"""Compare systems: a file with predictions becomes a verdict and a report."""

from __future__ import annotations

from contextlib import suppress
from importlib.resources import files
from pathlib import Path

import openpyxl
import pytest
from playwright.sync_api import Error, expect

from tests.web.page.explorer import Explorer, served

DEMO = Path(str(files("goodmeasure.cli").joinpath("demo.csv")))


@pytest.fixture(scope="module")
def compared(shared_explorer):
    """The page with the demo's four systems compared."""
    shared_explorer.start("compare-systems")
    shared_explorer.page.get_by_role("button", name="Try it with the demo").click()
    expect(shared_explorer.find("#verdict")).to_be_visible(timeout=60000)
    return shared_explorer


def test_file_becomes_verdict_scores_differences_and_flips(compared):
    expect(compared.find("#verdict")).to_contain_text("tree")
    expect(compared.page.get_by_label("Positive class")).to_have_value("eight")
    compared.is_accessible()
    heads = compared.find("#comparison table").first.locator("thead th").all_text_contents()
    assert heads[1:] == ["linear", "tree", "bayes", "majority"]
    expect(compared.find("#comparison")).to_contain_text("Where the measures disagree")
    compared.find("#difference-measure").select_option("accuracy")
    expect(compared.page.get_by_role("region", name="Differences").locator("tbody tr")).to_have_count(6)
    compared.is_quiet()


def test_report_is_downloaded(compared):
    with compared.page.expect_download() as got:
        compared.page.get_by_role("button", name="Download the report").click()
    assert got.value.suggested_filename.endswith(".html")
    assert "<html" in Path(got.value.path()).read_text(encoding="utf-8")
    compared.is_quiet()


def test_options_can_be_set(compared):
    compared.page.get_by_text("Options", exact=True).click()
    field = compared.page.get_by_label("Confidence")
    expect(field).to_have_value("0.95")
    field.fill("0.8")
    field.press("Tab")
    expect(compared.find("#comparison")).to_contain_text("confidence=0.8", timeout=60000)
    compared.is_accessible()
    field.fill("")
    field.press("Tab")
    expect(compared.find("#comparison")).not_to_contain_text("confidence=0.8", timeout=60000)
    compared.is_quiet()


def test_system_can_be_left_out(compared):
    compared.page.get_by_label("majority", exact=True).uncheck()
    expect(compared.find("#comparison table").first.locator("thead th")).to_have_count(4, timeout=60000)
    compared.page.get_by_label("bayes", exact=True).uncheck()
    compared.page.get_by_label("tree", exact=True).uncheck()
    expect(compared.find("#comparison")).to_have_text("Choose at least two systems to compare.")


def test_a_workbook_is_opened_at_its_first_sheet_and_another_can_be_chosen(explorer, tmp_path):
    book = openpyxl.Workbook()
    for sheet, items in ((book.active, 40), (book.create_sheet("Long"), 60)):
        sheet.append(["label", "pred_a", "pred_b"])
        for k in range(items):
            sheet.append(["NA" if k == 7 else k % 2, k % 2, k % 3 % 2])
    book.save(tmp_path / "runs.xlsx")
    explorer.start("compare-systems")
    expect(explorer.find(".drop")).to_contain_text("Excel, SQLite, DuckDB")
    assert ".xlsx" in explorer.find("#systems-file").get_attribute("accept")
    explorer.find("#systems-file").set_input_files(tmp_path / "runs.xlsx")
    expect(explorer.find("#verdict")).to_be_visible(timeout=60000)
    expect(explorer.page.get_by_role("heading", name="runs.xlsx: 40 items")).to_be_visible()
    expect(explorer.page.get_by_text("'NA' (once)").first).to_be_visible()
    explorer.find("#systems-table").select_option("Long")
    expect(explorer.page.get_by_role("heading", name="runs.xlsx: 60 items")).to_be_visible(timeout=60000)
    expect(explorer.find("#comparison")).to_contain_text("runs.xlsx::Long", timeout=60000)
    explorer.is_accessible()
    explorer.is_quiet()


def test_file_that_is_no_table_is_refused_in_words(explorer, tmp_path):
    path = tmp_path / "picture.csv"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    explorer.start("compare-systems")
    explorer.find("#systems-file").set_input_files(path)
    expect(explorer.find("#comparison .problem")).to_be_visible()
    explorer.said.clear()  # the browser notes each refused request itself


DROPPED = """(area, text) => {
  const data = new DataTransfer();
  data.items.add(new File([text], "runs.csv"));
  area.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def test_columns_that_cannot_be_told_are_asked_for(explorer):
    rows = ["alpha,beta,gamma", *("x,x,y", "y,y,y", "x,y,x", "y,y,x") * 10]
    explorer.start("compare-systems")
    explorer.find(".drop").evaluate(DROPPED, "\n".join(rows))
    expect(explorer.find("main")).to_contain_text("Which column holds the true labels?")
    explorer.page.get_by_role("button", name="Read these columns").click()
    expect(explorer.find("main")).to_contain_text("Choose the column of the true labels.")
    explorer.find("#asked-true").select_option("alpha")
    for system in ("beta", "gamma"):
        explorer.page.get_by_label(system, exact=True).check()
    explorer.page.get_by_role("button", name="Read these columns").click()
    expect(explorer.find("#verdict")).to_contain_text("beta")


def test_file_opened_under_numbers_brings_its_systems(explorer):
    explorer.start("numbers")
    explorer.find("#file").set_input_files(DEMO)
    expect(explorer.find("#system")).to_be_visible(timeout=30000)
    explorer.find("#system").select_option("bayes")
    expect(explorer.page.get_by_label("True eight, predicted eight")).to_have_value("171")


def test_the_file_of_the_command_line_is_asked_about_like_any_other(browser, tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(["alpha,beta,gamma", "x,,x", *("x,x,y", "y,y,y", "x,y,x", "y,y,x") * 10]))
    with served(path) as address:
        explorer = Explorer(browser, address).start("numbers")
        explorer.find("#asked-true").select_option("alpha")
        for system in ("beta", "gamma"):
            explorer.page.get_by_label(system, exact=True).check()
        explorer.page.get_by_role("button", name="Read these columns").click()
        expect(explorer.find("main")).to_contain_text("1 item without a label is left out for beta.")
        expect(explorer.page.get_by_label("True x, predicted y")).to_have_value("10")
        explorer.open("compare-systems")
        expect(explorer.find("#verdict")).to_contain_text("beta", timeout=30000)
        explorer.is_quiet()
        explorer.close()


def test_without_the_token_uploads_are_refused_in_words(explorer):
    explorer.start("compare-systems", token=False)
    explorer.find("#systems-file").set_input_files(DEMO)
    expect(explorer.find("#comparison .problem")).to_be_visible()
    explorer.said.clear()


RUNS = "\n".join(["alpha,beta,gamma", *("x,x,y", "y,y,y", "x,y,x", "y,y,x") * 10])


def test_nothing_of_the_file_is_asked_for_without_the_token(browser, tmp_path):
    path = tmp_path / "secret.csv"
    path.write_text(RUNS)
    with served(path) as address:
        explorer = Explorer(browser, address)
        for section in ("numbers", "compare-systems"):
            explorer.start(section, token=False)
            explorer.page.wait_for_load_state("networkidle")
            expect(explorer.find("main .problem:visible")).to_have_count(0)
            expect(explorer.find("main")).not_to_contain_text("secret")
        assert not [url for url in explorer.asked if "/api/upload/" in url]
        explorer.is_quiet()
        explorer.close()


@pytest.fixture
def slow(browser, tmp_path):
    """A page whose server was given a file and is slow to read it; `answer` lets the answer come."""
    path = tmp_path / "runs.csv"
    path.write_text(RUNS)
    held = []

    def answer():
        with suppress(Error):  # the page no longer waits for it
            held.pop().fulfill(json={"kind": "matrix", "matrix": {"labels": ["no", "yes"], "counts": [[1, 2], [3, 4]]}})
        explorer.page.wait_for_timeout(300)

    with served(path) as address:
        explorer = Explorer(browser, address)
        explorer.page.route(lambda url: "given=" in url, lambda route: held.append(route))
        explorer.answer = answer
        yield explorer
        explorer.is_quiet()
        explorer.close()


def test_a_file_that_was_chosen_later_is_not_overtaken(slow):
    slow.start("compare-systems")
    expect(slow.find("#comparison")).to_contain_text("Reading runs.csv")
    slow.find("#systems-file").set_input_files(DEMO)
    expect(slow.find("#verdict")).to_be_visible(timeout=60000)
    slow.answer()
    expect(slow.find("#verdict")).to_be_visible()
    expect(slow.find("main h2").first).to_contain_text("demo.csv")


def test_numbers_that_were_typed_while_a_file_was_read_stay(slow):
    slow.start("numbers")
    expect(slow.find("main")).to_contain_text("Reading runs.csv")
    slow.find("table input").last.fill("77")
    slow.answer()
    expect(slow.find("table input").last).to_have_value("77")
    expect(slow.find("main")).not_to_contain_text("Reading runs.csv")


def test_a_file_that_is_read_after_its_section_was_left_changes_no_other(slow):
    slow.start("numbers")
    expect(slow.find("main")).to_contain_text("Reading runs.csv")
    slow.open("measures/f1")
    slow.answer()
    assert slow.address_is() == "measures/f1"
    slow.page.get_by_role("link", name="Your numbers").click()
    expect(slow.page.get_by_label("True yes, predicted no")).to_have_value("3")


def test_what_if_begins_with_the_numbers_of_the_command_lines_file(slow):
    slow.start("numbers")
    expect(slow.find("main")).to_contain_text("Reading runs.csv")
    slow.page.get_by_role("link", name="What if").click()
    slow.page.wait_for_timeout(300)
    expect(slow.find("main")).not_to_contain_text("Your matrix has")
    slow.answer()
    expect(slow.find("main")).to_contain_text("Your matrix has 10 items in 2 classes.")
    slow.page.get_by_role("link", name="Your numbers").click()
    expect(slow.page.get_by_label("True yes, predicted no")).to_have_value("3")


def test_columns_that_were_chosen_under_compare_systems_hold_under_numbers(browser, tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text(RUNS)
    with served(path) as address:
        explorer = Explorer(browser, address).start("compare-systems")
        explorer.find("#asked-true").select_option("beta")
        for system in ("alpha", "gamma"):
            explorer.page.get_by_label(system, exact=True).check()
        explorer.page.get_by_role("button", name="Read these columns").click()
        expect(explorer.find("#verdict")).to_be_visible(timeout=60000)
        explorer.page.get_by_role("link", name="Your numbers").click()
        expect(explorer.find("#true-column")).to_have_value("beta")
        expect(explorer.page.get_by_label("True y, predicted x")).to_have_value("10")
        explorer.is_quiet()
        explorer.close()


def test_an_empty_column_is_left_out_and_a_bad_file_asks_for_columns(explorer):
    rows = ["label,pred_a,pred_b,pred_c", *("x,x,,y", "y,y,,y", "x,y,,x") * 10]
    explorer.start("compare-systems")
    explorer.find(".drop").evaluate(DROPPED, "\n".join(rows))
    expect(explorer.find("#comparison table").first.locator("thead th")).to_have_text(["Measure", "pred_a", "pred_c"])
    expect(explorer.find("main")).to_contain_text("pred_b is left out")
    explorer.find(".drop").evaluate(DROPPED, "\n".join(["label,pred,other", *("x,,x", "y,,y") * 10]))
    expect(explorer.find("#asked-true")).to_have_value("label")
    expect(explorer.page.get_by_label("pred", exact=True)).to_be_checked()
    expect(explorer.find("main .column-form")).to_contain_text("runs.csv")
    expect(explorer.find("main .problem:visible").first).to_be_visible()
