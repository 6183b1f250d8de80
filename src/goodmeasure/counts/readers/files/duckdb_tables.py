"""Tables and views of DuckDB's database files, which are attached read-only and counted where they are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goodmeasure.counts.readers.duckdb_engine import quoted, text
from goodmeasure.counts.readers.files.file_formats import LabelFile
from goodmeasure.exceptions import InputError

if TYPE_CHECKING:
    from goodmeasure.counts.readers.files.private_engine import PrivateEngine


class DuckdbDatabase:
    """Reads the tables of a DuckDB database; one outside the schema main is called `schema.table`."""

    what, unit = "a DuckDB database", "table"

    def knows(self, path: Path, start: bytes) -> bool:
        """Return whether a file is such a database."""
        return start[8:12] == b"DUCK"

    def tables(self, path: Path, engine: PrivateEngine) -> list[str]:
        """Return the names of the tables and views."""
        return list(_listed(path, engine))

    def table(self, path: Path, shown: str, name: str, engine: PrivateEngine) -> LabelFile:
        """Return how a table is read."""
        return LabelFile(path, shown, "database", table=_listed(path, engine)[name])


def _listed(path: Path, engine: PrivateEngine) -> dict[str, str]:
    """Return the tables by name, each as SQL refers to it; the database is attached first."""
    from goodmeasure.packages import duckdb

    name = f"file {path.absolute()}"
    try:
        engine.connection().execute(f"ATTACH IF NOT EXISTS {text(str(path.absolute()))} AS {quoted(name)} (READ_ONLY)")
    except duckdb.Error as error:
        raise InputError(
            "the DuckDB database cannot be opened ({why})",
            why=str(error).splitlines()[0],
            advice="close the program that writes to it, or export the table as Parquet",
        ) from None
    found = engine.connection().execute(
        "SELECT table_schema, table_name FROM information_schema.tables WHERE table_catalog = ? ORDER BY ALL", [name]
    )
    return {
        table if schema == "main" else f"{schema}.{table}": ".".join(map(quoted, (name, schema, table)))
        for schema, table in found.fetchall()
    }
