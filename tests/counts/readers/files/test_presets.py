"""Logs of other programs are recognised, and give the labels that their own scores are made of."""

from __future__ import annotations

import gzip
import json
import shutil
import sys
from pathlib import Path

import pytest

import goodmeasure as gm
from tests.cli.command import call
from tests.needs import needs_library

LOGS = Path(__file__).parents[3] / "data" / "logs"
ARC = "samples_arc_easy_2026-01-02T03-04-05.678901.jsonl"
GSM = LOGS / "small" / "samples_gsm8k_2026-01-02T03-04-05.678901.jsonl"
QUICK = {"measures": ["accuracy"], "ensemble": False, "replicates": 50}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def accuracy(result):
    return next(x["value"] for x in result.table if x["measure"] == "accuracy" and x["class"] is None)


def lines(path):
    return [json.loads(x) for x in Path(path).read_text().splitlines()]


def written(rows, path="samples_task_2026-01-02T03-04-05.678901.jsonl"):
    Path(path).write_text("".join(json.dumps(x) + "\n" for x in rows))
    return path


@pytest.mark.parametrize("model", ["small", "large"])
def test_the_accuracy_of_choices_is_that_of_the_harness(model):
    path = LOGS / model / ARC
    found = gm.evaluate(path, measures="accuracy")
    assert accuracy(found) == sum(x["acc"] for x in lines(path)) / len(lines(path))
    assert found.source.preset == "samples of lm-evaluation-harness"
    assert not [x for x in found.warnings if "docs/runs.md" in x.text]


def test_runs_of_the_harness_are_joined_without_naming_a_column():
    runs = {name: LOGS / name / ARC for name in ("small", "large")}
    found = gm.compare(runs, **QUICK)
    assert found.items == 5
    assert found.source.id == "item"
    done = call("compare", f"small={runs['small']}", f"large={runs['large']}", "--by", "doc.subject", "--json", check=0)
    assert json.loads(done.stdout)["source"]["runs"][0][2] == "prediction"


def test_columns_of_a_log_can_be_named_as_in_any_file():
    path = LOGS / "small" / ARC
    found = gm.evaluate(path, y_true="doc.answerKey", y_pred="target", measures="accuracy", format="table")
    assert found.matrix().n == 5
    found = gm.evaluate(path, y_true="target", y_pred="filtered_resps[0][0]", measures="accuracy", by="prediction")
    assert found.matrix().n == 5


def test_a_filter_has_to_be_chosen_and_gives_its_accuracy():
    with pytest.raises(gm.InputError, match=r"has the answers of 2 filters \('strict-match', 'flexible-extract'\)"):
        gm.evaluate(GSM)
    for part in ("strict-match", "flexible-extract"):
        mine = [x for x in lines(GSM) if x["filter"] == part]
        found = gm.evaluate(GSM, format=f"lm-eval:{part}", measures="accuracy")
        assert accuracy(found) == sum(x["exact_match"] for x in mine) / len(mine)
        assert f"--format lm-eval:{part}" in found.to_markdown()
    with pytest.raises(gm.InputError, match="has no filter 'none'"):
        gm.evaluate(GSM, format="lm-eval:none")
    said = call("evaluate", GSM, "--no-report").stderr
    assert "--format lm-eval:strict-match" in said


def test_a_target_that_is_text_is_compared_with_the_text_of_the_choice():
    rows = lines(LOGS / "small" / ARC)
    for row in rows:
        row["target"] = "ABC"[int(row["target"])]
        row["arguments"] = [list(x.values()) for x in row["arguments"].values()]  # as older versions write them
    found = gm.evaluate(written(rows), measures="accuracy")
    assert accuracy(found) == sum(x["acc"] for x in rows) / len(rows)
    assert found.matrix().labels == ("A", "B", "C")


def test_several_right_choices_are_all_right():
    rows = lines(LOGS / "small" / ARC)
    for row in rows:
        row["target"] = "[0, 1, 2]"
        row["acc"] = 1.0
    assert accuracy(gm.evaluate(written(rows), measures="accuracy")) == 1.0


