"""Files of labels, compressed or not: DuckDB counts CSV, TSV, JSON lines and Parquet; Arrow is read into memory.

Plain text goes through the compiled scanner instead, which is several times faster.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from goodmeasure.counts.readers.columns import NoRows
from goodmeasure.counts.readers.duckdb_engine import is_duckdb_error, is_relation, json_value, quoted, text
from goodmeasure.counts.readers.engines import opened as opened_frame
from goodmeasure.counts.readers.files.arrow_files import arrow_frame, arrow_names, arrow_rows
from goodmeasure.counts.readers.files.compression import (
    READ_BY_DUCKDB,
    BrokenFileError,
    broken,
    check_whole,
    copied,
    opened,
    said_of_file,
    standard_input,
)
from goodmeasure.counts.readers.files.containers import read_table
from goodmeasure.counts.readers.files.delimited_text import PlainText, is_plain
from goodmeasure.counts.readers.files.file_formats import LabelFile, recognised
from goodmeasure.counts.readers.files.locations import Location, located
from goodmeasure.counts.readers.files.memory_budget import as_bytes, check_labels_fit
from goodmeasure.counts.readers.files.parquet_folders import parts_of
from goodmeasure.counts.readers.files.pooling import check_named_once, check_parts, expanded
from goodmeasure.counts.readers.files.presets.registry import Roles, check_format, preset_of, write_table
from goodmeasure.counts.readers.files.private_engine import PrivateEngine
from goodmeasure.counts.readers.files.queries import check_kinds, names_of_parquet, objects, query, table_of
from goodmeasure.counts.readers.files.reading_errors import ClosedAfterReading, one_line
from goodmeasure.counts.readers.files.text_records import checked_table, json_objects, records, unpacked
from goodmeasure.counts.readers.files.text_table import TextReader
from goodmeasure.counts.readers.frames import count_frame
from goodmeasure.counts.readers.nested import ColumnPath, check_paths, json_path, roots_of, with_paths
from goodmeasure.counts.sample import Counted
from goodmeasure.counts.text_labels import TextRule, typed_labels
from goodmeasure.exceptions import InputError, MissingPackageError, UnknownName
from goodmeasure.typing import Frame, Label, LabelsLike

if TYPE_CHECKING:
    from typing import IO

    from duckdb import DuckDBPyConnection


_FIRST_IDS = 10_000  # how many ids show whether two files are about the same items
_LOOKED_AT = 1000  # how many JSON objects are asked for their keys, which are the columns


def header(path: str | Path) -> tuple[str, ...]:
    """Return the names of the columns of a file, of which only the beginning is read.

    >>> header("nowhere.csv")
    Traceback (most recent call last):
        ...
    goodmeasure.exceptions.MissingFileError: there is no file nowhere.csv
    """
    with OpenFiles(path) as files:
        return files.header


def count_files(
    paths: str | Path | Iterable[str | Path], *, y_true: str, y_pred: Sequence[str], sample_weight: str | None = None,
    by: Sequence[str] = (), groups: str | None = None, labels: LabelsLike | None = None, missing: str = "error",
    memory_limit: str | None = None, threads: int | None = None, pool: bool = False, count: str | None = None,
    table: str | None = None, na_values: Sequence[str] | None = None,
) -> Counted:  # fmt: skip
    """Return the counts of columns of files, as `count_frame` does for a frame.

    >>> count_files("nowhere.csv", y_true="label", y_pred=["system"])
    Traceback (most recent call last):
        ...
    goodmeasure.exceptions.MissingFileError: there is no file nowhere.csv
    """
    with OpenFiles(
        paths, memory_limit=memory_limit, threads=threads, columns=[y_true, *y_pred], pool=pool, table=table,
        na_values=na_values,
    ) as files:  # fmt: skip
        return files.count(
            y_true=y_true, y_pred=y_pred, sample_weight=sample_weight, by=by, groups=groups, labels=labels,
            missing=missing, count=count,
        )  # fmt: skip


class OpenFiles(ClosedAfterReading):
    """Open files of one kind as one table: names, patterns such as ``runs/*.csv``, or ``-`` for standard input.

    `memory_limit` is DuckDB's, such as "200MB"; beyond it a temporary directory is used. `columns` are names that help
    to find the delimiter. `pool` says that several files are parts of one data set, even if they have equally many
    rows. `format` names the preset that reads logs of another program, which are recognised without it. `table` names
    the sheet of a workbook or the table of a database, as ``file.xlsx::Sheet`` does. `na_values` are the spellings of
    missing labels in text files and sheets; by default, those that are known. With an `engine`, which somebody else
    closes, the files of several runs can be joined. Otherwise a private DuckDB and a temporary directory stay until
    the files are closed, preferably by a ``with`` statement: a pipe can be read only while it is open.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "p.csv")
    ...     _ = path.write_text("label,system\\nham,ham\\nspam,ham\\n")
    ...     with OpenFiles(path) as files:
    ...         files.header, files.count(y_true="label", y_pred=["system"]).rows
    (('label', 'system'), 2)
    """

    def __init__(
        self, paths: str | Path | Iterable[str | Path], *, memory_limit: str | None = None, threads: int | None = None,
        columns: Sequence[str] = (), pool: bool = False, engine: PrivateEngine | None = None, format: str | None = None,
        table: str | None = None, na_values: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        paths = [paths] if isinstance(paths, (str, Path)) else list(paths)
        if table is not None:
            paths = [x if located(x).table is not None else f"{os.fspath(x)}::{table}" for x in paths]
        self.paths = tuple(map(str, paths))
        self.na_values = None if na_values is None else tuple(na_values)
        self.pool = pool
        check_format(format)
        self.format, self.preset = format, ""
        self.roles: Roles | None = None
        self.notes: list[str] = []
        self._private = engine or PrivateEngine(memory_limit, threads)
        self._is_shared = engine is not None
        self._folder = self._private.folder
        self._limit = memory_limit
        self._threads = threads
        self._records: dict[tuple[Path, frozenset[str]], int] = {}
        try:
            named = expanded(paths)
            check_named_once([path for found in named for path in found])
            arguments = [[self._source(path, columns) for path in found] for found in named]
            self.sources = tuple(source for sources in arguments for source in sources)
            self._check_families()
            self._check_spellings()
            if len(arguments) > 1 and not pool:
                check_parts(arguments, self._names, self._rows, self._first_ids)
            self.header = self._names(self.sources[0])
        except BaseException:
            self.close()
            raise

    def in_order(self) -> OpenFiles:
        """Return these files with their rows in order, for data whose rows correspond to those of another file.

        Otherwise DuckDB's threads hand out the rows of large files as they find them, which is faster.
        """
        if not self._without_engine():
            self._private.connection().execute("SET preserve_insertion_order = true")
        return self

    @property
    def untyped(self) -> TextRule | None:
        """The rule by which the type of labels is inferred from how they look; None if the files have types."""
        family = self.sources[0].family
        if family == "json":
            return TextRule(self.na_values or ())
        comma = all(x.delimiter == ";" for x in self.sources)
        return TextRule(self.na_values, comma) if family == "csv" else None

    @property
    def parts(self) -> int:
        """How many files are read as one data set; 0 if there is only one."""
        return len(self.sources) if len(self.sources) > 1 else 0

    def close(self) -> None:
        """Close the engine and remove all temporary files."""
        if not self._is_shared:
            self._private.close()

    def has(self, column: str) -> bool:
        """Return whether the files have a column."""
        return roots_of([column], known := self._known(self.sources[0], [column]))[0] in known

    def count(
        self, *, y_true: str, y_pred: Sequence[str], sample_weight: str | None = None, by: Sequence[str] = (),
        groups: str | None = None, labels: LabelsLike | None = None, missing: str = "error", count: str | None = None,
        always_jointly: bool = False, beside: Sequence[str] = (),
    ) -> Counted:  # fmt: skip
        """Return the counts of columns, as `count_frame` does."""
        listed = [y_pred] if isinstance(y_pred, str) else list(y_pred)
        sliced = [by] if isinstance(by, str) else list(by)
        keys = [y_true, *listed, *sliced, *beside, *([groups] if groups is not None else [])]
        numbers = [x for x in (sample_weight, count) if x is not None]
        role = "weight column" if count is None else "count column" if sample_weight is None else "column"
        try:
            with self._in_our_words(numbers=numbers, role=role):
                countable = self._countable(keys, numbers, listed, role)
                found = count_frame(
                    countable, y_true=y_true, y_pred=listed, sample_weight=sample_weight, by=sliced, groups=groups,
                    labels=labels, missing=missing, untyped=self.untyped, count=count, always_jointly=always_jointly,
                    beside=beside,
                )  # fmt: skip
        except NoRows:
            self.check_rows(0, numbers)
            raise NoRows(" and ".join(x.shown for x in self.sources)) from None
        if count is None:
            self.check_rows(found.rows, numbers)
        elif is_relation(countable):
            self.check_rows(countable.aggregate("count(*)").fetchall()[0][0], numbers)
        return found

    def check_rows(self, rows: int, numbers: Sequence[str] = ()) -> None:
        """Refuse files of which DuckDB did not find all records, which were counted before it read them."""
        known = [self._records.get((source.path, frozenset(numbers))) for source in self.sources]
        if None not in known and sum(x or 0 for x in known) != rows:
            raise InputError(
                "{shown} holds {records:,} rows, and DuckDB reads {rows:,} of them",
                shown=" and ".join(x.shown for x in self.sources), records=sum(x or 0 for x in known), rows=rows,
                advice="please report this with the file, and save it as Parquet meanwhile",
            )  # fmt: skip

    def _countable(self, columns: Sequence[str], numbers: Sequence[str], systems: Sequence[str], role: str) -> Frame:
        """Return plain text for the scanner, and everything else as a frame whose labels fit into memory."""

        def frame() -> Frame:
            found = self.frame(columns, numbers, role)
            if self._limit is not None and is_relation(found):
                shared = [x for x in dict.fromkeys(columns) if x not in systems]
                check_labels_fit(found, systems, shared, self._limit)
            return found

        nested = roots_of(columns, self.header) != list(dict.fromkeys(columns))
        if numbers or nested or not all(map(is_plain, self.sources)):
            return frame()
        for source in self.sources:
            self._check_columns(source, list(dict.fromkeys(columns)))
        memory = None if self._limit is None else as_bytes(self._limit)
        if self._limit is not None:
            self._engine()  # refuses a limit that it does not understand
        return PlainText(self.sources, frame, self._threads, memory)

    def frame(self, columns: Sequence[str], numbers: Sequence[str] = (), role: str = "column") -> Frame:
        """Return columns of all files as one frame; text files give text, except that `numbers` are read as numbers.

        `role` is what an error calls a column of numbers.
        """
        for name in numbers:
            if name in columns:
                raise InputError(
                    "column {got!r} is named as labels, and as scores, weights or counts",
                    got=name,
                    advice="a column can be one of them",
                )
        wanted = list(dict.fromkeys([*columns, *numbers]))
        for source in self.sources:
            self._check_columns(source, wanted)
        if self._without_engine():
            return TextReader(self.sources, wanted, numbers, role)
        self.sources = tuple(self._checked(source, frozenset(numbers), role) for source in self.sources)
        if self.sources[0].family == "arrow":
            found = arrow_frame(self.sources, roots_of(wanted, self.header))
            return with_paths(opened_frame(found), wanted, self.sources[0].shown).to_native()
        with self._in_our_words(*self.sources, numbers=numbers, role=role):
            found = self._relation(wanted, set(numbers))
            return with_paths(found, wanted, self.sources[0].shown) if self.sources[0].is_typed else found

    def _checked(self, source: LabelFile, numbers: frozenset[str], role: str) -> LabelFile:
        """Return a file that DuckDB reads as all readers do, with its records counted; refuse a damaged one."""
        key = source.path, numbers
        if key in self._records:
            return source
        try:
            if source.family not in ("csv", "json"):
                check_whole(source.path, source.compression)
                return source
            source = unpacked(source, self._private.new_file)
            if source.family == "csv":
                source, rows = checked_table(source, numbers, role, self._private.new_file)
            else:
                rows = json_objects(source)
        except BrokenFileError as error:
            raise broken(source.shown, error) from None
        self._records[source.path, numbers] = rows
        return source

    def _without_engine(self) -> bool:
        """Return whether tables of text have to be read without DuckDB, which is not installed."""
        if self.sources[0].family != "csv":
            return False
        try:
            from goodmeasure.packages import duckdb  # noqa: F401
        except MissingPackageError:
            return True
        return False

    def example(self, column: str) -> Label:
        """Return one of a column's labels, as it is counted; None if there is none."""
        frame = self.frame([column])
        if isinstance(frame, TextReader):
            return next((x for x in frame.values([column], ())[column] if x is not None), None)
        if hasattr(frame, "collect"):  # a lazy Polars frame
            return next(iter(frame.drop_nulls().head(1).collect()[column].to_list()), None)
        if not is_relation(frame):  # an Arrow table
            return next((x.as_py() for x in frame[column] if x.is_valid), None)
        is_json = str(frame.types[0]) == "JSON"
        found = frame.filter(f"{quoted(column)} IS NOT NULL").limit(_LOOKED_AT).fetchall()
        return next((x for x in (json_value(x) if is_json else x for (x,) in found) if x is not None), None)

    def _source(self, path: str | Path, columns: Sequence[str]) -> LabelFile:
        """Return how one file is read; what DuckDB cannot read in place is copied first."""
        shown = "standard input" if path == "-" else str(path)
        place = Location("-") if path == "-" else located(path)
        with said_of_file(shown, self._folder.parent):
            if path == "-":
                place = Location(str(self._copied(standard_input())))
            elif not Path(place.path).is_file() and not Path(place.path).is_dir():  # a pipe, which is read only once
                with Path(place.path).open("rb") as stream:
                    place = place._replace(path=str(self._copied(stream)))
            found = read_table(place, shown, self._private)
            if found is not None:
                return found
            path = self._as_table(Path(place.path).absolute(), shown)
            source = recognised(path, shown, columns)  # DuckDB's errors name absolute paths
            packed = source.compression
            unread = packed not in READ_BY_DUCKDB or (packed != "none" and source.family in ("parquet", "arrow"))
            if unread or source.skipped or (source.has_bom and source.family == "json"):
                with opened(source.path, packed) as stream:
                    # a byte order mark, empty lines and line breaks in the header, which not all readers understand
                    stream.read(source.start + source.broken_header)
                    copy = self._copied(stream, source.header)
                return replace(source, path=copy, compression="none", has_bom=False, start=0)
        return source

    def _as_table(self, path: Path, shown: str) -> Path:
        """Return the table of a log of another program; a table is returned as it is."""
        found = preset_of(path, shown, self.format)
        if found is None:
            return path
        target = self._private.new_file()
        notes, self.roles = write_table(*found, target)
        self.notes += notes
        self.preset = found[0].title
        return target

    def _copied(self, stream: IO[bytes], start: bytes = b"") -> Path:
        target = self._private.new_file()
        copied(stream, target, start)
        return target

    def _check_families(self) -> None:
        """Refuse files of different formats."""
        first = self.sources[0]
        for source in self.sources:
            if source.family != first.family:
                raise InputError(
                    "{first} is {one} and {second} is {other}",
                    first=first.shown,
                    one=first.family,
                    second=source.shown,
                    other=source.family,
                    advice="give files of one format at a time",
                )

    def _check_spellings(self) -> None:
        """Refuse spellings of missing labels for files in which a missing label is no text."""
        if self.na_values is not None and self.untyped is None:
            raise typed_labels(self.sources[0].shown)

    def _check_columns(self, source: LabelFile, wanted: Sequence[str]) -> None:
        """Refuse columns that a file does not have, or has twice."""
        names = self._known(source, wanted)
        try:
            check_paths(wanted, names, source.shown, lambda path: self._leads(source, path))
        except UnknownName as error:
            if not source.looks_headless:
                raise
            raise UnknownName(
                "{problem}",
                name=error.name,
                suggestions=error.suggestions,
                problem=error.problem,
                known=f"{error.advice}; " if error.advice else "",
                advice="{known}its first line looks like data, and a line with the names of the columns is needed",
            ) from None
        for name in wanted:
            if names.count(name) > 1:
                raise InputError(
                    "{shown} has {times} columns named {name!r}",
                    shown=source.shown,
                    times=names.count(name),
                    name=name,
                    advice="rename all but one",
                )

    def _known(self, source: LabelFile, wanted: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the columns; all keys of a JSON file if its beginning does not have the wanted ones."""
        names = self._names(source)
        is_whole = source.family != "json" or set(roots_of(wanted, names)) <= set(names)
        return names if is_whole else self._all_keys(source)

    def _leads(self, source: LabelFile, path: ColumnPath) -> bool:
        """Return whether a path leads to something in any row of a JSON file; always True for typed formats."""
        if source.family != "json":
            return True
        found = f"json_exists(json, {text(json_path((path.root, *path.steps)))})"
        with self._in_our_words(source):
            return bool(self._engine().sql(f"SELECT 1 FROM {objects(source)} WHERE {found} LIMIT 1").fetchall())

    def _names(self, source: LabelFile) -> tuple[str, ...]:
        """Return the names of the columns of a file."""
        if source.family == "csv":
            return source.names
        if source.family == "arrow":
            return arrow_names(source)
        with self._in_our_words(source):
            if source.table:
                found = tuple(self._engine().sql(f"FROM {source.table}").columns)
                if source.family != "parquet":
                    return found
                inside = names_of_parquet(self._engine(), source.shown, parts_of(source.path))
                return (*inside, *found[len(inside) :])  # the columns of the files, and those that folders name
            if source.family == "parquet":
                return names_of_parquet(self._engine(), source.shown, [source.path])
            keys = self._engine().sql(f"SELECT json_keys(json) FROM {objects(source)} LIMIT {_LOOKED_AT}")
            return tuple(dict.fromkeys(name for (names,) in keys.fetchall() for name in names))

    def _all_keys(self, source: LabelFile) -> tuple[str, ...]:
        """Return the keys of all objects of a JSON file, those of its beginning first."""
        with self._in_our_words(source):
            found = self._engine().sql(f"SELECT DISTINCT unnest(json_keys(json)) FROM {objects(source)}").fetchall()
        return tuple(dict.fromkeys([*self._names(source), *sorted(name for (name,) in found)]))

    def _rows(self, source: LabelFile) -> int:
        """Return how many rows a file has."""
        if source.family == "arrow":
            return arrow_rows(source)
        if not source.is_typed:
            return self._records[self._checked(source, frozenset(), "column").path, frozenset()]
        with self._in_our_words(source):
            return int(self._engine().sql(f"SELECT count(*) FROM {table_of([source])}").fetchall()[0][0])

    def _first_ids(self, source: LabelFile, id: str) -> set[str]:
        """Return the first ids of a file, as text."""
        if source.family == "arrow":
            return set()  # which would have to be read whole
        if source.family == "csv":
            place = source.names.index(id)
            return {fields[place] for _, fields in islice(records(source), _FIRST_IDS) if fields[place]}
        with self._in_our_words(source):
            found = self._engine().sql(query([source], [id], set(), (id,))).limit(_FIRST_IDS).fetchall()
        return {str(x) for (x,) in found if x is not None}

    @contextmanager
    def _in_our_words(
        self, *sources: LabelFile, numbers: Sequence[str] = (), role: str = "weight column"
    ) -> Iterator[None]:
        """Report an error of DuckDB's inside the block in one line, about the file that it names."""
        try:
            yield
        except Exception as error:
            if not is_duckdb_error(error):
                raise
            raise self.in_one_line(error, numbers, role, sources or self.sources) from None

    def in_one_line(
        self, error: Exception, numbers: Sequence[str], role: str, sources: Sequence[LabelFile] = ()
    ) -> Exception:
        """Return an error of DuckDB's as an error in our words; `role` is what it calls a column of numbers."""
        known = sources or self.sources
        names = {f"c{k}": name for source in known for k, name in enumerate(source.names) if name in numbers}
        return one_line(error, known, names or {name: name for name in numbers}, self._limit, role)

    def _engine(self) -> DuckDBPyConnection:
        """Return the connection to DuckDB."""
        return self._private.connection()

    def _relation(self, wanted: list[str], numbers: set[str]) -> Frame:
        """Return all files as one relation; files of the same columns and types are read in one scan."""
        if len(self.sources) == 1:
            return self._engine().sql(query(self.sources, wanted, numbers, self._known(self.sources[0], wanted)))
        alike: dict[object, list[LabelFile]] = {}
        for source in self.sources:
            alike.setdefault(self._signature(source, wanted), []).append(source)
        parts = [
            self._engine().sql(query(sources, wanted, numbers, self._known(sources[0], wanted)))
            for sources in alike.values()
        ]
        first = parts[0]
        for part in parts[1:]:
            check_kinds(first, part)
            first = first.union(part)
        return first

    def _signature(self, source: LabelFile, wanted: list[str]) -> object:
        """Return what must be equal for two files to be read in one scan."""
        if not source.is_typed:
            return replace(source, path=Path(), shown="", looks_headless=False)
        relation = self._engine().sql(f"FROM {table_of([source])}")
        names = self._names(source)
        types = dict(zip(names, map(str, relation.types), strict=True))
        return source.table, names, tuple(types[name] for name in roots_of(wanted, names))
