"""One server and one browser for all tests of the page.

They live in a package of their own: while the browser is open, its event loop runs, and no other can.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from goodmeasure.web.export import export
from tests.report.browser import chromium
from tests.web.page.explorer import Explorer, served

expect.set_options(timeout=20_000)  # a machine may be busy; what comes at once is seen at once


@pytest.fixture(scope="package")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(scope="package")
def explore_address():
    with served() as found:
        yield found


@pytest.fixture(scope="package")
def exported(tmp_path_factory):
    """A folder with the static copy of the page; it takes some seconds to write."""
    folder = tmp_path_factory.mktemp("web") / "explore"
    export(folder)
    return folder


@pytest.fixture(scope="module")
def shared_explorer(browser, explore_address):
    """One page for the tests of a module."""
    found = Explorer(browser, explore_address)
    yield found
    found.close()


@pytest.fixture
def explorer(shared_explorer):
    """The page; after each test it must have been silent and have asked only its own server."""
    shared_explorer.said.clear()
    shared_explorer.asked.clear()
    yield shared_explorer
    shared_explorer.is_quiet()
