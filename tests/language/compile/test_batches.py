"""The array algebra on other array libraries: the standard's strict namespace, PyTorch, and gradients."""

from __future__ import annotations

import array_api_strict
import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.language.exact.reals import UNDEFINED
from tests.strategies import MEASURES

RNG = np.random.default_rng(7)


def batch(m: int) -> np.ndarray:
    """Random matrices, among them constant predictions, a constant truth, and nothing but errors."""
    counts = RNG.integers(0, 6, (24, m, m)).astype(float)
    counts[:, 0, 0] += 1
    counts[5, :, 1:] = 0
    counts[6, 1:, :] = 0
    counts[7] = np.roll(np.eye(m), 1, axis=1)
    return counts


BATCHES = {m: batch(m) for m in (2, 3, 5)}
CASES = [
    pytest.param(measure, m, id=f"{measure.name}-{m}")
    for measure in MEASURES
    for m in (2, 3, 5)
    if (measure.classes is None or m == 2) and ("costs" not in measure.parameters or m == 3)
]


@pytest.mark.parametrize(("measure", "m"), CASES)
def test_only_the_standard_is_used(measure, m):
    value = measure(array_api_strict.asarray(BATCHES[m]))
    np.testing.assert_allclose(np.asarray(value), measure(BATCHES[m]), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("measure", "m"), CASES)
def test_pytorch_gives_the_same_values(measure, m):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'goodmeasure[torch]'")
    value = measure(torch.tensor(BATCHES[m]))
    assert isinstance(value, torch.Tensor)
    np.testing.assert_allclose(value.numpy(), measure(BATCHES[m]), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["mcc", "macro(f1)", "sba", "kappa", "correlation_distance", "confusion_entropy", "k"])
def test_gradients_are_finite_everywhere_and_right_inside(name):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'goodmeasure[torch]'")
    measure = gm.measure(name)
    counts = torch.tensor(BATCHES[3], requires_grad=True)
    measure(counts).nansum().backward()
    assert torch.isfinite(counts.grad).all()
    inside = np.array([[5.0, 1, 2], [3, 4, 1], [2, 2, 6]])
    slope = torch.tensor(inside, requires_grad=True)
    measure(slope).backward()
    step = np.zeros((3, 3))
    step[1, 2] = 1e-6
    numeric = (measure(inside + step) - measure(inside - step)) / 2e-6
    assert float(slope.grad[1, 2]) == pytest.approx(numeric, rel=1e-5)


@pytest.mark.parametrize(
    "name",
    ["logarithmic_mean", "identric_mean", "seiffert_mean", "neuman_sandor_mean", "calibrated(mcc)", "weighted(f1)"],
)
def test_what_a_choice_discards_does_not_spoil_the_gradient(name):
    """Where both labelings are alike, a mean of two has a formula of its own, and the general one divides by 0."""
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'goodmeasure[torch]'")
    measure = gm.measure(name)
    counts = torch.tensor(BATCHES[2], requires_grad=True)
    values = measure(counts)
    values.nansum().backward()
    assert torch.isfinite(counts.grad).all()
    inside = np.array([[[5.0, 2], [2, 6]], [[5, 1], [3, 4]]])  # in one batch, so both formulas are computed for both
    slopes = torch.tensor(inside, requires_grad=True)
    measure(slopes).sum().backward()
    np.testing.assert_allclose(slopes.grad[1], np.array(measure.gradient(inside[1]), float), rtol=1e-9, atol=1e-12)


def test_the_shape_of_the_batch_is_kept():
    counts = RNG.integers(1, 9, (2, 3, 4, 3, 3))
    assert gm.mcc(counts).shape == (2, 3, 4)
    assert gm.mcc(counts)[1, 2, 3] == pytest.approx(gm.mcc(counts[1, 2, 3]))
    assert gm.mcc(array_api_strict.asarray(counts)).shape == (2, 3, 4)


def test_a_constant_definition_fills_the_batch():
    assert gm.measure(lambda c: 1)(np.ones((5, 2, 2))).tolist() == [1.0] * 5


def test_a_weighted_mean_leaves_classes_out_in_a_batch_as_in_single_matrices():
    def precision_of_predicted_classes(c):
        return c.mean(lambda i: c.ratio(c[i, i], c.b[i], otherwise=c.skip), weights=c.a)

    measure = gm.measure(precision_of_predicted_classes)
    counts = np.array([[[5, 0], [3, 0]], [[0, 5], [0, 3]], [[5, 1], [3, 2]]])
    assert measure(counts).tolist() == pytest.approx([measure(x) for x in counts.tolist()])


