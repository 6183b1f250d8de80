"""What if: the answer to "what must change" is the smallest change."""

from __future__ import annotations

import math

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.web.answers import what_if
from tests.web.client import MATRIX, asked

COUNTS = MATRIX["counts"]


def moves(counts):
    """All matrices in which items of one cell are predicted as another class, with the number of items."""
    for i, row in enumerate(counts):
        for j, there in enumerate(row):
            for k in range(len(row)):
                for items in range(1, there + 1) if k != j else ():
                    after = np.array(counts)
                    after[i, j] -= items
                    after[i, k] += items
                    yield (i, j, k), items, after


@pytest.mark.parametrize("name", ["mcc", "accuracy", "f1", "miss_rate", "kappa"])
@pytest.mark.parametrize("target", [0.1, 0.7, 0.8, 0.88, 0.9, 0.95])
def test_the_fewest_items_reach_the_target(client, name, target):
    f = gm.measure(name)
    found = asked(client, "reach", matrix=MATRIX, measure=name, target=target)
    turned = -1 if f.orientation == "lower" else 1
    if (f(COUNTS) - target) * turned >= 0:
        assert found["reached"]
        assert found["ways"] == []
        return
    fewest = {}
    for move, items, after in moves(COUNTS):
        if (f(after) - target) * turned >= 0:
            fewest[move] = min(items, fewest.get(move, items))
    assert {(*x["from"], x["to"][1]): x["items"] for x in found["ways"]} == fewest
    for x in found["ways"]:
        assert (x["value"] - target) * turned >= 0


def test_a_target_that_is_met_exactly_counts_as_reached(client):
    found = asked(client, "reach", matrix={"counts": [[6, 3], [1, 0]]}, measure="accuracy", target=0.7)
    assert found["ways"][0]["items"] == 1


def test_fewer_errors_of_every_kind_reach_it_too(client):
    found = asked(client, "reach", matrix=MATRIX, measure="accuracy", target=0.99)
    assert found["ways"] == []
    assert found["overall"]["share"] == pytest.approx(1 - 0.01 * 77 / 7)


def test_fewer_errors_are_looked_for_from_the_smallest_share_on(client):
    """A measure may pass the target, fall and pass it again: the first time counts."""
    found = asked(client, "reach", matrix={"counts": [[0, 9], [1, 0]]}, measure="mcc", target=0.5)
    right, errors = np.diag([9, 1]), np.array([[0, 9], [1, 0]])
    shares = np.linspace(0, 1, 10_001)
    values = gm.mcc(right * shares[:, None, None] + errors * (1 - shares[:, None, None]))
    first = shares[np.flatnonzero(values >= 0.5)[0]]
    assert found["overall"]["share"] == pytest.approx(first, abs=1e-4)


def test_a_function_that_needs_floats_reaches_a_value_too():
    measure = gm.measure(lambda c: math.sqrt(c.tp) / c.n)
    counts = gm.ConfusionMatrix([[1, 2], [3, 4]])
    already, later = what_if.to_reach([what_if.Target(counts, measure, x) for x in (0.2, math.sqrt(7) / 10)])
    assert (already["reached"], later["reached"]) == (True, False)
