"""Confusion matrices as bytes and Arrow tables: nothing is lost, and what was damaged or forged is refused."""

from __future__ import annotations

import json
import struct
import zlib
from datetime import date
from fractions import Fraction

import numpy as np
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure import ConfusionMatrix

LABELS = st.one_of(
    st.lists(st.text(max_size=8), min_size=1, max_size=5, unique=True),
    st.lists(st.integers(-(10**20), 10**20), min_size=1, max_size=5, unique=True),
    st.lists(st.floats(allow_nan=False), min_size=1, max_size=5, unique=True),
    st.just([False, True]),
    st.just([date(2020, 1, 1), date(2021, 1, 1)]),
    st.just([1, "1"]),
    st.just([("a", 1), ("b", 2)]),
)
NUMBERS = st.one_of(
    st.integers(0, 2**62).map(int),
    st.integers(0, 2**80),
    st.floats(0, 1e100),
    st.fractions(0, 5, max_denominator=7),
)


@st.composite
def matrices(draw):
    labels = draw(LABELS)
    kind = draw(st.sampled_from([st.integers(0, 50), st.integers(0, 2**80), st.floats(0, 1e100), st.fractions(0, 5)]))
    m = len(labels)
    return ConfusionMatrix(draw(st.lists(st.lists(kind, min_size=m, max_size=m), min_size=m, max_size=m)), labels)


def same(one: ConfusionMatrix, other: ConfusionMatrix) -> bool:
    return (
        one == other
        and list(map(type, one.labels)) == list(map(type, other.labels))
        and one.counts.dtype == other.counts.dtype
        and one._order == other._order
        and one.dropped == other.dropped
    )


@given(matrices())
def test_bytes_and_arrow_lose_nothing(cm):
    assert same(ConfusionMatrix.from_bytes(cm.to_bytes()), cm)
    assert same(ConfusionMatrix.from_arrow(cm.to_arrow()), cm)


def many_classes() -> ConfusionMatrix:
    labels = [f"class {k}" for k in range(9000)]
    return gm.confusion(labels, [*labels[1:], labels[0]])


def test_very_many_classes_stay_sparse():
    cm = many_classes()
    assert cm.is_sparse
    for other in (ConfusionMatrix.from_bytes(cm.to_bytes()), ConfusionMatrix.from_arrow(cm.to_arrow())):
        assert other.is_sparse
        assert other == cm


def test_a_batch_is_written_as_bytes_and_not_as_one_table():
    cm = ConfusionMatrix(np.arange(24).reshape(2, 3, 2, 2))
    assert ConfusionMatrix.from_bytes(cm.to_bytes()) == cm
    with pytest.raises(gm.InputError, match="one by one"):
        cm.to_arrow()


def test_empty_matrices_and_those_in_the_middle_of_a_stream_go_on():
    cm = ConfusionMatrix.empty()
    for again in (ConfusionMatrix.from_bytes(cm.to_bytes()), ConfusionMatrix.from_arrow(cm.to_arrow())):
        again.update(["b", "a", None], ["a", "a", "a"], missing="drop")
        later = ConfusionMatrix.from_bytes(again.to_bytes())
        later.update(["c"], ["c"])
        assert (later.labels, later.n, later.dropped) == (("a", "b", "c"), 3, 1)


def test_an_arrow_table_can_be_read_by_anyone_and_in_any_order():
    cm = ConfusionMatrix([[50, 3], [0, 20]], labels=["ham", "spam"])
    table = cm.to_arrow()
    assert table.to_pylist() == [
        {"true": "ham", "predicted": "ham", "count": 50},
        {"true": "ham", "predicted": "spam", "count": 3},
        {"true": "spam", "predicted": "spam", "count": 20},
    ]
    assert ConfusionMatrix.from_arrow(table.take([2, 0, 1])) == cm
    turned = table.select(["count", "predicted", "true"])
    assert ConfusionMatrix.from_arrow(turned) == cm


def packed(header: object, rest: bytes = b"", version: int = 1) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    body = struct.pack("<I", len(text)) + text + rest
    return struct.pack("<4sHII", b"gmcm", version, zlib.crc32(body), len(body)) + body


HEADER = {
    "schema": "goodmeasure/confusion-matrix/1", "labels": ["a", "b"], "numbers": "int64", "n": 10, "batch": [],
    "dropped": 0, "order": {"categories": None, "appeared": None, "fixed": False}, "layout": "dense",
}  # fmt: skip
FOUR = np.array([1, 2, 3, 4], "<i8").tobytes()


