"""Definitions that cannot tell classes apart are recognised, and those that can are not, whatever part of them does."""

import pytest

import goodmeasure as gm
from goodmeasure.language.class_symmetry import treats_classes_alike


def tells_no_classes_apart(definition):
    return treats_classes_alike(gm.measure(definition).recorded.general())


@pytest.mark.parametrize("name", ["accuracy", "kappa", "mcc", "macro(f1)", "weighted(f1)", "confusion_entropy"])
def test_measures_that_treat_all_classes_alike_are_recognised(name):
    assert tells_no_classes_apart(name)


def test_definitions_that_look_into_a_class_are_found_out():
    """An index that is compared, counted with, or used with a table of costs tells classes apart."""
    assert not tells_no_classes_apart(gm.weighted_kappa("linear"))
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


def test_a_class_of_one_matrix_is_not_one_of_another():
    """The classes of `c.vs_rest(i)` are positions, which name two classes if they are looked up in `c`."""

    def crossed(c):
        rest = c.vs_rest
        return c.mean(lambda i: rest(i).sum(lambda j: c[j, j]))

    assert not tells_no_classes_apart(crossed)
    assert tells_no_classes_apart(lambda c: c.mean(lambda i: c.vs_rest(i).sum(lambda j: c.vs_rest(i)[j, j])))


@pytest.mark.parametrize(("table", "needs"), [(((0, 1), (1, 0)), False), (((0, 1), (2, 0)), True)])
def test_a_table_that_stays_the_same_when_both_classes_are_exchanged_needs_no_positive_class(table, needs):
    def cost(c):
        w = c.table(table)
        return c.sum(lambda i: c.sum(lambda j: w[i, j] * c[i, j]))

    assert gm.measure(cost).needs_positive is needs


def test_two_numbered_classes_need_no_positive_class_if_only_their_distance_counts():
    assert not gm.measure(lambda c: c.n * gm.weighted_kappa("linear")(c)).needs_positive
