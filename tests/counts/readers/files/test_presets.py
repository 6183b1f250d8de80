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


def said(result: gm.Result) -> str:
    """What print() shows, on one line, however wide the terminal is."""
    return " ".join(str(result).split())


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


def test_a_log_whose_verdicts_disagree_with_its_labels_is_read_as_outcomes():
    rows = lines(LOGS / "small" / ARC)
    rows[0]["acc"] = 1 - rows[0]["acc"]
    found = gm.evaluate(written(rows))
    assert found.value("outcome") == sum(x["acc"] for x in rows) / 5
    (note,) = [x.text for x in found.warnings]
    assert "read as outcomes, since 1 of 5 verdicts of the log differ" in note
    assert gm.evaluate(written(rows), y_true="label", y_pred="prediction", measures="accuracy").matrix().n == 5
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
    with pytest.raises(gm.InputError, match="format is 'csv': use one of 'lm-eval', 'inspect', 'promptfoo'"):
        gm.evaluate("p.csv", format="csv")
    assert gm.evaluate("p.csv", format="table", measures="accuracy").matrix().n == 1


# Logs with verdicts, each written by the tool itself


def packed(name):
    return json.loads(gzip.decompress((LOGS / name).read_bytes()))


def test_a_run_that_a_model_graded_has_the_accuracy_of_inspect():
    own = packed("inspect-graded.json.gz")["results"]["scores"][0]["metrics"]["accuracy"]["value"]
    found = gm.evaluate(LOGS / "inspect-graded.json.gz")
    assert found.value("outcome") == pytest.approx(own)
    assert "8 items · 2 answers of each item" in said(found)
    assert "C = 1 (correct), P = 0.5 (partly correct), I = 0 (incorrect)" in said(found)


def test_failed_samples_are_said_and_are_not_wrong_answers():
    log = packed("inspect-failed.json.gz")
    found = gm.evaluate(LOGS / "inspect-failed.json.gz")
    assert found.value("outcome") == pytest.approx(log["results"]["scores"][0]["metrics"]["accuracy"]["value"])
    assert "2 of 8 samples failed and have no answer; they are left out" in said(found)
    log |= {"status": "error"}
    Path("stopped.json").write_text(json.dumps(log))
    assert "ended with the status 'error', after 8 of 8 samples" in said(gm.evaluate("stopped.json"))


def test_refusals_are_said():
    log = packed("inspect-graded.json.gz")
    for sample in log["samples"][:3]:
        next(iter(sample["scores"].values()))["value"] = "N"
    Path("refused.json").write_text(json.dumps(log))
    assert "3 of 16 answers are refusals" in said(gm.evaluate("refused.json"))


def test_epochs_of_runs_with_labels_are_groups():
    log = json.loads((LOGS / "inspect-first.json").read_text())
    log["samples"] = [{**x, "epoch": e} for x in log["samples"][:5] for e in (1, 2, 3)]
    Path("epochs.json").write_text(json.dumps(log))
    found = gm.evaluate("epochs.json", measures="accuracy")
    assert found.source.groups == "sample"
    assert any("items have up to 3 answers, which count as a group" in x.text for x in found.warnings)
    Path("once.json").write_text(json.dumps({**log, "samples": log["samples"][::3]}))
    (grouped, alone) = (gm.evaluate(x, measures="accuracy").table[0] for x in ("epochs.json", "once.json"))
    assert grouped["value"] == alone["value"]
    assert grouped["high"] - grouped["low"] > 0.9 * (alone["high"] - alone["low"])


def test_results_of_promptfoo_count_tests_and_not_repeats():
    stats = json.loads((LOGS / "promptfoo.json").read_text())["results"]["stats"]
    found = gm.evaluate(LOGS / "promptfoo.json")
    assert found.value("outcome") == pytest.approx(stats["successes"] / (stats["successes"] + stats["failures"]))
    assert "6 items · 3 answers of each item" in said(found)
    assert found.source.preset == "results of promptfoo"


