"""Folders of Parquet files, as Spark and others write them; folders such as `year=2026` in it are columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from goodmeasure.counts.readers.duckdb_engine import literal_path
from goodmeasure.counts.readers.files.file_formats import LabelFile

if TYPE_CHECKING:
    from goodmeasure.counts.readers.files.private_engine import PrivateEngine

_ENDINGS = (".parquet", ".parq")


class ParquetFolder:
    """Reads all Parquet files below a folder as one table."""

    what, unit = "a folder of Parquet files", ""

    def knows(self, path: Path, start: bytes) -> bool:
        """Return whether there are Parquet files below a folder."""
        return path.is_dir() and next(iter(parts_of(path)), None) is not None

    def tables(self, path: Path, engine: PrivateEngine) -> list[str]:
        """Return the only table, which has no name."""
        return [""]

    def table(self, path: Path, shown: str, name: str, engine: PrivateEngine) -> LabelFile:
        """Return how the files are read together."""
        parts = parts_of(path)
        listed = ", ".join(literal_path(x) for x in parts)
        partitioned = all("=" in x.parent.name for x in parts)
        return LabelFile(path, shown, "parquet", table=f"read_parquet([{listed}], hive_partitioning={partitioned})")


def parts_of(folder: Path) -> list[Path]:
    """Return the files that hold data; names that begin with a dot or an underscore (_SUCCESS) are of other use."""
    found = (x for x in folder.rglob("*") if x.suffix.lower() in _ENDINGS and x.is_file())
    return sorted(x for x in found if not any(y.startswith((".", "_")) for y in x.relative_to(folder).parts))
