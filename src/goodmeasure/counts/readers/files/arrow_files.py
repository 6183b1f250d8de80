"""Reading the columns of Arrow files (IPC, Feather) with PyArrow or Polars.

Nothing in such a file is trusted. It is read rather than mapped into memory, because the process would be killed if
another program shortened a mapped file, and its buffers are validated, because a damaged offset would be followed
wherever it points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from goodmeasure.counts.readers.files.file_formats import LabelFile
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.typing import Frame


def arrow_names(source: LabelFile) -> tuple[str, ...]:
    """Return the names of the columns of an Arrow file."""
    if _reader(source) == "polars":
        import polars

        with _damage_reported(source):
            if source.format == "arrow stream":
                return tuple(polars.read_ipc_stream(source.path, n_rows=0).columns)
            return tuple(polars.read_ipc_schema(source.path))
    import pyarrow
    from pyarrow import feather, ipc

    with _damage_reported(source), pyarrow.OSFile(str(source.path)) as stream:
        if source.format == "arrow stream":
            return tuple(ipc.open_stream(stream).schema.names)
        if stream.read(4) == b"FEA1":  # the first version of Feather, which is not an IPC file
            return tuple(feather.read_table(source.path, columns=[]).schema.names)
        return tuple(ipc.open_file(stream).schema.names)


def arrow_frame(sources: Sequence[LabelFile], columns: list[str]) -> Frame:
    """Return some columns of Arrow files as a data frame."""
    if _reader(sources[0]) == "polars":
        import polars

        return polars.concat([_polars_frame(source, columns).lazy() for source in sources])
    import pyarrow

    tables = [_table(source, columns) for source in sources]
    try:
        return pyarrow.concat_tables(tables)
    except pyarrow.ArrowInvalid:
        raise InputTypeError(
            "a column has one type in one file and another in another", advice="write it as one type"
        ) from None


def arrow_rows(source: LabelFile) -> int:
    """Return how many rows an Arrow file has."""
    frame = arrow_frame([source], list(arrow_names(source)[:1]))
    return len(frame.collect() if hasattr(frame, "collect") else frame)


def _reader(source: LabelFile) -> str:
    """Return the library that is installed, PyArrow or Polars."""
    from importlib.util import find_spec

    for name in ("pyarrow", "polars"):
        if find_spec(name) is not None:
            return name
    raise InputError(
        "{shown} is an Arrow file, which PyArrow or Polars reads", shown=source.shown, advice="pip install pyarrow"
    )


def _table(source: LabelFile, columns: list[str]) -> Frame:
    """Return the columns as a PyArrow table in memory, with every buffer checked."""
    import pyarrow
    from pyarrow import feather, ipc

    with _damage_reported(source):
        if source.format == "arrow stream":
            with pyarrow.OSFile(str(source.path)) as stream:
                table = ipc.open_stream(stream).read_all().select(columns)
        else:
            table = feather.read_table(source.path, columns=columns, memory_map=False)
        table.validate(full=True)
    return table


def _polars_frame(source: LabelFile, columns: list[str]) -> Frame:
    import polars

    with _damage_reported(source):
        if source.format == "arrow stream":
            return polars.read_ipc_stream(source.path, columns=columns)
        return polars.read_ipc(source.path.read_bytes(), columns=columns)  # a path would be mapped into memory


@contextmanager
def _damage_reported(source: LabelFile) -> Iterator[None]:
    """Report whatever the reader raises inside the block as a damaged file, in a message of one line."""
    try:
        yield
    except BaseException as error:  # many kinds: KeyError, MemoryError, and the panics of Polars
        if isinstance(error, (KeyboardInterrupt, SystemExit, ImportError)):
            raise
        lines = str(error).splitlines()
        raise InputError(
            "{shown} is a damaged or cut off Arrow file ({why})", shown=source.shown,
            why=lines[0] if lines else type(error).__name__, advice="write it again",
        ) from None  # fmt: skip
