"""A bar appears when a call takes long, where somebody sees it, and nowhere else."""

from __future__ import annotations

import io
import sys
import time
from types import ModuleType, SimpleNamespace

import pytest

import goodmeasure as gm
from goodmeasure import progress as module
from goodmeasure.progress import progress, shows_progress, tick


class Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal_of(monkeypatch):
    """Return a terminal in place of standard error; pytest replaces that again after fixtures are set up."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    return stream


@pytest.fixture
def cell(monkeypatch):
    """What the cell of a notebook shows, one entry for each update."""
    shown = []
    handle = SimpleNamespace(update=lambda drawn, raw: shown.append(drawn))

    def display(drawn, *, raw, display_id):
        shown.append(drawn)
        return handle

    ipython, of_display = ModuleType("IPython"), ModuleType("IPython.display")
    ipython.get_ipython = lambda: SimpleNamespace(kernel=object())
    of_display.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", of_display)
    return shown


@shows_progress("working")
def work(seconds):
    for k in range(10):
        tick(k, 10)
        time.sleep(seconds / 10)
    return seconds


def test_a_terminal_shows_a_bar_after_two_seconds_and_not_before(monkeypatch):
    terminal = terminal_of(monkeypatch)
    assert module.PATIENCE == 2.0
    monkeypatch.setattr(module, "PATIENCE", 0.2)
    work(0.01)
    assert terminal.getvalue() == ""
    assert work(0.6) == 0.6
    assert "working" in terminal.getvalue()


def test_a_notebook_shows_a_bar_and_takes_it_away(monkeypatch, cell):
    monkeypatch.setattr(module, "PATIENCE", 0.2)
    work(0.01)
    assert cell == []
    work(0.9)
    assert any('value="' in x["text/html"] and "working" in x["text/plain"] for x in cell)
    assert cell[-1] == {"text/plain": "", "text/html": ""}


def test_only_the_outermost_call_shows_a_bar(monkeypatch):
    terminal = terminal_of(monkeypatch)
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    with progress("counting") as told:
        told(1, 2)
        work(0.3)
    assert "counting" in terminal.getvalue()
    assert "working" not in terminal.getvalue()


def test_pipes_show_nothing(monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    work(0.05)
    assert stream.getvalue() == ""


def test_evaluating_and_printing_tell_the_bar_how_far_they_are(monkeypatch):
    terminal_of(monkeypatch)
    told = []
    monkeypatch.setattr(module.TerminalBar, "tick", lambda self, done, total: told.append((self._what, done, total)))
    y, p = [0, 1, 2] * 10, [0, 1, 1] * 10
    result = gm.evaluate(y, p, by={"site": [0, 1] * 15})
    assert told[-1] == ("evaluating", 3, 3)
    result.to_text(full=True)
    assert told[-1] == ("preparing the report", 0, 1)
    seen = []
    gm.evaluate(y, p, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (1, 1)  # a callback of one's own is called as before
