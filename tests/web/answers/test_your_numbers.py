"""Your numbers: the scorecard equals what the library says, whoever else asks at the same time."""

from __future__ import annotations

import math

import pytest

import goodmeasure as gm
from goodmeasure.web import routes
from goodmeasure.web.answers import your_numbers
from tests.web.client import MATRIX, asked


def test_the_scorecard_is_that_of_the_library(client):
    found = asked(client, "evaluate", matrix=MATRIX)
    rows = [row for row in gm.evaluate(gm.ConfusionMatrix(**MATRIX)).table if row["class"] is None]
    assert [x["measure"] for x in found["scores"]] == [row["measure"] for row in rows]
    for x, row in zip(found["scores"], rows, strict=True):
        assert [x[k] for k in ("value", "low", "high", "chance")] == [
            row[k] for k in ("value", "low", "high", "chance")
        ]
    assert found["majority"] == "ham"
    assert [x["label"] for x in found["by_class"]] == ["ham", "spam"]
    assert found["by_class"][1]["true"] == 24


def test_an_undefined_value_is_null_and_says_why(client):
    found = asked(client, "evaluate", matrix={"counts": [[5, 0], [3, 0]]}, measures=["precision"])
    assert found["scores"][0]["value"] is None
    assert "never predicted" in found["scores"][0]["reason"]


def test_the_copied_lines_of_python_give_the_same_numbers(client):
    found = asked(client, "evaluate", matrix=MATRIX, measures=["mcc", "macro(f1)"])
    names = {}
    exec(found["python"], names)
    values = [row["value"] for row in names["result"].table if row["class"] is None]
    assert values == [x["value"] for x in found["scores"]]


def test_trivial_classifiers_get_what_the_library_says(client):
    found = asked(client, "baselines", matrix=MATRIX, measures=["accuracy", "f1"])
    expected = gm.baselines(gm.ConfusionMatrix(**MATRIX), measures=["accuracy", "f1"])
    assert {x["name"]: x["values"] for x in found["rows"]} == {k: dict(v) for k, v in expected.items()}


def some_matrices():
    """Matrices of two and three classes, with labels of their own and some with a rule for 0/0."""
    counts = [
        [[5, 1], [2, 7]],
        [[0, 3], [0, 9]],
        [[6, 0], [1, 2]],
        [[90, 5], [5, 90]],
        [[3, 0, 1], [0, 4, 1], [2, 2, 9]],
    ]
    for k in range(15):
        found = counts[k % len(counts)]
        yield {"labels": [f"{k} {i}" for i in range(len(found))], "counts": found}


def alike(one, other):
    """Whether two answers are the same, but for rounding."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(alike, one, other))
    is_number = isinstance(one, float) and isinstance(other, float)
    return one == other or (is_number and math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)) or one != one


@pytest.mark.parametrize(
    "answers", [your_numbers.scorecards, your_numbers.trivials], ids=["scorecards", "trivial classifiers"]
)
def test_questions_that_are_answered_together_have_the_answers_of_each_alone(answers):
    questions = [routes.evaluate({"matrix": x, "confidence": 0.9 if x["counts"][0][0] == 6 else 0.95})
                 for x in some_matrices()]  # fmt: skip
    together = answers(questions)
    for question, found in zip(questions, together, strict=True):
        assert alike(found, answers([question])[0])


def test_every_example_has_its_scorecard(client):
    found = client.get("/api/examples.json").json()
    assert len(found) >= 10
    assert len({x["id"] for x in found}) == len(found)
    for x in found:
        assert x["result"]["scores"][0]["value"] is not None
