"""A short run of the fuzzer, and the proof that it sees what it looks for."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

from tests.fuzz.__main__ import _read, fuzzed
from tests.fuzz.damage import damaged, seeds


def test_damaged_files_of_every_format_are_a_result_or_one_line(tmp_path):
    """The same files at every run; `make fuzz` reads others, and more of them."""
    formats = len(seeds(Random(0)))
    number, findings = fuzzed(600, 4 * formats, 0, tmp_path / "kept")
    assert number == 4 * formats
    assert findings == []


def test_whole_files_of_every_format_are_read(tmp_path):
    """What is damaged is a file that would have been read."""
    paths = []
    for name, content in seeds(Random(1)).items():
        paths.append(tmp_path / f"1 {name}")
        paths[-1].write_bytes(content)
    code = (
        "from click.testing import CliRunner; import tests.fuzz.reading as r\n"
        "class Strict(CliRunner):\n"
        "  def invoke(self, *given):\n"
        "    done = super().invoke(*given); assert done.exit_code == 0, (given, done.output); return done\n"
        "r.CliRunner = Strict\n"
        "print([r.wrong(x) for x in FILES])"
    ).replace("FILES", repr([str(x) for x in paths]))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == str([None] * len(paths))


def test_a_traceback_and_a_crash_are_findings(tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(
        "import os, goodmeasure.counts.readers.files.file_formats as formats\n"
        "def recognised(path, *_):\n"
        "    if 'crash' in path.name: os.abort()\n"
        "    raise KeyError('trace')\n"
        "formats.recognised = recognised\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.getcwd(), *sys.path]))
    batch = [tmp_path / "0-0 crash", tmp_path / "0-1 trace"]
    for path in batch:
        path.write_text("y,A\na,a\n")
    crash, trace = _read(batch, tmp_path / "kept")
    assert "crash, status -6" in crash
    assert "KeyError: 'trace'" in trace
    assert sorted(x.name for x in (tmp_path / "kept").iterdir()) == ["0-0 crash", "0-1 trace"]


def test_damage_is_the_same_for_the_same_seed():
    whole = seeds(Random(3))["csv"]
    assert damaged(whole, Random(5)) == damaged(whole, Random(5)) != whole
