"""The records of text files, counted and checked without any engine.

DuckDB reads tables of text fast, but irregular ones in its own way: it drops all rows after a line break in the header,
accepts a delimiter too many at the end of a row, and takes away the blank before a quote. So it is given only what all
readers understand alike: as many fields in every row as in the header, one kind of line end, quotes around whole fields
or nowhere. Whatever differs is read by Python's csv module, which says what is wrong, or written anew for DuckDB. How
many records there are is known before DuckDB reads them, and is compared with what it found.
"""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, NoReturn

from goodmeasure.counts.kernel import tally
from goodmeasure.counts.readers.files.compression import everything, opened, said_broken
from goodmeasure.counts.readers.files.file_formats import LabelFile, first_bad_json
from goodmeasure.counts.text_labels import looks_missing
from goodmeasure.exceptions import InputError

LONGEST = 2_000_000  # bytes of a record: DuckDB reads no longer ones
_BLOCK = 1 << 20
_SLACK = 16  # bytes that the compiled code may read beyond a block
# What is wrong with a place in a table of text, and what to do about it.
TROUBLES = {
    "fields": (
        "{place} has {found} field{s} where the header has {wanted}",
        "quote fields that hold the delimiter, or correct it",
    ),
    "open quote": ('{place} has a quote " that is not closed', "close it, or double a quote within a field"),
    "stray quote": (
        '{place} has text after a closing quote "',
        'double a quote within a field, as in "a ""b"" c", and leave nothing between a closing quote and the delimiter',
    ),
    "encoding": ("{place} is not UTF-8 text", "convert the file, for example with iconv -f LATIN1 -t UTF-8"),
    "long line": ("{place} is longer than 2 MB", "is a quote not closed, or the file no table?"),
}


def trouble(kind: str, place: str, found: int = 0, wanted: int = 0) -> InputError:
    """Return the error about a place in a table of text, which may have another number of fields than is wanted."""
    problem, advice = TROUBLES[kind]
    return InputError(problem, place=place, advice=advice, got=place, found=found, s="s" * (found != 1), wanted=wanted)


def not_a_number(role: str, name: str, value: str | None, place: str) -> InputError:
    """Return the error about text in a column of numbers."""
    comma = "" if value is None or "," not in value else " (with a decimal comma in every fraction, or in none)"
    return InputError(
        "{role} {name} has {got!r} in {place}", role=role, name=name, got=value, place=place, comma=comma,
        expected="a number{comma}",
        advice="leave the field empty where there is no number" if looks_missing(value) else "",
    )  # fmt: skip


def checked_table(
    source: LabelFile, numbers: Collection[str], role: str, new_file: Callable[[], Path]
) -> tuple[LabelFile, int]:
    """Return a table of text as all readers understand it alike, written anew if need be, and its number of rows.

    `numbers` are the columns that hold numbers, in which DuckDB would read 1_000 as a thousand.
    """
    rows = None if source.lacking.intersection(numbers) else _rows_if_regular(source, numbers)
    if rows is not None:
        return source, rows
    target = new_file()
    rows = _rewritten(source, target, numbers, role)
    return replace(source, path=target, compression="none", has_bom=False, start=0), rows


def unpacked(source: LabelFile, new_file: Callable[[], Path]) -> LabelFile:
    """Return a file that Python can read; one that only DuckDB can unpack is unpacked first."""
    try:
        with said_broken(), opened(source.path, source.compression):
            return source
    except ImportError:
        target = new_file()
        target.write_bytes(everything(source.path, source.compression))
        return replace(source, path=target, compression="none")


