"""Guesses, for every number of classes: what is proved agrees with brute force, and what is false is not proved."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import goodmeasure as gm
from goodmeasure.catalogue.names import measure
from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.language.view import ClassTable
from goodmeasure.theory.verification import verify
from tests.theory.proving import prove

COMPLETE = "opitz_chance_corrected_completely"
_AVERAGES = ("arithmetic", "geometric", "min", "max", "joint")
PROVED = [
    *(("weighted_kappa(weights='linear')", "regular"), ("weighted_kappa(weights='quadratic')", "regular")),
    *((f"normalized_mutual_information(average='{x}')", "regular") for x in _AVERAGES),
    *((x, d) for x in ("mutual_information", "calibrated(kappa)", "calibrated(mcc)") for d in ("all", "regular")),
    ("bookmaker_win", "all"),
]


def guesses(m: int, domain: str) -> Any:
    """Yield the matrices x_i·y_j with small sizes, those with a 0 only on the domain "all"."""
    least = 0 if domain == "all" else 1
    sizes = [x for x in product(range(least, 4 - (m > 2)), repeat=m) if any(x)]
    for x, y in product(sizes, repeat=2):
        yield [[p * q for q in y] for p in x]


@pytest.mark.parametrize(("name", "domain"), PROVED)
def test_guesses_score_nothing_for_every_number_of_classes(name: str, domain: str) -> None:
    certificate = prove(name, COMPLETE, classes="every", domain=domain)
    assert certificate is not None
    assert certificate.constants == {"Omega": "0"}
    assert verify(certificate)
    for m in (2, 3, 4):
        for rows in list(guesses(m, domain))[:: 1 if m < 4 else 29]:
            value = measure(name).exact(rows)
            assert value is UNDEFINED or value == 0


def _lifts(c: Any) -> Any:
    return c.sum(lambda i: c.ratio(c.n * c[i, i], c.a[i] * c.b[i]))


def _false_for_five_classes(c: Any) -> Any:
    """Return 0 for guesses of two to four classes, and more for others."""
    m = c.sum(lambda i: 1)
    return c.sum(lambda i: c.sum(lambda j: c.ratio(c.n * c[i, j], c.a[i] * c.b[j]) - 1)) + (m - 2) * (m - 3) * (m - 4)


def _where_two_sizes_agree(c: Any) -> Any:
    return c.sum_off(lambda i, j: c[i, j] - c.ratio(c.a[i] * c.b[j], c.n) + c.where(c.a[i] == c.a[j], 1, 0))


def _diagonal_too(c: Any) -> Any:
    """Return what is 0 for guesses only if pairs of a class with itself were counted as pairs."""
    return c.sum(lambda i: c.sum(lambda j: c.a[i] * c.b[j])) - c.n * c.sum_off(lambda i, j: c[i, j])


@pytest.mark.parametrize("definition", [_lifts, _false_for_five_classes, _where_two_sizes_agree, _diagonal_too])
def test_what_is_false_for_some_number_of_classes_is_not_proved(definition: Any) -> None:
    assert prove(gm.measure(definition), COMPLETE, classes="every", domain="regular") is None


@pytest.mark.parametrize("name", ["kappa", "normalized_mutual_information()", "accuracy", "macro(f1)"])
def test_what_is_false_where_classes_are_absent_is_not_proved(name: str) -> None:
    assert prove(name, COMPLETE, classes="every", domain="all") is None


def test_pairs_of_classes_are_read_on_guesses() -> None:
    def definition(c: Any) -> Any:
        return c.sum_off(lambda i, j: c.n * c[i, j] - c.a[i] * c.b[j]) + c.sum(
            lambda i: c.n * c[i, i] - c.a[i] * c.b[i]
        )

    certificate = prove(gm.measure(definition), COMPLETE, classes="every", domain="all")
    assert certificate is not None
    assert verify(certificate, measure=definition)


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(lambda i, j: i - j, id="negative weights"),
        pytest.param(lambda i, j: abs(i - j) + 1, id="weights on the diagonal"),
        pytest.param(lambda i, j: abs(i - j) - 1, id="negative beside the diagonal"),
    ],
)
def test_tables_that_are_no_weights_are_not_read(entry: Any) -> None:
    table = ClassTable(entry)

    def definition(c: Any) -> Any:
        w = c.table(table)
        chance = c.sum(lambda i: c.sum(lambda j: w[i, j] * c.a[i] * c.b[j]))
        return c.ratio(chance - c.n * c.sum_off(lambda i, j: w[i, j] * c[i, j]), chance, otherwise=1)

    assert prove(gm.measure(definition), COMPLETE, classes="every", domain="regular") is None