def test_test_runs_of_deepeval_have_its_passes():
    log = json.loads((LOGS / "deepeval.json").read_text())
    assert gm.evaluate(LOGS / "deepeval.json").value("outcome") == log["testPassed"] / len(log["testCases"])
    for x in log["metricsScores"]:
        found = gm.evaluate(LOGS / "deepeval.json", format=f"deepeval:{x['metric']}")
        assert found.value("outcome") == x["passes"] / (x["passes"] + x["fails"])


def test_tables_of_mlflow_and_ragas_have_the_means_of_their_scores():
    table = json.loads((LOGS / "mlflow_eval_results_table.json").read_text())
    assert (
        gm.evaluate(LOGS / "mlflow_eval_results_table.json").value("outcome") == sum(x[-1] for x in table["data"]) / 8
    )
    with pytest.raises(gm.InputError, match=r"2 metrics \('exact_match', 'string_present'\)"):
        gm.evaluate(LOGS / "ragas.jsonl")
    rows = lines(LOGS / "ragas.jsonl")
    found = gm.evaluate(LOGS / "ragas.jsonl", format="ragas:exact_match")
    assert found.value("outcome") == sum(x["exact_match"] for x in rows) / 8


def test_records_of_openai_evals_have_the_accuracy_of_their_report():
    events = [
        {"spec": {"eval_name": "colours.dev", "completion_fns": ["dummy"]}},
        *(
            {"event_id": 2 * k, "sample_id": f"colours.dev.{k}", "type": "sampling", "data": {"sampled": ["red"]}}
            for k in range(4)
        ),
        *(
            {
                "event_id": 2 * k + 1, "sample_id": f"colours.dev.{k}", "type": "match",
                "data": {"correct": k < 3, "expected": "red", "picked": "red" if k < 3 else None, "sampled": "red"},
            }
            for k in range(4)
        ),
        {"final_report": {"accuracy": 0.75}},
    ]  # fmt: skip
    found = gm.evaluate(written(events, "evals.jsonl"), missing="class", measures="accuracy")
    assert accuracy(found) == 0.75
    assert "no final report" in said(gm.evaluate(written(events[:-1], "cut.jsonl"), y_correct="outcome"))


def test_runs_with_verdicts_are_compared_by_their_items():
    log = packed("inspect-graded.json.gz")
    for sample in log["samples"]:
        next(iter(sample["scores"].values()))["value"] = "C"
    Path("better.json").write_text(json.dumps(log))
    found = gm.compare({"A": LOGS / "inspect-graded.json.gz", "B": "better.json"})
    assert found.items == 8
    assert found.difference("B", "A", "outcome")["difference"] == pytest.approx(1 - 0.6875)
    call("compare", f"A={LOGS / 'inspect-graded.json.gz'}", "B=better.json", check=0)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"target": "", "filtered_resps": ["-123.4"], "metrics": ["word_perplexity"]}, "neither labels nor verdicts"),
        ({"target": "yes", "filtered_resps": ["Yes."], "exact_match": 1.0}, None),
        ({"target": "0", "filtered_resps": ["resp"], "metrics": ["prompt_level_strict_acc"],
          "prompt_level_strict_acc": True}, None),
    ],
)  # fmt: skip
def test_tasks_that_generate_text_use_the_verdicts_of_the_harness(row, words):
    path = written([{"doc_id": k, "filter": "none", **row} for k in range(4)])
    if words is None:
        assert gm.evaluate(path).value("outcome") == 1
    else:
        with pytest.raises(gm.InputError, match=words):
            gm.evaluate(path)


def test_several_answers_of_a_document_are_said():
    rows = [{"doc_id": k, "filter": "none", "target": "a", "filtered_resps": [["a", "b", "a"]], "exact_match": 0.5}
            for k in range(3)]  # fmt: skip
    assert "documents have 3 answers" in said(gm.evaluate(written(rows)))
