"""The workflows of a forge: they are what the project runs, and their steps work."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

import goodmeasure as gm

ROOT = Path(__file__).parent.parent
WORKFLOWS = {x.name: yaml.safe_load(x.read_text(encoding="utf-8")) for x in (ROOT / ".github/workflows").glob("*.yml")}
STEPS = [(name, s) for name, w in WORKFLOWS.items() for job in w["jobs"].values() for s in job.get("steps", ())]


def test_every_target_and_file_that_a_workflow_runs_is_there():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    commands = [line for _, step in STEPS for line in step.get("run", "").splitlines()]
    made = {x for line in commands for x in re.findall(r"\bmake ([a-z-]+)", line)}
    assert {"test", "deep", "coq", "wheels"} <= made <= targets
    assert [x for line in commands for x in re.findall(r"\btests/\S+", line) if not (ROOT / x).is_file()] == []
    used = {job["uses"] for w in WORKFLOWS.values() for job in w["jobs"].values() if "uses" in job}
    assert used == {"./.github/workflows/wheels.yml"}


def test_workflows_may_read_the_repository_and_nothing_else_without_a_reason():
    assert len(WORKFLOWS) >= 5
    assert all(w["permissions"] == {"contents": "read"} for w in WORKFLOWS.values())
    assert all(s["with"]["persist-credentials"] is False for _, s in STEPS if "checkout" in s.get("uses", ""))


@pytest.mark.parametrize(("tag", "status"), [(f"v{gm.__version__}", 0), ("v0.0.1", 1)])
def test_a_release_stops_where_the_tag_is_not_the_version(tag, status):
    (step,) = (s for name, s in STEPS if name == "release.yml" and "TAG" in s.get("env", {}))
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", step["run"]], cwd=ROOT, env={**os.environ, "TAG": tag}, check=False
    )
    assert done.returncode == status


def test_citations_name_the_version_of_the_package():
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == gm.__version__
