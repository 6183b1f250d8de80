"""Formats register themselves: a module in their folder is all that a new one needs."""

from __future__ import annotations

import sys

import pytest

import goodmeasure as gm
from goodmeasure.report import formats as folder
from goodmeasure.report.formats import format_of, formats, offered
from goodmeasure.report.formats.format import REGISTERED

MODULE = """
from goodmeasure.report.formats.format import Format, register

register(Format("shout", (".shout",), lambda result: result.report().title.upper(), place=9, media_type="text/shout"))
"""


@pytest.fixture
def shout(tmp_path, monkeypatch):
    """A further format, in a file of its own."""
    (tmp_path / "shout.py").write_text(MODULE)
    monkeypatch.setattr(folder, "__path__", [*folder.__path__, str(tmp_path)])
    before = list(REGISTERED)
    folder.load.cache_clear()
    formats.cache_clear()
    yield
    REGISTERED[:] = before
    sys.modules.pop("goodmeasure.report.formats.shout", None)
    folder.load.cache_clear()
    formats.cache_clear()


def test_the_formats_and_what_the_page_offers():
    assert list(formats()) == ["html", "markdown", "latex", "json", "csv", "junit"]
    assert {ending: x.media_type for ending, x in offered().items()} == {
        "html": "text/html", "md": "text/markdown", "tex": "text/x-tex", "json": "application/json", "csv": "text/csv",
    }  # fmt: skip


def test_a_module_in_the_folder_is_a_format(shout, tmp_path):
    assert format_of("r.shout") == "shout"
    assert offered()["shout"].media_type == "text/shout"
    gm.evaluate([0, 1, 1, 0], [0, 1, 0, 0]).save(tmp_path / "r.shout", title="quiet")
    assert (tmp_path / "r.shout").read_text() == "QUIET"
    with pytest.raises(gm.InputError, match=r"\.xml or \.shout"):
        format_of("r.pdf")
