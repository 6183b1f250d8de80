"""`goodmeasure recommend`: flags, exit status, JSON, and the questions."""

from __future__ import annotations

import json

import pytest

import goodmeasure as gm
from tests.cli.command import call


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")


def run(*args):
    return call("recommend", *args)


def test_a_measure_that_suits_exits_with_0():
    found = run("--classes", "3", "--deployment", "other", "--rare", "1")
    assert found.exit_code == 0
    assert "Report balanced accuracy." in found.output
    assert len(found.output.splitlines()) <= 30
    for part in (
        'gm.evaluate(y_true, y_pred, measures=["balanced_accuracy"])',
        "- Multiplying the counts of a true class by any number changes nothing",
        "- what guessing gets: 1/3 on average, whatever the class sizes",
        "- Macro-averaged F1 lacks this: ",
        "Balanced accuracy falls from 0.33 to 0.17",
    ):
        assert part in found.output
    assert "opitz_" not in found.output


def test_more_is_explained_on_request():
    found = run("--top", "2")
    assert "sba: Symmetric balanced accuracy" in found.output
    assert "  chance  1/2 on average" in found.output


def test_why_not_answers_with_the_property_and_an_example():
    found = run("--why-not", "f1", "--why-not", "kappa")
    one, two = found.output.splitlines()
    assert "score one constant on average" in one
    assert "F1 rises from 0 to 0.67 when a classifier says yes to everything" in one
    assert "Cohen's kappa rises from -1 to -0.8 when one more item is predicted wrong" in two


def test_what_is_impossible_exits_with_1_and_the_proof():
    found = run("--distance", "--chance")
    assert found.exit_code == 1
    words = " ".join(found.output.split())
    assert "Requirements 1, 2 and 3 exclude each other. Proof: goodmeasure possible distance monotone" in words
    assert "(scores are compared to chance): correlation_distance" in words


def test_json_is_what_python_gives():
    args = ("--classes", "4", "--chance", "--need", "Sym", "--avoid", "kappa", "--json")
    data = json.loads(run(*args).output)
    assert data == json.loads(json.dumps(gm.recommend(4, needs=["Sym"], avoids=["kappa"], chance=True).to_dict()))
    assert data["measures"][0] == "sba"


def test_costs_are_read_from_a_flag():
    assert "average_cost(costs=[[0, 1], [5, 0]])" in run("--costs", "0,1;5,0").output
    asked = run("--costs", "yes")
    assert asked.exit_code == 2
    assert "expected your table costs[true][predicted]" in asked.err


def test_the_questions_are_shown():
    assert "How many classes are rare?" in run("--questions").output
    asked = json.loads(run("--questions", "--json").output)
    assert asked[0]["name"] == "classes"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--need", "monotonne"), "did you mean 'monotone'"),
        (("--need", "Mon", "--avoid", "Mon"), "both needed"),
        (("--costs", "0,x"), "--costs is '0,x'"),
        (("--rare", "2"), "not all classes can be rare"),
        (("--ordered",), "contradict each other"),
    ],
)
def test_bad_flags_are_one_line(args, says):
    found = run(*args)
    assert found.exit_code == 2
    assert says in found.output
    assert found.output.count("\n") == 1


def test_nothing_of_python_is_advised():
    done = call("recommend", "--classes", "3")
    assert "class shares: they make the score reproducible" in done.stdout
    assert "result." not in done.stdout
