"""A time limit for one call of a function that somebody else wrote.

The limit is an alarm signal. Python handles a signal only between two of its own instructions, so a call that hangs
inside compiled code is not stopped by it. A process that is allowed to end (a worker that a parent watches) sets
``last_words`` to an open file: a little after the limit, its traceback is written there and the process ends, compiled
code or not.

A function may catch whatever is raised inside it. So the alarm is no `Exception`, it is raised again every second, and
a call that returns after the alarm counts as too slow whatever it returned. Limits may be nested: the outer one goes on
when the inner one ends. An alarm that comes while the block is being left is not raised, only noted: after a long call
of compiled code the first chance to handle it is there, where nothing would catch it.
"""

from __future__ import annotations

import contextlib
import faulthandler
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TextIO

last_words: TextIO | None = (
    None  # the file for the last traceback of a process that may be ended; None if it must not be
)
_GRACE = 2.0  # seconds between the alarm and the end of the process
_OWN = (__file__, contextlib.__file__)  # where a block is entered and left
_AGAIN = 1.0  # seconds after which the alarm is raised again, if it was caught


class TooSlow(ValueError):  # noqa: N818 - what is wrong is the function, not the limit
    """A function did not return in time."""


class _Alarm(BaseException):
    """The time is up; not an `Exception`, so that few handlers catch it."""


@contextmanager
def time_limit(seconds: float | None, what: Callable[[], str]) -> Iterator[None]:
    """Raise `TooSlow` inside the block after so many seconds, where the system can do that (POSIX, main thread)."""
    possible = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if seconds is None or not possible:
        yield
        return
    late = False

    def stop(_: int, frame: FrameType | None) -> None:
        nonlocal late
        late = True
        if frame is None or frame.f_code.co_filename not in _OWN:
            raise _Alarm

    start, before = time.monotonic(), signal.signal(signal.SIGALRM, stop)
    outer, again = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    if last_words is not None:
        faulthandler.dump_traceback_later(seconds + _GRACE, exit=True, file=last_words)
    try:
        yield
    except BaseException:
        if not late:
            raise
    finally:
        if last_words is not None:
            faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if outer:
            signal.setitimer(signal.ITIMER_REAL, max(outer - (time.monotonic() - start), 1e-3), again)
    if late:
        raise TooSlow(f"{what()} did not return within {seconds:g} s")
