"""Files and folders that hold tables: workbooks, databases, folders of Parquet; and how the table meant is found."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from goodmeasure.counts.readers.files.duckdb_tables import DuckdbDatabase
from goodmeasure.counts.readers.files.locations import Location
from goodmeasure.counts.readers.files.parquet_folders import ParquetFolder
from goodmeasure.counts.readers.files.sqlite_tables import SqliteDatabase
from goodmeasure.counts.readers.files.workbooks import Workbook
from goodmeasure.exceptions import Either, InputError, UnknownName

if TYPE_CHECKING:
    from goodmeasure.counts.readers.files.file_formats import LabelFile
    from goodmeasure.counts.readers.files.private_engine import PrivateEngine


class Container(Protocol):
    """One kind of file or folder that holds tables, and hands one over in a form that can be counted."""

    what: str  # the kind, with an article
    unit: str  # what it holds several of; "" if it is one table

    def knows(self, path: Path, start: bytes) -> bool:
        """Return whether a file, which begins with these bytes, or a folder (no bytes) is of this kind."""
        ...

    def tables(self, path: Path, engine: PrivateEngine) -> list[str]:
        """Return the names of the tables that it holds."""
        ...

    def table(self, path: Path, shown: str, name: str, engine: PrivateEngine) -> LabelFile:
        """Return one table, which may be written into the folder of the engine."""
        ...


CONTAINERS: tuple[Container, ...] = (Workbook(), SqliteDatabase(), DuckdbDatabase(), ParquetFolder())
_START = 16  # bytes that tell the kind of a file


def container_of(path: Path) -> Container | None:
    """Return the kind of a file or a folder; None for a file that is a table itself."""
    start = b""
    if not path.is_dir():
        with path.open("rb") as stream:
            start = stream.read(_START)
    return next((x for x in CONTAINERS if x.knows(path, start)), None)


def tables_in(path: Path, engine: PrivateEngine) -> list[str]:
    """Return the names of the sheets or tables of a file; none if it is a table itself."""
    kind = container_of(path)
    return [] if kind is None or not kind.unit else kind.tables(path, engine)


def read_table(place: Location, shown: str, engine: PrivateEngine) -> LabelFile | None:
    """Return the table that is meant, if a reader knows the file; refuse to guess which of several is meant."""
    path = Path(place.path).absolute()
    kind = container_of(path)
    if kind is None or not kind.unit:
        if place.table is not None:
            raise InputError(
                "{path} is one table, and {got!r} names one in it", path=place.path, got=place.table,
                advice="leave the name out",
            )  # fmt: skip
        return None if kind is None else kind.table(path, shown, "", engine)
    known = kind.tables(path, engine)
    chosen = known[0] if place.table is None and len(known) == 1 else place.table
    if chosen in known:
        assert chosen is not None
        return kind.table(path, shown, chosen, engine)
    listed = ", ".join(map(repr, known[:20])) + (", …" if len(known) > 20 else "")
    if chosen is not None:
        near = difflib.get_close_matches(chosen, known, n=1)
        raise UnknownName(
            "{path} has no {unit} {name!r}", path=place.path, unit=kind.unit, name=chosen, suggestions=near,
            listed=listed or "none", advice="it has {listed}",
        )  # fmt: skip
    if not known:
        raise InputError("{path} has no {unit}s", path=place.path, unit=kind.unit, advice="there is nothing to count")
    raise InputError(
        "{path} is {what} with {size} {unit}s ({listed})", path=place.path, what=kind.what, size=len(known),
        unit=kind.unit, listed=listed, first=known[0], how=Either(f"table={known[0]!r}", "{table:=…}"),
        advice="name one as {path}::{first}, or with {how}",
    )  # fmt: skip
