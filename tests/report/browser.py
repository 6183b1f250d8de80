"""A real headless Chromium without a network, for tests of pages."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
AXE = ROOT / ".venv" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


def needed(what: str, found: bool) -> None:
    """Skip where a part is missing, aloud; in CI that is a failure."""
    if found:
        return
    message = f"{what} is not here: make test installs it where it can (as root, with apt-get and npm)"
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(message)
    pytest.skip(f"BROWSER: {message}")


@contextmanager
def chromium():
    """The browser."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    needed("Chromium", path is not None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        needed("Playwright", False)
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
