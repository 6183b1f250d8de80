"""Compare systems: a file with predictions becomes a verdict and a report."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import expect

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


def test_system_can_be_left_out(compared):
    compared.page.get_by_label("majority", exact=True).uncheck()
    expect(compared.find("#comparison table").first.locator("thead th")).to_have_count(4, timeout=60000)
    compared.page.get_by_label("bayes", exact=True).uncheck()
    compared.page.get_by_label("tree", exact=True).uncheck()
    expect(compared.find("#comparison")).to_have_text("Choose at least two systems to compare.")


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
