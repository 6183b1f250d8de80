"""The static copy: the page on a plain file server, without a program behind it."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

import goodmeasure as gm
from tests.web.page.explorer import Explorer


class Quiet(SimpleHTTPRequestHandler):
    """A plain file server that writes no log."""

    def log_message(self, *_):
        return


@pytest.fixture(scope="module")
def copy(browser, exported):
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(exported.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    found = Explorer(browser, f"http://127.0.0.1:{server.server_port}/explore/")  # in a folder, as on a shared server
    yield found
    found.close()
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def silent(copy):
    """The copy says nothing and asks nobody else."""
    copy.said.clear()
    copy.asked.clear()
    yield
    copy.is_quiet()


def test_examples_have_their_intervals_and_typing_gives_values(copy):
    copy.open("numbers")
    expect(copy.find("#scorecard .interval-plot").first).to_be_visible()
    copy.open("numbers?counts=50,3;4,21&class=ham&class=spam")
    row = copy.find("#scorecard tbody tr").filter(has=copy.page.get_by_role("link", name="MCC", exact=True))
    expect(row.locator("td").first).to_have_text(f"{gm.mcc([[50, 3], [4, 21]]):.3f}")
    assert copy.page.get_by_role("button", name="Open a file…").count() == 0


def test_sliders_move_and_baselines_are_there(copy):
    copy.open("what-if?counts=50,3;4,20&class=ham&class=spam&change=move&from=1,0&to=1,1")
    copy.find("#lever").focus()
    copy.page.keyboard.press("ArrowRight")
    expect(copy.find(".reaction[data-measure='mcc'] .now")).to_have_text(f"{gm.mcc([[50, 3], [3, 21]]):.3f}")
    expect(copy.find("#baselines tbody tr").first).to_be_visible()


def test_measures_have_their_pages(copy):
    copy.open("measures/macro(f1)")
    expect(copy.find("h2.best-name")).to_contain_text("F1")
    copy.open("measures/kappa?property=strongly_monotone")
    expect(copy.find(".verdict[data-property=strongly_monotone] .small-matrix")).to_have_count(2)


def test_measures_are_compared(copy):
    copy.open("compare-measures")
    expect(copy.find("table.atlas tbody tr").nth(100)).to_be_attached()
    copy.open("compare-measures/two?first=mcc&second=f1")
    expect(copy.find("#disagreement .pair").first).to_be_visible()
    copy.open("compare-measures/possible")
    expect(copy.find("#possible-answer")).to_contain_text("Impossible")


def test_common_tasks_have_their_recommendation(copy):
    copy.open("recommend")
    expect(copy.find("#recommendation h2.best-name")).to_have_text("Matthews correlation coefficient")
    copy.page.get_by_label("Must scores be comparable to chance?").check()
    expect(copy.find("#recommendation")).to_contain_text("--chance")


def test_task_that_was_not_prepared_is_said(copy):
    copy.open("recommend?chance=yes&across=yes&ordered=yes")
    expect(copy.find("#recommendation")).to_contain_text("A static copy has no answer to this combination.")


def test_example_knows_its_baselines_and_its_target(copy):
    copy.open("what-if?source=scores&change=threshold")
    expect(copy.find("#baselines thead")).to_contain_text("worst")
    expect(copy.find("#reaching")).to_contain_text("MCC is")
    expect(copy.find(".slider output")).to_be_visible()


def test_what_needs_a_program_says_so(copy):
    copy.open("measures/own%20formula")
    expect(copy.find("main")).to_contain_text("A static copy cannot read formulas.")
    assert copy.page.get_by_role("link", name="Compare systems").count() == 0
