"""Counts of very different sizes: the whole catalogue in floats, one matrix or a batch, is near the exact value."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import goodmeasure as gm

counts = st.sampled_from([0, 0, 0, 1, 2, 5, 1e-8, 1.75e-7, 1.05e-5, 0.000149, 0.168, 0.231, 1.5, 1e3, 7.9e9, 1e12,
                          2**53, 2**63 - 1])  # fmt: skip
matrices = st.tuples(counts, counts, counts, counts).filter(any).map(lambda x: [list(x[:2]), list(x[2:])])
CATALOGUE = [f for f in gm.measures() if "costs" not in f.parameters]  # their usual costs are those of three classes

# Near 1, mcc is a float; the angle that it is the cosine of, and the chord, have half of its digits there.
HALF_THE_DIGITS = {"correlation_distance", "correlation_chord"}


def allowed(name: str, matrix: list[list[float]]) -> float:
    """How far a value may be off where its relative error is large: rounding of terms that cancel."""
    if name in HALF_THE_DIGITS:
        return 2e-7
    return 1e-14 * sum(map(sum, matrix)) + 1e-13 if name == "bookmaker_win" else 1e-13


@settings(max_examples=50, deadline=None)
@given(matrix=matrices, policy=st.sampled_from(["resolve", "nan"]))
@example(matrix=[[2**63 - 1, 1], [0.000149, 0.168]], policy="resolve")
@example(matrix=[[0, 0.231], [1.05e-5, 7.9e9]], policy="resolve")
@example(matrix=[[0, 0], [1.75e-7, 4.8e-5]], policy="nan")
def test_one_matrix_and_a_batch_have_the_exact_value(matrix, policy):
    for f in CATALOGUE:
        exact = float(f.exact(matrix, undefined=policy))
        alone = f(matrix, undefined=policy)
        batch = f(np.array([matrix, [[3, 1], [1, 2]]], float), undefined=policy)[0]
        for value in (alone, batch):
            if math.isnan(exact):
                assert math.isnan(value), f
            else:
                assert value == pytest.approx(exact, rel=1e-9, abs=allowed(f.name, matrix)), f


INFORMATION = ["mutual_information", "nmi('arithmetic')", "nmi('joint')", "variation_of_information"]


@pytest.mark.parametrize("n", [10**6, 10**12, 10**15, 2**64])
@pytest.mark.parametrize("name", INFORMATION)
def test_information_of_a_matrix_with_nearly_all_items_in_one_cell_keeps_its_digits(name, n):
    """Logarithms of shares that are nearly 1 lost 1e-7 of the value at 1e12 items, and all of it at 2^64."""
    f = gm.measure(name)
    for matrix in ([[n, 1], [1, 1]], [[1, n], [2, 5]], [[n, 3], [2, n]]):
        exact = float(f.exact(matrix))
        assert f(matrix) == pytest.approx(exact, rel=1e-12)
        assert f(np.array([matrix], float))[0] == pytest.approx(exact, rel=1e-12 if n < 2**53 else 1e-3)
