"""Brute force from the papers' definitions agrees with every stored verdict, as far as few items reach."""

from __future__ import annotations

import pytest

import goodmeasure as gm
from tests.theory.atlas_by_brute_force import contradiction, disagreements, sample, tasks
from tests.theory.brute_force import PROPERTIES, Found, Values

REGIONS = sorted({x.region for x in tasks()})


@pytest.mark.parametrize("region", REGIONS)
def test_brute_force_agrees_with_the_atlas(region):
    """On a part of the measures, another one for each atlas; `make fuzz` looks at all of them."""
    chosen = sample([x for x in tasks() if x.region == region], 3)
    assert chosen
    assert [wrong for task in chosen for wrong in disagreements(task)] == []


@pytest.mark.parametrize(
    ("measure", "name", "domain", "n"),
    [
        ("f1", "monotone", "all", 2),
        ("f1", "minimal_agreement", "all", 2),
        ("mcc", "distance", "all", 3),
        ("balanced_accuracy", "symmetry", "all", 4),
        ("balanced_accuracy", "strongly_monotone", "all", 3),
        ("accuracy", "constant_baseline", "all", 3),
        ("kappa", "strongly_monotone", "all", 4),
        ("mcc", "strongly_monotone", "all", None),
        ("jaccard", "distance", "all", None),
    ],
)
def test_brute_force_finds_what_is_known_from_the_literature(measure, name, domain, n):
    assert PROPERTIES[name](Values(gm.measure(measure), 2, domain), 4).n == n


def test_a_false_verdict_is_a_disagreement():
    """What the comparison looks for, it sees: each kind of wrong verdict."""
    assert contradiction("monotone", "proved", None, Found(4, 10), 6)
    assert contradiction("monotone", "refuted", 5, Found(4, 10), 6)
    assert contradiction("monotone", "refuted", 5, Found(None, 10), 6)
    assert contradiction("monotone", "held", 6, Found(4, 10), 6)
    assert contradiction("monotone", "vacuous", None, Found(None, 10), 6)
    assert contradiction("opitz_class_sensitive", "proved", None, Found(None, 10), 6)
    assert contradiction("opitz_class_sensitive", "refuted", None, Found(2, 10), 6)
    assert not contradiction("monotone", "refuted", 9, Found(None, 10), 6)
    assert not contradiction("monotone", "proved", None, Found(None, 10), 6)
