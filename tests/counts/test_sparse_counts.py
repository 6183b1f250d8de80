"""Counts of very many classes are kept without their empty cells, and say so."""

from __future__ import annotations

import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.counts.kernel import tally
from goodmeasure.counts.sparse_counts import SparseCounts
from tests.counts.reference import PATHS, counting_by, needs_kernel

M = 4000  # more classes than a dense matrix is made for


def many(kind="integers", weights=False, seed=0):
    """Columns with many classes, half of the items right."""
    rng = np.random.default_rng(seed)
    true = np.concatenate([np.arange(M), rng.integers(0, M, 20_000)])
    pred = np.where(rng.random(len(true)) < 0.5, true, rng.integers(0, M, len(true)))
    weight = rng.random(len(true)) if weights else None
    if kind == "far":
        return true * 10**9, pred * 10**9, weight
    if kind == "gaps":
        return true * 3 - 500, pred * 3 - 500, weight
    if kind == "text":
        return true.astype("U6"), pred.astype("U6"), weight
    if kind == "objects":
        return [f"c{x}" for x in true], [f"c{x}" for x in pred], weight
    if kind == "mixed":
        return true, pred.astype(float), weight
    return true, pred, weight


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", ["integers", "far", "gaps", "text", "objects", "mixed"])
def test_many_classes_are_counted_cell_by_cell(path, kind, weighted):
    """All cells, sizes and the diagonal are what a dense matrix would have."""
    true, pred, weight = many(kind, weighted)
    with counting_by(path):
        matrix = gm.confusion(true, pred, sample_weight=weight)
    codes = {label: k for k, label in enumerate(matrix.labels)}
    plain = [x.tolist() if isinstance(x, np.ndarray) else x for x in (true, pred)]
    i, j = (np.array([codes[x] for x in values]) for values in plain)
    dense = np.bincount(i * M + j, weights=weight, minlength=M * M).reshape(M, M)
    sparse = matrix.sparse
    assert matrix.is_sparse
    assert (matrix.m, sparse.m) == (M, M)
    assert matrix.labels == tuple(sorted(matrix.labels))
    assert sparse.values.dtype == (np.float64 if weighted else np.int64)
    for mine, expected in ((sparse.diagonal, np.diag(dense)), (sparse.a, dense.sum(1)), (sparse.b, dense.sum(0))):
        np.testing.assert_allclose(mine, expected, rtol=1e-12)
    counts, held = matrix.counts, dense != 0  # nearly all of sixteen million cells are empty
    assert np.array_equal(counts != 0, held)
    np.testing.assert_allclose(counts[held], dense[held], rtol=1e-12)
    assert matrix.n == pytest.approx(dense.sum(), rel=1e-12)
    assert np.all(np.diff(sparse.rows * M + sparse.cols) > 0)
    assert np.all(sparse.rows != sparse.cols)
    assert np.all(sparse.values > 0)


@pytest.mark.parametrize("path", PATHS)
def test_few_classes_are_dense(path):
    """The choice is by the size of the matrix, also if labels are far apart."""
    with counting_by(path):
        assert not gm.confusion(np.arange(2000), np.arange(2000)).is_sparse
        assert not gm.confusion(np.arange(2000) * 10**9, np.arange(2000)[::-1] * 10**9).is_sparse
        assert gm.confusion([0], [1], labels=range(3000)).is_sparse


@pytest.mark.parametrize("path", PATHS)
def test_missing_labels_of_many_classes(path):
    """Dropped, or the last class."""
    true, pred, _ = many("objects")
    with counting_by(path):
        own = gm.confusion([*true, None, float("nan")], [*pred, "c1", None], missing="class")
        rest = gm.confusion([*true, None], [*pred, "c1"], missing="drop")
    assert own.labels[-1] is None
    assert own.sparse.a[-1] == 2
    assert own.sparse.diagonal[-1] == 1
    assert rest.dropped == 1
    assert rest == gm.confusion(true, pred)


@pytest.mark.parametrize("path", PATHS)
def test_a_rare_label_outside_of_the_first_guess_is_counted(path):
    """One item far from all others, where the first guess does not look."""
    true, pred, _ = many()
    true[20_001] = 10**12
    with counting_by(path):
        matrix = gm.confusion(true, pred)
    assert matrix.labels[-1] == 10**12
    assert matrix.sparse.a[-1] == 1


