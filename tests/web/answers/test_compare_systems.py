"""Compare systems: uploaded files are looked at, compared and reported, and nothing of them stays."""

from __future__ import annotations

import io
import json
import random
import tempfile
from importlib.resources import files
from pathlib import Path

import openpyxl
import pytest

import goodmeasure as gm
from goodmeasure.counts.readers.files.formats import file_endings, format_names
from goodmeasure.keywords import options_of
from goodmeasure.options import CompareOptions
from goodmeasure.report.formats import formats
from goodmeasure.web import limits
from goodmeasure.web.uploads import safe_name
from tests.web.client import TOKEN, opened

DEMO = files("goodmeasure.cli").joinpath("demo.csv").read_bytes()
SYSTEMS = ["linear", "tree", "bayes", "majority"]
CHOSEN = {"name": "demo.csv", "true": "label", "pred": SYSTEMS, "positive": "eight"}


def sent(client, route, content, token=TOKEN, status=200, **query):
    reply = client.post(f"/api/{route}/{token}", content=content, params={"name": "file.csv", **query})
    assert reply.status_code == status, reply.text
    return reply


def test_columns_are_found_by_their_labels(client):
    found = sent(client, "upload", DEMO, name="demo.csv").json()
    assert (found["kind"], found["true"], found["systems"], found["n"]) == ("predictions", "label", SYSTEMS, 1797)
    tree = found["matrices"]["tree"]
    assert gm.accuracy(tree["counts"]) == pytest.approx(0.9527, abs=1e-4)


def test_columns_of_other_things_are_not_offered_as_systems(client):
    rows = "label,forest,bayes,patient,region,age,w\n"
    rows += "\n".join(f"{k % 2},{k % 3 % 2},{k % 5 % 2},{k},{'ns'[k % 2]},{20 + k % 60},0.{k % 90}" for k in range(200))
    found = sent(client, "upload", rows).json()
    assert (found["true"], found["systems"], found["offered"]) == ("label", ["forest", "bayes"], ["forest", "bayes"])
    named = sent(client, "upload", rows, true="label", pred=["forest"]).json()
    assert (named["systems"], named["offered"]) == (["forest"], ["forest", "bayes"])


def test_the_positive_class_is_the_last(client):
    found = sent(client, "upload", DEMO, **CHOSEN).json()
    assert found["matrices"]["tree"]["labels"] == ["other", "eight"]


def test_the_options_of_the_form_are_taken_and_checked(client):
    offered = [x["name"] for x in client.get("/api/config.json").json()["options"]["compare"]]
    assert offered == [x.name for x in options_of(CompareOptions).values() if x.form]
    usual = sent(client, "compare", DEMO, **CHOSEN).json()
    found = sent(client, "compare", DEMO, **CHOSEN, confidence="0.8", correct="all").json()
    assert "confidence" not in usual["python"]
    assert "confidence=0.8" in found["python"]
    assert "--confidence 0.8 --correct-over all" in found["command"]
    assert found["differences"][0]["low"] > usual["differences"][0]["low"]
    for name, wrong in (("confidence", "2"), ("seed", "x"), ("correct", "none")):
        refused = sent(client, "compare", DEMO, status=400, **CHOSEN, **{name: wrong}).json()["error"]
        assert refused["argument"] == name


def test_a_file_with_a_matrix_is_one(client):
    found = sent(client, "upload", "ham,spam\n50,3\n4,20").json()
    assert found["matrix"] == {"labels": ["ham", "spam"], "counts": [[50, 3], [4, 20]]}


def test_columns_that_nobody_can_guess_are_asked_for(client):
    found = sent(client, "upload", "x1,x2\n0,0\n1,0\n1,1\n").json()
    assert found["problem"] == "Which column holds the true labels?"
    assert found["likely"] == []
    found = sent(client, "upload", "x1,x2\n0,0\n1,0\n1,1\n", true="x1", pred="x2").json()
    assert found["matrices"]["x2"]["counts"] == [[1, 0], [1, 1]]


