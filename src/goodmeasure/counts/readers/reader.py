"""What a reader is: it finds the tables in a file or a folder, and hands one over in a form that can be counted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from goodmeasure.counts.files.file_formats import LabelFile
    from goodmeasure.counts.files.private_engine import PrivateEngine


class TableReader(Protocol):
    """Reads one kind of file or folder."""

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
