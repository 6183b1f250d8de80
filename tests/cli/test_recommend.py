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
    assert "Best suited: balanced_accuracy" in found.output
    for part in (
        "violates  symmetry: [0 0 1 | 0 1 0 | 1 1 0] has 1/3",
        "chance    1/3 on average",
        "beside    accuracy",
    ):
        assert part in found.output


def test_what_is_impossible_exits_with_1_and_the_proof():
    found = run("--distance", "--chance")
    assert found.exit_code == 1
    assert "impossible: no measure has distance, monotone and constant_baseline together" in found.output
    assert "without constant_baseline (scores are compared to chance): correlation_distance" in found.output


def test_json_is_what_python_gives():
    args = ("--classes", "4", "--chance", "--need", "Sym", "--avoid", "kappa", "--json")
    data = json.loads(run(*args).output)
    assert data == json.loads(json.dumps(gm.recommend(4, needs=["Sym"], avoids=["kappa"], chance=True).to_dict()))
    assert data["measures"][0] == "sba"


def test_costs_are_read_from_a_flag():
    assert "matching_tversky(alpha=5, beta=1)" in run("--costs", "0,1;5,0").output
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
