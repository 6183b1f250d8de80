"""A real headless Chromium without a network, for tests of pages."""

from __future__ import annotations

import time
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.needs import needs

AXE = Path(str(files("axe_playwright_python").joinpath("axe.min.js")))
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--disable-site-isolation-trials",  # pages come from one place, and a spare process for each costs time
    "--renderer-process-limit=1",  # pages of one process compile the scripts that they share only once
]


MOST_SHARED = 6  # pages that stay open: with many, the browser spends its time on collecting garbage


@contextmanager
def chromium():
    """The browser."""
    path = needs("chromium")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


class Opened:
    """A page that has been opened, with everything it said and asked for; a browser full of open pages is slow."""

    def __init__(self, context, path, *, width=1280, dark=False, unfolded=False):
        self.page = context.new_page()
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme="dark" if dark else "light")
        self.said, self.asked = [], []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(Path(path).as_uri())
        self.wait(
            "document.querySelectorAll('figure.chart').length === document.querySelectorAll('figure.drawn').length"
        )

        if unfolded:
            self.page.evaluate("document.querySelectorAll('details').forEach(x => x.open = true)")

    def close(self):
        self.page.close()

    def wait(self, condition, seconds=20):
        """Poll, as waiting for functions needs eval, which the page's policy forbids."""
        end = time.monotonic() + seconds
        while not self.page.evaluate(condition):
            assert time.monotonic() < end, f"never came true: {condition}; the page said {self.said}"
            time.sleep(0.05)


def violations(page, *, contrast=True):
    """What axe-core objects to; most of its time goes into `contrast`, which names do not change."""
    if page.evaluate("typeof axe === 'undefined'"):  # it stays while only the part after # changes
        page.evaluate(AXE.read_text(encoding="utf-8"))
    rules = f"{{ 'color-contrast': {{ enabled: {str(contrast).lower()} }} }}"
    return page.evaluate(
        f"axe.run(document, {{ resultTypes: ['violations'], rules: {rules} }})"
        ".then(x => x.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 200))]))"
    )


class Pages:
    """Opens pages and closes them again; one that tests only look at or hover over is `shared` by them."""

    def __init__(self, browser):
        self.browser, self._shared, self._own = browser, {}, []
        self._context = browser.new_context(offline=True)  # one for all: each would have a process of its own

    def open(self, path, *, shared=False, width=1280, dark=False, unfolded=False):
        """The page, open and drawn, in front of the others."""
        options = {"width": width, "dark": dark, "unfolded": unfolded}
        key = (path, *options.values())
        found = self._shared.pop(key, None) if shared else None
        if found is None:
            found = Opened(self._context, path, **options)
        if shared:
            self._share(key, found)
        else:
            self._own.append(found)
        found.page.bring_to_front()  # those behind are not laid out
        found.page.mouse.move(0, 0)  # off what the test before hovered over
        return found

    def _share(self, key, page):
        """Keep a page for other tests as the latest, and close the one that nobody has asked for the longest."""
        self._shared[key] = page
        if len(self._shared) > MOST_SHARED:
            self._shared.pop(next(iter(self._shared))).close()

    def close_own(self):
        """Close the pages of one test."""
        while self._own:
            self._own.pop().close()

    def close(self):
        self._context.close()


def tip_of(page, mark):
    """What hovering over a mark shows, line by line."""
    mark.scroll_into_view_if_needed()
    mark.hover(force=True)
    return _lines(page.locator(".tip div").all_text_contents())


_MOVED_OVER = """marks => marks.map(mark => {
  const at = mark.getBoundingClientRect();
  const place = { bubbles: true, clientX: at.x + at.width / 2, clientY: at.y + at.height / 2 };
  for (const kind of ["pointermove", "mousemove"]) mark.dispatchEvent(new PointerEvent(kind, place));
  const tip = [...document.querySelectorAll(".tip div")].map(line => line.textContent);
  for (const kind of ["pointerout", "mouseout"]) mark.dispatchEvent(new PointerEvent(kind, place));
  return document.querySelector(".tip").hidden ? tip : ["the tip stays"];
})"""


def tips_of(page, marks, *, apart=True):
    """What hovering over each of many marks shows: by its events over all, and really over the first.

    Where marks may lie over each other, the pointer need not reach the first.
    """
    if not marks.count():
        return []
    found = [_lines(tip) for tip in marks.evaluate_all(_MOVED_OVER)]
    assert not apart or found[0] == tip_of(page, marks.first)
    return found


def _lines(tip):
    return dict(line.split(": ", 1) for line in tip)
