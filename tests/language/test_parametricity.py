"""Definitions that cannot tell classes apart are recognised, and those that can are not, whatever part of them does."""

import pytest

import goodmeasure as gm
from goodmeasure.language.parametricity import tells_no_classes_apart
from goodmeasure.theory.prove import proof
from goodmeasure.theory.prove.proof import is_class_symmetric


@pytest.mark.parametrize("name", ["accuracy", "kappa", "mcc", "macro(f1)", "weighted(f1)", "confusion_entropy"])
def test_measures_that_treat_all_classes_alike_are_recognised(name):
    assert tells_no_classes_apart(gm.measure(name).of)


def test_definitions_that_look_into_a_class_are_found_out():
    """An index that is compared, counted with, or used with a table of costs tells classes apart."""
    assert not tells_no_classes_apart(gm.weighted_kappa("linear").of)
    assert not tells_no_classes_apart(lambda c: c.sum(lambda i: 2 * c[i, i] if i == 0 else c[i, i]))
    assert not tells_no_classes_apart(lambda c: c.sum(lambda i: i * c[i, i]))
    assert not tells_no_classes_apart(lambda c: c.sum(lambda i: {0: 2}.get(i, 1) * c[i, i]))
    assert not tells_no_classes_apart(lambda c: c[0, 0] + c.n)
    assert not tells_no_classes_apart(lambda c: c.vs_rest(0).tp + c.n)
    assert not tells_no_classes_apart(lambda c: c.T.table([[1, 0], [0, 2]])[0, 0] * c.n)


def right(c):
    return c.sum(lambda i: c[i, i])


def wrong(c):
    return c.sum_off(lambda i, j: c[i, j])


def first(c):
    return c.ratio(c[0, 0], c.n)


RULES = {
    "of a ratio": lambda c: c.ratio(right(c), wrong(c), otherwise=lambda: first(c)),
    "of a mean": lambda c: c.mean(lambda i: c.ratio(c[i, i], c.a[i]), undefined=lambda i: first(c)),
    "of one class against the rest": lambda c: c.mean(
        lambda i: c.vs_rest(i).ratio(c[i, i], c.a[i], otherwise=lambda: first(c))
    ),
    "of two classes": lambda c: c.two(right(c), 0, 0, wrong(c)).ratio(right(c), wrong(c), otherwise=lambda: first(c)),
    "of the transposed matrix": lambda c: c.T.ratio(right(c), wrong(c), otherwise=lambda: first(c)),
    "of a class that does not occur": lambda c: c.mean(
        lambda i: c.where(c.occurs(i), lambda: c.ratio(c[i, i], c.a[i], otherwise=0), lambda: first(c))
    ),
    "within a rule": lambda c: c.ratio(
        right(c), wrong(c), otherwise=lambda: c.ratio(c.n - right(c), wrong(c), otherwise=lambda: first(c))
    ),
    "beside a logarithm": lambda c: c.xlogy(right(c), c.n, lambda: c[0, 0]),
}


@pytest.mark.parametrize("definition", RULES.values(), ids=RULES)
def test_a_rule_that_singles_out_a_class_is_found_out(definition):
    assert not tells_no_classes_apart(definition)


@pytest.mark.parametrize(
    "definition",
    [
        lambda c: c.ratio(right(c), wrong(c), otherwise=lambda: c.ratio(right(c), c.n)),
        lambda c: c.mean(lambda i: c.ratio(c[i, i], c.a[i]), undefined=lambda i: c.ratio(c.b[i], c.n)),
        lambda c: c.mean(lambda i: c.ratio(c[i, i], c.a[i]), undefined=c.skip),
        lambda c: c.mean(lambda i: c.ratio(c[i, i], c.a[i], otherwise=c.skip), over=c.occurs),
        lambda c: c.two(right(c), wrong(c), 0, c.n).ratio(right(c), wrong(c), otherwise=lambda: right(c)),
    ],
)
def test_rules_that_are_the_same_for_all_classes_are_recognised(definition):
    assert tells_no_classes_apart(definition)


def test_an_empty_class_shows_which_rules_single_out_a_class(monkeypatch):
    """The examples are a second guard: they see such a rule even if the definition is taken to be symmetric."""
    measure = gm.measure(RULES["of a ratio"])
    assert gm.check(measure, properties=["class_symmetry"])["class_symmetry"].status == "refuted"
    monkeypatch.setattr(proof, "tells_no_classes_apart", lambda definition: True)
    assert not is_class_symmetric(measure)
    assert is_class_symmetric(gm.measure("macro(precision)"))
