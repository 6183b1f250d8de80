"""Ratios to chance, such as likelihood ratios, odds ratios and lift: their intervals are on the scale of logarithms.

Such a measure lies between 0 and infinity and is 1 where predictions have nothing to do with the truth. Its sampling
distribution is skewed, and that of its logarithm nearly normal (Woolf 1955; Katz and others 1978). Imagined items keep
the logarithm finite where a cell is 0 (Haldane 1956 and Gart 1966 add half an item to each cell), but draw large and
small ratios towards 1. So the interval reaches as far from the smoothed ratio to the one side as it does from the
observed ratio to the other. Where the ratio itself is infinite, so is the upper end of its interval, and the lower end
says how large it is at least.
"""

from __future__ import annotations

import math

import numpy as np

from goodmeasure.catalogue import running
from goodmeasure.catalogue.measure import Measure
from goodmeasure.language.policy import NAN
from goodmeasure.typing import Array

_TRIED = 4
_NEAR = 1e-9  # of an item in each cell: what a ratio with a zero denominator tends to
_LARGE = 1e3
_KNOWN: dict[tuple[Measure, int], bool] = {}


def is_ratio(f: Measure, m: int) -> bool:
    """Return whether a measure is a ratio to chance: from 0 to infinity, and 1 where predictions are independent.

    The latter is tried on random tables with independent rows and columns.
    """
    if f.range is None or tuple(f.range) != (0, math.inf) or f.recorded.is_opaque(m) or f.classes not in (None, m):
        return False
    key = (f, m)
    if key not in _KNOWN:
        drawing = np.random.default_rng(m)
        rows, cols = (drawing.integers(1, 100, (m, _TRIED)).astype(np.float64) for _ in range(2))
        batch = running.MatrixBatch.laid_out(rows[:, None] * cols[None], whole=True)
        _KNOWN[key] = bool(np.allclose(running.on_batch(f.recorded, batch, NAN), 1.0, rtol=1e-9, atol=0))
    return _KNOWN[key]


def are_infinite(f: Measure, counts: Array) -> Array:
    """Return which of the matrices (m, m, b) have items of every class and a ratio with a zero denominator."""
    near, nearer = (
        running.on_batch(f.recorded, running.MatrixBatch.laid_out(counts + x, whole=False), NAN)
        for x in (_NEAR, _NEAR / 100)
    )
    found: Array = (nearer > _LARGE) & (nearer > 10 * near) & (counts.sum(axis=1) > 0).all(axis=0)
    return found
