"""Domains are told by which classes occur."""

from __future__ import annotations

import numpy as np
import pytest

from goodmeasure.counts.enumeration import compositions, how_many, joint_counts, keys, matrices
from goodmeasure.properties.domain import DOMAINS, domain_of


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


@pytest.mark.parametrize(("n", "parts"), [(0, 3), (1, 4), (5, 4), (4, 9), (3, 1)])
def test_compositions_are_all_of_them_once_and_in_order(n, parts):
    listed = [tuple(map(int, x)) for x in compositions(n, parts)]
    assert len(listed) == how_many(n, parts)
    assert listed == sorted(set(listed))
    assert {sum(x) for x in listed} == {n}
    assert {min(x) for x in listed} <= set(range(n + 1))


def test_keys_keep_the_order_and_tell_rows_apart():
    cells = compositions(5, 9)
    found = keys(cells, 6)
    assert (np.diff(found) > 0).all()
    with pytest.raises(ValueError, match="do not fit"):
        keys(cells, 7)


def test_joint_counts_give_every_triple_of_matrices():
    joint = joint_counts(2, 2)
    seen = {tuple(tuple(x.sum(axis=k).ravel().tolist()) for k in (0, 1, 2)) for x in joint}
    labelings = [(a, b) for a in range(2) for b in range(2)]
    expected = set()
    for a in labelings:
        for b in labelings:
            for c in labelings:
                pairs = ((b, c), (a, c), (a, b))
                expected.add(tuple(tuple(sum((x, y) == (i, j) for x, y in zip(p, q, strict=True)) for i in range(2)
                                         for j in range(2)) for p, q in pairs))  # fmt: skip
    assert seen == expected
    assert matrices(2, 2).shape == (10, 2, 2)
