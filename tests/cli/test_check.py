"""`goodmeasure check`, `atlas` and `reproduce`: tables, JSON, exit status, and users' files."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter

import pytest

import goodmeasure as gm
from goodmeasure.cli import user_files
from tests.cli.command import call, call_apart

FILE = """
import math
print("a file may print")

def mine(c):
    return c.ratio(c.tp + c.tn, c.n)

def breaks(c):
    return {}["key"]

def says(c):
    return "good"

def endless(c):
    while True:
        pass

def endless_inside(c):
    return sum(range(10**14))

number = 3
"""


def replayed(line: str, cwd):
    """What the line that replays a counterexample shows, in a new Python that knows nothing of this one."""
    before, _, shown = line.rpartition("; ")
    command = [sys.executable, "-c", f"{before}; print({shown})"]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout.splitlines()[-1]


@pytest.fixture
def unwatched(monkeypatch, tmp_path):
    """Have a user's file read in this process, as it is in the one that the command starts for it."""
    monkeypatch.setattr(user_files, "watched", lambda limit: None)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "own.py").write_text(FILE)
    (tmp_path / "bad.py").write_text("def f(c:\n    return 1\n")
    (tmp_path / "hangs.py").write_text("while True:\n    pass\n")
    (tmp_path / "lacks.py").write_text("import no_such_module_anywhere\n")
    return tmp_path


def test_check_prints_a_table_and_replayable_counterexamples():
    result = call("check", "f1", "-p", "Mon", "-p", "symmetry")
    assert result.exit_code == 0
    assert "✗2" in result.stdout
    assert "✓" in result.stdout
    assert "M.exact([[0, 1], [1, 0]]) < M.exact([[1, 0], [1, 0]])" in result.stdout


def test_check_as_json_holds_witnesses_and_certificates():
    data = json.loads(call("check", "jaccard", "-p", "Mon", "-p", "Sym", "--json").stdout)["verdicts"]
    assert [x["property"] for x in data] == ["monotone", "symmetry"]
    assert data[0]["witness"]["exhibits"][0]["matrix"] == [[0, 1], [1, 0]]
    assert data[1]["certificate"]["statement"] == "symmetry"


def test_what_is_required_decides_the_exit_status():
    assert call("check", "accuracy", "--require", "Mon", "--require", "Sym").exit_code == 0
    failed = call("check", "f1", "-p", "Sym", "--require", "Mon")
    assert failed.exit_code == 1
    assert "required but refuted: monotone" in failed.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "jacard"), "did you mean 'jaccard'"),
        (("check", "f1", "-p", "monoton"), "did you mean 'monotone'"),
        (("check", "f1", "--classes", "3"), "f1 is for two classes"),
        (("check", "f1", "--domain", "odd"), 'use "all"'),
        (("check", "own.py"), "say which function, as in own.py:my_measure"),
        (("reproduce", "goesgens2021:table99"), "goesgens2021:table99"),
        (("atlas", "jacard"), "did you mean 'jaccard'"),
    ],
)
def test_bad_input_is_one_line_with_status_2(arguments, said):
    result = call(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_function_of_a_file_is_checked(folder):
    result = call_apart("check", "own.py:mine", "-p", "Mon", "-p", "CB", "--json", cwd=folder, check=0)
    data = json.loads(result.stdout)["verdicts"]
    assert [x["status"] for x in data] == ["proved", "refuted"]
    assert replayed(data[1]["witness"]["replay"], folder) == "False"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("own.py:breaks", "breaks raised KeyError: 'key'"),
        ("own.py:says", "says: the definition returned 'good'"),
        ("own.py:endless", "did not return within 0.5 s"),
        ("own.py:number", "number in own.py is 3"),
        ("own.py:nothing", "own.py defines no nothing: it defines mine, breaks"),
        ("bad.py:f", "bad.py, line 1: '(' was never closed"),
        ("hangs.py:f", "hangs.py, while it was read, did not return within 0.5 s"),
        ("lacks.py:f", "lacks.py raised ModuleNotFoundError"),
        ("gone.py:f", "gone.py is not a file"),
    ],
)
def test_a_file_that_does_not_work_is_one_line(folder, name, said, unwatched):
    check_that_it_does_not_work(call, folder, name, said)


