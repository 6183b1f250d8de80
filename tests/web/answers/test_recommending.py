"""Recommend: the answers of `gm.recommend`, the impossible combination, and lines that can be copied."""

from __future__ import annotations

from dataclasses import replace

import pytest
from click.testing import CliRunner

import goodmeasure as gm
from goodmeasure.cli.main import main
from goodmeasure.recommendation.recommendation import Drop, GuessingLevel
from goodmeasure.web.answers import recommending
from tests.web.client import asked, refused

TASKS = [
    {},
    {"classes": 5},
    {"distance": True},
    {"classes": 4, "rare": 1, "deployment": "unknown"},
    {"one_class": True, "needs": ["maximal_agreement"], "avoids": ["f1"]},
    {"costs": [[0, 1], [5, 0]]},
    {"predictions": "scores", "capacity": 200},
    {"one_class": True, "prevalence": 0.01},
    {"structure": "sets", "classes": 7, "rare": 2},
]


@pytest.mark.parametrize("task", TASKS, ids=str)
def test_the_answer_is_that_of_the_library(client, task):
    found = asked(client, "recommend", **task)
    expected = gm.recommend(**task)
    assert found["best"] == expected.best.name
    assert [x["measure"] for x in found["ranked"]] == [x.name for x in expected.ranked[:8]]


@pytest.mark.parametrize("task", TASKS, ids=str)
def test_the_copied_lines_ask_the_same(client, task):
    found = asked(client, "recommend", **task)
    assert eval(found["python"], {"gm": gm}).best.name == found["best"]
    import shlex

    done = CliRunner().invoke(main, [*shlex.split(found["command"])[1:], "--json"])
    assert done.exit_code == 0, done.output
    assert f'"{found["best"]}"' in done.output


def test_an_impossible_combination_is_explained(client):
    found = asked(client, "recommend", distance=True, chance=True)
    assert found["best"] is None
    assert found["impossible"]["properties"] == ["distance", "monotone", "constant_baseline"]
    assert found["impossible"]["every_n"] == "n ≥ 3"
    assert "0 > 0" in found["impossible"]["proof"]
    assert found["drop"] == [
        "Without constant baseline (scores are compared to chance): Correlation distance, whose value for the average "
        "random matrix is still one constant.",
        "Without distance (a distance is needed): MCC.",
    ]


def test_the_statement_is_a_sentence_whatever_guessing_gets(client):
    constant = asked(client, "recommend")["statement"]
    assert "Random guessing gets 0 on average" in constant
    varying = asked(client, "recommend", one_class=True)["statement"]
    assert "The score of random guessing depends on the class sizes" in varying
    pair = asked(client, "recommend", one_class=True, prevalence=0.01)
    assert pair["statement"] == "We report recall and specificity on n = … items."
    assert pair["ranked"][0]["together"] == ["recall", "specificity"]
    assert pair["why_not"][1]["text"].startswith("F1 lacks this: The same classifier must get the same score")


@pytest.mark.parametrize(
    "task", [{"classes": 1}, {"classes": "many"}, {"ordered": 1}, {"costs": "high"}, {"nonsense": 1}, {"needs": [3]}]
)
def test_a_nonsense_answer_is_refused(client, task):
    assert refused(client, "recommend", task)["message"]


def test_every_question_has_an_example(client):
    found = client.get("/api/questions.json").json()
    assert all(x["example"] for x in found)
    assert {x["kind"] for x in found} == {"number", "yes_no", "costs", "choice"}


def test_choices_are_those_of_the_question_whatever_its_words(client):
    found = {x["name"]: x["choices"] for x in client.get("/api/questions.json").json()}
    assert found["deployment"] == ["same", "other", "unknown"]
    assert {name for name, choices in found.items() if choices} == {"deployment", "predictions", "structure", "readers"}


def test_sentences_do_not_depend_on_the_words_of_the_library():
    best = gm.recommend().best
    varies = replace(best, find_chance=lambda: GuessingLevel("varies with the class sizes", depends=True))
    assert recommending._statement(varies).endswith(" The score of random guessing varies with the class sizes.")
    stays = replace(best, find_chance=lambda: GuessingLevel("depends not on the class sizes: 0", depends=False))
    assert " Random guessing gets depends not" in recommending._statement(stays)
    needs = tuple(x for x in gm.recommend(distance=True).needs if x.statement == "distance")
    assert recommending._drop(Drop(needs, "mcc")).endswith(": MCC.")
    assert recommending._drop(Drop(needs, "mcc", ", which is no distance")).endswith(": MCC, which is no distance.")
    assert Drop(needs, "mcc", ", which is no distance").then == "mcc, which is no distance"


def test_a_wrong_type_is_refused_in_our_words(client):
    error = refused(client, "recommend", {"needs": 3})
    assert (error["argument"], error["message"]) == ("needs", "needs is 3: expected names of properties")


def test_the_page_advises_nothing_of_python(client):
    """A page has neither functions nor keyword arguments."""
    three = {"labels": ["a", "b", "c"], "counts": [[5, 1, 0], [0, 4, 2], [1, 0, 3]]}
    error = refused(client, "evaluate", {"matrix": three, "measures": ["f1"]})
    assert error["message"].endswith("use macro(f1), micro(f1) or weighted(f1)")
    assert error["hint"] == "use macro(f1), micro(f1) or weighted(f1)"
    error = refused(client, "evaluate", {"matrix": three, "measures": ["qqzz"]})
    assert "gm." not in error["message"]
    assert "gm." not in error["hint"]
