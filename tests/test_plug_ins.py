"""Other packages add measures and formats of logs by entry points; one that is broken harms nobody."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = """
import goodmeasure as gm

@gm.define("acme_score", title="Score of Acme", range=(0, 1), aliases=("acme",))
def acme_score(c):
    return c.ratio(c.tp, c.n)
"""


@pytest.fixture
def package(tmp_path: Path) -> dict[str, str]:
    """An environment in which a package is installed that adds to goodmeasure."""
    (tmp_path / "acme.py").write_text(MODULE)
    about = tmp_path / "acme-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[goodmeasure.measures]\nacme = acme\nbroken = acme_is_not_there\n")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]), "PYTHONWARNINGS": ""}


def said(package: dict[str, str], code: str) -> tuple[list[str], str]:
    done = subprocess.run([sys.executable, "-c", code], env=package, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr


def test_a_measure_of_another_package_is_found_by_its_name_and_listed(package):
    out, err = said(package, "import goodmeasure as gm\nf = gm.measure('acme')\nprint(f([[5, 1], [1, 3]]), f.title)")
    assert out == ["0.3 Score of Acme"]
    assert "acme_is_not_there offers 'broken' to goodmeasure.measures, and fails: ModuleNotFoundError" in err
    out, _ = said(package, "import goodmeasure as gm\nprint(any(f.name == 'acme_score' for f in gm.measures()))")
    assert out == ["True"]


def test_nothing_is_loaded_for_names_that_are_known(package):
    out, err = said(package, "import goodmeasure as gm, sys\ngm.measure('mcc')\nprint('acme' in sys.modules)")
    assert (out, err) == (["False"], "")
