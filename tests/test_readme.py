"""The README is true: its commands run, and what it shows is what they print."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import goodmeasure as gm
from goodmeasure.cli.demo import typed_command
from tests.cli.command import call

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


BIN = Path(sys.executable).parent  # not resolved: within a virtual environment Python is a link
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
COMMANDS = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
INSTALLING = ("pip install .", "make demo", "make test")  # what made this very run possible
PREDICTIONS = "label,pred_a,pred_b\n" + "ham,ham,spam\nspam,spam,spam\nham,spam,ham\n" * 10


def demo(cwd: Path, path: str) -> str:
    return call("demo", cwd=cwd, check=0, COLUMNS="160", PATH=path).out


def typed(line: str, cwd: Path, path: str) -> subprocess.CompletedProcess[str]:
    """A line as somebody types it into a shell."""
    wide = {**os.environ, "COLUMNS": "160", "PATH": path}
    return subprocess.run(["/bin/sh", "-c", line], capture_output=True, encoding="utf-8", cwd=cwd, env=wide)


def test_the_numbers_of_measures_and_verdicts_are_right():
    assert f"computes {len(gm.measures(takes='any'))}\nmeasures" in README
    properties = (ROOT / "docs" / "properties.md").read_text(encoding="utf-8")
    (open_, all_) = re.search(r"(\d+) of the ([\d,]+) verdicts of the atlas:", properties).groups()
    assert f"({open_} of {all_} questions are still open)" in README
    paper = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    assert f"It computes {len(gm.measures(takes='any'))} measures" in paper
    assert f"holds {all_} verdicts on measures and averages of them, of which {open_} are open" in paper


def test_the_demo_prints_what_its_page_shows(tmp_path):
    page = (ROOT / "docs" / "demo.md").read_text(encoding="utf-8")
    shown = re.search(r"<!-- demo -->\n```text\n(.*?)\n```\n<!-- /demo -->", page, re.DOTALL)
    assert shown is not None
    assert demo(tmp_path, f"{BIN}{os.pathsep}{os.environ['PATH']}").strip("\n") == shown.group(1)
    assert sorted(x.name for x in tmp_path.iterdir()) == ["goodmeasure-demo.csv", "goodmeasure-demo.html"]


@pytest.mark.parametrize("path", ["/usr/bin:/bin", f"{BIN}:/usr/bin:/bin"], ids=["not activated", "activated"])
def test_the_command_that_the_demo_names_works_as_typed(tmp_path, path):
    """`make demo` activates no environment, so the shell after it may not know `goodmeasure`."""
    line = demo(tmp_path, path).splitlines()[-1]
    done = typed(line, tmp_path, path)
    assert done.returncode == 0, done.stderr
    assert "bayes" in done.stdout


def test_the_demo_names_a_command_within_the_folder_by_its_relative_path(tmp_path, monkeypatch):
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "goodmeasure").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(sys, "executable", str(tmp_path / ".venv" / "bin" / "python"))
    assert typed_command() == ".venv/bin/goodmeasure"
    monkeypatch.setattr(sys, "executable", "/some where/python")
    assert typed_command() == "'/some where/python' -m goodmeasure.cli"


def test_every_block_of_commands_is_marked_as_one():
    assert {kind for kind, _ in BLOCKS} == {"sh", "python"}
    assert len(COMMANDS) >= 6


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_runs_as_printed(tmp_path, line):
    command = line.split("#")[0].strip()
    if command in INSTALLING:
        target = command.removeprefix("make ")
        assert command.startswith("pip ") or f"\n{target}:" in (ROOT / "Makefile").read_text(encoding="utf-8")
        return
    (tmp_path / "predictions.csv").write_text(PREDICTIONS)
    for name in ("main.csv", "may.csv", "june.csv"):  # of one system
        (tmp_path / name).write_text("label,pred\n" + "ham,spam\nspam,spam\nham,ham\n" * 10)
    program, *arguments = shlex.split(line, comments=True)
    assert program == "goodmeasure"
    done = call(*arguments, cwd=tmp_path, check=int("exit status 1" in line), COLUMNS="160")
    assert done.out
    assert "error" not in done.err


def test_the_quick_start_takes_six_lines_and_runs(tmp_path):
    code = next(text for kind, text in BLOCKS if kind == "python" and ">>>" not in text)
    assert len([line for line in code.splitlines() if line]) <= 6
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "accuracy" in done.stdout.lower()


def test_both_commands_stand_in_the_first_screen():
    first = "\n".join(README.splitlines()[:18])
    assert "pip install ." in first
    assert "make demo" in first
    assert "make test" in first


@pytest.mark.parametrize("page", re.findall(r"\]\((docs/[^)]+)\)", README))
def test_every_page_that_is_linked_exists(page):
    assert (ROOT / page).is_file()


def test_ci_runs_the_readmes_test_command_and_nothing_else():
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    commands = [x for x in lines if x and not x.startswith(("#", "set ", "cd "))]
    assert commands == ["make test"]


def test_the_generated_pages_are_up_to_date():
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        import generate
    finally:
        sys.path.pop(0)
    assert (ROOT / "docs" / "catalogue.md").read_text(encoding="utf-8") == generate.page(), "run make docs"
    assert (ROOT / "docs" / "errata.md").read_text(encoding="utf-8") == generate.errata(), "run make docs"
    assert (ROOT / "docs" / "options.md").read_text(encoding="utf-8") == generate.options(), "run make docs"
    properties = (ROOT / "docs" / "properties.md").read_text(encoding="utf-8")
    assert properties == generate.undecided(properties), "run make docs"
