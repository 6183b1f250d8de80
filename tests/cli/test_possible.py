"""`goodmeasure possible`: answers, exit status, the map, and what bad input says."""

from __future__ import annotations

import json

import pytest

import goodmeasure as gm
from tests.cli.command import call


def run(*args):
    return call("possible", *args)


def test_an_impossible_set_prints_its_proof_and_exits_with_1():
    found = run("monotone", "distance", "constant-baseline")
    assert found.exit_code == 1
    assert "exclude each other from n = 3 on" in found.output
    assert "for every n ≥ 3" in found.output


def test_a_possible_set_exits_with_0():
    found = run("Mon", "CB", "--n", "3")
    assert found.exit_code == 0
    assert "mcc has them, for every n" in found.output


def test_json_holds_a_certificate_that_verifies():
    for args in (("Mon", "Dist", "CB", "--sizes", "3"), ("Mon", "--sizes", "2,3"), ("Min", "CB", "--classes", "3")):
        data = json.loads(run(*args, "--json").output)
        assert gm.verify(data["certificate"])


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("monoton",), "did you mean 'monotone'"),
        (("monotone", "--n", "3", "--sizes", "3"), "--n and --sizes contradict each other"),
        (("--map", "--n", "3"), "--map and --n contradict each other"),
        (("--map", "--sizes", "3"), "--map and --sizes contradict each other"),
        (("monotone", "--rebuild", "x"), "--rebuild needs --map"),
        ((), "no property was given"),
        (("monotone", "--sizes", "three"), "--sizes is 'three'"),
        (("monotone", "--domain", "some"), "domain is 'some'"),
        (("monotone", "--classes", "9"), "classes is 9"),
    ],
)
def test_bad_input_says_what_is_wrong(args, says):
    found = run(*args)
    assert found.exit_code == 2
    assert says in found.output


def test_the_map_is_printed_and_filtered():
    whole, part = run("--map"), run("--map", "Min", "--classes", "2", "--domain", "all")
    assert whole.exit_code == part.exit_code == 0
    assert "Dist, Mon, CB" in whole.output
    assert "Dist, Mon, CB" not in part.output
    assert "Min, Dist, CB" in part.output
    regions = json.loads(run("--map", "--json").output)["regions"]
    assert gm.verify(regions[0]["impossible"][0]["certificate"])
