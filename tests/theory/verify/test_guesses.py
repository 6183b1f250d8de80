"""What the verifier demands of a proof about guesses, for every number of classes."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import goodmeasure as gm
from goodmeasure.catalogue.names import measure
from goodmeasure.language.view import ClassTable
from goodmeasure.theory.prove.proof import prove
from goodmeasure.theory.statements.certificate import Certificate, definition_of
from goodmeasure.theory.verify.guesses import GuessGround, checked_entry
from goodmeasure.theory.verify.verify import Check

POSITIVE = ("positive", "positive", "constant")
MISSING = ("missing", "any", "undefined")


def claimed(of: Any, domain: str, *cases: tuple[str, str, str], omega: str = "0", undefined: str = "resolve") -> Any:
    """Return a certificate that guesses score Ω, as the prover would write it."""
    return Certificate(
        statement="opitz_chance_corrected_completely",
        measure=of.name,
        definition=definition_of(of),
        classes="every",
        domain=domain,
        undefined=undefined,
        method="cells of independent labelings",
        cases=tuple({"true": a, "predicted": b, "proof": {"by": by}} for a, b, by in cases),
        constants={"Omega": omega},
    )


def accepted(certificate: Certificate, of: Any) -> bool:
    try:
        Check(certificate, of).run()
    except gm.CertificateError:
        return False
    return True


def test_a_right_certificate_is_accepted_and_damaged_ones_are_not() -> None:
    of = measure("calibrated(mcc)")
    cases = (("positive", "constant", "constant"), ("positive", "several", "constant"), MISSING)
    right = claimed(of, "all", *cases)
    assert accepted(right, of)
    for k in range(3):
        assert not accepted(replace(right, cases=right.cases[:k] + right.cases[k + 1 :]), of)
    assert not accepted(claimed(of, "all", *cases, omega="1"), of)
    assert not accepted(claimed(of, "all", *cases, omega="m"), of)
    assert not accepted(claimed(of, "all", ("positive", "any", "constant"), MISSING), of)
    assert not accepted(claimed(of, "all", POSITIVE), of)
    assert not accepted(replace(right, domain="regular"), of)
    assert not accepted(replace(right, domain="non-unary"), of)


@pytest.mark.parametrize("name", ["kappa", "normalized_mutual_information()", "accuracy"])
def test_a_false_claim_is_refused(name: str) -> None:
    of = measure(name)
    for truths in ((("any", "any", "constant"),), (("positive", "any", "constant"), MISSING)):
        assert not accepted(claimed(of, "all", *truths), of)


def test_a_measure_with_a_value_where_a_class_is_missing_is_not_undefined_there() -> None:
    of = measure("mutual_information")
    assert accepted(claimed(of, "all", ("any", "any", "constant")), of)
    assert not accepted(claimed(of, "all", ("positive", "any", "constant"), MISSING), of)


def test_a_constant_that_depends_on_the_number_of_classes_is_refused() -> None:
    def lifts(c: Any) -> Any:
        return c.sum(lambda i: c.ratio(c.n * c[i, i], c.a[i] * c.b[i]))

    of = gm.measure(lifts)
    assert not accepted(claimed(of, "regular", POSITIVE, omega="2"), of)
    assert not accepted(claimed(of, "regular", POSITIVE, omega="m"), of)


def test_pairs_of_a_class_with_itself_are_not_pairs_of_different_classes() -> None:
    def wrong(c: Any) -> Any:
        return c.sum(lambda i: c.sum(lambda j: c.a[i] * c.b[j])) - c.n * c.sum_off(lambda i, j: c[i, j])

    of = gm.measure(wrong)
    assert not accepted(claimed(of, "regular", POSITIVE), of)


@pytest.mark.parametrize("entry", [lambda i, j: i - j, lambda i, j: abs(i - j) + 1, lambda i, j: abs(i - j) - 1])
def test_tables_that_are_no_weights_are_refused(entry: Any) -> None:
    with pytest.raises(gm.CertificateError):
        checked_entry(entry)


def test_weights_may_be_0_beside_the_diagonal_but_then_nothing_is_divided_by_their_sum() -> None:
    assert checked_entry(lambda i, j: (i - j) ** 2)
    assert not checked_entry(lambda i, j: 0)


def test_a_table_with_two_faces_has_one_meaning() -> None:
    table = ClassTable(lambda m: [[0, 1], [1, 1]], lambda m: [[0.0, 1.0], [1.0, 1.0]], lambda i, j: abs(i - j))

    def weighted(c: Any) -> Any:
        w = c.table(table)
        chance = c.sum(lambda i: c.sum(lambda j: w[i, j] * c.a[i] * c.b[j]))
        return c.ratio(chance - c.n * c.sum_off(lambda i, j: w[i, j] * c[i, j]), chance)

    of = gm.measure(weighted)
    if accepted(claimed(of, "regular", POSITIVE), of):
        assert float(of.exact([[1, 2], [3, 4]])) == pytest.approx(of([[1, 2], [3, 4]]))


def test_a_number_for_undefined_values_goes_with_no_mapped_matrix() -> None:
    of = measure("calibrated(kappa)")
    assert not accepted(claimed(of, "regular", POSITIVE, undefined="0"), of)


def test_sizes_are_compared_in_every_order() -> None:
    ground = GuessGround("positive", "positive")
    a, b, n = (ground.value(ground.variables[x]) for x in ("a0", "b1", "n"))
    assert (n * n - a * b).signs() == {1}
    assert (a - b).signs() == {-1, 0, 1}
    assert (2 * n - a - b).signs() == {1}
    assert (n - a - b).signs() == {-1, 0, 1}
    several = GuessGround("any", "several")
    a, b, n = (several.value(several.variables[x]) for x in ("a0", "b0", "n"))
    assert (n - b).signs() == {1}
    assert (n - a).signs() == {0, 1}
    assert b.signs() == {0, 1}


def test_the_one_class_that_is_predicted_may_have_no_true_items() -> None:
    """Guesses score 0 unless all predictions name a class without true items, which none of the other kinds shows."""

    def useless(c: Any) -> Any:
        return c.sum(lambda i: c.where(c.b[i] == c.n, lambda: c.where(c.a[i] == 0, 1, 0), 0))

    of = gm.measure(useless)
    assert of.exact([[0, 1], [0, 0]]) == 1
    kinds = ("any", "constant", "constant"), ("any", "several", "constant")
    assert not any(accepted(claimed(of, "all", *kinds), of) for _ in range(5))
    assert prove(of, "opitz_chance_corrected_completely", classes="every") is None


def test_what_depends_on_whether_a_cell_is_0_is_not_read() -> None:
    def present(c: Any) -> Any:
        return c.sum(lambda i: c.where(c[i, i] == 0, 1, c.ratio(0, c.n)))

    def in_words(c: Any) -> Any:
        return c.sum(lambda i: 0 if c[i, i] == 0 else c.ratio(0, c.n))

    for function in (present, in_words):
        of = gm.measure(function)
        assert not accepted(claimed(of, "all", ("any", "any", "constant")), of)


def test_an_extreme_over_classes_is_read_up_to_a_factor_that_is_not_negative() -> None:
    def right(c: Any) -> Any:
        return c.greatest(lambda i: c.a[i]) - c.sum(lambda j: c.greatest(lambda i: c[i, j]))

    def wrong(c: Any) -> Any:
        return c.least(lambda i: c.a[i]) - c.sum(lambda j: c.greatest(lambda i: c[i, j]))

    assert accepted(claimed(gm.measure(right), "all", ("any", "any", "constant")), gm.measure(right))
    assert not accepted(claimed(gm.measure(wrong), "all", ("any", "any", "constant")), gm.measure(wrong))


@pytest.mark.parametrize("name", ["phi_squared", "cramers_v", "tschuprows_t", "pearson_contingency", "lambda_true"])
def test_association_is_0_for_all_guesses_that_have_a_value(name: str) -> None:
    verdict = gm.check(name, classes=3, properties=["opitz_chance_corrected_completely"])
    assert verdict["opitz_chance_corrected_completely"].status == "proved"
    assert gm.verify(verdict["opitz_chance_corrected_completely"])


def test_a_true_proof_is_not_refused_because_the_first_draws_have_no_value(monkeypatch):
    """With this seed the measure has no value on any of the first matrices that are drawn to compare it on."""
    verdict = gm.check("cramers_v", classes=3, properties=["opitz_chance_corrected_completely"])
    monkeypatch.setattr("goodmeasure.theory.verify.guesses._random", random.Random(92))
    assert gm.verify(verdict["opitz_chance_corrected_completely"].certificate)
