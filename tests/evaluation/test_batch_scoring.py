"""Slices measured together have the rows that each would have alone, in much less time."""

from __future__ import annotations

import time

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.evaluation.scoring import score


def labels(m: int, n: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.random.Generator]:
    """True and predicted labels of m classes that agree four times out of five."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, m, n)
    return y, np.where(rng.random(n) < 0.8, y, rng.integers(0, m, n)), rng


@pytest.mark.parametrize(
    ("m", "weighted", "options"),
    [(2, False, {}), (2, True, {}), (3, False, {}), (4, True, {"confidence": 0.8}), (2, False, {"undefined": 0.5}),
     (3, False, {"undefined": "nan"}), (2, False, {"measures": "all"}), (3, False, {"confidence": None})],
)  # fmt: skip
def test_a_slice_among_many_has_the_rows_that_it_has_alone(m, weighted, options):
    y, predicted, rng = labels(m, 300, seed=m)
    weight = rng.random(300) if weighted else None
    result = gm.evaluate(y, predicted, by={"site": rng.integers(0, 25, 300)}, sample_weight=weight, **options)
    for part in result.parts:
        alone = score(part.system, part.slice, part.sample, result.settings)
        assert part.methods == alone.methods
        assert part.constant == alone.constant
        assert part.constant_values == pytest.approx(alone.constant_values, rel=1e-12, abs=1e-14, nan_ok=True)
        for mine, other in zip(part.rows, alone.rows, strict=True):
            assert mine[:4] == other[:4]
            assert mine.reason == other.reason
            assert mine[4:8] == pytest.approx(other[4:8], rel=1e-10, abs=1e-12, nan_ok=True)


def test_a_thousand_slices_take_about_a_second():
    """They took 18 s, each slice on its own."""
    y, predicted, rng = labels(2, 200_000, seed=0)
    site = rng.integers(0, 1000, len(y))
    start = time.process_time()
    result = gm.evaluate(y, predicted, by={"site": site})
    assert time.process_time() - start < 4
    assert len(result.parts) == 1001
