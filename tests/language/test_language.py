"""Every word of the language of c means the same in every algebra."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.language.exact.reals import Exact
from goodmeasure.language.value import total
from goodmeasure.language.view import ClassTable
from tests.strategies import matrices, real


def times(m: int) -> list[list[int]]:
    """A table of constants."""
    return [[(1 + i) * j for j in range(m)] for i in range(m)]


DEFINITIONS = {
    "sum over classes": lambda c: c.sum(lambda i: c[i, i] * c.b[i]),
    "sum over some classes": lambda c: c.sum(lambda i: c.a[i] * c.a[i], over=lambda i: c.b[i] > 2),
    "how many classes": lambda c: c.sum(lambda i: 1, over=lambda i: c.a[i] > 0),
    "nested sums": lambda c: c.sum(lambda i: c.sum(lambda j: c[i, j] * c.a[j] + c.b[i])),
    "three sums deep": lambda c: c.sum(lambda i: c.sum(lambda j: c.sum(lambda k: c[i, j] * c[j, k] + c[k, i]))),
    "a constant term": lambda c: c.sum(lambda i: c.n),
    "product": lambda c: c.product(lambda i: c.ratio(1 + c[i, i], 1 + c.a[i])),
    "least and greatest": lambda c: c.least(lambda i: c.a[i]) - 2 * c.greatest(lambda i: c.b[i]),
    "greatest of some": lambda c: c.greatest(lambda i: c.a[i], over=lambda i: c.b[i] > 0),
    "mean": lambda c: c.mean(lambda i: c.a[i] - c[i, i]),
    "geometric mean": lambda c: c.mean(lambda i: c.ratio(c[i, i], c.a[i], otherwise=1), p=0),
    "harmonic mean": lambda c: c.mean(lambda i: c.ratio(c[i, i], c.a[i], otherwise=c.skip), p=-1),
    "cubic mean": lambda c: c.mean(lambda i: c.b[i] / c.n, p=3),
    "infinite means": lambda c: c.mean(lambda i: c.a[i], p=math.inf) - c.mean(lambda i: c.b[i], p=-math.inf),
    "mean of negative terms": lambda c: c.mean(lambda i: c[i, i] - c.a[i] - 1, p=2),
    "mean without the undefined": lambda c: c.mean(lambda i: c.ratio(c[i, i], c.b[i]), undefined=c.skip),
    "sum off the diagonal": lambda c: c.sum_off(lambda i, j: c[i, j] * (c.a[i] + 3 * c.b[j])),
    "sum off it with a condition": lambda c: c.sum_off(lambda i, j: c[i, j], over=lambda i, j: c.a[i] > c.b[j]),
    "skip": lambda c: c.sum(lambda i: c.ratio(c[i, i] + 1, c.a[i], otherwise=c.skip)),
    "skip in the inner sum": lambda c: c.sum(lambda i: c.sum(lambda j: c.ratio(c.a[i], c.b[j], otherwise=c.skip))),
    "excess": lambda c: c.sum(lambda i: c.excess(i) * c.a[i]),
    "excess of a pair": lambda c: c.sum(lambda i: c.sum(lambda j: c.excess(i, j) * c.a[j] + c.T.excess(i, j))),
    "excess of a named pair": lambda c: c.excess(0, 1) - 2 * c.vs_rest(0).excess(1, 0),
    "excess of a mapped pair": lambda c: c.map(lambda i, j: c[i, j] + c.a[i]).excess(1, 0),
    "transposed": lambda c: c.T.sum(lambda i: c.T.a[i] * c.b[i] - c[i, i] ** 2),
    "the rest": lambda c: c.sum(lambda i: (c.n - c.a[i]) * (c.n - c.b[i]) - (c.a[i] - c[i, i])),
    "one against the rest": lambda c: c.sum(lambda i: c.vs_rest(i).tn * c.vs_rest(i).fp - c.vs_rest(i).fn),
    "the rest of the rest": lambda c: c.sum(lambda i: c.vs_rest(i).vs_rest(0).tp + 2 * c.vs_rest(i).T.fp),
    "sizes of the rest": lambda c: c.sum(lambda i: c.vs_rest(i).a[0] * c.vs_rest(i).b[1] - c.vs_rest(i).n),
    "a sum inside the rest": lambda c: c.mean(lambda i: c.vs_rest(i).sum(lambda j: c.a[i] * c.vs_rest(i).b[j])),
    "two": lambda c: gm.f1(c.two(c.sum(lambda i: c[i, i]), c.n, 2 * c.n, c.b[0])),
    "mapped": lambda c: gm.mcc(c.map(lambda i, j: c[i, j] * c.a[i] + c.b[j])),
    "mapped inside a sum": lambda c: c.sum(lambda i: gm.kappa(c.vs_rest(i).map(lambda j, k: 1 + c.vs_rest(i)[j, k]))),
    "where": lambda c: c.sum(lambda i: c.where(c.a[i] > c.b[i], lambda: c.a[i], lambda: c.ratio(c.b[i], c.a[i]))),
    "where with or": lambda c: c.where((c.n == 3) | (c.a[0] < c.b[0]), 1, 2),
    "ratio with a function": lambda c: c.ratio(c.n, c.a[0] - c.b[0], otherwise=lambda: c.ratio(c.n, c.a[1])),
    "roots and powers": lambda c: c.sqrt(c.n) + c.power(1 + c.a[0], 1.5) - c.power(1 + c.b[0], -2),
    "power mean of values": lambda c: c.power_mean([1 + c.a[0], 1 + c.b[0]], 0.5) / c.n,
    "logarithms": lambda c: c.sum(lambda i: c.xlogy(c.a[i], lambda: c.ratio(c.a[i], c.n))) + c.log(c.n),
    "angle": lambda c: c.arccos(c.ratio(c[0, 0], c.n)) / c.pi,
    "min and max": lambda c: c.min(c.a[0], c.b[0], 3) + c.max(c.a[1], 2),
    "table": lambda c: c.sum(lambda i: c.sum(lambda j: c.table(times)[i, j] * c[i, j])),
    "diagonal of a table": lambda c: c.sum(lambda i: c.table(times)[i, i]),
    "class numbers": lambda c: c[0, 1] * c.a[1] - c.b[0],
    "number of classes": lambda c: (c.m - 1) / c.m + c.ratio(c.m, c.n),
    "undefined": lambda c: c.where(c.a[0] == 0, c.undefined, 1),
    "constant": lambda c: c.constant(1) / 3,
}  # fmt: skip

every_definition = pytest.mark.parametrize("definition", [pytest.param(f, id=name) for name, f in DEFINITIONS.items()])
POLICIES = ("resolve", "nan", 0.5)


def same(x: float, y: float) -> bool:
    return (math.isnan(x) and math.isnan(y)) or abs(x - y) <= 1e-8 * max(1.0, abs(x), abs(y))


@every_definition
@given(data=st.data())
def test_a_definition_means_the_same_in_every_algebra(definition, data):
    measure = gm.measure(definition)
    rows = data.draw(matrices(st.integers(2, 4), (0, 1, 2, 3, 4)))
    for undefined in POLICIES:
        exact = float(measure.exact(rows, undefined=undefined))
        assert same(measure(rows, undefined=undefined), exact), "plain numbers"
        assert same(float(measure(np.array([rows]), undefined=undefined)[0]), exact), "whole counts in a batch"
        halves = np.array([rows]) / 2
        assert same(
            float(measure(halves, undefined=undefined)[0]), float(measure.exact(halves[0], undefined=undefined))
        )
        assert same(measure(halves[0], undefined=undefined), float(measure.exact(halves[0], undefined=undefined)))


@every_definition
def test_many_classes_go_through_arrays_with_the_same_value(definition):
    rows = np.random.default_rng(3).integers(0, 3, (14, 14))
    measure = gm.measure(definition)
    assert same(measure(rows), float(measure.exact(rows)))
    assert same(measure(rows * 0.5), float(measure.exact(rows * 0.5)))


@every_definition
def test_every_definition_can_be_worked_and_explained(definition):
    told = gm.measure(definition).explain([[3, 1], [0, 2]])
    assert same(told.value, gm.measure(definition)([[3, 1], [0, 2]]))


@given(rows=matrices(st.integers(3, 5), real()))
def test_sums_of_the_rest_are_exact_on_real_counts(rows):
    """n − a_i and TN are 0 exactly where every cell they add up is 0."""
    for i, row in enumerate(rows):
        others = [x for k, r in enumerate(rows) if k != i for x in r]
        rest = gm.measure(lambda c, i=i: c.n - c.a[i])(rows)
        assert (rest == 0) == (not any(others))
        corner = [x for k, r in enumerate(rows) if k != i for j, x in enumerate(r) if j != i]
        tn = gm.measure(lambda c, i=i: c.vs_rest(i).tn)
        assert (tn(rows) == 0) == (not any(corner))
        assert (tn(np.array([rows]))[0] == 0) == (not any(corner))
        assert same(tn(rows), math.fsum(corner))
        assert row is rows[i]


def test_where_evaluates_a_branch_only_under_its_condition():
    """A rule is recorded, or raises, only where every enclosing condition holds."""
    guarded = gm.measure(lambda c: c.where(c.fp > 0, lambda: c.ratio(c.tp, c.fp), 0))
    assert guarded([[1, 0], [2, 3]], undefined="raise") == 0
    assert guarded(np.array([[[1, 0], [2, 3]], [[1, 2], [2, 3]]]), undefined="raise").tolist() == [0, 1.5]
    over = gm.measure(lambda c: c.sum(lambda i: c.ratio(c[i, i], c.a[i]), over=lambda i: c.a[i] > 0))
    assert over([[2, 1, 0], [0, 0, 0], [0, 0, 3]], undefined="raise") == pytest.approx(2 / 3 + 1)


def test_a_number_policy_replaces_each_undefined_term():
    both = gm.measure(lambda c: c.ratio(1, c.fp) + c.ratio(1, c.fn))
    assert both([[1, 0], [0, 3]], undefined=0.25) == 0.5
    assert both.exact([[1, 0], [0, 3]], undefined=0.1) == Exact.of(1) / 5
    mapped = gm.measure(lambda c: gm.accuracy(c.map(lambda i, j: c.ratio(c[i, j], c.a[i]))))
    assert mapped([[1, 2], [0, 0]], undefined=0.25) == 0.25


def test_cells_of_two_classes_are_refused_on_more():
    with pytest.raises(ValueError, match="cells of two classes, and the matrix has 3"):
        gm.measure(lambda c: c.tp)([[1, 2, 3], [4, 5, 6], [7, 8, 9]])


def test_a_table_of_the_wrong_size_is_refused():
    with pytest.raises(ValueError, match="the table is 2x2, the matrix has 3 classes"):
        gm.k_cost([[0, 1], [1, 0]])([[5, 1, 0], [2, 4, 2], [1, 0, 3]])
    for m in (3, 4):
        with pytest.raises(ValueError, match=f"the table is for 2 classes, the matrix has {m}"):
            gm.average_cost([[0, 1], [1, 0]])(np.ones((m, m), int).tolist())


@pytest.mark.deep
def test_a_long_sum_has_a_value_a_formula_and_an_explanation():
    def many(c):
        found = c.tp
        for _ in range(3000):
            found = found + c.fp
        return c.ratio(found, c.n)

    measure = gm.measure(many)
    assert measure([[5, 3], [4, 20]]) == measure.explain([[5, 3], [4, 20]]).value == (20 + 3000 * 3) / 32
    assert measure.formula.count(r"\mathrm{FP}") == 3000
    assert measure.gradient_formula.count(r"\partial") == 8


def test_one_letter_is_not_used_for_two_sums_that_are_nested():
    assert r"\sum_{i} \frac{\frac{c_{ii}}{a_{i}}}{\sum_{j} \frac{c_{jj}}{a_{j}}}" in gm.mutability.formula


def test_a_comparison_is_printed_as_it_is_written():
    measure = gm.measure(lambda c: c.where((c.tp > 3) & (c.fn != 0), 1, 0))
    assert r"\mathrm{TP} > 3 \wedge \mathrm{FN} \ne 0" in measure.formula


def test_constants_by_class_have_names_of_their_own():
    def two_tables(c):
        near, cost = (
            c.table(ClassTable(lambda i, j: abs(i - j))),
            c.table([[0, 1], [2, 0]], r"w_{ij} = \text{cost}"),
        )
        return c.sum_off(lambda i, j: near[i, j] * cost[j, i] * c[i, j])

    formula = gm.measure(two_tables).formula
    assert formula == r"\sum_{i \ne j} w_{ij} v_{ji} c_{ij},\quad w_{ij} = |i - j|,\quad v_{ij} = \text{cost}"


def test_a_function_with_if_works_on_one_matrix_and_on_a_batch():
    measure = gm.measure(lambda c: 1.0 if c.tp > 3 else 0.0)
    assert measure([[1, 2], [3, 4]]) == 1.0
    assert measure(np.array([[[1, 2], [3, 4]], [[1, 2], [3, 1]]])).tolist() == [1.0, 0.0]
    with pytest.raises(TypeError, match=r"write c\.where"):
        measure.formula  # noqa: B018


@pytest.mark.parametrize("result", ["text", None, [1, 2]])
def test_a_function_that_returns_no_number_is_told_so(result):
    with pytest.raises(TypeError, match="returns a number"):
        gm.measure(lambda c: result)([[1, 2], [3, 4]])


@pytest.mark.parametrize(("p", "root"), [(0, r"\sqrt{"), (2, "^{1/2}"), (-1, "^{-1}")])
def test_a_power_mean_over_two_classes_has_a_formula(p, root):
    def recalls(c):
        return c.mean(lambda i: c.ratio(c[i, i], c.a[i]), p=p)

    measure = gm.define("recalls", classes=2)(recalls)
    try:
        assert root in measure.formula
    finally:
        gm.measure("recalls").forget()


def test_terms_are_added_one_after_another_with_every_version_of_python():
    """As in batches: ``sum`` of Python 3.12 would give 1e16 + 2, and the last digits of values would depend on it."""
    assert total([1e16, 1.0, 1.0]) == np.add.reduce([1e16, 1.0, 1.0]) == 1e16
    assert total([]) == 0
