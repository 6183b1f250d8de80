"""Witnesses keep labelings and matrices as numbers, in Python and in JSON; files of earlier versions are read too."""

from __future__ import annotations

import json
from fractions import Fraction

import goodmeasure as gm
from goodmeasure.theory.statements.witness import Witness, text_of
from tests.replay import replayed


def test_labelings_are_numbers_in_python_and_in_json_and_named_where_they_are_shown():
    witness = gm.check("mcc", properties=["distance"])["distance"].witness
    assert witness.labelings == ((0, 1, 1), (0, 0, 1), (1, 0, 1))
    data = witness.to_dict()
    assert data["labelings"] == [[0, 1, 1], [0, 0, 1], [1, 0, 1]]
    assert Witness.from_dict(data) == witness
    assert str(witness).splitlines()[0] == "labelings A = 011, B = 001, C = 101"


def test_a_witness_of_an_earlier_version_is_read_verified_and_printed_as_it_was_stored():
    (cell,) = gm.atlas("mcc", "distance", classes=2, domain="all").cells
    stored = {**json.loads(cell["witness"]), "labelings": ["A = 011", "B = 001", "C = 101"]}
    found = Witness.from_dict(stored)
    assert found.labelings == ((0, 1, 1), (0, 0, 1), (1, 0, 1))
    assert str(found).splitlines()[0] == "labelings " + ", ".join(stored["labelings"])
    assert Witness.from_dict(found.to_dict()) == found
    assert {**found.to_dict(), "labelings": None} == {**stored, "labelings": None}
    verdict = gm.atlas()["mcc", "distance"].to_dict()
    assert gm.verify({**verdict, "witness": stored})
    assert gm.verify(verdict)


def test_a_fraction_is_typed_exactly_or_as_a_quotient():
    rows = ((1, Fraction(3, 2)), (Fraction(1, 2), 0))
    assert text_of(rows) == "[[1, F(3, 2)], [F(1, 2), 0]]"
    assert text_of(rows, exact=False) == "[[1, 3 / 2], [1 / 2, 0]]"


def black_box(matrix):
    return float(matrix[0, 0] / matrix.sum())


def test_a_function_of_arrays_is_replayed_with_floats():
    line = gm.check(black_box, properties=["ACB"])["ACB"].witness.replay
    assert "np.array([[1 / 2, 1 / 2], [1 / 2, 1 / 2]])" in line
    assert replayed(line, black_box=black_box) is False
