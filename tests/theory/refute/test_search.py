"""The search for the smallest counterexample, when its time is over before a size is finished."""

from __future__ import annotations

import time

import pytest

import goodmeasure as gm
from goodmeasure.language.policy import RESOLVE
from goodmeasure.theory.refute.search import Search
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.subject.measured_values import subject


def test_a_size_that_was_given_up_is_looked_at_again(monkeypatch):
    search = Search(statement("monotone"), [subject(gm.measure("kappa"), 3, domain_of("regular"), RESOLVE, None, 5)])
    looked = []

    def given_up_at_three(n):
        looked.append(n)
        if n == 3:
            monkeypatch.setattr(time, "process_time", lambda: 10.0)

    monkeypatch.setattr(search.refuters[0], "at", given_up_at_three)
    monkeypatch.setattr(time, "process_time", lambda: 0.0)
    assert search.upto(4, until=5.0) is None
    assert search.looked == 2
    monkeypatch.setattr(search.refuters[0], "at", looked.append)
    assert search.upto(4, until=20.0) is None
    assert looked == [1, 2, 3, 3, 4]


def right(c):
    return c.sum(lambda i: c[i, i]) / c.n


@pytest.mark.parametrize(
    ("measure", "name", "n"),
    [
        (lambda c: c.where(c.n > 9, 1, 0), "Scale", 1),  # [0 0|0 1] times 10
        (lambda c: c.where(c.n > 9, 1, 0), "opitz_prevalence_invariant", 1),
        (lambda c: right(c) + (c.n - 1) * (c.n - 2) / 1000, "opitz_prevalence_invariant", 1),  # times 3
        (lambda c: c.where(c.n > 200, 1, 0), "Scale", 1),  # times 201, where the formula changes
        (lambda c: c.where(c.n > 200, 1, 0), "opitz_prevalence_invariant", 1),
    ],
)
def test_scalings_are_tried_with_many_factors(measure, name, n):
    verdict = gm.check(measure, properties=[name])[name]
    assert (verdict.status, verdict.n) == ("refuted", n)
    assert gm.verify(verdict)


@pytest.mark.parametrize(
    ("measure", "name", "n"),
    [
        (lambda c: c.min(right(c), 0.999), "Max", 1000),
        (lambda c: c.min(right(c), 0.999), "Mon", 1001),
        (lambda c: c.min(right(c), 0.999), "sebastiani_mon", 1000),
        (lambda c: right(c) - c.where(c.fp > 500, 1, 0), "Sym", None),
        (lambda c: right(c) - abs(c.fn - 300) / c.n**9 + abs(c.fp - 300) / c.n**9, "Min", None),
        (lambda c: c.where(c.n > 1000, c.ratio(c.tp, c.tp * 0), 1), "sebastiani_sde", None),
    ],
)
def test_counterexamples_are_sought_where_a_formula_changes(measure, name, n):
    verdict = gm.check(measure, properties=[name])[name]
    assert verdict.status == "refuted"
    assert n is None or verdict.n == n
    assert gm.verify(verdict)


def test_a_search_where_a_formula_changes_does_not_claim_the_smallest_counterexample():
    verdict = gm.check(lambda c: c.min(right(c), 0.999), properties="Max")["Max"]
    assert verdict.method == "a counterexample where the formula changes its form, exact"
    assert "k up to 200" in gm.check(lambda c: c.where(c.n > 9, 1, 0), properties="Scale")["Scale"].method


def test_what_refutes_a_property_refutes_what_implies_it():
    def worst_recall(c):
        return c.least(lambda i: c.ratio(c[i, i], c.a[i]))

    report = gm.check(worst_recall, 3, "regular", properties=["distance", "symmetry"])
    assert report["symmetry"].status == report["distance"].status == "refuted"
    assert report["distance"].n == report["symmetry"].n == 5
    assert gm.verify(report["distance"])


@pytest.mark.deep
def test_every_number_of_classes_is_searched_up_to_five_classes():
    def differs_from_four_classes_on(c):
        return right(c) - (c.m - 2) * (c.m - 3) * c.sum(lambda i: c.a[i] ** 2) / (1000 * c.n**2)

    report = gm.check(differs_from_four_classes_on, "every", "regular", properties=["Max", "Sym"])
    assert {x.status for x in report.values()} == {"refuted"}
    assert [(x.n, x.witness.sizes) for x in report.values()] == [(5, (4,)), (6, (4,))]


def most_right(c):
    """Symmetric; but it writes the classes out, so nothing is proved for every number of them."""
    return c.max(*[c[i, i] for i in range(c.m)])


@pytest.mark.deep
def test_a_held_verdict_says_how_far_each_number_of_classes_was_searched():
    verdict = gm.check(most_right, "every", properties="Sym")["Sym"]
    assert verdict.status == "held"
    assert verdict.method.startswith("every case up to n = 16 with 2 classes, 6 with 3 classes, 6 with 4 classes, ")
    assert verdict.n == int(verdict.method.split(" with 5 classes")[0].rpartition(" ")[2])
