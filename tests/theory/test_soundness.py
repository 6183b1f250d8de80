"""What is called proved is proved: attacks on the prover that once succeeded, and their relatives."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import goodmeasure as gm
from goodmeasure.theory.statements.verdict import Verdict


def verdict(function, name, **options):
    """The verdict of `gm.check` on one property of a function."""
    return gm.check(function, properties=[name], **options)[name]


# Statements that say nothing


def only_without_errors(c):
    return c.where(c.fp + c.fn == 0, lambda: c.ratio(c.tp, c.n), lambda: c.undefined())


def test_a_statement_about_matrices_outside_the_domain_is_vacuous():
    found = verdict(gm.accuracy, "sebastiani_imb", domain="regular")
    assert (found.status, found.sign, found.n, found.constants) == ("vacuous", "∅", None, None)
    assert found.certificate.cases == ()
    assert "lie outside the domain 'regular'" in str(found)
    assert gm.verify(found)


def test_a_statement_about_matrices_without_values_is_vacuous():
    report = gm.check(only_without_errors, domain="regular", properties=["Mon", "ACB", "Max", "Sym"])
    assert list(report.statuses.values()) == ["vacuous", "vacuous", "refuted", "proved"]
    assert "has no value where the statement speaks of it" in repr(report)
    for found in (report["Mon"], report["ACB"]):
        assert found.certificate.cases
        assert gm.verify(found)
        again = Verdict.from_json(json.loads(json.dumps(found.to_json())))
        assert (again.status, again.certificate.vacuous) == ("vacuous", True)
        assert gm.verify(again, measure=only_without_errors)


def late(c):
    """It has values on moves, but only with more items than the search looks at."""
    return c.where(
        c.fp + c.fn + 0 == 0, 1, lambda: c.where(c.n > 40, lambda: c.ratio(c.tp, c.n), lambda: c.undefined())
    )


def test_an_empty_search_does_not_make_a_statement_vacuous():
    assert verdict(late, "monotone", domain="regular", n=8).status == "held"


def black_box(matrix):
    return float(matrix[0][0]) / float(matrix.sum())


def test_the_domain_alone_makes_a_statement_vacuous_for_a_black_box():
    assert verdict(black_box, "sebastiani_imb", domain="regular", n=4).status == "vacuous"


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("Mon", {"cases": ()}),
        ("Mon", {"domain": "all"}),
        ("Mon", {"statement": "opitz_monotone"}),
        ("Mon", {"classes": 3}),
        ("Mon", {"symmetric": True}),
        ("ACB", {"constants": {"c_base": "0"}}),
        ("ACB", {"statement": "opitz_class_sensitive"}),
    ],
)
def test_a_changed_certificate_of_nothing_is_refused(name, change):
    found = verdict(only_without_errors, name, domain="regular")
    with pytest.raises(gm.CertificateError):
        gm.verify(replace(found.certificate, **change), measure=only_without_errors)


def test_a_measure_with_values_makes_no_statement_vacuous():
    certificate = replace(
        verdict(only_without_errors, "Mon", domain="regular").certificate,
        measure="accuracy",
        definition=verdict(gm.accuracy, "Mon").certificate.definition,
    )
    with pytest.raises(gm.CertificateError, match="the measure has values in the case"):
        gm.verify(certificate)


def test_a_vacuous_certificate_is_no_proof():
    found = verdict(only_without_errors, "Mon", domain="regular")
    with pytest.raises(gm.CertificateError, match="shows that the statement says nothing"):
        gm.verify(replace(found, status="proved"))
    proved = verdict(gm.accuracy, "Mon")
    with pytest.raises(gm.CertificateError, match="shows that the statement says something"):
        gm.verify(replace(proved, status="vacuous"))
