"""The verifier takes a definition for one that treats classes alike only if its tree names no class."""

from __future__ import annotations

import copy
import json
import pickle
from fractions import Fraction

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.catalogue.measure import as_measure
from goodmeasure.language.exact.reals import UNDEFINED, Exact
from goodmeasure.theory.statements.certificate import definition_of
from goodmeasure.theory.verify import formula_readings
from goodmeasure.theory.verify.renaming import tells_no_classes_apart


class Out(Exception):  # noqa: N818 - it carries a class out
    pass


def hits(c):
    return c.sum(lambda i: c[i, i])


def by_a_list(c):
    seen = []
    c.sum(lambda i: (seen.append(i), c[i, i])[1])
    return hits(c) / c.n + c.where(c.n == 123_457, c[seen[-1], seen[-1]], 0)


def by_an_exception(c):
    def leave(i):
        raise Out(i)

    try:
        c.sum(leave)
    except Out as out:
        first = out.args[0]
    return hits(c) / c.n + c.where(c.n == 123_457, c[first, first], 0)


def by_a_count(c):
    seen = []
    c.sum(lambda i: (seen.append(c[i, i]), c[i, i])[1])
    return hits(c) / c.n + c.where(c.n == 123_457, seen[-1], 0)


def by_a_count_of_another_sum(c):
    seen = []
    c.sum(lambda i: (seen.append(c.a[i]), c[i, i])[1])
    return hits(c) / c.n + c.where(c.n == 123_457, c.sum(lambda i: c[i, i] * seen[-1]), 0)


def by_a_matrix_of_one_class(c):
    seen = []
    c.mean(lambda i: (seen.append(c.vs_rest(i)), c[i, i])[1])
    return hits(c) / c.n + c.where(c.n == 123_457, seen[-1].tp, 0)


def by_its_result(c):
    seen = []
    c.sum(lambda i: (seen.append(c[i, i]), c[i, i])[1])
    return seen[-1]


def by_counting_calls(c):
    calls = []

    def hit(i):
        calls.append(None)
        return c[i, i] * c.where(c.n == 123_457, len(calls), 1)

    return c.sum(hit) / c.n


def by_counting_calls_in_a_rule(c):
    calls = []

    def rule(i):
        calls.append(None)
        return Fraction(1, len(calls))

    return c.mean(lambda i: c.ratio(c[i, i], c.a[i]), undefined=rule)


EVALUATIONS = []


def by_counting_evaluations(c):
    EVALUATIONS.append(None)
    return hits(c) / c.n + c.where(c.n == 123_457, len(EVALUATIONS), 0)


@pytest.mark.parametrize(
    "definition",
    [by_a_list, by_an_exception, by_a_count, by_a_count_of_another_sum, by_a_matrix_of_one_class, by_its_result,
     by_counting_calls, by_counting_calls_in_a_rule, by_counting_evaluations],
)  # fmt: skip
def test_who_carries_a_class_out_of_a_sum_is_refused_or_has_one_formula(definition):
    """A tree has one value for a matrix with renamed classes, or it names classes."""
    measure = as_measure(definition)
    rows, renamed = [[1, 2, 3], [123_430, 5, 6], [7, 3, 0]], [[5, 123_430, 6], [2, 1, 3], [3, 7, 0]]
    try:
        alike = tells_no_classes_apart(measure)
    except gm.InputError:
        return
    assert not alike or measure(rows) == measure(renamed)


def test_most_measures_of_the_catalogue_carry_nothing_out():
    alike = ["accuracy", "mcc", "kappa", "macro(f1)", "geometric_mean_of_recalls", "mutual_information", "cramers_v"]
    assert all(tells_no_classes_apart(gm.measure(name)) for name in alike)
    assert not any(
        tells_no_classes_apart(gm.measure(name)) for name in ("f1", "weighted_kappa(weights='linear')", "recall")
    )


def odd_on_some_zeros(c):
    calls = []
    zeros = c.sum(lambda i: c.sum(lambda j: c.where(c[i, j] == 0, 1, 0)))

    def hit(i):
        calls.append(None)
        return c[i, i] + c.where((zeros == 1) & (c[i, i] == 0), len(calls), 0)

    return c.sum(hit) / c.n


def test_supports_that_are_left_out_are_compared():
    verdict = gm.check(odd_on_some_zeros, properties=["distance"], classes=3, domain="regular", seconds=10)
    assert verdict["distance"].status != "proved"


def stale(c):
    p = c.sum(lambda i: c.a[i] * c.b[i] * (2 * c.n - c.a[i]))  # 0 where no class is both true and predicted
    none = c.sum(lambda i: c.xlogy(c.a[i] * c.b[i], lambda: p / p))  # asked where a class is both
    return none + c.where(p > 0, 0, lambda: (c.m - 2) * (c.m - 3) * (c.m - 4) * (c.m - 5))


def test_what_holds_under_an_assumption_is_not_remembered_without_it():
    name = "approximate_constant_baseline"

    def nothing(c):
        return c.sum(lambda i: c.a[i]) - c.n

    honest = gm.check(nothing, classes="every", properties=[name], domain="all")[name]
    forged = honest.certificate.to_json()
    forged["measure"] = {"name": "stale", "definition": definition_of(as_measure(stale))}
    with pytest.raises(gm.CertificateError):
        gm.verify(json.dumps(forged), measure=stale)


def test_a_reading_is_not_served_for_a_number_that_prints_alike():
    verdict = gm.check(gm.f1, classes=2, domain="all", undefined=1.0, properties=["maximal_agreement"])
    certificate = verdict["maximal_agreement"].certificate.to_json()
    formula_readings.forget()
    assert gm.verify(json.dumps(certificate))
    with pytest.raises(gm.CertificateError):
        gm.verify(json.dumps({**certificate, "undefined": "1.0000001"}))


def test_integers_of_numpy_do_not_overflow_in_exact_numbers():
    assert Exact.of(2**40) * np.int64(2**40) == 2**80
    assert (Exact.of(np.int64(2**40)) * 2**40).as_fraction() == Fraction(2**80)


def test_there_is_one_undefined_number():
    assert pickle.loads(pickle.dumps(UNDEFINED)) is UNDEFINED
    assert copy.deepcopy([UNDEFINED])[0] is UNDEFINED