@pytest.mark.parametrize("word", ["NA", "?"])
def test_a_class_that_may_be_a_missing_label_is_pointed_out(client, word):
    rows = [{"label": x, "pred": "cat"} for x in ("cat", "dog", word) * 4]
    notes = sent(client, "upload", "\n".join(map(json.dumps, rows)).encode(), name="p.jsonl").json()["notes"]
    assert (
        f"{word!r} is counted as a class: if missing labels are meant, leave these fields empty in the file." in notes
    )
    plain = sent(client, "upload", b"label,pred\ncat,cat\ndog,cat\n", name="p.csv").json()["notes"]
    assert not any("counted as a class" in x for x in plain)


def test_columns_that_are_named_like_predictions_are_offered(client):
    rows = "id,Gold Label (final),pred_a,pred_score\n1,0,0,0.5\n2,1,1,0.7\n"
    assert sent(client, "upload", rows).json()["likely"] == ["pred_a"]
    found = sent(client, "upload", "id,gold,pred_a\n1,0,\n2,1,\n", true="gold", pred="id").json()
    assert found["likely"] == ["id"]  # what somebody chose


def scores():
    draw = random.Random(1)
    rows = [(draw.random() < 0.3, draw.random()) for _ in range(300)]
    return "id,label,prob\n" + "\n".join(
        f"{k},{'spam' if y else 'ham'},{(x + y) / 2:.3f}" for k, (y, x) in enumerate(rows)
    )


def test_scores_have_a_matrix_at_every_threshold(client):
    found = sent(client, "upload", scores()).json()
    sweep = found["sweeps"]["prob"]
    assert sweep["labels"] == ["ham", "spam"]
    assert sweep["thresholds"] == sorted(sweep["thresholds"], reverse=True)
    assert all(sum(x) == 300 for x in sweep["counts"])
    rows = [line.split(",") for line in scores().splitlines()[1:]]
    true, score = [row[1] for row in rows], [float(row[2]) for row in rows]
    expected = gm.sweep(true, score).matrix(sweep["thresholds"][7]).counts
    assert sweep["counts"][7] == expected.ravel().tolist()


def test_the_comparison_is_that_of_the_library(client, tmp_path):
    found = sent(client, "compare", DEMO, **CHOSEN, measures=["accuracy", "mcc", "recall"]).json()
    path = tmp_path / "demo.csv"
    path.write_bytes(DEMO)
    expected = gm.compare(
        path, y_true="label", y_pred=SYSTEMS, positive="eight", measures=["accuracy", "mcc", "recall"]
    )
    assert found["winners"] == {name: list(x) for name, x in expected.winners.items()}
    assert len(found["differences"]) == len(expected.differences) == 18
    assert found["differences"][0]["p"] == expected.differences[0]["p"]
    assert found["verdict"]
    flip = found["flips"][0]
    assert set(flip["preferred"]) == set(flip["pair"])
    assert flip["why"].startswith("From ")
    assert "MCC" in " ".join(x["text"] + x["why"] for x in found["flips"])
    assert found["command"].count("--missing") == found["python"].count("missing=") == 1


@pytest.mark.parametrize(
    ("ending", "begins"), [("html", "<!DOCTYPE html>"), ("md", "#"), ("json", "{"), ("csv", "system,")]
)
def test_the_report_can_be_saved(client, ending, begins):
    reply = sent(client, "report", DEMO, **CHOSEN, measures=["accuracy", "mcc"], format=ending)
    assert reply.headers["content-disposition"] == f'attachment; filename="goodmeasure-report.{ending}"'
    assert reply.text.startswith(begins)
    assert "tree" in reply.text


def test_every_format_of_a_report_is_offered_but_that_of_requirements(client):
    offered = {x["name"]: x["ending"] for x in client.get("/api/config.json").json()["formats"]}
    known = {name: x.endings[0].removeprefix(".") for name, x in formats().items()}
    assert offered == {name: ending for name, ending in known.items() if name != "junit"}
    for ending in offered.values():
        assert sent(client, "report", DEMO, **CHOSEN, measures=["accuracy"], format=ending).content


def test_an_unknown_format_is_refused(client):
    error = sent(client, "report", DEMO, status=400, **CHOSEN, format="exe").json()["error"]
    assert error["message"].startswith("format is 'exe'")


def test_an_unknown_column_is_named(client):
    error = sent(client, "compare", DEMO, status=400, **{**CHOSEN, "pred": "forest"}).json()["error"]
    assert error["message"].startswith("demo.csv has no column 'forest'")


