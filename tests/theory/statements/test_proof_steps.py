"""The steps of a proof are keys; their words are read back where a file is read."""

from __future__ import annotations

from dataclasses import replace

import pytest

import goodmeasure as gm
from goodmeasure.theory.atlas.atlas import stored
from goodmeasure.theory.statements.certificate import Certificate
from goodmeasure.theory.statements.proof_steps import AROUND, ProofStep, steps_of, words_of
from goodmeasure.theory.statements.verdict import Verdict


@pytest.mark.parametrize("verdict", [*gm.atlas(classes=3, domain="regular")][::40], ids=str)
def test_a_stored_certificate_has_steps_that_say_what_its_method_says(verdict):
    parts = [] if verdict.certificate is None else [verdict.certificate, *verdict.certificate.parts]
    assert all(x.steps and words_of(x.steps) == x.method for x in parts)


def test_every_stored_proof_has_steps():
    methods = {x["method"] for x in stored().cells if x["certificate"] is not None and x["status"] != "refuted"}
    assert len(methods) > 20
    assert all(steps_of(x) and words_of(steps_of(x)) == x for x in methods)


@pytest.mark.parametrize("step", [x for x in ProofStep if x not in AROUND])
def test_steps_are_read_back_from_their_words(step):
    for steps in ((step,), (AROUND[2], step), (AROUND[0], AROUND[2], step), (AROUND[1], step)):
        assert steps_of(words_of(steps)) == steps


@pytest.mark.parametrize("words", ["", "some other proof", None, 3, ["example"], "example: example"])
def test_other_words_are_no_steps(words):
    assert steps_of(words) == ()


def test_a_verdict_and_its_certificate_keep_their_steps_on_the_way_through_json():
    verdict = gm.check(gm.accuracy, properties=["monotone"], classes=3)["monotone"]
    assert verdict.steps == (ProofStep.EVERY_NUMBER_OF_CLASSES, ProofStep.TWO_CLASSES_CHANGE)
    assert verdict.method == "holds for every number of classes: two classes change, all others stay"
    again = Verdict.from_json(verdict.to_json())
    assert (again.steps, again.certificate.steps) == (verdict.steps, verdict.certificate.steps)
    assert Certificate.from_json(verdict.certificate.to_json()) == verdict.certificate
    assert replace(verdict.certificate, method="in other words").steps == verdict.steps
