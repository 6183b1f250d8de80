"""Your numbers: the scorecard equals what the library says, and pasted matrices are read."""

from __future__ import annotations

import pytest

import goodmeasure as gm
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
    found = asked(client, "evaluate", matrix={"counts": [[5, 0], [3, 0]]}, measures=["precision"], undefined="nan")
    assert found["scores"][0]["value"] is None
    assert "never predicted" in found["scores"][0]["reason"]


def test_the_copied_lines_of_python_give_the_same_numbers(client):
    found = asked(client, "evaluate", matrix=MATRIX, measures=["mcc", "macro(f1)"])
    names = {}
    exec(found["python"], names)
    values = [row["value"] for row in names["result"].table if row["class"] is None]
    assert values == [x["value"] for x in found["scores"]]


@pytest.mark.parametrize(
    "text",
    [
        "50 3\n4 20",
        "50 3; 4 20",
        "50,3\n4,20\n",
        "50\t3\r\n4\t20\r\n",
        "[[50, 3], [4, 20]]",
        "array([[50,  3],\n       [ 4, 20]])",
        "[[50  3]\n [ 4 20]]",
        '{"counts": [[50, 3], [4, 20]]}',
        "\tham\tspam\nham\t50\t3\nspam\t4\t20",
        "true,ham,spam\nham,50,3\nspam,4,20",
    ],
)
def test_a_matrix_is_read_as_people_paste_it(client, text):
    found = asked(client, "parse", text=text)["matrix"]
    assert found["counts"] == [[50, 3], [4, 20]]
    assert found["labels"] == (["ham", "spam"] if "ham" in text else ["0", "1"])


def test_a_text_without_a_matrix_says_what_to_paste(client):
    reply = client.post("/api/parse", json={"text": "hello"})
    assert reply.status_code == 400
    assert "paste rows of counts" in reply.json()["error"]["message"]


def test_trivial_classifiers_get_what_the_library_says(client):
    found = asked(client, "baselines", matrix=MATRIX, measures=["accuracy", "f1"])
    expected = gm.baselines(gm.ConfusionMatrix(**MATRIX), ["accuracy", "f1"])
    assert {x["name"]: x["values"] for x in found["rows"]} == {k: dict(v) for k, v in expected.items()}


def test_many_matrices_are_measured_at_once(client):
    found = asked(client, "values", matrices=[[[1, 2], [3, 4]], [[0, 1], [0, 1]]], measures=["recall", "mcc"])
    assert found["values"] == {"recall": [4 / 7, 1.0], "mcc": [gm.mcc([[1, 2], [3, 4]]), 0.0]}


def test_every_example_has_its_scorecard(client):
    found = client.get("/api/examples.json").json()
    assert len(found) >= 10
    assert len({x["id"] for x in found}) == len(found)
    for x in found:
        assert x["result"]["scores"][0]["value"] is not None
