"""Programs that some tests need and that pip cannot install: where one is missing, its tests are skipped aloud."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PROGRAMS = {"chromium": ("chromium", "chromium-browser", "google-chrome")}
"""The names under which a program may be installed, where they differ from the name that tests use."""


class Missing(pytest.skip.Exception):
    """A program is not here; the run ends with a line that says which tests were skipped for it, and why."""

    def __init__(self, program: str, why: str) -> None:
        super().__init__(f"{program} is missing: {why}")
        self.program, self.why = program, why


def needs(program: str) -> str:
    """The path of a program; without it the test is skipped, and fails where CI is true."""
    for name in PROGRAMS.get(program, (program,)):
        path = shutil.which(name)
        if path is not None:
            return path
    why = _why(program)
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(f"{program} is missing: {why}")
    raise Missing(program, why)


def _why(program: str) -> str:
    """What stopped `make test` from installing it."""
    said = Path(sys.prefix) / f"missing-{program}"
    return said.read_text(encoding="utf-8").strip() if said.is_file() else f"there is no {program} on the PATH"


def needs_library(module: str) -> None:
    """Skip a test aloud where a library of the test group is not installed; it fails where CI is true.

    Large libraries are in the group for one Python only, so that their absence says nothing with the others.
    """
    if find_spec(module) is not None:
        return
    why = "pip install --group test did not install it; large libraries are tested with Python 3.11 only"
    if os.environ.get("CI", "").lower() == "true" and sys.version_info[:2] == (3, 11):
        pytest.fail(f"{module} is missing: {why}")
    raise Missing(module, why)
