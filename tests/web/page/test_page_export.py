"""The static copy: the page on a plain file server, without a program behind it."""

from __future__ import annotations

import csv
import io
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
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


def dropped(copy, name: str, text: str) -> None:
    """Choose a file as a user does."""
    copy.page.set_input_files("#file", {"name": name, "mimeType": "text/csv", "buffer": text.encode()})


def test_a_csv_file_is_read_in_the_browser_and_goes_nowhere(copy):
    rng = np.random.default_rng(3)
    true = rng.choice(["ham", "spam"], 300, p=[0.8, 0.2])
    said = np.where(rng.random(300) < 0.85, true, "ham")
    rows = [f"{k},{a},{b},{'x' if k % 3 else 'y'}" for k, (a, b) in enumerate(zip(true, said, strict=True))]
    copy.start("numbers", token=False)
    expect(copy.find("#scorecard .interval-plot").first).to_be_visible()
    copy.page.wait_for_load_state("networkidle")
    asked: list[str] = []
    copy.page.on("request", lambda x: x.url.endswith("icon.svg") or asked.append(x.url))
    dropped(copy, "p.csv", "\n".join(["id,label,pred,site", *rows, ""]))
    expect(copy.find("body")).to_contain_text("The positive class is “spam”, the rarer one.")
    result = gm.evaluate(true, said, measures=["mcc"])
    (row,) = [x for x in result.table if x["class"] is None]
    cells = copy.find("#scorecard tbody tr").filter(has=copy.page.get_by_role("link", name="MCC", exact=True))
    expect(cells.locator("td").nth(0)).to_have_text(f"{row['value']:.3f}")
    expect(cells.locator("td").nth(1)).to_have_text(f"{row['low']:.3f} to {row['high']:.3f}")
    copy.find("#slices").select_option("site")
    part = gm.mcc(true[::3], said[::3], positive="spam")
    expect(copy.find("table.data tbody tr").filter(has_text="y").first).to_contain_text(f"{part:.3f}")
    assert asked == []


def test_a_file_of_scores_has_its_thresholds(copy):
    copy.start("numbers", token=False)
    dropped(copy, "s.csv", "label,score\n" + "0,0.2\n1,0.9\n0,0.6\n1,0.4\n" * 20)
    expect(copy.find("#scorecard")).to_contain_text("0.500")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("label,pred\n", "has no rows below its first line"),
        ("label,pred\na,b\na\n", "Row 3 of “p.csv” has 1 cell, and the first row has 2"),
        ('label,pred\n"a,b\n', "a quote is not closed"),
        ("label,pred\na,a\na,a\n", "The labels have one class only, “a”."),
        ("one,two,three\na,a,a\na,b,b\n", "Which column holds the true labels?"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_words(copy, text, said):
    copy.start("numbers", token=False)
    dropped(copy, "p.csv", text)
    expect(copy.find("body")).to_contain_text(said)


FILES = [pytest.param(40, id="forty"), pytest.param(1000, id="thousand", marks=pytest.mark.deep)]


@pytest.mark.parametrize("times", FILES)
def test_random_files_have_the_counts_and_values_of_python(copy, times, tmp_path):
    """Labels with quotes, marks, blanks and numbers, in any order; values are equal to 1e-12."""
    rng = np.random.default_rng(times)
    copy.start("numbers", token=False)
    read = """async (text) => {
        const { readLocal } = await import("./local_file.js");
        const { value } = await import("./measuring.js");
        const found = await readLocal(new File([text], "p.csv"));
        const [matrix] = Object.values(found.matrices);
        return [matrix, ["accuracy", "mcc", "kappa", "macro(f1)"].map((name) => value(name, matrix.counts))];
    }"""
    for _ in range(times):
        m = int(rng.integers(2, 6))
        names = rng.permutation(
            ["a", "b b", 'c"c', "d,d", "é", "f;f", "10", "9"] if rng.random() < 0.7 else [*"123456"]
        )
        true = rng.choice(names[:m], int(rng.integers(m * 5, 80)))
        said = np.where(rng.random(len(true)) < 0.6, true, rng.choice(names[:m], len(true)))
        if len({*true}) < 2:
            continue
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator=["\n", "\r\n"][int(rng.integers(2))]).writerows(
            [("label", "pred"), *zip(true, said, strict=True)]
        )
        (tmp_path / "p.csv").write_text(buffer.getvalue(), newline="", encoding="utf-8")
        result = gm.evaluate(tmp_path / "p.csv", measures=["accuracy", "mcc", "kappa", "macro(f1)"], confidence=None)
        matrix, values = copy.page.evaluate(read, buffer.getvalue())
        assert matrix["labels"] == [str(x) for x in result.matrix().labels]
        assert matrix["counts"] == result.matrix().counts.tolist()
        assert values == pytest.approx([result.value(x) for x in ("accuracy", "mcc", "kappa", "macro(f1)")], abs=1e-12)
