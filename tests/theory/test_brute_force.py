"""Brute force from the papers' definitions agrees with every stored verdict, as far as few items reach."""

from __future__ import annotations

import pytest

import goodmeasure as gm
from tests.theory.atlas_by_brute_force import FEWER, contradiction, disagreements, sample, tasks
from tests.theory.brute_force import PROPERTIES, Found, Values, decomposable

REGIONS = sorted({x.region for x in tasks()})


@pytest.mark.parametrize("region", [pytest.param(x, marks=[pytest.mark.deep] * (k > 0)) for k, x in enumerate(REGIONS)])
def test_brute_force_agrees_with_the_whole_atlas_for_very_few_items(region):
    chosen = [x for x in tasks() if x.region == region]
    assert chosen
    assert [wrong for task in chosen for wrong in disagreements(task, fewer=FEWER[region])] == []


@pytest.mark.deep
def test_brute_force_agrees_with_the_atlas_for_more_items():
    """On a part of the measures, another one for each atlas; `make fuzz ONLY=atlas` looks at all of them."""
    chosen = sample(tasks(), 40)
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


@pytest.mark.parametrize(("measure", "m", "p"), [("macro(f1)", 3, 1), ("g_mean", 2, 0), ("zero_one_loss", 2, -1)])
def test_brute_force_finds_the_scores_of_a_mean_over_classes(measure, m, p):
    values = Values(gm.measure(measure), m, "regular")
    assert decomposable((p,))(values, 5).n is None
    assert decomposable((p + 0.5,))(values, 5).n is not None


@pytest.mark.parametrize(("measure", "n"), [("accuracy", None), ("lambda_true", 2), ("mcc", 1)])
def test_brute_force_sees_corners_of_three_classes(measure, n):
    assert PROPERTIES["sebastiani_con"](Values(gm.measure(measure), 3, "all"), 3).n == n


def test_a_false_verdict_is_a_disagreement():
    """What the comparison looks for, it sees: each kind of wrong verdict."""
    assert contradiction("monotone", "proved", None, Found(4, 10), 6)
    assert contradiction("monotone", "refuted", 5, Found(4, 10), 6)
    assert contradiction("monotone", "refuted", 5, Found(None, 10), 6)
    assert contradiction("monotone", "held", 6, Found(4, 10), 6)
    assert contradiction("monotone", "vacuous", None, Found(None, 10), 6)
    assert contradiction("opitz_class_sensitive", "proved", None, Found(None, 10), 6)
    assert contradiction("opitz_class_sensitive", "refuted", None, Found(2, 10), 6)
    assert contradiction("opitz_class_decomposable", "refuted", 4, Found(None, 10), 6)
    assert contradiction("opitz_class_decomposable", "proved", None, Found(4, 10), 6)
    assert not contradiction("monotone", "refuted", 9, Found(None, 10), 6)
    assert not contradiction("monotone", "proved", None, Found(None, 10), 6)
