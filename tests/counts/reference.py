"""Counting as plainly as possible, and ways to run the same test by the kernel and by NumPy."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager

import numpy as np
import pytest

from goodmeasure.counts.kernel import tally

KERNEL = tally.kernel
needs_kernel = pytest.mark.skipif(KERNEL is None, reason="the compiled kernel is not built here")
PATHS = [pytest.param("kernel", marks=needs_kernel), "numpy"]


@contextmanager
def counting_by(path: str):
    """Count by the kernel or by NumPy."""
    tally.kernel = KERNEL if path == "kernel" else None
    try:
        yield
    finally:
        tally.kernel = KERNEL


def reference(y_true, y_pred, labels=None, weights=None):
    """Labels and rows of counts, in ten lines of Python."""
    pairs = Counter()
    for true, pred, weight in zip(y_true, y_pred, weights if weights is not None else [1] * len(y_true), strict=True):
        pairs[true, pred] += weight
    labels = sorted({x for pair in pairs for x in pair}) if labels is None else labels
    return tuple(labels), [[pairs[i, j] for j in labels] for i in labels]


def assert_counts(matrix, labels, rows) -> None:
    """A matrix has these labels and these counts (soft ones up to rounding)."""
    assert matrix.labels == tuple(labels)
    np.testing.assert_allclose(matrix.counts, np.array(rows).reshape(len(labels), len(labels)), rtol=1e-12, atol=0)
