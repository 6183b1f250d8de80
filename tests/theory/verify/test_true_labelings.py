"""What the verifier demands of certificates about test sets: each demand refuses a certificate that lacks it."""

from dataclasses import replace

import pytest

import goodmeasure as gm
from goodmeasure.theory.prove.proof import prove
from tests.theory.verify.refusals import changed, refused


@pytest.fixture(scope="module")
def fixed():
    return prove("recall", "sebastiani_fix")


def test_a_range_is_bounded_on_every_support_and_reached_on_every_test_set(fixed):
    assert gm.verify(fixed)
    refused(replace(fixed, constants={"alpha": "0", "beta": "1/2"}), "seen to score")
    refused(replace(fixed, constants={"alpha": "1", "beta": "1"}))
    refused(replace(fixed, cases=fixed.cases[1:]), "missing")
    precision = prove("precision", "FIX", domain="regular")
    assert precision is None or gm.verify(precision)


def test_a_bound_that_some_test_sets_do_not_reach_is_refused():
    """Predicted prevalence stays within [0, 1] on regular matrices too, but no prediction there reaches the ends."""
    on_all = prove("predicted_prevalence", "FIX")
    inside = {"0110", "0111", "1001", "1011", "1101", "1110", "1111"}
    forged = replace(on_all, domain="regular", cases=tuple(x for x in on_all.cases if x["support"] in inside))
    refused(forged, "seen to score|not shown to be reached")


@pytest.fixture(scope="module")
def imbalance():
    return prove("lift", "sebastiani_imb")


def test_each_constant_prediction_in_the_domain_is_looked_at(imbalance):
    assert gm.verify(imbalance)
    refused(replace(imbalance, cases=imbalance.cases[:1]), "constant predictions")
    refused(replace(imbalance, cases=(*imbalance.cases, imbalance.cases[0])), "twice")
    refused(replace(imbalance, constants={"k_1": "1", "k_2": "1"}), "the constants are")
    refused(replace(imbalance, constants={}), "the constants are")
    refused(changed(imbalance, lambda x: x["support"] == "1010", proof={"by": "constant"}), "says otherwise")


def test_a_prediction_whose_score_varies_is_refused():
    of_accuracy = prove("accuracy", "Sym")
    forged = replace(
        of_accuracy,
        statement="sebastiani_imb",
        constants={"k_1": "1/2", "k_2": "1/2"},
        cases=tuple({"support": x, "proof": {"by": "constant"}} for x in ("0101", "1010")),
    )
    refused(forged)


def test_a_domain_without_constant_predictions_proves_nothing():
    forged = replace(prove("mcc", "sebastiani_imb"), domain="regular", cases=(), constants={})
    refused(forged, "no constant prediction")


@pytest.fixture(scope="module")
def smooth():
    return prove("mcc", "sebastiani_con", domain="regular")


def test_a_smooth_formula_is_needed_on_every_test_set_of_the_domain(smooth):
    assert gm.verify(smooth)
    refused(replace(smooth, domain="all"), "missing")
    refused(replace(smooth, cases=({"true": "11", "proof": {"by": "undefined"}},)))
    three = tuple({"true": x, "proof": {"by": "one formula"}} for x in ("01", "10", "11"))
    refused(replace(smooth, domain="all", cases=three))


def test_a_test_set_with_values_is_not_skipped_as_rough():
    certificate = prove("recall", "sebastiani_con")
    refused(changed(certificate, lambda x: x["true"] == "11", proof={"by": "undefined"}), "has values")


def test_a_range_of_three_classes_is_listed_up_to_their_names():
    certificate = prove("k", "FIX", classes=3)
    assert certificate.symmetric
    assert len(certificate.cases) < 250
    assert gm.verify(certificate)
    refused(replace(certificate, cases=certificate.cases[1:]), "missing")
    refused(replace(certificate, symmetric=False), "missing")
