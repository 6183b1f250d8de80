"""The compiled kernel and NumPy count the same, for every type, layout and size."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodmeasure.counts.kernel import tally
from tests.counts.reference import KERNEL, PATHS, counting_by, needs_kernel, reference

INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"]
TYPES = [*INTEGERS, "f4", "f8", "U1", "U3", "S1", "S5", "O"]


def crossed(true, pred, weights=None) -> dict:
    """The tally as {(true value, predicted value): count}, whatever its form."""
    result = tally.cross(true, pred, weights)
    rows, columns = (list(map(plain, x.values)) for x in (result.rows, result.columns))
    i, j, counts = tally.all_cells(result)
    cells = {}
    for row, column, count in zip(i.tolist(), j.tolist(), counts.tolist(), strict=True):
        assert (rows[row], columns[column]) not in cells
        cells[rows[row], columns[column]] = count
    return {pair: count for pair, count in cells.items() if count}


def plain(x):
    return x.item() if isinstance(x, np.generic) else x


def counted(true, pred, weights=None) -> dict:
    cells = {}
    for k, pair in enumerate(zip(true.tolist(), pred.tolist(), strict=True)):
        cells[pair] = cells.get(pair, 0) + (1 if weights is None else weights[k])
    return {pair: count for pair, count in cells.items() if count}


def column(data, kind: str, size: int):
    """An array of one type, of few or many different values, near or far apart, in some layout."""
    dtype = np.dtype(kind)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        ends = st.sampled_from([info.min, info.max, 0, max(info.min, -1), min(info.max, 17), min(info.max, 70_000)])
        near = data.draw(ends)
        values = st.integers(max(info.min, near - 9), min(info.max, near + 9)) | ends
    elif dtype.kind == "f":
        values = st.sampled_from([0.0, -0.0, 1.0, -3.0, 16777216.0]) | st.sampled_from([0.5, 1e30, float("inf")])
    elif dtype.kind == "b":
        values = st.booleans()
    elif dtype.kind == "S":
        values = st.sampled_from([b"", b"a", b"ab", b"abcde", b"b\x00c"])
    else:
        values = st.sampled_from(["", "a", "b", "ab", "\u00e9", "\U0001f600x", "abc"])
    pool = data.draw(st.lists(values, min_size=1, max_size=8))
    drawn = np.array(pool, dtype)[data.draw(st.lists(st.integers(0, len(pool) - 1), min_size=size, max_size=size))]
    return laid_out(drawn, data.draw(st.sampled_from(["plain", "strided", "reversed", "read-only", "misaligned"])))


def laid_out(array, layout: str):
    if layout == "strided":
        return np.repeat(array, 3)[::3]
    if layout == "reversed":
        return array[::-1].copy()[::-1]
    if layout == "read-only":
        array = array.copy()
        array.flags.writeable = False
        return array
    if layout == "misaligned" and array.dtype.kind != "O":
        packed = np.zeros(len(array), np.dtype([("pad", "u1"), ("x", array.dtype)]))
        packed["x"] = array
        return packed["x"]
    return array


@pytest.mark.parametrize("path", PATHS)
@given(st.data())
def test_every_type_and_layout_is_counted_like_a_dictionary_counts(path, data):
    """All types against all types, in any layout, also at the ends of a type's range."""
    size = data.draw(st.integers(1, 60))
    true = column(data, data.draw(st.sampled_from(TYPES)), size)
    pred = column(data, data.draw(st.sampled_from(TYPES)), size)
    with counting_by(path):
        assert crossed(true, pred) == counted(true, pred)


@pytest.mark.parametrize("path", PATHS)
@given(st.data())
def test_weights_are_added_up_like_numpy_adds_them(path, data):
    """Weights of many orders of magnitude, some of them 0."""
    size = data.draw(st.integers(1, 60))
    true = column(data, data.draw(st.sampled_from(TYPES)), size)
    pred = column(data, data.draw(st.sampled_from(TYPES)), size)
    weight = st.floats(0, 1e9) | st.sampled_from([0.0, 0.1, 1e-300, 1e16])
    weights = laid_out(np.array(data.draw(st.lists(weight, min_size=size, max_size=size))), "strided")
    with counting_by(path):
        assert crossed(true, pred, weights) == pytest.approx(counted(true, pred, weights.tolist()), rel=1e-12)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("kind", INTEGERS)
