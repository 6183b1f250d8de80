"""Confusion matrices as bytes and as Arrow tables, to be sent between machines and merged there without loss.

The bytes, version 1: ``gmcm``, the version (2 bytes), the CRC-32 of what follows (4 bytes), the length of a header
(4 bytes), the header, and the counts. All numbers are little-endian. The header is the JSON of `matrix_json` without
counts, and says how they are laid out: "dense" (the rows of the matrix, or of each one of a batch), "cells" (rows,
columns and values of the non-zero cells of very many classes), or "json" (the counts are in the header, since they are
fractions or integers beyond 64 bits). Where items were weighted, their number and their squared weights follow, each as
a matrix in bytes of its own, whose lengths the header has as `weighing`.

The Arrow table has the columns `true`, `predicted` and `count`, a row for each non-zero cell, and the same header as
metadata. Nothing that is read is ever executed, and nothing is allocated beyond the size of what came.
"""

from __future__ import annotations

import json
import math
import struct
import zlib
from collections.abc import Mapping
from importlib import import_module

import numpy as np

from goodmeasure.counts.arguments import as_counts
from goodmeasure.counts.kernel.tally import MOST_DENSE
from goodmeasure.counts.matrix_json import (
    KIND,
    KINDS,
    as_weighing,
    checked,
    from_data,
    known_kind,
    parts_of,
    read_weighing,
    to_data,
    totals_agree,
)
from goodmeasure.counts.matrix_json import VERSION as SCHEMA_VERSION
from goodmeasure.counts.matrix_parts import MatrixParts
from goodmeasure.counts.sparse_counts import SparseCounts
from goodmeasure.documents import UNREADABLE, DamageError, check_kind, damaged
from goodmeasure.exceptions import InputError, InputTypeError, MissingPackageError
from goodmeasure.typing import Array, DType, Frame, Label, Namespace, ReadJson

MAGIC = b"gmcm"
VERSION = 1
METADATA = b"goodmeasure"
_HEAD = struct.Struct("<4sHII")
DENSE, CELLS, JSON = "dense", "cells", "json"
_COLUMNS = ("true", "predicted", "count")


def to_bytes(parts: MatrixParts) -> bytes:
    """Return the parts of a confusion matrix as bytes."""
    behind = [to_bytes(x._parts) for x in parts.weighing or ()]
    header, arrays = _laid_out(parts._replace(weighing=None))
    if behind:
        header["weighing"] = [len(x) for x in behind]
    text = json.dumps(header, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")
    body = b"".join([struct.pack("<I", len(text)), text, *(x.tobytes() for x in arrays), *behind])
    return _HEAD.pack(MAGIC, VERSION, zlib.crc32(body), len(body) & 0xFFFFFFFF) + body


def _laid_out(parts: MatrixParts) -> tuple[dict[str, object], list[Array]]:
    """Return the header, and the arrays that follow it."""
    values = parts.counts if parts.sparse is None else parts.sparse.cells()[2]
    assert values is not None
    if str(values.dtype) not in KINDS:
        return {**to_data(parts), "layout": JSON}, []
    if parts.sparse is None:
        return {**to_data(parts, listed=False), "layout": DENSE}, [_little(values)]
    rows, cols, values = parts.sparse.cells()
    header = {**to_data(parts, listed=False), "layout": CELLS, "number": len(values)}
    return header, [_little(rows.astype(np.int64)), _little(cols.astype(np.int64)), _little(values)]


def _little(array: Array) -> Array:
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))


