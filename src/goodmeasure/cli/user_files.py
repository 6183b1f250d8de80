"""Load measures from a user's file (`file.py:function`) with clear errors, and watch them while they run."""

from __future__ import annotations

import contextlib
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from goodmeasure.catalogue.measure import Measure
from goodmeasure.exceptions import InputError
from goodmeasure.theory.subject import time_limits
from goodmeasure.theory.subject.time_limits import TooSlow, time_limit

_WATCHED = "GOODMEASURE_WATCHED"  # names the file to which a process that hangs writes why it was ended


def is_file(name: str) -> bool:
    """Return whether a name means a function in a file."""
    path, colon, function = name.rpartition(":")
    return bool(colon) and path.endswith(".py") and function.isidentifier()


def load(name: str, seconds: float) -> Callable[..., object]:
    """Return the function (or measure) that a file defines."""
    path, _, function = name.rpartition(":")
    if not Path(path).is_file():
        raise InputError("{got} is not a file", got=path, expected="FILE.py:FUNCTION")
    names = _run(path, seconds)
    found = names.get(function)
    if found is None:
        known = [x for x, value in names.items() if callable(value) and not x.startswith("_")]
        raise InputError(
            "{path} defines no {function}",
            path=path,
            function=function,
            defined=", ".join(known) or "no function",
            advice="it defines {defined}",
        )
    if not callable(found):
        raise InputError(
            "{function} in {path} is {found!r}",
            function=function,
            path=path,
            found=found,
            expected="a function of c or of a matrix",
        )
    if getattr(found, "__name__", "") == "<lambda>":
        setattr(found, "__name__", function)  # noqa: B010 - a function that a file defines may be any callable
    return found


def _run(path: str, seconds: float) -> dict[str, object]:
    beside = str(Path(path).resolve().parent)
    sys.path.insert(0, beside)  # the file can import modules beside it
    try:
        with time_limit(seconds, lambda: f"{path}, while it was read,"):
            return runpy.run_path(path, run_name="goodmeasure.user_file")
    except SyntaxError as error:
        where = error.filename if error.filename != path else path
        raise InputError("{where}, line {lineno}: {msg}", where=where, lineno=error.lineno, msg=error.msg) from None
    except SystemExit as error:
        raise InputError("{path} ended by sys.exit({code}) while it was read", path=path, code=error.code) from None
    except TooSlow:
        raise
    except Exception as error:  # noqa: BLE001 - somebody else's file may raise anything
        raise InputError(
            "{path} raised {kind}",
            path=path,
            kind=type(error).__name__,
            error=error,
            advice="{error} while it was read",
        ) from None
    finally:
        if beside in sys.path:
            sys.path.remove(beside)
        sys.path.append(beside)  # at the end: imports inside its functions find these modules, but shadow nothing


def typed(name: str, found: object) -> str:
    """Return the Python expression that loads the measure again, including modules beside its file."""
    path, _, function = name.rpartition(":")
    folder = str(Path(path).parent)
    beside = "" if folder == "." else f"__import__('sys').path.append({folder!r}) or "
    loaded = f"({beside}__import__('runpy').run_path({path!r}))[{function!r}]"
    if not beside:
        loaded = f"__import__('runpy').run_path({path!r})[{function!r}]"
    return loaded if isinstance(found, Measure) else f"gm.measure({loaded})"


@contextlib.contextmanager
def aside() -> Iterator[None]:
    """Send what a user's function prints to the error stream, so that JSON output stays valid."""
    with contextlib.redirect_stdout(sys.stderr):
        yield


def watched(limit: float) -> int | None:
    """Run this command again in a process that can be killed; return its exit status, or None inside that process.

    A signal stops Python code that runs too long, but not a loop inside compiled code; ending the process does.
    """
    if _WATCHED in os.environ:
        time_limits.last_words = open(os.environ.pop(_WATCHED), "w")  # noqa: SIM115 - stays open until the process ends
        return None
    with tempfile.TemporaryDirectory() as folder:
        words = Path(folder) / "last words"
        # -P: a module in the current folder, such as click.py, must not replace an installed one
        command = [sys.executable, "-P", "-m", "goodmeasure.cli", *sys.argv[1:]]
        status = subprocess.run(command, env={**os.environ, _WATCHED: str(words)}, check=False).returncode
        hung = words.exists() and words.read_text(errors="replace").startswith("Timeout")
    if hung:
        raise InputError("the function did not return within {limit:g} s", argument="measure", got=limit, limit=limit)
    return status
