"""The command line: readable tables, stable JSON, one-line errors with exit status 2."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import goodmeasure as gm
from tests.cli.command import call, call_apart


def test_measures_lists_the_whole_catalogue_as_json():
    rows = json.loads(call("measures", "--json").stdout)
    assert [row["name"] for row in rows] == [x.name for x in gm.measures()]
    mcc = next(row for row in rows if row["name"] == "mcc")
    assert mcc["range"] == [-1, 1]
    assert mcc["formula"] == gm.mcc.formula
    assert mcc["aliases"] == list(gm.mcc.aliases)
    odds = next(row for row in rows if row["name"] == "diagnostic_odds_ratio")
    assert odds["range"] == [0, None], "an open end is null: JSON has no infinity"


def test_measures_can_be_filtered():
    rows = json.loads(call("measures", "--json", "--classes", "3", "--orientation", "lower").stdout)
    assert {row["orientation"] for row in rows} == {"lower"}
    assert all(row["classes"] is None for row in rows)
    assert {row["name"] for row in json.loads(call("measures", "yule", "--json").stdout)} == {"yule_q", "yule_y"}
    table = call("measures", "--family", "rates").stdout
    assert "specificity" in table
    assert "kappa" not in table


def test_a_search_without_result_suggests_the_nearest():
    assert "did you mean" in call("measures", "jacard").stdout


@pytest.mark.parametrize("measure", gm.measures(), ids=lambda x: x.name)
def test_every_measure_can_be_explained(measure):
    result = call("explain", measure.name)
    assert result.exit_code == 0, result.output
    assert measure.title.split()[0] in result.stdout
    assert "source" in result.stdout


def test_explain_shows_value_rule_chance_and_signature():
    text = call("explain", "mcc", "--matrix", "10 0; 0 0", "--labels", "ham,spam").stdout
    assert "value      1" in text
    assert "so MCC is 0/0 and is reported as 1" in " ".join(text.split())
    assert "mcc|classes=2|undefined=resolve|n=10" in text


def test_explain_as_json_holds_everything():
    data = json.loads(call("explain", "f1", "--matrix", "[[50, 3], [4, 20]]", "--json").stdout)
    assert data["value"]["value"] == pytest.approx(40 / 47)
    assert data["value"]["worked"].startswith("2*20/(2*20 + 4 + 3)")
    assert any(remark["source"] == "goesgens2021" for remark in data["remarks"])


def test_explain_of_a_family_shows_its_parameters():
    text = call("explain", "fbeta").stdout
    assert "β^2" in text
    assert "fbeta(beta=2)" in text


def test_macro_f1_mentions_the_other_measure_of_that_name():
    result = call("explain", "macro f1")
    assert "macro_f1_of_means carries the same name" in result.stderr
    assert "macro(f1)" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain", "mathews"], "did you mean 'mcc'"),
        (["explain", "mcc", "--matrix", "1 2; 3"], "differ in length"),
        (["explain", "mcc", "--matrix", "1 x; 3 4"], 'write "50 3; 4 20"'),
        (["explain", "mcc", "--matrix", "1 -2; 3 4"], "must be finite and not negative"),
        (["explain", "mcc", "--matrix", ""], "--matrix is empty"),
        (["explain", "f1", "--matrix", "1 2 3; 4 5 6; 7 8 9"], "use macro(f1)"),
        (["explain", "fbeta", "--matrix", "1 2; 3 4"], "needs its parameters"),
        (["explain", "mcc", "--matrix", "1 2; 3 4", "--labels", "a"], "labels has 1 entries"),
        (["explain", "mcc", "--matrix", "1 2; 3 4", "--undefined", "zero"], 'use "resolve"'),
        (["measures", "--family", "nonsense"], "use one of"),
        (["measures", "--classes", "0"], "0"),
        (["nonsense"], "No such command"),
    ],
)
def test_bad_input_is_one_line_with_status_2(arguments, message):
    result = call(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_the_demo_has_json_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = json.loads(call("demo", "--json").stdout)
    assert data["data"]["rows"] == 1797
    assert data["source"]["systems"] == ["linear", "tree", "bayes", "majority"]
    assert list(tmp_path.iterdir()) == []


def test_the_demo_leaves_files_of_the_user_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "goodmeasure-demo.csv"
    path.write_text("label,mine\na,b\n")
    assert json.loads(call("demo", "--json").stdout)["data"]["rows"] == 1797
    refused = call("demo")
    assert refused.exit_code == 2
    assert "rename it" in refused.stderr
    assert path.read_text() == "label,mine\na,b\n"
    assert list(tmp_path.iterdir()) == [path]


def test_the_installed_command_works_in_a_pipe_without_colours():
    text = call_apart("measures", check=0).out
    assert "\x1b[" not in text
    assert "jaccard" in text


def test_a_reader_that_goes_away_is_no_error():
    command = f"{sys.executable} -m goodmeasure.cli measures --json | head -c 10"
    run = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert b"Traceback" not in run.stderr
    assert b"rror" not in run.stderr


def test_ctrl_c_while_parts_are_loaded_ends_in_one_line(monkeypatch, capsys):
    import goodmeasure.cli.main as loaded
    from goodmeasure.cli.__main__ import run

    def interrupted(**_):
        raise KeyboardInterrupt

    monkeypatch.setattr(loaded, "main", interrupted)
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == 1
    assert capsys.readouterr().err == "Aborted!\n"


def test_measures_of_another_library_are_listed_beside_ours():
    table = call("measures", "--peer", "pycm", "CSI").stdout
    assert "macro(mcconnaughey, classes='all')" in table
    rows = json.loads(call("measures", "--peer", "yardstick", "--json").stdout)
    assert {"name": "kap", "measure": "kappa"}.items() <= next(x for x in rows if x["name"] == "kap").items()
    assert "no measure of pycm matches" in call("measures", "--peer", "pycm", "xyz").stdout