def test_long_columns_agree_with_bincount(path, kind):
    """Several blocks, and labels that appear only after the first guess at their range was made."""
    rng = np.random.default_rng(0)
    top = 2 if kind == "?" else 120
    true, pred = (rng.integers(0, 3 if top > 2 else 2, 20_011).astype(kind) for _ in "tp")
    true[15_001], pred[17_003] = top - 1, top - 1
    if kind[0] == "i":
        true[19_001] = -100
    with counting_by(path):
        assert crossed(true, pred) == counted(true, pred)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("m", [2, 15, 17, 33, 200, 300, 3000])
def test_tables_of_every_size_agree(path, m):
    """The table has other cells, copies and widths at each of these sizes."""
    rng = np.random.default_rng(m)
    true, pred = rng.integers(-5, m - 5, (2, 30_000))
    weights = rng.random(30_000)
    with counting_by(path):
        assert crossed(true, pred) == counted(true, pred)
        assert crossed(true, pred, weights) == pytest.approx(counted(true, pred, weights.tolist()), rel=1e-12)


@pytest.mark.parametrize("path", PATHS)
def test_labels_in_rising_and_falling_order_outgrow_every_guess(path):
    """Each block brings labels that the table has no room for yet."""
    rising = np.arange(60_000) // 30
    rising[:100] = 5  # the spread look ahead sees the rest
    with counting_by(path):
        for true in (rising, rising[::-1].copy(), np.where(np.arange(60_000) % 2, rising, -rising)):
            assert crossed(true, true[::-1].copy()) == counted(true, true[::-1])


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("far", [1_000_000_007, 2**62, -(2**63)])
def test_labels_far_apart_are_counted(path, far):
    """Two labels, one of them far away, which a table of distances could not hold."""
    true = np.array([3, far, 3, far] * 3000)
    pred = np.array([3, 3, far, far] * 3000)
    with counting_by(path):
        assert crossed(true, pred) == {(3, 3): 3000, (far, 3): 3000, (3, far): 3000, (far, far): 3000}


@pytest.mark.parametrize("path", PATHS)
def test_a_late_far_label_starts_the_count_again(path):
    """One label far away, at a place that the first guess does not look at."""
    true = np.zeros(50_000, np.int64)
    true[40_003] = 10**12
    with counting_by(path):
        assert crossed(true, true) == {(0, 0): 49_999, (10**12, 10**12): 1}


@pytest.mark.parametrize("path", PATHS)
def test_views_of_other_bytes_as_truth_values_are_true(path):
    """A byte of 2 is true, as everywhere in NumPy."""
    true = np.array([0, 1, 2, 255] * 50, np.uint8).view(bool)
    with counting_by(path):
        assert crossed(true, true) == {(False, False): 50, (True, True): 150}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("size", [1, 7, 8, 9, 2048, 8 * 255 + 3, 70_000])
def test_truth_values_of_any_length_are_counted(path, size):
    """Eight at a time, up to 255 times, and a rest."""
    true, pred = np.random.default_rng(size).random((2, size)) < 0.9
    with counting_by(path):
        assert crossed(true, pred) == counted(true, pred)
        assert crossed(true[::2], pred[::2]) == counted(true[::2], pred[::2])


@needs_kernel
def test_what_rounding_loses_is_kept():
    """Sums of 2e5 weights of 0.1 are exact to the last digits, as rounding is compensated."""
    weights = np.full(200_000, 0.1)
    ones = np.zeros(200_000, np.int64)
    assert crossed(ones, ones, weights)[0, 0] == pytest.approx(20_000, rel=1e-15)


@pytest.mark.parametrize("path", PATHS)
def test_objects_equal_to_each_other_are_one_label(path):
    """Equal strings at different addresses, in lists and in object arrays."""
    true = [str(k % 7) + "x" for k in range(9000)]
    pred = np.array([str(k % 5) + "x" for k in range(9000)], object)
    with counting_by(path):
        assert crossed(true, pred[::-1]) == counted(np.array(true, object), pred[::-1])


@pytest.mark.parametrize("path", PATHS)
def test_an_error_inside_a_label_comes_through(path):
    """A label whose comparison fails, and one that cannot be hashed."""

    class Bad:
        def __hash__(self):
            return 1

        def __eq__(self, other):
            raise RuntimeError("no comparison")

    with counting_by(path), pytest.raises(RuntimeError, match="no comparison"):
        tally.cross([Bad(), Bad()], [1, 2])
    with counting_by(path), pytest.raises(TypeError, match="unhashable"):
        tally.cross([[1], [2]], [1, 2])


@needs_kernel
def test_a_list_that_shrinks_while_it_is_read_is_an_error():
    """Python code runs inside of comparisons, and may do anything."""

    class Shrinking:
        def __hash__(self):
            labels.clear()
            return 1

    labels = ["a", Shrinking(), "b"]
    with pytest.raises(IndexError):
        KERNEL.cross(labels, ["a", "b", "c"], None, np.empty)


