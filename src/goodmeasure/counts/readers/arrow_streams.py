"""Data sets, scanners and streams of Arrow as frames: PyArrow's, and any object with `__arrow_c_stream__`."""

from __future__ import annotations

import sys
from typing import cast

from goodmeasure.exceptions import InputError, InputTypeError, MissingPackageError
from goodmeasure.typing import Frame


def is_stream(data: object) -> bool:
    """Return whether an object is a data set or a stream of Arrow; a column, or a frame of a known library, is not."""
    if _is_of_dataset(data) or _is_batch(data):
        return True
    kind = type(data)
    return hasattr(kind, "__arrow_c_stream__") and not hasattr(kind, "columns") and not hasattr(kind, "__len__")


def as_frame(data: object) -> Frame:
    """Return a data set as a relation of DuckDB, which reads what is asked for, and a stream as a table in memory.

    Anything else is returned as it is. A stream can be read only once, so it is read here.
    """
    if not is_stream(data):
        return cast(Frame, data)
    try:
        import pyarrow
    except ImportError:
        raise MissingPackageError("a stream of Arrow needs PyArrow", advice="pip install pyarrow") from None
    if _is_of_dataset(data, "Dataset") and _is_kept_by_duckdb(data.schema):  # type: ignore[attr-defined]
        from goodmeasure.packages import duckdb

        return duckdb.connect().from_arrow(data)
    if _is_of_dataset(data):
        return data.to_table()  # type: ignore[attr-defined]
    if _is_batch(data):
        return cast(Frame, pyarrow.Table.from_batches([data]))
    try:
        table = pyarrow.RecordBatchReader.from_stream(data).read_all()
    except (pyarrow.ArrowInvalid, TypeError) as error:
        raise InputTypeError(
            "{data} is a stream of Arrow that is no table ({why})", why=str(error).splitlines()[0],
            expected="one with named columns",
        ) from None  # fmt: skip
    if not len(table):
        raise InputError(
            "{data} is a stream of Arrow without rows", advice="a stream that was read before is empty: make a new one"
        )
    return table


def _is_of_dataset(data: object, *names: str) -> bool:
    """Return whether an object is a data set or a scanner of PyArrow, which is not imported for that."""
    module = sys.modules.get("pyarrow.dataset")
    return module is not None and isinstance(data, tuple(getattr(module, x) for x in names or ("Dataset", "Scanner")))


def _is_batch(data: object) -> bool:
    """Return whether an object is one batch of rows of PyArrow, as a reader yields them."""
    module = sys.modules.get("pyarrow")
    return module is not None and isinstance(data, module.RecordBatch)


def _is_kept_by_duckdb(schema: Frame) -> bool:
    """Return whether DuckDB keeps all columns: categories with an order lose it, and `Y` beside `y` its name."""
    import pyarrow

    ordered = any(pyarrow.types.is_dictionary(x) and x.ordered for x in schema.types)
    return not ordered and len({x.lower() for x in schema.names}) == len(schema.names)
