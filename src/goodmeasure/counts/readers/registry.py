"""All readers, and how the one for a file or a folder is found."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING

from goodmeasure.counts.readers.duckdb_tables import DuckdbDatabase
from goodmeasure.counts.readers.locations import Location
from goodmeasure.counts.readers.parquet_folders import ParquetFolder
from goodmeasure.counts.readers.reader import TableReader
from goodmeasure.counts.readers.sqlite_tables import SqliteDatabase
from goodmeasure.counts.readers.workbooks import Workbook
from goodmeasure.exceptions import Either, InputError, UnknownName

if TYPE_CHECKING:
    from goodmeasure.counts.files.file_formats import LabelFile
    from goodmeasure.counts.files.private_engine import PrivateEngine

READERS: tuple[TableReader, ...] = (Workbook(), SqliteDatabase(), DuckdbDatabase(), ParquetFolder())
_START = 16  # bytes that tell the kind of a file


def reader_of(path: Path) -> TableReader | None:
    """Return the reader of a file or a folder; None for a file that is a table itself."""
    start = b""
    if not path.is_dir():
        with path.open("rb") as stream:
            start = stream.read(_START)
    return next((x for x in READERS if x.knows(path, start)), None)


def tables_in(path: Path, engine: PrivateEngine) -> list[str]:
    """Return the names of the sheets or tables of a file; none if it is a table itself."""
    reader = reader_of(path)
    return [] if reader is None or not reader.unit else reader.tables(path, engine)


def read_table(place: Location, shown: str, engine: PrivateEngine) -> LabelFile | None:
    """Return the table that is meant, if a reader knows the file; refuse to guess which of several is meant."""
    path = Path(place.path).absolute()
    reader = reader_of(path)
    if reader is None or not reader.unit:
        if place.table is not None:
            raise InputError(
                "{path} is one table, and {got!r} names one in it", path=place.path, got=place.table,
                advice="leave the name out",
            )  # fmt: skip
        return None if reader is None else reader.table(path, shown, "", engine)
    known = reader.tables(path, engine)
    chosen = known[0] if place.table is None and len(known) == 1 else place.table
    if chosen in known:
        assert chosen is not None
        return reader.table(path, shown, chosen, engine)
    listed = ", ".join(map(repr, known[:20])) + (", …" if len(known) > 20 else "")
    if chosen is not None:
        near = difflib.get_close_matches(chosen, known, n=1)
        raise UnknownName(
            "{path} has no {unit} {name!r}", path=place.path, unit=reader.unit, name=chosen, suggestions=near,
            listed=listed or "none", advice="it has {listed}",
        )  # fmt: skip
    if not known:
        raise InputError("{path} has no {unit}s", path=place.path, unit=reader.unit, advice="there is nothing to count")
    raise InputError(
        "{path} is {what} with {size} {unit}s ({listed})", path=place.path, what=reader.what, size=len(known),
        unit=reader.unit, listed=listed, first=known[0], how=Either(f"table={known[0]!r}", "{table:=…}"),
        advice="name one as {path}::{first}, or with {how}",
    )  # fmt: skip
