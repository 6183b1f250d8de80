"""What is called proved is proved: attacks on the prover that once succeeded, and their relatives."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import goodmeasure as gm
from goodmeasure.theory import verified_proofs
from goodmeasure.theory.atlas import building
from goodmeasure.theory.prove.proof import prove as real_prove
from goodmeasure.theory.statements.verdict import Verdict
from goodmeasure.theory.subject.time_limits import TooSlow, time_limit


def verdict(function, name, **options):
    """The verdict of `gm.check` on one property of a function."""
    return gm.check(function, properties=[name], **options)[name]


# Every certificate is verified before it is believed


def without_its_first_case(*args, **options):
    found = real_prove(*args, **options)
    return None if found is None else replace(found, cases=found.cases[1:])


def hanging(*args, **options):
    while True:
        pass


def test_a_proof_that_fails_its_verification_is_held_and_asks_to_report_it(monkeypatch):
    monkeypatch.setattr(verified_proofs, "prove", without_its_first_case)
    with pytest.warns(gm.UnverifiedProof, match=r"accuracy, monotone: .* verification failed .* please report it"):
        found = verdict(gm.accuracy, "monotone", n=8)
    assert (found.status, found.n, found.certificate) == ("held", 8, None)
    assert "bug of goodmeasure" in found.remark
    with pytest.raises(gm.UnverifiedProof):  # warnings are errors in this suite
        verdict(gm.accuracy, "monotone", n=8)


def test_a_remark_is_about_its_own_statement(monkeypatch):
    real = verified_proofs.verify

    def refuse(certificate, measure=None):
        if certificate.statement == "minimal_agreement":
            raise gm.CertificateError("planted")
        return real(certificate, measure=measure)

    monkeypatch.setattr(verified_proofs, "verify", refuse)
    with pytest.warns(gm.UnverifiedProof):
        report = gm.check(gm.accuracy, properties=["minimal_agreement", "monotone"], n=7)
    assert [x.status for x in report.values()] == ["held", "proved"]
    assert "planted" in report["minimal_agreement"].remark
    assert not report["monotone"].remark


def test_a_verification_that_takes_too_long_is_stopped(monkeypatch):
    monkeypatch.setattr(verified_proofs, "verify", hanging)
    monkeypatch.setattr(verified_proofs, "VERIFY_SECONDS", 0.2)
    found = verdict(gm.accuracy, "monotone", n=7)
    assert found.status == "held"
    assert "could not be verified within" in found.remark


def test_an_example_that_fails_its_verification_is_held(monkeypatch):
    monkeypatch.setattr(verified_proofs, "verify", lambda *_, **__: refuse_all())
    with pytest.warns(gm.UnverifiedProof):
        assert verdict(gm.f1, "opitz_class_sensitive", n=5).status == "held"


def refuse_all():
    raise gm.CertificateError("planted")


def test_the_atlas_is_not_built_from_proofs_that_cannot_be_verified(monkeypatch):
    monkeypatch.setattr(verified_proofs, "verify", lambda *_, **__: refuse_all())
    monkeypatch.setattr(building, "statements_of", lambda task: ["symmetry"])
    with pytest.raises(gm.UnverifiedProof):
        building.solve(building.Task("accuracy", 2, "all"))


# Time limits


def test_a_time_limit_cannot_be_caught():
    def catches():
        for _ in range(10**9):
            try:
                sum(range(1000))
            except Exception:  # noqa: BLE001
                pass

    with pytest.raises(TooSlow), time_limit(0.1, lambda: "it"):
        catches()

    def returns_all_the_same():
        try:
            while True:
                sum(range(1000))
        except BaseException:  # noqa: BLE001
            return 1

    with pytest.raises(TooSlow), time_limit(0.1, lambda: "it"):
        returns_all_the_same()


def test_an_inner_time_limit_leaves_the_outer_one_running():
    def two_limits():
        with time_limit(0.2, lambda: "inner"):
            pass
        while True:
            sum(range(1000))

    with pytest.raises(TooSlow, match="outer did not return"), time_limit(0.3, lambda: "outer"):
        two_limits()


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


# False proofs that were found, for two and three classes


def below_a_positive_polynomial(c):
    """The worst value is not c_min = 1, but a root of unknown sign times a polynomial without one sign says so."""
    x, y = c.fp, c.fn
    positive = 2 * x**4 + 4 * x**3 * y - x**2 * y**2 + 4 * x * y**3 + 2 * y**4
    rim = (c.tp == 0) | (c.tn == 0) | (c.fp == 0) | (c.fn == 0)

    def inside():
        return c.where(c.tp > 3, lambda: -positive * c.sqrt(1 + c.sqrt(c.n)), 2)

    return c.where(c.tp + c.tn == 0, 1, lambda: c.where(rim, 2, inside))


def in_a_chain_without_a_value(c):
    """Two renamings of the classes differ, and between them lies a matrix without a value."""
    x, y, u, v = c[0, 1], c[1, 0], c[0, 2], c[2, 0]

    def inner():
        return c.where(u == 2 * v, lambda: c.where(v > 0, 1, 0), 0)

    def defined():
        return c.where(y == 2 * x, lambda: c.where(x > 0, inner, 0), 0)

    return c.where(x == 2 * y, lambda: c.where(y > 0, lambda: c.ratio(1, 0), defined), defined)


def another_angle_at_the_end(c):
    """The factor of an angle changes where there are no false positives."""
    x = 2 * c.ratio(c.tp + c.tn, c.n) - 1
    return c.where(c.fp > 0, lambda: -c.arccos(x), lambda: -c.constant(1.01) * c.arccos(x))


def one_of_two(c):
    """It is constant up to 100 items."""
    return c.max(100, c.n)


def mean_of_two(c):
    """It varies with n alone."""
    return c.power_mean([c.constant(1), c.n], 2) - c.power_mean([c.constant(1), c.n], 2) + c.max(50, c.n)


@pytest.mark.parametrize(
    ("function", "name", "options"),
    [
        (below_a_positive_polynomial, "minimal_agreement", {}),
        (in_a_chain_without_a_value, "class_symmetry", {"classes": 3}),
        (another_angle_at_the_end, "monotone", {"n": 6}),
        (one_of_two, "approximate_constant_baseline", {"n": 5}),
        (one_of_two, "constant_baseline", {"n": 5}),
        (one_of_two, "opitz_chance_corrected_strictly", {"n": 5}),
        (mean_of_two, "approximate_constant_baseline", {"n": 5}),
    ],
)
@pytest.mark.parametrize("domain", ["all", "regular"])
def test_what_is_false_is_not_proved(function, name, options, domain):
    found = verdict(function, name, domain=domain, **options)
    assert found.status in ("held", "refuted"), found
    assert real_prove(function, name, classes=options.get("classes", 2), domain=domain) is None
