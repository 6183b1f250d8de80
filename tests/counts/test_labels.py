"""Labels from every holder, missing ones decided, kinds never mixed."""

from __future__ import annotations

import datetime
import enum
import math

import numpy as np
import pytest

import goodmeasure as gm
from tests.counts.reference import PATHS, counting_by

TRUE, PRED = ["b", "a", "c", "b", "a"], ["a", "a", "c", "b", "b"]
COUNTS = [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
WHY = "is one of the test dependencies; without it its columns are not tested"


def both(path, true, pred, **options):
    with counting_by(path):
        return gm.confusion(true, pred, **options)


def holders():
    """How each library holds text: name and a function from a list."""
    yield "numpy-unicode", lambda values: np.array(values)
    yield "numpy-swapped", lambda values: np.array(values).astype(">U1")
    yield "numpy-object", lambda values: np.array(values, object)
    yield "pandas-series", lambda values: pytest.importorskip("pandas", reason=f"pandas {WHY}").Series(values)
    yield "pandas-index", lambda values: pytest.importorskip("pandas", reason=f"pandas {WHY}").Index(values)
    yield "pandas-string", lambda values: pytest.importorskip("pandas", reason=f"pandas {WHY}").array(values, "string")
    yield "pandas-frame", lambda values: pytest.importorskip("pandas", reason=f"pandas {WHY}").DataFrame({"x": values})
    yield "polars-string", lambda values: pytest.importorskip("polars", reason=f"polars {WHY}").Series(values)
    yield "polars-frame", lambda values: pytest.importorskip("polars", reason=f"polars {WHY}").DataFrame({"x": values})
    yield "polars-categorical", lambda values: _polars("Categorical", values)
    yield "arrow-string", lambda values: pytest.importorskip("pyarrow", reason=f"pyarrow {WHY}").array(values)
    yield "arrow-dictionary", lambda values: _arrow(values).dictionary_encode()
    yield "arrow-chunks", lambda values: _chunks(_arrow(values[:2]), _arrow(values[2:]))
    yield (
        "arrow-dictionary-chunks",
        lambda values: _chunks(_arrow(values[:2]).dictionary_encode(), _arrow(values[2:]).dictionary_encode()),
    )
    yield "arrow-large", lambda values: _arrow(values).cast("large_string")


def _arrow(values):
    return pytest.importorskip("pyarrow", reason=f"pyarrow {WHY}").array(values)


def _chunks(*arrays):
    return pytest.importorskip("pyarrow", reason=f"pyarrow {WHY}").chunked_array(arrays)


def _polars(kind, values):
    polars = pytest.importorskip("polars", reason=f"polars {WHY}")
    return polars.Series(values, dtype=getattr(polars, kind))


HOLDERS = [pytest.param(make, id=name) for name, make in holders()]
NULLABLE = [
    pytest.param(make, id=name) for name, make in holders() if not name.startswith(("numpy-unicode", "numpy-swapped"))
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("holder", HOLDERS)
def test_text_in_any_holder_is_counted(path, holder):
    """Against the same holder, and against a plain list."""
    for true, pred in ((holder(TRUE), holder(PRED)), (holder(TRUE), PRED), (TRUE, holder(PRED))):
        matrix = both(path, true, pred)
        assert matrix.labels == ("a", "b", "c")
        assert matrix.counts.tolist() == COUNTS


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("holder", NULLABLE)
def test_missing_text_is_an_error_a_class_or_dropped(path, holder):
    """None in any holder: the error says where."""
    true, pred = holder([*TRUE, "c", None]), holder([*PRED, None, "z"])
    with pytest.raises(ValueError, match=r"y_true\[6\] is (None|nan|<NA>): leave out .* missing='drop', or give"):
        both(path, true, pred)
    with pytest.raises(ValueError, match=r"y_pred\[5\] is (None|nan|<NA>)"):
        both(path, holder([*TRUE, "c", "c"]), pred)
    own = both(path, true, pred, missing="class")
    assert own.labels == ("a", "b", "c", "z", None)
    assert own.n == 7
    assert own.dropped == 0
    assert own.counts[2].tolist() == [0, 0, 1, 0, 1]
    rest = both(path, true, pred, missing="drop")
    assert rest.labels == ("a", "b", "c")  # z occurs in a dropped item only
    assert rest.counts.tolist() == COUNTS
    assert rest.dropped == 2


@pytest.mark.parametrize("path", PATHS)
def test_missing_numbers_and_dates_are_found(path):
    """NaN in floats, NaT in dates, None in lists, hidden items of masked arrays."""
    nan = np.array([0, 1, math.nan])
    nat = np.array(["2024-01-01", "2024-01-02", "NaT"], "M8[D]")
    hidden = np.ma.array([0, 1, 5], mask=[False, False, True])
    for column in (nan, nan.astype("f4"), nan.tolist(), [0, 1, None], [0.0, 1.0, np.float64("nan")], nat, hidden):
        other = column[:2].tolist() * 2 if column is hidden else None
        pred = np.asarray(other[:3]) if other else column[[0, 1, 0]] if isinstance(column, np.ndarray) else [0, 1, 0]
        with pytest.raises(ValueError, match=r"y_true\[2\] is"):
            both(path, column, pred)
        matrix = both(path, column, pred, missing="class")
        assert matrix.labels[-1] is None
        assert matrix.m == 3
        assert matrix.counts.tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 0]]
        assert both(path, column, pred, missing="drop").dropped == 1
    with pytest.raises(ValueError, match="no item has both a true and a predicted label"):
        both(path, [None, 1], [1, None], missing="drop")


