"""The value on given cells is that of the definition, also where it is taken from the formula of a support."""

import pytest

import goodmeasure as gm
from goodmeasure.language.policy import policy_of
from goodmeasure.theory.algebra.orthant import Outside
from goodmeasure.theory.prove.support_cases import Reader


def certain(c):
    return c.ratio(c[0, 0], c[0, 0], otherwise=5)


def test_positive_cells_are_put_into_the_formula_of_their_support():
    reader = Reader(gm.measure(certain), 2, policy_of("resolve"))
    x, y, z, w = reader.gens[:4]
    assert reader.value([x + y, y, z, w]).as_fraction() == 1


def test_cells_that_may_vanish_are_not_put_into_the_formula_of_their_support():
    """For x = y the value is 5, not 1."""
    reader = Reader(gm.measure(certain), 2, policy_of("resolve"))
    x, y, z, w = reader.gens[:4]
    with pytest.raises(Outside):
        reader.value([x - y, y, z, w])