def test_the_layout_is_as_documented():
    assert ConfusionMatrix.from_bytes(packed(HEADER, FOUR)).counts.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    "data",
    [
        b"", b"gmcm", b"PAR1" + bytes(40), packed(HEADER, FOUR)[:-1], packed(HEADER, FOUR) + b"x",
        packed(HEADER, FOUR, version=2), packed(b"{" * 5000, FOUR), packed(b"\xff\xfe", FOUR), packed([], FOUR),
        packed({**HEADER, "schema": "goodmeasure/confusion-matrix/9"}, FOUR), packed(HEADER, FOUR[:8]),
        packed({**HEADER, "n": 11}, FOUR), packed({**HEADER, "labels": ["a", "a"]}, FOUR),
        packed({**HEADER, "labels": ["a"] * 100_000}, FOUR), packed({**HEADER, "batch": [10**15]}, FOUR),
        packed({**HEADER, "batch": [-1]}, FOUR), packed({**HEADER, "batch": ["x"]}, FOUR),
        packed({**HEADER, "numbers": "object"}, FOUR), packed({**HEADER, "numbers": "O"}, FOUR),
        packed({**HEADER, "numbers": "U99999999"}, FOUR), packed({**HEADER, "layout": "pickle"}, FOUR),
        packed({**HEADER, "layout": "cells", "number": 10**12}, FOUR), packed({**HEADER, "n": None}, FOUR),
        packed({**HEADER, "layout": "cells", "number": 1}, np.array([0, 7, 10], "<i8").tobytes()),
        packed({**HEADER, "layout": "cells", "number": 1}, np.array([0, -1, 10], "<i8").tobytes()),
        packed({**HEADER, "layout": "cells", "number": 1}, np.array([0, 1, -10], "<i8").tobytes()),
        packed({**HEADER, "n": -2}, np.array([1, -5, 1, 1], "<i8").tobytes()),
        packed({**HEADER, "numbers": "float64"}, np.array([1, np.nan, 1, 1]).tobytes()),
        packed({**HEADER, "numbers": "float64"}, np.array([1, np.inf, 1, 1]).tobytes()),
        packed({**HEADER, "labels": [{"date": "soon"}, "b"]}, FOUR), packed({**HEADER, "labels": [["a"], "b"]}, FOUR),
        packed({**HEADER, "layout": "json", "numbers": "object", "counts": [["1/0", 1], [1, 1]]}),
        packed({k: v for k, v in HEADER.items() if k != "order"}, FOUR), struct.pack("<4sHII", b"gmcm", 1, 0, 0),
    ],
)  # fmt: skip
def test_hostile_bytes_are_refused(data):
    with pytest.raises((gm.InputError, gm.InputTypeError)):
        ConfusionMatrix.from_bytes(data)


@given(matrices(), st.data())
def test_any_changed_byte_is_noticed(cm, data):
    whole = bytearray(cm.to_bytes())
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= data.draw(st.integers(1, 255))
    with pytest.raises(gm.InputError):
        ConfusionMatrix.from_bytes(bytes(whole))


@given(matrices(), st.data())
def test_forged_bytes_with_a_right_checksum_give_a_matrix_or_an_error(cm, data):
    body = bytearray(cm.to_bytes()[14:])
    for _ in range(data.draw(st.integers(1, 4))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    forged = struct.pack("<4sHII", b"gmcm", 1, zlib.crc32(body), len(body)) + bytes(body)
    try:
        found = ConfusionMatrix.from_bytes(forged)
    except (gm.InputError, gm.InputTypeError):
        return
    assert found.counts.shape[-1] == found.m
    assert all(x >= 0 for x in found.counts.ravel().tolist())


@pytest.mark.parametrize("data", ["gmcm", None, 3, [1, 2]])
def test_only_bytes_are_bytes(data):
    with pytest.raises(gm.InputTypeError, match="expected bytes"):
        ConfusionMatrix.from_bytes(data)


def table_with(**changes: object) -> pyarrow.Table:
    table = ConfusionMatrix([[1, 2], [3, 4]], labels=["a", "b"]).to_arrow()
    header = {**json.loads(table.schema.metadata[b"goodmeasure"]), **changes}
    return table.replace_schema_metadata({b"goodmeasure": json.dumps(header)})


@pytest.mark.parametrize(
    "table",
    [
        table_with(n=11), table_with(labels=["a"]), table_with(names=["a", "a"]), table_with(names=["a", "c"]),
        table_with(numbers="object"), table_with(schema="x"), table_with(labels=["a", "a"]), table_with(order=3),
        table_with(numbers="int8x"), table_with().replace_schema_metadata(None), table_with().select(["true", "count"]),
        table_with().replace_schema_metadata({b"goodmeasure": b"{"}),
        pyarrow.concat_tables([table_with(), table_with()]), {"true": [1]}, None,
    ],
)  # fmt: skip
def test_hostile_tables_are_refused(table):
    with pytest.raises((gm.InputError, gm.InputTypeError)):
        ConfusionMatrix.from_arrow(table)


def test_fractions_and_weights_are_written_exactly():
    for counts in ([[Fraction(1, 3), 0], [2**70, 1]], [[0.1, 0.2], [0.3, 1e-300]]):
        cm = ConfusionMatrix(counts)
        assert ConfusionMatrix.from_bytes(cm.to_bytes()).counts.tolist() == cm.counts.tolist()
        assert ConfusionMatrix.from_arrow(cm.to_arrow()).counts.tolist() == cm.counts.tolist()
