"""Distances and means of scores for every number of classes: proofs, brute force, and what must not be proved."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import goodmeasure as gm
from goodmeasure.theory.verification import verify
from tests.theory.proving import changed, prove

PIII = "opitz_class_decomposable"


def _matrix(a: Any, b: Any, m: int) -> list[list[int]]:
    return [[sum(x == i and y == j for x, y in zip(a, b, strict=True)) for j in range(m)] for i in range(m)]


@pytest.mark.parametrize("name", ["accuracy", "zero_one_loss", "hamann", "hamming_loss", "micro(jaccard)"])
def test_the_number_of_errors_is_a_distance_for_every_number_of_classes(name: str) -> None:
    for domain in ("all", "regular"):
        certificate = prove(name, "distance", classes="every", domain=domain)
        assert certificate is not None
        assert verify(certificate)
    measure = gm.measure(name)
    best = measure.exact([[1, 0], [0, 1]])
    for m, n in ((2, 3), (3, 3), (4, 2)):
        labelings = list(product(range(m), repeat=n))
        gap = {(a, b): abs(float(best - measure.exact(_matrix(a, b, m)))) for a, b in product(labelings, repeat=2)}
        for a, b, c in product(labelings, repeat=3):
            assert gap[a, c] <= gap[a, b] + gap[b, c] + 1e-12


def _squared(c: Any) -> Any:
    hits = c.sum(lambda i: c[i, i])
    return 1 - c.ratio(c.n - hits, c.n) ** 2


def _other_errors(c: Any) -> Any:
    return c.ratio(c.sum(lambda i: c[i, i] - c.a[i] * c.a[i]), c.n)


@pytest.mark.parametrize("definition", ["kappa", "balanced_accuracy", _squared, _other_errors])
def test_what_does_not_count_errors_is_not_taken_for_their_number(definition: Any) -> None:
    found = prove(gm.measure(definition), "distance", classes="every", domain="all")
    assert found is None or found.data.get("by") != "errors"


def test_a_claim_that_something_else_counts_errors_is_refused() -> None:
    certificate = prove("accuracy", "distance", classes="every")
    assert certificate is not None
    for forged in (changed(certificate, constants={"c_max": "2"}), changed(certificate, by="cases")):
        with pytest.raises(gm.CertificateError):
            verify(forged)
    other = prove("kappa", "class_symmetry", classes="every")
    assert other is not None
    with pytest.raises(gm.CertificateError):
        verify(changed(certificate, measure=other.data["measure"]))


@pytest.mark.parametrize("name", ["macro(recall)", "macro(precision)", "macro(f1)", "macro(jaccard)"])
def test_macro_averages_are_means_of_scores_for_every_number_of_classes(name: str) -> None:
    certificate = prove(name, PIII, classes="every", domain="regular")
    assert certificate is not None
    assert certificate.constants == {"p": "1"}
    assert verify(certificate)
    with pytest.raises(gm.CertificateError):
        verify(changed(certificate, constants={"p": "-1"}))


@pytest.mark.parametrize("name", ["accuracy", "kappa", "macro(mcc)", "weighted(f1)"])
def test_what_depends_on_n_is_no_mean_of_scores_of_rows_and_columns(name: str) -> None:
    assert prove(name, PIII, classes="every", domain="regular") is None
    mean = prove("macro(recall)", PIII, classes="every", domain="regular")
    known = prove(name, "class_symmetry", classes="every", domain="regular")
    assert mean is not None
    assert known is not None
    with pytest.raises(gm.CertificateError):
        verify(changed(mean, measure=known.data["measure"]))
