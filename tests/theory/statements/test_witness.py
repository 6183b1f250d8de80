"""Witnesses keep labelings and matrices as numbers, and are printed and stored as before."""

from __future__ import annotations

from fractions import Fraction

import goodmeasure as gm
from goodmeasure.theory.statements.witness import Witness, text_of
from tests.replay import replayed


def test_labelings_are_numbers_in_python_and_text_in_json():
    witness = gm.check("mcc", properties=["distance"])["distance"].witness
    assert witness.labelings == ((0, 1, 1), (0, 0, 1), (1, 0, 1))
    data = witness.to_json()
    assert data["labelings"] == ["A = 011", "B = 001", "C = 101"]
    assert Witness.from_json(data) == witness
    assert str(witness).splitlines()[0] == "labelings A = 011, B = 001, C = 101"


def test_a_stored_witness_is_read_and_printed_as_it_was_stored():
    stored = gm.atlas("mcc", "distance", classes=2, domain="all").to_json()[0]["witness"]
    found = Witness.from_json(stored)
    assert found.to_json() == stored
    assert all(isinstance(label, int) for x in found.labelings for label in x)


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