def test_an_average_of_many_matrices_leaves_out_the_class_that_does_not_occur():
    counts = RNG.integers(1, 5, (40_000, 2, 2))
    counts[12_345], counts[30_000], counts[30_001] = [[7, 0], [0, 0]], [[0, 0], [0, 3]], [[0, 1], [0, 0]]
    values = gm.macro(gm.recall)(counts)
    shown = [0, 12_345, 30_000, 30_001, 39_999]
    assert values[shown].tolist() == pytest.approx([gm.macro(gm.recall)(counts[k].tolist()) for k in shown])


def _without_value(c):
    return c.mean(lambda i: c.ratio(c[i, i], c.m - 2, otherwise=c.skip))


def _nothing_but_n(c):
    return c.sum(lambda i: c.ratio(1, 0, otherwise=c.skip)) + c.n


def _no_pair(c):
    return c.sum_off(lambda i, j: c.ratio(c[i, j], 0, otherwise=c.skip))


def _small_classes(c):
    return c.mean(lambda i: c.where(c.a[i] > 2, c.skip, c.a[i]))


@pytest.mark.parametrize("undefined", ["resolve", "nan", 0.25])
@pytest.mark.parametrize("matrix", [[[1, 0], [2, 3]], [[5, 1, 0], [2, 3, 1], [0, 0, 2]]], ids=["two", "three"])
@pytest.mark.parametrize("definition", [_without_value, _nothing_but_n, _no_pair, _small_classes])
def test_classes_are_left_out_of_a_batch_as_of_a_single_matrix(definition, matrix, undefined):
    """Also where the denominator is the constant 0 for all matrices; a choice of `c.where` holds under every policy."""
    torch = pytest.importorskip("torch")
    found = gm.define("left_out")(definition)
    try:
        expected = found(gm.ConfusionMatrix(matrix), undefined=undefined)
        exact = found.exact(matrix, undefined=undefined)
        assert float("nan" if exact is UNDEFINED else exact) == pytest.approx(expected, nan_ok=True)
        both = np.array([matrix, matrix])
        for counts in (both, torch.tensor(both, dtype=torch.float64)):
            values = np.asarray(found(counts, undefined=undefined))
            assert values.tolist() == pytest.approx([expected, expected], nan_ok=True)
    finally:
        gm.measure("left_out").forget()


def _left_out_by_a_function(c):
    return c.mean(lambda i: c.where(c.a[i] > 2, lambda: c.skip, lambda: c.a[i]))


def _left_out_by_the_function_of_a_rule(c):
    return c.sum(lambda i: c.ratio(c[i, i], c.b[i] - c.b[i], otherwise=lambda: c.skip)) + 1


@pytest.mark.parametrize("matrix", [[[1, 0], [2, 3]], [[1, 0, 1], [0, 2, 3], [1, 1, 0]]], ids=["two", "three"])
@pytest.mark.parametrize("definition", [_left_out_by_a_function, _left_out_by_the_function_of_a_rule])
def test_a_function_may_say_that_a_class_is_left_out(definition, matrix):
    found = gm.Measure(definition, "own", key=definition)
    value = found(matrix)
    assert float(found.exact(matrix)) == value
    assert found(np.array([matrix, matrix])).tolist() == [value, value]
    assert found.formula


def test_the_policy_raise_finds_an_undefined_term_that_a_comparison_hides():
    hidden = gm.measure(lambda c: c.where(c.ratio(1, c.fp) > 0.5, 1, 0))
    batch = np.array([[[3, 1], [1, 2]], [[3, 0], [1, 2]]])
    assert hidden(batch[:1], undefined="raise").tolist() == [1.0]
    for counts in (batch, batch[1].tolist()):
        with pytest.raises(gm.UndefinedMeasure):
            hidden(counts, undefined="raise")


def test_the_policy_raise_leaves_a_branch_alone_that_no_matrix_takes():
    chosen = gm.measure(lambda c: c.where(c.fp > 0, lambda: c.ratio(c.tp, c.fp), 0))
    batch = np.array([[[3, 1], [1, 2]], [[3, 0], [1, 2]]])
    assert chosen(batch, undefined="raise").tolist() == [2.0, 0.0]


def test_a_function_with_if_takes_arrays_of_other_libraries_matrix_by_matrix():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'goodmeasure[torch]'")
    measure = gm.measure(lambda c: c.ratio(c.tp, c.n) if c.tp > 3 else c.ratio(c.tn, c.n))
    counts = torch.tensor([[[1.0, 2], [3, 4]], [[1, 2], [3, 1]]], dtype=torch.float64, requires_grad=True)
    values = measure(counts)
    assert values.tolist() == pytest.approx([0.4, 1 / 7])
    values.sum().backward()
    assert float(counts.grad[0, 1, 1]) == pytest.approx(0.06)