@needs_kernel
def test_what_the_kernel_cannot_read_is_an_error():
    """The wrong length, dimension, format or buffer."""
    one = np.zeros(3, np.int64)
    with pytest.raises(ValueError, match="same length"):
        KERNEL.cross(one, one[:2], None, tally._empty)
    with pytest.raises(ValueError, match="one dimension"):
        KERNEL.cross(one[:, None], one, None, tally._empty)
    with pytest.raises(TypeError, match="format"):
        KERNEL.cross(one.astype(complex), one, None, tally._empty)
    with pytest.raises(TypeError, match="format"):
        KERNEL.cross(one.astype(">i8"), one, None, tally._empty)
    with pytest.raises(TypeError, match="float64"):
        KERNEL.cross(one, one, one, tally._empty)
    with pytest.raises(ValueError, match="8 bytes"):
        KERNEL.cross(one, one, None, lambda size, weighted: np.empty(size + 1))
    with pytest.raises(ValueError, match="4 bytes"):
        KERNEL.encode(one, np.empty(2, np.int32))
    with pytest.raises(ValueError, match="power of two"):
        KERNEL.pairs(one, one, 0, 17, tally._empty)


@needs_kernel
@given(st.data())
def test_codes_and_pairs_agree_with_numpy(data):
    """The way of many classes: dictionaries, then sorted pairs."""
    size = data.draw(st.integers(1, 50))
    true = column(data, data.draw(st.sampled_from(TYPES)), size)
    codes = np.empty(size, np.int32)
    found = tally._found(true, KERNEL.encode(true, codes))
    assert [plain(found.values[k]) for k in codes] == true.tolist()
    other = np.array(data.draw(st.lists(st.integers(0, 9), min_size=size, max_size=size)), np.int32)
    side = 64
    diagonal, rows, columns, counts = KERNEL.pairs(codes, other, 0, side, tally._empty)
    table = np.diag(diagonal)
    table[rows, columns] += counts
    assert np.array_equal(table, np.bincount(codes * side + other, minlength=side**2).reshape(side, side))


@needs_kernel
def test_many_different_pairs_are_merged_in_order():
    """More pairs than are sorted at a time."""
    true, pred = np.random.default_rng(0).integers(0, 5000, (2, 3_000_000))
    diagonal, rows, columns, counts = KERNEL.pairs(true, pred, 0, 8192, tally._empty)
    keys, expected = np.unique((true * 8192 + pred)[true != pred], return_counts=True)
    assert np.array_equal(rows * 8192 + columns, keys)
    assert np.array_equal(counts, expected)
    assert np.array_equal(diagonal[:5000], np.bincount(true[true == pred], minlength=5000))


@needs_kernel
def test_other_threads_run_while_the_kernel_counts():
    """The GIL is released: a thread that only counts seconds gets its turns."""
    labels = np.zeros(40_000_000, np.uint8)
    turns = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            turns.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    for _ in range(5):
        tally.cross(labels, labels)
    stop.set()
    thread.join()
    assert len(turns) > 5


