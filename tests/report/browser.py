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
]


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
    """A page that has been opened, with everything it said and asked for."""

    def __init__(self, browser, path, *, width=1280, dark=False):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light", offline=True
        )
        self.page = context.new_page()
        self.said, self.asked = [], []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(Path(path).as_uri())
        self.wait(
            "document.querySelectorAll('figure.chart').length === document.querySelectorAll('figure.drawn').length"
        )

    def wait(self, condition, seconds=20):
        """Poll, as waiting for functions needs eval, which the page's policy forbids."""
        end = time.monotonic() + seconds
        while not self.page.evaluate(condition):
            assert time.monotonic() < end, f"never came true: {condition}; the page said {self.said}"
            time.sleep(0.05)
