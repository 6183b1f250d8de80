"""The browser that all tests of pages share."""

from __future__ import annotations

import pytest

from tests.report.browser import Pages, chromium


@pytest.fixture(scope="package")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def module_pages(browser):
    """The pages that the tests of a module open."""
    found = Pages(browser)
    yield found
    found.close()


@pytest.fixture
def pages(module_pages):
    """Opens pages; those that are not shared are closed after the test."""
    yield module_pages
    module_pages.close_own()
