"""A missing program is said aloud at the end of a run, with the reason, and fails it where CI is true."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ONE = "tests/report/test_browser.py::test_the_policy_works"
NAME = "program-that-nobody-has"


@pytest.mark.parametrize(("ci", "status"), [("", 0), ("true", 1)])
def test_a_run_without_a_browser_says_so(ci, status):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", ONE]
    bare = {**os.environ, "PATH": "/nowhere", "CI": ci}
    done = subprocess.run(command, cwd=ROOT, env=bare, capture_output=True, encoding="utf-8")
    assert done.returncode == status, done.stdout
    if not ci:
        *_, line, why = [x for x in done.stdout.splitlines() if x and not x.startswith("1 skipped")]
        assert "1 TESTS WERE SKIPPED BECAUSE CHROMIUM IS MISSING" in line
        assert why == "there is no chromium on the PATH" or "apt-get" in why
    else:
        assert "chromium is missing" in done.stdout


def install(folder, ci="", **programs):
    """Run the script with programs of our own before the system's."""
    for name, lines in programs.items():
        path = folder / name.replace("_", "-")
        path.write_text(f"#!/bin/sh\n{lines}\n")
        path.chmod(path.stat().st_mode | stat.S_IEXEC)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "CI": ci}
    command = [ROOT / "tests" / "install.sh", NAME, folder / "reason", "another-name"]
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")


@pytest.mark.parametrize(("ci", "status"), [("", 0), ("true", 1)])
def test_an_install_that_fails_says_why(tmp_path, ci, status):
    done = install(tmp_path, ci, id="echo 0", apt_get="echo 'E: no network' >&2; exit 100")
    assert done.returncode == status
    assert done.stderr == f"{NAME} is missing: apt-get could not install it (E: no network)\n"
    assert (tmp_path / "reason").read_text() == "apt-get could not install it (E: no network)\n"


def test_an_install_without_root_says_what_to_run(tmp_path):
    done = install(tmp_path, id="echo 1000", apt_get="exit 0")
    assert f"run apt-get install {NAME}" in done.stderr


def test_what_is_there_under_another_name_is_not_installed(tmp_path):
    (tmp_path / "reason").write_text("an old reason")
    done = install(tmp_path, id="echo 0", apt_get="exit 1", another_name="exit 0")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not (tmp_path / "reason").exists()
