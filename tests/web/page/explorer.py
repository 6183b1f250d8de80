"""The page of `goodmeasure explore` in a real browser that reaches nothing but the server under test."""

from __future__ import annotations

import json
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from goodmeasure.web.application import ServerOptions, application
from goodmeasure.web.server import listening
from tests.report.browser import violations

TOKEN = "token-of-the-tests"
_GO = """place => {
  delete document.querySelector("main").dataset.shown;
  if (location.hash === place) history.replaceState(null, "", "#/");  // so that the same place is shown anew
  location.hash = place;
}"""


@contextmanager
def served(file: Path | None = None):
    """The address of a server that runs in this process."""
    sock = listening("127.0.0.1", 0)
    settings = uvicorn.Config(application(ServerOptions(TOKEN, "127.0.0.1", file)), log_level="error", lifespan="on")
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    end = time.monotonic() + 30
    while not server.started:
        assert time.monotonic() < end, "the server does not start"
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{sock.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join(10)
        sock.close()


class Explorer:
    """An open page, with everything that it said and asked for."""

    def __init__(self, browser, address: str, *, width: int = 1280, dark: bool = False):
        self.address = address
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light", accept_downloads=True
        )
        self.context.route(lambda url: not url.startswith((address, "blob:", "data:")), lambda route: route.abort())
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, place: str) -> Explorer:
        """Go to a place of the page (the part of the address after #/) and wait until it is shown.

        The page stays loaded. What is not in its address stays too, such as files that were read: `start` forgets them.
        """
        if not self.page.url.startswith(self.address):
            return self.start(place)
        self.page.evaluate(_GO, f"#/{place}")
        self._shown(f"[data-shown={json.dumps('#/' + place)}]")
        return self

    def start(self, place: str, *, token: bool = True) -> Explorer:
        """Load the page at a place."""
        query = f"?token={TOKEN}" if token else ""
        self.page.goto("about:blank")  # else only the part after # would change, and the page would not start anew
        self.page.goto(f"{self.address}{query}#/{place}")
        self._shown("[data-shown]")
        return self

    def shown(self, section: str) -> Explorer:
        """Wait until a section is shown."""
        self._shown(f"[data-shown^='#/{section}']")
        return self

    def _shown(self, condition: str) -> None:
        self.page.locator(f"main{condition}").wait_for()

    def find(self, selector: str):
        return self.page.locator(selector)

    def address_is(self) -> str:
        """The part of the address after #/, with what was typed last, which leaving the page puts into it."""
        return self.page.evaluate("(dispatchEvent(new Event('pagehide')), location.hash)").removeprefix("#/")

    def is_quiet(self) -> None:
        """The page said nothing on its console and asked nobody else."""
        assert not self.said, self.said
        foreign = [url for url in self.asked if not url.startswith((self.address, "blob:", "data:", "about:"))]
        assert not foreign, foreign

    def is_accessible(self, *, contrast: bool = True) -> None:
        """The page has no fault that axe-core knows, and does not scroll sideways."""
        faults = violations(self.page, contrast=contrast)
        assert not faults, faults
        root = "document.documentElement"
        needed, given = self.page.evaluate(f"[{root}.scrollWidth, {root}.clientWidth]")
        assert needed <= given, f"the page needs {needed} pixels and has {given}"

    def close(self) -> None:
        self.context.close()
