"""`goodmeasure sweep`: scores in files to best thresholds and curves."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

import goodmeasure as gm
from tests.cli.command import call


def run(*arguments):
    return call("sweep", *arguments)


@pytest.fixture
def scored(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.random(200) < 0.4
    s = np.round(rng.normal(size=200) + y, 2)
    lines = ["label,score,weight,place"]
    for k, (positive, score) in enumerate(zip(y, s, strict=True)):
        lines.append(f"{'spam' if positive else 'ham'},{score},{k % 3 + 1},{'n' if k % 2 else 's'}")
    path = tmp_path / "scored.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path, y, s


def test_columns_are_guessed_and_the_best_thresholds_printed(scored):
    path, y, s = scored
    result = run(path)
    assert result.exit_code == 0, result.output
    best = gm.sweep(y, s).best("mcc", confidence=None)
    line = next(x for x in result.stdout.splitlines() if x.split()[:1] == ["MCC"])
    assert f"{best.threshold:.6g}" in line
    assert f"{best.value:.3f}" in line


def test_json_has_the_best_thresholds_and_the_curves(scored):
    path, y, s = scored
    data = json.loads(run(path, "--true", "label", "--score", "score", "--measures", "mcc,f1", "--json").stdout)
    assert data["positive"] == "spam"
    assert [x["measure"] for x in data["best"]] == ["mcc", "f1"]
    found = gm.sweep(y, s, measures=["mcc", "f1"]).best("f1")
    assert data["best"][1]["threshold"] == found.threshold
    assert data["best"][1]["low"] == found.low
    assert {x["measure"]: len(x["values"]) <= 203 for x in data["curves"]} == {"mcc": True, "f1": True}


def test_weights_groups_and_the_positive_class_are_taken(scored):
    data = json.loads(
        run(
            scored[0], "--weight", "weight", "--by", "place", "--positive", "ham", "--measures", "recall", "--json"
        ).stdout
    )
    assert {x["group"] for x in data["best"]} == {"n", "s"}
    assert data["positive"] == "ham"
    weights = np.arange(200) % 3 + 1
    found = next(x for x in data["best"] if x["group"] == "n")
    assert np.sum(found["counts"]) == weights[1::2].sum()


@pytest.mark.parametrize(
    ("options", "message"),
    [(["--score", "nothing"], "nothing"), (["--measures", "nonsense"], "nonsense"), (["--score", "place"], "place")],
)
def test_bad_input_is_said_in_one_line(scored, options, message):
    result = run(scored[0], *options)
    assert result.exit_code == 2
    assert message in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_a_column_of_scores_that_is_not_obvious_must_be_named(tmp_path):
    path = tmp_path / "plain.csv"
    path.write_text("label,x,z\n1,0.5,2\n0,0.2,3\n", encoding="utf-8")
    result = run(path)
    assert result.exit_code == 2
    assert "--score" in result.output
    assert run(path, "--score", "x").exit_code == 0


def test_errors_name_the_options_of_this_command(tmp_path):
    (tmp_path / "s.csv").write_text("label,score\n1,0.9\n0,0.2\n2,0.4\n")
    assert "which is the positive one with --positive\n" in run(tmp_path / "s.csv").output
    assert run(tmp_path / "s.csv", "--positive", "9").output.startswith("error: --positive is 9")
    (tmp_path / "t.csv").write_text("label,pred\n1,1\n")
    assert "name it with --score;" in run(tmp_path / "t.csv").output


def test_the_command_of_a_report_makes_it_again(scored, tmp_path):
    path, *_ = scored
    asked = ("--by", "place", "--weight", "weight", "--positive", "ham", "--measures", "mcc,f1", "--seed", "4")
    assert run(path, *asked, "--out", tmp_path / "a.md", "--out", tmp_path / "a.json").exit_code == 0
    text = (tmp_path / "a.md").read_text(encoding="utf-8")
    command = next(x for x in text.splitlines() if x.startswith("goodmeasure sweep "))
    assert run(*shlex.split(command)[2:], "--out", tmp_path / "b.json").exit_code == 0
    first, second = (json.loads((tmp_path / name).read_text()) for name in ("a.json", "b.json"))
    assert first["state"].pop("source")["true"] == second["state"].pop("source")["true"] == "label"
    assert first == second


def test_labels_of_text_files_are_read_as_numbers(tmp_path):
    """Also those of JSON lines, where numbers and text that looks like them are one class."""
    (tmp_path / "s.csv").write_text("label,score\n1,0.9\n0.0,0.2\n1.0,0.4\n")
    (tmp_path / "s.jsonl").write_text(
        '{"label": "1", "score": 0.9}\n{"label": 0, "score": 0.2}\n{"label": 1, "score": 0.4}\n'
    )
    outputs = [run(tmp_path / name, "--positive", "1").output for name in ("s.csv", "s.jsonl")]
    assert outputs[0] == outputs[1]
    assert "Labels are read as whole numbers." in outputs[0]
    assert "predicts '1'" in outputs[0]


def test_groups_of_items_widen_the_intervals(scored):
    """Items that are copied into groups of five tell no more than one of them."""
    path, y, s = scored
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = [f"{line},g{k}" for k, line in enumerate(lines[1:41]) for _ in range(5)]
    path.write_text("\n".join([f"{lines[0]},patient", *rows]), encoding="utf-8")
    alone, grouped = (
        json.loads(run(path, "--measures", "mcc", "--json", *more).stdout)["best"][0]
        for more in ((), ("--group", "patient"))
    )
    assert grouped["value"] == alone["value"]
    assert grouped["value_high"] - grouped["value_low"] > 1.3 * (alone["value_high"] - alone["value_low"])
    kept = {"y_true": np.repeat(y[:40], 5), "y_score": np.repeat(s[:40], 5), "groups": np.repeat(np.arange(40), 5)}
    best = gm.sweep(**kept, measures=["mcc"]).best("mcc", confidence=0.95)
    assert (grouped["value_low"], grouped["value_high"]) == pytest.approx((best.value_low, best.value_high))
    output = run(path, "--measures", "mcc", "--group", "patient", "--out", path.with_suffix(".md")).output
    assert "--group patient" in path.with_suffix(".md").read_text(encoding="utf-8"), output


def test_runs_are_joined_by_their_ids(scored, tmp_path):
    """Each run is swept like its column in the table of all."""
    _, y, s = scored
    rng = np.random.default_rng(1)
    scores = {"A": s, "B": np.round(s + rng.normal(size=len(s)), 2)}
    for name, column in scores.items():
        order = rng.permutation(len(s))
        rows = [f"q{k},{'spam' if y[k] else 'ham'},{column[k]}" for k in order]
        (tmp_path / f"{name}.csv").write_text("\n".join(["item,label,score", *rows, ""]))
    files = [f"{name}={tmp_path / name}.csv" for name in scores]
    data = json.loads(run(*files, "--id", "item", "--measures", "mcc", "--json").stdout)
    assert {x["group"]: x["threshold"] for x in data["best"]} == {
        name: gm.sweep(y, column).best("mcc", confidence=None).threshold for name, column in scores.items()
    }
    assert "--id is not given, and there are 2 runs" in call("sweep", *files, check=2).err
    with pytest.raises(gm.InputError, match="id= joins runs"):
        gm.sweep(y, s, id="item")


def test_a_row_may_stand_for_many_items(scored, tmp_path):
    _, y, s = scored
    s = np.round(s)
    known, n = np.unique(np.stack([y, s]), axis=1, return_counts=True)
    rows = [f"{'spam' if a else 'ham'},{b},{k}" for a, b, k in zip(*known, n, strict=True)]
    (tmp_path / "table.csv").write_text("\n".join(["label,score,n", *rows, ""]))
    data = json.loads(run(tmp_path / "table.csv", "--count", "n", "--measures", "mcc", "--json").stdout)
    expected = gm.sweep(y, s, measures="mcc").best("mcc")
    (best,) = data["best"]
    assert (best["threshold"], best["value"], best["low"]) == (expected.threshold, expected.value, expected.low)
    listed = gm.sweep(known[0], known[1], count=n, measures="mcc").best("mcc")
    assert (listed.threshold, listed.low) == (expected.threshold, expected.low)