@pytest.mark.parametrize("path", PATHS)
def test_every_nan_is_the_same_missing_label(path):
    """Each NaN differs from itself, and from None."""
    true = [float("nan") for _ in range(50)] + [None] * 5 + [1.0]
    matrix = both(path, true, [1] * 56, missing="class")
    assert matrix.labels == (1, None)
    assert matrix.counts.tolist() == [[1, 0], [55, 0]]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("true", "pred", "kinds"),
    [
        ([1, 0], ["1", "0"], r"number \(1\) and text \('1'\)"),
        ([1, True], [1, 1], r"boolean \(True\) and number \(1\)"),
        ([True, 1], [True, True], r"boolean \(True\) and number \(1\)"),
        (np.array(["1"]), np.array([b"1"]), r"bytes \(b'1'\) and text \('1'\)"),
        (np.array([1.0, 2.0]), np.array([True, False]), r"boolean \(.*\) and number \(.*\)"),
        (["1", 1], ["1", "1"], r"number \(1\) and text \('1'\)"),
    ],
)
def test_labels_of_different_kinds_are_refused(path, true, pred, kinds):
    """1 and "1" are never merged, and 1 and True only where one column has 1 and 0, and the other True and False."""
    with pytest.raises(TypeError, match=f"labels are of different kinds, {kinds}: convert y_true and y_pred to one"):
        both(path, true, pred)


@pytest.mark.parametrize("path", PATHS)
def test_whole_floats_are_integers(path):
    """1.0 and 1 are one class, in arrays and lists, of any width."""
    for true in (np.array([1, 2, 2]), np.array([1, 2, 2], "u1"), [1, 2, 2], [1, 2.0, 2]):
        for pred in (np.array([1.0, 2.0, 1.0]), np.array([1, 2, 1], "f2"), [1.0, 2.0, 1.0]):
            matrix = both(path, true, pred)
            assert matrix.labels == (1, 2)
            assert {type(x) for x in matrix.labels} == {int}
            assert matrix.counts.tolist() == [[1, 0], [1, 1]]
    assert both(path, [0.5, -0.0], [0.0, 1.0]).labels == (0, 0.5, 1)


