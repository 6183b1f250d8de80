"""Sparse counts give the values of dense ones, for every measure that needs no more than they hold."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.language.compile.sparse import ListedCells, NeedsEveryCell, value_on_listed
from goodmeasure.language.policy import policy_of
from tests.strategies import COUNTS, MEASURES, matrices, real

WITH_TABLE = {"k_ordinal", "weighted_kappa", "k_cost", "average_cost", "macro_absolute_error"}
ALL_CELLS = {"lambda_true", "lambda_predicted"}
FIT = [x for x in MEASURES if x.classes is None and x.name.split("(")[0] not in WITH_TABLE and x.name not in ALL_CELLS]


def value_of(measure, counts: np.ndarray, undefined: object = "resolve") -> float:
    """The value from the class sizes, the diagonal and the listed cells."""
    rows, columns = np.nonzero(counts * (1 - np.eye(len(counts))))
    others = lambda: (rows, columns, counts[rows, columns])  # noqa: E731
    whole = bool((counts == np.rint(counts)).all())
    cells = ListedCells(counts.sum(1), counts.sum(0), np.diag(counts).copy(), others, exact=whole)
    with np.errstate(all="ignore"):
        value = value_on_listed(measure.recorded.tree(len(counts)), cells, policy_of(undefined))
    return float(np.ravel(value)[0])


ROOTS = {"cramers_v", "tschuprows_t", "pearson_contingency"}
"""The root of a sum that may cancel to 0: a rounding error of 1e-17 becomes 3e-9."""


@pytest.mark.parametrize("cell", [COUNTS, (0.0, 0.0, 0.1, 0.5, 1.7)], ids=["whole", "real"])
@given(data=st.data())
def test_sparse_counts_have_the_values_of_dense_ones(cell, data):
    counts = np.array(data.draw(matrices(st.integers(3, 6), cell)), dtype=float)
    for measure, undefined in product(FIT, ("resolve", "nan", 0.5)):
        expected = measure(counts, undefined=undefined)
        near = 2e-8 if measure.name in ROOTS else 1e-9
        found = value_of(measure, counts, undefined)
        assert found == pytest.approx(expected, nan_ok=True, abs=near), (measure, undefined)


@given(rows=matrices(st.integers(3, 6), real()))
def test_zero_tests_are_exact_on_sparse_real_counts(rows):
    counts = np.array(rows)
    for i in range(len(rows)):
        corner = np.delete(np.delete(counts, i, 0), i, 1)
        tn = gm.measure(lambda c, i=i: c.vs_rest(i).tn)
        assert (value_of(tn, counts) == 0) == (not corner.any())


@pytest.mark.parametrize("name", ["weighted_kappa('linear')", "k_ordinal('absolute')", *sorted(ALL_CELLS)])
def test_what_needs_every_cell_says_so(name):
    with pytest.raises(NeedsEveryCell, match="needs every cell of the matrix"):
        value_of(gm.measure(name), np.eye(5))


def test_a_table_of_constants_for_every_pair_of_classes_is_refused():
    with pytest.raises(NeedsEveryCell, match="too large: count fewer classes"):
        value_of(gm.k_cost(1 - np.eye(5)), np.eye(5))


def test_a_sum_over_pairs_that_empty_cells_add_to_is_refused():
    """Summed over the listed cells alone it would be wrong."""
    with pytest.raises(NeedsEveryCell, match="needs every cell of the matrix"):
        value_of(gm.measure(lambda c: c.sum_off(lambda i, j: c.a[i] * c.b[j])), np.eye(5))


def test_sums_over_cells_of_the_transposed_matrix_are_sums_over_listed_cells():
    measure = gm.measure(lambda c: c.T.sum_off(lambda i, j: c.T[i, j] * c.T.a[i] + c.T[i, j] / c.n))
    counts = np.array([[5.0, 1, 0], [2, 3, 0], [0, 7, 2]])
    assert value_of(measure, counts) == pytest.approx(measure(counts))


@pytest.mark.parametrize("undefined", ["resolve", "nan", 0.25])
def test_a_mapped_sparse_matrix_is_undefined_where_a_class_is_empty(undefined):
    counts = np.array([[5.0, 1, 0], [0, 0, 0], [0, 7, 2]])
    calibrated = gm.calibrated(gm.mcc)
    assert value_of(calibrated, counts, undefined) == pytest.approx(
        calibrated(counts, undefined=undefined), nan_ok=True
    )


def test_a_map_that_fills_empty_cells_is_refused():
    smoothed = gm.measure(lambda c: gm.mcc(c.map(lambda i, j: c[i, j] + 1)))
    with pytest.raises(TypeError, match="no empty cells"):
        value_of(smoothed, np.eye(5))
    with pytest.raises(TypeError, match="needs every cell"):
        value_of(gm.measure(lambda c: c.sum(lambda i: c.sum(lambda j: c[i, j] + 1))), np.eye(5))


def test_a_sum_in_a_sum_is_one_over_the_listed_cells_and_the_diagonal():
    measure = gm.measure(lambda c: c.sum(lambda i: c.ratio(c.sum(lambda j: c[i, j] * c.b[j]), c.a[i])))
    counts = np.array([[5.0, 1, 0], [2, 3, 0], [0, 7, 2]])
    assert value_of(measure, counts) == pytest.approx(measure(counts))
