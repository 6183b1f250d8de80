"""Symbolic derivatives: of every kind of node, with classes written out and in loops, and where there is none."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.catalogue import derivative
from goodmeasure.language.compile.exact_numbers import exact_value_on, exactly
from goodmeasure.language.compile.gradients import exact_slopes
from goodmeasure.language.derive import Gradient, joined, smooth
from goodmeasure.language.policy import RESOLVE
from goodmeasure.language.recorded import Recorded
from goodmeasure.language.rewrite.core import MappedGrid
from goodmeasure.language.tree import CellOf, ClassVariable, Counts, Operation, Over, SizeOf
from tests.strategies import MEASURES
from tests.test_every_measure import sizes_of

RNG = np.random.default_rng(2)
STEP = Fraction(1, 10**12)


def of_a_map(c):
    shares = c.map(lambda i, j: c.ratio(c[i, j], c.a[i] + c.b[j]))
    again = shares.map(lambda i, j: shares[i, j] * shares[j, i] / (1 + shares.n))
    return again.n + c.sum(lambda i: again[i, i] * shares.a[i])


DEFINITIONS = {
    "a product with a factor 0": lambda c: c.product(lambda i: c[i, i] - c[0, 0]) / c.n,
    "a product of some": lambda c: c.product(lambda i: c.a[i], lambda i: c.a[i] > 6.5),
    "an absolute value": lambda c: c.sum(lambda i: abs(c.a[i] - 2 * c.b[i])),
    "extremes": lambda c: c.greatest(lambda i: c[i, i] / c.a[i], lambda i: c.a[i] > 6.5) - c.least(lambda i: c.b[i]),
    "extremes of two": lambda c: c.max(c[0, 0], c[0, 1] / 2) - c.min(c.a[0], 3 * c.b[1]),
    "a power mean": lambda c: c.mean(lambda i: c.ratio(c[i, i], c.a[i]), p=Fraction(1, 2)),
    "a power mean of some": lambda c: c.mean(lambda i: c[i, i], p=3, over=lambda i: c.a[i] > 6.5),
    "a power mean of two": lambda c: c.power_mean([c.a[0], c.n], -2),
    "a weighted mean of some": lambda c: c.mean(
        lambda i: c.where(c.a[i] > 6.5, c.ratio(c[i, i], c.b[i]), c.skip), weights=c.a
    ),
    "powers": lambda c: c.power(c.n, Fraction(3, 2)) + c.power(c.a[0], -2) + c.power(c.b[1], Fraction(1, 3)),
    "angles": lambda c: c.arcsin(c[0, 0] / c.n) * c.arccos(c[1, 0] / c.n),
    "logarithms": lambda c: c.log1p(c[0, 1] / c.n) + c.exp(-c.xlogy(c[0, 0] / c.n, lambda: c.a[0] / c.n)),
    "a sum in a sum": lambda c: c.sum(lambda i: c.a[i] / c.sum(lambda j: c[i, j] * c.b[j] + c[j, i])),
    "a sum of some pairs": lambda c: c.sum_off(lambda i, j: c[i, j] * c.a[i] / c.b[j], lambda i, j: c[i, j] > 2.5),
    "a class against the rest": lambda c: c.sum(lambda i: c.ratio(c.vs_rest(i)[1, 1], c.vs_rest(i).T.b[0])),
    "a matrix of a matrix": of_a_map,
}


def quotients(tree, rows):
    """Derivatives by exact differences of very small steps."""
    found = []
    for i, j in np.ndindex(len(rows), len(rows)):
        ends = []
        for sign in (1, -1):
            moved = [list(row) for row in rows]
            moved[i][j] += sign * STEP
            ends.append(exact_value_on(tree, moved, RESOLVE))
        found.append(float((ends[0] - ends[1]) / (2 * STEP)))
    return np.array(found).reshape(len(rows), -1)


@pytest.mark.parametrize("m", [2, 3, 7])
@pytest.mark.parametrize("name", DEFINITIONS)
def test_every_node_has_its_derivative(name, m):
    """With seven classes, also those that a formula names by their numbers are read in loops."""
    definition = Recorded(DEFINITIONS[name])
    counts = np.random.default_rng(m).permutation(np.arange(2, 2 + m * m)).reshape(m, m)
    rows = [[Fraction(x) for x in row] for row in counts.tolist()]
    expected = quotients(definition.tree(m), rows)
    for whole in (True, False):
        found = derivative.on_batch(definition, counts[:, :, None].astype(float), RESOLVE, whole=whole)[:, :, 0]
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    if m < 7:
        found = np.array([float(x) for x in exact_slopes(definition.tree(m), rows, RESOLVE)]).reshape(m, m)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


RATIONAL = ["accuracy", "kappa", "macro(f1)", "weighted(precision)", "calibrated(kappa)", "f1", "lambda_true", "k"]


@pytest.mark.parametrize("name", RATIONAL)
def test_both_orders_of_the_chain_rule_end_at_the_same_number(name):
    tree = gm.measure(name).recorded.tree(2)
    rows = [[Fraction(7), Fraction(2)], [Fraction(3), Fraction(11)]]

    def roots():
        root = smooth(tree, None, resolves=True)
        s, t = ClassVariable(root.height + 2), ClassVariable(root.height + 1)
        return MappedGrid(s.number, t.number, joined(Gradient(root).parts, s, t))

    by_pass = exactly(tree, "one pass", roots, None, RESOLVE)(rows)
    assert [x for row in by_pass for x in row] == exact_slopes(tree, rows, RESOLVE)


@pytest.mark.parametrize("measure", [x for x in MEASURES if 3 in sizes_of(x)], ids=lambda x: x.name)
def test_a_derivative_beside_an_empty_cell_is_that_of_one_matrix_alone(measure):
    """A batch is differentiated together, and what has no derivative is found matrix by matrix."""
    batch = RNG.integers(1, 9, (3, 3, 3))
    batch[1, 0, 2] = batch[2, 1, 0] = 0
    together = measure.gradient(batch)
    for k in range(3):
        np.testing.assert_allclose(together[k], measure.gradient(batch[k]), rtol=1e-9, atol=1e-12)


KINKS = {  # which cells have no derivative at [[3, 2], [2, 0]]
    "a maximum of two that are equal": (lambda c: c.max(c.fp, c.fn), [[0, 1], [1, 0]]),
    "a maximum of two that stay equal if TN grows": (lambda c: c.max(c.tn * c.fp, c.fn * c.tn), [[0, 1], [1, 0]]),
    "an absolute value": (lambda c: abs(c.fp - c.fn), [[0, 1], [1, 0]]),
    "a root at 0": (lambda c: c.sqrt(c.tp), [[0, 0], [0, 1]]),
    "a root that stays 0 if FP grows": (lambda c: c.sqrt(c.tp * c.fp), [[0, 0], [0, 1]]),
    "a logarithm of what is 0": (lambda c: c.xlogy(c.tp, lambda: c.tp), [[0, 0], [0, 1]]),
    "0/0 until TP grows": (lambda c: c.ratio(c.tp, c.tp * c.fn, otherwise=1), [[0, 0], [0, 1]]),
    "0/0 in a term that does not count": (lambda c: c.where(c.fp < 2, c.ratio(1, c.tp), c.n), [[0, 1], [0, 0]]),
    "a mean of two that are equal": (lambda c: c.over_mean(c.n, c.fp, c.fn, "logarithmic"), [[0, 0], [0, 0]]),
    "a class that does not count yet": (
        lambda c: c.mean(lambda i: c[i, i] + 1, over=lambda i: c[i, i] > 0),
        [[0, 0], [0, 1]],
    ),
    "a sum of which one term has a kink": (lambda c: c.sum(lambda i: c.sqrt(c[i, i])), [[0, 0], [0, 1]]),
    "a cell of a matrix that is computed": (
        lambda c: c.map(lambda i, j: c.ratio(c[i, j], c[j, i], otherwise=2)).n,
        [[0, 0], [0, 1]],
    ),
}


@pytest.mark.parametrize("name", KINKS)
def test_there_is_no_derivative_by_the_cells_that_meet_a_kink(name):
    definition, expected = KINKS[name]
    found = gm.measure(definition).gradient([[3, 2], [2, 0]])
    assert np.isnan(found).astype(int).tolist() == expected


def test_a_smooth_power_of_what_is_0_has_a_derivative():
    assert gm.measure(lambda c: c.tp**2 / c.n).gradient([[3, 2], [2, 0]]).tolist() == [[0, 0], [0, 0]]


def test_a_class_in_the_place_of_a_variable_leaves_bound_ones_alone():
    """A share may be about class 1 and hold a sum over another class 1."""

    def tree(outer, other):
        matrix, outer, other, bound = Counts(None), *map(ClassVariable, (outer, other, 1))
        inner = Over("sum", matrix, 1, CellOf(matrix, bound, other), None, Fraction(1), None, None)
        return Operation("mul", (SizeOf(matrix, "a", outer), inner))

    assert tree(1, 2).with_classes({1: ClassVariable(5), 2: ClassVariable(6)}) is tree(5, 6)


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")  # PyTorch itself calls it
@pytest.mark.parametrize("name", ["mcc", "macro(f1)", "kappa", "g_mean"])
def test_pytorch_and_jax_differentiate_slopes_once_more(name):
    torch = pytest.importorskip("torch")
    measure, counts = gm.measure(name), np.array([[5.0, 1, 2], [3, 4, 1], [2, 2, 6]])
    expected = np.empty((9, 3, 3))
    for k in range(9):
        step = np.zeros(9)
        step[k] = 1e-5
        ends = [measure.gradient(counts + sign * step.reshape(3, 3)) for sign in (1, -1)]
        expected[k] = (ends[0] - ends[1]) / 2e-5
    tensor = torch.tensor(counts)
    for hessian in (torch.autograd.functional.hessian(measure, tensor), torch.func.hessian(measure)(tensor)):
        np.testing.assert_allclose(hessian.reshape(9, 3, 3).numpy(), expected, rtol=1e-5, atol=1e-8)
    jax = pytest.importorskip("jax")
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    try:
        found = np.asarray(jax.hessian(measure)(jax.numpy.asarray(counts)))
    finally:
        jax.config.update("jax_enable_x64", before)
    np.testing.assert_allclose(found.reshape(9, 3, 3), expected, rtol=1e-5, atol=1e-8)


def test_a_loss_without_a_value_has_a_slope_of_zero():
    torch = pytest.importorskip("torch")
    counts = torch.tensor([[3.0, 2.0], [0.0, 0.0]], requires_grad=True)
    value = gm.measure("positive_likelihood_ratio")(counts)
    value.nansum().backward()
    assert value.isnan()
    assert counts.grad.tolist() == [[0, 0], [0, 0]]
