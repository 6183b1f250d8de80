"""The browser that all tests of pages share."""

from __future__ import annotations

import pytest

from tests.report.browser import chromium


@pytest.fixture(scope="package")
def browser():
    with chromium() as found:
        yield found