def from_bytes(data: object) -> MatrixParts:
    """Return the parts of a confusion matrix from bytes."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise InputTypeError("{data} is {kind}", kind=type(data).__name__, expected="bytes")
    given = bytes(data)
    if len(given) < _HEAD.size or given[:4] != MAGIC:
        raise InputError(
            "these bytes are not a confusion matrix", argument="data", advice="ConfusionMatrix.to_bytes writes some"
        )
    _, version, checksum, length = _HEAD.unpack_from(given)
    if version != VERSION:
        raise InputError(
            "these bytes have the version {got}", got=version, known=VERSION,
            advice="this version of goodmeasure reads version {known}",
        )  # fmt: skip
    body = given[_HEAD.size :]
    if len(body) & 0xFFFFFFFF != length or zlib.crc32(body) != checksum:
        raise InputError(
            "these bytes of a confusion matrix are damaged",
            argument="data",
            advice="they are cut, or some were changed",
        )
    try:
        (size,) = struct.unpack_from("<I", body)
        header = json.loads(body[4 : 4 + size].decode("utf-8", "surrogatepass"))
        return _read(header, memoryview(body)[4 + size :])
    except InputError:
        raise
    except (*UNREADABLE, struct.error) as error:
        raise damaged("these bytes", KIND, error) from None


def _read(header: ReadJson, rest: memoryview) -> MatrixParts:
    check_kind(header, KIND, SCHEMA_VERSION, "these bytes")
    sizes = header.pop("weighing", None)
    if sizes is None:
        return _read_counts(header, rest)
    first, second = (_size(x) for x in sizes)
    end = len(rest) - first - second
    if end < 0:
        raise DamageError("the items behind the weights are cut")
    behind = (from_bytes(rest[end : end + first]), from_bytes(rest[end + first :]))
    return checked(_read_counts(header, rest[:end])._replace(weighing=as_weighing(*behind)))


def _read_counts(header: ReadJson, rest: memoryview) -> MatrixParts:
    layout = header["layout"]
    if layout == JSON:
        return from_data({name: x for name, x in header.items() if name != "layout"})
    kind = np.dtype(known_kind(header["numbers"])).newbyteorder("<")
    labels, order, total, dropped = parts_of(header)
    if layout == DENSE:
        shape = (*(_size(x) for x in header["batch"]), len(labels), len(labels))
        counts = _array(rest, math.prod(shape), kind).reshape(shape).astype(kind.newbyteorder("="))
        counts = as_counts(counts) if labels else counts
        totals_agree(counts, None, total, "these bytes")
        return MatrixParts(counts, labels, order, None, dropped)
    if layout != CELLS:
        raise DamageError(f"the layout {layout!r} is not known")
    number = _size(header["number"])
    places = np.dtype("<i8")
    rows = _array(rest, number, places)
    cols = _array(rest[8 * number :], number, places)
    values = _array(rest[16 * number :], number, kind).astype(kind.newbyteorder("="))
    sparse = sparse_of(labels, rows, cols, values)
    totals_agree(None, sparse, total, "these bytes")
    return MatrixParts(None, labels, order, sparse, dropped)


def sparse_of(labels: tuple[Label, ...], rows: Array, cols: Array, values: Array) -> SparseCounts:
    """Return cells as sparse counts; refuse places that are no classes, and counts that are negative or not finite."""
    for places in (rows, cols):
        if len(places) and (int(places.min()) < 0 or int(places.max()) >= len(labels)):
            raise DamageError("a cell lies outside of the matrix")
    if len(values) and not (np.isfinite(values.astype(np.float64)).all() and (values >= 0).all()):
        raise DamageError("a count is negative or not finite")
    return SparseCounts.from_cells(labels, rows, cols, values)


def _size(x: object) -> int:
    if type(x) is not int or x < 0:
        raise DamageError(f"{x!r} is no size")
    return x


def _array(rest: memoryview, number: int, kind: DType) -> Array:
    """Return the next numbers; np.frombuffer copies nothing, and refuses more than there are."""
    if number * kind.itemsize > len(rest):
        raise DamageError(f"{number} counts were announced, and there are fewer")
    return np.frombuffer(rest, kind, number)


# Arrow


def _arrow() -> Namespace:
    try:
        return import_module("pyarrow")
    except ImportError:
        raise MissingPackageError("an Arrow table needs pyarrow", advice="pip install pyarrow") from None


def to_arrow(parts: MatrixParts) -> Frame:
    """Return the non-zero cells of a confusion matrix as an Arrow table, with all else as its metadata."""
    counts, labels = parts.counts, parts.labels
    if counts is not None and counts.ndim > 2:
        raise InputError("this is a batch of {size} matrices", size=counts.shape[:-2], advice="write them one by one")
    arrow = _arrow()
    data = to_data(parts, listed=False)
    if parts.weighing is not None:
        data["weighing"] = to_data(parts)["weighing"]
    if parts.sparse is not None:
        rows, cols, values = parts.sparse.cells()
    else:
        assert counts is not None
        rows, cols = np.nonzero(counts)
        values = counts[rows, cols]
    data["names"] = names = _names(labels)
    column = arrow.array([str(x) for x in values.tolist()] if values.dtype.kind == "O" else values)
    classes = arrow.array(names, arrow.string())
    places = [arrow.DictionaryArray.from_arrays(arrow.array(x.astype(np.int32)), classes) for x in (rows, cols)]
    text = json.dumps(data, ensure_ascii=True, allow_nan=False)
    return arrow.table(dict(zip(_COLUMNS, [*places, column], strict=True))).replace_schema_metadata({METADATA: text})


def _names(labels: tuple[Label, ...]) -> list[str]:
    """Return a text for each label; where two labels have the same, such as 1 and "1", all are written as in Python."""
    plain = [_printable(str(x)) for x in labels]
    return plain if len(set(plain)) == len(plain) else [_printable(repr(x)) for x in labels]


def _printable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def from_arrow(table: Frame) -> MatrixParts:
    """Return the parts of a confusion matrix from an Arrow table that `to_arrow` made, also if its rows were sorted."""
    _arrow()
    columns = list(getattr(table, "column_names", ()))
    if sorted(columns) != sorted(_COLUMNS):
        raise InputError(
            "{table} is not a confusion matrix", found=", ".join(map(repr, columns)) or "no columns",
            advice="its columns must be 'true', 'predicted' and 'count', and it has {found}",
        )  # fmt: skip
    text = (table.schema.metadata or {}).get(METADATA)
    if text is None:
        raise InputError(
            "{table} has no metadata of goodmeasure", advice="evaluate takes any table of counts, with count='count'"
        )
    try:
        header = json.loads(text)
        check_kind(header, KIND, SCHEMA_VERSION, "this Arrow table")
        return _from_cells(table, header)
    except InputError:
        raise
    except UNREADABLE as error:
        raise damaged("this Arrow table", KIND, error) from None


def _from_cells(table: Frame, header: Mapping[str, ReadJson]) -> MatrixParts:
    labels, order, total, dropped = parts_of(header)
    place = {name: k for k, name in enumerate(header["names"])}
    if len(place) != len(labels):
        raise DamageError("the names of the classes are not unique, or too few")
    true, predicted, listed = (table.column(name).to_pylist() for name in _COLUMNS)
    rows, cols = (np.array([place[x] for x in names], np.int64) for names in (true, predicted))
    if header["numbers"] not in KINDS:
        return from_data({**header, "counts": _nested(rows, cols, listed, len(labels))})
    values = np.array(listed, known_kind(header["numbers"]))
    if values.tolist() != listed:
        raise DamageError(f"a count is no number of the type {header['numbers']}")
    sparse = sparse_of(labels, rows, cols, values)
    totals_agree(None, sparse, total, "this Arrow table")
    weighing = read_weighing(header["weighing"], labels, order) if "weighing" in header else None
    if "batch" not in header or len(labels) ** 2 * values.itemsize > MOST_DENSE:
        return checked(MatrixParts(None, labels, order, sparse, dropped, weighing))
    return checked(MatrixParts(_dense(sparse, labels, values.dtype), labels, order, None, dropped, weighing))


def _dense(sparse: SparseCounts, labels: tuple[Label, ...], kind: DType) -> Array:
    """Return cells as a matrix with all cells, as it was before."""
    rows, cols, values = sparse.cells()
    counts = np.zeros((len(labels), len(labels)), kind)
    counts[rows, cols] = values
    return counts


def _nested(rows: Array, cols: Array, texts: list[str], size: int) -> list[list[object]]:
    """Return cells of integers beyond 64 bits and of fractions as nested lists, as JSON has them."""
    if size**2 * 8 > MOST_DENSE:
        raise DamageError("there are too many classes for such counts")
    found: list[list[object]] = [[0] * size for _ in range(size)]
    for i, j, text in zip(rows.tolist(), cols.tolist(), texts, strict=True):
        found[i][j] = text if "/" in text else int(text)
    return found