def test_a_verdict_that_disagrees_with_the_labels_is_told():
    rows = lines(LOGS / "small" / ARC)
    rows[0]["acc"] = 1 - rows[0]["acc"]
    (note,) = [x.text for x in gm.evaluate(written(rows), measures="accuracy").warnings if "docs/runs.md" in x.text]
    assert "for 1 of 5 answers, acc of the log disagrees" in note
    runs = {"A": written(rows, "a.jsonl"), "B": LOGS / "large" / ARC}
    with pytest.raises(gm.InputError, match=r"no item is in all runs|do not have the same items"):
        gm.compare(runs, **QUICK)  # items carry the task of the file's name


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"filtered_resps": [["-1.0", "True"]]}, "has the likelihood of a single continuation"),
        ({"target": "Z"}, "has the target 'Z', which is none of its choices"),
    ],
)
def test_what_has_no_predicted_label_is_refused(change, said):
    rows = [{**x, **change} for x in lines(LOGS / "small" / ARC)]
    with pytest.raises(gm.InputError, match=said):
        gm.evaluate(written(rows))


def test_a_damaged_log_names_its_line():
    good = (LOGS / "small" / ARC).read_text()
    Path("samples.jsonl").write_text(good + '{"doc_id": 9')
    with pytest.raises(gm.InputError, match=r"line 6 of samples.jsonl is not a sample of lm-evaluation-harness"):
        gm.evaluate("samples.jsonl")


def test_compressed_logs_are_read():
    path = f"{ARC}.gz"
    with gzip.open(path, "wb") as out:
        out.write((LOGS / "small" / ARC).read_bytes())
    assert gm.evaluate(path, measures="accuracy").matrix().n == 5


def test_answers_of_inspect_are_compared_with_targets():
    path = LOGS / "inspect-first.json"
    with pytest.raises(gm.InputError, match="column 'prediction' has no label in 1 of 6 rows"):
        gm.evaluate(path)
    found = gm.evaluate(path, missing="class", measures="accuracy", by="metadata.topic")
    samples = json.loads(path.read_text())["samples"]
    assert accuracy(found) == sum(x["scores"]["choice"]["value"] == "C" for x in samples) / 6
    assert [str(x) for x in found.counted.slices] == ["metadata.topic=hue", "metadata.topic=shade"]


@pytest.mark.filterwarnings("ignore:Exception ignored in. <_io.FileIO")  # old versions leave the log open
def test_logs_of_inspect_in_both_forms_are_joined():
    needs_library("inspect_ai")
    runs = {"first": LOGS / "inspect-first.json", "second": LOGS / "inspect-second.eval"}
    found = gm.compare(runs, missing="class", **QUICK)
    assert {x["system"]: round(x["value"], 3) for x in found.scores} == {"first": 0.667, "second": 0.833}


def test_an_archive_of_inspect_needs_inspect(monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    with pytest.raises(gm.InputError, match="pip install inspect_ai"):
        gm.evaluate(LOGS / "inspect-second.eval")


def test_epochs_and_scorers_of_inspect():
    log = json.loads((LOGS / "inspect-first.json").read_text())
    again = [{**x, "epoch": 2} for x in log["samples"]]
    Path("epochs.json").write_text(json.dumps({**log, "samples": [*log["samples"], *again]}))
    assert gm.evaluate("epochs.json", missing="drop", measures="accuracy").matrix().n == 10
    gm.compare({"A": "epochs.json", "B": shutil.copy("epochs.json", "b.json")}, missing="drop", **QUICK)
    both = [{**x, "scores": {**x["scores"], "other": {"value": 1.0, "answer": x["target"]}}} for x in log["samples"]]
    Path("scorers.json").write_text(json.dumps({**log, "samples": both}))
    with pytest.raises(gm.InputError, match=r"has the answers of 2 scorers \('choice', 'other'\)"):
        gm.evaluate("scorers.json")
    assert accuracy(gm.evaluate("scorers.json", format="inspect:other", measures="accuracy")) == 1.0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"samples": []}, "is a log of Inspect without samples"),
        ({"samples": [{"id": 1, "target": "A"}]}, "is a log of Inspect without scores"),
    ],
)
def test_logs_of_inspect_that_have_no_answers_are_refused(change, said):
    log = json.loads((LOGS / "inspect-first.json").read_text())
    Path("log.json").write_text(json.dumps({**log, **change}))
    with pytest.raises(gm.InputError, match=said):
        gm.evaluate("log.json")


def test_a_format_that_does_not_fit_is_refused():
    Path("p.csv").write_text("label,prediction\na,a\n")
    with pytest.raises(gm.InputError, match=r"p.csv does not look like logs of Inspect"):
        gm.evaluate("p.csv", format="inspect")
    with pytest.raises(gm.InputError, match="format is 'csv': use one of 'lm-eval', 'inspect', 'table'"):
        gm.evaluate("p.csv", format="csv")
    assert gm.evaluate("p.csv", format="table", measures="accuracy").matrix().n == 1
