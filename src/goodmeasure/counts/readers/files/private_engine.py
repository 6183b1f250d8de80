"""A private DuckDB that loads no extensions and writes only to a temporary directory."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from goodmeasure.exceptions import InputError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


class PrivateEngine:
    """A DuckDB with a temporary directory of its own, started when it is first needed."""

    def __init__(self, memory_limit: str | None, threads: int | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="goodmeasure-"))
        self._limit, self._threads = memory_limit, threads
        self._connection: DuckDBPyConnection | None = None

    def connection(self) -> DuckDBPyConnection:
        """Return the connection; refuse a memory limit that DuckDB does not understand."""
        if self._connection is None:
            self._connection = self._connected()
        return self._connection

    def new_file(self) -> Path:
        """Return a path in the temporary directory that is not taken."""
        return self.folder / f"{len(list(self.folder.iterdir()))}.data"

    def close(self) -> None:
        """End the engine and remove all temporary files."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        shutil.rmtree(self.folder, ignore_errors=True)

    def _connected(self) -> DuckDBPyConnection:
        from goodmeasure.packages import duckdb

        settings: dict[str, str | bool | int | float | list[str]] = {
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "temp_directory": str(self.folder / "spill"),
            "preserve_insertion_order": "false",
        }
        settings |= {} if self._limit is None else {"memory_limit": self._limit}
        settings |= {} if self._threads is None else {"threads": self._threads}
        try:
            connection = duckdb.connect(":memory:", config=settings)
        except duckdb.Error as error:
            if self._threads is None:
                raise InputError(
                    "{memory_limit} is {got!r}", got=self._limit, advice="use a size such as '200MB' or '2GB'"
                ) from None
            why = str(error).splitlines()[0]
            raise InputError("{memory_limit} or {threads} is not understood: {why}", why=why) from None
        connection.execute("SET enable_progress_bar = false")
        return connection
