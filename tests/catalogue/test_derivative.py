"""The derivative that a definition gives of itself, against small steps and against PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.catalogue import derivative
from goodmeasure.language.policy import RESOLVE
from goodmeasure.language.recorded import Recorded
from tests.strategies import MEASURES

RNG = np.random.default_rng(11)
CASES = [
    pytest.param(measure, m, id=f"{measure.name}-{m}")
    for measure in MEASURES
    for m in (2, 3, 5)
    if (measure.classes is None or m == 2) and ("costs" not in measure.parameters or m == 3)
]
WITH_TABLE = {"k_ordinal", "weighted_kappa", "k_cost", "average_cost"}
ALL_CELLS = {"lambda_true", "lambda_predicted"}


def by_steps(measure, cells: np.ndarray, step: float = 1e-4) -> np.ndarray:
    found = np.empty_like(cells)
    for i, j in np.ndindex(cells.shape[:2]):
        ends = []
        for sign in (1, -1):
            moved = cells.copy()
            moved[i, j] += sign * step
            ends.append(measure(np.moveaxis(moved, -1, 0)))
        found[i, j] = (ends[0] - ends[1]) / (2 * step)
    return found


@pytest.mark.parametrize(("measure", "m"), CASES)
def test_every_measure_gives_its_own_derivative(measure, m):
    cells = RNG.uniform(1, 20, (m, m, 4))  # no two sums alike, so no kinks
    expected = by_steps(measure, cells)
    for whole in (True, False):
        found = derivative.on_batch(measure.recorded, cells, RESOLVE, whole=whole)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("measure", [x for x in MEASURES if x.classes is None], ids=lambda x: x.name)
def test_sparse_counts_have_the_derivative_of_dense_ones(measure):
    if measure.name.split("(")[0] in WITH_TABLE:
        pytest.skip("needs a table of all pairs of classes")
    if measure.name in ALL_CELLS:
        pytest.skip("needs all cells, also empty ones")
    counts = RNG.integers(0, 9, (6, 6)) + np.eye(6, dtype=int)
    sparse = gm.ConfusionMatrix(counts).sparse
    dense = derivative.on_batch(measure.recorded, counts[:, :, None].astype(float), RESOLVE, whole=True)[:, :, 0]
    on, off = derivative.on_sparse(measure.recorded, sparse, RESOLVE)
    np.testing.assert_allclose(on, np.diag(dense), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(off, dense[sparse.rows, sparse.cols], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["mcc", "macro(f1)", "kappa", "sba", "calibrated(kappa)", "macro(recall, p=0)"])
def test_the_derivative_is_that_of_another_library(name):
    torch = pytest.importorskip("torch")
    counts = np.array([[5.0, 1, 0], [0, 4, 2], [1, 0, 3]])
    tensor = torch.tensor(counts, requires_grad=True)
    gm.measure(name)(tensor).backward()
    found = derivative.on_batch(gm.measure(name).recorded, counts[:, :, None], RESOLVE, whole=True)[:, :, 0]
    np.testing.assert_allclose(found, tensor.grad.numpy(), rtol=1e-9, atol=1e-12)


def test_a_constant_has_no_slope():
    assert not derivative.on_batch(Recorded(lambda c: c.constant(1)), np.ones((3, 3, 2)), RESOLVE, whole=True).any()


def test_powers_products_and_ends_have_slopes():
    """What no measure of the catalogue happens to need, a user's may."""
    cells = RNG.uniform(1, 9, (3, 3, 2))  # no two alike, so no kinks
    for definition in (
        lambda c: c.product(lambda i: c.ratio(c[i, i], c.a[i])),
        lambda c: 1 / (1 + c.power(c.ratio(c[0, 0], c.n), 1.5)),
        lambda c: abs(c[0, 1] - c[1, 0]) / c.n,
        lambda c: c.max(c.ratio(c[0, 0], c.n), c.ratio(c[1, 1], 2 * c.n)) - c.min(c.ratio(c[0, 1], c.n), 2),
        lambda c: c.greatest(lambda i: c.ratio(c[i, i], c.a[i])),
    ):
        found = derivative.on_batch(Recorded(definition), cells, RESOLVE, whole=False)
        np.testing.assert_allclose(
            found, by_steps(gm.Measure(definition, "own", key=definition), cells), rtol=1e-4, atol=1e-7
        )
