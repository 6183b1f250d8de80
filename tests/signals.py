"""Signals that tests send to processes which they start."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def not_ignored(number: int) -> Iterator[None]:
    """Let processes that are started here react to a signal.

    Where tests run in the background of a script or under nohup, it is ignored, and every process inherits that.
    """
    before = signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(number, before)
