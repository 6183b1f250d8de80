"""Arrow files (IPC, Feather), whose columns are read by PyArrow or Polars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from goodmeasure.counts.formats import Source


def arrow_names(source: Source) -> tuple[str, ...]:
    """The columns of an Arrow file."""
    reader = _reader(source)
    if reader == "polars":
        import polars

        if source.format == "arrow stream":
            return tuple(polars.read_ipc_stream(source.path, n_rows=0).columns)
        return tuple(polars.read_ipc_schema(source.path))
    return tuple(_table(source, None).schema.names)


def arrow_frame(sources: Sequence[Source], columns: list[str]) -> Any:
    """Some columns of Arrow files as a frame."""
    if _reader(sources[0]) == "polars":
        import polars

        parts = [
            polars.read_ipc_stream(x.path, columns=columns).lazy()
            if x.format == "arrow stream"
            else polars.scan_ipc(x.path).select(columns)
            for x in sources
        ]
        return polars.concat(parts)
    import pyarrow

    tables = [_table(source, columns) for source in sources]
    try:
        return pyarrow.concat_tables(tables)
    except pyarrow.ArrowInvalid:
        raise TypeError("a column has one type in one file and another in another: write it as one type") from None


def arrow_rows(source: Source) -> int:
    """How many rows an Arrow file has."""
    frame = arrow_frame([source], list(arrow_names(source)[:1]))
    return len(frame.collect() if hasattr(frame, "collect") else frame)


def _reader(source: Source) -> str:
    """The library that is installed."""
    from importlib.util import find_spec

    for name in ("pyarrow", "polars"):
        if find_spec(name) is not None:
            return name
    raise ValueError(f"{source.shown} is an Arrow file, which PyArrow or Polars reads: pip install pyarrow")


def _table(source: Source, columns: list[str] | None) -> Any:
    """The columns that are asked for in memory; None: as little as tells their names."""
    import pyarrow
    from pyarrow import feather, ipc

    try:
        if source.format == "arrow stream":
            with pyarrow.memory_map(str(source.path)) as stream:
                table = ipc.open_stream(stream).read_all()
            return table if columns is None else table.select(columns)
        if columns is None:
            with pyarrow.memory_map(str(source.path)) as stream:
                return ipc.open_file(stream).schema.empty_table()
        return feather.read_table(source.path, columns=columns)
    except (pyarrow.ArrowInvalid, OSError) as error:
        first = str(error).splitlines()[0]
        raise ValueError(f"{source.shown} is a damaged or cut off Arrow file ({first}): write it again") from None
