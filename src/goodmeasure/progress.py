"""A progress bar for calls that take longer than two seconds, on terminals and in notebooks.

The outermost call shows it, whatever it calls in turn, and nothing is shown in pipes, logs and tests.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from importlib import import_module
from typing import ParamSpec, Protocol, TypeVar

PATIENCE = 2.0  # seconds before a bar appears
_EVERY = 0.2  # seconds between two updates in a notebook

Tick = Callable[[int, int], None]
_Asked = ParamSpec("_Asked")
_Found = TypeVar("_Found")


class Bar(Protocol):
    """What shows how far a call has come."""

    def start(self) -> None:
        """Appear, since the call takes long."""

    def tick(self, done: int, total: int) -> None:
        """Take down how much of the work is done; it may not be shown yet."""

    def stop(self) -> None:
        """Disappear."""


_SHOWN: ContextVar[Bar | None] = ContextVar("goodmeasure_progress", default=None)


def tick(done: int, total: int) -> None:
    """Tell the bar of the call in progress, if there is one, how much of the work is done."""
    bar = _SHOWN.get()
    if bar is not None:
        bar.tick(done, total)


@contextmanager
def progress(what: str) -> Iterator[Tick]:
    """Yield a function (done, total) to call along the way; a bar appears after two seconds."""
    bar = None if _SHOWN.get() is not None else _bar(what)
    if bar is None:
        yield tick
        return
    before, timer = _SHOWN.set(bar), threading.Timer(PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield tick
    finally:
        _SHOWN.reset(before)
        timer.cancel()
        timer.join()
        bar.stop()


def shows_progress(what: str) -> Callable[[Callable[_Asked, _Found]], Callable[_Asked, _Found]]:
    """Return a decorator: the function shows a bar with these words if it takes long."""

    def decorated(function: Callable[_Asked, _Found]) -> Callable[_Asked, _Found]:
        @wraps(function)
        def shown(*args: _Asked.args, **named: _Asked.kwargs) -> _Found:
            with progress(what):
                return function(*args, **named)

        return shown

    return decorated


def _bar(what: str) -> Bar | None:
    """Return the bar for where this process runs; None where nobody would see it."""
    if _in_notebook():
        return NotebookBar(what)
    stream = sys.stderr
    return TerminalBar(what) if stream is not None and stream.isatty() else None


def _in_notebook() -> bool:
    """Return whether this is a kernel of Jupyter, whose output is a page."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and getattr(shell, "kernel", None) is not None


class TerminalBar:
    """A bar by Rich on standard error, which is imported only when the bar appears."""

    def __init__(self, what: str) -> None:
        self._what, self._done = what, (0, 0)
        self._update: Tick | None = None
        self._stop: Callable[[], None] = lambda: None

    def start(self) -> None:
        from goodmeasure.packages import rich

        columns = (
            rich.progress.SpinnerColumn(),
            rich.progress.TextColumn("{task.description}"),
            rich.progress.BarColumn(),
            rich.progress.TimeElapsedColumn(),
        )
        bar = rich.progress.Progress(*columns, console=rich.console.Console(stderr=True), transient=True)
        task = bar.add_task(self._what, total=None)
        self._update = lambda done, total: bar.update(task, completed=done, total=total or None)
        self._stop = bar.stop
        self._update(*self._done)
        bar.start()

    def tick(self, done: int, total: int) -> None:
        self._done = done, total
        if self._update is not None:
            self._update(done, total)

    def stop(self) -> None:
        self._stop()


class _Handle(Protocol):
    """What IPython returns for an output that can be changed."""

    def update(self, drawn: dict[str, str], /, *, raw: bool) -> None:
        """Show this instead."""


class NotebookBar:
    """A bar in the output of a cell."""

    def __init__(self, what: str) -> None:
        self._what, self._done, self._began, self._last = what, (0, 0), time.monotonic(), 0.0
        self._show: Callable[[dict[str, str]], None] | None = None

    def start(self) -> None:
        display: Callable[..., _Handle] = import_module("IPython.display").display
        handle = display(self._drawn(), raw=True, display_id=True)
        self._show = lambda drawn: handle.update(drawn, raw=True)

    def tick(self, done: int, total: int) -> None:
        self._done = done, total
        if self._show is not None and time.monotonic() - self._last > _EVERY:
            self._last = time.monotonic()
            self._show(self._drawn())

    def stop(self) -> None:
        if self._show is not None:
            self._show({"text/plain": "", "text/html": ""})

    def _drawn(self) -> dict[str, str]:
        """Return the bar as text and as HTML."""
        (done, total), seconds = self._done, time.monotonic() - self._began
        share = f' max="{total}" value="{done}"' if total else ""
        said = f"{self._what}: {done} of {total}" if total else self._what
        return {"text/plain": f"{said}, {seconds:.0f} s", "text/html": f"<progress{share}></progress> {self._what}"}
