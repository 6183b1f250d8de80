"""Compare measures: the atlas, the strongest disagreements, and the map of possible property sets."""

from __future__ import annotations

from itertools import product

import pytest

import goodmeasure as gm
from tests.web.client import asked, refused


def test_the_atlas_is_that_of_the_library(client):
    found = client.get("/api/atlas.json").json()
    row = next(x for x in found["rows"] if (x["measure"], x["classes"], x["domain"]) == ("mcc", 2, "all"))
    signs = dict(zip(found["properties"], row["signs"], strict=True))
    assert signs["monotone"] == gm.atlas()["mcc", "monotone"].sign
    assert len(found["rows"]) == len(gm.atlas().signs())


def test_the_map_has_readable_proofs(client):
    region = client.get("/api/map.json").json()["regions"][0]
    sets = [set(x["properties"]) for x in region["impossible"]]
    assert {"monotone", "distance", "constant_baseline"} in sets
    assert "add up to 0 > 0" in region["impossible"][0]["proof"]


def brute_force(one, two, n):
    """How much two measures disagree at most, from all pairs of matrices with the same true class sizes."""
    matrices = [(tn, fp, fn, n - tn - fp - fn) for tn, fp, fn in product(range(n + 1), repeat=3) if tn + fp + fn <= n]
    inside = [x for x in matrices if 0 < x[0] + x[1] < n]
    values = {f: {x: f([x[:2], x[2:]]) for x in inside} for f in (one, two)}
    spread = {f: max(v.values()) - min(v.values()) for f, v in values.items()}
    best = 0
    for x, y in product(inside, repeat=2):
        if x[0] + x[1] == y[0] + y[1]:
            up = (values[one][x] - values[one][y]) / spread[one]
            down = (values[two][y] - values[two][x]) / spread[two]
            best = max(best, min(up, down))
    return best


@pytest.mark.parametrize(("one", "two"), [("mcc", "f1"), ("accuracy", "balanced_accuracy"), ("kappa", "jaccard")])
def test_the_strongest_disagreement_is_found(client, one, two):
    found = asked(client, "disagree", first=one, second=two, n=6)
    first, second = gm.measure(one), gm.measure(two)
    assert found["pairs"][0]["size"] == pytest.approx(brute_force(first, second, 6))
    for pair in found["pairs"]:
        x, y = pair["first"], pair["second"]
        assert sum(x["matrix"][0]) == sum(y["matrix"][0])
        assert first(x["matrix"]) > first(y["matrix"])
        assert second(x["matrix"]) < second(y["matrix"])


def test_measures_of_one_order_agree(client):
    found = asked(client, "disagree", first="f1", second="jaccard", n=8)
    assert found["agree"]
    assert found["said"] == "F1 and Jaccard index never put two predictions of 8 items in opposite order."


def test_a_measure_is_not_compared_with_itself(client):
    assert refused(client, "disagree", {"first": "mcc", "second": "matthews"})["argument"] == "second"


def test_an_unknown_name_is_answered_with_suggestions(client):
    assert "mcc" in refused(client, "disagree", {"first": "mccc", "second": "f1"})["suggestions"]