def test_advice_about_classes_is_for_the_command_line(folder, unwatched):
    (folder / "two.py").write_text("def hits(c):\n    return c.ratio(c.tp, c.n)\n", encoding="utf-8")
    result = call("check", "two.py:hits", "--classes", "3", cwd=folder, check=2)
    assert result.stderr.strip().endswith("use --classes 2")


def test_a_loop_inside_compiled_code_is_ended_with_its_process(folder):
    check_that_it_does_not_work(call_apart, folder, "own.py:endless_inside", "did not return within 0.5 s")


def check_that_it_does_not_work(called, folder, name, said):
    result = called("check", name, "-p", "Mon", "--call-seconds", "0.5", cwd=folder, check=2)
    assert said in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


def test_the_atlas_is_filtered_and_printed():
    table = call("atlas", "--classes", "2", "--domain", "all", "--paper", "goesgens").stdout
    assert "mcc" in table
    assert "macro(f1)" in table
    rows = json.loads(call("atlas", "f1", "--property", "Mon", "--json").stdout)["verdicts"]
    assert {(x["domain"], x["status"]) for x in rows} == {("all", "refuted"), ("regular", "refuted")}
    assert "the atlas holds no such verdict" in call("atlas", "f1", "--classes", "3").stdout


def test_reproduce_prints_ours_beside_theirs(monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")  # a narrow terminal breaks cells
    result = call("reproduce", "goesgens2021:table2")
    assert result.exit_code == 0
    assert "✓ | ✗2" in result.stdout.replace("  ", " ")
    cells = json.loads(call("reproduce", "sebastiani2015:properties", "--json").stdout)["cells"]
    assert all(x["agrees"] for x in cells if x["row"].startswith("k "))
    assert "opitz2024:table5" in call("reproduce").stdout


@pytest.mark.parametrize("width", ["80", "160"])
def test_no_sign_of_the_atlas_is_folded(monkeypatch, width):
    """✗14 must not read as ✗1 with a 4 below it; a table that is too wide becomes several."""
    monkeypatch.setenv("COLUMNS", width)
    for name in ("mcc", None):
        lines = call("atlas", *([name] if name else [])).stdout.splitlines()[:-1]
        printed = Counter(x for line in lines for x in line.split() if x[0] in "✓✗?∅")
        known = Counter(x for _, _, _, signs in gm.atlas(name).signs() for x in signs.values())
        assert printed == known
        assert max(map(len, lines)) <= int(width)
    assert "2 classes, all" in lines


def test_the_line_that_replays_a_counterexample_runs_as_printed(tmp_path, unwatched):
    """Of a function of a NumPy array, in a file that imports what lies beside it, from another folder."""
    beside, here = tmp_path / "beside", tmp_path / "here"
    beside.mkdir()
    here.mkdir()
    (beside / "helper.py").write_text("k = 1\n")
    (beside / "late.py").write_text("")
    own = (
        "import helper\n\ndef f(m):\n    import late\n    tn, fp, fn, tp = m.ravel()\n    return tp / (tp + helper.k)\n"
    )
    (beside / "own.py").write_text(own + "\nhits = lambda c: c.ratio(c.tp, c.n)\n")
    for name in ("f", "hits"):
        result = call("check", f"../beside/own.py:{name}", "--seconds", "0.2", cwd=here, check=0)
        assert result.stdout.startswith(f"{name}, 2 classes")
        lines = [x.partition(">>> ")[2] for x in result.stdout.splitlines() if ">>> " in x]
        assert len(lines) > 10
        assert replayed(lines[0], here) == "False"


def test_a_module_of_the_current_folder_is_not_run(tmp_path):
    """The command runs itself again for a user's file, and must not find a click.py that nobody named."""
    (tmp_path / "click.py").write_text("raise SystemExit('the wrong click')\n")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "m.py").write_text("def f(c):\n    return c.ratio(c.tp, c.n)\n")
    command = [sys.executable, "-P", "-m", "goodmeasure.cli", "check", "own/m.py:f", "-p", "Sym"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    assert "✓" in result.stdout


def test_a_required_property_that_is_refuted_is_status_1(folder, unwatched):
    result = call("check", "own.py:mine", "--require", "opitz_chance_corrected_completely", cwd=folder, check=1)
    assert "opitz_chance_corrected_completely" in result.stderr
