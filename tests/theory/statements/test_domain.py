"""Domains are told by which classes occur."""

from __future__ import annotations

import numpy as np
import pytest

from goodmeasure.theory.statements.domain import DOMAINS, domain_of


@pytest.mark.parametrize(
    ("matrix", "inside"),
    [
        ([[1, 0], [0, 1]], {"all", "non-unary", "regular"}),
        ([[1, 0], [1, 0]], {"all"}),
        ([[3, 0], [0, 0]], {"all"}),
        ([[0, 0], [0, 0]], set()),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 0]], {"all", "non-unary"}),
        ([[0, 1, 0], [1, 0, 0], [0, 0, 2]], {"all", "non-unary", "regular"}),
        ([[0, 0, 1], [0, 0, 1], [0, 0, 2]], {"all"}),
    ],
)
def test_a_matrix_lies_in_its_domains(matrix, inside):
    assert {name for name, x in DOMAINS.items() if x.holds(np.array(matrix))} == inside
    support = tuple(tuple(x > 0 for x in row) for row in matrix)
    assert {name for name, x in DOMAINS.items() if x.holds_pattern(support)} == inside


def test_an_unknown_domain_is_an_error():
    assert domain_of("non_unary") is domain_of("non-unary")
    with pytest.raises(ValueError, match='use "all", "non-unary" or "regular"'):
        domain_of("some")
