"""Every small data set is listed once."""

from __future__ import annotations

import numpy as np
import pytest

from goodmeasure.counts.enumeration import compositions, how_many, joint_counts, keys, matrices, place_values


@pytest.mark.parametrize(("n", "parts"), [(0, 3), (1, 4), (5, 4), (4, 9), (3, 1)])
def test_compositions_are_all_of_them_once_and_in_order(n, parts):
    listed = [tuple(map(int, x)) for x in compositions(n, parts)]
    assert len(listed) == how_many(n, parts)
    assert listed == sorted(set(listed))
    assert {sum(x) for x in listed} == {n}
    assert {min(x) for x in listed} <= set(range(n + 1))


def test_long_enumerations_are_not_remembered():
    assert compositions(4, 9) is compositions(4, 9)
    long = compositions(10, 9)
    assert len(long) == how_many(10, 9)
    assert compositions(10, 9) is not long


def test_keys_keep_the_order_and_tell_rows_apart():
    for n, m in ((5, 3), (4, 5)):
        found = keys(compositions(n, m * m), place_values(m * m))
        assert (np.diff(found) > 0).all()


@pytest.mark.parametrize("width", [4, 9, 16, 25])
def test_keys_fit_into_64_bits_with_one_item_more(width):
    places = [int(x) for x in place_values(width)]
    base = places[-2]
    assert places == [base**k for k in range(width - 1, -1, -1)]
    assert base**width <= 2**62 < (base + 2) ** width


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
