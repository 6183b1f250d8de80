"""A time limit for one call of a function that somebody else wrote, and for one proof.

The limit counts processor time, so that results do not depend on how busy the machine is. A function may also wait for
something that never comes and use no processor time at all. So when the limit is over by the clock, the processor time
is checked: a process that was idle almost all the time is stopped, and one that was busy, or had to wait for a
processor, gets what is left of the limit.

The limit is an alarm signal. Python handles a signal only between two of its own instructions, so a call that hangs
inside compiled code is not stopped by it. A process that is allowed to end (a worker that a parent watches) sets
``last_words`` to an open file: a little after the limit, its traceback is written there and the process ends, compiled
code or not.

A function may catch whatever is raised inside it. So the alarm is no `Exception`, it is raised again every second, and
a call that returns after the alarm counts as too slow whatever it returned. Limits may be nested: whichever is over
first ends its own block. An alarm that comes while the block is being left is not raised, only noted: after a long call
of compiled code, Python handles it only at that moment, when nothing would catch the exception any more.
"""

from __future__ import annotations

import contextlib
import faulthandler
import signal
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from types import FrameType
from typing import TextIO

from goodmeasure.exceptions import InputError

last_words: TextIO | None = (
    None  # the file that gets the last traceback if the process may be ended; None if it must not be ended
)
_GRACE = 2.0  # seconds between the alarm and the end of the process
# Where a block is entered and left, and where Python would print an exception and go on
_NOT_HERE = (__file__, contextlib.__file__, weakref.__file__)
_AGAIN = 1.0  # seconds after which the alarm is raised again, if it was caught
_IDLE = 0.02  # a process that gets a smaller share of a processor than this is waiting for something else
_LEAST = 0.05  # seconds until processor time is checked again


def check_seconds(seconds: object, argument: str) -> None:
    """Refuse what is not a number of seconds."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds >= 0:
        raise InputError("{argument} is {got!r}", argument=argument, got=seconds, expected="a number of seconds")


class TooSlow(InputError):  # noqa: N818 - what is wrong is the function, not the limit
    """A function did not return in time."""


class _Alarm(BaseException):
    """The time is up; not an `Exception`, so that few handlers catch it."""


class Limit:
    """A limit that is running: its processor time is checked from time to time."""

    def __init__(self, seconds: float) -> None:
        self.ends = time.process_time() + seconds
        self.used, self.clock = time.process_time(), time.monotonic()
        self.enough = min(seconds, _AGAIN)  # seconds by the clock, after which a look shows whether the process is idle
        self.late = False

    def left(self) -> float:
        """Return the seconds that are left; 0 if all are used, or if the process was idle since the last look."""
        used, clock = time.process_time(), time.monotonic()
        if clock - self.clock >= self.enough:
            if used - self.used < _IDLE * (clock - self.clock):
                return 0.0
            self.used, self.clock = used, clock
        return max(0.0, self.ends - used)


_running: list[Limit] = []  # the limits of the blocks that the main thread is in, the outermost first


@contextmanager
def time_limit(seconds: float | None, what: Callable[[], str]) -> Iterator[Limit]:
    """Raise `TooSlow` inside the block after this many seconds of CPU time, or of idle waiting.

    The limit that is returned knows whether it was this one that was over. This needs a system that can do it (POSIX),
    and the main thread.
    """
    possible = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    limit = Limit(inf if seconds is None else seconds)
    if seconds is None or not possible:
        yield limit
        return
    before = signal.signal(signal.SIGALRM, _stop)
    _running.append(limit)
    _set()
    try:
        yield limit
    except BaseException:
        if not limit.late:
            raise
    finally:
        _running.remove(limit)
        _set()
        signal.signal(signal.SIGALRM, before)
    if limit.late:
        raise TooSlow("{call} did not return within {limit:g} s", call=what(), limit=seconds)


def _stop(_: int, frame: FrameType | None) -> None:
    """Note which limits are over, and leave the innermost block; an outer block is left by its own limit after that."""
    for limit in _running:
        limit.late = limit.late or not limit.left()
    if not any(x.late for x in _running):
        _set()
    elif frame is None or frame.f_code.co_filename not in _NOT_HERE:
        raise _Alarm
    else:
        _set()


def _set() -> None:
    """Set the alarm for the limit that is over first."""
    now = time.process_time()
    seconds = max(min((x.ends for x in _running), default=now) - now, _LEAST) if _running else 0.0
    if last_words is not None:
        if _running:
            faulthandler.dump_traceback_later(seconds + _GRACE, exit=True, file=last_words)
        else:
            faulthandler.cancel_dump_traceback_later()
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN if seconds else 0.0)
