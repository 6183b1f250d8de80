"""The notebook of the examples runs from top to bottom in a real kernel, and its outputs show what they should."""

from __future__ import annotations

import base64
import re
from html import unescape
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("sklearn")
pytest.importorskip("matplotlib")

NOTEBOOK = Path(__file__).parents[2] / "examples" / "quickstart.ipynb"
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """The code cells after a run, by their last line."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    folder = tmp_path_factory.mktemp("notebook")
    client = nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    return {cell.source.splitlines()[-1]: cell for cell in notebook.cells if cell.cell_type == "code"}


def data(cell, kind):
    return [x.data[kind] for x in cell.outputs if kind in x.get("data", {})]


def page(cell):
    """The words of what a cell shows as HTML."""
    (html,) = data(cell, "text/html")
    without = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", without)).split())


def printed(cell):
    return "".join(x.text for x in cell.outputs if x.output_type == "stream" and x.name == "stdout")


def test_the_committed_notebook_has_no_outputs():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert all(not x.outputs and x.execution_count is None for x in notebook.cells if x.cell_type == "code")


def test_a_result_shows_the_first_screen_then_scorecard_slices_and_classes(cells):
    shown = page(cells["result"])
    order = [
        "228 items",
        "random guessing",
        "Confusion matrix",
        "Scorecard",
        "By slice",
        "large = True",
        "Class by class",
    ]
    assert [shown.index(x) for x in order] == sorted(shown.index(x) for x in order)
    classes = shown[shown.index("Each class against the rest") :]
    assert re.search(r"benign 143 .*malignant 85 ", classes)


@pytest.mark.parametrize(
    "line", ["result.plot.confusion()", 'compared.plot.differences("mcc")', 'swept.plot.thresholds("mcc")']
)
def test_a_plot_is_a_picture_in_the_cell_that_makes_it(cells, line):
    (picture,) = data(cells[line], "image/png")
    assert base64.b64decode(picture).startswith(PNG)
    assert len(picture) > 5_000


def test_print_shows_the_verdict_and_a_table(cells):
    shown = printed(cells["print(several)"])
    assert "significant" in shown
    assert "logistic regression: confusion matrix:" in shown
    assert "to_text(full=True) or --full shows " in shown


def test_warnings_are_records(cells):
    (cell,) = [x for line, x in cells.items() if "warning.text" in line]
    assert "malignant | Class 'malignant' is never predicted" in printed(cell)


def test_a_comparison_and_a_sweep_show_their_tables(cells):
    shown = page(cells["compared"])
    for text in ("* best value", "Paired differences", "majority class", "p, Holm"):
        assert text in shown
    assert "The best threshold of every measure" in page(cells["swept"])
    assert "Warning: A value at a threshold that was chosen" in page(cells["swept"])


def test_no_cell_writes_to_the_standard_error(cells):
    assert [x.text for cell in cells.values() for x in cell.outputs if x.get("name") == "stderr"] == []
