"""Proofs for every n: what is interpolated is verified symbolically, and holds where it says."""

from __future__ import annotations

from fractions import Fraction

import pytest

import goodmeasure as gm
from goodmeasure.theory.possible.lift import _rational, lifted, polynomial_text
from goodmeasure.theory.statements.domain import domain_of


def test_a_fraction_of_polynomials_is_found_through_its_points():
    points = [Fraction(n) for n in range(3, 17)]
    top, bottom = _rational(points, [(2 * n * n + 1) / (n - 2) for n in points])
    for n in (Fraction(30), Fraction(101, 7)):
        value = sum(w * n**k for k, w in enumerate(top)) / sum(w * n**k for k, w in enumerate(bottom))
        assert value == (2 * n * n + 1) / (n - 2)


def test_what_is_no_fraction_of_polynomials_is_not_taken_for_one():
    points = [Fraction(n) for n in range(3, 17)]
    assert _rational(points, [Fraction(2) ** int(n) for n in points]) is None


@pytest.mark.parametrize(
    ("weights", "text"), [([0], "0"), ([-2, 1], "n-2"), ([1, 0, -3], "-3*n^2+1"), ([0, 1, 1], "n^2+n"), ([5], "5")]
)
def test_polynomials_are_written_as_certificates_read_them(weights, text):
    assert polynomial_text(weights) == text


def test_nothing_is_lifted_where_larger_n_are_possible():
    assert lifted(["minimal_agreement", "distance", "constant_baseline"], [3], 2, domain_of("all")) is None


def test_a_proof_with_growing_cells_off_the_diagonal():
    """Both labelings constant, on different classes: no cell of the diagonal can grow."""
    found = gm.possible("minimal_agreement", "constant_baseline", classes=3)
    assert found.for_every_n["least"] == 2
    assert gm.verify(found.for_every_n)


def test_theorem_1_for_every_n_on_regular_matrices_too():
    found = gm.possible("monotone", "distance", "constant_baseline", domain="regular")
    assert found.for_every_n["least"] == 3
    assert gm.verify(found.for_every_n)
