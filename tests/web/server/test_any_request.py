"""Whatever a request holds, the answer is a result or a sentence, and never an error of the program."""

from __future__ import annotations

import json
import random

import pytest

from goodmeasure.web.routes import QUICK, WORK
from tests.web.client import MATRIX

GARBAGE = [
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        3,
        10**30,
        0.5,
        -0.0,
        1e308,
        "",
        "x",
        "mcc",
        "f1",
        "ham",
        "resolve",
        "nan",
        "\0",
        "é" * 50,
    ),
    *(
        [],
        [0],
        [0, 1],
        [1, 1],
        [[]],
        [[1]],
        [["a"]],
        [None],
        ["mcc"],
        ["mcc", "mcc"],
        ["nonsense"],
        {},
        {"counts": [[1]]},
    ),
    *(MATRIX, {"counts": [[1, 2, 3], [4, 5, 6], [7, 8, 9]]}, {"counts": [[0.5, 0], [0, 1e-9]]}, [[1, 2], [3, 4]]),
    *([MATRIX["counts"]], [[[0, 0], [0, 0]]], "recommended", "all", "distance", ["distance"], [["distance"]]),
]
FIELDS = {
    "evaluate": ("matrix", "measures", "confidence", "statement"),
    "baselines": ("matrix", "measures"),
    "reach": ("matrix", "measure", "target"),
    "disagree": ("first", "second", "n"),
    "recommend": ("classes", "ordered", "costs", "deployment", "rare", "needs", "avoids"),
}
GOOD = {"matrix": MATRIX, "measure": "mcc", "target": 0.9, "first": "mcc", "second": "f1"}


def test_every_question_is_tried():
    assert set(FIELDS) == {*QUICK, *WORK} - {"formula", "check", "possible"}  # they have tests of their own


@pytest.mark.parametrize("route", FIELDS)
def test_any_request_has_an_answer(client, route):
    draw = random.Random(route)
    for _ in range(60):
        data = {name: GOOD[name] for name in FIELDS[route] if name in GOOD and draw.random() < 0.7}
        for name in draw.sample(FIELDS[route], min(len(FIELDS[route]), draw.randint(1, 2))):
            data[name] = draw.choice(GARBAGE)
        reply = client.post(f"/api/{route}", content=json.dumps(data))
        assert reply.status_code in (200, 400), (data, reply.text)
        assert reply.status_code == 200 or reply.json()["error"]["message"], data
