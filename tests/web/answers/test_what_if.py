"""What if: curves equal what the library gives, and the answer to "what must change" is the smallest change."""

from __future__ import annotations

import numpy as np
import pytest

import goodmeasure as gm
from tests.web.client import MATRIX, asked, refused

COUNTS = MATRIX["counts"]


def test_the_curve_along_prevalence_is_that_of_a_projection(client):
    found = asked(client, "prevalence", matrix=MATRIX, measures=["precision"], points=11)
    assert found["class"] == "spam"
    assert found["now"] == 24 / 77
    for share in (0.1, 0.5, 0.9):
        at = found["shares"].index(pytest.approx(share))
        expected = gm.project(COUNTS, share, measures=["precision"]).value("precision")
        assert found["values"]["precision"][at] == pytest.approx(expected)


def test_a_prevalence_curve_of_an_unknown_class_is_refused(client):
    assert refused(client, "prevalence", {"matrix": MATRIX, "class": "eggs"})["argument"] == "class"


def test_moved_items_change_every_measure(client):
    data = {"matrix": MATRIX, "from": [1, 0], "to": [1, 1], "measures": ["mcc", "recall"]}
    found = asked(client, "move", **data)
    assert found["items"] == [0, 1, 2, 3, 4]
    assert found["values"]["recall"] == [20 / 24, 21 / 24, 22 / 24, 23 / 24, 1.0]
    assert found["values"]["mcc"][2] == gm.mcc([[50, 3], [2, 22]])


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


def test_the_curves_of_the_paper_come_out(client):
    found = asked(client, "curves", measures=["mcc", "yule_q"], positives=90, negatives=90, predicted=60)
    assert found["hits"][-1] == 60
    assert found["matrices"][-1] == [[90, 0], [30, 60]]
    assert found["values"]["yule_q"][-1] == 1
    assert found["values"]["mcc"][-1] == pytest.approx(0.7071, abs=1e-4)


@pytest.mark.parametrize("cell", [[0, 2], [-1, 0], [0], "x", None, [0.5, 0], [True, 0]])
def test_a_cell_outside_of_the_matrix_is_refused(client, cell):
    assert refused(client, "move", {"matrix": MATRIX, "from": cell, "to": [1, 1]})["argument"] == "from"
