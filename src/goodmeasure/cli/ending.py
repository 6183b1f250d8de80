"""How the command handles an early end: by a signal, for lack of memory, or because its output is closed."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_FAILED = 2
_INTERRUPTED = 1  # the exit status of click for Ctrl-C
_SIGNALLED = 128  # plus the number of the signal, as in shells

NO_MEMORY = (
    "there is not enough memory: allow the process more, or evaluate fewer items, systems, slices or groups at a time"
)
TOO_DEEP = "the input is nested too deeply to be read"


class _Received:
    """The signal that asked the command to end; later signals do not disturb the cleaning up."""

    def __init__(self) -> None:
        self.number: int | None = None

    def __call__(self, number: int, _: FrameType | None) -> None:
        if self.number is None:
            self.number = number
            raise KeyboardInterrupt

    def status(self, otherwise: str | int | None) -> str | int | None:
        """Return the exit status of a command that a signal ended, and `otherwise` for any other."""
        return otherwise if self.number is None else _SIGNALLED + self.number


@contextmanager
def ended_in_one_line() -> Iterator[None]:
    """Run a command so that whatever ends it early gives one line and an exit status.

    Nothing temporary is left behind.
    """
    _check_streams()
    with _listening() as received:
        try:
            yield
        except KeyboardInterrupt:
            _end("Aborted!", _INTERRUPTED if received.number is None else _SIGNALLED + received.number)
        except SystemExit as error:  # click has printed "Aborted!" already
            error.code = received.status(error.code)
            raise
        except (MemoryError, ImportError, RecursionError) as error:
            _end(f"error: {_said(error)}", _FAILED)


def _check_streams() -> None:
    """Refuse a closed standard output: the next file that is opened would take its place and be written to."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        _end("error: standard output is closed: send it to a file, or to /dev/null", _FAILED)


@contextmanager
def _listening() -> Iterator[_Received]:
    """Let the signals that end a process act like Ctrl-C; a signal that is ignored (as under nohup) stays ignored."""
    received = _Received()
    known = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    taken = [number for number in known if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, received)
    try:
        yield received
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _said(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"the package {error.name} is not installed: pip install {error.name}"
    if isinstance(error, ImportError):  # among others, a shared library that does not fit into memory
        lines = str(error).strip().splitlines()
        return f"a library cannot be loaded: {lines[-1] if lines else type(error).__name__}"
    return NO_MEMORY if isinstance(error, MemoryError) else TOO_DEEP


def _end(said: str, status: int) -> None:
    print(said, file=sys.stderr)
    sys.exit(status)
