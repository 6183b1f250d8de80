"""Own formulas: value, formula and verdicts while one types; what never ends is stopped."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import goodmeasure as gm
from goodmeasure.web import routes
from tests.web.client import MATRIX, asked, opened, refused

F1 = "2*tp / (2*tp + fp + fn)"


def test_a_formula_has_a_value_and_a_printed_form(client):
    found = asked(client, "formula", text=F1, matrix=MATRIX)
    assert found["value"] == gm.f1(MATRIX["counts"])
    assert found["exact"] == "40/47"
    assert found["classes"] == 2
    assert found["formula"]["text"] == "2 TP/(2 TP + FP + FN)"
    assert found["formula"]["mathml"].startswith("<math")


def test_the_formula_of_two_classes_says_so_for_more(client):
    found = asked(client, "formula", text=F1, matrix={"counts": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]})
    assert found["value"] is None
    assert found["reason"] == "The formula uses the cells of two classes, and the matrix has 3."


def test_a_mistake_is_shown_at_its_place(client):
    assert refused(client, "formula", {"text": "tp / (tp + ", "matrix": MATRIX}, 200)["position"] == 11


def test_an_undefined_value_has_its_reason(client):
    found = asked(client, "formula", text="tp / (tp + fn)", matrix={"counts": [[3, 1], [0, 0]]})
    assert found["value"] is None
    assert "'1' has no true items" in found["reason"]


def checked(client, **data):
    reply = client.post("/api/check", json=data)
    assert reply.status_code == 200, reply.text
    return [json.loads(line) for line in reply.text.splitlines()]


def test_properties_come_one_by_one_with_their_counterexamples(client):
    *verdicts, last = checked(client, text=F1, properties=["symmetry", "monotone"])
    assert [x["status"] for x in verdicts] == ["proved", "refuted"]
    before, after = verdicts[1]["witness"]["exhibits"][:2]
    assert gm.f1(before["matrix"]) >= gm.f1(after["matrix"])
    assert last["done"]


def test_verdicts_on_a_formula_are_those_on_the_measure(client):
    names = ["maximal_agreement", "class_symmetry", "scale_invariance", "opitz_monotone", "sebastiani_sde"]
    *own, _ = checked(client, text="c.ratio(2*c.tp, 2*c.tp + c.fn + c.fp, otherwise=1)", properties=names)
    assert [x["status"] for x in own] == [gm.atlas()["f1", x].status for x in names]


def test_what_takes_too_long_is_stopped_and_the_page_goes_on(monkeypatch):
    monkeypatch.setitem(routes.WORK, "formula", replace(routes.WORK["formula"], seconds=1.0))
    slow = "c.sum(lambda i: c.sum(lambda j: c.sum(lambda k: c[i, j] * c[j, k])))"
    with opened() as hurried:
        error = refused(hurried, "formula", {"text": slow, "matrix": {"counts": [[1] * 150] * 150}}, 200)
        assert "takes longer than 1 seconds, and was stopped" in error["message"]
        assert asked(hurried, "evaluate", matrix=MATRIX)["n"] == 77


@pytest.mark.parametrize("data", [{}, {"text": 3}, {"text": "x" * 1_000_000}, {"text": "tp", "matrix": [[1]]}])
def test_nonsense_is_refused(client, data):
    assert refused(client, "formula", data, 200)["message"]


def test_properties_that_exclude_each_other_are_proved_to(client):
    found = asked(client, "possible", properties=["monotone", "distance", "constant_baseline"])
    assert found["status"] == "impossible"
    assert "add up to 0 > 0" in found["text"]
    assert asked(client, "possible", properties=["symmetry", "monotone"])["status"] == "possible"
