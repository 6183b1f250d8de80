"""What is published: the source distribution and the wheel built from it, installed and used."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.floor import TOOLS, floors

ROOT = Path(__file__).parent.parent


def ran(*command: object, **options: object) -> str:
    """The output of a command that must succeed."""
    done = subprocess.run([str(x) for x in command], capture_output=True, text=True, **options)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The source distribution of a clean copy of the tree, and the wheel built from it."""
    folder = tmp_path_factory.mktemp("package")
    tracked = ran("git", "ls-files", "-co", "--exclude-standard", "-z", cwd=ROOT).split("\0")
    for name in filter(None, tracked):
        if (ROOT / name).is_file() and name.startswith(("src/", "pyproject", "setup", "README", "LICENSE")):
            (folder / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "tree" / name).write_bytes((ROOT / name).read_bytes())
    ran(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder / "dist", folder / "tree")
    sdist, wheel = sorted((folder / "dist").iterdir(), key=lambda path: path.suffix)
    return {"sdist": sdist, "wheel": wheel, "site": folder / "site"}


def test_the_source_distribution_holds_no_built_parts(built):
    with tarfile.open(built["sdist"]) as archive:
        names = archive.getnames()
    assert any(name.endswith("third_party_licenses.txt") for name in names)
    assert not [name for name in names if name.endswith(("vega.js", ".so"))]


def test_the_wheel_holds_the_chart_script_its_licences_and_the_stored_verdicts(built):
    with zipfile.ZipFile(built["wheel"]) as archive:
        names = {Path(name).name: name for name in archive.namelist()}
        script = archive.read(names["vega.js"]).decode()
    assert {"atlas.json.xz", "map.json.xz", "references.bib", "demo.csv", "report.css", "py.typed"} <= set(names)
    assert "University of Washington Interactive Data Lab" in script[:2000]
    assert "vegaEmbed" in script


def test_the_wheel_holds_every_file_of_the_page(built):
    page = ROOT / "src" / "goodmeasure" / "web" / "static"
    with zipfile.ZipFile(built["wheel"]) as archive:
        names = set(archive.namelist())
    expected = {x.relative_to(ROOT / "src").as_posix() for x in page.rglob("*") if x.is_file()}
    assert len(expected) > 10
    assert expected <= names


def test_an_installed_wheel_writes_a_report_without_vl_convert(built, tmp_path):
    options = ["--no-deps", "--no-index", "--no-compile", "--target", built["site"]]
    ran(sys.executable, "-m", "pip", "install", *options, built["wheel"])
    (tmp_path / "vl_convert.py").write_text("raise ImportError('not needed to use the package')\n")
    environment = {**os.environ, "PYTHONPATH": f"{built['site']}{os.pathsep}{tmp_path}"}
    code = "import goodmeasure, goodmeasure.cli.__main__ as entry; print(goodmeasure.__file__); entry.run()"
    out = ran(sys.executable, "-P", "-c", code, "demo", cwd=tmp_path, env=environment)
    assert str(built["site"]) in out
    assert "vegaEmbed" in (tmp_path / "goodmeasure-demo.html").read_text(encoding="utf-8")


def test_every_dependency_has_a_lower_bound_to_be_tested_with():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found = floors(project)
    needed = [*project["project"]["dependencies"], *project["dependency-groups"]["test"]]
    assert {re.split(r"[<>=\[]", x)[0] for x in needed} == {*found, *TOOLS}
    assert found["numpy"] == "2.1"