def test_a_token_is_needed(client):
    for token in ("wrong", TOKEN[:-1], TOKEN + "x", "%00"):
        assert "token" in sent(client, "upload", DEMO, token=token, status=403).json()["error"]["message"]


def test_nothing_of_an_upload_stays(client, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    sent(client, "upload", DEMO, name="demo.csv")
    sent(client, "upload", b"PK\x03\x04", status=400)
    assert [x for x in tmp_path.iterdir() if not x.name.startswith("goodmeasure-worker-")] == []


def test_the_file_of_the_command_line_is_looked_at(tmp_path):
    path = tmp_path / "m.csv"
    path.write_text("ham,spam\n50,3\n4,20\n")
    with opened(file=path) as client:
        assert client.get("/api/config.json", params={"token": TOKEN}).json()["file"] == {"name": "m.csv"}
        assert sent(client, "upload", b"", given="").json()["matrix"]["counts"] == [[50, 3], [4, 20]]
    assert path.exists()


def test_systems_in_the_file_of_the_command_line_are_compared_and_reported(tmp_path):
    path = tmp_path / "demo.csv"
    path.write_bytes(DEMO)
    with opened(file=path) as client:
        found = sent(client, "compare", b"", given="", **CHOSEN).json()
        page = sent(client, "report", b"", given="", format="html", **CHOSEN).text
    assert found["systems"] == CHOSEN["pred"]
    assert "demo.csv" in page
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_of_the_command_line_needs_the_token_too(tmp_path):
    path = tmp_path / "demo.csv"
    path.write_bytes(DEMO)
    with opened(file=path) as client:
        assert "token" in sent(client, "upload", b"", token="wrong", status=403, given="").json()["error"]["message"]


def test_without_a_file_there_is_none(client):
    assert "without a file" in sent(client, "upload", b"", status=400, given="").json()["error"]["message"]


def test_items_without_a_label_are_left_out_and_counted(client):
    rows = b"label,pred_a,pred_b\nham,ham,ham\nspam,,spam\n,ham,ham\nspam,spam,ham\n"
    found = sent(client, "upload", rows, name="p.csv").json()
    assert found["notes"][0] == "Positive class: 'ham', the rarer one; change it with the choice above."
    assert found["notes"][1:] == [
        "2 items without a label are left out for pred_a.", "1 item without a label is left out for pred_b.",
    ]  # fmt: skip
    assert found["matrices"]["pred_a"]["counts"] == [[1, 0], [0, 1]]
    alone = sent(client, "upload", rows, name="p.csv", true="label", pred=["pred_a"]).json()
    assert alone["notes"][1:] == ["2 items without a label are left out."]


def test_items_without_a_label_or_a_score_are_left_out_and_counted(client):
    rows = "label,prob\nham,0.1\nspam,0.9\n,0.3\nham,\nspam,0.2\n"
    found = sent(client, "upload", rows).json()
    assert found["n"] == 5
    assert found["notes"] == [
        "Positive class: 'spam', the last of two equally frequent ones; change it with the choice above.",
        "2 items without a label or a score are left out.",
    ]
    rows = "label,pred,prob_a,prob_b\nham,ham,0.1,0.2\nspam,ham,0.9,0.8\n,ham,0.3,0.3\nham,,,0.2\nspam,ham,0.2,0.1\n"
    found = sent(client, "upload", rows, score=["prob_a", "prob_b"]).json()
    assert found["notes"][1:] == [
        "2 items without a label are left out.",
        "2 items without a label or a score are left out for prob_a.",
        "1 item without a label or a score is left out for prob_b.",
    ]
    assert [sum(found["sweeps"][x]["counts"][0]) for x in ("prob_a", "prob_b")] == [3, 4]


EMPTY_COLUMN = "label,pred_a,pred_b,pred_c\nham,ham,,ham\nspam,spam,,ham\nham,ham,,spam\n"


def test_a_system_without_labels_is_left_out_and_named(client):
    found = sent(client, "upload", EMPTY_COLUMN).json()
    assert (found["systems"], list(found["matrices"])) == (["pred_a", "pred_c"], ["pred_a", "pred_c"])
    assert [note.split()[0] for note in found["notes"]] == ["pred_b", "Positive"]
    assert found["problem"] is None
    error = sent(client, "compare", EMPTY_COLUMN, status=400, true="label", pred=["pred_a", "pred_b"]).json()["error"]
    assert error["argument"] == "pred"


def test_columns_are_asked_for_where_none_can_be_read(client):
    found = sent(client, "upload", "label,pred_a,pred_b\nham,,1.5\nspam,,2.5\nham,,3.25\n").json()
    assert (found["true"], found["systems"], found["matrices"]) == ("label", [], {})
    assert found["problem"]
    assert [note.split()[0] for note in found["notes"]] == ["pred_a", "pred_b"]


def lists(*systems):
    rows = [
        {"label": ["a", "b"][: 1 + k % 2], **{x: ["ab"[(k + i) % 2]] for i, x in enumerate(systems)}} for k in range(9)
    ]
    return "".join(f"{json.dumps(row)}\n" for row in rows)


@pytest.mark.parametrize("systems", [["pred"], ["pred_a", "pred_b"]])
def test_several_labels_of_an_item_are_not_compared(client, systems):
    found = sent(client, "upload", lists(*systems), name="p.jsonl").json()
    assert (found["systems"], list(found["matrices"])) == (systems[:1], ["a", "b"])
    assert len(found["notes"]) == len(systems) - 1
    error = sent(client, "compare", lists(*systems), status=400, name="p.jsonl", true="label", pred=systems).json()
    assert error["error"]["hint"] == "use goodmeasure compare on the command line"


def test_the_file_of_the_command_line_keeps_the_path_that_was_typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("sub").mkdir()
    Path("sub", "demo.csv").write_bytes(DEMO)
    with opened(file=Path("sub/demo.csv")) as client:
        found = sent(client, "compare", b"", given="", measures=["accuracy"], **CHOSEN).json()
        report = sent(client, "report", b"", given="", format="json", measures=["accuracy"], **CHOSEN).json()
    assert "gm.compare('sub/demo.csv'," in found["python"]
    assert found["command"].startswith("goodmeasure compare sub/demo.csv ")
    again = {}
    exec(found["python"], again)
    assert list(again["compared"].systems) == SYSTEMS
    assert report["source"]["files"] == ["sub/demo.csv"]


def test_a_file_may_be_called_as_the_standard_input(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("-").write_bytes(DEMO)
    monkeypatch.setattr(limits, "UPLOAD_SECONDS", 20)
    with opened(file=Path("-")) as client:
        assert sent(client, "upload", b"", given="").json()["systems"] == SYSTEMS


@pytest.mark.parametrize(
    "name", ["../../x", "/etc/passwd", "..", "", "a\0b", "*", "-", "C:\\x\\y.csv", "x" * 500, "é.csv"]
)
def test_a_name_leads_nowhere_else(name):
    safe = safe_name(name)
    assert 0 < len(safe) <= 80
    assert Path("/there", safe).resolve().parent == Path("/there")
    assert not set(safe) & set("/\\\0*?[]")


def test_a_workbook_is_read_sheet_by_sheet(client):
    """The first one unless another is chosen, in every answer about the file; a missing label is left out aloud."""
    book = openpyxl.Workbook()
    rows = [("label", "pred A", "pred B"), *[(k % 2, k % 2, k % 3 % 2) for k in range(30)], ("NA", 1, 1)]
    for sheet, kept in ((book.active, rows), (book.create_sheet("Long"), [*rows, *rows[1:-1]])):
        for row in kept:
            sheet.append(row)
    written = io.BytesIO()
    book.save(written)
    content = written.getvalue()
    found = sent(client, "upload", content, name="runs.xlsx").json()
    assert (found["tables"], found["table"], found["n"]) == (["Sheet", "Long"], "Sheet", 31)
    assert any("'NA' (once)" in x for x in found["notes"])
    chosen = {"name": "runs.xlsx", "table": "Long", "true": "label", "pred": ["pred A", "pred B"]}
    assert sent(client, "upload", content, **chosen).json()["n"] == 61
    compared = sent(client, "compare", content, **chosen).json()
    assert compared["n"] == 60
    assert "runs.xlsx::Long" in compared["command"]
    assert b"runs.xlsx" in sent(client, "report", content, **chosen, format="html").content


def test_the_page_names_the_formats_that_are_read(client):
    files = client.get("/api/config.json").json()["files"]
    assert files["names"] == format_names()
    assert set(file_endings()) <= set(files["endings"])
