"""The README is true: its commands run, and what it shows is what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def run(*arguments: str, cwd: Path) -> str:
    command = [sys.executable, "-m", "goodmeasure.cli", *arguments]
    wide = {**os.environ, "COLUMNS": "160"}
    return subprocess.run(command, capture_output=True, check=True, encoding="utf-8", cwd=cwd, env=wide).stdout


def test_the_demo_prints_what_the_readme_shows(tmp_path):
    shown = re.search(r"<!-- demo -->\n```text\n(.*?)\n```\n<!-- /demo -->", README, re.DOTALL)
    assert shown is not None
    assert run("demo", cwd=tmp_path).strip("\n") == shown.group(1)
    assert sorted(x.name for x in tmp_path.iterdir()) == ["goodmeasure-demo.csv", "goodmeasure-demo.html"]


def test_the_command_that_the_demo_names_works(tmp_path):
    said = run("demo", cwd=tmp_path).splitlines()[-1].split()
    assert said[:2] == ["goodmeasure", "evaluate"]
    assert "bayes" in run(*said[1:], cwd=tmp_path)


def test_both_commands_stand_in_the_first_screen():
    first = "\n".join(README.splitlines()[:18])
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
