"""The command line as tests call it: in this process, or apart where streams, signals or imports are the subject."""

from __future__ import annotations

import contextlib
import inspect
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from goodmeasure.cli.main import main

# Until click 8.2, the two streams were mixed unless one asked for them apart.
_APART: dict[str, Any] = {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}


@dataclass(frozen=True)
class Done:
    """What a command left: its exit status and what it wrote, under pytest's names of the streams and click's."""

    exit_code: int
    out: str
    err: str

    @property
    def stdout(self) -> str:
        return self.out

    @property
    def stderr(self) -> str:
        return self.err

    @property
    def output(self) -> str:
        """Both streams, one after the other."""
        return self.out + self.err


def call(
    *arguments: object,
    cwd: Path | None = None,
    stdin: bytes | str | None = None,
    check: int | None = None,
    **environment: str,
) -> Done:
    """Run the command in this process, which takes a hundredth of the time of a process of its own.

    An exception that the command does not turn into a message fails the test. Where `check` is given, the command
    must end with that status.
    """
    with contextlib.chdir(cwd) if cwd is not None else contextlib.nullcontext():
        found = CliRunner(**_APART).invoke(
            main, [*map(str, arguments)], input=stdin, env=environment, catch_exceptions=False
        )
    return _checked(Done(found.exit_code, found.stdout, found.stderr), check)


def call_apart(
    *arguments: object,
    cwd: Path | None = None,
    stdin: bytes | None = None,
    check: int | None = None,
    **environment: str,
) -> Done:
    """Run the installed command in a process of its own, with real pipes."""
    found = subprocess.run(
        [sys.executable, "-m", "goodmeasure.cli", *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )
    return _checked(Done(found.returncode, found.stdout.decode(), found.stderr.decode()), check)


def _checked(done: Done, check: int | None) -> Done:
    assert check is None or done.exit_code == check, done.output
    return done