@needs_kernel
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to one process there")
@pytest.mark.parametrize("labels", ["np.zeros(60_000_000, np.int32)", "['a', 'b'] * 20_000_000"])
def test_ctrl_c_ends_a_long_count(labels):
    """An interrupt while counting is a KeyboardInterrupt and no crash."""
    script = f"""
        import os, signal, threading, time
        import numpy as np
        from goodmeasure.counts.kernel import tally
        assert tally.kernel is not None
        labels = {labels}
        signal.signal(signal.SIGINT, signal.default_int_handler)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        end = time.monotonic() + 60
        try:
            while time.monotonic() < end:
                tally.kernel.cross(labels, labels, None, tally._empty)
        except KeyboardInterrupt:
            print("stopped")
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=120, check=False
    )
    assert run.stdout.strip() == "stopped", run.stderr
    assert run.returncode in (0, -signal.SIGINT)


def test_the_reference_itself_counts_right():
    """Ten lines, checked by hand: one pair twice, one once."""
    assert reference(["b", "a", "b"], ["a", "a", "a"]) == (("a", "b"), [[1, 0], [2, 0]])


def test_the_environment_switches_the_kernel_off():
    """GOODMEASURE_NO_EXTENSION=1 forces NumPy."""
    script = "from goodmeasure.counts.kernel import tally; print(tally.kernel)"
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={"GOODMEASURE_NO_EXTENSION": "1", "PYTHONPATH": ":".join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "None"


@needs_kernel
@given(data=st.data())
def test_class_sizes_and_cells_put_aside_are_those_of_pairs(data):
    """Sizes and hits in one pass, cells sorted later: the same as sorted at once."""
    n, side = data.draw(st.integers(1, 200)), 16
    seed = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    true, pred = seed.integers(0, side, (2, n))
    sizes, predicted, keys = np.zeros((side, 2), np.int64), np.zeros(side, np.int64), np.empty(n, np.uint64)
    pending = KERNEL.sizes(true, pred, 0, side, sizes, predicted, keys)
    diagonal, *cells = KERNEL.pairs(true, pred, 0, side, tally._empty)
    np.testing.assert_array_equal(sizes[:, 0], np.bincount(true, minlength=side))
    np.testing.assert_array_equal(sizes[:, 1], diagonal)
    np.testing.assert_array_equal(predicted, np.bincount(pred, minlength=side))
    assert pending == (true != pred).sum()
    for mine, theirs in zip(KERNEL.cells(keys[:pending], side, tally._empty), cells, strict=True):
        np.testing.assert_array_equal(mine, theirs)


@needs_kernel
def test_class_sizes_refuse_what_does_not_fit():
    """Labels beyond the window are told, buffers of a wrong size refused."""
    one, sizes, predicted, keys = np.array([20]), np.zeros((16, 2), np.int64), np.zeros(16, np.int64), np.empty(1, "u8")
    assert KERNEL.sizes(one, one, 0, 16, sizes, predicted, keys) is None
    for wrong in ((sizes[:8], predicted, keys), (sizes, predicted[:8], keys), (sizes, predicted, keys[:0])):
        with pytest.raises(ValueError, match="16 and 8 bytes for each class and 8 for each item"):
            KERNEL.sizes(one, one, 0, 16, *wrong)
    for size in (0, 17, 2**32):
        with pytest.raises(ValueError, match="expected a power of two"):
            KERNEL.sizes(one, one, 0, size, sizes, predicted, keys)
        with pytest.raises(ValueError, match="expected a power of two"):
            KERNEL.cells(keys, size, tally._empty)


@pytest.mark.parametrize("name", ["_kernel.c", "_scanner.c"])
def test_what_one_python_builds_works_in_every_other(name):
    """A format with a length, such as y#, that is built with Python 3.13 raises SystemError in Python 3.11 and 3.12."""
    source = (Path(tally.__file__).parent / name).read_text(encoding="utf-8")
    formats = re.findall(r'(?:Py_BuildValue|PyArg_Parse\w*)\([^;"]*"([^"]*)"', source)
    assert formats
    assert not [x for x in formats if "#" in x]


sorts = pytest.mark.skipif(
    not hasattr(KERNEL, "sort"), reason="there is no kernel, or it was compiled before it could sort"
)


@sorts
@pytest.mark.parametrize("kind", [np.int32, np.int64])
@given(data=st.data())
def test_integers_are_sorted_as_numpy_sorts_them(kind, data):
    ends = np.iinfo(kind)
    some = st.sampled_from([ends.min, ends.max, -1, 0, 1, 2047, 2048]) | st.integers(ends.min, ends.max)
    keys = np.array(data.draw(st.lists(some, max_size=60)), dtype=kind)
    expected, spare = np.sort(keys), np.empty_like(keys)
    found = spare if KERNEL.sort(keys, spare, keys.itemsize) else keys
    assert found.tolist() == expected.tolist()


@sorts
def test_buffers_that_cannot_be_sorted_are_refused():
    keys = np.arange(4)
    for spare, width in ((np.arange(3), 8), (np.arange(4), 2), (np.arange(4), 0)):
        with pytest.raises(ValueError, match="expected two buffers of equally many integers"):
            KERNEL.sort(keys, spare, width)
    with pytest.raises((TypeError, BufferError)):
        KERNEL.sort(b"12345678", np.arange(1), 8)


@sorts
def test_scores_are_sorted_the_same_without_the_kernel(monkeypatch):
    from goodmeasure.counts.scores import by_threshold

    rng = np.random.default_rng(0)
    for kind in (np.float64, np.float32):
        scores = np.round(rng.normal(size=by_threshold._FEW), 2).astype(kind)
        hit = rng.random(len(scores)) < 0.3
        found = by_threshold.in_order(scores, hit)
        monkeypatch.setattr(tally, "kernel", None)
        plain_sort = by_threshold.in_order(scores, hit)
        monkeypatch.undo()
        assert all((x == y).all() for x, y in zip(found, plain_sort, strict=True))
