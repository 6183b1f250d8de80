"""What the verifier demands of certificates about test sets: each demand refuses a certificate that lacks it."""

from dataclasses import replace

import pytest

import goodmeasure as gm
from goodmeasure.exceptions import CertificateError
from goodmeasure.theory.prove import proof
from goodmeasure.theory.prove.proof import prove
from goodmeasure.theory.prove.signs import NoProof
from goodmeasure.theory.statements.certificate import definition_of


def refused(certificate, why=None):
    with pytest.raises(CertificateError, match=why):
        gm.verify(certificate)


def changed(certificate, where, **fields):
    """Return a certificate with one case changed; fields of its proof are changed in the proof."""
    cases = list(certificate.cases)
    k = next(k for k, x in enumerate(cases) if where(x))
    cases[k] = {**cases[k], **fields}
    return replace(certificate, cases=tuple(cases))


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
    with pytest.raises(CertificateError, match="only some of the rotated"):
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
    refused(changed(by_sizes, lambda x: True, proof={"by": "undefined"}), "another thing is said")


def test_a_constant_prediction_must_score_the_constant_too():
    certificate = prove("lift", "sebastiani_cha")
    assert gm.verify(certificate)
    refused(changed(certificate, lambda x: x["predicted"] == "01", proof={"by": "defined"}))
    refused(changed(certificate, lambda x: x["predicted"] == "10", proof={"by": "defined"}), "another thing is said")


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
    refused(changed(imbalance, lambda x: x["support"] == "1010", proof={"by": "constant"}), "another thing is said")


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


# What is proved on all matrices


def on_regular(certificate, **changes):
    """Return the claim that a statement holds on regular matrices because it holds on all."""
    return replace(certificate, domain="regular", cases=(), symmetric=False, parts=(certificate,), **changes)


@pytest.mark.parametrize(
    ("measure", "statement"),
    [
        ("accuracy", "Mon"),
        ("mcc", "Max"),
        ("mcc", "SYM"),
        ("jaccard", "Dist"),
        ("k", "SDE"),
        ("k", "WDE"),
        ("k", "CON"),
    ],
)
def test_what_holds_for_each_matrix_holds_on_a_smaller_domain(measure, statement):
    assert gm.verify(on_regular(prove(measure, statement)))


def test_the_proof_on_all_matrices_is_checked_and_is_about_the_same():
    whole = prove("accuracy", "Mon")
    refused(on_regular(replace(whole, cases=whole.cases[1:])), "missing")
    refused(replace(on_regular(whole), parts=(replace(whole, undefined="nan"),)), "something else")
    refused(replace(on_regular(whole), statement="strongly_monotone"), "something else")
    narrow = prove("accuracy", "Mon", domain="regular")
    refused(replace(narrow, domain="all", cases=(), parts=(narrow,)), "something else")
    refused(on_regular(prove("mcc", "Max"), constants={"c_max": "2"}), "something else")


@pytest.mark.parametrize(("measure", "statement"), [("predicted_prevalence", "FIX"), ("lift", "CHA"), ("lift", "IMB")])
def test_ranges_and_averages_do_not_carry_over(measure, statement):
    """Predicted prevalence reaches 0 and 1 at constant predictions, which are not regular."""
    refused(on_regular(prove(measure, statement)), "may fail on a part")


def test_a_proof_on_all_matrices_is_used_where_no_other_is_found(monkeypatch):
    original = proof.prove_defined

    def only_on_all(reader, domain, **options):
        if domain.name != "all":
            raise NoProof("not today")
        return original(reader, domain, **options)

    monkeypatch.setattr(proof, "prove_defined", only_on_all)
    certificate = prove("accuracy", "SDE", domain="regular")
    assert certificate.parts[0].domain == "all"
    assert gm.verify(certificate)


def test_test_sets_that_differ_by_names_are_told_together():
    """A measure without a value where one class of three is never predicted: some predictions have one, some not."""

    def all_predicted(c):
        return c.sum(lambda i: c.ratio(c[i, i], c.b[i]))

    measure = gm.measure(all_predicted)
    assert prove(measure, "WDE", classes=3) is None
    sde = prove("accuracy", "SDE", classes=3)
    assert sde.symmetric
    said = [
        {**x, "proof": {**x["proof"], "by": "defined" if has_value(measure, x) else "undefined"}} for x in sde.cases
    ]
    forged = replace(
        sde, statement="sebastiani_wde", measure=measure.name, definition=definition_of(measure), cases=tuple(said)
    )
    with pytest.raises(CertificateError, match="undefined on"):
        gm.verify(forged, measure=all_predicted)


def has_value(measure, case):
    rows = [[int(x) for x in case["support"][3 * i : 3 * i + 3]] for i in range(3)]
    return str(measure.exact(rows, undefined="nan")) != "undefined"


def test_a_range_of_three_classes_is_listed_up_to_their_names():
    certificate = prove("k", "FIX", classes=3)
    assert certificate.symmetric
    assert len(certificate.cases) < 250
    assert gm.verify(certificate)
    refused(replace(certificate, cases=certificate.cases[1:]), "missing")
    refused(replace(certificate, symmetric=False), "missing")
