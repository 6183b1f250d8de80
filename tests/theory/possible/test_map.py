"""The stored map: complete, certified, and what the program finds."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

import goodmeasure as gm
from goodmeasure.exceptions import InputOSError
from goodmeasure.theory.possible.answer import table_certificate
from goodmeasure.theory.possible.baseline_metric import HAS, METRIC
from goodmeasure.theory.possible.map import pack, stored, unpack
from goodmeasure.theory.possible.map_build import PLANS, Lattice, RegionPlan, build
from goodmeasure.theory.statements.lookup import NINE

REGIONS = stored().regions


def test_the_map_covers_what_is_planned():
    assert [(x.classes, x.domain, x.n, x.properties) for x in REGIONS] == [
        (x.classes, x.domain, x.n, x.properties) for x in PLANS
    ]


@pytest.mark.parametrize("region", REGIONS, ids=lambda x: x.title)
def test_every_subset_is_decided_once(region):
    """Each contains an impossible set or lies in a possible one, and never both."""
    impossible = [set(x["properties"]) for x in region.impossible]
    possible = [set(x["properties"]) for x in region.possible]
    for size in range(1, len(region.properties) + 1):
        for names in combinations(region.properties, size):
            chosen = set(names)
            assert any(x <= chosen for x in impossible) != any(chosen <= x for x in possible), names


@pytest.mark.parametrize("region", REGIONS, ids=lambda x: x.title)
def test_every_entry_has_a_proof_a_table_or_a_proved_measure(region):
    for x in region.impossible:
        assert set(x["used"]) == set(x["properties"]), "minimal: the proof needs all of them"
        assert gm.verify(x["certificate"])
        if x["for_every_n"] is not None:
            assert gm.verify(x["for_every_n"])
    for x in region.possible:
        if x["measure"] is None:
            assert gm.verify(x["certificate"])
        else:
            assert set(x["properties"]) <= set(region.measures[x["measure"]])


def test_the_nine_for_two_classes_are_as_known():
    found = {frozenset(x["properties"]): x["n"] for x in REGIONS[0].impossible}
    assert found == {
        frozenset({"distance", "monotone", "constant_baseline"}): 3,
        frozenset({"distance", "strongly_monotone", "constant_baseline"}): 4,
        frozenset({"minimal_agreement", "distance", "constant_baseline"}): 3,
    }
    assert {x["measure"] for x in REGIONS[0].possible} == {"mcc", "correlation_distance", METRIC.name}


def test_with_all_three_classes_present_nothing_of_the_nine_is_impossible():
    region = next(x for x in REGIONS if (x.classes, x.domain) == (3, "regular"))
    assert region.impossible == ()
    assert region.n == 5


def test_across_the_papers_the_known_ones_are_there():
    found = {frozenset(x["properties"]): x["n"] for x in REGIONS[-1].impossible}
    assert found[frozenset({"strongly_monotone", "opitz_prevalence_invariant"})] == 4
    assert found[frozenset({"symmetry", "monotone", "opitz_prevalence_invariant"})] == 5
    assert found[frozenset({"constant_baseline", "sebastiani_mon"})] == 3
    assert found[frozenset({"symmetry", "sebastiani_mon", "sebastiani_imb"})] == 3


@pytest.mark.deep
def test_one_command_builds_the_same(tmp_path):
    plan = RegionPlan("small", 2, "all", 4, NINE)
    said = []
    found = build(tmp_path / "map.xz", plans=[plan], said=said.append)
    assert said
    read = unpack((tmp_path / "map.xz").read_bytes())
    assert read == found
    assert {tuple(x["properties"]) for x in read.regions[0].impossible} == {
        tuple(x["properties"]) for x in REGIONS[0].impossible
    }
    assert unpack(pack(read)) == read


def test_minimal_and_maximal_sets_are_found_whatever_the_order():
    names = tuple(reversed(NINE))
    minimal, maximal = Lattice(RegionPlan("turned", 2, "all", 4, names)).decided()
    assert {frozenset(x) for x in minimal} == {frozenset(x["properties"]) for x in REGIONS[0].impossible}
    assert {frozenset(x) for x in maximal} == {frozenset(x["properties"]) for x in REGIONS[0].possible}


def test_filtering_keeps_the_sets_with_a_property():
    found = stored().filter("Min", classes=2, domain="all").regions[0]
    assert [set(x["properties"]) for x in found.impossible] == [{"minimal_agreement", "distance", "constant_baseline"}]
    assert all("minimal_agreement" in x["properties"] for x in found.possible)


def test_possible_names_a_measure_that_is_known():
    assert gm.possible("monotone", "distance", n=2).known == "correlation_distance"
    assert gm.possible("monotone", "constant_baseline", n=2).known == "mcc"
    assert gm.possible("constant_baseline", "distance", n=2).known == METRIC.name


def test_the_metric_with_a_baseline_has_what_it_says():
    table = {}
    for n in range(1, 9):
        for x in gm.possible("symmetry", sizes=[n]).table:
            table[x] = Fraction(str(METRIC.exact(x)))
    assert gm.verify(table_certificate(HAS, tuple(range(1, 9)), 2, "all", table))


def explicit(x):
    """A distance with minimal agreement and a baseline for n ≥ 4, by class sizes."""
    (tn, fp), (fn, tp) = x
    n, a, b = tn + fp + fn + tp, fn + tp, fp + tp
    if fp == fn == 0:
        return Fraction(0)
    if tp == tn == 0:
        return Fraction(3, 2)
    if {a, b} & {0, n} or (a != b and a + b != n):
        return Fraction(1)
    from math import comb

    p = Fraction(1, comb(n, a))
    if a == b and a + b == n:
        return (1 - 3 * p / 2) / (1 - 2 * p)
    return 1 / (1 - p) if a == b else (1 - 3 * p / 2) / (1 - p)


def test_minimal_agreement_distance_and_a_baseline_go_together_from_n_4_on():
    names = ("minimal_agreement", "maximal_agreement", "distance", "constant_baseline", "symmetry", "class_symmetry")
    table = {x: -explicit(x) for x in gm.possible("symmetry", sizes=[4, 5, 6, 7, 8]).table}
    assert gm.verify(table_certificate(names, (4, 5, 6, 7, 8), 2, "all", table))


def test_a_folder_that_is_missing_is_said_before_the_work(tmp_path):
    def never(text):
        raise AssertionError(text)

    with pytest.raises(FileNotFoundError, match="there is no folder") as caught:
        build(tmp_path / "nodir" / "map.xz", said=never)
    assert isinstance(caught.value, gm.GoodmeasureError)


def test_a_map_that_cannot_be_written_is_said_in_our_words(tmp_path):
    with pytest.raises(InputOSError, match="cannot be written"):
        build(tmp_path, plans=[])
    assert list(tmp_path.iterdir()) == []
