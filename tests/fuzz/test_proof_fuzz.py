"""A short run of the attacks on proofs, and the proof that they see what they look for."""

from __future__ import annotations

from random import Random

import pytest

import goodmeasure as gm
from goodmeasure.catalogue.measure import as_measure
from tests.fuzz.attacks import ATTACKS, counterexample
from tests.fuzz.certificates import damaged
from tests.fuzz.definitions import EVERY, HOSTILE, Definition, definition
from tests.fuzz.proofs import Tally, Trial, fuzzed_proofs


@pytest.mark.parametrize(("number", "proved"), [(13, 1), pytest.param(39, 5, marks=pytest.mark.deep)])
def test_random_definitions_are_never_proved_to_have_what_they_lack(number, proved):
    """The same definitions at every run; `make fuzz ONLY=proofs` tries others, and more of them."""
    tally = fuzzed_proofs(600, number, 0, damages=3, tries=30)
    assert tally.findings == []
    assert tally.counts["definitions"] == number
    assert tally.counts["proved"] > proved


def test_definitions_are_the_same_for_the_same_seed_and_of_every_kind():
    found = [definition(Random(f"kinds {k}")) for k in range(300)]
    assert found == [definition(Random(f"kinds {k}")) for k in range(300)]
    assert {x.classes for x in found} == {2, 3, EVERY}
    assert {x.hostile for x in found} == {True, False}
    for x in found:
        compile(x.text, "<definition>", "exec")


def test_every_hostile_body_is_python():
    for body in HOSTILE:
        text = "def M(c):\n" + body.format(good="1", bad="0", late="c.n > 60", x="c.n", t=60)
        assert Definition(text, 2, True).function() is not None


LATE = "def M(c):\n    return c.where(c.fp == 1000, 2, lambda: c.ratio(c.tp + c.tn, c.n))\n"
LATE_BY_SIZE = "def M(c):\n    return c.where(c.n > 10 ** 6, 2, lambda: c.ratio(c.tp + c.tn, c.n))\n"
FALSE = [
    (LATE, "maximal_agreement"), (LATE, "minimal_agreement"), (LATE, "symmetry"), (LATE, "class_symmetry"),
    (LATE, "monotone"), (LATE, "strongly_monotone"), (LATE, "sebastiani_mon"), (LATE, "opitz_monotone"),
    (LATE, "distance"), (LATE, "scale_invariance"), (LATE_BY_SIZE, "maximal_agreement"), (LATE_BY_SIZE, "monotone"),
    (LATE_BY_SIZE, "scale_invariance"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name"), FALSE)
def test_misbehaviour_that_shows_late_is_found(text, name):
    found = Definition(text, 2, False)
    measure = as_measure(found.function())
    assert counterexample(measure, name, 2, "all", "resolve", Random(1), found.numbers, 4000) is not None


NEED_CONSTANTS = {"opitz_chance_corrected", "opitz_class_decomposable"}  # attacked with what a verdict states


@pytest.mark.parametrize("name", sorted(ATTACKS.keys() - NEED_CONSTANTS))
def test_measures_that_have_a_property_survive(name):
    """K, a measure with many properties, and one that is constant."""
    lacks = {
        "symmetry", "strongly_monotone", "distance", "opitz_class_indifferent", "monotone", "maximal_agreement",
        "minimal_agreement",
    }  # fmt: skip
    if name not in lacks:
        assert counterexample(gm.measure("k"), name, 2, "regular", "resolve", Random(1), [], 200) is None
    if "agreement" not in name and "mon" not in name and name != "distance":
        flat = as_measure(Definition("def M(c):\n    return 1\n", 2, False).function())
        assert counterexample(flat, name, 2, "all", "resolve", Random(1), [], 20) is None


def test_a_false_proof_and_a_forged_certificate_are_findings(monkeypatch):
    of, tally = Definition(LATE, 2, False), Tally()
    trial = Trial(of, Random(3), tally, "here")
    trial.domain, trial.undefined = "all", "resolve"
    certificate = gm.check("accuracy", properties=["symmetry"])["symmetry"].certificate
    monkeypatch.setattr(Trial, "proof", lambda self, name: certificate if name == "symmetry" else None)
    monkeypatch.setattr(Trial, "verified", lambda self, data: True)
    monkeypatch.setattr(trial.rng, "sample", lambda known, size: ["symmetry"])
    trial.run(damages=40, tries=4000)
    assert "verified false proof of symmetry" in tally.findings[0]


def test_damage_changes_a_certificate_and_is_the_same_for_the_same_seed():
    data = gm.check("accuracy", properties=["monotone"])["monotone"].certificate.to_dict()
    assert damaged(data, Random(5)) == damaged(data, Random(5))
    assert sum(damaged(data, Random(k)) != data for k in range(50)) > 40
