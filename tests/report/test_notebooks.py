"""In real notebooks, and whatever these do to elements of outputs, a result looks as it does in the report."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time

import nbformat
import numpy as np
import pytest

import goodmeasure as gm
from tests.needs import needs_library

RNG = np.random.default_rng(1)
DIGITS = np.array(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
SETUP = """
import goodmeasure as gm
from tests.report.test_notebooks import shown
"""
CELLS = (
    "shown('result')", "shown('two classes')", "shown('comparison')", "shown('matrix')", "shown('properties')",
    "shown('recommendation')", "gm.mcc", "shown('result').table",
    "shown('result').chart('confusion')", "shown('result').chart('measures')",
)  # fmt: skip
HOST = """
dt { float: left; width: 20%; font-weight: bold; } dd { margin-left: 20%; } dl { display: grid; }
table { border-collapse: separate; border-spacing: 9px; table-layout: fixed; width: 130px; margin: 0 auto; }
th, td, tr { padding: 9px; max-width: 40px; white-space: nowrap; text-align: right; float: none; overflow: hidden; }
.output tbody tr:nth-child(odd) td { background: #333; position: relative; left: 30px; }
.output td, .output th { border: 3px solid red; line-height: 3; }
pre, code { font: 30px monospace; white-space: pre; padding: 20px; } small { float: right; width: 10px; }
p, li, ul { margin: 2em; padding: 1em; font-size: 20px; } svg { width: 40px; } label { display: block; }
div.output > div > div { line-height: .5; } strong { display: block; } fieldset { width: 60px; border: 9px solid; }
"""
"""What editors and sites do to elements in outputs, and worse."""

# Pieces of text that lie over each other, and what is cut off or sticks out, of what is not folded away.
FAULTS = """() => {
  const faults = [], pieces = [];
  const named = (node) => `${node.tagName}.${node.getAttribute("class") ?? ""} ${node.textContent.trim().slice(0, 40)}`;
  for (const root of document.querySelectorAll(".goodmeasure")) {
    const most = root.getBoundingClientRect().right + 1;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const parent = text.parentElement;
      if (!text.data.trim() || parent.closest("style, math") || !parent.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const box of range.getClientRects()) if (box.width > 1) pieces.push([box, parent]);
    }
    for (const node of root.querySelectorAll("*")) {
      if (!node.checkVisibility() || node.closest("svg, math")) continue;
      const box = node.getBoundingClientRect();
      if (box.right > most) faults.push(["sticks out", named(node)]);
      if (getComputedStyle(node).overflowX !== "visible" && node.scrollWidth > node.clientWidth + 1)
        faults.push(["is cut", named(node)]);
    }
    for (const card of root.querySelectorAll(".headline")) {
      const parts = [".name", ".big", ".span"].map((x) => card.querySelector(x)?.getBoundingClientRect());
      const isCard = parts.every((x, k) => !x || !parts[k - 1] || parts[k - 1].bottom <= x.top + 1);
      if (!isCard) faults.push(["no card", named(card)]);
    }
  }
  pieces.forEach(([one, owner], k) => {
    for (const [two, other] of pieces.slice(k + 1)) {
      const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
      const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
      if (wide > 1 && high > 4) faults.push(["overlap", named(owner), named(other)]);
    }
  });
  return faults;
}"""


# The colours of the first number and of what is behind it, as red, green and blue
INK = """() => {
  const of = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
  const number = document.querySelector(".goodmeasure .big");
  const back = getComputedStyle(document.querySelector(".jp-Notebook")).backgroundColor;
  return [of(getComputedStyle(number).color), of(back)];
}"""


def shown(what):
    """What a notebook shows."""
    y = RNG.integers(0, 10, 1797)
    systems = {name: np.where(RNG.random(1797) < share, y, RNG.integers(0, 10, 1797))
               for name, share in (("forest", 0.7), ("bayes", 0.76))}  # fmt: skip
    labels = {name: DIGITS[x] for name, x in systems.items()}
    made = {
        "result": lambda: gm.evaluate(DIGITS[y], labels),
        "two classes": lambda: gm.evaluate(y > 4, systems["bayes"] > 4),
        "comparison": lambda: gm.compare(DIGITS[y], labels),
        "matrix": lambda: gm.confusion(DIGITS[y], labels["bayes"]),
        "properties": lambda: gm.check(gm.f1, properties=["symmetry", "monotone"]),
        "recommendation": lambda: gm.recommend(classes=3),
    }
    return made[what]()


def notebook():
    cells = [nbformat.v4.new_code_cell(source) for source in (SETUP, *CELLS)]
    kernel = {"name": "python3", "display_name": "Python", "language": "python"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The address of a JupyterLab that shows all cells, asks nobody for news, and lets the page call its commands."""
    needs_library("jupyterlab")
    folder = tmp_path_factory.mktemp("lab")
    settings = folder / "user-settings" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    (settings / "tracker.jupyterlab-settings").write_text(json.dumps({"windowingMode": "none"}))
    (folder / "work").mkdir()
    nbformat.write(notebook(), folder / "work" / "looked.ipynb")
    here = os.getcwd()
    places = {f"JUPYTER_{x}_DIR": str(folder / x.lower()) for x in ("CONFIG", "RUNTIME", "DATA")}
    places["JUPYTERLAB_SETTINGS_DIR"] = str(folder / "user-settings")
    path = os.pathsep.join([here, f"{here}/src", os.environ.get("PYTHONPATH", "")])
    options = [
        *("--no-browser", "--allow-root", "--ServerApp.port=0", "--IdentityProvider.token=t"),
        *(f"--ServerApp.root_dir={folder / 'work'}", "--expose-app-in-browser", "--LabApp.news_url=None"),
        *("--LabApp.extension_manager=readonly", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"),
    ]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options], env={**os.environ, **places, "PYTHONPATH": path},
            stderr=log, stdout=log, cwd=folder,
        )  # fmt: skip
        try:
            yield _address(server, folder / "log")
        finally:
            server.terminate()
            server.wait(20)


