"""Commands that a requirement stops: their status, their lines, and the files that a pull request shows."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import numpy as np
import pytest
import yaml

from goodmeasure.comparison.baseline_files import _Columns
from goodmeasure.keywords import complete
from goodmeasure.options import CompareCommandOptions
from tests.cli.command import call
from tests.needs import needs

ITEMS = 300


def written(path: Path, right: float, seed: int, *, header: str = "id,label,pred", classes=("ham", "spam")) -> Path:
    """Predictions that are right with this probability, for true labels that are always the same."""
    rng, true = np.random.default_rng(seed), np.random.default_rng(0).integers(0, 2, ITEMS)
    pred = np.where(rng.random(ITEMS) < right, true, 1 - true)
    lines = [f"{k},{classes[x]},{classes[y]}" for k, (x, y) in enumerate(zip(true, pred, strict=True))]
    path.write_text("\n".join([header, *lines, ""]), encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path):
    written(tmp_path / "good.csv", 0.95, 1)
    written(tmp_path / "alike.csv", 0.95, 2)
    written(tmp_path / "poor.csv", 0.7, 3)
    return tmp_path


def evaluate(folder, *arguments, check=None):
    return call("evaluate", *arguments, "--measures", "mcc", cwd=folder, check=check)


def test_a_requirement_that_is_met_ends_with_status_0(folder):
    done = evaluate(folder, "good.csv", "--no-report", "--require", "mcc >= 0.7", check=0)
    assert "The requirement is met.\nmet: mcc >= 0.7: it is 0." in done.out
    assert "would still pass with 20% probability" in done.out
    assert done.err == ""


def test_each_requirement_that_is_not_met_has_a_line(folder):
    asked = ["--require", "mcc >= 0.9", "--require", "recall[spam] >= 99%", "--require", "recall[ham] >= 0.1"]
    done = evaluate(folder, "poor.csv", "--no-report", *asked, check=1)
    lines = done.err.splitlines()
    assert [x.partition(": it is")[0] for x in lines] == ["not met: mcc >= 0.9", "not met: recall[spam] >= 0.99"]
    assert "2 of 3 requirements are not met." in done.out
    assert "met: recall[ham] >= 0.1" in done.out


def test_with_confidence_the_interval_must_clear_the_bound(folder):
    assert evaluate(folder, "good.csv", "--no-report", "--require", "mcc >= 0.87").exit_code == 0
    done = evaluate(folder, "good.csv", "--no-report", "--require", "mcc >= 0.87", "--confident", check=1)
    assert "not met: mcc >= 0.87 with 95% confidence" in done.err


def test_a_baseline_in_a_file_stops_a_system_that_is_significantly_worse(folder):
    done = evaluate(folder, "alike.csv", "--no-report", "--baseline", "good.csv", check=0)
    assert "met: pred: mcc not significantly worse than baseline" in done.out
    assert "would be found with 80% probability" in done.out
    done = evaluate(folder, "poor.csv", "--no-report", "--baseline", "good.csv", check=1)
    (line,) = done.err.splitlines()
    assert line.startswith("not met: pred: mcc not significantly worse than baseline: 0.")


def test_with_a_margin_a_system_must_be_shown_to_be_good_enough(folder):
    wide = evaluate(folder, "alike.csv", "--no-report", "--baseline", "good.csv", "--margin", "0.2", check=0)
    assert "met: pred: mcc less than 0.2 worse than baseline" in wide.out
    assert "an equally good system would pass with" in " ".join(wide.out.split())
    narrow = evaluate(folder, "alike.csv", "--no-report", "--baseline", "good.csv", "--margin", "0.001", check=1)
    assert "not met: pred: mcc less than 0.001 worse than baseline" in narrow.err


def test_a_baseline_may_be_one_of_the_systems(folder):
    rows = [x.split(",") for x in (folder / "good.csv").read_text().splitlines()[1:]]
    poor = [x.split(",")[2] for x in (folder / "poor.csv").read_text().splitlines()[1:]]
    both = "\n".join(["label,pred_new,pred_old", *(f"{x[1]},{y},{x[2]}" for x, y in zip(rows, poor, strict=True)), ""])
    (folder / "both.csv").write_text(both)
    for command in ("evaluate", "compare"):
        rest = ["--no-report"] if command == "evaluate" else []
        done = call(command, "both.csv", "--baseline", "pred_old", "--measures", "mcc", *rest, cwd=folder, check=1)
        assert done.err.startswith("not met: pred_new: mcc not significantly worse than pred_old")
        done = call(command, "both.csv", "--baseline", "pred_new", "--measures", "mcc", *rest, cwd=folder, check=0)
    done = call("compare", "both.csv", "--baseline", "nobody", cwd=folder, check=2)
    assert "the systems are 'pred_new', 'pred_old'" in done.err


def test_without_measures_a_baseline_is_judged_by_mcc(folder):
    done = call("evaluate", "alike.csv", "--baseline", "good.csv", "--no-report", cwd=folder, check=0)
    assert done.out.count("met: ") == 1
    assert "pred: mcc not significantly worse" in done.out


def test_numbers_in_csv_and_in_parquet_are_the_same_labels(folder):
    import pyarrow.csv
    import pyarrow.parquet

    written(folder / "new.csv", 0.9, 4, classes=("0", "1"))
    table = pyarrow.csv.read_csv(written(folder / "old.csv", 0.9, 5, classes=("0", "1")))
    pyarrow.parquet.write_table(table, folder / "old.parquet")
    mixed = evaluate(folder, "new.csv", "--no-report", "--baseline", "old.parquet", check=0)
    plain = evaluate(folder, "new.csv", "--no-report", "--baseline", "old.csv", check=0)
    assert mixed.out == plain.out


def test_scores_are_compared_with_the_scores_of_a_baseline(folder):
    rng = np.random.default_rng(0)
    true = rng.integers(0, 2, ITEMS)
    for name, noise in (("new", 0.4), ("old", 0.5), ("bad", 5.0)):
        scores = 1 / (1 + np.exp(-(true - 0.5 + rng.normal(0, noise, ITEMS))))
        rows = [f"{x},{s:.6f}" for x, s in zip(true, scores, strict=True)]
        (folder / f"{name}_scores.csv").write_text("\n".join(["label,score", *rows, ""]))
    common = ["--score", "score", "--no-report", "--baseline", "old_scores.csv"]
    done = call("evaluate", "new_scores.csv", *common, cwd=folder, check=0)
    assert "met: score: roc_auc not significantly worse than baseline" in done.out
    done = call("evaluate", "bad_scores.csv", *common, cwd=folder, check=1)
    assert "not met: score: roc_auc" in done.err


def test_weights_groups_and_missing_labels_are_those_of_the_new_file(folder):
    lines = (folder / "good.csv").read_text().splitlines()
    more = [f"{x},{1 + k % 3},{k // 5}" for k, x in enumerate(lines[1:])]
    (folder / "more.csv").write_text("\n".join([f"{lines[0]},w,doc", *more, ""]))
    for option in (["--weight", "w"], ["--group", "doc"], ["--count", "w"]):
        done = evaluate(folder, "more.csv", "--no-report", "--baseline", "alike.csv", *option, check=0)
        assert "met: pred: mcc not significantly worse than baseline" in done.out
    gone = [x if k != 7 else ",".join([*x.split(",")[:2], ""]) for k, x in enumerate(lines)]
    (folder / "gone.csv").write_text("\n".join([*gone, ""]))
    done = evaluate(folder, "gone.csv", "--no-report", "--baseline", "alike.csv", check=2)
    assert "--missing drop" in done.err
    evaluate(folder, "gone.csv", "--no-report", "--baseline", "alike.csv", "--missing", "drop", check=0)


def test_items_are_matched_by_their_ids(folder):
    """A baseline in another order gives what one in the same order gives."""
    lines = (folder / "good.csv").read_text().splitlines()
    (folder / "turned.csv").write_text("\n".join([lines[0], *reversed(lines[1:]), ""]))
    for name, status in (("alike", 0), ("poor", 1)):
        plain = evaluate(folder, f"{name}.csv", "--no-report", "--baseline", "good.csv", check=status).output
        joined = evaluate(
            folder, f"{name}.csv", "--no-report", "--baseline", "turned.csv", "--id", "id", check=status
        ).output  # fmt: skip
        (one,), (other,) = (
            [x for x in text.splitlines() if x.startswith(("met: ", "not met: "))] for text in (plain, joined)
        )
        assert other.replace(f"{name}: ", "pred: ") == one
    named = ["new=poor.csv", "old=good.csv", "--id", "id"]
    done = evaluate(folder, *named, "--no-report", "--baseline", "old", check=1)
    assert "not met: new: mcc not significantly worse than old" in done.err
    done = call("compare", *named, "--measures", "mcc", "--baseline", "old", cwd=folder, check=1)
    assert "not met: new: mcc not significantly worse than old" in done.err
    done = evaluate(folder, "good.csv", "--id", "id", "--no-report", "--baseline", "nowhere.csv", check=2)
    assert "neither a file nor a system: the systems are 'good'" in done.err


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: lines[:-1], "good.csv has 300 items, other.csv has 299"),
        (lambda lines: [lines[0], *reversed(lines[1:])], "in the same order"),
        (lambda lines: ["id,label,answer", *lines[1:]], "pred"),
    ],
)
def test_a_baseline_on_other_items_is_refused(folder, change, words):
    lines = (folder / "good.csv").read_text().splitlines()
    (folder / "other.csv").write_text("\n".join([*change(lines), ""]))
    done = evaluate(folder, "good.csv", "--no-report", "--baseline", "other.csv", check=2)
    assert words in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--require", "mcc"], "no sign such as >="),
        (["--require", "mmc >= 0.8"], "did you mean"),
        (["--require", "recall[spma] >= 0.8"], "did you mean 'spam'?"),
        (["--confident"], "--confident needs --require"),
        (["--margin", "0.1"], "--margin needs --baseline"),
        (["--margin", "-1", "--baseline", "alike.csv"], "--margin is -1.0"),
        (["--baseline", "nowhere.csv"], "neither a file nor a system: the systems are 'pred'"),
        (["--out", "junit.xml"], "a JUnit file (.xml) lists requirements: give --require or --baseline"),
        (["--out", "good.csv", "--baseline", "good.csv"], "is the file that is read"),
    ],
)
def test_what_cannot_be_required_is_bad_input(folder, arguments, words):
    done = call("evaluate", "good.csv", "--no-report", *arguments, cwd=folder, check=2)
    assert words in done.err
    assert done.err.startswith("error: ")


def test_json_holds_the_requirements_and_stays_json(folder):
    done = evaluate(folder, "poor.csv", "--json", "--require", "mcc >= 0.9", "--baseline", "good.csv", check=1)
    found = json.loads(done.out)["requirements"]
    assert found["met"] is False
    assert [x["met"] for x in found["outcomes"]] == [False, False]
    assert found["outcomes"][1]["p"] < 0.01
    assert len(done.err.splitlines()) == 2


def test_the_summary_fits_a_pull_request(folder):
    out = ["--out", "summary.md", "--out", "junit.xml", "--out", "report.html"]
    evaluate(folder, "poor.csv", "--require", "mcc >= 0.9", "--require", "accuracy >= 0.1", *out, check=1)
    text = (folder / "summary.md").read_text(encoding="utf-8")
    lines = text.splitlines()
    assert lines[0] == "## ❌ 1 of 2 requirements is not met."
    assert text.index("❌ **not met** | `mcc >= 0.9`") < text.index("✅ met | `accuracy >= 0.1`")
    assert text.index("| MCC |") < text.index("<details>")
    assert text.count("<details>") == text.count("</details>") >= 4
    assert len(text) < 60_000
    assert "Confusion matrix" in text
    assert "goodmeasure evaluate poor.csv" in text
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "1 of 2 requirements is not met." in page
    suite = ElementTree.parse(folder / "junit.xml").getroot().find("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")
    cases = {x.get("name"): x for x in suite}
    assert cases["mcc >= 0.9"].find("failure").get("type") == "RequirementNotMet"
    assert cases["accuracy >= 0.1"].find("failure") is None


def test_a_summary_of_very_many_classes_stays_short(tmp_path):
    labels = [f"class {k} {'x' * 60}" for k in range(250)]
    rows = [f"{x},{labels[(k * 7) % 250]}" for k, x in enumerate(labels * 2)]
    (tmp_path / "p.csv").write_text("\n".join(["label,pred", *rows, ""]))
    call("evaluate", "p.csv", "--require", "recall[*] >= 0", "--out", "s.md", "--measures", "mcc", cwd=tmp_path)
    text = (tmp_path / "s.md").read_text(encoding="utf-8")
    assert len(text) <= 65_536
    assert "Left out, as it is too long" in text


def test_hostile_names_break_neither_the_summary_nor_the_xml(tmp_path):
    names = ["a|b", "<b>", "c`d", "e\x01f", "]]>", "*x*"]
    rows = [f'"{x}","{x}"' for x in names * 2]
    (tmp_path / "p.csv").write_text("\n".join(["label,pred", *rows, ""]), encoding="utf-8")
    out = ["--out", "s.md", "--out", "j.xml"]
    call("evaluate", "p.csv", "--require", "recall[*] >= 0.9", *out, "--measures", "mcc", cwd=tmp_path, check=0)
    cases = ElementTree.parse(tmp_path / "j.xml").getroot().iter("testcase")
    assert len(list(cases)) == len(names)
    table = (tmp_path / "s.md").read_text(encoding="utf-8").split("\n\n")[2].splitlines()
    assert len(table) == 2 + len(names)
    assert all(line.replace("\\|", "").count("|") == 5 for line in table)


def test_sweeps_are_held_to_requirements(tmp_path):
    rng = np.random.default_rng(0)
    true = rng.integers(0, 2, 200)
    rows = [f"{x},{s:.4f}" for x, s in zip(true, true + rng.normal(0, 0.5, 200), strict=True)]
    (tmp_path / "s.csv").write_text("\n".join(["label,score", *rows, ""]))
    common = ["sweep", "s.csv", "--measures", "mcc"]
    call(*common, "--require", "mcc >= 0.4", "--out", "s.md", cwd=tmp_path, check=0)
    assert (tmp_path / "s.md").read_text(encoding="utf-8").startswith("## ✅ The requirement is met.")
    done = call(*common, "--require", "mcc >= 0.99", "--json", cwd=tmp_path, check=1)
    assert json.loads(done.out)["requirements"]["met"] is False


WORKFLOW = Path(__file__).parents[2] / "examples" / "gate.yml"


ACTION = WORKFLOW.parents[1] / "action.yml"


def test_the_documentation_shows_the_workflow_as_it_is():
    page = (WORKFLOW.parents[1] / "docs" / "ci.md").read_text(encoding="utf-8")
    assert f"```yaml\n{WORKFLOW.read_text(encoding='utf-8')}```" in page


def git(folder: Path, *arguments: str) -> str:
    run = subprocess.run([needs("git"), *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout.strip()


@pytest.mark.parametrize(("right", "status"), [(0.96, 0), (0.6, 1)])
def test_the_action_passes_and_stops_changes_in_a_repository(tmp_path, right, status):
    """A branch changes the predictions; the gate compares them with those of the main branch."""
    home = tmp_path / "repository"
    home.mkdir()
    for words in (["init", "-q", "-b", "main"], ["config", "user.email", "a@b.c"], ["config", "user.name", "A"]):
        git(home, *words)
    written(home / "predictions.csv", 0.95, 1)
    git(home, "add", "-A")
    git(home, "commit", "-qm", "Predict")
    git(home, "update-ref", "refs/remotes/origin/main", "main")
    git(home, "checkout", "-qb", "change")
    written(home / "predictions.csv", right, 2)
    git(home, "commit", "-qam", "Predict otherwise")
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    (job,) = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"].values()
    given = {name: about.get("default", "") for name, about in action["inputs"].items()} | job["steps"][-1]["with"]
    assert given.keys() == action["inputs"].keys()
    (step,) = [x for x in action["runs"]["steps"] if x.get("id") == "gate"]
    filled = {name: given[re.fullmatch(r"\$\{\{ inputs\.(\w+) \}\}", x)[1]] for name, x in step["env"].items()}
    files = {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"), "GITHUB_OUTPUT": str(tmp_path / "output")}
    filled["BASELINE"] = filled["BASELINE"].replace("${{ github.base_ref }}", "main")
    bare = " ".join(shlex.quote(x) for x in (sys.executable, "-m", "goodmeasure.cli"))
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", step["run"].replace("goodmeasure evaluate", f"{bare} evaluate")],
        cwd=home, env={**os.environ, **filled, **files}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == status, done.stderr
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").startswith("## ❌" if status else "## ✅")
    assert ("not met: pred: mcc not significantly worse than baseline" in done.stderr) == bool(status)
    assert (tmp_path / "output").read_text() == "report=goodmeasure-report/report.html\n"
    kept = {"report.html", "summary.md", "junit.xml", "baseline.csv"}
    assert {x.name for x in (home / "goodmeasure-report").iterdir()} == kept


def test_a_comparison_takes_a_baseline_from_a_file(folder):
    """Row by row, or as one more run: the verdict is the one of `evaluate`."""
    lines = (folder / "good.csv").read_text().splitlines()
    (folder / "turned.csv").write_text("\n".join([lines[0], *reversed(lines[1:]), ""]))
    expected = evaluate(folder, "poor.csv", "--no-report", "--baseline", "good.csv", check=1).err.splitlines()[-1]
    compare = ["compare", "--measures", "mcc"]
    done = call(*compare, "poor.csv", "--baseline", "good.csv", cwd=folder, check=1)
    assert done.err.splitlines()[-1] == expected
    said = "The baseline is in good.csv, whose rows are about the same items as those of poor.csv."
    assert said in " ".join(done.out.split())
    runs = ["new=poor.csv", "same=alike.csv", "--id", "id", "--baseline", "turned.csv"]
    for command in (compare, ["evaluate", "--no-report"]):
        done = call(*command, *runs, cwd=folder, check=1)
        line = next(x for x in done.err.splitlines() if "new: mcc" in x)
        assert line.split(", p = ")[0] == expected.replace("pred: ", "new: ").split(", p = ")[0]
        assert "met: same: mcc not significantly worse than baseline" in done.out
    renamed = [line.replace("pred", "said") if k == 0 else line for k, line in enumerate(lines)]
    (folder / "renamed.csv").write_text("\n".join([*renamed, ""]))
    named = ["new=poor.csv", "--id", "id", "--pred", "new=pred", "--pred", "baseline=said", "--baseline", "renamed.csv"]
    call(*compare, *named, cwd=folder, check=1)
    for given in (["poor.csv"], ["new=poor.csv", "--id", "id"]):
        done = call(*compare, *given, "--baseline", "nowhere.csv", cwd=folder, check=2)
        assert "--baseline 'nowhere.csv' is neither a file nor a system" in done.err


def test_several_labels_for_an_item_are_held_to_a_baseline(tmp_path):
    tags = [["sun"], ["sun", "wind"], [], ["wind"]] * 10
    for name, said in (("old", tags), ("new", [x[:1] for x in tags[1:]] + [[]])):
        rows = [{"id": k, "tags": x, "said": y} for k, (x, y) in enumerate(zip(tags, said, strict=True))]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(x) + "\n" for x in rows))
    columns = ["--true", "tags", "--pred", "said", "--measures", "f1", "--baseline", "old.jsonl"]
    for command in (["evaluate", "--no-report"], ["compare"]):
        done = call(*command, "A=new.jsonl", "--id", "id", *columns, cwd=tmp_path, check=1)
        assert "not met: A: macro(f1) not significantly worse than baseline" in done.err
        done = call(*command, "new.jsonl", *columns, cwd=tmp_path, check=2)
        assert "--id" in done.err


def test_rows_of_large_files_keep_their_order(tmp_path):
    """DuckDB's threads hand out the groups of rows of a file as they find them, unless they are told not to."""
    made = "SELECT i AS label, i % 2 AS pred FROM range(60000) AS t(i)"
    duckdb.sql(f"COPY ({made}) TO '{tmp_path / 'large.parquet'}' (ROW_GROUP_SIZE 2048)")
    found = _Columns.read(
        [str(tmp_path / "large.parquet")], complete(CompareCommandOptions, {"y_true": "label"}), ("pred",)
    )
    assert list(found.values["label"]) == list(range(60000))
