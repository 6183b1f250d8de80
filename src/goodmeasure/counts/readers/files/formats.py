"""The formats of files that are read: the one list that help texts and the local page take their words from."""

from __future__ import annotations

from typing import NamedTuple


class FileFormat(NamedTuple):
    """A format as users call it, and how the names of its files end. Files are recognised by their contents."""

    name: str
    endings: tuple[str, ...]


FORMATS = (
    FileFormat("CSV", (".csv", ".tsv", ".tab", ".txt")),
    FileFormat("JSON lines", (".jsonl", ".ndjson", ".json")),
    FileFormat("Parquet", (".parquet", ".parq")),
    FileFormat("Arrow", (".arrow", ".feather", ".ipc")),
    FileFormat("Excel", (".xlsx", ".xlsb", ".xls", ".ods")),
    FileFormat("SQLite", (".sqlite", ".sqlite3", ".db")),
    FileFormat("DuckDB", (".duckdb", ".ddb")),
)
COMPRESSED = (".gz", ".zst", ".bz2", ".xz")
MATRIX_ENDINGS = (".npy",)  # of confusion matrices


def format_names() -> list[str]:
    """Return what the formats are called."""
    return [x.name for x in FORMATS]


def file_endings() -> list[str]:
    """Return how the names of files end that can be read, compressed ones included."""
    return [*(ending for x in FORMATS for ending in x.endings), *COMPRESSED]
