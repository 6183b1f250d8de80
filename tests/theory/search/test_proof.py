"""Proofs: what must be proved is, with a certificate that is accepted; what is not so for all n never is."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.measure import as_measure
from goodmeasure.catalogue.register import entries
from goodmeasure.language.policy import policy_of
from goodmeasure.theory.refute.search import Search
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import NINE, statement
from goodmeasure.theory.subject.measured_values import subject
from tests.theory.proving import prove
from tests.theory.random_measures import expressions, random_measure

SHORT = ("Max", "Min", "CSym", "Sym", "Dist", "Mon", "SMon", "CB", "ACB")

# Two classes, every matrix: P proved, x refuted.
BINARY = {
    "f1": "P x x P x x x x x",
    "jaccard": "P x x P P x x x x",
    "mcc": "P P P P x P P P P",
    "accuracy": "P P P P P P P x x",
    "balanced_accuracy": "P P P x x P x P P",
    "kappa": "P x P P x P x P P",
    "sba": "P P P P x P P P P",
    "generalized_mean(1)": "P P P P x P P P P",
    "correlation_distance": "P P P P P P P x P",
    "correlation_chord": "P P P P P P P x P",
    "generalized_mean(2)": "P P P P x P P P P",
    "generalized_mean(r=-0.37)": "P P P P x P P P P",
}
CLASS_ENTROPY = "P x P P x x x x x"  # confusion entropy, where every class occurs

# Three classes, all of which occur.
TERNARY = {
    "accuracy": "P P P P P P P x x",
    "balanced_accuracy": "P P P x x x x P P",
    "kappa": "P x P P x x x P P",
    "mcc": "P x P P x x x P P",
    "confusion_entropy": "P x P P x x x x x",
    "sba": "P P P P x P x P P",
    "correlation_distance": "P x P P P x x x P",
}


def cells(table: dict[str, str], wanted: str) -> list[tuple[str, str]]:
    return [(m, s) for m, row in table.items() for s, x in zip(SHORT, row.split(), strict=True) if x == wanted]


@pytest.mark.parametrize(("measure", "name"), cells(BINARY, "P"))
def test_binary_cells_are_proved_on_every_domain(measure, name):
    for domain in ("all", "regular"):
        certificate = prove(measure, name, domain=domain)
        assert certificate is not None, domain
        assert gm.verify(certificate)


@pytest.mark.parametrize(("measure", "name"), [x for x in cells(BINARY, "x") if x[1] != "Dist"])
def test_no_certificate_where_there_is_a_counterexample(measure, name):
    assert prove(measure, name, domain="all") is None


@pytest.mark.parametrize(("name", "known"), list(zip(SHORT, CLASS_ENTROPY.split(), strict=True)))
def test_confusion_entropy_where_every_class_occurs(name, known):
    certificate = prove("confusion_entropy", name, domain="regular")
    assert (certificate is not None) == (known == "P")
    assert certificate is None or gm.verify(certificate)


LONG = [("correlation_distance", "Dist"), ("correlation_distance", "Max")]


@pytest.mark.parametrize(
    ("measure", "name"), [pytest.param(*x, marks=[pytest.mark.deep] * (x in LONG)) for x in cells(TERNARY, "P")]
)
def test_three_classes(measure, name):
    assert prove(measure, name, classes=3, domain="regular") is not None


def test_there_are_37_cells_for_three_classes():
    assert len(cells(TERNARY, "P")) == 37


def test_constants_come_in_the_measures_own_sign():
    assert prove("correlation_distance", "Max").constants == {"c_max": "0"}
    assert prove("correlation_distance", "Min").constants == {"c_min": "1"}
    assert prove("correlation_chord", "ACB").constants == {"c_base": "sqrt(2)"}
    assert prove("correlation_distance", "FIX").constants == {"alpha": "0", "beta": "1"}


def test_baselines_of_higher_order():
    """Statement 6: the correlation distance has order 2, the chord order 1."""
    assert gm.verify(prove("correlation_distance", "approximate_constant_baseline(order=2)"))
    assert prove("correlation_distance", "approximate_constant_baseline(order=3)") is None
    assert gm.verify(prove("correlation_chord", "approximate_constant_baseline(order=1)"))
    assert prove("correlation_chord", "approximate_constant_baseline(order=2)") is None


@pytest.mark.parametrize("name", [x for x in SHORT if x != "Dist"])
def test_every_real_exponent_of_the_generalized_means(name):
    """Statement 1: all properties but distance, whatever the exponent."""
    for domain in ("all", "regular"):
        certificate = prove(gm.generalized_mean, name, domain=domain)
        assert certificate is not None
        assert certificate.data["by"] == "every exponent"
        assert gm.verify(certificate.to_dict())


def test_no_exponent_is_left_out():
    data = prove(gm.generalized_mean, "Max").to_dict()
    for name in data["parts"]:
        with pytest.raises(gm.CertificateError):
            gm.verify({**data, "parts": {k: v for k, v in data["parts"].items() if k != name}})


@pytest.mark.parametrize("name", ["MON", "CON", "SDE", "WDE", "FIX", "CHA", "IMB", "SYM"])
def test_k_has_all_eight_axioms(name):
    assert gm.verify(prove("k", name))
    assert (prove("accuracy", name) is not None) == (name != "IMB")


@pytest.mark.parametrize(
    ("measure", "names"),
    [
        ("accuracy", "Max Min CSym Sym Mon Scale"),
        ("balanced_accuracy", "Max Min CSym CB ACB PI"),
        ("sba", "Max Min CSym Sym CB ACB Scale"),
        ("kappa", "Max CSym Sym CB ACB"),
        ("mcc", "CSym Sym CB ACB Scale"),
        ("confusion_entropy", "CSym Sym"),
        ("correlation_distance", "CSym Sym ACB"),
        ("macro(f1)", "Max Min CSym Sym"),
        ("macro(jaccard)", "Max Min CSym Sym"),
    ],
)
def test_every_number_of_classes(measure, names):
    for name in names.split():
        certificate = prove(measure, name, classes="every", domain="regular")
        assert certificate is not None, name
        assert certificate.classes == "every"
        assert gm.verify(certificate.to_dict())


@pytest.mark.parametrize("measure", ["sba", "macro(f1)", "macro(jaccard)"])
def test_averages_are_monotone_for_every_number_of_classes(measure):
    assert prove(measure, "Mon", classes="every", domain="regular") is not None


def test_what_fails_for_three_classes_is_not_proved_for_every_number():
    for measure, name in (("balanced_accuracy", "Mon"), ("sba", "SMon"), ("mcc", "Mon")):
        assert prove(measure, name, classes="every", domain="regular") is None


def test_chance_is_0_for_every_number_of_classes():
    assert prove("kappa", "PV complete", classes="every", domain="regular").constants == {"Omega": "0"}
    assert prove("balanced_accuracy", "PV complete", classes="every", domain="regular") is None
    assert prove("balanced_accuracy", "PV strict", classes="every", domain="regular").constants == {"omega": "1/m"}


SEARCHED = (*NINE, "Scale", "MON", "FIX", "PI", "PIV", "WDE", "CHA")

# What no certificate may be given for


def below_forty(c):
    return c.where(c.n < 40, c.ratio(c.tp + c.tn, c.n), 0)


def turns_at_86(c):
    """Rises up to n = 85 and no further."""
    return c.ratio((c.tp + c.tn) * (86 - c.n), c.n * (87 - c.n))


def with_a_choice(c):
    return c.where(c.tp > 3, lambda: c.ratio(c.tp + c.tn, c.n), lambda: c.ratio(c.tp + c.tn, 2 * c.n))


def in_floats(c):
    return math.sqrt(c.tp) / float(c.n)


def of_text(c):
    return "tp"


@pytest.mark.parametrize("function", [below_forty, turns_at_86, in_floats, of_text])
@pytest.mark.parametrize("name", ["Max", "Min", "Mon", "SMon", "ACB"])
def test_no_proof_of_what_holds_for_small_n_only_or_cannot_be_read(function, name):
    assert prove(function, name, domain="regular") is None


def test_a_choice_by_whole_numbers_is_split_into_cases():
    certificate = prove(with_a_choice, "Min")
    assert certificate is not None
    assert gm.verify(certificate, measure=with_a_choice)
    assert any("split" in case["proof"] for case in certificate.cases)


def test_a_statement_about_two_classes_has_no_proof_for_three():
    assert prove("k", "approximate_constant_baseline(order=2)", classes=3) is None
    assert prove("f1", "Sym", classes=3) is None


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(expressions(), st.sampled_from(SEARCHED), st.sampled_from(("all", "regular", "non-unary")))
def test_no_certificate_that_a_wider_search_contradicts(expression, name, domain):
    """Random measures: what is proved is accepted by the checker and stands up to an exact search."""
    measure = random_measure(expression)
    certificate = prove(measure, name, domain=domain, seconds=3)
    if certificate is None:
        return
    assert gm.verify(certificate, measure=measure)
    of = statement(name)
    searched = Search(
        of, [subject(as_measure(measure), 2, domain_of(domain), policy_of(of.policy or "resolve"), None, 10.0)]
    )
    assert searched.upto(5 if of.kind == "distance" else 8) is None


def test_one_family_is_read_with_an_open_exponent():
    """`algebra/open_exponent.py` shows for this family that special exponents agree with the general formula."""
    families = [x for x in entries() if isinstance(x, Family)]
    assert [x.name for x in families if list(x.signature.parameters) == ["r"]] == ["generalized_mean"]