@pytest.mark.parametrize("path", PATHS)
def test_integers_of_different_types_are_compared_by_value(path):
    """Also where no type of NumPy holds both."""
    true = np.array([2**63, 5, 2**63], "u8")
    matrix = both(path, true, np.array([5, 5, -1], "i8"))
    assert matrix.labels == (-1, 5, 2**63)
    assert matrix.counts.tolist() == [[0, 0, 0], [0, 1, 0], [1, 1, 0]]
    assert both(path, [2**70, 1], [1, 1]).labels == (1, 2**70)


@pytest.mark.parametrize("path", PATHS)
def test_categories_keep_their_order(path):
    """An unused category is a class if both columns list it."""
    pandas = pytest.importorskip("pandas", reason=f"pandas {WHY}")
    polars = pytest.importorskip("polars", reason=f"polars {WHY}")
    levels = ["low", "mid", "high", "unused"]
    true, pred = ["low", "high", "mid"], ["mid", "high", "mid"]
    for make in (
        lambda x: pandas.Categorical(x, levels),
        lambda x: pandas.Series(pandas.Categorical(x, levels, ordered=True)),
        lambda x: polars.Series(x, dtype=polars.Enum(levels)),
    ):
        matrix = both(path, make(true), make(pred))
        assert matrix.labels == tuple(levels)
        assert matrix.counts.tolist() == [[0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
        assert both(path, make(true), pred).labels == ("low", "mid", "high")
        assert both(path, true, make(pred)).labels == ("low", "mid", "high")
        assert both(path, true, make([*pred[:2], None]), missing="class").labels == ("low", "mid", "high", None)
    other = pandas.Categorical(pred, ["high", "mid", "new"])
    assert both(path, pandas.Categorical(true, levels), other).labels == ("low", "mid", "high")
    assert both(path, pandas.Categorical(["b"]), pandas.Categorical(["a"])).labels == ("a", "b")


@pytest.mark.parametrize("path", PATHS)
def test_ordered_arrow_dictionaries_keep_their_order(path):
    """Others are sorted, as their order is only that of appearance."""
    pa = pytest.importorskip("pyarrow", reason=f"pyarrow {WHY}")
    codes = pa.array([0, 1], "int8")
    for ordered, labels in ((True, ("z", "a")), (False, ("a", "z"))):
        column = pa.DictionaryArray.from_arrays(codes, pa.array(["z", "a"]), ordered=ordered)
        assert both(path, column, column).labels == labels


@pytest.mark.parametrize("path", PATHS)
def test_numbers_of_other_libraries_are_counted(path):
    """pandas' nullable types, Polars and Arrow, with and without missing ones."""
    pandas = pytest.importorskip("pandas", reason=f"pandas {WHY}")
    polars = pytest.importorskip("polars", reason=f"polars {WHY}")
    pa = pytest.importorskip("pyarrow", reason=f"pyarrow {WHY}")
    makers = (
        lambda x: pandas.array(x, dtype="Int64"),
        lambda x: pandas.Series(x, dtype="UInt8"),
        lambda x: pandas.Series(x, dtype="Float64"),
        lambda x: pandas.Series(x, dtype=pandas.ArrowDtype(pa.int32())),
        lambda x: polars.Series(x, dtype=polars.Int16),
        lambda x: pa.array(x),
        lambda x: pa.chunked_array([pa.array(x[:1]), pa.array(x[1:])]),
    )
    for make in makers:
        assert both(path, make([3, 5, 3]), [3, 5, 5]).counts.tolist() == [[1, 1], [0, 1]]
        matrix = both(path, make([3, 5, None]), [3, 5, 5], missing="class")
        assert matrix.labels == (3, 5, None)
        assert both(path, make([3, 5, None]), [3, 5, 5], missing="drop").counts.tolist() == [[1, 0], [0, 1]]
    for make in (lambda x: pandas.array(x, dtype="boolean"), lambda x: polars.Series(x), lambda x: pa.array(x)):
        assert both(path, make([True, False, None]), [True, True, True], missing="drop").labels == (False, True)


@pytest.mark.parametrize("path", PATHS)
def test_dates_are_labels(path):
    """In one unit or in two, as NumPy's or as Python's."""
    days = np.array(["2024-01-02", "2024-01-01"], "M8[D]")
    matrix = both(path, days, days.astype("M8[s]")[::-1])
    assert matrix.m == 2
    assert matrix.counts.tolist() == [[0, 1], [1, 0]]
    assert both(path, [datetime.date(2024, 1, 2)], [datetime.date(2024, 1, 1)]).labels[0].day == 1
    with pytest.raises(TypeError, match="convert them to one kind"):
        both(path, days, days - days)


@pytest.mark.parametrize("path", PATHS)
def test_labels_without_an_order_stay_in_order_of_appearance(path):
    """Item by item, the true label first."""
    colour = enum.Enum("colour", "red green blue")
    matrix = both(path, [colour.blue, colour.red], [colour.green, colour.blue])
    assert matrix.labels == (colour.blue, colour.green, colour.red)
    assert both(path, [("b", 1), ("a", 2)], [("a", 2), ("a", 2)]).labels == (("a", 2), ("b", 1))


@pytest.mark.parametrize("path", PATHS)
def test_arrays_in_any_layout_are_counted(path):
    """Byte-swapped, read-only, strided, of two dimensions with one column; the input is not changed."""
    true, pred = np.array([0, 1, 1, 2]), np.array([0, 1, 2, 2])
    expected = [[1, 0, 0], [0, 1, 1], [0, 0, 1]]
    frozen = true.copy()
    frozen.flags.writeable = False
    for column in (true.astype(">i4"), frozen, np.repeat(true, 2)[::2], true[::-1].copy()[::-1], true[:, None]):
        before = column.copy()
        assert both(path, column, pred).counts.tolist() == expected
        assert np.array_equal(before, column)
    assert both(path, true.astype(">f8"), pred.astype("f4")).counts.tolist() == expected
    assert both(path, np.asfortranarray(np.stack([true, pred]))[0], pred).counts.tolist() == expected
    assert both(path, range(3), (x for x in [0, 1, 2])).n == 3


@pytest.mark.parametrize("path", PATHS)
def test_text_of_different_widths_is_compared_without_its_padding(path):
    """<U1 against <U9, and bytes."""
    true, pred = np.array(["a", "b"]), np.array(["a", "ninechars"])
    assert both(path, true, pred).labels == ("a", "b", "ninechars")
    assert both(path, true.astype("S"), pred.astype("S")).counts.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert both(path, np.array(["", ""]), np.array(["", ""])).labels == ("",)


def test_what_is_no_column_of_labels_is_refused():
    """With the name of the argument and what came."""
    with pytest.raises(TypeError, match="y_true is 'ham': expected a list of labels"):
        gm.confusion("ham", ["ham"])
    with pytest.raises(TypeError, match="y_pred is 3: expected a list of labels"):
        gm.confusion([1], 3)
    with pytest.raises(ValueError, match=r"y_true has shape \(2, 2\): expected one label for each item"):
        gm.confusion(np.eye(2), [0, 1])
    with pytest.raises(TypeError, match="the labels are a set: expected a list"):
        gm.confusion({1, 2}, [1, 2])
    with pytest.raises(TypeError, match=r"a label is \[1\], a list: expected one value such as a string or a number"):
        gm.confusion([[1], [2]], [1, 2])


def test_tensors_are_read_by_what_they_can_do():
    """A stand-in with the methods of a torch tensor, as torch is an extra."""

    class Tensor:
        dtype = "torch.int64"

        def __init__(self, values):
            self.values = values

        def detach(self):
            return self

        def cpu(self):
            return self

        def item(self):
            return self.values

        def __iter__(self):
            return iter(self.values)

        def __array__(self, dtype=None, copy=None):
            return np.array(self.values)

    assert gm.confusion(Tensor([0, 1]), [0, 0]).counts.tolist() == [[1, 0], [1, 0]]
    assert gm.confusion([Tensor(0), Tensor(1)], [0, 0]).counts.tolist() == [[1, 0], [1, 0]]
