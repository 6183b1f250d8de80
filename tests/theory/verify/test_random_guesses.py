"""What the verifier demands of certificates about random guesses: each demand refuses a certificate that lacks it."""

from dataclasses import replace

import pytest

import goodmeasure as gm
from goodmeasure.exceptions import CertificateError
from goodmeasure.theory.prove.proof import prove
from goodmeasure.theory.statements.certificate import definition_of
from tests.theory.verify.refusals import changed, refused


@pytest.fixture(scope="module")
def rotations():
    return prove("mcc", "sebastiani_cha")


def test_every_support_is_needed_up_to_rotation(rotations):
    assert gm.verify(rotations)
    refused(replace(rotations, cases=rotations.cases[1:]), "missing")
    refused(replace(rotations, cases=(*rotations.cases, {"support": "1010", "proof": {"by": "zero"}})), "does not ask")


def test_the_mean_of_random_guesses_must_be_the_one_named(rotations):
    refused(replace(rotations, constants={"gamma": "1/2"}), "the constants are")


def test_a_support_with_values_is_not_skipped(rotations):
    refused(changed(rotations, lambda x: x["support"] == "0110", proof={"by": "undefined"}), "undefined elsewhere")


def test_rotations_that_do_not_add_up_to_a_constant_are_refused(rotations):
    of_f1 = replace(rotations, measure="f1", definition=prove("f1", "Sym").definition)
    refused(of_f1)


def test_all_rotations_of_a_prediction_have_a_value_or_none(rotations):
    def one_sided(c):
        return c.ratio(c.b[1], 2 * c.b[1])  # 1/2, except where nothing is called positive

    measure = gm.measure(one_sided)
    forged = replace(
        rotations,
        measure=measure.name,
        definition=definition_of(measure),
        constants={"gamma": "1/2"},
        cases=tuple(
            {
                "support": x["support"],
                "proof": {"by": "undefined" if x["support"] in ("0001", "0100", "0101") else "zero"},
            }
            for x in rotations.cases
        ),
    )
    with pytest.raises(CertificateError, match="some, but not all, rotated"):
        gm.verify(forged, measure=one_sided)


@pytest.fixture(scope="module")
def by_sizes():
    return prove("kappa", "sebastiani_cha", domain="regular")


def test_the_baseline_behind_an_average_must_be_proved(by_sizes):
    assert gm.verify(by_sizes)
    (part,) = by_sizes.parts
    refused(replace(by_sizes, parts=(replace(part, cases=()),)))
    refused(replace(by_sizes, parts=(replace(part, domain="all"),)), "something else")
    refused(replace(by_sizes, parts=(replace(part, statement="approximate_constant_baseline"),)), "something else")
    refused(replace(by_sizes, parts=(part, part)), "missing")
    refused(replace(by_sizes, constants={"gamma": "1"}), "the constant is 0")


def test_all_classes_that_can_occur_are_looked_at(by_sizes):
    refused(replace(by_sizes, cases=by_sizes.cases * 2), "classes that can occur")
    refused(replace(by_sizes, cases=()))
    refused(changed(by_sizes, lambda x: True, proof={"by": "undefined"}), "says otherwise")


def test_a_constant_prediction_must_score_the_constant_too():
    certificate = prove("lift", "sebastiani_cha")
    assert gm.verify(certificate)
    refused(changed(certificate, lambda x: x["predicted"] == "01", proof={"by": "defined"}))
    refused(changed(certificate, lambda x: x["predicted"] == "10", proof={"by": "defined"}), "says otherwise")