def _address(server, log):
    """Where the server listens, as it says itself."""
    end = time.monotonic() + 60
    while (found := re.search(r"http://127\.0\.0\.1:\d+/", log.read_text())) is None:
        assert server.poll() is None, log.read_text()
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.1)
    return found[0]


@pytest.fixture(scope="module")
def lab_page(browser, lab):
    """The notebook in JupyterLab, with all cells run."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.route(lambda url: not url.startswith((lab, "blob:", "data:")), lambda route: route.abort())
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{lab}lab/tree/looked.ipynb?token=t")
    page.wait_for_function("window.jupyterapp?.shell?.currentWidget?.context?.sessionContext?.session?.kernel")
    page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_function(f"document.querySelectorAll('.jp-OutputArea-output').length >= {len(CELLS)}")
    page.wait_for_function("document.querySelectorAll('.vega-embed svg, .vega-embed canvas').length >= 2")
    yield page
    context.close()


def test_jupyterlab_shows_every_result_whole(lab_page):
    assert lab_page.locator(".jp-OutputArea-output .goodmeasure").count() == len(CELLS) - 2
    assert lab_page.evaluate(FAULTS) == []
    first = lab_page.locator(".goodmeasure").first
    assert first.locator(".headline").count() == 4
    matrix = first.locator(".seen .matrix")
    assert matrix.locator(".view-counts td.hit").count() == 10
    matrix.locator(".pick-row").check()
    assert [x.is_visible() for x in matrix.locator(".scroll").all()] == [False, True, False]
    assert lab_page.evaluate(FAULTS) == []
    lab_page.evaluate("jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    lab_page.wait_for_function("document.body.dataset.jpThemeLight === 'false'")
    ink, back = lab_page.evaluate(INK)
    assert min(ink) > 150 > 60 > max(back)  # light on dark


def test_nbconvert_shows_every_result_whole_and_charts_as_pictures(pages, tmp_path):
    from nbconvert import HTMLExporter
    from nbconvert.preprocessors import ExecutePreprocessor

    made = notebook()
    ExecutePreprocessor(kernel_name="python3").preprocess(made, {"metadata": {"path": os.getcwd()}})
    path = tmp_path / "looked.html"
    path.write_text(HTMLExporter().from_notebook_node(made)[0], encoding="utf-8")
    page = pages.open(path).page
    assert page.evaluate(FAULTS) == []
    pictures = page.locator("img[src^='data:image/svg']")
    assert pictures.count() == 2
    assert all(x.bounding_box()["width"] > 250 for x in pictures.all())
    assert "vegalite" not in page.locator("body").inner_text()


@pytest.mark.parametrize("width", [1280, 700])
def test_no_style_of_a_notebook_reaches_a_result(pages, tmp_path, width):
    views = (shown(x)._repr_html_() for x in ("result", "two classes", "comparison", "properties"))
    parts = "".join(f'<div class="output"><div>{view}</div></div>' for view in views)
    path = tmp_path / "styled.html"
    path.write_text(f'<!doctype html><meta charset="utf-8"><style>{HOST}</style>{parts}', encoding="utf-8")
    page = pages.open(path, width=width).page
    assert page.evaluate(FAULTS) == []


def test_the_check_of_the_geometry_sees_what_styles_can_do(pages, tmp_path):
    path = tmp_path / "bad.html"
    html = '<div class="goodmeasure"><dl><div><dt>Lowest recall</dt><dd>0.580</dd></div></dl></div>'
    path.write_text("<style>dt { float: left; width: 5px; white-space: nowrap; } dd { margin: 0 }</style>" + html)
    assert "overlap" in [kind for kind, *_ in pages.open(path).page.evaluate(FAULTS)]
