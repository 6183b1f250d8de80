"""Counterexamples are real and smallest: a naive search in fractions finds the same n."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.language.policy import RESOLVE
from goodmeasure.theory.refute.search import Search
from goodmeasure.theory.statements.domain import DOMAINS, domain_of
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.subject.measured_values import subject
from tests.replay import replayed


def naive_matrices(n):
    for tn, fp, fn in product(range(n + 1), repeat=3):
        if tn + fp + fn <= n:
            yield tn, fp, fn, n - tn - fp - fn


def in_domain(cells, domain):
    tn, fp, fn, tp = cells
    sizes = (tn + fp, fn + tp, tn + fn, fp + tp)
    return sum(cells) > 0 and min(cells) >= 0 and (domain == "all" or all(sizes))


def naive_monotone(f, domain, most):
    """The smallest n at which Definition 6 fails, by plain loops."""
    for n in range(1, most + 1):
        for tn, fp, fn, tp in naive_matrices(n):
            if not in_domain((tn, fp, fn, tp), domain) or not all((tn + fp, fn + tp, tn + fn, fp + tp)):
                continue
            moves = [(1, -1, 0, 0), (0, -1, 0, 1), (1, 0, -1, 0), (0, 0, -1, 1)]
            for move in moves:
                after = tuple(x + d for x, d in zip((tn, fp, fn, tp), move, strict=True))
                values = (f(tn, fp, fn, tp), f(*after)) if in_domain(after, domain) else (None, None)
                if None not in values and not values[0] < values[1]:
                    return n
    return None


def naive_symmetric(f, domain, most):
    for n in range(1, most + 1):
        for tn, fp, fn, tp in naive_matrices(n):
            x, y = f(tn, fp, fn, tp), f(tn, fn, fp, tp)
            if in_domain((tn, fp, fn, tp), domain) and None not in (x, y) and x != y:
                return n
    return None


def naive_baseline(f, domain, most):
    """The smallest n at which Definition 9 fails."""
    seen = None
    for n in range(1, most + 1):
        for a in range(n + 1):
            for b in range(n + 1):
                if b in (0, n) or (domain != "all" and a in (0, n)):
                    continue
                cells = ((n - a) * (n - b), (n - a) * b, a * (n - b), a * b)
                value = f(*(Fraction(x, n) for x in cells))
                if value is None:
                    continue
                seen = value if seen is None else seen
                if value != seen:
                    return n
    return None


def searched(function, name, domain, most):
    found = Search(statement(name), [subject(gm.measure(function), 2, domain_of(domain), RESOLVE, None, 5)])
    found.upto(most)
    return found


coefficients = st.tuples(*[st.integers(-2, 3)] * 4)


@settings(max_examples=25, deadline=None)
@given(above=coefficients, below=st.tuples(*[st.integers(0, 3)] * 4), domain=st.sampled_from(["all", "regular"]))
def test_random_rational_measures_fail_where_a_naive_search_says(above, below, domain):
    def naive(tn, fp, fn, tp):
        cells = (tn, fp, fn, tp)
        under = sum(k * x for k, x in zip(below, cells, strict=True))
        return Fraction(sum(k * x for k, x in zip(above, cells, strict=True))) / under if under else None

    def mine(c):
        cells = (c.tn, c.fp, c.fn, c.tp)
        over, under = (sum((k * x for k, x in zip(w, cells, strict=True)), 0 * c.n) for w in (above, below))
        return c.ratio(over, under)

    for name, by_hand in (("Mon", naive_monotone), ("Sym", naive_symmetric), ("ACB", naive_baseline)):
        found = searched(mine, name, domain, 4)
        assert found.n == by_hand(naive, domain, 4), name
        if found.found is not None:
            assert replayed(found.found.replay, mine=mine) is False


@pytest.mark.parametrize("domain", ["all", "regular"])
@pytest.mark.parametrize("name", ["f1", "kappa", "yule_q", "mcc", "balanced_accuracy", "lam", "ochiai"])
def test_every_matrix_of_a_witness_lies_in_the_domain(name, domain):
    for verdict in gm.check(name, domain=domain, properties=["Max", "Min", "Mon", "SMon", "Sym", "Dist"], n=6).values():
        if verdict.witness is None:
            continue
        assert replayed(verdict.witness.replay) is False
        for exhibit in verdict.witness.exhibits:
            if exhibit.role != "far out":
                assert DOMAINS[domain].holds(np.array(exhibit.matrix))
                assert exhibit.value == str(gm.measure(name).exact(exhibit.matrix))
        if verdict.statement in ("monotone", "strongly_monotone"):
            assert sum(map(sum, verdict.witness.matrices[0])) == verdict.n


def test_near_ties_are_decided_exactly():
    """Values that floats cannot tell apart: strictly monotone by an amount far below rounding."""
    tiny = Fraction(1, 10**20)

    def barely(c):
        return c.ratio(c.tn, c.n) * 0 + 1 + tiny * c.ratio(c.tp + c.tn, c.n)

    found = searched(barely, "Mon", "regular", 6)
    assert found.found is None
    assert found.looked == 6
    assert searched(lambda c: barely(c) * 0 + 1, "Mon", "regular", 6).n == 3


def test_floats_that_are_wrong_are_not_trusted():
    """A definition whose floats lose everything to cancellation is judged by its exact values."""

    def cancelling(c):
        return (c.ratio(c.tp + c.tn, c.n) + 10**18) - 10**18

    found = searched(cancelling, "Mon", "regular", 5)
    assert found.found is None
    assert found.looked == 5


def test_what_cannot_be_decided_is_not_claimed():
    """Nested roots that may be equal leave the search where it was sure."""

    def nested(c):
        inner = c.sqrt(5 + 2 * c.sqrt(c.constant(6)))
        return c.ratio(c.tp, c.n) + c.where(c.n > 3, inner - c.sqrt(c.constant(2)) - c.sqrt(c.constant(3)), 0)

    found = searched(nested, "Sym", "all", 5)
    assert found.found is None
    assert found.open == (found.looked < 5)


@pytest.mark.parametrize(
    ("name", "n", "before", "after"),
    [
        ("lehmer_mean(p=3)", 34, [[2, 31], [0, 1]], [[3, 30], [0, 1]]),
        ("weighted(f1)", 31, [[18, 12], [1, 0]], [[18, 11], [1, 1]]),
    ],
)
def test_monotonicity_fails_only_for_many_items(name, n, before, after):
    """A mean that falls where its smaller number grows, and a weighted F1: the least counterexamples are large."""
    verdict = gm.check(name, properties=["Mon"])["Mon"]
    assert (verdict.status, verdict.n) == ("refuted", n)
    measure = gm.measure(name)
    assert measure.exact(after) < measure.exact(before)


@pytest.mark.parametrize(
    ("name", "prop", "words"),
    [
        ("confusion_entropy", "monotone", "must fall"),
        ("confusion_entropy", "opitz_monotone", "must not rise"),
        ("f1", "monotone", "must rise"),
        ("gwet_ac1", "opitz_monotone", "must not fall"),
        ("kappa", "opitz_monotone", "must not rise"),
    ],
)
def test_a_move_says_what_must_happen_to_the_value_as_the_measure_gives_it(name, prop, words):
    says = gm.check(name, properties=[prop])[prop].witness.says
    assert says.endswith(words)
    assert says == gm.atlas()[name, prop].witness.says
