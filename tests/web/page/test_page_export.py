"""The static copy: the page on a plain file server, without a program behind it."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

import goodmeasure as gm
from goodmeasure.web.answers import what_if
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


def test_typed_matrices_have_values_and_intervals_as_examples_have(copy):
    copy.open("numbers")
    expect(copy.find("#scorecard .interval-plot").first).to_be_visible()
    copy.open("numbers?counts=50,3;4,21&class=ham&class=spam")
    result = gm.evaluate([[50, 3], [4, 21]], measures=["mcc", "accuracy"])
    for name, row in zip(("MCC", "Accuracy"), result.table, strict=False):
        cells = copy.find("#scorecard tbody tr").filter(has=copy.page.get_by_role("link", name=name, exact=True))
        expect(cells.locator("td").nth(0)).to_have_text(f"{row['value']:.3f}")
        expect(cells.locator("td").nth(1)).to_have_text(f"{row['low']:.3f} to {row['high']:.3f}")
    expect(copy.find("#scorecard")).to_contain_text("This is a static copy: chance levels, warnings")
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


def test_example_knows_its_baselines(copy):
    copy.open("what-if?source=scores&change=threshold")
    expect(copy.find("#baselines thead")).to_contain_text("random")
    expect(copy.find(".slider output")).to_be_visible()


@pytest.mark.parametrize(("name", "target"), [("mcc", "0.9"), ("f1", "0.88"), ("miss_rate", "0.1")])
def test_what_must_change_is_found_for_any_measure_and_target(copy, name, target):
    copy.open(f"what-if?counts=50,3;4,20&class=ham&class=spam&reach={name}&target={target}")
    found = what_if.to_reach(
        [what_if.Target(gm.ConfusionMatrix([[50, 3], [4, 20]], ["ham", "spam"]), gm.measure(name), float(target))]
    )[0]
    expect(copy.find("#reaching li")).to_have_count(len(found["ways"]))
    for item, way in zip(copy.find("#reaching li").all(), found["ways"], strict=True):
        expect(item).to_contain_text(way["text"])


def test_random_classifiers_of_a_typed_matrix_are_left_out_in_words(copy):
    copy.open("what-if?counts=50,3;4,21&class=ham&class=spam")
    expect(copy.find("#baselines")).to_contain_text("random: a static copy knows its scores for the examples only")
    expect(copy.find("#baselines tbody tr").first.locator("td").last).to_have_text("–")


def test_what_needs_a_program_says_so(copy):
    copy.open("measures/own%20formula")
    expect(copy.find("main")).to_contain_text("A static copy cannot read formulas.")
    assert copy.page.get_by_role("link", name="Compare systems").count() == 0
