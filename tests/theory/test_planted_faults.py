"""A fault planted in the prover is never verified: a verifier that shared it would accept false proofs."""

from __future__ import annotations

import pytest

import goodmeasure as gm
from goodmeasure.exceptions import UnverifiedProof
from goodmeasure.theory.prove.proof import prove
from tests.theory.brute_force import PROPERTIES, Values
from tests.theory.planted_faults import FAULTS, FOR_EVERY_NUMBER, SHARED, planted

DOMAINS = ("regular", "all")


def false_claims(plant, m):
    """The claims about a plant's measures with the domains on which brute force refutes them."""
    for measure, name in plant.claims:
        for domain in DOMAINS:
            found = PROPERTIES[name](Values(gm.measure(measure), m, domain), 7 - m)
            if found.n is not None:
                yield measure, name, domain


def false_proofs(plant, claims, classes):
    """The certificates of false claims that a prover with a fault finds; a fault may also break it."""
    for measure, name, domain in claims:
        try:
            certificate = prove(measure, name, classes=classes, domain=domain, seconds=5)
        except Exception:  # noqa: BLE001
            continue
        if certificate is not None:
            yield measure, certificate


def assert_refused(plant, classes, m):
    claims = list(false_claims(plant, m))
    assert claims
    assert not list(false_proofs(plant, claims, classes))
    with planted(*plant[:3]):
        found = list(false_proofs(plant, claims, classes))
        assert found, "the fault changes no proof"
        for measure, certificate in found:
            with pytest.raises(gm.CertificateError):
                gm.verify(certificate, measure=None if isinstance(measure, str) else measure)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_prover_is_never_verified(name):
    assert_refused(FAULTS[name], 2, 2)


@pytest.mark.parametrize("name", FOR_EVERY_NUMBER)
def test_a_fault_in_proofs_for_every_number_of_classes_is_never_verified(name):
    assert_refused(FOR_EVERY_NUMBER[name], "every", 3)


@pytest.mark.parametrize("name", ["a subtraction adds", "everything is positive", "before and after are exchanged"])
def test_check_holds_what_a_faulty_prover_proves(name):
    """The search stops before it meets the counterexample, so that the proof decides."""
    measure, statement = FAULTS[name].claims[0]
    with planted(*FAULTS[name][:3]), pytest.warns(UnverifiedProof):
        found = gm.check(measure, properties=[statement], domain="regular", n=1)[statement]
    assert found.status == "held"
    assert "verification failed" in found.remark


def test_the_verifier_computes_with_nothing_of_the_prover():
    assert not SHARED


def test_there_are_many_faults():
    assert len(FAULTS) + len(FOR_EVERY_NUMBER) > 40