def records(source: LabelFile) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a table of text below its header, each with the number of its first line.

    An empty line is a row only where there is one column.
    """
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST))  # by default, a document in a field would be too long
    with said_broken(), opened(source.path, source.compression) as stream:
        stream.read(source.start)
        lines = _Lines(stream, source)
        reader = csv.reader(lines, delimiter=source.delimiter, strict=True)
        is_header, columns = True, len(source.names)
        while True:
            line = lines.begin()
            try:
                fields = next(reader)
            except StopIteration:
                return
            except csv.Error:
                raise trouble("open quote" if lines.ended else "stray quote", source.place(line)) from None
            if is_header:
                is_header = False
            elif fields or columns == 1:
                fields = fields or [""]
                if len(fields) != columns:
                    raise trouble("fields", source.place(line), len(fields), columns)
                yield line, fields


class _Lines:
    """The lines of a table of text, numbered; refuses what is not UTF-8, and records that are too long."""

    def __init__(self, stream: IO[bytes], source: LabelFile) -> None:
        self.lines = io.TextIOWrapper(stream, "utf-8", errors="surrogateescape", newline="")
        self.source, self.line, self.begun, self.size, self.ended = source, source.skipped, 0, 0, False

    def begin(self) -> int:
        """Begin a record; return the number of its first line."""
        self.size, self.begun = 0, self.line + 1
        return self.begun

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self.lines.readline(LONGEST + 1)
        if not line:
            self.ended = True
            raise StopIteration
        self.line += 1
        try:
            self.size += len(line) if line.isascii() else len(line.encode())
        except UnicodeEncodeError:
            raise trouble("encoding", self.source.place(self.line)) from None
        if self.size > LONGEST:
            raise trouble("long line", self.source.place(self.begun))
        return line


def _rows_if_regular(source: LabelFile, numbers: Collection[str]) -> int | None:
    """Return how many rows a table of text has below its header; None if it has to be read by Python."""
    scanner = tally.scanner
    if scanner is None or len(source.delimiter) != 1 or not source.delimiter.isascii():
        return None
    state = array("q", [len(source.names), ord(source.delimiter), LONGEST, 0, 0, 0, 0, 0])
    mask = bytes(name in numbers for name in source.names)
    for block, size, is_last in _blocks(source):
        if not scanner.records(state, block, size, mask, is_last):
            return None
    return max(0, state[-1] - 1)


def _blocks(source: LabelFile) -> Iterator[tuple[bytearray, int, bool]]:
    """Yield a file block by block, in a buffer that is reused, and an empty last block."""
    buffer = bytearray(_BLOCK + _SLACK)
    with said_broken(), opened(source.path, source.compression) as stream:
        stream.read(source.start)
        while size := stream.readinto(memoryview(buffer)[:_BLOCK]):  # type: ignore[attr-defined]
            yield buffer, size, False
    yield buffer, 0, True


def _rewritten(source: LabelFile, target: Path, numbers: Collection[str], role: str) -> int:
    """Write a table of text anew, with every field in quotes and every row in its line; return how many rows it has."""
    places = [k for k, name in enumerate(source.names) if name in numbers]
    rows, at = 0, source.skipped
    with target.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, delimiter=source.delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerow([f"c{k}" for k in range(len(source.names))])
        at += 1
        for line, fields in records(source):
            for k in places:
                if looks_missing(fields[k]):
                    fields[k] = ""
                elif "_" in fields[k]:
                    raise not_a_number(role, repr(source.names[k]), fields[k], source.place(line))
            if len(fields) > 1:
                out.write("\n" * (line - at - 1))  # lines keep their numbers, for what DuckDB says of them
            writer.writerow(fields)
            at = line + sum(x.count("\n") for x in fields)
            rows += 1
    return rows


def json_objects(source: LabelFile) -> int:
    """Return how many objects a JSON file has; refuse anything else among them."""
    found = _objects_compiled(source) if tally.scanner is not None else _objects_by_python(source)
    if found is None:
        _refuse_json(source)
    return found


def _objects_compiled(source: LabelFile) -> int | None:
    assert tally.scanner is not None
    state = array("q", [source.format == "json array", 0, 0, 0, 0])
    for block, size, _ in _blocks(source):
        if not tally.scanner.objects(state, block, size):
            return None
    return state[-1]


_JSON = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s{}\[\]"]+', re.DOTALL)


def _objects_by_python(source: LabelFile) -> int | None:
    base, depth, number = int(source.format == "json array"), 0, 0
    for token in _JSON.findall(everything(source.path, source.compression)[source.start :]):
        if token in (b"{", b"["):
            if (depth == base and token == b"[") or (depth < base and token == b"{"):
                return None
            number += depth == base
            depth += 1
        elif token in (b"}", b"]"):
            depth -= 1
        elif depth <= base and not (depth == base == 1 and token == b","):
            return None
    return number


def _refuse_json(source: LabelFile) -> NoReturn:
    number = None
    if source.format == "json":
        with opened(source.path, source.compression) as stream:
            number = first_bad_json(iter(stream))
    place = source.shown if number is None else source.place(number)
    raise InputError(
        "{place} is not a JSON object" if source.format == "json" else "{place} holds something that is not an object",
        place=place, example='{"true": "ham", "pred": "spam"}',
        expected="one such as {example} " + ("on each line" if source.format == "json" else "for each item"),
    )  # fmt: skip