def test_operations_on_sparse_counts_are_those_on_dense_ones():
    """Transposed, added, aligned, against the rest, calibrated, pickled, compared."""
    true, pred, _ = many()
    matrix = gm.confusion(true, pred)
    dense = matrix.counts
    assert np.array_equal(matrix.T.counts, dense.T)
    assert np.array_equal((matrix + matrix).counts, 2 * dense)
    assert matrix == matrix.T.T
    assert matrix != matrix.T
    hit, size, predicted = dense[7, 7], dense[7].sum(), dense[:, 7].sum()
    rest = dense.sum() - size - predicted + hit
    assert matrix.vs_rest(7).counts.tolist() == [[rest, predicted - hit], [size - hit, hit]]
    np.testing.assert_allclose(matrix.calibrated().sparse.a, matrix.n / M)
    turned = matrix.aligned([*matrix.labels[::-1], "more"])
    assert turned.m == M + 1
    assert turned.sparse.diagonal[:M][::-1].tolist() == matrix.sparse.diagonal.tolist()
    assert pickle.loads(pickle.dumps(matrix)) == matrix
    assert repr(matrix).endswith("24000 items, sparse")


def test_a_matrix_too_large_to_write_out_says_so():
    """And where its numbers are."""
    matrix = gm.confusion(np.arange(50_000), np.arange(50_000)[::-1])
    with pytest.raises(ValueError, match=r"the matrix of 50000 classes would take 20 GB: use cm\.sparse"):
        _ = matrix.counts
    assert matrix.sparse.n == 50_000


@pytest.mark.parametrize("path", PATHS)
def test_no_memory_for_all_pairs_of_classes_is_taken(path):
    """100,000 classes: the matrix would have 80 GB."""
    rng = np.random.default_rng(0)
    true, pred = rng.integers(0, 100_000, (2, 300_000))
    tracemalloc.start()
    with counting_by(path):
        gm.confusion(true, pred)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200e6


def test_a_dense_matrix_has_a_sparse_form_too():
    """By hand: 5 and 7 on the diagonal, 2 beside it."""
    sparse = gm.ConfusionMatrix([[5, 0], [2, 7]], labels=["x", "y"]).sparse
    assert sparse.diagonal.tolist() == [5, 7]
    assert (sparse.rows.tolist(), sparse.cols.tolist(), sparse.values.tolist()) == ([1], [0], [2])
    assert (sparse.a.tolist(), sparse.b.tolist(), sparse.n, sparse.m) == ([5, 9], [7, 7], 14, 2)
    with pytest.raises(ValueError, match="only one matrix has a sparse form"):
        _ = gm.ConfusionMatrix(np.ones((3, 2, 2))).sparse


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 2**40)), max_size=40))
def test_cells_in_any_order_are_added_up(cells):
    """Cells may come several times, and may be 0."""
    dense = np.zeros((6, 6), np.int64)
    for i, j, value in cells:
        dense[i, j] += value
    i, j, values = (np.array([cell[k] for cell in cells], np.int64) for k in range(3))
    sparse = SparseCounts.from_cells(tuple("abcdef"), i, j, values)
    assert np.array_equal(sparse.dense(), dense)
    assert np.array_equal(sparse.a, dense.sum(1))
    assert np.array_equal(sparse.b, dense.sum(0))


@needs_kernel
@pytest.mark.parametrize("kind", ["integers", "gaps"])
def test_cells_that_are_put_aside_are_those_that_are_sorted_at_once(monkeypatch, kind):
    """So many items that they would not be kept take the other way, with the same result."""
    true, pred, _ = many(kind)
    later = gm.confusion(true, pred)
    monkeypatch.setattr(tally, "_KEPT", 0)
    at_once = gm.confusion(true, pred)
    assert [gm.mcc(later), gm.macro(gm.f1)(later)] == [gm.mcc(at_once), gm.macro(gm.f1)(at_once)]
    assert later == at_once
    assert pickle.loads(pickle.dumps(gm.confusion(true, pred))) == later


@needs_kernel
def test_a_change_of_the_labels_after_counting_changes_nothing():
    """Cells that are found later are those of the time of counting."""
    true, pred, _ = many()
    kept = gm.confusion(true.copy(), pred.copy())
    cm = gm.confusion(true, pred)
    true[:] = 0
    assert cm == kept


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.float64])
def test_a_matrix_that_is_written_out_has_the_same_sparse_form(dtype):
    counts = np.array([[6, 0, 1], [0, 0, 0], [2, 100, 5]], dtype)
    sparse = gm.ConfusionMatrix(counts).sparse
    listed = SparseCounts.from_cells((0, 1, 2), *np.nonzero(counts), counts[counts > 0])
    for mine, expected in ((sparse, listed), (pickle.loads(pickle.dumps(sparse)), listed)):
        assert [x.tolist() for x in mine.cells()] == [x.tolist() for x in expected.cells()]
        assert [mine.a.tolist(), mine.b.tolist(), mine.n] == [expected.a.tolist(), expected.b.tolist(), expected.n]
    assert (sparse.dense() == counts).all()
