"""Tables and views of SQLite databases, through Python's own sqlite3; they are copied as JSON lines, with types."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from goodmeasure.counts.readers.columns import NoRows
from goodmeasure.counts.readers.files.file_formats import LabelFile
from goodmeasure.exceptions import InputError

if TYPE_CHECKING:
    from goodmeasure.counts.readers.files.private_engine import PrivateEngine


class SqliteDatabase:
    """Reads the tables of an SQLite database, without ever writing to it."""

    what, unit = "an SQLite database", "table"

    def knows(self, path: Path, start: bytes) -> bool:
        """Return whether a file is such a database."""
        return start.startswith(b"SQLite format 3\x00")

    def tables(self, path: Path, engine: PrivateEngine) -> list[str]:
        """Return the names of the tables and views."""
        with _opened(path) as database:
            found = database.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid")
            return [name for (name,) in found if not name.startswith("sqlite_")]

    def table(self, path: Path, shown: str, name: str, engine: PrivateEngine) -> LabelFile:
        """Copy a table, and return how the copy is read."""
        target, quoted = engine.new_file(), name.replace('"', '""')
        rows = 0
        with _opened(path) as database, target.open("w", encoding="utf-8") as stream:
            found = database.execute(f'SELECT * FROM "{quoted}"')
            names = [x[0] for x in found.description]
            for row in found:
                values = dict(zip(names, map(_value, row), strict=True))
                stream.write(json.dumps(values, ensure_ascii=False, allow_nan=False) + "\n")
                rows += 1
        if not rows:
            raise NoRows(shown)
        return LabelFile(target, shown, "json")


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            yield database
    except sqlite3.Error as error:
        raise InputError(
            "the SQLite database cannot be read ({why})", why=error, advice="export the table as CSV"
        ) from None


def _value(value: object) -> object:
    """Return a value as JSON has it: bytes as hexadecimal digits, and infinity as text."""
    if isinstance(value, bytes):
        return value.hex()
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
