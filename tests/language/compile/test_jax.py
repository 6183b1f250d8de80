"""Measures inside JAX: compiled, differentiated and mapped over batches, without a line of their own for it."""

from __future__ import annotations

import numpy as np
import pytest

import goodmeasure as gm

COUNTS = np.array([[50.0, 3, 2], [4, 20, 7], [1, 2, 9]])  # no class is predicted as often as it occurs
NAMES = ["mcc", "kappa", "macro(f1)", "sba", "k", "confusion_entropy", "correlation_distance", "calibrated(mcc)"]


@pytest.fixture
def jax():
    """JAX in double precision, imported where it is tested, as each process that collects tests would wait for it."""
    found = pytest.importorskip("jax", reason="JAX is not installed: pip install jax")
    before = found.config.jax_enable_x64
    found.config.update("jax_enable_x64", True)
    yield found
    found.config.update("jax_enable_x64", before)


@pytest.mark.parametrize("name", NAMES)
def test_compiled_differentiated_and_mapped(name, jax):
    f = gm.measure(name)
    counts = jax.numpy.asarray(COUNTS)
    np.testing.assert_allclose(jax.jit(f)(counts), f(COUNTS), rtol=1e-12)
    np.testing.assert_allclose(jax.jit(jax.grad(f))(counts), np.array(f.gradient(COUNTS), float), rtol=1e-8, atol=1e-12)
    batch = np.stack([COUNTS, 2 * COUNTS + 1, COUNTS.T])
    np.testing.assert_allclose(jax.jit(jax.vmap(f))(jax.numpy.asarray(batch)), f(batch), rtol=1e-12)


@pytest.mark.parametrize("m", [2, pytest.param(3, marks=pytest.mark.deep)])
def test_every_measure_can_be_traced_for_jit_grad_and_vmap(m, jax):
    """Tracing is where a definition could fail; what it compiles to is tried with a few of them above."""
    one, batch = (jax.ShapeDtypeStruct(shape, jax.numpy.float64) for shape in ((m, m), (5, m, m)))
    for f in gm.measures(classes=m):
        if m == 2 and f.classes is None:  # tried with three classes
            continue
        assert jax.eval_shape(jax.jit(f), one).shape == (), f.name
        assert jax.eval_shape(jax.grad(f), one).shape == (m, m), f.name
        assert jax.eval_shape(jax.vmap(f), batch).shape == (5,), f.name


def test_the_gradient_is_finite_where_a_rule_decides(jax):
    counts = jax.numpy.asarray([[3.0, 0, 0], [2, 0, 0], [0, 0, 0]])
    for name in ("mcc", "macro(f1)", "kappa"):
        assert np.isfinite(jax.jit(jax.grad(gm.measure(name)))(counts)).all()
